//! [`MapError`]: why a map or a scenario cannot be read or constructed.

use std::error::Error;
use std::fmt;

use super::Cell;
use crate::problems::memory::OutOfMemory;

/// An invalid map or scenario. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapError {
    /// A word or a cell is not what is expected.
    Unexpected {
        /// The line.
        line: usize,
        /// The first column of the word.
        column: usize,
        /// The first characters of the word; empty at the end of a line.
        found: String,
        /// What is expected.
        expected: &'static str,
    },
    /// A line is missing.
    Missing {
        /// The line before which it is expected.
        line: usize,
        /// The format of the missing line.
        expected: &'static str,
    },
    /// A row is longer or shorter than the others.
    Ragged {
        /// The line of the row.
        line: usize,
        /// The number of cells in the row.
        found: usize,
        /// The expected number of cells.
        expected: usize,
    },
    /// The number of rows differs from the height in the file.
    Rows {
        /// The line of the height.
        line: usize,
        /// The column of the height.
        column: usize,
        /// The number of rows.
        found: usize,
        /// The height in the file.
        expected: usize,
    },
    /// There are more than 65,535 rows or columns.
    TooLarge {
        /// The first line beyond the limit.
        line: usize,
    },
    /// A letter that must be on the map exactly once is not.
    Letter {
        /// The letter.
        letter: char,
        /// How often it is on the map.
        found: usize,
    },
    /// The cost of a cell is negative, NaN, or the infinity of its type.
    Cost {
        /// The cell.
        cell: Cell,
        /// The cost.
        cost: String,
    },
    /// Steps whose factors are negative or not numbers, or so large that the cost of a step on this map does not fit
    /// into its type.
    Factor {
        /// The factor.
        factor: String,
        /// The largest cost of a cell.
        cost: String,
    },
    /// The agent is too large.
    Size {
        /// The size.
        size: u8,
        /// The largest size: 16 on squares, 1 on hexagons.
        most: u8,
    },
    /// There is not enough memory for the map or the scenario.
    OutOfMemory {
        /// The number of rows; those read so far, if a file was being read.
        rows: usize,
        /// The number of columns.
        columns: usize,
        /// The size in bytes of the allocation that failed.
        bytes: u64,
    },
}

impl MapError {
    /// Returns the line and the column of the error, counted from 1. For a row of another length, this is the column
    /// where it ends or should end.
    #[must_use]
    pub fn place(&self) -> Option<(usize, usize)> {
        match *self {
            Self::Unexpected { line, column, .. } | Self::Rows { line, column, .. } => {
                Some((line, column))
            }
            Self::Ragged { line, found, expected } => Some((line, found.min(expected) + 1)),
            _ => None,
        }
    }

    pub(super) fn out_of_memory(rows: u16, columns: u16, fault: OutOfMemory) -> Self {
        Self::OutOfMemory { rows: rows.into(), columns: columns.into(), bytes: fault.bytes }
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected { line, column, found, expected } if found.is_empty() => {
                write!(
                    f,
                    "line {line}, column {column}: found the end of the line, expected {expected}"
                )
            }
            Self::Unexpected { line, column, found, expected } => {
                write!(f, "line {line}, column {column}: found `{found}`, expected {expected}")
            }
            Self::Missing { line, expected } => write!(f, "line {line}: {expected} is missing"),
            Self::Ragged { line, found, expected } => {
                write!(f, "line {line}: found a row of {found} cells, expected {expected}")
            }
            Self::Rows { line, column, found, expected } => {
                write!(f, "line {line}, column {column}: found {found} rows, expected {expected}")
            }
            Self::TooLarge { line } => {
                write!(f, "line {line}: a map has at most 65535 rows and 65535 columns")
            }
            Self::Letter { letter, found } => {
                write!(f, "found `{letter}` {found} times on the map, expected it once")
            }
            Self::Cost { cell, cost } => write!(
                f,
                "the cost of the cell {cell} is {cost}; it must be a number that is not negative, and less \
                 than the largest of its type"
            ),
            Self::Factor { factor, cost } => write!(
                f,
                "a step costs {factor} times the cost of a cell, which is up to {cost}; factors must not be \
                 negative, and products must fit into the type of the costs"
            ),
            Self::Size { size, most } => {
                write!(f, "an agent has the size {size}, but sizes are 1 to {most} here")
            }
            Self::OutOfMemory { rows, columns, bytes } => write!(
                f,
                "{rows} rows of {columns} columns are too large for the available memory: {bytes} bytes \
                 cannot be allocated; use a smaller file or map, or raise the memory limit"
            ),
        }
    }
}

impl Error for MapError {}
