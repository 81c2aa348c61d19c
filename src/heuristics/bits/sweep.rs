//! [`Sweep`]: the expansion of all open states.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};

use num_traits::{One, PrimInt};

use super::vector::BitVector;
use crate::budget::Budget;
use crate::cost::Cost;
use crate::heuristics::PatternDatabase;
use crate::heuristics::builder::byte;
use crate::heuristics::error::BuildError;
use crate::observer::Observer;
use crate::problem::{DenseStates, Reversible, SearchProblem, SuccessorBuffer, Successors};
use crate::report::{SearchError, StopReason};

/// The number of words that a worker takes at a time.
const WORDS: usize = 1 << 10;

/// The number of expansions after which a worker checks the clock: a fraction of a millisecond.
const EXPANSIONS: u64 = 1 << 10;

/// The number of predecessors whose bits are being prefetched.
const PENDING: usize = 128;

/// The bytes for the predecessors of a state that are not counted: most states have few.
const UNCOUNTED: usize = 1 << 12;

/// One sweep over all words, shared by the workers.
pub(in crate::heuristics) struct Sweep<'a, P: SearchProblem, K> {
    abstraction: &'a P,
    key: &'a K,
    states: usize,
    open: &'a BitVector,
    closed: &'a BitVector,
    next: &'a BitVector,
    values: &'a [AtomicU8],
    g: P::Cost,
    /// The number of words that are taken.
    taken: AtomicUsize,
    /// The number of expansions that no worker has claimed.
    left: AtomicU64,
    /// The bytes for lists of predecessors that no worker has claimed.
    bytes: AtomicUsize,
    budget: &'a Budget<P::Cost>,
    stopped: OnceLock<StopReason>,
    has_failed: AtomicBool,
}

/// The buffers and the result of a worker.
pub(in crate::heuristics) struct Worker<P: SearchProblem> {
    predecessors: Successors<P>,
    /// How many bytes for `predecessors` are claimed of the sweep, with those that need not be.
    claimed: usize,
    /// The numbers of predecessors, twice, and one more if the step costs 1.
    pending: Vec<usize>,
    pub(super) done: Done<P::Cost>,
}

impl<P: SearchProblem> Worker<P> {
    pub(super) fn new() -> Self {
        let pending = Vec::with_capacity(PENDING);
        Self {
            predecessors: SuccessorBuffer::new(),
            claimed: UNCOUNTED,
            pending,
            done: Done::new(),
        }
    }
}

/// The result of a sweep.
pub(in crate::heuristics) struct Done<C> {
    pub(super) expanded: u64,
    pub(super) generated: u64,
    /// Whether states became open that the sweep may have passed.
    pub(super) has_open: bool,
    /// Whether there were open states and no expansions left.
    pub(super) is_starved: bool,
    pub(super) error: Option<BuildError<C>>,
}

impl<C> Done<C> {
    pub(super) fn new() -> Self {
        Self { expanded: 0, generated: 0, has_open: false, is_starved: false, error: None }
    }

    /// Adds the result of another worker.
    #[cfg(feature = "parallel")]
    pub(super) fn add(&mut self, other: Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.has_open |= other.has_open;
        self.is_starved |= other.is_starved;
        self.error = self.error.take().or(other.error);
    }
}

impl<'a, P, K> Sweep<'a, P, K>
where
    P: Reversible<Cost: PrimInt> + DenseStates,
    K: Fn(&P::State) -> usize,
{
    pub(super) fn new(
        (abstraction, key): (&'a P, &'a K),
        (open, closed, next): (&'a BitVector, &'a BitVector, &'a BitVector),
        values: &'a [AtomicU8],
        g: P::Cost,
        (left, bytes): (u64, usize),
        budget: &'a Budget<P::Cost>,
    ) -> Self {
        Self {
            abstraction,
            key,
            states: abstraction.state_count(),
            open,
            closed,
            next,
            values,
            g,
            taken: AtomicUsize::new(0),
            left: AtomicU64::new(left),
            bytes: AtomicUsize::new(bytes),
            budget,
            stopped: OnceLock::new(),
            has_failed: AtomicBool::new(false),
        }
    }

    /// Returns why the sweep ended early, if the time was up or it was cancelled.
    pub(super) fn stopped(&self) -> Option<StopReason> {
        self.stopped.get().copied()
    }

    /// Expands open states until all words are taken, or it must end. `SHARED` is true if there are
    /// other workers.
    pub(super) fn work<const SHARED: bool, O: Observer<P::State, P::Cost>>(
        &self,
        worker: &mut Worker<P>,
        observer: &mut O,
    ) {
        let words = self.open.words();
        worker.claimed = UNCOUNTED;
        while self.may_go_on() {
            let from = self.taken.fetch_add(WORDS, Ordering::Relaxed);
            if from >= words {
                break;
            }
            let mut at = from;
            let to = words.min(from + WORDS);
            while at < to && self.may_go_on() {
                let claimed = self.claim();
                let before = worker.done.expanded;
                at = self.expand_words::<SHARED, O>(at..to, claimed, worker, observer);
                self.flush::<SHARED>(worker);
                self.left.fetch_add(claimed - (worker.done.expanded - before), Ordering::Relaxed);
                if worker.done.error.is_some() {
                    self.has_failed.store(true, Ordering::Relaxed);
                }
                if at < to && claimed == 0 {
                    // Other workers may return some; then there is another sweep.
                    worker.done.is_starved = true;
                    return;
                }
            }
        }
    }

    /// Claims expansions.
    fn claim(&self) -> u64 {
        let claim = |left: u64| Some(left - left.min(EXPANSIONS));
        let before = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim);
        before.unwrap_or_else(|left| left).min(EXPANSIONS)
    }

    /// Claims the bytes of a list of predecessors that is larger than those before.
    #[cold]
    fn claim_bytes(&self, worker: &mut Worker<P>) -> Result<(), BuildError<P::Cost>> {
        let bytes = worker.predecessors.bytes();
        let claim = |left: usize| left.checked_sub(bytes - worker.claimed);
        self.bytes
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim)
            .map_err(|_| BuildError::Stopped(StopReason::Memory))?;
        worker.claimed = bytes;
        Ok(())
    }

    fn may_go_on(&self) -> bool {
        if let Err(reason) = self.budget.check_now() {
            self.stopped.get_or_init(|| reason);
        }
        self.stopped().is_none() && !self.has_failed.load(Ordering::Relaxed)
    }

    /// Expands the open states of these words, at most `most`. Returns the word at which it ended.
    fn expand_words<const SHARED: bool, O: Observer<P::State, P::Cost>>(
        &self,
        words: std::ops::Range<usize>,
        most: u64,
        worker: &mut Worker<P>,
        observer: &mut O,
    ) -> usize {
        let mut left = most;
        for word in words.clone() {
            // Expansions may open states of the same word.
            while self.open.word(word) != 0 {
                let bits = self.open.take_word::<SHARED>(word) & !self.closed.word(word);
                let (bits, rest) = split_lowest(bits, left);
                if rest != 0 {
                    self.open.insert_all::<SHARED>(word, rest);
                }
                // No other worker writes into this word.
                self.closed.insert_all::<false>(word, bits);
                left -= u64::from(bits.count_ones());
                self.expand_bits::<SHARED, O>(word, bits, worker, observer);
                if worker.done.error.is_some() || rest != 0 {
                    return word;
                }
            }
        }
        words.end
    }

    fn expand_bits<const SHARED: bool, O: Observer<P::State, P::Cost>>(
        &self,
        word: usize,
        mut bits: u64,
        worker: &mut Worker<P>,
        observer: &mut O,
    ) {
        while bits != 0 {
            let index = word * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if let Err(error) = self.expand::<SHARED, O>(index, worker, observer) {
                worker.done.error = Some(error);
                return;
            }
        }
    }

    #[inline]
    fn expand<const SHARED: bool, O: Observer<P::State, P::Cost>>(
        &self,
        index: usize,
        worker: &mut Worker<P>,
        observer: &mut O,
    ) -> Result<(), BuildError<P::Cost>> {
        let state = self.abstraction.state_at(index);
        worker.done.expanded += 1;
        if O::LISTENS {
            observer.expanded(&state, self.g, P::Cost::ZERO);
        }
        let key = (self.key)(&state);
        let count = self.values.len();
        let value = self.values.get(key).ok_or(BuildError::Key { key, count })?;
        // Layers are expanded in the order of their costs, so the first value is the smallest.
        if value.load(Ordering::Relaxed) == PatternDatabase::NONE {
            value.store(byte(self.g), Ordering::Relaxed);
        }
        worker.predecessors.clear();
        self.abstraction.predecessors(&state, &mut worker.predecessors);
        if worker.predecessors.bytes() > worker.claimed {
            self.claim_bytes(worker)?;
        }
        worker.done.generated += worker.predecessors.len() as u64;
        for at in 0..worker.predecessors.len() {
            let predecessor = &worker.predecessors.as_slice()[at];
            let cost = predecessor.cost;
            let index = self.abstraction.state_index(&predecessor.state);
            if index >= self.states {
                return Err(SearchError::StateIndex { index, count: self.states }.into());
            }
            if O::LISTENS
                && let Some(g) = Cost::checked_add(self.g, cost)
            {
                observer.generated(Some(&state), &predecessor.state, g);
            }
            let costs_one = cost == P::Cost::one();
            if !costs_one && cost != P::Cost::ZERO {
                return Err(self.wrong_step(cost));
            }
            self.closed.prefetch(index);
            if costs_one {
                self.next.prefetch(index);
            }
            worker.pending.push(index << 1 | usize::from(costs_one));
            if worker.pending.len() >= PENDING {
                self.flush::<SHARED>(worker);
            }
        }
        Ok(())
    }

    #[cold]
    fn wrong_step(&self, cost: P::Cost) -> BuildError<P::Cost> {
        if cost < P::Cost::ZERO {
            SearchError::NegativeCost { g: self.g, step: cost }.into()
        } else {
            BuildError::Step { cost }
        }
    }

    /// Opens the pending states.
    #[inline]
    fn flush<const SHARED: bool>(&self, worker: &mut Worker<P>) {
        for pending in worker.pending.drain(..) {
            let (index, costs_one) = (pending >> 1, pending & 1 != 0);
            if self.closed.contains(index) {
                continue;
            }
            if costs_one {
                self.next.insert::<SHARED>(index);
            } else {
                worker.done.has_open |= self.open.insert::<SHARED>(index);
            }
        }
    }
}

/// Returns the lowest `most` bits that are set, and the others.
fn split_lowest(bits: u64, most: u64) -> (u64, u64) {
    if u64::from(bits.count_ones()) <= most {
        return (bits, 0);
    }
    let mut rest = bits;
    for _ in 0..most {
        rest &= rest - 1;
    }
    (bits & !rest, rest)
}
