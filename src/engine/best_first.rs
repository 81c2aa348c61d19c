//! THE relaxation loop: best-first search in order of f, on which Dijkstra's algorithm and A* stand.

use std::fmt;
use std::hash::BuildHasher;
use std::mem;

use super::run::{checked_step, sound_heuristic};
use super::{Engine, Progress, Run, Search};
use crate::cost::{Cost, larger};
use crate::frontier::{BucketQueue, Frontier};
use crate::limits::{Limits, OutOfMemory};
use crate::observer::Observer;
use crate::path::{Path, PathOf};
use crate::problem::{DenseStates, SearchProblem, SuccessorBuffer, Successors};
use crate::report::{SearchError, StopReason};
use crate::table::{DenseTable, HashedTable, Lookup, NO_STATE, Node, StateId, Table};

/// Puts a best-first search together; [`AStar::new`](super::AStar::new) and
/// [`Dijkstra::new`](super::Dijkstra::new) begin one.
///
/// Without further calls it uses a [`HashedTable`], a [`BucketQueue`], no limits and no observer.
#[derive(Clone, Debug)]
#[must_use]
pub struct BestFirst<P: SearchProblem, T = Hashed<P>, F = BucketQueue<CostOf<P>>, O = ()> {
    problem: P,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// The default table of a problem.
pub type Hashed<P> = HashedTable<<P as SearchProblem>::State, CostOf<P>>;

/// The cost type of a problem.
pub type CostOf<P> = <P as SearchProblem>::Cost;

/// A best-first search of the problem `P`: what [`BestFirst::search`] makes.
pub type BestFirstSearch<P, T = Hashed<P>, F = BucketQueue<CostOf<P>>, O = ()> =
    Search<BestFirstEngine<P, T, F>, O>;

impl<P: SearchProblem> BestFirst<P> {
    pub(super) fn new(problem: P) -> Self {
        Self {
            problem,
            table: HashedTable::default(),
            frontier: BucketQueue::new(),
            limits: Limits::new(),
            observer: (),
        }
    }
}

impl<P: SearchProblem, T, F, O> BestFirst<P, T, F, O> {
    /// Sets the limits.
    pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
        self.limits = limits;
        self
    }

    /// Tells `observer`, or what a `&mut` to one points at, what happens.
    pub fn observer<N: Observer<P::State, P::Cost>>(self, observer: N) -> BestFirst<P, T, F, N> {
        let Self { problem, table, frontier, limits, .. } = self;
        BestFirst { problem, table, frontier, limits, observer }
    }

    /// Uses this frontier: [`LazyHeap`](crate::frontier::LazyHeap),
    /// [`IndexedQueue`](crate::frontier::IndexedQueue) or [`BucketQueue`], the default.
    pub fn frontier<N: Frontier<P::Cost>>(self, frontier: N) -> BestFirst<P, T, N, O> {
        let Self { problem, table, limits, observer, .. } = self;
        BestFirst { problem, table, frontier, limits, observer }
    }

    /// Uses this hasher instead of the one of rustc-hash.
    pub fn hasher<B: BuildHasher>(
        self,
        hasher: B,
    ) -> BestFirst<P, HashedTable<P::State, P::Cost, B>, F, O> {
        self.table(HashedTable::with_hasher(hasher))
    }

    /// Uses the numbers of the states instead of hashing them.
    pub fn dense(self) -> BestFirst<P, DenseTable<P::Cost>, F, O>
    where
        P: DenseStates,
    {
        self.table(DenseTable::new())
    }

    /// Uses this table.
    pub fn table<N: Table<P>>(self, table: N) -> BestFirst<P, N, F, O> {
        let Self { problem, frontier, limits, observer, .. } = self;
        BestFirst { problem, table, frontier, limits, observer }
    }
}

impl<P, T, F, O> BestFirst<P, T, F, O>
where
    P: SearchProblem,
    T: Table<P>,
    F: Frontier<P::Cost>,
    O: Observer<P::State, P::Cost>,
{
    /// A search from one start.
    #[must_use = "a search does nothing until it is run"]
    pub fn search(self, start: P::State) -> BestFirstSearch<P, T, F, O> {
        self.search_from([(start, P::Cost::ZERO)])
    }

    /// A search from several starts, each with what it has cost to get there.
    #[must_use = "a search does nothing until it is run"]
    pub fn search_from(
        self,
        starts: impl IntoIterator<Item = (P::State, P::Cost)>,
    ) -> BestFirstSearch<P, T, F, O> {
        let engine = BestFirstEngine {
            problem: self.problem,
            table: self.table,
            frontier: self.frontier,
            starts: starts.into_iter().collect(),
            successors: SuccessorBuffer::new(),
            buffer_bytes: 0,
            next: None,
            unplaced: Vec::new(),
            open: 0,
            lower_bound: P::Cost::ZERO,
            overflow: None,
            passes_goals: false,
            last_expanded: None,
        };
        Search::new(engine, self.limits, self.observer)
    }
}

impl<P, T, F, O> BestFirstSearch<P, T, F, O>
where
    P: SearchProblem,
    T: Table<P>,
    F: Frontier<P::Cost>,
    O: Observer<P::State, P::Cost>,
{
    /// Begins anew from another start, with all memory that was allocated. On a dense table this
    /// takes constant time.
    ///
    /// ```
    /// use bestfirst::{AStar, FnProblem};
    ///
    /// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 1000);
    /// let mut search = AStar::new(&line).search(990);
    /// assert_eq!(search.run()?.cost(), Some(10));
    /// search.restart(900);
    /// assert_eq!(search.run()?.cost(), Some(100));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn restart(&mut self, start: P::State) {
        self.restart_from([(start, P::Cost::ZERO)]);
    }

    /// Begins anew from several starts, with all memory that was allocated.
    pub fn restart_from(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        let (engine, _) = self.begin_anew();
        engine.begin_anew(starts);
    }

    /// Begins anew with another problem, say another goal on the same map. On a dense table, both
    /// must number their states alike.
    pub fn restart_with(&mut self, problem: P, start: P::State) {
        self.restart(start);
        self.engine_mut().problem = problem;
    }

    /// Calls `visit` for every state stored, with the cost of the cheapest way to it found so far.
    pub(super) fn for_each(&self, mut visit: impl FnMut(&P::State, &Node<P::Cost>)) {
        let engine = self.engine();
        engine.table.for_each(&engine.problem, &mut visit);
    }
}

/// Best-first search in order of *f = g + h*; ties are broken towards larger *g*.
///
/// Optimal for every heuristic that never overestimates: a closed state to which a cheaper way is
/// found is opened again, so the heuristic need not be consistent.
///
/// Source: Hart, Nilsson and Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost
/// Paths*, 1968.
pub struct BestFirstEngine<P: SearchProblem, T, F> {
    problem: P,
    table: T,
    frontier: F,
    /// Starts that are not in the frontier yet.
    starts: Vec<(P::State, P::Cost)>,
    successors: Successors<P>,
    buffer_bytes: usize,
    /// What was popped and is to be expanded next: a goal, or where a limit came between.
    next: Option<(StateId, P::Cost)>,
    /// States for which the frontier had no room when they were reached.
    unplaced: Vec<StateId>,
    /// How many states are open.
    open: u64,
    /// The largest f so far: as f of the next is a lower bound at any time, the largest is one.
    lower_bound: P::Cost,
    /// The first sum that its type could not hold.
    overflow: Option<SearchError<P::Cost>>,
    passes_goals: bool,
    last_expanded: Option<StateId>,
}

impl<P, T, F> BestFirstEngine<P, T, F>
where
    P: SearchProblem,
    T: Table<P>,
    F: Frontier<P::Cost>,
{
    fn begin_anew(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.table.clear();
        self.frontier.clear();
        self.starts.clear();
        self.starts.extend(starts);
        self.next = None;
        self.unplaced.clear();
        self.open = 0;
        self.lower_bound = P::Cost::ZERO;
        self.overflow = None;
        self.last_expanded = None;
    }

    /// The open state with the smallest f.
    #[inline]
    fn take_next<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Option<(StateId, P::Cost)>, OutOfMemory> {
        if let Some(next) = self.next.take() {
            return Ok(Some(next));
        }
        while let Some((id, f)) = self.frontier.pop(&mut run.memory)? {
            let node = self.table.node(id);
            // An entry is out of date if a cheaper way was found after it was pushed.
            if !node.is_closed() && node.f() == Some(f) {
                return Ok(Some((id, f)));
            }
        }
        Ok(None)
    }

    /// Expands the next state, unless the search ends there.
    #[inline]
    fn expand_next<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let (id, f) = match self.take_next(run) {
            Ok(Some(next)) => next,
            Ok(None) => return self.overflow.map_or(Ok(Progress::Exhausted), Err),
            Err(OutOfMemory) => return Ok(Progress::Stopped(StopReason::Memory)),
        };
        if run.is_too_expensive(f) {
            self.next = Some((id, f));
            return Ok(Progress::Stopped(StopReason::Cost));
        }
        self.lower_bound = larger(self.lower_bound, f);
        if !self.passes_goals && self.is_goal(id) {
            self.next = Some((id, f));
            return Ok(Progress::Found);
        }
        let mut successors = mem::take(&mut self.successors);
        successors.clear();
        let expand = |state: &P::State| self.problem.successors(state, &mut successors);
        self.table.with_state(&self.problem, id, expand);
        if self.make_room(successors.len(), successors.bytes(), run).is_err() {
            self.next = Some((id, f));
            self.successors = successors;
            return Ok(Progress::Stopped(StopReason::Memory));
        }
        if run.is_new_layer(f) {
            run.enter_layer(f);
        }
        run.stats.expanded += 1;
        self.last_expanded = Some(id);
        self.open -= 1;
        if let Some(next) = self.frontier.next_up() {
            self.table.prefetch(next);
        }
        let node = self.table.node_mut(id);
        node.close();
        let node = *node;
        if O::LISTENS {
            let observer = &mut run.observer;
            let tell = |state: &P::State| observer.expanded(state, node.g(), node.h());
            self.table.with_state(&self.problem, id, tell);
        }
        let states = successors.as_slice().iter().map(|successor| &successor.state);
        self.table.announce(&self.problem, node.parent(), states)?;
        for (nth, successor) in successors.drain().enumerate() {
            self.relax(nth, (id, node.g()), successor.state, successor.cost, run)?;
        }
        self.successors = successors;
        Ok(Progress::Going)
    }

    #[inline]
    fn is_goal(&self, id: StateId) -> bool {
        self.table.with_state(&self.problem, id, |state| self.problem.is_goal(state))
    }

    /// Makes room for so many successors, whatever they turn out to be, so that an expansion is done
    /// wholly or not at all.
    #[inline]
    fn make_room<O>(
        &mut self,
        successors: usize,
        buffer_bytes: usize,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        if buffer_bytes > self.buffer_bytes {
            run.memory.claim(buffer_bytes - self.buffer_bytes)?;
            self.buffer_bytes = buffer_bytes;
        }
        run.make_room_for_layer()?;
        run.memory.reserve(&mut self.unplaced, successors)?;
        self.table.reserve(&self.problem, successors, &mut run.memory)
    }

    /// Takes note of a way to `state`: the `nth` of those announced, by a step from `parent`.
    #[inline]
    fn relax<O: Observer<P::State, P::Cost>>(
        &mut self,
        nth: usize,
        (parent, parent_g): (StateId, P::Cost),
        state: P::State,
        step: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        run.stats.generated += 1;
        let Some(g) = checked_step(parent_g, step, &mut self.overflow)? else { return Ok(()) };
        if O::LISTENS {
            let observer = &mut run.observer;
            if parent == NO_STATE {
                observer.generated(None, &state, g);
            } else {
                let tell = |parent: &P::State| observer.generated(Some(parent), &state, g);
                self.table.with_state(&self.problem, parent, tell);
            }
        }
        let id = match self.table.find(nth, &state) {
            Lookup::Grandparent => {
                run.stats.duplicates += 1;
                return Ok(());
            }
            Lookup::Known(id) => {
                run.stats.duplicates += 1;
                let node = self.table.node_mut(id);
                if g >= node.g() {
                    return Ok(());
                }
                let was_closed = node.is_closed();
                // Not open either are states whose f was too large, or that are dead ends.
                let was_open = !was_closed && node.h() < P::Cost::INFINITY && node.f().is_some();
                node.reach(g, parent);
                run.stats.reopened += u64::from(was_closed);
                self.open -= u64::from(was_open);
                id
            }
            Lookup::Vacant(place) => {
                let h = sound_heuristic(&self.problem, &state, g, run)?;
                self.table.insert(nth, place, state, Node::new(g, h, parent))
            }
        };
        self.place(id, run);
        Ok(())
    }

    /// Puts a state into the frontier, at its f.
    #[inline]
    fn place<O>(&mut self, id: StateId, run: &mut Run<P::Cost, O>) {
        let node = self.table.node(id);
        let (g, h) = (node.g(), node.h());
        if h >= P::Cost::INFINITY {
            return;
        }
        let Some(f) = g.checked_add(h) else {
            self.overflow.get_or_insert(SearchError::Overflow { g, added: h });
            return;
        };
        // What comes after a state without a place has none either, to keep the order.
        if !self.unplaced.is_empty() || self.frontier.push(id, f, h, &mut run.memory).is_err() {
            self.unplaced.push(id);
        }
        self.open += 1;
        run.stats.peak_frontier = run.stats.peak_frontier.max(self.open);
    }

    /// Puts the starts, and the states that found no room before, into the frontier.
    #[cold]
    fn catch_up<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        for (nth, &id) in self.unplaced.iter().enumerate() {
            let node = self.table.node(id);
            if let Some(f) = node.f()
                && self.frontier.push(id, f, node.h(), &mut run.memory).is_err()
            {
                self.unplaced.drain(..nth);
                return Ok(Progress::Stopped(StopReason::Memory));
            }
        }
        self.unplaced.clear();
        if self.starts.is_empty() {
            return Ok(Progress::Going);
        }
        if self.make_room(self.starts.len(), self.buffer_bytes, run).is_err() {
            return Ok(Progress::Stopped(StopReason::Memory));
        }
        let starts = mem::take(&mut self.starts);
        let states = starts.iter().map(|(state, _)| state);
        self.table.announce(&self.problem, NO_STATE, states)?;
        for (nth, (state, cost)) in starts.into_iter().enumerate() {
            self.relax(nth, (NO_STATE, P::Cost::ZERO), state, cost, run)?;
        }
        // Starts are given, not generated.
        run.stats.generated = 0;
        run.stats.duplicates = 0;
        if self.unplaced.is_empty() {
            Ok(Progress::Going)
        } else {
            Ok(Progress::Stopped(StopReason::Memory))
        }
    }

    /// The way to a state, from the start on: ids and nodes.
    pub(super) fn trail(&self, mut id: StateId) -> Vec<StateId> {
        let mut trail = Vec::new();
        while id != NO_STATE {
            trail.push(id);
            id = self.table.node(id).parent();
        }
        trail.reverse();
        trail
    }

    /// The path to a stored state.
    pub(super) fn path_to(&self, id: StateId) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let trail = self.trail(id);
        let start_cost = trail.first().map_or(P::Cost::ZERO, |&id| self.table.node(id).g());
        let states = trail.iter().map(|&id| self.table.with_state(&self.problem, id, Clone::clone));
        Ok(Path::through(&self.problem, states, start_cost)?)
    }

    pub(super) fn problem(&self) -> &P {
        &self.problem
    }

    pub(super) fn table(&self) -> &T {
        &self.table
    }

    /// Whether goals are expanded like any other state, and not answers.
    pub(super) fn pass_goals(&mut self, pass: bool) {
        self.passes_goals = pass;
    }

    /// The state that was expanded last.
    pub(super) fn last_expanded(&self) -> Option<StateId> {
        self.last_expanded
    }

    /// The state that was popped last and is still to be expanded.
    pub(super) fn pending(&self) -> Option<StateId> {
        self.next.map(|(id, _)| id)
    }

    /// Finds the next open state and leaves it to be expanded.
    pub(super) fn peek<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Option<(StateId, P::Cost)>, OutOfMemory> {
        self.next = self.take_next(run)?;
        Ok(self.next)
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
        for _ in 0..most {
            if !self.starts.is_empty() || !self.unplaced.is_empty() {
                let progress = self.catch_up(run)?;
                if progress != Progress::Going {
                    return Ok(progress);
                }
            }
            let progress = self.expand_next(run)?;
            if progress != Progress::Going {
                return Ok(progress);
            }
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, run: &mut Run<P::Cost, O>) -> P::Cost {
        if !self.starts.is_empty() || !self.unplaced.is_empty() {
            // Those come into the frontier first: what is next now need not be next then.
            return self.lower_bound;
        }
        match self.peek(run) {
            Err(OutOfMemory) => self.lower_bound,
            // A path cheaper than the bound shows that the heuristic overestimates: nothing is proved.
            Ok(Some((_, f))) if self.shows_overestimate(f) => P::Cost::ZERO,
            Ok(Some((_, f))) => larger(self.lower_bound, f),
            Ok(None) => P::Cost::INFINITY,
        }
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        match self.pending() {
            Some(id) if self.is_goal(id) => self.path_to(id),
            _ => Ok(None),
        }
    }

    fn stored(&self) -> usize {
        self.table.len()
    }
}

impl<P, T, F> BestFirstEngine<P, T, F>
where
    P: SearchProblem,
    T: Table<P>,
    F: Frontier<P::Cost>,
{
    /// Whether a goal of cost `f` was found next, but the heuristic says of a state on the way to it,
    /// or of one expanded before, that this cannot be.
    fn shows_overestimate(&self, f: P::Cost) -> bool {
        let Some(id) = self.pending() else { return false };
        let exceeds = |bound: P::Cost| bound.exceeds(f);
        self.is_goal(id)
            && (exceeds(self.lower_bound)
                || self.trail(id).iter().any(|&id| self.table.node(id).f().is_none_or(exceeds)))
    }
}

impl<P: SearchProblem, T: fmt::Debug, F: fmt::Debug> fmt::Debug for BestFirstEngine<P, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BestFirstEngine")
            .field("table", &self.table)
            .field("frontier", &self.frontier)
            .field("lower_bound", &self.lower_bound)
            .finish_non_exhaustive()
    }
}
