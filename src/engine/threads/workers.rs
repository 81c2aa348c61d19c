//! [`Workers`]: threads that work on a few items at a time, many times a second.

use crate::sync::{
    AtomicBool, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering, PoisonError, SPINS, YIELDS,
    fence, panicking, spin_loop, yield_now,
};

/// What threads share that work on a list of items in rounds: each takes the next item that is left.
///
/// One thread calls [`run_round`](Self::run_round), which returns when all items are done; the others are in
/// [`run_helper`](Self::run_helper). Between two rounds a helper spins for a few microseconds, then yields, and then blocks.
pub(super) struct Workers<T> {
    slots: Vec<Slot<T>>,
    /// The number of the next item that is left.
    next: AtomicUsize,
    /// How many items were taken and put back.
    done: AtomicUsize,
    is_over: AtomicBool,
    /// The number of helpers that are blocked, or are about to block.
    blocked: AtomicUsize,
    blocking: Mutex<()>,
    /// Notified when there is work, and at the end.
    changed: Condvar,
    /// The number of polls for work before a thread yields.
    spins: u32,
}

/// The place of an item during a round.
type Slot<T> = Mutex<Option<Box<T>>>;

/// No one panics while it is locked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Send> Workers<T> {
    /// Shares `items` items. With more threads than processors, helpers do not spin.
    pub(super) fn new(items: usize, is_crowded: bool) -> Self {
        Self {
            slots: (0..items).map(|_| Mutex::new(None)).collect(),
            next: AtomicUsize::new(items),
            done: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            blocked: AtomicUsize::new(0),
            blocking: Mutex::new(()),
            changed: Condvar::new(),
            spins: if is_crowded { 0 } else { SPINS },
        }
    }

    /// Has all threads work on the items; returns when all are done. After a panic of `work`, on whichever thread,
    /// the items are all back. False if `work` has panicked on another thread, so that not all may be done.
    pub(super) fn run_round(&self, items: &mut Vec<Box<T>>, mut work: impl FnMut(&mut T)) -> bool {
        for (slot, item) in self.slots.iter().zip(items.drain(..)) {
            *lock(slot) = Some(item);
        }
        self.done.swap(0, Ordering::Relaxed);
        let collected = Collect { workers: self, items };
        self.next.swap(0, Ordering::AcqRel);
        // Either this thread sees the helper that is about to block, or that helper sees the work.
        fence(Ordering::SeqCst);
        if self.blocked.load(Ordering::Relaxed) > 0 {
            drop(lock(&self.blocking));
            self.changed.notify_all();
        }
        let mut is_left = true;
        while is_left && !self.is_over.load(Ordering::Relaxed) {
            is_left = self.work_on_next(&mut work);
        }
        drop(collected);
        !self.is_over.load(Ordering::Acquire)
    }

    /// Works on the items of every round, until the [end](Self::end).
    pub(super) fn run_helper(&self, mut work: impl FnMut(&mut T)) {
        let mut waited = 0;
        while !self.is_over.load(Ordering::Relaxed) {
            if self.work_on_next(&mut work) {
                waited = 0;
            } else if waited < self.spins {
                spin_loop();
                waited += 1;
            } else if waited < self.spins + YIELDS {
                yield_now();
                waited += 1;
            } else {
                self.block();
                waited = 0;
            }
        }
    }

    /// Ends the work of the helpers.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        drop(lock(&self.blocking));
        self.changed.notify_all();
    }

    /// Waits until there is work, or for the end.
    fn block(&self) {
        let mut guard = lock(&self.blocking);
        self.blocked.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        while self.next.load(Ordering::Acquire) >= self.slots.len()
            && !self.is_over.load(Ordering::Acquire)
        {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.blocked.fetch_sub(1, Ordering::Relaxed);
    }

    /// Works on the next item; false if none is left.
    fn work_on_next(&self, work: &mut impl FnMut(&mut T)) -> bool {
        if self.next.load(Ordering::Relaxed) >= self.slots.len() {
            return false;
        }
        let number = self.next.fetch_add(1, Ordering::AcqRel);
        let Some(slot) = self.slots.get(number) else { return false };
        let item = lock(slot).take();
        let mut taken = Taken { workers: self, slot, item };
        if let Some(item) = &mut taken.item {
            work(item);
        }
        true
    }
}

/// Ends the work of the helpers when it is dropped, also by a panic.
pub(super) struct End<'w, T: Send>(pub(super) &'w Workers<T>);

impl<T: Send> Drop for End<'_, T> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// An item that is worked on. It is put back when that is done, or has panicked.
struct Taken<'w, T> {
    workers: &'w Workers<T>,
    slot: &'w Slot<T>,
    item: Option<Box<T>>,
}

impl<T> Drop for Taken<'_, T> {
    fn drop(&mut self) {
        if panicking() {
            // The others take no more.
            self.workers.is_over.store(true, Ordering::Release);
        }
        *lock(self.slot) = self.item.take();
        self.workers.done.fetch_add(1, Ordering::Release);
    }
}

/// Waits until no item is worked on, and collects all.
struct Collect<'w, T> {
    workers: &'w Workers<T>,
    items: &'w mut Vec<Box<T>>,
}

impl<T> Drop for Collect<'_, T> {
    fn drop(&mut self) {
        let Workers { slots, next, done, spins, .. } = self.workers;
        // After a panic, no thread takes what is left.
        let taken = next.swap(slots.len(), Ordering::AcqRel).min(slots.len());
        let mut waited = 0;
        while done.load(Ordering::Acquire) < taken {
            if waited < *spins {
                spin_loop();
                waited += 1;
            } else {
                yield_now();
            }
        }
        self.items.extend(slots.iter().filter_map(|slot| lock(slot).take()));
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    use super::*;

    /// Works on the items in `rounds` rounds with `threads` threads.
    #[expect(clippy::vec_box, reason = "as the items of a search, which are large")]
    fn work(threads: usize, rounds: u32, work: impl Fn(&mut u32) + Sync) -> Vec<Box<u32>> {
        let mut items: Vec<_> = (0..16).map(Box::new).collect();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let workers = Workers::new(items.len(), true);
            thread::scope(|scope| {
                let _end = End(&workers);
                for _ in 1..threads {
                    scope.spawn(|| workers.run_helper(&work));
                }
                for round in 0..rounds {
                    if round % 100 == 99 {
                        thread::sleep(std::time::Duration::from_millis(1));
                    }
                    workers.run_round(&mut items, &work);
                    assert!(items.iter().map(|item| **item % 100).eq(0..16), "all, in their order");
                }
            });
        }));
        drop(outcome);
        items
    }

    #[test]
    fn every_item_is_worked_on_once_in_each_round() {
        for threads in [1, 2, 5] {
            let items = work(threads, 1000, |item| *item += 100);
            assert!(items.iter().map(|item| **item).eq((0..16).map(|item| item + 100_000)));
        }
    }

    #[test]
    fn after_a_panic_all_items_are_back() {
        for threads in [1, 2, 5] {
            let items = work(threads, 50, |item| {
                *item += 100;
                assert!(*item != 3007, "as planned");
            });
            assert!(items.iter().map(|item| **item % 100).eq(0..16));
            assert!(items.iter().all(|item| **item < 3100));
        }
    }
}
