//! Maps whose cells have costs: [`TerrainMap`].

mod read;
mod route;
mod steps;
#[cfg(feature = "serde")]
mod stored;

use std::fmt;

use super::map::checked_size;
use super::{Cell, MapError};
use crate::cost::{larger, smaller};
use crate::problems::memory::{self, OutOfMemory};

pub use read::{Terrain, TerrainCosts};
pub use route::TerrainRoute;
pub use steps::{Corners, Movement, TerrainCost};

/// The largest size of an agent.
const LARGEST: u8 = 16;

/// A rectangle of cells, each blocked or with an integer or float cost `C`, with at most 65,535 rows and columns.
///
/// - [`from_rows`](Self::from_rows) reads rows of any letters, [`from_file`](Self::from_file) a `.map` file;
///   [`new`](Self::new) calls a closure for each cell.
/// - [`set_cost`](Self::set_cost) changes the cost of a cell, blocks it or frees it;
///   [`set_exits`](Self::set_exits) makes one-way steps.
/// - [`route_to`](Self::route_to) creates a search problem: to one of several goals, with four, six or eight neighbours,
///   cost factors, a rule for corners, and a size of the agent. One map serves different agents.
///
/// It takes the size of a cost and 6 bytes for each cell. If all free cells cost the same, a
/// [`GridMap`](super::GridMap) is smaller and faster, and has [jump points](super::JumpPoints).
///
/// # Example
///
/// A puzzle from the web. A digit is the cost of entering its cell:
///
/// ```
/// use bestfirst::astar;
/// use bestfirst::problems::grid_map::{Movement, Terrain, TerrainMap};
///
/// let maze = [
///     "#########",
///     "#S.#...E#",
///     "##.#.##.#",
///     "#.92...7#",
///     "#########",
/// ];
/// let map = TerrainMap::from_rows(&maze.join("\n"), |letter| match letter {
///     '#' => Terrain::Blocked,
///     '.' | 'S' | 'E' => Terrain::Cost(1_u32),
///     '1'..='9' => Terrain::Cost(letter as u32 - '0' as u32),
///     _ => Terrain::Unknown, // an error with line and column
/// })?;
/// let (start, end) = (map.find('S')?, map.find('E')?);
/// let report = astar(&map.route_to([end], Movement::four(1))?, start)?;
/// let path = report.path().expect("there is a path");
/// assert_eq!(path.cost(), 19);
/// let drawn = map.draw_path(path.states());
/// assert_eq!(drawn.lines().nth(2), Some("##*#*##.#"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A game owns its map, and its walls change:
///
/// ```
/// use std::f32::consts::SQRT_2;
/// use bestfirst::Replanner;
/// use bestfirst::problems::grid_map::{Cell, Corners, Movement, TerrainMap, TerrainRoute};
///
/// let swamp = |cell: Cell| (10..20).contains(&cell.x);
/// let map = TerrainMap::new(30, 20, |cell| Some(if swamp(cell) { 2.5_f32 } else { 1.0 }))?;
/// let steps = Movement::eight(1.0, SQRT_2).corners(Corners::OneFree).size(2); // an agent of 2×2 cells
/// let route = TerrainRoute::new(map, [Cell::new(28, 10)], steps)?;
/// let mut search = Replanner::new(route).search(Cell::new(0, 10));
/// let before = search.run()?.cost().expect("the field is open");
///
/// for y in 5..15 {
///     for cell in search.problem_mut().set_cost(Cell::new(15, y), None)? {
///         search.changed(&cell);
///     }
/// }
/// assert!(search.run()?.cost().expect("there is a way around") > before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Maps are equal if their cells have the same letters, costs and exits.
///
/// # Serialised
///
/// With the feature `serde`, a map is stored as its `width`, `height`, `letters`, `costs` and `exits`. Reading checks
/// their lengths and the costs.
#[derive(Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "stored::StoredTerrain<C>", into = "stored::StoredTerrain<C>"),
    serde(bound(
        serialize = "C: TerrainCost + serde::Serialize",
        deserialize = "C: TerrainCost + serde::Deserialize<'de>"
    ))
)]
#[doc(alias = "hex")]
pub struct TerrainMap<C = u32> {
    width: u16,
    height: u16,
    letters: Vec<char>,
    /// The cost of each cell; infinite if it is blocked.
    costs: Vec<C>,
    /// One bit for each neighbour to which steps may lead, in the order of [`NEIGHBOURS`](super::map::NEIGHBOURS).
    exits: Vec<u8>,
    /// The side of the largest square of free cells whose upper left cell is this one, at most [`LARGEST`].
    clearance: Vec<u8>,
    /// Bounds on the costs that free cells have had.
    least: C,
    greatest: C,
}

impl<C: TerrainCost> TerrainMap<C> {
    /// Creates a map of `width` columns and `height` rows. `cost` returns the cost of a cell, or `None` if it is blocked.
    ///
    /// # Errors
    ///
    /// [`MapError::Cost`] if a cost is negative, not a number, or [`Cost::INFINITY`](crate::Cost::INFINITY), the largest
    /// of its type; [`MapError::OutOfMemory`] if the map does not fit into memory.
    pub fn new(
        width: u16,
        height: u16,
        mut cost: impl FnMut(Cell) -> Option<C>,
    ) -> Result<Self, MapError> {
        let count = checked_size(width, height)?;
        let too_large = |fault| MapError::out_of_memory(height, width, fault);
        let mut costs = memory::with_capacity(count).map_err(too_large)?;
        let mut letters = memory::with_capacity(count).map_err(too_large)?;
        for y in 0..height {
            for x in 0..width {
                let cell = Cell { x, y };
                let cost = checked_cost(cell, cost(cell))?;
                letters.push(letter_of(cost));
                costs.push(cost);
            }
        }
        Self::from_parts((width, height), letters, costs).map_err(too_large)
    }

    /// `letters` and `costs` have `width · height` entries.
    fn from_parts(
        (width, height): (u16, u16),
        letters: Vec<char>,
        costs: Vec<C>,
    ) -> Result<Self, OutOfMemory> {
        let exits = memory::filled(u8::MAX, costs.len())?;
        let clearance = memory::filled(0, costs.len())?;
        // Blocked cells have the infinite cost.
        let least = costs.iter().copied().fold(C::INFINITY, smaller);
        let greatest = greatest_of(&costs);
        let mut map = Self { width, height, letters, costs, exits, clearance, least, greatest };
        for index in (0..map.costs.len()).rev() {
            map.clearance[index] = map.find_clearance(map.cell(index));
        }
        Ok(map)
    }

    /// Computes the clearance of a cell from those to the right and below.
    fn find_clearance(&self, cell: Cell) -> u8 {
        if !self.is_free(cell) {
            return 0;
        }
        let at = |dx: u16, dy: u16| {
            let near = cell.x.checked_add(dx).zip(cell.y.checked_add(dy));
            near.map_or(0, |(x, y)| self.clearance(Cell { x, y }))
        };
        (1 + at(1, 0).min(at(0, 1)).min(at(1, 1))).min(LARGEST)
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.height
    }

    /// Whether `cell` is on the map.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// Whether `cell` is on the map and free.
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.cost(cell).is_some()
    }

    /// Returns the cost of a cell, or `None` if it is blocked or not on the map.
    #[must_use]
    pub fn cost(&self, cell: Cell) -> Option<C> {
        let cost = self.contains(cell).then(|| self.costs[self.index(cell)]);
        cost.filter(|&cost| cost < C::INFINITY)
    }

    /// Returns the letter of a cell: the one that was read, or `.` or `#` if the cell was later freed or blocked. `None`
    /// if it is not on the map.
    #[must_use]
    pub fn letter(&self, cell: Cell) -> Option<char> {
        self.contains(cell).then(|| self.letters[self.index(cell)])
    }

    /// Returns the side of the largest square of free cells whose upper left cell is this one, at most 16; 0 if it is
    /// blocked or not on the map. An agent of this size fits there.
    #[inline]
    #[must_use]
    pub fn clearance(&self, cell: Cell) -> u8 {
        if self.contains(cell) { self.clearance[self.index(cell)] } else { 0 }
    }

    /// Returns all cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<C> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
    }

    /// Sets the cost of a cell, or blocks it with `None`. Ignores a cell that is not on the map. Takes constant time.
    ///
    /// For a replanning search, use [`TerrainRoute::set_cost`], which returns the affected cells, to be reported.
    ///
    /// The heuristic of routes uses the least cost that any cell has had: it is weaker than possible after the
    /// cost of the cheapest cells has risen.
    ///
    /// # Errors
    ///
    /// [`MapError::Cost`] if the cost is negative, not a number, or [`Cost::INFINITY`](crate::Cost::INFINITY), the largest
    /// of its type. Nothing changes then.
    pub fn set_cost(&mut self, cell: Cell, cost: Option<C>) -> Result<(), MapError> {
        self.replace_cost(cell, checked_cost(cell, cost)?);
        Ok(())
    }

    /// Like [`set_cost`](Self::set_cost), with a cost in its stored form.
    fn replace_cost(&mut self, cell: Cell, cost: C) {
        if !self.contains(cell) {
            return;
        }
        let index = self.index(cell);
        let was_free = self.costs[index] < C::INFINITY;
        self.costs[index] = cost;
        let is_free = cost < C::INFINITY;
        if is_free {
            self.least = smaller(self.least, cost);
            self.greatest = larger(self.greatest, cost);
        }
        if is_free != was_free {
            self.letters[index] = letter_of(cost);
            let reach = u16::from(LARGEST) - 1;
            for y in (cell.y.saturating_sub(reach)..=cell.y).rev() {
                for x in (cell.x.saturating_sub(reach)..=cell.x).rev() {
                    let near = Cell { x, y };
                    let clearance = self.find_clearance(near);
                    let index = self.index(near);
                    self.clearance[index] = clearance;
                }
            }
        }
    }

    /// Restricts the steps from a cell to those of its eight neighbours for which `leads_to` returns true. By default,
    /// all are allowed. Steps into the cell do not change. Blocked cells, corners and the edge of the map still forbid
    /// steps.
    ///
    /// ```
    /// use bestfirst::problems::grid_map::{Movement, Terrain, TerrainMap};
    ///
    /// // Slopes lead down only.
    /// let mut map = TerrainMap::from_rows("E.<.S", |_| Terrain::Cost(1_u32))?;
    /// for slope in map.places_of('<').collect::<Vec<_>>() {
    ///     map.set_exits(slope, |to| to.x < slope.x);
    /// }
    /// let (start, end) = (map.find('S')?, map.find('E')?);
    /// let down = map.route_to([end], Movement::four(1))?;
    /// assert_eq!(bestfirst::astar(&down, start)?.cost(), Some(4));
    /// let up = map.route_to([start], Movement::four(1))?;
    /// assert_eq!(bestfirst::astar(&up, end)?.cost(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_exits(&mut self, cell: Cell, mut leads_to: impl FnMut(Cell) -> bool) {
        if self.contains(cell) {
            let leads = |&direction: &usize| {
                let to = route::neighbour(cell, direction);
                to.is_some_and(|to| self.contains(to) && leads_to(to))
            };
            let exits = (0..8).filter(leads).fold(0, |exits, direction| exits | 1 << direction);
            let index = self.index(cell);
            self.exits[index] = exits;
        }
    }

    /// Returns the problem of reaching one of the goals by these steps. For a route that owns or shares the map, use
    /// [`TerrainRoute::new`].
    ///
    /// # Errors
    ///
    /// As [`TerrainRoute::new`].
    pub fn route_to(
        &self,
        goals: impl IntoIterator<Item = Cell>,
        steps: Movement<C>,
    ) -> Result<TerrainRoute<&Self, C>, MapError> {
        TerrainRoute::new(self, goals, steps)
    }

    /// Returns the rows of letters, with the cells of `path` marked by `*`.
    #[must_use]
    pub fn draw_path(&self, path: &[Cell]) -> String {
        let mut letters = self.letters.clone();
        for &cell in path.iter().filter(|&&cell| self.contains(cell)) {
            letters[self.index(cell)] = '*';
        }
        rows_of(&letters, (self.width, self.height))
    }

    #[inline]
    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }

    #[inline]
    fn cell(&self, index: usize) -> Cell {
        super::map::cell_at(self.width, index)
    }
}

/// Returns the greatest cost of a free cell.
fn greatest_of<C: TerrainCost>(costs: &[C]) -> C {
    let free = costs.iter().copied().filter(|cost| *cost < C::INFINITY);
    free.fold(C::ZERO, larger)
}

/// Returns the stored form of a cost (`None`: blocked), or the cost as an error if it is invalid.
fn stored_cost<C: TerrainCost>(cost: Option<C>) -> Result<C, C> {
    match cost {
        None => Ok(C::INFINITY),
        Some(cost) if cost >= C::ZERO && cost < C::INFINITY => Ok(cost),
        Some(cost) => Err(cost),
    }
}

/// Like [`stored_cost`], with an error for this cell.
fn checked_cost<C: TerrainCost>(cell: Cell, cost: Option<C>) -> Result<C, MapError> {
    stored_cost(cost).map_err(|cost| MapError::Cost { cell, cost: format!("{cost:?}") })
}

/// Returns the letter of a cell that was not read from text.
fn letter_of<C: TerrainCost>(cost: C) -> char {
    if cost < C::INFINITY { '.' } else { '#' }
}

fn rows_of(letters: &[char], (width, height): (u16, u16)) -> String {
    let (width, height) = (usize::from(width), usize::from(height));
    let mut rows = String::with_capacity(letters.len() + height);
    // A row of no cells is a line, too.
    for row in 0..height {
        rows.extend(&letters[row * width..][..width]);
        rows.push('\n');
    }
    rows
}

/// Ignores the bounds on earlier costs.
impl<C: PartialEq> PartialEq for TerrainMap<C> {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height) == (other.width, other.height)
            && self.letters == other.letters
            && self.costs == other.costs
            && self.exits == other.exits
    }
}

/// The rows of letters.
impl<C> fmt::Display for TerrainMap<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&rows_of(&self.letters, (self.width, self.height)))
    }
}

impl<C> fmt::Debug for TerrainMap<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TerrainMap({}×{})", self.width, self.height)
    }
}
