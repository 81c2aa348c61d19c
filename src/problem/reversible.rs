//! [`Reversible`]: problems with predecessors; [`Reversed`]: the reversed problem.

use super::{DenseStates, SearchProblem, Successors};
use crate::cost::Cost;
use crate::path::{Path, PathError, PathOf};

/// A problem that can list the predecessors of a state and its goals.
///
/// Backward searches need it. [`Reversed`] turns it into the reversed problem, on which every engine runs.
///
/// - The predecessors must be the exact reverse of the successors: every step is listed from both of
///   its ends, with the same action and the same cost. That includes parallel steps (each with its own
///   action and cost) and steps from a state to itself.
/// - [`goals`](Self::goals) must yield exactly the states for which
///   [`is_goal`](SearchProblem::is_goal) is true.
///
/// [`check::reversible`](crate::check::reversible) tests both for given states.
///
/// # Example
///
/// Reach a number from a start by adding one (cost 1) or doubling (cost 2). A number has one or two
/// predecessors, so the backward search generates fewer states:
///
/// ```
/// use bestfirst::{Dijkstra, Reversed, Reversible, SearchProblem, Successors, check};
///
/// struct Reach(u32);
///
/// impl SearchProblem for Reach {
///     type State = u32;
///     type Action = &'static str;
///     type Cost = u32;
///
///     fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
///         next.push("add one", n + 1, 1);
///         next.push("double", n * 2, 2);
///     }
///
///     fn is_goal(&self, &n: &u32) -> bool {
///         n == self.0
///     }
/// }
///
/// impl Reversible for Reach {
///     fn predecessors(&self, &n: &u32, previous: &mut Successors<Self>) {
///         if n > 0 {
///             previous.push("add one", n - 1, 1);
///         }
///         if n % 2 == 0 {
///             previous.push("double", n / 2, 2);
///         }
///     }
///
///     fn goals(&self) -> impl Iterator<Item = u32> {
///         [self.0].into_iter()
///     }
/// }
///
/// let problem = Reach(102);
/// assert!(check::reversible(&problem, 0..=102).is_ok());
///
/// let backwards = Reversed::new(&problem, 1);
/// let report = Dijkstra::new(&backwards).search_from(backwards.starts()).run()?;
/// assert_eq!(report.cost(), Some(14));
/// let path = backwards.forward_path(report.path().unwrap())?;
/// assert_eq!(path.states(), [1, 2, 3, 6, 12, 24, 25, 50, 51, 102]);
/// assert_eq!(path.verify(&problem), Ok(()));
///
/// let forwards = Dijkstra::new(&problem).search(1).run()?;
/// assert_eq!(forwards.cost(), report.cost());
/// assert!(forwards.stats.generated > 2 * report.stats.generated);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not know the predecessors of its states",
    label = "this problem does not implement `Reversible`",
    note = "implement `predecessors` and `goals` for searches backwards and from both ends; `AStar` and the other engines need neither"
)]
pub trait Reversible: SearchProblem {
    /// Pushes every predecessor of `state`: the action that leads from the predecessor to `state`,
    /// the predecessor, and the cost of that step.
    ///
    /// Like [`successors`](SearchProblem::successors), it must push the same predecessors in the same
    /// order each time it is called for the same state.
    fn predecessors(&self, state: &Self::State, previous: &mut Successors<Self>);

    /// Returns all goals. There must be finitely many; there may be none.
    fn goals(&self) -> impl Iterator<Item = Self::State>;

    /// Returns a lower bound on the cost from `start` to `state`; [`Cost::INFINITY`] means that `state` cannot
    /// be reached from `start`. Zero by default.
    ///
    /// The [rules of `heuristic`](SearchProblem::heuristic) apply: it must be admissible, that is,
    /// never exceed the cost of a cheapest path from `start` to `state`. A value below zero counts as
    /// zero, and so does any value where `state` is `start`.
    fn heuristic_from(&self, start: &Self::State, state: &Self::State) -> Self::Cost {
        let _ = (start, state);
        Self::Cost::ZERO
    }
}

/// The reversed problem: from the goals to one start.
///
/// - Its successors are the [predecessors](Reversible::predecessors) of a state, with the actions and
///   costs of the steps that lead forward.
/// - Its only goal is the start, and its heuristic is
///   [`heuristic_from`](Reversible::heuristic_from) the start.
/// - Its starts are the [goals](Reversible::goals) of the problem: search it with
///   `search_from(reversed.starts())`.
/// - Its cheapest paths are those of the problem from the start to a goal, in reverse order.
///   [`forward_path`](Self::forward_path) puts a path into forward order.
///
/// It is itself a [`SearchProblem`], so every engine runs on it;
/// [`DenseStates`] and [`prefetch`](SearchProblem::prefetch) are forwarded. The problem may be owned
/// or borrowed. Adapters for the reversed problem go around `Reversed`; adapters for the problem itself go inside.
///
/// See [`Reversible`] for an example.
#[derive(Clone, Copy, Debug)]
pub struct Reversed<P: SearchProblem> {
    problem: P,
    start: P::State,
}

impl<P: Reversible> Reversed<P> {
    /// Creates the reverse of `problem` (owned or borrowed), which leads to `start`.
    #[must_use]
    pub fn new(problem: P, start: P::State) -> Self {
        Self { problem, start }
    }

    /// Returns the starts of a backward search: the goals of the problem, each at cost zero.
    ///
    /// As in every search from several starts, other start costs are possible: for a cost that depends on the goal of
    /// the path, or for the start cost of the forward search.
    pub fn starts(&self) -> impl Iterator<Item = (P::State, P::Cost)> {
        self.problem.goals().map(|goal| (goal, P::Cost::ZERO))
    }

    /// Turns a path of the reversed problem into a path of the problem itself.
    ///
    /// States and actions are in forward order. Every step keeps its action and its cost.
    /// [`Path::start_cost`] is unchanged, so the cost of the whole path is the same (for floats, up to rounding: it is
    /// summed again in forward order).
    ///
    /// A path from a goal to the start [verifies](Path::verify) on the problem. Paths to other states, such as those of
    /// [`Reached`](crate::Reached), can be reversed as well.
    ///
    /// Takes time linear in the length of the path and clones its states and actions.
    ///
    /// # Errors
    ///
    /// [`PathError::Overflow`] if the sum of the costs in forward order does not fit into their type. This cannot
    /// happen for non-negative integers; floats near the largest value may round differently.
    pub fn forward_path(&self, path: &PathOf<Self>) -> Result<PathOf<P>, PathError<P::Cost>> {
        let mut forward = Path::at(path.end().clone(), path.start_cost());
        for step in path.steps().rev() {
            forward.push(step.action.clone(), step.from.clone(), step.cost)?;
        }
        Ok(forward)
    }
}

impl<P: Reversible> SearchProblem for Reversed<P> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    #[inline]
    fn successors(&self, state: &P::State, next: &mut Successors<Self>) {
        self.problem.predecessors(state, next);
    }

    #[inline]
    fn heuristic(&self, state: &P::State) -> P::Cost {
        self.problem.heuristic_from(&self.start, state)
    }

    #[inline]
    fn is_goal(&self, state: &P::State) -> bool {
        *state == self.start
    }

    #[inline]
    fn prefetch(&self, state: &P::State) {
        self.problem.prefetch(state);
    }
}

impl<P: Reversible + DenseStates> DenseStates for Reversed<P> {
    #[inline]
    fn state_count(&self) -> usize {
        self.problem.state_count()
    }

    #[inline]
    fn state_index(&self, state: &P::State) -> usize {
        self.problem.state_index(state)
    }

    #[inline]
    fn state_at(&self, index: usize) -> P::State {
        self.problem.state_at(index)
    }
}
