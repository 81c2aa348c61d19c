//! All paths that no other beats by every criterion, stopped at every byte and at every expansion.

use std::collections::BTreeSet;

use bestfirst::{
    Cost, Criteria, FrontOf, Limits, Pareto, ParetoSearch, SearchError, SearchProblem, Successors,
};

use crate::case::{Case, Node};
use crate::findings::Findings;
use crate::judge::{Verdict, ensure};
use crate::nodes;
use crate::stop::Stop;
use crate::watch::{Label, watched};

/// A problem whose steps also cost something by a second criterion.
struct Two<'a> {
    case: &'a Case<u8>,
    /// By how much the second criterion is multiplied: with a large factor, sums do not fit into the type.
    factor: u8,
}

type Costs = [u8; 2];

/// Costs in a type into which all sums fit.
type Exact = [u32; 2];

type Search<'a> = ParetoSearch<&'a Two<'a>>;

impl Two<'_> {
    fn costs(&self, node: usize, nth: usize) -> Costs {
        let second = u8::try_from((node * 7 + nth * 3) % 5).expect("below 5");
        [self.case.steps[node][nth].1, second * self.factor]
    }

    fn starts(&self) -> Vec<(Node, Costs)> {
        self.case.starts().into_iter().map(|(node, cost)| (node, [cost, 0])).collect()
    }

    /// The front, by labels that are compared with each other until none changes.
    fn front(&self) -> Expected {
        let case = self.case;
        let mut fits = true;
        let mut labels = vec![BTreeSet::<Exact>::new(); case.steps.len()];
        let add = |labels: &mut BTreeSet<Exact>, cost: Exact| {
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
                    let [first, second] = self.costs(from, nth).map(u32::from);
                    for [g, other] in labels[from].clone() {
                        let cost = [g + first, other + second];
                        fits &= cost.iter().all(|&each| u8::try_from(each).is_ok());
                        has_changed |= add(&mut labels[to], cost);
                    }
                }
            }
        }
        let mut costs = BTreeSet::new();
        let of_goals = labels.iter().zip(&case.graph.goals).filter(|(_, goal)| **goal);
        for &cost in of_goals.flat_map(|(labels, _)| labels) {
            add(&mut costs, cost);
        }
        Expected { costs, fits }
    }
}

/// What is right.
struct Expected {
    costs: BTreeSet<Exact>,
    /// Whether the costs of all paths that no other to the same state dominates fit into the type of the search.
    fits: bool,
}

impl SearchProblem for Two<'_> {
    type State = Node;
    type Action = u16;
    type Cost = Costs;

    fn successors(&self, node: &Node, next: &mut Successors<Self>) {
        let number = usize::from(node.number);
        let mut given = Successors::<Case<u8>>::new();
        self.case.successors(node, &mut given);
        for (nth, step) in given.drain().enumerate() {
            next.push(step.action, step.state, self.costs(number, nth));
        }
    }

    fn is_goal(&self, node: &Node) -> bool {
        self.case.is_goal(node)
    }
}

/// Checks costs that were found.
fn belong(costs: impl Iterator<Item = Costs>, expected: &Expected) -> Verdict {
    for cost in costs {
        ensure!(expected.costs.contains(&cost.map(u32::from)), "not of the front: {cost:?}");
    }
    Ok(())
}

/// Checks a front, or the part of it that was found up to a stop.
fn check(two: &Two<'_>, front: &FrontOf<&Two<'_>>, expected: &Expected) -> Verdict {
    for path in front.paths() {
        ensure!(path.verify(&two).is_ok(), "a path that is none: {path:?}");
    }
    belong(front.costs(), expected)?;
    let found: BTreeSet<_> = front.costs().map(|cost| cost.map(u32::from)).collect();
    let bound = front.lower_bound();
    let is_infinite = bound == Costs::INFINITY;
    ensure!(!front.is_complete() || is_infinite, "nothing is missing, and the bound {bound:?}");
    for missing in expected.costs.difference(&found) {
        ensure!(!front.is_complete(), "a path is missing: {missing:?}");
        let is_bound = bound.iter().zip(missing).all(|(&bound, &cost)| u32::from(bound) <= cost);
        ensure!(is_bound, "a bound above a path: {bound:?}, {missing:?}");
    }
    Ok(())
}

/// Runs a search to a stop or to its end. Returns whether it ended.
fn advance(two: &Two<'_>, search: &mut Search<'_>, expected: &Expected) -> Result<bool, String> {
    match search.front() {
        Ok(front) => {
            check(two, &front, expected)?;
            Ok(front.is_complete())
        }
        Err(SearchError::Overflow { .. }) => {
            belong(search.costs(), expected)?;
            ensure!(!expected.fits, "an overflow where every sum fits");
            Ok(true)
        }
        Err(error) => Err(format!("an error: {error}")),
    }
}

/// Stops the search once, and lets it go on.
fn stop_at(
    two: &Two<'_>,
    stop: Stop,
    limits: Limits<Costs>,
    expected: &Expected,
    label: &Label,
) -> Verdict {
    let mut search: Search<'_> = Pareto::new(two).limits(limits).search_from(two.starts());
    let has_ended = watched(label, stop, None, || advance(two, &mut search, expected))?;
    let peak = search.stats().peak_bytes;
    let is_within = has_ended || stop.memory.is_none_or(|most| peak <= most as u64);
    ensure!(is_within, "a peak beyond the limit: {peak}");
    search.set_limits(Limits::new());
    let has_ended = watched(label, stop, None, || advance(two, &mut search, expected))?;
    ensure!(has_ended, "no end without limits");
    Ok(())
}

#[test]
fn fronts_between_stops() {
    let mut findings = Findings::new(1);
    let mut overflows = 0;
    for seed in 70_000..70_120 {
        let case = Case::<u8>::random(seed, nodes(seed).min(8));
        let two = Two { case: &case, factor: [1, 1, 12, 60][(seed % 4) as usize] };
        let expected = two.front();
        overflows += u32::from(!expected.fits);
        let label = Label { engine: "Pareto", test: "fronts", seed };
        findings.problems += 1;
        findings.trials += 1;
        let mut search: Search<'_> = Pareto::new(&two).search_from(two.starts());
        findings.attempt(
            label.engine,
            seed,
            || "undisturbed".into(),
            || {
                ensure!(advance(&two, &mut search, &expected)?, "no end");
                Ok(())
            },
        );
        let stats = search.stats();
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
    assert!(overflows > 10, "fronts that do not fit: {overflows}");
    findings.conclude("fronts between stops");
}
