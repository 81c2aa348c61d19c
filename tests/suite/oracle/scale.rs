//! Problems of more states than a table, a queue or a buffer has room for at first: every engine that keeps its states
//! against the oracle, and then the same report in slices and after a restart.

use bestfirst::{Limits, Outcome, Report};

use support::engines::{Engine, Listed, engines};
use support::judge::{Tally, check, check_costs};
use support::random::{Problem, Random, Units, rounds};

/// More expansions than any of these engines needs.
const ENOUGH: u64 = 1_000_000;

/// The report without its bytes: these depend on what was done before.
fn without_bytes<S, A, C, E>(mut answer: Result<Report<S, A, C>, E>) -> Result<Report<S, A, C>, E> {
    if let Ok(report) = &mut answer {
        report.stats.peak_bytes = 0;
    }
    answer
}

fn judge<C: Units>(
    problem: &Problem<C, u32>,
    engine: &Engine<Problem<C, u32>>,
    random: &mut Random,
    tally: &mut Tally,
) {
    let limits = |most| Limits::new().expansions(most);
    let mut search = (engine.search)(problem, limits(ENOUGH), problem.starts());
    let expected = without_bytes(search.run());
    let check = if engine.keeps_parents() { check } else { check_costs };
    check(problem, &expected, engine.factor, false, tally);

    // From elsewhere, and not to the end.
    let elsewhere = u32::try_from(random.index(problem.graph.edges.len())).expect("few states");
    search.restart_from(vec![(elsewhere, C::ZERO)]);
    search.set_limits(limits(random.below(5000)));
    let _ = search.run();

    search.restart_from(problem.starts());
    let mut answer;
    loop {
        search.set_limits(limits((search.stats().expanded + random.below(4000)).min(ENOUGH)));
        answer = without_bytes(search.run());
        match &answer {
            Ok(Report { outcome: Outcome::Stopped(_), stats, .. }) if stats.expanded < ENOUGH => {
                tally.stopped += 1;
            }
            _ => break,
        }
    }
    check(problem, &answer, engine.factor, false, tally);
    if let (Ok(report), Ok(other)) = (&mut answer, &expected) {
        // A stop may prove more than the end where the heuristic is inconsistent, and what is proved stays so.
        assert!(report.lower_bound >= other.lower_bound);
        report.lower_bound = other.lower_bound;
    }
    assert_eq!(answer, expected);
}

fn judge_all<C: Units + Listed>(seed: u64, tally: &mut Tally) {
    let random = &mut Random::new(seed);
    let problem = Problem::<C, u32>::mesh(seed, 100 + random.index(30));
    for engine in engines().iter().filter(|engine| !engine.may_repeat()) {
        println!("Problem::<{}, _>, seed {seed}, {}", std::any::type_name::<C>(), engine.name);
        judge(&problem, engine, random, tally);
    }
    tally.problems += 1;
}

#[test]
fn every_engine_is_right_at_ten_thousand_states() {
    let mut tally = Tally::default();
    for seed in 0..rounds(4) {
        judge_all::<i32>(3 * seed, &mut tally);
        judge_all::<f64>(3 * seed + 1, &mut tally);
        judge_all::<u64>(3 * seed + 2, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.found > tally.problems * 20 && tally.dearer > tally.problems, "{tally:?}");
    assert!(tally.stopped > tally.problems * 20, "{tally:?}");
}
