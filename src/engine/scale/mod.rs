//! Search on shards: on several threads, beyond memory, on several machines.
//!
//! Every state has an owner, the *shard* that stores and expands it, by its hash. The successors of a state travel to
//! their owners in batches.
//!
//! - `owner`: which shard a state belongs to.
//! - `shards`: a shard, which is a relaxation loop of its own, and rounds of shards on several threads.
//! - `distributed`: the same shards in several processes.
//! - `disk`: search whose lists are in files; shards there are parts of a bucket.

pub mod disk;
#[cfg(feature = "distributed")]
mod distributed;
mod owner;
#[cfg(feature = "parallel")]
mod shards;

#[cfg(feature = "distributed")]
pub use distributed::{
    Cluster, ClusterError, Distributed, DistributedError, Loss, Progress as DistributedProgress,
    Secret,
};
#[cfg(feature = "parallel")]
pub use shards::{Sharded, ShardedEngine, ShardedSearch};
