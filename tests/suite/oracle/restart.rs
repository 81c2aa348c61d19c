//! A restarted search reports what a fresh one does, whatever it did before: every engine, on random
//! problems.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

use bestfirst::{
    DenseStates, InPlaceProblem, Limits, Outcome, Report, SearchError, SearchProblem, Successors,
};

use support::engines::{Answer, BoxedSearch, Listed, engines};
use support::panics::panics;
use support::random::{Edge, Problem, Random, Units, rounds};

/// What happens at an expansion of a [`Fragile`] problem.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    Panic,
    /// All steps cost less than nothing.
    NegativeCost,
}

/// A random problem that has a fault after a given number of expansions.
struct Fragile<C> {
    problem: Problem<C, u32>,
    fault: Cell<Fault>,
    expansions_to_fault: Cell<u64>,
}

impl<C: Units> Fragile<C> {
    fn random(seed: u64) -> Self {
        let nodes = if seed.is_multiple_of(4) { 60 } else { 10 };
        let problem = Problem::random(seed, nodes);
        Self { problem, fault: Cell::new(Fault::None), expansions_to_fault: Cell::new(0) }
    }

    fn set_fault(&self, fault: Fault, expansions: u64) {
        self.fault.set(fault);
        self.expansions_to_fault.set(expansions);
    }

    fn expand(&self) {
        let left = self.expansions_to_fault.get();
        self.expansions_to_fault.set(left.saturating_sub(1));
        assert!(left > 0 || self.fault.get() != Fault::Panic, "as planned");
    }

    fn cost(&self, cost: C) -> C {
        let is_faulty =
            self.fault.get() == Fault::NegativeCost && self.expansions_to_fault.get() == 0;
        if is_faulty { C::negative().expect("a signed type") } else { cost }
    }
}

impl<C: Units> SearchProblem for Fragile<C> {
    type State = u32;
    type Action = Edge;
    type Cost = C;

    fn successors(&self, state: &u32, next: &mut Successors<Self>) {
        self.expand();
        self.problem.successors(state, next);
        for successor in next.as_mut_slice() {
            successor.cost = self.cost(successor.cost);
        }
    }
    fn heuristic(&self, state: &u32) -> C {
        self.problem.heuristic(state)
    }
    fn is_goal(&self, state: &u32) -> bool {
        self.problem.is_goal(state)
    }
}

impl<C: Units> DenseStates for Fragile<C> {
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

impl<C: Units> InPlaceProblem for Fragile<C> {
    type Actions = Range<Edge>;
    type Undo = u32;

    fn actions(&self, state: &u32) -> Range<Edge> {
        self.expand();
        self.problem.actions(state)
    }
    fn apply(&self, state: &mut u32, action: &Edge) -> (C, u32) {
        let (cost, undo) = self.problem.apply(state, action);
        (self.cost(cost), undo)
    }
    fn undo(&self, state: &mut u32, undo: u32) {
        self.problem.undo(state, undo);
    }
}

/// What a search did before it is restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Before {
    Nothing,
    Ended,
    StoppedAtExpansions,
    StoppedForMemory,
    StoppedAtCost,
    Error,
    Panic,
}

/// The report without its bytes: a restarted search has the memory of the one before.
fn without_bytes<S, A, C, E>(mut answer: Result<Report<S, A, C>, E>) -> Result<Report<S, A, C>, E> {
    if let Ok(report) = &mut answer {
        report.stats.peak_bytes = 0;
    }
    answer
}

/// Does to a search what is to happen to it before it is restarted; whether it happened.
fn disturb<C: Units>(
    before: Before,
    search: &mut BoxedSearch<'_, Fragile<C>>,
    problem: &Fragile<C>,
    fresh: &Answer<u32, Edge, C>,
    random: &mut Random,
) -> bool {
    let limits = Limits::new().expansions(500);
    let is_stopped = |answer: Result<Report<_, _, _>, _>| {
        answer.is_ok_and(|report| matches!(report.outcome, Outcome::Stopped(_)))
    };
    let happened = match before {
        Before::Nothing => true,
        Before::Ended => {
            search.set_limits(limits);
            search.run().is_ok()
        }
        Before::StoppedAtExpansions => {
            search.set_limits(limits.expansions(random.below(20)));
            is_stopped(search.run())
        }
        Before::StoppedForMemory => {
            search.set_limits(limits.memory(random.index(4000)));
            is_stopped(search.run())
        }
        Before::StoppedAtCost => {
            search.set_limits(limits.cost(C::of(random.below(10), problem.problem.graph.scale)));
            is_stopped(search.run())
        }
        Before::Error => {
            search.set_limits(limits);
            problem.set_fault(Fault::NegativeCost, random.below(5));
            matches!(search.run(), Err(SearchError::NegativeCost { .. }))
        }
        Before::Panic => {
            search.set_limits(limits);
            problem.set_fault(Fault::Panic, random.below(5));
            let panicked = panics(|| drop(search.run()));
            problem.set_fault(Fault::None, 0);
            let again = without_bytes(search.run());
            // Where only the path was replayed, for the report, nothing is lost.
            assert!(again == Err(SearchError::Panicked) || again == *fresh);
            panicked && again.is_err()
        }
    };
    problem.set_fault(Fault::None, 0);
    happened
}

fn compare<C: Units + Listed>(
    seeds: std::ops::Range<u64>,
    seen: &mut BTreeMap<(Before, &'static str), u64>,
) {
    let all = [
        Before::Nothing,
        Before::Ended,
        Before::StoppedAtExpansions,
        Before::StoppedForMemory,
        Before::StoppedAtCost,
        Before::Error,
        Before::Panic,
    ];
    for seed in seeds {
        let problem = Fragile::<C>::random(seed);
        if problem.problem.graph.chain.is_some() {
            continue;
        }
        let starts = problem.problem.starts();
        let limits = Limits::new().expansions(500);
        for engine in engines() {
            let mut random = Random::new(seed);
            let fresh = (engine.search)(&problem, limits.clone(), starts.clone()).run();
            let fresh = without_bytes(fresh);
            let mut search = (engine.search)(&problem, limits.clone(), starts.clone());
            for before in all {
                if before == Before::StoppedForMemory {
                    // With the memory of the searches before, it would not stop.
                    search = (engine.search)(&problem, limits.clone(), starts.clone());
                }
                let happened = disturb(before, &mut search, &problem, &fresh, &mut random);
                *seen.entry((before, engine.name)).or_default() += u64::from(happened);
                search.set_limits(limits.clone());
                if seed % 3 == 0 {
                    // From elsewhere in between.
                    search.restart_from(vec![(0, C::ZERO), (0, C::ZERO)]);
                    let _ = search.step();
                }
                search.restart_from(starts.clone());
                let again = without_bytes(search.run());
                assert_eq!(again, fresh, "seed {seed}, {}, {before:?}", engine.name);
                search.restart_from(starts.clone());
            }
        }
    }
}

#[test]
fn every_engine_restarts_as_if_it_were_new() {
    let mut seen = BTreeMap::new();
    compare::<i32>(0..rounds(48), &mut seen);
    compare::<f64>(300..300 + rounds(20), &mut seen);
    let is_rare = |count: u64| count < rounds(2);
    let rare: Vec<_> = seen.iter().filter(|&(_, &count)| is_rare(count)).collect();
    assert!(rare.is_empty(), "{rare:?}");
}
