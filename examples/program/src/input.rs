//! Reading files, and pointing at what is wrong in them.

use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::Fault;

/// The name of a file in messages; `-` is the standard input.
#[must_use]
pub fn name(file: &Path) -> String {
    if is_standard(file) { "standard input".to_owned() } else { file.display().to_string() }
}

/// Whether that names the standard input.
pub(super) fn is_standard(file: &Path) -> bool {
    file == Path::new("-")
}

/// What is read where a file is named: the file, or `input` where it is `-`.
///
/// # Errors
///
/// [`Fault::Input`] if the file cannot be opened.
pub fn source<'a>(file: &Path, input: &'a mut impl Read) -> Result<Box<dyn Read + 'a>, Fault> {
    if is_standard(file) {
        return Ok(Box::new(input));
    }
    let opened = File::open(file).map_err(|fault| unreadable(file, &fault))?;
    Ok(Box::new(opened))
}

fn unreadable(file: &Path, fault: &io::Error) -> Fault {
    Fault::Input(format!("{}: {fault}", name(file)))
}

/// The text of a file, or of `input` where the file is `-`, without a byte order mark. Invalid UTF-8 becomes a
/// character that no input has, so that a parser reports it with its position.
///
/// # Errors
///
/// [`Fault::Input`] if it cannot be read.
pub fn read(file: &Path, input: &mut impl Read) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    let read = source(file, input)?.read_to_end(&mut bytes);
    read.map_err(|fault| unreadable(file, &fault))?;
    Ok(without_mark(&String::from_utf8_lossy(&bytes)).to_owned())
}

/// What is in a file, read by `parse`. A fault is shown with its line if `place` knows where it is.
///
/// # Errors
///
/// [`Fault::Input`] if it cannot be read, or by what `parse` returns.
pub fn parse<T, E: fmt::Display>(
    file: &Path,
    input: &mut impl Read,
    parse: impl FnOnce(&str) -> Result<T, E>,
    place: impl FnOnce(&E) -> Option<(usize, usize)>,
) -> Result<T, Fault> {
    let text = read(file, input)?;
    parse(&text).map_err(|fault| match place(&fault) {
        Some(place) => explain(&name(file), &text, &fault, place),
        None => Fault::Input(format!("{}: {fault}", name(file))),
    })
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

/// The text of a file without the byte order mark that some editors put before it.
#[must_use]
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}
