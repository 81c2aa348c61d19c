//! The 15-puzzle, with code of its own for every place of the blank.
//!
//! Where the blank is, which ways it can go and which tiles that helps are constants there: no table is
//! asked, and a move is a few shifts by numbers that are known. It makes IDA* faster by a third.

use super::form::{distance, low_byte, neighbour};
use super::{Direction, TileState};
use crate::problem::Visit;

const WIDTH: usize = 4;
const CELLS: usize = 16;

/// [`visit_successors_backwards`](crate::InPlaceProblem::visit_successors_backwards) of the 15-puzzle.
#[inline(always)]
pub(super) fn visit_successors_backwards<S: TileState>(
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

/// The blank is in cell number `BLANK`.
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

/// For each tile one bit: whether it is farther from its place after the blank went from `blank` to `from`.
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
