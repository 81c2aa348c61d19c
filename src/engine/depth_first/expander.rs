//! How a depth-first engine generates the successors of a state: [`Buffered`] or [`InPlace`].

use std::fmt;
use std::marker::PhantomData;
use std::mem::needs_drop;
use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::engine::checked::{heuristic_value, not_negative};
use crate::memory::{Memory, OutOfMemory};
use crate::problem::{
    InPlaceProblem, SearchProblem, Successor, SuccessorBuffer, Successors, UnrolledSuccessors,
    Visit,
};

/// How the successors of a state are generated: [`Buffered`] or [`InPlace`].
///
/// This trait is sealed: it cannot be implemented outside of this crate.
pub trait Expander<P: SearchProblem>: sealed::Expand<P> {}

impl<P: SearchProblem, W: sealed::Expand<P>> Expander<P> for W {}

#[cfg(feature = "parallel")]
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

        /// Whether it is [`Buffered`](super::Buffered), so that the driver can generate the successors itself, ahead of
        /// time.
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
        /// that is no number.
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
        fn bytes(&self) -> usize;

        /// Whether it makes successors and their heuristic values ahead of time. Where it does not, nothing
        /// of what follows is called.
        const LOOKS_AHEAD: bool = false;

        /// Makes what comes of the states that are probably expanded next, at most so many, each with the
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

impl<P: InPlaceProblem> sealed::Expand<P> for InPlace<P> {
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
        includes_inverse: bool,
        filter: &mut impl SuccessorFilter<P, Self::Step>,
    ) {
        let reached = step.as_ref().filter(|_| !includes_inverse);
        // A copy of a state that fits into a few registers is cheaper than to apply and undo.
        let is_copied = size_of::<P::State>() <= 64 && !needs_drop::<P::State>();
        let unrolled = problem.unrolled();
        if is_copied && is_written_out(problem, &unrolled) {
            let mut copies = Copies { filter, problem: PhantomData::<fn(&P)> };
            // It wants all of them.
            let _ = unrolled.visit_backwards(state, reached, &mut copies);
            return;
        }
        let inverse = reached.and_then(|action| problem.inverse(state, action));
        let mut actions = problem.actions(state);
        while let Some(action) = actions.next_back() {
            if inverse.as_ref() == Some(&action) {
                continue;
            }
            if is_copied {
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
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn expand_forwards(
        problem: &P,
        state: &mut P::State,
        step: &Self::Step,
        descend: &mut impl Descend<P, Self>,
    ) -> ControlFlow<()> {
        let reached = step.as_ref();
        let is_copied = size_of::<P::State>() <= 64 && !needs_drop::<P::State>();
        let unrolled = problem.unrolled();
        if is_copied && is_written_out(problem, &unrolled) {
            let mut below = Below { descend, problem: PhantomData::<fn(&P)> };
            return unrolled.visit_forwards(state, reached, &mut below);
        }
        let inverse = reached.and_then(|action| problem.inverse(state, action));
        for action in problem.actions(state) {
            if inverse.as_ref() == Some(&action) {
                continue;
            }
            if is_copied {
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

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn expand_known<N: UnrolledSuccessors<P::State, P::Action, P::Cost>>(
        known: &N,
        state: &P::State,
        step: &Self::Step,
        descend: &mut impl Descend<P, Self>,
    ) -> ControlFlow<()> {
        let mut below = Below { descend, problem: PhantomData::<fn(&P)> };
        known.visit_forwards(state, step.as_ref(), &mut below)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
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

    #[inline]
    fn bytes(&self) -> usize {
        0
    }
}

/// Whether the successors of a problem are written out: a constant of the type.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it has no code")]
fn is_written_out<P, U>(_: &P, _: &U) -> bool
where
    P: SearchProblem,
    U: UnrolledSuccessors<P::State, P::Action, P::Cost>,
{
    U::IS_WRITTEN_OUT
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
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
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
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn visit(&mut self, action: P::Action, successor: P::State, cost: P::Cost) -> ControlFlow<()> {
        self.descend.visit_copy(successor, Some(action), cost)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
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

/// Generates successors by [`SearchProblem::successors`] into a buffer that is reused. States are
/// moved, never copied. This is the default.
pub struct Buffered<P: SearchProblem> {
    successors: Successors<P>,
    /// The buffers of a recursion that are not in use: it needs one for each state on its path.
    free: Vec<OneWord<Successors<P>>>,
    /// Each of them has room for so many successors.
    room: usize,
}

/// A buffer of a recursion has room for at least so many successors.
const LEAST_ROOM: usize = 4;

/// All buffers of a recursion take no more bytes than these. Where states have so many successors that they
/// would, there is little to gain.
const MOST_BYTES_OF_BUFFERS: usize = 1 << 18;

impl<P: SearchProblem> Buffered<P> {
    pub(in crate::engine) fn new() -> Self {
        Self { successors: SuccessorBuffer::new(), free: Vec::new(), room: 0 }
    }

    /// An empty buffer for one state of a recursion; `None` if there is no memory for it.
    #[inline]
    fn take(&mut self) -> Option<OneWord<Successors<P>>> {
        match self.free.pop() {
            Some(buffer) if buffer[0].capacity() >= self.room => Some(buffer),
            buffer => enlarged(buffer, self.room),
        }
    }

    /// Takes it back. One that has grown is dropped: as many bytes are in the account of memory as all
    /// have that have not.
    #[inline]
    fn give_back(&mut self, mut buffer: OneWord<Successors<P>>) {
        buffer[0].clear();
        if buffer[0].capacity() <= self.room {
            self.free.push(buffer);
        }
    }

    /// The bytes of the buffers of a recursion with so much room.
    fn bytes_of_buffers(room: usize) -> usize {
        let each = room.saturating_mul(size_of::<Successor<P::State, P::Action, P::Cost>>());
        let all = each.saturating_add(size_of::<Successors<P>>() + size_of::<usize>());
        if room == 0 {
            0
        } else {
            all.saturating_mul(<Self as sealed::Expand<P>>::MOST_DEPTH as usize)
        }
    }
}

/// A box that is handed on in one register: a list in three words is stored and loaded again each time.
pub(super) type OneWord<T> = Box<[T; 1]>;

/// A buffer with so much room; `None` if there is no memory for it.
#[cold]
#[inline(never)]
fn enlarged<S, A, C>(
    buffer: Option<OneWord<SuccessorBuffer<S, A, C>>>,
    room: usize,
) -> Option<OneWord<SuccessorBuffer<S, A, C>>> {
    let mut buffer = match buffer {
        Some(buffer) => buffer,
        None => boxed(SuccessorBuffer::new())?,
    };
    buffer[0].list().try_reserve_exact(room).ok()?;
    Some(buffer)
}

/// Puts a value into a box. `Box::new` would end the process where there is no memory.
pub(super) fn boxed<T>(value: T) -> Option<OneWord<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(1).ok()?;
    list.push(value);
    list.into_boxed_slice().try_into().ok()
}

/// Fills an empty buffer. It is a function of its own, so that what the problem needs on the thread's stack
/// is not there once for each state of a recursion.
#[inline(never)]
fn generate<P: SearchProblem>(problem: &P, state: &P::State, buffer: &mut Successors<P>) {
    problem.successors(state, buffer);
}

impl<P: SearchProblem> sealed::Expand<P> for Buffered<P> {
    type Step = ();

    const IS_BUFFERED: bool = true;

    fn no_step(&self) {}

    #[inline]
    fn expand(
        &mut self,
        problem: &P,
        state: &mut P::State,
        ((), before): (&(), Option<&P::State>),
        includes_inverse: bool,
        filter: &mut impl SuccessorFilter<P, ()>,
    ) {
        self.generate(problem, state, before.filter(|_| !includes_inverse), filter);
    }

    #[inline]
    fn expand_shared(
        &mut self,
        problem: &P,
        state: &P::State,
        filter: &mut impl SuccessorFilter<P, ()>,
    ) {
        self.generate(problem, state, None, filter);
    }

    const RECURSES: bool = true;

    type Reached<'s>
        = Option<&'s P::State>
    where
        P: 's;

    #[inline]
    fn reached<'s>((): &(), before: Option<&'s P::State>) -> Self::Reached<'s>
    where
        P: 's,
    {
        before
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    #[expect(clippy::ref_option_ref, reason = "in place, it is no reference")]
    fn expand_forwards(
        problem: &P,
        state: &mut P::State,
        before: &Option<&P::State>,
        descend: &mut impl Descend<P, Self>,
    ) -> ControlFlow<()> {
        let Some(mut buffer) = descend.expander().take() else { return ControlFlow::Break(()) };
        generate(problem, state, &mut buffer[0]);
        // Where a state has more successors than any had before, the stack expands it, and the room grows.
        let mut result = if buffer[0].capacity() > descend.expander().room {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        };
        for successor in buffer[0].as_mut_slice() {
            if *before == Some(&successor.state) {
                continue;
            }
            if result.is_break() {
                break;
            }
            result = descend.visit(&mut successor.state, Some(state), successor.cost);
        }
        descend.expander().give_back(buffer);
        result
    }

    const MOST_DEPTH: u32 = 64;

    #[inline]
    fn has_room_to_recurse(&self) -> bool {
        self.room >= self.successors.capacity().max(LEAST_ROOM)
    }

    fn make_room_to_recurse(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let room = self.successors.capacity().max(LEAST_ROOM).max(self.room);
        let bytes = Self::bytes_of_buffers(room);
        if bytes > MOST_BYTES_OF_BUFFERS {
            return Err(OutOfMemory);
        }
        memory.claim(bytes - Self::bytes_of_buffers(self.room))?;
        self.room = room;
        // All are made at once, so that they take what the account says, and so is the buffer of the stack.
        let list = self.successors.list();
        list.try_reserve_exact(room.saturating_sub(list.len())).map_err(|_| OutOfMemory)?;
        let count = <Self as sealed::Expand<P>>::MOST_DEPTH as usize;
        self.free
            .try_reserve_exact(count.saturating_sub(self.free.len()))
            .map_err(|_| OutOfMemory)?;
        while self.free.len() < count {
            self.free.push(boxed(SuccessorBuffer::new()).ok_or(OutOfMemory)?);
        }
        for buffer in &mut self.free {
            buffer[0].list().try_reserve_exact(room).map_err(|_| OutOfMemory)?;
        }
        Ok(())
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.successors.bytes()
    }
}

impl<P: SearchProblem> Buffered<P> {
    /// Passes every successor to the filter, except `left_out`.
    #[inline]
    fn generate(
        &mut self,
        problem: &P,
        state: &P::State,
        left_out: Option<&P::State>,
        filter: &mut impl SuccessorFilter<P, ()>,
    ) {
        self.successors.clear();
        problem.successors(state, &mut self.successors);
        while let Some(successor) = self.successors.pop() {
            if left_out == Some(&successor.state) {
                continue;
            }
            if let Some(evaluation) = filter.test(&successor.state, successor.cost) {
                filter.keep(successor.state, (), evaluation);
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
