//! The parser of scenarios: it never panics, every error has a message, and every query lies on its map.

#![no_main]

use bestfirst::problems::grid_map::Scenario;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Scenario>() {
        Ok(scenario) => {
            for query in scenario.queries {
                let is_on_map = |x, y| x < query.width && y < query.height;
                assert!(is_on_map(query.start.x, query.start.y));
                assert!(is_on_map(query.goal.x, query.goal.y));
                assert!(query.length.is_finite() && !query.map.is_empty());
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
