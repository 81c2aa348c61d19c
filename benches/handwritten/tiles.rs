//! Shared by both searches of the 15-puzzle: a board in 64 bits, four for each cell, the lowest for the upper left one.

/// The blank in the upper left corner, the tiles in order.
pub const GOAL: u64 = 0xfedc_ba98_7654_3210;

/// The moves of the blank: up, left, right, down; the inverse of `w` is `3 - w`.
pub const UP: usize = 0;
pub const LEFT: usize = 1;
pub const RIGHT: usize = 2;
pub const DOWN: usize = 3;

/// The cell that the blank goes to, if it can go that way.
pub const fn target(blank: usize, way: usize) -> Option<usize> {
    match way {
        UP if blank >= 4 => Some(blank - 4),
        LEFT if !blank.is_multiple_of(4) => Some(blank - 1),
        RIGHT if blank % 4 != 3 => Some(blank + 1),
        DOWN if blank < 12 => Some(blank + 4),
        _ => None,
    }
}

/// One bit for each tile: whether that move of the blank from `blank` takes the tile one farther from its goal cell.
/// Otherwise it comes one nearer.
pub const fn farther(blank: usize, way: usize) -> u16 {
    let Some(from) = target(blank, way) else { return 0 };
    let mut bits = 0;
    let mut tile = 1;
    while tile < 16 {
        if distance(tile, blank) > distance(tile, from) {
            bits |= 1 << tile;
        }
        tile += 1;
    }
    bits
}

pub const fn distance(tile: usize, cell: usize) -> usize {
    (tile % 4).abs_diff(cell % 4) + (tile / 4).abs_diff(cell / 4)
}

/// The board, the cell of its blank, and its Manhattan distance.
pub fn pack(tiles: &[u8; 16]) -> (u64, usize, usize) {
    let (mut board, mut blank, mut h) = (0, 0, 0);
    for (cell, &tile) in tiles.iter().enumerate() {
        board |= u64::from(tile) << (4 * cell);
        if tile == 0 {
            blank = cell;
        } else {
            h += distance(tile.into(), cell);
        }
    }
    (board, blank, h)
}
