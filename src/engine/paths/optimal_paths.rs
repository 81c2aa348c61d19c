//! [`OptimalPaths`]: all cheapest paths.

use super::AllOptimalSearch;
use super::all_search::AllOptimalEngine;
use super::explorer::Explored;
use super::graph::PathCount;
use super::last_path::LastPath;
use super::walker::Walker;
use crate::Search;
use crate::debug::show_fields;
use crate::engine::best_first::{Buckets, Hashed};
use crate::engine::{ByF, Order};
use crate::frontier::Frontier;
use crate::observer::Observer;
use crate::path::{PathOf, Step};
use crate::problem::{SearchProblem, SuccessorBuffer};
use crate::report::{Outcome, SearchError, StopReason};
use crate::table::{IdOf, StateId, TableFor};

impl<P, R, T, F, O> Search<AllOptimalEngine<P, R, T, F>, O>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, R::Key>,
    O: Observer<P::State, P::Cost>,
{
    /// Runs until all cheapest paths are found, or a limit is reached.
    ///
    /// # Errors
    ///
    /// As [`run`](crate::Search::run).
    #[doc(alias = "paths")]
    #[expect(clippy::type_complexity, reason = "the parameters of the search")]
    pub fn find_all(mut self) -> Result<OptimalPaths<P, R, T, F, O>, SearchError<P::Cost>> {
        let report = self.run()?;
        let stopped = match report.outcome {
            Outcome::Stopped(reason) => Some(reason),
            _ => None,
        };
        Ok(OptimalPaths { search: self, stopped })
    }
}

/// All cheapest paths, as a graph of the states and steps on any of them.
///
/// It is empty if the search was [stopped](Self::stopped) before all were found.
#[must_use]
pub struct OptimalPaths<P: SearchProblem, R = ByF, T = Hashed<P>, F = Buckets<P>, O = ()>
where
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, R::Key>,
{
    search: AllOptimalSearch<P, R, T, F, O>,
    stopped: Option<StopReason>,
}

impl<P, R, T, F, O> OptimalPaths<P, R, T, F, O>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, R::Key>,
    O: Observer<P::State, P::Cost>,
{
    /// Returns the limit that ended the search before all paths were found, if any.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Returns the cost of each of the paths; `None` if there are none.
    pub fn cost(&self) -> Option<P::Cost> {
        self.search.engine().cost
    }

    /// Returns the number of paths. If a cycle of cost zero is on one, there are
    /// [infinitely](PathCount::Infinite) many, unless the search is for [simple](crate::AllOptimal::simple) paths only.
    pub fn count(&self) -> PathCount {
        if self.stopped.is_none() && self.cost().is_none() {
            return PathCount::Finite(0);
        }
        self.search.engine().count()
    }

    /// Returns an iterator over the paths. It builds each path on demand, in time proportional to its length. It generates
    /// the successors of a state at most once for each step that leaves it, if actions have a size, and keeps these
    /// actions; otherwise once in all, and `count` then builds no paths but the first. (With
    /// cycles of cost zero: of infinitely many paths, each is returned eventually; simple paths take time proportional
    /// to the length times the number of all steps on cheapest paths.)
    pub fn paths(&self) -> Walks<'_, P, R, T, F> {
        let (walker, last) = (Walker::new(), LastPath::new());
        Walks { engine: self.search.engine(), walker, last, has_ended: false }
    }

    /// Returns the number of states on any of the paths.
    pub fn state_count(&self) -> usize {
        self.search.engine().graph.states().len()
    }

    /// Returns the number of steps on any of the paths.
    pub fn step_count(&self) -> usize {
        if self.search.engine().graph.is_done() { self.search.engine().graph.steps() } else { 0 }
    }

    /// Returns the states on any of the paths, each with its cost *g*, in a deterministic order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = (P::State, P::Cost)> {
        let AllOptimalEngine { explorer, graph, .. } = self.search.engine();
        graph
            .states()
            .map(move |id| (explorer.table().with_state(id, Clone::clone), explorer.reached(id).0))
    }

    /// Whether a state is on any of the paths.
    pub fn contains(&self, state: &P::State) -> bool {
        let AllOptimalEngine { explorer, graph, .. } = self.search.engine();
        explorer.table().id_of(state).is_some_and(|id| graph.has_state(id))
    }

    /// Calls `visit` with every step on any of the paths, in a deterministic order. Generates the
    /// successors of a state once for each step that leaves it.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    pub fn for_each_step(
        &self,
        mut visit: impl FnMut(Step<'_, P::State, P::Action, P::Cost>),
    ) -> Result<(), SearchError<P::Cost>> {
        let AllOptimalEngine { explorer, graph, .. } = self.search.engine();
        let mut next = SuccessorBuffer::new();
        for to in graph.states() {
            for step in explorer.steps().to(to).filter(|&step| graph.has_step(step)) {
                let link = explorer.steps().get(step);
                if link.from == StateId::NONE {
                    continue;
                }
                let from = explorer.table().with_state(link.from, Clone::clone);
                let there = explorer.successor(&from, link, 0, &mut next)?;
                let (action, to, cost) = (&there.action, &there.state, there.cost);
                visit(Step { from: &from, action, to, cost });
            }
        }
        Ok(())
    }

    /// Returns the search: to read its counts, to raise a limit, or to restart it with its memory.
    pub fn into_search(self) -> AllOptimalSearch<P, R, T, F, O> {
        self.search
    }
}

show_fields! {
    [P, R, T, F, O] OptimalPaths<P, R, T, F, O>
    where [
        P: SearchProblem,
        R: Order<P::Cost>,
        T: TableFor<P::State, P::Cost>,
        F: Frontier<IdOf<T, P::State>, R::Key>,
        O: Observer<P::State, P::Cost>
    ],
    "OptimalPaths" (this) { search = this.search.engine(), stopped }
}

/// An iterator over cheapest paths; see [`OptimalPaths::paths`].
pub struct Walks<'s, P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, R::Key>,
{
    engine: &'s AllOptimalEngine<P, R, T, F>,
    walker: Walker,
    last: LastPath<P>,
    has_ended: bool,
}

show_fields! {
    [P, R, T, F] Walks<'_, P, R, T, F>
    where [P: SearchProblem, R: Order<P::Cost>, T: TableFor<P::State, P::Cost>, F: Frontier<IdOf<T, P::State>, R::Key>],
    "Walks" { has_ended }
}

impl<P, R, T, F> Iterator for Walks<'_, P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, R::Key>,
{
    type Item = Result<PathOf<P>, SearchError<P::Cost>>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.advance() {
            return None;
        }
        let path = self.last.turn_to(&mut self.walker, &self.engine.explorer);
        self.has_ended = path.is_err();
        Some(path)
    }

    /// Builds only the first path where actions have no size.
    fn count(mut self) -> usize {
        let mut count = 0;
        // Only where an action is looked up there can be an error, which ends the iterator: here, in the first path.
        while (size_of::<P::Action>() > 0 || count == 0) && self.next().is_some() {
            count += 1;
        }
        while self.advance() {
            count += 1;
        }
        count
    }
}

impl<P, R, T, F> Walks<'_, P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, R::Key>,
{
    /// Walks to the next path; whether there is one.
    fn advance(&mut self) -> bool {
        let AllOptimalEngine { explorer, graph, .. } = self.engine;
        self.has_ended |= !graph.is_done();
        while !self.has_ended {
            let mut work = u32::MAX;
            let is_simple = explorer.is_simple();
            match self.walker.next(graph, is_simple, explorer.steps(), &mut work) {
                Ok(true) => return true,
                Ok(false) => self.has_ended = true,
                // The quota of work is used up.
                Err(()) => {}
            }
        }
        false
    }
}
