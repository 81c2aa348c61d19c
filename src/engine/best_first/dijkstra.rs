//! Dijkstra's algorithm: best-first search without a heuristic, to a goal or to everywhere.

use std::hash::Hash;

use super::builder::best_first_builder;
use super::{BestFirstEngine, ByG, CostBuckets, HashedCosts, Reached, first_goal};
use crate::Search;
use crate::cost::Cost;
#[cfg(feature = "parallel")]
use crate::engine::Sharded;
use crate::engine::builder::threads_need_feature;
use crate::limits::Limits;
use crate::problem::{FnProblem, SearchProblem};
use crate::report::{ReportOf, SearchError};
#[cfg(feature = "parallel")]
use crate::table::{HashedTable, Record};

/// Dijkstra's algorithm: expands the state with the smallest *g* next. It never uses the heuristic.
///
/// - **Finds** a cheapest path to a goal ([`run`](crate::Search::run)), or to every state that can be
///   reached ([`reach_all`](DijkstraSearch::reach_all)), or yields states in the order of their cost,
///   as many as you ask for ([`settled`](DijkstraSearch::settled)).
/// - **Takes** one frontier operation for each edge, and memory for every state that it generates: the
///   state, its cost and its parent.
/// - **Stops**: without a heuristic, the report has no state that is closest to a goal. Use
///   [`closest_by`](crate::Search::closest_by), which takes a key of your own.
///
/// Source: Dijkstra, *A note on two problems in connexion with graphs*, 1959.
#[doc(alias = "ucs")]
#[doc(alias = "uniform cost")]
#[doc(alias = "shortest path")]
#[derive(Clone, Debug)]
#[must_use]
pub struct Dijkstra<P: SearchProblem, T = HashedCosts<P>, F = CostBuckets<P>, O = ()> {
    pub(super) problem: P,
    pub(super) order: ByG,
    pub(super) table: T,
    pub(super) frontier: F,
    pub(super) limits: Limits<P::Cost>,
    pub(super) observer: O,
}

/// A search of the problem `P` by Dijkstra's algorithm: what [`Dijkstra::search`] makes.
pub type DijkstraSearch<P, T = HashedCosts<P>, F = CostBuckets<P>, O = ()> =
    Search<BestFirstEngine<P, ByG, T, F>, O>;

impl<P: SearchProblem> Dijkstra<P> {
    /// Creates a builder for a search of `problem` (owned or borrowed) by Dijkstra's algorithm, with a
    /// [`HashedTable`](crate::table::HashedTable), a [`BucketQueue`](crate::frontier::BucketQueue), no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, ByG)
    }
}

best_first_builder!(
    Dijkstra<P>,
    order: ByG,
    frontier: BucketQueue,
    record: CostRecord,
    search: DijkstraSearch
);

threads_need_feature!(Dijkstra<P, T, F, O>);

#[cfg(feature = "parallel")]
impl<P, A, B, F, O> Dijkstra<P, HashedTable<P::State, A, B>, F, O>
where
    P: SearchProblem,
    A: Record<Cost = P::Cost>,
{
    /// Searches on `count` threads, one of them the calling thread. 0 stands for the number of processors. (Feature
    /// `parallel`.)
    ///
    /// The report is the same, bit for bit, on any number of threads; for how it works and what it takes see
    /// [`AStar::threads`](crate::AStar::threads). Goals are searched for: to reach all states, wrap the problem in
    /// [`IgnoreGoal`](crate::IgnoreGoal). Where a [dense](Self::dense) table is possible, one thread with it is faster.
    ///
    /// ```
    /// use bestfirst::{Dijkstra, FnProblem};
    ///
    /// let problem = FnProblem::new(|&n: &u64| [(n + 7, 2_u32), (n * 2, 3)], |_: &u64| 0, |&n: &u64| n == 1003);
    /// let report = Dijkstra::new(&problem).threads(2).search(1).run()?;
    /// assert_eq!(report.cost(), Dijkstra::new(&problem).search(1).run()?.cost());
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn threads(self, count: usize) -> Sharded<P, ByG, HashedTable<P::State, A, B>, F, O> {
        let Self { problem, order, table, frontier, limits, observer } = self;
        Sharded { problem, order, table, frontier, threads: count, limits, observer }
    }
}

/// Finds a cheapest path from `start` to a goal by [`Dijkstra`]'s algorithm, without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, Outcome, dijkstra};
///
/// let doubling = FnProblem::new(
///     |&n: &u8| (n < 100).then(|| (n * 2, 1_u32)),
///     |_: &u8| 0,
///     |&n: &u8| n == 96,
/// );
/// assert_eq!(dijkstra(&doubling, 3)?.cost(), Some(5));
/// assert_eq!(dijkstra(&doubling, 5)?.outcome, Outcome::Exhausted);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "ucs")]
#[doc(alias = "uniform cost")]
#[doc(alias = "shortest path")]
pub fn dijkstra<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    first_goal::<_, _, HashedCosts<&P>, CostBuckets<&P>>(problem, ByG, start)
}

/// Finds the cheapest paths from `start` to every state that can be reached. The goals of the problem
/// do not matter. If there are infinitely many states, use [`settled`](DijkstraSearch::settled), or set
/// a limit. For successors that are a closure, [`solve_all`] is shorter.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, dijkstra_all};
///
/// let ring = FnProblem::new(
///     |&n: &u32| [((n + 1) % 10, 1_u32), ((n + 9) % 10, 2)],
///     |_: &u32| 0,
///     |_: &u32| false,
/// );
/// let reached = dijkstra_all(&ring, 0)?;
/// assert_eq!(reached.len(), 10);
/// assert_eq!(reached.cost_of(&6), Some(6));
/// assert_eq!(reached.cost_of(&7), Some(6));
/// assert_eq!(reached.path_to(&7)?.unwrap().states(), [0, 9, 8, 7]);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "flow field")]
#[doc(alias = "shortest path")]
pub fn dijkstra_all<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<Reached<&P>, SearchError<P::Cost>> {
    Dijkstra::new(problem).search(start).reach_all()
}

/// Finds the cheapest paths from `start` to every state that can be reached, by [`Dijkstra`]'s algorithm, given the successors of a state
/// as `(state, cost)` pairs: [`dijkstra_all`] for a closure.
///
/// It takes one frontier operation for each step, and memory for every state: the state, its cost and its parent. If all steps cost
/// the same, [`bfs_all`](crate::bfs_all) takes less time. If there are infinitely many states, leave those out that
/// are too far away, or use [`settled`](DijkstraSearch::settled).
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type. Where the system has no memory left,
/// [`stopped`](Reached::stopped) says so; the states that were settled before have their final costs.
///
/// # Example
///
/// ```
/// let roads = [[(1, 7_u32), (2, 2)], [(0, 7), (2, 3)], [(0, 2), (1, 3)]];
/// let reached = bestfirst::solve_all(0, |&town: &usize| roads[town])?;
/// assert_eq!((reached.len(), reached.cost_of(&1)), (3, Some(5)));
/// assert_eq!(reached.path_to(&1)?.unwrap().states(), [0, 2, 1]);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "shortest path")]
pub fn solve_all<S, C, I>(
    start: S,
    successors: impl Fn(&S) -> I,
) -> Result<Reached<impl SearchProblem<State = S, Action = (), Cost = C>>, SearchError<C>>
where
    S: Clone + Eq + Hash,
    C: Cost,
    // The compiler shows this line where another type is returned.
    I: IntoIterator<Item = (S, C)>, // `S` is the type of the start: give it by value, not as `&start`
{
    let problem = FnProblem::new(successors, |_: &S| C::ZERO, |_: &S| false);
    Dijkstra::new(problem).search(start).reach_all()
}
