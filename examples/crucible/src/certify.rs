//! Runs a search and writes what it proved.

use bestfirst::certificate::Level;
use bestfirst::engine::Engine as SearchEngine;
use bestfirst::problems::crucible::{Crucible, State, StraightRun};
use bestfirst::{AStar, Dijkstra, Limits, Observer, ReportOf, Search};

use program::{Fault, Output};

use super::solvers::Engine;

/// Whether there are certificates of searches by this engine here.
pub fn is_possible(engine: Engine) -> bool {
    matches!(engine, Engine::AStar | Engine::Dijkstra)
}

/// Searches by A*, or by Dijkstra's algorithm, which proves the same without a heuristic.
pub fn search<O: Observer<State, u32>>(
    engine: Engine,
    crucible: &Crucible,
    limits: Limits<u32>,
    observer: O,
    file: Output,
) -> Result<ReportOf<Crucible>, Fault> {
    let start = crucible.start();
    if engine == Engine::Dijkstra {
        let builder = Dijkstra::new(crucible).dense().limits(limits).observer(observer);
        return write(builder.search(start), crucible, Level::NoHeuristic, file);
    }
    let builder = AStar::new(crucible).dense().limits(limits).observer(observer);
    write(builder.search(start), crucible, Level::Admissible, file)
}

fn write<E, O: Observer<State, u32>>(
    mut search: Search<E, O>,
    crucible: &Crucible,
    level: Level,
    file: Output,
) -> Result<ReportOf<Crucible>, Fault>
where
    E: SearchEngine<State = State, Action = StraightRun, Cost = u32>,
{
    let report = search.run().map_err(|fault| Fault::input(&fault))?;
    let certificate = search.certificate(crucible, [(crucible.start(), 0)], level);
    let certificate = certificate.map_err(|none| Fault::input(&none))?;
    file.write(|out| certificate.write(out))?;
    Ok(report)
}
