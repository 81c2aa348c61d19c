//! Every method of a problem can be called through pointers and adapters.

use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use bestfirst::check::Checked;
use bestfirst::{
    DenseStates, EqualSteps, IgnoreGoal, IgnoreHeuristic, InPlaceProblem, Reversible,
    SearchProblem, Successors, UnrolledSuccessors, Visit, WithHeuristic,
};

/// Records which of its methods are called.
#[derive(Default)]
struct Diary {
    calls: Mutex<Vec<&'static str>>,
}

impl Diary {
    fn note(&self, call: &'static str) {
        self.calls.lock().unwrap().push(call);
    }

    fn take(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }
}

impl SearchProblem for Diary {
    type State = u8;
    type Action = char;
    type Cost = u8;

    fn successors(&self, &n: &u8, next: &mut Successors<Self>) {
        self.note("successors");
        next.push('s', n + 1, 3);
    }

    fn heuristic(&self, _: &u8) -> u8 {
        self.note("heuristic");
        2
    }

    fn is_goal(&self, &n: &u8) -> bool {
        self.note("is_goal");
        n == 100
    }

    fn prefetch(&self, _: &u8) {
        self.note("prefetch");
    }
}

impl DenseStates for Diary {
    fn state_count(&self) -> usize {
        self.note("state_count");
        101
    }

    fn state_index(&self, &n: &u8) -> usize {
        self.note("state_index");
        n.into()
    }

    fn state_at(&self, index: usize) -> u8 {
        self.note("state_at");
        index.try_into().unwrap()
    }
}

impl InPlaceProblem for Diary {
    type Actions = std::option::IntoIter<char>;
    type Undo = u8;

    fn actions(&self, _: &u8) -> Self::Actions {
        self.note("actions");
        Some('s').into_iter()
    }

    fn apply(&self, n: &mut u8, &action: &char) -> (u8, u8) {
        self.note("apply");
        assert_eq!(action, 's');
        *n += 1;
        (3, 1)
    }

    fn undo(&self, n: &mut u8, undo: u8) {
        self.note("undo");
        *n -= undo;
    }

    fn inverse(&self, _: &u8, _: &char) -> Option<char> {
        self.note("inverse");
        Some('i')
    }

    fn unrolled(&self) -> impl UnrolledSuccessors<u8, char, u8> {
        self.note("unrolled");
        Step
    }

    fn unrolled_heuristic(&self, known: &impl UnrolledSuccessors<u8, char, u8>) -> Option<u8> {
        self.note("unrolled_heuristic");
        known.heuristic()
    }
}

/// The one successor of a state.
struct Step;

impl UnrolledSuccessors<u8, char, u8> for Step {
    fn heuristic(&self) -> Option<u8> {
        Some(2)
    }

    fn visit_all<const FORWARDS: bool>(
        &self,
        &n: &u8,
        reached: Option<&char>,
        visit: &mut impl Visit<u8, char, u8>,
    ) -> ControlFlow<()> {
        assert_eq!(reached, Some(&'r'));
        visit.visit('s', n + 1, 3)
    }
}

impl Reversible for Diary {
    fn predecessors(&self, &n: &u8, previous: &mut Successors<Self>) {
        self.note("predecessors");
        previous.push('s', n - 1, 3);
    }

    fn goals(&self) -> impl Iterator<Item = u8> {
        self.note("goals");
        [100].into_iter()
    }

    fn heuristic_from(&self, _: &u8, _: &u8) -> u8 {
        self.note("heuristic_from");
        1
    }
}

#[derive(Default)]
struct Seen(Vec<(char, u8, u8)>);

impl Visit<u8, char, u8> for Seen {
    fn visit(&mut self, action: char, successor: u8, cost: u8) -> ControlFlow<()> {
        self.0.push((action, successor, cost));
        ControlFlow::Continue(())
    }
}

/// Calls every method of `adapted` once. All but those in `changed` must come to the diary (other
/// calls may come to it as well) and return what the diary returns.
fn check_forwarding<P>(diary: &Diary, adapted: &P, changed: &[&str], step: u8)
where
    P: DenseStates + InPlaceProblem + Reversible,
    P: SearchProblem<State = u8, Action = char, Cost = u8>,
    P: InPlaceProblem<Undo = u8>,
{
    let came = |name: &str| {
        let calls = diary.take();
        assert_eq!(calls.contains(&name), !changed.contains(&name), "{name}: {calls:?}");
        !changed.contains(&name)
    };
    diary.take();
    let mut next = Successors::<P>::new();
    adapted.successors(&7, &mut next);
    assert!(came("successors"));
    let pushed = next.pop().unwrap();
    assert_eq!((pushed.action, pushed.state, pushed.cost), ('s', 8, step));
    let h = adapted.heuristic(&7);
    assert_eq!(came("heuristic"), h == 2);
    let is_goal = adapted.is_goal(&100);
    assert_eq!(came("is_goal"), is_goal);
    adapted.prefetch(&7);
    assert!(came("prefetch"));

    assert_eq!(adapted.state_count(), 101);
    assert!(came("state_count"));
    assert_eq!(adapted.state_index(&7), 7);
    assert!(came("state_index"));
    assert_eq!(adapted.state_at(7), 7);
    assert!(came("state_at"));

    assert!(adapted.actions(&7).eq(['s']));
    assert!(came("actions"));
    let mut seen = Seen::default();
    let _ = adapted.unrolled().visit_all::<false>(&7, Some(&'r'), &mut seen);
    // What changes steps has nothing written out.
    assert_eq!(came("unrolled"), seen.0 == [('s', 8, step)]);
    let h = adapted.unrolled_heuristic(&Step);
    assert_eq!(came("unrolled_heuristic"), h == Some(2));
    let mut state = 7;
    assert_eq!(adapted.apply(&mut state, &'s'), (step, 1));
    assert!(came("apply"));
    assert_eq!(state, 8);
    adapted.undo(&mut state, 1);
    assert!(came("undo"));
    assert_eq!(state, 7);
    assert_eq!(adapted.inverse(&7, &'s'), Some('i'));
    assert!(came("inverse"));

    let mut previous = Successors::<P>::new();
    adapted.predecessors(&7, &mut previous);
    assert!(came("predecessors"));
    let pushed = previous.pop().unwrap();
    assert_eq!((pushed.action, pushed.state, pushed.cost), ('s', 6, step));
    let goals: Vec<_> = adapted.goals().collect();
    assert_eq!(came("goals"), goals == [100]);
    let h = adapted.heuristic_from(&0, &7);
    assert_eq!(came("heuristic_from"), h == 1);
}

#[test]
fn every_method_reaches_the_problem() {
    let diary = Rc::new(Diary::default());
    check_forwarding(&diary, &*diary, &[], 3);
    check_forwarding(&diary, &&*diary, &[], 3);
    check_forwarding(&diary, &Box::new(&*diary), &[], 3);
    check_forwarding(&diary, &diary, &[], 3);
    check_forwarding(&diary, &Arc::new(&*diary), &[], 3);
    // Adapters may have another heuristic than what the unrolled successors know.
    let no_heuristic = ["heuristic", "heuristic_from", "unrolled_heuristic"];
    let equal_steps = ["heuristic", "heuristic_from", "unrolled", "unrolled_heuristic"];
    let no_goal = ["is_goal", "goals", "unrolled_heuristic"];
    let informed_by = ["heuristic", "unrolled_heuristic"];
    let checked = ["unrolled", "unrolled_heuristic"];
    check_forwarding(&diary, &IgnoreHeuristic::new(&*diary), &no_heuristic, 3);
    check_forwarding(&diary, &IgnoreGoal::new(&*diary), &no_goal, 3);
    check_forwarding(&diary, &EqualSteps::new(&*diary, 9), &equal_steps, 9);
    let informed = WithHeuristic::new(&*diary, |_: &u8| 0);
    check_forwarding(&diary, &informed, &informed_by, 3);
    check_forwarding(&diary, &Checked::new(&*diary), &checked, 3);
}

#[test]
fn adapters_change_predecessors_and_goals() {
    let diary = Diary::default();
    let equal = EqualSteps::new(&diary, 9);
    assert_eq!((equal.heuristic_from(&4, &4), equal.heuristic_from(&4, &5)), (0, 9));
    assert_eq!(IgnoreHeuristic::new(&diary).heuristic_from(&4, &5), 0);
    assert_eq!(WithHeuristic::new(&diary, |_: &u8| 0).heuristic_from(&4, &5), 1);
    assert_eq!(IgnoreGoal::new(&diary).goals().count(), 0);
    // Entries that are in the buffer already stay as they are.
    let mut buffer = Successors::<Diary>::new();
    buffer.push('x', 0, 77);
    equal.successors(&7, &mut buffer);
    equal.predecessors(&7, &mut buffer);
    let costs: Vec<_> = buffer.as_slice().iter().map(|step| step.cost).collect();
    assert_eq!(costs, [77, 9, 9]);
}
