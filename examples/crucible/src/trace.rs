//! Writes a trace of a search.

use std::io::{self, Write};
use std::path::Path;

use bestfirst::problems::crucible::{Axis, Crucible, HeatMap};
use program::Fault;

use super::solvers::Run;
use super::watch::Watch;

/// The format of a trace.
#[derive(Clone, Copy)]
pub enum Format {
    JsonLines,
    Posthoc,
}

impl Format {
    /// That which the ending of the name stands for.
    pub fn of(file: &Path) -> Result<Self, Fault> {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl") => Ok(Self::JsonLines),
            Some("yaml" | "yml") => Ok(Self::Posthoc),
            _ => {
                let name = file.display();
                Err(Fault::Input(format!("{name}: the name must end in .jsonl or .yaml")))
            }
        }
    }
}

/// Writes the trace of a search.
pub fn write(
    crucible: &Crucible,
    run: &Run,
    watch: Watch<'_>,
    format: Format,
    mut out: impl Write,
) -> io::Result<()> {
    let Some(recorder) = watch.into_recorder() else { return Ok(()) };
    let writer = recorder
        .writer(|&state| {
            let (row, column) = crucible.block(state);
            match crucible.axis(state) {
                None => "start".to_owned(),
                Some(Axis::Row) => format!("{row},{column} along the row"),
                Some(Axis::Column) => format!("{row},{column} along the column"),
            }
        })
        .coordinates(|&state| {
            let (row, column) = crucible.block(state);
            #[expect(clippy::cast_precision_loss, reason = "no map is that large")]
            (column as f64, row as f64)
        })
        .solution(run.report.path());
    match format {
        Format::Posthoc => writer.posthoc(&mut out),
        Format::JsonLines => {
            setup(crucible.map(), &mut out)?;
            writer.json_lines(&mut out)
        }
    }
}

/// Writes the line that tells the playground what to draw under the search.
fn setup(map: &HeatMap, out: &mut impl Write) -> io::Result<()> {
    write!(out, r#"{{"event":"setup","board":"grid","rows":["#)?;
    for (row, at) in map.rows_iter().zip(0..) {
        write!(out, "{}\"", if at == 0 { "" } else { "," })?;
        row.iter().try_for_each(|loss| write!(out, "{loss}"))?;
        write!(out, "\"")?;
    }
    writeln!(out, "]}}")
}
