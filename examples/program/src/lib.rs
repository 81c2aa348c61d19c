//! What the programs have in common: arguments, files, errors, exit statuses, and numbers as text.

mod input;
mod output;

use std::collections::TryReserveError;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use clap::error::Result as Parsed;
use clap::{Arg, Parser};

pub use input::{explain, name, parse, read, source, without_mark};
pub use output::{Named, Output, open};

/// How a program ended that found no fault: its exit status, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// All that was asked for is found.
    Solved = 0,
    /// It is proved that something asked for does not exist.
    NoSolution = 1,
    /// A search was stopped before its answer was proved.
    Stopped = 3,
}

/// The exit status after a [`Fault`].
const FAULT: u8 = 2;

/// Why there is no answer.
#[derive(Debug)]
pub enum Fault {
    /// The output cannot be written.
    Output(io::Error),
    /// What the user can correct: arguments, files, or limits that are too small.
    Input(String),
    /// A limit was reached before there was anything to print.
    Stopped(String),
    /// What was to be checked does not prove what it claims.
    NotProved(String),
}

impl Fault {
    /// What the user can correct.
    #[must_use]
    pub fn input(fault: &dyn fmt::Display) -> Self {
        Self::Input(fault.to_string())
    }
}

impl From<io::Error> for Fault {
    fn from(fault: io::Error) -> Self {
        Self::Output(fault)
    }
}

impl From<TryReserveError> for Fault {
    fn from(_: TryReserveError) -> Self {
        let message = "the map is too large to be drawn in the available memory; leave --plot out or \
                       raise the memory limit";
        Self::Input(message.to_owned())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(fault) => write!(f, "cannot write the output: {fault}"),
            Self::Input(message) | Self::Stopped(message) => f.write_str(message),
            Self::NotProved(message) => write!(f, "not proved: {message}"),
        }
    }
}

/// Reads the arguments, runs the program, and returns its exit status. Faults are written to `err`, after the name of
/// the program.
pub fn run<A: Parser, W: Write>(
    args: impl IntoIterator<Item = OsString>,
    out: &mut W,
    err: &mut impl Write,
    program: impl FnOnce(&A, &mut W) -> Result<Verdict, Fault>,
) -> u8 {
    let args = match arguments::<A>(args) {
        Ok(args) => args,
        Err(fault) => {
            let text = fault.render();
            // An error here cannot be reported anywhere.
            let _ = if fault.use_stderr() {
                write!(err, "{}", text.ansi())
            } else {
                write!(out, "{}", text.ansi())
            };
            return u8::try_from(fault.exit_code()).unwrap_or(FAULT);
        }
    };
    let ended = program(&args, out).and_then(|verdict| {
        out.flush()?;
        Ok(verdict)
    });
    match ended {
        Ok(verdict) => verdict as u8,
        // The reader of the output has closed it.
        Err(Fault::Output(fault)) if fault.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(fault) => {
            let _ = writeln!(err, "{}: {fault}", A::command().get_name());
            match fault {
                Fault::NotProved(_) => Verdict::NoSolution as u8,
                Fault::Stopped(_) => Verdict::Stopped as u8,
                Fault::Output(_) | Fault::Input(_) => FAULT,
            }
        }
    }
}

/// Reads the arguments. A negative number is a value, of which the option itself says whether it may be one.
fn arguments<A: Parser>(args: impl IntoIterator<Item = OsString>) -> Parsed<A> {
    let negative = |arg: Arg| {
        let takes_values = arg.get_action().takes_values();
        if takes_values { arg.allow_negative_numbers(true) } else { arg }
    };
    let mut command = A::command().mut_args(negative);
    let mut matches = command.try_get_matches_from_mut(args)?;
    A::from_arg_matches_mut(&mut matches).map_err(|fault| fault.format(&mut command))
}

/// A time on the command line.
///
/// # Errors
///
/// What would be right.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds =
        text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "write it as a number of seconds, as in 0.05".to_owned())
}

/// A number of megabytes on the command line, in bytes.
///
/// # Errors
///
/// What would be right.
pub fn megabytes(text: &str) -> Result<usize, String> {
    let megabytes = text.parse::<usize>().ok().and_then(|megabytes| megabytes.checked_mul(1 << 20));
    megabytes.ok_or_else(|| "write it as a whole number of megabytes, as in 500".to_owned())
}

/// A number with a comma after every three digits, as in 12,345.
#[must_use]
pub fn thousands(number: impl fmt::Display) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Parser, Debug)]
    #[command(name = "some")]
    struct Words {
        number: Option<u32>,
        #[arg(long, value_parser = seconds)]
        time: Option<Duration>,
        #[arg(short)]
        quiet: bool,
    }

    fn ended(
        words: &[&str],
        program: impl FnOnce(&Words) -> Result<Verdict, Fault>,
    ) -> (u8, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let words = ["some"].iter().chain(words).map(OsString::from);
        let status = run(words, &mut out, &mut err, |some: &Words, _| program(some));
        (status, String::from_utf8([out, err].concat()).unwrap())
    }

    #[test]
    fn negative_numbers_are_refused_by_the_option_itself() {
        let (status, says) = ended(&["--time", "-1"], |_| Ok(Verdict::Solved));
        assert!(status == 2 && says.contains("write it as a number of seconds"), "{says}");
        let (status, says) = ended(&["-4"], |_| Ok(Verdict::Solved));
        assert!(status == 2 && says.contains("-4 is not in 0..=4294967295"), "{says}");
        let (status, says) = ended(&["-q", "3"], |some| {
            assert!(some.quiet && some.number == Some(3) && some.time.is_none());
            Ok(Verdict::Stopped)
        });
        assert_eq!((status, says.as_str()), (3, ""));
    }

    #[test]
    fn every_fault_has_its_status() {
        let fault = |fault| ended(&[], |_| Err(fault));
        let text = |text: &str| text.to_owned();
        assert_eq!(fault(Fault::Input(text("x"))), (2, text("some: x\n")));
        assert_eq!(fault(Fault::Stopped(text("x"))), (3, text("some: x\n")));
        assert_eq!(fault(Fault::NotProved(text("x"))), (1, text("some: not proved: x\n")));
        let full = Fault::Output(io::ErrorKind::StorageFull.into());
        assert_eq!(fault(full).0, 2);
        assert_eq!(fault(Fault::Output(io::ErrorKind::BrokenPipe.into())), (0, String::new()));
    }
}
