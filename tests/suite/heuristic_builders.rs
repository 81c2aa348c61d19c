//! What makes heuristics looks at its limits after each state that it asks the problem for, and takes a problem that changes
//! meanwhile for an error.

use std::cell::Cell;

use bestfirst::heuristics::{
    BuildError, CustomizableHierarchy, DistanceError, Hierarchy, Landmarks, PatternDatabase,
    Selection,
};
use bestfirst::{
    CancelToken, DenseStates, Limits, Reversible, SearchProblem, StopReason, Successors,
};
use support::erased::reversing;

/// A line that counts the calls after its token was cancelled, which one of the calls does.
struct Line<'a> {
    token: &'a CancelToken,
    calls: &'a Calls,
}

/// The calls of each kind: how many may come before the token is cancelled, and how many came after that.
#[derive(Debug, Default)]
struct Calls {
    before: Cell<u32>,
    after: Cell<u32>,
}

impl Calls {
    /// Lets `before` of them come.
    fn allow(&self, before: u32, token: &CancelToken) {
        token.reset();
        self.before.set(before);
        self.after.set(0);
    }

    fn count(&self, token: &CancelToken) {
        if let Some(left) = self.before.get().checked_sub(1) {
            self.before.set(left);
        } else {
            token.cancel();
            self.after.set(self.after.get() + 1);
        }
    }
}

const STATES: u32 = 1000;

impl SearchProblem for Line<'_> {
    type State = u32;
    type Action = u32;
    type Cost = u32;

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        self.calls.count(self.token);
        let near = [state.wrapping_sub(1), state + 1].into_iter();
        next.extend(near.filter(|&state| state < STATES).map(|state| (0, state, 1)));
    }

    fn is_goal(&self, &state: &u32) -> bool {
        state == 0
    }
}

impl Reversible for Line<'_> {
    fn predecessors(&self, state: &u32, previous: &mut Successors<Self>) {
        self.successors(state, previous);
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        [0].into_iter()
    }
}

impl DenseStates for Line<'_> {
    fn state_count(&self) -> usize {
        STATES as usize
    }

    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }

    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

#[test]
fn few_calls_follow_after_the_token_is_cancelled() {
    let (token, calls) = (CancelToken::new(), Calls::default());
    let line = Line { token: &token, calls: &calls };
    let line = reversing(&line);
    let limits = || Limits::new().cancel(&token);
    let stopped = Err(StopReason::Cancelled);
    let of_distances = |result: Result<(), DistanceError<u32>>| match result {
        Err(DistanceError::Stopped(reason)) => Err(reason),
        result => panic!("{result:?}"),
    };
    // In the middle of a pass, and not where the clock is read in any case.
    let check = |name: &str, passes_before: u32, end: &dyn Fn() -> Result<(), StopReason>| {
        for before in [0, 100, 300] {
            calls.allow(passes_before * STATES + before, &token);
            assert_eq!(end(), stopped, "{name}");
            assert!(calls.after.get() <= 2, "{name}: {} calls", calls.after.get());
        }
    };
    check("hierarchy", 0, &|| {
        of_distances(Hierarchy::of(&line).limits(limits()).build().map(drop))
    });
    check("landmarks", 0, &|| {
        of_distances(Landmarks::of(&line).limits(limits()).build().map(drop))
    });
    check("customizable", 0, &|| {
        of_distances(CustomizableHierarchy::of(&line).limits(limits()).build().map(drop))
    });
    check("coordinates", 1, &|| {
        let place = |&state: &u32| {
            calls.count(&token);
            [f64::from(state), 0.0]
        };
        let builder = CustomizableHierarchy::of(&line).coordinates(place);
        of_distances(builder.limits(limits()).build().map(drop))
    });
    calls.allow(u32::MAX, &token);
    let prepared = CustomizableHierarchy::of(&line).build().unwrap();
    check("customize", 0, &|| of_distances(prepared.customize_within(&line, limits()).map(drop)));
    check("keys", 1, &|| {
        let key = |&state: &u32| {
            calls.count(&token);
            state as usize
        };
        match PatternDatabase::builder(&line).limits(limits()).build([0], key) {
            Err(BuildError::Stopped(reason)) => Err(reason),
            result => panic!("{result:?}"),
        }
    });
}

/// Two components, 0 to 1 and 2 to 4, that more steps join after `most` calls.
struct Traffic {
    calls: Cell<u32>,
    most: u32,
}

impl SearchProblem for Traffic {
    type State = u32;
    type Action = u32;
    type Cost = u32;

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        self.calls.set(self.calls.get() + 1);
        self.predecessors(&state, next);
        if self.calls.get() > self.most {
            let new = [(0, 4), (1, 4), (4, 1), (4, 0)].into_iter();
            next.extend(new.filter(|step| step.0 == state).map(|step| (0, step.1, 0)));
        }
    }

    fn is_goal(&self, &state: &u32) -> bool {
        state == 0
    }
}

impl Reversible for Traffic {
    fn predecessors(&self, &state: &u32, previous: &mut Successors<Self>) {
        for (a, b) in [(0, 1), (2, 3), (3, 4)] {
            previous.extend((a == state).then_some((0, b, 5)));
            previous.extend((b == state).then_some((0, a, 5)));
        }
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        [0].into_iter()
    }
}

impl DenseStates for Traffic {
    fn state_count(&self) -> usize {
        5
    }

    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }

    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

#[test]
fn steps_that_join_components_while_landmarks_are_made_are_an_error() {
    let mut errors = 0;
    for most in 5..40 {
        for selection in [Selection::Avoid, Selection::Farthest] {
            let traffic = Traffic { calls: Cell::new(0), most };
            match Landmarks::of(&reversing(&traffic)).count(3).selection(selection).build() {
                Ok(_) => {}
                Err(DistanceError::OtherStep { from, to }) => {
                    errors += 1;
                    assert!((from < 2) != (to < 2), "{from} to {to}");
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(errors > 0);
}
