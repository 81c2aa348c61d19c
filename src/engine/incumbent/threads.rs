//! [`BufferedOnThreads`]: successors and heuristic values of the states that come next, made on several
//! threads.
//!
//! The engine merges them one state after the other, as if it made them itself: so the search is that of one
//! thread, whatever the threads have made ahead, and limits hold as they do there.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::seen::Seen;
use crate::budget::Budget;
use crate::clock::Stopwatch;
use crate::debug::show_fields;
use crate::engine::checked::heuristic_value;
use crate::engine::depth_first::{Ahead, Buffered, Expand, SuccessorFilter};
use crate::memory::{Memory, OutOfMemory};
use crate::pool::{Pool, thread_count};
use crate::problem::{SearchProblem, Successor, SuccessorBuffer, Successors, reached_by};

/// Generates the successors of many states at a time, on several threads, with their heuristic values.
/// Selected by [`Beam::threads`](super::Beam::threads). (Feature `parallel`.)
pub struct BufferedOnThreads<P: SearchProblem> {
    /// For states that are not among those that were looked ahead to.
    alone: Buffered<P>,
    /// One buffer for each thread.
    buffers: Vec<Successors<P>>,
    pool: Pool,
    slots: Vec<Slot<P>>,
    /// States whose heuristic values are not needed again.
    seen: Seen,
    /// How many of them are in use, and how many of these were taken or passed over.
    used: usize,
    taken: usize,
    /// How many states the next look ahead covers.
    states: usize,
    /// How many successors a state of the last look ahead had room for, on average.
    branching: usize,
    /// The bytes of the slots that the memory account knows of.
    bytes: usize,
}

/// A state that comes next, and what was made of it.
struct Slot<P: SearchProblem> {
    /// The index of its id.
    index: usize,
    state: Option<P::State>,
    is_made: bool,
    successors: Vec<Successor<P::State, (), P::Cost>>,
    /// Their heuristic values, or what is not a number; `None` of states that are probably stored.
    values: Vec<Value<P>>,
}

/// What is known of the heuristic value of a successor.
type Value<P> = Option<Result<<P as SearchProblem>::Cost, <P as SearchProblem>::Cost>>;

/// A look ahead is to take so long on one thread: waking the others takes a fraction of that.
const TIME: Duration = Duration::from_millis(4);

/// After so long, threads leave what they have not begun.
const MOST_TIME: Duration = Duration::from_millis(2);

/// The least and the largest number of states, and with how many it begins.
const FEWEST_STATES: usize = 16;
const MOST_STATES: usize = 4096;
const FIRST_STATES: usize = 64;

/// How many states a thread takes at a time.
const PIECE: usize = 8;

/// The most states that are known to be stored.
const MOST_SEEN: usize = 1 << 17;

/// What is made ahead may take the memory that is left, divided by this.
const SHARE_OF_MEMORY: usize = 128;

impl<P: SearchProblem> BufferedOnThreads<P> {
    pub(super) fn new(count: usize) -> Self {
        // More would find nothing to do.
        let pool = Pool::new(thread_count(count).min(MOST_STATES / PIECE));
        Self {
            alone: Buffered::new(),
            buffers: (0..pool.count()).map(|_| SuccessorBuffer::new()).collect(),
            pool,
            slots: Vec::new(),
            seen: Seen::new(),
            used: 0,
            taken: 0,
            states: FIRST_STATES,
            branching: 0,
            bytes: 0,
        }
    }

    /// How many bytes it may hold.
    fn allowance(&self, memory: &Memory) -> usize {
        memory.left().saturating_add(self.bytes) / SHARE_OF_MEMORY
    }

    /// How many states to look ahead to, so that there is memory for what is made of them.
    fn affordable(&self, memory: &Memory) -> usize {
        // Before any were made, a guess.
        let branching = self.branching.max(4);
        let of_successor = size_of::<Successor<P::State, (), P::Cost>>() + size_of::<Value<P>>();
        let each = size_of::<Slot<P>>() + branching * of_successor;
        (self.allowance(memory) / each).min(self.states)
    }

    /// The bytes of the slots and the buffers.
    fn bytes_of_slots(&self) -> usize {
        let slots = self.slots.iter().map(|slot| bytes_of(&slot.successors, &slot.values));
        let buffers = self.buffers.iter().map(SuccessorBuffer::bytes);
        let rest = self.slots.capacity() * size_of::<Slot<P>>() + self.seen.bytes();
        rest + slots.chain(buffers).sum::<usize>()
    }

    /// Brings the memory account up to date; frees the slots if it has no room for them.
    fn account(&mut self, memory: &mut Memory) {
        let successors: usize = self.slots.iter().map(|slot| slot.successors.capacity()).sum();
        self.branching = successors.div_ceil(self.slots.len().max(1));
        memory.release(self.bytes);
        self.bytes = self.bytes_of_slots();
        if memory.claim(self.bytes).is_err() {
            self.bytes = 0;
            self.free();
        }
    }

    fn free(&mut self) {
        self.slots = Vec::new();
        self.seen = Seen::new();
        self.buffers.iter_mut().for_each(|buffer| *buffer = SuccessorBuffer::new());
        (self.used, self.taken) = (0, 0);
    }
}

/// The bytes of two lists.
fn bytes_of<A, B>(a: &Vec<A>, b: &Vec<B>) -> usize {
    a.capacity() * size_of::<A>() + b.capacity() * size_of::<B>()
}

impl<P: SearchProblem> Slot<P> {
    fn new() -> Self {
        let (successors, values) = (Vec::new(), Vec::new());
        Self { index: 0, state: None, is_made: false, successors, values }
    }

    /// Makes the successors of the state and their heuristic values.
    fn make(&mut self, problem: &P, seen: &Seen, buffer: &mut Successors<P>) {
        let Some(state) = &self.state else { return };
        buffer.clear();
        problem.successors(state, buffer);
        let reached = buffer.drain().map(|next| reached_by((next.state, next.cost)));
        self.successors.extend(reached);
        let value = |next: &Successor<P::State, (), _>| {
            (!seen.meet(&next.state)).then(|| heuristic_value(problem, &next.state))
        };
        self.values.extend(self.successors.iter().map(value));
        self.is_made = true;
    }
}

impl<P> Expand<P> for BufferedOnThreads<P>
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
{
    type Step = ();

    fn no_step(&self) {}

    fn expand(
        &mut self,
        problem: &P,
        state: &mut P::State,
        reached: (&(), Option<&P::State>),
        includes_inverse: bool,
        filter: &mut impl SuccessorFilter<P, ()>,
    ) {
        self.alone.expand(problem, state, reached, includes_inverse, filter);
    }

    #[inline]
    fn expand_shared(
        &mut self,
        problem: &P,
        state: &P::State,
        filter: &mut impl SuccessorFilter<P, ()>,
    ) {
        self.alone.expand_shared(problem, state, filter);
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.alone.bytes()
    }

    fn count(&mut self, counted: &mut usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.alone.count(counted, memory)
    }

    fn keep_within(&mut self, bytes: usize) {
        self.alone.keep_within(bytes);
    }

    type Reached<'s>
        = Option<&'s P::State>
    where
        P: 's;

    fn reached<'s>((): &(), before: Option<&'s P::State>) -> Self::Reached<'s>
    where
        P: 's,
    {
        before
    }

    const LOOKS_AHEAD: bool = true;

    fn look_ahead(
        &mut self,
        problem: &P,
        states: impl Iterator<Item = (usize, P::State)>,
        most: usize,
        budget: &mut Budget<P::Cost>,
    ) {
        (self.used, self.taken) = (0, 0);
        let most = most.min(self.affordable(budget.memory()));
        if self.pool.is_alone() || most < FEWEST_STATES {
            return;
        }
        for (index, state) in states.take(most) {
            if self.used == self.slots.len() {
                if self.slots.try_reserve(1).is_err() {
                    break;
                }
                self.slots.push(Slot::new());
            }
            let slot = &mut self.slots[self.used];
            (slot.index, slot.state, slot.is_made) = (index, Some(state), false);
            slot.successors.clear();
            slot.values.clear();
            self.used += 1;
        }
        let Some(pool) = self.pool.others() else { return };
        let allowance = self.allowance(budget.memory());
        self.seen.make_room((allowance / 4 / size_of::<u64>()).min(MOST_SEEN));
        let seen = &self.seen;
        let began = Stopwatch::start();
        let bytes = AtomicUsize::new(0);
        let interrupt = budget.interrupt();
        let is_over = || interrupt.is_raised() || began.elapsed() > MOST_TIME;
        let pieces = Mutex::new(self.slots[..self.used].chunks_mut(PIECE));
        let work = |buffer: &mut Successors<P>| {
            while let Some(piece) = pieces.lock().ok().and_then(|mut pieces| pieces.next()) {
                for slot in piece {
                    if is_over() || bytes.load(Ordering::Relaxed) > allowance {
                        return;
                    }
                    slot.make(problem, seen, buffer);
                    let made = bytes_of(&slot.successors, &slot.values);
                    bytes.fetch_add(made, Ordering::Relaxed);
                }
            }
        };
        // To wake threads that find nothing to do takes longer than to do it.
        let count = self.buffers.len().min(self.used.div_ceil(PIECE));
        if let Some((own, others)) = self.buffers[..count].split_first_mut() {
            pool.in_place_scope(|scope| {
                for buffer in others {
                    scope.spawn(|_| work(buffer));
                }
                work(own);
            });
        }
        // More states where they take less time.
        let time = began.elapsed().as_nanos().max(1);
        let wanted = TIME.as_nanos() * self.used as u128 / count as u128 / time;
        let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
        self.states = wanted.min(4 * self.states).clamp(FEWEST_STATES, MOST_STATES);
        self.account(budget.memory());
    }

    #[inline]
    fn find_ahead(&mut self, index: usize) -> Ahead {
        if self.pool.is_alone() {
            return Ahead::Left;
        }
        let rest = self.slots[self.taken..self.used].iter();
        match rest.take_while(|slot| slot.index != index).count() {
            passed if self.taken + passed < self.used => {
                self.taken += passed;
                if self.slots[self.taken].is_made { Ahead::Made } else { Ahead::Left }
            }
            _ => Ahead::Unknown,
        }
    }

    #[inline]
    fn swap_ahead(
        &mut self,
        successors: &mut Vec<Successor<P::State, (), P::Cost>>,
        values: &mut Vec<Option<Result<P::Cost, P::Cost>>>,
    ) {
        if let Some(slot) = self.slots.get_mut(self.taken) {
            // The lists change places, and so do their bytes.
            self.bytes += bytes_of(successors, values);
            self.bytes -= bytes_of(&slot.successors, &slot.values).min(self.bytes);
            std::mem::swap(&mut slot.successors, successors);
            std::mem::swap(&mut slot.values, values);
            // The state may be reached again, and expanded once more.
            self.taken += 1;
        }
    }

    fn forget_ahead(&mut self) {
        self.seen.begin_pass();
        (self.used, self.taken) = (0, 0);
    }

    fn free_ahead(&mut self, memory: &mut Memory) -> bool {
        let had_any = self.bytes > 0;
        self.free();
        memory.release(std::mem::take(&mut self.bytes));
        had_any
    }
}

impl<P: SearchProblem> Clone for BufferedOnThreads<P> {
    fn clone(&self) -> Self {
        Self::new(self.buffers.len())
    }
}

show_fields! {
    [P: SearchProblem] BufferedOnThreads<P>,
    "BufferedOnThreads" (this) { threads = this.buffers.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FnProblem;

    #[test]
    fn no_more_threads_are_started_than_have_something_to_do() {
        fn threads<P: SearchProblem>(_: &P, asked: usize) -> usize {
            BufferedOnThreads::<P>::new(asked).buffers.len()
        }
        let line = FnProblem::new(|&n: &u8| [(n, 1_u8)], |_: &u8| 0, |_: &u8| false);
        assert_eq!([3, usize::MAX].map(|asked| threads(&line, asked)), [3, 512]);
    }
}
