//! [`Sharded`]: what makes a search on shards.

use super::rounds::ShardedEngine;
use crate::Search;
use crate::cost::Cost;
use crate::engine::Order;
use crate::frontier::Frontier;
use crate::limits::Limits;
use crate::observer::Observer;
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

impl<P: SearchProblem, R, T, F, O> Sharded<P, R, T, F, O> {
    /// Sets the limits.
    pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the observer, by value or as `&mut`. It is called on the calling thread, after each round, shard by
    /// shard.
    pub fn observer<N: Observer<P::State, P::Cost>>(self, observer: N) -> Sharded<P, R, T, F, N> {
        let Self { problem, order, table, frontier, threads, limits, .. } = self;
        Sharded { problem, order, table, frontier, threads, limits, observer }
    }
}

impl<P, R, T, F, O> Sharded<P, R, T, F, O>
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Send + Sync,
    R: Order<P::Cost, Key: Send> + Clone + Send,
    T: TableFor<P::State, P::Cost> + Clone + Send,
    F: Frontier<IdOf<T, P::State>, R::Key> + Clone + Send,
    O: Observer<P::State, P::Cost>,
{
    /// Creates the search, from one start.
    #[must_use = "a search does nothing until it is run"]
    pub fn search(self, start: P::State) -> ShardedSearch<P, R, T, F, O> {
        self.search_from([(start, P::Cost::ZERO)])
    }

    /// Creates the search, from several starts, each with its initial cost *g*.
    #[must_use = "a search does nothing until it is run"]
    pub fn search_from(
        self,
        starts: impl IntoIterator<Item = (P::State, P::Cost)>,
    ) -> ShardedSearch<P, R, T, F, O> {
        let Self { problem, order, table, frontier, threads, limits, observer } = self;
        let starts = starts.into_iter().collect();
        let engine = ShardedEngine::new(problem, (&order, &table, &frontier), threads, starts);
        Search::new(engine, limits, observer)
    }
}
