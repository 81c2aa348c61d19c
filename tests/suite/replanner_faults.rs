//! Replanning where costs are rounded or do not fit, where something panics, and where time is short.

use std::cell::Cell as Shared;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bestfirst::{
    CancelToken, Cost, Limits, Outcome, Replanner, Reversible, SearchError, SearchProblem,
    StopReason, Successors,
};

/// Steps from one node to another at a cost; 0 is the goal, and what lies between is estimated by a function.
struct Steps<C, H> {
    steps: Vec<(u8, u8, C)>,
    heuristic: H,
}

impl<C: Cost, H: Fn(u8, u8) -> C> SearchProblem for Steps<C, H> {
    type State = u8;
    type Action = ();
    type Cost = C;

    fn successors(&self, &node: &u8, next: &mut Successors<Self>) {
        let from = self.steps.iter().filter(|step| step.0 == node);
        next.extend(from.map(|step| ((), step.1, step.2)));
    }

    fn is_goal(&self, &node: &u8) -> bool {
        node == 0
    }
}

impl<C: Cost, H: Fn(u8, u8) -> C> Reversible for Steps<C, H> {
    fn predecessors(&self, &node: &u8, previous: &mut Successors<Self>) {
        let to = self.steps.iter().filter(|step| step.1 == node);
        previous.extend(to.map(|step| ((), step.0, step.2)));
    }

    fn goals(&self) -> impl Iterator<Item = u8> {
        [0].into_iter()
    }

    fn heuristic_from(&self, &start: &u8, &node: &u8) -> C {
        (self.heuristic)(start, node)
    }
}

/// The start moves from far away to a node near the goal, and then a cheaper path appears. Returns its cost, and what a run
/// finds that may not cost more than `limit`.
fn after_a_far_move<C: Cost>(far: C, [direct, one, last]: [C; 3], limit: C) -> [Option<C>; 2] {
    [Limits::new(), Limits::new().cost(limit)].map(|limits| {
        let heuristic = |a: u8, b: u8| if (a == 9) == (b == 9) { C::ZERO } else { far };
        let steps = vec![(9, 1, far), (1, 9, far), (1, 0, direct)];
        let mut search = Replanner::new(Steps { steps, heuristic }).consistent().search(9);
        assert!(search.run().unwrap().cost().is_some());
        search.moved_to(&1);
        assert_eq!(search.run().unwrap().cost(), Some(direct));
        search.problem_mut().steps.extend([(1, 2, one), (2, 3, one), (3, 0, last)]);
        for node in [1, 2, 3] {
            search.changed(&node);
        }
        search.set_limits(limits);
        let report = search.run().unwrap();
        report.path().unwrap().verify(search.problem()).unwrap();
        report.cost()
    })
}

#[test]
fn a_far_move_hides_no_cheaper_path() {
    assert_eq!(after_a_far_move(2e9_f32, [5.0, 1.0, 1.0], 3.0), [Some(3.0); 2]);
    assert_eq!(after_a_far_move(2e18_f64, [5.0, 1.0, 1.0], 3.0), [Some(3.0); 2]);
    assert_eq!(after_a_far_move(2_000_000_000_u32, [5, 1, 1], 3), [Some(3); 2]);
    // The first parts are equal.
    let costs = [(1_u8, 5.0_f32), (0, 1.0), (1, 1.0)];
    assert_eq!(after_a_far_move((1, 2e9), costs, (1, 3.0)), [Some((1, 3.0)); 2]);
}

/// A path within the limit is found although an open state beyond it has the same key.
#[test]
fn a_far_move_stops_no_run_at_its_limit_on_the_cost() {
    let far = 2e9_f32;
    let heuristic = |a: u8, b: u8| if (a == 9) == (b == 9) { 0.0 } else { far };
    let steps = vec![(9, 5, far), (5, 9, far), (5, 0, 0.0)];
    let mut search = Replanner::new(Steps { steps, heuristic }).consistent().search(9);
    assert!(search.run().unwrap().cost().is_some());
    // From 1 there is no path; from 2 and 3 there are, of two steps and of one.
    search.problem_mut().steps.extend([(6, 0, 4.0), (3, 0, 1.0), (2, 3, 1.0), (1, 2, 1.0)]);
    search.moved_to(&1);
    for node in [6, 3, 2, 1] {
        search.changed(&node);
    }
    search.set_limits(Limits::new().cost(3.0));
    assert_eq!(search.run().unwrap().cost(), Some(3.0));
}

#[test]
fn a_sum_that_does_not_fit_matters_only_where_a_state_is_not_reached() {
    let zero: fn(u8, u8) -> u8 = |_, _| 0;
    // 1 leads to itself at a cost that does not fit behind it.
    let known = vec![(1, 0, 200_u8), (1, 1, 100)];
    let search = || Replanner::new(Steps { steps: known.clone(), heuristic: zero });
    let report = search().search(2).run().unwrap();
    assert_eq!(report.outcome, Outcome::Exhausted);
    // 1 is known at 200 first, which does not fit with the estimate, and then at 100.
    let heuristic: fn(u8, u8) -> u8 = |_, node| if node == 1 { 100 } else { 0 };
    let steps = vec![(1, 0, 200), (3, 0, 50), (1, 3, 50)];
    let report = Replanner::new(Steps { steps: steps.clone(), heuristic }).search(2).run().unwrap();
    assert_eq!(report.outcome, Outcome::Exhausted);
    // It matters at 4, which is reached only by a sum that does not fit, at 1 if it stays at 200, and at the start.
    let error = |steps: &[(u8, u8, u8)], heuristic, start| {
        let steps = Steps { steps: steps.to_vec(), heuristic };
        Replanner::new(steps).search_from([start]).run().map(|report| report.outcome)
    };
    let overflow = |g, added| Err(SearchError::Overflow { g, added });
    let left_out = [&known[..], &[(4, 1, 70), (4, 1, 60)]].concat();
    assert_eq!(error(&left_out, zero, (2, 0)), overflow(200, 60));
    // Without memory to note that, all states are looked at.
    let most = usize::try_from(report.stats.peak_bytes).unwrap();
    let ends = (0..most + 100).map(|bytes| {
        let steps = Steps { steps: left_out.clone(), heuristic: zero };
        let limits = Limits::new().memory(bytes);
        Replanner::new(steps).limits(limits).search(2).run().map(|report| report.outcome)
    });
    let (stopped, errors): (Vec<_>, Vec<_>) = ends.partition(Result::is_ok);
    assert!(stopped.iter().all(|end| *end == Ok(Outcome::Stopped(StopReason::Memory))));
    assert!(stopped.len() > 10 && errors.iter().all(|end| *end == overflow(200, 60)));
    assert_eq!(error(&steps[..1], heuristic, (2, 0)), overflow(200, 100));
    assert_eq!(error(&known, zero, (1, 100)), overflow(100, 200));
    // After a change, too.
    let mut search = search().search(2);
    let _ = search.run().unwrap();
    search.problem_mut().steps.push((4, 1, 60));
    search.changed(&4);
    assert_eq!(search.run().map(|report| report.outcome), overflow(200, 60));
    search.problem_mut().steps.push((4, 0, 60));
    search.changed(&4);
    assert_eq!(search.run().map(|report| report.outcome), Ok(Outcome::Exhausted));
}

/// The states of a line; the next clone may panic.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Fragile(u32);

thread_local! {
    static IS_BROKEN: Shared<bool> = const { Shared::new(false) };
}

impl Clone for Fragile {
    fn clone(&self) -> Self {
        assert!(!IS_BROKEN.replace(false), "a fault of the state");
        Self(self.0)
    }
}

struct Line;

impl SearchProblem for Line {
    type State = Fragile;
    type Action = ();
    type Cost = u32;

    fn successors(&self, state: &Fragile, next: &mut Successors<Self>) {
        if state.0 > 0 {
            next.push((), Fragile(state.0 - 1), 1);
        }
    }

    fn is_goal(&self, state: &Fragile) -> bool {
        state.0 == 0
    }
}

impl Reversible for Line {
    fn predecessors(&self, state: &Fragile, previous: &mut Successors<Self>) {
        if state.0 < 9 {
            previous.push((), Fragile(state.0 + 1), 1);
        }
    }

    fn goals(&self) -> impl Iterator<Item = Fragile> {
        [Fragile(0)].into_iter()
    }
}

#[test]
fn a_panic_during_a_move_leaves_the_start_where_it_is() {
    for is_consistent in [false, true] {
        let builder = Replanner::new(Line);
        let builder = if is_consistent { builder.consistent() } else { builder };
        let mut search = builder.search(Fragile(5));
        assert_eq!(search.run().unwrap().cost(), Some(5));
        IS_BROKEN.set(true);
        assert!(catch_unwind(AssertUnwindSafe(|| search.moved_to(&Fragile(7)))).is_err());
        assert_eq!(search.run().unwrap().cost(), Some(5));
        search.moved_to(&Fragile(7));
        assert_eq!(search.run().unwrap().cost(), Some(7));
    }
}

#[test]
fn nothing_is_proved_while_the_problem_changes() {
    let steps = vec![(1, 0, 5_u8)];
    let mut search = Replanner::new(Steps { steps, heuristic: |_, _| 0 }).search(1);
    assert_eq!(search.run().unwrap().cost(), Some(5));
    search.problem_mut().steps.extend([(1, 2, 1), (2, 0, 1)]);
    let report = search.report().unwrap();
    assert_eq!((report.lower_bound, report.incumbent), (0, None));
    search.changed(&1);
    search.changed(&2);
    assert_eq!(search.run().unwrap().cost(), Some(2));
}

/// A grid that counts what is asked of it, and cancels a token then.
struct Watched<'a> {
    token: &'a CancelToken,
    asks: &'a Shared<u32>,
    is_broken_by: Asked,
}

#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Successors,
    Heuristic,
}

const SIDE: u32 = 60;

impl Watched<'_> {
    fn ask(&self, asked: Asked) {
        if asked == self.is_broken_by {
            self.asks.set(self.asks.get() + 1);
            self.token.cancel();
        }
    }
}

impl SearchProblem for Watched<'_> {
    type State = (u32, u32);
    type Action = ();
    type Cost = u32;

    fn successors(&self, &(x, y): &(u32, u32), next: &mut Successors<Self>) {
        self.ask(Asked::Successors);
        next.extend((x > 0).then(|| ((), (x - 1, y), 1)));
        next.extend((y > 0).then(|| ((), (x, y - 1), 1)));
    }

    fn is_goal(&self, &state: &(u32, u32)) -> bool {
        state == (0, 0)
    }
}

impl Reversible for Watched<'_> {
    fn predecessors(&self, &(x, y): &(u32, u32), previous: &mut Successors<Self>) {
        previous.extend((x < SIDE).then(|| ((), (x + 1, y), 1)));
        previous.extend((y < SIDE).then(|| ((), (x, y + 1), 1)));
    }

    fn goals(&self) -> impl Iterator<Item = (u32, u32)> {
        [(0, 0)].into_iter()
    }

    fn heuristic_from(&self, &(x, y): &(u32, u32), &(a, b): &(u32, u32)) -> u32 {
        self.ask(Asked::Heuristic);
        x.abs_diff(a).max(y.abs_diff(b))
    }
}

#[test]
fn a_run_that_is_cancelled_while_it_catches_up_ends() {
    for is_broken_by in [Asked::Successors, Asked::Heuristic] {
        let (token, asks) = (CancelToken::new(), Shared::new(0));
        let problem = || Watched { token: &token, asks: &asks, is_broken_by };
        // What a run looks at, without a token and with one.
        let counts = [Limits::new(), Limits::new().cancel(&token)].map(|limits| {
            let mut search = Replanner::new(problem()).search((SIDE / 2, SIDE / 2));
            assert_eq!(search.run().unwrap().cost(), Some(SIDE));
            if is_broken_by == Asked::Successors {
                for x in 0..SIDE {
                    search.changed(&(x, 3));
                }
            } else {
                search.moved_to(&(SIDE / 2 + 5, SIDE / 2 - 5));
            }
            search.set_limits(limits);
            token.reset();
            asks.set(0);
            let report = search.run().unwrap();
            let count = if is_broken_by == Asked::Successors {
                asks.get().into()
            } else {
                report.stats.evaluated
            };
            let is_stopped = report.outcome == Outcome::Stopped(StopReason::Cancelled);
            (is_stopped, count, report.stats.expanded)
        });
        let [(false, all, _), (true, few, expanded)] = counts else { panic!("{counts:?}") };
        assert!(all > 20 && few <= 2 && expanded == 0, "{counts:?}");
    }
}

/// Nodes on a line: 0 and those from 3 on in the middle, 1 and 2 at both ends. What is open in the middle has too small a
/// key when the start has moved from one end to the other.
#[test]
fn a_run_that_is_cancelled_at_keys_that_are_too_small_ends() {
    let token = CancelToken::new();
    let place = |node: u8| [0, 10, -10].get(usize::from(node)).copied().unwrap_or(0);
    let heuristic = |a, b| {
        token.cancel();
        u32::from(i8::abs_diff(place(a), place(b)))
    };
    let steps = [(1, 0, 10), (2, 0, 30)].into_iter().chain((3..200).map(|node| (node, 0, 5)));
    let steps = steps.collect::<Vec<_>>();
    let counts = [Limits::new(), Limits::new().cancel(&token)].map(|limits| {
        let steps = Steps { steps: steps.clone(), heuristic };
        let mut search = Replanner::new(steps).consistent().search(1);
        assert_eq!(search.run().unwrap().cost(), Some(10));
        search.moved_to(&2);
        search.set_limits(limits);
        token.reset();
        let report = search.run().unwrap();
        (report.cost(), report.stats.evaluated)
    });
    let [(Some(30), all), (None, few)] = counts else { panic!("{counts:?}") };
    assert!(all > 190 && few <= 2, "{counts:?}");
}

/// What is proved is known by the keys of the open states: the heuristic is not asked again for each of them.
#[test]
fn the_report_of_a_run_that_is_cancelled_asks_for_few_heuristic_values() {
    let token = CancelToken::new();
    let [left, late] = [(); 2].map(|()| Shared::new(0));
    let heuristic = |start: u8, node: u8| {
        if token.is_cancelled() {
            late.set(late.get() + 1);
        } else if left.replace(left.get() - 1) == 1 {
            token.cancel();
        }
        u32::from(node != start)
    };
    let steps = (3..200).flat_map(|node| [(1, node, 1), (2, node, 1), (node, 0, 5)]);
    let steps = Steps { steps: steps.collect(), heuristic };
    let mut search = Replanner::new(steps).consistent().search(1);
    search.set_limits(Limits::new().cancel(&token));
    // In the second expansion, and where the keys of open states are outdated.
    for (start, asks, bounds) in [(1, 199, 6..=6), (2, 100, 5..=6)] {
        search.moved_to(&start);
        token.reset();
        left.set(asks);
        late.set(0);
        let report = search.run().unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
        assert!(late.get() <= 3, "{} at {start}", late.get());
        assert!(bounds.contains(&report.lower_bound), "{} at {start}", report.lower_bound);
    }
}

/// A line of nodes down to 0, with a step from each to the next smaller one, whose goals can be changed.
struct ManyGoals {
    goals: Vec<u32>,
    /// Whether asking for predecessors panics after many of them.
    panics: Shared<bool>,
}

impl SearchProblem for ManyGoals {
    type State = u32;
    type Action = ();
    type Cost = u32;

    fn successors(&self, &node: &u32, next: &mut Successors<Self>) {
        next.extend(node.checked_sub(1).map(|below| ((), below, 1)));
    }

    fn is_goal(&self, node: &u32) -> bool {
        self.goals.contains(node)
    }
}

impl Reversible for ManyGoals {
    fn predecessors(&self, &node: &u32, previous: &mut Successors<Self>) {
        if self.panics.take() {
            previous.extend((0..100_000).map(|_| ((), node + 1, 1)));
            panic!("in the middle");
        }
        previous.push((), node + 1, 1);
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        self.goals.clone().into_iter()
    }
}

#[test]
fn goals_that_change_while_they_are_listed_are_all_found() {
    let problem = ManyGoals { goals: vec![1, 2, 3, 4, 5], panics: Shared::new(false) };
    let mut search = Replanner::new(problem).limits(Limits::new().memory(16)).search(9);
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
    search.set_limits(Limits::new());
    search.problem_mut().goals = vec![5];
    for node in 1..5 {
        search.changed(&node);
    }
    assert_eq!(search.run().unwrap().cost(), Some(4));
}

#[test]
fn predecessors_that_a_panic_left_behind_are_not_kept() {
    let problem = ManyGoals { goals: vec![0], panics: Shared::new(true) };
    let mut search = Replanner::new(problem).limits(Limits::new().memory(100_000)).search(9);
    assert!(catch_unwind(AssertUnwindSafe(|| search.run())).is_err());
    search.restart(9);
    assert_eq!(search.run().unwrap().cost(), Some(9));
}
