//! Heuristics that are computed from a problem instead of being written.
//!
//! - [`landmarks`]: distances to and from a few states of a numbered state space, for many queries on it.

pub mod landmarks;

pub use landmarks::Landmarks;
