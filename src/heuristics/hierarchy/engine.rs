//! [`HierarchyEngine`]: queries as a search like others, with limits, reports and paths.

use super::Hierarchy;
use super::meeting::Meeting;
use super::pool::Pooled;
use super::upward::Open;
use crate::Dijkstra;
use crate::cost::Cost;
use crate::engine::checked::checked_step;
use crate::engine::{Engine, ErrorOf, PathBy, Progress, Run};
use crate::observer::Observer;
use crate::path::Path;
use crate::problem::{DenseStates, Reversible, SearchProblem, SuccessorBuffer};
use crate::report::{Outcome, SearchError, StopReason};

/// A rank on a path, and the cost of the step to it.
type StepTo<C> = (u32, C);

/// While a path is built, the problem is told of states that are so far ahead.
const AHEAD: usize = 4;

/// The engine of queries of a [`Hierarchy`].
pub struct HierarchyEngine<'h, P: SearchProblem> {
    hierarchy: &'h Hierarchy<P::Cost>,
    problem: P,
    starts: Vec<(P::State, P::Cost)>,
    meeting: Pooled<'h, Meeting<P::Cost>>,
    /// Whether the starts and the goals are open.
    has_begun: bool,
    /// Bytes that the account of memory knows of.
    claimed: usize,
}

impl<P: SearchProblem> std::fmt::Debug for HierarchyEngine<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HierarchyEngine").field("meeting", &self.meeting).finish_non_exhaustive()
    }
}

impl<'h, P: Reversible + DenseStates> HierarchyEngine<'h, P> {
    pub(super) fn new(
        hierarchy: &'h Hierarchy<P::Cost>,
        problem: P,
        starts: Vec<(P::State, P::Cost)>,
    ) -> Self {
        let meeting = hierarchy.meeting();
        Self { hierarchy, problem, starts, meeting, has_begun: false, claimed: 0 }
    }
}

impl<P: Reversible + DenseStates> HierarchyEngine<'_, P> {
    /// Opens the starts and the goals.
    fn begin(&mut self) -> Result<(), SearchError<P::Cost>> {
        self.meeting.begin();
        for (start, cost) in &self.starts {
            let rank = self.rank(start)?;
            // A start that costs too much is left out; the problem itself is asked if there is no path then.
            let cost = checked_step(P::Cost::ZERO, *cost, &mut None)?;
            if let Some(cost) = cost {
                self.meeting.start(rank, cost);
            }
        }
        for goal in self.problem.goals() {
            let rank = self.rank(&goal)?;
            self.meeting.goal(rank);
        }
        self.has_begun = true;
        Ok(())
    }

    fn rank(&self, state: &P::State) -> Result<u32, SearchError<P::Cost>> {
        let (index, count) = (self.problem.state_index(state), self.hierarchy.ranks.len());
        let rank = self.hierarchy.ranks.get(index).copied();
        rank.ok_or(SearchError::StateIndex { index, count })
    }

    /// Counts what the labels and the open states take. (The list of open states is counted by the most that there were:
    /// it may have grown in an earlier query.)
    fn account<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<(), StopReason> {
        let open = usize::try_from(run.stats_mut().peak_frontier).unwrap_or(usize::MAX);
        let bytes =
            self.meeting.bytes().saturating_add(open.saturating_mul(size_of::<Open<P::Cost>>()));
        let more = bytes.saturating_sub(self.claimed);
        run.memory().claim(more)?;
        self.claimed += more;
        Ok(())
    }

    /// The path, if actions tell nothing: then the problem need not be asked for the successors of every state on it.
    fn path_by_costs(
        &self,
        ranks: &[StepTo<P::Cost>],
        start_cost: P::Cost,
        state: impl Fn(&StepTo<P::Cost>) -> P::State,
    ) -> Option<PathBy<Self>> {
        let (first, rest) = ranks.split_first()?;
        if size_of::<P::Action>() > 0 || rest.is_empty() {
            return None;
        }
        let start = state(first);
        let mut successors = SuccessorBuffer::new();
        self.problem.successors(&start, &mut successors);
        // A type without size has one value.
        let action = successors.pop()?.action;
        let mut path = Path::with_capacity(start, start_cost, rest.len());
        for step in rest {
            path.push(action.clone(), state(step), step.1).ok()?;
        }
        Some(path)
    }

    /// How a search ends that has expanded all that it must.
    fn end<O>(&self, run: &Run<P::Cost, O>) -> Result<Progress, SearchError<P::Cost>> {
        if let Some(best) = self.meeting.best() {
            let is_dear = run.exceeds_cost_limit(best);
            return Ok(if is_dear { Progress::Stopped(StopReason::Cost) } else { Progress::Found });
        }
        let is_certain = self.meeting.overflow().is_none() && !self.hierarchy.overflows;
        if is_certain {
            return Ok(Progress::Exhausted);
        }
        let limits = run.budget.limits().clone();
        let starts = self.starts.iter().cloned();
        let report =
            Dijkstra::new(&self.problem).dense().limits(limits).search_from(starts).run()?;
        Ok(match report.outcome {
            Outcome::Stopped(reason) => Progress::Stopped(reason),
            _ => Progress::Exhausted,
        })
    }
}

impl<P: Reversible + DenseStates> Engine for HierarchyEngine<'_, P> {
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, ErrorOf<Self>> {
        // The labels are there from the beginning on.
        if let Err(reason) = self.account(run) {
            return Ok(Progress::Stopped(reason));
        }
        if !self.has_begun {
            self.begin()?;
        }
        for _ in 0..most {
            let Some((rank, cost)) = self.meeting.expand(&self.hierarchy.graph) else {
                return self.end(run);
            };
            run.stats_mut().expanded += 1;
            let open = self.meeting.open_count() as u64;
            if open > run.stats_mut().peak_frontier {
                run.stats_mut().peak_frontier = open;
                if let Err(reason) = self.account(run) {
                    return Ok(Progress::Stopped(reason));
                }
            }
            if O::LISTENS {
                let index = self.hierarchy.states[rank as usize] as usize;
                run.observer_mut().expanded(&self.problem.state_at(index), cost, P::Cost::ZERO);
            }
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        if self.has_begun { self.meeting.lower_bound() } else { P::Cost::ZERO }
    }

    fn path(&mut self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
        if !self.has_begun {
            return Ok(None);
        }
        let Some((ranks, cost)) = self.meeting.path(&self.hierarchy.graph) else { return Ok(None) };
        let state = |(rank, _): &StepTo<P::Cost>| {
            self.problem.state_at(self.hierarchy.states[*rank as usize] as usize)
        };
        if let Some(path) = self.path_by_costs(&ranks, cost, state) {
            return Ok(Some(path));
        }
        let mut ahead = ranks.iter().skip(AHEAD).map(state);
        let states = ranks.iter().map(|rank| {
            if let Some(later) = ahead.next() {
                self.problem.prefetch(&later);
            }
            state(rank)
        });
        Path::through(&self.problem, states, cost).map_err(SearchError::Path)
    }

    fn stored(&self) -> usize {
        0
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.starts.clear();
        self.starts.extend(starts);
        self.has_begun = false;
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }
}
