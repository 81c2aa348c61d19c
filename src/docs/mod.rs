//! A short book about searching with this crate: nine chapters of a page or two, in the order in which they are read.
//!
//! It takes about an hour. After it you can state a problem, choose an engine and a heuristic for it, and read the
//! report. The [first page](crate) has the shortest example and the table of all engines; the pages of the types have
//! their guarantees, costs and errors. The chapters do not repeat those; they explain how to do a task.
//!
//! | chapter | answers |
//! |---|---|
//! | 1. [Stating a problem](ch1_problem) | What is a state, an action, a cost? What makes a problem small? |
//! | 2. [Which engine](ch2_engine) | Which of the engines, and with which options? |
//! | 3. [Which heuristic](ch3_heuristic) | How do you find a lower bound, and is it admissible? |
//! | 4. [Limits and reports](ch4_reports) | What was found and proved, and what do the counts mean? |
//! | 5. [Speed](ch5_speed) | What makes a search faster, and what should you try first? |
//! | 6. [Proofs](ch6_proofs) | Is the problem correct? Is the answer? How can somebody else verify it? |
//! | 7. [Threads, disks and machines](ch7_scale) | What if one thread or one memory is not enough? |
//! | 8. [Games](ch8_games) | Grids, searches in slices, replanning, many units. |
//! | 9. [Migrating](ch9_migrating) | Calls of `pathfinding` and `petgraph`, and those of this crate. |
//!
//! The words *g*, *h*, *f*, *open*, *closed*, *expand* and *generate* are used as in the textbooks: *g* is the cost from the
//! start to a state, *h* its heuristic value, and *f = g + h*. A state is *generated* when it is reached as a successor.
//! It is *open* until it is *expanded*, that is, until its own successors are generated, and *closed* after that. A closed
//! state to which a cheaper path is found is *reopened*. A *layer* is all states with one value of *f*; the last layer is that
//! of the solution's cost, and how much of it is expanded depends on the order among equals. The *incumbent* is the best path
//! found so far. A *shard* is the part of the states that one thread or process owns, by their hash; on disk, a *bucket* is the
//! states with one *g* and one *h*.
//!
//! The module exists only in the documentation; none of it is compiled into a program. All its code is compiled and
//! run with the documentation tests.

// The links of the chapters are to the items of the crate.
#[expect(unused_imports, reason = "only links use them")]
use crate::*;

#[doc = include_str!("ch1_problem.md")]
///
/// ---
/// Next: [which engine](ch2_engine).
#[doc(alias = "maximise")]
#[doc(alias = "maximize")]
pub mod ch1_problem {}

#[doc = include_str!("ch2_engine.md")]
///
/// ---
/// Next: [which heuristic](ch3_heuristic).
#[doc(alias = "TSP")]
pub mod ch2_engine {}

#[doc = include_str!("ch3_heuristic.md")]
///
/// ---
/// Next: [limits and reports](ch4_reports).
pub mod ch3_heuristic {}

#[doc = include_str!("ch4_reports.md")]
///
/// ---
/// Next: [speed](ch5_speed).
pub mod ch4_reports {}

#[doc = include_str!("ch5_speed.md")]
///
/// ---
/// Next: [proofs](ch6_proofs).
pub mod ch5_speed {}

#[doc = include_str!("ch6_proofs.md")]
///
/// ---
/// Next: [threads, disks and machines](ch7_scale).
pub mod ch6_proofs {}

#[doc = include_str!("ch7_scale.md")]
///
/// ---
/// Next: [games](ch8_games).
pub mod ch7_scale {}

#[doc = include_str!("ch8_games.md")]
///
/// ---
/// Next: [migrating](ch9_migrating).
#[doc(alias = "flow field")]
#[doc(alias = "nearest")]
#[doc(alias = "hex")]
pub mod ch8_games {}

// Its code needs the feature of the graphs.
#[cfg(any(doc, feature = "petgraph"))]
#[doc = include_str!("../../docs/migrating.md")]
pub mod ch9_migrating {}
