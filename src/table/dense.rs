//! A table for states that are numbered.

use std::fmt;

use super::{CacheResidency, Full, Lookup, Record, StateId, Table};
use crate::cost::Cost;
use crate::memory::Memory;
use crate::prefetch::prefetch;
use crate::problem::DenseStates;

/// A table for numbered states: one flat list with a place for every state of the problem. States are
/// neither stored nor hashed.
///
/// The table owns the numbering `N` of its states: a [`DenseStates`] problem, or a reference to one.
/// Clearing it takes constant time: each place holds the number of the search that wrote it, and places
/// that an earlier search wrote count as vacant.
///
/// It takes the size of a record and 4 bytes for each state that the problem *has*, reached or not.
#[derive(Clone)]
pub struct DenseTable<N, R> {
    numbering: N,
    places: Vec<Place<R>>,
    /// The number of the present search. Places carry 0 before they are first written.
    search: u32,
    stored: usize,
}

#[derive(Clone, Copy, Debug)]
struct Place<R> {
    record: R,
    search: u32,
}

/// A table with fewer places stays in the processor's caches without prefetching.
const CACHED: usize = 1 << 16;

impl<N: DenseStates, R: Record> DenseTable<N, R> {
    /// An empty table of states with that numbering.
    #[must_use]
    pub fn new(numbering: N) -> Self {
        Self { numbering, places: Vec::new(), search: 1, stored: 0 }
    }

    /// Makes places for `count` states.
    #[cold]
    #[inline(never)]
    fn lay_out(&mut self, count: usize, memory: &mut Memory) -> Result<(), Full> {
        if count > R::Id::NONE.index() {
            return Err(Full::Ids { most: R::Id::NONE.to_u64() });
        }
        let blank = Place { record: R::new(R::Cost::ZERO, R::Cost::ZERO, R::Id::NONE), search: 0 };
        if self.stored == 0 {
            // Nothing to keep, so nothing is copied.
            memory.free(std::mem::take(&mut self.places));
            self.places = memory.list(count, blank)?;
        } else {
            let missing = count - self.places.len();
            memory.reserve(&mut self.places, missing)?;
            self.places.resize(count, blank);
        }
        Ok(())
    }
}

impl<N: DenseStates, R: Record> Table<N::State> for DenseTable<N, R> {
    type Record = R;

    /// The index of the state.
    type Key = usize;

    #[inline]
    fn len(&self) -> usize {
        self.stored
    }

    fn clear(&mut self) {
        self.stored = 0;
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            // The numbers begin again after 2³² searches.
            for place in &mut self.places {
                place.search = 0;
            }
            self.search = 1;
        }
    }

    #[inline]
    fn reserve(&mut self, _additional: usize, memory: &mut Memory) -> Result<(), Full> {
        let count = self.numbering.state_count();
        if self.places.len() >= count { Ok(()) } else { self.lay_out(count, memory) }
    }

    #[inline]
    fn key(&self, state: &N::State) -> usize {
        self.numbering.state_index(state)
    }

    #[inline]
    fn find(
        &self,
        index: usize,
        _state: &N::State,
        improves: impl FnOnce(&R) -> bool,
    ) -> Lookup<R::Id> {
        let Some(place) = self.places.get(index) else {
            return Lookup::OutOfRange { index, count: self.places.len() };
        };
        let is_vacant = place.search != self.search;
        // Not `||`: one branch for the common case, a stored state that is not improved.
        if !(is_vacant | improves(&place.record)) {
            Lookup::NotImproved
        } else if is_vacant {
            Lookup::Vacant(index)
        } else {
            Lookup::Improved(R::Id::from_index(index))
        }
    }

    #[inline]
    fn insert(&mut self, index: usize, _slot: usize, _state: N::State, record: R) -> R::Id {
        self.places[index] = Place { record, search: self.search };
        self.stored += 1;
        R::Id::from_index(index)
    }

    fn id_of(&self, state: &N::State) -> Option<R::Id> {
        let index = self.numbering.state_index(state);
        let place = self.places.get(index)?;
        (place.search == self.search).then(|| R::Id::from_index(index))
    }

    #[inline]
    fn load(&self, id: R::Id) -> R {
        self.places[id.index()].record
    }

    #[inline]
    fn store(&mut self, id: R::Id, record: R) {
        self.places[id.index()].record = record;
    }

    #[inline]
    fn update<T>(&mut self, id: R::Id, change: impl FnOnce(&mut R) -> T) -> T {
        change(&mut self.places[id.index()].record)
    }

    #[inline]
    fn with_state<T>(&self, id: R::Id, look: impl FnOnce(&N::State) -> T) -> T {
        look(&self.numbering.state_at(id.index()))
    }

    fn for_each(&self, mut visit: impl FnMut(R::Id, &N::State, &R)) {
        for (index, place) in self.places.iter().enumerate() {
            if place.search == self.search {
                visit(R::Id::from_index(index), &self.numbering.state_at(index), &place.record);
            }
        }
    }

    /// Never scattered: on maps, roads and crucibles, prefetching all successors took longer than waiting
    /// for those that are not there yet.
    #[inline]
    fn residency(&self) -> CacheResidency {
        if self.places.len() > CACHED { CacheResidency::Local } else { CacheResidency::Cached }
    }

    #[inline]
    fn prefetch_slot(&self, index: usize) {
        prefetch(&self.places, index);
    }

    #[inline]
    fn prefetch(&self, id: R::Id) {
        prefetch(&self.places, id.index());
    }
}

impl<N, R> fmt::Debug for DenseTable<N, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DenseTable")
            .field("states", &self.stored)
            .field("places", &self.places.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{SearchProblem, Successors};
    use crate::table::CostRecord;

    /// So many states.
    struct Numbers(usize);

    impl SearchProblem for Numbers {
        type State = usize;
        type Action = ();
        type Cost = u8;
        fn successors(&self, _: &usize, _: &mut Successors<Self>) {}
        fn is_goal(&self, _: &usize) -> bool {
            false
        }
    }

    impl DenseStates for Numbers {
        fn state_count(&self) -> usize {
            self.0
        }
        fn state_index(&self, &state: &usize) -> usize {
            state
        }
        fn state_at(&self, index: usize) -> usize {
            index
        }
    }

    #[test]
    fn search_numbers_begin_again_when_they_are_used_up() {
        let mut table: DenseTable<_, CostRecord<u8>> = DenseTable::new(Numbers(8));
        table.reserve(1, &mut Memory::new(usize::MAX)).unwrap();
        table.insert(3, 3, 3, CostRecord::new(5, 0, u32::NONE));
        assert_eq!((table.search, table.id_of(&3)), (1, Some(3)));
        table.clear();
        assert_eq!((table.search, table.id_of(&3)), (2, None));
        table.search = u32::MAX;
        table.clear();
        assert_eq!((table.search, table.id_of(&3)), (1, None));
    }

    #[test]
    fn a_table_is_cached_while_it_has_few_places() {
        let mut memory = Memory::new(usize::MAX);
        for (count, residency) in [
            (1 << 10, CacheResidency::Cached),
            (1 << 16, CacheResidency::Cached),
            ((1 << 16) + 1, CacheResidency::Local),
        ] {
            let mut table: DenseTable<_, CostRecord<u8>> = DenseTable::new(Numbers(count));
            table.reserve(1, &mut memory).unwrap();
            assert_eq!(table.residency(), residency);
        }
    }

    #[test]
    fn more_states_than_ids_are_refused_by_number() {
        let mut table: DenseTable<_, CostRecord<u8>> = DenseTable::new(Numbers(1 << 31));
        let full = table.reserve(1, &mut Memory::new(usize::MAX));
        assert_eq!(full, Err(Full::Ids { most: (1 << 31) - 1 }));
    }
}
