//! [`LastPath`]: the path that was listed last; the next one differs from it in its first steps.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::explorer::{Explored, Explorer};
use super::walker::Walker;
use crate::cost::Cost;
use crate::engine::parts::Parts;
use crate::path::{Path, PathOf};
use crate::problem::{SearchProblem, SuccessorBuffer, Successors};
use crate::report::SearchError;
use crate::table::{StateId, Table};

/// The path that was listed last, from its end to its start, and the actions that were found so far.
///
/// A walk along all paths changes only the first steps from one path to the next, so the others need not be looked up
/// again.
pub(super) struct LastPath<P: SearchProblem> {
    states: Vec<P::State>,
    actions: Vec<P::Action>,
    costs: Vec<P::Cost>,
    /// The action of each step that was on a path, if actions have a size.
    known: HashMap<u32, P::Action, FxBuildHasher>,
    /// An action, if they have none.
    only: Option<P::Action>,
    successors: Successors<P>,
}

impl<P: SearchProblem> LastPath<P> {
    pub(super) fn new() -> Self {
        Self {
            states: Vec::new(),
            actions: Vec::new(),
            costs: Vec::new(),
            known: HashMap::default(),
            only: None,
            successors: SuccessorBuffer::new(),
        }
    }

    /// Turns to the path that the walker has found, and returns it.
    pub(super) fn turn_to<S>(
        &mut self,
        walker: &mut Walker,
        explorer: &Explorer<S>,
    ) -> Result<PathOf<P>, SearchError<P::Cost>>
    where
        S: Parts<Problem = P, State = P::State, Action = P::Action, Cost = P::Cost>,
    {
        let table = explorer.table();
        let kept = walker.kept();
        self.states.truncate(kept);
        self.costs.truncate(kept);
        self.actions.truncate(kept);
        let count = walker.steps().len();
        for (nth, step) in walker.steps().enumerate().skip(kept) {
            let link = explorer.steps().get(step);
            self.states.push(table.with_state(link.to, Clone::clone));
            self.costs.push(link.cost);
            // The last one leads to the start.
            if link.from != StateId::NONE {
                let has_size = size_of::<P::Action>() > 0;
                let known = if has_size { self.known.get(&step) } else { self.only.as_ref() };
                let action = if let Some(action) = known {
                    action.clone()
                } else {
                    let from = table.with_state(link.from, Clone::clone);
                    let nth = count - 2 - nth;
                    let there = explorer.successor(&from, link, nth, &mut self.successors)?;
                    if has_size {
                        self.known.insert(step, there.action.clone());
                    } else {
                        self.only = Some(there.action.clone());
                    }
                    there.action.clone()
                };
                self.actions.push(action);
            }
        }
        let (&start_cost, costs) = self.costs.split_last().unwrap_or((&P::Cost::ZERO, &[]));
        // Each step is the difference of the costs of its states, so nothing is added up.
        let end = walker.steps().next().map(|step| explorer.steps().get(step).to);
        let cost = end.map_or(P::Cost::ZERO, |end| explorer.reached(end).0);
        Ok(Path::reversed(&self.states, &self.actions, costs, (start_cost, cost)))
    }
}
