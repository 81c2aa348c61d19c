//! Reads the map and the queries.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use bestfirst::problems::ParseError;
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
    program::parse(&args.map, input, str::parse, ParseError::position)
}

/// Reads the queries that the arguments name, all of them or one.
pub fn read_queries(
    args: &Args,
    map: &GridMap,
    file: Option<&Path>,
    input: &mut impl Read,
) -> Result<Vec<Query>, Fault> {
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
    let Some(file) = file else { return Ok(Vec::new()) };
    if args.scen.is_none() && !file.exists() {
        let name = file.display();
        return Err(Fault::Input(format!(
            "there is no {name}; name a file of queries, or give --from and --to"
        )));
    }
    let name = program::name(file);
    let parsed = |text: &str| Ok((text.parse::<Scenario>()?, text.to_owned()));
    let (scenario, text) = program::parse(file, input, parsed, ParseError::position)?;
    let (width, height) = (map.width(), map.height());
    let mut queries = Vec::new();
    for (query, number) in scenario.queries.iter().zip(1..) {
        if (query.width, query.height) != (width, height) {
            let fault = format!(
                "{}: query {number} is for a map of {} columns and {} rows, but {} has {width} and {height}",
                query.width_at,
                query.width,
                query.height,
                program::name(&args.map)
            );
            return Err(program::explain(&name, &text, &fault, query.width_at));
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

/// The file of queries: the one that is named, or the one beside the map; none for a single query.
pub fn scenario_file(args: &Args) -> Option<PathBuf> {
    if args.from.is_some() || args.scen.is_some() {
        return args.scen.clone();
    }
    let mut beside = OsString::from(&args.map);
    beside.push(".scen");
    Some(PathBuf::from(beside))
}
