//! [`RoadError`]: why a road network cannot be constructed.

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

/// An invalid road network. (One that cannot be read is a [`ParseError`](crate::problems::ParseError).)
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RoadError {
    /// An arc leads from or to a node that does not exist.
    NoNode {
        /// The index of the arc, counted from 0.
        arc: usize,
        /// The number of the node.
        number: u32,
        /// The numbers of the nodes.
        nodes: RangeInclusive<i64>,
    },
    /// There are more nodes or arcs than 32 bits can number.
    TooLarge {
        /// The number of nodes.
        nodes: u32,
        /// The number of arcs.
        arcs: usize,
    },
    /// There is not enough memory for the network.
    OutOfMemory {
        /// The number of nodes.
        nodes: usize,
        /// The number of arcs.
        arcs: usize,
        /// The size in bytes of the allocation that failed.
        bytes: u64,
    },
}

impl fmt::Display for RoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNode { arc, number, nodes } => {
                write!(f, "arc {arc} leads from or to node {number}, ")?;
                if nodes.is_empty() {
                    return f.write_str("but there are no nodes");
                }
                write!(f, "which is not between {} and {}", nodes.start(), nodes.end())
            }
            Self::TooLarge { nodes, arcs } => write!(
                f,
                "{nodes} nodes and {arcs} arcs are too many; at most {} nodes and {} arcs can be \
                 numbered",
                u32::MAX - 1,
                u32::MAX
            ),
            Self::OutOfMemory { nodes, arcs, bytes } => write!(
                f,
                "a network of {nodes} nodes and {arcs} arcs is too large for the available memory: \
                 {bytes} bytes cannot be allocated; use a smaller network or raise the memory limit"
            ),
        }
    }
}

impl Error for RoadError {}
