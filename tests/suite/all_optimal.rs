//! All cheapest paths: against a brute force that lists them.

use std::collections::HashSet;

use bestfirst::{
    AllOptimal, FnProblem, Limits, OptimalPaths, Outcome, Path, PathCount, SearchProblem,
    StopReason, Successors, all_optimal,
};
use support::erased::problem;

use crate::graph::{Graph, Random};
use support::random::{every, is_enough, rounds};

/// A path: the start, and the actions.
type Actions = (u16, Vec<u32>);

impl Graph {
    /// All cheapest paths of at most `longest` steps, and the states and steps on them. With `is_simple`, those that
    /// visit no state twice.
    fn cheapest(&self, starts: &[(u16, u32)], is_simple: bool, longest: usize) -> HashSet<Actions> {
        struct Walk<'g> {
            graph: &'g Graph,
            to_go: Vec<u32>,
            is_simple: bool,
            longest: usize,
            found: HashSet<Actions>,
            states: Vec<u16>,
            actions: Vec<u32>,
        }
        impl Walk<'_> {
            fn walk(&mut self, at: u16, left: u32) {
                if self.is_simple && self.states.contains(&at) {
                    return;
                }
                self.states.push(at);
                if self.graph.goals[usize::from(at)] && left == 0 {
                    self.found.insert((self.states[0], self.actions.clone()));
                }
                if self.actions.len() < self.longest {
                    for (nth, &(to, cost)) in (0..).zip(&self.graph.steps[usize::from(at)]) {
                        if self.to_go[usize::from(to)].checked_add(cost) == Some(left) {
                            self.actions.push(u32::from(at) * 1000 + nth);
                            self.walk(to, left - cost);
                            self.actions.pop();
                        }
                    }
                }
                self.states.pop();
            }
        }
        let to_go = self.to_go();
        let cost_from =
            |&(start, cost): &(u16, u32)| to_go[usize::from(start)].saturating_add(cost);
        let least = starts.iter().map(cost_from).min().unwrap();
        let (found, states, actions) = (HashSet::new(), Vec::new(), Vec::new());
        let mut walk =
            Walk { graph: self, to_go: to_go.clone(), is_simple, longest, found, states, actions };
        for &(start, cost) in starts {
            if cost_from(&(start, cost)) == least && least < u32::MAX {
                walk.walk(start, least - cost);
            }
        }
        walk.found
    }
}

fn actions_of(path: &Path<u16, u32, u32>) -> Actions {
    (*path.start(), path.actions().copied().collect())
}

/// The states and steps are those of the paths.
fn check_states_and_steps(
    all: &OptimalPaths<&Graph>,
    paths: &[Path<u16, u32, u32>],
    graph: &Graph,
) {
    let states: HashSet<u16> = paths.iter().flat_map(Path::states).copied().collect();
    let steps: HashSet<u32> = paths.iter().flat_map(Path::actions).copied().collect();
    assert_eq!(all.states().map(|(state, _)| state).collect::<HashSet<_>>(), states, "{graph:?}");
    assert_eq!((all.state_count(), all.step_count()), (states.len(), steps.len()), "{graph:?}");
    let mut found = HashSet::new();
    all.for_each_step(|step| assert!(found.insert(*step.action))).unwrap();
    assert_eq!(found, steps, "{graph:?}");
    for state in 0..u16::try_from(graph.steps.len()).unwrap() {
        assert_eq!(all.contains(&state), states.contains(&state), "{graph:?}");
    }
}

#[test]
fn without_cycles_that_cost_nothing_all_paths_are_found() {
    let mut random = Random(1);
    let mut many = 0;
    for round in 0..rounds(6000) {
        let graph = random.graph_within([10, 5, 4], 1);
        let starts = match round % 3 {
            0 => vec![
                (0, 0),
                (u16::try_from(random.below(graph.steps.len() as u64)).unwrap(), 1),
                (0, 0),
            ],
            _ => vec![(0, 0)],
        };
        let all = AllOptimal::new(&graph).search_from(starts.clone()).find_all().unwrap();
        let expected = graph.cheapest(&starts, false, usize::MAX);
        let paths: Vec<_> = all.paths().collect::<Result<_, _>>().unwrap();
        for path in &paths {
            path.verify(&graph).unwrap();
            assert_eq!(Some(path.cost()), all.cost());
        }
        assert_eq!(all.count(), PathCount::Finite(paths.len() as u128));
        assert_eq!(paths.len(), expected.len(), "round {round}: {graph:?}");
        assert_eq!(paths.iter().map(actions_of).collect::<HashSet<_>>(), expected);
        check_states_and_steps(&all, &paths, &graph);
        many += usize::from(paths.len() > 3);
    }
    assert!(is_enough(many, 80), "{many}");
}

/// By states, the paths are those by steps, one for each list of states.
#[test]
fn cheapest_paths_through_the_same_states_count_once_if_asked() {
    let mut random = Random(8);
    let mut fewer = 0;
    for round in 0..rounds(2000) {
        let graph = random.graph_within([10, 5, 4], 1);
        let starts = [(0, 0), (0, 0), (0, 2)];
        let by_steps = AllOptimal::new(&graph).search_from(starts).find_all().unwrap();
        let all = AllOptimal::new(&graph).by_states().search_from(starts).find_all().unwrap();
        assert_eq!(all.cost(), by_steps.cost());
        let states = |path: Result<Path<u16, u32, u32>, _>| path.unwrap().states().to_vec();
        let paths: Vec<_> = all.paths().map(states).collect();
        let expected: HashSet<_> = by_steps.paths().map(states).collect();
        assert_eq!(all.count(), PathCount::Finite(paths.len() as u128), "round {round}");
        assert_eq!(paths.len(), expected.len(), "round {round}: {graph:?}");
        assert_eq!(paths.into_iter().collect::<HashSet<_>>(), expected, "round {round}: {graph:?}");
        fewer += usize::from(by_steps.count() != all.count());
    }
    assert!(is_enough(fewer, 100), "{fewer}");
}

#[test]
fn a_cycle_that_costs_nothing_makes_infinitely_many() {
    let mut random = Random(2);
    let mut infinite = 0;
    for round in 0..rounds(6000) {
        let graph = random.graph_within([10, 5, 4], 0);
        let all = all_optimal(&graph, 0).unwrap();
        let simple = AllOptimal::new(&graph).simple().search(0).find_all().unwrap();
        let expected = graph.cheapest(&[(0, 0)], true, usize::MAX);
        let paths: Vec<_> = simple.paths().collect::<Result<_, _>>().unwrap();
        assert_eq!(
            simple.count(),
            PathCount::Finite(paths.len() as u128),
            "round {round}: {graph:?}"
        );
        assert_eq!(paths.len(), expected.len(), "round {round}: {graph:?}");
        assert_eq!(paths.iter().map(actions_of).collect::<HashSet<_>>(), expected);
        check_states_and_steps(&simple, &paths, &graph);
        let short = graph.cheapest(&[(0, 0)], false, 2);
        match all.count() {
            PathCount::Infinite => {
                infinite += 1;
                // No path waits for ever.
                let mut seen = HashSet::new();
                let mut missing = short.clone();
                for path in all.paths().take(20_000) {
                    let path = path.unwrap();
                    assert_eq!(Some(path.cost()), all.cost());
                    missing.remove(&actions_of(&path));
                    assert!(seen.insert(actions_of(&path)));
                    if missing.is_empty() && seen.len() > 30 {
                        break;
                    }
                }
                assert!(missing.is_empty(), "round {round}: {graph:?}");
            }
            count => {
                let paths: Vec<_> = all.paths().collect::<Result<_, _>>().unwrap();
                assert_eq!(count, PathCount::Finite(paths.len() as u128));
                let all: HashSet<_> = paths.iter().map(actions_of).collect();
                assert_eq!((all.len(), &all), (paths.len(), &expected), "round {round}: {graph:?}");
                assert!(short.is_subset(&all));
            }
        }
    }
    assert!(is_enough(infinite, 900), "{infinite}");
}

#[test]
fn a_search_that_is_stopped_at_every_expansion_goes_on_the_same() {
    let mut random = Random(3);
    for round in 0..rounds(1200) {
        let graph = random.graph_within([10, 5, 4], (round % 2) as u32);
        let expected = all_optimal(&graph, 0).unwrap();
        let mut search = AllOptimal::new(&graph).search(0);
        for expansions in 0.. {
            search.set_limits(Limits::new().expansions(expansions));
            let all = search.find_all().unwrap();
            if all.stopped().is_none() {
                assert_eq!((all.count(), all.cost()), (expected.count(), expected.cost()));
                assert!(all.states().eq(expected.states()));
                assert_eq!(all.into_search().stats(), expected.into_search().stats());
                break;
            }
            assert_eq!(all.stopped(), Some(StopReason::Expansions));
            assert_eq!(
                (all.count(), all.state_count(), all.paths().count()),
                (PathCount::Unknown, 0, 0)
            );
            search = all.into_search();
            assert!(search.stats().expanded <= expansions);
            let report = search.run().unwrap();
            assert!(matches!(report.outcome, Outcome::Stopped(_)));
            assert!(expected.cost().is_none_or(|cost| report.lower_bound <= cost));
        }
    }
}

/// A chain of `count` diamonds, one after the other.
fn diamonds(count: u32) -> impl SearchProblem<State = u32, Action = (), Cost = u32> {
    problem(
        |&n: &u32| {
            if n % 3 == 0 { vec![(n + 1, 1_u32), (n + 2, 1)] } else { vec![(n + 3 - n % 3, 1)] }
        },
        |_: &u32| 0,
        move |&n: &u32| n == 3 * count,
    )
}

#[test]
fn a_chain_of_diamonds_is_counted() {
    let chain = diamonds(10);
    let all = all_optimal(&chain, 0).unwrap();
    assert_eq!(all.count(), PathCount::Finite(1 << 10));
    assert_eq!(all.paths().count(), 1 << 10);
    let long = diamonds(200);
    let all = all_optimal(&long, 0).unwrap();
    assert_eq!(all.count(), PathCount::Finite(u128::MAX));
    assert_eq!(all.count().to_string(), format!("at least {}", u128::MAX));
    assert!(all.paths().take(1000).all(|path| path.unwrap().cost() == 400));
}

#[test]
fn a_limit_on_memory_stops_it_wherever_it_is() {
    let chain = diamonds(300);
    let expected = all_optimal(&chain, 0).unwrap().into_search().stats();
    let peak = usize::try_from(expected.peak_bytes).unwrap();
    let mut stops = HashSet::new();
    for percent in (1..=100).step_by(every(1)) {
        let limits = Limits::new().memory(peak * percent / 100);
        let all = AllOptimal::new(&chain).limits(limits).search(0).find_all().unwrap();
        let Some(reason) = all.stopped() else { continue };
        assert_eq!(reason, StopReason::Memory);
        let mut search = all.into_search();
        assert!(search.stats().peak_bytes <= (peak * percent / 100) as u64);
        stops.insert(search.stats().expanded);
        search.set_limits(Limits::new());
        let all = search.find_all().unwrap();
        assert_eq!(all.count(), PathCount::Finite(u128::MAX));
        assert_eq!(all.state_count(), 901);
    }
    assert!(stops.len() > 10, "{stops:?}");
}

/// Listed, the paths are those of before, and the problem is asked once for each step that is on any of them.
#[test]
fn listed_paths_ask_at_most_once_for_each_step() {
    struct Counted<'a>(&'a Graph, std::cell::Cell<u64>);
    impl SearchProblem for Counted<'_> {
        type State = u16;
        type Action = u32;
        type Cost = u32;
        fn successors(&self, state: &u16, next: &mut Successors<Self>) {
            self.1.set(self.1.get() + 1);
            self.0.successors(state, next);
        }
        fn heuristic(&self, state: &u16) -> u32 {
            self.0.heuristic(state)
        }
        fn is_goal(&self, state: &u16) -> bool {
            self.0.is_goal(state)
        }
    }
    let mut random = Random(5);
    let mut graphs: Vec<Graph> = (0..300).map(|_| random.graph_within([10, 5, 4], 1)).collect();
    // A chain of eight pairs of parallel steps.
    let mut steps: Vec<_> = (1..=8).map(|to| vec![(to, 1), (to, 1)]).collect();
    steps.push(Vec::new());
    let goals = (0..=8).map(|state| state == 8).collect();
    graphs.push(Graph { steps, goals, h: vec![0; 9] });
    let mut most = 0;
    for graph in graphs {
        let problem = Counted(&graph, std::cell::Cell::new(0));
        let all = all_optimal(&problem, 0).unwrap();
        let asked = problem.1.get();
        let paths: Vec<_> = all.paths().map(|path| path.unwrap()).collect();
        assert!(problem.1.get() - asked <= all.step_count() as u64);
        for path in &paths {
            path.verify(&graph).unwrap();
        }
        assert_eq!(PathCount::Finite(paths.len() as u128), all.count());
        assert_eq!(all.paths().count(), paths.len());
        // Without actions, paths are counted and not built.
        let plain = FnProblem::new(
            |&state: &u16| graph.steps[usize::from(state)].clone(),
            |&state: &u16| graph.h[usize::from(state)],
            |&state: &u16| graph.goals[usize::from(state)],
        );
        let all = all_optimal(&plain, 0).unwrap();
        for skipped in [0, 1, 3] {
            let mut left = all.paths();
            let listed = left.by_ref().take(skipped).count();
            assert_eq!(listed + left.count(), paths.len());
        }
        most = most.max(paths.len());
    }
    assert_eq!(most, 256);
}

/// Whatever the heuristic says, the paths that are listed cost what the answer says.
#[test]
fn all_paths_cost_the_same_by_heuristics_that_overestimate() {
    let mut random = Random(43);
    let (mut found, mut wrong) = (0, 0);
    for round in 0..rounds(6000) {
        let mut graph = random.graph_within([9, 6, 8], 1);
        let least = graph.to_go()[0];
        for h in &mut graph.h {
            *h = u32::try_from(random.below(25)).unwrap();
        }
        let all = all_optimal(&graph, 0).unwrap();
        let Some(cost) = all.cost() else { continue };
        for path in all.paths().take(20) {
            assert_eq!(path.unwrap().cost(), cost, "round {round}: {graph:?}");
            found += 1;
        }
        wrong += usize::from(cost > least);
    }
    assert!(is_enough(found, 2000) && is_enough(wrong, 40), "{found}, {wrong}");
}
