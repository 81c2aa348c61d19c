//! The parser of `.map` files, and the words of a line with their positions.

use std::str::FromStr;

use super::{GridMap, MapError};
use crate::problems::memory;
use crate::problems::text::without_mark;

impl GridMap {
    /// Reads rows without the header of a `.map` file.
    ///
    /// # Errors
    ///
    /// A [`MapError`] with the position of the error.
    pub fn from_rows(rows: &str) -> Result<Self, MapError> {
        Self::read_rows(without_mark(rows).lines().zip(1..), None)
    }

    /// Reads rows with the numbers of their lines. `size` is the width and the height from the header, if
    /// there is one.
    fn read_rows<'t>(
        rows: impl Iterator<Item = (&'t str, usize)>,
        size: Option<(u16, u16)>,
    ) -> Result<Self, MapError> {
        let mut terrain = Vec::new();
        let (width, height) = read_rows(rows, size, |row, line, rows| {
            for (cell, column) in row.chars().zip(1..) {
                if !matches!(cell, '.' | 'G' | 'S' | '@' | 'O' | 'T' | 'W' | '#') {
                    let (found, expected) = (cell.to_string(), "one of . G S @ O T W #");
                    return Err(MapError::Unexpected { line, column, found, expected });
                }
            }
            let width = u16::try_from(row.len()).map_err(|_| MapError::TooLarge { line })?;
            memory::extend(&mut terrain, row.as_bytes())
                .map_err(|fault| MapError::out_of_memory(rows, width, fault))?;
            Ok(width)
        })?;
        Self::from_terrain(width, height, terrain)
    }
}

/// Reads rows with the numbers of their lines, and returns their width and how many there are. `add` is called with
/// each row, its line and the number of rows up to it, and returns the number of its cells.
pub(super) fn read_rows<'t>(
    rows: impl Iterator<Item = (&'t str, usize)>,
    size: Option<(u16, u16)>,
    mut add: impl FnMut(&'t str, usize, u16) -> Result<u16, MapError>,
) -> Result<(u16, u16), MapError> {
    let mut width = size.map(|(width, _)| width);
    let mut height = 0_u16;
    for (row, line) in rows {
        let row = row.trim_end();
        if row.is_empty() && size.is_none_or(|(width, rows)| width > 0 || height == rows) {
            continue;
        }
        height = height.checked_add(1).ok_or(MapError::TooLarge { line })?;
        let found = add(row, line, height)?;
        let expected = *width.get_or_insert(found);
        if found != expected {
            let (found, expected) = (usize::from(found), usize::from(expected));
            return Err(MapError::Ragged { line, found, expected });
        }
    }
    if let Some((_, rows)) = size.filter(|&(_, rows)| rows != height) {
        return Err(MapError::Rows { found: height.into(), expected: rows.into() });
    }
    Ok((width.unwrap_or(0), height))
}

/// The width and the height, and the lines of the rows.
type Header<I> = ((u16, u16), I);

/// Reads the header of a `.map` file, and returns the width and the height in it and the lines of the rows.
pub(super) fn read_header(
    text: &str,
) -> Result<Header<impl Iterator<Item = (&str, usize)>>, MapError> {
    let mut lines = without_mark(text).lines().zip(1..);
    let (mut width, mut height) = (None, None);
    for (text, line) in lines.by_ref() {
        let mut words = Words::new(text, line);
        let key = words.next();
        let size = match key {
            "" => continue,
            "type" => {
                words.next();
                continue;
            }
            "map" => {
                words.end()?;
                let missing = |expected| MapError::Missing { line, expected };
                let width = width.ok_or_else(|| missing("`width N` above `map`"))?;
                let height = height.ok_or_else(|| missing("`height N` above `map`"))?;
                return Ok(((width, height), lines));
            }
            "width" => &mut width,
            "height" => &mut height,
            _ => return Err(words.wrong("`type`, `height`, `width` or `map`")),
        };
        if size.is_some() {
            return Err(words.wrong("`map`; this line is a duplicate"));
        }
        *size = Some(words.number("a number of cells up to 65535")?);
        words.end()?;
    }
    Err(MapError::Missing { line: text.lines().count() + 1, expected: "`map`" })
}

impl FromStr for GridMap {
    type Err = MapError;

    fn from_str(text: &str) -> Result<Self, MapError> {
        let (size, rows) = read_header(text)?;
        Self::read_rows(rows, Some(size))
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

    /// The next word; empty at the end of the line.
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
    pub(super) fn number<T: FromStr>(&mut self, expected: &'static str) -> Result<T, MapError> {
        self.next().parse().map_err(|_| self.wrong(expected))
    }

    /// Checks that the line has no more words.
    pub(super) fn end(&mut self) -> Result<(), MapError> {
        if self.next().is_empty() { Ok(()) } else { Err(self.wrong("the end of the line")) }
    }

    /// The error for the last word.
    pub(super) fn wrong(&self, expected: &'static str) -> MapError {
        MapError::Unexpected {
            line: self.line,
            column: self.text[..self.start].chars().count() + 1,
            found: self.text[self.start..self.end].chars().take(20).collect(),
            expected,
        }
    }
}
