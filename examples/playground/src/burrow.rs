//! [`BurrowBoard`]: amphipods in a burrow, with every cell and every legal move.

use bestfirst::problems::amphipod::{Burrow, Kind, Literal, Packed, Rules, Walk};
use bestfirst::{SearchProblem, Successors};
use serde_json::{Value, json};

use crate::board::Board;
use crate::input::InputError;

/// Words of a state: they hold burrows of up to 64 cells with 15 kinds.
const WORDS: usize = 4;

/// A burrow, and whether the heuristic is used.
#[derive(Debug)]
pub struct BurrowBoard {
    problem: Literal<WORDS, u64>,
    is_informed: bool,
}

impl BurrowBoard {
    pub fn new(text: &str, is_informed: bool) -> Result<Self, InputError> {
        let problem = Literal::new(&Burrow::parse(text)?, Rules::new())?;
        Ok(Self { problem, is_informed })
    }
}

impl SearchProblem for BurrowBoard {
    type State = Packed<WORDS>;
    type Action = Walk;
    type Cost = u64;

    fn successors(&self, state: &Self::State, next: &mut Successors<Self>) {
        self.problem.successors(state, next);
    }

    fn heuristic(&self, state: &Self::State) -> u64 {
        if self.is_informed { self.problem.heuristic(state) } else { 0 }
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        self.problem.is_goal(state)
    }
}

impl Board for BurrowBoard {
    fn start(&self) -> Self::State {
        self.problem.start()
    }

    /// The letters of all cells: the hallway, then the rooms, each from top to bottom.
    fn id(&self, state: &Self::State) -> String {
        let burrow = self.problem.unpack(state);
        let kinds = burrow.places().map(|place| burrow.at(place));
        kinds.map(|kind| kind.map_or('.', Kind::letter)).collect()
    }

    fn place(&self, _: &Self::State) -> Option<(f64, f64)> {
        None
    }

    fn setup(&self) -> Value {
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
