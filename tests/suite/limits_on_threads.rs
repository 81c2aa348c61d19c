//! Searches on several threads end at every limit on the memory, and go on when it is raised.
#![cfg(feature = "parallel")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use bestfirst::engine::Engine;
use bestfirst::{
    AStar, Beam, CancelToken, Cost, Dijkstra, ExternalAStar, FnProblem, IdaStar, Limits, Outcome,
    Search, SearchError, SearchProblem, StopReason,
};

/// No test takes as long, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(300);

/// Fails if `test` has not ended after a long time.
fn ends(test: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = mpsc::channel::<()>();
    let thread = thread::spawn(move || {
        test();
        drop(sender);
    });
    let ended = receiver.recv_timeout(PATIENCE);
    assert_eq!(ended, Err(mpsc::RecvTimeoutError::Disconnected), "it hangs");
    thread.join().unwrap();
}

/// Small problems with several starts, two ways to many states, and free steps.
fn problems() -> [impl SearchProblem<State = u32, Action = (), Cost = u32> + Send + Sync; 2] {
    [(1, 40), (0, 21)].map(|(step, goal)| {
        FnProblem::new(
            move |&n: &u32| [(n + 1, 1_u32), (n ^ 1, 3), (n ^ 4, step), (n % 64 * 2, 2)],
            move |&n: &u32| goal / 8_u32.max(n) / 8,
            move |&n: &u32| n == goal,
        )
    })
}

/// Runs a search in memory from 0 bytes on, until it is enough: up to 12 kB with `step` bytes more each time, then with 8
/// at least, and from 14 kB on with a twentieth. It must end, and find the cost of a search without limits when the limit
/// is raised. Returns how often it was stopped.
fn every_limit<E>(search: impl Fn(Limits<u32>) -> Search<E>, step: usize) -> u32
where
    E: Engine<State = u32, Action = (), Cost = u32>,
{
    let expected = search(Limits::new()).run().unwrap().cost();
    assert!(expected.is_some());
    let (mut bytes, mut stops) = (0, 0);
    loop {
        let mut search = search(Limits::new().memory(bytes));
        let report = search.run().unwrap();
        assert!(search.bytes() <= bytes);
        if report.outcome != Outcome::Stopped(StopReason::Memory) {
            assert_eq!(report.cost(), expected, "{bytes} bytes");
            return stops;
        }
        assert!(expected.is_some_and(|cost| report.lower_bound <= cost), "{bytes} bytes");
        // It stops again, and then goes on.
        let again = search.run().unwrap();
        assert_eq!(again.outcome, report.outcome, "{bytes} bytes");
        search.set_limits(Limits::new().memory(bytes + 1000));
        let further = search.run().unwrap();
        assert!(further.stats.expanded >= report.stats.expanded, "{bytes} bytes");
        search.set_limits(Limits::new());
        assert_eq!(search.run().unwrap().cost(), expected, "{bytes} bytes");
        stops += 1;
        bytes += match bytes {
            0..12_000 => step,
            12_000..14_000 => step.max(8),
            _ => bytes / 20,
        };
    }
}

/// Searches of all kinds at limits that rise by these steps, for the problems on one thread and on two. Returns how often
/// they were stopped.
fn limits_that_rise(on_one: [usize; 2], on_two: usize) -> u32 {
    let mut stops = 0;
    for (problem, step) in problems().into_iter().zip(on_one) {
        for (threads, step) in [(1, step), (2, on_two)] {
            let starts = || [(0, 0), (9, 2)];
            let dijkstra = |limits| {
                Dijkstra::new(&problem).limits(limits).threads(threads).search_from(starts())
            };
            let a_star =
                |limits| AStar::new(&problem).limits(limits).threads(threads).search_from(starts());
            stops += every_limit(dijkstra, step) + every_limit(a_star, step);
        }
    }
    println!("{stops} stops");
    stops
}

#[test]
fn limits_on_the_memory_end_a_search_on_shards() {
    ends(|| {
        let stops = limits_that_rise([191, 211], 577);
        assert!(stops > 150, "{stops}");
    });
}

/// The same, byte by byte.
#[test]
#[ignore = "takes minutes: cargo test --all-features --test suite -- --ignored limits_on_threads"]
fn every_limit_on_the_memory_ends_a_search_on_shards() {
    ends(|| {
        let stops = limits_that_rise([1, 3], 7);
        assert!(stops > 10_000, "{stops}");
    });
}

/// What shards took in a round that ended with an error was in no account until the search was begun anew.
#[test]
fn what_is_held_after_an_error_on_shards_is_known() {
    ends(|| {
        let problem =
            FnProblem::new(|&n: &u32| [(n + 1, f64::NAN)], |_: &u32| 0.0, |_: &u32| false);
        for threads in [1, 2] {
            let mut search = Dijkstra::new(&problem).threads(threads).search(0);
            let error = search.run().unwrap_err();
            assert!(matches!(error, SearchError::NotANumber { .. }), "{error}");
            let bytes = search.bytes();
            search.restart(0);
            search.set_limits(Limits::new().memory(0));
            // Nothing is added, whether it comes to the error again or not.
            let _ = search.run();
            assert_eq!(search.bytes(), bytes);
        }
    });
}

/// Pairs of floats, of which only a part can be compared.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Pair(f64, f64);

impl Cost for Pair {
    const ZERO: Self = Self(0.0, 0.0);
    const INFINITY: Self = Self(f64::INFINITY, f64::INFINITY);

    fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self(self.0 + other.0, self.1 + other.1))
    }
}

/// A number that depends on three others, and looks as if it did not.
fn mixed(a: u32, b: u32, c: u32) -> u32 {
    let word = (a ^ b.rotate_left(11) ^ c.rotate_left(22)).wrapping_mul(0x9E37_79B9);
    let word = (word ^ word >> 15).wrapping_mul(0x85EB_CA6B);
    (word ^ word >> 13).wrapping_mul(0xC2B2_AE35) >> 7
}

/// Costs without an order are an error where they are noticed, and no search goes on for ever.
#[test]
fn costs_without_an_order_end_a_search_on_shards() {
    ends(|| {
        // The last is not even comparable with zero, and rare.
        let costs = [(1.0, 1.0), (1.0, f64::NAN), (1.0, 0.0), (2.0, f64::NAN), (0.0, f64::NAN)]
            .map(|(first, second)| Pair(first, second));
        let pick = |number: u32| costs[(number % 129 / 32) as usize];
        let (mut found, mut failed) = (0, 0);
        for seed in 0..800 {
            let problem = FnProblem::new(
                |&n: &u32| {
                    [0, 1, 2].map(|i| {
                        (mixed(seed, n, i) % (20 + seed % 200), pick(mixed(seed, n, 10 + i)))
                    })
                },
                |&n: &u32| if seed % 2 == 0 { Pair::ZERO } else { pick(mixed(seed, n, 20)) },
                |&n: &u32| mixed(seed, n, 30).is_multiple_of(5),
            );
            let dijkstra = Dijkstra::new(&problem).threads(1).search(0).run().map(drop);
            for result in [dijkstra, AStar::new(&problem).threads(2).search(0).run().map(drop)] {
                found += u32::from(result.is_ok());
                failed += u32::from(matches!(result, Err(SearchError::NotANumber { .. })));
            }
        }
        println!("{found} {failed}");
        assert!(found > 30 && failed > 30);
    });
}

/// Whatever number of threads is asked for, there is a most, and 0 stands for the number of processors.
#[test]
fn any_number_of_threads_may_be_asked_for() {
    ends(|| {
        let [problem, _] = problems();
        let cost = Dijkstra::new(&problem).search(0).run().unwrap().cost();
        for count in [0, 1, usize::MAX] {
            let costs = [
                Dijkstra::new(&problem).threads(count).search(0).run().unwrap().cost(),
                ExternalAStar::new(&problem).threads(count).search(0).run().unwrap().cost(),
                IdaStar::new(&problem).threads(count).search(0).run().unwrap().cost(),
                Beam::new(&problem).threads(count).search(0).run().unwrap().cost(),
            ];
            assert_eq!(costs, [cost; 4], "{count}");
        }
    });
}

/// Shards that had been worked on with one that was put away were all counted, however few expansions were allowed since.
#[test]
fn a_search_on_disk_that_was_cancelled_expands_no_more_than_it_may() {
    const LEAVES: u32 = 1 << 17;
    for until in (70_000..110_000).step_by(4_001) {
        let (token, left) = (CancelToken::new(), AtomicU32::new(until));
        let tree = FnProblem::new(
            |&n: &u32| {
                if left.fetch_sub(1, Ordering::Relaxed) == 1 {
                    token.cancel();
                }
                (n < LEAVES).then(|| [(2 * n, 1_u32), (2 * n + 1, 1)]).into_iter().flatten()
            },
            |_: &u32| 0,
            |_: &u32| false,
        );
        let mut search = ExternalAStar::new(&tree).threads(2).search(1);
        search.set_limits(Limits::new().cancel(&token));
        let before = search.run().unwrap();
        assert_eq!(before.outcome, Outcome::Stopped(StopReason::Cancelled));
        for allowed in 1..4 {
            let most = before.stats.expanded + allowed;
            search.set_limits(Limits::new().expansions(most));
            assert_eq!(search.run().unwrap().stats.expanded, most, "cancelled at {until}");
        }
        search.set_limits(Limits::new());
        let all = search.run().unwrap();
        assert_eq!(all.stats.expanded, u64::from(2 * LEAVES - 1));
    }
}
