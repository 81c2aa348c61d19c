//! [`FnProblem`]: a problem made of closures.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

use super::{SearchProblem, Successors};
use crate::cost::Cost;

/// A problem made of three closures: successors as `(state, cost)` pairs, heuristic, goal test.
///
/// Its actions are `()`. [`solve`](crate::solve) is the shortcut that runs A* on it.
///
/// # Example
///
/// A knight's shortest way to the origin of an infinite board:
///
/// ```
/// use bestfirst::FnProblem;
///
/// let knight = FnProblem::new(
///     |&(x, y): &(i32, i32)| {
///         [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
///             .map(|(dx, dy)| ((x + dx, y + dy), 1_u32))
///     },
///     |&(x, y)| (x.abs().max(y.abs()) as u32).div_ceil(2),
///     |&square| square == (0, 0),
/// );
/// assert_eq!(bestfirst::astar(&knight, (7, 8))?.cost(), Some(5));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub struct FnProblem<S, F, H, G> {
    successors: F,
    heuristic: H,
    goal: G,
    state: PhantomData<fn(&S)>,
}

impl<S, C, I, F, H, G> FnProblem<S, F, H, G>
where
    S: Clone + Eq + Hash,
    C: Cost,
    I: IntoIterator<Item = (S, C)>,
    F: Fn(&S) -> I,
    H: Fn(&S) -> C,
    G: Fn(&S) -> bool,
{
    /// Creates a problem. The heuristic must be [admissible](SearchProblem::heuristic).
    #[must_use]
    pub fn new(successors: F, heuristic: H, goal: G) -> Self {
        Self { successors, heuristic, goal, state: PhantomData }
    }
}

impl<S, C, I, F, H, G> SearchProblem for FnProblem<S, F, H, G>
where
    S: Clone + Eq + Hash,
    C: Cost,
    I: IntoIterator<Item = (S, C)>,
    F: Fn(&S) -> I,
    H: Fn(&S) -> C,
    G: Fn(&S) -> bool,
{
    type State = S;
    type Action = ();
    type Cost = C;

    #[inline]
    fn successors(&self, state: &S, next: &mut Successors<Self>) {
        for (state, cost) in (self.successors)(state) {
            next.push((), state, cost);
        }
    }

    #[inline]
    fn heuristic(&self, state: &S) -> C {
        (self.heuristic)(state)
    }

    #[inline]
    fn is_goal(&self, state: &S) -> bool {
        (self.goal)(state)
    }
}

impl<S, F, H, G> fmt::Debug for FnProblem<S, F, H, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FnProblem").finish_non_exhaustive()
    }
}
