//! Costs without a total order, and costs whose sums wrap around.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use bestfirst::{
    BranchAndBound, Cost, DenseStates, InPlaceProblem, Limits, Outcome, ScalableCost, SearchError,
    SearchProblem, StopReason, Successors,
};

use support::engines::{Engine, few_engines, odd_engines};
use support::hostile::{Pair, RandomCost, Wrapping};
use support::random::{Random, rounds};

/// A graph with random costs, the same at each call.
pub(super) struct Graph<C> {
    /// Of each state: its h, and where its steps lead and what they cost.
    states: Vec<(C, Vec<(u32, C)>)>,
    goal: u32,
}

fn node(number: u64) -> u32 {
    u32::try_from(number).unwrap()
}

impl<C: RandomCost> Graph<C> {
    fn random(seed: u64, states: u32, degree: u64, has_h: bool) -> Self {
        let mut random = Random::new(seed);
        let list = (0..states)
            .map(|_| {
                let steps = 1 + random.below(degree);
                let steps =
                    (0..steps).map(|_| (node(random.below(states.into())), C::random(&mut random)));
                let steps = steps.collect();
                (if has_h { C::random(&mut random) } else { C::ZERO }, steps)
            })
            .collect();
        Self { states: list, goal: node(random.below(2 * u64::from(states))) }
    }

    fn steps(&self, state: u32) -> &[(u32, C)] {
        &self.states[state as usize].1
    }
}

impl<C: RandomCost> SearchProblem for Graph<C> {
    type State = u32;
    type Action = u32;
    type Cost = C;

    fn successors(&self, &state: &u32, next: &mut Successors<Self>) {
        for (action, &(to, cost)) in (0..).zip(self.steps(state)) {
            next.push(action, to, cost);
        }
    }
    fn heuristic(&self, &state: &u32) -> C {
        self.states[state as usize].0
    }
    fn is_goal(&self, &state: &u32) -> bool {
        state == self.goal
    }
}

impl<C: RandomCost> DenseStates for Graph<C> {
    fn state_count(&self) -> usize {
        self.states.len()
    }
    fn state_index(&self, &state: &u32) -> usize {
        state as usize
    }
    fn state_at(&self, index: usize) -> u32 {
        u32::try_from(index).unwrap()
    }
}

impl<C: RandomCost> InPlaceProblem for Graph<C> {
    type Actions = std::ops::Range<u32>;
    type Undo = u32;

    fn actions(&self, &state: &u32) -> std::ops::Range<u32> {
        0..u32::try_from(self.steps(state).len()).unwrap()
    }
    fn apply(&self, state: &mut u32, &action: &u32) -> (C, u32) {
        let (to, cost) = self.steps(*state)[action as usize];
        (cost, std::mem::replace(state, to))
    }
    fn undo(&self, state: &mut u32, undo: u32) {
        *state = undo;
    }
}

/// What ends searches: the names of the errors and of the reasons to stop.
type Ends = BTreeSet<&'static str>;

/// Every engine ends with an error, a real path or at a limit.
fn run_all<C: RandomCost + ScalableCost>(
    problem: &Graph<C>,
    engines: Vec<Engine<Graph<C>>>,
    ends: &mut Ends,
    what: &str,
) {
    for engine in engines {
        // Most end soon or never: expansions come first.
        for most in [300, 3000] {
            let limits =
                Limits::new().expansions(most).time(Duration::from_millis(100)).memory(64 << 20);
            let began = Instant::now();
            let mut search = (engine.search)(problem, limits, vec![(0, C::ZERO)]);
            let answer = search.run();
            assert!(began.elapsed() < Duration::from_secs(2), "{what}, {}", engine.name);
            assert!(search.bytes() <= 64 << 20, "{what}, {}", engine.name);
            assert!(search.stats().expanded <= most, "{what}, {}", engine.name);
            ends.insert(match answer {
                Ok(report) => match report.outcome {
                    Outcome::Found(path) => {
                        assert_eq!(*path.end(), problem.goal, "{what}, {}", engine.name);
                        "found"
                    }
                    Outcome::Exhausted => "exhausted",
                    Outcome::Stopped(StopReason::Expansions) => "expansions",
                    Outcome::Stopped(_) => "stopped",
                },
                Err(SearchError::NegativeCost { .. }) => "negative",
                Err(SearchError::NotANumber { .. }) => "no number",
                Err(SearchError::Overflow { .. }) => "overflow",
                Err(SearchError::ParentCycle { states }) => {
                    assert!(states > 0);
                    "cycle"
                }
                Err(SearchError::Path(_)) => "path",
                Err(error) => panic!("{what}, {}: {error}", engine.name),
            });
        }
    }
}

/// Frontiers compared such keys in ways that contradict each other, and a path that led back to itself was
/// followed forever.
#[test]
fn costs_that_are_no_costs_end_every_search() {
    let mut ends = Ends::new();
    for seed in 19..19 + rounds(20) {
        let has_h = seed % 2 == 0;
        let states = 4 + (seed % 40) as u32;
        let what = format!("seed {seed}");
        let wrapping = Graph::<Wrapping>::random(seed, states, 3, has_h);
        run_all(&wrapping, odd_engines(), &mut ends, &what);
        let pairs = Graph::<Pair>::random(seed, states, 3, has_h);
        run_all(&pairs, few_engines(), &mut ends, &what);
    }
    for end in ["found", "exhausted", "expansions", "no number", "cycle"] {
        assert!(ends.contains(end), "no {end} in {ends:?}");
    }
}

/// Costs of two parts, of which neither comes first: each is a number, and many cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Both(f64, f64);

impl PartialOrd for Both {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self.0.partial_cmp(&other.0)?, self.1.partial_cmp(&other.1)?) {
            (Ordering::Equal, second) => Some(second),
            (first, Ordering::Equal) => Some(first),
            (first, second) => (first == second).then_some(first),
        }
    }
}

impl Cost for Both {
    const ZERO: Self = Self(0.0, 0.0);
    const INFINITY: Self = Self(f64::INFINITY, f64::INFINITY);

    fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self(self.0 + other.0, self.1 + other.1))
    }
}

impl RandomCost for Both {
    fn random(random: &mut Random) -> Self {
        Self(f64::from(1 + (random.next() % 7) as u8), f64::from((random.next() % 7) as u8))
    }
}

/// The sort of the standard library panics where keys are not ordered, and it notices in long lists.
#[test]
fn many_successors_without_an_order_are_put_in_some_order() {
    for seed in 0..rounds(6) {
        let mut random = Random::new(seed);
        let mut graph = Graph::<Both>::random(seed, 3000, 1, false);
        graph.goal = u32::MAX;
        graph.states[0].1 = (1..3000).map(|to| (to, Both::random(&mut random))).collect();
        for (h, steps) in &mut graph.states[1..] {
            *h = Both::random(&mut random);
            steps.truncate(usize::from(seed % 2 == 0));
        }
        let mut search = BranchAndBound::new(&graph).search(0);
        assert_eq!(search.step(), Ok(None), "all successors are generated");
        assert_eq!(search.stats().generated, 2999);
        search.set_limits(Limits::new().expansions(10_000));
        assert!(matches!(search.run(), Ok(_) | Err(SearchError::NotANumber { .. })));
    }
}
