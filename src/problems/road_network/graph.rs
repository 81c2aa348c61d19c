//! [`RoadNetwork`]: the graph.

use std::marker::PhantomData;

use super::sphere::great_circle;
use super::{ArcId, NodeId, RoadError, RoadNetworkBuilder, Route};
use crate::prefetch::prefetch;
use crate::problems::memory::{self, OutOfMemory};

/// An arc at one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    /// The node at the other end.
    pub(super) end: NodeId,
    pub(super) weight: u32,
}

/// The arcs at each node, those of one node adjacent and in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arcs {
    /// For each node, the index of its first arc; the number of arcs at the end.
    first: Vec<u32>,
    list: Vec<Arc>,
}

/// A directed graph with weights from 0 to 2³² − 1, and the coordinates of its nodes if they are known.
///
/// An arc is stored at both of its ends, so that a network can be searched in both directions: 8 bytes each,
/// at every node in the order of the file. Of parallel arcs, those from one node to the same other one, only the cheapest is
/// kept: [`left_out`](Self::left_out) says how many there were beside it, and [`builder`](Self::builder) makes a network that
/// has them all. Loops are kept. A node takes 8 bytes, and 24 more with its coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadNetwork {
    pub(super) leaving: Arcs,
    pub(super) entering: Arcs,
    /// The number of arcs beside a parallel one that is no dearer.
    left_out: usize,
    /// For each node, the unit vector from the centre of the Earth; empty if unknown.
    pub(super) places: Vec<[f64; 3]>,
}

impl RoadNetwork {
    /// Returns the network of `nodes` nodes with these arcs: tail, head (both counted from 1, as in the files),
    /// weight.
    ///
    /// ```
    /// use bestfirst::problems::road_network::RoadNetwork;
    ///
    /// let network = RoadNetwork::new(2, &[(1, 2, 7), (1, 2, 5)])?;
    /// let route = network.route_to(network.node(2).unwrap());
    /// assert_eq!(bestfirst::dijkstra(&route, network.node(1).unwrap())?.cost(), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - [`RoadError::NoNode`] if a node does not exist,
    /// - [`RoadError::TooLarge`] if there are too many nodes or arcs,
    /// - [`RoadError::OutOfMemory`] if the network does not fit into memory.
    pub fn new(nodes: u32, arcs: &[(u32, u32, u32)]) -> Result<Self, RoadError> {
        Self::builder().build(nodes, arcs)
    }

    /// Returns a builder: for networks that keep parallel arcs, and for nodes that are counted from 0.
    pub fn builder() -> RoadNetworkBuilder {
        RoadNetworkBuilder::default()
    }

    /// Sorts arcs by their tails, which exist. The arcs of a node keep their order.
    pub(super) fn compress(
        options: RoadNetworkBuilder,
        nodes: u32,
        arcs: &[(u32, u32, u32)],
    ) -> Result<Self, RoadError> {
        if u32::try_from(arcs.len()).is_err() || nodes == u32::MAX {
            return Err(RoadError::TooLarge { nodes, arcs: arcs.len() });
        }
        let too_large = |OutOfMemory { bytes }| RoadError::OutOfMemory {
            nodes: nodes as usize,
            arcs: arcs.len(),
            bytes,
        };
        let first = u32::from(!options.is_from_zero);
        let forwards = arcs.iter().map(|&(from, to, weight)| (from - first, to - first, weight));
        let backwards = forwards.clone().map(|(from, to, weight)| (to, from, weight));
        let mut leaving = Arcs::sorted(nodes, forwards).map_err(too_large)?;
        let mut entering = Arcs::sorted(nodes, backwards).map_err(too_large)?;
        if !options.keeps_parallel {
            let mut places = memory::filled(0, nodes as usize).map_err(too_large)?;
            leaving.keep_cheapest(&mut places);
            places.fill(0);
            entering.keep_cheapest(&mut places);
        }
        let left_out = arcs.len() - leaving.list.len();
        Ok(Self { leaving, entering, left_out, places: Vec::new() })
    }

    /// Returns the node with this number, counted from 1; `None` if there is none.
    #[must_use]
    pub fn node(&self, number: u32) -> Option<NodeId> {
        let index = number.checked_sub(1)?;
        ((index as usize) < self.node_count()).then_some(NodeId(index))
    }

    /// Returns all nodes in order.
    #[must_use]
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<> {
        #[expect(clippy::cast_possible_truncation, reason = "the constructor takes a u32")]
        (0..self.node_count() as u32).map(NodeId)
    }

    /// Returns the number of nodes.
    #[inline]
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.leaving.first.len() - 1
    }

    /// Returns the number of arcs, without those that were [left out](Self::left_out).
    #[must_use]
    pub fn arc_count(&self) -> usize {
        self.leaving.list.len()
    }

    /// Returns the arcs that leave `node`: their heads and weights. A node of another network may have none.
    #[must_use]
    pub fn arcs(&self, node: NodeId) -> impl ExactSizeIterator<Item = (NodeId, u32)> + '_ {
        self.leaving.at(node).iter().map(|arc| (arc.end, arc.weight))
    }

    /// Returns the number of arcs that were left out because a parallel one is as cheap or cheaper.
    ///
    /// On the New York network of the DIMACS challenge these are 3,746 of 733,846. As arcs of their own they would make
    /// eight routes of one that leads over three of them.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Returns an arc: its tail, head and weight; `None` if there is none with this number.
    ///
    /// Takes a binary search among the nodes.
    #[must_use]
    pub fn arc(&self, arc: ArcId) -> Option<(NodeId, NodeId, u32)> {
        let Arc { end, weight } = *self.leaving.list.get(arc.0 as usize)?;
        let tail = self.leaving.first.partition_point(|&first| first <= arc.0) - 1;
        Some((NodeId(u32::try_from(tail).ok()?), end, weight))
    }

    /// Returns a lower bound on the distance between two nodes over the surface of the Earth, in metres. It is
    /// accurate to a millimetre over a hundred kilometres, and too small by some percent beyond a
    /// quarter of the circumference. `None` if the coordinates are not known.
    ///
    /// It satisfies the triangle inequality.
    #[must_use]
    pub fn great_circle(&self, from: NodeId, to: NodeId) -> Option<f64> {
        Some(great_circle(self.places.get(from.index())?, self.places.get(to.index())?))
    }

    /// Returns the coordinates of a node in degrees, longitude and latitude, up to rounding; `None` if they are not known.
    #[must_use]
    pub fn place(&self, node: NodeId) -> Option<[f64; 2]> {
        let [x, y, z] = *self.places.get(node.index())?;
        Some([y.atan2(x), z.clamp(-1.0, 1.0).asin()].map(f64::to_degrees))
    }

    /// Returns the same network with other weights: those that `weight` returns for the tail, the head and the weight of
    /// an arc. For traffic, closures and the like; a [`Hierarchy`](crate::heuristics::Hierarchy) or
    /// [`Landmarks`](crate::heuristics::Landmarks) of this network remain good heuristics where no weight falls; a
    /// [`CustomizableHierarchy`](crate::heuristics::CustomizableHierarchy) takes any weights.
    ///
    /// ```
    /// use bestfirst::problems::road_network::RoadNetwork;
    ///
    /// let network = RoadNetwork::new(3, &[(1, 2, 7), (2, 3, 5), (1, 3, 13)])?;
    /// let [one, two, three] = [1, 2, 3].map(|number| network.node(number).unwrap());
    /// let jam = network.with_weights(|tail, _head, weight| if tail == two { 2 * weight } else { weight })?;
    /// assert_eq!(bestfirst::dijkstra(&jam.route_to(three), one)?.cost(), Some(13));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RoadError::OutOfMemory`] if the network does not fit into memory.
    pub fn with_weights(
        &self,
        weight: impl Fn(NodeId, NodeId, u32) -> u32,
    ) -> Result<Self, RoadError> {
        let (nodes, arcs) = (self.node_count(), self.arc_count());
        let too_large = |OutOfMemory { bytes }| RoadError::OutOfMemory { nodes, arcs, bytes };
        let weigh = |from: &Arcs, weight: &dyn Fn(NodeId, NodeId, u32) -> u32| {
            let mut list = memory::with_capacity(arcs)?;
            for node in self.nodes() {
                list.extend(from.at(node).iter().map(|arc| {
                    let weight = weight(node, arc.end, arc.weight);
                    Arc { weight, ..*arc }
                }));
            }
            let first = memory::collect(from.first.iter().copied())?;
            Ok(Arcs { first, list })
        };
        Ok(Self {
            leaving: weigh(&self.leaving, &weight).map_err(too_large)?,
            entering: weigh(&self.entering, &|head, tail, old| weight(tail, head, old))
                .map_err(too_large)?,
            left_out: self.left_out,
            places: memory::collect(self.places.iter().copied()).map_err(too_large)?,
        })
    }

    /// Returns the largest factor for which the great-circle heuristic of this network is consistent: the least
    /// weight per metre of all arcs. `None` if the coordinates are not known; infinite if no arc joins two
    /// different places.
    ///
    /// It takes time proportional to the number of arcs. A single node with wrong coordinates can make
    /// the factor small, and the heuristic weak.
    #[must_use]
    pub fn largest_factor(&self) -> Option<f64> {
        if self.places.is_empty() {
            return None;
        }
        let mut least = f64::INFINITY;
        for node in self.nodes() {
            for (head, weight) in self.arcs(node) {
                let metres = self.great_circle(node, head)?;
                if metres > 0.0 {
                    least = least.min(f64::from(weight) / metres);
                }
            }
        }
        Some(least)
    }

    /// Returns the problem of reaching `goal`, with the heuristic zero; [`Route::great_circle`] sets another.
    #[must_use]
    pub fn route_to(&self, goal: NodeId) -> Route<'_> {
        Route { network: self, goal, place: [0.0; 3], factor: 0.0, action: PhantomData }
    }
}

impl Arcs {
    /// Sorts arcs by the first of their two ends, which exist and are counted from 0.
    fn sorted(
        nodes: u32,
        arcs: impl ExactSizeIterator<Item = (u32, u32, u32)> + Clone,
    ) -> Result<Self, OutOfMemory> {
        // The number of arcs of each node, then the sums over all nodes before, which advance as the arcs
        // are copied.
        let mut first = memory::filled(0_u32, (nodes as usize).saturating_add(2))?;
        let mut list = memory::filled(Arc { end: NodeId(0), weight: 0 }, arcs.len())?;
        for (node, _, _) in arcs.clone() {
            first[node as usize + 2] += 1;
        }
        for node in 3..first.len() {
            first[node] += first[node - 1];
        }
        for (node, end, weight) in arcs {
            let place = &mut first[node as usize + 1];
            list[*place as usize] = Arc { end: NodeId(end), weight };
            *place += 1;
        }
        first.truncate(nodes as usize + 1);
        Ok(Self { first, list })
    }

    /// Keeps the cheapest of the arcs between the same nodes, at the place of the first. `places` has a zero for each node.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³² arcs")]
    fn keep_cheapest(&mut self, places: &mut [u32]) {
        let Self { first, list } = self;
        let (mut kept, mut next) = (0, 0);
        for end in &mut first[1..] {
            let begin = kept;
            while next < *end as usize {
                let arc = list[next];
                next += 1;
                // One more than the place of the arc to the same node that was kept last, at whatever node that was.
                let place = &mut places[arc.end.index()];
                if *place as usize > begin {
                    let parallel = &mut list[*place as usize - 1];
                    parallel.weight = parallel.weight.min(arc.weight);
                } else {
                    list[kept] = arc;
                    kept += 1;
                    *place = kept as u32;
                }
            }
            *end = kept as u32;
        }
        list.truncate(kept);
        list.shrink_to_fit();
    }

    /// The place of the first arc at a node in the list of all.
    pub(super) fn first_at(&self, node: NodeId) -> u32 {
        self.first.get(node.index()).copied().unwrap_or(0)
    }

    /// Returns the arcs at `node`. A node of another network may be out of range: it has none.
    #[inline]
    pub(super) fn at(&self, node: NodeId) -> &[Arc] {
        match self.first.get(node.index()..) {
            Some(&[from, to, ..]) => self.list.get(from as usize..to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// Loads the first arc at `node` into the cache.
    #[inline]
    pub(super) fn prefetch(&self, node: NodeId) {
        if let Some(&from) = self.first.get(node.index()) {
            prefetch(&self.list, from as usize);
        }
    }
}
