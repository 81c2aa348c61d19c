//! What the programs have in common: arguments, files, errors, exit statuses, and numbers as text.

mod arguments;
mod input;
mod output;
mod terminal;

use std::collections::TryReserveError;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use clap::error::Result as Parsed;

pub use arguments::{Arguments, Field, Value, help_of, long_of, one, take_one};
pub use clap;
pub use input::{explain, name, parse, read, source, without_mark};
pub use output::{Named, Output, open, refuse_standard};
pub use terminal::{ProgressLine, Styled, bar, stderr, stdout};

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
pub fn run<A: Arguments, W: Write>(
    args: impl IntoIterator<Item = OsString>,
    out: &mut W,
    err: &mut impl Write,
    program: impl FnOnce(&A, &mut W) -> Result<Verdict, Fault>,
) -> u8 {
    let args = match arguments::<A>(args) {
        Ok(args) => args,
        Err(fault) if fault.use_stderr() => {
            // An error here cannot be reported anywhere.
            let _ = write!(err, "{}", fault.render());
            return u8::try_from(fault.exit_code()).unwrap_or(FAULT);
        }
        // The help is an answer, too.
        Err(help) => {
            let written = write!(out, "{}", help.render()).and_then(|()| out.flush());
            return status::<A>(written.map(|()| Verdict::Solved).map_err(Fault::from), err);
        }
    };
    let ended = program(&args, out).and_then(|verdict| {
        out.flush()?;
        Ok(verdict)
    });
    status::<A>(ended, err)
}

/// The exit status of a program that has ended like this. Writes a fault to `err`.
fn status<A: Arguments>(ended: Result<Verdict, Fault>, err: &mut impl Write) -> u8 {
    match ended {
        Ok(verdict) => verdict as u8,
        // The reader of the output has closed it.
        Err(Fault::Output(fault)) if fault.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(fault) => {
            let _ = writeln!(err, "{}: {fault}", A::NAME);
            match fault {
                Fault::NotProved(_) => Verdict::NoSolution as u8,
                Fault::Stopped(_) => Verdict::Stopped as u8,
                Fault::Output(_) | Fault::Input(_) => FAULT,
            }
        }
    }
}

/// Reads the arguments. A negative number is a value, of which the option itself says whether it may be one.
fn arguments<A: Arguments>(args: impl IntoIterator<Item = OsString>) -> Parsed<A> {
    let negative = |arg: clap::Arg| {
        let takes_values = arg.get_action().takes_values();
        if takes_values { arg.allow_negative_numbers(true) } else { arg }
    };
    let mut command = A::command().mut_args(negative);
    let mut matches = command.try_get_matches_from_mut(args)?;
    A::take(&mut matches).map_err(|fault| fault.format(&mut command))
}

/// A time on the command line.
///
/// # Errors
///
/// What would be right.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|&seconds| seconds >= 0.0);
    let seconds = seconds.ok_or("write it as a number of seconds, as in 0.05")?;
    let most = Duration::MAX.as_secs();
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| format!("it is too long; at most {most} seconds can be counted"))
}

/// A number of megabytes on the command line, in bytes.
///
/// # Errors
///
/// What would be right.
pub fn megabytes(text: &str) -> Result<usize, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err("write it as a whole number of megabytes, as in 500".to_owned());
    }
    let bytes = text.parse::<usize>().ok().and_then(|megabytes| megabytes.checked_mul(1 << 20));
    bytes.ok_or_else(|| format!("it is too large; the most are {} megabytes", usize::MAX >> 20))
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

    crate::arguments! {
        /// Does
        /// something.
        #[command(name = "some", after_help = "And no more.")]
        #[derive(Debug)]
        struct Words {
            /// A number
            number: Option<u32>,
            /// Some time
            #[arg(long)]
            time: Option<Duration>,
            /// Says nothing
            #[arg(short)]
            quiet: bool,
            /// Some forms
            #[arg(long, value_delimiter = ',', requires = "number")]
            form_of: Vec<Form>,
            /// At most this many
            #[arg(long, default_value = "3")]
            most: u8,
        }
    }

    crate::choices! {
        /// A form.
        #[derive(Clone, Copy, Debug, PartialEq)]
        enum Form {
            /// not much
            Short = "short",
            QuiteLong = "quite-long",
        }
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
    fn megabytes_are_whole_and_can_be_counted_in_bytes() {
        assert_eq!(megabytes("500"), Ok(500 << 20));
        for word in ["", "-1", "1.5", "x"] {
            assert!(megabytes(word).unwrap_err().contains("a whole number of megabytes"), "{word}");
        }
        for number in [usize::MAX.to_string(), "9".repeat(30)] {
            assert!(megabytes(&number).unwrap_err().contains("it is too large"), "{number}");
        }
    }

    #[test]
    fn negative_numbers_are_refused_by_the_option_itself() {
        let (status, says) = ended(&["--time", "-1"], |_| Ok(Verdict::Solved));
        assert!(status == 2 && says.contains("write it as a number of seconds"), "{says}");
        let (status, says) = ended(&["--time", "1e30"], |_| Ok(Verdict::Solved));
        assert!(status == 2 && says.contains("at most 18446744073709551615 seconds"), "{says}");
        let (status, says) = ended(&["-4"], |_| Ok(Verdict::Solved));
        assert!(status == 2 && says.contains("-4 is not in 0..=4294967295"), "{says}");
        let (status, says) = ended(&["-q", "3"], |some| {
            assert!(some.quiet && some.number == Some(3) && some.time.is_none());
            Ok(Verdict::Stopped)
        });
        assert_eq!((status, says.as_str()), (3, ""));
    }

    #[test]
    fn fields_are_arguments() {
        let (status, says) =
            ended(&["5", "--form-of", "short,quite-long", "--time", "0.5"], |some| {
                assert_eq!(some.form_of, [Form::Short, Form::QuiteLong]);
                assert_eq!((some.most, some.time), (3, Some(Duration::from_millis(500))));
                Ok(Verdict::Solved)
            });
        assert_eq!((status, says.as_str()), (0, ""));
        let (status, says) = ended(&["--form-of", "short"], |_| Ok(Verdict::Solved));
        assert!(status == 2 && says.contains("required"), "{says}");
        let (status, says) = ended(&["1", "--form-of", "shor"], |_| Ok(Verdict::Solved));
        assert!(status == 2 && says.contains("a similar value exists: 'short'"), "{says}");
        let (status, says) = ended(&["--help"], |_| panic!("it does not run"));
        assert_eq!(status, 0);
        let parts = [
            "Does something\n",
            "Usage: some",
            "--form-of <FORM_OF>",
            "[default: 3]",
            "- short",
            "not much",
            "And no more.",
        ];
        for part in parts {
            assert!(says.contains(part), "{part}: {says}");
        }
    }

    /// A disk that is full, or a pipe that nobody reads.
    struct Broken(io::ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_help_that_cannot_be_written_is_a_fault() {
        let help = |kind| {
            let mut err = Vec::new();
            let words = ["some", "--help"].map(OsString::from);
            let status =
                run(words, &mut Broken(kind), &mut err, |_: &Words, _| Ok(Verdict::Solved));
            (status, String::from_utf8(err).unwrap())
        };
        let (status, says) = help(io::ErrorKind::StorageFull);
        assert!(status == 2 && says.starts_with("some: cannot write the output: "), "{says}");
        assert_eq!(help(io::ErrorKind::BrokenPipe), (0, String::new()));
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
