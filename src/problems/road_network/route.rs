//! [`Route`]: the search problem.

use super::sphere::great_circle;
use super::{NodeId, RoadNetwork};
use crate::problem::{DenseStates, Reversible, SearchProblem, Successors};

/// The problem of reaching a node of a [`RoadNetwork`].
///
/// Costs are `u32`. If the cost of a path does not fit, the search ends with
/// [`SearchError::Overflow`](crate::SearchError::Overflow).
#[derive(Clone, Copy, Debug)]
pub struct Route<'n> {
    pub(super) network: &'n RoadNetwork,
    pub(super) goal: NodeId,
    /// The coordinates of the goal, if the factor is not zero.
    pub(super) place: [f64; 3],
    pub(super) factor: f64,
}

impl<'n> Route<'n> {
    /// Sets the heuristic to the great circle in metres times `factor`, rounded down.
    ///
    /// It is consistent for every factor up to [`RoadNetwork::largest_factor`]. On the New York network of
    /// the DIMACS challenge, whose weights are about ten a metre, 7.15 is consistent, and 10 is not
    /// admissible. If the coordinates are not known, or the factor is not above 0, the heuristic is 0.
    #[must_use]
    pub fn great_circle(mut self, factor: f64) -> Self {
        if let (Some(place), true) = (self.network.places.get(self.goal.index()), factor > 0.0) {
            self.place = *place;
            self.factor = factor;
        } else {
            self.factor = 0.0;
        }
        self
    }

    /// Returns the goal.
    #[must_use]
    pub fn goal(&self) -> NodeId {
        self.goal
    }

    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &'n RoadNetwork {
        self.network
    }

    /// Returns the great circle between a node and a place, times the factor, rounded down.
    #[inline]
    fn bound(&self, node: NodeId, place: &[f64; 3]) -> u32 {
        let Some(at) = self.network.places.get(node.index()) else { return 0 };
        // The distances are exact to 10⁻⁸ metres or so, far less than what is subtracted here. The
        // largest u32 means that there is no path.
        let estimate = great_circle(at, place) * self.factor * (1.0 - 1e-9) - 1e-6;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let estimate = estimate as u32;
        estimate.min(u32::MAX - 1)
    }
}

impl SearchProblem for Route<'_> {
    type State = NodeId;
    type Action = ();
    type Cost = u32;

    #[inline]
    fn successors(&self, &node: &NodeId, next: &mut Successors<Self>) {
        for arc in self.network.leaving.at(node) {
            next.push((), arc.end, arc.weight);
        }
    }

    #[inline]
    fn heuristic(&self, node: &NodeId) -> u32 {
        if self.factor == 0.0 { 0 } else { self.bound(*node, &self.place) }
    }

    #[inline]
    fn is_goal(&self, &node: &NodeId) -> bool {
        node == self.goal
    }

    #[inline]
    fn prefetch(&self, &node: &NodeId) {
        self.network.leaving.prefetch(node);
    }
}

impl DenseStates for Route<'_> {
    #[inline]
    fn state_count(&self) -> usize {
        self.network.node_count()
    }

    #[inline]
    fn state_index(&self, node: &NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn state_at(&self, index: usize) -> NodeId {
        #[expect(clippy::cast_possible_truncation, reason = "below the count, which is a u32")]
        NodeId(index as u32)
    }
}

impl Reversible for Route<'_> {
    #[inline]
    fn predecessors(&self, &node: &NodeId, previous: &mut Successors<Self>) {
        for arc in self.network.entering.at(node) {
            previous.push((), arc.end, arc.weight);
        }
    }

    fn goals(&self) -> impl Iterator<Item = NodeId> {
        std::iter::once(self.goal)
    }

    #[inline]
    fn heuristic_from(&self, start: &NodeId, node: &NodeId) -> u32 {
        match self.network.places.get(start.index()) {
            Some(start) if self.factor > 0.0 => self.bound(*node, start),
            _ => 0,
        }
    }
}
