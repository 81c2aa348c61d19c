//! Reading maps of letters: pasted rows, `.map` files, and tables of the costs of letters.

use std::str::FromStr;

use super::{TerrainCost, TerrainMap, stored_cost};
use crate::problems::grid_map::error::too_large;
use crate::problems::grid_map::parse::{Header, Words, read_header, read_rows, too_many_cells};
use crate::problems::grid_map::{Cell, MapError};
use crate::problems::memory;
use crate::problems::text::without_mark;
use crate::problems::{ParseError, Position};

/// The meaning of a letter of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terrain<C> {
    /// A free cell of this cost.
    Cost(C),
    /// A blocked cell.
    Blocked,
    /// The letter is invalid.
    Unknown,
}

impl<C: TerrainCost> TerrainMap<C> {
    /// Reads rows of letters; `terrain` returns the meaning of each.
    ///
    /// Blanks at the end of rows and empty rows are ignored. The map stores the letters:
    /// [`find`](Self::find) and [`places_of`](Self::places_of) return the places of one.
    ///
    /// # Errors
    ///
    /// A [`ParseError`]: of a letter that is [`Terrain::Unknown`], of a row of another length, of a cost
    /// that is negative, not a number, or [`Cost::INFINITY`](crate::Cost::INFINITY), the largest of its type; of more than
    /// 65,535 rows or columns; of a map that does not fit into memory.
    pub fn from_rows(
        rows: &str,
        terrain: impl FnMut(char) -> Terrain<C>,
    ) -> Result<Self, ParseError> {
        Self::read(without_mark(rows).lines().zip(1..), None, terrain)
    }

    /// Reads a `.map` file with the header of a [`GridMap`](crate::problems::grid_map::GridMap) and any
    /// letters; `terrain` returns the meaning of each. For the weighted `MovingAI` maps, use
    /// [`TerrainCosts::terrain`].
    ///
    /// # Errors
    ///
    /// As [`from_rows`](Self::from_rows), and for an invalid header.
    pub fn from_file(
        text: &str,
        terrain: impl FnMut(char) -> Terrain<C>,
    ) -> Result<Self, ParseError> {
        let (header, rows) = read_header(text)?;
        Self::read(rows, Some(&header), terrain)
    }

    fn read<'t>(
        rows: impl Iterator<Item = (&'t str, usize)>,
        header: Option<&Header<'_>>,
        mut terrain: impl FnMut(char) -> Terrain<C>,
    ) -> Result<Self, ParseError> {
        let (mut letters, mut costs) = (Vec::new(), Vec::new());
        let (width, height) = read_rows(rows, header, |row, line| {
            let mut width = 0_u16;
            for letter in row.chars() {
                let column = usize::from(width) + 1;
                let at = Position::new(line, column);
                let wrong = |expected| at.not(&letter.to_string(), expected);
                let cost = match terrain(letter) {
                    Terrain::Blocked => None,
                    Terrain::Cost(cost) => Some(cost),
                    Terrain::Unknown => return Err(wrong("a letter of this map")),
                };
                let cost = stored_cost(cost).map_err(|_| {
                    wrong(
                        "a letter whose cost is a number, not negative, and less than the largest of its type",
                    )
                })?;
                width = width.checked_add(1).ok_or_else(|| too_many_cells(line))?;
                memory::push(&mut letters, letter)
                    .and_then(|()| memory::push(&mut costs, cost))
                    .map_err(too_large)?;
            }
            Ok(width)
        })?;
        Self::from_parts((width, height), letters, costs).map_err(too_large)
    }

    /// Returns the only place of a letter.
    ///
    /// # Errors
    ///
    /// [`MapError::Letter`] if it is on the map more than once, or not at all.
    pub fn find(&self, letter: char) -> Result<Cell, MapError> {
        let mut places = self.places_of(letter);
        match (places.next(), places.count()) {
            (Some(cell), 0) => Ok(cell),
            (first, others) => {
                Err(MapError::Letter { letter, found: usize::from(first.is_some()) + others })
            }
        }
    }

    /// Returns the places of a letter, row by row.
    pub fn places_of(&self, letter: char) -> impl Iterator<Item = Cell> {
        let letters = self.letters.iter().enumerate();
        letters.filter(move |&(_, &other)| other == letter).map(|(index, _)| self.cell(index))
    }
}

/// The costs of letters, from a file with one line for each letter and its cost. A cost of 0 blocks the cell.
///
/// This is the format of the costs of the weighted `MovingAI` maps (Carlson, Moghadam, Harabor, Stuckey and Ebrahimi,
/// *Optimal Pathfinding on Weighted Grid Maps*, AAAI 2023). The lengths in their `.scen` files are those of
/// `Movement::eight(1.0, SQRT_2).mean()`: see [`Movement::mean`](super::Movement::mean).
///
/// ```
/// use std::f64::consts::SQRT_2;
/// use bestfirst::AStar;
/// use bestfirst::problems::grid_map::{Cell, Movement, TerrainCosts, TerrainMap};
///
/// let costs: TerrainCosts = ". 1\nS 3.5\n@ 0\n".parse()?;
/// let file = "type octile\nheight 2\nwidth 3\nmap\n.S.\n.@.\n";
/// let map = TerrainMap::from_file(file, |letter| costs.terrain(letter))?;
/// let route = map.route_to([Cell::new(2, 1)], Movement::eight(1.0, SQRT_2).mean())?;
/// let report = AStar::new(&route).search(Cell::new(0, 1)).run()?;
/// assert_eq!(report.cost(), Some(1.0 + 2.25 + 2.25 + 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainCosts {
    costs: Vec<(char, f64)>,
}

impl TerrainCosts {
    /// Returns the meaning of a letter in this table.
    #[must_use]
    pub fn terrain(&self, letter: char) -> Terrain<f64> {
        match self.costs.iter().find(|&&(other, _)| other == letter) {
            None => Terrain::Unknown,
            Some(&(_, cost)) if cost > 0.0 => Terrain::Cost(cost),
            Some(_) => Terrain::Blocked,
        }
    }
}

impl FromStr for TerrainCosts {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut costs: Vec<(char, f64)> = Vec::new();
        let lines = without_mark(text).lines().zip(1..);
        for (text, line) in lines.filter(|(text, _)| !text.trim().is_empty()) {
            let mut words = Words::new(text, line);
            let mut letters = words.next().chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return Err(words.wrong("a letter"));
            };
            if costs.iter().any(|&(other, _)| other == letter) {
                return Err(words.wrong("another letter; this line is a duplicate"));
            }
            let cost = words.number("a cost, 0 for a blocked cell")?;
            if !(0.0..f64::INFINITY).contains(&cost) {
                return Err(words.wrong("a cost, 0 for a blocked cell"));
            }
            words.end()?;
            costs.push((letter, cost));
        }
        Ok(Self { costs })
    }
}
