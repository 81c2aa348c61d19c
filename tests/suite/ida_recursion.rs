//! IDA* searches by recursion, in place and by lists of successors, and is the same search whatever stops it.

use std::cell::Cell;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use bestfirst::{
    CancelToken, IdaStar, InPlaceProblem, Limits, Observer, Outcome, Report, SearchError,
    SearchProblem, StopReason, Successors,
};
use support::erased::problem;
use support::panics::silence;
use support::random::{self, rounds};

/// A tree of numbers: from each, steps to three others, and one straight back. Some are dead ends.
#[derive(Clone, Copy)]
struct Tree {
    goal: u32,
    depth: u32,
}

/// The depth of a state, and what tells it from others of that depth.
type Node = (u32, u32);

impl Tree {
    fn step((depth, name): Node, step: i8) -> (Node, u32) {
        match u32::try_from(step) {
            // Only one step leads back to a parent.
            Err(_) => ((depth.saturating_sub(1), name / 3), 1),
            Ok(step) => ((depth + 1, name.wrapping_mul(3) + step), 1 + (name + step) % 2),
        }
    }
}

impl SearchProblem for Tree {
    type State = Node;
    type Action = i8;
    type Cost = u32;

    fn successors(&self, &node: &Node, next: &mut Successors<Self>) {
        for step in [0, -1, 1, 2] {
            let (state, cost) = Self::step(node, step);
            next.push(step, state, cost);
        }
    }

    fn heuristic(&self, &(depth, name): &Node) -> u32 {
        let is_dead = name % 11 == 10 && name != self.goal;
        if is_dead { u32::MAX } else { self.depth.saturating_sub(depth) }
    }

    fn is_goal(&self, &node: &Node) -> bool {
        node == (self.depth, self.goal)
    }
}

impl InPlaceProblem for Tree {
    type Actions = std::array::IntoIter<i8, 4>;
    type Undo = Node;

    fn actions(&self, _: &Node) -> Self::Actions {
        [0, -1, 1, 2].into_iter()
    }

    fn apply(&self, node: &mut Node, &step: &i8) -> (u32, Node) {
        let (next, cost) = Self::step(*node, step);
        (cost, std::mem::replace(node, next))
    }

    fn undo(&self, node: &mut Node, before: Node) {
        *node = before;
    }
}

/// The report without the peak of memory, which depends on where a search was stopped.
fn plain<S, A, C: Copy>(mut report: Report<S, A, C>) -> Report<S, A, C> {
    report.stats.peak_bytes = 0;
    report
}

/// Stops at every expansion, or at every few of them, and goes on.
macro_rules! check_stops {
    ($search:expr) => {{
        let whole = plain($search.run().unwrap());
        let total = whole.stats.expanded;
        for every in [1, 2, 7, 8, 9, 40] {
            let mut search = $search;
            let mut at = 0;
            let last = loop {
                at += every;
                search.set_limits(Limits::new().expansions(at));
                let report = search.run().unwrap();
                if report.outcome != Outcome::Stopped(StopReason::Expansions) {
                    break report;
                }
                assert_eq!(report.stats.expanded, at);
                assert!(report.lower_bound <= whole.lower_bound);
            };
            assert_eq!(plain(last), whole, "every {every}");
        }
        for at in 0..total {
            let mut search = $search;
            search.set_limits(Limits::new().expansions(at));
            let report = search.run().unwrap();
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
            assert_eq!(report.stats.expanded, at);
            search.set_limits(Limits::new());
            assert_eq!(plain(search.run().unwrap()), whole, "at {at} of {total}");
        }
        whole
    }};
}

/// What an observer sees is searched without recursion.
struct Watch;

impl<S, C> Observer<S, C> for Watch {}

#[test]
fn a_stop_at_every_expansion_changes_nothing() {
    for (_, goal) in (0..rounds(6)).zip([40, 1, 80, 0, 13, 67]) {
        let tree = Tree { goal, depth: 4 };
        let listed = check_stops!(IdaStar::new(&tree).search((0, 0)));
        let in_place = check_stops!(IdaStar::new(&tree).in_place().search((0, 0)));
        assert!(listed.path().is_some() && listed.stats.dead_ends > 0 || goal < 2, "{listed:?}");
        assert_eq!(listed.cost(), in_place.cost());
        let watched = IdaStar::new(&tree).observer(Watch).search((0, 0)).run().unwrap();
        assert_eq!(plain(watched), listed);
    }
}

/// A tree that cancels the search while a state is expanded: at the first call from `next` on, and then after `every`
/// more.
struct Cancelling {
    tree: Tree,
    token: CancelToken,
    calls: Cell<u64>,
    next: Cell<u64>,
    every: u64,
}

impl Cancelling {
    fn new(tree: Tree, next: u64, every: u64) -> Self {
        let (token, calls) = (CancelToken::new(), Cell::new(0));
        Self { tree, token, calls, next: Cell::new(next), every }
    }

    fn call(&self) {
        self.calls.set(self.calls.get() + 1);
        if self.calls.get() == self.next.get() {
            self.token.cancel();
            self.next.set(self.next.get() + self.every);
        }
    }
}

impl SearchProblem for Cancelling {
    type State = Node;
    type Action = i8;
    type Cost = u32;

    fn successors(&self, node: &Node, next: &mut Successors<Self>) {
        self.call();
        for step in [0, -1, 1, 2] {
            let (state, cost) = Tree::step(*node, step);
            next.push(step, state, cost);
        }
    }
    fn heuristic(&self, node: &Node) -> u32 {
        self.tree.heuristic(node)
    }
    fn is_goal(&self, node: &Node) -> bool {
        self.tree.is_goal(node)
    }
}

impl InPlaceProblem for Cancelling {
    type Actions = std::array::IntoIter<i8, 4>;
    type Undo = Node;

    fn actions(&self, node: &Node) -> Self::Actions {
        self.call();
        self.tree.actions(node)
    }
    fn apply(&self, node: &mut Node, step: &i8) -> (u32, Node) {
        self.tree.apply(node, step)
    }
    fn undo(&self, node: &mut Node, before: Node) {
        self.tree.undo(node, before);
    }
}

/// Cancels a search at every call, and goes on: whole, or in slices of a few expansions. The second time that it is
/// cancelled may be while the stack follows.
macro_rules! check_cancelling {
    ($tree:expr, $make:expr) => {{
        let undisturbed = Cancelling::new($tree, u64::MAX, 1);
        let whole = plain($make(&undisturbed).search((0, 0)).run().unwrap());
        let disturbances =
            (1..undisturbed.calls.get()).flat_map(|at| [(at, 1), (at, 5), (at, 999)]);
        for (at, every) in disturbances.step_by(random::every(1)) {
            let problem = Cancelling::new($tree, at, every);
            let limits = Limits::new().cancel(&problem.token);
            let mut search = $make(&problem).limits(limits).search((0, 0));
            let mut before = 0;
            let last = loop {
                let slice = if at % 2 == 0 { u64::MAX } else { 1 + at % 13 };
                let Some(report) = search.run_for(slice).unwrap() else {
                    assert_eq!(search.stats().expanded - before, slice);
                    before = search.stats().expanded;
                    continue;
                };
                if report.outcome != Outcome::Stopped(StopReason::Cancelled) {
                    break report;
                }
                assert!(report.stats.expanded - before <= slice);
                assert!(report.lower_bound <= whole.lower_bound);
                before = report.stats.expanded;
                problem.token.reset();
            };
            assert_eq!(plain(last), whole, "at {at}, every {every}");
        }
        undisturbed.calls.get()
    }};
}

#[test]
fn a_stop_at_any_time_changes_nothing() {
    for (_, goal) in (0..rounds(2)).zip([13, 80]) {
        let tree = Tree { goal, depth: 4 };
        let listed = check_cancelling!(tree, IdaStar::new);
        let in_place = check_cancelling!(tree, |problem| IdaStar::new(problem).in_place());
        assert!(listed.min(in_place) > 10);
    }
}

/// The goal is deeper than a recursion goes, at every depth around that.
#[test]
fn goals_are_found_at_any_depth() {
    for depth in (0..20).chain(58..75).chain(125..135).chain(195..210).chain([1000]) {
        // Two ways at each step: straight on, and one that leads nowhere.
        let problem = problem(
            |&(n, is_off): &(u32, bool)| {
                let on = [((n + 1, false), 1_u32), ((n + 1, true), 1)];
                on.into_iter().filter(move |_| !is_off || n % 3 > 0)
            },
            |&(n, _)| depth - n.min(depth),
            |&state| state == (depth, false),
        );
        let report = IdaStar::new(&problem).search((0, false)).run().unwrap();
        assert_eq!(report.cost(), Some(depth));
        assert_eq!(report.path().unwrap().verify(&problem), Ok(()));
        let whole = plain(report);
        let expanded = whole.stats.expanded;
        for at in [expanded / 3, expanded / 2, expanded.saturating_sub(1)] {
            let limits = Limits::new().expansions(at);
            let mut search = IdaStar::new(&problem).limits(limits).search((0, false));
            let _ = search.run().unwrap();
            search.set_limits(Limits::new());
            assert_eq!(plain(search.run().unwrap()), whole);
        }
    }
}

/// States with more and more successors: the buffers of the recursion grow, and from some size on the stack
/// is searched without it.
#[test]
fn the_number_of_successors_may_grow() {
    for factor in [1, 2, 7, 100] {
        let problem = problem(
            move |&(depth, _): &(u32, u32)| {
                (0..if depth > 6 { 0 } else { 1 + depth * factor / 2 })
                    .map(move |name| ((depth + 1, name), 1 + name))
            },
            |_| 0,
            |&(depth, name)| depth == 6 && name == 1,
        );
        let whole = plain(IdaStar::new(&problem).search((0, 0)).run().unwrap());
        assert_eq!(whole.cost(), Some(7));
        for at in 1..whole.stats.expanded.min(200) {
            let limits = Limits::new().expansions(at);
            let mut search = IdaStar::new(&problem).limits(limits).search((0, 0));
            assert_eq!(search.run().unwrap().stats.expanded, at);
            search.set_limits(Limits::new());
            assert_eq!(plain(search.run().unwrap()), whole);
        }
        // Where there is no memory for the buffers, there is no recursion.
        let limits = Limits::new().memory(6000);
        let mut search = IdaStar::new(&problem).limits(limits).search((0, 0));
        let tight = search.run().unwrap();
        assert!(search.bytes() <= 6000);
        if tight.outcome != Outcome::Stopped(StopReason::Memory) {
            assert_eq!(plain(tight), whole);
        }
    }
}

/// A chain of 500 states, with `BYTES` bytes to undo a step: they are on the thread's stack for each state of
/// a recursion.
struct Wide<const BYTES: usize>;

impl<const BYTES: usize> SearchProblem for Wide<BYTES> {
    type State = Box<u32>;
    type Action = ();
    type Cost = u32;

    fn successors(&self, n: &Box<u32>, next: &mut Successors<Self>) {
        next.push((), Box::new(**n + 1), 1);
    }

    fn heuristic(&self, n: &Box<u32>) -> u32 {
        500 - **n
    }

    fn is_goal(&self, n: &Box<u32>) -> bool {
        **n == 500
    }
}

impl<const BYTES: usize> InPlaceProblem for Wide<BYTES> {
    type Actions = std::array::IntoIter<(), 1>;
    type Undo = [u8; BYTES];

    fn actions(&self, _: &Box<u32>) -> Self::Actions {
        [()].into_iter()
    }

    fn apply(&self, n: &mut Box<u32>, (): &()) -> (u32, Self::Undo) {
        **n += 1;
        (1, [1; BYTES])
    }

    fn undo(&self, n: &mut Box<u32>, undo: Self::Undo) {
        **n -= u32::from(std::hint::black_box(undo)[0]);
    }
}

/// What a problem needs of the thread's stack is limited, also in a thread that has little of it.
#[test]
fn code_that_needs_much_of_the_stack_is_not_too_deep() {
    fn check<P: InPlaceProblem<State = Box<u32>, Cost = u32>>(problem: &P) {
        let in_place = IdaStar::new(problem).in_place().search(Box::new(0)).run().unwrap();
        let listed = IdaStar::new(problem).search(Box::new(0)).run().unwrap();
        assert_eq!((in_place.cost(), listed.cost()), (Some(500), Some(500)));
        assert_eq!(in_place.stats.expanded, listed.stats.expanded);
    }
    let search = || {
        check(&Wide::<1>);
        check(&Wide::<1000>);
        // Too many for a recursion.
        check(&Wide::<8000>);
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(128 << 10);
        thread.spawn_scoped(scope, search).unwrap().join().unwrap();
    });
}

/// A panic in the middle of a recursion leaves the search usable.
#[test]
fn a_panic_leaves_the_search_usable() {
    silence();
    for panic_at in 1..60 {
        let calls = Cell::new(0_u32);
        let problem = problem(
            |&n: &u32| {
                calls.set(calls.get() + 1);
                assert!(calls.get() != panic_at, "as planned");
                [(2 * n + 1, 1_u32), (2 * n + 2, 1)]
            },
            |_: &u32| 0,
            |&n: &u32| n == 60,
        );
        let mut search = IdaStar::new(&problem).search(0);
        if catch_unwind(AssertUnwindSafe(|| search.run())).is_err() {
            assert_eq!(search.run(), Err(SearchError::Panicked));
        }
        search.restart(0);
        let again = plain(search.run().unwrap());
        assert_eq!(again, plain(IdaStar::new(&problem).search(0).run().unwrap()), "{panic_at}");
    }
}

/// The first expansions are made by the loop over the stack, and the buffers of a recursion as it goes deeper. Both must end: else
/// nothing recurses, or it is interrupted at each expansion, and those before are made again.
#[test]
fn a_long_search_recurses_and_repeats_few_expansions() {
    let (calls, least, most) = (Cell::new(0), Cell::new(usize::MAX), Cell::new(0));
    let problem = problem(
        |&(depth, name): &Node| {
            let local = 0_u8;
            let address = ptr::from_ref(black_box(&local)).addr();
            calls.set(calls.get() + 1);
            least.set(least.get().min(address));
            most.set(most.get().max(address));
            [0, 1]
                .map(|step| ((depth + 1, name * 2 + step), 1_u32))
                .into_iter()
                .take(if depth < 25 { 2 } else { 0 })
        },
        |_| 0,
        |_| false,
    );
    let limits = Limits::new().expansions(50_000);
    let report = IdaStar::new(&problem).limits(limits).search((0, 0)).run().unwrap();
    assert_eq!(report.stats.expanded, 50_000);
    assert!(calls.get() < 51_000, "{} calls", calls.get());
    let bytes = most.get() - least.get();
    assert!(bytes > 2_000, "{bytes} bytes of the thread's stack");
}
