//! [`GridMap`]: the map.

use std::fmt::{self, Write};

use super::{Cell, CellsAround, GridRoute, MapError, Moves};
use crate::problems::memory::{self, OutOfMemory};

/// A rectangle of cells, each free or blocked, with at most 65,535 rows and columns.
///
/// It takes two bytes for each cell: the terrain, and one bit for each of the eight neighbours that a step leads
/// to, so that a search visits no other neighbours.
///
/// `Display` writes the rows, `FromStr` reads a `.map` file: the lines `type octile`, `height N`,
/// `width N`, `map`, and then the rows. A map of `type hex` is rejected, because its cells have six neighbours: read it
/// as a [`TerrainMap`](super::TerrainMap) with the steps [`Movement::six`](super::Movement::six). `.` (ground), `G` and
/// `S` (swamp) are free; `@`, `O`, `T` (trees), `W` (water) and `#` are blocked.
#[derive(Clone, PartialEq, Eq)]
pub struct GridMap {
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) terrain: Vec<u8>,
    /// One bit for each neighbour that a step leads to, in the order of [`NEIGHBOURS`].
    pub(super) exits: Vec<u8>,
}

/// The eight neighbours: up, left, right, down, and the diagonals.
pub(super) const NEIGHBOURS: [(i8, i8); 8] =
    [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// For each diagonal, the bits of the two straight steps beside it.
const BESIDE: [u8; 4] = [0b0011, 0b0101, 0b1010, 0b1100];

impl GridMap {
    /// The map of `width` columns and `height` rows whose cells are free if `free` returns true.
    ///
    /// ```
    /// use bestfirst::problems::grid_map::{Cell, GridMap};
    ///
    /// let map = GridMap::new(3, 2, |cell| cell != Cell::new(1, 0))?;
    /// assert_eq!(map.to_string(), ".@.\n...\n");
    /// # Ok::<(), bestfirst::problems::grid_map::MapError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MapError::OutOfMemory`] if the map does not fit into memory.
    pub fn new(
        width: u16,
        height: u16,
        mut free: impl FnMut(Cell) -> bool,
    ) -> Result<Self, MapError> {
        let cells = checked_size(width, height)?;
        let mut terrain = memory::with_capacity(cells)
            .map_err(|fault| MapError::out_of_memory(height, width, fault))?;
        for y in 0..height {
            terrain.extend((0..width).map(|x| if free(Cell { x, y }) { b'.' } else { b'@' }));
        }
        Self::from_terrain(width, height, terrain)
            .map_err(|fault| MapError::out_of_memory(height, width, fault))
    }

    /// `terrain` has `width · height` cells.
    pub(super) fn from_terrain(
        width: u16,
        height: u16,
        terrain: Vec<u8>,
    ) -> Result<Self, OutOfMemory> {
        let mut exits = memory::with_capacity(terrain.len())?;
        let mut map = Self { width, height, terrain, exits: Vec::new() };
        for y in 0..height {
            for x in 0..width {
                exits.push(map.find_exits(Cell { x, y }));
            }
        }
        map.exits = exits;
        Ok(map)
    }

    fn find_exits(&self, cell: Cell) -> u8 {
        if !self.is_free(cell) {
            return 0;
        }
        let mut exits = 0;
        for (bit, &(dx, dy)) in NEIGHBOURS.iter().enumerate() {
            let neighbour =
                cell.x.checked_add_signed(dx.into()).zip(cell.y.checked_add_signed(dy.into()));
            let is_free = neighbour.is_some_and(|(x, y)| self.is_free(Cell { x, y }));
            let beside = if bit < 4 { 0 } else { BESIDE[bit - 4] };
            if is_free && exits & beside == beside {
                exits |= 1 << bit;
            }
        }
        exits
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.height
    }

    /// Whether `cell` is on the map and free.
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && matches!(self.terrain[self.index(cell)], b'.' | b'G' | b'S')
    }

    /// Whether `cell` is on the map.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    #[inline]
    pub(super) fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }

    /// Returns the cell with this index.
    #[inline]
    pub(super) fn cell(&self, index: usize) -> Cell {
        cell_at(self.width, index)
    }

    /// Makes a cell free (`.`) or blocked (`@`). A cell that already is, or that is not on the map, is unchanged. Takes
    /// constant time.
    ///
    /// Returns the cells from which steps may have changed: the cell and its neighbours. Report them to a
    /// [`Replanner`](crate::Replanner) by [`changed`](crate::Search::changed); other searches do not need them.
    ///
    /// ```
    /// use bestfirst::problems::grid_map::{Cell, GridMap};
    ///
    /// let mut map = GridMap::from_rows("...\n...\n")?;
    /// assert_eq!(map.set_free(Cell::new(2, 0), false).count(), 4);
    /// assert_eq!(map.set_free(Cell::new(2, 0), false).count(), 0);
    /// assert_eq!(map.to_string(), "..@\n...\n");
    /// # Ok::<(), bestfirst::problems::ParseError>(())
    /// ```
    pub fn set_free(&mut self, cell: Cell, free: bool) -> CellsAround {
        if !self.contains(cell) || self.is_free(cell) == free {
            return CellsAround::none();
        }
        let index = self.index(cell);
        self.terrain[index] = if free { b'.' } else { b'@' };
        let around = CellsAround::new(cell, 1, (self.width, self.height));
        for near in around.clone() {
            let index = self.index(near);
            self.exits[index] = self.find_exits(near);
        }
        around
    }

    /// Returns the problem of reaching `goal` by [`EightWay`](super::EightWay) moves.
    #[must_use]
    pub fn route_to(&self, goal: Cell) -> GridRoute<&Self> {
        self.route_by(goal)
    }

    /// Returns the problem of reaching `goal` by the moves `M`.
    #[must_use]
    pub fn route_by<M: Moves>(&self, goal: Cell) -> GridRoute<&Self, M> {
        GridRoute::new(self, goal).by()
    }

    /// Returns the rows of the map, with the cells of `path` marked by `*`.
    #[must_use]
    pub fn draw_path(&self, path: &[Cell]) -> String {
        let mut terrain = self.terrain.clone();
        for &cell in path.iter().filter(|&&cell| self.contains(cell)) {
            terrain[self.index(cell)] = b'*';
        }
        Self { terrain, exits: Vec::new(), ..*self }.to_string()
    }
}

impl fmt::Display for GridMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = usize::from(self.width);
        // A row of no cells is a line, too.
        for row in 0..usize::from(self.height) {
            for &cell in &self.terrain[row * width..][..width] {
                f.write_char(char::from(cell))?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl fmt::Debug for GridMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GridMap({}×{})", self.width, self.height)
    }
}

/// Returns the cell with this index on a map of that width.
#[inline]
pub(super) fn cell_at(width: u16, index: usize) -> Cell {
    // In 32 bits, division is faster.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³² cells")]
    let index = index as u32;
    let width = u32::from(width).max(1);
    #[expect(clippy::cast_possible_truncation, reason = "below the width and the height")]
    let (x, y) = ((index % width) as u16, (index / width) as u16);
    Cell { x, y }
}

/// Returns the number of cells of a map, if this machine can count them.
pub(super) fn checked_size(width: u16, height: u16) -> Result<usize, MapError> {
    let too_large = MapError::OutOfMemory {
        rows: height.into(),
        columns: width.into(),
        bytes: u64::from(width) * u64::from(height),
    };
    usize::from(width).checked_mul(height.into()).ok_or(too_large)
}
