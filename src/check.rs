//! Checks for a problem's own tests: is a path real, a heuristic consistent, a bound a lower bound?
//!
//! Engines take a problem at its word, as checking it all the time would cost more than searching.
//! These functions do not: they look at what a problem says and name the first thing that cannot be,
//! with its numbers. [`Checked`] does the same during a search.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::OnceLock;

use crate::cost::Cost;
use crate::problem::InPlaceProblem;
use crate::path::{PathError, PathOf};
use crate::problem::{DenseStates, SearchProblem, SuccessorBuffer, Successors};

/// Replays `path`: every step must be there at its cost, the costs must add up, and the end must be a
/// goal. The same as [`Path::verify`](crate::Path::verify).
///
/// # Errors
///
/// A [`PathError`] that names the first step at fault.
pub fn path<P: SearchProblem>(problem: &P, path: &PathOf<P>) -> Result<(), PathError<P::Cost>> {
    path.verify(problem)
}

/// Checks that the heuristic is consistent at each of `states`: that for every step from them,
/// *h(from) ≤ cost + h(to)*, where *h* of a goal is zero. Returns how many steps it looked at.
///
/// A heuristic that is consistent everywhere, and zero at goals, never overestimates, and A* then
/// expands no state twice. Takes one expansion for each state and a heuristic value for each step.
///
/// # Errors
///
/// The first [`Fault`].
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, check};
///
/// let h = |&n: &u32| if n == 3 { 9 } else { 10 - n };
/// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], h, |&n: &u32| n == 10);
/// assert_eq!(check::consistent(&line, 4..10), Ok(6));
///
/// let fault = check::consistent(&line, 0..10).unwrap_err();
/// assert_eq!(
///     fault.to_string(),
///     "inconsistent: h(3) = 9, but a step to 4 costs 1 and h(4) = 6"
/// );
/// ```
pub fn consistent<P: SearchProblem>(
    problem: &P,
    states: impl IntoIterator<Item = P::State>,
) -> Result<u64, Fault<P::State, P::Cost>> {
    let mut next = SuccessorBuffer::new();
    let mut steps = 0;
    for state in states {
        next.clear();
        problem.successors(&state, &mut next);
        check_steps(problem, &state, &next, 0)?;
        steps += next.len() as u64;
    }
    Ok(steps)
}

/// Checks that the heuristic never overestimates: explores the states that can be reached from
/// `start`, `limit` of them at most, finds out what it costs to get from each to a goal, and compares.
/// Returns how many states it looked at.
///
/// If there are more states than `limit`, ways that lead outside are not known: then a fault is a
/// fault all the same, but that there is none proves nothing. Takes memory for all states and steps.
///
/// # Errors
///
/// The first [`Fault`], in the order in which the states are found breadth first.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, check};
///
/// let steps = |&n: &u32| [((n + 1) % 10, 2_u32), ((n + 3) % 10, 3)];
/// let good = FnProblem::new(steps, |&n: &u32| 9 - n, |&n: &u32| n == 9);
/// assert_eq!(check::admissible(&good, 0, 1000), Ok(10));
///
/// let bad = FnProblem::new(steps, |&n: &u32| 2 * (9 - n), |&n: &u32| n == 9);
/// let fault = check::admissible(&bad, 0, 1000).unwrap_err();
/// assert_eq!(fault.to_string(), "overestimate: h(0) = 18, but a goal is reached from there for 9");
/// ```
pub fn admissible<P: SearchProblem>(
    problem: &P,
    start: P::State,
    limit: usize,
) -> Result<usize, Fault<P::State, P::Cost>> {
    let mut ids = HashMap::from([(start.clone(), 0)]);
    let mut states = vec![start];
    // Of each state, the states before it and what the step costs.
    let mut before: Vec<Vec<(usize, P::Cost)>> = vec![Vec::new()];
    let mut next = SuccessorBuffer::new();
    let mut at = 0;
    while at < states.len() {
        next.clear();
        problem.successors(&states[at], &mut next);
        for successor in next.drain() {
            check_step(&states[at], &successor.state, successor.cost)?;
            let id = match ids.get(&successor.state) {
                Some(&id) => id,
                None if states.len() >= limit => continue,
                None => {
                    ids.insert(successor.state.clone(), states.len());
                    states.push(successor.state);
                    before.push(Vec::new());
                    states.len() - 1
                }
            };
            before[id].push((at, successor.cost));
        }
        at += 1;
    }
    let rest = costs_to_goals(problem, &states, &before);
    for (state, rest) in states.iter().zip(rest) {
        let h = sound_heuristic(problem, state)?;
        if let Some(cost) = rest
            && h.exceeds(cost)
        {
            return Err(Fault::Overestimate { state: state.clone(), h, cost });
        }
    }
    Ok(states.len())
}

/// The cheapest way from each state to a goal, by going backwards until nothing changes.
fn costs_to_goals<P: SearchProblem>(
    problem: &P,
    states: &[P::State],
    before: &[Vec<(usize, P::Cost)>],
) -> Vec<Option<P::Cost>> {
    let is_goal = |state| problem.is_goal(state).then_some(P::Cost::ZERO);
    let mut rest: Vec<_> = states.iter().map(is_goal).collect();
    let mut changed: VecDeque<_> = (0..states.len()).filter(|&id| rest[id].is_some()).collect();
    while let Some(id) = changed.pop_front() {
        for &(from, step) in &before[id] {
            let by_way = rest[id].and_then(|rest| step.checked_add(rest));
            if let Some(cost) = by_way
                && rest[from].is_none_or(|old| cost < old)
            {
                rest[from] = Some(cost);
                changed.push_back(from);
            }
        }
    }
    rest
}

/// What is wrong with a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault<S, C> {
    /// A step costs less than nothing, or its cost is not a number.
    Step {
        /// The state that it leaves.
        from: S,
        /// The state that it leads to.
        to: S,
        /// What it costs.
        cost: C,
    },
    /// A heuristic value is not a number.
    NotANumber {
        /// The state.
        state: S,
        /// The value.
        h: C,
    },
    /// The heuristic falls by more than a step costs.
    Inconsistent {
        /// The state that the step leaves.
        from: S,
        /// The heuristic value there.
        h_from: C,
        /// The state that it leads to.
        to: S,
        /// The heuristic value there; zero at a goal.
        h_to: C,
        /// What the step costs.
        cost: C,
    },
    /// The heuristic is larger than what it costs to reach a goal.
    Overestimate {
        /// The state.
        state: S,
        /// The heuristic value there.
        h: C,
        /// The cost of a way to a goal.
        cost: C,
    },
}

impl<S: fmt::Debug, C: fmt::Debug> fmt::Display for Fault<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step { from, to, cost } => write!(
                f,
                "the step from {from:?} to {to:?} costs {cost:?}; costs must be numbers, and not \
                 negative"
            ),
            Self::NotANumber { state, h } => write!(f, "h({state:?}) = {h:?}, which is no number"),
            Self::Inconsistent { from, h_from, to, h_to, cost } => write!(
                f,
                "inconsistent: h({from:?}) = {h_from:?}, but a step to {to:?} costs {cost:?} and \
                 h({to:?}) = {h_to:?}"
            ),
            Self::Overestimate { state, h, cost } => write!(
                f,
                "overestimate: h({state:?}) = {h:?}, but a goal is reached from there for {cost:?}"
            ),
        }
    }
}

impl<S: fmt::Debug, C: fmt::Debug> std::error::Error for Fault<S, C> {}

/// The same problem, checked as it is searched: every step that is generated must cost a number that
/// is not negative, and the heuristic must be consistent along it.
///
/// The search goes on in any case; the first [`Fault`] is kept, to be asked for afterwards. It costs
/// a heuristic value more for every step.
///
/// ```
/// use bestfirst::check::{Checked, Fault};
/// use bestfirst::{FnProblem, astar};
///
/// let h = |&n: &u32| if n == 3 { 9 } else { 10 - n };
/// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], h, |&n: &u32| n == 10);
/// let checked = Checked::new(&line);
/// assert_eq!(astar(&checked, 0)?.cost(), Some(10));
/// assert!(matches!(checked.fault(), Some(Fault::Inconsistent { from: 3, h_from: 9, .. })));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub struct Checked<P: SearchProblem> {
    problem: P,
    fault: OnceLock<Fault<P::State, P::Cost>>,
}

impl<P: SearchProblem> Checked<P> {
    /// Wraps `problem`, or a reference to it.
    #[must_use]
    pub fn new(problem: P) -> Self {
        Self { problem, fault: OnceLock::new() }
    }

    /// The first fault seen so far.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault<P::State, P::Cost>> {
        self.fault.get()
    }

    fn note(&self, outcome: Result<(), Fault<P::State, P::Cost>>) {
        if let Err(fault) = outcome {
            // Only the first is kept.
            let _ = self.fault.set(fault);
        }
    }
}

impl<P: SearchProblem> SearchProblem for Checked<P> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn successors(&self, state: &P::State, next: &mut Successors<Self>) {
        let before = next.len();
        self.problem.successors(state, next);
        self.note(check_steps(&self.problem, state, next, before));
    }

    fn heuristic(&self, state: &P::State) -> P::Cost {
        let h = self.problem.heuristic(state);
        if h.partial_cmp(&P::Cost::ZERO).is_none() {
            self.note(Err(Fault::NotANumber { state: state.clone(), h }));
        }
        h
    }

    fn is_goal(&self, state: &P::State) -> bool {
        self.problem.is_goal(state)
    }
}

impl<P: DenseStates> DenseStates for Checked<P> {
    fn state_count(&self) -> usize {
        self.problem.state_count()
    }

    fn state_index(&self, state: &P::State) -> usize {
        self.problem.state_index(state)
    }

    fn state_at(&self, index: usize) -> P::State {
        self.problem.state_at(index)
    }
}

impl<P: InPlaceProblem> InPlaceProblem for Checked<P> {
    type Actions = P::Actions;
    type Undo = P::Undo;

    fn actions(&self, state: &P::State) -> P::Actions {
        self.problem.actions(state)
    }

    fn apply(&self, state: &mut P::State, action: &P::Action) -> (P::Cost, P::Undo) {
        let from = state.clone();
        let (cost, undo) = self.problem.apply(state, action);
        self.note(check_step(&from, state, cost));
        self.note(sound_heuristic(&self.problem, &from).and_then(|h_from| {
            let h_to = sound_heuristic(&self.problem, state)?;
            check_consistency((&from, h_from), (state, h_to), cost)
        }));
        (cost, undo)
    }

    fn undo(&self, state: &mut P::State, undo: P::Undo) {
        self.problem.undo(state, undo);
    }

    fn inverse(&self, state: &P::State, action: &P::Action) -> Option<P::Action> {
        self.problem.inverse(state, action)
    }
}

impl<P: SearchProblem + fmt::Debug> fmt::Debug for Checked<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checked")
            .field("problem", &self.problem)
            .field("has_fault", &self.fault.get().is_some())
            .finish()
    }
}

/// Looks at the steps from `from`, those in the buffer from `first` on.
fn check_steps<P: SearchProblem>(
    problem: &P,
    from: &P::State,
    next: &Successors<P>,
    first: usize,
) -> Result<(), Fault<P::State, P::Cost>> {
    let h_from = sound_heuristic(problem, from)?;
    for successor in next.as_slice().iter().skip(first) {
        check_step(from, &successor.state, successor.cost)?;
        let h_to = sound_heuristic(problem, &successor.state)?;
        check_consistency((from, h_from), (&successor.state, h_to), successor.cost)?;
    }
    Ok(())
}

/// Whether a step costs what a step may cost. Written so that NaN is caught as well.
fn check_step<S: Clone, C: Cost>(from: &S, to: &S, cost: C) -> Result<(), Fault<S, C>> {
    if cost >= C::ZERO {
        Ok(())
    } else {
        Err(Fault::Step { from: from.clone(), to: to.clone(), cost })
    }
}

fn check_consistency<S: Clone, C: Cost>(
    (from, h_from): (&S, C),
    (to, h_to): (&S, C),
    cost: C,
) -> Result<(), Fault<S, C>> {
    // A sum that the type cannot hold is larger than any heuristic value.
    match cost.checked_add(h_to) {
        Some(sum) if h_from.exceeds(sum) => {
            Err(Fault::Inconsistent { from: from.clone(), h_from, to: to.clone(), h_to, cost })
        }
        _ => Ok(()),
    }
}

/// The heuristic value as engines use it: never below zero, and zero at a goal.
fn sound_heuristic<P: SearchProblem>(
    problem: &P,
    state: &P::State,
) -> Result<P::Cost, Fault<P::State, P::Cost>> {
    let h = problem.heuristic(state);
    match h.partial_cmp(&P::Cost::ZERO) {
        None => Err(Fault::NotANumber { state: state.clone(), h }),
        Some(std::cmp::Ordering::Greater) if !problem.is_goal(state) => Ok(h),
        Some(_) => Ok(P::Cost::ZERO),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FnProblem;
    use crate::{IdaStar, astar};

    /// A ring of ten; the way to 9 takes 2 to 4 steps of cost 1.0 and 3.0.
    fn ring<H: Fn(&u8) -> f64>(h: H) -> impl SearchProblem<State = u8, Action = (), Cost = f64> {
        FnProblem::new(|&n: &u8| [((n + 1) % 10, 1.0), ((n + 3) % 10, 2.0)], h, |&n: &u8| n == 9)
    }

    #[test]
    fn a_heuristic_may_be_admissible_and_not_consistent() {
        let jumpy = ring(|&n| if n == 3 { 4.0 } else { 0.0 });
        assert_eq!(admissible(&jumpy, 0, 100), Ok(10));
        let fault = Fault::Inconsistent { from: 3, h_from: 4.0, to: 4, h_to: 0.0, cost: 1.0 };
        assert_eq!(consistent(&jumpy, 0..10), Err(fault));
        let checked = Checked::new(&jumpy);
        assert!(astar(&checked, 0).unwrap().is_optimal());
        assert_eq!(checked.fault(), Some(&fault));
    }

    #[test]
    fn what_is_in_order_is_passed() {
        let fair = ring(|&n| if n == 9 { 77.0 } else { f64::from(9 - n) / 2.0 });
        assert_eq!(consistent(&fair, 0..10), Ok(20), "h of a goal does not matter");
        assert_eq!(admissible(&fair, 0, 100), Ok(10));
        let checked = Checked::new(&fair);
        let report = IdaStar::new(&checked).search(0).run().unwrap();
        assert_eq!(path(&checked, report.path().unwrap()), Ok(()));
        assert_eq!(checked.fault(), None);
    }

    #[test]
    fn an_infinite_estimate_where_there_is_a_way_is_an_overestimate() {
        let gloomy = ring(|&n| if n == 6 { f64::INFINITY } else { 0.0 });
        let fault = Fault::Overestimate { state: 6, h: f64::INFINITY, cost: 2.0 };
        assert_eq!(admissible(&gloomy, 0, 100), Err(fault));
        assert!(matches!(consistent(&gloomy, [6]), Err(Fault::Inconsistent { from: 6, .. })));
        // No way to a goal is known among so few states.
        assert_eq!(admissible(&gloomy, 0, 2), Ok(2));
    }

    #[test]
    fn values_that_are_no_numbers_are_named() {
        let odd = ring(|&n| if n == 4 { f64::NAN } else { 0.0 });
        assert!(matches!(consistent(&odd, [1]), Err(Fault::NotANumber { state: 4, .. })));
        assert!(matches!(admissible(&odd, 0, 100), Err(Fault::NotANumber { state: 4, .. })));
        let checked = Checked::new(&odd);
        assert!(astar(&checked, 4).is_err());
        assert!(matches!(checked.fault(), Some(Fault::NotANumber { state: 4, .. })));
    }

    #[test]
    fn steps_below_zero_are_named() {
        let downhill = FnProblem::new(|&n: &u8| [(n + 1, -1_i32)], |_: &u8| 0, |&n: &u8| n == 3);
        let fault = Fault::Step { from: 0, to: 1, cost: -1 };
        assert_eq!(consistent(&downhill, [0]), Err(fault));
        assert_eq!(admissible(&downhill, 0, 10), Err(fault));
        let checked = Checked::new(&downhill);
        assert!(astar(&checked, 0).is_err());
        assert_eq!(checked.fault(), Some(&fault));
        assert!(fault.to_string().contains("costs -1"));
    }
}
