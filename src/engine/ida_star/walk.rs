//! How a depth-first engine looks at the successors of a state: [`InPlace`] or [`Buffered`].

use std::fmt;
use std::marker::PhantomData;
use std::mem::needs_drop;

use crate::problem::{InPlaceProblem, Visit};
use crate::problem::{SearchProblem, SuccessorBuffer, Successors};

/// Generates the successors of a state.
pub trait Walk<P: SearchProblem> {
    /// How a state was reached: what the walk needs to know so as not to go straight back.
    type Step: Clone;

    /// How a start was reached.
    fn no_step(&self) -> Self::Step;

    /// Shows every successor of `state` to `judge`, the last one first, with what the step to it
    /// costs; hands it those that it wants to keep. Unless `shows_inverse`, the successor that leads
    /// straight back is left out: it is known by how `state` was reached and by the state `before` it.
    ///
    /// `state` may be changed meanwhile, and is afterwards as it was.
    fn expand(
        &mut self,
        problem: &P,
        state: &mut P::State,
        reached: (&Self::Step, Option<&P::State>),
        shows_inverse: bool,
        judge: &mut impl Judge<P, Self::Step>,
    );

    /// The same, of a state that may not be changed, and with the successor that leads straight back.
    fn expand_shared(
        &mut self,
        problem: &P,
        state: &P::State,
        judge: &mut impl Judge<P, Self::Step>,
    ) {
        let step = self.no_step();
        self.expand(problem, &mut state.clone(), (&step, None), true, judge);
    }

    /// The bytes that it holds.
    fn bytes(&self) -> usize;
}

/// Decides which successors are kept.
pub trait Judge<P: SearchProblem, S> {
    /// What is found out about a successor that is kept.
    type Finding;

    /// Looks at a successor behind a step of that cost.
    fn judge(&mut self, state: &P::State, cost: P::Cost) -> Option<Self::Finding>;

    /// Keeps it.
    fn keep(&mut self, state: P::State, step: S, finding: Self::Finding);
}

/// Applies actions to a state and undoes them.
pub struct InPlace<P> {
    problem: PhantomData<fn(&P)>,
}

impl<P> InPlace<P> {
    pub(in crate::engine) fn new() -> Self {
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
    fn expand(
        &mut self,
        problem: &P,
        state: &mut P::State,
        (step, _): (&Self::Step, Option<&P::State>),
        shows_inverse: bool,
        judge: &mut impl Judge<P, Self::Step>,
    ) {
        let reached = step.as_ref().filter(|_| !shows_inverse);
        // A state that fits in a few registers is sooner copied than changed and changed back.
        if size_of::<P::State>() <= 64 && !needs_drop::<P::State>() {
            let mut copies = Copies { judge, problem: PhantomData::<fn(&P)> };
            problem.visit_successors_backwards(state, reached, &mut copies);
        } else {
            let inverse = reached.and_then(|action| problem.inverse(state, action));
            let mut actions = problem.actions(state);
            while let Some(action) = actions.next_back() {
                if inverse.as_ref() == Some(&action) {
                    continue;
                }
                let (cost, undo) = problem.apply(state, &action);
                if let Some(finding) = judge.judge(state, cost) {
                    judge.keep(state.clone(), Some(action), finding);
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

/// Judges successors that are copies.
struct Copies<'a, P, J> {
    judge: &'a mut J,
    problem: PhantomData<fn(&P)>,
}

impl<P, J> Visit<P::State, P::Action, P::Cost> for Copies<'_, P, J>
where
    P: InPlaceProblem,
    J: Judge<P, Option<P::Action>>,
{
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn visit(&mut self, action: P::Action, successor: P::State, cost: P::Cost) {
        if let Some(finding) = self.judge.judge(&successor, cost) {
            self.judge.keep(successor, Some(action), finding);
        }
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
    pub(in crate::engine) fn new() -> Self {
        Self { successors: SuccessorBuffer::new() }
    }
}

impl<P: SearchProblem> Walk<P> for Buffered<P> {
    type Step = ();

    fn no_step(&self) {}

    #[inline]
    fn expand(
        &mut self,
        problem: &P,
        state: &mut P::State,
        ((), before): (&(), Option<&P::State>),
        shows_inverse: bool,
        judge: &mut impl Judge<P, ()>,
    ) {
        self.show(problem, state, before.filter(|_| !shows_inverse), judge);
    }

    #[inline]
    fn expand_shared(&mut self, problem: &P, state: &P::State, judge: &mut impl Judge<P, ()>) {
        self.show(problem, state, None, judge);
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.successors.bytes()
    }
}

impl<P: SearchProblem> Buffered<P> {
    /// Shows every successor but `left_out`.
    #[inline]
    fn show(
        &mut self,
        problem: &P,
        state: &P::State,
        left_out: Option<&P::State>,
        judge: &mut impl Judge<P, ()>,
    ) {
        self.successors.clear();
        problem.successors(state, &mut self.successors);
        while let Some(successor) = self.successors.pop() {
            if left_out == Some(&successor.state) {
                continue;
            }
            if let Some(finding) = judge.judge(&successor.state, successor.cost) {
                judge.keep(successor.state, (), finding);
            }
        }
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
