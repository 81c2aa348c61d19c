//! What an answer must be, given the truth.

use bestfirst::{Outcome, Report, SearchError, StopReason};

use crate::engines::Answer;
use crate::random::{Edge, Name, Problem, Truth, Units};

/// What was seen, so that a test can tell that it saw enough.
#[derive(Debug, Default)]
pub struct Tally {
    pub problems: u64,
    pub searches: u64,
    pub found: u64,
    /// Solutions that cost more than the optimum, by engines that may find such.
    pub dearer: u64,
    pub exhausted: u64,
    pub overflows: u64,
    pub stopped: u64,
}

/// How many expansions are allowed if a search might not end.
pub const PATIENCE: u64 = 3000;

/// Checks one answer against the oracle. A solution may cost `factor` times the optimum; with a factor of 1
/// it must be proved optimal.
pub fn check<C: Units, S: Name>(
    problem: &Problem<C, S>,
    answer: &Answer<S, Edge, C>,
    factor: f64,
    may_stop: bool,
    tally: &mut Tally,
) {
    check_costs(problem, answer, factor, may_stop, tally);
    if let Ok(Report { outcome: Outcome::Found(path), .. }) = answer {
        let start = (path.start().clone(), path.start_cost());
        assert!(problem.starts().contains(&start), "the start {start:?} is none");
    }
}

/// The same of a search that stores no parents: a path is its end alone.
pub fn check_costs<C: Units, S: Name>(
    problem: &Problem<C, S>,
    answer: &Answer<S, Edge, C>,
    factor: f64,
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
            let optimum = C::of(units, graph.scale);
            check_cost(report, optimum, factor);
            assert_eq!(path.verify(problem), Ok(()));
            assert!(report.incumbent.is_none() && report.closest().is_none());
            tally.found += 1;
            tally.dearer += u64::from(path.cost().exceeds(optimum));
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

/// Checks the cost of a path that was found, and what is proved of it.
pub fn check_cost<S, A, C: Units>(report: &Report<S, A, C>, optimum: C, factor: f64) {
    let (cost, bound) = (report.cost().expect("a path"), report.lower_bound);
    if factor <= 1.0 {
        assert!(cost.is_close(optimum), "cost {cost:?}, not {optimum:?}");
        assert_eq!(bound, cost, "lower bound");
        assert!(report.is_optimal());
    }
    let rounding = C::rounding();
    assert!(!optimum.exceeds(cost), "cost {cost:?}, less than {optimum:?}");
    assert!(!bound.exceeds(optimum), "bound {bound:?}, optimum {optimum:?}");
    let most = factor * optimum.to_f64() * rounding;
    // An infinite factor allows any cost, also where the optimum is zero.
    assert!(factor.is_infinite() || cost.to_f64() <= most, "cost {cost:?}, at most {most}");
    let proved = report.suboptimality().expect("a path has a factor");
    assert!((1.0..=factor * rounding).contains(&proved), "factor {proved} of {factor}");
    assert_eq!(report.is_optimal(), cost <= bound);
    if cost <= bound {
        assert!(proved <= 1.0, "factor {proved} of an optimal path");
    } else if bound > C::ZERO {
        let ratio = cost.to_f64() / bound.to_f64();
        assert!((proved - ratio).abs() <= 1e-12 * ratio, "factor {proved}, not {ratio}");
    } else {
        assert!(proved.is_infinite(), "factor {proved} where nothing is proved");
    }
}
