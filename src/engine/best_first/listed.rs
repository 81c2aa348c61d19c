//! What engines of more than one path ask of the engine below them: it goes on behind goals, and says which
//! states it has expanded.

use super::relaxation::Id;
use super::{BestFirstEngine, Order};
use crate::engine::{Progress, Run};
use crate::frontier::Frontier;
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::SearchError;
use crate::table::TableFor;

impl<P, R, T, F> BestFirstEngine<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    /// The states that were expanded since the list was taken last, in an order with `LISTS`.
    pub(in crate::engine) fn listed(&self) -> &[Id<P, T>] {
        &self.listed
    }

    /// The same list, to be made shorter.
    pub(in crate::engine) fn listed_mut(&mut self) -> &mut Vec<Id<P, T>> {
        &mut self.listed
    }

    /// The state that is expanded next and its f, after the engine came to a goal, or was told to expand no state
    /// and has more of them.
    pub(in crate::engine) fn next_open(&self) -> Option<(Id<P, T>, P::Cost)> {
        self.next.map(|id| (id, self.f_of(id)))
    }

    /// Expands the goal that the engine has come to like any other state.
    pub(in crate::engine) fn expand_goal<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        self.passes_goals = true;
        let progress = self.expand_next(run);
        self.passes_goals = false;
        progress
    }
}
