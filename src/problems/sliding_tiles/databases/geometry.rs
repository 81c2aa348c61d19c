//! Sets of cells as words, neighbours, regions, and the symmetries of a board.

use super::partition::MOST_CELLS;

/// A board: sets of cells are words with one bit for each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Geometry {
    pub(super) width: usize,
    pub(super) height: usize,
    /// How far a cell is from that below it; 0 on a board of one row.
    row: u32,
    all: u64,
    /// All cells but those of the first column, and of the last.
    not_first: u64,
    not_last: u64,
}

/// The image of each cell under a symmetry.
pub(super) type CellMap = [u8; MOST_CELLS];

impl Geometry {
    /// Returns a board of at most [`MOST_CELLS`] cells.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let cells = width * height;
        let all = u64::MAX >> (MOST_CELLS - cells);
        let column = |x: usize| (0..height).fold(0, |set, y| set | 1_u64 << (y * width + x));
        let (not_first, not_last) = (all & !column(0), all & !column(width - 1));
        let row = if height == 1 { 0 } else { u32::from(width.to_le_bytes()[0]) };
        Self { width, height, row, all, not_first, not_last }
    }

    pub(super) fn cells(&self) -> usize {
        self.width * self.height
    }

    /// Returns the cells that are not in `set`.
    #[inline]
    pub(super) fn others(&self, set: u64) -> u64 {
        self.all & !set
    }

    /// Returns the neighbours of a set of cells that are not in it.
    #[inline]
    pub(super) fn neighbours(&self, set: u64) -> u64 {
        let beside = (set & self.not_last) << 1 | (set & self.not_first) >> 1;
        (beside | set << self.row | set >> self.row) & self.all & !set
    }

    /// Returns the cells that can be reached from `seed` through `free`.
    #[inline]
    pub(super) fn region(&self, seed: u64, free: u64) -> u64 {
        let mut region = seed & free;
        loop {
            let grown = (region | self.neighbours(region)) & free;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }

    /// Returns the symmetries of the board, the identity first: eight of a square, four of a rectangle.
    pub(super) fn symmetries(&self) -> Vec<CellMap> {
        let (width, height) = (self.width, self.height);
        let mut maps = Vec::new();
        for transposed in [false, true] {
            for (flip_x, flip_y) in [(false, false), (true, false), (false, true), (true, true)] {
                if transposed && width != height {
                    continue;
                }
                maps.push(self.map(|x, y| {
                    let (x, y) = if transposed { (y, x) } else { (x, y) };
                    let x = if flip_x { width - 1 - x } else { x };
                    (x, if flip_y { height - 1 - y } else { y })
                }));
            }
        }
        maps
    }

    /// Returns the reflection of a square about its main diagonal.
    pub(super) fn reflection(&self) -> CellMap {
        self.map(|x, y| (y, x))
    }

    fn map(&self, to: impl Fn(usize, usize) -> (usize, usize)) -> CellMap {
        let mut map = [0; MOST_CELLS];
        for (cell, to_cell) in map.iter_mut().enumerate().take(self.cells()) {
            let (x, y) = to(cell % self.width, cell / self.width);
            *to_cell = u8::try_from(y * self.width + x).unwrap_or(0);
        }
        map
    }
}

/// Returns the image of a set of cells.
pub(super) fn image(map: &CellMap, set: u64) -> u64 {
    bits(set).fold(0, |image, cell| image | 1 << map[usize::from(cell)])
}

/// Returns the set of some cells.
#[inline]
pub(super) fn set_of(cells: &[u8]) -> u64 {
    cells.iter().fold(0, |set, &cell| set | 1 << (cell & 63))
}

/// Returns the cells of a set, in order.
#[inline]
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros().to_le_bytes()[0];
        set &= set.wrapping_sub(1);
        (cell < 64).then_some(cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_end_at_borders_and_tiles() {
        let board = Geometry::new(4, 3);
        assert_eq!(board.neighbours(1 << 3), 1 << 2 | 1 << 7);
        assert_eq!(board.neighbours(1 << 4), 1 | 1 << 5 | 1 << 8);
        let wall = set_of(&[1, 5, 9]);
        assert_eq!(board.region(1, board.others(wall)), set_of(&[0, 4, 8]));
        let line = Geometry::new(64, 1);
        assert_eq!(line.neighbours(1 << 63), 1 << 62);
        assert_eq!(line.region(1, line.others(1 << 60)), u64::MAX >> 4);
        assert_eq!(Geometry::new(1, 64).region(1, u64::MAX), u64::MAX);
    }

    #[test]
    fn symmetries_keep_neighbours() {
        for (width, height, count) in [(3, 3, 8), (4, 2, 4), (5, 5, 8)] {
            let board = Geometry::new(width, height);
            let maps = board.symmetries();
            assert_eq!(maps.len(), count);
            for map in &maps {
                assert_eq!(image(map, board.all), board.all);
                for cell in 0..board.cells() {
                    let (there, back) =
                        (board.neighbours(1 << map[cell]), board.neighbours(1 << cell));
                    assert_eq!(there, image(map, back));
                }
            }
        }
    }
}
