//! Sliding-tile puzzles: the 8-puzzle, the 15-puzzle, the 24-puzzle, and any rectangle up to 256
//! cells.
//!
//! Numbered tiles lie on a board with one cell left free, the *blank*. A move slides a neighbouring
//! tile into the blank, so the blank goes the other way; every move costs 1. The goal is the blank in
//! the upper left corner and the tiles in order behind it: `0 1 2 …`, with 0 for the blank. Moves are
//! named by the way the blank goes, and tried in the order up, left, right, down: node counts can be
//! compared with those of the literature.
//!
//! The heuristic is the Manhattan distance: the sum over all tiles of how many columns and rows each
//! is away from its place. It is consistent.
//!
//! # Two forms of state
//!
//! A search that stores millions of states wants them small; one that stores none wants to know the
//! heuristic without computing it. So [`SlidingTiles`] takes the form as its parameter:
//!
//! | form | holds | bytes (4×4) | for |
//! |---|---|---|---|
//! | [`Packed`] | the tiles | 8 | A*, Dijkstra: everything with a table |
//! | [`Tracked`] | the tiles, the place of the blank, the Manhattan distance | 16 | IDA* and all that goes in place |
//!
//! and either takes the tiles in a [`u64`] (up to 16 cells), a [`u128`] (up to 25) or a `[u8; N]` (up
//! to N, at most 256).
//!
//! # Example
//!
//! ```
//! use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles, Tracked};
//! use bestfirst::IdaStar;
//!
//! let board: Board = "1 4 2
//!                     6 3 5
//!                     7 . 8".parse()?;
//! assert!(board.is_solvable());
//!
//! let puzzle = SlidingTiles::<Packed>::new(3, 3)?;
//! let report = bestfirst::astar(&puzzle, puzzle.state(&board)?)?;
//! let path = report.path().expect("it is solvable");
//! let moves: Vec<String> = path.actions().map(|blank| blank.to_string()).collect();
//! assert_eq!(moves.join(" "), "left up right up left");
//!
//! let puzzle = SlidingTiles::<Tracked>::new(3, 3)?;
//! let report = IdaStar::new(&puzzle).in_place().search(puzzle.state(&board)?).run()?;
//! assert_eq!(report.cost(), Some(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod fifteen;
mod form;

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::problem::{InPlaceProblem, Visit};
use crate::problem::{SearchProblem, Successors};

pub use board::{Board, BoardError};

use form::{MOST_CELLS, low_byte};

/// The way the blank goes. The tile that it changes places with goes the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the column on the left.
    Left,
    /// To the column on the right.
    Right,
    /// To the row below.
    Down,
}

impl Direction {
    /// All four, in the order in which they are tried.
    pub const ALL: [Self; 4] = [Self::Up, Self::Left, Self::Right, Self::Down];

    /// The way straight back.
    #[inline]
    #[must_use]
    pub fn opposite(self) -> Self {
        Self::numbered(3 - self as u32)
    }

    #[inline]
    fn numbered(number: u32) -> Self {
        match number & 3 {
            0 => Self::Up,
            1 => Self::Left,
            2 => Self::Right,
            _ => Self::Down,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Up => "up",
            Self::Left => "left",
            Self::Right => "right",
            Self::Down => "down",
        })
    }
}

/// The sliding-tile puzzle of one size, with states in the form `S`: [`Packed`] or [`Tracked`].
///
/// It holds tables that make a move, or the heuristic of a packed state, a few look-ups: about 260 KB
/// for states in a `u64`, filled in [`new`](Self::new) in about a millisecond. Build it once and
/// search many boards.
///
/// Costs are `u16`. No board of up to 25 cells comes near its limit; on larger ones, a search that
/// does ends with [`SearchError::Overflow`](crate::SearchError::Overflow).
#[derive(Clone, Debug)]
pub struct SlidingTiles<S: TileState = Packed> {
    width: u8,
    cells: usize,
    /// Whether it is the 15-puzzle.
    is_fifteen: bool,
    /// Which ways the blank can go from each cell: bit n stands for direction number n.
    ways: [u8; 256],
    /// What each direction adds to the number of the blank's cell.
    offsets: [u8; 4],
    goal: S,
    tables: S::Tables,
}

impl<S: TileState> SlidingTiles<S> {
    /// The puzzle of `width` columns and `height` rows.
    ///
    /// # Errors
    ///
    /// [`BoardError::Size`] if that is fewer than two cells, or more than the form of state can
    /// hold.
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
        // `goal` has checked that a board has at most 256 cells; a single row never goes up or down.
        let width = u8::try_from(width).unwrap_or(0);
        let tables = S::tables(goal.width, goal.height);
        let goal = S::new(&goal);
        let offsets = [width.wrapping_neg(), 1_u8.wrapping_neg(), 1, width];
        let is_fifteen = (width, cells) == (4, 16);
        Ok(Self { width, cells, is_fifteen, ways, offsets, goal, tables })
    }

    /// How many columns the board has.
    #[must_use]
    pub fn width(&self) -> usize {
        // A row of 256 cells is the one width that does not fit.
        if self.width == 0 { MOST_CELLS } else { usize::from(self.width) }
    }

    /// How many rows the board has.
    #[must_use]
    pub fn height(&self) -> usize {
        self.cells / self.width()
    }

    /// The goal: the blank in the upper left corner, the tiles in order.
    #[must_use]
    pub fn goal(&self) -> S {
        self.goal.clone()
    }

    /// The state in which the tiles lie as on `board`.
    ///
    /// # Errors
    ///
    /// [`BoardError::OtherSize`] if `board` is not of the size of this puzzle.
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

    /// The board that `state` stands for, to be read or drawn.
    #[must_use]
    pub fn board(&self, state: &S) -> Board {
        let tiles = (0..self.cells).map(|cell| state.tile(low_byte(cell))).collect();
        Board { width: self.width(), height: self.height(), tiles }
    }

    /// Where the blank at `blank` gets by going `way`.
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
    /// The state before the move: putting a few words back is cheaper than computing them again.
    type Undo = S;

    #[inline]
    fn actions(&self, state: &S) -> Ways {
        Ways { left: self.ways[usize::from(state.blank())] }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn visit_successors_backwards(
        &self,
        state: &S,
        reached: Option<&Direction>,
        visit: &mut impl Visit<S, Direction, u16>,
    ) {
        if self.is_fifteen && S::KNOWS_FIFTEEN {
            return fifteen::visit_successors_backwards(&self.tables, state, reached, visit);
        }
        let blank = state.blank();
        let mut ways = self.ways[usize::from(blank)];
        if let Some(way) = reached {
            ways &= !(1 << way.opposite() as u8);
        }
        // Written out, so that each direction has its own code.
        macro_rules! visit {
            ($($way:ident)*) => {$(
                if ways >> Direction::$way as u8 & 1 != 0 {
                    let (way, mut successor) = (Direction::$way, state.clone());
                    successor.slide(&self.tables, blank, self.neighbour(blank, way), way);
                    visit.visit(way, successor, 1);
                }
            )*};
        }
        visit!(Down Right Left Up);
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
}

/// The ways the blank can go, in the order of [`Direction::ALL`].
#[derive(Clone, Debug)]
pub struct Ways {
    /// Bit n stands for direction number n.
    left: u8,
}

impl Iterator for Ways {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        if self.left == 0 {
            return None;
        }
        let way = Direction::numbered(self.left.trailing_zeros());
        self.left &= self.left - 1;
        Some(way)
    }
}

impl DoubleEndedIterator for Ways {
    #[inline]
    fn next_back(&mut self) -> Option<Direction> {
        let number = self.left.checked_ilog2()?;
        self.left &= !(1 << number);
        Some(Direction::numbered(number))
    }
}

/// A state that holds where the tiles lie and nothing else: 8 bytes in a `u64`, 16 in a `u128`.
///
/// Its heuristic is added up from tables in which several tiles are looked up at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed<C = u64> {
    tiles: C,
}

/// A state that also knows where the blank is and what its Manhattan distance is, kept up to date
/// move by move. Equality and hash look at the tiles alone.
#[derive(Clone, Copy, Debug)]
pub struct Tracked<C = u64> {
    tiles: C,
    manhattan: u16,
    blank: u8,
}

impl<C: PartialEq> PartialEq for Tracked<C> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.tiles == other.tiles
    }
}

impl<C: Eq> Eq for Tracked<C> {}

impl<C: Hash> Hash for Tracked<C> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.tiles.hash(hasher);
    }
}

/// What a state of [`SlidingTiles`] can be: [`Packed`] or [`Tracked`]. It cannot be implemented
/// elsewhere.
pub trait TileState: form::State {}

impl<C: TileCells> TileState for Packed<C> {}
impl<C: TileCells> TileState for Tracked<C> {}

/// What the tiles of a state can be held in: `u64` for up to 16 cells, `u128` for up to 25, `[u8; N]`
/// for up to N, at most 256. It cannot be implemented elsewhere.
pub trait TileCells: form::Cells {}

impl TileCells for u64 {}
impl TileCells for u128 {}
impl<const N: usize> TileCells for [u8; N] {}

impl<C: TileCells> form::State for Packed<C> {
    const CELLS: usize = C::CELLS;
    type Tables = form::Tables<C>;

    fn tables(width: usize, height: usize) -> Self::Tables {
        form::Tables { slides: C::slides(width, height), sums: C::sums(width, height) }
    }

    fn new(board: &Board) -> Self {
        Self { tiles: C::of(&board.tiles) }
    }

    #[inline]
    fn tile(&self, cell: u8) -> u8 {
        self.tiles.tile(cell)
    }

    #[inline]
    fn blank(&self) -> u8 {
        self.tiles.blank()
    }

    #[inline]
    fn manhattan(&self, tables: &Self::Tables) -> u16 {
        self.tiles.manhattan(&tables.sums)
    }

    #[inline]
    fn slide(&mut self, _tables: &Self::Tables, blank: u8, from: u8, _way: Direction) {
        self.tiles.slide(blank, from, self.tiles.tile(from));
    }

    #[inline]
    fn is_goal(&self, goal: &Self) -> bool {
        self.tiles == goal.tiles
    }
}

impl<C: TileCells> form::State for Tracked<C> {
    const CELLS: usize = C::CELLS;
    type Tables = C::Slides;

    fn tables(width: usize, height: usize) -> Self::Tables {
        C::slides(width, height)
    }

    fn new(board: &Board) -> Self {
        let tiles = C::of(&board.tiles);
        let blank = tiles.blank();
        Self { tiles, manhattan: board.manhattan(), blank }
    }

    #[inline]
    fn tile(&self, cell: u8) -> u8 {
        self.tiles.tile(cell)
    }

    #[inline]
    fn blank(&self) -> u8 {
        self.blank
    }

    #[inline]
    fn manhattan(&self, _tables: &Self::Tables) -> u16 {
        self.manhattan
    }

    #[inline]
    fn slide(&mut self, tables: &Self::Tables, blank: u8, from: u8, way: Direction) {
        let tile = self.tiles.tile(from);
        let change = C::change(tables, tile, blank, way);
        self.manhattan = self.manhattan.wrapping_add_signed(i16::from(change));
        self.tiles.slide(blank, from, tile);
        self.blank = from;
    }

    #[inline]
    fn is_goal(&self, _goal: &Self) -> bool {
        self.manhattan == 0
    }

    const KNOWS_FIFTEEN: bool = C::KNOWS_FIFTEEN;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn slid_in_fifteen(
        &self,
        _tables: &Self::Tables,
        (blank, from, _way): (u8, u8, Direction),
        farther: u16,
    ) -> Self {
        let tile = self.tiles.tile(from);
        let change = u16::from(farther >> tile & 1 != 0) * 2;
        let mut tiles = self.tiles.clone();
        tiles.slide(blank, from, tile);
        Self { tiles, manhattan: self.manhattan.wrapping_add(change).wrapping_sub(1), blank: from }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::problem::SuccessorBuffer;

    const KORF_1: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";

    /// How far each state is from the goal, by breadth-first search, as far as `depth`.
    fn distances<S: TileState>(puzzle: &SlidingTiles<S>, depth: u16) -> HashMap<S, u16> {
        let mut known = HashMap::from([(puzzle.goal(), 0)]);
        let mut layer = vec![puzzle.goal()];
        let mut next = SuccessorBuffer::new();
        for far in 1..=depth {
            for state in std::mem::take(&mut layer) {
                next.clear();
                puzzle.successors(&state, &mut next);
                for successor in next.drain() {
                    assert_eq!(successor.cost, 1);
                    known.entry(successor.state.clone()).or_insert_with(|| {
                        layer.push(successor.state);
                        far
                    });
                }
            }
        }
        known
    }

    /// Keeps what it is shown, with the heuristic value that a tracked state carries.
    struct Shown<'p, S: TileState>(&'p SlidingTiles<S>, Vec<(Direction, S, u16, u16)>);

    impl<S: TileState> Visit<S, Direction, u16> for Shown<'_, S> {
        fn visit(&mut self, way: Direction, state: S, cost: u16) {
            let h = self.0.heuristic(&state);
            self.1.push((way, state, h, cost));
        }
    }

    /// Walks at random and compares all that a form of state says with what the board says.
    fn walk<S: TileState>(width: usize, height: usize) {
        let puzzle = SlidingTiles::<S>::new(width, height).unwrap();
        assert_eq!((puzzle.width(), puzzle.height()), (width, height));
        let mut state = puzzle.goal();
        let mut next = SuccessorBuffer::new();
        let mut random = 12_345_u32;
        for _ in 0..2000 {
            let board = puzzle.board(&state);
            assert_eq!(puzzle.state(&board).as_ref(), Ok(&state));
            assert_eq!(puzzle.heuristic(&state), board.manhattan());
            let solved = board == Board::goal(width, height).unwrap();
            assert_eq!(puzzle.is_goal(&state), solved);
            assert!(board.is_solvable());

            next.clear();
            puzzle.successors(&state, &mut next);
            assert_eq!(
                puzzle.actions(&state).collect::<Vec<_>>(),
                next.as_slice().iter().map(|successor| successor.action).collect::<Vec<_>>()
            );
            for successor in next.as_slice() {
                let mut moved = state.clone();
                let (cost, undo) = puzzle.apply(&mut moved, &successor.action);
                assert_eq!((cost, &moved), (1, &successor.state));
                assert_eq!(puzzle.heuristic(&moved), puzzle.heuristic(&successor.state));
                let back = puzzle.inverse(&moved, &successor.action).unwrap();
                let mut there_and_back = moved.clone();
                puzzle.apply(&mut there_and_back, &back);
                assert_eq!(there_and_back, state);
                puzzle.undo(&mut moved, undo);
                assert_eq!(moved, state);
                assert_eq!(puzzle.heuristic(&moved), puzzle.heuristic(&state));
            }
            for reached in [None, Some(Direction::Up), Some(Direction::Left)] {
                let mut shown = Shown(&puzzle, Vec::new());
                puzzle.visit_successors_backwards(&state, reached.as_ref(), &mut shown);
                shown.1.reverse();
                let back = reached.map(Direction::opposite);
                let expected = next.as_slice().iter().filter(|next| Some(next.action) != back);
                let expected = expected.map(|next| {
                    (next.action, next.state.clone(), puzzle.heuristic(&next.state), 1)
                });
                assert_eq!(shown.1, expected.collect::<Vec<_>>());
            }
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let chosen = (random >> 16) as usize % next.len();
            state = next.as_slice()[chosen].state.clone();
        }
    }

    #[test]
    fn all_forms_of_state_agree_with_the_board() {
        for (width, height) in [(2, 2), (3, 3), (4, 4), (8, 2), (2, 8), (16, 1), (1, 2)] {
            walk::<Packed<u64>>(width, height);
            walk::<Tracked<u64>>(width, height);
            walk::<Packed<[u8; 16]>>(width, height);
            walk::<Tracked<[u8; 16]>>(width, height);
        }
        for (width, height) in [(2, 2), (4, 4), (5, 5), (12, 2), (1, 25)] {
            walk::<Packed<u128>>(width, height);
            walk::<Tracked<u128>>(width, height);
        }
        for (width, height) in [(3, 2), (6, 5), (16, 16), (256, 1), (1, 256)] {
            walk::<Packed<[u8; 256]>>(width, height);
            walk::<Tracked<[u8; 256]>>(width, height);
        }
    }

    #[test]
    fn states_are_as_small_as_they_can_be() {
        assert_eq!(size_of::<Packed>(), 8);
        assert_eq!(size_of::<Tracked>(), 16);
        assert_eq!(size_of::<Packed<u128>>(), 16);
        assert_eq!(size_of::<Packed<[u8; 30]>>(), 30);
    }

    #[test]
    fn the_blank_goes_up_left_right_down() {
        let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
        let mut next = SuccessorBuffer::new();
        puzzle.successors(&puzzle.state(&KORF_1.parse().unwrap()).unwrap(), &mut next);
        let actions: Vec<_> = next.as_slice().iter().map(|successor| successor.action).collect();
        assert_eq!(actions, Direction::ALL);
        let boards = next.as_slice().iter().map(|successor| puzzle.board(&successor.state));
        let blanks: Vec<_> =
            boards.map(|board| board.tiles().iter().position(|&tile| tile == 0)).collect();
        assert_eq!(blanks, [Some(5), Some(8), Some(10), Some(13)]);
        assert_eq!(Direction::ALL.map(Direction::opposite)[0], Direction::Down);
        assert_eq!(Direction::ALL.map(Direction::opposite)[1], Direction::Right);
        assert_eq!(format!("{:>6}", Direction::Left), "  left");
    }

    #[test]
    fn half_of_all_boards_are_solvable() {
        for (width, height, reachable) in
            [(2, 2, 12), (3, 2, 360), (2, 3, 360), (4, 1, 4), (1, 5, 5)]
        {
            let puzzle = SlidingTiles::<Packed>::new(width, height).unwrap();
            let known = distances(&puzzle, 40);
            assert_eq!(known.len(), reachable);
            let mut solvable = 0;
            let mut tiles: Vec<u8> = (0..low_byte(width * height)).collect();
            permute(&mut tiles, 0, &mut |tiles| {
                let board = Board::new(width, height, tiles).unwrap();
                let state = puzzle.state(&board).unwrap();
                assert_eq!(board.is_solvable(), known.contains_key(&state), "\n{board}");
                solvable += usize::from(board.is_solvable());
            });
            assert_eq!(solvable, reachable);
            for (state, far) in known {
                assert!(puzzle.heuristic(&state) <= far);
            }
        }
    }

    fn permute(tiles: &mut [u8], from: usize, visit: &mut impl FnMut(&[u8])) {
        if from == tiles.len() {
            visit(tiles);
        }
        for i in from..tiles.len() {
            tiles.swap(from, i);
            permute(tiles, from + 1, visit);
            tiles.swap(from, i);
        }
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        for (width, height) in [(0, 0), (1, 1), (17, 16), (usize::MAX, 2), (1, 257)] {
            assert!(matches!(Board::goal(width, height), Err(BoardError::Size { .. })));
            assert!(SlidingTiles::<Packed>::new(width, height).is_err());
        }
        let size = |width, height, most| Some(BoardError::Size { width, height, most });
        assert_eq!(SlidingTiles::<Packed>::new(17, 1).err(), size(17, 1, 16));
        assert_eq!(SlidingTiles::<Tracked<u128>>::new(13, 2).err(), size(13, 2, 25));
        assert_eq!(SlidingTiles::<Packed<[u8; 30]>>::new(8, 4).err(), size(8, 4, 30));
        let puzzle = SlidingTiles::<Packed>::new(4, 4).unwrap();
        assert_eq!(
            puzzle.state(&Board::goal(8, 2).unwrap()).unwrap_err().to_string(),
            "a board of 8×2 cells for a puzzle of 4×4"
        );
    }

    /// A state of one puzzle makes no sense in another, but does no harm there.
    #[test]
    fn states_of_another_puzzle_do_not_panic() {
        fn try_all<S: TileState>(state: &S, puzzle: &SlidingTiles<S>) {
            let mut next = SuccessorBuffer::new();
            puzzle.successors(state, &mut next);
            for way in Direction::ALL {
                let mut state = state.clone();
                puzzle.apply(&mut state, &way);
                puzzle.apply(&mut state, &way);
                puzzle.heuristic(&state);
                let _ = puzzle.board(&state);
            }
        }
        fn try_form<S: TileState>() {
            let small = SlidingTiles::<S>::new(2, 2).unwrap();
            let large = SlidingTiles::<S>::new(5, 3).unwrap();
            try_all(&small.goal(), &large);
            try_all(&large.goal(), &small);
        }
        try_form::<Packed<u64>>();
        try_form::<Tracked<u64>>();
        try_form::<Packed<u128>>();
        try_form::<Tracked<u128>>();
        try_form::<Packed<[u8; 15]>>();
        try_form::<Tracked<[u8; 15]>>();
    }
}
