//! The parser of road networks: nothing panics, and every error says something.

#![no_main]

use bestfirst::problems::road_network::RoadNetwork;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = RoadNetwork::read(text.as_bytes()) {
        assert!(!error.to_string().is_empty());
    }
});
