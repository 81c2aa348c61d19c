//! Looking ahead: successors and heuristic values of the states that come next.

use std::iter;

use super::search::{Pruning, WithIncumbent};
use crate::engine::Run;
use crate::engine::core::Core;
use crate::engine::depth_first::{Ahead, Expander};
use crate::engine::policy::admits;
use crate::frontier::Frontier;
use crate::table::{Record, StateId, Table};

/// For fewer states, looking ahead is not worth it.
const FEWEST: usize = 16;

impl<S: WithIncumbent, W: Expander<S::Problem>> Pruning<S, W> {
    /// Whether the successors of a state that is to be expanded are made. If the state was not looked ahead
    /// to, looks ahead from there on, to states that are expanded before the driver returns.
    pub(super) fn is_made<O>(
        &mut self,
        core: &Core<S>,
        id: S::Id,
        run: &mut Run<S::Cost, O>,
    ) -> bool {
        let known = self.expander.find_ahead(id.index());
        if known != Ahead::Unknown {
            return known == Ahead::Made;
        }
        let incumbent = self.best_cost();
        let (open_list, table) = (core.states.frontier(), core.states.table());
        let expansions = core.until.saturating_sub(run.stats.expanded);
        let most = usize::try_from(expansions).unwrap_or(usize::MAX);
        if most < FEWEST || open_list.peek_hint(FEWEST - 2).is_none() {
            return false;
        }
        let is_wanted = |&id: &S::Id| {
            let record = table.load(id);
            !record.is_closed()
                && (!S::Record::KEEPS_H || admits(incumbent, record.g(), record.h()))
        };
        let next = (0..).map_while(|ahead| open_list.peek_hint(ahead)).filter(is_wanted);
        let next =
            iter::once(id).chain(next).map(|id| (id.index(), table.with_state(id, Clone::clone)));
        self.expander.look_ahead(core.states.problem(), next, most, &mut run.budget);
        self.expander.find_ahead(id.index()) == Ahead::Made
    }
}
