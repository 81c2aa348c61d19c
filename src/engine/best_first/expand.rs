//! The expansion of a state: its successors, room for them, and the relaxation of the steps to them.

use super::Order;
use super::lookahead::Lookahead;
use super::relaxation::{Id, Relaxation, Rules};
use crate::engine::Run;
use crate::frontier::Frontier;
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::SearchError;
use crate::table::{CacheResidency, Full, Record, TableFor};

impl<P: SearchProblem, T: TableFor<P::State, P::Cost>> Lookahead<P, T> {
    /// Expands an open state of `layer`, wholly or, if there is no room for its successors, not at all.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    pub(in crate::engine) fn expand<R, F, O>(
        &mut self,
        states: &mut Relaxation<P, R, T, F>,
        id: Id<P, T>,
        layer: P::Cost,
        rules: impl Rules<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Result<(), Full>, SearchError<P::Cost>>
    where
        R: Order<P::Cost>,
        F: Frontier<Id<P, T>, R::Key>,
        O: Observer<P::State, P::Cost>,
    {
        let residency = states.table().residency();
        let looks_ahead = residency == CacheResidency::Scattered;
        let count = self.turn_to(id, looks_ahead, states.problem(), states.table());
        let room = match self.make_room(looks_ahead, run.memory()) {
            Ok(()) => states.make_room(count, layer, run),
            Err(full) => Err(full.into()),
        };
        let room = room.and_then(|()| Ok(states.make_room_for_mark(id, run)?));
        if room.is_err() {
            return Ok(room);
        }
        let record = states.begin_expansion(id, layer, count as u64, run);
        if R::IMPROVES {
            states.mark_expanded(id);
        }
        let parent = (id, record.g());
        if looks_ahead {
            self.prefetch(states, run.memory());
            let (steps, keys) = self.successors_and_keys();
            states.relax(parent, steps, keys, rules, run)?;
        } else {
            if residency == CacheResidency::Local {
                states.prefetch_next();
            }
            states.relax_all(parent, self.successors(), rules, run)?;
        }
        Ok(Ok(()))
    }
}
