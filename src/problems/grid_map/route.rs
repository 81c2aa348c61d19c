//! [`GridRoute`]: the search problem.

use std::borrow::{Borrow, BorrowMut};
use std::marker::PhantomData;

use super::map::NEIGHBOURS;
use super::{Cell, CellsAround, EightWay, GridMap, Moves};
use crate::cost::Cost;
use crate::problem::{DenseStates, Reversible, SearchProblem, Successors};

/// The problem of reaching a cell of a [`GridMap`] by the moves `M`.
///
/// It holds the map as `G`: `&GridMap` as [`GridMap::route_to`] makes it, or `GridMap`, `Arc<GridMap>`, `Rc<GridMap>`
/// or `Box<GridMap>`, made by [`new`](Self::new). With the last ones a search can be kept beside the map, or can own
/// it; with a map that it owns, cells can be [freed and blocked](Self::set_free).
///
/// A cell that is blocked or off the map cannot be reached or left. A search for such a goal, or from such
/// a start, is [`Exhausted`](crate::Outcome::Exhausted) at once, unless the start is the goal. (A
/// [`dense`](crate::AStar::dense) search has no index for a start off the map: it ends with
/// [`SearchError::StateIndex`](crate::SearchError::StateIndex). So does a dense search that begins at such a
/// goal.)
///
/// ```
/// use std::sync::Arc;
/// use bestfirst::problems::grid_map::{Cell, GridMap, GridRoute};
/// use bestfirst::{AStar, AStarSearch};
///
/// /// A unit of a game. Units share the map.
/// struct Unit {
///     map: Arc<GridMap>,
///     search: AStarSearch<GridRoute<Arc<GridMap>>>,
/// }
///
/// let map = Arc::new(GridMap::new(80, 40, |cell| cell.x != 40 || cell.y == 0)?);
/// let route = GridRoute::new(Arc::clone(&map), Cell::new(79, 39));
/// let mut unit = Unit { map, search: AStar::new(route).search(Cell::new(0, 39)) };
/// assert!(unit.search.run()?.path().is_some());
/// unit.search.restart_with(GridRoute::new(unit.map, Cell::new(5, 5)), Cell::new(0, 39));
/// assert!(unit.search.run()?.path().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GridRoute<G, M = EightWay> {
    pub(super) map: G,
    pub(super) goal: Cell,
    /// Whether the goal is free.
    pub(super) is_free: bool,
    pub(super) moves: PhantomData<M>,
}

impl<G: Clone, M> Clone for GridRoute<G, M> {
    fn clone(&self) -> Self {
        Self { map: self.map.clone(), ..*self }
    }
}

impl<G: Copy, M> Copy for GridRoute<G, M> {}

impl<G: Borrow<GridMap>> GridRoute<G> {
    /// Returns the problem of reaching `goal` by eight moves on a map, which may be owned, borrowed or shared.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use bestfirst::AStar;
    /// use bestfirst::problems::grid_map::{Cell, FourWay, GridMap, GridRoute};
    ///
    /// let map = Arc::new(GridMap::from_rows("...\n.@.\n...\n")?);
    /// let (start, goal) = (Cell::new(0, 1), Cell::new(2, 1));
    /// let by_eight = AStar::new(GridRoute::new(Arc::clone(&map), goal)).search(start).run()?;
    /// let by_four = AStar::new(GridRoute::new(&*map, goal).by::<FourWay>()).dense().search(start).run()?;
    /// assert_eq!((by_eight.path().unwrap().len(), by_four.cost()), (4, Some(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(map: G, goal: Cell) -> Self {
        let is_free = map.borrow().is_free(goal);
        Self { map, goal, is_free, moves: PhantomData }
    }
}

impl<G: Borrow<GridMap>, M> GridRoute<G, M> {
    /// Returns the same problem by other moves.
    #[must_use]
    pub fn by<N: Moves>(self) -> GridRoute<G, N> {
        let Self { map, goal, is_free, .. } = self;
        GridRoute { map, goal, is_free, moves: PhantomData }
    }

    /// Returns the goal.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// Returns the map.
    #[inline]
    #[must_use]
    pub fn map(&self) -> &GridMap {
        self.map.borrow()
    }
}

impl<G: BorrowMut<GridMap>, M> GridRoute<G, M> {
    /// Makes a cell free or blocked: see [`GridMap::set_free`]. Returns the cells from which steps may have changed,
    /// to be reported to a [`Replanner`](crate::Replanner).
    pub fn set_free(&mut self, cell: Cell, free: bool) -> CellsAround {
        let map = self.map.borrow_mut();
        let around = map.set_free(cell, free);
        self.is_free = map.is_free(self.goal);
        around
    }
}

impl<G: Borrow<GridMap>, M: Moves> SearchProblem for GridRoute<G, M> {
    type State = Cell;
    type Action = ();
    type Cost = M::Cost;

    #[inline]
    fn successors(&self, &cell: &Cell, next: &mut Successors<Self>) {
        let map = self.map();
        if !map.contains(cell) {
            return;
        }
        let exits = map.exits[map.index(cell)];
        let mut straight = exits & 0b1111;
        while straight != 0 {
            next.push((), step(cell, straight.trailing_zeros() as usize), M::STRAIGHT);
            straight &= straight - 1;
        }
        if let Some(cost) = M::DIAGONAL {
            let mut diagonal = exits & 0b1111_0000;
            while diagonal != 0 {
                next.push((), step(cell, diagonal.trailing_zeros() as usize), cost);
                diagonal &= diagonal - 1;
            }
        }
    }

    #[inline]
    fn heuristic(&self, cell: &Cell) -> M::Cost {
        if self.is_free {
            M::estimate(cell.x.abs_diff(self.goal.x), cell.y.abs_diff(self.goal.y))
        } else {
            M::Cost::INFINITY
        }
    }

    #[inline]
    fn is_goal(&self, &cell: &Cell) -> bool {
        cell == self.goal
    }
}

/// Every step can be taken in both directions, at the same cost.
impl<G: Borrow<GridMap>, M: Moves> Reversible for GridRoute<G, M> {
    #[inline]
    fn predecessors(&self, cell: &Cell, previous: &mut Successors<Self>) {
        self.successors(cell, previous);
    }

    fn goals(&self) -> impl Iterator<Item = Cell> {
        std::iter::once(self.goal)
    }

    #[inline]
    fn heuristic_from(&self, start: &Cell, cell: &Cell) -> M::Cost {
        M::estimate(cell.x.abs_diff(start.x), cell.y.abs_diff(start.y))
    }
}

/// Returns the neighbour for a bit of the exits.
#[inline]
pub(super) fn step(cell: Cell, direction: usize) -> Cell {
    let (dx, dy) = NEIGHBOURS[direction & 7];
    Cell { x: cell.x.wrapping_add_signed(dx.into()), y: cell.y.wrapping_add_signed(dy.into()) }
}

impl<G: Borrow<GridMap>, M: Moves> DenseStates for GridRoute<G, M> {
    #[inline]
    fn state_count(&self) -> usize {
        self.map().terrain.len()
    }

    /// Row by row; a cell that is not on the map has an index out of range.
    #[inline]
    fn state_index(&self, &cell: &Cell) -> usize {
        let map = self.map();
        if cell.x < map.width { map.index(cell) } else { usize::MAX }
    }

    #[inline]
    fn state_at(&self, index: usize) -> Cell {
        self.map().cell(index)
    }
}
