//! The time of a problem: expansions move its clock on, a few quickly, then a few slowly, so that the pace of the last ones says
//! nothing of the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bestfirst::clock::Clock;

/// This many expansions take no time, and then as many take a millisecond each.
const PACE: u64 = 6;

#[derive(Debug, Default)]
pub struct Time {
    expansions: AtomicU64,
    /// When the time is up, and how many expansions began before that.
    deadline: AtomicU64,
    begun: AtomicU64,
}

/// The milliseconds that `expansions` expansions take.
fn after(expansions: u64) -> u64 {
    expansions / (2 * PACE) * PACE + (expansions % (2 * PACE)).saturating_sub(PACE)
}

impl Time {
    /// A state is expanded.
    pub fn expand(&self) {
        let before = self.expansions.fetch_add(1, Ordering::Relaxed);
        let is_in_time = after(before) < self.deadline.load(Ordering::Relaxed);
        self.begun.fetch_add(u64::from(is_in_time), Ordering::Relaxed);
    }

    pub fn clock(self: &Arc<Self>) -> Clock {
        let time = Arc::clone(self);
        Clock::new(move || Duration::from_millis(after(time.expansions.load(Ordering::Relaxed))))
    }

    /// From now on expansions are counted, for `most` milliseconds.
    pub fn begin(&self, most: Option<u64>) {
        let now = after(self.expansions.load(Ordering::Relaxed));
        self.deadline.store(most.map_or(u64::MAX, |most| now + most), Ordering::Relaxed);
        self.begun.store(0, Ordering::Relaxed);
    }

    /// How many expansions began in that time.
    pub fn in_time(&self) -> u64 {
        self.begun.load(Ordering::Relaxed)
    }
}
