//! Pattern databases: of random abstractions, in files, at limits, and of sliding tiles.

mod files;
mod graph;
mod limits;
mod random;
mod tiles;
