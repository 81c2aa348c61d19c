//! Best-first search whose open and closed lists are in files as far as they do not fit into memory: [`ExternalAStar`].
//!
//! | file | holds |
//! |---|---|
//! | `builder.rs` | [`ExternalAStar`] |
//! | `engine.rs` | [`DiskEngine`]: what is done next, and when the search ends |
//! | `start.rs` | the starts |
//! | `visit.rs` | the bucket that is being expanded: which one, its shards, when it is left |
//! | `sorting.rs` | how its entries get into their shards |
//! | `shards.rs` | its shards: each becomes a `Work`, whose results go into the lists |
//! | `work.rs`, `duplicates.rs`, `outputs.rs` | the work on one shard: duplicates are removed, states are expanded |
//! | `workers.rs`, `crew.rs` | one thread, or several |
//! | `open.rs`, `closed.rs`, `entries.rs`, `block.rs`, `entry.rs` | the lists |
//! | `room.rs` | the bytes that are held: what is written where they are too many |
//! | `store.rs`, `files.rs`, `lock.rs` | the files; what can be wrong with them is in `src/disk_fault.rs` |
//! | `storage.rs` | the file system; tests search on one that is `simulated` |
//! | `checkpoint.rs` | what is written so that the search survives its process, and the format |
//! | `walk.rs` | paths |

mod block;
mod builder;
mod checkpoint;
mod closed;
#[cfg(feature = "parallel")]
mod crew;
mod duplicates;
mod engine;
mod entries;
mod entry;
mod files;
mod lock;
mod open;
mod outputs;
mod room;
mod shards;
#[cfg(test)]
mod simulated;
mod sorting;
mod start;
mod storage;
mod store;
mod visit;
mod walk;
mod work;
mod workers;

pub use builder::{ExternalAStar, ExternalAStarSearch};
pub use engine::DiskEngine;
#[cfg(feature = "parallel")]
pub use workers::SeveralThreads;
pub use workers::Workers;
