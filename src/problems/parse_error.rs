//! [`ParseError`]: why a text cannot be read.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io;

use super::memory::OutOfMemory;

/// A text that cannot be read, whatever its format: where, what is there, and what would be right.
///
/// ```
/// use bestfirst::problems::crucible::HeatMap;
/// use bestfirst::problems::{ParseErrorKind, Position};
///
/// let error = "12\n3x".parse::<HeatMap>().unwrap_err();
/// assert_eq!(error.position(), Position { line: 2, column: 2 });
/// assert_eq!(error.kind(), ParseErrorKind::Unexpected);
/// assert_eq!(error.to_string(), "line 2, column 2: 'x' is not a digit from 0 to 9");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct ParseError {
    position: Position,
    kind: ParseErrorKind,
    message: Cow<'static, str>,
}

/// What kind of error a [`ParseError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// There is something else than expected.
    Unexpected,
    /// The text or a line ends before what is expected.
    Missing,
    /// Two parts of the text contradict each other, such as a number of rows and the rows.
    Contradiction,
    /// The format or its representation has no room for so much.
    TooLarge,
    /// There is not enough memory for what the text describes.
    OutOfMemory {
        /// The size in bytes of the allocation that failed.
        bytes: u64,
    },
    /// The text cannot be read from its source.
    Io(io::ErrorKind),
}

/// A position in a text. Lines and columns are counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl ParseError {
    /// Returns where the error is: the first position at which the text cannot be part of a right one.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the same error in another line: for a text that is a line of a larger one.
    pub fn in_line(self, line: usize) -> Self {
        Self { position: Position { line, ..self.position }, ..self }
    }

    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ParseErrorKind {
        self.kind
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.message)?;
        match self.kind {
            ParseErrorKind::OutOfMemory { bytes } => {
                write!(f, " ({bytes} bytes cannot be allocated)")
            }
            _ => Ok(()),
        }
    }
}

impl Error for ParseError {}

impl Position {
    pub(super) const START: Self = Self { line: 1, column: 1 };

    pub(super) fn new(line: usize, column: usize) -> Self {
        Self { line, column }
    }

    fn error(self, kind: ParseErrorKind, message: impl Into<Cow<'static, str>>) -> ParseError {
        ParseError { position: self, kind, message: message.into() }
    }

    pub(super) fn unexpected(self, message: impl Into<Cow<'static, str>>) -> ParseError {
        self.error(ParseErrorKind::Unexpected, message)
    }

    pub(super) fn missing(self, message: impl Into<Cow<'static, str>>) -> ParseError {
        self.error(ParseErrorKind::Missing, message)
    }

    pub(super) fn contradiction(self, message: impl Into<Cow<'static, str>>) -> ParseError {
        self.error(ParseErrorKind::Contradiction, message)
    }

    pub(super) fn too_large(self, message: impl Into<Cow<'static, str>>) -> ParseError {
        self.error(ParseErrorKind::TooLarge, message)
    }

    /// The error of what is made of a whole text.
    pub(super) fn of_whole(
        kind: ParseErrorKind,
        message: impl Into<Cow<'static, str>>,
    ) -> ParseError {
        Self::START.error(kind, message)
    }

    /// The message is static because there may be no memory for another one.
    pub(super) fn out_of_memory(self, fault: OutOfMemory, message: &'static str) -> ParseError {
        self.error(ParseErrorKind::OutOfMemory { bytes: fault.bytes }, message)
    }

    /// The next word, or the end of the line, is not what is expected. At most 20 characters of the word are shown.
    pub(super) fn not(self, found: &str, expected: &str) -> ParseError {
        if found.is_empty() {
            return self.missing(format!("found the end of the line, expected {expected}"));
        }
        let shown: String = found.chars().take(20).collect();
        self.unexpected(format!("found `{shown}`, expected {expected}"))
    }

    pub(super) fn unreadable(self, error: &io::Error) -> ParseError {
        let message = format!("the line cannot be read: {error}");
        self.error(ParseErrorKind::Io(error.kind()), message)
    }
}

impl From<Position> for (usize, usize) {
    /// The line and the column.
    fn from(position: Position) -> Self {
        (position.line, position.column)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
