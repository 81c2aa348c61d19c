//! [`Pool`]: the threads of a search, for everything that uses several.

use crate::debug::show_fields;
use std::sync::Arc;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// More threads are not started, whatever is asked for.
const MOST_THREADS: usize = 1024;

/// How many threads that is: 0 stands for the number of processors.
pub(crate) fn thread_count(asked: usize) -> usize {
    if asked == 0 { processors() } else { asked }.min(MOST_THREADS)
}

/// The number of processors that the program may use.
pub(crate) fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Starts `threads` threads; `None` if the system does not give them.
pub(crate) fn start(threads: usize) -> Option<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(threads.max(1)).build().ok()
}

/// The calling thread and others, which are started when they are needed first.
pub(crate) struct Pool {
    count: usize,
    others: Option<Arc<ThreadPool>>,
    /// Whether the system has no threads to give.
    is_refused: bool,
}

impl Pool {
    /// For `asked` threads, the calling one included: see [`thread_count`].
    pub(crate) fn new(asked: usize) -> Self {
        Self { count: thread_count(asked), others: None, is_refused: false }
    }

    /// The number of threads, if the system gives them.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether the calling thread works alone: one is all that was asked for, or the system has no others.
    pub(crate) fn is_alone(&self) -> bool {
        self.count == 1 || self.is_refused
    }

    /// The other threads, which are started if they were not. `None` if the calling thread works alone.
    pub(crate) fn others(&mut self) -> Option<Arc<ThreadPool>> {
        if self.others.is_none() && !self.is_alone() {
            self.others = start(self.count - 1).map(Arc::new);
            self.is_refused = self.others.is_none();
        }
        self.others.clone()
    }

    /// Asks the system again next time, if it had no threads.
    pub(crate) fn ask_again(&mut self) {
        self.is_refused = false;
    }
}

impl Clone for Pool {
    /// Threads of its own.
    fn clone(&self) -> Self {
        Self::new(self.count)
    }
}

show_fields! { [] Pool, "Pool" { count } }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_stands_for_the_processors_and_there_is_a_most() {
        assert_eq!((thread_count(0), thread_count(7)), (processors().min(MOST_THREADS), 7));
        assert_eq!(Pool::new(1_000_000).count(), MOST_THREADS);
    }

    #[test]
    fn one_thread_has_no_others() {
        let mut one = Pool::new(1);
        assert!(one.is_alone() && one.others().is_none());
        let mut three = Pool::new(3);
        assert!(!three.is_alone());
        let others = three.others().map(|pool| pool.current_num_threads());
        assert_eq!(others, Some(2));
        assert_eq!(three.clone().count(), 3);
    }
}
