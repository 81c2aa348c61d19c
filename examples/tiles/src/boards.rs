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
            let is_no_square = size.is_none() && fault.kind() == ParseErrorKind::Contradiction;
            let hint =
                if is_no_square { "; for other boards, use --size WIDTHxHEIGHT" } else { "" };
            format!("{}{hint}", fault.in_line(number))
        })?);
    }
    if boards.is_empty() {
        return Err("there are no boards; write one a line".to_owned());
    }
    Ok(boards)
}
