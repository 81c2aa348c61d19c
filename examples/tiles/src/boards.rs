//! Reads boards, one a line.

use std::str::FromStr;

use bestfirst::problems::ParseErrorKind;
use bestfirst::problems::sliding_tiles::Board;

/// A size of boards, written `4x2`.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub width: usize,
    pub height: usize,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once(['x', '×']).map(|(w, h)| (w.parse(), h.parse()));
        let Some((Ok(width), Ok(height))) = sides else {
            return Err(format!("`{text}` is not a size; write WIDTHxHEIGHT, as in 4x2"));
        };
        Board::goal(width, height).map_err(|fault| fault.to_string())?;
        Ok(Self { width, height })
    }
}

program::value!(Size);

/// The boards of a text. An error begins with its line, and its column if it has one.
pub fn read(text: &str, size: Option<Size>) -> Result<Vec<Board>, String> {
    let mut boards = Vec::new();
    for (number, row) in (1..).zip(text.lines()) {
        if row.trim().is_empty() || row.trim_start().starts_with('#') {
            continue;
        }
        let board = match size {
            None => row.parse(),
            Some(Size { width, height }) => Board::parse(row, width, height),
        };
        boards.push(board.map_err(|fault| {
            let numbers = row.split([' ', '\t', ',']).filter(|word| !word.is_empty()).count();
            if size.is_none()
                && fault.kind() == ParseErrorKind::Contradiction
                && numbers.isqrt().pow(2) != numbers
            {
                return format!(
                    "line {number}: {numbers} numbers are not a square board; write all rows of a board in one \
                     line, and for boards that are not square, use --size WIDTHxHEIGHT"
                );
            }
            fault.in_line(number).to_string()
        })?);
    }
    if boards.is_empty() {
        return Err("there are no boards; write one a line".to_owned());
    }
    Ok(boards)
}
