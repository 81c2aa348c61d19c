//! Replanning, compared with a fresh search after every change.

use std::cell::Cell as Shared;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bestfirst::engine::ReplanningTable;
use bestfirst::problems::grid_map::{
    Cell, EightWay, EightWayFloat, FourWay, GridMap, GridRoute, Moves,
};
use bestfirst::{
    AStar, CancelToken, Cost, DenseStates, Dijkstra, Limits, Outcome, Replanner, ReplannerSearch,
    Reversible, SearchError, SearchProblem, StopReason, Successors,
};
use support::erased::{boxed, number, numbered};
use support::random::rounds;

use support::random::{Random, Scale, Units, bellman_ford};

/// Expansions in all, by replanning and by fresh searches.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    first: u64,
    replanned: u64,
    fresh: u64,
    replanned_generated: u64,
    fresh_generated: u64,
}

/// Changes one cell in a hundred along the path, again and again, and walks if `walks`. After each change, compares
/// with A* on a copy of the map.
fn check_grid<M: Moves>(
    map: GridMap,
    (start, goal): (Cell, Cell),
    is_consistent: bool,
    walks: bool,
    changes: u64,
    seed: u64,
) -> Work
where
    GridRoute<GridMap, M>: Clone,
{
    let mut random = Random::new(seed);
    let mut blocked: Vec<Cell> = Vec::new();
    let mut at = start;
    let builder = Replanner::new(GridRoute::new(map, goal).by::<M>()).dense();
    let builder = if is_consistent { builder.consistent() } else { builder };
    let mut search = builder.search(start);
    let mut path = search.run().unwrap().into_path();
    let mut work = Work { first: search.stats().expanded, ..Work::default() };
    for change in 0..changes {
        // Where there was no path, cells are freed until there is one again.
        let cells = path.as_ref().map_or(&[][..], |path| path.states());
        let count = (cells.len() / 100).max(1);
        if walks && cells.len() > 1 {
            at = cells[1];
            search.moved_to(&at);
        }
        if at == goal {
            at = start;
            search.moved_to(&at);
        }
        let mut chosen = Vec::new();
        for _ in 0..count {
            // As many are freed as are blocked, so that the map stays as it is on the whole.
            if blocked.len() > 3 * count || cells.len() < 3 {
                if blocked.is_empty() {
                    continue;
                }
                let cell = blocked.swap_remove(random.index(blocked.len()));
                chosen.push((cell, true));
            } else {
                let cell = cells[1 + random.index(cells.len() - 2)];
                if cell != at && cell != goal && cell != start {
                    chosen.push((cell, false));
                }
            }
        }
        for (cell, free) in chosen {
            if !free && search.problem().map().is_free(cell) {
                blocked.push(cell);
            }
            for near in search.problem_mut().set_free(cell, free) {
                search.changed(&near);
            }
        }
        let report = search.run().unwrap();
        let route = search.problem();
        let fresh = numbered(route);
        let fresh = AStar::new(&fresh).dense().search(number(route, &at)).run().unwrap();
        assert_eq!(report.cost().is_some(), fresh.cost().is_some(), "change {change}");
        if let (Some(path), Some(cost)) = (report.path(), fresh.cost()) {
            assert_eq!(path.start(), &at);
            path.verify(route).unwrap();
            let differs = path.cost().exceeds(cost) || cost.exceeds(path.cost());
            assert!(!differs, "change {change}: {:?}, and afresh {cost:?}", path.cost());
            assert!(report.is_optimal());
        } else {
            assert_eq!(report.outcome, Outcome::Exhausted);
        }
        work.replanned += report.stats.expanded;
        work.replanned_generated += report.stats.generated;
        work.fresh += fresh.stats.expanded;
        work.fresh_generated += fresh.stats.generated;
        path = report.into_path();
    }
    work
}

/// A map of which one cell in `one_in` is blocked.
fn strewn(width: u16, height: u16, percent: u64, seed: u64) -> GridMap {
    let mut random = Random::new(seed);
    GridMap::new(width, height, |cell| {
        let is_end = cell == Cell::new(1, 1) || cell == Cell::new(width - 2, height - 2);
        is_end || random.below(100) >= percent
    })
    .unwrap()
}

/// What is asked of replanning: of all expansions of fresh searches, it makes at most a third.
#[test]
fn changes_along_the_path_cost_the_same_as_afresh() {
    check_grids(rounds(40));
}

#[test]
#[ignore = "takes a minute where nothing is optimised: cargo test --release --test suite -- --ignored replanner"]
fn a_thousand_changes_along_the_path_cost_the_same_as_afresh() {
    check_grids(1000);
}

/// On 24 maps, `changes` changes each.
fn check_grids(changes: u64) {
    let mut all = Work::default();
    for percent in [0, 10, 20, 30] {
        for walks in [false, true] {
            let map = || strewn(70, 50, percent, percent);
            let ends = (Cell::new(1, 1), Cell::new(68, 48));
            let is_consistent = percent != 20;
            for work in [
                check_grid::<FourWay>(map(), ends, is_consistent, walks, changes, 1),
                check_grid::<EightWay>(map(), ends, is_consistent, walks, changes, 2),
                check_grid::<EightWayFloat>(map(), ends, is_consistent, walks, changes, 3),
            ] {
                println!("{percent} % blocked, walks: {walks}: {work:?}");
                all.replanned += work.first + work.replanned;
                all.fresh += work.fresh;
                all.replanned_generated += work.replanned_generated;
                all.fresh_generated += work.fresh_generated;
            }
        }
    }
    println!("in all: {all:?}");
    assert!(3 * all.replanned <= all.fresh, "{all:?}");
}

/// A graph that can be changed, with lower bounds between all nodes.
#[derive(Clone, Debug)]
struct Net<C> {
    /// Where the edges of each node lead, and what they cost in units.
    edges: Vec<Vec<(usize, u64)>>,
    goals: Vec<bool>,
    scale: Scale,
    bounds: Vec<Vec<C>>,
}

/// What the heuristic of a graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bounds {
    None,
    /// Anything up to the cost, another after each change.
    Random,
    /// The difference of the numbers; no edge costs less.
    Line,
}

impl<C: Units> Net<C> {
    fn random(random: &mut Random, kind: Bounds) -> Self {
        let count = 1 + random.index(14);
        let scale = match random.below(4) {
            0 if kind != Bounds::Line => Scale::NearMax,
            1 => Scale::Rough,
            _ => Scale::Plain,
        };
        let edges = vec![Vec::new(); count];
        let mut goals = vec![false; count];
        goals[random.index(count)] = true;
        let mut net = Self { edges, goals, scale, bounds: Vec::new() };
        for from in 0..count {
            for _ in 0..random.below(4) {
                net.add_edge(from, random, kind);
            }
        }
        net.bound(random, kind);
        net
    }

    fn add_edge(&mut self, from: usize, random: &mut Random, kind: Bounds) {
        let to = random.index(self.edges.len());
        let most = C::most(self.scale);
        let units = match random.below(6) {
            0 | 1 => 0,
            2 if self.scale == Scale::NearMax => most / (1 + random.below(3)) - random.below(2),
            _ => random.below(9),
        };
        let least = if kind == Bounds::Line { from.abs_diff(to) as u64 } else { 0 };
        self.edges[from].push((to, units.max(least)));
    }

    /// Makes the lower bounds anew.
    fn bound(&mut self, random: &mut Random, kind: Bounds) {
        let count = self.edges.len();
        let list = self.list();
        let (scale, most) = (self.scale, C::most(self.scale) - 1);
        let bound = |from: usize, to: usize, cost: Option<u128>, random: &mut Random| match kind {
            Bounds::None => C::ZERO,
            Bounds::Line => C::of(from.abs_diff(to) as u64, scale),
            Bounds::Random => match cost {
                None if random.one_in(2) => C::INFINITY,
                None => C::of(random.below(20), scale),
                Some(_) if random.one_in(9) => C::negative().unwrap_or(C::ZERO),
                Some(cost) => {
                    let cost = u64::try_from(cost).unwrap_or(u64::MAX).min(most);
                    C::of(random.below(cost + 1), scale)
                }
            },
        };
        self.bounds = (0..count)
            .map(|from| {
                let costs = bellman_ford(count, &list, &[(from, 0)]);
                let costs = costs.into_iter().enumerate();
                costs.map(|(to, cost)| bound(from, to, cost, random)).collect()
            })
            .collect();
    }

    fn list(&self) -> Vec<(usize, usize, u64)> {
        let of = |(from, edges): (usize, &Vec<(usize, u64)>)| {
            edges.iter().map(|&(to, units)| (from, to, units)).collect::<Vec<_>>()
        };
        self.edges.iter().enumerate().flat_map(of).collect()
    }

    /// The cost of a cheapest path to a goal in units.
    fn truth(&self, start: u16) -> Option<u128> {
        let costs = bellman_ford(self.edges.len(), &self.list(), &[(start.into(), 0)]);
        let goals = costs.into_iter().zip(&self.goals);
        goals.filter_map(|(cost, &is_goal)| cost.filter(|_| is_goal)).min()
    }

    /// Changes an edge or a goal, and returns the node that this concerns.
    fn change(&mut self, random: &mut Random, kind: Bounds) -> u16 {
        let node = random.index(self.edges.len());
        let count = self.edges[node].len();
        match random.below(10) {
            0 => self.goals[node] ^= true,
            1..=4 if count > 0 => {
                let edge = random.index(count);
                self.edges[node].swap_remove(edge);
            }
            5 | 6 if count > 0 => {
                let edge = random.index(count);
                self.edges[node].swap_remove(edge);
                self.add_edge(node, random, kind);
            }
            _ => self.add_edge(node, random, kind),
        }
        u16::try_from(node).unwrap()
    }
}

impl<C: Units> SearchProblem for Net<C> {
    type State = u16;
    type Action = usize;
    type Cost = C;

    fn successors(&self, &state: &u16, next: &mut Successors<Self>) {
        for (index, &(to, units)) in self.edges[usize::from(state)].iter().enumerate() {
            next.push(index, u16::try_from(to).unwrap(), C::of(units, self.scale));
        }
    }

    fn is_goal(&self, &state: &u16) -> bool {
        self.goals[usize::from(state)]
    }
}

impl<C: Units> Reversible for Net<C> {
    fn predecessors(&self, &state: &u16, previous: &mut Successors<Self>) {
        for (from, edges) in self.edges.iter().enumerate() {
            for (index, &(to, units)) in edges.iter().enumerate() {
                if to == usize::from(state) {
                    previous.push(index, u16::try_from(from).unwrap(), C::of(units, self.scale));
                }
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = u16> {
        (0..).zip(&self.goals).filter(|&(_, &is_goal)| is_goal).map(|(node, _)| node)
    }

    fn heuristic_from(&self, &start: &u16, &state: &u16) -> C {
        self.bounds[usize::from(start)][usize::from(state)]
    }
}

impl<C: Units> DenseStates for Net<C> {
    fn state_count(&self) -> usize {
        self.edges.len()
    }

    fn state_index(&self, &state: &u16) -> usize {
        state.into()
    }

    fn state_at(&self, index: usize) -> u16 {
        u16::try_from(index).unwrap()
    }
}

/// How often which outcome was seen.
#[derive(Debug, Default)]
struct Tally {
    found: u64,
    exhausted: u64,
    overflows: u64,
    stops: u64,
}

/// A search of a random graph that changes: without stops, and stopped after each expansion.
fn check_net<C: Units, T: ReplanningTable<u16, C>>(
    seed: u64,
    begin: impl Fn(Replanner<Net<C>>, u16) -> ReplannerSearch<Net<C>, T>,
    tally: &mut Tally,
) {
    let mut random = Random::new(seed);
    let kind = [Bounds::None, Bounds::Random, Bounds::Line][random.index(3)];
    let net = Net::<C>::random(&mut random, kind);
    let start = u16::try_from(random.index(net.edges.len())).unwrap();
    let builder = Replanner::new(net);
    let is_consistent = kind != Bounds::Random && random.one_in(2);
    let builder = if is_consistent { builder.consistent() } else { builder };
    let twins = [begin(builder.clone(), start), begin(builder, start)];
    check_twins(twins, start, kind, random, tally);
}

/// Changes the graphs of both searches in the same way, and stops only the second.
fn check_twins<C: Units, T: ReplanningTable<u16, C>>(
    [mut search, mut stopped]: [ReplannerSearch<Net<C>, T>; 2],
    mut start: u16,
    kind: Bounds,
    mut random: Random,
    tally: &mut Tally,
) {
    let count = search.problem().edges.len();
    let node = |random: &mut Random| u16::try_from(random.index(count)).unwrap();
    for _ in 0..20 {
        for _ in 0..random.below(3) {
            start = node(&mut random);
            search.moved_to(&start);
            stopped.moved_to(&start);
        }
        let mut net = search.problem().clone();
        let changed: Vec<_> = (0..random.below(4)).map(|_| net.change(&mut random, kind)).collect();
        let tells_before = random.one_in(2);
        let tell = |search: &mut ReplannerSearch<Net<C>, _>| {
            for state in &changed {
                search.changed(state);
            }
        };
        if !changed.is_empty() {
            net.bound(&mut random, kind);
        }
        if tells_before {
            tell(&mut search);
        }
        *search.problem_mut() = net.clone();
        *stopped.problem_mut() = net.clone();
        if !tells_before {
            tell(&mut search);
        }
        for state in &changed {
            stopped.changed(state);
        }
        let truth = net.truth(start);
        let most = u128::from(C::most(net.scale));
        let answer = search.run();
        let mut expansions = 0;
        let resumed = loop {
            stopped.set_limits(Limits::new().expansions(expansions));
            let report = match stopped.run() {
                Ok(report) if matches!(report.outcome, Outcome::Stopped(_)) => report,
                end => break end,
            };
            assert_eq!(report.outcome, Outcome::Stopped(StopReason::Expansions));
            assert_eq!(report.stats.expanded, expansions);
            tally.stops += 1;
            if let Some(truth) = truth.filter(|&truth| truth <= most) {
                let optimum = C::of(u64::try_from(truth).unwrap(), net.scale);
                assert!(
                    !report.lower_bound.exceeds(optimum),
                    "{:?} {optimum:?}",
                    report.lower_bound
                );
            }
            expansions += 1;
        };
        match (answer, resumed) {
            (Ok(report), Ok(resumed)) => {
                assert_eq!(report, resumed);
                if let Some(path) = report.path() {
                    tally.found += 1;
                    let truth = u64::try_from(truth.expect("there is a path")).unwrap();
                    assert!(path.cost().is_close(C::of(truth, net.scale)));
                    assert_eq!(path.start(), &start);
                    path.verify(&net).unwrap();
                    assert!(report.is_optimal());
                } else {
                    tally.exhausted += 1;
                    assert_eq!((report.outcome, truth), (Outcome::Exhausted, None));
                }
            }
            (Err(error), Err(other)) => {
                tally.overflows += 1;
                assert!(matches!(error, SearchError::Overflow { .. }), "{error}");
                assert!(matches!(other, SearchError::Overflow { .. }), "{other}");
                assert!(truth.is_none_or(|truth| truth > most));
            }
            (answer, resumed) => panic!("{answer:?}, and in steps {resumed:?}"),
        }
    }
}

/// Checks `count` graphs.
fn check_nets(count: u64) {
    let mut tally = Tally::default();
    for seed in 0..count {
        // Each table, and each kind of costs.
        let blame = catch_unwind(AssertUnwindSafe(|| match seed % 5 {
            0 => check_net::<u8, _>(seed, |net, at| net.dense().search(at), &mut tally),
            1 | 2 => check_net::<i32, _>(seed, Replanner::search, &mut tally),
            _ => check_net::<f64, _>(seed, |net, at| net.wide_ids().search(at), &mut tally),
        }));
        assert!(blame.is_ok(), "seed {seed}");
    }
    println!("{tally:?}");
    assert!(
        tally.found > 3 * count && tally.exhausted > count / 3 && tally.overflows > count / 30,
        "{tally:?}"
    );
}

#[test]
fn random_graphs_that_change() {
    check_nets(rounds(400));
}

#[test]
#[ignore = "takes half a minute where nothing is optimised: cargo test --release --test suite -- --ignored replanner"]
fn very_many_random_graphs_that_change() {
    check_nets(30_000);
}

/// A row of cells, searched by whole numbers.
fn corridor(rows: &str) -> (GridMap, Cell, Cell) {
    let map = GridMap::from_rows(rows).unwrap();
    let last = Cell::new(map.width() - 1, 0);
    (map, Cell::new(0, 0), last)
}

type Owned = GridRoute<GridMap, FourWay>;

fn owned(map: GridMap, goal: Cell) -> Owned {
    GridRoute::new(map, goal).by()
}

fn set(search: &mut ReplannerSearch<Owned>, x: u16, free: bool) {
    for cell in search.problem_mut().set_free(Cell::new(x, 0), free) {
        search.changed(&cell);
    }
}

#[test]
fn starts_and_goals_may_be_blocked_and_freed_again() {
    let (map, start, goal) = corridor("......\n");
    let mut search = Replanner::new(owned(map, goal)).search(start);
    assert_eq!(search.run().unwrap().cost(), Some(5));
    for x in [5, 0, 3] {
        set(&mut search, x, false);
        assert_eq!(search.run().unwrap().outcome, Outcome::Exhausted, "{x} is blocked");
        set(&mut search, x, true);
        assert_eq!(search.run().unwrap().cost(), Some(5), "{x} is free again");
    }
    // At the goal there is nothing to do, blocked or not.
    search.moved_to(&goal);
    assert_eq!(search.run().unwrap().cost(), Some(0));
    set(&mut search, 5, false);
    assert_eq!(search.run().unwrap().cost(), Some(0));
    // A start off the map.
    search.moved_to(&Cell::new(9, 9));
    assert_eq!(search.run().unwrap().outcome, Outcome::Exhausted);
}

#[test]
fn an_answer_is_given_again_until_something_is_told() {
    let (map, start, goal) = corridor("......\n......\n");
    let mut search = Replanner::new(owned(map, goal)).search(start);
    let report = search.run().unwrap();
    assert_eq!(search.run().unwrap(), report);
    search.changed(&start);
    let again = search.run().unwrap();
    assert_eq!((again.cost(), again.stats.expanded), (report.cost(), 0));
    // A new search on the same memory.
    search.restart(start);
    let anew = search.run().unwrap();
    assert_eq!((anew.path(), anew.stats.expanded), (report.path(), report.stats.expanded));
    let (map, _, _) = corridor(".....\n");
    search.restart_with(owned(map, Cell::new(4, 0)), start);
    assert_eq!(search.run().unwrap().cost(), Some(4));
}

#[test]
fn limits_stop_a_run_and_nothing_is_lost() {
    let map = strewn(60, 40, 25, 3);
    let (start, goal) = (Cell::new(1, 1), Cell::new(58, 38));
    let route = || owned(map.clone(), goal);
    let full = Replanner::new(route()).search(start).run().unwrap();
    let cost = full.cost().unwrap();
    // Memory.
    let mut search = Replanner::new(route()).search(start);
    let (mut bytes, mut stops) = (100, 0);
    let report = loop {
        search.set_limits(Limits::new().memory(bytes));
        let report = search.run().unwrap();
        assert!(report.stats.peak_bytes <= bytes as u64);
        if report.outcome != Outcome::Stopped(StopReason::Memory) {
            break report;
        }
        assert!(report.lower_bound <= cost);
        (bytes, stops) = (bytes + bytes / 8, stops + 1);
    };
    assert!(stops > 5);
    assert_eq!(report.path(), full.path());
    // What cannot be noted down makes the search begin anew.
    search.set_limits(Limits::new().memory(1));
    let states = full.path().unwrap().states();
    for i in 0..1000 {
        search.changed(&states[i % states.len()]);
    }
    search.set_limits(Limits::new());
    assert_eq!(search.run().unwrap().cost(), Some(cost));
    // Cost.
    let mut search = Replanner::new(route()).limits(Limits::new().cost(cost - 1)).search(start);
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost));
    assert!(
        report.lower_bound >= cost - 1 && report.lower_bound <= cost && report.path().is_none()
    );
    search.set_limits(Limits::new().cost(cost));
    assert_eq!(search.run().unwrap().cost(), Some(cost));
    // A token, and single steps.
    let token = CancelToken::new();
    let mut search = Replanner::new(route()).limits(Limits::new().cancel(&token)).search(start);
    token.cancel();
    let report = search.run().unwrap();
    assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cancelled));
    token.reset();
    let report = loop {
        if let Some(report) = search.step().unwrap() {
            break report;
        }
    };
    assert_eq!(report.path(), full.path());
    assert_eq!(report.stats.expanded, full.stats.expanded);
}

#[test]
fn several_starts_cost_what_was_paid_for_them() {
    let map = strewn(30, 30, 20, 4);
    let route = owned(map, Cell::new(28, 28));
    let starts = [(Cell::new(1, 1), 0), (Cell::new(20, 20), 25), (Cell::new(28, 2), 9)];
    let fresh = Dijkstra::new(&boxed(&route)).search_from(starts).run().unwrap();
    let mut search = Replanner::new(route.clone()).search_from(starts);
    let report = search.run().unwrap();
    assert_eq!(report.cost(), fresh.cost());
    report.path().unwrap().verify(&route).unwrap();
    assert!(
        starts.contains(&(*report.path().unwrap().start(), report.path().unwrap().start_cost()))
    );
    let nowhere = Replanner::new(route.clone()).search_from([]).run().unwrap();
    assert_eq!((nowhere.outcome, nowhere.stats.expanded), (Outcome::Exhausted, 0));
}

/// A line that is broken by a flag.
struct Faulty<'a> {
    fault: &'a Shared<u8>,
}

impl SearchProblem for Faulty<'_> {
    type State = u8;
    type Action = ();
    type Cost = i32;

    fn successors(&self, &state: &u8, next: &mut Successors<Self>) {
        if state < 9 {
            next.push((), state + 1, if state == 5 && self.fault.get() == 1 { -1 } else { 1 });
        }
    }

    fn is_goal(&self, &state: &u8) -> bool {
        state == 9
    }
}

impl Reversible for Faulty<'_> {
    fn predecessors(&self, &state: &u8, previous: &mut Successors<Self>) {
        assert!(state != 5 || self.fault.get() != 2, "a fault of the problem");
        if state > 0 {
            previous.push((), state - 1, if state == 6 && self.fault.get() == 1 { -1 } else { 1 });
        }
    }

    fn goals(&self) -> impl Iterator<Item = u8> {
        [9].into_iter()
    }
}

#[test]
fn after_an_error_the_search_begins_anew() {
    let fault = Shared::new(1);
    let mut search = Replanner::new(Faulty { fault: &fault }).search(0);
    assert!(matches!(search.run(), Err(SearchError::NegativeCost { step: -1, .. })));
    assert!(search.run().is_err(), "it stays so");
    fault.set(2);
    search.changed(&5);
    assert!(catch_unwind(AssertUnwindSafe(|| search.run())).is_err());
    assert!(matches!(search.run(), Err(SearchError::Panicked)));
    fault.set(0);
    search.moved_to(&1);
    assert_eq!(search.run().unwrap().cost(), Some(8));
}

#[test]
fn a_change_that_is_not_told_is_noticed_on_the_path() {
    let (map, start, goal) = corridor("......\n");
    let mut search = Replanner::new(owned(map, goal)).search(start);
    assert_eq!(search.run().unwrap().cost(), Some(5));
    let _ = search.problem_mut().set_free(Cell::new(3, 0), false);
    assert!(matches!(search.run(), Err(SearchError::Path(_))));
    search.changed(&Cell::new(2, 0));
    assert_eq!(search.run().unwrap().outcome, Outcome::Exhausted);
}

/// A graph that the test changes: from each node the steps to others, with their costs.
#[derive(Clone)]
struct Steps<'a>(&'a Shared<&'static [(u8, u8, u8)]>);

impl SearchProblem for Steps<'_> {
    type State = u8;
    type Action = ();
    type Cost = u8;

    fn successors(&self, &node: &u8, next: &mut Successors<Self>) {
        next.extend(
            self.0.get().iter().filter(|step| step.0 == node).map(|step| ((), step.1, step.2)),
        );
    }

    fn is_goal(&self, &node: &u8) -> bool {
        node == 9
    }
}

impl Reversible for Steps<'_> {
    fn predecessors(&self, &node: &u8, previous: &mut Successors<Self>) {
        let to = self.0.get().iter().filter(|step| step.1 == node);
        previous.extend(to.map(|step| ((), step.0, step.2)));
    }

    fn goals(&self) -> impl Iterator<Item = u8> {
        [9].into_iter()
    }

    /// The start 1 is far from everything.
    fn heuristic_from(&self, &start: &u8, _state: &u8) -> u8 {
        if start == 1 { 100 } else { 0 }
    }
}

#[test]
fn a_cycle_that_is_not_told_is_an_error_and_ends() {
    let steps = Shared::new(&[(0, 2, 1), (2, 3, 1), (3, 9, 1)][..]);
    let mut search = Replanner::new(Steps(&steps)).search(0);
    assert_eq!(search.run().unwrap().cost(), Some(3));
    // It is told that 3 leads back to 2, and not that 2 does not lead to 3 any more.
    steps.set(&[(0, 2, 1), (3, 2, 1)]);
    search.changed(&3);
    assert!(matches!(search.run(), Err(SearchError::ParentCycle { .. })));
    steps.set(&[(0, 2, 1), (2, 3, 1), (3, 9, 4)]);
    search.changed(&3);
    search.changed(&2);
    assert_eq!(search.run().unwrap().cost(), Some(6));
}

#[test]
fn a_path_from_before_a_change_is_not_reported_after_it() {
    let steps = Shared::new(&[(0, 2, 1), (2, 9, 1)][..]);
    let mut search = Replanner::new(Steps(&steps)).search(0);
    // Found, and more than is allowed: so the run stops, and the path is known.
    search.set_limits(Limits::new().cost(1));
    assert_eq!(search.run().unwrap().outcome, Outcome::Stopped(StopReason::Cost));
    search.set_limits(Limits::new());
    let _ = search.report().unwrap();
    steps.set(&[(0, 2, 1), (2, 9, 7)]);
    search.changed(&2);
    search.set_limits(Limits::new().expansions(0));
    let report = search.run().unwrap();
    assert!(report.incumbent.is_none_or(|path| path.verify(&Steps(&steps)).is_ok()));
    search.set_limits(Limits::new());
    assert_eq!(search.run().unwrap().cost(), Some(8));
}

#[test]
fn a_start_too_dear_for_its_type_is_an_error_and_no_dead_end() {
    let steps = Shared::new(&[(1, 2, 100), (2, 9, 1)][..]);
    let error = Replanner::new(Steps(&steps)).search_from([(1, 200)]).run().unwrap_err();
    assert!(matches!(error, SearchError::Overflow { g: 200, .. }), "{error:?}");
    // Where another start is cheap, it does not matter.
    let cheap = Replanner::new(Steps(&steps)).search_from([(1, 200), (2, 5)]).run().unwrap();
    assert_eq!(cheap.cost(), Some(6));
}

#[test]
fn without_a_start_nothing_is_left_to_be_found() {
    let steps = Shared::new(&[][..]);
    let report = Replanner::new(Steps(&steps)).search_from([]).run().unwrap();
    assert_eq!((report.outcome, report.lower_bound), (Outcome::Exhausted, u8::MAX));
}

/// Blocks and frees the only gap in a wall near the goal, so that half of the map costs something else.
fn shut(search: &mut ReplannerSearch<Owned>, shut: bool) {
    for cell in search.problem_mut().set_free(Cell::new(100, 40), !shut) {
        search.changed(&cell);
    }
}

fn walled() -> (Owned, Cell) {
    let is_wall = |cell: Cell| cell.x == 100 && cell.y != 40 && cell.y != 79;
    let map = GridMap::new(120, 80, |cell| !is_wall(cell)).unwrap();
    (owned(map, Cell::new(119, 40)), Cell::new(0, 40))
}

/// What a run allocates is its path and its report.
#[test]
fn replanning_allocates_nothing_for_an_expansion() {
    let start = Cell::new(1, 1);
    let route = owned(strewn(120, 80, 10, 1), Cell::new(118, 78));
    let mut search = Replanner::new(route).search(start);
    for round in 0..20 {
        shut(&mut search, round % 2 == 0);
        if round % 4 == 3 {
            search.restart(start);
        }
        let before = crate::counting::calls();
        let report = search.run().unwrap();
        let (calls, expanded) = (crate::counting::calls() - before, report.stats.expanded);
        assert!(report.path().is_some());
        assert!(round < 4 || calls < 64, "{calls} for {expanded} expansions");
        assert!(round % 4 != 3 || expanded > 1000, "{expanded}");
    }
}

#[test]
fn the_account_of_replanning_is_what_the_allocator_says() {
    let (route, start) = walled();
    let before = crate::counting::held();
    let mut search = Replanner::new(route).search(start);
    for round in 0..20 {
        shut(&mut search, round % 2 == 0);
        crate::counting::forget_peak();
        drop(search.run().unwrap());
        let held = usize::try_from(crate::counting::held() - before).unwrap();
        let off = held.abs_diff(search.bytes());
        assert!(off < held / 100 + 1000, "{held} bytes, but {} are said", search.bytes());
    }
}

/// Steps of cost 1, and few of them.
#[derive(Clone, Debug)]
struct Short;
impl Moves for Short {
    type Cost = u8;
    const STRAIGHT: u8 = 1;
    const DIAGONAL: Option<u8> = None;
    fn estimate(dx: u16, dy: u16) -> u8 {
        u8::try_from(dx + dy).unwrap()
    }
}

/// The sum of all moves is more than the type of the costs holds.
#[test]
fn a_walk_may_be_longer_than_costs_are_large() {
    let rows = ".".repeat(100) + "\n";
    let (map, _, goal) = corridor(&rows);
    let route = GridRoute::new(map, goal).by::<Short>();
    let mut search = Replanner::new(route).consistent().search(Cell::new(0, 0));
    for round in 0..50_u16 {
        let at = Cell::new(round * 37 % 100, 0);
        search.moved_to(&at);
        let blocked = Cell::new(round * 53 % 100, 0);
        for cell in search.problem_mut().set_free(blocked, round % 3 == 0) {
            search.changed(&cell);
        }
        let report = search.run().unwrap();
        let fresh = AStar::new(&boxed(search.problem())).search(at).run().unwrap();
        assert_eq!(report.cost(), fresh.cost(), "round {round}");
    }
}

/// What has changed is noted down in a list, which grows and is copied before the next run.
#[test]
fn what_is_noted_down_between_two_runs_is_counted() {
    let (route, start) = walled();
    let before = crate::counting::held();
    let mut search = Replanner::new(route).search(start);
    drop(search.run().unwrap());
    for most in [usize::MAX, search.bytes() + 100_000, search.bytes() + 1000, 1000] {
        search.set_limits(Limits::new().memory(most));
        let held = crate::counting::held() - before;
        crate::counting::forget_peak();
        for note in 0..50_000_u16 {
            search.changed(&Cell::new(note % 50, note % 20));
        }
        let peak = usize::try_from(crate::counting::peak() - before).unwrap();
        let said = usize::try_from(search.stats().peak_bytes).unwrap();
        assert!(
            peak <= said.max(usize::try_from(held).unwrap()) + 1000,
            "{peak} held, {said} said"
        );
        assert!(
            peak <= most.max(usize::try_from(held).unwrap()).saturating_add(1000),
            "{peak} held, {most} allowed"
        );
        let report = search.run().unwrap();
        let is_stopped = report.outcome == Outcome::Stopped(StopReason::Memory);
        assert!(is_stopped || said <= usize::try_from(report.stats.peak_bytes).unwrap());
        search.set_limits(Limits::new());
        assert!(search.run().unwrap().path().is_some());
    }
}
