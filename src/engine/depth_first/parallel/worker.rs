//! A worker: searches subtrees on one thread.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::NO_SUBTREE;
use super::shared::{HaltOnPanic, Shared};
use crate::clock::Moment;
use crate::cost::Cost;
use crate::engine::Run;
use crate::engine::depth_first::Expander;
use crate::engine::depth_first::bounds::Bounds;
use crate::engine::depth_first::stack::{Solution, Stack};
use crate::engine::limit_check::LimitCheck;
use crate::limits::Limits;
use crate::problem::SearchProblem;
use crate::report::{SearchError, Stats};

/// Searches subtrees on one thread.
pub(super) struct Worker<P: SearchProblem, W: Expander<P>> {
    pub(super) stack: Stack<P, W>,
    pub(super) bounds: Bounds<P::Cost>,
    /// Holds the statistics of the current subtree.
    pub(super) run: Run<P::Cost, ()>,
    /// The rank of the current subtree, or `NO_SUBTREE`.
    pub(super) subtree: usize,
    /// Why the search of the subtree has ended early.
    pub(super) stop: Option<Stop<P::Cost>>,
}

/// Why the search of a subtree has ended early.
#[derive(Clone, Copy)]
pub(super) enum Stop<C> {
    Goal,
    Error(SearchError<C>),
}

impl<P: SearchProblem, W: Expander<P>> Worker<P, W> {
    pub(super) fn new(stack: Stack<P, W>) -> Self {
        Self {
            stack,
            bounds: Bounds::new(P::Cost::ZERO),
            run: Run::new(Limits::new(), ()),
            subtree: NO_SUBTREE,
            stop: None,
        }
    }

    pub(super) fn begin_iteration(&mut self, bound: P::Cost) {
        self.stack.clear();
        self.stack.begin_iteration();
        self.bounds = Bounds::new(bound);
        self.run.stats = Stats::default();
        (self.subtree, self.stop) = (NO_SUBTREE, None);
    }

    /// Prepares a new search. Allocated memory is kept.
    pub(super) fn reset(&mut self) {
        self.stack.reset();
        self.bounds = Bounds::new(P::Cost::ZERO);
        self.run.stats = Stats::default();
        (self.subtree, self.stop) = (NO_SUBTREE, None);
    }

    /// Whether nothing is left for it to do in the subtrees up to `end`.
    pub(super) fn is_done_up_to(&self, end: usize) -> bool {
        self.subtree == NO_SUBTREE || self.subtree > end || self.stop.is_some()
    }

    /// Searches subtrees until none are left, a limit is reached, or so much time has
    /// passed since a moment.
    pub(super) fn work(
        &mut self,
        shared: &Shared<P, W>,
        limits: &mut LimitCheck<P::Cost>,
        time: Option<(Moment, Duration)>,
    ) {
        let _guard = HaltOnPanic(&shared.halt);
        while self.stop.is_none() && !shared.is_halted() {
            if self.subtree != NO_SUBTREE && self.subtree > shared.first_end.load(Ordering::Relaxed)
            {
                self.stack.clear();
            }
            if self.stack.len() == 0 && !self.next_subtree(shared) {
                return;
            }
            let Ok(allowed) = limits.check() else {
                return shared.halt();
            };
            if time.is_some_and(|time| limits.is_late(time)) {
                return;
            }
            let most = shared.take_expansions(allowed);
            if most == 0 {
                return;
            }
            let expanded = self.search(shared, most, allowed);
            if self.stop.is_some() {
                shared.first_end.fetch_min(self.subtree, Ordering::Relaxed);
            }
            shared.return_expansions(most - expanded);
        }
    }

    /// Searches the current subtree, for at most `most` expansions and `steps` other pieces of work.
    /// Returns the number of expansions.
    fn search(&mut self, shared: &Shared<P, W>, most: u64, mut steps: u64) -> u64 {
        let Self { stack, bounds, run, .. } = self;
        let before = run.stats.expanded;
        let mut left = most;
        if !stack.is_behind() {
            // Else the stack has to follow under the bound that it was searched under.
            bounds.bound = shared.lowered(bounds.bound);
        }
        while left > 0 && steps > 0 && stack.len() > 0 && self.stop.is_none() {
            if !stack.has_room() && shared.make_room(stack).is_err() {
                shared.run_out_of_memory();
                break;
            }
            self.stop = match stack.search(shared.problem, bounds, left, &mut steps, run) {
                Ok(false) => None,
                Ok(true) if shared.best.is_none() => Some(Stop::Goal),
                Ok(true) => match stack.solution(shared.problem, false) {
                    Ok(Solution { path, .. }) => {
                        shared.improve(path);
                        bounds.bound = shared.lowered(bounds.bound);
                        stack.leave_goal();
                        None
                    }
                    Err(error) => Some(Stop::Error(error)),
                },
                Err(error) => Some(Stop::Error(error)),
            };
            steps = steps.saturating_sub(1);
            left = most.saturating_sub(run.stats.expanded - before);
            if run.is_interrupted() {
                break;
            }
        }
        most - left
    }

    /// Returns the subtree that is finished to the tree, and takes the next. False if there is none.
    fn next_subtree(&mut self, shared: &Shared<P, W>) -> bool {
        let Ok(mut tree) = shared.tree.lock() else { return false };
        if self.subtree != NO_SUBTREE {
            let stats = std::mem::take(&mut self.run.stats);
            tree.finish_leaf(self.subtree, stats, self.bounds.overflow.take());
            self.subtree = NO_SUBTREE;
        }
        let Some((subtree, node)) = tree.next_leaf() else { return false };
        if subtree > shared.first_end.load(Ordering::Relaxed) {
            return false;
        }
        let Ok(mut memory) = shared.memory.lock() else { return false };
        if self.stack.load(tree.path_to(node), &mut memory).is_err() {
            self.stack.clear();
            shared.run_out_of_memory();
            return false;
        }
        tree.take_leaf();
        self.subtree = subtree;
        true
    }
}
