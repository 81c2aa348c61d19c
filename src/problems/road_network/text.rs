//! The lines and words of a file, with their positions.

use std::io::{self, BufRead};
use std::ops::RangeInclusive;

use crate::problems::text::MARK;
use crate::problems::{ParseError, Position};

/// A longer line is an error: none that says something has more than four words.
const LONGEST: usize = 1 << 20;

/// The lines of a file. All are read into the same buffer.
pub(super) struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), number: 0 }
    }

    /// Returns where the next line begins; at the end of the file, where a missing one would.
    pub(super) fn place(&self) -> Position {
        Position::new(self.number.max(1), 1)
    }

    /// Returns the next line, or `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, ParseError> {
        self.number += 1;
        match self.fill() {
            Ok(0) => Ok(None),
            Ok(_) => {
                let text = match self.number {
                    1 => self.buffer.strip_prefix(&MARK).unwrap_or(&self.buffer),
                    _ => &self.buffer,
                };
                let text = text.trim_ascii_end();
                Ok(Some(Line { text, number: self.number, start: 0, end: 0 }))
            }
            Err(error) => Err(Position::new(self.number, 1).unreadable(&error)),
        }
    }

    /// Reads a line into the buffer and returns its length, which is 0 only at the end of the file.
    ///
    /// This is [`BufRead::read_until`] without its infallible allocation.
    fn fill(&mut self) -> io::Result<usize> {
        self.buffer.clear();
        loop {
            let available = match self.source.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = available.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(available.len(), |end| end + 1);
            self.buffer.try_reserve(used)?;
            self.buffer.extend_from_slice(&available[..used]);
            self.source.consume(used);
            if self.buffer.len() > LONGEST {
                let message = format!("the line is too long: at most {LONGEST} bytes are read");
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            if end.is_some() || used == 0 {
                return Ok(self.buffer.len());
            }
        }
    }
}

/// A line, and the position of the last word that was read.
pub(super) struct Line<'t> {
    text: &'t [u8],
    number: usize,
    start: usize,
    end: usize,
}

impl<'t> Line<'t> {
    /// Returns the next word; empty at the end of the line. The rest of a comment is skipped.
    pub(super) fn word(&mut self) -> &'t [u8] {
        let is_first = self.end == 0;
        let rest = &self.text[self.end..];
        self.start = self.end + (rest.len() - rest.trim_ascii_start().len());
        let rest = &self.text[self.start..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.end = self.start + length;
        let word = &self.text[self.start..self.end];
        if is_first && word == b"c" {
            self.end = self.text.len();
        }
        word
    }

    /// Reads a given word.
    pub(super) fn expect(&mut self, word: &[u8], expected: &str) -> Result<(), ParseError> {
        if self.word() == word { Ok(()) } else { Err(self.wrong(expected)) }
    }

    /// Reads a number without a sign.
    pub(super) fn number(
        &mut self,
        expected: &str,
        range: RangeInclusive<i64>,
    ) -> Result<u32, ParseError> {
        let number = self.integer(expected, range)?;
        u32::try_from(number).map_err(|_| self.wrong(expected))
    }

    /// Reads a number with or without a sign.
    pub(super) fn signed(
        &mut self,
        expected: &str,
        range: RangeInclusive<i64>,
    ) -> Result<i32, ParseError> {
        let number = self.integer(expected, range)?;
        i32::try_from(number).map_err(|_| self.wrong(expected))
    }

    fn integer(&mut self, expected: &str, range: RangeInclusive<i64>) -> Result<i64, ParseError> {
        // A plus is no part of a number, though the parser of the standard library takes it.
        let word = str::from_utf8(self.word()).ok().filter(|word| !word.starts_with('+'));
        let number =
            word.and_then(|word| word.parse().ok()).filter(|number| range.contains(number));
        number.ok_or_else(|| match range.into_inner() {
            (least, most) if least > most => self.wrong(&format!("{expected}, but there is none")),
            (least, most) if least == most => self.wrong(&format!("{least}, {expected}")),
            (least, most) => {
                self.wrong(&format!("{expected}, a whole number from {least} to {most}"))
            }
        })
    }

    /// Checks that the line has no more words.
    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        if self.word().is_empty() { Ok(()) } else { Err(self.wrong("the end of the line")) }
    }

    /// Returns the position of the last word.
    pub(super) fn place(&self) -> Position {
        Position::new(self.number, self.start + 1)
    }

    /// Returns the error for the last word.
    pub(super) fn wrong(&self, expected: &str) -> ParseError {
        self.place().not(&String::from_utf8_lossy(&self.text[self.start..self.end]), expected)
    }
}
