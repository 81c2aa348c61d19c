//! Problems that break their promises: heuristics that overestimate, or are no number, negative, or
//! infinite where they must not be; steps that cost less than nothing or are no number. The answer is
//! an error that says so, or a path that is really there and really costs that.

use std::ops::Range;

use bestfirst::{
    DenseStates, InPlaceProblem, Limits, Outcome, PathError, SearchError, SearchProblem, Successors,
};

use support::engines::{Listed, engines};
use support::random::{Edge, Problem, Random, Truth, Units, edge_at, is_enough, rounds};

const PATIENCE: u64 = 2000;

fn lie<C: Units + Listed>(seed: u64, not_a_number: Option<C>) -> [u64; 4] {
    let mut problem = Problem::<C, u32>::random(seed, 10);
    let mut random = Random::new(seed ^ 0xF00D);
    let graph = &problem.graph;
    let mut counts = [0; 4];
    if graph.chain.is_some() {
        return counts;
    }
    let mut hides = false;
    for h in &mut problem.h {
        match random.below(8) {
            0 => *h = C::INFINITY,
            1 => *h = C::of(graph.most, graph.scale),
            2 => *h = C::negative().unwrap_or(C::ZERO),
            3 => *h = not_a_number.unwrap_or(*h),
            4 | 5 => *h = C::of(random.below(40), graph.scale),
            _ => {}
        }
        // Of whole numbers, the largest says that there is no way.
        hides |= *h >= C::INFINITY;
    }
    for engine in engines() {
        let limits = Limits::new().expansions(PATIENCE);
        let answer = (engine.search)(&problem, limits, problem.starts()).run();
        let name = engine.name;
        match answer {
            Ok(report) => match &report.outcome {
                Outcome::Found(path) => {
                    assert_eq!(path.verify(&problem), Ok(()), "seed {seed}, {name}");
                    let Truth::Costs(optimum) = graph.truth else { panic!("seed {seed}, {name}") };
                    let optimum = C::of(optimum, graph.scale);
                    assert!(!optimum.exceeds(path.cost()), "seed {seed}, {name}");
                    assert!(report.lower_bound <= path.cost(), "seed {seed}, {name}");
                    assert_eq!(report.is_optimal(), report.lower_bound == path.cost());
                    counts[0] += 1;
                    if path.cost().exceeds(optimum) {
                        counts[1] += u64::from(!report.is_optimal());
                    }
                }
                Outcome::Exhausted => {
                    assert!(hides || graph.truth == Truth::Unreachable, "seed {seed}, {name}");
                }
                Outcome::Stopped(_) => assert!(engine.may_repeat(), "seed {seed}, {name}"),
            },
            Err(SearchError::NotANumber { .. }) => {
                assert!(not_a_number.is_some(), "seed {seed}, {name}");
                counts[2] += 1;
            }
            Err(SearchError::Overflow { .. }) => counts[3] += 1,
            Err(error) => panic!("seed {seed}, {name}: {error}"),
        }
    }
    counts
}

#[test]
fn heuristics_that_lie() {
    let mut counts = [0; 4];
    for seed in 0..rounds(1200) {
        let more = match seed % 4 {
            0 => lie::<u32>(seed, None),
            1 => lie::<i32>(seed, None),
            2 => lie::<f64>(seed, Some(f64::NAN)),
            _ => lie::<f64>(seed, None),
        };
        counts = std::array::from_fn(|i| counts[i] + more[i]);
    }
    assert!(counts.iter().all(|&count| is_enough(count, 10)), "{counts:?}");
}

/// A problem with one step that costs something else.
struct Corrupt<C> {
    problem: Problem<C, u32>,
    step: Edge,
    cost: C,
}

impl<C: Units> SearchProblem for Corrupt<C> {
    type State = u32;
    type Action = Edge;
    type Cost = C;

    fn successors(&self, state: &u32, next: &mut Successors<Self>) {
        self.problem.successors(state, next);
        for successor in next.as_mut_slice() {
            if successor.action == self.step {
                successor.cost = self.cost;
            }
        }
    }
    fn heuristic(&self, state: &u32) -> C {
        self.problem.heuristic(state)
    }
    fn is_goal(&self, state: &u32) -> bool {
        self.problem.is_goal(state)
    }
}

impl<C: Units> DenseStates for Corrupt<C> {
    fn state_count(&self) -> usize {
        self.problem.state_count()
    }
    fn state_index(&self, state: &u32) -> usize {
        self.problem.state_index(state)
    }
    fn state_at(&self, index: usize) -> u32 {
        self.problem.state_at(index)
    }
}

impl<C: Units> InPlaceProblem for Corrupt<C> {
    type Actions = Range<Edge>;
    type Undo = u32;
    fn actions(&self, state: &u32) -> Range<Edge> {
        self.problem.actions(state)
    }
    fn apply(&self, state: &mut u32, action: &Edge) -> (C, u32) {
        let (cost, undo) = self.problem.apply(state, action);
        (if *action == self.step { self.cost } else { cost }, undo)
    }
    fn undo(&self, state: &mut u32, undo: u32) {
        self.problem.undo(state, undo);
    }
}

fn corrupt<C: Units + Listed>(seed: u64, cost: C) -> [u64; 2] {
    let problem = Problem::<C, u32>::random(seed, 10);
    let mut random = Random::new(seed);
    let node = random.index(problem.graph.edges.len());
    let degree = problem.graph.edges[node].len();
    let mut counts = [0; 2];
    if degree == 0 || problem.graph.chain.is_some() {
        return counts;
    }
    let problem = Corrupt { step: edge_at(node, random.index(degree)), cost, problem };
    for engine in engines() {
        let limits = Limits::new().expansions(PATIENCE);
        let mut search = (engine.search)(&problem, limits, problem.problem.starts());
        match search.run() {
            Ok(report) => {
                if let Outcome::Found(path) = report.outcome {
                    assert_eq!(path.verify(&problem), Ok(()), "seed {seed}, {}", engine.name);
                    assert!(path.steps().all(|step| step.cost >= C::ZERO));
                    counts[0] += 1;
                }
            }
            Err(SearchError::NegativeCost { step, .. }) => {
                assert!(step < C::ZERO && step == cost);
                counts[1] += 1;
            }
            Err(error @ SearchError::NotANumber { .. }) => {
                assert!(cost.partial_cmp(&cost).is_none(), "seed {seed}, {}", engine.name);
                assert!(error.to_string().contains("NaN"));
                assert!(search.run().is_err(), "it stays an error");
                counts[1] += 1;
            }
            // A step that leads back may have been passed over, until the path was replayed.
            Err(SearchError::Overflow { .. } | SearchError::Path(PathError::Overflow { .. })) => {}
            Err(error) => panic!("seed {seed}, {}: {error}", engine.name),
        }
    }
    counts
}

#[test]
fn steps_that_lie() {
    let mut counts = [0; 2];
    for seed in 0..rounds(240) {
        let more = match seed % 6 {
            0 => corrupt::<i32>(seed, -1),
            1 => corrupt::<i32>(seed, i32::MIN),
            2 => corrupt::<f64>(seed, f64::NAN),
            3 => corrupt::<f64>(seed, -0.25),
            4 => corrupt::<f64>(seed, f64::NEG_INFINITY),
            _ => corrupt::<f64>(seed, f64::INFINITY),
        };
        counts = std::array::from_fn(|i| counts[i] + more[i]);
    }
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

/// What a start has cost is checked like a step.
#[test]
fn starts_that_lie() {
    let problem = Problem::<f64, u32>::random(1, 1);
    for cost in [-1.0, f64::NAN, f64::INFINITY] {
        for engine in engines() {
            let answer = (engine.search)(&problem, Limits::new(), vec![(0, cost)]).run();
            match answer {
                Err(SearchError::NegativeCost { step, .. }) => assert!(step < 0.0),
                Err(SearchError::NotANumber { value, .. }) => assert!(value.is_nan()),
                Err(SearchError::Overflow { added, .. }) => assert!(added.is_infinite()),
                other => panic!("{}: {other:?}", engine.name),
            }
        }
    }
}
