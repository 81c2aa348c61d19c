//! The shortest journey by train with `pathfinding`, on a graph of the crate petgraph.

use pathfinding::prelude::dijkstra;
use petgraph::graph::Graph;
use petgraph::visit::EdgeRef;

/// Runs it.
pub fn main() {
    // Towns and the minutes by train between them, in both directions.
    let mut trains = Graph::new_undirected();
    let [bern, basel, zurich, lucerne, lugano, chur] =
        ["Bern", "Basel", "Zürich", "Luzern", "Lugano", "Chur"].map(|town| trains.add_node(town));
    trains.extend_with_edges([
        (bern, basel, 55_u32),
        (bern, zurich, 56),
        (bern, lucerne, 60),
        (basel, zurich, 53),
        (zurich, lucerne, 41),
        (zurich, chur, 74),
        (zurich, lugano, 117),
        (lucerne, lugano, 100),
    ]);

    let successors = |&town: &_| {
        let edges = trains.edges(town).map(|edge| (edge.target(), *edge.weight()));
        edges.collect::<Vec<_>>()
    };
    let (path, cost) = dijkstra(&bern, successors, |&town| town == lugano).expect("a path");
    for pair in path.windows(2) {
        println!("{} to {}", trains[pair[0]], trains[pair[1]]);
    }
    println!("{cost} min in all");
    assert_eq!((cost, path), (160, vec![bern, lucerne, lugano]));
    let from_chur = dijkstra(&chur, successors, |&town| town == lugano);
    assert_eq!(from_chur.map(|(_, cost)| cost), Some(191));
}
