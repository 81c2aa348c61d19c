//! [`AllOptimal`]: the builder of a search for all cheapest paths.

use super::{AllOptimalEngine, Listing, OptimalPaths};
use crate::Search;
use crate::engine::best_first::{Buckets, CostBuckets, Hashed, HashedCosts};
use crate::engine::builder::{frontier_settings, search_methods};
use crate::engine::{ByF, ByG, Order};
use crate::frontier::{BucketQueue, Frontier};
use crate::limits::Limits;
use crate::problem::SearchProblem;
use crate::report::SearchError;
use crate::table::{HashedTable, IdOf, TableFor};

/// All cheapest paths: their number, an iterator over them, and the states and steps on any of them.
///
/// - **Finds** the graph of all cheapest paths from the starts to the goals, for every admissible heuristic,
///   consistent or not. Parallel steps between two states give different paths. If a goal can be left
///   at no cost, paths lead through it to other goals, or back to it.
/// - **Counts** the paths exactly, up to [`u128::MAX`]. There are [infinitely many](crate::PathCount::Infinite) if a
///   cycle of cost zero is on one. [`simple`](Self::simple) excludes paths that visit a state twice.
/// - **Takes** the time of an A\* that expands all states with an *f* of at most the least cost. Then it expands all
///   expanded states once more (these count as expansions), and stores the steps that
///   reach states at their least cost: about 20 bytes for each, and 40 for each state on a cheapest path.
///   Limits hold for all of this.
///
/// Sums of floats are compared exactly: paths whose costs differ only by rounding do not count as equal.
///
/// # Example
///
/// ```
/// use bestfirst::{AllOptimal, FnProblem, PathCount};
///
/// // From one corner of a grid to the opposite one.
/// let grid = FnProblem::new(
///     |&(x, y): &(u32, u32)| [((x + 1, y), 1_u32), ((x, y + 1), 1)],
///     |&(x, y)| 10_u32.saturating_sub(x) + 10_u32.saturating_sub(y),
///     |&place| place == (10, 10),
/// );
/// let all = AllOptimal::new(&grid).search((0, 0)).find_all()?;
/// assert_eq!((all.cost(), all.count()), (Some(20), PathCount::Finite(184_756)));
/// assert_eq!((all.state_count(), all.step_count()), (121, 220));
/// assert!(all.contains(&(3, 9)) && !all.contains(&(11, 0)));
/// for path in all.paths().take(5) {
///     assert_eq!(path?.cost(), 20);
/// }
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct AllOptimal<P: SearchProblem, R = ByF, T = Hashed<P>, F = Buckets<P>, O = ()> {
    problem: P,
    order: Listing<R>,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A search for all cheapest paths of the problem `P`; created by [`AllOptimal::search`].
pub type AllOptimalSearch<P, R = ByF, T = Hashed<P>, F = Buckets<P>, O = ()> =
    Search<AllOptimalEngine<P, R, T, F>, O>;

impl<P: SearchProblem> AllOptimal<P> {
    /// Creates a builder for a search for all cheapest paths of `problem` (owned or borrowed), with a
    /// [`HashedTable`], a [`BucketQueue`], no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, Listing::new(ByF))
    }
}

impl<P: SearchProblem, R, T, F, O> AllOptimal<P, R, T, F, O> {
    /// Excludes paths that visit a state twice. Only cycles of cost zero make such paths cheapest.
    ///
    /// Without such cycles this changes nothing. With them, the paths are counted one by one, within the limits,
    /// because no faster method is known: there may be exponentially many. If you need only some of them, set a
    /// limit, or use [`KBest::simple`](crate::KBest::simple).
    pub fn simple(mut self) -> Self {
        self.order.is_simple = true;
        self
    }

    /// Counts paths through the same states as one path: of several cheapest steps from one state to another, only the
    /// first is taken. By default every sequence of actions is a path of its own.
    ///
    /// ```
    /// use bestfirst::{AllOptimal, FnProblem, PathCount};
    ///
    /// // Two steps from each number to the next.
    /// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32), (n + 1, 1)], |_: &u32| 0, |&n: &u32| n == 10);
    /// let by_steps = AllOptimal::new(&line).search(0).find_all()?;
    /// let by_states = AllOptimal::new(&line).by_states().search(0).find_all()?;
    /// assert_eq!((by_steps.count(), by_states.count()), (PathCount::Finite(1024), PathCount::Finite(1)));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn by_states(mut self) -> Self {
        self.order.is_by_states = true;
        self
    }

    /// Searches without the heuristic, as Dijkstra's algorithm does. This sets the table and the frontier.
    pub fn dijkstra(self) -> AllOptimal<P, ByG, HashedCosts<P>, CostBuckets<P>, O> {
        let Self { problem, order, limits, observer, .. } = self;
        let (order, table, frontier) =
            (order.with_order(ByG), HashedTable::default(), BucketQueue::new());
        AllOptimal { problem, order, table, frontier, limits, observer }
    }
}

frontier_settings!(
    AllOptimal<P, R>,
    order: Listing<R>,
    frontier: BucketQueue,
    record: EstimateRecord
);

search_methods!(
    AllOptimal<P, R, T, F; O> -> AllOptimalSearch { problem, order, table, frontier },
    where {
        P: SearchProblem,
        R: Order<P::Cost>,
        T: TableFor<P::State, P::Cost>,
        F: Frontier<IdOf<T, P::State>, R::Key>,
    },
    engine: |starts| AllOptimalEngine::new(problem, order, table, frontier, starts),
    search: "[`run`](crate::Search::run) reports one of the paths when all are found; \
        [`find_all`](AllOptimalSearch::find_all) returns them all."
);

/// Finds all cheapest paths from `start` to the goals, by [`AllOptimal`], without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative, NaN or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, PathCount, all_optimal};
///
/// // A chain of 100 diamonds.
/// let chain = FnProblem::new(
///     |&n: &u32| if n % 3 == 0 { vec![(n + 1, 1_u32), (n + 2, 1)] } else { vec![(n + 3 - n % 3, 1)] },
///     |_: &u32| 0,
///     |&n: &u32| n == 3 * 100,
/// );
/// let all = all_optimal(&chain, 0)?;
/// assert_eq!(all.count(), PathCount::Finite(1 << 100));
/// assert_eq!(all.paths().next().unwrap()?.cost(), 200);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn all_optimal<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<OptimalPaths<&P>, SearchError<P::Cost>> {
    AllOptimal::new(problem).search(start).find_all()
}
