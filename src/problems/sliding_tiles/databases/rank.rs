//! The numbers of arrangements: of *k* different tiles on *n* cells.

use super::partition::MOST_TILES;

/// Numbers the arrangements of some tiles on the cells of a board, from 0 on without gaps.
///
/// The digit of a tile is its cell, counted among the cells that no tile before it is in; the last tile has
/// the lowest weight. Source: the factorial number system, as in Korf, *Linear-time disk-based implicit
/// graph search*, 2008.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ranking {
    tiles: usize,
    weights: [usize; MOST_TILES],
    count: usize,
}

impl Ranking {
    /// Returns the ranking of at most [`MOST_TILES`] tiles, fewer than cells. `None` if there are too many numbers.
    pub(super) fn new(cells: usize, tiles: usize) -> Option<Self> {
        let mut weights = [0; MOST_TILES];
        let mut count = 1_usize;
        for (i, weight) in weights.iter_mut().enumerate().take(tiles).rev() {
            *weight = count;
            count = count.checked_mul(cells - i)?;
        }
        Some(Self { tiles, weights, count })
    }

    /// Returns the number of tiles.
    #[inline]
    pub(super) fn tiles(&self) -> usize {
        self.tiles
    }

    /// How many arrangements there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of the arrangement in which each tile is in the cell that `cell` says.
    #[inline]
    pub(super) fn rank(&self, cell: impl Fn(usize) -> u8) -> usize {
        // With a constant number of tiles, everything stays in registers.
        match self.tiles {
            1 => self.rank_of::<1>(cell),
            2 => self.rank_of::<2>(cell),
            3 => self.rank_of::<3>(cell),
            4 => self.rank_of::<4>(cell),
            5 => self.rank_of::<5>(cell),
            6 => self.rank_of::<6>(cell),
            7 => self.rank_of::<7>(cell),
            8 => self.rank_of::<8>(cell),
            9 => self.rank_of::<9>(cell),
            10 => self.rank_of::<10>(cell),
            11 => self.rank_of::<11>(cell),
            _ => self.rank_of::<12>(cell),
        }
    }

    #[inline]
    fn rank_of<const TILES: usize>(&self, cell: impl Fn(usize) -> u8) -> usize {
        let cells: [u8; TILES] = std::array::from_fn(cell);
        let mut rank = 0;
        for (i, &cell) in cells.iter().enumerate() {
            let below = cells[..i].iter().map(|&other| u8::from(other < cell)).sum::<u8>();
            rank += usize::from(cell.wrapping_sub(below)) * self.weights[i];
        }
        rank
    }

    /// Returns the cells of the tiles in the arrangement with this number.
    #[inline]
    pub(super) fn unrank(&self, mut rank: usize) -> [u8; MOST_TILES] {
        let mut cells = [0; MOST_TILES];
        // The cells so far, in order.
        let mut taken = [u8::MAX; MOST_TILES];
        for (i, place_of_tile) in cells.iter_mut().enumerate().take(self.tiles) {
            let digit = rank / self.weights[i];
            rank -= digit * self.weights[i];
            let mut cell = digit.to_le_bytes()[0];
            let mut place = 0;
            while taken[place] <= cell {
                cell += 1;
                place += 1;
            }
            taken.copy_within(place..i, place + 1);
            taken[place] = cell;
            *place_of_tile = cell;
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_without_gaps() {
        for (cells, tiles) in [(4, 3), (6, 2), (9, 4), (8, 7), (16, 3), (13, 1)] {
            let ranking = Ranking::new(cells, tiles).unwrap();
            let expected: usize = (0..tiles).map(|i| cells - i).product();
            assert_eq!(ranking.count(), expected);
            for rank in 0..expected {
                let arrangement = ranking.unrank(rank);
                assert!(arrangement[..tiles].iter().all(|&cell| usize::from(cell) < cells));
                assert_eq!(ranking.rank(|tile| arrangement[tile]), rank);
            }
        }
        assert_eq!(Ranking::new(16, 8).unwrap().count(), 518_918_400);
        assert_eq!(Ranking::new(25, 6).unwrap().count(), 127_512_000);
        assert_eq!(Ranking::new(64, 12), None);
    }
}
