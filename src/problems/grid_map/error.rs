//! [`MapError`]: why a map cannot be constructed.

use std::error::Error;
use std::fmt;

use super::Cell;
use crate::problems::memory::OutOfMemory;
use crate::problems::{ParseError, Position};

/// An invalid map. (One that cannot be read is a [`ParseError`].)
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapError {
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
    /// There is not enough memory for the map.
    OutOfMemory {
        /// The number of rows.
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

/// The error of a text that describes a map too large for the memory.
pub(super) fn too_large(fault: OutOfMemory) -> ParseError {
    let message = "the text is too large for the available memory; use a smaller file or map, or raise the memory limit";
    Position::START.out_of_memory(fault, message)
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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
