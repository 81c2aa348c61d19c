//! Paths by the costs alone, from the end back to a start, where the problem lists predecessors.

use rustc_hash::FxHashSet;

use super::Known;
use crate::cost::Cost;
use crate::engine::parts::Parts;
use crate::path::{Path, PathError, PathOf, StepCosts};
use crate::problem::{Reversible, Successor, SuccessorBuffer};
use crate::report::SearchError;
use crate::table::{Record, Table};

/// A state of equal cost on the way back.
struct Level<S: Parts> {
    id: S::Id,
    /// The step from it to the end, or to the state with that index, which was found before it.
    step: Option<(usize, S::Action, S::Cost)>,
}

impl<S: Parts<Problem: Reversible>> Known<'_, S> {
    /// A path to a stored state from one of the starts `roots`. Each step on it leads from a closed state whose cost,
    /// with that of the step, is that of the next.
    ///
    /// A cheaper predecessor is always on a cheapest path, so the first is taken. Steps that do not change the cost may
    /// form cycles, so all states of equal cost are looked at, breadth first, until one of them has a cheaper
    /// predecessor or is a start.
    ///
    /// # Errors
    ///
    /// [`PathError::NoSuchStep`] if there is none: the predecessors are not the reverse of the successors, or, with a
    /// heuristic that is not consistent, a cheaper path to a state on the way is not passed on yet.
    #[cold]
    pub(in crate::engine) fn path_by_predecessors(
        self,
        end: S::Id,
        roots: &[(S::State, S::Cost)],
    ) -> Result<PathOf<S::Problem>, SearchError<S::Cost>> {
        let state_of = |id| self.table.with_state(id, S::State::clone);
        let cost = self.table.load(end).g();
        let (mut states, mut actions, mut step_costs) = (vec![state_of(end)], vec![], vec![]);
        let mut previous = SuccessorBuffer::new();
        let mut g = cost;
        let mut level: Vec<Level<S>> = vec![Level { id: end, step: None }];
        let mut seen = FxHashSet::from_iter([end]);
        loop {
            let mut at = 0;
            // The last state of equal cost on the way, and the step from a cheaper one to it.
            let (last, cheaper) = loop {
                let Some(Level { id, .. }) = level.get(at) else {
                    return Err(PathError::NoSuchStep { step: 0 }.into());
                };
                let state = state_of(*id);
                previous.clear();
                self.problem.predecessors(&state, &mut previous);
                let mut cheaper = None;
                for Successor { state, action, cost } in previous.list().drain(..) {
                    let Some(id) = self.table.id_of(&state) else { continue };
                    let record = self.table.load(id);
                    let is_before = record.is_closed()
                        && cost.is_step()
                        && record.g().checked_add(cost) == Some(g);
                    if is_before && record.g() < g {
                        cheaper = Some((id, action, cost));
                        break;
                    }
                    if is_before && seen.insert(id) {
                        level.push(Level { id, step: Some((at, action, cost)) });
                    }
                }
                if cheaper.is_some() || roots.contains(&(state, g)) {
                    break (at, cheaper);
                }
                at += 1;
            };
            // From the last state of the level to the first.
            let at = states.len();
            let mut next = last;
            while let Some((to, action, cost)) = level[next].step.take() {
                states.push(state_of(level[next].id));
                actions.push(action);
                step_costs.push(cost);
                next = to;
            }
            states[at..].reverse();
            actions[at - 1..].reverse();
            step_costs[at - 1..].reverse();
            let Some((id, action, cost)) = cheaper else { break };
            states.push(state_of(id));
            actions.push(action);
            step_costs.push(cost);
            g = self.table.load(id).g();
            seen.clear();
            seen.insert(id);
            level.clear();
            level.push(Level { id, step: None });
        }
        let are_equal = step_costs.iter().all(|cost| *cost == step_costs[0]);
        let step_costs = StepCosts::new(step_costs.into_iter().rev(), are_equal);
        Ok(Path::reversed(&states, &actions, step_costs, (g, cost)))
    }
}
