//! The parser of burrows: every burrow can be written and read again, and short searches of both forms
//! give the same cost.

#![no_main]

use bestfirst::problems::amphipod::{Burrow, Literal, Reduced, Rules};
use bestfirst::{AStar, Limits, Outcome};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let burrow: Burrow = match text.parse() {
        Ok(burrow) => burrow,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let drawn = burrow.to_string();
    assert_eq!(drawn.parse(), Ok(burrow.clone()));
    let literal = Literal::<2, u64>::new(&burrow, Rules::new());
    let reduced = Reduced::<2, u64>::new(&burrow);
    let (Ok(literal), Ok(reduced)) = (literal, reduced) else { return };
    let limits = Limits::new().expansions(500);
    let first = AStar::new(&literal).limits(limits.clone()).search(literal.start()).run();
    let second = AStar::new(&reduced).limits(limits).search_from([reduced.start()]).run();
    let (Ok(first), Ok(second)) = (first, second) else { return };
    if !matches!(first.outcome, Outcome::Stopped(_))
        && !matches!(second.outcome, Outcome::Stopped(_))
    {
        assert_eq!(first.cost(), second.cost());
    }
});
