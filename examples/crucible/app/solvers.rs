//! Engines and heuristics. A new engine needs a line in `Engine`, in `ENGINES` and in `search`.

use std::error::Error;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use bestfirst::problems::crucible::{Bound, Crucible, State};
use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, Dijkstra, IdaStar, Limits, Observer, ReportOf, SearchError,
};

use super::certify;
use super::watch::Watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Dijkstra,
    AStar,
    IdaStar,
    BranchAndBound,
    BreadthFirst,
}

const ENGINES: [(&str, &str, Engine, Uses); 5] = [
    ("dijkstra", "Dijkstra", Engine::Dijkstra, Uses::NoHeuristic),
    ("astar", "A*", Engine::AStar, Uses::Heuristic),
    ("idastar", "IDA*", Engine::IdaStar, Uses::Heuristic),
    ("branch-and-bound", "branch and bound", Engine::BranchAndBound, Uses::Heuristic),
    ("breadth-first", "breadth first", Engine::BreadthFirst, Uses::Heuristic),
];

const HEURISTICS: [(&str, &str, Bound); 3] = [
    ("manhattan", "Manhattan", Bound::Manhattan),
    ("without-turns", "exact without turns", Bound::WithoutTurns),
    ("next-run", "next run, then without turns", Bound::NextRun),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Uses {
    Heuristic,
    NoHeuristic,
}

/// The size of the transposition table of IDA*.
const TABLE_BYTES: usize = 64 << 20;

fn search<O: Observer<State, u32>>(
    engine: Engine,
    crucible: &Crucible,
    limits: Limits<u32>,
    observer: O,
) -> Result<ReportOf<Crucible>, SearchError<u32>> {
    let start = crucible.start();
    match engine {
        Engine::Dijkstra => {
            Dijkstra::new(crucible).dense().limits(limits).observer(observer).search(start).run()
        }
        Engine::AStar => {
            AStar::new(crucible).dense().limits(limits).observer(observer).search(start).run()
        }
        Engine::IdaStar => IdaStar::new(crucible)
            .transposition_table(TABLE_BYTES)
            .limits(limits)
            .observer(observer)
            .search(start)
            .run(),
        Engine::BranchAndBound => BranchAndBound::new(crucible)
            .dense()
            .limits(limits)
            .observer(observer)
            .search(start)
            .run(),
        Engine::BreadthFirst => BreadthFirst::new(crucible)
            .dense()
            .limits(limits)
            .observer(observer)
            .search(start)
            .run(),
    }
}

/// An engine, and a heuristic if it is not the default: `astar`, `astar:manhattan`.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    pub engine: Engine,
    pub heuristic: Option<Bound>,
}

impl Solver {
    /// Every engine with every heuristic that it supports.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for (_, _, engine, uses) in ENGINES {
            if uses == Uses::NoHeuristic {
                all.push(Self { engine, heuristic: None });
                continue;
            }
            for (_, _, bound) in HEURISTICS {
                all.push(Self { engine, heuristic: Some(bound) });
            }
        }
        all
    }

    /// The name on the command line and in tables.
    pub fn name(self, default: Bound) -> String {
        self.join_names(default, |names| names.0, ":")
    }

    /// The name in pictures.
    pub fn title(self, default: Bound) -> String {
        self.join_names(default, |names| names.1, ", ")
    }

    fn join_names(
        self,
        default: Bound,
        which: impl Fn((&'static str, &'static str)) -> &'static str,
        between: &str,
    ) -> String {
        let bound = self.heuristic.unwrap_or(default);
        let mut engines = ENGINES.iter().filter(|entry| entry.2 == self.engine);
        let mut bounds = HEURISTICS.iter().filter(|entry| entry.2 == bound);
        let engine = engines.next().map_or("?", |entry| which((entry.0, entry.1)));
        let bound = bounds.next().map_or("?", |entry| which((entry.0, entry.1)));
        if self.uses_heuristic() { format!("{engine}{between}{bound}") } else { engine.to_owned() }
    }

    /// Whether it also ends if there is no solution.
    pub fn ends(self) -> bool {
        !matches!(self.engine, Engine::IdaStar)
    }

    fn uses_heuristic(self) -> bool {
        ENGINES.iter().any(|entry| entry.2 == self.engine && entry.3 == Uses::Heuristic)
    }
}

impl FromStr for Solver {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (engine, bound) = match text.split_once(':') {
            Some((engine, bound)) => (engine, Some(bound)),
            None => (text, None),
        };
        let Some(&(_, _, engine, uses)) = ENGINES.iter().find(|entry| entry.0 == engine) else {
            let names = ENGINES.map(|entry| entry.0).join(", ");
            return Err(format!("there is no engine {engine:?}; there are {names}"));
        };
        if uses == Uses::NoHeuristic && bound.is_some() {
            return Err("this engine uses no heuristic".to_owned());
        }
        Ok(Self { engine, heuristic: bound.map(heuristic).transpose()? })
    }
}

/// A heuristic by its name.
pub fn heuristic(name: &str) -> Result<Bound, String> {
    if let Some(&(_, _, bound)) = HEURISTICS.iter().find(|entry| entry.0 == name) {
        return Ok(bound);
    }
    let names = HEURISTICS.map(|entry| entry.0).join(", ");
    Err(format!("there is no heuristic {name:?}; there are {names}"))
}

/// A search that has ended.
pub struct Run {
    pub name: String,
    pub title: String,
    pub report: ReportOf<Crucible>,
    pub time: Duration,
}

/// Runs an engine, with `watch` as its observer if that is needed. Writes a certificate if there is a file
/// for it.
pub fn run(
    solver: Solver,
    crucible: &Crucible,
    time: Option<Duration>,
    watch: &mut Watch<'_>,
    certificate: Option<&Path>,
) -> Result<Run, Box<dyn Error>> {
    let limits = time.map_or_else(Limits::new, |time| Limits::new().time(time));
    let began = Instant::now();
    let report = if let Some(file) = certificate {
        certify::search(solver.engine, crucible, limits, &mut *watch, file)?
    } else if watch.is_needed() {
        search(solver.engine, crucible, limits, &mut *watch)?
    } else {
        search(solver.engine, crucible, limits, ())?
    };
    let time = began.elapsed();
    watch.finish();
    let default = crucible.chosen_bound();
    Ok(Run { name: solver.name(default), title: solver.title(default), report, time })
}
