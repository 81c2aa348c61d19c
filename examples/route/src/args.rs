//! The command line.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use bestfirst::Limits;
use program::megabytes;

program::arguments! {
    /// Finds shortest routes in a road network, and prints their costs, one a line.
    #[command(
        name = "route",
        after_help = "\
The format of the files is that of the 9th DIMACS challenge; they may be compressed by gzip. In a network without a
line `p sp NODES ARCS`, nodes are counted from 0. A line of a file of pairs has two nodes, as in `12 340` or `q 12 340`;
lines that begin with c, p or # are left out.

Exit status: 0 all routes found, 1 a pair has no route, 2 bad input or usage, 3 a search was stopped before its answer
was proved."
    )]
    pub struct Args {
        /// The network, a .gr file; `-` reads standard input
        pub graph: PathBuf,

        /// The number of the node where the route begins
        #[arg(requires = "to", required_unless_present = "pairs", value_parser = node)]
        pub from: Option<u32>,

        /// The number of the node where it ends
        #[arg(value_parser = node)]
        pub to: Option<u32>,

        /// More routes: a file with two nodes on each line; `-` reads standard input
        #[arg(long, value_name = "FILE")]
        pub pairs: Option<PathBuf>,

        /// Finds the K best routes, in the order of their costs
        #[arg(long, value_name = "K", value_parser = program::clap::value_parser!(u64).range(1..))]
        pub best: Option<u64>,

        /// With --best or --all: leaves out the routes that visit a node twice
        #[arg(long)]
        pub simple: bool,

        /// Keeps all arcs from one node to another, not only the cheapest: routes by copies of an arc are others
        #[arg(long)]
        pub parallel: bool,

        /// Finds all routes of the least cost, and says how many there are
        #[arg(long, conflicts_with = "best")]
        pub all: bool,

        /// Finds the best route and at most K others that people would call different: they share little, and make no
        /// great detour
        #[arg(long, value_name = "K", value_parser = program::clap::value_parser!(u64).range(1..), conflicts_with_all = ["best", "all"])]
        pub alternatives: Option<u64>,

        /// The engine: dijkstra, astar, bidirectional, or weighted:W, which finds a route of at most W times the least
        /// cost
        #[arg(long, value_name = "ENGINE", default_value = "astar")]
        pub engine: Engine,

        /// The coordinates of the nodes, a .co file, or `-`: for a heuristic by great circles
        #[arg(long, value_name = "FILE")]
        pub coordinates: Option<PathBuf>,

        /// Finds the distances to and from N nodes first: a better heuristic for many pairs
        #[arg(long, value_name = "N", value_parser = program::clap::value_parser!(u16).range(1..=256))]
        pub landmarks: Option<u16>,

        /// A file of shortcuts, by which routes are found in microseconds; made for the network if it is not there
        #[arg(long, value_name = "FILE", conflicts_with = "landmarks")]
        pub hierarchy: Option<PathBuf>,

        /// Makes arcs dearer: a file with two nodes and a factor from 1 on on each line, as in `12 340 2.5`; with
        /// --hierarchy by A* with the distances without traffic
        #[arg(long, value_name = "FILE")]
        pub traffic: Option<PathBuf>,

        /// Writes the distances from the first node of each pair to the second of each, as comma-separated values,
        /// and no routes
        #[arg(long, value_name = "FILE.csv", requires = "hierarchy", conflicts_with_all = ["best", "all", "alternatives", "traffic", "path", "plot"])]
        pub table: Option<PathBuf>,

        /// Draws the network, what was expanded and the routes, as PNG or SVG
        #[arg(long, value_name = "FILE", requires = "coordinates", conflicts_with = "all")]
        pub plot: Option<PathBuf>,

        /// Prints the nodes of each route; with --all of the first hundred
        #[arg(long, conflicts_with = "quiet")]
        pub path: bool,

        /// Prints only the costs, one a line; with --all only how many routes there are
        #[arg(long, short)]
        pub quiet: bool,

        /// Stops the making of landmarks or a hierarchy after this time, as in 0.05, and each search; reading the files comes before
        #[arg(long, value_name = "SECONDS")]
        pub time: Option<Duration>,

        /// Stops each search when it uses this much memory, also those for landmarks or a hierarchy
        #[arg(long, value_name = "MB", value_parser = megabytes)]
        pub memory: Option<usize>,
    }
}

program::value!(Engine);

/// The engine for single routes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Engine {
    Dijkstra,
    AStar,
    Bidirectional,
    /// With its weight.
    Weighted(f64),
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "dijkstra" => Ok(Self::Dijkstra),
            None if text == "astar" => Ok(Self::AStar),
            None if text == "bidirectional" => Ok(Self::Bidirectional),
            Some(("weighted", weight)) => match weight.parse() {
                Ok(weight) if (1.0..=1e6).contains(&weight) => Ok(Self::Weighted(weight)),
                _ => {
                    Err("weighted takes a number from 1 to 1000000, as in weighted:1.5".to_owned())
                }
            },
            None if text == "weighted" => {
                Err("weighted takes a number, as in weighted:1.5".to_owned())
            }
            _ => Err(format!(
                "there is no engine {text:?}; there are dijkstra, astar, bidirectional and weighted:W"
            )),
        }
    }
}

impl Args {
    /// The limits of each search.
    pub fn limits(&self) -> Limits<u32> {
        let limits = match self.time {
            Some(time) => Limits::new().time(time),
            None => Limits::new(),
        };
        match self.memory {
            Some(bytes) => limits.memory(bytes),
            None => limits,
        }
    }

    /// How many routes are asked for, if more than one may be.
    pub fn routes(&self) -> Option<u64> {
        self.best.or_else(|| Some(self.alternatives?.saturating_add(1)))
    }

    /// The name of the network in messages.
    pub fn graph_name(&self) -> String {
        program::name(&self.graph)
    }

    /// What is wrong with the options together.
    pub fn fault(&self) -> Option<&'static str> {
        let is_plain = matches!(self.engine, Engine::Dijkstra | Engine::AStar);
        if (self.best.is_some() || self.all) && !is_plain {
            return Some("--best and --all are for --engine astar or dijkstra");
        }
        if self.alternatives.is_some() && !is_plain {
            return Some(
                "--alternatives are found by Dijkstra's algorithm from both ends: leave out --engine",
            );
        }
        if self.simple && self.best.is_none() && !self.all {
            return Some(
                "--simple is for --best or --all: a single best route visits no node twice",
            );
        }
        // For a picture, coordinates need be no heuristic.
        let has_heuristic = match self.plot {
            Some(_) => self.landmarks.is_some() || self.hierarchy.is_some(),
            None => self.has_heuristic(),
        };
        if self.engine == Engine::Dijkstra && has_heuristic {
            return Some(
                "--engine dijkstra takes no heuristic: leave out --coordinates, --landmarks and --hierarchy",
            );
        }
        if matches!(self.engine, Engine::Weighted(_)) && !self.has_heuristic() {
            return Some(
                "--engine weighted needs a heuristic: give --coordinates, --landmarks or --hierarchy",
            );
        }
        None
    }

    fn has_heuristic(&self) -> bool {
        self.coordinates.is_some() || self.landmarks.is_some() || self.hierarchy.is_some()
    }
}

/// The number of a node.
fn node(word: &str) -> Result<u32, String> {
    let number = word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok());
    number.flatten().ok_or_else(|| format!("a node is a number from 0 to {}, as in `12`", u32::MAX))
}
