//! [`GridRoute`]: the search problem.

use std::marker::PhantomData;

use super::map::NEIGHBOURS;
use super::{Cell, EightWay, GridMap, Moves};
use crate::cost::Cost;
use crate::problem::{DenseStates, Reversible, SearchProblem, Successors};

/// The problem of reaching a cell of a [`GridMap`] by the moves `M`.
///
/// A cell that is blocked or off the map cannot be reached or left. A search for such a goal, or from such
/// a start, is [`Exhausted`](crate::Outcome::Exhausted) at once, unless the start is the goal. (A
/// [`dense`](crate::AStar::dense) search has no index for a start off the map: it ends with
/// [`SearchError::StateIndex`](crate::SearchError::StateIndex). So does a dense search that begins at such a
/// goal.)
#[derive(Debug)]
pub struct GridRoute<'m, M = EightWay> {
    pub(super) map: &'m GridMap,
    pub(super) goal: Cell,
    /// Whether the goal is free.
    pub(super) is_free: bool,
    pub(super) moves: PhantomData<M>,
}

impl<M> Clone for GridRoute<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for GridRoute<'_, M> {}

impl<'m, M> GridRoute<'m, M> {
    /// The goal.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// The map.
    #[must_use]
    pub fn map(&self) -> &'m GridMap {
        self.map
    }
}

impl<M: Moves> SearchProblem for GridRoute<'_, M> {
    type State = Cell;
    type Action = ();
    type Cost = M::Cost;

    #[inline]
    fn successors(&self, &cell: &Cell, next: &mut Successors<Self>) {
        if !self.map.contains(cell) {
            return;
        }
        let exits = self.map.exits[self.map.index(cell)];
        let mut straight = exits & 0b1111;
        while straight != 0 {
            next.push((), step(cell, straight.trailing_zeros()), M::STRAIGHT);
            straight &= straight - 1;
        }
        if let Some(cost) = M::DIAGONAL {
            let mut diagonal = exits & 0b1111_0000;
            while diagonal != 0 {
                next.push((), step(cell, diagonal.trailing_zeros()), cost);
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
impl<M: Moves> Reversible for GridRoute<'_, M> {
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

/// The neighbour for a bit of the exits.
#[inline]
fn step(cell: Cell, bit: u32) -> Cell {
    let (dx, dy) = NEIGHBOURS[bit as usize & 7];
    Cell { x: cell.x.wrapping_add_signed(dx.into()), y: cell.y.wrapping_add_signed(dy.into()) }
}

impl<M: Moves> DenseStates for GridRoute<'_, M> {
    #[inline]
    fn state_count(&self) -> usize {
        self.map.terrain.len()
    }

    /// Row by row; a cell that is not on the map has an index out of range.
    #[inline]
    fn state_index(&self, &cell: &Cell) -> usize {
        if cell.x < self.map.width { self.map.index(cell) } else { usize::MAX }
    }

    #[inline]
    fn state_at(&self, index: usize) -> Cell {
        self.map.cell(index)
    }
}
