//! A search of a random problem that is stopped again and again, with what must hold at each stop.
//! A test that takes this module in takes in `random` as well.

use bestfirst::Search;
use bestfirst::engine::Engine;
use bestfirst::{Limits, Observer, Outcome, Report, SearchError};

use crate::random::{Edge, Problem, Truth, Units};

pub type Answer<C> = Result<Report<u16, Edge, C>, SearchError<C>>;

/// What a cheapest path costs, if there is one whose cost fits into the type.
pub fn optimum<C: Units>(problem: &Problem<C, u16>) -> Option<C> {
    match problem.graph.truth {
        Truth::Costs(units) => Some(C::of(units, problem.graph.scale)),
        Truth::TooMuch | Truth::Unreachable => None,
    }
}

/// What holds at any stop, and at the end: the bound is one, and the path is a path.
pub fn check_stop<C: Units>(problem: &Problem<C, u16>, report: &Report<u16, Edge, C>) {
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

/// Runs a search for so many rounds or until it is not stopped, each after the first with the limits that
/// `next` makes of the report. Returns the last answer, and at how many stops there was a solution.
pub fn run_for<C: Units, E, O>(
    problem: &Problem<C, u16>,
    mut search: Search<E, O>,
    next: impl Fn(&Report<u16, Edge, C>) -> Limits<C>,
    rounds: usize,
) -> (Answer<C>, u64)
where
    E: Engine<State = u16, Action = Edge, Cost = C>,
    O: Observer<u16, C>,
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
