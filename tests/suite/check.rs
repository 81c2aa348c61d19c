//! The checks that users call in their own tests: each finds the fault that it is for, and nothing where there is none.

use bestfirst::check::{
    Checked, ProblemFault, admissible, consistent, disjoint, path, reversible, reversible_by_cost,
};
use bestfirst::{Dijkstra, IdaStar, Reversed, Reversible, SearchProblem, Successors, astar};

use support::erased::problem;

/// A ring of ten states with steps of length 1 and 3, at costs 1.0 and 2.0. The goal is 9.
fn ring(
    h: impl Fn(&u8) -> f64 + 'static,
) -> impl SearchProblem<State = u8, Action = (), Cost = f64> {
    problem(|&n: &u8| [((n + 1) % 10, 1.0), ((n + 3) % 10, 2.0)], h, |&n: &u8| n == 9)
}

#[test]
fn a_heuristic_may_be_admissible_and_not_consistent() {
    let jumpy = ring(|&n| if n == 3 { 4.0 } else { 0.0 });
    assert_eq!(admissible(&jumpy, 0, 100), Ok(10));
    let fault = ProblemFault::Inconsistent { from: 3, h_from: 4.0, to: 4, h_to: 0.0, cost: 1.0 };
    assert_eq!(consistent(&jumpy, 0..10), Err(fault));
    let checked = Checked::new(&jumpy);
    assert!(astar(&checked, 0).unwrap().is_optimal());
    assert_eq!(checked.fault(), Some(&fault));
}

#[test]
fn a_consistent_heuristic_passes() {
    let fair = ring(|&n| if n == 9 { 77.0 } else { f64::from(9 - n) / 2.0 });
    assert_eq!(consistent(&fair, 0..10), Ok(20), "the heuristic of a goal does not matter");
    assert_eq!(admissible(&fair, 0, 100), Ok(10));
    let checked = Checked::new(&fair);
    let report = IdaStar::new(&checked).search(0).run().unwrap();
    assert_eq!(path(&checked, report.path().unwrap()), Ok(()));
    assert_eq!(checked.fault(), None);
}

#[test]
fn an_infinite_heuristic_is_a_fault_where_a_goal_can_be_reached() {
    let gloomy = ring(|&n| if n == 6 { f64::INFINITY } else { 0.0 });
    let fault = ProblemFault::FalseDeadEnd { state: 6, h: f64::INFINITY };
    assert_eq!(admissible(&gloomy, 0, 100), Err(fault));
    assert!(matches!(consistent(&gloomy, [6]), Err(ProblemFault::Inconsistent { from: 6, .. })));
    // Among so few states, no path to a goal is known.
    assert_eq!(admissible(&gloomy, 0, 2), Ok(2));
}

/// A* finds nothing there. (They passed: no path costs less than the largest value, or than what does not fit.)
#[test]
fn the_largest_heuristic_value_is_a_fault_where_a_path_costs_as_much() {
    for (first, second) in [(u8::MAX, 0), (200, 55), (200, 100)] {
        let steps = move |n| [(0, first), (1, second)].into_iter().find(|&(from, _)| from == n);
        let line = problem(
            move |&n: &u8| steps(n).map(|(from, cost)| (from + 1, cost)),
            |&n: &u8| [u8::MAX, 0, 0][usize::from(n)],
            |&n: &u8| n == 2,
        );
        assert_eq!(astar(&line, 0).map(|report| report.cost()), Ok(None));
        let fault = admissible(&line, 0, 10).unwrap_err();
        assert_eq!(fault, ProblemFault::FalseDeadEnd { state: 0, h: u8::MAX });
        assert_eq!(
            fault.to_string(),
            "false dead end: h(0) = 255 says that no goal can be reached, but one can"
        );
        assert!(matches!(consistent(&line, [0]), Err(ProblemFault::Inconsistent { from: 0, .. })));
    }
}

/// A sum that the type cannot hold is larger than the cost of any step. (It passed where that is the largest value.)
#[test]
fn a_sum_of_costs_that_does_not_fit_is_a_fault() {
    let step = problem(|_: &u8| [(1, u8::MAX)], |_: &u8| 0, |&n: &u8| n == 1);
    let fault = disjoint(&step, [0], &[&|_, _| Some(200), &|_, _| Some(200)]).unwrap_err();
    let sum = u8::MAX;
    assert_eq!(fault, ProblemFault::NotDisjoint { from: 0, to: 1, cost: u8::MAX, sum });
    assert_eq!(disjoint(&step, [0], &[&|_, _| Some(200), &|_, _| Some(55)]), Ok(1));
}

#[test]
fn nan_values_are_faults() {
    let odd = ring(|&n| if n == 4 { f64::NAN } else { 0.0 });
    assert!(matches!(consistent(&odd, [1]), Err(ProblemFault::NotANumber { state: 4, .. })));
    assert!(matches!(admissible(&odd, 0, 100), Err(ProblemFault::NotANumber { state: 4, .. })));
    let checked = Checked::new(&odd);
    assert!(astar(&checked, 4).is_err());
    assert!(matches!(checked.fault(), Some(ProblemFault::NotANumber { state: 4, .. })));
}

#[test]
fn negative_costs_are_faults() {
    let downhill = problem(|&n: &u8| [(n + 1, -1_i32)], |_: &u8| 0, |&n: &u8| n == 3);
    let fault = ProblemFault::Step { from: 0, to: 1, cost: -1 };
    assert_eq!(consistent(&downhill, [0]), Err(fault));
    assert_eq!(admissible(&downhill, 0, 10), Err(fault));
    let checked = Checked::new(&downhill);
    assert!(astar(&checked, 0).is_err());
    assert_eq!(checked.fault(), Some(&fault));
    assert!(fault.to_string().contains("costs -1"));
}

/// Steps as (from, action, to, cost), stated separately for both directions.
struct Steps {
    forward: Vec<(u8, char, u8, i32)>,
    backward: Vec<(u8, char, u8, i32)>,
    goals: Vec<u8>,
    listed_goals: Vec<u8>,
}

impl SearchProblem for Steps {
    type State = u8;
    type Action = char;
    type Cost = i32;

    fn successors(&self, &state: &u8, next: &mut Successors<Self>) {
        for &(_, action, to, cost) in self.forward.iter().filter(|step| step.0 == state) {
            next.push(action, to, cost);
        }
    }

    fn is_goal(&self, state: &u8) -> bool {
        self.goals.contains(state)
    }
}

impl Reversible for Steps {
    fn predecessors(&self, &state: &u8, previous: &mut Successors<Self>) {
        for &(from, action, _, cost) in self.backward.iter().filter(|step| step.2 == state) {
            previous.push(action, from, cost);
        }
    }

    fn goals(&self) -> impl Iterator<Item = u8> {
        self.listed_goals.iter().copied()
    }
}

/// Parallel steps, a self-loop, and a cycle that costs nothing.
fn steps() -> Steps {
    let steps = vec![
        (0, 'a', 1, 5),
        (0, 'b', 1, 5),
        (0, 'c', 1, 7),
        (1, 'd', 1, 0),
        (1, 'e', 0, 0),
        (1, 'f', 2, 3),
    ];
    Steps { backward: steps.clone(), forward: steps, goals: vec![1, 2], listed_goals: vec![2, 1] }
}

#[test]
fn a_reversible_problem_passes() {
    assert_eq!(reversible(&steps(), 0..3), Ok(12));
    assert_eq!(reversible_by_cost(&steps(), [1]), Ok(3 + 4));
    let mut reordered = steps();
    reordered.backward.reverse();
    assert_eq!(reversible(&reordered, 0..3), Ok(12));
    let checked = Checked::new(&reordered);
    assert_eq!(reversible(&checked, 0..3), Ok(12));
    assert_eq!(checked.fault(), None);
}

#[test]
fn a_step_that_is_missing_in_one_direction_is_a_fault() {
    let mut wrong = steps();
    wrong.backward.remove(3);
    let fault = ProblemFault::NoPredecessor { from: 1, to: 1, cost: 0 };
    assert_eq!(reversible(&wrong, 0..3), Err(fault));
    assert_eq!(reversible_by_cost(&wrong, [1]), Err(fault));
    assert_eq!(reversible(&wrong, [0, 2]), Ok(5));
    assert!(fault.to_string().contains("1 has the successor 1 at cost 0"), "{fault}");

    let mut wrong = steps();
    wrong.forward.remove(5);
    let fault = ProblemFault::NoSuccessor { from: 1, to: 2, cost: 3 };
    assert_eq!(reversible(&wrong, 0..3), Err(fault));
    assert!(fault.to_string().contains("2 has the predecessor 1 at cost 3"), "{fault}");
}

#[test]
fn a_step_with_two_costs_is_a_fault() {
    let mut wrong = steps();
    wrong.backward[5].3 = 4;
    let fault = ProblemFault::CostsDiffer { from: 1, to: 2, forward: 3, backward: 4 };
    assert_eq!(reversible(&wrong, [1]), Err(fault));
    assert_eq!(reversible(&wrong, [2]), Err(fault));
    assert_eq!(reversible_by_cost(&wrong, 0..3), Err(fault));
    assert!(fault.to_string().contains("costs 3 among") && fault.to_string().contains("but 4"));
    // One of several parallel steps: each must be there at its own cost.
    let mut wrong = steps();
    wrong.backward[2].3 = 5;
    let fault = ProblemFault::CostsDiffer { from: 0, to: 1, forward: 7, backward: 5 };
    assert_eq!(reversible_by_cost(&wrong, [0]), Err(fault));
}

#[test]
fn a_step_with_two_actions_is_a_fault() {
    let mut wrong = steps();
    wrong.backward[1].1 = 'x';
    let fault = ProblemFault::ActionsDiffer { from: 0, to: 1, cost: 5 };
    assert_eq!(reversible(&wrong, [0]), Err(fault));
    assert_eq!(reversible(&wrong, [1]), Err(fault));
    assert_eq!(reversible_by_cost(&wrong, 0..3), Ok(12));
    assert!(fault.to_string().contains("from 0 to 1 at cost 5"), "{fault}");
}

#[test]
fn goals_that_differ_are_faults() {
    let mut wrong = steps();
    wrong.listed_goals.push(7);
    let fault = ProblemFault::NotAGoal { state: 7 };
    assert_eq!(reversible(&wrong, []), Err(fault));
    assert!(fault.to_string().contains("goals() yields 7"), "{fault}");
    let checked = Checked::new(&wrong);
    assert_eq!(checked.goals().count(), 3);
    assert_eq!(checked.fault(), Some(&fault));

    let mut wrong = steps();
    wrong.listed_goals.pop();
    let fault = ProblemFault::MissingGoal { state: 1 };
    assert_eq!(reversible(&wrong, 0..3), Err(fault));
    assert!(fault.to_string().contains("is_goal(1) is true"), "{fault}");
}

#[test]
fn negative_costs_of_predecessors_are_faults() {
    let mut wrong = steps();
    wrong.forward[5].3 = -1;
    wrong.backward[5].3 = -1;
    let fault = ProblemFault::Step { from: 1, to: 2, cost: -1 };
    assert_eq!(reversible(&wrong, [1]), Err(fault));
    assert_eq!(reversible(&wrong, [2]), Err(fault));
    let checked = Checked::new(&wrong);
    let backwards = Reversed::new(&checked, 0);
    assert!(Dijkstra::new(&backwards).search_from(backwards.starts()).run().is_err());
    assert_eq!(checked.fault(), Some(&fault));
}
