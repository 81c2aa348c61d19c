//! [`HeatMapError`] and [`RunError`]: why a map or a crucible cannot be constructed.

use std::error::Error;
use std::fmt;

use super::HeatMap;

pub(super) const EMPTY: &str = "the map is empty; it needs at least one row of digits";

/// A heat map of a size that is not possible. (One that cannot be read is a [`ParseError`](crate::problems::ParseError).)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeatMapError {
    /// The map has no blocks.
    Empty,
    /// The map has more than [`HeatMap::MOST_BLOCKS`] blocks.
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// There is not enough memory for the map or for its [table](HeatMap::loss_without_turns).
    OutOfMemory {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
        /// The size in bytes of the allocation that failed.
        bytes: u64,
    },
}

impl fmt::Display for HeatMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => f.write_str(EMPTY),
            Self::TooLarge { rows, columns } => {
                let (blocks, most) = (blocks(rows, columns), HeatMap::MOST_BLOCKS);
                write!(
                    f,
                    "a map of {rows} rows and {columns} columns is too large: it has {blocks} \
                     blocks, and at most {most} blocks fit"
                )
            }
            Self::OutOfMemory { rows, columns, bytes } => {
                write_out_of_memory(f, rows, columns, bytes)
            }
        }
    }
}

impl Error for HeatMapError {}

/// A [`Crucible`](super::Crucible) that cannot be constructed: the range of run lengths is invalid, or
/// the map is too large for the available memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// The range begins with 0: a run enters at least one block.
    MinZero,
    /// The range is empty.
    MinAboveMax {
        /// The begin of the range.
        min: u32,
        /// The end of the range.
        max: u32,
    },
    /// There is not enough memory for the [table](HeatMap::loss_without_turns) of the heuristic.
    OutOfMemory {
        /// The number of rows of the map.
        rows: usize,
        /// The number of columns of the map.
        columns: usize,
        /// The size in bytes of the allocation that failed.
        bytes: u64,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::MinZero => {
                f.write_str("a run of 0 blocks is not possible; min must be at least 1")
            }
            Self::MinAboveMax { min, max } => write!(
                f,
                "a run of at least {min} and at most {max} blocks is not possible; min must not be \
                 above max"
            ),
            Self::OutOfMemory { rows, columns, bytes } => {
                write_out_of_memory(f, rows, columns, bytes)
            }
        }
    }
}

impl Error for RunError {}

fn blocks(rows: usize, columns: usize) -> u128 {
    // A product of two 64-bit numbers.
    rows as u128 * columns as u128
}

fn write_out_of_memory(
    f: &mut fmt::Formatter<'_>,
    rows: usize,
    columns: usize,
    bytes: u64,
) -> fmt::Result {
    let blocks = blocks(rows, columns);
    write!(
        f,
        "a map of {rows} rows and {columns} columns ({blocks} blocks) is too large for the available \
         memory: {bytes} bytes cannot be allocated; use a smaller map or raise the memory limit"
    )
}
