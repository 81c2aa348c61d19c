//! A table of labels: several paths to one state, none of which dominates another.

use super::{CacheResidency, Full, IdOf, Lookup, Record, StateId, Table};
use crate::cost::{ByCriterion, Cost, Criteria};
use crate::debug::show_fields;
use crate::memory::{Memory, OutOfMemory};
use crate::prefetch::prefetch;

/// A table of labels, for costs of several criteria. A label is a path to a state, with its own id and record; a state
/// may have many.
///
/// `states` finds states by their values. Its record of a state holds the cost of a closed label, so that with
/// two criteria one comparison decides whether a new label is dominated.
///
/// A lookup finds whether a closed label dominates a new one; labels are never improved. New labels are not compared
/// with open ones: they are compared when they are popped.
#[derive(Clone)]
pub struct LabelTable<S, T: Table<S>> {
    states: T,
    labels: Vec<Label<T::Record, IdOf<T, S>>>,
    /// The first of the freed labels, a list linked by their states.
    free: IdOf<T, S>,
    free_count: usize,
    /// The costs of closed labels besides the one in the record of their state, by the state's id.
    others: Vec<Vec<CostOf<T, S>>>,
}

/// The cost type of the records of the table `T`.
type CostOf<T, S> = <<T as Table<S>>::Record as Record>::Cost;

#[derive(Clone, Copy)]
struct Label<R, I> {
    record: R,
    state: I,
}

/// The mark of the slot of a stored state; that of a vacant slot must be zero. Where addresses have 32 bits, there is no memory for
/// so many states, or for so many groups of a hashed table, that they would have it.
const STORED: usize = 1 << (usize::BITS - 2);

/// A table with fewer labels is not prefetched: it stays in the processor's caches.
const CACHED: usize = 1 << 16;

/// The capacity of the first allocation of labels.
const FIRST_LABELS: usize = 256;

impl<S, T> LabelTable<S, T>
where
    T: Table<S>,
    CostOf<T, S>: Criteria,
{
    pub(crate) fn new(states: T) -> Self {
        Self { states, labels: Vec::new(), free: StateId::NONE, free_count: 0, others: Vec::new() }
    }

    /// Returns the costs of the closed labels of a state besides the one in its record.
    #[inline]
    fn others(&self, state: IdOf<T, S>) -> &[CostOf<T, S>] {
        self.others.get(state.index()).map_or(&[], Vec::as_slice)
    }

    /// Whether a closed label of the same state dominates this one.
    #[inline]
    pub(crate) fn is_dominated(&self, id: IdOf<T, S>) -> bool {
        let Label { record, state } = self.labels[id.index()];
        let (g, last) = (record.g(), self.states.load(state));
        last.is_closed()
            && (last.g().dominates(g) || self.others(state).iter().any(|other| other.dominates(g)))
    }

    /// Whether any closed label of a state dominates this cost, also one that dominates no later label. Takes one pass over
    /// all labels, unless one of those does that are compared with these.
    #[cold]
    pub(crate) fn has_dominated(&self, state: &S, g: CostOf<T, S>) -> bool {
        let improves = |closed: &T::Record| !closed.g().dominates(g);
        if let Lookup::NotImproved = self.find(self.key(state), state, improves) {
            return true;
        }
        let Some(id) = self.states.id_of(state) else { return false };
        self.labels.iter().any(|Label { record, state }| {
            *state == id && record.is_closed() && !record.is_vacant() && record.g().dominates(g)
        })
    }

    /// Reserves capacity for [`note_closed`](Self::note_closed).
    #[inline]
    pub(crate) fn make_room_to_close(
        &mut self,
        id: IdOf<T, S>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let Label { record, state } = self.labels[id.index()];
        let last = self.states.load(state);
        if !last.is_closed() || record.g().dominates_after_first(last.g()) {
            return Ok(());
        }
        self.make_room_for_other(state, memory)
    }

    #[inline(never)]
    fn make_room_for_other(
        &mut self,
        state: IdOf<T, S>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let missing = (state.index() + 1).saturating_sub(self.others.len());
        memory.reserve(&mut self.others, missing)?;
        self.others.extend((0..missing).map(|_| Vec::new()));
        memory.reserve(&mut self.others[state.index()], 1)
    }

    /// Records a closed label, which no closed label dominates: from now on it dominates others.
    ///
    /// Labels of a state are mostly closed in the order of their first criterion; with a consistent heuristic,
    /// always. So a closed label that this one dominates by all other criteria is no longer needed: later labels cost
    /// more than both by the first criterion. With two criteria only this one remains. (If labels are closed out of
    /// order, a removed one may be expanded again. But the other criteria decrease each time, so this terminates.)
    #[inline]
    pub(crate) fn note_closed(&mut self, id: IdOf<T, S>) {
        let Label { record, state } = self.labels[id.index()];
        let (g, last) = (record.g(), self.states.load(state));
        self.states.update(state, |stored| {
            stored.reach(g, StateId::NONE);
            stored.close();
        });
        let Some(others) = self.others.get_mut(state.index()) else { return };
        others.retain(|&other| !g.dominates_after_first(other));
        if last.is_closed() && !g.dominates_after_first(last.g()) {
            others.push(last.g());
        }
    }

    /// Frees a label that is neither open nor the parent of another.
    #[inline]
    pub(crate) fn give_back(&mut self, id: IdOf<T, S>) {
        let infinity = CostOf::<T, S>::INFINITY;
        let record = T::Record::new(infinity, infinity, StateId::VACANT);
        self.labels[id.index()] = Label { record, state: self.free };
        self.free = id;
        self.free_count += 1;
    }
}

impl<S, T> Table<S> for LabelTable<S, T>
where
    T: Table<S>,
    CostOf<T, S>: Criteria,
{
    type Record = T::Record;
    type Key = T::Key;

    /// Returns the number of labels.
    #[inline]
    fn len(&self) -> usize {
        self.labels.len() - self.free_count
    }

    fn clear(&mut self) {
        self.states.clear();
        self.labels.clear();
        (self.free, self.free_count) = (StateId::NONE, 0);
        self.others.iter_mut().for_each(Vec::clear);
    }

    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), Full> {
        self.states.reserve(additional, memory)?;
        let missing = additional.saturating_sub(self.free_count);
        if self.labels.len() + missing >= <IdOf<T, S>>::VACANT.index() {
            return Err(Full::Ids { most: <IdOf<T, S>>::VACANT.to_u64() });
        }
        Ok(memory.reserve_from(&mut self.labels, missing, FIRST_LABELS)?)
    }

    #[inline]
    fn key(&self, state: &S) -> T::Key {
        self.states.key(state)
    }

    /// A slot is the id, with the mark [`STORED`], of a stored state, and the slot of a state that is not stored.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "half of the time of a search is spent here")]
    fn find(
        &self,
        key: T::Key,
        state: &S,
        improves: impl Fn(&T::Record) -> bool,
    ) -> Lookup<IdOf<T, S>> {
        let improves_last = |last: &T::Record| !last.is_closed() || improves(last);
        match self.states.find(key, state, improves_last) {
            Lookup::Improved(id) => {
                let record = |&g| T::Record::new(g, CostOf::<T, S>::ZERO, StateId::NONE);
                let improves_all = self.others(id).iter().all(|other| improves(&record(other)));
                if improves_all { Lookup::Vacant(id.index() | STORED) } else { Lookup::NotImproved }
            }
            Lookup::Vacant(slot) => Lookup::Vacant(slot),
            Lookup::NotImproved => Lookup::NotImproved,
            Lookup::OutOfRange { index, count } => Lookup::OutOfRange { index, count },
        }
    }

    #[inline]
    fn insert(&mut self, key: T::Key, slot: usize, state: S, record: T::Record) -> IdOf<T, S> {
        let state = if slot & STORED != 0 {
            StateId::from_index(slot & !STORED)
        } else {
            let none = T::Record::new(CostOf::<T, S>::INFINITY, record.h(), StateId::NONE);
            self.states.insert(key, slot, state, none)
        };
        let id = self.free;
        if id == StateId::NONE {
            self.labels.push(Label { record, state });
            return StateId::from_index(self.labels.len() - 1);
        }
        self.free = self.labels[id.index()].state;
        self.free_count -= 1;
        self.labels[id.index()] = Label { record, state };
        id
    }

    /// Returns `None`: a state has no unique label.
    fn id_of(&self, _state: &S) -> Option<IdOf<T, S>> {
        None
    }

    #[inline]
    fn load(&self, id: IdOf<T, S>) -> T::Record {
        self.labels[id.index()].record
    }

    #[inline]
    fn store(&mut self, id: IdOf<T, S>, record: T::Record) {
        self.labels[id.index()].record = record;
    }

    #[inline]
    fn update<U>(&mut self, id: IdOf<T, S>, change: impl FnOnce(&mut T::Record) -> U) -> U {
        change(&mut self.labels[id.index()].record)
    }

    #[inline]
    fn with_state<U>(&self, id: IdOf<T, S>, look: impl FnOnce(&S) -> U) -> U {
        self.states.with_state(self.labels[id.index()].state, look)
    }

    fn for_each(&self, mut visit: impl FnMut(IdOf<T, S>, &S, &T::Record)) {
        for (index, Label { record, state }) in self.labels.iter().enumerate() {
            if !record.is_vacant() {
                let id = StateId::from_index(index);
                self.states.with_state(*state, |state| visit(id, state, record));
            }
        }
    }

    /// Never scattered: successors that are generated ahead of time are identified by the id of the label, and freed
    /// labels give their ids to others.
    #[inline]
    fn residency(&self) -> CacheResidency {
        if self.labels.len() > CACHED { CacheResidency::Local } else { CacheResidency::Cached }
    }

    #[inline]
    fn prefetch(&self, id: IdOf<T, S>) {
        prefetch(&self.labels, id.index());
    }
}

show_fields! {
    [S, T: Table<S>] LabelTable<S, T>,
    "LabelTable" (this) { labels = (this.labels.len() - this.free_count), states }
}
