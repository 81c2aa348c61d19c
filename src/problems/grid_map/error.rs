//! [`MapError`]: why a map or a scenario cannot be read or constructed.

use std::error::Error;
use std::fmt;

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
            Self::Rows { found, expected } => {
                write!(f, "found {found} rows, expected {expected}")
            }
            Self::TooLarge { line } => {
                write!(f, "line {line}: a map has at most 65535 rows and 65535 columns")
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
