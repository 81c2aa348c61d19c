//! The parsers of `.gr` and `.co` files.

use std::io::BufRead;

use super::sphere::unit_vector;
use super::text::Lines;
use super::{RoadError, RoadNetwork, RoadNetworkBuilder};
use crate::problems::memory::{self, OutOfMemory};
use crate::problems::{ParseError, ParseErrorKind, Position};

/// The line `p sp NODES ARCS`, or what the arcs so far say of it.
#[derive(Clone, Copy)]
struct Size {
    nodes: u32,
    /// Where this number is, or the largest node, if there is no such line.
    nodes_at: Position,
    /// The number of arcs, if it is stated, and where.
    arcs: Option<(u32, Position)>,
}

/// The highest number is reserved for the search.
const MOST_NODES: i64 = u32::MAX as i64 - 1;

impl RoadNetwork {
    /// Reads a graph in the format of the DIMACS challenge: lines `c …` are comments, one line
    /// `p sp NODES ARCS` comes first, and each line `a FROM TO WEIGHT` is a directed arc. Nodes are
    /// counted from 1. Of parallel arcs only the cheapest is [kept](Self::left_out). [`builder`](Self::builder) keeps all, or
    /// reads files in which nodes are counted from 0.
    ///
    /// # Errors
    ///
    /// A [`ParseError`], also if reading fails. A file with more than 64
    /// times as many nodes as arcs (and more than four million nodes) is rejected as damaged.
    pub fn read(graph: impl BufRead) -> Result<Self, ParseError> {
        Self::builder().read(graph)
    }

    pub(super) fn read_as(
        options: RoadNetworkBuilder,
        graph: impl BufRead,
    ) -> Result<Self, ParseError> {
        let mut lines = Lines::new(graph);
        let is_from_zero = options.is_from_zero;
        let unknown = Size { nodes: 0, nodes_at: Position::START, arcs: None };
        let mut size = is_from_zero.then_some(unknown);
        let mut arcs = Vec::new();
        while let Some(mut line) = lines.next()? {
            match (line.word(), &mut size) {
                (b"" | b"c", _) => {}
                (b"p", None) => {
                    line.expect(b"sp", "`p sp NODES ARCS`")?;
                    let nodes = line.number("the number of nodes", 0..=MOST_NODES)?;
                    let nodes_at = line.place();
                    let arcs = line.number("the number of arcs", 0..=i64::from(u32::MAX))?;
                    size = Some(Size { nodes, nodes_at, arcs: Some((arcs, line.place())) });
                }
                (b"p", Some(_)) if is_from_zero => {
                    return Err(line.wrong(
                        "`a` or `c`: the file has no `p` line where nodes are counted from 0",
                    ));
                }
                (b"p", Some(_)) => return Err(line.wrong("`a` or `c`; there is a `p` line above")),
                (b"a", Some(size)) => {
                    let range = match size.arcs {
                        Some(_) => 1..=i64::from(size.nodes),
                        None => 0..=MOST_NODES - 1,
                    };
                    let mut node = || -> Result<u32, ParseError> {
                        let number = line.number("a node", range.clone())?;
                        if is_from_zero && number >= size.nodes {
                            (size.nodes, size.nodes_at) = (number + 1, line.place());
                        }
                        Ok(number)
                    };
                    let (from, to) = (node()?, node()?);
                    let weight = line.number("a weight", 0..=i64::from(u32::MAX))?;
                    memory::push(&mut arcs, (from, to, weight)).map_err(too_large)?;
                }
                (b"a", None) => return Err(line.wrong("`p sp NODES ARCS` before the first arc")),
                _ => return Err(line.wrong("`a FROM TO WEIGHT`, `p sp NODES ARCS` or `c`")),
            }
            line.end()?;
        }
        let Some(Size { nodes, nodes_at, arcs: declared }) = size else {
            return Err(lines.place().missing("the line `p sp NODES ARCS` is missing"));
        };
        if let Some((declared, at)) = declared
            && arcs.len() != declared as usize
        {
            let message = format!("found {} arcs, expected {declared}", arcs.len());
            return Err(at.contradiction(message));
        }
        // A few damaged bytes must not make the program allocate gigabytes.
        if nodes as usize / 64 > arcs.len() + (1 << 16) {
            return Err(nodes_at.contradiction(format!(
                "{nodes} nodes with {} arcs: the number of nodes cannot be right",
                arcs.len()
            )));
        }
        Self::compress(options, nodes, &arcs).map_err(|error| match error {
            RoadError::OutOfMemory { bytes, .. } => too_large(OutOfMemory { bytes }),
            _ => Position::of_whole(ParseErrorKind::TooLarge, error.to_string()),
        })
    }

    /// Reads the coordinates of the nodes in the format of the DIMACS challenge: a line
    /// `p aux sp co NODES`, and for every node a line `v NODE LONGITUDE LATITUDE` in millionths of a
    /// degree.
    ///
    /// # Errors
    ///
    /// A [`ParseError`], also if reading fails. The network then keeps the
    /// coordinates that it had before.
    pub fn read_places(&mut self, coordinates: impl BufRead) -> Result<(), ParseError> {
        const NOWHERE: [f64; 3] = [0.0; 3];
        let nodes = self.node_count();
        let mut lines = Lines::new(coordinates);
        let mut places = memory::filled(NOWHERE, nodes).map_err(too_large)?;
        let mut announced = None;
        let mut found = 0;
        while let Some(mut line) = lines.next()? {
            match line.word() {
                b"" | b"c" => {}
                b"p" if announced.is_some() => {
                    return Err(line.wrong("`v` or `c`; there is a `p` line above"));
                }
                b"p" => {
                    for word in [b"aux".as_slice(), b"sp", b"co"] {
                        line.expect(word, "`p aux sp co NODES`")?;
                    }
                    let count = to_i64(nodes);
                    line.number("the number of nodes of the graph", count..=count)?;
                    announced = Some(line.place());
                }
                b"v" if announced.is_some() => {
                    let node = line.number("a node", 1..=to_i64(nodes))?;
                    let place = &mut places[node as usize - 1];
                    if *place != NOWHERE {
                        return Err(line.wrong("a node that has no place yet"));
                    }
                    let longitude = line.signed("a longitude", -360_000_000..=360_000_000)?;
                    let latitude = line.signed("a latitude", -90_000_000..=90_000_000)?;
                    *place = unit_vector(longitude, latitude);
                    found += 1;
                }
                b"v" => return Err(line.wrong("`p aux sp co NODES` before the first place")),
                _ => {
                    return Err(
                        line.wrong("`v NODE LONGITUDE LATITUDE`, `p aux sp co NODES` or `c`")
                    );
                }
            }
            line.end()?;
        }
        let Some(at) = announced else {
            return Err(lines.place().missing("the line `p aux sp co NODES` is missing"));
        };
        if found != nodes {
            return Err(at.contradiction(format!("found {found} places, expected {nodes}")));
        }
        self.places = places;
        Ok(())
    }
}

fn too_large(fault: OutOfMemory) -> ParseError {
    let message = "the network is too large for the available memory; use a smaller network or raise the memory limit";
    Position::START.out_of_memory(fault, message)
}

fn to_i64(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
