//! Runs an engine on a form of the burrow.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use amphipod::{BurrowProblem, Form, Visitor, with_smallest};
use bestfirst::problems::amphipod::{Burrow, Energy, Frame, Rules};
use bestfirst::{
    AStar, AnytimeAStar, Beam, BranchAndBound, BreadthFirst, Cost, Dijkstra, Encode, Focal,
    IdaStar, Limits, Outcome, Rectangle, ReportOf, ScalableCost, SearchError, Stats, StopReason,
};

use program::{Fault, Output};

use crate::certify;
use crate::watch::Watch;

/// The engines. A new one needs a line here, one in [`ENGINES`] and one in [`search`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Engine {
    Dijkstra,
    AStar,
    IdaStar,
    BranchAndBound,
    BreadthFirst,
    Anytime,
    /// With its weight.
    Weighted(f64),
    /// With its factor.
    Focal(f64),
    /// With its width, if that is not to double.
    Beam(Option<usize>),
    Rectangle,
}

/// An engine as it is written on the command line.
enum Spelling {
    Plain(Engine),
    WithNumber(fn(f64) -> Engine),
    WithWidth(fn(Option<usize>) -> Engine),
}

/// The engines by their names.
const ENGINES: [(&str, Spelling); 10] = [
    ("dijkstra", Spelling::Plain(Engine::Dijkstra)),
    ("astar", Spelling::Plain(Engine::AStar)),
    ("idastar", Spelling::Plain(Engine::IdaStar)),
    ("branch-and-bound", Spelling::Plain(Engine::BranchAndBound)),
    ("breadth-first", Spelling::Plain(Engine::BreadthFirst)),
    ("anytime", Spelling::Plain(Engine::Anytime)),
    ("weighted", Spelling::WithNumber(Engine::Weighted)),
    ("focal", Spelling::WithNumber(Engine::Focal)),
    ("beam", Spelling::WithWidth(Engine::Beam)),
    ("rectangle", Spelling::Plain(Engine::Rectangle)),
];

impl Engine {
    /// Whether it goes on from a first solution to better ones.
    pub fn improves(self) -> bool {
        use Engine::{Anytime, Beam, BranchAndBound, BreadthFirst, Focal, Rectangle};
        matches!(self, BranchAndBound | BreadthFirst | Anytime | Focal(_) | Beam(_) | Rectangle)
    }

    /// The engines that find the least energy if they are not stopped.
    pub fn optimal() -> impl Iterator<Item = Self> {
        ENGINES.iter().filter_map(|(_, form)| match form {
            Spelling::Plain(engine) => Some(*engine),
            Spelling::WithWidth(engine) => Some(engine(None)),
            Spelling::WithNumber(_) => None,
        })
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let Some((_, form)) = ENGINES.iter().find(|entry| entry.0 == name) else {
            let names = ENGINES.map(|entry| entry.0).join(", ");
            return Err(format!("there is no engine {name:?}; there are {names}"));
        };
        match (form, number) {
            (Spelling::Plain(engine), None) => Ok(*engine),
            (Spelling::Plain(_), Some(_)) => Err(format!("{name} takes no number")),
            (Spelling::WithNumber(engine), Some(number)) => match number.parse() {
                Ok(number) if (1.0..=1e6).contains(&number) => Ok(engine(number)),
                _ => Err(format!("{name} takes a number from 1 to 1000000, as in {name}:1.5")),
            },
            (Spelling::WithWidth(engine), None) => Ok(engine(None)),
            (Spelling::WithWidth(engine), Some(number)) => match number.parse() {
                Ok(width) if width > 0 => Ok(engine(Some(width))),
                _ => Err(format!("{name} takes a number of states, as in {name}:1000")),
            },
            (Spelling::WithNumber(_), None) => {
                Err(format!("{name} takes a number, as in {name}:1.5"))
            }
        }
    }
}

program::value!(Engine);

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dijkstra => f.pad("dijkstra"),
            Self::AStar => f.pad("astar"),
            Self::IdaStar => f.pad("idastar"),
            Self::BranchAndBound => f.pad("branch-and-bound"),
            Self::BreadthFirst => f.pad("breadth-first"),
            Self::Anytime => f.pad("anytime"),
            Self::Weighted(weight) => f.pad(&format!("weighted:{weight}")),
            Self::Focal(factor) => f.pad(&format!("focal:{factor}")),
            Self::Beam(None) => f.pad("beam"),
            Self::Beam(Some(width)) => f.pad(&format!("beam:{width}")),
            Self::Rectangle => f.pad("rectangle"),
        }
    }
}

/// The size of the transposition table of IDA* in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// Runs an engine. It is watched whether that is asked for or not: all else would be compiled twice.
fn search<const N: usize, C: Energy + Encode + ScalableCost>(
    engine: Engine,
    problem: &BurrowProblem<N, C>,
    limits: Limits<C>,
    watch: &mut Watch,
) -> Result<ReportOf<BurrowProblem<N, C>>, SearchError<C>> {
    let start = [problem.start()];
    macro_rules! run {
        ($builder:expr) => {
            $builder.limits(limits).observer(watch).search_from(start).run()
        };
    }
    match engine {
        Engine::Dijkstra => run!(Dijkstra::new(problem)),
        Engine::AStar => run!(AStar::new(problem)),
        Engine::IdaStar => run!(IdaStar::new(problem).transposition_table(TABLE_BYTES)),
        Engine::BranchAndBound => run!(BranchAndBound::new(problem)),
        Engine::BreadthFirst => run!(BreadthFirst::new(problem)),
        Engine::Anytime => run!(AnytimeAStar::new(problem)),
        Engine::Weighted(weight) => run!(AStar::new(problem).weight(weight)),
        Engine::Focal(factor) => run!(Focal::new(problem, factor)),
        Engine::Beam(None) => run!(Beam::new(problem)),
        Engine::Beam(Some(width)) => run!(Beam::new(problem).width(width)),
        Engine::Rectangle => run!(Rectangle::new(problem)),
    }
}

/// How a burrow is to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub form: Form,
    pub rules: Rules,
    pub engine: Engine,
    pub time: Option<Duration>,
    pub memory: Option<usize>,
    /// Whether progress is shown in a line of the terminal.
    pub progress: bool,
    /// Whether every better solution is shown.
    pub solutions: bool,
}

impl Task {
    /// The limits of a search.
    pub fn limits<C: Cost>(&self) -> Limits<C> {
        let mut limits = Limits::new();
        if let Some(time) = self.time {
            limits = limits.time(time);
        }
        if let Some(bytes) = self.memory {
            limits = limits.memory(bytes);
        }
        limits
    }
}

/// The result of a search.
#[derive(Debug)]
pub struct Answer {
    pub engine: Engine,
    pub end: End,
    pub energy: Option<u128>,
    pub lower_bound: u128,
    /// The energy is at most `factor` times the least.
    pub factor: Option<f64>,
    pub stats: Stats,
    pub time: Duration,
    /// Every arrangement of the solution, if there is one.
    pub frames: Vec<Frame>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Solved,
    NoSolution,
    Stopped(StopReason),
}

/// Solves a burrow. Writes a certificate if there is a file for it.
pub fn solve(burrow: &Burrow, task: &Task, certificate: Option<Output>) -> Result<Answer, Fault> {
    let began = Instant::now();
    let solver = Solver { task, certificate, began };
    with_smallest(burrow, task.form, task.rules, solver).map_err(|fault| Fault::input(&fault))?
}

/// Solves the problem of a burrow.
struct Solver<'a> {
    task: &'a Task,
    certificate: Option<Output>,
    began: Instant,
}

impl Visitor for Solver<'_> {
    type Output = Result<Answer, Fault>;

    fn visit<const N: usize, C: Energy + Encode + ScalableCost>(
        self,
        problem: &BurrowProblem<N, C>,
    ) -> Self::Output {
        run(problem, self)
    }
}

fn run<const N: usize, C: Energy + Encode + ScalableCost>(
    problem: &BurrowProblem<N, C>,
    solver: Solver<'_>,
) -> Result<Answer, Fault> {
    let Solver { task, certificate, began } = solver;
    let limits = task.limits();
    let mut watch = Watch::new(task.engine, task.progress, task.solutions);
    let report = match certificate {
        Some(file) => certify::search(problem, problem.start(), limits, task.engine, file)?,
        None => search(task.engine, problem, limits, &mut watch)
            .map_err(|fault| Fault::input(&fault))?,
    };
    drop(watch);
    let time = began.elapsed();
    Ok(Answer {
        engine: task.engine,
        end: match report.outcome {
            Outcome::Found(_) => End::Solved,
            Outcome::Exhausted => End::NoSolution,
            Outcome::Stopped(reason) => End::Stopped(reason),
        },
        energy: report.cost().map(Energy::to_u128),
        lower_bound: report.lower_bound.to_u128(),
        factor: report.suboptimality(),
        stats: report.stats,
        frames: report.path().map_or_else(Vec::new, |path| problem.frames(path)),
        time,
    })
}
