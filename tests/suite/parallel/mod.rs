//! Search on several threads.

mod ida_star;
mod korf;
mod shards;
