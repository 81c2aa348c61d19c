//! Reads the map.

use std::io::Read;

use bestfirst::problems::ParseError;
use bestfirst::problems::crucible::HeatMap;
use program::Fault;

use super::args::{Args, Size};

/// Reads the map that the arguments name, or generates it.
pub fn read_map(args: &Args, input: &mut impl Read) -> Result<HeatMap, Fault> {
    if let Some(Size(rows, columns)) = args.random {
        return HeatMap::random(rows, columns, args.seed)
            .map_err(|fault| Fault::Input(format!("{}: {fault}", args.map_name())));
    }
    let Some(file) = &args.file else { return Ok(HeatMap::example()) };
    program::parse(file, input, str::parse, ParseError::position)
}
