//! [`TerrainRoute`]: the search problem.

use std::borrow::{Borrow, BorrowMut};

use super::steps::{Movement, Shape, TerrainCost, least_steps};
use super::{LARGEST, TerrainMap, checked_cost, greatest_of};
use crate::cost::smaller;
use crate::problem::{DenseStates, Reversible, SearchProblem, Successors};
use crate::problems::grid_map::map::NEIGHBOURS;
use crate::problems::grid_map::{Cell, CellsAround, Corners, MapError};

/// The problem of reaching one of some cells of a [`TerrainMap`] by [`Movement`].
///
/// It holds the map as `G`: `&TerrainMap`, or `TerrainMap`, `Arc<TerrainMap>` and the like, so that a search can own or
/// share it. Its heuristic is the least cost of a cell times the distance without obstacles; it is consistent in both
/// directions. (It falls everywhere when a cell becomes cheaper than all were before. If this can happen, do not use
/// [`Replanner::consistent`](crate::Replanner::consistent).)
///
/// A cell that is blocked or off the map cannot be reached or left. As a start, it is not a goal, even if it is
/// one of the goals.
#[derive(Clone, Debug)]
pub struct TerrainRoute<G, C> {
    map: G,
    goals: Vec<Cell>,
    steps: Movement<C>,
    /// The least costs of a straight and of a diagonal step.
    least: (C, C),
}

impl<C: TerrainCost, G: Borrow<TerrainMap<C>>> TerrainRoute<G, C> {
    /// Returns the problem of reaching one of the goals by these steps.
    ///
    /// # Errors
    ///
    /// [`MapError::Size`] if the agent is too large; [`MapError::Factor`] if a factor of the steps is negative or not a
    /// number, or the cost of a step on this map does not fit into its type.
    pub fn new(
        map: G,
        goals: impl IntoIterator<Item = Cell>,
        steps: Movement<C>,
    ) -> Result<Self, MapError> {
        let most = if steps.shape == Shape::Six { 1 } else { LARGEST };
        if !(1..=most).contains(&steps.size) {
            return Err(MapError::Size { size: steps.size, most });
        }
        let cells = map.borrow();
        // The greatest may be of a cell that has become cheaper since.
        factors_fit(&steps, cells.greatest)
            .or_else(|_| factors_fit(&steps, greatest_of(&cells.costs)))?;
        let least = least_costs(cells, &steps);
        Ok(Self { map, goals: goals.into_iter().collect(), steps, least })
    }

    /// Returns the map.
    #[inline]
    #[must_use]
    pub fn map(&self) -> &TerrainMap<C> {
        self.map.borrow()
    }

    /// Returns the goals.
    #[must_use]
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// Returns the steps.
    pub fn steps(&self) -> Movement<C> {
        self.steps
    }

    /// Whether an agent of this size can be at the cell.
    #[inline]
    #[must_use]
    pub fn can_be_at(&self, cell: Cell) -> bool {
        self.map().clearance(cell) >= self.steps.size
    }

    /// Returns the cost of entering a cell where the agent fits.
    #[inline]
    fn cost_of(&self, cell: Cell) -> C {
        let map = self.map();
        let mut dearest = map.costs[map.index(cell)];
        if self.steps.size > 1 {
            let size = u16::from(self.steps.size);
            for (dx, dy) in (0..size).flat_map(|dy| (0..size).map(move |dx| (dx, dy))) {
                let cost = map.costs[map.index(Cell { x: cell.x + dx, y: cell.y + dy })];
                dearest = if cost > dearest { cost } else { dearest };
            }
        }
        dearest
    }

    /// Returns the step in a direction from a cell where the agent fits, if there is one, and its cost.
    #[inline]
    fn step(&self, from: Cell, direction: usize) -> Option<(Cell, C)> {
        let map = self.map();
        if map.exits[map.index(from)] >> direction & 1 == 0 {
            return None;
        }
        let to = neighbour(from, direction)?;
        if !self.can_be_at(to) {
            return None;
        }
        let steps = &self.steps;
        let is_diagonal = direction >= 4 && steps.shape == Shape::Eight;
        if !is_diagonal {
            let cost = self.cost_of(to);
            let cost = if steps.takes_mean { cost.mean(self.cost_of(from)) } else { cost };
            return Some((to, cost.times(steps.straight).unwrap_or(C::INFINITY)));
        }
        let beside = [Cell { x: to.x, y: from.y }, Cell { x: from.x, y: to.y }];
        let are_free = beside.map(|cell| self.can_be_at(cell));
        let is_allowed = match steps.corners {
            Corners::BothFree => are_free == [true; 2],
            Corners::OneFree => are_free != [false; 2],
            Corners::Cut => true,
        };
        if !is_allowed {
            return None;
        }
        let mut cost = self.cost_of(to);
        if steps.takes_mean {
            cost = cost.mean(self.cost_of(from));
            if are_free == [true; 2] {
                cost = cost.mean(self.cost_of(beside[0]).mean(self.cost_of(beside[1])));
            }
        }
        Some((to, cost.times(steps.diagonal).unwrap_or(C::INFINITY)))
    }

    /// Returns a lower bound on the cost from one cell to another.
    #[inline]
    fn estimate(&self, from: Cell, to: Cell) -> C {
        let (straight, diagonal) = least_steps(self.steps.shape, (from.x, from.y), (to.x, to.y));
        let (side, corner) = self.least;
        if diagonal == 0 && corner >= side {
            return side.repeated(straight);
        }
        // Infinity would mean that there is no path.
        let fits = |sum: &C| *sum < C::INFINITY;
        let sum =
            |a: C, b: C| a.checked_add(b).filter(fits).unwrap_or_else(|| C::repeated(a, u32::MAX));
        if corner < side {
            // Zigzag diagonal steps may be cheaper than straight ones.
            return corner.repeated(straight + diagonal);
        }
        let two_sides = side.repeated(2);
        let diagonals = smaller(corner.repeated(diagonal), two_sides.repeated(diagonal));
        sum(side.repeated(straight), diagonals)
    }
}

impl<C: TerrainCost, G: BorrowMut<TerrainMap<C>>> TerrainRoute<G, C> {
    /// Sets the cost of a cell, or blocks it with `None`: see [`TerrainMap::set_cost`]. Returns the cells from which
    /// steps may have changed, to be reported to a [`Replanner`](crate::Replanner).
    ///
    /// # Errors
    ///
    /// [`MapError::Cost`] if the cost is negative, not a number, or [`Cost::INFINITY`](crate::Cost::INFINITY), the largest
    /// of its type; [`MapError::Factor`] if it is so large that the cost of a step would not fit into its type. Nothing
    /// changes then.
    pub fn set_cost(&mut self, cell: Cell, cost: Option<C>) -> Result<CellsAround, MapError> {
        let stored = checked_cost(cell, cost)?;
        if let Some(cost) = cost {
            factors_fit(&self.steps, cost)?;
        }
        self.map.borrow_mut().replace_cost(cell, stored);
        self.least = least_costs(self.map.borrow(), &self.steps);
        Ok(self.cells_around(cell))
    }

    /// Restricts the steps from a cell: see [`TerrainMap::set_exits`]. Returns the cells from which steps may have
    /// changed.
    pub fn set_exits(&mut self, cell: Cell, leads_to: impl FnMut(Cell) -> bool) -> CellsAround {
        self.map.borrow_mut().set_exits(cell, leads_to);
        self.cells_around(cell)
    }
}

impl<C: TerrainCost, G: Borrow<TerrainMap<C>>> TerrainRoute<G, C> {
    /// Returns the cells from which steps may change if this cell changes.
    #[must_use]
    pub fn cells_around(&self, cell: Cell) -> CellsAround {
        let map = self.map();
        if map.contains(cell) {
            CellsAround::new(cell, u16::from(self.steps.size), (map.width(), map.height()))
        } else {
            CellsAround::none()
        }
    }
}

/// The directions of a hexagon in a row with an even number, and in one with an odd number.
const HEXAGON: [[usize; 6]; 2] = [[0, 4, 1, 2, 3, 6], [0, 5, 1, 2, 3, 7]];

/// Returns the directions of the steps from a cell.
#[inline]
fn directions(shape: Shape, cell: Cell) -> &'static [usize] {
    match shape {
        Shape::Four => &[0, 1, 2, 3],
        Shape::Six => &HEXAGON[usize::from(cell.y) % 2],
        Shape::Eight => &[0, 1, 2, 3, 4, 5, 6, 7],
    }
}

/// Returns the neighbour in a direction, if its coordinates are numbers.
#[inline]
pub(super) fn neighbour(cell: Cell, direction: usize) -> Option<Cell> {
    let (dx, dy) = NEIGHBOURS[direction];
    let x = cell.x.checked_add_signed(dx.into())?;
    Some(Cell { x, y: cell.y.checked_add_signed(dy.into())? })
}

/// Returns the direction back.
#[inline]
pub(super) fn opposite(direction: usize) -> usize {
    if direction < 4 { 3 - direction } else { 11 - direction }
}

/// Returns the least costs of a straight and of a diagonal step.
fn least_costs<C: TerrainCost>(map: &TerrainMap<C>, steps: &Movement<C>) -> (C, C) {
    let times = |factor: C| map.least.times(factor).unwrap_or(C::ZERO);
    (times(steps.straight), times(steps.diagonal))
}

fn factors_fit<C: TerrainCost>(steps: &Movement<C>, cost: C) -> Result<(), MapError> {
    for factor in [steps.straight, steps.diagonal] {
        let product = cost.times(factor);
        // Written so that NaN is an error as well.
        if !(factor >= C::ZERO && product.is_some()) {
            let (factor, cost) = (format!("{factor:?}"), format!("{cost:?}"));
            return Err(MapError::Factor { factor, cost });
        }
    }
    Ok(())
}

impl<C: TerrainCost, G: Borrow<TerrainMap<C>>> SearchProblem for TerrainRoute<G, C> {
    type State = Cell;
    type Action = ();
    type Cost = C;

    #[inline]
    fn successors(&self, &cell: &Cell, next: &mut Successors<Self>) {
        if !self.can_be_at(cell) {
            return;
        }
        for &direction in directions(self.steps.shape, cell) {
            if let Some((to, cost)) = self.step(cell, direction) {
                next.push((), to, cost);
            }
        }
    }

    #[inline]
    fn heuristic(&self, &cell: &Cell) -> C {
        let reachable = self.goals.iter().filter(|&&goal| self.can_be_at(goal));
        reachable.fold(C::INFINITY, |least, &goal| smaller(least, self.estimate(cell, goal)))
    }

    #[inline]
    fn is_goal(&self, cell: &Cell) -> bool {
        self.goals.contains(cell) && self.can_be_at(*cell)
    }
}

impl<C: TerrainCost, G: Borrow<TerrainMap<C>>> Reversible for TerrainRoute<G, C> {
    #[inline]
    fn predecessors(&self, &cell: &Cell, previous: &mut Successors<Self>) {
        if !self.can_be_at(cell) {
            return;
        }
        // On hexagons, too, neighbours are neighbours of each other.
        for &direction in directions(self.steps.shape, cell) {
            let Some(from) = neighbour(cell, direction) else { continue };
            if self.can_be_at(from)
                && let Some((_, cost)) = self.step(from, opposite(direction))
            {
                previous.push((), from, cost);
            }
        }
    }

    fn goals(&self) -> impl Iterator<Item = Cell> {
        self.goals.iter().copied().filter(|&goal| self.can_be_at(goal))
    }

    #[inline]
    fn heuristic_from(&self, &start: &Cell, &cell: &Cell) -> C {
        self.estimate(start, cell)
    }
}

impl<C: TerrainCost, G: Borrow<TerrainMap<C>>> DenseStates for TerrainRoute<G, C> {
    #[inline]
    fn state_count(&self) -> usize {
        self.map().costs.len()
    }

    /// Row by row; a cell that is not on the map has an index out of range.
    #[inline]
    fn state_index(&self, &cell: &Cell) -> usize {
        let map = self.map();
        if cell.x < map.width() { map.index(cell) } else { usize::MAX }
    }

    #[inline]
    fn state_at(&self, index: usize) -> Cell {
        self.map().cell(index)
    }
}
