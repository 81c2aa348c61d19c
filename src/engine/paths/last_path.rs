//! [`LastPath`]: the path that was listed last; the next one differs from it in its first steps.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::explorer::{Explored, Explorer};
use super::walker::Walker;
use crate::cost::Cost;
use crate::engine::parts::Parts;
use crate::path::{Path, PathOf, StepCosts};
use crate::problem::{SearchProblem, SuccessorBuffer, Successors};
use crate::report::SearchError;
use crate::table::Table;

/// The path that was listed last, from its end to its start, and the actions that were found so far.
///
/// A walk along all paths changes only the first steps from one path to the next, so the others need not be looked up
/// again.
pub(super) struct LastPath<P: SearchProblem> {
    states: Vec<P::State>,
    actions: Vec<P::Action>,
    /// The first step, counted from the end of the path, whose cost is not that of the last one, which is step 0. The cost of the
    /// start is looked at as that of a step.
    differs: Option<usize>,
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
            differs: None,
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
        let kept = walker.kept();
        let steps = walker.steps();
        let (links, table) = (explorer.steps(), explorer.table());
        let cost_of = |step: &u32| links.get(*step).cost;
        let last = steps.first().map_or(P::Cost::ZERO, cost_of);
        let Self { states, differs, .. } = self;
        *differs = differs.filter(|&nth| nth < kept);
        states.truncate(kept);
        states.extend(steps.iter().enumerate().skip(kept).map(|(nth, &step)| {
            let link = links.get(step);
            if link.cost != last {
                differs.get_or_insert(nth);
            }
            table.with_state(link.to, Clone::clone)
        }));
        self.actions.truncate(kept);
        self.add_actions(steps, explorer)?;
        let (start_cost, count) = (steps.last().map_or(P::Cost::ZERO, cost_of), self.actions.len());
        let are_equal = self.differs.is_none_or(|nth| nth >= count);
        let costs = steps[..count].iter().rev().map(cost_of);
        let step_costs = StepCosts::new(costs, are_equal);
        // Each step is the difference of the costs of its states, so nothing is added up.
        let end = steps.first().map(|&step| links.get(step).to);
        let cost = end.map_or(P::Cost::ZERO, |end| explorer.reached(end).0);
        Ok(Path::reversed(&self.states, &self.actions, step_costs, (start_cost, cost)))
    }

    /// Adds the actions of those of these steps that are not there yet; the last one leads to the start and has none.
    #[inline]
    fn add_actions<S>(
        &mut self,
        steps: &[u32],
        explorer: &Explorer<S>,
    ) -> Result<(), SearchError<P::Cost>>
    where
        S: Parts<Problem = P, State = P::State, Action = P::Action, Cost = P::Cost>,
    {
        let Some((_, steps)) = steps.split_last() else { return Ok(()) };
        if let Some(only) = &self.only {
            self.actions.resize(steps.len(), only.clone());
            return Ok(());
        }
        for (nth, &step) in steps.iter().enumerate().skip(self.actions.len()) {
            let action = match self.known.get(&step).or(self.only.as_ref()) {
                Some(action) => action.clone(),
                None => self.look_up_action((step, steps.len() - 1 - nth), explorer)?,
            };
            self.actions.push(action);
        }
        Ok(())
    }

    /// Returns the action of a step, which has this number in the path, and records it.
    #[cold]
    fn look_up_action<S>(
        &mut self,
        (step, nth): (u32, usize),
        explorer: &Explorer<S>,
    ) -> Result<P::Action, SearchError<P::Cost>>
    where
        S: Parts<Problem = P, State = P::State, Action = P::Action, Cost = P::Cost>,
    {
        let link = explorer.steps().get(step);
        let from = explorer.table().with_state(link.from, Clone::clone);
        let there = explorer.successor(&from, link, nth, &mut self.successors)?;
        let action = there.action.clone();
        if size_of::<P::Action>() > 0 {
            self.known.insert(step, action.clone());
        } else {
            self.only = Some(action.clone());
        }
        Ok(action)
    }
}
