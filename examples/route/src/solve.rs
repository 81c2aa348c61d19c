//! Answers the pairs: with one of the heuristics, by one of the engines.

use std::io::Write;
use std::time::Instant;

use bestfirst::Search;
use bestfirst::engine::{Engine as Algorithm, KBestEngine, Order};
use bestfirst::frontier::Frontier;
use bestfirst::heuristics::LandmarkError;
use bestfirst::heuristics::Landmarks;
use bestfirst::problems::road_network::NodeId;
use bestfirst::table::{IdOf, TableFor};
use bestfirst::{
    AStar, AllOptimal, Bidirectional, DenseStates, Dijkstra, KBest, Outcome, Report, Reversible,
    SearchError, SearchProblem, StopReason,
};
use program::{Fault, Verdict};

use super::args::{Args, Engine};
use super::input::{Pair, Roads};
use super::print::{Cheapest, Printer, Summary};

/// So many landmarks of those that there are count for a pair: those that help most.
const BEST: usize = 6;

/// So many of all cheapest routes are shown.
const MOST_SHOWN: usize = 100;

/// Finds and prints what is asked for, one pair after the other.
pub fn solve(
    args: &Args,
    roads: &Roads,
    pairs: &[Pair],
    out: &mut impl Write,
) -> Result<Verdict, Fault> {
    let network = &roads.network;
    let Some(&first) = pairs.first() else { return Ok(Verdict::Solved) };
    // No arc is shorter than the great circle times this factor.
    let factor = network.largest_factor().unwrap_or(0.0);
    let route = |pair: Pair| network.route_to(pair.to).great_circle(factor);
    let asked = Asked { args, pairs, out: Printer { args, roads, out } };
    let Some(count) = args.landmarks else { return asked.answer(|pair| Ok(route(pair))) };
    let landmarks = Landmarks::of(&route(first)).count(count.into()).limits(args.limits()).build();
    let landmarks = landmarks.map_err(|fault| match fault {
        LandmarkError::Stopped(_) => Fault::Stopped(format!("--landmarks: {fault}")),
        _ => Fault::Input(format!("--landmarks: {fault}")),
    })?;
    asked.answer(|pair| {
        let informed = landmarks.to(route(pair)).map_err(|fault| Fault::input(&fault))?;
        Ok(informed.best(BEST, &pair.from))
    })
}

/// What is asked, apart from the heuristic.
struct Asked<'a, W> {
    args: &'a Args,
    pairs: &'a [Pair],
    out: Printer<'a, W>,
}

impl<W: Write> Asked<'_, W> {
    /// Answers all pairs; `problem` makes the problem of one.
    fn answer<P>(mut self, problem: impl Fn(Pair) -> Result<P, Fault>) -> Result<Verdict, Fault>
    where
        P: Reversible<State = NodeId, Action = (), Cost = u32> + DenseStates + Clone,
    {
        let first = self.pairs[0];
        let (any, start, limits) = (problem(first)?, first.from, self.args.limits());
        if self.args.all {
            return self.answer_all(problem);
        }
        if self.args.best.is_some() {
            let builder = KBest::new(any).limits(limits);
            let builder = if self.args.simple { builder.simple() } else { builder };
            return match self.args.engine {
                Engine::Dijkstra => {
                    self.answer_best(builder.dijkstra().dense().search(start), problem)
                }
                _ => self.answer_best(builder.dense().search(start), problem),
            };
        }
        match self.args.engine {
            Engine::Dijkstra => {
                self.answer_one(Dijkstra::new(any).dense().limits(limits).search(start), problem)
            }
            Engine::AStar => {
                self.answer_one(AStar::new(any).dense().limits(limits).search(start), problem)
            }
            Engine::Bidirectional => self
                .answer_one(Bidirectional::new(any).dense().limits(limits).search(start), problem),
            Engine::Weighted(weight) => {
                let builder = AStar::new(any).weight(weight).dense().limits(limits);
                self.answer_one(builder.search(start), problem)
            }
        }
    }

    /// One route for each pair.
    fn answer_one<P, E>(
        &mut self,
        mut search: Search<E, ()>,
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

    /// The best routes for each pair.
    fn answer_best<P, R, T, F>(
        &mut self,
        mut search: Search<KBestEngine<P, R, T, F>, ()>,
        problem: impl Fn(Pair) -> Result<P, Fault>,
    ) -> Result<Verdict, Fault>
    where
        P: SearchProblem<State = NodeId, Action = (), Cost = u32>,
        R: Order<u32>,
        T: TableFor<NodeId, u32>,
        F: Frontier<IdOf<T, NodeId>, R::Key>,
    {
        let most = self.args.best.unwrap_or(1);
        let mut worst = Verdict::Solved;
        for &pair in self.pairs {
            let began = Instant::now();
            search.restart_with(problem(pair)?, pair.from);
            self.out.begin(pair)?;
            for path in search.by_ref().take(usize::try_from(most).unwrap_or(usize::MAX)) {
                self.out.route(&path.map_err(|fault| explain(&fault))?)?;
            }
            let found = search.returned();
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
