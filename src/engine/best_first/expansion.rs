//! The engine of best-first search: which state is expanded next, and when the search ends.

use std::fmt;
use std::ops::ControlFlow;

use super::Order;
use super::lookahead::Lookahead;
use super::relaxation::{AdmitAll, Id, Relaxation, Taken, admits, reached_by};
use crate::cost::{Cost, larger};
use crate::engine::{Engine, Progress, Run, Search};
use crate::frontier::Frontier;
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::{SearchProblem, Successor};
use crate::report::{SearchError, StopReason};
use crate::table::{Record, StateId, TableFor};

/// The engine of best-first search in any [`Order`]: what [`AStar`](crate::AStar),
/// [`Dijkstra`](crate::Dijkstra) and [`Greedy`](crate::Greedy) build.
///
/// In the order of *f* it is optimal for every heuristic that never overestimates: a closed state to which
/// a cheaper path is found is reopened, so the heuristic need not be consistent. In any other order it
/// ends with the first goal that is expanded.
///
/// Orders that improve on a first solution ([`AnytimeAStar`](crate::AnytimeAStar),
/// [`Focal`](crate::Focal), [`BoundedCost`](crate::BoundedCost)) look for goals among the states that are
/// generated, and prune by the best solution so far.
///
/// The lower bound is the least *f* of the open states. In the order of *f* that is the *f* of the next
/// state; in other orders it takes one pass over the open states when the report is made.
///
/// Source: Hart, Nilsson and Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost
/// Paths*, 1968; Pohl, *Heuristic Search Viewed as Path Finding in a Graph*, 1970 (weights).
pub struct BestFirstEngine<P: SearchProblem, R, T: TableFor<P::State, P::Cost>, F> {
    pub(super) states: Relaxation<P, R, T, F>,
    /// Starts that are not among the states yet.
    pub(super) starts: Vec<Successor<P::State, (), P::Cost>>,
    pub(super) lookahead: Lookahead<P, T>,
    /// A state that was taken out of the frontier and is to be expanded next: a goal, or where a limit came
    /// between.
    pub(super) next: Option<Id<P, T>>,
    /// A state that was taken out of the frontier, with which the round ends.
    pub(super) round_over: Option<Id<P, T>>,
    /// The cost of the best solution that the observer was told of.
    pub(super) told: Option<P::Cost>,
    last_expanded: Option<Id<P, T>>,
    /// The states that were expanded since the list was taken last, in orders that list them.
    pub(super) listed: Vec<Id<P, T>>,
    /// The largest lower bound so far.
    pub(super) lower_bound: P::Cost,
    pub(super) passes_goals: bool,
    /// Whether goals may have been passed that were not looked for since.
    has_passed: bool,
    /// The cheapest of those goals and its cost, once it was looked for.
    passed: Option<(Id<P, T>, P::Cost)>,
}

/// What is taken out of the frontier, with keys `K`.
type TakenBy<P, T, K> = Taken<Id<P, T>, K, <P as SearchProblem>::Cost>;

/// The state to expand next and its f, or how the search ends before it, or an error.
type Next<P, T> = Result<
    ControlFlow<Progress, (Id<P, T>, <P as SearchProblem>::Cost)>,
    SearchError<<P as SearchProblem>::Cost>,
>;

impl<P, R, T, F> BestFirstEngine<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    pub(in crate::engine) fn new(
        problem: P,
        order: R,
        table: T,
        frontier: F,
        starts: Vec<(P::State, P::Cost)>,
    ) -> Self {
        Self {
            states: Relaxation::new(problem, order, table, frontier),
            starts: starts.into_iter().map(reached_by).collect(),
            lookahead: Lookahead::new(),
            next: None,
            round_over: None,
            told: None,
            last_expanded: None,
            listed: Vec::new(),
            lower_bound: P::Cost::ZERO,
            passes_goals: false,
            has_passed: false,
            passed: None,
        }
    }

    /// The state to expand next, unless the search ends there.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from two places, hot in one of them")]
    fn next_to_expand<O>(&mut self, run: &mut Run<P::Cost, O>) -> Next<P, T> {
        loop {
            if R::IMPROVES
                && let Some(id) = self.round_over
            {
                if !self.is_incumbent_too_dear(run) {
                    return Ok(ControlFlow::Break(self.end_round(id, run)));
                }
                (self.next, self.round_over) = (Some(id), None);
            }
            let (id, f) = match self.take_next(run) {
                Ok(Taken::Open(id, (), f)) => (id, f),
                Ok(Taken::RoundOver(id)) => {
                    self.round_over = Some(id);
                    continue;
                }
                Ok(Taken::Paused) => return Ok(ControlFlow::Break(Progress::Paused)),
                Ok(Taken::Nothing) => match self.recall_aside(run)? {
                    Some(end) => return Ok(ControlFlow::Break(end)),
                    None => continue,
                },
                Err(full) => return Ok(ControlFlow::Break(Progress::Stopped(full.into()))),
            };
            if self.states.exceeds_cost_limit(f, run) {
                if R::IS_BY_F {
                    self.next = Some(id);
                    return Ok(ControlFlow::Break(Progress::Stopped(StopReason::Cost)));
                }
                // Other states may still be affordable.
                if let Err(full) = self.states.set_aside(id, run) {
                    self.next = Some(id);
                    return Ok(ControlFlow::Break(Progress::Stopped(full.into())));
                }
                continue;
            }
            if R::IS_BY_F {
                self.lower_bound = larger(self.lower_bound, f);
            }
            if !R::IMPROVES && !self.passes_goals && self.states.is_goal(id) {
                self.next = Some(id);
                return Ok(ControlFlow::Break(Progress::Found));
            }
            return Ok(ControlFlow::Continue((id, f)));
        }
    }

    /// Called when the frontier is empty. Puts the states set aside back if any of them is within the limit
    /// on the cost now; otherwise says how the search ends.
    #[cold]
    fn recall_aside<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Option<Progress>, SearchError<P::Cost>> {
        if R::IMPROVES {
            return self.end_frontier(run).map(Some);
        }
        if !R::IS_BY_F && self.states.sift_aside(|_| true) {
            return Ok(match self.states.recall_aside(run) {
                Ok(true) => None,
                Ok(false) => Some(Progress::Stopped(StopReason::Cost)),
                Err(full) => Some(Progress::Stopped(full.into())),
            });
        }
        self.states.overflow().map_or(Ok(Some(Progress::Exhausted)), Err)
    }

    /// Expands the next state, unless the search ends there.
    #[inline]
    pub(super) fn expand_next<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let (id, f) = match self.next_to_expand(run)? {
            ControlFlow::Continue(next) => next,
            ControlFlow::Break(end) => return Ok(end),
        };
        if R::LISTS
            && let Err(full) = run.memory().reserve(&mut self.listed, 1)
        {
            self.next = Some(id);
            return Ok(Progress::Stopped(full.into()));
        }
        let Self { states, lookahead, .. } = self;
        let expanded = if R::IMPROVES {
            let incumbent = states.incumbent().map(|(_, cost)| cost);
            lookahead.expand(
                states,
                id,
                f,
                |g: P::Cost, h: P::Cost| admits(incumbent, g, h),
                run,
            )?
        } else {
            lookahead.expand(states, id, f, AdmitAll, run)?
        };
        if let Err(full) = expanded {
            self.next = Some(id);
            return Ok(Progress::Stopped(full.into()));
        }
        self.last_expanded = Some(id);
        if R::LISTS {
            self.listed.push(id);
        }
        if R::IMPROVES {
            self.look_at_successors(f, run);
        }
        Ok(Progress::Going)
    }

    /// Whether the search ends before the next expansion.
    #[cold]
    fn find_end<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<Progress, SearchError<P::Cost>> {
        Ok(match self.next_to_expand(run)? {
            ControlFlow::Continue((id, _)) => {
                self.next = Some(id);
                Progress::Going
            }
            ControlFlow::Break(end) => end,
        })
    }

    /// The open state with the least key, and its f.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from two places, hot in one of them")]
    fn take_next<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<TakenBy<P, T, ()>, OutOfMemory> {
        if let Some(id) = self.next.take() {
            return Ok(Taken::Open(id, (), self.f_of(id)));
        }
        Ok(match self.states.take_next(run)? {
            Taken::Open(id, _, f) => Taken::Open(id, (), f),
            Taken::Nothing => Taken::Nothing,
            Taken::Paused => Taken::Paused,
            Taken::RoundOver(id) => Taken::RoundOver(id),
        })
    }

    /// Makes the starts, and the states that found no room in the frontier, ready to be expanded.
    #[cold]
    fn catch_up<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let Self { states, starts, .. } = self;
        let room = match states.place_waiting(&mut AdmitAll, run) {
            Ok(()) => states.make_room(starts.len(), P::Cost::ZERO, run),
            Err(full) => Err(full.into()),
        };
        if let Err(full) = room {
            return Ok(Progress::Stopped(full.into()));
        }
        if !starts.is_empty() {
            states.order().validate()?;
            states.relax_all((StateId::NONE, P::Cost::ZERO), starts, AdmitAll, run)?;
            // Starts are given, not generated.
            run.stats.duplicates = 0;
            if R::IMPROVES {
                self.look_at_starts(run);
            }
        }
        let states = &mut self.states;
        if states.has_waiting() {
            return Ok(Progress::Stopped(StopReason::Memory));
        }
        if states.is_recalling() {
            return Ok(match states.recall_some(run) {
                Ok(true) => Progress::Going,
                Ok(false) => Progress::Paused,
                Err(full) => Progress::Stopped(full.into()),
            });
        }
        Ok(Progress::Going)
    }

    pub(in crate::engine) fn states(&self) -> &Relaxation<P, R, T, F> {
        &self.states
    }

    /// The id of a state and what is known of it, if it is stored.
    pub(in crate::engine) fn look_up(&self, state: &P::State) -> Option<(Id<P, T>, T::Record)> {
        let id = self.states.table().id_of(state)?;
        Some((id, self.states.record(id)))
    }

    /// Whether goals are expanded like any other state, and not answers.
    pub(in crate::engine) fn pass_goals(&mut self, pass: bool) {
        self.passes_goals = pass;
        self.has_passed |= pass;
    }

    /// The cheapest goal that was expanded like any other state, if goals are answers now. Takes one pass
    /// over the states, once, and only if goals may have been passed. (They are closed at their final cost:
    /// only Dijkstra's algorithm passes goals.)
    fn passed_goal(&mut self) -> Option<(Id<P, T>, P::Cost)> {
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
    fn find_passed_goal(&self) -> Option<(Id<P, T>, P::Cost)> {
        let mut cheapest: Option<(Id<P, T>, P::Cost)> = None;
        self.states.table().for_each(|id, state, record| {
            let is_cheaper = cheapest.is_none_or(|(_, cost)| record.g() < cost);
            if is_cheaper && record.is_closed() && self.states.problem().is_goal(state) {
                cheapest = Some((id, record.g()));
            }
        });
        cheapest
    }

    /// The state that was expanded last, and its cost.
    pub(in crate::engine) fn last_expanded(&self) -> Option<(P::State, P::Cost)> {
        let id = self.last_expanded?;
        let state = self.states.table().with_state(id, Clone::clone);
        Some((state, self.states.record(id).g()))
    }

    /// The f of an open state.
    pub(super) fn f_of(&self, id: Id<P, T>) -> P::Cost {
        self.states.f_of(id, &self.states.record(id)).unwrap_or(P::Cost::INFINITY)
    }

    /// What is proved where a state is expanded next, or nothing is left.
    fn bound_at(&self, next: Option<Id<P, T>>) -> P::Cost {
        let f = next.map(|id| self.f_of(id));
        let least_f = if R::IS_BY_F {
            f
        } else {
            let open = self.states.least_open_f();
            [f, open].into_iter().flatten().reduce(crate::cost::smaller)
        };
        let bound = larger(self.lower_bound, least_f.unwrap_or(P::Cost::INFINITY));
        match next {
            // A path cheaper than a bound shows that the heuristic overestimates: nothing is proved.
            Some(id) if !self.passes_goals && self.states.is_goal(id) => {
                let cost = self.states.record(id).g();
                let is_refuted = bound.exceeds(cost) || self.states.overestimates_on_path(id, cost);
                if is_refuted { P::Cost::ZERO } else { bound }
            }
            _ => bound,
        }
    }
}

impl<P, R, T, F> Engine for BestFirstEngine<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
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
        if let Some((_, cost)) = self.passed_goal() {
            let is_allowed = !run.exceeds_cost_limit(cost);
            return Ok(if is_allowed {
                Progress::Found
            } else {
                Progress::Stopped(StopReason::Cost)
            });
        }
        let until = run.stats.expanded.saturating_add(most);
        while run.stats.expanded < until || most == 0 {
            if !self.starts.is_empty() || self.states.must_catch_up() {
                let progress = self.catch_up(run)?;
                if progress != Progress::Going {
                    return Ok(progress);
                }
            }
            if most == 0 {
                return self.find_end(run);
            }
            let progress = self.expand_next(run)?;
            if progress != Progress::Going || run.is_interrupted() {
                return Ok(progress);
            }
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, run: &mut Run<P::Cost, O>) -> P::Cost {
        if R::IMPROVES {
            return self.bound_of_improving();
        }
        if let Some((_, cost)) = self.passed_goal() {
            return cost;
        }
        if !self.starts.is_empty() || self.states.has_waiting() {
            // Those come into the frontier first: what is next now need not be next then.
            return self.lower_bound;
        }
        let next = match self.take_next(run) {
            Ok(Taken::Open(id, ..)) => Some(id),
            Ok(Taken::Nothing) => None,
            Ok(Taken::Paused | Taken::RoundOver(_)) | Err(_) => return self.lower_bound,
        };
        self.next = next;
        let bound = self.bound_at(next);
        if next.is_some() && bound > P::Cost::ZERO {
            self.lower_bound = larger(self.lower_bound, bound);
        }
        bound
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        if R::IMPROVES {
            let incumbent = self.states.incumbent();
            return incumbent.map_or(Ok(None), |(id, _)| self.states.path_to(id));
        }
        match self.passed_goal().map(|(id, _)| id).or(self.next) {
            Some(id) if self.states.is_goal(id) => self.states.path_to(id),
            _ => Ok(None),
        }
    }

    fn closest(&self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.states.closest()
    }

    fn stored(&self) -> usize {
        self.states.table().len()
    }

    fn keeps_closed(&self) -> bool {
        true
    }

    fn closed_cost(&self, state: &P::State) -> Option<P::Cost> {
        self.states.closed_cost(state)
    }

    fn set_problem(&mut self, problem: P) {
        self.states.set_problem(problem);
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.states.clear();
        self.lookahead.clear();
        self.starts.clear();
        self.starts.extend(starts.into_iter().map(reached_by));
        (self.next, self.round_over, self.told) = (None, None, None);
        self.last_expanded = None;
        self.listed.clear();
        self.lower_bound = P::Cost::ZERO;
        (self.has_passed, self.passed) = (false, None);
    }
}

impl<P: SearchProblem, R, T: TableFor<P::State, P::Cost>, F: fmt::Debug> fmt::Debug
    for BestFirstEngine<P, R, T, F>
where
    R: Order<P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BestFirstEngine")
            .field("order", &self.states.order())
            .field("table", &self.states.table())
            .field("frontier", &self.states.frontier())
            .field("lower_bound", &self.lower_bound)
            .finish_non_exhaustive()
    }
}

impl<P, R, T, F, O> Search<BestFirstEngine<P, R, T, F>, O>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
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
    pub fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&P::State) -> K,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.engine().states.closest_by(key)
    }
}
