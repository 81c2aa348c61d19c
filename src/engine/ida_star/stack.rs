//! The stack of IDA*: one loop over states that wait to be entered, whatever the walk.

use std::collections::HashSet;
use std::fmt;

use rustc_hash::FxBuildHasher;

use super::{Judge, TranspositionTable, Walk};
use crate::cost::{Cost, larger, smaller};
use crate::engine::Run;
use crate::engine::run::{checked_step, sound_heuristic};
use crate::limits::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::{Path, PathOf};
use crate::problem::SearchProblem;
use crate::report::SearchError;

/// How far an iteration looks, and what it has seen beyond.
#[derive(Clone, Copy, Debug)]
pub struct Horizon<C> {
    pub(super) bound: C,
    /// The smallest f beyond the bound in this iteration.
    pub(super) next_bound: Option<C>,
    /// The first sum that the type of the costs could not hold.
    pub(super) overflow: Option<SearchError<C>>,
}

/// What a search ends with.
pub(super) struct Solution<Path> {
    pub(super) path: Option<Path>,
    /// How many states were generated that a search would not have generated which looks at one
    /// successor after the other.
    pub(super) beyond: u64,
}

/// The states that wait to be entered, and those on the path.
///
/// A state is expanded all at once: of its successors, those within the bound are put on the stack
/// above it, the first on top. The state on top is entered next, and when its own successors are done
/// with, it is on top again and left. So there is nothing to undo on the way back, and whether a
/// successor is worth entering is decided while its siblings are still being computed.
pub struct Stack<P: SearchProblem, W: Walk<P>> {
    walk: W,
    /// The stack is the first `len` of these: the states on the path, and above each of them those of
    /// its successors that are still to be entered. What lies beyond is of no meaning.
    slots: Vec<Entry<P, W>>,
    len: usize,
    /// Where on the stack the path ends, or `NOWHERE`.
    end: u32,
    /// How many states the path has.
    depth: u64,
    /// Whether the end of the path is still to be expanded.
    has_entered: bool,
    /// Counts iterations from 1, so that the table can tell in which it saw a state.
    iteration: u32,
    table: Option<TranspositionTable<P::State, P::Cost>>,
    table_bytes: usize,
    /// What the table is to learn of the states on the stack, where there is a table.
    notes: Vec<Note<P::Cost>>,
    /// There is always room for so many more states on the stack: at least as many as any state has
    /// had successors.
    spare: usize,
    /// States of the path: all of them if cycles are avoided, else those behind steps that cost
    /// nothing, as only such steps could go round in a circle forever.
    on_path: HashSet<P::State, FxBuildHasher>,
    /// Whether the state to be entered next waits for room in `on_path`.
    lacks_place: bool,
    avoids_cycles: bool,
    /// How many states `on_path` has room for, as the memory account knows it.
    on_path_room: usize,
    /// What the memory account knows of the walk.
    walk_bytes: usize,
}

/// A state on the stack.
pub(super) struct Entry<P: SearchProblem, W: Walk<P>> {
    pub(super) state: P::State,
    pub(super) step: W::Step,
    pub(super) g: P::Cost,
    /// Where on the stack the state before it is; with `MARKED` if it is to stand in `on_path`.
    pub(super) link: u32,
}

impl<P: SearchProblem, W: Walk<P>> Clone for Entry<P, W> {
    fn clone(&self) -> Self {
        let Self { state, step, g, link } = self;
        Self { state: state.clone(), step: step.clone(), g: *g, link: *link }
    }
}

/// No place on the stack.
pub(super) const NOWHERE: u32 = MARKED - 1;

pub(super) const MARKED: u32 = 1 << 31;

/// What the table wants to know of a state on the stack.
#[derive(Clone, Copy)]
struct Note<C> {
    /// What the step to it cost.
    step: C,
    /// A lower bound on the rest of the way, before its successors were seen.
    h: C,
    /// The smallest lower bound on the rest of the way by any of the successors seen so far.
    rest: C,
}

impl<C: Cost> Note<C> {
    /// By way of a successor behind `step`, a goal costs at least `rest` more.
    #[inline]
    fn learn(&mut self, step: C, rest: C) {
        let by_way = match step.checked_add(rest) {
            // As large as the type can hold, and yet no dead end.
            Some(sum) if sum >= C::INFINITY && rest < C::INFINITY => rest,
            Some(sum) => sum,
            // What the type cannot hold is beyond every other bound.
            None => C::INFINITY,
        };
        self.rest = smaller(self.rest, by_way);
    }
}

/// What the loop changes at every state: kept apart, so that it can stay in registers.
#[derive(Clone, Copy)]
struct Pass<C> {
    bound: C,
    /// The smallest f beyond the bound, if there is any.
    next_bound: C,
    has_next_bound: bool,
    generated: u64,
    /// Of these, not put to the heuristic, because their cost was too large for its type.
    unevaluated: u64,
    dead_ends: u64,
    overflow: Option<SearchError<C>>,
    error: Option<SearchError<C>>,
}

impl<C: Cost> Pass<C> {
    fn begin(horizon: &Horizon<C>) -> Self {
        Self {
            bound: horizon.bound,
            next_bound: horizon.next_bound.unwrap_or(C::INFINITY),
            has_next_bound: horizon.next_bound.is_some(),
            generated: 0,
            unevaluated: 0,
            dead_ends: 0,
            overflow: horizon.overflow,
            error: None,
        }
    }

    fn end<O>(self, horizon: &mut Horizon<C>, run: &mut Run<C, O>) -> Result<(), SearchError<C>> {
        horizon.next_bound = self.has_next_bound.then_some(self.next_bound);
        horizon.overflow = self.overflow;
        run.stats.generated += self.generated;
        run.stats.evaluated += self.generated - self.unevaluated;
        run.stats.dead_ends += self.dead_ends;
        self.error.map_or(Ok(()), Err)
    }

    /// Looks at a state that was generated by a step from cost `parent_g`: its g and h if it lies within
    /// the bound, else `turn` learns what a goal costs from there, at least.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn judge<P: SearchProblem<Cost = C>>(
        &mut self,
        problem: &P,
        state: &P::State,
        parent_g: C,
        step: C,
        turn: impl FnOnce(C),
    ) -> Option<(C, C)> {
        self.generated += 1;
        let Ok(Some(g)) = checked_step(parent_g, step, &mut None) else {
            self.refuse_step(parent_g, step);
            // It was too dear by this way; of what is left from there, nothing is known.
            turn(C::ZERO);
            return None;
        };
        let Ok(h) = sound_heuristic(problem, state, g) else {
            self.error = sound_heuristic(problem, state, g).err();
            return None;
        };
        match g.checked_add(h) {
            Some(f) if f <= self.bound => return Some((g, h)),
            Some(f) if h < C::INFINITY => self.postpone(f),
            _ => self.refuse_estimate(g, h),
        }
        turn(h);
        None
    }

    /// Takes note of an f beyond the bound.
    #[inline]
    fn postpone(&mut self, f: C) {
        self.next_bound = smaller(self.next_bound, f);
        self.has_next_bound = true;
    }

    #[cold]
    #[inline(never)]
    fn refuse_step(&mut self, parent_g: C, step: C) {
        self.unevaluated += 1;
        if let Err(error) = checked_step(parent_g, step, &mut self.overflow) {
            self.error = Some(error);
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse_estimate(&mut self, g: C, h: C) {
        if h >= C::INFINITY {
            self.dead_ends += 1;
        } else {
            self.overflow.get_or_insert(SearchError::Overflow { g, added: h });
        }
    }
}

impl<P: SearchProblem, W: Walk<P>> Stack<P, W> {
    pub(super) fn new(walk: W, table_bytes: usize, avoids_cycles: bool) -> Self {
        Self {
            walk,
            slots: Vec::new(),
            len: 0,
            end: NOWHERE,
            depth: 0,
            has_entered: false,
            iteration: 0,
            table: None,
            table_bytes,
            notes: Vec::new(),
            spare: 4,
            on_path: HashSet::with_hasher(FxBuildHasher),
            lacks_place: false,
            avoids_cycles,
            on_path_room: 0,
            walk_bytes: 0,
        }
    }

    /// How many states it holds.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn begin_iteration(&mut self) {
        self.iteration += 1;
    }

    /// Looks at a start: puts it on the stack if it lies within the bound. There must be room for it.
    pub(super) fn push_start<O>(
        &mut self,
        problem: &P,
        (state, cost): &(P::State, P::Cost),
        horizon: &mut Horizon<P::Cost>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let mut pass = Pass::begin(horizon);
        if let Some((g, h)) = pass.judge(problem, state, P::Cost::ZERO, *cost, |_| ()) {
            let is_marked = g <= P::Cost::ZERO || self.avoids_cycles;
            let link = if is_marked { NOWHERE | MARKED } else { NOWHERE };
            let step = self.walk.no_step();
            self.slots[self.len] = Entry { state: state.clone(), step, g, link };
            if self.table.is_some() {
                self.notes[self.len] = Note { step: *cost, h, rest: P::Cost::INFINITY };
            }
            self.len += 1;
        }
        // Starts are given, not generated.
        run.stats.evaluated += pass.generated;
        (pass.generated, pass.unevaluated) = (0, 0);
        pass.end(horizon, run)
    }

    /// Whether the end of the path is still to be expanded.
    pub(super) fn has_entered(&self) -> bool {
        self.has_entered
    }

    /// Whether the next state can be entered and expanded without asking for memory.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.slots.len() - self.len >= self.spare
            && !self.lacks_place
            && self.walk.bytes() <= self.walk_bytes
            && (self.table_bytes == 0 || self.notes.len() == self.slots.len())
    }

    /// Makes room on the stack for `most` states, or for the successors of a state where they may be
    /// more. New room is filled with copies of `filler`.
    #[cold]
    #[inline(never)]
    pub(super) fn make_room(
        &mut self,
        most: usize,
        filler: Option<&P::State>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.spare = self.spare.max(most);
        if self.table_bytes > 0 && self.table.is_none() {
            self.table = Some(TranspositionTable::new(self.table_bytes, memory)?);
        }
        if let Some(filler) = filler {
            let slots = self.len + self.spare;
            if slots > NOWHERE as usize {
                return Err(OutOfMemory);
            }
            let missing = slots.saturating_sub(self.slots.len());
            memory.reserve(&mut self.slots, missing)?;
            let step = self.walk.no_step();
            self.slots.resize_with(self.slots.capacity().min(NOWHERE as usize), || Entry {
                state: filler.clone(),
                step: step.clone(),
                g: P::Cost::ZERO,
                link: NOWHERE,
            });
        }
        if self.table.is_some() {
            let missing = self.slots.len() - self.notes.len();
            memory.reserve(&mut self.notes, missing)?;
            let blank = Note { step: P::Cost::ZERO, h: P::Cost::ZERO, rest: P::Cost::INFINITY };
            self.notes.resize(self.slots.len(), blank);
        }
        let more = self.walk.bytes().saturating_sub(self.walk_bytes);
        memory.claim(more)?;
        self.walk_bytes += more;
        if !self.lacks_place {
            return Ok(());
        }
        // States that were removed may take up room as well: then the set stays as it is and is put
        // in order, or doubles. Until it has moved, it is held twice.
        let states = (self.on_path.len() * 2).max(self.on_path_room + 1).max(3);
        let bytes = hash_set_bytes::<P::State>(states);
        memory.claim(bytes)?;
        let before = hash_set_bytes::<P::State>(self.on_path_room);
        let outcome = self.on_path.try_reserve(states - self.on_path.len());
        // In order, it says how much room it has in all.
        self.on_path_room = self.on_path_room.max(self.on_path.capacity());
        let after = hash_set_bytes::<P::State>(self.on_path_room);
        memory.release((bytes + before).saturating_sub(after));
        self.lacks_place = outcome.is_err();
        outcome.map_err(|_| OutOfMemory)
    }

    /// Goes on with the stack, for at most `most` expansions; true if a goal is on top of it now.
    pub(super) fn deepen<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        horizon: &mut Horizon<P::Cost>,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<bool, SearchError<P::Cost>> {
        match (most, O::LISTENS || self.table.is_some()) {
            (0, _) => self.walk_on::<false, false, O>(problem, horizon, 0, run),
            (_, true) => self.walk_on::<false, true, O>(problem, horizon, most, run),
            (_, false) => self.walk_on::<true, true, O>(problem, horizon, most, run),
        }
    }

    /// Goes on with the stack, for at most `most` expansions, or only up to the next that is due, unless
    /// it `EXPANDS`. Where nothing is kept of states but the path (`PLAIN`), the compiler leaves the rest
    /// out.
    #[inline(never)]
    fn walk_on<const PLAIN: bool, const EXPANDS: bool, O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        horizon: &mut Horizon<P::Cost>,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<bool, SearchError<P::Cost>> {
        let mut pass = Pass::begin(horizon);
        let mut is_found = false;
        let mut left = most;
        let (mut len, mut end, mut depth) = (self.len, self.end, self.depth);
        let mut deepest = depth;
        while (left > 0 || !EXPANDS) && len > 0 && self.slots.len() - len >= self.spare {
            let top = len - 1;
            if !self.has_entered {
                if top == end as usize {
                    end = self.leave::<PLAIN>(top);
                    len = top;
                    depth -= 1;
                    continue;
                }
                if problem.is_goal(&self.slots[top].state) {
                    is_found = true;
                    break;
                }
                let is_marked = self.slots[top].link & MARKED != 0;
                if is_marked && self.on_path.len() == self.on_path.capacity() {
                    self.lacks_place = true;
                    break;
                }
                if !PLAIN && !self.recall(top, &mut pass, run) || is_marked && !self.mark(top, run)
                {
                    len = top;
                    continue;
                }
                if !PLAIN {
                    self.note_down(problem, top, run);
                }
                #[expect(clippy::cast_possible_truncation, reason = "below NOWHERE by make_room()")]
                let entered = top as u32;
                end = entered;
                depth += 1;
                deepest = deepest.max(depth);
            }
            if !EXPANDS {
                self.has_entered = true;
                break;
            }
            let kept = self.expand::<PLAIN, O>(problem, top, &mut pass, run);
            self.has_entered = kept.is_none();
            if let Some(kept) = kept {
                len += kept;
                left -= 1;
            }
            if pass.error.is_some() || self.walk.bytes() > self.walk_bytes {
                break;
            }
        }
        (self.len, self.end, self.depth) = (len, end, depth);
        run.stats.expanded += most - left;
        run.stats.peak_frontier = run.stats.peak_frontier.max(deepest);
        pass.end(horizon, run)?;
        Ok(is_found)
    }

    /// Asks the table about the state on top: false if it need not be entered.
    fn recall<O>(
        &mut self,
        top: usize,
        pass: &mut Pass<P::Cost>,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let (Some(table), entry) = (&self.table, &self.slots[top]) else { return true };
        let Some(memo) = table.get(&entry.state) else { return true };
        let note = &mut self.notes[top];
        note.h = larger(note.h, memo.rest);
        let h = note.h;
        match entry.g.checked_add(h) {
            Some(f) if f <= pass.bound => {
                if memo.iteration != self.iteration || memo.g > entry.g {
                    return true;
                }
                self.count_duplicate(top, run);
            }
            Some(f) if h < P::Cost::INFINITY => pass.postpone(f),
            _ => pass.refuse_estimate(entry.g, h),
        }
        self.teach(top, h);
        false
    }

    /// Takes note that the state on top is reached.
    fn note_down<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        top: usize,
        run: &mut Run<P::Cost, O>,
    ) {
        let Entry { state, g, .. } = &self.slots[top];
        if let Some(table) = &mut self.table {
            table.reach(state, self.notes[top].h, *g, self.iteration);
        }
        if O::LISTENS {
            run.observer.expanded(state, *g, problem.heuristic(state));
        }
    }

    /// The state before the one on top learns that a goal cannot be had for less than `rest` from
    /// there.
    fn teach(&mut self, top: usize, rest: P::Cost) {
        let step = self.notes[top].step;
        let above = self.slots[top].link & !MARKED;
        if let Some(note) = self.notes.get_mut(above as usize) {
            note.learn(step, rest);
        }
    }

    /// Notes down that the state on top is on the path; false if it was before.
    #[cold]
    #[inline(never)]
    fn mark<O>(&mut self, top: usize, run: &mut Run<P::Cost, O>) -> bool {
        let is_new = self.on_path.insert(self.slots[top].state.clone());
        if !is_new {
            self.count_duplicate(top, run);
            if self.table.is_some() {
                self.teach(top, self.notes[top].h);
            }
        }
        is_new
    }

    /// The state on top was seen before. Starts are given, not generated, so they do not count.
    fn count_duplicate<O>(&self, top: usize, run: &mut Run<P::Cost, O>) {
        run.stats.duplicates += u64::from(self.slots[top].link & !MARKED != NOWHERE);
    }

    #[cold]
    #[inline(never)]
    fn unmark(&mut self, top: usize) {
        self.on_path.remove(&self.slots[top].state);
    }

    /// The end of the path, on top of the stack again, is done with; returns where the path ends now.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn leave<const PLAIN: bool>(&mut self, top: usize) -> u32 {
        let link = self.slots[top].link;
        if !PLAIN && let Some(table) = &mut self.table {
            // What was proved of it goes to the table and to the state before it.
            let rest = larger(self.notes[top].h, self.notes[top].rest);
            table.prove(&self.slots[top].state, rest);
            self.teach(top, rest);
        }
        if link & MARKED != 0 {
            self.unmark(top);
        }
        link & !MARKED
    }

    /// Expands the end of the path: puts its successors within the bound on the stack above, and says
    /// how many. `None` if there was no room for all of them: then nothing has happened.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn expand<const PLAIN: bool, O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        top: usize,
        pass: &mut Pass<P::Cost>,
        run: &mut Run<P::Cost, O>,
    ) -> Option<usize> {
        let Self { walk, slots, notes, .. } = self;
        let (path, free) = slots.split_at_mut(top + 1);
        let (end, above) = path.split_last_mut()?;
        let Entry { state, step, g, link } = end;
        let before = above.get((*link & !MARKED) as usize).map(|entry| &entry.state);
        let has_table = !PLAIN && self.table.is_some();
        let counted = (pass.generated, pass.unevaluated, pass.dead_ends);
        let parent = O::LISTENS.then(|| state.clone());
        #[expect(clippy::cast_possible_truncation, reason = "make_room() keeps it below NOWHERE")]
        let link = top as u32;
        let mut brood = Brood {
            problem,
            g: *g,
            pass,
            free,
            link,
            avoids_cycles: self.avoids_cycles,
            kept: 0,
            notes: if has_table { notes.split_at_mut(top).1 } else { &mut [] },
            parent,
            observer: &mut run.observer,
        };
        // The bound that was proved of a state must hold whichever way it is reached by, so with a
        // table the way straight back is seen like any other step.
        walk.expand(problem, state, (step, before), has_table, &mut brood);
        let kept = brood.kept;
        if kept > brood.free.len() {
            // More successors than any state had before: see to it that there will be room.
            self.spare = kept;
            (pass.generated, pass.unevaluated, pass.dead_ends) = counted;
            return None;
        }
        Some(kept)
    }

    /// The path to the goal on top of the stack.
    pub(super) fn solution(
        &mut self,
        problem: &P,
    ) -> Result<Solution<PathOf<P>>, SearchError<P::Cost>> {
        let mut path = Vec::new();
        let mut place = self.len - 1;
        while place != NOWHERE as usize {
            path.push(place);
            place = (self.slots[place].link & !MARKED) as usize;
        }
        path.reverse();
        let beyond = self.generated_beyond(problem, &path);
        let states = path.iter().map(|&place| self.slots[place].state.clone());
        let path = Path::through(problem, states, self.slots[path[0]].g)?;
        Ok(Solution { path, beyond })
    }

    /// How many successors of states on the path come after the one that the path goes on with. A
    /// search that looks at one successor after the other would not have generated them when it finds
    /// the goal; node counts in the literature are those of such a search.
    fn generated_beyond(&mut self, problem: &P, path: &[usize]) -> u64 {
        let mut beyond = 0;
        let shows_inverse = self.table.is_some();
        for (i, pair) in path.windows(2).enumerate() {
            let (above, below) = self.slots.split_at_mut(pair[1]);
            let taken = &below[0];
            let (before, from) = above.split_at_mut(pair[0]);
            let end = &mut from[0];
            let before = if i == 0 { None } else { Some(&before[path[i - 1]].state) };
            let Entry { state, step, g, .. } = end;
            let mut search: SearchFor<'_, P> =
                SearchFor { state: &taken.state, g: *g, taken_g: taken.g, seen: 0, after: 0 };
            self.walk.expand(problem, state, (step, before), shows_inverse, &mut search);
            beyond += search.after;
        }
        beyond
    }
}

/// The successors of a state that is being expanded.
struct Brood<'a, P: SearchProblem, W: Walk<P>, O> {
    problem: &'a P,
    /// The cost of the state.
    g: P::Cost,
    pass: &'a mut Pass<P::Cost>,
    /// The stack above the state.
    free: &'a mut [Entry<P, W>],
    /// Where on the stack the state is.
    link: u32,
    avoids_cycles: bool,
    /// How many are kept, whether there is room for them or not.
    kept: usize,
    /// Where there is a table: the notes on the state and on the stack above it.
    notes: &'a mut [Note<P::Cost>],
    /// For the observer, if anybody listens: the state.
    parent: Option<P::State>,
    observer: &'a mut O,
}

impl<P, W, O> Judge<P, W::Step> for Brood<'_, P, W, O>
where
    P: SearchProblem,
    W: Walk<P>,
    O: Observer<P::State, P::Cost>,
{
    /// Its g and h, and what the step to it costs.
    type Finding = (P::Cost, P::Cost, P::Cost);

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn judge(&mut self, state: &P::State, step: P::Cost) -> Option<Self::Finding> {
        if O::LISTENS
            && let Some(g) = self.g.checked_add(step)
        {
            self.observer.generated(self.parent.as_ref(), state, g);
        }
        let notes = &mut self.notes;
        let (g, h) = self.pass.judge(self.problem, state, self.g, step, |h| {
            if let Some(note) = notes.first_mut() {
                note.learn(step, h);
            }
        })?;
        Some((g, h, step))
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn keep(&mut self, state: P::State, step: W::Step, (g, h, cost): Self::Finding) {
        if let Some(slot) = self.free.get_mut(self.kept) {
            let is_marked = g <= self.g || self.avoids_cycles;
            let link = if is_marked { self.link | MARKED } else { self.link };
            *slot = Entry { state, step, g, link };
            if let Some(note) = self.notes.get_mut(self.kept + 1) {
                *note = Note { step: cost, h, rest: P::Cost::INFINITY };
            }
        }
        self.kept += 1;
    }
}

/// Counts the successors that come after a certain one, which is shown last first.
struct SearchFor<'a, P: SearchProblem> {
    state: &'a P::State,
    taken_g: P::Cost,
    /// The cost of the state that is expanded.
    g: P::Cost,
    seen: u64,
    after: u64,
}

impl<P: SearchProblem, S> Judge<P, S> for SearchFor<'_, P> {
    type Finding = ();

    fn judge(&mut self, state: &P::State, step: P::Cost) -> Option<()> {
        if state == self.state && self.g.checked_add(step) == Some(self.taken_g) {
            self.after = self.seen;
        }
        self.seen += 1;
        None
    }

    fn keep(&mut self, _state: P::State, _step: S, (): ()) {}
}

/// The bytes of a hash set with room for so many states: a control byte for each place, at most 7 of
/// 8 places taken, and a power of two of them.
fn hash_set_bytes<S>(states: usize) -> usize {
    if states == 0 {
        0
    } else {
        (states * 8).div_ceil(7).next_power_of_two() * (size_of::<S>() + 1)
    }
}

/// What those need who share a tree.
#[cfg(feature = "parallel")]
impl<P: SearchProblem, W: Walk<P>> Stack<P, W> {
    /// The states from place `from` on, the one that is entered next last.
    pub(super) fn above(&self, from: usize) -> &[Entry<P, W>] {
        self.slots.get(from..self.len).unwrap_or(&[])
    }

    /// Forgets all that is on it.
    pub(super) fn clear(&mut self) {
        (self.len, self.end, self.depth, self.has_entered) = (0, NOWHERE, 0, false);
        self.on_path.clear();
        self.lacks_place = false;
    }

    /// Puts a path of states on it, instead of what was there: the last of them is entered next, the
    /// others are as if they had been. It is shown from its end to its beginning.
    pub(super) fn load<'e>(
        &mut self,
        path: impl ExactSizeIterator<Item = &'e Entry<P, W>> + Clone,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory>
    where
        P: 'e,
        W: 'e,
    {
        self.clear();
        let len = path.len();
        let filler = path.clone().next().map(|entry| &entry.state);
        self.make_room(len, filler, memory)?;
        for (place, entry) in (0..len).rev().zip(path) {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "make_room() keeps it below NOWHERE"
            )]
            let before = if place == 0 { NOWHERE } else { place as u32 - 1 };
            let is_marked = entry.link & MARKED != 0;
            if is_marked && place + 1 < len {
                if self.on_path.len() == self.on_path.capacity() {
                    self.lacks_place = true;
                    self.make_room(len, filler, memory)?;
                }
                self.on_path.insert(entry.state.clone());
            }
            if self.table.is_some() {
                // Nothing is proved of states of which this is but one successor of many.
                let rest = if place + 1 < len { P::Cost::ZERO } else { P::Cost::INFINITY };
                self.notes[place] = Note { step: P::Cost::ZERO, h: P::Cost::ZERO, rest };
            }
            self.slots[place] = entry.clone();
            self.slots[place].link = before | entry.link & MARKED;
            if place + 1 == len {
                self.end = before;
            }
        }
        self.len = len;
        self.depth = (len as u64).saturating_sub(1);
        Ok(())
    }
}

impl<P: SearchProblem, W: Walk<P>> fmt::Debug for Stack<P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stack")
            .field("len", &self.len)
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ida_star::Buffered;
    use crate::problem::FnProblem;

    #[test]
    fn a_stack_is_shown_by_its_name() {
        fn shown<P: SearchProblem>(_: &P) -> String {
            format!("{:?}", Stack::<P, _>::new(Buffered::new(), 0, false))
        }
        let problem = FnProblem::new(|&n: &u32| [(n, 1_u32)], |_: &u32| 0, |_: &u32| false);
        assert!(shown(&problem).starts_with("Stack {"));
    }
}
