//! [`Numbers`]: the jump points of a map, numbered without gaps.

use super::bits::BlockedBits;
use super::route::{ARRIVALS, Arrival, JumpPoint};
use crate::problems::grid_map::GridMap;
use crate::problems::memory::{self, OutOfMemory};

/// The numbers of all pairs of a cell and a straight direction in which it is a jump point.
///
/// Few pairs are. Numbers without gaps keep the records of those that a search reaches close together.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// For each direction and every 64 cells which of them are jump points, and how many there are before.
    words: Vec<Word>,
    /// The number of words for a direction.
    stride: usize,
    /// The jump points in the order of their numbers.
    points: Vec<JumpPoint>,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    bits: u64,
    before: usize,
}

impl Numbers {
    pub(super) fn new(
        map: &GridMap,
        rows: &BlockedBits,
        columns: &BlockedBits,
    ) -> Result<Self, OutOfMemory> {
        let stride = map.terrain.len().div_ceil(64);
        let mut words = memory::with_capacity(stride * 4)?;
        let mut points = Vec::new();
        for &arrival in &ARRIVALS[..4] {
            for first in (0..map.terrain.len()).step_by(64) {
                let mut word = Word { bits: 0, before: points.len() };
                for index in first..(first + 64).min(map.terrain.len()) {
                    let cell = map.cell(index);
                    if map.exits[index] != 0 && arrival.opens(rows, columns, cell) != [false; 2] {
                        word.bits |= 1 << (index - first);
                        memory::push(&mut points, JumpPoint { cell, arrival })?;
                    }
                }
                words.push(word);
            }
        }
        Ok(Self { words, stride, points })
    }

    /// How many jump points there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns the number of a jump point whose cell has this index; `None` if there is none in that direction.
    #[inline]
    pub(super) fn number(&self, arrival: Arrival, index: usize) -> Option<usize> {
        let word = self.words.get(arrival as usize * self.stride + index / 64)?;
        let bit = 1 << (index % 64);
        let is_jump_point = word.bits & bit != 0;
        is_jump_point.then(|| word.before + (word.bits & (bit - 1)).count_ones() as usize)
    }

    /// Returns the jump point with this number.
    #[inline]
    pub(super) fn point(&self, number: usize) -> Option<JumpPoint> {
        self.points.get(number).copied()
    }
}
