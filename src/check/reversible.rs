//! Checks that successors and predecessors agree.

use std::collections::HashSet;

use super::{ProblemFault, check_step};
use crate::problem::{Reversible, SearchProblem, Successor, SuccessorBuffer, Successors};

/// Checks for each of `states` that successors and predecessors agree, and that the goals are the
/// goals. Returns the number of steps that it compared.
///
/// - Every successor of a state must list the state among its predecessors, with the same action and
///   the same cost.
/// - Every predecessor of a state must list the state among its successors, with the same action and
///   the same cost.
/// - Every state that [`goals`](Reversible::goals) yields must be a goal, and each of `states` that is
///   a goal must be among them.
///
/// Costs are compared exactly, floats too, as in [`Path::verify`](crate::Path::verify). The number of times that a
/// step is listed is not compared. For actions without `PartialEq`, use [`reversible_by_cost`].
///
/// To check the heuristic of the reversed problem, use [`consistent`](super::consistent)
/// and [`admissible`](super::admissible) on a [`Reversed`](crate::Reversed) problem.
///
/// Takes one expansion in each direction for each state, and one for each step from or to it.
///
/// # Errors
///
/// The first [`ProblemFault`].
///
/// # Example
///
/// ```
/// use bestfirst::{Reversible, SearchProblem, Successors, check};
///
/// /// Adds one or doubles, and claims that 0 has no predecessors.
/// struct Reach(u32);
///
/// impl SearchProblem for Reach {
/// #   type State = u32;
/// #   type Action = &'static str;
/// #   type Cost = u32;
/// #
///     fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
///         next.push("add one", n + 1, 1);
///         next.push("double", n * 2, 2);
///     }
///     // …
/// #   fn is_goal(&self, &n: &u32) -> bool {
/// #       n == self.0
/// #   }
/// }
///
/// impl Reversible for Reach {
///     fn predecessors(&self, &n: &u32, previous: &mut Successors<Self>) {
///         if n > 0 {
///             previous.push("add one", n - 1, 1);
///             if n % 2 == 0 {
///                 previous.push("double", n / 2, 2);
///             }
///         }
///     }
///     // …
/// #   fn goals(&self) -> impl Iterator<Item = u32> {
/// #       [self.0].into_iter()
/// #   }
/// }
///
/// assert_eq!(check::reversible(&Reach(100), [1, 2]), Ok(7));
/// let fault = check::reversible(&Reach(100), 0..10).unwrap_err();
/// assert_eq!(
///     fault.to_string(),
///     "0 has the successor 0 at cost 2, but 0 is not among the predecessors of 0"
/// );
/// ```
pub fn reversible<P>(
    problem: &P,
    states: impl IntoIterator<Item = P::State>,
) -> Result<u64, ProblemFault<P::State, P::Cost>>
where
    P: Reversible<Action: PartialEq>,
{
    compare(problem, states, P::Action::eq)
}

/// Like [`reversible`], but does not compare actions, which need not implement
/// `PartialEq`: a step must be listed at both ends at the same cost.
///
/// # Errors
///
/// The first [`ProblemFault`].
///
/// # Example
///
/// ```
/// use bestfirst::{Reversible, SearchProblem, Successors, check};
///
/// struct Count;
///
/// impl SearchProblem for Count {
///     type State = u32;
///     type Action = fn(u32) -> u32;
///     type Cost = u32;
///
///     fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
///         next.push(|n| n + 1, n + 1, 1);
///     }
///
///     fn is_goal(&self, &n: &u32) -> bool {
///         n == 9
///     }
/// }
///
/// impl Reversible for Count {
///     fn predecessors(&self, &n: &u32, previous: &mut Successors<Self>) {
///         if n > 0 {
///             previous.push(|n| n + 1, n - 1, 1);
///         }
///     }
///
///     fn goals(&self) -> impl Iterator<Item = u32> {
///         [9].into_iter()
///     }
/// }
///
/// assert_eq!(check::reversible_by_cost(&Count, 0..10), Ok(19));
/// ```
pub fn reversible_by_cost<P: Reversible>(
    problem: &P,
    states: impl IntoIterator<Item = P::State>,
) -> Result<u64, ProblemFault<P::State, P::Cost>> {
    compare(problem, states, |_, _| true)
}

fn compare<P: Reversible>(
    problem: &P,
    states: impl IntoIterator<Item = P::State>,
    same_action: impl Fn(&P::Action, &P::Action) -> bool,
) -> Result<u64, ProblemFault<P::State, P::Cost>> {
    let mut goals = HashSet::new();
    for state in problem.goals() {
        if !problem.is_goal(&state) {
            return Err(ProblemFault::NotAGoal { state });
        }
        goals.insert(state);
    }
    let (mut next, mut listed) = (SuccessorBuffer::new(), SuccessorBuffer::new());
    let mut steps = 0;
    for state in states {
        if problem.is_goal(&state) && !goals.contains(&state) {
            return Err(ProblemFault::MissingGoal { state });
        }
        next.clear();
        problem.successors(&state, &mut next);
        for Successor { action, state: to, cost } in next.drain() {
            check_step(&state, &to, cost)?;
            listed.clear();
            problem.predecessors(&to, &mut listed);
            let from = state.clone();
            match find::<P>(&listed, &from, cost, |other| same_action(&action, other)) {
                Found::Step => steps += 1,
                Found::OtherAction => return Err(ProblemFault::ActionsDiffer { from, to, cost }),
                Found::OtherCost(backward) => {
                    return Err(ProblemFault::CostsDiffer { from, to, forward: cost, backward });
                }
                Found::Nothing => return Err(ProblemFault::NoPredecessor { from, to, cost }),
            }
        }
        problem.predecessors(&state, &mut next);
        for Successor { action, state: from, cost } in next.drain() {
            check_step(&from, &state, cost)?;
            listed.clear();
            problem.successors(&from, &mut listed);
            let to = state.clone();
            match find::<P>(&listed, &to, cost, |other| same_action(&action, other)) {
                Found::Step => steps += 1,
                Found::OtherAction => return Err(ProblemFault::ActionsDiffer { from, to, cost }),
                Found::OtherCost(forward) => {
                    return Err(ProblemFault::CostsDiffer { from, to, forward, backward: cost });
                }
                Found::Nothing => return Err(ProblemFault::NoSuccessor { from, to, cost }),
            }
        }
    }
    Ok(steps)
}

/// The entry for a state in a list of successors or predecessors that is closest to the expected one.
enum Found<C> {
    /// At the expected cost, with the expected action.
    Step,
    /// At the expected cost, with another action only.
    OtherAction,
    /// At this cost only.
    OtherCost(C),
    Nothing,
}

fn find<P: SearchProblem>(
    listed: &Successors<P>,
    state: &P::State,
    cost: P::Cost,
    is_action: impl Fn(&P::Action) -> bool,
) -> Found<P::Cost> {
    let mut found = Found::Nothing;
    for step in listed.as_slice().iter().filter(|step| step.state == *state) {
        if step.cost == cost {
            if is_action(&step.action) {
                return Found::Step;
            }
            found = Found::OtherAction;
        } else if let Found::Nothing = found {
            found = Found::OtherCost(step.cost);
        }
    }
    found
}
