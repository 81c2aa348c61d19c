//! [`BlankMove`]: the moves of the blank.

use std::fmt;

/// The direction in which the blank moves. The tile that it changes places with moves the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BlankMove {
    /// To the row above.
    Up,
    /// To the column on the left.
    Left,
    /// To the column on the right.
    Right,
    /// To the row below.
    Down,
}

impl BlankMove {
    /// All four directions, in the order in which successors are generated.
    pub const ALL: [Self; 4] = [Self::Up, Self::Left, Self::Right, Self::Down];

    /// Returns the opposite direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::numbered(3 - self as u32)
    }

    #[inline]
    const fn numbered(number: u32) -> Self {
        match number & 3 {
            0 => Self::Up,
            1 => Self::Left,
            2 => Self::Right,
            _ => Self::Down,
        }
    }
}

impl fmt::Display for BlankMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Up => "up",
            Self::Left => "left",
            Self::Right => "right",
            Self::Down => "down",
        })
    }
}

/// The possible moves of the blank, in the order of [`BlankMove::ALL`].
#[derive(Clone, Debug)]
pub struct Ways {
    /// One bit for each direction, by its number.
    pub(super) left: u8,
}

impl Iterator for Ways {
    type Item = BlankMove;

    #[inline]
    fn next(&mut self) -> Option<BlankMove> {
        if self.left == 0 {
            return None;
        }
        let way = BlankMove::numbered(self.left.trailing_zeros());
        self.left &= self.left - 1;
        Some(way)
    }
}

impl DoubleEndedIterator for Ways {
    #[inline]
    fn next_back(&mut self) -> Option<BlankMove> {
        let number = self.left.checked_ilog2()?;
        self.left &= !(1 << number);
        Some(BlankMove::numbered(number))
    }
}
