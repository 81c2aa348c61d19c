//! [`Board`]: a problem that the page can draw, a grid or a burrow. Both have one type of states, so that every engine is
//! compiled once.

use std::cell::RefCell;

use bestfirst::problems::amphipod::BurrowState;
use bestfirst::problems::grid_map::Cell;
use bestfirst::{Reversible, SearchProblem, SuccessorBuffer, Successors};
use serde_json::Value;

use crate::burrow::{BurrowBoard, WORDS};
use crate::grid::Grid;

/// A cell of a grid, or the arrangement of a burrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    Cell(Cell),
    Burrow(BurrowState<WORDS>),
}

/// What the page draws and searches.
#[derive(Debug)]
pub enum Board {
    Grid(Grid),
    Burrow(BurrowBoard),
}

impl Board {
    /// Where a search begins.
    pub fn start(&self) -> State {
        match self {
            Self::Grid(grid) => State::Cell(grid.start()),
            Self::Burrow(burrow) => State::Burrow(burrow.start()),
        }
    }

    /// What tells a state from all others.
    pub fn id(&self, state: &State) -> String {
        match (self, state) {
            (Self::Burrow(burrow), State::Burrow(state)) => burrow.letters(state),
            (_, State::Cell(cell)) => format!("{},{}", cell.x, cell.y),
            (Self::Grid(_), State::Burrow(_)) => String::new(),
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

/// Pushes the successors of another problem.
fn push<S, A>(
    from: &RefCell<SuccessorBuffer<S, A, u64>>,
    fill: impl FnOnce(&mut SuccessorBuffer<S, A, u64>),
    state: impl Fn(S) -> State,
    next: &mut Successors<Board>,
) {
    let mut from = from.borrow_mut();
    fill(&mut from);
    next.extend(from.drain().map(|step| ((), state(step.state), step.cost)));
}

impl SearchProblem for Board {
    type State = State;
    type Action = ();
    type Cost = u64;

    fn successors(&self, state: &State, next: &mut Successors<Self>) {
        match (self, state) {
            (Self::Grid(grid), &State::Cell(cell)) => {
                push(&grid.steps, |steps| grid.successors(cell, steps), State::Cell, next);
            }
            (Self::Burrow(burrow), State::Burrow(state)) => {
                push(&burrow.moves, |moves| burrow.successors(state, moves), State::Burrow, next);
            }
            _ => {}
        }
    }

    fn heuristic(&self, state: &State) -> u64 {
        match (self, state) {
            (Self::Grid(grid), &State::Cell(cell)) => grid.heuristic(cell),
            (Self::Burrow(burrow), State::Burrow(state)) => burrow.heuristic(state),
            _ => 0,
        }
    }

    fn is_goal(&self, state: &State) -> bool {
        match (self, state) {
            (Self::Grid(grid), &State::Cell(cell)) => grid.is_goal(cell),
            (Self::Burrow(burrow), State::Burrow(state)) => burrow.is_goal(state),
            _ => false,
        }
    }
}

/// Only grids are searched backwards; see [`Engine::needs_predecessors`](crate::engine::Engine::needs_predecessors).
impl Reversible for Board {
    fn predecessors(&self, state: &State, previous: &mut Successors<Self>) {
        if let (Self::Grid(grid), &State::Cell(cell)) = (self, state) {
            push(&grid.steps, |steps| grid.predecessors(cell, steps), State::Cell, previous);
        }
    }

    fn goals(&self) -> impl Iterator<Item = State> {
        let grid = if let Self::Grid(grid) = self { Some(grid) } else { None };
        grid.into_iter().flat_map(|grid| grid.goals().map(State::Cell))
    }

    fn heuristic_from(&self, _: &State, state: &State) -> u64 {
        match (self, state) {
            (Self::Grid(grid), &State::Cell(cell)) => grid.heuristic_from(cell),
            _ => 0,
        }
    }
}
