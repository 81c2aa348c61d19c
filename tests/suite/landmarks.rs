//! Landmarks on random graphs: admissible, consistent where distances are kept exactly, and the same from a file.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bestfirst::clock::Clock;
use bestfirst::heuristics::Landmarks;
use bestfirst::heuristics::{DistanceError, DistanceFileError, Selection};
use bestfirst::{
    AStar, CancelToken, Cost, DenseStates, FnProblem, Limits, Reversed, Reversible, ScalableCost,
    SearchError, SearchProblem, StopReason, Successors, check,
};
use support::erased::{Numbered, boxed, numbered, reversing};
use support::random::{every, rounds};

use support::random::{Random, Scale, Units};

/// A graph with several components, parallel edges, loops, cycles without cost and states that are not reached.
#[derive(Clone, Debug)]
struct Graph<C> {
    /// From each node to which nodes, in units and as costs.
    steps: Vec<Vec<(u32, u64, C)>>,
    goals: Vec<u32>,
    /// The exact costs between all nodes.
    costs: Vec<Vec<Option<u64>>>,
}

impl<C: Units> Graph<C> {
    /// Steps cost up to `most` units.
    fn random(seed: u64, most: u64, scale: Scale) -> Self {
        let mut random = Random::new(seed);
        let nodes = 1 + random.index(24);
        let components = 1 + random.index(3);
        let edges = random.index(3 * nodes + 1);
        let is_symmetric = random.one_in(3);
        let mut steps = vec![Vec::new(); nodes];
        for _ in 0..edges {
            let from = random.index(nodes);
            // Only nodes with the same remainder are joined.
            let to =
                (from + components * random.index(nodes)) % (nodes - nodes % components).max(1);
            let to = if to % components == from % components { to } else { from };
            let units = if random.one_in(3) { 0 } else { random.below(most + 1) };
            let cost = C::of(units, scale);
            steps[from].push((node(to), units, cost));
            if is_symmetric {
                steps[to].push((node(from), units, cost));
            }
        }
        let goals = (0..random.index(4)).map(|_| node(random.index(nodes))).collect();
        let costs = all_costs(&steps);
        Self { steps, goals, costs }
    }

    fn nodes(&self) -> impl Iterator<Item = u32> + use<C> {
        0..node(self.steps.len())
    }

    /// The cost from a node to the nearest goal.
    fn to_goal(&self, from: u32) -> Option<u64> {
        let costs = self.goals.iter().map(|&goal| self.costs[from as usize][goal as usize]);
        costs.flatten().min()
    }

    fn to(&self, goals: &[u32]) -> Self {
        let mut goals = goals.to_vec();
        goals.sort_unstable();
        goals.dedup();
        Self { goals, ..self.clone() }
    }
}

fn node(index: usize) -> u32 {
    u32::try_from(index).unwrap()
}

/// Floyd's algorithm.
fn all_costs<C>(steps: &[Vec<(u32, u64, C)>]) -> Vec<Vec<Option<u64>>> {
    let count = steps.len();
    let mut costs = vec![vec![None; count]; count];
    for (from, steps) in steps.iter().enumerate() {
        costs[from][from] = Some(0);
        for &(to, units, _) in steps {
            let cost = &mut costs[from][to as usize];
            *cost = Some(cost.map_or(units, |cost: u64| cost.min(units)));
        }
    }
    for by in 0..count {
        for from in 0..count {
            for to in 0..count {
                if let (Some(a), Some(b)) = (costs[from][by], costs[by][to]) {
                    let cost = &mut costs[from][to];
                    *cost = Some(cost.map_or(a + b, |cost| cost.min(a + b)));
                }
            }
        }
    }
    costs
}

impl<C: Units> SearchProblem for Graph<C> {
    type State = u32;
    type Action = u32;
    type Cost = C;

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        next.extend(self.steps[state as usize].iter().map(|&(to, _, cost)| (0, to, cost)));
    }

    fn is_goal(&self, state: &u32) -> bool {
        self.goals.contains(state)
    }
}

impl<C: Units> DenseStates for Graph<C> {
    fn state_count(&self) -> usize {
        self.steps.len()
    }

    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }

    fn state_at(&self, index: usize) -> u32 {
        node(index)
    }
}

impl<C: Units> Reversible for Graph<C> {
    fn predecessors(&self, &state: &u32, previous: &mut Successors<Self>) {
        for from in self.nodes() {
            for &(to, _, cost) in &self.steps[from as usize] {
                if to == state {
                    previous.push(0, from, cost);
                }
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        self.goals.iter().copied()
    }
}

/// Whether `bound` is a lower bound on the cost of `exact` units, and infinite only if there is no path.
fn is_bound<C: Units>(bound: C, exact: Option<u64>, scale: Scale) -> bool {
    match exact {
        None => bound >= C::ZERO,
        Some(units) => bound < C::INFINITY && bound <= C::of(units, scale),
    }
}

/// Checks the landmarks of random graphs for random goals.
fn check_random<C: Units + Debug>(seeds: std::ops::Range<u64>, most: u64, scale: Scale) {
    let mut informed = 0_u64;
    for seed in seeds {
        let graph = Graph::<C>::random(seed, most, scale);
        let mut random = Random::new(!seed);
        let selection = if random.one_in(2) { Selection::Farthest } else { Selection::Avoid };
        let source = reversing(&graph);
        let mut builder = Landmarks::of(&source).count(random.index(6)).selection(selection);
        if random.one_in(2) {
            builder = builder.compressed();
        }
        let landmarks = builder.build().unwrap_or_else(|error| panic!("{seed}: {error}"));
        let mut goals = vec![graph.goals.clone()];
        goals.extend(graph.nodes().map(|goal| vec![goal]));
        for goals in goals {
            informed += check_goals(seed, &graph.to(&goals), &landmarks, scale, &mut random);
        }
    }
    assert!(informed > 0, "no bound is above zero");
}

/// Checks the bounds for the goals of `graph`, and A* with them. Returns how many bounds are above zero.
fn check_goals<C: Units + Debug>(
    seed: u64,
    graph: &Graph<C>,
    landmarks: &Landmarks<C>,
    scale: Scale,
    random: &mut Random,
) -> u64 {
    let problem = landmarks.to(graph).unwrap();
    let start = node(random.index(graph.steps.len()));
    let best = landmarks.to(graph).unwrap().best(random.index(4), &start);
    let mut informed = 0;
    for state in graph.nodes() {
        let (all, few) = (problem.heuristic(&state), best.heuristic(&state));
        assert!(
            is_bound(all, graph.to_goal(state), scale),
            "{seed}: {all:?} at {state}, {graph:?}"
        );
        assert!(few <= all, "{seed}: {few:?} by few, {all:?} by all");
        informed += u64::from(all > C::ZERO);
        for other in graph.nodes() {
            let exact = graph.costs[other as usize][state as usize];
            let bound = problem.heuristic_from(&other, &state);
            assert!(is_bound(bound, exact, scale), "{seed}: {bound:?} from {other} to {state}");
        }
        if landmarks.is_exact() {
            for &(to, _, cost) in &graph.steps[state as usize] {
                for problem in [&problem, &best] {
                    let (here, there) = (problem.heuristic(&state), problem.heuristic(&to));
                    let most = cost.checked_add(there).unwrap_or(C::INFINITY);
                    assert!(!here.exceeds(most), "{seed}: {here:?} before {cost:?} and {there:?}");
                }
            }
        }
    }
    let forwards = boxed(Numbered(&best));
    for start in graph.nodes() {
        let report = AStar::new(&forwards).search(start).run().unwrap();
        let exact = graph.to_goal(start).map(|units| C::of(units, scale));
        match (report.cost(), exact) {
            (Some(found), Some(exact)) => assert!(found.is_close(exact), "{seed}: {found:?}"),
            (found, exact) => assert_eq!(found.is_some(), exact.is_some(), "{seed} from {start}"),
        }
        if let Some(path) = report.path() {
            path.verify(&Numbered(graph)).unwrap();
        }
        let backwards = Reversed::new(&problem, start);
        let search = boxed(Numbered(&backwards));
        let found = AStar::new(&search).search_from(backwards.starts()).run().unwrap().cost();
        assert_eq!(found.is_some(), exact.is_some(), "{seed}: backwards to {start}");
        assert!(found.zip(exact).is_none_or(|(found, exact)| found.is_close(exact)), "{seed}");
    }
    informed
}

#[test]
fn bounds_of_landmarks_are_admissible_and_consistent() {
    check_random::<u32>(0..rounds(16), 20, Scale::Plain);
    check_random::<u8>(0..rounds(10), 8, Scale::Plain);
    check_random::<i32>(0..rounds(10), 20, Scale::Plain);
    check_random::<f64>(0..rounds(10), 20, Scale::Plain);
}

#[test]
fn compressed_landmarks_are_admissible() {
    // Distances that need more than 16, 32 and 53 bits.
    check_random::<u32>(600..600 + rounds(12), 1 << 24, Scale::Plain);
    check_random::<u64>(0..rounds(10), 1 << 40, Scale::Plain);
    check_random::<u64>(300..300 + rounds(10), 1 << 58, Scale::Plain);
}

#[test]
fn rounded_sums_are_no_overestimates() {
    check_random::<f64>(200..200 + rounds(12), 1000, Scale::Rough);
    check_random::<f32>(0..rounds(12), 1000, Scale::Rough);
}

#[test]
fn landmarks_are_in_every_component() {
    // A path of 40 nodes, a ring of 30 that goes around one way only, and 10 single nodes.
    let mut steps: Vec<Vec<(u32, u64, u32)>> = vec![Vec::new(); 80];
    for from in 0..39_u32 {
        steps[from as usize].push((from + 1, 3, 3));
        steps[(from + 1) as usize].push((from, 3, 3));
    }
    for place in 0..30_u32 {
        steps[(40 + place) as usize].push((40 + (place + 1) % 30, 1, 1));
    }
    let costs = all_costs(&steps);
    let graph = Graph { steps, goals: vec![5], costs };
    for selection in [Selection::Farthest, Selection::Avoid] {
        let source = reversing(&graph);
        let landmarks = Landmarks::of(&source).count(2).selection(selection).build().unwrap();
        let indices: Vec<_> = landmarks.indices().collect();
        assert_eq!(indices.iter().filter(|&&index| index < 40).count(), 2, "{indices:?}");
        assert_eq!(indices.iter().filter(|&&index| (40..70).contains(&index)).count(), 2);
        assert_eq!((indices.len(), landmarks.is_symmetric()), (4, false));
        let problem = landmarks.to(&graph).unwrap();
        // From the end of the path the bound is exact, from another component there is no path.
        assert_eq!((problem.heuristic(&5), problem.heuristic(&50)), (0, u32::INFINITY));
        assert_eq!((problem.heuristic(&0), problem.heuristic(&39)), (15, 102));
        assert_eq!(problem.heuristic_from(&75, &76), u32::INFINITY);
        let report = AStar::new(&numbered(&problem)).dense().search(50).run().unwrap();
        assert_eq!((report.cost(), report.stats.expanded), (None, 0));
        let ring = landmarks.to(graph.to(&[41, 5])).unwrap();
        assert!(ring.heuristic(&42) <= 29 && ring.heuristic(&39) == 102);
        assert!(check::consistent(&ring, graph.nodes()).is_ok());
    }
}

#[test]
fn the_best_landmarks_of_a_state_out_of_range_are_any() {
    /// A ring of eight states, and a state whose number is out of range.
    struct Ring;

    impl SearchProblem for Ring {
        type State = usize;
        type Action = ();
        type Cost = u32;

        fn successors(&self, &from: &usize, next: &mut Successors<Self>) {
            next.push((), (from + 1) % 8, 1);
        }

        fn is_goal(&self, &state: &usize) -> bool {
            state == 5
        }
    }

    impl Reversible for Ring {
        fn predecessors(&self, &to: &usize, previous: &mut Successors<Self>) {
            previous.push((), (to + 7) % 8, 1);
        }

        fn goals(&self) -> impl Iterator<Item = usize> {
            [5].into_iter()
        }
    }

    impl DenseStates for Ring {
        fn state_count(&self) -> usize {
            8
        }

        fn state_index(&self, &state: &usize) -> usize {
            state
        }

        fn state_at(&self, index: usize) -> usize {
            index
        }
    }

    let landmarks = Landmarks::of(&Ring).count(2).build().unwrap();
    for start in [8, usize::MAX] {
        let problem = landmarks.to(Ring).unwrap().best(4, &start);
        assert!((0..8).all(|state| problem.heuristic(&state) as usize == (13 - state) % 8));
        assert_eq!(problem.heuristic(&start), 0);
    }
}

#[cfg(feature = "parallel")]
#[test]
fn landmarks_made_on_threads_are_the_same() {
    for seed in 0..200 {
        let graph = Graph::<u32>::random(seed, 20, Scale::Plain);
        for selection in [Selection::Farthest, Selection::Avoid] {
            let builder = || Landmarks::of(&graph).count(4).selection(selection);
            let (mut one, mut many) = (Vec::new(), Vec::new());
            builder().build().unwrap().save(&mut one).unwrap();
            builder().build_parallel().unwrap().save(&mut many).unwrap();
            assert_eq!(one, many, "{seed}");
        }
    }
}

/// Two steps, one after the other.
fn chain<C: Units>(units: u64, cost: C) -> Graph<C> {
    let steps = vec![vec![(1, units, cost)], vec![(2, units, cost)], vec![]];
    Graph { costs: all_costs(&steps), steps, goals: vec![2] }
}

/// The limit on the time is one of all searches together, and of the pass over the states before them.
#[test]
fn limits_on_the_time_are_those_of_all_that_is_done() {
    /// A ring of 600 states, each of whose expansions takes a millisecond.
    #[derive(Clone)]
    struct Ring(Arc<AtomicU64>);

    impl Ring {
        fn step(&self, from: u32, by: u32, next: &mut Successors<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
            next.push(0, (from + by) % 600, 1);
        }
    }

    impl SearchProblem for Ring {
        type State = u32;
        type Action = u32;
        type Cost = u32;

        fn successors(&self, &from: &u32, next: &mut Successors<Self>) {
            self.step(from, 1, next);
        }

        fn is_goal(&self, &state: &u32) -> bool {
            state == 0
        }
    }

    impl Reversible for Ring {
        fn predecessors(&self, &to: &u32, previous: &mut Successors<Self>) {
            self.step(to, 599, previous);
        }

        fn goals(&self) -> impl Iterator<Item = u32> {
            [0].into_iter()
        }
    }

    impl DenseStates for Ring {
        fn state_count(&self) -> usize {
            600
        }

        fn state_index(&self, &state: &u32) -> usize {
            state as usize
        }

        fn state_at(&self, index: usize) -> u32 {
            node(index)
        }
    }

    let millis = Arc::new(AtomicU64::new(0));
    let make = |landmarks, most| {
        millis.store(0, Ordering::Relaxed);
        let clock = Arc::clone(&millis);
        let clock = Clock::new(move || Duration::from_millis(clock.load(Ordering::Relaxed)));
        let limits = Limits::new().time(Duration::from_millis(most)).clock(clock);
        let ring = Ring(Arc::clone(&millis));
        let made = Landmarks::of(&reversing(&ring)).count(landmarks).limits(limits).build();
        (made.map(|made| made.indices().len()), millis.load(Ordering::Relaxed))
    };
    let (count, all) = make(4, 1_000_000);
    assert_eq!(count, Ok(4));
    assert!(all > 8 * 600, "{all}");
    let stopped = Err(DistanceError::Stopped(StopReason::Time));
    for most in [0, 100, 700, 1500, 3000, all - 100] {
        let (count, took) = make(4, most);
        assert_eq!(count, stopped, "{most}");
        assert!(took <= most + 600, "{took} {most}");
    }
}

/// Also while states are compared with the landmarks so far, when nothing is asked of the problem.
#[test]
fn limits_are_looked_at_while_states_are_compared_with_landmarks() {
    /// A cost of which each difference takes a millisecond.
    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    struct Slow(u32);

    static MILLIS: AtomicU64 = AtomicU64::new(0);

    impl Cost for Slow {
        const ZERO: Self = Self(0);
        const INFINITY: Self = Self(u32::MAX);
        fn checked_add(self, other: Self) -> Option<Self> {
            self.0.checked_add(other.0).map(Self)
        }
        fn to_bucket(self) -> Option<usize> {
            self.0.to_bucket()
        }
        fn from_bucket(bucket: usize) -> Option<Self> {
            u32::from_bucket(bucket).map(Self)
        }
    }

    impl ScalableCost for Slow {
        fn scale(self, weight: f64) -> Option<Self> {
            self.0.scale(weight).map(Self)
        }
        fn to_f64(self) -> f64 {
            self.0.into()
        }
        fn at_least_minus(self, other: Self) -> Self {
            MILLIS.fetch_add(1, Ordering::Relaxed);
            Self(self.0.saturating_sub(other.0))
        }
    }

    impl Units for Slow {
        fn of(units: u64, _: Scale) -> Self {
            Self(u32::try_from(units).unwrap())
        }
        fn most(_: Scale) -> u64 {
            u32::MAX.into()
        }
    }

    const COUNT: u32 = 1000;
    let steps_from = |from| [1, COUNT - 1].map(|by| ((from + by) % COUNT, 1, Slow(1))).to_vec();
    let steps = (0..COUNT).map(steps_from).collect();
    let ring = Graph { steps, goals: vec![0], costs: Vec::new() };
    let make = |most| {
        MILLIS.store(0, Ordering::Relaxed);
        let clock = Clock::new(|| Duration::from_millis(MILLIS.load(Ordering::Relaxed)));
        let limits = Limits::new().time(Duration::from_millis(most)).clock(clock);
        let made = Landmarks::of(&ring).count(4).limits(limits).build();
        (made.map(|made| made.indices().len()), MILLIS.load(Ordering::Relaxed))
    };
    let (count, all) = make(1_000_000);
    assert_eq!(count, Ok(4));
    // States are compared with one landmark, then with two, then with three, in both directions.
    assert!(all > 8_000, "{all}");
    for most in [0, 100, 1_200, 2_300, 5_000, 8_000] {
        let (count, took) = make(most);
        assert_eq!(count, Err(DistanceError::Stopped(StopReason::Time)), "{most}");
        assert!(took <= most + 256 * 6, "{took} {most}");
    }
}

#[test]
fn errors_of_making_landmarks_are_typed() {
    let graph = Graph::<u32>::random(3, 20, Scale::Plain);
    let larger = Graph::<u32>::random(4, 20, Scale::Plain);
    assert_ne!(graph.steps.len(), larger.steps.len());
    let error = Landmarks::of(&reversing(&graph)).build().unwrap().to(&larger).unwrap_err();
    let (found, expected) = (larger.steps.len(), graph.steps.len());
    assert_eq!(error, DistanceError::OtherProblem { found, expected });

    let token = CancelToken::new();
    token.cancel();
    let short = chain(1, 1_u8);
    let error = Landmarks::of(&reversing(&short)).limits(Limits::new().cancel(&token)).build();
    assert_eq!(error.unwrap_err(), DistanceError::Stopped(StopReason::Cancelled));
    let error = Landmarks::of(&reversing(&chain(200, 200_u8))).build().unwrap_err();
    assert!(matches!(error, DistanceError::Search(SearchError::Overflow { .. })), "{error}");
    let error = Landmarks::of(&reversing(&chain(255, 255_u8))).build().unwrap_err();
    assert!(
        matches!(error, DistanceError::Cost { cost: 255 } | DistanceError::Search(_)),
        "{error}"
    );
    let negative = chain(1, i32::negative().unwrap());
    let error = Landmarks::of(&reversing(&negative)).build().unwrap_err();
    assert!(matches!(error, DistanceError::Search(SearchError::NegativeCost { .. })), "{error}");
    let mut outside = chain(1, 1_u32);
    outside.steps[0][0].0 = 7;
    let error = Landmarks::of(&reversing(&outside)).build().unwrap_err();
    assert_eq!(error, DistanceError::Search(SearchError::StateIndex { index: 7, count: 3 }));
}

#[test]
fn files_of_landmarks_are_read_again() {
    for seed in 0..100 {
        let graph = Graph::<u32>::random(seed, 1 << 20, Scale::Plain);
        let source = reversing(&graph);
        let builder = Landmarks::of(&source).count(3);
        let builder = if seed % 2 == 0 { builder.compressed() } else { builder };
        let landmarks = builder.build().unwrap();
        let mut file = Vec::new();
        landmarks.save(&mut file).unwrap();
        let read = Landmarks::load(&graph.to(&[0]), &file[..]).unwrap();
        let mut again = Vec::new();
        read.save(&mut again).unwrap();
        assert_eq!(file, again);
        let (one, two) = (landmarks.to(&graph).unwrap(), read.to(&graph).unwrap());
        assert!(graph.nodes().all(|node| one.heuristic(&node) == two.heuristic(&node)));
    }
}

#[test]
fn damaged_files_of_landmarks_are_rejected() {
    let graph = Graph::<u32>::random(8, 100, Scale::Plain);
    assert!(graph.steps.len() > 5);
    for is_compressed in [false, true] {
        let source = reversing(&graph);
        let builder = Landmarks::of(&source).count(3);
        let builder = if is_compressed { builder.compressed() } else { builder };
        let mut file = Vec::new();
        builder.build().unwrap().save(&mut file).unwrap();
        for place in 0..file.len() {
            // Each bit of some places.
            for bit in (place % every(1)..8).step_by(every(1)) {
                file[place] ^= 1 << bit;
                assert!(Landmarks::load(&graph, &file[..]).is_err(), "bit {bit} of {place}");
                file[place] ^= 1 << bit;
            }
            let cut = Landmarks::load(&graph, &file[..place]).unwrap_err();
            let is_named = place < 8;
            assert_eq!(matches!(cut, DistanceFileError::Kind { .. }), is_named, "{place}: {cut}");
            assert_eq!(matches!(cut, DistanceFileError::Damaged), !is_named, "{place}: {cut}");
        }
        file.push(0);
        let longer = Landmarks::load(&graph, &file[..]).unwrap_err();
        assert!(matches!(longer, DistanceFileError::Damaged), "{longer}");
        file.pop();
        file[8] = 2;
        let version = Landmarks::load(&graph, &file[..]).unwrap_err();
        assert!(matches!(version, DistanceFileError::Version { found: 2, expected: 1 }));
        assert!(version.to_string().contains("version 2, expected 1"));
        file[8] = 1;

        // The same number of states, another cost.
        let mut other = graph.clone();
        let step = other.steps.iter_mut().flatten().next().unwrap();
        step.2 += 1;
        let wrong = Landmarks::load(&other, &file[..]).unwrap_err();
        assert!(matches!(wrong, DistanceFileError::OtherProblem), "{wrong}");
    }
    let no_file = Landmarks::load(&graph, &b"type octile\nheight 2"[..]).unwrap_err();
    assert!(matches!(no_file, DistanceFileError::Kind { .. }), "{no_file}");
}

#[test]
fn a_problem_without_states_has_no_landmarks() {
    let empty = Graph::<u32> { steps: Vec::new(), goals: Vec::new(), costs: Vec::new() };
    let landmarks = Landmarks::of(&reversing(&empty)).build().unwrap();
    assert_eq!((landmarks.indices().len(), landmarks.bytes()), (0, 0));
    let mut file = Vec::new();
    landmarks.save(&mut file).unwrap();
    assert!(Landmarks::load(&empty, &file[..]).is_ok());
}

/// Costs that can be scaled but not subtracted give no bound, but do no harm.
#[test]
fn costs_without_differences_give_no_bounds() {
    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    struct Opaque(u32);
    impl Cost for Opaque {
        const ZERO: Self = Self(0);
        const INFINITY: Self = Self(u32::MAX);
        fn checked_add(self, other: Self) -> Option<Self> {
            self.0.checked_add(other.0).map(Self)
        }
    }
    impl ScalableCost for Opaque {
        fn scale(self, weight: f64) -> Option<Self> {
            self.0.scale(weight).map(Self)
        }
        fn to_f64(self) -> f64 {
            self.0.into()
        }
    }
    assert_eq!(Opaque(5).at_least_minus(Opaque(3)), Opaque(0));
    let line = FnProblem::new(|&n: &u8| [(n + 1, Opaque(1))], |_: &u8| Opaque(0), |&n: &u8| n == 9);
    assert_eq!(bestfirst::astar(&line, 3).unwrap().cost(), Some(Opaque(6)));
}

/// What is held while landmarks are made: not only the table of each search.
#[test]
fn making_landmarks_keeps_to_a_limit_on_memory() {
    use bestfirst::problems::grid_map::{Cell, Movement, TerrainMap};
    let map = TerrainMap::new(30, 24, |cell| Some(1 + u32::from(cell.x ^ cell.y) % 7)).unwrap();
    let mut one_way = map.clone();
    for x in 0..30 {
        one_way.set_exits(Cell::new(x, 12), |to| to.y >= 12);
    }
    let mut stops = 0;
    for (nth, map) in [&map, &one_way].into_iter().enumerate() {
        let route = map.route_to([Cell::new(0, 0)], Movement::four(1)).unwrap();
        for selection in [Selection::Avoid, Selection::Farthest] {
            let builder = || Landmarks::of(&route).count(4 + nth).selection(selection);
            let bytes = |landmarks: Landmarks<u32>| {
                let mut bytes = Vec::new();
                landmarks.save(&mut bytes).unwrap();
                bytes
            };
            let whole = bytes(builder().build().unwrap());
            let mut limit = 4_000;
            loop {
                let before = crate::counting::held();
                crate::counting::forget_peak();
                let limits = Limits::new().memory(limit);
                let made = builder().limits(limits.clone()).build();
                let peak = (crate::counting::peak() - before).cast_unsigned();
                assert!(peak <= limit + limit / 100 + 10_000, "{peak} held, {limit} allowed");
                #[cfg(feature = "parallel")]
                {
                    let on_threads = builder().limits(limits).build_parallel();
                    assert!(on_threads.is_err() || bytes(on_threads.unwrap()) == whole);
                }
                match made {
                    Ok(landmarks) => break assert!(bytes(landmarks) == whole),
                    Err(error) => {
                        assert_eq!(error, DistanceError::Stopped(StopReason::Memory));
                        stops += 1;
                    }
                }
                limit += limit / 4;
            }
        }
    }
    assert!(stops > 30, "{stops}");
}
