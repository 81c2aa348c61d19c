//! [`TilePattern`]: the abstraction that distinguishes only some of the tiles.

use std::fmt;

use super::PartitionError;
use super::geometry::{CellMap, Geometry, bits, image, set_of};
use super::partition::{MOST_TILES, Partition};
use super::rank::Ranking;
use crate::heuristics::{BuildError, PatternDatabase};
use crate::problem::{DenseStates, Reversible, SearchProblem, Successors};
use crate::problems::sliding_tiles::state::State;
use crate::problems::sliding_tiles::{Packed, TileCells};

/// The abstraction of a sliding-tile puzzle that distinguishes some tiles and treats all others as equal. Only
/// moves of the distinguished tiles have a cost, so the costs of disjoint patterns may be added.
///
/// Between two such moves the blank moves anywhere in its region at no cost. So a state consists of the cells of the
/// tiles and the region of the blank, and every step costs 1.
///
/// | pattern | keys | states | numbers of states |
/// |---|---|---|---|
/// | 6 tiles of the 15-puzzle | 5,765,760 | 11,816,640 | 57,657,600 |
/// | 7 tiles | 57,657,600 | 139,849,920 | 518,918,400 |
/// | 8 tiles | 518,918,400 | 1,425,191,040 | 4,151,347,200 |
/// | 6 tiles of the 24-puzzle | 127,512,000 | 181,008,000 | 2,422,728,000 |
///
/// (With the exact cell of the blank, 8 tiles would have 16!/7! = 4,151,347,200 states.)
///
/// # Example
///
/// ```
/// use bestfirst::problems::sliding_tiles::TilePattern;
/// use bestfirst::heuristics::PatternDatabase;
///
/// let pattern = TilePattern::new(3, 3, &[1, 2, 3, 4])?;
/// let database = pattern.build()?;
/// assert_eq!(database.len(), 9 * 8 * 7 * 6);
///
/// // The same in the general form:
/// let same = PatternDatabase::build(&pattern, [pattern.goal()], |state| pattern.key(state))?;
/// assert_eq!(same, database);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TilePattern {
    board: Geometry,
    ranking: Ranking,
    /// The goal cells of the tiles, in order.
    goals: [u8; MOST_TILES],
    /// The region of the blank in the goal.
    goal_region: u64,
}

/// A state of a [`TilePattern`]: the cells of the tiles, and the region of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PatternState {
    cells: [u8; MOST_TILES],
    /// The first cell of the region.
    blank: u8,
}

impl TilePattern {
    /// Returns the pattern of these tiles on a board of `width` × `height` cells.
    ///
    /// # Errors
    ///
    /// A [`PartitionError`], as for a [`Partition`] of one group.
    pub fn new(width: usize, height: usize, tiles: &[u8]) -> Result<Self, PartitionError> {
        let partition = Partition::new(width, height, &[tiles])?;
        let pattern = partition.into_patterns().next();
        pattern.ok_or(PartitionError::Empty { column: 1 })
    }

    /// Returns the pattern of the tiles of a group, in order. In the goal, tile *n* is in cell *n*. `None` if there
    /// are more states than numbers.
    pub(super) fn of_group(board: Geometry, group: &[u8]) -> Option<Self> {
        let free = board.cells() - group.len();
        let ranking = Ranking::new(board.cells(), group.len())?;
        ranking.count().checked_mul(free)?;
        let mut goals = [0; MOST_TILES];
        goals[..group.len()].copy_from_slice(group);
        let goal_region = board.region(1, board.others(set_of(group)));
        Some(Self { board, ranking, goals, goal_region })
    }

    /// Returns the canonical pattern of those that symmetries map to each other, and the symmetry that maps this one to
    /// it.
    pub(super) fn canonical(&self) -> (Self, CellMap) {
        let mapped = |map: &CellMap| {
            let mut goals = [0; MOST_TILES];
            let set = image(map, set_of(self.goal_cells()));
            goals.iter_mut().zip(bits(set)).for_each(|(goal, cell)| *goal = cell);
            Self { goals, goal_region: image(map, self.goal_region), ..*self }
        };
        let maps = self.board.symmetries().into_iter().map(|map| (mapped(&map), map));
        // There is always the identity.
        let least = maps.min_by_key(|(pattern, _)| (pattern.goals, pattern.goal_region));
        least.unwrap_or_else(|| (*self, std::array::from_fn(|i| i.to_le_bytes()[0])))
    }

    pub(super) fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Returns the goal cells of the tiles, in order: their numbers, unless the pattern is the image of another.
    #[must_use]
    pub fn goal_cells(&self) -> &[u8] {
        &self.goals[..self.ranking.tiles()]
    }

    /// Returns the goal: every tile in its goal cell.
    #[must_use]
    pub fn goal(&self) -> PatternState {
        Self::state(self.goals, self.goal_region)
    }

    /// Returns the image of a state of the puzzle, in which the tile with the number of a goal cell is the tile of the
    /// pattern. For [`check::disjoint`](crate::check::disjoint()); to look values up, use
    /// [`TileDatabases`](super::TileDatabases).
    #[must_use]
    pub fn image<C: TileCells>(&self, state: &Packed<C>) -> PatternState {
        let mut cells = [0; MOST_TILES];
        for cell in 0..self.board.cells().to_le_bytes()[0] {
            let tile = state.tile(cell);
            if let Some(place) = self.goal_cells().iter().position(|&goal| goal == tile) {
                cells[place] = cell;
            }
        }
        let free = self.board.others(set_of(&cells[..self.ranking.tiles()]));
        Self::state(cells, self.board.region(1 << (state.blank() & 63), free))
    }

    /// Returns the key of a state: the number of the arrangement of the tiles, without the blank.
    #[inline]
    #[must_use]
    pub fn key(&self, state: &PatternState) -> usize {
        self.ranking.rank(|tile| state.cells[tile])
    }

    /// Returns the number of keys: every arrangement of the tiles has one. A database has as many bytes.
    #[must_use]
    pub fn keys(&self) -> usize {
        self.ranking.count()
    }

    /// Whether a database may be that of the pattern: it has as many keys, but for the last ones where not all can be reached
    /// (see [`states`](Self::states)), and is zero at the goal.
    pub(super) fn may_have(&self, database: &PatternDatabase) -> bool {
        let Geometry { width, height, .. } = self.board;
        let all_are_reached = width.min(height) > 1 && self.ranking.tiles() + 2 < width * height;
        let least = if all_are_reached { self.keys() } else { 0 };
        (least..=self.keys()).contains(&database.len())
            && database.get(self.key(&self.goal())) == Some(0)
    }

    /// Returns the number of states, which is the number of expansions of building a database. (On boards of one
    /// row or one column, and if all tiles, or all but one, are in the pattern, a build takes fewer, because not all can be reached.)
    ///
    /// It enumerates every set of cells that the tiles can occupy.
    #[must_use]
    pub fn states(&self) -> u64 {
        let tiles = self.ranking.tiles();
        let arrangements: u64 = (1..=tiles as u64).product();
        let mut regions = 0;
        let mut set = (1_u64 << tiles) - 1;
        while set & !self.board.others(0) == 0 {
            let mut free = self.board.others(set);
            while free != 0 {
                free &= !self.board.region(free & free.wrapping_neg(), free);
                regions += 1;
            }
            // The next larger number with as many bits.
            let low = set & set.wrapping_neg();
            let Some(ripple) = set.checked_add(low) else { break };
            set = ripple | (((set ^ ripple) >> 2) / low);
        }
        regions * arrangements
    }

    /// Builds the database, on the calling thread and without limits. For limits, an observer or threads use
    /// [`PatternDatabase::builder`] with [`bits`](crate::heuristics::PatternDatabaseBuilder::bits).
    ///
    /// # Errors
    ///
    /// [`BuildError::Stopped`] if there is not enough memory.
    pub fn build(&self) -> Result<PatternDatabase, BuildError<u16>> {
        let builder = PatternDatabase::builder(self).bits(self.keys());
        builder.build([self.goal()], |state| self.key(state))
    }

    /// Returns the state in which the tiles are in these cells and the blank is in `region`.
    #[inline]
    fn state(cells: [u8; MOST_TILES], region: u64) -> PatternState {
        PatternState { cells, blank: region.trailing_zeros().to_le_bytes()[0] }
    }

    /// Pushes the states after one move of a tile. Moves are reversible, so these are the
    /// predecessors, too.
    #[inline]
    fn moves(&self, state: &PatternState, next: &mut Successors<Self>) {
        let tiles = self.ranking.tiles();
        let free = self.board.others(set_of(&state.cells[..tiles]));
        let region = self.board.region(1 << (state.blank & 63), free);
        for tile in 0..tiles {
            let from = 1_u64 << (state.cells[tile] & 63);
            for to in bits(self.board.neighbours(from) & region) {
                let mut cells = state.cells;
                cells[tile] = to;
                let to = 1 << to;
                let free = free & !to | from;
                // A region without a cell that has at most one neighbour in it is still connected.
                let rest = region & !to;
                let inside = self.board.neighbours(to) & rest;
                let is_one_part = inside & inside.wrapping_sub(1) == 0;
                let joins = self.board.neighbours(from) & rest != 0;
                let seed = if is_one_part && joins { rest | from } else { from };
                next.push((), Self::state(cells, self.board.region(seed, free)), 1);
            }
        }
    }
}

/// Describes the pattern: the label of its database in a file.
impl fmt::Display for TilePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sliding tiles {}x{}, goal cells", self.board.width, self.board.height)?;
        for cell in self.goal_cells() {
            write!(f, " {cell}")?;
        }
        write!(f, ", blank in {}", self.goal_region.trailing_zeros())
    }
}

impl SearchProblem for TilePattern {
    type State = PatternState;
    type Action = ();
    type Cost = u16;

    #[inline]
    fn successors(&self, state: &PatternState, next: &mut Successors<Self>) {
        self.moves(state, next);
    }

    #[inline]
    fn is_goal(&self, state: &PatternState) -> bool {
        *state == self.goal()
    }
}

impl Reversible for TilePattern {
    #[inline]
    fn predecessors(&self, state: &PatternState, previous: &mut Successors<Self>) {
        self.moves(state, previous);
    }

    fn goals(&self) -> impl Iterator<Item = PatternState> {
        [self.goal()].into_iter()
    }
}

/// There is an index for every cell of the blank; only the first of each region is used.
impl DenseStates for TilePattern {
    fn state_count(&self) -> usize {
        self.keys() * (self.board.cells() - self.ranking.tiles())
    }

    #[inline]
    fn state_index(&self, state: &PatternState) -> usize {
        let tiles = self.ranking.tiles();
        let before = state.cells[..tiles].iter().map(|&cell| u8::from(cell < state.blank));
        let place = state.blank.wrapping_sub(before.sum::<u8>());
        self.key(state) * (self.board.cells() - tiles) + usize::from(place)
    }

    #[inline]
    fn state_at(&self, index: usize) -> PatternState {
        let tiles = self.ranking.tiles();
        let places = self.board.cells() - tiles;
        let cells = self.ranking.unrank(index / places);
        let mut free = self.board.others(set_of(&cells[..tiles]));
        for _ in 0..index % places {
            free &= free.wrapping_sub(1);
        }
        Self::state(cells, free)
    }
}
