//! The command line.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use bestfirst::problems::crucible::LossBound;
use program::megabytes;

use super::solvers::{self, Solver};

program::arguments! {
    /// Finds a path of least heat loss from the top left to the bottom right of a grid of digits: straight on
    /// for at least MIN and at most MAX blocks, then a turn left or right.
    #[command(
        name = "crucible",
        after_help = "Exit status: 0 solved (of two parts, one has a path at least), 1 no path, 2 bad input or usage, \
                  3 stopped before the answer was proved."
    )]
    pub struct Args {
        /// The grid, one row of digits a line; `-` reads standard input. Default: the public example
        #[arg(conflicts_with = "random")]
        pub file: Option<PathBuf>,

        /// The minimum number of blocks straight on before a turn or the end
        #[arg(long, value_name = "N", requires = "max")]
        pub min: Option<u32>,

        /// The maximum number of blocks straight on. Default: both 1..3 and 4..10 are solved
        #[arg(long, value_name = "N", requires = "min")]
        pub max: Option<u32>,

        /// The engine, or several separated by commas: dijkstra, astar, idastar, branch-and-bound,
        /// breadth-first, anytime, beam, rectangle; weighted:W and focal:W find at most W times the least loss,
        /// beam:N keeps N states of each layer. Each may have its own heuristic, as in `astar:manhattan` or
        /// `focal:1.2:manhattan`
        #[arg(long, value_name = "ENGINE", value_delimiter = ',', default_value = "astar")]
        pub engine: Vec<Solver>,

        /// The heuristic of the engines that name none: manhattan, without-turns or next-run. Default: without-turns
        #[arg(long, value_name = "BOUND", conflicts_with = "compare")]
        pub heuristic: Option<Heuristic>,

        /// Runs every engine that finds the least loss with every heuristic and prints a table
        #[arg(long, conflicts_with = "engine")]
        pub compare: bool,

        /// Prints the losses of the K best paths in their order: by astar or dijkstra; with --plot draws them all
        #[arg(long, value_name = "K", value_parser = program::clap::value_parser!(u64).range(1..))]
        #[arg(conflicts_with_all = ["compare", "stats", "trace", "certificate", "plot_expansions"])]
        pub best: Option<u64>,

        /// Prints the statistics of the searches
        #[arg(long, conflicts_with = "quiet")]
        pub stats: bool,

        /// Prints only the answers, one a line
        #[arg(long, short)]
        pub quiet: bool,

        /// Generates a grid of random digits from 1 to 9, as in `141x141`
        #[arg(long, value_name = "ROWSxCOLUMNS")]
        pub random: Option<Size>,

        /// The seed of the random grid
        #[arg(long, value_name = "N", default_value = "1", requires = "random")]
        pub seed: u64,

        /// Stops each search after this time, as in 0.05; reading or generating the grid, and the table of its
        /// heuristic, come before. Default: 20 with --compare, with several engines, and for idastar, which cannot
        /// prove that there is no path; else no limit
        #[arg(long, value_name = "SECONDS")]
        pub time: Option<Duration>,

        /// Stops each search when it uses this much memory
        #[arg(long, value_name = "MB", value_parser = megabytes)]
        pub memory: Option<usize>,

        /// Draws the grid as a heat map with the path on it; the name ends in .png or .svg. Needs the feature `plot`
        #[arg(long, value_name = "FILE")]
        pub plot: Option<PathBuf>,

        /// With --plot: colours the blocks by the order of their expansions
        #[arg(long, requires = "plot")]
        pub plot_expansions: bool,

        /// Writes a trace of the search: .jsonl as JSON lines, .yaml for the Posthoc visualiser
        #[arg(long, value_name = "FILE")]
        pub trace: Option<PathBuf>,

        /// Writes what the search proved, for the example `check`: of one range, by astar or dijkstra
        #[arg(long, value_name = "FILE")]
        pub certificate: Option<PathBuf>,
    }
}

impl Args {
    /// The name of the map in messages.
    pub fn map_name(&self) -> String {
        match &self.file {
            _ if self.random.is_some() => "--random".to_owned(),
            None => "the example".to_owned(),
            Some(file) => program::name(file),
        }
    }
}

/// A heuristic by its name.
#[derive(Clone, Copy)]
pub struct Heuristic(pub LossBound);

impl FromStr for Heuristic {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        solvers::heuristic(text).map(Self)
    }
}

program::value!(Heuristic);
program::value!(Size);
program::value!(Solver);

/// Rows and columns.
#[derive(Clone, Copy)]
pub struct Size(pub usize, pub usize);

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = "write it as ROWSxCOLUMNS, as in 141x141";
        let (rows, columns) = text.split_once(['x', 'X', '×']).ok_or(fault)?;
        Ok(Self(rows.parse().map_err(|_| fault)?, columns.parse().map_err(|_| fault)?))
    }
}
