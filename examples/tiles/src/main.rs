//! Solves sliding-tile puzzles, with the Manhattan distance or with pattern databases.
//!
//! ```text
//! cargo run --release -p tiles                                     a 15-puzzle: 42 moves
//! cargo run --release -p tiles -- boards.txt --heuristic 6-6-3 --cache /tmp/databases --stats
//! echo "8 6 7 2 5 4 3 0 1" | cargo run --release -p tiles -- - --heuristic 1,2,3,4/5,6,7,8
//! ```
//!
//! With `--features parallel`, databases are built on several threads: `--threads N`.

mod boards;
mod databases;
mod progress;
mod solve;

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bestfirst::problems::sliding_tiles::Board;
use program::{Fault, Verdict, megabytes};

use crate::boards::Size;
use crate::databases::Supply;
use crate::solve::{End, Engine, Solvers};

/// The board that is solved where no file is named.
const EXAMPLE: &str = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";

program::arguments! {
    /// Solves sliding-tile puzzles with as few moves as possible.
    #[command(
        name = "tiles",
        after_help = "\
A board is a line of numbers: the tiles row by row, 0 or . for the blank. In the goal, the blank is first
and the tiles follow in order. Empty lines and lines that begin with # are skipped. For every board, a line
with the length of a shortest solution and the number of nodes (states generated, and one for the start) is
printed.

A partition for --heuristic separates tiles by commas and groups by slashes: 1,2,3,4/5,6,7,8. There are
ready ones: 6-6-3 and 7-8 for the 15-puzzle, 6-6-6-6 for the 24-puzzle. Building 7-8 takes minutes and
2.1 GB of memory: use --cache.

Exit status: 0 solved, 1 no solution, 2 bad input or usage, 3 stopped before the answer was proved."
    )]
    struct Args {
        /// The boards; `-` reads standard input. Default: one 15-puzzle
        file: Option<PathBuf>,

        /// manhattan, 6-6-3, 7-8, 6-6-6-6, or a partition of the tiles
        #[arg(long, default_value = "manhattan")]
        heuristic: String,

        /// Does not look up the reflection of square boards in the databases
        #[arg(long)]
        no_reflection: bool,

        /// The engine
        #[arg(long, default_value = "idastar")]
        engine: Engine,

        /// The size of boards that are not square
        #[arg(long, value_name = "WIDTHxHEIGHT")]
        size: Option<Size>,

        /// The folder where databases are loaded from, and saved in when they are built
        #[arg(long, value_name = "DIR")]
        cache: Option<PathBuf>,

        /// Builds databases on this many threads, 0 for all processors (feature `parallel`). Default: 1
        #[arg(long, value_name = "N")]
        threads: Option<usize>,

        /// Prints times, and a summary
        #[arg(long, conflicts_with = "quiet")]
        stats: bool,

        /// Prints only the lines with the answers: no progress, and nothing about databases
        #[arg(long, short)]
        quiet: bool,

        /// Stops the building of all databases after this time, and each search
        #[arg(long, value_name = "SECONDS")]
        time: Option<Duration>,

        /// Stops building a database, and each search, when it uses this much memory
        #[arg(long, value_name = "MB", value_parser = megabytes)]
        memory: Option<usize>,
    }
}

fn main() -> ExitCode {
    let (mut out, mut err) = (program::stdout(), program::stderr());
    ExitCode::from(program::run(std::env::args_os(), &mut out, &mut err, run))
}

fn run(args: &Args, out: &mut impl Write) -> Result<Verdict, Fault> {
    check_usage(args)?;
    let boards = read_boards(args)?;
    let supply = Supply {
        cache: args.cache.clone(),
        threads: args.threads.unwrap_or(1),
        time: args.time,
        memory: args.memory,
        built: Cell::new(Duration::ZERO),
        is_quiet: args.quiet,
        shows_progress: !args.quiet && io::stderr().is_terminal(),
    };
    let mut solvers = Solvers::new(
        (&args.heuristic, !args.no_reflection),
        args.engine,
        (args.time, supply.memory),
        supply,
    );
    // Databases are made, and mistakes found, before anything is printed.
    for board in &boards {
        solvers.prepare(board)?;
    }

    let mut worst = Verdict::Solved;
    let (mut moves, mut nodes, mut spent) = (0, 0, Duration::ZERO);
    for board in &boards {
        let began = Instant::now();
        let answer = solvers.solve(board)?;
        let took = began.elapsed();
        nodes += answer.nodes;
        spent += took;
        match answer.end {
            End::Solved(length) => {
                moves += u64::from(length);
                write!(out, "{length} {}", answer.nodes)?;
            }
            End::NoSolution => {
                worst = worst.max(Verdict::NoSolution);
                write!(out, "no solution {}", answer.nodes)?;
            }
            End::Stopped(reason) => {
                worst = worst.max(Verdict::Stopped);
                let bound = answer.lower_bound;
                write!(out, "stopped {}: {reason}; at least {bound} moves", answer.nodes)?;
            }
        }
        if args.stats {
            write!(out, "  h {}, {:.3} s", answer.heuristic, took.as_secs_f64())?;
        }
        writeln!(out)?;
        // One at a time, for those who watch.
        out.flush()?;
    }
    if args.stats {
        let count = boards.len().max(1) as u64;
        let seconds = spent.as_secs_f64();
        writeln!(
            out,
            "{} boards, {moves} moves, {nodes} nodes, {} in the mean, {seconds:.3} s, {:.1} million \
             nodes/s, {} bytes of databases",
            boards.len(),
            (nodes + count / 2) / count,
            million(nodes) / seconds,
            solvers.database_bytes(),
        )?;
    }
    Ok(worst)
}

/// Refuses what has no effect.
fn check_usage(args: &Args) -> Result<(), Fault> {
    let for_databases = [
        ("--cache", args.cache.is_some()),
        ("--threads", args.threads.is_some()),
        ("--no-reflection", args.no_reflection),
    ];
    if args.heuristic == solve::MANHATTAN
        && let Some((option, _)) = for_databases.iter().find(|(_, is_given)| *is_given)
    {
        let message =
            format!("{option} is for databases: give --heuristic, as in --heuristic 6-6-3");
        return Err(Fault::Input(message));
    }
    if !cfg!(feature = "parallel") && args.threads.is_some_and(|threads| threads != 1) {
        let message = "--threads: this program was built without threads; add --features parallel";
        return Err(Fault::Input(message.to_owned()));
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "it is rounded anyway")]
fn million(number: u64) -> f64 {
    number as f64 / 1e6
}

fn read_boards(args: &Args) -> Result<Vec<Board>, Fault> {
    let (name, text) = match &args.file {
        None => ("the example".to_owned(), EXAMPLE.to_owned()),
        Some(file) => (program::name(file), program::read(file, &mut io::stdin().lock())?),
    };
    boards::read(&text, args.size).map_err(|fault| Fault::Input(format!("{name}: {fault}")))
}
