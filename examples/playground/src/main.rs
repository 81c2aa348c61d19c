//! Serves one page on this machine, on which searches are drawn, run, watched step by step, compared and exported.
//!
//! ```text
//! cargo run --release -p playground                  at http://127.0.0.1:8017/
//! cargo run --release -p playground -- --port 0      at any free port
//! cargo run --release -p playground -- --build DIR   as files for any web server
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut out, mut err) = (program::stdout(), program::stderr());
    ExitCode::from(playground::main(std::env::args_os(), &mut out, &mut err))
}
