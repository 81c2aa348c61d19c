//! [`Board`]: reading and writing an arrangement of tiles, and whether it can be solved.

use std::fmt;
use std::str::FromStr;

use super::BoardError;
use super::cells::{MOST_CELLS, low_byte};
use super::tables::distance;
use crate::problems::memory::{self, OutOfMemory};
use crate::problems::text::without_mark;

/// A board as text: a rectangle of numbers, 0 for the blank.
///
/// `Display` writes one row a line, with a period for the blank. `FromStr` reads the same format, and
/// numbers separated by blanks or commas. Several lines are rows; a single line is a square board.
///
/// ```
/// use bestfirst::problems::sliding_tiles::Board;
///
/// let board: Board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3".parse()?;
/// assert_eq!((board.width(), board.height()), (4, 4));
/// assert_eq!(board.manhattan(), 41);
/// let drawing = "\
/// 14 13 15  7
/// 11 12  9  5
///  6  .  2  1
///  4  8 10  3";
/// assert_eq!(board.to_string(), drawing);
/// assert_eq!(drawing.parse(), Ok(board));
///
/// let wrong = "1 2\n2 0".parse::<Board>().unwrap_err();
/// assert_eq!(wrong.to_string(), "line 2, column 1: tile 2 occurs twice");
/// # Ok::<(), bestfirst::problems::sliding_tiles::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) tiles: Vec<u8>,
}

impl Board {
    /// Returns the goal: the blank, followed by the tiles in order.
    ///
    /// # Errors
    ///
    /// [`BoardError::Size`] if there are fewer than 2 or more than 256 cells.
    pub fn goal(width: usize, height: usize) -> Result<Self, BoardError> {
        let cells = width.checked_mul(height).filter(|cells| (2..=MOST_CELLS).contains(cells));
        let cells = cells.ok_or(BoardError::Size { width, height, most: MOST_CELLS })?;
        Ok(Self { width, height, tiles: (0..cells).map(low_byte).collect() })
    }

    /// Returns the board with these tiles, row by row, 0 for the blank.
    ///
    /// # Errors
    ///
    /// A [`BoardError`] if the size is invalid, the number of tiles is not `width` × `height`, or the
    /// tiles are not the numbers 0, 1, 2 … each once. The column of an error is the index of the tile,
    /// counted from 1.
    pub fn new(width: usize, height: usize, tiles: &[u8]) -> Result<Self, BoardError> {
        let numbers = tiles.iter().enumerate().map(|(i, &tile)| Number {
            line: 1,
            column: i + 1,
            value: usize::from(tile),
        });
        Self::from_numbers(width, height, numbers)
    }

    /// Reads a board of a known size. Line breaks are treated as blanks.
    ///
    /// # Errors
    ///
    /// A [`BoardError`] with the position of the error.
    pub fn parse(text: &str, width: usize, height: usize) -> Result<Self, BoardError> {
        Self::from_numbers(width, height, numbers(text)?.into_iter())
    }

    fn from_numbers(
        width: usize,
        height: usize,
        numbers: impl ExactSizeIterator<Item = Number>,
    ) -> Result<Self, BoardError> {
        let mut board = Self::goal(width, height)?;
        let cells = board.tiles.len();
        let mut seen = [false; MOST_CELLS];
        let found = numbers.len();
        for (tile, Number { line, column, value }) in board.tiles.iter_mut().zip(numbers) {
            if value >= cells {
                return Err(BoardError::TooLarge { line, column, number: value, most: cells - 1 });
            }
            if std::mem::replace(&mut seen[value], true) {
                return Err(BoardError::Twice { line, column, number: value });
            }
            *tile = low_byte(value);
        }
        if found != cells {
            return Err(BoardError::Count { found, width, height });
        }
        Ok(board)
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the tiles row by row, 0 for the blank.
    #[must_use]
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// Returns the Manhattan distance: the sum over all tiles of the columns and rows between the tile and its
    /// goal cell.
    #[must_use]
    pub fn manhattan(&self) -> u16 {
        // At most 256 tiles at a distance of at most 255 each.
        let distances = self.tiles.iter().enumerate().map(|(cell, &tile)| {
            u16::from(distance(self.width, self.tiles.len(), usize::from(tile), cell))
        });
        distances.sum()
    }

    /// Whether the goal can be reached. It cannot from half of all boards; a search from one of them
    /// expands all boards of that half.
    ///
    /// A move along a row does not change the order of the tiles. A move along a column moves a tile past
    /// `width - 1` others and changes the order of as many pairs. So if the width is odd, the parity of
    /// the number of pairs in the wrong order never changes; if the width is even, the parity of that
    /// number plus the row of the blank never changes.
    #[must_use]
    pub fn is_solvable(&self) -> bool {
        let order = self.tiles.iter().filter(|&&tile| tile != 0).collect::<Vec<_>>();
        if self.width == 1 || self.height == 1 {
            return order.is_sorted(); // no tile can pass another
        }
        let mut odd = false;
        for (i, tile) in order.iter().enumerate() {
            for later in &order[i + 1..] {
                odd ^= later < tile;
            }
        }
        if self.width.is_multiple_of(2) {
            let blank = self.tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
            odd ^= blank / self.width % 2 == 1;
        }
        !odd
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = (self.tiles.len() - 1).to_string().len();
        for (y, row) in self.tiles.chunks(self.width).enumerate() {
            if y > 0 {
                f.write_str("\n")?;
            }
            for (x, tile) in row.iter().enumerate() {
                let gap = if x > 0 { " " } else { "" };
                if *tile == 0 {
                    write!(f, "{gap}{:>digits$}", '.')?;
                } else {
                    write!(f, "{gap}{tile:>digits$}")?;
                }
            }
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let numbers = numbers(text)?;
        let mut rows = numbers.chunk_by(|a, b| a.line == b.line);
        let width = rows.next().map_or(0, <[Number]>::len);
        let (width, height) = if width < numbers.len() {
            if let Some(row) = rows.clone().find(|row| row.len() != width) {
                return Err(BoardError::Ragged {
                    line: row[0].line,
                    found: row.len(),
                    expected: width,
                });
            }
            (width, 1 + rows.count())
        } else {
            let side = numbers.len().isqrt();
            if side * side != numbers.len() {
                return Err(BoardError::NotSquare { found: numbers.len() });
            }
            (side, side)
        };
        Self::from_numbers(width, height, numbers.into_iter())
    }
}

/// A number in a text, and its position.
struct Number {
    line: usize,
    column: usize,
    value: usize,
}

/// Returns all numbers of a text, separated by blanks or commas; a period is 0.
fn numbers(text: &str) -> Result<Vec<Number>, BoardError> {
    let mut numbers = Vec::new();
    for (line, row) in without_mark(text).lines().enumerate() {
        let mut column = 1;
        for word in row.split([' ', '\t', ',', '\r']) {
            if !word.is_empty() {
                let number = if word == "." { Ok(0) } else { word.parse() };
                let value = number.map_err(|_| BoardError::NotANumber {
                    line: line + 1,
                    column,
                    found: word.chars().take(20).collect(),
                })?;
                memory::push(&mut numbers, Number { line: line + 1, column, value }).map_err(
                    |OutOfMemory { bytes }| BoardError::OutOfMemory { found: numbers.len(), bytes },
                )?;
            }
            column += word.chars().count() + 1;
        }
    }
    if numbers.is_empty() { Err(BoardError::Empty) } else { Ok(numbers) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_in_every_format() {
        let board: Board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3".parse().unwrap();
        assert_eq!(board.manhattan(), 41);
        assert_eq!(
            Board::parse("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 4, 4).as_ref(),
            Ok(&board)
        );
        assert_eq!(board.to_string().parse().as_ref(), Ok(&board));
        assert_eq!("\n 1, 2,3\r\n\n\t4,5,.\n\n".parse(), Board::new(3, 2, &[1, 2, 3, 4, 5, 0]));
        assert_eq!(Board::parse("0 1 2\n3 4 5", 2, 3), Board::goal(2, 3));
        assert_eq!(
            Board::goal(3, 4).unwrap().to_string(),
            " .  1  2\n 3  4  5\n 6  7  8\n 9 10 11"
        );
    }

    #[test]
    fn errors_have_positions() {
        let message = |text: &str| text.parse::<Board>().unwrap_err().to_string();
        assert_eq!(message(" \n"), "there are no numbers; a board is a rectangle of them");
        assert_eq!(
            message("0 1\n2, x"),
            "line 2, column 4: `x` is not the number of a tile; they are separated by blanks or \
             commas, and 0 or . is the blank"
        );
        assert!(message("0 1 2 99999999999999999999999999").starts_with("line 1, column 7: `9999"));
        assert!(message("0 1 2 -3").starts_with("line 1, column 7: `-3` is not"));
        assert_eq!(message("0 1\n2 4"), "line 2, column 3: there is no tile 4; the last one is 3");
        assert_eq!(message("0 1\n2 1"), "line 2, column 3: tile 1 occurs twice");
        assert_eq!(message("0 1\n. 3"), "line 2, column 1: the blank occurs twice");
        assert_eq!(
            message("0 1 2\n3 4"),
            "line 2: found a row of 2 numbers, expected 3 as in the first row"
        );
        assert_eq!(
            message("0 1 2"),
            "a single line of 3 numbers is not a square board; write one row a line"
        );
        assert_eq!(
            message("0"),
            "a board of 1×1 has 1 cells; it must have at least 2 and at most 256"
        );
        let message = |result: Result<Board, BoardError>| result.unwrap_err().to_string();
        assert_eq!(
            message(Board::parse("0 1 2 3 4", 3, 2)),
            "found 5 numbers, expected 6 for a board of 3×2"
        );
        assert_eq!(
            message(Board::parse("0 1 2 3 4", 2, 2)),
            "found 5 numbers, expected 4 for a board of 2×2"
        );
        assert_eq!(message(Board::new(2, 1, &[1, 1])), "line 1, column 2: tile 1 occurs twice");
    }
}
