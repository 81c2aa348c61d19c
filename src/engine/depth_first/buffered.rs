//! [`Buffered`]: successors in a buffer.

use std::fmt;
use std::ops::ControlFlow;

use super::expander::{Descend, Expand, SuccessorFilter};
use crate::memory::{Memory, OutOfMemory};
use crate::problem::{SearchProblem, Successor, SuccessorBuffer, Successors};

/// Generates successors by [`SearchProblem::successors`] into a buffer that is reused. States are
/// moved, never copied. This is the default.
pub struct Buffered<P: SearchProblem> {
    successors: Successors<P>,
    /// The buffers of a recursion that are not in use: it needs one for each state on its path.
    free: Vec<OneWord<Successors<P>>>,
    /// Each of them needs room for this many successors.
    room: usize,
    /// How many there are, in use or not.
    count: usize,
    /// Whether a recursion ended because all were in use.
    is_short: bool,
}

/// A recursion begins with this many buffers: to make all takes longer than a short search.
const FIRST: usize = 4;

/// A buffer of a recursion has room for at least this many successors.
const LEAST_ROOM: usize = 4;

/// All buffers of a recursion take at most this many bytes. If states have so many successors that they
/// would take more, there is little to gain.
const MOST_BYTES_OF_BUFFERS: usize = 1 << 18;

impl<P: SearchProblem> Buffered<P> {
    pub(in crate::engine) fn new() -> Self {
        let successors = SuccessorBuffer::new();
        Self { successors, free: Vec::new(), room: 0, count: 0, is_short: false }
    }

    /// An empty buffer for one state of a recursion; `None` if all are in use, or there is no memory for it.
    #[inline]
    fn take(&mut self) -> Option<OneWord<Successors<P>>> {
        match self.free.pop() {
            Some(buffer) if buffer[0].capacity() > 0 => Some(buffer),
            buffer => self.enlarged(buffer),
        }
    }

    /// A buffer with the room that each needs: a list of the problem's may have taken the place of a larger one.
    #[cold]
    #[inline(never)]
    fn enlarged(
        &mut self,
        buffer: Option<OneWord<Successors<P>>>,
    ) -> Option<OneWord<Successors<P>>> {
        self.is_short |= buffer.is_none();
        let mut buffer = buffer?;
        buffer[0].list().try_reserve_exact(self.room).ok()?;
        Some(buffer)
    }

    /// Takes it back. The list of one that has grown is dropped: as many bytes are in the account of memory as all
    /// have that have not.
    #[inline]
    fn give_back(&mut self, mut buffer: OneWord<Successors<P>>) {
        buffer[0].clear();
        if buffer[0].capacity() > self.room {
            buffer[0] = SuccessorBuffer::new();
        }
        self.free.push(buffer);
    }

    /// The bytes of so many buffers of a recursion with so much room.
    fn bytes_of_buffers(room: usize, count: usize) -> usize {
        let list = room.saturating_mul(size_of::<Successor<P::State, P::Action, P::Cost>>());
        let each = list.saturating_add(size_of::<Successors<P>>() + size_of::<usize>());
        each.saturating_mul(count)
    }
}

/// A box that is handed on in one register: a list in three words is stored and loaded again each time.
pub(super) type OneWord<T> = Box<[T; 1]>;

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

impl<P: SearchProblem> Expand<P> for Buffered<P> {
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
        !self.is_short && self.room >= self.successors.capacity().max(LEAST_ROOM)
    }

    fn make_room_to_recurse(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let most = <Self as Expand<P>>::MOST_DEPTH as usize;
        let room = self.successors.capacity().max(LEAST_ROOM).max(self.room);
        if Self::bytes_of_buffers(room, most) > MOST_BYTES_OF_BUFFERS {
            return Err(OutOfMemory);
        }
        let count = if self.is_short { self.count * 2 } else { self.count.max(FIRST) }.min(most);
        let before = Self::bytes_of_buffers(self.room, self.count);
        memory.claim(Self::bytes_of_buffers(room, count) - before)?;
        (self.room, self.count, self.is_short) = (room, count, false);
        // All are made at once, so that they take what the account says, and so is the buffer of the stack.
        let list = self.successors.list();
        list.try_reserve_exact(room.saturating_sub(list.len())).map_err(|_| OutOfMemory)?;
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

    #[inline]
    fn count(&mut self, counted: &mut usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.successors.count(counted, memory).map(|_| ())
    }

    fn keep_within(&mut self, bytes: usize) {
        self.successors.keep_within(bytes);
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
