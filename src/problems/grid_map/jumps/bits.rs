//! [`BlockedBits`]: a bit for each cell of a map, scanned 64 at a time.

use crate::problems::grid_map::{Cell, GridMap};
use crate::problems::memory::{self, OutOfMemory};

/// The blocked cells of a map, one bit each, line after line. The surroundings of the map are blocked: a line
/// above and below, a word to the left, and at least one bit to the right.
#[derive(Clone, Debug)]
pub(super) struct BlockedBits {
    words: Vec<u64>,
    /// The number of words of a line.
    stride: usize,
}

/// Where a scan along a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At a jump point, at this distance.
    JumpPoint(u16),
    /// At a blocked cell, at this distance.
    Blocked(u16),
}

impl BlockedBits {
    /// Returns the bits of the rows of a map.
    pub(super) fn rows(map: &GridMap) -> Result<Self, OutOfMemory> {
        Self::new(map.width(), map.height(), |place, line| map.is_free(Cell { x: place, y: line }))
    }

    /// Returns the bits of the columns of a map.
    pub(super) fn columns(map: &GridMap) -> Result<Self, OutOfMemory> {
        Self::new(map.height(), map.width(), |place, line| map.is_free(Cell { x: line, y: place }))
    }

    fn new(
        places: u16,
        lines: u16,
        is_free: impl Fn(u16, u16) -> bool,
    ) -> Result<Self, OutOfMemory> {
        // A window may begin in the word of the first blocked place after the line, and takes in one more.
        let stride = 1 + usize::from(places) / 64 + 2;
        let mut words = memory::filled(u64::MAX, (usize::from(lines) + 2) * stride)?;
        for line in 0..lines {
            let words = &mut words[(usize::from(line) + 1) * stride + 1..];
            for place in (0..places).filter(|&place| is_free(place, line)) {
                words[usize::from(place) / 64] &= !(1 << (place % 64));
            }
        }
        Ok(Self { words, stride })
    }

    /// Returns the 64 bits of a line from a bit on; the first place of a line is the bit 64.
    #[inline]
    fn window(&self, line: usize, bit: usize) -> u64 {
        let word = line * self.stride + bit / 64;
        let both = u128::from(self.words[word]) | u128::from(self.words[word + 1]) << 64;
        #[expect(clippy::cast_possible_truncation, reason = "the upper bits are not in the window")]
        {
            (both >> (bit % 64)) as u64
        }
    }

    /// Scans a line upwards from a free place, to the next jump point or blocked place.
    ///
    /// A jump point is a place beside which a line opens: the place beside it is free, and the one before that is
    /// blocked.
    #[inline]
    pub(super) fn scan_up(&self, line: u16, place: u16) -> End {
        let line = usize::from(line) + 1;
        let mut steps = 0;
        loop {
            let bit = 64 + usize::from(place) + usize::from(steps);
            let [before, blocked, after] =
                [line - 1, line, line + 1].map(|line| self.window(line, bit));
            let opens = (!before & (before << 1)) | (!after & (after << 1));
            let ends = opens | blocked;
            if ends != 0 {
                return end(steps, ends.trailing_zeros(), blocked >> ends.trailing_zeros() & 1);
            }
            // The last place is also the first one of the next window.
            steps += 63;
        }
    }

    /// Scans a line downwards, likewise.
    #[inline]
    pub(super) fn scan_down(&self, line: u16, place: u16) -> End {
        let line = usize::from(line) + 1;
        let mut steps = 0;
        loop {
            // The place is the last bit of the window.
            let bit = usize::from(place) - usize::from(steps) + 1;
            let [before, blocked, after] =
                [line - 1, line, line + 1].map(|line| self.window(line, bit));
            let opens = (!before & (before >> 1)) | (!after & (after >> 1));
            let ends = opens | blocked;
            if ends != 0 {
                return end(steps, ends.leading_zeros(), blocked << ends.leading_zeros() >> 63);
            }
            steps += 63;
        }
    }

    /// Whether the line before, and the line after, opens beside a place that was reached by a step upwards
    /// (`back` is −1) or downwards (1).
    #[inline]
    pub(super) fn opens(&self, line: u16, place: u16, back: i16) -> [bool; 2] {
        let line = usize::from(line) + 1;
        let bit = (64 + usize::from(place)).wrapping_add_signed(back.into());
        [line - 1, line + 1].map(|line| {
            let is_blocked =
                |bit: usize| self.words[line * self.stride + bit / 64] >> (bit % 64) & 1;
            is_blocked(bit) == 1 && is_blocked(64 + usize::from(place)) == 0
        })
    }
}

/// Returns the end of a scan after `steps` and `more` steps.
#[inline]
fn end(steps: u16, more: u32, is_blocked: u64) -> End {
    #[expect(clippy::cast_possible_truncation, reason = "less than 64")]
    let steps = steps + more as u16;
    if is_blocked == 1 { End::Blocked(steps) } else { End::JumpPoint(steps) }
}
