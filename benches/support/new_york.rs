//! The roads of New York.
#![allow(dead_code, reason = "each bench that takes this module in uses a part of it")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

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

/// Writes the network, pairs of nodes counted from 0, and the factor of the estimate into a file, as
/// `benches/cpp/roads.cpp` wants to read them.
pub fn file_for_cpp(network: &RoadNetwork, pairs: &[(u32, u32)], factor: f64) -> Option<PathBuf> {
    let mut text = Vec::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("there is memory");
    line(format!("{} {} {}", network.node_count(), network.arc_count(), pairs.len()));
    // The places are in the order of the nodes.
    for place in unpacked("roads/USA-road-d.NY.co.gz")?.lines() {
        let place = place.expect("it was read before");
        if let Some((_, place)) = place.strip_prefix("v ").and_then(|place| place.split_once(' ')) {
            line(place.to_owned());
        }
    }
    for tail in network.nodes() {
        for (head, weight) in network.arcs(tail) {
            line(format!("{} {} {weight}", tail.number() - 1, head.number() - 1));
        }
    }
    for (from, to) in pairs {
        line(format!("{from} {to}"));
    }
    line(factor.to_string());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("roads-{}.txt", pairs.len()));
    fs::write(&path, text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    Some(path)
}
