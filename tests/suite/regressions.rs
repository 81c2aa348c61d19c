//! Faults that search code is known to have, in this crate once or in others, each with the test that
//! keeps it out.

mod costs;
mod graph;
mod parts;

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bestfirst::frontier::{Frontier, IndexedQueue, Key, LazyHeap};
use bestfirst::memory::{Memory, OutOfMemory};
use bestfirst::problems::grid_map::{self, GridMap};
use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, CancelToken, Cost, Dijkstra, IdaStar, Limits, Outcome,
    ReportOf, SearchError, SearchProblem, StopReason, Successors,
};
use support::erased::problem;

/// A heap that has no room for a push whenever `refuses` says so, once.
#[derive(Debug)]
struct Grudging<K> {
    heap: LazyHeap<K>,
    /// Counts down with every push; the push that finds 1 is refused.
    refuses: Rc<Cell<u32>>,
    /// How often entries were removed that are stale.
    compactions: Rc<Cell<u32>>,
}

impl<K: Key> Grudging<K> {
    fn new(refuses: &Rc<Cell<u32>>) -> Self {
        let refuses = Rc::clone(refuses);
        Self { heap: LazyHeap::new(), refuses, compactions: Rc::default() }
    }
}

impl<K: Key> Frontier<u32, K> for Grudging<K> {
    fn push(&mut self, id: u32, key: K, m: &mut Memory) -> Result<(), OutOfMemory> {
        let left = self.refuses.get();
        self.refuses.set(left.saturating_sub(1));
        if left == 1 { Err(OutOfMemory) } else { self.heap.push(id, key, m) }
    }

    fn pop(&mut self, m: &mut Memory) -> Result<Option<(u32, K)>, OutOfMemory> {
        self.heap.pop(m)
    }

    fn least(&mut self, memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        self.heap.least(memory)
    }

    fn for_each(&self, visit: impl FnMut(u32, K)) {
        self.heap.for_each(visit);
    }

    fn retain(&mut self, keep: impl FnMut(u32, K) -> bool) {
        self.compactions.set(self.compactions.get() + 1);
        self.heap.retain(keep);
    }

    fn len(&self) -> usize {
        self.heap.len()
    }

    fn clear(&mut self) {
        self.heap.clear();
    }
}

/// 0 → 3 costs 10; by way of 1 and 2 it costs 0 + 8 + 1.
fn detour() -> Box<dyn SearchProblem<State = u32, Action = (), Cost = u32>> {
    problem(
        |&n: &u32| match n {
            0 => vec![(3, 10_u32), (1, 0)],
            1 => vec![(2, 8)],
            2 => vec![(3, 1)],
            _ => vec![],
        },
        |_: &u32| 0,
        |&n: &u32| n == 3,
    )
}

/// The report of a stop for lack of memory looked at the next entry of the frontier, and going on
/// began with that, though the state that had found no room came before it.
#[test]
fn a_state_that_found_no_room_keeps_its_turn() {
    let refuses = Rc::new(Cell::new(4));
    let frontier = Grudging::new(&refuses);
    let problem = detour();
    let mut search = AStar::new(&problem).frontier(frontier).search(0);
    // The pushes: the start, 3, 1, and then 2 is refused twice.
    while refuses.get() > 0 {
        let _ = search.step().unwrap();
    }
    refuses.set(1);
    let stopped = search.run().unwrap();
    assert_eq!(stopped.outcome, Outcome::Stopped(StopReason::Memory));
    assert!(stopped.lower_bound <= 9);
    let report = search.run().unwrap();
    assert_eq!(report.cost(), Some(9));
    assert_eq!(report.lower_bound, 9);
}

/// Where not even the start found room in the frontier, the search was said to be exhausted.
#[test]
fn a_start_that_found_no_room_is_not_forgotten() {
    // It waits after the refusal, and is pushed once more before the next state is taken out.
    let frontier = Grudging::new(&Rc::new(Cell::new(1)));
    let problem = detour();
    let mut search = AStar::new(&problem).frontier(frontier).search(0);
    assert_eq!(search.run().unwrap().cost(), Some(9));
}

/// Entries that had been skipped still counted as stale: the frontier was compacted again and again, and had nothing to
/// lose.
#[test]
fn a_frontier_without_stale_entries_is_not_compacted() {
    const STATES: u32 = 6000;
    // To the next state but one it costs 5, by the one between 4.
    let ladder = &problem(|&n: &u32| [(n + 1, 2), (n + 2, 5)], |_: &u32| 0, |&n: &u32| n == STATES);
    let frontier = Grudging::new(&Rc::default());
    let compactions = Rc::clone(&frontier.compactions);
    let report = Dijkstra::new(ladder).frontier(frontier).search(0).run().unwrap();
    assert_eq!((report.cost(), report.stats.expanded), (Some(2 * STATES), u64::from(STATES)));
    assert_eq!(compactions.get(), 0);
}

/// A state whose successors found no room was expanded, and settled, but not given out.
#[test]
fn settled_states_are_not_lost_to_a_stop() {
    for refused in 1..6 {
        let refuses = Rc::new(Cell::new(refused));
        let frontier = Grudging::new(&refuses);
        let problem = detour();
        let mut search = Dijkstra::new(&problem).frontier(frontier).search(0);
        let mut settled: Vec<_> = search.settled().map(Result::unwrap).collect();
        settled.extend(search.settled().map(Result::unwrap));
        assert_eq!(settled, [(0, 0), (1, 0), (2, 8), (3, 9)], "push {refused} refused");
    }
}

/// The numbers from 0 to 20, one or two further at a time; an adapter doubles the costs, forbids 7
/// and turns the order around. It uses everything that a buffer of successors offers.
struct Meddling;

impl SearchProblem for Meddling {
    type State = u32;
    type Action = u32;
    type Cost = u32;

    fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
        assert!(next.is_empty() && next.as_slice().is_empty());
        assert_eq!(next.as_slice().len(), next.len());
        assert_eq!(next.pop(), None);
        next.push(9, n + 100, 0);
        next.clear();
        for step in [1, 2, 3] {
            if n + step <= 20 {
                next.push(step, n + step, step.min(2));
            }
        }
        let all: Vec<_> = next.drain().collect();
        for successor in all {
            next.push(successor.action, successor.state, successor.cost);
        }
        next.retain(|successor| successor.action < 3 && successor.state != 7);
        for successor in next.as_mut_slice() {
            successor.cost *= 2;
        }
        next.as_mut_slice().reverse();
        let len = next.len();
        next.push(1, 55, 1);
        next.truncate(len);
    }

    fn is_goal(&self, &n: &u32) -> bool {
        n == 20
    }
}

/// Depth-first search keeps the successors of all states on its path in one buffer; a problem that
/// did more to the buffer than push changed those of other states.
#[test]
fn a_problem_sees_only_its_own_successors() {
    let expected = bestfirst::dijkstra(&Meddling, 0).unwrap();
    assert_eq!(expected.cost(), Some(40));
    let report = IdaStar::new(&Meddling).transposition_table(1 << 16).search(0).run().unwrap();
    assert_eq!(report.cost(), Some(40));
    report.path().unwrap().verify(&Meddling).unwrap();
    let limits = Limits::new().expansions(100_000);
    let report = IdaStar::new(&Meddling).limits(limits).search(0).run().unwrap();
    assert_eq!(report.cost(), Some(40));
}

/// A search that had found its answer said, when asked again, that it had been stopped.
#[test]
fn an_answer_stays_an_answer() {
    let token = CancelToken::new();
    let limits = Limits::new().cancel(&token).time(Duration::from_millis(500));
    let problem = detour();
    let mut search = AStar::new(&problem).limits(limits.clone()).search(0);
    let first = search.run().unwrap();
    let mut deepening = IdaStar::new(&problem).limits(limits).search(0);
    let second = deepening.run().unwrap();
    let mut bounding = BranchAndBound::new(&problem).search(0);
    let third = bounding.run().unwrap();
    assert_eq!([first.cost(), second.cost(), third.cost()], [Some(9); 3]);
    token.cancel();
    search.set_limits(Limits::new().cancel(&token).expansions(1).time(Duration::ZERO));
    assert_eq!(search.run().unwrap(), first);
    assert_eq!(search.step().unwrap(), Some(first));
    assert_eq!(deepening.run().unwrap(), second);
    bounding.set_limits(Limits::new().cancel(&token).cost(1));
    assert_eq!(bounding.run().unwrap(), third);
}

/// A search that had reached everything, begun anew, never took a goal for one again.
#[test]
fn a_search_that_passed_goals_finds_them_when_begun_anew() {
    let reached = bestfirst::dijkstra_all(&detour(), 0).map(|reached| reached.len());
    assert_eq!(reached, Ok(4));
    let problem = detour();
    let mut search = Dijkstra::new(&problem).search(0).reach_all().unwrap().into_search();
    search.restart(1);
    assert_eq!(search.run().unwrap().cost(), Some(9));
}

/// A goal that was given out among the settled states was no goal to a search that went on after it:
/// it said that there was none, or found a dearer one.
#[test]
fn a_goal_among_the_settled_states_is_an_answer() {
    // The goals are 6, 9, 12 and 13, at these costs.
    let problem = problem(
        |&n: &u32| (n < 13).then_some((n + 1, 1_u32)),
        |_: &u32| 0,
        |&n: &u32| n >= 6 && (n % 3 == 0 || n == 13),
    );
    for settled in 0..16 {
        let mut search = Dijkstra::new(&problem).search(0);
        assert_eq!(search.settled().take(settled).count(), settled.min(14));
        for allowed in [3, 5] {
            search.set_limits(Limits::new().cost(allowed));
            let report = search.run().unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost), "{settled} settled");
            assert!(report.lower_bound > allowed && report.lower_bound <= 6);
            assert_eq!(report.cost(), None);
        }
        search.set_limits(Limits::new().expansions(0));
        let report = search.run().unwrap();
        assert!(report.lower_bound <= 6 && report.cost().is_none_or(|cost| cost == 6));
        search.set_limits(Limits::new());
        let report = search.run().unwrap();
        assert_eq!((report.cost(), report.lower_bound), (Some(6), 6), "{settled} settled");
        assert_eq!(report.path().unwrap().verify(&problem), Ok(()));
        // And the rest can still be had.
        let rest = search.settled().count();
        assert_eq!(rest, 14 - settled.clamp(6, 14));
        assert_eq!(search.run().unwrap().cost(), Some(6));
    }
    let reached = Dijkstra::new(&problem).search(0).reach_all().unwrap();
    assert_eq!(reached.stopped(), None);
    assert_eq!(reached.into_search().run().unwrap().cost(), Some(6));
    // The goal that is reached first need not be the cheapest.
    let two_goals = support::erased::problem(
        |&n: &u32| match n {
            0 => vec![(1, 10_u32), (2, 1)],
            2 => vec![(3, 1)],
            _ => vec![],
        },
        |_: &u32| 0,
        |&n: &u32| n % 2 == 1,
    );
    let mut other = Dijkstra::new(&two_goals).search(0);
    assert_eq!(other.settled().count(), 4);
    assert_eq!(other.run().unwrap().cost(), Some(2));
    // What was passed is forgotten with the rest.
    let mut search = Dijkstra::new(&problem).search(0);
    assert_eq!(search.settled().count(), 14);
    search.restart(10);
    assert_eq!(search.run().unwrap().cost(), Some(2));
}

/// Found by fuzzing: a search that numbers its states, from a cell off the map, ends with an error, and
/// not as exhausted as the documentation said of all searches.
#[test]
fn a_start_off_the_map_has_no_number() {
    for text in ["height 0\nwidth 6\nmap\n", "height 1\nwidth 0\nmap\n\n"] {
        let map: GridMap = text.parse().unwrap();
        let goal = grid_map::Cell::new(map.width().max(1) - 1, map.height().max(1) - 1);
        let route = map.route_to(goal);
        for start in [grid_map::Cell::new(0, 0), grid_map::Cell::new(u16::MAX, u16::MAX)] {
            let report = AStar::new(route).search(start).run().unwrap();
            assert_eq!(report.outcome == Outcome::Exhausted, start != goal);
            let numbered = AStar::new(route).dense().search(start).run();
            assert!(matches!(numbered, Err(SearchError::StateIndex { count: 0, .. })));
        }
    }
}

/// After many single steps, a search looked at the clock only every million expansions.
#[test]
fn a_search_that_was_stepped_keeps_to_its_time() {
    let endless = problem(
        |&n: &u32| (0..20).map(move |i| ((n * 3 + i) % 5_000_000, 1_u32)),
        |_: &u32| 0,
        |_: &u32| false,
    );
    let most = Duration::from_millis(20);
    let over = (0..5).map(|_| {
        let mut search = Dijkstra::new(&endless).limits(Limits::new().time(most)).search(1);
        for _ in 0..100 {
            assert_eq!(search.step().unwrap(), None);
        }
        let began = Instant::now();
        let report = search.run().unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
        began.elapsed().saturating_sub(most)
    });
    let over = over.min().unwrap();
    assert!(over < Duration::from_millis(30), "{over:?} over");
}

// What follows are faults of others.

type Answer<P> = Result<ReportOf<P>, SearchError<u32>>;

/// Every engine, on a problem that need not be numbered; it should be one behind a pointer, as for those this is compiled once.
fn every_engine<P: SearchProblem<Cost = u32>>(problem: &P, start: &P::State) -> Vec<Answer<P>> {
    let mut answers = with_buckets(problem, start);
    answers.push(AStar::new(problem).frontier(LazyHeap::new()).search(start.clone()).run());
    answers.push(AStar::new(problem).frontier(IndexedQueue::new()).search(start.clone()).run());
    answers
}

/// Without other frontiers, where it is the states that matter.
fn with_buckets<P: SearchProblem<Cost = u32>>(problem: &P, start: &P::State) -> Vec<Answer<P>> {
    vec![
        Dijkstra::new(problem).search(start.clone()).run(),
        AStar::new(problem).search(start.clone()).run(),
        BranchAndBound::new(problem).search(start.clone()).run(),
        BreadthFirst::new(problem).search(start.clone()).run(),
        IdaStar::new(problem).search(start.clone()).run(),
        IdaStar::new(problem).avoid_cycles().search(start.clone()).run(),
        IdaStar::new(problem).transposition_table(1 << 12).search(start.clone()).run(),
    ]
}

/// Elsewhere, IDA* answers with g + h of the goal.
#[test]
fn the_heuristic_of_a_goal_is_not_paid() {
    let problem = problem(|&n: &u32| [(n + 1, 3_u32)], |_: &u32| 2, |&n: &u32| n == 4);
    for report in every_engine(&problem, &0) {
        let report = report.unwrap();
        assert_eq!((report.cost(), report.lower_bound), (Some(12), 12));
    }
}

/// Elsewhere, a search never ends when what is reachable is exhausted.
#[test]
fn a_goal_out_of_reach_is_an_answer() {
    let ring = problem(|&n: &u32| [((n + 1) % 50, 1_u32)], |_: &u32| 0, |&n: &u32| n == 99);
    let searches = [
        Dijkstra::new(&ring).search(0).run().unwrap().outcome,
        AStar::new(&ring).search(0).run().unwrap().outcome,
        BranchAndBound::new(&ring).search(0).run().unwrap().outcome,
        BreadthFirst::new(&ring).search(0).run().unwrap().outcome,
        IdaStar::new(&ring).avoid_cycles().search(0).run().unwrap().outcome,
    ];
    assert!(searches.iter().all(|outcome| *outcome == Outcome::Exhausted));
}

/// Elsewhere, cycles that cost nothing are gone round forever.
#[test]
fn cycles_that_cost_nothing_are_no_trap() {
    let problem = problem(
        |&n: &u32| [((n + 1) % 5, 0_u32), (n, 0), ((n + 4) % 5, 0), ((n + 5) % 50, 1)],
        |_: &u32| 0,
        |&n: &u32| n == 13,
    );
    for report in every_engine(&problem, &0) {
        assert_eq!(report.unwrap().cost(), Some(2));
    }
}

/// Elsewhere, a long path overflows the stack, in the search or when it is dropped.
#[test]
fn a_long_chain_is_not_too_deep() {
    let length = 8_000_u32;
    let run = || {
        let chain = problem(
            |&n: &u32| [(n + 1, 1_u32)],
            move |&n: &u32| length.saturating_sub(n),
            move |&n: &u32| n == length,
        );
        for report in every_engine(&chain, &0) {
            let report = report.unwrap();
            let path = report.path().unwrap();
            assert_eq!((path.len(), path.cost()), (length as usize, length));
            assert_eq!(path.verify(&&chain), Ok(()));
        }
    };
    let small_stack = std::thread::Builder::new().stack_size(128 << 10);
    std::thread::scope(|scope| small_stack.spawn_scoped(scope, run).unwrap().join().unwrap());
}

/// Elsewhere, costs wrap around in release, and the dearest path is the cheapest.
#[test]
fn costs_do_not_wrap_around() {
    let far = u32::MAX - 1;
    let problem = problem(
        move |&n: &u32| match n {
            0 => vec![(1, far), (2, 7)],
            1 => vec![(3, 3)],
            2 => vec![(3, far - 7)],
            _ => vec![],
        },
        |_: &u32| 0,
        |&n: &u32| n == 3,
    );
    for report in every_engine(&problem, &0) {
        assert_eq!(report.unwrap().cost(), Some(far));
    }
    let only_dear = support::erased::problem(
        move |&n: &u32| (n < 3).then_some((n + 1, far)),
        |_: &u32| 0,
        |&n: &u32| n == 3,
    );
    for report in every_engine(&only_dear, &0) {
        assert_eq!(report.unwrap_err(), SearchError::Overflow { g: far, added: far });
    }
}

/// Elsewhere, the goal is lost if the limit on the cost is just what it costs.
#[test]
fn a_goal_at_the_limit_of_cost_is_found() {
    let problem = detour();
    let limits = || Limits::new().cost(9);
    let found = [
        AStar::new(&problem).limits(limits()).search(0).run().unwrap().cost(),
        Dijkstra::new(&problem).limits(limits()).search(0).run().unwrap().cost(),
        IdaStar::new(&problem).limits(limits()).search(0).run().unwrap().cost(),
        BranchAndBound::new(&problem).limits(limits()).search(0).run().unwrap().cost(),
        BreadthFirst::new(&problem).limits(limits()).search(0).run().unwrap().cost(),
    ];
    assert_eq!(found, [Some(9); 5]);
    let report = AStar::new(&problem).limits(Limits::new().cost(8)).search(0).run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost));
    assert_eq!(report.lower_bound, 9);
}

/// Elsewhere, closed states are not reopened, and a heuristic that is not consistent costs the
/// optimum.
#[test]
fn closed_states_are_reopened() {
    let problem = problem(
        |&n: &u32| match n {
            0 => vec![(1, 1), (2, 3)],
            1 => vec![(2, 1)],
            2 => vec![(3, 5)],
            _ => vec![],
        },
        |&n: &u32| if n == 1 { 6 } else { 0_u32 },
        |&n: &u32| n == 3,
    );
    for report in every_engine(&problem, &0) {
        assert_eq!(report.unwrap().cost(), Some(7));
    }
    let report = AStar::new(&problem).search(0).run().unwrap();
    assert_eq!((report.stats.reopened, report.stats.expanded), (1, 4));
}

/// Elsewhere, what is counted is not what was done.
#[test]
fn everything_is_counted_once() {
    // 3 is reached three times, and the third way, by way of 4, is the cheapest; 5 is a dead end.
    let problem = problem(
        |&n: &u32| match n {
            0 => vec![(3, 5_u32), (1, 1), (4, 1), (5, 1), (0, 1)],
            1 => vec![(3, 6)],
            4 => vec![(3, 1)],
            3 => vec![(6, 9)],
            _ => vec![],
        },
        |&n: &u32| match n {
            4 => 5,
            5 => u32::MAX,
            _ => 0,
        },
        |&n: &u32| n == 6,
    );
    let report = AStar::new(&problem).search(0).run().unwrap();
    assert_eq!(report.cost(), Some(11));
    let stats = report.stats;
    // 0, 1, 3 at cost 5, 4, 3 again at cost 2.
    assert_eq!((stats.expanded, stats.generated, stats.evaluated), (5, 9, 6));
    assert_eq!((stats.duplicates, stats.reopened, stats.dead_ends), (4, 1, 1));
    assert_eq!((stats.stored, stats.peak_frontier), (6, 3));
}

/// Elsewhere, a state is done with when it is generated, so that the first way to it is the last.
#[test]
fn the_first_way_to_a_goal_need_not_be_the_cheapest() {
    for report in every_engine(&detour(), &0) {
        assert_eq!(report.unwrap().path().unwrap().states(), [0, 1, 2, 3]);
    }
}

/// Elsewhere, a search that ran out of time calls what it has optimal.
#[test]
fn a_stopped_search_claims_nothing() {
    let problem = detour();
    for expansions in 0..3 {
        let limits = || Limits::new().expansions(expansions);
        let reports = [
            AStar::new(&problem).limits(limits()).search(0).run().unwrap(),
            IdaStar::new(&problem).limits(limits()).search(0).run().unwrap(),
            BranchAndBound::new(&problem).limits(limits()).search(0).run().unwrap(),
            BreadthFirst::new(&problem).limits(limits()).search(0).run().unwrap(),
        ];
        for report in reports {
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
            assert!(!report.is_optimal() && report.lower_bound <= 9);
        }
    }
}

/// A search in another order than that of f set states aside for a limit on the cost, was stopped, and went on without that
/// limit: it came to the goal by way of the states that were left, though one set aside preceded it.
#[test]
fn states_set_aside_come_in_their_order_when_the_limit_is_raised() {
    // 1 comes before 2 in the order of weighted A*, but its f is larger.
    let problem = problem(
        |&n: &u32| match n {
            0 => vec![(1, 4_u32), (2, 0)],
            1 => vec![(9, 4)],
            2 => vec![(9, 100)],
            _ => vec![],
        },
        |&n: &u32| if n == 2 { 3 } else { 0 },
        |&n: &u32| n == 9,
    );
    let within_cost = Limits::new().expansions(1).cost(3);
    let mut search = AStar::new(&problem).weight(1.5).limits(within_cost).search(0);
    assert_eq!(search.run().unwrap().outcome, Outcome::Stopped(StopReason::Expansions));
    search.set_limits(Limits::new());
    assert_eq!(search.run().unwrap().cost(), Some(8));
}

/// Elsewhere, states with equal hashes are taken for one.
#[test]
fn equal_hashes_are_not_equal_states() {
    #[derive(Clone, PartialEq, Eq, Debug)]
    struct Alike(u32);
    impl std::hash::Hash for Alike {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            1_u8.hash(state);
        }
    }
    let problem = problem(
        |state: &Alike| [(Alike(state.0 + 3), 2_u32), (Alike(state.0 + 7), 5)],
        |state: &Alike| if state.0 > 61 { u32::MAX } else { 0 },
        |state: &Alike| state.0 == 61,
    );
    for report in with_buckets(&problem, &Alike(0)) {
        assert_eq!(report.unwrap().cost(), Some(41)); // 18 times 3, and 7 once
    }
}

/// Where sums of floats are rounded, a bound may come out above the cost of the path that it is of.
#[test]
fn a_bound_is_not_above_the_path_by_rounding() {
    // (0.3 + 0.2) + 0.1 is a little less than 0.3 + (0.2 + 0.1).
    let steps = [0.3_f64, 0.2, 0.1];
    let left = [0.3 + (0.2 + 0.1), 0.2 + 0.1, 0.1, 0.0];
    let problem = problem(
        |&n: &u32| steps.get(n as usize).map(|&cost| (n + 1, cost)),
        |&n: &u32| left[n as usize],
        |&n: &u32| n == 3,
    );
    for report in [
        bestfirst::astar(&problem, 0),
        bestfirst::idastar(&problem, 0),
        bestfirst::branch_and_bound(&problem, 0),
        bestfirst::breadth_first(&problem, 0),
    ] {
        let report = report.unwrap();
        let cost = report.cost().unwrap();
        assert!(cost < left[0] && report.is_optimal());
        assert_eq!(report.lower_bound.to_bits(), cost.to_bits());
    }
}

/// A heuristic that says too much of a state on the path itself has shown that nothing is proved.
#[test]
fn an_overestimate_on_the_path_is_no_proof() {
    let problem = problem(
        |&n: &u32| [(n + 1, 1_u32)],
        |&n: &u32| if n == 1 { 5 } else { 0 },
        |&n: &u32| n == 2,
    );
    for report in every_engine(&problem, &0).into_iter().skip(1) {
        let report = report.unwrap();
        assert_eq!((report.cost(), report.lower_bound), (Some(2), 0));
        assert!(!report.is_optimal());
    }
}

/// Costs up to 1000, where that stands for no way at all; sums may be more.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Fare(u32);

impl Cost for Fare {
    const ZERO: Self = Fare(0);
    const INFINITY: Self = Fare(1000);

    fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Fare)
    }
}

/// A state that is open stays one open state where a cheaper way to it is found, and a dead end is none
/// whichever way it is reached.
#[test]
fn open_states_are_counted_once() {
    fn check<C: Cost>(cost: impl Fn(u32) -> C) {
        let problem = problem(
            |&n: &u32| {
                let steps = match n {
                    0 => vec![(1, 10), (9, 10), (2, 1)],
                    2 => vec![(1, 5), (9, 5), (3, 1), (4, 1)],
                    _ => vec![],
                };
                steps.into_iter().map(|(to, step)| (to, cost(step)))
            },
            |&n: &u32| if n == 9 { C::INFINITY } else { C::ZERO },
            |_: &u32| false,
        );
        let stats = bestfirst::astar(&problem, 0).unwrap().stats;
        assert_eq!((stats.expanded, stats.dead_ends), (5, 1));
        assert_eq!(stats.peak_frontier, 3, "1, 3 and 4");
    }
    check(|units| units);
    check(f64::from);
    check(Fare);
}

/// A step whose cost is too large leads nowhere, so it does not lead to what is known either.
#[test]
fn steps_that_cost_too_much_are_no_duplicates() {
    let problem = problem(
        |&n: &u32| if n == 0 { vec![(1, 200_u8), (2, 200), (1, 200)] } else { vec![(3, 100)] },
        |_: &u32| 0,
        |_: &u32| false,
    );
    let mut search = Dijkstra::new(&problem).search(0);
    assert!(matches!(search.run(), Err(SearchError::Overflow { g: 200, added: 100 })));
    let stats = search.stats();
    assert_eq!((stats.expanded, stats.generated, stats.duplicates), (3, 5, 1));
}
