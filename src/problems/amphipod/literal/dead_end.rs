//! The test for dead ends of a [`Literal`] burrow.

use super::Literal;
use crate::problems::amphipod::energy::Energy;
use crate::problems::amphipod::packed::BurrowState;

impl<const N: usize, C: Energy> Literal<N, C> {
    /// Whether some of the amphipods in the hallway can never go home, by rules that let them go nowhere
    /// else.
    ///
    /// Removes them one by one while that may be possible, and checks whether some are left. An
    /// amphipod may be able to go if its way is free, and if those that must leave its room first have
    /// enough space: on the free part of the hallway around the door, but not in its way, unless their
    /// own doors are on that part.
    pub(super) fn is_dead_end(&self, state: &BurrowState<N>) -> bool {
        let mut waiting = state.and(&self.hallway);
        while waiting != BurrowState::EMPTY {
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

    /// Whether the amphipod in column `x` may be able to go home while those of `waiting` stay.
    fn may_go(&self, state: &BurrowState<N>, waiting: &BurrowState<N>, x: usize) -> bool {
        let kind = self.kind_in(state, x);
        let Some(home) = self.rooms.get(kind) else { return false };
        let door = home.door;
        let mut others = *waiting;
        others.clear(self.cells[x]);
        let (first, end) = self.stretch(&others, door);
        if !(first..end).contains(&x) || others.get(self.cells[door]) != 0 {
            return false;
        }
        // The amphipod that goes stands at an end of the free part and does not step aside.
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
            } else if self.rooms.get(other).is_none_or(|home| !(first..end).contains(&home.door)) {
                strangers += 1;
            }
        }
        let places = |from: usize, to: usize| self.stops_before[to] - self.stops_before[from];
        let behind = if x < door { places(door + 1, end) } else { places(first, door) };
        strangers <= behind && strangers + own <= places(first, end)
    }
}
