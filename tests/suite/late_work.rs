//! Work that is put off, and reports, end at the time, too. The clock is one that the problem moves, so calls are counted.

use std::cell::Cell;
use std::cmp::Ordering as Compared;
use std::iter::repeat_with;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bestfirst::clock::Clock;
use bestfirst::heuristics::Hierarchy;
use bestfirst::{
    AStar, Bidirectional, CancelToken, Cost, DenseStates, FnProblem, KBest, Limits, Outcome,
    Pareto, Reversible, SearchProblem, StopReason, Successors,
};

/// A clock, and what moves it on and counts how often it did.
#[derive(Clone, Default)]
struct Hands(Arc<[AtomicU64; 3]>);

impl Hands {
    fn clock(&self) -> Clock {
        let hands = self.clone();
        Clock::new(move || Duration::from_micros(hands.0[0].load(Ordering::Relaxed)))
    }

    /// From now on, each call takes this long.
    fn call_takes(&self, micros: u64) {
        self.0[1].store(micros, Ordering::Relaxed);
    }

    fn call(&self) {
        self.0[0].fetch_add(self.0[1].load(Ordering::Relaxed), Ordering::Relaxed);
        self.0[2].fetch_add(1, Ordering::Relaxed);
    }

    fn calls(&self) -> u64 {
        self.0[2].load(Ordering::Relaxed)
    }
}

/// A binary tree without end; its heuristic and its goal test are calls.
#[derive(Clone)]
struct Tree(Hands);

impl SearchProblem for Tree {
    type State = u64;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &n: &u64, next: &mut Successors<Self>) {
        next.push((), 2 * n, 1);
        next.push((), 2 * n + 1, 1);
    }
    fn heuristic(&self, _: &u64) -> u32 {
        self.0.call();
        1
    }
    fn is_goal(&self, _: &u64) -> bool {
        false
    }
}

impl Reversible for Tree {
    fn predecessors(&self, &n: &u64, previous: &mut Successors<Self>) {
        previous.push((), n / 2, 1);
    }
    fn goals(&self) -> impl Iterator<Item = u64> {
        (1 << 40)..(1 << 40) + STARTS
    }
    fn heuristic_from(&self, _: &u64, _: &u64) -> u32 {
        self.0.call();
        1
    }
}

const STARTS: u64 = 50_000;

fn starts() -> impl Iterator<Item = (u64, u32)> {
    (STARTS..2 * STARTS).map(|n| (n, 0))
}

#[test]
fn a_slice_ends_while_starts_are_stored() {
    for both_ends in [false, true] {
        let hands = Hands::default();
        let tree = Tree(hands.clone());
        let limits = Limits::new().clock(hands.clock());
        hands.call_takes(10);
        if both_ends {
            let mut search = Bidirectional::new(tree).limits(limits).search_from(starts());
            assert_eq!(search.run_within(Duration::from_millis(2)), Ok(None));
        } else {
            let mut search = AStar::new(tree).limits(limits).search_from(starts());
            assert_eq!(search.run_within(Duration::from_millis(2)), Ok(None));
        }
        // 200 in the slice, and 100 after it.
        assert!(hands.calls() < 1000, "{}", hands.calls());
    }
}

#[test]
fn a_step_looks_at_the_time_while_starts_are_stored() {
    for both_ends in [false, true] {
        let hands = Hands::default();
        let tree = Tree(hands.clone());
        let limits = Limits::new().clock(hands.clock()).time(Duration::from_millis(1));
        hands.call_takes(10);
        let outcome = if both_ends {
            let mut search = Bidirectional::new(tree).limits(limits).search_from(starts());
            search.step().unwrap().unwrap().outcome
        } else {
            let mut search = AStar::new(tree).limits(limits).search_from(starts());
            search.step().unwrap().unwrap().outcome
        };
        assert_eq!(outcome, Outcome::Stopped(StopReason::Time));
        assert!(hands.calls() < 10_000, "{}", hands.calls());
    }
}

/// Many numbers, one step from the first, which are all goals. It is a call to list one of them, or to open a start.
struct Star(Hands);

impl SearchProblem for Star {
    type State = u32;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &n: &u32, next: &mut Successors<Self>) {
        next.extend((n == 0).then_some(((), 1, 7)));
    }
    fn is_goal(&self, &n: &u32) -> bool {
        n > 0
    }
}

impl Reversible for Star {
    fn predecessors(&self, &n: &u32, previous: &mut Successors<Self>) {
        previous.extend((n == 1).then_some(((), 0, 7)));
    }
    fn goals(&self) -> impl Iterator<Item = u32> {
        (1..10_000).inspect(|_| self.0.call())
    }
}

impl DenseStates for Star {
    fn state_count(&self) -> usize {
        10_000
    }
    fn state_index(&self, &n: &u32) -> usize {
        if n == 0 {
            self.0.call();
        }
        n as usize
    }
    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

#[test]
fn a_query_of_a_hierarchy_opens_its_ends_within_the_time() {
    let hands = Hands::default();
    let star = Star(hands.clone());
    let hierarchy = Hierarchy::of(&star).build().unwrap();
    hands.call_takes(1000);
    for starts in [1, 5000] {
        let starts = || (0..starts).map(|extra| (0, extra));
        let query = || hierarchy.query(&star).unwrap();
        let undisturbed = query().search_from(starts()).run().unwrap();
        assert_eq!(undisturbed.cost(), Some(7));

        let limits = Limits::new().clock(hands.clock()).time(Duration::from_millis(20));
        let mut search = query().limits(limits).search_from(starts());
        let before = hands.calls();
        assert_eq!(search.run().unwrap().outcome, Outcome::Stopped(StopReason::Time));
        assert!(hands.calls() - before < 2000, "{}", hands.calls() - before);
        search.set_limits(Limits::new());
        assert_eq!(search.run().unwrap(), undisturbed);

        // A search that is restarted meanwhile opens all of them again.
        let limits = Limits::new().clock(hands.clock());
        let mut search = query().limits(limits).search_from(starts());
        assert_eq!(search.run_within(Duration::from_millis(20)), Ok(None));
        search.restart_from(starts());
        let slices = repeat_with(|| search.run_within(Duration::from_millis(20)));
        assert_eq!(slices.take(20).find_map(Result::unwrap), Some(undisturbed));
    }
}

#[test]
fn goals_of_a_front_are_tested_within_the_time() {
    let hands = Hands::default();
    let called = hands.clone();
    let problem = FnProblem::new(
        |&n: &u16| if n == 0 { (1..3000).map(|i| (i, [i, 3000 - i])).collect() } else { vec![] },
        |_: &u16| [0, 0],
        move |&n: &u16| {
            called.call();
            n > 0
        },
    );
    let limits = Limits::new().clock(hands.clock()).time(Duration::from_millis(5));
    let mut search = Pareto::new(&problem).limits(limits).search(0);
    hands.call_takes(1000);
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
    assert!(hands.calls() < 50, "{}", hands.calls());
}

thread_local! {
    /// How often costs were compared.
    static COMPARISONS: Cell<u64> = const { Cell::new(0) };
}

/// A cost whose comparisons are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Counted(u32);

impl PartialOrd for Counted {
    fn partial_cmp(&self, other: &Self) -> Option<Compared> {
        COMPARISONS.set(COMPARISONS.get() + 1);
        self.0.partial_cmp(&other.0)
    }
}

impl Cost for Counted {
    const ZERO: Self = Self(0);
    const INFINITY: Self = Self(u32::MAX);
    fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }
}

/// Of the open labels, one is next. The bound covers the others at once, or only one of the solutions dominates them, the one
/// that is compared last.
#[test]
fn the_bound_of_a_front_compares_few_labels_with_all_solutions() {
    const SOLUTIONS: u32 = 2000;
    const WIDTH: u32 = 50;
    const HUBS: u32 = 2 * SOLUTIONS / WIDTH;
    let next = [2, 0, SOLUTIONS + 5];
    for (other, at_end) in [([3, 0, SOLUTIONS + 5], next), ([2, SOLUTIONS - 1, 1], [2, 0, 1])] {
        let problem = FnProblem::new(
            move |&n: &u32| match n {
                0 => (1..=HUBS).map(|hub| (hub, [Counted(0); 3])).collect(),
                1..=HUBS => {
                    let leaf = |i| match i {
                        1..=SOLUTIONS => [1, i, SOLUTIONS - i],
                        _ if i == SOLUTIONS + 1 => next,
                        _ => other,
                    };
                    let leaves = (n - 1) * WIDTH + 1..=n * WIDTH;
                    leaves.map(|i| (HUBS + i, leaf(i).map(Counted))).collect()
                }
                _ => Vec::new(),
            },
            |_: &u32| [Counted(0); 3],
            |&n: &u32| (HUBS + 1..=HUBS + SOLUTIONS).contains(&n),
        );
        let limits = Limits::new().expansions(1 + u64::from(HUBS));
        let mut search = Pareto::new(&problem).limits(limits).search(0);
        let front = search.front().unwrap();
        assert_eq!(front.stopped(), Some(StopReason::Expansions));
        assert_eq!(front.lower_bound().map(|each| each.0), next);
        let token = CancelToken::new();
        token.cancel();
        search.set_limits(Limits::new().cancel(&token));
        COMPARISONS.set(0);
        let front = search.front().unwrap();
        assert!(COMPARISONS.get() < 6_000_000, "{}", COMPARISONS.get());
        assert_eq!(front.stopped(), Some(StopReason::Cancelled));
        assert_eq!(front.len(), SOLUTIONS as usize);
        assert_eq!(front.lower_bound().map(|each| each.0), at_end);
    }
}

#[test]
fn paths_that_are_returned_one_by_one_take_time() {
    let hands = Hands::default();
    let called = hands.clone();
    let grid = FnProblem::new(
        move |&(x, y): &(u32, u32)| {
            called.call();
            [((x + 1, y), 1_u32), ((x, y + 1), 1)]
        },
        |&(x, y)| 20_u32.saturating_sub(x) + 20_u32.saturating_sub(y),
        |&place| place == (20, 20),
    );
    hands.call_takes(10);
    let most = Duration::from_millis(50);
    let limits = Limits::new().clock(hands.clock()).time(most);
    let mut search = KBest::new(&grid).limits(limits).search((0, 0));
    let count = search.by_ref().map(Result::unwrap).count();
    assert!(count > 3);
    let took = Duration::from_micros(10 * hands.calls());
    assert!(took >= most && took < most + Duration::from_millis(2), "{took:?}");
    assert_eq!(search.elapsed(), took);
}

#[cfg(feature = "parallel")]
#[test]
fn what_is_under_way_between_threads_waits_for_the_next_run() {
    let hands = Hands::default();
    let tree = Tree(hands.clone());
    let limits = Limits::new().clock(hands.clock());
    let mut search = AStar::new(&tree).threads(1).limits(limits).search(1);
    assert_eq!(search.run_for(100_000), Ok(None));
    hands.call_takes(100);
    let before = hands.calls();
    assert_eq!(search.run_within(Duration::from_millis(5)), Ok(None));
    assert!(hands.calls() - before < 1000, "{}", hands.calls() - before);

    // The report at a stop does not ask for the heuristic of what is under way.
    let before = hands.calls();
    let most = search.elapsed() + Duration::from_millis(5);
    search.set_limits(Limits::new().clock(hands.clock()).time(most));
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
    assert!(report.lower_bound >= 10, "{}", report.lower_bound);
    assert!(hands.calls() - before < 1000, "{}", hands.calls() - before);
}
