//! Finds the least energy that brings all amphipods of a burrow home; compares engines, shows solutions.
//!
//! ```text
//! cargo run --release --example amphipod                      the public example: 12521 and 44169
//! cargo run --release --example amphipod -- --replay --part 1
//! cargo run --release --example amphipod -- burrow.txt --compare
//! cargo run --release --example amphipod -- --all             how many ways there are
//! cargo run --release --example amphipod -- --best 10
//! cargo run --release --example amphipod -- - --form literal --rules stop-at-doors < burrow.txt
//! ```

mod animation;
mod certify;
mod solve;
mod watch;
mod ways;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use amphipod::Form;
use anstyle::Style;
use bestfirst::problems::amphipod::{Burrow, Rules};
use program::{Fault, Verdict, megabytes, thousands};

use crate::solve::{Answer, End, Engine, Task};
use crate::ways::Asked;

program::arguments! {
    /// Finds the least energy that brings all amphipods of a burrow home.
    #[command(
        name = "amphipod",
        after_help = "\
A burrow is drawn like this; any number of rooms from 1 to 26, any depth, any hallway:

    #############
    #...........#
    ###B#C#B#D###
      #A#D#C#A#
      #########

Exit status: 0 solved, 1 no solution, 2 bad input or usage, 3 stopped before the answer was proved."
    )]
    struct Args {
        /// The drawing; `-` reads standard input. Default: the public example
        file: Option<PathBuf>,

        /// The burrow as drawn, unfolded by two more rows, or both. Default: both for four rooms, else 1
        #[arg(long)]
        part: Option<Part>,

        /// The form of the problem. Default: reduced, or literal with --rules
        #[arg(long)]
        form: Option<Form>,

        /// Moves allowed in addition to the rules of the puzzle, separated by commas; in the literal form
        #[arg(long, value_delimiter = ',', value_name = "RULE")]
        rules: Vec<Rule>,

        /// The engine: dijkstra, astar, idastar, branch-and-bound, breadth-first, anytime, beam or rectangle, which find
        /// the least energy; weighted:W or focal:W, which find at most W times the least; beam:N, which keeps N
        /// arrangements of each layer
        #[arg(long, default_value = "astar")]
        engine: Engine,

        /// Runs every engine that finds the least energy and prints a table
        #[arg(long, conflicts_with = "engine")]
        compare: bool,

        /// Counts the ways of the least energy: by astar or dijkstra, in the reduced form sequences of decisions
        #[arg(long, conflicts_with_all = ["compare", "replay", "stats", "certificate"])]
        all: bool,

        /// Prints the energies of the K best ways in their order: by astar or dijkstra
        #[arg(long, value_name = "K", value_parser = program::clap::value_parser!(u64).range(1..))]
        #[arg(conflicts_with_all = ["all", "compare", "replay", "stats", "certificate"])]
        best: Option<u64>,

        /// Shows each arrangement with the energy so far; on a terminal as an animation (space pauses, arrows
        /// step, q quits)
        #[arg(long, conflicts_with = "quiet")]
        replay: bool,

        /// Prints the statistics of the searches
        #[arg(long, conflicts_with = "quiet")]
        stats: bool,

        /// Prints only the answers, one a line
        #[arg(long, short)]
        quiet: bool,

        /// Stops each search after this time, as in 0.05. Default: 20 with --compare, else no limit
        #[arg(long, value_name = "SECONDS")]
        time: Option<Duration>,

        /// Stops each search when it uses this much memory
        #[arg(long, value_name = "MB", value_parser = megabytes)]
        memory: Option<usize>,

        /// Writes what the search proved, for the example `check`: of one part, by astar or dijkstra
        #[arg(long, value_name = "FILE", conflicts_with_all = ["compare", "rules"])]
        certificate: Option<PathBuf>,
    }
}

program::choices! {
    /// One of several.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Part {
        One = "1",
        Two = "2",
        Both = "both",
    }
}

program::choices! {
    /// One of several.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Rule {
        /// amphipods may stop above rooms
        StopAtDoors = "stop-at-doors",
        /// amphipods in the hallway may move to another place of the hallway
        WalkAlongHallway = "walk-along-hallway",
        /// amphipods may enter any room, whichever kinds are in it
        RestInAnyRoom = "rest-in-any-room",
    }
}

fn main() -> ExitCode {
    let (mut out, mut err) = (program::stdout(), program::stderr());
    ExitCode::from(program::run(std::env::args_os(), &mut out, &mut err, run))
}

fn run(args: &Args, out: &mut impl Write) -> Result<Verdict, Fault> {
    // What is wrong with the files is known before anything is done.
    let files = [("the input", args.file.as_deref())];
    let [mut certificate] =
        program::open(&files, [("--certificate", args.certificate.as_deref())])?;
    let burrow = read_burrow(args)?;
    let form = match args.form {
        Some(Form::Reduced) if !args.rules.is_empty() => {
            let message = "--rules: only the literal form supports other rules; \
                           leave --form out, or write --form literal";
            return Err(Fault::Input(message.to_owned()));
        }
        Some(form) => form,
        None if args.rules.is_empty() => Form::Reduced,
        None => Form::Literal,
    };
    let rules = args.rules.iter().fold(Rules::new(), |rules, rule| match rule {
        Rule::StopAtDoors => rules.stop_at_doors(),
        Rule::WalkAlongHallway => rules.walk_along_hallway(),
        Rule::RestInAnyRoom => rules.rest_in_any_room(),
    });
    let time = args.time.or(args.compare.then_some(Duration::from_secs(20)));
    let task = Task {
        form,
        rules,
        engine: args.engine,
        time,
        memory: args.memory,
        progress: !args.quiet && io::stderr().is_terminal(),
        solutions: !args.quiet && !args.compare && args.engine.improves(),
    };

    let mut worst = Verdict::Solved;
    let parts = parts(args, burrow)?;
    if args.certificate.is_some() && (parts.len() > 1 || !certify::is_possible(args.engine)) {
        let message = "--certificate is for one part, and for engines that keep a table: give --part, and \
                       --engine astar or dijkstra";
        return Err(Fault::Input(message.to_owned()));
    }
    let asked = if args.all { Some(Asked::All) } else { args.best.map(Asked::Best) };
    if asked.is_some() && !matches!(args.engine, Engine::AStar | Engine::Dijkstra) {
        let message = "--all and --best are for --engine astar or dijkstra";
        return Err(Fault::Input(message.to_owned()));
    }
    for (part, burrow) in parts {
        if let Some(asked) = asked {
            worst = worst.max(ways::print((part, &burrow), &task, asked, args.quiet, out)?);
            continue;
        }
        let engines: Vec<_> =
            if args.compare { Engine::optimal().collect() } else { vec![args.engine] };
        let mut answers = Vec::new();
        for engine in engines {
            let answer = solve::solve(&burrow, &Task { engine, ..task }, certificate.take());
            answers.push(answer?);
        }
        worst = worst.max(verdict(&answers)?);
        print(args, out, part, &burrow, &answers)?;
    }
    Ok(worst)
}

/// The burrows to solve, each with its name.
fn parts(args: &Args, burrow: Burrow) -> Result<Vec<(&'static str, Burrow)>, Fault> {
    let part = args.part.unwrap_or(if burrow.rooms() == 4 { Part::Both } else { Part::One });
    let mut parts = Vec::new();
    if part != Part::One {
        let unfolded = burrow.unfolded();
        let unfolded = unfolded.map_err(|fault| Fault::Input(format!("--part: {fault}")))?;
        parts.push(("part 2", unfolded));
    }
    if part != Part::Two {
        parts.insert(0, ("part 1", burrow));
    }
    Ok(parts)
}

fn read_burrow(args: &Args) -> Result<Burrow, Fault> {
    let Some(file) = &args.file else { return Ok(Burrow::example()) };
    amphipod::read(file, &mut io::stdin().lock())
}

/// The common answer of all engines. Different answers are an error.
fn verdict(answers: &[Answer]) -> Result<Verdict, Fault> {
    let mut proved = answers.iter().filter(|answer| !matches!(answer.end, End::Stopped(_)));
    let Some(first) = proved.next() else { return Ok(Verdict::Stopped) };
    if proved.any(|other| other.energy != first.energy) {
        return Err(Fault::Input("the engines disagree; please report this".to_owned()));
    }
    Ok(if first.energy.is_some() { Verdict::Solved } else { Verdict::NoSolution })
}

/// Prints the answer for one part.
fn print(
    args: &Args,
    out: &mut impl Write,
    part: &str,
    burrow: &Burrow,
    answers: &[Answer],
) -> Result<(), Fault> {
    let proved = answers.iter().find(|answer| !matches!(answer.end, End::Stopped(_)));
    let Some(answer) = proved.or(answers.first()) else { return Ok(()) };
    if args.quiet {
        match (answer.end, answer.energy) {
            (End::Solved, Some(energy)) => writeln!(out, "{energy}")?,
            (End::NoSolution, _) => writeln!(out, "no solution")?,
            _ => writeln!(out, "stopped")?,
        }
        return Ok(());
    }

    let bold = Style::new().bold();
    write!(out, "{part}: ")?;
    match (answer.end, answer.energy) {
        (End::NoSolution, _) => {
            writeln!(out, "no solution: not all amphipods can reach their rooms")?;
        }
        (End::Stopped(reason), Some(energy)) => {
            let bound = answer.lower_bound;
            let factor = answer.factor.unwrap_or(f64::INFINITY);
            writeln!(
                out,
                "stopped: {reason}; energy {energy} is enough, {bound} is needed (a factor of {factor:.3})"
            )?;
        }
        (End::Stopped(reason), None) => {
            let bound = answer.lower_bound;
            writeln!(out, "stopped: {reason}; at least energy {bound} is needed")?;
        }
        (End::Solved, Some(energy)) => {
            let moves = answer.frames.len().saturating_sub(1);
            match answer.factor {
                Some(factor) if factor > 1.0 => writeln!(
                    out,
                    "energy {bold}{energy}{bold:#} in {moves} moves, at most {factor:.3} times the least"
                )?,
                _ => writeln!(out, "least energy {bold}{energy}{bold:#} in {moves} moves")?,
            }
        }
        (End::Solved, None) => writeln!(out, "solved")?,
    }
    if !args.replay {
        for line in burrow.to_string().lines() {
            writeln!(out, "    {line}")?;
        }
    }
    if answers.len() > 1 {
        table(out, answers)?;
        for answer in answers {
            if let End::Stopped(reason) = answer.end {
                let (engine, bound) = (answer.engine, answer.lower_bound);
                writeln!(out, "{engine}: {reason}; at least energy {bound} is needed")?;
            }
        }
    }
    if args.stats {
        for answer in answers {
            let engine = answer.engine;
            writeln!(out, "{engine}: {} in {:.1?}", answer.stats, answer.time)?;
        }
    }
    if args.replay && !answer.frames.is_empty() {
        out.flush()?;
        let title = format!("{part}: energy {}", answer.energy.unwrap_or_default());
        let is_shown = io::stdout().is_terminal() && animation::show(&title, &answer.frames)?;
        if !is_shown {
            for frame in &answer.frames {
                writeln!(out, "\n{frame}")?;
            }
        }
    }
    writeln!(out)?;
    Ok(())
}

fn table(out: &mut impl Write, answers: &[Answer]) -> io::Result<()> {
    let underline = Style::new().underline();
    write!(out, "{underline}{:<17}", "engine")?;
    for title in ["energy", "expanded", "generated", "stored", "time"] {
        write!(out, " {title:>12}")?;
    }
    writeln!(out, "{underline:#}")?;
    for answer in answers {
        let energy = match (answer.end, answer.energy) {
            (End::Stopped(_), Some(energy)) => format!("≤ {energy}"),
            (End::Stopped(_), None) => "stopped".to_owned(),
            (_, Some(energy)) => energy.to_string(),
            (_, None) => "no solution".to_owned(),
        };
        writeln!(
            out,
            "{:<17} {energy:>12} {:>12} {:>12} {:>12} {:>12}",
            answer.engine,
            thousands(answer.stats.expanded),
            thousands(answer.stats.generated),
            thousands(answer.stats.stored),
            format!("{:.2?}", answer.time),
        )?;
    }
    Ok(())
}
