//! Checks a certificate that `amphipod` or `crucible` has written: that what it claims is proved by what is in
//! it, without a search.
//!
//! ```text
//! cargo run --release --example amphipod -- burrow.txt --part 2 --certificate burrow.cert
//! cargo run --release --example check -- amphipod burrow.txt burrow.cert --part 2
//! cargo run --release --example crucible -- map.txt --min 4 --max 10 --certificate map.cert
//! cargo run --release --example check -- crucible map.txt map.cert --min 4 --max 10
//! ```

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use amphipod::{BurrowProblem, Form, Visitor, with_smallest};
use bestfirst::certificate::{self, CheckError, Claim, Proved};
use bestfirst::problems::amphipod::{Burrow, Rules};
use bestfirst::problems::crucible::{Bound, Crucible, HeatMap};
use bestfirst::{Encode, SearchProblem};
use clap::{Parser, ValueEnum};

/// Checks a certificate that `amphipod` or `crucible` has written.
#[derive(Parser)]
#[command(
    name = "check",
    after_help = "\
The options must be those that the certificate was written with.

Exit status: 0 proved, 1 not proved, 2 bad input or usage."
)]
struct Args {
    /// The program that has written it
    problem: Problem,

    /// The drawing of the burrow, or the grid of digits
    input: PathBuf,

    /// The certificate
    certificate: PathBuf,

    /// Of a burrow: as drawn, or unfolded by two more rows
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    part: u8,

    /// Of a burrow: the form of the problem
    #[arg(long, value_enum, default_value = "reduced")]
    form: Form,

    /// Of a crucible: the minimum number of blocks straight on
    #[arg(long, value_name = "N", default_value_t = 1)]
    min: u32,

    /// Of a crucible: the maximum number of blocks straight on
    #[arg(long, value_name = "N", default_value_t = 3)]
    max: u32,

    /// Of a crucible: the heuristic
    #[arg(long, value_enum, default_value = "without-turns")]
    heuristic: Heuristic,

    /// Prints only the bound, or `no solution`
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Problem {
    Amphipod,
    Crucible,
}

#[derive(Clone, Copy, ValueEnum)]
enum Heuristic {
    Manhattan,
    WithoutTurns,
    NextRun,
}

/// Why nothing is proved.
enum Fault {
    Input(String),
    NotProved(String),
}

fn main() -> ExitCode {
    let (status, message) = match run(&Args::parse()) {
        Ok(proved) => {
            println!("{proved}");
            return ExitCode::SUCCESS;
        }
        Err(Fault::NotProved(message)) => (1, format!("not proved: {message}")),
        Err(Fault::Input(message)) => (2, message),
    };
    eprintln!("check: {message}");
    ExitCode::from(status)
}

fn run(args: &Args) -> Result<String, Fault> {
    let name = args.input.display();
    let text = fs::read(&args.input).map_err(|fault| Fault::Input(format!("{name}: {fault}")))?;
    let text = String::from_utf8_lossy(&text);
    match args.problem {
        Problem::Amphipod => {
            let burrow = Burrow::parse(&text);
            check_burrow(args, &burrow.map_err(|fault| Fault::Input(format!("{name}: {fault}")))?)
        }
        Problem::Crucible => {
            let map = text.parse::<HeatMap>();
            let map = map.map_err(|fault| Fault::Input(format!("{name}: {fault}")))?;
            let crucible = Crucible::new(&map, args.min..=args.max)
                .map_err(|fault| Fault::Input(format!("--min and --max: {fault}")))?
                .bound(match args.heuristic {
                    Heuristic::Manhattan => Bound::Manhattan,
                    Heuristic::WithoutTurns => Bound::WithoutTurns,
                    Heuristic::NextRun => Bound::NextRun,
                });
            check(args, &crucible, (crucible.start(), 0))
        }
    }
}

/// Checks the certificate of a burrow.
fn check_burrow(args: &Args, burrow: &Burrow) -> Result<String, Fault> {
    let unfolded;
    let mut burrow = burrow;
    if args.part == 2 {
        unfolded = burrow.unfolded().map_err(|fault| Fault::Input(format!("--part: {fault}")))?;
        burrow = &unfolded;
    }
    with_smallest(burrow, args.form, Rules::new(), Checker(args))
        .map_err(|fault| Fault::Input(fault.to_string()))?
}

/// Checks the certificate for the problem of a burrow.
struct Checker<'a>(&'a Args);

impl Visitor for Checker<'_> {
    type Output = Result<String, Fault>;

    fn visit<P: BurrowProblem>(self, problem: &P) -> Self::Output {
        check(self.0, problem, problem.start())
    }
}

fn check<P: SearchProblem<State: Encode, Cost: Encode + std::fmt::Display>>(
    args: &Args,
    problem: &P,
    start: (P::State, P::Cost),
) -> Result<String, Fault> {
    let name = Path::display(&args.certificate);
    let file = File::open(&args.certificate);
    let file = file.map_err(|fault| Fault::Input(format!("{name}: {fault}")))?;
    let proved = certificate::check(problem, [start], file);
    let proved: Proved<P::Cost> = proved
        .map_err(|fault: CheckError<P::Cost>| Fault::NotProved(format!("{name}: {fault}")))?;
    Ok(match proved.claim {
        _ if !args.quiet => proved.to_string(),
        Claim::AtLeast(bound) => bound.to_string(),
        Claim::Unsolvable => "no solution".to_owned(),
    })
}
