//! The relaxation loop: what a step from an expanded state does to the table and the frontier.
//!
//! Which states are open, and which is next, is in `open`; those that were left out are in `left_out`; paths to stored states are in `paths`; the best
//! solution so far, and rounds with other keys, are in `rounds`; what an engine may decide is in `rules`; what a part
//! of the states needs, the others being elsewhere, is in `shards`.

mod left_out;
mod open;
mod paths;
mod rounds;
mod rules;
#[cfg(feature = "parallel")]
mod shards;

#[cfg(feature = "parallel")]
pub(in crate::engine) use left_out::smaller_sum;
pub(in crate::engine) use open::Taken;
pub(in crate::engine) use rounds::admits;
pub(in crate::engine) use rules::{AdmitAll, Rules};

use std::iter;

use left_out::LeftOut;

use super::Order;
use crate::cost::Cost;
use crate::engine::Run;
use crate::engine::checked::{checked_step, sound_heuristic};
use crate::frontier::Frontier;
use crate::observer::Observer;
use crate::problem::{SearchProblem, Successor};
use crate::report::SearchError;
use crate::table::{Full, IdOf, Lookup, Record, StateId, TableFor};

/// The ids of the states of `P` in the table `T`.
pub(in crate::engine) type Id<P, T> = IdOf<T, <P as SearchProblem>::State>;

/// What an engine knows of the states, and which of them are open.
///
/// Engines reach it only through its methods. A state is *open* from when it is reached until it is
/// expanded, and again when a cheaper path to it is found. An open state has an entry in the frontier, or
/// waits for room in it, or was set aside because it costs more than is allowed, or was taken out by
/// [`take_next`](Self::take_next).
pub(in crate::engine) struct Relaxation<P: SearchProblem, R, T: TableFor<P::State, P::Cost>, F> {
    problem: P,
    order: R,
    table: T,
    frontier: F,
    /// Open states for which the frontier had no room when they were reached. They are pushed before
    /// anything else is expanded.
    waiting: Vec<Id<P, T>>,
    /// The number of successors for which there is room in `waiting`.
    ready: usize,
    /// Open states whose f is above the limit on the cost, or that wait for the next round.
    aside: Vec<Id<P, T>>,
    /// Whether the states set aside are being put back into the frontier.
    recalls: bool,
    /// A bit for each state: whether it was expanded in this round, in orders in which such states wait for
    /// the next round when they are reopened.
    expanded_in_round: Vec<u64>,
    /// The goal of the best solution so far and its cost, in orders that improve on a first one.
    incumbent: Option<(Id<P, T>, P::Cost)>,
    /// The least f of the successors that became open in this expansion, in such orders.
    least_successor: Option<P::Cost>,
    /// How many states are open.
    open: u64,
    /// An upper bound on the number of stale entries in the frontier.
    stale: u64,
    closest: Closest<P::Cost, Id<P, T>>,
    /// The first sum that did not fit into its type.
    overflow: Option<SearchError<P::Cost>>,
    left_out: LeftOut<Id<P, T>, P::Cost>,
}

/// The state with the least h that was ever open, among equals with the least g.
#[derive(Clone, Copy)]
pub(in crate::engine) struct Closest<C, I> {
    pub(in crate::engine) h: C,
    pub(in crate::engine) g: C,
    pub(in crate::engine) id: Option<I>,
}

/// A state and what the step to it costs, where it does not matter which action it is.
#[inline]
pub(in crate::engine) fn reached_by<S, C>((state, cost): (S, C)) -> Successor<S, (), C> {
    Successor { action: (), state, cost }
}

/// The frontier is compacted when it may have more stale entries than open states, by this number.
const SLACK: u64 = 1 << 10;

impl<P, R, T, F> Relaxation<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    pub(in crate::engine) fn new(problem: P, order: R, table: T, frontier: F) -> Self {
        Self {
            problem,
            order,
            table,
            frontier,
            waiting: Vec::new(),
            ready: 0,
            aside: Vec::new(),
            recalls: false,
            expanded_in_round: Vec::new(),
            incumbent: None,
            least_successor: None,
            open: 0,
            stale: 0,
            closest: Closest { h: P::Cost::INFINITY, g: P::Cost::ZERO, id: None },
            overflow: None,
            left_out: LeftOut::new(),
        }
    }

    /// Removes all states; the memory stays.
    pub(in crate::engine) fn clear(&mut self) {
        self.table.clear();
        self.frontier.clear();
        self.waiting.clear();
        self.ready = self.waiting.capacity();
        self.aside.clear();
        self.recalls = false;
        self.expanded_in_round.clear();
        (self.incumbent, self.least_successor) = (None, None);
        self.order.restart();
        (self.open, self.stale) = (0, 0);
        self.closest = Closest { h: P::Cost::INFINITY, g: P::Cost::ZERO, id: None };
        self.overflow = None;
        self.left_out.clear();
    }

    pub(in crate::engine) fn problem(&self) -> &P {
        &self.problem
    }

    pub(in crate::engine) fn problem_mut(&mut self) -> &mut P {
        &mut self.problem
    }

    pub(in crate::engine) fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }

    pub(in crate::engine) fn order(&self) -> &R {
        &self.order
    }

    pub(in crate::engine) fn table(&self) -> &T {
        &self.table
    }

    /// The table, mutable, for what the loop does not do.
    pub(in crate::engine) fn table_mut(&mut self) -> &mut T {
        &mut self.table
    }

    pub(in crate::engine) fn frontier(&self) -> &F {
        &self.frontier
    }

    pub(in crate::engine) fn frontier_mut(&mut self) -> &mut F {
        &mut self.frontier
    }

    /// The frontier, mutable, and the table.
    pub(in crate::engine) fn frontier_and_table(&mut self) -> (&mut F, &T) {
        (&mut self.frontier, &self.table)
    }

    /// The error of the first sum that did not fit into its type, if there was one.
    pub(in crate::engine) fn overflow(&self) -> Option<SearchError<P::Cost>> {
        self.overflow
    }

    /// The h of a stored state: that of its record, or, if the record keeps none, what the heuristic says
    /// now (zero if it says no number).
    #[inline]
    pub(in crate::engine) fn h_of(&self, id: Id<P, T>, record: &T::Record) -> P::Cost {
        Self::h_in((&self.problem, &self.table), id, record)
    }

    #[inline]
    fn h_in((problem, table): (&P, &T), id: Id<P, T>, record: &T::Record) -> P::Cost {
        if !R::USES_H {
            P::Cost::ZERO
        } else if T::Record::KEEPS_H {
            record.h()
        } else {
            let ask = |state: &P::State| sound_heuristic(problem, state, record.g());
            table.with_state(id, ask).unwrap_or(P::Cost::ZERO)
        }
    }

    /// The f of a stored state, or `None` where its type cannot hold it.
    #[inline]
    pub(in crate::engine) fn f_of(&self, id: Id<P, T>, record: &T::Record) -> Option<P::Cost> {
        record.g().checked_add(self.h_of(id, record))
    }

    /// The record of a state.
    #[inline]
    pub(in crate::engine) fn record(&self, id: Id<P, T>) -> T::Record {
        self.table.load(id)
    }

    /// The cost of a closed state.
    pub(in crate::engine) fn closed_cost(&self, state: &P::State) -> Option<P::Cost> {
        let record = self.table.load(self.table.id_of(state)?);
        record.is_closed().then(|| record.g())
    }

    #[inline]
    pub(in crate::engine) fn is_goal(&self, id: Id<P, T>) -> bool {
        self.table.with_state(id, |state| self.problem.is_goal(state))
    }

    /// Makes room for this many successors of a state of `layer`, whether they are new or not, so that an
    /// expansion is done wholly or not at all.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    pub(in crate::engine) fn make_room<O>(
        &mut self,
        successors: usize,
        layer: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), Full> {
        if run.is_new_layer(layer) {
            run.make_room_for_layer()?;
        }
        if successors > self.ready {
            run.memory().reserve(&mut self.waiting, successors)?;
            self.ready = self.waiting.capacity() - self.waiting.len();
        }
        if R::IMPROVES && self.order.delays_reopened() {
            run.memory().reserve(&mut self.aside, successors)?;
        }
        self.table.reserve(successors, run.memory())
    }

    /// Makes sure that states can be looked up in the table.
    #[inline]
    pub(in crate::engine) fn make_room_to_look_up<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), Full> {
        self.table.reserve(1, run.memory())
    }

    /// Relaxes every step that leads from `parent`, for which there must be room; the list is empty
    /// afterwards. States that the rules do not admit, by their g and h, are skipped and not stored; they
    /// are asked with an h of zero first. Often the rules are a closure that does just that.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in some of them")]
    pub(in crate::engine) fn relax_all<A, O: Observer<P::State, P::Cost>>(
        &mut self,
        parent: (Id<P, T>, P::Cost),
        steps: &mut Vec<Successor<P::State, A, P::Cost>>,
        rules: impl Rules<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        self.relax(parent, steps, iter::repeat(None), rules, run)
    }

    /// The same, where the keys of the states may have been made ahead of time.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in some of them")]
    pub(in crate::engine) fn relax<A, O: Observer<P::State, P::Cost>>(
        &mut self,
        (parent, parent_g): (Id<P, T>, P::Cost),
        steps: &mut Vec<Successor<P::State, A, P::Cost>>,
        keys: impl Iterator<Item = Option<T::Key>>,
        mut rules: impl Rules<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        // Most steps lead to a stored state and do not improve it, so the others are counted.
        let mut duplicates = steps.len() as u64;
        for (Successor { state, cost: step, .. }, key) in steps.drain(..).zip(keys) {
            let Some(g) = checked_step(parent_g, step, &mut self.overflow)? else {
                if R::KEEPS_LABELS {
                    self.order.leave_out(parent_g, step);
                }
                self.note_left_out(parent, run);
                duplicates -= 1;
                continue;
            };
            if O::LISTENS {
                self.tell_generated(parent, &state, g, run);
            }
            if !rules.admits(g, P::Cost::ZERO) {
                duplicates -= 1;
                continue;
            }
            let key = key.unwrap_or_else(|| self.table.key(&state));
            self.reach((key, state), g, parent, &mut duplicates, &mut rules, run)?;
        }
        run.stats.duplicates += duplicates;
        // Relaxing never makes fewer states open.
        run.stats.peak_frontier = run.stats.peak_frontier.max(self.open);
        Ok(())
    }

    /// Relaxes a step from `parent` to a state with that key, which is then reached at cost `g`. If the state is new, it
    /// is taken off the count of `duplicates`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a third of the time of a search is spent here")]
    fn reach<O>(
        &mut self,
        (key, state): (T::Key, P::State),
        g: P::Cost,
        parent: Id<P, T>,
        duplicates: &mut u64,
        rules: &mut impl Rules<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let order = &self.order;
        match self.table.find(key, &state, |record| order.improves(g, record.g())) {
            Lookup::NotImproved => {}
            Lookup::Improved(id) => self.improve((key, id), g, parent, rules, run),
            Lookup::Vacant(slot) => {
                *duplicates -= 1;
                self.add((key, slot), state, g, parent, rules, run)?;
            }
            Lookup::OutOfRange { index, count } => {
                return Err(SearchError::StateIndex { index, count });
            }
        }
        Ok(())
    }

    /// Records a cheaper path, from `parent`, to a state that is stored.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a third of the time of a search is spent here")]
    fn improve<O>(
        &mut self,
        (key, id): (T::Key, Id<P, T>),
        g: P::Cost,
        parent: Id<P, T>,
        rules: &mut impl Rules<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) {
        let record = self.table.load(id);
        let h = self.h_of(id, &record);
        run.stats.evaluated += u64::from(R::USES_H && !T::Record::KEEPS_H);
        if !rules.admits(g, h) {
            return;
        }
        let was_closed = record.is_closed();
        // Not open either are dead ends, and states whose f was too large.
        let was_open = !was_closed && h < P::Cost::INFINITY && record.g().checked_add(h).is_some();
        self.table.update(id, |stored| stored.reach(g, parent));
        run.stats.reopened += u64::from(was_closed);
        self.open = self.open.saturating_sub(u64::from(was_open));
        self.open(key, id, (g, h), was_closed.then_some(record.g()), rules, run);
        self.stale += u64::from(was_open);
        if self.stale > self.open + SLACK {
            self.compact();
        }
    }

    /// Stores a state that was reached from `parent` for the first time.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a third of the time of a search is spent here")]
    fn add<O>(
        &mut self,
        (key, slot): (T::Key, usize),
        state: P::State,
        g: P::Cost,
        parent: Id<P, T>,
        rules: &mut impl Rules<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let h = if R::USES_H {
            run.stats.evaluated += 1;
            rules.heuristic(&self.problem, &state, g)?
        } else {
            P::Cost::ZERO
        };
        run.stats.dead_ends += u64::from(h >= P::Cost::INFINITY);
        if rules.admits(g, h) {
            let id = self.table.insert(key, slot, state, T::Record::new(g, h, parent));
            self.open(key, id, (g, h), None, rules, run);
        }
        Ok(())
    }

    /// Puts a state that has become open into the frontier, unless the rules say that it need not be
    /// expanded.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from two places, both hot")]
    fn open<O, U: Rules<P, R, T>>(
        &mut self,
        key: T::Key,
        id: Id<P, T>,
        (g, h): (P::Cost, P::Cost),
        closed_at: Option<P::Cost>,
        rules: &mut U,
        run: &mut Run<P::Cost, O>,
    ) {
        let opens = |state: &P::State| rules.opens(key, state, id, g, closed_at);
        if U::WATCHES && !self.table.with_state(id, opens) {
            self.table.update(id, Record::close);
            return;
        }
        let is_delayed = R::IMPROVES && closed_at.is_some() && self.waits_for_next_round(id);
        self.place(id, (g, h), is_delayed, rules, run);
    }

    fn tell_generated<O: Observer<P::State, P::Cost>>(
        &self,
        parent: Id<P, T>,
        state: &P::State,
        g: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) {
        if parent == StateId::NONE {
            run.observer.generated(None, state, g);
        } else {
            let tell = |parent: &P::State| run.observer.generated(Some(parent), state, g);
            self.table.with_state(parent, tell);
        }
    }

    /// Puts a state that has become open into the frontier, unless no goal can be reached from it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from two places, both hot")]
    fn place<O>(
        &mut self,
        id: Id<P, T>,
        (g, h): (P::Cost, P::Cost),
        is_delayed: bool,
        rules: &mut impl Rules<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) {
        if h >= P::Cost::INFINITY {
            return;
        }
        let Some(f) = g.checked_add(h) else {
            self.overflow.get_or_insert(SearchError::Overflow { g, added: h });
            if R::KEEPS_LABELS {
                self.order.leave_out(g, h);
            }
            self.note_left_out(id, run);
            return;
        };
        if R::USES_H && h <= self.closest.h && (h < self.closest.h || g < self.closest.g) {
            self.closest = Closest { h, g, id: Some(id) };
        }
        if R::IMPROVES {
            self.notice(id, h, f);
        }
        self.open += 1;
        if is_delayed {
            self.aside.push(id);
            return;
        }
        // A state that comes after one without a place has none either, to keep the order.
        let key = self.key_of(id, (g, h, f), rules, run);
        if !self.waiting.is_empty() || self.frontier.push(id, key, run.memory()).is_err() {
            self.waiting.push(id);
            self.ready = 0;
        }
    }

    /// The key of a stored state.
    #[inline]
    fn key_of<O, U: Rules<P, R, T>>(
        &self,
        id: Id<P, T>,
        (g, h, f): (P::Cost, P::Cost, P::Cost),
        rules: &mut U,
        run: &mut Run<P::Cost, O>,
    ) -> R::Key {
        if !U::LOOKS_BACK {
            let steps = || self.table.with_state(id, |state| self.problem.distance(state));
            return self.order.key_of(g, h, f, steps);
        }
        run.stats.evaluated += 1;
        let back = self.table.with_state(id, |state| rules.heuristic_back(&self.problem, state));
        self.order.key_between(g, h, f, back)
    }
}
