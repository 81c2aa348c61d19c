//! [`State`] and [`StraightRun`]: the states and actions of a crucible.

use std::fmt;

use crate::encode::encode_as;

/// A state of a [`Crucible`](super::Crucible), the block and the axis of the last run, as its number.
///
/// [`Crucible::block`](super::Crucible::block) and [`Crucible::axis`](super::Crucible::axis) decode
/// it, [`Crucible::state`](super::Crucible::state) constructs one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State(pub(super) u32);

encode_as! {
    [] State as u32: |state| state.0, |number| Some(Self(number)), "a number";
}

/// The axis of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Axis {
    /// Left or right.
    Row = 0,
    /// Up or down.
    Column = 1,
}

/// The direction of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Direction {
    /// Towards the first row.
    Up,
    /// Towards the last row.
    Down,
    /// Towards the first column.
    Left,
    /// Towards the last column.
    Right,
}

impl Direction {
    /// Returns the arrow that [`Crucible::draw`](super::Crucible::draw) puts on a block.
    #[must_use]
    pub fn arrow(self) -> char {
        match self {
            Self::Up => '^',
            Self::Down => 'v',
            Self::Left => '<',
            Self::Right => '>',
        }
    }
}

/// An action of a [`Crucible`](super::Crucible): a straight move over some blocks between two turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StraightRun {
    /// The direction.
    pub direction: Direction,
    /// The number of blocks entered.
    pub length: u32,
}

impl fmt::Display for StraightRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = match self.direction {
            Direction::Up => "up",
            Direction::Down => "down",
            Direction::Left => "left",
            Direction::Right => "right",
        };
        write!(f, "{} {direction}", self.length)
    }
}
