//! Puzzles that are known.

use bestfirst::problems::sliding_tiles::{Board, SlidingTiles, Tracked};

/// Some of Korf's hundred random 15-puzzles: length of a shortest solution, nodes, tiles.
pub const KORF: [(u16, u64, &str); 5] = [
    (42, 540_860, "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"),
    (41, 927_212, "13 8 14 3 9 1 0 7 15 5 4 10 12 2 6 11"),
    (56, 1_897_728, "14 13 4 11 15 8 6 9 0 7 3 1 2 10 12 5"),
    (52, 5_934_442, "13 14 6 12 4 5 1 0 9 3 10 2 15 11 8 7"),
    (51, 12_955_404, "5 0 15 8 4 6 1 14 10 11 3 9 7 12 2 13"),
];

pub fn korf(tiles: &str) -> (SlidingTiles<Tracked>, Tracked) {
    let puzzle = SlidingTiles::new(4, 4).unwrap();
    let board: Board = tiles.parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    (puzzle, start)
}
