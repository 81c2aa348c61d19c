//! Depth-first engines: [`IdaStar`], a depth-first search under a cost bound that grows from
//! iteration to iteration.
//!
//! - `ida_star`: the builder.
//! - `iteration`: the engine. It runs one iteration after the other.
//! - `stack`: the search of one iteration, or of one subtree of it.
//! - `deepening`: the bound of the next iteration, and its budget.
//! - `bounds`: the test of generated states against the bound.
//! - `expander`: how the successors of a state are generated; `buffered`, `in_place`: the two ways.
//! - `settling`: how a search with a table ends that has found no goal where sums did not fit.
//! - `strategy` and `parallel`: who searches an iteration, one thread or several.

mod bounds;
mod buffered;
mod deepening;
mod expander;
mod ida_star;
mod in_place;
mod iteration;
#[cfg(feature = "parallel")]
mod parallel;
mod settling;
mod stack;
mod strategy;
mod transposition;

pub use buffered::Buffered;
pub use deepening::Deepening;
#[cfg(feature = "parallel")]
pub(super) use expander::Expand;
pub use expander::Expander;
pub(super) use expander::{Ahead, Descend, SuccessorFilter};
pub use ida_star::{IdaStar, IdaStarSearch, idastar};
pub use in_place::InPlace;
pub use iteration::IdaStarEngine;
#[cfg(feature = "parallel")]
pub(super) use parallel::HaltOnPanic;
pub use strategy::ParallelStrategy;
pub use transposition::TranspositionTable;
