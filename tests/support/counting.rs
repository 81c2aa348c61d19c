//! An allocator that counts what each thread holds, and fails when it is told to.
#![allow(dead_code, reason = "each test that takes this module in uses a part of it")]
#![expect(unsafe_code, reason = "an allocator is unsafe to implement; it forwards to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static CALLS: Cell<u64> = const { Cell::new(0) };
    /// Counts down with every allocation; the one that finds 1 fails. 0: none fails.
    static FAILS: Cell<u64> = const { Cell::new(0) };
    static FAILED: Cell<u64> = const { Cell::new(0) };
}

/// The bytes that this thread has allocated and not given back.
pub fn held() -> isize {
    HELD.get()
}

/// The most that it held since [`forget_peak`].
pub fn peak() -> isize {
    PEAK.get()
}

pub fn forget_peak() {
    PEAK.set(HELD.get());
}

/// How often it has allocated or grown.
pub fn calls() -> u64 {
    CALLS.get()
}

/// The `nth` allocation from now on fails; with 0, none does. Returns what was left of the last count.
pub fn fail_at(nth: u64) -> u64 {
    FAILS.replace(nth)
}

/// How many allocations were made to fail.
pub fn failed() -> u64 {
    FAILED.get()
}

fn may_grow(bytes: isize) -> bool {
    if bytes <= 0 {
        return true;
    }
    CALLS.set(CALLS.get() + 1);
    let left = FAILS.get();
    FAILS.set(left.saturating_sub(1));
    if left == 1 {
        FAILED.set(FAILED.get() + 1);
    }
    left != 1
}

fn note(bytes: isize) {
    HELD.set(HELD.get() + bytes);
    PEAK.set(PEAK.get().max(HELD.get()));
}

// SAFETY: every call is forwarded to the system's allocator as it came, or refused by a null pointer,
// which the trait allows.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let bytes = layout.size().cast_signed();
        if !may_grow(bytes) {
            return std::ptr::null_mut();
        }
        let memory = unsafe { System.alloc(layout) };
        if !memory.is_null() {
            note(bytes);
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) };
        note(-(layout.size().cast_signed()));
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (new, old) = (size.cast_signed(), layout.size().cast_signed());
        if !may_grow(new - old) {
            return std::ptr::null_mut();
        }
        let moved = unsafe { System.realloc(memory, layout, size) };
        if !moved.is_null() {
            // As if the block were always copied: then both are held for a moment.
            note(new);
            note(-old);
        }
        moved
    }
}
