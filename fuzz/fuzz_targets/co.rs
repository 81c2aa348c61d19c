//! The parser of the places of a road network: it never panics, every error has a message, and distances
//! satisfy the triangle inequality.

#![no_main]

use bestfirst::problems::road_network::RoadNetwork;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let graph = "p sp 3 2\na 1 2 5\na 2 3 5\n";
    let mut roads = RoadNetwork::read(graph.as_bytes()).expect("the graph is valid");
    if let Err(error) = roads.read_places(bytes) {
        return assert!(!error.to_string().is_empty());
    }
    let distance = |from, to| {
        let (from, to) = (roads.node(from).unwrap(), roads.node(to).unwrap());
        roads.great_circle(from, to).expect("the places are known")
    };
    let sides = [distance(1, 2), distance(2, 3), distance(3, 1)];
    assert!(sides.iter().all(|side| (0.0..20_100_000.0).contains(side)));
    for turn in 0..3 {
        assert!(sides[turn] <= sides[(turn + 1) % 3] + sides[(turn + 2) % 3] + 1e-6);
    }
    assert!(roads.largest_factor().expect("the places are known") >= 0.0);
    let route = roads.route_to(roads.node(3).unwrap()).great_circle(1e-7);
    let cost =
        bestfirst::astar(&route, roads.node(1).unwrap()).expect("its costs are valid").cost();
    assert_eq!(cost, Some(10));
});
