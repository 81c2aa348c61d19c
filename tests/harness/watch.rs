//! The watchdog: a run that does not end is cancelled, and if it does not end then either, the process ends with the
//! name of the engine, the seed and the limits.

use std::cell::RefCell;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bestfirst::CancelToken;

use crate::stop::Stop;

/// A run of a small problem takes microseconds. After this time it is cancelled.
const PATIENCE: Duration = Duration::from_secs(15);

/// Which run it is.
#[derive(Clone, Debug)]
pub struct Label {
    pub engine: &'static str,
    pub test: &'static str,
    pub seed: u64,
}

#[derive(Debug)]
struct Running {
    label: Label,
    stop: Stop,
    began: Instant,
    token: Option<CancelToken>,
    is_cancelled: bool,
}

type Slot = Arc<Mutex<Option<Running>>>;

static SLOTS: Mutex<Vec<Slot>> = Mutex::new(Vec::new());
static RUNS: AtomicU64 = AtomicU64::new(0);

/// How many runs there were.
pub fn runs() -> u64 {
    RUNS.load(Ordering::Relaxed)
}

/// Runs it under the eye of the watchdog, which cancels it by the token.
pub fn watched<T>(
    label: &Label,
    stop: Stop,
    token: Option<&CancelToken>,
    run: impl FnOnce() -> T,
) -> T {
    /// The run has ended, by a panic perhaps.
    struct End(Slot);
    impl Drop for End {
        fn drop(&mut self) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
    thread_local! {
        static OWN: RefCell<Option<Slot>> = const { RefCell::new(None) };
    }
    let slot = OWN.with_borrow_mut(|own| own.get_or_insert_with(new_slot).clone());
    let (label, token) = (label.clone(), token.cloned());
    let running = Running { label, stop, began: Instant::now(), token, is_cancelled: false };
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(running);
    RUNS.fetch_add(1, Ordering::Relaxed);
    let _end = End(slot);
    run()
}

fn new_slot() -> Slot {
    static WATCHDOG: Once = Once::new();
    WATCHDOG.call_once(|| {
        thread::spawn(|| {
            loop {
                thread::sleep(Duration::from_millis(200));
                for slot in SLOTS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                    look_at(slot);
                }
            }
        });
    });
    let slot = Slot::default();
    SLOTS.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&slot));
    slot
}

fn look_at(slot: &Slot) {
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(running) = slot.as_mut() else { return };
    let took = running.began.elapsed();
    if took > PATIENCE
        && let Some(token) = &running.token
    {
        token.cancel();
        running.is_cancelled = true;
    }
    if took > 2 * PATIENCE {
        let after =
            if running.is_cancelled { "though it was cancelled" } else { "without a token" };
        let Label { engine, test, seed } = running.label;
        say(&format!(
            "{test}: {engine}, seed {seed}: a run does not end, {after}: {:?}",
            running.stop
        ));
        std::process::exit(101);
    }
}

/// Writes a line past the capture of the tests.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
