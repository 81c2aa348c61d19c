//! The test for dead ends and the bounds of a [`Reduced`] burrow.

use super::{DetourBound, OPEN, Reduced};
use crate::problems::amphipod::energy::Energy;
use crate::problems::amphipod::packed::BurrowState;
use crate::problems::amphipod::place::MOST_ROOMS;

impl<const N: usize, C: Energy> Reduced<N, C> {
    /// Whether some of the amphipods in the hallway can never go home.
    ///
    /// Removes them one by one, in any order in which it may be possible, and checks whether some are
    /// left. [`may_leave`](Self::may_leave) overestimates what is possible, so those that are left really
    /// cannot get home.
    pub(super) fn is_dead_end(&self, state: &BurrowState<N>) -> bool {
        let mut waiting = self.waiting(state);
        loop {
            let before = waiting;
            let mut rest = waiting;
            while let Some(bit) = rest.lowest(&self.hallway) {
                let spot = usize::from(self.spot_of_bit[bit]);
                let field = self.spots[spot].field;
                rest.clear(field);
                if self.may_leave(state, &waiting, spot) {
                    waiting.clear(field);
                }
            }
            if waiting == BurrowState::EMPTY {
                return false;
            }
            if waiting == before {
                return true;
            }
        }
    }

    /// The same for a state that was reached by a move to `spot` from one that is no dead end.
    ///
    /// If the amphipod that has moved may leave first, no more amphipods wait than before, and no more are
    /// in the rooms: then all of them may leave in the same order as before.
    #[inline]
    pub(super) fn becomes_dead_end(&self, state: &BurrowState<N>, spot: usize) -> bool {
        let has_gone_on = state.get(self.spots[spot].field) == 0;
        let is_alive = has_gone_on || self.may_leave(state, &self.waiting(state), spot);
        !is_alive && self.is_dead_end(state)
    }

    /// Returns the amphipods in the hallway.
    #[inline]
    fn waiting(&self, state: &BurrowState<N>) -> BurrowState<N> {
        let mut waiting = *state;
        for (word, hallway) in waiting.0.iter_mut().zip(self.hallway.0) {
            *word &= hallway;
        }
        waiting
    }

    /// Whether the amphipod that waits on `spot` may be able to go home while the others of `waiting` wait.
    ///
    /// Its way must be free, and its room must be empty of other kinds. Those need space in the meantime: on
    /// the part of the hallway around the door that the waiting amphipods leave free, and not in the way,
    /// unless their own rooms are on that part. The test overestimates the space.
    #[inline]
    fn may_leave(&self, state: &BurrowState<N>, waiting: &BurrowState<N>, spot: usize) -> bool {
        let count = self.rooms.len();
        let kind = self.kind_on(waiting, spot);
        let Some(home) = self.rooms.get(kind) else { return false };
        if waiting.meets(&self.way[spot * count + kind]) {
            return false;
        }
        let left = self.taken_left(waiting, kind);
        let right = self.taken_right(waiting, kind);
        let first_spot = left.map_or(0, |s| s + 1);
        let end_spot = right.unwrap_or(self.spots.len());
        let lo = left.map_or(0, |s| usize::from(self.spots[s].room_right));
        let hi = right.map_or(count, |s| usize::from(self.spots[s].room_right));
        let strangers = self.to_leave(state, kind, 0, lo) + self.to_leave(state, kind, hi, count);
        let own = self.to_leave(state, kind, kind, kind + 1);
        let door_spot = usize::from(home.right_spot);
        let behind = if spot < door_spot { end_spot - door_spot } else { door_spot - first_spot };
        usize::from(strangers) <= behind && usize::from(strangers + own) <= end_spot - first_spot
    }

    /// Returns a lower bound on the cost of the detours still to be made; `None` in a dead end.
    pub(super) fn detours(&self, state: &BurrowState<N>) -> Option<C> {
        let count = self.rooms.len();
        let mut sum = C::ZERO;
        for (number, room) in self.rooms.iter().enumerate() {
            let own = self.to_leave(state, number, number, number + 1);
            sum = sum + room.two_steps * C::from(own);
        }
        if self.bound == DetourBound::DoorToDoor {
            return Some(sum);
        }
        // While an amphipod waits in the hallway for its room, those in the room that have to get past
        // it must step back to the other side of the door. They are those with homes before the first,
        // and from the second of these two rooms on.
        let mut stopped = [(0, count); MOST_ROOMS];
        let mut rest = *state;
        while let Some(bit) = rest.lowest(&self.hallway) {
            let number = usize::from(self.spot_of_bit[bit]);
            let spot = &self.spots[number];
            let kind = self.kind_on(&rest, number);
            let home = self.rooms.get(kind)?;
            rest.clear(spot.field);
            let beyond = usize::from(spot.room_right);
            if number < usize::from(home.right_spot) {
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
                // Of two amphipods that have to enter each other's room, one must give way.
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

    /// Returns the cost for those in room `from` with homes in `lo..hi` to stand on the other side of the door,
    /// all at the same time: the most expensive stand closest to the door. `None` if there is not
    /// enough space.
    fn step_back(&self, state: &BurrowState<N>, from: usize, lo: usize, hi: usize) -> Option<C> {
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
