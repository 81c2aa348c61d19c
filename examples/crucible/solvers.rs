//! Which engine runs with which heuristic. A new engine is one line in each of three lists.

use std::str::FromStr;
use std::time::{Duration, Instant};

use bestfirst::problems::crucible::{Bound, Crucible, State};
use bestfirst::{AStar, Dijkstra, Limits, Observer, ReportOf, SearchError};

use crate::watch::Watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Dijkstra,
    AStar,
}

const ENGINES: [(&str, Engine, Uses); 2] =
    [("dijkstra", Engine::Dijkstra, Uses::NoHeuristic), ("astar", Engine::AStar, Uses::Heuristic)];

const HEURISTICS: [(&str, Bound); 3] = [
    ("manhattan", Bound::Manhattan),
    ("without-turns", Bound::WithoutTurns),
    ("next-run", Bound::NextRun),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Uses {
    Heuristic,
    NoHeuristic,
}

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
    }
}

/// An engine, and a heuristic if it is not the general one: `astar`, `astar:manhattan`.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    pub engine: Engine,
    pub heuristic: Option<Bound>,
}

impl Solver {
    /// Every engine with every heuristic that it can use.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for (_, engine, uses) in ENGINES {
            if uses == Uses::NoHeuristic {
                all.push(Self { engine, heuristic: None });
                continue;
            }
            for (_, bound) in HEURISTICS {
                all.push(Self { engine, heuristic: Some(bound) });
            }
        }
        all
    }

    /// What it is called in tables.
    pub fn name(self, general: Bound) -> String {
        let bound = self.heuristic.unwrap_or(general);
        let heuristic =
            HEURISTICS.iter().find(|entry| entry.1 == bound).map_or("?", |entry| entry.0);
        let (engine, _, uses) =
            ENGINES.iter().find(|entry| entry.1 == self.engine).copied().unwrap_or(ENGINES[0]);
        match uses {
            Uses::Heuristic => format!("{engine}:{heuristic}"),
            Uses::NoHeuristic => engine.to_owned(),
        }
    }
}

impl FromStr for Solver {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (engine, bound) = match text.split_once(':') {
            Some((engine, bound)) => (engine, Some(bound)),
            None => (text, None),
        };
        let Some(&(_, engine, uses)) = ENGINES.iter().find(|entry| entry.0 == engine) else {
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
    if let Some(&(_, bound)) = HEURISTICS.iter().find(|entry| entry.0 == name) {
        return Ok(bound);
    }
    let names = HEURISTICS.map(|entry| entry.0).join(", ");
    Err(format!("there is no heuristic {name:?}; there are {names}"))
}

/// A search that has ended.
pub struct Run {
    pub name: String,
    pub report: ReportOf<Crucible>,
    pub time: Duration,
}

/// Runs an engine; `watch` listens if it has reason to.
pub fn run(
    engine: Engine,
    crucible: &Crucible,
    time: Option<Duration>,
    watch: &mut Watch<'_>,
) -> Result<Run, SearchError<u32>> {
    let limits = time.map_or_else(Limits::new, |time| Limits::new().time(time));
    let began = Instant::now();
    let report = if watch.listens() {
        search(engine, crucible, limits, &mut *watch)?
    } else {
        search(engine, crucible, limits, ())?
    };
    let time = began.elapsed();
    watch.end();
    Ok(Run { name: watch.name().to_owned(), report, time })
}
