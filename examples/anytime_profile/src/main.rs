//! Plots an anytime profile: the cost of the best path and the lower bound, over time.
//!
//! ```text
//! cargo run --release --example anytime_profile -- profile.svg
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
use bestfirst::{AnytimeAStar, Limits, Observer};
use plotters::prelude::*;

/// Keeps every better solution: the time, its cost and the bound.
struct Profile(Instant, Vec<(f64, u16, u16)>);

impl<S> Observer<S, u16> for Profile {
    fn incumbent(&mut self, cost: u16, bound: u16) {
        self.1.push((self.0.elapsed().as_secs_f64(), cost, bound));
    }
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

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "target/profile.svg".to_owned());
    let puzzle = SlidingTiles::<Packed>::new(4, 4)?;
    let board: Board = "14 13 15 7  11 12 9 5  6 0 2 1  4 8 10 3".parse()?;
    let mut profile = Profile(Instant::now(), Vec::new());
    let limits = Limits::new().time(Duration::from_secs(3)).memory(2 << 30);
    let search = AnytimeAStar::new(&puzzle).limits(limits).observer(&mut profile);
    let report = search.search(puzzle.state(&board)?).run()?;
    let end = profile.0.elapsed().as_secs_f64();
    println!("{:?} moves, at least {}; {}", report.cost(), report.lower_bound, report.stats);

    let points = profile.1;
    let first = points.first().ok_or("no path is found in time")?;
    let area = SVGBackend::new(&file, (800, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .caption("Anytime A*: cost (red), lower bound (blue), by seconds", ("sans-serif", 18))
        .set_label_area_size(LabelAreaPosition::Left, 40)
        .set_label_area_size(LabelAreaPosition::Bottom, 30)
        .build_cartesian_2d((first.0..end).log_scale(), 0.0..f64::from(first.1) * 1.05)?;
    chart.configure_mesh().draw()?;
    let costs = stairs(points.iter().map(|&(time, cost, _)| (time, cost)), end);
    let last = (end, report.lower_bound);
    let bounds = stairs(points.iter().map(|&(time, _, bound)| (time, bound)).chain([last]), end);
    chart.draw_series([PathElement::new(costs, RED.stroke_width(2))])?;
    chart.draw_series([PathElement::new(bounds, BLUE.stroke_width(2))])?;
    area.present()?;
    println!("{file}");
    Ok(())
}
