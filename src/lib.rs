//! Generic state-space search: state a problem once, run Dijkstra's algorithm, A*, IDA*, branch and bound
//! or breadth-first search over it.
//!
//! A *state space* is a graph that nobody writes down: a start, the steps that can be taken from each
//! state, what they cost, and which states are goals. The puzzle, the map, the plan are yours; the
//! search is here, with limits that hold, reports that say what was proved, and the actions on the
//! path.
//!
//! # The shortest example
//!
//! From 1 to 100 by adding one, which costs 1, or squaring, which costs 5:
//!
//! ```
//! let report = bestfirst::solve(
//!     2_u32,                                // the start
//!     |&n| [(n + 1, 1_u32), (n * n, 5)],    // successors and their costs
//!     |&n| u32::from(n != 100),             // a lower bound on the cost to go
//!     |&n| n == 100,                        // the goal
//! )?;
//! let path = report.path().expect("there is a way");
//! assert_eq!(path.cost(), 12);
//! assert_eq!(path.states(), [2, 3, 9, 10, 100]);
//! # Ok::<(), bestfirst::SearchError<u32>>(())
//! ```
//!
//! # Stating a problem
//!
//! [`SearchProblem`] says what the states, actions and costs are, and has three methods: the
//! successors of a state, a heuristic (zero, if you have none), and whether a state is a goal. A path
//! then knows its actions.
//!
//! ```
//! use bestfirst::{SearchProblem, Successors};
//!
//! /// Two jugs, of 5 and of 3 litres, and a tap: measure 4 litres, wasting as little as can be.
//! struct Jugs;
//!
//! impl SearchProblem for Jugs {
//!     type State = (u32, u32); // litres in each
//!     type Action = &'static str;
//!     type Cost = u32; // litres from the tap
//!
//!     fn successors(&self, &(a, b): &(u32, u32), next: &mut Successors<Self>) {
//!         next.push("fill 5", (5, b), 5 - a);
//!         next.push("fill 3", (a, 3), 3 - b);
//!         next.push("empty 5", (0, b), 0);
//!         next.push("empty 3", (a, 0), 0);
//!         let (down, up) = (a.min(3 - b), b.min(5 - a));
//!         next.push("5 into 3", (a - down, b + down), 0);
//!         next.push("3 into 5", (a + up, b - up), 0);
//!     }
//!
//!     fn is_goal(&self, &(a, _): &(u32, u32)) -> bool {
//!         a == 4
//!     }
//! }
//!
//! let report = bestfirst::dijkstra(&Jugs, (0, 0))?;
//! let path = report.path().expect("it can be done");
//! assert_eq!(path.cost(), 9);
//! let actions: Vec<_> = path.actions().copied().collect();
//! assert_eq!(actions, ["fill 3", "3 into 5", "fill 3", "3 into 5", "empty 5", "3 into 5", "fill 3", "3 into 5"]);
//! # Ok::<(), bestfirst::SearchError<u32>>(())
//! ```
//!
//! - Keep states small, and leave out what does not matter: [`problems`] shows on two puzzles how much
//!   that is worth. A state that is dead can say so with a heuristic of [`Cost::INFINITY`].
//! - [`FnProblem`] is the form in closures. [`IgnoreHeuristic`], [`WithHeuristic`], [`IgnoreGoal`]
//!   and [`EqualSteps`] change one thing about a problem. References, boxes and trait objects of problems are problems.
//! - States that number themselves ([`DenseStates`]) need no hashing: ask for
//!   [`dense`](engine::BestFirst::dense).
//! - Where states can be changed and changed back ([`InPlaceProblem`]), IDA* keeps one and copies none:
//!   ask for [`in_place`](IdaStar::in_place).
//! - Costs are any primitive integer or float, or your own [`Cost`].
//!
//! # Which engine
//!
//! | engine | when | finds | time | memory |
//! |---|---|---|---|---|
//! | [`AStar`] | with a heuristic, as long as the states fit into memory: the first choice | a cheapest path, if the heuristic never overestimates, consistent or not | one frontier operation per generated state, for states with *f* up to the optimum | every state generated |
//! | [`Dijkstra`] | without one; for the costs [to everywhere](dijkstra_all); for states [in order of their cost](engine::BestFirstSearch::settled) | a cheapest path, or one to every state | the same, for states with *g* up to the optimum | every state generated |
//! | [`IdaStar`] | when states do not fit into memory and the space is like a tree: puzzles, not grids | a cheapest path, if the heuristic never overestimates | every iteration repeats the one before | one path, and a [table](IdaStar::transposition_table) of the size it is given |
//! | [`BranchAndBound`] | for a solution soon and better ones after it; or where the heuristic, or an [order of trying](engine::Bounded::order_by), is so good that going straight down finds the way | a cheapest path when it ends, if the heuristic never overestimates; before, the best so far and a bound | from little more than the proof takes to states again and again, at worst exponentially often | every state it came to and did not drop |
//! | [`BreadthFirst`] | steps cost the same, or the fewest steps are wanted ([`EqualSteps`]) | a cheapest path when it ends, one of the fewest steps first | one table lookup per generated state; states again where more steps cost less | every state generated and not dropped |
//!
//! Each has a short door, a function that takes a problem and a start ([`astar`], [`dijkstra`],
//! [`idastar`], [`branch_and_bound()`], [`breadth_first()`]), and a long one, a builder, with the same names in each:
//!
//! ```
//! use std::time::Duration;
//!
//! use bestfirst::{AStar, FnProblem, Limits, Outcome};
//!
//! let endless = FnProblem::new(|&n: &u64| [(n + 1, 1_u64)], |_: &u64| 0, |_: &u64| false);
//! let limits = Limits::new().expansions(5000).memory(1 << 30).time(Duration::from_secs(5));
//! let mut search = AStar::new(&endless).limits(limits).search(0);
//!
//! let report = search.run()?;
//! assert!(matches!(report.outcome, Outcome::Stopped(_)));
//! assert_eq!(report.lower_bound, 5000); // whatever solution there may be costs at least that
//! assert_eq!(report.stats.expanded, 5000);
//!
//! search.set_limits(Limits::new().expansions(6000)); // and on from there
//! assert_eq!(search.run()?.lower_bound, 6000);
//! # Ok::<(), bestfirst::SearchError<u64>>(())
//! ```
//!
//! # Limits and reports
//!
//! [`Limits`] bound the expansions, the memory, the time and the cost, and take a [`CancelToken`]. A
//! [`Search`] that reaches one can go on when it is raised, and its last report is the same as if it
//! had never stopped. A search can also be [stepped](Search::step), watched by an [`Observer`], and
//! recorded for others to look at ([`trace`]).
//!
//! A [`Report`] says how the search ended ([`Outcome`]: found, exhausted, or stopped, which is never
//! confused with exhausted), the lower bound that is proved, and what was counted ([`Stats`], and a
//! [`Layer`] for every value of *f*). A [`Path`] replays itself: [`Path::verify`]. The same problem
//! gives the same report, bit for bit.
//!
//! Wrong input is a [`SearchError`]: a negative step, a NaN, a sum that the type of the costs cannot
//! hold. Heuristics may be wrong: the path is then still a real path with its real cost.
//!
//! Is *your* heuristic admissible? [`check`] explores a problem and names the first state or edge that
//! says otherwise, for your own tests.
//!
//! # Features
//!
//! - `parallel`, off unless asked for: IDA* on several threads, by `rayon`. The builder then has
#![cfg_attr(feature = "parallel", doc = "  [`threads`](IdaStar::threads),")]
#![cfg_attr(not(feature = "parallel"), doc = "  `threads`,")]
//!   and the report is that of one thread.
//!
//! # Ready problems
//!
//! [`problems`]: amphipods in a [burrow](problems::amphipod), the [crucible](problems::crucible),
//! [sliding tiles](problems::sliding_tiles), [grid maps](problems::grid_map) and
//! [road networks](problems::road_network).

pub mod budget;
pub mod check;
pub mod cost;
pub mod engine;
pub mod frontier;
pub mod limits;
pub mod memory;
pub mod observer;
pub mod path;
pub mod prefetch;
pub mod problem;
pub mod problems;
pub mod report;
pub mod table;
pub mod trace;

pub use cost::{Cost, ScalableCost};
pub use engine::{
    AStar, BranchAndBound, BreadthFirst, Dijkstra, Greedy, IdaStar, Search, astar,
    branch_and_bound, breadth_first, dijkstra, dijkstra_all, greedy, idastar, solve,
};
pub use limits::{CancelToken, Limits};
pub use observer::Observer;
pub use path::{Path, PathError, PathOf, Step};
pub use problem::{
    DenseStates, EqualSteps, FnProblem, IgnoreGoal, IgnoreHeuristic, InPlaceProblem, Reversed,
    Reversible, SearchProblem, Successor, SuccessorBuffer, Successors, UnrolledSuccessors, Visit,
    WithHeuristic,
};
pub use report::{Layer, Outcome, Report, ReportOf, SearchError, Stats, StopReason};

// The types of the searches that builders make, for those who keep one in a field.
pub use engine::{
    AStarSearch, BranchAndBoundSearch, BreadthFirstSearch, DijkstraSearch, GreedySearch,
    IdaStarSearch, Reached, Settled,
};

/// The code of the README, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
