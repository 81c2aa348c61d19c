//! State-space search: describe a problem once, and run Dijkstra's algorithm, A*, weighted and anytime A*, focal
//! and greedy search, IDA*, branch and bound, breadth-first search or beam search on it; on several threads, on disk, or on
//! several machines.
//!
//! A *state space* is a graph that is not stored: it is given by a start, the actions that are possible in
//! each state, what they cost, where they lead, and which states are goals. You describe it; the engines
//! search it. They respect [limits](Limits), and their [reports](Report) hold the path with its actions and
//! say what was proved.
//!
//! **New here?** This page is an overview. [`docs`] is a short book, to be read within an hour: how to state a problem,
//! choose an engine and a heuristic, read a report, and make a search faster.
//!
//! # The shortest example
//!
//! From 2 to 100 by adding one, which costs 1, or squaring, which costs 5:
//!
//! ```
//! const GOAL: u32 = 100;
//!
//! let report = bestfirst::solve(
//!     2_u32, // the start
//!     // The successors and their costs, without those above the goal: `n * n` must not overflow.
//!     |&n| [(n + 1, 1_u32), (n * n, 5)].into_iter().filter(|&(n, _)| n <= GOAL),
//!     |&n| u32::from(n != GOAL), // a lower bound on the remaining cost
//!     |&n| n == GOAL,            // the goal test
//! )?;
//! let path = report.path().expect("there is a path");
//! assert_eq!(path.cost(), 12);
//! assert_eq!(path.states(), [2, 3, 9, 10, 100]);
//! # Ok::<(), bestfirst::SearchError<u32>>(())
//! ```
//!
//! # Describing a problem
//!
//! [`SearchProblem`] has three types, the states, the actions and the costs, and three methods: the
//! successors of a state, a heuristic (zero by default), and the goal test. The path that is found then
//! knows its actions.
//!
//! ```
//! use bestfirst::{SearchProblem, Successors};
//!
//! /// Two jugs, of 5 and of 3 litres, and a tap: measure 4 litres with as little water as possible.
//! struct Jugs;
//!
//! impl SearchProblem for Jugs {
//!     type State = (u32, u32); // litres in each jug
//!     type Action = &'static str;
//!     type Cost = u32; // litres from the tap
//!
//!     fn successors(&self, &(a, b): &(u32, u32), next: &mut Successors<Self>) {
//!         next.push("fill 5", (5, b), 5 - a);
//!         next.push("fill 3", (a, 3), 3 - b);
//!         next.push("empty 5", (0, b), 0);
//!         next.push("empty 3", (a, 0), 0);
//!         let (into_3, into_5) = (a.min(3 - b), b.min(5 - a));
//!         next.push("5 into 3", (a - into_3, b + into_3), 0);
//!         next.push("3 into 5", (a + into_5, b - into_5), 0);
//!     }
//!
//!     fn is_goal(&self, &(a, _): &(u32, u32)) -> bool {
//!         a == 4
//!     }
//! }
//!
//! let report = bestfirst::dijkstra(&Jugs, (0, 0))?;
//! let path = report.path().expect("it is possible");
//! assert_eq!(path.cost(), 9);
//! let actions: Vec<_> = path.actions().copied().collect();
//! assert_eq!(actions, ["fill 3", "3 into 5", "fill 3", "3 into 5", "empty 5", "3 into 5", "fill 3", "3 into 5"]);
//! # Ok::<(), bestfirst::SearchError<u32>>(())
//! ```
//!
//! - Keep states small, and leave out of them what does not matter: [`problems`] shows on two puzzles how
//!   much that saves. A heuristic of [`Cost::INFINITY`] says that a state is a dead end.
//! - [`FnProblem`] is a problem made of closures; [`solve`], [`solve_all`], [`bfs`], [`bfs_all`], [`bfs_bidirectional`] and [`count_paths`] take
//!   closures directly. [`IgnoreHeuristic`], [`WithHeuristic`], [`WithStepsLeft`], [`IgnoreGoal`] and [`EqualSteps`] change one
//!   thing about a problem. References, boxes and trait objects of problems are problems.
//! - A heuristic can be computed from an abstraction of the problem: [`heuristics`] says which is worth it.
//! - States that are numbered ([`DenseStates`]) need no hashing: use [`dense`](AStar::dense).
//! - Where only costs are wanted, from one state to a goal or to all, [`costs_only`](Dijkstra::costs_only) halves the records.
//! - Where actions can be applied to a state and undone ([`InPlaceProblem`]), IDA* needs no copies of
//!   states: use [`in_place`](IdaStar::in_place).
//! - A problem that knows its predecessors ([`Reversible`]) can be searched backwards ([`Reversed`] is a
//!   problem like any other) and from both ends ([`Bidirectional`]).
//! - A problem that looks its successors up in large tables can have them loaded in time: see
//!   [`SearchProblem::prefetch`] and [`prefetch::prefetch`].
//! - A problem that knows when a state makes another needless ([`Dominance`]), such as one with more fuel left at
//!   the same place, can skip the others: use [`dominance`](AStar::dominance).
//! - Costs are any primitive integer or float, arrays of them, or your own [`Cost`].
//!
//! # Which engine
//!
//! *g* is the cost from the start to a state, *h* its heuristic value, *f = g + h*. A heuristic is
//! *admissible* if it never exceeds the cost of a cheapest path from the state to a goal.
//!
//! | engine | when | finds | time | memory |
//! |---|---|---|---|---|
//! | [`AStar`] | there is a heuristic and the states fit into memory: the first choice | a cheapest path, for every admissible heuristic, consistent or not | one frontier operation per generated state, for states with *f* up to the optimum | every state generated |
//! | [`PartialExpansion`] | A* fits into time and not into memory, as most successors are too expensive to be needed | a cheapest path, for every admissible heuristic, consistent or not | as A*; successors are evaluated again for each larger *f* among them | the states with *f* up to the optimum |
//! | [`AStar`] with a [weight](AStar::weight) *w* | A* takes too long | a path of at most *w* times the least cost, for every admissible heuristic; the [factor](Report::suboptimality) that is proved is mostly smaller | mostly far less than A* | every state generated |
//! | [`Anytime`] | a path soon, better ones as long as there is time, and always how good they are: the first choice where A* takes too long | a cheapest path when it ends, for every admissible heuristic; when stopped, the best path so far and a proven [factor](Report::suboptimality) | a [`Beam`] and weighted A* take turns; the one that found the best path gets most of them | every state that weighted A* generates and does not prune, and one pass of the beam |
//! | [`AnytimeAStar`] | the same, by falling weights alone, where weighted A* is known to do well | a cheapest path when it ends, for every admissible heuristic; when stopped, the best path so far and a proven [factor](Report::suboptimality) | as weighted A* with falling weights, on one table | every state generated and not pruned |
//! | [`Focal`] | a path of at most *w* times the least cost, after fewer expansions than weighted A* | such a path, for every admissible heuristic, and a proven factor | three frontier operations per generated state | every state generated and not pruned, in three queues |
//! | [`BoundedCost`] | any path of at most a given cost will do | such a path, or the proof that there is none (`Stopped` by the cost) | mostly far less than A* | every state generated |
//! | [`Greedy`] | any path will do, and soon | some path, and a proven factor | mostly even less | every state generated |
//! | [`Dijkstra`] | there is no heuristic; or for the costs [to all states](dijkstra_all), or states [in the order of their cost](DijkstraSearch::settled) | a cheapest path to a goal, or to every state | as A*, for states with *g* up to the optimum | every state generated |
//! | [`ExternalAStar`] | the states do not fit into memory, and there are too many paths to each for [`IdaStar`]; or A* takes too long in a space that grows exponentially; or the search must survive its process | a cheapest path, for every admissible heuristic, consistent or not | where spaces grow exponentially, less for each expansion than A*, but up to several times the expansions in the last layer; elsewhere far more | as much as you [allow](ExternalAStar::memory), and files for the rest: its bytes and two for every state generated |
//! | [`Bidirectional`] | the problem is [`Reversible`], and the heuristic is weak, or there is none | a cheapest path: by BAE* for heuristics that are consistent in both directions, by [`nbs`](Bidirectional::nbs) for every admissible one, by [`dijkstra`](Bidirectional::dijkstra) without | as A*, and a lookup in a second table, for mostly far fewer states | every state generated, from both ends |
//! | [`IdaStar`] | states do not fit into memory and the space is like a tree: puzzles, not grids | a cheapest path, for every admissible heuristic | every iteration repeats the one before; where iterations grow slowly, bounds are [chosen](IdaStar::deepening) so that each is two to three times as large as the last | one path, and a [table](IdaStar::transposition_table) of the size that you choose |
//! | `Distributed` (feature `distributed`) | the states do not fit into the memory of one machine, and there are several | a cheapest path, for every admissible heuristic; the same report in every process | as A*, and a message of some bytes for most generated states | every state generated, an equal part in each process |
//! | [`Replanner`] | the start moves and the problem changes between queries, and it is [`Reversible`] | a cheapest path each time, by D\* Lite, for every admissible heuristic | as A* at first; then only for the states that the changes concern | every state generated, from the goals |
//! | [`BranchAndBound`] | a first solution soon and better ones later; or the heuristic, or your [order of successors](BranchAndBound::order_by), is so good that depth-first search finds a good path at once | a cheapest path when it ends, for every admissible heuristic; when stopped, the best path so far and a bound | from little more than the proof takes to exponentially many repeated expansions | every state generated and not pruned |
//! | [`BreadthFirst`] | all steps cost the same, or the fewest steps are wanted ([`EqualSteps`]) | a cheapest path when it ends, for every admissible heuristic; first of all one with the fewest steps | one table lookup per generated state; states again where more steps cost less | every state generated and not pruned |
//! | [`Beam`] | a good path soon, in little memory, and better ones later; or the best path within a [beam width](Beam::width) | a cheapest path when it ends, for every admissible heuristic; when stopped, the best path so far and a bound | all passes together about twice as long as the last | the states of one pass: at most its width times its layers times the successors of a state |
//! | [`Rectangle`] | the same, where memory is no matter | as [`Beam`] | one heap operation per generated state, and no state is expanded twice at the same cost | every state generated and not pruned |
//! | [`KBest`] | more than one path: the next best ones, lazily | paths in the order of their costs, for every admissible heuristic, consistent or not; with [`simple`](KBest::simple) those that visit no state twice | as A*, and once more the successors of its states; then a few heap operations for a path | every state and step generated |
//! | [`AllOptimal`] | all cheapest paths: how many, the states and steps on them, an iterator over them | all cheapest paths, for every admissible heuristic, consistent or not | as A* to the end of its last layer, and once more the successors of its states | every state generated, and the steps by which it is reached at its least cost |
//! | [`Alternatives`] | the cheapest path and others that people would call different | the cheapest path; of the others, at most a part is shared with those before, the stretch is bounded, and shorter parts are cheapest paths. The problem is [`Reversible`] | Dijkstra's algorithm from both ends, each beyond the other end | every state that both reach |
//! | [`Pareto`] | costs have several [`Criteria`], such as distance and time | all paths that no other beats, the [`Front`], for every admissible heuristic; when stopped, the part that is proved | one frontier operation for each path to a state that no other path to it beats | every such path |
//!
//! [`ExternalAStar`] needs the feature `disk`, and `Distributed` the feature `distributed`; the others need none: see
//! [features](#features).
//!
//! Every engine has a builder. Most are functions, too, of a problem and a
//! start: [`astar`], [`anytime_astar`], [`partial_expansion()`], [`focal()`], [`bounded_cost()`], [`dijkstra`], [`greedy()`], [`idastar`],
//! [`branch_and_bound()`], [`breadth_first()`], [`beam()`], [`rectangle()`], [`anytime()`], [`bidirectional()`], [`pareto()`], [`k_best()`],
//! [`all_optimal()`]. The builders share their method names, and make a [`Search`], which can be run, stepped,
//! stopped, resumed and restarted. [Which engine](docs::ch2_engine) helps you choose from this table.
//!
//! **Many queries on one state space**: restart one search, and let [`heuristics::Landmarks`] compute the heuristic; or make a
//! [`heuristics::Hierarchy`] (feature `hierarchies`) once, which has exact distances, tables of them, and paths in microseconds; a
//! [`heuristics::CustomizableHierarchy`] makes one for each set of costs. If a few steps change between queries, use a
//! [`Replanner`].
//!
//! A table holds up to 2³¹ − 1 states; a search that needs more ends with [`StopReason::States`].
//! [`wide_ids`](AStar::wide_ids) raises that to 2⁶³ − 1.
//!
//! # Optimal paths, and faster ones
//!
//! **[`Report::is_optimal`] presumes that the heuristic is admissible.** No engine can check that in general.
//! With a heuristic that overestimates, for example twice an admissible one, the path is a real path at its
//! real cost, but a cheaper one may exist, and `is_optimal` may still be true. [`check::admissible`] tests a
//! heuristic on small instances. To find a path faster, at the price of a longer path, use [`AStar::weight`] instead of
//! scaling the heuristic: the engine then still knows the admissible values, and the bound that it reports stays true.
//!
//! # Limits and reports
//!
//! [`Limits`] bound a search, and a [`Report`] says how it ended ([`Outcome`]: found, exhausted, or stopped, which is never
//! confused with exhausted), the lower bound that is proved, and what was counted ([`Stats`], [`Layer`]).
//! Invalid input is a [`SearchError`]: a negative step, a NaN, a sum that the cost type cannot hold. See
//! [limits and reports](docs::ch4_reports); for paths that are replayed, checks and certificates, [proofs](docs::ch6_proofs);
//! for progress and recordings, [`Observer`] and [`trace`].
//!
//! # Parts of your own
//!
//! Engines are made of parts that you can replace:
//!
//! - the [`Order`](engine::Order) in which states are expanded ([`AStar::order`]), and its
//!   [`Key`](frontier::Key);
//! - the [`Frontier`](frontier::Frontier) (the open list) and the [`Table`](table::Table) of reached states
//!   with its [`Record`](table::Record)s;
//! - the [`Engine`](engine::Engine) itself: [`Search::new`] adds limits, statistics, observers, steps, stops,
//!   resuming and reports. A [`Budget`](budget::Budget) says how much of the limits is left.
//!
//! # Inside another program
//!
//! A search lives in a field beside its data if it owns its problem, alone or by an `Arc`; if it borrows
//! its problem from the same struct, the compiler refuses (E0505). [Games](docs::ch8_games) has an example. The types to write
//! have short names:
//!
//! | to hold | write |
//! |---|---|
//! | a search by one engine, as its builder makes it | [`AStarSearch<P>`](AStarSearch), [`DijkstraSearch<P>`](DijkstraSearch), [`IdaStarSearch<P>`](IdaStarSearch), [`BeamSearch<P>`](BeamSearch), …: the name of the builder, and `Search` |
//! | the same with another order, table, frontier or observer | further parameters of that name, in the order of the builder's |
//! | a search by any engine | [`BoxedSearch<'static, P>`](BoxedSearch), or `Box<dyn AnySearch<S, A, C> + Send>` |
//! | what was found | [`ReportOf<P>`](ReportOf), [`PathOf<P>`](PathOf) |
//!
//! Slices: [`run_for`](Search::run_for), [`run_within`](Search::run_within), [`run_until`](Search::run_until), and
//! [`report`](Search::report) in between. Browsers: [`clock`].
//!
//! # Features
//!
//! - `web-time`, off by default: a clock for limits on the time on `wasm32-unknown-unknown`; see [`clock`].
//! - `ordered-float`, off by default: `OrderedFloat` is a [`Cost`].
//! - `parallel`, off by default: several threads, by `rayon`. A*, weighted A* and Dijkstra's algorithm search on shards,
//!   with the same report on any number of threads; IDA* searches subtrees. The builders have
#![cfg_attr(
    feature = "parallel",
    doc = "  `threads` ([A*](AStar::threads), [Dijkstra](Dijkstra::threads), [IDA*](IdaStar::threads), [`Beam`](Beam::threads), [`ExternalAStar`](ExternalAStar::threads));"
)]
#![cfg_attr(not(feature = "parallel"), doc = "  `threads`;")]
//!   without the feature the compiler names it.
//!   With IDA* without a transposition table, and where values of *f* are few, the report is that of one thread.
//!   Beam search has the report of one thread, and search on disk its cost and bound. Landmarks have `build_parallel`.
//! - `disk`, off by default: search on disk, [`ExternalAStar`].
//! - `hierarchies`, off by default: exact distances by shortcuts, [`heuristics::Hierarchy`] and
//!   [`heuristics::CustomizableHierarchy`].
//! - `distributed`, off by default: A* on several processes, by `timely`. It brings `parallel` with it.
//! - `derive`, off by default: `#[derive(Encode)]` for structs and enums, so that their states can be kept on disk and sent to
//!   other processes.
//! - `petgraph`, off by default: every graph of petgraph is a problem, `problems::petgraph`.
//! - `problems`, off by default: the [ready problems](#ready-problems). They are a third of the library, so programs with
//!   a problem of their own do not compile them.
//! - `indexed-queue`, off by default: a frontier with decrease-key, `frontier::IndexedQueue`, by `priority-queue`.
//! - `serde`, off by default: [`Path`], [`Report`], [`Front`], [`Outcome`], [`StopReason`], [`Stats`], [`Layer`], [`Limits`],
//!   and the maps, boards, states and actions of the ready problems can be stored and read. (Road networks are read from
//!   their own files.)
//!
//! # Ready problems
//!
//! [`problems`]: amphipods in a [burrow](problems::amphipod), the [crucible](problems::crucible),
//! [sliding tiles](problems::sliding_tiles), [pancakes](problems::pancake), [grid maps](problems::grid_map), uniform or with
//! terrain, and [road networks](problems::road_network). They need the feature `problems`:
//!
//! ```toml
//! [dependencies]
//! bestfirst = { path = "…", features = ["problems"] }
//! ```

#![deny(clippy::disallowed_methods)]
// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod budget;
mod callback;
pub mod certificate;
pub mod check;
mod checksum;
pub mod clock;
mod cost;
mod debug;
mod disk_fault;
#[cfg(any(doc, doctest))]
pub mod docs;
mod encode;
pub mod engine;
#[cfg(not(feature = "parallel"))]
mod feature;
pub mod frontier;
pub mod heuristics;
mod indexed;
mod interrupt;
mod limits;
pub mod memory;
mod observer;
mod path;
#[cfg(feature = "parallel")]
mod pool;
pub mod prefetch;
mod problem;
// In the documentation always, as search on disk and hierarchies are: the book and the examples speak of them.
#[cfg(any(feature = "problems", feature = "petgraph", doc))]
pub mod problems;
mod report;
#[cfg(feature = "parallel")]
mod sync;
pub mod table;
mod threads;
pub mod trace;

#[cfg(feature = "derive")]
#[doc(inline)]
pub use bestfirst_derive::Encode;
pub use cost::{Cost, Criteria, HalvableCost, PackedCost, ScalableCost};
pub use encode::{DecodeError, Encode};
pub use limits::{CancelToken, Limits};
pub use observer::Observer;
pub use path::{Path, PathError, PathOf, Step, Steps};
pub use problem::{
    DenseStates, Dominance, EqualSteps, FnProblem, IgnoreGoal, IgnoreHeuristic, InPlaceProblem,
    Reversed, Reversible, SearchProblem, Successor, SuccessorBuffer, Successors,
    UnrolledSuccessors, Visit, WithHeuristic, WithStepsLeft,
};
pub use report::{
    InvalidWeight, Layer, Outcome, Report, ReportOf, ReportRow, SearchError, Stats, StopReason,
};

// The engines: each is a builder, a function for the first call, and the type of the search that the builder makes.
pub use engine::any::{AnySearch, BoxedSearch};
pub use engine::anytime::{Anytime, AnytimeSearch, anytime};
pub use engine::best_first::{
    AStar, AStarSearch, AnytimeAStar, AnytimeAStarSearch, BoundedCost, BoundedCostSearch, Dijkstra,
    DijkstraSearch, Focal, FocalSearch, Greedy, GreedySearch, Reached, Settled, anytime_astar,
    astar, bounded_cost, dijkstra, dijkstra_all, focal, greedy, solve, solve_all,
};
pub use engine::bidirectional::{Bidirectional, BidirectionalSearch, bidirectional};
pub use engine::depth_first::{Deepening, IdaStar, IdaStarSearch, idastar};
#[cfg(any(feature = "disk", doc))]
pub use engine::disk::{ExternalAStar, ExternalAStarSearch};
pub use engine::fewest_steps::{ReachedInSteps, bfs, bfs_all, bfs_bidirectional};
pub use engine::incumbent::{
    Beam, BeamSearch, BranchAndBound, BranchAndBoundSearch, BreadthFirst, BreadthFirstSearch,
    Rectangle, RectangleSearch, beam, branch_and_bound, breadth_first, rectangle,
};
pub use engine::pareto::{Front, FrontOf, Pareto, ParetoSearch};
pub use engine::paths::{
    AllOptimal, AllOptimalSearch, Alternatives, AlternativesSearch, KBest, KBestSearch,
    OptimalPaths, PathCount, all_optimal, count_paths, k_best,
};
pub use engine::policy::{PartialExpansion, PartialExpansionSearch, partial_expansion};
#[cfg(feature = "distributed")]
pub use engine::processes::{Cluster, Distributed};
pub use engine::replanning::{Replanner, ReplannerSearch};
pub use engine::search::Search;
pub use heuristics::ideal_point::pareto;

/// The code of the README, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
