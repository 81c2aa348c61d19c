//! [`RoadNetwork`]: the graph.

use std::sync::OnceLock;

use super::sphere::great_circle;
use super::{NodeId, RoadError, Route};
use crate::problems::memory::{self, OutOfMemory};

/// An arc as it leaves a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    pub(super) head: NodeId,
    pub(super) weight: u32,
}

/// The arcs by their heads, made when they are asked for first. Networks are equal whether they have it or not.
#[derive(Clone, Debug, Default)]
pub(super) struct Entering(OnceLock<(Vec<u32>, Vec<Arc>)>);

impl PartialEq for Entering {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A directed graph with weights from 0 to 2³² − 1, and the coordinates of its nodes if they are known.
///
/// The arcs of a node are adjacent in one list, 8 bytes each, in the order of the file. Parallel arcs and
/// loops are kept. A node takes 4 bytes, and 24 more with its coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadNetwork {
    /// For each node, the index of its first arc; the number of arcs at the end.
    pub(super) first: Vec<u32>,
    pub(super) arcs: Vec<Arc>,
    /// For each node, the unit vector from the centre of the Earth; empty if unknown.
    pub(super) places: Vec<[f64; 3]>,
    entering: Entering,
}

impl RoadNetwork {
    /// The network of `nodes` nodes with these arcs: tail, head (both counted from 1, as in the files),
    /// weight.
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
    /// - [`RoadError::OutOfRange`] if a node does not exist; the line is the number of the arc,
    /// - [`RoadError::TooLarge`] if there are too many nodes or arcs,
    /// - [`RoadError::OutOfMemory`] if the network does not fit into memory.
    pub fn new(nodes: u32, arcs: &[(u32, u32, u32)]) -> Result<Self, RoadError> {
        for (i, &(from, to, _)) in arcs.iter().enumerate() {
            for (column, number) in [(1, from), (2, to)] {
                if number == 0 || number > nodes {
                    let range = 1..=i64::from(nodes);
                    let number = i64::from(number);
                    return Err(RoadError::OutOfRange { line: i + 1, column, number, range });
                }
            }
        }
        Self::compress(nodes, arcs)
    }

    /// Sorts arcs by their tails, which exist. The arcs of a node keep their order.
    pub(super) fn compress(nodes: u32, arcs: &[(u32, u32, u32)]) -> Result<Self, RoadError> {
        if u32::try_from(arcs.len()).is_err() || nodes == u32::MAX {
            return Err(RoadError::TooLarge { nodes, arcs: arcs.len() });
        }
        let (first, arcs) = sorted(nodes, arcs).map_err(|OutOfMemory { bytes }| {
            RoadError::OutOfMemory { nodes: nodes as usize, arcs: arcs.len(), bytes }
        })?;
        Ok(Self { first, arcs, places: Vec::new(), entering: Entering::default() })
    }

    /// The node with this number, counted from 1; `None` if there is none.
    #[must_use]
    pub fn node(&self, number: u32) -> Option<NodeId> {
        let index = number.checked_sub(1)?;
        ((index as usize) < self.node_count()).then_some(NodeId(index))
    }
    /// All nodes in order.
    #[must_use]
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<> {
        #[expect(clippy::cast_possible_truncation, reason = "the constructor takes a u32")]
        (0..self.node_count() as u32).map(NodeId)
    }

    /// The number of nodes.
    #[inline]
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.first.len() - 1
    }

    /// The number of arcs.
    #[must_use]
    pub fn arc_count(&self) -> usize {
        self.arcs.len()
    }

    /// The arcs that leave `node`: their heads and weights. A node of another network may have none.
    #[must_use]
    pub fn arcs(&self, node: NodeId) -> impl ExactSizeIterator<Item = (NodeId, u32)> + '_ {
        self.leaving(node).iter().map(|arc| (arc.head, arc.weight))
    }

    #[inline]
    pub(super) fn leaving(&self, node: NodeId) -> &[Arc] {
        arcs_of(node, &self.first, &self.arcs)
    }

    /// The arcs that enter `node`, with their tails in the place of their heads.
    #[inline]
    pub(super) fn entering(&self, node: NodeId) -> &[Arc] {
        let (first, arcs) = self.entering.0.get_or_init(|| self.by_heads());
        arcs_of(node, first, arcs)
    }

    /// The arcs sorted by their heads.
    #[cold]
    fn by_heads(&self) -> (Vec<u32>, Vec<Arc>) {
        let mut first = vec![0_u32; self.first.len() + 1];
        for arc in &self.arcs {
            first[arc.head.index() + 2] += 1;
        }
        for node in 2..first.len() {
            first[node] += first[node - 1];
        }
        let mut sorted = vec![Arc { head: NodeId(0), weight: 0 }; self.arcs.len()];
        for tail in self.nodes() {
            for &Arc { head, weight } in self.leaving(tail) {
                let place = &mut first[head.index() + 1];
                sorted[*place as usize] = Arc { head: tail, weight };
                *place += 1;
            }
        }
        first.truncate(self.first.len());
        (first, sorted)
    }

    /// A lower bound on the distance between two nodes over the surface of the Earth, in metres. It is
    /// accurate to a millimetre over a hundred kilometres, and too small by some percent beyond a
    /// quarter of the circumference. `None` if the coordinates are not known.
    ///
    /// It satisfies the triangle inequality.
    #[must_use]
    pub fn great_circle(&self, from: NodeId, to: NodeId) -> Option<f64> {
        Some(great_circle(self.places.get(from.index())?, self.places.get(to.index())?))
    }

    /// The largest factor for which the great-circle heuristic of this network is consistent: the least
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

    /// The problem of reaching `goal`, with the heuristic zero; [`Route::great_circle`] sets another.
    #[must_use]
    pub fn route_to(&self, goal: NodeId) -> Route<'_> {
        Route { network: self, goal, place: [0.0; 3], factor: 0.0 }
    }
}

/// The arcs of a node; a node of another network may be out of range.
#[inline]
fn arcs_of<'a>(node: NodeId, first: &[u32], arcs: &'a [Arc]) -> &'a [Arc] {
    match first.get(node.index()..) {
        Some(&[from, to, ..]) => arcs.get(from as usize..to as usize).unwrap_or(&[]),
        _ => &[],
    }
}

/// The `first` and `arcs` of a network.
fn sorted(nodes: u32, arcs: &[(u32, u32, u32)]) -> Result<(Vec<u32>, Vec<Arc>), OutOfMemory> {
    // The number of arcs of each node, then the sums over all nodes before, which advance as the arcs are
    // copied.
    let mut first = memory::filled(0_u32, (nodes as usize).saturating_add(2))?;
    let mut sorted = memory::filled(Arc { head: NodeId(0), weight: 0 }, arcs.len())?;
    for &(from, _, _) in arcs {
        first[from as usize + 1] += 1;
    }
    for node in 2..first.len() {
        first[node] += first[node - 1];
    }
    for &(from, to, weight) in arcs {
        let place = &mut first[from as usize];
        sorted[*place as usize] = Arc { head: NodeId(to - 1), weight };
        *place += 1;
    }
    first.truncate(nodes as usize + 1);
    Ok((first, sorted))
}
