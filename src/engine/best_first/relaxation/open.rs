//! Open states: which is next, which are stale, which were set aside, and the bound that they prove.

use super::{AdmitAll, Id, Relaxation, Rules};
use crate::cost::{Cost, smaller};
use crate::engine::Run;
use crate::engine::best_first::Order;
use crate::frontier::Frontier;
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::table::{Record, TableFor};

/// What is taken out of the frontier.
pub(in crate::engine) enum Taken<I, K, C> {
    /// A state that is open, its key and its f.
    Open(I, K, C),
    /// Nothing: no state is open.
    Nothing,
    /// A state that is open, with which the round ends.
    RoundOver(I),
    /// Nothing yet: many stale entries were skipped, and the limits should be checked.
    Paused,
}

/// The next entry of the frontier, if there is one.
type Popped<I, K> = Result<Option<(I, K)>, OutOfMemory>;

/// What is taken out of the frontier of a search of `P` in the order `R`.
type TakenBy<P, R, T> = Taken<Id<P, T>, KeyBy<P, R>, <P as SearchProblem>::Cost>;

/// The keys of the order `R`.
type KeyBy<P, R> = <R as Order<<P as SearchProblem>::Cost>>::Key;

/// The most stale entries that are skipped before the limits are checked again.
const MOST_STALE: u32 = 1 << 10;

impl<P, R, T, F> Relaxation<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    /// Pushes an open state again; nothing happens where its f is too large for its type.
    pub(super) fn push_again<O>(
        &mut self,
        id: Id<P, T>,
        rules: &mut impl Rules<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        let record = self.table.load(id);
        let (g, h) = (record.g(), self.h_of(id, &record));
        let Some(f) = g.checked_add(h) else { return Ok(()) };
        let key = self.key_of(id, (g, h, f), rules, run);
        self.frontier.push(id, key, run.memory())
    }

    /// Whether open states still wait for room in the frontier.
    #[inline]
    pub(in crate::engine) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether open states wait for room, or are to be put back into the frontier.
    #[inline]
    pub(in crate::engine::best_first) fn must_catch_up(&self) -> bool {
        self.has_waiting() || self.is_recalling()
    }

    /// Puts the open states that wait into the frontier, in the order in which they were reached.
    #[cold]
    pub(in crate::engine) fn place_waiting<O>(
        &mut self,
        rules: &mut impl Rules<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        let waiting = std::mem::take(&mut self.waiting);
        let is_placed = |&&id: &&Id<P, T>| self.push_again(id, rules, run).is_ok();
        let placed = waiting.iter().take_while(is_placed).count();
        self.waiting = waiting;
        self.waiting.drain(..placed);
        if self.waiting.is_empty() { Ok(()) } else { Err(OutOfMemory) }
    }

    /// Takes the open state with the least key out of the frontier.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in one of them")]
    pub(in crate::engine) fn take_next<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<TakenBy<P, R, T>, OutOfMemory> {
        let mut stale = 0;
        while let Some((id, key)) = self.pop(run)? {
            if let Some(f) = Self::current_f((&self.problem, &self.order, &self.table), id, key) {
                let Some((_, cost)) = self.incumbent.filter(|_| R::IMPROVES) else {
                    return Ok(Taken::Open(id, key, f));
                };
                if f < cost {
                    let is_over = !run.exceeds_cost_limit(cost) && self.order.ends_round(key, cost);
                    return Ok(if is_over {
                        Taken::RoundOver(id)
                    } else {
                        Taken::Open(id, key, f)
                    });
                }
                self.close(id);
            }
            stale += 1;
            if stale == MOST_STALE {
                return Ok(Taken::Paused);
            }
        }
        Ok(Taken::Nothing)
    }

    /// The next entry of the frontier.
    #[inline]
    fn pop<O>(&mut self, run: &mut Run<P::Cost, O>) -> Popped<Id<P, T>, R::Key> {
        if !F::SKIPS_STALE {
            return self.frontier.pop(run.memory());
        }
        let Self { problem, order, table, frontier, .. } = self;
        let is_current = |id, key| Self::current_f((problem, order, table), id, key).is_some();
        frontier.pop_current(is_current, run.memory())
    }

    /// The f of the state of an entry in the frontier, unless the entry is stale: it is if a cheaper path
    /// was found after it was pushed, or the state was expanded.
    #[inline]
    fn current_f(
        (problem, order, table): (&P, &R, &T),
        id: Id<P, T>,
        key: R::Key,
    ) -> Option<P::Cost> {
        let record = table.load(id);
        if record.is_closed() {
            return None;
        }
        if let Some(f) = order.f_of(key) {
            return Some(f);
        }
        let h = order.h_of(key).unwrap_or_else(|| Self::h_in((problem, table), id, &record));
        let f = record.g().checked_add(h)?;
        order.is_current(key, record.g(), h, f).then_some(f)
    }

    /// Removes the stale entries of the frontier.
    #[cold]
    #[inline(never)]
    pub(super) fn compact(&mut self) {
        self.stale = 0;
        let Self { problem, order, table, frontier, .. } = self;
        frontier.retain(|id, key| Self::current_f((problem, order, table), id, key).is_some());
    }

    /// Sets an open state aside because its f is above the limit on the cost.
    pub(in crate::engine) fn set_aside<O>(
        &mut self,
        id: Id<P, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        run.memory().reserve(&mut self.aside, 1)?;
        self.aside.push(id);
        Ok(())
    }

    /// Closes the states set aside that are not worth keeping by their f, and forgets those that were
    /// expanded since; whether any is left.
    pub(in crate::engine) fn sift_aside(&mut self, is_worth: impl Fn(P::Cost) -> bool) -> bool {
        let mut aside = std::mem::take(&mut self.aside);
        aside.retain(|&id| {
            let record = self.table.load(id);
            let is_kept = self.f_of(id, &record).is_some_and(&is_worth);
            if !record.is_closed() && !is_kept {
                self.close(id);
            }
            !record.is_closed() && is_kept
        });
        self.aside = aside;
        !self.aside.is_empty()
    }

    /// Whether solutions of that cost cost more than is allowed.
    #[inline]
    pub(in crate::engine) fn exceeds_cost_limit<O>(
        &self,
        cost: P::Cost,
        run: &Run<P::Cost, O>,
    ) -> bool {
        run.exceeds_cost_limit(cost) || self.order.highest_cost().is_some_and(|most| cost > most)
    }

    /// Puts the states set aside back into the frontier if any of them is affordable; whether one was.
    pub(in crate::engine) fn recall_aside<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<bool, OutOfMemory> {
        let is_affordable = |&id: &Id<P, T>| {
            self.f_of(id, &self.record(id)).is_some_and(|f| !self.exceeds_cost_limit(f, run))
        };
        if !self.aside.iter().any(is_affordable) {
            return Ok(false);
        }
        while let Some(&id) = self.aside.last() {
            if !self.table.load(id).is_closed() {
                self.push_again(id, &mut AdmitAll, run)?;
            }
            self.aside.pop();
        }
        Ok(true)
    }

    /// The least f of the states that are open, apart from those that were taken out: no solution that
    /// begins like a path to one of them costs less. Takes one pass over the frontier.
    pub(in crate::engine) fn least_open_f(&self) -> Option<P::Cost> {
        let mut least: Option<P::Cost> = None;
        self.for_each_open_f(|f| least = Some(least.map_or(f, |least| smaller(least, f))));
        least
    }

    /// Calls `visit` with the f of every state that is open, apart from those that were taken out. A state may
    /// be visited more than once.
    pub(in crate::engine) fn for_each_open_f(&self, mut visit: impl FnMut(P::Cost)) {
        let mut look_at = |id| {
            let record = self.record(id);
            if !record.is_closed()
                && let Some(f) = self.f_of(id, &record)
            {
                visit(f);
            }
        };
        self.frontier.for_each(|id, _| look_at(id));
        self.waiting.iter().chain(&self.aside).copied().for_each(look_at);
    }

    /// Whether any state is set aside.
    #[inline]
    pub(in crate::engine) fn has_aside(&self) -> bool {
        !self.aside.is_empty()
    }

    /// Counts the expansion of an open state of `layer` with `generated` successors, calls the observer, and
    /// closes the state; returns its record.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    pub(in crate::engine) fn begin_expansion<O: Observer<P::State, P::Cost>>(
        &mut self,
        id: Id<P, T>,
        layer: P::Cost,
        generated: u64,
        run: &mut Run<P::Cost, O>,
    ) -> T::Record {
        if run.is_new_layer(layer) {
            run.enter_layer(layer);
        }
        run.stats.expanded += 1;
        run.stats.generated += generated;
        let record = self.close(id);
        if O::LISTENS {
            let h = self.h_of(id, &record);
            let tell = |state: &P::State| run.observer.expanded(state, record.g(), h);
            self.table.with_state(id, tell);
        }
        record
    }

    /// Closes an open state; returns its record.
    #[inline]
    pub(in crate::engine) fn close(&mut self, id: Id<P, T>) -> T::Record {
        // A heuristic that answers otherwise each time makes the count wrong, and nothing else.
        self.open = self.open.saturating_sub(1);
        self.table.update(id, |record| {
            record.close();
            *record
        })
    }

    /// Prefetches the states that are probably expanded next, and what the problem needs for them. Each
    /// is announced twice: what the problem looks up to know where to look may be there by the second
    /// time.
    #[inline]
    pub(in crate::engine) fn prefetch_next(&self) {
        for ahead in 0..2 {
            if let Some(id) = self.frontier.peek_hint(ahead) {
                self.table.prefetch(id);
                self.table.with_state(id, |state| self.problem.prefetch(state));
            }
        }
    }
}
