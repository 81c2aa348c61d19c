//! [`Grid`]: a map of letters from a start to goals, with one of several heuristics.

use std::cell::RefCell;

use bestfirst::heuristics::Landmarks;
use bestfirst::problems::grid_map::{
    Cell, Corners, GridMap, JumpMoves, Movement, Moves, Terrain, TerrainMap, TerrainRoute,
};
use bestfirst::{Dijkstra, Reversed, Reversible, SearchProblem, Successors};
use serde_json::{Value, json};

use crate::input::InputError;

/// The largest number of cells.
const MOST_CELLS: usize = 160_000;

/// Landmarks in each part of the map.
const LANDMARKS: usize = 4;

/// To which neighbours steps lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbours {
    /// To the four neighbours of a cell.
    Four,
    /// To the eight neighbours, by a rule for corners. Diagonal steps cost 1.4 times as much as straight ones.
    Eight(Corners),
    /// To the six neighbours of a hexagon.
    Six,
    /// By runs along rows, columns and diagonals to jump points: see [`JumpPoints`](bestfirst::problems::grid_map::JumpPoints).
    Jumps,
}

impl Neighbours {
    /// What a straight step into a cell of cost 1 costs.
    fn unit(self) -> u64 {
        match self {
            Self::Four | Self::Six => 1,
            Self::Eight(_) | Self::Jumps => Runs::STRAIGHT,
        }
    }

    /// The least that steps cost for each unit of length, over ground of cost 1. A diagonal step costs 14, a little less
    /// than 10 √2.
    fn per_length(self) -> f64 {
        match self {
            Self::Four | Self::Six => 1.0,
            Self::Eight(_) | Self::Jumps => 14.0 / std::f64::consts::SQRT_2,
        }
    }

    fn steps(self) -> Movement<u64> {
        match self {
            Self::Four => Movement::four(1),
            Self::Eight(corners) => Movement::eight(Runs::STRAIGHT, 14).corners(corners),
            Self::Six => Movement::six(1),
            Self::Jumps => Movement::eight(Runs::STRAIGHT, 14),
        }
    }
}

/// The moves of jumps: the same costs as those of single steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs;

impl Moves for Runs {
    type Cost = u64;
    const STRAIGHT: u64 = 10;
    const DIAGONAL: Option<u64> = Some(14);

    fn estimate(dx: u16, dy: u16) -> u64 {
        Self::run(dx.abs_diff(dy), dx.min(dy))
    }
}

impl JumpMoves for Runs {
    fn run(straight: u16, diagonal: u16) -> u64 {
        Self::STRAIGHT * u64::from(straight) + 14 * u64::from(diagonal)
    }
}

/// The heuristics. All are consistent in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// The distance without walls, over the cheapest ground.
    Distance,
    /// The length of the straight line, over the cheapest ground.
    StraightLine,
    /// By differences of the true distances to a few landmarks.
    Landmarks,
    /// The true distance.
    Perfect,
    /// Zero.
    None,
}

/// The problem of a map.
pub type Route = TerrainRoute<TerrainMap<u64>, u64>;

/// A map, its start and goals, and the values of a heuristic.
#[derive(Debug)]
pub struct Grid {
    route: Route,
    start: Cell,
    neighbours: Neighbours,
    /// Where jump points are searched.
    pub(crate) ground: Option<GridMap>,
    to_goal: Vec<u64>,
    from_start: Vec<u64>,
    /// Room for the steps from a cell.
    pub(crate) steps: RefCell<Successors<Route>>,
}

impl Grid {
    /// Reads a map: `#` is a wall, `.` is free, a digit is what it costs to enter the cell, `S` is the start, and
    /// every `G` a goal.
    ///
    /// # Errors
    ///
    /// What is wrong with the map and where, and what would be right.
    pub fn new(text: &str, neighbours: Neighbours, estimate: Estimate) -> Result<Self, InputError> {
        if text.trim().is_empty() {
            return Err(InputError::at((1, 1), "the map is empty; draw a row, as in 'S..#.G'"));
        }
        let map = TerrainMap::from_rows(text, |letter| match letter {
            '#' => Terrain::Blocked,
            '.' | 'S' | 'G' => Terrain::Cost(1),
            _ => letter.to_digit(10).map_or(Terrain::Unknown, |cost| Terrain::Cost(cost.into())),
        });
        let map = map.map_err(|fault| {
            let mut fault = InputError::from(fault);
            if fault.message.ends_with("expected a letter of this map") {
                let hint = ": # for a wall, . for a free cell, a digit for its cost, S for the start, G for a goal";
                fault.message += hint;
            }
            fault
        })?;
        let cells = usize::from(map.width()) * usize::from(map.height());
        if cells > MOST_CELLS {
            let message = format!("the map has {cells} cells; at most {MOST_CELLS} are searched");
            return Err(InputError::new("text", message));
        }
        let mut starts = map.places_of('S');
        let (start, second) = (starts.next(), starts.next());
        let Some(start) = start else {
            let message = "there is no start: put an S where the path is to begin";
            return Err(InputError::new("text", message));
        };
        if let Some(second) = second {
            let message = "this is a second start; there must be one S";
            return Err(InputError::at(position(text, second), message));
        }
        drop(starts);
        let goals: Vec<Cell> = map.places_of('G').collect();
        if goals.is_empty() {
            let message = "there is no goal: put a G where the path is to end";
            return Err(InputError::new("text", message));
        }
        let ground = match neighbours {
            Neighbours::Jumps => Some(ground(&map, &goals)?),
            _ => None,
        };
        let route = TerrainRoute::new(map, goals, neighbours.steps())?;
        let (to_goal, from_start) = estimates(&route, start, neighbours, estimate)?;
        Ok(Self {
            route,
            start,
            neighbours,
            ground,
            to_goal,
            from_start,
            steps: RefCell::default(),
        })
    }

    pub(crate) fn start(&self) -> Cell {
        self.start
    }

    /// The steps from a cell.
    pub fn successors(&self, cell: Cell, steps: &mut Successors<Route>) {
        self.route.successors(&cell, steps);
    }

    pub(crate) fn predecessors(&self, cell: Cell, steps: &mut Successors<Route>) {
        self.route.predecessors(&cell, steps);
    }

    pub(crate) fn goals(&self) -> impl Iterator<Item = Cell> {
        self.route.goals().iter().copied()
    }

    pub(crate) fn is_goal(&self, cell: Cell) -> bool {
        self.route.is_goal(&cell)
    }

    /// A lower bound on the cost to a goal.
    #[must_use]
    pub fn heuristic(&self, cell: Cell) -> u64 {
        self.to_goal[self.index(cell)]
    }

    /// A lower bound on the cost from the start.
    #[must_use]
    pub fn heuristic_from(&self, cell: Cell) -> u64 {
        self.from_start[self.index(cell)]
    }

    /// What the page draws around the states.
    pub(crate) fn setup(&self) -> Value {
        let rows = self.route.map().to_string();
        json!({
            "board": "grid",
            "rows": rows.lines().collect::<Vec<_>>(),
            "unit": self.neighbours.unit(),
            "hexagons": self.neighbours == Neighbours::Six,
            "jumps": self.neighbours == Neighbours::Jumps,
        })
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.route.map().width()) + usize::from(cell.x)
    }
}

/// The map of jump points, which know walls and free cells alone.
fn ground(map: &TerrainMap<u64>, goals: &[Cell]) -> Result<GridMap, InputError> {
    let fault = |message: &str| InputError::new("neighbours", message.to_owned());
    if goals.len() > 1 {
        return Err(fault(
            "jump points lead to one goal; remove the others, or choose other steps",
        ));
    }
    if map.cells().any(|cell| map.cost(cell).is_some_and(|cost| cost != 1)) {
        let message = "jump points need cells of equal cost; make them free, or choose other steps";
        return Err(fault(message));
    }
    Ok(GridMap::new(map.width(), map.height(), |cell| map.cost(cell).is_some())?)
}

/// Line and column of a cell in the text that it was read from, which may have empty lines.
fn position(text: &str, cell: Cell) -> (usize, usize) {
    let rows = text.lines().zip(1..).filter(|(row, _)| !row.trim().is_empty());
    let line = rows.map(|(_, line)| line).nth(cell.y.into()).unwrap_or(1);
    (line, usize::from(cell.x) + 1)
}

/// The heuristic values of all cells, to the goals and from the start.
fn estimates(
    route: &Route,
    start: Cell,
    neighbours: Neighbours,
    estimate: Estimate,
) -> Result<(Vec<u64>, Vec<u64>), InputError> {
    let fault = |fault: &dyn std::fmt::Display| InputError::new("heuristic", fault.to_string());
    let cells = || route.map().cells();
    let of = |value: &dyn Fn(&Cell) -> u64| cells().map(|cell| value(&cell)).collect();
    Ok(match estimate {
        Estimate::None => (of(&|_| 0), of(&|_| 0)),
        Estimate::Distance => {
            (of(&|cell| route.heuristic(cell)), of(&|cell| route.heuristic_from(&start, cell)))
        }
        Estimate::StraightLine => {
            let costs = cells().filter_map(|cell| route.map().cost(cell));
            #[expect(clippy::cast_precision_loss, reason = "at most 9")]
            let factor = neighbours.per_length() * costs.min().unwrap_or(0) as f64;
            let line = |from, to| line(neighbours, from, to, factor);
            let nearest = |cell: &Cell| {
                let lines = route.goals().iter().map(|goal| line(*cell, *goal));
                lines.min().unwrap_or(0)
            };
            (of(&nearest), of(&|cell| line(start, *cell)))
        }
        Estimate::Landmarks => {
            let landmarks = Landmarks::of(route).count(LANDMARKS).build();
            let landmarks = landmarks.map_err(|error| fault(&error))?;
            let bounds = landmarks.to(route).map_err(|error| fault(&error))?;
            (of(&|cell| bounds.heuristic(cell)), of(&|cell| bounds.heuristic_from(&start, cell)))
        }
        Estimate::Perfect => {
            let forward = Dijkstra::new(route).search(start).reach_all();
            let forward = forward.map_err(|error| fault(&error))?;
            let reversed = Reversed::new(route, start);
            let backward = Dijkstra::new(&reversed).search_from(reversed.starts()).reach_all();
            let backward = backward.map_err(|error| fault(&error))?;
            let cost = |cost: Option<u64>| cost.unwrap_or(u64::MAX);
            (of(&|cell| cost(backward.cost_of(cell))), of(&|cell| cost(forward.cost_of(cell))))
        }
    })
}

/// A lower bound on what a straight line costs, where each unit of length costs at least `factor`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "lengths on a small map"
)]
fn line(neighbours: Neighbours, from: Cell, to: Cell, factor: f64) -> u64 {
    let place = |cell: Cell| {
        let (x, y) = (f64::from(cell.x), f64::from(cell.y));
        match neighbours {
            // The middles of neighbours are 1 apart.
            Neighbours::Six => (x + f64::from(cell.y % 2) / 2.0, y * 0.75_f64.sqrt()),
            _ => (x, y),
        }
    };
    let ((x, y), (to_x, to_y)) = (place(from), place(to));
    // Rounded down in spite of rounding errors.
    ((to_x - x).hypot(to_y - y) * factor * (1.0 - 1e-9)) as u64
}
