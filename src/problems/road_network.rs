//! Road networks: directed graphs with whole-number weights, as the files of the 9th DIMACS challenge
//! hold them.
//!
//! [`RoadNetwork`] is read from a `.gr` file, and the places of its nodes from a `.co` file where
//! there is one. A search needs a goal too: [`RoadNetwork::route_to`] gives the problem of getting to
//! one, a [`Route`]. It borrows the network and costs nothing to make, and its states number
//! themselves, so one search can be restarted for goal after goal with the same memory.
//!
//! The files are text; whoever has them packed unpacks them on the way, as any
//! [`BufRead`] will do.
//!
//! # Example
//!
//! ```
//! use bestfirst::AStar;
//! use bestfirst::problems::road_network::RoadNetwork;
//!
//! let graph = "\
//! c three towns on the equator, one degree apart; weights in metres
//! p sp 3 4
//! a 1 2 112000
//! a 2 1 112000
//! a 2 3 115000
//! a 1 3 230000
//! ";
//! let places = "\
//! p aux sp co 3
//! v 1 0 0
//! v 2 1000000 0
//! v 3 2000000 0
//! ";
//! let mut network = RoadNetwork::read(graph.as_bytes())?;
//! network.read_places(places.as_bytes())?;
//! let (from, to) = (network.node(1).unwrap(), network.node(3).unwrap());
//!
//! // The weights are metres, so no road is shorter than the great circle: factor 1.
//! let route = network.route_to(to).great_circle(1.0);
//! let report = AStar::new(route).dense().search(from).run()?;
//! assert_eq!(report.cost(), Some(227_000));
//! let nodes = report.path().unwrap().states();
//! assert_eq!(nodes.iter().map(|node| node.number()).collect::<Vec<_>>(), [1, 2, 3]);
//!
//! // There is no way out of the third town.
//! let route = network.route_to(from);
//! assert_eq!(AStar::new(route).dense().search(to).run()?.cost(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::io::{self, BufRead};
use std::ops::RangeInclusive;

use crate::prefetch::prefetch;
use crate::problem::{DenseStates, SearchProblem, Successors};

/// The mean radius of the Earth in metres.
const EARTH: f64 = 6_371_000.0;

/// A node of a [`RoadNetwork`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// Its number as the files count, from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0 + 1
    }

    /// Its number from 0: that of its place in a list of all nodes.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// An arc as it leaves a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arc {
    head: NodeId,
    weight: u32,
}

/// A directed graph with weights from 0 to 2³² − 1, and the places of its nodes if they are known.
///
/// The arcs of a node lie side by side in one list, 8 bytes each, in the order of the file; parallel
/// arcs and loops are kept. A node takes 4 bytes, and 24 more with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadNetwork {
    /// Where the arcs of each node begin; at the end, where those of the last one end.
    first: Vec<u32>,
    arcs: Vec<Arc>,
    /// Unit vectors from the middle of the Earth, or none at all.
    places: Vec<[f64; 3]>,
}

impl RoadNetwork {
    /// The network of `nodes` nodes with these arcs: from, to (both counted from 1, as in files),
    /// weight.
    ///
    /// ```
    /// use bestfirst::problems::road_network::RoadNetwork;
    ///
    /// let network = RoadNetwork::new(2, &[(1, 2, 7), (1, 2, 5)])?;
    /// let route = network.route_to(network.node(2).unwrap());
    /// assert_eq!(bestfirst::dijkstra(&route, network.node(1).unwrap())?.cost(), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RoadError::OutOfRange`] if there is no such node; the line is the number of the arc.
    pub fn new(nodes: u32, arcs: &[(u32, u32, u32)]) -> Result<Self, RoadError> {
        for (i, &(from, to, _)) in arcs.iter().enumerate() {
            for (column, number) in [(1, from), (2, to)] {
                if number == 0 || number > nodes {
                    let range = 1..=i64::from(nodes);
                    let number = i64::from(number);
                    return Err(RoadError::OutOfRange { line: i + 1, column, number, range });
                }
            }
        }
        Self::compress(nodes, arcs)
    }

    /// Reads a graph in the format of the DIMACS challenge: lines `c …` are comments, one line
    /// `p sp NODES ARCS` comes first, and each line `a FROM TO WEIGHT` is a directed arc. Nodes are
    /// counted from 1.
    ///
    /// # Errors
    ///
    /// A [`RoadError`] that says what is wrong and where, also if reading fails. A file with more than
    /// 64 times as many nodes as arcs (and more than four million of them) is taken for damaged.
    pub fn read(graph: impl BufRead) -> Result<Self, RoadError> {
        let mut lines = Lines::new(graph);
        let mut size = None;
        let mut arcs = Vec::new();
        while let Some(mut line) = lines.next()? {
            match (line.word(), size) {
                (b"" | b"c", _) => {}
                (b"p", None) => {
                    line.expect(b"sp", "`p sp NODES ARCS`")?;
                    // NodeId counts from 0 and the search keeps the highest number for itself.
                    let nodes = line.number("the number of nodes", 0..=i64::from(u32::MAX - 1))?;
                    let declared = line.number("the number of arcs", 0..=i64::from(u32::MAX))?;
                    size = Some((nodes, declared));
                }
                (b"p", Some(_)) => return Err(line.wrong("`a` or `c`; there is a `p` line above")),
                (b"a", Some((nodes, _))) => {
                    let from = line.number("a node", 1..=i64::from(nodes))?;
                    let to = line.number("a node", 1..=i64::from(nodes))?;
                    let weight = line.number("a weight", 0..=i64::from(u32::MAX))?;
                    arcs.push((from, to, weight));
                }
                (b"a", None) => return Err(line.wrong("`p sp NODES ARCS` before the first arc")),
                _ => return Err(line.wrong("`a FROM TO WEIGHT`, `p sp NODES ARCS` or `c`")),
            }
            line.end()?;
        }
        let Some((nodes, declared)) = size else {
            return Err(RoadError::Missing { expected: "`p sp NODES ARCS`" });
        };
        if arcs.len() != declared as usize {
            let (declared, found) = (declared as usize, arcs.len());
            return Err(RoadError::Count { of: "arcs", declared, found });
        }
        // A few damaged bytes must not ask for gigabytes.
        if nodes as usize / 64 > arcs.len() + (1 << 16) {
            return Err(RoadError::TooSparse { nodes, arcs: arcs.len() });
        }
        Self::compress(nodes, &arcs)
    }

    /// Sorts arcs, whose nodes exist, by where they begin; those of a node keep their order.
    fn compress(nodes: u32, arcs: &[(u32, u32, u32)]) -> Result<Self, RoadError> {
        if u32::try_from(arcs.len()).is_err() || nodes == u32::MAX {
            return Err(RoadError::TooLarge);
        }
        // Counts first, then sums of all counts before, which move on as the arcs come in.
        let mut first = vec![0_u32; nodes as usize + 2];
        for &(from, _, _) in arcs {
            first[from as usize + 1] += 1;
        }
        for node in 2..first.len() {
            first[node] += first[node - 1];
        }
        let mut sorted = vec![Arc { head: NodeId(0), weight: 0 }; arcs.len()];
        for &(from, to, weight) in arcs {
            let place = &mut first[from as usize];
            sorted[*place as usize] = Arc { head: NodeId(to - 1), weight };
            *place += 1;
        }
        first.truncate(nodes as usize + 1);
        Ok(Self { first, arcs: sorted, places: Vec::new() })
    }

    /// Reads the places of the nodes in the format of the DIMACS challenge: a line
    /// `p aux sp co NODES`, and for every node a line `v NODE LONGITUDE LATITUDE` in millionths of a
    /// degree.
    ///
    /// # Errors
    ///
    /// A [`RoadError`] that says what is wrong and where, also if reading fails; the network then has
    /// the places that it had before.
    pub fn read_places(&mut self, coordinates: impl BufRead) -> Result<(), RoadError> {
        const NOWHERE: [f64; 3] = [0.0; 3];
        let nodes = self.node_count();
        let mut lines = Lines::new(coordinates);
        let mut places = vec![NOWHERE; nodes];
        let mut announced = false;
        let mut found = 0;
        while let Some(mut line) = lines.next()? {
            match line.word() {
                b"" | b"c" => {}
                b"p" if announced => {
                    return Err(line.wrong("`v` or `c`; there is a `p` line above"));
                }
                b"p" => {
                    for word in [b"aux".as_slice(), b"sp", b"co"] {
                        line.expect(word, "`p aux sp co NODES`")?;
                    }
                    let count = to_i64(nodes);
                    line.number("the number of nodes of the graph", count..=count)?;
                    announced = true;
                }
                b"v" if announced => {
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
        if !announced {
            return Err(RoadError::Missing { expected: "`p aux sp co NODES`" });
        }
        if found != nodes {
            return Err(RoadError::Count { of: "places", declared: nodes, found });
        }
        self.places = places;
        Ok(())
    }

    /// The node with this number, counted from 1; `None` if there is none.
    #[must_use]
    pub fn node(&self, number: u32) -> Option<NodeId> {
        let index = number.checked_sub(1)?;
        ((index as usize) < self.node_count()).then_some(NodeId(index))
    }

    /// All nodes in order.
    #[must_use]
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<> {
        // One less than its capacity was checked when the network was made.
        #[expect(clippy::cast_possible_truncation, reason = "the number of nodes is a u32")]
        (0..self.node_count() as u32).map(NodeId)
    }

    /// How many nodes there are.
    #[inline]
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.first.len() - 1
    }

    /// How many arcs there are.
    #[must_use]
    pub fn arc_count(&self) -> usize {
        self.arcs.len()
    }

    /// The arcs that leave `node`: where to, and their weights.
    #[must_use]
    pub fn arcs(&self, node: NodeId) -> impl ExactSizeIterator<Item = (NodeId, u32)> + '_ {
        self.leaving(node).iter().map(|arc| (arc.head, arc.weight))
    }

    #[inline]
    fn leaving(&self, node: NodeId) -> &[Arc] {
        // A node of another network may be out of range here: it has no arcs.
        match self.first.get(node.index()..) {
            Some(&[from, to, ..]) => self.arcs.get(from as usize..to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The distance between two nodes over the surface of the Earth, in metres, or a little less:
    /// the rounding is always down, and beyond a quarter of the way round the Earth it is by some
    /// percent. `None` if the places are not known.
    ///
    /// It obeys the triangle inequality.
    #[must_use]
    pub fn great_circle(&self, from: NodeId, to: NodeId) -> Option<f64> {
        Some(great_circle(self.places.get(from.index())?, self.places.get(to.index())?))
    }

    /// The largest factor for which the great-circle heuristic of this network is consistent: the
    /// least weight per metre of all arcs. `None` if the places are not known; infinite if no arc
    /// leads anywhere.
    ///
    /// It looks at every arc once. A node that only its file has moved from where it should be makes
    /// the factor small, and the heuristic with it.
    #[must_use]
    pub fn largest_factor(&self) -> Option<f64> {
        if self.places.is_empty() {
            return None;
        }
        let mut least = f64::INFINITY;
        for node in self.nodes() {
            for (head, weight) in self.arcs(node) {
                let metres = self.great_circle(node, head)?;
                if metres > 0.0 {
                    least = least.min(f64::from(weight) / metres);
                }
            }
        }
        Some(least)
    }

    /// The problem of getting to `goal`, without a heuristic: give it one by
    /// [`Route::great_circle`].
    #[must_use]
    pub fn route_to(&self, goal: NodeId) -> Route<'_> {
        Route { network: self, goal, place: [0.0; 3], factor: 0.0 }
    }
}

/// The problem of getting to a node of a [`RoadNetwork`].
///
/// Costs are `u32`; where a path costs more than that, a search ends with
/// [`SearchError::Overflow`](crate::SearchError::Overflow).
#[derive(Clone, Copy, Debug)]
pub struct Route<'n> {
    network: &'n RoadNetwork,
    goal: NodeId,
    /// Where the goal is, if the factor is not zero.
    place: [f64; 3],
    factor: f64,
}

impl<'n> Route<'n> {
    /// Estimates the rest of the way by the great circle in metres times `factor`, rounded down.
    ///
    /// The estimate is consistent for every factor up to [`RoadNetwork::largest_factor`]. On the New
    /// York of the DIMACS challenge, whose weights are about ten to a metre, 7.15 is consistent and
    /// 10 is not even admissible. Where places are not known, or the factor is not above 0, the
    /// estimate is 0.
    #[must_use]
    pub fn great_circle(mut self, factor: f64) -> Self {
        if let (Some(place), true) = (self.network.places.get(self.goal.index()), factor > 0.0) {
            self.place = *place;
            self.factor = factor;
        } else {
            self.factor = 0.0;
        }
        self
    }

    /// Where it leads to.
    #[must_use]
    pub fn goal(&self) -> NodeId {
        self.goal
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &'n RoadNetwork {
        self.network
    }
}

impl SearchProblem for Route<'_> {
    type State = NodeId;
    type Action = ();
    type Cost = u32;

    #[inline]
    fn successors(&self, &node: &NodeId, next: &mut Successors<Self>) {
        for arc in self.network.leaving(node) {
            next.push((), arc.head, arc.weight);
        }
    }

    #[inline]
    fn heuristic(&self, &node: &NodeId) -> u32 {
        if self.factor == 0.0 {
            return 0;
        }
        let Some(place) = self.network.places.get(node.index()) else { return 0 };
        // The places are exact to 10⁻⁸ metres or so: far less than what is taken off here. The
        // largest u32 would say that there is no way.
        let estimate = great_circle(place, &self.place) * self.factor * (1.0 - 1e-9) - 1e-6;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "is cut off")]
        let estimate = estimate as u32;
        estimate.min(u32::MAX - 1)
    }

    #[inline]
    fn is_goal(&self, &node: &NodeId) -> bool {
        node == self.goal
    }

    #[inline]
    fn prefetch(&self, &node: &NodeId) {
        if let Some(&from) = self.network.first.get(node.index()) {
            prefetch(&self.network.arcs, from as usize);
        }
    }
}

impl DenseStates for Route<'_> {
    #[inline]
    fn state_count(&self) -> usize {
        self.network.node_count()
    }

    #[inline]
    fn state_index(&self, node: &NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn state_at(&self, index: usize) -> NodeId {
        #[expect(clippy::cast_possible_truncation, reason = "below the count, which is a u32")]
        NodeId(index as u32)
    }
}

/// The direction from the middle of the Earth, for millionths of a degree.
fn unit_vector(longitude: i32, latitude: i32) -> [f64; 3] {
    let (east, along) = (f64::from(longitude) * 1e-6).to_radians().sin_cos();
    let (north, across) = (f64::from(latitude) * 1e-6).to_radians().sin_cos();
    [across * along, across * east, north]
}

/// The distance in metres over the surface between two directions, never rounded up.
///
/// The chord c between them gives the angle, 2 asin(c / 2). All terms of the series of asin are
/// positive, so its beginning is a lower bound, good to a millimetre over a hundred kilometres, and
/// cheap. Its slope is at most 1 in the angle, so the triangle inequality holds as for the angle.
#[inline]
fn great_circle(from: &[f64; 3], to: &[f64; 3]) -> f64 {
    let [x, y, z] = [from[0] - to[0], from[1] - to[1], from[2] - to[2]];
    let square = (x * x + y * y + z * z) / 4.0; // of half the chord
    let series = 1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0 + square * (15.0 / 336.0)));
    2.0 * EARTH * square.sqrt() * series
}

fn to_i64(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The lines of a file, read one by one into the same buffer.
struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), number: 0 }
    }

    fn next(&mut self) -> Result<Option<Line<'_>>, RoadError> {
        self.number += 1;
        self.buffer.clear();
        match self.source.read_until(b'\n', &mut self.buffer) {
            Ok(0) => Ok(None),
            Ok(_) => {
                let text = self.buffer.trim_ascii_end();
                Ok(Some(Line { text, number: self.number, start: 0, end: 0 }))
            }
            Err(error) => Err(RoadError::Io { line: self.number, error }),
        }
    }
}

/// A line, and the word of it that was read last.
struct Line<'t> {
    text: &'t [u8],
    number: usize,
    start: usize,
    end: usize,
}

impl<'t> Line<'t> {
    /// The next word; empty at the end of the line. Nothing follows the `c` of a comment.
    fn word(&mut self) -> &'t [u8] {
        let rest = &self.text[self.end..];
        self.start = self.end + (rest.len() - rest.trim_ascii_start().len());
        let rest = &self.text[self.start..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.end = self.start + length;
        let word = &self.text[self.start..self.end];
        if self.start == 0 && word == b"c" {
            self.end = self.text.len();
        }
        word
    }

    fn expect(&mut self, word: &[u8], expected: &'static str) -> Result<(), RoadError> {
        if self.word() == word { Ok(()) } else { Err(self.wrong(expected)) }
    }

    fn number(
        &mut self,
        expected: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<u32, RoadError> {
        let number = self.integer(expected, range)?;
        u32::try_from(number).map_err(|_| self.wrong(expected))
    }

    fn signed(
        &mut self,
        expected: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<i32, RoadError> {
        let number = self.integer(expected, range)?;
        i32::try_from(number).map_err(|_| self.wrong(expected))
    }

    fn integer(
        &mut self,
        expected: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<i64, RoadError> {
        let word = self.word();
        let number: Option<i64> = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        let number = number.ok_or_else(|| self.wrong(expected))?;
        if range.contains(&number) {
            return Ok(number);
        }
        Err(RoadError::OutOfRange { line: self.number, column: self.start + 1, number, range })
    }

    /// Nothing but a comment's text may be left.
    fn end(&mut self) -> Result<(), RoadError> {
        if self.word().is_empty() { Ok(()) } else { Err(self.wrong("the end of the line")) }
    }

    /// The error that the word read last is not what it should be.
    fn wrong(&self, expected: &'static str) -> RoadError {
        let found = String::from_utf8_lossy(&self.text[self.start..self.end]);
        RoadError::Unexpected {
            line: self.number,
            column: self.start + 1,
            found: found.chars().take(20).collect(),
            expected,
        }
    }
}

/// What is wrong with the file of a road network. Lines and columns are counted from 1.
#[derive(Debug)]
#[non_exhaustive]
pub enum RoadError {
    /// The file could not be read.
    Io {
        /// The line that was to be read.
        line: usize,
        /// Why.
        error: io::Error,
    },
    /// Something else stands where this should stand.
    Unexpected {
        /// The line.
        line: usize,
        /// The first column of it.
        column: usize,
        /// What stands there; its beginning if it is long, empty at the end of a line.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// A number is too small or too large.
    OutOfRange {
        /// The line.
        line: usize,
        /// The first column of it.
        column: usize,
        /// The number.
        number: i64,
        /// What it may be.
        range: RangeInclusive<i64>,
    },
    /// A line that must be there is not.
    Missing {
        /// Which.
        expected: &'static str,
    },
    /// There are more or fewer of something than the file says.
    Count {
        /// Of what.
        of: &'static str,
        /// How many there should be.
        declared: usize,
        /// How many there are.
        found: usize,
    },
    /// There are far more nodes than the arcs could lead to.
    TooSparse {
        /// How many nodes there should be.
        nodes: u32,
        /// How many arcs there are.
        arcs: usize,
    },
    /// There are more nodes or arcs than 32 bits can number.
    TooLarge,
}

impl fmt::Display for RoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { line, error } => write!(f, "line {line} cannot be read: {error}"),
            Self::Unexpected { line, column, found, expected } if found.is_empty() => {
                write!(
                    f,
                    "line {line}, column {column}: the line ends where there should be {expected}"
                )
            }
            Self::Unexpected { line, column, found, expected } => {
                write!(
                    f,
                    "line {line}, column {column}: `{found}` where there should be {expected}"
                )
            }
            Self::OutOfRange { line, column, number, range } => {
                let (least, most) = range.clone().into_inner();
                write!(
                    f,
                    "line {line}, column {column}: {number} is not between {least} and {most}"
                )
            }
            Self::Missing { expected } => write!(f, "there is no line {expected}"),
            Self::Count { of, declared, found } => {
                write!(f, "there are {found} {of} where there should be {declared}")
            }
            Self::TooSparse { nodes, arcs } => {
                write!(f, "{nodes} nodes with {arcs} arcs: the number of nodes cannot be right")
            }
            Self::TooLarge => f.write_str("more nodes or arcs than 32 bits can number"),
        }
    }
}

impl std::error::Error for RoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::SuccessorBuffer;

    const GRAPH: &str =
        "c a comment with words\np sp 3 4\n\na 2 1 5\na 1 2 7\r\na 2 3 0\na 2 1 4\n";

    fn graph(text: &str) -> String {
        RoadNetwork::read(text.as_bytes()).unwrap_err().to_string()
    }

    fn places(text: &str) -> String {
        let mut network = RoadNetwork::read(GRAPH.as_bytes()).unwrap();
        network.read_places(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn arcs_keep_their_order_and_parallel_ones_stay() {
        let network = RoadNetwork::read(GRAPH.as_bytes()).unwrap();
        assert_eq!((network.node_count(), network.arc_count()), (3, 4));
        let arcs = |number| {
            let node = network.node(number).unwrap();
            network.arcs(node).map(|(head, weight)| (head.number(), weight)).collect::<Vec<_>>()
        };
        assert_eq!(arcs(1), [(2, 7)]);
        assert_eq!(arcs(2), [(1, 5), (3, 0), (1, 4)]);
        assert_eq!(arcs(3), []);
        assert_eq!((network.node(0), network.node(4)), (None, None));
        assert_eq!(network.nodes().map(NodeId::number).collect::<Vec<_>>(), [1, 2, 3]);
        let made = RoadNetwork::new(3, &[(1, 2, 7), (2, 1, 5), (2, 3, 0), (2, 1, 4)]);
        assert_eq!(made.unwrap(), network);

        let mut next = SuccessorBuffer::new();
        let route = network.route_to(NodeId(2));
        route.successors(&NodeId(1), &mut next);
        let steps = next.as_slice().iter().map(|step| (step.state, step.cost));
        assert_eq!(steps.collect::<Vec<_>>(), [(NodeId(0), 5), (NodeId(2), 0), (NodeId(0), 4)]);
        assert!(route.is_goal(&NodeId(2)) && !route.is_goal(&NodeId(1)));
        assert_eq!((route.goal(), route.network().node_count()), (NodeId(2), 3));
    }

    #[test]
    fn states_number_themselves() {
        let network = RoadNetwork::read(GRAPH.as_bytes()).unwrap();
        let route = network.route_to(NodeId(0));
        assert_eq!(route.state_count(), 3);
        for index in 0..3 {
            assert_eq!(route.state_index(&route.state_at(index)), index);
        }
    }

    #[test]
    fn a_node_of_another_network_has_no_arcs() {
        let network = RoadNetwork::read(GRAPH.as_bytes()).unwrap();
        for index in [3, 4, u32::MAX - 1] {
            assert_eq!(network.arcs(NodeId(index)).len(), 0);
            assert_eq!(network.route_to(NodeId(index)).great_circle(1.0).heuristic(&NodeId(1)), 0);
        }
        let empty = RoadNetwork::new(0, &[]).unwrap();
        assert_eq!(empty.arcs(NodeId(0)).len(), 0);
        assert_eq!(empty.nodes().len(), 0);
    }

    #[test]
    fn the_great_circle_is_close_and_never_too_long() {
        let exact = |a: [i32; 2], b: [i32; 2]| {
            let [lon_a, lat_a, lon_b, lat_b] =
                [a[0], a[1], b[0], b[1]].map(|micro| (f64::from(micro) * 1e-6).to_radians());
            let haversine = ((lat_b - lat_a) / 2.0).sin().powi(2)
                + lat_a.cos() * lat_b.cos() * ((lon_b - lon_a) / 2.0).sin().powi(2);
            2.0 * EARTH * haversine.sqrt().min(1.0).asin()
        };
        for (a, b, within) in [
            ([-73_530_767, 41_085_396], [-73_530_538, 41_086_098], 1e-6),
            ([-74_000_000, 40_000_000], [-73_000_000, 41_000_000], 1e-6),
            ([13_400_000, 52_500_000], [2_350_000, 48_860_000], 1e-6),
            ([0, 0], [90_000_000, 0], 0.01),
            ([0, 0], [180_000_000, 0], 0.2),
            ([0, 90_000_000], [0, -90_000_000], 0.2),
        ] {
            let bound = great_circle(&unit_vector(a[0], a[1]), &unit_vector(b[0], b[1]));
            let exact = exact(a, b);
            assert!(bound <= exact + 1e-6 && bound >= exact * (1.0 - within), "{bound} {exact}");
        }
    }

    #[test]
    fn the_heuristic_is_rounded_down_and_keeps_its_limits() {
        let mut network = RoadNetwork::new(3, &[(1, 2, 111_195), (2, 3, 300_000)]).unwrap();
        let goal = network.node(1).unwrap();
        let far = network.node(3).unwrap();
        assert_eq!(network.route_to(goal).great_circle(1.0).heuristic(&far), 0);
        assert_eq!((network.largest_factor(), network.great_circle(goal, far)), (None, None));

        let text = "p aux sp co 3\nv 2 1000000 0\nc\nv 3 0 2000000\nv 1 0 0\n";
        network.read_places(text.as_bytes()).unwrap();
        let degree = EARTH * std::f64::consts::PI / 180.0; // 111,194.93 metres
        let second = network.node(2).unwrap();
        assert_eq!(network.route_to(goal).heuristic(&second), 0);
        let estimate = |factor| network.route_to(goal).great_circle(factor).heuristic(&second);
        assert_eq!(estimate(1.0), 111_194);
        assert_eq!(estimate(10.0), 1_111_949);
        assert_eq!(network.route_to(goal).great_circle(1.0).heuristic(&goal), 0);
        assert_eq!(estimate(1e30), u32::MAX - 1);
        for factor in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(estimate(factor), 0);
        }
        assert_eq!(network.route_to(goal).great_circle(f64::INFINITY).heuristic(&goal), 0);
        let factor = network.largest_factor().unwrap();
        assert!((factor - 111_195.0 / degree).abs() < 1e-9, "{factor}");
    }

    #[test]
    fn graphs_are_read_with_care() {
        assert_eq!(graph(""), "there is no line `p sp NODES ARCS`");
        assert_eq!(
            graph("a 1 2 3"),
            "line 1, column 1: `a` where there should be `p sp NODES ARCS` before the first arc"
        );
        assert_eq!(
            graph("p sp 2 1\np sp 2 1"),
            "line 2, column 1: `p` where there should be `a` or `c`; there is a `p` line above"
        );
        assert_eq!(
            graph("p max 2 1"),
            "line 1, column 3: `max` where there should be `p sp NODES ARCS`"
        );
        assert_eq!(
            graph("p sp 2"),
            "line 1, column 7: the line ends where there should be the number of arcs"
        );
        assert_eq!(
            graph("p sp two 1"),
            "line 1, column 6: `two` where there should be the number of nodes"
        );
        assert_eq!(
            graph("p sp 4294967295 1"),
            "line 1, column 6: 4294967295 is not between 0 and 4294967294"
        );
        assert_eq!(graph("p sp 2 1\na 1  3 5"), "line 2, column 6: 3 is not between 1 and 2");
        assert_eq!(graph("p sp 2 1\na 0 1 5"), "line 2, column 3: 0 is not between 1 and 2");
        assert_eq!(
            graph("p sp 2 1\na 1 2 -5"),
            "line 2, column 7: -5 is not between 0 and 4294967295"
        );
        assert_eq!(
            graph("p sp 2 1\na 1 2 5.5"),
            "line 2, column 7: `5.5` where there should be a weight"
        );
        assert_eq!(
            graph("p sp 2 1\na 1 2 5 6"),
            "line 2, column 9: `6` where there should be the end of the line"
        );
        assert_eq!(
            graph("p sp 2 1\n\ne 1 2 5"),
            "line 3, column 1: `e` where there should be `a FROM TO WEIGHT`, `p sp NODES ARCS` or `c`"
        );
        assert!(graph("p sp 2 1\n\u{e9}\u{ff}").starts_with("line 2, column 1: `"));
        assert_eq!(graph("p sp 2 2\na 1 2 5"), "there are 1 arcs where there should be 2");
        assert_eq!(
            graph("p sp 4294967294 1\na 1 2 5"),
            "4294967294 nodes with 1 arcs: the number of nodes cannot be right"
        );
        let error = RoadNetwork::new(2, &[(1, 2, 0), (3, 1, 0)]).unwrap_err();
        assert_eq!(error.to_string(), "line 2, column 1: 3 is not between 1 and 2");
    }

    #[test]
    fn places_are_read_with_care() {
        assert_eq!(places("c"), "there is no line `p aux sp co NODES`");
        assert_eq!(
            places("v 1 0 0"),
            "line 1, column 1: `v` where there should be `p aux sp co NODES` before the first place"
        );
        assert_eq!(
            places("p sp co 3"),
            "line 1, column 3: `sp` where there should be `p aux sp co NODES`"
        );
        assert_eq!(places("p aux sp co 4"), "line 1, column 13: 4 is not between 3 and 3");
        assert_eq!(
            places("p aux sp co 3\np aux sp co 3"),
            "line 2, column 1: `p` where there should be `v` or `c`; there is a `p` line above"
        );
        assert_eq!(places("p aux sp co 3\nv 4 0 0"), "line 2, column 3: 4 is not between 1 and 3");
        assert_eq!(
            places("p aux sp co 3\nv 1 0 0\nv 1 0 0"),
            "line 3, column 3: `1` where there should be a node that has no place yet"
        );
        assert_eq!(
            places("p aux sp co 3\nv 1 400000000 0"),
            "line 2, column 5: 400000000 is not between -360000000 and 360000000"
        );
        assert_eq!(
            places("p aux sp co 3\nv 1 0 -90000001"),
            "line 2, column 7: -90000001 is not between -90000000 and 90000000"
        );
        assert_eq!(
            places("p aux sp co 3\nx"),
            "line 2, column 1: `x` where there should be `v NODE LONGITUDE LATITUDE`, \
             `p aux sp co NODES` or `c`"
        );
        assert_eq!(
            places("p aux sp co 3\nv 1 0 0\nv 3 0 0"),
            "there are 2 places where there should be 3"
        );
    }

    #[test]
    fn trouble_with_reading_is_passed_on() {
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("gone"))
            }
        }
        let error = RoadNetwork::read(io::BufReader::new(Broken)).unwrap_err();
        assert_eq!(error.to_string(), "line 1 cannot be read: gone");
        assert!(std::error::Error::source(&error).is_some());
    }
}
