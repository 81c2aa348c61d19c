//! A search of a random problem that is stopped again and again, with what must hold at each stop.

use bestfirst::Search;
use bestfirst::engine::Engine;
use bestfirst::{Limits, Observer, Outcome, Report, SearchError};

use crate::random::{Edge, Problem, Truth, Units};

pub type Answer<C> = Result<Report<u32, Edge, C>, SearchError<C>>;

/// What a cheapest path costs, if there is one whose cost fits into the type.
pub fn optimum<C: Units>(problem: &Problem<C, u32>) -> Option<C> {
    match problem.graph.truth {
        Truth::Costs(units) => Some(C::of(units, problem.graph.scale)),
        Truth::TooMuch | Truth::Unreachable => None,
    }
}

/// What holds at any stop, and at the end: the bound is one, and the path is a path.
pub fn check_stop<C: Units>(problem: &Problem<C, u32>, report: &Report<u32, Edge, C>) {
    let Some(optimum) = optimum(problem) else {
        assert!(report.path().is_none(), "a path where there is none");
        return;
    };
    assert!(!report.lower_bound.exceeds(optimum), "{:?} > {optimum:?}", report.lower_bound);
    if let Some(path) = report.path() {
        assert_eq!(path.verify(problem), Ok(()));
        assert!(!optimum.exceeds(path.cost()));
    }
    assert!(report.layers.is_sorted_by(|a, b| a.bound < b.bound), "layers rise");
}

/// The end of a search: a cheapest path, if the search was not stopped. Returns whether there is one.
pub fn check_end<C: Units>(problem: &Problem<C, u32>, answer: &Answer<C>) -> bool {
    let Ok(report) = answer else {
        let may_be = problem.graph.may_overflow();
        assert!(may_be || problem.graph.truth == Truth::TooMuch, "{answer:?}");
        return false;
    };
    check_stop(problem, report);
    let expanded: u64 = report.layers.iter().map(|layer| layer.expanded).sum();
    assert_eq!(expanded, report.stats.expanded, "layers add up");
    match (&report.outcome, problem.graph.truth) {
        (Outcome::Found(path), Truth::Costs(units)) => {
            assert!(path.cost().is_close(C::of(units, problem.graph.scale)));
            assert_eq!(path.verify(problem), Ok(()));
            assert!(report.is_optimal() && report.incumbent.is_none());
            assert_eq!(report.lower_bound, path.cost());
            true
        }
        (Outcome::Exhausted, Truth::Unreachable) | (Outcome::Stopped(_), _) => false,
        (outcome, truth) => panic!("{outcome:?}, but {truth:?}"),
    }
}

/// Runs a search for `rounds` rounds or until it is not stopped, each after the first with the limits that
/// `next` makes of the report. Returns the last answer, and at how many stops there was a solution.
pub fn run_for<C: Units, E, O>(
    problem: &Problem<C, u32>,
    mut search: Search<E, O>,
    next: impl Fn(&Report<u32, Edge, C>) -> Limits<C>,
    rounds: usize,
) -> (Answer<C>, u64)
where
    E: Engine<State = u32, Action = Edge, Cost = C>,
    O: Observer<u32, C>,
{
    let mut answer = search.run();
    let mut solutions = 0;
    for _ in 1..rounds {
        let Ok(report) = &answer else { break };
        if !matches!(report.outcome, Outcome::Stopped(_)) {
            break;
        }
        check_stop(problem, report);
        solutions += u64::from(report.incumbent.is_some());
        search.set_limits(next(report));
        answer = search.run();
    }
    (answer, solutions)
}

/// Depth-first search may go on without end.
pub fn few<C: Units>() -> Limits<C> {
    Limits::new().expansions(3000)
}

/// Random problems: with long paths, of fewer than `6 + endless` states, and others, of at most `finite` states.
pub fn problems<C: Units>(
    seeds: std::ops::Range<u64>,
    [endless, finite]: [usize; 2],
) -> impl Iterator<Item = Problem<C, u32>> {
    let place =
        |seed: u64, end: usize| usize::try_from(seed % end as u64).expect("less than `end`");
    seeds.map(move |seed| match seed % 3 {
        0 => Problem::long(seed, 6 + place(seed, endless)),
        _ => Problem::random(seed, 1 + place(seed, finite)),
    })
}
