//! What hierarchies are used for: heuristics of several criteria, of replanning and of turn costs, grid maps, and very many
//! queries.

use std::cell::Cell as Changing;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};

use bestfirst::heuristics::{Hierarchy, WithHierarchy};
use bestfirst::problems::grid_map::{Cell, GridMap};
use bestfirst::problems::road_network::{NodeId, RoadNetwork, Route};
use bestfirst::{
    AStar, DenseStates, Dijkstra, IgnoreGoal, Pareto, Replanner, Reversible, SearchProblem,
    Successors, check,
};
use flate2::read::GzDecoder;
use support::erased::{number, numbered};
use support::random::{is_enough, rounds};
use support::turns::{ArcList, Turns};

struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(end)).unwrap()
    }

    /// Arcs of a random graph, with loops, copies and some that cost nothing.
    fn arcs(&mut self, nodes: u32, arcs: u32, highest: u32) -> Vec<(u32, u32, u32)> {
        let mut arc = || (1 + self.below(nodes), 1 + self.below(nodes), self.below(highest));
        (0..arcs).map(|_| arc()).collect()
    }
}

fn hierarchy(network: &RoadNetwork) -> Hierarchy<u32> {
    Hierarchy::of(&network.route_to(network.node(1).unwrap())).build().unwrap()
}

/// A route by two criteria, with the exact distances by each as its heuristic: the ideal point.
struct TwoCriteria<'h> {
    networks: [&'h RoadNetwork; 2],
    informed: Option<[WithHierarchy<'h, Route<'h>>; 2]>,
    goal: NodeId,
}

impl SearchProblem for TwoCriteria<'_> {
    type State = NodeId;
    type Action = ();
    type Cost = [u32; 2];

    fn successors(&self, &node: &NodeId, next: &mut Successors<Self>) {
        let [first, second] = self.networks.map(|network| network.arcs(node));
        next.extend(first.zip(second).map(|((head, a), (_, b))| ((), head, [a, b])));
    }

    fn heuristic(&self, node: &NodeId) -> [u32; 2] {
        self.informed.as_ref().map_or([0; 2], |both| both.each_ref().map(|one| one.heuristic(node)))
    }

    fn is_goal(&self, &node: &NodeId) -> bool {
        node == self.goal
    }
}

#[test]
fn hierarchies_of_each_criterion_give_the_ideal_point() {
    let mut random = Random(1);
    let (mut informed, mut blind, mut larger) = (0, 0, 0);
    for round in 0..rounds(150) {
        let nodes = 2 + random.below(30);
        let arcs = random.arcs(nodes, 4 * nodes, 20);
        let by = RoadNetwork::builder().keep_parallel_arcs().build(nodes, &arcs).unwrap();
        let other = by.with_weights(|tail, head, weight| {
            (7 * weight + 3 * tail.number() + head.number()) % 20
        });
        let networks = [&by, &other.unwrap()];
        let made = networks.map(hierarchy);
        let [start, goal] = [1, nodes].map(|number| by.node(number).unwrap());
        let problem = |informed| TwoCriteria { networks, informed, goal };
        let both = [0, 1].map(|which| made[which].to(networks[which].route_to(goal)).unwrap());
        let fronts = [problem(Some(both)), problem(None)].map(|problem| {
            let front = Pareto::new(problem).search(start).front().unwrap();
            (front.costs().collect::<Vec<_>>(), front.stats().expanded)
        });
        assert_eq!(fronts[0].0, fronts[1].0, "round {round}");
        informed += fronts[0].1;
        blind += fronts[1].1;
        larger += usize::from(fronts[0].0.len() > 2);
    }
    assert!(informed < blind / 2 && larger > 10, "{informed}, {blind}, {larger}");
}

/// A route in which the arcs from one node to another are dearer by some factors, which may change.
struct Traffic<'n> {
    route: Route<'n>,
    factors: Changing<HashMap<(NodeId, NodeId), u32>>,
}

impl Traffic<'_> {
    fn factor(&self, arc: (NodeId, NodeId)) -> u32 {
        let factors = self.factors.take();
        let factor = factors.get(&arc).copied().unwrap_or(1);
        self.factors.set(factors);
        factor
    }
}

impl SearchProblem for Traffic<'_> {
    type State = NodeId;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &node: &NodeId, next: &mut Successors<Self>) {
        for (head, weight) in self.route.network().arcs(node) {
            next.push((), head, weight * self.factor((node, head)));
        }
    }

    fn is_goal(&self, &node: &NodeId) -> bool {
        node == self.route.goal()
    }
}

impl DenseStates for Traffic<'_> {
    fn state_count(&self) -> usize {
        self.route.state_count()
    }

    fn state_index(&self, node: &NodeId) -> usize {
        node.index()
    }

    fn state_at(&self, index: usize) -> NodeId {
        self.route.state_at(index)
    }
}

impl Reversible for Traffic<'_> {
    fn predecessors(&self, node: &NodeId, previous: &mut Successors<Self>) {
        let mut arcs = Successors::<Route<'_>>::new();
        self.route.predecessors(node, &mut arcs);
        for step in arcs.drain() {
            previous.push((), step.state, step.cost * self.factor((step.state, *node)));
        }
    }

    fn goals(&self) -> impl Iterator<Item = NodeId> {
        [self.route.goal()].into_iter()
    }
}

/// The distances without traffic stay admissible while factors rise and fall back, and replanning finds what a new
/// search finds.
#[test]
fn replanning_with_a_hierarchy_finds_what_a_new_search_finds() {
    let mut random = Random(2);
    let mut found = 0;
    for round in 0..rounds(60) {
        let nodes = 5 + random.below(60);
        let network = RoadNetwork::new(nodes, &random.arcs(nodes, 4 * nodes, 30)).unwrap();
        let made = hierarchy(&network);
        let route = network.route_to(network.node(nodes).unwrap());
        let traffic = Traffic { route, factors: Changing::default() };
        let start = network.node(1).unwrap();
        let informed = made.to(&traffic).unwrap();
        let mut search = Replanner::new(&informed).consistent().dense().search(start);
        for _ in 0..12 {
            let cost = search.run().unwrap().cost();
            let start = number(&traffic, &start);
            let new =
                Dijkstra::new(&numbered(&traffic)).dense().search(start).run().unwrap().cost();
            assert_eq!(cost, new, "round {round}");
            assert!(check::consistent(&informed, network.nodes()).is_ok(), "round {round}");
            found += usize::from(cost.is_some());
            let tail = network.node(1 + random.below(nodes)).unwrap();
            let mut factors = traffic.factors.take();
            for (head, _) in network.arcs(tail) {
                factors.insert((tail, head), 1 + random.below(5));
            }
            traffic.factors.set(factors);
            search.changed(&tail);
        }
    }
    assert!(is_enough(found, 600), "{found}");
}

/// Answers queries with turn costs, with the distances without them and without a heuristic. Returns the expansions of both.
fn with_turn_costs(network: &RoadNetwork, unit: u32, queries: u64) -> [u64; 2] {
    let made = hierarchy(network);
    let list = ArcList::of(network);
    let mut random = Random(3);
    let count = u32::try_from(network.node_count()).unwrap();
    let mut expanded = [0; 2];
    for _ in 0..queries {
        let [from, goal] = [(); 2].map(|()| network.node(1 + random.below(count)).unwrap());
        let informed = Some(made.to(network.route_to(goal)).unwrap());
        let turns = |informed| Turns { network, list: &list, informed, goal, unit };
        let starts = list.starts(from).map(|(arc, cost)| (u32::try_from(arc).unwrap(), cost));
        let [with, without] = [turns(informed), turns(None)];
        let found = AStar::new(&numbered(&with)).dense().search_from(starts.clone()).run().unwrap();
        let plain = Dijkstra::new(&numbered(&without)).dense().search_from(starts).run().unwrap();
        assert_eq!(found.cost(), plain.cost());
        expanded[0] += found.stats.expanded;
        expanded[1] += plain.stats.expanded;
    }
    expanded
}

fn rome() -> Option<RoadNetwork> {
    let file = File::open(support::data::data("roads/rome99.gr")?).unwrap();
    Some(RoadNetwork::read(BufReader::new(file)).unwrap())
}

fn new_york() -> Option<RoadNetwork> {
    let unpacked = |name: &str| -> Option<Box<dyn BufRead>> {
        let file =
            File::open(support::data::data(&format!("roads/USA-road-d.NY.{name}.gz"))?).unwrap();
        Some(Box::new(BufReader::new(GzDecoder::new(file))))
    };
    let mut network = RoadNetwork::read(unpacked("gr")?).unwrap();
    network.read_places(unpacked("co")?).unwrap();
    Some(network)
}

#[test]
fn turn_costs_are_answered_by_a_hierarchy_without_them() {
    if let Some(network) = rome() {
        let [informed, blind] = with_turn_costs(&network, 1, rounds(30));
        assert!(informed * 100 <= blind * 20, "{informed} of {blind}");
    }
}

#[test]
#[ignore = "takes minutes where nothing is optimised: cargo test --release --test suite -- --ignored turn_costs"]
fn turn_costs_of_new_york_take_at_most_three_percent() {
    if let Some(network) = new_york() {
        let [informed, blind] = with_turn_costs(&network, 10, 100);
        println!("{informed} expansions of {blind}");
        assert!(informed * 100 <= blind * 3, "{informed} of {blind}");
    }
}

/// Checks as many random queries as are asked for, all targets of one source together; every hundredth with its path.
/// Returns how many.
fn check_queries<P>(
    name: &str,
    problem: &P,
    to: impl Fn(usize) -> P,
    sources: u64,
    targets: u32,
) -> u64
where
    P: Reversible<State: std::fmt::Debug> + DenseStates + Clone,
{
    let made = Hierarchy::of(problem).build().unwrap();
    let mut random = Random(sources);
    let count = u32::try_from(problem.state_count()).unwrap();
    let mut search = made.query(problem.clone()).unwrap().search(problem.state_at(0));
    let mut queries = 0;
    let mut index = || random.below(count) as usize;
    for _ in 0..sources {
        let from = index();
        let start = problem.state_at(from);
        let everywhere = IgnoreGoal::new(problem);
        let everywhere = numbered(&everywhere);
        let reached = Dijkstra::new(&everywhere).dense().search(number(problem, &start));
        let reached = reached.reach_all().unwrap();
        for query in 0..targets {
            let target = index();
            let expected = reached.cost_of(&u32::try_from(target).unwrap());
            assert_eq!(made.distance(from, target), expected, "{name}: from {from} to {target}");
            if query % 100 == 0 {
                let problem = to(target);
                search.restart_with(problem.clone(), start.clone());
                let report = search.run().unwrap();
                assert_eq!(report.cost(), expected, "{name}: from {from} to {target}");
                let path = report.path();
                assert!(path.is_none_or(|path| path.verify(&problem).is_ok()), "{name}");
            }
            queries += 1;
        }
    }
    queries
}

fn check_roads(name: &str, network: &RoadNetwork, sources: u64, targets: u32) -> u64 {
    let to = |index: usize| network.route_to(network.nodes().nth(index).unwrap());
    check_queries(name, &to(0), to, sources, targets)
}

fn check_map(name: &str, map: &GridMap, sources: u64, targets: u32) -> u64 {
    let any = map.route_to(Cell::new(0, 0));
    check_queries(name, &any, |index| map.route_to(any.state_at(index)), sources, targets)
}

fn map(name: &str) -> Option<GridMap> {
    let file = support::data::data(&format!("movingai/{name}.map"))?;
    Some(fs::read_to_string(file).unwrap().parse().unwrap())
}

fn check_random(graphs: u64, sources: u64, targets: u32) -> u64 {
    let mut random = Random(5);
    let one = |_| {
        let nodes = 2 + random.below(300);
        let (arcs, highest) = (random.below(4 * nodes), 1 + random.below(1000));
        let arcs = random.arcs(nodes, arcs, highest);
        let network = RoadNetwork::builder().keep_parallel_arcs().build(nodes, &arcs).unwrap();
        check_roads("random", &network, sources, targets)
    };
    (0..graphs).map(one).sum()
}

#[test]
fn queries_on_maps_and_random_graphs_are_those_of_dijkstra() {
    check_random(rounds(50), 3, 50);
    let side = if rounds(2) > 1 { 1 } else { 2 };
    for (_, name) in (0..rounds(2)).zip(["arena", "den312d"]) {
        let Some(map) = map(name) else { continue };
        // A quarter of it by default.
        let [width, height] = [map.width(), map.height()].map(|length| length / side);
        let part = GridMap::new(width, height, |cell| map.is_free(cell)).unwrap();
        check_map(name, &part, rounds(4), 300);
    }
}

#[test]
#[ignore = "takes minutes: cargo test --release --test suite -- --ignored a_million --nocapture"]
fn a_million_queries_are_those_of_dijkstra() {
    let mut queries = check_random(1000, 10, 40);
    println!("random graphs: {queries} so far");
    for name in ["arena", "den312d", "brc202d", "maze512-32-0", "Berlin_0_256", "random512-10-0"] {
        queries += map(name).map_or(0, |map| check_map(name, &map, 100, 500));
        println!("{name}: {queries} so far");
    }
    queries += rome().map_or(0, |network| check_roads("Rome", &network, 200, 1000));
    queries += new_york().map_or(0, |network| check_roads("New York", &network, 200, 1000));
    println!("{queries} queries");
    assert!(queries >= 1_000_000 || new_york().is_none(), "{queries}");
}
