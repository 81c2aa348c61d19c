//! Runs an engine on a form of the burrow.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use bestfirst::problems::amphipod::{Burrow, Energy, FitError, Frame, Literal, Reduced, Rules};
use bestfirst::{
    AStar, BranchAndBound, BreadthFirst, Dijkstra, Encode, IdaStar, Limits, Outcome, PathOf,
    SearchError, SearchProblem, Stats, StopReason,
};
use clap::ValueEnum;

use crate::certify;
use crate::watch::Watch;

/// The engines. A new one needs a line here and one in [`search`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// in the order of g, the energy so far
    Dijkstra,
    /// in the order of f, the energy so far plus a lower bound on the rest
    #[value(name = "astar")]
    AStar,
    /// depth first with a rising bound
    #[value(name = "idastar")]
    IdaStar,
    /// depth first, without states that cannot improve on the best solution
    BranchAndBound,
    /// in the order of the number of moves
    BreadthFirst,
}

/// The size of the transposition table of IDA* in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// Runs an engine.
macro_rules! search {
    ($engine:expr, $problem:expr, $start:expr, $limits:expr, $watch:expr) => {
        match $engine {
            Engine::Dijkstra => search!(@run Dijkstra::new($problem), $start, $limits, $watch),
            Engine::AStar => search!(@run AStar::new($problem), $start, $limits, $watch),
            Engine::IdaStar => {
                let builder = IdaStar::new($problem).transposition_table(TABLE_BYTES);
                search!(@run builder, $start, $limits, $watch)
            }
            Engine::BranchAndBound => {
                search!(@run BranchAndBound::new($problem), $start, $limits, $watch)
            }
            Engine::BreadthFirst => {
                search!(@run BreadthFirst::new($problem), $start, $limits, $watch)
            }
        }
    };
    (@run $builder:expr, $start:expr, $limits:expr, $watch:expr) => {
        match $watch {
            Some(watch) => {
                $builder.limits($limits).observer(watch).search_from([$start]).run()
            }
            None => $builder.limits($limits).search_from([$start]).run(),
        }
    };
}

/// The form of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// only the decisions: which amphipod waits where in the hallway
    Reduced,
    /// every cell and every legal move
    Literal,
}

/// How a burrow is to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    pub form: Form,
    pub rules: Rules,
    pub engine: Engine,
    pub time: Option<Duration>,
    pub memory: Option<usize>,
    /// Whether progress is shown.
    pub progress: bool,
    /// Where a certificate is to be written.
    pub certificate: Option<&'a Path>,
}

/// The result of a search.
#[derive(Debug)]
pub struct Answer {
    pub engine: Engine,
    pub end: End,
    pub energy: Option<u128>,
    pub lower_bound: u128,
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

/// Why there is no answer.
#[derive(Debug)]
pub enum Fault {
    Fit(FitError),
    Search(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fit(fault) => fault.fmt(f),
            Self::Search(fault) => f.write_str(fault),
        }
    }
}

impl From<FitError> for Fault {
    fn from(fault: FitError) -> Self {
        Self::Fit(fault)
    }
}

impl<C: fmt::Debug> From<SearchError<C>> for Fault {
    fn from(fault: SearchError<C>) -> Self {
        Self::Search(fault.to_string())
    }
}

/// Solves a burrow with the smallest types that it fits.
pub fn solve(burrow: &Burrow, task: &Task) -> Result<Answer, Fault> {
    let began = Instant::now();
    macro_rules! first_fit {
        ($one:ident: $($types:ty),*; $last:ty) => {{
            $(match <$types>::prepare(burrow, task) {
                Ok(problem) => return $one(&problem, task, began),
                Err(FitError::Words { .. } | FitError::Energy { .. }) => {}
                Err(other) => return Err(other.into()),
            })*
            $one(&<$last>::prepare(burrow, task)?, task, began)
        }};
    }
    match task.form {
        Form::Reduced => {
            first_fit!(run: Reduced<1, u32>, Reduced<1, u64>, Reduced<2, u64>, Reduced<4, u128>; Reduced<32, u128>)
        }
        Form::Literal => {
            first_fit!(run: Literal<2, u32>, Literal<4, u64>, Literal<8, u128>; Literal<32, u128>)
        }
    }
}

/// The common interface of the two forms.
trait BurrowProblem: SearchProblem<State: Encode, Cost: Energy + Encode> + Sized {
    fn prepare(burrow: &Burrow, task: &Task) -> Result<Self, FitError>;
    fn begin(&self) -> (Self::State, Self::Cost);
    fn frames(&self, path: &PathOf<Self>) -> Vec<Frame>;
}

impl<const N: usize, C: Energy + Encode> BurrowProblem for Reduced<N, C> {
    fn prepare(burrow: &Burrow, _: &Task) -> Result<Self, FitError> {
        Self::new(burrow)
    }

    fn begin(&self) -> (Self::State, C) {
        self.start()
    }

    fn frames(&self, path: &PathOf<Self>) -> Vec<Frame> {
        self.replay(path)
    }
}

impl<const N: usize, C: Energy + Encode> BurrowProblem for Literal<N, C> {
    fn prepare(burrow: &Burrow, task: &Task) -> Result<Self, FitError> {
        Self::new(burrow, task.rules)
    }

    fn begin(&self) -> (Self::State, C) {
        (self.start(), C::ZERO)
    }

    fn frames(&self, path: &PathOf<Self>) -> Vec<Frame> {
        self.replay(path)
    }
}

fn run<P: BurrowProblem>(problem: &P, task: &Task, began: Instant) -> Result<Answer, Fault> {
    let mut limits = Limits::new();
    if let Some(time) = task.time {
        limits = limits.time(time);
    }
    if let Some(bytes) = task.memory {
        limits = limits.memory(bytes);
    }
    let start = problem.begin();
    let mut watch = task.progress.then(Watch::new);
    let report = match task.certificate {
        Some(file) => certify::search(problem, start, limits, task.engine, file)?,
        None => search!(task.engine, problem, start, limits, watch.as_mut())?,
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
        stats: report.stats,
        frames: report.path().map_or_else(Vec::new, |path| problem.frames(path)),
        time,
    })
}
