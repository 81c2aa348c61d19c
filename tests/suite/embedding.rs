//! Searches inside of other programs: in slices, in fields, behind one trait, and with costs of the standard library.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bestfirst::certificate::{self, Level};
use bestfirst::clock::Clock;
use bestfirst::{
    AStar, AStarSearch, AllOptimal, AllOptimalSearch, AnySearch, Anytime, AnytimeAStar,
    AnytimeAStarSearch, AnytimeSearch, Beam, BeamSearch, Bidirectional, BidirectionalSearch,
    BoundedCost, BoundedCostSearch, BoxedSearch, BranchAndBound, BranchAndBoundSearch,
    BreadthFirst, BreadthFirstSearch, CancelToken, Cost, DenseStates, Dijkstra, DijkstraSearch,
    FnProblem, Focal, FocalSearch, Greedy, GreedySearch, IdaStar, IdaStarSearch, KBest,
    KBestSearch, Limits, Outcome, Pareto, ParetoSearch, Path, PathError, Rectangle,
    RectangleSearch, Replanner, ReplannerSearch, Report, ReportOf, Reversible, SearchError,
    SearchProblem, StopReason, Successors,
};
use support::erased::{ReversingOf, boxed, problem, reversing};
use support::random::rounds;

/// A random graph, with cycles, parallel edges and steps that cost nothing.
#[derive(Debug)]
struct Graph {
    edges: Vec<Vec<(u32, u32)>>,
    goal: u32,
}

impl Graph {
    fn random(seed: u64) -> Self {
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut below = |most: u32| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            u32::try_from(random % u64::from(most)).unwrap()
        };
        let states = 4 + below(12);
        let edges = (0..states).map(|_| (0..below(4)).map(|_| (below(states), below(6))).collect());
        Self { edges: edges.collect(), goal: states - 1 }
    }
}

impl SearchProblem for Graph {
    type State = u32;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        for &(to, cost) in &self.edges[state as usize] {
            next.push((), to, cost);
        }
    }

    fn is_goal(&self, &state: &u32) -> bool {
        state == self.goal
    }
}

impl Reversible for Graph {
    fn predecessors(&self, &state: &u32, previous: &mut Successors<Self>) {
        for (from, edges) in (0..).zip(&self.edges) {
            for &(_, cost) in edges.iter().filter(|&&(to, _)| to == state) {
                previous.push((), from, cost);
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        [self.goal].into_iter()
    }
}

impl DenseStates for Graph {
    fn state_count(&self) -> usize {
        self.edges.len()
    }

    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }

    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

type Shared = Arc<Graph>;

/// A graph in the forms in which it is searched, those of other tests.
struct Forms {
    graph: Shared,
    forward: Box<dyn SearchProblem<State = u32, Action = (), Cost = u32>>,
}

impl Forms {
    fn random(seed: u64) -> Self {
        let graph = Arc::new(Graph::random(seed));
        Self { forward: boxed(Arc::clone(&graph)), graph }
    }

    fn both_ways(&self) -> ReversingOf<'_, Graph> {
        reversing(&*self.graph)
    }
}

/// A search by each engine in a field, by the names that the crate exports.
struct Every<P: SearchProblem<Cost = u32>, R: Reversible<Cost = u32> + Clone> {
    astar: AStarSearch<P>,
    anytime: AnytimeSearch<P>,
    anytime_astar: AnytimeAStarSearch<P>,
    focal: FocalSearch<P>,
    bounded: BoundedCostSearch<P>,
    greedy: GreedySearch<P>,
    dijkstra: DijkstraSearch<P>,
    idastar: IdaStarSearch<P>,
    branch_and_bound: BranchAndBoundSearch<P>,
    breadth_first: BreadthFirstSearch<P>,
    beam: BeamSearch<P>,
    rectangle: RectangleSearch<P>,
    k_best: KBestSearch<P>,
    all_optimal: AllOptimalSearch<P>,
    bidirectional: BidirectionalSearch<R>,
    replanner: ReplannerSearch<R>,
}

impl<P, R> Every<P, R>
where
    P: SearchProblem<State = u32, Action = (), Cost = u32> + Clone,
    R: Reversible<State = u32, Action = (), Cost = u32> + Clone,
{
    fn new(graph: &P, both_ways: &R) -> Self {
        let graph = || graph.clone();
        Self {
            astar: AStar::new(graph()).search(0),
            anytime: Anytime::new(graph()).search(0),
            anytime_astar: AnytimeAStar::new(graph()).search(0),
            focal: Focal::new(graph(), 1.5).search(0),
            bounded: BoundedCost::new(graph(), 12).search(0),
            greedy: Greedy::new(graph()).search(0),
            dijkstra: Dijkstra::new(graph()).search(0),
            idastar: IdaStar::new(graph()).search(0),
            branch_and_bound: BranchAndBound::new(graph()).search(0),
            breadth_first: BreadthFirst::new(graph()).search(0),
            beam: Beam::new(graph()).search(0),
            rectangle: Rectangle::new(graph()).search(0),
            k_best: KBest::new(graph()).search(0),
            all_optimal: AllOptimal::new(graph()).search(0),
            bidirectional: Bidirectional::new(both_ways.clone()).search(0),
            replanner: Replanner::new(both_ways.clone()).search(0),
        }
    }

    fn boxed<'p>(self) -> Vec<BoxedSearch<'p, Shared>>
    where
        P: 'p,
        R: 'p,
    {
        vec![
            Box::new(self.astar),
            Box::new(self.anytime_astar),
            Box::new(self.focal),
            Box::new(self.bounded),
            Box::new(self.greedy),
            Box::new(self.dijkstra),
            Box::new(self.idastar),
            Box::new(self.branch_and_bound),
            Box::new(self.breadth_first),
            Box::new(self.beam),
            Box::new(self.rectangle),
            Box::new(self.k_best),
            Box::new(self.all_optimal),
            Box::new(self.bidirectional),
            Box::new(self.replanner),
            Box::new(self.anytime),
        ]
    }
}

/// They may own what they search. (This need not run: that it compiles is enough.)
const _: fn(&Shared, &Shared) -> Every<Shared, Shared> = Every::new;
const _: fn(Every<Shared, Shared>) -> Vec<BoxedSearch<'static, Shared>> = Every::boxed;

/// No problem here needs as many expansions, by any engine but IDA* on zero-cost cycles.
const MOST: u64 = 3000;

/// The place of IDA* among the searches. What it holds on its stack depends on where it is stopped: elsewhere it
/// recurses.
const IDA_STAR: usize = 6;

/// All searches of one problem, each with a limit on its expansions.
fn searches(forms: &Forms) -> Vec<BoxedSearch<'_, Shared>> {
    let mut searches = Every::new(&&forms.forward, &forms.both_ways()).boxed();
    for search in &mut searches {
        search.set_limits(Limits::new().expansions(MOST));
    }
    searches
}

fn by_slices(search: &mut BoxedSearch<'_, Shared>, most: u64) -> ReportOf<Graph> {
    loop {
        let before = search.stats().expanded;
        let report = search.run_for(most).unwrap();
        assert!(search.stats().expanded <= before + most, "a slice was too long");
        assert_eq!(search.limits(), &Limits::new().expansions(MOST));
        if let Some(report) = report {
            return report;
        }
    }
}

#[test]
fn slices_lead_to_the_report_of_one_run() {
    for seed in 0..rounds(60) {
        let forms = Forms::random(seed);
        for (nth, mut whole) in searches(&forms).into_iter().enumerate() {
            let mut expected = whole.run().unwrap();
            for most in [1, 2, 7, 1000] {
                let mut sliced = searches(&forms).swap_remove(nth);
                let report = by_slices(&mut sliced, most);
                if nth == IDA_STAR {
                    expected.stats.peak_bytes = report.stats.peak_bytes;
                }
                assert_eq!(report, expected, "engine {nth}, seed {seed}, slices of {most}");
                assert_eq!(
                    sliced.report().map(|report| report.lower_bound),
                    Ok(expected.lower_bound)
                );
                assert_eq!(sliced.run_for(0).unwrap(), Some(expected.clone()), "the end stays");
            }
        }
    }
}

#[test]
fn between_two_slices_the_report_is_true() {
    for seed in 0..rounds(60) {
        let forms = Forms::random(seed);
        let optimum = searches(&forms).swap_remove(5).run().unwrap().cost();
        for (nth, mut search) in searches(&forms).into_iter().enumerate() {
            while search.run_for(1).unwrap().is_none() {
                let report = search.report().unwrap();
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Slice), "engine {nth}");
                assert!(optimum.is_none_or(|optimum| report.lower_bound <= optimum));
                assert!(report.cost().is_none_or(|cost| Some(cost) >= optimum));
            }
        }
    }
}

#[test]
fn limits_hold_in_slices() {
    let endless = problem(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |_: &u32| false);
    let mut search = AStar::new(&endless).limits(Limits::new().expansions(25)).search(0);
    assert_eq!(search.run_for(10), Ok(None));
    assert_eq!(search.run_for(10), Ok(None));
    let report = search.run_for(10).unwrap().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
    assert_eq!((report.stats.expanded, report.lower_bound), (25, 25));
    search.set_limits(Limits::new().cost(30));
    let report = search.run_for(1000).unwrap().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost));
    let token = CancelToken::new();
    token.cancel();
    search.set_limits(Limits::new().cancel(&token));
    let report = search.run_for(1).unwrap().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
    // A step and a run have nothing of the slice before.
    search.set_limits(Limits::new().expansions(1000));
    assert_eq!(search.run_for(0), Ok(None));
    assert_eq!(search.step(), Ok(None));
    assert_eq!(search.run().unwrap().stats.expanded, 1000);
}

/// A clock that moves by one second with each expansion of the problem.
fn slow(
    seconds: &Arc<AtomicU64>,
) -> (Box<dyn SearchProblem<State = u32, Action = (), Cost = u32>>, Clock) {
    let (moved, shown) = (Arc::clone(seconds), Arc::clone(seconds));
    let successors = move |&n: &u32| {
        moved.fetch_add(1, Ordering::Relaxed);
        [(n + 1, 1_u32)]
    };
    let clock = Clock::new(move || Duration::from_secs(shown.load(Ordering::Relaxed)));
    (problem(successors, |_: &u32| 0, |_: &u32| false), clock)
}

#[test]
fn slices_of_time_end_in_time() {
    let seconds = Arc::new(AtomicU64::new(0));
    let (problem, clock) = slow(&seconds);
    let limits = Limits::new().clock(clock).time(Duration::from_secs(35));
    let mut search = AStar::new(&problem).limits(limits).search(0);
    for slice in 1..=3 {
        assert_eq!(search.run_within(Duration::from_secs(10)), Ok(None));
        assert_eq!(search.stats().expanded, 10 * slice);
        // What happens between two slices takes no time of the search.
        seconds.fetch_add(1000, Ordering::Relaxed);
        assert_eq!(search.elapsed(), Duration::from_secs(10 * slice));
    }
    let report = search.run_within(Duration::from_secs(10)).unwrap().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
    assert_eq!(report.stats.expanded, 35);
}

#[test]
fn without_time_nothing_is_expanded() {
    let graph = Arc::new(Graph::random(3));
    let mut search = AStar::new(Arc::clone(&graph)).search(0);
    assert_eq!(search.run_within(Duration::ZERO), Ok(None));
    assert_eq!(search.run_until(Instant::now()), Ok(None));
    assert_eq!(search.stats().expanded, 0);
    let report = search.run_within(Duration::MAX).unwrap().unwrap();
    assert_eq!(report.outcome, AStar::new(Arc::clone(&graph)).search(0).run().unwrap().outcome);
    assert_eq!(search.run_until(Instant::now()).unwrap(), Some(report), "an end stays an end");
}

#[test]
fn a_panic_in_a_slice_leaves_nothing_of_it() {
    let panics = AtomicBool::new(true);
    let line = problem(
        |&n: &u32| {
            assert!(n != 5 || !panics.load(Ordering::Relaxed));
            (n < 200).then_some((n + 1, 1_u32))
        },
        |_: &u32| 0,
        |&n: &u32| n == 100,
    );
    // Nor do states that are settled pass goals, or end, because of it.
    let mut search = Dijkstra::new(&line).search(0);
    assert!(catch_unwind(AssertUnwindSafe(|| search.settled().count())).is_err());
    search.restart(90);
    assert_eq!(search.run().unwrap().cost(), Some(10));
    let no_goal = |&n: &u32| -> bool { panic!("{n} is no goal") };
    let asked = problem(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, no_goal);
    let mut search = Dijkstra::new(&asked).search(0);
    assert!(catch_unwind(AssertUnwindSafe(|| search.run_for(0))).is_err());
    search.restart(0);
    assert_eq!(search.settled().take(5).count(), 5);
    let mut search = AStar::new(&line).search(0);
    assert!(catch_unwind(AssertUnwindSafe(|| search.run_for(10))).is_err());
    assert_eq!(search.run_for(10), Err(SearchError::Panicked));
    assert_eq!(search.report(), Err(SearchError::Panicked));
    panics.store(false, Ordering::Relaxed);
    search.restart(0);
    assert_eq!(search.run().unwrap().cost(), Some(100));
}

/// The limits are not checked in each step, but that a step has panicked is seen in the next one.
#[test]
fn no_state_is_settled_after_a_panic() {
    for settled in 1..40 {
        let line = problem(
            |&n: &u32| {
                assert!(n != settled);
                [(n + 1, 1_u32)]
            },
            |_: &u32| 0,
            |_: &u32| false,
        );
        let mut search = Dijkstra::new(&line).search(0);
        let mut states = search.settled();
        assert_eq!(states.by_ref().take(settled as usize).count(), settled as usize);
        assert!(catch_unwind(AssertUnwindSafe(|| states.next())).is_err());
        assert_eq!(states.next(), Some(Err(SearchError::Panicked)));
        assert!(states.next().is_none());
    }
}

/// A game that keeps its search beside its map, which it owns together with the search.
struct Game {
    map: Arc<Graph>,
    search: AStarSearch<Arc<Graph>>,
}

#[test]
fn a_search_lives_beside_its_map() {
    fn is_sent<T: Send + 'static>(game: T) -> T {
        game
    }
    let map = Arc::new(Graph { edges: vec![vec![(1, 2)], vec![(2, 3)], vec![]], goal: 2 });
    let mut game = is_sent(Game { search: AStar::new(Arc::clone(&map)).search(0), map });
    assert_eq!(game.search.run().unwrap().cost(), Some(5));
    // Another map takes its place.
    game.map = Arc::new(Graph { edges: vec![vec![(1, 4)], vec![]], goal: 1 });
    game.search.restart_with(Arc::clone(&game.map), 0);
    assert_eq!(game.search.run().unwrap().cost(), Some(4));
    // One that nothing else needs can be owned.
    let mut owned: AStarSearch<Graph> =
        AStar::new(Graph { edges: vec![vec![]], goal: 0 }).search(0);
    assert_eq!(owned.run().unwrap().cost(), Some(0));
    // And where the engine is chosen while the program runs, the box is sent, too.
    let boxed: Box<dyn AnySearch<u32, (), u32> + Send> = Box::new(game.search);
    assert_eq!(is_sent(boxed).run().unwrap().cost(), Some(4));
}

/// Whoever holds a search by any engine begins it anew, asks for the closest state and has it prove its bound.
#[test]
fn a_boxed_search_does_what_a_search_does() {
    let (mut closest, mut proved) = (0, 0);
    for seed in 0..20 {
        let forms = Forms::random(seed);
        let graph = &forms.graph;
        for mut search in searches(&forms) {
            let first = search.run().unwrap();
            let near = search.closest_by(&mut |&n| f64::from(n)).unwrap();
            // NotAGoal is said last: the steps and the sum are right then.
            let is_path = |path: &Path<_, _, _>| {
                *path.end() == 0 && matches!(path.verify(graph), Err(PathError::NotAGoal))
            };
            closest += usize::from(near.as_ref().is_some_and(is_path));
            if let Ok(certificate) = search.certificate(&**graph, vec![(0, 0)], Level::NoHeuristic)
            {
                let mut file = Vec::new();
                certificate.write(&mut file).unwrap();
                let claim = certificate::check(&**graph, [(0, 0)], file.as_slice()).unwrap().claim;
                proved += usize::from(claim == certificate.claim());
            }
            search.restart_from(vec![(0, 0)]);
            assert_eq!(search.run().unwrap().cost(), first.cost());
        }
    }
    // All but IDA* and the replanner look through their states; one of the engines in two proves its bound.
    assert!(closest >= 20 * 12 && proved >= 20 * 7, "{closest} {proved}");
}

/// The graph with another cost for each step: `cost` of the two numbers of an edge.
fn with_costs<C: Cost>(graph: &Graph, cost: impl Fn(u32, u32) -> C) -> Report<u32, (), C> {
    let problem = problem(
        |&n: &u32| {
            let step = |&(to, step): &(u32, u32)| (to, cost(step, (n * 7 + to * 3) % 5));
            graph.edges[n as usize].iter().map(step).collect::<Vec<_>>()
        },
        |_: &u32| C::ZERO,
        |&n: &u32| n == graph.goal,
    );
    let report = AStar::new(&problem).search(0).run().unwrap();
    assert_eq!(
        report.path().map(|path| path.verify(&&problem)).transpose(),
        Ok(report.path().map(|_| ()))
    );
    assert_eq!(Dijkstra::new(&problem).search(0).run().unwrap().cost(), report.cost());
    assert_eq!(
        IdaStar::new(&problem).limits(Limits::new().expansions(1)).search(0).run().map(|_| ()),
        Ok(())
    );
    report
}

#[test]
fn pairs_and_times_are_costs() {
    for seed in 0..rounds(300) {
        let graph = Graph::random(seed);
        // One number that is compared as the pair is.
        let expected = with_costs(&graph, |a, b| u64::from(a) << 32 | u64::from(b)).cost();
        let pair = with_costs(&graph, |a, b| (a, b)).cost();
        assert_eq!(pair.map(|(a, b)| u64::from(a) << 32 | u64::from(b)), expected, "seed {seed}");
        let nested = with_costs(&graph, |a, b| ((a, Duration::from_millis(b.into())), 0_u8)).cost();
        assert_eq!(
            nested.map(|((a, b), _)| u64::from(a) << 32 | u64::try_from(b.as_millis()).unwrap()),
            expected
        );
        let time = with_costs(&graph, |a, b| Duration::new(a.into(), b)).cost();
        assert_eq!(
            time.map(|time| time.as_secs() << 32 | u64::from(time.subsec_nanos())),
            expected
        );
    }
}

#[test]
fn what_is_no_number_in_a_pair_is_an_error() {
    let problem = FnProblem::new(
        |&n: &u32| [(n + 1, (1_u32, f64::NAN))],
        |_: &u32| (0, 0.0),
        |&n: &u32| n == 5,
    );
    assert!(matches!(bestfirst::dijkstra(&problem, 0), Err(SearchError::NotANumber { .. })));
    let problem = FnProblem::new(
        |&n: &u32| [(n + 1, (1_u32, 1.0))],
        |_: &u32| (1, f64::NAN),
        |&n: &u32| n == 5,
    );
    assert!(matches!(bestfirst::astar(&problem, 0), Err(SearchError::NotANumber { .. })));
    let problem =
        FnProblem::new(|&n: &u32| [(n + 1, (0_i32, -1_i32))], |_: &u32| (0, 0), |&n: &u32| n == 5);
    assert!(matches!(bestfirst::dijkstra(&problem, 0), Err(SearchError::NegativeCost { .. })));
}

#[cfg(feature = "parallel")]
#[test]
fn slices_hold_on_threads() {
    let graph = FnProblem::new(
        |&n: &u64| [(2 * n, 1_u32), (2 * n + 1, 1)],
        |_: &u64| 0,
        |&n: &u64| n == 70_000,
    );
    let mut search = IdaStar::new(&graph).threads(2).search(1);
    let mut slices = 0;
    let report = loop {
        let before = search.stats().expanded;
        if let Some(report) = search.run_for(5000).unwrap() {
            break report;
        }
        assert!(search.stats().expanded <= before + 5000);
        slices += 1;
    };
    assert_eq!(report.cost(), Some(16));
    assert!(slices > 5);
}

/// Two numbers for each edge.
struct TwoCosts(Shared);

impl SearchProblem for TwoCosts {
    type State = u32;
    type Action = ();
    type Cost = [u32; 2];

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        for &(to, cost) in &self.0.edges[state as usize] {
            next.push((), to, [cost, 6 - cost]);
        }
    }

    fn is_goal(&self, &state: &u32) -> bool {
        state == self.0.goal
    }
}

/// By several criteria there is a front instead of a path.
struct Fronts {
    search: ParetoSearch<Arc<TwoCosts>>,
}

#[test]
fn a_front_is_found_in_slices_from_a_field() {
    for seed in 0..rounds(60) {
        let problem = Arc::new(TwoCosts(Arc::new(Graph::random(seed))));
        let expected = Pareto::new(Arc::clone(&problem)).search(0).front().unwrap();
        let mut fronts = Fronts { search: Pareto::new(problem).search(0) };
        while fronts.search.run_for(1).unwrap().is_none() {}
        assert!(fronts.search.front().unwrap().costs().eq(expected.costs()), "seed {seed}");
    }
}

/// The clock is read in a few of the steps, and what passes between two of them does not count.
#[test]
fn settled_states_take_the_time_inside_the_search() {
    let time = Arc::new(AtomicU64::new(0));
    let (shown, read) = (Arc::clone(&time), Arc::new(AtomicU64::new(0)));
    let readings = Arc::clone(&read);
    let clock = Clock::new(move || {
        readings.fetch_add(1, Ordering::Relaxed);
        Duration::from_millis(shown.load(Ordering::Relaxed))
    });
    let line = FnProblem::new(
        |&n: &u32| {
            time.fetch_add(1, Ordering::Relaxed);
            [(n + 1, 1_u32)]
        },
        |_: &u32| 0,
        |_: &u32| false,
    );
    let limits = Limits::new().clock(clock);
    let mut search = Dijkstra::new(&line).limits(limits.clone()).search(0);
    // One after the other, and each from an iterator of its own.
    for state in search.settled().take(500) {
        state.unwrap();
        time.fetch_add(7, Ordering::Relaxed);
    }
    for _ in 0..500 {
        search.settled().next().unwrap().unwrap();
        time.fetch_add(7, Ordering::Relaxed);
    }
    let took = search.elapsed().as_millis();
    assert!((985..=1000).contains(&took), "{took}");
    assert!(read.load(Ordering::Relaxed) < 200);
    // At a limit nothing passes, however often it is asked there.
    search.set_limits(limits.clone().expansions(search.stats().expanded));
    for _ in 0..10_000 {
        assert!(search.settled().next().is_none());
    }
    search.set_limits(limits.time(Duration::from_millis(1200)));
    let mut settled = search.settled();
    // With a limit it is read in each, and nothing of the time before is lost.
    assert_eq!(settled.by_ref().count(), 200);
    assert_eq!(settled.stopped(), Some(StopReason::Time));
}
