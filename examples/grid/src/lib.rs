//! The program itself, separate from `main` so that tests can run it.

mod args;
mod input;
mod solve;

use std::collections::TryReserveError;
use std::ffi::OsString;
use std::io::{self, Read, Write};

use bestfirst::problems::grid_map::{Cell, GridMap, Length};
use pictures::{Panel, Scale};
use program::{Fault, Verdict, thousands};

use self::args::Args;
use self::solve::{Answer, Taken};

/// The value of a blocked cell in a picture.
const BLOCKED: f64 = f64::NEG_INFINITY;

/// Some lengths in the files have only two decimals.
const WITHIN: f64 = 0.0051;

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
    check_usage(args)?;
    let picture = args.plot.as_deref().map(pictures::Format::of);
    let picture = picture.transpose().map_err(Fault::Input)?;
    // What is wrong with the files is known before anything is done.
    let queries = input::scenario_file(args);
    let files = [("the map", Some(&*args.map)), ("the queries", queries.as_deref())];
    let [plot] = program::open(&files, [("--plot", args.plot.as_deref())])?;
    let map = input::read_map(args, input)?;
    let queries = input::read_queries(args, &map, queries.as_deref(), input)?;
    if queries.len() != 1 && (args.draw || args.plot.is_some()) {
        let message = "--draw and --plot draw one query: give --query, or --from and --to";
        return Err(Fault::Input(message.to_owned()));
    }
    let mut sums = Sums::default();
    let mut single = None;
    let taken = solve::solve(args, &map, &queries, &mut |answer| {
        print_answer(args, &map, &answer, out)?;
        sums.add(args, &answer);
        single = Some(answer);
        Ok(())
    })?;
    if args.stats {
        print_stats(out, &sums, &taken)?;
    }
    if let (Some((file, format)), Some(answer)) = (plot.zip(picture), single) {
        let panels = [panel(args, &map, &answer, &taken.order)?];
        file.write(|out| pictures::write(format, &panels, out))?;
    }
    match sums.fault() {
        Some(fault) => Err(Fault::Input(fault)),
        None => Ok(sums.worst),
    }
}

/// Prints an answer, for those who watch, before the next is looked for.
fn print_answer(
    args: &Args,
    map: &GridMap,
    answer: &Answer,
    out: &mut impl Write,
) -> Result<(), Fault> {
    match answer.length {
        Some(length) => writeln!(out, "{length:.8}")?,
        None if answer.is_stopped => writeln!(out, "stopped")?,
        None => writeln!(out, "no path")?,
    }
    if args.draw {
        write!(out, "{}", map.draw_path(&answer.cells))?;
    }
    out.flush()?;
    Ok(())
}

/// What all answers say together.
struct Sums {
    queries: usize,
    paths: usize,
    expanded: u64,
    worst: Verdict,
    /// What is wrong with the lengths in the file: as much as is shown, and how many there are.
    wrong: Vec<String>,
    wrong_count: usize,
}

impl Default for Sums {
    fn default() -> Self {
        let worst = Verdict::Solved;
        Self { queries: 0, paths: 0, expanded: 0, worst, wrong: Vec::new(), wrong_count: 0 }
    }
}

impl Sums {
    /// At most this many wrong lengths are shown.
    const MOST_SHOWN: usize = 20;

    fn add(&mut self, args: &Args, answer: &Answer) {
        self.queries += 1;
        self.paths += usize::from(answer.length.is_some());
        self.expanded += answer.expanded;
        self.worst = self.worst.max(match answer.length {
            _ if answer.is_stopped => Verdict::Stopped,
            Some(_) => Verdict::Solved,
            None => Verdict::NoSolution,
        });
        if let Some(fault) = wrong_length(answer).filter(|_| args.check) {
            self.wrong_count += 1;
            if self.wrong.len() < Self::MOST_SHOWN {
                self.wrong.push(fault);
            }
        }
    }

    /// What is wrong with the lengths, each in a line.
    fn fault(&self) -> Option<String> {
        let more = self.wrong_count.saturating_sub(self.wrong.len());
        let more = (more > 0).then(|| format!("and {more} more"));
        let lines: Vec<_> = self.wrong.iter().cloned().chain(more).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Refuses what cannot be done before anything is read.
fn check_usage(args: &Args) -> Result<(), Fault> {
    if args.weight.is_some() && args.engine != args::Engine::Astar {
        return Err(Fault::Input("--weight is for --engine astar".to_owned()));
    }
    if args.landmarks.is_some() && args.engine == args::Engine::Dijkstra {
        let message = "--engine dijkstra takes no heuristic: leave out --landmarks";
        return Err(Fault::Input(message.to_owned()));
    }
    if args.jump_points && args.engine == args::Engine::Bidirectional {
        let message = "--jump-points goes from the start to the goal only: choose another engine";
        return Err(Fault::Input(message.to_owned()));
    }
    if args.check && !args.is_exact() {
        let message = "--check compares the least lengths; leave out --weight and --engine greedy";
        return Err(Fault::Input(message.to_owned()));
    }
    Ok(())
}

/// What is wrong with the length in the file, if anything is.
fn wrong_length(answer: &Answer) -> Option<String> {
    let Answer { query, length, is_stopped, .. } = answer;
    let expected = query.length.filter(|_| !is_stopped)?;
    let number = query.number;
    match length.map(Length::to_f64) {
        Some(found) if (found - expected).abs() <= WITHIN => None,
        Some(found) => {
            Some(format!("query {number}: the length is {found:.8}, but the file says {expected}"))
        }
        None => Some(format!("query {number}: there is no path, but the file says {expected}")),
    }
}

fn print_stats(out: &mut impl Write, sums: &Sums, taken: &Taken) -> io::Result<()> {
    let &Sums { queries, paths, expanded, .. } = sums;
    #[expect(clippy::cast_precision_loss, reason = "they are shown with few digits")]
    let (mean, micros) = match queries {
        0 => (0.0, 0.0),
        _ => (expanded as f64 / queries as f64, taken.time.as_secs_f64() * 1e6 / queries as f64),
    };
    writeln!(out, "queries      {}, {} with a path", thousands(queries), thousands(paths))?;
    writeln!(out, "expanded     {}, {mean:.1} a query", thousands(expanded))?;
    writeln!(out, "preparation  {:.2?}", taken.preparation)?;
    writeln!(out, "time         {:.2?}, {micros:.1} µs a query", taken.time)
}

/// The panel of a query: the order of the expansions, and the path. Blocked cells are dark.
fn panel(
    args: &Args,
    map: &GridMap,
    answer: &Answer,
    order: &[u32],
) -> Result<Panel, TryReserveError> {
    let mut values = Vec::new();
    values.try_reserve_exact(order.len())?;
    let width = map.width();
    let cells = (0..map.height()).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
    values.extend(cells.zip(order).map(|(cell, &number)| match number {
        _ if !map.is_free(cell) => Some(BLOCKED),
        0 => None,
        _ => Some(f64::from(number)),
    }));
    let length = match answer.length {
        Some(length) => format!("length {length:.3}"),
        None => "no path".to_owned(),
    };
    let engine = match args.engine {
        args::Engine::Dijkstra => "Dijkstra".to_owned(),
        args::Engine::Astar => match args.weight {
            None => "A*".to_owned(),
            Some(weight) => format!("A*, weight {weight}"),
        },
        args::Engine::Greedy => "greedy".to_owned(),
        args::Engine::Bidirectional => "from both ends".to_owned(),
    };
    let jumps = if args.jump_points { ", jump points" } else { "" };
    let landmarks = args.landmarks.map(|count| format!(", {count} landmarks")).unwrap_or_default();
    let place = |cell: &Cell| (usize::from(cell.y), usize::from(cell.x));
    Ok(Panel {
        title: engine + jumps + &landmarks,
        subtitle: format!("{} expanded; {length}", thousands(answer.expanded)),
        rows: map.height().into(),
        columns: width.into(),
        values,
        scale: Scale::Order,
        path: answer.cells.iter().map(place).collect(),
        others: Vec::new(),
    })
}
