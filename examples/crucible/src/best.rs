//! The best paths of a crucible, one after the other.

use std::collections::TryReserveError;
use std::io::Write;
use std::ops::RangeInclusive;

use bestfirst::problems::crucible::Crucible;
use bestfirst::{KBest, Limits, Outcome, PathOf, ReportOf, SearchError, StopReason};
use pictures::{Panel, Scale};
use program::{Fault, Verdict};

use super::picture::{entered_blocks, heat_map};
use super::solvers::Engine;
use super::text::range_text;

/// The best paths that were found.
pub struct Best {
    paths: Vec<PathOf<Crucible>>,
    /// Why there are no more, and what the next one costs at least.
    stopped: Option<(StopReason, u32)>,
}

/// Whether there are several best paths by this engine.
pub fn is_possible(engine: Engine) -> bool {
    matches!(engine, Engine::AStar | Engine::Dijkstra)
}

/// Finds the `most` best paths.
pub fn find(
    crucible: &Crucible,
    engine: Engine,
    most: usize,
    limits: Limits<u32>,
) -> Result<Best, SearchError<u32>> {
    let builder = KBest::new(crucible).limits(limits);
    if engine == Engine::Dijkstra {
        let mut search = builder.dijkstra().dense().search(crucible.start());
        let paths = search.by_ref().take(most).collect::<Result<Vec<_>, _>>()?;
        let last = (paths.len() < most).then(|| search.run()).transpose()?;
        return Ok(Best { paths, stopped: last.and_then(stopped) });
    }
    let mut search = builder.dense().search(crucible.start());
    let paths = search.by_ref().take(most).collect::<Result<Vec<_>, _>>()?;
    let last = (paths.len() < most).then(|| search.run()).transpose()?;
    Ok(Best { paths, stopped: last.and_then(stopped) })
}

#[expect(clippy::needless_pass_by_value, reason = "as `and_then` passes it")]
fn stopped(report: ReportOf<Crucible>) -> Option<(StopReason, u32)> {
    match report.outcome {
        Outcome::Stopped(reason) => Some((reason, report.lower_bound)),
        _ => None,
    }
}

impl Best {
    /// How the search ended.
    pub fn verdict(&self) -> Verdict {
        match self.stopped {
            Some(_) => Verdict::Stopped,
            None if self.paths.is_empty() => Verdict::NoSolution,
            None => Verdict::Solved,
        }
    }

    /// Prints the losses of the paths, one a line.
    pub fn print(
        &self,
        range: &RangeInclusive<u32>,
        is_quiet: bool,
        out: &mut impl Write,
    ) -> Result<(), Fault> {
        if !is_quiet {
            writeln!(out, "runs of {}: the {} best paths", range_text(range), self.paths.len())?;
        }
        for path in &self.paths {
            writeln!(out, "{}", path.cost())?;
        }
        match (self.verdict(), self.stopped) {
            (_, Some(_)) if is_quiet => writeln!(out, "stopped")?,
            (_, Some((reason, bound))) => {
                writeln!(out, "stopped: {reason}; any other path loses at least {bound}")?;
            }
            (Verdict::NoSolution, _) if is_quiet => writeln!(out, "no way")?,
            (Verdict::NoSolution, _) => writeln!(out, "there is no path from corner to corner")?,
            _ => {}
        }
        if !is_quiet {
            writeln!(out)?;
        }
        Ok(())
    }

    /// The panel with all paths.
    pub fn panel(
        &self,
        crucible: &Crucible,
        range: &RangeInclusive<u32>,
    ) -> Result<Panel, TryReserveError> {
        let map = crucible.map();
        let mut paths = self.paths.iter().map(|path| entered_blocks(crucible, path));
        let losses = match &self.paths[..] {
            [] => "no way".to_owned(),
            [only] => format!("loss {}", only.cost()),
            [first, .., last] => format!("losses {} to {}", first.cost(), last.cost()),
        };
        Ok(Panel {
            title: format!("runs of {}: {losses}", range_text(range)),
            subtitle: format!("the {} best paths", self.paths.len()),
            rows: map.rows(),
            columns: map.columns(),
            values: heat_map(crucible)?,
            scale: Scale::Heat,
            path: paths.next().unwrap_or_default(),
            others: paths.collect(),
        })
    }
}
