//! The moves of the 15-puzzle, with separate code for every cell of the blank.
//!
//! In this code, the cell of the blank, its possible moves, and the tiles whose distance a move increases
//! are constants. No table is looked up, and a move is a few shifts by constants.

use std::ops::ControlFlow;

use super::tables::distance;
use super::{BlankMove, TileState};
use crate::problem::{UnrolledSuccessors, Visit};

const WIDTH: usize = 4;
const CELLS: usize = 16;

/// The successors of a board whose blank is in the cell `BLANK` and came there by the move with the number
/// `CAME`, or by one that is not known before.
struct At<const BLANK: usize, const CAME: usize, S: TileState>(S::Known);

/// No number of a move.
const UNKNOWN: usize = 4;

/// [`UnrolledSuccessors::visit_all`] for the 15-puzzle.
#[inline(always)]
pub(super) fn visit_all<const FORWARDS: bool, S: TileState>(
    known: S::Known,
    state: &S,
    reached: Option<&BlankMove>,
    visit: &mut impl Visit<S, BlankMove, u16>,
) -> ControlFlow<()> {
    macro_rules! cells {
        ($($blank:literal)*) => {
            match state.blank() & 15 {
                $($blank => At::<$blank, UNKNOWN, S>(known).visit_all::<FORWARDS>(state, reached, visit),)*
                _ => ControlFlow::Continue(()),
            }
        };
    }
    cells!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
}

/// The move with the number `WAY`, after the one with the number `CAME`. (Constants, so that a move which leads straight back is not
/// compiled, and that do not depend on the states, so that they are computed once.)
struct After<const CAME: usize, const WAY: usize>;

impl<const CAME: usize, const WAY: usize> After<CAME, WAY> {
    const IS_KNOWN: bool = CAME != UNKNOWN;

    const LEADS_BACK: bool = CAME == BlankMove::ALL[WAY].opposite() as usize;
}

/// The cells, and where the blank gets from each of them by the four moves.
macro_rules! cells {
    ($($blank:literal: [$($up:literal)?] [$($left:literal)?] [$($right:literal)?] [$($down:literal)?];)*) => {$(
        impl<const CAME: usize, S: TileState> UnrolledSuccessors<S, BlankMove, u16>
            for At<$blank, CAME, S>
        {
            #[inline]
            fn heuristic(&self) -> Option<u16> {
                S::known_manhattan(self.0)
            }

            #[inline(always)]
            fn visit_all<const FORWARDS: bool>(
                &self,
                state: &S,
                reached: Option<&BlankMove>,
                visit: &mut impl Visit<S, BlankMove, u16>,
            ) -> ControlFlow<()> {
                if FORWARDS {
                    $(cells! { @visit self, state, reached, visit, $blank, $up, Up })?
                    $(cells! { @visit self, state, reached, visit, $blank, $left, Left })?
                    $(cells! { @visit self, state, reached, visit, $blank, $right, Right })?
                    $(cells! { @visit self, state, reached, visit, $blank, $down, Down })?
                } else {
                    $(cells! { @visit self, state, reached, visit, $blank, $down, Down })?
                    $(cells! { @visit self, state, reached, visit, $blank, $right, Right })?
                    $(cells! { @visit self, state, reached, visit, $blank, $left, Left })?
                    $(cells! { @visit self, state, reached, visit, $blank, $up, Up })?
                }
                ControlFlow::Continue(())
            }
        }
    )*};
    (@visit $self:ident, $state:ident, $reached:ident, $visit:ident, $blank:literal, $from:literal, $way:ident) => {
        if !After::<CAME, { BlankMove::$way as usize }>::LEADS_BACK
            && (After::<CAME, { BlankMove::$way as usize }>::IS_KNOWN
                || $reached != Some(&BlankMove::$way.opposite()))
        {
            let farther = FARTHER[$blank][$from];
            let (successor, known) = $state.slid_in_fifteen($self.0, ($blank, $from), farther);
            let next = At::<$from, { BlankMove::$way as usize }, S>(known);
            $visit.visit_known(next, BlankMove::$way, successor, 1)?;
        }
    };
}

cells! {
    0: [] [] [1] [4];
    1: [] [0] [2] [5];
    2: [] [1] [3] [6];
    3: [] [2] [] [7];
    4: [0] [] [5] [8];
    5: [1] [4] [6] [9];
    6: [2] [5] [7] [10];
    7: [3] [6] [] [11];
    8: [4] [] [9] [12];
    9: [5] [8] [10] [13];
    10: [6] [9] [11] [14];
    11: [7] [10] [] [15];
    12: [8] [] [13] [];
    13: [9] [12] [14] [];
    14: [10] [13] [15] [];
    15: [11] [14] [] [];
}

/// Of a move of the blank from the first cell to the second one, beside it, one bit for each tile: whether it increases the distance
/// of the tile there. (A table, as a constant of each function would be computed for each type of states and of visits.)
const FARTHER: [[u16; CELLS]; CELLS] = {
    let mut table = [[0; CELLS]; CELLS];
    let mut pair = 0;
    while pair < CELLS * CELLS {
        let (blank, from) = (pair / CELLS, pair % CELLS);
        let is_beside = matches!(blank.abs_diff(from), 1 | WIDTH);
        let mut tile = 1;
        while is_beside && tile < CELLS {
            if distance(WIDTH, CELLS, tile, blank) > distance(WIDTH, CELLS, tile, from) {
                table[blank][from] |= 1 << tile;
            }
            tile += 1;
        }
        pair += 1;
    }
    table
};
