//! IDA* that chooses its bounds: the same answers as with every value of f in turn, whatever stops it, and
//! work in proportion to one search with the right bound.

use std::time::Duration;

use bestfirst::{
    Deepening, FnProblem, IdaStar, Limits, Observer, Outcome, Report, SearchError, SearchProblem,
    StopReason,
};
use support::erased::problem;
use support::random::{is_enough, rounds};

use support::engines::erased;
use support::random::{Edge, Problem, Truth, Units};
use support::rounds::{Answer, check_end, check_stop, few, problems, run_for};

/// Bounds are chosen from the first iterations on.
const AT_ONCE: Deepening = Deepening::Budgeted { free: 0 };

/// All forms of the search: by a number, up to [`FORMS`].
fn search<C: Units>(problem: &Problem<C, u32>, form: usize, limits: Limits<C>) -> Answer<C> {
    run(problem, form, limits, |_| Limits::new(), 1).0
}

const FORMS: usize = 8;

/// Runs a search for `rounds` rounds or until it is not stopped, each after the first with the limits that
/// `next` makes of the report. Returns the last answer, and what was seen at the stops.
fn run<C: Units>(
    problem: &Problem<C, u32>,
    form: usize,
    limits: Limits<C>,
    next: impl Fn(&Report<u32, Edge, C>) -> Limits<C>,
    rounds: usize,
) -> (Answer<C>, u64) {
    macro_rules! run {
        ($builder:expr) => {{
            let builder = $builder.deepening(AT_ONCE).limits(limits);
            run_for(problem, builder.search_from(problem.starts()), next, rounds)
        }};
    }
    let p = erased(problem);
    match form {
        0 => run!(IdaStar::new(p)),
        1 => run!(IdaStar::new(p).in_place()),
        2 => run!(IdaStar::new(p).avoid_cycles()),
        3 => run!(IdaStar::new(p).transposition_table(1)),
        4 => run!(IdaStar::new(p).transposition_table(1 << 14)),
        5 => run!(IdaStar::new(p).in_place().transposition_table(700)),
        6 => run!(IdaStar::new(p).in_place().avoid_cycles()),
        _ => run!(IdaStar::new(p).in_place().transposition_table(400).avoid_cycles()),
    }
}

#[test]
fn every_form_finds_a_cheapest_path() {
    fn check<C: Units>(seeds: std::ops::Range<u64>) -> u64 {
        let mut found = 0;
        for problem in problems::<C>(seeds, [9, 12]) {
            for form in 0..FORMS {
                let answer = search(&problem, form, few());
                assert_eq!(search(&problem, form, few()), answer, "the same again");
                found += u64::from(check_end(&problem, &answer));
            }
        }
        found
    }
    assert!(is_enough(check::<u32>(0..rounds(200)), 666));
    assert!(is_enough(check::<f64>(0..rounds(200)), 666));
    assert!(is_enough(check::<u8>(0..rounds(100)), 250));
    assert!(is_enough(check::<i32>(0..rounds(100)), 250));
    assert!(is_enough(check::<f32>(0..rounds(100)), 250));
}

#[test]
fn a_stop_at_every_expansion_changes_nothing() {
    fn check<C: Units>(seeds: std::ops::Range<u64>) -> u64 {
        let mut incumbents = 0;
        for problem in problems::<C>(seeds, [9, 12]) {
            for form in 0..FORMS {
                let answer = search(&problem, form, few());
                let Ok(report) = &answer else { continue };
                let rounds = usize::try_from(report.stats.expanded).unwrap();
                if rounds > 400 {
                    continue;
                }
                let one_more = |report: &Report<_, _, C>| {
                    let most = report.stats.expanded + 1;
                    Limits::new().expansions(most)
                };
                let (mut stopped, seen) =
                    run(&problem, form, Limits::new().expansions(0), one_more, rounds + 2);
                let mut answer = answer;
                for report in [&mut stopped, &mut answer].into_iter().flatten() {
                    report.stats.peak_bytes = 0;
                }
                assert_eq!(stopped, answer, "form {form}");
                incumbents += seen;
            }
        }
        incumbents
    }
    assert!(check::<u32>(0..rounds(300)) > 0);
    assert!(check::<f64>(0..rounds(300)) > 0);
}

/// The same between a first solution and the proof that there is none better.
#[test]
fn stops_after_a_first_solution_report_it() {
    let mut with_solution = 0;
    for seed in 0..rounds(4) {
        let problem = tree(9, seed);
        let builder = || IdaStar::new(&problem).deepening(AT_ONCE);
        let unstopped = builder().search((0, 1)).run().unwrap();
        let cost = unstopped.cost().unwrap();
        let mut search = builder().limits(Limits::new().expansions(0)).search((0, 1));
        let (mut before, mut most) = (0, 0);
        let mut stopped = loop {
            let report = search.run().unwrap();
            assert!(report.lower_bound >= before && report.lower_bound <= cost);
            before = report.lower_bound;
            if !matches!(report.outcome, Outcome::Stopped(_)) {
                break report;
            }
            assert_eq!(report.stats.expanded, most);
            if let Some(path) = &report.incumbent {
                assert_eq!(path.verify(&problem), Ok(()));
                assert!(path.cost() >= cost);
                with_solution += 1;
            }
            most += 1;
            search.set_limits(Limits::new().expansions(most));
        };
        // A search that stops holds more on its stack than one that goes on by recursion.
        stopped.stats.peak_bytes = unstopped.stats.peak_bytes;
        assert_eq!(stopped, unstopped);
    }
    assert!(with_solution > 100, "{with_solution}");
}

/// A limit on the cost holds for the bounds that are chosen, too.
#[test]
fn a_limit_on_the_cost_is_never_passed() {
    let (mut found, mut stopped) = (0, 0);
    for problem in problems::<u32>(0..rounds(300), [9, 12]) {
        let Truth::Costs(units) = problem.graph.truth else { continue };
        let Ok(optimum) = u32::try_from(units) else { continue };
        for most in [optimum.saturating_sub(1), optimum, optimum.saturating_add(1)] {
            for form in 0..FORMS {
                let Ok(report) = search(&problem, form, few().cost(most)) else { continue };
                check_stop(&problem, &report);
                assert!(report.cost().is_none_or(|cost| cost <= most));
                assert!(report.layers.iter().all(|layer| layer.bound <= most));
                match report.outcome {
                    Outcome::Found(path) => {
                        assert_eq!(path.cost(), optimum);
                        found += 1;
                    }
                    Outcome::Stopped(StopReason::Cost) => {
                        assert!(most < optimum);
                        stopped += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(is_enough(found, 2000) && is_enough(stopped, 900), "{found} {stopped}");
}

/// A binary tree with costs of its own at every edge, and one goal in the last of its layers.
fn tree(depth: u32, seed: u64) -> impl SearchProblem<State = (u32, u64), Action = (), Cost = u32> {
    let cost = move |node: u64| {
        let mixed = (node ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        1000 + ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 54) as u32
    };
    FnProblem::new(
        move |&(layer, node): &(u32, u64)| {
            let has_next = layer < 2 * depth;
            [2 * node, 2 * node + 1]
                .into_iter()
                .filter(move |_| has_next)
                .map(move |next| ((layer + 1, next), cost(next)))
        },
        move |&(layer, _): &(u32, u64)| 1000 * depth.saturating_sub(layer),
        move |&(layer, node): &(u32, u64)| layer == depth && node % 64 == 37,
    )
}

#[derive(Default)]
struct Told {
    incumbents: Vec<u32>,
    layers: Vec<u64>,
}

impl<S> Observer<S, u32> for Told {
    fn incumbent(&mut self, cost: u32, bound: u32) {
        assert!(bound <= cost);
        self.incumbents.push(cost);
    }
    fn layer(&mut self, layer: &bestfirst::Layer<u32>) {
        self.layers.push(layer.expanded);
    }
}

/// What one search takes whose first bound is the right one: all states within it.
fn right_bound<P: SearchProblem<Cost = u32>>(problem: &P, start: &P::State, cost: u32) -> u64 {
    let knows = bestfirst::WithHeuristic::new(problem, |state: &P::State| {
        if state == start { cost } else { problem.heuristic(state) }
    });
    let search = IdaStar::new(bestfirst::IgnoreGoal::new(knows)).limits(Limits::new().cost(cost));
    search.search(start.clone()).run().unwrap().layers[0].expanded
}

#[test]
fn many_values_of_f_take_little_more_than_the_right_bound() {
    let (mut improved, mut sum, mut right, mut plain_sum) = (0, 0, 0, 0);
    for seed in 0..rounds(2) {
        let problem = tree(16, seed);
        let mut told = Told::default();
        let report = IdaStar::new(&problem).observer(&mut told).search((0, 1)).run().unwrap();
        let cost = report.cost().unwrap();
        assert!(report.is_optimal());
        let plain = IdaStar::new(&problem)
            .deepening(Deepening::ByNextValue)
            .limits(Limits::new().expansions(3_000_000))
            .search((0, 1))
            .run()
            .unwrap();
        assert!(plain.lower_bound <= cost && plain.cost().is_none_or(|plain| plain == cost));
        // Each better than the last; the last is the path in the report, unless that came at once.
        assert!(told.incumbents.is_sorted_by(|a, b| a > b));
        improved += told.incumbents.len();
        assert!(told.incumbents.iter().all(|&incumbent| incumbent >= cost));
        sum += report.stats.expanded;
        right += right_bound(&problem, &(0, 1), cost);
        plain_sum += plain.stats.expanded;
    }
    assert!(sum < 4 * right, "{sum} with budgets, {right} with the right bounds");
    assert!(plain_sum > 50 * right, "{plain_sum} plain");
    assert!(improved > 0);
}

/// Where nothing branches, the next bounds are further and further away.
#[test]
fn a_chain_takes_time_in_proportion_to_its_length() {
    let chain = problem(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 80_000);
    let report = IdaStar::new(&chain).search(0).run().unwrap();
    assert_eq!(report.cost(), Some(80_000));
    assert!(report.stats.expanded < 320_000, "{}", report.stats.expanded);
}

/// It depends on the bounds which sums a search with a table meets, but not how it ends.
#[test]
fn with_a_table_a_sum_matters_if_a_state_is_left_out() {
    // The step of 100 does not fit on the dear way to 1, which comes first, and on the cheap one by 2 it does.
    let end = |has_cheap_way: bool, deepening, bytes| {
        let problem = FnProblem::new(
            move |&n: &u8| match n {
                0 => vec![(1, 200_u8), (2, 10)],
                1 => vec![(3, 100)],
                2 if has_cheap_way => vec![(1, 0)],
                _ => vec![],
            },
            |&n: &u8| [200, 0, 190, 0][usize::from(n)],
            |_: &u8| false,
        );
        let builder = IdaStar::new(&problem).deepening(deepening).transposition_table(bytes);
        builder.search(0).run().map(|report| (report.outcome, report.lower_bound))
    };
    for deepening in [AT_ONCE, Deepening::ByNextValue] {
        for bytes in [1, 1 << 14] {
            assert_eq!(end(true, deepening, bytes), Ok((Outcome::Exhausted, u8::MAX)));
            let too_much = SearchError::Overflow { g: 200, added: 100 };
            assert_eq!(end(false, deepening, bytes), Err(too_much));
        }
    }
}

/// The expansions that find out whether a state is left out do not count to the budget of the last iteration.
#[test]
fn a_sum_is_settled_whatever_the_last_iteration_has_left() {
    for leaves in 1..60 {
        let broom = FnProblem::new(
            move |&n: &u32| match n {
                0..5 => vec![(n + 1, 1_u8)],
                5 => (6..6 + leaves).map(|leaf| (leaf, 1)).collect(),
                100 => vec![],
                _ => vec![(100, 255)],
            },
            |_: &u32| 0,
            |_: &u32| false,
        );
        let limits = Limits::new().time(Duration::from_secs(10));
        let builder = IdaStar::new(&broom).deepening(AT_ONCE).transposition_table(1 << 14);
        let answer = builder.limits(limits).search(0).run();
        assert_eq!(answer, Err(SearchError::Overflow { g: 6, added: 255 }), "{leaves} leaves");
    }
}

/// As long as iterations grow, and for costs that can only be compared, it is plain IDA*.
#[test]
fn few_values_of_f_change_nothing() {
    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    struct Compared(u32);
    impl bestfirst::Cost for Compared {
        const ZERO: Self = Self(0);
        const INFINITY: Self = Self(u32::MAX);
        fn checked_add(self, other: Self) -> Option<Self> {
            self.0.checked_add(other.0).map(Self)
        }
    }

    let problem = FnProblem::new(
        |&(x, y): &(i32, i32)| {
            [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(a, b)| ((x + a, y + b), 1_u32))
        },
        |&(x, y)| u32::midpoint(x.abs_diff(9), y.abs_diff(6)),
        |&place| place == (9, 6),
    );
    let [plain, budgeted] = [Deepening::ByNextValue, Deepening::default()]
        .map(|deepening| IdaStar::new(&problem).deepening(deepening).search((0, 0)).run().unwrap());
    assert!(plain.stats.expanded > 5000);
    assert_eq!(budgeted, plain);

    let chain =
        FnProblem::new(|&n: &u32| [(n + 1, Compared(1))], |_: &u32| Compared(0), |&n| n == 300);
    let [plain, budgeted] = [Deepening::ByNextValue, AT_ONCE]
        .map(|deepening| IdaStar::new(&chain).deepening(deepening).search(0).run().unwrap());
    assert_eq!(budgeted, plain);
}

#[cfg(feature = "parallel")]
#[test]
fn threads_find_the_same_cost() {
    let mut found = 0;
    for problem in problems::<u32>(0..200, [9, 12]) {
        for count in [2, 3] {
            let search = IdaStar::new(&problem).in_place().deepening(AT_ONCE).limits(few());
            let answer = search.threads(count).search_from(problem.starts()).run();
            found += u64::from(check_end(&problem, &answer));
        }
    }
    assert!(found > 150, "{found}");
    for seed in 0..6 {
        let problem = tree(16, seed);
        let one = IdaStar::new(&problem).search((0, 1)).run().unwrap();
        let mut told = Told::default();
        let mut search = IdaStar::new(&problem).threads(2).observer(&mut told).search((0, 1));
        let mut expanded = 0;
        // Stopped now and then.
        let two = loop {
            search.set_limits(Limits::new().expansions(expanded + 20_011));
            let report = search.run().unwrap();
            expanded = report.stats.expanded;
            assert!(Some(report.lower_bound) <= one.cost());
            assert!(report.incumbent.as_ref().is_none_or(|path| path.verify(&problem).is_ok()));
            if !matches!(report.outcome, Outcome::Stopped(_)) {
                break report;
            }
        };
        assert_eq!((two.cost(), two.lower_bound), (one.cost(), one.lower_bound));
        assert!(two.is_optimal());
        assert_eq!(two.path().map(|path| path.verify(&problem)), Some(Ok(())));
        assert!(told.incumbents.is_sorted_by(|a, b| a > b));
    }
}

/// From a bound of zero, the next one that is chosen among floats may be far too large: an iteration would have infinitely many paths.
#[test]
fn a_bound_that_is_far_too_large_is_lowered() {
    let next = |&n: &u8| match n {
        0 => vec![(2, 0.5), (5, 0.0), (3, 7.75)],
        1 => vec![(4, 4.0), (3, 2.25)],
        2 => vec![(0, 0.5), (5, 3.25), (3, 5.0), (3, 0.5)],
        3 => vec![(0, 7.75), (2, 5.0), (4, 2.5), (3, 2.5), (4, 4.0), (5, 0.0)],
        4 => vec![(1, 4.0)],
        _ => vec![(3, 0.0)],
    };
    let graph = problem(next, |_: &u8| 0.0, |&n: &u8| n == 1);
    for in_little_memory in [false, true] {
        let search = IdaStar::new(&graph).deepening(AT_ONCE);
        let search = if in_little_memory { search.transposition_table(1) } else { search };
        let report = search.limits(Limits::new().expansions(10_000)).search(0).run().unwrap();
        assert_eq!((report.cost(), report.lower_bound), (Some(6.5), 6.5), "{report}");
        assert!(report.stats.peak_frontier < 100);
    }
}

/// The search comes by the dearer of two steps to each state, within a bound that is too large.
#[test]
fn a_solution_takes_the_cheapest_step_from_state_to_state() {
    let mut incumbents = 0;
    for factor in 1..40 {
        let chain = problem(
            |&n: &u8| {
                let (dear, cheap) = (5 + u32::from(n) * factor, 3);
                [(n + 1, dear), (n + 1, cheap)].into_iter().filter(|&(n, _)| n < 9)
            },
            |_: &u8| 0,
            |&n: &u8| n == 8,
        );
        let mut told = Told::default();
        let report = IdaStar::new(&chain).deepening(AT_ONCE).observer(&mut told).search(0).run();
        assert_eq!(report.unwrap().cost(), Some(24));
        assert!(told.incumbents.iter().all(|&cost| cost == 24), "{:?}", told.incumbents);
        incumbents += told.incumbents.len();
    }
    assert!(incumbents > 0);
}
