//! [`Burrow`]: a position as a drawing, and what can be wrong with a drawing.

use std::fmt;
use std::str::FromStr;

/// The most rooms a burrow can have: there is one kind for each, and kinds are letters.
pub const MOST_ROOMS: usize = 26;

/// A kind of amphipod: `A` is the first, and at home in the leftmost room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u8);

impl Kind {
    /// The kind with this letter, if it is one of `A` to `Z`.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let offset = u32::from(letter).checked_sub(u32::from('A'))?;
        u8::try_from(offset).ok().filter(|&kind| usize::from(kind) < MOST_ROOMS).map(Self)
    }

    /// The kind that is at home in the room with this number, counted from 0 at the left.
    #[must_use]
    pub fn of_room(room: usize) -> Option<Self> {
        u8::try_from(room).ok().filter(|_| room < MOST_ROOMS).map(Self)
    }

    /// Its letter, `A` to `Z`.
    #[must_use]
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }

    /// The number of its room, counted from 0 at the left.
    #[must_use]
    pub fn room(self) -> usize {
        usize::from(self.0)
    }

    /// What a step costs it: 1 for `A`, and ten times as much for each kind after that.
    ///
    /// ```
    /// use bestfirst::problems::amphipod::Kind;
    ///
    /// assert_eq!(Kind::from_letter('D').unwrap().step_energy(), 1000);
    /// assert_eq!(Kind::from_letter('Z').unwrap().step_energy(), 10_u128.pow(25));
    /// ```
    #[must_use]
    pub fn step_energy(self) -> u128 {
        10_u128.pow(u32::from(self.0))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A place in a burrow. Everything is counted from 0, from the left and from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In the hallway.
    Hallway {
        /// The column; the hallway begins with column 0.
        column: usize,
    },
    /// In a room.
    Room {
        /// Which room.
        room: usize,
        /// How deep; 0 is right below the hallway.
        depth: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Hallway { column } => write!(f, "hallway {}", column + 1),
            Self::Room { room, depth } => match Kind::of_room(room) {
                Some(kind) => write!(f, "room {kind}, place {}", depth + 1),
                None => write!(f, "room {}, place {}", room + 1, depth + 1),
            },
        }
    }
}

/// A position: who stands where in a burrow of a certain size.
///
/// It is read from a drawing by [`parse`](Self::parse) and draws itself by `Display`. It may have 1
/// to 26 rooms, of any depth, and a hallway that goes on by any number of steps beyond the first and
/// the last room, or not at all. Some may stand in the hallway already.
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
/// assert!(small.is_err()); // there is one A, and room for two
///
/// let small = Burrow::parse("#######\n#.B...#\n###.#A#\n  #A#B#\n  #####")?;
/// assert_eq!((small.rooms(), small.dead_ends()), (2, (2, 0)));
/// # Ok::<(), bestfirst::problems::amphipod::BurrowError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Burrow {
    rooms: usize,
    depth: usize,
    left: usize,
    right: usize,
    /// The hallway from left to right, then the rooms one after the other from top to bottom.
    cells: Vec<Option<Kind>>,
}

impl Burrow {
    /// Reads a drawing.
    ///
    /// Blanks at the ends of lines, blank lines around the drawing and Windows line ends do not
    /// matter, and the drawing as a whole may be indented. Beside the lower rows of rooms there may
    /// be blanks or walls.
    ///
    /// # Errors
    ///
    /// A [`BurrowError`] that says what is wrong first, where, and what would be right.
    pub fn parse(drawing: &str) -> Result<Self, BurrowError> {
        Drawing::new(drawing)?.read()
    }

    /// The second part of the puzzle: the same burrow with the two rows that were folded away,
    /// `#D#C#B#A#` and `#D#B#A#C#`, below the first row of its rooms.
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
    /// [`UnfoldError`] if it has not four rooms: the two rows are known for four only.
    pub fn unfolded(&self) -> Result<Self, UnfoldError> {
        const FOLDED: [[u8; 2]; 4] = [[3, 3], [2, 1], [1, 0], [0, 2]];
        if self.rooms != FOLDED.len() {
            return Err(UnfoldError { rooms: self.rooms });
        }
        let mut cells = self.cells[..self.width()].to_vec();
        for (room, folded) in FOLDED.iter().enumerate() {
            let (first, others) = self.room(room).split_at(1);
            cells.extend_from_slice(first);
            cells.extend(folded.map(|kind| Some(Kind(kind))));
            cells.extend_from_slice(others);
        }
        Ok(Self { depth: self.depth + 2, cells, ..*self })
    }

    /// The example that the puzzle comes with. It is solved with an energy of 12521, and of 44169
    /// when it is [unfolded](Self::unfolded).
    #[must_use]
    pub fn example() -> Self {
        const ROOMS: [[u8; 2]; 4] = [[1, 0], [2, 3], [1, 2], [3, 0]];
        let mut cells = vec![None; 11];
        cells.extend(ROOMS.iter().flatten().map(|&kind| Some(Kind(kind))));
        Self { rooms: 4, depth: 2, left: 2, right: 2, cells }
    }

    /// How many rooms, and kinds, there are.
    #[must_use]
    pub fn rooms(&self) -> usize {
        self.rooms
    }

    /// How many live in each room.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// How many steps the hallway is long.
    #[must_use]
    pub fn width(&self) -> usize {
        self.left + 2 * self.rooms - 1 + self.right
    }

    /// How many places the hallway has left of the first room, and right of the last.
    #[must_use]
    pub fn dead_ends(&self) -> (usize, usize) {
        (self.left, self.right)
    }

    /// The column of the hallway that is above this room.
    #[must_use]
    pub fn door(&self, room: usize) -> usize {
        self.left + 2 * room
    }

    /// The room below this column of the hallway, if there is one.
    #[must_use]
    pub fn room_below(&self, column: usize) -> Option<usize> {
        let from_first = column.checked_sub(self.left)?;
        (from_first % 2 == 0 && from_first / 2 < self.rooms).then_some(from_first / 2)
    }

    /// Who stands there; `None` also for a place that does not exist.
    #[must_use]
    pub fn at(&self, place: Place) -> Option<Kind> {
        self.cells.get(self.index(place)?).copied().flatten()
    }

    /// The hallway from left to right, doors included.
    #[must_use]
    pub fn hallway(&self) -> &[Option<Kind>] {
        &self.cells[..self.width()]
    }

    /// A room from top to bottom; empty if there is none with this number.
    #[must_use]
    pub fn room(&self, room: usize) -> &[Option<Kind>] {
        let begin = self.width() + room * self.depth;
        self.cells.get(begin..begin + self.depth).unwrap_or(&[])
    }

    /// Whether everybody is at home.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        (0..self.rooms).all(|room| {
            self.room(room).iter().all(|cell| cell.is_some_and(|kind| kind.room() == room))
        })
    }

    /// How many steps it is from one place to the other.
    #[must_use]
    pub fn distance(&self, from: Place, to: Place) -> usize {
        let (from_column, up) = self.column_and_depth(from);
        let (to_column, down) = self.column_and_depth(to);
        match (from, to) {
            (Place::Room { room: a, .. }, Place::Room { room: b, .. }) if a == b => {
                up.abs_diff(down)
            }
            _ => up + from_column.abs_diff(to_column) + down,
        }
    }

    /// All places: the hallway, then each room.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (rooms, depth) = (self.rooms, self.depth);
        let hallway = (0..self.width()).map(|column| Place::Hallway { column });
        let in_rooms = (0..rooms)
            .flat_map(move |room| (0..depth).map(move |depth| Place::Room { room, depth }));
        hallway.chain(in_rooms)
    }

    /// How many at the bottom of this room are at home: those of its kind that have nobody else
    /// below them. They need not leave it again.
    #[must_use]
    pub fn settled(&self, room: usize) -> usize {
        let below = self.room(room).iter().rev();
        below.take_while(|cell| cell.is_none_or(|k| k.room() == room)).flatten().count()
    }

    /// Puts whoever stands at `from` to `to`, if that place is free, and says who it is.
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

    /// A position of the same burrow with others in its cells.
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
            Place::Room { room, depth } => (self.door(room), depth + 1),
        }
    }
}

impl FromStr for Burrow {
    type Err = BurrowError;

    fn from_str(drawing: &str) -> Result<Self, BurrowError> {
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

/// Where something is in a text; lines and columns are counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// What is wrong with a drawing, and where.
///
/// ```
/// use bestfirst::problems::amphipod::Burrow;
///
/// let fault = |drawing: &str| Burrow::parse(drawing).unwrap_err().to_string();
///
/// assert_eq!(fault(""), "line 1, column 1: there is no drawing; it begins with a wall, as in '#####'");
/// assert_eq!(
///     fault("#####\n#.?.#\n##A##\n #A#\n ###"),
///     "line 2, column 3: '?' means nothing here; a drawing has '#', '.', blanks and letters A to Z"
/// );
/// assert_eq!(
///     fault("#####\n#... \n##A##\n #A#\n ###"),
///     "line 2, column 5: the line is too short; a wall '#' belongs here"
/// );
/// assert_eq!(
///     fault("#####\n#...##\n##A##\n #A#\n ###"),
///     "line 2, column 6: the line is too long; the wall above it is 5 wide"
/// );
/// assert_eq!(
///     fault("  #####\n #...#\n ##A##\n  ###"),
///     "line 2, column 2: this is left of the drawing, whose first wall begins in column 3"
/// );
/// assert_eq!(
///     fault("#####\n#...#\n##A##\n #AA\n ###"),
///     "line 4, column 4: a wall '#' belongs here, not 'A'"
/// );
/// assert_eq!(
///     fault("#####\n#.#.#\n##A##\n #A#\n ###"),
///     "line 2, column 3: the hallway has a wall in it; a free place is '.'"
/// );
/// assert_eq!(
///     fault("#####\n#. .#\n##A##\n #A#\n ###"),
///     "line 2, column 3: a blank inside the burrow; a free place is '.'"
/// );
/// assert_eq!(
///     fault("#####\n#...#\n##A##\n #A#\n"),
///     "line 5, column 1: the drawing ends too early; the floor below the rooms is missing"
/// );
/// assert_eq!(
///     fault("#####\n#...#\n#####"),
///     "line 3, column 1: there is no room below the hallway; 1 to 26 belong here"
/// );
/// assert_eq!(
///     fault("#########\n#.......#\n##A###B##\n #A###B#\n #######"),
///     "line 3, column 7: a room must be two columns right of the one before it, not 4"
/// );
/// assert_eq!(
///     fault("#######\n#.....#\n##A#B##\n #B###\n #####"),
///     "line 4, column 5: room B ends here, but others go on; all rooms must be of the same depth"
/// );
/// assert_eq!(
///     fault("#####\n#...#\n##A##\n #B#\n ###"),
///     "line 4, column 3: there is no room for B: the kinds here are A to A"
/// );
/// assert_eq!(
///     fault("#######\n#.....#\n##A#B##\n #A#A#\n #####"),
///     "line 4, column 5: one A too many; there must be as many as its room holds, 2"
/// );
/// assert_eq!(
///     fault("#######\n#.....#\n##A#B##\n #A#.#\n #####"),
///     "line 3, column 5: room B holds 2, but there is only 1 of kind B in the burrow"
/// );
/// assert_eq!(
///     fault("#####\n#.A.#\n##.##\n #A#\n ###"),
///     "line 2, column 3: A stands in a doorway, where nobody may stop"
/// );
/// assert_eq!(
///     fault("#####\n#...#\n##A##\n ###\n\nA"),
///     "line 6, column 1: there is text after the end of the drawing"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BurrowError {
    /// There is nothing but blanks.
    Empty {
        /// The beginning of the text.
        at: Position,
    },
    /// A character that no drawing has.
    UnknownCharacter {
        /// Where it is.
        at: Position,
        /// The character.
        found: char,
    },
    /// A line ends before its last wall.
    TooShort {
        /// The place that the wall should be in.
        at: Position,
    },
    /// A line goes on beyond the wall above it.
    TooLong {
        /// The place of the first character too many.
        at: Position,
        /// How wide the wall above the hallway is.
        width: usize,
    },
    /// A line begins left of the wall above the hallway.
    LeftOfDrawing {
        /// Where it begins.
        at: Position,
        /// The column in which the wall above the hallway begins.
        begins: usize,
    },
    /// Something else where a wall must be.
    MissingWall {
        /// Where the wall belongs.
        at: Position,
        /// What is there.
        found: char,
    },
    /// A wall across the hallway.
    WallInHallway {
        /// Where it is.
        at: Position,
    },
    /// A blank where there must be a place or a wall.
    Blank {
        /// Where it is.
        at: Position,
    },
    /// The text ends before the drawing does.
    Unfinished {
        /// The line that is missing.
        at: Position,
        /// What should be there.
        missing: &'static str,
    },
    /// The row below the hallway has no room.
    NoRoom {
        /// The beginning of that row.
        at: Position,
    },
    /// More rooms than there are letters.
    TooManyRooms {
        /// The first room too many.
        at: Position,
    },
    /// A room that is not two columns right of the one before.
    RoomSpacing {
        /// Its top.
        at: Position,
        /// How many columns right of the one before it is.
        columns: usize,
    },
    /// Some rooms go deeper than others.
    UnevenDepth {
        /// The place below the bottom of a room that is less deep.
        at: Position,
        /// The kind whose room it is.
        kind: Kind,
    },
    /// Somebody who has no room.
    NoRoomFor {
        /// Where it stands.
        at: Position,
        /// Its kind.
        kind: Kind,
        /// The last kind that has a room.
        last: Kind,
    },
    /// More of a kind than its room holds.
    TooManyOf {
        /// The first one too many.
        at: Position,
        /// The kind.
        kind: Kind,
        /// How many the room holds.
        depth: usize,
    },
    /// Fewer of a kind than its room holds.
    TooFewOf {
        /// The top of its room.
        at: Position,
        /// The kind.
        kind: Kind,
        /// How many there are.
        found: usize,
        /// How many the room holds.
        depth: usize,
    },
    /// Somebody stands where nobody may stop.
    InDoorway {
        /// Where it stands.
        at: Position,
        /// Its kind.
        kind: Kind,
    },
    /// Something after the end of the drawing.
    TextAfterEnd {
        /// Where it begins.
        at: Position,
    },
}

impl BurrowError {
    /// Where in the text it is.
    #[must_use]
    pub fn position(&self) -> Position {
        match *self {
            Self::Empty { at }
            | Self::UnknownCharacter { at, .. }
            | Self::TooShort { at }
            | Self::TooLong { at, .. }
            | Self::LeftOfDrawing { at, .. }
            | Self::MissingWall { at, .. }
            | Self::WallInHallway { at }
            | Self::Blank { at }
            | Self::Unfinished { at, .. }
            | Self::NoRoom { at }
            | Self::TooManyRooms { at }
            | Self::RoomSpacing { at, .. }
            | Self::UnevenDepth { at, .. }
            | Self::NoRoomFor { at, .. }
            | Self::TooManyOf { at, .. }
            | Self::TooFewOf { at, .. }
            | Self::InDoorway { at, .. }
            | Self::TextAfterEnd { at } => at,
        }
    }
}

impl fmt::Display for BurrowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.position())?;
        match self {
            Self::Empty { .. } => {
                f.write_str("there is no drawing; it begins with a wall, as in '#####'")
            }
            Self::UnknownCharacter { found, .. } => write!(
                f,
                "{found:?} means nothing here; a drawing has '#', '.', blanks and letters A to Z"
            ),
            Self::TooShort { .. } => f.write_str("the line is too short; a wall '#' belongs here"),
            Self::TooLong { width, .. } => {
                write!(f, "the line is too long; the wall above it is {width} wide")
            }
            Self::LeftOfDrawing { begins, .. } => {
                write!(f, "this is left of the drawing, whose first wall begins in column {begins}")
            }
            Self::MissingWall { found, .. } => {
                write!(f, "a wall '#' belongs here, not {found:?}")
            }
            Self::WallInHallway { .. } => {
                f.write_str("the hallway has a wall in it; a free place is '.'")
            }
            Self::Blank { .. } => f.write_str("a blank inside the burrow; a free place is '.'"),
            Self::Unfinished { missing, .. } => {
                write!(f, "the drawing ends too early; {missing} is missing")
            }
            Self::NoRoom { .. } => {
                write!(f, "there is no room below the hallway; 1 to {MOST_ROOMS} belong here")
            }
            Self::TooManyRooms { .. } => {
                write!(f, "one room too many; there are letters for {MOST_ROOMS}")
            }
            Self::RoomSpacing { columns, .. } => {
                write!(f, "a room must be two columns right of the one before it, not {columns}")
            }
            Self::UnevenDepth { kind, .. } => write!(
                f,
                "room {kind} ends here, but others go on; all rooms must be of the same depth"
            ),
            Self::NoRoomFor { kind, last, .. } => {
                write!(f, "there is no room for {kind}: the kinds here are A to {last}")
            }
            Self::TooManyOf { kind, depth, .. } => {
                write!(f, "one {kind} too many; there must be as many as its room holds, {depth}")
            }
            Self::TooFewOf { kind, found, depth, .. } => {
                let are = if *found == 1 { "is" } else { "are" };
                write!(
                    f,
                    "room {kind} holds {depth}, but there {are} only {found} of kind {kind} in the burrow"
                )
            }
            Self::InDoorway { kind, .. } => {
                write!(f, "{kind} stands in a doorway, where nobody may stop")
            }
            Self::TextAfterEnd { .. } => f.write_str("there is text after the end of the drawing"),
        }
    }
}

impl std::error::Error for BurrowError {}

/// Only burrows of four rooms can be [unfolded](Burrow::unfolded).
///
/// ```
/// use bestfirst::problems::amphipod::Burrow;
///
/// let burrow = Burrow::parse("#######\n#.....#\n##B#A##\n #####").unwrap();
/// assert_eq!(
///     burrow.unfolded().unwrap_err().to_string(),
///     "only a burrow of 4 rooms can be unfolded, this one has 2"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnfoldError {
    /// How many rooms it has.
    pub rooms: usize,
}

impl fmt::Display for UnfoldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "only a burrow of 4 rooms can be unfolded, this one has {}", self.rooms)
    }
}

impl std::error::Error for UnfoldError {}

/// A text on its way to a burrow: its lines without blanks at their ends, and where they are.
struct Drawing {
    /// The number of the first line of the drawing, less one.
    above: usize,
    /// How many blanks the drawing is indented by.
    indent: usize,
    lines: Vec<Vec<char>>,
}

impl Drawing {
    fn new(text: &str) -> Result<Self, BurrowError> {
        let mut lines: Vec<Vec<char>> =
            text.lines().map(|line| line.trim_end().chars().collect()).collect();
        while lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        let above = lines.iter().take_while(|line| line.is_empty()).count();
        lines.drain(..above);
        let Some(top) = lines.first() else {
            return Err(BurrowError::Empty { at: Position { line: 1, column: 1 } });
        };
        let indent = top.iter().take_while(|&&c| c == ' ').count();
        let drawing = Self { above, indent, lines };
        for (y, line) in drawing.lines.iter().enumerate() {
            for (x, &found) in line.iter().enumerate() {
                if !matches!(found, '#' | '.' | ' ' | 'A'..='Z') {
                    let at = Position { line: above + y + 1, column: x + 1 };
                    return Err(BurrowError::UnknownCharacter { at, found });
                }
            }
            // What stands left of the drawing belongs to no part of it.
            if let Some(x) = line.iter().take(indent).position(|&c| c != ' ') {
                let at = Position { line: above + y + 1, column: x + 1 };
                return Err(BurrowError::LeftOfDrawing { at, begins: indent + 1 });
            }
        }
        Ok(drawing)
    }

    fn position(&self, y: usize, x: usize) -> Position {
        Position { line: self.above + y + 1, column: self.indent + x + 1 }
    }

    /// The character there; a blank beyond the end of the line.
    fn at(&self, y: usize, x: usize) -> Option<char> {
        self.lines.get(y)?.get(self.indent + x).copied()
    }

    /// The width of the hallway.
    fn width(&self) -> usize {
        self.lines[0].len().saturating_sub(self.indent + 2)
    }

    fn wall(&self, y: usize, x: usize) -> Result<(), BurrowError> {
        match self.at(y, x) {
            Some('#') => Ok(()),
            Some(found) => Err(BurrowError::MissingWall { at: self.position(y, x), found }),
            None => Err(BurrowError::TooShort { at: self.position(y, x) }),
        }
    }

    fn line(&self, y: usize, missing: &'static str) -> Result<(), BurrowError> {
        let width = self.width() + 2;
        match self.lines.get(y) {
            None => Err(BurrowError::Unfinished {
                at: Position { line: self.above + y + 1, column: 1 },
                missing,
            }),
            Some(line) if line.len() > self.indent + width => {
                Err(BurrowError::TooLong { at: self.position(y, width), width })
            }
            Some(_) => Ok(()),
        }
    }

    fn read(&self) -> Result<Burrow, BurrowError> {
        let width = self.width();
        for x in 0..(width + 2).max(3) {
            self.wall(0, x)?;
        }

        self.line(1, "the hallway")?;
        self.wall(1, 0)?;
        for x in 1..=width {
            let at = self.position(1, x);
            match self.at(1, x) {
                None => return Err(BurrowError::TooShort { at }),
                Some(' ') => return Err(BurrowError::Blank { at }),
                Some('#') => return Err(BurrowError::WallInHallway { at }),
                Some(_) => {}
            }
        }
        self.wall(1, width + 1)?;

        let doors = self.doors()?;
        let (first, last) = (doors[0], doors[doors.len() - 1]);
        let floor = self.floor(&doors)?;
        if let Some(extra) = self.lines.get(floor + 1..).and_then(|rest| {
            rest.iter().enumerate().find_map(|(y, line)| {
                line.iter().position(|&c| c != ' ').map(|x| (floor + 1 + y, x))
            })
        }) {
            let at = Position { line: self.above + extra.0 + 1, column: extra.1 + 1 };
            return Err(BurrowError::TextAfterEnd { at });
        }

        let burrow = Burrow {
            rooms: doors.len(),
            depth: floor - 2,
            left: first - 1,
            right: width - last,
            cells: Vec::new(),
        };
        self.inhabit(burrow, &doors)
    }

    /// Looks at the row below the hallway: the columns of the rooms.
    fn doors(&self) -> Result<Vec<usize>, BurrowError> {
        const Y: usize = 2;
        let width = self.width();
        self.line(Y, "the first row of rooms")?;
        self.wall(Y, 0)?;
        let mut doors: Vec<usize> = Vec::new();
        for x in 1..=width {
            let at = self.position(Y, x);
            match self.at(Y, x) {
                None => return Err(BurrowError::TooShort { at }),
                Some(' ') => return Err(BurrowError::Blank { at }),
                Some('#') => continue,
                Some(found) => match doors.last() {
                    Some(before) if x - before == 1 => {
                        return Err(BurrowError::MissingWall { at, found });
                    }
                    Some(before) if x - before > 2 => {
                        return Err(BurrowError::RoomSpacing { at, columns: x - before });
                    }
                    _ => {}
                },
            }
            if doors.len() == MOST_ROOMS {
                return Err(BurrowError::TooManyRooms { at });
            }
            doors.push(x);
        }
        self.wall(Y, width + 1)?;
        if doors.is_empty() {
            return Err(BurrowError::NoRoom { at: self.position(Y, 0) });
        }
        Ok(doors)
    }

    /// Goes down the rows of rooms: which one is the floor.
    fn floor(&self, doors: &[usize]) -> Result<usize, BurrowError> {
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
                    None => return Err(BurrowError::TooShort { at: self.position(y, x) }),
                    Some(' ') => return Err(BurrowError::Blank { at: self.position(y, x) }),
                    Some('#') => closed = closed.or(Some(room)),
                    Some(_) => open = true,
                }
            }
            self.wall(y, last + 1)?;
            match closed {
                None => {}
                Some(_) if !open => return Ok(y),
                Some(room) => {
                    let at = self.position(y, doors[room]);
                    // There are no more rooms than kinds.
                    #[expect(clippy::cast_possible_truncation, reason = "at most 26 rooms")]
                    return Err(BurrowError::UnevenDepth { at, kind: Kind(room as u8) });
                }
            }
            y += 1;
        }
    }

    /// Puts everybody in, and counts the kinds.
    fn inhabit(&self, mut burrow: Burrow, doors: &[usize]) -> Result<Burrow, BurrowError> {
        #[expect(clippy::cast_possible_truncation, reason = "at most 26 rooms")]
        let last = Kind(doors.len() as u8 - 1);
        let mut found = [0; MOST_ROOMS];
        let hallway = (1..=burrow.width()).map(|x| (1, x));
        let rows = (2..2 + burrow.depth).flat_map(|y| doors.iter().map(move |&x| (y, x)));
        // In the order of reading, so that the first fault in the text is the one reported.
        for (y, x) in hallway.chain(rows) {
            let Some(kind) = self.at(y, x).and_then(Kind::from_letter) else { continue };
            let at = self.position(y, x);
            if kind > last {
                return Err(BurrowError::NoRoomFor { at, kind, last });
            }
            if y == 1 && doors.contains(&x) {
                return Err(BurrowError::InDoorway { at, kind });
            }
            found[kind.room()] += 1;
            if found[kind.room()] > burrow.depth {
                return Err(BurrowError::TooManyOf { at, kind, depth: burrow.depth });
            }
        }
        for (room, &x) in doors.iter().enumerate() {
            if found[room] < burrow.depth {
                #[expect(clippy::cast_possible_truncation, reason = "at most 26 rooms")]
                let kind = Kind(room as u8);
                let (at, found) = (self.position(2, x), found[room]);
                return Err(BurrowError::TooFewOf { at, kind, found, depth: burrow.depth });
            }
        }
        let cell = |y, x| self.at(y, x).and_then(Kind::from_letter);
        let hallway = (1..=burrow.width()).map(|x| cell(1, x));
        let rooms = doors.iter().flat_map(|&x| (2..2 + burrow.depth).map(move |y| (y, x)));
        burrow.cells = hallway.chain(rooms.map(|(y, x)| cell(y, x))).collect();
        Ok(burrow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "#############\n#...........#\n###B#C#B#D###\n  #A#D#C#A#\n  #########";

    #[test]
    fn the_example_is_the_example() {
        assert_eq!(EXAMPLE.parse(), Ok(Burrow::example()));
        assert_eq!(Burrow::example().to_string(), EXAMPLE);
    }

    #[test]
    fn what_surrounds_a_drawing_does_not_matter() {
        let variants = [
            EXAMPLE.replace('\n', "\r\n") + "\r\n",
            EXAMPLE.replace('\n', "  \n") + " \n\n  \n",
            format!("\n\n{EXAMPLE}\n"),
            EXAMPLE.lines().map(|line| ["    ", line, "\n"].concat()).collect(),
            EXAMPLE.replace("  #A#D#C#A#", "###A#D#C#A###").replace("  #########", "#############"),
        ];
        for text in variants {
            assert_eq!(Burrow::parse(&text), Ok(Burrow::example()), "{text}");
        }
    }

    #[test]
    fn places_in_faults_count_what_stands_before_the_drawing() {
        let text = format!("\n\n{}", EXAMPLE.replace("...........", "...x......."));
        let fault = Burrow::parse(&text).unwrap_err();
        let at = Position { line: 4, column: 5 };
        assert_eq!(fault, BurrowError::UnknownCharacter { at, found: 'x' });
        let text: String = EXAMPLE
            .replace("C#A#", "C#Q#")
            .lines()
            .fold(String::new(), |all, line| all + "   " + line + "\n");
        let fault = Burrow::parse(&text).unwrap_err();
        assert_eq!(fault.position(), Position { line: 4, column: 13 });
        assert!(matches!(fault, BurrowError::NoRoomFor { .. }), "{fault}");
    }

    #[test]
    fn there_are_letters_for_twenty_six_rooms() {
        let drawing = |rooms: u8| {
            let kinds: Vec<String> =
                (0..rooms).map(|room| char::from(b'A' + room % 26).to_string()).collect();
            let (wall, hallway) =
                ("#".repeat(kinds.len() * 2 + 1), ".".repeat(kinds.len() * 2 - 1));
            format!("{wall}\n#{hallway}#\n#{}#\n{wall}", kinds.join("#"))
        };
        let largest = Burrow::parse(&drawing(26)).unwrap();
        assert_eq!((largest.rooms(), largest.width(), largest.dead_ends()), (26, 51, (0, 0)));
        assert!(largest.is_solved());
        let at = Position { line: 3, column: 54 };
        assert_eq!(Burrow::parse(&drawing(27)), Err(BurrowError::TooManyRooms { at }));
    }

    #[test]
    fn every_prefix_and_every_change_of_a_character_is_read_or_refused() {
        let mut read = 0;
        for end in 0..=EXAMPLE.len() {
            read += u32::from(Burrow::parse(&EXAMPLE[..end]).is_ok());
        }
        // All of it is needed, down to the last wall.
        assert_eq!(read, 1);
        for at in 0..EXAMPLE.len() {
            for change in ["", "#", ".", " ", "A", "B", "E", "\n", "\t", "é", "##", "\u{0}"] {
                let text = format!("{}{change}{}", &EXAMPLE[..at], &EXAMPLE[at + 1..]);
                match Burrow::parse(&text) {
                    Ok(burrow) => assert_eq!(burrow.to_string().parse(), Ok(burrow)),
                    Err(fault) => {
                        let Position { line, column } = fault.position();
                        let source = text.lines().nth(line - 1).unwrap_or("");
                        let short = matches!(fault, BurrowError::TooShort { .. });
                        assert!(short || column <= source.chars().count() + 1, "{fault}\n{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn steps_are_counted_around_corners() {
        let burrow = Burrow::example();
        let room = |room, depth| Place::Room { room, depth };
        let column = |column| Place::Hallway { column };
        assert_eq!(burrow.distance(room(0, 0), column(0)), 3);
        assert_eq!(burrow.distance(column(10), room(3, 1)), 4);
        assert_eq!(burrow.distance(room(0, 1), room(2, 0)), 7);
        assert_eq!(burrow.distance(room(1, 0), room(1, 1)), 1);
        assert_eq!((burrow.settled(0), burrow.settled(1), burrow.settled(2)), (1, 0, 1));
    }
}
