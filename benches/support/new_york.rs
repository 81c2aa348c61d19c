//! The roads of New York.

use std::fs::File;
use std::io::{BufRead, BufReader};

use bestfirst::problems::road_network::RoadNetwork;
use flate2::read::GzDecoder;

use super::data;

/// The network with its places, if the data is there.
pub fn network() -> Option<RoadNetwork> {
    let graph = unpacked("roads/USA-road-d.NY.gr.gz")?;
    let places = unpacked("roads/USA-road-d.NY.co.gz")?;
    let mut network = RoadNetwork::read(graph).unwrap_or_else(|fault| panic!("{fault}"));
    network.read_places(places).unwrap_or_else(|fault| panic!("{fault}"));
    Some(network)
}

/// The lines of a packed file among the data.
fn unpacked(path: &str) -> Option<impl BufRead> {
    let file = data::file(path)?;
    let open = File::open(&file).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()));
    Some(BufReader::new(GzDecoder::new(open)))
}
