//! A graph of the crate petgraph: the shortest journey by train.
//!
//! ```text
//! cargo run --example petgraph_graph --features petgraph
//! ```

use bestfirst::problems::petgraph::GraphProblem;
use bestfirst::{AStar, Limits};
use petgraph::graph::Graph;

fn main() -> Result<(), bestfirst::SearchError<u32>> {
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

    // Nothing is copied: states are its nodes, actions the ids of its edges.
    let problem = GraphProblem::new(&trains, |edge| *edge.weight()).to(lugano);
    let mut search = AStar::new(&problem).limits(Limits::new().expansions(1000)).search(bern);
    let report = search.run()?;
    let path = report.path().expect("all towns are connected");
    for step in path.steps() {
        println!("{} to {}: {} min", trains[*step.from], trains[*step.to], trains[*step.action]);
    }
    println!("{} min in all; no journey takes less than {}", path.cost(), report.lower_bound);
    assert_eq!((path.cost(), path.states()), (160, &[bern, lucerne, lugano][..]));
    search.restart(chur);
    assert_eq!(search.run()?.cost(), Some(191));
    Ok(())
}
