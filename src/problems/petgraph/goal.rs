//! The goals of a [`GraphProblem`](super::GraphProblem).

use crate::debug::show_fields;

/// Which nodes are goals. Implemented by [`NoGoal`], [`OneGoal`] and [`GoalWhere`].
pub trait Goal<N>: sealed::Sealed {
    /// Whether `node` is a goal.
    fn contains(&self, node: N) -> bool;

    /// Returns the goals among all `nodes` of the graph.
    fn among(&self, nodes: impl Iterator<Item = N>) -> impl Iterator<Item = N>;
}

/// No node is a goal: for the costs of all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoGoal;

/// One node is the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneGoal<N>(pub(super) N);

/// The nodes for which a closure returns true are goals.
#[derive(Clone, Copy)]
pub struct GoalWhere<F>(pub(super) F);

impl<N> Goal<N> for NoGoal {
    #[inline]
    fn contains(&self, _node: N) -> bool {
        false
    }

    fn among(&self, _nodes: impl Iterator<Item = N>) -> impl Iterator<Item = N> {
        std::iter::empty()
    }
}

impl<N: Copy + PartialEq> Goal<N> for OneGoal<N> {
    #[inline]
    fn contains(&self, node: N) -> bool {
        self.0 == node
    }

    fn among(&self, _nodes: impl Iterator<Item = N>) -> impl Iterator<Item = N> {
        std::iter::once(self.0)
    }
}

impl<N: Copy, F: Fn(N) -> bool> Goal<N> for GoalWhere<F> {
    #[inline]
    fn contains(&self, node: N) -> bool {
        (self.0)(node)
    }

    fn among(&self, nodes: impl Iterator<Item = N>) -> impl Iterator<Item = N> {
        nodes.filter(|&node| (self.0)(node))
    }
}

show_fields! { [F] GoalWhere<F>, "GoalWhere" {} }

mod sealed {
    pub trait Sealed {}

    impl Sealed for super::NoGoal {}
    impl<N> Sealed for super::OneGoal<N> {}
    impl<F> Sealed for super::GoalWhere<F> {}
}
