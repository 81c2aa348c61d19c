//! Replanning: a cheapest path again, after the start has moved or steps have changed.
//!
//! - `builder`: [`Replanner`], and what its search can be told.
//! - `search`: the engine: D* Lite.
//! - `record`: what is kept of a state, and the key of an open one.

mod builder;
mod record;
mod search;

pub use builder::{Replanner, ReplannerSearch};
pub use record::{ReplanKey, ReplanRecord, ReplanningRecord};
pub use search::{ReplannerEngine, ReplanningTable};
