//! [`BurrowBoard`]: amphipods in a burrow, with every cell and every legal move.

use std::cell::RefCell;

use bestfirst::problems::amphipod::{Burrow, BurrowState, Kind, Literal, Rules};
use bestfirst::{SearchProblem, Successors};
use serde_json::{Value, json};

use crate::input::InputError;

/// Words of a state: they hold burrows of up to 64 cells with 15 kinds.
pub const WORDS: usize = 4;

/// The problem of a burrow.
type Moves = Literal<WORDS, u64>;

/// A burrow, and whether the heuristic is used.
#[derive(Debug)]
pub struct BurrowBoard {
    problem: Moves,
    is_informed: bool,
    /// Room for the moves from a state.
    pub(crate) moves: RefCell<Successors<Moves>>,
}

impl BurrowBoard {
    pub(crate) fn new(text: &str, is_informed: bool) -> Result<Self, InputError> {
        let problem = Literal::new(&Burrow::parse(text)?, Rules::new())?;
        Ok(Self { problem, is_informed, moves: RefCell::default() })
    }

    pub(crate) fn start(&self) -> BurrowState<WORDS> {
        self.problem.start()
    }

    pub(crate) fn successors(&self, state: &BurrowState<WORDS>, moves: &mut Successors<Moves>) {
        self.problem.successors(state, moves);
    }

    pub(crate) fn heuristic(&self, state: &BurrowState<WORDS>) -> u64 {
        if self.is_informed { self.problem.heuristic(state) } else { 0 }
    }

    pub(crate) fn is_goal(&self, state: &BurrowState<WORDS>) -> bool {
        self.problem.is_goal(state)
    }

    /// The letters of all cells: the hallway, then the rooms, each from top to bottom.
    pub(crate) fn letters(&self, state: &BurrowState<WORDS>) -> String {
        // The states of a search are all of its own burrow.
        let Some(burrow) = self.problem.unpack(state) else { return String::new() };
        let kinds = burrow.places().map(|place| burrow.at(place));
        kinds.map(|kind| kind.map_or('.', Kind::letter)).collect()
    }

    /// What the page draws around the letters.
    pub(crate) fn setup(&self) -> Value {
        let burrow = self.problem.burrow();
        let doors: Vec<_> = (0..burrow.rooms()).map(|room| burrow.door(room)).collect();
        json!({
            "board": "burrow",
            "width": burrow.width(),
            "doors": doors,
            "depth": burrow.depth(),
            "unit": 1,
        })
    }
}
