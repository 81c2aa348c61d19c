//! The parser of burrows: whatever is read can be drawn, and read again as the same.

#![no_main]

use bestfirst::problems::amphipod::Burrow;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Burrow>() {
        Ok(burrow) => {
            let drawn = burrow.to_string();
            assert_eq!(drawn.parse::<Burrow>().map(|again| again.to_string()), Ok(drawn));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
