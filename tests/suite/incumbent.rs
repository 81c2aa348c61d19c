//! What branch and bound and breadth-first search promise beyond the right answer: better and better
//! solutions, the fewest steps first, nothing kept that cannot be better.

use std::cell::Cell;
use std::collections::HashSet;

use bestfirst::{
    BranchAndBound, BreadthFirst, EqualSteps, InPlaceProblem, Limits, Observer, Outcome, Report,
    SearchError, SearchProblem, Stats, StopReason, Successors, branch_and_bound, breadth_first,
    dijkstra,
};

use support::engines::erased;
use support::erased::problem;
use support::random::{Problem, Truth, Units, bellman_ford, is_enough, rounds};

/// The solutions that a search has told of, and the states that it expanded.
#[derive(Debug)]
struct Told<S, C> {
    solutions: Vec<C>,
    expanded: Vec<S>,
}

impl<S, C> Default for Told<S, C> {
    fn default() -> Self {
        Self { solutions: Vec::new(), expanded: Vec::new() }
    }
}

impl<S: Clone, C> Observer<S, C> for Told<S, C> {
    fn expanded(&mut self, state: &S, _: C, _: C) {
        self.expanded.push(state.clone());
    }
    fn incumbent(&mut self, cost: C, _: C) {
        self.solutions.push(cost);
    }
}

fn but_bytes<S, A, C>(
    answer: Result<Report<S, A, C>, SearchError<C>>,
) -> Result<Report<S, A, C>, SearchError<C>> {
    answer.map(|mut report| {
        report.stats.peak_bytes = 0;
        report
    })
}

/// In place or copied, hashed or dense: the same report.
fn forms<C: Units>(seeds: std::ops::Range<u64>) -> u64 {
    let mut found = 0;
    for seed in seeds {
        let problem = Problem::<C, u32>::random(seed, 20);
        if problem.graph.chain.is_some() {
            continue;
        }
        let p = erased(&problem);
        macro_rules! are_same {
            ($engine:ident) => {{
                let limits = || Limits::new().expansions(5000);
                let builder = || $engine::new(p).limits(limits());
                let plain = builder().search_from(problem.starts()).run();
                found += u64::from(plain.as_ref().is_ok_and(|report| report.cost().is_some()));
                let plain = but_bytes(plain);
                let in_place = builder().in_place().search_from(problem.starts()).run();
                assert_eq!(but_bytes(in_place), plain, "seed {seed}");
                let dense = builder().dense().in_place().search_from(problem.starts()).run();
                assert_eq!(but_bytes(dense), plain, "seed {seed}");
            }};
        }
        are_same!(BranchAndBound);
        are_same!(BreadthFirst);
    }
    found
}

#[test]
fn every_form_gives_the_same_report() {
    let found = forms::<i32>(0..rounds(560)) + forms::<f64>(600..600 + rounds(280));
    assert!(is_enough(found, 600), "{found}");
    // With an observer or without, too.
    for seed in 0..rounds(500) {
        let problem = Problem::<i32, u32>::random(seed, 20);
        if problem.graph.chain.is_some() {
            continue;
        }
        macro_rules! are_same {
            ($engine:ident) => {{
                let builder =
                    || $engine::new(erased(&problem)).limits(Limits::new().expansions(5000));
                let plain = builder().search_from(problem.starts()).run();
                let mut told = Told::default();
                let watched = builder().in_place().observer(&mut told);
                let watched = watched.search_from(problem.starts()).run();
                assert_eq!(but_bytes(watched), but_bytes(plain), "seed {seed}");
            }};
        }
        are_same!(BranchAndBound);
        are_same!(BreadthFirst);
    }
}

/// Stopped anywhere, a search has the best solution that it has told of, or a better one, and a bound
/// that is true.
#[test]
fn solutions_become_better_and_are_there_at_every_stop() {
    let (mut stopped_with, mut improved) = (0, 0);
    for seed in 0..rounds(2000) {
        let problem = Problem::<i32, u32>::random(seed, 25);
        let Truth::Costs(optimum) = problem.graph.truth else { continue };
        let optimum = i32::try_from(optimum).unwrap();
        if problem.graph.chain.is_some() {
            continue;
        }
        macro_rules! watch {
            ($engine:ident) => {{
                let mut told = Told::default();
                let mut search = $engine::new(erased(&problem))
                    .observer(&mut told)
                    .search_from(problem.starts());
                let report = (0..).find_map(|most| {
                    search.set_limits(Limits::new().expansions(most));
                    let report = search.run().unwrap();
                    let best = search.observer().solutions.last().copied();
                    if let Outcome::Found(_) = report.outcome {
                        return Some(report);
                    }
                    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
                    assert!(report.lower_bound <= optimum, "seed {seed}");
                    assert_eq!(report.incumbent.is_some(), best.is_some());
                    if let Some((path, best)) = report.incumbent.as_ref().zip(best) {
                        assert_eq!(path.verify(&problem), Ok(()), "seed {seed}");
                        assert!(path.cost() >= optimum && path.cost() <= best);
                        assert!(report.is_optimal() <= (path.cost() == optimum));
                        stopped_with += 1;
                    }
                    None
                });
                assert_eq!(report.unwrap().cost(), Some(optimum), "seed {seed}");
                assert!(told.solutions.is_sorted_by(|a, b| a > b), "seed {seed}: {told:?}");
                assert_eq!(told.solutions.last(), Some(&optimum));
                improved += told.solutions.len() - 1;
            }};
        }
        watch!(BranchAndBound);
        watch!(BreadthFirst);
    }
    assert!(is_enough(stopped_with, 400) && is_enough(improved, 40), "{stopped_with} {improved}");
}

/// The first solution that breadth-first search comes to has the fewest steps.
#[test]
fn breadth_first_search_finds_the_fewest_steps_first() {
    let mut compared = 0;
    for seed in 0..1000 {
        let mut problem = Problem::<i32, u32>::random(seed, 30);
        let graph = &problem.graph;
        if graph.chain.is_some() || graph.may_overflow() {
            continue;
        }
        // A dead end must not be taken for one where the way is only too dear.
        let edges: Vec<_> = graph.list().into_iter().map(|(from, to, _)| (from, to, 1)).collect();
        let starts: Vec<_> = graph.starts.iter().map(|&(node, _)| (node, 0)).collect();
        let steps = bellman_ford(graph.edges.len(), &edges, &starts);
        let fewest = (0..steps.len()).filter(|&n| graph.goals[n]).filter_map(|n| steps[n]).min();
        let starts: Vec<_> = problem.starts().into_iter().map(|(state, _)| (state, 0)).collect();
        let starts = || starts.clone();

        let equal = EqualSteps::new(erased(&problem), 1);
        let equal = erased(&equal);
        let report = BreadthFirst::new(equal).search_from(starts()).run().unwrap();
        assert_eq!(report.cost().map(|cost| cost.unsigned_abs().into()), fewest, "seed {seed}");
        if let Some(path) = report.path() {
            // It ends with the expansion that comes to the goal.
            let mut told = Told::default();
            let again = BreadthFirst::new(equal).observer(&mut told).search_from(starts()).run();
            assert_eq!(again.unwrap().cost(), report.cost());
            let last = path.states().iter().rev().nth(1);
            assert_eq!(told.expanded.last(), last, "seed {seed}");
        }

        // With all the costs, too, every state is expanded in its layer, if not only there: the first
        // solution is found in the layer of the fewest steps.
        problem.h.fill(0);
        let mut told = Told::default();
        let mut search =
            BreadthFirst::new(erased(&problem)).observer(&mut told).search_from(starts());
        while search.observer().solutions.is_empty() && search.step().unwrap().is_none() {}
        let mut seen = HashSet::new();
        let first_times = told.expanded.iter().filter(|&&node| seen.insert(node));
        let layers: Vec<_> = first_times.map(|node| steps[*node as usize]).collect();
        assert!(layers.is_sorted(), "seed {seed}: {layers:?}");
        if let Some((last, fewest)) = layers.last().zip(fewest).filter(|&(_, fewest)| fewest > 0) {
            assert_eq!(last.map(|steps| steps + 1), Some(fewest), "seed {seed}");
        }
        compared += u64::from(fewest > Some(1));
    }
    assert!(compared > 100, "{compared}");
}

/// A binary tree of depth 9; a leaf is a goal, and a step to the right costs more the deeper it is.
fn tree() -> Box<dyn SearchProblem<State = u32, Action = (), Cost = u32>> {
    problem(
        |&n: &u32| if n < 512 { vec![(2 * n + 1, n.ilog2()), (2 * n, 1)] } else { vec![] },
        |&n: &u32| u32::from(n < 512),
        |&n: &u32| n >= 512,
    )
}

/// A key, as a pointer: the search is compiled once for all of them.
fn by(key: fn(&u32, u32, u32) -> u32) -> fn(&u32, u32, u32) -> u32 {
    key
}

#[test]
fn branch_and_bound_goes_by_the_key() {
    let tree = tree();
    let first_ten = |told: &Told<u32, u32>| told.expanded[..10].to_vec();
    let mut told = Told::default();
    let _ = BranchAndBound::new(&tree).observer(&mut told).search(1).run().unwrap();
    // To the right where that is free, then to the left where it is no dearer.
    assert_eq!(first_ten(&told)[..3], [1, 3, 7]);
    let mut told = Told::default();
    let search =
        BranchAndBound::new(&tree).order_by(by(|&n, _, _| n)).observer(&mut told).search(1);
    let report = { search }.run().unwrap();
    assert_eq!(first_ten(&told)[..9], [1, 2, 4, 8, 16, 32, 64, 128, 256]);
    assert_eq!(report.cost(), dijkstra(&tree, 1).unwrap().cost());
    let mut told = Told::default();
    let search =
        BranchAndBound::new(&tree).order_by(by(|&n, _, _| u32::MAX - n)).observer(&mut told);
    let _ = search.search(1).run().unwrap();
    assert_eq!(first_ten(&told)[..9], [1, 3, 7, 15, 31, 63, 127, 255, 511]);
    // Of equal keys, the first that was pushed.
    let mut told = Told::default();
    let search = BranchAndBound::new(&tree).order_by(by(|_, _, _| 0)).observer(&mut told);
    let _ = search.search(1).run().unwrap();
    assert_eq!(first_ten(&told)[..9], [1, 3, 7, 15, 31, 63, 127, 255, 511]);
    // The key is given what it should be.
    let sound = BranchAndBound::new(&tree).order_by(by(|&n, g, h| {
        assert_eq!(h, u32::from(n < 512));
        assert!(n.ilog2() == 0 || g < 100);
        g + h
    }));
    assert_eq!(sound.search(1).run().unwrap().cost(), report.cost());
}

/// What cannot be better than the best solution is neither stored nor expanded, nor is the heuristic
/// asked where the cost alone says so.
#[test]
fn what_cannot_be_better_is_dropped() {
    let asked = Cell::new(0_u64);
    // 0 → 1 is the goal, for 5; 0 → 2 costs 3, and from there lead a thousand steps of 1 to 9.
    let problem = || {
        problem(
            |&n: &u32| match n {
                0 => vec![(1, 5), (2, 3)],
                2 => (0..1000).map(|i| (10 + i, 1 + i % 9)).collect(),
                _ => vec![],
            },
            |&n: &u32| {
                asked.set(asked.get() + 1);
                // Of those for 1, half are known to be no better.
                u32::from(n >= 10 && n % 2 == 0)
            },
            |&n: &u32| n == 1,
        )
    };
    let counts = |stats: Stats| (stats.expanded, stats.generated, stats.stored, stats.evaluated);
    for stats in [
        branch_and_bound(&problem(), 0).unwrap().stats,
        breadth_first(&problem(), 0).unwrap().stats,
    ] {
        let steps_of_1 = (0..1000).filter(|i| i % 9 == 0).count() as u64;
        let kept = (0..1000).filter(|i| i % 9 == 0 && i % 2 == 1).count() as u64;
        assert_eq!(counts(stats), (2 + kept, 1002, 3 + kept, 3 + steps_of_1));
    }
    assert!(asked.get() < 300);
}

/// A state from which no goal can be reached is remembered as such, also when there is a solution.
#[test]
fn dead_ends_are_asked_about_once() {
    let problem = || {
        problem(
            |&n: &u32| match n {
                0 => vec![(1, 90), (2, 1)],
                2..=20 => vec![(n + 1, 1), (50, 1)],
                _ => vec![],
            },
            |&n: &u32| if n == 50 { u32::MAX } else { 0 },
            |&n: &u32| n == 1,
        )
    };
    for stats in [
        branch_and_bound(&problem(), 0).unwrap().stats,
        breadth_first(&problem(), 0).unwrap().stats,
    ] {
        assert_eq!((stats.dead_ends, stats.duplicates), (1, 18));
        assert_eq!((stats.evaluated, stats.stored), (23, 23));
    }
}

/// A state that was dropped is taken up again where a cheaper way to it is found.
#[test]
fn what_was_dropped_comes_back_for_less() {
    // The goal 9 for 10 at once; 1 for 9, and 5 for 8 by way of 2 and 3; from 1 it is 1 to the goal.
    let problem = problem(
        |&n: &u32| match n {
            0 => vec![(9, 10_u32), (1, 10), (2, 1)],
            2 => vec![(3, 1)],
            3 => vec![(1, 1)],
            1 => vec![(9, 1)],
            _ => vec![],
        },
        |_: &u32| 0,
        |&n: &u32| n == 9,
    );
    for report in [branch_and_bound(&problem, 0), breadth_first(&problem, 0)] {
        let report = report.unwrap();
        assert_eq!(report.cost(), Some(4));
        assert_eq!(report.path().unwrap().states(), [0, 2, 3, 1, 9]);
    }
}

thread_local! {
    static COPIES: Cell<u64> = const { Cell::new(0) };
}

/// A place on a grid that counts how often it is copied, and is too large to be copied lightly.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Heavy([u8; 2], Box<[u8; 100]>);

impl Clone for Heavy {
    fn clone(&self) -> Self {
        COPIES.set(COPIES.get() + 1);
        Self(self.0, self.1.clone())
    }
}

/// A torus of 20 × 20 places without a goal.
struct Torus;

impl SearchProblem for Torus {
    type State = Heavy;
    type Action = (usize, u8);
    type Cost = u32;

    fn successors(&self, state: &Heavy, next: &mut Successors<Self>) {
        for action in self.actions(state) {
            let mut successor = state.clone();
            let (cost, _) = self.apply(&mut successor, &action);
            next.push(action, successor, cost);
        }
    }
    fn is_goal(&self, _: &Heavy) -> bool {
        false
    }
}

impl InPlaceProblem for Torus {
    type Actions = std::array::IntoIter<(usize, u8), 4>;
    type Undo = (usize, u8);

    fn actions(&self, _: &Heavy) -> Self::Actions {
        [(0, 1), (0, 19), (1, 1), (1, 19)].into_iter()
    }
    fn apply(&self, state: &mut Heavy, &(axis, by): &(usize, u8)) -> (u32, (usize, u8)) {
        state.0[axis] = (state.0[axis] + by) % 20;
        (1, (axis, 20 - by))
    }
    fn undo(&self, state: &mut Heavy, (axis, by): (usize, u8)) {
        state.0[axis] = (state.0[axis] + by) % 20;
    }
}

/// In place, a state is copied when it is new and when it is expanded, and duplicates never are; the start, when it is
/// stored.
#[test]
fn in_place_no_duplicate_is_copied() {
    let start = || Heavy([0, 0], Box::new([0; 100]));
    let count = |run: &mut dyn FnMut() -> Stats| {
        COPIES.set(0);
        let stats = run();
        assert_eq!((stats.expanded, stats.generated), (400, 1600));
        COPIES.get()
    };
    let copied = count(&mut || BreadthFirst::new(&Torus).search(start()).run().unwrap().stats);
    // No expansion is done twice; the report has the path to the closest state, which is the start.
    assert_eq!(copied, 1 + 1600 + 1);
    let in_place =
        count(&mut || BreadthFirst::new(&Torus).in_place().search(start()).run().unwrap().stats);
    assert_eq!(in_place, 1 + 399 + 400 + 1);
}

/// Dropping very many states is no expansion: the step after it says what came of it.
#[test]
fn many_states_are_dropped_in_one_step() {
    let star = problem(
        |&n: &u32| if n == 0 { (1..=100_000).map(|i| (i, 1 + i % 7)).collect() } else { vec![] },
        |_: &u32| 0,
        |&n: &u32| n == 77_777,
    );
    macro_rules! steps {
        ($engine:ident) => {{
            let mut search = $engine::new(&star).search(0);
            assert_eq!(search.step().unwrap(), None);
            assert_eq!(search.stats().stored, 100_001);
            let report = search.step().unwrap().expect("nothing is left");
            assert_eq!((report.cost(), report.stats.expanded), (Some(1), 1));
        }};
    }
    steps!(BranchAndBound);
    steps!(BreadthFirst);
}

/// A limit on the cost is as good as a solution of that cost, and when it is raised the search goes on
/// with what was put aside.
#[test]
fn a_limit_on_the_cost_is_a_bound() {
    let endless = problem(
        |&n: &u32| [(n + 7, 2_u32), (n * 2, 3), (n + 1, 1)],
        |_: &u32| 0,
        |&n: &u32| n == 1000,
    );
    let optimum = dijkstra(&endless, 1).unwrap().cost().unwrap();
    macro_rules! under_limits {
        ($engine:ident) => {{
            let mut search = $engine::new(&endless).search(1);
            for most in [0, 5, optimum - 1] {
                search.set_limits(Limits::new().cost(most));
                let report = search.run().unwrap();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost));
                assert_eq!(report.lower_bound, most + 1);
            }
            search.set_limits(Limits::new().cost(optimum));
            let report = search.run().unwrap();
            assert!(report.is_optimal());
            assert_eq!(report.cost(), Some(optimum));
            // A limit below a solution that is there already.
            let mut search = $engine::new(&endless).limits(Limits::new().cost(60)).search(1);
            while search.step().unwrap().is_none() {
                search.set_limits(Limits::new().cost(optimum - 1));
            }
            let report = search.run().unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost));
            assert!(report.incumbent.is_none() && report.lower_bound == optimum);
            search.set_limits(Limits::new().cost(optimum));
            assert_eq!(search.run().unwrap().cost(), Some(optimum));
        }};
    }
    under_limits!(BranchAndBound);
    under_limits!(BreadthFirst);
}

/// The layers of breadth-first search are those of the report.
#[test]
fn the_report_counts_by_layers() {
    let grid = problem(
        // A place is 10 y + x.
        |&at: &u32| {
            let fits = |at: &u32| at % 10 < 9 && at / 10 < 9;
            [at + 1, at + 10].into_iter().filter(fits).map(|at| (at, 1))
        },
        |_: &u32| 0_u32,
        |&at: &u32| at == 88,
    );
    let report = breadth_first(&grid, 0).unwrap();
    let layers: Vec<_> = report.layers.iter().map(|layer| (layer.bound, layer.expanded)).collect();
    let expected: Vec<_> = (0..16).map(|f| (f, u64::from((f + 1).min(17 - f)))).collect();
    assert_eq!(layers, expected);
    assert_eq!(report.stats.expanded_before_last_layer, 80 - 2);
    let report = branch_and_bound(&grid, 0).unwrap();
    assert_eq!(report.layers.len(), 1);
}

/// Counts what it is told of.
#[derive(Default)]
struct Generated(u64);

impl<S, C> Observer<S, C> for Generated {
    fn generated(&mut self, _: Option<&S>, _: &S, _: C) {
        self.0 += 1;
    }
}

/// In place, duplicates are sieved out before they are copied, but not where somebody listens.
#[test]
fn in_place_an_observer_is_told_of_duplicates_too() {
    let start = || Heavy([0, 0], Box::new([0; 100]));
    let mut told = Generated::default();
    let report = BreadthFirst::new(&Torus).in_place().observer(&mut told).search(start()).run();
    assert_eq!((report.unwrap().stats.generated, told.0), (1600, 1600 + 1));
    let mut told = Generated::default();
    let report = BranchAndBound::new(&Torus).in_place().observer(&mut told).search(start()).run();
    assert_eq!(report.unwrap().stats.generated + 1, told.0);
}

/// In a table that does not fit into the caches, successors are generated ahead of time; states that are then pruned
/// were among them.
#[test]
fn breadth_first_search_looks_ahead_in_a_large_table() {
    const STATES: u32 = 50_021;
    let steps = |costs: u32| {
        move |&n: &u32| {
            [(3, 1), (7, 5), (11, 2)].map(|(by, add)| ((n * by + add) % STATES, 1 + n % costs))
        }
    };
    let search = |costs: u32, goal: u32| {
        let problem = problem(steps(costs), |_: &u32| 0, move |&n: &u32| n == goal);
        breadth_first(&problem, 1).unwrap()
    };
    // Every state is reached, and none is a goal.
    let report = search(1, STATES);
    assert_eq!((report.outcome, report.stats.expanded), (Outcome::Exhausted, STATES.into()));
    assert_eq!(report.stats.generated, 3 * u64::from(STATES));
    // All but the first steps to the other states.
    assert_eq!(report.stats.duplicates, 2 * u64::from(STATES) + 1);
    // The last states in order of their cost: cheaper paths of more steps are found later, states are pruned by then.
    let endless = problem(steps(3), |_: &u32| 0, |_: &u32| false);
    let reached = bestfirst::dijkstra_all(&endless, 1).unwrap();
    let (goal, cost) = (0..STATES)
        .map(|state| (state, reached.cost_of(&state).unwrap()))
        .max_by_key(|&(_, cost)| cost)
        .unwrap();
    let report = search(3, goal);
    assert_eq!((report.cost(), report.is_optimal()), (Some(cost), true));
    report.path().unwrap().verify(&problem(steps(3), |_: &u32| 0, |&n: &u32| n == goal)).unwrap();
}

/// States that are put back when the limit on the cost is raised are sorted: the memory for that is in the account.
#[test]
fn states_that_are_put_back_are_held_within_the_limits() {
    let comb = problem(
        |&(n, is_leaf): &(u32, bool)| {
            let next =
                (!is_leaf && n < 5_000).then_some([((n + 1, false), 0_u32), ((n, true), 10)]);
            next.into_iter().flatten()
        },
        |_| 0,
        |_| false,
    );
    let before = crate::counting::held();
    let mut search = BranchAndBound::new(&comb).limits(Limits::new().cost(5)).search((0, false));
    assert_eq!(search.run().unwrap().outcome, Outcome::Stopped(StopReason::Cost));
    search.set_limits(Limits::new().cost(20).expansions(search.stats().expanded));
    assert_eq!(search.run().unwrap().outcome, Outcome::Stopped(StopReason::Expansions));
    let held = (crate::counting::held() - before).unsigned_abs();
    assert!(held < search.bytes() + 5_000, "{held} bytes are held, {} are counted", search.bytes());
    search.set_limits(Limits::new().cost(20).memory(search.bytes()));
    assert_eq!(search.run().unwrap().outcome, Outcome::Exhausted);
}
