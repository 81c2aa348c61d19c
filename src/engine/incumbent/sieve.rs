//! Which successors of a state are copied.

use crate::cost::Cost;
use crate::engine::checked::sum_of_step;
use crate::engine::depth_first::SuccessorFilter;
use crate::engine::policy::admits;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::{SearchProblem, Successor, reached_by};
use crate::table::{Record, TableFor};

/// Decides which successors of a state are copied.
pub(super) struct Sieve<'a, P: SearchProblem, T> {
    /// Where they are looked up first; `None` if all are kept.
    pub(super) table: Option<&'a T>,
    /// The cost of the state.
    pub(super) g: P::Cost,
    pub(super) incumbent: Option<P::Cost>,
    pub(super) kept: &'a mut Vec<Successor<P::State, (), P::Cost>>,
    pub(super) memory: &'a mut Memory,
    /// Whether there was room for all that are to be kept.
    pub(super) room: Result<(), OutOfMemory>,
    pub(super) generated: u64,
    pub(super) duplicates: u64,
}

impl<P: SearchProblem, T: TableFor<P::State, P::Cost>, S> SuccessorFilter<P, S>
    for Sieve<'_, P, T>
{
    /// What the step costs.
    type Evaluation = P::Cost;

    #[inline]
    fn test(&mut self, state: &P::State, step: P::Cost) -> Option<P::Cost> {
        self.generated += 1;
        // Invalid steps are kept, so that they are reported.
        if let Some(table) = self.table
            && let Some(g) = sum_of_step(self.g, step)
        {
            if !admits(self.incumbent, g, P::Cost::ZERO) {
                return None;
            }
            let known = table.id_of(state);
            if known.is_some_and(|id| g >= table.load(id).g()) {
                self.duplicates += 1;
                return None;
            }
        }
        Some(step)
    }

    #[inline]
    fn keep(&mut self, state: P::State, _: S, step: P::Cost) {
        if self.room.is_ok() {
            self.room = self.memory.reserve(self.kept, 1);
        }
        if self.room.is_ok() {
            self.kept.push(reached_by((state, step)));
        }
    }
}
