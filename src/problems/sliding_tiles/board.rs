//! [`Board`]: reading and writing an arrangement of tiles, and whether it can be solved.

use std::fmt;
use std::str::FromStr;

use super::BoardError;
use super::cells::{MOST_CELLS, low_byte};
use super::tables::distance;
use crate::problems::memory;
use crate::problems::text::without_mark;
use crate::problems::{ParseError, Position};

/// A board as text: a rectangle of numbers, 0 for the blank.
///
/// `Display` writes one row a line, with a period for the blank. `FromStr` reads the same format, and
/// numbers separated by blanks or commas. Several lines are rows; a single line is a square board, so a board of one row is read by
/// [`parse`](Self::parse). With the feature `serde`, a board of one row is stored after its size, as in `4x1`.
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
/// # Ok::<(), bestfirst::problems::ParseError>(())
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
    /// tiles are not the numbers 0, 1, 2 … each once.
    pub fn new(width: usize, height: usize, tiles: &[u8]) -> Result<Self, BoardError> {
        Self::from_numbers(width, height, tiles.iter().map(|&tile| usize::from(tile)))
    }

    /// Reads a board of a known size. Line breaks are treated as blanks.
    ///
    /// # Errors
    ///
    /// A [`ParseError`], also if no board has this size.
    pub fn parse(text: &str, width: usize, height: usize) -> Result<Self, ParseError> {
        Self::from_text(width, height, &numbers(text)?)
    }

    fn from_text(width: usize, height: usize, numbers: &[Number]) -> Result<Self, ParseError> {
        let values = numbers.iter().map(|number| number.value);
        Self::from_numbers(width, height, values).map_err(|error| {
            let message = error.to_string();
            match error {
                BoardError::TooLarge { place, .. } | BoardError::Twice { place, .. } => {
                    numbers[place].at.unexpected(message)
                }
                BoardError::Size { .. } => Position::START.too_large(message),
                _ => Position::START.contradiction(message),
            }
        })
    }

    fn from_numbers(
        width: usize,
        height: usize,
        numbers: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Self, BoardError> {
        let mut board = Self::goal(width, height)?;
        let cells = board.tiles.len();
        let mut seen = [false; MOST_CELLS];
        let found = numbers.len();
        for (place, (tile, number)) in board.tiles.iter_mut().zip(numbers).enumerate() {
            if number >= cells {
                return Err(BoardError::TooLarge { place, number, most: cells - 1 });
            }
            if std::mem::replace(&mut seen[number], true) {
                return Err(BoardError::Twice { place, number });
            }
            *tile = low_byte(number);
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
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let numbers = numbers(text)?;
        let mut rows = numbers.chunk_by(|a, b| a.at.line == b.at.line);
        let width = rows.next().map_or(0, <[Number]>::len);
        let (width, height) = if width < numbers.len() {
            if let Some(row) = rows.clone().find(|row| row.len() != width) {
                let found = row.len();
                let message =
                    format!("found a row of {found} numbers, expected {width} as in the first row");
                return Err(match row.get(width) {
                    Some(extra) => extra.at.unexpected(message),
                    None => row[found - 1].at.missing(message),
                });
            }
            (width, 1 + rows.count())
        } else {
            let side = numbers.len().isqrt();
            if side * side != numbers.len() {
                return Err(numbers[0].at.contradiction(format!(
                    "a single line of {} numbers is not a square board; write one row a line",
                    numbers.len()
                )));
            }
            (side, side)
        };
        Self::from_text(width, height, &numbers)
    }
}

/// A number in a text, and its position.
struct Number {
    at: Position,
    value: usize,
}

/// Returns all numbers of a text, separated by blanks or commas; a period is 0.
fn numbers(text: &str) -> Result<Vec<Number>, ParseError> {
    let mut numbers = Vec::new();
    for (line, row) in without_mark(text).lines().enumerate() {
        let mut column = 1;
        for word in row.split([' ', '\t', ',', '\r']) {
            if !word.is_empty() {
                let number = if word == "." { Ok(0) } else { word.parse() };
                let at = Position::new(line + 1, column);
                let value = number.map_err(|_| {
                    let shown: String = word.chars().take(20).collect();
                    at.unexpected(format!(
                        "`{shown}` is not the number of a tile; they are separated by blanks or commas, and 0 or . is \
                         the blank"
                    ))
                })?;
                memory::push(&mut numbers, Number { at, value }).map_err(|fault| {
                    at.out_of_memory(
                        fault,
                        "the numbers are too many for the available memory; a board has at most 256",
                    )
                })?;
            }
            column += word.chars().count() + 1;
        }
    }
    if numbers.is_empty() {
        let message = "there are no numbers; a board is a rectangle of them";
        return Err(Position::START.missing(message));
    }
    Ok(numbers)
}
