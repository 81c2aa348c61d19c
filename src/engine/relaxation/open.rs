//! Open states: which is next, which are stale, which wait or were set aside, and the bound that they prove.

use super::{Known, Relaxation};
use crate::cost::{Cost, smaller};
use crate::engine::Run;
use crate::engine::parts::Parts;
use crate::engine::policy::Policy;
use crate::frontier::Frontier;
use crate::indexed::{at, at_mut, push};
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::table::{Record, StateId, Table};

/// The frontier, and the open states that are not in it.
pub(super) struct OpenStates<F, I, K> {
    pub(super) frontier: F,
    /// Open states for which the frontier had no room when they were reached, with their keys. They are pushed
    /// before the next one is taken out.
    pub(super) waiting: Vec<(I, K)>,
    /// The number of pushes for which there is room in `waiting`.
    ready: usize,
    /// Open states whose f is above the limit on the cost, or that wait for the next round.
    pub(super) aside: Vec<I>,
    /// Whether the states set aside are being put back into the frontier.
    recalls: bool,
}

/// What comes out of the frontier: an open state as `H`.
pub(in crate::engine) enum Popped<H> {
    Open(H),
    /// Nothing: the frontier is empty.
    Nothing,
    /// Nothing yet: many stale entries were skipped, and the limits should be checked.
    Paused,
}

/// An open state that was taken out of the frontier, with its key and its f.
#[derive(Clone, Copy, Debug)]
pub struct Head<I, K, C> {
    pub(in crate::engine) id: I,
    pub(in crate::engine) key: K,
    pub(in crate::engine) f: C,
}

/// An open state of a search.
pub type HeadOf<S> = Head<<S as Parts>::Id, <S as Parts>::Key, <S as Parts>::Cost>;

/// The first allocation has capacity for this many entries that wait, if memory allows.
const FIRST_WAITING: usize = 8;

/// The most stale entries that are skipped before the limits are checked again.
const MOST_STALE: u32 = 1 << 10;

/// How many states are put back into the frontier before the limits are checked.
const MOST_RECALLED: usize = 1 << 12;

impl<F, I: StateId, K: Copy> OpenStates<F, I, K>
where
    F: Frontier<I, K>,
{
    pub(super) fn new(frontier: F) -> Self {
        Self { frontier, waiting: Vec::new(), ready: 0, aside: Vec::new(), recalls: false }
    }

    /// Removes all states; the memory stays.
    pub(super) fn clear(&mut self) {
        self.frontier.clear();
        self.waiting.clear();
        self.ready = self.waiting.capacity();
        self.aside.clear();
        self.recalls = false;
    }

    /// Makes room for `pushes` pushes, whatever the frontier says to them.
    #[inline]
    pub(super) fn make_room(
        &mut self,
        pushes: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        if pushes > self.ready {
            memory.reserve_from(&mut self.waiting, pushes, FIRST_WAITING)?;
            self.ready = self.waiting.capacity() - self.waiting.len();
        }
        Ok(())
    }

    /// Pushes an entry, for which room was made.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in one of them")]
    pub(super) fn push(&mut self, id: I, key: K, memory: &mut Memory) {
        // An entry that comes after one without a place has none either, to keep the order.
        if !self.waiting.is_empty() || self.frontier.push(id, key, memory).is_err() {
            self.wait(id, key);
        }
    }

    #[cold]
    #[inline(never)]
    fn wait(&mut self, id: I, key: K) {
        push(&mut self.waiting, (id, key));
        self.ready = 0;
    }

    /// Pushes the entries that wait, in the order in which they came.
    #[cold]
    #[inline(never)]
    fn place_waiting(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let Self { frontier, waiting, .. } = self;
        let mut left = 0;
        for place in 0..waiting.len() {
            let (id, key) = *at(waiting, place);
            if left > 0 || frontier.push(id, key, memory).is_err() {
                *at_mut(waiting, left) = (id, key);
                left += 1;
            }
        }
        waiting.truncate(left);
        if left == 0 { Ok(()) } else { Err(OutOfMemory) }
    }

    /// Makes sure that no entry waits.
    #[inline]
    pub(super) fn settle(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.waiting.is_empty() { Ok(()) } else { self.place_waiting(memory) }
    }
}

impl<S: Parts> Relaxation<S> {
    /// Takes the open state with the least key out of the frontier.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in one of them")]
    pub(in crate::engine) fn take_next<O>(
        &mut self,
        policy: &impl Policy<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Popped<HeadOf<S>>, OutOfMemory> {
        self.open_states.settle(run.memory())?;
        let Self { problem, order, table, open_states, stale, .. } = self;
        let known = Known { problem, order, table, action: None };
        let frontier = &mut open_states.frontier;
        if S::Frontier::SKIPS_STALE {
            let is_current = |id, key| policy.current_f(known, id, key).is_some();
            let popped = frontier.pop_current(is_current, run.memory())?;
            return Ok(popped.map_or(Popped::Nothing, |(id, key)| {
                // After many stale entries, the last of them.
                let f = policy.current_f(known, id, key);
                f.map_or(Popped::Paused, |f| Popped::Open(Head { id, key, f }))
            }));
        }
        for _ in 0..MOST_STALE {
            let Some((id, key)) = frontier.pop(run.memory())? else { return Ok(Popped::Nothing) };
            if let Some(f) = policy.current_f(known, id, key) {
                return Ok(Popped::Open(Head { id, key, f }));
            }
            *stale = stale.saturating_sub(1);
        }
        Ok(Popped::Paused)
    }

    /// Puts a state that was taken out of the frontier and not expanded back.
    pub(in crate::engine) fn put_back<O>(
        &mut self,
        head: HeadOf<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        self.open_states.settle(run.memory())?;
        self.open_states.frontier.push(head.id, head.key, run.memory())
    }

    /// Opens a state again that was closed a moment ago and pushed fewer entries than there was room for.
    pub(in crate::engine) fn reopen<O>(
        &mut self,
        id: S::Id,
        key: S::Key,
        run: &mut Run<S::Cost, O>,
    ) {
        self.table.update(id, |record| record.reach(record.g(), record.parent()));
        self.open += 1;
        self.open_states.push(id, key, run.memory());
    }

    /// Removes the stale entries of the frontier.
    #[cold]
    #[inline(never)]
    pub(super) fn compact(&mut self, policy: &impl Policy<S>) {
        self.stale = 0;
        let Self { problem, order, table, open_states, .. } = self;
        let known = Known { problem, order, table, action: None };
        open_states.frontier.retain(|id, key| policy.current_f(known, id, key).is_some());
    }

    /// Makes room for `states` states to be set aside.
    pub(in crate::engine) fn make_room_aside(
        &mut self,
        states: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.open_states.aside, states)
    }

    /// Sets an open state aside.
    #[cold]
    pub(in crate::engine) fn set_aside<O>(
        &mut self,
        id: S::Id,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        self.make_room_aside(1, run.memory())?;
        self.open_states.aside.push(id);
        Ok(())
    }

    /// Makes room for all states of the frontier, and one that was taken out of it, to be set aside.
    pub(in crate::engine) fn make_room_for_all_aside(
        &mut self,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.make_room_aside(self.frontier().len() + 1, memory)
    }

    /// Sets all states of the frontier aside, and this one, which was taken out of it. There must be room.
    pub(in crate::engine) fn set_all_aside(&mut self, last: Option<S::Id>) {
        let OpenStates { frontier, aside, .. } = &mut self.open_states;
        frontier.for_each(|id, _| aside.push(id));
        aside.extend(last);
        frontier.clear();
        self.stale = 0;
    }

    /// Whether any state is set aside.
    #[inline]
    pub(in crate::engine) fn has_aside(&self) -> bool {
        !self.open_states.aside.is_empty()
    }

    /// Closes the states set aside that are not worth keeping by their f, and forgets those that were
    /// expanded since. `None` if none is left; else whether any of them is within the limit on the cost.
    #[cold]
    pub(in crate::engine) fn sift_aside<O>(
        &mut self,
        policy: &impl Policy<S>,
        is_worth: impl Fn(S::Cost) -> bool,
        run: &Run<S::Cost, O>,
    ) -> Option<bool> {
        let mut aside = std::mem::take(&mut self.open_states.aside);
        let mut is_affordable = false;
        aside.retain(|&id| {
            let record = self.table.load(id);
            if record.is_closed() {
                return false;
            }
            // The heuristic is asked once: problems that answer otherwise each time have one f here, too.
            let f = self.f_of(id, &record).filter(|&f| is_worth(f));
            let Some(f) = f else {
                self.close(id);
                return false;
            };
            is_affordable |= policy.is_affordable(&self.order, f, run);
            true
        });
        self.open_states.aside = aside;
        self.has_aside().then_some(is_affordable)
    }

    /// The states set aside are to be put into the frontier again, each once.
    pub(in crate::engine) fn begin_recall(&mut self) {
        let OpenStates { aside, recalls, .. } = &mut self.open_states;
        if S::Frontier::SKIPS_STALE {
            // Such a frontier has several entries of a state, and each of them may have been taken out.
            aside.sort_unstable_by_key(|id| id.index());
            aside.dedup();
        }
        *recalls = true;
    }

    /// Whether states set aside are to be put into the frontier before anything is expanded.
    #[inline]
    pub(in crate::engine) fn is_recalling(&self) -> bool {
        self.open_states.recalls
    }

    /// Puts some of the states set aside into the frontier and closes those that are not worth it any more.
    /// Returns whether all are done.
    #[cold]
    pub(in crate::engine) fn recall_some<O>(
        &mut self,
        policy: &mut impl Policy<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<bool, OutOfMemory> {
        self.open_states.settle(run.memory())?;
        let OpenStates { frontier, aside, .. } = &mut self.open_states;
        policy.make_room_to_recall(frontier, aside.len().min(MOST_RECALLED), run.memory())?;
        for _ in 0..MOST_RECALLED {
            let Some(&id) = self.open_states.aside.last() else {
                self.open_states.recalls = false;
                return Ok(true);
            };
            let record = self.record(id);
            if !record.is_closed() {
                let (g, h) = (record.g(), self.h_of(id, &record));
                match g.checked_add(h).filter(|&f| policy.is_worth(f)) {
                    Some(f) => {
                        let known = self.known();
                        let key = policy.key(known, id, (g, h, f), &mut run.stats);
                        self.open_states.frontier.push(id, key, run.memory())?;
                    }
                    None => {
                        self.close(id);
                    }
                }
            }
            self.open_states.aside.pop();
        }
        Ok(false)
    }

    /// The least f of the states that are open, apart from those that were taken out: no solution that
    /// begins like a path to one of them costs less. Takes one pass over the frontier.
    #[cold]
    pub(in crate::engine) fn least_open_f(&self) -> Option<S::Cost> {
        let mut least: Option<S::Cost> = None;
        self.for_each_open_f(|f| least = Some(least.map_or(f, |least| smaller(least, f))));
        least
    }

    /// Calls `visit` with the f of every state that is open, apart from those that were taken out. A state may
    /// be visited more than once.
    pub(in crate::engine) fn for_each_open_f(&self, mut visit: impl FnMut(S::Cost)) {
        let mut look_at = |id| {
            let record = self.record(id);
            if !record.is_closed()
                && let Some(f) = self.f_of(id, &record)
            {
                visit(f);
            }
        };
        let OpenStates { frontier, waiting, aside, .. } = &self.open_states;
        frontier.for_each(|id, _| look_at(id));
        for &(id, _) in waiting {
            look_at(id);
        }
        for &id in aside {
            look_at(id);
        }
    }

    /// Counts the expansion of an open state with `generated` successors, calls the observer, and closes the state; returns
    /// its record. Its layer must have [begun](Run::begin_layer).
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    pub(in crate::engine) fn begin_expansion<O: Observer<S::State, S::Cost>>(
        &mut self,
        id: S::Id,
        generated: u64,
        run: &mut Run<S::Cost, O>,
    ) -> S::Record {
        run.stats.expanded += 1;
        run.stats.generated += generated;
        let record = self.close(id);
        if O::LISTENS {
            let h = self.h_of(id, &record);
            let tell = |state: &S::State| run.observer.expanded(state, record.g(), h);
            self.table.with_state(id, tell);
        }
        record
    }

    /// Closes an open state; returns its record.
    #[inline]
    pub(in crate::engine) fn close(&mut self, id: S::Id) -> S::Record {
        // A heuristic that answers otherwise each time makes the count wrong, and nothing else.
        self.open = self.open.saturating_sub(1);
        self.table.update(id, |record| {
            record.close();
            *record
        })
    }
}
