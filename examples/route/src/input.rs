//! Reads the network and the pairs.

use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::str::FromStr;

use bestfirst::problems::road_network::{NodeId, RoadNetwork};
use flate2::bufread::MultiGzDecoder;
use program::{Fault, name, without_mark};

use super::args::Args;

/// The first bytes of what gzip has compressed.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// A byte order mark in UTF-8.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// As many bytes of a line of pairs are read: two numbers need far less.
const LONGEST: u64 = 1 << 16;

/// A longer line before the first arc is left to the reader of the network, which refuses it.
const LONGEST_COMMENT: u64 = (1 << 20) + 1;

/// Where a route begins and ends.
#[derive(Clone, Copy)]
pub struct Pair {
    pub from: NodeId,
    pub to: NodeId,
}

/// A network, and how its file counts.
pub struct Roads {
    pub network: RoadNetwork,
    /// The number of the first node in the file: 0 or 1.
    pub first: u32,
}

impl Roads {
    /// The number of a node in the file.
    pub fn number(&self, node: NodeId) -> u32 {
        node.number() - 1 + self.first
    }

    /// The node with this number in the file.
    pub fn node(&self, number: u64) -> Option<NodeId> {
        self.network.node(u32::try_from(number).ok()?.checked_add(1 - self.first)?)
    }
}

/// Reads the network that the arguments name, with its coordinates.
pub fn read_network(args: &Args, input: &mut impl Read) -> Result<Roads, Fault> {
    let in_file =
        |file: &Path, fault: &dyn fmt::Display| Fault::Input(format!("{}: {fault}", name(file)));
    let at_graph = |fault: &dyn fmt::Display| in_file(&args.graph, fault);
    let mut graph = lines_of(&args.graph, input)?;
    let (begin, is_from_zero) = beginning(&mut graph).map_err(|fault| at_graph(&fault))?;
    let builder = RoadNetwork::builder();
    let builder = if is_from_zero { builder.from_zero() } else { builder };
    let builder = if args.parallel { builder.keep_parallel_arcs() } else { builder };
    let read = builder.read((&begin[..]).chain(graph));
    let mut network = read.map_err(|fault| at_graph(&fault))?;
    if let Some(file) = &args.coordinates {
        network.read_places(lines_of(file, input)?).map_err(|fault| in_file(file, &fault))?;
    }
    Ok(Roads { network, first: u32::from(!is_from_zero) })
}

/// The lines up to the first one that is no comment, and whether it is an arc: nodes are counted from 0 then. Of comments
/// only the ends are kept.
fn beginning(graph: &mut impl BufRead) -> Result<(Vec<u8>, bool), String> {
    let mut begin = Vec::new();
    loop {
        let from = begin.len();
        let read = graph.by_ref().take(LONGEST_COMMENT).read_until(b'\n', &mut begin);
        read.map_err(|fault| format!("line {} cannot be read: {fault}", from + 1))?;
        let mark = if from == 0 { MARK } else { &[] };
        let line = begin[from..].strip_prefix(mark).unwrap_or(&begin[from..]);
        let word = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
        if !begin[from..].ends_with(b"\n") || word.is_some_and(|word| word != b"c") {
            let is_arc = word == Some(b"a");
            return Ok((begin, is_arc));
        }
        begin.truncate(from);
        begin.push(b'\n');
    }
}

/// The pairs that the arguments name: first the single one, then those of the file.
pub fn read_pairs(args: &Args, roads: &Roads, input: &mut impl Read) -> Result<Vec<Pair>, Fault> {
    let node = |number: u64, place: &dyn fmt::Display| {
        roads.node(number).ok_or_else(|| {
            let (first, graph) = (roads.first, args.graph_name());
            let nodes = match roads.network.node_count() {
                0 => "no nodes".to_owned(),
                count => format!("the nodes {first} to {}", count - 1 + first as usize),
            };
            Fault::Input(format!("{place}: there is no node {number}; {graph} has {nodes}"))
        })
    };
    let mut pairs = Vec::new();
    if let (Some(from), Some(to)) = (args.from, args.to) {
        pairs.push(Pair { from: node(from.into(), &"FROM")?, to: node(to.into(), &"TO")? });
    }
    let Some(file) = &args.pairs else { return Ok(pairs) };
    for_each_line(file, input, |line, place| {
        let ([from, to], rest) = two_numbers(line, place)?;
        if let Some((column, more)) = rest {
            return Err(unexpected(more, &place(column), "two nodes, as in `12 340`"));
        }
        let [from, to] = [from, to].map(|(column, number)| node(number, &place(column)));
        pairs.push(Pair { from: from?, to: to? });
        Ok(())
    })?;
    Ok(pairs)
}

/// Reads the factors by which arcs have become dearer, and returns the network with them.
pub fn read_traffic(
    file: &Path,
    roads: &Roads,
    input: &mut impl Read,
) -> Result<RoadNetwork, Fault> {
    const EXPECTED: &str = "two nodes and a factor from 1 on, as in `12 340 2.5`";
    let mut factors = HashMap::new();
    for_each_line(file, input, |line, place| {
        let ([from, to], rest) = two_numbers(line, place)?;
        let (column, word) = rest.unwrap_or((line.chars().count() + 1, ""));
        let factor: f64 =
            unsigned(word).ok_or_else(|| unexpected(word, &place(column), EXPECTED))?;
        if !(1.0..=1e6).contains(&factor) {
            return Err(unexpected(word, &place(column), EXPECTED));
        }
        let ends = [from, to].map(|(_, number)| roads.node(number));
        let arc = ends[0].zip(ends[1]).and_then(|(from, to)| {
            let weights = roads.network.arcs(from).filter(|arc| arc.0 == to).map(|arc| arc.1);
            Some(((from, to), weights.max()?))
        });
        let Some((arc, weight)) = arc else {
            let message = format!("{}: there is no arc from {} to {}", place(from.0), from.1, to.1);
            return Err(Fault::Input(message));
        };
        if dearer(weight, factor).is_none() {
            let most = u32::MAX;
            let message =
                format!("{}: the weight {weight} times {word} is more than {most}", place(column));
            return Err(Fault::Input(message));
        }
        if factors.insert(arc, factor).is_some() {
            let place = place(from.0);
            let message =
                format!("{place}: the arc from {} to {} has a factor already", from.1, to.1);
            return Err(Fault::Input(message));
        }
        Ok(())
    })?;
    let weight = |from, to, weight: u32| {
        factors.get(&(from, to)).and_then(|&factor| dearer(weight, factor)).unwrap_or(weight)
    };
    roads.network.with_weights(weight).map_err(|fault| Fault::input(&fault))
}

/// A weight times a factor, rounded up, if it fits.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is compared")]
fn dearer(weight: u32, factor: f64) -> Option<u32> {
    // Both the factor and the product are rounded: what is above a whole number by so little may be one.
    let product = (f64::from(weight) * factor * (1.0 - 2.0 * f64::EPSILON)).ceil();
    (product <= u32::MAX.into()).then_some(product as u32)
}

/// What is to be done with a line, which is told where a column of it is.
type OfLine<'f> = &'f mut dyn FnMut(&str, &dyn Fn(usize) -> String) -> Result<(), Fault>;

/// Calls a function with each line of a file that says something.
fn for_each_line(
    file: &Path,
    input: &mut impl Read,
    mut say: impl FnMut(&str, &dyn Fn(usize) -> String) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let say: OfLine<'_> = &mut say;
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
        if !line.trim().is_empty() && !line.starts_with(['c', 'p', '#']) {
            say(line, &place)?;
        }
    }
    Ok(())
}

/// The error for a word.
fn unexpected(found: &str, place: &str, expected: &str) -> Fault {
    let found = match found {
        "" => "the end of the line".to_owned(),
        found => format!("`{}`", shortened(found)),
    };
    Fault::Input(format!("{place}: found {found}, expected {expected}"))
}

/// A number or a word with its column.
type At<T> = (usize, T);

/// Two numbers, and the word after them.
type TwoAndMore<'l> = ([At<u64>; 2], Option<At<&'l str>>);

/// The two numbers at the beginning of a line, separated by blanks or a comma, perhaps after the letter q, and the word
/// after them.
fn two_numbers<'l>(
    line: &'l str,
    place: &dyn Fn(usize) -> String,
) -> Result<TwoAndMore<'l>, Fault> {
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
    let words = [word(), word()];
    let more = Some(word()).filter(|(_, word)| !word.is_empty());
    let mut two = [(0, 0); 2];
    for (number, (column, word)) in two.iter_mut().zip(words) {
        let fault = || unexpected(word, &place(column), "two nodes, as in `12 340`");
        *number = (column, unsigned(word).ok_or_else(fault)?);
    }
    Ok((two, more))
}

/// A number without a plus, which the parser of the standard library takes.
fn unsigned<T: FromStr>(word: &str) -> Option<T> {
    if word.starts_with('+') { None } else { word.parse().ok() }
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
