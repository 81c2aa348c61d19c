//! What an answer must be, given the truth.

use bestfirst::{Outcome, SearchError, StopReason};

use crate::engines::Answer;
use crate::random::{Name, Problem, Truth, Units};

/// What was seen, so that a test can tell that it saw enough.
#[derive(Debug, Default)]
#[allow(dead_code, reason = "a fuzz target counts nothing")]
pub struct Tally {
    pub problems: u64,
    pub searches: u64,
    pub found: u64,
    pub exhausted: u64,
    pub overflows: u64,
    pub stopped: u64,
}

/// So many expansions are allowed where a search might not end.
pub const PATIENCE: u64 = 3000;

/// Checks one answer against the oracle.
pub fn check<C: Units, S: Name>(
    problem: &Problem<C, S>,
    answer: &Answer<S, (usize, usize), C>,
    may_stop: bool,
    tally: &mut Tally,
) {
    let graph = &problem.graph;
    tally.searches += 1;
    let report = match answer {
        Ok(report) => report,
        Err(SearchError::Overflow { .. }) => {
            let is_right = match graph.truth {
                Truth::TooMuch => true,
                Truth::Unreachable => graph.may_overflow(),
                Truth::Costs(_) => false,
            };
            assert!(is_right, "overflow, but {:?}", graph.truth);
            tally.overflows += 1;
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let expanded: u64 = report.layers.iter().map(|layer| layer.expanded).sum();
    assert_eq!(expanded, report.stats.expanded, "layers add up");
    assert!(report.layers.is_sorted_by(|a, b| a.bound < b.bound), "layers rise");
    assert!(report.stats.duplicates <= report.stats.generated);
    match &report.outcome {
        Outcome::Found(path) => {
            let Truth::Costs(units) = graph.truth else { panic!("found where {:?}", graph.truth) };
            let cost = C::of(units, graph.scale);
            assert!(path.cost().is_close(cost), "cost {:?}, not {cost:?}", path.cost());
            assert_eq!(path.verify(problem), Ok(()));
            let start = (path.start().clone(), path.start_cost());
            assert!(problem.starts().contains(&start), "the start {start:?} is none");
            assert_eq!(report.lower_bound, path.cost(), "lower bound");
            assert!(report.is_optimal());
            assert!(report.incumbent.is_none());
            tally.found += 1;
        }
        Outcome::Exhausted => {
            assert_eq!(graph.truth, Truth::Unreachable, "exhausted");
            assert_eq!(report.lower_bound, C::INFINITY);
            assert!(report.path().is_none() && !report.is_optimal());
            tally.exhausted += 1;
        }
        Outcome::Stopped(reason) => {
            assert!(may_stop, "stopped: {reason}");
            assert_eq!(*reason, StopReason::Expansions);
            assert_eq!(report.stats.expanded, PATIENCE, "the limit is exact");
            if let Truth::Costs(units) = graph.truth {
                let cost = C::of(units, graph.scale);
                assert!(!report.lower_bound.exceeds(cost), "bound {:?}", report.lower_bound);
            }
            tally.stopped += 1;
        }
    }
}
