//! [`Pool`]: the threads of a search, for everything that uses several.

use crate::clock::Stopwatch;
use crate::debug::show_fields;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{available_parallelism, yield_now};
use std::time::Duration;

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

/// Starts so many threads; `None` if the system does not give them.
pub(crate) fn start(threads: usize) -> Option<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(threads.max(1)).build().ok()
}

/// The calling thread and others, which are started when they are needed first.
pub(crate) struct Pool {
    count: usize,
    others: Option<Arc<ThreadPool>>,
    /// Whether the system has no threads to give.
    is_refused: bool,
    /// How often there was something to do for [`each`](Self::each).
    calls: Arc<AtomicUsize>,
}

/// A thread that has nothing to do sleeps after so much time: to wake it takes a fifth of it.
const AWAKE: Duration = Duration::from_micros(100);

impl Pool {
    /// For so many threads, the calling one included: see [`thread_count`].
    pub(crate) fn new(asked: usize) -> Self {
        Self { count: thread_count(asked), others: None, is_refused: false, calls: Arc::default() }
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

    /// Does something for all items, each with its number: all threads take one after the other. Where there is more to do
    /// soon, the other threads do not sleep in between.
    pub(crate) fn each<T: Send>(&mut self, items: &mut [T], act: impl Fn(usize, &mut T) + Sync) {
        let helpers = self.count.min(items.len()).saturating_sub(1);
        let others = if helpers > 0 { self.others() } else { None };
        let items = Mutex::new(items.iter_mut().enumerate());
        let run = || {
            loop {
                let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((number, item)) = next else { return };
                act(number, item);
            }
        };
        let Some(others) = others else { return run() };
        let done = AtomicUsize::new(0);
        others.in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| {
                    run();
                    done.fetch_add(1, Ordering::Release);
                });
            }
            self.calls.fetch_add(1, Ordering::Release);
            run();
            // The others end soon, and to sleep until then takes longer.
            wait_while(|| done.load(Ordering::Acquire) < helpers);
        });
        let call = self.calls.load(Ordering::Acquire);
        for _ in 0..helpers {
            let calls = Arc::clone(&self.calls);
            others.spawn(move || wait_while(|| calls.load(Ordering::Acquire) == call));
        }
    }

    /// Asks the system again next time, if it had no threads.
    pub(crate) fn ask_again(&mut self) {
        self.is_refused = false;
    }
}

/// Waits without sleeping, but not for long.
fn wait_while(waits: impl Fn() -> bool) {
    let began = Stopwatch::start();
    while waits() && began.elapsed() < AWAKE {
        yield_now();
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

    #[test]
    fn all_items_are_met_once_by_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let mut pool = Pool::new(threads);
            for len in [0, 1, 2, 3, 50, 2, 50] {
                let mut items = vec![0; len];
                pool.each(&mut items, |number, item| *item += number + 1);
                assert!(items.iter().copied().eq(1..=len));
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_threads_go_on() {
        let mut pool = Pool::new(3);
        for _ in 0..20 {
            let mut items = [0; 40];
            let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                pool.each(&mut items, |number, _| assert_ne!(number, 17, "as it must"));
            }));
            assert!(panicked.is_err());
            pool.each(&mut items, |_, item| *item += 1);
            assert_eq!(items, [1; 40]);
        }
    }
}
