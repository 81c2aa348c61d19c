//! [`Crew`]: threads that work on many short pieces, one after the other.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::yield_now;
use std::time::Duration;

use crate::clock::Stopwatch;
use crate::pool::Pool;

/// The calling thread and others, which stay awake for a moment when they have nothing to do.
#[derive(Clone, Debug)]
pub(super) struct Crew {
    pool: Pool,
    /// How often there was something to do.
    calls: Arc<AtomicUsize>,
}

/// A thread that has nothing to do sleeps after so much time: to wake it takes a fifth of it.
const AWAKE: Duration = Duration::from_micros(100);

impl Crew {
    pub(super) fn new(count: usize) -> Self {
        Self { pool: Pool::new(count), calls: Arc::default() }
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        if self.pool.is_alone() { 1 } else { self.pool.count() }
    }

    /// Does something for all items, each with its number: all threads take one after the other. Where there is more to do
    /// soon, the other threads do not sleep in between.
    pub(super) fn each<T: Send>(&mut self, items: &mut [T], act: impl Fn(usize, &mut T) + Sync) {
        let helpers = self.pool.count().min(items.len()).saturating_sub(1);
        let others = if helpers > 0 { self.pool.others() } else { None };
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
}

/// Waits without sleeping, but not for long.
fn wait_while(waits: impl Fn() -> bool) {
    let began = Stopwatch::start();
    while waits() && began.elapsed() < AWAKE {
        yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_items_are_met_once_by_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let mut crew = Crew::new(threads);
            for len in [0, 1, 2, 3, 50, 2, 50] {
                let mut items = vec![0; len];
                crew.each(&mut items, |number, item| *item += number + 1);
                assert!(items.iter().copied().eq(1..=len));
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_threads_go_on() {
        let mut crew = Crew::new(3);
        for _ in 0..20 {
            let mut items = [0; 40];
            let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                crew.each(&mut items, |number, _| assert_ne!(number, 17, "as it must"));
            }));
            assert!(panicked.is_err());
            crew.each(&mut items, |_, item| *item += 1);
            assert_eq!(items, [1; 40]);
        }
    }
}
