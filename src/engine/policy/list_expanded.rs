//! The policy of a search that keeps a list of the states that it expands.

use super::{Policy, Taken};
use crate::engine::core::Core;
use crate::engine::driver::Driver;
use crate::engine::parts::Parts;
use crate::engine::relaxation::{HeadOf, Relaxation};
use crate::engine::{Engine, Progress, Run};
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::report::SearchError;

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

impl<S: Parts> Policy<S> for ListExpanded<S::Id> {
    #[inline]
    fn taken<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        head: &HeadOf<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Taken {
        core.judge(self, head, !self.passes_goals, run)
    }

    #[inline]
    fn make_room(
        &mut self,
        _states: &mut Relaxation<S>,
        _id: S::Id,
        _successors: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.listed, 1)
    }

    #[inline]
    fn expands(&mut self, _order: &S::Order, head: &HeadOf<S>) {
        self.listed.push(head.id);
    }

    fn restart(&mut self, _core: &mut Core<S>) {
        self.listed.clear();
        self.passes_goals = false;
    }
}

impl<S: Parts> Driver<S, ListExpanded<S::Id>> {
    /// The states that were expanded since the list was taken last.
    pub(in crate::engine) fn listed(&self) -> &[S::Id] {
        &self.policy.listed
    }

    /// The same list, to be made shorter.
    pub(in crate::engine) fn listed_mut(&mut self) -> &mut Vec<S::Id> {
        &mut self.policy.listed
    }

    /// The state that is expanded next and its f, after the search came to a goal, or was told to expand no state
    /// and has more of them.
    pub(in crate::engine) fn next_open(&self) -> Option<(S::Id, S::Cost)> {
        self.core.held.map(|head| (head.id, head.f))
    }

    /// Expands the state that is held, though it is a goal.
    pub(in crate::engine) fn pass_goal<O: Observer<S::State, S::Cost>>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        self.policy.passes_goals = true;
        let progress = self.advance(1, run);
        self.policy.passes_goals = false;
        progress
    }
}
