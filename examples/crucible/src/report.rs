//! Prints the answers.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::RangeInclusive;

use anstyle::{Ansi256Color, Effects, Style};
use bestfirst::problems::crucible::{Crucible, DrawnBlock};
use bestfirst::{Outcome, PathOf};
use program::{Fault, Verdict, thousands};

use super::args::Args;
use super::solvers::Run;
use super::text::range_text;

/// Prints the answer for one range of run lengths.
pub fn print(
    args: &Args,
    out: &mut impl Write,
    crucible: &Crucible,
    range: &RangeInclusive<u32>,
    runs: &[Run],
    verdict: Verdict,
) -> Result<(), Fault> {
    // The cheapest, of equal ones the first.
    let best = runs.iter().filter(|run| run.report.path().is_some());
    let best = best.min_by_key(|run| run.report.cost());
    let path = best.and_then(|run| run.report.path());
    let answer = match (path, verdict) {
        (Some(path), _) => path.cost().to_string(),
        (None, Verdict::NoSolution) => "no way".to_owned(),
        (None, _) => "stopped".to_owned(),
    };
    if args.quiet {
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    let bold = Style::new().bold();
    let range = range_text(range);
    match (path, verdict) {
        (Some(path), _) => {
            let bound = runs.iter().map(|run| run.report.lower_bound).max().unwrap_or(0);
            if path.cost() <= bound {
                writeln!(out, "runs of {range}: the least heat loss is {bold}{answer}{bold:#}")?;
            } else {
                let factor = f64::from(path.cost()) / f64::from(bound);
                writeln!(
                    out,
                    "runs of {range}: a heat loss of {bold}{answer}{bold:#}, at most {factor:.3} times the least"
                )?;
            }
            draw(out, crucible, path)?;
        }
        (None, Verdict::NoSolution) => {
            writeln!(out, "runs of {range}: there is no path from corner to corner")?;
        }
        (None, _) => writeln!(out, "runs of {range}: stopped before a path was found")?,
    }
    if runs.len() > 1 {
        table(out, runs)?;
    }
    for run in runs {
        if let Outcome::Stopped(reason) = run.report.outcome {
            let bound = run.report.lower_bound;
            writeln!(out, "{}: {reason}; the loss is at least {bound}", run.name)?;
        }
        if args.stats {
            writeln!(out, "{}: {} in {:.1?}", run.name, run.report.stats, run.time)?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// Prints the map in the colours of its digits, with the path highlighted.
fn draw(out: &mut impl Write, crucible: &Crucible, path: &PathOf<Crucible>) -> io::Result<()> {
    // From blue over purple to orange, as in the pictures.
    const HEAT: [u8; 10] = [61, 61, 97, 97, 133, 132, 168, 167, 173, 172];
    let on_path = Style::new().bold().effects(Effects::BOLD | Effects::INVERT);
    // Not `Drawing::cells`, which takes memory for every block of the map.
    let entered: HashMap<_, _> =
        crucible.blocks(path).map(|(row, column, direction)| ((row, column), direction)).collect();
    for (row, losses) in crucible.map().rows_iter().enumerate() {
        let mut styled = None;
        for (column, &loss) in losses.iter().enumerate() {
            let cell = DrawnBlock { loss, entered: entered.get(&(row, column)).copied() };
            let style = match cell.entered {
                Some(_) => on_path,
                None => Style::new()
                    .fg_color(Some(Ansi256Color(HEAT[usize::from(cell.loss.min(9))]).into())),
            };
            if styled != Some(style) {
                if let Some(before) = styled {
                    write!(out, "{before:#}")?;
                }
                write!(out, "{style}")?;
                styled = Some(style);
            }
            write!(out, "{}", cell.character())?;
        }
        if let Some(style) = styled {
            write!(out, "{style:#}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn table(out: &mut impl Write, runs: &[Run]) -> io::Result<()> {
    let name = runs.iter().map(|run| run.name.len()).max().unwrap_or(0).max(6);
    let head = ["loss", "expanded", "generated", "stored", "time"];
    let underline = Style::new().underline();
    write!(out, "{underline}{:<name$}", "engine")?;
    for title in head {
        write!(out, " {title:>13}")?;
    }
    writeln!(out, "{underline:#}")?;
    for run in runs {
        let stats = &run.report.stats;
        let loss = match (&run.report.outcome, run.report.cost()) {
            (Outcome::Stopped(_), Some(loss)) => format!("≤ {loss}"),
            (_, Some(loss)) => loss.to_string(),
            (Outcome::Stopped(_), None) => "stopped".to_owned(),
            (_, None) => "no way".to_owned(),
        };
        let time = format!("{:.2?}", run.time);
        writeln!(
            out,
            "{:<name$} {loss:>13} {:>13} {:>13} {:>13} {time:>13}",
            run.name,
            thousands(stats.expanded),
            thousands(stats.generated),
            thousands(stats.stored),
        )?;
    }
    Ok(())
}
