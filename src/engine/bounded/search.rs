//! The engine that drops whatever cannot beat the best solution so far, and ends when nothing is left.

use std::fmt;
use std::mem;

use crate::cost::{Cost, larger, smaller};
use crate::engine::best_first::{Relaxation, reached_by};
use crate::engine::depth_first::{Expander, SuccessorFilter};
use crate::engine::run::sum_of_step;
use crate::engine::{Engine, Progress, Run};
use crate::frontier::Frontier;
use crate::limits::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::{SearchProblem, Successor};
use crate::report::{SearchError, StopReason};
use crate::table::{Distance, NO_STATE, StateId, Table};

/// The order in which a [`BoundedEngine`] expands open states. It is a frontier that gives out its
/// entries in an order of its own.
pub trait Agenda<P: SearchProblem>: Frontier<P::Cost> {
    /// Makes room for so many more entries, and for [`arrange`](Self::arrange) to put them in order.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is none; nothing changes.
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory>;

    /// What was pushed since it was arranged last: each state with its f.
    fn fresh(&self) -> &[(StateId, P::Cost)];

    /// Puts what is fresh in order.
    fn arrange<T: Table<P>>(&mut self, problem: &P, table: &T);

    /// Where nothing is left to be popped: begins the next layer and returns the smallest f in it, if
    /// there is one.
    fn next_layer(&mut self) -> Option<P::Cost>;

    /// All entries, those out of date included.
    fn entries(&self) -> impl Iterator<Item = (StateId, P::Cost)>;
}

/// The engine of [`BranchAndBound`](crate::BranchAndBound) and
/// [`BreadthFirst`](crate::BreadthFirst).
///
/// It is best-first search's loop with another order, and with an incumbent: a state whose *g + h* is
/// no less than the cost of the best solution so far is not stored, or not expanded if it was stored
/// before. A closed state is opened again when a cheaper way to it is found, so what is left when
/// nothing is open is a cheapest path.
pub struct BoundedEngine<P: SearchProblem, A, W, T: Table<P>> {
    states: Relaxation<P, T, A>,
    /// Starts that are not among the states yet.
    starts: Vec<(P::State, P::Cost)>,
    walk: W,
    /// What the memory account knows of the walk.
    walk_bytes: usize,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    /// The successors of a state, the last first; empty between expansions.
    brood: Brood<P>,
    /// An open state that is to be expanded next, as a limit came between.
    next: Option<(StateId, P::Cost)>,
    /// Open states that cost more than is allowed.
    aside: Vec<(StateId, P::Cost)>,
    /// The goal of the best solution so far, and its cost.
    incumbent: Option<(StateId, P::Cost)>,
    /// The largest bound that was reported.
    lower_bound: P::Cost,
    /// The smallest f in the layer that the search is at, or in one before.
    layer: P::Cost,
}

/// The successors of a state that are worth a look.
type Brood<P> = Vec<Successor<<P as SearchProblem>::State, (), <P as SearchProblem>::Cost>>;

/// So many open states are dropped between two looks at the clock.
const MOST_UNSEEN: u32 = 1 << 12;

impl<P, A, W, T> BoundedEngine<P, A, W, T>
where
    P: SearchProblem,
    A: Agenda<P>,
    W: Expander<P>,
    T: Table<P>,
{
    pub(super) fn new(
        problem: P,
        table: T,
        agenda: A,
        (walk, sieves): (W, bool),
        starts: Vec<(P::State, P::Cost)>,
    ) -> Self {
        Self {
            states: Relaxation::new(problem, table, agenda),
            starts,
            walk,
            walk_bytes: 0,
            sieves,
            brood: Vec::new(),
            next: None,
            aside: Vec::new(),
            incumbent: None,
            lower_bound: P::Cost::ZERO,
            layer: P::Cost::ZERO,
        }
    }

    /// Makes the starts ready to be expanded.
    #[cold]
    fn look_at_starts<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let count = self.starts.len();
        if run.memory.reserve(&mut self.brood, count).is_err()
            || self.make_room(count, run).is_err()
        {
            return Ok(Progress::Stopped(StopReason::Memory));
        }
        let starts = mem::take(&mut self.starts).into_iter().rev();
        self.brood.extend(starts.map(reached_by));
        self.relax((NO_STATE, P::Cost::ZERO), run)?;
        // Starts are given, not generated.
        run.stats.duplicates = 0;
        let least = self.states.frontier.entries().map(|(_, f)| f).reduce(smaller);
        self.layer = least.unwrap_or(P::Cost::ZERO);
        Ok(Progress::Going)
    }

    /// Expands an open state, unless there is no room for its successors.
    #[inline]
    fn expand<O: Observer<P::State, P::Cost>>(
        &mut self,
        (id, f): (StateId, P::Cost),
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let Self { states, walk, brood, incumbent, .. } = self;
        let Relaxation { problem, table, .. } = states;
        let mut sieve = Sieve {
            problem,
            // Whoever listens is to be told of duplicates, too.
            table: (self.sieves && !O::LISTENS).then_some(table),
            g: table.node(id).g(),
            incumbent: incumbent.map(|(_, cost)| cost),
            room: brood.capacity(),
            brood,
            wanted: 0,
            generated: 0,
            duplicates: 0,
        };
        table.with_state(problem, id, |state| walk.expand_shared(problem, state, &mut sieve));
        let Sieve { wanted, generated, duplicates, .. } = sieve;
        if wanted > self.brood.len() || self.walk.bytes() > self.walk_bytes {
            return Ok(self.grow((id, f), wanted, run));
        }
        if self.make_room(wanted, run).is_err() {
            self.brood.clear();
            self.next = Some((id, f));
            return Ok(Progress::Stopped(StopReason::Memory));
        }
        run.stats.duplicates += duplicates;
        let node = self.states.begin_expansion(id, self.layer, generated, run);
        if self.states.table.distance() != Distance::Near {
            self.states.fetch_coming();
        }
        self.relax((id, node.g()), run)?;
        Ok(Progress::Going)
    }

    /// Relaxes the steps to the brood, for which there must be room, and looks what came of it.
    #[inline(never)]
    fn relax<O: Observer<P::State, P::Cost>>(
        &mut self,
        parent: (StateId, P::Cost),
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let incumbent = self.incumbent.map(|(_, cost)| cost);
        let Self { states, brood, .. } = self;
        brood.reverse();
        states.relax_all(parent, brood, |g, h| admits(incumbent, g, h), run)?;
        self.look_at_fresh(run);
        Ok(())
    }

    /// Makes room for more successors than any state had before; the state is then expanded anew.
    #[cold]
    fn grow<O>(
        &mut self,
        next: (StateId, P::Cost),
        wanted: usize,
        run: &mut Run<P::Cost, O>,
    ) -> Progress {
        self.brood.clear();
        self.next = Some(next);
        let more = self.walk.bytes().saturating_sub(self.walk_bytes);
        if run.memory.claim(more).is_err() {
            return Progress::Stopped(StopReason::Memory);
        }
        self.walk_bytes += more;
        if run.memory.reserve(&mut self.brood, wanted).is_err() {
            return Progress::Stopped(StopReason::Memory);
        }
        Progress::Going
    }

    fn make_room<O>(
        &mut self,
        successors: usize,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        self.states.frontier.reserve(successors, &mut run.memory)?;
        self.states.make_room(successors, self.layer, run)
    }

    /// Looks for goals among the states that have just become open, and puts them in order.
    #[inline]
    fn look_at_fresh<O: Observer<P::State, P::Cost>>(&mut self, run: &mut Run<P::Cost, O>) {
        let states = &mut self.states;
        for &(id, f) in states.frontier.fresh() {
            // The h of a goal is zero.
            if states.table.node(id).h() <= P::Cost::ZERO
                && self.incumbent.is_none_or(|(_, cost)| f < cost)
                && states.is_current(id, f)
                && states.is_goal(id)
            {
                self.incumbent = Some((id, f));
                run.observer.incumbent(f);
            }
        }
        states.frontier.arrange(&states.problem, &states.table);
    }

    /// Whether a solution of cost `f` would be better than the best so far.
    #[inline]
    fn is_better(&self, f: P::Cost) -> bool {
        self.incumbent.is_none_or(|(_, cost)| f < cost)
    }

    /// The next entry of the agenda, still current or not.
    #[inline]
    fn take_next<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Option<(StateId, P::Cost)>, OutOfMemory> {
        match self.next.take() {
            Some(next) => Ok(Some(next)),
            None => self.states.frontier.pop(&mut run.memory),
        }
    }

    /// Where nothing is left but what was too expensive: goes on with that, if it is not so any more,
    /// or ends.
    #[cold]
    fn look_aside<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let mut aside = mem::take(&mut self.aside);
        aside.retain(|&(id, f)| {
            let is_open = self.states.is_current(id, f);
            if is_open && !self.is_better(f) {
                self.states.close(id);
            }
            is_open && self.is_better(f)
        });
        self.aside = aside;
        let is_dear = |&(_, f): &(StateId, P::Cost)| run.is_too_expensive(f);
        if self.aside.iter().any(|entry| !is_dear(entry)) {
            if self.states.frontier.reserve(self.aside.len(), &mut run.memory).is_err() {
                return Ok(Progress::Stopped(StopReason::Memory));
            }
            while let Some(&(id, f)) = self.aside.last() {
                let h = self.states.table.node(id).h();
                if self.states.frontier.push(id, f, h, &mut run.memory).is_err() {
                    return Ok(Progress::Stopped(StopReason::Memory));
                }
                self.aside.pop();
            }
            self.states.frontier.arrange(&self.states.problem, &self.states.table);
            return Ok(Progress::Going);
        }
        match self.incumbent {
            _ if !self.aside.is_empty() => Ok(Progress::Stopped(StopReason::Cost)),
            Some((_, cost)) if run.is_too_expensive(cost) => {
                Ok(Progress::Stopped(StopReason::Cost))
            }
            Some(_) => Ok(Progress::Found),
            None => self.states.overflow.map_or(Ok(Progress::Exhausted), Err),
        }
    }

    /// Whether the heuristic has said of a state on the way to the incumbent that it must cost more.
    fn shows_overestimate(&self) -> bool {
        self.incumbent.is_some_and(|(goal, cost)| {
            let exceeds = |bound: P::Cost| bound.exceeds(cost);
            let on_way = |&id: &StateId| self.states.table.node(id).f().is_none_or(exceeds);
            self.states.trail(goal).iter().any(on_way)
        })
    }
}

/// Whether a state may lead to a better solution than one of cost `incumbent`. Dead ends are to be
/// remembered as such.
#[inline]
fn admits<C: Cost>(incumbent: Option<C>, g: C, h: C) -> bool {
    incumbent.is_none_or(|cost| h >= C::INFINITY || g.checked_add(h).is_some_and(|f| f < cost))
}

/// Decides which successors of a state are worth a copy.
struct Sieve<'a, P: SearchProblem, T> {
    problem: &'a P,
    /// Where they are looked up first; `None` if all are kept.
    table: Option<&'a T>,
    /// The cost of the state.
    g: P::Cost,
    incumbent: Option<P::Cost>,
    brood: &'a mut Brood<P>,
    room: usize,
    /// How many are kept, whether there is room for them or not.
    wanted: usize,
    generated: u64,
    duplicates: u64,
}

impl<P: SearchProblem, T: Table<P>, S> SuccessorFilter<P, S> for Sieve<'_, P, T> {
    /// What the step costs.
    type Evaluation = P::Cost;

    #[inline]
    fn test(&mut self, state: &P::State, step: P::Cost) -> Option<P::Cost> {
        self.generated += 1;
        // Steps that are faulty are kept, to be found so.
        if let Some(table) = self.table
            && let Some(g) = sum_of_step(self.g, step)
        {
            if !admits(self.incumbent, g, P::Cost::ZERO) {
                return None;
            }
            let known = table.id_of(self.problem, state);
            if known.is_some_and(|id| g >= table.node(id).g()) {
                self.duplicates += 1;
                return None;
            }
        }
        Some(step)
    }

    #[inline]
    fn keep(&mut self, state: P::State, _: S, step: P::Cost) {
        self.wanted += 1;
        if self.wanted <= self.room {
            self.brood.push(reached_by((state, step)));
        }
    }
}

impl<P, A, W, T> Engine for BoundedEngine<P, A, W, T>
where
    P: SearchProblem,
    A: Agenda<P>,
    W: Expander<P>,
    T: Table<P>,
{
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let until = run.stats.expanded.saturating_add(most);
        let mut dropped = 0;
        if !self.starts.is_empty() {
            let progress = self.look_at_starts(run)?;
            if progress != Progress::Going {
                return Ok(progress);
            }
        }
        while (run.stats.expanded < until || most == 0) && dropped < MOST_UNSEEN {
            let Ok(next) = self.take_next(run) else {
                return Ok(Progress::Stopped(StopReason::Memory));
            };
            let progress = if let Some((id, _)) = next {
                dropped += 1;
                // If it was reached more cheaply since, it is expanded here, and not where it was pushed
                // again.
                let node = self.states.table.node(id);
                let Some(f) = node.f().filter(|_| !node.is_closed()) else { continue };
                if !self.is_better(f) {
                    self.states.close(id);
                    continue;
                }
                if run.is_too_expensive(f) {
                    if run.memory.reserve(&mut self.aside, 1).is_err() {
                        self.next = next;
                        return Ok(Progress::Stopped(StopReason::Memory));
                    }
                    self.aside.push((id, f));
                    continue;
                }
                if most == 0 {
                    self.next = next;
                    break;
                }
                dropped = 0;
                self.expand((id, f), run)?
            } else if let Some(f) = self.states.frontier.next_layer() {
                self.layer = larger(self.layer, f);
                Progress::Going
            } else {
                self.look_aside(run)?
            };
            if progress != Progress::Going {
                return Ok(progress);
            }
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        if !self.starts.is_empty() {
            return self.lower_bound;
        }
        // Whatever is cheaper than the incumbent begins like a path to an open state.
        let mut least = self.incumbent.map(|(_, cost)| cost);
        let waiting = self.states.frontier.entries().chain(self.next);
        for (id, f) in waiting.chain(self.aside.iter().copied()) {
            if least.is_none_or(|least| f < least) && self.states.is_current(id, f) {
                least = Some(f);
            }
        }
        self.lower_bound = larger(self.lower_bound, least.unwrap_or(P::Cost::INFINITY));
        // A path cheaper than a bound on it shows that the heuristic overestimates: nothing is proved.
        if self.shows_overestimate() { P::Cost::ZERO } else { self.lower_bound }
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.incumbent.map_or(Ok(None), |(id, _)| self.states.path_to(id))
    }

    fn stored(&self) -> usize {
        self.states.table.len()
    }
}

impl<P, A, W, T> fmt::Debug for BoundedEngine<P, A, W, T>
where
    P: SearchProblem,
    A: fmt::Debug,
    T: Table<P>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundedEngine")
            .field("table", &self.states.table)
            .field("agenda", &self.states.frontier)
            .field("incumbent", &self.incumbent.map(|(_, cost)| cost))
            .finish_non_exhaustive()
    }
}
