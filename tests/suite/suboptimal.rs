//! What engines promise that improve on a first solution: at every stop a real path, a true bound, and the factor
//! that was asked for at the end.

use std::cell::Cell;
use std::cmp::Reverse;

use bestfirst::engine::Engine as SearchEngine;
use bestfirst::frontier::{BucketQueue, IndexedQueue};
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{
    AStar, Anytime, AnytimeAStar, Beam, BoundedCost, BranchAndBound, BreadthFirst, EqualSteps,
    FnProblem, Focal, Greedy, IgnoreHeuristic, Limits, Observer, Outcome, Rectangle, Report,
    Search, SearchError, SearchProblem, StopReason, WithHeuristic, WithStepsLeft, bounded_cost,
    focal,
};

use support::engines::erased;
use support::erased::problem;
use support::judge::check_cost;
use support::random::{Edge, Problem, Random, Truth, Units, is_enough, rounds};

/// What an observer is told of solutions.
#[derive(Debug)]
struct Told<C>(Vec<(C, C)>);

impl<S, C> Observer<S, C> for Told<C> {
    fn incumbent(&mut self, cost: C, bound: C) {
        self.0.push((cost, bound));
    }
}

/// Runs a search with a stop at every expansion, and one without any: the reports must be the same, and
/// true at every stop.
fn stop_everywhere<C: Units, E, M>(
    problem: &Problem<C, u32>,
    factor: f64,
    begin: impl Fn() -> Search<E, M>,
) -> u64
where
    E: SearchEngine<State = u32, Action = Edge, Cost = C>,
    M: Observer<u32, C>,
{
    let optimum = match problem.graph.truth {
        Truth::Costs(units) => Some(C::of(units, problem.graph.scale)),
        _ => None,
    };
    let mut expected = begin().run();
    let mut search = begin();
    let mut better = 0;
    let mut last = None;
    for most in 0.. {
        search.set_limits(Limits::new().expansions(most));
        let mut answer = search.run();
        let Ok(Report { outcome: Outcome::Stopped(reason), .. }) = &answer else {
            // What was proved at a stop stays proved.
            if let (Ok(report), Ok(other)) = (&mut answer, &mut expected) {
                assert!(report.lower_bound >= other.lower_bound);
                report.lower_bound = other.lower_bound;
                if let Some(optimum) = optimum {
                    check_cost(other, optimum, factor);
                }
            }
            assert_eq!(answer, expected);
            break;
        };
        assert_eq!(*reason, StopReason::Expansions);
        let report = answer.unwrap();
        assert_eq!(report.stats.expanded, most);
        assert!(optimum.is_none_or(|cost| !report.lower_bound.exceeds(cost)));
        if let Some(path) = &report.incumbent {
            assert_eq!(path.verify(problem), Ok(()));
            assert!(optimum.is_some_and(|optimum| !optimum.exceeds(path.cost())));
            assert!(last.is_none_or(|last| path.cost() <= last), "not dearer than before");
            better += u64::from(last.is_none_or(|last| path.cost() < last));
            last = Some(path.cost());
            let factor = report.suboptimality().unwrap();
            let most = factor * report.lower_bound.to_f64() * C::rounding();
            assert!(factor.is_infinite() || path.cost().to_f64() <= most);
        }
    }
    better
}

/// Stops searches everywhere; how many had a solution at a stop.
macro_rules! stop {
    ($problem:ident, $long:ident: $($factor:expr => |$p:ident| $builder:expr;)*) => {{
        let (mut better, seed) = (0, $problem.graph.seed);
        $(
            let blame = Cell::new(true);
            let _guard =
                Blame { seed, long: $long, engine: stringify!($builder), is_armed: &blame };
            let $p = erased($problem);
            let begin = || $builder.search_from($problem.starts());
            better += stop_everywhere($problem, $factor, begin);
            blame.set(false);
        )*
        better
    }};
}

/// Each engine.
fn stop_engines<C: Units>(problem: &Problem<C, u32>, long: bool) -> u64 {
    stop! { problem, long:
        1.0 => |p| AnytimeAStar::new(p);
        1.0 => |p| AnytimeAStar::new(p).weights([]);
        1.0 => |p| AnytimeAStar::new(p).weight(3.0);
        1.0 => |p| Focal::new(p, 1.0);
        1.2 => |p| Focal::new(p, 1.2);
        1.0 => |p| Focal::new(p, 0.5);
        f64::INFINITY => |p| BoundedCost::new(p, C::INFINITY);
        1.5 => |p| AStar::new(p).weight(1.5);
        f64::INFINITY => |p| Greedy::new(p);
        1.0 => |p| BranchAndBound::new(p);
        1.0 => |p| BreadthFirst::new(p);
        1.0 => |p| Beam::new(p);
        1.0 => |p| Rectangle::new(p).aspect(2);
        1.0 => |p| Anytime::new(p);
    }
}

/// Other tables and frontiers, and an observer, which need not be compiled for each type of costs.
fn stop_forms(problem: &Problem<i32, u32>, long: bool) -> u64 {
    stop! { problem, long:
        1.0 => |p| AnytimeAStar::new(p).weights([2.0]).frontier(BucketQueue::new());
        1.0 => |p| AnytimeAStar::new(p).weights([8.0, 4.0, 1.25]).dense().frontier(IndexedQueue::new());
        1.0 => |p| AnytimeAStar::new(p).weight(0.5).dense();
        1.0 => |p| AnytimeAStar::new(p).observer(Told(Vec::new()));
        2.0 => |p| Focal::new(p, 2.0).dense();
        1.5 => |p| Focal::new(p, 1.5).wide_ids();
        1.0 => |p| BranchAndBound::new(p).order_by(|state, _, _| Reverse(*state)).dense();
        1.0 => |p| Beam::new(p).width_from(3).dense();
        1.0 => |p| Anytime::new(p).in_place().dense();
    }
}

/// Problems that can be searched to the end.
fn problems_with_an_end<C: Units>(
    seeds: std::ops::Range<u64>,
    long: bool,
) -> impl Iterator<Item = Problem<C, u32>> {
    let problem = move |seed: u64| {
        let nodes = if seed.is_multiple_of(4) { 40 } else { 12 };
        if long { Problem::long(seed, nodes) } else { Problem::random(seed, nodes) }
    };
    seeds.map(problem).filter(|problem| problem.graph.chain.is_none())
}

/// Says which problem and which engine it was, if a check panics.
struct Blame<'a> {
    seed: u64,
    long: bool,
    engine: &'a str,
    is_armed: &'a Cell<bool>,
}

impl Drop for Blame<'_> {
    fn drop(&mut self) {
        if self.is_armed.get() && std::thread::panicking() {
            eprintln!("seed {}, long {}, {}", self.seed, self.long, self.engine);
        }
    }
}

#[test]
fn at_every_expansion_a_stop_is_true_and_harmless() {
    let mut better = 0;
    for (seeds, long) in [(0..rounds(48), false), (0..rounds(32), true)] {
        for problem in problems_with_an_end(seeds, long) {
            let problem = &problem;
            better += stop_engines(problem, long) + stop_forms(problem, long);
        }
    }
    for (seeds, long) in [(500..500 + rounds(40), false), (300..300 + rounds(20), true)] {
        for problem in problems_with_an_end::<f64>(seeds, long) {
            let problem = &problem;
            better += stop_engines(problem, long);
        }
    }
    assert!(better > 200, "{better}");
}

/// Bounded-cost search finds a path wherever there is one within the bound, and none above it.
#[test]
fn paths_within_a_bound_are_found_if_there_are_any() {
    let (mut found, mut refused) = (0, 0);
    for seed in 0..rounds(600) {
        let problem = Problem::<i32, u32>::random(seed, 14);
        if problem.graph.chain.is_some() {
            continue;
        }
        let optimum = match problem.graph.truth {
            Truth::Costs(units) => Some(i32::of(units, problem.graph.scale)),
            _ => None,
        };
        let around = optimum.unwrap_or(40);
        for most in [0, around / 2, (around - 1).max(0), around, around.saturating_add(around / 3)]
        {
            let mut search = BoundedCost::new(erased(&problem), most).search_from(problem.starts());
            let Ok(report) = search.run() else { continue };
            match &report.outcome {
                Outcome::Found(path) => {
                    assert_eq!(path.verify(&problem), Ok(()));
                    assert!(path.cost() <= most && optimum <= Some(path.cost()), "seed {seed}");
                    assert!(report.lower_bound <= optimum.unwrap());
                    found += 1;
                }
                Outcome::Stopped(StopReason::Cost) => {
                    assert!(optimum.is_none_or(|optimum| optimum > most), "seed {seed}");
                    assert!(report.lower_bound > most, "seed {seed}");
                    assert!(optimum.is_none_or(|optimum| report.lower_bound <= optimum));
                    // The bound is the engine's: other limits do not change it.
                    search.set_limits(Limits::new());
                    assert_eq!(search.run().unwrap().path(), None);
                    refused += 1;
                }
                Outcome::Exhausted => assert_eq!(optimum, None, "seed {seed}"),
                Outcome::Stopped(reason) => panic!("{reason}"),
            }
        }
    }
    assert!(is_enough(found, 400) && is_enough(refused, 200), "{found} found, {refused} refused");
}

/// Each better solution is told of once, with a bound; the last one is the answer.
#[test]
fn every_better_solution_is_told_with_its_bound() {
    let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
    let board: Board = "4 1 2 3  12 8 10 15  9 14 0 5  6 13 7 11".parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    for (_, weight) in (0..rounds(2)).zip([None, Some(3.0)]) {
        let builder = AnytimeAStar::new(&puzzle);
        let builder =
            weight.map_or_else(|| builder.clone(), |weight| builder.clone().weight(weight));
        let mut told = Told(Vec::new());
        let watched = builder.clone().observer(&mut told).search(start).run().unwrap();
        let plain = builder.search(start).run().unwrap();
        assert_eq!(watched, plain);
        assert_eq!(plain.cost(), Some(32));
        let Told(told) = told;
        assert!(told.len() > 1, "{told:?}");
        assert!(told.is_sorted_by(|a, b| a.0 > b.0), "costs fall: {told:?}");
        assert!(told.is_sorted_by(|a, b| a.1 <= b.1), "bounds rise: {told:?}");
        assert!(told.iter().all(|&(_, bound)| bound <= 32 && bound > 20), "{told:?}");
        assert_eq!(told.last().map(|last| last.0), Some(32));
    }
}

/// In a round a state is expanded once, and the last round is A*: all in all little more than A*.
#[test]
fn rounds_keep_what_they_know() {
    let puzzle = SlidingTiles::<Packed>::new(3, 3).unwrap();
    let board: Board = "8 6 7  2 5 4  3 0 1".parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    let exact = AStar::new(&puzzle).search(start).run().unwrap();
    let anytime = AnytimeAStar::new(&puzzle).search(start).run().unwrap();
    assert_eq!(anytime.cost(), exact.cost());
    let stored = anytime.stats.stored;
    assert!(anytime.stats.expanded < 7 * stored, "{} of {stored}", anytime.stats.expanded);
    // Nothing is stored that cannot lead to a better solution than the first.
    let greedy = Greedy::new(&puzzle).search(start).run().unwrap();
    assert!(stored < 181_440 && greedy.cost() > exact.cost());
}

#[test]
fn weights_that_make_no_sense_are_errors() {
    let line = problem(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    let is_refused = |answer: Result<Report<u32, (), u32>, SearchError<u32>>| {
        matches!(answer, Err(SearchError::Weight { .. }))
    };
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(is_refused(Focal::new(&line, weight).search(0).run()));
        assert!(is_refused(AnytimeAStar::new(&line).weight(weight).search(0).run()));
        assert!(is_refused(AnytimeAStar::new(&line).weights([weight]).search(0).run()));
    }
    assert!(is_refused(AnytimeAStar::new(&line).weights([0.5]).search(0).run()));
    assert!(is_refused(AnytimeAStar::new(&line).weights([2.0, 3.0]).search(0).run()));
    assert_eq!(AnytimeAStar::new(&line).weights([2.0]).search(0).run().unwrap().cost(), Some(9));
}

#[test]
fn a_bound_that_is_no_number_is_an_error() {
    let line = problem(|&n: &u32| [(n + 1, 1.0)], |_: &u32| 0.0, |&n: &u32| n == 9);
    for (bound, is_found) in [(9.0, true), (8.9, false), (-1.0, false), (f64::INFINITY, true)] {
        let limits = Limits::new().expansions(100);
        let report = BoundedCost::new(&line, bound).limits(limits).search(0).run().unwrap();
        assert_eq!(report.path().is_some(), is_found, "{bound}");
    }
    let limits = Limits::new().expansions(100);
    let answer = BoundedCost::new(&line, f64::NAN).limits(limits).search(0).run();
    assert!(matches!(answer, Err(SearchError::NotANumber { value, .. }) if value.is_nan()));
}

/// The number of steps reaches the engine through every adapter and pointer.
#[test]
fn steps_left_reach_through_adapters() {
    fn steps_left<P: SearchProblem<State = u32>>(problem: P) -> Option<u32> {
        problem.steps_left(&1)
    }
    let line =
        FnProblem::new(|&n: &u32| [(n + 1, 7_u32)], |&n: &u32| 9 - n.min(9), |&n: &u32| n == 9);
    let with_steps = WithStepsLeft::new(&line, |&n: &u32| 100 - n);
    assert_eq!(steps_left(&line), None);
    assert_eq!(steps_left(with_steps), Some(99));
    let borrowed = &with_steps;
    assert_eq!(steps_left(borrowed), Some(99));
    assert_eq!(steps_left(Box::new(with_steps)), Some(99));
    assert_eq!(steps_left(std::rc::Rc::new(with_steps)), Some(99));
    assert_eq!(steps_left(std::sync::Arc::new(with_steps)), Some(99));
    assert_eq!(steps_left(WithHeuristic::new(&with_steps, |_| 0)), Some(99));
    assert_eq!(steps_left(EqualSteps::new(&with_steps, 1)), Some(99));
    assert_eq!(steps_left(bestfirst::IgnoreGoal::new(&with_steps)), Some(99));
    assert_eq!(steps_left(bestfirst::check::Checked::new(&with_steps)), Some(99));
    assert_eq!(steps_left(IgnoreHeuristic::new(&with_steps)), None);
}

/// With the steps that are left, focal search finds the motorway, where h cannot tell.
#[test]
fn the_distance_leads_to_states_with_few_steps_left() {
    // A grid where a step costs 1 to 9, and a heuristic that knows only the least.
    let cost =
        |x: u32, y: u32| 1 + (x.wrapping_mul(2_654_435_769) ^ y.wrapping_mul(40_503) >> 3) % 9;
    let grid = problem(
        move |&(x, y): &(u32, u32)| {
            [(x + 1, y), (x, y + 1), (x.saturating_sub(1), y), (x, y.saturating_sub(1))]
                .into_iter()
                .filter(|&(x, y)| x < 200 && y < 200)
                .map(move |(x, y)| ((x, y), cost(x, y)))
        },
        |_: &(u32, u32)| 0_u32,
        |&place: &(u32, u32)| place == (199, 199),
    );
    let by_h = focal(&grid, (0, 0), 3.0).unwrap();
    let with_steps = WithStepsLeft::new(&grid, |&(x, y): &(u32, u32)| (199 - x) + (199 - y));
    let by_steps = focal(&with_steps, (0, 0), 3.0).unwrap();
    assert!(by_steps.suboptimality() <= Some(3.0) && by_h.suboptimality() <= Some(3.0));
    assert!(by_steps.stats.expanded < by_h.stats.expanded, "{} {}", by_steps.stats, by_h.stats);
}

/// A heuristic that overestimates proves nothing, and the path is still a path.
#[test]
fn heuristics_that_lie_do_no_harm() {
    let line = problem(
        |&n: &u32| [(n + 1, 2_u32), (n + 2, 3)],
        |&n: &u32| 50_u32.saturating_sub(n) * 9,
        |&n: &u32| n == 50,
    );
    let exact = 75;
    for report in [
        AnytimeAStar::new(&line).search(0).run(),
        AnytimeAStar::new(&line).weight(2.0).search(0).run(),
        focal(&line, 0, 1.5),
        bounded_cost(&line, 0, 1000),
    ] {
        let report = report.unwrap();
        let path = report.path().expect("there is a path");
        assert_eq!(path.verify(&&line), Ok(()));
        assert!(path.cost() >= exact && report.lower_bound <= path.cost());
    }
}

/// A search that was stopped below a limit on the cost, there or for another reason, keeps its factor when it goes on above
/// it: states that were set aside count.
#[test]
fn what_is_beyond_a_limit_on_the_cost_counts_above_it() {
    let mut stops = 0;
    for seed in 0..rounds(250) {
        let long = seed % 4 > 0;
        let problem = if long {
            Problem::<i32, u32>::long(seed, 12)
        } else {
            Problem::<i32, u32>::random(seed, 12)
        };
        let (Truth::Costs(optimum), None) = (problem.graph.truth, problem.graph.chain) else {
            continue;
        };
        let optimum = i32::of(optimum, problem.graph.scale);
        let mut random = Random::new(seed);
        macro_rules! stop {
            ($($factor:expr => $builder:expr;)*) => {$(
                let blame = Cell::new(true);
                let _guard = Blame { seed, long, engine: stringify!($builder), is_armed: &blame };
                let mut search = $builder.search_from(problem.starts());
                for _ in 0..8 {
                    let most = random.below(2 * u64::from(optimum.unsigned_abs()) + 9).try_into().unwrap_or(i32::MAX);
                    let limits = Limits::new()
                        .cost(most)
                        .expansions(search.stats().expanded + random.below(4))
                        .memory(search.bytes() + random.index(400));
                    search.set_limits(limits);
                    let report = search.run().unwrap();
                    assert!(report.lower_bound <= optimum);
                    if !matches!(report.outcome, Outcome::Stopped(_)) {
                        break;
                    }
                    stops += 1;
                }
                search.set_limits(Limits::new());
                check_cost(&search.run().unwrap(), optimum, $factor);
                blame.set(false);
            )*};
        }
        let p = erased(&problem);
        stop! {
            1.0 => AnytimeAStar::new(p);
            1.0 => AnytimeAStar::new(p).weights([2.0]).dense();
            1.0 => AnytimeAStar::new(p).weight(3.0);
            1.0 => Focal::new(p, 1.0).dense();
            1.5 => Focal::new(p, 1.5);
            2.0 => Focal::new(p, 2.0).dense();
            f64::INFINITY => BoundedCost::new(p, i32::MAX).dense();
            1.5 => AStar::new(p).weight(1.5).dense();
            f64::INFINITY => Greedy::new(p).dense();
        }
    }
    assert!(stops > 1250, "{stops}");
}

/// A limit on the cost that rises many times takes little more memory than none.
#[test]
fn a_limit_on_the_cost_may_rise_many_times() {
    const STATES: u32 = 60;
    let star = problem(
        |&n: &u32| (1..=STATES).filter(move |_| n == 0).map(|to| (to, 2 * to)),
        |_: &u32| 0,
        |&n: &u32| n == STATES,
    );
    macro_rules! raise {
        ($($builder:expr;)*) => {$(
            let expected = $builder.search(0).run().unwrap();
            let most = 4 * usize::try_from(expected.stats.peak_bytes).unwrap();
            let mut search = $builder.search(0);
            for cost in 0..2 * STATES {
                search.set_limits(Limits::new().cost(cost).memory(most));
                let report = search.run().unwrap();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost), "{}", stringify!($builder));
                assert!(report.lower_bound > cost);
            }
            search.set_limits(Limits::new().memory(most));
            assert_eq!(search.run().unwrap().cost(), Some(2 * STATES));
        )*};
    }
    raise! {
        AnytimeAStar::new(&star);
        Focal::new(&star, 1.0);
        Focal::new(&star, 3.0);
        BoundedCost::new(&star, u32::MAX);
        AStar::new(&star).weight(1.5);
        Greedy::new(&star);
        BranchAndBound::new(&star);
        BreadthFirst::new(&star);
        Beam::new(&star);
    }
}
