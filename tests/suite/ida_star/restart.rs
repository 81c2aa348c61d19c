//! Restarted searches: the report is that of a fresh search, whatever the search did before.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bestfirst::problems::sliding_tiles::{Board, SlidingTiles, Tracked};
use bestfirst::{
    IdaStar, Limits, Observer, Outcome, Report, SearchError, SearchProblem, StopReason,
};
use support::erased::problem;
use support::random::{is_enough, rounds};

use support::engines::erased;
use support::panics::silence;
use support::random::{Problem, Units};

/// The report without its bytes: a restarted search has the memory of the one before.
fn without_bytes<S, A, C, E>(mut answer: Result<Report<S, A, C>, E>) -> Result<Report<S, A, C>, E> {
    if let Ok(report) = &mut answer {
        report.stats.peak_bytes = 0;
    }
    answer
}

/// Restarts every kind of search with every pair of neighbouring problems. Returns how many of the
/// previous searches were stopped, ended with an error, or ended otherwise.
fn compare<C: Units>(seeds: std::ops::Range<u64>) -> [u32; 3] {
    let mut ends = [0; 3];
    for seed in seeds {
        let problem = &Problem::<C, u32>::random(seed, 12);
        let other = &Problem::<C, u32>::random(seed + 1, if seed % 3 == 0 { 40 } else { 12 });
        let starts = |problem: &Problem<C, u32>| {
            let starts = problem.starts();
            if starts.is_empty() { vec![(0, C::ZERO)] } else { starts }
        };
        let limits = || Limits::new().expansions(500);
        let (p, q) = (erased(problem), erased(other));
        macro_rules! compare {
            ($($search:expr),* $(,)?) => {$(
                let name = format!("seed {seed}, {}", stringify!($search));
                let search = |problem| ($search)(IdaStar::new(problem)).limits(limits());
                let mut reused = search(p).search_from(starts(problem));
                // Mostly in the middle of an iteration.
                reused.set_limits(Limits::new().expansions(seed % 8));
                match reused.run() {
                    Ok(report) if matches!(report.outcome, Outcome::Stopped(_)) => ends[0] += 1,
                    Err(_) => ends[1] += 1,
                    Ok(_) => ends[2] += 1,
                }
                reused.set_limits(limits());
                let fresh = without_bytes(search(p).search_from(starts(problem)).run());
                reused.restart_from(starts(problem));
                assert_eq!(without_bytes(reused.run()), fresh, "{name}");
                // More starts than before.
                let many: Vec<_> = (0..9).flat_map(|_| starts(problem)).collect();
                let fresh = without_bytes(search(p).search_from(many.clone()).run());
                reused.restart_from(many);
                assert_eq!(without_bytes(reused.run()), fresh, "{name}, many starts");
                reused.restart_from([]);
                let none = reused.run().unwrap();
                assert_eq!(none.outcome, Outcome::Exhausted, "{name}, no start");
                assert_eq!((none.stats.expanded, none.stats.stored), (0, 0));
                // Another problem.
                let start = starts(other)[0].0;
                let fresh = without_bytes(search(q).search(start).run());
                reused.restart_with(q, start);
                assert_eq!(without_bytes(reused.run()), fresh, "{name}, another problem");
            )*};
        }
        compare!(
            |search: IdaStar<_>| search,
            |search: IdaStar<_>| search.in_place(),
            |search: IdaStar<_>| search.avoid_cycles(),
            |search: IdaStar<_>| search.in_place().avoid_cycles(),
            |search: IdaStar<_>| search.transposition_table(1),
            |search: IdaStar<_>| search.transposition_table(1 << 12),
            |search: IdaStar<_>| search.in_place().transposition_table(700).avoid_cycles(),
        );
    }
    ends
}

#[test]
fn restarted_searches_report_what_fresh_ones_do() {
    let all = [
        compare::<u32>(36..36 + rounds(100)),
        compare::<u8>(336..336 + rounds(100)),
        compare::<f64>(636..636 + rounds(100)),
    ];
    for (kind, least) in [(0, 166), (1, 3), (2, 333)] {
        let count: u32 = all.iter().map(|ends| ends[kind]).sum();
        assert!(is_enough(count, least), "{all:?}");
    }
}

/// A search with an observer goes over the stack, one without by recursion.
#[test]
fn recursion_counts_what_the_stack_counts() {
    struct Deaf;
    impl<S, C> Observer<S, C> for Deaf {}

    let mut dead_ends = 0;
    for seed in 0..rounds(460) {
        let problem = &Problem::<i32, u32>::random(seed, 12);
        for most in [1, 2, 3, 5, 8, 21, 500] {
            let builder =
                || IdaStar::new(erased(problem)).in_place().limits(Limits::new().expansions(most));
            let plain = without_bytes(builder().search_from(problem.starts()).run());
            let watched = builder().observer(Deaf).search_from(problem.starts()).run();
            assert_eq!(plain, without_bytes(watched), "seed {seed}, {most} expansions");
            dead_ends += plain.map_or(0, |report| report.stats.dead_ends);
        }
    }
    assert!(is_enough(dead_ends, 1000), "{dead_ends}");
}

/// Large searches, stopped in the middle of an iteration. The memory is used again.
#[test]
fn puzzles_are_solved_after_a_restart() {
    let puzzle = SlidingTiles::<Tracked>::new(4, 4).unwrap();
    let start = |tiles: &str| puzzle.state(&tiles.parse::<Board>().unwrap()).unwrap();
    let first = start("14 13 4 11 15 8 6 9 0 7 3 1 2 10 12 5");
    let second = start("0 1 2 5 4 10 6 3 11 13 12 7 9 8 14 15");
    for bytes in [0, 1 << 16] {
        let builder = IdaStar::new(&puzzle).in_place().transposition_table(bytes);
        let fresh = without_bytes(builder.clone().search(second).run());
        let mut search = builder.limits(Limits::new().expansions(20_003)).search(first);
        let report = search.run().unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
        let held = search.bytes();
        search.set_limits(Limits::new());
        search.restart(second);
        assert_eq!(search.bytes(), held);
        assert_eq!(without_bytes(search.run()), fresh);
        // There may be more iterations than before, and a longer path.
        assert!(search.bytes() - held < 8000);
    }
}

/// After errors and panics, a search can be restarted, and nothing of the previous search is left.
#[test]
fn errors_and_panics_are_forgotten() {
    // 100 states on, a step costs less than nothing, or the problem panics.
    let panics = Cell::new(false);
    let problem = problem(
        |&n: &u32| {
            assert!(n != 100 || !panics.get(), "as planned");
            [(n + 1, 0_i32), (1_000_000 + n, if n == 100 { -1 } else { 1 })]
        },
        |_: &u32| 0,
        |&n: &u32| n == 300,
    );
    silence();
    for bytes in [0, 1 << 16] {
        for avoids_cycles in [false, true] {
            let mut builder = IdaStar::new(&problem).transposition_table(bytes);
            if avoids_cycles {
                builder = builder.avoid_cycles();
            }
            let fresh = without_bytes(builder.clone().search(200).run());
            let mut search = builder.search(0);
            for _ in 0..3 {
                assert_eq!(search.run(), Err(SearchError::NegativeCost { g: 0, step: -1 }));
                search.restart(200);
                assert_eq!(without_bytes(search.run()), fresh);
                panics.set(true);
                search.restart(0);
                assert!(catch_unwind(AssertUnwindSafe(|| search.run())).is_err());
                assert_eq!(search.run(), Err(SearchError::Panicked));
                search.restart_with(&problem, 200);
                assert_eq!(without_bytes(search.run()), fresh);
                panics.set(false);
                search.restart(0);
            }
        }
    }
}

/// The observer stays, and is told of the new search what it would be told of a fresh one.
#[test]
fn the_observer_is_told_of_the_new_search() {
    #[derive(Debug, Default, PartialEq)]
    struct Counts(u64, u64, u64);
    impl<S, C> Observer<S, C> for Counts {
        fn expanded(&mut self, _: &S, _: C, _: C) {
            self.0 += 1;
        }
        fn generated(&mut self, _: Option<&S>, _: &S, _: C) {
            self.1 += 1;
        }
        fn layer(&mut self, _: &bestfirst::Layer<C>) {
            self.2 += 1;
        }
    }
    fn counts<P: SearchProblem<State = u32>>(problem: &P) {
        let mut fresh = IdaStar::new(problem).observer(Counts::default()).search(3);
        let report = without_bytes(fresh.run());
        let limits = Limits::new().expansions(7);
        let mut search = IdaStar::new(problem).observer(Counts::default()).limits(limits).search(1);
        assert!(matches!(search.run(), Ok(report) if report.path().is_none()));
        search.set_limits(Limits::new());
        *search.observer() = Counts::default();
        search.restart(3);
        assert_eq!(without_bytes(search.run()).is_ok(), report.is_ok());
        assert_eq!(search.observer(), fresh.observer());
    }
    counts(&problem(
        |&n: &u32| [(n + 1, 1_u32), (n * 2, 1)],
        |&n: &u32| u32::from(n != 100),
        |&n: &u32| n == 100,
    ));
}
