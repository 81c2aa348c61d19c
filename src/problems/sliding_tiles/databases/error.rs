//! [`PartitionError`]: why tiles cannot be divided in this way.

use std::error::Error;
use std::fmt;

use super::partition::{MOST_CELLS, MOST_GROUPS, MOST_TILES};

/// An invalid [`Partition`](super::Partition). Columns are counted from 1; they are those of the text, or of
/// the number of the tile in the lists where there is no text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartitionError {
    /// No board has this size, or none with more cells than pattern databases are made for.
    Size {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
    },
    /// There is no group, or one without tiles.
    Empty {
        /// The column.
        column: usize,
    },
    /// A word is not a number.
    NotANumber {
        /// The column.
        column: usize,
        /// The first characters of the word.
        found: String,
    },
    /// It is the name of a ready partition of boards of another size.
    OtherSize {
        /// The number of columns and of rows that it is for.
        side: usize,
    },
    /// The board has no such tile. (0 is the blank.)
    NoTile {
        /// The column.
        column: usize,
        /// The number.
        number: usize,
        /// The number of the last tile.
        most: usize,
    },
    /// A tile occurs twice.
    Twice {
        /// The column of the second occurrence.
        column: usize,
        /// The number of the tile.
        number: usize,
    },
    /// A group has too many tiles: its database would not fit into any memory.
    TooManyTiles {
        /// The column of the group, or of the first tile that is too many.
        column: usize,
    },
    /// There are too many groups.
    TooManyGroups {
        /// The number of groups.
        found: usize,
        /// The maximum number: half as many with their reflections.
        most: usize,
    },
    /// Only square boards can be reflected.
    NotSquare {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
    },
}

impl fmt::Display for PartitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height } => write!(
                f,
                "a board of {width}×{height} cannot have pattern databases; it must have at least 2 and \
                 at most {MOST_CELLS} cells"
            ),
            Self::Empty { column } => write!(f, "column {column}: a group has no tiles"),
            Self::NotANumber { column, found } => write!(
                f,
                "column {column}: `{found}` is not the number of a tile; tiles are separated by \
                 commas, groups by slashes: 1,2,3/4,5"
            ),
            Self::OtherSize { side } => {
                write!(f, "this partition is for boards of {side}×{side}")
            }
            Self::NoTile { column, number, most } => write!(
                f,
                "column {column}: there is no tile {number}; tiles are numbered from 1 to {most}"
            ),
            Self::Twice { column, number } => {
                write!(f, "column {column}: tile {number} occurs twice")
            }
            Self::TooManyTiles { column } => write!(
                f,
                "column {column}: the group has too many tiles; it may have at most {MOST_TILES}, on large \
                 boards fewer"
            ),
            Self::TooManyGroups { found, most } => write!(
                f,
                "found {found} groups, expected at most {most} ({MOST_GROUPS} without reflection)"
            ),
            Self::NotSquare { width, height } => {
                write!(f, "a board of {width}×{height} has no reflection; it must be square")
            }
        }
    }
}

impl Error for PartitionError {}
