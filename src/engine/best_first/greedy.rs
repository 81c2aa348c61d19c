//! Greedy best-first search: the state that looks closest to a goal is expanded next.

use super::builder::best_first_builder;
use super::{BestFirstEngine, Buckets, ByH, Hashed};
use crate::Search;
use crate::limits::Limits;
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};

/// Greedy best-first search: expands the state with the smallest *h* next, among equals the one with the
/// smallest *g*.
///
/// - **Finds** some path, usually after far fewer expansions than A*. Its cost can be any multiple of the
///   optimum; [`Report::suboptimality`](crate::Report::suboptimality) says what is proved of it, if the
///   heuristic never overestimates.
/// - **Takes** one frontier operation for each edge, and memory for every state that it generates. A state to which a cheaper path is found is expanded again.
///
/// For a bound on the cost that is chosen beforehand, use [`AStar::weight`](crate::AStar::weight).
///
/// Source: Doran and Michie, *Experiments with the Graph Traverser Program*, 1966.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, Greedy};
///
/// // A wall stands between the start and the goal, with a gap far to the side.
/// let is_free = |x: i32, y: i32| (0..30).contains(&x) && (0..30).contains(&y) && (x != 15 || y == 25);
/// let grid = FnProblem::new(
///     |&(x, y): &(i32, i32)| {
///         [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
///             .into_iter()
///             .filter(move |&(x, y)| is_free(x, y))
///             .map(|place| (place, 1_u32))
///     },
///     |&(x, y)| x.abs_diff(29) + y.abs_diff(5),
///     |&place| place == (29, 5),
/// );
/// let report = Greedy::new(&grid).search((0, 5)).run()?;
/// let factor = report.suboptimality().expect("a path is found");
/// assert!(report.cost() >= Some(69) && factor >= 1.0);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Greedy<P: SearchProblem, T = Hashed<P>, F = Buckets<P>, O = ()> {
    problem: P,
    order: ByH,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A greedy best-first search of the problem `P`: what [`Greedy::search`] makes.
pub type GreedySearch<P, T = Hashed<P>, F = Buckets<P>, O = ()> =
    Search<BestFirstEngine<P, ByH, T, F>, O>;

impl<P: SearchProblem> Greedy<P> {
    /// Creates a builder for a greedy best-first search of `problem` (owned or borrowed), with a
    /// [`HashedTable`](crate::table::HashedTable), a [`BucketQueue`](crate::frontier::BucketQueue), no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, ByH)
    }
}

best_first_builder!(
    Greedy<P>,
    order: ByH,
    frontier: BucketQueue,
    record: EstimateRecord,
    search: GreedySearch
);

/// Finds some path from `start` to a goal by [`Greedy`] best-first search, without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, greedy};
///
/// let to_100 = FnProblem::new(
///     |&n: &u32| [(n + 1, 1_u32), (n * n, 5)].into_iter().filter(|&(n, _)| n <= 100),
///     |&n: &u32| n.abs_diff(100),
///     |&n: &u32| n == 100,
/// );
/// let report = greedy(&to_100, 2)?;
/// assert_eq!(report.cost(), Some(94)); // 2, 3, 4, squared, and one by one from there; 12 is possible
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn greedy<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    Greedy::new(problem).search(start).run_once()
}
