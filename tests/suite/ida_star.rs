//! IDA* expands the same states, counts the same and finds the same path as a plain recursion that
//! generates one successor at a time, with a transposition table and without.

mod faults;
mod restart;

use std::collections::{HashMap, HashSet};

use bestfirst::{
    AStar, Cost, Deepening, IdaStar, Limits, Observer, Outcome, Path, SearchError, SearchProblem,
    Stats, StopReason, SuccessorBuffer,
};
use support::erased::problem;
use support::random::{is_enough, rounds};

use support::engines::erased;
use support::random::{Problem, Units};

/// The cheaper of two bounds, where one may be missing.
fn smaller<C: Cost>(one: Option<C>, other: C) -> C {
    one.map_or(other, |one| if one < other { one } else { other })
}

fn larger<C: Cost>(one: C, other: C) -> C {
    if one > other { one } else { other }
}

/// What the transposition table stores of a state.
#[derive(Clone, Copy)]
struct TableEntry<C> {
    h: C,
    g: C,
    iteration: usize,
}

/// IDA* as a recursion.
struct Recursion<'p, P: SearchProblem> {
    problem: &'p P,
    avoids_cycles: bool,
    /// A table that never forgets, if there is one.
    table: Option<HashMap<P::State, TableEntry<P::Cost>>>,
    iteration: usize,
    bound: P::Cost,
    next_bound: Option<P::Cost>,
    overflows: bool,
    on_path: HashSet<P::State>,
    depth: u64,
    /// It gives up after this many expansions.
    max_expansions: u64,
    stats: Stats,
    /// The states on the way to the goal, the last first.
    path: Vec<P::State>,
    /// All that were expanded.
    expanded: Vec<P::State>,
}

/// A state that is to be entered.
#[derive(Clone)]
struct Place<P: SearchProblem> {
    state: P::State,
    g: P::Cost,
    h: P::Cost,
    is_tracked: bool,
}

/// The result of searching the subtree below a state.
enum SubtreeResult<C> {
    Goal,
    /// No goal within the bound, and a lower bound on the cost from the state to a goal.
    LowerBound(C),
    GivenUp,
}

impl<'p, P: SearchProblem> Recursion<'p, P> {
    fn new(problem: &'p P, avoids_cycles: bool, has_table: bool, max_expansions: u64) -> Self {
        Self {
            problem,
            avoids_cycles,
            table: has_table.then(HashMap::new),
            iteration: 0,
            bound: P::Cost::ZERO,
            next_bound: None,
            overflows: false,
            on_path: HashSet::new(),
            depth: 0,
            max_expansions,
            stats: Stats::default(),
            path: Vec::new(),
            expanded: Vec::new(),
        }
    }

    fn heuristic(&mut self, state: &P::State) -> P::Cost {
        self.stats.evaluated += 1;
        let h = self.problem.heuristic(state);
        if h <= P::Cost::ZERO || self.problem.is_goal(state) { P::Cost::ZERO } else { h }
    }

    /// Whether `g + h` is within the bound. If not, it may become the next bound.
    fn is_within(&mut self, g: P::Cost, h: P::Cost) -> bool {
        match g.checked_add(h) {
            // It may equal infinity and yet be no dead end.
            Some(f) if f <= self.bound => return true,
            _ if h >= P::Cost::INFINITY => self.stats.dead_ends += 1,
            Some(f) => self.next_bound = Some(smaller(self.next_bound, f)),
            None => self.overflows = true,
        }
        false
    }

    /// Enters a state and searches its subtree.
    fn enter(&mut self, mut place: Place<P>, before: Option<&P::State>) -> SubtreeResult<P::Cost> {
        if self.problem.is_goal(&place.state) {
            self.path.push(place.state);
            return SubtreeResult::Goal;
        }
        let Place { g, .. } = place;
        if let Some(entry) = self.table.as_ref().and_then(|table| table.get(&place.state)).copied()
        {
            place.h = larger(place.h, entry.h);
            if !self.is_within(g, place.h) {
                return SubtreeResult::LowerBound(place.h);
            }
            if entry.iteration == self.iteration && entry.g <= g {
                self.stats.duplicates += u64::from(before.is_some());
                return SubtreeResult::LowerBound(place.h);
            }
        }
        if place.is_tracked && !self.on_path.insert(place.state.clone()) {
            self.stats.duplicates += u64::from(before.is_some());
            return SubtreeResult::LowerBound(place.h);
        }
        if let Some(table) = &mut self.table {
            let entry = TableEntry { h: place.h, g, iteration: self.iteration };
            table.insert(place.state.clone(), entry);
        }
        if self.stats.expanded == self.max_expansions {
            return SubtreeResult::GivenUp;
        }
        self.stats.expanded += 1;
        self.expanded.push(place.state.clone());
        self.depth += 1;
        self.stats.peak_frontier = self.stats.peak_frontier.max(self.depth);
        let result = self.expand(&place, before);
        self.depth -= 1;
        if place.is_tracked {
            self.on_path.remove(&place.state);
        }
        if let SubtreeResult::Goal = result {
            self.path.push(place.state.clone());
        }
        let SubtreeResult::LowerBound(h) = result else { return result };
        let h = larger(place.h, h);
        if let Some(entry) = self.table.as_mut().and_then(|table| table.get_mut(&place.state)) {
            entry.h = larger(entry.h, h);
        }
        SubtreeResult::LowerBound(h)
    }

    fn expand(&mut self, place: &Place<P>, before: Option<&P::State>) -> SubtreeResult<P::Cost> {
        let mut next = SuccessorBuffer::new();
        self.problem.successors(&place.state, &mut next);
        let mut lower_bound = P::Cost::INFINITY;
        let mut back_up = |step: P::Cost, proved: P::Cost| {
            let sum = step.checked_add(proved).unwrap_or(P::Cost::INFINITY);
            // It equals infinity, but the successor is no dead end.
            let is_cut = step.checked_add(proved).is_some() && sum >= P::Cost::INFINITY;
            let through = if is_cut && proved < P::Cost::INFINITY { proved } else { sum };
            lower_bound = smaller(Some(lower_bound), through);
        };
        // All are evaluated, and then entered one after the other. With a table, the step straight back is
        // a step like any other.
        let mut within = Vec::new();
        let mut evaluated = 0;
        for successor in next.drain() {
            if self.table.is_none() && before == Some(&successor.state) {
                continue;
            }
            evaluated += 1;
            let step = successor.cost;
            let Some(g) = place.g.checked_add(step) else {
                self.overflows = true;
                back_up(step, P::Cost::ZERO);
                continue;
            };
            let h = self.heuristic(&successor.state);
            if self.is_within(g, h) {
                let is_tracked = g <= place.g || self.avoids_cycles;
                let state = successor.state;
                within.push((step, evaluated, Place { state, g, h, is_tracked }));
            } else {
                back_up(step, h);
            }
        }
        let mut waiting = within.len() as u64;
        for (step, nth, successor) in within {
            waiting -= 1;
            match self.enter(successor, Some(&place.state)) {
                SubtreeResult::LowerBound(proved) => back_up(step, proved),
                SubtreeResult::Goal => {
                    // Those after it would not have been generated.
                    self.stats.generated += nth;
                    self.stats.stored += waiting;
                    return SubtreeResult::Goal;
                }
                SubtreeResult::GivenUp => return SubtreeResult::GivenUp,
            }
        }
        self.stats.generated += evaluated;
        SubtreeResult::LowerBound(lower_bound)
    }

    /// The whole search. Returns of each iteration its bound and its numbers of expanded and generated
    /// states, or `None` if it has given up.
    fn run(&mut self, starts: &[(P::State, P::Cost)]) -> Option<Vec<(P::Cost, u64, u64)>> {
        for (state, g) in starts {
            let h = self.heuristic(state);
            match g.checked_add(h) {
                _ if h >= P::Cost::INFINITY => self.stats.dead_ends += 1,
                Some(f) => self.next_bound = Some(smaller(self.next_bound, f)),
                None => self.overflows = true,
            }
        }
        let mut iterations = Vec::new();
        while let Some(bound) = self.next_bound.take() {
            self.bound = bound;
            self.iteration += 1;
            let before = self.stats;
            let mut places = Vec::new();
            for (state, g) in starts.iter().rev() {
                let h = self.heuristic(state);
                if self.is_within(*g, h) {
                    let is_tracked = *g <= P::Cost::ZERO || self.avoids_cycles;
                    places.push(Place { state: state.clone(), g: *g, h, is_tracked });
                }
            }
            while let (Some(place), true) = (places.pop(), self.path.is_empty()) {
                match self.enter(place, None) {
                    SubtreeResult::LowerBound(_) => {}
                    SubtreeResult::Goal => {
                        self.stats.stored += (self.path.len() + places.len()) as u64;
                    }
                    SubtreeResult::GivenUp => return None,
                }
            }
            self.stats.expanded_before_last_layer = before.expanded;
            let (after, before) = (self.stats, before);
            let counts = (after.expanded - before.expanded, after.generated - before.generated);
            iterations.push((bound, counts.0, counts.1));
            if !self.path.is_empty() {
                break;
            }
        }
        self.path.reverse();
        Some(iterations)
    }
}

/// Records the calls of the observer.
#[derive(Debug, Default, PartialEq)]
struct Recorder<S> {
    expanded: Vec<S>,
    generated: u64,
}

impl<S: Clone, C> Observer<S, C> for Recorder<S> {
    fn expanded(&mut self, state: &S, _: C, _: C) {
        self.expanded.push(state.clone());
    }
    fn generated(&mut self, _: Option<&S>, _: &S, _: C) {
        self.generated += 1;
    }
}

/// Compares both on random problems. Returns how many had a solution, how many had none, and in how many of these sums did not
/// fit that did not matter.
fn compare<C: Units>(seeds: std::ops::Range<u64>) -> [u64; 3] {
    let mut answers = [0; 3];
    for seed in seeds {
        let problem = Problem::<C, u32>::random(seed, 12);
        if problem.graph.chain.is_some() {
            continue;
        }
        let p = erased(&problem);
        let starts = problem.starts();
        for (avoids_cycles, has_table) in
            [(false, false), (true, false), (false, true), (true, true)]
        {
            let mut model = Recursion::new(&problem, avoids_cycles, has_table, 2000);
            let Some(iterations) = model.run(&starts) else { continue };
            let mut builder = IdaStar::new(p).deepening(Deepening::ByNextValue);
            if avoids_cycles {
                builder = builder.avoid_cycles();
            }
            if has_table {
                builder = builder.transposition_table(1 << 15);
            }
            let mut recorder = Recorder::default();
            let mut watched =
                builder.clone().observer(&mut recorder).search_from(starts.clone()).run();
            let answer = builder.search_from(starts.clone()).run();
            let what = format!("seed {seed}, {avoids_cycles}, {has_table}");
            // Then all states are reached once more, to say as A* does whether one was left out.
            let settles = has_table && model.overflows && model.path.is_empty();
            if settles {
                let other = AStar::new(p).search_from(starts.clone()).run();
                assert_eq!(answer.is_err(), other.is_err(), "{what}");
            }
            let mut report = match answer {
                Ok(report) => report,
                Err(error) => {
                    assert!(matches!(error, SearchError::Overflow { .. }), "{what}");
                    assert!(model.overflows && model.path.is_empty(), "{what}");
                    assert_eq!(watched, Err(error), "{what}");
                    continue;
                }
            };
            // A recursion, which no observer watches, has buffers of its own.
            report.stats.peak_bytes = 0;
            if let Ok(watched) = &mut watched {
                watched.stats.peak_bytes = 0;
            }
            assert_eq!(watched.as_ref(), Ok(&report), "{what}");
            if settles {
                let more = report.stats.expanded - model.stats.expanded;
                report.stats.expanded -= more;
                report.layers.last_mut().expect("an iteration").expanded -= more;
                answers[2] += 1;
            }
            assert_eq!(recorder.expanded, model.expanded, "{what}");
            let generated = recorder.generated + starts.len() as u64;
            assert_eq!(generated, model.stats.evaluated, "{what}");
            assert_eq!(report.stats, model.stats, "{what}");
            let layers = report.layers.iter();
            let layers: Vec<_> = layers.map(|of| (of.bound, of.expanded, of.generated)).collect();
            assert_eq!(layers, iterations, "{what}");
            match &report.outcome {
                Outcome::Found(path) => assert_eq!(path.states(), model.path, "{what}"),
                _ => assert!(model.path.is_empty() && (!model.overflows || settles), "{what}"),
            }
            answers[usize::from(report.path().map(Path::len).is_none())] += 1;
        }
    }
    answers
}

#[test]
fn searches_like_a_plain_recursion() {
    let all = [
        compare::<u32>(0..rounds(150)),
        compare::<u8>(1000..1000 + rounds(150)),
        compare::<f64>(2000..2000 + rounds(150)),
    ];
    assert!(
        all.iter().all(|&[found, none, _]| is_enough(found, 150) && is_enough(none, 15)),
        "{all:?}"
    );
    assert!(all.iter().any(|&[_, _, settled]| settled > 1), "{all:?}");
}

/// After an error, nothing is expanded any more.
#[test]
fn an_error_ends_the_search_at_once() {
    // An infinite chain of steps that cost nothing; from state 100, one has a negative cost.
    let problem = problem(
        |&n: &u32| [(n + 1, 0_i32), (1_000_000 + n, if n == 100 { -1 } else { 1 })],
        |_: &u32| 0,
        |_: &u32| false,
    );
    for builder in [IdaStar::new(&problem), IdaStar::new(&problem).transposition_table(1 << 16)] {
        let mut search = builder.limits(Limits::new().expansions(100_000)).search(0);
        assert_eq!(search.run(), Err(SearchError::NegativeCost { g: 0, step: -1 }));
        assert_eq!(search.stats().expanded, 101);
    }
}

/// If the successors of one state take more memory than allowed, the search stops there, and not some
/// thousand expansions later.
#[test]
fn memory_for_successors_is_counted_at_once() {
    for large in [5000, 5500, 6000] {
        // A perfect heuristic leads straight on.
        let problem = problem(
            |&n: &u32| {
                let expensive = if n == large { 200_000 } else { 0 };
                std::iter::once((n + 1, 1_u32)).chain((0..expensive).map(|_| (0, 9)))
            },
            |&n: &u32| 100_000_u32.saturating_sub(n),
            |_: &u32| false,
        );
        let limits = Limits::new().memory(1 << 20).expansions(50_000);
        let report = IdaStar::new(&problem).limits(limits).search(0).run().unwrap();
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Memory));
        assert_eq!(report.stats.expanded, u64::from(large) + 1);
    }
}

/// The heuristic is not called for a start whose cost is too large for its type.
#[test]
fn a_start_that_costs_too_much_is_not_evaluated() {
    let problem = problem(|&n: &u32| [(n + 1, 1.0)], |_: &u32| 0.0, |&n: &u32| n == 3);
    let evaluated = |starts: &[(u32, f64)]| {
        let report = IdaStar::new(&problem).search_from(starts.iter().copied()).run().unwrap();
        report.stats.evaluated
    };
    assert_eq!(evaluated(&[(0, f64::INFINITY), (1, 0.0)]), evaluated(&[(1, 0.0)]));
}
