//! Searches that store the costs alone against the oracle, and against the same searches with parents: the same costs and
//! counts, and paths that are found again by predecessors.

use bestfirst::frontier::{BucketQueue, IndexedQueue, LazyHeap};
use bestfirst::table::{BareRecord, CostRecord, HashedTable};
use bestfirst::{
    AStar, Dijkstra, FnProblem, Limits, Outcome, PackedCost, PathError, PathOf, ReportOf,
    Reversible, SearchError, SearchProblem, StopReason, Successors,
};

use support::engines::erased;
use support::erased::{dense, problem};
use support::random::{Clashing, Edge, Name, Problem, Random, Scale, Truth, Units, Wide, rounds};
use support::two_way::{Heuristics, TwoWay};

/// How many expansions are allowed if a search might not end.
const PATIENCE: u64 = 2000;

/// The largest number of units that a record can hold.
fn most<C: Units + PackedCost>(scale: Scale) -> u128 {
    let most = u128::from(C::most(scale));
    match std::any::type_name::<C>() {
        "u8" | "u32" | "u64" => most / 2 - 1,
        "i32" => most - 1,
        _ => most,
    }
}

type Answer<C, S> = Result<bestfirst::Report<S, Edge, C>, SearchError<C>>;

/// Checks an answer by the truth, where costs above `most` are as good as those that do not fit.
fn check<C: Units, S: Name>(problem: &Problem<C, S>, answer: &Answer<C, S>, most: u128) {
    let graph = &problem.graph;
    let costs = graph.costs();
    let too_much = costs.iter().flatten().any(|&cost| cost > most) || graph.chain.is_some();
    match (answer, graph.truth) {
        (Ok(report), truth) => match (&report.outcome, truth) {
            (Outcome::Found(path), Truth::Costs(units)) => {
                assert!(path.cost().is_close(C::of(units, graph.scale)));
                assert!(path.is_empty() && problem.is_goal(path.end()));
                assert!(report.is_optimal() && report.lower_bound == path.cost());
            }
            // States that cost too much may all be dead ends.
            (Outcome::Exhausted, Truth::Unreachable) => {}
            (Outcome::Stopped(StopReason::Expansions), _) => assert!(graph.chain.is_some()),
            other => panic!("{other:?}"),
        },
        (Err(SearchError::Overflow { .. }), Truth::Costs(units)) => {
            assert!(u128::from(units) > most, "{units} is no more than {most}");
        }
        (Err(SearchError::Overflow { .. }), Truth::TooMuch) => {}
        (Err(SearchError::Overflow { .. }), Truth::Unreachable) => assert!(too_much),
        (Err(error), _) => panic!("{error}"),
    }
}

/// A path from a start to the state, each step of which is there, at the cost that it says.
fn check_path<C: Units, S: Name>(
    problem: &TwoWay<C, S>,
    path: &PathOf<TwoWay<C, S>>,
    (state, cost): (&S, C),
) {
    assert_eq!((path.end(), path.cost()), (state, cost));
    assert!(matches!(path.verify(problem), Ok(()) | Err(PathError::NotAGoal)), "{path:?}");
    let start = (path.start().clone(), path.start_cost());
    assert!(problem.problem.starts().contains(&start), "the start {start:?} is none");
}

/// The same report but for the path and the bytes.
fn same<C: Units, S: Name>(bare: &ReportOf<TwoWay<C, S>>, full: &ReportOf<TwoWay<C, S>>) {
    assert_eq!((bare.cost(), bare.lower_bound), (full.cost(), full.lower_bound));
    assert_eq!(bare.path().map(bestfirst::Path::end), full.path().map(bestfirst::Path::end));
    assert_eq!(bare.layers, full.layers);
    let (mut counts, mut others) = (bare.stats, full.stats);
    (counts.peak_bytes, others.peak_bytes) = (0, 0);
    assert_eq!(counts, others);
}

/// Runs a search of costs only, at once and in slices, and one with parents.
macro_rules! judge {
    ($problem:ident, $random:ident, $counts:ident, $builder:expr, $full:expr) => {{
        let (problem, starts): (&TwoWay<C, S>, _) = ($problem, $problem.problem.starts());
        let graph = &problem.problem.graph;
        let limits = || match graph.chain {
            Some(_) => Limits::new().expansions(PATIENCE),
            None => Limits::new(),
        };
        let most = most::<C>(graph.scale);
        let mut search = $builder.limits(limits()).search_from(starts.clone());
        let answer = search.run();
        check(&problem.problem, &answer, most);
        $counts[usize::from(answer.is_err())] += 1;
        if let Ok(report) = &answer {
            if graph.scale != Scale::NearMax {
                same(report, &$full.limits(limits()).search_from(starts.clone()).run().unwrap());
            }
            if let Outcome::Found(path) = &report.outcome {
                let again = search.retrace(path.end()).unwrap().expect("it was reached");
                check_path(problem, &again, (path.end(), path.cost()));
                $counts[2] += again.len();
            }
        }
        // In slices, on the memory of the first; what was reached at a stop has a path, too.
        search.restart_from(starts.clone());
        let slice = 1 + $random.below(4);
        let sliced = loop {
            match search.run_for(slice) {
                Err(error) => break Err(error),
                Ok(Some(report)) => break Ok(report),
                Ok(None) => {
                    let report = search.report().unwrap();
                    let state = match report.closest() {
                        Some(path) => path.end().clone(),
                        None => starts[0].0.clone(),
                    };
                    // With a heuristic that is not consistent, a cheaper path may not be followed yet.
                    match search.retrace(&state) {
                        // The cost of the start is too large.
                        Ok(None) => assert_eq!(graph.scale, Scale::NearMax),
                        Ok(Some(path)) => {
                            let cost = path.cost();
                            check_path(problem, &path, (&state, cost));
                        }
                        Err(error) => assert!(matches!(error, SearchError::Path(_)), "{error}"),
                    }
                }
            }
        };
        match (&answer, &sliced) {
            (Ok(answer), Ok(sliced)) => {
                assert_eq!(answer.outcome, sliced.outcome);
                assert_eq!(answer.stats.expanded, sliced.stats.expanded);
            }
            (answer, sliced) => assert_eq!(answer.is_err(), sliced.is_err()),
        }
    }};
}

/// To everywhere: the cost of each state, and a path to it.
macro_rules! to_all {
    ($problem:ident, $search:expr) => {
        'all: {
            let problem: &TwoWay<C, S> = $problem;
            let graph = &problem.problem.graph;
            let (costs, most) = (graph.costs(), most::<C>(graph.scale));
            let reached = $search.reach_all();
            if costs.iter().flatten().any(|&cost| cost > most) {
                assert!(matches!(reached, Err(SearchError::Overflow { .. })));
                break 'all;
            }
            let Ok(reached) = reached else {
                assert!(graph.may_overflow() || graph.scale == Scale::NearMax, "an error");
                break 'all;
            };
            assert_eq!(reached.len(), costs.iter().flatten().count());
            for (node, &units) in costs.iter().enumerate() {
                let state = S::new(node);
                let cost = reached.cost_of(&state);
                let path = reached.retrace(&state).unwrap();
                assert_eq!((cost.is_some(), path.is_some()), (units.is_some(), units.is_some()));
                assert_eq!(reached.parent_of(&state), None);
                let Some(((cost, path), units)) = cost.zip(path).zip(units) else { continue };
                let units = u64::try_from(units).expect("it has a cost");
                assert!(cost.is_close(C::of(units, graph.scale)));
                check_path(problem, &path, (&state, cost));
                let alone = reached.path_to(&state).unwrap().expect("it was reached");
                assert_eq!((alone.len(), alone.end(), alone.cost()), (0, &state, cost));
            }
        }
    };
}

/// A problem that is searched, and what is counted.
struct Judged<'a, C, S> {
    problem: &'a TwoWay<C, S>,
    random: &'a mut Random,
    counts: &'a mut [usize; 3],
}

impl<C, S> Judged<'_, C, S> {
    fn parts(&mut self) -> (&TwoWay<C, S>, &mut Random, &mut [usize; 3]) {
        (self.problem, self.random, self.counts)
    }
}

/// What every type of costs is searched by.
fn judge_hashed<C: Units + PackedCost, S: Name>(on: &mut Judged<'_, C, S>) {
    let (problem, random, counts) = on.parts();
    let p = erased(&problem.problem);
    judge!(problem, random, counts, Dijkstra::new(problem).costs_only(), Dijkstra::new(p));
    if problem.problem.graph.chain.is_none() {
        let search = Dijkstra::new(problem).costs_only().search_from(problem.problem.starts());
        to_all!(problem, search);
    }
}

fn judge_wide<C: Units + PackedCost, S: Name>(on: &mut Judged<'_, C, S>) {
    let (problem, random, counts) = on.parts();
    let p = erased(&problem.problem);
    judge!(
        problem,
        random,
        counts,
        Dijkstra::new(problem).wide_ids().costs_only(),
        Dijkstra::new(p).wide_ids()
    );
}

fn judge_heap<C: Units + PackedCost, S: Name>(on: &mut Judged<'_, C, S>) {
    let (problem, random, counts) = on.parts();
    let p = erased(&problem.problem);
    let hashed = HashedTable::<S, CostRecord<C>>::default;
    judge!(
        problem,
        random,
        counts,
        AStar::new(problem).costs_only().frontier(LazyHeap::new()),
        AStar::new(p).table(hashed()).frontier(LazyHeap::new())
    );
}

fn judge_buckets<C: Units + PackedCost, S: Name>(on: &mut Judged<'_, C, S>) {
    let (problem, random, counts) = on.parts();
    let p = erased(&problem.problem);
    let hashed = HashedTable::<S, CostRecord<C>>::default;
    judge!(
        problem,
        random,
        counts,
        AStar::new(problem).costs_only(),
        AStar::new(p).table(hashed())
    );
}

fn judge_dense<C: Units + PackedCost, S: Name>(on: &mut Judged<'_, C, S>) {
    let (problem, random, counts) = on.parts();
    let p = erased(&problem.problem);
    if problem.problem.graph.chain.is_some() {
        return;
    }
    judge!(
        problem,
        random,
        counts,
        Dijkstra::new(problem).dense().costs_only().frontier(IndexedQueue::new()),
        Dijkstra::new(p).dense().frontier(IndexedQueue::new())
    );
    judge!(
        problem,
        random,
        counts,
        AStar::new(problem).dense().costs_only().frontier(BucketQueue::new()),
        AStar::new(p).dense()
    );
}

/// Searches a random problem in these forms, beside the one that all types have.
fn judge_in<C: Units + PackedCost, S: Name>(
    forms: &[fn(&mut Judged<'_, C, S>)],
    seed: u64,
    counts: &mut [usize; 3],
) {
    let nodes = if seed.is_multiple_of(9) { 40 } else { 1 + (seed / 6 % 12) as usize };
    let kinds = [Heuristics::Half, Heuristics::Random, Heuristics::Consistent];
    let problem = &TwoWay::<C, S>::random(seed, nodes, kinds[(seed / 5 % 3) as usize]);
    let mut on = Judged { problem, random: &mut Random::new(seed), counts };
    judge_hashed(&mut on);
    for form in forms {
        form(&mut on);
    }
}

/// To everywhere by numbered states.
fn judge_all_dense<C: Units + PackedCost, S: Name>(on: &mut Judged<'_, C, S>) {
    let (problem, ..) = on.parts();
    if problem.problem.graph.chain.is_none() {
        let search = Dijkstra::new(problem).dense().costs_only();
        to_all!(problem, search.search_from(problem.problem.starts()));
    }
}

#[test]
fn costs_are_those_of_the_oracle_and_paths_are_found_again() {
    let mut counts = [0; 3];
    // With `u32` every form; each form with a type of another kind.
    for seed in 540..540 + rounds(900) {
        let counts = &mut counts;
        match seed % 6 {
            0 => judge_in::<u8, u32>(&[judge_dense], seed, counts),
            1 => {
                let all = [judge_wide, judge_heap, judge_buckets, judge_dense, judge_all_dense];
                judge_in::<u32, u32>(&all, seed, counts);
            }
            2 => judge_in::<u64, Clashing>(&[judge_wide], seed, counts),
            3 => judge_in::<i32, u32>(&[judge_heap], seed, counts),
            4 => judge_in::<f32, Wide>(&[judge_buckets], seed, counts),
            _ => judge_in::<f64, u32>(&[judge_dense], seed, counts),
        }
    }
    let [answers, errors, steps] = counts;
    assert!(errors > answers / 100 && steps > answers / 5, "{counts:?}");
}

/// Steps of no cost that lead around, before the only way to the start.
struct Rings;

impl SearchProblem for Rings {
    type State = u32;
    type Action = char;
    type Cost = u32;

    /// Rings of 100 states each; from the last of a ring a step leads to the first of the next.
    fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
        let (ring, at) = (n / 100, n % 100);
        next.push('+', ring * 100 + (at + 1) % 100, 0);
        next.push('-', ring * 100 + (at + 99) % 100, 0);
        if at == 50 {
            next.push('>', (ring + 1) * 100, ring % 2);
        }
    }

    fn is_goal(&self, &n: &u32) -> bool {
        n == 999
    }
}

impl Reversible for Rings {
    fn predecessors(&self, &n: &u32, previous: &mut Successors<Self>) {
        let (ring, at) = (n / 100, n % 100);
        previous.push('+', ring * 100 + (at + 99) % 100, 0);
        previous.push('-', ring * 100 + (at + 1) % 100, 0);
        if at == 0 && ring > 0 {
            previous.push('>', (ring - 1) * 100 + 50, (ring - 1) % 2);
        }
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        [999].into_iter()
    }
}

#[test]
fn steps_of_no_cost_that_lead_around_are_no_way_back() {
    for start in [0, 25, 99] {
        let mut search = Dijkstra::new(&Rings).costs_only().search(start);
        let report = search.run().unwrap();
        let path = search.retrace(&999).unwrap().expect("it was found");
        assert_eq!((path.start(), path.cost()), (&start, 4));
        assert_eq!((path.verify(&Rings), report.cost()), (Ok(()), Some(4)));
    }
}

#[test]
fn several_starts_are_told_from_states_of_the_same_cost() {
    // 7 is a start at cost 3, and is reached at cost 2 as well: it is none then.
    let mut search = Dijkstra::new(&Rings).costs_only().search_from([(150, 1), (999, 3), (950, 9)]);
    let _ = search.run().unwrap();
    let path = search.retrace(&999).unwrap().expect("it was found");
    assert_eq!((path.len(), path.start_cost()), (0, 3));
    let mut search = Dijkstra::new(&Rings).costs_only().search_from([(850, 1), (999, 3)]);
    let _ = search.run().unwrap();
    let path = search.retrace(&999).unwrap().expect("it was found");
    assert_eq!((path.start(), path.start_cost(), path.cost()), (&850, 1, 1));
    assert_eq!(search.retrace(&3), Ok(None));
}

#[test]
fn predecessors_that_are_no_reverse_are_an_error() {
    struct Forgetful;
    impl SearchProblem for Forgetful {
        type State = u32;
        type Action = ();
        type Cost = u32;
        fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
            next.push((), n + 1, 1);
        }
        fn is_goal(&self, &n: &u32) -> bool {
            n == 5
        }
    }
    impl Reversible for Forgetful {
        fn predecessors(&self, &n: &u32, previous: &mut Successors<Self>) {
            if n != 3 {
                previous.push((), n.wrapping_sub(1), 1);
            }
        }
        fn goals(&self) -> impl Iterator<Item = u32> {
            [5].into_iter()
        }
    }
    let mut search = Dijkstra::new(&Forgetful).costs_only().search(0);
    assert_eq!(search.run().unwrap().cost(), Some(5));
    assert!(matches!(search.retrace(&5), Err(SearchError::Path(PathError::NoSuchStep { .. }))));
    assert_eq!(search.retrace(&2).unwrap().map(|path| path.len()), Some(2));
    // By parents nothing is asked.
    let mut search = Dijkstra::new(&Forgetful).search(0);
    let _ = search.run().unwrap();
    assert_eq!(search.retrace(&5).unwrap().map(|path| path.len()), Some(5));
}

#[test]
fn the_largest_cost_is_half_of_what_the_type_holds() {
    let step = |cost: u32| {
        let problem =
            problem(move |&n: &u32| (n == 0).then_some((1, cost)), |_: &u32| 0, |&n: &u32| n == 1);
        Dijkstra::new(&problem).costs_only().search(0).run().map(|report| report.cost())
    };
    let most = (1 << 31) - 2;
    assert_eq!(step(most), Ok(Some(most)));
    assert_eq!(step(most + 1), Err(SearchError::Overflow { g: 0, added: most + 1 }));
    let start = |g: u32| {
        let problem = problem(|_: &u32| [(1, 0_u32)], |_: &u32| 0, |&n: &u32| n == 1);
        Dijkstra::new(&problem).costs_only().search_from([(0, g)]).run().map(|report| report.cost())
    };
    assert_eq!(start(most), Ok(Some(most)));
    assert_eq!(start(u32::MAX), Err(SearchError::Overflow { g: 0, added: u32::MAX }));
}

/// The states `0..count`.
#[derive(Clone)]
struct Numbered<P>(P, usize);
impl<P: SearchProblem<State = u32>> SearchProblem for Numbered<P> {
    type State = u32;
    type Action = P::Action;
    type Cost = P::Cost;
    fn successors(&self, state: &u32, next: &mut Successors<Self>) {
        self.0.successors(state, next);
    }
    fn is_goal(&self, state: &u32) -> bool {
        self.0.is_goal(state)
    }
}
impl<P: SearchProblem<State = u32>> bestfirst::DenseStates for Numbered<P> {
    fn state_count(&self) -> usize {
        self.1
    }
    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }
    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

#[test]
fn records_take_half_the_memory() {
    let line = |n: u32| {
        FnProblem::new(move |&at: &u32| (at + 1 < n).then_some((at + 1, 1_u32)), |_| 0, |_| false)
    };
    let count = 1 << 16;
    let problem = dense(Numbered(line(1 << 16), count));
    let bytes = |limits| {
        let mut search = Dijkstra::new(&problem).dense().costs_only().limits(limits).search(0);
        let stopped = search.run().unwrap().outcome;
        (stopped, search.bytes())
    };
    let mut full = Dijkstra::new(&problem).dense().search(0);
    let _ = full.run().unwrap();
    let (outcome, bare) = bytes(Limits::new());
    // The starts are kept, with room for four.
    let starts = 4 * size_of::<(u32, u32)>();
    assert_eq!((outcome, full.bytes() - bare), (Outcome::Exhausted, 4 * count - starts));
    let (outcome, _) = bytes(Limits::new().memory(4 * count));
    assert_eq!(outcome, Outcome::Stopped(StopReason::Memory));
    assert_eq!(size_of::<BareRecord<u32>>(), 4);
    assert_eq!(size_of::<BareRecord<f64>>(), 8);
}
