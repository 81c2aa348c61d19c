//! [`Links`]: which states a step joins, whatever it costs and in whichever direction.

use super::NONE;
use crate::budget::Budget;
use crate::cost::Cost;
use crate::heuristics::DistanceError;
use crate::heuristics::stored::Steps;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::DenseStates;
use crate::report::StopReason;

/// For each state those that a step joins with it, in the order of their numbers.
#[derive(Debug)]
pub(super) struct Links {
    /// For each state the number of entries before; the number of all entries at the end.
    pub(super) first: Vec<u32>,
    pub(super) others: Vec<u32>,
}

impl Links {
    /// Reads all steps of a problem.
    pub(super) fn read<P: DenseStates>(
        problem: &P,
        budget: &Budget<P::Cost>,
        memory: &mut Memory,
    ) -> Result<Self, DistanceError<P::Cost>> {
        let count = problem.state_count();
        let mut steps = Steps::new();
        // For each state where its steps end in `heads`, and how many entries it has.
        let (mut ends, mut first) = (memory.list(count, 0)?, memory.list(count + 1, 0)?);
        let mut heads = Vec::new();
        for index in 0..count {
            budget.check_state(index)?;
            steps.ask(problem, index, memory)?;
            memory.reserve(&mut heads, steps.found.len())?;
            // One to the state itself is there only to be refused with its cost.
            for &(other, _) in steps.found.iter().filter(|(other, _)| *other != index) {
                #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³⁰")]
                heads.push(other as u32);
                first[index + 1] += 1;
                first[other + 1] += 1;
            }
            // The entries are twice as many.
            ends[index] = u32::try_from(2 * heads.len()).map_err(|_| OutOfMemory)? / 2;
        }
        steps.finish(memory);
        for place in 1..first.len() {
            first[place] += first[place - 1];
        }
        let mut others = memory.list(2 * heads.len(), 0)?;
        let mut next = memory.list(count, 0)?;
        next.copy_from_slice(&first[..count]);
        let mut begin = 0;
        for (state, &end) in (0_u32..).zip(&ends) {
            budget.check_state(state as usize)?;
            for &head in &heads[begin..end as usize] {
                for [from, to] in [[state, head], [head, state]] {
                    others[next[from as usize] as usize] = to;
                    next[from as usize] += 1;
                }
            }
            begin = end as usize;
        }
        for list in [heads, ends, next] {
            memory.free(list);
        }
        let mut links = Self { first, others };
        links.sort(budget, memory)?;
        Ok(links)
    }

    /// Sorts the lists, and keeps each entry once.
    fn sort<C: Cost>(&mut self, budget: &Budget<C>, memory: &mut Memory) -> Result<(), StopReason> {
        let Self { first, others } = self;
        let (mut begin, mut kept) = (0, 0);
        for (state, end) in first[1..].iter_mut().enumerate() {
            budget.check_state(state)?;
            let list = begin..*end as usize;
            others[list.clone()].sort_unstable();
            let mut previous = NONE;
            for place in list.clone() {
                let other = others[place];
                if other != previous {
                    (others[kept], previous) = (other, other);
                    kept += 1;
                }
            }
            begin = list.end;
            #[expect(clippy::cast_possible_truncation, reason = "it is no larger than before")]
            let len = kept as u32;
            *end = len;
        }
        let before = others.capacity();
        others.truncate(kept);
        others.shrink_to_fit();
        memory.release((before - others.capacity()) * size_of::<u32>());
        Ok(())
    }

    /// Makes room for a part of `states` states and `entries` entries.
    pub(super) fn with_capacity(
        states: usize,
        entries: usize,
        memory: &mut Memory,
    ) -> Result<Self, OutOfMemory> {
        let (mut first, mut others) = (Vec::new(), Vec::new());
        memory.reserve(&mut first, states + 1)?;
        memory.reserve(&mut others, entries)?;
        Ok(Self { first, others })
    }

    /// Becomes the part of a graph with these states, which are in the order of their numbers. `numbers` is [`NONE`] for all
    /// states, and is so again afterwards.
    #[inline]
    pub(super) fn restrict(&mut self, whole: &Self, states: &[u32], numbers: &mut [u32]) {
        for (number, &state) in (0..).zip(states) {
            numbers[state as usize] = number;
        }
        self.first.clear();
        self.others.clear();
        self.first.push(0);
        for &state in states {
            let others = whole.at(state).iter().map(|&other| numbers[other as usize]);
            self.others.extend(others.filter(|&number| number != NONE));
            #[expect(clippy::cast_possible_truncation, reason = "it is a part of the graph")]
            self.first.push(self.others.len() as u32);
        }
        for &state in states {
            numbers[state as usize] = NONE;
        }
    }

    #[inline]
    pub(super) fn at(&self, state: u32) -> &[u32] {
        &self.others[self.range(state)]
    }

    /// The places of the entries of a state.
    #[inline]
    pub(super) fn range(&self, state: u32) -> std::ops::Range<usize> {
        self.first[state as usize] as usize..self.first[state as usize + 1] as usize
    }

    pub(super) fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// Explores what is reached from a state, breadth first. States come to the end of `queue`, and their distances into
    /// `levels`, which is [`NONE`] for all that are yet to be reached.
    #[inline]
    pub(super) fn explore(&self, from: u32, levels: &mut [u32], queue: &mut Vec<u32>) {
        let mut place = queue.len();
        levels[from as usize] = 0;
        queue.push(from);
        while let Some(&state) = queue.get(place) {
            place += 1;
            let level = levels[state as usize] + 1;
            for &other in self.at(state) {
                if levels[other as usize] == NONE {
                    levels[other as usize] = level;
                    queue.push(other);
                }
            }
        }
    }

    /// Gives the memory back.
    pub(super) fn free(self, memory: &mut Memory) {
        memory.free(self.first);
        memory.free(self.others);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::problems::grid_map::{Cell, GridMap};

    #[test]
    fn each_state_that_steps_join_is_listed_once_and_in_order() {
        let map = GridMap::new(3, 2, |_| true).unwrap();
        let route = map.route_to(Cell::new(0, 0));
        let mut memory = Memory::new(usize::MAX);
        let links = Links::read(&route, &Budget::new(Limits::new()), &mut memory).unwrap();
        let lists = (0..6).map(|state| links.at(state)).collect::<Vec<_>>();
        let expected: [&[u32]; 6] =
            [&[1, 3, 4], &[0, 2, 3, 4, 5], &[1, 4, 5], &[0, 1, 4], &[0, 1, 2, 3, 5], &[1, 2, 4]];
        assert_eq!(lists, expected);
        let entries = links.first.capacity() + links.others.capacity();
        assert_eq!(memory.held(), entries * size_of::<u32>());
        links.free(&mut memory);
        assert_eq!(memory.held(), 0);
    }
}
