//! The policy of a search that keeps a list of the states that it expands.

use super::{Policy, Taken};
use crate::engine::core::Core;
use crate::engine::driver::{Driver, HeadOf};
use crate::engine::relaxation::{Id, Relaxation};
use crate::engine::{Engine, Order, Progress, Run};
use crate::frontier::Frontier;
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::SearchError;
use crate::table::TableFor;

/// Best-first search that keeps a list of the states that it expands, and goes on behind its goals when it is told
/// to: what the engines of more than one path search with.
#[derive(Clone, Debug)]
pub struct ListExpanded<I> {
    /// The states that were expanded since the list was taken last.
    listed: Vec<I>,
    /// Whether goals are expanded like any other state, and not answers.
    passes_goals: bool,
}

impl<I> Default for ListExpanded<I> {
    fn default() -> Self {
        Self { listed: Vec::new(), passes_goals: false }
    }
}

impl<P, R, T, F> Policy<P, R, T, F> for ListExpanded<Id<P, T>>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    #[inline]
    fn taken<O: Observer<P::State, P::Cost>>(
        &mut self,
        core: &mut Core<P, R, T, F>,
        head: &HeadOf<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Taken {
        core.judge(self, head, !self.passes_goals, run)
    }

    #[inline]
    fn make_room(
        &mut self,
        _states: &mut Relaxation<P, R, T, F>,
        _id: Id<P, T>,
        _successors: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.listed, 1)
    }

    #[inline]
    fn expands(&mut self, _order: &R, head: &HeadOf<P, R, T>) {
        self.listed.push(head.id);
    }

    fn restart(&mut self, _core: &mut Core<P, R, T, F>) {
        self.listed.clear();
        self.passes_goals = false;
    }
}

impl<P, R, T, F> Driver<P, R, T, F, ListExpanded<Id<P, T>>>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    /// The states that were expanded since the list was taken last.
    pub(in crate::engine) fn listed(&self) -> &[Id<P, T>] {
        &self.policy.listed
    }

    /// The same list, to be made shorter.
    pub(in crate::engine) fn listed_mut(&mut self) -> &mut Vec<Id<P, T>> {
        &mut self.policy.listed
    }

    /// The state that is expanded next and its f, after the search came to a goal, or was told to expand no state
    /// and has more of them.
    pub(in crate::engine) fn next_open(&self) -> Option<(Id<P, T>, P::Cost)> {
        self.core.held.map(|head| (head.id, head.f))
    }

    /// Expands the state that is held, though it is a goal.
    pub(in crate::engine) fn pass_goal<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        self.policy.passes_goals = true;
        let progress = self.advance(1, run);
        self.policy.passes_goals = false;
        progress
    }
}
