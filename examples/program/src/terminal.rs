//! The terminal: styles only where they are shown, and a line of progress.

use std::io::{self, IsTerminal, Stderr, StdoutLock, Write};
use std::time::{Duration, Instant};

/// An output that leaves out styles, and all other control sequences, where they would not be understood.
#[derive(Debug)]
pub struct Styled<W> {
    to: W,
    is_plain: bool,
    state: State,
}

/// What was written last: text, the byte before a control sequence, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Text,
    Escape,
    Sequence,
}

impl<W> Styled<W> {
    /// An output without styles.
    pub fn plain(to: W) -> Self {
        Self { to, is_plain: true, state: State::Text }
    }

    /// What is below.
    pub fn into_inner(self) -> W {
        self.to
    }
}

/// The standard output.
#[must_use]
pub fn stdout() -> Styled<StdoutLock<'static>> {
    let to = io::stdout();
    Styled { is_plain: !shows_styles(&to), to: to.lock(), state: State::Text }
}

/// The standard error.
#[must_use]
pub fn stderr() -> Styled<Stderr> {
    let to = io::stderr();
    Styled { is_plain: !shows_styles(&to), to, state: State::Text }
}

/// Whether that is a terminal, and nobody has asked for no colours. (On Windows only new terminals show styles.)
fn shows_styles(to: &impl IsTerminal) -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let is_able = if cfg!(windows) {
        set("WT_SESSION").is_some() || set("TERM").is_some()
    } else {
        set("TERM").is_none_or(|term| term != "dumb")
    };
    is_able && set("NO_COLOR").is_none() && to.is_terminal()
}

impl<W: Write> Write for Styled<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_plain {
            return self.to.write(bytes);
        }
        let mut begin = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            let next = match (self.state, byte) {
                (State::Text, 0x1B) => State::Escape,
                (State::Escape, b'[') => State::Sequence,
                (State::Text | State::Escape, _) | (State::Sequence, 0x40..=0x7E) => State::Text,
                (State::Sequence, _) => State::Sequence,
            };
            if next == State::Escape {
                self.to.write_all(&bytes[begin..at])?;
            }
            if self.state != State::Text {
                begin = at + 1;
            }
            self.state = next;
        }
        if self.state == State::Text {
            self.to.write_all(&bytes[begin..])?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// So long after the last change, a line of progress changes again.
const INTERVAL: Duration = Duration::from_millis(100);

/// A line at the bottom of the terminal that changes, on standard error. It is removed when it is dropped.
#[derive(Debug)]
pub struct ProgressLine {
    changed: Option<Instant>,
    turns: usize,
    is_shown: bool,
}

impl ProgressLine {
    /// A line that is shown only if standard error is a terminal.
    #[must_use]
    pub fn new() -> Self {
        Self { changed: None, turns: 0, is_shown: shows_styles(&io::stderr()) }
    }

    /// Shows a text, unless it has just changed.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        const TURNS: [char; 4] = ['-', '\\', '|', '/'];
        let is_new = self.changed.is_none_or(|changed| changed.elapsed() >= INTERVAL);
        if self.is_shown && is_new {
            self.changed = Some(Instant::now());
            self.turns += 1;
            let turn = TURNS[self.turns % TURNS.len()];
            // What does not fit into the line is not to begin another.
            let _ = write!(io::stderr(), "\r\x1b[?7l{turn} {}\x1b[K\x1b[?7h", text());
        }
    }

    /// Writes a line that stays, above this one.
    pub fn print(&mut self, line: &str) {
        self.clear();
        // An error here cannot be reported anywhere.
        let _ = writeln!(stderr(), "{line}");
    }

    /// Removes the line until it is shown again.
    pub fn clear(&mut self) {
        if self.changed.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// A bar that is filled up to this part of its length, and the part in percent.
#[must_use]
pub fn bar(done: u64, all: u64) -> String {
    const LENGTH: usize = 40;
    let percent = u128::from(done.min(all)) * 100 / u128::from(all.max(1));
    let full = usize::try_from(percent).map_or(0, |percent| LENGTH * percent / 100);
    format!("{}{} {percent:>3} %", "█".repeat(full), "░".repeat(LENGTH - full))
}

impl Default for ProgressLine {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_left_out_wherever_the_text_is_cut() {
        let text = "one \x1b[1mtwo\x1b[0m, \x1b[4mthree\x1b[0m\x1b[38;5;196m!\x1b[0m ü\n";
        for size in 1..text.len() {
            let mut out = Styled::plain(Vec::new());
            for piece in text.as_bytes().chunks(size) {
                out.write_all(piece).unwrap();
            }
            assert_eq!(
                String::from_utf8(out.into_inner()).unwrap(),
                "one two, three! ü\n",
                "{size}"
            );
        }
        let mut out = Styled { is_plain: false, ..Styled::plain(Vec::new()) };
        out.write_all(text.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(out.into_inner()).unwrap(), text);
    }
}
