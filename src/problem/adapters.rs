//! Adapters: a problem with one change. Pointers to problems are problems, too.
//!
//! An adapter implements what it changes; [`forward!`] forwards the rest.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use super::forward::forward;
use super::{SearchProblem, Successors, UnrolledSuccessors};
use crate::cost::Cost;
use crate::debug::show_fields;

forward! { [P: ?Sized] &P, |pointer| &**pointer; }
forward! { [P: ?Sized] Box<P>, |pointer| &**pointer; }
forward! { [P: ?Sized] Rc<P>, |pointer| &**pointer; }
forward! { [P: ?Sized] Arc<P>, |pointer| &**pointer; }

/// The same problem without a heuristic: A* on it is Dijkstra's algorithm.
///
/// [`heuristic_from`](super::Reversible::heuristic_from) is zero, too, and there is no
/// [`steps_left`](SearchProblem::steps_left).
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, IgnoreHeuristic, SearchProblem};
///
/// let problem = FnProblem::new(|&n: &u8| [(n + 1, 1_u8)], |&n: &u8| 9 - n, |&n: &u8| n == 9);
/// assert_eq!(problem.heuristic(&4), 5);
/// assert_eq!(IgnoreHeuristic::new(&problem).heuristic(&4), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IgnoreHeuristic<P> {
    problem: P,
}

impl<P> IgnoreHeuristic<P> {
    /// Wraps `problem` (owned or borrowed).
    #[must_use]
    pub fn new(problem: P) -> Self {
        Self { problem }
    }
}

forward! {
    [P] IgnoreHeuristic<P>, |adapter| &adapter.problem;
    SearchProblem {
        #[inline]
        fn heuristic(&self, _state: &Self::State) -> Self::Cost {
            Self::Cost::ZERO
        }

        #[inline]
        fn steps_left(&self, _state: &Self::State) -> Option<u32> {
            None
        }
    }
    Reversible {
        #[inline]
        fn heuristic_from(&self, _start: &Self::State, _state: &Self::State) -> Self::Cost {
            Self::Cost::ZERO
        }
    }
}

/// The same problem without goals: a search ends when all reachable states are expanded, or at a limit.
///
/// # Example
///
/// ```
/// use bestfirst::{Dijkstra, FnProblem, IgnoreGoal, Outcome};
///
/// let ring = FnProblem::new(|&n: &u8| [((n + 1) % 10, 1_u32)], |_: &u8| 0, |&n: &u8| n == 4);
/// let report = Dijkstra::new(IgnoreGoal::new(&ring)).search(0).run()?;
/// assert_eq!(report.outcome, Outcome::Exhausted);
/// assert_eq!(report.stats.expanded, 10);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IgnoreGoal<P> {
    problem: P,
}

impl<P> IgnoreGoal<P> {
    /// Wraps `problem` (owned or borrowed).
    #[must_use]
    pub fn new(problem: P) -> Self {
        Self { problem }
    }
}

forward! {
    [P] IgnoreGoal<P>, |adapter| &adapter.problem;
    SearchProblem {
        #[inline]
        fn is_goal(&self, _state: &Self::State) -> bool {
            false
        }
    }
    Reversible {
        #[inline]
        fn goals(&self) -> impl Iterator<Item = Self::State> {
            std::iter::empty()
        }
    }
}

/// The same problem with equal step costs: its cheapest paths are those with the fewest steps.
///
/// The heuristic is the cost of one step, and zero at goals. With it,
/// [breadth-first search](crate::BreadthFirst) ends at the first path that it finds.
/// Likewise, [`heuristic_from`](super::Reversible::heuristic_from) is the cost of one step, and zero
/// at the start.
///
/// # Example
///
/// ```
/// use bestfirst::{EqualSteps, FnProblem, breadth_first};
///
/// let problem = FnProblem::new(|&n: &u32| [(n + 1, 1), (n * 2, 5)], |_: &u32| 0, |&n: &u32| n == 50);
/// let report = breadth_first(&EqualSteps::new(&problem, 1), 3)?;
/// assert_eq!(report.path().unwrap().states(), [3, 6, 12, 24, 25, 50]);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EqualSteps<P: SearchProblem> {
    problem: P,
    step: P::Cost,
}

impl<P: SearchProblem> EqualSteps<P> {
    /// Wraps `problem` (owned or borrowed). Every step costs `step`.
    #[must_use]
    pub fn new(problem: P, step: P::Cost) -> Self {
        Self { problem, step }
    }
}

/// Replaces the costs of all successors in `buffer` from the index `first` on.
#[inline]
fn equalize<P: SearchProblem>(buffer: &mut Successors<P>, first: usize, step: P::Cost) {
    for successor in buffer.as_mut_slice().iter_mut().skip(first) {
        successor.cost = step;
    }
}

forward! {
    [P] EqualSteps<P>, |adapter| &adapter.problem;
    SearchProblem {
        #[inline]
        fn successors(&self, state: &Self::State, next: &mut Successors<Self>) {
            let first = next.len();
            self.problem.successors(state, next);
            equalize::<P>(next, first, self.step);
        }

        #[inline]
        fn heuristic(&self, state: &Self::State) -> Self::Cost {
            if self.problem.is_goal(state) { Self::Cost::ZERO } else { self.step }
        }
    }
    InPlaceProblem {
        #[inline]
        fn apply(&self, state: &mut Self::State, action: &Self::Action) -> (Self::Cost, Self::Undo) {
            let (_, undo) = self.problem.apply(state, action);
            (self.step, undo)
        }

        // The unrolled successors have the costs of the problem inside.
        fn unrolled(&self) -> impl UnrolledSuccessors<Self::State, Self::Action, Self::Cost> {}
    }
    Reversible {
        #[inline]
        fn predecessors(&self, state: &Self::State, previous: &mut Successors<Self>) {
            let first = previous.len();
            self.problem.predecessors(state, previous);
            equalize::<P>(previous, first, self.step);
        }

        #[inline]
        fn heuristic_from(&self, start: &Self::State, state: &Self::State) -> Self::Cost {
            if start == state { Self::Cost::ZERO } else { self.step }
        }
    }
}

/// The same problem with another heuristic.
///
/// **The heuristic must be admissible**: it must not exceed the cost of a cheapest path from the
/// state to a goal, for any state (see [`SearchProblem::heuristic`]). A heuristic that overestimates,
/// such as twice an admissible one, loses optimality, and in general no engine notices:
/// [`Report::is_optimal`](crate::Report::is_optimal) presumes an admissible heuristic. For bounded
/// suboptimal search, keep the heuristic admissible and use `AStar::weight`, which reports the
/// suboptimality bound that it proves. [`check::admissible`](crate::check::admissible) tests a
/// heuristic on small instances.
///
/// [`heuristic_from`](super::Reversible::heuristic_from) remains that of the wrapped problem: the new
/// heuristic estimates the cost to a goal only.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, SearchProblem, WithHeuristic};
///
/// let problem = FnProblem::new(|&n: &u8| [(n + 1, 1_u8)], |_: &u8| 0, |&n: &u8| n == 9);
/// let informed = WithHeuristic::new(&problem, |&n: &u8| 9 - n);
/// assert_eq!(informed.heuristic(&4), 5);
/// assert_eq!(bestfirst::astar(&informed, 0)?.cost(), Some(9));
/// # Ok::<(), bestfirst::SearchError<u8>>(())
/// ```
#[derive(Clone, Copy)]
pub struct WithHeuristic<P, H> {
    problem: P,
    heuristic: H,
}

impl<P: SearchProblem, H: Fn(&P::State) -> P::Cost> WithHeuristic<P, H> {
    /// Wraps `problem` (owned or borrowed); `heuristic` replaces its heuristic.
    #[must_use]
    pub fn new(problem: P, heuristic: H) -> Self {
        Self { problem, heuristic }
    }
}

forward! {
    [P, H: Fn(&P::State) -> P::Cost] WithHeuristic<P, H>, |adapter| &adapter.problem;
    SearchProblem {
        #[inline]
        fn heuristic(&self, state: &Self::State) -> Self::Cost {
            (self.heuristic)(state)
        }
    }
}

show_fields! { [P: fmt::Debug, H] WithHeuristic<P, H>, "WithHeuristic" { problem } }

/// The same problem with an estimate of the number of steps to a goal, for [`Focal`](crate::Focal) search.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, Focal, WithStepsLeft};
///
/// // A step on foot costs 1; from any place divisible by 10, a coach goes 10 ahead for 15.
/// let walk = FnProblem::new(
///     |&n: &u32| [(n + 1, 1_u32), (if n % 10 == 0 { n + 10 } else { n + 1 }, 15)],
///     |&n: &u32| 500_u32.saturating_sub(n),
///     |&n: &u32| n >= 500,
/// );
/// let with_steps = WithStepsLeft::new(&walk, |&n: &u32| 500_u32.saturating_sub(n) / 10);
/// let report = Focal::new(&with_steps, 1.5).search(0).run()?;
/// assert!(report.suboptimality() <= Some(1.5));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Copy)]
pub struct WithStepsLeft<P, D> {
    problem: P,
    steps_left: D,
}

impl<P: SearchProblem, D: Fn(&P::State) -> u32> WithStepsLeft<P, D> {
    /// Wraps `problem` (owned or borrowed); `steps_left` replaces its [`steps_left`](SearchProblem::steps_left).
    #[must_use]
    pub fn new(problem: P, steps_left: D) -> Self {
        Self { problem, steps_left }
    }
}

forward! {
    [P, D: Fn(&P::State) -> u32] WithStepsLeft<P, D>, |adapter| &adapter.problem;
    SearchProblem {
        #[inline]
        fn steps_left(&self, state: &Self::State) -> Option<u32> {
            Some((self.steps_left)(state))
        }
    }
}

show_fields! { [P: fmt::Debug, D] WithStepsLeft<P, D>, "WithStepsLeft" { problem } }
