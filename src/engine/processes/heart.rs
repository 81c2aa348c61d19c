//! [`Heart`]: what sends a heartbeat to every other process, and looks whether all come further.

use std::any::Any;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::link::Shared;
use super::wire::Wire;

/// A process sends something at least this often.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(1);

/// Sends the heartbeats of one link.
pub(super) struct Pulse<W>(pub(super) Arc<Shared<W>>);

impl<W: Wire> Pulse<W> {
    /// To be called in each [`HEARTBEAT`] once.
    pub(super) fn beat(&self) {
        self.0.beat();
    }
}

/// Lets the links send heartbeats until it is dropped.
pub(super) struct Heart {
    threads: Vec<thread::JoinHandle<()>>,
    is_stopped: Arc<AtomicBool>,
    /// What else is dropped with it.
    _guard: Option<Box<dyn Any + Send>>,
}

impl Heart {
    /// Threads that send heartbeats: one for each link, as a process that reads nothing makes whoever sends to it wait.
    ///
    /// # Errors
    ///
    /// A thread cannot be started.
    pub(super) fn start<W: Wire>(pulses: Vec<Pulse<W>>) -> io::Result<Self> {
        let mut heart = Self::none(None);
        for pulse in pulses {
            let stop = Arc::clone(&heart.is_stopped);
            let beat = move || {
                while !stop.load(Ordering::Acquire) {
                    pulse.beat();
                    thread::park_timeout(HEARTBEAT);
                }
            };
            let name = "bestfirst:heartbeat".to_owned();
            heart.threads.push(thread::Builder::new().name(name).spawn(beat)?);
        }
        Ok(heart)
    }

    /// No threads: somebody else sends the heartbeats until the guard is dropped.
    pub(super) fn none(guard: Option<Box<dyn Any + Send>>) -> Self {
        Self { threads: Vec::new(), is_stopped: Arc::default(), _guard: guard }
    }
}

impl Drop for Heart {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Release);
        self.threads.iter().for_each(|thread| thread.thread().unpark());
        for thread in self.threads.drain(..) {
            // It does not panic.
            let _ = thread.join();
        }
    }
}
