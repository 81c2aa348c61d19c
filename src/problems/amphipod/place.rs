//! [`Kind`] and [`Place`]: amphipods and cells of a burrow.

use std::fmt;

/// The maximum number of rooms of a burrow: there is one kind for each room, and kinds are letters.
pub const MOST_ROOMS: usize = 26;

/// A kind of amphipod: `A` is the first, and its home is the leftmost room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kind(#[cfg_attr(feature = "serde", serde(with = "crate::problems::stored::letter"))] u8);

impl Kind {
    /// Returns the kind with this letter; `None` if it is not one of `A` to `Z`.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let offset = u32::from(letter).checked_sub(u32::from('A'))?;
        u8::try_from(offset).ok().filter(|&kind| usize::from(kind) < MOST_ROOMS).map(Self)
    }

    /// Returns the kind whose home is the room with this number, counted from 0 at the left; `None` if there
    /// are fewer letters.
    #[must_use]
    pub fn of_room(room: usize) -> Option<Self> {
        u8::try_from(room).ok().filter(|_| room < MOST_ROOMS).map(Self)
    }

    /// Returns the kind of a room that is known to exist.
    pub(super) fn of_existing_room(room: usize) -> Self {
        debug_assert!(room < MOST_ROOMS);
        #[expect(clippy::cast_possible_truncation, reason = "at most 26 rooms")]
        let number = room as u8;
        Self(number)
    }

    /// Returns the letter, `A` to `Z`.
    #[must_use]
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }

    /// Returns the number of the home room, counted from 0 at the left.
    #[must_use]
    pub fn room(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the energy of one step: 1 for `A`, and ten times as much for each following kind.
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

/// A cell of a burrow. All numbers are counted from 0, from the left and from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Place {
    /// In the hallway.
    Hallway {
        /// The column of the hallway.
        column: usize,
    },
    /// In a room.
    Room {
        /// The room.
        room: usize,
        /// The depth; 0 is directly below the hallway.
        depth: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Numbers that were read may be of no burrow.
        let from_one = |number: usize| number.saturating_add(1);
        match *self {
            Self::Hallway { column } => write!(f, "hallway {}", from_one(column)),
            Self::Room { room, depth } => match Kind::of_room(room) {
                Some(kind) => write!(f, "room {kind}, place {}", from_one(depth)),
                None => write!(f, "room {}, place {}", from_one(room), from_one(depth)),
            },
        }
    }
}
