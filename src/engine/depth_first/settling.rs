//! How a search ends that has found no goal where sums did not fit.
//!
//! Which paths a table prunes, and so which sums are met, depends on the bounds, and on what each thread has searched; and
//! a limit on the cost changes the bounds that are chosen. What does not depend on them: whether a state cannot be reached
//! at any cost that fits. Every such sum is met in the last iteration, as all states are expanded at their smallest costs in
//! it. So only a search that has met one must look, and it looks at all states.

use crate::cost::Cost;
use crate::engine::checked::{checked_step, sound_heuristic};
use crate::engine::halt::Halt;
use crate::engine::{Progress, Run};
use crate::memory::OutOfMemory;
use crate::problem::{SearchProblem, Successors};
use crate::report::SearchError;
use crate::table::{CostRecord, HashedTable, Lookup, Record, StateId, Table};

/// All states that can be reached, at their smallest costs: expanded in the order in which they are reached.
pub(super) struct Settling<P: SearchProblem> {
    /// States with an f that fits, and dead ends at no cost, which are never reached at a smaller one.
    reached: HashedTable<P::State, CostRecord<P::Cost, u64>>,
    /// Those to be expanded in this round, from the last one on, and in the next.
    open: Vec<u64>,
    later: Vec<u64>,
    /// States reached by a sum that did not fit, and its terms.
    left_out: Vec<(P::State, P::Cost, P::Cost)>,
    next_start: usize,
    successors: Successors<P>,
    /// The counted bytes of the successors.
    successor_bytes: usize,
}

impl<P: SearchProblem> Settling<P> {
    pub(super) fn new() -> Self {
        Self {
            reached: HashedTable::default(),
            open: Vec::new(),
            later: Vec::new(),
            left_out: Vec::new(),
            next_start: 0,
            successors: Successors::<P>::new(),
            successor_bytes: 0,
        }
    }

    /// Prepares a new search. Allocated memory is kept.
    pub(super) fn reset(&mut self) {
        self.reached.clear();
        self.open.clear();
        self.later.clear();
        self.left_out.clear();
        self.next_start = 0;
        self.successors.keep_within(self.successor_bytes);
    }

    /// Goes on for at most `most` expansions: [`Progress::Exhausted`] at the end, or the error.
    pub(super) fn advance<O>(
        &mut self,
        problem: &P,
        starts: &[(P::State, P::Cost)],
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, Halt<P::Cost>> {
        let mut left = most;
        while !run.is_interrupted() {
            if let Some((state, cost)) = starts.get(self.next_start) {
                self.make_room(starts.len() - self.next_start, run)?;
                self.reach(problem, state.clone(), (P::Cost::ZERO, *cost))?;
                self.next_start += 1;
            } else if self.open.is_empty() && !self.later.is_empty() {
                std::mem::swap(&mut self.open, &mut self.later);
            } else if let Some(&id) = self.open.last() {
                if left == 0 {
                    break;
                }
                self.successors.clear();
                self.reached
                    .with_state(id, |state| problem.successors(state, &mut self.successors));
                self.successors.count(&mut self.successor_bytes, run.memory())?;
                self.make_room(self.successors.len(), run)?;
                self.expand(problem, id)?;
                run.stats.expanded += 1;
                left -= 1;
            } else if let Some((state, g, added)) = self.left_out.last() {
                if self.reached.id_of(state).is_none() {
                    return Err(SearchError::Overflow { g: *g, added: *added }.into());
                }
                self.left_out.pop();
            } else {
                return Ok(Progress::Exhausted);
            }
        }
        Ok(Progress::Going)
    }

    /// Closes the state and reaches its successors, for which there is room.
    fn expand(&mut self, problem: &P, id: u64) -> Result<(), SearchError<P::Cost>> {
        self.open.pop();
        self.reached.update(id, Record::close);
        let g = self.reached.load(id).g();
        let mut successors = std::mem::take(&mut self.successors);
        for successor in successors.drain() {
            self.reach(problem, successor.state, (g, successor.cost))?;
        }
        self.successors = successors;
        Ok(())
    }

    fn make_room<O>(
        &mut self,
        states: usize,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        let memory = run.memory();
        self.reached.reserve(states, memory).map_err(|_| OutOfMemory)?;
        memory.reserve(&mut self.later, states)?;
        memory.reserve(&mut self.left_out, states)
    }

    /// Takes note of a state that a step leads to, from one that costs so much.
    fn reach(
        &mut self,
        problem: &P,
        state: P::State,
        (parent_g, step): (P::Cost, P::Cost),
    ) -> Result<(), SearchError<P::Cost>> {
        let Some(g) = checked_step(parent_g, step, &mut None)? else {
            self.left_out.push((state, parent_g, step));
            return Ok(());
        };
        let key = self.reached.key(&state);
        match self.reached.find(key, &state, |record| g < record.g()) {
            Lookup::Vacant(slot) => {
                let h = sound_heuristic(problem, &state, g)?;
                let is_dead_end = h >= P::Cost::INFINITY;
                if !is_dead_end && g.checked_add(h).is_none() {
                    self.left_out.push((state, g, h));
                    return Ok(());
                }
                let g = if is_dead_end { P::Cost::ZERO } else { g };
                let record = CostRecord::new(g, h, u64::NONE);
                let id = self.reached.insert(key, slot, state, record);
                if is_dead_end {
                    self.reached.update(id, Record::close);
                } else {
                    self.later.push(id);
                }
            }
            Lookup::Improved(id) => {
                let is_listed = !self.reached.load(id).is_closed();
                self.reached.update(id, |record| record.reach(g, u64::NONE));
                if !is_listed {
                    self.later.push(id);
                }
            }
            Lookup::NotImproved | Lookup::OutOfRange { .. } => {}
        }
        Ok(())
    }
}
