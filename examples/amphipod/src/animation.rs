//! Shows a solution in the terminal, one arrangement after the other.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bestfirst::problems::amphipod::Frame;

/// How long each arrangement is shown, in tenths of a second: as `stty` has it.
const FRAME_TENTHS: u64 = 7;

/// The terminal, whose keys are read one by one, and not shown. Restored when it is dropped.
struct Screen {
    terminal: File,
    /// As it was before, in the words of `stty`.
    before: String,
}

impl Screen {
    /// `None` if there is no terminal to read keys from, or no program `stty`, as on Windows.
    fn enter() -> io::Result<Option<Self>> {
        let Ok(terminal) = File::open("/dev/tty") else { return Ok(None) };
        let Some(before) = stty(&terminal, &["-g"]) else { return Ok(None) };
        let screen = Self { terminal, before: before.trim().to_owned() };
        // A read ends with nothing when no key was pressed for so long.
        let wait = FRAME_TENTHS.to_string();
        if stty(&screen.terminal, &["raw", "-echo", "min", "0", "time", &wait]).is_none() {
            return Ok(None);
        }
        // Another screen, without a cursor.
        io::stdout().write_all(b"\x1b[?1049h\x1b[?25l")?;
        Ok(Some(screen))
    }

    /// The next key, or `None` if none was pressed while an arrangement is shown.
    fn key(&mut self) -> io::Result<Option<Key>> {
        let mut bytes = [0; 16];
        let began = Instant::now();
        let read = self.terminal.read(&mut bytes)?;
        if read == 0 && began.elapsed() < Duration::from_millis(FRAME_TENTHS * 50) {
            // There is no terminal any more.
            return Ok(Some(Key::Quit));
        }
        Ok(Key::of(&bytes[..read]))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // An error here cannot be reported anywhere.
        let _ = io::stdout().write_all(b"\x1b[?25h\x1b[?1049l").and_then(|()| io::stdout().flush());
        let _ = stty(&self.terminal, &[&self.before]);
    }
}

/// Has the program of that name change the terminal; what it prints.
fn stty(terminal: &File, words: &[&str]) -> Option<String> {
    let mut command = Command::new("stty");
    command.args(words).stdin(terminal.try_clone().ok()?).stderr(Stdio::null());
    let output = command.output().ok()?;
    output.status.success().then_some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What a key asks for.
#[derive(Clone, Copy)]
enum Key {
    Quit,
    PlayOrPause,
    Next,
    Previous,
    First,
    Last,
    Other,
}

impl Key {
    /// The key that a terminal sends as these bytes: the last of several.
    fn of(bytes: &[u8]) -> Option<Self> {
        Some(match bytes {
            [] => return None,
            // Control and C, as nobody else listens to it now.
            [.., b'q' | 3] | [0x1B] => Self::Quit,
            [.., b' '] => Self::PlayOrPause,
            [.., 0x1B, b'[' | b'O', last] => match last {
                b'B' | b'C' => Self::Next,
                b'A' | b'D' => Self::Previous,
                b'H' => Self::First,
                b'F' => Self::Last,
                _ => Self::Other,
            },
            [.., 0x1B, b'[', b'1' | b'7', b'~'] => Self::First,
            [.., 0x1B, b'[', b'4' | b'8', b'~'] => Self::Last,
            _ => Self::Other,
        })
    }
}

/// Shows the frames: space pauses, the arrows step, q quits. Keys are read from the terminal, also if standard input is
/// a file. Returns false if there is no terminal to read from: nothing is shown then.
pub fn show(title: &str, frames: &[Frame]) -> io::Result<bool> {
    let Some(mut screen) = Screen::enter()? else { return Ok(false) };
    let last = frames.len().saturating_sub(1);
    let mut now = 0;
    let mut playing = true;
    loop {
        let Some(frame) = frames.get(now) else { return Ok(true) };
        let text = drawing(title, frame, (now, last), playing);
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        match screen.key()? {
            None if playing => {
                now = (now + 1).min(last);
                playing = now < last;
            }
            None | Some(Key::Other) => {}
            Some(Key::Quit) => return Ok(true),
            Some(Key::PlayOrPause) if now == last => (now, playing) = (0, true),
            Some(Key::PlayOrPause) => playing = !playing,
            Some(Key::Next) => (now, playing) = ((now + 1).min(last), false),
            Some(Key::Previous) => (now, playing) = (now.saturating_sub(1), false),
            Some(Key::First) => (now, playing) = (0, false),
            Some(Key::Last) => (now, playing) = (last, false),
        }
    }
}

/// The whole screen, from its upper left corner on. In this mode a new line needs a carriage return.
fn drawing(title: &str, frame: &Frame, (now, last): (usize, usize), playing: bool) -> String {
    let mut text = format!("\x1b[2J\x1b[H\x1b[1m{title}\x1b[0m\r\n\r\n");
    let mover = frame.moved.map(|moved| moved.kind.letter());
    for line in frame.burrow.to_string().lines() {
        for c in line.chars() {
            let colour = match c {
                '#' => 8,
                '.' => 7,
                kind => colour(kind),
            };
            let weight = if Some(c) == mover { "1" } else { "0" };
            // A String takes everything.
            let _ = write!(text, "\x1b[{weight};38;5;{colour}m{c}");
        }
        text.push_str("\x1b[0m\r\n");
    }
    let caption = frame.moved.map_or_else(|| "start".to_owned(), |moved| moved.to_string());
    let state = if playing { "playing" } else { "paused " };
    let _ = write!(
        text,
        "\r\n{now}/{last}  {caption}\r\nenergy so far: {}\r\n\r\n\
         {state}  space: pause or play   arrows: step   q: quit",
        frame.energy
    );
    text
}

/// The number of a colour: yellow, green, cyan, magenta, red, blue.
fn colour(kind: char) -> u8 {
    const COLOURS: [u8; 6] = [11, 10, 14, 13, 9, 12];
    COLOURS[(u32::from(kind) as usize).wrapping_sub(usize::from(b'A')) % COLOURS.len()]
}
