//! The parser of heat maps: every map can be written and read again, and a search with any range of runs
//! finds a valid path.

#![no_main]

use bestfirst::problems::crucible::{Crucible, HeatMap};
use bestfirst::{AStar, Limits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let map: HeatMap = match text.parse() {
        Ok(map) => map,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(map.to_string().parse(), Ok(map.clone()));
    let (min, max) = (map.loss(0, 0).unwrap_or(0), map.smallest_loss());
    match Crucible::new(&map, u32::from(min)..=u32::from(min) + u32::from(max)) {
        Ok(crucible) => {
            let limits = Limits::new().expansions(500);
            let search =
                AStar::new(&crucible).dense().limits(limits).search(crucible.start()).run();
            let report = search.expect("its costs are valid");
            if let Some(path) = report.path() {
                assert_eq!(path.verify(&crucible), Ok(()));
                assert!(!crucible.draw(path).to_string().is_empty());
            }
        }
        Err(error) => assert!(min == 0 && !error.to_string().is_empty()),
    }
});
