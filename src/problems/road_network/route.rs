//! [`Route`]: the search problem.

use std::fmt;
use std::marker::PhantomData;

use super::sphere::great_circle;
use super::{ArcId, NodeId, RoadNetwork};
use crate::problem::{DenseStates, Reversible, SearchProblem, Successors};

/// The problem of reaching a node of a [`RoadNetwork`].
///
/// Costs are `u32`. If the cost of a path does not fit, the search ends with
/// [`SearchError::Overflow`](crate::SearchError::Overflow).
///
/// An action says nothing by default: the nodes of a path say which way it takes. [`by_arc`](Self::by_arc) makes arcs the
/// actions, which tells parallel arcs apart.
#[derive(Clone, Copy, Debug)]
pub struct Route<'n, A = ()> {
    pub(super) network: &'n RoadNetwork,
    pub(super) goal: NodeId,
    /// The coordinates of the goal, if the factor is not zero.
    pub(super) place: [f64; 3],
    pub(super) factor: f64,
    pub(super) action: PhantomData<A>,
}

/// The actions of a [`Route`]: nothing, or arcs. This trait is sealed.
pub trait RouteAction: Copy + fmt::Debug + sealed::OfArc {}

impl RouteAction for () {}
impl RouteAction for ArcId {}

mod sealed {
    use super::ArcId;

    pub trait OfArc {
        /// The action of an arc, whose number `number` finds.
        fn of(number: impl FnOnce() -> u32) -> Self;
    }

    impl OfArc for () {
        #[inline]
        fn of(_number: impl FnOnce() -> u32) {}
    }

    impl OfArc for ArcId {
        #[inline]
        fn of(number: impl FnOnce() -> u32) -> Self {
            Self(number())
        }
    }
}

impl<'n> Route<'n> {
    /// Returns the same problem with arcs as its actions, for networks that
    /// [keep parallel arcs](super::RoadNetworkBuilder::keep_parallel_arcs).
    ///
    /// ```
    /// use bestfirst::KBest;
    /// use bestfirst::problems::road_network::RoadNetwork;
    ///
    /// let arcs = [(1, 2, 7), (2, 3, 1), (1, 2, 5)];
    /// let network = RoadNetwork::builder().keep_parallel_arcs().build(3, &arcs)?;
    /// let (from, to) = (network.node(1).unwrap(), network.node(3).unwrap());
    /// let mut search = KBest::new(network.route_to(to).by_arc()).search(from);
    /// let best = search.next().unwrap()?;
    /// let arcs: Vec<_> = best.actions().map(|&arc| network.arc(arc).unwrap()).collect();
    /// assert_eq!(arcs, [(from, network.node(2).unwrap(), 5), (network.node(2).unwrap(), to, 1)]);
    /// let second = search.next().unwrap()?;
    /// assert_eq!((second.cost(), second.states()), (8, best.states()));
    /// assert!(best.actions().ne(second.actions()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn by_arc(self) -> Route<'n, ArcId> {
        let Self { network, goal, place, factor, .. } = self;
        Route { network, goal, place, factor, action: PhantomData }
    }
}

impl<'n, A> Route<'n, A> {
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

impl<A: RouteAction> SearchProblem for Route<'_, A> {
    type State = NodeId;
    type Action = A;
    type Cost = u32;

    #[inline]
    fn successors(&self, &node: &NodeId, next: &mut Successors<Self>) {
        for (nth, arc) in (0..).zip(self.network.leaving.at(node)) {
            let action = A::of(|| self.network.leaving.first_at(node) + nth);
            next.push(action, arc.end, arc.weight);
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

impl<A: RouteAction> DenseStates for Route<'_, A> {
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

impl<A: RouteAction> Reversible for Route<'_, A> {
    #[inline]
    fn predecessors(&self, &node: &NodeId, previous: &mut Successors<Self>) {
        let arcs = self.network.entering.at(node);
        for (nth, arc) in arcs.iter().enumerate() {
            let action = A::of(|| {
                // Parallel arcs are in the same order at both ends.
                let copy = arcs[..nth].iter().filter(|before| before.end == arc.end).count();
                let leaving = &self.network.leaving;
                let mut places = (leaving.first_at(arc.end)..).zip(leaving.at(arc.end));
                let place = places.by_ref().filter(|(_, there)| there.end == node).nth(copy);
                place.map_or(u32::MAX, |(place, _)| place)
            });
            previous.push(action, arc.end, arc.weight);
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
