//! [`Partition`]: the grouping of tiles into patterns.

use std::fmt;

use super::error::PartitionError;
use super::geometry::Geometry;
use super::pattern::TilePattern;

/// The maximum number of cells of a board with pattern databases: their sets fit into a word.
pub(super) const MOST_CELLS: usize = 64;

/// The maximum number of tiles of a pattern. With 13 tiles there are 87 billion arrangements on the smallest
/// board, and more on every other.
pub(super) const MOST_TILES: usize = 12;

/// The maximum number of groups, reflections included.
pub(super) const MOST_GROUPS: usize = 16;

/// Disjoint groups of tiles, each the pattern of a database. It need not contain all tiles.
///
/// `Display` writes the tiles separated by commas and the groups by slashes; [`parse`](Self::parse) reads
/// that.
///
/// ```
/// use bestfirst::problems::sliding_tiles::Partition;
///
/// let partition = Partition::parse("1,2,5,6 / 3,4,7,8", 3, 3)?;
/// assert_eq!(partition.to_string(), "1,2,5,6/3,4,7,8");
/// assert_eq!(Partition::parse("7-8", 4, 4)?, Partition::seven_eight());
///
/// let wrong = Partition::parse("1,2/2,3", 3, 3).unwrap_err();
/// assert_eq!(wrong.to_string(), "column 5: tile 2 occurs twice");
/// # Ok::<(), bestfirst::problems::sliding_tiles::PartitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    board: Geometry,
    /// One for each group. The goal cell of a tile is its number.
    patterns: Vec<TilePattern>,
}

impl Partition {
    /// Returns the partition of the 15-puzzle into groups of 6, 6 and 3 tiles (Korf and Felner 2002).
    #[must_use]
    pub fn six_six_three() -> Self {
        Self::ready(4, &[&[1, 2, 4, 5, 8, 9], &[3, 6, 7, 10, 11, 15], &[12, 13, 14]])
    }

    /// Returns the partition of the 15-puzzle into groups of 7 and 8 tiles (Korf and Felner 2002): the upper and the
    /// lower half.
    #[must_use]
    pub fn seven_eight() -> Self {
        Self::ready(4, &[&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]])
    }

    /// Returns the partition of the 24-puzzle into four groups of 6 tiles (Korf and Felner 2002): three rectangles of
    /// 2×3 cells in the corners, and the rest.
    #[must_use]
    pub fn six_six_six_six() -> Self {
        let groups: [&[u8]; 4] = [
            &[1, 2, 5, 6, 7, 12],
            &[3, 4, 8, 9, 13, 14],
            &[10, 11, 15, 16, 20, 21],
            &[17, 18, 19, 22, 23, 24],
        ];
        Self::ready(5, &groups)
    }

    /// Returns a partition of a square board that is known to be valid.
    fn ready(side: usize, groups: &[&[u8]]) -> Self {
        let board = Geometry::new(side, side);
        let patterns = groups.iter().filter_map(|group| TilePattern::of_group(board, group));
        Self { board, patterns: patterns.collect() }
    }

    /// Returns the partition of the tiles of a board of `width` × `height` cells into these groups.
    ///
    /// # Errors
    ///
    /// A [`PartitionError`].
    pub fn new(width: usize, height: usize, groups: &[&[u8]]) -> Result<Self, PartitionError> {
        let mut column = 0;
        let mut numbered = |group: &&[u8]| {
            let first = column + 1;
            let tiles = group.iter().map(|&tile| {
                column += 1;
                (column, usize::from(tile))
            });
            (first, tiles.collect())
        };
        // The column of a group is that of its first tile.
        let groups = groups.iter().map(&mut numbered).collect();
        Self::from_numbers(width, height, groups)
    }

    /// Reads a partition: tiles separated by commas, groups by slashes, as in `1,2,3/4,5`. The names `6-6-3`
    /// and `7-8` stand for the ready ones of the 15-puzzle, and `6-6-6-6` for that of the 24-puzzle.
    ///
    /// # Errors
    ///
    /// A [`PartitionError`] with the column.
    pub fn parse(text: &str, width: usize, height: usize) -> Result<Self, PartitionError> {
        let (side, ready): (_, fn() -> Self) = match text.trim() {
            "6-6-3" => (4, Self::six_six_three),
            "7-8" => (4, Self::seven_eight),
            "6-6-6-6" => (5, Self::six_six_six_six),
            _ => return Self::parse_groups(text, width, height),
        };
        let fits = (width, height) == (side, side);
        if fits { Ok(ready()) } else { Err(PartitionError::OtherSize { side }) }
    }

    fn parse_groups(text: &str, width: usize, height: usize) -> Result<Self, PartitionError> {
        let mut groups = Vec::new();
        let mut column = 1;
        for group in text.split('/') {
            let first = column;
            let mut tiles = Vec::new();
            for word in group.split(',') {
                let blanks = word.chars().take_while(|c| c.is_whitespace()).count();
                let number = word.trim();
                if !number.is_empty() || group.contains(',') {
                    let value = number.parse().map_err(|_| PartitionError::NotANumber {
                        column: column + blanks,
                        found: number.chars().take(20).collect(),
                    })?;
                    tiles.push((column + blanks, value));
                }
                column += word.chars().count() + 1;
            }
            groups.push((first, tiles));
        }
        Self::from_numbers(width, height, groups)
    }

    /// Checks groups, each with its column, of tiles with theirs.
    fn from_numbers(
        width: usize,
        height: usize,
        groups: Vec<(usize, Vec<(usize, usize)>)>,
    ) -> Result<Self, PartitionError> {
        let cells = width.checked_mul(height).filter(|cells| (2..=MOST_CELLS).contains(cells));
        let cells = cells.ok_or(PartitionError::Size { width, height })?;
        if groups.is_empty() {
            return Err(PartitionError::Empty { column: 1 });
        }
        if groups.len() > MOST_GROUPS {
            return Err(PartitionError::TooManyGroups { found: groups.len(), most: MOST_GROUPS });
        }
        let board = Geometry::new(width, height);
        let mut seen = 0_u64;
        let mut patterns = Vec::new();
        for (column, numbers) in groups {
            if numbers.is_empty() {
                return Err(PartitionError::Empty { column });
            }
            let mut tiles = Vec::new();
            for (column, number) in numbers {
                let tile = u8::try_from(number).ok().filter(|_| (1..cells).contains(&number));
                let most = cells - 1;
                let tile = tile.ok_or(PartitionError::NoTile { column, number, most })?;
                if seen >> tile & 1 != 0 {
                    return Err(PartitionError::Twice { column, number });
                }
                if tiles.len() == MOST_TILES {
                    return Err(PartitionError::TooManyTiles { column });
                }
                seen |= 1 << tile;
                tiles.push(tile);
            }
            tiles.sort_unstable();
            let pattern = TilePattern::of_group(board, &tiles);
            patterns.push(pattern.ok_or(PartitionError::TooManyTiles { column })?);
        }
        Ok(Self { board, patterns })
    }

    /// Returns the number of columns of the board.
    #[must_use]
    pub fn width(&self) -> usize {
        self.board.width
    }

    /// Returns the number of rows of the board.
    #[must_use]
    pub fn height(&self) -> usize {
        self.board.height
    }

    /// Returns the groups, each with its tiles in order.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.patterns.iter().map(TilePattern::goal_cells)
    }

    /// Returns the patterns whose databases are needed, each once: groups that a symmetry of the board maps to each
    /// other share a database.
    #[must_use]
    pub fn patterns(&self) -> Vec<TilePattern> {
        let mut patterns: Vec<TilePattern> = Vec::new();
        for pattern in &self.patterns {
            let (pattern, _) = pattern.canonical();
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        patterns
    }

    pub(super) fn board(&self) -> &Geometry {
        &self.board
    }

    /// Returns the patterns of the groups.
    pub(super) fn into_patterns(self) -> impl Iterator<Item = TilePattern> {
        self.patterns.into_iter()
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, group) in self.groups().enumerate() {
            for (j, tile) in group.iter().enumerate() {
                let before = if j > 0 {
                    ","
                } else if i > 0 {
                    "/"
                } else {
                    ""
                };
                write!(f, "{before}{tile}")?;
            }
        }
        Ok(())
    }
}
