//! [`Reduced`]: the burrow as a few decisions.

use std::fmt;

use crate::path::Path;
use crate::problem::{SearchProblem, Successors};

use super::burrow::{Burrow, Kind, MOST_ROOMS};
use super::packed::{Energy, Field, FitError, Layout, Packed, bits_for, energy_fits, narrow};
use super::replay::{Film, Frame};

/// What is left of a burrow when all is taken away that is the same in every solution, or that some
/// cheapest solution does anyway. See the [module](super) for the ideas.
///
/// The state says how many have left each room and who stands on which spot of the hallway, in `N`
/// machine words; a spot is a place in the hallway that is not a door. The cost of a step is the
/// *detour* that its decision makes necessary; what every solution costs is
/// [`fixed_energy`](Self::fixed_energy), with which a search is to start:
///
/// ```
/// use bestfirst::AStar;
/// use bestfirst::problems::amphipod::{Burrow, Reduced};
///
/// let burrow = Burrow::example();
/// let problem: Reduced = Reduced::new(&burrow)?;
/// assert_eq!(problem.fixed_energy(), 10499); // the rest, 2022, are detours
///
/// let report = AStar::new(&problem).search_from([problem.start()]).run()?;
/// assert_eq!(report.cost(), Some(12521));
///
/// let film = problem.replay(report.path().unwrap());
/// assert_eq!(film.last().unwrap().energy, 12521);
/// assert!(film.last().unwrap().burrow.is_solved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `N` and the type of the energy `C` are for the puzzle's own size unless named. A larger burrow
/// takes `Reduced::<2, u64>` or `Reduced::<8, u128>`, which holds 26 rooms.
///
/// Its heuristic is admissible, its states form no cycles, and steps may cost 0.
#[derive(Clone)]
pub struct Reduced<const N: usize = 1, C = u32> {
    burrow: Burrow,
    bound: Bound,
    sees_dead_ends: bool,
    rooms: Vec<Room<N, C>>,
    spots: Vec<Spot>,
    /// For each bit of a state, the spot whose field it belongs to.
    spot_of_bit: Vec<u16>,
    /// For two rooms `a` and `b` at `a * rooms + b`: the spots between their doors.
    between: Vec<Packed<N>>,
    /// For a spot `s` and a room `r` at `s * rooms + r`: the spots between it and the door.
    way: Vec<Packed<N>>,
    hallway: Packed<N>,
    start: Packed<N>,
    goal: Packed<N>,
    fixed: C,
}

#[derive(Clone, Debug)]
struct Room<const N: usize, C> {
    door: u16,
    /// The spots left of its door are those below this number.
    right_spot: u16,
    /// How many have left it.
    left_it: Field,
    /// The spots left of its door, and right of it.
    to_the_left: Packed<N>,
    to_the_right: Packed<N>,
    /// Who is next to leave, for each number of those that have; `OPEN` when all have.
    tops: Vec<u8>,
    /// For each number of those that have left, and each kind: how many are still to leave of the
    /// kinds before this one.
    before: Vec<u16>,
    /// What two steps cost the kind that lives here.
    two_steps: C,
}

/// Nobody is left in the room but those who are at home there.
const OPEN: u8 = u8::MAX;

#[derive(Clone, Copy, Debug)]
struct Spot {
    column: u16,
    /// The first room that has its door right of it.
    room_right: u16,
    field: Field,
}

/// The one thing that must be decided in a burrow: the uppermost in this room comes out, and waits
/// on that spot of the hallway.
///
/// Spots are the places of the hallway that are not doors, counted from 0 at the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Which room, counted from 0.
    pub room: u8,
    /// Which spot, counted from 0.
    pub spot: u16,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "out of room {} to spot {}", self.room + 1, self.spot + 1)
    }
}

/// Which lower bound on the detours to come is the heuristic of a [`Reduced`] burrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Bound {
    /// From door to door: nobody has to go out of its way but those who live in the room that they
    /// must leave, as somebody else is below them. Each steps aside, two steps there and back.
    DoorToDoor,
    /// Besides, two who want to where the other comes from, or stands in the way of the other, do
    /// not get past each other unless one of them goes out of its way.
    #[default]
    GiveWay,
}

impl<const N: usize, C: Energy> Reduced<N, C> {
    /// The reduced form of `burrow`, with the best bound and the test for dead ends.
    ///
    /// # Errors
    ///
    /// [`FitError`] if a state takes more than `N` words, or the energy more than `C` holds.
    pub fn new(burrow: &Burrow) -> Result<Self, FitError> {
        // Everybody crosses the hallway three times at most: here, there, and to its room.
        energy_fits::<C>(burrow, 4)?;
        let count = burrow.rooms();
        let moving: Vec<Vec<u8>> = (0..count).map(|room| leavers(burrow, room)).collect();

        let mut layout = Layout::default();
        let kind_bits = bits_for(count);
        let columns = (0..burrow.width()).filter(|&x| burrow.room_below(x).is_none());
        let spots: Vec<Spot> = columns
            .map(|x| Spot {
                column: narrow(x),
                room_right: narrow((0..count).take_while(|&r| burrow.door(r) < x).count()),
                field: layout.field(kind_bits),
            })
            .collect();
        let fields: Vec<Field> =
            moving.iter().map(|leavers| layout.field(bits_for(leavers.len()))).collect();
        layout.fits::<N>()?;

        let mut spot_of_bit = vec![0; 64 * N];
        let mut hallway = Packed::EMPTY;
        for (i, spot) in spots.iter().enumerate() {
            hallway.fill(spot.field);
            spot_of_bit[spot.field.first_bit()..][..spot.field.bits()].fill(narrow(i));
        }
        let spots_within = |from: usize, to: usize| {
            let mut mask = Packed::EMPTY;
            for spot in &spots {
                if (from..to).contains(&usize::from(spot.column)) {
                    mask.fill(spot.field);
                }
            }
            mask
        };

        let mut goal = Packed::EMPTY;
        let mut rooms = Vec::with_capacity(count);
        for (room, leavers) in moving.iter().enumerate() {
            let door = burrow.door(room);
            goal.add(fields[room], leavers.len() as u64);
            let mut before = Vec::with_capacity((leavers.len() + 1) * (count + 1));
            for gone in 0..=leavers.len() {
                before.extend((0..=count).map(|kind| {
                    narrow(leavers[gone..].iter().filter(|&&k| usize::from(k) < kind).count())
                }));
            }
            let mut tops = leavers.clone();
            tops.push(OPEN);
            let step = Kind::of_room(room).map_or(1, Kind::step_energy);
            rooms.push(Room {
                door: narrow(door),
                right_spot: narrow(door - room),
                left_it: fields[room],
                to_the_left: spots_within(0, door),
                to_the_right: spots_within(door, burrow.width()),
                tops,
                before,
                two_steps: energy_of(2 * step)?,
            });
        }
        let doors = |a: usize, b: usize| (burrow.door(a.min(b)), burrow.door(a.max(b)));
        let mut between = Vec::with_capacity(count * count);
        for a in 0..count {
            between.extend((0..count).map(|b| spots_within(doors(a, b).0, doors(a, b).1)));
        }
        let mut way = Vec::with_capacity(spots.len() * count);
        for spot in &spots {
            let x = usize::from(spot.column);
            way.extend((0..count).map(|room| {
                let door = burrow.door(room);
                if door < x { spots_within(door, x) } else { spots_within(x + 1, door) }
            }));
        }

        let mut start = Packed::EMPTY;
        for spot in &spots {
            if let Some(kind) = burrow.hallway()[usize::from(spot.column)] {
                start.add(spot.field, kind.room() as u64 + 1);
            }
        }
        let mut problem = Self {
            fixed: energy_of(fixed_energy(burrow, &moving))?,
            burrow: burrow.clone(),
            bound: Bound::default(),
            sees_dead_ends: true,
            rooms,
            spots,
            spot_of_bit,
            between,
            way,
            hallway,
            start,
            goal,
        };
        let mut start = problem.start;
        problem.go_home(&mut start);
        problem.start = start;
        Ok(problem)
    }

    /// Takes another bound as the heuristic.
    #[must_use]
    pub fn with_bound(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self
    }

    /// Without the test for dead ends: states from which nobody finds home any more are searched,
    /// too.
    #[must_use]
    pub fn without_dead_end_test(mut self) -> Self {
        self.sees_dead_ends = false;
        self
    }

    /// The drawing that it was made from.
    #[must_use]
    pub fn burrow(&self) -> &Burrow {
        &self.burrow
    }

    /// Where a search starts, and what every solution costs from there: an argument for
    /// `search_from`. The state is the one in which everybody has gone home who could.
    #[must_use]
    pub fn start(&self) -> (Packed<N>, C) {
        (self.start, self.fixed)
    }

    /// What every solution costs: out of the room and to the own door on the shortest way, and down
    /// into the own room.
    #[must_use]
    pub fn fixed_energy(&self) -> C {
        self.fixed
    }

    /// A solution as a film: every position from the drawing to the end, each with the energy so
    /// far. The last one has the cost of the path.
    ///
    /// A path that does not belong to this burrow gives the positions up to the first decision that
    /// cannot be taken.
    #[must_use]
    pub fn replay(&self, path: &Path<Packed<N>, Decision, C>) -> Vec<Frame> {
        let mut film = Film::new(&self.burrow);
        film.all_go_home();
        for decision in path.actions() {
            let Some(spot) = self.spots.get(usize::from(decision.spot)) else { break };
            if !film.come_out(usize::from(decision.room), usize::from(spot.column)) {
                break;
            }
            film.all_go_home();
        }
        film.finish()
    }

    /// Who is next to leave the room, or `OPEN`.
    #[inline]
    fn top(&self, state: &Packed<N>, room: usize) -> u8 {
        let room = &self.rooms[room];
        room.tops[state.get(room.left_it)]
    }

    /// How many are still to leave room `from` whose home is one of the rooms `lo..hi`.
    #[inline]
    fn to_leave(&self, state: &Packed<N>, from: usize, lo: usize, hi: usize) -> u16 {
        let room = &self.rooms[from];
        let at = state.get(room.left_it) * (self.rooms.len() + 1);
        room.before[at + hi] - room.before[at + lo]
    }

    /// The kind on a spot that is taken.
    #[inline]
    fn kind_on(&self, state: &Packed<N>, spot: usize) -> usize {
        state.get(self.spots[spot].field).wrapping_sub(1)
    }

    /// The nearest spot that is taken left of a door.
    #[inline]
    fn taken_left(&self, state: &Packed<N>, room: usize) -> Option<usize> {
        let bit = state.highest(&self.rooms[room].to_the_left)?;
        Some(usize::from(self.spot_of_bit[bit]))
    }

    /// The nearest spot that is taken right of a door.
    #[inline]
    fn taken_right(&self, state: &Packed<N>, room: usize) -> Option<usize> {
        let bit = state.lowest(&self.rooms[room].to_the_right)?;
        Some(usize::from(self.spot_of_bit[bit]))
    }

    /// Whether the one of this kind at the top of `room` can go straight home.
    #[inline]
    fn goes_straight(&self, state: &Packed<N>, room: usize, kind: usize) -> bool {
        !state.meets(&self.between[room * self.rooms.len() + kind]) && self.top(state, kind) == OPEN
    }

    /// Lets everybody go home who can, until nobody is left who can.
    fn go_home(&self, state: &mut Packed<N>) {
        loop {
            let before = *state;
            for (number, room) in self.rooms.iter().enumerate() {
                loop {
                    let top = self.top(state, number);
                    if top == OPEN {
                        break;
                    }
                    if !self.goes_straight(state, number, usize::from(top)) {
                        break;
                    }
                    state.add(room.left_it, 1);
                }
                if self.top(state, number) != OPEN {
                    continue;
                }
                while let Some(spot) = self.taken_left(state, number)
                    && self.kind_on(state, spot) == number
                {
                    state.clear(self.spots[spot].field);
                }
                while let Some(spot) = self.taken_right(state, number)
                    && self.kind_on(state, spot) == number
                {
                    state.clear(self.spots[spot].field);
                }
            }
            if *state == before {
                return;
            }
        }
    }

    /// Whether some of those in the hallway can never go home.
    ///
    /// Lets them go one by one, in any order in which it may be possible, and sees who is left. For
    /// one to go, nobody may be in its way, and its room must be empty of others. These must have
    /// somewhere to stand meanwhile: on the stretch of the hallway around the door that is not shut
    /// off by those who are still waiting, and behind it, out of the way; unless their own rooms are
    /// on that stretch. That is generous, so whoever is left is really stuck.
    fn is_dead_end(&self, state: &Packed<N>) -> bool {
        let count = self.rooms.len();
        let mut waiting = *state;
        for (word, hallway) in waiting.0.iter_mut().zip(self.hallway.0) {
            *word &= hallway;
        }
        loop {
            let before = waiting;
            let mut rest = waiting;
            while let Some(bit) = rest.lowest(&self.hallway) {
                let spot = usize::from(self.spot_of_bit[bit]);
                let kind = self.kind_on(&rest, spot);
                rest.clear(self.spots[spot].field);
                if waiting.meets(&self.way[spot * count + kind]) {
                    continue;
                }
                let left = self.taken_left(&waiting, kind);
                let right = self.taken_right(&waiting, kind);
                let first_spot = left.map_or(0, |s| s + 1);
                let end_spot = right.unwrap_or(self.spots.len());
                let lo = left.map_or(0, |s| usize::from(self.spots[s].room_right));
                let hi = right.map_or(count, |s| usize::from(self.spots[s].room_right));
                let strangers =
                    self.to_leave(state, kind, 0, lo) + self.to_leave(state, kind, hi, count);
                let own = self.to_leave(state, kind, kind, kind + 1);
                let door_spot = usize::from(self.rooms[kind].right_spot);
                let behind =
                    if spot < door_spot { end_spot - door_spot } else { door_spot - first_spot };
                if usize::from(strangers) <= behind
                    && usize::from(strangers + own) <= end_spot - first_spot
                {
                    waiting.clear(self.spots[spot].field);
                }
            }
            if waiting == Packed::EMPTY {
                return false;
            }
            if waiting == before {
                return true;
            }
        }
    }

    /// What those will cost who must go out of their way; `None` if they cannot.
    fn detours(&self, state: &Packed<N>) -> Option<C> {
        let count = self.rooms.len();
        let mut sum = C::ZERO;
        for (number, room) in self.rooms.iter().enumerate() {
            let own = self.to_leave(state, number, number, number + 1);
            sum = sum + room.two_steps * C::from(own);
        }
        if self.bound == Bound::DoorToDoor {
            return Some(sum);
        }
        // Somebody who waits in the hallway for its room to be left: those in there who want to get
        // past must step back to the other side. Such are those with homes before the first and
        // from the second of these.
        let mut stopped = [(0, count); MOST_ROOMS];
        let mut rest = *state;
        while let Some(bit) = rest.lowest(&self.hallway) {
            let number = usize::from(self.spot_of_bit[bit]);
            let spot = &self.spots[number];
            let kind = self.kind_on(&rest, number);
            rest.clear(spot.field);
            let beyond = usize::from(spot.room_right);
            if number < usize::from(self.rooms[kind].right_spot) {
                stopped[kind].0 = stopped[kind].0.max(beyond);
            } else {
                stopped[kind].1 = stopped[kind].1.min(beyond);
            }
        }
        for a in 0..count {
            if self.top(state, a) == OPEN {
                continue;
            }
            let (left, right) = stopped[a];
            sum = sum
                + self.step_back(state, a, 0, left)?
                + self.step_back(state, a, right, count)?;
            for (b, &(stopped_before, _)) in stopped.iter().enumerate().take(right).skip(a + 1) {
                // Of two who want to each other's room one must give way.
                if a >= stopped_before {
                    let there = C::from(self.to_leave(state, a, b, b + 1));
                    let back = C::from(self.to_leave(state, b, a, a + 1));
                    sum =
                        sum + (self.rooms[b].two_steps * there).min(self.rooms[a].two_steps * back);
                }
            }
        }
        Some(sum)
    }

    /// What it costs those in room `from` with homes in `lo..hi` to stand on the other side of the
    /// door, all at the same time: the dearest right
    /// beside it. `None` if there is not enough room.
    fn step_back(&self, state: &Packed<N>, from: usize, lo: usize, hi: usize) -> Option<C> {
        let mut sum = C::ZERO;
        if self.to_leave(state, from, lo, hi) == 0 {
            return Some(sum);
        }
        let room = &self.rooms[from];
        let beside = usize::from(room.right_spot);
        let mut taken = 0;
        for kind in (lo..hi).rev() {
            for _ in 0..self.to_leave(state, from, kind, kind + 1) {
                let spot =
                    if lo > from { beside.checked_sub(taken + 1) } else { Some(beside + taken) };
                let spot = spot.and_then(|spot| self.spots.get(spot))?;
                sum = sum + self.rooms[kind].two_steps * C::from(room.door.abs_diff(spot.column));
                taken += 1;
            }
        }
        Some(sum)
    }
}

impl<const N: usize, C: Energy> SearchProblem for Reduced<N, C> {
    type State = Packed<N>;
    type Action = Decision;
    type Cost = C;

    fn successors(&self, state: &Packed<N>, next: &mut Successors<Self>) {
        for (number, room) in self.rooms.iter().enumerate() {
            let top = self.top(state, number);
            if top == OPEN {
                continue;
            }
            let kind = usize::from(top);
            let first = self.taken_left(state, number).map_or(0, |spot| spot + 1);
            let end = self.taken_right(state, number).unwrap_or(self.spots.len());
            if first == end {
                continue;
            }
            let home = &self.rooms[kind];
            let (lo, hi) = (room.door.min(home.door), room.door.max(home.door));
            let mut without = *state;
            without.add(room.left_it, 1);
            // Whether anybody may be able to go home now who could not before.
            let new_top = self.top(&without, number);
            for spot in first..end {
                let Spot { column, field, .. } = self.spots[spot];
                let mut behind = without;
                behind.add(field, u64::from(top) + 1);
                if new_top == OPEN || self.goes_straight(&behind, number, usize::from(new_top)) {
                    self.go_home(&mut behind);
                }
                if self.sees_dead_ends && self.is_dead_end(&behind) {
                    continue;
                }
                let beyond = lo.saturating_sub(column) + column.saturating_sub(hi);
                let decision = Decision { room: room_number(number), spot: narrow(spot) };
                next.push(decision, behind, home.two_steps * C::from(beyond));
            }
        }
    }

    fn heuristic(&self, state: &Packed<N>) -> C {
        // Of dead ends, only the start can come this far: the others are never pushed.
        if *state == self.start && self.sees_dead_ends && self.is_dead_end(state) {
            return C::INFINITY;
        }
        self.detours(state).unwrap_or(C::INFINITY)
    }

    #[inline]
    fn is_goal(&self, state: &Packed<N>) -> bool {
        *state == self.goal
    }
}

impl<const N: usize, C: Energy> fmt::Debug for Reduced<N, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reduced")
            .field("burrow", &self.burrow)
            .field("bound", &self.bound)
            .field("fixed", &self.fixed)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

/// Those who must leave a room, from top to bottom: all down to the lowest one that is not at home.
fn leavers(burrow: &Burrow, room: usize) -> Vec<u8> {
    let cells = burrow.room(room);
    let foreign = |cell: &Option<Kind>| cell.is_some_and(|kind| kind.room() != room);
    let end = cells.iter().rposition(foreign).map_or(0, |lowest| lowest + 1);
    cells[..end].iter().flatten().map(|kind| room_number(kind.room())).collect()
}

/// What every solution costs. The bounds of [`energy_fits`] hold for it.
fn fixed_energy(burrow: &Burrow, moving: &[Vec<u8>]) -> u128 {
    let steps = |count: usize, kind: Kind| count as u128 * kind.step_energy();
    let mut sum = 0;
    for (room, leavers) in moving.iter().enumerate() {
        let Some(resident) = Kind::of_room(room) else { continue };
        let cells = burrow.room(room).iter().enumerate();
        let inhabitants = cells.filter_map(|(depth, cell)| cell.map(|kind| (depth, kind)));
        for (depth, kind) in inhabitants.clone().take(leavers.len()) {
            sum += steps(depth + 1 + burrow.door(room).abs_diff(burrow.door(kind.room())), kind);
        }
        // Those at home move down to close gaps, the others fill up what is left.
        let settled: Vec<usize> = inhabitants.skip(leavers.len()).map(|(depth, _)| depth).collect();
        let coming = burrow.depth() - settled.len();
        for (i, depth) in settled.iter().enumerate() {
            sum += steps(coming + i - depth, resident);
        }
        sum += steps(coming * (coming + 1) / 2, resident);
    }
    for (column, cell) in burrow.hallway().iter().enumerate() {
        if let Some(kind) = *cell {
            sum += steps(column.abs_diff(burrow.door(kind.room())), kind);
        }
    }
    sum
}

fn energy_of<C: Energy>(energy: u128) -> Result<C, FitError> {
    let bits = u32::try_from(8 * size_of::<C>()).unwrap_or(u32::MAX);
    C::from_u128(energy).ok_or(FitError::Energy { most: Some(energy), bits })
}

fn room_number(room: usize) -> u8 {
    #[expect(clippy::cast_possible_truncation, reason = "at most 26 rooms")]
    let number = room as u8;
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A burrow without dead ends in which everybody is one room left of home.
    fn shifted(rooms: u8, depth: usize) -> Burrow {
        let kinds: Vec<String> =
            (0..rooms).map(|room| char::from(b'A' + (room + 1) % rooms).to_string()).collect();
        let (wall, hallway) = ("#".repeat(kinds.len() * 2 + 1), ".".repeat(kinds.len() * 2 - 1));
        let row = format!("#{}#\n", kinds.join("#"));
        format!("{wall}\n#{hallway}#\n{}{wall}", row.repeat(depth)).parse().unwrap()
    }

    #[test]
    fn the_puzzles_own_size_takes_33_bits() {
        let drawing = "#############\n#...........#\n###D#A#B#C###\n  #D#A#B#C#\n  #D#A#B#C#\n  \
                       #D#A#B#C#\n  #########";
        let problem: Reduced = Reduced::new(&drawing.parse().unwrap()).unwrap();
        let mut all = problem.hallway;
        for room in &problem.rooms {
            all.fill(room.left_it);
        }
        assert_eq!(all.words()[0].count_ones(), 33);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let largest = shifted(26, 4);
        assert!(Reduced::<8, u128>::new(&largest).is_ok());
        let needed = |fault| match fault {
            FitError::Words { needed, available: 1 } => needed,
            other => panic!("{other}"),
        };
        assert_eq!(needed(Reduced::<1, u128>::new(&largest).unwrap_err()), 4);
        let fault = Reduced::<8, u64>::new(&largest).unwrap_err();
        assert!(matches!(fault, FitError::Energy { most: Some(_), bits: 64 }), "{fault}");
        let fault = Reduced::<1, u32>::new(&shifted(9, 1)).unwrap_err();
        assert!(matches!(fault, FitError::Energy { most: Some(_), bits: 32 }), "{fault}");
        assert!(Reduced::<1, u64>::new(&shifted(9, 1)).is_ok());
        let long = format!(
            "{0}\n#{1}#\n##A{2}\n ###",
            "#".repeat(70_002),
            ".".repeat(70_000),
            "#".repeat(69_999)
        );
        let fault = Reduced::<1, u64>::new(&long.parse().unwrap()).unwrap_err();
        assert!(matches!(fault, FitError::Length { .. }), "{fault}");
    }

    #[test]
    fn a_solved_burrow_is_a_goal_that_costs_nothing() {
        let solved = "#######\n#.....#\n##A#B##\n #A#B#\n #####".parse().unwrap();
        let problem: Reduced = Reduced::new(&solved).unwrap();
        assert_eq!(problem.fixed_energy(), 0);
        assert!(problem.is_goal(&problem.start().0));
    }

    #[test]
    fn two_who_bar_each_others_way_are_a_dead_end() {
        let burrow = "#########\n#.B.A...#\n###.#.###\n  #####".parse::<Burrow>();
        // B, left of room A, wants to the right; A stands between the rooms.
        let problem: Reduced = Reduced::new(&burrow.unwrap()).unwrap();
        assert!(problem.is_goal(&problem.start().0), "both rooms are open: they go home");
        let barred = "#########\n#...B...#\n###B#A###\n  #A#.#\n  #####".parse().unwrap();
        let problem: Reduced = Reduced::new(&barred).unwrap();
        assert!(problem.heuristic(&problem.start().0) < u32::MAX);
        // The B in the hallway waits for room B, where an A sits that wants past it.
        let barred = "#####\n#.B.#\n#B#A#\n#A#.#\n#####".parse::<Burrow>();
        assert!(barred.is_ok());
        let problem: Reduced = Reduced::new(&barred.unwrap()).unwrap();
        assert_eq!(problem.heuristic(&problem.start().0), u32::MAX);
    }

    #[test]
    fn gaps_close_at_a_fixed_price() {
        // The A in the middle goes down one step, then the other comes in: 1 + 2.
        let gap = "#####\n#A..#\n##.##\n #.#\n ###".parse::<Burrow>();
        assert!(gap.is_err(), "one A is missing");
        let gap = "#####\n#A..#\n##A##\n #.#\n ###".parse().unwrap();
        let problem: Reduced = Reduced::new(&gap).unwrap();
        assert_eq!(problem.start(), (problem.goal, 3));
        let film = problem.replay(&Path::at(problem.start().0, 3));
        assert_eq!(film.iter().map(|frame| frame.energy).collect::<Vec<_>>(), [0, 1, 3]);
    }
}
