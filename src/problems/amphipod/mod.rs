//! The amphipods in their burrow.

mod burrow;
mod literal;
mod packed;
mod reduced;
mod replay;

pub use burrow::{Burrow, BurrowError, Kind, MOST_ROOMS, Place, Position, UnfoldError};
pub use literal::{Literal, Rules, Walk};
pub use packed::{Energy, FitError, Packed};
pub use reduced::{Bound, Decision, Reduced};
pub use replay::{Frame, Move};
