//! The path to the closest state of a search that was stopped or found no path.

use bestfirst::problems::sliding_tiles::{Packed, SlidingTiles};
use bestfirst::{
    AStar, Anytime, BranchAndBound, BreadthFirst, Dijkstra, Greedy, Limits, Observer, Outcome,
    PathOf, SearchProblem, Successors,
};

use support::engines::erased;
use support::random::{Problem, Units, is_enough, rounds};

/// Every state that was generated, in order, with its cost.
struct Generated<C>(Vec<(u32, C)>);

impl<C: Copy> Observer<u32, C> for Generated<C> {
    fn generated(&mut self, _: Option<&u32>, &state: &u32, g: C) {
        self.0.push((state, g));
    }
}

/// The least key of the states that were open, and the least cost of one that has it.
fn least<C: Units, K: PartialOrd + Copy>(
    generated: &[(u32, C)],
    key: impl Fn(u32, C) -> Option<K>,
) -> Option<(K, C)> {
    let keys = generated.iter().filter_map(|&(state, g)| Some((key(state, g)?, g)));
    keys.reduce(|a, b| if b.0 < a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a })
}

/// Replays a path by hand, as it need not lead to a goal; whether all its steps are real ones.
fn replays<C: Units>(problem: &Problem<C, u32>, path: &PathOf<Problem<C, u32>>) -> bool {
    let mut g = path.start_cost();
    let steps_are_real = path.steps().all(|step| {
        let mut next = Successors::<Problem<C, u32>>::new();
        problem.successors(step.from, &mut next);
        g = g.checked_add(step.cost).unwrap();
        next.as_slice().iter().any(|successor| {
            (successor.action, successor.state, successor.cost)
                == (*step.action, *step.to, step.cost)
        })
    });
    problem.starts().contains(&(*path.start(), path.start_cost()))
        && steps_are_real
        && g == path.cost()
}

/// The h of a state as engines use it.
fn heuristic<C: Units>(problem: &Problem<C, u32>, state: u32) -> C {
    let h = problem.heuristic(&state);
    if h < C::ZERO || problem.is_goal(&state) { C::ZERO } else { h }
}

/// The path to the closest state, if there is one.
type Closest<'a, C> = Option<&'a PathOf<Problem<C, u32>>>;

/// Checks the closest state of every engine after any number of expansions. Returns how many there were
/// of searches that were stopped, and of exhausted ones.
fn check<C: Units>(seed: u64) -> [u64; 2] {
    let problem = &Problem::<C, u32>::random(seed, 14);
    let mut counts = [0; 2];
    if problem.graph.chain.is_some() {
        return counts;
    }
    let checks = |path: Closest<'_, C>, expected: Option<(C, C)>, key: &dyn Fn(u32) -> C| {
        assert_eq!(path.is_some(), expected.is_some());
        let Some((path, (least, g))) = path.zip(expected) else { return false };
        assert!(replays(problem, path));
        assert_eq!(key(*path.end()), least);
        // Cheaper, if a cheaper path to a state on it was found since.
        assert!(path.cost() <= g || path.cost().is_close(g));
        true
    };
    macro_rules! check {
        ($($search:expr),* $(,)?) => {$(
            for most in (0..20).chain([u64::MAX]) {
                let mut search = $search
                    .limits(Limits::new().expansions(most))
                    .observer(Generated(Vec::new()))
                    .search_from(problem.starts());
                let Ok(report) = search.run() else { break };
                let generated = std::mem::take(&mut search.observer().0);
                if let Outcome::Found(_) = report.outcome {
                    assert!(report.closest().is_none());
                    break;
                }
                let h = |state| heuristic(problem, state);
                let open_h = |state, g: C| {
                    Some(h(state)).filter(|&h| h < C::INFINITY && g.checked_add(h).is_some())
                };
                let expected = least(&generated, open_h);
                let seen = checks(report.closest(), expected, &h);
                let is_stopped = matches!(report.outcome, Outcome::Stopped(_));
                counts[usize::from(!is_stopped)] += u64::from(seen);
                if !is_stopped {
                    break;
                }
            }
        )*};
    }
    let p = erased(problem);
    check!(
        AStar::new(p),
        AStar::new(p).dense(),
        AStar::new(p).weight(1.5),
        Greedy::new(p),
        Greedy::new(p).dense(),
        BranchAndBound::new(p),
        BreadthFirst::new(p),
        BreadthFirst::new(p).dense(),
    );
    // Dijkstra's algorithm keeps no h; every search can be asked for another key.
    let key = |state: u32| C::of(u64::from(state % 5), support::random::Scale::Plain);
    macro_rules! check_by_key {
        ($($search:expr),* $(,)?) => {$(
            for most in 0..12 {
                let mut search = $search
                    .limits(Limits::new().expansions(most))
                    .observer(Generated(Vec::new()))
                    .search_from(problem.starts());
                let Ok(report) = search.run() else { break };
                let generated = std::mem::take(&mut search.observer().0);
                let expected = least(&generated, |state, _| Some(key(state)));
                let closest = search.closest_by(|&state| key(state)).unwrap();
                checks(closest.as_ref(), expected, &key);
                if !matches!(report.outcome, Outcome::Stopped(_)) {
                    break;
                }
            }
        )*};
    }
    check_by_key!(Dijkstra::new(p), Dijkstra::new(p).dense(), AStar::new(p), Greedy::new(p),);
    let report =
        Dijkstra::new(p).limits(Limits::new().expansions(3)).search_from(problem.starts()).run();
    assert!(report.is_err() || report.is_ok_and(|report| report.closest().is_none()));
    counts
}

#[test]
fn the_closest_state_has_the_least_h_and_among_equals_the_least_g() {
    let mut counts = [0; 2];
    // Of floats, some sums are rounded, some do not fit, and some estimates are below zero.
    for seed in 0..rounds(720) {
        let more = check::<f64>(seed);
        counts = std::array::from_fn(|i| counts[i] + more[i]);
    }
    assert!(is_enough(counts[0], 3_500) && is_enough(counts[1], 350), "{counts:?}");
}

/// An engine with an incumbent knows a goal by then, and a goal is as close as can be.
#[test]
fn the_closest_state_to_an_incumbent_is_a_goal() {
    let mut seen = 0;
    for seed in 0..rounds(500) {
        let problem = &Problem::<i32, u32>::random(seed, 20);
        for most in 1..20 {
            let limits = Limits::new().expansions(most);
            let search = BranchAndBound::new(erased(problem)).limits(limits);
            let Ok(report) = search.search_from(problem.starts()).run() else { break };
            if let Some(incumbent) = &report.incumbent {
                let closest = report.closest().expect("it is a state");
                assert_eq!(heuristic(problem, *closest.end()), 0);
                assert!(closest.cost() <= incumbent.cost());
                seen += 1;
            }
        }
    }
    assert!(is_enough(seen, 30), "{seen}");
}

/// A beam that begins again forgets its states, but for the path.
#[test]
fn the_closest_state_is_no_farther_than_the_end_of_the_best_path() {
    let puzzle = SlidingTiles::<Packed>::new(3, 3).unwrap();
    let start = puzzle.state(&"8 7 6 0 4 1 2 5 3".parse().unwrap()).unwrap();
    let mut seen = 0;
    for most in (20..2000).step_by(20) {
        let limits = Limits::new().expansions(most);
        let report = Anytime::new(&puzzle).limits(limits).search(start).run().unwrap();
        if let Some(incumbent) = &report.incumbent {
            assert_eq!(
                report.closest().map(PathOf::<SlidingTiles<Packed>>::end),
                Some(incumbent.end()),
                "{most}"
            );
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen}");
}
