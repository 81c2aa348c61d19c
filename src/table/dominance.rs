//! A table that treats dominated states as duplicates.

use super::{CostRecord, Full, HashedTable, Lookup, Record, StateId, Table};
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::memory::Memory;
use crate::problem::Dominance;

/// A [`HashedTable`] that treats a state as a duplicate if a stored state dominates it at no greater cost. A builder's
/// [`dominance`](crate::AStar::dominance) selects it.
///
/// The undominated states with one key form a list. A lookup compares a state with those in the list that cost no more.
/// A state that is stored, or reached at a smaller cost, removes the states that it dominates from the list and closes
/// them, so that they are not expanded.
///
/// It takes the memory of a hashed table, 4 bytes for each state (8 bytes if ids have 64 bits), and an entry for every
/// key.
#[derive(Clone)]
pub struct DominanceTable<N: Dominance, R: Record> {
    problem: N,
    states: HashedTable<N::State, R>,
    /// For each key, the first state in its list, stored as the parent of the record.
    first: HashedTable<N::Key, CostRecord<R::Cost, R::Id>>,
    /// For each state, the next one in its list; [`StateId::VACANT`] if it is in none.
    next: Vec<R::Id>,
}

/// Marks a state that is in no list.
fn out<I: StateId>() -> I {
    I::VACANT
}

impl<N: Dominance, R: Record> DominanceTable<N, R> {
    /// Creates an empty table. It is not public, because engines that search backwards, or keep several paths to a
    /// state, must not use one.
    pub(crate) fn new(problem: N) -> Self {
        Self {
            problem,
            states: HashedTable::default(),
            first: HashedTable::default(),
            next: Vec::new(),
        }
    }
}

impl<N: Dominance, R: Record> DominanceTable<N, R> {
    /// Returns the first state in the list of a key.
    #[inline]
    fn first_with(&self, hash: u64, key: &N::Key) -> R::Id {
        match self.first.find(hash, key, |_| true) {
            Lookup::Improved(id) => self.first.load(id).parent(),
            _ => StateId::NONE,
        }
    }

    /// Whether the state `id` dominates the state `other` at no greater cost.
    #[inline]
    fn replaces(&self, id: R::Id, other: R::Id) -> bool {
        self.states.load(id).g() <= self.states.load(other).g()
            && self.states.with_state(id, |state| {
                self.states.with_state(other, |other| self.problem.dominates(state, other))
            })
    }

    /// Moves a stored state to the front of the list of its key, and removes those that it dominates.
    fn join(&mut self, id: R::Id) {
        let key = self.states.with_state(id, |state| self.problem.key(state));
        let hash = self.first.key(&key);
        let mut front = StateId::NONE;
        let mut last: R::Id = StateId::NONE;
        let mut at = self.first_with(hash, &key);
        while at != StateId::NONE {
            let next = self.next[at.index()];
            if at == id || self.replaces(id, at) {
                self.next[at.index()] = out();
                if at != id {
                    self.states.update(at, Record::close);
                }
            } else {
                if last == StateId::NONE {
                    front = at;
                } else {
                    self.next[last.index()] = at;
                }
                last = at;
            }
            at = next;
        }
        if last != StateId::NONE {
            self.next[last.index()] = StateId::NONE;
        }
        self.next[id.index()] = front;
        let record = CostRecord::new(R::Cost::ZERO, R::Cost::ZERO, id);
        match self.first.find(hash, &key, |_| true) {
            Lookup::Improved(group) => self.first.store(group, record),
            Lookup::Vacant(slot) => {
                self.first.insert(hash, slot, key, record);
            }
            // A hashed table returns neither.
            Lookup::NotImproved | Lookup::OutOfRange { .. } => {}
        }
    }
}

impl<N: Dominance, R: Record> Table<N::State> for DominanceTable<N, R> {
    type Record = R;
    type Key = u64;
    const CLOSES: bool = true;

    #[inline]
    fn len(&self) -> usize {
        self.states.len()
    }

    fn clear(&mut self) {
        self.states.clear();
        self.first.clear();
        self.next.clear();
    }

    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), Full> {
        self.states.reserve(additional, memory)?;
        self.first.reserve(additional, memory)?;
        Ok(memory.reserve(&mut self.next, additional)?)
    }

    #[inline]
    fn key(&self, state: &N::State) -> u64 {
        self.states.key(state)
    }

    #[inline]
    fn find(&self, hash: u64, state: &N::State, improves: impl Fn(&R) -> bool) -> Lookup<R::Id> {
        let key = self.problem.key(state);
        let mut at = self.first_with(self.first.key(&key), &key);
        while at != StateId::NONE {
            let dominates = |other: &N::State| self.problem.dominates(other, state);
            if !improves(&self.states.load(at)) && self.states.with_state(at, dominates) {
                return Lookup::NotImproved;
            }
            at = self.next[at.index()];
        }
        self.states.find(hash, state, improves)
    }

    #[inline]
    fn insert(&mut self, hash: u64, slot: usize, state: N::State, record: R) -> R::Id {
        let id = self.states.insert(hash, slot, state, record);
        self.next.push(out());
        self.join(id);
        id
    }

    fn id_of(&self, state: &N::State) -> Option<R::Id> {
        self.states.id_of(state)
    }

    #[inline]
    fn load(&self, id: R::Id) -> R {
        self.states.load(id)
    }

    fn store(&mut self, id: R::Id, record: R) {
        self.update(id, |stored| *stored = record);
    }

    #[inline]
    fn update<T>(&mut self, id: R::Id, change: impl FnOnce(&mut R) -> T) -> T {
        let before = self.states.load(id).g();
        let outcome = self.states.update(id, change);
        if self.states.load(id).g() < before {
            self.join(id);
        }
        outcome
    }

    #[inline]
    fn with_state<T>(&self, id: R::Id, look: impl FnOnce(&N::State) -> T) -> T {
        self.states.with_state(id, look)
    }

    fn for_each(&self, visit: impl FnMut(R::Id, &N::State, &R)) {
        self.states.for_each(visit);
    }
}

show_fields! {
    [N: Dominance, R: Record] DominanceTable<N, R>,
    "DominanceTable" (this) { states = this.next.len() }
}
