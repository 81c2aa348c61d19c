//! Engines with an incumbent: whatever cannot beat the best solution so far is pruned.
//!
//! The search itself is in `search`; in which order it goes is up to an [`OpenList`]. The builders are made
//! by one macro, in `builder`.

mod branch_and_bound;
mod breadth_first;
mod builder;
mod open_list;
mod search;
mod sieve;
mod sort;

pub use branch_and_bound::{
    BranchAndBound, BranchAndBoundSearch, By, ByEstimate, Ranking, Stack, branch_and_bound,
};
pub use breadth_first::{BreadthFirst, BreadthFirstSearch, Layers, breadth_first};
pub use open_list::{ByArrival, OpenList};
pub use search::IncumbentEngine;
