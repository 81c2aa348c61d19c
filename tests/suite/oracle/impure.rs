//! Problems that answer otherwise at each call.

use std::time::{Duration, Instant};

use bestfirst::{Limits, Outcome, SearchError, StopReason};

use support::engines::{Listed, engines};
use support::hostile::{Hostile, PANICS, RandomCost, Unsteady, set_seed};
use support::panics::panics;
use support::random::{is_enough, rounds};

/// Every engine ends with a report or an error, within its limits, and can be restarted and run again.
fn run_all<C: RandomCost + Listed>(seed: u64) -> u64 {
    const MOST: u64 = 2000;
    let problem = Hostile::<C>::new();
    let mut paths = 0;
    for engine in engines() {
        set_seed(seed);
        let limits =
            || Limits::new().expansions(MOST).time(Duration::from_millis(100)).memory(64 << 20);
        let starts = vec![(Unsteady(1), C::ZERO), (Unsteady(2), C::ZERO)];
        let mut search = (engine.search)(&problem, limits(), starts.clone());
        for round in 0..3 {
            let began = Instant::now();
            let answer = search.run();
            assert!(began.elapsed() < Duration::from_secs(2), "seed {seed}, {}", engine.name);
            assert!(search.stats().expanded <= MOST, "seed {seed}, {}", engine.name);
            assert!(search.bytes() <= 64 << 20, "seed {seed}, {}", engine.name);
            match answer {
                Ok(report) => {
                    assert!(report.stats.peak_bytes <= 64 << 20);
                    if let Outcome::Stopped(reason) = report.outcome {
                        let allowed =
                            [StopReason::Expansions, StopReason::Time, StopReason::Memory];
                        assert!(allowed.contains(&reason), "{reason}");
                    }
                    paths += u64::from(report.path().is_some());
                }
                Err(SearchError::Panicked) => panic!("seed {seed}, {}", engine.name),
                Err(_) => {}
            }
            if round == 1 {
                // Going on after a stop, with more of everything, is no danger either.
                search.set_limits(limits().expansions(MOST).memory(32 << 20));
                let _ = search.step();
            }
            search.restart_from(starts.clone());
        }
    }
    paths
}

#[test]
fn problems_that_answer_otherwise_each_time_end_every_search() {
    let mut paths = 0;
    for seed in 0..rounds(240) {
        paths += run_all::<f64>(seed);
    }
    assert!(paths > 0, "no path was ever found");
}

/// The same with hash functions that panic now and then: the panic is that of the problem, and the search
/// can be restarted.
#[test]
fn problems_that_panic_now_and_then_end_every_search() {
    let problem = Hostile::<f64>::new();
    let mut panicked = 0;
    for seed in 0..rounds(20) {
        for engine in engines() {
            set_seed(seed);
            let limits = Limits::new().expansions(500).time(Duration::from_millis(100));
            let starts = vec![(Unsteady(1), 0.0)];
            let mut search = (engine.search)(&problem, limits, starts.clone());
            for _ in 0..4 {
                PANICS.set(true);
                let is_panic = panics(|| drop(search.run()));
                PANICS.set(false);
                if is_panic {
                    assert_eq!(search.run().err(), Some(SearchError::Panicked));
                    panicked += 1;
                }
                search.restart_from(starts.clone());
            }
            // In peace, it comes to an end.
            assert_ne!(search.run().err(), Some(SearchError::Panicked));
        }
    }
    assert!(is_enough(panicked, 500), "{panicked}");
}
