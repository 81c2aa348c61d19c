//! Search on shards: on several threads, beyond memory, on several machines.
//!
//! Every state has an owner, the *shard* that stores and expands it, by its hash. The successors of a state travel to
//! their owners in batches.

pub mod disk;
mod owner;
