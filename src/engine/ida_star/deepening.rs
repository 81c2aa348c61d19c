//! The engine of IDA*: one loop that goes down and up the tree, whatever the walk.

use std::collections::HashSet;
use std::fmt;

use rustc_hash::FxBuildHasher;

use super::{TranspositionTable, Walk};
use crate::cost::{Cost, larger, smaller};
use crate::engine::run::{checked_step, sound_heuristic};
use crate::engine::{Engine, Progress, Run};
use crate::limits::OutOfMemory;
use crate::observer::Observer;
use crate::path::{Path, PathOf};
use crate::problem::SearchProblem;
use crate::report::{SearchError, StopReason};

/// The engine of [`IdaStar`](super::IdaStar).
pub struct IdaStarEngine<P: SearchProblem, W: Walk<P>> {
    problem: P,
    walk: W,
    starts: Vec<(P::State, P::Cost)>,
    /// How many starts this iteration has begun with.
    begun: usize,
    stage: Stage,
    /// The state at the end of the path, while there is a path.
    state: Option<P::State>,
    /// The path: a level for every state on it.
    stack: Vec<Level<P, W>>,
    bound: P::Cost,
    /// The smallest f beyond the bound in this iteration.
    next_bound: Option<P::Cost>,
    /// Counts iterations from 1, so that the table can tell in which it saw a state.
    iteration: u32,
    table: Option<TranspositionTable<P::State, P::Cost>>,
    table_bytes: usize,
    /// States of the path: all of them if cycles are avoided, else those behind steps that cost
    /// nothing, as only such steps could go round in a circle forever.
    on_path: HashSet<P::State, FxBuildHasher>,
    avoids_cycles: bool,
    /// How many states `on_path` has room for, as the memory account knows it.
    on_path_room: usize,
    /// The states of the path, kept for an observer only.
    watched: Vec<P::State>,
    overflow: Option<SearchError<P::Cost>>,
    solution: Option<PathOf<P>>,
}

/// One state on the path.
struct Level<P: SearchProblem, W: Walk<P>> {
    /// The steps that are still to be taken.
    frame: W::Frame,
    /// The way back to the level above; a start has none.
    back: Option<W::Back>,
    g: P::Cost,
    /// What the step to it cost.
    step: P::Cost,
    /// A lower bound on the rest of the way from here.
    h: P::Cost,
    /// The smallest lower bound by way of the successors seen so far.
    rest: P::Cost,
    /// Whether it stands in `on_path`.
    is_marked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The starts have not been looked at.
    Fresh,
    /// An iteration with this bound is to begin.
    Bounded,
    /// In the midst of an iteration.
    Deepening,
    Found,
    Exhausted,
}

/// What becomes of a state that was generated.
enum Arrival<C> {
    /// Turn back: a goal cannot be reached within the bound, or not by this path, and costs at least
    /// `rest` from there.
    Turn { rest: C },
    /// Expand it.
    Open { g: C, h: C, is_marked: bool },
    /// It is a goal within the bound.
    Goal,
}

impl<P: SearchProblem, W: Walk<P>> IdaStarEngine<P, W> {
    pub(super) fn new(
        problem: P,
        walk: W,
        starts: Vec<(P::State, P::Cost)>,
        table_bytes: usize,
        avoids_cycles: bool,
    ) -> Self {
        Self {
            problem,
            walk,
            starts,
            begun: 0,
            stage: Stage::Fresh,
            state: None,
            stack: Vec::new(),
            bound: P::Cost::ZERO,
            next_bound: None,
            iteration: 0,
            table: None,
            table_bytes,
            on_path: HashSet::with_hasher(FxBuildHasher),
            avoids_cycles,
            on_path_room: 0,
            watched: Vec::new(),
            overflow: None,
            solution: None,
        }
    }

    /// Sets the first bound: the smallest f of a start.
    fn look_at_starts<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<(), SearchError<P::Cost>> {
        for (state, cost) in &self.starts {
            let Some(g) = checked_step(P::Cost::ZERO, *cost, &mut self.overflow)? else { continue };
            let h = sound_heuristic(&self.problem, state, g, run)?;
            match g.checked_add(h) {
                _ if h >= P::Cost::INFINITY => {}
                Some(f) => self.next_bound = Some(self.next_bound.map_or(f, |b| smaller(b, f))),
                None => {
                    self.overflow.get_or_insert(SearchError::Overflow { g, added: h });
                }
            }
        }
        self.next_iteration()
    }

    /// Prepares the next iteration, if one can find more than the last.
    fn next_iteration(&mut self) -> Result<(), SearchError<P::Cost>> {
        match (self.next_bound.take(), self.overflow) {
            (Some(bound), _) => {
                self.bound = bound;
                self.stage = Stage::Bounded;
            }
            (None, Some(error)) => return Err(error),
            (None, None) => self.stage = Stage::Exhausted,
        }
        Ok(())
    }

    /// Whether the next step can be taken without asking for memory.
    #[inline]
    fn has_room(&self) -> bool {
        self.stack.len() < self.stack.capacity()
            && self.on_path.len() < self.on_path.capacity()
            && self.walk.has_room()
    }

    /// Makes room for one more level of the path.
    #[cold]
    #[inline(never)]
    fn make_room<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<(), OutOfMemory> {
        let memory = &mut run.memory;
        if self.table.is_none() && self.table_bytes > 0 {
            self.table = Some(TranspositionTable::new(self.table_bytes, memory)?);
        }
        memory.reserve(&mut self.stack, 1)?;
        self.walk.make_room(memory)?;
        if self.on_path.len() < self.on_path.capacity() {
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
        outcome.map_err(|_| OutOfMemory)
    }

    /// Begins with the next start of this iteration.
    fn begin<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let (start, cost) = self.starts[self.begun].clone();
        self.begun += 1;
        let (generated, duplicates) = (run.stats.generated, run.stats.duplicates);
        let arrival = self.arrive(&start, P::Cost::ZERO, cost, run)?;
        // Starts are given, not generated.
        (run.stats.generated, run.stats.duplicates) = (generated, duplicates);
        match arrival {
            Arrival::Turn { .. } => {}
            Arrival::Goal => {
                self.solution = Some(Path::at(start, cost));
                self.stage = Stage::Found;
            }
            Arrival::Open { g, h, is_marked } => {
                self.open(&start, None, (g, cost, h), is_marked, run);
                self.state = Some(start);
            }
        }
        Ok(())
    }

    /// Looks at a state that was just reached by a step from cost `parent_g`.
    #[inline]
    fn arrive<O: Observer<P::State, P::Cost>>(
        &mut self,
        state: &P::State,
        parent_g: P::Cost,
        step: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Arrival<P::Cost>, SearchError<P::Cost>> {
        run.stats.generated += 1;
        let Some(g) = checked_step(parent_g, step, &mut self.overflow)? else {
            return Ok(Arrival::Turn { rest: P::Cost::ZERO });
        };
        if O::LISTENS {
            run.observer.generated(self.watched.last(), state, g);
        }
        let mut h = sound_heuristic(&self.problem, state, g, run)?;
        let mut seen_at = None;
        if let Some(table) = &self.table
            && let Some(memo) = table.get(state)
        {
            h = larger(h, memo.rest);
            seen_at = (memo.iteration == self.iteration).then_some(memo.g);
        }
        if h >= P::Cost::INFINITY {
            return Ok(Arrival::Turn { rest: h });
        }
        let Some(f) = g.checked_add(h) else {
            self.overflow.get_or_insert(SearchError::Overflow { g, added: h });
            return Ok(Arrival::Turn { rest: h });
        };
        if f > self.bound {
            self.next_bound = Some(self.next_bound.map_or(f, |bound| smaller(bound, f)));
            return Ok(Arrival::Turn { rest: h });
        }
        if self.problem.is_goal(state) {
            return Ok(Arrival::Goal);
        }
        if seen_at.is_some_and(|seen| seen <= g) {
            run.stats.duplicates += 1;
            return Ok(Arrival::Turn { rest: h });
        }
        let is_marked = self.avoids_cycles || g <= parent_g;
        if is_marked && !self.mark(state) {
            run.stats.duplicates += 1;
            return Ok(Arrival::Turn { rest: h });
        }
        Ok(Arrival::Open { g, h, is_marked })
    }

    /// Puts a state among those on the path; false if it is there.
    #[cold]
    fn mark(&mut self, state: &P::State) -> bool {
        // There is room for it: nothing is allocated.
        self.on_path.insert(state.clone())
    }

    /// Expands a state: it becomes the last level of the path.
    #[inline]
    fn open<O: Observer<P::State, P::Cost>>(
        &mut self,
        state: &P::State,
        back: Option<W::Back>,
        (g, step, h): (P::Cost, P::Cost, P::Cost),
        is_marked: bool,
        run: &mut Run<P::Cost, O>,
    ) {
        run.stats.expanded += 1;
        // The bound that was proved of a state must hold whichever way it is reached by, so with a
        // table the way straight back is seen like any other step.
        let skip_inverse = self.table.is_none();
        if let Some(table) = &mut self.table {
            table.reach(state, h, g, self.iteration);
        }
        if O::LISTENS {
            run.observer.expanded(state, g, h);
            self.watched.push(state.clone());
        }
        let frame = self.walk.open(&self.problem, state, back.as_ref(), skip_inverse);
        self.stack.push(Level { frame, back, g, step, h, rest: P::Cost::INFINITY, is_marked });
    }

    /// Takes note of the length of the path, before it grows shorter.
    #[inline]
    fn note_depth<O>(&self, run: &mut Run<P::Cost, O>) {
        run.stats.peak_frontier = run.stats.peak_frontier.max(self.stack.len() as u64);
    }

    /// The last level of the path is done with: what was proved of it goes to the table and to the
    /// level above.
    #[inline]
    fn close<O: Observer<P::State, P::Cost>>(
        &mut self,
        state: &mut P::State,
        run: &mut Run<P::Cost, O>,
    ) {
        self.note_depth(run);
        let Some(level) = self.stack.pop() else { return };
        if O::LISTENS {
            self.watched.pop();
        }
        if level.is_marked {
            self.on_path.remove(state);
        }
        let rest = larger(level.h, level.rest);
        if let Some(table) = &mut self.table {
            table.prove(state, rest);
        }
        self.walk.close(level.frame);
        if let Some(back) = level.back {
            self.walk.back(&self.problem, state, back);
        }
        if let Some(above) = self.stack.last_mut() {
            above.learn(level.step, rest);
        }
    }

    /// Goes on with the tree below the present start, for at most `most` expansions.
    fn deepen<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: &mut u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let Some(mut state) = self.state.take() else { return Ok(Progress::Going) };
        while let Some(level) = self.stack.last_mut() {
            let Some((step, back)) = self.walk.forth(&self.problem, &mut level.frame, &mut state)
            else {
                self.close(&mut state, run);
                continue;
            };
            let parent_g = level.g;
            match self.arrive(&state, parent_g, step, run)? {
                Arrival::Turn { rest } => {
                    self.walk.back(&self.problem, &mut state, back);
                    if let Some(level) = self.stack.last_mut() {
                        level.learn(step, rest);
                    }
                }
                Arrival::Open { g, h, is_marked } => {
                    self.open(&state, Some(back), (g, step, h), is_marked, run);
                    *most -= 1;
                    if *most == 0 || !self.has_room() {
                        self.state = Some(state);
                        return Ok(Progress::Going);
                    }
                }
                Arrival::Goal => {
                    self.note_depth(run);
                    self.solve(&state, &back)?;
                    return Ok(Progress::Found);
                }
            }
        }
        Ok(Progress::Going)
    }

    /// Keeps the path to the goal `state`, which was reached by the step that `back` takes back.
    fn solve(&mut self, state: &P::State, back: &W::Back) -> Result<(), SearchError<P::Cost>> {
        let (start, cost) = &self.starts[self.begun - 1];
        let backs: Vec<_> =
            self.stack.iter().filter_map(|level| level.back.as_ref()).chain([back]).collect();
        let trail = self.walk.trail(&self.problem, start, state, &backs);
        self.solution = Path::through(&self.problem, trail.into_iter(), *cost)?;
        self.stage = Stage::Found;
        Ok(())
    }
}

impl<P: SearchProblem, W: Walk<P>> Level<P, W> {
    /// By way of a successor behind `step`, a goal costs at least `rest` more.
    #[inline]
    fn learn(&mut self, step: P::Cost, rest: P::Cost) {
        let by_way = match step.checked_add(rest) {
            // As large as the type can hold, and yet no dead end.
            Some(sum) if sum >= P::Cost::INFINITY && rest < P::Cost::INFINITY => rest,
            Some(sum) => sum,
            // What the type cannot hold is beyond every other bound.
            None => P::Cost::INFINITY,
        };
        self.rest = smaller(self.rest, by_way);
    }
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

impl<P: SearchProblem, W: Walk<P>> Engine for IdaStarEngine<P, W> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        mut most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        if self.stage == Stage::Fresh {
            self.look_at_starts(run)?;
        }
        while most > 0 {
            if !self.has_room() && self.make_room(run).is_err() {
                return Ok(Progress::Stopped(StopReason::Memory));
            }
            match self.stage {
                Stage::Found => return Ok(Progress::Found),
                Stage::Exhausted => return Ok(Progress::Exhausted),
                Stage::Fresh | Stage::Bounded => {
                    if run.is_too_expensive(self.bound) {
                        return Ok(Progress::Stopped(StopReason::Cost));
                    }
                    if run.make_room_for_layer().is_err() {
                        return Ok(Progress::Stopped(StopReason::Memory));
                    }
                    run.enter_layer(self.bound);
                    self.iteration += 1;
                    self.begun = 0;
                    self.stage = Stage::Deepening;
                }
                Stage::Deepening if self.state.is_some() => {
                    self.deepen(&mut most, run)?;
                }
                Stage::Deepening if self.begun < self.starts.len() => {
                    let expanded = run.stats.expanded;
                    self.begin(run)?;
                    most -= run.stats.expanded - expanded;
                }
                Stage::Deepening => self.next_iteration()?,
            }
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        match (self.stage, &self.solution) {
            (Stage::Exhausted, _) => P::Cost::INFINITY,
            // A path cheaper than the bound shows that the heuristic overestimates: nothing is proved.
            (_, Some(path)) if self.bound.exceeds(path.cost()) => P::Cost::ZERO,
            _ => self.bound,
        }
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        Ok(self.solution.clone())
    }

    fn stored(&self) -> usize {
        self.stack.len()
    }
}

impl<P: SearchProblem, W: Walk<P>> fmt::Debug for IdaStarEngine<P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdaStarEngine")
            .field("stage", &self.stage)
            .field("bound", &self.bound)
            .field("depth", &self.stack.len())
            .finish_non_exhaustive()
    }
}
