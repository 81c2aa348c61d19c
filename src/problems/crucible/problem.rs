//! [`Crucible`]: the search problem.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::{Axis, Direction, Drawing, Heat, HeatMap, LossBound, RunError, State, StraightRun};
use crate::path::PathOf;
use crate::prefetch::prefetch;
use crate::problem::{DenseStates, Reversible, SearchProblem, Successors};
use crate::problems::memory::OutOfMemory;

/// The problem of crossing a [`HeatMap`] with a given range of run lengths.
///
/// The [module](super) explains the rules and the choice of the state.
#[derive(Clone, Debug)]
pub struct Crucible {
    pub(super) map: HeatMap,
    pub(super) min: usize,
    max: usize,
    pub(super) bound: LossBound,
    /// The map's table, [`HeatMap::loss_without_turns`].
    pub(super) to_corner: Arc<Vec<Heat>>,
    rows: u32,
    pub(super) columns: u32,
    /// The number of the start, which is twice the number of blocks.
    start: u32,
    /// See [`Crucible::split`].
    pub(super) per_column: u64,
}

impl Crucible {
    /// Returns a crucible that moves at least `run.start()` blocks before it may turn or stop, and at most
    /// `run.end()` blocks before it must turn. Its heuristic is [`LossBound::WithoutTurns`].
    ///
    /// A `min` that is longer than the map is no error: the search reports that there is no solution.
    ///
    /// The first crucible on a map computes the [table](HeatMap::loss_without_turns) of the map, in
    /// time and memory proportional to the number of blocks.
    ///
    /// ```
    /// use bestfirst::problems::crucible::{Crucible, HeatMap, RunError};
    ///
    /// let map: HeatMap = "1111".parse()?;
    /// assert!(Crucible::new(&map, 4..=10).is_ok());
    /// assert_eq!(Crucible::new(&map, 0..=3).unwrap_err(), RunError::MinZero);
    /// assert_eq!(
    ///     Crucible::new(&map, 5..=3).unwrap_err().to_string(),
    ///     "a run of at least 5 and at most 3 blocks is not possible; min must not be above max"
    /// );
    /// # Ok::<(), bestfirst::problems::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RunError::MinZero`] or [`RunError::MinAboveMax`] if the range is invalid,
    /// [`RunError::OutOfMemory`] if the table does not fit into memory.
    pub fn new(map: &HeatMap, run: RangeInclusive<u32>) -> Result<Self, RunError> {
        let (min, max) = run.into_inner();
        if min == 0 {
            return Err(RunError::MinZero);
        }
        if min > max {
            return Err(RunError::MinAboveMax { min, max });
        }
        let (rows, columns) = (map.rows, map.columns);
        let to_corner = map
            .corner_table()
            .map_err(|OutOfMemory { bytes }| RunError::OutOfMemory { rows, columns, bytes })?;
        // A map has less than 2³¹ blocks. Its rows, its columns and twice its blocks fit in 32 bits.
        let fits = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let columns = fits(map.columns);
        Ok(Self {
            map: map.clone(),
            min: usize::try_from(min).unwrap_or(usize::MAX),
            max: usize::try_from(max).unwrap_or(usize::MAX),
            bound: LossBound::WithoutTurns,
            to_corner: Arc::clone(to_corner),
            rows: fits(map.rows),
            columns,
            start: fits(2 * map.by_row.len()),
            per_column: (1_u64 << 63).div_ceil(u64::from(columns)),
        })
    }

    /// The same crucible with another heuristic.
    ///
    /// ```
    /// use bestfirst::problems::crucible::{LossBound, Crucible, HeatMap};
    ///
    /// let map = HeatMap::random(100, 100, 1)?;
    /// let ultra = Crucible::new(&map, 4..=10)?;
    /// let start = ultra.start();
    /// let weak = bestfirst::astar(&ultra.clone().bound(LossBound::Manhattan), start)?;
    /// let strong = bestfirst::astar(&ultra.bound(LossBound::NextRun), start)?;
    /// assert_eq!(strong.cost(), weak.cost());
    /// assert!(strong.stats.expanded < weak.stats.expanded);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bound(mut self, bound: LossBound) -> Self {
        self.bound = bound;
        self
    }

    /// Returns the selected heuristic.
    #[must_use]
    pub fn chosen_bound(&self) -> LossBound {
        self.bound
    }

    /// Returns the map.
    #[must_use]
    pub fn map(&self) -> &HeatMap {
        &self.map
    }

    /// Returns the start: the top left block, with no last run.
    #[must_use]
    pub fn start(&self) -> State {
        State(self.start)
    }

    /// Returns the state of a crucible whose last run went along `axis` and ended on a block. Rows and columns
    /// are counted from 0; `None` outside the map.
    #[must_use]
    pub fn state(&self, row: usize, column: usize, axis: Axis) -> Option<State> {
        if row >= self.map.rows || column >= self.map.columns {
            return None;
        }
        let number = 2 * (row * self.map.columns + column) + axis as usize;
        u32::try_from(number).ok().map(State)
    }

    /// Returns the row and the column of the block of a state, counted from 0.
    #[must_use]
    pub fn block(&self, state: State) -> (usize, usize) {
        let (row, column) = self.split(self.cell(state));
        (row as usize, column as usize)
    }

    /// Returns the axis of the last run; `None` at the start.
    #[must_use]
    pub fn axis(&self, state: State) -> Option<Axis> {
        (state.0 < self.start).then_some(if state.0 & 1 == 0 { Axis::Row } else { Axis::Column })
    }

    /// Every block that a path enters, in order: row, column, and the direction in which it is entered.
    ///
    /// The start is not included, because it is not entered. A block is listed once for every time that
    /// the path enters it.
    pub fn blocks<'a>(
        &'a self,
        path: &'a PathOf<Self>,
    ) -> impl Iterator<Item = (usize, usize, Direction)> + 'a {
        path.steps().flat_map(|step| {
            let (row, column) = self.block(*step.from);
            let StraightRun { direction, length } = *step.action;
            // No run is longer than the map: a path of another problem may be longer, but not on the map.
            let longest = self.map.rows.max(self.map.columns);
            (1..=longest.min(length as usize)).map(move |ahead| {
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

    /// Returns the map as text, with an arrow on every block that the path enters.
    ///
    /// A path of another problem is allowed; its blocks outside the map are not drawn.
    #[must_use]
    pub fn draw<'a>(&'a self, path: &'a PathOf<Self>) -> Drawing<'a> {
        Drawing { crucible: self, path }
    }

    /// Returns the number of the block of a state.
    #[inline]
    fn cell(&self, state: State) -> u32 {
        if state.0 == self.start { 0 } else { state.0 >> 1 }
    }

    /// Returns the row and the column of a block by its number.
    ///
    /// The division by the number of columns is done as a multiplication by `⌈2⁶³ / columns⌉`. It is
    /// exact because both numbers are below 2²⁹: the error is at most `cell / 2⁶³`, and it must be
    /// below `1 / columns`.
    #[inline]
    pub(super) fn split(&self, cell: u32) -> (u32, u32) {
        let quotient = (u128::from(self.per_column) * u128::from(cell)) >> 63;
        // The quotient is not above `cell`.
        #[expect(clippy::cast_possible_truncation, reason = "not above cell, which is a u32")]
        let row = quotient as u32;
        (row, cell.wrapping_sub(row.wrapping_mul(self.columns)))
    }

    /// Returns the blocks before and after `(row, column)` on its line along `axis`. Both are empty if the
    /// block is not on the map, which happens for states of another map.
    #[inline]
    pub(super) fn line(&self, axis: Axis, row: u32, column: u32) -> (&[u8], &[u8]) {
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

    /// Pushes all runs along `axis` from a block, in both directions.
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
            // Wrapping addition of this subtracts the stride.
            let stride = stride.wrapping_neg();
            push_one_way(back, short.iter(), runs.iter().rev(), here, stride, next);
        }
    }
}

/// Pushes all runs in one direction. A run is too short to end on the blocks of `short`; it may end on
/// those of `runs`.
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
        (StraightRun { direction, length }, State(state), heat)
    }));
}

impl SearchProblem for Crucible {
    type State = State;
    type Action = StraightRun;
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
            LossBound::WithoutTurns => self.corner(cell as usize),
            LossBound::Manhattan => {
                let (row, column) = self.split(cell);
                let blocks =
                    (self.rows - 1).saturating_sub(row) + (self.columns - 1).saturating_sub(column);
                blocks * Heat::from(self.map.smallest)
            }
            LossBound::NextRun => {
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
        // The line perpendicular to the last run.
        let across = match self.axis(state) {
            Some(Axis::Column) => Axis::Row,
            _ => Axis::Column,
        };
        let (_, after) = self.line(across, row, column);
        prefetch(after, 0);
    }

    #[inline]
    fn is_goal(&self, &State(number): &State) -> bool {
        // The two states of the last block, and the start if the map is a single block.
        number.wrapping_sub(self.start - 2) < if self.start == 2 { 3 } else { 2 }
    }
}

/// The heuristic from a start is the number of blocks between, times the smallest digit of the map.
impl Reversible for Crucible {
    fn predecessors(&self, &state: &State, previous: &mut Successors<Self>) {
        // Nothing leads to the start.
        let Some(axis) = self.axis(state) else { return };
        let cell = self.cell(state);
        let Some(&own) = self.map.by_row.get(cell as usize) else { return };
        let (row, column) = self.split(cell);
        let (before, after) = self.line(axis, row, column);
        let (ahead, back, stride, across) = match axis {
            Axis::Row => (Direction::Right, Direction::Left, 1, Axis::Column),
            Axis::Column => (Direction::Down, Direction::Up, self.columns, Axis::Row),
        };
        // A run enters all blocks between and the last one, but not the one that it comes from.
        let mut push = |direction, lost: &mut dyn Iterator<Item = &u8>, stride: u32| {
            let (mut heat, mut from) = (Heat::from(own), cell);
            for (length, &loss) in (1_u32..).zip(lost.take(self.max)) {
                from = from.wrapping_add(stride);
                if length as usize >= self.min {
                    let run = StraightRun { direction, length };
                    previous.push(run, State(2 * from + across as u32), heat);
                    if from == 0 {
                        previous.push(run, State(self.start), heat);
                    }
                }
                heat += Heat::from(loss);
            }
        };
        push(ahead, &mut before.iter().rev(), stride.wrapping_neg());
        push(back, &mut after.iter(), stride);
    }

    fn goals(&self) -> impl Iterator<Item = State> {
        let last = if self.start == 2 { self.start } else { self.start - 1 };
        (self.start - 2..=last).map(State)
    }

    #[inline]
    fn heuristic_from(&self, start: &State, state: &State) -> Heat {
        let (from, to) = (self.split(self.cell(*start)), self.split(self.cell(*state)));
        // States of another map may be far outside of this one.
        let blocks = from.0.abs_diff(to.0).saturating_add(from.1.abs_diff(to.1));
        blocks.saturating_mul(Heat::from(self.map.smallest))
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
        // No state has an index out of range; any value may be returned for it.
        State(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_equals_division() {
        let most = u32::try_from(HeatMap::MOST_BLOCKS).unwrap();
        let map = "1".parse().unwrap();
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
    fn clones_share_the_table() {
        let map = HeatMap::example();
        let (a, b) = (Crucible::new(&map, 1..=3).unwrap(), Crucible::new(&map, 4..=10).unwrap());
        assert!(Arc::ptr_eq(&a.to_corner, &b.to_corner));
    }
}
