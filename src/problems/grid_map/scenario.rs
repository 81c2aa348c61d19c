//! [`Scenario`]: the queries of a `.scen` file.

use std::str::FromStr;

use super::Cell;
use super::error::too_large;
use super::parse::{Words, is_missing};
use crate::problems::memory;
use crate::problems::text::without_mark;
use crate::problems::{ParseError, Position};

/// The queries of a `.scen` file, in order.
///
/// The first line is `version 1`. Every other line has nine columns, separated by tabs: bucket, map,
/// width, height, start x, start y, goal x, goal y, optimal length. The length is that of
/// [`EightWay`](super::EightWay) moves.
///
/// ```
/// use bestfirst::problems::grid_map::{Cell, Scenario};
///
/// let scenario: Scenario = "version 1\n0\tarena.map\t49\t49\t1\t13\t4\t12\t3.41421\n".parse()?;
/// let query = &scenario.queries[0];
/// assert_eq!((query.start, query.goal), (Cell::new(1, 13), Cell::new(4, 12)));
/// # Ok::<(), bestfirst::problems::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Scenario {
    /// The queries.
    pub queries: Vec<Query>,
}

/// One query of a [`Scenario`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Query {
    /// The number of the bucket: queries of about the same length share one.
    pub bucket: u32,
    /// The file name of the map.
    pub map: String,
    /// The number of columns of the map.
    pub width: u16,
    /// The number of rows of the map.
    pub height: u16,
    /// The start.
    pub start: Cell,
    /// The goal.
    pub goal: Cell,
    /// The length of an optimal path.
    pub length: f64,
    /// Where the width of the map is in the file.
    pub width_at: Position,
}

impl FromStr for Scenario {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let lines = without_mark(text).lines().zip(1..);
        let mut lines = lines.filter(|(text, _)| !text.trim().is_empty());
        let Some((first, line)) = lines.next() else {
            return Err(is_missing(1, "`version 1`"));
        };
        let mut words = Words::new(first, line);
        if words.next() != "version" || !matches!(words.next(), "1" | "1.0") {
            return Err(words.wrong("`version 1`"));
        }
        words.end()?;
        let mut queries = Vec::new();
        for (text, line) in lines {
            let query = query(Words::new(text, line))?;
            memory::push(&mut queries, query).map_err(too_large)?;
        }
        Ok(Self { queries })
    }
}

fn query(mut words: Words<'_>) -> Result<Query, ParseError> {
    let bucket = words.number("the number of a bucket")?;
    // If the columns are separated by tabs, the name may contain blanks.
    let has_tabs = words.text.contains('\t');
    let map = words.next_until(|c| c == '\t' || (!has_tabs && c.is_whitespace())).to_owned();
    if map.is_empty() {
        return Err(words.wrong("the name of a map"));
    }
    let width = words.number("the width of the map, at most 65535")?;
    let width_at = words.place();
    let height = words.number("the height of the map, at most 65535")?;
    let mut cell = || {
        let x = words.number("a column of the map")?;
        if x >= width {
            return Err(words.wrong("a column of the map"));
        }
        let y = words.number("a row of the map")?;
        if y >= height {
            return Err(words.wrong("a row of the map"));
        }
        Ok(Cell { x, y })
    };
    let (start, goal) = (cell()?, cell()?);
    let length = words.number("the length of a path")?;
    if !(0.0..f64::INFINITY).contains(&length) {
        return Err(words.wrong("the length of a path"));
    }
    words.end()?;
    Ok(Query { bucket, map, width, height, start, goal, length, width_at })
}
