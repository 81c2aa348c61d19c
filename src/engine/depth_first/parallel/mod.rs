//! IDA* on several threads: the tree of an iteration is split near its root into subtrees, which the
//! threads search in order.
//!
//! Whichever thread searches what, the results of the subtrees are merged from left to right, up to the
//! first with a goal. So the counts are those of one thread.

mod shared;
mod split_tree;
mod worker;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::time::Duration;

use super::Expander;
use super::bounds::Bounds;
use super::stack::{Solution, Stack};
use super::strategy::{Goals, IterationOutcome, Workers, sealed};
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::Run;
use crate::engine::limit_check::LimitCheck;
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::pool::Pool;
use crate::problem::SearchProblem;
use crate::report::{SearchError, Stats};
use crate::threads::Threads;
pub(in crate::engine) use shared::HaltOnPanic;
use shared::{Best, Shared};
use split_tree::SplitTree;
use worker::{Stop, Worker};

/// This many subtrees for each thread, because some are much larger than others.
const SUBTREES_PER_THREAD: usize = 256;

/// The number of expansions between two checks of the clock, divided by this, is the least size of a
/// subtree, if the tree is as large as that of the last iteration: then a subtree takes about ten times
/// as long as splitting it off.
const SUBTREES_PER_CHECK: u64 = 128;

/// So long an iteration is searched by the calling thread alone: others take a while to wake up.
const TIME_ALONE: Duration = Duration::from_micros(100);

/// No subtree.
const NO_SUBTREE: usize = usize::MAX;

impl<P, W> sealed::MakeWorkers<P, W> for Threads
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
    W: Expander<P, Step: Send> + Clone + Send,
{
    type Workers = WorkerThreads<P, W>;

    fn make_workers(
        self,
        expander: &W,
        table_bytes: usize,
        avoids_cycles: bool,
    ) -> WorkerThreads<P, W> {
        // The smallest table takes a byte to ask for.
        let share = if table_bytes == 0 { 0 } else { (table_bytes / self.count).max(1) };
        let count = if self.count > 1 { self.count } else { 0 };
        let worker = |_| Worker::new(Stack::new(expander.clone(), share, avoids_cycles));
        WorkerThreads {
            workers: (0..count).map(worker).collect(),
            tree: SplitTree::new(),
            splitter: Stack::new(expander.clone(), 0, avoids_cycles),
            pool: Pool::new(self.count),
            first_end: NO_SUBTREE,
            before: Stats::default(),
            expansions_per_check: INITIAL_EXPANSIONS_PER_CHECK,
            path_states: 0,
            best: Best::new(P::Cost::ZERO),
        }
    }
}

/// A guess, before any check was made.
const INITIAL_EXPANSIONS_PER_CHECK: u64 = SUBTREES_PER_CHECK * 64;

/// The threads, and the tree of the iteration.
pub struct WorkerThreads<P: SearchProblem, W: Expander<P>> {
    /// One for each thread. None if there is but one thread.
    workers: Vec<Worker<P, W>>,
    tree: SplitTree<P, W>,
    /// Expands the states at the top of the tree, one at a time.
    splitter: Stack<P, W>,
    pool: Pool,
    /// The leftmost subtree in which a goal or an error was found, or `NO_SUBTREE`.
    first_end: usize,
    /// The statistics when the iteration began.
    before: Stats,
    expansions_per_check: u64,
    /// The number of states on the path to the goal, when it is found.
    path_states: usize,
    /// What was found in an iteration that a goal does not end.
    best: Best<P>,
}

impl<P, W> WorkerThreads<P, W>
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
    W: Expander<P, Step: Send> + Clone + Send,
{
    /// Begins an iteration with the starts on `stack`.
    fn begin_iteration<O>(
        &mut self,
        stack: &mut Stack<P, W>,
        bound: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        let last = run.expanded_in_last_layer();
        let least_size = (self.expansions_per_check / SUBTREES_PER_CHECK).max(1);
        let subtrees = usize::try_from(last / least_size).unwrap_or(usize::MAX);
        let subtrees = subtrees.min(self.workers.len() * SUBTREES_PER_THREAD);
        self.tree.begin(stack.above(0), bound, subtrees, run.memory())?;
        stack.clear();
        for worker in &mut self.workers {
            worker.begin_iteration(bound);
        }
        self.first_end = NO_SUBTREE;
        self.before = run.stats;
        self.best = Best::new(bound);
        Ok(())
    }

    /// Searches subtrees on all threads, for at most `most` expansions. False if there is no more memory.
    fn search_subtrees<O>(
        &mut self,
        problem: &P,
        goals: Goals,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let mut limits = LimitCheck::new(run);
        // Shorter work is not worth waking the other threads.
        let began = run.budget.now().filter(|_| !self.pool.is_alone());
        let time = began.map(|began| (began, TIME_ALONE));
        for worker in &mut self.workers {
            worker.run.budget.share_interrupt(&run.budget);
        }
        let shared = Shared {
            problem,
            best: (goals == Goals::Improve).then(|| Mutex::new(&mut self.best)),
            tree: Mutex::new(&mut self.tree),
            memory: Mutex::new(run.memory()),
            expansions: AtomicU64::new(most),
            first_end: AtomicUsize::new(self.first_end),
            halt: AtomicBool::new(false),
            is_out_of_memory: AtomicBool::new(false),
        };
        let Some((own, others)) = self.workers.split_first_mut() else { return true };
        own.work(&shared, &mut limits, time);
        let is_late = time.is_some_and(|time| limits.is_late(time));
        if is_late && !shared.is_halted() {
            if let Some(pool) = self.pool.others() {
                pool.in_place_scope(|scope| {
                    for worker in &mut *others {
                        let (shared, mut limits) = (&shared, limits.clone());
                        scope.spawn(move |_| worker.work(shared, &mut limits, None));
                    }
                    own.work(&shared, &mut limits, None);
                });
            } else {
                own.work(&shared, &mut limits, None);
            }
        }
        // Subtrees that other workers began in an earlier call, if they were not woken in this one.
        for worker in others {
            worker.work(&shared, &mut limits, None);
        }
        self.expansions_per_check = limits.allowed;
        self.first_end = shared.first_end.into_inner();
        !shared.is_out_of_memory.into_inner()
    }

    /// Whether all subtrees up to the first with a goal or an error are searched.
    fn is_done(&mut self) -> bool {
        let end = self.first_end;
        self.tree.next_leaf().is_none_or(|(rank, _)| rank > end)
            && self.workers.iter().all(|worker| worker.is_done_up_to(end))
    }

    /// Merges the results of all subtrees, from left to right.
    fn merge<O>(
        &mut self,
        problem: &P,
        bounds: &mut Bounds<P::Cost>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<IterationOutcome<PathOf<P>>, SearchError<P::Cost>> {
        let is_first = |worker: &&mut Worker<P, W>| {
            worker.subtree == self.first_end && worker.subtree != NO_SUBTREE
        };
        let winner = self.workers.iter_mut().find(is_first);
        let mut stats = self.before;
        for node in self.tree.in_order().take(self.first_end.saturating_add(1)) {
            add(&mut stats, &node.stats);
            bounds.overflow = bounds.overflow.or(node.overflow());
        }
        let mut outcome = Ok(IterationOutcome::NoGoal);
        if let Some(winner) = winner {
            add(&mut stats, &winner.run.stats);
            outcome = match winner.stop {
                Some(Stop::Error(error)) => Err(error),
                _ => winner.stack.solution(problem, false).map(
                    |Solution { path, generated_beyond }| {
                        stats.generated = stats.generated.saturating_sub(generated_beyond);
                        self.path_states = path.as_ref().map_or(0, |path| path.len() + 1);
                        IterationOutcome::Goal(path)
                    },
                ),
            };
        }
        run.stats = stats;
        let parts = self.workers.iter().map(|worker| &worker.bounds).chain([&self.tree.bounds]);
        parts.filter_map(|part| part.next_bound).for_each(|next| bounds.prune(next));
        for worker in &mut self.workers {
            worker.stack.clear();
        }
        self.tree.clear();
        outcome
    }
}

impl<P, W> Workers<P, W> for WorkerThreads<P, W>
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
    W: Expander<P, Step: Send> + Clone + Send,
{
    fn are_active(&self) -> bool {
        !self.workers.is_empty()
    }

    fn search_iteration<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        stack: &mut Stack<P, W>,
        (bounds, goals): (&mut Bounds<P::Cost>, Goals),
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<IterationOutcome<PathOf<P>>, SearchError<P::Cost>> {
        if !self.tree.is_begun && self.begin_iteration(stack, bounds.bound, run).is_err() {
            return Ok(IterationOutcome::OutOfMemory);
        }
        let until = run.stats.expanded.saturating_add(most);
        let mut has_memory = true;
        if self.tree.split(problem, &mut self.splitter, most, run) {
            let left = until.saturating_sub(self.count(run));
            has_memory = left == 0 || self.search_subtrees(problem, goals, left, run);
        }
        self.count(run);
        if self.tree.is_split && self.is_done() {
            self.merge(problem, bounds, run)
        } else if has_memory {
            Ok(IterationOutcome::Unfinished)
        } else {
            Ok(IterationOutcome::OutOfMemory)
        }
    }

    fn take_solution(&mut self) -> Option<PathOf<P>> {
        self.best.path.take()
    }

    fn give_up(&mut self) -> Option<SearchError<P::Cost>> {
        let mut overflow = self.tree.overflow();
        for worker in &mut self.workers {
            overflow = overflow.or(worker.bounds.overflow);
            worker.begin_iteration(P::Cost::ZERO);
        }
        self.tree.clear();
        overflow
    }

    fn stored(&self) -> usize {
        let stacks = self.workers.iter().map(|worker| worker.stack.len()).sum::<usize>();
        stacks + self.tree.len() + self.path_states
    }

    fn reset(&mut self) {
        for worker in &mut self.workers {
            worker.reset();
        }
        self.tree.clear();
        self.splitter.reset();
        self.pool.ask_again();
        self.first_end = NO_SUBTREE;
        self.before = Stats::default();
        self.expansions_per_check = INITIAL_EXPANSIONS_PER_CHECK;
        self.path_states = 0;
        self.best = Best::new(P::Cost::ZERO);
    }
}

impl<P: SearchProblem, W: Expander<P>> WorkerThreads<P, W> {
    /// Updates the statistics with everything done so far in this iteration. Returns the number of
    /// expansions.
    fn count<O>(&self, run: &mut Run<P::Cost, O>) -> u64 {
        let mut stats = self.before;
        add(&mut stats, &self.tree.done);
        for worker in &self.workers {
            add(&mut stats, &worker.run.stats);
        }
        run.stats = stats;
        stats.expanded
    }
}

/// Adds the statistics of a part of the tree.
fn add(sum: &mut Stats, part: &Stats) {
    sum.add(part);
    sum.peak_frontier = sum.peak_frontier.max(part.peak_frontier);
}

show_fields! {
    [P: SearchProblem, W: Expander<P>] WorkerThreads<P, W>,
    "WorkerThreads" (this) { threads = this.workers.len(), subtrees = this.tree.leaves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::depth_first::Buffered;
    use crate::engine::depth_first::strategy::sealed::MakeWorkers;
    use crate::problem::FnProblem;

    #[test]
    fn debug_output_has_the_number_of_threads() {
        fn shown<P>(_: &P) -> String
        where
            P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
        {
            let workers: WorkerThreads<P, _> =
                Threads::new(3).make_workers(&Buffered::<P>::new(), 0, false);
            format!("{workers:?}")
        }
        let problem = FnProblem::new(|&n: &u32| [(n, 1_u32)], |_: &u32| 0, |_: &u32| false);
        assert_eq!(shown(&problem), "WorkerThreads { threads: 3, subtrees: 0, .. }");
    }
}
