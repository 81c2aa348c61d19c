//! Search on shards: on several threads, beyond memory, on several machines.
//!
//! Every state has an owner, the *shard* that stores and expands it, by its hash. The successors of a state travel to
//! their owners in batches.
//!
//! - `owner`, `ids`: which shard a state belongs to, and its id among those of all shards.
//! - `shard`: a shard: a relaxation loop that takes in what arrives, and sends off the successors of what it expands.
//! - `rounds`: shards that are worked in rounds, by any number of threads; `station` is a shard's part in a round, and
//!   `horizon` how far a round goes.
//! - `threads`, `workers`: which rounds are worth several threads, and how these share the work.
//! - `builder`: what makes such a search.
//! - `disk`: search whose lists are in files.

#[cfg(feature = "parallel")]
mod builder;
pub mod disk;
#[cfg(feature = "parallel")]
mod horizon;
#[cfg(feature = "parallel")]
mod ids;
mod owner;
#[cfg(feature = "parallel")]
mod replay;
#[cfg(feature = "parallel")]
mod report;
#[cfg(feature = "parallel")]
mod rounds;
#[cfg(feature = "parallel")]
mod shard;
#[cfg(feature = "parallel")]
mod station;
#[cfg(feature = "parallel")]
mod threads;
#[cfg(feature = "parallel")]
mod workers;

#[cfg(feature = "parallel")]
pub use builder::{Sharded, ShardedSearch};
#[cfg(feature = "parallel")]
pub use rounds::ShardedEngine;

#[cfg(feature = "parallel")]
use owner::owner_of;
