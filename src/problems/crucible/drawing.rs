//! [`Drawing`]: the map with a path on it.

use std::fmt;

use super::{Crucible, Direction};
use crate::path::PathOf;

/// A [`HeatMap`](super::HeatMap) with a path on it, returned by [`Crucible::draw`].
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    pub(super) crucible: &'a Crucible,
    pub(super) path: &'a PathOf<Crucible>,
}

impl Drawing<'_> {
    /// Returns the rows from top to bottom. Each block has its digit, and the direction in which the path
    /// enters it last.
    #[must_use]
    pub fn cells(&self) -> Vec<Vec<DrawnBlock>> {
        let mut cells: Vec<Vec<DrawnBlock>> = self
            .crucible
            .map
            .rows_iter()
            .map(|row| row.iter().map(|&loss| DrawnBlock { loss, entered: None }).collect())
            .collect();
        for (row, column, direction) in self.crucible.blocks(self.path) {
            if let Some(cell) = cells.get_mut(row).and_then(|row| row.get_mut(column)) {
                cell.entered = Some(direction);
            }
        }
        cells
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::with_capacity(self.crucible.map.columns + 1);
        for row in self.cells() {
            line.clear();
            line.extend(row.iter().map(DrawnBlock::character));
            line.push('\n');
            f.write_str(&line)?;
        }
        Ok(())
    }
}

/// One block of a [`Drawing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnBlock {
    /// The heat lost on entering the block.
    pub loss: u8,
    /// The direction in which the path enters the block last; `None` if it does not enter it.
    pub entered: Option<Direction>,
}

impl DrawnBlock {
    /// Returns the arrow of the path, or the digit.
    #[must_use]
    pub fn character(&self) -> char {
        match self.entered {
            Some(direction) => direction.arrow(),
            None => char::from(b'0'.saturating_add(self.loss)),
        }
    }
}
