//! States that are whole numbers, such as the nodes of a graph and the cells of a grid, found by these.

use std::hash::{Hash, Hasher};
use std::mem::take;

use super::StateId;
use super::coordinates::{Coordinates, Point};
use crate::memory::Memory;

/// The ids of states that are whole numbers, by these: neighbours in the graph are then neighbours in memory, as they are not by
/// their hashes.
#[derive(Clone, Debug)]
pub struct Numbers<I> {
    /// The ids by the places of states, `NONE` where there is no state. It is empty while no state is found by its numbers.
    pub(super) ids: Vec<I>,
    /// The list of a larger box while it is made; it is here so that its memory stays accounted for if the hash of a state panics.
    larger: Vec<I>,
    /// How many states are found by their numbers.
    pub(super) count: usize,
    /// How many states there were when the box was made: each of them has a place, or was left out.
    included: usize,
    /// Where states that are several numbers have their places; the place of a state that is one number is the number.
    pub(super) places: Coordinates,
}

/// When a table begins to find states that are several numbers by these.
pub trait Numbering {
    /// With fewer states, those that are two numbers are found by their hashes, and with fewer than [`FEW`], those that are more:
    /// few say little of how far apart all are in each of these.
    const FEWEST: usize;

    /// Whether the search spends most of its time with looking for states. In other searches, those of several numbers are looked
    /// for in a function of its own, so that nothing is slower as long as they are found by their hashes.
    const IS_INLINE: bool;
}

/// As soon as it is of use.
#[derive(Clone, Copy, Debug)]
pub struct Early;

impl Numbering for Early {
    const FEWEST: usize = 1 << 9;
    const IS_INLINE: bool = true;
}

/// When tables begin to be too large for the caches.
#[derive(Clone, Copy, Debug)]
pub struct Late;

impl Numbering for Late {
    const FEWEST: usize = 1 << 14;
    const IS_INLINE: bool = false;
}

/// Fewer states are not found by their numbers: these say little of those to come.
pub const FEWEST: usize = 1 << 4;

/// With fewer states, those that are more than two numbers are not found by these.
const FEW: usize = 1 << 12;

/// A list of this many ids is worth its memory however few states there are.
const SHORT: usize = 1 << 10;

/// There are at most this many places for each state.
pub const SPARSE: usize = 8;

/// Whether a state of this type may be one integer, as a node of a graph is: a type of several smaller integers has a size that is
/// not its alignment.
pub const fn may_be_one<S>() -> bool {
    size_of::<S>() == align_of::<S>()
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
    fn write_u8(&mut self, number: u8) {
        self.write_usize(usize::from(number));
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.write_usize(usize::from(number));
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

/// Returns the number of a state that hashes as one `u32` or `usize`.
#[inline]
pub fn number<S: Hash>(state: &S) -> Option<usize> {
    let mut capture = Capture { number: 0, writes: 0 };
    state.hash(&mut capture);
    if capture.writes == 1 { Some(capture.number) } else { None }
}

impl<I: StateId> Numbers<I> {
    pub const NONE: Self = Self {
        ids: Vec::new(),
        larger: Vec::new(),
        count: 0,
        included: 0,
        places: Coordinates::NONE,
    };

    /// How many states are found by their numbers.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// For how many numbers there is room.
    pub fn room(&self) -> usize {
        self.ids.len()
    }

    #[cfg(test)]
    pub fn capacity(&self) -> usize {
        self.ids.capacity() + self.larger.capacity()
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
        (self.count, self.included, self.places) = (0, 0, Coordinates::NONE);
        take(&mut self.ids)
    }

    /// From now on no state is found by its numbers. The memory is kept.
    pub fn clear(&mut self) {
        self.ids.clear();
        (self.count, self.included, self.places) = (0, 0, Coordinates::NONE);
    }

    /// Finds all states, which are one number each, by these, if they are close enough to each other and no two states have the same;
    /// returns whether it does. Otherwise nothing changes.
    pub fn include_all(
        &mut self,
        states: usize,
        number_at: &dyn Fn(usize) -> Option<usize>,
        memory: &mut Memory,
    ) -> bool {
        let most = SHORT.max(states * SPARSE);
        let mut largest = 0;
        for index in 0..states {
            match number_at(index) {
                Some(number) if number < most => largest = largest.max(number),
                _ => return false,
            }
        }
        // With spare numbers, so that it is not repeated for every larger one.
        let (before, len) = (self.ids.len(), largest + SHORT.max(largest / 4));
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

    /// Finds states that are several numbers by these, if they are close enough to each other and no two have the same; returns
    /// whether it does. Otherwise nothing changes. At most `most_others` of all states are no numbers, or not as many as most
    /// states are; these are not found so. There is one at least.
    pub fn include_points(
        &mut self,
        (states, most_others): (usize, usize),
        has_short_steps: bool,
        point_at: &dyn Fn(usize) -> Option<Point>,
        memory: &mut Memory,
    ) -> bool {
        if states < FEW && !point_at(states - 1).is_some_and(|point| point.is_two()) {
            return false;
        }
        let Some(places) =
            self.places.around((self.included, states, most_others), has_short_steps, point_at)
        else {
            return false;
        };
        if places == self.places {
            return states - self.count <= most_others;
        }
        if self.count == 0 && self.larger.capacity() == 0 {
            // That of an earlier search.
            self.larger = take(&mut self.ids);
        }
        self.larger.clear();
        if memory.grow_to(&mut self.larger, places.len(), I::NONE).is_err() {
            memory.free(take(&mut self.larger));
            return false;
        }
        let count = match self.fill_larger(states, &places, point_at) {
            // The hash of a state may have changed.
            Some(count) if states - count <= most_others => count,
            _ => {
                memory.free(take(&mut self.larger));
                return false;
            }
        };
        memory.free(self.take());
        self.ids = take(&mut self.larger);
        (self.count, self.included, self.places) = (count, states, places);
        true
    }

    /// Puts the ids of all states that have a place into the larger list; returns how many these are. `None` if two have the same.
    fn fill_larger(
        &mut self,
        states: usize,
        places: &Coordinates,
        point_at: &dyn Fn(usize) -> Option<Point>,
    ) -> Option<usize> {
        let mut count = 0;
        for index in 0..states {
            let Some(place) = point_at(index).and_then(|point| places.place_of(&point)) else {
                continue;
            };
            match self.larger.get_mut(place) {
                Some(id) if *id == I::NONE => *id = I::from_index(index),
                _ => return None,
            }
            count += 1;
        }
        Some(count)
    }
}
