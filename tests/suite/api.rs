//! What users of a library take for granted: searches and their reports can be sent to other threads,
//! and shown.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::rc::Rc;

use bestfirst::frontier::{BucketQueue, IndexedQueue, LazyHeap, Priority};
use bestfirst::memory::Memory;
use bestfirst::problems::{amphipod, crucible, grid_map, road_network, sliding_tiles};
use bestfirst::table::{
    CacheResidency, CostRecord, DenseTable, EstimateRecord, Full, HashedTable, Lookup, Table,
};
use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, CancelToken, DenseStates, Dijkstra, EqualSteps, FnProblem,
    IdaStar, IgnoreGoal, IgnoreHeuristic, InPlaceProblem, Limits, Observer, Outcome, PathError,
    PathOf, ReportOf, SearchError, SearchProblem, Stats, StopReason, Successors, WithHeuristic,
};
use support::erased::{boxed, dense, problem};

/// They keep nothing for a second run, and do not read the clock.
#[test]
fn functions_report_what_their_builders_do() {
    // Nothing is a goal in the last case of each; where steps cost much, some sums do not fit.
    for (start, most) in [(0_u32, 40), (3, 0), (3, 40)] {
        let successors = move |&n: &u32| {
            let steps = [(Some(n + 3), 7_u8), (Some(n * 2), 9), (n.checked_sub(1), 1)];
            let next = |next: &u32| *next < 256;
            let steps =
                steps.into_iter().filter_map(move |(to, cost)| Some((to.filter(next)?, cost)));
            steps.map(move |(to, cost)| (to, cost.min(most)))
        };
        for goal in [0, 40, 96] {
            let rest = move |&n: &u32| u8::try_from(n.abs_diff(goal) / 8).unwrap();
            let problem = problem(successors, rest, move |&n: &u32| n == goal && n < 90);
            let by_astar = AStar::new(&problem).search(start).run();
            assert_eq!(bestfirst::astar(&problem, start), by_astar);
            let is_goal = move |&n: &u32| n == goal && n < 90;
            assert_eq!(bestfirst::solve(start, successors, rest, is_goal), by_astar);
            let by_dijkstra = Dijkstra::new(&problem).search(start).run();
            assert_eq!(bestfirst::dijkstra(&problem, start), by_dijkstra);
            let cheap = BranchAndBound::new(&problem).search(start).run();
            assert_eq!(bestfirst::branch_and_bound(&problem, start), cheap);
        }
    }
}

fn is_ordinary<T: Debug + Send + Sync>(_: &T) {}

fn are_ordinary<T: Debug + Send + Sync>() {}

fn is_an_error<E: std::error::Error + Send + Sync + 'static>() {}

/// The searches are as ordinary as the problem and its parts.
fn searches_are_ordinary<P>(problem: &P, start: &P::State)
where
    P: SearchProblem<State: Debug + Send + Sync, Action: Debug + Send + Sync> + Debug + Send + Sync,
    P::Cost: Send + Sync,
{
    are_ordinary::<ReportOf<P>>();
    are_ordinary::<PathOf<P>>();
    is_ordinary(&AStar::new(problem));
    is_ordinary(&AStar::new(problem).search(start.clone()));
    is_ordinary(&AStar::new(problem).frontier(LazyHeap::new()).search(start.clone()));
    is_ordinary(&AStar::new(problem).frontier(IndexedQueue::new()).search(start.clone()));
    is_ordinary(&Dijkstra::new(problem).search(start.clone()));
    is_ordinary(&Dijkstra::new(problem).search(start.clone()).settled());
    is_ordinary(&BranchAndBound::new(problem));
    is_ordinary(&BranchAndBound::new(problem).order_by(|_, _, _| 0).search(start.clone()));
    is_ordinary(&BreadthFirst::new(problem));
    is_ordinary(&BreadthFirst::new(problem).search(start.clone()));
    is_ordinary(&IdaStar::new(problem));
    is_ordinary(&IdaStar::new(problem).transposition_table(1 << 10).search(start.clone()));
}

#[test]
fn searches_can_be_sent_and_shown() {
    let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    searches_are_ordinary(&line, &0);

    let puzzle = sliding_tiles::SlidingTiles::<sliding_tiles::Tracked>::new(3, 3).unwrap();
    let board = "1 2 5 3 4 8 6 7 0".parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    searches_are_ordinary(&puzzle, &start);
    is_ordinary(&IdaStar::new(&puzzle).in_place().search(start));

    let mut search = AStar::new(line).search(0);
    let report = std::thread::spawn(move || search.run()).join().unwrap().unwrap();
    assert_eq!(report.cost(), Some(9));
}

#[test]
fn parts_and_reports_can_be_sent_and_shown() {
    are_ordinary::<Limits<f64>>();
    are_ordinary::<CancelToken>();
    are_ordinary::<Stats>();
    are_ordinary::<StopReason>();
    are_ordinary::<BucketQueue<Priority<u32>>>();
    are_ordinary::<LazyHeap<Priority<f64>>>();
    are_ordinary::<IndexedQueue<Priority<f64>>>();
    are_ordinary::<HashedTable<String, EstimateRecord<u32>>>();
    are_ordinary::<DenseTable<&amphipod::Reduced, CostRecord<u32>>>();
    are_ordinary::<amphipod::Burrow>();
    are_ordinary::<amphipod::Reduced>();
    are_ordinary::<amphipod::Literal>();
    are_ordinary::<crucible::Crucible>();
    are_ordinary::<grid_map::GridMap>();
    are_ordinary::<grid_map::JumpPoints<'_>>();
    are_ordinary::<grid_map::JumpRoute<'_>>();
    are_ordinary::<bestfirst::heuristics::Landmarks<u32>>();
    are_ordinary::<bestfirst::heuristics::WithLandmarks<'_, grid_map::GridRoute<&grid_map::GridMap>>>(
    );
    are_ordinary::<road_network::RoadNetwork>();
}

#[test]
fn errors_are_errors() {
    is_an_error::<SearchError<f64>>();
    is_an_error::<PathError<u32>>();
    is_an_error::<Full>();
    is_an_error::<bestfirst::memory::OutOfMemory>();
    is_an_error::<bestfirst::problems::ParseError>();
    is_an_error::<amphipod::UnfoldError>();
    is_an_error::<amphipod::FitError>();
    is_an_error::<crucible::HeatMapError>();
    is_an_error::<crucible::RunError>();
    is_an_error::<sliding_tiles::BoardError>();
    is_an_error::<grid_map::MapError>();
    is_an_error::<bestfirst::heuristics::DistanceError<f64>>();
    is_an_error::<bestfirst::heuristics::DistanceFileError>();
    is_an_error::<road_network::RoadError>();
}

/// An error of a search goes through `?` into any boxed one.
#[test]
fn errors_can_be_boxed() {
    fn negative() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let step = problem(|&n: &u32| [(n + 1, -1_i32)], |_: &u32| 0, |&n: &u32| n == 9);
        let _report = bestfirst::astar(&step, 0)?;
        Ok(())
    }
    let shown = negative().map_err(|error| error.to_string());
    assert_eq!(
        shown,
        Err(String::from(
            "at cost 0, a step or a start costs -1; costs must not be negative (`check::consistent` finds the state)"
        ))
    );
}

/// A trait object of a problem can be searched.
#[test]
fn problems_are_dyn_compatible() {
    let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    let boxed: Box<dyn SearchProblem<State = u32, Action = (), Cost = u32>> = Box::new(line);
    assert_eq!(AStar::new(&boxed).search(0).run().unwrap().cost(), Some(9));
}

/// What is expanded next is announced to the problem, through every adapter, where tables are large.
#[test]
fn problems_hear_what_comes_next() {
    struct Line {
        told: Cell<u32>,
    }

    impl SearchProblem for Line {
        type State = u32;
        type Action = ();
        type Cost = u32;

        fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
            next.push((), n + 1, 1);
            next.push((), n + 100, 3);
        }

        fn is_goal(&self, &n: &u32) -> bool {
            n == 9
        }

        fn prefetch(&self, _state: &u32) {
            self.told.set(self.told.get() + 1);
        }
    }

    impl DenseStates for Line {
        fn state_count(&self) -> usize {
            1 << 17
        }

        fn state_index(&self, &n: &u32) -> usize {
            n as usize
        }

        fn state_at(&self, index: usize) -> u32 {
            index.try_into().unwrap()
        }
    }

    let line = Line { told: Cell::new(0) };
    let is_told = |report: bestfirst::Report<u32, (), u32>| {
        assert!(report.stats.expanded >= 6);
        line.told.take() > 0
    };
    assert!(is_told(Dijkstra::new(&dense(&line)).dense().search(0).run().unwrap()));
    assert!(is_told(
        AStar::new(&dense(IgnoreHeuristic::new(&line))).dense().search(0).run().unwrap()
    ));
    let informed = WithHeuristic::new(&line, |_: &u32| 0);
    assert!(is_told(AStar::new(&dense(informed)).dense().search(0).run().unwrap()));
    let equal = EqualSteps::new(&line, 1);
    assert!(is_told(BreadthFirst::new(&dense(equal)).dense().search(0).run().unwrap()));
    assert!(is_told(BranchAndBound::new(&dense(&line)).dense().search(0).run().unwrap()));
    let limits = Limits::new().expansions(9);
    let endless = IgnoreGoal::new(&line);
    assert!(is_told(AStar::new(&dense(endless)).dense().limits(limits).search(0).run().unwrap()));
}

/// Nodes of a graph, by numbers and without actions or with numbers of edges, are announced while the table is still small.
#[test]
fn nodes_of_a_graph_are_announced_early() {
    struct Tree<A> {
        action: A,
        told: Cell<u64>,
    }

    impl<A: Clone + PartialEq> SearchProblem for Tree<A> {
        type State = u32;
        type Action = A;
        type Cost = u32;

        fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
            next.push(self.action.clone(), 2 * n, 3);
            next.push(self.action.clone(), 2 * n + 1, 5);
        }

        fn is_goal(&self, _: &u32) -> bool {
            false
        }

        fn prefetch(&self, _: &u32) {
            self.told.set(self.told.get() + 1);
        }
    }

    fn told<A: Clone + PartialEq>(action: A, expansions: u64) -> u64 {
        let tree = Tree { action, told: Cell::new(0) };
        let limits = Limits::new().expansions(expansions);
        let report = Dijkstra::new(&tree).limits(limits).search(1).run().unwrap();
        assert_eq!(report.stats.expanded, expansions);
        tree.told.get()
    }
    // Each expansion stores two states; at the end of a layer of equal costs, no state is known to come next.
    assert_eq!((told((), 511), told(b'a', 2511)), (0, 0));
    for told in [told((), 2511), told(7_u32, 2511)] {
        assert!((1900..=2000).contains(&told), "{told}");
    }
}

/// One builder makes many searches.
#[test]
fn builders_can_be_cloned() {
    let line = problem(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    let builder = AStar::new(&line).limits(Limits::new().expansions(20));
    for start in 0..9 {
        assert_eq!(builder.clone().search(start).run().unwrap().cost(), Some(9 - start));
        let indexed = builder.clone().frontier(IndexedQueue::new()).clone();
        assert_eq!(indexed.search(start).run().unwrap().cost(), Some(9 - start));
    }
}

/// What is shown of a search and its parts begins with their names.
#[test]
fn searches_are_shown_by_name() {
    fn shows<T: Debug>(thing: &T, names: &[&str]) {
        let shown = format!("{thing:?}");
        assert!(names.iter().all(|name| shown.contains(name)), "{shown}");
    }
    let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    let search = AStar::new(&line).search(0);
    shows(&search, &["Search {", "Driver {", "BestFirst {", "BucketQueue {", "expanded: 0"]);
    let search = AStar::new(&line).frontier(IndexedQueue::new()).search(0);
    shows(&search, &["IndexedQueue {"]);
    let search = AStar::new(&line).frontier(LazyHeap::new()).search(0);
    shows(&search, &["LazyHeap {"]);
    let search = BranchAndBound::new(&line).search(0);
    shows(&search, &["Pruning {", "DepthFirst {", "incumbent: None"]);
    shows(&BreadthFirst::new(&line).search(0), &["Pruning {", "Layers {"]);
    shows(&IdaStar::new(&line).search(0), &["IdaStarEngine {", "stage: Fresh"]);
    shows(&IdaStar::new(&line), &["IdaStar {", "Buffered"]);
    shows(&BranchAndBound::new(&line).order_by(|_, _, _| 0).search(0), &["DepthFirst {"]);
    shows(&IdaStar::new(&Steps::<1>).in_place(), &["IdaStar {", "InPlace"]);
    shows(&Dijkstra::new(&line).search(0).settled(), &["Settled {", "ended: false"]);
    let limits = Limits::new().expansions(5);
    shows(&Dijkstra::new(&line).limits(limits).search(0).reach_all().unwrap(), &["Reached {"]);
}

/// Walks along a line to 19, one or five at a time; the state is the first of `N` numbers, so that it is
/// as large as one likes.
#[derive(Debug)]
struct Steps<const N: usize>;

impl<const N: usize> SearchProblem for Steps<N> {
    type State = [i32; N];
    type Action = i32;
    type Cost = u32;

    fn successors(&self, state: &[i32; N], next: &mut Successors<Self>) {
        for step in [-5, -1, 1, 5] {
            let mut successor = *state;
            successor[0] += step;
            next.push(step, successor, 1);
        }
    }

    fn heuristic(&self, state: &[i32; N]) -> u32 {
        state[0].abs_diff(19).div_ceil(5)
    }

    fn is_goal(&self, state: &[i32; N]) -> bool {
        state[0] == 19
    }
}

impl<const N: usize> InPlaceProblem for Steps<N> {
    type Actions = std::array::IntoIter<i32, 4>;
    type Undo = i32;

    fn actions(&self, _: &[i32; N]) -> Self::Actions {
        [-5, -1, 1, 5].into_iter()
    }

    fn apply(&self, state: &mut [i32; N], &step: &i32) -> (u32, i32) {
        state[0] += step;
        (1, step)
    }

    fn undo(&self, state: &mut [i32; N], step: i32) {
        state[0] -= step;
    }

    fn inverse(&self, _: &[i32; N], &step: &i32) -> Option<i32> {
        Some(-step)
    }
}

/// A reference to a problem is searched as the problem itself is, and in place as by copies; with a
/// table, too, where the way straight back is a step like any other.
#[test]
fn references_are_as_good_as_problems() {
    fn check<const N: usize>(table: usize) {
        let mut expected = None;
        macro_rules! is_the_same {
            ($search:expr) => {{
                let mut report = $search.transposition_table(table).search([0; N]).run().unwrap();
                report.stats.peak_bytes = 0;
                assert_eq!(report.cost(), Some(5));
                assert_eq!(*expected.get_or_insert(report.clone()), report);
            }};
        }
        is_the_same!(IdaStar::new(Steps::<N>));
        is_the_same!(IdaStar::new(&Steps::<N>));
        is_the_same!(IdaStar::new(Steps::<N>).in_place());
        is_the_same!(IdaStar::new(&Steps::<N>).in_place());
    }
    for table in [0, 1 << 14] {
        check::<1>(table);
        check::<20>(table);
    }
}

/// What was reached, and how, can be asked for also where a limit came before the rest.
#[test]
fn what_was_reached_can_be_asked_for() {
    // A ring of ten, one way round for 1 a step; the goals do not matter.
    let ring = problem(|&n: &u32| [((n + 1) % 10, 1_u32)], |_: &u32| 0, |_: &u32| true);
    let reach = |most| {
        let limits = Limits::new().expansions(most);
        Dijkstra::new(&ring).limits(limits).search(0).reach_all().unwrap()
    };
    let nothing = reach(0);
    assert_eq!((nothing.stopped(), nothing.len()), (Some(StopReason::Expansions), 0));
    assert!(nothing.is_empty());
    let some = reach(3);
    assert_eq!((some.stopped(), some.len()), (Some(StopReason::Expansions), 3));
    assert!(!some.is_empty());
    // 3 is known, but its cost is not settled.
    assert_eq!([0, 2, 3, 4].map(|n| some.cost_of(&n)), [Some(0), Some(2), None, None]);
    assert_eq!(some.path_to(&2).unwrap().unwrap().states(), [0, 1, 2]);
    assert!([3, 4].iter().all(|n| some.path_to(n) == Ok(None)));
    let mut visited = Vec::new();
    some.for_each(|&n, cost| visited.push((n, cost)));
    assert_eq!(visited, [(0, 0), (1, 1), (2, 2)]);
    let all = reach(100);
    assert_eq!((all.stopped(), all.len(), all.is_empty()), (None, 10, false));
    assert_eq!(all.cost_of(&9), Some(9));
    // One state after the other, up to a limit.
    let mut search = Dijkstra::new(&ring).limits(Limits::new().expansions(4)).search(0);
    let mut settled = search.settled();
    assert_eq!(settled.by_ref().map(|state| state.unwrap().1).max(), Some(3));
    assert_eq!(settled.stopped(), Some(StopReason::Expansions));
    assert!(settled.next().is_none());
    let mut search = Dijkstra::new(&ring).search(0);
    let mut settled = search.settled();
    assert_eq!((settled.by_ref().count(), settled.stopped()), (10, None));
}

/// The limits are checked in one of several steps only, but none is exceeded, also if the states are asked for in parts.
#[test]
fn settled_states_end_at_the_limit() {
    let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |_: &u32| false);
    for most in 0..70 {
        for part in [1, 5, 16, 100] {
            let mut search = Dijkstra::new(&line).limits(Limits::new().expansions(most)).search(0);
            let mut costs = Vec::new();
            // One more call than are needed for one state each.
            for _ in 0..=most {
                costs.extend(search.settled().take(part).map(|state| state.unwrap().1));
            }
            assert!(costs.iter().copied().eq(0..u32::try_from(most).unwrap()), "{most}, {part}");
            assert_eq!(search.stats().expanded, most);
            // A higher limit, or that a token was cancelled, is seen at once.
            search.set_limits(Limits::new().expansions(most + 1));
            assert_eq!(search.settled().count(), 1);
            let token = CancelToken::new();
            search.set_limits(Limits::new().cancel(&token));
            let mut settled = search.settled();
            assert_eq!(settled.by_ref().take(part).count(), part);
            token.cancel();
            assert!(settled.next().is_none());
            assert_eq!(settled.stopped(), Some(StopReason::Cancelled));
        }
    }
}

/// Where actions have no size, the problem is not asked again for the steps of a path.
#[test]
fn a_path_without_actions_asks_for_no_successors() {
    let calls = Cell::new(0);
    let line = FnProblem::new(
        |&n: &u32| {
            calls.set(calls.get() + 1);
            [(n + 1, 1_u32), (n + 2, 3)]
        },
        |_: &u32| 0,
        |&n: &u32| n == 9,
    );
    let report = bestfirst::astar(&line, 0).unwrap();
    assert_eq!(report.path().unwrap().len(), 9);
    assert_eq!(calls.take(), report.stats.expanded);
    let reached = Dijkstra::new(&line).limits(Limits::new().expansions(20)).search(0).reach_all();
    let reached = reached.unwrap();
    assert_eq!(calls.take(), 20);
    for n in 0..20 {
        assert_eq!(reached.path_to(&n).unwrap().unwrap().states().len(), n as usize + 1);
    }
    assert_eq!(calls.get(), 0);
}

/// A report gives its path away, the answer or the best so far.
#[test]
fn reports_give_their_path_away() {
    let line = problem(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n % 5 == 4);
    let report = AStar::new(&line).search(0).run().unwrap();
    assert_eq!(report.clone().into_path().as_ref(), report.path());
    assert_eq!(report.into_path().unwrap().cost(), 4);
    // Two ways to the goal: at the stop, the dearer one is there.
    let two = problem(
        |&n: &u32| if n == 0 { vec![(9, 5_u32), (1, 1)] } else { vec![(9, 1)] },
        |_: &u32| 0,
        |&n: &u32| n == 9,
    );
    let limits = Limits::new().expansions(1);
    let report = BranchAndBound::new(&two).limits(limits).search(0).run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
    assert_eq!(report.into_path().unwrap().cost(), 5);
    let limits = Limits::new().expansions(1);
    let report = AStar::new(&line).limits(limits).search(0).run().unwrap();
    assert_eq!(report.into_path(), None);
}

/// What stopped a search, and what it counted, can be read.
#[test]
fn reasons_and_counts_can_be_read() {
    let reasons = [
        (StopReason::Expansions, "expansions"),
        (StopReason::Memory, "memory"),
        (StopReason::Time, "time"),
        (StopReason::Cost, "cost"),
        (StopReason::Cancelled, "cancelled"),
    ];
    assert!(reasons.iter().all(|(reason, word)| reason.to_string().contains(word)));
    let line = problem(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
    let mut search = AStar::new(&line).search(0);
    let report = search.run().unwrap();
    assert!(report.stats.to_string().starts_with("9 expanded (8 before the last layer), 9 gen"));
    assert!(search.elapsed() > std::time::Duration::ZERO);
    assert!(search.bytes() > 100 && search.bytes() as u64 <= report.stats.peak_bytes);
}

/// A fault of the path is the source of the error that tells of it.
#[test]
fn errors_name_their_source() {
    use std::error::Error;
    let fault = PathError::<u32>::NoSuchStep { step: 3 };
    let error = SearchError::from(fault);
    assert_eq!(error.source().map(ToString::to_string), Some(fault.to_string()));
    assert!(SearchError::<u32>::Panicked.source().is_none());
}

/// A search can be begun anew with another problem of the same type.
#[test]
fn a_search_goes_on_to_another_problem() {
    let to = |goal: u32| problem(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, move |&n| n == goal);
    let mut search = AStar::new(to(9)).search(0);
    assert_eq!(search.run().unwrap().cost(), Some(9));
    search.restart_with(to(30), 10);
    assert_eq!(search.run().unwrap().cost(), Some(20));
    // A stop is forgotten, too.
    search.set_limits(Limits::new().expansions(3));
    search.restart_with(to(35), 30);
    assert_eq!(search.run().unwrap().outcome, Outcome::Stopped(StopReason::Expansions));
    search.restart_with(to(12), 10);
    assert_eq!(search.run().unwrap().cost(), Some(2));
}

/// When a search of [`Rows`] said that it would look for what.
#[derive(Debug, Default)]
struct Diary {
    /// How many states were expanded.
    now: usize,
    slots: Vec<(usize, u64)>,
    entries: Vec<(usize, u64)>,
    found: Vec<(usize, u64)>,
    prefetched: HashSet<(usize, u32)>,
    told: HashSet<(usize, u32)>,
    expanded: Vec<u32>,
    states: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct SharedDiary(Rc<RefCell<Diary>>);

/// Rows of 500 states, from each of which steps lead to two of the next row and one of the row before.
struct Rows(SharedDiary);

impl SearchProblem for Rows {
    type State = u32;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
        if n < 2500 {
            next.push((), n + 500, 1);
            next.push((), n / 500 * 500 + 500 + (n + 1) % 500, 1);
        }
        if n >= 500 {
            next.push((), n - 500, 1);
        }
    }

    fn is_goal(&self, _: &u32) -> bool {
        false
    }

    fn prefetch(&self, &n: &u32) {
        let mut diary = self.0.0.borrow_mut();
        let now = diary.now;
        diary.told.insert((now, n));
    }
}

impl Observer<u32, u32> for SharedDiary {
    fn expanded(&mut self, &n: &u32, _: u32, _: u32) {
        let mut diary = self.0.borrow_mut();
        diary.now += 1;
        diary.expanded.push(n);
    }
}

/// A table of whose states each is said to be somewhere else.
#[derive(Debug)]
struct Scattered(HashedTable<u32, Kept>, SharedDiary);

/// What it keeps of a state.
type Kept = EstimateRecord<u32>;

impl Table<u32> for Scattered {
    type Record = Kept;
    type Key = u64;

    fn residency(&self) -> CacheResidency {
        CacheResidency::Scattered
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), Full> {
        self.0.reserve(additional, memory)
    }

    fn key(&self, state: &u32) -> u64 {
        self.0.key(state)
    }

    fn prefetch_slot(&self, key: u64) {
        let mut diary = self.1.0.borrow_mut();
        let now = diary.now;
        diary.slots.push((now, key));
    }

    fn prefetch_entry(&self, key: u64) {
        let mut diary = self.1.0.borrow_mut();
        let now = diary.now;
        diary.entries.push((now, key));
    }

    fn find(&self, key: u64, state: &u32, improves: impl Fn(&Kept) -> bool) -> Lookup<u32> {
        let mut diary = self.1.0.borrow_mut();
        let now = diary.now;
        diary.found.push((now, key));
        self.0.find(key, state, improves)
    }

    fn insert(&mut self, key: u64, slot: usize, state: u32, record: Kept) -> u32 {
        self.1.0.borrow_mut().states.push(state);
        self.0.insert(key, slot, state, record)
    }

    fn id_of(&self, state: &u32) -> Option<u32> {
        self.0.id_of(state)
    }

    fn load(&self, id: u32) -> Kept {
        self.0.load(id)
    }

    fn store(&mut self, id: u32, record: Kept) {
        self.0.store(id, record);
    }

    fn with_state<T>(&self, id: u32, look: impl FnOnce(&u32) -> T) -> T {
        self.0.with_state(id, look)
    }

    fn prefetch(&self, id: u32) {
        let mut diary = self.1.0.borrow_mut();
        let now = diary.now;
        diary.prefetched.insert((now, id));
    }

    fn for_each(&self, visit: impl FnMut(u32, &u32, &Kept)) {
        self.0.for_each(visit);
    }
}

/// The slots of the successors of a state are prefetched two expansions ahead and the entries one ahead,
/// the slots once each, the entries at most once, and never those of a state whose turn came before it was guessed; the state
/// itself and what the problem knows of it come before that.
#[test]
fn a_scattered_table_is_told_early_what_is_looked_for() {
    let diary = SharedDiary::default();
    let table = Scattered(HashedTable::default(), diary.clone());
    let mut search = AStar::new(Rows(diary.clone()))
        .table(table)
        .observer(diary.clone())
        .search_from((0..500).map(|n| (n, 0)));
    let report = search.run().unwrap();
    let rows = boxed(Rows(SharedDiary::default()));
    let expected = AStar::new(&rows).search_from((0..500).map(|n| (n, 0))).run().unwrap();
    assert_eq!(report.stats.expanded, 3000);
    assert_eq!(report.stats.duplicates, expected.stats.duplicates);
    let diary = diary.0.borrow();
    // Starts are not expanded from anywhere.
    let found: Vec<_> = diary.found.iter().filter(|(now, _)| *now > 0).collect();
    let all = found.len();
    assert!(all >= 5000, "two to each of 2500");
    let early = |events: &[(usize, u64)], ahead: usize| {
        let events: HashSet<_> = events.iter().map(|&(then, key)| (then + ahead, key)).collect();
        found.iter().filter(|event| events.contains(event)).count()
    };
    let (slots, entries) = (early(&diary.slots, 2), early(&diary.entries, 1));
    assert!(slots > all / 10 * 9 && entries > all / 10 * 9, "{slots}, {entries} of {all}");
    assert_eq!(diary.slots.len(), all);
    let each: HashSet<_> = diary.entries.iter().collect();
    assert_eq!(each.len(), diary.entries.len());
    // A state is guessed if its slots were prefetched before it was expanded. One that is guessed only one expansion ahead,
    // where a layer begins, is not in time for the entries.
    let asked: HashSet<_> = found.iter().copied().collect();
    let guessed = diary.slots.iter().filter(|event| !asked.contains(event)).count();
    let is_late = |then: usize, key: u64| {
        asked.contains(&(then + 1, key)) && !asked.contains(&(then + 2, key))
    };
    let late = diary.slots.iter().filter(|&&(then, key)| is_late(then, key)).count();
    let fetched = diary.entries.len();
    assert!((guessed - late..all).contains(&fetched), "{fetched}, {guessed} - {late} of {all}");
    assert!(late < all / 100, "{late}");
    let ids: HashMap<_, _> = diary.states.iter().zip(0_u32..).collect();
    let mut ready = (0, 0);
    for (then, &state) in diary.expanded.iter().enumerate() {
        let id = ids[&state];
        // Counted from 1, so that this is three and two before it.
        ready.0 += usize::from(then >= 3 && diary.prefetched.contains(&(then - 3, id)));
        ready.1 += usize::from(then >= 2 && diary.told.contains(&(then - 2, state)));
    }
    assert!(ready.0 > 2700 && ready.1 > 2700, "{ready:?}");
}
