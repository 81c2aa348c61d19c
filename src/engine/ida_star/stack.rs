//! The stack of IDA*: one loop over states that wait to be entered, whatever the walk.

use std::collections::HashSet;
use std::fmt;
use std::slice::IterMut;

use rustc_hash::FxBuildHasher;

use super::{Judge, TranspositionTable, Walk};
use crate::cost::{Cost, larger, smaller};
use crate::engine::Run;
use crate::engine::run::{checked_step, sound_heuristic, sum_of_step};
use crate::memory::{Memory, OutOfMemory};
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
/// above it, the first on top, which is entered next. Each knows which state is entered next when all
/// below it in the tree is done with, so there is nothing to undo on the way back, and no way back:
/// states of the path that are done with are left when the next state is entered.
pub struct Stack<P: SearchProblem, W: Walk<P>> {
    walk: W,
    /// The states on the path, and above each of them those of its successors that are still to be
    /// entered. What lies beyond both `top` and `end` is of no meaning.
    slots: Vec<Entry<P, W>>,
    /// Where the state is that is entered next, or `NOWHERE` if none is left.
    top: u32,
    /// Where the path ends, or `NOWHERE`. That is above `top` if its last states are done with.
    end: u32,
    /// Whether the state at `top` was entered, and is the end of the path, but is still to be expanded.
    has_entered: bool,
    table_bytes: usize,
    /// There is always room for so many more states on the stack: at least as many as any state has
    /// had successors.
    spare: usize,
    /// Of the state that is expanded next: for how many successors there was no room, so that it is
    /// expanded anew, but the observer was told of them.
    told: u64,
    avoids_cycles: bool,
    /// What the memory account knows of the walk.
    walk_bytes: usize,
    ledger: Ledger<P>,
}

/// What is written down of states on the stack, apart from themselves.
struct Ledger<P: SearchProblem> {
    /// Counts iterations from 1, so that the table can tell in which it saw a state.
    iteration: u32,
    table: Option<TranspositionTable<P::State, P::Cost>>,
    /// What the table is to learn of the states on the stack, where there is a table.
    notes: Vec<Note<P::Cost>>,
    /// States of the path: all of them if cycles are avoided, else those behind steps that cost
    /// nothing, as only such steps could go round in a circle forever.
    on_path: HashSet<P::State, FxBuildHasher>,
    /// At most the first so many states of the path stand in `on_path`.
    marked_depth: u32,
    /// Whether the state to be entered next waits for room in `on_path`.
    lacks_place: bool,
    /// How many states `on_path` has room for, as the memory account knows it.
    on_path_room: usize,
}

/// A state on the stack.
pub(super) struct Entry<P: SearchProblem, W: Walk<P>> {
    pub(super) state: P::State,
    pub(super) step: W::Step,
    pub(super) g: P::Cost,
    /// Where on the stack the state before it is; with `MARKED` if it is to stand in `on_path`.
    pub(super) link: u32,
    /// How many states the path has that ends with it.
    pub(super) depth: u32,
    /// Where the state is that is entered next after all that lies below this one in the tree.
    pub(super) resume: u32,
}

impl<P: SearchProblem, W: Walk<P>> Clone for Entry<P, W> {
    fn clone(&self) -> Self {
        let Self { state, step, g, link, depth, resume } = self;
        Self {
            state: state.clone(),
            step: step.clone(),
            g: *g,
            link: *link,
            depth: *depth,
            resume: *resume,
        }
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

/// What the loop changes at every state. No function that is called has a hold on it, so that it can
/// stay in registers.
#[derive(Clone, Copy)]
struct Pass<C> {
    bound: C,
    /// The smallest f beyond the bound that is no infinity.
    next_bound: C,
    generated: u64,
}

/// What it seldom changes, and with one look for all of it at every state.
#[derive(Clone, Copy)]
struct Refused<C> {
    /// Whether anything was refused that is not settled.
    is_due: bool,
    /// Of the state that is being expanded: for how many successors there was no room.
    lacking: usize,
    /// Of the state that is being expanded: how many successors were not put to the heuristic, because
    /// their cost was too large for its type, and how many were dead ends.
    of_state: (u64, u64),
    /// Of all others.
    unevaluated: u64,
    dead_ends: u64,
    /// Whether there was an f beyond the bound that is as large as infinity, and yet no dead end.
    is_next_infinite: bool,
    overflow: Option<SearchError<C>>,
    error: Option<SearchError<C>>,
}

impl<C: Cost> Pass<C> {
    fn begin(horizon: &Horizon<C>) -> (Self, Refused<C>) {
        let next_bound = horizon.next_bound.unwrap_or(C::INFINITY);
        let refused = Refused {
            is_due: false,
            lacking: 0,
            of_state: (0, 0),
            unevaluated: 0,
            dead_ends: 0,
            is_next_infinite: horizon.next_bound.is_some(),
            overflow: horizon.overflow,
            error: None,
        };
        (Self { bound: horizon.bound, next_bound, generated: 0 }, refused)
    }

    /// Adds what was seen to what is known of the iteration.
    fn end<O>(
        self,
        refused: &Refused<C>,
        horizon: &mut Horizon<C>,
        run: &mut Run<C, O>,
    ) -> Result<(), SearchError<C>> {
        debug_assert!(!refused.is_due);
        let has_next = self.next_bound < C::INFINITY || refused.is_next_infinite;
        horizon.next_bound = has_next.then_some(self.next_bound);
        horizon.overflow = refused.overflow;
        run.stats.generated += self.generated;
        run.stats.evaluated += self.generated - refused.unevaluated;
        run.stats.dead_ends += refused.dead_ends;
        refused.error.map_or(Ok(()), Err)
    }

    /// Looks at a state that was generated by a step from cost `parent_g`: its g and h if it lies within
    /// the bound, else `turn` learns what a goal costs from there, at least.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn judge<P: SearchProblem<Cost = C>>(
        &mut self,
        refused: &mut Refused<C>,
        problem: &P,
        state: &P::State,
        (parent_g, step): (C, C),
        turn: impl FnOnce(C),
    ) -> Option<(C, C)> {
        self.generated += 1;
        let Some(g) = sum_of_step(parent_g, step) else {
            refused.refuse_step(parent_g, step);
            // It was too dear by this way; of what is left from there, nothing is known.
            turn(C::ZERO);
            return None;
        };
        let h = match sound_heuristic(problem, state, g) {
            Ok(h) => h,
            Err(error) => {
                refused.refuse_heuristic(error);
                return None;
            }
        };
        match g.checked_add(h) {
            Some(f) if f <= self.bound => return Some((g, h)),
            Some(f) if f < self.next_bound => self.next_bound = f,
            Some(f) if f < C::INFINITY => {}
            _ => refused.refuse_estimate(g, h),
        }
        turn(h);
        None
    }
}

impl<C: Cost> Refused<C> {
    #[cold]
    #[inline(never)]
    fn refuse_step(&mut self, parent_g: C, step: C) {
        self.is_due = true;
        self.of_state.0 += 1;
        if let Err(error) = checked_step(parent_g, step, &mut self.overflow) {
            self.error = Some(error);
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse_heuristic(&mut self, error: SearchError<C>) {
        self.is_due = true;
        self.error = Some(error);
    }

    /// Takes note of an f that is as large as infinity, or that the type cannot hold.
    #[cold]
    #[inline(never)]
    fn refuse_estimate(&mut self, g: C, h: C) {
        self.is_due = true;
        if h >= C::INFINITY {
            self.of_state.1 += 1;
        } else if g.checked_add(h).is_some() {
            self.is_next_infinite = true;
        } else {
            self.overflow.get_or_insert(SearchError::Overflow { g, added: h });
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse_room(&mut self) {
        self.is_due = true;
        self.lacking += 1;
    }

    /// A state is expanded, with what was refused there; false if the loop is to end.
    #[cold]
    #[inline(never)]
    fn settle(&mut self) -> bool {
        let of_state = std::mem::take(&mut self.of_state);
        self.is_due = false;
        if self.lacking == 0 {
            self.unevaluated += of_state.0;
            self.dead_ends += of_state.1;
        }
        self.lacking == 0 && self.error.is_none()
    }
}

impl<P: SearchProblem> Ledger<P> {
    /// Asks the table about the state on top: false if it need not be entered.
    fn recall<W: Walk<P>, O>(
        &mut self,
        slots: &[Entry<P, W>],
        top: usize,
        pass: &mut Pass<P::Cost>,
        refused: &mut Refused<P::Cost>,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let (Some(table), entry) = (&self.table, &slots[top]) else { return true };
        let Some(memo) = table.get(&entry.state) else { return true };
        let note = &mut self.notes[top];
        note.h = larger(note.h, memo.rest);
        let h = note.h;
        match entry.g.checked_add(h) {
            Some(f) if f <= pass.bound => {
                if memo.iteration != self.iteration || memo.g > entry.g {
                    return true;
                }
                count_duplicate(&slots[top], run);
            }
            Some(f) if f < P::Cost::INFINITY => pass.next_bound = smaller(pass.next_bound, f),
            _ => {
                refused.refuse_estimate(entry.g, h);
                refused.settle();
            }
        }
        self.teach(&slots[top], top, h);
        false
    }

    /// Takes note that the state on top is reached.
    fn note_down<W: Walk<P>, O: Observer<P::State, P::Cost>>(
        &mut self,
        slots: &[Entry<P, W>],
        problem: &P,
        top: usize,
        run: &mut Run<P::Cost, O>,
    ) {
        let Entry { state, g, .. } = &slots[top];
        if let Some(table) = &mut self.table {
            table.reach(state, self.notes[top].h, *g, self.iteration);
        }
        if O::LISTENS {
            run.observer.expanded(state, *g, problem.heuristic(state));
        }
    }

    /// The state before the one on top learns that a goal cannot be had for less than `rest` from
    /// there.
    fn teach<W: Walk<P>>(&mut self, entry: &Entry<P, W>, place: usize, rest: P::Cost) {
        let step = self.notes[place].step;
        let above = entry.link & !MARKED;
        if let Some(note) = self.notes.get_mut(above as usize) {
            note.learn(step, rest);
        }
    }

    /// Notes down that the state on top is on the path; false if it was before.
    #[cold]
    #[inline(never)]
    fn mark<W: Walk<P>, O>(
        &mut self,
        slots: &[Entry<P, W>],
        top: usize,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let Entry { state, depth, .. } = &slots[top];
        let is_new = self.on_path.insert(state.clone());
        if is_new {
            self.marked_depth = *depth;
        } else {
            count_duplicate(&slots[top], run);
            if self.table.is_some() {
                self.teach(&slots[top], top, self.notes[top].h);
            }
        }
        is_new
    }

    /// Of the path that ends at `end`, the states from the one number `depth` on are done with.
    #[inline(never)]
    fn leave_down_to<W: Walk<P>>(&mut self, slots: &[Entry<P, W>], mut end: u32, depth: u32) {
        while let Some(entry) = slots.get(end as usize).filter(|entry| entry.depth >= depth) {
            let (place, link) = (end as usize, entry.link);
            if let Some(table) = &mut self.table {
                // What was proved of it goes to the table and to the state before it.
                let rest = larger(self.notes[place].h, self.notes[place].rest);
                table.prove(&entry.state, rest);
                self.teach(entry, place, rest);
            }
            if link & MARKED != 0 {
                self.on_path.remove(&slots[place].state);
            }
            end = link & !MARKED;
        }
        self.marked_depth = self.marked_depth.min(depth - 1);
    }
}

/// A state was seen before. Starts are given, not generated, so they do not count.
fn count_duplicate<P: SearchProblem, W: Walk<P>, O>(
    entry: &Entry<P, W>,
    run: &mut Run<P::Cost, O>,
) {
    run.stats.duplicates += u64::from(entry.link & !MARKED != NOWHERE);
}

impl<P: SearchProblem, W: Walk<P>> Stack<P, W> {
    pub(super) fn new(walk: W, table_bytes: usize, avoids_cycles: bool) -> Self {
        Self {
            walk,
            slots: Vec::new(),
            top: NOWHERE,
            end: NOWHERE,
            has_entered: false,
            table_bytes,
            spare: 4,
            told: 0,
            avoids_cycles,
            walk_bytes: 0,
            ledger: Ledger {
                iteration: 0,
                table: None,
                notes: Vec::new(),
                on_path: HashSet::with_hasher(FxBuildHasher),
                marked_depth: 0,
                lacks_place: false,
                on_path_room: 0,
            },
        }
    }

    /// How many states it holds.
    pub(super) fn len(&self) -> usize {
        // `NOWHERE` is no place, the others begin at 0.
        let above = |place: u32| if place == NOWHERE { 0 } else { place as usize + 1 };
        above(self.top).max(above(self.end))
    }

    pub(super) fn begin_iteration(&mut self) {
        self.ledger.iteration += 1;
        self.told = 0;
    }

    /// Looks at a start: puts it on the stack if it lies within the bound. There must be room for it.
    pub(super) fn push_start<O>(
        &mut self,
        problem: &P,
        (state, cost): &(P::State, P::Cost),
        horizon: &mut Horizon<P::Cost>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let (mut pass, mut refused) = Pass::begin(horizon);
        let costs = (P::Cost::ZERO, *cost);
        if let Some((g, h)) = pass.judge(&mut refused, problem, state, costs, |_| ()) {
            let is_marked = g <= P::Cost::ZERO || self.avoids_cycles;
            let link = if is_marked { NOWHERE | MARKED } else { NOWHERE };
            let (step, place) = (self.walk.no_step(), self.len());
            let (state, resume) = (state.clone(), self.top);
            self.slots[place] = Entry { state, step, g, link, depth: 1, resume };
            if self.ledger.table.is_some() {
                self.ledger.notes[place] = Note { step: *cost, h, rest: P::Cost::INFINITY };
            }
            self.top = place_of(place);
        }
        refused.settle();
        // Starts are given, not generated.
        run.stats.evaluated += pass.generated - refused.unevaluated;
        (pass.generated, refused.unevaluated) = (0, 0);
        pass.end(&refused, horizon, run)
    }

    /// Whether the end of the path is still to be expanded.
    pub(super) fn has_entered(&self) -> bool {
        self.has_entered
    }

    /// Whether the next state can be entered and expanded without asking for memory.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.slots.len() - self.len() >= self.spare
            && !self.ledger.lacks_place
            && self.walk.bytes() <= self.walk_bytes
            && (self.table_bytes == 0 || self.ledger.notes.len() == self.slots.len())
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
        if self.table_bytes > 0 && self.ledger.table.is_none() {
            self.ledger.table = Some(TranspositionTable::new(self.table_bytes, memory)?);
        }
        if let Some(filler) = filler {
            let slots = self.len() + self.spare;
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
                depth: 0,
                resume: NOWHERE,
            });
        }
        if self.ledger.table.is_some() {
            let missing = self.slots.len() - self.ledger.notes.len();
            memory.reserve(&mut self.ledger.notes, missing)?;
            let blank = Note { step: P::Cost::ZERO, h: P::Cost::ZERO, rest: P::Cost::INFINITY };
            self.ledger.notes.resize(self.slots.len(), blank);
        }
        let more = self.walk.bytes().saturating_sub(self.walk_bytes);
        memory.claim(more)?;
        self.walk_bytes += more;
        if !self.ledger.lacks_place {
            return Ok(());
        }
        // States that were removed may take up room as well: then the set stays as it is and is put
        // in order, or doubles. Until it has moved, it is held twice.
        let states = (self.ledger.on_path.len() * 2).max(self.ledger.on_path_room + 1).max(3);
        let bytes = hash_set_bytes::<P::State>(states);
        memory.claim(bytes)?;
        let before = hash_set_bytes::<P::State>(self.ledger.on_path_room);
        let outcome = self.ledger.on_path.try_reserve(states - self.ledger.on_path.len());
        // In order, it says how much room it has in all.
        self.ledger.on_path_room = self.ledger.on_path_room.max(self.ledger.on_path.capacity());
        let after = hash_set_bytes::<P::State>(self.ledger.on_path_room);
        memory.release((bytes + before).saturating_sub(after));
        self.ledger.lacks_place = outcome.is_err();
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
        match (most, O::LISTENS || self.ledger.table.is_some() || self.avoids_cycles) {
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
        let (mut pass, mut refused) = Pass::begin(horizon);
        let mut is_found = false;
        let mut left = most;
        let (mut top, mut end, mut has_entered) = (self.top, self.end, self.has_entered);
        let mut deepest = 0;
        let Self { walk, slots, ledger, .. } = self;
        let slots = slots.as_mut_slice();
        let avoids_cycles = !PLAIN && self.avoids_cycles;
        // Below this place there is room for the successors of a state; `NOWHERE` is never below.
        let room = slots.len().saturating_sub(self.spare);
        while (left > 0 || !EXPANDS) && (top as usize) < room {
            let place = top as usize;
            if !has_entered {
                let Entry { link, depth, .. } = slots[place];
                // The path goes on from the state before this one; what it has beyond is done with.
                let before = link & !MARKED;
                let is_left = if PLAIN { depth <= ledger.marked_depth } else { end != before };
                if is_left {
                    ledger.leave_down_to(slots, end, depth);
                }
                end = before;
                if problem.is_goal(&slots[place].state) {
                    is_found = true;
                    break;
                }
                let is_marked = link & MARKED != 0;
                if is_marked && ledger.on_path.len() == ledger.on_path.capacity() {
                    ledger.lacks_place = true;
                    break;
                }
                if !PLAIN && !ledger.recall(slots, place, &mut pass, &mut refused, run)
                    || is_marked && !ledger.mark(slots, place, run)
                {
                    top = slots[place].resume;
                    continue;
                }
                if !PLAIN {
                    ledger.note_down(slots, problem, place, run);
                }
                end = top;
                deepest = deepest.max(depth);
            }
            has_entered = true;
            if !EXPANDS {
                break;
            }
            let (path, free) = slots.split_at_mut(place + 1);
            let Some((expanded, above)) = path.split_last_mut() else { break };
            let Entry { state, step, g, link, depth, resume } = expanded;
            let before = above.get((*link & !MARKED) as usize).map(|entry| &entry.state);
            let has_table = !PLAIN && ledger.table.is_some();
            let generated = pass.generated;
            let parent = O::LISTENS.then(|| state.clone());
            let mut brood = Brood {
                problem,
                g: *g,
                pass: &mut pass,
                refused: &mut refused,
                free: free.iter_mut(),
                link: top,
                place: top,
                top: *resume,
                depth: *depth + 1,
                avoids_cycles,
                notes: if has_table { ledger.notes.split_at_mut(place).1 } else { &mut [] },
                parent,
                observer: &mut run.observer,
                seen: 0,
                told: self.told,
            };
            // The bound that was proved of a state must hold whichever way it is reached by, so with a
            // table the way straight back is seen like any other step.
            walk.expand(problem, state, (step, before), has_table, &mut brood);
            let (place, next, seen) = (brood.place, brood.top, brood.seen);
            if refused.is_due && !refused.settle() && refused.lacking > 0 {
                // More successors than any state had before: see to it that there will be room.
                self.spare = (place - top) as usize + refused.lacking;
                self.told = seen;
                pass.generated = generated;
                break;
            }
            if O::LISTENS {
                self.told = 0;
            }
            top = next;
            has_entered = false;
            left -= 1;
            if refused.error.is_some() || walk.bytes() > self.walk_bytes {
                break;
            }
        }
        if top == NOWHERE && (left > 0 || !EXPANDS) {
            // All is done with.
            ledger.leave_down_to(slots, end, 1);
            end = NOWHERE;
        }
        (self.top, self.end, self.has_entered) = (top, end, has_entered);
        run.stats.expanded += most - left;
        run.stats.peak_frontier = run.stats.peak_frontier.max(u64::from(deepest));
        pass.end(&refused, horizon, run)?;
        Ok(is_found)
    }

    /// The path to the goal on top of the stack.
    pub(super) fn solution(
        &mut self,
        problem: &P,
    ) -> Result<Solution<PathOf<P>>, SearchError<P::Cost>> {
        let mut path = Vec::new();
        let mut place = self.top as usize;
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
        let shows_inverse = self.ledger.table.is_some();
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
    refused: &'a mut Refused<P::Cost>,
    /// The stack above those that are kept.
    free: IterMut<'a, Entry<P, W>>,
    /// Where on the stack the state is.
    link: u32,
    /// How many states the path has that ends with a successor.
    depth: u32,
    avoids_cycles: bool,
    /// Where on the stack the last one is that was kept, or else the state.
    place: u32,
    /// Where the state is that is to be entered next.
    top: u32,
    /// Where there is a table: the notes on the state and on the stack above it.
    notes: &'a mut [Note<P::Cost>],
    /// For the observer, if anybody listens: the state.
    parent: Option<P::State>,
    observer: &'a mut O,
    /// The same: how many successors were seen, and how many of them the observer was told of before.
    seen: u64,
    told: u64,
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
        if O::LISTENS {
            self.seen += 1;
            if self.seen > self.told
                && let Some(g) = self.g.checked_add(step)
            {
                self.observer.generated(self.parent.as_ref(), state, g);
            }
        }
        let notes = &mut self.notes;
        let (pass, refused) = (&mut *self.pass, &mut *self.refused);
        let (g, h) = pass.judge(refused, self.problem, state, (self.g, step), |h| {
            if let Some(note) = notes.first_mut() {
                note.learn(step, h);
            }
        })?;
        Some((g, h, step))
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn keep(&mut self, state: P::State, step: W::Step, (g, h, cost): Self::Finding) {
        let Some(slot) = self.free.next() else {
            return self.refused.refuse_room();
        };
        let is_marked = g <= self.g || self.avoids_cycles;
        let link = if is_marked { self.link | MARKED } else { self.link };
        *slot = Entry { state, step, g, link, depth: self.depth, resume: self.top };
        self.place += 1;
        self.top = self.place;
        if let Some(note) = self.notes.get_mut((self.place - self.link) as usize) {
            *note = Note { step: cost, h, rest: P::Cost::INFINITY };
        }
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
        self.slots.get(from..self.len()).unwrap_or(&[])
    }

    /// Forgets all that is on it.
    pub(super) fn clear(&mut self) {
        (self.top, self.end, self.has_entered) = (NOWHERE, NOWHERE, false);
        self.ledger.on_path.clear();
        self.ledger.marked_depth = 0;
        self.ledger.lacks_place = false;
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
            let before = if place == 0 { NOWHERE } else { place_of(place - 1) };
            let is_marked = entry.link & MARKED != 0;
            if is_marked && place + 1 < len {
                if self.ledger.on_path.len() == self.ledger.on_path.capacity() {
                    self.ledger.lacks_place = true;
                    self.make_room(len, filler, memory)?;
                }
                self.ledger.on_path.insert(entry.state.clone());
            }
            if self.ledger.table.is_some() {
                // Nothing is proved of states of which this is but one successor of many.
                let rest = if place + 1 < len { P::Cost::ZERO } else { P::Cost::INFINITY };
                self.ledger.notes[place] = Note { step: P::Cost::ZERO, h: P::Cost::ZERO, rest };
            }
            self.slots[place] = entry.clone();
            let slot = &mut self.slots[place];
            slot.link = before | entry.link & MARKED;
            (slot.depth, slot.resume) = (place_of(place) + 1, NOWHERE);
            if place + 1 == len {
                self.ledger.marked_depth = place_of(place);
                (self.top, self.end) = (place_of(place), before);
            }
        }
        Ok(())
    }
}

/// A place on the stack as its states know it.
#[expect(clippy::cast_possible_truncation, reason = "make_room() keeps it below NOWHERE")]
fn place_of(place: usize) -> u32 {
    place as u32
}

impl<P: SearchProblem, W: Walk<P>> fmt::Debug for Stack<P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stack")
            .field("top", &self.top)
            .field("end", &self.end)
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
