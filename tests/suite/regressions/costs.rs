//! Costs around the largest of their type, against costs that are wide enough.

use bestfirst::heuristics::DistanceError;
use bestfirst::heuristics::{Landmarks, PatternDatabase};
use bestfirst::{
    Bidirectional, ExternalAStar, Limits, Outcome, Report, Reversible, SearchError, SearchProblem,
    StopReason,
};
use support::erased::reversing;
use support::random::{is_enough, rounds};

use super::graph::{Engine, Graph, Random, engines, list};

type Answer = Result<Report<u32, u32, u8>, SearchError<u8>>;

/// What is true of a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    Costs(u8),
    TooMuch,
    Unreachable,
}

/// Distances from some states by steps, in wide numbers.
fn distances(
    steps: &[Vec<(u32, u8)>],
    from: impl IntoIterator<Item = (u32, u8)>,
) -> Vec<Option<u32>> {
    let mut costs = vec![None; steps.len()];
    for (state, cost) in from {
        let old: &mut Option<u32> = &mut costs[state as usize];
        *old = Some(old.map_or(u32::MAX, |old| old).min(cost.into()));
    }
    for _ in 0..steps.len() {
        for state in 0..steps.len() {
            let Some(g) = costs[state] else { continue };
            for &(to, cost) in &steps[state] {
                let old = &mut costs[to as usize];
                *old = Some(old.map_or(u32::MAX, |old| old).min(g + u32::from(cost)));
            }
        }
    }
    costs
}

/// A graph, whether its heuristics are consistent, and the truth.
fn random(seed: u64) -> (Graph<u8>, bool, Truth) {
    let mut random = Random(seed);
    let count = 2 + random.below(7);
    let node = |random: &mut Random| u32::try_from(random.below(count)).unwrap();
    let values = [0, 0, 1, 2, 100, 127, 128, 200, 253, 254, 255];
    let few = [0, 0, 0, 1, 255];
    let values: &[u8] = if random.below(3) == 0 { &few } else { &values };
    let steps: Vec<Vec<_>> = (0..count)
        .map(|_| {
            let degree = random.below(4);
            (0..degree).map(|_| (node(&mut random), random.of(values))).collect()
        })
        .collect();
    let mut goals = vec![false; count];
    for _ in 0..random.below(3) {
        goals[random.below(count)] = true;
    }
    let start = |random: &mut Random| (node(random), random.of(&[0, 0, 0, 1, 128, 254, 255]));
    let starts: Vec<_> = (0..=random.below(2)).map(|_| start(&mut random)).collect();
    let mut back = vec![Vec::new(); count];
    for (from, steps) in (0..).zip(&steps) {
        for &(to, cost) in steps {
            back[to as usize].push((from, cost));
        }
    }
    let ends = (0..).zip(&goals).filter(|(_, is_goal)| **is_goal).map(|(state, _)| (state, 0));
    let to_go = distances(&back, ends);
    let from_start = distances(&steps, starts.iter().map(|&(state, _)| (state, 0)));
    let mode = random.below(3);
    let mut bound = |distance: &Option<u32>| match (mode, distance) {
        (0, _) => 0,
        (1, None) => u8::MAX,
        (1, Some(cost)) => u8::try_from(*cost).unwrap_or(254).min(254),
        (_, None) => random.of(&[0, 3, 254, 255]),
        (_, Some(cost)) => random.of(&[0, u8::try_from(*cost).unwrap_or(254).min(254)]),
    };
    let h = to_go.iter().map(&mut bound).collect();
    let h_from = from_start.iter().map(&mut bound).collect();
    let costs = distances(&steps, starts.iter().copied());
    let best = costs.iter().zip(&goals).filter(|(_, goal)| **goal).filter_map(|(cost, _)| *cost);
    let truth = match best.min() {
        None => Truth::Unreachable,
        Some(cost) => u8::try_from(cost).map_or(Truth::TooMuch, Truth::Costs),
    };
    (Graph { steps, h, h_from, goals, starts }, mode != 2, truth)
}

fn all() -> Vec<Engine<u8>> {
    let mut all = engines();
    all.extend(list! {
        "BAE*": |p| Bidirectional::new(reversing(p));
        "disk": |p| ExternalAStar::new(p).memory(1 << 20);
    });
    #[cfg(feature = "parallel")]
    all.extend(list! {
        "A*, threads": |p| bestfirst::AStar::new(p).threads(2);
        "Dijkstra, threads": |p| bestfirst::Dijkstra::new(p).threads(2);
        "IDA*, threads": |p| bestfirst::IdaStar::new(p).threads(2);
        "IDA*, threads, table": |p| bestfirst::IdaStar::new(p).threads(2).transposition_table(1 << 12);
    });
    all
}

/// Whether the engine promises anything of a problem whose heuristics are so.
fn suits(engine: &Engine<u8>, is_consistent: bool) -> bool {
    is_consistent || engine.name != "BAE*"
}

/// What is wrong with an answer, if anything is.
fn fault(engine: &Engine<u8>, truth: Truth, answer: &Answer, most: Option<u8>) -> Option<String> {
    let report = match answer {
        Ok(report) => report,
        Err(SearchError::Overflow { .. }) if !matches!(truth, Truth::Costs(_)) => return None,
        Err(error) => return Some(format!("{error:?}")),
    };
    let optimum = match truth {
        Truth::Costs(cost) => Some(cost),
        _ => None,
    };
    if optimum.is_some_and(|cost| report.lower_bound > cost) {
        return Some(format!("the bound is {}", report.lower_bound));
    }
    let is_right = match &report.outcome {
        Outcome::Found(path) => {
            let is_cheapest = optimum == Some(path.cost());
            (is_cheapest || !engine.is_optimal()) && optimum.is_some_and(|cost| path.cost() >= cost)
        }
        Outcome::Exhausted => truth == Truth::Unreachable,
        Outcome::Stopped(StopReason::Expansions) => true,
        Outcome::Stopped(StopReason::Width) => engine.name.starts_with("beam, width"),
        Outcome::Stopped(StopReason::Cost) => {
            optimum.is_none_or(|cost| most.is_some_and(|most| cost > most))
        }
        Outcome::Stopped(_) => false,
    };
    (!is_right).then(|| format!("{:?}", report.outcome))
}

/// Expansions for engines that may repeat themselves.
const PATIENCE: u64 = 2000;

fn patience(engine: &Engine<u8>) -> Limits<u8> {
    if engine.may_repeat() { Limits::new().expansions(PATIENCE) } else { Limits::new() }
}

/// What an answer says, in a word.
fn word(answer: &Answer) -> String {
    match answer {
        Ok(report) => match &report.outcome {
            Outcome::Found(path) => format!("found {}", path.cost()),
            Outcome::Exhausted => "exhausted".into(),
            outcome @ Outcome::Stopped(_) => format!("{outcome:?}"),
        },
        Err(SearchError::Overflow { .. }) => "overflow".into(),
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn costs_up_to_the_largest_are_costs() {
    let engines = all();
    let mut faults = Vec::new();
    let mut counts = [0_u64; 3];
    for seed in 125..125 + rounds(200) {
        let (graph, is_consistent, truth) = random(seed);
        counts[match truth {
            Truth::Costs(_) => 0,
            Truth::TooMuch => 1,
            Truth::Unreachable => 2,
        }] += 1;
        for engine in engines.iter().filter(|engine| suits(engine, is_consistent)) {
            let answer = (engine.search)(&graph, patience(engine)).run();
            if let Some(fault) = fault(engine, truth, &answer, None) {
                faults.push(format!("seed {seed}, {}: {truth:?}, {fault}", engine.name));
            }
        }
    }
    assert!(counts.iter().all(|&count| is_enough(count, 6)), "{counts:?}");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), summary(&faults));
}

/// How many faults each engine has, and the first of them.
fn summary(faults: &[String]) -> String {
    let mut names = std::collections::BTreeMap::<&str, (usize, &str)>::new();
    for fault in faults {
        let name = fault.split(", ").nth(1).unwrap().split(": ").next().unwrap();
        let entry = names.entry(name).or_insert((0, fault));
        entry.0 += 1;
    }
    let lines = names.iter().map(|(name, (count, first))| format!("{name}: {count}, {first}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Runs with limits that rise: all that was said, and the end.
fn with_stops(
    engine: &Engine<u8>,
    graph: &Graph<u8>,
    truth: Truth,
    limits: &[Limits<u8>],
) -> Result<Answer, String> {
    let mut search = (engine.search)(graph, Limits::new());
    let mut bound = 0;
    for (nth, limit) in limits.iter().enumerate() {
        search.set_limits(limit.clone());
        let answer = search.run();
        if let Some(fault) = fault(engine, truth, &answer, limit.cost_limit()) {
            return Err(format!("{limit:?}: {fault}"));
        }
        match &answer {
            Ok(report) if matches!(report.outcome, Outcome::Stopped(_)) => {
                if report.lower_bound < bound {
                    return Err(format!("the bound falls from {bound} to {}", report.lower_bound));
                }
                bound = report.lower_bound;
                if nth + 1 == limits.len() {
                    return Ok(answer);
                }
            }
            _ => return Ok(answer),
        }
    }
    Err("it has no end".into())
}

/// Whether a search must have said the same with stops as without.
fn must_agree(engine: &Engine<u8>, words: &[String]) -> bool {
    let proves = |word: &String| ["exhausted", "overflow"].contains(&&**word);
    // What the table of IDA* holds depends on where its threads were stopped, and its bounds on limits on the cost.
    match engine.name {
        "IDA*, threads, table" => false,
        name if name.starts_with("IDA*") => words.iter().all(|word| !word.starts_with("Stopped")),
        _ => engine.is_optimal() || words.iter().all(proves),
    }
}

#[test]
fn stops_near_the_largest_cost_change_nothing() {
    let engines = all();
    let mut faults = Vec::new();
    for seed in 0..rounds(50) {
        let (graph, is_consistent, truth) = random(seed);
        let mut random = Random(seed + 77);
        for engine in engines.iter().filter(|engine| suits(engine, is_consistent)) {
            let name = engine.name;
            let last = patience(engine);
            let answer = (engine.search)(&graph, last.clone()).run();
            let mut costs: Vec<u8> =
                (0..4).map(|_| random.of(&[0, 1, 2, 100, 127, 128, 200, 252, 253, 254])).collect();
            costs.sort_unstable();
            let by_cost = costs.iter().map(|&cost| last.clone().cost(cost));
            let by_count = (0..40).map(|count| Limits::new().expansions(count));
            let by_both = (0..40).map(|_| {
                let limits = Limits::new().expansions(random.below(40) as u64);
                if random.below(2) == 0 {
                    limits.cost(random.of(&[0, 1, 100, 128, 254]))
                } else {
                    limits
                }
            });
            let by_both: Vec<_> = by_both.collect();
            let lists: [Vec<_>; 3] = [by_cost.collect(), by_count.collect(), by_both];
            for limits in lists {
                let limits: Vec<_> = limits.into_iter().chain([last.clone()]).collect();
                let end = match with_stops(engine, &graph, truth, &limits) {
                    Ok(end) => end,
                    Err(fault) => {
                        faults.push(format!("seed {seed}, {name}: {truth:?} {fault}"));
                        continue;
                    }
                };
                let words = [word(&end), word(&answer)];
                if words[0] != words[1] && must_agree(engine, &words) {
                    faults.push(format!("seed {seed}, {name}: {truth:?}, {words:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), summary(&faults));
}

/// Distances from every state to every other, in wide numbers.
fn all_distances(graph: &Graph<u8>) -> Vec<Vec<Option<u32>>> {
    let states = 0..u32::try_from(graph.steps.len()).unwrap();
    states.map(|state| distances(&graph.steps, [(state, 0)])).collect()
}

#[test]
fn landmarks_take_distances_up_to_the_largest_cost() {
    let mut largest = 0;
    for seed in 0..rounds(1000) {
        let (graph, ..) = random(seed);
        let exact = all_distances(&graph);
        let all = || exact.iter().flatten().flatten();
        let source = reversing(&graph);
        let builder = Landmarks::of(&source).count(3);
        let builder = if seed % 2 == 0 { builder.compressed() } else { builder };
        let landmarks = match builder.build() {
            Ok(landmarks) => landmarks,
            Err(DistanceError::Search(SearchError::Overflow { .. })) => {
                assert!(all().any(|&cost| cost > 255), "seed {seed}");
                continue;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        };
        largest += usize::from(all().any(|&cost| cost == 255));
        let blind = Graph { h: vec![0; graph.h.len()], h_from: vec![0; graph.h.len()], ..graph };
        let problem = landmarks.to(&blind).unwrap();
        for (from, exact) in (0..).zip(&exact) {
            let to_goals = exact.iter().zip(&blind.goals).filter(|(_, goal)| **goal);
            let to_goal = to_goals.filter_map(|(cost, _)| *cost).min();
            let is_bound = |h: u8, exact: Option<u32>| {
                exact.is_none_or(|cost| u32::from(h) <= cost && h < u8::MAX)
            };
            assert!(is_bound(problem.heuristic(&from), to_goal), "seed {seed} from {from}");
            for (to, &cost) in (0..).zip(exact) {
                let h = problem.heuristic_from(&from, &to);
                assert!(is_bound(h, cost), "seed {seed} from {from} to {to}: {h}, {cost:?}");
            }
        }
    }
    assert!(is_enough(largest, 66), "{largest}");
}

#[test]
fn databases_by_nodes_and_by_bits_are_the_same() {
    for seed in 0..rounds(600) {
        let (mut graph, ..) = random(seed);
        for (_, cost) in graph.steps.iter_mut().flatten() {
            *cost %= 2;
        }
        let goals = || graph.goals().collect::<Vec<_>>();
        let key = |&state: &u32| state as usize / 2;
        let by_nodes = PatternDatabase::builder(&graph).build(goals(), key).unwrap();
        let keys = graph.steps.len() + usize::try_from(seed).unwrap() % 5;
        let by_bits = PatternDatabase::builder(&graph).bits(keys).build(goals(), key).unwrap();
        assert!(by_nodes == by_bits, "seed {seed}: {by_nodes:?} {by_bits:?}");
        #[cfg(feature = "parallel")]
        {
            let builder = PatternDatabase::builder(&graph).bits(keys).threads(2);
            assert!(builder.build(goals(), key).unwrap() == by_nodes, "seed {seed}");
        }
    }
}
