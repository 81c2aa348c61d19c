//! What all threads of a search see.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::split_tree::SplitTree;
use crate::cost::smaller;
use crate::engine::depth_first::Expander;
use crate::engine::depth_first::deepening::below;
use crate::engine::depth_first::stack::Stack;
use crate::memory::{Memory, OutOfMemory};
use crate::path::{Path, PathOf};
use crate::problem::SearchProblem;

/// What all threads see.
pub(super) struct Shared<'s, P: SearchProblem, W: Expander<P>> {
    pub(super) problem: &'s P,
    /// Where a goal does not end the iteration: what the threads have found.
    pub(super) best: Option<Mutex<&'s mut Best<P>>>,
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

/// The best solution found by any thread.
pub(super) struct Best<P: SearchProblem> {
    /// The bound: below the cost of the solution.
    pub(super) bound: P::Cost,
    pub(super) path: Option<PathOf<P>>,
    pub(super) cost: Option<P::Cost>,
}

impl<P: SearchProblem> Best<P> {
    pub(super) fn new(bound: P::Cost) -> Self {
        Self { bound, path: None, cost: None }
    }

    /// Keeps `path` if it is the best so far.
    fn improve(&mut self, path: Option<PathOf<P>>) {
        let cost = path.as_ref().map(Path::cost);
        if let Some(cost) = cost
            && self.cost.is_none_or(|best| cost < best)
        {
            (self.path, self.cost) = (path, Some(cost));
            if let Some(below) = below(cost) {
                self.bound = smaller(self.bound, below);
            }
        }
    }
}

impl<P: SearchProblem, W: Expander<P>> Shared<'_, P, W> {
    /// Keeps a solution, if a goal does not end the iteration.
    pub(super) fn improve(&self, path: Option<PathOf<P>>) {
        // If another thread has panicked, nothing that is done now matters.
        if let Some(Ok(mut best)) = self.best.as_ref().map(Mutex::lock) {
            best.improve(path);
        }
    }

    /// The bound as lowered by what the threads have found.
    pub(super) fn lowered(&self, bound: P::Cost) -> P::Cost {
        match self.best.as_ref().map(Mutex::lock) {
            Some(Ok(best)) => smaller(bound, best.bound),
            _ => bound,
        }
    }

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
pub(in crate::engine) struct HaltOnPanic<'s>(pub(in crate::engine) &'s AtomicBool);

impl Drop for HaltOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
