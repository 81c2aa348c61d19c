//! Best-first search: A*, weighted A*, greedy search, Dijkstra's algorithm, and the engines that improve on a
//! first solution: anytime A*, focal search, bounded-cost search.
//!
//! - `order`: the [`Order`] of expansion.
//! - `astar`, `dijkstra`, `greedy`, `anytime`, `focal`, `bounded_cost`: the builders, and the orders that only one
//!   of them uses; `builder`: the macro of their builders; `costs_only`: records without parents.

mod anytime;
mod astar;
mod bounded_cost;
pub(super) mod builder;
mod costs_only;
mod dijkstra;
mod focal;
mod greedy;
mod order;
mod reached;

pub use anytime::{AnytimeAStar, AnytimeAStarSearch, ByFallingWeight, anytime_astar};
pub use astar::{AStar, AStarSearch, astar, solve};
pub use bounded_cost::{BoundedCost, BoundedCostSearch, ByPotential, bounded_cost};
pub use dijkstra::{Dijkstra, DijkstraSearch, dijkstra, dijkstra_all, solve_all};
pub use focal::{ByTurns, Focal, FocalSearch, focal};
pub use greedy::{Greedy, GreedySearch, greedy};
pub use order::{ByF, ByG, ByH, ByKey, ByWeightedF, Order};
pub use reached::{Reached, Settled};

use super::driver::Driver;
use super::policy::{BestFirst, Improving};
use crate::cost::Cost;
use crate::engine::parts::With;
use crate::engine::search::run_engine_once;
use crate::frontier::{BucketQueue, Frontier, LazyHeap, Priority, Single};
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};
use crate::table::{CostRecord, EstimateRecord, HashedTable, IdOf, TableFor};

/// The engine of best-first search in the order `R`: what [`AStar`], [`Dijkstra`] and
/// [`Greedy`] build. The first goal that is taken out of the frontier is the answer.
///
/// In the order of *f* it is optimal for every heuristic that never overestimates. In any other order it
/// ends with the first goal that is expanded. The lower bound is the least *f* of the open states.
pub type BestFirstEngine<P, R, T, F> =
    Driver<With<P, R, T, F>, BestFirst<IdOf<T, <P as SearchProblem>::State>, CostOf<P>>>;

/// The engine of best-first search that goes on from a first solution to better ones in the order `R`: what
/// [`AnytimeAStar`], [`Focal`] and [`BoundedCost`] build. It
/// looks for goals among the states that are generated, and prunes by the best solution so far.
pub type ImprovingEngine<P, R, T, F> =
    Driver<With<P, R, T, F>, Improving<IdOf<T, <P as SearchProblem>::State>, CostOf<P>>>;

/// The cost type of a problem.
pub(super) type CostOf<P> = <P as SearchProblem>::Cost;

/// The default table of engines with a heuristic.
pub(super) type Hashed<P, I = u32> =
    HashedTable<<P as SearchProblem>::State, EstimateRecord<CostOf<P>, I>>;

/// The default table of Dijkstra's algorithm.
pub(super) type HashedCosts<P> = HashedTable<<P as SearchProblem>::State, CostRecord<CostOf<P>>>;

/// The default frontier of Dijkstra's algorithm.
pub(super) type CostBuckets<P> = BucketQueue<Single<CostOf<P>>>;

/// The default frontier of orders whose keys fall and rise again, where buckets would be sorted time and again.
pub(super) type PriorityHeap<P, T = Hashed<P>> =
    LazyHeap<Priority<CostOf<P>>, IdOf<T, <P as SearchProblem>::State>>;

/// The default frontier of engines with a heuristic.
pub(super) type Buckets<P> = BucketQueue<Priority<CostOf<P>>>;

/// Searches in this order from one start, once and without limits, with the default table and frontier: without a builder,
/// whose parts a program would move and drop.
fn first_goal<P, R, T, F>(
    problem: P,
    order: R,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost> + Default,
    F: Frontier<IdOf<T, P::State>, R::Key> + Default,
{
    let starts = vec![(start, P::Cost::ZERO)];
    let parts = (problem, order, BestFirst::default());
    let engine: BestFirstEngine<P, R, T, F> =
        Driver::new(parts, T::default(), F::default(), starts);
    run_engine_once(engine)
}
