//! The parser of grid maps: every map can be written and read again, and searches from corner to corner
//! give the same length with both kinds of costs.

#![no_main]

use bestfirst::problems::grid_map::{Cell, EightWayFloat, GridMap};
use bestfirst::{AStar, Limits, Outcome, SearchError};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let map: GridMap = match text.parse() {
        Ok(map) => map,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    if map.width() > 0 && map.height() > 0 {
        assert_eq!(GridMap::from_rows(&map.to_string()), Ok(map.clone()));
    }
    let (start, goal) =
        (Cell::new(0, 0), Cell::new(map.width().max(1) - 1, map.height().max(1) - 1));
    let exact = map.route_to(goal);
    let report = AStar::new(exact).limits(Limits::new().expansions(500)).search(start).run();
    let report = report.expect("its costs are valid");
    let float = map.route_by::<EightWayFloat>(goal);
    let other = AStar::new(float).dense().limits(Limits::new().expansions(500)).search(start).run();
    if !map.contains(start) {
        return assert!(matches!(other, Err(SearchError::StateIndex { .. })));
    }
    let other = other.expect("its costs are valid");
    if let (Some(path), Some(cost)) = (report.path(), other.cost()) {
        assert_eq!(path.verify(&exact), Ok(()));
        assert!((path.cost().to_f64() - cost).abs() < 1e-6);
    }
    assert!(report.outcome != Outcome::Exhausted || other.cost().is_none());
    assert!(other.outcome != Outcome::Exhausted || report.cost().is_none());
});
