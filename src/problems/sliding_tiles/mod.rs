//! Sliding-tile puzzles: the 8-puzzle, the 15-puzzle, the 24-puzzle, and any rectangle of up to 256 cells.
//!
//! Numbered tiles lie on a board with one free cell, the *blank*. A move slides an adjacent tile into the
//! blank, so the blank moves the other way; every move costs 1. In the goal, the blank is in the upper
//! left corner and the tiles follow in order: `0 1 2 …`, with 0 for the blank. Moves are named by the
//! direction of the blank and generated in the order up, left, right, down, so that node counts can be
//! compared with those of the literature.
//!
//! The heuristic is the Manhattan distance: the sum over all tiles of the columns and rows between the
//! tile and its goal cell. It is consistent.
//!
//! # Two representations of a state
//!
//! A search that stores millions of states needs small ones, and computes the heuristic of each once. In place,
//! IDA* knows the heuristic value of a state from that of its parent. [`Packed`] is right for both, and the default.
//! A search that asks again and again for the heuristic of a state is faster if the state holds it. [`SlidingTiles`]
//! takes the representation as its parameter:
//!
//! | representation | holds | bytes (4×4) | for |
//! |---|---|---|---|
//! | [`Packed`] | the tiles | 8 | A*, Dijkstra, and other searches with a table; IDA* in place |
//! | [`Tracked`] | the tiles, the cell of the blank, the Manhattan distance | 16 | IDA* with lists of successors, an observer or a transposition table |
//!
//! Both hold the tiles in a [`u64`] (up to 16 cells), a [`u128`] (up to 25) or a `[u8; N]` (up to N, at
//! most 256).
//!
//! # Example
//!
//! ```
//! use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
//! use bestfirst::IdaStar;
//!
//! let board: Board = "1 4 2
//!                     6 3 5
//!                     7 . 8".parse()?;
//! assert!(board.is_solvable());
//!
//! let puzzle = SlidingTiles::<Packed>::new(3, 3)?;
//! let report = bestfirst::astar(&puzzle, puzzle.state(&board)?)?;
//! let path = report.path().expect("it is solvable");
//! let moves: Vec<String> = path.actions().map(|blank| blank.to_string()).collect();
//! assert_eq!(moves.join(" "), "left up right up left");
//!
//! let report = IdaStar::new(&puzzle).in_place().search(puzzle.state(&board)?).run()?;
//! assert_eq!(report.cost(), Some(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod cells;
mod databases;
mod direction;
mod error;
mod fifteen;
mod problem;
mod state;
mod tables;

pub use board::Board;
pub use databases::{
    Partition, PartitionError, PatternState, TileDatabases, TileNote, TilePattern,
};
pub use direction::{BlankMove, Ways};
pub use error::BoardError;
pub use problem::SlidingTiles;
pub use state::{Packed, TileCells, TileState, Tracked};
