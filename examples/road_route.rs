//! Routes on a road map with landmarks: they are computed once, and make every query cheaper.
//!
//! The roads are generated here; `RoadNetwork::read` reads the files of the DIMACS challenge.
//!
//! ```text
//! cargo run --example road_route
//! ```

use bestfirst::heuristics::Landmarks;
use bestfirst::problems::road_network::{RoadError, RoadNetwork};
use bestfirst::{AStar, Dijkstra};

/// Crossings in rows and columns; roads between neighbours take 10 to 60 seconds, each way its own time.
fn town(side: u32) -> Result<RoadNetwork, RoadError> {
    let seconds = |from, to| 10 + (from * 7919 + to * 104_729) % 51;
    let mut roads = Vec::new();
    for node in 1..=side * side {
        let (is_last_column, is_last_row) = (node % side == 0, node > side * (side - 1));
        for (is_last, there) in [(is_last_column, node + 1), (is_last_row, node + side)] {
            if !is_last {
                roads.push((node, there, seconds(node, there)));
                roads.push((there, node, seconds(there, node)));
            }
        }
    }
    RoadNetwork::new(side * side, &roads)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let network = town(80)?;
    let node = |number| network.node(number).ok_or("there is no such node");
    let landmarks = Landmarks::of(&network.route_to(node(1)?)).count(6).build()?;
    let mut expanded = (0, 0);
    for (from, to) in [(1, 6400), (3240, 80), (5000, 12), (77, 6301)] {
        let (from, to) = (node(from)?, node(to)?);
        let plain = Dijkstra::new(network.route_to(to)).dense().search(from).run()?;
        let route = landmarks.to(network.route_to(to))?;
        let report = AStar::new(route).dense().search(from).run()?;
        println!(
            "{from} to {to}: {} s over {} crossings; {} expanded, {} without landmarks",
            report.cost().ok_or("every crossing can be reached")?,
            report.path().map_or(0, bestfirst::Path::len),
            report.stats.expanded,
            plain.stats.expanded,
        );
        assert_eq!(report.cost(), plain.cost());
        expanded = (expanded.0 + report.stats.expanded, expanded.1 + plain.stats.expanded);
    }
    assert!(expanded.0 * 5 < expanded.1);
    Ok(())
}
