//! THE relaxation loop: what a step from an expanded state does to the table and the frontier.

use std::iter;

use crate::cost::Cost;
use crate::engine::run::{Run, checked_step, sound_heuristic};
use crate::frontier::Frontier;
use crate::limits::OutOfMemory;
use crate::observer::Observer;
use crate::path::{Path, PathOf};
use crate::problem::{SearchProblem, Successor};
use crate::report::SearchError;
use crate::table::{Lookup, NO_STATE, Node, StateId, Table};

/// What a best-first search knows of the states, and which of them are open.
pub(in crate::engine) struct Relaxation<P: SearchProblem, T: Table<P>, F> {
    pub(in crate::engine) problem: P,
    pub(in crate::engine) table: T,
    pub(in crate::engine) frontier: F,
    /// Open states for which the frontier had no room when they were reached.
    unplaced: Vec<StateId>,
    /// For so many successors there is room, besides in the table.
    ready: usize,
    /// How many states are open.
    open: u64,
    /// The first sum that its type could not hold.
    pub(in crate::engine) overflow: Option<SearchError<P::Cost>>,
}

/// A state and what the step to it costs, where it does not matter what is done.
#[inline]
pub(in crate::engine) fn reached_by<S, C>((state, cost): (S, C)) -> Successor<S, (), C> {
    Successor { action: (), state, cost }
}

/// By what the table finds the state that a step leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyOf<K> {
    /// Its key is not made yet.
    Unmade,
    Made(K),
    /// By nothing: the step leads back.
    Back,
}

impl<P, T, F> Relaxation<P, T, F>
where
    P: SearchProblem,
    T: Table<P>,
    F: Frontier<P::Cost>,
{
    pub(in crate::engine) fn new(problem: P, table: T, frontier: F) -> Self {
        Self { problem, table, frontier, unplaced: Vec::new(), ready: 0, open: 0, overflow: None }
    }

    /// Forgets all states; the memory stays.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.frontier.clear();
        self.unplaced.clear();
        self.open = 0;
        self.overflow = None;
    }

    /// Makes room for so many successors of a state of `layer`, whatever they turn out to be, so that an
    /// expansion is done wholly or not at all.
    #[inline]
    pub(in crate::engine) fn make_room<O>(
        &mut self,
        successors: usize,
        layer: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        if run.is_new_layer(layer) {
            run.make_room_for_layer()?;
        }
        if successors > self.ready {
            run.memory.reserve(&mut self.unplaced, successors)?;
            self.ready = self.unplaced.capacity() - self.unplaced.len();
        }
        self.table.reserve(&self.problem, successors, &mut run.memory)
    }

    /// Relaxes every step that leads from `parent`, for which there must be room; nothing is left of the
    /// list. What `admits` says no to, by its g and h, is passed over and not stored; it is asked with an h
    /// of zero first.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in some of them")]
    pub(in crate::engine) fn relax_all<A, O: Observer<P::State, P::Cost>>(
        &mut self,
        parent: (StateId, P::Cost),
        steps: &mut Vec<Successor<P::State, A, P::Cost>>,
        admits: impl Fn(P::Cost, P::Cost) -> bool,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        self.relax(parent, steps, iter::repeat(KeyOf::Unmade), admits, run)
    }

    /// The same, where the keys of the states may have been made ahead of time.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in some of them")]
    pub(super) fn relax<A, O: Observer<P::State, P::Cost>>(
        &mut self,
        (parent, parent_g): (StateId, P::Cost),
        steps: &mut Vec<Successor<P::State, A, P::Cost>>,
        keys: impl Iterator<Item = KeyOf<T::Key>>,
        admits: impl Fn(P::Cost, P::Cost) -> bool,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        // Most steps lead to what is known at no more, so the others are counted.
        let mut duplicates = steps.len() as u64;
        for (Successor { state, cost: step, .. }, key) in steps.drain(..).zip(keys) {
            let Some(g) = checked_step(parent_g, step, &mut self.overflow)? else {
                duplicates -= 1;
                continue;
            };
            if O::LISTENS {
                self.tell_generated(parent, &state, g, run);
            }
            if !admits(g, P::Cost::ZERO) {
                duplicates -= 1;
                continue;
            }
            let key = match key {
                KeyOf::Unmade => self.table.key(&self.problem, &state),
                KeyOf::Made(key) => key,
                KeyOf::Back => continue,
            };
            match self.table.find(key, &state, g) {
                Lookup::NoCheaper => {}
                Lookup::Cheaper(id) => self.improve(id, g, parent, &admits, run),
                Lookup::Vacant(place) => {
                    duplicates -= 1;
                    self.add((key, place), state, g, parent, &admits, run)?;
                }
                Lookup::OutOfRange { index, count } => {
                    return Err(SearchError::StateIndex { index, count });
                }
            }
        }
        run.stats.duplicates += duplicates;
        // Relaxing never makes fewer states open.
        run.stats.peak_frontier = run.stats.peak_frontier.max(self.open);
        Ok(())
    }

    /// Takes note of a cheaper way, from `parent`, to a state that is stored.
    fn improve<O>(
        &mut self,
        id: StateId,
        g: P::Cost,
        parent: StateId,
        admits: impl Fn(P::Cost, P::Cost) -> bool,
        run: &mut Run<P::Cost, O>,
    ) {
        let node = self.table.node_mut(id);
        let h = node.h();
        if !admits(g, h) {
            return;
        }
        let was_closed = node.is_closed();
        // Not open either are dead ends, and states whose f was too large.
        let was_open = !was_closed && h < P::Cost::INFINITY && node.f().is_some();
        node.reach(g, parent);
        run.stats.reopened += u64::from(was_closed);
        self.open -= u64::from(was_open);
        self.place(id, g, h, run);
    }

    /// Stores a state that was reached from `parent` for the first time.
    fn add<O>(
        &mut self,
        (key, place): (T::Key, usize),
        state: P::State,
        g: P::Cost,
        parent: StateId,
        admits: impl Fn(P::Cost, P::Cost) -> bool,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        run.stats.evaluated += 1;
        let h = sound_heuristic(&self.problem, &state, g)?;
        run.stats.dead_ends += u64::from(h >= P::Cost::INFINITY);
        if admits(g, h) {
            let id = self.table.insert(key, place, state, Node::new(g, h, parent));
            self.place(id, g, h, run);
        }
        Ok(())
    }

    fn tell_generated<O: Observer<P::State, P::Cost>>(
        &self,
        parent: StateId,
        state: &P::State,
        g: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) {
        if parent == NO_STATE {
            run.observer.generated(None, state, g);
        } else {
            let tell = |parent: &P::State| run.observer.generated(Some(parent), state, g);
            self.table.with_state(&self.problem, parent, tell);
        }
    }

    /// Puts a state that has become open into the frontier, unless no goal can be reached from it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from two places, both hot")]
    fn place<O>(&mut self, id: StateId, g: P::Cost, h: P::Cost, run: &mut Run<P::Cost, O>) {
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
            self.ready = 0;
        }
        self.open += 1;
    }

    /// Whether open states still wait for a place in the frontier.
    #[inline]
    pub(super) fn has_unplaced(&self) -> bool {
        !self.unplaced.is_empty()
    }

    /// Puts the open states that wait into the frontier, in the order in which they were reached.
    #[cold]
    pub(super) fn place_waiting<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        let mut placed = 0;
        let mut outcome = Ok(());
        for &id in &self.unplaced {
            let node = self.table.node(id);
            if let Some(f) = node.f() {
                outcome = self.frontier.push(id, f, node.h(), &mut run.memory);
                if outcome.is_err() {
                    break;
                }
            }
            placed += 1;
        }
        self.unplaced.drain(..placed);
        outcome
    }

    /// The open state with the smallest f, no longer in the frontier.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called from few places, hot in one of them")]
    pub(super) fn take_best<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Option<(StateId, P::Cost)>, OutOfMemory> {
        while let Some((id, f)) = self.frontier.pop(&mut run.memory)? {
            if self.is_current(id, f) {
                return Ok(Some((id, f)));
            }
        }
        Ok(None)
    }

    /// Whether an entry of the frontier still counts: it is out of date if a cheaper way was found after
    /// it was pushed.
    #[inline]
    pub(in crate::engine) fn is_current(&self, id: StateId, f: P::Cost) -> bool {
        let node = self.table.node(id);
        !node.is_closed() && node.f() == Some(f)
    }

    /// Counts that an open state of `layer` is expanded, of which so many successors were generated,
    /// and tells who listens; returns what is known of it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    pub(in crate::engine) fn begin_expansion<O: Observer<P::State, P::Cost>>(
        &mut self,
        id: StateId,
        layer: P::Cost,
        generated: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Node<P::Cost> {
        if run.is_new_layer(layer) {
            run.enter_layer(layer);
        }
        run.stats.expanded += 1;
        run.stats.generated += generated;
        let node = self.close(id);
        if O::LISTENS {
            let tell = |state: &P::State| run.observer.expanded(state, node.g(), node.h());
            self.table.with_state(&self.problem, id, tell);
        }
        node
    }

    /// Has the states that are probably expanded next, and what the problem knows of them, fetched from
    /// memory. Each is told of twice: what the problem looks up to know where to look may have come from
    /// memory by then.
    #[inline]
    pub(in crate::engine) fn fetch_coming(&self) {
        for ahead in 0..2 {
            if let Some(id) = self.frontier.coming(ahead) {
                self.table.prefetch(id);
                let tell = |state: &P::State| self.problem.prefetch(state);
                self.table.with_state(&self.problem, id, tell);
            }
        }
    }

    /// Takes note that an open state is expanded; returns what is known of it.
    #[inline]
    pub(in crate::engine) fn close(&mut self, id: StateId) -> Node<P::Cost> {
        self.open -= 1;
        let node = self.table.node_mut(id);
        node.close();
        *node
    }

    #[inline]
    pub(in crate::engine) fn is_goal(&self, id: StateId) -> bool {
        self.table.with_state(&self.problem, id, |state| self.problem.is_goal(state))
    }

    /// The way to a stored state, from the start on.
    pub(in crate::engine) fn trail(&self, mut id: StateId) -> Vec<StateId> {
        let mut trail = Vec::new();
        while id != NO_STATE {
            trail.push(id);
            id = self.table.node(id).parent();
        }
        trail.reverse();
        trail
    }

    /// The path to a stored state.
    pub(in crate::engine) fn path_to(
        &self,
        id: StateId,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let trail = self.trail(id);
        let start_cost = trail.first().map_or(P::Cost::ZERO, |&id| self.table.node(id).g());
        let states = trail.iter().map(|&id| self.table.with_state(&self.problem, id, Clone::clone));
        Ok(Path::through(&self.problem, states, start_cost)?)
    }
}
