//! Several workers in one process, against the oracle.

use bestfirst::Encode;
use bestfirst::engine::DistributedError;
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AStar, Distributed, FnProblem, Limits, Outcome, Report, SearchError};

use support::engines::Answer;
use support::judge::{PATIENCE, Tally, check};
use support::random::{Edge, Problem, Random, Units, is_enough, rounds};

type AnswerOf<C> = Answer<u16, Edge, C>;

pub fn search<C: Units + Encode + Send + Sync>(
    problem: &Problem<C, u16>,
    workers: usize,
    limits: Limits<C>,
) -> AnswerOf<C> {
    let search = Distributed::new(problem).workers(workers).limits(limits);
    search.run_from(problem.starts()).map_err(|error| match error {
        DistributedError::Search(error) => error,
        other => panic!("{other}"),
    })
}

fn is_stopped<S, A, C>(report: &Report<S, A, C>) -> bool {
    matches!(report.outcome, Outcome::Stopped(_))
}

fn judge<C: Units + Encode + Send + Sync>(seed: u64, nodes: usize, tally: &mut Tally) {
    let problem = Problem::<C, u16>::random(seed, nodes);
    // A chain without end, through all workers, takes a round for nearly every state.
    let may_stop = problem.graph.chain.is_some();
    if may_stop && !seed.is_multiple_of(16) {
        return;
    }
    tally.problems += 1;
    let limits = if may_stop { Limits::new().expansions(PATIENCE) } else { Limits::new() };
    let expected = AStar::new(&problem).limits(limits.clone()).search_from(problem.starts()).run();
    for workers in 1..=3 {
        let answer = search(&problem, workers, limits.clone());
        check(&problem, &answer, 1.0, may_stop, tally);
        if let (Ok(answer), Ok(expected)) = (&answer, &expected)
            && !is_stopped(answer)
            && !is_stopped(expected)
        {
            assert_eq!(answer.cost(), expected.cost(), "seed {seed}, {workers} workers");
            assert_eq!(answer.lower_bound, expected.lower_bound, "seed {seed}, {workers} workers");
        }
        if seed.is_multiple_of(4) {
            assert_eq!(search(&problem, workers, limits.clone()), answer, "the same again");
        }
    }
}

#[test]
fn random_problems_have_the_cost_and_the_bound_of_one_thread() {
    let mut tally = Tally::default();
    for seed in 0..rounds(200) {
        judge::<u32>(seed, 12, &mut tally);
        judge::<u8>(seed, 40, &mut tally);
        judge::<f64>(seed, 20, &mut tally);
        judge::<i32>(seed, 60, &mut tally);
    }
    assert!(is_enough(tally.found, 320) && is_enough(tally.exhausted, 60), "{tally:?}");
    assert!(is_enough(tally.overflows, 2), "{tally:?}");
}

#[test]
fn a_goal_that_another_worker_improves_is_made_known() {
    // Node 4 is a goal at cost 7, and at 5 by node 3; node 5 is one at 6. The lines before make a round span several layers.
    let edges: [&[(u32, u32)]; 6] =
        [&[(1, 1)], &[(2, 3)], &[(4, 3), (3, 1)], &[(4, 0), (5, 1)], &[], &[]];
    for first in (0..6 * 64).step_by(6) {
        let problem = FnProblem::new(
            |&n: &u32| edges[(n - first) as usize].iter().map(|&(to, cost)| (first + to, cost)),
            |_: &u32| 0,
            |&n: &u32| n - first >= 4,
        );
        // Who owns which node depends on its number.
        let report = AStar::new(&problem).threads(2).search(first).run().unwrap();
        assert_eq!((report.cost(), report.lower_bound), (Some(5), 5), "shards, {first}");
        for workers in 1..=3 {
            let report = Distributed::new(&problem).workers(workers).run(first).unwrap();
            assert_eq!((report.cost(), report.lower_bound), (Some(5), 5), "{workers}, {first}");
        }
    }
}

/// Short lines with shortcuts, and several goals at the end, which are improved after they were found. A goal that is not made
/// known shows in one of some 750 of these problems, and in three of these seeds.
#[test]
fn goals_that_are_improved_late_are_found_at_their_cost() {
    for seed in 1_500..2_100 {
        let random = &mut Random::new(seed);
        let nodes = 6 + random.index(8);
        let goals = 2 + random.index(3);
        let edges: Vec<Vec<_>> = (0..nodes)
            .map(|node| {
                let step = |_| (node + 1 + random.index(3), random.below(16));
                (0..3).map(step).filter(|&(to, _)| to < nodes).collect()
            })
            .collect();
        let problem = FnProblem::new(
            |&node: &usize| edges[node].iter().copied(),
            |_: &usize| 0,
            |&node: &usize| node + goals >= nodes,
        );
        let expected = AStar::new(&problem).search(0).run().unwrap();
        let workers = if seed % 2 == 0 { 2 } else { 3 };
        let report = Distributed::new(&problem).workers(workers).run(0).unwrap();
        assert_eq!(report.cost(), expected.cost(), "seed {seed}");
        assert_eq!(report.lower_bound, expected.lower_bound, "seed {seed}");
    }
}

#[test]
fn a_puzzle_has_the_report_of_one_thread() {
    let puzzle = SlidingTiles::<Packed>::new(3, 3).unwrap();
    let board: Board = "8 7 6 0 4 1 2 5 3".parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    let expected = AStar::new(&puzzle).search(start).run().unwrap();
    for workers in 1..=3 {
        let report = Distributed::new(&puzzle).workers(workers).run(start).unwrap();
        assert_eq!(report.path().unwrap().verify(&puzzle), Ok(()));
        assert_eq!((report.cost(), report.lower_bound), (Some(31), 31));
        assert!(
            report.stats.peak_frontier > 100 && report.stats.peak_frontier < report.stats.stored
        );
        let before_last = report.stats.expanded_before_last_layer;
        assert_eq!(before_last, expected.stats.expanded_before_last_layer, "{workers} workers");
        let wide = Distributed::new(&puzzle).workers(workers).wide_ids().run(start).unwrap();
        assert_eq!(wide.outcome, report.outcome);
        let mut shown = Vec::new();
        let search = Distributed::new(&puzzle).workers(workers);
        let again = search.on_progress(|now| shown.push(now.lower_bound)).run(start).unwrap();
        assert_eq!(again, report);
        assert!(shown.is_sorted() && shown.last() == Some(&31), "{shown:?}");
    }
}

#[test]
fn costs_without_buckets_are_no_layers() {
    // Pairs can only be compared.
    let grid = FnProblem::new(
        |&(x, y): &(u8, u8)| {
            let right = (x < 9).then(|| ((x + 1, y), (u16::from(y % 3), 1_u16)));
            let down = (y < 9).then(|| ((x, y + 1), (u16::from(x % 2), 2_u16)));
            right.into_iter().chain(down)
        },
        |_: &(u8, u8)| (0_u16, 0_u16),
        |&place: &(u8, u8)| place == (9, 9),
    );
    let expected = AStar::new(&grid).search((0, 0)).run().unwrap();
    for workers in 1..=3 {
        let report = Distributed::new(&grid).workers(workers).run((0, 0)).unwrap();
        assert_eq!(report.cost(), expected.cost());
        assert_eq!(report.lower_bound, expected.lower_bound);
    }
}

#[test]
fn a_state_without_bytes_is_a_state() {
    let single = FnProblem::new(|&(): &()| [((), 1_u8)], |&(): &()| 0, |&(): &()| true);
    let report = Distributed::new(&single).workers(2).run(()).unwrap();
    assert_eq!((report.cost(), report.path().unwrap().len()), (Some(0), 0));
}

#[test]
fn without_a_solution_the_closest_state_is_reported() {
    let line = FnProblem::new(
        |&n: &u32| (n < 50).then_some((n + 1, 1_u32)),
        |&n: &u32| 100 - n,
        |&n: &u32| n == 100,
    );
    for workers in 1..=3 {
        let report = Distributed::new(&line).workers(workers).run(0).unwrap();
        assert_eq!(report.outcome, Outcome::Exhausted);
        assert_eq!(report.lower_bound, u32::MAX);
        let closest = report.closest().unwrap();
        assert_eq!((*closest.end(), closest.cost()), (50, 50));
    }
}

#[test]
fn a_heuristic_that_lies_leads_to_a_real_path_and_proves_nothing() {
    let line = FnProblem::new(
        |&n: &u32| [(n + 1, 3_u32), (n + 5, 20)],
        |&n: &u32| if n % 5 == 0 { 0 } else { 500 },
        |&n: &u32| n == 20,
    );
    let expected = AStar::new(&line).search(0).run().unwrap();
    for workers in 1..=3 {
        let report = Distributed::new(&line).workers(workers).run(0).unwrap();
        let path = report.path().unwrap();
        assert_eq!(path.verify(&line), Ok(()));
        assert_eq!((report.cost(), report.lower_bound), (expected.cost(), expected.lower_bound));
    }
}

/// Stopped anywhere, a search with such a heuristic has a path that costs no less than its bound.
#[test]
fn a_heuristic_that_lies_has_no_bound_above_its_path() {
    let mut stops = 0;
    for seed in 0..rounds(120) {
        let mut problem = Problem::<u32, u16>::long(seed, 10);
        let mut random = Random::new(seed);
        problem.h.iter_mut().for_each(|h| *h = u32::try_from(random.below(40)).unwrap());
        for workers in 1..=2 {
            for most in 0.. {
                let limits = Limits::new().expansions(most);
                let report = search(&problem, workers, limits).unwrap();
                if let Some(path) = report.path() {
                    assert_eq!(path.verify(&problem), Ok(()));
                    let (bound, cost) = (report.lower_bound, path.cost());
                    assert!(
                        bound <= cost,
                        "seed {seed}, {workers} workers, {most} expansions: {bound} of {cost}"
                    );
                }
                if !is_stopped(&report) {
                    break;
                }
                stops += u64::from(report.path().is_some());
            }
        }
    }
    assert!(is_enough(stops, 10), "{stops}");
}

#[test]
fn a_negative_cost_is_an_error_in_every_worker() {
    let bad = FnProblem::new(
        |&n: &i32| [(n + 1, if n == 30 { -4 } else { 1 })],
        |_: &i32| 0,
        |&n: &i32| n == 99,
    );
    for workers in 1..=3 {
        let error = Distributed::new(&bad).workers(workers).run(0).unwrap_err();
        let DistributedError::Search(error) = error else { panic!("{error}") };
        assert_eq!(error, SearchError::NegativeCost { g: 30, step: -4 });
    }
}

#[test]
fn a_start_of_negative_cost_or_no_number_is_the_error_of_one_thread() {
    let line = FnProblem::new(|&n: &u8| [(n + 1, 1_i32)], |_: &u8| 0, |&n: &u8| n == 9);
    let real = FnProblem::new(|&n: &u8| [(n + 1, 1_f64)], |_: &u8| 0.0, |&n: &u8| n == 9);
    for workers in 1..=3 {
        // Whichever worker owns it.
        for bad in 0..4 {
            let starts = (0..4).map(|n| (n, if n == bad { -1 } else { 2 }));
            let expected = AStar::new(&line).search_from(starts.clone()).run().unwrap_err();
            let error = Distributed::new(&line).workers(workers).run_from(starts).unwrap_err();
            let DistributedError::Search(error) = error else { panic!("{error}") };
            assert_eq!(error, expected);
            assert_eq!(error, SearchError::NegativeCost { g: 0, step: -1 });
            let starts = (0..4).map(|n| (n, if n == bad { f64::NAN } else { 2.0 }));
            let expected = AStar::new(&real).search_from(starts.clone()).run().unwrap_err();
            let error = Distributed::new(&real).workers(workers).run_from(starts).unwrap_err();
            let DistributedError::Search(error) = error else { panic!("{error}") };
            assert!(matches!(error, SearchError::NotANumber { .. }), "{error}");
            assert_eq!(error.to_string(), expected.to_string());
        }
    }
}
