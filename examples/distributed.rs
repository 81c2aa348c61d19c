//! A 15-puzzle on one or more processes, on one machine or several.
//!
//! ```text
//! cargo run --release --features distributed --example distributed                 # an easy board, one worker
//! cargo run --release --features distributed --example distributed -- -w 2         # two workers
//!
//! # Two processes: each is given the same, but for -p. The file has a line HOST:PORT for each.
//! … --example distributed -- --hosts hosts.txt -n 2 -p 0 14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15
//! … --example distributed -- --hosts hosts.txt -n 2 -p 1 14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15
//! ```
//!
//! Processes on several machines share a secret, which is in a file (`--secret-file FILE`) or in the environment
//! (`BESTFIRST_SECRET`): `head -c 32 /dev/urandom | base64 > secret.txt`.
//!
//! The board is 16 numbers, row by row, 0 for the blank.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bestfirst::engine::DistributedProgress;
use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{Cluster, Distributed};

const EASY: &str = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";

fn main() -> ExitCode {
    let Err(fault) = solve() else { return ExitCode::SUCCESS };
    if fault.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS; // nobody reads on
    }
    eprintln!("{fault}");
    ExitCode::from(2)
}

fn solve() -> Result<(), Box<dyn Error>> {
    let words = std::env::args_os().skip(1).map(OsString::into_string);
    let words = words.collect::<Result<Vec<_>, _>>();
    let words = words.map_err(|word| format!("`{}`: give text in UTF-8", word.display()))?;
    let (cluster, words) = Cluster::from_args(words)?;
    let text = words.join(" ");
    let board = Board::parse(if text.is_empty() { EASY } else { &text }, 4, 4);
    let board = board.map_err(|fault| format!("the board `{text}`: {fault}"))?;
    let puzzle = SlidingTiles::<Packed>::new(4, 4)?;
    let start = puzzle.state(&board)?;

    let began = Instant::now();
    let mut told = Duration::ZERO;
    let progress = |now: &DistributedProgress<u16>| {
        // Process 0 calls it in every round; a line a second is enough.
        if began.elapsed() > told + Duration::from_secs(1) {
            told = began.elapsed();
            eprintln!(
                "{:5.0} s: at least {} moves, {} states expanded, {} stored",
                told.as_secs_f64(),
                now.lower_bound,
                now.expanded,
                now.stored
            );
        }
    };
    let is_first = cluster.process() == 0;
    let report = Distributed::new(&puzzle).cluster(cluster).on_progress(progress).run(start)?;

    // Every process gets the same report; one of them prints it.
    if is_first {
        let mut out = io::stdout().lock();
        match report.path() {
            Some(path) => {
                let moves: Vec<_> = path.actions().map(ToString::to_string).collect();
                writeln!(out, "{} moves: {}", path.cost(), moves.join(" "))?;
                assert!(!text.is_empty() || path.cost() == 42);
            }
            None => writeln!(out, "no solution")?,
        }
        writeln!(out, "{}, {:.1} s", report.stats, began.elapsed().as_secs_f64())?;
    }
    Ok(())
}
