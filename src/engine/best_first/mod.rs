//! Best-first search: A*, weighted A*, greedy search and Dijkstra's algorithm.
//!
//! - `relaxation`: the relaxation loop, which all engines that store states share.
//! - `expand`: the expansion of one state.
//! - `expansion`: which state is expanded next, and when the search ends.
//! - `order`: the [`Order`] of expansion.
//! - `lookahead`: generates successors ahead of time, so that memory can be prefetched.
//! - `astar`, `dijkstra`, `greedy`: the builders; `builder`: the macro for what they have in common.

mod astar;
pub(super) mod builder;
mod dijkstra;
mod expand;
mod expansion;
mod greedy;
mod lookahead;
mod order;
mod reached;
mod relaxation;

pub use astar::{AStar, AStarSearch, astar, solve};
pub use dijkstra::{Dijkstra, DijkstraSearch, dijkstra, dijkstra_all};
pub use expansion::BestFirstEngine;
pub use greedy::{Greedy, GreedySearch, greedy};
pub(super) use lookahead::Lookahead;
pub use order::{ByF, ByG, ByH, ByKey, ByWeightedF, Order};
pub use reached::{Reached, Settled};
pub(super) use relaxation::{Id, Relaxation, Rules, Taken, reached_by};

use crate::frontier::{BucketQueue, Priority, Single};
use crate::problem::SearchProblem;
use crate::table::{CostRecord, EstimateRecord, HashedTable};

/// The cost type of a problem.
pub(super) type CostOf<P> = <P as SearchProblem>::Cost;

/// The default table of engines with a heuristic.
pub(super) type Hashed<P> = HashedTable<<P as SearchProblem>::State, EstimateRecord<CostOf<P>>>;

/// The default table of Dijkstra's algorithm.
pub(super) type HashedCosts<P> = HashedTable<<P as SearchProblem>::State, CostRecord<CostOf<P>>>;

/// The default frontier of Dijkstra's algorithm.
pub(super) type CostBuckets<P> = BucketQueue<Single<CostOf<P>>>;

/// The default frontier of engines with a heuristic.
pub(super) type Buckets<P> = BucketQueue<Priority<CostOf<P>>>;
