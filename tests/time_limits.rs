//! How many expansions follow after the time is up or the token is cancelled: counted, whatever the engine, and however
//! quick the expansions before were.

use std::cell::Cell;
use std::cmp::Ordering as Order;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bestfirst::clock::Clock;
use bestfirst::{
    AStar, AllOptimal, AnySearch, Anytime, AnytimeAStar, Beam, Bidirectional, BranchAndBound,
    BreadthFirst, CancelToken, Cost, Dijkstra, ExternalAStar, FnProblem, Greedy, IdaStar,
    InPlaceProblem, KBest, Limits, Outcome, Rectangle, Replanner, Report, Reversible,
    SearchProblem, StopReason, Successors,
};

/// A binary tree without end and without a goal. It counts the states that are expanded, and does something else
/// each time.
struct Tree {
    calls: AtomicU64,
    at_call: Box<dyn Fn(u64) + Send + Sync>,
}

impl Tree {
    fn new(at_call: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self { calls: AtomicU64::new(0), at_call: Box::new(at_call) }
    }

    fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    fn call(&self) {
        (self.at_call)(self.calls.fetch_add(1, Ordering::Relaxed) + 1);
    }
}

impl SearchProblem for Tree {
    type State = u64;
    type Action = bool;
    type Cost = u32;

    fn successors(&self, &n: &u64, next: &mut Successors<Self>) {
        self.call();
        for right in [false, true] {
            next.push(right, child(n, right), 1);
        }
    }
    fn heuristic(&self, _: &u64) -> u32 {
        0
    }
    fn is_goal(&self, _: &u64) -> bool {
        false
    }
}

impl InPlaceProblem for Tree {
    type Actions = std::array::IntoIter<bool, 2>;
    type Undo = u64;

    fn actions(&self, _: &u64) -> Self::Actions {
        self.call();
        [false, true].into_iter()
    }
    fn apply(&self, n: &mut u64, &right: &bool) -> (u32, u64) {
        let before = *n;
        *n = child(before, right);
        (1, before)
    }
    fn undo(&self, n: &mut u64, before: u64) {
        *n = before;
    }
}

fn child(n: u64, right: bool) -> u64 {
    n.wrapping_mul(2).wrapping_add(1 + u64::from(right))
}

/// A search of a tree by one of the engines, with `threads` threads.
struct Way {
    name: &'static str,
    threads: u64,
    run: fn(&Tree, Limits<u32>) -> Report<u64, bool, u32>,
}

macro_rules! ways {
    ($($threads:literal $name:literal: |$tree:ident| $search:expr;)*) => {
        vec![$(Way {
            name: $name,
            threads: $threads,
            run: |$tree, limits| $search.limits(limits).search(0).run().unwrap(),
        }),*]
    };
}

/// Every kind of loop over expansions.
fn ways() -> Vec<Way> {
    ways! {
        1 "A*": |tree| AStar::new(tree);
        1 "Dijkstra": |tree| Dijkstra::new(tree);
        1 "greedy": |tree| Greedy::new(tree);
        1 "anytime A*": |tree| AnytimeAStar::new(tree);
        1 "branch and bound": |tree| BranchAndBound::new(tree);
        1 "breadth first": |tree| BreadthFirst::new(tree);
        1 "beam": |tree| Beam::new(tree).width(1000);
        1 "k best": |tree| KBest::new(tree);
        1 "all optimal": |tree| AllOptimal::new(tree);
        1 "IDA*": |tree| IdaStar::new(tree);
        1 "IDA*, table": |tree| IdaStar::new(tree).transposition_table(1 << 16);
        1 "IDA*, in place": |tree| IdaStar::new(tree).in_place();
        1 "IDA*, in place, table": |tree| IdaStar::new(tree).in_place().transposition_table(1 << 16);
        1 "disk": |tree| ExternalAStar::new(tree);
    }
}

#[cfg(feature = "parallel")]
fn ways_on_threads() -> Vec<Way> {
    ways! {
        2 "A*, threads": |tree| AStar::new(tree).threads(2);
        3 "Dijkstra, threads": |tree| Dijkstra::new(tree).threads(3);
        2 "beam, threads": |tree| Beam::new(tree).width(1000).threads(2);
        2 "IDA*, threads": |tree| IdaStar::new(tree).threads(2);
        3 "IDA*, table, threads": |tree| IdaStar::new(tree).transposition_table(1 << 16).threads(3);
        2 "IDA*, in place, threads": |tree| IdaStar::new(tree).in_place().threads(2);
        2 "IDA*, in place, table, threads":
            |tree| IdaStar::new(tree).in_place().transposition_table(1 << 16).threads(2);
        2 "disk, threads": |tree| ExternalAStar::new(tree).threads(2);
    }
}

#[cfg(not(feature = "parallel"))]
fn ways_on_threads() -> Vec<Way> {
    Vec::new()
}

fn all_ways() -> Vec<Way> {
    ways().into_iter().chain(ways_on_threads()).collect()
}

/// Makes an expansion take some microseconds.
fn work() {
    for i in 0..2000 {
        std::hint::black_box(i);
    }
}

/// Each thread ends the expansion that it is at, and begins no other.
#[test]
fn no_expansion_follows_after_a_search_is_cancelled() {
    for way in all_ways() {
        for at in [1, 7, 100, 3000] {
            let token = CancelToken::new();
            let limits = Limits::new().cancel(&token);
            let late = Arc::new(AtomicU64::new(0));
            let counted = Arc::clone(&late);
            let tree = Tree::new(move |call| {
                if token.is_cancelled() {
                    counted.fetch_add(1, Ordering::Relaxed);
                } else if call == at {
                    token.cancel();
                }
                work();
            });
            let report = (way.run)(&tree, limits);
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
            let late = late.load(Ordering::Relaxed);
            assert!(late < way.threads, "{}: {late} after {at}", way.name);
        }
    }
}

/// The same where a clock shows that the time is up: thousands of quick expansions were followed by slow ones.
#[test]
fn no_expansion_follows_after_the_time_is_up_on_a_clock_of_ones_own() {
    const QUICK: u64 = 5000;
    // The ninth slow one ends after 54 milliseconds.
    const ALL: u64 = QUICK + 9;
    for way in all_ways() {
        let nanos = Arc::new(AtomicU64::new(0));
        let shown = Arc::clone(&nanos);
        let clock = Clock::new(move || Duration::from_nanos(shown.load(Ordering::Relaxed)));
        let tree = Tree::new(move |call| {
            let nanos_of_call = if call > QUICK { 6_000_000 } else { 10 };
            nanos.fetch_add(nanos_of_call, Ordering::Relaxed);
            if call > QUICK {
                work();
            }
        });
        let limits = Limits::new().time(Duration::from_millis(50)).clock(clock);
        let report = (way.run)(&tree, limits);
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
        let late = tree.calls().saturating_sub(ALL);
        assert!(late < way.threads, "{}: {late}", way.name);
    }
}

/// The same by the clock of the system, where an expansion outlasts the time that is left. (That the time is up is
/// noticed while it lasts: a tenth of a second is enough for that on any machine.)
#[test]
fn no_expansion_follows_after_the_time_is_up() {
    const TIME: Duration = Duration::from_millis(40);
    let late = Arc::new(AtomicU64::new(0));
    let ways = all_ways();
    for way in &ways {
        late.store(0, Ordering::Relaxed);
        let (began, counted) = (Instant::now(), Arc::clone(&late));
        let tree = Tree::new(move |call| {
            if began.elapsed() > TIME + Duration::from_millis(100) {
                counted.fetch_add(1, Ordering::Relaxed);
            }
            if call == 3000 {
                thread::sleep((TIME + Duration::from_millis(150)).saturating_sub(began.elapsed()));
            }
        });
        let report = (way.run)(&tree, Limits::new().time(TIME));
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time), "{}", way.name);
        let late = late.load(Ordering::Relaxed);
        // A machine that is very busy may be late itself.
        assert!(late <= 2, "{}: {late}", way.name);
    }
}

thread_local! {
    static COMPARISONS: Cell<u64> = const { Cell::new(0) };
}

/// Costs that count how often they are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Counted(u64);

impl PartialOrd for Counted {
    fn partial_cmp(&self, other: &Self) -> Option<Order> {
        COMPARISONS.set(COMPARISONS.get() + 1);
        self.0.partial_cmp(&other.0)
    }
}

impl Cost for Counted {
    const ZERO: Self = Self(0);
    const INFINITY: Self = Self(u64::MAX);

    fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }
}

/// Between two looks at the clock anytime search and rectangle search expand one state, and do not go through their open
/// states.
#[test]
fn no_step_of_an_anytime_search_takes_many_comparisons() {
    let tree = FnProblem::new(
        |&n: &u64| {
            [1, 2, 3].map(|branch| {
                (n.wrapping_mul(3).wrapping_add(branch), Counted(1 + (n % 5 + branch) % 5))
            })
        },
        |&n: &u64| Counted(n % 3),
        |_: &u64| false,
    );
    let searches: [Box<dyn AnySearch<u64, (), Counted> + '_>; 2] =
        [Box::new(Anytime::new(&tree).search(0)), Box::new(Rectangle::new(&tree).search(0))];
    for (mut search, name) in searches.into_iter().zip(["anytime", "rectangle"]) {
        let mut most = 0;
        for _ in 0..30_000 {
            let before = COMPARISONS.get();
            assert!(search.step().expect("costs are numbers").is_none());
            most = most.max(COMPARISONS.get() - before);
        }
        assert!(most < 4000, "{name}: {most} comparisons");
    }
}

/// How late runs come back, but for one expansion: with quick expansions alone, and where slow ones follow. To be run in
/// release on a machine that is otherwise idle.
#[test]
#[ignore = "takes seconds, and measures the machine, too: cargo test --release --all-features --test time_limits -- --ignored --nocapture"]
fn lateness() {
    const TIME: Duration = Duration::from_millis(20);
    for slow in [Duration::ZERO, Duration::from_millis(3)] {
        for way in &all_ways() {
            let mut late: Vec<_> = (0..21)
                .map(|_| {
                    let tree = Tree::new(move |call| {
                        let began = Instant::now();
                        work();
                        while call > 3000 && began.elapsed() < slow {
                            std::hint::spin_loop();
                        }
                    });
                    let began = Instant::now();
                    let report = (way.run)(&tree, Limits::new().time(TIME));
                    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Time));
                    began.elapsed().saturating_sub(TIME + slow)
                })
                .collect();
            late.sort_unstable();
            let name = way.name;
            println!("{name}, then {slow:?}: median {:?}, most {:?}", late[10], late[20]);
        }
    }
}

/// A line with many starts and goals, which counts the calls of its heuristics and does something at each.
struct ManyEnds {
    ends: u64,
    calls: Cell<u64>,
    back: Cell<u64>,
    /// How often it was asked whether a state is a goal.
    tests: Cell<u64>,
    at_call: Box<dyn Fn(u64)>,
}

impl ManyEnds {
    fn new(ends: u64, at_call: impl Fn(u64) + 'static) -> Self {
        let [calls, back, tests] = [(); 3].map(|()| Cell::new(0));
        Self { ends, calls, back, tests, at_call: Box::new(at_call) }
    }

    fn starts(&self) -> Vec<(u64, u32)> {
        (0..self.ends).map(|nth| (nth, 0)).collect()
    }

    fn call(&self) -> u32 {
        self.calls.set(self.calls.get() + 1);
        (self.at_call)(self.calls.get());
        0
    }
}

impl SearchProblem for ManyEnds {
    type State = u64;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &n: &u64, next: &mut Successors<Self>) {
        next.push((), n + 1, 1);
    }
    fn heuristic(&self, _: &u64) -> u32 {
        self.call()
    }
    fn is_goal(&self, &n: &u64) -> bool {
        self.tests.set(self.tests.get() + 1);
        n >= 2 * self.ends
    }
}

impl Reversible for ManyEnds {
    fn predecessors(&self, &n: &u64, previous: &mut Successors<Self>) {
        if n > 0 {
            previous.push((), n - 1, 1);
        }
    }
    fn goals(&self) -> impl Iterator<Item = u64> {
        2 * self.ends..3 * self.ends
    }
    fn heuristic_from(&self, _: &u64, _: &u64) -> u32 {
        self.back.set(self.back.get() + 1);
        0
    }
}

/// No other start or goal is stored or tested, and no state is expanded.
#[test]
fn no_start_follows_after_a_search_is_cancelled() {
    macro_rules! ways {
        ($($name:literal: $starts:literal |$problem:ident| $search:expr;)*) => {$({
            for at in [1, 20, 40].into_iter().filter(|&at| at <= $starts) {
                let token = CancelToken::new();
                let cancelled = token.clone();
                let $problem = ManyEnds::new(40, move |call| if call == at { cancelled.cancel() });
                let limits = Limits::new().cancel(&token);
                let from = || $problem.starts().into_iter().take($starts);
                let mut search = $search.limits(limits).search_from(from());
                let stopped = search.run().unwrap();
                assert_eq!(stopped.outcome, Outcome::Stopped(StopReason::Cancelled), $name);
                assert_eq!((stopped.stats.expanded, $problem.calls.get()), (0, at), $name);
                assert!($problem.tests.get() <= at + 2, $name);
                search.set_limits(Limits::new());
                let cost = search.run().unwrap().cost();
                let whole = $search.search_from(from()).run().unwrap();
                assert_eq!(cost, whole.cost(), $name);
                assert!(cost.is_some());
            }
        })*};
    }
    ways! {
        "A*": 40 |problem| AStar::new(&problem);
        "A*, one start": 1 |problem| AStar::new(&problem);
        "anytime A*": 40 |problem| AnytimeAStar::new(&problem);
        "k best": 40 |problem| KBest::new(&problem);
        "all optimal": 40 |problem| AllOptimal::new(&problem);
        "branch and bound": 40 |problem| BranchAndBound::new(&problem);
        "breadth first": 40 |problem| BreadthFirst::new(&problem);
        "beam": 40 |problem| Beam::new(&problem);
        "rectangle": 40 |problem| Rectangle::new(&problem);
        "anytime": 40 |problem| Anytime::new(&problem);
        "nbs": 40 |problem| Bidirectional::new(&problem).nbs();
    }
}

/// A key that does something whenever it is compared.
struct Compared<'c> {
    key: u64,
    at_call: &'c dyn Fn(),
}

impl PartialEq for Compared<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Compared<'_> {}

impl PartialOrd for Compared<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Order> {
        Some(self.cmp(other))
    }
}

impl Ord for Compared<'_> {
    fn cmp(&self, other: &Self) -> Order {
        (self.at_call)();
        self.key.cmp(&other.key)
    }
}

/// It makes the keys of its starts one by one, and sorts them in steps.
#[test]
fn branch_and_bound_stops_while_it_sorts_its_starts() {
    const COUNT: u64 = 40_000;
    // In a step of 4096 starts each is compared with half of eight others at most.
    const STEP: u64 = 4096 * 4;
    let starts = || (0..COUNT).map(|nth| (nth * 7919 % COUNT, 0));
    let line = FnProblem::new(|&n: &u64| [(n + 1, 0_u32)], |_: &u64| 0, |&n: &u64| n == COUNT);
    for [at_key, at_comparison] in [[0, 1], [0, 200_000], [0, 400_000], [1, 0], [COUNT / 2, 0]] {
        let token = CancelToken::new();
        let [keys, comparisons] = [(); 2].map(|()| Cell::new(0));
        let count = |calls: &Cell<u64>, at| {
            calls.set(calls.get() + 1);
            if calls.get() == at {
                token.cancel();
            }
        };
        let at_call = || count(&comparisons, at_comparison);
        let mut search = BranchAndBound::new(&line)
            .order_by(|&n, _, _| {
                count(&keys, at_key);
                Compared { key: COUNT - n, at_call: &at_call }
            })
            .limits(Limits::new().cancel(&token))
            .search_from(starts());
        let stopped = search.run().unwrap();
        assert_eq!(stopped.outcome, Outcome::Stopped(StopReason::Cancelled));
        assert_eq!(stopped.stats.expanded, 0);
        if at_key > 0 {
            assert_eq!((keys.get(), comparisons.get()), (at_key, 0));
        } else {
            assert!(comparisons.get() < at_comparison + STEP, "{}", comparisons.get());
        }
        // The one with the least key comes first.
        search.set_limits(Limits::new());
        let report = search.run().unwrap();
        assert_eq!((report.cost(), report.stats.expanded), (Some(0), 1));
    }
}

/// A line with many goals, which are listed one by one; a token is cancelled at one of them.
struct ManyGoals {
    token: CancelToken,
    at: u64,
    listed: Cell<u64>,
}

const GOALS: u64 = 40;

impl SearchProblem for ManyGoals {
    type State = u64;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &n: &u64, next: &mut Successors<Self>) {
        next.push((), n + 1, 1);
    }
    fn is_goal(&self, &n: &u64) -> bool {
        (9..9 + GOALS).contains(&n)
    }
}

impl Reversible for ManyGoals {
    fn predecessors(&self, &n: &u64, previous: &mut Successors<Self>) {
        if n > 0 {
            previous.push((), n - 1, 1);
        }
    }
    fn goals(&self) -> impl Iterator<Item = u64> {
        (9..9 + GOALS).inspect(|_| {
            self.listed.set(self.listed.get() + 1);
            if self.listed.get() == self.at {
                self.token.cancel();
            }
        })
    }
}

/// No other goal is listed, and those that were are not stored twice.
#[test]
fn no_goal_is_listed_after_a_search_is_cancelled() {
    macro_rules! ways {
        ($($name:literal: |$problem:ident| $search:expr;)*) => {$({
            for at in [1, 20, GOALS] {
                let token = CancelToken::new();
                let limits = Limits::new().cancel(&token);
                let $problem = ManyGoals { token, at, listed: Cell::new(0) };
                let mut search = $search.limits(limits).search(0);
                let stopped = search.run().unwrap();
                assert_eq!(stopped.outcome, Outcome::Stopped(StopReason::Cancelled), $name);
                assert_eq!(($problem.listed.get(), stopped.stats.stored), (at, 0), $name);
                search.set_limits(Limits::new());
                assert_eq!(search.run().unwrap().cost(), Some(9), $name);
                assert!($problem.listed.get() <= at + GOALS, $name);
            }
        })*};
    }
    ways! {
        "bae": |problem| Bidirectional::new(&problem);
        "nbs": |problem| Bidirectional::new(&problem).nbs();
        "replanner": |problem| Replanner::new(&problem);
    }
}

/// What is left of the way back is nothing at a start: it need not be asked for from every other start.
#[test]
fn many_starts_are_stored_without_the_heuristic_from_each_to_each() {
    let token = CancelToken::new();
    let cancelled = token.clone();
    let problem = ManyEnds::new(1000, move |call| {
        if call == 1000 {
            cancelled.cancel();
        }
    });
    let search = Bidirectional::new(&problem).limits(Limits::new().cancel(&token));
    let report = search.search_from(problem.starts()).run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
    assert_eq!((report.stats.stored, problem.back.get()), (1000, 0));
}
