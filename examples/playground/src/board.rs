//! [`Board`]: a problem that the page can draw, a grid or a burrow; and [`View`], how it is searched. All have one type of states,
//! so that every engine is compiled once.

use std::cell::RefCell;

use bestfirst::problems::amphipod::BurrowState;
use bestfirst::problems::grid_map::{Cell, JumpPoint, JumpPoints, JumpRoute, MapError};
use bestfirst::{Reversible, SearchProblem, SuccessorBuffer, Successors};
use serde_json::Value;

use crate::burrow::{BurrowBoard, WORDS};
use crate::grid::{Grid, Runs};

/// A cell of a grid, one with a direction of arrival, or the arrangement of a burrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    Cell(Cell),
    Jump(JumpPoint),
    Burrow(BurrowState<WORDS>),
}

/// What the page draws and searches.
#[derive(Debug)]
pub enum Board {
    Grid(Grid),
    Burrow(BurrowBoard),
}

impl State {
    /// Its cell, on a grid.
    pub fn cell(&self) -> Option<Cell> {
        match self {
            Self::Cell(cell) => Some(*cell),
            Self::Jump(point) => Some(point.cell()),
            Self::Burrow(_) => None,
        }
    }
}

impl Board {
    /// The jump points of the map, if steps lead to them.
    pub fn jump_points(&self) -> Result<Option<JumpPoints<'_>>, MapError> {
        match self {
            Self::Grid(grid) => grid.ground.as_ref().map(JumpPoints::new).transpose(),
            Self::Burrow(_) => Ok(None),
        }
    }

    /// What the page draws around the states.
    pub fn setup(&self) -> Value {
        match self {
            Self::Grid(grid) => grid.setup(),
            Self::Burrow(burrow) => burrow.setup(),
        }
    }
}

/// The problem of jumps, and room for the steps from a point.
type Jumps<'a> = (JumpRoute<'a, Runs>, RefCell<Successors<JumpRoute<'a, Runs>>>);

/// The problem of a board.
#[derive(Debug)]
pub struct View<'a> {
    board: &'a Board,
    jumps: Option<Jumps<'a>>,
}

impl<'a> View<'a> {
    pub fn new(board: &'a Board, points: Option<&'a JumpPoints<'a>>) -> Self {
        let goal = match board {
            Board::Grid(grid) => grid.goals().next(),
            Board::Burrow(_) => None,
        };
        let jumps = points.zip(goal);
        Self {
            board,
            jumps: jumps.map(|(points, goal)| (points.route_by(goal), RefCell::default())),
        }
    }

    /// Where a search begins.
    pub fn start(&self) -> State {
        match self.board {
            Board::Grid(grid) if self.jumps.is_some() => {
                State::Jump(JumpPoint::start(grid.start()))
            }
            Board::Grid(grid) => State::Cell(grid.start()),
            Board::Burrow(burrow) => State::Burrow(burrow.start()),
        }
    }

    /// What tells a state from all others.
    pub fn id(&self, state: &State) -> String {
        match (self.board, state) {
            (Board::Burrow(burrow), State::Burrow(state)) => burrow.letters(state),
            (_, State::Cell(cell)) => format!("{},{}", cell.x, cell.y),
            // Points of one cell differ by the direction of arrival.
            (_, State::Jump(point)) => format!("{point:?}"),
            (Board::Grid(_), State::Burrow(_)) => String::new(),
        }
    }
}

/// Pushes the successors of another problem.
fn push<S, A>(
    from: &RefCell<SuccessorBuffer<S, A, u64>>,
    fill: impl FnOnce(&mut SuccessorBuffer<S, A, u64>),
    state: impl Fn(S) -> State,
    next: &mut Successors<View<'_>>,
) {
    let mut from = from.borrow_mut();
    fill(&mut from);
    next.extend(from.drain().map(|step| ((), state(step.state), step.cost)));
}

impl SearchProblem for View<'_> {
    type State = State;
    type Action = ();
    type Cost = u64;

    fn successors(&self, state: &State, next: &mut Successors<Self>) {
        match (self.board, state) {
            (_, State::Jump(point)) => {
                if let Some((route, steps)) = &self.jumps {
                    push(steps, |steps| route.successors(point, steps), State::Jump, next);
                }
            }
            (Board::Grid(grid), &State::Cell(cell)) => {
                push(&grid.steps, |steps| grid.successors(cell, steps), State::Cell, next);
            }
            (Board::Burrow(burrow), State::Burrow(state)) => {
                push(&burrow.moves, |moves| burrow.successors(state, moves), State::Burrow, next);
            }
            _ => {}
        }
    }

    fn heuristic(&self, state: &State) -> u64 {
        match (self.board, state) {
            (Board::Grid(grid), state) => state.cell().map_or(0, |cell| grid.heuristic(cell)),
            (Board::Burrow(burrow), State::Burrow(state)) => burrow.heuristic(state),
            _ => 0,
        }
    }

    fn is_goal(&self, state: &State) -> bool {
        match (self.board, state) {
            (Board::Grid(grid), state) => state.cell().is_some_and(|cell| grid.is_goal(cell)),
            (Board::Burrow(burrow), State::Burrow(state)) => burrow.is_goal(state),
            _ => false,
        }
    }
}

/// Only grids are searched backwards; see [`Engine::needs_predecessors`](crate::engine::Engine::needs_predecessors).
impl Reversible for View<'_> {
    fn predecessors(&self, state: &State, previous: &mut Successors<Self>) {
        if let (Board::Grid(grid), &State::Cell(cell)) = (self.board, state) {
            push(&grid.steps, |steps| grid.predecessors(cell, steps), State::Cell, previous);
        }
    }

    fn goals(&self) -> impl Iterator<Item = State> {
        let grid = if let Board::Grid(grid) = self.board { Some(grid) } else { None };
        grid.into_iter().flat_map(|grid| grid.goals().map(State::Cell))
    }

    fn heuristic_from(&self, _: &State, state: &State) -> u64 {
        match (self.board, state) {
            (Board::Grid(grid), &State::Cell(cell)) => grid.heuristic_from(cell),
            _ => 0,
        }
    }
}
