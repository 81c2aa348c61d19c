//! Solvers written by hand for one problem each: the lower bound on time that other benches compare with.
//!
//! They use everything that is known about their problem. They have no traits, limits or statistics.

pub mod closures;
pub mod crucible;
pub mod crucible_hashed;
pub mod roads;
pub mod tiles;
pub mod tiles_astar;
pub mod tiles_ida;
