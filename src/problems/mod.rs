//! Ready problems: each is useful as it is, and shows how to state a problem well.

pub mod amphipod;
pub mod crucible;
pub mod grid_map;
pub mod road_network;
pub mod sliding_tiles;
