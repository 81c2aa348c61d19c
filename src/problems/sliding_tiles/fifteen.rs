//! The moves of the 15-puzzle, with separate code for every cell of the blank.
//!
//! In this code, the cell of the blank, its possible moves, and the tiles whose distance a move increases
//! are constants. No table is looked up, and a move is a few shifts by constants. IDA* is a third faster.

use super::cells::low_byte;
use super::tables::{distance, neighbour};
use super::{Direction, TileState};
use crate::problem::Visit;

const WIDTH: usize = 4;
const CELLS: usize = 16;

/// [`visit_backwards`](crate::problem::UnrolledSuccessors::visit_backwards) of the 15-puzzle.
#[inline(always)]
pub(super) fn visit_backwards<S: TileState>(
    tables: &S::Tables,
    state: &S,
    reached: Option<&Direction>,
    visit: &mut impl Visit<S, Direction, u16>,
) {
    macro_rules! places {
        ($($blank:literal)*) => {
            match state.blank() & 15 {
                $($blank => visit_from::<$blank, S>(tables, state, reached, visit),)*
                _ => {}
            }
        };
    }
    places!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

/// The moves of the blank from the cell `BLANK`.
#[inline(always)]
fn visit_from<const BLANK: usize, S: TileState>(
    tables: &S::Tables,
    state: &S,
    reached: Option<&Direction>,
    visit: &mut impl Visit<S, Direction, u16>,
) {
    macro_rules! ways {
        ($($way:ident)*) => {$(
            if let Some(from) = const { neighbour(WIDTH, CELLS, BLANK, Direction::$way) }
                && reached != Some(&Direction::$way.opposite())
            {
                let farther = const {
                    match neighbour(WIDTH, CELLS, BLANK, Direction::$way) {
                        Some(from) => farther(BLANK, from),
                        None => 0,
                    }
                };
                let slide = (low_byte(BLANK), low_byte(from), Direction::$way);
                let successor = state.slid_in_fifteen(tables, slide, farther);
                visit.visit(Direction::$way, successor, 1);
            }
        )*};
    }
    ways!(Down Right Left Up);
}

/// One bit for each tile: whether a move of the blank from the cell `blank` to the cell `from` increases the
/// distance of the tile there.
const fn farther(blank: usize, from: usize) -> u16 {
    let mut bits = 0;
    let mut tile = 1;
    while tile < CELLS {
        if distance(WIDTH, CELLS, tile, blank) > distance(WIDTH, CELLS, tile, from) {
            bits |= 1 << tile;
        }
        tile += 1;
    }
    bits
}
