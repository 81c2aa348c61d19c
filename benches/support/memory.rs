//! An allocator that knows the most bytes that were held at one time.

#![expect(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

/// The system's allocator, which counts while [`peak_of`] runs. Otherwise it only checks a flag, so
/// that code with many allocations is not slowed down.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static COUNTS: AtomicBool = AtomicBool::new(false);
static HELD: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

#[inline]
fn note(bytes: usize, sign: isize) {
    if COUNTS.load(Relaxed) {
        let change = sign * bytes.cast_signed();
        let held = HELD.fetch_add(change, Relaxed) + change;
        PEAK.fetch_max(held, Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 1);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 1);
        // SAFETY: as the caller promised.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        note(layout.size(), -1);
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Only what is held at its end: large blocks are moved by the system without a copy.
        note(layout.size(), -1);
        note(size, 1);
        // SAFETY: as the caller promised.
        unsafe { System.realloc(place, layout, size) }
    }
}

/// What `work` returns, and the most bytes that it held at one time beyond what was held before.
pub fn peak_of<R>(work: impl FnOnce() -> R) -> (R, usize) {
    HELD.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    COUNTS.store(true, Relaxed);
    let result = work();
    COUNTS.store(false, Relaxed);
    (result, usize::try_from(PEAK.load(Relaxed)).unwrap_or(0))
}

/// Does `work` without counting what it allocates or frees. Nothing allocated inside may be freed
/// outside, nor the other way round.
pub fn unseen<R>(work: impl FnOnce() -> R) -> R {
    let counts = COUNTS.swap(false, Relaxed);
    let result = work();
    COUNTS.store(counts, Relaxed);
    result
}
