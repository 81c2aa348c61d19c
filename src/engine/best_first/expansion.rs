//! The engine of best-first search: which state is expanded next, and when the search ends.

use std::fmt;
use std::ops::ControlFlow;

use super::lookahead::Lookahead;
use super::relaxation::{Relaxation, reached_by};
use crate::cost::{Cost, larger};
use crate::engine::{Engine, Progress, Run};
use crate::frontier::Frontier;
use crate::limits::OutOfMemory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::{SearchProblem, Successor};
use crate::report::{SearchError, StopReason};
use crate::table::{Distance, NO_STATE, Node, StateId, Table};

/// Best-first search in order of *f = g + h*; ties are broken towards larger *g*.
///
/// Optimal for every heuristic that never overestimates: a closed state to which a cheaper way is
/// found is opened again, so the heuristic need not be consistent.
///
/// Source: Hart, Nilsson and Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost
/// Paths*, 1968.
pub struct BestFirstEngine<P: SearchProblem, T: Table<P>, F> {
    states: Relaxation<P, T, F>,
    /// Starts that are not among the states yet.
    starts: Vec<Successor<P::State, (), P::Cost>>,
    lookahead: Lookahead<P, T>,
    /// What was taken out of the frontier and is to be expanded next: a goal, or where a limit came
    /// between.
    next: Option<(StateId, P::Cost)>,
    last_expanded: Option<StateId>,
    /// The largest f so far: as f of the next is a lower bound at any time, the largest is one.
    lower_bound: P::Cost,
    passes_goals: bool,
    /// Whether there may be goals that were passed and not looked for since.
    has_passed: bool,
    /// The cheapest of those goals and its cost, once it was looked for.
    passed: Option<(StateId, P::Cost)>,
}

/// The state to expand next and its f, or how the search ends before it.
type Next<C> = ControlFlow<Progress, (StateId, C)>;

impl<P, T, F> BestFirstEngine<P, T, F>
where
    P: SearchProblem,
    T: Table<P>,
    F: Frontier<P::Cost>,
{
    pub(super) fn new(problem: P, table: T, frontier: F, starts: Vec<(P::State, P::Cost)>) -> Self {
        Self {
            states: Relaxation::new(problem, table, frontier),
            starts: starts.into_iter().map(reached_by).collect(),
            lookahead: Lookahead::new(),
            next: None,
            last_expanded: None,
            lower_bound: P::Cost::ZERO,
            passes_goals: false,
            has_passed: false,
            passed: None,
        }
    }

    pub(super) fn begin_anew(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.states.clear();
        self.lookahead.clear();
        self.starts.clear();
        self.starts.extend(starts.into_iter().map(reached_by));
        self.next = None;
        self.last_expanded = None;
        self.lower_bound = P::Cost::ZERO;
        (self.has_passed, self.passed) = (false, None);
    }

    pub(super) fn set_problem(&mut self, problem: P) {
        self.states.problem = problem;
    }

    /// The state to expand next, unless the search ends there.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from two places, hot in one of them")]
    fn next_to_expand<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Next<P::Cost>, SearchError<P::Cost>> {
        let (id, f) = match self.take_next(run) {
            Ok(Some(next)) => next,
            Ok(None) => {
                let end = Ok(ControlFlow::Break(Progress::Exhausted));
                return self.states.overflow.map_or(end, Err);
            }
            Err(OutOfMemory) => {
                return Ok(ControlFlow::Break(Progress::Stopped(StopReason::Memory)));
            }
        };
        if run.is_too_expensive(f) {
            self.next = Some((id, f));
            return Ok(ControlFlow::Break(Progress::Stopped(StopReason::Cost)));
        }
        self.lower_bound = larger(self.lower_bound, f);
        if !self.passes_goals && self.states.is_goal(id) {
            self.next = Some((id, f));
            return Ok(ControlFlow::Break(Progress::Found));
        }
        Ok(ControlFlow::Continue((id, f)))
    }

    /// Expands the next state, unless the search ends there.
    #[inline]
    fn expand_next<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let (id, f) = match self.next_to_expand(run)? {
            ControlFlow::Continue(next) => next,
            ControlFlow::Break(end) => return Ok(end),
        };
        let Self { states, lookahead, .. } = self;
        let distance = states.table.distance();
        let looks_ahead = distance == Distance::Scattered;
        let count = lookahead.turn_to(id, looks_ahead, &states.problem, &states.table);
        if lookahead.make_room(looks_ahead, &mut run.memory).is_err()
            || states.make_room(count, f, run).is_err()
        {
            self.next = Some((id, f));
            return Ok(Progress::Stopped(StopReason::Memory));
        }
        self.last_expanded = Some(id);
        let node = states.begin_expansion(id, f, count as u64, run);
        let parent = (id, node.g());
        if looks_ahead {
            lookahead.announce(node.parent(), states, &mut run.memory);
            let (steps, keys) = lookahead.announced();
            states.relax(parent, steps, keys, |_, _| true, run)?;
        } else {
            if distance == Distance::Far {
                states.fetch_coming();
            }
            states.relax_all(parent, lookahead.successors(), |_, _| true, run)?;
        }
        Ok(Progress::Going)
    }

    /// Whether the search ends before the next expansion.
    #[cold]
    fn look_ahead<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        Ok(match self.next_to_expand(run)? {
            ControlFlow::Continue(next) => {
                self.next = Some(next);
                Progress::Going
            }
            ControlFlow::Break(end) => end,
        })
    }

    /// The open state with the smallest f.
    #[inline]
    fn take_next<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Option<(StateId, P::Cost)>, OutOfMemory> {
        match self.next.take() {
            Some(next) => Ok(Some(next)),
            None => self.states.take_best(run),
        }
    }

    /// Makes the starts, and the states that found no room in the frontier, ready to be expanded.
    #[cold]
    fn catch_up<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let Self { states, starts, .. } = self;
        if states.place_waiting(run).is_err()
            || states.make_room(starts.len(), P::Cost::ZERO, run).is_err()
        {
            return Ok(Progress::Stopped(StopReason::Memory));
        }
        if !starts.is_empty() {
            states.relax_all((NO_STATE, P::Cost::ZERO), starts, |_, _| true, run)?;
            // Starts are given, not generated.
            run.stats.duplicates = 0;
        }
        if states.has_unplaced() {
            return Ok(Progress::Stopped(StopReason::Memory));
        }
        Ok(Progress::Going)
    }

    /// The path to a stored state.
    pub(in crate::engine) fn path_to(
        &self,
        id: StateId,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.states.path_to(id)
    }

    /// What is known of a state, if it is stored.
    pub(in crate::engine) fn look_up(&self, state: &P::State) -> Option<(StateId, &Node<P::Cost>)> {
        let id = self.states.table.id_of(&self.states.problem, state)?;
        Some((id, self.states.table.node(id)))
    }

    /// Calls `visit` for every state stored, in a fixed order.
    pub(in crate::engine) fn for_each(&self, visit: impl FnMut(&P::State, &Node<P::Cost>)) {
        self.states.table.for_each(&self.states.problem, visit);
    }

    /// Whether goals are expanded like any other state, and not answers.
    pub(in crate::engine) fn pass_goals(&mut self, pass: bool) {
        self.passes_goals = pass;
        self.has_passed |= pass;
    }

    /// The goal that is the answer though it was passed, if goals are answers now. All states are
    /// looked at once, and only if some were passed. (Those are closed at their final cost: only
    /// Dijkstra's algorithm passes goals.)
    fn passed_goal(&mut self) -> Option<(StateId, P::Cost)> {
        if self.passes_goals {
            return None;
        }
        if self.has_passed && self.passed.is_none() {
            self.passed = self.find_passed_goal();
        }
        self.has_passed = false;
        self.passed
    }

    #[cold]
    fn find_passed_goal(&self) -> Option<(StateId, P::Cost)> {
        let mut cheapest: Option<(P::State, P::Cost)> = None;
        self.for_each(|state, node| {
            let is_cheaper = cheapest.as_ref().is_none_or(|&(_, cost)| node.g() < cost);
            if is_cheaper && node.is_closed() && self.states.problem.is_goal(state) {
                cheapest = Some((state.clone(), node.g()));
            }
        });
        let (state, cost) = cheapest?;
        Some((self.look_up(&state)?.0, cost))
    }

    /// The state that was expanded last, and its cost.
    pub(in crate::engine) fn last_expanded(&self) -> Option<(P::State, P::Cost)> {
        let id = self.last_expanded?;
        let state = self.states.table.with_state(&self.states.problem, id, Clone::clone);
        Some((state, self.states.table.node(id).g()))
    }

    /// Whether a goal of cost `f` is next, but the heuristic has said of a state on the way to it, or
    /// of one expanded before, that there can be none so cheap.
    fn shows_overestimate(&self, goal: StateId, f: P::Cost) -> bool {
        let exceeds = |bound: P::Cost| bound.exceeds(f);
        let on_way = |&id: &StateId| self.states.table.node(id).f().is_none_or(exceeds);
        self.states.is_goal(goal)
            && (exceeds(self.lower_bound) || self.states.trail(goal).iter().any(on_way))
    }
}

impl<P, T, F> Engine for BestFirstEngine<P, T, F>
where
    P: SearchProblem,
    T: Table<P>,
    F: Frontier<P::Cost>,
{
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        if let Some((_, cost)) = self.passed_goal() {
            let is_allowed = !run.is_too_expensive(cost);
            return Ok(if is_allowed {
                Progress::Found
            } else {
                Progress::Stopped(StopReason::Cost)
            });
        }
        let until = run.stats.expanded.saturating_add(most);
        while run.stats.expanded < until || most == 0 {
            if !self.starts.is_empty() || self.states.has_unplaced() {
                let progress = self.catch_up(run)?;
                if progress != Progress::Going {
                    return Ok(progress);
                }
            }
            if most == 0 {
                return self.look_ahead(run);
            }
            let progress = self.expand_next(run)?;
            if progress != Progress::Going {
                return Ok(progress);
            }
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, run: &mut Run<P::Cost, O>) -> P::Cost {
        if let Some((_, cost)) = self.passed_goal() {
            return cost;
        }
        if !self.starts.is_empty() || self.states.has_unplaced() {
            // Those come into the frontier first: what is next now need not be next then.
            return self.lower_bound;
        }
        let Ok(next) = self.take_next(run) else { return self.lower_bound };
        self.next = next;
        match next {
            // A path cheaper than the bound shows that the heuristic overestimates: nothing is proved.
            Some((id, f)) if self.shows_overestimate(id, f) => P::Cost::ZERO,
            Some((_, f)) => larger(self.lower_bound, f),
            None => P::Cost::INFINITY,
        }
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        match self.passed_goal().or(self.next) {
            Some((id, _)) if self.states.is_goal(id) => self.path_to(id),
            _ => Ok(None),
        }
    }

    fn stored(&self) -> usize {
        self.states.table.len()
    }
}

impl<P: SearchProblem, T: Table<P>, F: fmt::Debug> fmt::Debug for BestFirstEngine<P, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BestFirstEngine")
            .field("table", &self.states.table)
            .field("frontier", &self.states.frontier)
            .field("lower_bound", &self.lower_bound)
            .finish_non_exhaustive()
    }
}
