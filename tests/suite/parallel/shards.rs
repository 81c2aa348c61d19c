//! Best-first search on several threads: the same report on any number of them, right, within limits.

use std::collections::HashSet;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use bestfirst::clock::Clock;
use bestfirst::frontier::LazyHeap;
use bestfirst::problems::crucible::{Crucible, HeatMap};
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::table::{HashedTable, Record};
use bestfirst::{
    AStar, CancelToken, Cost, Dijkstra, FnProblem, Layer, Limits, Observer, Outcome, Report,
    SearchError, SearchProblem, StopReason, Successors,
};

use support::judge::{PATIENCE, Tally, check};
use support::mesh::Mesh;
use support::random::{Clashing, Edge, Name, Problem, Truth, Units, is_enough, rounds};

/// A problem whose expansions take long enough to keep several threads busy, and which records their ids.
struct Slow<P> {
    problem: P,
    /// The work of every expansion, in rounds of an empty loop.
    work: AtomicU32,
    /// After this many expansions, one panics.
    expansions_to_panic: AtomicI64,
    seen: Mutex<HashSet<ThreadId>>,
}

impl<P> Slow<P> {
    fn new(problem: P, work: u32) -> Self {
        let (expansions_to_panic, seen) = (AtomicI64::new(i64::MAX), Mutex::default());
        Self { problem, work: AtomicU32::new(work), expansions_to_panic, seen }
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
        for i in 0..self.work.load(Ordering::Relaxed) {
            std::hint::black_box(i);
        }
        assert!(self.expansions_to_panic.fetch_sub(1, Ordering::Relaxed) != 0, "as planned");
        if self.work.load(Ordering::Relaxed) > 0 {
            self.seen.lock().unwrap().insert(thread::current().id());
        }
        self.problem.successors(state, next);
    }
    fn heuristic(&self, state: &P::State) -> P::Cost {
        self.problem.heuristic(state)
    }
    fn is_goal(&self, state: &P::State) -> bool {
        self.problem.is_goal(state)
    }
}

/// A problem of which only the types are known: such problems share the code of all engines.
type Erased<'p, S, A, C> =
    &'p (dyn SearchProblem<State = S, Action = A, Cost = C> + Send + Sync + 'p);

/// What does not depend on how much memory there was.
fn but_bytes<S, A, C, E>(mut answer: Result<Report<S, A, C>, E>) -> Result<Report<S, A, C>, E> {
    if let Ok(report) = &mut answer {
        report.stats.peak_bytes = 0;
    }
    answer
}

/// The answer of a search that was stopped meanwhile. If the heuristic is not consistent, a search that need not be
/// optimal may have proved more then, and what is proved stays proved.
fn level<S, A, C: Cost>(
    mut answer: Result<Report<S, A, C>, SearchError<C>>,
    expected: &Result<Report<S, A, C>, SearchError<C>>,
    factor: f64,
) -> Result<Report<S, A, C>, SearchError<C>> {
    if let (Ok(report), Ok(expected)) = (&mut answer, expected)
        && factor > 1.0
    {
        assert!(report.lower_bound >= expected.lower_bound);
        report.lower_bound = expected.lower_bound;
    }
    answer
}

/// Calls the macro with each way to search on threads: a name, its factor, and a closure that makes the search of a
/// number of threads, limits and starts.
macro_rules! each_way {
    ($problem:expr, |$name:ident, $factor:ident, $search:ident| $body:block) => {{
        macro_rules! way {
            ($way:literal, $times:expr, $builder:expr) => {{
                let ($name, $factor): (&str, f64) = ($way, $times);
                let $search = |threads, limits, starts: Vec<_>| {
                    $builder.threads(threads).limits(limits).search_from(starts)
                };
                $body
            }};
        }
        way!("A*", 1.0, AStar::new($problem));
        way!("A*, heap", 1.0, AStar::new($problem).frontier(LazyHeap::new()));
        way!("A*, wide ids", 1.0, AStar::new($problem).wide_ids());
        way!("weighted A*", 1.5, AStar::new($problem).weight(1.5));
        way!("Dijkstra", 1.0, Dijkstra::new($problem));
    }};
}

fn random_problem<C: Units, S: Name>(seed: u64) -> Problem<C, S> {
    match seed % 3 {
        0 => Problem::random(seed, 12),
        1 => Problem::random(seed, 20 + (seed % 90) as usize),
        _ => Problem::long(seed, 30 + (seed % 60) as usize),
    }
}

/// Random problems: right by the oracle, and the same on any number of threads.
fn judge_random<C: Units + Send + Sync, S: Name + Send>(
    seeds: impl Iterator<Item = u64>,
    tally: &mut Tally,
) -> usize {
    let mut crowded = 0;
    for seed in seeds {
        // The rounds of such small problems are worth several threads only if each expansion takes long.
        let problem = random_problem::<C, S>(seed);
        let work = if seed % 4 == 0 { 800 } else { 0 };
        let slow = Slow::new(&problem, work);
        let erased: Erased<_, _, _> = &slow;
        let limits = || Limits::new().expansions(PATIENCE);
        each_way!(erased, |name, factor, search| {
            let one = search(1, limits(), problem.starts()).run();
            check(&problem, &one, factor, true, tally);
            assert!(slow.threads_seen() <= 1);
            for threads in [2, 3, 7] {
                let many = search(threads, limits(), problem.starts()).run();
                assert_eq!(many, one, "seed {seed}, {name}, {threads} threads");
                crowded += usize::from(slow.threads_seen() > 1);
            }
        });
    }
    crowded
}

#[test]
fn random_problems_have_right_reports_that_are_the_same_on_all_threads() {
    let mut tally = Tally::default();
    let seeds = |nth: u64| (0..rounds(240)).map(move |seed| seed * 3 + nth);
    let crowded = judge_random::<u8, Clashing>(seeds(0), &mut tally)
        + judge_random::<f64, u16>(seeds(1), &mut tally)
        + judge_random::<i32, u16>(seeds(2), &mut tally);
    println!("{tally:?}, {crowded} on several threads");
    assert!(is_enough(tally.found, 1800) && is_enough(tally.exhausted, 200), "{tally:?}");
    assert!(is_enough(tally.overflows, 16), "{tally:?}");
}

/// A heuristic of floats of which nearly all differ.
fn float_grid() -> impl SearchProblem<State = (i32, i32), Action = (), Cost = f64> + Send + Sync {
    FnProblem::new(
        |&(x, y): &(i32, i32)| {
            [(1, 0), (-1, 0), (0, 1), (0, -1)]
                .into_iter()
                .filter_map(move |(dx, dy)| {
                    let (x, y) = (x + dx, y + dy);
                    let step = 1.0 + f64::from((x * 37 + y * 101 + dx).rem_euclid(97)) / 89.0;
                    (0..60).contains(&x).then_some(((x, y), step))
                })
                .filter(|((_, y), _)| (0..60).contains(y))
                .collect::<Vec<_>>()
        },
        |&(x, y)| f64::from(59 - x) + f64::from(59 - y),
        |&place| place == (59, 59),
    )
}

/// Larger problems, each expansion of which takes some microseconds, so that all threads are at work.
#[test]
fn larger_problems_have_the_same_reports_on_all_threads() {
    fn compare<P>(problem: P, start: &P::State) -> u32
    where
        P: SearchProblem<
                State: Send + Debug,
                Action: Send + PartialEq + Debug,
                Cost: Send + bestfirst::ScalableCost,
            > + Send
            + Sync,
    {
        let (slow, mut crowded) = (Slow::new(problem, 200), 0);
        let erased: Erased<_, _, _> = &slow;
        each_way!(erased, |name, factor, search| {
            let plain = AStar::new(&slow).search(start.clone()).run().unwrap();
            slow.threads_seen();
            let one = search(1, Limits::new(), vec![(start.clone(), P::Cost::ZERO)]).run();
            assert_eq!(slow.threads_seen(), 1);
            let report = one.as_ref().unwrap();
            report.path().expect("there is one").verify(&slow).unwrap();
            if factor <= 1.0 {
                assert!(report.is_optimal());
                assert!(!report.cost().unwrap().exceeds(plain.cost().unwrap()));
            }
            for threads in [2, 3, 7, 0] {
                let many =
                    search(threads, Limits::new(), vec![(start.clone(), P::Cost::ZERO)]).run();
                assert_eq!(many, one, "{name}, {threads} threads");
                crowded += u32::from(slow.threads_seen() > 1);
            }
        });
        crowded
    }
    let puzzle = SlidingTiles::<Packed>::new(3, 3).unwrap();
    let board: Board = "5 4 8 2 6 0 3 1 7".parse().unwrap();
    let mut crowded = compare(&puzzle, &puzzle.state(&board).unwrap());
    let map = HeatMap::random(24, 24, 5).unwrap();
    let crucible = Crucible::new(&map, 1..=3).unwrap();
    crowded += compare(&crucible, &crucible.start());
    crowded += compare(float_grid(), &(0, 0));
    // How many threads get to work depends on what else the system does.
    assert!(crowded > 0, "{crowded}");
}

/// As many expansions as by one thread before the last layer, where the heuristic is consistent.
#[test]
fn layers_before_the_last_are_those_of_one_thread() {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    let board: Board = "0 1 9 7  11 13 5 3  14 12 4 2  8 6 10 15".parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    let plain = AStar::new(&puzzle).search(start).run().unwrap();
    let rounds = AStar::new(&puzzle).threads(2).search(start).run().unwrap();
    assert_eq!((rounds.cost(), rounds.lower_bound), (plain.cost(), plain.lower_bound));
    let (before, expanded) = (plain.stats.expanded_before_last_layer, plain.stats.expanded);
    assert!(rounds.stats.expanded_before_last_layer <= before + before / 50);
    assert!(
        rounds.stats.expanded <= expanded + expanded / 5,
        "{} of {expanded}",
        rounds.stats.expanded
    );
}

/// Stops after every expansion, and goes on: what is said then is true, and in the end the report is the same.
#[test]
fn stops_at_every_expansion_and_goes_on() {
    let stops = stop_at_every_expansion::<f64>(0..8) + stop_at_every_expansion::<i32>(60..68);
    assert!(stops > 400, "{stops}");
}

#[test]
#[ignore = "takes half a minute: a longer form of the test above"]
fn more_searches_stop_at_every_expansion_and_go_on() {
    let stops = stop_at_every_expansion::<f64>(0..60) + stop_at_every_expansion::<i32>(60..110);
    assert!(stops > 3000, "{stops}");
}

/// How many stops there were.
fn stop_at_every_expansion<C: Units + Send + Sync>(seeds: std::ops::Range<u64>) -> u64 {
    let mut stops = 0;
    for seed in seeds {
        let problem = random_problem::<C, u16>(seed);
        let patience = || Limits::new().expansions(PATIENCE);
        let erased: Erased<_, _, _> = &problem;
        each_way!(erased, |name, factor, search| {
            let expected = search(2, patience(), problem.starts()).run();
            if matches!(&expected, Ok(report) if matches!(report.outcome, Outcome::Stopped(_))) {
                continue;
            }
            let count = match &expected {
                Ok(report) => report.stats.expanded.min(150),
                Err(_) => 30,
            };
            // A search that goes on for one expansion each time.
            let mut stopped = search(1 + (seed % 3) as usize, Limits::new(), problem.starts());
            for most in 0..=count {
                let stop = |answer: Result<Report<u16, Edge, C>, _>| match answer {
                    Ok(report) if report.outcome == Outcome::Stopped(StopReason::Expansions) => {
                        assert_eq!(report.stats.expanded, most, "{name}, seed {seed}");
                        if let Truth::Costs(units) = problem.graph.truth {
                            let cost = C::of(units, problem.graph.scale);
                            assert!(!report.lower_bound.exceeds(cost), "{name}, seed {seed}");
                            assert!(
                                !report.incumbent.is_some_and(|path| cost.exceeds(path.cost()))
                            );
                        }
                        true
                    }
                    _ => false,
                };
                stopped.set_limits(Limits::new().expansions(most));
                let first = stop(stopped.run());
                // One that stops there once.
                let mut once = search(3, Limits::new().expansions(most), problem.starts());
                assert_eq!(stop(once.run()), first, "{name}, seed {seed}, {most}");
                once.set_limits(patience());
                let answer = level(once.run(), &expected, factor);
                assert_eq!(answer, expected, "{name}, seed {seed}, after {most}");
                stops += u64::from(first);
            }
            stopped.set_limits(patience());
            let answer = level(stopped.run(), &expected, factor);
            assert_eq!(answer, expected, "{name}, seed {seed}");
            // In slices, and one step after the other.
            let mut slices = search(2, patience(), problem.starts());
            let answer = loop {
                if let Some(answer) = slices.run_for(3).transpose() {
                    break answer;
                }
            };
            assert_eq!(answer, expected, "{name}, seed {seed}, slices");
            let mut steps = search(2, patience(), problem.starts());
            let answer = loop {
                if let Some(answer) = steps.step().transpose() {
                    break answer;
                }
            };
            assert_eq!(answer, expected, "{name}, seed {seed}, steps");
        });
    }
    stops
}

/// The memory is limited more and more tightly: no more is ever held, and with more memory the search goes on. The
/// report of a stop is the same on any number of threads, too.
#[test]
fn stops_for_memory_and_goes_on() {
    let mesh = Mesh { goal: 77, ..Mesh::new(8000) };
    let slow = Slow::new(mesh, 100);
    let erased: Erased<_, _, _> = &slow;
    each_way!(erased, |name, factor, search| {
        let expected = search(2, Limits::new(), vec![(1, 0)]).run();
        let needed = expected.as_ref().unwrap().stats.peak_bytes;
        let mut stops = 0;
        for part in (0..12).chain([14, 15]) {
            let most = usize::try_from(needed).unwrap() * part / 16;
            let run = |threads| {
                let mut search = search(threads, Limits::new().memory(most), vec![(1, 0)]);
                let answer = search.run();
                assert!(search.bytes() <= most, "{name}, {most}");
                (search, answer)
            };
            let (mut search, answer) = run(1);
            let (_, many) = run(3);
            assert_eq!(many, answer, "{name}, {most} bytes");
            let report = answer.unwrap();
            assert!(report.stats.peak_bytes <= most as u64, "{name}, {most} bytes");
            if report.outcome == Outcome::Stopped(StopReason::Memory) {
                stops += 1;
                search.set_limits(Limits::new());
                let (answer, expected) = (but_bytes(search.run()), but_bytes(expected.clone()));
                let answer = level(answer, &expected, factor);
                assert_eq!(answer, expected, "{name}, {most} bytes");
            }
        }
        assert!(stops > 5, "{name}: {stops}");
    });
}

/// Where a shard had no room to note at which state a sum did not fit, every such sum was an error, also one of a step to a
/// state that is reached otherwise.
#[test]
fn no_room_for_a_note_is_no_overflow() {
    let problem = FnProblem::new(
        |&n: &u8| if n == 0 { vec![(1, 56_u8)] } else { vec![(0, 255), (0, 4)] },
        |_: &u8| 0,
        |_: &u8| false,
    );
    let mut stops = 0;
    for bytes in (0..60_000).step_by(64) {
        let limits = Limits::new().memory(bytes);
        let mut search = Dijkstra::new(&problem).threads(1).limits(limits).search(0);
        stops += u32::from(search.run().unwrap().outcome == Outcome::Stopped(StopReason::Memory));
        search.set_limits(Limits::new());
        assert_eq!(search.run().unwrap().outcome, Outcome::Exhausted, "{bytes} bytes");
    }
    assert!(stops > 100, "{stops}");
}

#[test]
fn stops_at_the_cost_and_goes_on() {
    for seed in 0..rounds(50) {
        let problem = random_problem::<i32, u16>(seed);
        let Truth::Costs(units) = problem.graph.truth else { continue };
        let cost = i32::try_from(units).unwrap();
        let erased: Erased<_, _, _> = &problem;
        each_way!(erased, |name, factor, search| {
            let mut search = search(2, Limits::new().cost(cost - 1), problem.starts());
            if cost > 0 {
                let below = cost - 1;
                search.set_limits(Limits::new().cost(below).expansions(PATIENCE));
                let report = search.run().unwrap();
                let is_cost = report.outcome == Outcome::Stopped(StopReason::Cost);
                let is_patience = report.outcome == Outcome::Stopped(StopReason::Expansions);
                assert!(is_cost || is_patience, "{name}, seed {seed}: {:?}", report.outcome);
                assert!(report.path().is_none() && report.lower_bound <= cost);
            }
            search.set_limits(Limits::new().expansions(PATIENCE));
            let report = search.run().unwrap();
            if let Some(path) = report.path() {
                path.verify(&problem).unwrap();
                assert!(f64::from(path.cost()) <= factor * f64::from(cost), "{name}, seed {seed}");
            } else {
                let stopped = Outcome::Stopped(StopReason::Expansions);
                assert_eq!(report.outcome, stopped, "{name}, seed {seed}");
            }
        });
    }
}

/// A state that was set aside at a limit on the cost is looked at again when the limit is raised, before a dearer goal
/// is the answer, also if another limit stopped the search.
#[test]
fn a_limit_on_the_cost_may_be_raised_at_any_stop() {
    // By way of 1 the goal costs 6, by way of 2, 3, ... 40 it costs 100; the weight is 1.5, so 1 comes first, and costs too
    // much.
    let ways = |&n: &u32| match n {
        0 => vec![(1, 6_u32), (2, 0)],
        1 => vec![(100, 0)],
        40 => vec![(100, 100)],
        100 => vec![],
        _ => vec![(n + 1, 0)],
    };
    let h = |&n: &u32| if (2..=40).contains(&n) { 5 } else { 0 };
    let problem = FnProblem::new(ways, h, |&n: &u32| n == 100);
    for expansions in 0..45 {
        let limits = Limits::new().cost(5).expansions(expansions);
        let mut search = AStar::new(&problem).weight(1.5).threads(2).limits(limits).search(0);
        let report = search.run().unwrap();
        assert!(matches!(report.outcome, Outcome::Stopped(_)));
        search.set_limits(Limits::new());
        assert!(search.run().unwrap().cost() <= Some(9), "{expansions} expansions");
    }
}

#[test]
fn time_and_token_stop_all_threads() {
    let slow = Slow::new(Mesh::new(1 << 30), 20_000);
    let slow: Erased<_, _, _> = &slow;
    for threads in [1, 2, 5] {
        let limits = Limits::new().time(Duration::from_millis(20));
        let began = Instant::now();
        let mut search = AStar::new(slow).threads(threads).limits(limits).search(1);
        let report = search.run().unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
        assert!(began.elapsed() < Duration::from_millis(500), "{:?}", began.elapsed());
        let token = CancelToken::new();
        search.set_limits(Limits::new().cancel(&token));
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(10));
                token.cancel();
            });
            assert_eq!(search.run().unwrap().outcome, Outcome::Stopped(StopReason::Cancelled));
        });
        // Whenever it stopped, it does the same.
        let most = search.stats().expanded + 500;
        search.set_limits(Limits::new().expansions(most));
        let at_once = AStar::new(slow).threads(2).limits(Limits::new().expansions(most));
        assert_eq!(search.run(), at_once.search(1).run());
    }
}

#[test]
fn a_panic_reaches_the_caller_and_the_search_begins_anew() {
    let mesh = Mesh { goal: 77, ..Mesh::new(20_000) };
    let slow = Slow::new(mesh, 300);
    let erased: Erased<_, _, _> = &slow;
    let expected = AStar::new(erased).threads(2).search(1).run();
    for threads in [1, 2, 5] {
        for after in [0, 1, 40, 2000, 3000] {
            let mut search = AStar::new(erased).threads(threads).search(1);
            slow.expansions_to_panic.store(after, Ordering::Relaxed);
            let outcome = catch_unwind(AssertUnwindSafe(|| search.run()));
            slow.expansions_to_panic.store(i64::MAX, Ordering::Relaxed);
            let message = *outcome.unwrap_err().downcast::<&str>().unwrap();
            assert_eq!(message, "as planned", "{threads} threads, after {after}");
            assert_eq!(search.run(), Err(SearchError::Panicked));
            search.restart(1);
            assert_eq!(but_bytes(search.run()), but_bytes(expected.clone()));
        }
    }
}

/// Steps and heuristic values that are none: of several in one round, always the same is reported.
#[test]
fn errors_are_the_same_on_all_threads() {
    let mut errors = 0;
    for seed in 0..60 {
        let faulty = FnProblem::new(
            move |&n: &u32| {
                let mesh = Mesh::new(5000);
                let mut next = Successors::<Mesh>::new();
                mesh.successors(&n, &mut next);
                next.drain()
                    .map(|step| {
                        let is_faulty = (step.state ^ seed) % 701 == 5;
                        (
                            step.state,
                            if is_faulty {
                                -1.0 - f64::from(step.state)
                            } else {
                                f64::from(step.cost)
                            },
                        )
                    })
                    .collect::<Vec<_>>()
            },
            move |&n: &u32| if (n ^ seed) % 809 == 7 { f64::NAN } else { 0.0 },
            |_: &u32| false,
        );
        let slow = Slow::new(&faulty, 100);
        let slow: Erased<_, _, _> = &slow;
        let one = Dijkstra::new(slow).threads(1).search(seed).run();
        let astar = AStar::new(slow).threads(1).search(seed).run();
        for threads in [2, 3, 7] {
            assert_eq!(Dijkstra::new(slow).threads(threads).search(seed).run(), one);
            let many = AStar::new(slow).threads(threads).search(seed).run();
            // NaN is not equal to itself.
            assert_eq!(format!("{many:?}"), format!("{astar:?}"));
        }
        errors += u32::from(one.is_err()) + u32::from(astar.is_err());
    }
    assert!(errors > 100, "{errors}");
}

/// What an observer was told.
#[derive(Debug, Default, PartialEq)]
struct Told {
    expanded: Vec<(u32, i32, i32)>,
    generated: Vec<(Option<u32>, u32, i32)>,
    layers: Vec<Layer<i32>>,
    thread: Option<ThreadId>,
}

impl Observer<u32, i32> for Told {
    fn expanded(&mut self, &state: &u32, g: i32, h: i32) {
        assert_eq!(*self.thread.get_or_insert(thread::current().id()), thread::current().id());
        self.expanded.push((state, g, h));
    }
    fn generated(&mut self, parent: Option<&u32>, &state: &u32, g: i32) {
        self.generated.push((parent.copied(), state, g));
    }
    fn layer(&mut self, layer: &Layer<i32>) {
        self.layers.push(*layer);
    }
}

/// A record of 16 bits for the cost.
#[derive(Clone, Copy, Debug)]
struct Short {
    g: u16,
    h: u32,
    parent: u32,
    is_closed: bool,
}

impl Record for Short {
    type Cost = u32;
    type Id = u32;
    const KEEPS_H: bool = true;

    fn holds(g: u32) -> bool {
        u16::try_from(g).is_ok()
    }
    fn new(g: u32, h: u32, parent: u32) -> Self {
        Self { g: u16::try_from(g).expect("it holds"), h, parent, is_closed: false }
    }
    fn g(&self) -> u32 {
        self.g.into()
    }
    fn h(&self) -> u32 {
        self.h
    }
    fn parent(&self) -> u32 {
        self.parent
    }
    fn reach(&mut self, g: u32, parent: u32) {
        *self = Self::new(g, self.h, parent);
    }
    fn close(&mut self) {
        self.is_closed = true;
    }
    fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// It was said that there is no path, where its cost did not fit into the record.
#[test]
fn a_cost_that_the_record_does_not_hold_is_an_overflow() {
    let line = FnProblem::new(
        |&n: &u32| (n < 3).then_some((n + 1, 30_000_u32)),
        |_: &u32| 0,
        |&n: &u32| n == 3,
    );
    let astar = AStar::new(&line).table(HashedTable::<u32, Short>::default());
    let expected = Err(SearchError::Overflow { g: 60_000, added: 30_000 });
    assert_eq!(astar.threads(2).search(0).run().map(|report| report.cost()), expected);
}

/// All states that were set aside were put back in one go, however long that took.
#[test]
fn limits_are_looked_at_while_states_set_aside_are_put_back() {
    const HUBS: u32 = 512;
    const ARMS: u32 = 400;
    let star = FnProblem::new(
        |&hub: &u32| {
            let hubs = (1..if hub == 0 { HUBS } else { 1 }).map(|hub| (hub, 1));
            let arms = if hub < HUBS { 0..ARMS } else { 0..0 };
            hubs.chain(arms.map(move |arm| (HUBS + hub * ARMS + arm, 100_u32))).collect::<Vec<_>>()
        },
        |_: &u32| 0,
        |_: &u32| false,
    );
    let limits = Limits::new().cost(50);
    let mut search = AStar::new(&star).weight(2.0).threads(2).limits(limits).search(0);
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost));
    assert_eq!(report.stats.expanded, u64::from(HUBS));

    let calls = Arc::new(AtomicU32::new(0));
    let clock = Arc::clone(&calls);
    let clock = Clock::new(move || {
        clock.fetch_add(1, Ordering::Relaxed);
        Duration::ZERO
    });
    let limits = Limits::new().cost(1000).time(Duration::from_secs(1)).clock(clock);
    search.set_limits(limits.expansions(u64::from(HUBS) + 1));
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
    // At least once for each 4096 of 204,800 states.
    let calls = calls.load(Ordering::Relaxed);
    assert!(calls >= HUBS * ARMS / 4096, "{calls}");
}

#[test]
fn what_was_expanded_before_an_error_is_counted() {
    let wrong = FnProblem::new(|&n: &u32| [(n + 1, -1_i32)], |_: &u32| 0, |_: &u32| false);
    let mut search = AStar::new(&wrong).threads(2).search(0);
    assert!(matches!(search.run(), Err(SearchError::NegativeCost { .. })));
    assert_eq!(search.stats().expanded, 1);
}

#[test]
fn an_observer_is_told_the_same_whatever_the_threads_and_the_stops() {
    let slow = Slow::new(Mesh { goal: 77, ..Mesh::new(6000) }, 300);
    let mut one = Told::default();
    let report = AStar::new(&slow).threads(1).observer(&mut one).search(1).run().unwrap();
    assert_eq!(one.expanded.len() as u64, report.stats.expanded);
    assert_eq!(one.generated.len() as u64, report.stats.generated + 1);
    assert_eq!(one.layers.len() + 1, report.layers.len());
    for &(parent, state, g) in &one.generated[1..] {
        let parent = parent.expect("it has one");
        let mut next = Successors::<Mesh>::new();
        slow.problem.successors(&parent, &mut next);
        let expanded = one.expanded.iter().filter(|expanded| expanded.0 == parent);
        let costs = expanded.map(|&(_, g, _)| g);
        let is_step = |before: i32| {
            next.as_slice().iter().any(|step| step.state == state && before + step.cost == g)
        };
        assert!(costs.into_iter().any(is_step));
    }
    for threads in [1, 2, 3] {
        let mut many = Told::default();
        let mut search = AStar::new(&slow).threads(threads).observer(&mut many).search(1);
        for most in (0..).step_by(333) {
            search.set_limits(Limits::new().expansions(most));
            if !matches!(search.run().unwrap().outcome, Outcome::Stopped(_)) {
                break;
            }
        }
        assert_eq!(many, one, "{threads} threads");
    }
}

/// Heuristics that overestimate: the path is a real one at its real cost.
#[test]
fn heuristics_that_lie_lead_to_real_paths() {
    let mut found = 0;
    for seed in 0..200 {
        let mut problem = random_problem::<i32, u16>(seed);
        for (node, h) in problem.h.iter_mut().enumerate() {
            *h = i32::try_from((seed * 31 + node as u64 * 17) % 40).unwrap();
        }
        let erased: Erased<_, _, _> = &problem;
        each_way!(erased, |name, _factor, search| {
            let limits = || Limits::new().expansions(PATIENCE);
            let one = search(1, limits(), problem.starts()).run();
            assert_eq!(search(3, limits(), problem.starts()).run(), one, "{name}, seed {seed}");
            if let Ok(report) = one
                && let Some(path) = report.path()
            {
                path.verify(&problem).unwrap();
                found += 1;
            }
        });
    }
    assert!(found > 300, "{found}");
}

/// A problem that divides its work among the threads of the search: none of them waits for ever.
#[test]
fn a_problem_may_use_the_threads_of_the_search() {
    let mesh = Mesh { goal: 77, ..Mesh::new(3000) };
    let next = |state: &u32| {
        let both = rayon::join(|| successors_of(&mesh, *state), || successors_of(&mesh, *state));
        assert_eq!(both.0, both.1);
        both.0
    };
    let divided = FnProblem::new(next, |_: &u32| 0_i32, |&n: &u32| n == 77);
    let divided: Erased<_, _, _> = &divided;
    let expected = AStar::new(divided).threads(1).search(1).run();
    for threads in [2, 3, 4] {
        let report = AStar::new(divided).threads(threads).search(1).run();
        assert_eq!(report, expected, "{threads} threads");
    }
}

/// The successors of a state, made slowly.
fn successors_of(mesh: &Mesh, state: u32) -> Vec<(u32, i32)> {
    for round in 0..2000 {
        std::hint::black_box(round);
    }
    let mut next = bestfirst::SuccessorBuffer::new();
    mesh.successors(&state, &mut next);
    next.drain().map(|step| (step.state, step.cost)).collect()
}
