//! Reads the map.

use std::io::Read;

use bestfirst::problems::crucible::HeatMap;
use program::Fault;

use super::args::{Args, Size};

/// Reads the map that the arguments name, or generates it.
pub fn read_map(args: &Args, input: &mut impl Read) -> Result<HeatMap, Fault> {
    let name = args.map_name();
    if let Some(Size(rows, columns)) = args.random {
        return HeatMap::random(rows, columns, args.seed)
            .map_err(|fault| Fault::Input(format!("{name}: {fault}")));
    }
    let Some(file) = &args.file else { return Ok(HeatMap::example()) };
    let text = program::read(file, input)?;
    text.parse::<HeatMap>().map_err(|fault| match fault.place() {
        Some(place) => program::explain(&name, &text, &fault, place),
        None => Fault::Input(format!("{name}: {fault}")),
    })
}
