//! Search on several threads.

#[path = "../oracle/engines.rs"]
mod engines;
#[path = "../ida_star/hostile.rs"]
mod hostile;
mod ida_star;
#[path = "../oracle/judge.rs"]
mod judge;
mod korf;
#[path = "../oracle/mesh.rs"]
mod mesh;
#[path = "../oracle/random.rs"]
mod random;
mod shards;
