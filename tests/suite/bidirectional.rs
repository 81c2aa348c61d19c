//! Search from both ends: every algorithm, with every table and frontier, against an oracle on random
//! problems that know their predecessors; limits, stops and resuming; what heuristics that lie do.

use bestfirst::frontier::{IndexedQueue, LazyHeap};
use bestfirst::problems::crucible::{Crucible, HeatMap};
use bestfirst::problems::grid_map::{Cell, GridMap};
use bestfirst::problems::road_network::RoadNetwork;
use bestfirst::problems::sliding_tiles::{Packed, SlidingTiles};
use bestfirst::table::{EstimateRecord, HashedTable};
use bestfirst::{
    Bidirectional, DenseStates, Dijkstra, HalvableCost, Limits, Outcome, Report, Reversed,
    Reversible, SearchError, StopReason, check as checks,
};
use support::edges::Edges;
use support::engines::{Answer, BoxedSearch};
use support::erased::{Numbered, number, numbered, reversing};
use support::far::Far;
use support::judge::{PATIENCE, Tally, check};
use support::random::{Clashing, Edge, Name, Random, Scale, Truth, Units};
use support::random::{is_enough, rounds};
use support::two_way::{Heuristics, TwoWay};

/// One way to search from both ends.
struct Way<P: Reversible> {
    name: &'static str,
    is_dense: bool,
    /// Whether the heuristics must be consistent.
    is_bae: bool,
    #[expect(clippy::type_complexity, reason = "it borrows the problem for any time")]
    search: for<'p> fn(&'p P, Limits<P::Cost>, Vec<(P::State, P::Cost)>) -> BoxedSearch<'p, P>,
}

macro_rules! ways {
    ($($name:literal $dense:literal $bae:literal: |$p:ident| $search:expr;)*) => {
        vec![$(Way {
            name: $name,
            is_dense: $dense,
            is_bae: $bae,
            search: |$p, limits, starts| Box::new($search.limits(limits).search_from(starts)),
        }),*]
    };
}

/// Costs that have a list of ways: each algorithm, table and frontier is there with each type.
trait Listed: Units + HalvableCost {
    fn ways<P: Reversible<Cost = Self> + DenseStates>() -> Vec<Way<P>>;
}

#[rustfmt::skip]
impl Listed for u32 {
    fn ways<P: Reversible<Cost = Self> + DenseStates>() -> Vec<Way<P>> {
        ways! {
            "BAE*" false true: |p| Bidirectional::new(p);
            "BAE*, indexed" false true: |p| Bidirectional::new(p).frontier(IndexedQueue::new());
            "BAE*, dense" true true: |p| Bidirectional::new(p).dense();
            "BAE*, far" false true: |p| Bidirectional::new(p).table(Far::<HashedTable<_, EstimateRecord<_>>>::default());
            "BAE*, wide ids" false true: |p| Bidirectional::new(p).wide_ids();
            "NBS" false false: |p| Bidirectional::new(p).nbs();
            "NBS, heap" false false: |p| Bidirectional::new(p).nbs().frontier(LazyHeap::new());
            "NBS, dense" true false: |p| Bidirectional::new(p).nbs().dense();
            "Dijkstra" false false: |p| Bidirectional::new(p).dijkstra();
            "Dijkstra, dense" true false: |p| Bidirectional::new(p).dijkstra().dense();
        }
    }
}

#[rustfmt::skip]
impl Listed for f64 {
    fn ways<P: Reversible<Cost = Self> + DenseStates>() -> Vec<Way<P>> {
        ways! {
            "BAE*, indexed" false true: |p| Bidirectional::new(p).frontier(IndexedQueue::new());
            "BAE*, dense" true true: |p| Bidirectional::new(p).dense();
            "BAE*, far" false true: |p| Bidirectional::new(p).table(Far::<HashedTable<_, EstimateRecord<_>>>::default());
            "BAE*, wide ids" false true: |p| Bidirectional::new(p).wide_ids();
            "NBS, heap" false false: |p| Bidirectional::new(p).nbs().frontier(LazyHeap::new());
            "NBS, dense" true false: |p| Bidirectional::new(p).nbs().dense();
            "Dijkstra" false false: |p| Bidirectional::new(p).dijkstra();
        }
    }
}

/// The ways that are right for these heuristics and these states.
fn ways_for<C: Listed, S: Name>(
    two_way: &TwoWay<C, S>,
    heuristics: Heuristics,
) -> impl Iterator<Item = Way<TwoWay<C, S>>> {
    let is_endless = two_way.problem.graph.chain.is_some();
    C::ways::<TwoWay<C, S>>().into_iter().filter(move |way| {
        (heuristics == Heuristics::Consistent || !way.is_bae) && !(way.is_dense && is_endless)
    })
}

/// Names the problem and the way, if a check panics.
struct Blame(String);

impl Drop for Blame {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("with {}", self.0);
        }
    }
}

fn judge<C: Listed, S: Name>(seed: u64, nodes: usize, heuristics: Heuristics, tally: &mut Tally) {
    let mut two_way = TwoWay::<C, S>::random(seed, nodes, heuristics);
    judge_one(&two_way, nodes, heuristics, tally);
    let graph = &mut two_way.problem.graph;
    if graph.scale == Scale::NearMax && graph.raise_start(!seed.is_multiple_of(8)) {
        let _blame = Blame("its start raised".into());
        judge_one(&two_way, nodes, heuristics, tally);
    }
}

fn judge_one<C: Listed, S: Name>(
    two_way: &TwoWay<C, S>,
    nodes: usize,
    heuristics: Heuristics,
    tally: &mut Tally,
) {
    let problem = &two_way.problem;
    let seed = problem.graph.seed;
    let may_stop = problem.graph.chain.is_some();
    let limits = || if may_stop { Limits::new().expansions(PATIENCE) } else { Limits::new() };
    tally.problems += 1;
    for way in ways_for(two_way, heuristics) {
        let costs = std::any::type_name::<C>();
        let _blame = Blame(format!("{costs}, {seed}, {nodes}, {heuristics:?}, {}", way.name));
        let answer = (way.search)(two_way, limits(), problem.starts()).run();
        check(problem, &answer, 1.0, may_stop, tally);
        if seed.is_multiple_of(16) {
            let again = (way.search)(two_way, limits(), problem.starts()).run();
            assert_eq!(again, answer, "the same again");
        }
    }
}

#[test]
fn from_both_ends_every_algorithm_finds_the_optimum() {
    let mut tally = Tally::default();
    for seed in 225..225 + rounds(900) {
        let nodes = if seed % 10 == 9 { 60 } else { 1 + (seed / 9 % 16) as usize };
        let heuristics = if seed % 2 == 0 { Heuristics::Consistent } else { Heuristics::Random };
        // Each line takes the compiler half a minute. (Costs up to the largest of `u8` are with the regressions.)
        match seed % 3 {
            0 | 1 => judge::<u32, Clashing>(seed, nodes, heuristics, &mut tally),
            _ => judge::<f64, u32>(seed, nodes, heuristics, &mut tally),
        }
    }
    println!("{tally:?}");
    assert!(tally.found > tally.searches / 4, "{tally:?}");
    assert!(tally.exhausted > tally.searches / 20, "{tally:?}");
    assert!(tally.overflows > tally.searches / 100, "{tally:?}");
    assert!(tally.stopped > 0 && tally.stopped < tally.searches / 10, "{tally:?}");
}

/// What does not depend on the order among equals.
fn result<S, A, C: Units>(
    answer: &Result<Report<S, A, C>, SearchError<C>>,
) -> Option<(bool, Option<C>, C)> {
    let report = answer.as_ref().ok()?;
    Some((matches!(report.outcome, Outcome::Found(_)), report.cost(), report.lower_bound))
}

/// Runs every way on random problems, each twice: `meddle` drives the second search to its end. The answers must
/// be the same, but for the bytes; after stops for memory, the cost and the bound must.
fn compare<C: Listed, S: Name>(
    seeds: std::ops::Range<u64>,
    all_matters: bool,
    mut meddle: impl FnMut(
        BoxedSearch<'_, TwoWay<C, S>>,
        Option<C>,
        &mut Random,
        &mut u64,
    ) -> Answer<S, Edge, C>,
) {
    let mut stops = 0;
    for seed in seeds {
        let heuristics = if seed % 2 == 0 { Heuristics::Consistent } else { Heuristics::Random };
        let nodes = if seed % 4 == 0 { 60 } else { 10 };
        let two_way = TwoWay::<C, S>::random(seed, nodes, heuristics);
        let graph = &two_way.problem.graph;
        if graph.chain.is_some() {
            continue;
        }
        let optimum = match graph.truth {
            Truth::Costs(units) => Some(C::of(units, graph.scale)),
            _ => None,
        };
        for way in ways_for(&two_way, heuristics) {
            let _blame = Blame(format!("{seed}, {nodes}, {heuristics:?}, {}", way.name));
            let starts = two_way.problem.starts();
            let mut expected = (way.search)(&two_way, Limits::new(), starts.clone()).run();
            let search = (way.search)(&two_way, Limits::new(), starts);
            let mut answer = meddle(search, optimum, &mut Random::new(seed), &mut stops);
            for report in [&mut answer, &mut expected].into_iter().flatten() {
                report.stats.peak_bytes = 0;
            }
            if all_matters {
                assert_eq!(answer, expected);
            } else {
                assert_eq!(result(&answer), result(&expected));
            }
        }
    }
    assert!(is_enough(stops, 1000), "only {stops} stops");
}

/// What is said at a stop is true, and the end is the same as without stops.
#[test]
fn a_stop_at_every_expansion_changes_nothing() {
    compare::<u32, Clashing>(0..rounds(250), true, |mut search, optimum, random, stops| {
        let (mut most, mut proved) = (0, 0);
        let mut last = None;
        loop {
            search.set_limits(Limits::new().expansions(most));
            let report = search.run()?;
            let Outcome::Stopped(reason) = report.outcome else { return Ok(report) };
            assert_eq!((reason, report.stats.expanded), (StopReason::Expansions, most));
            assert!(report.lower_bound >= proved, "what is proved stays proved");
            proved = report.lower_bound;
            assert!(optimum.is_none_or(|cost| proved <= cost), "and is true");
            if let Some(path) = &report.incumbent {
                assert!(Some(path.cost()) >= optimum);
                assert!(last.is_none_or(|last| path.cost() <= last), "not dearer than before");
                last = Some(path.cost());
            }
            most += if random.one_in(4) { 1 + random.below(3) } else { 1 };
            *stops += 1;
        }
    });
}

#[test]
fn steps_end_in_the_same_way() {
    compare::<f64, u32>(1000..1000 + rounds(350), true, |mut search, _, _, stops| {
        loop {
            let before = search.stats().expanded;
            if let Some(report) = search.step()? {
                return Ok(report);
            }
            assert_eq!(search.stats().expanded, before + 1);
            *stops += 1;
        }
    });
}

#[test]
fn a_stop_for_memory_loses_nothing() {
    compare::<u32, Clashing>(
        2000..2000 + rounds(200),
        false,
        |mut search, optimum, random, stops| {
            let mut most = random.index(500);
            loop {
                search.set_limits(Limits::new().memory(most));
                let report = search.run()?;
                assert!(search.bytes() <= most && report.stats.peak_bytes <= most as u64);
                let Outcome::Stopped(reason) = report.outcome else { return Ok(report) };
                assert_eq!(reason, StopReason::Memory);
                assert!(optimum.is_none_or(|cost| report.lower_bound <= cost));
                most += 1 + random.index(1 + most / 4);
                *stops += 1;
            }
        },
    );
}

#[test]
fn a_limit_on_the_cost_ends_the_search() {
    compare::<u32, Clashing>(
        3000..3000 + rounds(200),
        true,
        |mut search, optimum, random, stops| {
            let mut most = 0_u32;
            loop {
                search.set_limits(Limits::new().cost(most));
                let report = search.run()?;
                let Outcome::Stopped(reason) = report.outcome else {
                    assert!(report.cost().is_none_or(|cost| cost <= most), "dearer than allowed");
                    return Ok(report);
                };
                assert_eq!(reason, StopReason::Cost);
                assert!(report.lower_bound > most && report.incumbent.is_none());
                assert!(optimum.is_none_or(|cost| cost >= report.lower_bound));
                *stops += 1;
                if most == u32::MAX {
                    search.set_limits(Limits::new());
                    return search.run();
                }
                let more = u32::try_from(1 + random.below(1 + u64::from(most))).unwrap();
                most = most.saturating_add(more);
            }
        },
    );
}

/// The goal is a start that costs something, and one step that costs nothing from a start that does not: half of the
/// difference counts.
#[test]
fn costs_may_be_the_least_that_floats_have() {
    let step = Edges { edges: &[(1, 0, 0.0)], goal: 0 };
    for cost in [f64::GRAIN, 3.0 * f64::GRAIN, f64::MIN_POSITIVE, 1.0] {
        let report = Bidirectional::new(step).search_from([(1, 0.0), (0, cost)]).run().unwrap();
        assert_eq!(report.cost(), Some(0.0));
        assert!(report.is_optimal());
    }
}

/// The ready problems list their predecessors rightly, and both ends find what one end finds.
#[test]
fn ready_problems_are_reversible() {
    let map = HeatMap::random(9, 7, 5).unwrap();
    for run in [1..=3, 2..=5, 1..=1] {
        let crucible = Crucible::new(&map, run).unwrap();
        let states = (0..crucible.state_count()).map(|index| crucible.state_at(index));
        assert!(checks::reversible(&crucible, states.clone()).is_ok());
        let back = Reversed::new(&crucible, crucible.start());
        assert!(checks::consistent(&back, states).is_ok());
        same_from_both_ends(&crucible, &crucible.start());
    }
    let map = GridMap::new(12, 9, |cell| (cell.x * 7 + cell.y * 5) % 6 != 0).unwrap();
    for goal in [Cell::new(11, 7), Cell::new(3, 3), Cell::new(0, 0)] {
        let route = map.route_to(goal);
        let states = (0..route.state_count()).map(|index| route.state_at(index));
        assert!(checks::reversible(&route, states.clone()).is_ok());
        let back = Reversed::new(route, Cell::new(1, 0));
        assert!(checks::consistent(&back, states).is_ok());
        same_from_both_ends(&route, &Cell::new(1, 0));
    }
    let mut random = Random::new(9);
    let arcs: Vec<(u32, u32, u32)> = (0..150)
        .map(|_| [1 + random.below(40), 1 + random.below(40), random.below(9)])
        .map(|arc| arc.map(|number| u32::try_from(number).unwrap()))
        .map(|[from, to, weight]| (from, to, weight))
        .collect();
    let network = RoadNetwork::new(40, &arcs).unwrap();
    for goal in network.nodes() {
        let route = network.route_to(goal);
        assert!(checks::reversible(&route, network.nodes()).is_ok());
        same_from_both_ends(&route, &network.node(1).unwrap());
    }
    let puzzle = SlidingTiles::<Packed>::new(3, 2).unwrap();
    let start = puzzle.state(&"5 4 3\n2 1 0".parse().unwrap()).unwrap();
    let mut states = Vec::new();
    Dijkstra::new(&puzzle).search(puzzle.goal()).reach_all().unwrap().for_each(|&state, _| {
        states.push(state);
    });
    assert!(checks::reversible(&puzzle, states.iter().copied()).is_ok());
    let back = Reversed::new(&puzzle, start);
    assert!(checks::consistent(&back, states.iter().copied()).is_ok());
}

fn same_from_both_ends<P>(problem: &P, start: &P::State)
where
    P: Reversible<Cost: HalvableCost> + DenseStates,
{
    let start = number(problem, start);
    let expected = Dijkstra::new(&numbered(problem)).dense().search(start).run().unwrap();
    let problem = &Numbered(problem);
    let both_ways = reversing(problem);
    let reports = [
        Bidirectional::new(both_ways).search(start).run().unwrap(),
        Bidirectional::new(both_ways).nbs().dense().search(start).run().unwrap(),
        Bidirectional::new(both_ways).dijkstra().dense().search(start).run().unwrap(),
    ];
    for report in reports {
        assert_eq!(report.cost(), expected.cost());
        if let Some(path) = report.path() {
            assert!(report.is_optimal() && path.verify(problem).is_ok());
        }
    }
}

/// With any heuristic at all, the path is a real one at its real cost, and the search ends.
#[test]
fn heuristics_that_lie_give_real_paths() {
    let mut refuted = 0;
    for seed in 0..rounds(450) {
        let mut two_way = TwoWay::<u32, Clashing>::random(seed, 12, Heuristics::Random);
        let mut random = Random::new(seed);
        let is_lie = seed % 2 == 0;
        if is_lie {
            for h in &mut two_way.problem.h {
                *h = u32::try_from(random.below(60)).unwrap();
            }
        }
        if two_way.problem.graph.chain.is_some() {
            continue;
        }
        for way in u32::ways::<TwoWay<u32, Clashing>>() {
            let _blame = Blame(format!("{seed}, {}", way.name));
            let answer = (way.search)(&two_way, Limits::new(), two_way.problem.starts()).run();
            let Ok(report) = answer else { continue };
            if let Some(path) = report.path() {
                assert_eq!(path.verify(&two_way), Ok(()));
                assert!(report.lower_bound <= path.cost());
                refuted += u32::from(!report.is_optimal());
            }
        }
    }
    assert!(refuted > 30, "{refuted}");
}

#[test]
fn a_least_step_below_zero_says_nothing() {
    // One step, or three that cost less.
    let edges = Edges { edges: &[(0, 3, 10.0), (0, 1, 3.0), (1, 2, 3.0), (2, 3, 3.0)], goal: 3 };
    for least in [0.5, -1.0, f64::NEG_INFINITY, f64::NAN] {
        let nbs = Bidirectional::new(edges).nbs().least_step(least).search(0).run().unwrap();
        let uniform = Bidirectional::new(edges).dijkstra().least_step(least).search(0).run();
        for report in [nbs, uniform.unwrap()] {
            assert_eq!(report.cost(), Some(9.0), "{least}");
            assert!(report.is_optimal());
        }
    }
}
