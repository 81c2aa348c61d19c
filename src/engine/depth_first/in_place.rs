//! [`InPlace`]: successors by actions that are applied and undone.

#![expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]

use std::fmt;
use std::marker::PhantomData;
use std::mem::needs_drop;
use std::ops::ControlFlow;

use super::expander::{Descend, Expand, SuccessorFilter};
use crate::engine::checked::{heuristic_value, not_negative};
use crate::problem::{InPlaceProblem, UnrolledSuccessors, Visit};

/// Generates successors by applying actions to one state and undoing them.
///
/// Only successors that are kept are copied; states of at most 64 bytes with nothing to drop are copied
/// instead of changed, which is faster. Selected by [`IdaStar::in_place`](super::IdaStar::in_place).
pub struct InPlace<P> {
    problem: PhantomData<fn(&P)>,
}

impl<P> InPlace<P> {
    pub(in crate::engine) fn new() -> Self {
        Self { problem: PhantomData }
    }
}

impl<P: InPlaceProblem> Expand<P> for InPlace<P> {
    type Step = Option<P::Action>;

    fn no_step(&self) -> Self::Step {
        None
    }

    #[inline(always)]
    fn expand(
        &mut self,
        problem: &P,
        state: &mut P::State,
        (step, _): (&Self::Step, Option<&P::State>),
        includes_inverse: bool,
        filter: &mut impl SuccessorFilter<P, Self::Step>,
    ) {
        let reached = step.as_ref().filter(|_| !includes_inverse);
        backwards(problem, &problem.unrolled(), state, reached, filter);
    }

    const RECURSES: bool = true;

    type Reached<'s>
        = Self::Step
    where
        P: 's;

    #[inline]
    fn reached<'s>(step: &Self::Step, _before: Option<&'s P::State>) -> Self::Reached<'s>
    where
        P: 's,
    {
        step.clone()
    }

    #[inline(always)]
    fn expand_forwards(
        problem: &P,
        state: &mut P::State,
        step: &Self::Step,
        descend: &mut impl Descend<P, Self>,
    ) -> ControlFlow<()> {
        forwards(problem, &problem.unrolled(), state, step.as_ref(), descend)
    }

    #[inline(always)]
    fn expand_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
        known: &N,
        state: &P::State,
        step: &Self::Step,
        descend: &mut impl Descend<P, Self>,
    ) -> ControlFlow<()> {
        let mut below = Below { descend, problem: PhantomData::<fn(&P)> };
        known.visit_all::<true>(state, step.as_ref(), &mut below)
    }

    #[inline(always)]
    fn heuristic_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
        problem: &P,
        known: &N,
        state: &P::State,
    ) -> Result<P::Cost, P::Cost> {
        match problem.unrolled_heuristic(known) {
            Some(h) => not_negative(h),
            None => heuristic_value(problem, state),
        }
    }
}

/// Whether states are copied: one that fits into a few registers is cheaper to copy than to change by an action and its undo.
///
/// (Asked in `const` blocks, so that what is not taken is not compiled, also without optimisation.)
const fn is_copied<S>() -> bool {
    size_of::<S>() <= 64 && !needs_drop::<S>()
}

/// [`Expand::expand`], with a name for the type of the unrolled successors, which constants ask.
#[inline(always)]
fn backwards<P: InPlaceProblem, U: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
    problem: &P,
    unrolled: &U,
    state: &mut P::State,
    reached: Option<&P::Action>,
    filter: &mut impl SuccessorFilter<P, Option<P::Action>>,
) {
    if const { U::IS_WRITTEN_OUT && is_copied::<P::State>() } {
        let mut copies = Copies { filter, problem: PhantomData::<fn(&P)> };
        // It wants all of them.
        let _ = unrolled.visit_all::<false>(state, reached, &mut copies);
        return;
    }
    let inverse = reached.and_then(|action| problem.inverse(state, action));
    let mut actions = problem.actions(state);
    while let Some(action) = actions.next_back() {
        if inverse.as_ref() == Some(&action) {
            continue;
        }
        if const { is_copied::<P::State>() } {
            let mut successor = state.clone();
            let (cost, _) = problem.apply(&mut successor, &action);
            if let Some(evaluation) = filter.test(&successor, cost) {
                filter.keep(successor, Some(action), evaluation);
            }
        } else {
            let (cost, undo) = problem.apply(state, &action);
            if let Some(evaluation) = filter.test(state, cost) {
                filter.keep(state.clone(), Some(action), evaluation);
            }
            problem.undo(state, undo);
        }
    }
}

/// [`Expand::expand_forwards`], likewise.
#[inline(always)]
fn forwards<P: InPlaceProblem, U: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
    problem: &P,
    unrolled: &U,
    state: &mut P::State,
    reached: Option<&P::Action>,
    descend: &mut impl Descend<P, InPlace<P>>,
) -> ControlFlow<()> {
    if const { U::IS_WRITTEN_OUT && is_copied::<P::State>() } {
        let mut below = Below { descend, problem: PhantomData::<fn(&P)> };
        return unrolled.visit_all::<true>(state, reached, &mut below);
    }
    let inverse = reached.and_then(|action| problem.inverse(state, action));
    for action in problem.actions(state) {
        if inverse.as_ref() == Some(&action) {
            continue;
        }
        if const { is_copied::<P::State>() } {
            let mut successor = state.clone();
            let (cost, _) = problem.apply(&mut successor, &action);
            descend.visit_copy(successor, Some(action), cost)?;
        } else {
            let (cost, undo) = problem.apply(state, &action);
            let result = descend.visit(state, Some(action), cost);
            problem.undo(state, undo);
            result?;
        }
    }
    ControlFlow::Continue(())
}

/// Passes successors that are copies already to a filter.
struct Copies<'a, P, F> {
    filter: &'a mut F,
    problem: PhantomData<fn(&P)>,
}

impl<P, F> Visit<P::State, P::Action, P::Cost> for Copies<'_, P, F>
where
    P: InPlaceProblem,
    F: SuccessorFilter<P, Option<P::Action>>,
{
    #[inline(always)]
    fn visit(&mut self, action: P::Action, successor: P::State, cost: P::Cost) -> ControlFlow<()> {
        if let Some(evaluation) = self.filter.test(&successor, cost) {
            self.filter.keep(successor, Some(action), evaluation);
        }
        ControlFlow::Continue(())
    }
}

/// Searches below successors that are copies already.
struct Below<'a, P, D> {
    descend: &'a mut D,
    problem: PhantomData<fn(&P)>,
}

impl<P, D> Visit<P::State, P::Action, P::Cost> for Below<'_, P, D>
where
    P: InPlaceProblem,
    D: Descend<P, InPlace<P>>,
{
    #[inline(always)]
    fn visit(&mut self, action: P::Action, successor: P::State, cost: P::Cost) -> ControlFlow<()> {
        self.descend.visit_copy(successor, Some(action), cost)
    }

    #[inline(always)]
    fn visit_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
        &mut self,
        next: N,
        action: P::Action,
        successor: P::State,
        cost: P::Cost,
    ) -> ControlFlow<()> {
        self.descend.visit_known(next, successor, Some(action), cost)
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
