//! A*: best-first search with a heuristic.

use std::hash::Hash;

use super::BestFirst;
use crate::cost::Cost;
use crate::problem::{FnProblem, SearchProblem};
use crate::report::{Report, ReportOf, SearchError};

/// A*: expands the state with the smallest *f = g + h* next, among equals the one with the larger
/// *g*.
///
/// - **Finds** a cheapest path, for every heuristic that never overestimates, consistent or not:
///   closed states are opened again when a cheaper way to them is found.
/// - **Takes** time for one heap or bucket operation an edge, and memory for every state that it
///   generates. A heuristic that is not consistent can make it expand states many times.
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
/// let path = report.path().expect("there is a way");
/// path.verify(&problem).expect("and it is one");
/// assert!(report.is_optimal());
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AStar;

impl AStar {
    /// Begins to put a search of `problem`, or of what it refers to, together.
    #[expect(clippy::new_ret_no_self, reason = "all best-first engines share one builder")]
    pub fn new<P: SearchProblem>(problem: P) -> BestFirst<P> {
        BestFirst::new(problem)
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
///     |&n: &u32| [(n + 1, 1_u32), (n * n, 5)],
///     |&n: &u32| u32::from(n != 100),
///     |&n: &u32| n == 100,
/// );
/// assert_eq!(astar(&to_100, 2)?.cost(), Some(12)); // 3, squared, 10, squared
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn astar<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    AStar::new(problem).search(start).run()
}

/// A*, for people in a hurry: a start and three closures. The first gives the successors of a state
/// as `(state, cost)` pairs.
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
pub fn solve<S, C, I>(
    start: S,
    successors: impl Fn(&S) -> I,
    heuristic: impl Fn(&S) -> C,
    goal: impl Fn(&S) -> bool,
) -> Result<Report<S, (), C>, SearchError<C>>
where
    S: Clone + Eq + Hash,
    C: Cost,
    I: IntoIterator<Item = (S, C)>,
{
    astar(&FnProblem::new(successors, heuristic, goal), start)
}
