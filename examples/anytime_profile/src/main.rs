//! Plots an anytime profile: the cost of the best path and the lower bound, over time.
//!
//! ```text
//! cargo run --release -p anytime_profile -- profile.svg
//! cargo run --release -p anytime_profile -- profile.svg --time 10
//! ```

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AnytimeAStar, Limits, Observer};
use plotters::prelude::*;
use program::{Fault, Verdict, megabytes};

/// A board of the 15-puzzle that takes 64 moves.
const BOARD: &str = "14 13 15 7  11 12 9 5  6 0 2 1  4 8 10 3";

/// The picture that is made if none is named. Its folder may not exist yet.
const DEFAULT: &str = "target/profile.svg";
const FOLDER: &str = "target";

program::arguments! {
    /// Solves a 15-puzzle by anytime A*, and plots the cost of the best solution and the lower bound over time.
    #[command(
        name = "anytime_profile",
        after_help = "\
Exit status: 0 the picture is written, 2 bad usage, 3 no solution was found in time or memory."
    )]
    struct Args {
        /// The picture, in the format SVG
        #[arg(default_value = DEFAULT)]
        file: PathBuf,

        /// Stops the search after this time
        #[arg(long, value_name = "SECONDS", default_value = "3")]
        time: Duration,

        /// Stops the search when it uses this much memory
        #[arg(long, value_name = "MB", value_parser = megabytes, default_value = "2048")]
        memory: usize,
    }
}

/// Keeps every better solution: the time, its cost and the bound.
struct Profile(Instant, Vec<(f64, u16, u16)>);

impl<S> Observer<S, u16> for Profile {
    fn incumbent(&mut self, cost: u16, bound: u16) {
        self.1.push((self.0.elapsed().as_secs_f64(), cost, bound));
    }
}

fn main() -> ExitCode {
    let (mut out, mut err) = (program::stdout(), program::stderr());
    ExitCode::from(program::run(std::env::args_os(), &mut out, &mut err, run))
}

fn run(args: &Args, out: &mut impl Write) -> Result<Verdict, Fault> {
    let ending = args.file.extension().unwrap_or_default();
    if !ending.eq_ignore_ascii_case("svg") && args.file != Path::new("-") {
        let name = args.file.display();
        return Err(Fault::Input(format!("FILE: {name}: the name must end in .svg")));
    }
    if args.file == Path::new(DEFAULT) {
        std::fs::create_dir_all(FOLDER).map_err(|fault| Fault::input(&fault))?;
    }
    let [file] = program::open(&[], [("FILE", Some(&*args.file))])?;
    let puzzle = SlidingTiles::<Packed>::new(4, 4).map_err(|fault| Fault::input(&fault))?;
    let board: Board = BOARD.parse().map_err(|fault| Fault::input(&fault))?;
    let start = puzzle.state(&board).map_err(|fault| Fault::input(&fault))?;
    let mut profile = Profile(Instant::now(), Vec::new());
    let limits = Limits::new().time(args.time).memory(args.memory);
    let search = AnytimeAStar::new(&puzzle).limits(limits).observer(&mut profile);
    let report = search.search(start).run().map_err(|fault| Fault::input(&fault))?;
    let end = profile.0.elapsed().as_secs_f64();
    let Some(cost) = report.cost() else {
        return Err(Fault::Stopped(
            "no solution was found before the search was stopped".to_owned(),
        ));
    };
    writeln!(out, "{cost} moves, at least {}; {}", report.lower_bound, report.stats)?;
    if let Some(file) = file {
        let picture =
            plot(&profile.1, (end, report.lower_bound)).map_err(|fault| Fault::input(&fault))?;
        file.write(|out| out.write_all(picture.as_bytes()))?;
    }
    writeln!(out, "{}", args.file.display())?;
    Ok(Verdict::Solved)
}

/// The picture of these points, and of the bound at the end.
fn plot(points: &[(f64, u16, u16)], last: (f64, u16)) -> Result<String, Box<dyn Error>> {
    let (first, end) = (points.first().ok_or("there is no point")?, last.0);
    let mut picture = String::new();
    let area = SVGBackend::with_string(&mut picture, (800, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .caption("Anytime A*: cost (red), lower bound (blue), by seconds", ("sans-serif", 18))
        .set_label_area_size(LabelAreaPosition::Left, 40)
        .set_label_area_size(LabelAreaPosition::Bottom, 30)
        .build_cartesian_2d((first.0..end).log_scale(), 0.0..f64::from(first.1) * 1.05)?;
    chart.configure_mesh().draw()?;
    let costs = stairs(points.iter().map(|&(time, cost, _)| (time, cost)), end);
    let bounds = stairs(points.iter().map(|&(time, _, bound)| (time, bound)).chain([last]), end);
    chart.draw_series([PathElement::new(costs, RED.stroke_width(2))])?;
    chart.draw_series([PathElement::new(bounds, BLUE.stroke_width(2))])?;
    area.present()?;
    drop(chart);
    drop(area);
    Ok(picture)
}

/// The corners of a staircase up to the time `end`.
fn stairs(points: impl Iterator<Item = (f64, u16)>, end: f64) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for (time, value) in points {
        corners.extend(corners.last().map(|&(_, before)| (time, before)));
        corners.push((time, f64::from(value)));
    }
    corners.extend(corners.last().map(|&(_, last)| (end, last)));
    corners
}
