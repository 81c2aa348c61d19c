//! One pass over all states: the components, and whether steps are reversible at the same cost.

use std::cmp::Ordering;

use super::DistanceError;
use super::searches::list;
use crate::budget::Budget;
use crate::cost::Cost;
use crate::heuristics::stored::{Steps, steps};
use crate::memory::Memory;
use crate::problem::{DenseStates, Reversible, SuccessorBuffer};

/// The result of one pass over all states of a problem.
pub(super) struct Survey {
    /// A checksum of all steps with their costs.
    pub(super) fingerprint: u64,
    /// Whether each step is reversible at the same cost: then one distance serves both directions.
    pub(super) is_symmetric: bool,
    /// For each state the number of its weakly connected component, counted from 0.
    pub(super) components: Vec<u32>,
}

impl Survey {
    /// Generates the successors and predecessors of every state once, within the time and the token of the budget.
    pub(super) fn of<P: DenseStates + Reversible>(
        problem: &P,
        budget: &Budget<P::Cost>,
        memory: &mut Memory,
    ) -> Result<Self, DistanceError<P::Cost>> {
        let count = problem.state_count();
        if u32::try_from(count).is_err() {
            return Err(DistanceError::TooManyStates { count });
        }
        let mut sets = DisjointSets::new(count, memory)?;
        let mut counted = 0;
        let mut is_symmetric = true;
        let (mut forwards, mut previous) = (Steps::new(), SuccessorBuffer::new());
        let mut backwards = Vec::new();
        for index in 0..count {
            budget.check_state(index)?;
            forwards.ask(problem, index, memory)?;
            for &(other, _) in &forwards.found {
                sets.join(index, other);
            }
            if is_symmetric {
                previous.clear();
                problem.predecessors(&problem.state_at(index), &mut previous);
                previous.count(&mut counted, memory)?;
                steps(problem, index, &previous, &mut backwards, memory)?;
                cheapest(&mut forwards.found);
                cheapest(&mut backwards);
                is_symmetric = forwards.found == backwards;
            }
        }
        memory.release(counted);
        memory.free(backwards);
        let fingerprint = forwards.finish(memory);
        let components = sets.numbers(budget, memory)?;
        Ok(Self { fingerprint, is_symmetric, components })
    }
}

/// Sorts steps and keeps the cheapest to each state.
fn cheapest<C: Cost>(steps: &mut Vec<(usize, C)>) {
    steps.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.partial_cmp(&b.1).unwrap_or(Ordering::Equal)));
    steps.dedup_by_key(|step| step.0);
}

/// Disjoint sets of states (union–find): a forest in which each state points to its parent.
struct DisjointSets {
    parents: Vec<u32>,
}

#[expect(clippy::cast_possible_truncation, reason = "2³² states and more are refused beforehand")]
impl DisjointSets {
    fn new<C>(count: usize, memory: &mut Memory) -> Result<Self, DistanceError<C>> {
        let mut parents = list(count, memory)?;
        parents.extend(0..count as u32);
        Ok(Self { parents })
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.parents[index] as usize != index {
            // Path halving.
            let above = self.parents[self.parents[index] as usize];
            self.parents[index] = above;
            index = above as usize;
        }
        index
    }

    /// The smaller root becomes the root of both, so that sets are numbered in the order of their states.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b) as u32;
    }

    /// For each state the number of its set.
    fn numbers<C: Cost>(
        mut self,
        budget: &Budget<C>,
        memory: &mut Memory,
    ) -> Result<Vec<u32>, DistanceError<C>> {
        budget.check_now()?;
        let mut sets = 0;
        let mut numbers = list(self.parents.len(), memory)?;
        for index in 0..self.parents.len() {
            let root = self.root(index);
            numbers.push(if root == index { sets } else { numbers[root] });
            sets += u32::from(root == index);
        }
        memory.free(self.parents);
        Ok(numbers)
    }
}
