//! The roads of New York.

use std::hint::black_box;

use bestfirst::problems::petgraph::GraphProblem;
use bestfirst::problems::road_network::RoadNetwork;
use bestfirst::{Dijkstra, FnProblem, SearchProblem};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::handwritten::closures;
use crate::support::contest::{Answer, Bench, Case, Side};
use crate::support::libraries::Libraries;
use crate::support::new_york;

/// The arcs of each node: their heads and lengths.
type Arcs = Vec<Vec<(u32, u32)>>;

/// The least length of a metre in the network's unit.
const FACTOR: f64 = 7.15;

/// The names of the cases.
const NAMES: [&str; 6] = [
    "first call: New York, Dijkstra",
    "first call: New York, A*",
    "first call: New York, one to all",
    "first call: New York as a graph of petgraph, Dijkstra",
    "first call: New York as a graph of petgraph, A*",
    "first call: New York as a graph of petgraph, one to all",
];

pub fn new_york(bench: &mut Bench) {
    if !NAMES.iter().any(|name| bench.wants(name)) {
        return;
    }
    let Some(network) = new_york::network() else { return };
    let arcs: Arcs = network
        .nodes()
        .map(|node| network.arcs(node).map(|(to, length)| (to.number() - 1, length)).collect())
        .collect();
    let graph: Graph = DiGraph::from_edges(
        (0..).zip(&arcs).flat_map(|(from, arcs)| arcs.iter().map(move |&(to, w)| (from, to, w))),
    );
    let count = u32::try_from(arcs.len()).expect("node numbers have 32 bits");
    let most = if bench.options.quick { 3 } else { 12 };
    let queries: Vec<_> = (1..=most).map(|n| (n * 20_011 % count, count - n * 17_011)).collect();
    let distance = |&(from, to): &(u32, u32)| {
        let node = |number: u32| network.node(number + 1).expect("it is a node");
        let found = bestfirst::dijkstra(&network.route_to(node(to)), node(from));
        let distance = found.expect("the length fits").cost().expect("the roads are connected");
        (from, to, u64::from(distance))
    };
    let pairs: Vec<_> = queries.iter().map(distance).collect();
    if NAMES[2..].iter().any(|name| bench.wants(name)) {
        one_to_all(bench, (&arcs, &graph), &queries);
        own_graph(bench, (&network, &graph), &queries);
    }
    if !NAMES[..2].iter().any(|name| bench.wants(name)) {
        return;
    }
    let libraries = Libraries::start(&network, &pairs, FACTOR);
    dijkstra(bench, (&arcs, &graph), &queries, &libraries);
    astar(bench, (&network, &arcs, &graph), &queries, &libraries);
}

/// Returns the roads as a `petgraph` graph.
type Graph = DiGraph<(), u32>;

fn dijkstra(
    bench: &mut Bench,
    (arcs, graph): (&Arcs, &Graph),
    queries: &[(u32, u32)],
    libraries: &Libraries,
) {
    let case = Case::new(NAMES[0])
        .contestant(Side::Ours, "dijkstra", |_| {
            let mut answer = Answer::default();
            for &(from, to) in queries {
                let problem = FnProblem::new(
                    |&node: &u32| arcs[node as usize].iter().copied(),
                    |_: &u32| 0,
                    |&node: &u32| node == to,
                );
                let report = bestfirst::dijkstra(&problem, from).expect("the length fits");
                answer.add_ours(report.cost(), &report.stats);
            }
            answer
        })
        .contestant(Side::Rival, "pathfinding", |_| {
            let mut answer = Answer::default();
            for &(from, to) in queries {
                let found = pathfinding::prelude::dijkstra(
                    &from,
                    |&node| arcs[node as usize].iter().copied(),
                    |&node| node == to,
                );
                let (path, length) = found.expect("the roads are connected");
                black_box(path);
                answer.add(Some(length.into()), 0, 0);
            }
            answer
        })
        .contestant(Side::Handwritten, "by hand", |_| {
            let mut answer = Answer::default();
            for &(from, to) in queries {
                let found = closures::astar(
                    from,
                    |&node| arcs[node as usize].iter().copied(),
                    |_| 0,
                    |&node| node == to,
                );
                let (path, length, [expanded, stored]) = found.expect("the roads are connected");
                black_box(path);
                answer.add(Some(length.into()), expanded, stored);
            }
            answer
        })
        .contestant(Side::Rival, "petgraph", |_| {
            let mut answer = Answer::default();
            for &(from, to) in queries {
                let (from, to) = (NodeIndex::from(from), NodeIndex::from(to));
                let lengths = petgraph::algo::dijkstra(graph, from, Some(to), |arc| *arc.weight());
                answer.add(lengths.get(&to).copied().map(u64::from), 0, 0);
            }
            answer
        });
    bench.run(libraries.join(case, false));
}

fn astar(
    bench: &mut Bench,
    (network, arcs, graph): (&RoadNetwork, &Arcs, &Graph),
    queries: &[(u32, u32)],
    libraries: &Libraries,
) {
    let estimate_to = |to: u32| {
        let goal = network.node(to + 1).expect("it is a node");
        let route = network.route_to(goal).great_circle(FACTOR);
        move |&node: &u32| network.node(node + 1).map_or(0, |node| route.heuristic(&node))
    };
    let case = Case::new(NAMES[1])
        .contestant(Side::Ours, "solve", |_| {
            let mut answer = Answer::default();
            for &(from, to) in queries {
                let report = bestfirst::solve(
                    from,
                    |&node| arcs[node as usize].iter().copied(),
                    estimate_to(to),
                    |&node| node == to,
                );
                let report = report.expect("the length fits");
                answer.add_ours(report.cost(), &report.stats);
            }
            answer
        })
        .contestant(Side::Rival, "pathfinding", |_| {
            let mut answer = Answer::default();
            for &(from, to) in queries {
                let found = pathfinding::prelude::astar(
                    &from,
                    |&node| arcs[node as usize].iter().copied(),
                    estimate_to(to),
                    |&node| node == to,
                );
                let (path, length) = found.expect("the roads are connected");
                black_box(path);
                answer.add(Some(length.into()), 0, 0);
            }
            answer
        })
        .contestant(Side::Handwritten, "by hand", |_| {
            let mut answer = Answer::default();
            for &(from, to) in queries {
                let found = closures::astar(
                    from,
                    |&node| arcs[node as usize].iter().copied(),
                    estimate_to(to),
                    |&node| node == to,
                );
                let (path, length, [expanded, stored]) = found.expect("the roads are connected");
                black_box(path);
                answer.add(Some(length.into()), expanded, stored);
            }
            answer
        })
        .contestant(Side::Rival, "petgraph", |_| {
            let mut answer = Answer::default();
            for &(from, to) in queries {
                let estimate = estimate_to(to);
                let found = petgraph::algo::astar(
                    graph,
                    NodeIndex::from(from),
                    |node| node == NodeIndex::from(to),
                    |arc| *arc.weight(),
                    |node| estimate(&u32::try_from(node.index()).expect("32 bits")),
                );
                let (length, path) = found.expect("the roads are connected");
                black_box(path);
                answer.add(Some(length.into()), 0, 0);
            }
            answer
        });
    bench.run(libraries.join(case, true));
}

/// The sum of the lengths of the shortest paths from a node to all others.
fn one_to_all(bench: &mut Bench, (arcs, graph): (&Arcs, &Graph), queries: &[(u32, u32)]) {
    let queries = &queries[..queries.len().min(4)];
    let case = Case::new(NAMES[2])
        .contestant(Side::Ours, "dijkstra_all", |_| {
            let mut answer = Answer::default();
            for &(from, _) in queries {
                let problem = FnProblem::new(
                    |&node: &u32| arcs[node as usize].iter().copied(),
                    |_: &u32| 0,
                    |_: &u32| false,
                );
                let reached = bestfirst::dijkstra_all(&problem, from).expect("the length fits");
                let mut sum = 0;
                reached.for_each(|_, length| sum += u64::from(length));
                answer.add(Some(sum), 0, 0);
            }
            answer
        })
        .contestant(Side::Ours, "costs only", |_| {
            let mut answer = Answer::default();
            for &(from, _) in queries {
                let problem = FnProblem::new(
                    |&node: &u32| arcs[node as usize].iter().copied(),
                    |_: &u32| 0,
                    |_: &u32| false,
                );
                let search = Dijkstra::new(&problem).costs_only().search(from);
                let reached = search.reach_all().expect("the length fits");
                let mut sum = 0;
                reached.for_each(|_, length| sum += u64::from(length));
                answer.add(Some(sum), 0, 0);
            }
            answer
        })
        .contestant(Side::Rival, "pathfinding", |_| {
            let mut answer = Answer::default();
            for &(from, _) in queries {
                let next = |&node: &u32| arcs[node as usize].iter().copied();
                let lengths = pathfinding::prelude::dijkstra_all(&from, next);
                answer.add(
                    Some(lengths.values().map(|&(_, length)| u64::from(length)).sum()),
                    0,
                    0,
                );
            }
            answer
        })
        .contestant(Side::Rival, "petgraph", |_| all_by_petgraph(graph, queries));
    bench.run(case);
}

fn all_by_petgraph(graph: &Graph, queries: &[(u32, u32)]) -> Answer {
    let mut answer = Answer::default();
    for &(from, _) in queries {
        let lengths =
            petgraph::algo::dijkstra(graph, NodeIndex::from(from), None, |arc| *arc.weight());
        answer.add(Some(lengths.values().map(|&length| u64::from(length)).sum()), 0, 0);
    }
    answer
}

/// A graph of `petgraph`, searched by both.
fn own_graph(bench: &mut Bench, (network, graph): (&RoadNetwork, &Graph), queries: &[(u32, u32)]) {
    let estimate_to = |to: u32| {
        let goal = network.node(to + 1).expect("it is a node");
        let route = network.route_to(goal).great_circle(FACTOR);
        move |node: NodeIndex| {
            let number = u32::try_from(node.index()).expect("32 bits");
            network.node(number + 1).map_or(0, |node| route.heuristic(&node))
        }
    };
    let ends = || queries.iter().map(|&(from, to)| (NodeIndex::from(from), NodeIndex::from(to)));
    let case = Case::new(NAMES[3])
        .contestant(Side::Ours, "dijkstra", |_| {
            let mut answer = Answer::default();
            for (from, to) in ends() {
                let problem = GraphProblem::new(graph, |arc| *arc.weight()).to(to);
                let report = bestfirst::dijkstra(&problem, from).expect("the length fits");
                answer.add_ours(report.cost(), &report.stats);
            }
            answer
        })
        .contestant(Side::Rival, "petgraph", |_| {
            let mut answer = Answer::default();
            for (from, to) in ends() {
                let lengths = petgraph::algo::dijkstra(graph, from, Some(to), |arc| *arc.weight());
                answer.add(lengths.get(&to).copied().map(u64::from), 0, 0);
            }
            answer
        });
    bench.run(case);
    let case = Case::new(NAMES[4])
        .contestant(Side::Ours, "astar", |_| {
            let mut answer = Answer::default();
            for ((from, to), &(_, goal)) in ends().zip(queries) {
                let problem = GraphProblem::new(graph, |arc| *arc.weight());
                let problem = problem.to(to).with_heuristic(estimate_to(goal));
                let report = bestfirst::astar(&problem, from).expect("the length fits");
                answer.add_ours(report.cost(), &report.stats);
            }
            answer
        })
        .contestant(Side::Rival, "petgraph", |_| {
            let mut answer = Answer::default();
            for ((from, to), &(_, goal)) in ends().zip(queries) {
                let found = petgraph::algo::astar(
                    graph,
                    from,
                    |node| node == to,
                    |arc| *arc.weight(),
                    estimate_to(goal),
                );
                let (length, path) = found.expect("the roads are connected");
                black_box(path);
                answer.add(Some(length.into()), 0, 0);
            }
            answer
        });
    bench.run(case);
    let queries = &queries[..queries.len().min(4)];
    let case = Case::new(NAMES[5])
        .contestant(Side::Ours, "dijkstra_all", |_| {
            let mut answer = Answer::default();
            for &(from, _) in queries {
                let problem = GraphProblem::new(graph, |arc| *arc.weight());
                let reached = bestfirst::dijkstra_all(&problem, NodeIndex::from(from));
                let mut sum = 0;
                let reached = reached.expect("the length fits");
                reached.for_each(|_, length| sum += u64::from(length));
                answer.add(Some(sum), 0, 0);
            }
            answer
        })
        .contestant(Side::Rival, "petgraph", |_| all_by_petgraph(graph, queries));
    bench.run(case);
}
