//! [`HierarchyError`] and [`HierarchyFileError`].

use std::error::Error;
use std::{fmt, io};

use crate::heuristics::stored::ListFault;
use crate::memory::OutOfMemory;
use crate::report::{SearchError, StopReason};

/// A hierarchy could not be made of a problem, or does not belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum HierarchyError<C> {
    /// The problem is not valid: a step costs less than nothing, or leads to a state that is out of range.
    Search(SearchError<C>),
    /// Making the hierarchy was stopped by the [limits](super::HierarchyBuilder::limits), or there is no memory.
    Stopped(StopReason),
    /// The problem has more states than can be numbered.
    TooManyStates {
        /// The number of states of the problem.
        count: usize,
    },
    /// The problem has another number of states than the one that the hierarchy was made of.
    OtherProblem {
        /// The number of states of the problem.
        found: usize,
        /// The number of states when the hierarchy was made.
        expected: usize,
    },
}

impl<C: fmt::Debug> fmt::Display for HierarchyError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(error) => write!(f, "no hierarchy can be made of the problem: {error}"),
            Self::Stopped(reason) => write!(f, "making the hierarchy was stopped: {reason}"),
            Self::TooManyStates { count } => {
                write!(f, "the problem has {count} states; a hierarchy needs fewer than 2³⁰")
            }
            Self::OtherProblem { found, expected } => write!(
                f,
                "the problem has {found} states, and the hierarchy was made of one with {expected}; make or \
                 load it for this problem"
            ),
        }
    }
}

impl<C: fmt::Debug> Error for HierarchyError<C> {}

impl<C> From<SearchError<C>> for HierarchyError<C> {
    fn from(error: SearchError<C>) -> Self {
        Self::Search(error)
    }
}

impl<C> From<StopReason> for HierarchyError<C> {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

impl<C> From<OutOfMemory> for HierarchyError<C> {
    fn from(full: OutOfMemory) -> Self {
        Self::Stopped(full.into())
    }
}

/// A file of a hierarchy cannot be written or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum HierarchyFileError {
    /// Reading or writing failed.
    Io(io::Error),
    /// A cost has no [bucket](crate::Cost::to_bucket) from which it can be restored.
    Cost,
    /// The file does not begin as files of hierarchies do.
    NotAHierarchy,
    /// The file is of another version of the format.
    Version {
        /// The version of the file.
        found: u32,
        /// The version that can be read.
        expected: u32,
    },
    /// The hierarchy is that of another problem: its states, steps or costs differ.
    OtherProblem,
    /// The file ends too early, is too long, or its checksum is wrong.
    Damaged,
    /// There is not enough memory for the arcs.
    OutOfMemory {
        /// The number of bytes that could not be allocated.
        bytes: u64,
    },
}

impl fmt::Display for HierarchyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the file of a hierarchy cannot be read or written: {error}"),
            Self::Cost => f.write_str(
                "a cost cannot be stored; use costs with a bucket, such as numbers that are not negative",
            ),
            Self::NotAHierarchy => f.write_str(
                "this is no file of a hierarchy; expected one that `Hierarchy::save` has written",
            ),
            Self::Version { found, expected } => write!(
                f,
                "the file of a hierarchy has version {found}, expected {expected}; make the hierarchy anew"
            ),
            Self::OtherProblem => f.write_str(
                "the hierarchy was made of another problem: its states, steps or costs differ; make it anew",
            ),
            Self::Damaged => f.write_str(
                "the file of a hierarchy is damaged: its length or checksum is wrong; make the hierarchy anew",
            ),
            Self::OutOfMemory { bytes } => {
                write!(f, "{bytes} bytes for the arcs in the file cannot be allocated")
            }
        }
    }
}

impl Error for HierarchyFileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for HierarchyFileError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof { Self::Damaged } else { Self::Io(error) }
    }
}

impl From<ListFault> for HierarchyFileError {
    fn from(fault: ListFault) -> Self {
        match fault {
            ListFault::Io(error) => error.into(),
            ListFault::OutOfMemory { bytes } => Self::OutOfMemory { bytes },
        }
    }
}
