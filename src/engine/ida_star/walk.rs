//! How a depth-first engine moves from a state to its successors and back: [`InPlace`] or
//! [`Buffered`].

use std::fmt;
use std::marker::PhantomData;
use std::mem;

use crate::in_place::InPlaceProblem;
use crate::limits::{Memory, OutOfMemory};
use crate::problem::{SearchProblem, SuccessorBuffer, Successors};

/// Moves one state along the edges of a problem and back.
pub trait Walk<P: SearchProblem> {
    /// The steps of one state that are still to be taken.
    type Frame;
    /// What takes a step back.
    type Back;

    /// Looks at the steps of `state`, which was reached by the step that `back` takes back. Where
    /// `skip_inverse` says so, the step that leads straight back will not be taken.
    fn open(
        &mut self,
        problem: &P,
        state: &P::State,
        back: Option<&Self::Back>,
        skip_inverse: bool,
    ) -> Self::Frame;

    /// Takes the next step: `state` is then the successor. `None` if no step is left.
    fn forth(
        &mut self,
        problem: &P,
        frame: &mut Self::Frame,
        state: &mut P::State,
    ) -> Option<(P::Cost, Self::Back)>;

    /// Takes a step back: `state` is again what it was before.
    fn back(&mut self, problem: &P, state: &mut P::State, back: Self::Back);

    /// The frame that was opened last is done with.
    fn close(&mut self, frame: Self::Frame);

    /// The states on the path to `state`, from the start on, by the ways back in order.
    fn trail(
        &self,
        problem: &P,
        start: &P::State,
        state: &P::State,
        backs: &[&Self::Back],
    ) -> Vec<P::State>;

    /// Whether the next state can be opened without asking for memory.
    fn has_room(&self) -> bool;

    /// Makes room to open one more state.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is none; nothing changes.
    fn make_room(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory>;
}

/// Applies actions to one state and undoes them.
pub struct InPlace<P> {
    problem: PhantomData<fn(&P)>,
}

impl<P> InPlace<P> {
    pub(super) fn new() -> Self {
        Self { problem: PhantomData }
    }
}

/// The actions of a state that are left, and the one that leads straight back.
#[derive(Debug)]
pub struct Actions<P: InPlaceProblem> {
    left: P::Actions,
    inverse: Option<P::Action>,
}

/// An action that was taken, and what undoes it.
#[derive(Debug)]
pub struct Taken<P: InPlaceProblem> {
    action: P::Action,
    undo: P::Undo,
}

impl<P: InPlaceProblem> Walk<P> for InPlace<P> {
    type Frame = Actions<P>;
    type Back = Taken<P>;

    #[inline]
    fn open(
        &mut self,
        problem: &P,
        state: &P::State,
        back: Option<&Taken<P>>,
        skip_inverse: bool,
    ) -> Actions<P> {
        let left = problem.actions(state);
        let inverse = match back {
            Some(taken) if skip_inverse => problem.inverse(state, &taken.action),
            _ => None,
        };
        Actions { left, inverse }
    }

    #[inline]
    fn forth(
        &mut self,
        problem: &P,
        frame: &mut Actions<P>,
        state: &mut P::State,
    ) -> Option<(P::Cost, Taken<P>)> {
        let mut action = frame.left.next()?;
        while frame.inverse.as_ref() == Some(&action) {
            action = frame.left.next()?;
        }
        let (cost, undo) = problem.apply(state, &action);
        Some((cost, Taken { action, undo }))
    }

    #[inline]
    fn back(&mut self, problem: &P, state: &mut P::State, back: Taken<P>) {
        problem.undo(state, back.undo);
    }

    #[inline]
    fn close(&mut self, _frame: Actions<P>) {}

    fn trail(
        &self,
        problem: &P,
        start: &P::State,
        _state: &P::State,
        backs: &[&Taken<P>],
    ) -> Vec<P::State> {
        let mut trail = vec![start.clone()];
        for taken in backs {
            let mut state = trail[trail.len() - 1].clone();
            problem.apply(&mut state, &taken.action);
            trail.push(state);
        }
        trail
    }

    #[inline]
    fn has_room(&self) -> bool {
        true
    }

    fn make_room(&mut self, _memory: &mut Memory) -> Result<(), OutOfMemory> {
        Ok(())
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

/// Keeps the successors of all states on the path in one buffer, and exchanges the state for one of
/// them and back. States are moved, never copied.
pub struct Buffered<P: SearchProblem> {
    stack: Vec<Entry<P>>,
    /// Where a problem pushes the successors of one state, and sees no others.
    successors: Successors<P>,
    /// The most successors that a state had so far.
    widest: usize,
    /// The room in `stack`, and the bytes of `successors`, that the memory account knows of.
    room: usize,
    buffer_bytes: usize,
}

/// A successor; which action leads to it is found again when it is asked for.
struct Entry<P: SearchProblem> {
    state: P::State,
    cost: P::Cost,
}

impl<P: SearchProblem> Buffered<P> {
    pub(super) fn new() -> Self {
        let successors = SuccessorBuffer::new();
        Self { stack: Vec::new(), successors, widest: 1, room: 0, buffer_bytes: 0 }
    }
}

/// Where in the buffer the successors of a state are.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    begin: usize,
    next: usize,
    end: usize,
    /// Where the state before is, not to be gone back to.
    before: Option<usize>,
}

impl<P: SearchProblem> Walk<P> for Buffered<P> {
    type Frame = Span;
    /// The place in the buffer where the state before was put, in exchange for the successor.
    type Back = usize;

    #[inline]
    fn open(
        &mut self,
        problem: &P,
        state: &P::State,
        back: Option<&usize>,
        skip_inverse: bool,
    ) -> Span {
        let begin = self.stack.len();
        problem.successors(state, &mut self.successors);
        let entries = self.successors.drain();
        self.widest = self.widest.max(entries.len());
        self.stack.extend(entries.map(|next| Entry { state: next.state, cost: next.cost }));
        let before = back.copied().filter(|_| skip_inverse);
        Span { begin, next: begin, end: self.stack.len(), before }
    }

    #[inline]
    fn forth(
        &mut self,
        _problem: &P,
        frame: &mut Span,
        state: &mut P::State,
    ) -> Option<(P::Cost, usize)> {
        while frame.next < frame.end {
            let place = frame.next;
            frame.next += 1;
            let list = &mut self.stack;
            if frame.before.is_none_or(|before| list[place].state != list[before].state) {
                let successor = &mut list[place];
                mem::swap(&mut successor.state, state);
                return Some((successor.cost, place));
            }
        }
        None
    }

    #[inline]
    fn back(&mut self, _problem: &P, state: &mut P::State, place: usize) {
        mem::swap(&mut self.stack[place].state, state);
    }

    #[inline]
    fn close(&mut self, frame: Span) {
        self.stack.truncate(frame.begin);
    }

    fn trail(
        &self,
        _problem: &P,
        _start: &P::State,
        state: &P::State,
        backs: &[&usize],
    ) -> Vec<P::State> {
        let mut trail: Vec<_> =
            backs.iter().map(|&&place| self.stack[place].state.clone()).collect();
        trail.push(state.clone());
        trail
    }

    #[inline]
    fn has_room(&self) -> bool {
        self.stack.len() + self.widest <= self.room
    }

    fn make_room(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        // A state with more successors than any before may have made them grow.
        let grown = (self.stack.capacity() - self.room) * size_of::<Entry<P>>();
        let bytes = self.successors.bytes();
        memory.claim(grown + (bytes - self.buffer_bytes))?;
        (self.room, self.buffer_bytes) = (self.stack.capacity(), bytes);
        memory.reserve(&mut self.stack, self.widest)?;
        self.room = self.stack.capacity();
        Ok(())
    }
}

impl<P: SearchProblem> Clone for Buffered<P> {
    fn clone(&self) -> Self {
        // Only a search that has begun holds anything.
        Self::new()
    }
}

impl<P: SearchProblem> fmt::Debug for Buffered<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffered").field("successors", &self.stack.len()).finish()
    }
}
