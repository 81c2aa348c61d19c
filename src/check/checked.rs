//! [`Checked`]: checks a problem while it is searched.

use std::fmt;
use std::sync::OnceLock;

use super::{ProblemFault, check_consistency, check_step, check_steps, sound_heuristic};
use crate::cost::Cost;
use crate::problem::forward::forward;
use crate::problem::{SearchProblem, Successors, UnrolledSuccessors};

/// The same problem, checked during a search: every generated step must have a cost that
/// is neither negative nor NaN, and the heuristic must be consistent along it.
///
/// The search continues after a fault. The first [`ProblemFault`] is stored; see [`fault`](Self::fault).
/// The checks take at most two heuristic values for every step. They apply to successors, predecessors and steps
/// applied in place, and to [`goals`](crate::Reversible::goals), which must be goals.
///
/// # Example
///
/// ```
/// use bestfirst::check::{Checked, ProblemFault};
/// use bestfirst::{FnProblem, astar};
///
/// let h = |&n: &u32| if n == 3 { 9 } else { 10 - n };
/// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], h, |&n: &u32| n == 10);
/// let checked = Checked::new(&line);
/// assert_eq!(astar(&checked, 0)?.cost(), Some(10));
/// assert!(matches!(checked.fault(), Some(ProblemFault::Inconsistent { from: 3, h_from: 9, .. })));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub struct Checked<P: SearchProblem> {
    problem: P,
    fault: OnceLock<ProblemFault<P::State, P::Cost>>,
}

impl<P: SearchProblem> Checked<P> {
    /// Wraps `problem` (owned or borrowed).
    #[must_use]
    pub fn new(problem: P) -> Self {
        Self { problem, fault: OnceLock::new() }
    }

    /// Returns the first fault found so far.
    #[must_use]
    pub fn fault(&self) -> Option<&ProblemFault<P::State, P::Cost>> {
        self.fault.get()
    }

    /// Keeps the fault, if it is the first.
    fn note(&self, outcome: Result<(), ProblemFault<P::State, P::Cost>>) {
        if let Err(fault) = outcome {
            let _ = self.fault.set(fault);
        }
    }

    /// Checks one step.
    fn check(&self, from: &P::State, to: &P::State, cost: P::Cost) {
        self.note(check_step(from, to, cost));
        self.note(sound_heuristic(&self.problem, from).and_then(|h_from| {
            let h_to = sound_heuristic(&self.problem, to)?;
            check_consistency((from, h_from), (to, h_to), cost)
        }));
    }

    /// Checks that a heuristic value is a number.
    fn check_number(&self, state: &P::State, h: P::Cost) {
        if !h.is_number() {
            self.note(Err(ProblemFault::NotANumber { state: state.clone(), h }));
        }
    }
}

forward! {
    [P] Checked<P>, |adapter| &adapter.problem;
    SearchProblem {
        fn successors(&self, state: &Self::State, next: &mut Successors<Self>) {
            let first = next.len();
            self.problem.successors(state, next);
            self.note(check_steps(&self.problem, state, next, first));
        }

        fn heuristic(&self, state: &Self::State) -> Self::Cost {
            let h = self.problem.heuristic(state);
            self.check_number(state, h);
            h
        }
    }
    InPlaceProblem {
        fn apply(&self, state: &mut Self::State, action: &Self::Action) -> (Self::Cost, Self::Undo) {
            let from = state.clone();
            let (cost, undo) = self.problem.apply(state, action);
            self.check(&from, state, cost);
            (cost, undo)
        }

        // Unrolled successors would not be checked.
        fn unrolled(&self) -> impl UnrolledSuccessors<Self::State, Self::Action, Self::Cost> {}
    }
    Reversible {
        fn predecessors(&self, state: &Self::State, previous: &mut Successors<Self>) {
            let first = previous.len();
            self.problem.predecessors(state, previous);
            for step in previous.as_slice().iter().skip(first) {
                self.check(&step.state, state, step.cost);
            }
        }

        fn goals(&self) -> impl Iterator<Item = Self::State> {
            self.problem.goals().inspect(|goal| {
                if !self.problem.is_goal(goal) {
                    self.note(Err(ProblemFault::NotAGoal { state: goal.clone() }));
                }
            })
        }

        fn heuristic_from(&self, start: &Self::State, state: &Self::State) -> Self::Cost {
            let h = self.problem.heuristic_from(start, state);
            self.check_number(state, h);
            h
        }
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
