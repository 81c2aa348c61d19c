//! Best-first search on shards, worked in rounds by several threads.
//!
//! - `ids`: the id of a state among those of all shards.
//! - `shard`: a shard: a relaxation loop that takes in what arrives, and sends off the successors of what it expands.
//! - `rounds`: the engine; `station` is a shard's part in a round, and `horizon` how far a round goes; `report` and
//!   `replay` put together what is said at the end, and paths.
//! - `left_out`: how it ends where nothing is found and some states were left out.
//! - `round_threads`, `workers`: which rounds are worth several threads, and how these share the work.
//! - `builder`: what makes such a search.

mod builder;
pub(in crate::engine) mod horizon;
pub(in crate::engine) mod ids;
mod left_out;
mod replay;
mod report;
mod round_threads;
mod rounds;
pub(in crate::engine) mod shard;
mod station;
mod workers;

pub use builder::{Sharded, ShardedSearch};
pub use rounds::ShardedEngine;

use super::owner::owner_of;
