//! Problems of closures of which only the types of states and costs are known: an engine is compiled once for all of
//! them, and not once for each closure.

use std::hash::Hash;

use bestfirst::{Cost, FnProblem, SearchProblem};

/// Any problem, behind a pointer.
pub fn boxed<'p, P: SearchProblem + 'p>(
    problem: P,
) -> Box<dyn SearchProblem<State = P::State, Action = P::Action, Cost = P::Cost> + 'p> {
    Box::new(problem)
}

/// [`FnProblem::new`], behind a pointer.
pub fn problem<'p, S, C, I>(
    successors: impl Fn(&S) -> I + 'p,
    heuristic: impl Fn(&S) -> C + 'p,
    goal: impl Fn(&S) -> bool + 'p,
) -> Box<dyn SearchProblem<State = S, Action = (), Cost = C> + 'p>
where
    S: Clone + Eq + Hash + 'p,
    C: Cost + 'p,
    I: IntoIterator<Item = (S, C)>,
{
    boxed(FnProblem::new(successors, heuristic, goal))
}
