//! Shows a solution in the terminal, one arrangement after the other.

use std::io::{self, Write};
use std::time::Duration;

use bestfirst::problems::amphipod::Frame;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::style::{Attribute, Color, Print, ResetColor, SetAttribute, SetForegroundColor};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};

/// How long each arrangement is shown.
const FRAME_TIME: Duration = Duration::from_millis(700);

/// Restores the terminal when it is dropped.
struct Screen;

impl Screen {
    /// `None` if there is no terminal to read keys from.
    fn enter() -> io::Result<Option<Self>> {
        if enable_raw_mode().is_err() {
            return Ok(None);
        }
        let screen = Self;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(Some(screen))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // An error here cannot be reported anywhere.
        let _ = execute!(io::stdout(), cursor::Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// Shows the frames: space pauses, the arrows step, q quits. Keys are read from the terminal, also if standard input is
/// a file. Returns false if there is no terminal to read from: nothing is shown then.
pub fn show(title: &str, frames: &[Frame]) -> io::Result<bool> {
    let Some(_screen) = Screen::enter()? else { return Ok(false) };
    let last = frames.len().saturating_sub(1);
    let mut now = 0;
    let mut playing = true;
    loop {
        let Some(frame) = frames.get(now) else { return Ok(true) };
        draw(title, frame, now, last, playing)?;
        if playing && !poll(FRAME_TIME)? {
            now = (now + 1).min(last);
            playing = now < last;
            continue;
        }
        let Event::Key(key) = read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(true),
            KeyCode::Char('q') | KeyCode::Esc => return Ok(true),
            KeyCode::Char(' ') if now == last => (now, playing) = (0, true),
            KeyCode::Char(' ') => playing = !playing,
            KeyCode::Right | KeyCode::Down => (now, playing) = ((now + 1).min(last), false),
            KeyCode::Left | KeyCode::Up => (now, playing) = (now.saturating_sub(1), false),
            KeyCode::Home => (now, playing) = (0, false),
            KeyCode::End => (now, playing) = (last, false),
            _ => {}
        }
    }
}

fn draw(title: &str, frame: &Frame, now: usize, last: usize, playing: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    queue!(out, Clear(ClearType::All), cursor::MoveTo(0, 0))?;
    queue!(out, SetAttribute(Attribute::Bold), Print(title), SetAttribute(Attribute::Reset))?;
    queue!(out, cursor::MoveTo(0, 2))?;
    let mover = frame.moved.map(|moved| moved.kind.letter());
    for (y, line) in (2..).zip(frame.burrow.to_string().lines()) {
        queue!(out, cursor::MoveTo(0, y))?;
        for c in line.chars() {
            let colour = match c {
                '#' => Color::DarkGrey,
                '.' => Color::Grey,
                kind => colour(kind),
            };
            let weight = if Some(c) == mover { Attribute::Bold } else { Attribute::Reset };
            queue!(out, SetAttribute(weight), SetForegroundColor(colour), Print(c))?;
        }
    }
    queue!(out, SetAttribute(Attribute::Reset), ResetColor)?;
    let below = u16::try_from(frame.burrow.depth()).unwrap_or(u16::MAX).saturating_add(6);
    let caption = frame.moved.map_or_else(|| "start".to_owned(), |moved| moved.to_string());
    let state = if playing { "playing" } else { "paused " };
    queue!(
        out,
        cursor::MoveTo(0, below),
        Print(format!("{now}/{last}  {caption}")),
        cursor::MoveTo(0, below + 1),
        Print(format!("energy so far: {}", frame.energy)),
        cursor::MoveTo(0, below + 3),
        Print(format!("{state}  space: pause or play   arrows: step   q: quit")),
    )?;
    out.flush()
}

fn colour(kind: char) -> Color {
    const COLOURS: [Color; 6] =
        [Color::Yellow, Color::Green, Color::Cyan, Color::Magenta, Color::Red, Color::Blue];
    COLOURS[(u32::from(kind) as usize).wrapping_sub(usize::from(b'A')) % COLOURS.len()]
}
