//! Replanning: a new cheapest path after the start has moved or steps have changed.
//!
//! - `builder`: [`Replanner`], and the methods that report changes to its search.
//! - `search`: the engine: D* Lite.
//! - `record`: the record of a state, and the key of an open one.

mod builder;
mod record;
mod search;

pub use builder::{Replanner, ReplannerSearch};
pub use record::{ReplanKey, ReplanRecord, ReplanningRecord};
pub use search::{ReplannerEngine, ReplanningTable};
