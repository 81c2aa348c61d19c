//! Rectangle search: a beam that grows wider and deeper at the same time, and expands no layer anew.

use super::builder::incumbent_builder;
use super::depths::{ASPECT, Depths};
use super::{ByArrival, IncumbentEngine, Pruning};
use crate::Search;
use crate::engine::best_first::{CostOf, Hashed};
use crate::engine::depth_first::{Buffered, Expander, InPlace};
use crate::engine::relaxation::Id;
use crate::limits::Limits;
use crate::problem::{InPlaceProblem, SearchProblem};
use crate::report::{ReportOf, SearchError};
use crate::table::TableFor;

/// Rectangle search: keeps the open states of every depth apart. In each round it expands one more state
/// of every depth that it has come to, the one with the smallest *f = g + h*, among equals with the
/// smallest *h*; and then as many states as there were rounds at each of the next [depths](Self::aspect). So it
/// expands what beam searches of growing width expand, but nothing twice.
///
/// - **Finds** a first solution soon, then better ones, and a cheapest path when it ends, for every
///   heuristic that never overestimates, consistent or not. (An [`Observer`](crate::Observer) is called
///   for each.) States whose *f* is no less than the cost of the best solution so far (the incumbent) are
///   pruned.
/// - **Lower bound**: the smallest *f* of the open states. Nothing is left out.
/// - **Stops**: the report of a search that was stopped has the best path so far, if there is one.
/// - **Takes** one operation on a heap per generated state, and memory for all states that it generates and
///   does not prune: [`Beam`](crate::Beam) keeps those of one pass only.
///
/// Source: Lemons, Ruml, Holte and Linares López, *Rectangle Search: An Anytime Beam Search*, 2024.
///
/// # Example
///
/// ```
/// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
/// use bestfirst::{Limits, Rectangle};
///
/// let puzzle = SlidingTiles::<Packed>::new(4, 4)?;
/// let board: Board = "14 13 15 7  11 12 9 5  6 0 2 1  4 8 10 3".parse()?;
/// let start = puzzle.state(&board)?;
/// let limits = Limits::new().expansions(50_000);
/// let report = Rectangle::new(&puzzle).limits(limits).search(start).run()?;
/// assert!(report.incumbent.is_some());
/// assert!(report.lower_bound <= 57); // the optimum
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Rectangle<P: SearchProblem, W = Buffered<P>, T = Hashed<P>, O = ()> {
    problem: P,
    /// The aspect.
    ranking: usize,
    expander: W,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    table: T,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A rectangle search of the problem `P`: what [`Rectangle::search`] makes.
pub type RectangleSearch<P, W = Buffered<P>, T = Hashed<P>, O = ()> =
    Search<IncumbentEngine<P, Depths<CostOf<P>, Id<P, T>>, W, T>, O>;

impl<P: SearchProblem> Rectangle<P> {
    /// Creates a builder for a rectangle search of `problem` (owned or borrowed) with an aspect of 500, a
    /// [`HashedTable`](crate::table::HashedTable), no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, ASPECT)
    }
}

impl<P: SearchProblem, W, T, O> Rectangle<P, W, T, O> {
    /// Comes to `depths` new depths in each round (0 counts as 1). With few, the search grows wide before it
    /// comes to solutions of many steps; with as many as a solution has steps, it finds one in the first
    /// round. The default, 500, was best on most problems of the publication.
    pub fn aspect(mut self, depths: usize) -> Self {
        self.ranking = depths.max(1);
        self
    }
}

incumbent_builder!(
    Rectangle<P>,
    ranking: usize,
    open_list: Depths<P::Cost, Id<P, T>>, by Depths::new,
    search: RectangleSearch
);

/// Finds a cheapest path from `start` to a goal by [`Rectangle`] search, without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, rectangle};
///
/// let stairs = FnProblem::new(
///     |&n: &u32| [(n + 1, 3_u32), (n + 2, 5), (n + 5, 11)],
///     |&n: &u32| if n > 19 { u32::MAX } else { 19 - n },
///     |&n: &u32| n == 19,
/// );
/// assert_eq!(rectangle(&stairs, 0)?.cost(), Some(43)); // 5 + 5 + 5 + 2 + 2
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn rectangle<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    Rectangle::new(problem).search(start).run_once()
}
