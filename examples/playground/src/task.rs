//! [`Task`]: what the page asks, checked.

use std::io::{self, Write};

use bestfirst::clock::Clock;
use bestfirst::problems::grid_map::Corners;
use serde_json::{Map, Value};

use crate::board::Board;
use crate::burrow::BurrowBoard;
use crate::engine::{Engine, OFFERS};
use crate::grid::{Estimate, Grid, Neighbours};
use crate::input::InputError;
use crate::recording::{Allowance, record};

/// The heuristics of grids: name in the question, name on the page, what it is.
pub const GRID_HEURISTICS: [(&str, &str, &str); 5] = [
    ("distance", "Distance", "as if there were no walls, over the cheapest ground"),
    ("line", "Straight line", "its length, over the cheapest ground"),
    ("landmarks", "Landmarks", "by the true distances to four places"),
    ("perfect", "Perfect", "the true distance, computed before the search"),
    ("none", "None", "zero"),
];

/// The heuristics of burrows.
pub const BURROW_HEURISTICS: [(&str, &str, &str); 2] = [
    ("distance", "Way home", "the energy that is needed if nobody is in the way"),
    ("none", "None", "zero"),
];

/// The steps on grids: name in the question, name on the page, what they are.
pub const GRID_STEPS: [(&str, &str, &str, Neighbours); 6] = [
    ("4", "4 neighbours", "along rows and columns", Neighbours::Four),
    (
        "8",
        "8, corners free",
        "diagonal steps between free cells only",
        Neighbours::Eight(Corners::BothFree),
    ),
    (
        "8-one",
        "8, around corners",
        "diagonal steps beside one wall, too",
        Neighbours::Eight(Corners::OneFree),
    ),
    (
        "8-cut",
        "8, corners cut",
        "diagonal steps between two walls, too",
        Neighbours::Eight(Corners::Cut),
    ),
    (
        "jumps",
        "8, jump points",
        "the rule of free corners, by long runs to where a path may turn",
        Neighbours::Jumps,
    ),
    ("6", "6, hexagons", "rows with an even number are half a cell further right", Neighbours::Six),
];

/// The members of a question.
const MEMBERS: [&str; 8] =
    ["board", "text", "engine", "heuristic", "neighbours", "weight", "width", "expansions"];

/// The widest beam.
const MOST_WIDTH: u64 = 1_000_000;

/// As many expansions can be asked for: a recording of them is what a page can hold.
const MOST_EXPANSIONS: u64 = 100_000;

/// A search that can begin.
#[derive(Debug)]
pub struct Task {
    board: Board,
    engine: Engine,
    title: String,
    /// Instead of those that are allowed otherwise.
    expansions: Option<u64>,
}

impl Task {
    /// Reads a question: an object in JSON.
    ///
    /// # Errors
    ///
    /// What is wrong, in which member, and in a map or burrow at which line and column.
    pub fn read(body: &[u8]) -> Result<Self, InputError> {
        let question: Value = serde_json::from_slice(body).map_err(|fault| {
            let message = format!("the question must be an object in JSON: {fault}");
            InputError { field: "question", at: None, message }
        })?;
        let Value::Object(question) = question else {
            return Err(InputError::new("question", "the question must be an object in JSON"));
        };
        if let Some(name) = question.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
            let message = format!("there is no member {name:?}; there are {}", MEMBERS.join(", "));
            return Err(InputError::new("question", message));
        }
        let offer = one_of(&question, "engine", &OFFERS, |offer| offer.id)?;
        let engine = offer.engine(weight(&question)?, width(&question)?)?;
        let board = board(&question, engine)?;
        let expansions = whole(&question, "expansions", MOST_EXPANSIONS)?;
        let mut title = offer.title(engine);
        let heuristic = member(&question, "heuristic")?;
        if engine != Engine::Dijkstra && heuristic != "distance" {
            let name = GRID_HEURISTICS.iter().find(|entry| entry.0 == heuristic);
            let name = name.filter(|_| heuristic != "none").map(|entry| entry.1.to_lowercase());
            title.push_str(", ");
            title.push_str(name.as_deref().unwrap_or("no heuristic"));
        }
        Ok(Self { board, engine, title, expansions })
    }

    /// Searches, with the time by this clock, and writes what happens.
    ///
    /// # Errors
    ///
    /// All errors of `out`.
    pub fn record(
        &self,
        allowance: Allowance,
        clock: Clock,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let expansions = self.expansions.unwrap_or(allowance.expansions);
        let allowance = Allowance { expansions, ..allowance };
        record(&self.board, self.engine, &self.title, allowance, clock, out)
    }
}

fn board(question: &Map<String, Value>, engine: Engine) -> Result<Board, InputError> {
    let text = member(question, "text")?;
    let kind = one_of(question, "board", &["grid", "burrow"], |kind| kind)?;
    if *kind == "burrow" {
        if engine.needs_predecessors() {
            let message = "a burrow can be searched forwards only; choose another engine";
            return Err(InputError::new("engine", message));
        }
        let heuristic = one_of(question, "heuristic", &BURROW_HEURISTICS, |entry| entry.0)?;
        return Ok(Board::Burrow(BurrowBoard::new(text, heuristic.0 == "distance")?));
    }
    let steps = question.get("neighbours").map(|value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let neighbours = GRID_STEPS.iter().find(|entry| steps.as_deref() == Some(entry.0));
    let neighbours = neighbours.map(|entry| entry.3).ok_or_else(|| {
        let names = GRID_STEPS.map(|entry| entry.0).join(", ");
        InputError::new("neighbours", format!("the neighbours must be one of {names}"))
    })?;
    if neighbours == Neighbours::Jumps && engine.needs_predecessors() {
        let message =
            "jump points are searched forwards only; choose another engine, or other steps";
        return Err(InputError::new("engine", message));
    }
    let estimate = match one_of(question, "heuristic", &GRID_HEURISTICS, |entry| entry.0)?.0 {
        "distance" => Estimate::Distance,
        "line" => Estimate::StraightLine,
        "landmarks" => Estimate::Landmarks,
        "perfect" => Estimate::Perfect,
        _ => Estimate::None,
    };
    Ok(Board::Grid(Grid::new(text, neighbours, estimate)?))
}

fn member<'a>(question: &'a Map<String, Value>, name: &'static str) -> Result<&'a str, InputError> {
    let text = question.get(name).and_then(Value::as_str);
    text.ok_or_else(|| InputError::new(name, format!("the member {name} must be a text")))
}

fn one_of<'a, T>(
    question: &Map<String, Value>,
    name: &'static str,
    all: &'a [T],
    id: impl Fn(&'a T) -> &'a str,
) -> Result<&'a T, InputError> {
    let asked = member(question, name)?;
    all.iter().find(|entry| id(entry) == asked).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(&id).collect();
        let message = format!("there is no {name} {asked:?}; there are {}", names.join(", "));
        InputError::new(name, message)
    })
}

fn weight(question: &Map<String, Value>) -> Result<Option<f64>, InputError> {
    let Some(value) = question.get("weight").filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let weight = value.as_f64().filter(|weight| (1.0..=1000.0).contains(weight));
    let wrong = || InputError::new("weight", "the weight must be a number from 1 to 1000");
    weight.map(Some).ok_or_else(wrong)
}

fn width(question: &Map<String, Value>) -> Result<Option<usize>, InputError> {
    let width = whole(question, "width", MOST_WIDTH)?;
    Ok(width.and_then(|width| usize::try_from(width).ok()))
}

/// A whole number from 1 on that need not be given.
fn whole(
    question: &Map<String, Value>,
    name: &'static str,
    most: u64,
) -> Result<Option<u64>, InputError> {
    let Some(value) = question.get(name).filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let number = value.as_u64().filter(|number| (1..=most).contains(number));
    let wrong = || {
        let message = format!("the {name} must be a whole number from 1 to {most}, or empty");
        InputError::new(name, message)
    };
    number.map(Some).ok_or_else(wrong)
}
