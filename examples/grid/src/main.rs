//! Finds shortest paths on grid maps in the format of the `MovingAI` benchmarks, and prints their lengths, one a line.
//!
//! ```text
//! cargo run --release -p grid -- arena.map                       the queries of arena.map.scen
//! cargo run --release -p grid -- arena.map other.scen --check    compared with the lengths in the file
//! cargo run --release -p grid -- arena.map --from 1,13 --to 4,12 --draw
//! cargo run --release -p grid -- brc202d.map --jump-points --stats
//! cargo run --release -p grid -- brc202d.map --landmarks 16 --query 2500 --plot way.png
//! ```

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut out, mut err) = (program::stdout(), program::stderr());
    ExitCode::from(grid::main(std::env::args_os(), &mut io::stdin().lock(), &mut out, &mut err))
}
