//! Several paths: the k best, all cheapest ones, and alternatives.
//!
//! - `k_best`, `all_optimal`: the builders.
//! - `listing`: the order of expansion of a search that lists the states that it expands.
//! - `explorer`: such a search, which continues until the result is proved.
//! - `steps`: the steps between expanded states, by the states that they lead to.
//! - `one_by_one`: the iterator over what an engine finds one after the other.
//! - `k_search`: the engine that finds one path after the other.
//! - `sidetracks`: paths in the order of their costs, which may repeat states; `heap`: the sidetracks of a path, in
//!   the order of their costs.
//! - `ties`: the paths that were found at one cost.
//! - `simple`: paths without repeated states in the order of their costs.
//! - `all_search`: the engine that finds all cheapest paths; `optimal_paths`: its result.
//! - `alternatives`: the cheapest path and others that share little with it; a folder with its builder and engine.
//! - `graph`: the states and steps on cheapest paths; `walker`: walks along all of them.
//! - `count`: how many paths there are, whatever they cost.

mod all_optimal;
mod all_search;
mod alternatives;
mod count;
mod explorer;
mod graph;
mod heap;
mod k_best;
mod k_search;
mod last_path;
mod listing;
mod one_by_one;
mod optimal_paths;
mod sidetracks;
mod simple;
mod steps;
mod ties;
mod walker;

/// The number of small steps between two checks of the limits.
const WORK: u32 = 1 << 12;

pub use all_optimal::{AllOptimal, AllOptimalSearch, all_optimal};
pub use all_search::AllOptimalEngine;
pub use alternatives::{Alternatives, AlternativesEngine, AlternativesSearch, Similar};
pub use count::count_paths;
pub use graph::PathCount;
pub use k_best::{KBest, KBestSearch, k_best};
pub use k_search::KBestEngine;
pub use listing::Listing;
pub use optimal_paths::{OptimalPaths, Walks};
