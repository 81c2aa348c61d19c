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

/// As many bytes of a text are read: a map of 16,000 by 16,000 cells.
const MOST: usize = 1 << 28;

/// The text of a file, or of `input` where the file is `-`, without a byte order mark. Invalid UTF-8 becomes a
/// character that no input has, so that a parser reports it with its position.
///
/// # Errors
///
/// [`Fault::Input`] if it cannot be read, or has more than 256 MB: no map or board is as large.
pub fn read(file: &Path, input: &mut impl Read) -> Result<String, Fault> {
    read_at_most(MOST, file, input)
}

/// The same for texts of at most `most` bytes.
fn read_at_most(most: usize, file: &Path, input: &mut impl Read) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    let source = source(file, input)?;
    let read = source.take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|fault| unreadable(file, &fault))?;
    if bytes.len() > most {
        let message = format!("{}: it is too long: at most {most} bytes are read", name(file));
        return Err(Fault::Input(message));
    }
    // A large text is not copied, but where it is wrong.
    let mut text = String::from_utf8(bytes)
        .unwrap_or_else(|fault| String::from_utf8_lossy(fault.as_bytes()).into_owned());
    text.drain(..text.len() - without_mark(&text).len());
    Ok(text)
}

/// What is in a file, read by `parse`. A fault is shown with its line; `place` says where it is.
///
/// # Errors
///
/// [`Fault::Input`] if it cannot be read, or by what `parse` returns.
pub fn parse<T, E: fmt::Display, P: Into<(usize, usize)>>(
    file: &Path,
    input: &mut impl Read,
    parse: impl FnOnce(&str) -> Result<T, E>,
    place: impl FnOnce(&E) -> P,
) -> Result<T, Fault> {
    let text = read(file, input)?;
    parse(&text).map_err(|fault| explain(&name(file), &text, &fault, place(&fault)))
}

/// A fault in the text of a file, and below it the line with a mark at the position, both counted from 1.
#[must_use]
pub fn explain(
    name: &str,
    text: &str,
    fault: &dyn fmt::Display,
    place: impl Into<(usize, usize)>,
) -> Fault {
    const WIDTH: usize = 60;
    let (line, column) = place.into();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_an_end_is_refused_by_name() {
        let file = Path::new("-");
        let says = |text: Result<String, Fault>| text.map_err(|fault| fault.to_string());
        let refused = "standard input: it is too long: at most 9 bytes are read".to_owned();
        assert_eq!(says(read_at_most(9, file, &mut io::repeat(b'x'))), Err(refused.clone()));
        assert_eq!(says(read_at_most(9, file, &mut &b"0123456789"[..])), Err(refused));
        assert_eq!(says(read_at_most(9, file, &mut &b"012345678"[..])), Ok("012345678".to_owned()));
        assert_eq!(
            says(read_at_most(9, file, &mut "\u{FEFF}abc".as_bytes())),
            Ok("abc".to_owned())
        );
        assert_eq!(says(read_at_most(9, file, &mut &b"a\xFFb"[..])), Ok("a\u{FFFD}b".to_owned()));
    }
}
