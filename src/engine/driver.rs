//! [`Driver`]: the loop around the relaxation: what is taken out of the frontier, expanded, held and recalled.

use std::fmt;

use super::core::Core;
use super::parts::Parts;
use super::policy::{Next, Policy, Taken};
use super::relaxation::{HeadOf, Popped, Trail, needs_parents};
use super::{Engine, Progress, Run};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::report::{SearchError, StopReason};
use crate::table::Table;

/// The engine of every search that takes open states out of one frontier and stores what it reaches in one table:
/// what a [`Policy`] does not decide.
///
/// It decides what comes next: the starts, then the states that are recalled, then the state that is held, then the one
/// with the least key in the frontier. An expansion is done wholly or not at all. The engine of two halves and the shards
/// on threads have loops of their own.
///
/// In the order of *f* it is optimal for every heuristic that never overestimates: a closed state to which
/// a cheaper path is found is reopened, so the heuristic need not be consistent.
pub struct Driver<S: Parts, Y> {
    pub(in crate::engine) core: Core<S>,
    pub(in crate::engine) policy: Y,
}

/// How many states may be taken out without being expanded before the limits are checked.
const MOST_SKIPPED: u32 = 1 << 10;

/// How many starts may be stored before the limits are checked, also in a step, which nothing interrupts.
pub(in crate::engine) const MOST_STARTS: u32 = 1 << 12;

impl<S: Parts, Y: Policy<S>> Driver<S, Y> {
    pub(in crate::engine) fn new(
        (problem, order, policy): (S::Problem, S::Order, Y),
        table: S::Table,
        frontier: S::Frontier,
        starts: Vec<(S::State, S::Cost)>,
    ) -> Self {
        const {
            if Y::NEEDS_PARENTS {
                needs_parents::<S::Record>();
            }
        }
        Self { core: Core::new(problem, order, table, frontier, starts), policy }
    }

    /// Holds a state that is not expanded now; returns how the search ends or pauses with that.
    #[cold]
    #[inline(never)]
    fn hold<O: Observer<S::State, S::Cost>>(
        &mut self,
        head: HeadOf<S>,
        taken: Taken,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
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

    /// Whether anything is to be made ready before the next state is taken.
    #[inline]
    fn is_behind(&self) -> bool {
        if Y::SETS_ASIDE { self.core.is_behind() } else { self.core.has_starts() }
    }

    /// Makes the starts, and the states that are recalled, ready to be expanded.
    #[cold]
    #[inline(never)]
    fn catch_up<O: Observer<S::State, S::Cost>>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let Self { core, policy } = self;
        let mut left = MOST_STARTS;
        while core.has_starts() {
            if left == 0 {
                return Ok(Progress::Paused);
            }
            left -= 1;
            if let Err(full) = policy.begin(core, run)? {
                return Ok(Progress::Stopped(full.into()));
            }
            if run.is_interrupted() {
                return Ok(Progress::Paused);
            }
        }
        if Y::SETS_ASIDE && core.states.is_recalling() {
            return Ok(core.recall_some(policy, run));
        }
        Ok(Progress::Going)
    }

    /// Called when nothing is open but states that were set aside, or the round ends with the state that is held.
    #[cold]
    #[inline(never)]
    fn end_round<O: Observer<S::State, S::Cost>>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let Self { core, policy } = self;
        Ok(match policy.emptied(core, run)? {
            Next::End(progress) => progress,
            Next::GoOn => Progress::Going,
            Next::Recall => {
                core.forget_ahead();
                Progress::Paused
            }
        })
    }
}

impl<S: Parts, Y: Policy<S>> Engine for Driver<S, Y> {
    type Problem = S::Problem;
    type State = S::State;
    type Action = S::Action;
    type Cost = S::Cost;

    fn advance<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        if let Some(end) = self.policy.resumed(&mut self.core, run) {
            return Ok(end);
        }
        let until = run.stats.expanded.saturating_add(most);
        self.core.until = until;
        let mut skipped = 0;
        while run.stats.expanded < until || most == 0 {
            if self.is_behind() {
                let progress = self.catch_up(run)?;
                if !matches!(progress, Progress::Going) {
                    return Ok(progress);
                }
            }
            let Self { core, policy } = self;
            let head = match core.take(policy, run) {
                Ok(Popped::Open(head)) => head,
                Ok(Popped::Nothing) => match self.end_round(run)? {
                    Progress::Going => continue,
                    progress => return Ok(progress),
                },
                Ok(Popped::Paused) => return Ok(Progress::Paused),
                Err(full) => return Ok(Progress::Stopped(full.into())),
            };
            match policy.taken(core, &head, run) {
                Taken::Expand if most > 0 => {}
                Taken::SetAside
                    if Y::SETS_ASIDE && core.states.set_aside(head.id, run).is_err() =>
                {
                    return self.hold(head, Taken::SetAside, run);
                }
                Taken::Drop | Taken::SetAside => {
                    skipped += 1;
                    // A policy may have called the problem.
                    if skipped == MOST_SKIPPED || run.is_interrupted() {
                        return Ok(Progress::Paused);
                    }
                    continue;
                }
                other => return self.hold(head, other, run),
            }
            if let Err(full) = policy.expand(core, &head, run)? {
                core.held = Some(head);
                return Ok(Progress::Stopped(full.into()));
            }
            if run.is_interrupted() {
                break;
            }
            skipped = 0;
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, run: &mut Run<S::Cost, O>) -> S::Cost {
        self.policy.lower_bound(&mut self.core, run)
    }

    fn path(&mut self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.policy.path(&self.core)
    }

    fn closest(&self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        // The id of a label is given to another when the label is dominated.
        if self.keeps_closed() { self.core.states.path_to_closest(Y::TRAIL) } else { Ok(None) }
    }

    fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&S::State) -> K,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        if !self.keeps_closed() {
            return Ok(None);
        }
        self.core.states.path_to_closest_by(key, Y::TRAIL)
    }

    fn stored(&self) -> usize {
        self.core.states.table().len()
    }

    fn keeps_closed(&self) -> bool {
        Y::TRAIL != Trail::Labels
    }

    fn closed_cost(&self, state: &S::State) -> Option<S::Cost> {
        if self.keeps_closed() { self.core.states.closed_cost(state) } else { None }
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (S::State, S::Cost)>) {
        self.core.restart(starts);
        self.policy.restart(&mut self.core);
    }

    fn set_problem(&mut self, problem: S::Problem) {
        self.core.states.set_problem(problem);
    }
}

impl<S: Parts, Y: fmt::Debug> fmt::Debug for Driver<S, Y> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { core, policy } = self;
        f.debug_struct("Driver").field("core", core).field("policy", policy).finish()
    }
}
