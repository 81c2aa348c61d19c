//! All paths that no other beats by every criterion, stopped at every byte and at every expansion.

use std::collections::BTreeSet;

use bestfirst::{Criteria, FrontOf, Limits, Pareto, ParetoSearch, SearchProblem, Successors};

use crate::case::{Case, Node};
use crate::findings::Findings;
use crate::judge::{Verdict, ensure};
use crate::nodes;
use crate::stop::Stop;
use crate::watch::{Label, watched};

/// A problem whose steps also cost something by a second criterion.
struct Two<'a>(&'a Case<u8>);

type Costs = [u32; 2];

type Search<'a> = ParetoSearch<&'a Two<'a>>;

impl Two<'_> {
    fn costs(&self, node: usize, nth: usize) -> Costs {
        let first = u32::from(self.0.steps[node][nth].1);
        let second = u32::try_from((node * 7 + nth * 3) % 5).expect("below 5");
        [first, second]
    }

    fn starts(&self) -> Vec<(Node, Costs)> {
        self.0.starts().into_iter().map(|(node, cost)| (node, [u32::from(cost), 0])).collect()
    }

    /// The costs of the front, by labels that are compared with each other until none changes.
    fn front(&self) -> BTreeSet<Costs> {
        let case = self.0;
        let mut labels = vec![BTreeSet::<Costs>::new(); case.steps.len()];
        let add = |labels: &mut BTreeSet<Costs>, cost: Costs| {
            let is_new = !labels.iter().any(|other| other.dominates(cost));
            if is_new {
                labels.retain(|&other| !cost.dominates(other));
                labels.insert(cost);
            }
            is_new
        };
        for &(node, cost) in &case.starts {
            add(&mut labels[node], [u32::from(cost), 0]);
        }
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for from in 0..case.steps.len() {
                for (nth, &(to, _)) in case.steps[from].iter().enumerate() {
                    let [first, second] = self.costs(from, nth);
                    for [g, other] in labels[from].clone() {
                        has_changed |= add(&mut labels[to], [g + first, other + second]);
                    }
                }
            }
        }
        let mut front = BTreeSet::new();
        let of_goals = labels.iter().zip(&case.graph.goals).filter(|(_, goal)| **goal);
        for &cost in of_goals.flat_map(|(labels, _)| labels) {
            add(&mut front, cost);
        }
        front
    }
}

impl SearchProblem for Two<'_> {
    type State = Node;
    type Action = u16;
    type Cost = Costs;

    fn successors(&self, node: &Node, next: &mut Successors<Self>) {
        let number = usize::from(node.number);
        let mut given = Successors::<Case<u8>>::new();
        self.0.successors(node, &mut given);
        for (nth, step) in given.drain().enumerate() {
            next.push(step.action, step.state, self.costs(number, nth));
        }
    }

    fn is_goal(&self, node: &Node) -> bool {
        self.0.is_goal(node)
    }
}

/// Checks a front, or the part of it that was found up to a stop.
fn check(two: &Two<'_>, front: &FrontOf<&Two<'_>>, expected: &BTreeSet<Costs>) -> Verdict {
    for path in front.paths() {
        ensure!(path.verify(&two).is_ok(), "a path that is none: {path:?}");
        ensure!(expected.contains(&path.cost()), "not of the front: {:?}", path.cost());
    }
    let found: BTreeSet<_> = front.costs().collect();
    let bound = front.lower_bound();
    for missing in expected.difference(&found) {
        ensure!(!front.is_complete(), "a path is missing: {missing:?}");
        let is_bound = bound.iter().zip(missing).all(|(bound, cost)| bound <= cost);
        ensure!(is_bound, "a bound above a path: {bound:?}, {missing:?}");
    }
    Ok(())
}

/// Stops the search once, and lets it go on.
fn stop_at(
    two: &Two<'_>,
    stop: Stop,
    limits: Limits<Costs>,
    expected: &BTreeSet<Costs>,
    label: &Label,
) -> Verdict {
    let mut search: Search<'_> = Pareto::new(two).limits(limits).search_from(two.starts());
    for limits in [None, Some(Limits::new())] {
        if let Some(limits) = limits {
            search.set_limits(limits);
        }
        let front = watched(label, stop, None, || search.front());
        let front = front.map_err(|error| format!("an error: {error}"))?;
        check(two, &front, expected)?;
        let peak = front.stats().peak_bytes;
        let is_within = front.is_complete() || stop.memory.is_none_or(|most| peak <= most as u64);
        ensure!(is_within, "a peak beyond the limit: {peak}");
    }
    let front = search.front().map_err(|error| format!("an error: {error}"))?;
    ensure!(front.is_complete(), "no end without limits: {:?}", front.stopped());
    Ok(())
}

#[test]
fn fronts_between_stops() {
    let mut findings = Findings::new(1);
    for seed in 70_000..70_150 {
        let case = Case::<u8>::random(seed, nodes(seed).min(8));
        let two = Two(&case);
        let expected = two.front();
        let label = Label { engine: "Pareto", test: "fronts", seed };
        findings.problems += 1;
        findings.trials += 1;
        let mut search: Search<'_> = Pareto::new(&two).search_from(two.starts());
        let mut stats = search.stats();
        findings.attempt(
            label.engine,
            seed,
            || "undisturbed".into(),
            || {
                let front = search.front().map_err(|error| format!("an error: {error}"))?;
                stats = *front.stats();
                ensure!(front.is_complete(), "no end: {:?}", front.stopped());
                check(&two, &front, &expected)
            },
        );
        let peak = usize::try_from(stats.peak_bytes).unwrap_or(0);
        let bytes = (0..peak).step_by(4.max(peak / 400)).map(Stop::memory);
        for stop in bytes.chain((0..stats.expanded).map(Stop::expansions)) {
            let limits = Limits::new();
            let limits = match (stop.memory, stop.expansions) {
                (Some(most), _) => limits.memory(most),
                (None, most) => limits.expansions(most.unwrap_or(0)),
            };
            findings.attempt(
                label.engine,
                seed,
                || format!("{stop:?}"),
                || stop_at(&two, stop, limits, &expected, &label),
            );
        }
    }
    findings.conclude("fronts between stops");
}
