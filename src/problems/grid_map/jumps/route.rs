//! [`JumpRoute`]: the search problem.

use std::marker::PhantomData;

use super::bits::{BlockedBits, End};
use super::{JumpMoves, JumpPoints};
use crate::encode::encode_as;
use crate::path::{Path, PathError, PathOf};
use crate::problem::{DenseStates, SearchProblem, Successors};
use crate::problems::grid_map::route::step;
use crate::problems::grid_map::{Cell, EightWay, GridMap, GridRoute};

/// A cell where a route may turn, and the direction of arrival, which determines the next directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JumpPoint {
    pub(super) cell: Cell,
    pub(super) arrival: Arrival,
}

impl JumpPoint {
    /// Creates the start of a route, which may leave in every direction.
    #[must_use]
    pub fn start(cell: Cell) -> Self {
        Self { cell, arrival: Arrival::Any }
    }

    /// Returns the cell.
    #[must_use]
    pub fn cell(&self) -> Cell {
        self.cell
    }
}

/// The direction of the last step. Runs end with straight steps, except at the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Arrival {
    Up,
    Left,
    Right,
    Down,
    Any,
}

use Arrival::{Any, Down, Left, Right, Up};

impl Arrival {
    /// Whether the obstacle at each of the two sides of a cell has just ended, so that the route may turn there:
    /// above and below, or to the left and to the right.
    #[inline]
    pub(super) fn opens(self, rows: &BlockedBits, columns: &BlockedBits, cell: Cell) -> [bool; 2] {
        match self {
            Right => rows.opens(cell.y, cell.x, -1),
            Left => rows.opens(cell.y, cell.x, 1),
            Down => columns.opens(cell.x, cell.y, -1),
            Up => columns.opens(cell.x, cell.y, 1),
            Any => [false; 2],
        }
    }
}

/// In the order of their numbers; the first four in the order of `map::NEIGHBOURS`.
pub(super) const ARRIVALS: [Arrival; 5] = [Up, Left, Right, Down, Any];

/// The diagonals: their bits among the exits of a cell, and their two straight directions.
const DIAGONALS: [(u8, Arrival, Arrival); 4] =
    [(1 << 4, Left, Up), (1 << 5, Right, Up), (1 << 6, Left, Down), (1 << 7, Right, Down)];

encode_as! {
    [] JumpPoint as (Cell, u8):
        |point| (point.cell, point.arrival as u8),
        |read| ARRIVALS.get(usize::from(read.1)).map(|&arrival| Self { cell: read.0, arrival }),
        "a jump point";
}

/// The problem of reaching a cell by jumps, with the costs of the moves `M`: see [`JumpPoints`].
///
/// Its states are [`JumpPoint`]s; search it from [`JumpPoint::start`]. The successors of a state are those that a
/// cheapest path to the goal may need; if the run to the goal is free, there is only the goal. The jump points of
/// a map are numbered without gaps, so a dense search is the fastest.
#[derive(Debug)]
pub struct JumpRoute<'j, M = EightWay> {
    pub(super) jumps: &'j JumpPoints<'j>,
    pub(super) route: GridRoute<&'j GridMap, M>,
    pub(super) moves: PhantomData<M>,
}

impl<M> Clone for JumpRoute<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for JumpRoute<'_, M> {}

impl<'j, M: JumpMoves> JumpRoute<'j, M> {
    /// The same problem by single steps.
    #[must_use]
    pub fn route(&self) -> GridRoute<&'j GridMap, M> {
        self.route
    }

    /// Returns the path by single steps: of each run first the diagonal ones, then the straight ones.
    ///
    /// # Errors
    ///
    /// [`PathError::Overflow`] if the cost does not fit into its type.
    pub fn cell_path(
        &self,
        path: &PathOf<Self>,
    ) -> Result<PathOf<GridRoute<&'j GridMap, M>>, PathError<M::Cost>> {
        let distance = |a: Cell, b: Cell| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
        let runs = path.states().windows(2);
        let count = runs.map(|ends| usize::from(distance(ends[0].cell, ends[1].cell))).sum();
        let mut at = path.start().cell;
        let mut steps = Path::with_capacity(at, path.start_cost(), count);
        for point in path.states() {
            while at != point.cell {
                let is_straight = at.x == point.cell.x || at.y == point.cell.y;
                at = Cell { x: towards(at.x, point.cell.x), y: towards(at.y, point.cell.y) };
                let cost = if is_straight { M::run(1, 0) } else { M::run(0, 1) };
                steps.push((), at, cost)?;
            }
        }
        Ok(steps)
    }

    /// Returns the next jump point, or the goal, in a straight direction, and its distance.
    #[inline]
    fn scan(&self, from: Cell, direction: Arrival) -> Option<(JumpPoint, u16)> {
        let JumpPoints { rows, columns, .. } = self.jumps;
        let goal = self.route.goal;
        let (end, on_line, ahead) = match direction {
            Right => (rows.scan_up(from.y, from.x), from.y == goal.y, goal.x.checked_sub(from.x)),
            Left => (rows.scan_down(from.y, from.x), from.y == goal.y, from.x.checked_sub(goal.x)),
            Down => (columns.scan_up(from.x, from.y), from.x == goal.x, goal.y.checked_sub(from.y)),
            Up => (columns.scan_down(from.x, from.y), from.x == goal.x, from.y.checked_sub(goal.y)),
            Any => return None,
        };
        let (last, is_jump_point) = match end {
            End::JumpPoint(steps) => (steps, true),
            End::Blocked(steps) => (steps - 1, false),
        };
        if on_line && let Some(steps) = ahead.filter(|steps| (1..=last).contains(steps)) {
            return Some((JumpPoint::start(goal), steps));
        }
        let cell = || {
            let (dx, dy) = match direction {
                Right => (last, 0),
                Left => (last.wrapping_neg(), 0),
                Down => (0, last),
                Up | Any => (0, last.wrapping_neg()),
            };
            Cell { x: from.x.wrapping_add(dx), y: from.y.wrapping_add(dy) }
        };
        is_jump_point.then(|| (JumpPoint { cell: cell(), arrival: direction }, last))
    }

    /// Returns the cost of the run to the goal, diagonal steps first, if there is no obstacle.
    ///
    /// It is the cost on a map without obstacles, so no other path from this cell is cheaper.
    fn run_to_goal(&self, from: Cell) -> Option<M::Cost> {
        let GridRoute { map, goal, .. } = self.route;
        let (is_right, is_down) = (goal.x > from.x, goal.y > from.y);
        let (across, along) = (goal.x.abs_diff(from.x), goal.y.abs_diff(from.y));
        let diagonal = across.min(along);
        let place = usize::from(is_right) + 2 * usize::from(is_down);
        let (bit, horizontal, vertical) = DIAGONALS[place];
        let mut at = from;
        for _ in 0..diagonal {
            if map.exits[map.index(at)] & bit == 0 {
                return None;
            }
            at = step(at, 4 + place);
        }
        let straight = across.max(along) - diagonal;
        if straight > 0 {
            let direction = if across > along { horizontal } else { vertical };
            self.scan(at, direction).filter(|(point, _)| point.cell == goal)?;
        }
        Some(M::run(straight, diagonal))
    }

    /// Pushes the jump point ahead in a straight direction, if there is one.
    #[inline]
    fn push_straight(
        &self,
        from: Cell,
        direction: Arrival,
        diagonal: u16,
        next: &mut Successors<Self>,
    ) {
        if let Some((point, straight)) = self.scan(from, direction) {
            next.push((), point, M::run(straight, diagonal));
        }
    }

    /// Pushes the jump points that are reached by a diagonal run followed by a straight one.
    #[inline]
    fn push_diagonal(&self, from: Cell, diagonal: usize, next: &mut Successors<Self>) {
        let map = self.route.map;
        let (bit, horizontal, vertical) = DIAGONALS[diagonal];
        let mut at = from;
        let mut steps = 0;
        while map.exits[map.index(at)] & bit != 0 {
            at = step(at, 4 + diagonal);
            steps += 1;
            if at == self.route.goal {
                next.push((), JumpPoint::start(at), M::run(0, steps));
                return;
            }
            self.push_straight(at, horizontal, steps, next);
            self.push_straight(at, vertical, steps, next);
        }
    }
}

impl<M: JumpMoves> SearchProblem for JumpRoute<'_, M> {
    type State = JumpPoint;
    type Action = ();
    type Cost = M::Cost;

    fn successors(&self, &JumpPoint { cell, arrival }: &JumpPoint, next: &mut Successors<Self>) {
        // Only a start can be blocked, or a point that was decoded.
        if cell == self.route.goal || !self.route.map.is_free(cell) {
            return;
        }
        if let Some(cost) = self.run_to_goal(cell) {
            next.push((), JumpPoint::start(self.route.goal), cost);
            return;
        }
        let sides = match arrival {
            Any => {
                for &direction in &ARRIVALS[..4] {
                    self.push_straight(cell, direction, 0, next);
                }
                for diagonal in 0..4 {
                    self.push_diagonal(cell, diagonal, next);
                }
                return;
            }
            Right => [(Up, 1), (Down, 3)],
            Left => [(Up, 0), (Down, 2)],
            Down => [(Left, 2), (Right, 3)],
            Up => [(Left, 0), (Right, 1)],
        };
        let JumpPoints { rows, columns, .. } = self.jumps;
        let opens = arrival.opens(rows, columns, cell);
        self.push_straight(cell, arrival, 0, next);
        for (opens, (side, diagonal)) in opens.into_iter().zip(sides) {
            if opens {
                self.push_straight(cell, side, 0, next);
                self.push_diagonal(cell, diagonal, next);
            }
        }
    }

    #[inline]
    fn heuristic(&self, point: &JumpPoint) -> M::Cost {
        self.route.heuristic(&point.cell)
    }

    #[inline]
    fn is_goal(&self, point: &JumpPoint) -> bool {
        point.cell == self.route.goal
    }
}

impl<M: JumpMoves> DenseStates for JumpRoute<'_, M> {
    /// Counts the jump points, and each cell as a start or a goal.
    #[inline]
    fn state_count(&self) -> usize {
        self.jumps.numbers.len() + self.route.state_count()
    }

    /// A cell that is not on the map has an index out of range.
    #[inline]
    fn state_index(&self, point: &JumpPoint) -> usize {
        let cell = self.route.state_index(&point.cell);
        let number = match point.arrival {
            Any => Some(self.jumps.numbers.len().saturating_add(cell)),
            arrival => self.jumps.numbers.number(arrival, cell),
        };
        number.unwrap_or(usize::MAX)
    }

    #[inline]
    fn state_at(&self, index: usize) -> JumpPoint {
        let numbers = &self.jumps.numbers;
        let cell = || self.route.state_at(index - numbers.len());
        numbers.point(index).unwrap_or_else(|| JumpPoint::start(cell()))
    }
}

/// One step from a number towards another.
fn towards(from: u16, to: u16) -> u16 {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => from + 1,
        std::cmp::Ordering::Equal => from,
        std::cmp::Ordering::Greater => from - 1,
    }
}
