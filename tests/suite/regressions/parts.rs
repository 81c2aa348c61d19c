//! Costs of which only a part can be compared: every engine says so, and none goes on for ever.

use std::time::Duration;

use bestfirst::{Cost, Limits, Outcome, SearchError, StopReason};
use support::hostile::Pair;
use support::random::{is_enough, rounds};

use super::graph::{Graph, Random, engines};

/// What has NaN in the second place cannot even be compared with itself.
const COSTS: [Pair; 6] = [
    Pair(0.0, 1.0),
    Pair(1.0, f64::NAN),
    Pair(0.0, f64::NAN),
    Pair(1.0, 0.0),
    Pair(2.0, 3.0),
    Pair(0.0, 0.0),
];

/// A graph whose first state has a goal far away, and all its costs.
fn random(seed: u64, costs: &[Pair]) -> Graph<Pair> {
    let mut random = Random(seed);
    let count = 2 + random.below(59);
    let has_h = random.below(2) == 0;
    let mut h = || -> Vec<_> {
        let one = |random: &mut Random| if has_h { random.of(costs) } else { Pair::ZERO };
        (0..count).map(|_| one(&mut random)).collect()
    };
    let (h, h_from) = (h(), h());
    let node = |random: &mut Random| u32::try_from(random.below(count)).unwrap();
    let steps = |random: &mut Random| -> Vec<_> {
        (0..=random.below(3)).map(|_| (node(random), random.of(costs))).collect()
    };
    let steps = (0..count).map(|_| steps(&mut random)).collect();
    let goals = (0..count).map(|state| state + 1 == count).collect();
    Graph { steps, h, h_from, goals, starts: vec![(0, random.of(costs))] }
}

/// An engine that went on without end would be stopped by the limit on the time, which nothing here needs.
#[test]
fn costs_that_cannot_be_compared_are_no_numbers() {
    let mut counts = [0; 2];
    for seed in 0..rounds(150) {
        let graph = random(seed, &COSTS);
        for engine in engines() {
            let limits = Limits::new().expansions(2000).time(Duration::from_secs(20));
            let answer = (engine.search)(&graph, limits).run();
            match answer {
                Err(SearchError::NotANumber { .. }) => counts[0] += 1,
                Ok(report) => {
                    counts[1] += 1;
                    let reason = match report.outcome {
                        Outcome::Stopped(reason) => Some(reason),
                        _ => None,
                    };
                    assert_ne!(reason, Some(StopReason::Time), "seed {seed}, {}", engine.name);
                }
                other => panic!("seed {seed}, {}: {other:?}", engine.name),
            }
        }
    }
    assert!(is_enough(counts[0], 3600) && is_enough(counts[1], 150), "{counts:?}");
}

/// A start, a step or a heuristic value that cannot be compared with itself, although it is more than zero.
#[test]
fn every_engine_says_where_no_number_is() {
    let number = Pair(1.0, 1.0);
    let none = Pair(1.0, f64::NAN);
    let graph = |start, step, h| Graph {
        steps: vec![vec![(1, number)], vec![(2, step)], vec![]],
        h: vec![Pair::ZERO, h, Pair::ZERO],
        h_from: vec![Pair::ZERO, h, Pair::ZERO],
        goals: vec![false, false, true],
        starts: vec![(0, start)],
    };
    for engine in engines() {
        let run = |graph: &Graph<Pair>, limits| (engine.search)(graph, limits).run();
        let name = engine.name;
        let sound = graph(Pair::ZERO, number, Pair::ZERO);
        assert!(run(&sound, Limits::new()).is_ok(), "{name}");
        let is_told = |graph, limits| {
            let answer = run(&graph, limits);
            matches!(answer, Err(SearchError::NotANumber { value, .. }) if value.1.is_nan())
        };
        assert!(is_told(graph(none, number, Pair::ZERO), Limits::new()), "{name}: a start");
        assert!(is_told(graph(Pair::ZERO, none, Pair::ZERO), Limits::new()), "{name}: a step");
        let ignores_h = name.contains("Dijkstra");
        let h = graph(Pair::ZERO, number, none);
        assert!(ignores_h || is_told(h, Limits::new()), "{name}: an estimate");
        assert!(is_told(sound, Limits::new().cost(none)), "{name}: a limit");
    }
}
