//! Runs a search and writes what it proved.

use bestfirst::certificate::Level;
use bestfirst::engine::Engine as SearchEngine;
use bestfirst::{AStar, Dijkstra, Encode, Limits, ReportOf, Search, SearchProblem};

use program::{Fault, Output};

use crate::solve::Engine;

/// Whether there are certificates of searches by this engine here.
pub fn is_possible(engine: Engine) -> bool {
    matches!(engine, Engine::AStar | Engine::Dijkstra)
}

/// Searches by A*, or by Dijkstra's algorithm, which proves the same without a heuristic.
pub fn search<P: SearchProblem<State: Encode, Cost: Encode>>(
    problem: &P,
    start: (P::State, P::Cost),
    limits: Limits<P::Cost>,
    engine: Engine,
    file: Output,
) -> Result<ReportOf<P>, Fault> {
    if engine == Engine::Dijkstra {
        let search = Dijkstra::new(problem).limits(limits).search_from([start.clone()]);
        return write(search, problem, start, Level::NoHeuristic, file);
    }
    let search = AStar::new(problem).limits(limits).search_from([start.clone()]);
    write(search, problem, start, Level::Admissible, file)
}

fn write<P: SearchProblem<State: Encode, Cost: Encode>, E>(
    mut search: Search<E>,
    problem: &P,
    start: (P::State, P::Cost),
    level: Level,
    file: Output,
) -> Result<ReportOf<P>, Fault>
where
    E: SearchEngine<State = P::State, Action = P::Action, Cost = P::Cost>,
{
    let report = search.run().map_err(|fault| Fault::input(&fault))?;
    let certificate = search.certificate(problem, [start], level);
    let certificate = certificate.map_err(|none| Fault::input(&none))?;
    file.write(|out| certificate.write(out))?;
    Ok(report)
}
