//! Writes a trace of a search.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use bestfirst::problems::crucible::{Axis, Crucible};
use program::Fault;

use super::solvers::Run;
use super::watch::Watch;

/// The file that `--trace` names. It holds one search.
pub struct Trace {
    name: String,
    out: BufWriter<File>,
    posthoc: bool,
}

impl Trace {
    pub fn create(file: &Path) -> Result<Self, Fault> {
        let name = file.display().to_string();
        let posthoc = match file.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl") => false,
            Some("yaml" | "yml") => true,
            _ => return Err(Fault::Input(format!("{name}: the name must end in .jsonl or .yaml"))),
        };
        let out = File::create(file).map_err(|fault| Fault::Input(format!("{name}: {fault}")))?;
        Ok(Self { name, out: BufWriter::new(out), posthoc })
    }

    pub fn write(&mut self, crucible: &Crucible, run: &Run, watch: Watch<'_>) -> Result<(), Fault> {
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
        let written = if self.posthoc {
            writer.posthoc(&mut self.out)
        } else {
            writer.json_lines(&mut self.out)
        };
        written
            .and_then(|()| self.out.flush())
            .map_err(|fault| Fault::Input(format!("{}: {fault}", self.name)))
    }
}
