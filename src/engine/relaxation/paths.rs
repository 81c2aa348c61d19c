//! What is known of the states, to be read: the paths to them, and whether the heuristic overestimates on these.

use super::Id;
use crate::cost::Cost;
use crate::engine::Order;
use crate::engine::checked::sound_heuristic;
use crate::engine::parts::Parts;
use crate::path::{Given, Path, PathOf};
use crate::problem::SearchProblem;
use crate::report::SearchError;
use crate::table::{Record, StateId, Table, TableFor};

/// The problem, the order and the table of a search, to be read.
#[derive(Debug)]
pub struct Known<'k, S: Parts> {
    pub(in crate::engine) problem: &'k S::Problem,
    pub(in crate::engine) order: &'k S::Order,
    pub(in crate::engine) table: &'k S::Table,
    /// An action, if actions have no size and one is known.
    pub(in crate::engine) action: Option<&'k S::Action>,
}

impl<S: Parts> Clone for Known<'_, S> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Parts> Copy for Known<'_, S> {}

/// How the steps of a path are found from the states on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trail {
    /// Each state was expanded at its cost, so the costs of the steps are the differences.
    Costs,
    /// A successor of a state may have been left out though it is a cheaper one.
    Steps,
    /// The records are those of paths, not of states: of several steps to a state, the costs tell which it was. See
    /// [`Known::path_to_label`].
    Labels,
}

impl<S: Parts> Known<'_, S> {
    /// The h of a stored state: that of its record, or, if the record keeps none, what the heuristic says
    /// now (zero if it says no number).
    #[inline]
    pub(in crate::engine) fn h_of(self, id: S::Id, record: &S::Record) -> S::Cost {
        if !S::Order::USES_H {
            S::Cost::ZERO
        } else if S::Record::KEEPS_H {
            record.h()
        } else {
            let ask = |state: &S::State| sound_heuristic(self.problem, state, record.g());
            self.table.with_state(id, ask).unwrap_or(S::Cost::ZERO)
        }
    }

    /// The f of a stored state, or `None` where its type cannot hold it.
    #[inline]
    pub(in crate::engine) fn f_of(self, id: S::Id, record: &S::Record) -> Option<S::Cost> {
        record.g().checked_add(self.h_of(id, record))
    }

    #[inline]
    pub(in crate::engine) fn is_goal(self, id: S::Id) -> bool {
        self.table.with_state(id, |state| self.problem.is_goal(state))
    }

    /// Whether the heuristic says of a state on the path to a goal that the goal must cost more than
    /// `cost`, so that it overestimates.
    #[cold]
    pub(in crate::engine) fn overestimates_on_path(self, goal: S::Id, cost: S::Cost) -> bool {
        let (mut id, mut exceeds) = (goal, false);
        for _ in 0..self.table.len() {
            if id == StateId::NONE {
                break;
            }
            let record = self.table.load(id);
            exceeds = exceeds || self.f_of(id, &record).is_none_or(|f| f.exceeds(cost));
            id = record.parent();
        }
        // A path with a cycle, which has no end here, is reported when the path is asked for.
        exceeds && id == StateId::NONE
    }

    /// The path to a stored state, of which there is one record.
    pub(in crate::engine) fn path_to(
        self,
        id: S::Id,
        steps: Trail,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        path_to(self.problem, self.table, id, (steps, self.action))
    }

    /// The path to a stored label.
    pub(in crate::engine) fn path_to_label(
        self,
        id: S::Id,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        let trail = trail::<S::Problem, S::Table>(self.table, id)?;
        let start_cost = trail.last().map_or(S::Cost::ZERO, |&id| self.table.load(id).g());
        let label =
            |&id: &S::Id| (self.table.with_state(id, Clone::clone), self.table.load(id).g());
        Ok(Path::through_costs(self.problem, trail.iter().rev().map(label), start_cost)?)
    }
}

/// The states on the path to a stored state, from that state back to the start.
///
/// # Errors
///
/// [`SearchError::ParentCycle`] if there are more of them than states: then the costs are not ordered,
/// or their sums wrap around.
#[cold]
pub(in crate::engine) fn trail<P, T>(
    table: &T,
    mut id: Id<P, T>,
) -> Result<Vec<Id<P, T>>, SearchError<P::Cost>>
where
    P: SearchProblem,
    T: TableFor<P::State, P::Cost>,
{
    let mut trail = Vec::with_capacity(32);
    while id != StateId::NONE {
        if trail.len() == table.len() {
            return Err(SearchError::ParentCycle { states: table.len() });
        }
        trail.push(id);
        id = table.load(id).parent();
    }
    Ok(trail)
}

/// The path to a stored state.
#[cold]
#[inline(never)]
fn path_to<P, T>(
    problem: &P,
    table: &T,
    id: Id<P, T>,
    (steps, action): (Trail, Option<&P::Action>),
) -> Result<Option<PathOf<P>>, SearchError<P::Cost>>
where
    P: SearchProblem,
    T: TableFor<P::State, P::Cost>,
{
    let mut trail = trail::<P, T>(table, id)?;
    let states = trail.len();
    let start_cost = match trail.last() {
        Some(&start) => table.load(start).g(),
        None => P::Cost::ZERO,
    };
    let follows = matches!(steps, Trail::Costs) && !T::CLOSES;
    let mut before: Option<T::Record> = None;
    let mut next = |()| {
        let id = trail.pop()?;
        let record = table.load(id);
        let state = table.with_state(id, Clone::clone);
        let mut given = Given::Nothing;
        // A closed state has passed its cost on. An open one may have become cheaper since.
        if follows
            && let Some(before) = before
            && before.is_closed()
            && let Some(step) = record.g().checked_sub(before.g())
        {
            given = Given::Step(step);
        }
        before = Some(record);
        Some((state, given))
    };
    Ok(Path::through_given(problem, (&mut next, states), start_cost, action)?)
}

/// The stored state with the least key, among equals with the least g. Asks for the key of every state that is
/// stored.
#[cold]
pub(in crate::engine) fn closest_by<P, T, K: PartialOrd>(
    table: &T,
    mut key: impl FnMut(&P::State) -> K,
) -> Option<Id<P, T>>
where
    P: SearchProblem,
    T: TableFor<P::State, P::Cost>,
{
    let mut closest: Option<(K, P::Cost, Id<P, T>)> = None;
    table.for_each(|id, state, record| {
        let (key, g) = (key(state), record.g());
        let is_closer = closest
            .as_ref()
            .is_none_or(|(least, least_g, _)| key < *least || (key == *least && g < *least_g));
        if is_closer {
            closest = Some((key, g, id));
        }
    });
    closest.map(|(_, _, id)| id)
}
