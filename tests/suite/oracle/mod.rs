//! Every engine, with every table and every frontier: here against an oracle on random problems; in the modules, within
//! limits, restarted, through faults, and on problems that do their worst. All this is one program because the compiler
//! makes the engines anew for every program.
//!
//! A failure names the seed of its problem and the engine: `Problem::random(seed, nodes)` makes the
//! same problem again.

mod allocations;
mod cliques;
mod costs;
mod faults;
mod impure;
mod lies;
mod limits;
mod memory;
mod pairs;
mod restart;
mod scale;
mod states;
mod sudden;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bestfirst::{AllOptimal, Dijkstra, KBest, Limits, PathCount, SearchError};

use support::engines::{Engine, Listed, Needs, engines, erased};
use support::judge::{PATIENCE, Tally, check, check_costs};
use support::random::{Clashing, Name, Problem, Scale, Units, Wide, is_enough, rounds};

/// Says which problem and which engine it was, if a check panics.
struct Blame<'a> {
    seed: u64,
    nodes: usize,
    costs: &'static str,
    engine: &'a str,
}

impl Drop for Blame<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Self { seed, nodes, costs, engine } = self;
            eprintln!("with Problem::<{costs}, _>::random({seed}, {nodes}) and {engine}");
        }
    }
}

/// The engines for a problem of these types.
type Engines<C, S> = fn() -> Vec<Engine<Problem<C, S>>>;

fn judge<C: Units, S: Name>(engines: Engines<C, S>, seed: u64, nodes: usize, tally: &mut Tally) {
    let mut problem = Problem::<C, S>::random(seed, nodes);
    judge_some(&problem, nodes, engines(), tally);
    if problem.graph.chain.is_none() {
        let costs = std::any::type_name::<C>();
        let _blame = Blame { seed, nodes, costs, engine: "to all" };
        judge_all(&problem);
        let _blame = Blame { seed, nodes, costs, engine: "more than one path" };
        judge_paths(&problem);
    }
    if problem.graph.scale == Scale::NearMax && problem.graph.raise_start(!seed.is_multiple_of(8)) {
        let _blame =
            Blame { seed, nodes, costs: "its start raised", engine: "the one that is named" };
        judge_some(&problem, nodes, engines(), tally);
    }
}

/// One problem, made of that many nodes at most, by some of the engines.
fn judge_some<C: Units, S: Name>(
    problem: &Problem<C, S>,
    nodes: usize,
    engines: Vec<Engine<Problem<C, S>>>,
    tally: &mut Tally,
) {
    let graph = &problem.graph;
    let seed = graph.seed;
    tally.problems += 1;
    for engine in engines {
        let costs = std::any::type_name::<C>();
        let _blame = Blame { seed, nodes, costs, engine: engine.name };
        let may_stop = match engine.needs {
            _ if engine.is_dense() && graph.chain.is_some() => continue,
            // Such records hold half of what the type does: `tests/suite/costs_only.rs`.
            _ if !engine.keeps_parents() && graph.scale == Scale::NearMax => continue,
            Needs::Small | Needs::Goal if nodes > 12 => continue,
            Needs::Small | Needs::Goal => true,
            _ => graph.chain.is_some(),
        };
        let limits = if may_stop { Limits::new().expansions(PATIENCE) } else { Limits::new() };
        let answer = (engine.search)(problem, limits.clone(), problem.starts()).run();
        let check = if engine.keeps_parents() { check } else { check_costs };
        check(problem, &answer, engine.factor, may_stop, tally);
        if seed.is_multiple_of(16) {
            let again = (engine.search)(problem, limits, problem.starts()).run();
            assert_eq!(again, answer, "the same again");
        }
    }
}

/// Dijkstra's algorithm to everywhere, both ways to ask for it.
fn judge_all<C: Units, S: Name>(problem: &Problem<C, S>) {
    let graph = &problem.graph;
    let costs = graph.costs();
    let mut search = Dijkstra::new(erased(problem)).search_from(problem.starts());
    let settled: Result<Vec<_>, _> = search.settled().collect();
    let reached = Dijkstra::new(erased(problem)).dense().search_from(problem.starts()).reach_all();
    if graph.may_overflow() && costs.iter().flatten().any(|&cost| cost > u128::from(graph.most)) {
        assert!(matches!(settled, Err(SearchError::Overflow { .. })));
        assert!(matches!(reached, Err(SearchError::Overflow { .. })));
        return;
    }
    let (Ok(settled), Ok(reached)) = (settled, reached) else {
        assert!(graph.may_overflow(), "an error");
        return;
    };
    assert!(settled.is_sorted_by(|a, b| a.1 <= b.1), "settled in order");
    assert_eq!(settled.len(), costs.iter().flatten().count());
    assert_eq!(reached.len(), settled.len());
    for (node, &units) in costs.iter().enumerate() {
        let state = S::new(node);
        let cost = reached.cost_of(&state);
        assert_eq!(cost.is_some(), units.is_some());
        let Some((cost, units)) = cost.zip(units) else { continue };
        let units = u64::try_from(units).expect("it has a cost");
        assert!(cost.is_close(C::of(units, graph.scale)));
        assert!(settled.contains(&(state.clone(), cost)));
        let path = reached.path_to(&state).unwrap().unwrap();
        assert_eq!((path.end(), path.cost()), (&state, cost));
    }
}

/// The best paths, and all cheapest ones, against labels in the order of their cost.
fn judge_paths<C: Units, S: Name>(problem: &Problem<C, S>) {
    const MOST: usize = 12;
    let graph = &problem.graph;
    let mut starts = graph.starts.clone();
    starts.sort_unstable();
    starts.dedup();
    let label = |(node, cost): (usize, u64)| Reverse((u128::from(cost), node));
    let mut open: BinaryHeap<_> = starts.into_iter().map(label).collect();
    let mut expanded = vec![0; graph.edges.len()];
    let mut expected = Vec::new();
    while let Some(Reverse((cost, node))) = open.pop() {
        expanded[node] += 1;
        if expanded[node] > MOST || expected.len() == MOST {
            continue;
        }
        if graph.goals[node] {
            expected.push(cost);
        }
        for &(to, step) in &graph.edges[node] {
            open.push(Reverse((cost + u128::from(step), to)));
        }
    }
    let fits = |&&cost: &&u128| cost <= u128::from(graph.most);
    let search = KBest::new(erased(problem)).search_from(problem.starts());
    let mut found = 0;
    for path in search.take(MOST) {
        let Ok(path) = path else {
            assert!(graph.may_overflow(), "an error");
            assert!(found >= expected.iter().filter(fits).count(), "an error before all paths");
            return;
        };
        assert_eq!(path.verify(problem), Ok(()));
        let units = u64::try_from(expected[found]).expect("it has a cost");
        assert!(path.cost().is_close(C::of(units, graph.scale)), "path {found}: {expected:?}");
        found += 1;
    }
    assert_eq!(found, expected.len());
    let Ok(all) = AllOptimal::new(erased(problem)).search_from(problem.starts()).find_all() else {
        assert!(graph.may_overflow(), "an error");
        return;
    };
    let cheapest = expected.iter().filter(|&&cost| cost == expected[0]).count();
    match all.count() {
        PathCount::Infinite => assert_eq!(cheapest, MOST),
        // Sums of floats are compared exactly.
        PathCount::Finite(count) if C::rounding() > 1.0 => assert_eq!(count > 0, cheapest > 0),
        count => {
            assert_eq!(count.get().map(|count| count.min(MOST as u128)), Some(cheapest as u128));
        }
    }
    for path in all.paths().take(MOST) {
        assert_eq!(path.unwrap().verify(problem), Ok(()));
    }
}

fn judge_each_type(seed: u64, nodes: usize, tally: &mut Tally) {
    match seed % 9 {
        0 | 1 => judge::<u8, u32>(engines, seed, nodes, tally),
        2 => judge::<u32, u32>(engines, seed, nodes, tally),
        4 => judge::<i32, u32>(engines, seed, nodes, tally),
        5 => judge::<f32, Wide>(engines, seed, nodes, tally),
        6 => judge::<f64, u32>(engines, seed, nodes, tally),
        _ => judge::<u64, Clashing>(engines, seed, nodes, tally),
    }
}

fn judge_many(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        // Most are small, so that depth-first engines can join; some are larger.
        let nodes = if seed % 10 == 9 { 60 } else { 1 + (seed / 9 % 12) as usize };
        judge_each_type(seed, nodes, &mut tally);
    }
    tally
}

/// Problems that were once answered wrongly.
#[test]
fn known_seeds() {
    let mut tally = Tally::default();
    // Costs of exactly the largest value, in a table of what is left to pay.
    judge::<u32, u32>(engines, 4412, 11, &mut tally);
    judge::<i32, u32>(engines, 38083, 8, &mut tally);
    judge::<u32, u32>(engines, 535_462, 12, &mut tally);
    // Values of f where numbers wrap around; a start given twice; sums of floats that were rounded.
    judge::<u64, Clashing>(engines, 858, 12, &mut tally);
    judge::<f64, u32>(engines, 12554, 3, &mut tally);
    judge::<f64, u32>(engines, 24189, 60, &mut tally);
}

#[test]
fn oracle() {
    let tally = judge_many(6000..6000 + rounds(650));
    println!("{tally:?}");
    assert!(tally.found > tally.searches / 4, "{tally:?}");
    assert!(is_enough(tally.dearer, 10), "{tally:?}");
    assert!(tally.exhausted > tally.searches / 20, "{tally:?}");
    assert!(tally.overflows > tally.searches / 100, "{tally:?}");
    assert!(tally.stopped > 0 && tally.stopped < tally.searches / 10, "{tally:?}");
}

/// Where there are many paths, engines that need not find the optimum often do not, and keep their promises.
#[test]
fn solutions_that_are_not_optimal_are_within_their_factor() {
    fn judge<C: Units + Listed>(seed: u64, tally: &mut Tally) {
        let nodes = 40 + (seed % 160) as usize;
        let problem = Problem::<C, u32>::long(seed, nodes);
        let engines = engines().into_iter().filter(|engine| !engine.is_optimal()).collect();
        judge_some(&problem, nodes, engines, tally);
    }
    let mut tally = Tally::default();
    for seed in 0..rounds(75) {
        match seed % 3 {
            0 => judge::<u32>(seed, &mut tally),
            1 => judge::<i32>(seed, &mut tally),
            _ => judge::<f64>(seed, &mut tally),
        }
    }
    assert!(tally.found > tally.searches * 9 / 10, "{tally:?}");
    assert!(tally.dearer > tally.found / 4, "{tally:?}");
}

/// As [`oracle`], on a million problems, in as many threads as there are processors.
#[test]
#[ignore = "takes minutes: cargo test --release --test suite -- --ignored oracle_million"]
fn oracle_million() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let share = 1_000_000_u64.div_ceil(threads);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                let first = 10_000 + thread * share;
                println!("{:?}", judge_many(first..first + share));
            });
        }
    });
}
