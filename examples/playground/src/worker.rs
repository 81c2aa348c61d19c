//! What the page without a server calls: a question in JSON goes into the memory of the module, and the text of its recording
//! comes out of it, piece by piece.
#![expect(unsafe_code, reason = "names for the page, and functions of it")]

use std::cell::RefCell;
use std::io::{self, Write};
use std::panic;
use std::time::Duration;

use bestfirst::clock::Clock;

use crate::recording::ALLOWANCE;
use crate::task::Task;

/// Pieces have this many bytes, or a line more.
const PIECE: usize = 1 << 15;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// The milliseconds since some moment.
    safe fn now() -> f64;
    /// Takes lines of the recording.
    safe fn write(text: *const u8, length: usize);
    /// Takes what is wrong with the question, in JSON.
    safe fn refuse(text: *const u8, length: usize);
    /// Takes the message of a panic; the trap follows.
    safe fn panicked(text: *const u8, length: usize);
}

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a question of this many bytes, and returns where it is to be written.
#[unsafe(no_mangle)]
extern "C" fn question(length: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(length, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question.
#[unsafe(no_mangle)]
extern "C" fn search() {
    panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        panicked(text.as_ptr(), text.len());
    }));
    let question = QUESTION.take();
    match Task::read(&question) {
        Ok(task) => {
            let clock = Clock::new(|| Duration::from_secs_f64(now() / 1e3));
            // The page takes all that is written.
            let _ = task.record(ALLOWANCE, clock, &mut Lines::default());
        }
        Err(fault) => {
            let text = fault.to_json().to_string();
            refuse(text.as_ptr(), text.len());
        }
    }
}

/// Sends whole lines, so that a trap leaves none that is cut off.
#[derive(Default)]
struct Lines(Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        if self.0.len() >= PIECE && self.0.ends_with(b"\n") {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.0.is_empty() {
            write(self.0.as_ptr(), self.0.len());
            self.0.clear();
        }
        Ok(())
    }
}
