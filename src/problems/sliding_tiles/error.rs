//! [`BoardError`]: why a board or a puzzle cannot be constructed.

use std::error::Error;
use std::fmt;

/// An invalid board. (One that cannot be read is a [`ParseError`](crate::problems::ParseError).)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardError {
    /// A number is larger than the number of the last tile.
    TooLarge {
        /// Its index in the board, row by row, counted from 0.
        place: usize,
        /// The number.
        number: usize,
        /// The number of the last tile.
        most: usize,
    },
    /// A number occurs twice.
    Twice {
        /// The index of the second occurrence in the board, row by row, counted from 0.
        place: usize,
        /// The number.
        number: usize,
    },
    /// There are too many or too few numbers.
    Count {
        /// The number of numbers.
        found: usize,
        /// The expected number of columns.
        width: usize,
        /// The expected number of rows.
        height: usize,
    },
    /// No board has this size, or the representation of states cannot hold it.
    Size {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
        /// The maximum number of cells.
        most: usize,
    },
    /// The size of the board is not that of the puzzle.
    OtherSize {
        /// The number of columns of the board.
        width: usize,
        /// The number of rows of the board.
        height: usize,
        /// The numbers of columns and rows of the puzzle.
        expected: (usize, usize),
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooLarge { number, most, .. } => {
                write!(f, "there is no tile {number}; the last one is {most}")
            }
            Self::Twice { number: 0, .. } => f.write_str("the blank occurs twice"),
            Self::Twice { number, .. } => write!(f, "tile {number} occurs twice"),
            Self::Count { found, width, height } => {
                let cells = width.saturating_mul(height);
                write!(f, "found {found} numbers, expected {cells} for a board of {width}×{height}")
            }
            Self::Size { width, height, most } => {
                let cells = width as u128 * height as u128;
                let s = if cells == 1 { "" } else { "s" };
                write!(
                    f,
                    "a board of {width}×{height} has {cells} cell{s}; it must have at least 2 and at most {most}"
                )
            }
            Self::OtherSize { width, height, expected: (columns, rows) } => {
                write!(
                    f,
                    "found a board of {width}×{height}, expected {columns}×{rows} as in the puzzle"
                )
            }
        }
    }
}

impl Error for BoardError {}
