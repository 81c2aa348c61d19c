//! [`Reduced`]: the problem with only the decisions.

mod bounds;
mod fixed;
mod moves;
mod tables;

use std::fmt;

use super::burrow::Burrow;
use super::energy::Energy;
use super::packed::{BurrowState, Field};
use super::replay::{Frame, Replay};
use crate::debug::show_fields;
use crate::path::Path;

/// A burrow without the moves that are the same in every solution, and without those that are part of
/// some optimal solution anyway. See the [module](super) for the ideas.
///
/// A state holds how many amphipods have left each room, and which kind stands on each spot of the
/// hallway, in `N` machine words; a spot is a place of the hallway that is not above a room. The cost of
/// an action is the *detour* that it makes necessary. The energy that every solution needs is
/// [`fixed_energy`](Self::fixed_energy); a search has to start with it:
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
/// The defaults of `N` and of the type of the energy `C` are for the puzzle's own size. Larger burrows
/// need `Reduced::<2, u64>` or up to `Reduced::<8, u128>`, which holds 26 rooms.
///
/// The heuristic is admissible. The states form no cycles. Actions may cost 0.
///
/// Any [`BurrowState`] can be searched and replayed without a panic, wherever it was read. The meaning of a state of
/// another burrow is not specified; if it has a kind without a room here, it is a dead end.
#[derive(Clone)]
pub struct Reduced<const N: usize = 1, C = u32> {
    burrow: Burrow,
    bound: DetourBound,
    sees_dead_ends: bool,
    rooms: Vec<Room<N, C>>,
    spots: Vec<Spot>,
    /// For each bit of a state, the spot whose field it is part of.
    spot_of_bit: Vec<u16>,
    /// At `a * rooms + b`, the spots between the doors of the rooms `a` and `b`.
    between: Vec<BurrowState<N>>,
    /// At `s * rooms + r`, the spots between the spot `s` and the door of the room `r`.
    way: Vec<BurrowState<N>>,
    hallway: BurrowState<N>,
    start: BurrowState<N>,
    goal: BurrowState<N>,
    fixed: C,
}

#[derive(Clone, Debug)]
struct Room<const N: usize, C> {
    door: u16,
    /// The first spot right of the door.
    right_spot: u16,
    /// The number of amphipods that have left the room.
    left_it: Field,
    /// The spots left of the door.
    to_the_left: BurrowState<N>,
    /// The spots right of the door.
    to_the_right: BurrowState<N>,
    /// For each number of amphipods that have left, the kind that leaves next; `OPEN` at the end.
    tops: Vec<u8>,
    /// For each number of amphipods that have left, and each kind: how many of the kinds before this
    /// one are still to leave.
    before: Vec<u16>,
    /// The cost of two steps of the kind that lives here.
    two_steps: C,
}

/// Marks a room that only amphipods at home are left in.
const OPEN: u8 = u8::MAX;

#[derive(Clone, Copy, Debug)]
struct Spot {
    column: u16,
    /// The first room with its door right of the spot.
    room_right: u16,
    field: Field,
}

/// An action of a [`Reduced`] burrow: the topmost amphipod of a room moves to a spot of the hallway and
/// waits there.
///
/// Spots are the places of the hallway that are not above rooms, counted from 0 at the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Decision {
    /// The room, counted from 0.
    pub room: u8,
    /// The spot, counted from 0.
    pub spot: u16,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (room, spot) = (u32::from(self.room) + 1, u32::from(self.spot) + 1);
        write!(f, "out of room {room} to spot {spot}")
    }
}

/// The heuristic of a [`Reduced`] burrow: a lower bound on the detours still to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum DetourBound {
    /// Each amphipod that must leave its own room, because another kind is below it, steps aside and
    /// back.
    DoorToDoor,
    /// In addition, of two amphipods that move towards each other, or of which one blocks the other,
    /// one makes a detour.
    #[default]
    GiveWay,
}

impl<const N: usize, C: Energy> Reduced<N, C> {
    /// Uses another bound as the heuristic.
    #[must_use]
    pub fn with_bound(mut self, bound: DetourBound) -> Self {
        self.bound = bound;
        self
    }
    /// Turns the test for dead ends off: states without a solution are generated, too.
    #[must_use]
    pub fn without_dead_end_test(mut self) -> Self {
        self.sees_dead_ends = false;
        self
    }
    /// Returns the burrow it was made from.
    #[must_use]
    pub fn burrow(&self) -> &Burrow {
        &self.burrow
    }

    /// Returns the start state and its cost, an argument for `search_from`. In this state, all amphipods that
    /// could go home have done so. The cost is [`fixed_energy`](Self::fixed_energy).
    #[must_use]
    pub fn start(&self) -> (BurrowState<N>, C) {
        (self.start, self.fixed)
    }

    /// Returns the energy that every solution needs: out of the rooms and to the own doors on the shortest way,
    /// and down into the own rooms.
    #[must_use]
    pub fn fixed_energy(&self) -> C {
        self.fixed
    }

    /// Every arrangement from the start to the end of a path, each with the energy so far. The last
    /// energy is the cost of the path.
    ///
    /// A path of another problem gives the arrangements up to the first decision that is not possible.
    #[must_use]
    pub fn replay(&self, path: &Path<BurrowState<N>, Decision, C>) -> Vec<Frame> {
        let mut replay = Replay::new(&self.burrow);
        replay.all_go_home();
        for decision in path.actions() {
            let Some(spot) = self.spots.get(usize::from(decision.spot)) else { break };
            if !replay.come_out(usize::from(decision.room), usize::from(spot.column)) {
                break;
            }
            replay.all_go_home();
        }
        replay.finish()
    }

    /// Returns the kind that leaves the room next, or `OPEN`. In a state of another burrow, more may have left than
    /// there were: then it is `OPEN`.
    #[inline]
    fn top(&self, state: &BurrowState<N>, room: usize) -> u8 {
        let room = &self.rooms[room];
        room.tops.get(state.get(room.left_it)).copied().unwrap_or(OPEN)
    }

    /// Returns the number of amphipods still to leave room `from` whose homes are in `lo..hi`. In a state of another
    /// burrow, more may have left than there were: then it is 0.
    #[inline]
    fn to_leave(&self, state: &BurrowState<N>, from: usize, lo: usize, hi: usize) -> u16 {
        let room = &self.rooms[from];
        let at = state.get(room.left_it) * (self.rooms.len() + 1);
        match (room.before.get(at + hi), room.before.get(at + lo)) {
            (Some(below_hi), Some(below_lo)) => below_hi - below_lo,
            _ => 0,
        }
    }

    /// Returns the kind on a spot that is occupied; in a state of another burrow, it may have no room.
    #[inline]
    fn kind_on(&self, state: &BurrowState<N>, spot: usize) -> usize {
        state.get(self.spots[spot].field).wrapping_sub(1)
    }

    /// Returns the nearest occupied spot left of a door.
    #[inline]
    fn taken_left(&self, state: &BurrowState<N>, room: usize) -> Option<usize> {
        let bit = state.highest(&self.rooms[room].to_the_left)?;
        Some(usize::from(self.spot_of_bit[bit]))
    }

    /// Returns the nearest occupied spot right of a door.
    #[inline]
    fn taken_right(&self, state: &BurrowState<N>, room: usize) -> Option<usize> {
        let bit = state.lowest(&self.rooms[room].to_the_right)?;
        Some(usize::from(self.spot_of_bit[bit]))
    }
}

show_fields! {
    [const N: usize, C: Energy] Reduced<N, C>,
    "Reduced" { burrow, bound, fixed, start }
}

fn room_number(room: usize) -> u8 {
    #[expect(clippy::cast_possible_truncation, reason = "at most 26 rooms")]
    let number = room as u8;
    number
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::problem::{SearchProblem, Successors};

    #[test]
    fn a_state_of_the_puzzle_takes_33_bits() {
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
    fn the_short_test_for_dead_ends_leaves_out_the_same_states_as_the_full_one() {
        // Without dead ends; every amphipod is one room left of its home.
        let shifted = "###########\n#.........#\n#B#C#D#E#A#\n#B#C#D#E#A#\n###########";
        let shifted = shifted.parse().unwrap();
        let mut left_out = 0;
        for burrow in [Burrow::example(), Burrow::example().unfolded().unwrap(), shifted] {
            let problem: Reduced = Reduced::new(&burrow).unwrap();
            let all = Reduced::<1, u32>::new(&burrow).unwrap().without_dead_end_test();
            let mut states = vec![problem.start().0];
            let mut known = HashSet::from([problem.start().0]);
            let (mut found, mut expected) =
                (Successors::<Reduced>::new(), Successors::<Reduced>::new());
            while let Some(state) = states.pop() {
                found.clear();
                expected.clear();
                problem.successors(&state, &mut found);
                all.successors(&state, &mut expected);
                left_out += expected.len();
                expected.retain(|successor| !problem.is_dead_end(&successor.state));
                left_out -= expected.len();
                assert_eq!(found.as_slice(), expected.as_slice());
                let next = found.as_slice().iter().map(|successor| successor.state);
                states.extend(next.filter(|&state| known.len() < 20_000 && known.insert(state)));
            }
        }
        assert!(left_out > 1000, "only {left_out} dead ends");
    }
}
