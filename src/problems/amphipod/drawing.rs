//! [`Drawing`]: the parser of burrows.

use super::burrow::Burrow;
use super::place::{Kind, MOST_ROOMS};
use crate::problems::memory::{self, OutOfMemory};
use crate::problems::text::without_mark;
use crate::problems::{ParseError, Position};

/// The lines of a drawing without blanks at their ends. All characters are ASCII.
pub(super) struct Drawing<'t> {
    /// The number of blank lines above the drawing.
    above: usize,
    /// The number of blanks by which the drawing is indented.
    indent: usize,
    lines: Vec<&'t str>,
}

impl<'t> Drawing<'t> {
    /// Splits a text into lines and checks its characters.
    pub(super) fn new(text: &'t str) -> Result<Self, ParseError> {
        let text = without_mark(text);
        let above = text.lines().take_while(|line| line.trim_end().is_empty()).count();
        let mut drawing = Self { above, indent: 0, lines: Vec::new() };
        for line in text.trim_end().lines().skip(above) {
            memory::push(&mut drawing.lines, line.trim_end())
                .map_err(|fault| drawing.out_of_memory(fault))?;
        }
        let Some(top) = drawing.lines.first() else {
            let empty = "the drawing is empty; it must begin with a wall, as in '#####'";
            return Err(Position::START.missing(empty));
        };
        let indent = top.bytes().take_while(|&c| c == b' ').count();
        drawing.indent = indent;
        for (y, line) in drawing.lines.iter().enumerate() {
            for (x, found) in line.chars().enumerate() {
                if !matches!(found, '#' | '.' | ' ' | 'A'..='Z') {
                    let at = Position::new(above + y + 1, x + 1);
                    return Err(at.unexpected(format!(
                        "{found:?} is not allowed; a drawing has '#', '.', blanks and letters A to Z"
                    )));
                }
            }
            if let Some(x) = line.bytes().take(indent).position(|c| c != b' ') {
                return Err(Position::new(above + y + 1, x + 1).unexpected(format!(
                    "this is left of the drawing, whose first wall begins in column {}",
                    indent + 1
                )));
            }
        }
        Ok(drawing)
    }

    fn out_of_memory(&self, fault: OutOfMemory) -> ParseError {
        Position::new(self.above + 1, 1).out_of_memory(
            fault,
            "the drawing is too large for the available memory; use a smaller burrow or raise the memory limit",
        )
    }

    fn position(&self, y: usize, x: usize) -> Position {
        Position::new(self.above + y + 1, self.indent + x + 1)
    }

    /// Returns the character in a row and a column; `None` after the end of the line.
    fn at(&self, y: usize, x: usize) -> Option<char> {
        self.lines.get(y)?.as_bytes().get(self.indent + x).map(|&c| char::from(c))
    }

    /// Returns the width of the hallway.
    fn width(&self) -> usize {
        self.lines[0].len().saturating_sub(self.indent + 2)
    }

    /// Checks that there is a wall.
    fn wall(&self, y: usize, x: usize) -> Result<(), ParseError> {
        match self.at(y, x) {
            Some('#') => Ok(()),
            Some(found) => Err(no_wall(self.position(y, x), found)),
            None => Err(self.too_short(y, x)),
        }
    }

    /// The error of a line that ends before a column: it is at its end.
    fn too_short(&self, y: usize, x: usize) -> ParseError {
        let mut at = self.position(y, x);
        at.column = at.column.min(self.lines.get(y).map_or(0, |line| line.len()) + 1);
        at.missing("the line is too short; a wall '#' is expected here")
    }

    /// Checks that there is a line, and that it is not too long.
    fn line(&self, y: usize, missing: &'static str) -> Result<(), ParseError> {
        let width = self.width() + 2;
        match self.lines.get(y) {
            None => {
                let message = format!("the drawing ends too early; {missing} is missing");
                Err(Position::new(self.above + y + 1, 1).missing(message))
            }
            Some(line) if line.len() > self.indent + width => {
                Err(self.position(y, width).unexpected(format!(
                    "the line is too long; the wall above the hallway is {width} wide"
                )))
            }
            Some(_) => Ok(()),
        }
    }

    /// Checks the walls and reads the burrow.
    pub(super) fn read(&self) -> Result<Burrow, ParseError> {
        let width = self.width();
        for x in 0..(width + 2).max(3) {
            self.wall(0, x)?;
        }

        self.line(1, "the hallway")?;
        self.wall(1, 0)?;
        for x in 1..=width {
            let at = self.position(1, x);
            match self.at(1, x) {
                None => return Err(self.too_short(1, x)),
                Some(' ') => return Err(blank(at)),
                Some('#') => {
                    let message = "the hallway has a wall in it; a free place is '.'";
                    return Err(at.unexpected(message));
                }
                Some(_) => {}
            }
        }
        self.wall(1, width + 1)?;

        let doors = self.doors()?;
        let (first, last) = (doors[0], doors[doors.len() - 1]);
        let floor = self.floor(&doors)?;
        if let Some(extra) = self.lines.get(floor + 1..).and_then(|rest| {
            rest.iter().enumerate().find_map(|(y, line)| {
                line.bytes().position(|c| c != b' ').map(|x| (floor + 1 + y, x))
            })
        }) {
            let at = Position::new(self.above + extra.0 + 1, extra.1 + 1);
            return Err(at.unexpected("there is text after the end of the drawing"));
        }

        let mut burrow = Burrow {
            rooms: doors.len(),
            depth: floor - 2,
            left: first - 1,
            right: width - last,
            cells: Vec::new(),
        };
        self.count_kinds(&burrow, &doors)?;
        burrow.cells = self.cells(&burrow, &doors).map_err(|fault| self.out_of_memory(fault))?;
        Ok(burrow)
    }

    /// Checks the row below the hallway and returns the columns of the rooms.
    fn doors(&self) -> Result<Vec<usize>, ParseError> {
        const Y: usize = 2;
        let width = self.width();
        self.line(Y, "the first row of rooms")?;
        self.wall(Y, 0)?;
        let mut doors: Vec<usize> = Vec::new();
        for x in 1..=width {
            let at = self.position(Y, x);
            match self.at(Y, x) {
                None => return Err(self.too_short(Y, x)),
                Some(' ') => return Err(blank(at)),
                Some('#') => continue,
                Some(found) => match doors.last() {
                    Some(before) if x - before == 1 => {
                        return Err(no_wall(at, found));
                    }
                    Some(before) if x - before > 2 => {
                        return Err(at.unexpected(format!(
                            "a room must be two columns right of the one before it, not {}",
                            x - before
                        )));
                    }
                    _ => {}
                },
            }
            if doors.len() == MOST_ROOMS {
                return Err(at.too_large(format!(
                    "there are more than {MOST_ROOMS} rooms, one for each letter"
                )));
            }
            doors.push(x);
        }
        self.wall(Y, width + 1)?;
        if doors.is_empty() {
            return Err(self.position(Y, 0).missing(format!(
                "there is no room below the hallway; 1 to {MOST_ROOMS} rooms are expected"
            )));
        }
        Ok(doors)
    }

    /// Checks the lower rows of the rooms and returns the row of the floor.
    fn floor(&self, doors: &[usize]) -> Result<usize, ParseError> {
        let (first, last) = (doors[0], doors[doors.len() - 1]);
        let mut y = 3;
        loop {
            self.line(y, "the floor below the rooms")?;
            let end = self.lines[y].len().saturating_sub(self.indent);
            for x in (0..first - 1).chain(last + 2..end) {
                if self.at(y, x).is_some_and(|found| found != ' ') {
                    self.wall(y, x)?;
                }
            }
            let mut closed = None;
            let mut open = false;
            for (room, &x) in doors.iter().enumerate() {
                self.wall(y, x - 1)?;
                match self.at(y, x) {
                    None => return Err(self.too_short(y, x)),
                    Some(' ') => return Err(blank(self.position(y, x))),
                    Some('#') => closed = closed.or(Some(room)),
                    Some(_) => open = true,
                }
            }
            self.wall(y, last + 1)?;
            match closed {
                None => {}
                Some(_) if !open => return Ok(y),
                Some(room) => {
                    let kind = Kind::of_existing_room(room);
                    return Err(self.position(y, doors[room]).contradiction(format!(
                        "room {kind} ends here, but others are deeper; all rooms must have the same depth"
                    )));
                }
            }
            y += 1;
        }
    }

    /// Checks that all amphipods may stand where they are, and that each room has as many as it has
    /// places.
    fn count_kinds(&self, burrow: &Burrow, doors: &[usize]) -> Result<(), ParseError> {
        let last = Kind::of_existing_room(doors.len() - 1);
        let mut found = [0; MOST_ROOMS];
        let hallway = (1..=burrow.width()).map(|x| (1, x));
        let rows = (2..2 + burrow.depth).flat_map(|y| doors.iter().map(move |&x| (y, x)));
        // In reading order, so that the first error in the text is returned.
        for (y, x) in hallway.chain(rows) {
            let Some(kind) = self.at(y, x).and_then(Kind::from_letter) else { continue };
            let at = self.position(y, x);
            if kind > last {
                return Err(at.contradiction(format!(
                    "there is no room for {kind}: the kinds here are A to {last}"
                )));
            }
            if y == 1 && doors.contains(&x) {
                return Err(
                    at.unexpected(format!("{kind} stands above a room, where no amphipod begins"))
                );
            }
            found[kind.room()] += 1;
            if found[kind.room()] > burrow.depth {
                return Err(at.contradiction(format!(
                    "one {kind} too many; there must be as many as its room holds, {}",
                    burrow.depth
                )));
            }
        }
        for (room, &x) in doors.iter().enumerate() {
            if found[room] < burrow.depth {
                let kind = Kind::of_existing_room(room);
                let (found, depth) = (found[room], burrow.depth);
                let are = if found == 1 { "is" } else { "are" };
                return Err(self.position(2, x).contradiction(format!(
                    "room {kind} holds {depth}, but there {are} only {found} of kind {kind} in the burrow"
                )));
            }
        }
        Ok(())
    }

    /// Returns the contents of the hallway and of the rooms.
    fn cells(&self, burrow: &Burrow, doors: &[usize]) -> Result<Vec<Option<Kind>>, OutOfMemory> {
        // The drawing has a character for each of them, so the sum does not overflow.
        let mut cells = memory::with_capacity(burrow.width() + doors.len() * burrow.depth)?;
        let cell = |y, x| self.at(y, x).and_then(Kind::from_letter);
        cells.extend((1..=burrow.width()).map(|x| cell(1, x)));
        for &x in doors {
            cells.extend((2..2 + burrow.depth).map(|y| cell(y, x)));
        }
        Ok(cells)
    }
}

fn no_wall(at: Position, found: char) -> ParseError {
    at.unexpected(format!("a wall '#' is expected here, not {found:?}"))
}

fn blank(at: Position) -> ParseError {
    at.unexpected("a blank inside the burrow; a free place is '.'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_short_is_told_at_its_end() {
        let column = |text: &str| {
            let error = text.parse::<Burrow>().unwrap_err();
            (error.position().line, error.position().column)
        };
        assert_eq!(column("#####\n#...#\n##A##\n\n ###"), (4, 1));
        assert_eq!(column("   #####\n\n   ##A##\n    ###"), (2, 1));
        assert_eq!(column("   #####\n   #..\n   ##A##\n    ###"), (2, 7));
    }
}
