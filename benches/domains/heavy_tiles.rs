//! Sliding tiles whose steps cost the number of the tile that moves.

use std::array::IntoIter;
use std::hash::{Hash, Hasher};
use std::iter::Flatten;

use bestfirst::{InPlaceProblem, SearchProblem, Successors};

use super::Random;

/// A square board of at most 16 cells. The goal has the blank first.
#[derive(Clone, Debug)]
pub struct HeavyTiles {
    width: u8,
}

/// Four bits a cell; where the blank is; and the heuristic value.
#[derive(Clone, Copy, Debug)]
pub struct Tiles {
    cells: u64,
    blank: u8,
    h: u32,
}

impl PartialEq for Tiles {
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells
    }
}

impl Eq for Tiles {}

impl Hash for Tiles {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.cells.hash(hasher);
    }
}

impl HeavyTiles {
    pub fn new(width: u8) -> Self {
        assert!(width <= 4);
        Self { width }
    }

    fn cell_count(&self) -> u8 {
        self.width * self.width
    }

    /// The weight of a tile times its Manhattan distance.
    fn distance(&self, tile: u8, cell: u8) -> u32 {
        let (row, column) = (cell / self.width, cell % self.width);
        let (to_row, to_column) = (tile / self.width, tile % self.width);
        u32::from(tile) * u32::from(row.abs_diff(to_row) + column.abs_diff(to_column))
    }

    fn goal(&self) -> Tiles {
        let cells = (0..self.cell_count()).map(|tile| u64::from(tile) << (4 * tile)).sum();
        Tiles { cells, blank: 0, h: 0 }
    }

    /// The board after `steps` random steps from the goal, none of which goes straight back.
    pub fn scrambled(&self, steps: u32, random: &mut Random) -> Tiles {
        let (mut tiles, mut before) = (self.goal(), 0);
        for _ in 0..steps {
            let next: Vec<u8> = self.actions(&tiles).filter(|&cell| cell != before).collect();
            before = tiles.blank;
            let cell = next[random.below(next.len() as u64) as usize];
            self.apply(&mut tiles, &cell);
        }
        tiles
    }

    fn move_blank(&self, tiles: &mut Tiles, cell: u8) -> u32 {
        let tile = (tiles.cells >> (4 * cell) & 15) as u8;
        tiles.h = tiles.h + self.distance(tile, tiles.blank) - self.distance(tile, cell);
        tiles.cells ^= u64::from(tile) << (4 * cell) | u64::from(tile) << (4 * tiles.blank);
        tiles.blank = cell;
        u32::from(tile)
    }
}

impl SearchProblem for HeavyTiles {
    type State = Tiles;
    /// Where the blank moves.
    type Action = u8;
    type Cost = u32;

    fn successors(&self, tiles: &Tiles, next: &mut Successors<Self>) {
        for cell in self.actions(tiles) {
            let mut state = *tiles;
            let cost = self.move_blank(&mut state, cell);
            next.push(cell, state, cost);
        }
    }

    fn heuristic(&self, tiles: &Tiles) -> u32 {
        tiles.h
    }

    fn is_goal(&self, tiles: &Tiles) -> bool {
        tiles.h == 0
    }
}

impl InPlaceProblem for HeavyTiles {
    type Actions = Flatten<IntoIter<Option<u8>, 4>>;
    /// Where the blank was.
    type Undo = u8;

    fn actions(&self, tiles: &Tiles) -> Self::Actions {
        let (width, blank) = (self.width, tiles.blank);
        let up = (blank >= width).then(|| blank - width);
        let left = (blank % width > 0).then(|| blank - 1);
        let right = (blank % width + 1 < width).then(|| blank + 1);
        let down = (blank + width < self.cell_count()).then(|| blank + width);
        [up, left, right, down].into_iter().flatten()
    }

    fn apply(&self, tiles: &mut Tiles, &cell: &u8) -> (u32, u8) {
        let before = tiles.blank;
        (self.move_blank(tiles, cell), before)
    }

    fn undo(&self, tiles: &mut Tiles, before: u8) {
        self.move_blank(tiles, before);
    }

    fn inverse(&self, _: &Tiles, _: &u8) -> Option<u8> {
        None
    }
}
