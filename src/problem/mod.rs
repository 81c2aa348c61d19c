//! The trait [`SearchProblem`], its extensions, and adapters.
//!
//! The documentation of [`SearchProblem`] lists them.

mod adapters;
mod closures;
mod dense;
mod dominance;
pub(crate) mod forward;
mod in_place;
mod reversible;
mod successors;
mod unrolled;

use std::hash::Hash;

use crate::cost::Cost;

pub use adapters::{EqualSteps, IgnoreGoal, IgnoreHeuristic, WithHeuristic, WithStepsLeft};
pub use closures::FnProblem;
pub(crate) use closures::{is_small, prefetch_successors};
pub use dense::DenseStates;
pub use dominance::Dominance;
pub use in_place::InPlaceProblem;
pub use reversible::{Reversed, Reversible};
pub(crate) use successors::reached_by;
pub use successors::{Successor, SuccessorBuffer, Successors};
pub use unrolled::{UnrolledSuccessors, Visit};

/// A state space: the successors of a state with their costs, a heuristic, and the goals.
///
/// This is all that an engine needs. States are generated on demand, so the space may be infinite.
///
/// # Example
///
/// Reach a number from a start by adding one (cost 1) or doubling (cost 2):
///
/// ```
/// use bestfirst::{SearchProblem, Successors};
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
///         if n <= self.0 {
///             next.push("double", n * 2, 2);
///         }
///     }
///
///     fn is_goal(&self, &n: &u32) -> bool {
///         n == self.0
///     }
/// }
///
/// let report = bestfirst::dijkstra(&Reach(11), 1)?;
/// let path = report.path().expect("every number from 1 on can be reached");
/// assert_eq!(path.cost(), 7);
/// assert_eq!(path.actions().last(), Some(&"add one"));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
///
/// # Extensions and adapters
///
/// | to state | use |
/// |---|---|
/// | a problem | [`SearchProblem`]: successors, heuristic, goal test |
/// | a problem in closures | [`FnProblem`] |
/// | a numbering of the states, so that tables need no hashing | [`DenseStates`] |
/// | actions that can be applied to a state and undone | [`InPlaceProblem`] |
/// | states that make others redundant | [`Dominance`] |
/// | the predecessors of a state | [`Reversible`]; [`Reversed`] is then the reversed problem |
///
/// | to change | use |
/// |---|---|
/// | the heuristic | [`WithHeuristic`], [`IgnoreHeuristic`] |
/// | the estimate of the steps to a goal | [`WithStepsLeft`] |
/// | the goal | [`IgnoreGoal`] |
/// | the costs | [`EqualSteps`] |
/// | nothing, but check it during a search | [`Checked`](crate::check::Checked) |
///
/// Adapters may be nested. `&P`, `Box<P>`, `Rc<P>` and `Arc<P>` are problems if `P` is, and trait
/// objects are, too. Adapters and pointers forward all five traits as far as `P` implements them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a search problem",
    label = "this type does not say what its states, successors and goals are",
    note = "for closures, call `bestfirst::solve(start, successors, heuristic, is_goal)`, or `bfs(start, successors, is_goal)` for the fewest steps; for the other engines, make a problem of them by `FnProblem::new`",
    note = "or implement `bestfirst::SearchProblem`: `State`, `Action`, `Cost`, `successors` and `is_goal`",
    note = "`&P`, `Box<P>`, `Rc<P>` and `Arc<P>` are problems if `P` is"
)]
pub trait SearchProblem {
    /// A node of the state space. Equal states are the same node. Small states make a search faster and its tables
    /// smaller.
    type State: Clone + Eq + Hash;

    /// The label of a step from a state to a successor; `()` if only the states matter. Engines do not store
    /// actions: to return a path, they expand its states again and find the actions.
    type Action: Clone;

    /// The cost of a step.
    type Cost: Cost;

    /// Pushes every successor of `state`: the action, the state that it leads to, and the cost of that
    /// step.
    ///
    /// It must push the same successors in the same order each time it is called for the same
    /// state. Costs must not be negative: a search that meets a negative cost ends with a
    /// [`SearchError`](crate::SearchError).
    fn successors(&self, state: &Self::State, next: &mut Successors<Self>);

    /// Returns a lower bound on the cost from `state` to a goal; [`Cost::INFINITY`] means that no goal can be
    /// reached (a dead end). Zero by default.
    ///
    /// # It must be admissible
    ///
    /// A heuristic is *admissible* if it never exceeds the cost of a cheapest path from the state to a
    /// goal, for any state. **Engines return cheapest paths only if the heuristic is admissible.** In
    /// general no engine notices a heuristic that overestimates, such as 2·h for an admissible h: the
    /// path is still a real path with its real cost, but a cheaper one may exist, and
    /// [`Report::is_optimal`](crate::Report::is_optimal), which presumes an admissible heuristic, may
    /// be true. For bounded suboptimal search, keep the heuristic admissible and use
    /// `AStar::weight`. [`check::admissible`](crate::check::admissible) tests a heuristic on small
    /// instances.
    ///
    /// The heuristic need not be *consistent* (fall by no more than the cost of each step): engines
    /// reopen states where necessary. A value below zero counts as zero, and so does any value at a
    /// goal.
    fn heuristic(&self, state: &Self::State) -> Self::Cost {
        let _ = state;
        Self::Cost::ZERO
    }

    /// Returns an estimate of the number of steps from `state` to the nearest goal, for [`Focal`](crate::Focal)
    /// search, which prefers states with few steps left where step costs differ. Any number is valid: the proved bound
    /// does not depend on it. With `None`, the default, *h* is used instead.
    #[inline]
    fn steps_left(&self, state: &Self::State) -> Option<u32> {
        let _ = state;
        None
    }

    /// Whether `state` is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// A hint that `state` will probably be expanded a few expansions later, or, in a large graph, that it has become open. Does nothing
    /// by default.
    ///
    /// A problem that looks its successors up in large tables can load them into the
    /// cache: see [`prefetch::prefetch`](crate::prefetch::prefetch). The call must have no observable
    /// effect. Engines may call it for any state, any number of times, or never.
    #[inline]
    fn prefetch(&self, state: &Self::State) {
        let _ = state;
    }
}

/// Calls [`SearchProblem::successors`] for the engines of the one driver, and for paths: nothing else of theirs does. The
/// compiler inlines a user's closure, and the iterator that it returns, best where they are called from one place.
#[inline(never)]
pub(crate) fn generate<P: SearchProblem + ?Sized>(
    problem: &P,
    state: &P::State,
    next: &mut Successors<P>,
) {
    // Without actions it probably is made of closures. They allocate by themselves, or return lists.
    if const { size_of::<P::Action>() > 0 } {
        next.allocate_first();
    }
    problem.successors(state, next);
}
