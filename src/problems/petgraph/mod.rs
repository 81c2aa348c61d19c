//! Graphs of the crate [`petgraph`]: every graph of its traits is a problem. Needs the feature `petgraph`.
//!
//! [`GraphProblem`] takes a reference to a graph, a closure for the costs of its edges, and a goal. States are
//! nodes, actions are edge ids. Nothing is copied.
//!
//! ```
//! use bestfirst::problems::petgraph::GraphProblem;
//! use bestfirst::{AStar, Bidirectional, astar, dijkstra_all, k_best};
//! use petgraph::graph::Graph;
//!
//! let mut map = Graph::new();
//! let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| map.add_node(name));
//! let ab = map.add_edge(a, b, 2_u32);
//! let bd = map.add_edge(b, d, 3);
//! map.extend_with_edges([(a, c, 1), (c, d, 5), (a, d, 9)]);
//!
//! let problem = GraphProblem::new(&map, |edge| *edge.weight()).to(d);
//!
//! let report = astar(&problem, a)?;
//! let path = report.path().expect("there is a path");
//! assert_eq!((path.cost(), path.states()), (5, &[a, b, d][..]));
//! assert!(path.actions().eq(&[ab, bd])); // edge ids
//!
//! let report = AStar::new(&problem).dense().search(a).run()?; // an array instead of hashing
//! assert_eq!(report.cost(), Some(5));
//! let report = Bidirectional::new(&problem).search(a).run()?; // from both ends
//! assert_eq!(report.cost(), Some(5));
//!
//! let best: Vec<_> = k_best(&problem, a).collect::<Result<_, _>>()?; // all paths, the best first
//! assert!(best.iter().map(|path| path.cost()).eq([5, 6, 9]));
//!
//! let everywhere = GraphProblem::new(&map, |edge| *edge.weight()); // no goal
//! let reached = dijkstra_all(&everywhere, a)?;
//! assert_eq!(reached.cost_of(&c), Some(1));
//! # Ok::<(), bestfirst::SearchError<u32>>(())
//! ```
//!
//! # Which graphs
//!
//! | graph | any engine | [`dense`](crate::AStar::dense) | [`Reversible`](crate::Reversible): from both ends, backwards |
//! |---|---|---|---|
//! | `Graph`, `StableGraph`, `GraphMap` | yes | yes | yes |
//! | `MatrixGraph` | yes | yes | directed ones |
//! | `Csr`, `adj::List` | yes | yes | no: they do not list incoming edges |
//! | `&NodeFiltered`, `&EdgeFiltered`, `Reversed` | yes | yes | as the graph inside |
//! | your own graph | with `IntoEdges` | with `NodeIndexable` | with `IntoEdgesDirected` and `IntoNodeIdentifiers` |
//!
//! - Undirected edges can be used in both directions. The closure for the costs receives the edge in the direction of
//!   its use: its `source` is the node that the step leaves.
//! - Indices may have holes, as those of a `StableGraph` from which nodes were removed. Dense tables take memory for the
//!   holes as well. The index of a `GraphMap` is looked up in a hash table, so that [`dense`](crate::AStar::dense) is of
//!   no use there.
//! - Parallel edges and loops are kept. Of parallel edges with the same cost, the path has the first.
//! - petgraph 0.8 swaps the ends of the incoming edges of a `MatrixGraph`. [`Reversible`](crate::Reversible)
//!   finds the edge at its other end instead, which takes time in the number of nodes for each edge. Through petgraph's
//!   `Reversed`, costs and states are right, but edge ids are swapped, too; use [`Reversed`](crate::Reversed) of this
//!   crate there.

mod goal;
mod graph_problem;
mod heuristic;

pub use goal::{Goal, GoalWhere, NoGoal, OneGoal};
pub use graph_problem::{GraphProblem, OneGoalProblem};
pub use heuristic::{Between, Heuristic, ToGoal, ZeroHeuristic};
