//! [`ReplannerEngine`]: D* Lite.

use super::record::sealed::BothCosts;
use super::record::{ReplanKey, ReplanningRecord, ToGo};
use crate::cost::{Cost, larger, smaller};
use crate::debug::show_fields;
use crate::engine::checked::{checked_step, not_negative, sum_of_step};
use crate::engine::halt::Halt;
use crate::engine::relaxation::LeftOut;
use crate::engine::{Engine, Progress, Run};
use crate::frontier::{Frontier, Key, LazyHeap};
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::{Path, PathOf};
use crate::problem::{Reversible, SearchProblem, Successors};
use crate::report::{SearchError, StopReason};
use crate::table::{Full, IdOf, Lookup, Record, StateId, Table};

/// The engine of [`Replanner`](crate::Replanner).
///
/// It searches backwards from the goals. For each state it stores *rhs*, the cost to a goal through its best
/// successor, and *g*, the value of *rhs* when the state was last expanded. States whose *g* and *rhs* differ are open.
/// A change opens a few states again; the others remain closed.
#[expect(clippy::struct_excessive_bools, reason = "each is about something else")]
pub struct ReplannerEngine<P: Reversible, T: ReplanningTable<P::State, P::Cost>> {
    problem: P,
    table: T,
    /// Open states. An entry is stale if the record of its state has another key.
    queue: LazyHeap<ReplanKey<P::Cost>, Id<P, T>>,
    /// The number of open states.
    open: usize,
    starts: Vec<(P::State, P::Cost)>,
    /// States whose steps may have changed.
    changed: Vec<P::State>,
    /// Open states whose keys must be recomputed.
    outdated: Vec<Id<P, T>>,
    /// Whether not all goals are among the changed states yet.
    begins: bool,
    /// How many of them are.
    listed_goals: usize,
    /// Whether the next run must start over.
    starts_over: bool,
    /// Whether the keys of all open states must be recomputed.
    rekeys: bool,
    /// Whether the problem was handed out to be changed since the last run.
    is_handed_out: bool,
    /// Whether the heuristic is declared to be consistent and constant.
    is_consistent: bool,
    /// The start of the current keys, if it has moved and the heuristic is consistent.
    moved_from: Option<P::State>,
    /// `k_m` of D\* Lite, added to the f of all keys: an upper bound on the decrease of the heuristic values of states
    /// since they were pushed.
    offset: P::Cost,
    /// The cost of a cheapest path, if it is known.
    answer: Option<P::Cost>,
    /// The largest lower bound since the last change or move.
    lower_bound: P::Cost,
    /// The path of `answer`, until it is returned.
    path: Option<PathOf<P>>,
    /// The first sum that did not fit into its type.
    overflow: Option<SearchError<P::Cost>>,
    /// The states at which sums did not fit in the first run.
    left_out: LeftOut<P::Cost>,
    /// Whether the search is in its first run, without changes or moves.
    is_first: bool,
    previous: Successors<P>,
    next: Successors<P>,
    /// The counted bytes of `previous`.
    previous_bytes: usize,
    /// The counted bytes of `next`.
    next_bytes: usize,
}

/// A [`Table`] with records for replanning. Implemented for every such table.
pub trait ReplanningTable<S, C>: Table<S, Record: ReplanningRecord<Cost = C>> {}

impl<S, C, T: Table<S, Record: ReplanningRecord<Cost = C>>> ReplanningTable<S, C> for T {}

/// The queue is compacted when it has more stale entries than open states, by this number.
const SLACK: usize = 1 << 10;

/// The ids of the states of `P` in the table `T`.
type Id<P, T> = IdOf<T, <P as SearchProblem>::State>;

/// The cheapest known path: its cost, the cost from its start, and its start.
type BestPath<P, T> = (CostOf<P>, ToGo<CostOf<P>>, Id<P, T>);

/// The cost of a state through its best successor, and that successor.
type ByWayOf<P, T> = (ToGo<CostOf<P>>, Id<P, T>);

/// The key of a state and its f.
type Keyed<C> = (ReplanKey<C>, C);

type CostOf<P> = <P as SearchProblem>::Cost;

/// The number of states processed between two checks of the limits.
const BATCH: usize = 256;

/// If sums are rounded, the offset may be 2 to this power times the cost of a path: at most this many bits of the keys are
/// lost, and a walk to the goal recomputes the keys a few times.
const MOST_DOUBLINGS: u32 = 6;

/// The result of a fallible operation.
type Fallible<T, C> = Result<T, SearchError<C>>;

/// The result of a part of the search: continue, or return.
type Flow<C> = Result<(), Halt<C>>;

impl<P: Reversible, T: ReplanningTable<P::State, P::Cost>> ReplannerEngine<P, T> {
    pub(super) fn new(
        problem: P,
        table: T,
        is_consistent: bool,
        starts: Vec<(P::State, P::Cost)>,
    ) -> Self {
        Self {
            problem,
            table,
            queue: LazyHeap::new(),
            open: 0,
            starts,
            changed: Vec::new(),
            outdated: Vec::new(),
            begins: true,
            listed_goals: 0,
            starts_over: false,
            rekeys: false,
            is_handed_out: false,
            is_consistent,
            moved_from: None,
            offset: P::Cost::ZERO,
            answer: None,
            lower_bound: P::Cost::ZERO,
            path: None,
            overflow: None,
            left_out: LeftOut::new(),
            is_first: true,
            previous: Successors::<P>::new(),
            next: Successors::<P>::new(),
            previous_bytes: 0,
            next_bytes: 0,
        }
    }

    pub(super) fn problem(&self) -> &P {
        &self.problem
    }

    pub(super) fn problem_mut(&mut self) -> &mut P {
        // The changes may be reported later, and nothing is proved until then.
        self.forget_answer();
        self.is_handed_out = true;
        &mut self.problem
    }

    /// Sets the only start.
    pub(super) fn move_to(&mut self, start: &P::State) {
        // A panic in `Clone` leaves the starts as they are.
        let start = start.clone();
        self.forget_answer();
        self.is_first = false;
        match &mut self.starts[..] {
            [(before, cost)] if self.is_consistent && *cost == P::Cost::ZERO => {
                let before = std::mem::replace(before, start);
                self.moved_from.get_or_insert(before);
            }
            _ => {
                // There is a start also if one of those before panics as it is dropped.
                self.rekeys = true;
                self.starts.push((start, P::Cost::ZERO));
                let before = self.starts.len() - 1;
                self.starts.swap(0, before);
                self.starts.truncate(1);
            }
        }
    }

    /// Records that the steps from this state may have changed.
    pub(super) fn note_change(&mut self, state: &P::State, memory: &mut Memory) {
        self.forget_answer();
        self.is_first = false;
        self.rekeys |= !self.is_consistent;
        if self.starts_over {
            return;
        }
        match memory.reserve(&mut self.changed, 1) {
            Ok(()) => self.changed.push(state.clone()),
            // Without memory to record the change, the next run starts over.
            Err(OutOfMemory) => self.starts_over = true,
        }
    }

    /// Makes the next run start over.
    pub(super) fn start_over(&mut self) {
        self.starts_over = true;
        self.forget_answer();
    }

    /// Forgets the answer and the lower bound. If the search was stopped while it listed the goals, it begins anew with that: they may
    /// be others.
    fn forget_answer(&mut self) {
        (self.answer, self.lower_bound) = (None, P::Cost::ZERO);
        self.listed_goals = 0;
    }

    /// Forgets all states and keeps the memory.
    fn clear(&mut self) {
        self.table.clear();
        self.queue.clear();
        self.open = 0;
        self.changed.clear();
        self.outdated.clear();
        (self.begins, self.starts_over, self.rekeys) = (true, false, false);
        (self.moved_from, self.offset) = (None, P::Cost::ZERO);
        (self.answer, self.overflow) = (None, None);
        self.left_out.clear();
        (self.is_first, self.listed_goals) = (true, 0);
        self.previous.keep_within(self.previous_bytes);
        self.next.keep_within(self.next_bytes);
    }

    /// Processes the changes since the last run.
    fn catch_up<O>(&mut self, run: &mut Run<P::Cost, O>) -> Flow<P::Cost> {
        self.is_handed_out = false;
        if self.starts_over {
            self.clear();
        }
        if self.begins {
            for goal in self.problem.goals().skip(self.listed_goals) {
                run.memory().reserve(&mut self.changed, 1)?;
                self.changed.push(goal);
                self.listed_goals += 1;
                if run.is_interrupted() {
                    return Err(Halt::PAUSED);
                }
            }
            self.begins = false;
        }
        if let (Some(before), [(start, _)]) = (self.moved_from.take(), &self.starts[..]) {
            let moved = sound(self.problem.heuristic_from(&before, start))?;
            match self.offset.checked_add(moved) {
                Some(offset) if moved < P::Cost::INFINITY => self.offset = offset,
                _ => self.rekeys = true,
            }
        }
        if self.rekeys {
            self.outdated.clear();
            run.memory().reserve(&mut self.outdated, self.queue.len())?;
            let Self { queue, table, outdated, .. } = self;
            queue.for_each(|id, key| {
                if table.load(id).key() == key {
                    outdated.push(id);
                }
            });
            (self.rekeys, self.offset) = (false, P::Cost::ZERO);
        }
        for _ in 0..BATCH {
            if let Some(id) = self.outdated.pop() {
                self.place(id, run)?;
            } else if self.changed.is_empty() {
                return Ok(());
            } else {
                self.update_rhs(run)?;
            }
            if run.is_interrupted() {
                break;
            }
        }
        Err(Halt::PAUSED)
    }

    /// Finds the best successor of the last of the changed states.
    fn update_rhs<O>(&mut self, run: &mut Run<P::Cost, O>) -> Flow<P::Cost> {
        let Some(state) = self.changed.last() else { return Ok(()) };
        self.table.reserve(1, run.memory())?;
        self.queue.reserve(1, run.memory())?;
        let (rhs, next) = best_successor(
            &self.problem,
            &self.table,
            state,
            (&mut self.next, &mut self.next_bytes),
            &mut self.overflow,
            run,
        )?;
        let key = self.table.key(state);
        match self.table.find(key, state, |_| true) {
            Lookup::OutOfRange { index, count } => {
                return Err(SearchError::StateIndex { index, count }.into());
            }
            Lookup::Improved(id) => {
                self.changed.pop();
                self.table.update(id, |record| record.set_rhs(rhs, next));
                self.place(id, run)?;
            }
            Lookup::Vacant(slot) => {
                if let Some(state) = self.changed.pop()
                    && rhs.is_reached()
                {
                    let record = T::Record::open(rhs, next);
                    let id = self.table.insert(key, slot, state, record);
                    self.place(id, run)?;
                }
            }
            Lookup::NotImproved => {}
        }
        Ok(())
    }

    /// Puts a state into the queue with its current key, or removes it if it is not open.
    #[inline]
    fn place<O>(
        &mut self,
        id: Id<P, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let record = self.table.load(id);
        let ((g, rhs), before) = (record.both(), record.key());
        let key = if g == rhs {
            ReplanKey::NONE
        } else {
            run.stats.evaluated += 1;
            self.key_of(id, run)?.0
        };
        if key == before {
            return Ok(());
        }
        self.table.update(id, |record| record.set_key(key));
        self.open = self.open.saturating_sub(usize::from(before != ReplanKey::NONE));
        if key != ReplanKey::NONE {
            self.open += 1;
            // There is memory, unless the entries of the queue must be widened. If they cannot, the search starts over.
            self.starts_over |= self.queue.push(id, key, run.memory()).is_err();
        }
        if self.queue.len() > 2 * self.open + SLACK {
            let table = &self.table;
            self.queue.retain(|id, key| table.load(id).key() == key);
        }
        Ok(())
    }

    /// Returns the key of an open state, and its f, which is the first part of the key without the offset.
    #[inline]
    fn key_of<O>(
        &mut self,
        id: Id<P, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Fallible<Keyed<P::Cost>, P::Cost> {
        let (g, rhs) = self.table.load(id).both();
        let to_go = g.min(rhs);
        let Self { problem, starts, overflow, .. } = self;
        let h = self.table.with_state(id, |state| estimate(problem, starts, state, overflow))?;
        let Some(h) = h else { return Ok(self.never(id, self.overflow.is_some(), run)) };
        let Some(f) = to_go.cost.checked_add(h) else { return Ok(self.never(id, true, run)) };
        Ok((ReplanKey { f: self.with_offset(f), steps: to_go.steps }, f))
    }

    /// Returns the key of a state to which no path leads from a start, or, which `may_overflow`, none whose cost fits: it need
    /// not be expanded.
    #[cold]
    fn never<O>(
        &mut self,
        id: Id<P, T>,
        may_overflow: bool,
        run: &mut Run<P::Cost, O>,
    ) -> Keyed<P::Cost> {
        if may_overflow && let Some((g, added)) = self.f_left_out(id) {
            self.overflow.get_or_insert(SearchError::Overflow { g, added });
            self.note_left_out(id, run);
        }
        (ReplanKey::NEVER, P::Cost::INFINITY)
    }

    /// Takes note that a sum did not fit at a state. Only the first run needs it: later ones start over to decide.
    #[cold]
    fn note_left_out<O>(&mut self, id: Id<P, T>, run: &mut Run<P::Cost, O>) {
        if self.is_first {
            self.left_out.note_at(Some(id.to_u64()), run.memory());
        }
    }

    /// Returns the f of an open state as a sum, if it does not fit.
    #[cold]
    fn f_left_out(&self, id: Id<P, T>) -> Option<(P::Cost, P::Cost)> {
        let (g, rhs) = self.table.load(id).both();
        let to_go = g.min(rhs);
        let mut overflow = None;
        let Self { problem, starts, .. } = self;
        let h = |state: &P::State| estimate(problem, starts, state, &mut overflow);
        match (self.table.with_state(id, h).ok()?, overflow) {
            (Some(h), _) => {
                let fits = to_go.cost.checked_add(h).is_some();
                (to_go.is_reached() && !fits).then_some((to_go.cost, h))
            }
            (None, Some(SearchError::Overflow { g, added })) => Some((g, added)),
            _ => None,
        }
    }

    /// Returns an f with the offset, the first part of a key.
    #[inline]
    fn with_offset(&mut self, f: P::Cost) -> P::Cost {
        f.checked_add(self.offset).unwrap_or_else(|| {
            // Too large only because of the offset: all keys are recomputed without it.
            self.rekeys = true;
            P::Cost::INFINITY
        })
    }

    /// Whether the offset is so large that keys near `f` lose more than sums of floats do by rounding anyway. Then a state
    /// with a smaller f may not come first, and all keys are recomputed without the offset.
    #[inline]
    fn is_rounded(&self, f: P::Cost) -> bool {
        let offset = self.offset;
        if offset.checked_sub(offset).is_some() || offset == P::Cost::ZERO {
            return false;
        }
        // Costs without a bucket may have several parts, of which the comparison sees only the first.
        let most = (0..MOST_DOUBLINGS).try_fold(f, |sum, _| sum.checked_add(sum));
        offset.to_bucket().is_none() || most.is_some_and(|most| offset > most)
    }

    /// Returns a lower bound on the f of all open states, if one is known, by their keys: it takes one pass over them, and the
    /// heuristic is asked at most once. An outdated key is too small, never too large.
    #[cold]
    #[inline(never)]
    fn least_open_f(&mut self) -> Option<P::Cost> {
        let (mut first, mut key) = (None, ReplanKey::NEVER);
        let Self { queue, table, .. } = self;
        queue.for_each(|id, other| {
            if other.precedes(&key) && table.load(id).key() == other {
                (first, key) = (Some(id), other);
            }
        });
        let Some(id) = first else { return Some(P::Cost::INFINITY) };
        if self.offset == P::Cost::ZERO {
            return Some(key.f);
        }
        // The offset need not be a part of an outdated key.
        let f = key.f.checked_sub(self.offset);
        if let Some(f) = f.filter(|f| f.checked_add(self.offset) == Some(key.f)) {
            return Some(f);
        }
        // If the first of the keys is not outdated, its f is the least.
        let to_go = self.table.load(id).both();
        let h = |state: &P::State| estimate(&self.problem, &self.starts, state, &mut None);
        // A NaN is an error as soon as the search continues.
        let h = self.table.with_state(id, h).ok().flatten()?;
        let f = to_go.0.min(to_go.1).cost.checked_add(h)?;
        (f.checked_add(self.offset) == Some(key.f)).then_some(f)
    }

    /// Returns the cheapest known path.
    fn best_start(&mut self) -> Option<BestPath<P, T>> {
        let mut best: Option<BestPath<P, T>> = None;
        for (start, cost) in &self.starts {
            let Some(id) = self.table.id_of(start) else { continue };
            let (_, rhs) = self.table.load(id).both();
            if !rhs.is_reached() {
                continue;
            }
            let Some(total) = cost.checked_add(rhs.cost) else {
                self.overflow.get_or_insert(SearchError::Overflow { g: *cost, added: rhs.cost });
                continue;
            };
            if best.is_none_or(|(least, ..)| total < least) {
                best = Some((total, rhs, id));
            }
        }
        best
    }

    /// Expands at most `most` states.
    fn search<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Flow<P::Cost> {
        self.catch_up(run)?;
        for _ in 0..most {
            self.advance_one(true, run)?;
            if run.is_interrupted() {
                return Ok(());
            }
        }
        self.advance_one(false, run)
    }

    /// Expands the next state, if one must be expanded before the answer is known.
    fn advance_one<O: Observer<P::State, P::Cost>>(
        &mut self,
        may_expand: bool,
        run: &mut Run<P::Cost, O>,
    ) -> Flow<P::Cost> {
        for _ in 0..BATCH {
            let best = self.best_start();
            let target = match best {
                Some((total, to_go, _)) => {
                    ReplanKey { f: self.with_offset(total), steps: to_go.steps }
                }
                None => ReplanKey::NEVER,
            };
            if self.starts_over {
                return Err(OutOfMemory.into());
            }
            self.rekeys |= best.is_some_and(|(total, ..)| self.is_rounded(total));
            if self.rekeys {
                return Err(Halt::PAUSED);
            }
            let next = self.queue.peek().filter(|(_, key)| key.precedes(&target));
            if let Some((id, key)) = next
                && self.table.load(id).key() != key
            {
                self.queue.take();
                continue;
            }
            let unsettled = || best.and_then(|(.., start)| self.unsettled_after(start));
            let Some(id) = next.map(|(id, _)| id).or_else(unsettled) else {
                return self.end(best.map(|(.., start)| start), run);
            };
            let (current, f) = self.key_of(id, run)?;
            if next.is_some_and(|(_, key)| key.precedes(&current)) {
                self.place(id, run)?;
                if run.is_interrupted() {
                    break;
                }
                continue;
            }
            if next.is_some() && run.exceeds_cost_limit(f) {
                if self.is_rounded(f) {
                    self.rekeys = true;
                    break;
                }
                return Err(StopReason::Cost.into());
            }
            return if may_expand {
                self.expand(id, f, run)
            } else {
                Err(Halt::At(Progress::Going))
            };
        }
        Err(Halt::PAUSED)
    }

    /// Expands an open state, or changes nothing if there is no memory.
    // Inlined, at optimisation level 1, rustc 1.95 (LLVM 22) overwrites the exception of a panic in `Clone` of a state with a
    // number: unwinding then crashes (`panics_anywhere` in the harness).
    #[inline(never)]
    fn expand<O: Observer<P::State, P::Cost>>(
        &mut self,
        id: Id<P, T>,
        f: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Flow<P::Cost> {
        self.previous.clear();
        let Self { problem, table, previous, .. } = self;
        table.with_state(id, |state| problem.predecessors(state, previous));
        self.make_room(f, run)?;
        if run.is_new_layer(f) {
            run.enter_layer(f);
        }
        run.stats.expanded += 1;
        run.stats.generated += self.previous.len() as u64;
        let (g, rhs) = self.table.load(id).both();
        if O::LISTENS {
            let to_go = g.min(rhs).cost;
            let Self { problem, starts, overflow, .. } = self;
            self.table.with_state(id, |state| {
                let h = estimate(problem, starts, state, overflow)?.unwrap_or(P::Cost::INFINITY);
                run.observer.expanded(state, to_go, h);
                Ok::<_, SearchError<P::Cost>>(())
            })?;
        }
        if rhs.is_less(g) {
            self.lower(id, rhs, run)?;
        } else {
            self.raise(id, run)?;
        }
        run.stats.peak_frontier = run.stats.peak_frontier.max(self.open as u64);
        Ok(())
    }

    /// Handles a state whose cost has fallen: so may the costs of its predecessors.
    fn lower<O: Observer<P::State, P::Cost>>(
        &mut self,
        id: Id<P, T>,
        rhs: ToGo<P::Cost>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        self.table.update(id, |record| record.set_g(rhs));
        self.place(id, run)?;
        let mut previous = std::mem::take(&mut self.previous);
        for step in previous.drain() {
            let sum = checked_step(rhs.cost, step.cost, &mut self.overflow)?;
            let Some(cost) = sum else {
                self.note_left_out(id, run);
                continue;
            };
            if O::LISTENS {
                self.tell_generated(id, &step.state, cost, run);
            }
            let to_go = rhs.behind(cost);
            let key = self.table.key(&step.state);
            let improves = |record: &T::Record| to_go.is_less(record.both().1);
            let before = match self.table.find(key, &step.state, improves) {
                Lookup::NotImproved => {
                    run.stats.duplicates += 1;
                    continue;
                }
                Lookup::Improved(before) => {
                    let was_expanded = self.table.update(before, |record| {
                        record.set_rhs(to_go, id);
                        record.both().0.is_reached()
                    });
                    run.stats.duplicates += 1;
                    run.stats.reopened += u64::from(was_expanded);
                    before
                }
                Lookup::Vacant(slot) => {
                    self.table.insert(key, slot, step.state, T::Record::open(to_go, id))
                }
                Lookup::OutOfRange { index, count } => {
                    return Err(SearchError::StateIndex { index, count });
                }
            };
            self.place(before, run)?;
        }
        self.previous = previous;
        Ok(())
    }

    /// Handles a state whose cost has risen: its *g* is reset, and every predecessor whose best successor is this state
    /// looks for another.
    fn raise<O>(
        &mut self,
        id: Id<P, T>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        self.table.update(id, |record| record.set_g(ToGo::UNREACHED));
        let mut previous = std::mem::take(&mut self.previous);
        for step in previous.drain() {
            let Some(before) = self.table.id_of(&step.state) else { continue };
            run.stats.duplicates += 1;
            if self.table.load(before).parent() != id {
                continue;
            }
            let Self { problem, table, next, next_bytes, overflow, .. } = self;
            let next = (next, next_bytes);
            let (rhs, successor) =
                best_successor(problem, table, &step.state, next, overflow, run)?;
            self.table.update(before, |record| record.set_rhs(rhs, successor));
            self.place(before, run)?;
        }
        self.previous = previous;
        self.place(id, run)
    }

    fn tell_generated<O: Observer<P::State, P::Cost>>(
        &self,
        parent: Id<P, T>,
        state: &P::State,
        cost: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) {
        self.table.with_state(parent, |parent| run.observer.generated(Some(parent), state, cost));
    }

    /// Reserves memory for the expansion of a state of the layer `f`.
    fn make_room<O>(&mut self, f: P::Cost, run: &mut Run<P::Cost, O>) -> Result<(), Full> {
        self.previous.count(&mut self.previous_bytes, run.memory())?;
        if run.is_new_layer(f) {
            run.make_room_for_layer()?;
        }
        let count = self.previous.len();
        self.table.reserve(count, run.memory())?;
        Ok(self.queue.reserve(count + 1, run.memory())?)
    }

    /// Returns the first open state on the path from a start, if there is one.
    ///
    /// This happens only with floats: by rounding, the *f* of a state may be larger than that of the path through it.
    fn unsettled_after(&self, start: Id<P, T>) -> Option<Id<P, T>> {
        let mut next = self.table.load(start).parent();
        // Along settled states the number of steps decreases, unless changes were not reported. Then there may
        // be a cycle, which is an error when the path is built.
        for _ in 0..self.table.len() {
            if next == StateId::NONE {
                break;
            }
            let record = self.table.load(next);
            let (g, rhs) = record.both();
            if g != rhs {
                return Some(next);
            }
            next = record.parent();
        }
        None
    }

    /// Ends the search: the path from this start is a cheapest one.
    fn end<O>(&mut self, start: Option<Id<P, T>>, run: &mut Run<P::Cost, O>) -> Flow<P::Cost> {
        let Some(start) = start else { return Err(self.exhausted(run)) };
        let path = self.path_from(start)?;
        self.answer = path.as_ref().map(Path::cost);
        self.path = path;
        Err(Halt::At(self.answer.map_or(Progress::Found, |cost| run.found(cost))))
    }

    /// Ends the search without a path: an error if there is none only because a cost does not fit into its type.
    #[cold]
    fn exhausted<O>(&mut self, run: &Run<P::Cost, O>) -> Halt<P::Cost> {
        if self.overflow.is_none() {
            return Halt::At(Progress::Exhausted);
        }
        if !self.is_first {
            // The sum may belong to a path that no longer exists.
            self.starts_over = true;
            return Halt::PAUSED;
        }
        for (start, cost) in &self.starts {
            let to_go = self.table.id_of(start).map(|id| self.table.load(id).both().1);
            let to_go =
                to_go.filter(|to_go| to_go.is_reached()).map_or(P::Cost::ZERO, |it| it.cost);
            if cost.checked_add(to_go).is_none() {
                return SearchError::Overflow { g: *cost, added: to_go }.into();
            }
        }
        let mut left_out = std::mem::replace(&mut self.left_out, LeftOut::new());
        let mut previous = Successors::<P>::new();
        left_out.complete(|look_at| {
            self.table.for_each(|id, _, _| look_at.call(self.sum_left_out(id, &mut previous)));
        });
        let sum_at = &mut |id: Id<P, T>| self.sum_left_out(id, &mut previous);
        let end = left_out.settle(self.overflow, sum_at, &mut |()| run.budget.goes_on());
        self.left_out = left_out;
        end.map_or_else(Halt::Failed, Halt::At)
    }

    /// Returns the least sum that still does not fit at a state, and leaves out a state that is not reached.
    #[cold]
    fn sum_left_out(
        &self,
        id: Id<P, T>,
        previous: &mut Successors<P>,
    ) -> Option<(P::Cost, P::Cost)> {
        let (g, rhs) = self.table.load(id).both();
        if !rhs.is_reached() {
            return None;
        }
        if g != rhs {
            return self.f_left_out(id);
        }
        let is_reached = |state: &P::State| {
            self.table.id_of(state).is_some_and(|id| self.table.load(id).both().1.is_reached())
        };
        previous.clear();
        self.table.with_state(id, |state| self.problem.predecessors(state, previous));
        let steps = previous.as_slice().iter().filter(|step| {
            let fits = sum_of_step(rhs.cost, step.cost).is_some();
            step.cost.is_step() && !fits && !is_reached(&step.state)
        });
        steps.map(|step| (rhs.cost, step.cost)).reduce(|a, b| if b.1 < a.1 { b } else { a })
    }

    /// Returns the path from a stored state along the best successors.
    fn path_from(&self, start: Id<P, T>) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let mut ids = vec![start];
        let mut next = self.table.load(start).parent();
        while next != StateId::NONE {
            if ids.len() > self.table.len() {
                return Err(SearchError::ParentCycle { states: self.table.len() });
            }
            ids.push(next);
            next = self.table.load(next).parent();
        }
        let first = self.table.with_state(start, Clone::clone);
        let costs = self.starts.iter().filter(|(state, _)| *state == first).map(|&(_, cost)| cost);
        let start_cost = costs.reduce(smaller).unwrap_or(P::Cost::ZERO);
        let states = ids.into_iter().map(|id| self.table.with_state(id, Clone::clone));
        Ok(Path::through(&self.problem, states, start_cost)?)
    }
}

/// Returns the cost of a state through its best successor, and that successor: the stored one with the least cost to a
/// goal.
fn best_successor<P, T, O>(
    problem: &P,
    table: &T,
    state: &P::State,
    (next, next_bytes): (&mut Successors<P>, &mut usize),
    overflow: &mut Option<SearchError<P::Cost>>,
    run: &mut Run<P::Cost, O>,
) -> Fallible<ByWayOf<P, T>, P::Cost>
where
    P: SearchProblem,
    T: ReplanningTable<P::State, P::Cost>,
{
    let mut best = (ToGo::UNREACHED, StateId::NONE);
    if problem.is_goal(state) {
        return Ok((ToGo::GOAL, StateId::NONE));
    }
    next.clear();
    problem.successors(state, next);
    run.stats.generated += next.len() as u64;
    for step in next.drain() {
        let Some(id) = table.id_of(&step.state) else { continue };
        let (g, _) = table.load(id).both();
        if !g.is_reached() {
            continue;
        }
        if let Some(cost) = checked_step(g.cost, step.cost, overflow)? {
            let to_go = g.behind(cost);
            if to_go.is_less(best.0) {
                best = (to_go, id);
            }
        }
    }
    // Where there is no room for the buffer, it is freed, and not needed any more.
    let _ = next.count(next_bytes, run.memory());
    Ok(best)
}

/// Returns a lower bound on the cost of a path from any of the starts to `state`, and the cost of that start. `None`
/// if there is no path, or, which is recorded, if no cost fits into its type.
fn estimate<P: Reversible>(
    problem: &P,
    starts: &[(P::State, P::Cost)],
    state: &P::State,
    overflow: &mut Option<SearchError<P::Cost>>,
) -> Result<Option<P::Cost>, SearchError<P::Cost>> {
    let mut least = None;
    for (start, cost) in starts {
        let h = sound(problem.heuristic_from(start, state))?;
        let h = if h > P::Cost::ZERO && start == state { P::Cost::ZERO } else { h };
        if h >= P::Cost::INFINITY {
            continue;
        }
        match cost.checked_add(h) {
            Some(sum) => least = Some(least.map_or(sum, |least| smaller(least, sum))),
            None => {
                overflow.get_or_insert(SearchError::Overflow { g: *cost, added: h });
            }
        }
    }
    Ok(least)
}

/// Returns a heuristic value as engines use it: never below zero.
#[inline]
fn sound<C: Cost>(h: C) -> Result<C, SearchError<C>> {
    not_negative(h).map_err(|value| SearchError::NotANumber { g: C::ZERO, value })
}

impl<P: Reversible, T: ReplanningTable<P::State, P::Cost>> Engine for ReplannerEngine<P, T> {
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        if self.starts.is_empty() {
            return Ok(Progress::Exhausted);
        }
        for &(_, cost) in &self.starts {
            checked_step(P::Cost::ZERO, cost, &mut self.overflow)?;
        }
        self.search(most, run).map_or_else(Halt::progress, |()| Ok(Progress::Going))
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        if let Some(cost) = self.answer {
            return cost;
        }
        if self.starts.is_empty() {
            return P::Cost::INFINITY;
        }
        let is_open = self.begins || self.starts_over || self.is_handed_out;
        let has_old_keys = self.rekeys || self.moved_from.is_some() || !self.outdated.is_empty();
        if is_open || has_old_keys || !self.changed.is_empty() {
            return self.lower_bound;
        }
        let total = self.best_start().map(|(total, ..)| total);
        if let Some(bound) = self.least_open_f() {
            let bound = total.map_or(bound, |total| smaller(total, bound));
            self.lower_bound = larger(self.lower_bound, bound);
        }
        self.lower_bound
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        if self.answer.is_none() {
            return Ok(None);
        }
        if self.path.is_none()
            && let Some((.., start)) = self.best_start()
        {
            self.path = self.path_from(start)?;
        }
        Ok(self.path.take())
    }

    fn stored(&self) -> usize {
        self.table.len()
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.clear();
        self.forget_answer();
        self.starts.clear();
        self.starts.extend(starts);
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = problem;
        self.starts_over = true;
    }
}

show_fields! {
    [P: Reversible, T: ReplanningTable<P::State, P::Cost>] ReplannerEngine<P, T>,
    "ReplannerEngine" { table, queue }
}
