//! Tests of the library by what it makes public: one program, so that the compiler makes each engine once for all of them.

#[path = "../support/counting.rs"]
mod counting;

mod adapters;
mod all_optimal;
mod alternatives;
mod amphipod;
mod any_angle;
mod api;
mod beam;
mod beam_threads;
mod bidirectional;
mod bidirectional_faults;
mod certificate;
mod check;
mod closest;
mod costs_only;
mod count_paths;
mod crucible;
mod deepening;
#[cfg(feature = "derive")]
mod derive;
mod disk;
mod dominance;
mod embedding;
mod encode;
mod fewest_steps;
mod first_programs;
#[cfg(feature = "serde")]
mod foreign;
mod frontiers;
mod graph;
mod grid_terrain;
mod heuristic_builders;
mod hierarchy;
mod hierarchy_uses;
mod ida_recursion;
mod ida_star;
mod incumbent;
mod k_best;
mod korf15;
mod landmarks;
mod late_panics;
mod late_work;
mod limits_on_threads;
mod lists;
mod oracle;
#[cfg(feature = "ordered-float")]
mod ordered_float;
mod outside;
#[cfg(feature = "parallel")]
mod parallel;
mod pareto;
mod pattern_databases;
#[cfg(feature = "petgraph")]
mod petgraph;
mod plain_actions;
mod prefetch;
mod problems;
mod regressions;
mod replanner;
mod replanner_faults;
#[cfg(feature = "serde")]
mod serde;
mod suboptimal;
mod tables;
mod trace;
