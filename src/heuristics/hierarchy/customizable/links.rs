//! [`Links`]: which states a step joins, whatever it costs and in whichever direction.

use super::NONE;
use crate::budget::Budget;
use crate::heuristics::DistanceError;
use crate::heuristics::stored::Steps;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::DenseStates;

/// The clock is looked at after so many states that are read.
const STATES_PER_LOOK: usize = 256;

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
        let mut pairs = Vec::new();
        for index in 0..count {
            if index.is_multiple_of(STATES_PER_LOOK) {
                budget.check_now()?;
            }
            steps.ask(problem, index)?;
            memory.reserve(&mut pairs, 2 * steps.found.len())?;
            for &(other, _) in &steps.found {
                #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³⁰")]
                let [a, b] = [index as u32, other as u32];
                pairs.extend([[a, b], [b, a]]);
            }
        }
        Ok(Self::of(pairs, count, memory)?)
    }

    #[inline]
    fn of(
        mut pairs: Vec<[u32; 2]>,
        count: usize,
        memory: &mut Memory,
    ) -> Result<Self, OutOfMemory> {
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = memory.list(count + 1, 0)?;
        let mut others = memory.list(pairs.len(), 0)?;
        u32::try_from(pairs.len()).map_err(|_| OutOfMemory)?;
        for (&[from, to], place) in pairs.iter().zip(&mut others) {
            first[from as usize + 1] += 1;
            *place = to;
        }
        for place in 1..first.len() {
            first[place] += first[place - 1];
        }
        memory.free(pairs);
        Ok(Self { first, others })
    }

    /// Makes room for a part of so many states and entries.
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
