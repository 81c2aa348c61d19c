//! [`Driver`]: the loop around the relaxation: what is taken out of the frontier, expanded, held and recalled.

use std::fmt;

use super::lookahead::Lookahead;
use super::policy::{Next, Policy, Taken};
use super::relaxation::{Head, Id, Popped, Relaxation, Trail, reached_by};
use super::{Engine, Order, Progress, Run, Search};
use crate::cost::{Cost, larger, smaller};
use crate::frontier::Frontier;
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::{SearchProblem, Successor};
use crate::report::{SearchError, StopReason};
use crate::table::{Record, StateId, TableFor};

/// The engine of every search that takes open states out of one frontier and stores what it reaches in one table:
/// what a [`Policy`] does not decide.
///
/// It owns what waits: the starts, the state that was taken out and not expanded, with its key, and, in the
/// [`Relaxation`], what found no room and what was set aside. An expansion is done wholly or not at all.
///
/// In the order of *f* it is optimal for every heuristic that never overestimates: a closed state to which
/// a cheaper path is found is reopened, so the heuristic need not be consistent.
pub struct Driver<P: SearchProblem, R: Order<P::Cost>, T: TableFor<P::State, P::Cost>, F, Y> {
    pub(in crate::engine) core: Core<P, R, T, F>,
    pub(in crate::engine) policy: Y,
}

/// What the driver keeps for every policy.
pub struct Core<P: SearchProblem, R: Order<P::Cost>, T: TableFor<P::State, P::Cost>, F> {
    pub(in crate::engine) states: Relaxation<P, R, T, F>,
    lookahead: Lookahead<P, T>,
    /// Starts that are not among the states yet.
    starts: Vec<Successor<P::State, (), P::Cost>>,
    /// An open state that was taken out of the frontier and not expanded: it comes next.
    held: Option<HeadOf<P, R, T>>,
    last_expanded: Option<Id<P, T>>,
    /// The largest lower bound so far.
    pub(in crate::engine) lower_bound: P::Cost,
}

/// An open state of a search of `P` in the order `R`, taken out of the frontier.
pub type HeadOf<P, R, T> =
    Head<Id<P, T>, <R as Order<<P as SearchProblem>::Cost>>::Key, <P as SearchProblem>::Cost>;

/// The error of a search of `P`.
type ErrorOf<P> = SearchError<<P as SearchProblem>::Cost>;

/// So many states are taken out and not expanded before the limits are checked again.
const MOST_SKIPPED: u32 = 1 << 10;

impl<P, R, T, F, Y> Driver<P, R, T, F, Y>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
    Y: Policy<P, R, T, F>,
{
    pub(in crate::engine) fn new(
        (problem, order, policy): (P, R, Y),
        table: T,
        frontier: F,
        starts: Vec<(P::State, P::Cost)>,
    ) -> Self {
        let core = Core {
            states: Relaxation::new(problem, order, table, frontier),
            lookahead: Lookahead::new(),
            starts: starts.into_iter().map(reached_by).collect(),
            held: None,
            last_expanded: None,
            lower_bound: P::Cost::ZERO,
        };
        Self { core, policy }
    }

    /// Holds a state that is not expanded now; returns how the search ends or pauses with that.
    #[cold]
    #[inline(never)]
    fn hold<O: Observer<P::State, P::Cost>>(
        &mut self,
        head: HeadOf<P, R, T>,
        taken: Taken,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, ErrorOf<P>> {
        self.core.held = Some(head);
        Ok(match taken {
            Taken::Answer => Progress::Found,
            Taken::Stop(reason) => Progress::Stopped(reason),
            Taken::EndRound => return self.end_round(run),
            // There was no room to set it aside.
            Taken::SetAside => Progress::Stopped(StopReason::Memory),
            Taken::Expand | Taken::Drop => Progress::Going,
        })
    }

    /// Called when nothing is open but states that were set aside, or the round ends with the state that is held.
    #[cold]
    #[inline(never)]
    fn end_round<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, ErrorOf<P>> {
        let Self { core, policy } = self;
        Ok(match policy.emptied(core, run)? {
            Next::End(progress) => progress,
            Next::Recall => {
                core.lookahead.clear();
                Progress::Paused
            }
        })
    }

    /// Makes the starts, and the states that are recalled, ready to be expanded.
    #[cold]
    #[inline(never)]
    fn catch_up<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, ErrorOf<P>> {
        let Self { core, policy } = self;
        if !core.starts.is_empty() {
            if let Err(full) = core.states.make_room(core.starts.len(), P::Cost::ZERO, run) {
                return Ok(Progress::Stopped(full.into()));
            }
            core.states.order().validate()?;
            let from = (StateId::NONE, P::Cost::ZERO);
            core.states.relax_all(from, &mut core.starts, policy, run)?;
            // Starts are given, not generated.
            run.stats.duplicates = 0;
            policy.started(core, run);
        }
        if core.states.is_recalling() {
            return Ok(match core.states.recall_some(policy, run) {
                Ok(true) => Progress::Going,
                Ok(false) => Progress::Paused,
                Err(full) => Progress::Stopped(full.into()),
            });
        }
        Ok(Progress::Going)
    }

    /// Expands a state, which was taken out, wholly or, if there is no room for its successors, not at all: then it
    /// is held.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from two places, hot in one of them")]
    fn expand<O: Observer<P::State, P::Cost>>(
        &mut self,
        head: HeadOf<P, R, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, ErrorOf<P>> {
        let Self { core, policy } = self;
        let Core { states, lookahead, .. } = core;
        if let Err(full) = lookahead.expand(states, &head, policy, run)? {
            core.held = Some(head);
            return Ok(Progress::Stopped(full.into()));
        }
        core.last_expanded = Some(head.id);
        policy.expanded(core, &head, run);
        Ok(Progress::Going)
    }

    /// Expands the state that is held, whatever the policy says of it.
    pub(in crate::engine) fn expand_held<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, ErrorOf<P>> {
        self.core.held.take().map_or(Ok(Progress::Going), |head| self.expand(head, run))
    }
}

/// Tells the compiler that it seldom comes here, so that nothing is loaded for it before.
#[cold]
#[inline]
fn rarely() {}

impl<P, R, T, F> Core<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    /// The open state that comes next.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in one of them")]
    fn take<O>(
        &mut self,
        policy: &impl Policy<P, R, T, F>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Popped<HeadOf<P, R, T>>, OutOfMemory> {
        if let Some(head) = self.held {
            rarely();
            self.held = None;
            return Ok(Popped::Open(head));
        }
        self.states.take_next(policy, run)
    }

    /// The open state that comes next, which is held then.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] where it is not known yet: states wait for room, or many entries were stale.
    pub(in crate::engine) fn peek<O>(
        &mut self,
        policy: &impl Policy<P, R, T, F>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Option<HeadOf<P, R, T>>, OutOfMemory> {
        self.held = match self.take(policy, run)? {
            Popped::Open(head) => Some(head),
            Popped::Nothing => None,
            Popped::Paused => return Err(OutOfMemory),
        };
        Ok(self.held)
    }

    /// The open state that was taken out and not expanded.
    pub(in crate::engine) fn held(&self) -> Option<&HeadOf<P, R, T>> {
        self.held.as_ref()
    }

    /// The same, to be put elsewhere.
    pub(in crate::engine) fn release_held(&mut self) -> Option<HeadOf<P, R, T>> {
        self.held.take()
    }

    /// Whether starts are not among the states yet, or states set aside not in the frontier.
    #[inline]
    pub(in crate::engine) fn is_behind(&self) -> bool {
        !self.starts.is_empty() || self.states.is_recalling()
    }

    /// Whether there are starts that are not among the states yet.
    pub(in crate::engine) fn has_starts(&self) -> bool {
        !self.starts.is_empty()
    }

    /// The state that was expanded last, and its cost.
    pub(in crate::engine) fn last_expanded(&self) -> Option<(P::State, P::Cost)> {
        let id = self.last_expanded?;
        let state = self.states.table().with_state(id, Clone::clone);
        Some((state, self.states.record(id).g()))
    }

    /// The least f of all open states. Takes one pass over them.
    pub(in crate::engine) fn least_open_f(&self) -> Option<P::Cost> {
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
        policy: &impl Policy<P, R, T, F>,
        head: &HeadOf<P, R, T>,
        answers: bool,
        run: &mut Run<P::Cost, O>,
    ) -> Taken {
        if !policy.is_affordable(self.states.order(), head.f, run) {
            // In another order, other states may still be affordable.
            return if R::IS_BY_F { Taken::Stop(StopReason::Cost) } else { Taken::SetAside };
        }
        if R::IS_BY_F {
            self.lower_bound = larger(self.lower_bound, head.f);
        }
        if answers && self.states.is_goal(head.id) { Taken::Answer } else { Taken::Expand }
    }

    /// What is proved by the least f of the open states; the largest that was ever proved.
    pub(in crate::engine) fn bound<O>(
        &mut self,
        policy: &impl Policy<P, R, T, F>,
        answers: bool,
        run: &mut Run<P::Cost, O>,
    ) -> P::Cost {
        if self.is_behind() {
            // Starts come into the frontier first: what is next now need not be next then.
            return self.lower_bound;
        }
        let Ok(head) = self.peek(policy, run) else { return self.lower_bound };
        let least_f = if R::IS_BY_F { head.map(|head| head.f) } else { self.least_open_f() };
        let bound = larger(self.lower_bound, least_f.unwrap_or(P::Cost::INFINITY));
        if let Some(Head { id, .. }) = head
            && answers
            && self.states.is_goal(id)
        {
            // A path cheaper than a bound shows that the heuristic overestimates: nothing is proved.
            let cost = self.states.record(id).g();
            if bound.exceeds(cost) || self.states.known().overestimates_on_path(id, cost) {
                return P::Cost::ZERO;
            }
        }
        if head.is_some() || self.states.has_aside() {
            self.lower_bound = larger(self.lower_bound, bound);
        }
        bound
    }

    /// The path to a state, if it is a goal.
    pub(in crate::engine) fn path_to_goal(
        &self,
        id: Option<Id<P, T>>,
        steps: Trail,
    ) -> Result<Option<PathOf<P>>, ErrorOf<P>> {
        match id {
            Some(id) if self.states.is_goal(id) => self.states.known().path_to(id, steps),
            _ => Ok(None),
        }
    }
}

impl<P, R, T, F, Y> Engine for Driver<P, R, T, F, Y>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
    Y: Policy<P, R, T, F>,
{
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, ErrorOf<P>> {
        if let Some(end) = self.policy.resumed(&mut self.core, run) {
            return Ok(end);
        }
        let until = run.stats.expanded.saturating_add(most);
        let mut skipped = 0;
        while run.stats.expanded < until || most == 0 {
            if self.core.is_behind() {
                let progress = self.catch_up(run)?;
                if progress != Progress::Going {
                    return Ok(progress);
                }
            }
            let Self { core, policy } = self;
            let head = match core.take(policy, run) {
                Ok(Popped::Open(head)) => head,
                Ok(Popped::Nothing) => return self.end_round(run),
                Ok(Popped::Paused) => return Ok(Progress::Paused),
                Err(full) => return Ok(Progress::Stopped(full.into())),
            };
            match policy.taken(core, &head, run) {
                Taken::Expand if most > 0 => {}
                Taken::SetAside if core.states.set_aside(head.id, run).is_err() => {
                    return self.hold(head, Taken::SetAside, run);
                }
                Taken::Drop | Taken::SetAside => {
                    skipped += 1;
                    if skipped == MOST_SKIPPED {
                        return Ok(Progress::Paused);
                    }
                    continue;
                }
                other => return self.hold(head, other, run),
            }
            let progress = self.expand(head, run)?;
            if progress != Progress::Going || run.is_interrupted() {
                return Ok(progress);
            }
            skipped = 0;
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, run: &mut Run<P::Cost, O>) -> P::Cost {
        self.policy.lower_bound(&mut self.core, run)
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, ErrorOf<P>> {
        self.policy.path(&self.core)
    }

    fn closest(&self) -> Result<Option<PathOf<P>>, ErrorOf<P>> {
        // The id of a label is given to another when the label is dominated.
        if Y::TRAIL == Trail::Labels {
            return Ok(None);
        }
        self.core.states.path_to_closest(Y::TRAIL)
    }

    fn stored(&self) -> usize {
        self.core.states.table().len()
    }

    fn keeps_closed(&self) -> bool {
        Y::TRAIL != Trail::Labels
    }

    fn closed_cost(&self, state: &P::State) -> Option<P::Cost> {
        if self.keeps_closed() { self.core.states.closed_cost(state) } else { None }
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        let Self { core, policy } = self;
        core.states.clear();
        core.lookahead.clear();
        core.starts.clear();
        core.starts.extend(starts.into_iter().map(reached_by));
        (core.held, core.last_expanded) = (None, None);
        core.lower_bound = P::Cost::ZERO;
        policy.restart(core.states.order_mut());
    }

    fn set_problem(&mut self, problem: P) {
        self.core.states.set_problem(problem);
    }
}

impl<P, R, T, F, Y, O> Search<Driver<P, R, T, F, Y>, O>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
    Y: Policy<P, R, T, F>,
    O: Observer<P::State, P::Cost>,
{
    /// The path to the state with the least `key` of all that were reached so far, among equals the one
    /// with the least *g*; `None` if no state was reached. It is for searches that were stopped or found no
    /// path. [`Report::closest`](crate::Report::closest) is the same by the heuristic.
    ///
    /// Takes one pass over the table, and the key of every state.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    ///
    /// ```
    /// use bestfirst::{Dijkstra, FnProblem};
    ///
    /// // No multiple of 7 is 100.
    /// let sevens = FnProblem::new(
    ///     |&n: &u32| (n < 200).then_some((n + 7, 1_u32)), |_: &u32| 0, |&n: &u32| n == 100,
    /// );
    /// let mut search = Dijkstra::new(&sevens).search(0);
    /// assert!(search.run()?.path().is_none());
    /// let closest = search.closest_by(|&n| n.abs_diff(100))?.expect("the start is reached");
    /// assert_eq!((closest.end(), closest.cost()), (&98, 14));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    #[doc(alias = "nearest")]
    pub fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&P::State) -> K,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let states = &self.engine().core.states;
        states.path_to_closest_by(key, Y::TRAIL)
    }
}

impl<P, R, T, F, Y> fmt::Debug for Driver<P, R, T, F, Y>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: fmt::Debug,
    Y: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { core, policy } = self;
        f.debug_struct("Driver").field("core", core).field("policy", policy).finish()
    }
}

impl<P, R, T, F> fmt::Debug for Core<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core")
            .field("states", &self.states)
            .field("lower_bound", &self.lower_bound)
            .finish_non_exhaustive()
    }
}
