//! [`Cells`]: the storage of the tiles, in a `u64`, a `u128` or an array.

use std::fmt::Debug;
use std::hash::Hash;

use super::BlankMove;
use super::tables::{distance, each_slide, group_sums};

/// The tables of a state that holds only the tiles.
#[derive(Clone, Debug)]
pub struct Tables<C: Cells> {
    pub slides: C::Slides,
    pub sums: C::Sums,
}

/// The operations on the tiles.
pub trait Cells: Clone + Eq + Hash + Debug {
    /// The maximum number of cells.
    const CELLS: usize;
    /// Whether code for each cell of the blank in the 15-puzzle is faster than tables.
    const KNOWS_FIFTEEN: bool = false;
    /// For each tile and each move, the change of the Manhattan distance.
    type Slides: Clone + Debug;
    /// The Manhattan distances of groups of tiles.
    type Sums: Clone + Debug;
    /// One byte for each tile: its cell.
    type Places: Copy + Debug + AsRef<[u8]> + AsMut<[u8]>;
    /// Every tile in the first cell.
    const NO_PLACES: Self::Places;

    fn slides(width: usize, height: usize) -> Self::Slides;
    fn sums(width: usize, height: usize) -> Self::Sums;
    /// Returns the tiles in the order of their cells, at most `CELLS`.
    fn of(tiles: &[u8]) -> Self;
    fn tile(&self, cell: u8) -> u8;
    fn blank(&self) -> u8;
    /// Moves `tile` from `from` to the cell `blank`.
    fn slide(&mut self, blank: u8, from: u8, tile: u8);
    fn change(slides: &Self::Slides, tile: u8, blank: u8, way: BlankMove) -> i8;
    fn manhattan(&self, sums: &Self::Sums) -> u16;
}

/// The maximum number of cells of a board: their numbers fit in a byte.
pub(super) const MOST_CELLS: usize = 256;

/// Returns the low byte of a number that is known to be below 256.
#[inline]
pub(super) const fn low_byte(number: usize) -> u8 {
    number.to_le_bytes()[0]
}

/// Four bits a tile; the lowest are those of the first cell. Cells outside the board hold 15.
impl Cells for u64 {
    const CELLS: usize = 16;
    const KNOWS_FIFTEEN: bool = true;
    type Slides = [i8; 1024];
    /// Four groups of four tiles.
    type Sums = Vec<u8>;
    type Places = [u8; 16];
    const NO_PLACES: [u8; 16] = [0; 16];

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
        // Of each tile's four bits, the highest is set unless all four are zero, as only the blank's are.
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
    fn change(slides: &Self::Slides, tile: u8, blank: u8, way: BlankMove) -> i8 {
        slides[usize::from(tile & 15) << 6 | usize::from(blank & 15) << 2 | way as usize]
    }

    #[inline]
    fn manhattan(&self, sums: &Self::Sums) -> u16 {
        // One check of the length here saves one at each of the four lookups.
        let Some(sums) = sums.first_chunk::<{ 1 << 18 }>() else { return 0 };
        let sum = |group: u32| {
            let [low, high, ..] = (self >> (16 * group)).to_le_bytes();
            let value = u16::from_le_bytes([low, high]);
            u16::from(sums[(group as usize) << 16 | usize::from(value)])
        };
        sum(0) + sum(1) + sum(2) + sum(3)
    }
}

/// Five bits a tile; the lowest are those of the first cell. Cells outside the board hold 31; the three
/// highest bits are 0.
impl Cells for u128 {
    const CELLS: usize = 25;
    type Slides = Box<[i8; 4096]>;
    /// Nine groups of three tiles; the last has only one tile.
    type Sums = Vec<u8>;
    type Places = [u8; 25];
    const NO_PLACES: [u8; 25] = [0; 25];

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
    fn change(slides: &Self::Slides, tile: u8, blank: u8, way: BlankMove) -> i8 {
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

/// One byte a tile. Cells outside the board hold 255.
impl<const N: usize> Cells for [u8; N] {
    const CELLS: usize = N;
    type Slides = Vec<i8>;
    /// The distance of each tile in each cell, 256 cells to a tile.
    type Sums = Vec<u8>;
    type Places = [u8; N];
    const NO_PLACES: [u8; N] = [0; N];

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
    fn change(slides: &Self::Slides, tile: u8, blank: u8, way: BlankMove) -> i8 {
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
