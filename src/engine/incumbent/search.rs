//! The engine that prunes by the incumbent, and ends when no state is open.

use std::fmt;
use std::mem;

use super::ahead::Pruned;
use super::open_list::{ByArrival, OpenList};
use super::sieve::Sieve;
use crate::Search;
use crate::cost::{Cost, larger, smaller};
use crate::engine::depth_first::Expander;
use crate::engine::policy::StoreAll;
use crate::engine::relaxation::{Id, Relaxation, Trail, reached_by};
use crate::engine::{Engine, Progress, Run};
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::{SearchProblem, Successor};
use crate::report::{SearchError, StopReason};
use crate::table::{CacheResidency, Full, Record, StateId, TableFor};

/// The engine of [`BranchAndBound`](crate::BranchAndBound) and
/// [`BreadthFirst`](crate::BreadthFirst).
///
/// It is the loop of best-first search with another open list and with an incumbent, the best solution so
/// far: a state whose *g + h* is no less than its cost is not stored, or not expanded if it was stored
/// before. A closed state is reopened when a cheaper path to it is found, so the incumbent is a cheapest
/// path when no state is open.
pub struct IncumbentEngine<P: SearchProblem, L, W, T: TableFor<P::State, P::Cost>> {
    pub(super) states: Relaxation<P, ByArrival, T, L>,
    /// The starts, as long as they are needed: if the open list [widens](OpenList::WIDENS), the search begins
    /// with them again and again.
    starts: Vec<(P::State, P::Cost)>,
    /// Whether the starts are to be put among the states.
    is_at_start: bool,
    pub(super) expander: W,
    /// The bytes of the expander that the memory account knows of.
    expander_bytes: usize,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    /// The successors of a state, the last first; empty between expansions.
    pub(super) successors: Vec<Successor<P::State, (), P::Cost>>,
    /// Their heuristic values, or what is no number, as far as they were made ahead of time, the first one
    /// first; empty between expansions.
    pub(super) values: Vec<Option<Result<P::Cost, P::Cost>>>,
    /// An open state that was popped and is to be expanded next, because a limit was reached.
    pub(super) next: Option<Id<P, T>>,
    /// The goal of the best solution so far, and its cost, if the goal is among the states.
    incumbent: Option<(Id<P, T>, P::Cost)>,
    /// The best solution before the search began again.
    kept: Option<Kept<PathOf<P>>>,
    /// The largest bound that was reported.
    lower_bound: P::Cost,
    /// The smallest f in the layer that the search is at, or in one before.
    pub(super) layer: P::Cost,
}

/// A solution whose states are no longer stored.
struct Kept<Path> {
    path: Path,
    /// Whether the heuristic overestimates on it.
    is_overestimated: bool,
}

/// The most entries that are pruned before the limits are checked again.
const MOST_PRUNED: u32 = 1 << 10;

impl<P, L, W, T> IncumbentEngine<P, L, W, T>
where
    P: SearchProblem,
    L: OpenList<P, T>,
    W: Expander<P>,
    T: TableFor<P::State, P::Cost>,
{
    pub(super) fn new(
        problem: P,
        table: T,
        open_list: L,
        (expander, sieves): (W, bool),
        starts: Vec<(P::State, P::Cost)>,
    ) -> Self {
        Self {
            states: Relaxation::new(problem, ByArrival, table, open_list),
            is_at_start: !starts.is_empty(),
            starts,
            expander,
            expander_bytes: 0,
            sieves,
            successors: Vec::new(),
            values: Vec::new(),
            next: None,
            incumbent: None,
            kept: None,
            lower_bound: P::Cost::ZERO,
            layer: P::Cost::ZERO,
        }
    }

    /// The cost of the best solution so far.
    #[inline]
    pub(super) fn best_cost(&self) -> Option<P::Cost> {
        match self.incumbent {
            Some((_, cost)) => Some(cost),
            None => self.kept.as_ref().map(|kept| kept.path.cost()),
        }
    }

    /// Makes the starts ready to be expanded.
    #[cold]
    fn look_at_starts<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let count = self.starts.len();
        let room = match run.memory().reserve(&mut self.successors, count) {
            Ok(()) => self.make_room(count, run),
            Err(full) => Err(full.into()),
        };
        if let Err(full) = room {
            return Ok(Progress::Stopped(full.into()));
        }
        if L::WIDENS {
            self.successors.extend(self.starts.iter().rev().cloned().map(reached_by));
        } else {
            let starts = mem::take(&mut self.starts).into_iter().rev();
            self.successors.extend(starts.map(reached_by));
        }
        self.is_at_start = false;
        self.relax((StateId::NONE, P::Cost::ZERO), run)?;
        // Starts are given, not generated.
        run.stats.duplicates = 0;
        self.layer = larger(self.layer, self.states.least_open_f().unwrap_or(P::Cost::ZERO));
        Ok(Progress::Going)
    }

    /// Expands an open state, unless there is no room for its successors. So many expansions are left.
    #[inline]
    fn expand<O: Observer<P::State, P::Cost>>(
        &mut self,
        id: Id<P, T>,
        left: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        if W::LOOKS_AHEAD && self.is_made(id, left, run) {
            return self.expand_made(id, run);
        }
        let incumbent = self.best_cost();
        let Self { states, expander, successors, .. } = self;
        let (problem, table) = (states.problem(), states.table());
        let mut sieve = Sieve {
            // An observer is to be told of duplicates, too.
            table: (self.sieves && !O::LISTENS).then_some(table),
            g: table.load(id).g(),
            incumbent,
            room: successors.capacity(),
            kept: successors,
            wanted: 0,
            generated: 0,
            duplicates: 0,
        };
        table.with_state(id, |state| expander.expand_shared(problem, state, &mut sieve));
        let Sieve { wanted, generated, duplicates, .. } = sieve;
        if wanted > self.successors.len() || self.expander.bytes() > self.expander_bytes {
            return Ok(self.grow(id, wanted, run));
        }
        if let Err(full) = self.make_room(wanted, run) {
            self.successors.clear();
            self.next = Some(id);
            return Ok(Progress::Stopped(full.into()));
        }
        run.stats.duplicates += duplicates;
        let record = self.states.begin_expansion(id, self.layer, generated, run);
        if self.states.table().residency() != CacheResidency::Cached {
            self.states.prefetch_next();
        }
        self.relax((id, record.g()), run)?;
        Ok(Progress::Going)
    }

    /// Relaxes the steps to the successors, for which there must be room, and looks for goals among them.
    #[inline(never)]
    fn relax<O: Observer<P::State, P::Cost>>(
        &mut self,
        parent: (Id<P, T>, P::Cost),
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let incumbent = self.best_cost();
        let Self { states, successors, .. } = self;
        successors.reverse();
        states.relax_all(parent, successors, &mut Pruned { incumbent }, run)?;
        self.look_at_new(run);
        Ok(())
    }

    /// Makes room for more successors than any state had before; the state is then expanded again.
    #[cold]
    fn grow<O>(&mut self, next: Id<P, T>, wanted: usize, run: &mut Run<P::Cost, O>) -> Progress {
        self.successors.clear();
        self.next = Some(next);
        let more = self.expander.bytes().saturating_sub(self.expander_bytes);
        if run.memory().claim(more).is_err() {
            return Progress::Stopped(StopReason::Memory);
        }
        self.expander_bytes += more;
        if run.memory().reserve(&mut self.successors, wanted).is_err() {
            return Progress::Stopped(StopReason::Memory);
        }
        Progress::Going
    }

    pub(super) fn make_room<O>(
        &mut self,
        successors: usize,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), Full> {
        let room = self.try_to_make_room(successors, run);
        // What was made ahead of time can be made again.
        if W::LOOKS_AHEAD && room.is_err() && self.expander.free_ahead(run.memory()) {
            return self.try_to_make_room(successors, run);
        }
        room
    }

    #[inline]
    fn try_to_make_room<O>(
        &mut self,
        successors: usize,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), Full> {
        self.states.frontier_mut().reserve(successors, run.memory())?;
        self.states.make_room(successors, self.layer, run)
    }

    /// Looks for goals among the states that have just become open, and sorts them.
    #[inline]
    pub(super) fn look_at_new<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) {
        let mut best = self.best_cost();
        let mut is_better = false;
        for &(id, f) in self.states.frontier().new_entries() {
            let record = self.states.record(id);
            // The h of a goal is zero.
            if self.states.h_of(id, &record) <= P::Cost::ZERO
                && best.is_none_or(|cost| f < cost)
                && !record.is_closed()
                && self.states.f_of(id, &record) == Some(f)
                && self.states.is_goal(id)
            {
                self.incumbent = Some((id, f));
                best = Some(f);
                is_better = true;
            }
        }
        if O::LISTENS
            && is_better
            && let Some((_, cost)) = self.incumbent
        {
            let bound = if self.is_refuted() { P::Cost::ZERO } else { self.proved() };
            run.observer.incumbent(cost, smaller(bound, cost));
        }
        let (open_list, table) = self.states.frontier_and_table();
        open_list.arrange(table);
    }

    /// What is proved of all solutions. Takes one pass over the open states.
    fn proved(&self) -> P::Cost {
        // Whatever is cheaper than the incumbent begins like a path to an open state.
        let next = self.next.map(|id| (id, self.states.record(id)));
        let least = [
            self.best_cost(),
            self.states.least_open_f(),
            self.states.frontier().least_left_out(),
            next.filter(|(_, next)| !next.is_closed())
                .and_then(|(id, next)| self.states.f_of(id, &next)),
        ];
        let least = least.into_iter().flatten().reduce(smaller);
        larger(self.lower_bound, least.unwrap_or(P::Cost::INFINITY))
    }

    /// Whether a path cheaper than a bound on it shows that the heuristic overestimates: nothing is proved.
    fn is_refuted(&self) -> bool {
        match self.incumbent {
            Some((id, cost)) => self.states.known().overestimates_on_path(id, cost),
            None => self.kept.as_ref().is_some_and(|kept| kept.is_overestimated),
        }
    }

    /// Whether a solution of cost `f` would be better than the incumbent.
    #[inline]
    fn is_better(&self, f: P::Cost) -> bool {
        self.best_cost().is_none_or(|cost| f < cost)
    }

    /// Begins the next layer, and returns the smallest f in it.
    fn next_layer(&mut self) -> Option<P::Cost> {
        let incumbent = self.best_cost();
        let (open_list, table) = self.states.frontier_and_table();
        open_list.next_layer(table, incumbent)
    }

    /// The next entry of the open list, stale or not.
    #[inline]
    fn take_next<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<Option<Id<P, T>>, OutOfMemory> {
        match self.next.take() {
            Some(next) => Ok(Some(next)),
            None => Ok(self.states.frontier_mut().pop(run.memory())?.map(|(id, _)| id)),
        }
    }

    /// Begins again at the starts. Of all that was found, the best solution and the bound are kept.
    #[cold]
    fn begin_again<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        self.lower_bound = self.proved();
        if let Some((id, cost)) = self.incumbent.take()
            && let Some(path) = self.states.known().path_to(id, Trail::Steps)?
        {
            // Cheaper paths may have been found to states on it that were then left out.
            if path.cost() < cost {
                run.observer.incumbent(path.cost(), smaller(self.lower_bound, path.cost()));
            }
            let is_overestimated = self.states.known().overestimates_on_path(id, path.cost());
            self.kept = Some(Kept { path, is_overestimated });
        }
        self.states.clear();
        self.expander.forget_ahead();
        self.is_at_start = true;
        Ok(())
    }

    /// Puts some of the states that were set aside back into the open list.
    #[cold]
    fn recall_some<O>(&mut self, run: &mut Run<P::Cost, O>) -> Progress {
        let recalled = self.states.recall_some(&mut StoreAll, run);
        let (open_list, table) = self.states.frontier_and_table();
        open_list.arrange(table);
        match recalled {
            Ok(true) => Progress::Going,
            Ok(false) => Progress::Paused,
            Err(full) => Progress::Stopped(full.into()),
        }
    }

    /// Called when only states set aside are left: has them put back if any of them is within the limit on the
    /// cost now; otherwise says how the search ends.
    #[cold]
    fn recall_aside<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let incumbent = self.best_cost();
        let is_better = |f| incumbent.is_none_or(|cost| f < cost);
        let left_out = self.states.frontier().least_left_out().filter(|&f| is_better(f));
        let is_in_reach = left_out.is_some_and(|f| !run.exceeds_cost_limit(f));
        if is_in_reach && self.states.frontier_mut().widen() {
            self.begin_again(run)?;
            return Ok(Progress::Going);
        }
        // What the limit on the cost allows may have been left out for the width.
        let reason = if is_in_reach { StopReason::Width } else { StopReason::Cost };
        if self.states.sift_aside(is_better) {
            if !self.states.has_affordable_aside(&StoreAll, run) {
                return Ok(Progress::Stopped(reason));
            }
            self.states.begin_recall();
            return Ok(Progress::Going);
        }
        match incumbent {
            Some(cost) if run.exceeds_cost_limit(cost) => Ok(Progress::Stopped(reason)),
            Some(_) => Ok(Progress::Found),
            None if left_out.is_some() => Ok(Progress::Stopped(reason)),
            None => self.states.exhausted(run),
        }
    }
}

impl<P, L, W, T> Engine for IncumbentEngine<P, L, W, T>
where
    P: SearchProblem,
    L: OpenList<P, T>,
    W: Expander<P>,
    T: TableFor<P::State, P::Cost>,
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
        let until = run.stats.expanded.saturating_add(most);
        let mut pruned = 0;
        if self.is_at_start {
            let progress = self.look_at_starts(run)?;
            if progress != Progress::Going {
                return Ok(progress);
            }
        }
        while run.stats.expanded < until || most == 0 {
            if pruned == MOST_PRUNED {
                return Ok(Progress::Paused);
            }
            if self.states.is_recalling() {
                let progress = self.recall_some(run);
                if progress != Progress::Going {
                    return Ok(progress);
                }
            }
            let Ok(next) = self.take_next(run) else {
                return Ok(Progress::Stopped(StopReason::Memory));
            };
            let progress = if let Some(id) = next {
                pruned += 1;
                // If a cheaper path was found since, the state is expanded here, and not where it was
                // pushed again.
                let record = self.states.record(id);
                let f = self.states.f_of(id, &record).filter(|_| !record.is_closed());
                let Some(f) = f else { continue };
                if !self.is_better(f) {
                    self.states.close(id);
                    continue;
                }
                if run.exceeds_cost_limit(f) {
                    if let Err(full) = self.states.set_aside(id, run) {
                        self.next = next;
                        return Ok(Progress::Stopped(full.into()));
                    }
                    continue;
                }
                if most == 0 {
                    self.next = next;
                    break;
                }
                pruned = 0;
                self.expand(id, until.saturating_sub(run.stats.expanded), run)?
            } else if let Some(f) = self.next_layer() {
                self.layer = larger(self.layer, f);
                Progress::Going
            } else {
                self.recall_aside(run)?
            };
            if L::WIDENS && self.is_at_start {
                let progress = self.look_at_starts(run)?;
                if progress != Progress::Going {
                    return Ok(progress);
                }
            }
            if progress != Progress::Going || run.is_interrupted() {
                return Ok(progress);
            }
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        if self.is_at_start {
            return self.lower_bound;
        }
        self.lower_bound = self.proved();
        if self.is_refuted() { P::Cost::ZERO } else { self.lower_bound }
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        match self.incumbent {
            Some((id, _)) => self.states.known().path_to(id, Trail::Steps),
            None => Ok(self.kept.as_ref().map(|kept| kept.path.clone())),
        }
    }

    fn closest(&self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.states.path_to_closest(Trail::Steps)
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
        self.expander.forget_ahead();
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.states.clear();
        self.expander.forget_ahead();
        self.successors.clear();
        self.values.clear();
        self.starts.clear();
        self.starts.extend(starts);
        self.is_at_start = !self.starts.is_empty();
        (self.next, self.incumbent, self.kept) = (None, None, None);
        self.states.frontier_mut().restart();
        (self.lower_bound, self.layer) = (P::Cost::ZERO, P::Cost::ZERO);
    }
}

impl<P, L, W, T, O> Search<IncumbentEngine<P, L, W, T>, O>
where
    P: SearchProblem,
    L: OpenList<P, T>,
    W: Expander<P>,
    T: TableFor<P::State, P::Cost>,
    O: Observer<P::State, P::Cost>,
{
    /// The path to the state with the least `key` of all that were stored so far, among equals the one
    /// with the least *g*; `None` if no state was stored. Takes one pass over the table.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    #[doc(alias = "nearest")]
    pub fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&P::State) -> K,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.engine().states.path_to_closest_by(key, Trail::Steps)
    }
}

impl<P, L, W, T> fmt::Debug for IncumbentEngine<P, L, W, T>
where
    P: SearchProblem,
    L: OpenList<P, T>,
    T: TableFor<P::State, P::Cost>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IncumbentEngine")
            .field("table", &self.states.table())
            .field("open_list", &self.states.frontier())
            .field("incumbent", &self.incumbent.map(|(_, cost)| cost))
            .finish_non_exhaustive()
    }
}
