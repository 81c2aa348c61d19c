//! [`Burrow`]: the arrangement of the amphipods in a burrow of a given size.

use std::fmt;
use std::str::FromStr;

use super::drawing::Drawing;
use super::error::UnfoldError;
use super::place::{Kind, MOST_ROOMS, Place};
use crate::problems::ParseError;

/// An arrangement of amphipods in a burrow of a given size.
///
/// [`parse`](Self::parse) reads it from a drawing, `Display` writes the drawing. A burrow has 1 to 26
/// rooms of the same depth. The hallway extends any number of steps, also none, beyond the first and
/// the last room. Amphipods may stand in the hallway at the start.
///
/// ```
/// use bestfirst::problems::amphipod::Burrow;
///
/// let drawing = [
///     "#############",
///     "#...........#",
///     "###B#C#B#D###",
///     "  #A#D#C#A#",
///     "  #########",
/// ]
/// .join("\n");
/// let burrow = Burrow::parse(&drawing)?;
/// assert_eq!((burrow.rooms(), burrow.depth(), burrow.width()), (4, 2, 11));
/// assert_eq!(burrow.to_string(), drawing);
///
/// let small = Burrow::parse("#######\n#.B...#\n###.#A#\n  #.#B#\n  #####");
/// assert!(small.is_err()); // one A, but its room has two places
///
/// let small = Burrow::parse("#######\n#.B...#\n###.#A#\n  #A#B#\n  #####")?;
/// assert_eq!((small.rooms(), small.dead_ends()), (2, (2, 0)));
/// # Ok::<(), bestfirst::problems::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Burrow {
    pub(super) rooms: usize,
    pub(super) depth: usize,
    pub(super) left: usize,
    pub(super) right: usize,
    /// The hallway from left to right, then the rooms in order, each from top to bottom.
    pub(super) cells: Vec<Option<Kind>>,
}

impl Burrow {
    /// Reads a drawing.
    ///
    /// Blanks at the ends of lines, blank lines around the drawing, Windows line ends and a byte order mark are ignored,
    /// and the whole drawing may be indented. Outside the lower rows of rooms there may be blanks or
    /// walls.
    ///
    /// # Errors
    ///
    /// The first [`ParseError`] in reading order: what is wrong, its position, and what is expected. A character that no drawing has
    /// is told before anything else.
    ///
    /// ```
    /// use bestfirst::problems::amphipod::Burrow;
    ///
    /// let error = |drawing: &str| Burrow::parse(drawing).unwrap_err().to_string();
    ///
    /// assert_eq!(error(""), "line 1, column 1: the drawing is empty; it must begin with a wall, as in '#####'");
    /// assert_eq!(
    ///     error("#####\n#.?.#\n##A##\n #A#\n ###"),
    ///     "line 2, column 3: '?' is not allowed; a drawing has '#', '.', blanks and letters A to Z"
    /// );
    /// assert_eq!(
    ///     error("#####\n#... \n##A##\n #A#\n ###"),
    ///     "line 2, column 5: the line is too short; a wall '#' is expected here"
    /// );
    /// assert_eq!(
    ///     error("#####\n#...##\n##A##\n #A#\n ###"),
    ///     "line 2, column 6: the line is too long; the wall above the hallway is 5 wide"
    /// );
    /// assert_eq!(
    ///     error("  #####\n #...#\n ##A##\n  ###"),
    ///     "line 2, column 2: this is left of the drawing, whose first wall begins in column 3"
    /// );
    /// assert_eq!(
    ///     error("#####\n#...#\n##A##\n #AA\n ###"),
    ///     "line 4, column 4: a wall '#' is expected here, not 'A'"
    /// );
    /// assert_eq!(
    ///     error("#####\n#.#.#\n##A##\n #A#\n ###"),
    ///     "line 2, column 3: the hallway has a wall in it; a free place is '.'"
    /// );
    /// assert_eq!(
    ///     error("#####\n#. .#\n##A##\n #A#\n ###"),
    ///     "line 2, column 3: a blank inside the burrow; a free place is '.'"
    /// );
    /// assert_eq!(
    ///     error("#####\n#...#\n##A##\n #A#\n"),
    ///     "line 5, column 1: the drawing ends too early; the floor below the rooms is missing"
    /// );
    /// assert_eq!(
    ///     error("#####\n#...#\n#####"),
    ///     "line 3, column 1: there is no room below the hallway; 1 to 26 rooms are expected"
    /// );
    /// assert_eq!(
    ///     error("#########\n#.......#\n##A###B##\n #A###B#\n #######"),
    ///     "line 3, column 7: a room must be two columns right of the one before it, not 4"
    /// );
    /// assert_eq!(
    ///     error("#######\n#.....#\n##A#B##\n #B###\n #####"),
    ///     "line 4, column 5: room B ends here, but others are deeper; all rooms must have the same depth"
    /// );
    /// assert_eq!(
    ///     error("#####\n#...#\n##A##\n #B#\n ###"),
    ///     "line 4, column 3: there is no room for B: the kinds here are A to A"
    /// );
    /// assert_eq!(
    ///     error("#######\n#.....#\n##A#B##\n #A#A#\n #####"),
    ///     "line 4, column 5: one A too many; there must be as many as its room holds, 2"
    /// );
    /// assert_eq!(
    ///     error("#######\n#.....#\n##A#B##\n #A#.#\n #####"),
    ///     "line 3, column 5: room B holds 2, but there is only 1 of kind B in the burrow"
    /// );
    /// assert_eq!(
    ///     error("#####\n#.A.#\n##.##\n #A#\n ###"),
    ///     "line 2, column 3: A stands above a room, where no amphipod begins"
    /// );
    /// assert_eq!(
    ///     error("#####\n#...#\n##A##\n ###\n\nA"),
    ///     "line 6, column 1: there is text after the end of the drawing"
    /// );
    /// ```
    pub fn parse(drawing: &str) -> Result<Self, ParseError> {
        Drawing::new(drawing)?.read()
    }

    /// Returns the second part of the puzzle: the same burrow with two more rows, `#D#C#B#A#` and `#D#B#A#C#`,
    /// inserted below the first row of the rooms.
    ///
    /// ```
    /// use bestfirst::problems::amphipod::Burrow;
    ///
    /// let burrow = Burrow::example().unfolded()?;
    /// assert_eq!(
    ///     burrow.to_string().lines().collect::<Vec<_>>(),
    ///     [
    ///         "#############",
    ///         "#...........#",
    ///         "###B#C#B#D###",
    ///         "  #D#C#B#A#",
    ///         "  #D#B#A#C#",
    ///         "  #A#D#C#A#",
    ///         "  #########",
    ///     ]
    /// );
    /// # Ok::<(), bestfirst::problems::amphipod::UnfoldError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnfoldError`] if the burrow does not have four rooms: the rows are defined for four only.
    pub fn unfolded(&self) -> Result<Self, UnfoldError> {
        const INSERTED: [[usize; 2]; 4] = [[3, 3], [2, 1], [1, 0], [0, 2]];
        if self.rooms != INSERTED.len() {
            return Err(UnfoldError { rooms: self.rooms });
        }
        let mut cells = self.cells[..self.width()].to_vec();
        for (room, inserted) in INSERTED.iter().enumerate() {
            let (first, others) = self.room(room).split_at(1);
            cells.extend_from_slice(first);
            cells.extend(inserted.map(Kind::of_room));
            cells.extend_from_slice(others);
        }
        Ok(Self { depth: self.depth + 2, cells, ..*self })
    }

    /// Returns the public example of the puzzle. Its least energy is 12521, and 44169 after
    /// [`unfolded`](Self::unfolded).
    #[must_use]
    pub fn example() -> Self {
        const ROOMS: [[usize; 2]; 4] = [[1, 0], [2, 3], [1, 2], [3, 0]];
        let mut cells = vec![None; 11];
        cells.extend(ROOMS.iter().flatten().map(|&kind| Kind::of_room(kind)));
        Self { rooms: 4, depth: 2, left: 2, right: 2, cells }
    }

    /// Returns the number of rooms, which is the number of kinds.
    #[must_use]
    pub fn rooms(&self) -> usize {
        self.rooms
    }

    /// Returns the number of places in each room.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the length of the hallway.
    #[must_use]
    pub fn width(&self) -> usize {
        self.left + 2 * self.rooms - 1 + self.right
    }

    /// Returns the number of places of the hallway left of the first room, and right of the last.
    #[must_use]
    pub fn dead_ends(&self) -> (usize, usize) {
        (self.left, self.right)
    }

    /// Returns the column of the hallway above a room.
    #[must_use]
    pub fn door(&self, room: usize) -> usize {
        self.left.saturating_add(room.saturating_mul(2))
    }

    /// Returns the room below a column of the hallway, if there is one.
    #[must_use]
    pub fn room_below(&self, column: usize) -> Option<usize> {
        let from_first = column.checked_sub(self.left)?;
        (from_first % 2 == 0 && from_first / 2 < self.rooms).then_some(from_first / 2)
    }

    /// Returns the amphipod at a place; `None` if it is free or does not exist.
    #[must_use]
    pub fn at(&self, place: Place) -> Option<Kind> {
        self.cells.get(self.index(place)?).copied().flatten()
    }

    /// Returns the hallway from left to right, including the places above rooms.
    #[must_use]
    pub fn hallway(&self) -> &[Option<Kind>] {
        &self.cells[..self.width()]
    }

    /// Returns a room from top to bottom; empty if there is no room with this number.
    #[must_use]
    pub fn room(&self, room: usize) -> &[Option<Kind>] {
        if room >= self.rooms {
            return &[];
        }
        let begin = self.width() + room * self.depth;
        self.cells.get(begin..begin + self.depth).unwrap_or(&[])
    }

    /// Whether every amphipod is in its own room.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        (0..self.rooms).all(|room| {
            self.room(room).iter().all(|cell| cell.is_some_and(|kind| kind.room() == room))
        })
    }

    /// Returns the number of steps from one place to another.
    #[must_use]
    pub fn distance(&self, from: Place, to: Place) -> usize {
        let (from_column, up) = self.column_and_depth(from);
        let (to_column, down) = self.column_and_depth(to);
        match (from, to) {
            (Place::Room { room: a, .. }, Place::Room { room: b, .. }) if a == b => {
                up.abs_diff(down)
            }
            _ => up.saturating_add(from_column.abs_diff(to_column)).saturating_add(down),
        }
    }

    /// Returns all places: the hallway, then the rooms.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (rooms, depth) = (self.rooms, self.depth);
        let hallway = (0..self.width()).map(|column| Place::Hallway { column });
        let in_rooms = (0..rooms)
            .flat_map(move |room| (0..depth).map(move |depth| Place::Room { room, depth }));
        hallway.chain(in_rooms)
    }

    /// Returns the number of amphipods at the bottom of a room that are at home: they are of its kind, and
    /// only their kind is below them. They need not leave the room.
    #[must_use]
    pub fn settled(&self, room: usize) -> usize {
        let below = self.room(room).iter().rev();
        below.take_while(|cell| cell.is_none_or(|k| k.room() == room)).flatten().count()
    }

    /// Moves the amphipod at `from` to `to` if that place is free, and returns its kind.
    pub(super) fn relocate(&mut self, from: Place, to: Place) -> Option<Kind> {
        let (from, to) = (self.index(from)?, self.index(to)?);
        if self.cells.get(to)?.is_some() {
            return None;
        }
        let kind = self.cells.get_mut(from)?.take()?;
        self.cells[to] = Some(kind);
        Some(kind)
    }

    pub(super) fn is_same_size(&self, other: &Self) -> bool {
        (self.rooms, self.depth, self.left, self.right)
            == (other.rooms, other.depth, other.left, other.right)
    }

    /// Whether both have as many amphipods of each kind.
    pub(super) fn has_the_kinds_of(&self, other: &Self) -> bool {
        let count = |burrow: &Self| {
            let mut counts = [0_usize; MOST_ROOMS];
            for kind in burrow.cells.iter().flatten() {
                counts[kind.room()] += 1;
            }
            counts
        };
        count(self) == count(other)
    }

    /// The same burrow with other contents.
    pub(super) fn with_cells(&self, cells: Vec<Option<Kind>>) -> Self {
        debug_assert_eq!(cells.len(), self.cells.len());
        Self { cells, ..*self }
    }

    pub(super) fn cells(&self) -> &[Option<Kind>] {
        &self.cells
    }

    fn index(&self, place: Place) -> Option<usize> {
        match place {
            Place::Hallway { column } => (column < self.width()).then_some(column),
            Place::Room { room, depth } => (room < self.rooms && depth < self.depth)
                .then(|| self.width() + room * self.depth + depth),
        }
    }

    fn column_and_depth(&self, place: Place) -> (usize, usize) {
        match place {
            Place::Hallway { column } => (column, 0),
            Place::Room { room, depth } => (self.door(room), depth.saturating_add(1)),
        }
    }
}

impl FromStr for Burrow {
    type Err = ParseError;

    fn from_str(drawing: &str) -> Result<Self, ParseError> {
        Self::parse(drawing)
    }
}

impl fmt::Display for Burrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |cell: &Option<Kind>| cell.map_or('.', Kind::letter);
        writeln!(f, "{}", "#".repeat(self.width() + 2))?;
        writeln!(f, "#{}#", self.hallway().iter().map(letter).collect::<String>())?;
        for depth in 0..self.depth {
            let (outside, to_the_right) = if depth == 0 { ("#", self.right) } else { (" ", 0) };
            write!(f, "{}", outside.repeat(self.left))?;
            for room in 0..self.rooms {
                write!(f, "#{}", letter(&self.room(room)[depth]))?;
            }
            writeln!(f, "#{}", outside.repeat(to_the_right))?;
        }
        write!(f, "{}{}", " ".repeat(self.left), "#".repeat(2 * self.rooms + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_follow_the_hallway() {
        let burrow = Burrow::example();
        let room = |room, depth| Place::Room { room, depth };
        let column = |column| Place::Hallway { column };
        assert_eq!(burrow.distance(room(0, 0), column(0)), 3);
        assert_eq!(burrow.distance(column(10), room(3, 1)), 4);
        assert_eq!(burrow.distance(room(0, 1), room(2, 0)), 7);
        assert_eq!(burrow.distance(room(1, 0), room(1, 1)), 1);
        assert_eq!((burrow.settled(0), burrow.settled(1), burrow.settled(2)), (1, 0, 1));
    }

    #[test]
    fn rooms_that_do_not_exist_are_empty() {
        let burrow = Burrow::example();
        for room in [4, usize::MAX / 2, usize::MAX] {
            assert!(burrow.room(room).is_empty());
            let far = Place::Room { room, depth: usize::MAX };
            assert_eq!(burrow.at(far), None);
            assert!(burrow.distance(far, Place::Hallway { column: 0 }) >= burrow.door(room));
        }
    }
}
