//! Faults that were found, each as a small problem and the stops that it takes: tried with all engines.

use crate::case::Case;
use crate::findings::Findings;
use crate::list::list;
use crate::stop::Stop;
use crate::trial::Trial;
use support::random::{Graph, rounds};

/// Where the edges of each node lead, and what they cost.
type Edges<'a> = &'a [&'a [(usize, u64)]];

/// A stop at a cost, for each of these.
fn costs(costs: &[u64]) -> Vec<Stop> {
    costs.iter().map(|&cost| Stop::cost(cost)).collect()
}

/// Tries each list of stops with each engine on a problem of these edges, goals and start, whose heuristic is `h`, or zero. Of
/// many stops, all are for the engines that had the fault, whose names begin with `at_fault`.
fn stop_all(
    at_fault: &str,
    (edges, goals, start): (Edges<'_>, &[usize], (usize, u64)),
    h: &[u8],
    stops: &[Vec<Stop>],
) {
    let mut case = Case::<u8>::without_heuristic(Graph::of_edges(edges, goals, start));
    case.h[..h.len()].copy_from_slice(h);
    case.is_consistent = h.is_empty();
    let list = list();
    let mut findings = Findings::new(list.len() as u64);
    for entry in &list {
        let mut trial = None;
        findings.attempt(
            entry.name(),
            0,
            || "undisturbed".into(),
            || {
                trial = Trial::new(&case, entry, "known")?;
                Ok(())
            },
        );
        // What starts threads or writes files takes the fewest.
        let most = match entry {
            entry if entry.is_slow => 50,
            entry if entry.is(&[at_fault]) => stops.len(),
            _ => 100,
        };
        let step = stops.len().div_ceil(most).max(1);
        for stops in stops.iter().step_by(step).filter(|_| trial.is_some()) {
            let attempt = || trial.as_ref().map_or(Ok(()), |trial| trial.stop_at(stops));
            findings.attempt(entry.name(), 0, || format!("{stops:?}"), attempt);
        }
    }
    findings.conclude_few("known");
}

/// IDA\*, the search for all cheapest paths and search on disk returned a path beyond the limit.
#[test]
fn a_limit_on_the_cost_may_be_lowered() {
    let edges: &[&[(usize, u64)]] = &[&[(1, 3), (2, 3)], &[(3, 0)], &[(3, 4), (0, 1)], &[]];
    let stops = |expanded| vec![Stop::expansions(expanded), Stop::cost(1), Stop::cost(2)];
    let stops: Vec<_> = (0..5).map(stops).collect();
    stop_all("", (edges, &[3], (0, 0)), &[], &stops);
    stop_all("", (edges, &[3], (0, 0)), &[3, 0, 4, 0], &stops);
}

/// Weighted A\* on shards took a goal that it had noted before the limit on the cost for a proof that there is no path within it.
#[cfg(feature = "parallel")]
#[test]
fn a_limit_on_the_cost_may_be_set_below_a_goal_that_was_noted() {
    // A start that is a goal costs 9, and comes before the path of cost 7 in the order.
    let case = Case::<u8>::random(7_533_055, crate::nodes(7_533_055));
    let mut stopped = 0_u32;
    for bytes in (20_000..40_000).step_by(250) {
        let limits = bestfirst::Limits::new().memory(bytes);
        let builder = bestfirst::AStar::new(&case).weight(1.5).threads(1).limits(limits);
        let mut search = builder.search_from(case.starts());
        let report = search.run().expect("the costs are right");
        if matches!(report.outcome, bestfirst::Outcome::Found(_)) {
            continue;
        }
        stopped += 1;
        search.set_limits(bestfirst::Limits::new().cost(8));
        let report = search.run().expect("the costs are right");
        assert_eq!(report.cost(), Some(7), "after {bytes} bytes: {:?}", report.outcome);
    }
    assert!(stopped > 10, "{stopped}");
}

/// A beam of fixed width said that the width left out all paths, and had one that had become cheap enough since it was found.
#[test]
fn a_path_that_became_cheap_enough_is_found() {
    let case = Case::<u8>::random(8_157_559, crate::nodes(8_157_559));
    let stops = |bytes| {
        let first = Stop { time: Some(4), ..Stop::memory(bytes) };
        vec![Stop::expansions(1), first, Stop { memory: Some(bytes + 4), ..Stop::cost(6) }]
    };
    let list = list();
    let mut findings = Findings::new(1);
    for entry in list.iter().filter(|entry| entry.is(&["beam, width 2"])) {
        let trial =
            Trial::new(&case, entry, "known").ok().flatten().expect("it takes this problem");
        for bytes in (7000..9000).step_by(4) {
            let attempt = || trial.stop_at(&stops(bytes));
            findings.attempt(entry.name(), 0, || format!("{bytes} bytes"), attempt);
        }
    }
    findings.conclude_few("known");
}

/// Bounded-cost search forgot an open state where the limit was lowered below the first solution after a stop for memory.
#[test]
fn a_limit_on_the_cost_may_be_lowered_below_the_incumbent() {
    let edges: &[&[(usize, u64)]] = &[&[(1, 6), (0, 5), (2, 3)], &[], &[(1, 0), (0, 8)], &[(2, 0)]];
    let memory = |bytes| vec![Stop::memory(bytes), Stop::cost(5)];
    let stops: Vec<_> = (8000..8300).map(memory).collect();
    stop_all("bounded cost", (edges, &[1], (0, 0)), &[], &stops);
}

/// The bound of greedy and weighted search fell after a stop at a cost.
#[test]
fn a_bound_stays_after_a_stop_at_the_cost() {
    let edges: &[&[(usize, u64)]] = &[&[(1, 0)], &[(2, 3)], &[]];
    stop_all("", (edges, &[2], (0, 0)), &[3, 1, 0], &[vec![Stop::cost(2), Stop::expansions(1)]]);
}

/// Replanning said that there is no path where its cost is the largest of its type.
#[test]
fn the_largest_cost_is_a_cost() {
    let edges: &[&[(usize, u64)]] = &[&[(1, 0)], &[(2, 0)], &[]];
    for start in [254, 255] {
        stop_all("", (edges, &[2], (0, start)), &[], &[vec![], costs(&[254]), costs(&[255])]);
    }
    let edges: &[&[(usize, u64)]] = &[&[(1, 255), (0, 1)], &[(2, 0), (0, 255)], &[]];
    stop_all("", (edges, &[2], (0, 0)), &[], &[vec![], costs(&[254]), costs(&[255])]);
}

/// IDA\* that had no room to follow its recursion expanded more states later than it was allowed.
#[test]
fn what_a_recursion_has_expanded_is_within_the_next_limit() {
    let chain: Vec<_> = (1..=40).map(|to| if to < 40 { vec![(to, 1)] } else { vec![] }).collect();
    let edges: Vec<_> = chain.iter().map(Vec::as_slice).collect();
    let stops = |nth| {
        let bytes = usize::try_from(9000 * nth / rounds(750)).expect("a few kilobytes");
        vec![Stop::memory(bytes), Stop::expansions(0), Stop::expansions(1)]
    };
    let stops: Vec<_> = (0..rounds(750)).map(stops).collect();
    stop_all("IDA*", (&edges, &[39], (0, 0)), &[], &stops);
}

/// Below states on a cycle, the table of IDA\* found sums that did not fit, or not, as the bounds came: a stop at a cost
/// chose others, and the search without a path ended with `Overflow`, although no state was left out.
#[test]
fn bounds_do_not_decide_whether_a_sum_matters() {
    let edges: &[&[(usize, u64)]] = &[&[(1, 2)], &[(0, 2), (0, 0)]];
    let stops: Vec<_> = (0..rounds(255)).map(|nth| costs(&[255 * nth / rounds(255)])).collect();
    stop_all("IDA*", (edges, &[], (0, 0)), &[], &stops);
}

/// IDA* on threads took the first goal of an iteration for the cheapest when it went on after a stop, if a solution in it had lowered
/// the bound to what was proved: other threads kept the larger bound.
#[test]
fn a_goal_means_the_same_in_the_whole_iteration() {
    let case = Case::<u8>::random(9_544_760, crate::nodes(9_544_760));
    let list = list();
    let mut findings = Findings::new(1);
    for entry in list.iter().filter(|entry| entry.is(&["IDA*, threads, bounds chosen"])) {
        let trial =
            Trial::new(&case, entry, "known").ok().flatten().expect("it takes this problem");
        for bytes in (30_000..44_000).step_by(20) {
            let stops = vec![Stop::cost(9), Stop::memory(bytes)];
            let attempt = || trial.stop_at(&stops);
            findings.attempt(entry.name(), 0, || format!("{bytes} bytes"), attempt);
        }
    }
    findings.conclude_few("known");
}
