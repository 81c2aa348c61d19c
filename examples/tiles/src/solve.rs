//! Solves boards by an engine and a heuristic.

use std::time::Duration;

use bestfirst::heuristics::WithIncremental;
use bestfirst::problems::sliding_tiles::{
    BlankMove, Board, Packed, Partition, SlidingTiles, TileCells, TileDatabases, Tracked,
};
use bestfirst::{
    AStar, Bidirectional, BreadthFirst, IdaStar, Limits, Outcome, Report, Reversible, SearchError,
    SearchProblem, StopReason, WithHeuristic,
};
use program::Fault;

use crate::databases::Supply;

program::choices! {
    /// The engines. A new one needs a line here and one in [`search_stored`], or in [`Solver::solve`] if it goes
    /// in place.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Engine {
        /// in the order of f; stores every state
        AStar = "astar",
        /// depth first with a rising bound; stores nothing
        IdaStar = "idastar",
        /// in the order of the number of moves; stores every state
        BreadthFirst = "breadth-first",
        /// from the board and from the goal; stores every state
        Bidirectional = "bidirectional",
    }
}

/// The heuristic that needs no databases.
pub const MANHATTAN: &str = "manhattan";

/// What is known of a board.
pub struct Answer {
    pub end: End,
    /// States generated, and the start.
    pub nodes: u64,
    pub lower_bound: u16,
    /// Of the start.
    pub heuristic: u16,
}

/// How a search ended.
pub enum End {
    Solved(u16),
    NoSolution,
    Stopped(StopReason),
}

/// A solver for each size of boards.
pub struct Solvers<'a> {
    /// The heuristic, and whether boards are reflected.
    heuristic: (&'a str, bool),
    engine: Engine,
    limits: Limits<u16>,
    supply: Supply,
    by_size: Vec<(usize, usize, Box<dyn Solve>)>,
}

impl<'a> Solvers<'a> {
    pub fn new(
        heuristic: (&'a str, bool),
        engine: Engine,
        (time, memory): (Option<Duration>, Option<usize>),
        supply: Supply,
    ) -> Self {
        let mut limits = Limits::new();
        if let Some(time) = time {
            limits = limits.time(time);
        }
        if let Some(bytes) = memory {
            limits = limits.memory(bytes);
        }
        Self { heuristic, engine, limits, supply, by_size: Vec::new() }
    }

    /// Makes the solver for boards of this size.
    pub fn prepare(&mut self, board: &Board) -> Result<(), Fault> {
        if self.find(board).is_some() {
            return Ok(());
        }
        let (width, height) = (board.width(), board.height());
        let databases = self.databases(width, height)?;
        let solver: Box<dyn Solve> = match width * height {
            ..=16 => Box::new(Solver::<u64>::new(width, height, databases)?),
            17..=25 => Box::new(Solver::<u128>::new(width, height, databases)?),
            26..=64 => Box::new(Solver::<[u8; 64]>::new(width, height, databases)?),
            _ => Box::new(Solver::<[u8; 256]>::new(width, height, databases)?),
        };
        self.by_size.push((width, height, solver));
        Ok(())
    }

    fn find(&self, board: &Board) -> Option<&dyn Solve> {
        let size = (board.width(), board.height());
        let found = self.by_size.iter().find(|&&(width, height, _)| (width, height) == size);
        found.map(|(_, _, solver)| solver.as_ref())
    }

    fn databases(&self, width: usize, height: usize) -> Result<Option<TileDatabases>, Fault> {
        let (name, is_reflected) = self.heuristic;
        if name == MANHATTAN {
            return Ok(None);
        }
        let explain = |fault| {
            Fault::Input(format!("--heuristic {name}, for boards of {width}×{height}: {fault}"))
        };
        let partition = Partition::parse(name, width, height).map_err(explain)?;
        let mut databases = self.supply.databases(&partition)?;
        if is_reflected && width == height {
            databases = databases.reflected().map_err(explain)?;
        }
        Ok(Some(databases))
    }

    pub fn solve(&self, board: &Board) -> Result<Answer, Fault> {
        let solver = self.find(board).ok_or_else(|| Fault::Input("a board is new".to_owned()))?;
        solver
            .solve(board, self.engine, self.limits.clone())
            .map_err(|fault| Fault::Input(fault.to_string()))
    }

    pub fn database_bytes(&self) -> usize {
        self.by_size.iter().map(|(_, _, solver)| solver.database_bytes()).sum()
    }
}

/// Solves boards of one size.
trait Solve {
    fn solve(
        &self,
        board: &Board,
        engine: Engine,
        limits: Limits<u16>,
    ) -> Result<Answer, Box<dyn std::error::Error>>;

    fn database_bytes(&self) -> usize;
}

/// Solves boards with tiles in `C`.
struct Solver<C: TileCells> {
    stored: SlidingTiles<Packed<C>>,
    in_place: SlidingTiles<Tracked<C>>,
    /// Without, the heuristic is the Manhattan distance.
    databases: Option<TileDatabases>,
}

impl<C: TileCells> Solver<C> {
    fn new(width: usize, height: usize, databases: Option<TileDatabases>) -> Result<Self, Fault> {
        let explain =
            |fault: bestfirst::problems::sliding_tiles::BoardError| Fault::Input(fault.to_string());
        let stored = SlidingTiles::new(width, height).map_err(explain)?;
        let in_place = SlidingTiles::new(width, height).map_err(explain)?;
        Ok(Self { stored, in_place, databases })
    }
}

impl<C: TileCells> Solve for Solver<C> {
    fn solve(
        &self,
        board: &Board,
        engine: Engine,
        limits: Limits<u16>,
    ) -> Result<Answer, Box<dyn std::error::Error>> {
        let start = self.stored.state(board)?;
        let heuristic = match &self.databases {
            Some(databases) => databases.value(&start),
            None => self.stored.heuristic(&start),
        };
        // The engines find that out, too, but the last by searching half of all boards.
        if !board.is_solvable() {
            let (nodes, lower_bound) = (1, u16::MAX);
            return Ok(Answer { end: End::NoSolution, nodes, lower_bound, heuristic });
        }
        let answer = match (&self.databases, engine) {
            (None, Engine::IdaStar) => {
                let search = IdaStar::new(&self.in_place).in_place().limits(limits);
                answer(search.search(self.in_place.state(board)?).run()?)
            }
            (Some(databases), Engine::IdaStar) => {
                let informed = WithIncremental::new(&self.stored, databases);
                let search = IdaStar::new(&informed).in_place().limits(limits);
                answer(search.search(informed.state(start)).run()?)
            }
            (None, Engine::Bidirectional) => {
                // The Manhattan distance is consistent in both directions.
                answer(Bidirectional::new(&self.stored).limits(limits).search(start).run()?)
            }
            (None, engine) => answer(search_stored(&self.stored, start, engine, limits)?),
            (Some(databases), engine) => {
                let value = |state: &Packed<C>| databases.value(state);
                let informed = WithHeuristic::new(&self.stored, value);
                answer(search_stored(&informed, start, engine, limits)?)
            }
        };
        Ok(Answer { heuristic, ..answer })
    }

    fn database_bytes(&self) -> usize {
        self.databases.as_ref().map_or(0, TileDatabases::bytes)
    }
}

/// Runs an engine that stores states.
fn search_stored<P: Reversible<Cost = u16>>(
    puzzle: &P,
    start: P::State,
    engine: Engine,
    limits: Limits<u16>,
) -> Result<Report<P::State, P::Action, u16>, SearchError<u16>> {
    match engine {
        // IDA* goes in place and does not come here.
        Engine::AStar | Engine::IdaStar => AStar::new(puzzle).limits(limits).search(start).run(),
        Engine::BreadthFirst => BreadthFirst::new(puzzle).limits(limits).search(start).run(),
        // Values of databases whose keys leave out the blank need not be consistent.
        Engine::Bidirectional => {
            Bidirectional::new(puzzle).nbs().least_step(1).limits(limits).search(start).run()
        }
    }
}

fn answer<S>(report: Report<S, BlankMove, u16>) -> Answer {
    let (nodes, lower_bound) = (report.stats.generated + 1, report.lower_bound);
    let end = match report.outcome {
        Outcome::Found(path) => End::Solved(path.cost()),
        Outcome::Exhausted => End::NoSolution,
        Outcome::Stopped(reason) => End::Stopped(reason),
    };
    Answer { end, nodes, lower_bound, heuristic: 0 }
}
