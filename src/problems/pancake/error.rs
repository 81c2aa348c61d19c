//! [`StackError`]: errors of stacks.

use std::fmt;

use super::stack::MOST;

/// An invalid stack of pancakes, or an invalid size of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StackError {
    /// There are fewer than two pancakes, or more than 16.
    Size {
        /// The number of pancakes.
        pancakes: usize,
    },
    /// The stack has another number of pancakes than the puzzle.
    OtherSize {
        /// The number of pancakes of the stack.
        pancakes: usize,
        /// That of the puzzle.
        expected: usize,
    },
    /// A pancake is larger than the largest one.
    TooLarge {
        /// Its place in the stack, from 0 on top.
        place: usize,
        /// The pancake.
        pancake: u8,
        /// The largest one.
        largest: u8,
    },
    /// A pancake occurs twice.
    Twice {
        /// The second of its places in the stack, from 0 on top.
        place: usize,
        /// The pancake.
        pancake: u8,
    },
}

impl fmt::Display for StackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { pancakes } => {
                write!(f, "{pancakes} pancakes: there must be 2 to {MOST}")
            }
            Self::OtherSize { pancakes, expected } => {
                write!(f, "the stack has {pancakes} pancakes, but the puzzle has {expected}")
            }
            Self::TooLarge { place, pancake, largest } => {
                write!(
                    f,
                    "place {place} has the pancake {pancake}, but the largest one is {largest}"
                )
            }
            Self::Twice { place, pancake } => {
                write!(f, "place {place} has the pancake {pancake}, which is also further up")
            }
        }
    }
}

impl std::error::Error for StackError {}
