//! The relaxation loop: what a step from an expanded state does to the table and the frontier.
//!
//! `open`: which states are open, and which is next. `prefetch`: what the problem is told of those that are expanded soon. `left_out`:
//! states left out because a sum did not fit. `paths`: paths by parents. `predecessors`: paths by costs alone. `shards`: for loops that
//! hold only a part of the states.

mod left_out;
mod open;
mod paths;
mod predecessors;
mod prefetch;
#[cfg(feature = "parallel")]
mod shards;

#[cfg(feature = "parallel")]
pub(in crate::engine) use left_out::smaller_sum;
pub use open::HeadOf;
pub(in crate::engine) use open::{Head, Popped};
use paths::closest_by;
pub(in crate::engine) use paths::trail;
pub use paths::{Known, Trail};

pub(in crate::engine) use left_out::LeftOut;

use std::vec::Drain;

use super::Order;
use super::checked::{checked_step, note_overflow};
use super::policy::Policy;
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::Run;
use crate::engine::parts::{Parts, TableKey};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::{SearchProblem, Successor, Successors};
use crate::report::SearchError;
use crate::table::{Full, IdOf, Lookup, Record, StateId, Table};
use open::OpenStates;
use prefetch::Opened;

/// The ids of the states of `P` in the table `T`.
pub type Id<P, T> = IdOf<T, <P as SearchProblem>::State>;

/// What an engine knows of the states, and which of them are open.
///
/// Engines reach it only through its methods. A state is *open* from when it is reached until it is
/// expanded, and again when a cheaper path to it is found. An open state has an entry in the frontier, or
/// waits for room in it, or was set aside, or was taken out by [`take_next`](Self::take_next).
pub struct Relaxation<S: Parts> {
    problem: S::Problem,
    order: S::Order,
    table: S::Table,
    open_states: OpenStates<S::Frontier, S::Id, S::Key>,
    opened: Opened<S::Id>,
    /// How many states are open.
    open: u64,
    /// About how many entries of the frontier are stale: those that became stale minus those skipped since.
    stale: u64,
    closest: Closest<S::Cost, S::Id>,
    /// The first sum that did not fit into its type.
    overflow: Option<SearchError<S::Cost>>,
    left_out: LeftOut<S::Cost>,
    /// An action, if actions have no size, so that it need not be asked for where a path is returned.
    action: Option<S::Action>,
}

show_fields! {
    [S: Parts] Relaxation<S>,
    "Relaxation" (this) { order, table, frontier = this.open_states.frontier }
}

/// The state with the least h that was ever open, among equals with the least g.
#[derive(Clone, Copy)]
pub(in crate::engine) struct Closest<C, I> {
    pub(in crate::engine) h: C,
    pub(in crate::engine) g: C,
    pub(in crate::engine) id: Option<I>,
}

impl<C: Cost, I> Closest<C, I> {
    fn none() -> Self {
        Self { h: C::INFINITY, g: C::ZERO, id: None }
    }
}

/// A step: the state that it leads to, its cost, and the key of that state, if it is made.
type Step<S> = (<S as Parts>::State, <S as Parts>::Cost, Option<TableKey<S>>);

/// The steps from a state.
pub(in crate::engine) trait Steps<S: Parts> {
    fn next(&mut self, table: &S::Table) -> Option<Step<S>>;
}

impl<S, F> Steps<S> for F
where
    S: Parts,
    F: FnMut() -> Option<Step<S>>,
{
    #[inline]
    fn next(&mut self, _: &S::Table) -> Option<Step<S>> {
        self()
    }
}

/// The successors in a buffer, whose keys are made. In a type of its own, as a closure is not always inlined.
pub(in crate::engine) struct Drained<'a, S: Parts>(
    pub(in crate::engine) Drain<'a, Successor<S::State, S::Action, S::Cost>>,
);

impl<S: Parts> Steps<S> for Drained<'_, S> {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "in the loop over the successors, which is hot")]
    fn next(&mut self, table: &S::Table) -> Option<Step<S>> {
        let key = table.key(&self.0.as_slice().first()?.state);
        self.0.next().map(|Successor { state, cost, .. }| (state, cost, Some(key)))
    }
}

/// Fails to compile if the record keeps no parent.
pub(in crate::engine) const fn needs_parents<R: Record>() {
    assert!(
        R::KEEPS_PARENT,
        "this search needs a record that keeps the parent of a state: leave out `costs_only`"
    );
}

/// The frontier is compacted when it has more stale entries than open states, by this number.
const SLACK: u64 = 1 << 10;

impl<S: Parts> Relaxation<S> {
    pub(in crate::engine) fn new(
        problem: S::Problem,
        order: S::Order,
        table: S::Table,
        frontier: S::Frontier,
    ) -> Self {
        Self {
            problem,
            order,
            table,
            open_states: OpenStates::new(frontier),
            opened: Opened::new(),
            open: 0,
            stale: 0,
            closest: Closest::none(),
            overflow: None,
            left_out: LeftOut::new(),
            action: None,
        }
    }

    /// Removes all states; the memory stays.
    pub(in crate::engine) fn clear(&mut self) {
        self.table.clear();
        self.open_states.clear();
        self.opened.clear();
        (self.open, self.stale) = (0, 0);
        self.closest = Closest::none();
        self.overflow = None;
        self.left_out.clear();
    }

    pub(in crate::engine) fn problem(&self) -> &S::Problem {
        &self.problem
    }

    pub(in crate::engine) fn problem_mut(&mut self) -> &mut S::Problem {
        &mut self.problem
    }

    pub(in crate::engine) fn set_problem(&mut self, problem: S::Problem) {
        self.problem = problem;
    }

    pub(in crate::engine) fn order(&self) -> &S::Order {
        &self.order
    }

    pub(in crate::engine) fn order_mut(&mut self) -> &mut S::Order {
        &mut self.order
    }

    pub(in crate::engine) fn table(&self) -> &S::Table {
        &self.table
    }

    /// The table, mutable, for what the loop does not do.
    pub(in crate::engine) fn table_mut(&mut self) -> &mut S::Table {
        &mut self.table
    }

    pub(in crate::engine) fn frontier(&self) -> &S::Frontier {
        &self.open_states.frontier
    }

    pub(in crate::engine) fn frontier_mut(&mut self) -> &mut S::Frontier {
        &mut self.open_states.frontier
    }

    /// The frontier, mutable, and the table.
    pub(in crate::engine) fn frontier_and_table(&mut self) -> (&mut S::Frontier, &S::Table) {
        (&mut self.open_states.frontier, &self.table)
    }

    /// The problem, the order and the table, to be read.
    #[inline]
    pub(in crate::engine) fn known(&self) -> Known<'_, S> {
        Known {
            problem: &self.problem,
            order: &self.order,
            table: &self.table,
            action: self.action.as_ref(),
        }
    }

    /// Takes note of the action of a successor, if actions have no size.
    #[cold]
    pub(in crate::engine) fn note_action(&mut self, successors: &Successors<S::Problem>) {
        if size_of::<S::Action>() == 0
            && let Some(Successor { action, .. }) = successors.as_slice().first()
        {
            self.action = Some(action.clone());
        }
    }

    /// The error of the first sum that did not fit into its type, if there was one.
    pub(in crate::engine) fn overflow(&self) -> Option<SearchError<S::Cost>> {
        self.overflow
    }

    /// The h of a stored state.
    #[inline]
    pub(in crate::engine) fn h_of(&self, id: S::Id, record: &S::Record) -> S::Cost {
        self.known().h_of(id, record)
    }

    /// The f of a stored state, or `None` where its type cannot hold it.
    #[inline]
    pub(in crate::engine) fn f_of(&self, id: S::Id, record: &S::Record) -> Option<S::Cost> {
        self.known().f_of(id, record)
    }

    /// The record of a state.
    #[inline]
    pub(in crate::engine) fn record(&self, id: S::Id) -> S::Record {
        self.table.load(id)
    }

    /// The id of a state and what is known of it, if it is stored.
    pub(in crate::engine) fn look_up(&self, state: &S::State) -> Option<(S::Id, S::Record)> {
        let id = self.table.id_of(state)?;
        Some((id, self.table.load(id)))
    }

    /// The cost of a closed state.
    pub(in crate::engine) fn closed_cost(&self, state: &S::State) -> Option<S::Cost> {
        let (_, record) = self.look_up(state)?;
        record.is_closed().then(|| record.g())
    }

    #[inline]
    pub(in crate::engine) fn is_goal(&self, id: S::Id) -> bool {
        self.known().is_goal(id)
    }

    /// The path to the closest state.
    pub(in crate::engine) fn path_to_closest(
        &self,
        steps: Trail,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        match self.closest.id {
            Some(id) => self.known().path_to(id, steps),
            None => Ok(None),
        }
    }

    /// The path to the stored state with the least key, among equals with the least g.
    pub(in crate::engine) fn path_to_closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&S::State) -> K,
        steps: Trail,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        let closest = closest_by::<S::Problem, S::Table, K>(&self.table, key);
        closest.map_or(Ok(None), |id| self.known().path_to(id, steps))
    }

    /// Makes room for this many successors of a state, whether they are new or not, so that an expansion is done wholly or
    /// not at all.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    pub(in crate::engine) fn make_room<O>(
        &mut self,
        successors: usize,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Full> {
        self.open_states.make_room(successors, run.memory())?;
        self.table.reserve(successors, run.memory())
    }

    /// Makes sure that states can be looked up in the table.
    #[inline]
    pub(in crate::engine) fn make_room_to_look_up<O>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Full> {
        self.table.reserve(1, run.memory())
    }

    /// Relaxes every step that leads from `parent`, for which there must be room. There are `count` of them; `steps` returns one after the
    /// other: the state that it leads to, its cost, and the key of that state, if it has one. `steps` computes the key while the
    /// state is still in its buffer: reading a small array just after it was copied in pieces of another size stalls the processor
    /// (store-to-load forwarding fails). States that the policy
    /// does not admit, by their g and h, are skipped and not stored.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in some of them")]
    pub(in crate::engine) fn relax<O: Observer<S::State, S::Cost>>(
        &mut self,
        (parent, parent_g): (S::Id, S::Cost),
        count: usize,
        mut steps: impl Steps<S>,
        policy: &mut impl Policy<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), SearchError<S::Cost>> {
        // Most steps lead to a stored state and do not improve it, so the others are counted.
        let mut duplicates = count as u64;
        while let Some((state, step, key)) = steps.next(&self.table) {
            let Some(g) = self.sum_of_step(parent_g, step)? else {
                if policy.overflowed(parent_g, step) {
                    self.note_left_out(parent, run);
                }
                duplicates -= 1;
                continue;
            };
            if O::LISTENS {
                self.tell_generated(parent, &state, g, run);
            }
            if !policy.may_admit(g) {
                duplicates -= 1;
                continue;
            }
            let key = key.unwrap_or_else(|| self.table.key(&state));
            self.reach((key, state), g, parent, &mut duplicates, policy, run)?;
        }
        run.stats.duplicates += duplicates;
        // Once for all successors: relaxing makes fewer states open only in half searches, where the other half has closed some.
        if self.open > run.stats.peak_frontier {
            run.stats.peak_frontier = self.open;
        }
        Ok(())
    }

    /// The cost after a step, or `None`, which is noted, if its type or the record cannot hold it.
    #[inline]
    fn sum_of_step(
        &mut self,
        g: S::Cost,
        step: S::Cost,
    ) -> Result<Option<S::Cost>, SearchError<S::Cost>> {
        let sum = checked_step(g, step, &mut self.overflow)?;
        if sum.is_some_and(|sum| !S::Record::holds(sum)) {
            note_overflow(&mut self.overflow, g, step);
            return Ok(None);
        }
        Ok(sum)
    }

    /// Relaxes a step from `parent` to a state with that key, which is then reached at cost `g`. If the state is new, it
    /// is taken off the count of `duplicates`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "in the loop over the successors, which is hot")]
    fn reach<O>(
        &mut self,
        (key, state): (TableKey<S>, S::State),
        g: S::Cost,
        parent: S::Id,
        duplicates: &mut u64,
        policy: &mut impl Policy<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), SearchError<S::Cost>> {
        let improves = |record: &S::Record| policy.improves(g, record.g());
        let (id, h, closed_at) = match self.table.find(key, &state, improves) {
            Lookup::NotImproved => return Ok(()),
            Lookup::Improved(id) => {
                let record = self.table.load(id);
                let h = self.h_of(id, &record);
                run.stats.evaluated += u64::from(S::Order::USES_H && !S::Record::KEEPS_H);
                if !policy.admits(g, h) {
                    return Ok(());
                }
                run.stats.reopened += u64::from(record.is_closed());
                (id, h, self.improve(id, &record, h, g, parent, policy))
            }
            Lookup::Vacant(slot) => {
                *duplicates -= 1;
                let h = if S::Order::USES_H {
                    run.stats.evaluated += 1;
                    policy.heuristic(&self.problem, &state, g)?
                } else {
                    S::Cost::ZERO
                };
                run.stats.dead_ends += u64::from(h >= S::Cost::INFINITY);
                if !policy.admits(g, h) {
                    return Ok(());
                }
                let id = self.table.insert(key, slot, state, S::Record::new(g, h, parent));
                (id, h, None)
            }
            Lookup::OutOfRange { index, count } => {
                return Err(SearchError::StateIndex { index, count });
            }
        };
        // Once for both, as all of the frontier's code is inlined there.
        self.open(key, id, (g, h), closed_at, policy, run);
        Ok(())
    }

    /// Records a cheaper path, from `parent`, to a state that is stored with this record. Returns its cost before, if it was
    /// closed.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "in the loop over the successors, which is hot")]
    fn improve(
        &mut self,
        id: S::Id,
        record: &S::Record,
        h: S::Cost,
        g: S::Cost,
        parent: S::Id,
        policy: &impl Policy<S>,
    ) -> Option<S::Cost> {
        let was_closed = record.is_closed();
        // Dead ends, and states whose f does not fit its type, are not open either.
        let was_open = !was_closed && h < S::Cost::INFINITY && record.g().checked_add(h).is_some();
        self.table.update(id, |stored| stored.reach(g, parent));
        self.open = self.open.saturating_sub(u64::from(was_open));
        self.stale += u64::from(was_open);
        if self.stale > self.open + SLACK {
            self.compact(policy);
        }
        was_closed.then_some(record.g())
    }

    /// Puts a state that has become open into the frontier, unless the policy says that it need not be
    /// expanded.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "in the loop over the successors, which is hot")]
    fn open<O, Y: Policy<S>>(
        &mut self,
        key: TableKey<S>,
        id: S::Id,
        (g, h): (S::Cost, S::Cost),
        closed_at: Option<S::Cost>,
        policy: &mut Y,
        run: &mut Run<S::Cost, O>,
    ) {
        let opens = |state: &S::State| policy.opens(key, state, id, g, closed_at);
        if Y::ASKS_OPENS && !self.table.with_state(id, opens) {
            self.table.update(id, Record::close);
            return;
        }
        let is_delayed = closed_at.is_some() && policy.is_delayed(&self.order, id);
        self.place(id, (g, h), is_delayed, policy, run);
    }

    fn tell_generated<O: Observer<S::State, S::Cost>>(
        &self,
        parent: S::Id,
        state: &S::State,
        g: S::Cost,
        run: &mut Run<S::Cost, O>,
    ) {
        if parent == StateId::NONE {
            run.observer.generated(None, state, g);
        } else {
            let tell = |parent: &S::State| run.observer.generated(Some(parent), state, g);
            self.table.with_state(parent, tell);
        }
    }

    /// Puts a state that has become open into the frontier, or sets it aside if it is delayed; neither if no goal can be reached
    /// from it, or its f does not fit into its type.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "in the loop over the successors, which is hot")]
    fn place<O>(
        &mut self,
        id: S::Id,
        (g, h): (S::Cost, S::Cost),
        is_delayed: bool,
        policy: &mut impl Policy<S>,
        run: &mut Run<S::Cost, O>,
    ) {
        if h >= S::Cost::INFINITY {
            return;
        }
        let Some(f) = g.checked_add(h) else {
            note_overflow(&mut self.overflow, g, h);
            if policy.overflowed(g, h) {
                self.note_left_out(id, run);
            }
            return;
        };
        if S::Order::USES_H && h <= self.closest.h && (h < self.closest.h || g < self.closest.g) {
            self.closest = Closest { h, g, id: Some(id) };
        }
        self.open += 1;
        let known = self.known();
        policy.opened(known, id, h, f);
        if is_delayed {
            self.open_states.aside.push(id);
            return;
        }
        let key = policy.key(known, id, (g, h, f), &mut run.stats);
        self.open_states.push(id, key, run.memory());
        self.note_opened(id);
    }
}
