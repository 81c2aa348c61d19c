//! Checks a certificate that `amphipod` or `crucible` has written: that what it claims is proved by what is in
//! it, without a search.
//!
//! ```text
//! cargo run --release --example amphipod -- burrow.txt --part 2 --certificate burrow.cert
//! cargo run --release -p check -- amphipod burrow.txt burrow.cert --part 2
//! cargo run --release --example crucible -- map.txt --min 4 --max 10 --certificate map.cert
//! cargo run --release -p check -- crucible map.txt map.cert --min 4 --max 10
//! ```

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use amphipod::{BurrowProblem, Form, Visitor, with_smallest};
use bestfirst::certificate::{self, CertificateFault as Wrong, CheckError, Claim, Proved};
use bestfirst::problems::ParseError;
use bestfirst::problems::amphipod::{Burrow, Energy, Rules};
use bestfirst::problems::crucible::{Crucible, HeatMap, LossBound};
use bestfirst::{Encode, ScalableCost, SearchProblem};
use program::{Fault, Verdict};

program::arguments! {
    /// Checks a certificate that `amphipod` or `crucible` has written.
    #[command(
        name = "check",
        after_help = "\
The options must be those that the certificate was written with. One of the files may be -, the standard input.

Exit status: 0 proved, 1 not proved, 2 bad input or usage."
    )]
    struct Args {
        /// The program that has written it
        problem: Problem,

        /// The drawing of the burrow, or the grid of digits
        input: PathBuf,

        /// The certificate
        certificate: PathBuf,

        /// Of a burrow: as drawn, or unfolded by two more rows. Default: 1
        #[arg(long, value_parser = program::clap::value_parser!(u8).range(1..=2))]
        part: Option<u8>,

        /// Of a burrow: the form of the problem. Default: reduced
        #[arg(long)]
        form: Option<Form>,

        /// Of a crucible: the minimum number of blocks straight on. Default: 1
        #[arg(long, value_name = "N")]
        min: Option<u32>,

        /// Of a crucible: the maximum number of blocks straight on. Default: 3
        #[arg(long, value_name = "N")]
        max: Option<u32>,

        /// Of a crucible: the heuristic. Default: without-turns
        #[arg(long)]
        heuristic: Option<Heuristic>,

        /// Prints only the bound, or `no solution`
        #[arg(long, short)]
        quiet: bool,
    }
}

program::choices! {
    /// One of several.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Problem {
        Amphipod = "amphipod",
        Crucible = "crucible",
    }
}

program::choices! {
    /// One of several.
    #[derive(Clone, Copy)]
    enum Heuristic {
        Manhattan = "manhattan",
        WithoutTurns = "without-turns",
        NextRun = "next-run",
    }
}

fn main() -> ExitCode {
    let (mut out, mut err) = (program::stdout(), program::stderr());
    ExitCode::from(program::run(std::env::args_os(), &mut out, &mut err, run))
}

fn run(args: &Args, out: &mut impl Write) -> Result<Verdict, Fault> {
    args.check_usage()?;
    let mut input = io::stdin();
    let proved = match args.problem {
        Problem::Amphipod => check_burrow(args, &amphipod::read(&args.input, &mut input)?)?,
        Problem::Crucible => {
            let map = program::parse(&args.input, &mut input, str::parse, ParseError::position)?;
            check_crucible(args, &map)?
        }
    };
    writeln!(out, "{proved}")?;
    Ok(Verdict::Solved)
}

impl Args {
    /// Refuses options that are for the other problem.
    fn check_usage(&self) -> Result<(), Fault> {
        let wrong = match self.problem {
            Problem::Amphipod => [
                ("--min", self.min.is_some()),
                ("--max", self.max.is_some()),
                ("--heuristic", self.heuristic.is_some()),
            ]
            .to_vec(),
            Problem::Crucible => {
                vec![("--part", self.part.is_some()), ("--form", self.form.is_some())]
            }
        };
        if let Some((option, _)) = wrong.iter().find(|(_, is_given)| *is_given) {
            let (this, other) = match self.problem {
                Problem::Amphipod => ("amphipod", "crucible"),
                Problem::Crucible => ("crucible", "amphipod"),
            };
            return Err(Fault::Input(format!("{option} is for {other}, not for {this}")));
        }
        let read =
            [("the input", Some(&*self.input)), ("the certificate", Some(&*self.certificate))];
        program::open(&read, []).map(|[]| ())
    }
}

/// Checks the certificate of a crucible.
fn check_crucible(args: &Args, map: &HeatMap) -> Result<String, Fault> {
    let range = args.min.unwrap_or(1)..=args.max.unwrap_or(3);
    let crucible = Crucible::new(map, range)
        .map_err(|fault| Fault::Input(format!("--min and --max: {fault}")))?
        .bound(match args.heuristic {
            Some(Heuristic::Manhattan) => LossBound::Manhattan,
            None | Some(Heuristic::WithoutTurns) => LossBound::WithoutTurns,
            Some(Heuristic::NextRun) => LossBound::NextRun,
        });
    check(args, &crucible, (crucible.start(), 0))
}

/// Checks the certificate of a burrow.
fn check_burrow(args: &Args, burrow: &Burrow) -> Result<String, Fault> {
    let unfolded;
    let mut burrow = burrow;
    if args.part == Some(2) {
        unfolded = burrow.unfolded().map_err(|fault| Fault::Input(format!("--part: {fault}")))?;
        burrow = &unfolded;
    }
    let form = args.form.unwrap_or(Form::Reduced);
    with_smallest(burrow, form, Rules::new(), Checker(args))
        .map_err(|fault| Fault::input(&fault))?
}

/// Checks the certificate for the problem of a burrow.
struct Checker<'a>(&'a Args);

impl Visitor for Checker<'_> {
    type Output = Result<String, Fault>;

    fn visit<const N: usize, C: Energy + Encode + ScalableCost>(
        self,
        problem: &BurrowProblem<N, C>,
    ) -> Self::Output {
        check(self.0, problem, problem.start())
    }
}

fn check<P: SearchProblem<State: Encode, Cost: Encode + std::fmt::Display>>(
    args: &Args,
    problem: &P,
    start: (P::State, P::Cost),
) -> Result<String, Fault> {
    let name = program::name(&args.certificate);
    let mut input = io::stdin();
    let file = program::source(&args.certificate, &mut input)?;
    let proved = certificate::check(problem, [start], file);
    let proved: Proved<P::Cost> = proved.map_err(|fault: CheckError<P::Cost>| {
        let message = format!("{name}: {fault}");
        match fault.fault {
            Wrong::Read(_) => Fault::Input(message),
            _ => Fault::NotProved(message),
        }
    })?;
    Ok(match proved.claim {
        _ if !args.quiet => proved.to_string(),
        Claim::AtLeast(bound) => bound.to_string(),
        Claim::Unsolvable => "no solution".to_owned(),
    })
}
