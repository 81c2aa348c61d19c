//! [`disjoint()`]: checks whether the costs of several abstractions may be added.

use super::ProblemFault;
use crate::cost::{Cost, smaller};
use crate::problem::{SearchProblem, SuccessorBuffer, Successors};

/// Checks for every step from each of `states` that the sum of its costs in all `abstractions` is at most its cost in
/// `problem`. Then the [sum](crate::heuristics::sum()) of their heuristics is admissible. With
/// a single abstraction, it checks that it is one. Returns the number of checked steps.
///
/// An abstraction is given by the costs of its steps: a function that returns the cost of the step between
/// the images of two states, and `None` if there is none. [`step_in`] computes it from a problem and a map.
///
/// Only the given states are checked: pass as many as time allows, for example those of a
/// random walk. Takes one expansion for each state, and one in each abstraction for each step.
///
/// # Errors
///
/// The first [`ProblemFault`]: [`NotDisjoint`](ProblemFault::NotDisjoint), [`NotAbstract`](ProblemFault::NotAbstract), or an invalid
/// step of the problem or of an abstraction.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, check};
///
/// // Two dials; each step turns one of them.
/// let dials = FnProblem::new(
///     |&[a, b]: &[u8; 2]| [([(a + 1) % 10, b], 1_u32), ([a, (b + 1) % 10], 1)],
///     |_: &[u8; 2]| 0,
///     |&dials: &[u8; 2]| dials == [0, 0],
/// );
/// let dial = FnProblem::new(|&n: &u8| [((n + 1) % 10, 1_u32)], |_: &u8| 0, |&n| n == 0);
/// let all = || (0..100).map(|n| [n / 10, n % 10]);
///
/// let first = check::step_in(&dial, |&[a, _]: &[u8; 2]| a);
/// let second = check::step_in(&dial, |&[_, b]: &[u8; 2]| b);
/// assert_eq!(check::disjoint(&dials, all(), &[&first, &second]), Ok(200));
///
/// let fault = check::disjoint(&dials, all(), &[&first, &first]).unwrap_err();
/// assert_eq!(
///     fault.to_string(),
///     "not disjoint: the step from [0, 0] to [1, 0] costs 1, but 2 in all abstractions together"
/// );
/// ```
pub fn disjoint<P: SearchProblem>(
    problem: &P,
    states: impl IntoIterator<Item = P::State>,
    abstractions: &[&StepCosts<P>],
) -> Result<u64, ProblemFault<P::State, P::Cost>> {
    let mut next = SuccessorBuffer::new();
    let mut steps = 0;
    for from in states {
        next.clear();
        problem.successors(&from, &mut next);
        for successor in next.drain() {
            let (to, cost) = (successor.state, successor.cost);
            super::check_step(&from, &to, cost)?;
            let mut sum = P::Cost::ZERO;
            for (abstraction, step) in abstractions.iter().enumerate() {
                let Some(abstract_cost) = step(&from, &to) else {
                    return Err(ProblemFault::NotAbstract { from, to, abstraction });
                };
                super::check_step(&from, &to, abstract_cost)?;
                let Some(more) = sum.checked_add(abstract_cost) else {
                    // It is larger than any cost.
                    let sum = P::Cost::INFINITY;
                    return Err(ProblemFault::NotDisjoint { from, to, cost, sum });
                };
                sum = more;
            }
            if sum.exceeds(cost) {
                return Err(ProblemFault::NotDisjoint { from, to, cost, sum });
            }
            steps += 1;
        }
    }
    Ok(steps)
}

/// The costs of the steps of an abstraction, for [`disjoint()`]: returns the cost of the step between the images of two
/// states, and `None` if there is none.
pub type StepCosts<'a, P> = dyn Fn(
        &<P as SearchProblem>::State,
        &<P as SearchProblem>::State,
    ) -> Option<<P as SearchProblem>::Cost>
    + 'a;

/// Returns the cost of the cheapest step of `abstraction` between the images of two states by `map`: zero if they
/// have the same image, and `None` if there is no such step. For [`disjoint()`].
pub fn step_in<S, A: SearchProblem>(
    abstraction: &A,
    map: impl Fn(&S) -> A::State,
) -> impl Fn(&S, &S) -> Option<A::Cost> {
    move |from, to| {
        let (from, to) = (map(from), map(to));
        if from == to {
            return Some(A::Cost::ZERO);
        }
        let mut next: Successors<A> = SuccessorBuffer::new();
        abstraction.successors(&from, &mut next);
        let steps = next.as_slice().iter().filter(|successor| successor.state == to);
        steps.map(|successor| successor.cost).reduce(smaller)
    }
}
