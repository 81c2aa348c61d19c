//! Paths to stored states.

use super::{Id, Relaxation};
use crate::cost::Cost;
use crate::engine::best_first::Order;
use crate::frontier::Frontier;
use crate::path::{Path, PathOf};
use crate::problem::{SearchProblem, SuccessorBuffer};
use crate::report::SearchError;
use crate::table::{Record, StateId, TableFor};

impl<P, R, T, F> Relaxation<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    /// The states on the path to a stored state, from the start on.
    ///
    /// # Errors
    ///
    /// [`SearchError::ParentCycle`] if there are more of them than states: then the costs are not ordered,
    /// or their sums wrap around.
    pub(in crate::engine) fn trail(
        &self,
        mut id: Id<P, T>,
    ) -> Result<Vec<Id<P, T>>, SearchError<P::Cost>> {
        let mut trail = Vec::with_capacity(32);
        while id != StateId::NONE {
            if trail.len() == self.table.len() {
                return Err(SearchError::ParentCycle { states: self.table.len() });
            }
            trail.push(id);
            id = self.table.load(id).parent();
        }
        trail.reverse();
        Ok(trail)
    }

    /// Whether the heuristic says of a state on the path to a goal that the goal must cost more than
    /// `cost`, so that it overestimates.
    pub(in crate::engine) fn overestimates_on_path(&self, goal: Id<P, T>, cost: P::Cost) -> bool {
        let exceeds =
            |&id: &Id<P, T>| self.f_of(id, &self.record(id)).is_none_or(|f| f.exceeds(cost));
        // A path with a cycle is reported when the path is asked for.
        self.trail(goal).is_ok_and(|trail| trail.iter().any(exceeds))
    }

    /// The path to a stored state.
    pub(in crate::engine) fn path_to(
        &self,
        id: Id<P, T>,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.path_along(&self.trail(id)?)
    }

    /// The path along stored states.
    pub(in crate::engine) fn path_along(
        &self,
        trail: &[Id<P, T>],
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        if let Some(path) = self.path_by_costs(trail) {
            return Ok(Some(path));
        }
        let start_cost = trail.first().map_or(P::Cost::ZERO, |&id| self.table.load(id).g());
        let state_of = |id| self.table.with_state(id, Clone::clone);
        if R::KEEPS_LABELS {
            let states = trail.iter().map(|&id| (state_of(id), self.table.load(id).g()));
            return Ok(Path::through_costs(&self.problem, states, start_cost)?);
        }
        let states = trail.iter().map(|&id| state_of(id));
        Ok(Path::through(&self.problem, states, start_cost)?)
    }

    /// The path along a trail, if actions tell nothing and the costs of the steps follow from those of the
    /// states: then the successors of every state on it need not be generated again.
    fn path_by_costs(&self, trail: &[Id<P, T>]) -> Option<PathOf<P>> {
        let (&first, rest) = trail.split_first()?;
        if R::PRUNES || T::CLOSES || size_of::<P::Action>() > 0 || rest.is_empty() {
            return None;
        }
        let mut successors = SuccessorBuffer::new();
        self.table.with_state(first, |start| self.problem.successors(start, &mut successors));
        // A type without size has one value.
        let action = successors.pop()?.action;
        let mut before = self.record(first);
        let start = self.table.with_state(first, Clone::clone);
        let mut path = Path::with_capacity(start, before.g(), rest.len());
        for &id in rest {
            let record = self.record(id);
            // A closed state has passed its cost on. An open one may have become cheaper since.
            let step = record.g().checked_sub(before.g()).filter(|_| before.is_closed())?;
            let state = self.table.with_state(id, Clone::clone);
            path.push(action.clone(), state, step).ok()?;
            before = record;
        }
        Some(path)
    }

    /// The path to the state with the least h, among equals with the least g.
    pub(in crate::engine) fn closest(&self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.closest.id.map_or(Ok(None), |id| self.path_to(id))
    }

    /// The path to the state with the least key, among equals with the least g. Asks for the key of every
    /// state that is stored.
    pub(in crate::engine) fn closest_by<K: PartialOrd>(
        &self,
        mut key: impl FnMut(&P::State) -> K,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let mut closest: Option<(K, P::Cost, Id<P, T>)> = None;
        self.table.for_each(|id, state, record| {
            let (key, g) = (key(state), record.g());
            let is_closer = closest
                .as_ref()
                .is_none_or(|(least, least_g, _)| key < *least || (key == *least && g < *least_g));
            if is_closer {
                closest = Some((key, g, id));
            }
        });
        closest.map_or(Ok(None), |(_, _, id)| self.path_to(id))
    }
}
