//! Reads the network and the pairs.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use bestfirst::problems::road_network::{NodeId, RoadNetwork};
use flate2::bufread::MultiGzDecoder;
use program::{Fault, name, without_mark};

use super::args::Args;

/// The first bytes of what gzip has compressed.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// As many bytes of a line of pairs are read: two numbers need far less.
const LONGEST: u64 = 1 << 16;

/// Where a route begins and ends.
#[derive(Clone, Copy)]
pub struct Pair {
    pub from: NodeId,
    pub to: NodeId,
}

/// Reads the network that the arguments name, with its coordinates.
pub fn read_network(args: &Args, input: &mut impl Read) -> Result<RoadNetwork, Fault> {
    let in_file =
        |file: &Path, fault: &dyn fmt::Display| Fault::Input(format!("{}: {fault}", name(file)));
    let graph = lines_of(&args.graph, input)?;
    let mut network = RoadNetwork::read(graph).map_err(|fault| in_file(&args.graph, &fault))?;
    if let Some(file) = &args.coordinates {
        network.read_places(lines_of(file, input)?).map_err(|fault| in_file(file, &fault))?;
    }
    Ok(network)
}

/// The pairs that the arguments name: first the single one, then those of the file.
pub fn read_pairs(
    args: &Args,
    network: &RoadNetwork,
    input: &mut impl Read,
) -> Result<Vec<Pair>, Fault> {
    let node = |number: u32, place: &dyn fmt::Display| {
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
    let mut lines = lines_of(file, input)?;
    for number in 1.. {
        let place = |column: usize| format!("{file_name}: line {number}, column {column}");
        let mut line = Vec::new();
        let read = lines.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line);
        let read = read.map_err(|fault| Fault::Input(format!("{}: {fault}", place(1))))?;
        if read == 0 {
            break;
        }
        if line.len() as u64 > LONGEST {
            let message =
                format!("{}: the line is too long: at most {LONGEST} bytes are read", place(1));
            return Err(Fault::Input(message));
        }
        let line = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line));
        let line = if number == 1 { without_mark(&line) } else { &line };
        if line.trim().is_empty() || line.starts_with(['c', 'p', '#']) {
            continue;
        }
        let two = two_numbers(line).map_err(|(column, found)| {
            let found = match found {
                "" => "the end of the line".to_owned(),
                found => format!("`{}`", shortened(found)),
            };
            let message =
                format!("{}: found {found}, expected two nodes, as in `12 340`", place(column));
            Fault::Input(message)
        })?;
        let [from, to] = two.map(|(column, number)| node(number, &place(column)));
        pairs.push(Pair { from: from?, to: to? });
    }
    Ok(pairs)
}

/// The two numbers of a line with their columns, separated by blanks or a comma, perhaps after the letter q; or the
/// column of a word that is wrong, and the word.
fn two_numbers(line: &str) -> Result<[(usize, u32); 2], (usize, &str)> {
    let is_gap = |c: char| c.is_whitespace() || c == ',';
    let mut rest = line.strip_prefix('q').unwrap_or(line);
    let mut word = || {
        rest = rest.trim_start_matches(is_gap);
        let column = line[..line.len() - rest.len()].chars().count() + 1;
        let end = rest.find(is_gap).unwrap_or(rest.len());
        let word = &rest[..end];
        rest = &rest[end..];
        (column, word)
    };
    let numbers = [word(), word()];
    let (column, more) = word();
    let mut two = [(0, 0); 2];
    for (number, (column, word)) in two.iter_mut().zip(numbers) {
        *number = (column, word.parse().map_err(|_| (column, word))?);
    }
    if more.is_empty() { Ok(two) } else { Err((column, more)) }
}

/// The beginning of a word, for a message.
fn shortened(word: &str) -> String {
    word.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The lines of a file, compressed or not; of `input` where it is `-`.
fn lines_of<'a>(file: &Path, input: &'a mut impl Read) -> Result<Box<dyn BufRead + 'a>, Fault> {
    let mut read = BufReader::new(program::source(file, input)?);
    let begins = read.fill_buf();
    let begins = begins.map_err(|fault| Fault::Input(format!("{}: {fault}", name(file))))?;
    let is_packed = begins.starts_with(&GZIP);
    Ok(if is_packed { Box::new(BufReader::new(MultiGzDecoder::new(read))) } else { Box::new(read) })
}
