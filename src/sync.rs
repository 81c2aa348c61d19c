//! What threads share and how they wait: the standard library's. The models in `loom/` compile the same source files with
//! loom's in their place.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
pub(crate) use std::thread::{panicking, yield_now};

/// So often it is looked whether there is work before other threads may run: some twenty microseconds.
pub(crate) const SPINS: u32 = 1 << 12;

/// So often other threads may run before the thread sleeps.
pub(crate) const YIELDS: u32 = 1 << 6;
