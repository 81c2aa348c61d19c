//! Sliding-tile puzzles from a file, with a heuristic from a pattern database that is made at the start.
//!
//! ```text
//! cargo run --example n_puzzle                  # two boards of the eight-puzzle
//! cargo run --example n_puzzle -- boards.txt    # boards of 3×3, one a line, 0 for the blank
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use bestfirst::problems::sliding_tiles::{Board, Packed, Partition, SlidingTiles, TileDatabases};
use bestfirst::{WithHeuristic, astar};

/// The two that take most moves.
const HARDEST: &str = "8 7 6 0 4 1 2 5 3\n8 0 6 5 4 7 2 3 1\n";

fn main() -> ExitCode {
    let Err(fault) = solve() else { return ExitCode::SUCCESS };
    if fault.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS; // nobody reads on
    }
    eprintln!("{fault}");
    ExitCode::from(2)
}

fn solve() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).map(PathBuf::from);
    let name = file.as_deref().unwrap_or("boards".as_ref()).display();
    let text = match &file {
        Some(file) => std::fs::read_to_string(file).map_err(|fault| format!("{name}: {fault}"))?,
        None => HARDEST.to_owned(),
    };
    if text.trim().is_empty() {
        return Err(format!("{name}: there are no boards; write one a line").into());
    }

    // The moves that the tiles of a group need, whatever the others do. Those of both groups add up.
    let partition = Partition::parse("1,2,3,4/5,6,7,8", 3, 3)?;
    let databases = TileDatabases::build(&partition)?;
    let puzzle = SlidingTiles::<Packed>::new(3, 3)?;
    let informed = WithHeuristic::new(&puzzle, |state: &Packed| databases.value(state));

    let mut out = io::stdout().lock();
    let lines = (1..).zip(text.lines());
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let board = Board::parse(line, 3, 3);
        let board = board.map_err(|fault| format!("{name}: {}", fault.in_line(number)))?;
        let state = puzzle.state(&board)?;
        let by_distance = astar(&puzzle, state)?;
        let by_database = astar(&informed, state)?;
        assert_eq!(by_distance.cost(), by_database.cost());
        match by_database.path() {
            None => writeln!(out, "{line}: no solution")?,
            Some(path) => {
                let moves: Vec<_> = path.actions().map(ToString::to_string).collect();
                writeln!(out, "{line}: {} moves: {}", path.cost(), moves.join(" "))?;
                assert!(file.is_some() || path.cost() == 31);
            }
        }
        let [few, many] = [by_database, by_distance].map(|report| report.stats.expanded);
        writeln!(out, "    {few} states expanded, {many} with the Manhattan distance")?;
    }
    Ok(())
}
