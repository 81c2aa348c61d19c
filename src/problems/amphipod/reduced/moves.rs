//! The successors of a [`Reduced`] burrow.

use super::{Decision, OPEN, Reduced, Spot, room_number};
use crate::problem::{SearchProblem, Successors};
use crate::problems::amphipod::energy::{Energy, narrow};
use crate::problems::amphipod::packed::BurrowState;

impl<const N: usize, C: Energy> SearchProblem for Reduced<N, C> {
    type State = BurrowState<N>;
    type Action = Decision;
    type Cost = C;

    fn successors(&self, state: &BurrowState<N>, next: &mut Successors<Self>) {
        let may_be_dead_end = *state == self.start;
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
            // Another amphipod may be able to go home only if this is so.
            let new_top = self.top(&without, number);
            for spot in first..end {
                let Spot { column, field, .. } = self.spots[spot];
                let mut successor = without;
                successor.add(field, u64::from(top) + 1);
                if new_top == OPEN || self.goes_straight(&successor, number, usize::from(new_top)) {
                    self.go_home(&mut successor);
                }
                if self.sees_dead_ends {
                    let is_dead_end = if may_be_dead_end {
                        self.is_dead_end(&successor)
                    } else {
                        self.becomes_dead_end(&successor, spot)
                    };
                    if is_dead_end {
                        continue;
                    }
                }
                let beyond = lo.saturating_sub(column) + column.saturating_sub(hi);
                let decision = Decision { room: room_number(number), spot: narrow(spot) };
                next.push(decision, successor, home.two_steps * C::from(beyond));
            }
        }
    }

    fn heuristic(&self, state: &BurrowState<N>) -> C {
        // The start is the only dead end that can be expanded: the others are never generated.
        if *state == self.start && self.sees_dead_ends && self.is_dead_end(state) {
            return C::INFINITY;
        }
        self.detours(state).unwrap_or(C::INFINITY)
    }

    #[inline]
    fn is_goal(&self, state: &BurrowState<N>) -> bool {
        *state == self.goal
    }
}

impl<const N: usize, C: Energy> Reduced<N, C> {
    /// Whether the amphipod of this kind at the top of `room` can go straight home.
    #[inline]
    fn goes_straight(&self, state: &BurrowState<N>, room: usize, kind: usize) -> bool {
        !state.meets(&self.between[room * self.rooms.len() + kind]) && self.top(state, kind) == OPEN
    }

    /// Makes all moves home, until none is possible.
    pub(super) fn go_home(&self, state: &mut BurrowState<N>) {
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
}
