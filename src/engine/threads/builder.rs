//! [`Sharded`]: what makes a search on shards.

use super::rounds::ShardedEngine;
use crate::Search;
use crate::engine::Order;
use crate::engine::builder::{run_settings, search_methods};
use crate::frontier::Frontier;
use crate::limits::Limits;
use crate::problem::SearchProblem;
use crate::table::{IdOf, TableFor};

/// A best-first search on several threads: made by [`AStar::threads`](crate::AStar::threads) and
/// [`Dijkstra::threads`](crate::Dijkstra::threads). (Feature
/// `parallel`.)
#[derive(Clone, Debug)]
#[must_use]
pub struct Sharded<P: SearchProblem, R, T, F, O = ()> {
    pub(in crate::engine) problem: P,
    pub(in crate::engine) order: R,
    pub(in crate::engine) table: T,
    pub(in crate::engine) frontier: F,
    pub(in crate::engine) threads: usize,
    pub(in crate::engine) limits: Limits<P::Cost>,
    pub(in crate::engine) observer: O,
}

/// A search of the problem `P` on several threads: what [`Sharded::search`] makes.
pub type ShardedSearch<P, R, T, F, O = ()> = Search<ShardedEngine<P, R, T, F>, O>;

run_settings!(
    Sharded<P, R, T, F; O> { problem, order, table, frontier, threads },
    observer: "It is called on the calling thread, after each round, shard by shard."
);

search_methods!(
    Sharded<P, R, T, F; O> -> ShardedSearch { problem, order, table, frontier, threads },
    where {
        P: SearchProblem<State: Send, Action: Send, Cost: Send> + Send + Sync,
        R: Order<P::Cost, Key: Send> + Clone + Send,
        T: TableFor<P::State, P::Cost> + Clone + Send,
        F: Frontier<IdOf<T, P::State>, R::Key> + Clone + Send,
    },
    engine: |starts| ShardedEngine::new(problem, (&order, &table, &frontier), threads, starts)
);
