//! [`RoadNetworkBuilder`]: a network of other arcs than by default.

use std::io::BufRead;

use super::{RoadError, RoadNetwork};
use crate::problems::ParseError;

/// Makes a [`RoadNetwork`] of arcs or from a file, with options: what [`RoadNetwork::builder`] returns.
///
/// ```
/// use bestfirst::problems::road_network::RoadNetwork;
///
/// // Three nodes from 0 on, without a line for their number, and two arcs from the first to the second.
/// let file = "a 0 1 7\na 0 1 5\na 1 2 3\n";
/// let network = RoadNetwork::builder().from_zero().read(file.as_bytes())?;
/// assert_eq!((network.node_count(), network.arc_count(), network.left_out()), (3, 2, 1));
/// let all = RoadNetwork::builder().from_zero().keep_parallel_arcs().read(file.as_bytes())?;
/// assert_eq!((all.arc_count(), all.left_out()), (3, 0));
///
/// // The node 2 of the file has the index 2, and is the third.
/// assert_eq!(network.node(3).unwrap().index(), 2);
/// # Ok::<(), bestfirst::problems::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct RoadNetworkBuilder {
    pub(super) keeps_parallel: bool,
    pub(super) is_from_zero: bool,
}

impl RoadNetworkBuilder {
    /// Keeps all arcs from one node to another, not only the cheapest. [`Route::by_arc`](super::Route::by_arc) tells them
    /// apart.
    pub fn keep_parallel_arcs(mut self) -> Self {
        self.keeps_parallel = true;
        self
    }

    /// Counts nodes from 0, in arcs and in files. Such a file has no line `p sp NODES ARCS`: there are as many nodes as
    /// the largest number demands. (`fast_paths` writes such files.) [`NodeId::index`](super::NodeId::index) is the
    /// number of a node in it.
    pub fn from_zero(mut self) -> Self {
        self.is_from_zero = true;
        self
    }

    /// Makes the network of `nodes` nodes with these arcs: tail, head, weight.
    ///
    /// # Errors
    ///
    /// As [`RoadNetwork::new`].
    pub fn build(self, nodes: u32, arcs: &[(u32, u32, u32)]) -> Result<RoadNetwork, RoadError> {
        let first = u32::from(!self.is_from_zero);
        for (arc, &(from, to, _)) in arcs.iter().enumerate() {
            for number in [from, to] {
                if number < first || number - first >= nodes {
                    let nodes = i64::from(first)..=i64::from(nodes) + i64::from(first) - 1;
                    return Err(RoadError::NoNode { arc, number, nodes });
                }
            }
        }
        RoadNetwork::compress(self, nodes, arcs)
    }

    /// Reads a graph in the format of the DIMACS challenge, as [`RoadNetwork::read`].
    ///
    /// # Errors
    ///
    /// As [`RoadNetwork::read`].
    pub fn read(self, graph: impl BufRead) -> Result<RoadNetwork, ParseError> {
        RoadNetwork::read_as(self, graph)
    }
}
