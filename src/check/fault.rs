//! [`ProblemFault`]: the error of a check.

use std::fmt;

/// An error in a problem, with all values.
///
/// Here, a value is *NaN* if it is not comparable, not even with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemFault<S, C> {
    /// The cost of a step is negative or NaN.
    Step {
        /// The state that the step leaves.
        from: S,
        /// The state that it leads to.
        to: S,
        /// The cost of the step.
        cost: C,
    },
    /// A heuristic value is NaN.
    NotANumber {
        /// The state.
        state: S,
        /// The heuristic value.
        h: C,
    },
    /// The heuristic falls by more than the cost of a step.
    Inconsistent {
        /// The state that the step leaves.
        from: S,
        /// The heuristic value of that state.
        h_from: C,
        /// The state that the step leads to.
        to: S,
        /// The heuristic value of that state; zero at a goal.
        h_to: C,
        /// The cost of the step.
        cost: C,
    },
    /// The heuristic overestimates: it exceeds the cost of a path to a goal.
    Overestimate {
        /// The state.
        state: S,
        /// The heuristic value of that state.
        h: C,
        /// The cost of a path from that state to a goal.
        cost: C,
    },
    /// The heuristic value is [`INFINITY`](crate::Cost::INFINITY), which says that no goal can be reached, but one can.
    FalseDeadEnd {
        /// The state.
        state: S,
        /// The heuristic value of that state.
        h: C,
    },
    /// A step is among the successors of `from`, but not among the predecessors of `to`.
    NoPredecessor {
        /// The state that the step leaves.
        from: S,
        /// The state that it leads to.
        to: S,
        /// The cost of the step.
        cost: C,
    },
    /// A step is among the predecessors of `to`, but not among the successors of `from`.
    NoSuccessor {
        /// The state that the step leaves.
        from: S,
        /// The state that it leads to.
        to: S,
        /// The cost of the step.
        cost: C,
    },
    /// A step has one cost among the successors and another among the predecessors.
    CostsDiffer {
        /// The state that the step leaves.
        from: S,
        /// The state that it leads to.
        to: S,
        /// Its cost among the successors of `from`.
        forward: C,
        /// Its cost among the predecessors of `to`.
        backward: C,
    },
    /// A step has one action among the successors and another among the predecessors.
    ActionsDiffer {
        /// The state that the step leaves.
        from: S,
        /// The state that it leads to.
        to: S,
        /// The cost of the step.
        cost: C,
    },
    /// The costs of a step in several abstractions add up to more than the step costs.
    NotDisjoint {
        /// The state that the step leaves.
        from: S,
        /// The state that it leads to.
        to: S,
        /// Its cost.
        cost: C,
        /// The sum of its costs in all abstractions.
        sum: C,
    },
    /// An abstraction has no step for a step of the problem.
    NotAbstract {
        /// The state that the step leaves.
        from: S,
        /// The state that it leads to.
        to: S,
        /// The number of the abstraction, counted from 0.
        abstraction: usize,
    },
    /// [`goals`](crate::Reversible::goals) yields a state that is not a goal.
    NotAGoal {
        /// The state.
        state: S,
    },
    /// [`goals`](crate::Reversible::goals) does not yield this goal.
    MissingGoal {
        /// The goal.
        state: S,
    },
}

impl<S: fmt::Debug, C: fmt::Debug> fmt::Display for ProblemFault<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step { from, to, cost } => write!(
                f,
                "the step from {from:?} to {to:?} costs {cost:?}; a cost must be neither \
                 negative nor NaN"
            ),
            Self::NotANumber { state, h } => {
                write!(f, "h({state:?}) = {h:?}, which is not a number")
            }
            Self::Inconsistent { from, h_from, to, h_to, cost } => write!(
                f,
                "inconsistent: h({from:?}) = {h_from:?}, but a step to {to:?} costs {cost:?} and \
                 h({to:?}) = {h_to:?}"
            ),
            Self::FalseDeadEnd { state, h } => write!(
                f,
                "false dead end: h({state:?}) = {h:?} says that no goal can be reached, but one can"
            ),
            Self::Overestimate { state, h, cost } => {
                write!(f, "overestimate: h({state:?}) = {h:?}, but a path to a goal costs {cost:?}")
            }
            Self::NoPredecessor { from, to, cost } => write!(
                f,
                "{from:?} has the successor {to:?} at cost {cost:?}, but {from:?} is not among the \
                 predecessors of {to:?}"
            ),
            Self::NoSuccessor { from, to, cost } => write!(
                f,
                "{to:?} has the predecessor {from:?} at cost {cost:?}, but {to:?} is not among the \
                 successors of {from:?}"
            ),
            Self::CostsDiffer { from, to, forward, backward } => write!(
                f,
                "the step from {from:?} to {to:?} costs {forward:?} among the successors of \
                 {from:?}, but {backward:?} among the predecessors of {to:?}"
            ),
            Self::ActionsDiffer { from, to, cost } => write!(
                f,
                "the step from {from:?} to {to:?} at cost {cost:?} has one action among the \
                 successors of {from:?} and another among the predecessors of {to:?}"
            ),
            Self::NotDisjoint { from, to, cost, sum } => write!(
                f,
                "not disjoint: the step from {from:?} to {to:?} costs {cost:?}, but {sum:?} in all \
                 abstractions together"
            ),
            Self::NotAbstract { from, to, abstraction } => write!(
                f,
                "not an abstraction: abstraction {abstraction} (counted from 0) has no step for the \
                 step from {from:?} to {to:?}"
            ),
            Self::NotAGoal { state } => {
                write!(f, "goals() yields {state:?}, but is_goal({state:?}) is false")
            }
            Self::MissingGoal { state } => {
                write!(f, "is_goal({state:?}) is true, but goals() does not yield {state:?}")
            }
        }
    }
}

impl<S: fmt::Debug, C: fmt::Debug> std::error::Error for ProblemFault<S, C> {}
