//! The best solution so far, and rounds in which the open states have other keys.

use super::{AdmitAll, Id, Relaxation};
use crate::cost::{Cost, smaller};
use crate::engine::Run;
use crate::engine::best_first::Order;
use crate::frontier::Frontier;
use crate::memory::OutOfMemory;
use crate::problem::SearchProblem;
use crate::table::{Record, StateId, TableFor};

/// Whether a state may lead to a better solution than one of cost `incumbent`. Dead ends are admitted, so
/// that they are stored as dead ends.
#[inline]
pub(in crate::engine) fn admits<C: Cost>(incumbent: Option<C>, g: C, h: C) -> bool {
    incumbent.is_none_or(|cost| h >= C::INFINITY || g.checked_add(h).is_some_and(|f| f < cost))
}

/// So many states are put back into the frontier before the limits are checked again.
const MOST_RECALLED: usize = 1 << 12;

impl<P, R, T, F> Relaxation<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    /// The goal of the best solution so far, and its cost.
    #[inline]
    pub(in crate::engine) fn incumbent(&self) -> Option<(Id<P, T>, P::Cost)> {
        self.incumbent
    }

    /// The least f of the successors that became open since it was asked for last.
    #[inline]
    pub(in crate::engine) fn take_least_successor(&mut self) -> Option<P::Cost> {
        self.least_successor.take()
    }

    /// Has the order learn from an expansion.
    #[inline]
    pub(in crate::engine) fn learn(&mut self, f: P::Cost, successor: P::Cost) {
        self.order.learn(f, successor);
    }

    /// Looks whether a state that has become open is the goal of a better solution.
    #[inline]
    pub(super) fn notice(&mut self, id: Id<P, T>, h: P::Cost, f: P::Cost) {
        self.least_successor = Some(self.least_successor.map_or(f, |least| smaller(least, f)));
        // The h of a goal is zero.
        if h <= P::Cost::ZERO
            && self.incumbent.is_none_or(|(_, cost)| f < cost)
            && self.order.highest_cost().is_none_or(|most| f <= most)
            && self.is_goal(id)
        {
            self.incumbent = Some((id, f));
        }
    }

    /// What is proved of all solutions: none costs less than the incumbent and every open state, those given
    /// included, which were taken out of the frontier.
    pub(in crate::engine) fn proved(
        &self,
        taken_out: impl IntoIterator<Item = Id<P, T>>,
    ) -> P::Cost {
        let taken_out = taken_out.into_iter().filter_map(|id| {
            let record = self.record(id);
            self.f_of(id, &record).filter(|_| !record.is_closed())
        });
        let least = taken_out.chain(self.least_open_f()).reduce(smaller);
        let cost = self.incumbent.map(|(_, cost)| cost);
        [least, cost].into_iter().flatten().reduce(smaller).unwrap_or(P::Cost::INFINITY)
    }

    /// Begins another round if the order has one: all open states are to be put into the frontier again,
    /// with `last`, which was taken out of it. Returns whether there is one.
    pub(in crate::engine) fn next_round<O>(
        &mut self,
        last: Option<Id<P, T>>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<bool, OutOfMemory> {
        // If there is no room, nothing has changed.
        run.memory().reserve(&mut self.aside, self.frontier.len() + 1)?;
        if !self.order.next_round() {
            return Ok(false);
        }
        let Self { frontier, aside, .. } = self;
        frontier.for_each(|id, _| aside.push(id));
        aside.extend(last);
        frontier.clear();
        self.stale = 0;
        self.recalls = true;
        self.expanded_in_round.fill(0);
        Ok(true)
    }

    /// Makes room for the mark of a state that is expanded in this round, in orders that need it.
    #[inline]
    pub(in crate::engine) fn make_room_for_mark<O>(
        &mut self,
        id: Id<P, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        if R::IMPROVES && self.order.delays_reopened() {
            run.memory().grow_to(&mut self.expanded_in_round, id.index() / 64 + 1, 0)?;
        }
        Ok(())
    }

    /// Marks a state that is expanded in this round, if there is room for the mark.
    #[inline]
    pub(in crate::engine) fn mark_expanded(&mut self, id: Id<P, T>) {
        if let Some(word) = self.expanded_in_round.get_mut(id.index() / 64) {
            *word |= 1 << (id.index() % 64);
        }
    }

    /// Whether a closed state to which a cheaper path was found is expanded in the next round only.
    #[inline]
    pub(super) fn waits_for_next_round(&self, id: Id<P, T>) -> bool {
        let word = self.expanded_in_round.get(id.index() / 64).copied().unwrap_or(0);
        self.order.delays_reopened() && word >> (id.index() % 64) & 1 == 1
    }

    /// Whether any of the states set aside is within the limit on the cost.
    pub(in crate::engine) fn has_affordable_aside<O>(&self, run: &Run<P::Cost, O>) -> bool {
        self.aside.iter().any(|&id| {
            let f = self.f_of(id, &self.record(id));
            f.is_some_and(|f| !self.exceeds_cost_limit(f, run))
        })
    }

    /// The states set aside are to be put into the frontier again.
    pub(in crate::engine) fn begin_recall(&mut self) {
        self.recalls = true;
    }

    /// Whether states set aside are to be put into the frontier before anything is expanded.
    #[inline]
    pub(in crate::engine) fn is_recalling(&self) -> bool {
        (R::IMPROVES || R::KEEPS_LABELS) && self.recalls
    }

    /// Puts some of the states set aside into the frontier and closes those that cannot improve on the
    /// incumbent. Returns whether all are done.
    #[cold]
    pub(in crate::engine) fn recall_some<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<bool, OutOfMemory> {
        let cost = self.incumbent.map(|(_, cost)| cost);
        for _ in 0..MOST_RECALLED {
            let Some(&id) = self.aside.last() else {
                self.recalls = false;
                return Ok(true);
            };
            let record = self.record(id);
            if !record.is_closed() {
                let f = self.f_of(id, &record);
                if f.is_some_and(|f| cost.is_none_or(|cost| f < cost)) {
                    self.push_again(id, &mut AdmitAll, run)?;
                } else {
                    self.close(id);
                }
            }
            self.aside.pop();
        }
        Ok(false)
    }
}
