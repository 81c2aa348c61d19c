//! Heuristics that are computed, not written: [pattern databases](PatternDatabase) and [landmarks](Landmarks).
//!
//! # Which heuristic
//!
//! A heuristic is a lower bound on the cost to a goal. The larger it is, the fewer states are expanded; what
//! it costs to look up and to prepare must be less than that.
//!
//! | heuristic | preparation | memory | worth it |
//! |---|---|---|---|
//! | none: [`Dijkstra`](crate::Dijkstra) | – | – | costs to all states are wanted, or nothing is known of the goal |
//! | written by hand: [`heuristic`](crate::SearchProblem::heuristic) | – | – | a formula is at hand: distances on a grid, Manhattan distance |
//! | one [`PatternDatabase`] | a search of the abstraction | a byte a key | parts of the problem can be left out, and what remains is small enough to search completely |
//! | the [maximum](max()) of several | of each | of each | always admissible; never less than the best of them |
//! | the [sum](sum()) of several | of each | of each | no step counts in two of them: far more than the maximum |
//! | [reflected](symmetric) | none | none | the problem is symmetric: a second value from the same database |
//! | [`IdealPoint`] | a search backwards for each criterion | a record a state | costs have several criteria: [`Pareto`](crate::Pareto) |
//! | [`Landmarks`] | a search to all states from each landmark | 4 bytes a state and landmark | many queries with different goals on one space of numbered states |
//!
//! What that means for Korf's hundred 15-puzzles (IDA*, nodes in the mean; `BENCHMARKS.md` has the command):
//!
//! | heuristic | nodes | bytes |
//! |---|---|---|
//! | Manhattan distance | 363,028,080 | – |
//! | sum of databases of 6, 6 and 3 tiles, reflected | 564,368 | 11,534,880 |
//! | sum of databases of 7 and 8 tiles, reflected | 38,326 | 576,576,000 |
//!
//! # From a problem to its pattern database
//!
//! 1. State the abstraction: a problem of its own, with fewer states, such that every step of the original is
//!    a step of the abstraction that costs no more, or no step at all. It must be [`Reversible`].
//! 2. [`PatternDatabase::build`] searches it backwards from the abstract goals.
//! 3. The value at the key of a state's abstraction is an admissible heuristic: use it by
//!    [`WithHeuristic`](crate::WithHeuristic). For engines that go in place, [`WithIncremental`] keeps values
//!    beside the state and looks up only what a step has changed.
//!
//! The sliding tiles have [ready-made ones](crate::problems::sliding_tiles::TileDatabases).
//!
//! Sources: Culberson and Schaeffer, *Pattern Databases*, 1998. Korf and Felner, *Disjoint pattern database
//! heuristics*, 2002. Felner, Korf and Hanan, *Additive Pattern Database Heuristics*, 2004. Felner, Korf,
//! Meshulam and Holte, *Compressed Pattern Databases*, 2007 (keys coarser than states).

mod bits;
mod builder;
mod combine;
mod error;
mod file;
pub(crate) mod ideal_point;
mod incremental;
mod landmarks;
mod pattern_database;

pub use bits::{Bits, Nodes};
pub use builder::{Method, PatternDatabaseBuilder};
pub use combine::{max, sum, symmetric};
pub use error::{BuildError, FileError};
pub use ideal_point::{IdealPoint, IdealPointBuilder, IdealPointError};
pub use incremental::{IncrementalHeuristic, Noted, WithIncremental};
pub use landmarks::{
    LandmarkBuilder, LandmarkError, LandmarkFileError, Landmarks, Selection, WithLandmarks,
};
pub use pattern_database::PatternDatabase;

#[cfg(doc)]
use crate::problem::Reversible;
