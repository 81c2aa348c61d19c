//! Finds shortest routes in a road network: one, the best K, or how many there are.
//!
//! ```text
//! cargo run --release -p route -- rome99.gr 1 3000
//! cargo run --release -p route -- rome99.gr 1 3000 --best 5 --simple --path
//! cargo run --release -p route -- rome99.gr 1 3000 --all
//! cargo run --release -p route -- USA-road-d.NY.gr.gz --pairs pairs.txt \
//!     --coordinates USA-road-d.NY.co.gz --landmarks 16 --quiet
//! cargo run --release -p route -- USA-road-d.NY.gr.gz --pairs pairs.txt --hierarchy ny.ch --table table.csv
//! cargo run --release -p route -- USA-road-d.NY.gr.gz 1 150000 --alternatives 3 \
//!     --coordinates USA-road-d.NY.co.gz --plot routes.png
//! ```

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut out, mut err) = (program::stdout(), program::stderr());
    ExitCode::from(route::main(std::env::args_os(), &mut io::stdin().lock(), &mut out, &mut err))
}
