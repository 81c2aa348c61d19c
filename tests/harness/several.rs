//! Searches that answer more than once: the k best paths, all paths that no other beats, and replanning. Each is stopped in
//! any way between its answers and within them.

use std::collections::BinaryHeap;

use bestfirst::{
    CancelToken, KBest, KBestSearch, Limits, Outcome, Replanner, ReplannerSearch, SearchError,
};

use crate::case::Case;
use crate::findings::Findings;
use crate::judge::{Answer, Verdict, ensure};
use crate::nodes;
use crate::stop::Stop;
use crate::watch::{Label, watched};
use support::random::{Random, bellman_ford, rounds};

/// This many stops, then none.
const STOPS: u32 = 30;

/// At most this many paths are looked at; there may be more, or infinitely many.
const PATHS: usize = 12;

type KBestOf<'a> = KBestSearch<&'a Case<u8>>;

/// Costs of walks from a start to a goal, in order.
fn walks(case: &Case<u8>) -> Vec<u64> {
    let graph = &case.graph;
    let mut starts = graph.starts.clone();
    starts.sort_unstable();
    starts.dedup();
    let mut open: BinaryHeap<_> =
        starts.into_iter().map(|(node, cost)| std::cmp::Reverse((cost, node))).collect();
    let mut expanded = vec![0; graph.edges.len()];
    let mut found = Vec::new();
    while let Some(std::cmp::Reverse((cost, node))) = open.pop() {
        expanded[node] += 1;
        if expanded[node] > PATHS || found.len() == PATHS || cost > 255 {
            continue;
        }
        if graph.goals[node] {
            found.push(cost);
        }
        open.extend(
            graph.edges[node].iter().map(|&(to, step)| std::cmp::Reverse((cost + step, to))),
        );
    }
    found
}

/// Costs of paths that visit no state twice, in order.
fn simple_paths(case: &Case<u8>) -> Vec<u64> {
    fn go_on(case: &Case<u8>, path: &mut Vec<usize>, cost: u64, found: &mut Vec<u64>) {
        let node = path[path.len() - 1];
        if case.graph.goals[node] {
            found.push(cost);
        }
        for &(to, step) in &case.graph.edges[node] {
            if !path.contains(&to) && cost + step <= 255 {
                path.push(to);
                go_on(case, path, cost + step, found);
                path.pop();
            }
        }
    }
    let mut starts = case.graph.starts.clone();
    starts.sort_unstable();
    starts.dedup();
    let mut found = Vec::new();
    for (node, cost) in starts {
        go_on(case, &mut vec![node], cost, &mut found);
    }
    found.sort_unstable();
    found.truncate(PATHS);
    found
}

/// Takes one path after the other, and stops in between.
fn take_paths(
    case: &Case<u8>,
    mut search: KBestOf<'_>,
    expected: &[u64],
    label: &Label,
    random: &mut Random,
) -> Verdict {
    let token = CancelToken::new();
    let mut stops = 0;
    for (nth, &cost) in expected.iter().enumerate() {
        let path = loop {
            let stop = if stops < STOPS {
                Stop::random(random, search.stats().expanded, search.bytes(), 20)
            } else {
                Stop::default()
            };
            stops += 1;
            search.set_limits(stop.limits(case, Some(&token), search.elapsed()));
            let next = watched(label, stop, Some(&token), || search.next());
            if let Some(path) = next {
                break path.map_err(|error| format!("an error: {error} at path {nth}"))?;
            }
            let answer = watched(label, stop, Some(&token), || search.run());
            let report = answer.map_err(|error| format!("an error: {error} at path {nth}"))?;
            let Outcome::Stopped(reason) = report.outcome else {
                return Err(format!("no path but an end: {:?} at path {nth}", report.outcome));
            };
            ensure!(stop.allows(reason), "stopped for no reason: {reason} at path {nth}");
            let bound = u64::from(report.lower_bound);
            ensure!(bound <= cost, "a bound above the next path: {bound} > {cost}");
        };
        ensure!(path.verify(case).is_ok(), "a path that is none: {path:?}");
        let is_next = u64::from(path.cost()) == cost;
        ensure!(is_next, "another path: path {nth} costs {}, not {cost}", path.cost());
    }
    search.set_limits(Limits::new());
    let next =
        (expected.len() < PATHS).then(|| watched(label, Stop::default(), None, || search.next()));
    let is_end = matches!(next, None | Some(None | Some(Err(SearchError::Overflow { .. }))));
    ensure!(is_end, "one path too many: {next:?}");
    Ok(())
}

#[test]
fn k_best_paths_between_stops() {
    let mut findings = Findings::new(2);
    for seed in 50_000..50_000 + rounds(500) {
        let case = Case::<u8>::random(seed, nodes(seed).min(8));
        let ways = [
            ("k best, walks", walks(&case), KBest::new(&case)),
            ("k best, simple paths", simple_paths(&case), KBest::new(&case).simple()),
        ];
        findings.problems += 1;
        for (engine, expected, builder) in ways {
            findings.trials += 1;
            let label = Label { engine, test: "k_best", seed };
            for nth in 0..3 {
                let mut random = Random::new(seed * 3 + nth);
                let search = builder.clone().search_from(case.starts());
                findings.attempt(
                    engine,
                    seed,
                    || format!("try {nth}"),
                    || take_paths(&case, search, &expected, &label, &mut random),
                );
            }
        }
    }
    findings.conclude("k best between stops");
}

/// What replanning must find from the starts.
fn least(case: &Case<u8>) -> Option<u128> {
    let graph = &case.graph;
    let costs = bellman_ford(graph.edges.len(), &graph.list(), &graph.starts);
    costs.iter().zip(&graph.goals).filter(|(_, goal)| **goal).filter_map(|(cost, _)| *cost).min()
}

/// The answer after some stops.
fn replanned(
    search: &mut ReplannerSearch<Case<u8>>,
    label: &Label,
    random: &mut Random,
) -> Answer<u8> {
    let token = CancelToken::new();
    for stops in 0.. {
        let stop = if stops < STOPS {
            Stop::random(random, search.stats().expanded, search.bytes(), 20)
        } else {
            Stop::default()
        };
        let limits = stop.limits(search.problem(), Some(&token), search.elapsed());
        search.set_limits(limits);
        let answer = watched(label, stop, Some(&token), || search.run());
        let stopped =
            answer.as_ref().is_ok_and(|report| matches!(report.outcome, Outcome::Stopped(_)));
        if !stopped || stops > STOPS {
            return answer;
        }
    }
    unreachable!("the loop has no end")
}

fn check_replanned(case: &Case<u8>, answer: &Answer<u8>) -> Verdict {
    let least = least(case);
    match answer {
        Ok(report) => match (&report.outcome, least) {
            (Outcome::Found(path), Some(cost)) => {
                ensure!(path.verify(case).is_ok(), "a path that is none: {path:?}");
                ensure!(
                    u128::from(path.cost()) == cost,
                    "not optimal: {}, not {cost}",
                    path.cost()
                );
            }
            (Outcome::Exhausted, None) => {}
            (outcome, least) => return Err(format!("not the truth: {outcome:?}, but {least:?}")),
        },
        Err(SearchError::Overflow { .. }) => {
            ensure!(least.is_none_or(|cost| cost > 255), "overflow: but {least:?}");
        }
        Err(error) => return Err(format!("an error: {error}")),
    }
    Ok(())
}

fn replan(seed: u64, label: &Label) -> Verdict {
    let mut random = Random::new(!seed);
    let mut case = Case::<u8>::random(seed, nodes(seed));
    case.between.iter_mut().for_each(|row| row.fill(0));
    let starts = case.starts();
    let mut search = Replanner::new(case).search_from(starts);
    for _ in 0..12 {
        let answer = replanned(&mut search, label, &mut random);
        check_replanned(search.problem(), &answer)?;
        for _ in 0..=random.below(2) {
            let count = search.problem().steps.len();
            let node = random.index(count);
            if random.one_in(4) {
                let start = search.problem_mut().start_at(node);
                search.moved_to(&start);
            } else if let Some(changed) = search.problem_mut().change(node, &mut random) {
                search.changed(&changed);
            }
        }
    }
    Ok(())
}

#[test]
fn replanning_between_stops() {
    let mut findings = Findings::new(1);
    for seed in 60_000..60_000 + rounds(1_300) {
        let label = Label { engine: "replanner", test: "replanning", seed };
        findings.problems += 1;
        findings.trials += 1;
        findings.attempt("replanner", seed, || "changes".into(), || replan(seed, &label));
    }
    findings.conclude("replanning between stops");
}
