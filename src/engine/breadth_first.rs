//! Breadth-first search: layer after layer, where a layer is one step deeper than the last.

use std::fmt;
use std::mem;

use super::bounded::{Agenda, Bounded};
use crate::cost::{Cost, smaller};
use crate::frontier::Frontier;
use crate::limits::{Memory, OutOfMemory};
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};
use crate::table::{StateId, Table};

/// Breadth-first search by layers: all states that are one step away, then all that are two steps away,
/// and so on. Equal states of a layer are one; whatever cannot lead to a better solution, as its *g + h*
/// is no less than the cost of the best so far, is dropped.
///
/// - **Finds** a cheapest path, for every heuristic that never overestimates, consistent or not: a state
///   that is reached at a lower cost in a later layer is expanded again there. It comes to its *first*
///   solution in the layer of the fewest steps, and with the end of that layer has one that costs no
///   more than any with so few. (An [`Observer`](crate::Observer) is told of each; a way of more steps is
///   taken where it costs less.) Then it goes on until nothing is left that could be cheaper.
/// - **Ends at once** when the first solution shows by its cost that there is no better one: with steps
///   that all cost 1, if the heuristic says of every state that is no goal that 1 or more is left, as
///   [`EqualSteps`](crate::EqualSteps) does. Without a heuristic it first goes through the rest of the
///   layer before the goal, of which it stores nothing any more.
/// - **Stopped** before its end, it gives the best path so far, if it has one, and as the lower bound the
///   smallest *g + h* that is still open.
/// - **Takes** memory for all states that it generates and does not drop, and time for a table lookup an
///   edge: where steps cost the same, it is the fastest engine there is for what it looks at. Where they
///   do not, states are expanded again whenever a way of more steps costs less, at most once a layer.
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
/// // Three steps of 1 and one of 9 lead to the same place.
/// let problem = FnProblem::new(
///     |&n: &u8| if n == 0 { vec![(3, 9_u32), (1, 1)] } else { vec![(n + 1, 1)] },
///     |_: &u8| 0,
///     |&n: &u8| n == 3,
/// );
/// #[derive(Default)]
/// struct Solutions(Vec<u32>);
/// impl bestfirst::Observer<u8, u32> for Solutions {
///     fn incumbent(&mut self, cost: u32) {
///         self.0.push(cost);
///     }
/// }
/// let mut solutions = Solutions::default();
/// let report = BreadthFirst::new(&problem).observer(&mut solutions).search(0).run()?;
/// assert_eq!(solutions.0, [9, 3]); // the fewest steps first, then fewer costs
/// assert!(report.is_optimal());
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BreadthFirst;

impl BreadthFirst {
    /// Begins to put a search of `problem`, or of what it refers to, together.
    #[expect(clippy::new_ret_no_self, reason = "engines under an incumbent share one builder")]
    pub fn new<P: SearchProblem>(problem: P) -> Bounded<P, Layers<P::Cost>> {
        Bounded::new(problem, Layers::new())
    }
}

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
pub fn breadth_first<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    BreadthFirst::new(problem).search(start).run()
}

/// The open states in the order of breadth-first search: a layer that is being expanded, and the one
/// that comes of it.
pub struct Layers<C> {
    /// Each with its f.
    layer: Vec<(StateId, C)>,
    /// How many of the layer were given out.
    taken: usize,
    next: Vec<(StateId, C)>,
    /// How many of the next layer were there when it was arranged last.
    arranged: usize,
}

impl<C> Layers<C> {
    fn new() -> Self {
        Self { layer: Vec::new(), taken: 0, next: Vec::new(), arranged: 0 }
    }
}

impl<C: Cost> Frontier<C> for Layers<C> {
    #[inline]
    fn push(&mut self, id: StateId, f: C, _h: C, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.next, 1)?;
        self.next.push((id, f));
        Ok(())
    }

    #[inline]
    fn pop(&mut self, _: &mut Memory) -> Result<Option<(StateId, C)>, OutOfMemory> {
        let entry = self.layer.get(self.taken).copied();
        self.taken += usize::from(entry.is_some());
        Ok(entry)
    }

    #[inline]
    fn coming(&self, ahead: usize) -> Option<StateId> {
        self.layer.get(self.taken + ahead).map(|&(id, _)| id)
    }

    fn len(&self) -> usize {
        self.layer.len() - self.taken + self.next.len()
    }

    fn clear(&mut self) {
        self.layer.clear();
        self.next.clear();
        (self.taken, self.arranged) = (0, 0);
    }
}

impl<P: SearchProblem> Agenda<P> for Layers<P::Cost> {
    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.next, additional)
    }

    #[inline]
    fn fresh(&self) -> &[(StateId, P::Cost)] {
        &self.next[self.arranged..]
    }

    #[inline]
    fn arrange<T: Table<P>>(&mut self, _: &P, _: &T) {
        self.arranged = self.next.len();
    }

    #[cold]
    fn next_layer(&mut self) -> Option<P::Cost> {
        self.layer.clear();
        (self.taken, self.arranged) = (0, 0);
        mem::swap(&mut self.layer, &mut self.next);
        self.layer.iter().map(|&(_, f)| f).reduce(smaller)
    }

    fn entries(&self) -> impl Iterator<Item = (StateId, P::Cost)> {
        self.layer[self.taken..].iter().chain(&self.next).copied()
    }
}

impl<C> Clone for Layers<C> {
    /// Empty, as searches begin.
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<C> fmt::Debug for Layers<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layers")
            .field("layer", &(self.layer.len() - self.taken))
            .field("next", &self.next.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FnProblem;
    use crate::table::HashedTable;

    /// What of the agenda does not depend on the problem, by way of one problem.
    fn with_problem<P: SearchProblem<State = u8, Cost = u32>>(problem: &P) {
        let mut memory = Memory::new(usize::MAX);
        let mut layers: Layers<u32> = Layers::new();
        let table = HashedTable::<u8, u32>::default();
        let fresh = |layers: &Layers<u32>| Agenda::<P>::fresh(layers).to_vec();
        for (id, f) in [(1, 9), (2, 8)] {
            layers.push(id, f, 0, &mut memory).unwrap();
        }
        assert_eq!(fresh(&layers), [(1, 9), (2, 8)]);
        Agenda::<P>::arrange(&mut layers, problem, &table);
        assert_eq!(fresh(&layers), []);
        // Nothing comes out before its layer is begun.
        assert_eq!(layers.len(), 2);
        assert_eq!(layers.pop(&mut memory), Ok(None));
        assert_eq!(Agenda::<P>::next_layer(&mut layers), Some(8));
        assert_eq!(layers.pop(&mut memory), Ok(Some((1, 9))));
        for id in 3..8 {
            layers.push(id, 20, 0, &mut memory).unwrap();
        }
        assert_eq!(layers.len(), 6);
        assert_eq!(fresh(&layers).len(), 5);
        assert_eq!(Agenda::<P>::entries(&layers).count(), 6);
        assert_eq!(format!("{layers:?}"), "Layers { layer: 1, next: 5, .. }");
        layers.clear();
        assert_eq!(layers.len(), 0);
        assert_eq!(layers.pop(&mut memory), Ok(None));
        assert_eq!(Agenda::<P>::next_layer(&mut layers), None);
    }

    #[test]
    fn layers_know_what_they_hold() {
        with_problem(&FnProblem::new(|_: &u8| [(0, 1_u32)], |_: &u8| 0, |_: &u8| false));
    }
}
