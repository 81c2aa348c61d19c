//! Limits hold, on every engine: stops are where they should be, what is said then is true, and going
//! on leads to the same report as never having stopped.

use std::collections::BTreeMap;
use std::mem::discriminant;
use std::time::{Duration, Instant};

use bestfirst::frontier::{BucketQueue, Frontier, IndexedQueue, LazyHeap, Single};
use bestfirst::memory::Memory;
use bestfirst::table::{EstimateRecord, HashedTable};
use bestfirst::{
    AStar, CancelToken, Cost, DenseStates, Dijkstra, IdaStar, InPlaceProblem, Layer, Limits,
    Outcome, Report, SearchProblem, StopReason, Successors, check,
};

use support::engines::{BoxedSearch, Engine, Listed, Needs, engines, erased};
use support::erased::problem;
use support::judge::check_cost;
use support::mesh::{Chain, Mesh};
use support::random::{Name, Problem, Random, Truth, Units, is_enough, rounds};

type Answer<P> = support::engines::Answer<
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
    /// Which answer it is, and what is promised of it.
    Promise,
}

/// What is known of a problem before a search of it is disturbed, and what is counted meanwhile.
struct Case<'a, C: Units> {
    expected: &'a Answer<Problem<C, u32>>,
    /// What the cheapest path costs, if there is one.
    optimum: Option<C>,
    random: Random,
    /// How often this engine has been stopped, in all problems.
    stops: &'a mut u64,
}

/// At a stop, a search that is not optimal may have proved more than what is left open proves in the end, if
/// the heuristic is not consistent; what is proved stays proved. Then the bounds need not be the same.
fn level_bounds<C: Units>(
    answer: &mut Answer<Problem<C, u32>>,
    expected: &Answer<Problem<C, u32>>,
    is_consistent: bool,
) {
    if let (Ok(report), Ok(other)) = (answer, expected)
        && !is_consistent
    {
        assert!(report.lower_bound >= other.lower_bound);
        report.lower_bound = other.lower_bound;
    }
}

/// Runs every engine on random problems, each twice: `meddle` drives the second search to its end,
/// and the answers must be the same: `what_matters` of them, for an engine and the expansions of the first
/// search. Every engine must have been stopped `stops` times or more, where all rounds are made.
fn compare<C: Units + Listed>(
    seeds: std::ops::Range<u64>,
    stops: u64,
    mut meddle: impl FnMut(
        BoxedSearch<'_, Problem<C, u32>>,
        &mut Case<'_, C>,
    ) -> Answer<Problem<C, u32>>,
    what_matters: fn(&Engine<Problem<C, u32>>, u64) -> Matters,
) {
    let mut compared = 0_u64;
    let mut stopped = BTreeMap::new();
    for seed in seeds {
        let problem = Problem::<C, u32>::random(seed, if seed % 4 == 0 { 60 } else { 10 });
        let graph = &problem.graph;
        let optimum = match graph.truth {
            Truth::Costs(units) => Some(C::of(units, graph.scale)),
            _ => None,
        };
        let states = 0..u32::try_from(graph.edges.len()).unwrap();
        let is_consistent = graph.chain.is_none() && check::consistent(&problem, states).is_ok();
        for engine in engines() {
            if graph.chain.is_some() || !(engine.remembers() || graph.edges.len() <= 10) {
                continue;
            }
            let search = |limits| (engine.search)(&problem, limits, problem.starts());
            let mut undisturbed = search(Limits::new().expansions(2000));
            let mut expected = undisturbed.run();
            if expected.as_ref().is_ok_and(|report| matches!(report.outcome, Outcome::Stopped(_))) {
                continue; // Depth-first, and without end.
            }
            let mut case = Case {
                expected: &expected,
                optimum,
                random: Random::new(seed),
                stops: stopped.entry(engine.name).or_insert(0),
            };
            let mut answer = meddle(search(Limits::new()), &mut case);
            match what_matters(&engine, undisturbed.stats().expanded) {
                // When the buffers of a recursion grow depends on where it was stopped.
                Matters::All if !engine.name.starts_with("IDA*") => {}
                Matters::All | Matters::AllButBytes => {
                    (answer, expected) = (but_bytes(answer), but_bytes(expected));
                }
                Matters::Answer => {
                    let costs = [&answer, &expected].map(|answer| {
                        answer.as_ref().ok().map(|report| (report.cost(), report.lower_bound))
                    });
                    assert_eq!(costs[0], costs[1], "seed {seed}, {}", engine.name);
                    answer.clone_from(&expected);
                }
                Matters::Promise => {
                    let (Ok(report), Ok(other)) = (&answer, &expected) else {
                        // Which sum was too large first depends on the way.
                        let errors = [&answer, &expected].map(|answer| answer.as_ref().err());
                        let kinds = errors.map(|error| error.map(discriminant));
                        assert_eq!(kinds[0], kinds[1], "seed {seed}, {}", engine.name);
                        continue;
                    };
                    let kinds = [report, other].map(|report| discriminant(&report.outcome));
                    assert_eq!(kinds[0], kinds[1], "seed {seed}, {}", engine.name);
                    if let Some(path) = report.path() {
                        assert_eq!(path.verify(&problem), Ok(()), "seed {seed}, {}", engine.name);
                        check_cost(report, optimum.expect("there is a path"), engine.factor);
                    }
                    answer.clone_from(&expected);
                }
            }
            if !engine.is_optimal() {
                level_bounds(&mut answer, &expected, is_consistent);
            }
            assert_eq!(answer, expected, "seed {seed}, {}", engine.name);
            compared += 1;
        }
    }
    assert!(is_enough(compared, 1000), "only {compared}");
    let stops = rounds(stops);
    assert!(stopped.values().all(|&count| count >= stops), "too few stops: {stopped:?}");
}

#[test]
fn stops_at_the_expansion_and_goes_on_as_if_it_had_not() {
    compare::<i32>(
        48..48 + rounds(140),
        50,
        |mut search, case| {
            let mut most = 0;
            let mut proved = 0;
            loop {
                most += case.random.below(3);
                search.set_limits(Limits::new().expansions(most));
                let report = search.run()?;
                let Outcome::Stopped(reason) = report.outcome else { return Ok(report) };
                assert_eq!(reason, StopReason::Expansions);
                assert_eq!(report.stats.expanded, most);
                assert_eq!(search.stats(), report.stats);
                assert!(report.lower_bound >= proved, "what is proved stays proved");
                proved = report.lower_bound;
                assert!(case.optimum.is_none_or(|cost| proved <= cost), "and is true");
                if let Some(path) = &report.incumbent {
                    assert!(Some(path.cost()) >= case.optimum);
                    let factor = report.suboptimality().expect("a path has a factor");
                    assert!(factor >= 1.0 && (factor > 1.0) == (path.cost() > proved));
                }
                *case.stops += 1;
            }
        },
        |_, _| Matters::All,
    );
}

/// A limit of just what a search needs does not stop it, and one less does.
#[test]
fn as_many_expansions_as_are_needed_are_enough() {
    compare::<i32>(
        6000..6000 + rounds(60),
        0,
        |mut search, case| {
            let Ok(report) = case.expected else { return search.run() };
            let needed = report.stats.expanded;
            if needed > 0 {
                search.set_limits(Limits::new().expansions(needed - 1));
                let report = search.run()?;
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
                assert_eq!(report.stats.expanded, needed - 1);
            }
            if case.random.one_in(2) {
                // However it gets there.
                search.set_limits(Limits::new());
                if needed > 0 && search.step()?.is_none() && case.random.one_in(2) {
                    assert_eq!(search.stats().expanded, needed);
                }
            }
            search.set_limits(Limits::new().expansions(needed));
            search.run()
        },
        |_, _| Matters::All,
    );
}

#[test]
fn steps_lead_to_the_same_report() {
    compare::<i32>(
        1000..1000 + rounds(60),
        0,
        |mut search, _| {
            loop {
                let before = search.stats().expanded;
                if let Some(report) = search.step()? {
                    assert!(search.stats().expanded <= before + 1);
                    return Ok(report);
                }
                assert_eq!(search.stats().expanded, before + 1);
            }
        },
        |_, _| Matters::All,
    );
}

#[test]
fn stops_for_memory_and_loses_nothing() {
    compare::<i32>(
        2000..2000 + rounds(50),
        60,
        |mut search, case| {
            let mut most = case.random.index(500);
            loop {
                search.set_limits(Limits::new().memory(most));
                let report = search.run()?;
                assert!(search.bytes() <= most);
                assert!(report.stats.peak_bytes <= most as u64);
                let Outcome::Stopped(reason) = report.outcome else { return Ok(report) };
                assert_eq!(reason, StopReason::Memory);
                assert!(case.optimum.is_none_or(|cost| report.lower_bound <= cost));
                most += 1 + case.random.index(1 + most / 4);
                *case.stops += 1;
            }
        },
        // Where there was no room for a state in all queues of focal search, some hold it twice; then equal keys
        // come out in another order. Where a part of anytime search has no room, it is the turn of the other part.
        |engine, _| match engine {
            engine
                if ["focal", "anytime search"]
                    .iter()
                    .all(|name| !engine.name.starts_with(name)) =>
            {
                Matters::AllButBytes
            }
            engine if engine.is_optimal() => Matters::Answer,
            _ => Matters::Promise,
        },
    );
}

#[test]
fn stops_at_the_cost_and_keeps_the_goal() {
    compare::<i32>(
        3012..3012 + rounds(60),
        50,
        |mut search, case| {
            let optimum = case.optimum;
            let mut most = 0_i32;
            loop {
                search.set_limits(Limits::new().cost(most));
                let report = search.run()?;
                let Outcome::Stopped(reason) = report.outcome else {
                    assert!(optimum.is_none_or(|cost| cost <= most), "dearer than allowed");
                    assert!(report.cost().is_none_or(|cost| cost <= most), "dearer than allowed");
                    return Ok(report);
                };
                assert_eq!(reason, StopReason::Cost);
                assert!(report.lower_bound > most && report.incumbent.is_none());
                assert!(optimum.is_none_or(|cost| cost >= report.lower_bound));
                *case.stops += 1;
                if most == i32::MAX {
                    return case.expected.clone();
                }
                let more = case.random.below(1 + u64::from(most.cast_unsigned()));
                most = most.saturating_add(i32::try_from(more + 1).unwrap_or(i32::MAX));
            }
        },
        // Engines that set states aside go another way where they know what a solution may cost. So does
        // IDA* where it chooses bounds, which it does not before it has expanded a hundred states.
        |engine, expanded| match engine {
            engine if engine.name.starts_with("IDA*") && expanded > 100 => Matters::Answer,
            engine if !engine.sets_aside() => Matters::All,
            engine if engine.is_optimal() => Matters::Answer,
            _ => Matters::Promise,
        },
    );
}

#[test]
fn a_cancelled_search_goes_on() {
    compare::<i32>(
        5000..5000 + rounds(50),
        17,
        |mut search, case| {
            let token = CancelToken::new();
            for _ in 0..10 {
                for _ in 0..case.random.below(4) {
                    search.set_limits(Limits::new().cancel(&token));
                    if let Some(report) = search.step()? {
                        return Ok(report);
                    }
                }
                token.cancel();
                search.set_limits(Limits::new().cancel(&token));
                let report = search.run()?;
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
                assert_eq!(search.run()?, report, "and stays so");
                *case.stops += 1;
                token.reset();
                let before = search.stats();
                search.set_limits(Limits::new().time(Duration::ZERO));
                let report = search.run()?;
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
                assert_eq!(search.stats(), before);
            }
            search.set_limits(Limits::new().cancel(&token).time(Duration::MAX));
            search.run()
        },
        |_, _| Matters::All,
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
    for seed in 5000..5060 {
        let problem = Problem::<i32, u32>::random(seed, 40);
        if problem.graph.chain.is_some() {
            continue;
        }
        let p = erased(&problem);
        begin_anew!(problem, seed:
            AStar::new(p),
            AStar::new(p).frontier(LazyHeap::new()),
            AStar::new(p).frontier(IndexedQueue::new()),
            AStar::new(p).dense(),
            AStar::new(p).dense().frontier(LazyHeap::new()),
            Dijkstra::new(p).frontier(BucketQueue::new()),
            Dijkstra::new(p).dense().frontier(IndexedQueue::new()),
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
    P::Cost: Units + Listed,
{
    for engine in engines().into_iter().filter(wanted) {
        let mut limit = 1 << 15;
        let without = crate::counting::held();
        let starts = vec![(start.clone(), P::Cost::ZERO)];
        let mut search = (engine.search)(problem, Limits::new(), starts);
        // The machine itself and its one start, some hundred bytes.
        let before = crate::counting::held();
        let mut stops = 0;
        loop {
            search.set_limits(Limits::new().memory(limit).expansions(3_000_000));
            crate::counting::forget_peak();
            let report = search.run().unwrap();
            let (held, peak) = (crate::counting::held() - before, crate::counting::peak() - before);
            let name = engine.name;
            if limit > most || !matches!(report.outcome, Outcome::Stopped(StopReason::Memory)) {
                break;
            }
            // The report is not part of the search.
            let reported = (report.layers.capacity() * size_of::<Layer<P::Cost>>()).cast_signed();
            let (held, peak) = (held - reported, peak - reported);
            let slack = (limit / 100).cast_signed();
            assert!(peak <= limit.cast_signed() + slack, "{name}: {peak} held at {limit} allowed");
            let said = search.bytes().cast_signed();
            assert!((held - said).abs() <= slack, "{name}: {held} held, {said} said");
            stops += 1;
            limit += limit / 7;
        }
        assert!(stops > 10, "{}: {stops}", engine.name);
        drop(search);
        assert_eq!(crate::counting::held(), without, "{} gave all back", engine.name);
    }
}

#[test]
fn memory_is_what_the_allocator_says_best_first() {
    weigh(&Mesh::new(200_000), &1, Engine::remembers, 1 << 18);
    let sparse = Mesh { dearest: 1 << 16, ..Mesh::new(60_000) };
    weigh(&sparse, &1, Engine::remembers, 1 << 18);
}

#[test]
fn memory_is_what_the_allocator_says_depth_first() {
    for step in [0, 1] {
        let chain = Chain { length: 6_000, step };
        let is_wanted = |engine: &Engine<Chain>| {
            // A table that is small and steps that cost nothing are a bad match.
            !engine.remembers() && (step > 0 || engine.needs == Needs::Small)
        };
        weigh(&chain, &0, is_wanted, 1 << 22);
    }
}

/// The account must not grow with time while the search holds no more. The states on the path are
/// kept in a hash set, in which those removed may take up room until it is put in order.
#[test]
fn the_account_of_a_long_search_does_not_drift() {
    for depth in [12, 14, 27, 28, 55, 56, 112, 440, 447, 448, 890, 896] {
        // Many branches, which part at once: for each, all states on the path are others.
        let comb = problem(
            move |&(branch, level): &(u32, u32)| {
                let branches = if level == 0 { 0..1000 } else { branch..branch + 1 };
                let goes_on = level < depth;
                branches
                    .take_while(move |_| goes_on)
                    .map(move |branch| ((branch, level + 1), 1_u32))
            },
            move |&(_, level)| depth - level,
            |_| false,
        );
        let before = crate::counting::held();
        let mut search = IdaStar::new(&comb).avoid_cycles().search((0, 0));
        for expansions in [1000, 6000] {
            search.set_limits(Limits::new().expansions(expansions));
            let report = search.run().unwrap();
            let reported = (report.layers.capacity() * size_of::<Layer<u32>>()).cast_signed();
            let held = crate::counting::held() - before - reported;
            let said = search.bytes().cast_signed();
            assert!((held - said).abs() <= 600, "depth {depth}: {held} held, {said} said");
        }
    }
}

/// Whether a try of many was within 5 ms: the machine may have other things to do.
fn is_prompt(mut try_once: impl FnMut() -> Duration) -> bool {
    let began = Instant::now();
    let mut tries = 0;
    while tries < 60 || began.elapsed() < Duration::from_secs(20) {
        if try_once() < Duration::from_millis(5) {
            return true;
        }
        tries += 1;
    }
    false
}

#[test]
fn stops_in_time() {
    for labour in [0, 2000] {
        let mesh = Mesh { labour, ..Mesh::new(1 << 18) };
        for engine in engines() {
            let mut most = Duration::from_millis(1);
            let is_in_time = is_prompt(|| {
                let limits = Limits::new().time(most);
                let mut search = (engine.search)(&mesh, limits, vec![(1, 0)]);
                let began = Instant::now();
                let report = search.run().unwrap();
                let took = began.elapsed();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
                let over = took.checked_sub(most).expect("not before the time is up");
                most += Duration::from_micros(500);
                if most > Duration::from_millis(30) {
                    most = Duration::from_millis(1);
                }
                over
            });
            assert!(is_in_time, "{}", engine.name);
        }
    }
}

/// Many times for each engine; the machine may take the processor away now and then.
#[test]
fn stops_in_time_at_any_moment() {
    let mesh = Mesh::new(1 << 18);
    for engine in engines() {
        let mut random = Random::new(7);
        let begin = || (engine.search)(&mesh, Limits::new(), vec![(1, 0)]);
        let mut search = begin();
        let (mut stops, mut late) = (0, 0);
        while stops < rounds(120) {
            let most = search.elapsed() + Duration::from_micros(random.below(150));
            search.set_limits(Limits::new().time(most));
            let report = search.run().unwrap();
            if report.outcome != Outcome::Stopped(StopReason::Time) {
                search = begin();
                continue;
            }
            stops += 1;
            let over = search.elapsed().checked_sub(most).expect("not before the time is up");
            late += u64::from(over > Duration::from_millis(5));
        }
        assert!(late <= stops / 10, "{}: {late} of {stops} stops were late", engine.name);
    }
}

#[test]
fn stops_when_another_thread_says_so() {
    let mesh = Mesh { labour: 2000, ..Mesh::new(1 << 16) };
    for engine in engines() {
        let is_prompt = is_prompt(|| {
            let token = CancelToken::new();
            let limits = Limits::new().cancel(&token);
            let mut search = (engine.search)(&mesh, limits, vec![(1, 0)]);
            std::thread::scope(|scope| {
                let other = scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(1));
                    // Before, as the thread may have to wait after it.
                    let cancelled = Instant::now();
                    token.cancel();
                    cancelled
                });
                let report = search.run().unwrap();
                let stopped = Instant::now();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
                stopped.saturating_duration_since(other.join().unwrap())
            })
        });
        assert!(is_prompt, "{}", engine.name);
    }
}

/// The names of the engines are told apart in failures.
#[test]
fn engines_have_names() {
    let mut names: Vec<_> = engines::<Mesh>().iter().map(|engine| engine.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), engines::<Mesh>().len());
    assert!(u32::new(3).node() == 3);
}

/// From state 0, a step leads to every other.
struct Star(u32);

impl SearchProblem for Star {
    type State = u32;
    type Action = u32;
    type Cost = i32;

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        for to in self.actions(&state) {
            next.push(to, to, 1);
        }
    }
    fn is_goal(&self, _: &u32) -> bool {
        false
    }
}

impl DenseStates for Star {
    fn state_count(&self) -> usize {
        self.0 as usize
    }
    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }
    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

impl InPlaceProblem for Star {
    type Actions = std::ops::Range<u32>;
    type Undo = u32;

    fn actions(&self, &state: &u32) -> std::ops::Range<u32> {
        if state == 0 { 1..self.0 } else { 0..0 }
    }
    fn apply(&self, state: &mut u32, &to: &u32) -> (i32, u32) {
        (1, std::mem::replace(state, to))
    }
    fn undo(&self, state: &mut u32, undo: u32) {
        *state = undo;
    }
}

/// What a state with very many successors makes a search hold is in its account, too.
#[test]
fn many_successors_are_in_the_account() {
    let star = Star(1_000);
    for engine in engines() {
        let before = crate::counting::held();
        let mut search = (engine.search)(&star, Limits::new(), vec![(0, 0)]);
        let report = search.run().unwrap();
        assert_eq!(report.outcome, Outcome::Exhausted, "{}", engine.name);
        let reported = (report.layers.capacity() * size_of::<Layer<i32>>()).cast_signed();
        let (held, said) =
            (crate::counting::held() - before - reported, search.bytes().cast_signed());
        // The search itself is not in the account.
        let itself = size_of_val(&*search).cast_signed();
        let slack = held / 100 + 100;
        let over = held - itself - said;
        assert!(over.abs() <= slack, "{}: {held} held, {said} said, {itself}", engine.name);
    }
}

/// A queue knows to a few bytes what it holds, whatever its size.
#[test]
fn an_indexed_queue_says_what_it_holds() {
    let before = crate::counting::held();
    let mut memory = Memory::new(usize::MAX);
    let mut queue = IndexedQueue::<Single<u32>>::new();
    for id in 0..5000 {
        queue.push(id, Single(1), &mut memory).unwrap();
        let (held, said) = (crate::counting::held() - before, memory.held().cast_signed());
        assert!((held - said).abs() <= 32, "with {id}: {held} held, {said} said");
    }
}

/// What was made of states before their turn is not taken for that of others when a search is begun anew.
#[test]
fn what_was_made_ahead_is_forgotten_when_begun_anew() {
    let by = |step: u32| {
        let next = move |&n: &u32| [((n + step) % 1000, 1), ((n * 7 + step) % 1000, step)];
        problem(next, |_: &u32| 0, |_: &u32| false)
    };
    for expansions in 0..20 {
        let table = support::far::Far::<HashedTable<_, EstimateRecord<_>>>::default();
        let mut search = AStar::new(by(1)).table(table).search(0);
        search.set_limits(Limits::new().expansions(expansions));
        assert_eq!(search.run().unwrap().stats.expanded, expansions);
        search.set_limits(Limits::new());
        search.restart_with(by(3), 500);
        let expected = AStar::new(by(3)).search(500).run();
        assert_eq!(but_bytes(search.run()), but_bytes(expected), "after {expansions}");
    }
}

/// Open states that wait for a place in the frontier are in the account, too.
#[test]
fn what_waits_for_a_place_is_in_the_account() {
    let star = Star(6_000);
    let mut stops = 0;
    let is_best_first =
        |engine: &Engine<Star>| ["A*", "Dijkstra"].iter().any(|name| engine.name.starts_with(name));
    for engine in engines().into_iter().filter(is_best_first) {
        let before = crate::counting::held();
        let mut search = (engine.search)(&star, Limits::new(), vec![(0, 0)]);
        // Enough for the list of successors, which is made before anything is known of it.
        let mut limit = 1 << 18;
        loop {
            search.set_limits(Limits::new().memory(limit));
            let report = search.run().unwrap();
            let reported = (report.layers.capacity() * size_of::<Layer<i32>>()).cast_signed();
            let (held, said) =
                (crate::counting::held() - before - reported, search.bytes().cast_signed());
            assert!((held - said).abs() <= held / 50, "{}: {held} held, {said} said", engine.name);
            if report.outcome == Outcome::Exhausted {
                break;
            }
            limit += limit / 20;
            stops += 1;
        }
    }
    assert!(stops > 20, "{stops}");
}
