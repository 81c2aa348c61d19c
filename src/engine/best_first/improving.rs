//! What the engine does in orders that go on from a first solution to better ones: rounds, the incumbent, and
//! what is proved of it.

use super::relaxation::Id;
use super::{BestFirstEngine, Order};
use crate::cost::{Cost, larger, smaller};
use crate::engine::{Progress, Run};
use crate::frontier::Frontier;
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::{SearchError, StopReason};
use crate::table::TableFor;

impl<P, R, T, F> BestFirstEngine<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    /// Called when the round ends with a state that was taken out of the frontier: begins the next one, or
    /// says that the incumbent is the answer.
    #[cold]
    pub(super) fn end_round<O>(&mut self, last: Id<P, T>, run: &mut Run<P::Cost, O>) -> Progress {
        match self.states.next_round(Some(last), run) {
            Ok(true) => {
                self.round_over = None;
                self.lookahead.clear();
                Progress::Paused
            }
            Ok(false) => self.verdict(run),
            Err(full) => Progress::Stopped(full.into()),
        }
    }

    /// Called when the frontier is empty: begins the next round with the states that were set aside, or says
    /// how the search ends.
    #[cold]
    pub(super) fn end_frontier<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let incumbent = self.states.incumbent().map(|(_, cost)| cost);
        if self.states.sift_aside(|f| incumbent.is_none_or(|cost| f < cost)) {
            if !self.states.has_affordable_aside(run) {
                return Ok(Progress::Stopped(StopReason::Cost));
            }
            return Ok(match self.states.next_round(None, run) {
                Ok(begun) => {
                    if !begun {
                        self.states.begin_recall();
                    }
                    self.lookahead.clear();
                    Progress::Paused
                }
                Err(full) => Progress::Stopped(full.into()),
            });
        }
        match (incumbent, self.states.overflow()) {
            (Some(_), _) => Ok(self.verdict(run)),
            (None, Some(overflow)) => Err(overflow),
            (None, None) => Ok(Progress::Exhausted),
        }
    }

    /// How the search ends with the incumbent as its answer.
    fn verdict<O>(&self, run: &Run<P::Cost, O>) -> Progress {
        if self.is_incumbent_too_dear(run) {
            Progress::Stopped(StopReason::Cost)
        } else {
            Progress::Found
        }
    }

    /// Whether the incumbent costs more than is allowed. A round that it ended is not over then: the limit was
    /// lowered since.
    #[cold]
    pub(super) fn is_incumbent_too_dear<O>(&self, run: &Run<P::Cost, O>) -> bool {
        let incumbent = self.states.incumbent();
        incumbent.is_some_and(|(_, cost)| self.states.exceeds_cost_limit(cost, run))
    }

    /// Called when a state of that f was expanded.
    #[inline]
    pub(super) fn look_at_successors<O: Observer<P::State, P::Cost>>(
        &mut self,
        f: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) {
        if let Some(successor) = self.states.take_least_successor() {
            self.states.learn(f, successor);
            self.tell(run);
        }
    }

    /// Called when the starts are known.
    pub(super) fn look_at_starts<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) {
        self.states.take_least_successor();
        self.tell(run);
    }

    /// Tells the observer of a better solution.
    #[inline]
    fn tell<O: Observer<P::State, P::Cost>>(&mut self, run: &mut Run<P::Cost, O>) {
        if O::LISTENS
            && let Some((_, cost)) = self.states.incumbent()
            && self.told.is_none_or(|told| cost < told)
        {
            self.told = Some(cost);
            let bound = if self.is_refuted() { P::Cost::ZERO } else { self.proved() };
            run.observer.incumbent(cost, smaller(bound, cost));
        }
    }

    /// The lower bound that is reported.
    pub(super) fn bound_of_improving(&mut self) -> P::Cost {
        if !self.starts.is_empty() {
            return self.lower_bound;
        }
        self.lower_bound = self.proved();
        if self.is_refuted() { P::Cost::ZERO } else { self.lower_bound }
    }

    /// What is proved of all solutions. Takes one pass over the open states.
    fn proved(&self) -> P::Cost {
        // Whatever is cheaper than the incumbent begins like a path to an open state.
        let bound = self.states.proved([self.next, self.round_over].into_iter().flatten());
        larger(self.lower_bound, bound)
    }

    /// Whether a path cheaper than a bound on it shows that the heuristic overestimates: nothing is proved.
    fn is_refuted(&self) -> bool {
        let incumbent = self.states.incumbent();
        incumbent.is_some_and(|(id, cost)| self.states.overestimates_on_path(id, cost))
    }
}
