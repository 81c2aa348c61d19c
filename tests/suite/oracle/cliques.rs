//! States that are improved over and over, so that most entries of a frontier are stale, and solutions by
//! which most open states are pruned at once.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bestfirst::frontier::{BucketQueue, IndexedQueue, LazyHeap};
use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, CancelToken, Dijkstra, Greedy, Limits, Outcome,
    SearchProblem, StopReason, Successors,
};
use support::erased::{boxed, problem};

/// States from 0 on, from each of which a step leads to all that follow. Every state is on the cheapest path
/// to the next, and improves all that follow: there are about `states`² / 2 improvements. Behind them all
/// there is a goal, which is known from the first expansion on.
struct Clique {
    states: u32,
    /// When the last state was expanded.
    last: Cell<Option<Instant>>,
    /// Tells another thread that it was.
    is_last: Arc<AtomicBool>,
}

impl Clique {
    fn new(states: u32) -> Self {
        Self { states, last: Cell::new(None), is_last: Arc::default() }
    }

    /// More than all entries of states.
    fn goal_cost(&self) -> u32 {
        3 * self.states
    }
}

impl SearchProblem for Clique {
    type State = u32;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &from: &u32, next: &mut Successors<Self>) {
        if from + 1 == self.states {
            self.last.set(Some(Instant::now()));
            self.is_last.store(true, Ordering::Relaxed);
        }
        // The cheapest cost of a state is its number.
        next.extend((from + 1..self.states).map(|to| ((), to, 2 * (to - from) - 1)));
        if from == 0 {
            next.push((), u32::MAX, self.goal_cost());
        }
    }
    fn is_goal(&self, &state: &u32) -> bool {
        state == u32::MAX
    }
}

macro_rules! searches {
    ($problem:ident, $check:ident) => {
        let erased = &boxed($problem);
        $check!(
            $problem:
            "Dijkstra, buckets": Dijkstra::new(erased).frontier(BucketQueue::new()),
            "Dijkstra, heap": Dijkstra::new(erased).frontier(LazyHeap::new()),
            "A*, buckets": AStar::new(erased),
            "A*, heap": AStar::new(erased).frontier(LazyHeap::new()),
            "weighted A*": AStar::new(erased).weight(1.5),
            "greedy": Greedy::new(erased),
        )
    };
}

/// So long a search may take to come back. (Popping the stale entries one after the other takes longer.)
const SOON: Duration = Duration::from_millis(5);

/// Stale entries were skipped without a look at the limits, millions of them at the end.
#[test]
fn a_cancelled_search_does_not_skip_all_stale_entries_first() {
    let clique = &Clique::new(600);
    macro_rules! check {
        ($problem:ident: $($name:literal: $search:expr,)*) => {$(
            let is_prompt = (0..25).any(|_| {
                let (token, is_last) = (CancelToken::new(), Arc::clone(&$problem.is_last));
                is_last.store(false, Ordering::Relaxed);
                let mut search = $search.limits(Limits::new().cancel(&token)).search(0);
                let came_back = std::thread::scope(|scope| {
                    // Nothing but stale entries is left then.
                    let other = scope.spawn(|| {
                        while !is_last.load(Ordering::Relaxed) {
                            std::thread::sleep(Duration::from_micros(100));
                        }
                        let cancelled = Instant::now();
                        token.cancel();
                        cancelled
                    });
                    let report = search.run().unwrap();
                    let now = Instant::now();
                    assert!(report.stats.expanded > 0);
                    now.saturating_duration_since(other.join().unwrap())
                });
                came_back < SOON
            });
            assert!(is_prompt, "{}", $name);
        )*};
    }
    searches!(clique, check);
}

/// The same where the limit on expansions leaves nothing but stale entries before the goal: the first run
/// says that it is found. The entries took memory without limit.
#[test]
fn stale_entries_before_a_goal_take_little_time_and_memory() {
    let clique = &Clique::new(600);
    // As many states without improvements: an entry for each.
    let (states, goal) = (clique.states, clique.goal_cost());
    let star = &problem(
        |&n: &u32| {
            let others = if n == 0 { 1..states } else { 0..0 };
            others.map(|to| (to, 2 * to - 1)).chain((n == 0).then_some((u32::MAX, goal)))
        },
        |_: &u32| 0,
        |&n: &u32| n == u32::MAX,
    );
    let indexed = Dijkstra::new(star).frontier(IndexedQueue::new()).search(0).run();
    let indexed = indexed.unwrap().stats.peak_bytes;
    macro_rules! check {
        ($problem:ident: $($name:literal: $search:expr,)*) => {$(
            let is_prompt = (0..25).any(|_| {
                let limits = Limits::new().expansions(u64::from($problem.states));
                let mut search = $search.limits(limits).search(0);
                let report = search.run().unwrap();
                let took = $problem.last.get().expect("all are expanded").elapsed();
                assert_eq!(report.cost(), Some($problem.goal_cost()), "{}", $name);
                assert_eq!(report.stats.expanded, u64::from($problem.states), "{}", $name);
                let bytes = report.stats.peak_bytes;
                assert!(bytes <= 3 * indexed, "{}: {bytes} bytes, {indexed} indexed", $name);
                took < SOON
            });
            assert!(is_prompt, "{}", $name);
        )*};
    }
    searches!(clique, check);
}

/// Where an incumbent prunes very many open states at the end, a limit of what is needed is enough, the
/// first run says that it is found, and cancelling is noticed.
#[test]
fn pruning_very_many_states_is_no_expansion() {
    const LEAVES: u32 = 40_000;
    // From 0 to very many leaves, and at last, at less cost, to the goal.
    let star = &problem(
        |&n: &u32| {
            let leaves = if n == 0 { 1..LEAVES } else { 0..0 };
            let goal = (n == LEAVES).then_some((u32::MAX, 1_u32));
            leaves.map(|leaf| (leaf, 10)).chain((n == 0).then_some((LEAVES, 1))).chain(goal)
        },
        |_: &u32| 0,
        |&n: &u32| n == u32::MAX,
    );
    macro_rules! check {
        ($cost:literal: $($search:expr),*) => {$(
            let needed = $search.search(0).run().unwrap().stats.expanded;
            assert!(needed < u64::from(LEAVES) + 2);
            let limits = Limits::new().expansions(needed);
            let report = $search.limits(limits).search(0).run().unwrap();
            assert_eq!((report.cost(), report.is_optimal()), (Some($cost), true));
            assert!(matches!(report.outcome, Outcome::Found(_)));
        )*};
    }
    let last: fn(&u32, u32, u32) -> u32 = |&n, _, _| u32::MAX - n;
    check!(2: BranchAndBound::new(star), BranchAndBound::new(star).order_by(last));
    // Breadth-first search finds the goal after the leaves, so there it is a leaf of its own.
    let fan = &problem(
        |&n: &u32| {
            let leaves = if n == 0 { 1..LEAVES } else { 0..0 };
            let goal = (n == 0).then_some((u32::MAX, 1_u32));
            goal.into_iter().chain(leaves.map(|leaf| (leaf, 1)))
        },
        |_: &u32| 0,
        |&n: &u32| n == u32::MAX,
    );
    check!(1: BreadthFirst::new(fan), BranchAndBound::new(fan));
}

/// A search that is cancelled when it finds a solution has it, and goes on to prove it.
#[test]
fn a_search_cancelled_at_a_solution_has_it() {
    const LEAVES: u32 = 150_000;
    /// Cancels when the solution is told of.
    struct Cancels(CancelToken);
    impl bestfirst::Observer<u32, u32> for Cancels {
        fn incumbent(&mut self, _: u32, _: u32) {
            self.0.cancel();
        }
    }
    let star = &problem(
        |&n: &u32| {
            let leaves = if n == 0 { 1..LEAVES } else { 0..0 };
            let goal = (n == LEAVES).then_some((u32::MAX, 1_u32));
            leaves.map(|leaf| (leaf, 10)).chain((n == 0).then_some((LEAVES, 1))).chain(goal)
        },
        |_: &u32| 0,
        |&n: &u32| n == u32::MAX,
    );
    let token = CancelToken::new();
    let mut search = BranchAndBound::new(star)
        .observer(Cancels(token.clone()))
        .limits(Limits::new().cancel(&token))
        .search(0);
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
    assert_eq!(report.cost(), Some(2));
    token.reset();
    assert_eq!(search.run().unwrap().cost(), Some(2));
}
