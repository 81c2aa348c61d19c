//! A small table that says it is a large one, so that searches look ahead in it.

use bestfirst::memory::Memory;
use bestfirst::table::{CacheResidency, Full, IdOf, Lookup, Table};

#[derive(Clone, Debug, Default)]
pub struct Far<T>(pub T);

impl<S, T: Table<S>> Table<S> for Far<T> {
    type Record = T::Record;
    type Key = T::Key;

    fn residency(&self) -> CacheResidency {
        CacheResidency::Scattered
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn reserve(&mut self, more: usize, memory: &mut Memory) -> Result<(), Full> {
        self.0.reserve(more, memory)
    }

    fn key(&self, state: &S) -> T::Key {
        self.0.key(state)
    }

    fn find(
        &self,
        key: T::Key,
        state: &S,
        improves: impl Fn(&T::Record) -> bool,
    ) -> Lookup<IdOf<T, S>> {
        self.0.find(key, state, improves)
    }

    fn insert(&mut self, key: T::Key, slot: usize, state: S, record: T::Record) -> IdOf<T, S> {
        self.0.insert(key, slot, state, record)
    }

    fn id_of(&self, state: &S) -> Option<IdOf<T, S>> {
        self.0.id_of(state)
    }

    fn load(&self, id: IdOf<T, S>) -> T::Record {
        self.0.load(id)
    }

    fn store(&mut self, id: IdOf<T, S>, record: T::Record) {
        self.0.store(id, record);
    }

    fn with_state<R>(&self, id: IdOf<T, S>, look: impl FnOnce(&S) -> R) -> R {
        self.0.with_state(id, look)
    }

    fn for_each(&self, visit: impl FnMut(IdOf<T, S>, &S, &T::Record)) {
        self.0.for_each(visit);
    }

    fn prefetch_slot(&self, key: T::Key) {
        self.0.prefetch_slot(key);
    }

    fn prefetch_entry(&self, key: T::Key) {
        self.0.prefetch_entry(key);
    }

    fn prefetch(&self, id: IdOf<T, S>) {
        self.0.prefetch(id);
    }
}
