//! The heuristics of a [`GraphProblem`](super::GraphProblem).

use std::fmt;

use crate::cost::Cost;
use crate::debug::show_fields;

/// A lower bound on the cost to a goal, and from a start. Implemented by [`ZeroHeuristic`], [`ToGoal`] and
/// [`Between`].
pub trait Heuristic<N, C>: sealed::Sealed {
    /// Returns a lower bound on the cost from `node` to a goal.
    fn bound_to_goal(&self, node: N) -> C;

    /// Returns a lower bound on the cost from `start` to `node`.
    fn bound_from_start(&self, start: N, node: N) -> C;
}

/// Zero everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZeroHeuristic;

/// A closure of the node: see [`GraphProblem::with_heuristic`](super::GraphProblem::with_heuristic).
#[derive(Clone, Copy)]
pub struct ToGoal<F>(pub(super) F);

/// A closure of two nodes: see [`GraphProblem::with_heuristic_between`](super::GraphProblem::with_heuristic_between).
#[derive(Clone, Copy)]
pub struct Between<N, F> {
    pub(super) goal: N,
    pub(super) bound: F,
}

impl<N, C: Cost> Heuristic<N, C> for ZeroHeuristic {
    #[inline]
    fn bound_to_goal(&self, _node: N) -> C {
        C::ZERO
    }

    #[inline]
    fn bound_from_start(&self, _start: N, _node: N) -> C {
        C::ZERO
    }
}

impl<N, C: Cost, F: Fn(N) -> C> Heuristic<N, C> for ToGoal<F> {
    #[inline]
    fn bound_to_goal(&self, node: N) -> C {
        (self.0)(node)
    }

    #[inline]
    fn bound_from_start(&self, _start: N, _node: N) -> C {
        C::ZERO
    }
}

impl<N: Copy, C: Cost, F: Fn(N, N) -> C> Heuristic<N, C> for Between<N, F> {
    #[inline]
    fn bound_to_goal(&self, node: N) -> C {
        (self.bound)(node, self.goal)
    }

    #[inline]
    fn bound_from_start(&self, start: N, node: N) -> C {
        (self.bound)(start, node)
    }
}

show_fields! { [F] ToGoal<F>, "ToGoal" {} }

show_fields! { [N: fmt::Debug, F] Between<N, F>, "Between" { goal } }

mod sealed {
    pub trait Sealed {}

    impl Sealed for super::ZeroHeuristic {}
    impl<F> Sealed for super::ToGoal<F> {}
    impl<N, F> Sealed for super::Between<N, F> {}
}
