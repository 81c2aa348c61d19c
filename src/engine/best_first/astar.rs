//! A*: best-first search with a heuristic.

use std::hash::Hash;

use super::builder::best_first_builder;
use super::{BestFirstEngine, Buckets, ByF, ByWeightedF, Hashed, Order, PriorityHeap, first_goal};
use crate::Search;
use crate::cost::Cost;
use crate::cost::ScalableCost;
#[cfg(feature = "parallel")]
use crate::engine::Sharded;
use crate::engine::builder::threads_need_feature;
use crate::frontier::{BucketQueue, LazyHeap};
use crate::limits::Limits;
use crate::problem::{FnProblem, SearchProblem};
use crate::report::{Report, ReportOf, SearchError};
#[cfg(feature = "parallel")]
use crate::table::{HashedTable, Record};
use crate::table::{StateId, TableFor};

/// A*: expands the state with the smallest *f = g + h* next, among equals the one with the larger
/// *g*.
///
/// - **Finds** a cheapest path, for every heuristic that never overestimates, consistent or not:
///   closed states are reopened when a cheaper path to them is found.
/// - **Takes** one frontier operation for each edge, and memory for every state that it generates. A heuristic that is not consistent can make it expand states many times.
///
/// Source: Hart, Nilsson and Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost
/// Paths*, 1968.
///
/// # Example
///
/// ```
/// use bestfirst::frontier::LazyHeap;
/// use bestfirst::{AStar, FnProblem, Limits};
///
/// let problem = FnProblem::new(
///     |&n: &u64| [(n + 7, 2_u32), (n * 2, 3)],
///     |&n: &u64| u32::from(n < 1000),
///     |&n: &u64| n >= 1000 && n % 10 == 3,
/// );
/// let report = AStar::new(&problem)
///     .limits(Limits::new().expansions(1_000_000).memory(1 << 30))
///     .frontier(LazyHeap::new())
///     .search(1)
///     .run()?;
/// let path = report.path().expect("there is a path");
/// path.verify(&problem).expect("and it is one");
/// assert!(report.is_optimal());
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
///
/// # Weights
///
/// [`weight`](Self::weight) makes it weighted A*: mostly fewer expansions, and a path of at most `weight`
/// times the least cost.
#[doc(alias = "shortest path")]
#[derive(Clone, Debug)]
#[must_use]
pub struct AStar<P: SearchProblem, R = ByF, T = Hashed<P>, F = Buckets<P>, O = ()> {
    pub(super) problem: P,
    pub(super) order: R,
    pub(super) table: T,
    pub(super) frontier: F,
    pub(super) limits: Limits<P::Cost>,
    pub(super) observer: O,
}

/// An A* search of the problem `P`: what [`AStar::search`] makes.
pub type AStarSearch<P, R = ByF, T = Hashed<P>, F = Buckets<P>, O = ()> =
    Search<BestFirstEngine<P, R, T, F>, O>;

impl<P: SearchProblem> AStar<P> {
    /// Creates a builder for an A* search of `problem` (owned or borrowed), with a [`HashedTable`](crate::table::HashedTable), a
    /// [`BucketQueue`] that [sorts large layers](BucketQueue::sorting_large_layers), no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self { frontier: BucketQueue::sorting_large_layers(), ..Self::of(problem, ByF) }
    }
}

// Only where no other frontier was chosen: both set it.
impl<P: SearchProblem, R, T, K, I: StateId, O> AStar<P, R, T, BucketQueue<K, I>, O> {
    /// Weighted A*: expands the state with the smallest *g + w·h* next.
    ///
    /// - **Finds** a path of at most `weight` times the least cost (of the least cost itself, if `weight`
    ///   is at most 1), for every heuristic that never overestimates, consistent or not.
    /// - **Proves** more than that: [`Report::suboptimality`](crate::Report::suboptimality) is the cost
    ///   divided by the least *f* of the states that are still open, and mostly far less than `weight`.
    ///
    /// This sets the frontier to a [`LazyHeap`]: keys of this order fall and rise again, and a [`BucketQueue`] would
    /// sort its layers anew each time. For another one, call [`frontier`](Self::frontier) after `weight`: before it,
    /// `weight` is not available.
    ///
    /// For integers, *w·h* is rounded down. A weight that is negative or not finite is a
    /// [`SearchError::Weight`] of the search.
    ///
    /// Source: Pohl, *Heuristic Search Viewed as Path Finding in a Graph*, 1970.
    ///
    /// ```
    /// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
    /// use bestfirst::AStar;
    ///
    /// let puzzle = SlidingTiles::<Packed>::new(4, 4)?;
    /// let board: Board = "0 1 9 7  11 13 5 3  14 12 4 2  8 6 10 15".parse()?;
    /// let start = puzzle.state(&board)?;
    /// let exact = AStar::new(&puzzle).search(start).run()?;
    /// let weighted = AStar::new(&puzzle).weight(2.0).search(start).run()?;
    /// let factor = weighted.suboptimality().expect("a path is found");
    /// assert!(factor <= 2.0 && weighted.cost() <= Some(84));
    /// assert!(weighted.stats.expanded < exact.stats.expanded / 10);
    /// assert_eq!(exact.cost(), Some(42));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn weight(self, weight: f64) -> AStar<P, ByWeightedF, T, PriorityHeap<P, T>, O>
    where
        P::Cost: ScalableCost,
        T: TableFor<P::State, P::Cost>,
    {
        let Self { problem, table, limits, observer, .. } = self;
        let order = ByWeightedF::new(weight);
        AStar { problem, order, table, frontier: LazyHeap::new(), limits, observer }
    }

    /// Expands states in this [`Order`] instead of that of *f*. This sets the frontier to a [`BucketQueue`] of the keys
    /// of that order. For another one, call [`frontier`](Self::frontier) after `order`: before it, `order` is not available.
    pub fn order<N: Order<P::Cost>>(self, order: N) -> AStar<P, N, T, BucketQueue<N::Key>, O> {
        let Self { problem, table, limits, observer, .. } = self;
        AStar { problem, order, table, frontier: BucketQueue::new(), limits, observer }
    }
}

best_first_builder!(
    AStar<P, R>,
    order: R,
    frontier: BucketQueue,
    record: EstimateRecord,
    search: AStarSearch
);

threads_need_feature!(AStar<P, R, T, F, O>);

#[cfg(feature = "parallel")]
impl<P, R, A, B, F, O> AStar<P, R, HashedTable<P::State, A, B>, F, O>
where
    P: SearchProblem,
    A: Record<Cost = P::Cost>,
{
    /// Searches on `count` threads, one of them the calling thread. 0 stands for the number of processors; more than
    /// 16 are of no use. (Feature `parallel`.) Call it after [`weight`](Self::weight), [`order`](Self::order) and
    /// [`hasher`](Self::hasher). Tables that are [dense](Self::dense), and [costs only](Self::costs_only), are not possible.
    ///
    /// Every state belongs to one of 16 shards, by its hash; each shard has a table and an open list of its own, copies
    /// of those given here, which must be empty. The search goes in rounds: in each, a shard takes in the states that
    /// were sent to it in the last one, and then expands the best of its open states, at most 128, whose successors it
    /// sends to their owners. The threads take the next shard that is left. Where a layer (a value of *f*) has enough
    /// states for all, a round goes no further than that; else it spans several.
    ///
    /// - **Finds** what the search without threads finds: a cheapest path, or one within the
    ///   [weight](Self::weight). Among several cheapest paths it may be another.
    /// - **The report is the same**, bit for bit, on any number of threads, also at a limit (but for those on the time and
    ///   the token). It is not that of the search without threads: states are expanded in another order, so the
    ///   last layer may have more expansions. (15-puzzle, 4.4 million expansions: 0.9 % more; up to a quarter more
    ///   where there are some ten thousand.) A search with a heuristic that is not consistent may reopen more states.
    /// - **Takes** about 150 kB before the first expansion; then as much memory for a state as without threads, and
    ///   successors under way. The limit on memory is shared: a shard that needs more than its part gets what all others
    ///   left.
    /// - **Limits** on expansions are exact. A search that was stopped goes on where each shard was. While fewer
    ///   expansions are left than a round has, one thread works; so slices of less than 2048 expansions
    ///   ([`run_for`](crate::Search::run_for)) do not gain by threads.
    /// - **Panics** of the problem end the work of the other threads and reach the caller.
    /// - **An observer** is called on the calling thread after each round, shard by shard: with every expansion and all its
    ///   successors, in the same order on any number of threads.
    ///
    /// Rounds that take less than 20 microseconds stay on the calling thread. Between rounds the other threads
    /// busy-wait for some microseconds, unless there are fewer processors than threads, and then sleep. If the system
    /// cannot start any, the calling thread works alone.
    ///
    /// It pays where states are far apart in memory and there are many: puzzles. Where a
    /// [dense](Self::dense) table is possible, one thread with it is faster.
    ///
    /// Source: shards by hash are those of Evett, Hendler, Mahanti and Nau, *PRA\*: Massively Parallel Heuristic Search*,
    /// 1995; without rounds, Kishimoto, Fukunaga and Botea, *Evaluation of a Simple, Scalable, Parallel Best-First
    /// Search Strategy*, 2013.
    ///
    /// ```
    /// use bestfirst::AStar;
    /// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
    ///
    /// let puzzle = SlidingTiles::<Packed>::new(4, 4)?;
    /// let board: Board = "0 1 9 7  11 13 5 3  14 12 4 2  8 6 10 15".parse()?;
    /// let start = puzzle.state(&board)?;
    /// let one = AStar::new(&puzzle).threads(1).search(start).run()?;
    /// let two = AStar::new(&puzzle).threads(2).search(start).run()?;
    /// assert!(two.is_optimal() && two.cost() == Some(42));
    /// assert_eq!(two, one);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn threads(self, count: usize) -> Sharded<P, R, HashedTable<P::State, A, B>, F, O> {
        let Self { problem, order, table, frontier, limits, observer } = self;
        Sharded { problem, order, table, frontier, threads: count, limits, observer }
    }
}

/// Finds a cheapest path from `start` to a goal by [`AStar`], without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, astar};
///
/// let to_100 = FnProblem::new(
///     |&n: &u32| [(n + 1, 1_u32), (n * n, 5)].into_iter().filter(|&(n, _)| n <= 100),
///     |&n: &u32| u32::from(n != 100),
///     |&n: &u32| n == 100,
/// );
/// assert_eq!(astar(&to_100, 2)?.cost(), Some(12)); // 3, squared, 10, squared
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "shortest path")]
pub fn astar<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    first_goal::<_, _, Hashed<&P>, Buckets<&P>>(problem, ByF, start)
}

/// Finds a cheapest path by A*, given a start and three closures: the successors of a state as
/// `(state, cost)` pairs, the heuristic, and whether a state is a goal.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// let report = bestfirst::solve(
///     (0_i32, 0_i32),
///     |&(x, y)| [((x + 1, y), 1_u32), ((x - 1, y), 1), ((x, y + 1), 1), ((x, y - 1), 1)],
///     |&(x, y)| x.abs_diff(3) + y.abs_diff(4),
///     |&place| place == (3, 4),
/// )?;
/// assert_eq!(report.cost(), Some(7));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "shortest path")]
pub fn solve<S, C, I>(
    start: S,
    successors: impl Fn(&S) -> I,
    heuristic: impl Fn(&S) -> C,
    goal: impl Fn(&S) -> bool,
) -> Result<Report<S, (), C>, SearchError<C>>
where
    S: Clone + Eq + Hash,
    C: Cost,
    // The compiler shows this line where another type is returned.
    I: IntoIterator<Item = (S, C)>, // `S` is the type of the start: give it by value, not as `&start`
{
    astar(&FnProblem::new(successors, heuristic, goal), start)
}
