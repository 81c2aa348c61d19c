//! [`HeatMap`]: the map, its generator and its parser.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use super::bound::loss_to_corner;
use super::error::EMPTY;
use super::{Heat, HeatMapError};
use crate::debug::show_fields;
use crate::problems::memory::{self, OutOfMemory};
use crate::problems::text::without_mark;
use crate::problems::{ParseError, ParseErrorKind, Position};

/// The heat lost on entering each block of a city, a rectangle of digits.
///
/// `FromStr` reads it from text, one row a line; a line break at the end is optional. `Display`
/// writes the same format. Clones share their memory.
///
/// ```
/// use bestfirst::problems::Position;
/// use bestfirst::problems::crucible::HeatMap;
///
/// let map: HeatMap = "241\n321".parse()?;
/// assert_eq!((map.rows(), map.columns()), (2, 3));
/// assert_eq!(map.loss(1, 0), Some(3));
///
/// let error = "241\n3x1".parse::<HeatMap>().unwrap_err();
/// assert_eq!(error.position(), Position { line: 2, column: 2 });
/// assert_eq!(error.to_string(), "line 2, column 2: 'x' is not a digit from 0 to 9");
///
/// let error = "241\n32".parse::<HeatMap>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 3: the row ends after 2 digits; like line 1 it must have 3"
/// );
/// # Ok::<(), bestfirst::problems::ParseError>(())
/// ```
#[derive(Clone)]
pub struct HeatMap {
    pub(super) rows: usize,
    pub(super) columns: usize,
    // Vectors behind `Arc`, not slices: an `Arc<[u8]>` can only be allocated infallibly.
    /// Row after row.
    pub(super) by_row: Arc<Vec<u8>>,
    /// Column after column, so that a run along a column reads adjacent bytes, too.
    pub(super) by_column: Arc<Vec<u8>>,
    pub(super) smallest: u8,
    /// See [`HeatMap::loss_without_turns`]; computed on first use, shared by all clones.
    to_corner: Arc<OnceLock<Arc<Vec<Heat>>>>,
}

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

impl HeatMap {
    /// The largest number of blocks of a map, about 477 million: the loss of a path that enters every
    /// block once still fits [`Heat`], and every state has a 32-bit number.
    pub const MOST_BLOCKS: usize = (u32::MAX / 9) as usize;

    /// Returns the public example of the puzzle. Its least heat loss is 102 for runs of 1 to 3 blocks, and 94 for runs
    /// of 4 to 10.
    ///
    /// ```
    /// use bestfirst::problems::crucible::{Crucible, HeatMap};
    ///
    /// let crucible = Crucible::new(&HeatMap::example(), 4..=10)?;
    /// assert_eq!(bestfirst::astar(&crucible, crucible.start())?.cost(), Some(94));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the example is valid")]
    pub fn example() -> Self {
        EXAMPLE.parse().expect("the example is valid")
    }

    /// Returns a map of pseudorandom digits from 1 to 9. The same arguments give the same map on every
    /// machine and in every version.
    ///
    /// For each block in reading order, the generator `SplitMix64` (Steele, Lea and Flood, 2014) yields
    /// 64 bits; the upper half `u` of them becomes the digit `1 + ⌊9 · u / 2³²⌋`. The initial state of
    /// the generator is `seed`.
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
    /// - [`HeatMapError::Empty`] if there are no rows or no columns,
    /// - [`HeatMapError::TooLarge`] if there are more than [`MOST_BLOCKS`](Self::MOST_BLOCKS) blocks,
    /// - [`HeatMapError::OutOfMemory`] if the map does not fit into memory.
    pub fn random(rows: usize, columns: usize, seed: u64) -> Result<Self, HeatMapError> {
        let blocks = checked_size(rows, columns)?;
        let mut by_row =
            memory::with_capacity(blocks).map_err(|fault| out_of_memory(rows, columns, fault))?;
        let mut state = seed;
        let digit = || {
            // Less than 9, as the upper half is less than 2³².
            let ninth = ((split_mix(&mut state) >> 32) * 9) >> 32;
            1 + u8::try_from(ninth).unwrap_or(8)
        };
        by_row.extend(std::iter::repeat_with(digit).take(blocks));
        Self::from_rows(rows, columns, by_row).map_err(|fault| out_of_memory(rows, columns, fault))
    }

    /// `by_row` has `rows · columns` digits, at least one.
    fn from_rows(rows: usize, columns: usize, by_row: Vec<u8>) -> Result<Self, OutOfMemory> {
        let smallest = by_row.iter().copied().min().unwrap_or(0);
        let by_row = Arc::new(by_row);
        let by_column = if rows == 1 || columns == 1 {
            Arc::clone(&by_row)
        } else {
            Arc::new(transposed(&by_row, rows, columns)?)
        };
        Ok(Self { rows, columns, by_row, by_column, smallest, to_corner: Arc::default() })
    }

    /// Returns the number of rows, at least one.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns, at least one.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the heat lost on entering a block. Rows and columns are counted from 0; `None` outside the map.
    #[must_use]
    pub fn loss(&self, row: usize, column: usize) -> Option<u8> {
        let row = self.by_row.chunks_exact(self.columns).nth(row)?;
        row.get(column).copied()
    }

    /// Returns the rows from top to bottom.
    #[must_use]
    pub fn rows_iter(&self) -> impl ExactSizeIterator<Item = &[u8]> + DoubleEndedIterator {
        self.by_row.chunks_exact(self.columns)
    }

    /// Returns the smallest digit on the map.
    #[must_use]
    pub fn smallest_loss(&self) -> u8 {
        self.smallest
    }

    /// Returns the least loss from each block to the bottom right corner if turns were unrestricted, row after
    /// row. It is a lower bound for every crucible.
    ///
    /// The first call takes time and memory proportional to the number of blocks. The table is shared
    /// by all clones of the map.
    ///
    /// ```
    /// use bestfirst::problems::crucible::HeatMap;
    ///
    /// let map: HeatMap = "19\n11".parse()?;
    /// assert_eq!(map.loss_without_turns()?, [2, 1, 1, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`HeatMapError::OutOfMemory`] if the table does not fit into memory.
    pub fn loss_without_turns(&self) -> Result<&[Heat], HeatMapError> {
        match self.corner_table() {
            Ok(table) => Ok(table),
            Err(fault) => Err(out_of_memory(self.rows, self.columns, fault)),
        }
    }

    pub(super) fn corner_table(&self) -> Result<&Arc<Vec<Heat>>, OutOfMemory> {
        if let Some(table) = self.to_corner.get() {
            return Ok(table);
        }
        // Two threads may compute the same table at the same time; one of them is then dropped.
        let table = loss_to_corner(&self.by_row, self.columns)?;
        Ok(self.to_corner.get_or_init(|| Arc::new(table)))
    }
}

impl PartialEq for HeatMap {
    fn eq(&self, other: &Self) -> bool {
        self.columns == other.columns && self.by_row == other.by_row
    }
}

impl Eq for HeatMap {}

show_fields! { [] HeatMap, "HeatMap" { rows, columns } }

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
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = without_mark(text).trim_end_matches(['\n', '\r']);
        if text.is_empty() {
            return Err(Position::START.missing(EMPTY));
        }
        let lines = text.lines().count();
        let width = text.lines().next().map_or(0, str::len);
        // Never more than the text holds, even if the rows differ in length.
        let blocks = lines.saturating_mul(width).min(text.len());
        let mut losses = memory::with_capacity(blocks).map_err(too_large)?;
        let mut columns = 0;
        let mut rows = 0;
        for (index, row) in text.lines().enumerate() {
            let line = index + 1;
            let before = losses.len();
            for (found, column) in row.chars().zip(1..) {
                let digit = found.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
                let digit = digit.ok_or_else(|| {
                    if index > 0 && column > columns + 1 {
                        return too_long(line, columns);
                    }
                    let message = format!("{found:?} is not a digit from 0 to 9");
                    Position::new(line, column).unexpected(message)
                })?;
                memory::push(&mut losses, digit).map_err(too_large)?;
            }
            let found = losses.len() - before;
            if index == 0 {
                columns = found;
            }
            if found != columns || found == 0 {
                return Err(ragged(line, found, columns));
            }
            rows = line;
        }
        checked_size(rows, columns)
            .map_err(|error| Position::of_whole(ParseErrorKind::TooLarge, error.to_string()))?;
        Self::from_rows(rows, columns, losses).map_err(too_large)
    }
}

/// The error of a row of another length than the first.
fn ragged(line: usize, found: usize, expected: usize) -> ParseError {
    let digits =
        |number| if number == 1 { "1 digit".to_owned() } else { format!("{number} digits") };
    let at = Position::new(line, found.min(expected) + 1);
    match found {
        0 if expected == 0 => at.missing("the first row is empty; it needs at least one digit"),
        0 => at.missing(format!("the row is empty; like line 1 it must have {}", digits(expected))),
        _ if found < expected => at.missing(format!(
            "the row ends after {}; like line 1 it must have {expected}",
            digits(found)
        )),
        _ => at.unexpected(format!(
            "the row has {}; like line 1 it must have {expected}",
            digits(found)
        )),
    }
}

/// The error of a row that has more digits than the first before something else.
fn too_long(line: usize, expected: usize) -> ParseError {
    let message =
        format!("the row is longer than line 1; like that it must have {expected} digits");
    Position::new(line, expected + 1).unexpected(message)
}

fn too_large(fault: OutOfMemory) -> ParseError {
    let message = "the map is too large for the available memory; use a smaller map or raise the memory limit";
    Position::START.out_of_memory(fault, message)
}

fn out_of_memory(rows: usize, columns: usize, fault: OutOfMemory) -> HeatMapError {
    HeatMapError::OutOfMemory { rows, columns, bytes: fault.bytes }
}

/// Returns the next output of the generator `SplitMix64`.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// Returns the number of blocks of a map that is neither empty nor too large.
fn checked_size(rows: usize, columns: usize) -> Result<usize, HeatMapError> {
    if rows == 0 || columns == 0 {
        return Err(HeatMapError::Empty);
    }
    rows.checked_mul(columns)
        .filter(|&blocks| blocks <= HeatMap::MOST_BLOCKS)
        .ok_or(HeatMapError::TooLarge { rows, columns })
}

/// Returns the transposed map. It is copied in square tiles, so that reads and writes stay in the cache.
fn transposed(by_row: &[u8], rows: usize, columns: usize) -> Result<Vec<u8>, OutOfMemory> {
    const TILE: usize = 64;
    let mut by_column = memory::filled(0, by_row.len())?;
    for top in (0..rows).step_by(TILE) {
        for left in (0..columns).step_by(TILE) {
            for row in top..rows.min(top + TILE) {
                for column in left..columns.min(left + TILE) {
                    by_column[column * rows + row] = by_row[row * columns + column];
                }
            }
        }
    }
    Ok(by_column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked_before_memory_is_allocated() {
        let most = HeatMap::MOST_BLOCKS;
        assert_eq!(checked_size(most, 1), Ok(most));
        let absurd = 4_000_000_000_u32 as usize;
        for (rows, columns) in
            [(most + 1, 1), (1 << 20, 1 << 20), (absurd, absurd), (usize::MAX, usize::MAX)]
        {
            let fault = HeatMapError::TooLarge { rows, columns };
            assert_eq!(HeatMap::random(rows, columns, 0), Err(fault));
            assert!(fault.to_string().contains("477218588 blocks fit"), "{fault}");
        }
        assert_eq!(HeatMap::random(0, 5, 0), Err(HeatMapError::Empty));
        assert_eq!(HeatMap::random(usize::MAX, 0, 0), Err(HeatMapError::Empty));
    }

    #[test]
    fn split_mix_matches_the_published_outputs() {
        let mut state = 1_234_567;
        assert_eq!(split_mix(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(split_mix(&mut state), 3_203_168_211_198_807_973);
    }

    #[test]
    fn by_column_is_the_transposed_map() {
        let map = HeatMap::random(130, 67, 3).unwrap();
        for row in 0..130 {
            for column in 0..67 {
                assert_eq!(map.by_column[column * 130 + row], map.by_row[row * 67 + column]);
            }
        }
    }
}
