//! [`Steps`]: the steps of a path in order; iterators over paths, and paths as text.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::Range;

use super::{Path, Step};
use crate::cost::Cost;

/// The steps of a [`Path`] in order; see [`Path::steps`].
#[derive(Clone, Debug)]
pub struct Steps<'a, S, A, C> {
    path: &'a Path<S, A, C>,
    left: Range<usize>,
}

impl<S, A, C: Cost> Path<S, A, C> {
    /// Returns all steps in order. `for step in &path` does the same.
    pub fn steps(&self) -> Steps<'_, S, A, C> {
        Steps { path: self, left: 0..self.actions.len() }
    }

    /// Returns all states in order, by value: one more than the number of steps.
    ///
    /// ```
    /// let near = |&n: &u32| [(n + 1, 1_u32), (n * 2, 1)];
    /// let report = bestfirst::solve(2_u32, near, |_| 0, |&n| n == 9)?;
    /// let path = report.into_path().expect("9 can be reached");
    /// assert_eq!(path.to_string(), "2 → 4 → 8 → 9, cost 3");
    /// for step in &path {
    ///     assert!(step.from < step.to);
    /// }
    /// assert_eq!(path.into_states(), [2, 4, 8, 9]);
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    #[must_use]
    pub fn into_states(self) -> Vec<S> {
        self.states
    }
}

impl<'a, S, A, C: Cost> Steps<'a, S, A, C> {
    fn at(&self, index: usize) -> Step<'a, S, A, C> {
        let Path { states, actions, step_costs, .. } = self.path;
        let (from, to) = (&states[index], &states[index + 1]);
        Step { from, action: &actions[index], to, cost: *step_costs.get(index) }
    }
}

impl<'a, S, A, C: Cost> Iterator for Steps<'a, S, A, C> {
    type Item = Step<'a, S, A, C>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left.next().map(|index| self.at(index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl<S, A, C: Cost> DoubleEndedIterator for Steps<'_, S, A, C> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.left.next_back().map(|index| self.at(index))
    }
}

impl<S, A, C: Cost> ExactSizeIterator for Steps<'_, S, A, C> {}

impl<S, A, C: Cost> FusedIterator for Steps<'_, S, A, C> {}

#[expect(clippy::into_iter_without_iter, reason = "`steps` says what is iterated over")]
impl<'a, S, A, C: Cost> IntoIterator for &'a Path<S, A, C> {
    type Item = Step<'a, S, A, C>;
    type IntoIter = Steps<'a, S, A, C>;

    fn into_iter(self) -> Self::IntoIter {
        self.steps()
    }
}

/// The states by value, in order.
impl<S, A, C> IntoIterator for Path<S, A, C> {
    type Item = S;
    type IntoIter = std::vec::IntoIter<S>;

    fn into_iter(self) -> Self::IntoIter {
        self.states.into_iter()
    }
}

/// Writes the states with arrows between them, and the cost: `2 → 4 → 8, cost 2`.
impl<S: fmt::Display, A, C: fmt::Display> fmt::Display for Path<S, A, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, state) in self.states.iter().enumerate() {
            write!(f, "{}{state}", if index > 0 { " → " } else { "" })?;
        }
        write!(f, ", cost {}", self.cost)
    }
}

impl<S: fmt::Debug, A: fmt::Debug, C: fmt::Debug> fmt::Debug for Path<S, A, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start_cost, states, actions, step_costs, cost } = self;
        f.debug_struct("Path")
            .field("start_cost", start_cost)
            .field("states", states)
            .field("actions", actions)
            .field("step_costs", &step_costs.list(actions.len()))
            .field("cost", cost)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_from_both_ends() {
        let mut path = Path::at('a', 1_u8);
        path.push((), 'b', 2).unwrap();
        path.push((), 'c', 3).unwrap();
        let costs = |steps: &mut dyn Iterator<Item = Step<'_, char, (), u8>>| {
            steps.map(|step| step.cost).collect::<Vec<_>>()
        };
        assert_eq!(costs(&mut path.steps()), [2, 3]);
        assert_eq!(costs(&mut path.steps().rev()), [3, 2]);
        let mut steps = path.steps();
        assert_eq!((steps.len(), steps.next().map(|step| *step.to)), (2, Some('b')));
        assert_eq!((steps.len(), steps.next_back().map(|step| *step.from)), (1, Some('b')));
        assert!(steps.next().is_none() && steps.next_back().is_none());
        assert_eq!(path.to_string(), "a → b → c, cost 6");
        let fields = "start_cost: 1, states: ['a', 'b', 'c'], actions: [(), ()], step_costs: [2, 3], cost: 6";
        assert_eq!(format!("{path:?}"), format!("Path {{ {fields} }}"));
        assert_eq!(Path::<_, (), _>::at(7, 0.5).to_string(), "7, cost 0.5");
        assert!(path.clone().into_iter().eq(path.into_states()));
    }
}
