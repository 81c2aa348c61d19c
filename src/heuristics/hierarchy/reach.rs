//! [`Reach`]: whether there is a path at all, whatever it costs.

use crate::cost::Cost;
use crate::engine::halt::Halt;
use crate::engine::{Progress, Run};
use crate::observer::Observer;
use crate::problem::{DenseStates, SearchProblem, SuccessorBuffer, Successors};
use crate::report::SearchError;

/// A search of the problem itself that ignores costs. Where a sum did not fit into the cost type and no path was found, it
/// tells whether there is one that costs too much, or none.
pub(super) struct Reach<P: SearchProblem> {
    has_begun: bool,
    is_reached: Vec<bool>,
    /// The indices of states that are reached and not expanded.
    open: Vec<usize>,
    next: Successors<P>,
    /// The bytes of `next` that the account of memory knows of.
    counted: usize,
}

impl<P: SearchProblem> Reach<P> {
    pub(super) fn new() -> Self {
        let (is_reached, open) = (Vec::new(), Vec::new());
        Self { has_begun: false, is_reached, open, next: SuccessorBuffer::new(), counted: 0 }
    }

    pub(super) fn restart(&mut self) {
        self.has_begun = false;
        self.is_reached.fill(false);
        self.open.clear();
    }
}

impl<P: DenseStates> Reach<P> {
    /// Expands at most `most` states. [`Progress::Found`] says that there is a path.
    pub(super) fn expand<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        starts: &[(P::State, P::Cost)],
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, Halt<P::Cost>> {
        let count = problem.state_count();
        let memory = run.memory();
        memory.grow_to(&mut self.is_reached, count, false)?;
        // A state is put into the list once.
        let left = count - self.open.len();
        memory.reserve(&mut self.open, left)?;
        if !self.has_begun {
            for (start, _) in starts {
                self.open(problem.state_index(start))?;
            }
            self.has_begun = true;
        }
        for left in (0..=most).rev() {
            let Some(&index) = self.open.last() else { return Ok(Progress::Exhausted) };
            let state = problem.state_at(index);
            if problem.is_goal(&state) {
                return Ok(Progress::Found);
            }
            if left == 0 || run.is_interrupted() {
                break;
            }
            self.next.clear();
            problem.successors(&state, &mut self.next);
            self.next.count(&mut self.counted, run.memory())?;
            self.open.pop();
            run.stats_mut().expanded += 1;
            while let Some(step) = self.next.pop() {
                self.open(problem.state_index(&step.state))?;
            }
            if O::LISTENS {
                run.observer_mut().expanded(&state, P::Cost::INFINITY, P::Cost::ZERO);
            }
        }
        Ok(Progress::Going)
    }

    /// Opens a state, unless it was reached before.
    fn open(&mut self, index: usize) -> Result<(), SearchError<P::Cost>> {
        let count = self.is_reached.len();
        let is_reached =
            self.is_reached.get_mut(index).ok_or(SearchError::StateIndex { index, count })?;
        if !std::mem::replace(is_reached, true) {
            self.open.push(index);
        }
        Ok(())
    }
}
