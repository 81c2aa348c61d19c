//! [`Remaining`]: the graph of the states that are not contracted yet.

use crate::cost::Cost;
use crate::memory::{Memory, OutOfMemory};

/// An arc leads away from the state in whose list it is.
pub(super) const FORWARD: u8 = 1;
/// An arc leads to the state in whose list it is.
pub(super) const BACKWARD: u8 = 2;

/// The middle of an arc that is a step of the problem.
pub(super) const NO_MIDDLE: u32 = u32::MAX >> 2;

/// An arc between the state in whose list it is and another one. It is in the lists of both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc<C> {
    pub(super) other: u32,
    /// The state that a shortcut leads over, or [`NO_MIDDLE`].
    pub(super) middle: u32,
    pub(super) cost: C,
    /// How many steps it stands for; many count as the largest number.
    pub(super) hops: u16,
    /// [`FORWARD`], [`BACKWARD`] or both.
    pub(super) ways: u8,
}

/// The graph of the states that are not contracted yet: a list of arcs for each.
///
/// There is at most one arc from one state to another, and none from a state to itself.
pub(super) struct Remaining<C> {
    lists: Vec<Vec<Arc<C>>>,
    /// Whether every arc led both ways when all steps were noted.
    pub(super) is_symmetric: bool,
}

impl<C: Cost> Remaining<C> {
    /// Creates a graph of `count` states without arcs.
    pub(super) fn new(count: usize, memory: &mut Memory) -> Result<Self, OutOfMemory> {
        Ok(Self { lists: memory.list(count, Vec::new())?, is_symmetric: true })
    }

    #[inline]
    pub(super) fn arcs(&self, state: u32) -> &[Arc<C>] {
        &self.lists[state as usize]
    }

    /// Notes a step of the problem. [`finish`](Self::finish) is called after the last one.
    pub(super) fn add_step(
        &mut self,
        [from, to]: [u32; 2],
        cost: C,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        for (state, other, ways) in [(from, to, FORWARD), (to, from, BACKWARD)] {
            let list = &mut self.lists[state as usize];
            memory.reserve(list, 1)?;
            list.push(Arc { other, middle: NO_MIDDLE, cost, hops: 1, ways });
        }
        Ok(())
    }

    /// Keeps the cheapest of the steps from one state to another, and makes one arc of two that lead there and back
    /// at the same cost.
    ///
    /// `check` looks at the limits for each state.
    pub(super) fn finish<E>(
        &mut self,
        check: &mut dyn FnMut(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        for (state, list) in self.lists.iter_mut().enumerate() {
            check(state)?;
            list.sort_by(|a, b| {
                let by_cost = a.cost.partial_cmp(&b.cost).unwrap_or(std::cmp::Ordering::Equal);
                (a.other, a.ways).cmp(&(b.other, b.ways)).then(by_cost)
            });
            list.dedup_by_key(|arc| (arc.other, arc.ways));
            list.dedup_by(|back, forth| {
                let is_same = back.other == forth.other && back.cost == forth.cost;
                if is_same {
                    forth.ways |= back.ways;
                }
                is_same
            });
            self.is_symmetric &= list.iter().all(|arc| arc.ways == FORWARD | BACKWARD);
        }
        Ok(())
    }

    /// Adds an arc between `state` and `arc.other`, unless there is one that costs no more.
    pub(super) fn add(
        &mut self,
        state: u32,
        arc: Arc<C>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let swapped = (arc.ways & FORWARD) << 1 | (arc.ways & BACKWARD) >> 1;
        put(&mut self.lists[state as usize], arc, memory)?;
        let back = Arc { other: state, ways: swapped, ..arc };
        put(&mut self.lists[arc.other as usize], back, memory)
    }

    /// Gives the memory back.
    pub(super) fn free(self, memory: &mut Memory) {
        memory.free(self.lists);
    }

    /// Takes a state with all its arcs out of the graph.
    pub(super) fn remove(&mut self, state: u32) -> Vec<Arc<C>> {
        let list = std::mem::take(&mut self.lists[state as usize]);
        for arc in &list {
            let other = &mut self.lists[arc.other as usize];
            let mut place = 0;
            while place < other.len() {
                if other[place].other == state {
                    other.swap_remove(place);
                } else {
                    place += 1;
                }
            }
        }
        list
    }
}

/// Puts an arc into a list, in the directions in which there is none that costs no more.
fn put<C: Cost>(
    list: &mut Vec<Arc<C>>,
    mut arc: Arc<C>,
    memory: &mut Memory,
) -> Result<(), OutOfMemory> {
    memory.reserve(list, 1)?;
    let mut place = 0;
    while let Some(old) = list.get_mut(place) {
        if old.other == arc.other {
            if old.middle == arc.middle && old.cost == arc.cost {
                // One arc for both; there may be others yet for these directions.
                arc.ways |= old.ways;
                list.swap_remove(place);
                continue;
            }
            if old.cost <= arc.cost {
                arc.ways &= !old.ways;
            } else {
                old.ways &= !arc.ways;
                if old.ways == 0 {
                    list.swap_remove(place);
                    continue;
                }
            }
        }
        place += 1;
    }
    if arc.ways != 0 {
        list.push(arc);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random.
    fn numbers(seed: u64) -> impl FnMut(u8) -> u8 {
        let mut state = seed;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()[0] % below
        }
    }

    #[test]
    fn of_arcs_from_one_state_to_another_the_cheapest_is_kept() {
        let mut memory = Memory::new(usize::MAX);
        for seed in 0..2_000 {
            let mut next = numbers(seed);
            let mut graph = Remaining::<u64>::new(3, &mut memory).unwrap();
            let mut cheapest = [[None; 3]; 3];
            for _ in 0..8 {
                let [state, other] = [[0, 1], [1, 0], [0, 2], [2, 1]][usize::from(next(4))];
                let (middle, cost, ways) =
                    (10 + u32::from(next(2)), u64::from(next(4)), 1 + next(3));
                graph.add(state, Arc { other, middle, cost, hops: 2, ways }, &mut memory).unwrap();
                for (way, [from, to]) in [(FORWARD, [state, other]), (BACKWARD, [other, state])] {
                    if ways & way != 0 {
                        let least: &mut Option<u64> = &mut cheapest[from as usize][to as usize];
                        *least = Some(least.map_or(cost, |least| least.min(cost)));
                    }
                }
            }
            for (from, to) in (0..3).flat_map(|from| (0..3).map(move |to| (from, to))) {
                let costs = |state: u32, other, way| -> Vec<u64> {
                    let arcs = graph.arcs(state).iter();
                    arcs.filter(|arc| arc.other == other && arc.ways & way != 0)
                        .map(|arc| arc.cost)
                        .collect()
                };
                let least: Vec<u64> = cheapest[from as usize][to as usize].into_iter().collect();
                assert_eq!(costs(from, to, FORWARD), least, "seed {seed}, {from} to {to}");
                assert_eq!(costs(to, from, BACKWARD), least, "seed {seed}, {from} to {to}");
            }
        }
    }
}
