//! [`Frame`] and [`Move`]: a solution as a sequence of arrangements.

use std::fmt;

use super::burrow::Burrow;
use super::place::{Kind, Place};

/// A move of one amphipod from one place to another without stopping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Move {
    /// The kind of the amphipod.
    pub kind: Kind,
    /// The place where the move begins.
    pub from: Place,
    /// The place where the move ends.
    pub to: Place,
    /// The number of steps.
    pub steps: usize,
}

impl Move {
    /// Returns the cost: the number of steps times the energy of a step of this kind.
    #[must_use]
    pub fn energy(&self) -> u128 {
        u128::try_from(self.steps).unwrap_or(u128::MAX).saturating_mul(self.kind.step_energy())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} to {}, energy {}", self.kind, self.from, self.to, self.energy())
    }
}

/// One arrangement of a solution, the move that led to it, and the energy so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Frame {
    /// The arrangement.
    pub burrow: Burrow,
    /// The move that led to it; `None` at the start.
    pub moved: Option<Move>,
    /// The total energy of all moves so far.
    pub energy: u128,
}

impl fmt::Display for Frame {
    /// Returns the drawing, and a line of text below it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.burrow)?;
        match &self.moved {
            Some(moved) => write!(f, "{moved}; so far {}", self.energy),
            None => f.write_str("start"),
        }
    }
}

/// Makes moves and records the frames.
#[derive(Debug)]
pub(super) struct Replay {
    frames: Vec<Frame>,
    now: Burrow,
    energy: u128,
}

impl Replay {
    pub(super) fn new(start: &Burrow) -> Self {
        let first = Frame { burrow: start.clone(), moved: None, energy: 0 };
        Self { frames: vec![first], now: start.clone(), energy: 0 }
    }

    pub(super) fn finish(self) -> Vec<Frame> {
        self.frames
    }

    /// Moves the amphipod at `from` to `to`, and returns whether that was possible.
    pub(super) fn relocate(&mut self, from: Place, to: Place) -> bool {
        let Some(kind) = self.now.relocate(from, to) else { return false };
        let moved = Move { kind, from, to, steps: self.now.distance(from, to) };
        self.energy = self.energy.saturating_add(moved.energy());
        let burrow = self.now.clone();
        self.frames.push(Frame { burrow, moved: Some(moved), energy: self.energy });
        true
    }

    /// Moves the topmost amphipod of a room into the hallway.
    pub(super) fn come_out(&mut self, room: usize, column: usize) -> bool {
        match topmost(&self.now, room) {
            Some(depth) => self.relocate(Place::Room { room, depth }, Place::Hallway { column }),
            None => false,
        }
    }

    /// Makes all moves home, until none is possible.
    pub(super) fn all_go_home(&mut self) {
        while let Some((from, to)) =
            self.now.places().find_map(|from| way_home(&self.now, from).map(|to| (from, to)))
        {
            self.relocate(from, to);
        }
    }
}

fn topmost(burrow: &Burrow, room: usize) -> Option<usize> {
    burrow.room(room).iter().position(Option::is_some)
}

/// Returns the place in its own room to which the amphipod at `from` can move at once.
fn way_home(burrow: &Burrow, from: Place) -> Option<Place> {
    let kind = burrow.at(from)?;
    let home = kind.room();
    // Only its own kind may be in the room.
    let cells = burrow.room(home);
    if cells.iter().flatten().any(|&other| other != kind) {
        return None;
    }
    // As deep as possible: directly above the first amphipod that is already there.
    let free = cells.iter().take_while(|cell| cell.is_none()).count();
    match from {
        Place::Room { room, depth } if room == home => {
            // It is the topmost, and there is a gap below it.
            let below = cells[depth + 1..].iter().take_while(|cell| cell.is_none()).count();
            (below > 0).then_some(Place::Room { room: home, depth: depth + below })
        }
        _ => {
            let column = match from {
                Place::Hallway { column } => column,
                Place::Room { room, depth } => {
                    if topmost(burrow, room) != Some(depth) {
                        return None;
                    }
                    burrow.door(room)
                }
            };
            let door = burrow.door(home);
            let blocked = (column.min(door)..=column.max(door))
                .any(|x| x != column && burrow.hallway()[x].is_some());
            // Amphipods above a gap close it first.
            let gap = cells[free..].iter().any(Option::is_none);
            (!blocked && !gap && free > 0).then(|| Place::Room { room: home, depth: free - 1 })
        }
    }
}
