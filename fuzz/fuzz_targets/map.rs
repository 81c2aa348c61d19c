//! The parser of grid maps: nothing panics, and every error says something.

#![no_main]

use bestfirst::problems::grid_map::GridMap;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = text.parse::<GridMap>() {
        assert!(!error.to_string().is_empty());
    }
});
