//! Problems that answer otherwise each time, and other faulty input: a search ends with an error or at
//! a limit. It neither panics nor runs on.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use bestfirst::{
    CancelToken, Cost, FnProblem, IdaStar, Limits, Outcome, Report, SearchError, StopReason,
};
use cpu_time::ThreadTime;
use support::engines::erased;
use support::erased::problem;
use support::random::{is_enough, rounds};

use support::hostile::{Hostile, PANICS, Pair, RandomCost, Unsteady, Wrapping, random, set_seed};
use support::panics::silence;

fn stopped<S, A, C>(report: &Report<S, A, C>) -> Option<StopReason> {
    if let Outcome::Stopped(reason) = report.outcome { Some(reason) } else { None }
}

/// No more pieces of work than these, and a few, are done between two checks of the limits.
const MOST_UNCHECKED: u64 = 1 << 13;

/// The heuristic rises with every call: no iteration ever expands a state. Such a search must stop at
/// a limit nevertheless.
#[test]
fn iterations_without_expansions_stop_at_limits() {
    for bytes in [0, 1000] {
        let calls = Cell::new(0_u64);
        let rising = problem(
            |&n: &u32| [(n + 1, 1_u64)],
            |_: &u32| calls.replace(calls.get() + 1),
            |_: &u32| false,
        );
        let search =
            |limits| IdaStar::new(&rising).transposition_table(bytes).limits(limits).search(0);
        // Others that use the machine take none of the time of this thread.
        let began = ThreadTime::now();
        let report = search(Limits::new().time(Duration::from_millis(20))).run().unwrap();
        assert_eq!(stopped(&report), Some(StopReason::Time));
        assert!(began.elapsed() < Duration::from_millis(200), "{:?}", began.elapsed());
        // No expansions are left, and none is ever made.
        let report = search(Limits::new().expansions(0)).run().unwrap();
        assert_eq!(stopped(&report), Some(StopReason::Expansions));
        let report = search(Limits::new().cost(calls.get() + 10_000)).run().unwrap();
        assert_eq!(stopped(&report), Some(StopReason::Cost));
        for steps in [false, true] {
            let token = CancelToken::new();
            let report = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(5));
                    token.cancel();
                });
                let mut search = search(Limits::new().cancel(&token));
                if steps { search.step().map(Option::unwrap) } else { search.run() }
            });
            assert_eq!(stopped(&report.unwrap()), Some(StopReason::Cancelled));
        }
    }
}

/// The evaluation of many starts is interrupted by limits, as is putting them on the stack.
#[test]
fn limits_are_checked_while_starts_are_evaluated() {
    const STARTS: u32 = 30_000;
    for after in [5000, u64::from(STARTS) + 5000] {
        let (token, calls) = (CancelToken::new(), Cell::new(0));
        let problem = problem(
            |&n: &u32| [(n, 1_u32)],
            |_: &u32| {
                if calls.replace(calls.get() + 1) == after {
                    token.cancel();
                }
                1
            },
            |&n: &u32| n == 0,
        );
        let limits = Limits::new().cancel(&token);
        let mut search =
            IdaStar::new(&problem).limits(limits).search_from((0..STARTS).map(|n| (n, 0)));
        assert_eq!(stopped(&search.run().unwrap()), Some(StopReason::Cancelled));
        let more = calls.get() - after;
        assert!(more < MOST_UNCHECKED + 10, "{more} evaluations after it was cancelled");
        // It continues as if it had not stopped, and needs no expansion.
        search.set_limits(Limits::new().expansions(0));
        let report = search.run().unwrap();
        let fresh = IdaStar::new(&problem).search_from((0..STARTS).map(|n| (n, 0))).run().unwrap();
        assert_eq!(report, fresh);
        assert_eq!((report.cost(), report.stats.evaluated), (Some(0), 2 * u64::from(STARTS)));
    }
}

/// Limits are checked while successors are pruned: by the table, or as states on the path.
#[test]
fn limits_are_checked_while_states_are_pruned() {
    for (bytes, cost) in [(0, 0), (1000, 0), (1000, 1)] {
        let (token, goal_tests) = (CancelToken::new(), Cell::new(0));
        let problem = problem(
            |&n: &u32| {
                let count = if n == 0 { 30_000 } else { 0 };
                std::iter::repeat_n((u32::from(cost > 0), cost), count)
            },
            |_: &u32| 0,
            |_: &u32| {
                if goal_tests.replace(goal_tests.get() + 1) == 5000 {
                    token.cancel();
                }
                false
            },
        );
        let builder = IdaStar::new(&problem).transposition_table(bytes);
        let mut search = builder.clone().limits(Limits::new().cancel(&token)).search(0);
        assert_eq!(stopped(&search.run().unwrap()), Some(StopReason::Cancelled));
        let more = goal_tests.get() - 5000;
        assert!(more < MOST_UNCHECKED + 10, "{more} states after it was cancelled");
        token.reset();
        let report = search.run().unwrap();
        assert_eq!(report.outcome, Outcome::Exhausted);
        assert_eq!(report, builder.search(0).run().unwrap());
    }
}

thread_local! {
    static TOKEN: CancelToken = CancelToken::new();
    static HASHES: Cell<u64> = const { Cell::new(0) };
}

/// At this hash the search is cancelled.
const CANCELLED_AT: u64 = 10;

/// A state that counts how often it is hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hashed(u32);

impl Hash for Hashed {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        HASHES.set(HASHES.get() + 1);
        if HASHES.get() == CANCELLED_AT {
            TOKEN.with(CancelToken::cancel);
        }
        self.0.hash(hasher);
    }
}

/// Limits are checked while a long path is left.
#[test]
fn limits_are_checked_while_a_path_is_left() {
    const LENGTH: u32 = 40_000;
    for avoids_cycles in [false, true] {
        let problem = FnProblem::new(
            |&Hashed(n): &Hashed| {
                if n == LENGTH {
                    // The path is left next: each of its states is hashed.
                    HASHES.set(0);
                }
                (n < LENGTH).then_some((Hashed(n + 1), u32::from(avoids_cycles)))
            },
            |&Hashed(n): &Hashed| if avoids_cycles { LENGTH - n } else { 0 },
            |_: &Hashed| false,
        );
        let mut builder = IdaStar::new(&problem);
        if avoids_cycles {
            builder = builder.avoid_cycles();
        }
        TOKEN.with(CancelToken::reset);
        HASHES.set(CANCELLED_AT);
        let limits = Limits::new().cancel(&TOKEN.with(Clone::clone));
        let mut search = builder.clone().limits(limits).search(Hashed(0));
        assert_eq!(stopped(&search.run().unwrap()), Some(StopReason::Cancelled));
        let more = HASHES.get() - CANCELLED_AT;
        assert!(more < MOST_UNCHECKED, "{more} after it was cancelled");
        TOKEN.with(CancelToken::reset);
        let report = search.run().unwrap();
        assert_eq!(report.outcome, Outcome::Exhausted);
        assert_eq!(report, builder.search(Hashed(0)).run().unwrap());
    }
}

/// Neither for its path, if actions have no size, nor for the number of states that were generated.
#[test]
fn the_states_of_a_solution_are_not_expanded_again() {
    for goal in [0, 1, 20, 300] {
        let expansions = Cell::new(0);
        let problem = problem(
            |&n: &u32| {
                expansions.set(expansions.get() + 1);
                // Two come before the one on the path, and three after it.
                [(n, 999), (n, 999), (n + 1, 1), (n, 999), (n, 999), (n, 999)]
            },
            |&n: &u32| goal - n.min(goal),
            |&n: &u32| n == goal,
        );
        let report = IdaStar::new(&problem).search(0).run().unwrap();
        assert_eq!((report.cost(), report.stats.expanded), (Some(goal), u64::from(goal)));
        assert_eq!(report.stats.generated, 3 * u64::from(goal));
        let in_layers: u64 = report.layers.iter().map(|layer| layer.generated).sum();
        assert_eq!(in_layers, report.stats.generated);
        // Once more for an action; where a recursion ended, its path was expanded again.
        if goal <= 20 {
            assert_eq!(expansions.get(), goal + u32::from(goal > 0));
        }
    }
}

/// A cost that cannot be compared with itself would be the bound of every following iteration.
#[test]
fn costs_that_cannot_be_compared_are_an_error() {
    let problem =
        problem(|&n: &u32| [(n + 1, Pair(1.0, f64::NAN))], |_: &u32| Pair::ZERO, |&n: &u32| n == 3);
    for bytes in [0, 1000] {
        let mut search = IdaStar::new(&problem).transposition_table(bytes).search(0);
        let error = search.run().unwrap_err();
        assert!(
            matches!(error, SearchError::NotANumber { value: Pair(_, nan), .. } if nan.is_nan())
        );
    }
}

/// Returns how many searches found something, ended otherwise, or ended with an error.
fn run_hostile<C: RandomCost>(seeds: std::ops::Range<u64>) -> [u32; 3] {
    let problem = Hostile::<C>::new();
    let p = erased(&problem);
    let mut ends = [0; 3];
    for seed in seeds {
        set_seed(seed);
        macro_rules! run {
            ($($search:expr),* $(,)?) => {$(
                let starts = (0..(seed % 20) as u8).map(|n| (Unsteady(n), random(C::random)));
                let mut search = $search.search_from(starts.collect::<Vec<_>>());
                for round in 0..6 {
                    let limits = match (seed + round) % 4 {
                        0 => Limits::new().expansions(seed % 1000),
                        1 => Limits::new().expansions(3000).memory(5000),
                        2 => Limits::new().expansions(3000).time(Duration::from_millis(2)),
                        _ => Limits::new().time(Duration::from_millis(2)),
                    };
                    search.set_limits(limits);
                    let before = Instant::now();
                    let run = || {
                        if round == 5 {
                            let _ = search.step();
                        }
                        search.run()
                    };
                    match catch_unwind(AssertUnwindSafe(run)) {
                        Ok(Ok(report)) => ends[usize::from(report.path().is_none())] += 1,
                        Ok(Err(_)) => ends[2] += 1,
                        Err(panic) => {
                            let planned = panic.downcast_ref() == Some(&"as planned");
                            assert!(PANICS.get() && planned, "seed {seed}, {}", stringify!($search));
                        }
                    }
                    let took = before.elapsed();
                    assert!(took < Duration::from_secs(1), "seed {seed}, {}", stringify!($search));
                    if round % 2 == 1 {
                        search.restart(Unsteady((round % 8) as u8));
                    }
                }
            )*};
        }
        run!(
            IdaStar::new(p),
            IdaStar::new(p).in_place(),
            IdaStar::new(p).avoid_cycles(),
            IdaStar::new(p).in_place().avoid_cycles(),
            IdaStar::new(p).transposition_table(1),
            IdaStar::new(p).transposition_table(5000).avoid_cycles(),
            IdaStar::new(p).in_place().transposition_table(3000),
        );
    }
    ends
}

#[test]
fn hostile_problems_end_at_a_limit_or_with_an_error() {
    let all = [
        run_hostile::<u32>(0..rounds(80)),
        run_hostile::<f64>(150..150 + rounds(80)),
        run_hostile::<Pair>(300..300 + rounds(80)),
        run_hostile::<Wrapping>(450..450 + rounds(80)),
    ];
    let sum = |kind: usize| all.iter().map(|ends| ends[kind]).sum::<u32>();
    assert!(is_enough(sum(0), 16) && is_enough(sum(1), 960) && is_enough(sum(2), 960), "{all:?}");
}

/// The same if hash functions panic: such a search can be restarted, and keeps to its memory.
#[test]
fn hashes_may_panic() {
    silence();
    PANICS.set(true);
    let ends = run_hostile::<u32>(1000..1000 + rounds(150));
    PANICS.set(false);
    assert!(is_enough(ends[1], 100), "{ends:?}");
}
