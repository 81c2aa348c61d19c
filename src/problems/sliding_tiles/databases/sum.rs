//! [`TileDatabases`]: the sum of the databases of a partition, and of its reflection.

use std::sync::Arc;

use super::error::PartitionError;
use super::geometry::{CellMap, Geometry};
use super::partition::{MOST_CELLS, MOST_GROUPS, MOST_TILES, Partition};
use super::pattern::TilePattern;
use super::rank::Ranking;
use crate::debug::show_fields;
use crate::heuristics::{BuildError, PatternDatabase};
use crate::problems::sliding_tiles::state::State;
use crate::problems::sliding_tiles::{Board, Packed, TileCells};

/// An additive heuristic of a sliding-tile puzzle: the sum of the databases of a [`Partition`], or, if
/// [reflected](Self::reflected), the maximum of this and the sum for the reflected board.
///
/// It is admissible. It is not consistent, because the databases ignore the blank. It is used
///
/// - with states that a search stores (A\*): by [`WithHeuristic`](crate::WithHeuristic) and
///   [`value`](Self::value), which looks up all databases;
/// - with IDA\* in place: by [`WithIncremental`](crate::heuristics::WithIncremental). A move then costs a
///   lookup in the database of the tile that moves, and one more for the reflection.
///
/// Clones share the databases.
///
/// # Example
///
/// ```
/// use bestfirst::heuristics::WithIncremental;
/// use bestfirst::problems::sliding_tiles::{Board, Packed, Partition, SlidingTiles, TileDatabases};
/// use bestfirst::{IdaStar, WithHeuristic, astar};
///
/// let partition = Partition::new(3, 3, &[&[1, 2, 3, 4], &[5, 6, 7, 8]])?;
/// let databases = TileDatabases::build(&partition)?.reflected()?;
///
/// let puzzle = SlidingTiles::<Packed>::new(3, 3)?;
/// let board: Board = "8 7 6  5 4 3  2 1 0".parse()?;
/// let start = puzzle.state(&board)?;
///
/// let stored = WithHeuristic::new(&puzzle, |state: &Packed| databases.value(state));
/// assert_eq!(astar(&stored, start)?.cost(), Some(28));
///
/// let in_place = WithIncremental::new(&puzzle, &databases);
/// let report = IdaStar::new(&in_place).in_place().search(in_place.state(start)).run()?;
/// assert_eq!(report.cost(), Some(28));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TileDatabases {
    board: Geometry,
    databases: Vec<Arc<PatternDatabase>>,
    views: Vec<View>,
    /// For the sum of the partition, and that of its reflection: the number of the view of each tile.
    view_of: [[u8; MOST_CELLS]; 2],
    /// How many sums there are.
    sums: usize,
}

/// No view: the tile is in no group.
pub(super) const NO_VIEW: u8 = u8::MAX;

/// The mapping of a group to a database, which may be that of a symmetric pattern.
#[derive(Clone, Debug)]
struct View {
    database: usize,
    ranking: Ranking,
    /// The tiles in the order of the database.
    tiles: [u8; MOST_TILES],
    /// The image of each cell under the symmetry.
    map: CellMap,
}

impl TileDatabases {
    /// Builds the databases that a partition needs, one after the other, on the calling thread and without
    /// limits. To build or load them yourself, use [`from_fn`](Self::from_fn).
    ///
    /// # Errors
    ///
    /// [`BuildError::Stopped`] if there is not enough memory.
    pub fn build(partition: &Partition) -> Result<Self, BuildError<u16>> {
        Self::from_fn(partition, |pattern| pattern.build().map(Arc::new))
    }

    /// Gets the database of each of the [patterns](Partition::patterns) from `database`: it may load it, or
    /// build it with limits, an observer and threads.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use bestfirst::Limits;
    /// use bestfirst::heuristics::{BuildError, PatternDatabase};
    /// use bestfirst::problems::sliding_tiles::{Partition, TileDatabases};
    ///
    /// let partition = Partition::new(4, 4, &[&[1, 2, 3], &[4, 8, 12]])?;
    /// let mut built = 0;
    /// let databases = TileDatabases::from_fn(&partition, |pattern| {
    ///     built += 1;
    ///     let builder = PatternDatabase::builder(pattern).limits(Limits::new().memory(1 << 20));
    ///     let database = builder.bits(pattern.keys()).build([pattern.goal()], |state| pattern.key(state));
    ///     database.map(Arc::new)
    /// })?;
    /// assert_eq!(built, 1); // the second group is the reflection of the first
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first error of `database`.
    ///
    /// # Panics
    ///
    /// If `database` returns one of another pattern: with another number of keys, or not 0 at the goal.
    pub fn from_fn<E>(
        partition: &Partition,
        mut database: impl FnMut(&TilePattern) -> Result<Arc<PatternDatabase>, E>,
    ) -> Result<Self, E> {
        let patterns = partition.patterns();
        let mut databases = Vec::new();
        for pattern in &patterns {
            let found = database(pattern)?;
            assert!(
                pattern.may_have(&found),
                "the database of {pattern} is one of another pattern"
            );
            databases.push(found);
        }
        let mut views = Vec::new();
        let mut view_of = [[NO_VIEW; MOST_CELLS]; 2];
        for group in partition.clone().into_patterns() {
            let (pattern, map) = group.canonical();
            let number = views.len().to_le_bytes()[0];
            // The tile with the goal cell that the symmetry takes to the goal cell of the pattern.
            let mut tiles = [0; MOST_TILES];
            for (tile, goal) in tiles.iter_mut().zip(pattern.goal_cells()) {
                let tiles = group.goal_cells().iter().copied();
                *tile = tiles.clone().find(|&t| map[usize::from(t)] == *goal).unwrap_or(0);
                view_of[0][usize::from(*tile)] = number;
            }
            let database = patterns.iter().position(|other| *other == pattern).unwrap_or(0);
            views.push(View { database, ranking: *pattern.ranking(), tiles, map });
        }
        Ok(Self { board: *partition.board(), databases, views, view_of, sums: 1 })
    }

    /// Adds the reflection about the main diagonal: the value is the maximum of both sums. It needs
    /// no more databases, but twice as many lookups.
    ///
    /// # Errors
    ///
    /// [`PartitionError::NotSquare`], or [`PartitionError::TooManyGroups`] if there are more than 8.
    pub fn reflected(mut self) -> Result<Self, PartitionError> {
        let Geometry { width, height, .. } = self.board;
        if width != height {
            return Err(PartitionError::NotSquare { width, height });
        }
        if self.sums > 1 {
            return Ok(self);
        }
        let groups = self.views.len();
        if groups * 2 > MOST_GROUPS {
            return Err(PartitionError::TooManyGroups { found: groups, most: MOST_GROUPS / 2 });
        }
        // A tile and its cell are reflected. Both maps are their own inverses.
        let reflection = self.board.reflection();
        for group in 0..groups {
            let View { database, ranking, tiles, map } = self.views[group].clone();
            let number = self.views.len().to_le_bytes()[0];
            let tiles = tiles.map(|tile| reflection[usize::from(tile)]);
            for &tile in &tiles[..ranking.tiles()] {
                self.view_of[1][usize::from(tile)] = number;
            }
            let map = reflection.map(|cell| map[usize::from(cell)]);
            self.views.push(View { database, ranking, tiles, map });
        }
        self.sums = 2;
        Ok(self)
    }

    /// Returns the value of a state of [`SlidingTiles`](crate::problems::sliding_tiles::SlidingTiles) of the same
    /// size: a lower bound on the number of moves to the goal. [`u16::MAX`] if the databases prove that it cannot be
    /// reached.
    #[must_use]
    pub fn value<C: TileCells>(&self, state: &Packed<C>) -> u16 {
        let mut places = [0; MOST_CELLS];
        self.fill_places(state, &mut places);
        self.value_of_places(&places)
    }

    /// Returns the value of a board of the same size.
    #[must_use]
    pub fn value_of(&self, board: &Board) -> u16 {
        let mut places = [0; MOST_CELLS];
        for (cell, &tile) in (0..=u8::MAX).zip(board.tiles()) {
            if let Some(place) = places.get_mut(usize::from(tile)) {
                *place = cell;
            }
        }
        self.value_of_places(&places)
    }

    /// Returns the bytes of all databases.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.databases.iter().map(|database| database.len()).sum()
    }

    /// Returns the value where each tile is in the cell that `places` says.
    fn value_of_places(&self, places: &[u8]) -> u16 {
        let mut values = [0; MOST_GROUPS];
        self.sums(places, &mut values).into_iter().fold(0, u16::max)
    }

    /// Writes the cell of each tile into `places`.
    pub(super) fn fill_places<C: TileCells>(&self, state: &Packed<C>, places: &mut [u8]) {
        for cell in 0..self.board.cells().to_le_bytes()[0] {
            if let Some(place) = places.get_mut(usize::from(state.tile(cell))) {
                *place = cell;
            }
        }
    }

    /// Both sums, and the values of all views. [`u16::MAX`] where the goal cannot be reached.
    pub(super) fn sums(&self, places: &[u8], values: &mut [u8; MOST_GROUPS]) -> [u16; 2] {
        let groups = self.views.len() / self.sums;
        let mut sums = [0; 2];
        for (number, value) in values.iter_mut().enumerate().take(self.views.len()) {
            let sum = &mut sums[usize::from(number >= groups)];
            *value = self.look_up(number, places);
            let is_dead_end = *value == u8::MAX || *sum == u16::MAX;
            *sum = if is_dead_end { u16::MAX } else { *sum + u16::from(*value) };
        }
        sums
    }

    /// Returns the number of sums.
    #[inline]
    pub(super) fn sum_count(&self) -> usize {
        self.sums
    }

    /// Returns the number of the view of a tile for one of the sums, or [`NO_VIEW`].
    #[inline]
    pub(super) fn view_of(&self, sum: usize, tile: u8) -> u8 {
        self.view_of[sum & 1][usize::from(tile & 63)]
    }

    /// Returns the number of columns of the board.
    #[inline]
    pub(super) fn width(&self) -> u8 {
        self.board.width.to_le_bytes()[0]
    }

    /// Returns the value of one view.
    #[inline]
    pub(super) fn look_up(&self, view: usize, places: &[u8]) -> u8 {
        let View { database, ranking, tiles, map } = &self.views[view];
        let cell = |i: usize| {
            let tile: u8 = tiles[i];
            map[usize::from(places.get(usize::from(tile)).copied().unwrap_or(0) & 63)]
        };
        let rank = ranking.rank(cell);
        // Every rank is in the database, unless the board has another size.
        self.databases[*database].entries().get(rank).copied().unwrap_or(u8::MAX)
    }
}

show_fields! { [] TileDatabases, "TileDatabases" { databases, sums } }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_of_every_size_have_a_value() {
        let partition = Partition::new(3, 2, &[&[1, 2], &[3, 4, 5]]).unwrap();
        let databases = TileDatabases::build(&partition).unwrap();
        assert_eq!(databases.value_of(&Board::goal(3, 2).unwrap()), 0);
        // Of another size, it means nothing.
        for (width, height) in [(17, 15), (16, 16)] {
            let _ = databases.value_of(&Board::goal(width, height).unwrap());
        }
    }
}
