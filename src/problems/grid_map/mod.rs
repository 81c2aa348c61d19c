//! Grid maps: cells that are free or blocked, and ways from one to another, as in games.
//!
//! [`GridMap`] reads the `.map` files of the `MovingAI` benchmarks, [`Scenario`] their `.scen` files. A
//! search needs a goal too: [`GridMap::route_to`] gives the problem of getting to one, a
//! [`GridRoute`]. It borrows the map and costs nothing to make, and its states number themselves, so
//! one search can answer thousands of queries on the same memory.
//!
//! How one may move is the parameter of the route, a kind of [`Moves`]:
//!
//! | moves | steps | costs | heuristic |
//! |---|---|---|---|
//! | [`EightWay`], the default | straight 1, diagonal √2 | [`Length`], whole numbers inside | octile distance |
//! | [`EightWayFloat`] | the same | `f64` | octile distance |
//! | [`FourWay`] | straight 1 | `u32` | Manhattan distance |
//!
//! A diagonal step needs both cells beside it free: nobody cuts a corner. All three heuristics are
//! consistent.
//!
//! # Example
//!
//! ```
//! use bestfirst::AStar;
//! use bestfirst::problems::grid_map::{Cell, FourWay, GridMap};
//!
//! let map: GridMap = "\
//! type octile
//! height 4
//! width 6
//! map
//! ......
//! .@@@..
//! ...@..
//! ......
//! ".parse()?;
//! let (start, goal) = (Cell::new(2, 2), Cell::new(5, 2));
//!
//! let report = AStar::new(map.route_to(goal)).dense().search(start).run()?;
//! let path = report.path().expect("there is a way");
//! assert_eq!(format!("{:.3}", path.cost()), "4.414"); // three straight steps, one diagonal
//! assert_eq!(map.draw_path(path.states()), "\
//! ......
//! .@@@..
//! ..*@.*
//! ..***.
//! ");
//!
//! let route = map.route_by::<FourWay>(goal);
//! assert_eq!(AStar::new(route).dense().search(start).run()?.cost(), Some(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod moves;
mod scenario;

use std::fmt::{self, Write};
use std::marker::PhantomData;
use std::str::FromStr;

use crate::cost::Cost;
use crate::problem::{DenseStates, SearchProblem, Successors};

pub use moves::{EightWay, EightWayFloat, FourWay, Length, Moves};
pub use scenario::{Query, Scenario};

/// A cell of a map: its column and its row, both from 0 at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The column, from the left.
    pub x: u16,
    /// The row, from the top.
    pub y: u16,
}

impl Cell {
    /// The cell in column `x` of row `y`.
    #[must_use]
    pub fn new(x: u16, y: u16) -> Self {
        Self { x, y }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A rectangle of cells, each free or blocked, at most 65,535 either way.
///
/// It takes two bytes a cell: what it is, and which of its eight neighbours can be stepped to, so
/// that a search looks at no neighbour that it cannot go to.
///
/// `Display` draws the rows as they were read, `FromStr` reads a `.map` file: the lines `type octile`,
/// `height N`, `width N`, `map`, and then the rows. `.` (ground), `G` and `S` (swamp) are free; `@`,
/// `O`, `T` (trees) and `W` (water) are blocked, and so is `#`.
#[derive(Clone, PartialEq, Eq)]
pub struct GridMap {
    width: u16,
    height: u16,
    terrain: Vec<u8>,
    /// One bit for each neighbour that can be stepped to, in the order of [`NEIGHBOURS`].
    exits: Vec<u8>,
}

/// The eight neighbours: up, left, right, down, and the diagonals.
const NEIGHBOURS: [(i8, i8); 8] =
    [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// For each diagonal, the bits of the two straight steps beside it.
const BESIDE: [u8; 4] = [0b0011, 0b0101, 0b1010, 0b1100];

impl GridMap {
    /// The map of `width` columns and `height` rows in which the cells are free for which `free` says
    /// so.
    ///
    /// ```
    /// use bestfirst::problems::grid_map::{Cell, GridMap};
    ///
    /// let map = GridMap::new(3, 2, |cell| cell != Cell::new(1, 0));
    /// assert_eq!(map.to_string(), ".@.\n...\n");
    /// ```
    #[must_use]
    pub fn new(width: u16, height: u16, mut free: impl FnMut(Cell) -> bool) -> Self {
        let mut terrain = Vec::with_capacity(usize::from(width) * usize::from(height));
        for y in 0..height {
            terrain.extend((0..width).map(|x| if free(Cell { x, y }) { b'.' } else { b'@' }));
        }
        Self::of(width, height, terrain)
    }

    /// Reads rows alone, without the lines that stand above them in a `.map` file.
    ///
    /// # Errors
    ///
    /// A [`MapError`] that says what is wrong and where.
    pub fn from_rows(rows: &str) -> Result<Self, MapError> {
        Self::read_rows(rows.lines().zip(1..), None)
    }

    /// Reads rows with the numbers of their lines; of a size that is known, if one is given.
    fn read_rows<'t>(
        rows: impl Iterator<Item = (&'t str, usize)>,
        size: Option<(u16, u16)>,
    ) -> Result<Self, MapError> {
        let mut terrain = Vec::new();
        let mut width = size.map(|(width, _)| width);
        let mut height = 0_u16;
        for (row, line) in rows {
            let row = row.trim_end();
            if row.is_empty() && size.is_none_or(|(width, rows)| width > 0 || height == rows) {
                continue;
            }
            for (cell, column) in row.chars().zip(1..) {
                if !matches!(cell, '.' | 'G' | 'S' | '@' | 'O' | 'T' | 'W' | '#') {
                    let (found, expected) = (cell.to_string(), "one of . G S @ O T W #");
                    return Err(MapError::Unexpected { line, column, found, expected });
                }
            }
            let found = u16::try_from(row.len()).map_err(|_| MapError::TooLarge { line })?;
            let expected = *width.get_or_insert(found);
            if found != expected {
                let (found, expected) = (usize::from(found), usize::from(expected));
                return Err(MapError::Ragged { line, found, expected });
            }
            height = height.checked_add(1).ok_or(MapError::TooLarge { line })?;
            terrain.extend_from_slice(row.as_bytes());
        }
        if let Some((_, rows)) = size.filter(|&(_, rows)| rows != height) {
            return Err(MapError::Rows { found: height.into(), expected: rows.into() });
        }
        Ok(Self::of(width.unwrap_or(0), height, terrain))
    }

    fn of(width: u16, height: u16, terrain: Vec<u8>) -> Self {
        let mut map = Self { width, height, terrain, exits: Vec::new() };
        let mut exits = Vec::with_capacity(map.terrain.len());
        for y in 0..height {
            for x in 0..width {
                exits.push(map.find_exits(Cell { x, y }));
            }
        }
        map.exits = exits;
        map
    }

    fn find_exits(&self, cell: Cell) -> u8 {
        if !self.is_free(cell) {
            return 0;
        }
        let mut exits = 0;
        for (bit, &(dx, dy)) in NEIGHBOURS.iter().enumerate() {
            let neighbour =
                cell.x.checked_add_signed(dx.into()).zip(cell.y.checked_add_signed(dy.into()));
            let is_free = neighbour.is_some_and(|(x, y)| self.is_free(Cell { x, y }));
            let beside = if bit < 4 { 0 } else { BESIDE[bit - 4] };
            if is_free && exits & beside == beside {
                exits |= 1 << bit;
            }
        }
        exits
    }

    /// How many columns there are.
    #[must_use]
    pub fn width(&self) -> u16 {
        self.width
    }

    /// How many rows there are.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.height
    }

    /// Whether `cell` is on the map and free.
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && matches!(self.terrain[self.index(cell)], b'.' | b'G' | b'S')
    }

    /// Whether `cell` is on the map.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    #[inline]
    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }

    /// The problem of getting to `goal` by [`EightWay`] moves.
    #[must_use]
    pub fn route_to(&self, goal: Cell) -> GridRoute<'_> {
        self.route_by(goal)
    }

    /// The problem of getting to `goal` by moves of the kind `M`.
    #[must_use]
    pub fn route_by<M: Moves>(&self, goal: Cell) -> GridRoute<'_, M> {
        GridRoute { map: self, goal, is_free: self.is_free(goal), moves: PhantomData }
    }

    /// The rows of the map, with the cells of `path` marked by `*`.
    #[must_use]
    pub fn draw_path(&self, path: &[Cell]) -> String {
        let mut terrain = self.terrain.clone();
        for &cell in path.iter().filter(|&&cell| self.contains(cell)) {
            terrain[self.index(cell)] = b'*';
        }
        Self { terrain, exits: Vec::new(), ..*self }.to_string()
    }
}

impl fmt::Display for GridMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width == 0 {
            return Ok(());
        }
        for row in self.terrain.chunks(self.width.into()) {
            for &cell in row {
                f.write_char(char::from(cell))?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl fmt::Debug for GridMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GridMap({}×{})", self.width, self.height)
    }
}

impl FromStr for GridMap {
    type Err = MapError;

    fn from_str(text: &str) -> Result<Self, MapError> {
        let mut lines = text.lines().zip(1..);
        let (mut width, mut height) = (None, None);
        for (text, line) in lines.by_ref() {
            let mut words = Words::new(text, line);
            let key = words.next();
            let size = match key {
                "" => continue,
                "type" => {
                    words.next();
                    continue;
                }
                "map" => {
                    words.end()?;
                    let missing = |expected| MapError::Missing { line, expected };
                    let width = width.ok_or_else(|| missing("`width N` above it"))?;
                    let height = height.ok_or_else(|| missing("`height N` above it"))?;
                    return Self::read_rows(lines, Some((width, height)));
                }
                "width" => &mut width,
                "height" => &mut height,
                _ => return Err(words.wrong("`type`, `height`, `width` or `map`")),
            };
            if size.is_some() {
                return Err(words.wrong("`map`; this line is there twice"));
            }
            *size = Some(words.number("a number of cells up to 65535")?);
            words.end()?;
        }
        Err(MapError::Missing { line: text.lines().count() + 1, expected: "`map`" })
    }
}

/// The problem of getting to a cell of a [`GridMap`] by moves of the kind `M`.
///
/// A cell that is blocked or off the map cannot be reached or left; a search for such a goal, or from
/// such a start, is [`Exhausted`](crate::Outcome::Exhausted) at once, unless the start is the goal.
/// (A [`dense`](crate::BestFirst::dense) search cannot number a start off the map: it ends with
/// [`SearchError::StateIndex`](crate::SearchError::StateIndex).)
#[derive(Debug)]
pub struct GridRoute<'m, M = EightWay> {
    map: &'m GridMap,
    goal: Cell,
    /// Whether the goal is.
    is_free: bool,
    moves: PhantomData<M>,
}

impl<M> Clone for GridRoute<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for GridRoute<'_, M> {}

impl<'m, M> GridRoute<'m, M> {
    /// Where it leads to.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// The map.
    #[must_use]
    pub fn map(&self) -> &'m GridMap {
        self.map
    }
}

impl<M: Moves> SearchProblem for GridRoute<'_, M> {
    type State = Cell;
    type Action = ();
    type Cost = M::Cost;

    #[inline]
    fn successors(&self, &cell: &Cell, next: &mut Successors<Self>) {
        if !self.map.contains(cell) {
            return;
        }
        let exits = self.map.exits[self.map.index(cell)];
        let mut straight = exits & 0b1111;
        while straight != 0 {
            next.push((), step(cell, straight.trailing_zeros()), M::STRAIGHT);
            straight &= straight - 1;
        }
        if let Some(cost) = M::DIAGONAL {
            let mut diagonal = exits & 0b1111_0000;
            while diagonal != 0 {
                next.push((), step(cell, diagonal.trailing_zeros()), cost);
                diagonal &= diagonal - 1;
            }
        }
    }

    #[inline]
    fn heuristic(&self, cell: &Cell) -> M::Cost {
        if self.is_free {
            M::estimate(cell.x.abs_diff(self.goal.x), cell.y.abs_diff(self.goal.y))
        } else {
            M::Cost::INFINITY
        }
    }

    #[inline]
    fn is_goal(&self, &cell: &Cell) -> bool {
        cell == self.goal
    }
}

/// The neighbour that the bit with this number stands for.
#[inline]
fn step(cell: Cell, bit: u32) -> Cell {
    let (dx, dy) = NEIGHBOURS[bit as usize & 7];
    Cell { x: cell.x.wrapping_add_signed(dx.into()), y: cell.y.wrapping_add_signed(dy.into()) }
}

impl<M: Moves> DenseStates for GridRoute<'_, M> {
    #[inline]
    fn state_count(&self) -> usize {
        self.map.terrain.len()
    }

    /// Row by row; a cell that is not on the map has an index out of range.
    #[inline]
    fn state_index(&self, &cell: &Cell) -> usize {
        if cell.x < self.map.width { self.map.index(cell) } else { usize::MAX }
    }

    #[inline]
    fn state_at(&self, index: usize) -> Cell {
        // In 32 bits, division is faster.
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2³² cells")]
        let index = index as u32;
        let width = u32::from(self.map.width).max(1);
        #[expect(clippy::cast_possible_truncation, reason = "below the width and the height")]
        let (x, y) = ((index % width) as u16, (index / width) as u16);
        Cell { x, y }
    }
}

/// What is wrong with a map or a scenario. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapError {
    /// Something else stands where this should stand.
    Unexpected {
        /// The line.
        line: usize,
        /// The first column of it.
        column: usize,
        /// What stands there; its beginning if it is long, empty at the end of a line.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// A line that should be there is not.
    Missing {
        /// Where it is missed.
        line: usize,
        /// Which.
        expected: &'static str,
    },
    /// A row is longer or shorter than it should be.
    Ragged {
        /// Its line.
        line: usize,
        /// How many cells it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// There are more or fewer rows than the file says.
    Rows {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// There are more than 65,535 rows or columns.
    TooLarge {
        /// The line at which that shows.
        line: usize,
    },
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected { line, column, found, expected } if found.is_empty() => {
                write!(
                    f,
                    "line {line}, column {column}: the line ends where there should be {expected}"
                )
            }
            Self::Unexpected { line, column, found, expected } => {
                write!(
                    f,
                    "line {line}, column {column}: `{found}` where there should be {expected}"
                )
            }
            Self::Missing { line, expected } => write!(f, "line {line}: there is no {expected}"),
            Self::Ragged { line, found, expected } => {
                write!(f, "line {line}: a row of {found} cells where there should be {expected}")
            }
            Self::Rows { found, expected } => {
                write!(f, "{found} rows where there should be {expected}")
            }
            Self::TooLarge { line } => {
                write!(f, "line {line}: a map has at most 65535 rows and 65535 columns")
            }
        }
    }
}

impl std::error::Error for MapError {}

/// The words of a line, and where the last one stands.
struct Words<'t> {
    text: &'t str,
    line: usize,
    start: usize,
    end: usize,
}

impl<'t> Words<'t> {
    fn new(text: &'t str, line: usize) -> Self {
        Self { text: text.trim_end(), line, start: 0, end: 0 }
    }

    /// The next word, empty at the end of the line.
    fn next(&mut self) -> &'t str {
        self.next_until(char::is_whitespace)
    }

    /// The next word, which may have blanks in it where `is_gap` says so.
    fn next_until(&mut self, is_gap: impl Fn(char) -> bool) -> &'t str {
        let rest = &self.text[self.end..];
        self.start = self.end + (rest.len() - rest.trim_start().len());
        let rest = &self.text[self.start..];
        self.end = self.start + rest.find(is_gap).unwrap_or(rest.len());
        &self.text[self.start..self.end]
    }

    fn number<T: FromStr>(&mut self, expected: &'static str) -> Result<T, MapError> {
        self.next().parse().map_err(|_| self.wrong(expected))
    }

    fn end(&mut self) -> Result<(), MapError> {
        if self.next().is_empty() { Ok(()) } else { Err(self.wrong("the end of the line")) }
    }

    /// The error that the word read last is not what it should be.
    fn wrong(&self, expected: &'static str) -> MapError {
        MapError::Unexpected {
            line: self.line,
            column: self.text[..self.start].chars().count() + 1,
            found: self.text[self.start..self.end].chars().take(20).collect(),
            expected,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::SuccessorBuffer;

    const FILE: &str = "type octile\nheight 3\nwidth 4\nmap\n.G@.\nSTW#\n..O.\n";

    fn message(text: &str) -> String {
        text.parse::<GridMap>().unwrap_err().to_string()
    }

    fn neighbours<M: Moves>(map: &GridMap, cell: Cell) -> Vec<Cell> {
        let mut next = SuccessorBuffer::new();
        map.route_by::<M>(cell).successors(&cell, &mut next);
        next.as_slice().iter().map(|successor| successor.state).collect()
    }

    #[test]
    fn maps_are_read_and_drawn() {
        let map: GridMap = FILE.parse().unwrap();
        assert_eq!((map.width(), map.height()), (4, 3));
        assert_eq!(map.to_string(), ".G@.\nSTW#\n..O.\n");
        assert_eq!(FILE.replace('\n', "\r\n").parse().as_ref(), Ok(&map));
        assert_eq!(GridMap::from_rows("\n.G@.\nSTW#\n..O.").as_ref(), Ok(&map));
        let free = ".G@.STW#..O.".chars().map(|cell| ".GS".contains(cell));
        let cells = (0..12).map(|i| Cell::new(i % 4, i / 4));
        for (cell, free) in cells.zip(free) {
            assert_eq!(map.is_free(cell), free, "{cell}");
        }
        assert!(!map.is_free(Cell::new(4, 0)) && !map.is_free(Cell::new(0, 3)));
        let path = [Cell::new(0, 1), Cell::new(3, 2), Cell::new(9, 9)];
        assert_eq!(map.draw_path(&path), ".G@.\n*TW#\n..O*\n");
        assert_eq!(format!("{map:?}"), "GridMap(4×3)");
    }

    #[test]
    fn empty_maps_are_maps() {
        for map in [
            "height 0\nwidth 0\nmap\n".parse().unwrap(),
            "height 0\nwidth 5\nmap".parse().unwrap(),
            "height 2\nwidth 0\nmap\n\n\n".parse().unwrap(),
            GridMap::from_rows("").unwrap(),
            GridMap::new(0, 7, |_| true),
        ] {
            let nowhere = Cell::new(0, 0);
            assert!(!map.contains(nowhere));
            assert_eq!(map.to_string(), "");
            assert_eq!(map.route_to(nowhere).state_count(), 0);
            assert_eq!(neighbours::<EightWay>(&map, nowhere), []);
            let _ = map.route_to(nowhere).state_at(0);
        }
    }

    #[test]
    fn nobody_cuts_a_corner() {
        let map = GridMap::from_rows("...\n..@\n...\n").unwrap();
        let at =
            |cells: &[(u16, u16)]| cells.iter().map(|&(x, y)| Cell::new(x, y)).collect::<Vec<_>>();
        assert_eq!(
            neighbours::<EightWay>(&map, Cell::new(1, 1)),
            at(&[(1, 0), (0, 1), (1, 2), (0, 0), (0, 2)])
        );
        assert_eq!(neighbours::<FourWay>(&map, Cell::new(1, 1)), at(&[(1, 0), (0, 1), (1, 2)]));
        assert_eq!(neighbours::<EightWay>(&map, Cell::new(2, 0)), at(&[(1, 0)]));
        assert_eq!(neighbours::<EightWay>(&map, Cell::new(2, 1)), []);
        assert_eq!(neighbours::<EightWay>(&map, Cell::new(7, 7)), []);
    }

    /// Cell by cell, against the rule as it is said in words.
    #[test]
    fn steps_are_those_of_the_rule() {
        let mut random = 1_u32;
        let map = GridMap::new(20, 15, |_| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            random >> 30 != 0
        });
        let free = |x: i32, y: i32| {
            u16::try_from(x)
                .is_ok_and(|x| u16::try_from(y).is_ok_and(|y| map.is_free(Cell::new(x, y))))
        };
        let mut next = SuccessorBuffer::new();
        for y in 0..15 {
            for x in 0..20 {
                let mut expected = Vec::new();
                for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                    let is_step = (dx, dy) != (0, 0)
                        && free(x, y)
                        && free(x + dx, y + dy)
                        && free(x + dx, y)
                        && free(x, y + dy);
                    if is_step {
                        let diagonal = dx != 0 && dy != 0;
                        let cost = if diagonal { Length::DIAGONAL } else { Length::STRAIGHT };
                        expected.push((x + dx, y + dy, cost));
                    }
                }
                let cell = Cell::new(x.try_into().unwrap(), y.try_into().unwrap());
                next.clear();
                map.route_to(cell).successors(&cell, &mut next);
                let steps = next.as_slice().iter();
                let mut found: Vec<_> = steps
                    .map(|step| (i32::from(step.state.x), i32::from(step.state.y), step.cost))
                    .collect();
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "from {cell}");
            }
        }
    }

    #[test]
    fn estimates_are_consistent_and_never_too_long() {
        fn check<M: Moves>(map: &GridMap) {
            let goal = Cell::new(13, 4);
            let route = map.route_by::<M>(goal);
            assert!(route.is_goal(&goal));
            let mut next = SuccessorBuffer::new();
            for index in 0..route.state_count() {
                let cell = route.state_at(index);
                assert_eq!(route.state_index(&cell), index);
                next.clear();
                route.successors(&cell, &mut next);
                for step in next.as_slice() {
                    let by_way = route.heuristic(&step.state).checked_add(step.cost).unwrap();
                    assert!(route.heuristic(&cell) <= by_way);
                }
            }
            assert!(route.heuristic(&goal) == M::Cost::ZERO);
        }
        let map = GridMap::new(40, 30, |_| true);
        check::<EightWay>(&map);
        check::<EightWayFloat>(&map);
        check::<FourWay>(&map);
    }

    #[test]
    fn a_blocked_goal_is_known_to_be_out_of_reach() {
        let map = GridMap::from_rows("..@\n").unwrap();
        for goal in [Cell::new(2, 0), Cell::new(3, 0), Cell::new(0, 1)] {
            let route = map.route_to(goal);
            assert_eq!(route.heuristic(&Cell::new(0, 0)), Length::INFINITY);
            assert_eq!((route.goal(), route.map().width()), (goal, 3));
        }
        assert_eq!(map.route_to(Cell::new(1, 0)).heuristic(&Cell::new(0, 0)), Length::STRAIGHT);
        // A column off the map must not pass for a cell of the next row.
        let tall = GridMap::new(2, 2, |_| true);
        assert!(tall.route_to(Cell::new(0, 0)).state_index(&Cell::new(2, 0)) >= 4);
        assert!(tall.route_to(Cell::new(0, 0)).state_index(&Cell::new(0, 2)) >= 4);
    }

    #[test]
    fn map_errors_say_what_is_wrong_and_where() {
        assert_eq!(message(""), "line 1: there is no `map`");
        assert_eq!(message("type octile\nheight 3\n"), "line 3: there is no `map`");
        assert_eq!(message("height 1\nmap\n."), "line 2: there is no `width N` above it");
        assert_eq!(message("width 1\n\nmap\n."), "line 3: there is no `height N` above it");
        assert_eq!(
            message("height 1\nheight 1"),
            "line 2, column 1: `height` where there should be `map`; this line is there twice"
        );
        assert_eq!(
            message("height  many"),
            "line 1, column 9: `many` where there should be a number of cells up to 65535"
        );
        assert_eq!(
            message("width 65536"),
            "line 1, column 7: `65536` where there should be a number of cells up to 65535"
        );
        assert_eq!(
            message("width"),
            "line 1, column 6: the line ends where there should be a number of cells up to 65535"
        );
        assert_eq!(
            message("width 5 5"),
            "line 1, column 9: `5` where there should be the end of the line"
        );
        assert_eq!(
            message("...."),
            "line 1, column 1: `....` where there should be `type`, `height`, `width` or `map`"
        );
        let head = "height 2\nwidth 3\nmap\n";
        assert_eq!(
            message(&format!("{head}...\n.x.")),
            "line 5, column 2: `x` where there should be one of . G S @ O T W #"
        );
        assert_eq!(
            message(&format!("{head}...\n..\n")),
            "line 5: a row of 2 cells where there should be 3"
        );
        assert_eq!(message(&format!("{head}...\n")), "1 rows where there should be 2");
        assert_eq!(message(&format!("{head}...\n...\n\n...\n")), "3 rows where there should be 2");
        let wide = GridMap::from_rows(&".".repeat(65_536)).unwrap_err();
        assert_eq!(wide.to_string(), "line 1: a map has at most 65535 rows and 65535 columns");
        let tall = GridMap::from_rows(&".\n".repeat(65_536)).unwrap_err();
        assert_eq!(tall, MapError::TooLarge { line: 65_536 });
    }
}
