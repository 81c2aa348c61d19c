//! [`SlidingTiles`]: the search problem.

#![expect(clippy::inline_always, reason = "this is most of the inner loop of IDA*")]

use std::ops::ControlFlow;

use super::cells::{MOST_CELLS, low_byte};
use super::direction::Ways;
use super::tables::between;
use super::{BlankMove, Board, BoardError, Packed, TileState, fifteen};
use crate::problem::{
    InPlaceProblem, Reversible, SearchProblem, Successors, UnrolledSuccessors, Visit,
};

/// The sliding-tile puzzle of one size, with states in the representation `S`: [`Packed`] or
/// [`Tracked`](super::Tracked).
///
/// It holds tables for the moves and for the heuristic of a packed state: about 260 KB for states in a
/// `u64`, computed by [`new`](Self::new) in about a millisecond. One puzzle can be searched from many
/// boards.
///
/// Costs are `u16`. No board of up to 25 cells comes near the maximum. On larger boards, a search that
/// exceeds it ends with [`SearchError::Overflow`](crate::SearchError::Overflow).
#[derive(Clone, Debug)]
pub struct SlidingTiles<S: TileState = Packed> {
    width: u8,
    cells: usize,
    /// Whether it is the 15-puzzle.
    is_fifteen: bool,
    /// For each cell of the blank, one bit for each possible direction, by its number.
    ways: [u8; 256],
    /// For each direction, the difference of the numbers of the blank's cells.
    offsets: [u8; 4],
    goal: S,
    pub(super) tables: S::Tables,
    /// For each pair of cells, the columns and rows between them.
    apart: Box<[u8]>,
}

impl<S: TileState> SlidingTiles<S> {
    /// Returns the puzzle of `width` columns and `height` rows.
    ///
    /// # Errors
    ///
    /// [`BoardError::Size`] if there are fewer than two cells, or more than the representation can hold.
    pub fn new(width: usize, height: usize) -> Result<Self, BoardError> {
        let most = S::CELLS.min(MOST_CELLS);
        let goal =
            Board::goal(width, height).map_err(|_| BoardError::Size { width, height, most })?;
        let cells = width * height;
        if cells > most {
            return Err(BoardError::Size { width, height, most });
        }
        let mut ways = [0; 256];
        for (cell, ways) in ways.iter_mut().enumerate().take(cells) {
            let (x, y) = (cell % width, cell / width);
            for (way, open) in [y > 0, x > 0, x + 1 < width, y + 1 < height].into_iter().enumerate()
            {
                *ways |= u8::from(open) << way;
            }
        }
        // A board has at most 256 cells. If it has 256 columns, it has one row and no vertical moves.
        let width = u8::try_from(width).unwrap_or(0);
        let tables = S::tables(goal.width, goal.height);
        let goal = S::new(&goal);
        let offsets = [width.wrapping_neg(), 1_u8.wrapping_neg(), 1, width];
        let is_fifteen = (width, cells) == (4, 16);
        let columns = if width == 0 { MOST_CELLS } else { usize::from(width) };
        let apart = (0..cells * cells).map(|pair| between(columns, pair / cells, pair % cells));
        let apart = apart.collect();
        Ok(Self { width, cells, is_fifteen, ways, offsets, goal, tables, apart })
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        // 256 columns are the only width that does not fit in a byte.
        if self.width == 0 { MOST_CELLS } else { usize::from(self.width) }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.cells / self.width()
    }

    /// Returns the goal: the blank in the upper left corner, the tiles in order.
    #[must_use]
    pub fn goal(&self) -> S {
        self.goal.clone()
    }

    /// Returns the state of a board.
    ///
    /// # Errors
    ///
    /// [`BoardError::OtherSize`] if the size of `board` is not that of this puzzle.
    pub fn state(&self, board: &Board) -> Result<S, BoardError> {
        let (width, height) = (self.width(), self.height());
        if (board.width, board.height) != (width, height) {
            return Err(BoardError::OtherSize {
                width: board.width,
                height: board.height,
                expected: (width, height),
            });
        }
        Ok(S::new(board))
    }

    /// Returns the board of a state.
    #[must_use]
    pub fn board(&self, state: &S) -> Board {
        let tiles = (0..self.cells).map(|cell| state.tile(low_byte(cell))).collect();
        Board { width: self.width(), height: self.height(), tiles }
    }

    /// Returns the cell of the blank after a move.
    #[inline]
    fn neighbour(&self, blank: u8, way: BlankMove) -> u8 {
        blank.wrapping_add(self.offsets[way as usize])
    }
}

impl<S: TileState> SearchProblem for SlidingTiles<S> {
    type State = S;
    type Action = BlankMove;
    type Cost = u16;

    #[inline]
    fn successors(&self, state: &S, next: &mut Successors<Self>) {
        let blank = state.blank();
        for way in (Ways { left: self.ways[usize::from(blank)] }) {
            let mut successor = state.clone();
            successor.slide(&self.tables, blank, self.neighbour(blank, way), way);
            next.push(way, successor, 1);
        }
    }

    #[inline]
    fn heuristic(&self, state: &S) -> u16 {
        state.manhattan(&self.tables)
    }

    #[inline]
    fn is_goal(&self, state: &S) -> bool {
        state.is_goal(&self.goal)
    }
}

impl<S: TileState> InPlaceProblem for SlidingTiles<S> {
    type Actions = Ways;
    /// The state before the move: copying a few words is faster than computing them again.
    type Undo = S;

    #[inline]
    fn actions(&self, state: &S) -> Ways {
        Ways { left: self.ways[usize::from(state.blank())] }
    }

    #[inline]
    fn apply(&self, state: &mut S, &way: &BlankMove) -> (u16, S) {
        let before = state.clone();
        let blank = state.blank();
        state.slide(&self.tables, blank, self.neighbour(blank, way), way);
        (1, before)
    }

    #[inline]
    fn undo(&self, state: &mut S, before: S) {
        *state = before;
    }

    #[inline]
    fn inverse(&self, _state: &S, way: &BlankMove) -> Option<BlankMove> {
        Some(way.opposite())
    }

    #[inline(always)]
    // It only names the type.
    fn unrolled(&self) -> impl UnrolledSuccessors<S, BlankMove, u16> {
        Slides(self)
    }

    #[inline(always)]
    fn unrolled_heuristic(
        &self,
        successors: &impl UnrolledSuccessors<S, BlankMove, u16>,
    ) -> Option<u16> {
        successors.heuristic()
    }
}

/// The slides of a puzzle written out, so that each direction is a constant in its own code.
struct Slides<'a, S: TileState>(&'a SlidingTiles<S>);

impl<S: TileState> UnrolledSuccessors<S, BlankMove, u16> for Slides<'_, S> {
    #[inline(always)]
    fn visit_all<const FORWARDS: bool>(
        &self,
        state: &S,
        reached: Option<&BlankMove>,
        visit: &mut impl Visit<S, BlankMove, u16>,
    ) -> ControlFlow<()> {
        let Self(puzzle) = self;
        let known = state.known(&puzzle.tables);
        if puzzle.is_fifteen && S::KNOWS_FIFTEEN {
            return fifteen::visit_all::<FORWARDS, S>(known, state, reached, visit);
        }
        KnownSlides { puzzle, known }.visit_all::<FORWARDS>(state, reached, visit)
    }
}

/// The same of a state of which something is known.
struct KnownSlides<'a, S: TileState> {
    puzzle: &'a SlidingTiles<S>,
    known: S::Known,
}

impl<S: TileState> UnrolledSuccessors<S, BlankMove, u16> for KnownSlides<'_, S> {
    #[inline]
    fn heuristic(&self) -> Option<u16> {
        S::known_manhattan(self.known)
    }

    #[inline(always)]
    fn visit_all<const FORWARDS: bool>(
        &self,
        state: &S,
        reached: Option<&BlankMove>,
        visit: &mut impl Visit<S, BlankMove, u16>,
    ) -> ControlFlow<()> {
        let Self { puzzle, known } = self;
        let blank = state.blank();
        let mut ways = puzzle.ways[usize::from(blank)];
        if let Some(way) = reached {
            ways &= !(1 << way.opposite() as u8);
        }
        macro_rules! visit {
            ($($way:ident)*) => {$(
                if ways >> BlankMove::$way as u8 & 1 != 0 {
                    let way = BlankMove::$way;
                    let step = (blank, puzzle.neighbour(blank, way), way);
                    let (successor, known) = state.slid(*known, &puzzle.tables, step);
                    visit.visit_known(KnownSlides { puzzle, known }, way, successor, 1)?;
                }
            )*};
        }
        if FORWARDS {
            visit!(Up Left Right Down);
        } else {
            visit!(Down Right Left Up);
        }
        ControlFlow::Continue(())
    }
}

/// A slide is undone by the opposite one. The heuristic from a start is the Manhattan distance to the cells
/// of the tiles in the start.
impl<S: TileState> Reversible for SlidingTiles<S> {
    #[inline]
    fn predecessors(&self, state: &S, previous: &mut Successors<Self>) {
        let blank = state.blank();
        for way in (Ways { left: self.ways[usize::from(blank)] }) {
            let mut before = state.clone();
            before.slide(&self.tables, blank, self.neighbour(blank, way), way);
            previous.push(way.opposite(), before, 1);
        }
    }

    fn goals(&self) -> impl Iterator<Item = S> {
        std::iter::once(self.goal.clone())
    }

    #[inline]
    fn heuristic_from(&self, start: &S, state: &S) -> u16 {
        match self.cells {
            // A constant, so that the loop is unrolled.
            16 => self.distance_between::<16>(16, start, state),
            cells if cells <= 32 => self.distance_between::<32>(cells, start, state),
            cells => self.distance_between::<MOST_CELLS>(cells, start, state),
        }
    }
}

impl<S: TileState> SlidingTiles<S> {
    /// Returns the Manhattan distance of the tiles between two states. There are at most `N` cells, a power of two.
    #[inline]
    fn distance_between<const N: usize>(&self, cells: usize, from: &S, to: &S) -> u16 {
        let mut cell_of = [0_u8; N];
        for cell in 0..cells {
            cell_of[usize::from(from.tile(low_byte(cell))) % N] = low_byte(cell);
        }
        let mut sum = 0;
        for cell in 0..cells {
            let tile = usize::from(to.tile(low_byte(cell)));
            let place = usize::from(cell_of[tile % N]) * cells + cell;
            // The blank does not count.
            let distance = self.apart.get(place).copied().unwrap_or(0);
            sum += if tile == 0 { 0 } else { u16::from(distance) };
        }
        sum
    }
}
