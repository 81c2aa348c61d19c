//! [`CellsAround`]: the cells that a change affects.

use std::iter::FusedIterator;

use super::Cell;

/// The cells from which steps may have changed, row by row; returned by the methods that change a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellsAround {
    /// The first column, and the one after the last.
    columns: (u16, u16),
    next: Cell,
    /// The row after the last.
    end: u16,
}

impl CellsAround {
    /// No cells.
    pub(super) fn none() -> Self {
        Self { columns: (0, 0), next: Cell { x: 0, y: 0 }, end: 0 }
    }

    /// Returns the cells of a map of that size, which are not empty, at most `reach` columns and rows from `cell`,
    /// which is on the map.
    pub(super) fn new(cell: Cell, reach: u16, (width, height): (u16, u16)) -> Self {
        let from = |place: u16| place.saturating_sub(reach);
        let to = |place: u16, size: u16| place.saturating_add(reach).saturating_add(1).min(size);
        Self {
            columns: (from(cell.x), to(cell.x, width)),
            next: Cell { x: from(cell.x), y: from(cell.y) },
            end: to(cell.y, height),
        }
    }
}

impl Iterator for CellsAround {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        if self.next.y >= self.end {
            return None;
        }
        let cell = self.next;
        self.next.x += 1;
        if self.next.x >= self.columns.1 {
            self.next = Cell { x: self.columns.0, y: cell.y + 1 };
        }
        Some(cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rows = usize::from(self.end.saturating_sub(self.next.y));
        let columns = usize::from(self.columns.1 - self.columns.0);
        let left = (rows * columns).saturating_sub(usize::from(self.next.x - self.columns.0));
        (left, Some(left))
    }
}

impl ExactSizeIterator for CellsAround {}

impl FusedIterator for CellsAround {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_around_are_those_on_the_map() {
        let cells = |x, y, reach, size| {
            let around = CellsAround::new(Cell::new(x, y), reach, size);
            let cells: Vec<_> = around.clone().map(|cell| (cell.x, cell.y)).collect();
            assert_eq!(around.len(), cells.len());
            cells
        };
        assert_eq!(cells(1, 1, 1, (9, 9)).len(), 9);
        assert_eq!(cells(0, 0, 1, (9, 9)), [(0, 0), (1, 0), (0, 1), (1, 1)]);
        assert_eq!(cells(2, 1, 1, (3, 2)), [(1, 0), (2, 0), (1, 1), (2, 1)]);
        assert_eq!(cells(u16::MAX - 1, 0, 2, (u16::MAX, 1)).len(), 3);
        assert_eq!(cells(3, 3, 2, (9, 9)).len(), 25);
        assert_eq!(CellsAround::none().len(), 0);
        assert_eq!(CellsAround::none().next(), None);
    }
}
