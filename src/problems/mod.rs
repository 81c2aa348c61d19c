//! Ready-made problems. Each one is useful by itself and is an example of how to define a problem.
//!
//! They need the feature `problems`. It is off by default, so that programs with their own problems do not
//! compile them:
//!
//! ```toml
//! [dependencies]
//! bestfirst = { version = "0.1", features = ["problems"] }
//! ```
//!
//! Graphs of `petgraph` need the feature `petgraph` only.

#[cfg(any(feature = "problems", doc))]
pub mod amphipod;
#[cfg(any(feature = "problems", doc))]
pub mod crucible;
#[cfg(any(feature = "problems", doc))]
pub mod grid_map;
#[cfg(any(feature = "problems", doc))]
mod memory;
#[cfg(any(feature = "problems", doc))]
pub mod pancake;
#[cfg(any(feature = "problems", doc))]
mod parse_error;
#[cfg(feature = "petgraph")]
pub mod petgraph;
#[cfg(any(feature = "problems", doc))]
pub mod road_network;
#[cfg(any(feature = "problems", doc))]
pub mod sliding_tiles;
#[cfg(all(feature = "serde", any(feature = "problems", doc)))]
mod stored;
#[cfg(any(feature = "problems", doc))]
mod text;

#[cfg(any(feature = "problems", doc))]
pub use parse_error::{ParseError, ParseErrorKind, Position};
