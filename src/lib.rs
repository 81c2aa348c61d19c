//! Generic state-space search.

pub mod check;
pub mod cost;
pub mod engine;
pub mod frontier;
pub mod in_place;
pub mod limits;
pub mod observer;
pub mod path;
mod prefetch;
pub mod problem;
pub mod problems;
pub mod report;
pub mod table;
pub mod trace;

pub use cost::Cost;
pub use engine::{AStar, Dijkstra, IdaStar, Search, astar, dijkstra, dijkstra_all, idastar, solve};
pub use in_place::InPlaceProblem;
pub use limits::{CancelToken, Limits};
pub use observer::Observer;
pub use path::{Path, PathError, PathOf, Step};
pub use problem::{
    DenseStates, FnProblem, IgnoreGoal, IgnoreHeuristic, SearchProblem, Successor, SuccessorBuffer,
    Successors, WithHeuristic,
};
pub use report::{Layer, Outcome, Report, ReportOf, SearchError, Stats, StopReason};
