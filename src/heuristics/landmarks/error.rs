//! [`LandmarkError`] and [`LandmarkFileError`].

use std::error::Error;
use std::fmt;
use std::io;

use crate::heuristics::stored::ListFault;
use crate::memory::OutOfMemory;
use crate::report::{SearchError, StopReason};

/// The error of building landmarks, or of using them on another problem.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LandmarkError<C> {
    /// A search from a landmark failed.
    Search(SearchError<C>),
    /// A [limit](super::LandmarkBuilder::limits) was reached.
    Stopped(StopReason),
    /// A distance has no [bucket](crate::Cost::to_bucket) from which it can be restored.
    Cost {
        /// The distance.
        cost: C,
    },
    /// The problem has more states than can be numbered.
    TooManyStates {
        /// The number of states of the problem.
        count: usize,
    },
    /// The problem has another number of states than the one from which the landmarks were built.
    OtherProblem {
        /// The number of states of the problem.
        found: usize,
        /// The number of states when the landmarks were built.
        expected: usize,
    },
    /// There is not enough memory for the distances.
    OutOfMemory {
        /// The number of bytes that could not be allocated.
        bytes: u64,
    },
}

impl<C: fmt::Debug> fmt::Display for LandmarkError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(error) => write!(f, "the search from a landmark failed: {error}"),
            Self::Stopped(reason) => write!(f, "making the landmarks was stopped: {reason}"),
            Self::Cost { cost } => write!(
                f,
                "the distance {cost:?} cannot be stored; use costs with a bucket, such as numbers that are \
                 not negative"
            ),
            Self::TooManyStates { count } => {
                write!(f, "the problem has {count} states; landmarks need fewer than 2³²")
            }
            Self::OtherProblem { found, expected } => write!(
                f,
                "the problem has {found} states, and the landmarks were made of one with {expected}; make \
                 or load them for this problem"
            ),
            Self::OutOfMemory { bytes } => write!(
                f,
                "{bytes} bytes for the distances cannot be allocated; use fewer landmarks, or compressed \
                 ones"
            ),
        }
    }
}

impl<C: fmt::Debug> Error for LandmarkError<C> {}

impl<C> From<SearchError<C>> for LandmarkError<C> {
    fn from(error: SearchError<C>) -> Self {
        Self::Search(error)
    }
}

impl<C> From<OutOfMemory> for LandmarkError<C> {
    fn from(full: OutOfMemory) -> Self {
        Self::Stopped(full.into())
    }
}

/// The error of writing or reading a file of landmarks.
#[derive(Debug)]
#[non_exhaustive]
pub enum LandmarkFileError {
    /// Reading or writing failed.
    Io(io::Error),
    /// The file does not begin like a file of landmarks.
    NotLandmarks,
    /// The file is of another version of the format.
    Version {
        /// The version of the file.
        found: u32,
        /// The version that can be read.
        expected: u32,
    },
    /// The landmarks are those of another problem: its states, steps or costs differ.
    OtherProblem,
    /// The file ends too early, is too long, or its checksum is wrong.
    Damaged,
    /// There is not enough memory for the distances.
    OutOfMemory {
        /// The number of bytes that could not be allocated.
        bytes: u64,
    },
}

impl fmt::Display for LandmarkFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the file of landmarks cannot be read or written: {error}"),
            Self::NotLandmarks => f.write_str(
                "this is no file of landmarks; expected one that `Landmarks::save` has written",
            ),
            Self::Version { found, expected } => write!(
                f,
                "the file of landmarks has version {found}, expected {expected}; make the landmarks anew"
            ),
            Self::OtherProblem => f.write_str(
                "the landmarks were made of another problem: its states, steps or costs differ; make them \
                 anew",
            ),
            Self::Damaged => f.write_str(
                "the file of landmarks is damaged: its length or checksum is wrong; make the landmarks anew",
            ),
            Self::OutOfMemory { bytes } => {
                write!(f, "{bytes} bytes for the distances in the file cannot be allocated")
            }
        }
    }
}

impl Error for LandmarkFileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for LandmarkFileError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof { Self::Damaged } else { Self::Io(error) }
    }
}

impl From<ListFault> for LandmarkFileError {
    fn from(fault: ListFault) -> Self {
        match fault {
            ListFault::Io(error) => error.into(),
            ListFault::OutOfMemory { bytes } => Self::OutOfMemory { bytes },
        }
    }
}
