//! The crucible: a cart of molten metal crosses a city and loses heat on every block it enters.
//!
//! A [`HeatMap`] is a grid of digits, the heat lost on entering each block. A crucible goes from the
//! top left to the bottom right with the least total loss; the block that it starts on is not
//! counted. It moves straight on for at least `min` and at most `max` blocks, then turns left or
//! right. It never reverses, and where it stops it must also have moved `min` blocks straight on.
//! `1..=3` is the plain crucible, `4..=10` the ultra crucible.
//!
//! ```
//! use bestfirst::problems::crucible::{Crucible, HeatMap};
//!
//! let map: HeatMap = "\
//!     11114111\n\
//!     99944191\n\
//!     99944191"
//!     .parse()?;
//! let crucible = Crucible::new(&map, 1..=3)?;
//! let report = bestfirst::astar(&crucible, crucible.start())?;
//! let path = report.path().expect("there is a way");
//! assert_eq!(path.cost(), 17);
//! assert_eq!(
//!     crucible.draw(path).to_string(),
//!     "\
//!     1>>>4^>>\n\
//!     999v>>9v\n\
//!     9994419v\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a state is
//!
//! The obvious state is *where, in which direction, and how many blocks straight on so far*, with a
//! step to a neighbouring block as the edge. It has `4 · max` states for each block, and most of
//! them only count up to the next turn.
//!
//! What matters is decided at the turns. So here an edge is a whole run between two turns, and a
//! state is *where, and along which axis the last run went*: a crucible that came along a row leaves
//! along the column, up or down, and the other way round. The length of the run needs no place in
//! the state, as it is over; nor does the sense in which it went, as both ways of turning are open.
//! That leaves two states for each block, whatever the range. The edges know the rules: a run of
//! fewer than `min` or more than `max` blocks does not exist, so no path can contain one, and the
//! goal needs no rule of its own for stopping.
//!
//! The start may leave along either axis. It is a state of its own, [`Crucible::start`], which
//! nothing leads back to.
//!
//! The states number themselves without a gap ([`DenseStates`]):
//! `2 · (row · columns + column) + axis`, with 0 for a run along a row and 1 for a run along a
//! column, and the start last. A [`State`] *is* its number, four bytes.
//!
//! # Bounds
//!
//! [`Bound`] chooses what the heuristic is. All of them are admissible and consistent.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use crate::cost::Cost;
use crate::path::PathOf;
use crate::prefetch::prefetch;
use crate::problem::{DenseStates, SearchProblem, Successors};

/// Heat lost on the way.
pub type Heat = u32;

/// The heat lost on entering each block of a city, a rectangle of digits.
///
/// It is read from text, one row a line; the last line may end in a line break or not. `Display`
/// writes it in the same form. Clones share their memory.
///
/// ```
/// use bestfirst::problems::crucible::{HeatMap, HeatMapError};
///
/// let map: HeatMap = "241\n321".parse()?;
/// assert_eq!((map.rows(), map.columns()), (2, 3));
/// assert_eq!(map.loss(1, 0), Some(3));
///
/// let fault = "241\n3x1".parse::<HeatMap>().unwrap_err();
/// assert_eq!(fault, HeatMapError::NotADigit { line: 2, column: 2, found: 'x' });
/// assert_eq!(fault.to_string(), "line 2, column 2: 'x' is not a digit from 0 to 9");
///
/// let fault = "241\n32".parse::<HeatMap>().unwrap_err();
/// assert_eq!(
///     fault.to_string(),
///     "line 2, column 3: the row ends after 2 digits; like line 1 it must have 3"
/// );
/// # Ok::<(), HeatMapError>(())
/// ```
#[derive(Clone)]
pub struct HeatMap {
    rows: usize,
    columns: usize,
    /// Row after row.
    by_row: Arc<[u8]>,
    /// Column after column: a run along a column then reads neighbouring bytes, too.
    by_column: Arc<[u8]>,
    smallest: u8,
    /// See [`HeatMap::loss_without_turns`]; computed when first asked for, shared by all clones.
    to_corner: Arc<OnceLock<Arc<[Heat]>>>,
}

impl HeatMap {
    /// The most blocks that a map may have, some 477 million: the loss of a path that enters every
    /// block once still fits [`Heat`], and every state has a number of 32 bits.
    pub const MOST_BLOCKS: usize = (u32::MAX / 9) as usize;

    /// A map with random digits from 1 to 9, the same for the same numbers everywhere and always.
    ///
    /// Block after block, in the order of reading, the generator `SplitMix64` (Steele, Lea and
    /// Flood, 2014) yields 64 bits; the upper half `u` of them becomes the digit
    /// `1 + ⌊9 · u / 2³²⌋`. Its state starts as `seed`.
    ///
    /// ```
    /// use bestfirst::problems::crucible::HeatMap;
    ///
    /// assert_eq!(HeatMap::random(2, 5, 17)?.to_string(), "54331\n11617\n");
    /// # Ok::<(), bestfirst::problems::crucible::HeatMapError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`HeatMapError::Empty`] if there are no rows or no columns, [`HeatMapError::TooLarge`] if
    /// there are more than [`MOST_BLOCKS`](Self::MOST_BLOCKS) blocks.
    pub fn random(rows: usize, columns: usize, seed: u64) -> Result<Self, HeatMapError> {
        let blocks = checked_size(rows, columns)?;
        let mut state = seed;
        let digit = || {
            // Less than 9, as the upper half is less than 2³².
            let ninth = ((split_mix(&mut state) >> 32) * 9) >> 32;
            1 + u8::try_from(ninth).unwrap_or(8)
        };
        let by_row = std::iter::repeat_with(digit).take(blocks).collect();
        Ok(Self::from_rows(rows, columns, by_row))
    }

    /// `by_row` has `rows · columns` digits, at least one.
    fn from_rows(rows: usize, columns: usize, by_row: Vec<u8>) -> Self {
        let smallest = by_row.iter().copied().min().unwrap_or(0);
        let by_column = if rows == 1 || columns == 1 {
            by_row.clone()
        } else {
            transposed(&by_row, rows, columns)
        };
        Self {
            rows,
            columns,
            by_row: by_row.into(),
            by_column: by_column.into(),
            smallest,
            to_corner: Arc::default(),
        }
    }

    /// How many rows there are, at least one.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are, at least one.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The heat lost on entering a block, counted from 0; `None` outside the map.
    #[must_use]
    pub fn loss(&self, row: usize, column: usize) -> Option<u8> {
        let row = self.by_row.chunks_exact(self.columns).nth(row)?;
        row.get(column).copied()
    }

    /// The rows from top to bottom.
    #[must_use]
    pub fn rows_iter(&self) -> impl ExactSizeIterator<Item = &[u8]> + DoubleEndedIterator {
        self.by_row.chunks_exact(self.columns)
    }

    /// The smallest digit on the map.
    #[must_use]
    pub fn smallest_loss(&self) -> u8 {
        self.smallest
    }

    /// The least loss from each block to the bottom right corner for something that may turn when
    /// and where it likes, row after row: exact, and therefore a lower bound for every crucible.
    ///
    /// It takes time and memory proportional to the number of blocks, once for all clones of a map.
    ///
    /// ```
    /// use bestfirst::problems::crucible::HeatMap;
    ///
    /// let map: HeatMap = "19\n11".parse()?;
    /// assert_eq!(map.loss_without_turns(), [2, 1, 1, 0]);
    /// # Ok::<(), bestfirst::problems::crucible::HeatMapError>(())
    /// ```
    #[must_use]
    pub fn loss_without_turns(&self) -> &[Heat] {
        self.corner_table()
    }

    fn corner_table(&self) -> &Arc<[Heat]> {
        self.to_corner.get_or_init(|| loss_to_corner(&self.by_row, self.columns).into())
    }
}

impl PartialEq for HeatMap {
    fn eq(&self, other: &Self) -> bool {
        self.columns == other.columns && self.by_row == other.by_row
    }
}

impl Eq for HeatMap {}

impl fmt::Debug for HeatMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeatMap")
            .field("rows", &self.rows)
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for HeatMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::with_capacity(self.columns + 1);
        for row in self.rows_iter() {
            line.clear();
            line.extend(row.iter().map(|&loss| char::from(b'0' + loss)));
            line.push('\n');
            f.write_str(&line)?;
        }
        Ok(())
    }
}

impl FromStr for HeatMap {
    type Err = HeatMapError;

    fn from_str(text: &str) -> Result<Self, HeatMapError> {
        let text = text.trim_end_matches(['\n', '\r']);
        if text.is_empty() {
            return Err(HeatMapError::Empty);
        }
        let mut losses = Vec::with_capacity(text.len());
        let mut columns = 0;
        let mut rows = 0;
        for (index, row) in text.lines().enumerate() {
            let line = index + 1;
            let before = losses.len();
            for (at, found) in row.chars().enumerate() {
                let fault = HeatMapError::NotADigit { line, column: at + 1, found };
                let digit = found.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
                losses.push(digit.ok_or(fault)?);
            }
            let found = losses.len() - before;
            if index == 0 {
                columns = found;
            }
            if found != columns || found == 0 {
                return Err(HeatMapError::Ragged { line, found, expected: columns });
            }
            rows = line;
        }
        checked_size(rows, columns)?;
        Ok(Self::from_rows(rows, columns, losses))
    }
}

/// What is wrong with a heat map. Lines and columns are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeatMapError {
    /// There is no block at all.
    Empty,
    /// A row is longer or shorter than the first one.
    Ragged {
        /// The line of the row.
        line: usize,
        /// How many digits it has.
        found: usize,
        /// How many the first row has.
        expected: usize,
    },
    /// Something other than a digit.
    NotADigit {
        /// The line.
        line: usize,
        /// The column, in characters.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// There are more than [`HeatMap::MOST_BLOCKS`] blocks.
    TooLarge {
        /// How many rows there are, or were asked for.
        rows: usize,
        /// How many columns there are, or were asked for.
        columns: usize,
    },
}

impl HeatMapError {
    /// Line and column of the fault, where it has a place.
    #[must_use]
    pub fn place(&self) -> Option<(usize, usize)> {
        match *self {
            Self::Ragged { line, found, expected } => Some((line, found.min(expected) + 1)),
            Self::NotADigit { line, column, .. } => Some((line, column)),
            Self::Empty | Self::TooLarge { .. } => None,
        }
    }
}

impl fmt::Display for HeatMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.place() {
            write!(f, "line {line}, column {column}: ")?;
        }
        match *self {
            Self::Empty => f.write_str("the map is empty; it needs at least one row of digits"),
            Self::Ragged { expected: 0, .. } => {
                f.write_str("the first row is empty; it needs at least one digit")
            }
            Self::Ragged { found: 0, expected, .. } => {
                let digits = if expected == 1 { "digit" } else { "digits" };
                write!(f, "the row is empty; like line 1 it must have {expected} {digits}")
            }
            Self::Ragged { found: 1, expected, .. } => {
                write!(f, "the row ends after 1 digit; like line 1 it must have {expected}")
            }
            Self::Ragged { found, expected, .. } if found < expected => {
                write!(f, "the row ends after {found} digits; like line 1 it must have {expected}")
            }
            Self::Ragged { found, expected, .. } => {
                write!(f, "the row has {found} digits; like line 1 it must have {expected}")
            }
            Self::NotADigit { found, .. } => {
                write!(f, "{found:?} is not a digit from 0 to 9")
            }
            Self::TooLarge { rows, columns } => write!(
                f,
                "a map of {rows} rows and {columns} columns is too large; at most {} blocks fit",
                HeatMap::MOST_BLOCKS
            ),
        }
    }
}

impl std::error::Error for HeatMapError {}

/// A crucible that crosses a [`HeatMap`] under a rule about how far it goes straight on.
///
/// The [module](self) explains the rules and the choice of the state.
#[derive(Clone, Debug)]
pub struct Crucible {
    map: HeatMap,
    min: usize,
    max: usize,
    bound: Bound,
    /// The table behind the bound; empty where it needs none.
    to_corner: Arc<[Heat]>,
    rows: u32,
    columns: u32,
    /// The number of the start, which is twice the number of blocks.
    start: u32,
    /// See [`Crucible::split`].
    per_column: u64,
}

impl Crucible {
    /// A crucible that moves at least `run.start()` blocks before it may turn or stop, and at most
    /// `run.end()` blocks before it must. Its bound is [`Bound::WithoutTurns`].
    ///
    /// A `min` that no run on the map fits into is no error: the search says that there is no way.
    ///
    /// ```
    /// use bestfirst::problems::crucible::{Crucible, HeatMap, RunError};
    ///
    /// let map: HeatMap = "1111".parse()?;
    /// assert!(Crucible::new(&map, 4..=10).is_ok());
    /// assert_eq!(Crucible::new(&map, 0..=3).unwrap_err(), RunError::MinZero);
    /// assert_eq!(
    ///     Crucible::new(&map, 5..=3).unwrap_err().to_string(),
    ///     "a run of at least 5 and at most 3 blocks cannot be; min must not be above max"
    /// );
    /// # Ok::<(), bestfirst::problems::crucible::HeatMapError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RunError::MinZero`] or [`RunError::MinAboveMax`].
    pub fn new(map: &HeatMap, run: RangeInclusive<u32>) -> Result<Self, RunError> {
        let (min, max) = run.into_inner();
        if min == 0 {
            return Err(RunError::MinZero);
        }
        if min > max {
            return Err(RunError::MinAboveMax { min, max });
        }
        // A map has fewer blocks than half of what 32 bits can count; that also holds for its rows
        // and columns, and for twice its blocks.
        let fits = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let columns = fits(map.columns);
        let crucible = Self {
            map: map.clone(),
            min: usize::try_from(min).unwrap_or(usize::MAX),
            max: usize::try_from(max).unwrap_or(usize::MAX),
            bound: Bound::Manhattan,
            to_corner: Arc::default(),
            rows: fits(map.rows),
            columns,
            start: fits(2 * map.by_row.len()),
            per_column: (1_u64 << 63).div_ceil(u64::from(columns)),
        };
        Ok(crucible.bound(Bound::WithoutTurns))
    }

    /// The same crucible with another heuristic.
    ///
    /// ```
    /// use bestfirst::problems::crucible::{Bound, Crucible, HeatMap};
    ///
    /// let map = HeatMap::random(100, 100, 1)?;
    /// let ultra = Crucible::new(&map, 4..=10)?;
    /// let start = ultra.start();
    /// let far = bestfirst::astar(&ultra.clone().bound(Bound::Manhattan), start)?;
    /// let near = bestfirst::astar(&ultra.bound(Bound::NextRun), start)?;
    /// assert_eq!(near.cost(), far.cost());
    /// assert!(near.stats.expanded < far.stats.expanded);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bound(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self.to_corner = match bound {
            Bound::Manhattan => Arc::default(),
            Bound::WithoutTurns | Bound::NextRun => Arc::clone(self.map.corner_table()),
        };
        self
    }

    /// Which heuristic it has.
    #[must_use]
    pub fn chosen_bound(&self) -> Bound {
        self.bound
    }

    /// The map that it crosses.
    #[must_use]
    pub fn map(&self) -> &HeatMap {
        &self.map
    }

    /// Where every crucible starts: top left, not yet on any axis.
    #[must_use]
    pub fn start(&self) -> State {
        State(self.start)
    }

    /// The state of a crucible whose last run went along `axis` and ended on a block, counted from
    /// 0; `None` outside the map.
    #[must_use]
    pub fn state(&self, row: usize, column: usize, axis: Axis) -> Option<State> {
        if row >= self.map.rows || column >= self.map.columns {
            return None;
        }
        let number = 2 * (row * self.map.columns + column) + axis as usize;
        u32::try_from(number).ok().map(State)
    }

    /// The row and the column of the block that a crucible in this state is on, counted from 0.
    #[must_use]
    pub fn block(&self, state: State) -> (usize, usize) {
        let (row, column) = self.split(self.cell(state));
        (row as usize, column as usize)
    }

    /// Along which axis its last run went; `None` at the start.
    #[must_use]
    pub fn axis(&self, state: State) -> Option<Axis> {
        (state.0 < self.start).then_some(if state.0 & 1 == 0 { Axis::Row } else { Axis::Column })
    }

    /// Every block that a path enters, in order: row, column, and the direction it is entered in.
    ///
    /// The start is not among them, as it is not entered. A block comes twice where the path
    /// crosses itself.
    pub fn blocks<'a>(
        &'a self,
        path: &'a PathOf<Self>,
    ) -> impl Iterator<Item = (usize, usize, Direction)> + 'a {
        path.steps().flat_map(|step| {
            let (row, column) = self.block(*step.from);
            let Run { direction, length } = *step.action;
            (1..=length as usize).map(move |ahead| {
                let (row, column) = match direction {
                    Direction::Up => (row.wrapping_sub(ahead), column),
                    Direction::Down => (row.wrapping_add(ahead), column),
                    Direction::Left => (row, column.wrapping_sub(ahead)),
                    Direction::Right => (row, column.wrapping_add(ahead)),
                };
                (row, column, direction)
            })
        })
    }

    /// The map as text, with an arrow on every block that the path enters.
    ///
    /// Whatever of the path lies outside the map, because it is the path of another problem, is not
    /// drawn.
    #[must_use]
    pub fn draw<'a>(&'a self, path: &'a PathOf<Self>) -> Drawing<'a> {
        Drawing { crucible: self, path }
    }

    /// The number of the block.
    #[inline]
    fn cell(&self, state: State) -> u32 {
        if state.0 == self.start { 0 } else { state.0 >> 1 }
    }

    /// Row and column of a block by its number.
    ///
    /// A division by the number of columns, as a multiplication by `⌈2⁶³ / columns⌉`: exact, as both
    /// numbers are below 2²⁹ (the error, at most `cell / 2⁶³`, must stay below `1 / columns`).
    #[inline]
    fn split(&self, cell: u32) -> (u32, u32) {
        let quotient = (u128::from(self.per_column) * u128::from(cell)) >> 63;
        // The quotient is not above `cell`.
        #[expect(clippy::cast_possible_truncation, reason = "not above cell, which is a u32")]
        let row = quotient as u32;
        (row, cell.wrapping_sub(row.wrapping_mul(self.columns)))
    }

    /// The line of blocks along `axis` on which `(row, column)` lies, cut at it: the blocks before,
    /// the blocks after. Empty where a state does not belong to the map.
    #[inline]
    fn line(&self, axis: Axis, row: u32, column: u32) -> (&[u8], &[u8]) {
        let (losses, length, line, at) = match axis {
            Axis::Row => (&self.map.by_row, self.map.columns, row as usize, column as usize),
            Axis::Column => (&self.map.by_column, self.map.rows, column as usize, row as usize),
        };
        let first = line.wrapping_mul(length);
        let Some(line) = losses.get(first..first.wrapping_add(length)) else {
            return (&[], &[]);
        };
        match line.split_at_checked(at) {
            Some((before, [_, after @ ..])) => (before, after),
            _ => (&[], &[]),
        }
    }

    /// All runs along `axis`, both ways, from a block.
    #[inline]
    fn push_runs(&self, axis: Axis, cell: u32, row: u32, column: u32, next: &mut Successors<Self>) {
        let (before, after) = self.line(axis, row, column);
        let (back, ahead, stride) = match axis {
            Axis::Row => (Direction::Left, Direction::Right, 1),
            Axis::Column => (Direction::Up, Direction::Down, self.columns),
        };
        let here = 2 * cell + axis as u32;
        let stride = 2 * stride;
        let near = &after[..after.len().min(self.max)];
        if let Some((short, runs)) = near.split_at_checked(self.min - 1) {
            push_one_way(ahead, short.iter(), runs.iter(), here, stride, next);
        }
        let near = &before[before.len().saturating_sub(self.max)..];
        if let Some(at) = near.len().checked_sub(self.min - 1) {
            let (runs, short) = near.split_at(at);
            // Adding this wraps around to subtracting the stride.
            let stride = stride.wrapping_neg();
            push_one_way(back, short.iter(), runs.iter().rev(), here, stride, next);
        }
    }

    /// The least loss of a shortest run along `axis`, either way, and of the rest without turns.
    fn next_run(&self, axis: Axis, cell: u32, row: u32, column: u32) -> Heat {
        let (before, after) = self.line(axis, row, column);
        let stride = match axis {
            Axis::Row => 1,
            Axis::Column => self.map.columns,
        };
        let cell = cell as usize;
        let mut least = Heat::INFINITY;
        if after.len() >= self.min {
            let run: Heat = after.iter().take(self.min).map(|&loss| Heat::from(loss)).sum();
            least = run.saturating_add(self.corner(cell + self.min * stride));
        }
        if before.len() >= self.min {
            let run: Heat = before.iter().rev().take(self.min).map(|&loss| Heat::from(loss)).sum();
            least = least.min(run.saturating_add(self.corner(cell - self.min * stride)));
        }
        least
    }

    #[inline]
    fn corner(&self, cell: usize) -> Heat {
        self.to_corner.get(cell).copied().unwrap_or(Heat::INFINITY)
    }
}

/// Runs over the blocks of `short`, which are too few to end there, and on over those of `runs`.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "no run is longer than a map")]
fn push_one_way<'a>(
    direction: Direction,
    short: std::slice::Iter<'a, u8>,
    runs: impl ExactSizeIterator<Item = &'a u8>,
    here: u32,
    stride: u32,
    next: &mut Successors<Crucible>,
) {
    let mut length = short.len() as u32;
    let mut state = here.wrapping_add(stride.wrapping_mul(length));
    let mut heat = short.map(|&loss| Heat::from(loss)).sum();
    next.extend(runs.map(|&loss| {
        heat += Heat::from(loss);
        state = state.wrapping_add(stride);
        length += 1;
        (Run { direction, length }, State(state), heat)
    }));
}

impl SearchProblem for Crucible {
    type State = State;
    type Action = Run;
    type Cost = Heat;

    #[inline]
    fn successors(&self, &state: &State, next: &mut Successors<Self>) {
        let cell = self.cell(state);
        let (row, column) = self.split(cell);
        match self.axis(state) {
            Some(Axis::Row) => self.push_runs(Axis::Column, cell, row, column, next),
            Some(Axis::Column) => self.push_runs(Axis::Row, cell, row, column, next),
            None => {
                self.push_runs(Axis::Row, cell, row, column, next);
                self.push_runs(Axis::Column, cell, row, column, next);
            }
        }
    }

    #[inline]
    fn heuristic(&self, state: &State) -> Heat {
        let cell = self.cell(*state);
        match self.bound {
            Bound::WithoutTurns => self.corner(cell as usize),
            Bound::Manhattan => {
                let (row, column) = self.split(cell);
                let blocks =
                    (self.rows - 1).saturating_sub(row) + (self.columns - 1).saturating_sub(column);
                blocks * Heat::from(self.map.smallest)
            }
            Bound::NextRun => {
                if self.is_goal(state) {
                    return 0;
                }
                let (row, column) = self.split(cell);
                let run = |axis| self.next_run(axis, cell, row, column);
                match self.axis(*state) {
                    Some(Axis::Row) => run(Axis::Column),
                    Some(Axis::Column) => run(Axis::Row),
                    None => run(Axis::Row).min(run(Axis::Column)),
                }
            }
        }
    }

    #[inline]
    fn prefetch(&self, &state: &State) {
        let (row, column) = self.split(self.cell(state));
        // The line that crosses the last run.
        let across = match self.axis(state) {
            Some(Axis::Column) => Axis::Row,
            _ => Axis::Column,
        };
        let (_, after) = self.line(across, row, column);
        prefetch(after, 0);
    }

    #[inline]
    fn is_goal(&self, &State(number): &State) -> bool {
        // The two states of the last block; where it is the first one too, the start as well.
        number.wrapping_sub(self.start - 2) < if self.start == 2 { 3 } else { 2 }
    }
}

impl DenseStates for Crucible {
    #[inline]
    fn state_count(&self) -> usize {
        self.start as usize + 1
    }

    #[inline]
    fn state_index(&self, state: &State) -> usize {
        state.0 as usize
    }

    #[inline]
    fn state_at(&self, index: usize) -> State {
        // An index that is out of range is of no state, whatever is returned for it.
        State(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// How much heat is still to be lost, at least.
///
/// | bound | per state | before the search |
/// |---|---|---|
/// | `Manhattan` | a few operations | nothing |
/// | `WithoutTurns` | one look into a table | a pass over the map, once for all clones of it |
/// | `NextRun` | `2 · min` additions and two looks | the same |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// The blocks still to enter, times the smallest digit of the map.
    Manhattan,
    /// The exact loss of a way that need not heed any rule about turning.
    #[default]
    WithoutTurns,
    /// The shortest run that the rules allow next, and `WithoutTurns` from its end. It also sees
    /// where no run fits any more. The longer `min` is, the more it gains over `WithoutTurns`.
    NextRun,
}

/// Where a crucible is, and along which axis its last run went: the state's own number.
///
/// [`Crucible::block`] and [`Crucible::axis`] say what it means, [`Crucible::state`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(u32);

/// The two ways in which a run can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Left or right.
    Row = 0,
    /// Up or down.
    Column = 1,
}

/// Where a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Towards the first row.
    Up,
    /// Towards the last row.
    Down,
    /// Towards the first column.
    Left,
    /// Towards the last column.
    Right,
}

impl Direction {
    /// The arrow that [`Crucible::draw`] puts on a block.
    #[must_use]
    pub fn arrow(self) -> char {
        match self {
            Self::Up => '^',
            Self::Down => 'v',
            Self::Left => '<',
            Self::Right => '>',
        }
    }
}

/// Straight on for some blocks, between two turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// Where it goes.
    pub direction: Direction,
    /// How many blocks it enters.
    pub length: u32,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = match self.direction {
            Direction::Up => "up",
            Direction::Down => "down",
            Direction::Left => "left",
            Direction::Right => "right",
        };
        write!(f, "{} {direction}", self.length)
    }
}

/// What is wrong with a range of run lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// A run of no blocks is none.
    MinZero,
    /// No length lies in the range.
    MinAboveMax {
        /// The least that was asked for.
        min: u32,
        /// The most that was asked for.
        max: u32,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MinZero => f.write_str("a run of 0 blocks is none; min must be at least 1"),
            Self::MinAboveMax { min, max } => write!(
                f,
                "a run of at least {min} and at most {max} blocks cannot be; min must not be above \
                 max"
            ),
        }
    }
}

impl std::error::Error for RunError {}

/// A [`HeatMap`] with a path on it, made by [`Crucible::draw`].
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    crucible: &'a Crucible,
    path: &'a PathOf<Crucible>,
}

impl Drawing<'_> {
    /// The rows from top to bottom; for each block its digit, or the direction in which the path
    /// enters it last. This is for drawings of one's own.
    #[must_use]
    pub fn cells(&self) -> Vec<Vec<Cell>> {
        let mut cells: Vec<Vec<Cell>> = self
            .crucible
            .map
            .rows_iter()
            .map(|row| row.iter().map(|&loss| Cell { loss, entered: None }).collect())
            .collect();
        for (row, column, direction) in self.crucible.blocks(self.path) {
            if let Some(cell) = cells.get_mut(row).and_then(|row| row.get_mut(column)) {
                cell.entered = Some(direction);
            }
        }
        cells
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::with_capacity(self.crucible.map.columns + 1);
        for row in self.cells() {
            line.clear();
            line.extend(row.iter().map(Cell::character));
            line.push('\n');
            f.write_str(&line)?;
        }
        Ok(())
    }
}

/// One block of a [`Drawing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The heat lost on entering it.
    pub loss: u8,
    /// The direction in which the path enters it last, if it does.
    pub entered: Option<Direction>,
}

impl Cell {
    /// The arrow of the path, or the digit.
    #[must_use]
    pub fn character(&self) -> char {
        match self.entered {
            Some(direction) => direction.arrow(),
            None => char::from(b'0'.saturating_add(self.loss)),
        }
    }
}

/// The next number of the generator `SplitMix64`.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// The number of blocks of a map that is neither empty nor too large.
fn checked_size(rows: usize, columns: usize) -> Result<usize, HeatMapError> {
    if rows == 0 || columns == 0 {
        return Err(HeatMapError::Empty);
    }
    rows.checked_mul(columns)
        .filter(|&blocks| blocks <= HeatMap::MOST_BLOCKS)
        .ok_or(HeatMapError::TooLarge { rows, columns })
}

/// Columns become rows. Goes by square tiles, so that both sides stay in the cache.
fn transposed(by_row: &[u8], rows: usize, columns: usize) -> Vec<u8> {
    const TILE: usize = 64;
    let mut by_column = vec![0; by_row.len()];
    for top in (0..rows).step_by(TILE) {
        for left in (0..columns).step_by(TILE) {
            for row in top..rows.min(top + TILE) {
                for column in left..columns.min(left + TILE) {
                    by_column[column * rows + row] = by_row[row * columns + column];
                }
            }
        }
    }
    by_column
}

/// The least loss from each block to the last one, where turns are free.
///
/// Dijkstra's algorithm backwards, simpler than the general one for two reasons. To leave a block
/// for its neighbour costs what entering the neighbour costs, so if a block is filed by its distance
/// *plus its own loss*, whoever reaches a block first gives it its distance for good: every block is
/// filed once. And the losses are digits, so that ten buckets used in turn are queue enough.
fn loss_to_corner(by_row: &[u8], columns: usize) -> Vec<Heat> {
    let mut distance = vec![Heat::INFINITY; by_row.len()];
    let mut buckets: [Vec<u32>; 10] = Default::default();
    let Some(last) = by_row.len().checked_sub(1) else { return distance };
    distance[last] = 0;
    let number = |cell: usize| u32::try_from(cell).unwrap_or(u32::MAX);
    buckets[usize::from(by_row[last]).min(9)].push(number(last));
    let mut open = 1_usize;
    let mut heat: Heat = 0;
    let mut current = 0_usize;
    while open > 0 {
        // A block that costs nothing to enter goes into the bucket that is being emptied.
        while let Some(cell) = buckets[current].pop() {
            open -= 1;
            let cell = cell as usize;
            let column = cell % columns;
            let neighbours = [
                if column > 0 { cell - 1 } else { usize::MAX },
                if column + 1 < columns { cell + 1 } else { usize::MAX },
                cell.wrapping_sub(columns),
                cell + columns,
            ];
            for neighbour in neighbours {
                if let Some(known) = distance.get_mut(neighbour)
                    && *known == Heat::INFINITY
                {
                    *known = heat;
                    let bucket = (current + usize::from(by_row[neighbour])) % 10;
                    buckets[bucket].push(number(neighbour));
                    open += 1;
                }
            }
        }
        heat += 1;
        current = (current + 1) % 10;
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::SuccessorBuffer;

    const EXAMPLE: &str = "\
2413432311323
3215453535623
3255245654254
3446585845452
4546657867536
1438598798454
4457876987766
3637877979653
4654967986887
4564679986453
1224686865563
2546548887735
4322674655533
";

    fn map(text: &str) -> HeatMap {
        text.parse().unwrap()
    }

    fn crucible(text: &str, run: RangeInclusive<u32>) -> Crucible {
        Crucible::new(&map(text), run).unwrap()
    }

    type Described = (Direction, u32, (usize, usize), Option<Axis>, Heat);

    fn successors(crucible: &Crucible, state: State) -> Vec<Described> {
        let mut next = SuccessorBuffer::new();
        crucible.successors(&state, &mut next);
        next.drain()
            .map(|s| {
                let Run { direction, length } = s.action;
                (direction, length, crucible.block(s.state), crucible.axis(s.state), s.cost)
            })
            .collect()
    }

    #[test]
    fn text_comes_back() {
        for text in [EXAMPLE, "0\n", "19\n", "1\n9\n", "12\n34\n56\n"] {
            assert_eq!(map(text).to_string(), text);
        }
        assert_eq!(map("12\r\n34\r\n").to_string(), "12\n34\n");
        assert_eq!(map("12\n34\n\n\n"), map("12\n34"));
        assert_ne!(map("12\n34"), map("1234"));
    }

    #[test]
    fn each_fault_has_its_name_and_place() {
        let fault = |text: &str| text.parse::<HeatMap>().unwrap_err();
        assert_eq!(fault(""), HeatMapError::Empty);
        assert_eq!(fault("\n\r\n"), HeatMapError::Empty);
        assert_eq!(fault("12\n1\n12"), HeatMapError::Ragged { line: 2, found: 1, expected: 2 });
        assert_eq!(fault("12\n123"), HeatMapError::Ragged { line: 2, found: 3, expected: 2 });
        assert_eq!(fault("12\n\n12"), HeatMapError::Ragged { line: 2, found: 0, expected: 2 });
        assert_eq!(fault("\n12"), HeatMapError::Ragged { line: 1, found: 0, expected: 0 });
        let digit = |line, column, found| HeatMapError::NotADigit { line, column, found };
        assert_eq!(fault("12\n1x"), digit(2, 2, 'x'));
        assert_eq!(fault(" 12"), digit(1, 1, ' '));
        assert_eq!(fault("éé"), digit(1, 1, 'é'));
        assert_eq!(fault("1²"), digit(1, 2, '²'));
        assert_eq!(fault("12\n1٣"), digit(2, 2, '٣'));

        assert_eq!(fault("12\n123").place(), Some((2, 3)));
        assert_eq!(fault("12\n1").place(), Some((2, 2)));
        assert_eq!(fault("12\n1x").place(), Some((2, 2)));
        assert_eq!(fault("").place(), None);
        assert_eq!(
            fault("12\n123").to_string(),
            "line 2, column 3: the row has 3 digits; like line 1 it must have 2"
        );
        assert_eq!(
            fault("12\n\n12").to_string(),
            "line 2, column 1: the row is empty; like line 1 it must have 2 digits"
        );
        assert_eq!(fault("").to_string(), "the map is empty; it needs at least one row of digits");
        assert!(fault("\n12").to_string().starts_with("line 1, column 1: the first row is empty"));
    }

    #[test]
    fn sizes_are_checked_before_memory_is_taken() {
        let most = HeatMap::MOST_BLOCKS;
        assert_eq!(checked_size(most, 1), Ok(most));
        for (rows, columns) in [(most + 1, 1), (1 << 20, 1 << 20), (usize::MAX, usize::MAX)] {
            let fault = HeatMapError::TooLarge { rows, columns };
            assert_eq!(HeatMap::random(rows, columns, 0), Err(fault));
            assert!(fault.to_string().contains("477218588 blocks fit"), "{fault}");
        }
        assert_eq!(HeatMap::random(0, 5, 0), Err(HeatMapError::Empty));
        assert_eq!(HeatMap::random(usize::MAX, 0, 0), Err(HeatMapError::Empty));
    }

    #[test]
    fn the_generator_is_the_published_one() {
        let mut state = 1_234_567;
        assert_eq!(split_mix(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(split_mix(&mut state), 3_203_168_211_198_807_973);
    }

    #[test]
    fn random_maps_have_every_digit_but_zero() {
        let map = HeatMap::random(30, 30, 1).unwrap();
        let mut count = [0; 10];
        map.rows_iter().flatten().for_each(|&loss| count[usize::from(loss)] += 1);
        assert_eq!(count[0], 0);
        assert!(count[1..].iter().all(|&n| n > 60), "{count:?}");
        assert_ne!(map, HeatMap::random(30, 30, 2).unwrap());
    }

    #[test]
    fn transposed_by_tiles() {
        let map = HeatMap::random(130, 67, 3).unwrap();
        for row in 0..130 {
            for column in 0..67 {
                assert_eq!(map.by_column[column * 130 + row], map.by_row[row * 67 + column]);
            }
        }
    }

    #[test]
    fn bad_ranges_are_refused() {
        let map = map("12");
        let fault = |run| Crucible::new(&map, run).unwrap_err();
        assert_eq!(fault(0..=3), RunError::MinZero);
        #[expect(clippy::reversed_empty_ranges, reason = "it is to be refused")]
        let reversed = 4..=3;
        assert_eq!(fault(reversed), RunError::MinAboveMax { min: 4, max: 3 });
        assert!(Crucible::new(&map, 1..=u32::MAX).is_ok());
        assert!(Crucible::new(&map, u32::MAX..=u32::MAX).is_ok());
    }

    #[test]
    fn runs_go_both_ways_across_the_last_one() {
        let crucible = crucible("12345\n67890\n13579\n24680", 1..=2);
        let along_row = crucible.state(1, 2, Axis::Row).unwrap();
        assert_eq!(
            successors(&crucible, along_row),
            [
                (Direction::Down, 1, (2, 2), Some(Axis::Column), 5),
                (Direction::Down, 2, (3, 2), Some(Axis::Column), 11),
                (Direction::Up, 1, (0, 2), Some(Axis::Column), 3),
            ]
        );
        let along_column = crucible.state(1, 2, Axis::Column).unwrap();
        assert_eq!(
            successors(&crucible, along_column),
            [
                (Direction::Right, 1, (1, 3), Some(Axis::Row), 9),
                (Direction::Right, 2, (1, 4), Some(Axis::Row), 9),
                (Direction::Left, 1, (1, 1), Some(Axis::Row), 7),
                (Direction::Left, 2, (1, 0), Some(Axis::Row), 13),
            ]
        );
        assert_eq!(
            successors(&crucible, crucible.start()),
            [
                (Direction::Right, 1, (0, 1), Some(Axis::Row), 2),
                (Direction::Right, 2, (0, 2), Some(Axis::Row), 5),
                (Direction::Down, 1, (1, 0), Some(Axis::Column), 6),
                (Direction::Down, 2, (2, 0), Some(Axis::Column), 7),
            ]
        );
    }

    #[test]
    fn short_runs_cost_but_do_not_end() {
        let crucible = crucible("1234567", 3..=5);
        assert_eq!(
            successors(&crucible, crucible.start()),
            [
                (Direction::Right, 3, (0, 3), Some(Axis::Row), 9),
                (Direction::Right, 4, (0, 4), Some(Axis::Row), 14),
                (Direction::Right, 5, (0, 5), Some(Axis::Row), 20),
            ]
        );
        let middle = crucible.state(0, 3, Axis::Column).unwrap();
        assert_eq!(
            successors(&crucible, middle),
            [
                (Direction::Right, 3, (0, 6), Some(Axis::Row), 18),
                (Direction::Left, 3, (0, 0), Some(Axis::Row), 6),
            ]
        );
        assert_eq!(successors(&crucible, crucible.state(0, 3, Axis::Row).unwrap()), []);
    }

    #[test]
    fn states_are_numbered_without_a_gap() {
        for text in ["5", "123", "1\n2\n3", EXAMPLE] {
            let crucible = crucible(text, 1..=3);
            let (rows, columns) = (crucible.map().rows(), crucible.map().columns());
            let mut expected = 0;
            for row in 0..rows {
                for column in 0..columns {
                    for axis in [Axis::Row, Axis::Column] {
                        let state = crucible.state(row, column, axis).unwrap();
                        assert_eq!(crucible.state_index(&state), expected);
                        assert_eq!(crucible.state_at(expected), state);
                        assert_eq!(crucible.block(state), (row, column));
                        assert_eq!(crucible.axis(state), Some(axis));
                        let last = (row + 1, column + 1) == (rows, columns);
                        assert_eq!(crucible.is_goal(&state), last);
                        expected += 1;
                    }
                }
            }
            let start = crucible.start();
            assert_eq!(crucible.state_index(&start), expected);
            assert_eq!(crucible.state_at(expected), start);
            assert_eq!(crucible.state_count(), expected + 1);
            assert_eq!(crucible.block(start), (0, 0));
            assert_eq!(crucible.axis(start), None);
            assert_eq!(crucible.is_goal(&start), expected == 2);
            assert_eq!(crucible.state(rows, 0, Axis::Row), None);
            assert_eq!(crucible.state(0, columns, Axis::Row), None);
        }
    }

    #[test]
    fn rows_are_found_without_a_division() {
        let most = u32::try_from(HeatMap::MOST_BLOCKS).unwrap();
        let map = map("1");
        for columns in [1, 2, 3, 7, 10, 141, 2000, 65_535, 65_537, most / 2, most - 1, most] {
            let mut crucible = Crucible::new(&map, 1..=3).unwrap();
            crucible.columns = columns;
            crucible.per_column = (1_u64 << 63).div_ceil(u64::from(columns));
            let near = |n: u32| n.saturating_sub(2)..=(n + 2).min(most);
            for cell in near(0).chain(near(columns)).chain(near(most / columns * columns)) {
                assert_eq!(crucible.split(cell), (cell / columns, cell % columns), "{columns}");
            }
        }
    }

    #[test]
    fn a_state_of_another_map_does_no_harm() {
        let (small, large) = (crucible("12\n34", 1..=3), crucible(EXAMPLE, 1..=3));
        for number in 0..large.state_count() {
            let state = large.state_at(number);
            for bound in [Bound::Manhattan, Bound::WithoutTurns, Bound::NextRun] {
                let _ = small.clone().bound(bound).heuristic(&state);
            }
            let _ = successors(&small, state);
        }
        let none = small.state_at(usize::MAX);
        assert_eq!(successors(&small, none), []);
    }

    #[test]
    fn loss_without_turns_obeys_bellman() {
        for text in [EXAMPLE, "0", "000\n090\n000", "123456", "1\n2\n3"] {
            let map = map(text);
            let (rows, columns) = (map.rows(), map.columns());
            let table = map.loss_without_turns();
            for row in 0..rows {
                for column in 0..columns {
                    let neighbours = [
                        (row.wrapping_sub(1), column),
                        (row + 1, column),
                        (row, column.wrapping_sub(1)),
                        (row, column + 1),
                    ];
                    let through = neighbours.iter().filter_map(|&(r, c)| {
                        (c < columns).then_some(())?;
                        Some(Heat::from(map.loss(r, c)?) + table[r * columns + c])
                    });
                    let last = (row + 1, column + 1) == (rows, columns);
                    let expected = if last { 0 } else { through.min().unwrap() };
                    assert_eq!(table[row * columns + column], expected, "{row}, {column}");
                }
            }
        }
    }

    /// Consistent everywhere and zero at the goals: then admissible, too.
    #[test]
    fn bounds_are_consistent_and_ordered() {
        let zeros = HeatMap::random(12, 9, 5).unwrap().to_string().replace(['3', '7'], "0");
        for text in [EXAMPLE, &zeros, "1199\n9119\n9911", "5", "12345"] {
            for run in [1..=3, 4..=10, 1..=1, 2..=2, 3..=200, 1..=u32::MAX, 50..=60] {
                let base = crucible(text, run);
                let [far, near, nearest] = [Bound::Manhattan, Bound::WithoutTurns, Bound::NextRun]
                    .map(|bound| base.clone().bound(bound));
                let mut next = SuccessorBuffer::new();
                for number in 0..base.state_count() {
                    let state = base.state_at(number);
                    assert!(far.heuristic(&state) <= near.heuristic(&state));
                    if !base.is_goal(&state) {
                        assert!(near.heuristic(&state) <= nearest.heuristic(&state));
                    }
                    for problem in [&far, &near, &nearest] {
                        let h = problem.heuristic(&state);
                        assert!(!base.is_goal(&state) || h == 0);
                        problem.successors(&state, &mut next);
                        assert!(h < Heat::INFINITY || next.is_empty());
                        for step in next.drain() {
                            let through = step.cost.saturating_add(problem.heuristic(&step.state));
                            assert!(h <= through, "{number} {:?}", problem.bound);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn clones_share_the_table() {
        let map = map(EXAMPLE);
        let (a, b) = (Crucible::new(&map, 1..=3).unwrap(), Crucible::new(&map, 4..=10).unwrap());
        assert!(Arc::ptr_eq(&a.to_corner, &b.to_corner));
    }
}
