//! The parser of the places of a road network: nothing panics, and every error says something.

#![no_main]

use bestfirst::problems::road_network::RoadNetwork;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let graph = "p sp 3 2\na 1 2 5\na 2 3 5\n";
    let mut roads = RoadNetwork::read(graph.as_bytes()).expect("the graph is sound");
    if let Err(error) = roads.read_places(text.as_bytes()) {
        assert!(!error.to_string().is_empty());
    }
});
