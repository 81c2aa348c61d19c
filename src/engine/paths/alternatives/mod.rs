//! [`Alternatives`]: paths that people would call different from the cheapest one.
//!
//! - `builder`: the builder.
//! - `similar`: how much a path may cost and share, and how good its parts must be.
//! - `search`: the engine, which grows a tree from each end and takes one plateau after the other.
//! - `plateaus`: what both trees have in common.

mod builder;
mod plateaus;
mod search;
mod similar;

pub use builder::{Alternatives, AlternativesSearch};
pub use search::AlternativesEngine;
pub use similar::Similar;
