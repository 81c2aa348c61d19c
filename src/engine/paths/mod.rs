//! More than one path: the k best, and all that are cheapest.
//!
//! - `k_best`, `all_optimal`: the builders.
//! - `listing`: the order of expansion of a search that keeps a list of the states that it expands.
//! - `explorer`: such a search, which is continued until what is asked for is proved.
//! - `steps`: the steps between states that were expanded, by the states that they lead to.
//! - `k_search`: the engine that finds one path after the other.
//! - `sidetracks`: paths in the order of their costs, which may repeat states; `heap`: the steps beside a path, in
//!   the order of what they cost.
//! - `ties`: the paths that were found at one cost.
//! - `simple`: paths without repeated states in the order of their costs.
//! - `all_search`: the engine that finds all cheapest paths; `optimal_paths`: what it has found.
//! - `graph`: the states and steps on cheapest paths; `walker`: walks along all of them.

mod all_optimal;
mod all_search;
mod explorer;
mod graph;
mod heap;
mod k_best;
mod k_search;
mod listing;
mod optimal_paths;
mod sidetracks;
mod simple;
mod steps;
mod ties;
mod walker;

/// So many small steps are made before the limits are checked.
const WORK: u32 = 1 << 12;

pub use all_optimal::{AllOptimal, AllOptimalSearch, all_optimal};
pub use all_search::AllOptimalEngine;
pub use graph::PathCount;
pub use k_best::{KBest, KBestSearch, k_best};
pub use k_search::KBestEngine;
pub use listing::Listing;
pub use optimal_paths::{OptimalPaths, Walks};
