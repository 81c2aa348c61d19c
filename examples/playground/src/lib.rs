//! The program itself, separate from `main` so that tests can run it.

mod board;
mod burrow;
pub mod engine;
pub mod grid;
pub mod http;
mod input;
pub mod recording;
mod server;
pub mod site;
pub mod task;

use std::ffi::OsString;
use std::io::Write;

use program::{Fault, Verdict};

pub use input::InputError;
pub use server::{BindError, Server};

program::arguments! {
    /// Serves one page on this machine, on which searches are drawn, run, watched step by step, compared and exported.
    #[command(
        name = "playground",
        after_help = "Only this machine can open the page. Exit status: 2 bad usage, or the port is taken."
    )]
    #[derive(Debug)]
    struct Args {
        /// The port; 0 takes any that is free
        #[arg(long, value_name = "PORT", default_value = "8017")]
        port: u16,
    }
}

/// Runs the program, which ends only by a fault, and returns its exit status.
pub fn main(
    args: impl IntoIterator<Item = OsString>,
    out: &mut impl Write,
    err: &mut impl Write,
) -> u8 {
    program::run(args, out, err, |args: &Args, out| {
        let server = Server::bind(args.port).map_err(|fault| Fault::input(&fault))?;
        writeln!(out, "The playground is at http://{}/ (Ctrl+C ends it)", server.address())?;
        out.flush()?;
        server.serve();
        Ok(Verdict::Solved)
    })
}
