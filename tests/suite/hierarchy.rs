//! Hierarchies on random graphs: distances, paths, heuristics and tables against Bellman and Ford, also from a file.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bestfirst::clock::Clock;
use bestfirst::heuristics::{CustomizableHierarchy, DistanceError, DistanceFileError, Hierarchy};
use bestfirst::{
    AStar, AnytimeAStar, CancelToken, DenseStates, Dijkstra, FnProblem, Focal, KBest, Limits,
    Outcome, Replanner, Report, Reversible, SearchError, SearchProblem, StopReason, Successors,
    check,
};
use support::random::{every, is_enough, rounds};

use support::edges::Edges;
use support::engines::BoxedSearch;
use support::erased::{boxed, numbered};
use support::judge::Tally;
use support::random::{Graph, Problem, Random, Scale, Units, bellman_ford};

/// A random problem without a chain that leads out of the numbers, which knows its predecessors.
#[derive(Clone, Debug)]
struct Reversed<C>(Problem<C, u16>);

impl<C: Units> Reversed<C> {
    fn random(seed: u64, nodes: usize) -> Self {
        let mut problem = Problem::random(seed, nodes);
        problem.graph.chain = None;
        Self(problem)
    }

    fn graph(&self) -> &Graph {
        &self.0.graph
    }

    fn nodes(&self) -> impl Iterator<Item = u16> + use<C> {
        0..u16::try_from(self.graph().edges.len()).unwrap()
    }

    /// Whether this is the cost of this many units, or none if they do not fit.
    fn is_cost(&self, found: Option<C>, units: Option<u128>) -> bool {
        let Graph { most, scale, .. } = *self.graph();
        let units =
            units.and_then(|units| u64::try_from(units).ok()).filter(|&units| units <= most);
        match (found, units) {
            (Some(found), Some(units)) => found.is_close(C::of(units, scale)),
            (found, units) => found.is_none() && units.is_none(),
        }
    }
}

impl<C: Units> SearchProblem for Reversed<C> {
    type State = u16;
    type Action = <Problem<C, u16> as SearchProblem>::Action;
    type Cost = C;

    fn successors(&self, state: &u16, next: &mut Successors<Self>) {
        self.0.successors(state, next);
    }

    fn is_goal(&self, state: &u16) -> bool {
        self.0.is_goal(state)
    }
}

impl<C: Units> DenseStates for Reversed<C> {
    fn state_count(&self) -> usize {
        self.0.state_count()
    }

    fn state_index(&self, &state: &u16) -> usize {
        state.into()
    }

    fn state_at(&self, index: usize) -> u16 {
        self.0.state_at(index)
    }
}

impl<C: Units> Reversible for Reversed<C> {
    fn predecessors(&self, &state: &u16, previous: &mut Successors<Self>) {
        let mut next = Successors::<Self>::new();
        for from in self.nodes() {
            next.clear();
            self.successors(&from, &mut next);
            for step in next.drain().filter(|step| step.state == state) {
                previous.push(step.action, from, step.cost);
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = u16> {
        self.nodes().filter(|state| self.is_goal(state))
    }
}

/// The same hierarchy, written to a file and read again.
fn from_file<C: Units>(problem: &Reversed<C>, hierarchy: &Hierarchy<C>) -> Hierarchy<C> {
    let mut file = Vec::new();
    hierarchy.save(&mut file).unwrap();
    let read = Hierarchy::load(problem, &file[..]).unwrap();
    let mut again = Vec::new();
    read.save(&mut again).unwrap();
    assert!(file == again);
    read
}

/// Checks the distances between all nodes, one by one, from one to all, and all at once.
fn check_distances<C: Units + Debug>(problem: &Reversed<C>, hierarchy: &Hierarchy<C>) {
    compare_distances(problem, hierarchy, &all_costs(problem), 1);
}

/// The costs from every state to all.
fn all_costs<C: Units>(problem: &Reversed<C>) -> Vec<Vec<Option<u128>>> {
    let (count, list) = (problem.graph().edges.len(), problem.graph().list());
    (0..count).map(|from| bellman_ford(count, &list, &[(from, 0)])).collect()
}

/// Compares the distances from one in `step` states.
fn compare_distances<C: Units + Debug>(
    problem: &Reversed<C>,
    hierarchy: &Hierarchy<C>,
    all_costs: &[Vec<Option<u128>>],
    step: usize,
) {
    let graph = problem.graph();
    let all: Vec<usize> = (0..graph.edges.len()).collect();
    let table = hierarchy.table(&all, &all);
    for (from, costs) in all_costs.iter().enumerate().step_by(step) {
        let row = hierarchy.distances(from, &all);
        for &to in &all {
            let found = hierarchy.distance(from, to);
            let seed = graph.seed;
            assert!(problem.is_cost(found, costs[to]), "{seed}: {found:?} from {from} to {to}");
            // Floats may be added in another order.
            for other in [table.get(from, to), row[to]] {
                let is_same = problem.is_cost(other, costs[to]);
                assert!(is_same, "{seed}: {other:?} in a table, from {from} to {to}");
            }
        }
    }
    assert_eq!(hierarchy.distance(0, all.len()), None);
}

type ReportOf = Report<u16, <Reversed<u32> as SearchProblem>::Action, u32>;

/// One way to search with a hierarchy, and the factor of its solutions.
type Way<C> = (&'static str, f64, SearchBy<C>);
type SearchBy<C> = for<'p> fn(&'p Hierarchy<C>, &'p Reversed<C>) -> BoxedSearch<'p, Reversed<C>>;

macro_rules! ways {
    ($($name:literal * $factor:literal: |$made:ident, $p:ident| $search:expr;)*) => {
        vec![$(($name, $factor, |$made, $p| Box::new($search.search_from($p.0.starts())))),*]
    };
}

/// The query, and A* with exact distances.
#[rustfmt::skip]
fn few_ways<C: Units>() -> Vec<Way<C>> {
    ways! {
        "query" * 1.0: |made, p| made.query(p).unwrap();
        "A*" * 1.0: |made, p| AStar::new(made.to(p).unwrap());
    }
}

/// The other engines that exact distances are for. (To compile each for all costs would take minutes.)
#[rustfmt::skip]
fn more_ways() -> Vec<Way<u32>> {
    ways! {
        "weighted A*" * 1.5: |made, p| AStar::new(made.to(p).unwrap()).weight(1.5);
        "anytime A*" * 1.0: |made, p| AnytimeAStar::new(made.to(p).unwrap());
        "focal" * 2.0: |made, p| Focal::new(made.to(p).unwrap(), 2.0);
        "k best" * 1.0: |made, p| KBest::new(made.to(p).unwrap());
        "replanner" * 1.0: |made, p| Replanner::new(made.to(p).unwrap());
    }
}

/// Checks the searches from the starts of the problem, with their paths.
fn check_searches<C: Units>(
    problem: &Reversed<C>,
    made: &Hierarchy<C>,
    ways: &[Way<C>],
    tally: &mut Tally,
) {
    for (name, factor, search) in ways {
        let answer = search(made, problem).run();
        let seed = problem.graph().seed;
        println!("{seed}, {}, {name}", std::any::type_name::<C>());
        support::judge::check(&problem.0, &answer, *factor, false, tally);
        assert_eq!(search(made, problem).run(), answer, "the same again");
    }
}

/// Checks that the heuristic is exact, and A* with it.
fn check_heuristic<C: Units + Debug>(problem: &Reversed<C>, hierarchy: &Hierarchy<C>) {
    let graph = problem.graph();
    let informed = hierarchy.to(problem).unwrap();
    for state in problem.nodes() {
        let (h, rest) = (informed.heuristic(&state), graph.rest[usize::from(state)]);
        let fits = |rest: u128| u64::try_from(rest).is_ok_and(|rest| rest <= graph.most);
        match rest {
            None => assert!(h >= C::ZERO),
            Some(rest) if fits(rest) => {
                let exact = C::of(u64::try_from(rest).unwrap(), graph.scale);
                let is_exact =
                    h == exact || h.is_close(exact) || 1.0001 * h.to_f64() >= exact.to_f64();
                assert!(!h.exceeds(exact) && h < C::INFINITY, "{}: {h:?}", graph.seed);
                assert!(is_exact || exact >= C::INFINITY, "{}: {h:?}, not {exact:?}", graph.seed);
            }
            Some(_) => assert!(h < C::INFINITY, "{}: no dead end at {state}", graph.seed),
        }
        if graph.scale != Scale::NearMax
            && rest.is_none()
            && C::INFINITY.exceeds(C::of(200, Scale::Plain))
        {
            assert!(h >= C::INFINITY, "{}: a dead end at {state}", graph.seed);
        }
        for other in problem.nodes() {
            let back = informed.heuristic_from(&other, &state);
            let exact = hierarchy.distance(other.into(), state.into());
            assert!(exact.is_none_or(|exact| !back.exceeds(exact)), "{}: {back:?}", graph.seed);
            assert!(exact.is_none() || back < C::INFINITY, "{}: {back:?}", graph.seed);
        }
    }
}

fn check_random<C: Units + Debug>(seeds: std::ops::Range<u64>, ways: &[Way<C>]) {
    let mut tally = Tally::default();
    for seed in seeds {
        let mut problem = Reversed::<C>::random(seed, 24);
        let hierarchy = Hierarchy::of(&problem).build().unwrap();
        let hierarchy = if seed % 4 == 0 { from_file(&problem, &hierarchy) } else { hierarchy };
        check_distances(&problem, &hierarchy);
        check_heuristic(&problem, &hierarchy);
        check_searches(&problem, &hierarchy, ways, &mut tally);
        // Costs of just what the type can hold, or one more.
        let graph = &mut problem.0.graph;
        if graph.scale == Scale::NearMax && graph.raise_start(!seed.is_multiple_of(8)) {
            check_searches(&problem, &hierarchy, ways, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.found > tally.searches / 4, "{tally:?}");
    assert!(tally.exhausted > tally.searches / 50, "{tally:?}");
    assert!(tally.overflows > tally.searches / 200, "{tally:?}");
}

#[test]
fn hierarchies_of_random_graphs_are_exact() {
    check_random::<u32>(0..rounds(130), &[few_ways(), more_ways()].concat());
    check_random::<u8>(0..rounds(90), &few_ways());
    check_random::<f64>(0..rounds(90), &few_ways());
}

/// A problem of these steps with their costs.
fn directed(nodes: usize, steps: impl IntoIterator<Item = (usize, usize, u64)>) -> Reversed<u32> {
    let mut lists = vec![Vec::new(); nodes];
    for (from, to, cost) in steps {
        lists[from].push((to, cost));
    }
    let lists: Vec<&[_]> = lists.iter().map(Vec::as_slice).collect();
    let mut problem = Reversed::<u32>::random(0, 5);
    problem.0.graph = Graph::of_edges(&lists, &[0], (0, 0));
    problem.0.graph.most = u32::MAX.into();
    problem
}

/// The shortcuts back and forth over state 1 cost the same, when there is a dearer step between its ends that comes later in the list.
#[test]
fn of_two_arcs_from_one_state_to_another_the_cheaper_one_is_used() {
    let leaves =
        |from: usize, to: std::ops::RangeInclusive<usize>| to.map(move |leaf| (from, leaf, 100));
    let two_ways = [(5, 1, 2), (3, 1, 2), (5, 6, 100)].into_iter();
    let two_ways =
        two_ways.chain(leaves(2, 7..=11)).chain(leaves(3, 12..=16)).chain(leaves(4, 17..=21));
    let both = two_ways.flat_map(|(a, b, cost)| [(a, b, cost), (b, a, cost)]);
    let one_way = [(4, 1, 1), (5, 3, 7), (4, 5, 10), (2, 5, 9), (2, 3, 15)];
    let problem = directed(22, both.chain(one_way));
    check_distances(&problem, &Hierarchy::of(&problem).build().unwrap());
}

#[test]
fn hierarchies_of_one_way_and_two_way_steps_of_like_costs_are_exact() {
    for seed in 0..rounds(1_000) {
        let mut random = Random::new(seed);
        let nodes = 5 + random.index(14);
        let mut steps = Vec::new();
        for _ in 0..nodes + random.index(2 * nodes) {
            let (from, to) = (random.index(nodes), random.index(nodes));
            let cost = 1 + random.below(12);
            steps.push((from, to, cost));
            if random.one_in(2) {
                steps.push((to, from, cost));
            }
        }
        let problem = directed(nodes, steps);
        let hierarchy = Hierarchy::of(&problem).build().unwrap();
        for (from, costs) in all_costs(&problem).iter().enumerate() {
            for (to, cost) in costs.iter().enumerate() {
                let found = hierarchy.distance(from, to);
                assert!(problem.is_cost(found, *cost), "{seed}: {found:?} from {from} to {to}");
            }
        }
    }
}

/// A customizable hierarchy in one of the orders.
fn prepared<C: Units>(problem: &Reversed<C>, random: &mut Random) -> CustomizableHierarchy {
    let mut order: Vec<usize> = (0..problem.state_count()).collect();
    let builder = CustomizableHierarchy::of(problem);
    let builder = match random.below(3) {
        0 => builder,
        1 => builder.coordinates(|&state| [f64::from(state % 5), f64::from(state / 5)]),
        _ => {
            order.sort_by_cached_key(|_| random.next());
            builder.order(order.iter().copied())
        }
    };
    let prepared = builder.build().unwrap();
    let again = CustomizableHierarchy::of(problem).order(prepared.order()).build().unwrap();
    assert_eq!(again.arc_count(), prepared.arc_count());
    prepared
}

fn check_customized<C: Units + Debug>(seeds: std::ops::Range<u64>, ways: &[Way<C>]) {
    let mut tally = Tally::default();
    for seed in seeds {
        let mut problem = Reversed::<C>::random(seed, 24);
        let mut random = Random::new(!seed);
        let prepared = prepared(&problem, &mut random);
        let graph = problem.graph().clone();
        for _ in 0..4 {
            let hierarchy = prepared.customize(&problem).unwrap();
            let hierarchy = if seed % 4 == 0 { from_file(&problem, &hierarchy) } else { hierarchy };
            check_distances(&problem, &hierarchy);
            check_heuristic(&problem, &hierarchy);
            check_searches(&problem, &hierarchy, ways, &mut tally);
            problem.0.graph = graph.dealt(&mut random);
        }
    }
    println!("{tally:?}");
    assert!(tally.found > tally.searches / 4, "{tally:?}");
    assert!(tally.exhausted > tally.searches / 50, "{tally:?}");
    assert!(tally.overflows > tally.searches / 200, "{tally:?}");
}

#[test]
fn customized_hierarchies_of_random_graphs_are_exact() {
    check_customized::<u32>(0..rounds(40), &[few_ways(), more_ways()].concat());
    check_customized::<u8>(0..rounds(30), &few_ways());
    check_customized::<f64>(0..rounds(30), &few_ways());
}

/// A problem of these edges, each in both directions.
fn undirected(nodes: usize, edges: impl IntoIterator<Item = [usize; 2]>) -> Reversed<u32> {
    let both_ways = edges.into_iter().flat_map(|[a, b]| {
        let cost = (a * 31 + b * 17) as u64 % 9;
        [(a, b, cost), (b, a, cost)]
    });
    directed(nodes, both_ways)
}

#[test]
fn small_separators_give_few_arcs() {
    let side = 12;
    let grid = (0..side * side).flat_map(|node| {
        let right = (node % side + 1 < side).then_some([node, node + 1]);
        let down = (node / side + 1 < side).then_some([node, node + side]);
        right.into_iter().chain(down)
    });
    let clique = |nodes: usize| (0..nodes).flat_map(|a| (0..a).map(move |b| [b, a]));
    let (star, path) = ((1..60).map(|node| [0, node]), (1..90).map(|node| [node - 1, node]));
    // Two rings.
    let rings = (0..60).map(|node| [node, node / 30 * 30 + (node + 1) % 30]);
    for (nodes, edges, most) in [
        (side * side, grid.collect::<Vec<_>>(), 1200),
        (40, clique(40).collect(), 40 * 39 / 2),
        (60, star.collect(), 59),
        (90, path.collect(), 180),
        (60, rings.collect(), 120),
        (5, Vec::new(), 0),
        (1, Vec::new(), 0),
    ] {
        let problem = undirected(nodes, edges);
        let costs = all_costs(&problem);
        for has_coordinates in [false, true] {
            let builder = CustomizableHierarchy::of(&problem);
            let builder = if has_coordinates {
                let side = u16::try_from(side).unwrap();
                builder.coordinates(move |&state| [(state % side).into(), (state / side).into()])
            } else {
                builder
            };
            let prepared = builder.build().unwrap();
            println!("{nodes}: {}", prepared.arc_count());
            assert!(prepared.arc_count() <= most, "{nodes}: {}", prepared.arc_count());
            let made = prepared.customize(&problem).unwrap();
            compare_distances(&problem, &made, &costs, every(1));
        }
    }
}

#[test]
fn a_customizable_hierarchy_refuses_other_steps() {
    let problem = |edges: &[&[(usize, u64)]]| {
        let mut problem = Reversed::<u32>::random(0, 5);
        problem.0.graph = Graph::of_edges(edges, &[0], (0, 0));
        problem
    };
    let whole = problem(&[&[(1, 3), (2, 4)], &[], &[], &[]]);
    let prepared = CustomizableHierarchy::of(&whole).build().unwrap();
    let distances = |edges: &[&[(usize, u64)]]| {
        let made = prepared.customize(&problem(edges))?;
        Ok([made.distance(0, 1), made.distance(1, 2), made.distance(0, 2)])
    };
    assert_eq!(distances(&[&[(1, 5), (2, 1)], &[], &[], &[]]), Ok([Some(5), None, Some(1)]));
    // Steps are left out, lead the other way, back to their state, or stand there twice.
    assert_eq!(distances(&[&[(2, 7)], &[], &[], &[]]), Ok([None, None, Some(7)]));
    let others: [&[_]; 4] = [&[(2, 7), (2, 6)], &[(0, 1)], &[], &[(3, 2)]];
    assert_eq!(distances(&others), Ok([None, Some(7), Some(6)]));
    let error = DistanceError::OtherStep { from: 1, to: 2 };
    assert_eq!(distances(&[&[(1, 5), (2, 1)], &[(2, 1)], &[], &[]]), Err(error));
    assert!(error.to_string().contains("between the states 1 and 2"), "{error}");
    let error = DistanceError::OtherProblem { found: 3, expected: 4 };
    assert_eq!(distances(&[&[(1, 5)], &[], &[]]), Err(error));
}

#[test]
fn errors_of_customizable_hierarchies_are_typed() {
    let long = Reversed::<u32>(Problem::long(5, 600));
    let prepared = CustomizableHierarchy::of(&long).build().unwrap();
    let token = CancelToken::new();
    token.cancel();
    let limits: [(Limits<u32>, StopReason); 2] = [
        (Limits::new().cancel(&token), StopReason::Cancelled),
        (Limits::new().memory(20_000), StopReason::Memory),
    ];
    for (limits, reason) in limits {
        let error = CustomizableHierarchy::of(&long).limits(limits.clone()).build().unwrap_err();
        assert_eq!(error, DistanceError::Stopped(reason));
        let error = prepared.customize_within(&long, limits).unwrap_err();
        assert_eq!(error, DistanceError::Stopped(reason));
    }
    for order in [(0..599).collect::<Vec<_>>(), (1..601).collect(), vec![3; 600]] {
        let expected = DistanceError::Order { found: order.len(), expected: 600 };
        let error = CustomizableHierarchy::of(&long).order(order).build().unwrap_err();
        assert_eq!(error, expected);
    }
    let step = |to: usize, cost: i32| {
        Numbered(FnProblem::new(move |_: &usize| [(to, cost)], |_: &usize| 0, |_: &usize| true))
    };
    let error = CustomizableHierarchy::of(&step(3, 1)).build().unwrap_err();
    assert_eq!(error, DistanceError::Search(SearchError::StateIndex { index: 3, count: 3 }));
    // Costs do not matter before they are asked for.
    let prepared = CustomizableHierarchy::of(&step(1, -3)).build().unwrap();
    assert_eq!(prepared.customize(&step(1, 7)).unwrap().distance(0, 1), Some(7));
    let error = prepared.customize(&step(1, -3)).unwrap_err();
    assert!(matches!(error, DistanceError::Search(SearchError::NegativeCost { .. })), "{error}");
    let none = undirected(1, []);
    let mut last = Vec::new();
    let builder = CustomizableHierarchy::of(&long).progress(|done, all| last.push((done, all)));
    builder.build().unwrap();
    assert!(last.is_sorted() && last.len() > 20 && last.len() < 110, "{last:?}");
    assert_eq!((last[0], last[last.len() - 1]), ((0, 600), (600, 600)));
    assert_eq!(CustomizableHierarchy::of(&none).build().unwrap().arc_count(), 0);
}

/// Where few states have very many arcs.
#[test]
fn the_clock_is_looked_at_while_costs_are_taken() {
    let nodes = 200;
    let problem = undirected(nodes, (0..nodes).flat_map(|a| (0..a).map(move |b| [b, a])));
    let prepared = CustomizableHierarchy::of(&problem).order(0..nodes).build().unwrap();
    // It advances each time that it is read.
    let readings = Arc::new(AtomicU64::new(0));
    let clock = Arc::clone(&readings);
    let clock = Clock::new(move || Duration::from_secs(clock.fetch_add(1, Ordering::Relaxed)));
    let limits = |seconds| Limits::new().time(Duration::from_secs(seconds)).clock(clock.clone());
    let hierarchy = prepared.customize_within(&problem, limits(1_000_000)).unwrap();
    assert_eq!(hierarchy.distance(0, 0), Some(0));
    // There are 1.3 million triangles.
    let count = readings.load(Ordering::Relaxed);
    assert!(count > 30, "{count} readings");
    let stopped = prepared.customize_within(&problem, limits(count / 2)).unwrap_err();
    assert_eq!(stopped, DistanceError::Stopped(StopReason::Time));
}

#[test]
fn customizable_hierarchies_hold_what_they_may() {
    let problem = Reversed::<u32>(Problem::long(5, 300));
    let whole = CustomizableHierarchy::of(&problem).build().unwrap();
    let mut stops = [0; 2];
    let tight = (0..100_000).step_by(10_000);
    for limit in tight.chain((100_000..400_000).step_by(10_000 * every(1))) {
        let before = crate::counting::held();
        let limits = Limits::new().memory(limit);
        crate::counting::forget_peak();
        let made = CustomizableHierarchy::of(&problem).limits(limits.clone()).build();
        let peak = usize::try_from(crate::counting::peak() - before).unwrap();
        assert!(peak <= limit + 2_000, "{peak} held, {limit} allowed");
        let held = usize::try_from(crate::counting::held() - before).unwrap();
        match made {
            Ok(made) => {
                assert_eq!(made.bytes(), held);
            }
            Err(error) => {
                assert_eq!(error, DistanceError::Stopped(StopReason::Memory));
                stops[0] += 1;
            }
        }
        let before = crate::counting::held();
        crate::counting::forget_peak();
        let made = whole.customize_within(&problem, limits);
        let peak = usize::try_from(crate::counting::peak() - before).unwrap();
        assert!(peak <= limit + 2_000, "{peak} held, {limit} allowed");
        if let Err(error) = made {
            assert_eq!(error, DistanceError::Stopped(StopReason::Memory));
            stops[1] += 1;
        }
    }
    assert!(stops.iter().all(|stops| (2..15).contains(stops)), "{stops:?}");
}

/// Steps from a state to itself are read, and not kept.
#[test]
fn the_steps_of_a_state_are_counted() {
    let steps = |count: usize| {
        Numbered(FnProblem::new(move |&n: &usize| vec![(n, 1_u32); count], |_| 0, |_| true))
    };
    let prepared = CustomizableHierarchy::of(&steps(1)).build().unwrap();
    let errors = |count| {
        let (problem, limits) = (steps(count), Limits::new().memory(100_000));
        let made = Hierarchy::of(&problem).limits(limits.clone()).build().err();
        let links = CustomizableHierarchy::of(&problem).limits(limits.clone()).build().err();
        [made, links, prepared.customize_within(&problem, limits).err()]
    };
    assert_eq!(errors(100), [None; 3]);
    assert_eq!(errors(5000), [Some(DistanceError::Stopped(StopReason::Memory)); 3]);
}

/// The same graph with some steps dearer than before.
fn with_traffic(problem: &Reversed<u32>, random: &mut Random) -> Reversed<u32> {
    let mut edges = problem.graph().edges.clone();
    for (_, units) in edges.iter_mut().flatten() {
        *units += if random.one_in(3) { random.below(20) } else { 0 };
    }
    let edges: Vec<&[_]> = edges.iter().map(Vec::as_slice).collect();
    let goals: Vec<_> = problem.goals().map(usize::from).collect();
    let mut risen = problem.clone();
    risen.0.graph = Graph::of_edges(&edges, &goals, (random.index(edges.len()), 0));
    risen
}

#[test]
fn the_heuristic_is_admissible_when_costs_have_risen() {
    let mut informed = 0;
    for seed in 2000..2000 + rounds(600) {
        let problem = Reversed::<u32>::random(seed, 24);
        if problem.graph().scale == Scale::NearMax {
            continue;
        }
        let hierarchy = Hierarchy::of(&problem).build().unwrap();
        let risen = with_traffic(&problem, &mut Random::new(seed));
        let heuristic = hierarchy.to(&risen).unwrap();
        assert!(check::consistent(&heuristic, risen.nodes()).is_ok(), "{seed}");
        for state in risen.nodes() {
            let rest = risen.graph().rest[usize::from(state)];
            let h = heuristic.heuristic(&state);
            assert!(rest.is_none_or(|rest| u128::from(h) <= rest), "{seed}: {h} at {state}");
            informed += u32::from(h > 0);
        }
        let start = risen.0.starts()[0].0;
        let [with, without] = [numbered(&heuristic), numbered(&risen)];
        let found = AStar::new(&with).dense().search(start.into()).run().unwrap();
        let plain = Dijkstra::new(&without).dense().search(start.into()).run().unwrap();
        assert_eq!(found.cost(), plain.cost(), "{seed}");
        let five = |paths: &mut dyn Iterator<Item = u32>| paths.take(5).collect::<Vec<_>>();
        let mut many = KBest::new(boxed(&heuristic)).search(start).map(|path| path.unwrap().cost());
        let mut all = KBest::new(boxed(&risen)).search(start).map(|path| path.unwrap().cost());
        assert_eq!(five(&mut many), five(&mut all), "{seed}");
    }
    assert!(is_enough(informed, 1000), "{informed}");
}

/// A hub with many neighbours, of which each has one of its own.
#[test]
fn hubs_are_contracted_last() {
    let spokes = 150_usize;
    let mut edges = vec![Vec::new(); 2 * spokes + 1];
    for spoke in 1..=spokes {
        for (a, b, cost) in [(0, spoke, spoke as u64 % 7), (spoke, spoke + spokes, 3)] {
            edges[a].push((b, cost));
            edges[b].push((a, cost));
        }
    }
    let edges: Vec<&[_]> = edges.iter().map(Vec::as_slice).collect();
    let mut problem = Reversed::<u32>::random(0, 5);
    problem.0.graph = Graph::of_edges(&edges, &[0], (0, 0));
    problem.0.graph.most = u32::MAX.into();
    let hierarchy = Hierarchy::of(&problem).build().unwrap();
    // No shortcut is needed: each step is one arc, in both directions.
    assert_eq!(hierarchy.arc_count(), 2 * spokes);
    check_distances(&problem, &hierarchy);
}

#[test]
fn a_search_stops_and_goes_on() {
    let problem = Reversed::<u32>(Problem::long(5, 600));
    let hierarchy = Hierarchy::of(&problem).build().unwrap();
    let whole = hierarchy.query(&problem).unwrap().search(0).run().unwrap();
    assert!(whole.stats.expanded > 20, "{}", whole.stats);
    let limits = Limits::new().expansions(10);
    let mut search = hierarchy.query(&problem).unwrap().limits(limits).search(0);
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
    assert_eq!(report.stats.expanded, 10);
    assert!(Some(report.lower_bound) <= whole.cost());
    search.set_limits(Limits::new());
    assert_eq!(search.run().unwrap(), whole);
    // From every other start, in the same memory.
    for start in 0..600 {
        search.restart(start);
        let found = search.run().unwrap().cost();
        let rest = problem.graph().rest[usize::from(start)];
        assert!(problem.is_cost(found, rest), "{found:?} from {start}");
    }
    let cost = whole.cost().unwrap();
    for (most, reason) in [(cost, None), (cost - 1, Some(StopReason::Cost))] {
        let limits = Limits::new().cost(most);
        let report = hierarchy.query(&problem).unwrap().limits(limits).search(0).run().unwrap();
        assert_eq!(report.path().is_some(), reason.is_none());
        assert_eq!(matches!(report.outcome, Outcome::Stopped(StopReason::Cost)), reason.is_some());
    }
    let limits = Limits::new().memory(1000);
    let report = hierarchy.query(&problem).unwrap().limits(limits).search(0).run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
}

/// A long problem, and its hierarchy, which holds no memory of queries.
fn long() -> (Reversed<u32>, Hierarchy<u32>) {
    let problem = Reversed::<u32>(Problem::long(5, 600));
    let hierarchy = Hierarchy::of(&problem).build().unwrap();
    (problem, hierarchy)
}

#[test]
fn every_growth_of_a_query_may_fail() {
    let (problem, hierarchy) = long();
    let expected = hierarchy.query(&problem).unwrap().search(0).run().unwrap();
    for nth in 1.. {
        // Without what other queries have left.
        let hierarchy = hierarchy.clone();
        let mut search = hierarchy.query(&problem).unwrap().search(0);
        let before = crate::counting::failed();
        crate::counting::fail_at(nth);
        // One step at a time: no report is made in between, which would allocate.
        while search.stats().expanded + 1 < expected.stats.expanded {
            let stopped = search.step().unwrap();
            let is_memory =
                |report: &ReportOf| report.outcome == Outcome::Stopped(StopReason::Memory);
            assert!(stopped.as_ref().is_none_or(is_memory), "growth {nth}");
        }
        crate::counting::fail_at(0);
        let mut report = search.run().unwrap();
        report.stats.peak_bytes = expected.stats.peak_bytes;
        assert_eq!(report, expected, "growth {nth}");
        if crate::counting::failed() == before {
            assert!(nth > 4, "it grows {nth} times");
            break;
        }
    }
}

#[test]
fn what_a_query_and_exact_distances_hold_is_what_they_say() {
    let (problem, hierarchy) = long();
    let mut stops = 0;
    for limit in (0..60_000).step_by(500) {
        let hierarchy = hierarchy.clone();
        let before = crate::counting::held();
        crate::counting::forget_peak();
        let limits = Limits::new().memory(limit);
        let mut search = hierarchy.query(&problem).unwrap().limits(limits).search(0);
        // Without a report, and its path.
        let stopped = search.run_for(1 << 20).map(|report| report.unwrap().outcome);
        let peak = usize::try_from(crate::counting::peak() - before).unwrap();
        let said = usize::try_from(search.stats().peak_bytes).unwrap();
        let path = 40_000 * usize::from(!matches!(stopped, Ok(Outcome::Stopped(_))));
        assert!(
            said <= limit && peak <= said + 500 + path,
            "{peak} held, {said} said, {limit} allowed"
        );
        stops += u32::from(stopped == Ok(Outcome::Stopped(StopReason::Memory)));
    }
    assert!((20..100).contains(&stops), "{stops}");

    let before = crate::counting::held();
    let held = || usize::try_from(crate::counting::held() - before).unwrap();
    let informed = hierarchy.to(&problem).unwrap();
    let states = problem.graph().edges.len();
    assert_eq!((informed.bytes(), held()), (0, 0));
    informed.heuristic(&500);
    assert!(informed.bytes() >= 20 * states && informed.bytes() < 20 * states + 2000);
    assert_eq!(informed.bytes(), held());
    informed.heuristic_from(&3, &5);
    assert!(informed.bytes() >= 40 * states && informed.bytes() < 40 * states + 4000);
    assert!(informed.bytes() <= held() && held() < informed.bytes() + 500);
    let kept = informed.bytes();
    drop(informed);
    assert!((kept..kept + 2000).contains(&held()), "it is left to the next one");
}

#[test]
fn errors_of_making_hierarchies_are_typed() {
    let long = Reversed::<u32>(Problem::long(5, 600));
    let token = CancelToken::new();
    token.cancel();
    let limits: [(Limits<u32>, StopReason); 2] = [
        (Limits::new().cancel(&token), StopReason::Cancelled),
        (Limits::new().memory(20_000), StopReason::Memory),
    ];
    for (limits, reason) in limits {
        let error = Hierarchy::of(&long).limits(limits).build().unwrap_err();
        assert_eq!(error, DistanceError::Stopped(reason));
    }
    let hierarchy = Hierarchy::of(&long).build().unwrap();
    let other = Reversed::<u32>(Problem::long(5, 500));
    let expected = DistanceError::OtherProblem { found: 500, expected: 600 };
    assert_eq!(hierarchy.to(&other).unwrap_err(), expected);
    assert_eq!(hierarchy.query(&other).unwrap_err(), expected);

    let step = |to: usize, cost: i32| {
        let problem =
            FnProblem::new(move |_: &usize| [(to, cost)], |_: &usize| 0, |_: &usize| true);
        Hierarchy::of(&Numbered(problem)).build().map(|made| made.distance(0, 1))
    };
    assert_eq!(step(1, 7), Ok(Some(7)));
    let error = step(1, -3).unwrap_err();
    assert!(matches!(error, DistanceError::Search(SearchError::NegativeCost { .. })), "{error}");
    let error = step(3, 1).unwrap_err();
    assert_eq!(error, DistanceError::Search(SearchError::StateIndex { index: 3, count: 3 }));
}

#[test]
fn a_step_back_to_its_state_must_be_valid_too() {
    for cost in [-3.0, f64::NAN] {
        let problem = FnProblem::new(
            move |&from: &usize| [(from, if from == 1 { cost } else { 2.0 }), (2, 1.0)],
            |_: &usize| 0.0,
            |_: &usize| true,
        );
        let problem = Numbered(problem);
        let prepared = CustomizableHierarchy::of(&problem).build().unwrap();
        for made in [Hierarchy::of(&problem).build(), prepared.customize(&problem)] {
            let error = made.map(|made| made.distance(0, 2)).unwrap_err();
            let is_named = match error {
                DistanceError::Search(SearchError::NegativeCost { step, .. }) => step < 0.0,
                DistanceError::Search(SearchError::NotANumber { .. }) => cost.is_nan(),
                _ => false,
            };
            assert!(is_named, "{error}");
        }
    }
}

#[test]
fn a_start_that_costs_too_much_is_no_proof() {
    let mut problem = Reversed::<f64>::random(0, 5);
    problem.0.graph = Graph::of_edges(&[&[(1, 3)], &[], &[]], &[1], (0, 0));
    let hierarchy = Hierarchy::of(&problem).build().unwrap();
    let run = |start| {
        let query = hierarchy.query(&problem).unwrap();
        query.search_from([(start, f64::INFINITY)]).run().map(|report| report.outcome)
    };
    assert!(matches!(run(0), Err(SearchError::Overflow { .. })), "{:?}", run(0));
    assert_eq!(run(2), Ok(Outcome::Exhausted), "no goal can be reached");
}

/// Three states.
struct Numbered<P>(P);

impl<P: SearchProblem<State = usize>> SearchProblem for Numbered<P> {
    type State = usize;
    type Action = P::Action;
    type Cost = P::Cost;

    fn successors(&self, state: &usize, next: &mut Successors<Self>) {
        self.0.successors(state, next);
    }

    fn is_goal(&self, state: &usize) -> bool {
        self.0.is_goal(state)
    }
}

impl<P: SearchProblem<State = usize>> DenseStates for Numbered<P> {
    fn state_count(&self) -> usize {
        3
    }

    fn state_index(&self, &state: &usize) -> usize {
        state
    }

    fn state_at(&self, index: usize) -> usize {
        index
    }
}

#[test]
fn damaged_files_of_hierarchies_are_refused() {
    let problem = Reversed::<u32>(Problem::long(5, 20));
    let mut file = Vec::new();
    Hierarchy::of(&problem).build().unwrap().save(&mut file).unwrap();
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 0x10;
        let error = Hierarchy::load(&problem, &damaged[..]).unwrap_err();
        match at {
            0..8 => assert!(matches!(error, DistanceFileError::Kind { .. }), "{at}: {error}"),
            8..12 => assert!(matches!(error, DistanceFileError::Version { .. }), "{at}: {error}"),
            12..28 => assert!(matches!(error, DistanceFileError::OtherProblem), "{at}: {error}"),
            _ => assert!(matches!(error, DistanceFileError::Damaged), "{at}: {error}"),
        }
        assert!(Hierarchy::load(&problem, &file[..at]).is_err(), "cut off at {at}");
    }
    file.push(0);
    let error = Hierarchy::load(&problem, &file[..]).unwrap_err();
    assert!(matches!(error, DistanceFileError::Damaged), "{error}");
}

/// Every second reading is interrupted.
struct Interrupted<'a>(&'a [u8], bool);

impl std::io::Read for Interrupted<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 { Err(std::io::ErrorKind::Interrupted.into()) } else { self.0.read(bytes) }
    }
}

#[test]
fn readings_of_a_file_may_be_interrupted() {
    let problem = Reversed::<u32>(Problem::long(5, 20));
    let mut file = Vec::new();
    Hierarchy::of(&problem).build().unwrap().save(&mut file).unwrap();
    for is_first in [false, true] {
        assert!(Hierarchy::load(&problem, Interrupted(&file, is_first)).is_ok());
    }
}

/// A path of `nodes` states, on which each step costs 100.
fn path_of_hundreds<C: Units>(nodes: usize) -> Reversed<C> {
    let step = |from: usize| {
        let ends = [from.checked_sub(1), Some(from + 1).filter(|&to| to < nodes)];
        ends.into_iter().flatten().map(|to| (to, 100)).collect::<Vec<_>>()
    };
    let edges: Vec<_> = (0..nodes).map(step).collect();
    let edges: Vec<&[_]> = edges.iter().map(Vec::as_slice).collect();
    let mut problem = Reversed::random(0, 5);
    problem.0.graph = Graph::of_edges(&edges, &[0], (0, 0));
    problem
}

#[test]
fn files_of_hierarchies_are_of_one_type_of_costs() {
    // Shortcuts whose costs do not fit into eight bits are left out.
    let (narrow, wide) = (path_of_hundreds::<u8>(40), path_of_hundreds::<u32>(40));
    let mut file = Vec::new();
    Hierarchy::of(&narrow).build().unwrap().save(&mut file).unwrap();
    assert!(Hierarchy::load(&narrow, &file[..]).is_ok());
    let read = Hierarchy::load(&wide, &file[..]).map(|read| read.distances(0, &[5, 39]));
    assert!(matches!(read, Err(DistanceFileError::OtherProblem)), "{read:?}");
}

/// The shortcuts sum the steps in another order than the path, which is then too large.
#[test]
fn a_sum_of_floats_beyond_the_maximum_is_an_overflow() {
    const MOST: f32 = f32::MAX;
    const EDGES: [(u8, u8, f32); 4] =
        [(0, 1, MOST / 3.0), (1, 2, MOST / 6.0), (2, 4, MOST / 4.0), (3, 0, MOST / 8.0)];
    let problem = Edges { edges: &EDGES, goal: 4 };
    let hierarchy = Hierarchy::of(&problem).build().unwrap();
    let starts = || [(0, MOST / 4.0)];
    let found = hierarchy.query(&problem).unwrap().search_from(starts()).run();
    assert!(matches!(found, Err(SearchError::Overflow { .. })), "{found:?}");
    let found = Dijkstra::new(&problem).search_from(starts()).run();
    assert!(matches!(found, Err(SearchError::Overflow { .. })), "{found:?}");
}
