//! [`RoadError`]: why a road network cannot be read or constructed.

use std::error::Error;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;

/// An invalid road network. Lines and columns are counted from 1.
#[derive(Debug)]
#[non_exhaustive]
pub enum RoadError {
    /// The file cannot be read.
    Io {
        /// The line that was being read.
        line: usize,
        /// The cause.
        error: io::Error,
    },
    /// A word is not what is expected.
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
    /// A number is too small or too large.
    OutOfRange {
        /// The line.
        line: usize,
        /// The first column of the number.
        column: usize,
        /// The number.
        number: i64,
        /// The valid numbers.
        range: RangeInclusive<i64>,
    },
    /// A line is missing.
    Missing {
        /// The format of the line.
        expected: &'static str,
    },
    /// The number of arcs or places differs from the number in the file.
    Count {
        /// The line of the number in the file.
        line: usize,
        /// The column of that number.
        column: usize,
        /// `arcs` or `places`.
        of: &'static str,
        /// The number in the file.
        declared: usize,
        /// The actual number.
        found: usize,
    },
    /// There are far more nodes than the arcs can connect.
    TooSparse {
        /// The line of the number of nodes in the file.
        line: usize,
        /// The column of that number.
        column: usize,
        /// The number of nodes.
        nodes: u32,
        /// The number of arcs.
        arcs: usize,
    },
    /// There are more nodes or arcs than 32 bits can number.
    TooLarge {
        /// The number of nodes.
        nodes: u32,
        /// The number of arcs.
        arcs: usize,
    },
    /// There is not enough memory for the network.
    OutOfMemory {
        /// The number of nodes.
        nodes: usize,
        /// The number of arcs; those read so far, if the file was being read.
        arcs: usize,
        /// The size in bytes of the allocation that failed.
        bytes: u64,
    },
}

impl fmt::Display for RoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { line, error } => write!(f, "line {line} cannot be read: {error}"),
            Self::Unexpected { line, column, found, expected } if found.is_empty() => {
                write!(
                    f,
                    "line {line}, column {column}: found the end of the line, expected {expected}"
                )
            }
            Self::Unexpected { line, column, found, expected } => {
                write!(f, "line {line}, column {column}: found `{found}`, expected {expected}")
            }
            Self::OutOfRange { line, column, number, range } => {
                let (least, most) = range.clone().into_inner();
                write!(
                    f,
                    "line {line}, column {column}: {number} is not between {least} and {most}"
                )
            }
            Self::Missing { expected } => write!(f, "the line {expected} is missing"),
            Self::Count { line, column, of, declared, found } => {
                write!(f, "line {line}, column {column}: found {found} {of}, expected {declared}")
            }
            Self::TooSparse { line, column, nodes, arcs } => write!(
                f,
                "line {line}, column {column}: {nodes} nodes with {arcs} arcs: the number of nodes cannot be right"
            ),
            Self::TooLarge { nodes, arcs } => write!(
                f,
                "{nodes} nodes and {arcs} arcs are too many; at most {} nodes and {} arcs can be \
                 numbered",
                u32::MAX - 1,
                u32::MAX
            ),
            Self::OutOfMemory { nodes, arcs, bytes } => write!(
                f,
                "a network of {nodes} nodes and {arcs} arcs is too large for the available memory: \
                 {bytes} bytes cannot be allocated; use a smaller network or raise the memory limit"
            ),
        }
    }
}

impl Error for RoadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
