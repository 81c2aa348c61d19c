//! [`Board`]: reading, drawing and judging the arrangement of the tiles.

use std::fmt;
use std::str::FromStr;

use super::form::{MOST_CELLS, distance, low_byte};

/// A board as people read and write it: a rectangle of numbers, 0 for the blank.
///
/// `Display` draws it, with a point for the blank; `FromStr` reads what `Display` draws, or the
/// numbers alone, separated by blanks or commas. Several lines are rows; a single line is taken for a
/// square.
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
/// assert_eq!(wrong.to_string(), "line 2, column 1: tile 2 is there twice");
/// # Ok::<(), bestfirst::problems::sliding_tiles::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) tiles: Vec<u8>,
}

impl Board {
    /// The board on which the tiles lie in order behind the blank.
    ///
    /// # Errors
    ///
    /// [`BoardError::Size`] if there are fewer than 2 or more than 256 cells.
    pub fn goal(width: usize, height: usize) -> Result<Self, BoardError> {
        let cells = width.checked_mul(height).filter(|cells| (2..=MOST_CELLS).contains(cells));
        let cells = cells.ok_or(BoardError::Size { width, height, most: MOST_CELLS })?;
        Ok(Self { width, height, tiles: (0..cells).map(low_byte).collect() })
    }

    /// The board with these tiles, row by row, 0 for the blank.
    ///
    /// # Errors
    ///
    /// A [`BoardError`] if the size is not possible, the count is not `width` × `height`, or the
    /// tiles are not the numbers 0, 1, 2 … each once. The tiles are counted as columns of one line.
    pub fn new(width: usize, height: usize, tiles: &[u8]) -> Result<Self, BoardError> {
        let numbers = tiles.iter().enumerate().map(|(i, &tile)| Number {
            line: 1,
            column: i + 1,
            value: usize::from(tile),
        });
        Self::from_numbers(width, height, &numbers.collect::<Vec<_>>())
    }

    /// Reads a board of a known size; line breaks are as good as any other blank.
    ///
    /// # Errors
    ///
    /// A [`BoardError`] that says what is wrong, and where.
    pub fn parse(text: &str, width: usize, height: usize) -> Result<Self, BoardError> {
        Self::from_numbers(width, height, &numbers(text)?)
    }

    fn from_numbers(width: usize, height: usize, numbers: &[Number]) -> Result<Self, BoardError> {
        let mut board = Self::goal(width, height)?;
        let cells = board.tiles.len();
        let mut seen = [false; MOST_CELLS];
        for (tile, &Number { line, column, value }) in board.tiles.iter_mut().zip(numbers) {
            if value >= cells {
                return Err(BoardError::TooLarge { line, column, number: value, most: cells - 1 });
            }
            if std::mem::replace(&mut seen[value], true) {
                return Err(BoardError::Twice { line, column, number: value });
            }
            *tile = low_byte(value);
        }
        if numbers.len() != cells {
            return Err(BoardError::Count { found: numbers.len(), width, height });
        }
        Ok(board)
    }

    /// How many columns there are.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many rows there are.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The tiles row by row, 0 for the blank.
    #[must_use]
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// How many columns and rows all tiles together are away from their places.
    #[must_use]
    pub fn manhattan(&self) -> u16 {
        // At most 256 tiles at a distance of at most 255, and not all of them can be that far.
        let far = self.tiles.iter().enumerate().map(|(cell, &tile)| {
            u16::from(distance(self.width, self.tiles.len(), usize::from(tile), cell))
        });
        far.sum()
    }

    /// Whether the goal can be reached. Half of all arrangements cannot; a search that starts on one
    /// of them would look at all the others of that half before it says so.
    ///
    /// A move along a row leaves the order of the tiles as it is. A move along a column takes a tile
    /// past `width - 1` others and turns as many pairs around. So the parity of the pairs in the
    /// wrong order, and where the width is even that of the blank's row with it, never changes.
    #[must_use]
    pub fn is_solvable(&self) -> bool {
        let order = self.tiles.iter().filter(|&&tile| tile != 0).collect::<Vec<_>>();
        if self.width == 1 || self.height == 1 {
            return order.is_sorted(); // nothing can pass anything
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
        let rows: Vec<&[Number]> = numbers.chunk_by(|a, b| a.line == b.line).collect();
        let (width, height) = if let [first, _, ..] = rows[..] {
            if let Some(row) = rows.iter().find(|row| row.len() != first.len()) {
                return Err(BoardError::Ragged {
                    line: row[0].line,
                    found: row.len(),
                    expected: first.len(),
                });
            }
            (first.len(), rows.len())
        } else {
            let side = numbers.len().isqrt();
            if side * side != numbers.len() {
                return Err(BoardError::NotSquare { found: numbers.len() });
            }
            (side, side)
        };
        Self::from_numbers(width, height, &numbers)
    }
}

/// A number in a text, and where it stands.
struct Number {
    line: usize,
    column: usize,
    value: usize,
}

/// All the numbers of a text, separated by blanks or commas; a point is 0.
fn numbers(text: &str) -> Result<Vec<Number>, BoardError> {
    let mut numbers = Vec::new();
    for (line, row) in text.lines().enumerate() {
        let mut column = 1;
        for word in row.split([' ', '\t', ',', '\r']) {
            if !word.is_empty() {
                let number = if word == "." { Ok(0) } else { word.parse() };
                let value = number.map_err(|_| BoardError::NotANumber {
                    line: line + 1,
                    column,
                    found: word.chars().take(20).collect(),
                })?;
                numbers.push(Number { line: line + 1, column, value });
            }
            column += word.chars().count() + 1;
        }
    }
    if numbers.is_empty() { Err(BoardError::Empty) } else { Ok(numbers) }
}

/// What is wrong with a board. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardError {
    /// There is no number in the text.
    Empty,
    /// Something is not a number that this machine can hold.
    NotANumber {
        /// Its line.
        line: usize,
        /// Its first column.
        column: usize,
        /// What stands there; its beginning if it is long.
        found: String,
    },
    /// A number is larger than that of the last tile.
    TooLarge {
        /// Its line.
        line: usize,
        /// Its first column.
        column: usize,
        /// The number.
        number: usize,
        /// The number of the last tile.
        most: usize,
    },
    /// A number is there twice.
    Twice {
        /// The line of the second.
        line: usize,
        /// Its first column.
        column: usize,
        /// The number.
        number: usize,
    },
    /// There are too many or too few numbers.
    Count {
        /// How many there are.
        found: usize,
        /// How many columns there should be.
        width: usize,
        /// How many rows there should be.
        height: usize,
    },
    /// A row is longer or shorter than the first.
    Ragged {
        /// Its line.
        line: usize,
        /// How many numbers it has.
        found: usize,
        /// How many the first row has.
        expected: usize,
    },
    /// A single line of numbers makes no square.
    NotSquare {
        /// How many there are.
        found: usize,
    },
    /// No board has this size, or no state of the form asked for can hold it.
    Size {
        /// How many columns.
        width: usize,
        /// How many rows.
        height: usize,
        /// How many cells can be held.
        most: usize,
    },
    /// The board is not of the size of the puzzle.
    OtherSize {
        /// How many columns it has.
        width: usize,
        /// How many rows it has.
        height: usize,
        /// How many columns and rows the puzzle has.
        expected: (usize, usize),
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there are no numbers; a board is a rectangle of them"),
            Self::NotANumber { line, column, found } => write!(
                f,
                "line {line}, column {column}: `{found}` is not the number of a tile; they are \
                 separated by blanks or commas, and 0 or . is the blank"
            ),
            Self::TooLarge { line, column, number, most } => write!(
                f,
                "line {line}, column {column}: there is no tile {number}; the last one is {most}"
            ),
            Self::Twice { line, column, number: 0 } => {
                write!(f, "line {line}, column {column}: the blank is there twice")
            }
            Self::Twice { line, column, number } => {
                write!(f, "line {line}, column {column}: tile {number} is there twice")
            }
            Self::Count { found, width, height } => {
                write!(f, "{found} numbers where a board of {width}×{height} has ")?;
                write!(f, "{}", width.saturating_mul(*height))
            }
            Self::Ragged { line, found, expected } => {
                write!(f, "line {line}: a row of {found} where the first row has {expected}")
            }
            Self::NotSquare { found } => write!(
                f,
                "a single line of {found} numbers makes no square; give the board row by row"
            ),
            Self::Size { width, height, most } => write!(
                f,
                "a board of {width}×{height} cells; there must be at least 2, and at most {most} \
                 fit here"
            ),
            Self::OtherSize { width, height, expected: (columns, rows) } => {
                write!(f, "a board of {width}×{height} cells for a puzzle of {columns}×{rows}")
            }
        }
    }
}

impl std::error::Error for BoardError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_in_every_layout() {
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
    fn errors_say_what_is_wrong_and_where() {
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
        assert_eq!(message("0 1\n2 1"), "line 2, column 3: tile 1 is there twice");
        assert_eq!(message("0 1\n. 3"), "line 2, column 1: the blank is there twice");
        assert_eq!(message("0 1 2\n3 4"), "line 2: a row of 2 where the first row has 3");
        assert_eq!(
            message("0 1 2"),
            "a single line of 3 numbers makes no square; give the board row by row"
        );
        assert_eq!(
            message("0"),
            "a board of 1×1 cells; there must be at least 2, and at most 256 fit here"
        );
        let message = |result: Result<Board, BoardError>| result.unwrap_err().to_string();
        assert_eq!(
            message(Board::parse("0 1 2 3 4", 3, 2)),
            "5 numbers where a board of 3×2 has 6"
        );
        assert_eq!(
            message(Board::parse("0 1 2 3 4", 2, 2)),
            "5 numbers where a board of 2×2 has 4"
        );
        assert_eq!(message(Board::new(2, 1, &[1, 1])), "line 1, column 2: tile 1 is there twice");
    }
}
