//! Expanding a state whose successors and heuristic values were made ahead of time.

use std::cell::Cell;
use std::iter;

use super::{ByArrival, IncumbentEngine, OpenList};
use crate::engine::best_first::{Id, Rules, admits};
use crate::engine::checked::heuristic_value;
use crate::engine::depth_first::{Ahead, Expander};
use crate::engine::{Progress, Run};
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::SearchError;
use crate::table::{Record, StateId, TableFor};

/// For fewer states, looking ahead is not worth it.
const FEWEST: usize = 16;

impl<P, L, W, T> IncumbentEngine<P, L, W, T>
where
    P: SearchProblem,
    L: OpenList<P, T>,
    W: Expander<P>,
    T: TableFor<P::State, P::Cost>,
{
    /// Whether the successors of a state that is to be expanded are made. If the state was not looked ahead
    /// to, looks ahead from there on, to states that are expanded before so many expansions are used up.
    pub(super) fn is_made<O>(
        &mut self,
        id: Id<P, T>,
        expansions: u64,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let known = self.expander.find_ahead(id.index());
        if known != Ahead::Unknown {
            return known == Ahead::Made;
        }
        let incumbent = self.best_cost();
        let Self { states, expander, .. } = self;
        let (open_list, table) = (states.frontier(), states.table());
        let most = usize::try_from(expansions).unwrap_or(usize::MAX);
        if most < FEWEST || open_list.peek_hint(FEWEST - 2).is_none() {
            return false;
        }
        let is_wanted = |&id: &Id<P, T>| {
            let record = table.load(id);
            !record.is_closed()
                && (!T::Record::KEEPS_H || admits(incumbent, record.g(), record.h()))
        };
        let next = (0..).map_while(|ahead| open_list.peek_hint(ahead)).filter(is_wanted);
        let next =
            iter::once(id).chain(next).map(|id| (id.index(), table.with_state(id, Clone::clone)));
        expander.look_ahead(states.problem(), next, most, &mut run.budget);
        expander.find_ahead(id.index()) == Ahead::Made
    }

    /// Expands the state that was asked for last, whose successors are made, unless there is no room for them.
    pub(super) fn expand_made<O: Observer<P::State, P::Cost>>(
        &mut self,
        id: Id<P, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        self.expander.swap_ahead(&mut self.successors, &mut self.values);
        if let Err(full) = self.make_room(self.successors.len(), run) {
            self.successors.clear();
            self.values.clear();
            self.next = Some(id);
            return Ok(Progress::Stopped(full.into()));
        }
        let count = self.successors.len() as u64;
        let record = self.states.begin_expansion(id, self.layer, count, run);
        let incumbent = self.best_cost();
        let Self { states, successors, values, .. } = self;
        let value = Cell::new(None);
        // The loop asks for a key before it looks at the state.
        let keys = values.drain(..).map(|made| {
            value.set(made);
            None
        });
        let rules = Evaluated { incumbent, value: &value };
        states.relax((id, record.g()), successors, keys, rules, run)?;
        self.look_at_new(run);
        Ok(Progress::Going)
    }
}

/// Prunes by the incumbent, where heuristic values are made already.
struct Evaluated<'a, C> {
    incumbent: Option<C>,
    /// That of the state that is looked at, or what is no number; `None` if it was not made.
    value: &'a Cell<Option<Result<C, C>>>,
}

impl<P, T> Rules<P, ByArrival, T> for Evaluated<'_, P::Cost>
where
    P: SearchProblem,
    T: TableFor<P::State, P::Cost>,
{
    #[inline]
    fn admits(&self, g: P::Cost, h: P::Cost) -> bool {
        admits(self.incumbent, g, h)
    }

    #[inline]
    fn heuristic(
        &mut self,
        problem: &P,
        state: &P::State,
        g: P::Cost,
    ) -> Result<P::Cost, SearchError<P::Cost>> {
        let value = self.value.get().unwrap_or_else(|| heuristic_value(problem, state));
        value.map_err(|value| SearchError::NotANumber { g, value })
    }
}
