//! Graphs of petgraph as problems: against petgraph's own algorithms, with every type of graph and its adaptors.

use std::fmt::Debug;
use std::hash::Hash;

use bestfirst::problems::petgraph::GraphProblem;
use bestfirst::{
    AStar, Bidirectional, DenseStates, Dijkstra, Path, PathCount, Reversed, Reversible,
    SearchError, SearchProblem, all_optimal, astar, check, dijkstra, dijkstra_all, k_best,
};
use petgraph::algo;
use petgraph::csr::Csr;
use petgraph::graph::{DiGraph, Graph, NodeIndex, UnGraph};
use petgraph::graphmap::{DiGraphMap, UnGraphMap};
use petgraph::matrix_graph::{DiMatrix, UnMatrix};
use petgraph::stable_graph::StableGraph;
use petgraph::visit::{EdgeFiltered, EdgeRef, IntoEdges, NodeFiltered, NodeIndexable, Visitable};
use petgraph::{Directed, EdgeType, Undirected};

struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).unwrap() % end
    }

    /// Nodes, and edges with their weights: with loops, parallel edges and weights of zero.
    fn edges(&mut self) -> (u32, Vec<(u32, u32, u32)>) {
        let nodes = 1 + self.below(12);
        let highest = 1 + self.below(9);
        let edges = (0..self.below(40))
            .map(|_| (self.below(nodes), self.below(nodes), self.below(highest)))
            .collect();
        (nodes, edges)
    }

    fn graph<D: EdgeType>(&mut self) -> Graph<(), u32, D> {
        let (nodes, edges) = self.edges();
        let mut graph = Graph::default();
        for _ in 0..nodes {
            graph.add_node(());
        }
        graph.extend_with_edges(edges);
        graph
    }
}

/// A problem on a graph of which only the types of nodes and edges are known: an engine is compiled once for all graphs
/// that have these.
type Plain<'p, N, E> = &'p (dyn SearchProblem<State = N, Action = E, Cost = u32> + 'p);
/// The same for a dense table.
type Numbered<'p, N, E> = &'p (dyn DenseStates<State = N, Action = E, Cost = u32> + 'p);

/// The cheapest costs from one node to all, hashed and dense, are those of petgraph, and every path replays.
fn costs_agree<G>(graph: G, start: G::NodeId, all: impl IntoIterator<Item = G::NodeId>)
where
    G: IntoEdges<EdgeWeight = u32, NodeId: Eq + Hash + Debug> + Visitable + NodeIndexable,
{
    let expected = algo::dijkstra(graph, start, None, |edge| *edge.weight());
    let problem = GraphProblem::new(graph, |edge: G::EdgeRef| *edge.weight());
    let plain: Plain<'_, _, _> = &problem;
    let numbered: Numbered<'_, _, _> = &problem;
    let hashed = dijkstra_all(&plain, start).unwrap();
    let dense = Dijkstra::new(numbered).dense().search(start).reach_all().unwrap();
    assert_eq!((hashed.len(), dense.len()), (expected.len(), expected.len()));
    for node in all {
        let cost = expected.get(&node).copied();
        assert_eq!((hashed.cost_of(&node), dense.cost_of(&node)), (cost, cost));
        let to = problem.to(node);
        let to: Numbered<'_, _, _> = &to;
        let report = AStar::new(to).dense().search(start).run().unwrap();
        assert_eq!((report.cost(), report.is_optimal()), (cost, cost.is_some()));
        if let Some(path) = report.path() {
            path.verify(to).unwrap();
        }
    }
}

/// The same from both ends and backwards; and the predecessors are the reverse of the successors.
fn backwards_agrees<P>(problem: &P, start: P::State, states: impl IntoIterator<Item = P::State>)
where
    P: Reversible<Cost = u32, Action: PartialEq, State: Debug>,
{
    check::reversible(problem, states).unwrap();
    let plain: Plain<'_, _, _> = problem;
    let cost = dijkstra(&plain, start.clone()).unwrap().cost();
    let report = Bidirectional::new(problem).nbs().search(start.clone()).run().unwrap();
    assert_eq!(report.cost(), cost);
    if let Some(path) = report.path() {
        path.verify(problem).unwrap();
    }
    let reversed = Reversed::new(problem, start);
    let backwards: Plain<'_, _, _> = &reversed;
    let report = Dijkstra::new(&backwards).search_from(reversed.starts()).run().unwrap();
    assert_eq!(report.cost(), cost);
}

#[test]
fn costs_on_random_graphs_are_those_of_petgraph() {
    for seed in 0..300 {
        let directed = Random(seed).graph::<Directed>();
        let undirected = Random(seed).graph::<Undirected>();
        let start = NodeIndex::new(0);
        costs_agree(&directed, start, directed.node_indices());
        costs_agree(&undirected, start, undirected.node_indices());
        for goal in directed.node_indices() {
            let to = GraphProblem::new(&directed, |edge| *edge.weight()).to(goal);
            backwards_agrees(&to, start, directed.node_indices());
        }
        let goal = NodeIndex::new(undirected.node_count() - 1);
        let to = GraphProblem::new(&undirected, |edge| *edge.weight()).to(goal);
        backwards_agrees(&to, start, undirected.node_indices());
    }
}

#[test]
fn the_edge_ids_of_a_path_are_its_edges() {
    for seed in 0..200 {
        let graph = Random(seed).graph::<Directed>();
        let undirected = Random(seed).graph::<Undirected>();
        let start = NodeIndex::new(0);
        for goal in graph.node_indices() {
            let problem = GraphProblem::new(&graph, |edge| *edge.weight()).to(goal);
            let problem: Plain<'_, _, _> = &problem;
            if let Some(path) = astar(&problem, start).unwrap().path() {
                for step in path.steps() {
                    assert_eq!(graph.edge_endpoints(*step.action), Some((*step.from, *step.to)));
                    assert_eq!(graph[*step.action], step.cost);
                }
            }
            let problem = GraphProblem::new(&undirected, |edge| *edge.weight()).to(goal);
            let problem: Plain<'_, _, _> = &problem;
            if let Some(path) = astar(&problem, start).unwrap().path() {
                for step in path.steps() {
                    let (a, b) = undirected.edge_endpoints(*step.action).unwrap();
                    assert!([(a, b), (b, a)].contains(&(*step.from, *step.to)));
                    assert_eq!(undirected[*step.action], step.cost);
                }
            }
        }
    }
}

#[test]
fn indices_may_have_holes() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let mut graph = StableGraph::<(), u32>::from(random.graph::<Directed>());
        let bound = u32::try_from(graph.node_count()).unwrap();
        for _ in 0..random.below(bound) {
            let removed = 1 + random.below(bound);
            graph.remove_node(removed.into());
        }
        let start = NodeIndex::new(0);
        let nodes: Vec<_> = graph.node_indices().collect();
        costs_agree(&graph, start, nodes.iter().copied());
        for &goal in &nodes {
            let to = GraphProblem::new(&graph, |edge| *edge.weight()).to(goal);
            backwards_agrees(&to, start, nodes.iter().copied());
        }
    }
}

#[test]
fn graph_maps_matrices_and_compressed_rows() {
    for seed in 0..200 {
        let (nodes, mut edges) = Random(seed).edges();
        // One edge between two nodes is all that these can hold.
        edges.sort_unstable();
        edges.dedup_by_key(|&mut (from, to, _)| (from, to));
        let goal = nodes - 1;
        let cell = |node: u32| NodeIndex::<u16>::new(node as usize);

        let mut map = DiGraphMap::<u32, u32>::new();
        let mut matrix = DiMatrix::<(), u32>::new();
        let mut rows = Csr::<(), u32>::new();
        for node in 0..nodes {
            map.add_node(node);
            matrix.add_node(());
            rows.add_node(());
        }
        for &(from, to, weight) in &edges {
            map.add_edge(from, to, weight);
            matrix.add_edge(cell(from), cell(to), weight);
            rows.add_edge(from, to, weight);
        }
        costs_agree(&map, 0, 0..nodes);
        costs_agree(&rows, 0, 0..nodes);
        costs_agree(&matrix, cell(0), (0..nodes).map(cell));
        let to = GraphProblem::new(&map, |edge| *edge.weight()).to(goal);
        backwards_agrees(&to, 0, 0..nodes);
        let to = GraphProblem::new(&matrix, |edge| *edge.weight()).to(cell(goal));
        backwards_agrees(&to, cell(0), (0..nodes).map(cell));

        edges.retain(|&(from, to, _)| from <= to);
        let mut map = UnGraphMap::<u32, u32>::new();
        let mut matrix = UnMatrix::<(), u32>::new_undirected();
        for node in 0..nodes {
            map.add_node(node);
            matrix.add_node(());
        }
        for &(from, to, weight) in &edges {
            map.add_edge(from, to, weight);
            matrix.add_edge(cell(from), cell(to), weight);
        }
        costs_agree(&map, 0, 0..nodes);
        costs_agree(&matrix, cell(0), (0..nodes).map(cell));
        let to = GraphProblem::new(&map, |edge| *edge.weight()).to(goal);
        backwards_agrees(&to, 0, 0..nodes);
    }
}

#[test]
fn adaptors_are_graphs() {
    for seed in 0..200 {
        let graph = Random(seed).graph::<Directed>();
        let (start, goal) = (NodeIndex::new(0), NodeIndex::new(graph.node_count() - 1));
        let nodes = || graph.node_indices();

        let reversed = petgraph::visit::Reversed(&graph);
        costs_agree(reversed, start, nodes());
        let to = GraphProblem::new(reversed, |edge| *edge.weight()).to(goal);
        backwards_agrees(&to, start, nodes());

        let few_nodes = NodeFiltered::from_fn(&graph, |node| node.index() % 4 != 2);
        costs_agree(&few_nodes, start, nodes().filter(|node| node.index() % 4 != 2));
        if goal.index() % 4 != 2 {
            let to = GraphProblem::new(&few_nodes, |edge| *edge.weight()).to(goal);
            backwards_agrees(&to, start, nodes().filter(|node| node.index() % 4 != 2));
        }

        let few_edges = EdgeFiltered::from_fn(&graph, |edge| edge.id().index() % 3 != 0);
        costs_agree(&few_edges, start, nodes());
        let to = GraphProblem::new(&few_edges, |edge| *edge.weight()).to(goal);
        backwards_agrees(&to, start, nodes());
    }
}

/// Costs may depend on the direction in which an undirected edge is used.
#[test]
fn the_source_of_an_undirected_edge_is_the_node_that_is_left() {
    let mut hill = UnGraph::<u32, ()>::new_undirected();
    let (low, high) = (hill.add_node(100), hill.add_node(130));
    hill.add_edge(high, low, ());
    let problem = GraphProblem::new(&hill, |edge| {
        1 + hill[edge.target()].saturating_sub(hill[edge.source()])
    });
    let (up, down) = (problem.to(high), problem.to(low));
    assert_eq!(dijkstra(&up, low).unwrap().cost(), Some(31));
    assert_eq!(dijkstra(&down, high).unwrap().cost(), Some(1));
    assert_eq!(Bidirectional::new(&up).dijkstra().search(low).run().unwrap().cost(), Some(31));
    check::reversible(&up, [low, high]).unwrap();
}

#[test]
fn heuristics_and_several_goals() {
    // A grid of 8 times 8 nodes.
    let mut grid = DiGraph::<(u32, u32), u32>::new();
    let nodes: Vec<_> = (0..64).map(|i| grid.add_node((i % 8, i / 8))).collect();
    for (i, &node) in nodes.iter().enumerate() {
        for other in [(i % 8 < 7).then_some(i + 1), (i < 56).then_some(i + 8)].into_iter().flatten()
        {
            grid.add_edge(node, nodes[other], 1);
            grid.add_edge(nodes[other], node, 1);
        }
    }
    let between = |a: NodeIndex, b: NodeIndex| {
        let ((ax, ay), (bx, by)) = (grid[a], grid[b]);
        ax.abs_diff(bx) + ay.abs_diff(by)
    };
    let (start, goal) = (nodes[9], nodes[54]);
    let blind = GraphProblem::new(&grid, |edge| *edge.weight());
    let one_way = blind.to(goal).with_heuristic(|node| between(node, goal));
    let both_ways = blind.to(goal).with_heuristic_between(between);
    check::admissible(&one_way, start, 100).unwrap();
    assert_eq!(check::consistent(&both_ways, nodes.iter().copied()), Ok(224));
    assert_eq!(one_way.heuristic(&start), both_ways.heuristic(&start));
    assert_eq!(both_ways.heuristic_from(&start, &nodes[0]), 2);
    for report in [astar(&one_way, start), astar(&both_ways, start)] {
        let report = report.unwrap();
        assert_eq!(report.cost(), Some(10));
        assert!(report.stats.expanded < dijkstra(&one_way, start).unwrap().stats.expanded);
    }
    assert_eq!(Bidirectional::new(&both_ways).search(start).run().unwrap().cost(), Some(10));

    let corners = blind.to_where(|node| grid[node] == (0, 7) || grid[node] == (7, 0));
    assert_eq!(corners.goals().collect::<Vec<_>>(), [nodes[7], nodes[56]]);
    assert_eq!(Bidirectional::new(&corners).dijkstra().search(goal).run().unwrap().cost(), Some(7));
    assert_eq!(blind.goals().count(), 0);
    assert_eq!(dijkstra(&blind, start).unwrap().cost(), None);
    assert!(format!("{both_ways:?} {corners:?}").contains("GoalWhere"));
    assert_eq!(both_ways.graph().node_count(), 64);

    // 10 steps, 5 of them to the right.
    assert_eq!(all_optimal(&both_ways, start).unwrap().count(), PathCount::Finite(252));
}

#[test]
fn parallel_edges_are_different_paths() {
    let graph = Graph::<(), u32>::from_edges([(0, 1, 3), (0, 1, 3), (0, 1, 5), (1, 1, 1)]);
    let problem = GraphProblem::new(&graph, |edge| *edge.weight()).to(1.into());
    let best: Vec<_> = k_best(&problem, 0.into()).take(6).collect::<Result<_, _>>().unwrap();
    assert!(best.iter().map(Path::cost).eq([3, 3, 4, 4, 5, 5]));
    assert_ne!(best[0].actions().next(), best[1].actions().next());
}

#[test]
fn bad_weights_are_errors_and_strangers_have_no_edges() {
    let graph = Graph::<(), i32>::from_edges([(0, 1, -3)]);
    let problem = GraphProblem::new(&graph, |edge| *edge.weight()).to(1.into());
    assert_eq!(dijkstra(&problem, 0.into()), Err(SearchError::NegativeCost { g: 0, step: -3 }));

    let graph = Graph::<(), f64>::from_edges([(0, 1, f64::NAN)]);
    let problem = GraphProblem::new(&graph, |edge| *edge.weight()).to(1.into());
    assert!(matches!(dijkstra(&problem, 0.into()), Err(SearchError::NotANumber { .. })));

    let graph = Graph::<(), u8>::from_edges([(0, 1, 200), (1, 2, 100)]);
    let problem = GraphProblem::new(&graph, |edge| *edge.weight()).to(2.into());
    assert_eq!(dijkstra(&problem, 0.into()), Err(SearchError::Overflow { g: 200, added: 100 }));

    let stranger = NodeIndex::new(70);
    assert_eq!(dijkstra(&problem, stranger).unwrap().cost(), None);
    let dense = Dijkstra::new(&problem).dense().search(stranger).run();
    assert_eq!(dense, Err(SearchError::StateIndex { index: 70, count: 3 }));
    let nowhere = GraphProblem::new(&graph, |edge| *edge.weight()).to(stranger);
    assert_eq!(
        Bidirectional::new(&nowhere).dijkstra().search(0.into()).run().unwrap().cost(),
        None
    );
}
