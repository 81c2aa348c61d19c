//! The engine of a search by several criteria.

use std::fmt;
use std::ops::ControlFlow;

use super::order::ByCriteria;
use super::solutions::{Solutions, least};
use crate::cost::{Cost, Criteria, smaller};
use crate::engine::best_first::{AdmitAll, Lookahead, Relaxation, Taken, reached_by};
use crate::engine::{Engine, Progress, Run};
use crate::frontier::{Frontier, Lexicographic};
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::{SearchProblem, Successor};
use crate::report::{SearchError, StopReason};
use crate::table::{IdOf, LabelTable, Record, StateId, Table, TableFor};

/// The engine of [`Pareto`](crate::Pareto): search by several criteria.
///
/// It is the relaxation loop of the best-first engines over labels: paths to states, of which there may be many
/// to one state. A label that a closed label of its state dominates is not stored, and not expanded if that is
/// found out when it comes out of the frontier; nor is one whose *f* a solution dominates.
///
/// With two criteria that is BOA\*, and each of these checks is one comparison; with more, it is LTMOA\*.
pub struct ParetoEngine<P, T, F>
where
    P: SearchProblem<Cost: Criteria>,
    T: TableFor<P::State, P::Cost>,
{
    labels: Relaxation<P, ByCriteria<P::Cost>, Labels<P, T>, F>,
    lookahead: Lookahead<P, Labels<P, T>>,
    /// Starts that are not among the labels yet.
    starts: Vec<Successor<P::State, (), P::Cost>>,
    /// A label that was taken out of the frontier and is looked at next, and its f.
    next: Option<LabelAndF<P, T>>,
    solutions: Solutions<P::Cost, LabelId<P, T>>,
    /// The limit on the cost that labels set aside were beyond.
    beyond: Option<P::Cost>,
}

/// The labels of a search of `P` whose states are in the table `T`.
type Labels<P, T> = LabelTable<<P as SearchProblem>::State, T>;

/// The ids of its labels.
type LabelId<P, T> = IdOf<T, <P as SearchProblem>::State>;

/// The label to expand next and its f, or how the search ends before it, or an error.
type Next<P, T> =
    Result<ControlFlow<Progress, LabelAndF<P, T>>, SearchError<<P as SearchProblem>::Cost>>;

/// A label and its f.
type LabelAndF<P, T> = (LabelId<P, T>, <P as SearchProblem>::Cost);

/// What is taken out of the frontier.
type TakenBy<P, T> = Taken<LabelId<P, T>, (), <P as SearchProblem>::Cost>;

/// So many labels are skipped before the limits are checked again.
const MOST_SKIPPED: u32 = 1 << 10;

impl<P, T, F> ParetoEngine<P, T, F>
where
    P: SearchProblem<Cost: Criteria>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<LabelId<P, T>, Lexicographic<P::Cost>>,
{
    pub(super) fn new(
        problem: P,
        order: ByCriteria<P::Cost>,
        states: T,
        frontier: F,
        starts: Vec<(P::State, P::Cost)>,
    ) -> Self {
        Self {
            labels: Relaxation::new(problem, order, LabelTable::new(states), frontier),
            lookahead: Lookahead::new(),
            starts: starts.into_iter().map(reached_by).collect(),
            next: None,
            solutions: Solutions::new(),
            beyond: None,
        }
    }

    /// The costs of the solutions so far, in order.
    pub(super) fn costs(&self) -> impl ExactSizeIterator<Item = P::Cost> {
        self.solutions.list().iter().map(|&(cost, _)| cost)
    }

    /// The path of the solution with that number, counted from 0.
    pub(super) fn nth_path(
        &self,
        number: usize,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let label = self.solutions.list().get(number);
        label.map_or(Ok(None), |&(_, label)| self.labels.path_to(label))
    }

    /// What no solution that is not found yet costs less than by any criterion. Takes one pass over the open
    /// labels.
    pub(super) fn bound_of_rest(&self) -> P::Cost {
        if !self.starts.is_empty() {
            return P::Cost::ZERO;
        }
        let not_dominated = |&f: &P::Cost| !self.solutions.dominate(f);
        let next = self.next.map(|(_, f)| f).filter(not_dominated);
        let left_out = self.labels.order().left_out().filter(not_dominated);
        let mut bound = least(next.into_iter().chain(left_out));
        self.labels.for_each_open_f(|f| {
            if !self.solutions.dominate(f) {
                bound = bound.least(f);
            }
        });
        bound
    }

    /// The label to expand next, unless the search ends there.
    #[inline]
    fn next_to_expand<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Next<P, T> {
        for _ in 0..MOST_SKIPPED {
            let (id, f) = match self.take_next(run) {
                Ok(Taken::Open(id, (), f)) => (id, f),
                Ok(Taken::Nothing) => return self.end().map(ControlFlow::Break),
                Ok(Taken::Paused | Taken::RoundOver(_)) => break,
                Err(full) => return Ok(ControlFlow::Break(Progress::Stopped(full.into()))),
            };
            let room = if self.solutions.dominate(f) || self.labels.table().is_dominated(id) {
                self.labels.close(id);
                self.labels.table_mut().give_back(id);
                Ok(())
            } else if is_beyond(f, run) {
                self.set_aside(id, run)
            } else if self.labels.is_goal(id) {
                self.add_solution(id, run)
            } else {
                match self.labels.table_mut().make_room_to_close(id, run.memory()) {
                    Ok(()) => return Ok(ControlFlow::Continue((id, f))),
                    full => full,
                }
            };
            if let Err(full) = room {
                self.next = Some((id, f));
                return Ok(ControlFlow::Break(Progress::Stopped(full.into())));
            }
        }
        Ok(ControlFlow::Break(Progress::Paused))
    }

    /// The open label with the least key, and its f.
    #[inline]
    fn take_next<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<TakenBy<P, T>, OutOfMemory> {
        if let Some((id, f)) = self.next.take() {
            return Ok(Taken::Open(id, (), f));
        }
        Ok(match self.labels.take_next(run)? {
            Taken::Open(id, _, f) => Taken::Open(id, (), f),
            Taken::Nothing => Taken::Nothing,
            Taken::Paused | Taken::RoundOver(_) => Taken::Paused,
        })
    }

    /// Sets a label aside because it costs more than is allowed.
    #[cold]
    fn set_aside<O>(
        &mut self,
        id: LabelId<P, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        self.labels.set_aside(id, run)?;
        self.beyond = run.budget.limits().cost_limit();
        Ok(())
    }

    /// Adds the label of a goal to the solutions, unless one of them dominates it.
    #[cold]
    fn add_solution<O: Observer<P::State, P::Cost>>(
        &mut self,
        id: LabelId<P, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        let cost = self.labels.record(id).g();
        self.solutions.make_room(run.memory())?;
        self.labels.close(id);
        if self.solutions.any_dominates(cost) {
            self.labels.table_mut().give_back(id);
            return Ok(());
        }
        self.solutions.add(cost, id);
        if O::LISTENS {
            run.observer.incumbent(cost, cost);
        }
        Ok(())
    }

    /// How the search ends where no label is open within the limit on the cost.
    #[cold]
    fn end(&self) -> Result<Progress, SearchError<P::Cost>> {
        if self.labels.has_aside() {
            return Ok(Progress::Stopped(StopReason::Cost));
        }
        let left_out = self.labels.order().left_out();
        match self.labels.overflow() {
            // What was left out may belong to the front.
            Some(error) if !left_out.is_some_and(|cost| self.solutions.any_dominates(cost)) => {
                Err(error)
            }
            _ if self.solutions.list().is_empty() => Ok(Progress::Exhausted),
            _ => Ok(Progress::Found),
        }
    }

    /// Expands the next label, unless the search ends there.
    #[inline]
    fn expand_next<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let (id, f) = match self.next_to_expand(run)? {
            ControlFlow::Continue(next) => next,
            ControlFlow::Break(end) => return Ok(end),
        };
        let Self { labels, lookahead, solutions, .. } = self;
        // A layer begins with each solution.
        let layer = solutions.list().last().map_or(P::Cost::ZERO, |&(cost, _)| cost);
        let admits = |g: P::Cost, h: P::Cost| is_worth(solutions, g, h);
        if let Err(full) = lookahead.expand(labels, id, layer, admits, run)? {
            self.next = Some((id, f));
            return Ok(Progress::Stopped(full.into()));
        }
        labels.table_mut().note_closed(id);
        Ok(Progress::Going)
    }

    /// Makes the starts, and the labels that found no room in the frontier or were set aside, ready to be
    /// expanded.
    #[cold]
    fn catch_up<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let Self { labels, starts, solutions, .. } = self;
        let room = match labels.place_waiting(&mut AdmitAll, run) {
            Ok(()) => labels.make_room(starts.len(), P::Cost::ZERO, run),
            Err(full) => Err(full.into()),
        };
        if let Err(full) = room {
            return Ok(Progress::Stopped(full.into()));
        }
        if !starts.is_empty() {
            let admits = |g: P::Cost, h: P::Cost| is_worth(solutions, g, h);
            labels.relax_all((StateId::NONE, P::Cost::ZERO), starts, admits, run)?;
            // Starts are given, not generated.
            run.stats.duplicates = 0;
        }
        if labels.has_waiting() {
            return Ok(Progress::Stopped(StopReason::Memory));
        }
        if labels.is_recalling() {
            // Labels come into the frontier out of order: what was taken out of it goes back.
            return Ok(match labels.recall_some(run) {
                Ok(true) => Progress::Going,
                Ok(false) => Progress::Paused,
                Err(full) => Progress::Stopped(full.into()),
            });
        }
        Ok(Progress::Going)
    }
}

/// Whether that costs more than is allowed by any criterion.
#[inline]
fn is_beyond<C: Criteria, O>(f: C, run: &Run<C, O>) -> bool {
    run.budget.limits().cost_limit().is_some_and(|most| !f.dominates(most))
}

/// Whether a label may lead to a solution that is not known to be dominated.
#[inline]
fn is_worth<C: Criteria, I: Copy>(solutions: &Solutions<C, I>, g: C, h: C) -> bool {
    // A sum that does not fit is noted where the label is stored.
    h < C::INFINITY && g.checked_add(h).is_none_or(|f| !solutions.dominate(f))
}

impl<P, T, F> Engine for ParetoEngine<P, T, F>
where
    P: SearchProblem<Cost: Criteria>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<LabelId<P, T>, Lexicographic<P::Cost>>,
{
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        if self.labels.has_aside() && self.beyond != run.budget.limits().cost_limit() {
            // Labels that are within the limit now come before anything else.
            if let Some((id, _)) = self.next {
                if let Err(full) = self.labels.set_aside(id, run) {
                    return Ok(Progress::Stopped(full.into()));
                }
                self.next = None;
            }
            self.beyond = run.budget.limits().cost_limit();
            self.labels.begin_recall();
        }
        let until = run.stats.expanded.saturating_add(most);
        while run.stats.expanded < until || most == 0 {
            let labels = &self.labels;
            if !self.starts.is_empty() || labels.has_waiting() || labels.is_recalling() {
                let progress = self.catch_up(run)?;
                if progress != Progress::Going {
                    return Ok(progress);
                }
            }
            if most == 0 {
                return Ok(match self.next_to_expand(run)? {
                    ControlFlow::Continue(next) => {
                        self.next = Some(next);
                        Progress::Going
                    }
                    ControlFlow::Break(end) => end,
                });
            }
            let progress = self.expand_next(run)?;
            if progress != Progress::Going || run.is_interrupted() {
                return Ok(progress);
            }
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        if !self.starts.is_empty() {
            return P::Cost::ZERO;
        }
        // Labels beyond a limit on the cost may cost less by the first criterion.
        let open = self.labels.least_open_f().into_iter().chain(self.next.map(|(_, f)| f));
        let left_out = self.labels.order().left_out();
        let known = open.chain(left_out.filter(|&cost| !self.solutions.any_dominates(cost)));
        known.chain(self.costs().next()).reduce(smaller).unwrap_or(P::Cost::INFINITY)
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.nth_path(0)
    }

    fn stored(&self) -> usize {
        self.labels.table().len()
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.labels.clear();
        self.lookahead.clear();
        self.starts.clear();
        self.starts.extend(starts.into_iter().map(reached_by));
        self.solutions.clear();
        (self.next, self.beyond) = (None, None);
    }

    fn set_problem(&mut self, problem: P) {
        self.labels.set_problem(problem);
    }
}

impl<P, T, F> fmt::Debug for ParetoEngine<P, T, F>
where
    P: SearchProblem<Cost: Criteria>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<LabelId<P, T>, Lexicographic<P::Cost>>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParetoEngine")
            .field("labels", &self.labels.table())
            .field("frontier", &self.labels.frontier())
            .field("solutions", &self.solutions.list().len())
            .finish_non_exhaustive()
    }
}
