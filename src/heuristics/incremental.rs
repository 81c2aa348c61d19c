//! [`WithIncremental`]: a heuristic that is updated from step to step.

#![expect(clippy::inline_always, reason = "this is most of the inner loop of IDA*")]

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::cost::Cost;
use crate::debug::show_fields;
use crate::problem::{InPlaceProblem, SearchProblem, Successors, UnrolledSuccessors, Visit};

/// A heuristic that is cheaper to update than to compute.
///
/// It stores a [`Note`](Self::Note) with each state: for a sum of pattern databases, the value of each. A
/// step that affects one pattern then takes a single lookup. [`WithIncremental`] is the problem with this heuristic.
///
/// Implemented for references and [`Arc`]s, too.
///
/// # Example
///
/// A machine with three dials; a step turns one of them. The heuristic is a sum over the dials.
///
/// ```
/// use bestfirst::heuristics::{IncrementalHeuristic, WithIncremental};
/// use bestfirst::{IdaStar, InPlaceProblem, SearchProblem, Successors};
///
/// struct Dials;
///
/// impl SearchProblem for Dials {
///     type State = [u8; 3];
///     type Action = (usize, bool);
///     type Cost = u32;
/// #    fn successors(&self, state: &[u8; 3], next: &mut Successors<Self>) {
/// #        for action in self.actions(state) {
/// #            let mut successor = *state;
/// #            let (cost, _) = self.apply(&mut successor, &action);
/// #            next.push(action, successor, cost);
/// #        }
/// #    }
/// #    fn is_goal(&self, state: &[u8; 3]) -> bool {
/// #        *state == [0; 3]
/// #    }
///     // …
/// }
///
/// impl InPlaceProblem for Dials {
/// #    type Actions = std::array::IntoIter<(usize, bool), 6>;
/// #    type Undo = [u8; 3];
/// #    fn actions(&self, _: &[u8; 3]) -> Self::Actions {
/// #        [(0, false), (0, true), (1, false), (1, true), (2, false), (2, true)].into_iter()
/// #    }
/// #    fn apply(&self, state: &mut [u8; 3], &(dial, up): &(usize, bool)) -> (u32, [u8; 3]) {
/// #        let before = *state;
/// #        state[dial] = (state[dial] + if up { 1 } else { 99 }) % 100;
/// #        (1, before)
/// #    }
/// #    fn undo(&self, state: &mut [u8; 3], before: [u8; 3]) {
/// #        *state = before;
/// #    }
/// #    fn inverse(&self, _: &[u8; 3], &(dial, up): &(usize, bool)) -> Option<(usize, bool)> {
/// #        Some((dial, !up))
/// #    }
///     // …
/// }
///
/// /// A lower bound for each dial; in practice, lookups in databases.
/// struct Turns;
///
/// fn turns(dial: u8) -> u32 {
///     u32::from(dial.min(100 - dial))
/// }
///
/// impl IncrementalHeuristic<[u8; 3], (usize, bool)> for Turns {
///     type Note = [u32; 3];
///     type Cost = u32;
///
///     fn note(&self, dials: &[u8; 3]) -> [u32; 3] {
///         dials.map(turns)
///     }
///
///     fn update(&self, note: &mut [u32; 3], &(dial, _): &(usize, bool), after: &[u8; 3]) {
///         note[dial] = turns(after[dial]);
///     }
///
///     fn value(&self, note: &[u32; 3]) -> u32 {
///         note.iter().sum()
///     }
/// }
///
/// let informed = WithIncremental::new(&Dials, Turns);
/// let start = informed.state([3, 98, 1]);
/// let report = IdaStar::new(&informed).in_place().search(start).run()?;
/// assert_eq!((report.cost(), report.stats.expanded), (Some(6), 6));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub trait IncrementalHeuristic<S, A> {
    /// The data stored with a state. It must depend only on the state, not on the path to it.
    type Note: Clone;

    /// The cost of the problem.
    type Cost: Cost;

    /// Computes the note of a state.
    fn note(&self, state: &S) -> Self::Note;

    /// Updates the note of a state to that of `after`, its successor by `action`.
    fn update(&self, note: &mut Self::Note, action: &A, after: &S);

    /// Returns the heuristic value: a lower bound on the cost to a goal.
    fn value(&self, note: &Self::Note) -> Self::Cost;
}

macro_rules! through_pointers {
    ($($pointer:ty)*) => {$(
        impl<S, A, H: IncrementalHeuristic<S, A> + ?Sized> IncrementalHeuristic<S, A> for $pointer {
            type Note = H::Note;
            type Cost = H::Cost;

            #[inline]
            fn note(&self, state: &S) -> H::Note {
                (**self).note(state)
            }

            #[inline]
            fn update(&self, note: &mut H::Note, action: &A, after: &S) {
                (**self).update(note, action, after);
            }

            #[inline]
            fn value(&self, note: &H::Note) -> H::Cost {
                (**self).value(note)
            }
        }
    )*};
}

through_pointers! { &H Arc<H> }

/// A state with its note. Equality and hash are those of the state.
#[derive(Clone, Copy, Debug)]
pub struct Noted<S, N> {
    state: S,
    note: N,
}

impl<S, N> Noted<S, N> {
    /// Returns the state.
    #[inline]
    pub fn state(&self) -> &S {
        &self.state
    }

    /// Returns the note.
    #[inline]
    pub fn note(&self) -> &N {
        &self.note
    }

    /// Returns the state, by value.
    pub fn into_state(self) -> S {
        self.state
    }
}

impl<S: PartialEq, N> PartialEq for Noted<S, N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl<S: Eq, N> Eq for Noted<S, N> {}

impl<S: Hash, N> Hash for Noted<S, N> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
    }
}

/// The same problem with a heuristic that is updated from step to step.
///
/// Its states are those of the problem with their notes: [`state`](Self::state) creates one. It is an
/// [`InPlaceProblem`], for IDA* [in place](crate::IdaStar::in_place) and similar engines; if the successors of the
/// problem are [unrolled](InPlaceProblem::unrolled), so are those with notes. Engines with a table need
/// memory for the notes: for them, [`WithHeuristic`](crate::WithHeuristic) is usually better.
///
/// The heuristic must be admissible; see [`SearchProblem::heuristic`].
///
/// See [`IncrementalHeuristic`] for an example.
#[derive(Clone, Copy)]
pub struct WithIncremental<P, H> {
    problem: P,
    heuristic: H,
}

impl<P: InPlaceProblem, H: IncrementalHeuristic<P::State, P::Action>> WithIncremental<P, H> {
    /// Wraps `problem` (owned or borrowed); `heuristic` replaces its heuristic.
    #[must_use]
    pub fn new(problem: P, heuristic: H) -> Self {
        Self { problem, heuristic }
    }

    /// Returns a state of the problem with its note: for the start of a search.
    pub fn state(&self, state: P::State) -> Noted<P::State, H::Note> {
        Noted { note: self.heuristic.note(&state), state }
    }
}

impl<P, H> SearchProblem for WithIncremental<P, H>
where
    P: InPlaceProblem,
    H: IncrementalHeuristic<P::State, P::Action, Cost = P::Cost>,
{
    type State = Noted<P::State, H::Note>;
    type Action = P::Action;
    type Cost = P::Cost;

    fn successors(&self, state: &Self::State, next: &mut Successors<Self>) {
        for action in self.problem.actions(&state.state) {
            let mut successor = state.clone();
            let (cost, _) = self.problem.apply(&mut successor.state, &action);
            self.heuristic.update(&mut successor.note, &action, &successor.state);
            next.push(action, successor, cost);
        }
    }

    #[inline]
    fn heuristic(&self, state: &Self::State) -> P::Cost {
        self.heuristic.value(&state.note)
    }

    #[inline]
    fn is_goal(&self, state: &Self::State) -> bool {
        self.problem.is_goal(&state.state)
    }

    #[inline]
    fn prefetch(&self, state: &Self::State) {
        self.problem.prefetch(&state.state);
    }
}

impl<P, H> InPlaceProblem for WithIncremental<P, H>
where
    P: InPlaceProblem,
    H: IncrementalHeuristic<P::State, P::Action, Cost = P::Cost>,
{
    type Actions = P::Actions;
    type Undo = (P::Undo, H::Note);

    #[inline]
    fn actions(&self, state: &Self::State) -> P::Actions {
        self.problem.actions(&state.state)
    }

    #[inline]
    fn apply(&self, state: &mut Self::State, action: &P::Action) -> (P::Cost, Self::Undo) {
        let note = state.note.clone();
        let (cost, undo) = self.problem.apply(&mut state.state, action);
        self.heuristic.update(&mut state.note, action, &state.state);
        (cost, (undo, note))
    }

    #[inline]
    fn undo(&self, state: &mut Self::State, (undo, note): Self::Undo) {
        self.problem.undo(&mut state.state, undo);
        state.note = note;
    }

    #[inline]
    fn inverse(&self, state: &Self::State, action: &P::Action) -> Option<P::Action> {
        self.problem.inverse(&state.state, action)
    }

    #[inline(always)]
    // It only names the type.
    fn unrolled(&self) -> impl UnrolledSuccessors<Self::State, P::Action, P::Cost> {
        WithNotes { successors: self.problem.unrolled(), heuristic: &self.heuristic }
    }
}

/// Unrolled successors, with their notes.
struct WithNotes<'a, U, H> {
    successors: U,
    heuristic: &'a H,
}

impl<S, A, C, U, H> UnrolledSuccessors<Noted<S, H::Note>, A, C> for WithNotes<'_, U, H>
where
    U: UnrolledSuccessors<S, A, C>,
    H: IncrementalHeuristic<S, A>,
{
    const IS_WRITTEN_OUT: bool = U::IS_WRITTEN_OUT;

    #[inline(always)]
    fn visit_all<const FORWARDS: bool>(
        &self,
        state: &Noted<S, H::Note>,
        reached: Option<&A>,
        visit: &mut impl Visit<Noted<S, H::Note>, A, C>,
    ) -> ControlFlow<()> {
        let mut noting = Noting { visit, note: &state.note, heuristic: self.heuristic };
        self.successors.visit_all::<FORWARDS>(&state.state, reached, &mut noting)
    }
}

/// Adds notes to successors.
struct Noting<'a, V, N, H> {
    visit: &'a mut V,
    /// The note of the state whose successors are visited.
    note: &'a N,
    heuristic: &'a H,
}

impl<S, A, C, V, H> Visit<S, A, C> for Noting<'_, V, H::Note, H>
where
    V: Visit<Noted<S, H::Note>, A, C>,
    H: IncrementalHeuristic<S, A>,
{
    #[inline(always)]
    fn visit(&mut self, action: A, state: S, cost: C) -> ControlFlow<()> {
        let mut note = self.note.clone();
        self.heuristic.update(&mut note, &action, &state);
        self.visit.visit(action, Noted { state, note }, cost)
    }

    #[inline(always)]
    fn visit_known<N: UnrolledSuccessors<S, A, C>>(
        &mut self,
        next: N,
        action: A,
        state: S,
        cost: C,
    ) -> ControlFlow<()> {
        let mut note = self.note.clone();
        self.heuristic.update(&mut note, &action, &state);
        let next = WithNotes { successors: next, heuristic: self.heuristic };
        self.visit.visit_known(next, action, Noted { state, note }, cost)
    }
}

show_fields! { [P: fmt::Debug, H] WithIncremental<P, H>, "WithIncremental" { problem } }
