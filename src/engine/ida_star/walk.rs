//! How a depth-first engine looks at the successors of a state: [`InPlace`] or [`Buffered`].

use std::fmt;
use std::marker::PhantomData;
use std::mem::needs_drop;

use crate::in_place::InPlaceProblem;
use crate::problem::{SearchProblem, SuccessorBuffer, Successors};

/// Generates the successors of a state.
pub trait Walk<P: SearchProblem> {
    /// How a state was reached: what the walk needs to know so as not to go straight back.
    type Step: Clone;

    /// How a start was reached.
    fn no_step(&self) -> Self::Step;

    /// Shows every successor of `state` to `judge`, the last one first, with what the step to it
    /// costs; those for which it answers are handed to `keep`. Unless `shows_inverse`, the successor
    /// that leads straight back is left out: it is known by how `state` was reached and by the state
    /// `before` it.
    ///
    /// `state` may be changed meanwhile, and is afterwards as it was; where `holds_still`, it is
    /// never changed, and is shown to `judge` too.
    fn expand<T>(
        &mut self,
        problem: &P,
        state: &mut P::State,
        reached: (&Self::Step, Option<&P::State>),
        shows_inverse: bool,
        judge: impl FnMut(&P::State, P::Cost) -> Option<T>,
        keep: impl FnMut(P::State, Self::Step, T),
    );

    /// The bytes that it holds.
    fn bytes(&self) -> usize;
}

/// Applies actions to a state and undoes them.
pub struct InPlace<P> {
    problem: PhantomData<fn(&P)>,
}

impl<P> InPlace<P> {
    pub(super) fn new() -> Self {
        Self { problem: PhantomData }
    }
}

impl<P: InPlaceProblem> Walk<P> for InPlace<P> {
    type Step = Option<P::Action>;

    fn no_step(&self) -> Self::Step {
        None
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn expand<T>(
        &mut self,
        problem: &P,
        state: &mut P::State,
        (step, _): (&Self::Step, Option<&P::State>),
        shows_inverse: bool,
        mut judge: impl FnMut(&P::State, P::Cost) -> Option<T>,
        mut keep: impl FnMut(P::State, Self::Step, T),
    ) {
        // A state that fits in a few registers is sooner copied than changed and changed back.
        let copies = size_of::<P::State>() <= 64 && !needs_drop::<P::State>();
        let inverse = match step {
            Some(action) if !shows_inverse => problem.inverse(state, action),
            _ => None,
        };
        let mut actions = problem.actions(state);
        while let Some(action) = actions.next_back() {
            if inverse.as_ref() == Some(&action) {
                continue;
            }
            if copies {
                let mut successor = state.clone();
                let (cost, _) = problem.apply(&mut successor, &action);
                if let Some(judgement) = judge(&successor, cost) {
                    keep(successor, Some(action), judgement);
                }
            } else {
                let (cost, undo) = problem.apply(state, &action);
                if let Some(judgement) = judge(state, cost) {
                    keep(state.clone(), Some(action), judgement);
                }
                problem.undo(state, undo);
            }
        }
    }

    #[inline]
    fn bytes(&self) -> usize {
        0
    }
}

impl<P> Clone for InPlace<P> {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<P> fmt::Debug for InPlace<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InPlace")
    }
}

/// Has the problem push the successors into a buffer. States are moved, never copied.
pub struct Buffered<P: SearchProblem> {
    successors: Successors<P>,
}

impl<P: SearchProblem> Buffered<P> {
    pub(super) fn new() -> Self {
        Self { successors: SuccessorBuffer::new() }
    }
}

impl<P: SearchProblem> Walk<P> for Buffered<P> {
    type Step = ();

    fn no_step(&self) {}

    #[inline]
    fn expand<T>(
        &mut self,
        problem: &P,
        state: &mut P::State,
        ((), before): (&(), Option<&P::State>),
        shows_inverse: bool,
        mut judge: impl FnMut(&P::State, P::Cost) -> Option<T>,
        mut keep: impl FnMut(P::State, (), T),
    ) {
        self.successors.clear();
        problem.successors(state, &mut self.successors);
        while let Some(successor) = self.successors.pop() {
            if !shows_inverse && before == Some(&successor.state) {
                continue;
            }
            if let Some(judgement) = judge(&successor.state, successor.cost) {
                keep(successor.state, (), judgement);
            }
        }
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.successors.bytes()
    }
}

impl<P: SearchProblem> Clone for Buffered<P> {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<P: SearchProblem> fmt::Debug for Buffered<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Buffered")
    }
}
