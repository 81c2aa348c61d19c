//! [`DistanceError`] and [`DistanceFileError`]: errors of landmarks and hierarchies.

use std::error::Error;
use std::{fmt, io};

use crate::memory::OutOfMemory;
use crate::report::{SearchError, StopReason};

/// [Landmarks](super::Landmarks) or a [hierarchy](super::Hierarchy) could not be made of a problem, or do not belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum DistanceError<C> {
    /// The problem is not valid, such as a step that costs less than nothing; or a distance does not fit into the cost type.
    Search(SearchError<C>),
    /// A limit was reached, or there is no memory.
    Stopped(StopReason),
    /// A distance has no [bucket](crate::Cost::to_bucket) from which it can be restored.
    Cost {
        /// The distance.
        cost: C,
    },
    /// The problem has more states than can be numbered: fewer than 2³² for landmarks, 2³⁰ for a hierarchy.
    TooManyStates {
        /// The number of states of the problem.
        count: usize,
    },
    /// The problem has another number of states than the one that was prepared.
    OtherProblem {
        /// The number of states of the problem.
        found: usize,
        /// The number of states of the problem that was prepared.
        expected: usize,
    },
    /// The problem has a step between two states that no step joined when the
    /// [`CustomizableHierarchy`](super::CustomizableHierarchy) was made; or, while landmarks are made, between two states that
    /// no steps joined before.
    OtherStep {
        /// The index of the state that it leaves.
        from: usize,
        /// The index of the state that it leads to.
        to: usize,
    },
    /// An [order](super::CustomizableHierarchyBuilder::order) does not have each state once.
    Order {
        /// The number of indices in the order.
        found: usize,
        /// The number of states of the problem.
        expected: usize,
    },
    /// There is not enough memory for the distances.
    OutOfMemory {
        /// The number of bytes that could not be allocated.
        bytes: u64,
    },
}

impl<C: fmt::Debug> fmt::Display for DistanceError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(error) => write!(f, "the problem cannot be prepared: {error}"),
            Self::Stopped(reason) => write!(f, "the preparation was stopped: {reason}"),
            Self::Cost { cost } => write!(
                f,
                "the distance {cost:?} cannot be stored; use costs with a bucket, such as numbers that are \
                 not negative"
            ),
            Self::TooManyStates { count } => {
                write!(f, "the problem has {count} states, which is more than can be numbered")
            }
            Self::OtherProblem { found, expected } => write!(
                f,
                "the problem has {found} states, and the one that was prepared has {expected}; prepare this one"
            ),
            Self::OtherStep { from, to } => write!(
                f,
                "the problem has a step between the states {from} and {to}, and the one that was prepared has \
                 none; prepare this one"
            ),
            Self::Order { found, expected } => write!(
                f,
                "the order has {found} entries; expected each of the {expected} states once"
            ),
            Self::OutOfMemory { bytes } => write!(
                f,
                "{bytes} bytes for the distances cannot be allocated; use fewer landmarks, or compressed \
                 ones"
            ),
        }
    }
}

impl<C: fmt::Debug> Error for DistanceError<C> {}

impl<C> From<SearchError<C>> for DistanceError<C> {
    fn from(error: SearchError<C>) -> Self {
        Self::Search(error)
    }
}

impl<C> From<StopReason> for DistanceError<C> {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

impl<C> From<OutOfMemory> for DistanceError<C> {
    fn from(full: OutOfMemory) -> Self {
        Self::Stopped(full.into())
    }
}

/// A file of [landmarks](super::Landmarks) or of a [hierarchy](super::Hierarchy) cannot be written or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum DistanceFileError {
    /// Reading or writing failed.
    Io(io::Error),
    /// A cost has no [bucket](crate::Cost::to_bucket) from which it can be restored.
    Cost,
    /// The file does not begin as files of this kind do.
    Kind {
        /// What was expected: `"landmarks"` or `"a hierarchy"`.
        expected: &'static str,
    },
    /// The file is of another version of the format.
    Version {
        /// The version of the file.
        found: u32,
        /// The version that can be read.
        expected: u32,
    },
    /// The file was made of another problem: its states, steps or costs differ.
    OtherProblem,
    /// The file ends too early, is too long, or its checksum is wrong.
    Damaged,
    /// There is not enough memory for what is in the file.
    OutOfMemory {
        /// The number of bytes that could not be allocated.
        bytes: u64,
    },
}

impl fmt::Display for DistanceFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the file cannot be read or written: {error}"),
            Self::Cost => f.write_str(
                "a cost cannot be stored; use costs with a bucket, such as numbers that are not negative",
            ),
            Self::Kind { expected } => {
                write!(f, "this is no file of {expected}; expected one that `save` has written")
            }
            Self::Version { found, expected } => {
                write!(f, "the file has version {found}, expected {expected}; make it anew")
            }
            Self::OtherProblem => f.write_str(
                "the file was made of another problem: its states, steps or costs differ; make it anew",
            ),
            Self::Damaged => f.write_str(
                "the file is damaged: its length or checksum is wrong; make it anew",
            ),
            Self::OutOfMemory { bytes } => {
                write!(f, "{bytes} bytes for what is in the file cannot be allocated")
            }
        }
    }
}

impl Error for DistanceFileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for DistanceFileError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof { Self::Damaged } else { Self::Io(error) }
    }
}
