//! A table for states that number themselves.

use std::fmt;

use super::{Distance, Lookup, NO_STATE, Node, StateId, Table};
use crate::cost::Cost;
use crate::limits::{Memory, OutOfMemory};
use crate::prefetch::prefetch;
use crate::problem::DenseStates;

/// One flat list with a place for every state of the problem; no state is stored and none is hashed.
///
/// Emptying it takes constant time: every place says in which search it was written, and what an
/// earlier search wrote is not seen.
///
/// It takes `size_of` a node (g, h, parent) and 4 bytes for each state that the problem *has*.
#[derive(Clone)]
pub struct DenseTable<C> {
    places: Vec<Place<C>>,
    /// The present search. Places carry 0 before they are first written.
    search: u32,
    stored: usize,
}

#[derive(Clone, Copy, Debug)]
struct Place<C> {
    node: Node<C>,
    search: u32,
}

/// A table with fewer places stays in the caches of the processor by itself.
const CACHED: usize = 1 << 16;

impl<C> DenseTable<C> {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self { places: Vec::new(), search: 1, stored: 0 }
    }
}

impl<C: Cost> DenseTable<C> {
    /// Makes places for so many states.
    #[cold]
    #[inline(never)]
    fn lay_out(&mut self, count: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if count > NO_STATE as usize {
            return Err(OutOfMemory);
        }
        let blank = Place { node: Node::new(C::ZERO, C::ZERO, NO_STATE), search: 0 };
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

impl<C> Default for DenseTable<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: DenseStates> Table<P> for DenseTable<P::Cost> {
    /// The number that a state gives itself.
    type Key = usize;

    #[inline]
    fn len(&self) -> usize {
        self.stored
    }

    fn clear(&mut self) {
        self.stored = 0;
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            // After 2³² searches the stamps begin anew.
            for place in &mut self.places {
                place.search = 0;
            }
            self.search = 1;
        }
    }

    #[inline]
    fn reserve(
        &mut self,
        problem: &P,
        _additional: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let count = problem.state_count();
        if self.places.len() >= count { Ok(()) } else { self.lay_out(count, memory) }
    }

    /// Never scattered: on maps, roads and crucibles, to ask for all successors early took longer than to
    /// wait for those that are not there yet.
    #[inline]
    fn distance(&self) -> Distance {
        if self.places.len() > CACHED { Distance::Far } else { Distance::Near }
    }

    #[inline]
    fn key(&self, problem: &P, state: &P::State) -> usize {
        problem.state_index(state)
    }

    #[inline]
    fn fetch(&self, index: usize) {
        prefetch(&self.places, index);
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "below the count, which fits")]
    fn find(&self, index: usize, _state: &P::State, g: P::Cost) -> Lookup {
        let Some(place) = self.places.get(index) else {
            return Lookup::OutOfRange { index, count: self.places.len() };
        };
        let is_vacant = place.search != self.search;
        // Not `||`: one branch is enough for what is mostly so, known at no more.
        if !(is_vacant | (g < place.node.g())) {
            Lookup::NoCheaper
        } else if is_vacant {
            Lookup::Vacant(index)
        } else {
            Lookup::Cheaper(index as StateId)
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "find() has compared it with the count")]
    fn insert(
        &mut self,
        index: usize,
        _place: usize,
        _state: P::State,
        node: Node<P::Cost>,
    ) -> StateId {
        self.places[index] = Place { node, search: self.search };
        self.stored += 1;
        index as StateId
    }

    fn id_of(&self, problem: &P, state: &P::State) -> Option<StateId> {
        let index = problem.state_index(state);
        let place = self.places.get(index)?;
        let is_stored = place.search == self.search;
        #[expect(clippy::cast_possible_truncation, reason = "below the count, which fits")]
        is_stored.then_some(index as StateId)
    }

    #[inline]
    fn node(&self, id: StateId) -> &Node<P::Cost> {
        &self.places[id as usize].node
    }

    #[inline]
    fn node_mut(&mut self, id: StateId) -> &mut Node<P::Cost> {
        &mut self.places[id as usize].node
    }

    #[inline]
    fn with_state<R>(&self, problem: &P, id: StateId, look: impl FnOnce(&P::State) -> R) -> R {
        look(&problem.state_at(id as usize))
    }

    #[inline]
    fn prefetch(&self, id: StateId) {
        prefetch(&self.places, id as usize);
    }

    fn for_each(&self, problem: &P, mut visit: impl FnMut(&P::State, &Node<P::Cost>)) {
        for (index, place) in self.places.iter().enumerate() {
            if place.search == self.search {
                visit(&problem.state_at(index), &place.node);
            }
        }
    }
}

impl<C> fmt::Debug for DenseTable<C> {
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

    /// Eight states.
    struct Octave;

    impl SearchProblem for Octave {
        type State = usize;
        type Action = ();
        type Cost = u8;
        fn successors(&self, _: &usize, _: &mut Successors<Self>) {}
        fn is_goal(&self, _: &usize) -> bool {
            false
        }
    }

    impl DenseStates for Octave {
        fn state_count(&self) -> usize {
            8
        }
        fn state_index(&self, &state: &usize) -> usize {
            state
        }
        fn state_at(&self, index: usize) -> usize {
            index
        }
    }

    #[test]
    fn stamps_begin_anew_when_they_are_used_up() {
        let mut table = DenseTable::new();
        Table::reserve(&mut table, &Octave, 1, &mut Memory::new(usize::MAX)).unwrap();
        Table::<Octave>::insert(&mut table, 3, 3, 3, Node::new(5, 0, NO_STATE));
        assert_eq!((table.search, table.id_of(&Octave, &3)), (1, Some(3)));
        Table::<Octave>::clear(&mut table);
        assert_eq!((table.search, table.id_of(&Octave, &3)), (2, None));
        table.search = u32::MAX;
        Table::<Octave>::clear(&mut table);
        assert_eq!((table.search, table.id_of(&Octave, &3)), (1, None));
    }

    #[test]
    fn a_table_is_far_when_it_has_many_places() {
        let mut table = DenseTable::<u8>::new();
        let mut memory = Memory::new(usize::MAX);
        for (places, distance) in [(1 << 10, Distance::Near), (1 << 16, Distance::Near)] {
            table.lay_out(places, &mut memory).unwrap();
            assert_eq!(Table::<Octave>::distance(&table), distance);
        }
        table.lay_out((1 << 16) + 1, &mut memory).unwrap();
        assert_eq!(Table::<Octave>::distance(&table), Distance::Far);
    }
}
