//! [`Literal`]: the problem with every cell and every legal move.

mod dead_end;
mod moves;
mod rules;

use super::burrow::Burrow;
use super::energy::{Energy, FitError, energy_fits, narrow};
use super::packed::{BurrowState, Field, Layout, bits_for};
use super::place::{Kind, Place};
use super::replay::{Frame, Replay};
use crate::debug::show_fields;
use crate::path::Path;
use crate::problems::memory;

pub use rules::Rules;

/// The burrow with every cell and every legal move; an action is one move of one amphipod.
///
/// A search takes several times as long as in the [`Reduced`](super::Reduced) form and finds the same
/// energy. This form also supports other [`Rules`].
/// ```
/// use bestfirst::problems::amphipod::{Burrow, Literal, Rules};
///
/// let problem: Literal = Literal::new(&Burrow::example(), Rules::new())?;
/// let report = bestfirst::astar(&problem, problem.start())?;
/// assert_eq!(report.cost(), Some(12521));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// A state is the kind in each cell, in `N` machine words: two for the puzzle's own size. The heuristic
/// is the energy that the moves would take if no amphipod blocked another. It is infinite if amphipods in
/// the hallway block each other for good, unless the rules let them step aside.
///
/// Any [`BurrowState`] can be searched and replayed without a panic, wherever it was read. The meaning of a state of
/// another burrow is not specified; if it has a kind without a room here, it is a dead end.
#[derive(Clone)]
pub struct Literal<const N: usize = 2, C = u32> {
    burrow: Burrow,
    rules: Rules,
    width: usize,
    depth: usize,
    cells: Vec<Field>,
    /// For each bit of a state, the cell whose field it is part of.
    cell_of_bit: Vec<u16>,
    hallway: BurrowState<N>,
    /// For each column, the cells left of it and right of it.
    sides: Vec<(BurrowState<N>, BurrowState<N>)>,
    /// For each column, whether an amphipod may stop there.
    stops: Vec<bool>,
    /// For each column, the number of columns before it where an amphipod may stop.
    stops_before: Vec<usize>,
    rooms: Vec<Room<N, C>>,
    /// At `cell * rooms + kind`, the cost from the cell to the door of the kind's home.
    to_door: Vec<C>,
    start: BurrowState<N>,
    goal: BurrowState<N>,
}

#[derive(Clone, Debug)]
struct Room<const N: usize, C> {
    door: usize,
    all: BurrowState<N>,
    /// For each depth, the room with its own kind from this depth down.
    settled: Vec<BurrowState<N>>,
    /// For each number of amphipods, the cost of entering and filling the topmost places.
    coming: Vec<C>,
    /// The cost of a step of the kind that lives here.
    step: C,
}

/// An action of a [`Literal`] burrow: a move from one cell to another.
///
/// Cells are the places of the hallway from left to right, then those of each room from top to bottom;
/// [`Literal::place`] converts the number of a cell to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Walk {
    /// The cell where the move begins.
    pub from: u16,
    /// The cell where the move ends.
    pub to: u16,
}

impl<const N: usize, C: Energy> Literal<N, C> {
    /// Returns the literal form of `burrow` under the given rules.
    ///
    /// # Errors
    ///
    /// [`FitError`] if a state needs more than `N` words, the energy does not fit in `C`, or the tables
    /// do not fit into memory.
    pub fn new(burrow: &Burrow, rules: Rules) -> Result<Self, FitError> {
        // An optimal solution enters no state twice, but other rules allow longer ones.
        energy_fits::<C>(burrow, if rules == Rules::new() { 4 } else { 64 })?;
        let (count, depth, width) = (burrow.rooms(), burrow.depth(), burrow.width());
        let mut layout = Layout::default();
        let bits = bits_for(count);
        let places: Vec<Place> = burrow.places().collect();
        let cells: Vec<Field> = places.iter().map(|_| layout.field(bits)).collect();
        layout.fits::<N>()?;

        let mut cell_of_bit = memory::filled(0, 64 * N)?;
        for (i, cell) in cells.iter().enumerate() {
            cell_of_bit[cell.first_bit()..][..cell.bits()].fill(narrow(i));
        }
        let mask = |cells: &[Field]| {
            let mut mask = BurrowState::EMPTY;
            for &cell in cells {
                mask.fill(cell);
            }
            mask
        };
        let energy = |steps: usize, kind: usize| {
            let step = Kind::of_room(kind).map_or(1, Kind::step_energy);
            C::from_u128(steps as u128 * step).unwrap_or(C::INFINITY)
        };

        let mut goal = BurrowState::EMPTY;
        let mut rooms = Vec::with_capacity(count);
        for room in 0..count {
            let own = &cells[width + room * depth..][..depth];
            let settled = (0..=depth).map(|from| {
                let mut settled = BurrowState::EMPTY;
                for &cell in &own[from..] {
                    settled.add(cell, room as u64 + 1);
                }
                settled
            });
            for &cell in own {
                goal.add(cell, room as u64 + 1);
            }
            rooms.push(Room {
                door: burrow.door(room),
                all: mask(own),
                settled: settled.collect(),
                coming: (0..=depth).map(|many| energy(many * (many + 1) / 2, room)).collect(),
                step: energy(1, room),
            });
        }
        let mut to_door = memory::with_capacity(cells.len() * count)?;
        for &place in &places {
            to_door.extend((0..count).map(|kind| {
                let (column, up, aside) = match place {
                    Place::Hallway { column } => (column, 0, 0),
                    Place::Room { room, depth } => {
                        // An amphipod that must leave its own room has to step aside.
                        (burrow.door(room), depth + 1, if room == kind { 2 } else { 0 })
                    }
                };
                energy(up + column.abs_diff(burrow.door(kind)) + aside, kind)
            }));
        }
        let may_stop = |&x: &usize| rules.stop_at_doors || burrow.room_below(x).is_none();
        let mut problem = Self {
            burrow: burrow.clone(),
            rules,
            width,
            depth,
            hallway: mask(&cells[..width]),
            sides: memory::collect(
                (0..width).map(|x| (mask(&cells[..x]), mask(&cells[x + 1..width]))),
            )?,
            stops: (0..width).map(|x| may_stop(&x)).collect(),
            stops_before: (0..=width).map(|end| (0..end).filter(may_stop).count()).collect(),
            cells,
            cell_of_bit,
            rooms,
            to_door,
            start: BurrowState::EMPTY,
            goal,
        };
        problem.start = problem.pack(burrow).unwrap_or(BurrowState::EMPTY);
        Ok(problem)
    }

    /// Returns the burrow it was made from.
    #[must_use]
    pub fn burrow(&self) -> &Burrow {
        &self.burrow
    }

    /// Returns the start state, the arrangement of the burrow.
    #[must_use]
    pub fn start(&self) -> BurrowState<N> {
        self.start
    }

    /// Returns the state of an arrangement; `None` if its burrow has another size.
    #[must_use]
    pub fn pack(&self, position: &Burrow) -> Option<BurrowState<N>> {
        if !position.is_same_size(&self.burrow) {
            return None;
        }
        let mut state = BurrowState::EMPTY;
        for (&field, kind) in self.cells.iter().zip(position.cells()) {
            state.add(field, kind.map_or(0, |kind| kind.room() as u64 + 1));
        }
        Some(state)
    }

    /// Returns the arrangement of a state; `None` if it is a state of another burrow, with other amphipods.
    #[must_use]
    pub fn unpack(&self, state: &BurrowState<N>) -> Option<Burrow> {
        let kind = |&cell: &Field| Kind::of_room(state.get(cell).checked_sub(1)?);
        let unpacked = self.burrow.with_cells(self.cells.iter().map(kind).collect());
        let is_own = unpacked.has_the_kinds_of(&self.burrow);
        (is_own && self.pack(&unpacked) == Some(*state)).then_some(unpacked)
    }

    /// Returns the place of a cell; `None` if there is no cell with this number.
    #[must_use]
    pub fn place(&self, cell: u16) -> Option<Place> {
        self.burrow.places().nth(usize::from(cell))
    }

    /// Every arrangement from the start to the end of a path, each with the energy so far.
    ///
    /// A path of another problem gives the arrangements up to the first move that is not possible.
    #[must_use]
    pub fn replay(&self, path: &Path<BurrowState<N>, Walk, C>) -> Vec<Frame> {
        let mut replay = Replay::new(&self.burrow);
        for walk in path.actions() {
            let (Some(from), Some(to)) = (self.place(walk.from), self.place(walk.to)) else {
                break;
            };
            if !replay.relocate(from, to) {
                break;
            }
        }
        replay.finish()
    }

    /// Returns the kind in a cell that is occupied; in a state of another burrow, it may have no room.
    #[inline]
    fn kind_in(&self, state: &BurrowState<N>, cell: usize) -> usize {
        state.get(self.cells[cell]).wrapping_sub(1)
    }

    /// Returns the number of free places above the topmost amphipod in a room.
    #[inline]
    fn free_above(&self, state: &BurrowState<N>, room: usize) -> usize {
        match state.lowest(&self.rooms[room].all) {
            Some(bit) => usize::from(self.cell_of_bit[bit]) - self.width - room * self.depth,
            None => self.depth,
        }
    }

    /// Whether only the room's own kind is in it, without gaps, below `free` free places.
    #[inline]
    fn is_settled(&self, state: &BurrowState<N>, room: usize, free: usize) -> bool {
        state.and(&self.rooms[room].all) == self.rooms[room].settled[free]
    }

    /// Returns the free part of the hallway around a column: its first column and its end.
    #[inline]
    fn stretch(&self, state: &BurrowState<N>, column: usize) -> (usize, usize) {
        let (left, right) = &self.sides[column];
        let first = state.highest(left).map_or(0, |bit| usize::from(self.cell_of_bit[bit]) + 1);
        let end = state.lowest(right).map_or(self.width, |bit| usize::from(self.cell_of_bit[bit]));
        (first, end)
    }
}

show_fields! { [const N: usize, C: Energy] Literal<N, C>, "Literal" { burrow, rules, start } }
