//! IDA* does what a plain recursion does that looks at one successor after the other: it expands the
//! same states, counts the same, and finds the same path, with a table and without.

#[path = "ida_star/faults.rs"]
mod faults;
#[path = "ida_star/hostile.rs"]
mod hostile;
#[path = "oracle/random.rs"]
mod random;
#[path = "ida_star/restart.rs"]
mod restart;

use std::collections::{HashMap, HashSet};

use bestfirst::{
    Cost, FnProblem, IdaStar, Limits, Observer, Outcome, Path, SearchError, SearchProblem, Stats,
    StopReason, SuccessorBuffer,
};

use random::{Problem, Units};

/// The cheaper of two bounds, where one may be missing.
fn smaller<C: Cost>(one: Option<C>, other: C) -> C {
    one.map_or(other, |one| if one < other { one } else { other })
}

fn larger<C: Cost>(one: C, other: C) -> C {
    if one > other { one } else { other }
}

/// What the table holds of a state.
#[derive(Clone, Copy)]
struct Memo<C> {
    rest: C,
    g: C,
    iteration: usize,
}

/// IDA* as a recursion.
struct Model<'p, P: SearchProblem> {
    problem: &'p P,
    avoids_cycles: bool,
    /// A table that never forgets, if there is one.
    table: Option<HashMap<P::State, Memo<P::Cost>>>,
    iteration: usize,
    bound: P::Cost,
    next_bound: Option<P::Cost>,
    overflows: bool,
    on_path: HashSet<P::State>,
    depth: u64,
    /// How many expansions are left before it gives up.
    patience: u64,
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
    is_marked: bool,
}

/// What came of entering a state.
enum Outlook<C> {
    Goal,
    /// A goal costs so much more from there, at least.
    Rest(C),
    GivenUp,
}

impl<'p, P: SearchProblem> Model<'p, P> {
    fn new(problem: &'p P, avoids_cycles: bool, has_table: bool, patience: u64) -> Self {
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
            patience,
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

    /// Whether `g + h` is within the bound; takes note of it where it is not.
    fn is_within(&mut self, g: P::Cost, h: P::Cost) -> bool {
        match g.checked_add(h) {
            // It may be as much as the type can hold, and yet no dead end.
            Some(f) if f <= self.bound => return true,
            _ if h >= P::Cost::INFINITY => self.stats.dead_ends += 1,
            Some(f) => self.next_bound = Some(smaller(self.next_bound, f)),
            None => self.overflows = true,
        }
        false
    }

    /// Enters a state and searches all below it.
    fn enter(&mut self, mut place: Place<P>, before: Option<&P::State>) -> Outlook<P::Cost> {
        if self.problem.is_goal(&place.state) {
            self.path.push(place.state);
            return Outlook::Goal;
        }
        let Place { g, .. } = place;
        if let Some(memo) = self.table.as_ref().and_then(|table| table.get(&place.state)).copied() {
            place.h = larger(place.h, memo.rest);
            if !self.is_within(g, place.h) {
                return Outlook::Rest(place.h);
            }
            if memo.iteration == self.iteration && memo.g <= g {
                self.stats.duplicates += u64::from(before.is_some());
                return Outlook::Rest(place.h);
            }
        }
        if place.is_marked && !self.on_path.insert(place.state.clone()) {
            self.stats.duplicates += u64::from(before.is_some());
            return Outlook::Rest(place.h);
        }
        if let Some(table) = &mut self.table {
            let memo = Memo { rest: place.h, g, iteration: self.iteration };
            table.insert(place.state.clone(), memo);
        }
        if self.stats.expanded == self.patience {
            return Outlook::GivenUp;
        }
        self.stats.expanded += 1;
        self.expanded.push(place.state.clone());
        self.depth += 1;
        self.stats.peak_frontier = self.stats.peak_frontier.max(self.depth);
        let outlook = self.expand(&place, before);
        self.depth -= 1;
        if place.is_marked {
            self.on_path.remove(&place.state);
        }
        if let Outlook::Goal = outlook {
            self.path.push(place.state.clone());
        }
        let Outlook::Rest(rest) = outlook else { return outlook };
        let rest = larger(place.h, rest);
        if let Some(memo) = self.table.as_mut().and_then(|table| table.get_mut(&place.state)) {
            memo.rest = larger(memo.rest, rest);
        }
        Outlook::Rest(rest)
    }

    fn expand(&mut self, place: &Place<P>, before: Option<&P::State>) -> Outlook<P::Cost> {
        let mut next = SuccessorBuffer::new();
        self.problem.successors(&place.state, &mut next);
        let mut rest = P::Cost::INFINITY;
        let mut learn = |step: P::Cost, proved: P::Cost| {
            let sum = step.checked_add(proved).unwrap_or(P::Cost::INFINITY);
            // As large as the type can hold, and yet no dead end.
            let is_cut = step.checked_add(proved).is_some() && sum >= P::Cost::INFINITY;
            let by_way = if is_cut && proved < P::Cost::INFINITY { proved } else { sum };
            rest = smaller(Some(rest), by_way);
        };
        // All are looked at, and then entered one after the other; with a table, the way straight back
        // is a way like any other.
        let mut within = Vec::new();
        let mut looked_at = 0;
        for successor in next.drain() {
            if self.table.is_none() && before == Some(&successor.state) {
                continue;
            }
            looked_at += 1;
            let step = successor.cost;
            let Some(g) = place.g.checked_add(step) else {
                self.overflows = true;
                learn(step, P::Cost::ZERO);
                continue;
            };
            let h = self.heuristic(&successor.state);
            if self.is_within(g, h) {
                let is_marked = g <= place.g || self.avoids_cycles;
                let state = successor.state;
                within.push((step, looked_at, Place { state, g, h, is_marked }));
            } else {
                learn(step, h);
            }
        }
        let mut waiting = within.len() as u64;
        for (step, nth, successor) in within {
            waiting -= 1;
            match self.enter(successor, Some(&place.state)) {
                Outlook::Rest(proved) => learn(step, proved),
                Outlook::Goal => {
                    // Those after it would not have been looked at.
                    self.stats.generated += nth;
                    self.stats.stored += waiting;
                    return Outlook::Goal;
                }
                Outlook::GivenUp => return Outlook::GivenUp,
            }
        }
        self.stats.generated += looked_at;
        Outlook::Rest(rest)
    }

    /// The whole search, if it comes to an end: of each iteration the bound and what was expanded and
    /// generated in it.
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
                    let is_marked = *g <= P::Cost::ZERO || self.avoids_cycles;
                    places.push(Place { state: state.clone(), g: *g, h, is_marked });
                }
            }
            while let (Some(place), true) = (places.pop(), self.path.is_empty()) {
                match self.enter(place, None) {
                    Outlook::Rest(_) => {}
                    Outlook::Goal => self.stats.stored += (self.path.len() + places.len()) as u64,
                    Outlook::GivenUp => return None,
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

/// What an observer is told.
#[derive(Debug, Default, PartialEq)]
struct Told<S> {
    expanded: Vec<S>,
    generated: u64,
}

impl<S: Clone, C> Observer<S, C> for Told<S> {
    fn expanded(&mut self, state: &S, _: C, _: C) {
        self.expanded.push(state.clone());
    }
    fn generated(&mut self, _: Option<&S>, _: &S, _: C) {
        self.generated += 1;
    }
}

/// Compares both on random problems; returns how many had an answer, and none.
fn compare<C: Units>(seeds: std::ops::Range<u64>) -> [u64; 2] {
    let mut answers = [0; 2];
    for seed in seeds {
        let problem = Problem::<C, u16>::random(seed, 12);
        if problem.graph.chain.is_some() {
            continue;
        }
        let starts = problem.starts();
        for (avoids_cycles, has_table) in
            [(false, false), (true, false), (false, true), (true, true)]
        {
            let mut model = Model::new(&problem, avoids_cycles, has_table, 2000);
            let Some(iterations) = model.run(&starts) else { continue };
            let mut builder = IdaStar::new(&problem);
            if avoids_cycles {
                builder = builder.avoid_cycles();
            }
            if has_table {
                builder = builder.transposition_table(1 << 15);
            }
            let mut told = Told::default();
            let watched = builder.clone().observer(&mut told).search_from(starts.clone()).run();
            let answer = builder.search_from(starts.clone()).run();
            let what = format!("seed {seed}, {avoids_cycles}, {has_table}");
            let mut report = match answer {
                Ok(report) => report,
                Err(error) => {
                    assert!(matches!(error, SearchError::Overflow { .. }), "{what}");
                    assert!(model.overflows && model.path.is_empty(), "{what}");
                    assert_eq!(watched, Err(error), "{what}");
                    continue;
                }
            };
            assert_eq!(watched.as_ref(), Ok(&report), "{what}");
            assert_eq!(told.expanded, model.expanded, "{what}");
            let generated = told.generated + starts.len() as u64;
            assert_eq!(generated, model.stats.evaluated, "{what}");
            report.stats.peak_bytes = 0;
            assert_eq!(report.stats, model.stats, "{what}");
            let layers = report.layers.iter();
            let layers: Vec<_> = layers.map(|of| (of.bound, of.expanded, of.generated)).collect();
            assert_eq!(layers, iterations, "{what}");
            match &report.outcome {
                Outcome::Found(path) => assert_eq!(path.states(), model.path, "{what}"),
                _ => assert!(model.path.is_empty() && !model.overflows, "{what}"),
            }
            answers[usize::from(report.path().map(Path::len).is_none())] += 1;
        }
    }
    answers
}

#[test]
fn a_plain_recursion_does_the_same() {
    let all = [compare::<u32>(0..1000), compare::<u8>(1000..2000), compare::<f64>(2000..3000)];
    assert!(all.iter().all(|&[found, none]| found > 1000 && none > 100), "{all:?}");
}

/// After an error, nothing is expanded any more.
#[test]
fn an_error_ends_the_search_at_once() {
    // Steps that cost nothing lead on without end; behind state 100, one costs less than that.
    let problem = FnProblem::new(
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

/// The successors of one state may take more memory than there is: the search stops there, and not
/// some thousand expansions later.
#[test]
fn what_one_state_takes_is_in_the_account_at_once() {
    for large in [5000, 5500, 6000] {
        // A perfect heuristic leads straight on.
        let problem = FnProblem::new(
            |&n: &u32| {
                let dear = if n == large { 200_000 } else { 0 };
                std::iter::once((n + 1, 1_u32)).chain((0..dear).map(|_| (0, 9)))
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

/// A start whose cost is too large for its type is not put to the heuristic.
#[test]
fn a_start_that_costs_too_much_is_not_evaluated() {
    let problem = FnProblem::new(|&n: &u32| [(n + 1, 1.0)], |_: &u32| 0.0, |&n: &u32| n == 3);
    let evaluated = |starts: &[(u32, f64)]| {
        let report = IdaStar::new(&problem).search_from(starts.iter().copied()).run().unwrap();
        report.stats.evaluated
    };
    assert_eq!(evaluated(&[(0, f64::INFINITY), (1, 0.0)]), evaluated(&[(1, 0.0)]));
}
