//! Best-first search: A*, weighted A*, greedy search, Dijkstra's algorithm, and the engines that improve on a
//! first solution: anytime A*, focal search, bounded-cost search.
//!
//! - `relaxation`: the relaxation loop, which all engines that store states share.
//! - `expand`: the expansion of one state.
//! - `expansion`: which state is expanded next, and when the search ends.
//! - `order`: the [`Order`] of expansion.
//! - `improving`: what the engine does in orders that improve on a first solution.
//! - `lookahead`: generates successors ahead of time, so that memory can be prefetched.
//! - `astar`, `dijkstra`, `greedy`, `anytime`, `focal`, `bounded_cost`: the builders, and the orders that only one
//!   of them uses; `builder`: the macro for what they have in common.

mod anytime;
mod astar;
mod bounded_cost;
pub(super) mod builder;
mod dijkstra;
mod expand;
mod expansion;
mod focal;
mod greedy;
mod improving;
mod listed;
mod lookahead;
mod order;
mod reached;
mod relaxation;

pub use anytime::{AnytimeAStar, AnytimeAStarSearch, ByFallingWeight, anytime_astar};
pub use astar::{AStar, AStarSearch, astar, solve};
pub use bounded_cost::{BoundedCost, BoundedCostSearch, ByPotential, bounded_cost};
pub use dijkstra::{Dijkstra, DijkstraSearch, dijkstra, dijkstra_all};
pub use expansion::BestFirstEngine;
pub use focal::{ByTurns, Focal, FocalSearch, focal};
pub use greedy::{Greedy, GreedySearch, greedy};
pub(super) use lookahead::Lookahead;
pub use order::{ByF, ByG, ByH, ByKey, ByWeightedF, Order};
pub use reached::{Reached, Settled};
#[cfg(feature = "parallel")]
pub(super) use relaxation::smaller_sum;
pub(super) use relaxation::{AdmitAll, Id, Relaxation, Rules, Taken, admits, reached_by};

use crate::frontier::{BucketQueue, LazyHeap, Priority, Single};
use crate::problem::SearchProblem;
use crate::table::{CostRecord, EstimateRecord, HashedTable, IdOf};

/// The cost type of a problem.
pub(super) type CostOf<P> = <P as SearchProblem>::Cost;

/// The default table of engines with a heuristic.
pub(super) type Hashed<P> = HashedTable<<P as SearchProblem>::State, EstimateRecord<CostOf<P>>>;

/// The default table of Dijkstra's algorithm.
pub(super) type HashedCosts<P> = HashedTable<<P as SearchProblem>::State, CostRecord<CostOf<P>>>;

/// The default frontier of Dijkstra's algorithm.
pub(super) type CostBuckets<P> = BucketQueue<Single<CostOf<P>>>;

/// The default frontier of orders whose keys fall and rise again, where buckets would be sorted time and again.
pub(super) type PriorityHeap<P, T = Hashed<P>> =
    LazyHeap<Priority<CostOf<P>>, IdOf<T, <P as SearchProblem>::State>>;

/// The default frontier of engines with a heuristic.
pub(super) type Buckets<P> = BucketQueue<Priority<CostOf<P>>>;
