//! How the tiles are held in memory, and how far they are from home.

use std::fmt::Debug;
use std::hash::Hash;

use super::Direction;
use super::board::Board;

pub trait State: Clone + Eq + Hash + Debug {
    const CELLS: usize;
    type Tables: Clone + Debug;

    fn tables(width: usize, height: usize) -> Self::Tables;
    /// The state of a board that fits.
    fn new(board: &Board) -> Self;
    fn tile(&self, cell: u8) -> u8;
    fn blank(&self) -> u8;
    fn manhattan(&self, tables: &Self::Tables) -> u16;
    /// The blank goes from `blank` the way to `from`; the tile there takes its place.
    fn slide(&mut self, tables: &Self::Tables, blank: u8, from: u8, way: Direction);
    fn is_goal(&self, goal: &Self) -> bool;

    /// Whether [`slid_in_fifteen`](Self::slid_in_fifteen) is worth using.
    const KNOWS_FIFTEEN: bool = false;

    /// A copy after [`slide`](Self::slide), on the board of the 15-puzzle. That takes each tile whose bit
    /// is set in `farther` one farther from its place, and the others one nearer.
    fn slid_in_fifteen(
        &self,
        tables: &Self::Tables,
        (blank, from, way): (u8, u8, Direction),
        farther: u16,
    ) -> Self {
        let _ = farther;
        let mut slid = self.clone();
        slid.slide(tables, blank, from, way);
        slid
    }
}

#[derive(Clone, Debug)]
pub struct Tables<C: Cells> {
    pub slides: C::Slides,
    pub sums: C::Sums,
}

pub trait Cells: Clone + Eq + Hash + Debug {
    const CELLS: usize;
    /// Whether code for each place of the blank in the 15-puzzle is faster than tables.
    const KNOWS_FIFTEEN: bool = false;
    /// What each slide of each tile does to the Manhattan distance.
    type Slides: Clone + Debug;
    /// The Manhattan distances of groups of tiles.
    type Sums: Clone + Debug;

    fn slides(width: usize, height: usize) -> Self::Slides;
    fn sums(width: usize, height: usize) -> Self::Sums;
    /// The tiles in order of their cells; there are at most `CELLS`.
    fn of(tiles: &[u8]) -> Self;
    fn tile(&self, cell: u8) -> u8;
    fn blank(&self) -> u8;
    /// Moves `tile` from `from` to the cell `blank`.
    fn slide(&mut self, blank: u8, from: u8, tile: u8);
    fn change(slides: &Self::Slides, tile: u8, blank: u8, way: Direction) -> i8;
    fn manhattan(&self, sums: &Self::Sums) -> u16;
}

/// How far `tile` is from its place when it lies in `cell`; 0 for the blank and for what is no
/// tile of this board.
pub const fn distance(width: usize, cells: usize, tile: usize, cell: usize) -> u8 {
    if tile == 0 || tile >= cells || cell >= cells {
        return 0;
    }
    let columns = (tile % width).abs_diff(cell % width);
    let rows = (tile / width).abs_diff(cell / width);
    low_byte(columns + rows)
}

/// Where the blank gets from `blank` by going `way`, if it can.
pub const fn neighbour(width: usize, cells: usize, blank: usize, way: Direction) -> Option<usize> {
    match way {
        Direction::Up if blank >= width => Some(blank - width),
        Direction::Left if !blank.is_multiple_of(width) => Some(blank - 1),
        Direction::Right if blank % width != width - 1 => Some(blank + 1),
        Direction::Down if blank + width < cells => Some(blank + width),
        _ => None,
    }
}

/// Calls `set` with tile, cell of the blank, direction and change for every slide there is.
fn each_slide(width: usize, height: usize, mut set: impl FnMut(usize, usize, Direction, i8)) {
    let cells = width * height;
    for blank in 0..cells {
        for way in Direction::ALL {
            let Some(from) = neighbour(width, cells, blank, way) else { continue };
            for tile in 1..cells {
                let before = distance(width, cells, tile, from);
                let after = distance(width, cells, tile, blank);
                // One step is one column or one row nearer or farther.
                set(tile, blank, way, if after < before { -1 } else { 1 });
            }
        }
    }
}

/// The sums of the distances of `group` neighbouring tiles of `bits` bits each, for all values
/// of those bits and all groups of a board, one after the other.
fn group_sums(width: usize, height: usize, bits: usize, group: usize, groups: usize) -> Vec<u8> {
    let cells = width * height;
    let mask = (1 << bits) - 1;
    let size = 1 << (bits * group);
    let mut sums = vec![0; size * groups];
    for (number, sums) in sums.chunks_exact_mut(size).enumerate() {
        // Each sum is that of the value without its highest tile, and that tile's own.
        for place in 0..group {
            let known = 1 << (bits * place);
            for tile in (1..=mask).rev() {
                let own = distance(width, cells, tile, number * group + place);
                for rest in 0..known {
                    sums[tile * known + rest] = sums[rest] + own;
                }
            }
        }
    }
    sums
}

/// Four bits a tile; the lowest are those of the first cell. Cells that the board lacks hold 15.
impl Cells for u64 {
    const CELLS: usize = 16;
    const KNOWS_FIFTEEN: bool = true;
    type Slides = [i8; 1024];
    /// Four groups of four tiles.
    type Sums = Vec<u8>;

    fn slides(width: usize, height: usize) -> Self::Slides {
        let mut slides = [0; 1024];
        each_slide(width, height, |tile, blank, way, change| {
            slides[tile << 6 | blank << 2 | way as usize] = change;
        });
        slides
    }

    fn sums(width: usize, height: usize) -> Self::Sums {
        group_sums(width, height, 4, 4, 4)
    }

    fn of(tiles: &[u8]) -> Self {
        tiles.iter().enumerate().fold(u64::MAX, |word, (cell, &tile)| {
            word & !(15 << (4 * cell)) | u64::from(tile & 15) << (4 * cell)
        })
    }

    #[inline]
    fn tile(&self, cell: u8) -> u8 {
        (self >> (u32::from(cell & 15) * 4)).to_le_bytes()[0] & 15
    }

    #[inline]
    fn blank(&self) -> u8 {
        // The top bit of each four is set unless all are zero; only the blank's are.
        const LOW: u64 = 0x7777_7777_7777_7777;
        let empty = !(((self & LOW) + LOW) | self | LOW);
        low_byte(empty.trailing_zeros() as usize / 4) & 15
    }

    #[inline]
    fn slide(&mut self, blank: u8, from: u8, tile: u8) {
        let tile = u64::from(tile & 15);
        *self ^= tile << (u32::from(blank & 15) * 4) | tile << (u32::from(from & 15) * 4);
    }

    #[inline]
    fn change(slides: &Self::Slides, tile: u8, blank: u8, way: Direction) -> i8 {
        slides[usize::from(tile & 15) << 6 | usize::from(blank & 15) << 2 | way as usize]
    }

    #[inline]
    fn manhattan(&self, sums: &Self::Sums) -> u16 {
        // One look at the length here is none at each of the four.
        let Some(sums) = sums.first_chunk::<{ 1 << 18 }>() else { return 0 };
        let sum = |group: u32| {
            let [low, high, ..] = (self >> (16 * group)).to_le_bytes();
            let value = u16::from_le_bytes([low, high]);
            u16::from(sums[(group as usize) << 16 | usize::from(value)])
        };
        sum(0) + sum(1) + sum(2) + sum(3)
    }
}

/// Five bits a tile; the lowest are those of the first cell. Cells that the board lacks hold 31,
/// the three highest bits nothing.
impl Cells for u128 {
    const CELLS: usize = 25;
    type Slides = Box<[i8; 4096]>;
    /// Nine groups of three tiles; in the last there is but one.
    type Sums = Vec<u8>;

    fn slides(width: usize, height: usize) -> Self::Slides {
        let mut slides = Box::new([0; 4096]);
        each_slide(width, height, |tile, blank, way, change| {
            slides[tile << 7 | blank << 2 | way as usize] = change;
        });
        slides
    }

    fn sums(width: usize, height: usize) -> Self::Sums {
        group_sums(width, height, 5, 3, 9)
    }

    fn of(tiles: &[u8]) -> Self {
        tiles.iter().enumerate().fold(u128::MAX >> 3, |word, (cell, &tile)| {
            word & !(31 << (5 * cell)) | u128::from(tile & 31) << (5 * cell)
        })
    }

    #[inline]
    fn tile(&self, cell: u8) -> u8 {
        self.wrapping_shr(u32::from(cell & 31) * 5).to_le_bytes()[0] & 31
    }

    #[inline]
    fn blank(&self) -> u8 {
        const LOW: u128 = 0x0F7B_DEF7_BDEF_7BDE_F7BD_EF7B_DEF7_BDEF;
        const HIGH: u128 = 0x1084_2108_4210_8421_0842_1084_2108_4210;
        let empty = !(((self & LOW) + LOW) | self) & HIGH;
        low_byte(empty.trailing_zeros() as usize / 5) & 31
    }

    #[inline]
    fn slide(&mut self, blank: u8, from: u8, tile: u8) {
        let tile = u128::from(tile & 31);
        *self ^= tile.wrapping_shl(u32::from(blank & 31) * 5)
            | tile.wrapping_shl(u32::from(from & 31) * 5);
    }

    #[inline]
    fn change(slides: &Self::Slides, tile: u8, blank: u8, way: Direction) -> i8 {
        slides[usize::from(tile & 31) << 7 | usize::from(blank & 31) << 2 | way as usize]
    }

    #[inline]
    fn manhattan(&self, sums: &Self::Sums) -> u16 {
        let mut rest = *self;
        let mut sum = 0;
        for group in sums.chunks_exact(1 << 15) {
            let [low, high, ..] = rest.to_le_bytes();
            let value = u16::from_le_bytes([low, high]) & 0x7FFF;
            sum += u16::from(group[usize::from(value)]);
            rest >>= 15;
        }
        sum
    }
}

/// A byte a tile. Cells that the board lacks hold 255.
impl<const N: usize> Cells for [u8; N] {
    const CELLS: usize = N;
    type Slides = Vec<i8>;
    /// The distance of each tile in each cell, 256 cells to a tile.
    type Sums = Vec<u8>;

    fn slides(width: usize, height: usize) -> Self::Slides {
        let mut slides = vec![0; (width * height) << 10];
        each_slide(width, height, |tile, blank, way, change| {
            slides[tile << 10 | blank << 2 | way as usize] = change;
        });
        slides
    }

    fn sums(width: usize, height: usize) -> Self::Sums {
        let cells = width * height;
        (0..cells << 8).map(|i| distance(width, cells, i >> 8, i & 255)).collect()
    }

    fn of(tiles: &[u8]) -> Self {
        std::array::from_fn(|cell| tiles.get(cell).copied().unwrap_or(u8::MAX))
    }

    #[inline]
    fn tile(&self, cell: u8) -> u8 {
        self.get(usize::from(cell)).copied().unwrap_or(0)
    }

    #[inline]
    fn blank(&self) -> u8 {
        low_byte(self.iter().position(|&tile| tile == 0).unwrap_or(0))
    }

    #[inline]
    fn slide(&mut self, blank: u8, from: u8, tile: u8) {
        // Both cells are on the board, unless the state belongs to another puzzle.
        if let Some(cell) = self.get_mut(usize::from(from)) {
            *cell = 0;
        }
        if let Some(cell) = self.get_mut(usize::from(blank)) {
            *cell = tile;
        }
    }

    #[inline]
    fn change(slides: &Self::Slides, tile: u8, blank: u8, way: Direction) -> i8 {
        let slide = usize::from(tile) << 10 | usize::from(blank) << 2 | way as usize;
        slides.get(slide).copied().unwrap_or(0)
    }

    #[inline]
    fn manhattan(&self, sums: &Self::Sums) -> u16 {
        let mut sum = 0_u16;
        for (cell, &tile) in self.iter().enumerate() {
            let place = usize::from(tile) << 8 | cell & 255;
            sum = sum.wrapping_add(u16::from(sums.get(place).copied().unwrap_or(0)));
        }
        sum
    }
}

/// No board has more cells than this: their numbers fit in a byte.
pub(super) const MOST_CELLS: usize = 256;

/// The low byte of a number that is known to be below 256.
#[inline]
pub(super) const fn low_byte(number: usize) -> u8 {
    number.to_le_bytes()[0]
}
