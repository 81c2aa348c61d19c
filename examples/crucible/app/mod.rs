//! The program itself, apart from `main` so that tests can run it.

mod plot;
mod solvers;
mod watch;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anstyle::{Ansi256Color, Effects, Style};
use bestfirst::problems::crucible::{Axis, Bound, Crucible, HeatMap, HeatMapError};
use bestfirst::{Outcome, PathOf};
use clap::Parser;

use self::plot::{Panel, Scale, thousands};
use self::solvers::{Run, Solver};
use self::watch::Watch;

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

/// Finds the way from the top left to the bottom right of a grid of digits that loses the least
/// heat: straight on for at least MIN and at most MAX blocks, then a turn left or right.
#[derive(Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(
    name = "crucible",
    after_help = "Exit status: 0 solved, 1 there is no way, 2 bad input or usage, 3 stopped before \
                  the answer was proved."
)]
struct Args {
    /// The grid, one row of digits a line; `-` reads standard input. Without it, the public example
    #[arg(conflicts_with = "random")]
    file: Option<PathBuf>,

    /// The fewest blocks straight on before a turn or the end
    #[arg(long, value_name = "N", requires = "max")]
    min: Option<u32>,

    /// The most blocks straight on; without --min and --max, both 1..3 and 4..10 are solved
    #[arg(long, value_name = "N", requires = "min")]
    max: Option<u32>,

    /// Which engine, or several separated by commas: dijkstra, astar, idastar, branch-and-bound,
    /// breadth-first, each with a heuristic of its own if need be, as in `astar:manhattan`
    #[arg(long, value_name = "ENGINE", value_delimiter = ',', default_value = "astar")]
    engine: Vec<Solver>,

    /// The heuristic of engines that name none: manhattan, without-turns or next-run
    #[arg(long, value_name = "BOUND", value_parser = solvers::heuristic, default_value = "without-turns")]
    heuristic: Bound,

    /// Runs every engine with every heuristic and prints a table
    #[arg(long, conflicts_with = "engine")]
    compare: bool,

    /// Says what the search counted
    #[arg(long)]
    stats: bool,

    /// Only the answers, one a line
    #[arg(long, short)]
    quiet: bool,

    /// A grid of random digits from 1 to 9, as in `141x141`
    #[arg(long, value_name = "ROWSxCOLUMNS")]
    random: Option<Size>,

    /// The seed of the random grid
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Gives each search up after so many seconds; 20 unless said otherwise when comparing and
    /// for idastar, which cannot prove that there is no way
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,

    /// Draws the grid as a heat map with the path on it; the name ends in .png or .svg
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// With --plot: colours the blocks by the order in which the engine expanded them
    #[arg(long, requires = "plot")]
    plot_expansions: bool,

    /// Writes what the search did: .jsonl as JSON lines, .yaml for the Posthoc visualiser
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// Rows and columns.
#[derive(Clone, Copy)]
struct Size(usize, usize);

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = "write it as ROWSxCOLUMNS, as in 141x141";
        let (rows, columns) = text.split_once(['x', 'X', '×']).ok_or(fault)?;
        Ok(Self(rows.parse().map_err(|_| fault)?, columns.parse().map_err(|_| fault)?))
    }
}

/// What the program says at its end, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Solved = 0,
    NoWay = 1,
    Stopped = 3,
}

/// Runs the program; returns its exit status.
pub fn main(
    args: impl IntoIterator<Item = OsString>,
    input: &mut impl Read,
    out: &mut impl Write,
    err: &mut impl Write,
) -> u8 {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(fault) => {
            let text = fault.render();
            // If even this cannot be written, nobody is there to be told.
            let _ = if fault.use_stderr() {
                write!(err, "{}", text.ansi())
            } else {
                write!(out, "{}", text.ansi())
            };
            return u8::try_from(fault.exit_code()).unwrap_or(2);
        }
    };
    match run(&args, input, out) {
        Ok(verdict) => verdict as u8,
        // Whoever reads our output has seen enough.
        Err(Fault::Io(fault)) if fault.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(fault) => {
            let _ = writeln!(err, "crucible: {fault}");
            2
        }
    }
}

/// Why there is no answer.
enum Fault {
    /// The output cannot be written.
    Io(io::Error),
    /// Anything that the user can put right.
    Input(String),
}

impl From<io::Error> for Fault {
    fn from(fault: io::Error) -> Self {
        Self::Io(fault)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(fault) => write!(f, "cannot write the output: {fault}"),
            Self::Input(message) => f.write_str(message),
        }
    }
}

fn run(args: &Args, input: &mut impl Read, out: &mut impl Write) -> Result<Verdict, Fault> {
    let map = read_map(args, input)?;
    if let Some(file) = args.plot.as_deref().filter(|file| !plot::can_save(file)) {
        let name = file.display();
        return Err(Fault::Input(format!("{name}: the name must end in .png or .svg")));
    }
    let ranges = match (args.min, args.max) {
        (Some(min), Some(max)) => vec![min..=max],
        _ => vec![1..=3, 4..=10],
    };
    let solvers = if args.compare { Solver::all() } else { args.engine.clone() };
    if args.trace.is_some() && ranges.len() * solvers.len() > 1 {
        let message = "--trace writes one search: give --min and --max, and one engine";
        return Err(Fault::Input(message.to_owned()));
    }
    // IDA* never ends where there is no way but there are circles to go in.
    let patient = solvers.len() == 1 && solvers[0].ends();
    let limit = args.time.or((!patient).then_some(20)).map(Duration::from_secs);

    let mut worst = Verdict::Solved;
    let mut panels = Vec::new();
    let mut trace = args.trace.as_deref().map(Trace::create).transpose()?;
    for range in ranges {
        let crucible = Crucible::new(&map, range.clone())
            .map_err(|fault| Fault::Input(format!("--min and --max: {fault}")))?;
        let mut runs = Vec::new();
        for solver in &solvers {
            let crucible = crucible.clone().bound(solver.heuristic.unwrap_or(args.heuristic));
            let mut watch = Watch::new(&crucible, solver.name(args.heuristic));
            if !args.quiet {
                watch.show_progress();
            }
            if args.plot_expansions {
                watch.record_order();
            }
            if trace.is_some() {
                watch.record_trace();
            }
            let run = solvers::run(*solver, &crucible, limit, &mut watch)
                .map_err(|fault| Fault::Input(fault.to_string()))?;
            if args.plot.is_some() {
                panels.push(panel(&crucible, &range, &run, &watch, args.plot_expansions));
            }
            if let Some(trace) = &mut trace {
                trace.write(&crucible, &run, watch)?;
            }
            runs.push(run);
        }
        let verdict = verdict(&runs)?;
        worst = worst.max(verdict);
        say(args, out, &crucible, &range, &runs, verdict)?;
    }
    if let Some(file) = &args.plot {
        plot::save(file, &panels)
            .map_err(|fault| Fault::Input(format!("{}: {fault}", file.display())))?;
    }
    out.flush()?;
    Ok(worst)
}

fn read_map(args: &Args, input: &mut impl Read) -> Result<HeatMap, Fault> {
    if let Some(Size(rows, columns)) = args.random {
        return HeatMap::random(rows, columns, args.seed)
            .map_err(|fault| Fault::Input(format!("--random: {fault}")));
    }
    let (name, bytes) = match args.file.as_deref() {
        None => ("the example".into(), EXAMPLE.into()),
        Some(file) if file == Path::new("-") => {
            let mut bytes = Vec::new();
            let read = input.read_to_end(&mut bytes);
            read.map_err(|fault| Fault::Input(format!("standard input: {fault}")))?;
            ("standard input".into(), bytes)
        }
        Some(file) => {
            let name = file.display().to_string();
            let bytes = std::fs::read(file);
            let bytes = bytes.map_err(|fault| Fault::Input(format!("{name}: {fault}")))?;
            (name, bytes)
        }
    };
    // What is no text becomes a character that is no digit, and is named with its place.
    let text = String::from_utf8_lossy(&bytes);
    text.parse().map_err(|fault| Fault::Input(explain(&name, &text, &fault)))
}

/// The fault, and below it the line with a mark under its place.
fn explain(name: &str, text: &str, fault: &HeatMapError) -> String {
    const WIDTH: usize = 60;
    let mut message = format!("{name}: {fault}");
    let Some((line, column)) = fault.place() else { return message };
    let Some(source) = text.lines().nth(line - 1) else { return message };
    // Of a long line, what stands around the place.
    let skipped = column.saturating_sub(WIDTH / 2 + 1);
    let skipped = if column <= WIDTH { 0 } else { skipped };
    let shown: String = source.chars().skip(skipped).take(WIDTH).collect();
    let shown = shown.replace(char::is_control, " ");
    let _ = write!(message, "\n  {shown}\n  {:>1$}", '^', column - skipped);
    message
}

/// What all runs together say; they must say the same.
fn verdict(runs: &[Run]) -> Result<Verdict, Fault> {
    let proved = || runs.iter().filter(|run| !matches!(run.report.outcome, Outcome::Stopped(_)));
    let mut answers = proved().map(|run| run.report.cost());
    let Some(answer) = answers.next() else { return Ok(Verdict::Stopped) };
    if answers.any(|other| other != answer) {
        return Err(Fault::Input("the engines disagree; please report this".into()));
    }
    Ok(match answer {
        Some(_) if proved().count() == runs.len() => Verdict::Solved,
        Some(_) => Verdict::Stopped,
        None => Verdict::NoWay,
    })
}

fn say(
    args: &Args,
    out: &mut impl Write,
    crucible: &Crucible,
    range: &RangeInclusive<u32>,
    runs: &[Run],
    verdict: Verdict,
) -> Result<(), Fault> {
    let path = runs.iter().find_map(|run| run.report.path());
    let answer = match (path, verdict) {
        (Some(path), _) => path.cost().to_string(),
        (None, Verdict::NoWay) => "no way".to_owned(),
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
            writeln!(out, "runs of {range}: the least heat loss is {bold}{answer}{bold:#}")?;
            draw(out, crucible, path)?;
        }
        (None, Verdict::NoWay) => {
            writeln!(out, "runs of {range}: there is no way from corner to corner")?;
        }
        (None, _) => writeln!(out, "runs of {range}: stopped before a way was found")?,
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

fn range_text(range: &RangeInclusive<u32>) -> String {
    format!("{} to {}", range.start(), range.end())
}

/// The grid in the colours of its digits, the path standing out.
fn draw(out: &mut impl Write, crucible: &Crucible, path: &PathOf<Crucible>) -> io::Result<()> {
    // From blue over purple to orange, as in the pictures.
    const HEAT: [u8; 10] = [61, 61, 97, 97, 133, 132, 168, 167, 173, 172];
    let on_path = Style::new().bold().effects(Effects::BOLD | Effects::INVERT);
    for row in crucible.draw(path).cells() {
        let mut styled = None;
        for cell in row {
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

fn panel(
    crucible: &Crucible,
    range: &RangeInclusive<u32>,
    run: &Run,
    watch: &Watch<'_>,
    expansions: bool,
) -> Panel {
    let map = crucible.map();
    let loss = run.report.cost().map_or_else(|| "no way".to_owned(), |loss| format!("loss {loss}"));
    let range = range_text(range);
    let expanded = thousands(run.report.stats.expanded);
    let (title, values, scale) = if expansions {
        (run.title.clone(), watch.order(), Scale::Order)
    } else {
        let losses = map.rows_iter().flatten().map(|&loss| Some(f64::from(loss))).collect();
        (format!("runs of {range}: {loss}"), losses, Scale::Heat)
    };
    let subtitle = if expansions {
        format!("{expanded} expanded; {loss}")
    } else {
        format!("{}: {expanded} expanded", run.title)
    };
    let path = run.report.path().map_or_else(Vec::new, |path| {
        let entered = crucible.blocks(path).map(|(row, column, _)| (row, column));
        std::iter::once((0, 0)).chain(entered).collect()
    });
    Panel { title, subtitle, rows: map.rows(), columns: map.columns(), values, scale, path }
}

/// The file that `--trace` names. It takes one search.
struct Trace {
    name: String,
    out: BufWriter<File>,
    posthoc: bool,
}

impl Trace {
    fn create(file: &Path) -> Result<Self, Fault> {
        let name = file.display().to_string();
        let posthoc = match file.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl") => false,
            Some("yaml" | "yml") => true,
            _ => return Err(Fault::Input(format!("{name}: the name must end in .jsonl or .yaml"))),
        };
        let out = File::create(file).map_err(|fault| Fault::Input(format!("{name}: {fault}")))?;
        Ok(Self { name, out: BufWriter::new(out), posthoc })
    }

    fn write(&mut self, crucible: &Crucible, run: &Run, watch: Watch<'_>) -> Result<(), Fault> {
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
