//! States that others make needless: the optimum is that of a search that expands them all.
#![expect(clippy::cast_possible_truncation, reason = "the numbers are small")]

use std::collections::{BTreeMap, BTreeSet};

use bestfirst::engine::Engine;
use bestfirst::{
    AStar, Anytime, AnytimeAStar, Beam, BoundedCost, BranchAndBound, BreadthFirst, Dijkstra,
    Dominance, Focal, Greedy, IgnoreGoal, IgnoreHeuristic, Limits, Observer, Outcome, Rectangle,
    Search, SearchProblem, StopReason, Successors,
};
use support::criteria::Random;
use support::random::{is_enough, rounds};

/// A road: from, to, cost, and what it takes of each of two resources; a negative amount fills it up.
type Road = (u8, u8, u32, [i8; 2]);

/// A network of roads.
#[derive(Clone, Debug)]
struct Network {
    roads: Vec<Road>,
    goals: Vec<u8>,
    heuristic: Vec<u32>,
    /// Whether a state has a number that does not matter.
    is_tagged: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Car {
    place: u8,
    left: [i8; 2],
    /// Does not matter.
    tag: u8,
}

const FULL: [i8; 2] = [12, 9];

fn start() -> Car {
    Car { place: 0, left: FULL, tag: 0 }
}

impl Network {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let places = 2 + random.below(8) as u8;
        let place = |random: &mut Random| random.below(places.into()) as u8;
        let roads = (0..u64::from(places) * (2 + seed % 3))
            .map(|_| {
                let (from, to) = (place(&mut random), place(&mut random));
                let takes =
                    [0; 2].map(|_: i8| random.below(5) as i8 - i8::from(random.below(9) == 0) * 6);
                (from, to, random.below(6) as u32, takes)
            })
            .collect();
        let goals = (0..=seed % 2).map(|_| 1 + random.below(u64::from(places) - 1) as u8).collect();
        let mut network =
            Self { roads, goals, heuristic: Vec::new(), is_tagged: seed.is_multiple_of(3) };
        // Some part of the cost without constraints: admissible, and mostly not consistent.
        let mut costs = vec![u32::MAX; places.into()];
        for &goal in &network.goals {
            costs[goal as usize] = 0;
        }
        for _ in 0..places {
            for &(from, to, cost, _) in &network.roads {
                costs[from as usize] =
                    costs[from as usize].min(costs[to as usize].saturating_add(cost));
            }
        }
        if !seed.is_multiple_of(4) {
            network.heuristic = costs;
            for h in &mut network.heuristic {
                if seed % 4 > 1 && random.below(2) == 0 {
                    *h = 0;
                }
            }
        }
        network
    }

    /// The least cost, of all states.
    fn optimum(&self, starts: &[(Car, u32)]) -> Option<u32> {
        let mut costs = BTreeMap::<Car, u32>::new();
        let cost_first = |(car, cost): (Car, u32)| (cost, car);
        let mut open: BTreeSet<_> = starts.iter().cloned().map(cost_first).collect();
        while let Some((cost, car)) = open.pop_first() {
            if costs.contains_key(&car) {
                continue;
            }
            costs.insert(car.clone(), cost);
            let mut next = Successors::<Self>::new();
            self.successors(&car, &mut next);
            open.extend(next.drain().map(|step| (cost + step.cost, step.state)));
        }
        costs.into_iter().filter(|(car, _)| self.is_goal(car)).map(|(_, cost)| cost).min()
    }
}

impl SearchProblem for Network {
    type State = Car;
    /// The number of the road.
    type Action = usize;
    type Cost = u32;

    fn successors(&self, car: &Car, next: &mut Successors<Self>) {
        for (number, &(from, to, cost, takes)) in self.roads.iter().enumerate() {
            let left = [0, 1].map(|at| (car.left[at] - takes[at]).min(FULL[at]));
            if from == car.place && left >= [0, 0] && left[1] >= 0 {
                let tag = if self.is_tagged { (car.tag + number as u8) % 3 } else { 0 };
                next.push(number, Car { place: to, left, tag }, cost);
            }
        }
    }

    fn heuristic(&self, car: &Car) -> u32 {
        self.heuristic.get(usize::from(car.place)).copied().unwrap_or(0)
    }

    fn is_goal(&self, car: &Car) -> bool {
        self.goals.contains(&car.place)
    }
}

impl Dominance for Network {
    type Key = u8;

    fn key(&self, car: &Car) -> u8 {
        car.place
    }

    fn dominates(&self, car: &Car, other: &Car) -> bool {
        assert_eq!(car.place, other.place, "only states with one key are compared");
        car.left[0] >= other.left[0] && car.left[1] >= other.left[1]
    }
}

/// Runs a search and checks its path; returns the cost.
fn cost<E>(network: &Network, search: &mut Search<E>) -> Option<u32>
where
    E: Engine<State = Car, Action = usize, Cost = u32>,
{
    let report = search.run().unwrap();
    assert!(!matches!(report.outcome, Outcome::Stopped(_)));
    if let Some(path) = report.path() {
        path.verify(network).unwrap();
        for step in path.steps() {
            let road = network.roads[*step.action];
            assert_eq!((road.0, road.1, road.2), (step.from.place, step.to.place, step.cost));
        }
    }
    report.cost()
}

#[test]
fn the_optimum_is_that_of_all_states() {
    let (mut fewer, mut solved, mut stored) = (0, 0, [0; 2]);
    for seed in 0..rounds(150) {
        let network = &Network::random(seed);
        let optimum = network.optimum(&[(start(), 0)]);
        let mut search = AStar::new(network).dominance().search(start());
        assert_eq!(cost(network, &mut search), optimum, "{network:?}");
        let mut all = AStar::new(network).search(start());
        assert_eq!(cost(network, &mut all), optimum);
        // Up to a goal this holds for the sums only: equal states have other ids, and so come in another order.
        stored[0] += search.stats().stored;
        stored[1] += all.stats().stored;
        let reached = IgnoreGoal::new(network);
        let mut needed = AStar::new(&reached).dominance().search(start());
        let mut any = AStar::new(&reached).search(start());
        assert_eq!(needed.run().unwrap().outcome, Outcome::Exhausted);
        assert_eq!(any.run().unwrap().outcome, Outcome::Exhausted);
        assert!(needed.stats().stored <= any.stats().stored, "{network:?}");
        fewer += u32::from(2 * search.stats().stored < all.stats().stored);
        solved += u32::from(optimum.is_some());
        let mut search = Dijkstra::new(network).dominance().search(start());
        assert_eq!(cost(network, &mut search), optimum);
        let mut search = AnytimeAStar::new(network).dominance().search(start());
        assert_eq!(cost(network, &mut search), optimum);
        let mut search = BranchAndBound::new(network).dominance().search(start());
        assert_eq!(cost(network, &mut search), optimum, "{network:?}");
        let mut search = BreadthFirst::new(network).dominance().search(start());
        assert_eq!(cost(network, &mut search), optimum, "{network:?}");
        let mut search = Beam::new(network).dominance().search(start());
        assert_eq!(cost(network, &mut search), optimum, "{network:?}");
        let mut search = Rectangle::new(network).dominance().search(start());
        assert_eq!(cost(network, &mut search), optimum, "{network:?}");
        let mut search = Anytime::new(network).dominance().search(start());
        assert_eq!(cost(network, &mut search), optimum, "{network:?}");
        // Not optimal, but bounded.
        let least = f64::from(optimum.unwrap_or(0));
        let within = |found: Option<u32>, factor: f64| {
            assert_eq!(found.is_some(), optimum.is_some(), "{network:?}");
            assert!(f64::from(found.unwrap_or(0)) <= factor * least, "{network:?}");
        };
        within(
            cost(network, &mut AStar::new(network).weight(1.5).dominance().search(start())),
            1.5,
        );
        within(cost(network, &mut Focal::new(network, 1.5).dominance().search(start())), 1.5);
        let found = cost(network, &mut Greedy::new(network).dominance().search(start()));
        assert_eq!(found.is_some(), optimum.is_some());
        if let Some(optimum) = optimum {
            let mut search = BoundedCost::new(network, optimum).dominance().search(start());
            assert_eq!(cost(network, &mut search), Some(optimum));
        }
        // Several starts, some of which others make needless.
        let starts: Vec<_> = [(0, [3, 3], 2), (0, [9, 9], 2), (1, [12, 9], 9), (0, [9, 9], 1)]
            .map(|(place, left, cost)| (Car { place, left, tag: 1 }, cost))
            .into();
        let optimum = network.optimum(&starts);
        let mut search = AStar::new(network).dominance().search_from(starts);
        assert_eq!(cost(network, &mut search), optimum);
    }
    assert!(is_enough(fewer, 18) && is_enough(solved, 100), "{fewer} {solved}");
    assert!(stored[0] < stored[1], "{stored:?}");
}

#[test]
fn a_needless_state_is_not_expanded() {
    #[derive(Default)]
    struct Watch {
        generated: Vec<(Car, u32)>,
        expanded: usize,
    }
    impl Observer<Car, u32> for Watch {
        fn generated(&mut self, _: Option<&Car>, car: &Car, g: u32) {
            self.generated.push((car.clone(), g));
        }
        fn expanded(&mut self, car: &Car, g: u32, _: u32) {
            self.expanded += 1;
            let replaces = |(other, cost): &&(Car, u32)| {
                other.place == car.place
                    && other.left != car.left
                    && other.left[0] >= car.left[0]
                    && other.left[1] >= car.left[1]
                    && *cost <= g
            };
            assert_eq!(self.generated.iter().find(replaces), None, "makes {car:?} needless at {g}");
        }
    }
    let mut expanded = 0;
    for seed in 0..rounds(1200) {
        let network = Network::random(seed);
        let mut watch = Watch::default();
        let _ =
            AStar::new(&network).dominance().observer(&mut watch).search(start()).run().unwrap();
        expanded += watch.expanded;
        let mut watch = Watch::default();
        // Without a heuristic, and through an adapter.
        let plain = IgnoreHeuristic::new(&network);
        let _ = AStar::new(plain).dominance().observer(&mut watch).search(start()).run().unwrap();
    }
    assert!(is_enough(expanded, 2000), "{expanded}");
}

#[test]
fn stops_change_nothing() {
    for seed in 0..rounds(150) {
        let network = &Network::random(seed);
        let whole = AStar::new(network).dominance().search(start()).run().unwrap();
        let mut search =
            AStar::new(network).dominance().limits(Limits::new().expansions(0)).search(start());
        for most in 0..whole.stats.expanded {
            search.set_limits(Limits::new().expansions(most));
            let report = search.run().unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
            assert_eq!(report.stats.expanded, most);
            assert!(whole.cost().is_none_or(|cost| report.lower_bound <= cost));
        }
        search.set_limits(Limits::new());
        assert_eq!(search.run().unwrap(), whole);
        // Begun anew, it is as good as new.
        search.restart(Car { tag: 2, ..start() });
        let _ = search.run().unwrap();
        search.restart(start());
        let again = search.run().unwrap();
        assert_eq!((again.path(), again.stats.expanded), (whole.path(), whole.stats.expanded));
    }
}

#[test]
fn a_stop_for_memory_loses_nothing() {
    for seed in 0..rounds(60) {
        let network = &Network::random(seed);
        let optimum = network.optimum(&[(start(), 0)]);
        let mut search =
            AStar::new(network).dominance().limits(Limits::new().memory(0)).search(start());
        let mut stops = 0;
        for bytes in (0..).step_by(1009) {
            search.set_limits(Limits::new().memory(bytes));
            let report = search.run().unwrap();
            assert!(search.bytes() <= bytes && report.stats.peak_bytes <= bytes as u64);
            if report.outcome != Outcome::Stopped(StopReason::Memory) {
                assert_eq!(report.cost(), optimum);
                break;
            }
            assert!(optimum.is_none_or(|cost| report.lower_bound <= cost));
            stops += 1;
        }
        assert!(stops > 2);
    }
}

#[test]
fn what_is_reached_is_what_is_needed() {
    for seed in 0..rounds(100) {
        let network = Network::random(seed);
        let all = Dijkstra::new(&network).search(start()).reach_all().unwrap();
        let reached = Dijkstra::new(&network).dominance().search(start()).reach_all().unwrap();
        let mut known = Vec::new();
        reached.for_each(|car, cost| known.push((car.clone(), cost)));
        // For every state there is one that makes it needless, or itself, at no greater cost.
        all.for_each(|car, cost| {
            let covers = |(other, least): &(Car, u32)| {
                other.place == car.place && network.dominates(other, car) && *least <= cost
            };
            assert!(known.iter().any(covers), "{car:?} at {cost}");
        });
    }
}

/// The places 0, 1 and 2 of a road, with what is left in the tank.
struct Tank;

impl SearchProblem for Tank {
    type State = (u8, u8);
    type Action = ();
    type Cost = u8;

    fn successors(&self, &state: &(u8, u8), next: &mut Successors<Self>) {
        let steps: &[_] = match state {
            (0, 9) => &[((1, 5), 1), ((1, 4), 2), ((2, 9), 100)],
            // The sum does not fit, but the place was reached with more.
            (2, 9) => &[((1, 4), 200)],
            _ => &[],
        };
        for &(state, cost) in steps {
            next.push((), state, cost);
        }
    }

    fn is_goal(&self, _: &(u8, u8)) -> bool {
        false
    }
}

impl Dominance for Tank {
    type Key = u8;

    fn key(&self, &(place, _): &(u8, u8)) -> u8 {
        place
    }

    fn dominates(&self, (_, left): &(u8, u8), (_, other): &(u8, u8)) -> bool {
        left >= other
    }
}

#[test]
fn a_needless_state_whose_cost_does_not_fit_is_no_error() {
    fn ends<E: Engine<State = (u8, u8), Cost = u8>>(mut search: Search<E>) {
        assert!(matches!(search.run().unwrap().outcome, Outcome::Exhausted));
    }
    ends(AStar::new(&Tank).search((0, 9)));
    ends(AStar::new(&Tank).dominance().search((0, 9)));
    ends(Dijkstra::new(&Tank).dominance().search((0, 9)));
    ends(Greedy::new(&Tank).dominance().search((0, 9)));
    ends(Focal::new(&Tank, 1.5).dominance().search((0, 9)));
    ends(AnytimeAStar::new(&Tank).dominance().search((0, 9)));
    ends(Anytime::new(&Tank).dominance().search((0, 9)));
    ends(BranchAndBound::new(&Tank).dominance().search((0, 9)));
}
