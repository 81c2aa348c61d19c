//! [`BoardError`]: why a board cannot be read or constructed.

use std::error::Error;
use std::fmt;

use super::cells::MOST_CELLS;

/// An invalid board. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardError {
    /// The text has no numbers.
    Empty,
    /// A word is not a number, or is too large for this machine.
    NotANumber {
        /// Its line.
        line: usize,
        /// Its first column.
        column: usize,
        /// The first characters of the word.
        found: String,
    },
    /// A number is larger than the number of the last tile.
    TooLarge {
        /// Its line.
        line: usize,
        /// Its first column.
        column: usize,
        /// The number.
        number: usize,
        /// The number of the last tile.
        most: usize,
    },
    /// A number occurs twice.
    Twice {
        /// The line of the second occurrence.
        line: usize,
        /// Its first column.
        column: usize,
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
    /// A row is longer or shorter than the first.
    Ragged {
        /// Its line.
        line: usize,
        /// The number of numbers in the row.
        found: usize,
        /// The number of numbers in the first row.
        expected: usize,
    },
    /// A single line of numbers is not a square board.
    NotSquare {
        /// The number of numbers.
        found: usize,
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
    /// There is not enough memory for the numbers of the text.
    OutOfMemory {
        /// The number of numbers read so far.
        found: usize,
        /// The size in bytes of the allocation that failed.
        bytes: u64,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there are no numbers; a board is a rectangle of them"),
            Self::NotANumber { line, column, found } => write!(
                f,
                "line {line}, column {column}: `{found}` is not the number of a tile; they are \
                 separated by blanks or commas, and 0 or . is the blank"
            ),
            Self::TooLarge { line, column, number, most } => write!(
                f,
                "line {line}, column {column}: there is no tile {number}; the last one is {most}"
            ),
            Self::Twice { line, column, number: 0 } => {
                write!(f, "line {line}, column {column}: the blank occurs twice")
            }
            Self::Twice { line, column, number } => {
                write!(f, "line {line}, column {column}: tile {number} occurs twice")
            }
            Self::Count { found, width, height } => {
                let cells = width.saturating_mul(*height);
                write!(f, "found {found} numbers, expected {cells} for a board of {width}×{height}")
            }
            Self::Ragged { line, found, expected } => {
                write!(
                    f,
                    "line {line}: found a row of {found} numbers, expected {expected} as in the first row"
                )
            }
            Self::NotSquare { found } => write!(
                f,
                "a single line of {found} numbers is not a square board; write one row a line"
            ),
            Self::Size { width, height, most } => write!(
                f,
                "a board of {width}×{height} has {} cells; it must have at least 2 and at most {most}",
                *width as u128 * *height as u128
            ),
            Self::OtherSize { width, height, expected: (columns, rows) } => {
                write!(
                    f,
                    "found a board of {width}×{height}, expected {columns}×{rows} as in the puzzle"
                )
            }
            Self::OutOfMemory { found, bytes } => write!(
                f,
                "more than {found} numbers are too large for the available memory: {bytes} bytes \
                 cannot be allocated; a board has at most {MOST_CELLS}"
            ),
        }
    }
}

impl Error for BoardError {}
