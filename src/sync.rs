//! The atomic types, locks and waits that threads use: those of the standard library. The models in `loom/` compile the same
//! source files with those of loom.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
pub(crate) use std::thread::{panicking, yield_now};

/// The number of polls for work before a thread yields: about twenty microseconds.
pub(crate) const SPINS: u32 = 1 << 12;

/// The number of yields before the thread blocks.
pub(crate) const YIELDS: u32 = 1 << 6;
