//! The serialised form of a path; [`StoredPath`] is that before it is checked.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::{Path, PathError};
use crate::cost::Cost;

/// The stored fields of a [`Path`].
#[derive(serde::Deserialize)]
#[serde(rename = "Path")]
pub(super) struct StoredPath<S, A, C> {
    start_cost: C,
    states: Vec<S>,
    actions: Vec<A>,
    step_costs: Vec<C>,
}

impl<S: Serialize, A: Serialize, C: Serialize> Serialize for Path<S, A, C> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        let mut fields = serializer.serialize_struct("Path", 4)?;
        fields.serialize_field("start_cost", &self.start_cost)?;
        fields.serialize_field("states", &self.states)?;
        fields.serialize_field("actions", &self.actions)?;
        fields.serialize_field("step_costs", &self.step_costs.list(self.actions.len()))?;
        fields.end()
    }
}

/// An error in the stored fields.
#[derive(Debug)]
pub(super) enum StoredPathError<C> {
    Lengths { states: usize, actions: usize, step_costs: usize },
    StartCost { cost: C },
    StepCost { step: usize, cost: C },
    Sum(PathError<C>),
}

impl<S, A, C: Cost> TryFrom<StoredPath<S, A, C>> for Path<S, A, C> {
    type Error = StoredPathError<C>;

    fn try_from(stored: StoredPath<S, A, C>) -> Result<Self, StoredPathError<C>> {
        let StoredPath { start_cost, states, actions, step_costs } = stored;
        let (steps, costs) = (actions.len(), step_costs.len());
        let lengths =
            StoredPathError::Lengths { states: states.len(), actions: steps, step_costs: costs };
        if costs != steps || states.len().checked_sub(1) != Some(steps) {
            return Err(lengths);
        }
        // As in a search, NaN is an error.
        if !start_cost.is_step() {
            return Err(StoredPathError::StartCost { cost: start_cost });
        }
        let mut states = states.into_iter();
        let Some(start) = states.next() else { return Err(lengths) };
        let mut path = Self::with_capacity(start, start_cost, steps);
        for (step, ((action, state), cost)) in
            actions.into_iter().zip(states).zip(step_costs).enumerate()
        {
            if !cost.is_step() {
                return Err(StoredPathError::StepCost { step, cost });
            }
            path.push(action, state, cost).map_err(StoredPathError::Sum)?;
        }
        Ok(path)
    }
}

impl<C: fmt::Debug> fmt::Display for StoredPathError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lengths { states, actions, step_costs } => write!(
                f,
                "a path with {states} states, {actions} actions and {step_costs} costs of steps; there must be \
                 one state more than actions, and as many costs as actions"
            ),
            Self::StartCost { cost } => {
                write!(f, "the start costs {cost:?}; costs must be numbers and not negative")
            }
            Self::StepCost { step, cost } => {
                write!(f, "step {step} costs {cost:?}; costs must be numbers and not negative")
            }
            Self::Sum(fault) => fault.fmt(f),
        }
    }
}

#[cfg(all(test, feature = "ordered-float"))]
mod tests {
    use ordered_float::OrderedFloat;

    use super::*;

    /// The order of `OrderedFloat` includes NaN.
    #[test]
    fn what_is_no_number_is_refused_in_every_order() {
        let read = |start_cost, step| {
            let [start_cost, step] = [start_cost, step].map(OrderedFloat);
            let (states, actions, step_costs) = (vec![1, 2], vec!['a'], vec![step]);
            Path::try_from(StoredPath { start_cost, states, actions, step_costs })
        };
        assert!(read(0.0, 1.5).is_ok());
        assert!(matches!(read(f64::NAN, 1.5), Err(StoredPathError::StartCost { .. })));
        assert!(matches!(read(0.0, f64::NAN), Err(StoredPathError::StepCost { step: 0, .. })));
        assert!(matches!(read(-0.5, 1.5), Err(StoredPathError::StartCost { .. })));
    }
}
