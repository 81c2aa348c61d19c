//! NaN in `OrderedFloat`, whose order has a place for it: every engine names it, as among floats.

use bestfirst::{
    AStar, AllOptimal, Anytime, AnytimeAStar, Beam, Bidirectional, BoundedCost, BranchAndBound,
    BreadthFirst, Cost, Dijkstra, Focal, Greedy, IdaStar, KBest, Pareto, Rectangle, Replanner,
    Reversible, SearchError, SearchProblem, Successors, check,
};
use ordered_float::OrderedFloat;

/// From 0 to 3, by one or two at a time.
#[derive(Clone)]
struct Line<C> {
    /// The heuristic value of 1 and 2, in both directions.
    h: C,
    /// The cost of the steps that leave 0, and of the others.
    steps: (C, C),
}

impl<C: Cost> Line<C> {
    fn cost(&self, from: u32) -> C {
        if from == 0 { self.steps.0 } else { self.steps.1 }
    }

    fn h(&self, state: u32) -> C {
        if matches!(state, 1 | 2) { self.h } else { C::ZERO }
    }
}

impl<C: Cost> SearchProblem for Line<C> {
    type State = u32;
    type Action = ();
    type Cost = C;

    fn successors(&self, &from: &u32, next: &mut Successors<Self>) {
        for to in (from + 1..=from + 2).filter(|&to| to <= 3) {
            next.push((), to, self.cost(from));
        }
    }

    fn is_goal(&self, &state: &u32) -> bool {
        state == 3
    }

    fn heuristic(&self, &state: &u32) -> C {
        self.h(state)
    }
}

impl<C: Cost> Reversible for Line<C> {
    fn predecessors(&self, &to: &u32, previous: &mut Successors<Self>) {
        for from in to.saturating_sub(2)..to {
            previous.push((), from, self.cost(from));
        }
    }

    fn goals(&self) -> impl Iterator<Item = u32> {
        [3].into_iter()
    }

    fn heuristic_from(&self, _start: &u32, &state: &u32) -> C {
        self.h(state)
    }
}

type Float = OrderedFloat<f64>;
type Answer = Result<Option<Float>, SearchError<Float>>;

/// What a search by each engine finds.
fn answers(line: &Line<Float>) -> Vec<(&'static str, Answer)> {
    macro_rules! run {
        ($($builder:expr),* $(,)?) => {
            vec![$((stringify!($builder), $builder.search(0).run().map(|report| report.cost()))),*]
        };
    }
    let mut answers = run![
        AStar::new(line),
        AStar::new(line).weight(1.5),
        AnytimeAStar::new(line),
        Focal::new(line, 1.5),
        Greedy::new(line),
        BoundedCost::new(line, OrderedFloat(9.0)),
        IdaStar::new(line),
        IdaStar::new(line).transposition_table(1 << 10),
        BranchAndBound::new(line),
        BreadthFirst::new(line),
        Beam::new(line),
        Rectangle::new(line),
        Anytime::new(line),
        Bidirectional::new(line),
        Bidirectional::new(line).nbs(),
        KBest::new(line),
        Replanner::new(line),
    ];
    let all = AllOptimal::new(line).search(0).find_all().map(|all| all.cost());
    answers.push(("AllOptimal", all));
    answers
}

fn line(h: f64, step: f64) -> Line<Float> {
    Line { h: OrderedFloat(h), steps: (OrderedFloat(step), OrderedFloat(1.0)) }
}

#[test]
fn a_heuristic_value_that_is_no_number_is_an_error() {
    for (engine, answer) in answers(&line(0.5, 1.0)) {
        assert_eq!(answer, Ok(Some(OrderedFloat(2.0))), "{engine}");
    }
    for (engine, answer) in answers(&line(f64::NAN, 1.0)) {
        assert!(
            matches!(answer, Err(SearchError::NotANumber { value, .. }) if value.is_nan()),
            "{engine}: {answer:?}"
        );
    }
    assert!(check::consistent(&line(0.5, 1.0), 0..3).is_ok());
    let fault = check::consistent(&line(f64::NAN, 1.0), 0..3).unwrap_err();
    assert!(matches!(fault, check::ProblemFault::NotANumber { .. }), "{fault}");
}

#[test]
fn a_step_that_costs_no_number_is_an_error() {
    let problem = line(0.0, f64::NAN);
    let mut found = answers(&problem);
    found.push(("Dijkstra", Dijkstra::new(&problem).search(0).run().map(|report| report.cost())));
    for (engine, answer) in found {
        assert!(
            matches!(answer, Err(SearchError::NotANumber { value, .. }) if value.is_nan()),
            "{engine}: {answer:?}"
        );
    }
    let fault = check::consistent(&problem, 0..3).unwrap_err();
    assert!(matches!(fault, check::ProblemFault::Step { .. }), "{fault}");
}

#[test]
fn a_bound_that_is_no_number_is_an_error() {
    let answer = BoundedCost::new(line(0.0, 1.0), OrderedFloat(f64::NAN)).search(0).run();
    assert!(matches!(answer, Err(SearchError::NotANumber { .. })));
}

/// In the second criterion, and in the second of a pair, where the order of the whole does not see it.
#[test]
fn no_criterion_may_be_no_number() {
    let (one, nan) = (OrderedFloat(1.0), OrderedFloat(f64::NAN));
    let by_criteria = |h, step| {
        let line = Line { h, steps: (step, [one; 2]) };
        let front = Pareto::new(&line).search(0).front().map(|front| front.len());
        (front, AStar::new(&line).search(0).run().map(|report| report.cost()))
    };
    assert_eq!(by_criteria([one; 2], [one; 2]), (Ok(1), Ok(Some([one + one; 2]))));
    for (h, step) in [([one, nan], [one; 2]), ([one; 2], [one, nan])] {
        let (front, first) = by_criteria(h, step);
        assert!(matches!(front, Err(SearchError::NotANumber { .. })), "{front:?}");
        assert!(matches!(first, Err(SearchError::NotANumber { .. })), "{first:?}");
    }
    let pair = |h, step| {
        let line = Line { h, steps: (step, (1_u32, one)) };
        AStar::new(&line).search(0).run().map(|report| report.cost())
    };
    assert_eq!(pair((1, one), (1, one)), Ok(Some((2, one + one))));
    for answer in [pair((1, nan), (1, one)), pair((1, one), (1, nan))] {
        assert!(matches!(answer, Err(SearchError::NotANumber { .. })), "{answer:?}");
    }
}
