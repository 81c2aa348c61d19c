//! A fuse: the code of the user panics when it has been called a given number of times. Each thread of the test has one of its
//! own, which burns down on whatever threads its searches have.

use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};

static FUSES: [AtomicI64; 256] = [const { AtomicI64::new(0) }; 256];

/// The fuse of this thread.
pub fn of_this_thread() -> u8 {
    static NEXT: AtomicU8 = AtomicU8::new(0);
    thread_local! {
        static OWN: Cell<Option<u8>> = const { Cell::new(None) };
    }
    let own = OWN.get().unwrap_or_else(|| NEXT.fetch_add(1, Ordering::Relaxed));
    OWN.set(Some(own));
    own
}

/// Sets the fuse of this thread: the call with that number panics. 0 puts it out. Returns what was left of it.
pub fn set(calls: i64) -> i64 {
    FUSES[usize::from(of_this_thread())].swap(calls, Ordering::Relaxed)
}

pub fn burn(fuse: u8) {
    let left = &FUSES[usize::from(fuse)];
    if left.load(Ordering::Relaxed) > 0 {
        assert!(left.fetch_sub(1, Ordering::Relaxed) != 1, "as planned");
    }
}
