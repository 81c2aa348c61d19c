//! Road networks: directed graphs with integer weights, in the file formats of the 9th DIMACS challenge.
//!
//! [`RoadNetwork::read`] reads a `.gr` file, [`RoadNetwork::read_places`] the coordinates of the nodes
//! from a `.co` file. [`RoadNetwork::route_to`] returns the problem of reaching a node, a [`Route`]. A
//! route borrows the network and takes constant time to make. Its states are numbered densely, so one
//! search can be restarted for one goal after another with the same memory.
//!
//! The files are text. Compressed files can be decompressed on the fly: any [`BufRead`] will do.
//!
//! [`BufRead`]: std::io::BufRead
//!
//! # Example
//!
//! ```
//! use bestfirst::AStar;
//! use bestfirst::problems::road_network::RoadNetwork;
//!
//! let graph = "\
//! c three towns on the equator, one degree apart; weights in metres
//! p sp 3 4
//! a 1 2 112000
//! a 2 1 112000
//! a 2 3 115000
//! a 1 3 230000
//! ";
//! let places = "\
//! p aux sp co 3
//! v 1 0 0
//! v 2 1000000 0
//! v 3 2000000 0
//! ";
//! let mut network = RoadNetwork::read(graph.as_bytes())?;
//! network.read_places(places.as_bytes())?;
//! let (from, to) = (network.node(1).unwrap(), network.node(3).unwrap());
//!
//! // The weights are metres, and no road is shorter than the great circle: factor 1.
//! let route = network.route_to(to).great_circle(1.0);
//! let report = AStar::new(route).dense().search(from).run()?;
//! assert_eq!(report.cost(), Some(227_000));
//! let nodes = report.path().unwrap().states();
//! assert_eq!(nodes.iter().map(|node| node.number()).collect::<Vec<_>>(), [1, 2, 3]);
//!
//! // No arc leaves the third town.
//! let route = network.route_to(from);
//! assert_eq!(AStar::new(route).dense().search(to).run()?.cost(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod error;
mod graph;
mod read;
mod route;
mod sphere;
mod text;

use std::fmt;

pub use builder::RoadNetworkBuilder;
pub use error::RoadError;
pub use graph::RoadNetwork;
pub use route::{Route, RouteAction};

use crate::encode::encode_as;

/// A node of a [`RoadNetwork`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::problems::stored::node"))] u32,
);

impl NodeId {
    /// Returns the number of the node in the files, counted from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0 + 1
    }

    /// Returns the number of the node counted from 0, its index in a list of all nodes.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An arc of a [`RoadNetwork`]: the action of a [`Route`] [by arcs](Route::by_arc).
///
/// Arcs are numbered from 0 on by their tails, and those of one tail in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ArcId(u32);

impl ArcId {
    /// Returns the number of the arc.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

encode_as! {
    [] NodeId as u32: |node| node.0, |index| (index < u32::MAX).then_some(Self(index)), "the number of a node";
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}
