//! Computed heuristics: [pattern databases](PatternDatabase), [landmarks](Landmarks) and [hierarchies](Hierarchy).
//!
//! # Which heuristic
//!
//! A heuristic is a lower bound on the cost to a goal. The larger it is, the fewer states are expanded. It pays if
//! this saves more time than its preparation and its lookups take.
//!
//! | heuristic | preparation | memory | use it if |
//! |---|---|---|---|
//! | none: [`Dijkstra`](crate::Dijkstra) | – | – | you need the costs to all states, or nothing is known of the goal |
//! | written by hand: [`heuristic`](crate::SearchProblem::heuristic) | – | – | there is a formula: distances on a grid, Manhattan distance |
//! | one [`PatternDatabase`] | a search of the abstraction | one byte for each key | parts of the problem can be left out, and the rest is small enough to search completely |
//! | the [maximum](max()) of several | of each | of each | always admissible; never less than the best of them |
//! | the [sum](sum()) of several | of each | of each | no step counts in two of them: far more than the maximum |
//! | [reflected](symmetric) | none | none | the problem is symmetric: a second value from the same database |
//! | [`IdealPoint`] | a backward search for each criterion | a record for each state | costs have several criteria: [`Pareto`](crate::Pareto) |
//! | [`Landmarks`] | a search to all states from each landmark | 4 bytes for each state and landmark | there are many queries with different goals on one space of numbered states |
//! | [`Hierarchy`] | seconds for a road network of some hundred thousand states, longer for random graphs and open grids | 12 bytes for each state, 12 or more for each arc | the same, and costs stay as they are or rise: its distances are exact |
//! | a [`CustomizableHierarchy`] | seconds, once for all costs; for each set of costs a fraction of a second | 12 bytes for each state, 5 for each arc, and those of a hierarchy, which has more arcs | the same, and costs fall as well; steps go round small separators, as on roads and maps |
//!
//! The last two need the feature `hierarchies`, which is off by default.
//!
//! The effect on Korf's hundred 15-puzzles (IDA*, mean number of nodes; `BENCHMARKS.md` has the command):
//!
//! | heuristic | nodes | bytes |
//! |---|---|---|
//! | Manhattan distance | 363,028,080 | – |
//! | sum of databases of 6, 6 and 3 tiles, reflected | 564,368 | 11,534,880 |
//! | sum of databases of 7 and 8 tiles, reflected | 38,326 | 576,576,000 |
//!
//! # From a problem to its pattern database
//!
//! 1. Define the abstraction: another problem with fewer states. Every step of the original must correspond to
//!    a step of the abstraction that costs no more, or leave the abstract state unchanged. It must be [`Reversible`].
//! 2. [`PatternDatabase::build`] searches it backwards from the abstract goals.
//! 3. The value at the key of a state's abstraction is an admissible heuristic: use it by
//!    [`WithHeuristic`](crate::WithHeuristic). For in-place engines, [`WithIncremental`] stores values
//!    with the state and looks up only those that a step has changed.
//!
//! The sliding tiles have [ready-made ones](crate::problems::sliding_tiles::TileDatabases).
//!
//! Sources: Culberson and Schaeffer, *Pattern Databases*, 1998. Korf and Felner, *Disjoint pattern database
//! heuristics*, 2002. Felner, Korf and Hanan, *Additive Pattern Database Heuristics*, 2004. Felner, Korf,
//! Meshulam and Holte, *Compressed Pattern Databases*, 2007 (keys coarser than states).

mod bits;
mod builder;
mod combine;
mod distance_error;
mod error;
mod file;
#[cfg(any(feature = "hierarchies", doc))]
mod hierarchy;
pub(crate) mod ideal_point;
mod incremental;
mod landmarks;
mod pattern_database;
mod stored;

pub use bits::{Bits, Nodes};
pub use builder::{Method, PatternDatabaseBuilder};
pub use combine::{max, sum, symmetric};
pub use distance_error::{DistanceError, DistanceFileError};
pub use error::{BuildError, FileError};
#[cfg(any(feature = "hierarchies", doc))]
pub use hierarchy::{
    CustomizableHierarchy, CustomizableHierarchyBuilder, DistanceTable, Hierarchy,
    HierarchyBuilder, HierarchyEngine, HierarchyQuery, HierarchySearch, WithHierarchy,
};
pub use ideal_point::{IdealPoint, IdealPointBuilder, IdealPointError};
pub use incremental::{IncrementalHeuristic, Noted, WithIncremental};
pub use landmarks::{LandmarkBuilder, Landmarks, Selection, WithLandmarks};
pub use pattern_database::PatternDatabase;

#[cfg(doc)]
use crate::problem::Reversible;
