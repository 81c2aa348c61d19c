//! Checks for the tests of a problem: paths, heuristics, predecessors.
//!
//! Engines trust the problem, because checking everything would take longer than the search. These
//! functions check a problem and return the first contradiction, with all values.
//!
//! | question | function |
//! |---|---|
//! | Is this a path from the start to a goal, at this cost? | [`path()`] |
//! | Is the heuristic consistent? | [`consistent`] for given states, [`Checked`] during a search |
//! | Is the heuristic admissible? | [`admissible`] |
//! | Are the predecessors the reverse of the successors? | [`reversible()`] |
//! | Is this an abstraction, and may the costs of several be added? | [`disjoint()`] |

mod checked;
mod disjoint;
mod fault;
mod reversible;

use std::collections::{HashMap, VecDeque};

use crate::cost::Cost;
use crate::engine::checked::heuristic_value;
use crate::path::{PathError, PathOf};
use crate::problem::{SearchProblem, SuccessorBuffer, Successors};

pub use checked::Checked;
pub use disjoint::{StepCosts, disjoint, step_in};
pub use fault::ProblemFault;
pub use reversible::{reversible, reversible_by_cost};

/// Replays `path`: every step must exist at its cost, the costs must add up to the cost of the path, and the end must
/// be a goal. The same as [`Path::verify`](crate::Path::verify).
///
/// Takes one expansion for each step.
///
/// # Errors
///
/// A [`PathError`] that names the first wrong step.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, Path, PathError, check};
///
/// let line = FnProblem::new(|&n: &u8| [(n + 1, 2_u32)], |_: &u8| 0, |&n: &u8| n == 2);
/// let mut path = Path::at(0, 0);
/// path.push((), 1, 2)?;
/// assert_eq!(check::path(&line, &path), Err(PathError::NotAGoal));
/// path.push((), 2, 3)?;
/// assert_eq!(check::path(&line, &path), Err(PathError::WrongStepCost { step: 1, stated: 3 }));
/// # Ok::<(), PathError<u32>>(())
/// ```
pub fn path<P: SearchProblem>(problem: &P, path: &PathOf<P>) -> Result<(), PathError<P::Cost>> {
    path.verify(problem)
}

/// Checks that the heuristic is consistent at each of `states`: for every step from them,
/// *h(from) ≤ cost + h(to)*, where *h* of a goal is zero. Returns the number of steps that it checked.
///
/// A heuristic that is consistent at all states is admissible, and A* expands no state twice with it.
/// Takes one expansion for each state and one heuristic value for each step. With float costs, a difference that
/// [`Cost::exceeds`] takes for a rounding error is no fault.
///
/// # Errors
///
/// The first [`ProblemFault`].
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
) -> Result<u64, ProblemFault<P::State, P::Cost>> {
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

/// Checks that the heuristic is admissible: explores the states that can be reached from `start`, at
/// most `limit` of them, computes the cost of a cheapest path from each to a goal, and compares.
/// Returns the number of states that it checked.
///
/// If more than `limit` states can be reached, paths through the other states are unknown. A reported fault
/// is then still a fault, but `Ok` is not a proof. Takes memory for all states and steps. With float costs, a difference that
/// [`Cost::exceeds`] takes for a rounding error is no fault. [`INFINITY`](Cost::INFINITY) is a fault wherever a goal can be
/// reached, also if the type cannot hold the cost of a path.
///
/// # Errors
///
/// The first [`ProblemFault`], in breadth-first order.
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
/// assert_eq!(fault.to_string(), "overestimate: h(0) = 18, but a path to a goal costs 9");
/// ```
pub fn admissible<P: SearchProblem>(
    problem: &P,
    start: P::State,
    limit: usize,
) -> Result<usize, ProblemFault<P::State, P::Cost>> {
    let mut ids = HashMap::from([(start.clone(), 0)]);
    let mut states = vec![start];
    // For each state, its predecessors with the costs of the steps.
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
        match rest {
            // Whatever the path costs, also if the type cannot hold it.
            Some(_) if h >= P::Cost::INFINITY => {
                return Err(ProblemFault::FalseDeadEnd { state: state.clone(), h });
            }
            Some(cost) if h.exceeds(cost) => {
                return Err(ProblemFault::Overestimate { state: state.clone(), h, cost });
            }
            _ => {}
        }
    }
    Ok(states.len())
}

/// Returns the cost of a cheapest path from each state to a goal, `INFINITY` if its type cannot hold it: relaxes backwards until
/// nothing changes.
fn costs_to_goals<P: SearchProblem>(
    problem: &P,
    states: &[P::State],
    before: &[Vec<(usize, P::Cost)>],
) -> Vec<Option<P::Cost>> {
    let is_goal = |state| problem.is_goal(state).then_some(P::Cost::ZERO);
    let mut rest: Vec<_> = states.iter().map(is_goal).collect();
    let mut changed: VecDeque<_> = (0..states.len()).filter(|&id| rest[id].is_some()).collect();
    while let Some(id) = changed.pop_front() {
        let Some(left) = rest[id] else { continue };
        for &(from, step) in &before[id] {
            let cost = step.checked_add(left).unwrap_or(P::Cost::INFINITY);
            if rest[from].is_none_or(|old| cost < old) {
                rest[from] = Some(cost);
                changed.push_back(from);
            }
        }
    }
    rest
}

/// Checks the steps from `from` that are in the buffer from the index `first` on.
fn check_steps<P: SearchProblem>(
    problem: &P,
    from: &P::State,
    next: &Successors<P>,
    first: usize,
) -> Result<(), ProblemFault<P::State, P::Cost>> {
    let h_from = sound_heuristic(problem, from)?;
    for successor in next.as_slice().iter().skip(first) {
        check_step(from, &successor.state, successor.cost)?;
        let h_to = sound_heuristic(problem, &successor.state)?;
        check_consistency((from, h_from), (&successor.state, h_to), successor.cost)?;
    }
    Ok(())
}

/// Checks that the cost of a step is neither negative nor NaN.
fn check_step<S: Clone, C: Cost>(from: &S, to: &S, cost: C) -> Result<(), ProblemFault<S, C>> {
    if cost.is_step() {
        Ok(())
    } else {
        Err(ProblemFault::Step { from: from.clone(), to: to.clone(), cost })
    }
}

fn check_consistency<S: Clone, C: Cost>(
    (from, h_from): (&S, C),
    (to, h_to): (&S, C),
    cost: C,
) -> Result<(), ProblemFault<S, C>> {
    // A sum that does not fit into the type is larger than any heuristic value, but not than INFINITY.
    let is_dearer = cost.checked_add(h_to).is_some_and(|sum| h_from.exceeds(sum));
    if is_dearer || (h_from >= C::INFINITY && h_to < C::INFINITY) {
        let (from, to) = (from.clone(), to.clone());
        return Err(ProblemFault::Inconsistent { from, h_from, to, h_to, cost });
    }
    Ok(())
}

/// Returns the heuristic value as engines use it: not below zero, and zero at a goal.
fn sound_heuristic<P: SearchProblem>(
    problem: &P,
    state: &P::State,
) -> Result<P::Cost, ProblemFault<P::State, P::Cost>> {
    heuristic_value(problem, state)
        .map_err(|h| ProblemFault::NotANumber { state: state.clone(), h })
}
