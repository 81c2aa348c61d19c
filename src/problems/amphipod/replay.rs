//! [`Frame`]: a solution as a film, one position after the other.

use std::fmt;

use super::burrow::{Burrow, Kind, Place};

/// Somebody walks from one place to another without stopping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Who walks.
    pub kind: Kind,
    /// From where.
    pub from: Place,
    /// To where.
    pub to: Place,
    /// Over how many steps.
    pub steps: usize,
}

impl Move {
    /// What it costs: its steps, times what a step costs this kind.
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

/// One picture of a film: a position, the move that led to it, and the energy spent so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The position.
    pub burrow: Burrow,
    /// The move that led to it; none before the first move.
    pub moved: Option<Move>,
    /// The energy that all moves so far have cost.
    pub energy: u128,
}

impl fmt::Display for Frame {
    /// The drawing, and a line below it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.burrow)?;
        match &self.moved {
            Some(moved) => write!(f, "{moved}; so far {}", self.energy),
            None => f.write_str("the start"),
        }
    }
}

/// A film in the making.
#[derive(Debug)]
pub(super) struct Film {
    frames: Vec<Frame>,
    now: Burrow,
    energy: u128,
}

impl Film {
    pub(super) fn new(start: &Burrow) -> Self {
        let first = Frame { burrow: start.clone(), moved: None, energy: 0 };
        Self { frames: vec![first], now: start.clone(), energy: 0 }
    }

    pub(super) fn finish(self) -> Vec<Frame> {
        self.frames
    }

    /// Says whether there was somebody who could be moved.
    pub(super) fn relocate(&mut self, from: Place, to: Place) -> bool {
        let Some(kind) = self.now.relocate(from, to) else { return false };
        let moved = Move { kind, from, to, steps: self.now.distance(from, to) };
        self.energy = self.energy.saturating_add(moved.energy());
        let burrow = self.now.clone();
        self.frames.push(Frame { burrow, moved: Some(moved), energy: self.energy });
        true
    }

    /// The uppermost one in a room comes out.
    pub(super) fn come_out(&mut self, room: usize, column: usize) -> bool {
        match uppermost(&self.now, room) {
            Some(depth) => self.relocate(Place::Room { room, depth }, Place::Hallway { column }),
            None => false,
        }
    }

    /// Everybody who can go home does so, until nobody is left who can.
    pub(super) fn all_go_home(&mut self) {
        while let Some((from, to)) =
            self.now.places().find_map(|from| way_home(&self.now, from).map(|to| (from, to)))
        {
            self.relocate(from, to);
        }
    }
}

fn uppermost(burrow: &Burrow, room: usize) -> Option<usize> {
    burrow.room(room).iter().position(Option::is_some)
}

/// Where the one at `from` can go to stay, in one move.
fn way_home(burrow: &Burrow, from: Place) -> Option<Place> {
    let kind = burrow.at(from)?;
    let home = kind.room();
    // Only its own kind may be in the room.
    let cells = burrow.room(home);
    if cells.iter().flatten().any(|&other| other != kind) {
        return None;
    }
    // As deep as it can, that is right above the first that is already there.
    let free = cells.iter().take_while(|cell| cell.is_none()).count();
    match from {
        Place::Room { room, depth } if room == home => {
            // It is the uppermost, and there is a gap below it.
            let below = cells[depth + 1..].iter().take_while(|cell| cell.is_none()).count();
            (below > 0).then_some(Place::Room { room: home, depth: depth + below })
        }
        _ => {
            let column = match from {
                Place::Hallway { column } => column,
                Place::Room { room, depth } => {
                    if uppermost(burrow, room) != Some(depth) {
                        return None;
                    }
                    burrow.door(room)
                }
            };
            let door = burrow.door(home);
            let blocked = (column.min(door)..=column.max(door))
                .any(|x| x != column && burrow.hallway()[x].is_some());
            // A gap below others of its kind is closed by those first.
            let gap = cells[free..].iter().any(Option::is_none);
            (!blocked && !gap && free > 0).then(|| Place::Room { room: home, depth: free - 1 })
        }
    }
}
