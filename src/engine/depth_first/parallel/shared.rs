//! What all threads of a search see.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::split_tree::SplitTree;
use crate::engine::depth_first::Expander;
use crate::engine::depth_first::stack::Stack;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::SearchProblem;

/// What all threads see.
pub(super) struct Shared<'s, P: SearchProblem, W: Expander<P>> {
    pub(super) problem: &'s P,
    pub(super) tree: Mutex<&'s mut SplitTree<P, W>>,
    /// Where both are locked, this one is locked after the tree.
    pub(super) memory: Mutex<&'s mut Memory>,
    /// How many expansions are left.
    pub(super) expansions: AtomicU64,
    /// The leftmost subtree in which a goal or an error was found.
    pub(super) first_end: AtomicUsize,
    /// Whether all threads are to stop.
    pub(super) halt: AtomicBool,
    pub(super) is_out_of_memory: AtomicBool,
}

impl<P: SearchProblem, W: Expander<P>> Shared<'_, P, W> {
    /// Has all threads stop.
    pub(super) fn halt(&self) {
        self.halt.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    /// Has all threads stop because there is no memory.
    pub(super) fn run_out_of_memory(&self) {
        self.is_out_of_memory.store(true, Ordering::Relaxed);
        self.halt();
    }

    pub(super) fn make_room(&self, stack: &mut Stack<P, W>) -> Result<(), OutOfMemory> {
        let filler = stack.above(0).first().map(|entry| entry.state.clone());
        // If another thread has panicked, nothing that is done now matters.
        let mut memory = self.memory.lock().map_err(|_| OutOfMemory)?;
        stack.make_room(0, filler.as_ref(), &mut memory)
    }

    /// Takes at most `most` of the expansions that are left.
    pub(super) fn take_expansions(&self, most: u64) -> u64 {
        let mut taken = 0;
        // It never fails, because the closure always returns a number.
        let _ = self.expansions.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            taken = left.min(most);
            Some(left - taken)
        });
        taken
    }

    /// Returns expansions that were taken and not made.
    pub(super) fn return_expansions(&self, count: u64) {
        self.expansions.fetch_add(count, Ordering::Relaxed);
    }
}

/// Has the other threads stop if this thread panics.
pub(super) struct HaltOnPanic<'s>(pub(super) &'s AtomicBool);

impl Drop for HaltOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
