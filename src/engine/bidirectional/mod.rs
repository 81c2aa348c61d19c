//! Search from both ends: BAE*, NBS and Dijkstra's algorithm.
//!
//! - `half`: one of the two searches: the relaxation loop on the problem as it looks from one end.
//! - `search`: the engine: which half expands next, when both have met, and when that is proved.
//! - `strategy`: the three algorithms: keys, and what two least keys prove.
//! - `staged`: the open list of a half.
//! - `builder`: the builder.

mod builder;
mod half;
mod search;
mod staged;
mod strategy;

pub use builder::{Bidirectional, BidirectionalSearch, bidirectional};
pub(in crate::engine) use half::{Direction, Side, join, list_goals};
pub use search::BidirectionalEngine;
pub use staged::StagedKey;
pub use strategy::{Bae, BaeKey, Nbs, NbsKey, Strategy, UniformCost};
