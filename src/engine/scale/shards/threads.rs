//! [`Threads`]: how many threads there are, and which rounds are worth them.

use std::thread::available_parallelism;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::rounds::SHARDS;

/// The threads of a search.
pub(super) struct Threads {
    count: usize,
    processors: usize,
    /// The other threads, from when they are needed first.
    pool: Option<ThreadPool>,
    /// Whether the system has no threads to give.
    is_alone: bool,
    /// How long the last round took, or would have taken one thread.
    work: Duration,
}

/// A round that takes longer is worth other threads.
const LONG: Duration = Duration::from_micros(20);

impl Threads {
    /// So many threads; 0 stands for the number of processors. There is nothing to do for more than there are shards.
    pub(super) fn new(count: usize) -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        let count = if count == 0 { processors } else { count }.min(SHARDS as usize);
        Self { count, processors, pool: None, is_alone: count == 1, work: Duration::ZERO }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Whether there are more threads than processors.
    pub(super) fn are_crowded(&self) -> bool {
        self.count > self.processors
    }

    /// Whether the next round is worth other threads: it will take as long as the last one.
    pub(super) fn are_worth_it(&self) -> bool {
        !self.is_alone && self.work > LONG
    }

    /// Takes note of how long a round took, with all threads or with one.
    pub(super) fn took(&mut self, time: Duration, with_all: bool) {
        let threads = if with_all { self.count } else { 1 };
        self.work = time.saturating_mul(u32::try_from(threads).unwrap_or(1));
    }

    /// The other threads, which are started if they were not. `None` if there are none to be had.
    pub(super) fn take_pool(&mut self) -> Option<ThreadPool> {
        let started = || ThreadPoolBuilder::new().num_threads(self.count - 1).build().ok();
        let pool = self.pool.take().or_else(started);
        self.is_alone = pool.is_none();
        pool
    }

    /// Keeps them for later.
    pub(super) fn put_back(&mut self, pool: Option<ThreadPool>) {
        self.pool = pool;
    }
}
