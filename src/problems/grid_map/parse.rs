//! The parser of `.map` files, and the words of a line with their positions.

use std::str::FromStr;

use super::GridMap;
use super::error::too_large;
use crate::problems::memory;
use crate::problems::text::without_mark;
use crate::problems::{ParseError, Position};

impl GridMap {
    /// Reads rows without the header of a `.map` file.
    ///
    /// # Errors
    ///
    /// A [`ParseError`].
    pub fn from_rows(rows: &str) -> Result<Self, ParseError> {
        Self::read_rows(without_mark(rows).lines().zip(1..), None)
    }

    /// Reads rows with the numbers of their lines. `header` is the header, if there is one.
    fn read_rows<'t>(
        rows: impl Iterator<Item = (&'t str, usize)>,
        header: Option<&Header<'_>>,
    ) -> Result<Self, ParseError> {
        let mut terrain = Vec::new();
        let (width, height) = read_rows(rows, header, |row, line| {
            for (cell, column) in row.chars().zip(1..) {
                if !matches!(cell, '.' | 'G' | 'S' | '@' | 'O' | 'T' | 'W' | '#') {
                    let at = Position::new(line, column);
                    return Err(at.not(&cell.to_string(), "one of . G S @ O T W #"));
                }
            }
            let width = u16::try_from(row.len()).map_err(|_| too_many_cells(line))?;
            memory::extend(&mut terrain, row.as_bytes()).map_err(too_large)?;
            Ok(width)
        })?;
        Self::from_terrain(width, height, terrain).map_err(too_large)
    }
}

/// Reads rows with the numbers of their lines, and returns their width and how many there are. `add` is called with
/// each row and its line, and returns the number of its cells.
pub(super) fn read_rows<'t>(
    rows: impl Iterator<Item = (&'t str, usize)>,
    header: Option<&Header<'_>>,
    mut add: impl FnMut(&'t str, usize) -> Result<u16, ParseError>,
) -> Result<(u16, u16), ParseError> {
    let mut width = header.map(|header| header.width);
    let mut height = 0_u16;
    for (row, line) in rows {
        let row = row.trim_end();
        if row.is_empty() && header.is_none_or(|size| size.width > 0 || height == size.height) {
            continue;
        }
        height = height.checked_add(1).ok_or_else(|| too_many_cells(line))?;
        let found = add(row, line)?;
        let expected = *width.get_or_insert(found);
        if found != expected {
            let at = Position::new(line, usize::from(found.min(expected)) + 1);
            let message = format!("found a row of {found} cells, expected {expected}");
            return Err(if found < expected {
                at.missing(message)
            } else {
                at.unexpected(message)
            });
        }
    }
    if let Some(header) = header.filter(|header| header.height != height) {
        let message = format!("found {height} rows, expected {}", header.height);
        return Err(header.height_at.contradiction(message));
    }
    Ok((width.unwrap_or(0), height))
}

/// The error of a line that makes a map too large.
pub(super) fn too_many_cells(line: usize) -> ParseError {
    Position::new(line, 1).too_large("a map has at most 65535 rows and 65535 columns")
}

/// The header of a `.map` file.
pub(super) struct Header<'t> {
    /// The line of the type, up to its name.
    kind: Option<Words<'t>>,
    width: u16,
    height: u16,
    /// Where the height is.
    height_at: Position,
}

/// A header, and the lines of the rows.
type HeaderAndRows<'t, I> = (Header<'t>, I);

/// Reads the header of a `.map` file, and returns it and the lines of the rows.
pub(super) fn read_header(
    text: &str,
) -> Result<HeaderAndRows<'_, impl Iterator<Item = (&str, usize)>>, ParseError> {
    let mut lines = without_mark(text).lines().zip(1..);
    let (mut kind, mut width, mut height) = (None, None, None);
    for (text, line) in lines.by_ref() {
        let mut words = Words::new(text, line);
        let key = words.next();
        let size = match key {
            "" => continue,
            "type" => {
                words.next();
                kind = Some(words);
                continue;
            }
            "map" => {
                words.end()?;
                let missing = |expected| is_missing(line, expected);
                let (width, _) = width.ok_or_else(|| missing("`width N` above `map`"))?;
                let (height, height_at) =
                    height.ok_or_else(|| missing("`height N` above `map`"))?;
                return Ok((Header { kind, width, height, height_at }, lines));
            }
            "width" => &mut width,
            "height" => &mut height,
            _ => return Err(words.wrong("`type`, `height`, `width` or `map`")),
        };
        if size.is_some() {
            return Err(words.wrong("`map`; this line is a duplicate"));
        }
        let number = words.number("a number of cells up to 65535")?;
        *size = Some((number, words.place()));
        words.end()?;
    }
    Err(is_missing(text.lines().count() + 1, "`map`"))
}

/// The error of a line before which another one is expected.
pub(super) fn is_missing(line: usize, expected: &str) -> ParseError {
    Position::new(line, 1).missing(format!("{expected} is missing"))
}

impl FromStr for GridMap {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (header, rows) = read_header(text)?;
        if let Some(kind) = header.kind.as_ref().filter(|kind| kind.last() == "hex") {
            return Err(kind.wrong("a map of squares, as `octile`"));
        }
        Self::read_rows(rows, Some(&header))
    }
}

/// The words of a line, and the position of the last one that was read.
pub(super) struct Words<'t> {
    pub(super) text: &'t str,
    line: usize,
    start: usize,
    end: usize,
}

impl<'t> Words<'t> {
    pub(super) fn new(text: &'t str, line: usize) -> Self {
        Self { text: text.trim_end(), line, start: 0, end: 0 }
    }

    /// Returns the next word; empty at the end of the line.
    pub(super) fn next(&mut self) -> &'t str {
        self.next_until(char::is_whitespace)
    }

    /// The next word, which ends at the first character for which `is_gap` returns true.
    pub(super) fn next_until(&mut self, is_gap: impl Fn(char) -> bool) -> &'t str {
        let rest = &self.text[self.end..];
        self.start = self.end + (rest.len() - rest.trim_start().len());
        let rest = &self.text[self.start..];
        self.end = self.start + rest.find(is_gap).unwrap_or(rest.len());
        &self.text[self.start..self.end]
    }

    /// Reads a number.
    pub(super) fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, ParseError> {
        self.next().parse().map_err(|_| self.wrong(expected))
    }

    /// Checks that the line has no more words.
    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        if self.next().is_empty() { Ok(()) } else { Err(self.wrong("the end of the line")) }
    }

    /// Returns the last word.
    fn last(&self) -> &'t str {
        &self.text[self.start..self.end]
    }

    /// Returns the position of the last word.
    pub(super) fn place(&self) -> Position {
        Position::new(self.line, self.text[..self.start].chars().count() + 1)
    }

    /// Returns the error for the last word.
    pub(super) fn wrong(&self, expected: &str) -> ParseError {
        self.place().not(self.last(), expected)
    }
}
