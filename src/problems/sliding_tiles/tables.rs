//! Distances of tiles, moves of the blank, and tables of both.

use super::BlankMove;
use super::cells::low_byte;

/// Returns the Manhattan distance of `tile` in `cell` from its goal cell; 0 for the blank and for numbers that
/// are not on this board.
pub(super) const fn distance(width: usize, cells: usize, tile: usize, cell: usize) -> u8 {
    if tile == 0 || tile >= cells || cell >= cells {
        return 0;
    }
    between(width, tile, cell)
}

/// Returns the columns and rows between two cells.
pub(super) const fn between(width: usize, cell: usize, other: usize) -> u8 {
    let columns = (cell % width).abs_diff(other % width);
    let rows = (cell / width).abs_diff(other / width);
    low_byte(columns + rows)
}

/// Returns the cell of the blank after a move from the cell `blank`, if the move is possible.
pub(super) const fn neighbour(
    width: usize,
    cells: usize,
    blank: usize,
    way: BlankMove,
) -> Option<usize> {
    match way {
        BlankMove::Up if blank >= width => Some(blank - width),
        BlankMove::Left if !blank.is_multiple_of(width) => Some(blank - 1),
        BlankMove::Right if blank % width != width - 1 => Some(blank + 1),
        BlankMove::Down if blank + width < cells => Some(blank + width),
        _ => None,
    }
}

/// Calls `set` with the tile, the cell of the blank, the direction and the change of the Manhattan
/// distance, for every move.
pub(super) fn each_slide(
    width: usize,
    height: usize,
    mut set: impl FnMut(usize, usize, BlankMove, i8),
) {
    let cells = width * height;
    for blank in 0..cells {
        for way in BlankMove::ALL {
            let Some(from) = neighbour(width, cells, blank, way) else { continue };
            for tile in 1..cells {
                let before = distance(width, cells, tile, from);
                let after = distance(width, cells, tile, blank);
                // A move changes the distance of the tile by one.
                set(tile, blank, way, if after < before { -1 } else { 1 });
            }
        }
    }
}

/// Returns the sums of the distances of `group` adjacent tiles of `bits` bits each, for all values of those bits
/// and all groups of a board, in order.
pub(super) fn group_sums(
    width: usize,
    height: usize,
    bits: usize,
    group: usize,
    groups: usize,
) -> Vec<u8> {
    let cells = width * height;
    let mask = (1 << bits) - 1;
    let size = 1 << (bits * group);
    let mut sums = vec![0; size * groups];
    for (number, sums) in sums.chunks_exact_mut(size).enumerate() {
        // Each sum is the sum for the value without its highest tile, plus the distance of that tile.
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
