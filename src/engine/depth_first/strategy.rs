//! Who searches an iteration: the engine itself on one thread, or workers on several threads.

use super::Expander;
use super::bounds::Bounds;
use super::stack::Stack;
use crate::engine::Run;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::SearchError;
use crate::threads::SingleThreaded;

/// How the work of an IDA* iteration is divided: [`SingleThreaded`], or `Threads` (feature
/// `parallel`).
///
/// This trait is sealed: it cannot be implemented outside of this crate.
pub trait ParallelStrategy<P: SearchProblem, W: Expander<P>>: sealed::MakeWorkers<P, W> {}

impl<P: SearchProblem, W: Expander<P>, T: sealed::MakeWorkers<P, W>> ParallelStrategy<P, W> for T {}

pub(super) mod sealed {
    use super::{Expander, SearchProblem, Workers};

    /// Makes the workers of a search.
    pub trait MakeWorkers<P: SearchProblem, W: Expander<P>> {
        type Workers: Workers<P, W>;

        fn make_workers(
            self,
            expander: &W,
            table_bytes: usize,
            avoids_cycles: bool,
        ) -> Self::Workers;
    }
}

/// Workers that search an iteration in place of the engine.
pub trait Workers<P: SearchProblem, W: Expander<P>> {
    /// Whether there are any. If not, the engine searches its own stack.
    fn are_active(&self) -> bool {
        false
    }

    /// Begins the iteration with the starts on `stack`, or continues it, for at most `most`
    /// expansions. `goals` is the same whenever an iteration is continued.
    fn search_iteration<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        stack: &mut Stack<P, W>,
        (bounds, goals): (&mut Bounds<P::Cost>, Goals),
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<IterationOutcome<PathOf<P>>, SearchError<P::Cost>> {
        let _ = (problem, stack, bounds, goals, most, run);
        Ok(IterationOutcome::NoGoal)
    }

    /// The best solution found since the last call, with [`Goals::Improve`].
    fn take_solution(&mut self) -> Option<PathOf<P>> {
        None
    }

    /// Ends the iteration. Returns a sum that did not fit in it, if there was one.
    fn give_up(&mut self) -> Option<SearchError<P::Cost>> {
        None
    }

    /// The number of states stored.
    fn stored(&self) -> usize {
        0
    }

    /// Prepares a new search. Allocated memory is kept.
    fn reset(&mut self) {}
}

/// What a goal means in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goals {
    /// No solution costs less than the bound: the first goal ends the iteration.
    End,
    /// There may be a better one: the bound falls below the cost of the solution, and the search goes on.
    Improve,
}

/// What a call of [`Workers::search_iteration`] ended with.
#[derive(Debug)]
pub enum IterationOutcome<Path> {
    /// The iteration is not finished.
    Unfinished,
    /// The iteration is not finished and cannot continue without more memory.
    OutOfMemory,
    /// The iteration is finished, without a goal.
    NoGoal,
    /// A goal was reached.
    Goal(Option<Path>),
}

impl<P: SearchProblem, W: Expander<P>> sealed::MakeWorkers<P, W> for SingleThreaded {
    type Workers = ();

    fn make_workers(self, _expander: &W, _table_bytes: usize, _avoids_cycles: bool) {}
}

impl<P: SearchProblem, W: Expander<P>> Workers<P, W> for () {}
