//! The program itself, separate from `main` so that tests can run it.

mod args;
mod best;
mod certify;
mod input;
mod picture;
mod report;
mod solvers;
mod text;
mod trace;
mod watch;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::time::Duration;

use bestfirst::problems::crucible::{Crucible, LossBound, RunError};
use bestfirst::{Limits, Outcome};
use program::{Fault, Verdict};

use self::args::Args;
use self::solvers::{Run, Solver};
use self::trace::Format;
use self::watch::Watch;

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
    let picture = picture_format(args)?;
    let ranges = match (args.min, args.max) {
        (Some(min), Some(max)) => vec![min..=max],
        _ => vec![1..=3, 4..=10],
    };
    let solvers = if args.compare { Solver::all() } else { args.engine.clone() };
    if args.trace.is_some() && ranges.len() * solvers.len() > 1 {
        let message = "--trace writes one search: give --min and --max, and one engine";
        return Err(Fault::Input(message.to_owned()));
    }
    if args.certificate.is_some()
        && (ranges.len() > 1
            || !matches!(solvers[..], [solver] if certify::is_possible(solver.engine)))
    {
        let message = "--certificate is for one search by an engine that keeps a table: give --min and --max, \
                       and --engine astar or dijkstra";
        return Err(Fault::Input(message.to_owned()));
    }
    if args.best.is_some() && !matches!(solvers[..], [solver] if best::is_possible(solver.engine)) {
        return Err(Fault::Input("--best is for one engine: astar or dijkstra".to_owned()));
    }
    let default = args.heuristic.map_or(LossBound::WithoutTurns, |heuristic| heuristic.0);
    if args.heuristic.is_some() && !solvers.iter().any(|solver| solver.uses_default_heuristic()) {
        let message = "--heuristic has no effect: each of the engines names its own, or uses none";
        return Err(Fault::Input(message.to_owned()));
    }
    // What is wrong with the files is known before anything is done.
    let files = [
        ("--plot", args.plot.as_deref()),
        ("--trace", args.trace.as_deref()),
        ("--certificate", args.certificate.as_deref()),
    ];
    let trace_format = args.trace.as_deref().map(Format::of).transpose()?;
    let [plot, trace, mut certificate] =
        program::open(&[("the input", args.file.as_deref())], files)?;
    let mut trace = trace.zip(trace_format);
    let map = input::read_map(args, input)?;
    // IDA* does not end if there is no path but there are cycles.
    let always_ends = solvers.len() == 1 && solvers[0].ends();
    let mut limits = Limits::new();
    if let Some(time) = args.time.or((!always_ends).then_some(Duration::from_secs(20))) {
        limits = limits.time(time);
    }
    if let Some(bytes) = args.memory {
        limits = limits.memory(bytes);
    }

    let mut verdicts = Vec::new();
    let mut panels = Vec::new();
    for range in ranges {
        let crucible = Crucible::new(&map, range.clone()).map_err(|fault| match fault {
            RunError::OutOfMemory { .. } => Fault::Input(format!("{}: {fault}", args.map_name())),
            _ => Fault::Input(format!("--min and --max: {fault}")),
        })?;
        if let Some(most) = args.best {
            let crucible = crucible.bound(solvers[0].heuristic.unwrap_or(default));
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            let best = best::find(&crucible, solvers[0].engine, most, limits.clone());
            let best = best.map_err(|fault| Fault::input(&fault))?;
            best.print(&range, args.quiet, out)?;
            if args.plot.is_some() {
                panels.push(best.panel(&crucible, &range)?);
            }
            verdicts.push(best.verdict());
            continue;
        }
        let mut runs = Vec::new();
        for solver in &solvers {
            let crucible = crucible.clone().bound(solver.heuristic.unwrap_or(default));
            let mut watch = Watch::new(&crucible, solver.name(default));
            if !args.quiet {
                watch.show_progress();
            }
            if !args.quiet && solvers.len() == 1 && solver.improves() {
                watch.show_solutions();
            }
            if args.plot_expansions {
                watch.record_order()?;
            }
            if trace.is_some() {
                watch.record_trace();
            }
            let file = certificate.take();
            let run = solvers::run(*solver, &crucible, limits.clone(), &mut watch, file)?;
            if args.plot.is_some() {
                panels.push(picture::panel(&crucible, &range, &run, &watch, args.plot_expansions)?);
            }
            // There is one search if there is a trace.
            if let Some((file, format)) = trace.take() {
                file.write(|out| trace::write(&crucible, &run, watch, format, out))?;
            }
            runs.push(run);
        }
        let verdict = verdict(&runs)?;
        verdicts.push(verdict);
        report::print(args, out, &crucible, &range, &runs, verdict)?;
    }
    if let Some((file, format)) = plot.zip(picture) {
        file.write(|out| pictures::write(format, &panels, out))?;
    }
    Ok(together(&verdicts))
}

/// The format of the picture, if one is asked for.
fn picture_format(args: &Args) -> Result<Option<pictures::Format>, Fault> {
    let Some(file) = args.plot.as_deref() else { return Ok(None) };
    let format = pictures::Format::of(file).map_err(Fault::Input)?;
    if !cfg!(feature = "plot") {
        let message = "--plot needs the feature `plot`, which is not compiled by default: \
                       cargo run --release --features plot --example crucible -- --plot FILE";
        return Err(Fault::Input(message.to_owned()));
    }
    Ok(Some(format))
}

/// The verdict on all parts. Where one of them has a path, a part that is proved to have none is an answer, too.
fn together(parts: &[Verdict]) -> Verdict {
    if parts.contains(&Verdict::Stopped) {
        return Verdict::Stopped;
    }
    let found = parts.contains(&Verdict::Solved);
    if found { Verdict::Solved } else { Verdict::NoSolution }
}

/// The common answer of all runs. Different answers are an error, unless they are within the bounds and factors of their
/// engines.
fn verdict(runs: &[Run]) -> Result<Verdict, Fault> {
    let proved = || runs.iter().filter(|run| !matches!(run.report.outcome, Outcome::Stopped(_)));
    let Some(answer) = proved().map(|run| run.report.cost()).min() else {
        return Ok(Verdict::Stopped);
    };
    let is_right = |run: &Run| match (run.report.cost(), answer) {
        (Some(cost), Some(least)) => {
            run.report.lower_bound <= least
                && run.factor.is_none_or(|factor| f64::from(cost) <= factor * f64::from(least))
        }
        (cost, least) => cost == least,
    };
    if !proved().all(is_right) {
        return Err(Fault::Input("the engines disagree; please report this".into()));
    }
    Ok(match answer {
        Some(_) if proved().count() == runs.len() => Verdict::Solved,
        Some(_) => Verdict::Stopped,
        None => Verdict::NoSolution,
    })
}
