//! IDA* on several threads: the same answers, the same counts, the same limits as on one.

use std::collections::HashSet;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use bestfirst::clock::Clock;
use bestfirst::engine::InPlace;
use bestfirst::problems::sliding_tiles::Tracked;
use bestfirst::{
    AStar, CancelToken, Deepening, FnProblem, IdaStar, InPlaceProblem, Layer, Limits, Observer,
    Outcome, Report, SearchError, SearchProblem, StopReason, Successors,
};

use support::fifteen::{EASY, fifteen};
use support::hostile::{Hostile, Pair, RandomCost, Unsteady, Wrapping, random, set_seed};
use support::judge::{PATIENCE, Tally, check};
use support::mesh::{Chain, Mesh};
use support::panics::silence;
use support::random::{Clashing, Name, Problem, Units, is_enough, rounds};

/// All of a report that must not depend on how many threads there were.
fn whatever_threads<S, A, C, E>(
    mut answer: Result<Report<S, A, C>, E>,
) -> Result<Report<S, A, C>, E> {
    if let Ok(report) = &mut answer {
        report.stats.peak_bytes = 0;
        report.stats.stored = 0;
    }
    answer
}

/// A problem that is slow enough to keep several threads busy, and that records their ids.
struct Slow<P> {
    problem: P,
    /// Extra work of every goal test, in rounds of an empty loop.
    work_rounds: AtomicU32,
    /// After this many goal tests, one panics.
    tests_to_panic: AtomicI64,
    seen: Mutex<HashSet<ThreadId>>,
}

impl<P> Slow<P> {
    fn new(problem: P, work_rounds: u32) -> Self {
        let (tests_to_panic, seen) = (AtomicI64::new(i64::MAX), Mutex::new(HashSet::new()));
        Self { problem, work_rounds: AtomicU32::new(work_rounds), tests_to_panic, seen }
    }

    fn threads_seen(&self) -> usize {
        std::mem::take(&mut *self.seen.lock().unwrap()).len()
    }
}

impl<P: SearchProblem> SearchProblem for Slow<P> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn successors(&self, state: &P::State, next: &mut Successors<Self>) {
        self.problem.successors(state, next);
    }
    fn heuristic(&self, state: &P::State) -> P::Cost {
        self.problem.heuristic(state)
    }
    fn is_goal(&self, state: &P::State) -> bool {
        let rounds = self.work_rounds.load(Ordering::Relaxed);
        for i in 0..rounds {
            std::hint::black_box(i);
        }
        let left = self.tests_to_panic.fetch_sub(1, Ordering::Relaxed);
        assert!(left != 0, "as planned");
        if left < 0 && left % 64 == 0 {
            // The other threads are slow from then on: the test counts how long they continue.
            thread::sleep(Duration::from_micros(50));
        }
        if rounds > 0 {
            self.seen.lock().unwrap().insert(thread::current().id());
            if left % 16 == 0 {
                // Yields to other threads where there is only one processor.
                thread::sleep(Duration::from_nanos(1));
            }
        }
        self.problem.is_goal(state)
    }
}

impl<P: InPlaceProblem> InPlaceProblem for Slow<P> {
    type Actions = P::Actions;
    type Undo = P::Undo;

    fn actions(&self, state: &P::State) -> P::Actions {
        self.problem.actions(state)
    }
    fn apply(&self, state: &mut P::State, action: &P::Action) -> (P::Cost, P::Undo) {
        self.problem.apply(state, action)
    }
    fn undo(&self, state: &mut P::State, undo: P::Undo) {
        self.problem.undo(state, undo);
    }
    fn inverse(&self, state: &P::State, action: &P::Action) -> Option<P::Action> {
        self.problem.inverse(state, action)
    }
}

/// Random problems with all that makes them hard: the same report as on one thread, and right.
fn compare_on_random_problems<C: Units + Send + Sync, S: Name + Send>(
    seeds: impl Iterator<Item = u64>,
    tally: &mut Tally,
) -> u32 {
    let mut compared = 0;
    for seed in seeds {
        let nodes = if seed % 2 == 0 { 12 } else { 20 + (seed % 30) as usize };
        let problem = &Problem::<C, S>::random(seed, nodes);
        let limits = || Limits::new().expansions(PATIENCE);
        let threads = 2 + (seed % 4) as usize;
        macro_rules! compare {
            ($($search:expr),* $(,)?) => {$(
                let one = $search.limits(limits()).search_from(problem.starts()).run();
                let many = $search.threads(threads).limits(limits());
                let many = many.search_from(problem.starts()).run();
                check(problem, &many, 1.0, true, tally);
                // What threads do to the right of a goal may take up what it would need.
                if many.as_ref().is_err() || stopped(many.as_ref().unwrap()).is_none() {
                    let name = stringify!($search);
                    let (one, many) = (whatever_threads(one), whatever_threads(many));
                    assert_eq!(many, one, "seed {seed}, {nodes} nodes, {name}");
                    compared += 1;
                }
            )*};
        }
        // Where bounds are chosen, counts depend on which thread finds a solution first.
        let plain = || IdaStar::new(problem).deepening(Deepening::ByNextValue);
        compare!(
            plain(),
            plain().in_place(),
            plain().avoid_cycles(),
            plain().in_place().avoid_cycles(),
        );
        // With a table, threads know different things; right they must be all the same.
        for bytes in [1, 1 << 10, 1 << 14] {
            let search = IdaStar::new(problem).transposition_table(bytes).threads(threads);
            let answer = search.limits(limits()).search_from(problem.starts()).run();
            check(problem, &answer, 1.0, true, tally);
        }
    }
    compared
}

#[test]
fn random_problems_have_the_same_reports() {
    let mut tally = Tally::default();
    // One type of costs of each kind, as each is compiled with every engine: that overflow, that are signed, that are floats.
    let seeds = |nth: u64| (0..rounds(180)).map(move |seed| seed * 3 + nth);
    let compared = compare_on_random_problems::<u8, u16>(seeds(0), &mut tally)
        + compare_on_random_problems::<i32, Clashing>(seeds(1), &mut tally)
        + compare_on_random_problems::<f64, u16>(seeds(2), &mut tally);
    assert!(is_enough(compared, 1000), "{compared}");
    assert!(is_enough(tally.found, 600) && is_enough(tally.exhausted, 300), "{tally:?}");
    assert!(is_enough(tally.overflows, 15), "{tally:?}");
}

/// The same where several threads are at work for sure: larger trees, of problems that are slow, with
/// cycles of steps that cost nothing.
#[test]
fn larger_trees_have_the_same_reports() {
    compare_larger_trees((0..60).step_by(7));
}

#[test]
#[ignore = "takes half a minute: a longer form of the test above"]
fn more_larger_trees_have_the_same_reports() {
    compare_larger_trees(0..120);
}

/// The trees grow with the seed.
fn compare_larger_trees(seeds: impl ExactSizeIterator<Item = u32>) {
    let count = u32::try_from(seeds.len()).unwrap();
    let (mut compared, mut crowded) = (0, 0);
    for seed in seeds {
        let mesh = Mesh {
            goal: seed % 19,
            dearest: 2 + (seed % 5).cast_signed(),
            ..Mesh::new(20 + seed * 7)
        };
        let slow = Slow::new(mesh, 0);
        let limits = || Limits::new().expansions(8000);
        let starts = || [(19, 3), (18, (seed % 4).cast_signed()), (seed % 17, 9)];
        macro_rules! compare {
            ($($search:expr),* $(,)?) => {$(
                let one = $search.limits(limits()).search_from(starts()).run();
                let is_long = one.as_ref().unwrap().stats.expanded > 200;
                slow.work_rounds.store(if is_long { 600 } else { 0 }, Ordering::Relaxed);
                let threads = 2 + (seed % 3) as usize;
                let many = $search.threads(threads).limits(limits()).search_from(starts()).run();
                crowded += u32::from(slow.threads_seen() > 1);
                slow.work_rounds.store(0, Ordering::Relaxed);
                if stopped(many.as_ref().unwrap()).is_none() {
                    let name = stringify!($search);
                    assert_eq!(whatever_threads(many), whatever_threads(one), "{seed}, {name}");
                    compared += 1;
                }
            )*};
        }
        compare!(
            IdaStar::new(&slow),
            IdaStar::new(&slow).in_place(),
            IdaStar::new(&slow).avoid_cycles(),
        );
        slow.work_rounds.store(100, Ordering::Relaxed);
        let one = IdaStar::new(&slow).limits(limits()).search_from(starts()).run().unwrap();
        for bytes in [1, 1000, 100_000] {
            let many = IdaStar::new(&slow).transposition_table(bytes).threads(3);
            let many = many.limits(limits()).search_from(starts()).run().unwrap();
            if let (Some(path), Some(cost)) = (many.path(), one.cost()) {
                assert_eq!(path.cost(), cost);
                path.verify(&slow).unwrap();
            }
        }
    }
    println!("{compared} compared, {crowded} on several threads");
    assert!(compared > count && crowded > count / 2, "{compared}, {crowded} on several threads");
}

#[test]
fn one_thread_is_the_search_without_threads() {
    let (puzzle, start) = fifteen(EASY[2].1);
    let slow = Slow::new(puzzle, 1);
    let limits = || Limits::new().expansions(50_000);
    let one = IdaStar::new(&slow).in_place().limits(limits()).search(start).run();
    let many = IdaStar::new(&slow).in_place().threads(1).limits(limits()).search(start).run();
    assert_eq!(many, one);
    assert_eq!(slow.threads_seen(), 1);
}

/// A tree with three branches everywhere. A state is its level and its place there.
struct Tree {
    levels: u32,
    goals: Vec<(u32, u64)>,
    /// States whose heuristic is NaN.
    nan_states: Vec<(u32, u64)>,
    /// How long an expansion in the left half takes.
    delay: Duration,
    /// Sleeps when this state is expanded.
    sleep: Option<((u32, u64), Duration)>,
    /// The step to this state costs 8, all others 1.
    expensive: Option<(u32, u64)>,
}

impl SearchProblem for Tree {
    type State = (u32, u64);
    type Action = u64;
    type Cost = f64;

    fn successors(&self, &(level, place): &(u32, u64), next: &mut Successors<Self>) {
        if place < 3_u64.pow(level) / 2 && !self.delay.is_zero() {
            thread::sleep(self.delay);
        }
        if let Some((_, sleep)) = self.sleep.filter(|sleep| sleep.0 == (level, place)) {
            thread::sleep(sleep);
        }
        for branch in (0..3).take_while(|_| level < self.levels) {
            let state = (level + 1, place * 3 + branch);
            next.push(branch, state, if self.expensive == Some(state) { 8.0 } else { 1.0 });
        }
    }
    fn heuristic(&self, state: &(u32, u64)) -> f64 {
        if self.nan_states.contains(state) { f64::NAN } else { 0.0 }
    }
    fn is_goal(&self, state: &(u32, u64)) -> bool {
        self.goals.contains(state)
    }
}

/// Goals and errors everywhere: the leftmost one counts, whichever thread reaches its own first.
#[test]
fn the_leftmost_goal_or_error_counts() {
    let last = 3_u64.pow(7);
    let places = [1, last / 3 - 1, last / 2, last * 2 / 3, last - 2];
    let mut errors = 0;
    for (i, &goal) in places.iter().enumerate() {
        for &other in &places[i..] {
            for nan_place in [None, Some(0), Some(last / 2 + 5), Some(last - 1)] {
                for delay in [0, 1] {
                    let tree = Tree {
                        levels: 7,
                        goals: vec![(7, goal), (7, other)],
                        nan_states: nan_place.into_iter().map(|place| (7, place)).collect(),
                        delay: Duration::from_nanos(delay),
                        sleep: None,
                        expensive: None,
                    };
                    if delay > 0 && i > 1 {
                        continue; // It would take too long.
                    }
                    let swift = Tree { delay: Duration::ZERO, ..tree };
                    let one = IdaStar::new(&swift).search((0, 0)).run();
                    let tree = Tree { delay: Duration::from_nanos(delay), ..swift };
                    for threads in [2, 5] {
                        let many = IdaStar::new(&tree).threads(threads).search((0, 0)).run();
                        match (&one, &many) {
                            // NaN is not equal to itself.
                            (Err(SearchError::NotANumber { g, .. }), Err(error)) => {
                                let SearchError::NotANumber { g: at, .. } = error else {
                                    panic!("{error}");
                                };
                                assert_eq!(format!("{at}"), format!("{g}"));
                                errors += 1;
                            }
                            _ => assert_eq!(
                                whatever_threads(many),
                                whatever_threads(one.clone()),
                                "goals {goal} and {other}, nan_place {nan_place:?}, {threads} threads"
                            ),
                        }
                    }
                }
            }
        }
    }
    assert!(errors > 10, "{errors}");
}

/// A goal or an error a few steps from the start, where the tree is split into subtrees.
#[test]
fn goals_and_errors_near_the_root_are_taken_from_left_to_right() {
    for (goals, nan_states) in [
        (vec![(1, 1)], vec![]),
        (vec![(1, 1), (8, 7)], vec![]),
        (vec![(1, 1)], vec![(2, 3)]),
        (vec![], vec![(2, 4)]),
        (vec![(9, 5)], vec![(2, 4)]),
    ] {
        let (delay, sleep, expensive) = (Duration::ZERO, None, Some((1, 1)));
        let tree = Tree { levels: 9, goals, nan_states, delay, sleep, expensive };
        let one = IdaStar::new(&tree).search((0, 0)).run();
        for threads in [2, 3] {
            let mut search = IdaStar::new(&tree).threads(threads).search((0, 0));
            match (search.run(), &one) {
                (Err(error), Err(expected)) => {
                    assert_eq!(format!("{error}"), format!("{expected}"));
                }
                (many, _) => assert_eq!(whatever_threads(many), whatever_threads(one.clone())),
            }
        }
    }
}

/// A thread to the right of the goal reaches another goal later.
#[test]
fn a_goal_to_the_right_does_not_count() {
    let last = 3_u64.pow(7);
    let tree = |sleep| Tree {
        levels: 7,
        goals: vec![(7, last / 3), (7, last - 5)],
        nan_states: Vec::new(),
        delay: Duration::from_nanos(u64::from(sleep > 0)),
        sleep: Some(((6, (last - 5) / 3), Duration::from_millis(sleep))),
        expensive: None,
    };
    let one = whatever_threads(IdaStar::new(&tree(0)).search((0, 0)).run());
    for sleep in [0, 5, 10, 20, 40, 60, 80, 100, 150] {
        let many = IdaStar::new(&tree(sleep)).threads(2).search((0, 0)).run();
        assert_eq!(whatever_threads(many), one, "{sleep}");
    }
}

fn stopped<S: Debug, A: Debug, C: Debug>(report: &Report<S, A, C>) -> Option<StopReason> {
    if let Outcome::Stopped(reason) = report.outcome { Some(reason) } else { None }
}

#[test]
fn stops_at_the_exact_expansion_and_continues() {
    let (cost, tiles) = EASY[3];
    let (puzzle, start) = fifteen(tiles);
    let expected = whatever_threads(IdaStar::new(&puzzle).in_place().search(start).run());
    for threads in [2, 4] {
        for stride in [3001, 50_051] {
            let mut search = IdaStar::new(&puzzle).in_place().threads(threads).search(start);
            let mut most = 0;
            let report = loop {
                search.set_limits(Limits::new().expansions(most));
                let report = search.run().unwrap();
                let Some(reason) = stopped(&report) else { break report };
                assert_eq!(reason, StopReason::Expansions);
                assert_eq!(report.stats.expanded, most, "the limit is exact");
                let in_layers: u64 = report.layers.iter().map(|layer| layer.expanded).sum();
                assert_eq!(in_layers, most);
                assert!(report.lower_bound <= cost);
                most += stride;
            };
            assert_eq!(whatever_threads(Ok(report)), expected, "{threads} threads");
        }
    }
}

/// Steps and runs of the same search can alternate.
#[test]
fn steps_and_runs_can_alternate() {
    let (puzzle, start) = fifteen(EASY[2].1);
    let expected = whatever_threads(IdaStar::new(&puzzle).in_place().search(start).run());
    let mut search = IdaStar::new(&puzzle).in_place().threads(2).search(start);
    let report = loop {
        let most = search.stats().expanded + 20_000;
        search.set_limits(Limits::new().expansions(most));
        let report = search.run().unwrap();
        if stopped(&report).is_none() {
            break report;
        }
        search.set_limits(Limits::new());
        let mut found = None;
        for _ in 0..5000 {
            let before = search.stats().expanded;
            found = search.step().unwrap();
            if found.is_some() {
                break;
            }
            assert_eq!(search.stats().expanded, before + 1);
        }
        if let Some(report) = found {
            break report;
        }
    };
    assert_eq!(whatever_threads(Ok(report)), expected);
}

#[test]
fn stops_for_memory_and_loses_nothing() {
    let (puzzle, start) = fifteen(EASY[0].1);
    let expected = whatever_threads(IdaStar::new(&puzzle).in_place().search(start).run());
    let mut search = IdaStar::new(&puzzle).in_place().threads(3).search(start);
    let (mut most, mut stops) = (0, 0);
    let report = loop {
        search.set_limits(Limits::new().memory(most));
        let report = search.run().unwrap();
        assert!(search.bytes() <= most && report.stats.peak_bytes <= most as u64);
        let Some(reason) = stopped(&report) else { break report };
        assert_eq!(reason, StopReason::Memory);
        stops += 1;
        most += 97;
    };
    assert_eq!(whatever_threads(Ok(report)), expected);
    assert!(stops > 10, "{stops}");
    // At these depths, two stacks and the top of the tree are nothing to speak of.
    let (puzzle, start) = fifteen(EASY[3].1);
    let report = IdaStar::new(&puzzle).in_place().threads(2).search(start).run().unwrap();
    assert!(report.stats.peak_bytes < 2_000_000, "{}", report.stats.peak_bytes);
}

#[test]
fn stops_at_the_highest_cost() {
    let (cost, tiles) = EASY[0];
    let (puzzle, start) = fifteen(tiles);
    let search = IdaStar::new(&puzzle).in_place().threads(2).limits(Limits::new().cost(cost - 1));
    let mut search = search.search(start);
    let report = search.run().unwrap();
    assert_eq!(stopped(&report), Some(StopReason::Cost));
    assert_eq!(report.lower_bound, cost);
    search.set_limits(Limits::new().cost(cost));
    assert_eq!(search.run().unwrap().cost(), Some(cost));
}

/// The best of several runs, as the machine may have other things to do.
fn least(runs: usize, run: impl FnMut(usize) -> Duration) -> Duration {
    (0..runs).map(run).min().unwrap()
}

#[test]
fn stops_in_time() {
    for labour in [0, 2000, 1_000_000] {
        let mesh = Mesh { labour, ..Mesh::new(1 << 18) };
        let over = least(8, |run| {
            let most = Duration::from_millis(3 + run as u64);
            let search = IdaStar::new(&mesh).in_place().threads(2);
            let mut search = search.limits(Limits::new().time(most)).search(1);
            let began = Instant::now();
            let report = search.run().unwrap();
            let took = began.elapsed();
            assert_eq!(stopped(&report), Some(StopReason::Time));
            // And on.
            let expanded = report.stats.expanded;
            search.set_limits(Limits::new().expansions(expanded + 5));
            assert_eq!(search.run().unwrap().stats.expanded, expanded + 5);
            took.checked_sub(most).expect("not before the time is up")
        });
        assert!(over < Duration::from_millis(10), "{over:?} over");
    }
}

#[test]
fn stops_when_cancelled_by_another_thread() {
    for labour in [0, 2000] {
        let mesh = Mesh { labour, ..Mesh::new(1 << 16) };
        let late = least(8, |_| {
            let token = CancelToken::new();
            let limits = Limits::new().cancel(&token);
            let mut search = IdaStar::new(&mesh).threads(2).limits(limits).search(1);
            thread::scope(|scope| {
                let other = scope.spawn(|| {
                    thread::sleep(Duration::from_millis(2));
                    token.cancel();
                    Instant::now()
                });
                let report = search.run().unwrap();
                let stopped_at = Instant::now();
                assert_eq!(stopped(&report), Some(StopReason::Cancelled));
                assert_eq!(search.run().unwrap(), report, "and stays so");
                stopped_at.saturating_duration_since(other.join().unwrap())
            })
        });
        assert!(late < Duration::from_millis(10), "{late:?} late");
    }
}

/// A panic on any thread reaches the caller. This search cannot continue; others can.
#[test]
fn a_panic_reaches_the_caller() {
    silence();
    let mut elsewhere = 0;
    for fuse in [0, 1, 100, 20_000, 40_001, 60_003, 80_002] {
        let (puzzle, start) = fifteen(EASY[3].1);
        let slow = Slow::new(puzzle, 50);
        slow.tests_to_panic.store(fuse, Ordering::Relaxed);
        let mut search = IdaStar::new(&slow).in_place().threads(3).search(start);
        assert!(catch_unwind(AssertUnwindSafe(|| search.run())).is_err(), "{fuse}");
        elsewhere += u32::from(slow.threads_seen() > 1);
        slow.tests_to_panic.store(i64::MAX, Ordering::Relaxed);
        assert_eq!(search.run(), Err(SearchError::Panicked));
        assert!(search.step().is_err());
        let _ = (search.stats(), search.bytes());
    }
    assert!(elsewhere > 0, "several threads were at work");
    let (cost, tiles) = EASY[0];
    let (puzzle, start) = fifteen(tiles);
    let report = IdaStar::new(&puzzle).in_place().threads(3).search(start).run().unwrap();
    assert_eq!(report.cost(), Some(cost));
}

#[test]
fn chains_are_not_too_deep() {
    for step in [1, 0] {
        let chain = Chain { length: 300_000, step };
        let run = || {
            let one = IdaStar::new(&chain).in_place().search(0).run();
            let many = IdaStar::new(&chain).in_place().threads(2).search(0).run();
            assert!(one.as_ref().unwrap().cost().is_some());
            assert_eq!(whatever_threads(many), whatever_threads(one));
        };
        thread::scope(|scope| {
            let small = thread::Builder::new().stack_size(128 << 10);
            small.spawn_scoped(scope, run).unwrap().join().unwrap();
        });
    }
}

/// An observer need not be `Sync`; it is told of iterations.
#[test]
fn an_observer_is_told_of_iterations() {
    struct Layers(std::rc::Rc<std::cell::RefCell<Vec<Layer<u16>>>>, ThreadId);
    impl Observer<Tracked, u16> for Layers {
        fn layer(&mut self, layer: &Layer<u16>) {
            assert_eq!(thread::current().id(), self.1);
            self.0.borrow_mut().push(*layer);
        }
    }
    let (puzzle, start) = fifteen(EASY[1].1);
    let told = std::rc::Rc::default();
    let observer = Layers(std::rc::Rc::clone(&told), thread::current().id());
    let search = IdaStar::new(&puzzle).in_place().threads(2).observer(observer);
    let report = search.search(start).run().unwrap();
    let told = told.borrow();
    assert!(told.len() > 3);
    assert_eq!(told[..], report.layers[..told.len()]);
}

/// The order of the builder's methods does not matter, and the search is `Send`.
#[test]
fn the_order_of_builder_methods_does_not_matter() {
    fn is_send<T: Send>(search: T) -> T {
        search
    }
    let (cost, tiles) = EASY[0];
    let (puzzle, start) = fifteen(tiles);
    let search: bestfirst::IdaStarSearch<_, InPlace<_>, bestfirst::engine::Threads> =
        IdaStar::new(puzzle).threads(2).in_place().search(start);
    let mut search = is_send(search);
    let report = thread::spawn(move || search.run()).join().unwrap().unwrap();
    assert_eq!(report.cost(), Some(cost));
}

/// The limit on expansions is exact also while the tree is split into subtrees.
#[test]
fn stops_while_the_tree_is_split() {
    let (puzzle, start) = fifteen(EASY[3].1);
    let expected = whatever_threads(IdaStar::new(&puzzle).in_place().search(start).run());
    let layers = &expected.as_ref().unwrap().layers;
    let before: u64 = layers[..layers.len() - 1].iter().map(|layer| layer.expanded).sum();
    let mut search = IdaStar::new(&puzzle).in_place().threads(2).search(start);
    for most in (before..before + 60).step_by(3) {
        search.set_limits(Limits::new().expansions(most));
        let report = search.run().unwrap();
        assert_eq!(stopped(&report), Some(StopReason::Expansions));
        assert_eq!(report.stats.expanded, most);
        // The top of the tree and the stacks, which are not deep.
        assert!((1..5000).contains(&report.stats.stored), "{}", report.stats.stored);
    }
    search.set_limits(Limits::new());
    let report = search.run().unwrap();
    assert_eq!(report.stats.stored, report.path().unwrap().states().len() as u64);
    assert_eq!(whatever_threads(Ok(report)), expected);
}

/// If one thread panics, the others stop soon.
#[test]
fn a_panic_stops_all_threads() {
    silence();
    // The last iteration expands some millions of states more.
    let (puzzle, start) = fifteen("5 0 15 8 4 6 1 14 10 11 3 9 7 12 2 13");
    let slow = Slow::new(puzzle, 0);
    slow.tests_to_panic.store(2_500_000, Ordering::Relaxed);
    let mut search = IdaStar::new(&slow).in_place().threads(3).search(start);
    assert!(catch_unwind(AssertUnwindSafe(|| search.run())).is_err());
    let more = -slow.tests_to_panic.load(Ordering::Relaxed);
    assert!(more < 1_000_000, "{more} after the panic");
}

/// All tables together take at most the bytes given.
#[test]
fn threads_share_the_bytes_of_the_table() {
    let (cost, tiles) = EASY[3];
    let (puzzle, start) = fifteen(tiles);
    let bytes = 1 << 23;
    let builder = IdaStar::new(&puzzle).in_place().transposition_table(bytes).threads(4);
    let mut search = builder.search(start);
    assert_eq!(search.run().unwrap().cost(), Some(cost));
    // How many threads had something to do is not certain, but one had.
    assert!(search.bytes() > bytes / 8 && search.bytes() < bytes + bytes / 8, "{}", search.bytes());
}

/// The token is checked also while the tree is split, where that takes long.
#[test]
fn stops_soon_while_the_tree_is_split() {
    let token = CancelToken::new();
    let asked = AtomicU64::new(0);
    // 543 states are expanded in the iterations up to depth 5. Of the next, which has as many subtrees as
    // the last had states, the first few hundred are expanded by one thread.
    let tree = FnProblem::new(
        |&(level, place): &(u32, u64)| {
            thread::sleep(Duration::from_micros(200));
            if asked.fetch_add(1, Ordering::Relaxed) == 570 {
                token.cancel();
            }
            (0..3).map(move |nth| ((level + 1, place * 3 + nth), 1_u32))
        },
        |_: &(u32, u64)| 0,
        |_: &(u32, u64)| false,
    );
    let limits = Limits::new().cancel(&token);
    let report = IdaStar::new(&tree).threads(2).limits(limits).search((0, 0)).run().unwrap();
    assert_eq!(stopped(&report), Some(StopReason::Cancelled));
    assert_eq!(report.layers.last().map(|layer| layer.bound), Some(6));
    let more = asked.load(Ordering::Relaxed) - 570;
    assert!(more < 80, "{more} after it was cancelled");
}

/// A subtree to the right of a goal may be infinite; threads that search it stop nevertheless.
#[test]
fn infinite_subtrees_to_the_right_of_a_goal_are_abandoned() {
    const LEVELS: u32 = 9;
    let last = 3_u64.pow(LEVELS) - 1;
    // Steps in the tree cost nothing, those to its leaves 1. From the first leaf it is a long way to
    // the goal, from the last a way without end.
    let tree = FnProblem::new(
        |&(level, place): &(u32, u64)| {
            if level < LEVELS {
                let cost = u32::from(level + 1 == LEVELS);
                return (0..3).map(|nth| ((level + 1, place * 3 + nth), cost)).collect();
            }
            let goes_on = level > LEVELS || place == 0 || place == last;
            let side = if level > LEVELS { level } else { LEVELS + 1 + u32::from(place > 0) };
            if goes_on { vec![((side, place + 1), 0_u32)] } else { vec![] }
        },
        |_: &(u32, u64)| 0,
        |&(level, place): &(u32, u64)| level == LEVELS + 1 && place == 100_000,
    );
    let one = whatever_threads(IdaStar::new(&tree).search((0, 0)).run());
    assert_eq!(one.as_ref().unwrap().cost(), Some(1));
    for _ in 0..3 {
        let many = IdaStar::new(&tree).threads(2).search((0, 0)).run();
        assert_eq!(whatever_threads(many), one);
    }
}

/// A restarted search reports what a fresh one does, whatever the threads did before.
#[test]
fn restarted_searches_report_what_fresh_ones_do() {
    let (puzzle, first) = fifteen(EASY[3].1);
    let (cost, tiles) = EASY[0];
    let (_, second) = fifteen(tiles);
    let fresh = whatever_threads(IdaStar::new(&puzzle).in_place().search(second).run());
    let mut search = IdaStar::new(&puzzle).in_place().threads(2).search(first);
    for most in [0, 1, 300, 20_000, 60_000, u64::MAX] {
        search.set_limits(Limits::new().expansions(most));
        assert_eq!(stopped(&search.run().unwrap()).is_some(), most < u64::MAX);
        search.set_limits(Limits::new());
        search.restart(second);
        let held = search.bytes();
        assert_eq!(whatever_threads(search.run()), fresh, "after {most} expansions");
        assert!(search.bytes() >= held);
        search.restart(first);
    }
    // With tables, counts depend on which thread was faster, but the cost does not.
    let builder = IdaStar::new(&puzzle).in_place().transposition_table(1 << 16).threads(2);
    let mut search = builder.limits(Limits::new().expansions(20_000)).search(first);
    assert!(stopped(&search.run().unwrap()).is_some());
    search.set_limits(Limits::new());
    search.restart(second);
    assert_eq!(search.run().unwrap().cost(), Some(cost));
    // Random problems, with errors and without answers.
    let mut ends = [0; 2];
    for seed in 0..rounds(120) {
        let problem = &Problem::<u8, u16>::random(seed, 30);
        let other = &Problem::<u8, u16>::random(seed + 1, 30);
        let start = other.starts().first().map_or(0, |start| start.0);
        let limits = || Limits::new().expansions(PATIENCE);
        let one = IdaStar::new(other).limits(limits()).search(start).run();
        let mut search =
            IdaStar::new(problem).threads(2).limits(limits()).search_from(problem.starts());
        ends[usize::from(search.run().is_err())] += 1;
        search.restart_with(other, start);
        let many = search.run();
        if many.as_ref().is_err() || stopped(many.as_ref().unwrap()).is_none() {
            assert_eq!(whatever_threads(many), whatever_threads(one), "seed {seed}");
        }
    }
    assert!(ends.iter().all(|&end| end > 0), "{ends:?}");
}

/// After a panic on any thread, a search can be restarted.
#[test]
fn a_panic_is_forgotten_by_a_restart() {
    silence();
    let (puzzle, start) = fifteen(EASY[1].1);
    let slow = Slow::new(puzzle, 4);
    let fresh = whatever_threads(IdaStar::new(&slow).in_place().search(start).run());
    let mut search = IdaStar::new(&slow).in_place().threads(3).search(start);
    for fuse in [0, 100, 60_003] {
        slow.tests_to_panic.store(fuse, Ordering::Relaxed);
        assert!(catch_unwind(AssertUnwindSafe(|| search.run())).is_err(), "{fuse}");
        slow.tests_to_panic.store(i64::MAX, Ordering::Relaxed);
        assert_eq!(search.run(), Err(SearchError::Panicked));
        search.restart(start);
        assert_eq!(whatever_threads(search.run()), fresh, "{fuse}");
        search.restart(start);
    }
}

/// The heuristic rises with every call, so that no iteration ever expands a state.
#[test]
fn iterations_without_expansions_stop_at_limits() {
    let calls = AtomicU64::new(0);
    let rising = FnProblem::new(
        |&n: &u32| [(n + 1, 1_u64)],
        |_: &u32| calls.fetch_add(1, Ordering::Relaxed),
        |_: &u32| false,
    );
    let search = |limits| IdaStar::new(&rising).threads(2).limits(limits).search(0);
    let began = Instant::now();
    let report = search(Limits::new().time(Duration::from_millis(20))).run().unwrap();
    assert_eq!(stopped(&report), Some(StopReason::Time));
    assert!(began.elapsed() < Duration::from_millis(200), "{:?}", began.elapsed());
    let report = search(Limits::new().expansions(0)).run().unwrap();
    assert_eq!(stopped(&report), Some(StopReason::Expansions));
}

/// A state has more successors when it is expanded again for the action of the solution.
#[test]
fn what_is_generated_for_the_path_is_not_counted() {
    let expansions = AtomicU64::new(0);
    let problem = FnProblem::new(
        |_: &u32| {
            let more = if expansions.fetch_add(1, Ordering::Relaxed) > 0 { 100 } else { 0 };
            std::iter::once((1, 0_u32)).chain((0..more).map(|_| (2, 9)))
        },
        |_: &u32| 0,
        |&n: &u32| n == 1,
    );
    let report = IdaStar::new(&problem).threads(2).search(0).run().unwrap();
    assert_eq!((report.cost(), report.stats.generated), (Some(0), 1));
}

fn run_hostile<C: RandomCost + Send + Sync>(seeds: std::ops::Range<u64>) -> [u32; 2] {
    let problem = Hostile::<C>::new();
    let mut ends = [0; 2];
    for seed in seeds {
        set_seed(seed);
        macro_rules! run {
            ($($search:expr),* $(,)?) => {$(
                let starts = (0..(seed % 20) as u8).map(|n| (Unsteady(n), random(C::random)));
                let search = $search.threads(2 + (seed % 2) as usize);
                let mut search = search.search_from(starts.collect::<Vec<_>>());
                for round in 0..4 {
                    search.set_limits(match (seed + round) % 3 {
                        0 => Limits::new().expansions(seed % 1000),
                        1 => Limits::new().expansions(3000).memory(10_000),
                        _ => Limits::new().time(Duration::from_millis(2)),
                    });
                    let before = Instant::now();
                    ends[usize::from(search.run().is_err())] += 1;
                    let took = before.elapsed();
                    assert!(took < Duration::from_secs(1), "seed {seed}, {}", stringify!($search));
                    if round == 1 {
                        search.restart(Unsteady(3));
                    }
                }
            )*};
        }
        run!(
            IdaStar::new(&problem),
            IdaStar::new(&problem).in_place().avoid_cycles(),
            IdaStar::new(&problem).transposition_table(5000),
        );
    }
    ends
}

/// Problems that answer otherwise each time end at a limit or with an error.
#[test]
fn hostile_problems_end_at_a_limit_or_with_an_error() {
    let all = [
        run_hostile::<f64>(0..40),
        run_hostile::<Pair>(80..120),
        run_hostile::<Wrapping>(160..200),
    ];
    assert!((0..2).all(|kind| all.iter().map(|ends| ends[kind]).sum::<u32>() > 50), "{all:?}");
}

/// A deadline that was past for the workers, and not for what waits for them, was set again and again.
#[test]
fn a_clock_that_goes_back_and_forth_does_not_keep_threads_waiting() {
    let plane = FnProblem::new(
        |&(x, y): &(i32, i32)| [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)].map(|s| (s, 1_u32)),
        |&(x, y)| u32::midpoint(x.abs_diff(40), y.abs_diff(3)),
        |&cell| cell == (40, 3),
    );
    for first in 0..2 {
        let limits = |far: Duration| {
            let readings = AtomicU64::new(first);
            let clock = Clock::new(move || {
                let number = readings.fetch_add(1, Ordering::Relaxed);
                if number.is_multiple_of(2) { far } else { Duration::ZERO }
            });
            Limits::new().time(Duration::from_secs(5)).expansions(3000).clock(clock)
        };
        for far in [Duration::from_secs(10), Duration::MAX] {
            for threads in [1, 2, 3] {
                let search = IdaStar::new(&plane).threads(threads).limits(limits(far));
                let report = search.search((0, 0)).run().unwrap();
                assert!(matches!(report.outcome, Outcome::Stopped(_)));
            }
            let report = AStar::new(&plane).threads(2).limits(limits(far)).search((0, 0)).run();
            assert!(report.is_ok());
        }
    }
}
