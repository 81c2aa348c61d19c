//! Ready-made problems. Each one is useful by itself and is an example of how to define a problem.

pub mod amphipod;
pub mod crucible;
pub mod grid_map;
mod memory;
pub mod pancake;
#[cfg(feature = "petgraph")]
pub mod petgraph;
pub mod road_network;
pub mod sliding_tiles;
#[cfg(feature = "serde")]
mod stored;
mod text;
