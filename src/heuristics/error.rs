//! [`BuildError`] and [`FileError`]: errors of pattern databases.

use std::error::Error;
use std::{fmt, io};

use crate::report::{SearchError, StopReason};

/// The error of building a pattern database.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildError<C> {
    /// The abstraction is not a valid problem.
    Search(SearchError<C>),
    /// A limit was reached. No partial result is kept.
    Stopped(StopReason),
    /// A step costs neither 0 nor 1; the method of [bits](super::PatternDatabaseBuilder::bits) supports no
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

/// As many characters of the label of a file are shown.
const MOST_SHOWN: usize = 100;

/// The error of writing or reading a pattern database.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The file could not be read or written.
    Io(io::Error),
    /// The file does not begin like a pattern database.
    NotADatabase,
    /// The file has another version of the format.
    Version {
        /// The version of the file.
        found: u32,
        /// The version that this crate reads.
        expected: u32,
    },
    /// The label differs: the database is of another abstraction.
    Label {
        /// The label in the file.
        found: String,
        /// The requested label.
        expected: String,
    },
    /// The file is shorter or longer than its header states.
    Length {
        /// The number of entries in the file; a lower bound if it is too long.
        found: u64,
        /// The number of entries in the header.
        expected: u64,
    },
    /// The checksum is wrong: the file is damaged.
    Checksum {
        /// The checksum of the contents of the file.
        found: u64,
        /// The checksum stored in the file.
        expected: u64,
    },
    /// There is not enough memory for the database.
    OutOfMemory {
        /// The number of bytes needed.
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
                // It may be that of any file.
                let shown: String = found.chars().take(MOST_SHOWN).collect();
                let rest = if shown.len() < found.len() { "…" } else { "" };
                let shown = shown.escape_debug();
                write!(f, "this is a pattern database of `{shown}{rest}`, expected `{expected}`")
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
