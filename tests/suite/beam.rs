//! Beam search, rectangle search and anytime search: a cheapest path when they end, the best so far and a true bound at every
//! stop, whatever was left out.

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{
    Anytime, Beam, BreadthFirst, Limits, Observer, Outcome, Rectangle, Report, SearchProblem,
    StopReason, dijkstra,
};
use support::erased::problem;
use support::random::{is_enough, rounds};

use support::engines::erased;
use support::random::{Edge, Problem, Truth, Units};
use support::rounds::{Answer, check_stop, few, optimum, problems, run_for};

/// The solutions that a search has told of.
#[derive(Debug, Default)]
struct Told<C>(Vec<C>);

impl<S, C: PartialOrd> Observer<S, C> for Told<C> {
    fn incumbent(&mut self, cost: C, bound: C) {
        assert!(bound <= cost);
        assert!(self.0.last().is_none_or(|last| cost < *last), "solutions become better");
        self.0.push(cost);
    }
}

/// Costs, and what is told of solutions: searches with other observers than those of other tests are compiled for one type.
trait Watched: Units {
    type By: Observer<u32, Self> + Default;
}

impl Watched for i32 {
    type By = Told<i32>;
}

impl Watched for f64 {
    type By = ();
}

const FORMS: usize = 8;

/// Runs a search for `rounds` rounds or until it is not stopped, each after the first with the limits that
/// `next` makes of the report. Returns the last answer, and at how many stops there was a solution.
fn run<C: Watched>(
    problem: &Problem<C, u32>,
    form: usize,
    limits: Limits<C>,
    next: impl Fn(&Report<u32, Edge, C>) -> Limits<C>,
    rounds: usize,
) -> (Answer<C>, u64) {
    macro_rules! run {
        ($builder:expr) => {{
            let builder = $builder.observer(C::By::default()).limits(limits);
            run_for(problem, builder.search_from(problem.starts()), next, rounds)
        }};
    }
    let p = erased(problem);
    match form {
        0 => run!(Beam::new(p)),
        1 => run!(Beam::new(p).width_from(3).in_place()),
        2 => run!(Rectangle::new(p)),
        3 => run!(Rectangle::new(p).aspect(1).in_place()),
        4 => run!(Rectangle::new(p).aspect(3)),
        5 => run!(Anytime::new(p)),
        6 => run!(Anytime::new(p).in_place()),
        _ => run!(Beam::new(p).width(2)),
    }
}

/// Whether the form ends with a proof.
fn is_complete(form: usize) -> bool {
    form < FORMS - 1
}

/// What holds at the end; whether a path was found.
fn check_end<C: Units>(problem: &Problem<C, u32>, form: usize, answer: &Answer<C>) -> bool {
    let Ok(report) = answer else {
        let may_be = problem.graph.may_overflow() || problem.graph.truth == Truth::TooMuch;
        assert!(may_be, "{answer:?}");
        return false;
    };
    check_stop(problem, report);
    match &report.outcome {
        Outcome::Found(path) => {
            if is_complete(form) {
                assert!(path.cost().is_close(optimum(problem).unwrap()));
                assert!(report.is_optimal());
            }
            true
        }
        Outcome::Exhausted => {
            assert_eq!(problem.graph.truth, Truth::Unreachable);
            false
        }
        Outcome::Stopped(StopReason::Width) => {
            assert!(!is_complete(form) && report.path().is_none());
            false
        }
        Outcome::Stopped(_) => {
            assert!(problem.graph.chain.is_some(), "{:?}", report.outcome);
            false
        }
    }
}

fn unlimited<C: Watched>(problem: &Problem<C, u32>, form: usize, limits: Limits<C>) -> Answer<C> {
    run(problem, form, limits, |_| Limits::new(), 1).0
}

#[test]
fn beams_find_a_cheapest_path_when_they_end() {
    fn check<C: Watched>(seeds: std::ops::Range<u64>) -> u64 {
        let mut found = 0;
        for problem in problems::<C>(seeds, [30, 20]) {
            for form in 0..FORMS {
                let answer = unlimited(&problem, form, few());
                assert_eq!(unlimited(&problem, form, few()), answer, "the same again");
                found += u64::from(check_end(&problem, form, &answer));
            }
        }
        found
    }
    assert!(is_enough(check::<i32>(0..rounds(180)), 500));
    assert!(is_enough(check::<f64>(0..rounds(90)), 300));
}

#[test]
fn beams_report_the_truth_at_every_expansion() {
    let mut solutions = 0;
    for problem in problems::<i32>(0..rounds(300), [30, 20]) {
        for form in 0..FORMS {
            let mut answer = unlimited(&problem, form, few());
            let Ok(report) = &answer else { continue };
            let rounds = usize::try_from(report.stats.expanded).unwrap();
            if rounds > 500 {
                continue;
            }
            let one_more = |report: &Report<_, _, i32>| {
                let most = report.stats.expanded + 1;
                Limits::new().expansions(most)
            };
            let first = Limits::new().expansions(0);
            let (mut stopped, seen) = run(&problem, form, first, one_more, rounds + 2);
            if let (Ok(stopped), Ok(report)) = (&mut stopped, &answer)
                && !is_complete(form)
            {
                // The largest that was proved at any stop.
                assert!(stopped.lower_bound >= report.lower_bound);
                stopped.lower_bound = report.lower_bound;
            }
            for report in [&mut stopped, &mut answer].into_iter().flatten() {
                report.stats.peak_bytes = 0;
            }
            assert_eq!(stopped, answer, "form {form}");
            solutions += seen;
        }
    }
    assert!(is_enough(solutions, 1000), "{solutions}");
}

/// A limit on the cost prunes, and states behind it are found when it is raised.
#[test]
fn beams_keep_to_a_limit_on_the_cost() {
    let (mut found, mut raised) = (0, 0);
    for problem in problems::<i32>(0..rounds(240), [30, 20]) {
        let Some(optimum) = optimum(&problem) else { continue };
        if problem.graph.chain.is_some() {
            continue;
        }
        for most in [(optimum - 1).max(0), optimum, optimum.saturating_add(1)] {
            for form in (0..FORMS).filter(|&form| is_complete(form)) {
                let (answer, _) =
                    run(&problem, form, Limits::new().cost(most), |_| Limits::new(), 1);
                let Ok(report) = answer else { continue };
                check_stop(&problem, &report);
                assert!(report.cost().is_none_or(|cost| cost <= most));
                if most >= optimum {
                    assert_eq!(report.cost(), Some(optimum));
                    found += 1;
                } else if report.outcome == Outcome::Stopped(StopReason::Cost) {
                    let (answer, _) =
                        run(&problem, form, Limits::new().cost(most), |_| Limits::new(), 2);
                    assert_eq!(answer.unwrap().cost(), Some(optimum), "form {form}");
                    raised += 1;
                }
            }
        }
    }
    assert!(is_enough(found, 800) && is_enough(raised, 400), "{found} {raised}");
}

/// The best of each layer are expanded, and no more.
#[test]
fn a_fixed_width_bounds_every_layer() {
    #[derive(Default)]
    struct PerDepth(Vec<u64>);
    impl Observer<(u32, u64), u32> for PerDepth {
        fn expanded(&mut self, &(depth, _): &(u32, u64), _: u32, _: u32) {
            let depth = depth as usize;
            self.0.resize(self.0.len().max(depth + 1), 0);
            self.0[depth] += 1;
        }
    }
    let tree = problem(
        |&(depth, node): &(u32, u64)| {
            let ends = depth == 12;
            let step = move |next: u64| ((depth + 1, next), 10 + (next * 7 % 5) as u32);
            (0..3).filter(move |_| !ends).map(move |n| step(3 * node + n))
        },
        |&(depth, _)| 10 * (12 - depth),
        |&(depth, node): &(u32, u64)| depth == 12 && node % 3 == 1,
    );
    let optimum = dijkstra(&tree, (0, 0)).unwrap().cost();
    let mut before = None;
    for width in [1, 2, 7, 50, 1000] {
        let mut layers = PerDepth::default();
        let report =
            Beam::new(&tree).width(width).observer(&mut layers).search((0, 0)).run().unwrap();
        assert!(layers.0.iter().all(|&expanded| expanded <= width as u64), "{:?}", layers.0);
        assert!(report.lower_bound <= optimum.unwrap() && report.cost() >= optimum);
        before = report.cost().filter(|_| width < 1000).or(before);
    }
    assert!(before >= optimum);
}

/// A beam that leaves nothing out is breadth-first search, to the expansion.
#[test]
fn a_wide_beam_is_breadth_first_search() {
    for problem in problems::<i32>(0..rounds(300), [30, 20]) {
        let p = erased(&problem);
        let wide = Beam::new(p).width(usize::MAX).limits(few()).search_from(problem.starts()).run();
        let all = BreadthFirst::new(p).limits(few()).search_from(problem.starts()).run();
        let (Ok(mut wide), Ok(mut all)) = (wide, all) else { continue };
        (wide.stats.peak_bytes, all.stats.peak_bytes) = (0, 0);
        assert_eq!(wide, all);
    }
}

#[test]
fn a_narrow_beam_that_finds_nothing_says_so() {
    // The better of two states leads nowhere.
    let fork = problem(
        |&n: &u32| match n {
            0 => vec![(1, 1_u32), (2, 2)],
            2 => vec![(3, 1)],
            _ => vec![],
        },
        |_: &u32| 0,
        |&n: &u32| n == 3,
    );
    let narrow = Beam::new(&fork).width(1).search(0).run().unwrap();
    assert_eq!(narrow.outcome, Outcome::Stopped(StopReason::Width));
    assert_eq!((narrow.lower_bound, narrow.path()), (2, None));
    let wide = Beam::new(&fork).width(2).search(0).run().unwrap();
    assert_eq!(wide.cost(), Some(3));
    assert!(wide.is_optimal());
    assert_eq!(Beam::new(&fork).search(0).run().unwrap().cost(), Some(3));
}

/// A state on the best path was reached at a smaller cost in the same pass and then left out, so the path costs less than
/// is stored of its goal. That was taken for a heuristic that overestimates.
#[test]
fn a_path_that_became_cheaper_refutes_no_heuristic() {
    let problem = problem(
        |&n: &u32| match n {
            0 => vec![(1, 10_u32), (2, 0)],
            1 => vec![(9, 5)],
            2 => vec![(3, 0)],
            3 => vec![(4, 0), (5, 0), (1, 1)],
            _ => vec![],
        },
        |_: &u32| 0,
        |&n: &u32| n == 9,
    );
    let report = Beam::new(&problem).width_from(2).search(0).run().unwrap();
    assert_eq!((report.cost(), report.lower_bound), (Some(6), 6));
}

#[test]
fn beams_solve_a_puzzle_and_prove_it() {
    let puzzle = SlidingTiles::<Packed>::new(3, 3).unwrap();
    let board: Board = "8 7 6 5 4 3 2 1 0".parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    let optimum = bestfirst::astar(&puzzle, start).unwrap().cost();
    assert_eq!(bestfirst::beam(&puzzle, start).unwrap().cost(), optimum);
    assert_eq!(bestfirst::rectangle(&puzzle, start).unwrap().cost(), optimum);
    assert_eq!(bestfirst::anytime(&puzzle, start).unwrap().cost(), optimum);
    let mut search = Beam::new(&puzzle).search(start);
    let first = search.run().unwrap();
    search.restart(start);
    let mut again = search.run().unwrap();
    again.stats.peak_bytes = first.stats.peak_bytes;
    assert_eq!(again, first);
}

/// Hours, due date and weight of each of `count` jobs on one machine, and the cost of an order.
fn jobs(count: u32) -> Box<dyn SearchProblem<State = u32, Action = (), Cost = u32>> {
    let job = |n: u32| (1 + n * 7 % 9, 5 + n * 37 % 80, 1 + n * 5 % 9);
    let costs = move |done: u32| {
        let (mut now, mut rest) = (0, done);
        while rest > 0 {
            now += job(rest.trailing_zeros()).0;
            rest &= rest - 1;
        }
        let left = (0..count).filter(move |n| done >> n & 1 == 0);
        left.map(move |n| (n, job(n).2 * (now + job(n).0).saturating_sub(job(n).1)))
    };
    problem(
        move |&done: &u32| costs(done).map(move |(n, cost)| (done | 1 << n, cost)),
        move |&done: &u32| costs(done).map(|(_, cost)| cost).sum(),
        move |done: &u32| done.count_ones() == count,
    )
}

/// The cost and the bound of each better path.
#[derive(Default)]
struct Better(Vec<(u32, u32)>);

impl Observer<u32, u32> for Better {
    fn incumbent(&mut self, cost: u32, bound: u32) {
        self.0.push((cost, bound));
    }
}

/// Weighted A* by falling weights has none after 300,000 expansions.
#[test]
fn anytime_search_has_an_order_of_26_jobs_at_once() {
    let mut better = Better::default();
    let limits = Limits::new().expansions(4 * 26);
    let mut search = Anytime::new(jobs(26)).observer(&mut better).limits(limits).search(0);
    let first = search.run().unwrap().cost().expect("the first dive ends in an order");
    search.set_limits(Limits::new().expansions(8_000));
    let report = search.run().unwrap();
    let (best, bound) = (report.cost().unwrap(), report.lower_bound);
    assert!(best < first && 0 < bound && bound < best, "{first}, {best}, {bound}");
    assert!(better.0.len() > 3 && better.0.is_sorted_by(|a, b| a.0 > b.0 && a.1 <= b.1));
    // Cheaper paths to states on the last one may have been found since.
    assert!(better.0.last().unwrap().0 >= best);
    // The bounds are true.
    let mut better = Better::default();
    let report = Anytime::new(jobs(12)).observer(&mut better).search(0).run().unwrap();
    let least = bestfirst::dijkstra(&jobs(12), 0).unwrap().cost().unwrap();
    assert_eq!(report.cost(), Some(least));
    assert!(report.is_optimal());
    assert!(better.0.iter().all(|&(cost, bound)| bound <= least && least <= cost));
}

/// A heuristic leads beams and dives into a blind alley without end.
#[test]
fn anytime_search_comes_to_a_goal_beside_an_endless_alley() {
    // Beyond this number are the states of the other way.
    const OTHER: u32 = 1 << 20;
    let alley = problem(
        |&n: &u32| match n {
            0 => vec![(1, 1_u32), (OTHER + 1, 1)],
            _ if n <= OTHER + 30 => vec![(n + 1, 1)],
            _ => vec![],
        },
        |&n: &u32| u32::from(n > OTHER),
        |&n: &u32| n == OTHER + 20,
    );
    let report = Anytime::new(&alley).limits(few()).search(0).run().unwrap();
    assert_eq!(report.cost(), Some(20));
}

/// Beams come to a state with more successors than there is memory for; weighted A* need not expand it.
#[test]
fn anytime_search_goes_on_where_one_part_lacks_memory() {
    const WIDE: u32 = 2;
    let fork = |goal: u32| {
        problem(
            move |&n: &u32| match n {
                0 => vec![(1, 10_u32), (3, 20)],
                1 => vec![(WIDE, 20)],
                3 => vec![(4, 5)],
                WIDE | 4 => (100..30_000).map(|n| (n, 1)).collect(),
                _ => vec![],
            },
            |_: &u32| 0,
            move |&n: &u32| n == goal,
        )
    };
    let limits = Limits::new().memory(100_000);
    let report = Anytime::new(fork(4)).limits(limits.clone()).search(0).run().unwrap();
    assert!(report.is_optimal(), "{:?}", report.outcome);
    assert_eq!(report.cost(), Some(25));
    // Where both lack it, the search ends there again and again, until there is more.
    let mut search = Anytime::new(fork(29_999)).limits(limits).search(0);
    for _ in 0..2 {
        let report = search.run().unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
        assert_eq!(report.lower_bound, 25);
    }
    search.set_limits(Limits::new());
    let report = search.run().unwrap();
    assert!(report.is_optimal());
    assert_eq!(report.cost(), Some(26));
}
