//! [`Literal`]: the burrow as it is drawn, and [`Rules`] that can be changed.

use std::fmt;

use crate::path::Path;
use crate::problem::{SearchProblem, Successors};

use super::burrow::{Burrow, Kind, Place};
use super::packed::{Energy, Field, FitError, Layout, Packed, bits_for, energy_fits, narrow};
use super::replay::{Film, Frame};

/// What is allowed in a [`Literal`] burrow beyond the rules of the puzzle. Without any of it they
/// are: nobody stops at a door; who stands in the hallway moves only into its own room, and only if
/// nobody of another kind is in it; who enters a room goes as deep as it can; who is at home, with
/// nobody of another kind below, stays.
///
/// ```
/// use bestfirst::problems::amphipod::{Burrow, Literal, Rules};
///
/// // Both B, or both A, have to stand right of room B at one time, and there is only one spot.
/// let burrow = Burrow::parse("#######\n#.....#\n#B#A#C#\n#B#A#C#\n#######")?;
/// let energy = |rules: Rules| {
///     let problem: Literal = Literal::new(&burrow, rules)?;
///     Ok::<_, Box<dyn std::error::Error>>(bestfirst::astar(&problem, problem.start())?.cost())
/// };
/// assert_eq!(energy(Rules::new())?, None);
/// assert_eq!(energy(Rules::new().stop_at_doors())?, Some(116));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct Rules {
    stop_at_doors: bool,
    walk_along_hallway: bool,
    rest_in_any_room: bool,
}

impl Rules {
    /// The rules of the puzzle.
    pub fn new() -> Self {
        Self::default()
    }

    /// Places in front of rooms are as good as any other in the hallway.
    pub fn stop_at_doors(mut self) -> Self {
        self.stop_at_doors = true;
        self
    }

    /// Who stands in the hallway may move on to another place there.
    pub fn walk_along_hallway(mut self) -> Self {
        self.walk_along_hallway = true;
        self
    }

    /// Everybody may enter any room, whoever is in it, and rest there as deep as it gets.
    pub fn rest_in_any_room(mut self) -> Self {
        self.rest_in_any_room = true;
        self
    }
}

/// The burrow with every cell and every legal move, one walk of somebody at a time; nothing is
/// reduced away. It takes several times as long as the [`Reduced`](super::Reduced) form, shows the
/// same energy, and knows other [`Rules`].
///
/// ```
/// use bestfirst::problems::amphipod::{Burrow, Literal, Rules};
///
/// let problem: Literal = Literal::new(&Burrow::example(), Rules::new())?;
/// let report = bestfirst::astar(&problem, problem.start())?;
/// assert_eq!(report.cost(), Some(12521));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A state is the kind in each cell, in `N` machine words: two for the puzzle's own size. Its
/// heuristic is the energy that it would take if nobody were in anybody's way. It says that those in
/// the hallway who bar each other's way are a dead end, unless the rules let them step aside.
#[derive(Clone)]
pub struct Literal<const N: usize = 2, C = u32> {
    burrow: Burrow,
    rules: Rules,
    width: usize,
    depth: usize,
    cells: Vec<Field>,
    /// For each bit of a state, the cell whose field it belongs to.
    cell_of_bit: Vec<u16>,
    hallway: Packed<N>,
    /// For each column the cells left of it, and right of it.
    sides: Vec<(Packed<N>, Packed<N>)>,
    /// For each column, whether one may stop there; and how many such columns there are before it.
    stops: Vec<bool>,
    stops_before: Vec<usize>,
    rooms: Vec<Room<N, C>>,
    /// For each cell and kind at `cell * rooms + kind`: what it costs from there to the own door.
    to_door: Vec<C>,
    start: Packed<N>,
    goal: Packed<N>,
}

#[derive(Clone, Debug)]
struct Room<const N: usize, C> {
    door: usize,
    all: Packed<N>,
    /// The room with its own kind in it from this depth down.
    settled: Vec<Packed<N>>,
    /// What it costs so many to come in and fill the uppermost places.
    coming: Vec<C>,
    /// What a step costs the kind that lives here.
    step: C,
}

/// A walk from one cell to another. Cells are the places of the hallway from left to right, then
/// those of each room from top to bottom; [`Literal::place`] says which is which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Walk {
    /// The cell where it begins.
    pub from: u16,
    /// The cell where it ends.
    pub to: u16,
}

impl<const N: usize, C: Energy> Literal<N, C> {
    /// The literal form of `burrow` under these rules.
    ///
    /// # Errors
    ///
    /// [`FitError`] if a state takes more than `N` words, or the energy more than `C` holds.
    pub fn new(burrow: &Burrow, rules: Rules) -> Result<Self, FitError> {
        // A cheapest solution enters no position twice, but rules that allow more take longer.
        energy_fits::<C>(burrow, if rules == Rules::new() { 4 } else { 64 })?;
        let (count, depth, width) = (burrow.rooms(), burrow.depth(), burrow.width());
        let mut layout = Layout::default();
        let bits = bits_for(count);
        let places: Vec<Place> = burrow.places().collect();
        let cells: Vec<Field> = places.iter().map(|_| layout.field(bits)).collect();
        layout.fits::<N>()?;

        let mut cell_of_bit = vec![0; 64 * N];
        for (i, cell) in cells.iter().enumerate() {
            cell_of_bit[cell.first_bit()..][..cell.bits()].fill(narrow(i));
        }
        let mask = |cells: &[Field]| {
            let mut mask = Packed::EMPTY;
            for &cell in cells {
                mask.fill(cell);
            }
            mask
        };
        let energy = |steps: usize, kind: usize| {
            let step = Kind::of_room(kind).map_or(1, Kind::step_energy);
            C::from_u128(steps as u128 * step).unwrap_or(C::INFINITY)
        };

        let mut goal = Packed::EMPTY;
        let mut rooms = Vec::with_capacity(count);
        for room in 0..count {
            let own = &cells[width + room * depth..][..depth];
            let settled = (0..=depth).map(|from| {
                let mut settled = Packed::EMPTY;
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
        let mut to_door = Vec::with_capacity(cells.len() * count);
        for &place in &places {
            to_door.extend((0..count).map(|kind| {
                let (column, up, aside) = match place {
                    Place::Hallway { column } => (column, 0, 0),
                    Place::Room { room, depth } => {
                        // Who lives here but must leave has to step aside, at the least.
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
            sides: (0..width).map(|x| (mask(&cells[..x]), mask(&cells[x + 1..width]))).collect(),
            stops: (0..width).map(|x| may_stop(&x)).collect(),
            stops_before: (0..=width).map(|end| (0..end).filter(may_stop).count()).collect(),
            cells,
            cell_of_bit,
            rooms,
            to_door,
            start: Packed::EMPTY,
            goal,
        };
        problem.start = problem.pack(burrow).unwrap_or(Packed::EMPTY);
        Ok(problem)
    }

    /// The drawing that it was made from.
    #[must_use]
    pub fn burrow(&self) -> &Burrow {
        &self.burrow
    }

    /// The state of the drawing, from which a search starts.
    #[must_use]
    pub fn start(&self) -> Packed<N> {
        self.start
    }

    /// The state of a position of the same burrow; `None` if it is another burrow's.
    #[must_use]
    pub fn pack(&self, position: &Burrow) -> Option<Packed<N>> {
        if !position.is_same_size(&self.burrow) {
            return None;
        }
        let mut state = Packed::EMPTY;
        for (&field, kind) in self.cells.iter().zip(position.cells()) {
            state.add(field, kind.map_or(0, |kind| kind.room() as u64 + 1));
        }
        Some(state)
    }

    /// The position that a state stands for.
    #[must_use]
    pub fn unpack(&self, state: &Packed<N>) -> Burrow {
        let kind = |&cell: &Field| Kind::of_room(state.get(cell).checked_sub(1)?);
        self.burrow.with_cells(self.cells.iter().map(kind).collect())
    }

    /// The place of a cell, if there is one with this number.
    #[must_use]
    pub fn place(&self, cell: u16) -> Option<Place> {
        self.burrow.places().nth(usize::from(cell))
    }

    /// A solution as a film: every position from the drawing to the end, each with the energy so
    /// far.
    ///
    /// A path that does not belong to this burrow gives the positions up to the first walk that
    /// cannot be taken.
    #[must_use]
    pub fn replay(&self, path: &Path<Packed<N>, Walk, C>) -> Vec<Frame> {
        let mut film = Film::new(&self.burrow);
        for walk in path.actions() {
            let (Some(from), Some(to)) = (self.place(walk.from), self.place(walk.to)) else {
                break;
            };
            if !film.relocate(from, to) {
                break;
            }
        }
        film.finish()
    }

    #[inline]
    fn kind_in(&self, state: &Packed<N>, cell: usize) -> usize {
        state.get(self.cells[cell]).wrapping_sub(1)
    }

    /// How many places are free above the uppermost in a room.
    #[inline]
    fn free_above(&self, state: &Packed<N>, room: usize) -> usize {
        match state.lowest(&self.rooms[room].all) {
            Some(bit) => usize::from(self.cell_of_bit[bit]) - self.width - room * self.depth,
            None => self.depth,
        }
    }

    /// Whether nobody is in the room but those at home, without gaps.
    #[inline]
    fn is_settled(&self, state: &Packed<N>, room: usize, free: usize) -> bool {
        state.and(&self.rooms[room].all) == self.rooms[room].settled[free]
    }

    /// The stretch of the hallway that can be walked from a column: its first and its end.
    #[inline]
    fn stretch(&self, state: &Packed<N>, column: usize) -> (usize, usize) {
        let (left, right) = &self.sides[column];
        let first = state.highest(left).map_or(0, |bit| usize::from(self.cell_of_bit[bit]) + 1);
        let end = state.lowest(right).map_or(self.width, |bit| usize::from(self.cell_of_bit[bit]));
        (first, end)
    }

    /// Everything that one can do from `from`, which is `up` steps from `column` of the hallway.
    #[inline]
    fn walks(
        &self,
        state: &Packed<N>,
        from: usize,
        (column, up): (usize, usize),
        next: &mut Successors<Self>,
    ) {
        let kind = self.kind_in(state, from);
        let own_room = from.checked_sub(self.width).map(|cell| cell / self.depth);
        let (first, end) = self.stretch(state, column);
        let mut without = *state;
        without.clear(self.cells[from]);
        let mut push = |to: usize, steps: usize| {
            let mut behind = without;
            behind.add(self.cells[to], kind as u64 + 1);
            let walk = Walk { from: narrow(from), to: narrow(to) };
            next.push(walk, behind, self.rooms[kind].step * C::from(narrow(steps)));
        };
        let mut enter = |room: usize, free: usize| {
            let steps = up + column.abs_diff(self.rooms[room].door) + free;
            push(self.width + room * self.depth + free - 1, steps);
        };
        if self.rules.rest_in_any_room {
            for (number, room) in self.rooms.iter().enumerate() {
                if own_room != Some(number) && (first..end).contains(&room.door) {
                    let free = self.free_above(state, number);
                    if free > 0 {
                        enter(number, free);
                    }
                }
            }
        } else if own_room != Some(kind) && (first..end).contains(&self.rooms[kind].door) {
            let free = self.free_above(state, kind);
            if free > 0 && self.is_settled(state, kind, free) {
                enter(kind, free);
            }
        }
        if own_room.is_some() || self.rules.walk_along_hallway {
            for x in first..end {
                if self.stops[x] && (x != column || own_room.is_some()) {
                    push(x, up + column.abs_diff(x));
                }
            }
        }
    }

    /// Closes a gap below those at home, if that is all that is left to do in the room. Such gaps
    /// are in some drawings only; no move makes one.
    #[cold]
    fn sink(&self, state: &Packed<N>, room: usize, next: &mut Successors<Self>) -> bool {
        let cells = self.width + room * self.depth..self.width + (room + 1) * self.depth;
        let kinds = cells.clone().map(|cell| (cell, state.get(self.cells[cell])));
        if kinds.clone().any(|(_, kind)| kind != 0 && kind != room + 1) {
            return false;
        }
        for (from, _) in kinds.filter(|&(_, kind)| kind != 0) {
            let below =
                (from + 1..cells.end).take_while(|&c| state.get(self.cells[c]) == 0).count();
            if below > 0 {
                let mut behind = *state;
                behind.clear(self.cells[from]);
                behind.add(self.cells[from + below], room as u64 + 1);
                let walk = Walk { from: narrow(from), to: narrow(from + below) };
                next.push(walk, behind, self.rooms[room].step * C::from(narrow(below)));
            }
        }
        true
    }

    /// Whether some of those in the hallway can never go home, where they may go nowhere else.
    ///
    /// Lets them go one by one while that may be possible, and sees who is left. One may be able to
    /// go if nobody is in its way, and if there is room enough for those who must leave its room
    /// first: on the stretch of the hallway around the door, and not in its way, unless their own
    /// doors are on that stretch.
    fn is_dead_end(&self, state: &Packed<N>) -> bool {
        let mut waiting = state.and(&self.hallway);
        while waiting != Packed::EMPTY {
            let before = waiting;
            let mut rest = waiting;
            while let Some(bit) = rest.lowest(&self.hallway) {
                let x = usize::from(self.cell_of_bit[bit]);
                rest.clear(self.cells[x]);
                if self.may_go(state, &waiting, x) {
                    waiting.clear(self.cells[x]);
                }
            }
            if waiting == before {
                return true;
            }
        }
        false
    }

    fn may_go(&self, state: &Packed<N>, waiting: &Packed<N>, x: usize) -> bool {
        let kind = self.kind_in(state, x);
        let door = self.rooms[kind].door;
        let mut others = *waiting;
        others.clear(self.cells[x]);
        let (first, end) = self.stretch(&others, door);
        if !(first..end).contains(&x) || others.get(self.cells[door]) != 0 {
            return false;
        }
        // With the one who wants to go at an end of the stretch: it does not make room.
        let (first, end) = if x < door { (x + 1, end) } else { (first, x.max(door + 1).min(end)) };
        let begin = self.width + kind * self.depth;
        let (mut strangers, mut own, mut counts) = (0, 0, false);
        for cell in (begin..begin + self.depth).rev() {
            let Some(other) = state.get(self.cells[cell]).checked_sub(1) else { continue };
            counts |= other != kind;
            if !counts {
                continue;
            }
            if other == kind {
                own += 1;
            } else if !(first..end).contains(&self.rooms[other].door) {
                strangers += 1;
            }
        }
        let places = |from: usize, to: usize| self.stops_before[to] - self.stops_before[from];
        let behind = if x < door { places(door + 1, end) } else { places(first, door) };
        strangers <= behind && strangers + own <= places(first, end)
    }
}

impl<const N: usize, C: Energy> SearchProblem for Literal<N, C> {
    type State = Packed<N>;
    type Action = Walk;
    type Cost = C;

    fn successors(&self, state: &Packed<N>, next: &mut Successors<Self>) {
        let mut rest = *state;
        while let Some(bit) = rest.lowest(&self.hallway) {
            let column = usize::from(self.cell_of_bit[bit]);
            rest.clear(self.cells[column]);
            self.walks(state, column, (column, 0), next);
        }
        for (number, room) in self.rooms.iter().enumerate() {
            let free = self.free_above(state, number);
            if self.is_settled(state, number, free) || self.sink(state, number, next) {
                continue;
            }
            if state.get(self.cells[room.door]) == 0 {
                let from = self.width + number * self.depth + free;
                self.walks(state, from, (room.door, free + 1), next);
            }
        }
    }

    fn heuristic(&self, state: &Packed<N>) -> C {
        let stuck_stay_stuck = !self.rules.walk_along_hallway && !self.rules.rest_in_any_room;
        if stuck_stay_stuck && self.is_dead_end(state) {
            return C::INFINITY;
        }
        let count = self.rooms.len();
        let mut sum = C::ZERO;
        let mut rest = *state;
        while let Some(bit) = rest.lowest(&self.hallway) {
            let x = usize::from(self.cell_of_bit[bit]);
            sum = sum + self.to_door[x * count + self.kind_in(state, x)];
            rest.clear(self.cells[x]);
        }
        for (number, room) in self.rooms.iter().enumerate() {
            let free = self.free_above(state, number);
            if self.is_settled(state, number, free) {
                sum = sum + room.coming[free];
                continue;
            }
            let mut stay = 0;
            let mut all_at_home = true;
            for depth in (free..self.depth).rev() {
                let cell = self.width + number * self.depth + depth;
                let Some(kind) = state.get(self.cells[cell]).checked_sub(1) else {
                    continue;
                };
                all_at_home &= kind == number;
                if all_at_home {
                    stay += 1;
                    sum = sum + room.step * C::from(narrow(self.depth - stay - depth));
                } else {
                    sum = sum + self.to_door[cell * count + kind];
                }
            }
            sum = sum + room.coming[self.depth - stay];
        }
        sum
    }

    #[inline]
    fn is_goal(&self, state: &Packed<N>) -> bool {
        *state == self.goal
    }
}

impl<const N: usize, C: Energy> fmt::Debug for Literal<N, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Literal")
            .field("burrow", &self.burrow)
            .field("rules", &self.rules)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}
