//! The engine that prunes by the incumbent, and ends when no state is open: its policy.

use std::cell::Cell;
use std::slice::from_ref;

use super::open_list::{ByArrival, OpenList};
use super::sieve::Sieve;
use crate::cost::{Cost, larger, smaller};
use crate::debug::show_fields;
use crate::engine::checked::heuristic_value;
use crate::engine::core::Core;
use crate::engine::depth_first::Expander;
use crate::engine::driver::Driver;
use crate::engine::parts::{Parts, With};
use crate::engine::policy::{Next, Policy, Taken, admits};
use crate::engine::relaxation::{HeadOf, Relaxation, Trail};
use crate::engine::{Progress, Run};
use crate::frontier::Single;
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::Successor;
use crate::report::{SearchError, StopReason};
use crate::table::{CacheResidency, Full, Record, Table};

/// The engine of [`BranchAndBound`](crate::BranchAndBound), [`BreadthFirst`](crate::BreadthFirst),
/// [`Beam`](crate::Beam) and [`Rectangle`](crate::Rectangle).
///
/// It is the driver of best-first search with another open list and with an incumbent, the best solution so
/// far: a state whose *g + h* is no less than its cost is not stored, or not expanded if it was stored
/// before. A closed state is reopened when a cheaper path to it is found, so the incumbent is a cheapest
/// path when no state is open.
pub type IncumbentEngine<P, L, W, T> =
    Driver<With<P, ByArrival, T, L>, Pruning<With<P, ByArrival, T, L>, W>>;

/// A search with an incumbent: its frontier is an [`OpenList`].
pub trait WithIncumbent:
    Parts<
        Order = ByArrival,
        Key = Single<<Self as Parts>::Cost>,
        Frontier: OpenList<<Self as Parts>::Problem, <Self as Parts>::Table>,
    >
{
}

impl<S> WithIncumbent for S where
    S: Parts<
            Order = ByArrival,
            Key = Single<<S as Parts>::Cost>,
            Frontier: OpenList<<S as Parts>::Problem, <S as Parts>::Table>,
        >
{
}

/// The policy of engines with an incumbent: no state is expanded that cannot lead to a better solution.
///
/// It generates the successors itself, unless the expander only buffers them: with an expander that may change the state
/// in place, look them up before they are copied, or make them ahead of time on several threads.
pub struct Pruning<S: Parts, W> {
    pub(super) expander: W,
    /// The bytes of the expander that the memory account knows of.
    expander_bytes: usize,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    /// The starts, where the search may begin with them again and again: if the open list [widens](OpenList::WIDENS).
    starts: Vec<(S::State, S::Cost)>,
    /// The successors of a state, the last one first; empty between expansions.
    successors: Vec<Successor<S::State, (), S::Cost>>,
    /// Their heuristic values, or what is not a number, as far as they were made ahead of time, the last one
    /// first; empty between expansions.
    values: Vec<Option<Result<S::Cost, S::Cost>>>,
    /// The goal of the best solution so far, and its cost, if the goal is among the states.
    incumbent: Option<(S::Id, S::Cost)>,
    /// The best solution before the search began again.
    kept: Option<Kept<PathOf<S::Problem>>>,
    /// The cost of the best solution that another search found.
    elsewhere: Option<S::Cost>,
    /// The smallest f in the layer that the search is at, or in one before.
    layer: S::Cost,
}

/// A solution whose states are no longer stored.
struct Kept<Path> {
    path: Path,
    /// Whether the heuristic overestimates on it.
    is_overestimated: bool,
}

impl<S: WithIncumbent, W: Expander<S::Problem>> Policy<S> for Pruning<S, W> {
    const TRAIL: Trail = Trail::Steps;
    const SETS_ASIDE: bool = true;

    #[inline]
    fn taken<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        head: &HeadOf<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Taken {
        let taken = if self.best_cost().is_some_and(|cost| head.f >= cost) {
            core.states.close(head.id);
            Taken::Drop
        } else if run.exceeds_cost_limit(head.f) {
            Taken::SetAside
        } else {
            return Taken::Expand;
        };
        // What was generated of it ahead of time would keep its place.
        core.forget_ahead();
        taken
    }

    #[inline]
    fn expand<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        head: &HeadOf<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Result<(), Full>, SearchError<S::Cost>> {
        if W::IS_BUFFERED {
            let value = Cell::new(None);
            let mut pruned =
                Pruned { incumbent: self.best_cost(), layer: self.layer, value: &value };
            let room = core.expand(head, &mut pruned, run)?;
            if room.is_ok() {
                self.look_at_new(core, run);
            }
            return Ok(room);
        }
        let room = if W::LOOKS_AHEAD && self.is_made(core, head.id, run) {
            self.expander.swap_ahead(&mut self.successors, &mut self.values);
            self.successors.reverse();
            self.values.reverse();
            let count = self.successors.len();
            self.make_room(core, count, run).map(|()| count as u64)
        } else {
            self.generate(core, head.id, run)
        };
        let generated = match room {
            Ok(generated) => generated,
            Err(full) => {
                self.successors.clear();
                self.values.clear();
                return Ok(Err(full));
            }
        };
        let record = core.states.begin_expansion(head.id, generated, run);
        if core.states.table().residency() != CacheResidency::Cached {
            core.states.prefetch_next();
        }
        self.relax(core, (head.id, record.g()), run).map(Ok)
    }

    fn begin<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Result<(), Full>, SearchError<S::Cost>> {
        if core.starts_left() > 0 {
            if let Err(full) = self.prepare_start(core, run) {
                return Ok(Err(full.into()));
            }
            let value = Cell::new(None);
            let mut pruned =
                Pruned { incumbent: self.best_cost(), layer: self.layer, value: &value };
            if let Err(full) = core.store_start(&mut pruned, run)? {
                return Ok(Err(full));
            }
            // If it is open, it is the last of them.
            if let Some(last) = core.states.frontier().new_entries().last() {
                self.look_for_goals(&core.states, from_ref(last));
            }
        }
        let are_all_new = core.starts_left() == 0;
        let (open_list, table) = core.states.frontier_and_table();
        if open_list.arrange_some(are_all_new, table) && are_all_new {
            core.forget_starts();
            self.arrange_new(core, self.incumbent.is_some(), run);
            self.layer = larger(self.layer, core.least_open_f().unwrap_or(S::Cost::ZERO));
        }
        Ok(Ok(()))
    }

    fn make_room_to_recall(
        &self,
        frontier: &mut S::Frontier,
        states: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        frontier.reserve(states, memory)
    }

    fn recalled(&mut self, core: &mut Core<S>) {
        let (open_list, table) = core.states.frontier_and_table();
        open_list.arrange(table);
    }

    /// Begins the next layer. Where there is none, only states set aside are left: has them put back if any of them
    /// is within the limit on the cost now; otherwise says how the search ends.
    #[cold]
    fn emptied<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Next, SearchError<S::Cost>> {
        let incumbent = self.best_cost();
        let (open_list, table) = core.states.frontier_and_table();
        if let Some(f) = open_list.next_layer(table, incumbent) {
            self.layer = larger(self.layer, f);
            return Ok(Next::GoOn);
        }
        let is_better = |f| incumbent.is_none_or(|cost| f < cost);
        let left_out = open_list.least_left_out().filter(|&f| is_better(f));
        let is_in_reach = left_out.is_some_and(|f| !run.exceeds_cost_limit(f));
        if is_in_reach && open_list.widen() {
            self.begin_again(core, run)?;
            return Ok(Next::GoOn);
        }
        // What the limit on the cost allows may have been left out for the width.
        let reason = if is_in_reach { StopReason::Width } else { StopReason::Cost };
        let stop = Ok(Next::End(Progress::Stopped(reason)));
        match core.states.sift_aside(self, is_better, run) {
            Some(true) => {
                core.states.begin_recall();
                return Ok(Next::Recall);
            }
            Some(false) => return stop,
            None => {}
        }
        match incumbent {
            Some(cost) if run.exceeds_cost_limit(cost) => {
                // Cheaper paths may have been found to states on its path, so that it is within the limit.
                let path = self.path(core)?;
                let is_within = path.is_some_and(|path| !run.exceeds_cost_limit(path.cost()));
                if is_within { Ok(Next::End(Progress::Found)) } else { stop }
            }
            Some(_) => Ok(Next::End(Progress::Found)),
            None if left_out.is_some() => stop,
            None => core.states.exhausted(run).map(Next::End),
        }
    }

    fn lower_bound<O>(&mut self, core: &mut Core<S>, _run: &mut Run<S::Cost, O>) -> S::Cost {
        if core.has_starts() {
            return core.lower_bound;
        }
        core.lower_bound = self.proved(core);
        if self.is_refuted(core) { S::Cost::ZERO } else { core.lower_bound }
    }

    fn path(&self, core: &Core<S>) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        match self.incumbent {
            Some((id, _)) => core.states.known().path_to(id, Trail::Steps),
            None => Ok(self.kept.as_ref().map(|kept| kept.path.clone())),
        }
    }

    fn restart(&mut self, core: &mut Core<S>) {
        self.expander.forget_ahead();
        self.expander.keep_within(self.expander_bytes);
        self.successors.clear();
        self.values.clear();
        (self.incumbent, self.kept, self.elsewhere) = (None, None, None);
        core.states.frontier_mut().restart();
        self.layer = S::Cost::ZERO;
    }
}

impl<S: WithIncumbent, W: Expander<S::Problem>> Pruning<S, W> {
    pub(in crate::engine) fn new(expander: W, sieves: bool) -> Self {
        Self {
            expander,
            expander_bytes: 0,
            sieves,
            starts: Vec::new(),
            successors: Vec::new(),
            values: Vec::new(),
            incumbent: None,
            kept: None,
            elsewhere: None,
            layer: S::Cost::ZERO,
        }
    }

    /// The cost of the best solution that is known.
    #[inline]
    pub(in crate::engine) fn best_cost(&self) -> Option<S::Cost> {
        let found = match self.incumbent {
            Some((_, cost)) => Some(cost),
            None => self.kept.as_ref().map(|kept| kept.path.cost()),
        };
        found.into_iter().chain(self.elsewhere).reduce(smaller)
    }

    /// Prunes as by a solution of that cost.
    pub(in crate::engine) fn prune_by(&mut self, cost: S::Cost) {
        self.elsewhere = Some(cost);
    }

    /// Makes room for the entries of all starts that are left, and keeps the starts if they may be needed again.
    #[cold]
    fn prepare_start<O>(
        &mut self,
        core: &mut Core<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        let left = core.starts_left();
        if S::Frontier::WIDENS && left == core.starts.len() {
            self.starts.clear();
            run.memory().reserve(&mut self.starts, left)?;
            self.starts.extend_from_slice(&core.starts);
        }
        core.states.frontier_mut().reserve(left, run.memory())
    }

    /// Generates the successors of a state, the last one first, and makes room for those that are kept. Returns how many
    /// there are.
    #[inline]
    fn generate<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        id: S::Id,
        run: &mut Run<S::Cost, O>,
    ) -> Result<u64, Full> {
        let incumbent = self.best_cost();
        let Self { expander, successors, .. } = self;
        let (problem, table) = (core.states.problem(), core.states.table());
        let mut sieve = Sieve {
            // An observer is to be told of duplicates, too.
            table: (self.sieves && !O::LISTENS).then_some(table),
            g: table.load(id).g(),
            incumbent,
            kept: successors,
            memory: run.memory(),
            room: Ok(()),
            generated: 0,
            duplicates: 0,
        };
        table.with_state(id, |state| expander.expand_shared(problem, state, &mut sieve));
        let Sieve { room, generated, duplicates, .. } = sieve;
        let counted = self.expander.count(&mut self.expander_bytes, run.memory());
        room.and(counted)?;
        self.make_room(core, self.successors.len(), run)?;
        run.stats.duplicates += duplicates;
        Ok(generated)
    }

    /// Makes room for `successors` successors, and begins the layer of the state that is expanded.
    #[inline]
    fn make_room<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        successors: usize,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Full> {
        loop {
            let room = match core.states.frontier_mut().reserve(successors, run.memory()) {
                Ok(()) => core.states.make_room(successors, run),
                Err(full) => Err(full.into()),
            };
            let room = room.and_then(|()| Ok(run.begin_layer(self.layer)?));
            // What was made ahead of time can be made again.
            if W::LOOKS_AHEAD && room.is_err() && self.expander.free_ahead(run.memory()) {
                continue;
            }
            return room;
        }
    }

    /// Relaxes the steps to the successors, for which there must be room, and looks for goals among them.
    #[inline(never)]
    fn relax<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        parent: (S::Id, S::Cost),
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), SearchError<S::Cost>> {
        let value = Cell::new(None);
        let mut policy = Pruned { incumbent: self.best_cost(), layer: self.layer, value: &value };
        let Self { successors, values, .. } = self;
        let count = successors.len();
        let mut left = successors.drain(..).rev();
        let steps = || {
            let Successor { state, cost, .. } = left.next()?;
            if W::LOOKS_AHEAD {
                value.set(values.pop().flatten());
            }
            Some((state, cost, None))
        };
        core.states.relax(parent, count, steps, &mut policy, run)?;
        drop(left);
        self.look_at_new(core, run);
        Ok(())
    }

    /// Looks for goals among the states that have just become open, and sorts them.
    #[inline]
    fn look_at_new<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        run: &mut Run<S::Cost, O>,
    ) {
        let new = core.states.frontier().new_entries();
        let is_better = self.look_for_goals(&core.states, new);
        self.arrange_new(core, is_better, run);
    }

    /// Looks for goals among these states, which have become open. Returns whether one is better than the incumbent, and is
    /// the incumbent now.
    #[inline]
    fn look_for_goals(&mut self, states: &Relaxation<S>, new: &[(S::Id, S::Cost)]) -> bool {
        let mut best = self.best_cost();
        let mut is_better = false;
        for &(id, f) in new {
            let record = states.record(id);
            // The h of a goal is zero.
            if states.h_of(id, &record) <= S::Cost::ZERO
                && best.is_none_or(|cost| f < cost)
                && !record.is_closed()
                && states.f_of(id, &record) == Some(f)
                && states.is_goal(id)
            {
                self.incumbent = Some((id, f));
                best = Some(f);
                is_better = true;
            }
        }
        is_better
    }

    /// Sorts the states that have just become open, among which there may be a better goal.
    #[inline]
    fn arrange_new<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        is_better: bool,
        run: &mut Run<S::Cost, O>,
    ) {
        if O::LISTENS
            && is_better
            && let Some((_, cost)) = self.incumbent
        {
            let bound = if self.is_refuted(core) { S::Cost::ZERO } else { self.proved(core) };
            run.observer.incumbent(cost, smaller(bound, cost));
        }
        let (open_list, table) = core.states.frontier_and_table();
        open_list.arrange(table);
    }

    /// What is proved of all solutions. Takes one pass over the open states.
    fn proved(&self, core: &Core<S>) -> S::Cost {
        // Whatever is cheaper than the incumbent begins like a path to an open state.
        let least =
            [self.best_cost(), core.least_open_f(), core.states.frontier().least_left_out()];
        let least = least.into_iter().flatten().reduce(smaller);
        larger(core.lower_bound, least.unwrap_or(S::Cost::INFINITY))
    }

    /// Whether a path cheaper than a bound on it shows that the heuristic overestimates: nothing is proved.
    pub(in crate::engine) fn is_refuted(&self, core: &Core<S>) -> bool {
        match self.incumbent {
            Some((id, cost)) => core.states.known().overestimates_on_path(id, cost),
            None => self.kept.as_ref().is_some_and(|kept| kept.is_overestimated),
        }
    }

    /// Begins again at the starts. Of all that was found, the best solution and the bound are kept.
    #[cold]
    fn begin_again<O: Observer<S::State, S::Cost>>(
        &mut self,
        core: &mut Core<S>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), SearchError<S::Cost>> {
        let lower_bound = self.proved(core);
        if let Some((id, cost)) = self.incumbent.take()
            && let Some(path) = core.states.known().path_to(id, Trail::Steps)?
        {
            // Cheaper paths may have been found to states on it that were then left out.
            if smaller(cost, self.elsewhere.unwrap_or(cost)) > path.cost() {
                run.observer.incumbent(path.cost(), smaller(lower_bound, path.cost()));
            }
            // The costs that are stored of the states on it are no smaller than those of this path.
            let is_overestimated = lower_bound.exceeds(path.cost())
                || core.states.known().overestimates_on_path(id, cost);
            self.kept = Some(Kept { path, is_overestimated });
        }
        // The starts may need its memory; what was made ahead of time can be made again.
        self.expander.free_ahead(run.memory());
        core.restart(self.starts.drain(..));
        core.lower_bound = lower_bound;
        Ok(())
    }
}

/// What a step does where states are pruned by the incumbent.
struct Pruned<'a, C> {
    incumbent: Option<C>,
    layer: C,
    /// The heuristic value of the state that is looked at, or what is not a number; `None` if it was not made.
    value: &'a Cell<Option<Result<C, C>>>,
}

impl<S: WithIncumbent> Policy<S> for Pruned<'_, S::Cost> {
    const TRAIL: Trail = Trail::Steps;

    #[inline]
    fn make_room(
        &mut self,
        states: &mut Relaxation<S>,
        _: S::Id,
        successors: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        states.frontier_mut().reserve(successors, memory)
    }

    #[inline]
    fn layer(&self, _: S::Cost) -> S::Cost {
        self.layer
    }

    #[inline]
    fn admits(&mut self, g: S::Cost, h: S::Cost) -> bool {
        admits(self.incumbent, g, h)
    }

    #[inline]
    fn heuristic(
        &mut self,
        problem: &S::Problem,
        state: &S::State,
        g: S::Cost,
    ) -> Result<S::Cost, SearchError<S::Cost>> {
        let value = self.value.get().unwrap_or_else(|| heuristic_value(problem, state));
        value.map_err(|value| SearchError::NotANumber { g, value })
    }
}

show_fields! {
    [S: Parts, W] Pruning<S, W>,
    "Pruning" (this) { incumbent = this.incumbent.as_ref().map(|(_, cost)| cost) }
}
