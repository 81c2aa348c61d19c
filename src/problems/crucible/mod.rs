//! The crucible: a cart of molten metal crosses a city and loses heat on every block it enters.
//!
//! A [`HeatMap`] is a grid of digits, the heat lost on entering each block. A crucible moves from the
//! top left to the bottom right with the least total loss; the block it starts on is not counted. It
//! moves straight on for at least `min` and at most `max` blocks, then turns left or right. It never
//! reverses, and it must have moved at least `min` blocks straight on before it stops. `1..=3` is the
//! plain crucible, `4..=10` the ultra crucible.
//!
//! ```
//! use bestfirst::problems::crucible::{Crucible, HeatMap};
//!
//! let map: HeatMap = "\
//!     11114111\n\
//!     99944191\n\
//!     99944191"
//!     .parse()?;
//! let crucible = Crucible::new(&map, 1..=3)?;
//! let report = bestfirst::astar(&crucible, crucible.start())?;
//! let path = report.path().expect("there is a path");
//! assert_eq!(path.cost(), 17);
//! assert_eq!(
//!     crucible.draw(path).to_string(),
//!     "\
//!     1>>>4^>>\n\
//!     999v>>9v\n\
//!     9994419v\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The state
//!
//! The obvious state is the block, the direction, and the number of blocks moved straight on so far,
//! with a step to a neighbouring block as the action. It has `4 · max` states for each block, and
//! most of them only count up to the next turn.
//!
//! Here an action is a whole run between two turns, and a state is *the block and the axis of the
//! last run*: a crucible that came along a row leaves along the column, up or down, and the other way
//! round. The state does not hold the length of the last run, because that run has ended. It does not
//! hold its direction either, because both turns are allowed. That leaves two states for each block,
//! whatever the range. A run of fewer than `min` or more than `max` blocks is never generated, so the
//! goal needs no extra rule for stopping.
//!
//! The start may leave along either axis. It is a separate state, [`Crucible::start`], which is no
//! successor of any state.
//!
//! The states are numbered without gaps ([`DenseStates`](crate::DenseStates)):
//! `2 · (row · columns + column) + axis`, where the axis is 0 for a run along a row and 1 for a run
//! along a column; the start comes last. A [`State`] is this number, four bytes.
//!
//! # Bounds
//!
//! [`LossBound`] selects the heuristic. All of them are admissible and consistent.
//!
//! # Memory
//!
//! A [`HeatMap`] takes two bytes for each block. [`Crucible::new`] adds a table of four bytes for each
//! block, shared by all crucibles and clones of the same map. If there is not enough memory for one
//! of them, the constructor returns an error.

mod bound;
mod drawing;
mod error;
mod heat_map;
mod problem;
mod state;

pub use bound::LossBound;
pub use drawing::{Drawing, DrawnBlock};
pub use error::{HeatMapError, RunError};
pub use heat_map::HeatMap;
pub use problem::Crucible;
pub use state::{Axis, Direction, State, StraightRun};

/// Heat lost along a path.
pub type Heat = u32;
