//! [`SlidingTiles`]: the search problem.

use super::cells::{MOST_CELLS, low_byte};
use super::direction::Ways;
use super::{Board, BoardError, Direction, Packed, TileState, fifteen};
use crate::problem::{InPlaceProblem, SearchProblem, Successors, UnrolledSuccessors, Visit};

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
    tables: S::Tables,
}

impl<S: TileState> SlidingTiles<S> {
    /// The puzzle of `width` columns and `height` rows.
    ///
    /// # Errors
    ///
    /// [`BoardError::Size`] if there are fewer than two cells, or more than the representation can hold.
    pub fn new(width: usize, height: usize) -> Result<Self, BoardError> {
        let goal = Board::goal(width, height)?;
        let most = S::CELLS.min(MOST_CELLS);
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
        Ok(Self { width, cells, is_fifteen, ways, offsets, goal, tables })
    }

    /// The number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        // 256 columns are the only width that does not fit in a byte.
        if self.width == 0 { MOST_CELLS } else { usize::from(self.width) }
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.cells / self.width()
    }

    /// The goal: the blank in the upper left corner, the tiles in order.
    #[must_use]
    pub fn goal(&self) -> S {
        self.goal.clone()
    }

    /// The state of a board.
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

    /// The board of a state.
    #[must_use]
    pub fn board(&self, state: &S) -> Board {
        let tiles = (0..self.cells).map(|cell| state.tile(low_byte(cell))).collect();
        Board { width: self.width(), height: self.height(), tiles }
    }

    /// The cell of the blank after a move.
    #[inline]
    fn neighbour(&self, blank: u8, way: Direction) -> u8 {
        blank.wrapping_add(self.offsets[way as usize])
    }
}

impl<S: TileState> SearchProblem for SlidingTiles<S> {
    type State = S;
    type Action = Direction;
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
    fn apply(&self, state: &mut S, &way: &Direction) -> (u16, S) {
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
    fn inverse(&self, _state: &S, way: &Direction) -> Option<Direction> {
        Some(way.opposite())
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it only names the type")]
    fn unrolled(&self) -> impl UnrolledSuccessors<S, Direction, u16> {
        Slides(self)
    }
}

/// The slides of a puzzle written out, so that each direction is a constant in its own code.
struct Slides<'a, S: TileState>(&'a SlidingTiles<S>);

impl<S: TileState> UnrolledSuccessors<S, Direction, u16> for Slides<'_, S> {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is most of the inner loop of IDA*")]
    fn visit_backwards(
        &self,
        state: &S,
        reached: Option<&Direction>,
        visit: &mut impl Visit<S, Direction, u16>,
    ) {
        self.visit_all::<false>(state, reached, visit);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is most of the inner loop of IDA*")]
    fn visit_forwards(
        &self,
        state: &S,
        reached: Option<&Direction>,
        visit: &mut impl Visit<S, Direction, u16>,
    ) {
        self.visit_all::<true>(state, reached, visit);
    }
}

impl<S: TileState> Slides<'_, S> {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is most of the inner loop of IDA*")]
    fn visit_all<const FORWARDS: bool>(
        &self,
        state: &S,
        reached: Option<&Direction>,
        visit: &mut impl Visit<S, Direction, u16>,
    ) {
        let Self(puzzle) = self;
        if puzzle.is_fifteen && S::KNOWS_FIFTEEN {
            return fifteen::visit_all::<FORWARDS, S>(&puzzle.tables, state, reached, visit);
        }
        let blank = state.blank();
        let mut ways = puzzle.ways[usize::from(blank)];
        if let Some(way) = reached {
            ways &= !(1 << way.opposite() as u8);
        }
        macro_rules! visit {
            ($($way:ident)*) => {$(
                if ways >> Direction::$way as u8 & 1 != 0 {
                    let (way, mut successor) = (Direction::$way, state.clone());
                    successor.slide(&puzzle.tables, blank, puzzle.neighbour(blank, way), way);
                    visit.visit(way, successor, 1);
                }
            )*};
        }
        if FORWARDS {
            visit!(Up Left Right Down);
        } else {
            visit!(Down Right Left Up);
        }
    }
}
