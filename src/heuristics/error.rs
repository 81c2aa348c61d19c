//! [`BuildError`] and [`FileError`]: why there is no pattern database.

use std::error::Error;
use std::{fmt, io};

use crate::report::{SearchError, StopReason};

/// Why a pattern database could not be built.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildError<C> {
    /// The abstraction is not a valid problem.
    Search(SearchError<C>),
    /// A limit was reached. Nothing is kept of what was done.
    Stopped(StopReason),
    /// A step costs neither 0 nor 1, and the builder by [bits](super::PatternDatabaseBuilder::bits) knows no
    /// other costs.
    Step {
        /// The cost of the step.
        cost: C,
    },
    /// A key is not below the [number of keys](super::PatternDatabaseBuilder::bits) that was stated.
    Key {
        /// The key.
        key: usize,
        /// The number of keys.
        count: usize,
    },
    /// The system could not start the threads.
    Threads,
}

impl<C> From<SearchError<C>> for BuildError<C> {
    fn from(fault: SearchError<C>) -> Self {
        Self::Search(fault)
    }
}

impl<C: fmt::Debug> fmt::Display for BuildError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(fault) => write!(f, "the abstraction cannot be searched: {fault}"),
            Self::Stopped(reason) => {
                write!(f, "the database is not complete: {reason}")
            }
            Self::Step { cost } => write!(
                f,
                "a step of the abstraction costs {cost:?}; a builder by bits needs costs of 0 or 1"
            ),
            Self::Key { key, count } => {
                write!(f, "an abstract state has the key {key}, but there are only {count} keys")
            }
            Self::Threads => f.write_str("the system could not start the threads; use fewer"),
        }
    }
}

impl<C: fmt::Debug + 'static> Error for BuildError<C> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Search(fault) => Some(fault),
            _ => None,
        }
    }
}

/// Why a file is not the pattern database that was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The file could not be read or written.
    Io(io::Error),
    /// It does not begin as a pattern database does.
    NotADatabase,
    /// It was written in another version of the format.
    Version {
        /// The version of the file.
        found: u32,
        /// The version that this crate reads.
        expected: u32,
    },
    /// It is a database of something else.
    Label {
        /// What the file says that it holds.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// It is shorter or longer than it says.
    Length {
        /// How many entries are in the file; if it is too long, at least so many.
        found: u64,
        /// How many it says that it has.
        expected: u64,
    },
    /// The checksum is wrong: the file is damaged.
    Checksum {
        /// The checksum of what the file holds.
        found: u64,
        /// The checksum that is stored in it.
        expected: u64,
    },
    /// There is no memory for it.
    OutOfMemory {
        /// How many bytes are needed.
        bytes: u64,
    },
}

impl From<io::Error> for FileError {
    fn from(fault: io::Error) -> Self {
        Self::Io(fault)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(fault) => fault.fmt(f),
            Self::NotADatabase => f.write_str("this is not a pattern database"),
            Self::Version { found, expected } => write!(
                f,
                "the pattern database has version {found} of the format, expected {expected}; build it again"
            ),
            Self::Label { found, expected } => {
                write!(f, "this is a pattern database of `{found}`, expected `{expected}`")
            }
            Self::Length { found, expected } if found < expected => write!(
                f,
                "the pattern database is cut off: found {found} of {expected} bytes; build it again"
            ),
            Self::Length { expected, .. } => write!(
                f,
                "the pattern database has {expected} bytes, but the file goes on; build it again"
            ),
            Self::Checksum { found, expected } => write!(
                f,
                "the pattern database is damaged: its checksum is {found:016x}, expected \
                 {expected:016x}; build it again"
            ),
            Self::OutOfMemory { bytes } => {
                write!(f, "the pattern database needs {bytes} bytes, which cannot be allocated")
            }
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(fault) => Some(fault),
            _ => None,
        }
    }
}
