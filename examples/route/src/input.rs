//! Reads the network and the pairs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use bestfirst::problems::road_network::{NodeId, RoadNetwork};
use flate2::bufread::MultiGzDecoder;
use program::{Fault, name, without_mark};

use super::args::Args;

/// The first bytes of what gzip has compressed.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Where a route begins and ends.
#[derive(Clone, Copy)]
pub struct Pair {
    pub from: NodeId,
    pub to: NodeId,
}

/// Reads the network that the arguments name, with its coordinates.
pub fn read_network(args: &Args, input: &mut impl Read) -> Result<RoadNetwork, Fault> {
    let in_file = |file: &Path, fault: &dyn std::fmt::Display| {
        Fault::Input(format!("{}: {fault}", name(file)))
    };
    let graph = if args.graph == Path::new("-") {
        unpacked(BufReader::new(input))
    } else {
        open(&args.graph).and_then(unpacked)
    };
    let graph = graph.map_err(|fault| in_file(&args.graph, &fault))?;
    let mut network = RoadNetwork::read(graph).map_err(|fault| in_file(&args.graph, &fault))?;
    if let Some(file) = &args.coordinates {
        let places = open(file).and_then(unpacked).map_err(|fault| in_file(file, &fault))?;
        network.read_places(places).map_err(|fault| in_file(file, &fault))?;
    }
    Ok(network)
}

/// The pairs that the arguments name: first the single one, then those of the file.
pub fn read_pairs(args: &Args, network: &RoadNetwork) -> Result<Vec<Pair>, Fault> {
    let node = |number: u32, place: &dyn std::fmt::Display| {
        network.node(number).ok_or_else(|| {
            let (count, graph) = (network.node_count(), args.graph_name());
            Fault::Input(format!(
                "{place}: there is no node {number}; {graph} has the nodes 1 to {count}"
            ))
        })
    };
    let mut pairs = Vec::new();
    if let (Some(from), Some(to)) = (args.from, args.to) {
        pairs.push(Pair { from: node(from, &"FROM")?, to: node(to, &"TO")? });
    }
    let Some(file) = &args.pairs else { return Ok(pairs) };
    let file_name = name(file);
    let lines = open(file).and_then(unpacked).map(BufRead::lines);
    let lines = lines.map_err(|fault| Fault::Input(format!("{file_name}: {fault}")))?;
    for (number, line) in (1..).zip(lines) {
        let place = format!("{file_name}: line {number}");
        let line = line.map_err(|fault| Fault::Input(format!("{place}: {fault}")))?;
        let line = if number == 1 { without_mark(&line) } else { &line };
        if line.trim().is_empty() || line.starts_with(['c', 'p', '#']) {
            continue;
        }
        let Some((from, to)) = two_numbers(line) else {
            let message =
                format!("{place}: found `{}`, expected two nodes, as in `12 340`", shortened(line));
            return Err(Fault::Input(message));
        };
        pairs.push(Pair { from: node(from, &place)?, to: node(to, &place)? });
    }
    Ok(pairs)
}

/// The two numbers of a line, separated by blanks or a comma, perhaps after the letter q.
fn two_numbers(line: &str) -> Option<(u32, u32)> {
    let numbers = line.strip_prefix('q').unwrap_or(line);
    let mut words =
        numbers.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let two = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some(two)
}

/// The beginning of a line, for a message.
fn shortened(line: &str) -> String {
    line.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn open(file: &Path) -> io::Result<BufReader<File>> {
    File::open(file).map(BufReader::new)
}

/// The lines of a file, compressed or not.
fn unpacked<'a>(mut file: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let is_packed = file.fill_buf()?.starts_with(&GZIP);
    Ok(if is_packed { Box::new(BufReader::new(MultiGzDecoder::new(file))) } else { Box::new(file) })
}
