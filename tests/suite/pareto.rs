//! Search by several criteria: complete fronts, by brute force; stops, limits, faults.
#![expect(clippy::cast_possible_truncation, reason = "the numbers are small")]

use std::time::Duration;

use bestfirst::frontier::{Frontier, LazyHeap, Lexicographic};
use bestfirst::heuristics::{IdealPoint, IdealPointError};
use bestfirst::table::{IdOf, TableFor};
use bestfirst::{
    CancelToken, Cost, Criteria, DenseStates, FnProblem, Limits, Observer, Outcome, Pareto,
    ParetoSearch, Reversible, SearchError, SearchProblem, StopReason, Successors, pareto,
};
use support::criteria::{Graph, Random, check_paths};
use support::random::{is_enough, rounds};

/// How many random graphs there are for each number of criteria, in the long form (see [`rounds`]).
const GRAPHS: u64 = 240;

/// Costs up to 9, and none near the top.
const SMALL: (u8, u8, u64) = (10, 9, 1 << 40);

fn of_graph<const N: usize>(seed: u64) -> Graph<u32, N> {
    let nodes = [2, 5, 9, 14][(seed % 4) as usize];
    Graph::random(seed, if N > 3 { nodes.min(9) } else { nodes }, SMALL)
}

fn numbers<C: Into<f64>, const N: usize>(costs: impl Iterator<Item = [C; N]>) -> Vec<Vec<f64>> {
    costs.map(|cost| cost.map(Into::into).to_vec()).collect()
}

/// Runs one search, and compares what it finds with the front by brute force.
macro_rules! check {
    ($graph:expr, $expected:expr, $search:expr) => {{
        let front = $search.front().unwrap();
        assert!(front.is_complete() && front.stopped().is_none());
        assert_eq!(&numbers(front.costs()), $expected, "{:?}", $graph);
        assert!(front.lower_bound().iter().all(|&each| each == u32::INFINITY));
        check_paths($graph, front.paths());
        front.into_paths()
    }};
}

/// A graph with or without another heuristic: the engine is compiled once for all of them.
type Erased<'p, const N: usize> = &'p dyn DenseStates<State = u32, Action = usize, Cost = [u32; N]>;

fn fronts_are_complete<const N: usize>() {
    for seed in 0..rounds(GRAPHS) {
        let own = &of_graph::<N>(seed);
        let graph: Erased<'_, N> = own;
        let expected = &own.front(&[(0, [0; N])], f64::from);
        let _ = check!(own, expected, Pareto::new(graph).search(0));
        let _ = check!(own, expected, Pareto::new(graph).dense().search(0));
        let _ = check!(own, expected, Pareto::new(graph).frontier(LazyHeap::new()).search(0));
        let _ = check!(own, expected, Pareto::new(graph).wide_ids().search(0));
        assert_eq!(&numbers(pareto(own, 0).unwrap().costs()), expected, "{own:?}");
        let ideal = IdealPoint::of(own).dense().build().unwrap();
        let with_ideal: Erased<'_, N> = &ideal;
        let informed = check!(own, expected, Pareto::new(with_ideal).dense().search(0));
        // The same from a hashed ideal point.
        let hashed = IdealPoint::of(own).build().unwrap();
        assert!((0..own.nodes).all(|node| ideal.heuristic(&node) == hashed.heuristic(&node)));
        let with_hashed: Erased<'_, N> = &hashed;
        assert_eq!(check!(own, expected, Pareto::new(with_hashed).dense().search(0)), informed);
        // A heuristic that is not consistent: labels of a state come out of order.
        let partly = &own.clone().with_part_of(seed, |node| ideal.heuristic(node));
        let partly: Erased<'_, N> = partly;
        let _ = check!(own, expected, Pareto::new(partly).search(0));
        let _ = check!(own, expected, Pareto::new(partly).dense().search(0));
        let starts = [(1, [2; N]), (0, [1; N]), (1, [0; N]), (0, [1; N])];
        let expected = &own.front(&starts, f64::from);
        let _ = check!(own, expected, Pareto::new(partly).search_from(starts));
    }
}

#[test]
fn fronts_of_two_criteria_are_complete() {
    fronts_are_complete::<2>();
}

#[test]
fn fronts_of_three_criteria_are_complete() {
    fronts_are_complete::<3>();
}

#[test]
fn fronts_of_four_criteria_are_complete() {
    fronts_are_complete::<4>();
}

#[test]
fn one_criterion_has_one_path() {
    for seed in 0..rounds(100) {
        let graph: Erased<'_, 1> = &of_graph::<1>(seed);
        let front = Pareto::new(graph).search(0).front().unwrap();
        let cheapest = bestfirst::dijkstra(&graph, 0).unwrap().cost();
        assert_eq!(front.costs().next(), cheapest);
        assert!(front.len() <= 1);
    }
}

#[test]
fn the_first_path_is_that_of_dijkstra() {
    for seed in 0..rounds(200) {
        let graph: Erased<'_, 3> = &of_graph::<3>(seed);
        let report = Pareto::new(graph).search(0).run().unwrap();
        let cheapest = bestfirst::dijkstra(&graph, 0).unwrap();
        assert_eq!(report.cost(), cheapest.cost());
        assert_eq!(report.lower_bound, cheapest.lower_bound);
        assert_eq!(report.is_optimal(), cheapest.is_optimal());
        assert_eq!(report.outcome == Outcome::Exhausted, cheapest.outcome == Outcome::Exhausted);
    }
}

/// What a search that was stopped says is true.
fn check_stopped<P, T, F, const N: usize>(
    search: &mut ParetoSearch<P, T, F>,
    whole: &[[u32; N]],
) -> Option<StopReason>
where
    P: SearchProblem<State = u32, Action = usize, Cost = [u32; N]>,
    T: TableFor<u32, [u32; N]>,
    F: Frontier<IdOf<T, u32>, Lexicographic<[u32; N]>>,
{
    let front = search.front().unwrap();
    let found: Vec<_> = front.costs().collect();
    assert!(found.iter().all(|cost| whole.contains(cost)));
    assert!(found.is_sorted() && search.costs().eq(found.iter().copied()));
    for missing in whole.iter().filter(|cost| !found.contains(cost)) {
        assert!(front.lower_bound().dominates(*missing), "{missing:?} is missing: {front:?}");
        assert!(!front.is_complete());
    }
    let report = search.run().unwrap();
    assert!(whole.iter().all(|cost| report.lower_bound <= *cost));
    assert_eq!(report.path().map(bestfirst::Path::cost), found.first().copied());
    front.stopped()
}

fn stops_are_harmless<const N: usize>() {
    for seed in 0..rounds(60) {
        let graph = of_graph::<N>(seed);
        let ideal = IdealPoint::of(&graph).build().unwrap();
        let partly = &graph.clone().with_part_of(seed, |node| ideal.heuristic(node));
        let partly: Erased<'_, N> = partly;
        let whole = Pareto::new(partly).search(0).front().unwrap();
        let costs: Vec<_> = whole.costs().collect();
        let count = whole.stats().expanded;
        // Stopped at every expansion, and each time resumed.
        let mut search = Pareto::new(partly).limits(Limits::new().expansions(0)).search(0);
        for most in 0..count {
            search.set_limits(Limits::new().expansions(most));
            assert_eq!(check_stopped(&mut search, &costs), Some(StopReason::Expansions));
            assert_eq!(search.stats().expanded, most);
        }
        search.set_limits(Limits::new().expansions(count));
        assert_eq!(search.front().unwrap(), whole, "seed {seed}");
        // Stopped once.
        for most in (0..count).step_by(7) {
            let limits = Limits::new().expansions(most);
            let mut search = Pareto::new(partly).dense().limits(limits).search(0);
            check_stopped(&mut search, &costs);
            search.set_limits(Limits::new());
            let front = search.front().unwrap();
            assert_eq!(front.paths(), whole.paths());
        }
        // By steps, and begun anew.
        search.restart(0);
        let report = loop {
            let before = search.stats().expanded;
            if let Some(report) = search.step().unwrap() {
                break report;
            }
            assert_eq!(search.stats().expanded, before + 1);
        };
        assert_eq!(report.path(), whole.paths().first());
        assert_eq!(report.stats.expanded, count);
        assert_eq!(search.front().unwrap().paths(), whole.paths());
    }
}

#[test]
fn a_stop_at_every_expansion_is_true_and_harmless() {
    stops_are_harmless::<2>();
    stops_are_harmless::<3>();
}

#[test]
fn a_stop_for_memory_loses_nothing() {
    fn check<const N: usize>(seed: u64) {
        let mut graph = of_graph::<N>(seed);
        graph.nodes += 30;
        let mut random = Random::new(seed);
        for from in 0..graph.nodes {
            for _ in 0..2 {
                let to = random.below(graph.nodes.into()) as u32;
                graph.edges.push((from, to, [0; N].map(|_: u32| random.below(20) as u32)));
            }
        }
        let graph: Erased<'_, N> = &graph;
        let whole: Vec<_> = Pareto::new(graph).search(0).front().unwrap().costs().collect();
        let mut search = Pareto::new(graph).limits(Limits::new().memory(0)).search(0);
        let mut stops = 0;
        for bytes in (0..).step_by(251) {
            search.set_limits(Limits::new().memory(bytes));
            match check_stopped(&mut search, &whole) {
                Some(reason) => assert_eq!(reason, StopReason::Memory),
                None => break,
            }
            assert!(search.bytes() <= bytes && search.stats().peak_bytes <= bytes as u64);
            stops += 1;
        }
        assert!(stops >= 3, "{stops}");
        assert!(search.costs().eq(whole));
    }
    for seed in 0..12 {
        check::<2>(seed);
        check::<3>(seed);
        check::<4>(seed);
    }
}

#[test]
fn a_limit_on_the_cost_bounds_each_criterion() {
    fn check<const N: usize>() {
        let mut stops = 0;
        for seed in 0..150 {
            let graph = of_graph::<N>(seed);
            let mut random = Random::new(seed);
            let ideal = IdealPoint::of(&graph).build().unwrap();
            let partly = &graph.clone().with_part_of(seed, |node| ideal.heuristic(node));
            let partly: Erased<'_, N> = partly;
            let erased: Erased<'_, N> = &graph;
            let whole: Vec<_> = Pareto::new(erased).search(0).front().unwrap().costs().collect();
            let mut search = Pareto::new(partly).search(0);
            let mut before = [0; N];
            for _ in 0..4 {
                // Raised while it is half done, too.
                let most = before.map(|each| each + random.below(8) as u32);
                let few = search.stats().expanded + random.below(4);
                search.set_limits(Limits::new().cost(most).expansions(few));
                check_stopped(&mut search, &whole);
                search.set_limits(Limits::new().cost(most));
                let stopped = check_stopped(&mut search, &whole);
                stops += u32::from(stopped == Some(StopReason::Cost));
                let within = whole.iter().copied().filter(|cost| cost.dominates(most));
                assert!(search.costs().eq(within), "{most:?} {graph:?}");
                before = most;
            }
            search.set_limits(Limits::new());
            assert_eq!(check_stopped(&mut search, &whole), None);
            assert!(search.costs().eq(whole.iter().copied()));
        }
        assert!(stops > 100);
    }
    check::<2>();
    check::<3>();
}

/// The limit is lowered and raised while the search is half done.
#[test]
fn paths_beyond_a_lowered_limit_are_passed_over() {
    fn check<const N: usize>() {
        let mut passed_over = [0; 2];
        for seed in 0..300 {
            let graph: Erased<'_, N> = &of_graph::<N>(seed);
            let whole: Vec<_> = Pareto::new(graph).search(0).front().unwrap().costs().collect();
            let mut search = Pareto::new(graph).limits(Limits::new().expansions(0)).search(0);
            let mut random = Random::new(seed);
            let token = CancelToken::new();
            for _ in 0..20 {
                let found: Vec<_> = search.costs().collect();
                let most = [0; N].map(|_: u32| random.below(25) as u32);
                let is_within = |cost: &[u32; N]| cost.dominates(most);
                let few = search.stats().expanded + random.below(4);
                let limits = Limits::new().cost(most).expansions(few).cancel(&token);
                search.set_limits(limits.clone());
                // It also ends before it goes on.
                token.cancel();
                check_stopped(&mut search, &whole);
                assert!(search.costs().all(|cost| is_within(&cost)));
                let beyond = found.iter().filter(|cost| !is_within(cost)).count();
                token.reset();
                let stopped = check_stopped(&mut search, &whole);
                if stopped.is_none() {
                    assert!(
                        whole.iter().all(is_within) && search.costs().eq(whole.iter().copied())
                    );
                    break;
                }
                assert!(search.costs().all(|cost| is_within(&cost)));
                assert!(
                    found
                        .iter()
                        .filter(|cost| is_within(cost))
                        .all(|&cost| { search.costs().any(|found| found == cost) })
                );
                passed_over[0] += u32::from(beyond > 0);
                passed_over[1] += u32::from(beyond > 0 && stopped == Some(StopReason::Cost));
            }
            search.set_limits(Limits::new());
            assert_eq!(check_stopped(&mut search, &whole), None);
            assert!(search.costs().eq(whole.iter().copied()));
            // An answer stays.
            search.set_limits(Limits::new().cost([0; N]));
            assert_eq!(check_stopped(&mut search, &whole), None);
            assert!(search.costs().eq(whole.iter().copied()));
            if let Some(&last) = whole.last() {
                let path = search.nth_path(whole.len() - 1).unwrap();
                assert_eq!(path.map(|path| path.cost()), Some(last));
            }
        }
        assert!(passed_over.iter().all(|&each| each > 30), "{passed_over:?}");
    }
    check::<2>();
    check::<3>();
}

#[test]
fn time_and_tokens_stop_it() {
    let endless = FnProblem::new(
        |&n: &u64| [(n + 1, [1_u32, 2]), (n + 2, [3, 1])],
        |_: &u64| [0, 0],
        |_: &u64| false,
    );
    let limits = Limits::new().time(Duration::from_millis(5));
    let front = Pareto::new(&endless).limits(limits).search(0).front().unwrap();
    assert_eq!(front.stopped(), Some(StopReason::Time));
    let token = CancelToken::new();
    token.cancel();
    let mut search = Pareto::new(&endless).limits(Limits::new().cancel(&token)).search(0);
    assert_eq!(search.front().unwrap().stopped(), Some(StopReason::Cancelled));
    token.reset();
    search.set_limits(Limits::new().cancel(&token).expansions(10));
    assert_eq!(search.front().unwrap().stopped(), Some(StopReason::Expansions));
}

#[test]
fn costs_near_the_maximum_give_the_front_or_an_error() {
    let (mut errors, mut fronts, mut spared) = (0, 0, 0);
    for seed in 0..rounds(800) {
        let graph = Graph::<u8, 2>::random(seed, 2 + (seed % 6) as u32, (80, 255, 12));
        let every = graph.front(&[(0, [0, 0])], f64::from);
        let fits = |cost: &&Vec<f64>| cost.iter().all(|&each| each <= 255.0);
        let expected: Vec<_> = every.iter().filter(fits).cloned().collect();
        // Whether a cost that does not fit belongs to a path that may be a part of one of the front.
        let is_needless = |cost: &Vec<f64>| {
            expected.iter().any(|found| found.iter().zip(cost).all(|(found, cost)| found <= cost))
        };
        let labels = graph.labels(&[(0, [0, 0])], f64::from);
        let matters = labels.iter().flatten().any(|cost| !fits(&cost) && !is_needless(cost));
        let mut search = Pareto::new(&graph).search(0);
        match search.front() {
            Ok(front) => {
                assert_eq!(numbers(front.costs()), every, "{graph:?}");
                check_paths(&graph, front.paths());
                assert_eq!(front.lower_bound(), [u8::MAX; 2], "none is missing in {graph:?}");
                assert!(!matters, "{graph:?}");
                fronts += 1;
                spared += u32::from(graph.edges.iter().any(|edge| edge.2.contains(&255)));
            }
            Err(error) => {
                assert!(matches!(error, SearchError::Overflow { .. }));
                assert!(matters, "{graph:?}");
                assert!(numbers(search.costs()).iter().all(|cost| expected.contains(cost)));
                errors += 1;
            }
        }
        match pareto(&graph, 0) {
            Ok(front) => assert_eq!(numbers(front.costs()), expected, "{graph:?}"),
            Err(error) => assert!(matches!(error, SearchError::Overflow { .. })),
        }
    }
    assert!(
        is_enough(errors, 20) && is_enough(fronts, 400) && is_enough(spared, 40),
        "{errors} {fronts} {spared}"
    );
}

#[test]
fn labels_that_a_label_of_their_state_dominates_may_be_too_large() {
    let run = |edges: &[(u32, u32, [u8; 2])], heuristic: &[[u8; 2]]| {
        let (edges, heuristic) = (edges.to_vec(), heuristic.to_vec());
        let graph = Graph { edges, nodes: 5, goals: vec![3], heuristic };
        let mut search = Pareto::new(&graph).search(0);
        let front = search.front().map(|front| (front.lower_bound(), front.into_paths().len()));
        // It stays the answer, or the error.
        assert_eq!(search.front().map(|front| front.len()), front.map(|(_, paths)| paths));
        front
    };
    let complete = |paths| Ok((<[u8; 2]>::INFINITY, paths));
    // The state 1 is reached at [1, 1], and by way of 2 at [300, 1].
    let edges = [(0, 1, [1, 1]), (0, 2, [100, 0]), (2, 1, [200, 1]), (1, 3, [1, 5])];
    assert_eq!(run(&edges, &[]), complete(1));
    // Of [1, 5] and [3, 2], only the former dominates [2, 300], and it dominates no label that fits once the latter is closed.
    let twice =
        [(0, 1, [1, 5]), (0, 1, [3, 2]), (0, 2, [1, 100]), (2, 1, [1, 200]), (1, 3, [9, 9])];
    assert_eq!(run(&twice, &[]), complete(2));
    // The f of the label [60, 1] of state 1 does not fit.
    let parallel = [(0, 1, [1, 1]), (0, 1, [60, 1]), (1, 3, [200, 5])];
    let heuristic = [[0, 0], [200, 0], [0, 0], [0, 0]];
    assert_eq!(run(&parallel, &heuristic), complete(1));
    // One that none dominates matters.
    let error = SearchError::Overflow { g: [100, 0], added: [200, 1] };
    let other = [&edges[..], &[(2, 4, [200, 0])]].concat();
    assert_eq!(run(&other, &[]), Err(error));
}

#[test]
fn floats_are_costs() {
    for seed in 0..rounds(200) {
        let graph = Graph::<f64, 2>::random(seed, 8, SMALL);
        let expected = graph.front(&[(0, [0.0, 0.0])], |cost| cost);
        for front in [Pareto::new(&graph).search(0).front(), pareto(&graph, 0)] {
            assert_eq!(numbers(front.unwrap().costs()), expected);
        }
    }
}

#[test]
fn steps_that_lie_by_any_criterion_are_errors() {
    let with = |cost: [f64; 2]| {
        let edges = vec![(0, 1, [1.0, 1.0]), (1, 2, cost)];
        let graph = Graph { edges, nodes: 3, goals: vec![2], heuristic: Vec::new() };
        let backwards = IdealPoint::of(&graph).build().map(|_| ());
        (
            Pareto::new(&graph).search(0).front().map(|_| ()),
            backwards,
            pareto(&graph, 0).map(|_| ()),
        )
    };
    let negative = |step, g| Err(SearchError::NegativeCost { g, step });
    assert_eq!(with([3.0, -2.0]).0, negative([3.0, -2.0], [1.0, 1.0]));
    assert_eq!(with([-2.0, 3.0]).0, negative([-2.0, 3.0], [1.0, 1.0]));
    assert_eq!(with([3.0, -2.0]).2, negative([0.0, -2.0], [0.0, 0.0]));
    let error = SearchError::NegativeCost { g: [0.0, 0.0], step: [0.0, -2.0] };
    assert_eq!(with([3.0, -2.0]).1, Err(IdealPointError::Search(error)));
    for cost in [[f64::NAN, 1.0], [1.0, f64::NAN]] {
        assert!(matches!(with(cost).0, Err(SearchError::NotANumber { .. })));
        assert!(matches!(with(cost).2, Err(SearchError::NotANumber { .. })));
    }
    assert_eq!(with([0.0, 0.0]), (Ok(()), Ok(()), Ok(())));
    // The heuristic, too.
    let edges = (0..3).map(|n| (n, n + 1, [1.0, 1.0])).collect();
    let lies = Graph { edges, nodes: 4, goals: vec![3], heuristic: vec![[f64::NAN, 0.0]; 4] };
    let error = Pareto::new(&lies).search(0).front().unwrap_err();
    assert!(matches!(error, SearchError::NotANumber { .. }));
    assert!(error.to_string().contains("NaN"));
}

#[test]
fn heuristics_that_lie_give_real_paths() {
    for seed in 0..rounds(300) {
        let mut graph = of_graph::<2>(seed);
        let mut random = Random::new(seed);
        graph.heuristic =
            (0..graph.nodes).map(|_| [0; 2].map(|_: u32| random.below(30) as u32)).collect();
        let front = Pareto::new(&graph as Erased<'_, 2>).search(0).front().unwrap();
        check_paths(&graph, front.paths());
        let costs: Vec<_> = front.costs().collect();
        for (place, cost) in costs.iter().enumerate() {
            let others = costs.iter().enumerate().filter(|&(other, _)| other != place);
            assert!(others.into_iter().all(|(_, other)| !other.dominates(*cost)));
        }
        assert!(costs.is_sorted());
    }
}

#[test]
fn fronts_may_be_exponential() {
    // In every layer either criterion doubles.
    let chain = FnProblem::new(
        |&n: &u32| [(n + 1, [1_u64 << n, 0]), (n + 1, [0, 1 << n])],
        |_: &u32| [0, 0],
        |&n: &u32| n == 10,
    );
    let front = Pareto::new(&chain).search(0).front().unwrap();
    assert!(front.costs().eq((0..1024).map(|cost| [cost, 1023 - cost])));
    assert!(front.paths().iter().all(|path| path.verify(&chain).is_ok() && path.len() == 10));
}

/// From some thousand states on, a hashed table finds states that are numbers by these.
#[test]
fn states_that_are_found_by_numbers_are_stored_once() {
    fn check<S: Copy + Eq + std::hash::Hash>(
        side: u32,
        cell: impl Fn(u32, u32) -> S,
        of: impl Fn(S) -> (u32, u32),
    ) {
        let grid = FnProblem::new(
            |&state: &S| {
                let (x, y) = of(state);
                let next = [(x + 1, y, [1_u32, 2]), (x, y + 1, [2, 1]), (x + 1, y + 1, [3, 3])];
                next.into_iter()
                    .filter(|&(x, y, _)| x < side && y < side)
                    .map(|(x, y, cost)| (cell(x, y), cost))
                    .collect::<Vec<_>>()
            },
            |_: &S| [0, 0],
            |&state: &S| of(state) == (side - 1, side - 1),
        );
        let mut search = Pareto::new(&grid).search(cell(0, 0));
        let front = search.front().unwrap();
        assert!(front.costs().eq([[3 * (side - 1); 2]]));
        // All paths to a cell cost the same, so each has one label, and no goal is expanded.
        let (stats, cells) = (search.stats(), u64::from(side * side));
        assert_eq!((stats.stored, stats.expanded), (cells, cells - 1));
    }
    check(120, |x, y| 120 * y + x, |n| (n % 120, n / 120));
    check(120, |x, y| (120 * y + x) as usize, |n| (n as u32 % 120, n as u32 / 120));
    check(120, |x, y| u64::from(120 * y + x), |n| (n as u32 % 120, n as u32 / 120));
    check(220, |x, y| (x, y), |cell| cell);
    check(
        220,
        |x, y| (x as i16, y as i16),
        |(x, y)| (x.unsigned_abs().into(), y.unsigned_abs().into()),
    );
}

#[test]
fn a_start_that_is_a_goal_dominates_all() {
    let ring = |goals: Vec<u32>| {
        let edges = vec![(0, 1, [1_u32, 0]), (1, 0, [0, 1]), (0, 0, [0, 0])];
        Graph { edges, nodes: 2, goals, heuristic: Vec::new() }
    };
    let front = Pareto::new(&ring(vec![0, 1]) as Erased<'_, 2>).search(0).front().unwrap();
    assert!(front.costs().eq([[0_u32, 0]]) && front.paths()[0].is_empty());
    let front = Pareto::new(&ring(vec![]) as Erased<'_, 2>).search(0).front().unwrap();
    assert!(front.is_empty() && front.is_complete());
    assert_eq!(front.lower_bound(), [u32::MAX; 2]);
    assert!(pareto(&ring(vec![]), 0).unwrap().is_empty());
    // Without a start there is nothing.
    let front = Pareto::new(&ring(vec![1]) as Erased<'_, 2>).search_from([]).front().unwrap();
    assert!(front.is_empty() && front.is_complete());
}

#[test]
fn limits_of_an_ideal_point_are_errors() {
    let graph = of_graph::<2>(3);
    let stopped = |limits| IdealPoint::of(&graph).limits(limits).build().map(|_| ()).unwrap_err();
    let expansions = stopped(Limits::new().expansions(1));
    assert_eq!(expansions, IdealPointError::Stopped(StopReason::Expansions));
    assert!(expansions.to_string().contains("expansions"));
    assert_eq!(stopped(Limits::new().memory(100)), IdealPointError::Stopped(StopReason::Memory));
}

#[test]
fn goals_of_an_ideal_point_are_listed_within_the_limits() {
    /// As many goals as are asked for.
    #[derive(Clone)]
    struct Everywhere<'g>(&'g std::cell::Cell<u32>);

    impl SearchProblem for Everywhere<'_> {
        type State = u32;
        type Action = ();
        type Cost = [u32; 2];

        fn successors(&self, _: &u32, _: &mut Successors<Self>) {}

        fn is_goal(&self, _: &u32) -> bool {
            true
        }
    }

    impl Reversible for Everywhere<'_> {
        fn predecessors(&self, _: &u32, _: &mut Successors<Self>) {}

        fn goals(&self) -> impl Iterator<Item = u32> {
            (0..10_000_000).inspect(|_| self.0.set(self.0.get() + 1))
        }
    }

    let asked = std::cell::Cell::new(0);
    let token = CancelToken::new();
    token.cancel();
    for (limits, reason, most) in [
        (Limits::new().memory(1 << 12), StopReason::Memory, 1 << 9),
        (Limits::new().cancel(&token), StopReason::Cancelled, 1),
    ] {
        asked.set(0);
        let fault = IdealPoint::of(Everywhere(&asked)).limits(limits).build().map(|_| ());
        assert_eq!(fault.unwrap_err(), IdealPointError::Stopped(reason));
        assert!(asked.get() <= most, "{}", asked.get());
    }
}

#[test]
fn it_is_told_of_every_solution_in_order() {
    #[derive(Default)]
    struct Told(Vec<[u32; 2]>, usize);
    impl Observer<u32, [u32; 2]> for Told {
        fn incumbent(&mut self, cost: [u32; 2], bound: [u32; 2]) {
            assert_eq!(cost, bound);
            self.0.push(cost);
        }
        fn expanded(&mut self, _: &u32, _: [u32; 2], _: [u32; 2]) {
            self.1 += 1;
        }
    }
    for seed in 0..rounds(100) {
        let graph = of_graph::<2>(seed);
        let mut told = Told::default();
        let front = Pareto::new(&graph).observer(&mut told).search(0).front().unwrap();
        assert!(front.costs().eq(told.0));
        assert_eq!(front.stats().expanded, told.1 as u64);
    }
}

#[test]
fn nothing_is_allocated_when_it_is_begun_anew() {
    let grid = FnProblem::new(
        |&(x, y): &(u32, u32)| {
            let cost = [1 + (x * 7 + y * 13) % 5, 1 + (x * 11 + y * 3) % 4];
            [((x + 1, y), cost), ((x, y + 1), [cost[1] + 1, cost[0]])]
        },
        |&(x, y)| if x > 28 || y > 28 { [u32::MAX; 2] } else { [0, 0] },
        |&place| place == (28, 28),
    );
    let mut search = Pareto::new(&grid).search((0, 0));
    let first = search.run().unwrap();
    assert!(first.stats.expanded > 3_000 && search.costs().len() > 20);
    search.restart((0, 0));
    let before = crate::counting::calls();
    let second = search.run().unwrap();
    let calls = crate::counting::calls() - before;
    assert_eq!(first.path(), second.path());
    assert_eq!(first.stats.expanded, second.stats.expanded);
    assert!(calls <= 24, "{calls}");
}
