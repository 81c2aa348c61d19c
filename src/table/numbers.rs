//! States that are whole numbers, such as the nodes of a graph, found by these.

use std::hash::{Hash, Hasher};

use super::{IdParts, StateId};
use crate::memory::Memory;

/// The ids of states that are whole numbers, by these: neighbours in the graph are then neighbours in memory, as they are not by
/// their hashes.
#[derive(Clone, Debug)]
pub struct Numbers<I, W> {
    /// The ids by the places of states, `NONE` where there is no state. It is empty while no state is found by its numbers.
    pub(super) ids: Vec<I>,
    /// How many states are found by their numbers.
    pub(super) count: usize,
    /// Which numbers have places.
    pub(super) places: W,
}

/// How states are numbered: which numbers a state is, and which of these have a place in the list.
pub trait Places: Clone + Sized {
    const NONE: Self;

    /// A state has at most so many numbers.
    const MOST: usize;

    /// The numbers of a state.
    type At;

    /// Returns the numbers of a state, if it is numbers. Other states may have the same.
    fn at<S: Hash>(state: &S) -> Option<Self::At>;

    /// Returns the place of a state with these numbers; `None` if such states are found by their hashes, as they are, too, where the
    /// list does not reach to the place.
    fn place(&self, at: &Self::At) -> Option<usize>;

    /// Finds all states by their numbers, if these are close enough to each other and no two states have the same; returns whether it
    /// does. Otherwise nothing changes.
    fn include_all<I: StateId + IdParts>(
        numbers: &mut Numbers<I, Self>,
        states: usize,
        numbers_at: &dyn Fn(usize) -> Option<Self::At>,
        memory: &mut Memory,
    ) -> bool;
}

/// States that are one number, which is its place.
#[derive(Clone, Copy, Debug)]
pub struct OneNumber;

/// Fewer states are not found by their numbers: the groups of their hashes are in the caches.
pub const FEWEST: usize = 1 << 12;

/// There are at most so many places for each state.
pub const SPARSE: usize = 8;

/// Finds out what a state hashes as. The compiler knows how often a type writes, so nothing is left of it in types that are no numbers.
struct Capture {
    number: usize,
    writes: u32,
}

impl Hasher for Capture {
    #[inline]
    fn write(&mut self, _: &[u8]) {
        self.writes = 2;
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_usize(number as usize);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.number = number;
        self.writes += 1;
    }

    fn finish(&self) -> u64 {
        0
    }
}

impl Places for OneNumber {
    const NONE: Self = Self;

    const MOST: usize = 1;

    type At = usize;

    /// The number of a state that hashes as one `u32` or `usize`.
    #[inline]
    fn at<S: Hash>(state: &S) -> Option<usize> {
        let mut capture = Capture { number: 0, writes: 0 };
        state.hash(&mut capture);
        if capture.writes == 1 { Some(capture.number) } else { None }
    }

    #[inline]
    fn place(&self, number: &usize) -> Option<usize> {
        Some(*number)
    }

    #[inline]
    fn include_all<I: StateId + IdParts>(
        numbers: &mut Numbers<I, Self>,
        states: usize,
        number_at: &dyn Fn(usize) -> Option<usize>,
        memory: &mut Memory,
    ) -> bool {
        I::include_all(numbers, states, number_at, memory)
    }
}

impl<I: StateId, W: Places> Numbers<I, W> {
    pub const NONE: Self = Self { ids: Vec::new(), count: 0, places: W::NONE };

    /// How many states are found by their numbers.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// For how many numbers there is room.
    pub fn room(&self) -> usize {
        self.ids.len()
    }

    /// Inserts the id of a state at its place, where none was.
    #[inline]
    pub fn insert(&mut self, place: usize, id: I) {
        self.ids[place] = id;
        self.count += 1;
    }

    /// From now on no state is found by its numbers. Returns the list, so that its memory is freed.
    #[inline]
    pub fn take(&mut self) -> Vec<I> {
        (self.count, self.places) = (0, W::NONE);
        std::mem::take(&mut self.ids)
    }

    /// From now on no state is found by its numbers. The memory is kept.
    pub fn clear(&mut self) {
        self.ids.clear();
        (self.count, self.places) = (0, W::NONE);
    }
}

impl<I: StateId> Numbers<I, OneNumber> {
    /// See [`Places::include_all`].
    pub fn include_all(
        &mut self,
        states: usize,
        number_at: &dyn Fn(usize) -> Option<usize>,
        memory: &mut Memory,
    ) -> bool {
        if states < FEWEST {
            return false;
        }
        let mut largest = 0;
        for index in 0..states {
            match number_at(index) {
                Some(number) if number < states * SPARSE => largest = largest.max(number),
                _ => return false,
            }
        }
        // With spare numbers, so that it is not repeated for every larger one.
        let (before, len) = (self.ids.len(), largest + largest / 4 + 1);
        if memory.grow_to(&mut self.ids, len, I::NONE).is_err() {
            return false;
        }
        for index in 0..states {
            let id = I::from_index(index);
            match number_at(index).and_then(|number| self.ids.get_mut(number)) {
                Some(place) if *place == I::NONE || *place == id => *place = id,
                // Another state has this number.
                _ => {
                    self.ids.truncate(before);
                    return false;
                }
            }
        }
        self.count = states;
        true
    }
}
