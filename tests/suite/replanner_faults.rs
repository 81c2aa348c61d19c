//! Replanning where something panics, and where the problem is being changed.

use std::cell::Cell as Shared;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bestfirst::{Cost, Replanner, Reversible, SearchProblem, Successors};

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
