//! What the programs have in common: arguments, errors, exit statuses, and numbers as text.

use std::collections::TryReserveError;
use std::ffi::OsString;
use std::fmt::{self, Write as _};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use clap::Parser;

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
    let args = match A::try_parse_from(args) {
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
            if matches!(fault, Fault::Stopped(_)) { Verdict::Stopped as u8 } else { FAULT }
        }
    }
}

/// The name of a file in messages; `-` is the standard input.
#[must_use]
pub fn name(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() }
}

/// The text of a file, or of `input` where the file is `-`, without a byte order mark. Invalid UTF-8 becomes a character that no input has, so
/// that a parser reports it with its position.
///
/// # Errors
///
/// [`Fault::Input`] if it cannot be read.
pub fn read(file: &Path, input: &mut impl Read) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        input.read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let bytes = read.map_err(|fault| Fault::Input(format!("{}: {fault}", name(file))))?;
    Ok(without_mark(&String::from_utf8_lossy(&bytes)).to_owned())
}

/// A fault in the text of a file, and below it the line with a mark at the position, both counted from 1.
#[must_use]
pub fn explain(
    name: &str,
    text: &str,
    fault: &dyn fmt::Display,
    (line, column): (usize, usize),
) -> Fault {
    const WIDTH: usize = 60;
    let mut message = format!("{name}: {fault}");
    if let Some(source) = text.lines().nth(line.saturating_sub(1)) {
        // Only the part of a long line around the position.
        let skipped = if column <= WIDTH { 0 } else { column - WIDTH / 2 };
        let shown: String = source.chars().skip(skipped).take(WIDTH).collect();
        let shown = shown.replace(char::is_control, " ");
        let _ = write!(message, "\n\n    {shown}\n    {:>1$}", '^', column - skipped);
    }
    Fault::Input(message)
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

/// The text of a file without the byte order mark that some editors put before it.
#[must_use]
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
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
