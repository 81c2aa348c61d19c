//! The parser of heat maps: whatever is read can be drawn, and read again as the same.

#![no_main]

use bestfirst::problems::crucible::HeatMap;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<HeatMap>() {
        Ok(map) => {
            let drawn = map.to_string();
            assert_eq!(drawn.parse::<HeatMap>().map(|again| again.to_string()), Ok(drawn));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
