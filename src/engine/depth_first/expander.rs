//! [`Expander`]: how an engine generates the successors of a state.

use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::engine::checked::heuristic_value;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::{SearchProblem, Successor, UnrolledSuccessors};

/// How the successors of a state are generated: [`Buffered`](super::Buffered) or [`InPlace`](super::InPlace).
///
/// This trait is sealed: it cannot be implemented outside of this crate.
pub trait Expander<P: SearchProblem>: sealed::Expand<P> {}

impl<P: SearchProblem, W: sealed::Expand<P>> Expander<P> for W {}

pub(in crate::engine) use sealed::Expand;

mod sealed {
    use super::{
        Ahead, Budget, ControlFlow, Descend, Memory, OutOfMemory, SearchProblem, Successor,
        SuccessorFilter, UnrolledSuccessors, heuristic_value,
    };

    /// Generates the successors of a state.
    pub trait Expand<P: SearchProblem> {
        /// How a state was reached: what is needed to leave out the successor that leads straight back.
        type Step: Clone;

        /// Whether it is [`Buffered`](crate::engine::depth_first::Buffered), so that the driver can generate the successors
        /// itself, ahead of time.
        const IS_BUFFERED: bool = false;

        /// How a start was reached.
        fn no_step(&self) -> Self::Step;

        /// Passes every successor of `state`, in reverse order, to [`SuccessorFilter::test`] with the
        /// cost of the step, and those that pass the test to [`SuccessorFilter::keep`]. Unless
        /// `includes_inverse`, the successor that leads straight back is left out; it is recognised by
        /// how `state` was reached and by its parent on the path.
        ///
        /// `state` may change during the call and is restored before it returns.
        fn expand(
            &mut self,
            problem: &P,
            state: &mut P::State,
            reached: (&Self::Step, Option<&P::State>),
            includes_inverse: bool,
            filter: &mut impl SuccessorFilter<P, Self::Step>,
        );

        /// Like [`expand`](Self::expand), for a state that must not change. The successor that leads
        /// straight back is included.
        fn expand_shared(
            &mut self,
            problem: &P,
            state: &P::State,
            filter: &mut impl SuccessorFilter<P, Self::Step>,
        ) {
            let step = self.no_step();
            self.expand(problem, &mut state.clone(), (&step, None), true, filter);
        }

        /// Whether a search can be a recursion by [`expand_forwards`](Self::expand_forwards).
        const RECURSES: bool = false;

        /// How a state was reached, in the form in which a recursion knows it: by this step, or from this
        /// state.
        type Reached<'s>
        where
            P: 's;

        /// The same of a state on the stack, whose parent is `before`.
        fn reached<'s>(step: &Self::Step, before: Option<&'s P::State>) -> Self::Reached<'s>
        where
            P: 's;

        /// Passes every successor of `state`, the first one first, to [`Descend::visit`], except the one
        /// that leads straight back, until that breaks: then the search ends early.
        fn expand_forwards(
            problem: &P,
            state: &mut P::State,
            reached: &Self::Reached<'_>,
            descend: &mut impl Descend<P, Self>,
        ) -> ControlFlow<()>
        where
            Self: Sized,
        {
            let _ = (problem, state, reached, descend);
            ControlFlow::Continue(())
        }

        /// The same of a state whose successors `known` has written out.
        fn expand_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
            known: &N,
            state: &P::State,
            reached: &Self::Reached<'_>,
            descend: &mut impl Descend<P, Self>,
        ) -> ControlFlow<()>
        where
            Self: Sized,
        {
            let _ = (known, state, reached, descend);
            ControlFlow::Continue(())
        }

        /// The checked heuristic value of a state whose successors `known` has written out; an error is the value
        /// that is not a number.
        #[inline]
        fn heuristic_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
            problem: &P,
            known: &N,
            state: &P::State,
        ) -> Result<P::Cost, P::Cost> {
            let _ = known;
            heuristic_value(problem, state)
        }

        /// A recursion goes no more states deep than this.
        const MOST_DEPTH: u32 = u32::MAX;

        /// Whether a recursion has the memory that it needs here.
        #[inline]
        fn has_room_to_recurse(&self) -> bool {
            true
        }

        /// Makes room for that.
        fn make_room_to_recurse(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
            let _ = memory;
            Ok(())
        }

        /// The bytes that it holds.
        fn bytes(&self) -> usize {
            0
        }

        /// Counts these, of which `counted` are in the account. Where there is no room for them, they are freed.
        fn count(&mut self, counted: &mut usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
            let _ = (counted, memory);
            Ok(())
        }

        /// Frees them if they are more than that, as after a panic of the problem.
        fn keep_within(&mut self, bytes: usize) {
            let _ = bytes;
        }

        /// Whether it makes successors and their heuristic values ahead of time. Where it does not, nothing
        /// of what follows is called.
        const LOOKS_AHEAD: bool = false;

        /// Makes what comes of the states that are probably expanded next, at most `most`, each with the
        /// index of its id. What was made before is forgotten.
        fn look_ahead(
            &mut self,
            problem: &P,
            states: impl Iterator<Item = (usize, P::State)>,
            most: usize,
            budget: &mut Budget<P::Cost>,
        ) {
            let _ = (problem, states, most, budget);
        }

        /// What is known of the state with that index, and of none before it in the look ahead from then on.
        fn find_ahead(&mut self, index: usize) -> Ahead {
            let _ = index;
            Ahead::Unknown
        }

        /// Exchanges two empty lists for the successors of the state that was found last, the first one
        /// first, and their heuristic values as far as they are made.
        fn swap_ahead(
            &mut self,
            successors: &mut Vec<Successor<P::State, (), P::Cost>>,
            values: &mut Vec<Option<Result<P::Cost, P::Cost>>>,
        ) {
            let _ = (successors, values);
        }

        /// Forgets what it has made: ids or the problem change.
        fn forget_ahead(&mut self) {}

        /// The same, and frees the memory. Returns whether there was any.
        fn free_ahead(&mut self, memory: &mut Memory) -> bool {
            let _ = memory;
            false
        }
    }
}

/// What is known of a state from a look ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Its successors are made.
    Made,
    /// There was no time or memory for it.
    Left,
    /// It was not looked ahead to.
    Unknown,
}

/// Searches below one successor after the other.
pub trait Descend<P: SearchProblem, W: sealed::Expand<P>> {
    /// What generates the successors.
    fn expander(&mut self) -> &mut W;

    /// Searches below a successor that is reached by a step of this cost, and breaks if the search ended
    /// early. The state is what it was when it returns.
    fn visit(
        &mut self,
        state: &mut P::State,
        reached: W::Reached<'_>,
        cost: P::Cost,
    ) -> ControlFlow<()>;

    /// The same for a state that is a copy.
    fn visit_copy(
        &mut self,
        mut state: P::State,
        reached: W::Reached<'_>,
        cost: P::Cost,
    ) -> ControlFlow<()> {
        self.visit(&mut state, reached, cost)
    }

    /// The same for a copy whose successors `next` has written out.
    fn visit_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
        &mut self,
        next: N,
        state: P::State,
        reached: W::Reached<'_>,
        cost: P::Cost,
    ) -> ControlFlow<()> {
        let _ = next;
        self.visit_copy(state, reached, cost)
    }
}

/// Decides which successors are kept.
pub trait SuccessorFilter<P: SearchProblem, S> {
    /// What the test finds out about a successor that is kept.
    type Evaluation;

    /// Tests a successor that is reached by a step of this cost. `None` rejects it.
    fn test(&mut self, state: &P::State, cost: P::Cost) -> Option<Self::Evaluation>;

    /// Keeps a successor that passed the test.
    fn keep(&mut self, state: P::State, step: S, evaluation: Self::Evaluation);
}
