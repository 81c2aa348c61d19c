//! Beam search on several threads: the report of one thread, whatever stops it and however it goes on.
#![cfg(feature = "parallel")]

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ThreadId;
use std::time::Duration;

use bestfirst::problems::amphipod::{Burrow, Reduced};
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{
    Beam, Limits, Observer, Outcome, Report, ScalableCost, SearchError, SearchProblem, StopReason,
    Successors, dijkstra,
};

/// A random graph whose layers are wide enough to look ahead in; the last node is the goal. Heuristic values are
/// lower bounds, but not consistent.
struct Graph<C> {
    arcs: Vec<Vec<(u16, C)>>,
    estimates: Vec<C>,
    /// A node whose successors cannot be made.
    bad: Option<u16>,
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

impl<C: ScalableCost + From<u8>> Graph<C> {
    fn random(seed: u64, nodes: usize) -> Self {
        let mut random = Random(seed);
        let cost = |number: usize| C::from(u8::try_from(number).unwrap());
        let arcs = (0..nodes)
            .map(|_| {
                let arc = |_| {
                    let to = u16::try_from(random.below(nodes)).unwrap();
                    // Steps that cost nothing, too.
                    (to, cost(random.below(30)))
                };
                (0..6).map(arc).collect()
            })
            .collect();
        let mut graph = Self { arcs, estimates: vec![C::ZERO; nodes], bad: None };
        graph.estimates = (0..u16::try_from(nodes).unwrap())
            .map(|node| {
                let rest = dijkstra(&&graph, node).unwrap();
                let share = [0.0, 0.4, 0.9, 1.0][random.below(4)];
                rest.cost().map_or(C::INFINITY, |rest| rest.scale(share).unwrap())
            })
            .collect();
        graph
    }
}

impl<C: ScalableCost> SearchProblem for &Graph<C> {
    type State = u16;
    type Action = ();
    type Cost = C;

    fn successors(&self, &node: &u16, next: &mut Successors<Self>) {
        if self.bad == Some(node) {
            std::panic::panic_any("as planned");
        }
        for &(to, cost) in &self.arcs[usize::from(node)] {
            next.push((), to, cost);
        }
    }

    fn heuristic(&self, &node: &u16) -> C {
        self.estimates[usize::from(node)]
    }

    fn is_goal(&self, &node: &u16) -> bool {
        usize::from(node) == self.arcs.len() - 1
    }
}

/// All that an observer is told.
#[derive(Debug, Default, PartialEq)]
struct Told<C> {
    expanded: Vec<(u16, C)>,
    generated: Vec<(u16, C)>,
    incumbents: Vec<(C, C)>,
}

impl<C: Copy> Observer<u16, C> for Told<C> {
    fn expanded(&mut self, state: &u16, g: C, _: C) {
        self.expanded.push((*state, g));
    }
    fn generated(&mut self, _: Option<&u16>, state: &u16, g: C) {
        self.generated.push((*state, g));
    }
    fn incumbent(&mut self, cost: C, bound: C) {
        self.incumbents.push((cost, bound));
    }
}

type Answer<C> = Result<Report<u16, (), C>, SearchError<C>>;

/// What must be the same: all but the bytes.
fn but_bytes<C: ScalableCost>(mut answer: Answer<C>) -> Answer<C> {
    if let Ok(report) = &mut answer {
        report.stats.peak_bytes = 0;
    }
    answer
}

/// Runs a search by one of the forms of beam search, on `$threads` threads (0: without), by what `drive` does.
macro_rules! with_search {
    ($graph:expr, $form:expr, $threads:expr, |$search:ident| $drive:expr) => {{
        let graph = $graph;
        let builder = match $form {
            0 => Beam::new(graph),
            1 => Beam::new(graph).width(40),
            _ => Beam::new(graph).width_from(25),
        };
        if $threads == 0 {
            let mut $search = builder.search(0);
            $drive
        } else {
            let mut $search = builder.threads($threads).search(0);
            $drive
        }
    }};
}

fn threads_change_nothing<C: ScalableCost + From<u8> + Send + Sync>(
    seeds: std::ops::Range<u64>,
) -> u64 {
    let mut found = 0;
    for seed in seeds {
        let graph = &Graph::<C>::random(seed, 150);
        let optimum = dijkstra(&graph, 0).unwrap().cost();
        for form in 0..3 {
            let plain = but_bytes(with_search!(graph, form, 0, |search| search.run()));
            if form != 1 {
                assert_eq!(plain.as_ref().unwrap().cost(), optimum);
            }
            found += u64::from(plain.as_ref().is_ok_and(|report| report.path().is_some()));
            for threads in 1..=3 {
                let answer = with_search!(graph, form, threads, |search| search.run());
                assert_eq!(but_bytes(answer), plain, "seed {seed}, form {form}, {threads}");
            }
        }
    }
    found
}

#[test]
fn a_beam_on_threads_has_the_report_of_one_thread() {
    let found = threads_change_nothing::<u32>(0..18) + threads_change_nothing::<f64>(60..72);
    assert!(found > 60, "{found}");
}

/// The limit on expansions is exact, what is said at a stop is the same, and so is the end.
#[test]
fn a_beam_on_threads_stops_where_one_thread_does() {
    let mut stops = 0;
    for seed in 0..5 {
        let graph = &Graph::<u32>::random(seed, 70);
        for form in 0..3 {
            let end = but_bytes(with_search!(graph, form, 0, |search| search.run()));
            let all = end.as_ref().unwrap().stats.expanded;
            for most in 0..all {
                let limits = || Limits::new().expansions(most);
                let plain = with_search!(graph, form, 0, |search| {
                    search.set_limits(limits());
                    search.run()
                });
                for threads in 2..=3 {
                    with_search!(graph, form, threads, |search| {
                        search.set_limits(limits());
                        let stop = search.run();
                        let is_stop = |report: &Report<_, _, _>| {
                            report.outcome == Outcome::Stopped(StopReason::Expansions)
                        };
                        stops += u64::from(stop.as_ref().is_ok_and(is_stop));
                        assert_eq!(but_bytes(stop), but_bytes(plain.clone()), "{seed} {form}");
                        search.set_limits(Limits::new());
                        assert_eq!(but_bytes(search.run()), end, "{seed} {form}");
                        search.restart(0);
                        assert_eq!(but_bytes(search.run()), end, "{seed} {form}");
                    });
                }
            }
        }
    }
    assert!(stops > 700, "{stops}");
}

#[test]
fn a_beam_on_threads_stopped_anywhere_goes_on_as_if_it_had_not() {
    for seed in 0..12 {
        let graph = &Graph::<u32>::random(seed, 150);
        let mut random = Random(seed);
        for form in 0..3 {
            let end = but_bytes(with_search!(graph, form, 0, |search| search.run()));
            let answer = with_search!(graph, form, 3, |search| {
                let mut most = 0;
                loop {
                    most += random.below(60) as u64;
                    search.set_limits(Limits::new().expansions(most));
                    let answer = search.run();
                    if !matches!(
                        &answer,
                        Ok(Report { outcome: Outcome::Stopped(StopReason::Expansions), .. })
                    ) {
                        break answer;
                    }
                }
            });
            assert_eq!(but_bytes(answer), end, "seed {seed}, form {form}");
        }
    }
}

/// What is made ahead keeps to the limit on memory, and where that is short it is given back.
#[test]
fn a_beam_on_threads_stops_for_memory_and_loses_nothing() {
    let mut stops = 0;
    for seed in 0..8 {
        let graph = &Graph::<u32>::random(seed, 400);
        let mut random = Random(seed);
        for form in [0, 2] {
            let end = with_search!(graph, form, 0, |search| search.run()).unwrap();
            with_search!(graph, form, 2, |search| {
                let mut most = 1 + random.below(1000);
                let answer = loop {
                    search.set_limits(Limits::new().memory(most));
                    let report = search.run().unwrap();
                    assert!(search.bytes() <= most && report.stats.peak_bytes <= most as u64);
                    if report.outcome != Outcome::Stopped(StopReason::Memory) {
                        break report;
                    }
                    most += 1 + random.below(1 + most / 4);
                    stops += 1;
                };
                assert_eq!((answer.cost(), answer.lower_bound), (end.cost(), end.lower_bound));
            });
        }
    }
    assert!(stops > 130, "{stops}");
}

#[test]
fn an_observer_hears_the_same_of_a_beam_on_threads() {
    let mut expanded = 0;
    for seed in 0..8 {
        let graph = &Graph::<f64>::random(seed, 150);
        let (mut plain, mut threaded) = (Told::default(), Told::default());
        let one = Beam::new(graph).width_from(40).observer(&mut plain).search(0).run();
        let builder = Beam::new(graph).width_from(40).observer(&mut threaded).threads(2);
        assert_eq!(but_bytes(builder.search(0).run()), but_bytes(one));
        assert_eq!(threaded, plain);
        expanded += plain.expanded.len();
    }
    assert!(expanded > 200, "{expanded}");
}

#[test]
fn heuristic_values_that_are_no_numbers_are_the_same_error() {
    let mut errors = 0;
    for seed in 0..24 {
        let mut graph = Graph::<f64>::random(seed, 150);
        let bad = Random(seed).below(149);
        graph.estimates[bad] = f64::NAN;
        let run = |threads| with_search!(&graph, 2, threads, |search| search.run());
        match (run(0), run(2)) {
            (
                Err(SearchError::NotANumber { g, value }),
                Err(SearchError::NotANumber { g: other, value: also }),
            ) => {
                assert!(g.total_cmp(&other).is_eq() && value.is_nan() && also.is_nan());
                errors += 1;
            }
            (plain, threaded) => assert_eq!(but_bytes(threaded), but_bytes(plain)),
        }
    }
    assert!(errors > 7, "{errors}");
}

/// A panic on any thread reaches the caller, and the search is sound when it is begun anew.
#[test]
fn a_panic_on_a_thread_reaches_the_caller() {
    let mut panicked = 0;
    for seed in 0..16 {
        let mut graph = Graph::<u32>::random(seed, 150);
        let sound = but_bytes(with_search!(&graph, 2, 0, |search| search.run()));
        let sound_graph =
            Graph { bad: None, arcs: graph.arcs.clone(), estimates: graph.estimates.clone() };
        graph.bad = u16::try_from(1 + Random(seed).below(148)).ok();
        let mut search = Beam::new(&graph).width_from(25).threads(3).search(0);
        let mut answer = None;
        if support::panics::panics(|| answer = Some(search.run())) {
            panicked += 1;
            assert!(matches!(search.run(), Err(SearchError::Panicked)));
        } else {
            // It may be a state that was pruned before it came to its turn.
            assert_eq!(but_bytes(answer.unwrap()), sound);
        }
        search.restart_with(&sound_graph, 0);
        assert_eq!(but_bytes(search.run()), sound, "seed {seed}");
    }
    assert!(panicked > 3, "{panicked}");
}

/// A problem that takes its time, and notes who asks.
struct Slow<'a> {
    graph: &'a Graph<u32>,
    threads: Mutex<HashSet<ThreadId>>,
}

impl SearchProblem for &Slow<'_> {
    type State = u16;
    type Action = ();
    type Cost = u32;

    fn successors(&self, node: &u16, next: &mut Successors<Self>) {
        std::thread::sleep(Duration::from_micros(20));
        self.threads.lock().unwrap().insert(std::thread::current().id());
        self.graph.successors(node, next);
    }

    fn heuristic(&self, node: &u16) -> u32 {
        self.graph.heuristic(node)
    }

    fn is_goal(&self, node: &u16) -> bool {
        self.graph.is_goal(node)
    }
}

#[test]
fn the_threads_do_the_work() {
    let graph = Graph::<u32>::random(5, 500);
    for threads in [1, 3] {
        let slow = Slow { graph: &graph, threads: Mutex::default() };
        let report = Beam::new(&slow).width_from(200).threads(threads).search(0).run().unwrap();
        assert!(report.is_optimal());
        assert_eq!(slow.threads.lock().unwrap().len(), threads);
    }
}

/// A problem without end that is cancelled from within, on whatever thread.
struct Cancelled {
    token: bestfirst::CancelToken,
    is_done: AtomicBool,
    after: Mutex<u64>,
}

impl SearchProblem for &Cancelled {
    type State = u64;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &node: &u64, next: &mut Successors<Self>) {
        std::thread::sleep(Duration::from_micros(100));
        if node > 3000 {
            self.token.cancel();
            if self.is_done.swap(true, Ordering::Relaxed) {
                *self.after.lock().unwrap() += 1;
            }
        }
        for child in 1..=4 {
            next.push((), 4 * node + child, 1);
        }
    }

    fn is_goal(&self, _: &u64) -> bool {
        false
    }
}

#[test]
fn a_beam_on_threads_hears_of_a_cancelled_token() {
    let token = bestfirst::CancelToken::new();
    let problem =
        Cancelled { token: token.clone(), is_done: AtomicBool::new(false), after: Mutex::new(0) };
    let limits = Limits::new().cancel(&token);
    let report = Beam::new(&problem).width_from(300).threads(2).limits(limits).search(0).run();
    assert_eq!(report.unwrap().outcome, Outcome::Stopped(StopReason::Cancelled));
    // Those that were made ahead, and those until the token was looked at.
    assert!(*problem.after.lock().unwrap() < 200, "{:?}", problem.after);
}

#[test]
fn a_puzzle_is_solved_alike_on_any_number_of_threads() {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    let board: Board = "14 13 15 7  11 12 9 5  6 0 2 1  4 8 10 3".parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    let plain = Beam::new(&puzzle).width(600).search(start).run().unwrap();
    for threads in [0, 2, 5] {
        let builder = Beam::new(&puzzle).width(600).threads(threads);
        let mut report = builder.search(start).run().unwrap();
        report.stats.peak_bytes = plain.stats.peak_bytes;
        assert_eq!(report, plain);
    }
}

/// How much threads gain: `cargo test --profile dev --features parallel --test suite gain -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn gain() {
    fn measure<P>(name: &str, problem: &P, start: &P::State, width: usize)
    where
        P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
    {
        let mut seconds = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..5 {
            for (threads, seconds) in seconds.iter_mut().enumerate() {
                let builder = Beam::new(problem).width(width);
                let began = std::time::Instant::now();
                let report = match threads {
                    0 => builder.search(start.clone()).run(),
                    _ => builder.threads(threads).search(start.clone()).run(),
                };
                seconds.push(began.elapsed().as_secs_f64());
                assert!(report.is_ok_and(|report| report.path().is_some()));
            }
        }
        let [plain, one, two] = seconds.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[2]
        });
        println!("| {name} | {width} | {plain:.3} | {:.2} | {:.2} |", plain / one, plain / two);
    }

    println!("| problem | width | seconds, one thread | `threads(1)` | `threads(2)` |");
    println!("|---|---:|---:|---:|---:|");
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    let board: Board = "14 13 15 7  11 12 9 5  6 0 2 1  4 8 10 3".parse().unwrap();
    measure("15-puzzle", &puzzle, &puzzle.state(&board).unwrap(), 10_000);
    let burrow = Burrow::example().unfolded().unwrap();
    let amphipods: Reduced = Reduced::new(&burrow).unwrap();
    measure("amphipods", &amphipods, &amphipods.start().0, 20_000);
    // The 15-puzzle, where a state takes microseconds.
    let laborious = bestfirst::WithHeuristic::new(&puzzle, |state: &Packed| {
        let labour = (0..1000_u32).fold(1_u32, |a, b| std::hint::black_box(a ^ b.wrapping_mul(a)));
        std::hint::black_box(labour);
        puzzle.heuristic(state)
    });
    measure(
        "15-puzzle, a heuristic of a microsecond",
        &laborious,
        &puzzle.state(&board).unwrap(),
        1000,
    );
}
