//! Engines and heuristics. A new engine needs a line in `Engine`, in `ENGINES` and in `search`.

use std::str::FromStr;
use std::time::{Duration, Instant};

use bestfirst::problems::crucible::{Crucible, LossBound};
use bestfirst::{
    AStar, AnytimeAStar, Beam, BranchAndBound, BreadthFirst, Dijkstra, Focal, IdaStar, Limits,
    Rectangle, ReportOf, SearchError,
};

use program::{Fault, Output};

use super::certify;
use super::watch::Watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Dijkstra,
    AStar,
    IdaStar,
    BranchAndBound,
    BreadthFirst,
    Anytime,
    /// These find a path of at most a given factor times the least loss.
    Weighted,
    Focal,
    Beam,
    Rectangle,
}

const ENGINES: [(&str, &str, Engine, Uses); 10] = [
    ("dijkstra", "Dijkstra", Engine::Dijkstra, Uses::NoHeuristic),
    ("astar", "A*", Engine::AStar, Uses::Heuristic),
    ("idastar", "IDA*", Engine::IdaStar, Uses::Heuristic),
    ("branch-and-bound", "branch and bound", Engine::BranchAndBound, Uses::Heuristic),
    ("breadth-first", "breadth first", Engine::BreadthFirst, Uses::Heuristic),
    ("anytime", "anytime A*", Engine::Anytime, Uses::Heuristic),
    ("weighted", "weighted A*", Engine::Weighted, Uses::HeuristicAndFactor),
    ("focal", "focal search", Engine::Focal, Uses::HeuristicAndFactor),
    ("beam", "beam search", Engine::Beam, Uses::HeuristicAndWidth),
    ("rectangle", "rectangle search", Engine::Rectangle, Uses::Heuristic),
];

const HEURISTICS: [(&str, &str, LossBound); 3] = [
    ("manhattan", "Manhattan", LossBound::Manhattan),
    ("without-turns", "exact without turns", LossBound::WithoutTurns),
    ("next-run", "next run, then without turns", LossBound::NextRun),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Uses {
    Heuristic,
    NoHeuristic,
    /// The factor stands before the heuristic, as in `weighted:1.5:manhattan`.
    HeuristicAndFactor,
    /// The width may stand before the heuristic, as in `beam:1000:manhattan`.
    HeuristicAndWidth,
}

/// The size of the transposition table of IDA*.
const TABLE_BYTES: usize = 64 << 20;

fn search(
    Solver { engine, factor, width, .. }: Solver,
    crucible: &Crucible,
    limits: Limits<u32>,
    observer: &mut Watch<'_>,
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
        Engine::Anytime => AnytimeAStar::new(crucible)
            .dense()
            .limits(limits)
            .observer(observer)
            .search(start)
            .run(),
        Engine::Weighted => AStar::new(crucible)
            .weight(factor)
            .dense()
            .limits(limits)
            .observer(observer)
            .search(start)
            .run(),
        Engine::Focal => Focal::new(crucible, factor)
            .dense()
            .limits(limits)
            .observer(observer)
            .search(start)
            .run(),
        Engine::Beam => {
            let mut beam = Beam::new(crucible).dense().limits(limits).observer(observer);
            if let Some(width) = width {
                beam = beam.width(width);
            }
            beam.search(start).run()
        }
        Engine::Rectangle => {
            Rectangle::new(crucible).dense().limits(limits).observer(observer).search(start).run()
        }
    }
}

/// An engine, its factor or width if it has one, and a heuristic if it is not the default: `astar`,
/// `astar:manhattan`, `weighted:1.5`, `weighted:1.5:manhattan`, `beam`, `beam:1000`.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    pub engine: Engine,
    /// The solution is at most `factor` times the least.
    pub factor: f64,
    pub heuristic: Option<LossBound>,
    /// The width of a beam, if it is not to double.
    pub width: Option<usize>,
}

impl Solver {
    /// Every engine that finds the least loss, with every heuristic that it supports.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for (_, _, engine, uses) in ENGINES {
            let by = |heuristic| Self { engine, factor: 1.0, heuristic, width: None };
            match uses {
                Uses::NoHeuristic => all.push(by(None)),
                Uses::Heuristic | Uses::HeuristicAndWidth => {
                    all.extend(HEURISTICS.map(|(_, _, bound)| by(Some(bound))));
                }
                Uses::HeuristicAndFactor => {}
            }
        }
        all
    }

    /// The name on the command line and in tables.
    pub fn name(self, default: LossBound) -> String {
        self.join_names(default, |names| names.0, ":")
    }

    /// The name in pictures.
    pub fn title(self, default: LossBound) -> String {
        self.join_names(default, |names| names.1, ", ")
    }

    fn join_names(
        self,
        default: LossBound,
        which: impl Fn((&'static str, &'static str)) -> &'static str,
        between: &str,
    ) -> String {
        let bound = self.heuristic.unwrap_or(default);
        let mut engines = ENGINES.iter().filter(|entry| entry.2 == self.engine);
        let mut bounds = HEURISTICS.iter().filter(|entry| entry.2 == bound);
        let engine = engines.next().map_or("?", |entry| which((entry.0, entry.1)));
        let bound = bounds.next().map_or("?", |entry| which((entry.0, entry.1)));
        match (self.uses(), self.width) {
            (Uses::NoHeuristic, _) => engine.to_owned(),
            (Uses::HeuristicAndFactor, _) => {
                format!("{engine}{between}{}{between}{bound}", self.factor)
            }
            (Uses::HeuristicAndWidth, Some(width)) => {
                format!("{engine}{between}{width}{between}{bound}")
            }
            (Uses::Heuristic | Uses::HeuristicAndWidth, _) => format!("{engine}{between}{bound}"),
        }
    }

    /// Whether it also ends if there is no solution.
    pub fn ends(self) -> bool {
        !matches!(self.engine, Engine::IdaStar)
    }

    /// Whether it goes on from a first solution to better ones.
    pub fn improves(self) -> bool {
        use Engine::{Anytime, Beam, BranchAndBound, BreadthFirst, Focal, Rectangle};
        matches!(self.engine, Anytime | Beam | BranchAndBound | BreadthFirst | Focal | Rectangle)
    }

    /// Whether the heuristic is the default one.
    pub fn uses_default_heuristic(self) -> bool {
        self.heuristic.is_none() && self.uses() != Uses::NoHeuristic
    }

    fn uses(self) -> Uses {
        let mut entries = ENGINES.iter().filter(|entry| entry.2 == self.engine);
        entries.next().map_or(Uses::NoHeuristic, |entry| entry.3)
    }
}

impl FromStr for Solver {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split(':').peekable();
        let engine = words.next().unwrap_or_default();
        let Some(&(_, _, engine, uses)) = ENGINES.iter().find(|entry| entry.0 == engine) else {
            let names = ENGINES.map(|entry| entry.0).join(", ");
            return Err(format!("there is no engine {engine:?}; there are {names}"));
        };
        let mut factor = 1.0;
        if uses == Uses::HeuristicAndFactor {
            let number = words.next().and_then(|word| word.parse().ok());
            factor = number.filter(|number| (1.0..=1e6).contains(number)).ok_or_else(|| {
                "this engine takes a number from 1 to 1000000, as in weighted:1.5 or focal:1.2"
                    .to_owned()
            })?;
        }
        let mut width = None;
        if uses == Uses::HeuristicAndWidth
            && let Some(word) = words
                .next_if(|word| word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()))
        {
            let states = word.parse().ok().filter(|&states| states > 0);
            width = Some(states.ok_or("a beam takes a number of states, as in beam:1000")?);
        }
        let bound = words.next();
        if uses == Uses::NoHeuristic && bound.is_some() {
            return Err("this engine uses no heuristic".to_owned());
        }
        if let Some(word) = words.next() {
            return Err(format!("there is a word too many: {word:?}"));
        }
        let bound = bound.map(heuristic).transpose().map_err(|fault| match uses {
            Uses::HeuristicAndWidth if width.is_none() => {
                format!("{fault}; or give a number of states, as in beam:1000")
            }
            _ => fault,
        })?;
        Ok(Self { engine, factor, heuristic: bound, width })
    }
}

/// A heuristic by its name.
pub fn heuristic(name: &str) -> Result<LossBound, String> {
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
    /// Its answer is at most `factor` times the least loss, if it promises that.
    pub factor: Option<f64>,
    pub report: ReportOf<Crucible>,
    pub time: Duration,
}

/// Runs an engine, with `watch` as its observer. Writes a certificate if there is a file for it.
pub fn run(
    solver: Solver,
    crucible: &Crucible,
    limits: Limits<u32>,
    watch: &mut Watch<'_>,
    certificate: Option<Output>,
) -> Result<Run, Fault> {
    let began = Instant::now();
    let report = if let Some(file) = certificate {
        certify::search(solver.engine, crucible, limits, &mut *watch, file)?
    } else {
        let report = search(solver, crucible, limits, watch);
        report.map_err(|fault| Fault::input(&fault))?
    };
    let time = began.elapsed();
    watch.finish();
    let default = crucible.chosen_bound();
    let (name, title) = (solver.name(default), solver.title(default));
    // A beam that does not widen finds some path.
    let factor = solver.width.is_none().then_some(solver.factor);
    Ok(Run { name, title, factor, report, time })
}
