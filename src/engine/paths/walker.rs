//! [`Walker`]: walks along all paths of a graph, from the goals back to the starts.

use super::graph::Graph;
use super::heap::NONE;
use super::steps::Steps;
use crate::cost::Cost;
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// The position of a walk along all paths: a path, and the steps to its states that were not yet taken.
///
/// Without cycles of cost zero, it is a depth-first search in which every visited state is on a path. With such
/// cycles, there are infinitely many paths. The walk then proceeds in rounds by the number of steps outside
/// the search tree, so that each path is found eventually. For simple paths only, a
/// step is taken only if a start can be reached through it without a state of the path, so that there are no long dead
/// ends.
#[derive(Debug, Default)]
pub(super) struct Walker {
    /// The goal of the path, and the goals after it.
    goal: usize,
    /// The steps of the path, last to first, each with the next one that leads to the same state.
    path: Vec<(u32, u32)>,
    /// The number of steps, from the last one on, that were not changed since [`kept`](Self::kept) was called.
    kept: usize,
    /// The next step to the goal, while the path has none.
    next: u32,
    /// Whether the walk to the current goal has begun.
    is_inside: bool,
    /// The number of steps of the path outside the tree, where paths are found in rounds by it.
    sidetracks: u32,
    /// The number of such steps in the paths of this round.
    round: u32,
    /// For each state, by its number, whether it is on the path.
    on_path: Vec<bool>,
    /// For each state, the last search for the starts that reached it.
    reached_in: Vec<u32>,
    searches: u32,
    open: Vec<u32>,
    /// The step of the path for which the last search looks, if it has been held.
    checking: Option<u32>,
    /// The next step that this search looks at.
    looks_at: u32,
}

impl Walker {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Restarts and keeps the memory.
    pub(super) fn restart(&mut self) {
        (self.goal, self.is_inside, self.sidetracks, self.round) = (0, false, 0, 0);
        self.path.clear();
        self.kept = 0;
        self.on_path.clear();
        self.reached_in.clear();
        self.searches = 0;
        self.checking = None;
    }

    /// Reserves memory for walks along simple paths of `states` states.
    pub(super) fn make_room(
        &mut self,
        states: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.path, states + 1)?;
        memory.reserve(&mut self.on_path, states)?;
        memory.reserve(&mut self.reached_in, states)?;
        memory.reserve(&mut self.open, states)
    }

    /// Returns the steps of the path that was found, last to first.
    pub(super) fn steps(&self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + '_ {
        self.path.iter().map(|&(step, _)| step)
    }

    /// Returns how many of the steps, from the last one on, are those of the last path for which this was called.
    pub(super) fn kept(&mut self) -> usize {
        std::mem::replace(&mut self.kept, self.path.len())
    }

    /// Advances to the next path; returns false if there is none. Returns an error if the quota of work is used up; the
    /// next call then continues.
    pub(super) fn next<I: StateId, C: Cost>(
        &mut self,
        graph: &Graph<I>,
        is_simple: bool,
        steps: &Steps<I, C>,
        work: &mut u32,
    ) -> Result<bool, ()> {
        match (graph.is_cyclic(), is_simple) {
            (false, _) => self.next_by::<false, false, I, C>(graph, steps, work),
            (true, false) => self.next_by::<true, false, I, C>(graph, steps, work),
            (true, true) => {
                self.on_path.resize(graph.nodes().len(), false);
                self.reached_in.resize(graph.nodes().len(), 0);
                self.next_by::<false, true, I, C>(graph, steps, work)
            }
        }
    }

    /// As [`next`](Self::next), in rounds or for simple paths only. Compiled for each, as most graphs have no cycles, and walks along
    /// their paths need neither.
    #[inline]
    fn next_by<const IN_ROUNDS: bool, const IS_SIMPLE: bool, I: StateId, C: Cost>(
        &mut self,
        graph: &Graph<I>,
        steps: &Steps<I, C>,
        work: &mut u32,
    ) -> Result<bool, ()> {
        let (is_bounded, is_checked) = (IN_ROUNDS, IS_SIMPLE);
        loop {
            if *work == 0 {
                return Err(());
            }
            *work -= 1;
            if !self.is_inside {
                let Some(goal) = graph.goals().get(self.goal) else {
                    if !is_bounded || graph.goals().is_empty() {
                        return Ok(false);
                    }
                    (self.goal, self.round) = (0, self.round.saturating_add(1));
                    continue;
                };
                self.next = steps.first_to(goal.id);
                self.is_inside = true;
                if is_checked {
                    self.on_path[self.goal] = true;
                }
            }
            // The next step to the first state of the path so far.
            let next = match self.checking {
                Some(next) => next,
                None => self.path.last().map_or(self.next, |&(_, next)| next),
            };
            if next == NONE {
                self.undo_step(graph, (is_bounded, is_checked), steps);
                continue;
            }
            let after = steps.next_to(next);
            match self.path.last_mut() {
                Some((_, pending)) => *pending = after,
                None => self.next = after,
            }
            let link = steps.get(next);
            let is_sidetrack = is_bounded && is_outside_tree(next, graph, steps);
            let sidetracks = self.sidetracks + u32::from(is_sidetrack);
            if is_bounded && sidetracks > self.round {
                continue;
            }
            if link.from == StateId::NONE {
                if is_bounded && sidetracks < self.round {
                    continue;
                }
                self.sidetracks = sidetracks;
                self.path.push((next, NONE));
                return Ok(true);
            }
            let mut from = NONE;
            if is_checked {
                from = graph.number_of(link.from);
                let reaches_start = self.reaches_start(from, graph, steps, work);
                self.checking = if reaches_start.is_none() { Some(next) } else { None };
                if !reaches_start.ok_or(())? {
                    continue;
                }
            }
            self.sidetracks = sidetracks;
            self.path.push((next, steps.first_to(link.from)));
            if is_checked {
                self.on_path[from as usize] = true;
            }
        }
    }

    /// Undoes the last step.
    #[inline]
    fn undo_step<I: StateId, C: Cost>(
        &mut self,
        graph: &Graph<I>,
        (is_bounded, is_checked): (bool, bool),
        steps: &Steps<I, C>,
    ) {
        let Some((step, _)) = self.path.pop() else {
            if is_checked {
                self.on_path[self.goal] = false;
            }
            (self.is_inside, self.goal) = (false, self.goal + 1);
            return;
        };
        self.kept = self.kept.min(self.path.len());
        self.sidetracks -= u32::from(is_bounded && is_outside_tree(step, graph, steps));
        if is_checked {
            let from = steps.get(step).from;
            if from != StateId::NONE {
                self.on_path[graph.number_of(from) as usize] = false;
            }
        }
    }

    /// Whether a path leads back from this state to a start without states of the current path; `None` if the quota of
    /// work is used up. The next call then continues.
    fn reaches_start<I: StateId, C: Cost>(
        &mut self,
        from: u32,
        graph: &Graph<I>,
        steps: &Steps<I, C>,
        work: &mut u32,
    ) -> Option<bool> {
        let first_to = |number: u32| steps.first_to(graph.nodes()[number as usize].id);
        if self.checking.is_none() {
            if self.on_path[from as usize] {
                return Some(false);
            }
            if self.searches == u32::MAX {
                self.reached_in.fill(0);
                self.searches = 0;
            }
            self.searches += 1;
            self.open.clear();
            self.reached_in[from as usize] = self.searches;
            self.looks_at = first_to(from);
        }
        loop {
            if self.looks_at == NONE {
                let Some(number) = self.open.pop() else { return Some(false) };
                self.looks_at = first_to(number);
                continue;
            }
            if *work == 0 {
                return None;
            }
            *work -= 1;
            let from = steps.get(self.looks_at).from;
            if from == StateId::NONE {
                return Some(true);
            }
            self.looks_at = steps.next_to(self.looks_at);
            let from = graph.number_of(from);
            let is_new = self.reached_in[from as usize] != self.searches;
            if is_new && !self.on_path[from as usize] {
                self.reached_in[from as usize] = self.searches;
                self.open.push(from);
            }
        }
    }
}

/// Whether this is not the step by which the search reached its state.
fn is_outside_tree<I: StateId, C: Cost>(step: u32, graph: &Graph<I>, steps: &Steps<I, C>) -> bool {
    graph.nodes()[graph.number_of(steps.get(step).to) as usize].step != step
}
