//! [`Core`]: what every search keeps that takes open states out of one frontier, and how one of them is expanded.

use super::lookahead::Lookahead;
use super::parts::Parts;
use super::policy::{Policy, Taken};
use super::relaxation::{Head, HeadOf, Popped, Relaxation, Trail};
use super::{Order, Progress, Run};
use crate::cost::{Cost, larger, smaller};
use crate::debug::show_fields;
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::Reversible;
use crate::report::{SearchError, StopReason};
use crate::table::{Full, Record, Table};

/// What a [`Driver`](super::driver::Driver) keeps whatever its policy is, and each half of a search from both ends.
///
/// It owns what waits: the starts, the state that was taken out and not expanded, with its key, and, in the
/// [`Relaxation`], what found no room and what was set aside.
pub struct Core<S: Parts> {
    pub(in crate::engine) states: Relaxation<S>,
    lookahead: Lookahead<S>,
    /// The starts, until all are among the states.
    pub(in crate::engine) starts: Vec<(S::State, S::Cost)>,
    /// The number of these that are.
    stored_starts: usize,
    /// All starts, if the records do not say by their parents which these are.
    roots: Vec<(S::State, S::Cost)>,
    /// An open state that was taken out of the frontier and not expanded: it comes next.
    pub(in crate::engine) held: Option<HeadOf<S>>,
    last_expanded: Option<S::Id>,
    /// The limit on the cost when the search was last told to go on.
    most_cost: Option<S::Cost>,
    /// The largest lower bound so far.
    pub(in crate::engine) lower_bound: S::Cost,
    /// The count of expansions at which the driver returns.
    pub(in crate::engine) until: u64,
}

/// Tells the compiler that it seldom comes here, so that nothing is loaded for it before.
#[cold]
#[inline]
fn rarely() {}

impl<S: Parts> Core<S> {
    pub(in crate::engine) fn new(
        problem: S::Problem,
        order: S::Order,
        table: S::Table,
        frontier: S::Frontier,
        starts: Vec<(S::State, S::Cost)>,
    ) -> Self {
        Self {
            states: Relaxation::new(problem, order, table, frontier),
            lookahead: Lookahead::new(),
            starts,
            stored_starts: 0,
            roots: Vec::new(),
            held: None,
            last_expanded: None,
            most_cost: None,
            lower_bound: S::Cost::ZERO,
            until: 0,
        }
    }

    /// Forgets all states, and begins at these; the memory stays.
    pub(in crate::engine) fn restart(
        &mut self,
        starts: impl IntoIterator<Item = (S::State, S::Cost)>,
    ) {
        self.states.clear();
        self.lookahead.restart();
        self.starts.clear();
        self.starts.extend(starts);
        self.stored_starts = 0;
        (self.held, self.last_expanded) = (None, None);
        self.lower_bound = S::Cost::ZERO;
    }

    /// Forgets the successors that were generated ahead of time; the memory stays.
    pub(in crate::engine) fn forget_ahead(&mut self) {
        self.lookahead.clear();
    }

    /// Stores the next start. If there is no room for all that are left, nothing is done.
    pub(in crate::engine) fn begin<O: Observer<S::State, S::Cost>, Y: Policy<S>>(
        &mut self,
        policy: &mut Y,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Result<(), Full>, SearchError<S::Cost>> {
        if let Err(full) = self.store_start(policy, run)? {
            return Ok(Err(full));
        }
        if self.starts_left() == 0 {
            self.forget_starts();
            policy.started(self, run);
        }
        Ok(Ok(()))
    }

    /// The same, but the search [has starts](Self::has_starts) until they are forgotten.
    pub(in crate::engine) fn store_start<O: Observer<S::State, S::Cost>, Y: Policy<S>>(
        &mut self,
        policy: &mut Y,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Result<(), Full>, SearchError<S::Cost>> {
        let Self { states, lookahead, starts, stored_starts, roots, .. } = self;
        if !S::Record::KEEPS_PARENT && *stored_starts == 0 {
            roots.clear();
            if let Err(full) = run.memory().reserve(roots, starts.len()) {
                return Ok(Err(full.into()));
            }
            roots.extend_from_slice(starts);
        }
        let left = starts.get(*stored_starts..).unwrap_or_default();
        if let Err(full) = lookahead.store_start(states, left, policy, run)? {
            return Ok(Err(full));
        }
        *stored_starts += 1;
        Ok(Ok(()))
    }

    /// Forgets the starts: all are among the states.
    pub(in crate::engine) fn forget_starts(&mut self) {
        self.starts.clear();
        self.stored_starts = 0;
    }

    /// How many starts are not among the states yet.
    pub(in crate::engine) fn starts_left(&self) -> usize {
        self.starts.len().saturating_sub(self.stored_starts)
    }

    /// Expands an open state that was taken out. It is done wholly or, if there is no room, not at all.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    pub(in crate::engine) fn expand<O: Observer<S::State, S::Cost>, Y: Policy<S>>(
        &mut self,
        head: &HeadOf<S>,
        policy: &mut Y,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Result<(), Full>, SearchError<S::Cost>> {
        let Self { states, lookahead, .. } = self;
        if let Err(full) = lookahead.expand(states, head, policy, run)? {
            return Ok(Err(full));
        }
        self.last_expanded = Some(head.id);
        policy.expanded(self, head, run);
        Ok(Ok(()))
    }

    /// Called when the search is told to go on: where the limit on the cost is another one, the states that were set
    /// aside, and the state that is held, are put into the frontier before any other is taken out. One of them may
    /// precede all others by its key now, and lead to a cheaper solution than theirs.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is no room for that; the next call tries it again.
    pub(in crate::engine) fn recall_at_new_limit<O>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        let most = run.budget.limits().cost_limit();
        if most == self.most_cost {
            return Ok(());
        }
        if self.states.has_aside() {
            if let Some(Head { id, .. }) = self.held {
                self.states.set_aside(id, run)?;
                self.held = None;
            }
            self.states.begin_recall();
        }
        self.most_cost = most;
        Ok(())
    }

    /// Puts some of the states that were set aside into the frontier again.
    pub(in crate::engine) fn recall_some<O>(
        &mut self,
        policy: &mut impl Policy<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Progress {
        let is_done = self.states.recall_some(policy, run);
        policy.recalled(self);
        match is_done {
            Ok(true) => Progress::Going,
            Ok(false) => Progress::Paused,
            Err(full) => Progress::Stopped(full.into()),
        }
    }

    /// The open state that comes next.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in one of them")]
    pub(in crate::engine) fn take<O>(
        &mut self,
        policy: &impl Policy<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Popped<HeadOf<S>>, OutOfMemory> {
        if let Some(head) = self.held {
            rarely();
            self.held = None;
            return Ok(Popped::Open(head));
        }
        self.states.take_next(policy, run)
    }

    /// The open state that comes next, which is held then; `Paused` also where states wait for room.
    pub(in crate::engine) fn peek<O>(
        &mut self,
        policy: &impl Policy<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Popped<HeadOf<S>> {
        let next = self.take(policy, run).unwrap_or(Popped::Paused);
        if let Popped::Open(head) = next {
            self.held = Some(head);
        }
        next
    }

    /// Whether starts are not among the states yet, or states set aside not in the frontier.
    #[inline]
    pub(in crate::engine) fn is_behind(&self) -> bool {
        self.has_starts() || self.states.is_recalling()
    }

    /// Whether there are starts that are not among the states yet.
    #[inline]
    pub(in crate::engine) fn has_starts(&self) -> bool {
        !self.starts.is_empty()
    }

    /// The state that was expanded last, and its cost.
    pub(in crate::engine) fn last_expanded(&self) -> Option<(S::State, S::Cost)> {
        let id = self.last_expanded?;
        let state = self.states.table().with_state(id, Clone::clone);
        Some((state, self.states.record(id).g()))
    }

    /// The least f of all open states. Takes one pass over them.
    pub(in crate::engine) fn least_open_f(&self) -> Option<S::Cost> {
        let held = self.held.as_ref().map(|head| head.id).and_then(|id| {
            let record = self.states.record(id);
            self.states.f_of(id, &record).filter(|_| !record.is_closed())
        });
        held.into_iter().chain(self.states.least_open_f()).reduce(smaller)
    }

    /// What becomes of the open state with the least key where the first goal is the answer, if goals are answers.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop")]
    pub(in crate::engine) fn judge<O>(
        &mut self,
        policy: &impl Policy<S>,
        head: &HeadOf<S>,
        answers: bool,
        run: &mut Run<S::Cost, O>,
    ) -> Taken {
        if !policy.is_affordable(self.states.order(), head.f, run) {
            // In another order, other states may still be affordable.
            return if S::Order::IS_BY_F { Taken::Stop(StopReason::Cost) } else { Taken::SetAside };
        }
        if S::Order::IS_BY_F {
            self.lower_bound = larger(self.lower_bound, head.f);
        }
        if answers && self.states.is_goal(head.id) { Taken::Answer } else { Taken::Expand }
    }

    /// What is proved by the least f of the open states; the largest that was ever proved.
    pub(in crate::engine) fn bound<O>(
        &mut self,
        policy: &impl Policy<S>,
        answers: bool,
        run: &mut Run<S::Cost, O>,
    ) -> S::Cost {
        if self.is_behind() {
            // Starts come into the frontier first: what is next now need not be next then.
            return self.lower_bound;
        }
        let head = match self.peek(policy, run) {
            Popped::Open(head) => Some(head),
            Popped::Nothing => None,
            // It is not known yet.
            Popped::Paused => return self.lower_bound,
        };
        let least_f = if S::Order::IS_BY_F { head.map(|head| head.f) } else { self.least_open_f() };
        let bound = larger(self.lower_bound, least_f.unwrap_or(S::Cost::INFINITY));
        if let Some(Head { id, .. }) = head
            && answers
            && self.states.is_goal(id)
        {
            // A path cheaper than a bound shows that the heuristic overestimates: nothing is proved.
            let cost = self.states.record(id).g();
            if bound.exceeds(cost) || self.states.known().overestimates_on_path(id, cost) {
                return S::Cost::ZERO;
            }
        }
        if head.is_some() || self.states.has_aside() {
            self.lower_bound = larger(self.lower_bound, bound);
        }
        bound
    }

    /// A path to a stored state: by the parents in the records, or, if these keep none, by the predecessors that the
    /// problem lists and the costs.
    pub(in crate::engine) fn retrace(
        &self,
        state: &S::State,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>>
    where
        S::Problem: Reversible,
    {
        let known = self.states.known();
        match known.table.id_of(state) {
            Some(id) if S::Record::KEEPS_PARENT => known.path_to(id, Trail::Costs),
            Some(id) => known.path_by_predecessors(id, &self.roots).map(Some),
            None => Ok(None),
        }
    }

    /// The path to a state, if it is a goal.
    pub(in crate::engine) fn path_to_goal(
        &self,
        id: Option<S::Id>,
        steps: Trail,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        match id {
            Some(id) if self.states.is_goal(id) => self.states.known().path_to(id, steps),
            _ => Ok(None),
        }
    }
}

show_fields! { [S: Parts] Core<S>, "Core" { states, lower_bound } }
