//! Limits hold, on every engine: stops are where they should be, what is said then is true, and going
//! on leads to the same report as never having stopped.

#[path = "oracle/counting.rs"]
mod counting;
#[path = "oracle/engines.rs"]
mod engines;
#[path = "oracle/mesh.rs"]
mod mesh;
#[path = "oracle/random.rs"]
mod random;

use std::time::{Duration, Instant};

use bestfirst::frontier::{BucketQueue, IndexedQueue, LazyHeap};
use bestfirst::{
    AStar, CancelToken, Cost, DenseStates, Dijkstra, FnProblem, IdaStar, InPlaceProblem, Layer,
    Limits, Outcome, Report, SearchProblem, StopReason,
};

use engines::{BoxedSearch, Engine, Needs, engines};
use mesh::{Chain, Mesh};
use random::{Name, Problem, Random, Truth, Units};

type Answer<P> = engines::Answer<
    <P as SearchProblem>::State,
    <P as SearchProblem>::Action,
    <P as SearchProblem>::Cost,
>;

/// The same but for the bytes: a search that was short of memory takes other amounts.
fn but_bytes<S, A, C, E>(mut answer: Result<Report<S, A, C>, E>) -> Result<Report<S, A, C>, E> {
    if let Ok(report) = &mut answer {
        report.stats.peak_bytes = 0;
    }
    answer
}

/// What of two reports must be the same.
enum Matters {
    All,
    AllButBytes,
    /// The answer and what is proved, not how it was found.
    Answer,
}

/// Runs every engine on random problems, each twice: `meddle` is given the search, the answer of the
/// undisturbed one and the optimal cost, if there is one, and drives the search to its end.
fn compare<C: Units>(
    seeds: std::ops::Range<u64>,
    mut meddle: impl FnMut(
        BoxedSearch<'_, Problem<C, u16>>,
        &Answer<Problem<C, u16>>,
        Option<C>,
        &mut Random,
    ) -> Answer<Problem<C, u16>>,
    what_matters: fn(&Engine<Problem<C, u16>>) -> Matters,
) {
    let mut compared = 0;
    for seed in seeds {
        let problem = Problem::<C, u16>::random(seed, if seed % 4 == 0 { 60 } else { 10 });
        let graph = &problem.graph;
        let optimum = match graph.truth {
            Truth::Costs(units) => Some(C::of(units, graph.scale)),
            _ => None,
        };
        for engine in engines() {
            if graph.chain.is_some() || !(engine.remembers() || graph.edges.len() <= 10) {
                continue;
            }
            let search = |limits| (engine.search)(&problem, limits, problem.starts());
            let mut expected = search(Limits::new().expansions(2000)).run();
            if expected.as_ref().is_ok_and(|report| matches!(report.outcome, Outcome::Stopped(_))) {
                continue; // Depth-first, and without end.
            }
            let mut random = Random::new(seed);
            let mut answer = meddle(search(Limits::new()), &expected, optimum, &mut random);
            match what_matters(&engine) {
                Matters::All => {}
                Matters::AllButBytes => {
                    (answer, expected) = (but_bytes(answer), but_bytes(expected));
                }
                Matters::Answer => {
                    let costs = [&answer, &expected].map(|answer| {
                        answer.as_ref().ok().map(|report| (report.cost(), report.lower_bound))
                    });
                    assert_eq!(costs[0], costs[1], "seed {seed}, {}", engine.name);
                    answer.clone_from(&expected);
                }
            }
            assert_eq!(answer, expected, "seed {seed}, {}", engine.name);
            compared += 1;
        }
    }
    assert!(compared > 1000, "only {compared}");
}

#[test]
fn stops_at_the_expansion_and_goes_on_as_if_it_had_not() {
    compare::<u32>(
        0..400,
        |mut search, _, optimum, random| {
            let mut most = 0;
            let mut proved = 0;
            loop {
                most += random.below(8);
                search.set_limits(Limits::new().expansions(most));
                let report = search.run()?;
                let Outcome::Stopped(reason) = report.outcome else { return Ok(report) };
                assert_eq!(reason, StopReason::Expansions);
                assert_eq!(report.stats.expanded, most);
                assert_eq!(search.stats(), report.stats);
                assert!(report.lower_bound >= proved, "what is proved stays proved");
                proved = report.lower_bound;
                assert!(optimum.is_none_or(|cost| proved <= cost), "and is true");
                if let Some(path) = &report.incumbent {
                    assert!(Some(path.cost()) >= optimum);
                }
            }
        },
        |_| Matters::All,
    );
}

#[test]
fn steps_lead_to_the_same_report() {
    compare::<f64>(
        1000..1400,
        |mut search, _, _, _| {
            loop {
                let before = search.stats().expanded;
                if let Some(report) = search.step()? {
                    assert!(search.stats().expanded <= before + 1);
                    return Ok(report);
                }
                assert_eq!(search.stats().expanded, before + 1);
            }
        },
        |_| Matters::All,
    );
}

#[test]
fn stops_for_memory_and_loses_nothing() {
    let mut stops = 0;
    compare::<u64>(
        2000..2600,
        |mut search, _, optimum, random| {
            let mut most = random.index(500);
            loop {
                search.set_limits(Limits::new().memory(most));
                let report = search.run()?;
                assert!(search.bytes() <= most);
                assert!(report.stats.peak_bytes <= most as u64);
                let Outcome::Stopped(reason) = report.outcome else { return Ok(report) };
                assert_eq!(reason, StopReason::Memory);
                assert!(optimum.is_none_or(|cost| report.lower_bound <= cost));
                most += 1 + random.index(1 + most / 4);
                stops += 1;
            }
        },
        |_| Matters::AllButBytes,
    );
    assert!(stops > 10_000, "{stops}");
}

#[test]
fn stops_at_the_cost_and_keeps_the_goal() {
    let mut stops = 0;
    compare::<u16>(
        3000..3400,
        |mut search, expected, optimum, random| {
            let mut most = 0_u16;
            loop {
                search.set_limits(Limits::new().cost(most));
                let report = search.run()?;
                let Outcome::Stopped(reason) = report.outcome else {
                    assert!(optimum.is_none_or(|cost| cost <= most), "dearer than allowed");
                    return Ok(report);
                };
                assert_eq!(reason, StopReason::Cost);
                assert!(report.lower_bound > most && report.incumbent.is_none());
                assert!(optimum.is_none_or(|cost| cost >= report.lower_bound));
                stops += 1;
                if most == u16::MAX {
                    return expected.clone();
                }
                most = most
                    .saturating_add(1 + u16::try_from(random.below(1 + u64::from(most))).unwrap());
            }
        },
        // Engines that improve on a solution go another way where they know what it may cost.
        |engine| if engine.improves() { Matters::Answer } else { Matters::All },
    );
    assert!(stops > 1000, "{stops}");
}

#[test]
fn a_cancelled_search_goes_on() {
    compare::<i32>(
        4000..4300,
        |mut search, _, _, random| {
            let token = CancelToken::new();
            for _ in 0..random.below(20) {
                if let Some(report) = search.step()? {
                    return Ok(report);
                }
            }
            token.cancel();
            search.set_limits(Limits::new().cancel(&token));
            let report = search.run()?;
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
            assert_eq!(search.run()?, report, "and stays so");
            token.reset();
            let before = search.stats();
            search.set_limits(Limits::new().time(Duration::ZERO));
            let report = search.run()?;
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
            assert_eq!(search.stats(), before);
            search.set_limits(Limits::new().cancel(&token).time(Duration::MAX));
            search.run()
        },
        |_| Matters::All,
    );
}

/// A search begun anew reports as a fresh one does; only its memory is there already.
#[test]
fn begun_anew_is_as_good_as_new() {
    macro_rules! begin_anew {
        ($problem:ident, $seed:ident: $($search:expr),* $(,)?) => {$(
            let mut search = $search.search_from($problem.starts());
            let first = search.run();
            // Somewhere in between, elsewhere, with an error or not.
            search.restart(0);
            search.set_limits(Limits::new().expansions($seed % 7));
            let _ = search.run();
            search.set_limits(Limits::new());
            search.restart_from($problem.starts());
            assert_eq!(but_bytes(search.run()), but_bytes(first), "seed {}", $seed);
        )*};
    }
    for seed in 5000..5600 {
        let problem = Problem::<u64, u16>::random(seed, 40);
        if problem.graph.chain.is_some() {
            continue;
        }
        begin_anew!(problem, seed:
            AStar::new(&problem),
            AStar::new(&problem).frontier(LazyHeap::new()),
            AStar::new(&problem).frontier(IndexedQueue::new()),
            AStar::new(&problem).dense(),
            AStar::new(&problem).dense().frontier(LazyHeap::new()),
            Dijkstra::new(&problem).frontier(BucketQueue::new()),
            Dijkstra::new(&problem).dense().frontier(IndexedQueue::new()),
        );
    }
}

/// Runs a search with less and less tight limits on memory; at every stop, the allocator must say
/// what the search says, to one percent.
fn weigh<P: DenseStates + InPlaceProblem>(
    problem: &P,
    start: &P::State,
    wanted: impl Fn(&Engine<P>) -> bool,
    most: usize,
) where
    P::Cost: Units,
{
    for engine in engines().into_iter().filter(wanted) {
        let mut limit = 1 << 12;
        let before = counting::held();
        let starts = vec![(start.clone(), P::Cost::ZERO)];
        let mut search = (engine.search)(problem, Limits::new(), starts);
        let mut stops = 0;
        loop {
            search.set_limits(Limits::new().memory(limit).expansions(3_000_000));
            counting::forget_peak();
            let report = search.run().unwrap();
            let (held, peak) = (counting::held() - before, counting::peak() - before);
            let name = engine.name;
            if limit > most || !matches!(report.outcome, Outcome::Stopped(StopReason::Memory)) {
                break;
            }
            // The report is not part of the search.
            let reported = (report.layers.capacity() * size_of::<Layer<P::Cost>>()).cast_signed();
            let (held, peak) = (held - reported, peak - reported);
            let slack = (limit / 100).cast_signed() + 1500;
            assert!(peak <= limit.cast_signed() + slack, "{name}: {peak} held at {limit} allowed");
            let said = search.bytes().cast_signed();
            assert!((held - said).abs() <= slack, "{name}: {held} held, {said} said");
            stops += 1;
            limit += limit / 7;
        }
        assert!(stops > 10, "{}: {stops}", engine.name);
        drop(search);
        assert_eq!(counting::held(), before, "{} gave all back", engine.name);
    }
}

#[test]
fn memory_is_what_the_allocator_says_best_first() {
    weigh(&Mesh::new(200_000), &1, Engine::remembers, 1 << 23);
    let sparse = Mesh { dearest: 1 << 16, ..Mesh::new(60_000) };
    weigh(&sparse, &1, Engine::remembers, 1 << 22);
}

#[test]
fn memory_is_what_the_allocator_says_depth_first() {
    for step in [0, 1] {
        let chain = Chain { length: 30_000, step };
        let is_wanted = |engine: &Engine<Chain>| {
            // A table that is small and steps that cost nothing are a bad match.
            !engine.remembers() && (step > 0 || engine.needs == Needs::Small)
        };
        weigh(&chain, &0, is_wanted, 1 << 23);
    }
}

/// The account must not grow with time while the search holds no more. The states on the path are
/// kept in a hash set, in which those removed may take up room until it is put in order.
#[test]
fn the_account_of_a_long_search_does_not_drift() {
    for depth in [12, 14, 27, 28, 55, 56, 112, 440, 447, 448, 890, 896] {
        // Many branches, which part at once: for each, all states on the path are others.
        let comb = FnProblem::new(
            move |&(branch, level): &(u32, u32)| {
                let branches = if level == 0 { 0..100_000 } else { branch..branch + 1 };
                let goes_on = level < depth;
                branches
                    .take_while(move |_| goes_on)
                    .map(move |branch| ((branch, level + 1), 1_u32))
            },
            move |&(_, level)| depth - level,
            |_| false,
        );
        let before = counting::held();
        let mut search = IdaStar::new(&comb).avoid_cycles().search((0, 0));
        for expansions in [1000, 400_000] {
            search.set_limits(Limits::new().expansions(expansions));
            let report = search.run().unwrap();
            let reported = (report.layers.capacity() * size_of::<Layer<u32>>()).cast_signed();
            let held = counting::held() - before - reported;
            let said = search.bytes().cast_signed();
            assert!((held - said).abs() <= 600, "depth {depth}: {held} held, {said} said");
        }
    }
}

/// The best of several runs, as the machine may have other things to do.
fn least(runs: usize, run: impl FnMut(usize) -> Duration) -> Duration {
    (0..runs).map(run).min().unwrap()
}

#[test]
fn stops_in_time() {
    for labour in [0, 2000] {
        let mesh = Mesh { labour, ..Mesh::new(1 << 18) };
        for engine in engines() {
            let over = least(6, |run| {
                let most = Duration::from_millis(3 + run as u64);
                let limits = Limits::new().time(most);
                let mut search = (engine.search)(&mesh, limits, vec![(1, 0)]);
                let began = Instant::now();
                let report = search.run().unwrap();
                let took = began.elapsed();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
                took.checked_sub(most).expect("not before the time is up")
            });
            assert!(over < Duration::from_millis(10), "{}: {over:?} over", engine.name);
        }
    }
}

#[test]
fn stops_when_another_thread_says_so() {
    let mesh = Mesh { labour: 2000, ..Mesh::new(1 << 16) };
    for engine in engines() {
        let late = least(5, |_| {
            let token = CancelToken::new();
            let limits = Limits::new().cancel(&token);
            let mut search = (engine.search)(&mesh, limits, vec![(1, 0)]);
            std::thread::scope(|scope| {
                let other = scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(2));
                    token.cancel();
                    Instant::now()
                });
                let report = search.run().unwrap();
                let stopped = Instant::now();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
                stopped.saturating_duration_since(other.join().unwrap())
            })
        });
        assert!(late < Duration::from_millis(10), "{}: {late:?} late", engine.name);
    }
}

/// The names of the engines are told apart in failures.
#[test]
fn engines_have_names() {
    let mut names: Vec<_> = engines::<Mesh>().iter().map(|engine| engine.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), engines::<Mesh>().len());
    assert!(u16::new(3).node() == 3);
}
