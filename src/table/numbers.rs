//! States that are whole numbers, such as the nodes of a graph, found by these.

use std::hash::{Hash, Hasher};

use super::StateId;
use crate::memory::Memory;

/// The ids of states by their numbers: neighbours in the graph are then neighbours in memory, as they are not by their hashes.
#[derive(Clone, Debug)]
pub struct Numbers<I> {
    /// `NONE` where there is no state. It is empty while no state is found by its number.
    ids: Vec<I>,
    /// How many states are found by their numbers.
    count: usize,
}

/// Fewer states are not found by their numbers: the groups of their hashes are in the caches.
const FEWEST: usize = 1 << 12;

/// There are at most so many numbers for each state.
const SPARSE: usize = 8;

/// Returns the number of a state that hashes as one `u32` or `usize`. Other states may have the same.
#[inline]
pub fn number_of<S: Hash>(state: &S) -> Option<usize> {
    let mut capture = Capture { number: 0, writes: 0 };
    state.hash(&mut capture);
    if capture.writes == 1 { Some(capture.number) } else { None }
}

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

impl<I: StateId> Numbers<I> {
    pub const NONE: Self = Self { ids: Vec::new(), count: 0 };

    /// How many states are found by their numbers.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many numbers there is room for.
    pub fn places(&self) -> usize {
        self.ids.len()
    }

    /// Returns the id of the state with this number, `NONE` if there is none. `None` if states with this number are found by
    /// their hashes.
    #[inline]
    pub fn get(&self, number: usize) -> Option<I> {
        self.ids.get(number).copied()
    }

    /// Inserts the id of a state whose number has room, and had no state.
    #[inline]
    pub fn insert(&mut self, number: usize, id: I) {
        self.ids[number] = id;
        self.count += 1;
    }

    /// From now on no state is found by its number. Returns the list, so that its memory is freed.
    pub fn take(&mut self) -> Vec<I> {
        self.count = 0;
        std::mem::take(&mut self.ids)
    }

    /// From now on no state is found by its number. The memory is kept.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.count = 0;
    }

    /// Finds all states by their numbers, if these are close enough to each other and no two are equal; returns whether it does.
    /// Otherwise nothing changes.
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
