//! The policy of engines that go on from a first solution to better ones, in rounds.

use super::{Next, Policy, Taken};
use crate::cost::{Cost, larger, smaller};
use crate::engine::core::Core;
use crate::engine::parts::Parts;
use crate::engine::relaxation::{Head, HeadOf, Known, Relaxation, Trail};
use crate::engine::{Order, Progress, Run};
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::{SearchError, Stats, StopReason};
use crate::table::{StateId, Table};

/// An order in which a search goes on from a first solution to better ones, perhaps in rounds with other keys.
pub trait Rounds<C: Cost>: Order<C> {
    /// The key of a state of which the number of steps to a goal may be asked.
    #[inline]
    fn key_by_steps(&self, g: C, h: C, f: C, steps: impl FnOnce() -> Option<u32>) -> Self::Key {
        let _ = steps;
        self.key(g, h, f)
    }

    /// No solution may cost more, whatever the limits say.
    #[inline]
    fn highest_cost(&self) -> Option<C> {
        None
    }

    /// Whether the round ends where the next state has that key and the incumbent that cost. If no other
    /// round follows, the incumbent is the answer.
    fn ends_round(&self, key: Self::Key, cost: C) -> bool;

    /// Begins another round, in which the keys of all states are others; false if there is none.
    fn next_round(&mut self) -> bool {
        false
    }

    /// Whether a reopened state waits for the next round.
    #[inline]
    fn delays_reopened(&self) -> bool {
        false
    }

    /// A state with that f was expanded; the least f of the successors that became open is `successor`.
    #[inline]
    fn learn(&mut self, f: C, successor: C) {
        let _ = (f, successor);
    }

    /// Begins the first round again.
    fn restart(&mut self) {}
}

/// Looks for goals among the states that are generated, prunes by the best solution so far, and goes on to better
/// ones: anytime A\*, focal search, bounded-cost search.
#[derive(Clone, Debug)]
pub struct Improving<I, C> {
    /// The goal of the best solution so far and its cost.
    incumbent: Option<(I, C)>,
    /// The cost of the best solution that another search found.
    elsewhere: Option<C>,
    /// The cost of the best solution when the expansion began.
    best: Option<C>,
    /// The least f of the successors that became open in this expansion.
    least_successor: Option<C>,
    /// A bit for each state: whether it was expanded in this round, where such states wait for the next round when
    /// they are reopened.
    expanded_in_round: Vec<u64>,
    /// The cost of the best solution that the observer was told of.
    told: Option<C>,
}

impl<I, C> Default for Improving<I, C> {
    fn default() -> Self {
        Self {
            incumbent: None,
            elsewhere: None,
            best: None,
            least_successor: None,
            expanded_in_round: Vec::new(),
            told: None,
        }
    }
}

/// Whether a state may lead to a better solution than one of cost `incumbent`. Dead ends are admitted, so
/// that they are stored as dead ends.
#[inline]
pub(in crate::engine) fn admits<C: Cost>(incumbent: Option<C>, g: C, h: C) -> bool {
    incumbent.is_none_or(|cost| h >= C::INFINITY || g.checked_add(h).is_some_and(|f| f < cost))
}

impl<S: Parts<Order: Rounds<S::Cost>>> Policy<S> for Improving<S::Id, S::Cost> {
    const TRAIL: Trail = Trail::Steps;
    const SETS_ASIDE: bool = true;

    #[inline]
    fn admits(&mut self, g: S::Cost, h: S::Cost) -> bool {
        admits(self.best, g, h)
    }

    #[inline]
    fn key(
        &mut self,
        known: Known<'_, S>,
        id: S::Id,
        (g, h, f): (S::Cost, S::Cost, S::Cost),
        _stats: &mut Stats,
    ) -> S::Key {
        let steps = || known.table.with_state(id, |state| known.problem.steps_left(state));
        known.order.key_by_steps(g, h, f, steps)
    }

    /// Looks whether the state is the goal of a better solution.
    #[inline]
    fn opened(&mut self, known: Known<'_, S>, id: S::Id, h: S::Cost, f: S::Cost) {
        self.least_successor = Some(self.least_successor.map_or(f, |least| smaller(least, f)));
        // The h of a goal is zero.
        if h <= S::Cost::ZERO
            && self.best_cost().is_none_or(|cost| f < cost)
            && known.order.highest_cost().is_none_or(|most| f <= most)
            && known.is_goal(id)
        {
            self.incumbent = Some((id, f));
        }
    }

    #[inline]
    fn is_delayed(&self, order: &S::Order, id: S::Id) -> bool {
        let word = self.expanded_in_round.get(id.index() / 64).copied().unwrap_or(0);
        order.delays_reopened() && word >> (id.index() % 64) & 1 == 1
    }

    #[inline]
    fn is_affordable<O>(&self, order: &S::Order, cost: S::Cost, run: &Run<S::Cost, O>) -> bool {
        !run.exceeds_cost_limit(cost) && order.highest_cost().is_none_or(|most| cost <= most)
    }

    fn is_worth(&self, f: S::Cost) -> bool {
        self.best_cost().is_none_or(|cost| f < cost)
    }

    #[inline]
    fn taken<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        head: &HeadOf<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Taken {
        let states = &mut core.states;
        if let Some(cost) = self.best_cost() {
            if head.f >= cost {
                states.close(head.id);
                return Taken::Drop;
            }
            if !run.exceeds_cost_limit(cost) && states.order().ends_round(head.key, cost) {
                return Taken::EndRound;
            }
        }
        let order = states.order();
        let is_affordable = Policy::<S>::is_affordable(self, order, head.f, run);
        if is_affordable { Taken::Expand } else { Taken::SetAside }
    }

    #[inline]
    fn make_room(
        &mut self,
        states: &mut Relaxation<S>,
        id: S::Id,
        successors: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        if states.order().delays_reopened() {
            states.make_room_aside(successors, memory)?;
            memory.grow_to(&mut self.expanded_in_round, id.index() / 64 + 1, 0)?;
        }
        Ok(())
    }

    #[inline]
    fn expands(&mut self, _order: &S::Order, &Head { id, .. }: &HeadOf<S>) {
        self.best = self.best_cost();
        if let Some(word) = self.expanded_in_round.get_mut(id.index() / 64) {
            *word |= 1 << (id.index() % 64);
        }
    }

    #[inline]
    fn expanded<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        head: &HeadOf<S>,
        run: &mut Run<S::Cost, O>,
    ) {
        if let Some(successor) = self.least_successor.take() {
            core.states.order_mut().learn(head.f, successor);
            self.tell(core, run);
        }
    }

    fn started<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        run: &mut Run<S::Cost, O>,
    ) {
        self.least_successor = None;
        self.tell(core, run);
    }

    /// Begins the next round with the states that are open or were set aside, or says how the search ends.
    fn emptied<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Next, SearchError<S::Cost>> {
        let incumbent = self.best_cost();
        let is_worth = |f| incumbent.is_none_or(|cost| f < cost);
        let last = core.held.map(|head| head.id);
        // Where the limit on the cost is larger now, one of them may be next.
        let aside = core.states.sift_aside(self, is_worth, run);
        let is_affordable = aside == Some(true);
        if last.is_none() && !is_affordable {
            return match incumbent {
                _ if aside.is_some() => Ok(Next::End(Progress::Stopped(StopReason::Cost))),
                Some(cost) => Ok(self.verdict(core, cost, run)),
                None => core.states.exhausted(run).map(Next::End),
            };
        }
        if let Err(full) = core.states.make_room_for_all_aside(run.memory()) {
            return Ok(Next::End(Progress::Stopped(full.into())));
        }
        if core.states.order_mut().next_round() {
            self.expanded_in_round.fill(0);
        } else if let (Some(cost), false) = (incumbent, is_affordable) {
            return Ok(self.verdict(core, cost, run));
        }
        core.states.set_all_aside(last);
        core.held = None;
        core.states.begin_recall();
        Ok(Next::Recall)
    }

    fn lower_bound<O>(&mut self, core: &mut Core<S>, _run: &mut Run<S::Cost, O>) -> S::Cost {
        if core.has_starts() {
            return core.lower_bound;
        }
        core.lower_bound = self.proved(core);
        if self.is_refuted(core) { S::Cost::ZERO } else { core.lower_bound }
    }

    fn path(&self, core: &Core<S>) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        let incumbent = self.incumbent.map(|(id, _)| id);
        incumbent.map_or(Ok(None), |id| core.states.known().path_to(id, Trail::Steps))
    }

    fn restart(&mut self, core: &mut Core<S>) {
        core.states.order_mut().restart();
        self.expanded_in_round.clear();
        (self.incumbent, self.elsewhere, self.best) = (None, None, None);
        (self.least_successor, self.told) = (None, None);
    }
}

impl<I: StateId, C: Cost> Improving<I, C> {
    /// The cost of the best solution that is known.
    #[inline]
    pub(in crate::engine) fn best_cost(&self) -> Option<C> {
        let incumbent = self.incumbent.map(|(_, cost)| cost);
        incumbent.into_iter().chain(self.elsewhere).reduce(smaller)
    }

    /// Prunes as by a solution of that cost.
    pub(in crate::engine) fn prune_by(&mut self, cost: C) {
        self.elsewhere = Some(cost);
    }

    /// How the search ends with the incumbent as its answer, which costs that.
    fn verdict<S, O>(&self, core: &Core<S>, cost: C, run: &Run<C, O>) -> Next
    where
        Self: Policy<S>,
        S: Parts<Id = I, Cost = C>,
    {
        let is_affordable = self.is_affordable(core.states.order(), cost, run);
        Next::End(if is_affordable { Progress::Found } else { Progress::Stopped(StopReason::Cost) })
    }

    /// Tells the observer of a better solution.
    #[inline]
    fn tell<S, O>(&mut self, core: &Core<S>, run: &mut Run<C, O>)
    where
        S: Parts<Id = I, Cost = C>,
        O: Observer<S::State, C>,
    {
        if O::LISTENS
            && let Some((_, cost)) = self.incumbent
            && self.told.is_none_or(|told| cost < told)
        {
            self.told = Some(cost);
            let bound = if self.is_refuted(core) { C::ZERO } else { self.proved(core) };
            run.observer.incumbent(cost, smaller(bound, cost));
        }
    }

    /// What is proved of all solutions: none costs less than the incumbent and every open state. Takes one pass over
    /// the open states.
    fn proved<S: Parts<Id = I, Cost = C>>(&self, core: &Core<S>) -> C {
        let least = self.best_cost().into_iter().chain(core.least_open_f()).reduce(smaller);
        larger(core.lower_bound, least.unwrap_or(C::INFINITY))
    }

    /// Whether a path cheaper than a bound on it shows that the heuristic overestimates: nothing is proved.
    pub(in crate::engine) fn is_refuted<S: Parts<Id = I, Cost = C>>(&self, core: &Core<S>) -> bool {
        let incumbent = self.incumbent;
        incumbent.is_some_and(|(id, cost)| core.states.known().overestimates_on_path(id, cost))
    }
}
