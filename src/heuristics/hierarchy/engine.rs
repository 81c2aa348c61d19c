//! [`HierarchyEngine`]: queries as a search like others, with limits, reports and paths.

use super::Hierarchy;
use super::meeting::Meeting;
use super::pool::Pooled;
use super::reach::Reach;
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::checked::checked_step;
use crate::engine::halt::Halt;
use crate::engine::{Engine, ErrorOf, PathBy, Progress, Run};
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::{Path, PathError};
use crate::problem::{DenseStates, Reversible, SearchProblem, SuccessorBuffer};
use crate::report::SearchError;

/// A rank on a path, and the cost of the step to it.
type StepTo<C> = (u32, C);

/// A path, if there is one.
type Found<P> = Option<
    Path<<P as SearchProblem>::State, <P as SearchProblem>::Action, <P as SearchProblem>::Cost>,
>;

/// While a path is built, the problem is told of states that are so far ahead.
const AHEAD: usize = 4;

/// So many starts and goals are opened before the limits are checked: the next call passes over all that are open.
const OPENED_AT_ONCE: usize = 1 << 10;

/// The engine of queries of a [`Hierarchy`].
pub struct HierarchyEngine<'h, P: SearchProblem> {
    hierarchy: &'h Hierarchy<P::Cost>,
    problem: P,
    starts: Vec<(P::State, P::Cost)>,
    meeting: Pooled<'h, Meeting<P::Cost>>,
    /// Whether the account of memory knows of what earlier queries have left.
    is_counted: bool,
    /// How many of the starts and the goals are open.
    opened: usize,
    /// Whether all of them are.
    has_begun: bool,
    /// Decides whether there is a path whose cost does not fit.
    reach: Reach<P>,
    /// The path that is proved to be a cheapest one, between the calls for the bound and for the path.
    proved: Option<Result<Found<P>, SearchError<P::Cost>>>,
}

show_fields! { [P: SearchProblem] HierarchyEngine<'_, P>, "HierarchyEngine" { meeting } }

impl<'h, P: Reversible + DenseStates> HierarchyEngine<'h, P> {
    pub(super) fn new(
        hierarchy: &'h Hierarchy<P::Cost>,
        problem: P,
        starts: Vec<(P::State, P::Cost)>,
    ) -> Self {
        let mut meeting = hierarchy.meetings.take(Meeting::new);
        meeting.shrink();
        Self {
            hierarchy,
            problem,
            starts,
            meeting,
            is_counted: false,
            opened: 0,
            has_begun: false,
            reach: Reach::new(),
            proved: None,
        }
    }
}

impl<P: Reversible + DenseStates> HierarchyEngine<'_, P> {
    /// Opens the starts and the goals that are not yet open, until the run is interrupted.
    fn begin<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<(), Halt<P::Cost>> {
        if self.opened == 0 {
            self.meeting.begin();
        }
        for (start, cost) in self.starts.iter().skip(self.opened) {
            let rank = self.rank(start)?;
            match checked_step(P::Cost::ZERO, *cost, &mut None)? {
                Some(cost) => self.meeting.start(rank, cost, run.memory())?,
                // It is left out; the problem itself is asked if there is no path then.
                None => self.meeting.note_overflow([P::Cost::ZERO, *cost]),
            }
            opened_one(&mut self.opened, run)?;
        }
        for goal in self.problem.goals().skip(self.opened - self.starts.len()) {
            let rank = self.rank(&goal)?;
            self.meeting.goal(rank, run.memory())?;
            opened_one(&mut self.opened, run)?;
        }
        self.has_begun = true;
        Ok(())
    }

    fn rank(&self, state: &P::State) -> Result<u32, SearchError<P::Cost>> {
        let (index, count) = (self.problem.state_index(state), self.hierarchy.ranks.len());
        let rank = self.hierarchy.ranks.get(index).copied();
        rank.ok_or(SearchError::StateIndex { index, count })
    }

    /// Makes the labels, and counts those that an earlier query has left.
    fn prepare(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if !self.is_counted {
            memory.claim(self.meeting.bytes())?;
            self.is_counted = true;
        }
        self.meeting.prepare(self.hierarchy.states.len(), memory)
    }

    /// The path, if actions tell nothing: then the problem need not be asked for the successors of every state on it.
    fn path_by_costs(
        &self,
        ranks: &[StepTo<P::Cost>],
        start_cost: P::Cost,
        state: impl Fn(&StepTo<P::Cost>) -> P::State,
    ) -> Option<PathBy<Self>> {
        let (first, rest) = ranks.split_first()?;
        let is_too_long = ranks.len() > self.hierarchy.graph.most_on_path();
        if size_of::<P::Action>() > 0 || rest.is_empty() || is_too_long {
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

    /// The best path so far.
    fn unpacked(&self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
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
        Path::through(&self.problem, states, cost).map_err(|error| match error {
            // Floats are summed in another order here.
            PathError::Overflow { sum, cost, .. } => SearchError::Overflow { g: sum, added: cost },
            error => error.into(),
        })
    }

    fn expand<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, Halt<P::Cost>> {
        if !self.has_begun {
            self.prepare(run.memory())?;
            self.begin(run)?;
            run.enter_layer(P::Cost::ZERO);
        }
        let graph = &self.hierarchy.graph;
        for left in (0..=most).rev() {
            let Some(turn) = self.meeting.next() else { return self.end(left, run) };
            if left == 0 || run.is_interrupted() {
                break;
            }
            self.meeting.reserve(turn, graph, run.memory())?;
            let Some((rank, cost)) = self.meeting.expand(turn, graph) else { break };
            let stats = run.stats_mut();
            stats.expanded += 1;
            stats.peak_frontier = stats.peak_frontier.max(self.meeting.open_count() as u64);
            if O::LISTENS {
                let index = self.hierarchy.states[rank as usize] as usize;
                run.observer_mut().expanded(&self.problem.state_at(index), cost, P::Cost::ZERO);
            }
        }
        Ok(Progress::Going)
    }

    /// How a search ends that has expanded all that it must.
    fn end<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, Halt<P::Cost>> {
        if let Some(best) = self.meeting.best() {
            return Ok(run.found(best));
        }
        let overflow = self.meeting.overflow();
        if overflow.is_none() && !self.hierarchy.overflows {
            return Ok(Progress::Exhausted);
        }
        let progress = self.reach.expand(&self.problem, &self.starts, most, run)?;
        if progress == Progress::Found {
            let [g, added] = overflow.unwrap_or([P::Cost::INFINITY; 2]);
            return Err(SearchError::Overflow { g, added }.into());
        }
        Ok(progress)
    }
}

/// Counts a start or goal that was opened. If the run is interrupted, the next call goes on with the next one.
fn opened_one<C: Cost, O>(opened: &mut usize, run: &Run<C, O>) -> Result<(), Halt<C>> {
    *opened += 1;
    let is_over = opened.is_multiple_of(OPENED_AT_ONCE) && run.is_interrupted();
    if is_over { Err(Halt::PAUSED) } else { Ok(()) }
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
        let progress = self.expand(most, run).or_else(Halt::progress);
        if self.has_begun {
            run.rename_layer(self.meeting.lower_bound());
        }
        progress
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        if !self.has_begun {
            return P::Cost::ZERO;
        }
        let bound = self.meeting.lower_bound();
        if self.meeting.best() != Some(bound) {
            return bound;
        }
        // Floats are added in another order along the path.
        let path = self.unpacked();
        let cost = path.as_ref().ok().and_then(|path| Some(path.as_ref()?.cost()));
        self.proved = Some(path);
        cost.filter(|&cost| !bound.exceeds(cost)).unwrap_or(bound)
    }

    fn path(&mut self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
        self.proved.take().unwrap_or_else(|| self.unpacked())
    }

    fn stored(&self) -> usize {
        0
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.starts.clear();
        self.starts.extend(starts);
        (self.opened, self.has_begun, self.proved) = (0, false, None);
        self.reach.restart();
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }
}
