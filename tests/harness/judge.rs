//! What a report must say, given the truth.

use std::mem::discriminant;

use bestfirst::{Outcome, Path, Report, SearchError, StopReason};

use crate::case::{Case, Node, Price};
use crate::list::{BOUND, Entry, Kind};
use crate::stop::{Had, Stop};
use support::random::Truth;

pub type Answer<C> = support::engines::Answer<Node, u16, C>;
pub type ReportOf<C> = Report<Node, u16, C>;

/// What is wrong. The part before the first colon says what kind of fault it is.
pub type Verdict = Result<(), String>;

/// Returns an error unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)*) => {
        let holds: bool = $condition;
        if !holds {
            return Err(format!($($message)*));
        }
    };
}
pub(crate) use ensure;

/// Whether the search has come to its end: no limit can be raised to make it go on.
pub fn has_ended<C: Price>(entry: &Entry<C>, stop: &Stop, answer: &Answer<C>) -> bool {
    match answer {
        Ok(report) => match report.outcome {
            Outcome::Stopped(StopReason::Cost) => {
                entry.kind == Kind::Bounded && stop.cost.is_none_or(|most| most >= BOUND)
            }
            Outcome::Stopped(StopReason::Width) => entry.kind == Kind::Narrow,
            Outcome::Stopped(_) => false,
            Outcome::Found(_) | Outcome::Exhausted => true,
        },
        Err(_) => true,
    }
}

/// Checks any answer to a search of a problem without faults, which had expanded no more than it may now.
pub fn check<C: Price>(
    case: &Case<C>,
    entry: &Entry<C>,
    stop: &Stop,
    answer: &Answer<C>,
) -> Verdict {
    let report = match answer {
        Ok(report) => report,
        Err(SearchError::Overflow { .. }) => {
            let is_right = match case.graph.truth {
                Truth::TooMuch => true,
                Truth::Unreachable => case.graph.may_overflow(),
                Truth::Costs(_) => false,
            };
            ensure!(is_right, "overflow: but {:?}", case.graph.truth);
            return Ok(());
        }
        Err(error) => return Err(format!("an error: {error}")),
    };
    check_counts(report)?;
    let expanded = report.stats.expanded;
    let is_within = stop.expansions.is_none_or(|most| expanded <= most);
    ensure!(is_within, "expansions beyond the limit: {expanded} with {stop:?}");
    if let Some(optimum) = case.optimum() {
        let bound = report.lower_bound;
        ensure!(bound <= C::of(optimum), "bound above the optimum: {bound:?} > {optimum}");
    }
    if let Some(path) = report.path() {
        check_path(case, path)?;
        ensure!(report.lower_bound <= path.cost(), "bound above the path: {report:?}");
        ensure!(stop.cost.is_none_or(|most| path.cost() <= C::of(most)), "a path beyond the limit");
    }
    match &report.outcome {
        Outcome::Found(path) => check_found(case, entry, report, path.cost()),
        Outcome::Exhausted => {
            let truth = case.graph.truth;
            ensure!(truth == Truth::Unreachable, "exhausted: but {truth:?}");
            let bound = report.lower_bound;
            ensure!(bound == C::INFINITY, "exhausted with a bound: {bound:?}");
            ensure!(report.path().is_none(), "exhausted with a path: {report:?}");
            Ok(())
        }
        Outcome::Stopped(reason) => check_stop(case, entry, stop, report, *reason),
    }
}

fn check_counts<C: Price>(report: &ReportOf<C>) -> Verdict {
    let expanded: u64 = report.layers.iter().map(|layer| layer.expanded).sum();
    let stats = &report.stats;
    ensure!(expanded == stats.expanded, "layers do not add up: {expanded}, {stats}");
    let rises = report.layers.is_sorted_by(|a, b| a.bound < b.bound);
    ensure!(rises, "layers do not rise: {:?}", report.layers);
    ensure!(stats.duplicates <= stats.generated, "more duplicates than generated: {stats}");
    Ok(())
}

/// The path is there, from a start to a goal, and costs what it says and no less than it can.
pub fn check_path<C: Price>(case: &Case<C>, path: &Path<Node, u16, C>) -> Verdict {
    if let Err(error) = path.verify(case) {
        return Err(format!("a path that is none: {error}"));
    }
    let start = (usize::from(path.start().number), path.start_cost());
    ensure!(case.starts.contains(&start), "a start that is none: {start:?}");
    let cost = path.cost();
    let is_right = case.optimum().is_some_and(|optimum| cost >= C::of(optimum));
    ensure!(is_right, "a path that cannot be: {cost:?}, but {:?}", case.graph.truth);
    Ok(())
}

fn check_found<C: Price>(
    case: &Case<C>,
    entry: &Entry<C>,
    report: &ReportOf<C>,
    cost: C,
) -> Verdict {
    let optimum = C::of(case.optimum().unwrap_or(0));
    let factor = entry.engine.factor;
    if factor <= 1.0 {
        ensure!(cost == optimum, "not optimal: {cost:?}, not {optimum:?}");
        ensure!(report.lower_bound == cost, "not proved: {:?} of {cost:?}", report.lower_bound);
    } else {
        let most = factor * optimum.to_f64() * (1.0 + 4.0 * f64::EPSILON);
        ensure!(factor.is_infinite() || cost.to_f64() <= most, "beyond its factor: {cost:?}");
    }
    if entry.kind == Kind::Bounded {
        ensure!(cost <= C::of(BOUND), "beyond its bound: {cost:?}");
    }
    ensure!(report.incumbent.is_none(), "found and an incumbent: {report:?}");
    Ok(())
}

fn check_stop<C: Price>(
    case: &Case<C>,
    entry: &Entry<C>,
    stop: &Stop,
    report: &ReportOf<C>,
    reason: StopReason,
) -> Verdict {
    let stats = &report.stats;
    let most = match (reason, entry.kind, stop.cost) {
        (StopReason::Width, Kind::Narrow, _) => {
            let (bound, incumbent) = (report.lower_bound, &report.incumbent);
            let is_left = bound < C::INFINITY || case.may_cost_most();
            ensure!(is_left, "nothing was left out for the width: {bound:?}");
            ensure!(incumbent.is_none(), "too narrow, and a path: {report:?}");
            return Ok(());
        }
        (StopReason::Cost, Kind::Bounded, most) => Some(most.unwrap_or(BOUND).min(BOUND)),
        (StopReason::Cost, _, most) => most,
        _ => None,
    };
    ensure!(stop.allows(reason) || most.is_some(), "stopped for no reason: {reason}");
    if let Some(most) = most {
        let truth = case.graph.truth;
        let is_left = case.optimum().is_some_and(|optimum| optimum <= most);
        ensure!(!is_left, "stopped at the cost: {most}, but {truth:?}");
        let bound = report.lower_bound;
        ensure!(bound > C::of(most), "stopped at the cost with a bound: {bound:?} for {most}");
        ensure!(report.incumbent.is_none(), "stopped at the cost with a path: {report:?}");
    }
    if reason == StopReason::Expansions {
        let is_exact = Some(stats.expanded) == stop.expansions;
        ensure!(is_exact, "expansions are not exact: {stats} at {:?}", stop.expansions);
    }
    Ok(())
}

/// Checks the answer to a search that had stops against that of one without.
pub fn compare<C: Price>(
    entry: &Entry<C>,
    had: Had,
    answer: &Answer<C>,
    expected: &Answer<C>,
) -> Verdict {
    // With a limit on the cost, a beam leaves out other states, perhaps none: only `Width` depends on that.
    let is_too_narrow = |answer: &Answer<C>| {
        answer.as_ref().is_ok_and(|report| report.outcome == Outcome::Stopped(StopReason::Width))
    };
    let goes_elsewhere = entry.kind == Kind::Narrow
        && had.cost
        && (is_too_narrow(answer) || is_too_narrow(expected));
    let (report, other) = match (answer, expected) {
        (Ok(report), Ok(other)) => (report, other),
        (Err(error), Err(other)) => {
            // Which sum was too large first depends on the way.
            let is_same = discriminant(error) == discriminant(other);
            ensure!(is_same, "another error: {error:?}, not {other:?}");
            return Ok(());
        }
        (Ok(_), Err(_)) | (Err(_), Ok(_)) if goes_elsewhere => return Ok(()),
        (answer, expected) => {
            return Err(format!("another end: {}, not {}", brief(answer), brief(expected)));
        }
    };
    let is_same = discriminant(&report.outcome) == discriminant(&other.outcome) || goes_elsewhere;
    ensure!(is_same, "another end: {}, not {}", brief(answer), brief(expected));
    let is_free = had.memory || had.cost || matches!(entry.kind, Kind::Racing | Kind::Afresh);
    if entry.engine.is_optimal() && is_free {
        let (own, others) = (report.cost(), other.cost());
        ensure!(own == others, "another cost: {own:?}, not {others:?}");
    }
    if is_free && (had.memory || !ends_the_same_after_costs(entry, other.stats.expanded)) {
        return Ok(());
    }
    let (mut report, mut other) = (report.clone(), other.clone());
    (report.stats.peak_bytes, other.stats.peak_bytes) = (0, 0);
    if !entry.engine.is_optimal() || entry.kind == Kind::Narrow {
        let bounds = (report.lower_bound, other.lower_bound);
        ensure!(bounds.0 >= bounds.1, "a bound was lost: {:?}, not {:?}", bounds.0, bounds.1);
        report.lower_bound = other.lower_bound;
    }
    ensure!(report == other, "another report: {}", difference(&report, &other));
    Ok(())
}

/// What differs between two reports.
fn difference<C: Price>(report: &ReportOf<C>, other: &ReportOf<C>) -> String {
    let paths = [report, other].map(|report| report.path().map(Path::states));
    let closest = [report, other].map(|report| report.closest().map(Path::states));
    let bounds = [report, other].map(|report| report.lower_bound);
    let layers = [report, other].map(|report| &report.layers);
    let stats = [report, other].map(|report| report.stats);
    let mut text = String::new();
    let mut add = |differs: bool, what: String| text += if differs { &what } else { "" };
    add(paths[0] != paths[1], format!("paths {paths:?} "));
    add(closest[0] != closest[1], format!("closest {closest:?} "));
    add(bounds[0] != bounds[1], format!("bounds {bounds:?} "));
    add(layers[0] != layers[1], format!("layers {layers:?} "));
    add(stats[0] != stats[1], format!("stats {stats:?} "));
    text
}

/// Whether a limit on the cost leaves no trace in the report of a search of `expanded` expansions.
fn ends_the_same_after_costs<C: Price>(entry: &Entry<C>, expanded: u64) -> bool {
    let by_f = entry.is(&["A*", "Dijkstra"]);
    // Before it has expanded a hundred states IDA* chooses no bound, unless it is told to.
    let deepens = entry.is(&["IDA*"]) && !entry.is(&["IDA*, bounds chosen"]) && expanded <= 100;
    by_f || deepens && entry.kind != Kind::Racing
}

fn brief<C: Price>(answer: &Answer<C>) -> String {
    match answer {
        Ok(report) => match &report.outcome {
            Outcome::Found(path) => format!("found at {:?}", path.cost()),
            Outcome::Exhausted => "exhausted".into(),
            Outcome::Stopped(reason) => format!("stopped ({reason})"),
        },
        Err(error) => format!("an error ({error})"),
    }
}
