//! Runs a search and writes what it proved.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use bestfirst::certificate::Level;
use bestfirst::engine::Engine as SearchEngine;
use bestfirst::problems::crucible::{Crucible, Run, State};
use bestfirst::{AStar, Dijkstra, Limits, Observer, ReportOf, Search};

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
    file: &Path,
) -> Result<ReportOf<Crucible>, Box<dyn Error>> {
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
    file: &Path,
) -> Result<ReportOf<Crucible>, Box<dyn Error>>
where
    E: SearchEngine<State = State, Action = Run, Cost = u32>,
{
    let fault = |fault: io::Error| format!("{}: {fault}", file.display());
    let out = BufWriter::new(File::create(file).map_err(fault)?);
    let report = search.run()?;
    let certificate = search.certificate(crucible, [(crucible.start(), 0)], level)?;
    certificate.write(out).map_err(fault)?;
    Ok(report)
}
