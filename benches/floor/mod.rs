//! Floors: what a good programmer writes by hand for the one problem, with no trait and no limits, and
//! everything that is known about the problem put to use.

pub mod closures;
pub mod crucible;
pub mod crucible_hashed;
pub mod roads;
pub mod tiles;
pub mod tiles_astar;
pub mod tiles_ida;
