//! Answers the pairs: with one of the heuristics, by one of the engines.

use std::io::Write;
use std::time::Instant;

use bestfirst::engine::Engine as Algorithm;
use bestfirst::heuristics::{DistanceError, Hierarchy, Landmarks};
use bestfirst::problems::road_network::{NodeId, RoadNetwork};
use bestfirst::{
    AStar, AllOptimal, Alternatives, Bidirectional, DenseStates, Dijkstra, KBest, Observer,
    Outcome, Path, Report, Reversible, Search, SearchError, SearchProblem, StopReason,
};
use program::{Fault, Output, Verdict};

use super::args::{Args, Engine};
use super::hierarchy;
use super::input::{Pair, Roads};
use super::plot::Drawn;
use super::print::{Cheapest, Printer, Summary};

/// How many of the landmarks count for a pair: those that help most.
const BEST: usize = 6;

/// At most this many of all cheapest routes are shown.
const MOST_SHOWN: usize = 100;

/// What is asked for.
pub struct Asked<'a, W> {
    pub args: &'a Args,
    pub roads: &'a Roads,
    /// The network with the traffic.
    pub today: &'a RoadNetwork,
    pub pairs: &'a [Pair],
    pub table: Option<Output>,
    pub out: &'a mut W,
}

/// Finds and prints what is asked for, one pair after the other. Returns the routes if they are to be drawn.
pub fn solve<V: Observer<NodeId, u32> + Copy>(
    asked: &mut Asked<'_, impl Write>,
    watch: V,
) -> Result<(Verdict, Vec<Drawn>), Fault> {
    let Asked { args, roads, today, pairs, .. } = *asked;
    if pairs.is_empty() && args.hierarchy.is_none() {
        return Ok((Verdict::Solved, Vec::new()));
    }
    // The target does not matter to what is prepared.
    let any = pairs.first().map(|pair| pair.to).or_else(|| roads.network.node(1));
    let any = any.ok_or_else(|| Fault::Input(format!("{} has no nodes", args.graph_name())))?;
    let table = asked.table.take();
    let out = Printer { args, roads, out: &mut *asked.out, routes: Vec::new() };
    let mut solver = Solver { args, pairs, watch, out };
    let verdict = if let Some(file) = &args.hierarchy {
        let route = roads.network.route_to(any);
        let hierarchy = hierarchy::load_or_make(args, file, &route)?;
        match table {
            Some(table) => hierarchy::write_table(args, &hierarchy, roads, pairs, table)?,
            None if pairs.is_empty() => Verdict::Solved,
            None => solver.answer_by(&hierarchy, today)?,
        }
    } else {
        // No arc is shorter than the great circle times this factor.
        let factor = match args.engine {
            Engine::Dijkstra => 0.0,
            _ => today.largest_factor().unwrap_or(0.0),
        };
        let route = |to| today.route_to(to).great_circle(factor);
        match args.landmarks {
            None => solver.answer(|pair| Ok(route(pair.to)))?,
            Some(count) => {
                let any = route(any);
                let builder = Landmarks::of(&any).count(count.into());
                let landmarks =
                    builder.limits(args.limits()).build().map_err(|fault| match fault {
                        DistanceError::Stopped(_) => {
                            Fault::Stopped(format!("--landmarks: {fault}"))
                        }
                        _ => Fault::Input(format!("--landmarks: {fault}")),
                    })?;
                solver.answer(|pair| {
                    let informed =
                        landmarks.to(route(pair.to)).map_err(|fault| Fault::input(&fault))?;
                    Ok(informed.best(BEST, &pair.from))
                })?
            }
        }
    };
    Ok((verdict, solver.out.routes))
}

/// What is asked, apart from the heuristic.
struct Solver<'a, W, V> {
    args: &'a Args,
    pairs: &'a [Pair],
    watch: V,
    out: Printer<'a, W>,
}

impl<W: Write, V: Observer<NodeId, u32> + Copy> Solver<'_, W, V> {
    /// Answers all pairs by a hierarchy: single routes by its queries, all else with its distances as the heuristic.
    fn answer_by(
        &mut self,
        hierarchy: &Hierarchy<u32>,
        today: &RoadNetwork,
    ) -> Result<Verdict, Fault> {
        let (args, first) = (self.args, self.pairs[0]);
        let explained = |fault: DistanceError<u32>| Fault::input(&fault);
        let is_single = args.routes().is_none() && !args.all && args.engine == Engine::AStar;
        if !is_single || args.traffic.is_some() {
            return self.answer(|pair| hierarchy.to(today.route_to(pair.to)).map_err(explained));
        }
        let query = hierarchy.query(today.route_to(first.to)).map_err(explained)?;
        let search = query.limits(args.limits()).observer(self.watch).search(first.from);
        self.answer_one(search, |pair| Ok(today.route_to(pair.to)))
    }

    /// Answers all pairs; `problem` makes the problem of one.
    fn answer<P>(&mut self, problem: impl Fn(Pair) -> Result<P, Fault>) -> Result<Verdict, Fault>
    where
        P: Reversible<State = NodeId, Action = (), Cost = u32> + DenseStates + Clone,
    {
        let first = self.pairs[0];
        let (any, start, limits) = (problem(first)?, first.from, self.args.limits());
        if self.args.all {
            return self.answer_all(problem);
        }
        if self.args.alternatives.is_some() {
            let builder = Alternatives::new(any).dense().limits(limits).observer(self.watch);
            return self.answer_several(builder.search(start), problem);
        }
        if self.args.best.is_some() {
            let builder = KBest::new(any).limits(limits).observer(self.watch);
            let builder = if self.args.simple { builder.simple() } else { builder };
            return match self.args.engine {
                Engine::Dijkstra => {
                    self.answer_several(builder.dijkstra().dense().search(start), problem)
                }
                _ => self.answer_several(builder.dense().search(start), problem),
            };
        }
        let watch = self.watch;
        match self.args.engine {
            Engine::Dijkstra => {
                let builder = Dijkstra::new(any).dense().limits(limits).observer(watch);
                self.answer_one(builder.search(start), problem)
            }
            Engine::AStar => {
                let builder = AStar::new(any).dense().limits(limits).observer(watch);
                self.answer_one(builder.search(start), problem)
            }
            Engine::Bidirectional => {
                let builder = Bidirectional::new(any).dense().limits(limits).observer(watch);
                self.answer_one(builder.search(start), problem)
            }
            Engine::Weighted(weight) => {
                let builder = AStar::new(any).weight(weight).dense().limits(limits).observer(watch);
                self.answer_one(builder.search(start), problem)
            }
        }
    }

    /// One route for each pair.
    fn answer_one<P, E>(
        &mut self,
        mut search: Search<E, V>,
        problem: impl Fn(Pair) -> Result<P, Fault>,
    ) -> Result<Verdict, Fault>
    where
        P: SearchProblem<State = NodeId, Action = (), Cost = u32>,
        E: Algorithm<Problem = P, State = NodeId, Action = (), Cost = u32>,
    {
        let mut worst = Verdict::Solved;
        for &pair in self.pairs {
            let began = Instant::now();
            search.restart_with(problem(pair)?, pair.from);
            let report = search.run().map_err(|fault| explain(&fault))?;
            self.out.begin(pair)?;
            if let Some(path) = report.path() {
                self.out.route(path)?;
            }
            let verdict = match report.outcome {
                Outcome::Found(_) => Verdict::Solved,
                Outcome::Exhausted => Verdict::NoSolution,
                Outcome::Stopped(_) => Verdict::Stopped,
            };
            self.out.end(&Summary {
                found: u64::from(report.path().is_some()),
                stopped: stopped(&report),
                factor: report.suboptimality(),
                expanded: report.stats.expanded,
                began,
            })?;
            worst = worst.max(verdict);
        }
        Ok(worst)
    }

    /// Several routes for each pair.
    fn answer_several<P, E>(
        &mut self,
        mut search: Search<E, V>,
        problem: impl Fn(Pair) -> Result<P, Fault>,
    ) -> Result<Verdict, Fault>
    where
        P: SearchProblem<State = NodeId, Action = (), Cost = u32>,
        E: Algorithm<Problem = P, State = NodeId, Action = (), Cost = u32>,
        Search<E, V>: Iterator<Item = Result<Path<NodeId, (), u32>, SearchError<u32>>>,
    {
        let most = self.args.routes().unwrap_or(1);
        let mut worst = Verdict::Solved;
        for &pair in self.pairs {
            let began = Instant::now();
            search.restart_with(problem(pair)?, pair.from);
            self.out.begin(pair)?;
            let mut found = 0;
            for path in search.by_ref().take(usize::try_from(most).unwrap_or(usize::MAX)) {
                self.out.route(&path.map_err(|fault| explain(&fault))?)?;
                found += 1;
            }
            let stopped = if found < most {
                // Why there are no more.
                stopped(&search.run().map_err(|fault| explain(&fault))?)
            } else {
                None
            };
            let verdict = match stopped {
                Some(_) => Verdict::Stopped,
                None if found == 0 => Verdict::NoSolution,
                None => Verdict::Solved,
            };
            let expanded = search.stats().expanded;
            self.out.end(&Summary { found, stopped, factor: None, expanded, began })?;
            worst = worst.max(verdict);
        }
        Ok(worst)
    }

    /// How many cheapest routes there are for each pair.
    fn answer_all<P>(
        &mut self,
        problem: impl Fn(Pair) -> Result<P, Fault>,
    ) -> Result<Verdict, Fault>
    where
        P: DenseStates<State = NodeId, Action = (), Cost = u32> + Clone,
    {
        let mut worst = Verdict::Solved;
        for &pair in self.pairs {
            let began = Instant::now();
            let builder = AllOptimal::new(problem(pair)?).limits(self.args.limits());
            let builder = if self.args.simple { builder.simple() } else { builder };
            let all =
                builder.dense().search(pair.from).find_all().map_err(|fault| explain(&fault))?;
            self.out.begin(pair)?;
            let (cost, stopped) = (all.cost(), all.stopped());
            let (nodes, arcs) = (all.state_count(), all.step_count());
            self.out.all(&Cheapest { cost, count: all.count(), nodes, arcs, stopped, began })?;
            if self.args.path {
                for path in all.paths().take(MOST_SHOWN) {
                    self.out.route(&path.map_err(|fault| explain(&fault))?)?;
                }
            }
            worst = worst.max(match (stopped, cost) {
                (Some(_), _) => Verdict::Stopped,
                (None, None) => Verdict::NoSolution,
                (None, Some(_)) => Verdict::Solved,
            });
        }
        Ok(worst)
    }
}

/// The limit that has stopped a search, and its lower bound.
fn stopped(report: &Report<NodeId, (), u32>) -> Option<(StopReason, u32)> {
    match report.outcome {
        Outcome::Stopped(reason) => Some((reason, report.lower_bound)),
        _ => None,
    }
}

fn explain(fault: &SearchError<u32>) -> Fault {
    Fault::input(fault)
}
