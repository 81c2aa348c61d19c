//! The picture of a network and its routes.

use bestfirst::problems::road_network::NodeId;
use pictures::{EXPANDED, Format, Layer, NETWORK, ROUTES, RoadMap};
use program::{Fault, Output, thousands};

use super::input::Roads;

/// A route that was found.
pub struct Drawn {
    pub cost: u32,
    pub nodes: Vec<NodeId>,
}

/// Writes the picture: the network, the arcs at nodes that were expanded, and the routes.
pub fn write(
    roads: &Roads,
    seen: &[bool],
    routes: &[Drawn],
    format: Format,
    file: Output,
) -> Result<(), Fault> {
    let network = &roads.network;
    let line = |from, to| Some([network.place(from)?, network.place(to)?]);
    let arcs = |counts: &dyn Fn(NodeId) -> bool| {
        let tails = network.nodes().filter(|&node| counts(node));
        tails
            .flat_map(|tail| network.arcs(tail).filter_map(move |(head, _)| line(tail, head)))
            .collect()
    };
    let layer = |name, colour, width, lines| Layer { name, colour, width, lines };
    let count = seen.iter().filter(|&&is_seen| is_seen).count();
    let expanded = format!("arcs from the {} nodes that were expanded", thousands(count));
    let mut layers = vec![
        layer(String::new(), NETWORK, 1, arcs(&|_| true)),
        layer(expanded, EXPANDED, 1, arcs(&|node| seen[node.index()])),
    ];
    // The first route is the best: it is above the others.
    for (nth, route) in routes.iter().enumerate().rev() {
        let lines = route.nodes.windows(2).filter_map(|ends| line(ends[0], ends[1])).collect();
        // Beyond the colours, the last one is for all others.
        let colour = ROUTES[nth.min(ROUTES.len() - 1)];
        let name = if nth < ROUTES.len() {
            let ends = [route.nodes.first(), route.nodes.last()];
            let [from, to] = ends.map(|node| node.map_or(0, |&node| roads.number(node)));
            format!("{from} to {to}: {}", thousands(route.cost))
        } else {
            String::new()
        };
        layers.push(layer(name, colour, 3, lines));
    }
    let (nodes, arcs) = (thousands(network.node_count()), thousands(network.arc_count()));
    let map = RoadMap { title: format!("{nodes} nodes, {arcs} arcs"), layers };
    file.write(|out| pictures::write_map(format, &map, out))
}
