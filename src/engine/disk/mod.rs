//! Best-first search whose open and closed lists are in files as far as they do not fit into memory: [`DiskSearch`].
//!
//! | file | holds |
//! |---|---|
//! | `builder.rs` | [`DiskSearch`] |
//! | `engine.rs` | [`DiskEngine`]: which bucket is next, what is in memory, and when the search ends |
//! | `work.rs` | the work on one shard of a bucket: duplicates are removed, states are expanded |
//! | `workers.rs` | one thread, or several |
//! | `open.rs`, `closed.rs`, `entry.rs` | the lists |
//! | `store.rs`, `files.rs`, `lock.rs`, `fault.rs` | the files, and what can be wrong with them |
//! | `storage.rs` | the file system; tests search on one that is `simulated` |
//! | `checkpoint.rs` | what is written so that the search survives its process, and the format |
//! | `walk.rs` | paths |

mod builder;
mod checkpoint;
mod closed;
mod engine;
mod entry;
mod fault;
mod files;
mod lock;
mod open;
#[cfg(test)]
mod simulated;
mod storage;
mod store;
mod walk;
mod work;
mod workers;

pub use builder::{DiskSearch, DiskSearchRun};
pub use engine::DiskEngine;
pub use fault::{DiskFault, DiskFaultKind, DiskFile, DiskHolder};
#[cfg(feature = "parallel")]
pub use workers::SeveralThreads;
pub use workers::Workers;
