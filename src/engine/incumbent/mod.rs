//! Engines with an incumbent: states that cannot lead to a better solution than the best so far are
//! pruned.
//!
//! - `search`: the engine. It uses the relaxation loop of best-first search.
//! - `open_list`: [`OpenList`], which decides the order of expansion.
//! - `branch_and_bound`, `breadth_first`, `beam`, `rectangle`: the builders and their open lists; `builder`: the macro for what
//!   they have in common.
//! - `ahead`, `threads` and `seen`: successors and heuristic values that are made ahead of time, on several threads.
//! - `depths`: the open list of rectangle search; `queues`: its queues; `select`: the best of a layer; `sieve`: which successors are copied; `sort`: a sort that tolerates any comparison.

mod ahead;
mod beam;
mod branch_and_bound;
mod breadth_first;
mod builder;
mod depths;
mod open_list;
mod queues;
mod rectangle;
mod search;
#[cfg(feature = "parallel")]
mod seen;
mod select;
mod sieve;
mod sort;
#[cfg(feature = "parallel")]
mod threads;

pub(super) use beam::Widths;
pub use beam::{Beam, BeamLayers, BeamSearch, beam};
pub use branch_and_bound::{
    BranchAndBound, BranchAndBoundSearch, By, ByEstimate, DepthFirst, Ranking, branch_and_bound,
};
pub use breadth_first::{BreadthFirst, BreadthFirstSearch, Layers, breadth_first};
pub use depths::Depths;
pub use open_list::{ByArrival, OpenList};
pub use rectangle::{Rectangle, RectangleSearch, rectangle};
pub use search::{IncumbentEngine, Pruning};
#[cfg(feature = "parallel")]
pub use threads::BufferedOnThreads;
