//! IDA* in place, through pointers and adapters.

use std::fmt::Debug;
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

use bestfirst::check::{Checked, ProblemFault};
use bestfirst::problems::sliding_tiles::{Board, SlidingTiles, Tracked};
use bestfirst::{
    Cost, EqualSteps, IdaStar, IgnoreGoal, IgnoreHeuristic, InPlaceProblem, Limits, Outcome,
    Report, ReportOf, SearchError, SearchProblem, Successors, WithHeuristic,
};

use support::random::{Clashing, Name, Problem, Units, rounds};

/// [`InPlaceProblem`] without what no pointer to a trait can have.
trait Steps: SearchProblem {
    type Actions: DoubleEndedIterator<Item = Self::Action>;
    type Undo;

    fn all_steps(&self, state: &Self::State) -> Self::Actions;
    fn step(&self, state: &mut Self::State, action: &Self::Action) -> (Self::Cost, Self::Undo);
    fn step_back(&self, state: &mut Self::State, undo: Self::Undo);
    fn opposite(&self, state: &Self::State, action: &Self::Action) -> Option<Self::Action>;
}

impl<P: InPlaceProblem> Steps for P {
    type Actions = P::Actions;
    type Undo = P::Undo;

    fn all_steps(&self, state: &P::State) -> P::Actions {
        P::actions(self, state)
    }
    fn step(&self, state: &mut P::State, action: &P::Action) -> (P::Cost, P::Undo) {
        P::apply(self, state, action)
    }
    fn step_back(&self, state: &mut P::State, undo: P::Undo) {
        P::undo(self, state, undo);
    }
    fn opposite(&self, state: &P::State, action: &P::Action) -> Option<P::Action> {
        P::inverse(self, state, action)
    }
}

/// A problem or an adapter of which only the types are known: IDA* is compiled once for all of them. They must have
/// nothing unrolled.
struct Erased<'p, S, A, C, I, U>(
    &'p (dyn Steps<State = S, Action = A, Cost = C, Actions = I, Undo = U> + 'p),
);

type ErasedOf<'p, P> = Erased<
    'p,
    <P as SearchProblem>::State,
    <P as SearchProblem>::Action,
    <P as SearchProblem>::Cost,
    <P as InPlaceProblem>::Actions,
    <P as InPlaceProblem>::Undo,
>;

impl<S, A, C, I, U> SearchProblem for Erased<'_, S, A, C, I, U>
where
    S: Clone + Eq + Hash,
    A: Clone + PartialEq,
    C: Cost,
{
    type State = S;
    type Action = A;
    type Cost = C;

    fn successors(&self, state: &S, next: &mut Successors<Self>) {
        self.0.successors(state, next);
    }
    fn heuristic(&self, state: &S) -> C {
        self.0.heuristic(state)
    }
    fn is_goal(&self, state: &S) -> bool {
        self.0.is_goal(state)
    }
}

impl<S, A, C, I, U> InPlaceProblem for Erased<'_, S, A, C, I, U>
where
    S: Clone + Eq + Hash,
    A: Clone + PartialEq,
    C: Cost,
    I: DoubleEndedIterator<Item = A>,
{
    type Actions = I;
    type Undo = U;

    fn actions(&self, state: &S) -> I {
        self.0.all_steps(state)
    }
    fn apply(&self, state: &mut S, action: &A) -> (C, U) {
        self.0.step(state, action)
    }
    fn undo(&self, state: &mut S, undo: U) {
        self.0.step_back(state, undo);
    }
    fn inverse(&self, state: &S, action: &A) -> Option<A> {
        self.0.opposite(state, action)
    }
}

/// The report of IDA* in place.
fn in_place<P: InPlaceProblem>(problem: P, start: P::State) -> ReportOf<P> {
    IdaStar::new(problem).in_place().search(start).run().unwrap()
}

/// The report of IDA* in place, of a problem that has nothing unrolled.
fn erased<P: InPlaceProblem>(problem: &P, start: P::State) -> ReportOf<P> {
    in_place::<ErasedOf<'_, P>>(Erased(problem), start)
}

/// The report of IDA* with copied states, of which only the memory may differ.
fn copied<P: InPlaceProblem>(problem: &P, start: P::State) -> ReportOf<P> {
    let problem: ErasedOf<'_, P> = Erased(problem);
    IdaStar::new(problem).search(start).run().unwrap()
}

fn without_bytes<S, A, C>(mut report: Report<S, A, C>) -> Report<S, A, C> {
    report.stats.peak_bytes = 0;
    report
}

/// A line on which steps of length 5 cost 3, those of length 1 cost 1. The state is the first of `N`
/// numbers, so it is small or large as required.
#[derive(Clone, Debug)]
struct Walk<const N: usize> {
    goal: i32,
}

const STEPS: [i32; 4] = [-5, -1, 1, 5];

fn step_cost(step: i32) -> u32 {
    if step.abs() == 5 { 3 } else { 1 }
}

impl<const N: usize> SearchProblem for Walk<N> {
    type State = [i32; N];
    type Action = i32;
    type Cost = u32;

    fn successors(&self, state: &[i32; N], next: &mut Successors<Self>) {
        for step in STEPS {
            let mut successor = *state;
            successor[0] += step;
            next.push(step, successor, step_cost(step));
        }
    }

    fn heuristic(&self, state: &[i32; N]) -> u32 {
        let distance = state[0].abs_diff(self.goal);
        distance / 5 * 3 + distance % 5 / 2
    }

    fn is_goal(&self, state: &[i32; N]) -> bool {
        state[0] == self.goal
    }
}

impl<const N: usize> InPlaceProblem for Walk<N> {
    type Actions = std::array::IntoIter<i32, 4>;
    type Undo = i32;

    fn actions(&self, _: &[i32; N]) -> Self::Actions {
        STEPS.into_iter()
    }

    fn apply(&self, state: &mut [i32; N], &step: &i32) -> (u32, i32) {
        state[0] += step;
        (step_cost(step), step)
    }

    fn undo(&self, state: &mut [i32; N], step: i32) {
        state[0] -= step;
    }

    fn inverse(&self, _: &[i32; N], &step: &i32) -> Option<i32> {
        Some(-step)
    }
}

/// Reports through pointers and adapters are those of the problem itself where nothing changes, else
/// those with copied states.
fn check<P: InPlaceProblem + Clone>(problem: &P, start: &P::State, one: P::Cost)
where
    P::State: Debug,
    ReportOf<P>: PartialEq + Debug,
{
    let expected = in_place(problem, start.clone());
    assert!(expected.is_optimal());
    let pointers = Rc::new(Box::new(Arc::new(problem)));
    assert_eq!(erased(&pointers, start.clone()), expected);
    let same = WithHeuristic::new(problem, |state: &P::State| problem.heuristic(state));
    assert_eq!(erased(&same, start.clone()), expected);
    let checked = Checked::new(problem);
    assert_eq!(erased(&checked, start.clone()), expected);
    assert_eq!(checked.fault(), None);

    macro_rules! is_the_same {
        ($adapted:expr) => {{
            let in_place = erased(&$adapted, start.clone());
            let copied = copied(&$adapted, start.clone());
            assert_eq!(without_bytes(in_place.clone()), without_bytes(copied));
            assert_eq!(in_place.path().unwrap().verify(&$adapted), Ok(()));
            in_place
        }};
    }
    let report = is_the_same!(IgnoreHeuristic::new(problem));
    assert!(report.cost() == expected.cost());
    assert!(report.stats.expanded > expected.stats.expanded);
    let report = is_the_same!(EqualSteps::new(problem, one));
    assert!(report.path().unwrap().steps().all(|step| step.cost == one));

    let endless = IgnoreGoal::new(problem);
    let limits = Limits::new().expansions(100);
    let erased = || -> ErasedOf<'_, IgnoreGoal<&P>> { Erased(&endless) };
    let stopped = IdaStar::new(erased()).in_place().limits(limits.clone()).search(start.clone());
    let stopped = { stopped }.run().unwrap();
    assert!(matches!(stopped.outcome, Outcome::Stopped(_)));
    let copied = IdaStar::new(erased()).limits(limits).search(start.clone()).run().unwrap();
    assert_eq!(without_bytes(stopped), without_bytes(copied));
}

#[test]
fn pointers_and_adapters_search_in_place_like_the_problem() {
    check(&Walk::<1> { goal: 18 }, &[0], 1);
    check(&Walk::<20> { goal: 18 }, &[0; 20], 1);
}

/// A problem that writes out its successors, at two sizes of the board.
#[test]
fn sliding_tiles_search_in_place_through_pointers_and_adapters() {
    for (width, board) in [(3, "1 2 5 3 4 8 6 7 0"), (4, "4 1 2 3 5 6 0 7 8 9 10 11 12 13 14 15")] {
        let tiles = SlidingTiles::<Tracked>::new(width, width).unwrap();
        let start = tiles.state(&board.parse::<Board>().unwrap()).unwrap();
        let expected = in_place(&tiles, start);
        assert!(expected.is_optimal());
        let h = |state: &Tracked| tiles.heuristic(state);
        let informed = WithHeuristic::new(Arc::new(tiles.clone()), h);
        assert_eq!(in_place(informed, start), expected);
        let equal = without_bytes(in_place(EqualSteps::new(&tiles, 2), start));
        assert_eq!(equal, without_bytes(copied(&EqualSteps::new(&tiles, 2), start)));
        assert_eq!(equal.cost(), expected.cost().map(|cost| 2 * cost));
    }
}

/// The fewest steps are other steps than the cheapest.
#[test]
fn equal_steps_are_equal_in_place() {
    fn check<const N: usize>() {
        let walk = Walk::<N> { goal: 9 };
        let actions = |report: ReportOf<Walk<N>>| {
            let mut actions: Vec<_> = report.path().unwrap().actions().copied().collect();
            actions.sort_unstable();
            (report.cost().unwrap(), actions)
        };
        // 5 + 5 - 1 costs 7, and 3 steps.
        assert_eq!(actions(erased(&EqualSteps::new(&walk, 10), [0; N])), (30, vec![-1, 5, 5]));
        assert_eq!(actions(in_place(&walk, [0; N])).0, 7);
        let mut state = [0; N];
        assert_eq!(EqualSteps::new(&walk, 10).apply(&mut state, &5), (10, 5));
        assert_eq!(state[0], 5);
    }
    check::<1>();
    check::<20>();
}

#[test]
fn an_inconsistent_step_is_found_in_place() {
    fn check<const N: usize>() {
        let jumpy = |state: &[i32; N]| if state[0] == 0 { 4 } else { 0 };
        let checked = Checked::new(WithHeuristic::new(Walk::<N> { goal: 6 }, jumpy));
        assert_eq!(erased(&checked, [0; N]).cost(), Some(4));
        let mut to = [0; N];
        to[0] = 5;
        let fault = ProblemFault::Inconsistent { from: [0; N], h_from: 4, to, h_to: 0, cost: 3 };
        assert_eq!(checked.fault(), Some(&fault));
    }
    check::<1>();
    check::<20>();
}

/// Random graphs in place, through adapters and without them.
#[test]
fn adapters_search_random_problems_in_place() {
    fn run<P: InPlaceProblem>(
        problem: P,
        start: &P::State,
    ) -> Result<ReportOf<P>, SearchError<P::Cost>> {
        let limits = Limits::new().expansions(300);
        IdaStar::new(problem).in_place().limits(limits).search(start.clone()).run()
    }
    fn run_erased<P: InPlaceProblem>(
        problem: &P,
        start: &P::State,
    ) -> Result<ReportOf<P>, SearchError<P::Cost>> {
        run::<ErasedOf<'_, P>>(Erased(problem), start)
    }
    fn check<C: Units, S: Name>(seed: u64) {
        let problem = Problem::<C, S>::random(seed, 12);
        let Some((start, _)) = problem.starts().into_iter().next() else { return };
        let expected = run(&problem, &start);
        let h = |state: &S| problem.heuristic(state);
        let checked = Checked::new(&problem);
        let same = WithHeuristic::new(Arc::new(&checked), h);
        assert_eq!(run_erased(&same, &start), expected, "seed {seed}");
        assert!(!matches!(
            checked.fault(),
            Some(ProblemFault::Step { .. } | ProblemFault::NotANumber { .. })
        ));

        let mut changed = problem.clone();
        changed.h.fill(C::ZERO);
        let expected = run(&changed, &start);
        assert_eq!(run_erased(&IgnoreHeuristic::new(&problem), &start), expected, "seed {seed}");

        let mut changed = problem.clone();
        changed.graph.goals.fill(false);
        let expected = run(&changed, &start);
        assert_eq!(run_erased(&IgnoreGoal::new(&problem), &start), expected, "seed {seed}");

        let mut changed = problem.clone();
        changed.graph.edges.iter_mut().flatten().for_each(|edge| edge.1 = 1);
        changed.graph.chain = problem.graph.chain.map(|_| 1);
        let one = C::of(1, problem.graph.scale);
        let equal =
            WithHeuristic::new(
                &changed,
                |state: &S| {
                    if problem.is_goal(state) { C::ZERO } else { one }
                },
            );
        let expected = run_erased(&equal, &start);
        assert_eq!(run_erased(&EqualSteps::new(&problem, one), &start), expected, "seed {seed}");
    }
    for seed in 0..rounds(350) {
        check::<u32, u16>(seed);
        check::<f64, Clashing>(seed);
    }
}
