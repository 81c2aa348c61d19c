//! Problems that lie: heuristics that overestimate, costs that are none, and answers that change from call to
//! call.

use std::sync::atomic::AtomicU64;

use bestfirst::{CancelToken, Limits, Outcome, PathError, SearchError, StopReason};

use crate::case::{Case, Price};
use crate::findings::Findings;
use crate::judge::{Answer, Verdict, ensure};
use crate::list::{Entry, Kind, list};
use crate::nodes;
use crate::odd::Odd;
use crate::stop::Stop;
use crate::watch::{Label, watched};
use support::random::{Random, Truth, rounds};

/// How a problem lies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lie {
    /// Heuristic values are anything; costs are true.
    Heuristic,
    /// Costs of steps and starts, and heuristic values, are anything.
    Costs,
    /// Each answer is another one.
    Whims,
}

/// This many expansions end a search that would go on for ever.
const MOST: u64 = 300;

/// Searches that lying problems make, within limits that rise: each ends, within its limits, and with a real path if with
/// any.
fn lied_to<C: Price>(
    case: &Case<C>,
    entry: &Entry<C>,
    lie: Lie,
    random: &mut Random,
    cost: fn(&mut Random) -> Option<C>,
) -> Verdict {
    let label = Label { engine: entry.name(), test: "lies", seed: case.graph.seed };
    let token = CancelToken::new();
    let mut search = entry.search(case, Limits::new());
    for _ in 0..4 {
        let (expanded, bytes) = (search.stats().expanded, search.bytes());
        let mut stop = Stop::random(random, expanded, bytes, 256);
        stop.cost = None;
        stop.expansions = Some(stop.expansions.unwrap_or(MOST));
        let mut limits = stop.limits(case, Some(&token), search.elapsed());
        if let Some(most) = cost(random) {
            limits = limits.cost(most);
            stop.cost = Some(0);
        }
        search.set_limits(limits);
        let answer = watched(&label, stop, Some(&token), || search.run());
        check(case, entry, lie, &stop.after(expanded), &answer)?;
        let most = stop.expansions.unwrap_or(0).max(expanded);
        ensure!(search.stats().expanded <= most, "too many expansions: {stop:?}");
        let bytes = search.bytes().saturating_sub(stop.memory.unwrap_or(usize::MAX).max(bytes));
        let end = answer.map(|report| report.outcome);
        ensure!(bytes == 0, "too many bytes: {bytes} more than {stop:?}, {end:?}");
        if random.one_in(4) {
            search.restart_from(case.starts());
        }
    }
    Ok(())
}

/// Checks what is true whatever the problem says.
fn check<C: Price>(
    case: &Case<C>,
    entry: &Entry<C>,
    lie: Lie,
    stop: &Stop,
    answer: &Answer<C>,
) -> Verdict {
    let report = match answer {
        Ok(report) => report,
        Err(error) => return check_error(lie, error),
    };
    if let Some(path) = report.path()
        && lie != Lie::Whims
    {
        match path.verify(case) {
            Ok(()) => {}
            // A cost is compared with itself.
            #[expect(clippy::eq_op, reason = "it may be no number")]
            Err(
                PathError::WrongStepCost { stated: cost, .. }
                | PathError::WrongSum { stated: cost, .. },
            ) if cost != cost => {}
            Err(error) => return Err(format!("a path that is none: {error}")),
        }
        let (bound, cost) = (report.lower_bound, path.cost());
        let is_above = bound > cost;
        ensure!(!is_above, "a bound above the path: {bound:?} > {cost:?}");
        if lie == Lie::Heuristic {
            let optimum = case.optimum().map(C::of);
            ensure!(optimum.is_some_and(|least| cost >= least), "a path that cannot be: {cost:?}");
        }
    }
    match &report.outcome {
        Outcome::Exhausted if lie == Lie::Heuristic => {
            let h = case.h.iter().chain(case.between.iter().flatten());
            let hides = h.clone().any(|&h| h >= C::INFINITY);
            let is_true = hides || case.graph.truth == Truth::Unreachable;
            ensure!(is_true, "exhausted: but {:?}", case.graph.truth);
        }
        Outcome::Stopped(StopReason::Width) if entry.kind == Kind::Narrow => {}
        Outcome::Stopped(StopReason::Cost) if entry.kind == Kind::Bounded => {}
        Outcome::Stopped(reason) => {
            ensure!(stop.allows(*reason), "stopped for no reason: {reason}");
        }
        Outcome::Found(_) | Outcome::Exhausted => {}
    }
    Ok(())
}

fn check_error<C: Price>(lie: Lie, error: &SearchError<C>) -> Verdict {
    let is_allowed = match error {
        SearchError::Overflow { .. } => true,
        SearchError::NotANumber { .. }
        | SearchError::NegativeCost { .. }
        | SearchError::ParentCycle { .. }
        | SearchError::Path(_) => lie != Lie::Heuristic,
        _ => false,
    };
    ensure!(is_allowed, "an error: {error}");
    Ok(())
}

fn no_cost<C>(_: &mut Random) -> Option<C> {
    None
}

/// A cost that is one, or none.
fn odd(random: &mut Random) -> Odd {
    let mut part = || match random.below(24) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => -1.0,
        3 => 200.0,
        4..8 => 0.0,
        _ => f64::from(u8::try_from(random.below(5)).expect("a small number")),
    };
    Odd(part(), part())
}

/// A cost of which only the second part may be no number: it can be compared with most.
fn partly(random: &mut Random) -> Odd {
    let first = f64::from(u8::try_from(random.below(3)).expect("a small number"));
    Odd(first, [0.0, f64::NAN, 0.0, 1.0, 3.0][random.index(5)])
}

fn replace(costs: &mut [Odd], random: &mut Random, one_in: u64, draw: fn(&mut Random) -> Odd) {
    for cost in costs {
        if random.one_in(one_in) {
            *cost = draw(random);
        }
    }
}

/// A problem whose costs are none.
fn odd_case(seed: u64, random: &mut Random) -> Case<Odd> {
    let mut case = Case::<Odd>::random(seed, nodes(seed));
    let draw = if random.one_in(2) { odd } else { partly };
    let one_in = [1, 2, 4, 20][random.index(4)];
    for steps in &mut case.steps {
        for (_, cost) in steps {
            replace(std::slice::from_mut(cost), random, one_in, draw);
        }
    }
    let (in_h, in_starts) = (one_in * random.below(3), random.one_in(4));
    if in_h > 0 {
        replace(&mut case.h, random, in_h, draw);
        case.between.iter_mut().for_each(|row| replace(row, random, in_h, draw));
    }
    for (_, cost) in case.starts.iter_mut().filter(|_| in_starts) {
        *cost = draw(random);
    }
    case
}

/// Searches a lying problem with every engine. One in three answers otherwise each time instead.
fn all_lied_to<C: Price>(
    findings: &mut Findings,
    list: &[Entry<C>],
    case: &mut Case<C>,
    (seed, lie): (u64, Lie),
    cost: fn(&mut Random) -> Option<C>,
) {
    let lie = if seed.is_multiple_of(3) { Lie::Whims } else { lie };
    if lie == Lie::Whims {
        case.whim = Some(AtomicU64::new(seed));
    }
    findings.problems += 1;
    for entry in list.iter().filter(|entry| entry.is_for(case)) {
        findings.trials += 1;
        let mut random = entry.random(seed);
        let attempt = || lied_to(case, entry, lie, &mut random, cost);
        findings.attempt(entry.name(), seed, || format!("{lie:?}"), attempt);
    }
}

#[test]
fn costs_that_are_none_and_answers_that_change() {
    let list = list::<Odd>();
    let mut findings = Findings::new(list.len() as u64);
    for seed in 20_000..20_000 + rounds(200) {
        let mut random = Random::new(!seed);
        let mut case = odd_case(seed, &mut random);
        let cost = |random: &mut Random| random.one_in(6).then(|| odd(random));
        all_lied_to(&mut findings, &list, &mut case, (seed, Lie::Costs), cost);
    }
    findings.conclude("costs that are none");
}

#[test]
fn heuristics_that_lie() {
    let list = list::<u8>();
    let mut findings = Findings::new(list.len() as u64);
    for seed in 30_000..30_000 + rounds(200) {
        let mut random = Random::new(!seed);
        let mut case = Case::<u8>::random(seed, nodes(seed));
        for h in case.h.iter_mut().chain(case.between.iter_mut().flatten()) {
            match random.below(6) {
                0 => *h = 254,
                1 => *h = u8::try_from(random.below(40)).expect("small"),
                2 if seed % 4 == 0 => *h = 255,
                _ => {}
            }
        }
        all_lied_to(&mut findings, &list, &mut case, (seed, Lie::Heuristic), no_cost);
    }
    findings.conclude("heuristics that lie");
}
