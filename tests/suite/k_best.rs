//! The k best paths: against a brute force that lists all sequences of actions in the order of their costs.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bestfirst::clock::Clock;
use bestfirst::{
    CancelToken, DenseStates, KBest, Limits, Outcome, Path, SearchError, SearchProblem, StopReason,
    Successors, k_best,
};
use support::erased::problem;
use support::random::{is_enough, rounds};

use crate::graph::{Graph, Random};

type GraphPath = Path<u16, u32, u32>;

impl Random {
    /// A graph that is not expanded at once, so that the search goes on between two paths and reopens states.
    fn large_graph(&mut self) -> Graph {
        let mut graph = self.graph_within([9, 6, 8], 0);
        while graph.steps.len() < 400 {
            let from = u16::try_from(graph.steps.len()).unwrap();
            let before = |random: &mut Self| {
                from.saturating_sub(1 + u16::try_from(random.below(12)).unwrap())
            };
            for _ in 0..2 {
                let (to, cost) = (before(self), u32::try_from(self.below(30)).unwrap());
                graph.steps[usize::from(to)].push((from, cost));
            }
            graph.goals.push(from == 399);
            graph.steps.push(vec![(before(self), 50)]);
        }
        graph.goals = (0..400).map(|state| state == 399).collect();
        let to_go = graph.to_go();
        graph.h = to_go
            .iter()
            .map(|&to_go| if to_go == u32::MAX || self.below(2) == 0 { 0 } else { to_go })
            .collect();
        graph
    }
}

impl Graph {
    /// The costs of the best paths: the label of a path is expanded in the order of its cost, and a state at most
    /// `most` times.
    fn costs(&self, starts: &[(u16, u32)], most: usize) -> Vec<u32> {
        let mut open: std::collections::BinaryHeap<_> =
            starts.iter().map(|&(start, cost)| std::cmp::Reverse((cost, start))).collect();
        let mut expanded = vec![0; self.steps.len()];
        let mut costs = Vec::new();
        while let Some(std::cmp::Reverse((cost, state))) = open.pop() {
            let at = usize::from(state);
            expanded[at] += 1;
            if expanded[at] > most || costs.len() == most {
                continue;
            }
            if self.goals[at] {
                costs.push(cost);
            }
            for &(to, step) in &self.steps[at] {
                open.push(std::cmp::Reverse((cost + step, to)));
            }
        }
        costs
    }

    /// The least cost from state 0 to each state.
    fn costs_from_start(&self) -> Vec<u32> {
        let mut from_start = vec![u32::MAX; self.steps.len()];
        from_start[0] = 0;
        for _ in 0..self.steps.len() {
            for (from, steps) in self.steps.iter().enumerate() {
                for &(to, cost) in steps {
                    let cost = from_start[from].saturating_add(cost);
                    from_start[usize::from(to)] = from_start[usize::from(to)].min(cost);
                }
            }
        }
        from_start
    }

    /// The costs of all simple paths, in order.
    fn simple_costs(&self, start: u16) -> Vec<u32> {
        fn walk(graph: &Graph, at: u16, cost: u32, on_path: &mut Vec<bool>, costs: &mut Vec<u32>) {
            on_path[usize::from(at)] = true;
            if graph.goals[usize::from(at)] {
                costs.push(cost);
            }
            for &(to, step) in &graph.steps[usize::from(at)] {
                if !on_path[usize::from(to)] {
                    walk(graph, to, cost + step, on_path, costs);
                }
            }
            on_path[usize::from(at)] = false;
        }
        let mut costs = Vec::new();
        walk(self, start, 0, &mut vec![false; self.steps.len()], &mut costs);
        costs.sort_unstable();
        costs
    }
}

/// Checks that paths replay, that each is another one, and returns their costs.
fn checked(graph: &Graph, paths: &[GraphPath]) -> Vec<u32> {
    let mut seen = std::collections::HashSet::new();
    for path in paths {
        path.verify(graph).unwrap();
        let mut next = Successors::<Graph>::new();
        for step in path.steps() {
            next.clear();
            graph.successors(step.from, &mut next);
            let is_it = |there: &bestfirst::Successor<u16, u32, u32>| {
                (there.action, there.state, there.cost) == (*step.action, *step.to, step.cost)
            };
            assert!(next.as_slice().iter().any(is_it));
        }
        assert!(seen.insert((
            *path.start(),
            path.start_cost(),
            path.actions().copied().collect::<Vec<_>>()
        )));
    }
    paths.iter().map(Path::cost).collect()
}

const MOST: usize = 60;

#[test]
fn the_costs_are_those_of_brute_force() {
    let mut random = Random(1);
    let mut long = 0;
    for round in 0..rounds(300) {
        let graph = random.graph_within([9, 6, 8], 0);
        let expected = graph.costs(&[(0, 0)], MOST);
        let paths: Vec<_> = k_best(&graph, 0).take(MOST).collect::<Result<_, _>>().unwrap();
        assert_eq!(checked(&graph, &paths), expected, "round {round}: {graph:?}");
        long += usize::from(paths.len() == MOST);
        let blind = KBest::new(&graph).dijkstra().search(0).take(MOST);
        let paths: Vec<_> = blind.collect::<Result<_, _>>().unwrap();
        assert_eq!(checked(&graph, &paths), expected, "round {round}: {graph:?}");
    }
    assert!(is_enough(long, 60), "{long}");
}

#[test]
fn simple_paths_are_all_found_and_no_others() {
    let mut random = Random(4);
    let mut many = 0;
    for round in 0..rounds(2000) {
        let graph = random.graph_within([9, 6, 8], 0);
        let mut expected = graph.simple_costs(0);
        expected.truncate(200);
        let search = KBest::new(&graph).simple().search(0);
        let paths: Vec<_> = search.take(200).collect::<Result<_, _>>().unwrap();
        assert_eq!(checked(&graph, &paths), expected, "round {round}: {graph:?}");
        for path in &paths {
            let states: std::collections::HashSet<_> = path.states().iter().collect();
            assert_eq!(states.len(), path.states().len());
        }
        many += usize::from(paths.len() > 10);
    }
    assert!(is_enough(many, 100), "{many}");
}

/// Paths by way of the same states are one path, at its least cost, whether paths visit a state twice or not.
#[test]
fn paths_through_the_same_states_come_once_if_asked() {
    let mut random = Random(21);
    let (mut fewer, mut many) = (0, 0);
    for round in 0..rounds(200) {
        let graph =
            if round % 150 == 0 { random.large_graph() } else { random.graph_within([9, 6, 8], 0) };
        let starts = [(0, 3), (0, 1), (u16::try_from(graph.steps.len() - 1).unwrap(), 2)];
        // The same without what is dearer between two states.
        let mut cheapest = graph.clone();
        for steps in &mut cheapest.steps {
            steps.sort_unstable();
            steps.dedup_by_key(|step| step.0);
        }
        for is_simple in [false, true] {
            let search = || {
                let builder = KBest::new(&graph);
                let builder = if is_simple { builder.simple() } else { builder };
                builder.by_states().search_from(starts).take(MOST)
            };
            let paths: Vec<_> = search().map(Result::unwrap).collect();
            let costs = checked(&graph, &paths);
            let states: std::collections::HashSet<_> = paths.iter().map(Path::states).collect();
            assert_eq!(states.len(), paths.len(), "round {round}: {graph:?}");
            let starts = if starts[0].0 == starts[2].0 { &starts[1..2] } else { &starts[1..] };
            if is_simple {
                let builder = KBest::new(&cheapest).simple();
                let expected = builder.search_from(starts.iter().copied()).take(MOST);
                assert!(expected.map(|path| path.unwrap().cost()).eq(costs), "round {round}");
            } else {
                assert_eq!(costs, cheapest.costs(starts, MOST), "round {round}: {graph:?}");
            }
            let by_steps = KBest::new(&graph).search_from(starts.iter().copied());
            fewer += usize::from(by_steps.take(MOST).count() > paths.len());
            many += usize::from(paths.len() == MOST);
        }
    }
    assert!(fewer > 13 && many > 13, "{fewer}, {many}");
}

/// Graphs that are not expanded at once, so that the search goes on between two paths and reopens states.
#[test]
fn in_larger_graphs_states_are_reopened_between_two_paths() {
    let mut random = Random(7);
    let mut reopened = 0;
    for round in 0..rounds(4) {
        let graph = random.large_graph();
        for is_simple in [false, true] {
            let builder = KBest::new(&graph);
            let builder = if is_simple { builder.simple() } else { builder };
            let mut search = builder.search(0);
            let paths: Vec<_> = search.by_ref().take(MOST).collect::<Result<_, _>>().unwrap();
            reopened += search.stats().reopened;
            let costs = checked(&graph, &paths);
            let is_walk = |path: &GraphPath| {
                let states: std::collections::HashSet<_> = path.states().iter().collect();
                states.len() < path.states().len()
            };
            if is_simple {
                assert!(!paths.iter().any(is_walk) && costs.is_sorted());
                let walks: Vec<_> = k_best(&graph, 0).take(2000).map(Result::unwrap).collect();
                let simple = walks.iter().filter(|path| !is_walk(path)).map(Path::cost);
                assert!(simple.zip(&costs).all(|(cost, other)| cost == *other), "round {round}");
            } else {
                assert_eq!(costs, graph.costs(&[(0, 0)], MOST), "round {round}");
            }
        }
    }
    assert!(reopened > 66, "{reopened}");
}

#[test]
fn several_starts_have_their_costs() {
    let mut random = Random(2);
    for round in 0..rounds(1000) {
        let graph = random.graph_within([9, 6, 8], 0);
        let states = graph.steps.len() as u64;
        let mut starts: Vec<_> = (0..4)
            .map(|_| {
                (
                    u16::try_from(random.below(states)).unwrap(),
                    u32::try_from(random.below(5)).unwrap(),
                )
            })
            .collect();
        let search = KBest::new(&graph).search_from(starts.clone());
        let paths: Vec<_> = search.take(MOST).collect::<Result<_, _>>().unwrap();
        starts.sort_unstable();
        starts.dedup();
        assert_eq!(checked(&graph, &paths), graph.costs(&starts, MOST), "round {round}: {graph:?}");
    }
}

#[test]
fn a_search_that_is_stopped_at_every_expansion_goes_on_the_same() {
    let mut random = Random(3);
    for round in 0..rounds(600) {
        let graph = random.graph_within([9, 6, 8], 0);
        let make = || {
            let builder = KBest::new(&graph);
            if round % 3 == 0 { builder.simple().search(0) } else { builder.search(0) }
        };
        let expected: Vec<_> = make().take(20).collect::<Result<_, _>>().unwrap();
        let mut search = make();
        let (mut found, mut bound) = (Vec::<GraphPath>::new(), 0);
        for expansions in 0.. {
            search.set_limits(Limits::new().expansions(expansions));
            while found.len() < 20
                && let Some(path) = search.next()
            {
                found.push(path.unwrap());
                assert!(found[found.len() - 1].cost() >= bound);
            }
            assert!(search.stats().expanded <= expansions);
            if found.len() == 20 {
                break;
            }
            let report = search.run().unwrap();
            assert!(report.lower_bound >= bound);
            bound = report.lower_bound;
            match report.outcome {
                Outcome::Exhausted => {
                    assert_eq!(bound, u32::MAX);
                    break;
                }
                Outcome::Stopped(reason) => assert_eq!(reason, StopReason::Expansions),
                Outcome::Found(path) => panic!("{path:?} was not returned"),
            }
        }
        assert_eq!(found, expected);
    }
}

#[test]
fn a_limit_on_memory_stops_it_wherever_it_is() {
    let mut random = Random(5);
    let mut stops = 0;
    for round in 0..rounds(40) {
        let graph = random.graph_within([9, 6, 8], 0);
        let make = || {
            let builder = KBest::new(&graph);
            if round % 2 == 0 { builder.simple().search(0) } else { builder.search(0) }
        };
        let mut search = make();
        let expected: Vec<_> = search.by_ref().take(50).collect::<Result<_, _>>().unwrap();
        let peak = usize::try_from(search.stats().peak_bytes).unwrap();
        for most in (0..peak).step_by(peak / 40 + 1) {
            let mut search = make();
            let (mut found, mut limit) = (Vec::<GraphPath>::new(), most);
            while found.len() < expected.len() {
                search.set_limits(Limits::new().memory(limit));
                found
                    .extend(search.by_ref().take(expected.len() - found.len()).map(Result::unwrap));
                assert!(search.stats().peak_bytes <= limit as u64);
                if found.len() < expected.len() {
                    let report = search.run().unwrap();
                    assert!(matches!(report.outcome, Outcome::Stopped(StopReason::Memory)));
                    assert!(report.lower_bound <= expected[found.len()].cost());
                    stops += 1;
                    limit += limit / 2 + 100;
                }
            }
            assert_eq!(checked(&graph, &found), checked(&graph, &expected));
        }
    }
    assert!(is_enough(stops, 1000), "{stops}");
}

/// All numbers, from each to its double and to the next.
fn numbers<C: bestfirst::Cost + 'static>(
    double: C,
    next: C,
) -> Box<dyn SearchProblem<State = u32, Action = (), Cost = C>> {
    problem(
        move |&n: &u32| [(2 * n % 1000, double), ((n + 1) % 1000, next)],
        |_: &u32| C::ZERO,
        |&n: &u32| n == 40,
    )
}

#[test]
fn costs_that_do_not_fit_are_an_error_after_the_paths_that_do() {
    for is_simple in [false, true] {
        let problem = numbers(100_u8, 70);
        let builder = KBest::new(&problem);
        let builder = if is_simple { builder.simple() } else { builder };
        let mut search = builder.search_from([(20, 0), (38, 1)]);
        let all: Vec<_> = search.by_ref().collect();
        let costs: Vec<_> = all.iter().map(|path| path.as_ref().map(Path::cost)).collect();
        assert_eq!(costs[..2], [Ok(100), Ok(141)]);
        assert!(matches!(costs[2..], [Err(&SearchError::Overflow { .. })]));
        assert!(search.next().is_none());
    }
}

#[test]
fn costs_that_are_none_are_errors() {
    for cost in [-1.0, f64::NAN] {
        let problem = numbers(1.0, cost);
        let mut search = KBest::new(&problem).search(1);
        assert!(matches!(
            search.next(),
            Some(Err(SearchError::NegativeCost { .. } | SearchError::NotANumber { .. }))
        ));
        assert!(search.next().is_none());
        assert!(search.run().is_err());
    }
}

#[test]
fn floats_come_in_order_and_none_is_lost() {
    let problem = numbers(0.3_f64, 0.1);
    let whole = numbers(3_u32, 1);
    let floats = k_best(&problem, 1).take(2000).map(|path| path.unwrap().cost());
    let ints = k_best(&whole, 1).take(2000).map(|path| path.unwrap().cost());
    for (float, int) in floats.zip(ints) {
        assert!((float - f64::from(int) / 10.0).abs() < 1e-6, "{float} {int}");
    }
}

#[test]
fn cycles_that_cost_nothing_are_gone_round_for_ever() {
    let ring = problem(
        |&n: &u32| [((n + 1) % 5, u32::from(n == 9)), (n, 0)],
        |_: &u32| 0,
        |&n: &u32| n == 3,
    );
    let mut lengths = Vec::new();
    for path in k_best(&ring, 0).take(3000) {
        let path = path.unwrap();
        path.verify(&&ring).unwrap();
        assert_eq!(path.cost(), 0);
        lengths.push(path.len());
    }
    assert_eq!(lengths[0], 3);
    // Without goals there is nothing.
    let none = problem(|&n: &u32| [((n + 1) % 5, 0_u32), (n, 0)], |_: &u32| 0, |_: &u32| false);
    let mut search = KBest::new(&none).search(0);
    assert!(search.next().is_none());
    let report = search.run().unwrap();
    assert_eq!((report.outcome, report.lower_bound), (Outcome::Exhausted, u32::MAX));
}

/// On a ring of steps that cost nothing all states are in one line in the tree, the goal in the middle: which of them are
/// behind it is not looked up for each anew. Between two looks at the clock there is a part of the work.
#[test]
fn a_simple_path_round_a_ring_takes_time_linear_in_it() {
    let looks = |states: u32| {
        let ring = problem(
            |&n: &u32| [((n + 1) % states, 0_u32), ((n + states - 1) % states, 0)],
            |_: &u32| 0,
            |&n: &u32| n == states / 2,
        );
        let looks = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&looks);
        let clock = Clock::new(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Duration::ZERO
        });
        let limits = Limits::new().time(Duration::from_secs(1)).clock(clock);
        let mut search = KBest::new(&ring).simple().limits(limits).search(0);
        let paths = [(); 2].map(|()| search.next().unwrap().unwrap());
        assert!(search.next().is_none());
        assert!(paths.iter().all(|path| path.len() == states as usize / 2));
        looks.load(Ordering::Relaxed)
    };
    let [few, many] = [looks(5_000), looks(20_000)];
    assert!(many < 6 * few, "{few} and {many}");
}

#[test]
fn the_other_limits_hold() {
    let problem = numbers(3_u32, 1);
    let token = CancelToken::new();
    let mut search = KBest::new(&problem).limits(Limits::new().cancel(&token)).search(1);
    let first = search.next().unwrap().unwrap().cost();
    token.cancel();
    assert!(search.next().is_none());
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
    assert!(report.lower_bound >= first);
    search.set_limits(Limits::new().time(std::time::Duration::ZERO));
    assert!(search.next().is_none());
    search.set_limits(Limits::new().cost(first + 2));
    let few: Vec<_> = search.by_ref().map(|path| path.unwrap().cost()).collect();
    assert_eq!(search.run().unwrap().outcome, Outcome::Stopped(StopReason::Cost));
    let all: Vec<_> =
        k_best(&problem, 1).take(few.len() + 2).map(|path| path.unwrap().cost()).collect();
    assert_eq!((all[0], &all[1..=few.len()]), (first, &few[..]));
    assert!(few.iter().all(|&cost| cost <= first + 2) && all[few.len() + 1] > first + 2);
    search.set_limits(Limits::new());
    assert_eq!(search.next().unwrap().unwrap().cost(), all[few.len() + 1]);
}

#[test]
fn a_search_can_be_restarted() {
    let mut random = Random(6);
    let graphs: Vec<_> = (0..=300).map(|_| random.graph_within([9, 6, 8], 0)).collect();
    let mut search = KBest::new(&graphs[0]).search(0);
    for (round, graph) in graphs.iter().enumerate().skip(1) {
        let _ = search.by_ref().take(20).count();
        search.restart_with(graph, 0);
        let again: Vec<_> = search.by_ref().take(30).collect::<Result<_, _>>().unwrap();
        let new: Vec<_> = KBest::new(graph).search(0).take(30).collect::<Result<_, _>>().unwrap();
        assert_eq!(again, new, "round {round}");
    }
}

/// A chain of many states with a side step at each.
#[test]
fn a_long_path_does_no_harm() {
    const END: u32 = 6_000;
    let run = || {
        let chain =
            problem(|&n: &u32| [(n + 1, 1_u32), (n + 2, 3)], |_: &u32| 0, |&n: &u32| n == END);
        for is_simple in [false, true] {
            let builder = KBest::new(&chain);
            let builder = if is_simple { builder.simple() } else { builder };
            let costs: Vec<_> =
                builder.search(0).take(3).map(|path| path.unwrap().cost()).collect();
            assert_eq!(costs, [END, END + 1, END + 1]);
        }
        let all = bestfirst::all_optimal(&chain, 0).unwrap();
        assert_eq!(all.count().get(), Some(1));
        assert_eq!(all.paths().next().unwrap().unwrap().len(), END as usize);
    };
    // Some twenty bytes for each state.
    let small_stack = std::thread::Builder::new().stack_size(128 << 10);
    std::thread::scope(|scope| small_stack.spawn_scoped(scope, run).unwrap().join().unwrap());
}

/// S→A, S→X→A, A→B, S→B: of costs of 8 bits, the path by way of X does not fit.
#[test]
fn a_path_that_does_not_fit_is_not_passed_over_in_silence() {
    let steps: [&[(u32, u8)]; 4] = [&[(1, 10), (3, 240), (2, 30)], &[(2, 10)], &[], &[(1, 10)]];
    let problem =
        problem(|&n: &u32| steps[n as usize].iter().copied(), |_: &u32| 0, |&n: &u32| n == 2);
    for is_simple in [false, true] {
        let builder = KBest::new(&problem);
        let builder = if is_simple { builder.simple() } else { builder };
        let all: Vec<_> = builder.search(0).collect();
        let costs: Vec<_> = all.iter().map(|path| path.as_ref().map(Path::cost)).collect();
        assert_eq!(costs[..2], [Ok(20), Ok(30)], "simple: {is_simple}");
        assert!(matches!(costs[2..], [Err(&SearchError::Overflow { .. })]), "{costs:?}");
    }
}

/// The same with S→B of a start that costs 10: it does not fit, and B is stored only after the steps from S were looked at.
#[test]
fn a_step_that_does_not_fit_to_a_state_that_is_stored_later_is_an_error() {
    let steps: [&[(u32, u8)]; 4] =
        [&[(3, 1), (1, 10), (2, 250)], &[(3, 1), (2, 1)], &[(3, 1)], &[]];
    let problem =
        problem(|&n: &u32| steps[n as usize].iter().copied(), |_: &u32| 0, |&n: &u32| n == 3);
    for (is_simple, is_by_states) in [(false, false), (true, false), (false, true), (true, true)] {
        let builder = KBest::new(&problem);
        let builder = if is_simple { builder.simple() } else { builder };
        let builder = if is_by_states { builder.by_states() } else { builder };
        let all: Vec<_> = builder.search_from([(0, 10)]).collect();
        let costs: Vec<_> = all.iter().map(|path| path.as_ref().map(Path::cost)).collect();
        assert_eq!(costs[..3], [Ok(11), Ok(21), Ok(22)], "simple: {is_simple}");
        assert!(matches!(costs[3..], [Err(&SearchError::Overflow { .. })]), "{costs:?}");
    }
}

/// By a heuristic that is not consistent, state 1 is expanded at 200 before it is reached at 175: only then does its step to 3
/// fit into 8 bits.
#[test]
fn a_step_that_did_not_fit_is_taken_once_its_state_is_cheaper() {
    let steps: [&[(u32, u8)]; 5] =
        [&[(1, 200), (2, 170), (4, 205)], &[(4, 40), (3, 56)], &[(1, 5)], &[(4, 1)], &[]];
    let h = |&n: &u32| if n == 2 { 45 } else { 0 };
    let problem = problem(|&n: &u32| steps[n as usize].iter().copied(), h, |&n: &u32| n == 4);
    for is_simple in [false, true] {
        let builder = KBest::new(&problem);
        let builder = if is_simple { builder.simple() } else { builder };
        let mut search = builder.search(0);
        for _ in 0..2 {
            let all: Vec<_> = search.by_ref().collect();
            let costs: Vec<_> = all.iter().map(|path| path.as_ref().map(Path::cost)).collect();
            assert_eq!(costs[..4], [Ok(205), Ok(215), Ok(232), Ok(240)], "simple: {is_simple}");
            assert!(matches!(costs[4..], [Err(&SearchError::Overflow { .. })]), "{costs:?}");
            search.restart(0);
        }
    }
}

/// Two steps whose sums with the start are rounded to the same: each gives a path, and none comes twice.
#[test]
fn parallel_steps_that_are_rounded_to_the_same_cost_give_a_path_each() {
    let problem =
        problem(|&n: &u32| [(n + 1, 0.5_f32), (n + 1, 0.25)], |_: &u32| 0.0, |&n: &u32| n == 1);
    for is_simple in [false, true] {
        let builder = KBest::new(&problem).limits(Limits::new().expansions(20));
        let builder = if is_simple { builder.simple() } else { builder };
        let steps: Vec<_> = builder
            .search_from([(0, 6e8)])
            .map(|path| path.unwrap().steps().map(|step| step.cost).collect::<Vec<_>>())
            .collect();
        assert_eq!(steps, [[0.25], [0.5]], "simple: {is_simple}");
    }
}

/// Of costs of 8 bits: the list ends with an error if a simple path to a goal does not fit, and not because of a path that
/// visits a state twice.
#[test]
fn simple_paths_end_with_an_error_only_if_one_of_them_does_not_fit() {
    let mut random = Random(31);
    let mut ends = [0; 2];
    for round in 0..rounds(4000) {
        let graph = random.graph_within([7, 5, 250], 0);
        let steps = |&state: &u16| {
            graph.steps[usize::from(state)]
                .iter()
                .map(|&(to, cost)| (to, u8::try_from(cost).unwrap()))
        };
        let narrow = problem(steps, |_: &u16| 0, |&state: &u16| graph.goals[usize::from(state)]);
        let (fits, too_much): (Vec<u32>, Vec<u32>) =
            graph.simple_costs(0).into_iter().partition(|&cost| cost <= 255);
        let is_each_reached = graph.costs_from_start().iter().all(|&g| g <= 255 || g == u32::MAX);
        let mut costs = Vec::new();
        let mut search = KBest::new(&narrow).simple().search(0);
        let end = loop {
            match search.next() {
                Some(Ok(path)) => costs.push(u32::from(path.cost())),
                Some(Err(error)) => break Err(error),
                None => break Ok(()),
            }
        };
        assert_eq!(costs, fits, "round {round}: {graph:?}");
        if !too_much.is_empty() || is_each_reached {
            assert_eq!(end.is_err(), !too_much.is_empty(), "round {round}, {end:?}: {graph:?}");
            ends[usize::from(end.is_err())] += 1;
        }
        assert!(matches!(end, Ok(()) | Err(SearchError::Overflow { .. })), "{end:?}");
    }
    assert!(ends.iter().all(|&count| is_enough(count, 100)), "{ends:?}");
}

/// Many steps to one state: every path leaves out one more of them.
#[test]
fn a_state_with_many_steps_to_it_has_a_path_by_each() {
    let wheel = problem(
        |&n: &u32| match n {
            0 => (1..=4_000).map(|spoke| (spoke, spoke)).collect(),
            4_001 => vec![],
            _ => vec![(4_001, 1)],
        },
        |_: &u32| 0,
        |&n: &u32| n == 4_001,
    );
    for is_simple in [false, true] {
        let builder = KBest::new(&wheel);
        let builder = if is_simple { builder.simple() } else { builder };
        let costs: Vec<_> = builder.search(0).take(300).map(|path| path.unwrap().cost()).collect();
        assert!(costs.iter().copied().eq(2..302));
    }
}

/// The limit is lowered when states are open again at smaller costs.
#[test]
fn a_limit_on_the_cost_may_be_lowered_between_two_paths() {
    let mut random = Random(11);
    for round in 0..rounds(20) {
        let graph = random.large_graph();
        let whole: Vec<_> = k_best(&graph, 0).take(60).map(|path| path.unwrap().cost()).collect();
        let mut search = KBest::new(&graph).search(0);
        let mut costs = Vec::new();
        while costs.len() < whole.len() {
            // It stops anywhere, or after a path.
            let is_found = search.run_for(random.below(80)).unwrap().is_some();
            let next = whole[costs.len()];
            if next > 0 {
                search.set_limits(Limits::new().cost(next - 1));
                let lowered = search.run().unwrap_or_else(|error| panic!("round {round}: {error}"));
                // An answer stays what it is.
                assert_eq!(lowered.path().is_some(), is_found, "round {round}");
            }
            search.set_limits(Limits::new());
            if random.below(3) == 0 {
                costs.extend(search.next().map(|path| path.unwrap().cost()));
            }
        }
        assert_eq!(costs, whole, "round {round}");
    }
}

/// What ends the iterator at a limit ends a run at the same limit.
#[test]
fn a_run_finds_no_path_that_the_iterator_did_not() {
    let mut random = Random(13);
    let mut stops = 0;
    for round in 0..rounds(1_500) {
        let graph = random.graph_within([9, 6, 8], 0);
        let make = || {
            let builder = KBest::new(&graph);
            if round % 3 == 0 { builder.search(0) } else { builder.simple().search(0) }
        };
        let mut whole = make();
        let paths: Vec<_> = whole.by_ref().take(12).map(Result::unwrap).collect();
        let peak = whole.stats().peak_bytes;
        let Some(dearest) = paths.iter().map(Path::cost).max() else { continue };
        let mut search = make();
        let mut found = 0;
        for _ in 0..12 {
            let below = |random: &mut Random, end: u64| random.below(end + 2);
            let limits = match random.below(3) {
                0 => Limits::new().cost(u32::try_from(below(&mut random, dearest.into())).unwrap()),
                1 => Limits::new().expansions(below(&mut random, whole.stats().expanded)),
                _ => Limits::new().memory(usize::try_from(below(&mut random, peak)).unwrap()),
            };
            search.set_limits(limits.clone());
            let many = usize::try_from(random.below(4)).unwrap();
            for _ in 0..many {
                if let Some(path) = search.next() {
                    let expected = paths.get(found).map_or(dearest, Path::cost);
                    assert_eq!(path.unwrap().cost(), expected);
                    found += 1;
                } else {
                    let report = search.run().unwrap();
                    assert!(report.path().is_none(), "round {round}, {limits:?}: {report:?}");
                    stops += 1;
                    break;
                }
                if found == paths.len() {
                    break;
                }
            }
            if found == paths.len() {
                break;
            }
        }
    }
    assert!(stops > 75, "{stops}");
}

/// A sum that did not fit is no error of the search that is begun after it.
#[test]
fn a_sum_that_did_not_fit_is_forgotten_at_a_restart() {
    let far = u32::MAX - 1;
    let apart = problem(
        move |&n: &u32| match n {
            0 | 1 => vec![(n + 1, far)],
            10 => vec![(11, 1)],
            _ => vec![],
        },
        |_: &u32| 0,
        |&n: &u32| n == 11,
    );
    let mut search = KBest::new(&apart).search(0);
    assert_eq!(search.next(), Some(Err(SearchError::Overflow { g: far, added: far })));
    search.restart(10);
    let costs: Result<Vec<_>, _> = search.map(|path| path.map(|path| path.cost())).collect();
    assert_eq!(costs, Ok(vec![1]));
}

/// 0→9 costs 10, 0→1 nothing, 1→9 one; h(1) is too large, so the cheaper path comes late.
#[test]
fn paths_that_a_heuristic_has_hidden_are_returned_late() {
    let hidden = |loop_cost: Option<u32>, dear: u32| {
        problem(
            move |&n: &u32| match n {
                0 => vec![(9, dear), (1, 0)],
                1 => loop_cost.map(|cost| (1, cost)).into_iter().chain([(9, 1)]).collect(),
                _ => vec![],
            },
            move |&n: &u32| if n == 1 { 10 * dear } else { 0 },
            |&n: &u32| n == 9,
        )
    };
    let costs = |loop_cost, dear, many| {
        let hidden = hidden(loop_cost, dear);
        let limits = Limits::new().expansions(1000).memory(1 << 20);
        let search = KBest::new(&hidden).limits(limits).search(0).take(many);
        search.map(|path| path.unwrap().cost()).collect::<Vec<_>>()
    };
    assert_eq!(costs(None, 10, 5), [10, 1]);
    // There are infinitely many that cost less than the first, or nearly.
    assert_eq!(costs(Some(0), 10, 5), [10, 1, 1, 1, 1]);
    assert_eq!(costs(Some(1), 100_000_000, 5), [100_000_000, 1, 2, 3, 4]);
    let simple = hidden(Some(0), 10);
    let simple = KBest::new(&simple).simple().search(0).map(|path| path.unwrap().cost());
    assert!(simple.eq([10, 1]));
}

/// Whatever the heuristic says, each path is returned once; and all are, if none is said to be a dead end.
#[test]
fn each_path_comes_once_by_heuristics_that_overestimate() {
    let mut random = Random(41);
    let (mut late, mut many) = (0, 0);
    for round in 0..rounds(900) {
        let mut graph = random.graph_within([9, 6, 8], 0);
        for h in &mut graph.h {
            *h = u32::try_from(random.below(25)).unwrap();
        }
        let mut expected = graph.costs(&[(0, 0)], MOST);
        let is_whole = expected.len() < MOST;
        for is_simple in [false, true] {
            let builder = KBest::new(&graph).limits(Limits::new().expansions(5000));
            let builder = if is_simple { builder.simple() } else { builder };
            let search = builder.search(0).take(MOST);
            let paths: Vec<_> = search.collect::<Result<_, _>>().unwrap();
            let mut costs = checked(&graph, &paths);
            late += usize::from(!costs.is_sorted());
            costs.sort_unstable();
            if is_simple {
                expected = graph.simple_costs(0);
            }
            if is_simple && expected.len() < MOST || !is_simple && is_whole {
                assert_eq!(costs, expected, "round {round}, simple: {is_simple}: {graph:?}");
            }
            many += usize::from(paths.len() == MOST);
        }
    }
    assert!(is_enough(late, 36) && is_enough(many, 60), "{late}, {many}");
}

/// The start is told by another number from some call on, that of a state which is reached, too.
struct Renumbered {
    calls: Cell<u32>,
    change: u32,
}

impl SearchProblem for Renumbered {
    type State = u16;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &state: &u16, next: &mut Successors<Self>) {
        for to in [state + 1, 999] {
            if to < 1000 {
                next.push((), to, 1);
            }
        }
    }
    fn heuristic(&self, _: &u16) -> u32 {
        0
    }
    fn is_goal(&self, &state: &u16) -> bool {
        state == 3
    }
}

impl DenseStates for Renumbered {
    fn state_count(&self) -> usize {
        1000
    }
    fn state_index(&self, &state: &u16) -> usize {
        let call = self.calls.get() + u32::from(state == 0);
        self.calls.set(call);
        if state == 0 && call > self.change { 999 } else { state.into() }
    }
    fn state_at(&self, index: usize) -> u16 {
        u16::try_from(index).unwrap()
    }
}

#[test]
fn a_number_of_a_state_that_changes_does_no_harm() {
    for change in 0..20 {
        let problem = Renumbered { calls: Cell::new(0), change };
        let paths = KBest::new(&problem).dense().search(0).take(5);
        assert!(paths.flatten().all(|path| path.cost() == 3), "{change}");
    }
}
