//! Panics between expansions, most in `Clone` and `Drop`: the search says so, and does not go on with half of what was to change.

use std::cell::Cell;
use std::hash::Hash;

use bestfirst::{
    AStar, Dijkstra, FnProblem, Replanner, Reversible, SearchError, SearchProblem, Successors,
};

use support::panics::panics;

thread_local! {
    /// The state whose next clone, or drop, panics, if any.
    static NO_CLONE: Cell<Option<u32>> = const { Cell::new(None) };
    static NO_DROP: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Panics if that state is armed, and disarms it.
fn check(armed: &'static std::thread::LocalKey<Cell<Option<u32>>>, state: u32) {
    if armed.get() == Some(state) {
        armed.set(None);
        panic!("as planned");
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct State(u32);

impl Clone for State {
    fn clone(&self) -> Self {
        check(&NO_CLONE, self.0);
        Self(self.0)
    }
}

impl Drop for State {
    fn drop(&mut self) {
        check(&NO_DROP, self.0);
    }
}

/// States from 0 to 9 in a line, and what a step costs.
struct Line {
    step: u32,
    panics_in_drop: bool,
}

impl Drop for Line {
    fn drop(&mut self) {
        assert!(!self.panics_in_drop || std::thread::panicking(), "as planned");
    }
}

impl SearchProblem for Line {
    type State = State;
    type Action = ();
    type Cost = u32;

    fn successors(&self, state: &State, next: &mut Successors<Self>) {
        if state.0 < 9 {
            next.push((), State(state.0 + 1), self.step);
        }
    }
    fn is_goal(&self, state: &State) -> bool {
        state.0 == 9
    }
}

impl Reversible for Line {
    fn predecessors(&self, state: &State, previous: &mut Successors<Self>) {
        if state.0 > 0 {
            previous.push((), State(state.0 - 1), self.step);
        }
    }
    fn goals(&self) -> impl Iterator<Item = State> {
        [State(9)].into_iter()
    }
}

/// It went on with the states of the old problem: a path of 505 was said to be optimal.
#[test]
fn a_problem_that_panics_as_it_is_dropped_leaves_no_search_to_go_on_with() {
    let mut search = AStar::new(Line { step: 1, panics_in_drop: true }).search(State(0));
    search.run_for(5).unwrap();
    let other = Line { step: 100, panics_in_drop: false };
    assert!(panics(|| search.restart_with(other, State(0))));
    assert_eq!(search.run(), Err(SearchError::Panicked));
    search.restart(State(0));
    assert_eq!(search.run().unwrap().cost(), Some(900));
}

/// The next call returned the state after it.
#[test]
fn a_settled_state_that_panics_as_it_is_cloned_is_not_left_out() {
    let line = FnProblem::new(
        |state: &State| (state.0 < 6).then(|| (State(state.0 + 1), 1_u32)),
        |_: &State| 0,
        |_: &State| false,
    );
    let mut search = Dijkstra::new(&line).search(State(0));
    let mut settled = search.settled();
    for expected in 0..3 {
        assert_eq!(settled.next(), Some(Ok((State(expected), expected))));
    }
    NO_CLONE.set(Some(3));
    assert!(panics(|| drop(settled.next())));
    assert_eq!(settled.next(), Some(Err(SearchError::Panicked)));
    assert_eq!(settled.next(), None);
    search.restart(State(0));
    assert_eq!(search.settled().count(), 7);
}

/// There was no start any more, so it was proved that there is no path.
#[test]
fn a_start_that_panics_as_it_is_dropped_is_replaced() {
    let line = Line { step: 1, panics_in_drop: false };
    let mut search = Replanner::new(line).search_from([(State(0), 0), (State(1), 5)]);
    assert_eq!(search.run().unwrap().cost(), Some(9));
    for dropped in [0, 1] {
        let start = State(4);
        NO_DROP.set(Some(dropped));
        assert!(panics(|| search.moved_to(&start)));
        assert_eq!(search.run().unwrap().cost(), Some(5));
        search.restart_from([(State(0), 0), (State(1), 5)]);
        assert_eq!(search.run().unwrap().cost(), Some(9));
    }
}

/// The next call went on, as if nothing had happened.
#[test]
fn a_panic_on_the_way_to_the_closest_state_ends_the_search() {
    let panics_now = Cell::new(false);
    let steps = |&n: &u32| {
        assert!(!panics_now.get(), "as planned");
        [(n + 1, 1.0)]
    };
    let left = |&n: &u32| f64::from(10_u32.saturating_sub(n));
    let line = FnProblem::new(steps, left, |&n: &u32| n == 10);
    let mut search = AStar::new(&line).search(0);
    assert_eq!(search.run_for(5), Ok(None));
    panics_now.set(true);
    assert!(panics(|| drop(search.report())));
    panics_now.set(false);
    assert_eq!(search.run(), Err(SearchError::Panicked));
    search.restart(0);
    assert_eq!(search.run().unwrap().cost(), Some(10.0));
}
