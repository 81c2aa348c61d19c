//! Multi-criteria search: every path with an undominated cost.
//!
//! - `search`: the engine. It is the relaxation loop of `best_first` over a table of labels instead of states.
//! - `solutions`: the solutions found so far, and whether they dominate a cost.
//! - `order`: the order of expansion, by all criteria.
//! - `front`: the result of a search.
//! - `builder`: the builder.

mod builder;
mod front;
mod order;
mod search;
mod solutions;

pub use builder::{Pareto, ParetoSearch};
pub use front::{Front, FrontOf};
pub use search::ParetoEngine;
