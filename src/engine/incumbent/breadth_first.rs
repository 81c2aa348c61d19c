//! Breadth-first search, layer by layer: each layer is one step deeper than the one before.

use std::mem;

use rustc_hash::FxBuildHasher;

use super::builder::incumbent_builder;
use super::{ByArrival, IncumbentEngine, OpenList, Pruning, open_list};
use crate::Search;
use crate::cost::{Cost, smaller};
use crate::debug::show_fields;
use crate::engine::best_first::CostOf;
use crate::engine::depth_first::{Buffered, Expander, InPlace};
use crate::engine::relaxation::Id;
use crate::frontier::{Frontier, Single};
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::{InPlaceProblem, SearchProblem};
use crate::report::{ReportOf, SearchError};
use crate::table::{Early, EstimateRecord, HashedTable, StateId, TableFor};

/// Breadth-first search by layers: all states that are one step away, then all that are two steps away,
/// and so on. A state is expanded at most once in a layer, and pruned if its *g + h* is no less than the
/// cost of the best solution so far (the incumbent).
///
/// - **Finds** a cheapest path, for every heuristic that never overestimates, consistent or not: a state
///   that is reached at a lower cost in a later layer is expanded again there. Its *first* solution has
///   the fewest steps, and at the end of that layer the incumbent is a cheapest one with that number of
///   steps. (An [`Observer`](crate::Observer) is called for each.) Then it continues, through paths of more
///   steps, until no open state could lead to a cheaper one.
/// - **Ends at once** when the cost of the first solution proves that there is no better one: with steps
///   that all cost 1, if the heuristic is at least 1 for every state that is not a goal, as with
///   [`EqualSteps`](crate::EqualSteps). Without a heuristic it first expands the rest of the layer before
///   the goal, and stores nothing of it.
/// - **Stops**: the report of a search that was stopped has the best path so far, if there is one, and the
///   smallest *g + h* of the open states as the lower bound.
/// - **Takes** memory for all states that it generates and does not prune, and one table lookup for each
///   edge: where steps cost the same, 0.9 to 1.2 times the time of Dijkstra's algorithm (measured on eight problems). The
///   function [`bfs`](crate::bfs), which has no limits, is faster. Where steps do not cost the same, a state is expanded again
///   when a path of more steps costs less, at most once a layer.
///
/// For the fewest steps, whatever they cost, search [`EqualSteps`](crate::EqualSteps) of the problem.
///
/// The layers in the report are those of the search, each with the smallest *g + h* in it; layers in
/// which that is no larger than before count to the one before.
///
/// Source: Moore, *The Shortest Path Through a Maze*, 1959; with a bound on the cost, Zhou and Hansen,
/// *Breadth-First Heuristic Search*, 2006.
///
/// # Example
///
/// ```
/// use bestfirst::{BreadthFirst, FnProblem};
///
/// // Three steps of cost 1 and one of cost 9 lead to the same state.
/// let problem = FnProblem::new(
///     |&n: &u8| if n == 0 { vec![(3, 9_u32), (1, 1)] } else { vec![(n + 1, 1)] },
///     |_: &u8| 0,
///     |&n: &u8| n == 3,
/// );
/// #[derive(Default)]
/// struct Solutions(Vec<u32>);
/// impl bestfirst::Observer<u8, u32> for Solutions {
///     fn incumbent(&mut self, cost: u32, _bound: u32) {
///         self.0.push(cost);
///     }
/// }
/// let mut solutions = Solutions::default();
/// let report = BreadthFirst::new(&problem).observer(&mut solutions).search(0).run()?;
/// assert_eq!(solutions.0, [9, 3]); // the fewest steps first, then a lower cost
/// assert!(report.is_optimal());
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "bfs")]
#[derive(Clone, Debug)]
#[must_use]
pub struct BreadthFirst<P: SearchProblem, W = Buffered<P>, T = HashedEarly<P>, O = ()> {
    problem: P,
    ranking: (),
    expander: W,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    table: T,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A breadth-first search of the problem `P`: what [`BreadthFirst::search`] makes.
pub type BreadthFirstSearch<P, W = Buffered<P>, T = HashedEarly<P>, O = ()> =
    Search<IncumbentEngine<P, Layers<CostOf<P>, Id<P, T>>, W, T>, O>;

/// The default table. Most of the time is spent with looking for states in it.
type HashedEarly<P> =
    HashedTable<<P as SearchProblem>::State, EstimateRecord<CostOf<P>>, FxBuildHasher, Early>;

impl<P: SearchProblem> BreadthFirst<P> {
    /// Creates a builder for a breadth-first search of `problem` (owned or borrowed), with a
    /// [`HashedTable`], no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, ())
    }
}

incumbent_builder!(
    BreadthFirst<P>,
    ranking: (),
    open_list: Layers<P::Cost, Id<P, T>>, by |()| Layers::new(),
    search: BreadthFirstSearch
);

/// Finds a cheapest path from `start` to a goal by [`BreadthFirst`] search, without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, breadth_first};
///
/// let knight = FnProblem::new(
///     |&(x, y): &(i32, i32)| {
///         [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
///             .map(|(dx, dy)| ((x + dx, y + dy), 1_u32))
///     },
///     |&place| u32::from(place != (0, 0)),
///     |&place| place == (0, 0),
/// );
/// assert_eq!(breadth_first(&knight, (7, 8))?.cost(), Some(5));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "bfs")]
pub fn breadth_first<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    BreadthFirst::new(problem).search(start).run_once()
}

/// The open states in the order of breadth-first search: the layer that is being expanded, and the next
/// one.
pub struct Layers<C, I = u32> {
    /// Each with its f.
    layer: Vec<(I, C)>,
    /// How many of the layer were popped.
    popped: usize,
    pub(super) next: Vec<(I, C)>,
    /// How many of the next layer were there when it was arranged last.
    arranged: usize,
}

impl<C, I> Layers<C, I> {
    pub(super) fn new() -> Self {
        Self { layer: Vec::new(), popped: 0, next: Vec::new(), arranged: 0 }
    }
}

impl<C: Cost, I: StateId> Frontier<I, Single<C>> for Layers<C, I> {
    #[inline]
    fn push(
        &mut self,
        id: I,
        Single(f): Single<C>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.next, 1)?;
        self.next.push((id, f));
        Ok(())
    }

    #[inline]
    fn pop(&mut self, _: &mut Memory) -> Result<Option<(I, Single<C>)>, OutOfMemory> {
        let entry = self.layer.get(self.popped).copied();
        self.popped += usize::from(entry.is_some());
        Ok(entry.map(|(id, f)| (id, Single(f))))
    }

    fn least(&mut self, _: &mut Memory) -> Result<Option<Single<C>>, OutOfMemory> {
        let mut least = None;
        self.for_each(|_, Single(f)| least = Some(least.map_or(f, |least| smaller(least, f))));
        Ok(least.map(Single))
    }

    fn for_each(&self, mut visit: impl FnMut(I, Single<C>)) {
        let entries = self.layer[self.popped..].iter().chain(&self.next);
        entries.for_each(|&(id, f)| visit(id, Single(f)));
    }

    fn retain(&mut self, mut keep: impl FnMut(I, Single<C>) -> bool) {
        self.layer.drain(..self.popped);
        self.popped = 0;
        self.layer.retain(|&(id, f)| keep(id, Single(f)));
        self.arranged = open_list::retain(&mut self.next, self.arranged, keep);
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        self.layer.get(self.popped + ahead).map(|&(id, _)| id)
    }

    fn len(&self) -> usize {
        self.layer.len() - self.popped + self.next.len()
    }

    fn clear(&mut self) {
        self.layer.clear();
        self.next.clear();
        (self.popped, self.arranged) = (0, 0);
    }
}

impl<C, I> open_list::sealed::Sealed for Layers<C, I> {}

impl<P: SearchProblem, T: TableFor<P::State, P::Cost>> OpenList<P, T>
    for Layers<P::Cost, Id<P, T>>
{
    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.next, additional)
    }

    #[inline]
    fn new_entries(&self) -> &[(Id<P, T>, P::Cost)] {
        &self.next[self.arranged..]
    }

    #[inline]
    fn arrange(&mut self, _: &T) {
        self.arranged = self.next.len();
    }

    #[cold]
    fn next_layer(&mut self, _: &T, _: Option<P::Cost>) -> Option<P::Cost> {
        self.layer.clear();
        (self.popped, self.arranged) = (0, 0);
        mem::swap(&mut self.layer, &mut self.next);
        self.layer.iter().map(|&(_, f)| f).reduce(smaller)
    }
}

show_fields! {
    [C, I] Layers<C, I>,
    "Layers" (this) { layer = (this.layer.len() - this.popped), next = this.next.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FnProblem;

    /// The methods that need a problem, with any problem.
    fn check<P: SearchProblem<State = u8, Cost = u32>>(_: &P) {
        type Known = HashedTable<u8, EstimateRecord<u32>>;
        fn next_layer<P: SearchProblem<State = u8, Cost = u32>>(
            layers: &mut Layers<u32>,
        ) -> Option<u32> {
            OpenList::<P, Known>::next_layer(layers, &Known::default(), None)
        }
        let mut memory = Memory::new(usize::MAX);
        let mut layers: Layers<u32> = Layers::new();
        let table = Known::default();
        let new = |layers: &Layers<u32>| OpenList::<P, Known>::new_entries(layers).to_vec();
        for (id, f) in [(1, 9), (2, 8)] {
            layers.push(id, Single(f), &mut memory).unwrap();
        }
        assert_eq!(new(&layers), [(1, 9), (2, 8)]);
        OpenList::<P, Known>::arrange(&mut layers, &table);
        assert_eq!(new(&layers), []);
        // Nothing is popped before its layer is begun.
        assert_eq!(layers.len(), 2);
        assert_eq!(layers.pop(&mut memory), Ok(None));
        assert_eq!(next_layer::<P>(&mut layers), Some(8));
        assert_eq!(layers.pop(&mut memory), Ok(Some((1, Single(9)))));
        for id in 3..8 {
            layers.push(id, Single(20), &mut memory).unwrap();
        }
        assert_eq!((layers.len(), new(&layers).len()), (6, 5));
        assert_eq!(layers.least(&mut memory), Ok(Some(Single(8))));
        assert_eq!(format!("{layers:?}"), "Layers { layer: 1, next: 5, .. }");
        layers.retain(|id, _| id > 3);
        assert_eq!(format!("{layers:?}"), "Layers { layer: 0, next: 4, .. }");
        layers.clear();
        assert_eq!((layers.len(), layers.pop(&mut memory)), (0, Ok(None)));
        assert_eq!(next_layer::<P>(&mut layers), None);
    }

    #[test]
    fn layers_return_what_they_hold() {
        check(&FnProblem::new(|_: &u8| [(0, 1_u32)], |_: &u8| 0, |_: &u8| false));
    }
}
