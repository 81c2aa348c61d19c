//! [`Packed`] and [`Tracked`]: the representations of a state.

#![expect(clippy::inline_always, reason = "this is most of the inner loop of IDA*")]

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use super::cells::{Cells, Tables};
use super::{BlankMove, Board};
use crate::encode::{Encode, encode_as};

/// A state that holds only the tiles: 8 bytes in a `u64`, 16 in a `u128`.
///
/// Its heuristic is the sum of a few entries of tables over several tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Packed<C = u64> {
    tiles: C,
}

/// A state that also holds the cell of the blank and the Manhattan distance, updated by every move.
/// Equality and hash depend on the tiles alone.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tracked<C = u64> {
    tiles: C,
    manhattan: u16,
    blank: u8,
}

encode_as! {
    [C: Encode + Clone] Packed<C> as (C,):
        |state| (state.tiles.clone(),), |read| Some(Self { tiles: read.0 }), "tiles";
    [C: Encode + Clone] Tracked<C> as (C, u16, u8):
        |state| (state.tiles.clone(), state.manhattan, state.blank),
        |read| Some(Self { tiles: read.0, manhattan: read.1, blank: read.2 }), "tiles";
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

/// A representation of a state of [`SlidingTiles`](super::SlidingTiles): [`Packed`] or [`Tracked`].
///
/// This trait is sealed.
pub trait TileState: State {}

impl<C: TileCells> TileState for Packed<C> {}
impl<C: TileCells> TileState for Tracked<C> {}

/// The storage of the tiles of a state: `u64` for up to 16 cells, `u128` for up to 25, `[u8; N]` for up to
/// N, at most 256.
///
/// This trait is sealed.
pub trait TileCells: Cells {}

impl TileCells for u64 {}
impl TileCells for u128 {}
impl<const N: usize> TileCells for [u8; N] {}

/// The operations on a state.
pub trait State: Clone + Eq + Hash + Debug {
    /// The maximum number of cells.
    const CELLS: usize;
    /// The tables of the operations.
    type Tables: Clone + Debug;

    fn tables(width: usize, height: usize) -> Self::Tables;
    /// Returns the state of a board, which fits.
    fn new(board: &Board) -> Self;
    fn tile(&self, cell: u8) -> u8;
    fn blank(&self) -> u8;
    fn manhattan(&self, tables: &Self::Tables) -> u16;
    /// Moves the blank from the cell `blank` in the direction `way` to the cell `from`, and the tile there
    /// to the cell `blank`.
    fn slide(&mut self, tables: &Self::Tables, blank: u8, from: u8, way: BlankMove);
    fn is_goal(&self, goal: &Self) -> bool;

    /// What the unrolled successors of a state know besides the state: its Manhattan distance, unless the state holds
    /// it.
    type Known: Copy + Debug;

    fn known(&self, tables: &Self::Tables) -> Self::Known;
    /// The Manhattan distance, if the state does not hold it.
    fn known_manhattan(known: Self::Known) -> Option<u16>;

    /// Returns a copy after [`slide`](Self::slide), and what is known of it.
    fn slid(
        &self,
        known: Self::Known,
        tables: &Self::Tables,
        step: (u8, u8, BlankMove),
    ) -> (Self, Self::Known);

    /// Whether [`slid_in_fifteen`](Self::slid_in_fifteen) is faster than [`slid`](Self::slid).
    const KNOWS_FIFTEEN: bool = false;

    /// The same on the board of the 15-puzzle. The move increases the distance of every tile whose bit is set in
    /// `farther`, and decreases that of the others.
    fn slid_in_fifteen(
        &self,
        known: Self::Known,
        step: (u8, u8),
        farther: u16,
    ) -> (Self, Self::Known);
}

/// Returns the tiles after a move of the 15-puzzle, and the Manhattan distance.
#[inline(always)]
fn slid_in_fifteen<C: TileCells>(
    tiles: &C,
    manhattan: u16,
    (blank, from): (u8, u8),
    farther: u16,
) -> (C, u16) {
    let tile = tiles.tile(from);
    let change = u16::from(farther >> tile & 1 != 0) * 2;
    let mut tiles = tiles.clone();
    tiles.slide(blank, from, tile);
    (tiles, manhattan.wrapping_add(change).wrapping_sub(1))
}

impl<C: TileCells> State for Packed<C> {
    const CELLS: usize = C::CELLS;
    type Tables = Tables<C>;

    fn tables(width: usize, height: usize) -> Self::Tables {
        Tables { slides: C::slides(width, height), sums: C::sums(width, height) }
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
    fn slide(&mut self, _tables: &Self::Tables, blank: u8, from: u8, _way: BlankMove) {
        self.tiles.slide(blank, from, self.tiles.tile(from));
    }

    #[inline]
    fn is_goal(&self, goal: &Self) -> bool {
        self.tiles == goal.tiles
    }

    type Known = u16;

    #[inline]
    fn known(&self, tables: &Self::Tables) -> u16 {
        self.manhattan(tables)
    }

    #[inline]
    fn known_manhattan(manhattan: u16) -> Option<u16> {
        Some(manhattan)
    }

    #[inline(always)]
    fn slid(
        &self,
        manhattan: u16,
        tables: &Self::Tables,
        (blank, from, way): (u8, u8, BlankMove),
    ) -> (Self, u16) {
        let tile = self.tiles.tile(from);
        let change = C::change(&tables.slides, tile, blank, way);
        let mut slid = self.clone();
        slid.tiles.slide(blank, from, tile);
        (slid, manhattan.wrapping_add_signed(i16::from(change)))
    }

    const KNOWS_FIFTEEN: bool = C::KNOWS_FIFTEEN;

    #[inline(always)]
    fn slid_in_fifteen(&self, manhattan: u16, step: (u8, u8), farther: u16) -> (Self, u16) {
        let (tiles, manhattan) = slid_in_fifteen(&self.tiles, manhattan, step, farther);
        (Self { tiles }, manhattan)
    }
}

impl<C: TileCells> State for Tracked<C> {
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
    fn slide(&mut self, tables: &Self::Tables, blank: u8, from: u8, way: BlankMove) {
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

    type Known = ();

    #[inline]
    fn known(&self, _tables: &Self::Tables) {}

    #[inline]
    fn known_manhattan((): ()) -> Option<u16> {
        None
    }

    #[inline(always)]
    fn slid(
        &self,
        (): (),
        tables: &Self::Tables,
        (blank, from, way): (u8, u8, BlankMove),
    ) -> (Self, ()) {
        let mut slid = self.clone();
        slid.slide(tables, blank, from, way);
        (slid, ())
    }

    const KNOWS_FIFTEEN: bool = C::KNOWS_FIFTEEN;

    #[inline(always)]
    fn slid_in_fifteen(&self, (): (), step: (u8, u8), farther: u16) -> (Self, ()) {
        let (tiles, manhattan) = slid_in_fifteen(&self.tiles, self.manhattan, step, farther);
        (Self { tiles, manhattan, blank: step.1 }, ())
    }
}
