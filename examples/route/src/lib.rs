//! The program itself, separate from `main` so that tests can run it.

mod args;
mod hierarchy;
mod input;
mod plot;
mod print;
mod solve;
mod watch;

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{Read, Write};

use program::{Fault, Verdict};

use self::args::Args;
use self::solve::Asked;
use self::watch::Seen;

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
    let format = args.plot.as_deref().map(pictures::Format::of);
    let format = format.transpose().map_err(|fault| Fault::input(&format!("--plot: {fault}")))?;
    let files = [
        ("the network", Some(&*args.graph)),
        ("--pairs", args.pairs.as_deref()),
        ("--coordinates", args.coordinates.as_deref()),
        ("--traffic", args.traffic.as_deref()),
        ("--hierarchy", args.hierarchy.as_deref()),
    ];
    let outputs = [("--plot", args.plot.as_deref()), ("--table", args.table.as_deref())];
    if let Some(file) = &args.hierarchy {
        program::refuse_standard("--hierarchy", file)?;
    }
    let [plot, table] = program::open(&files, outputs)?;
    let roads = input::read_network(args, input)?;
    let pairs = input::read_pairs(args, &roads, input)?;
    let traffic = args.traffic.as_deref().map(|file| input::read_traffic(file, &roads, input));
    let traffic = traffic.transpose()?;
    let today = traffic.as_ref().unwrap_or(&roads.network);
    let mut asked = Asked { args, roads: &roads, today, pairs: &pairs, table, out };
    let Some((file, format)) = plot.zip(format) else {
        return Ok(solve::solve(&mut asked, ())?.0);
    };
    let seen = RefCell::new(vec![false; roads.network.node_count()]);
    let (verdict, routes) = solve::solve(&mut asked, Seen(&seen))?;
    plot::write(&roads, &seen.borrow(), &routes, format, file)?;
    Ok(verdict)
}
