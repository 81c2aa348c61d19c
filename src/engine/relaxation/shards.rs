//! What a loop needs that works on a part of the states, the others being elsewhere: steps that end in another
//! part, and arrivals from there.
//!
//! The parent in a record is then an id that says which part it is in. The loop stores it and never looks it up.

use super::open::OpenStates;
use super::{Closest, Relaxation};
use crate::engine::Run;
use crate::engine::parts::{Parts, TableKey};
use crate::engine::policy::Policy;
use crate::frontier::{Frontier, Key};
use crate::memory::OutOfMemory;
use crate::report::SearchError;

impl<S: Parts> Relaxation<S> {
    /// The cost after a step from a state of this part that was reached at cost `g`; `None`, which is noted, if its type
    /// cannot hold it.
    #[inline]
    pub(in crate::engine) fn cost_from(
        &mut self,
        id: S::Id,
        (g, step): (S::Cost, S::Cost),
        run: &mut Run<S::Cost, ()>,
    ) -> Result<Option<S::Cost>, SearchError<S::Cost>> {
        let sum = self.sum_of_step(g, step)?;
        if sum.is_none() {
            self.note_left_out(id, run);
        }
        Ok(sum)
    }

    /// The same of a start, or where the state is not of this part.
    #[inline]
    pub(in crate::engine) fn cost_after(
        &mut self,
        g: S::Cost,
        step: S::Cost,
    ) -> Result<Option<S::Cost>, SearchError<S::Cost>> {
        let sum = self.sum_of_step(g, step)?;
        if sum.is_none() {
            self.left_out.lose();
        }
        Ok(sum)
    }

    /// Relaxes a step that ends in a state with that key, reached at cost `g`, for which there must be room.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of an engine")]
    pub(in crate::engine) fn take_in(
        &mut self,
        (key, state): (TableKey<S>, S::State),
        g: S::Cost,
        parent: S::Id,
        policy: &mut impl Policy<S>,
        run: &mut Run<S::Cost, ()>,
    ) -> Result<(), SearchError<S::Cost>> {
        let mut duplicates = 1;
        self.reach((key, state), g, parent, &mut duplicates, policy, run)?;
        run.stats.duplicates += duplicates;
        Ok(())
    }

    /// Makes sure that no open state waits for room in the frontier.
    #[inline]
    pub(in crate::engine) fn settle(
        &mut self,
        run: &mut Run<S::Cost, ()>,
    ) -> Result<(), OutOfMemory> {
        self.open_states.settle(run.memory())
    }

    /// A key that precedes or equals those of all open states that are in the frontier or wait for room in it, and
    /// that of one that was taken out.
    pub(in crate::engine) fn bound(
        &mut self,
        taken_out: Option<S::Key>,
        run: &mut Run<S::Cost, ()>,
    ) -> Result<Option<S::Key>, OutOfMemory> {
        let OpenStates { frontier, waiting, .. } = &mut self.open_states;
        let least = frontier.bound(run.memory())?;
        let keys = waiting.iter().map(|&(_, key)| key).chain(least).chain(taken_out);
        Ok(keys.reduce(|a, b| if b.precedes(&a) { b } else { a }))
    }

    /// How many states are open.
    pub(in crate::engine) fn open_states(&self) -> u64 {
        self.open
    }

    /// The state with the least h that was ever open, among equals with the least g.
    pub(in crate::engine) fn closest_stored(&self) -> Closest<S::Cost, S::Id> {
        self.closest
    }
}
