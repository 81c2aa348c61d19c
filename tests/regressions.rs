//! Faults that search code is known to have, in this crate once or in others, each with the test that
//! keeps it out.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bestfirst::frontier::{Frontier, LazyHeap};
use bestfirst::limits::{Memory, OutOfMemory};
use bestfirst::table::StateId;
use bestfirst::{
    AStar, CancelToken, Dijkstra, FnProblem, IdaStar, Limits, Outcome, SearchProblem, StopReason,
    Successors,
};

/// A heap that has no room for a push whenever `refuses` says so, once.
#[derive(Debug)]
struct Grudging {
    heap: LazyHeap<u32>,
    /// Counts down with every push; the push that finds 1 is refused.
    refuses: Rc<Cell<u32>>,
}

impl Frontier<u32> for Grudging {
    fn push(&mut self, id: StateId, f: u32, h: u32, m: &mut Memory) -> Result<(), OutOfMemory> {
        let left = self.refuses.get();
        self.refuses.set(left.saturating_sub(1));
        if left == 1 { Err(OutOfMemory) } else { self.heap.push(id, f, h, m) }
    }

    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(StateId, u32)>, OutOfMemory> {
        self.heap.pop(memory)
    }

    fn len(&self) -> usize {
        Frontier::<u32>::len(&self.heap)
    }

    fn clear(&mut self) {
        Frontier::<u32>::clear(&mut self.heap);
    }
}

/// 0 → 3 costs 10; by way of 1 and 2 it costs 0 + 8 + 1.
fn detour() -> impl SearchProblem<State = u8, Action = (), Cost = u32> {
    FnProblem::new(
        |&n: &u8| match n {
            0 => vec![(3, 10_u32), (1, 0)],
            1 => vec![(2, 8)],
            2 => vec![(3, 1)],
            _ => vec![],
        },
        |_: &u8| 0,
        |&n: &u8| n == 3,
    )
}

/// The report of a stop for lack of memory looked at the next entry of the frontier, and going on
/// began with that, though the state that had found no room came before it.
#[test]
fn a_state_that_found_no_room_keeps_its_turn() {
    let refuses = Rc::new(Cell::new(4));
    let frontier = Grudging { heap: LazyHeap::new(), refuses: Rc::clone(&refuses) };
    let mut search = AStar::new(detour()).frontier(frontier).search(0);
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
    let frontier = Grudging { heap: LazyHeap::new(), refuses: Rc::new(Cell::new(1)) };
    let mut search = AStar::new(detour()).frontier(frontier).search(0);
    assert_eq!(search.run().unwrap().outcome, Outcome::Stopped(StopReason::Memory));
    assert_eq!(search.run().unwrap().cost(), Some(9));
}

/// A state whose successors found no room was expanded, and settled, but not given out.
#[test]
fn settled_states_are_not_lost_to_a_stop() {
    for refused in 1..6 {
        let refuses = Rc::new(Cell::new(refused));
        let frontier = Grudging { heap: LazyHeap::new(), refuses };
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
        assert!(next.is_empty() && next.len() == 0 && next.as_slice().is_empty());
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
    assert_eq!((first.cost(), second.cost()), (Some(9), Some(9)));
    token.cancel();
    search.set_limits(Limits::new().cancel(&token).expansions(1).time(Duration::ZERO));
    assert_eq!(search.run().unwrap(), first);
    assert_eq!(search.step().unwrap(), Some(first));
    assert_eq!(deepening.run().unwrap(), second);
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

/// After many single steps, a search looked at the clock only every million expansions.
#[test]
fn a_search_that_was_stepped_keeps_to_its_time() {
    let endless = FnProblem::new(
        |&n: &u64| (0..20).map(move |i| ((n * 3 + i) % 5_000_000, 1_u32)),
        |_: &u64| 0,
        |_: &u64| false,
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
