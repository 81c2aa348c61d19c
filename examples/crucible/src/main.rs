//! Finds a path of least heat loss for a crucible; compares engines, draws maps and paths.
//!
//! ```text
//! cargo run --release --example crucible                      the public example: 102 and 94
//! cargo run --release --example crucible -- map.txt --min 4 --max 10
//! cargo run --release --example crucible -- --compare --random 141x141
//! cargo run --release --features plot --example crucible -- --plot loss.png
//! cargo run --release --features plot --example crucible -- --best 10 --plot best.png
//! cargo run --release --example crucible -- --min 1 --max 3 --trace crucible.trace.yaml
//! ```
//!
//! The picture of the expansions with several heuristics, `docs/crucible-expansions.png`:
//!
//! ```text
//! cargo run --release --features plot --example crucible -- --random 141x141 --min 4 --max 10 --quiet \
//!     --engine dijkstra,astar:manhattan,astar:without-turns,idastar:without-turns \
//!     --plot-expansions --plot docs/crucible-expansions.png
//! ```

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut out, mut err) = (program::stdout(), program::stderr());
    ExitCode::from(crucible::main(std::env::args_os(), &mut io::stdin().lock(), &mut out, &mut err))
}
