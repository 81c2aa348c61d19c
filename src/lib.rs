//! bestfirst
#![deny(unsafe_code)]
#![deny(missing_docs)]
pub mod cost;
pub mod in_place;
pub mod problem;
pub mod problems;
pub use cost::Cost;
pub use in_place::InPlaceProblem;
pub use problem::*;
