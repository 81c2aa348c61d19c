//! Limits, and what is reported when one is reached.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bestfirst::engine::DistributedError;
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{
    AStar, CancelToken, Distributed, FnProblem, Limits, Outcome, SearchError, StopReason,
};

use crate::workers::search;
use support::random::{Problem, Truth, Units};

#[test]
fn a_limit_on_the_cost_that_is_no_number_is_an_error() {
    let line = FnProblem::new(|&n: &u32| [(n + 1, 1.0_f64)], |_: &u32| 0.0, |&n: &u32| n == 5);
    let answer = Distributed::new(&line).limits(Limits::new().cost(f64::NAN)).workers(2).run(0);
    let Err(DistributedError::Search(fault)) = answer else { panic!("{answer:?}") };
    assert!(matches!(fault, SearchError::NotANumber { g: 0.0, value } if value.is_nan()));
}

#[test]
fn a_stop_at_every_expansion_is_exact_and_its_report_is_true() {
    for seed in 0..20 {
        let problem = Problem::<u32, u16>::random(seed, 12);
        if problem.graph.chain.is_some() {
            continue;
        }
        let Truth::Costs(units) = problem.graph.truth else { continue };
        let optimum = u32::of(units, problem.graph.scale);
        for workers in 1..=3 {
            let all = search(&problem, workers, Limits::new()).unwrap().stats.expanded;
            let ample = search(&problem, workers, Limits::new().expansions(2 * all + 100)).unwrap();
            assert_eq!(ample.cost(), Some(optimum));
            for most in 0..=all {
                let report = search(&problem, workers, Limits::new().expansions(most)).unwrap();
                assert!(report.lower_bound <= optimum);
                // Near the limit the workers share what is left, so they may need a few more or less.
                if let Outcome::Found(path) = &report.outcome {
                    assert_eq!(path.cost(), optimum, "seed {seed}");
                } else {
                    let outcome = Outcome::Stopped(StopReason::Expansions);
                    assert_eq!(report.outcome, outcome, "seed {seed}, {most} of {all}");
                    assert_eq!(report.stats.expanded, most);
                }
                assert!(report.stats.expanded <= most);
                if let Some(path) = report.path() {
                    assert_eq!(path.verify(&problem), Ok(()));
                    assert!(path.cost() >= optimum);
                }
            }
        }
    }
}

#[test]
fn a_limit_on_the_cost_is_exact() {
    let line =
        FnProblem::new(|&n: &u32| [(n + 1, 2_u32), (n + 3, 5)], |_: &u32| 0, |&n: &u32| n == 40);
    let best = AStar::new(&line).search(0).run().unwrap().cost().unwrap();
    for workers in 1..=3 {
        let run = |most| {
            Distributed::new(&line)
                .workers(workers)
                .limits(Limits::new().cost(most))
                .run(0)
                .unwrap()
        };
        assert_eq!(run(best).cost(), Some(best));
        let report = run(best - 1);
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost));
        assert!(report.lower_bound >= best - 1 && report.lower_bound <= best);
    }
}

#[test]
fn memory_is_limited() {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    let board: Board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3".parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    for workers in 1..=3 {
        let most = 4 << 20;
        let limits = Limits::new().memory(most);
        let report = Distributed::new(&puzzle).workers(workers).limits(limits).run(start).unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
        assert!(report.stats.peak_bytes <= most as u64 && report.lower_bound <= 57);
        assert!(report.stats.stored > 10_000);
    }
}

/// Where the frontier had no room for a start, a worker said that it had nothing to do.
#[test]
fn no_limit_on_memory_is_a_proof() {
    let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 4);
    for (workers, starts) in [(1, &[(0, 0)][..]), (2, &[(0, 0)]), (2, &[(0, 0), (2, 3), (3, 3)])] {
        for most in (0..).step_by(48) {
            let limits = Limits::new().memory(most);
            let search = Distributed::new(&line).workers(workers).limits(limits);
            let report = search.run_from(starts.iter().copied()).unwrap();
            if let Outcome::Found(path) = &report.outcome {
                assert!(path.cost() == 4 && most > 1000, "{workers} workers, {most} bytes");
                break;
            }
            let stopped = Outcome::Stopped(StopReason::Memory);
            assert_eq!(report.outcome, stopped, "{workers} workers, {most} bytes");
            assert!(report.lower_bound <= 4, "{workers} workers, {most} bytes: {report:?}");
        }
    }
}

/// A worker with no states in a layer did not know that the layer had been begun if the search ended with its first reports.
#[test]
fn every_worker_knows_the_layer_that_was_begun() {
    for start in 0..32_u32 {
        for most in [28_000, 30_000, 32_000, 36_000, 38_000] {
            let wide = FnProblem::new(
                move |&n: &u32| match n.checked_sub(start) {
                    Some(0) => [1, 2].map(|i| (start + i, 5_u32)).to_vec(),
                    Some(1..100) => (0..500).map(|i| (n * 1000 + i, 5)).collect(),
                    _ => Vec::new(),
                },
                |_: &u32| 0,
                |_: &u32| false,
            );
            let limits = Limits::new().memory(2 * most);
            let report = Distributed::new(&wide).workers(2).limits(limits).run(start).unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
            // Beyond the start there is one layer that has room.
            let bound = if report.stats.expanded > 1 { 5 } else { 0 };
            assert_eq!(report.lower_bound, bound, "{start}, {most}: {report:?}");
        }
    }
}

#[test]
fn time_and_token_stop_all_workers() {
    let endless =
        FnProblem::new(|&n: &u64| [(n + 1, 1_u64), (n * 3 + 1, 7)], |_: &u64| 0, |_: &u64| false);
    for workers in 1..=3 {
        let began = Instant::now();
        let limits = Limits::new().time(Duration::from_millis(50));
        let report = Distributed::new(&endless).workers(workers).limits(limits).run(0).unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
        assert!(began.elapsed() < Duration::from_secs(20));
        let token = CancelToken::new();
        token.cancel();
        let limits = Limits::new().cancel(&token);
        let report = Distributed::new(&endless).workers(workers).limits(limits).run(0).unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
    }
}

#[test]
fn a_token_is_heard_while_states_are_taken_in() {
    for workers in 1..=3 {
        let token = CancelToken::new();
        let evaluated = AtomicU32::new(0);
        let wide = FnProblem::new(
            |&n: &u32| (1..=if n == 0 { 200_000 } else { 0 }).map(|n| (n, 2_u32)),
            |&n: &u32| {
                if evaluated.fetch_add(1, Ordering::Relaxed) == 1000 {
                    token.cancel();
                }
                u32::from(n != 7)
            },
            |&n: &u32| n == 7,
        );
        let limits = Limits::new().cancel(&token);
        let report = Distributed::new(&wide).workers(workers).limits(limits).run(0).unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
        // A worker looks at the token after some thousand states at the latest.
        assert!(report.stats.evaluated < 60_000, "{}", report.stats.evaluated);
        // The goal may be among the states that were not taken in.
        assert!(report.lower_bound <= 2, "{}", report.lower_bound);
    }
}
