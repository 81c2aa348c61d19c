//! Boards of the 15-puzzle.

use bestfirst::problems::sliding_tiles::{Board, SlidingTiles, Tracked};

/// Random boards, each with the length of a shortest solution: IDA* expands 50, 122, 194 and 331 thousand states.
pub const EASY: [(u16, &str); 4] = [
    (40, "5 9 2 6 7 1 8 14 13 11 0 3 12 15 4 10"),
    (44, "0 1 3 15 12 6 10 4 14 2 5 9 13 11 7 8"),
    (44, "5 10 11 13 12 7 6 3 4 1 2 14 9 0 8 15"),
    (42, "0 10 3 14 2 13 6 7 4 1 9 8 11 12 5 15"),
];

/// The puzzle, and the state of a board.
pub fn fifteen(tiles: &str) -> (SlidingTiles<Tracked>, Tracked) {
    let puzzle = SlidingTiles::new(4, 4).unwrap();
    let board: Board = tiles.parse().unwrap();
    let start = puzzle.state(&board).unwrap();
    (puzzle, start)
}
