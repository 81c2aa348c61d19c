//! Search on several threads.

mod ida_star;
mod shards;
