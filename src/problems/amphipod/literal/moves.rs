//! The successors and the heuristic of a [`Literal`] burrow.

use super::{Literal, Walk};
use crate::problem::{SearchProblem, Successors};
use crate::problems::amphipod::energy::{Energy, narrow};
use crate::problems::amphipod::packed::BurrowState;

impl<const N: usize, C: Energy> SearchProblem for Literal<N, C> {
    type State = BurrowState<N>;
    type Action = Walk;
    type Cost = C;

    fn successors(&self, state: &BurrowState<N>, next: &mut Successors<Self>) {
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

    fn heuristic(&self, state: &BurrowState<N>) -> C {
        let dead_ends_are_final = !self.rules.walk_along_hallway && !self.rules.rest_in_any_room;
        if dead_ends_are_final && self.is_dead_end(state) {
            return C::INFINITY;
        }
        self.free_energy(state).unwrap_or(C::INFINITY)
    }

    #[inline]
    fn is_goal(&self, state: &BurrowState<N>) -> bool {
        *state == self.goal
    }
}

impl<const N: usize, C: Energy> Literal<N, C> {
    /// Returns the energy that the moves would take if no amphipod blocked another. `None` if a kind has no room, or
    /// the energy does not fit: a state of another burrow may have too many of a kind.
    fn free_energy(&self, state: &BurrowState<N>) -> Option<C> {
        let count = self.rooms.len();
        let to_door = |cell: usize, kind: usize| {
            if kind < count { self.to_door.get(cell * count + kind).copied() } else { None }
        };
        let mut sum = C::ZERO;
        let mut rest = *state;
        while let Some(bit) = rest.lowest(&self.hallway) {
            let x = usize::from(self.cell_of_bit[bit]);
            sum = sum.checked_add(to_door(x, self.kind_in(state, x))?)?;
            rest.clear(self.cells[x]);
        }
        for (number, room) in self.rooms.iter().enumerate() {
            let free = self.free_above(state, number);
            if self.is_settled(state, number, free) {
                sum = sum.checked_add(room.coming[free])?;
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
                    let down = room.step * C::from(narrow(self.depth - stay - depth));
                    sum = sum.checked_add(down)?;
                } else {
                    sum = sum.checked_add(to_door(cell, kind)?)?;
                }
            }
            sum = sum.checked_add(room.coming[self.depth - stay])?;
        }
        Some(sum)
    }

    /// Pushes all moves of the amphipod in cell `from`, which is `up` steps from `column` of the
    /// hallway.
    #[inline]
    fn walks(
        &self,
        state: &BurrowState<N>,
        from: usize,
        (column, up): (usize, usize),
        next: &mut Successors<Self>,
    ) {
        let kind = self.kind_in(state, from);
        let Some(home) = self.rooms.get(kind) else { return };
        let own_room = from.checked_sub(self.width).map(|cell| cell / self.depth);
        let (first, end) = self.stretch(state, column);
        let mut without = *state;
        without.clear(self.cells[from]);
        let mut push = |to: usize, steps: usize| {
            let mut successor = without;
            successor.add(self.cells[to], kind as u64 + 1);
            let walk = Walk { from: narrow(from), to: narrow(to) };
            next.push(walk, successor, home.step * C::from(narrow(steps)));
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
        } else if own_room != Some(kind) && (first..end).contains(&home.door) {
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
    /// Pushes the moves that close gaps below amphipods in their own room, and returns whether such
    /// moves are all that is left to do in the room. Only drawings contain such gaps; no move makes one.
    #[cold]
    fn sink(&self, state: &BurrowState<N>, room: usize, next: &mut Successors<Self>) -> bool {
        let cells = self.width + room * self.depth..self.width + (room + 1) * self.depth;
        let kinds = cells.clone().map(|cell| (cell, state.get(self.cells[cell])));
        if kinds.clone().any(|(_, kind)| kind != 0 && kind != room + 1) {
            return false;
        }
        for (from, _) in kinds.filter(|&(_, kind)| kind != 0) {
            let below =
                (from + 1..cells.end).take_while(|&c| state.get(self.cells[c]) == 0).count();
            if below > 0 {
                let mut successor = *state;
                successor.clear(self.cells[from]);
                successor.add(self.cells[from + below], room as u64 + 1);
                let walk = Walk { from: narrow(from), to: narrow(from + below) };
                next.push(walk, successor, self.rooms[room].step * C::from(narrow(below)));
            }
        }
        true
    }
}
