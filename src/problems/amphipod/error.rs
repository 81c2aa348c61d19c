//! [`BurrowError`] and [`UnfoldError`]: what can be wrong with a drawing.

use std::error::Error;
use std::fmt;

use super::place::{Kind, MOST_ROOMS, Position};

/// An invalid drawing of a burrow, with the position of the error.
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
///     "line 2, column 3: A stands above a room, where no amphipod may stop"
/// );
/// assert_eq!(
///     error("#####\n#...#\n##A##\n ###\n\nA"),
///     "line 6, column 1: there is text after the end of the drawing"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BurrowError {
    /// The text is empty or blank.
    Empty {
        /// The begin of the text.
        at: Position,
    },
    /// A character has no meaning in a drawing.
    UnknownCharacter {
        /// Its position.
        at: Position,
        /// The character.
        found: char,
    },
    /// A line ends before its last wall.
    TooShort {
        /// The position where the wall is expected.
        at: Position,
    },
    /// A line is longer than the wall above the hallway.
    TooLong {
        /// The position of the first excess character.
        at: Position,
        /// The width of the wall above the hallway.
        width: usize,
    },
    /// A line begins left of the wall above the hallway.
    LeftOfDrawing {
        /// The position of its first character.
        at: Position,
        /// The column in which the wall above the hallway begins.
        begins: usize,
    },
    /// Another character stands where a wall is expected.
    MissingWall {
        /// The position of the wall.
        at: Position,
        /// The character found there.
        found: char,
    },
    /// There is a wall inside the hallway.
    WallInHallway {
        /// Its position.
        at: Position,
    },
    /// There is a blank where a place or a wall is expected.
    Blank {
        /// Its position.
        at: Position,
    },
    /// The text ends before the drawing does.
    Unfinished {
        /// The position of the missing line.
        at: Position,
        /// The part of the drawing that is missing.
        missing: &'static str,
    },
    /// The row below the hallway has no room.
    NoRoom {
        /// The begin of that row.
        at: Position,
    },
    /// There are more rooms than letters.
    TooManyRooms {
        /// The top of the first excess room.
        at: Position,
    },
    /// A room is not two columns right of the previous one.
    RoomSpacing {
        /// The top of the room.
        at: Position,
        /// The distance from the previous room in columns.
        columns: usize,
    },
    /// The rooms differ in depth.
    UnevenDepth {
        /// The position below the bottom of a room that is less deep than others.
        at: Position,
        /// The kind whose home the room is.
        kind: Kind,
    },
    /// An amphipod has no room.
    NoRoomFor {
        /// Its position.
        at: Position,
        /// Its kind.
        kind: Kind,
        /// The last kind that has a room.
        last: Kind,
    },
    /// There are more amphipods of a kind than its room has places.
    TooManyOf {
        /// The first excess amphipod.
        at: Position,
        /// The kind.
        kind: Kind,
        /// The number of places in the room.
        depth: usize,
    },
    /// There are fewer amphipods of a kind than its room has places.
    TooFewOf {
        /// The top of its room.
        at: Position,
        /// The kind.
        kind: Kind,
        /// The number of amphipods of the kind.
        found: usize,
        /// The number of places in the room.
        depth: usize,
    },
    /// An amphipod stands above a room, where none may stop.
    InDoorway {
        /// Its position.
        at: Position,
        /// Its kind.
        kind: Kind,
    },
    /// There is text after the end of the drawing.
    TextAfterEnd {
        /// Its first character.
        at: Position,
    },
    /// There is not enough memory for the burrow.
    OutOfMemory {
        /// The first line of the drawing.
        at: Position,
        /// The size in bytes of the allocation that failed.
        bytes: u64,
    },
}

impl BurrowError {
    /// Returns the position of the error in the text.
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
            | Self::TextAfterEnd { at }
            | Self::OutOfMemory { at, .. } => at,
        }
    }
}

impl fmt::Display for BurrowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.position())?;
        match self {
            Self::Empty { .. } => {
                f.write_str("the drawing is empty; it must begin with a wall, as in '#####'")
            }
            Self::UnknownCharacter { found, .. } => write!(
                f,
                "{found:?} is not allowed; a drawing has '#', '.', blanks and letters A to Z"
            ),
            Self::TooShort { .. } => {
                f.write_str("the line is too short; a wall '#' is expected here")
            }
            Self::TooLong { width, .. } => {
                write!(f, "the line is too long; the wall above the hallway is {width} wide")
            }
            Self::LeftOfDrawing { begins, .. } => {
                write!(f, "this is left of the drawing, whose first wall begins in column {begins}")
            }
            Self::MissingWall { found, .. } => {
                write!(f, "a wall '#' is expected here, not {found:?}")
            }
            Self::WallInHallway { .. } => {
                f.write_str("the hallway has a wall in it; a free place is '.'")
            }
            Self::Blank { .. } => f.write_str("a blank inside the burrow; a free place is '.'"),
            Self::Unfinished { missing, .. } => {
                write!(f, "the drawing ends too early; {missing} is missing")
            }
            Self::NoRoom { .. } => {
                write!(
                    f,
                    "there is no room below the hallway; 1 to {MOST_ROOMS} rooms are expected"
                )
            }
            Self::TooManyRooms { .. } => {
                write!(f, "there are more than {MOST_ROOMS} rooms, one for each letter")
            }
            Self::RoomSpacing { columns, .. } => {
                write!(f, "a room must be two columns right of the one before it, not {columns}")
            }
            Self::UnevenDepth { kind, .. } => write!(
                f,
                "room {kind} ends here, but others are deeper; all rooms must have the same depth"
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
                write!(f, "{kind} stands above a room, where no amphipod may stop")
            }
            Self::TextAfterEnd { .. } => f.write_str("there is text after the end of the drawing"),
            Self::OutOfMemory { bytes, .. } => write!(
                f,
                "the drawing is too large for the available memory: {bytes} bytes cannot be \
                 allocated; use a smaller burrow or raise the memory limit"
            ),
        }
    }
}

impl Error for BurrowError {}

/// A burrow cannot be [unfolded](super::Burrow::unfolded) because it does not have four rooms.
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
#[non_exhaustive]
pub struct UnfoldError {
    /// The number of rooms of the burrow.
    pub rooms: usize,
}

impl fmt::Display for UnfoldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "only a burrow of 4 rooms can be unfolded, this one has {}", self.rooms)
    }
}

impl Error for UnfoldError {}
