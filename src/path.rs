//! [`Path`]: a path from a start to a goal, with its states, actions and costs.

mod step_costs;
mod steps;
#[cfg(feature = "serde")]
mod stored;

pub(crate) use step_costs::StepCosts;
pub use steps::Steps;

use std::fmt;

use crate::callback::Callback;
use crate::cost::Cost;
use crate::indexed::at;
use crate::problem::{SearchProblem, Successor, SuccessorBuffer, generate};

/// A path from a start to a goal: its states, the actions between them, and the costs of the steps.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, astar};
///
/// let problem = FnProblem::new(
///     |&n: &u32| [(n + 1, 1_u32), (n * 2, 4)],
///     |&n: &u32| u32::from(n != 7),
///     |&n: &u32| n == 7,
/// );
/// let report = astar(&problem, 2)?;
/// let path = report.path().expect("7 can be reached");
/// assert_eq!(path.states(), [2, 3, 4, 5, 6, 7]);
/// assert_eq!((path.cost(), path.len()), (5, 5));
/// assert!(path.steps().all(|step| step.cost == 1 && *step.to == step.from + 1));
/// assert_eq!(path.verify(&problem), Ok(()));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
///
/// # Serialised
///
/// With the feature `serde`, a path is stored as its `start_cost`, `states`, `actions` and `step_costs`; the cost of the
/// whole path is their sum. Reading fails if the lengths do not match, a cost is negative, or the sum is too large for
/// the cost type. [`verify`](Self::verify) checks that it is a path of a problem.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize),
    serde(try_from = "stored::StoredPath<S, A, C>"),
    serde(bound(
        deserialize = "S: serde::Deserialize<'de>, A: serde::Deserialize<'de>, C: Cost + serde::Deserialize<'de>"
    ))
)]
pub struct Path<S, A, C> {
    start_cost: C,
    states: Vec<S>,
    actions: Vec<A>,
    step_costs: StepCosts<C>,
    cost: C,
}

/// The type of the paths of a problem `P`.
pub type PathOf<P> =
    Path<<P as SearchProblem>::State, <P as SearchProblem>::Action, <P as SearchProblem>::Cost>;

/// One step of a [`Path`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step<'a, S, A, C> {
    /// The state that the step leaves.
    pub from: &'a S,
    /// The action.
    pub action: &'a A,
    /// The state that the step leads to.
    pub to: &'a S,
    /// The cost of the step. If the costs of all steps of a path are equal by `==`, it is that of the first one.
    pub cost: C,
}

/// What is known of the step to a state of a path whose actions are not known.
#[derive(Clone, Copy)]
pub(crate) enum Given<C> {
    Nothing,
    /// Its cost.
    Step(C),
    /// The cost of the path up to that state.
    Sum(C),
}

/// Returns the next state of a path, and what is known of the step to it.
pub(crate) type NextState<'f, S, C> = &'f mut dyn Callback<(), Option<(S, Given<C>)>>;

/// Generates the successors of a state into a buffer.
type Generate<'f, S, A, C> =
    &'f mut dyn for<'s> Callback<(&'s S, &'s mut SuccessorBuffer<S, A, C>)>;

impl<S, A, C: Cost> Path<S, A, C> {
    /// Creates a path without steps, with the only state `start` and cost `start_cost`.
    pub fn at(start: S, start_cost: C) -> Self {
        Self {
            start_cost,
            states: vec![start],
            actions: Vec::new(),
            step_costs: StepCosts::NONE,
            cost: start_cost,
        }
    }

    /// Like [`at`](Self::at), with capacity for `steps` actions and the states between them.
    pub(crate) fn with_capacity(start: S, start_cost: C, steps: usize) -> Self {
        let mut path = Self {
            start_cost,
            states: Vec::new(),
            actions: Vec::new(),
            step_costs: StepCosts::NONE,
            cost: start_cost,
        };
        path.states.reserve(steps + 1);
        path.actions.reserve(steps);
        path.states.push(start);
        path
    }

    /// Adds a step at the end.
    ///
    /// # Errors
    ///
    /// [`PathError::Overflow`] if the cost of the path no longer fits into its type; the path is then unchanged.
    pub fn push(&mut self, action: A, state: S, cost: C) -> Result<(), PathError<C>> {
        let sum = self.cost.checked_add(cost).ok_or(PathError::Overflow {
            step: self.len(),
            sum: self.cost,
            cost,
        })?;
        self.states.push(state);
        self.step_costs.push(cost, self.actions.len());
        self.actions.push(action);
        self.cost = sum;
        Ok(())
    }

    /// Returns the cost of the path: that of the start plus those of all steps.
    #[must_use]
    pub fn cost(&self) -> C {
        self.cost
    }

    /// Returns the cost of the start that was given to the search; zero by default.
    #[must_use]
    pub fn start_cost(&self) -> C {
        self.start_cost
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether the path has no steps, so that its start is its end.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Returns the first state.
    #[must_use]
    pub fn start(&self) -> &S {
        &self.states[0]
    }

    /// Returns the last state.
    #[must_use]
    pub fn end(&self) -> &S {
        at(&self.states, self.states.len() - 1)
    }

    /// Returns all states in order: one more than the number of steps.
    #[must_use]
    pub fn states(&self) -> &[S] {
        &self.states
    }

    /// Returns all actions in order.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = &A> + DoubleEndedIterator {
        self.actions.iter()
    }
}

impl<S: Clone, A: Clone, C: Cost> Path<S, A, C> {
    /// Creates the path through `states` by `actions`, which are given from its end to its start; `step_costs` are given from
    /// the first step on. `cost` is the sum of these and of `start_cost`.
    pub(crate) fn reversed(
        states: &[S],
        actions: &[A],
        step_costs: StepCosts<C>,
        (start_cost, cost): (C, C),
    ) -> Self {
        Self {
            start_cost,
            states: states.iter().rev().cloned().collect(),
            actions: actions.iter().rev().cloned().collect(),
            step_costs,
            cost,
        }
    }
}

impl<S: Clone + Eq, A: Clone, C: Cost> Path<S, A, C> {
    /// Replays the path on `problem`: each state must have the next one as a successor at the cost of
    /// that step, the costs must add up to the cost of the path, and the last state must be a goal.
    /// Actions are not compared.
    ///
    /// Takes one expansion for each step.
    ///
    /// # Errors
    ///
    /// A [`PathError`] that names the first wrong step.
    pub fn verify<P>(&self, problem: &P) -> Result<(), PathError<C>>
    where
        P: SearchProblem<State = S, Action = A, Cost = C> + ?Sized,
        S: std::hash::Hash,
    {
        let mut next = SuccessorBuffer::new();
        let mut sum = self.start_cost;
        for (i, step) in self.steps().enumerate() {
            next.clear();
            generate(problem, step.from, &mut next);
            let mut leads_there = false;
            let mut costs_that = false;
            for successor in next.as_slice() {
                if successor.state == *step.to {
                    leads_there = true;
                    costs_that |= successor.cost == step.cost;
                }
            }
            if !leads_there {
                return Err(PathError::NoSuchStep { step: i });
            }
            if !costs_that {
                return Err(PathError::WrongStepCost { step: i, stated: step.cost });
            }
            sum = sum.checked_add(step.cost).ok_or(PathError::Overflow {
                step: i,
                sum,
                cost: step.cost,
            })?;
        }
        if sum != self.cost {
            return Err(PathError::WrongSum { stated: self.cost, sum });
        }
        if !problem.is_goal(self.end()) {
            return Err(PathError::NotAGoal);
        }
        Ok(())
    }

    /// Returns the path through `states`. Of several actions that lead to the next state, it takes the cheapest one,
    /// the first among equals. Negative costs are skipped: a search that meets one ends with an error, so no path has
    /// one.
    ///
    /// # Errors
    ///
    /// [`PathError::NoSuchStep`] if a state is no successor of the one before it: the problem did not
    /// push the same successors twice.
    pub(crate) fn through<P>(
        problem: &P,
        mut states: impl Iterator<Item = S>,
        start_cost: C,
    ) -> Result<Option<Self>, PathError<C>>
    where
        P: SearchProblem<State = S, Action = A, Cost = C> + ?Sized,
        S: std::hash::Hash,
    {
        let steps = states.size_hint().0;
        let states = &mut |()| Some((states.next()?, Given::Nothing));
        Self::through_given(problem, (states, steps), start_cost, None)
    }

    /// Like [`through`](Self::through), with the cost of the path up to each state: of several actions that lead to the
    /// next state, it takes one of the matching cost.
    pub(crate) fn through_costs<P>(
        problem: &P,
        mut states: impl Iterator<Item = (S, C)>,
        start_cost: C,
    ) -> Result<Option<Self>, PathError<C>>
    where
        P: SearchProblem<State = S, Action = A, Cost = C> + ?Sized,
        S: std::hash::Hash,
    {
        let steps = states.size_hint().0;
        let states = &mut |()| states.next().map(|(state, sum)| (state, Given::Sum(sum)));
        Self::through_given(problem, (states, steps), start_cost, None)
    }

    /// Like [`through`](Self::through), with what is known of the step to each state. If actions have no size, the
    /// successors of a state are generated only where the cost of the step is not known, and once if no action is.
    pub(crate) fn through_given<P>(
        problem: &P,
        states: (NextState<'_, S, C>, usize),
        start_cost: C,
        action: Option<&A>,
    ) -> Result<Option<Self>, PathError<C>>
    where
        P: SearchProblem<State = S, Action = A, Cost = C> + ?Sized,
        S: std::hash::Hash,
    {
        let successors = &mut |(state, next): (&S, &mut SuccessorBuffer<S, A, C>)| {
            generate(problem, state, next);
        };
        Self::through_states(successors, states, start_cost, action)
    }

    /// Builds the path, with `steps` as a guess of its length. One copy serves all engines and problems with these types.
    #[cold]
    fn through_states(
        successors: Generate<'_, S, A, C>,
        (states, steps): (NextState<'_, S, C>, usize),
        start_cost: C,
        any: Option<&A>,
    ) -> Result<Option<Self>, PathError<C>> {
        let Some((start, _)) = states.call(()) else { return Ok(None) };
        let mut path = Self::with_capacity(start, start_cost, steps);
        let mut next = SuccessorBuffer::new();
        while let Some((state, given)) = states.call(()) {
            let (action, cost) = match (given, any.or(path.actions.last())) {
                // A type without size has one value.
                (Given::Step(cost), Some(action)) if size_of::<A>() == 0 => (action.clone(), cost),
                _ => {
                    next.clear();
                    successors.call((path.end(), &mut next));
                    match cheapest_to(&state, given, path.cost, next.as_slice()) {
                        Some(step) => (step.action.clone(), step.cost),
                        None => return Err(PathError::NoSuchStep { step: path.len() }),
                    }
                }
            };
            path.push(action, state, cost)?;
        }
        Ok(Some(path))
    }
}

/// Returns the cheapest of the steps to a state that agree with what is given, the first among equals.
fn cheapest_to<'s, S: Eq, A, C: Cost>(
    state: &S,
    given: Given<C>,
    before: C,
    successors: &'s [Successor<S, A, C>],
) -> Option<&'s Successor<S, A, C>> {
    let mut cheapest: Option<&Successor<S, A, C>> = None;
    for successor in successors {
        let cost = successor.cost;
        let makes_it_so = match given {
            Given::Sum(sum) => before.checked_add(cost) == Some(sum),
            Given::Step(_) | Given::Nothing => true,
        };
        if !makes_it_so || successor.state != *state || !cost.is_step() {
            continue;
        }
        if cheapest.is_none_or(|best| cost < best.cost) {
            cheapest = Some(successor);
        }
    }
    cheapest
}

/// An error in a [`Path`]. Steps are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError<C> {
    /// This step leads to a state that is not a successor of the state before it.
    NoSuchStep {
        /// The number of the step.
        step: usize,
    },
    /// The state is a successor of the one before it, but not at this cost.
    WrongStepCost {
        /// The number of the step.
        step: usize,
        /// The stated cost of the step.
        stated: C,
    },
    /// The costs of the steps do not add up to the cost of the path.
    WrongSum {
        /// The stated cost of the path.
        stated: C,
        /// The sum of the costs of its steps and of its start.
        sum: C,
    },
    /// The cost of the path does not fit into its type.
    Overflow {
        /// The number of the step.
        step: usize,
        /// The sum before it.
        sum: C,
        /// The cost of the step.
        cost: C,
    },
    /// The last state is not a goal.
    NotAGoal,
}

impl<C: fmt::Debug> fmt::Display for PathError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchStep { step } => write_values(
                f,
                &["step ", " leads to a state that is not a successor of the one before it"],
                &[step],
            ),
            Self::WrongStepCost { step, stated } => {
                write_values(f, &["step ", " exists, but not at the cost ", ""], &[step, stated])
            }
            Self::WrongSum { stated, sum } => write_values(
                f,
                &["the cost of the path is stated as ", ", but its steps add up to ", ""],
                &[stated, sum],
            ),
            Self::Overflow { step, sum, cost } => write_values(
                f,
                &["step ", ": ", " + ", " does not fit into the cost type"],
                &[step, sum, cost],
            ),
            Self::NotAGoal => f.write_str("the last state is not a goal"),
        }
    }
}

impl<C: fmt::Debug> std::error::Error for PathError<C> {}

/// Writes texts with a value after each but the last. One copy serves all cost types.
pub(crate) fn write_values(
    f: &mut fmt::Formatter<'_>,
    texts: &[&str],
    values: &[&dyn fmt::Debug],
) -> fmt::Result {
    for (at, text) in texts.iter().enumerate() {
        f.write_str(text)?;
        if let Some(value) = values.get(at) {
            // Ignores the formatter's options, such as width and alternate form.
            write!(f, "{value:?}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FnProblem;

    fn line() -> impl SearchProblem<State = u8, Action = (), Cost = u8> {
        FnProblem::new(|&n: &u8| [(n + 1, 2_u8), (n + 1, 3)], |_: &u8| 0, |&n: &u8| n == 2)
    }

    fn path(steps: &[(u8, u8)]) -> Path<u8, (), u8> {
        let mut path = Path::at(0, 0);
        for &(state, cost) in steps {
            path.push((), state, cost).unwrap();
        }
        path
    }

    #[test]
    fn a_correct_path_verifies() {
        assert_eq!(path(&[(1, 2), (2, 3)]).verify(&line()), Ok(()));
        assert_eq!(path(&[(1, 2), (2, 2)]).cost(), 4);
    }

    #[test]
    fn paths_of_what_has_no_size_have_different_costs() {
        let mut path = Path::at((), 0_u8);
        for cost in [1, 1, 2, 3] {
            path.push((), (), cost).unwrap();
        }
        assert!(path.steps().map(|step| step.cost).eq([1, 1, 2, 3]));
        assert_eq!((path.cost(), path.len()), (7, 4));
    }

    #[test]
    fn every_error_is_detected() {
        assert_eq!(path(&[(1, 2)]).verify(&line()), Err(PathError::NotAGoal));
        assert_eq!(path(&[(2, 2)]).verify(&line()), Err(PathError::NoSuchStep { step: 0 }));
        assert_eq!(
            path(&[(1, 2), (2, 1)]).verify(&line()),
            Err(PathError::WrongStepCost { step: 1, stated: 1 })
        );
        let mut wrong = path(&[(1, 2), (2, 2)]);
        wrong.cost = 5;
        assert_eq!(wrong.verify(&line()), Err(PathError::WrongSum { stated: 5, sum: 4 }));
        let mut long = path(&[(1, 250)]);
        assert_eq!(long.push((), 2, 6), Err(PathError::Overflow { step: 1, sum: 250, cost: 6 }));
        assert_eq!(long.len(), 1);
    }

    #[test]
    fn the_cheapest_of_parallel_edges_is_taken() {
        let found = Path::through(&line(), [0, 1, 2].into_iter(), 1);
        assert_eq!(found.unwrap().unwrap().cost(), 5);
        let lies =
            FnProblem::new(|&n: &u8| [(n + 1, 2_i8), (n + 1, -3)], |_: &u8| 0, |&n: &u8| n == 2);
        let found = Path::through(&lies, [0, 1, 2].into_iter(), 1);
        assert_eq!(found.unwrap().unwrap().cost(), 5);
    }

    #[test]
    fn of_parallel_edges_that_cost_the_same_the_first_is_taken() {
        struct Twice;
        impl SearchProblem for Twice {
            type State = u8;
            type Action = char;
            type Cost = u8;
            fn successors(&self, &n: &u8, next: &mut crate::problem::Successors<Self>) {
                for (action, cost) in [('a', 2), ('b', 1), ('c', 1)] {
                    next.push(action, n + 1, cost);
                }
            }
            fn is_goal(&self, &n: &u8) -> bool {
                n == 2
            }
        }
        let found = Path::through(&Twice, [0, 1, 2].into_iter(), 0).unwrap().unwrap();
        assert!(found.actions().eq(&['b', 'b']));
        assert!(!found.is_empty() && Path::<u8, (), u8>::at(0, 0).is_empty());
    }

    #[test]
    fn error_messages_contain_the_values() {
        let says = |error: PathError<u8>| error.to_string();
        assert!(says(PathError::NoSuchStep { step: 3 }).starts_with("step 3 "));
        assert!(says(PathError::WrongStepCost { step: 3, stated: 77 }).contains("77"));
        assert!(says(PathError::WrongSum { stated: 77, sum: 88 }).contains("88"));
        assert!(says(PathError::Overflow { step: 3, sum: 250, cost: 9 }).contains("250 + 9"));
        assert_eq!(says(PathError::NotAGoal), "the last state is not a goal");
    }
}
