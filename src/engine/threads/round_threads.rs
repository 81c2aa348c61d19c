//! [`RoundThreads`]: how many threads there are, and which rounds are worth them.

use std::time::Duration;

use super::rounds::SHARDS;
use crate::pool::{Pool, processors, thread_count};

/// The threads of a search.
pub(super) struct RoundThreads {
    pub(super) pool: Pool,
    processors: usize,
    /// How long the last round took, or would have taken one thread.
    work: Duration,
}

/// A round that takes longer is worth other threads.
const LONG: Duration = Duration::from_micros(20);

impl RoundThreads {
    /// This many threads; 0 stands for the number of processors. There is nothing to do for more threads than shards.
    pub(super) fn new(count: usize) -> Self {
        let pool = Pool::new(thread_count(count).min(SHARDS as usize));
        Self { pool, processors: processors(), work: Duration::ZERO }
    }

    /// Whether there are more threads than processors.
    pub(super) fn are_crowded(&self) -> bool {
        self.pool.count() > self.processors
    }

    /// Whether the next round is worth other threads: it will take as long as the last one.
    pub(super) fn are_worth_it(&self) -> bool {
        !self.pool.is_alone() && self.work > LONG
    }

    /// Takes note of how long a round took, with all threads or with one.
    pub(super) fn took(&mut self, time: Duration, with_all: bool) {
        let threads = if with_all { self.pool.count() } else { 1 };
        self.work = time.saturating_mul(u32::try_from(threads).unwrap_or(1));
    }
}
