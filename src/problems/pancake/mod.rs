//! The pancake puzzle: a stack of pancakes of different sizes is sorted by turning over the topmost ones.
//!
//! A move takes any number of pancakes from the top, at least two, and puts them back in reverse order.
//! Every move costs 1. The goal has the smallest pancake on top and the largest at the bottom.
//!
//! [`PancakePuzzle`] has the GAP heuristic: a *gap* is a pair of neighbours in the stack whose sizes are not
//! neighbours, the plate being one size larger than the largest pancake. A move changes the neighbours at
//! one place only, so it removes at most one gap. [GAP-*k*](PancakePuzzle::gap) leaves out the gaps beside the
//! *k* smallest pancakes: a weaker heuristic, on which searches are compared. All are consistent.
//!
//! Source: Dweighter (Goodman), problem E2569, *American Mathematical Monthly* 82, 1975; Helmert, *Landmark
//! Heuristics for the Pancake Problem*, 2010 (gaps); Holte, Felner, Sharon, Sturtevant and Chen, *MM: A
//! bidirectional search algorithm that is guaranteed to meet in the middle*, 2017 (GAP-*k*).
//!
//! # Example
//!
//! ```
//! use bestfirst::problems::pancake::PancakePuzzle;
//! use bestfirst::{astar, bidirectional};
//!
//! let puzzle = PancakePuzzle::new(8)?;
//! let stack = puzzle.stack(&[3, 0, 6, 2, 7, 5, 1, 4])?;
//! let report = bidirectional(&puzzle, stack)?;
//! let path = report.path().expect("every stack can be sorted");
//! assert_eq!(path.cost(), 8);
//! assert_eq!(path.verify(&puzzle), Ok(()));
//! assert_eq!(*path.end(), puzzle.goal());
//! assert_eq!(astar(&puzzle, stack)?.cost(), Some(8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod puzzle;
mod stack;

pub use error::StackError;
pub use puzzle::PancakePuzzle;
pub use stack::Stack;
#[cfg(feature = "serde")]
pub(super) use stack::is_stack;
