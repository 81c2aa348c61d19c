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
//! - `distributed`: shards in several processes.

mod builder;
#[cfg(feature = "distributed")]
mod distributed;
mod horizon;
mod ids;
mod owner;
mod replay;
mod report;
mod rounds;
mod shard;
mod station;
mod threads;
mod workers;

pub use builder::{Sharded, ShardedSearch};
#[cfg(feature = "distributed")]
pub use distributed::{
    Cluster, ClusterError, Distributed, DistributedError, Loss, Progress as DistributedProgress,
};
pub use rounds::ShardedEngine;

use owner::owner_of;
