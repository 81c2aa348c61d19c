//! The parser of road networks: it never panics, every error has a message, and every network can be
//! searched.

#![no_main]

use bestfirst::problems::road_network::RoadNetwork;
use bestfirst::{Dijkstra, Limits, SearchError};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let roads = match RoadNetwork::read(bytes) {
        Ok(roads) => roads,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let arcs: usize = roads.nodes().map(|node| roads.arcs(node).len()).sum();
    assert_eq!(arcs, roads.arc_count());
    let (Some(first), Some(last)) = (roads.nodes().next(), roads.nodes().next_back()) else {
        return;
    };
    let route = roads.route_to(last);
    let limits = Limits::new().expansions(500);
    match Dijkstra::new(&route).limits(limits).search(first).run() {
        Ok(report) => assert!(report.path().is_none_or(|path| path.verify(&route).is_ok())),
        Err(error) => assert!(matches!(error, SearchError::Overflow { .. })),
    }
});
