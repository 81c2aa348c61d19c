//! [`LossBound`]: the heuristics, and the table of two of them.

use super::state::Axis;
use super::{Crucible, Heat};
use crate::cost::Cost;
use crate::problems::memory::{self, OutOfMemory};

/// A lower bound on the heat still to be lost.
///
/// | bound | cost of one evaluation | table |
/// |---|---|---|
/// | `Manhattan` | a few operations | none |
/// | `WithoutTurns` | one table lookup | four bytes for each block |
/// | `NextRun` | `2 · min` additions and two lookups | the same |
///
/// [`Crucible::new`] computes the table in one pass over the map, once for all clones of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LossBound {
    /// The number of blocks to the corner, times the smallest digit of the map.
    Manhattan,
    /// The exact loss of a path that may turn anywhere: [`HeatMap::loss_without_turns`].
    ///
    /// [`HeatMap::loss_without_turns`]: super::HeatMap::loss_without_turns
    #[default]
    WithoutTurns,
    /// The shortest legal next run, plus `WithoutTurns` from its end. It is infinite where no run fits.
    /// The larger `min` is, the more it improves on `WithoutTurns`.
    NextRun,
}

impl Crucible {
    /// Returns the smaller of two sums: the loss of a shortest run along `axis`, in either direction, and the
    /// loss without turns from its end.
    pub(super) fn next_run(&self, axis: Axis, cell: u32, row: u32, column: u32) -> Heat {
        let (before, after) = self.line(axis, row, column);
        let stride = match axis {
            Axis::Row => 1,
            Axis::Column => self.map.columns,
        };
        let cell = cell as usize;
        let mut least = Heat::INFINITY;
        if after.len() >= self.min {
            let run: Heat = after.iter().take(self.min).map(|&loss| Heat::from(loss)).sum();
            least = run.saturating_add(self.corner(cell + self.min * stride));
        }
        if before.len() >= self.min {
            let run: Heat = before.iter().rev().take(self.min).map(|&loss| Heat::from(loss)).sum();
            least = least.min(run.saturating_add(self.corner(cell - self.min * stride)));
        }
        least
    }

    #[inline]
    pub(super) fn corner(&self, cell: usize) -> Heat {
        self.to_corner.get(cell).copied().unwrap_or(Heat::INFINITY)
    }
}

/// Returns the least loss from each block to the last one if turns are unrestricted.
///
/// This is Dijkstra's algorithm backwards, with two simplifications. Every step from a neighbour into
/// a block costs the same, the digit of that block. So if a block is queued by its distance *plus its
/// own digit*, the first time that a block is reached gives its final distance, and every block is
/// queued once. Digits are below ten, so ten buckets in rotation are enough for the queue.
pub(super) fn loss_to_corner(by_row: &[u8], columns: usize) -> Result<Vec<Heat>, OutOfMemory> {
    let mut distance = memory::filled(Heat::INFINITY, by_row.len())?;
    let mut buckets: [Vec<u32>; 10] = Default::default();
    let Some(last) = by_row.len().checked_sub(1) else { return Ok(distance) };
    distance[last] = 0;
    let number = |cell: usize| u32::try_from(cell).unwrap_or(u32::MAX);
    memory::push(&mut buckets[usize::from(by_row[last]).min(9)], number(last))?;
    let mut open = 1_usize;
    let mut heat: Heat = 0;
    let mut current = 0_usize;
    while open > 0 {
        // Blocks with digit 0 are pushed into the bucket that is being emptied.
        while let Some(cell) = buckets[current].pop() {
            open -= 1;
            let cell = cell as usize;
            let column = cell % columns;
            let neighbours = [
                if column > 0 { cell - 1 } else { usize::MAX },
                if column + 1 < columns { cell + 1 } else { usize::MAX },
                cell.wrapping_sub(columns),
                cell + columns,
            ];
            for neighbour in neighbours {
                if let Some(known) = distance.get_mut(neighbour)
                    && *known == Heat::INFINITY
                {
                    *known = heat;
                    let bucket = (current + usize::from(by_row[neighbour])) % 10;
                    memory::push(&mut buckets[bucket], number(neighbour))?;
                    open += 1;
                }
            }
        }
        heat += 1;
        current = (current + 1) % 10;
    }
    Ok(distance)
}
