//! The program itself, separate from `main` so that tests can run it.

mod args;
mod input;
mod print;
mod solve;

use std::ffi::OsString;
use std::io::{Read, Write};

use program::{Fault, Verdict};

use self::args::Args;

/// Runs the program and returns its exit status.
pub fn main(
    args: impl IntoIterator<Item = OsString>,
    input: &mut impl Read,
    out: &mut impl Write,
    err: &mut impl Write,
) -> u8 {
    program::run(args, out, err, |args, out| run(args, input, out))
}

fn run(args: &Args, input: &mut impl Read, out: &mut impl Write) -> Result<Verdict, Fault> {
    if let Some(fault) = args.fault() {
        return Err(Fault::Input(fault.to_owned()));
    }
    let files = [
        ("the network", Some(&*args.graph)),
        ("--pairs", args.pairs.as_deref()),
        ("--coordinates", args.coordinates.as_deref()),
    ];
    program::open(&files, []).map(|[]| ())?;
    let roads = input::read_network(args, input)?;
    let pairs = input::read_pairs(args, &roads, input)?;
    solve::solve(args, &roads, &pairs, out)
}
