//! Reads the map.

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use bestfirst::problems::crucible::{HeatMap, HeatMapError};
use program::Fault;

use super::args::{Args, Size};

/// The example that the puzzle was published with.
const EXAMPLE: &str = "\
2413432311323
3215453535623
3255245654254
3446585845452
4546657867536
1438598798454
4457876987766
3637877979653
4654967986887
4564679986453
1224686865563
2546548887735
4322674655533
";

/// Reads the map that the arguments name, or generates it.
pub fn read_map(args: &Args, input: &mut impl Read) -> Result<HeatMap, Fault> {
    let name = args.map_name();
    if let Some(Size(rows, columns)) = args.random {
        return HeatMap::random(rows, columns, args.seed)
            .map_err(|fault| Fault::Input(format!("{name}: {fault}")));
    }
    let bytes = match args.file.as_deref() {
        None => Ok(EXAMPLE.into()),
        Some(file) if file == Path::new("-") => {
            let mut bytes = Vec::new();
            input.read_to_end(&mut bytes).map(|_| bytes)
        }
        Some(file) => std::fs::read(file),
    };
    let bytes = bytes.map_err(|fault| Fault::Input(format!("{name}: {fault}")))?;
    // Invalid UTF-8 becomes a character that is not a digit, and is reported with its position.
    let text = String::from_utf8_lossy(&bytes);
    text.parse().map_err(|fault| Fault::Input(explain(&name, &text, &fault)))
}

/// The error, and below it the line with a mark at the position.
fn explain(name: &str, text: &str, fault: &HeatMapError) -> String {
    const WIDTH: usize = 60;
    let mut message = format!("{name}: {fault}");
    let Some((line, column)) = fault.place() else { return message };
    let Some(source) = text.lines().nth(line - 1) else { return message };
    // Only the part of a long line around the position.
    let skipped = column.saturating_sub(WIDTH / 2 + 1);
    let skipped = if column <= WIDTH { 0 } else { skipped };
    let shown: String = source.chars().skip(skipped).take(WIDTH).collect();
    let shown = shown.replace(char::is_control, " ");
    let _ = write!(message, "\n  {shown}\n  {:>1$}", '^', column - skipped);
    message
}
