//! The policy of best-first search: the first goal that is taken out of the frontier is the answer.

use super::{Policy, Taken};
use crate::cost::Cost;
use crate::engine::core::Core;
use crate::engine::driver::Driver;
use crate::engine::parts::Parts;
use crate::engine::relaxation::{HeadOf, Id, Trail};
use crate::engine::{ByG, Order, Progress, Run};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::SearchError;
use crate::table::{Record, TableFor};

/// The first goal that is taken out of the frontier is the answer: A\*, Dijkstra's algorithm, greedy search. What is
/// proved is the least *f* of the open states; in an order that is not by *f*, that takes one pass over them when the
/// report is made.
///
/// Goals can also be [passed](Self::passes_goals), to reach all states.
///
/// Source: Hart, Nilsson and Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost
/// Paths*, 1968; Pohl, *Heuristic Search Viewed as Path Finding in a Graph*, 1970 (weights).
#[derive(Clone, Copy, Debug)]
pub struct BestFirst<I, C> {
    /// Whether goals are expanded like any other state, and not answers.
    passes_goals: bool,
    /// Whether goals may have been passed that were not looked for since.
    has_passed: bool,
    /// The cheapest of those goals and its cost, once it was looked for.
    passed: Option<(I, C)>,
}

impl<I, C> Default for BestFirst<I, C> {
    fn default() -> Self {
        Self { passes_goals: false, has_passed: false, passed: None }
    }
}

impl<S: Parts> Policy<S> for BestFirst<S::Id, S::Cost> {
    const NEEDS_PARENTS: bool = false;

    #[inline]
    fn taken<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        head: &HeadOf<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Taken {
        core.judge(self, head, !self.passes_goals, run)
    }

    fn resumed<O>(&mut self, core: &mut Core<S>, run: &mut Run<S::Cost, O>) -> Option<Progress> {
        if <Self as Policy<S>>::SETS_ASIDE
            && let Err(full) = core.recall_at_new_limit(run)
        {
            return Some(Progress::Stopped(full.into()));
        }
        // Only searches without a heuristic pass goals.
        if S::Order::USES_H {
            return None;
        }
        let (_, cost) = self.passed_goal(core.states.problem(), core.states.table())?;
        Some(run.found(cost))
    }

    fn lower_bound<O>(&mut self, core: &mut Core<S>, run: &mut Run<S::Cost, O>) -> S::Cost {
        if !S::Order::USES_H
            && let Some((_, cost)) = self.passed_goal(core.states.problem(), core.states.table())
        {
            return cost;
        }
        core.bound(self, !self.passes_goals, run)
    }

    fn path(&self, core: &Core<S>) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        let goal = match (self.passed, core.held) {
            (Some((id, _)), _) if !self.passes_goals => Some(id),
            (_, Some(head)) => Some(head.id),
            _ => None,
        };
        core.path_to_goal(goal, Trail::Costs)
    }

    fn restart(&mut self, _core: &mut Core<S>) {
        // They are still passed if a step of `settled` has panicked.
        self.passes_goals = false;
        (self.has_passed, self.passed) = (false, None);
    }
}

impl<I: Copy, C: Cost> BestFirst<I, C> {
    /// The cheapest goal that was expanded like any other state, if goals are answers now. Takes one pass
    /// over the states, once, and only if goals may have been passed. (They are closed at their final cost:
    /// only Dijkstra's algorithm passes goals.)
    fn passed_goal<P, T>(&mut self, problem: &P, table: &T) -> Option<(I, C)>
    where
        P: SearchProblem<Cost = C>,
        T: TableFor<P::State, C, Record: Record<Id = I>>,
    {
        if self.passes_goals {
            return None;
        }
        if self.has_passed && self.passed.is_none() {
            self.passed = find_passed_goal(problem, table);
        }
        self.has_passed = false;
        self.passed
    }
}

#[cold]
fn find_passed_goal<P, T>(problem: &P, table: &T) -> Option<(Id<P, T>, P::Cost)>
where
    P: SearchProblem,
    T: TableFor<P::State, P::Cost>,
{
    let mut cheapest: Option<(Id<P, T>, P::Cost)> = None;
    table.for_each(|id, state, record| {
        let is_cheaper = cheapest.is_none_or(|(_, cost)| record.g() < cost);
        if is_cheaper && record.is_closed() && problem.is_goal(state) {
            cheapest = Some((id, record.g()));
        }
    });
    cheapest
}

impl<S: Parts<Order = ByG>> Driver<S, BestFirst<S::Id, S::Cost>> {
    /// Whether goals are expanded like any other state, and not answers.
    pub(in crate::engine) fn pass_goals(&mut self, pass: bool) {
        self.policy.passes_goals = pass;
        self.policy.has_passed |= pass;
    }
}
