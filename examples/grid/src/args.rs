//! The command line.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use bestfirst::Limits;
use bestfirst::problems::grid_map::{Cell, Length};

program::arguments! {
    /// Finds shortest paths on a grid map and prints their lengths, one a line: straight steps cost 1, diagonal steps
    /// √2, and a diagonal step needs both cells beside it to be free.
    #[command(
        name = "grid",
        after_help = "Exit status: 0 all paths found, 1 a query has no path, 2 bad input or usage, 3 a search \
                  was stopped before the answer was proved."
    )]
    pub struct Args {
        /// The map of squares, a .map file as in the benchmarks of N. Sturtevant; `-` reads standard input
        pub map: PathBuf,

        /// The queries, a .scen file; `-` reads standard input. Default: the name of the map with .scen after it
        #[arg(conflicts_with_all = ["from", "to"])]
        pub scen: Option<PathBuf>,

        /// Answers only the query with this number, counted from 1
        #[arg(long, value_name = "N", conflicts_with_all = ["from", "to"])]
        pub query: Option<usize>,

        /// The start of a single query: its column and row, counted from 0, as in 12,30
        #[arg(long, value_name = "X,Y", requires = "to", allow_hyphen_values = true)]
        pub from: Option<Place>,

        /// The goal of a single query
        #[arg(long, value_name = "X,Y", requires = "from", allow_hyphen_values = true)]
        pub to: Option<Place>,

        /// The engine
        #[arg(long, value_name = "ENGINE", default_value = "astar")]
        pub engine: Engine,

        /// With astar: finds paths of at most W times the least length, faster
        #[arg(long, value_name = "W", value_parser = weight)]
        pub weight: Option<f64>,

        /// Searches by jump points: the same lengths, fewer and longer steps
        #[arg(long)]
        pub jump_points: bool,

        /// Makes N landmarks in each part of the map first, for a better heuristic: not with dijkstra
        #[arg(long, value_name = "N", value_parser = program::clap::value_parser!(u16).range(1..=256))]
        pub landmarks: Option<u16>,

        /// Compares the lengths with those in the file of queries
        #[arg(long, conflicts_with_all = ["from", "to"])]
        pub check: bool,

        /// Prints statistics of all searches together
        #[arg(long)]
        pub stats: bool,

        /// Draws the map with the path of a single query
        #[arg(long)]
        pub draw: bool,

        /// Draws the expansions and the path of a single query; the name ends in .png or .svg
        #[arg(long, value_name = "FILE")]
        pub plot: Option<PathBuf>,

        /// Stops the making of landmarks after this time, and each search; reading the map and finding its jump points
        /// come before
        #[arg(long, value_name = "SECONDS")]
        pub time: Option<Duration>,
    }
}

program::choices! {
    /// One of several.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Engine {
        /// Without a heuristic
        Dijkstra = "dijkstra",
        /// With the octile distance, and with landmarks if there are any
        Astar = "astar",
        /// Some path, and soon
        Greedy = "greedy",
        /// From the start and from the goal
        Bidirectional = "bidirectional",
    }
}

impl Args {
    /// The limits of each search.
    pub fn limits(&self) -> Limits<Length> {
        match self.time {
            Some(time) => Limits::new().time(time),
            None => Limits::new(),
        }
    }

    /// Whether the lengths are the least ones.
    pub fn is_exact(&self) -> bool {
        match self.engine {
            Engine::Dijkstra | Engine::Bidirectional => true,
            Engine::Astar => self.weight.is_none_or(|weight| weight <= 1.0),
            Engine::Greedy => false,
        }
    }
}

program::value!(Place);

/// A cell as two numbers.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub Cell);

impl FromStr for Place {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = "write it as COLUMN,ROW, as in 12,30";
        let (x, y) = text.split_once(',').ok_or(fault)?;
        let number = |text: &str| text.trim().parse().map_err(|_| fault);
        Ok(Self(Cell::new(number(x)?, number(y)?)))
    }
}

fn weight(text: &str) -> Result<f64, &'static str> {
    let weight = text.parse().ok().filter(|weight| (1.0..=1e6).contains(weight));
    weight.ok_or("it must be a number from 1 to 1000000")
}
