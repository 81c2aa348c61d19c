//! [`WithHierarchy`]: a problem whose heuristic is the exact distance.

use std::cell::RefCell;

use super::memo::{Distance, Memo};
use super::pool::Pooled;
use super::upward::Way;
use super::{DistanceError, Hierarchy};
use crate::cost::ScalableCost;
use crate::debug::show_fields;
use crate::heuristics::stored::no_dead_end;
use crate::problem::forward::forward;
use crate::problem::{DenseStates, Reversible, SearchProblem};

/// A problem whose heuristic is the exact distance to its nearest goal in the problem that a [`Hierarchy`] was made of:
/// what [`Hierarchy::to`] returns.
///
/// A distance is computed when it is asked for, from those of some states of higher rank, and kept. A* expands little
/// more than the states of the path. [`heuristic_from`](Reversible::heuristic_from), the bound for searches backwards,
/// is exact as well.
///
/// It holds memory that changes while it is asked, so it cannot be shared between threads.
///
/// # Memory
///
/// 20 bytes a state where costs take 4 bytes (32 where they take 8), once a value is asked for, and as much again once
/// [`heuristic_from`](Reversible::heuristic_from) is asked; beside that, a list of the states that a search upwards opens, some
/// kilobytes. A clone begins with nothing. [`bytes`](Self::bytes) returns the sum. As with every problem and
/// its heuristic, this is not part of what a [limit on memory](crate::Limits::memory) counts: subtract it. What one
/// has used is left to the next one of the same hierarchy.
///
/// # Costs that have risen
///
/// The heuristic remains admissible and consistent when steps have become dearer or have been closed since the hierarchy
/// was made, as with traffic, and when a path may cost more than its steps, as with turn costs. (For turn costs, let
/// the states be steps, and look up the distances by [`Hierarchy::to`] of the problem without.) It is not admissible
/// if a step has become cheaper or was added: [`check::admissible`](crate::check::admissible) tests that. For costs that
/// fall as well, a [`CustomizableHierarchy`](crate::heuristics::CustomizableHierarchy) makes a hierarchy of its own.
///
/// ```
/// use bestfirst::heuristics::Hierarchy;
/// use bestfirst::problems::road_network::RoadNetwork;
/// use bestfirst::{AStar, SearchProblem};
///
/// let network = RoadNetwork::new(4, &[(1, 2, 3), (2, 4, 4), (1, 3, 5), (3, 4, 5)])?;
/// let hierarchy = Hierarchy::of(&network.route_to(network.node(1).unwrap())).build()?;
///
/// // A traffic jam on the arc from 2 to 4.
/// let today = RoadNetwork::new(4, &[(1, 2, 3), (2, 4, 40), (1, 3, 5), (3, 4, 5)])?;
/// let [one, three, four] = [1, 3, 4].map(|number| today.node(number).unwrap());
/// let problem = hierarchy.to(today.route_to(four))?;
/// assert_eq!((problem.heuristic(&one), problem.heuristic(&three)), (7, 5));
/// assert_eq!(AStar::new(&problem).dense().search(one).run()?.cost(), Some(10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WithHierarchy<'h, P: SearchProblem> {
    problem: P,
    hierarchy: &'h Hierarchy<P::Cost>,
    /// The distances to the goals, once they are asked for.
    to_goals: RefCell<Option<Pooled<'h, Memo<P::Cost>>>>,
    /// The distances from the start that was asked for last, by its rank.
    from_start: RefCell<Option<FromStart<'h, P::Cost>>>,
}

/// The rank of a start, and the distances from it.
type FromStart<'h, C> = (u32, Pooled<'h, Memo<C>>);

impl<C: ScalableCost> Hierarchy<C> {
    /// Returns the problem with the exact distance as its heuristic. Its own heuristic is not asked any more.
    ///
    /// The problem (owned or borrowed) must have the same states as the one that the hierarchy was made of, and its steps
    /// must cost no less; its goals may be others. That it has as many states is checked; whether it is the same is not,
    /// and with another one the heuristic may overestimate.
    ///
    /// Takes constant time; the first value that is asked for, one search upwards from the goals.
    ///
    /// # Errors
    ///
    /// [`DistanceError::OtherProblem`] if the problem has another number of states.
    pub fn to<P>(&self, problem: P) -> Result<WithHierarchy<'_, P>, DistanceError<C>>
    where
        P: Reversible + DenseStates<Cost = C>,
    {
        self.check(&problem)?;
        Ok(WithHierarchy::new(problem, self))
    }
}

impl<'h, P> WithHierarchy<'h, P>
where
    P: Reversible + DenseStates,
    P::Cost: ScalableCost,
{
    fn new(problem: P, hierarchy: &'h Hierarchy<P::Cost>) -> Self {
        let (to_goals, from_start) = (RefCell::new(None), RefCell::new(None));
        Self { problem, hierarchy, to_goals, from_start }
    }

    /// Searches upwards from the goals.
    #[cold]
    fn search_from_goals(&self) -> Pooled<'h, Memo<P::Cost>> {
        let mut memo = self.hierarchy.memo();
        let indices = self.problem.goals().map(|goal| self.problem.state_index(&goal));
        let goals = indices.filter_map(|index| self.hierarchy.ranks.get(index).copied());
        memo.begin(&self.hierarchy.graph, Way::Forwards, goals);
        memo
    }

    /// The rank of a state; `None` if its index is out of range.
    #[inline]
    fn rank(&self, state: &P::State) -> Option<u32> {
        self.hierarchy.ranks.get(self.problem.state_index(state)).copied()
    }

    /// A distance as a heuristic value. For floats it is lowered by what rounding may have added.
    fn estimate(&self, distance: Distance<P::Cost>) -> P::Cost {
        use crate::cost::Cost;
        match distance {
            Distance::Exact(cost) => no_dead_end(cost.at_least_minus(P::Cost::ZERO)),
            Distance::Unreached if !self.hierarchy.overflows => P::Cost::INFINITY,
            Distance::Unreached | Distance::TooLarge => no_dead_end(P::Cost::INFINITY),
        }
    }
}

impl<P: SearchProblem> WithHierarchy<'_, P> {
    /// Returns the inner problem.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// Returns the bytes that the distances take now, without the hierarchy and the inner problem.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let (mut to_goals, mut from_start) =
            (self.to_goals.borrow_mut(), self.from_start.borrow_mut());
        let memos = to_goals.as_mut().into_iter().chain(from_start.as_mut().map(|(_, memo)| memo));
        memos.map(|memo| memo.bytes()).sum()
    }
}

impl<P> Clone for WithHierarchy<'_, P>
where
    P: Reversible + DenseStates + Clone,
    P::Cost: ScalableCost,
{
    fn clone(&self) -> Self {
        Self::new(self.problem.clone(), self.hierarchy)
    }
}

show_fields! { [P: SearchProblem] WithHierarchy<'_, P>, "WithHierarchy" { hierarchy } }

forward! {
    [P] WithHierarchy<'_, P>, |adapter| &adapter.problem;
    where [P: Reversible + DenseStates, P::Cost: ScalableCost]
    SearchProblem {
        #[inline]
        fn heuristic(&self, state: &Self::State) -> Self::Cost {
            let Some(rank) = self.rank(state) else { return crate::cost::Cost::ZERO };
            let mut to_goals = self.to_goals.borrow_mut();
            let memo = to_goals.get_or_insert_with(|| self.search_from_goals());
            self.estimate(memo.distance(&self.hierarchy.graph, rank))
        }
    }
    Reversible {
        fn heuristic_from(&self, start: &Self::State, state: &Self::State) -> Self::Cost {
            let [Some(start), Some(rank)] = [start, state].map(|state| self.rank(state)) else {
                return crate::cost::Cost::ZERO;
            };
            let graph = &self.hierarchy.graph;
            let mut from_start = self.from_start.borrow_mut();
            let (of, memo) = from_start.get_or_insert_with(|| (u32::MAX, self.hierarchy.memo()));
            if *of != start {
                memo.begin(graph, Way::Backwards, [start]);
                *of = start;
            }
            self.estimate(memo.distance(graph, rank))
        }
    }
}
