//! Alternative paths: what is promised of them, against brute force on random graphs.

use std::collections::HashSet;

use bestfirst::{
    Alternatives, DenseStates, Limits, Outcome, Path, PathOf, Reversible, StopReason, Successors,
    dijkstra,
};

use crate::graph::{Graph, Random};
use support::random::{is_enough, rounds};

impl Graph {
    fn without_h(steps: Vec<Vec<(u16, u32)>>, goals: Vec<bool>) -> Self {
        let h = vec![0; steps.len()];
        Self { steps, goals, h }
    }
}

impl Reversible for Graph {
    fn predecessors(&self, &state: &u16, previous: &mut Successors<Self>) {
        for (from, steps) in (0..).zip(&self.steps) {
            for (action, &(to, cost)) in (u32::from(from) * 1000..).zip(steps) {
                if to == state {
                    previous.push(action, from, cost);
                }
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = u16> {
        (0..).zip(&self.goals).filter(|&(_, &is_goal)| is_goal).map(|(state, _)| state)
    }
}

impl DenseStates for Graph {
    fn state_count(&self) -> usize {
        self.steps.len()
    }

    fn state_index(&self, &state: &u16) -> usize {
        state.into()
    }

    fn state_at(&self, index: usize) -> u16 {
        u16::try_from(index).unwrap()
    }
}

impl Random {
    fn state(&mut self, states: u64) -> u16 {
        u16::try_from(self.below(states)).unwrap()
    }

    fn cost(&mut self, end: u64) -> u32 {
        u32::try_from(self.below(end)).unwrap()
    }

    /// Any graph, with loops, parallel steps, cycles that cost nothing, and several goals.
    fn graph(&mut self) -> Graph {
        let states = 2 + self.below(14);
        let highest = 1 + self.below(30);
        let mut steps = vec![Vec::new(); usize::try_from(states).unwrap()];
        for _ in 0..self.below(4 * states) {
            let from = usize::from(self.state(states));
            steps[from].push((self.state(states), self.cost(highest)));
        }
        let goals = (0..states).map(|state| state > 0 && self.below(5) == 0).collect();
        Graph::without_h(steps, goals)
    }

    /// Streets: a grid with random costs, some of them missing, and some one-way.
    fn streets(&mut self, side: u16) -> Graph {
        let mut steps = vec![Vec::new(); usize::from(side * side)];
        let base = self.below(12);
        for state in 0..side * side {
            let right = (state % side + 1 < side).then_some(state + 1);
            let down = (state + side < side * side).then_some(state + side);
            for to in right.into_iter().chain(down) {
                let cost = u32::try_from(base).unwrap() + self.cost(10);
                if self.below(10) > 0 {
                    steps[usize::from(state)].push((to, cost));
                }
                if self.below(10) > 0 {
                    steps[usize::from(to)].push((state, cost));
                }
            }
        }
        let goals = (0..side * side).map(|state| state + 1 == side * side).collect();
        Graph::without_h(steps, goals)
    }
}

impl Graph {
    /// The distances between all states.
    fn distances(&self) -> Vec<Vec<u32>> {
        let states = self.steps.len();
        let mut costs = vec![vec![u32::MAX; states]; states];
        for (from, steps) in self.steps.iter().enumerate() {
            costs[from][from] = 0;
            for &(to, cost) in steps {
                let least = &mut costs[from][usize::from(to)];
                *least = cost.min(*least);
            }
        }
        for over in 0..states {
            for from in 0..states {
                for to in 0..states {
                    let sum = costs[from][over].saturating_add(costs[over][to]);
                    costs[from][to] = sum.min(costs[from][to]);
                }
            }
        }
        costs
    }
}

/// The options of a search.
#[derive(Clone, Copy, Debug)]
struct Options {
    sharing: f64,
    stretch: f64,
    locality: f64,
}

/// The steps of a path that are in a set, or are not, and what they cost.
fn cost_of(path: &PathOf<Graph>, counts: impl Fn((u16, u16)) -> bool) -> f64 {
    let steps = path.steps().filter(|step| counts((*step.from, *step.to)));
    steps.map(|step| f64::from(step.cost)).sum()
}

/// Checks all that is promised of the paths of a search from the state 0.
fn check(graph: &Graph, paths: &[PathOf<Graph>], options: Options) {
    let Some((cheapest, others)) = paths.split_first() else { return };
    let distances = graph.distances();
    assert_eq!(Some(cheapest.cost()), dijkstra(graph, 0).unwrap().cost());
    assert_eq!(cheapest.verify(graph), Ok(()));
    let pairs = |path: &PathOf<Graph>| -> HashSet<(u16, u16)> {
        path.steps().map(|step| (*step.from, *step.to)).collect()
    };
    let (all, first) = (f64::from(cheapest.cost()), pairs(cheapest));
    let mut before = first.clone();
    for path in others {
        assert_eq!(path.verify(graph), Ok(()));
        let shared = cost_of(path, |step| before.contains(&step));
        assert!(shared <= options.sharing * all, "{shared} of {all} is shared: {graph:?}");
        assert!(!pairs(path).is_subset(&before), "no other path: {graph:?}");
        let beside = cost_of(path, |step| !first.contains(&step));
        let replaced = cost_of(cheapest, |step| !pairs(path).contains(&step));
        assert!(beside <= (1.0 + options.stretch) * replaced, "{beside}, {replaced}: {graph:?}");
        assert!(f64::from(path.cost()) <= (1.0 + options.stretch) * all);
        let states: HashSet<_> = path.states().iter().collect();
        assert_eq!(states.len(), path.states().len(), "a state comes twice: {graph:?}");
        // Local optimality: every part that costs less than this is a cheapest path.
        for from in 0..path.len() {
            let mut cost = 0;
            for step in path.steps().skip(from) {
                cost += step.cost;
                if f64::from(cost) >= options.locality * all {
                    break;
                }
                let least = distances[usize::from(path.states()[from])][usize::from(*step.to)];
                assert_eq!(cost, least, "a part is no cheapest path: {graph:?}, {path:?}");
            }
        }
        before.extend(pairs(path));
    }
}

fn search(graph: &Graph, options: Options) -> Vec<PathOf<Graph>> {
    let Options { sharing, stretch, locality } = options;
    let builder = Alternatives::new(graph).sharing(sharing).stretch(stretch).locality(locality);
    builder.search(0).collect::<Result<_, _>>().unwrap()
}

#[test]
fn alternatives_are_what_is_promised_of_them() {
    let mut random = Random(1);
    let mut found = [0; 2];
    for round in 0..rounds(1200) {
        let is_road = round % 8 == 0;
        let side = 3 + random.state(6);
        let graph = if is_road { random.streets(side) } else { random.graph() };
        let mut part = |end: u64| f64::from(random.cost(end)) / 20.0;
        let options = match round % 3 {
            0 => Options { sharing: 0.8, stretch: 0.25, locality: 0.25 },
            _ => Options { sharing: part(21), stretch: part(41), locality: part(16) },
        };
        let paths = search(&graph, options);
        let is_reachable = dijkstra(&graph, 0).unwrap().cost().is_some();
        assert_eq!(is_reachable, !paths.is_empty());
        check(&graph, &paths, options);
        found[usize::from(is_road)] += paths.len().saturating_sub(1);
    }
    assert!(is_enough(found[0], 150) && is_enough(found[1], 240), "{found:?}");
}

/// Two roads that part at once and join at the end, and a third one by a detour: each is found exactly where its
/// properties allow it.
#[test]
fn options_decide_which_alternatives_there_are() {
    let road = |over: u16, costs: [u32; 3]| {
        [(0, over, costs[0]), (over, over + 1, costs[1]), (over + 1, 7, costs[2])]
    };
    let mut graph = Graph::without_h(vec![Vec::new(); 9], vec![false; 9]);
    graph.goals[7] = true;
    let roads = [road(1, [10, 80, 10]), road(3, [10, 90, 10]), road(5, [20, 110, 20])];
    for (from, to, cost) in roads.into_iter().flatten() {
        graph.steps[usize::from(from)].push((to, cost));
    }
    // From the first road to the second.
    graph.steps[1].push((8, 45));
    graph.steps[8].push((4, 50));
    let costs = |sharing, stretch, locality| {
        let paths = search(&graph, Options { sharing, stretch, locality });
        paths.iter().map(Path::cost).collect::<Vec<_>>()
    };
    assert_eq!(costs(0.0, 0.5, 0.25), [100, 110, 150]);
    assert_eq!(costs(0.0, 0.49, 0.25), [100, 110]);
    assert_eq!(costs(0.0, 0.09, 0.25), [100]);
    // Of the second road only the whole is no cheapest path.
    assert_eq!(costs(0.0, 0.5, 1.09), [100, 110, 150]);
    assert_eq!(costs(0.0, 0.5, 1.11), [100, 150]);
    // The crossing shares a step with each road.
    assert_eq!(costs(0.2, 0.5, 0.95), [100, 110, 150, 115]);
    assert_eq!(costs(0.2, 0.5, 0.96), [100, 110, 150]);
    assert_eq!(costs(0.19, 0.5, 0.95), [100, 110, 150]);
    // Out of range.
    assert_eq!(costs(f64::NAN, 0.5, 0.25), costs(0.0, 0.5, 0.25));
    assert_eq!(costs(-1.0, 0.5, 0.25), costs(0.0, 0.5, 0.25));
    assert_eq!(costs(9.0, 0.5, f64::NAN), costs(1.0, 0.5, 0.0));
}

#[test]
fn a_search_for_alternatives_goes_on_as_if_it_had_not_stopped() {
    let mut random = Random(5);
    let mut several = 0;
    for _ in 0..30 {
        let graph = random.streets(7);
        let whole: Vec<_> =
            Alternatives::new(&graph).dense().search(0).map(Result::unwrap).collect();
        several += usize::from(whole.len() > 1);
        let mut stopped = Alternatives::new(&graph).dense().search(0);
        let mut paths = Vec::new();
        for expansions in 0..200 {
            stopped.set_limits(Limits::new().expansions(expansions));
            paths.extend(stopped.by_ref().map(Result::unwrap));
            assert!(stopped.stats().expanded <= expansions);
        }
        assert_eq!(paths, whole);
        assert_eq!(stopped.run().unwrap().outcome, Outcome::Exhausted);
        stopped.restart(0);
        assert_eq!(stopped.returned(), 0);
        let report = stopped.run().unwrap();
        assert_eq!(report.cost(), whole.first().map(Path::cost));
        assert!(report.is_optimal() || whole.is_empty());
        assert_eq!(stopped.by_ref().map(Result::unwrap).collect::<Vec<_>>(), whole);

        let mut small = Alternatives::new(&graph).dense().search(0);
        let mut paths = Vec::new();
        let mut most = 0;
        loop {
            small.set_limits(Limits::new().memory(most));
            paths.extend(small.by_ref().map(Result::unwrap));
            let report = small.run().unwrap();
            assert!(report.stats.peak_bytes <= most as u64);
            if report.outcome == Outcome::Exhausted {
                break;
            }
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
            most += 200;
        }
        assert_eq!(paths, whole);
        if let Some(cheapest) = whole.first() {
            let limits = Limits::new().cost(cheapest.cost());
            let mut cheap = Alternatives::new(&graph).dense().limits(limits).search(0);
            let mut paths: Vec<_> = cheap.by_ref().map(Result::unwrap).collect();
            assert!(paths.iter().all(|path| path.cost() == cheapest.cost()));
            assert_eq!(cheap.run().unwrap().outcome, Outcome::Stopped(StopReason::Cost));
            cheap.set_limits(Limits::new());
            paths.extend(cheap.map(Result::unwrap));
            assert_eq!(paths, whole);
        }
    }
    assert!(several > 10, "{several}");
}
