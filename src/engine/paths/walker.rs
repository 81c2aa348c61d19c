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
#[derive(Debug)]
pub(super) struct Walker {
    /// The goal of the path, and the goals after it.
    goal: usize,
    /// The steps of the path, last to first.
    path: Vec<u32>,
    /// The numbers of those of them for which there is another step to the same state, which was not tried yet.
    forks: Vec<usize>,
    /// The number of steps, from the last one on, that were not changed since [`kept`](Self::kept) was called.
    kept: usize,
    /// The step that is tried next, to the first state of the path, or to the goal if the path has no steps; `NONE` if all were.
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
    /// Whether this search, which is for the next step, has been held.
    checking: bool,
    /// The next step that this search looks at.
    looks_at: u32,
}

impl Walker {
    pub(super) fn new() -> Self {
        Self {
            goal: 0,
            path: Vec::new(),
            forks: Vec::new(),
            kept: 0,
            next: NONE,
            is_inside: false,
            sidetracks: 0,
            round: 0,
            on_path: Vec::new(),
            reached_in: Vec::new(),
            searches: 0,
            open: Vec::new(),
            checking: false,
            looks_at: NONE,
        }
    }

    /// Restarts and keeps the memory.
    pub(super) fn restart(&mut self) {
        (self.goal, self.is_inside, self.sidetracks, self.round) = (0, false, 0, 0);
        self.path.clear();
        self.forks.clear();
        (self.kept, self.next) = (0, NONE);
        self.on_path.clear();
        self.reached_in.clear();
        self.searches = 0;
        self.checking = false;
    }

    /// Reserves memory for walks along simple paths of `states` states.
    pub(super) fn make_room(
        &mut self,
        states: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.path, states + 1)?;
        memory.reserve(&mut self.forks, states + 1)?;
        memory.reserve(&mut self.on_path, states)?;
        memory.reserve(&mut self.reached_in, states)?;
        memory.reserve(&mut self.open, states)
    }

    /// Returns the steps of the path that was found, last to first.
    pub(super) fn steps(&self) -> &[u32] {
        &self.path
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
        let mut next = self.next;
        let is_found = loop {
            if *work == 0 {
                break Err(());
            }
            *work -= 1;
            if next == NONE {
                let Some(fork) = self.forks.pop() else {
                    self.truncate::<IN_ROUNDS, IS_SIMPLE, I, C>(0, graph, steps);
                    let Some(goal) = self.enter_goal::<IN_ROUNDS, IS_SIMPLE, I>(graph) else {
                        break Ok(false);
                    };
                    next = steps.first_to(goal);
                    continue;
                };
                next = steps.next_to(self.path[fork]);
                self.truncate::<IN_ROUNDS, IS_SIMPLE, I, C>(fork, graph, steps);
                continue;
            }
            let link = steps.get(next);
            let sidetracks =
                self.sidetracks + u32::from(IN_ROUNDS && is_outside_tree(next, graph, steps));
            let is_start = link.from == StateId::NONE;
            if IN_ROUNDS && (sidetracks > self.round || (is_start && sidetracks < self.round)) {
                next = steps.next_to(next);
                continue;
            }
            if IS_SIMPLE && !is_start {
                let from = graph.number_of(link.from);
                let reaches_start = self.reaches_start(from, graph, steps, work);
                self.checking = reaches_start.is_none();
                match reaches_start {
                    None => break Err(()),
                    Some(false) => {
                        next = steps.next_to(next);
                        continue;
                    }
                    Some(true) => self.on_path[from as usize] = true,
                }
            }
            self.sidetracks = sidetracks;
            if steps.next_to(next) != NONE {
                self.forks.push(self.path.len());
            }
            self.path.push(next);
            if is_start {
                next = NONE;
                break Ok(true);
            }
            next = steps.first_to(link.from);
        };
        self.next = next;
        is_found
    }

    /// Proceeds to the next goal, in the next round after the last one, and returns it; `None` if there is none.
    #[cold]
    fn enter_goal<const IN_ROUNDS: bool, const IS_SIMPLE: bool, I: StateId>(
        &mut self,
        graph: &Graph<I>,
    ) -> Option<I> {
        if self.is_inside {
            if IS_SIMPLE {
                self.on_path[self.goal] = false;
            }
            self.goal += 1;
        }
        if IN_ROUNDS && self.goal >= graph.goals().len() {
            (self.goal, self.round) = (0, self.round.saturating_add(1));
        }
        let goal = graph.goals().get(self.goal).map(|goal| goal.id);
        self.is_inside = goal.is_some();
        if IS_SIMPLE && self.is_inside {
            self.on_path[self.goal] = true;
        }
        goal
    }

    /// Removes steps, so that `left` are left.
    #[inline]
    fn truncate<const IN_ROUNDS: bool, const IS_SIMPLE: bool, I: StateId, C: Cost>(
        &mut self,
        left: usize,
        graph: &Graph<I>,
        steps: &Steps<I, C>,
    ) {
        if IN_ROUNDS || IS_SIMPLE {
            for &step in &self.path[left..] {
                self.sidetracks -= u32::from(IN_ROUNDS && is_outside_tree(step, graph, steps));
                let from = steps.get(step).from;
                if IS_SIMPLE && from != StateId::NONE {
                    self.on_path[graph.number_of(from) as usize] = false;
                }
            }
        }
        self.path.truncate(left);
        self.kept = self.kept.min(left);
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
        if !self.checking {
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
