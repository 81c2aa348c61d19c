//! Pattern databases of sliding-tile puzzles: [`Partition`], [`TilePattern`], [`TileDatabases`].

mod error;
mod geometry;
mod note;
mod partition;
mod pattern;
mod rank;
mod sum;

pub use error::PartitionError;
pub use note::TileNote;
pub use partition::Partition;
pub use pattern::{PatternState, TilePattern};
pub use sum::TileDatabases;
