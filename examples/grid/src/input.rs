//! Reads the map and the queries.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use bestfirst::problems::grid_map::{Cell, GridMap, Scenario};
use program::Fault;

use super::args::{Args, Place};

/// A start, a goal, and the length in the file.
#[derive(Clone, Copy)]
pub struct Query {
    /// The number of the query, counted from 1.
    pub number: usize,
    pub start: Cell,
    pub goal: Cell,
    pub length: Option<f64>,
}

/// Reads the map that the arguments name.
pub fn read_map(args: &Args, input: &mut impl Read) -> Result<GridMap, Fault> {
    parse(&args.map, input)
}

/// Reads the queries that the arguments name, all of them or one.
pub fn read_queries(args: &Args, map: &GridMap) -> Result<Vec<Query>, Fault> {
    if let (Some(Place(start)), Some(Place(goal))) = (args.from, args.to) {
        for (option, cell) in [("--from", start), ("--to", goal)] {
            if !map.contains(cell) {
                let (width, height) = (map.width(), map.height());
                return Err(Fault::Input(format!(
                    "{option}: {cell} is not on the map, which has {width} columns and {height} rows"
                )));
            }
        }
        return Ok(vec![Query { number: 1, start, goal, length: None }]);
    }
    let file = scenario_file(args)?;
    let name = program::name(&file);
    let scenario: Scenario = parse(&file, &mut std::io::empty())?;
    let (width, height) = (map.width(), map.height());
    let mut queries = Vec::new();
    for (query, number) in scenario.queries.iter().zip(1..) {
        if (query.width, query.height) != (width, height) {
            return Err(Fault::Input(format!(
                "{name}: query {number} is for a map of {} columns and {} rows, but {} has {width} and {height}",
                query.width,
                query.height,
                program::name(&args.map)
            )));
        }
        let (start, goal) = (query.start, query.goal);
        queries.push(Query { number, start, goal, length: Some(query.length) });
    }
    let Some(wanted) = args.query else { return Ok(queries) };
    let count = queries.len();
    queries.retain(|query| query.number == wanted);
    if queries.is_empty() {
        return Err(Fault::Input(format!(
            "--query: {name} has the queries 1 to {count}, not {wanted}"
        )));
    }
    Ok(queries)
}

/// The file that is named, or the one beside the map.
fn scenario_file(args: &Args) -> Result<PathBuf, Fault> {
    if let Some(file) = &args.scen {
        return Ok(file.clone());
    }
    let mut beside = OsString::from(&args.map);
    beside.push(".scen");
    let beside = PathBuf::from(beside);
    if beside.exists() {
        return Ok(beside);
    }
    let message = format!(
        "there is no {}; name a file of queries, or give --from and --to",
        beside.display()
    );
    Err(Fault::Input(message))
}

fn parse<T>(file: &Path, input: &mut impl Read) -> Result<T, Fault>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let text = program::read(file, input)?;
    text.parse().map_err(|fault| Fault::Input(format!("{}: {fault}", program::name(file))))
}
