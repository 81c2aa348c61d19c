//! [`Graph`]: the states and steps on cheapest paths, and how many paths they make.

use super::explorer::Explored;
use super::heap::NONE;
use super::sidetracks::{FULL, tree_step};
use super::steps::Steps;
use super::walker::Walker;
use crate::cost::Cost;
use crate::engine::halt::Halt;
use crate::memory::Memory;
use crate::table::StateId;

/// The number of paths. The three variants are final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathCount {
    /// This number; [`u128::MAX`] means that many or more.
    Finite(u128),
    /// Infinitely many: a cycle is on one of them; of cost zero, where cheapest paths are counted.
    Infinite,
    /// The search was stopped before they were counted.
    Unknown,
}

impl PathCount {
    /// Returns the number, if it is known and finite.
    #[must_use]
    pub fn get(self) -> Option<u128> {
        match self {
            Self::Finite(count) => Some(count),
            Self::Infinite | Self::Unknown => None,
        }
    }
}

impl std::fmt::Display for PathCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Finite(u128::MAX) => write!(f, "at least {}", u128::MAX),
            Self::Finite(count) => write!(f, "{count}"),
            Self::Infinite => f.write_str("infinitely many"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// The states on cheapest paths. Each stored step is the last one of a cheapest path to its head.
#[derive(Debug)]
pub(super) struct Graph<I> {
    nodes: Vec<Node<I>>,
    /// The number of each state among these, or `NONE`.
    number_of: Vec<u32>,
    /// The goals at which a cheapest path ends come first.
    goals: usize,
    stage: Stage,
    /// The state whose steps are looked at, by its number, and the next of these steps.
    at: Option<(u32, u32)>,
    steps: usize,
    starts: Vec<u32>,
    /// The numbers of states whose successors are all counted: they are counted next.
    ready: Vec<u32>,
    counted: usize,
    count: u128,
    walker: Walker,
    /// Where simple paths are counted one by one: whether each step is on one of those, and the numbers of their states. Empty
    /// otherwise: then all states and steps are on paths.
    walked_steps: Vec<bool>,
    walked: Vec<u32>,
}

/// A state on a cheapest path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<I> {
    pub(super) id: I,
    /// A step by which it was reached; these make a tree.
    pub(super) step: u32,
    /// The number of steps to states on cheapest paths that are not counted yet.
    leaving: u32,
    /// The number of paths from it to the goals.
    ways: u128,
    /// Whether it is on one of the paths that were counted one by one.
    is_walked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Adds the predecessors of the state with this number.
    Collect(u32),
    /// Checks whether no step leads on from this state.
    FindEnds(usize),
    Count,
    /// Reserves memory for a walk.
    Prepare,
    /// Walks along all paths.
    CountSimple,
    Done,
}

impl<I: StateId> Graph<I> {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            number_of: Vec::new(),
            goals: 0,
            stage: Stage::Collect(0),
            at: None,
            steps: 0,
            starts: Vec::new(),
            ready: Vec::new(),
            counted: 0,
            count: 0,
            walker: Walker::new(),
            walked_steps: Vec::new(),
            walked: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        for node in self.nodes.drain(..) {
            self.number_of[node.id.index()] = NONE;
        }
        (self.goals, self.stage, self.at, self.steps) = (0, Stage::Collect(0), None, 0);
        self.starts.clear();
        self.ready.clear();
        (self.counted, self.count) = (0, 0);
        self.walker.restart();
        self.walked_steps.clear();
        self.walked.clear();
    }

    pub(super) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    pub(super) fn nodes(&self) -> &[Node<I>] {
        &self.nodes
    }

    /// Returns the goals at which a cheapest path ends.
    pub(super) fn goals(&self) -> &[Node<I>] {
        &self.nodes[..self.goals]
    }

    /// Returns the number of steps on the paths.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// Returns the states on the paths, once these are known.
    pub(super) fn states(&self) -> impl ExactSizeIterator<Item = I> {
        let are_all = self.walked_steps.is_empty();
        let states = if are_all { self.nodes.len() } else { self.walked.len() };
        let states = 0..if self.is_done() { states } else { 0 };
        states.map(move |nth| {
            let number = if are_all { nth } else { self.walked[nth] as usize };
            self.nodes[number].id
        })
    }

    /// Whether a state is on the paths.
    pub(super) fn has_state(&self, id: I) -> bool {
        let node = self.nodes.get(self.number_of(id) as usize);
        let is_on_path = node.is_some_and(|node| self.walked_steps.is_empty() || node.is_walked);
        self.is_done() && is_on_path
    }

    /// Whether a step to a state on the paths is on them.
    pub(super) fn has_step(&self, step: u32) -> bool {
        self.walked_steps.is_empty() || self.walked_steps[step as usize]
    }

    /// Returns the number of a state, or `NONE`.
    #[inline]
    pub(super) fn number_of(&self, id: I) -> u32 {
        self.number_of.get(id.index()).copied().unwrap_or(NONE)
    }

    /// Whether a cycle of cost zero is on a path.
    pub(super) fn is_cyclic(&self) -> bool {
        self.counted < self.nodes.len()
    }

    /// Returns the number of paths, once it is known.
    pub(super) fn count(&self, is_simple: bool) -> PathCount {
        if !self.is_done() {
            PathCount::Unknown
        } else if self.is_cyclic() && !is_simple {
            PathCount::Infinite
        } else {
            PathCount::Finite(self.count)
        }
    }

    /// Adds a goal at which a cheapest path ends.
    pub(super) fn add_goal<C: Cost>(
        &mut self,
        id: I,
        known: &impl Explored<I, C>,
        memory: &mut Memory,
        work: &mut u32,
    ) -> Result<(), Halt<C>> {
        let number = self.add(id, known, memory, work)?;
        if self.goals == number as usize {
            self.goals += 1;
            self.nodes[number as usize].ways = 1;
        }
        Ok(())
    }

    /// Returns the number of a state, which is added if it is new.
    #[expect(clippy::cast_possible_truncation, reason = "checked")]
    fn add<C: Cost>(
        &mut self,
        id: I,
        known: &impl Explored<I, C>,
        memory: &mut Memory,
        work: &mut u32,
    ) -> Result<u32, Halt<C>> {
        memory.grow_to(&mut self.number_of, id.index() + 1, NONE)?;
        let number = self.number_of[id.index()];
        if number != NONE {
            return Ok(number);
        }
        if self.nodes.len() >= NONE as usize {
            return Err(FULL.into());
        }
        memory.reserve(&mut self.nodes, 1)?;
        let (g, parent) = known.reached(id);
        let step = tree_step(id, g, parent, known, work)?;
        let number = self.nodes.len() as u32;
        self.number_of[id.index()] = number;
        self.nodes.push(Node { id, step, leaving: 0, ways: 0, is_walked: false });
        Ok(number)
    }

    /// Collects the states on cheapest paths, and counts the paths. If it is held, the next call continues.
    pub(super) fn complete<C: Cost>(
        &mut self,
        is_simple: bool,
        known: &impl Explored<I, C>,
        memory: &mut Memory,
        work: &mut u32,
    ) -> Result<(), Halt<C>> {
        loop {
            if *work == 0 {
                return Err(Halt::PAUSED);
            }
            *work -= 1;
            match self.stage {
                Stage::Collect(number) if (number as usize) < self.nodes.len() => {
                    self.collect(number, known, memory, work)?;
                    self.stage = Stage::Collect(number + 1);
                }
                Stage::Collect(_) => {
                    memory.reserve(&mut self.ready, self.nodes.len())?;
                    self.stage = Stage::FindEnds(0);
                }
                Stage::FindEnds(number) => self.find_end(number),
                Stage::Count => self.count_next(is_simple, known, work)?,
                Stage::Prepare => {
                    self.walker.make_room(self.nodes.len(), memory)?;
                    memory.reserve(&mut self.walked, self.nodes.len())?;
                    memory.grow_to(&mut self.walked_steps, known.steps().len(), false)?;
                    self.steps = 0;
                    self.stage = Stage::CountSimple;
                }
                Stage::CountSimple => {
                    let mut walker = std::mem::replace(&mut self.walker, Walker::new());
                    let is_found = walker.next(self, true, known.steps(), work);
                    self.walker = walker;
                    if is_found.map_err(|()| Halt::PAUSED)? {
                        self.count = self.count.saturating_add(1);
                        self.add_walked(known.steps());
                    } else {
                        self.stage = Stage::Done;
                    }
                }
                Stage::Done => return Ok(()),
            }
        }
    }

    /// Adds the states and steps of the path that was found, as far as the path before it has others.
    fn add_walked<C: Cost>(&mut self, steps: &Steps<I, C>) {
        let kept = self.walker.kept();
        for &step in &self.walker.steps()[kept..] {
            if std::mem::replace(&mut self.walked_steps[step as usize], true) {
                continue;
            }
            let link = steps.get(step);
            self.steps += usize::from(link.from != StateId::NONE);
            // Every state of a path has a step to it: a start has one from nowhere.
            let number = self.number_of(link.to);
            if !std::mem::replace(&mut self.nodes[number as usize].is_walked, true) {
                self.walked.push(number);
            }
        }
    }

    /// Returns the next step to a state, and charges it. If there is no work left, the next call returns it.
    fn next_step<C: Cost>(
        &mut self,
        number: u32,
        known: &impl Explored<I, C>,
        work: &mut u32,
    ) -> Result<Option<u32>, Halt<C>> {
        let id = self.nodes[number as usize].id;
        let (_, step) = *self.at.get_or_insert((number, known.steps().first_to(id)));
        if step == NONE {
            self.at = None;
            return Ok(None);
        }
        if *work == 0 {
            return Err(Halt::PAUSED);
        }
        *work -= 1;
        Ok(Some(step))
    }

    /// Adds the states before a state. If it is held, the next call continues.
    fn collect<C: Cost>(
        &mut self,
        number: u32,
        known: &impl Explored<I, C>,
        memory: &mut Memory,
        work: &mut u32,
    ) -> Result<(), Halt<C>> {
        while let Some(step) = self.next_step(number, known, work)? {
            let from = known.steps().get(step).from;
            if from == StateId::NONE {
                memory.reserve(&mut self.starts, 1)?;
                self.starts.push(number);
            } else {
                let from = self.add(from, known, memory, work)? as usize;
                self.nodes[from].leaving = self.nodes[from].leaving.saturating_add(1);
                self.steps += 1;
            }
            self.at = Some((number, known.steps().next_to(step)));
        }
        Ok(())
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are no more states than that")]
    fn find_end(&mut self, number: usize) {
        match self.nodes.get(number) {
            Some(node) => {
                if node.leaving == 0 {
                    self.ready.push(number as u32);
                }
                self.stage = Stage::FindEnds(number + 1);
            }
            None => self.stage = Stage::Count,
        }
    }

    /// Counts the paths from a state whose successors are all counted, backwards from the goals. If it is held, the next
    /// call continues.
    fn count_next<C: Cost>(
        &mut self,
        is_simple: bool,
        known: &impl Explored<I, C>,
        work: &mut u32,
    ) -> Result<(), Halt<C>> {
        let at = self.at.map(|(number, _)| number);
        let Some(number) = at.or_else(|| self.ready.pop()) else {
            self.finish_count(is_simple);
            return Ok(());
        };
        self.counted += usize::from(at.is_none());
        let ways = self.nodes[number as usize].ways;
        while let Some(step) = self.next_step(number, known, work)? {
            let from = known.steps().get(step).from;
            if from != StateId::NONE {
                let from = self.number_of(from);
                let node = &mut self.nodes[from as usize];
                node.ways = node.ways.saturating_add(ways);
                node.leaving -= 1;
                if node.leaving == 0 {
                    self.ready.push(from);
                }
            }
            self.at = Some((number, known.steps().next_to(step)));
        }
        Ok(())
    }

    /// All states are counted, apart from those on cycles.
    fn finish_count(&mut self, is_simple: bool) {
        let ways = self.starts.iter().map(|&start| self.nodes[start as usize].ways);
        self.count = ways.fold(0, u128::saturating_add);
        let by_walking = self.is_cyclic() && is_simple;
        if by_walking {
            self.count = 0;
        }
        self.stage = if by_walking { Stage::Prepare } else { Stage::Done };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps, and the g and the parent of each state.
    struct Known {
        steps: Steps<u32, u32>,
        reached: Vec<(u32, u32)>,
        goals: [u32; 1],
    }

    impl Known {
        /// A problem of `states` states, from the first to the last; the steps are in the order of their heads.
        fn new(states: u32, arcs: impl IntoIterator<Item = (u32, u32, u32)>) -> Self {
            let mut memory = Memory::new(usize::MAX);
            let mut steps = Steps::new();
            let mut reached = vec![(0, u32::NONE); states as usize];
            steps.make_room_for(states, &mut memory).unwrap();
            for (from, to, cost) in [(u32::NONE, 0, 0)].into_iter().chain(arcs) {
                steps.make_room(1, &mut memory).unwrap();
                if to > 0 && reached[to as usize].1 == u32::NONE {
                    reached[to as usize] = (reached[from as usize].0 + cost, from);
                }
                steps.add(from, to, cost, 0);
            }
            Self { steps, reached, goals: [states - 1] }
        }

        /// Completes the graph with that quota of work for each call: the calls, the work of the last one, and the count.
        fn complete(&self, is_simple: bool, quota: u32) -> (u32, u32, PathCount) {
            let (mut graph, mut memory) = (Graph::new(), Memory::new(usize::MAX));
            graph.add_goal(self.goals[0], self, &mut memory, &mut u32::MAX.clone()).unwrap();
            for calls in 1.. {
                let mut work = quota;
                let end = graph.complete(is_simple, self, &mut memory, &mut work);
                if end.is_ok() {
                    return (calls, quota - work, graph.count(is_simple));
                }
            }
            unreachable!("it never ends")
        }
    }

    impl Explored<u32, u32> for Known {
        fn steps(&self) -> &Steps<u32, u32> {
            &self.steps
        }

        fn goals(&self) -> &[u32] {
            &self.goals
        }

        fn reached(&self, id: u32) -> (u32, u32) {
            if id == u32::NONE { (0, id) } else { self.reached[id as usize] }
        }
    }

    /// Every state of a layer has a step to every state of the next.
    #[test]
    fn each_step_is_charged_and_none_is_looked_at_beyond_the_quota() {
        const WIDTH: u32 = 30;
        let layer = |nth: u32| (0..WIDTH).map(move |at| 1 + nth * WIDTH + at);
        let goal = 1 + 3 * WIDTH;
        let first = layer(0).map(|to| (0, to, 1));
        let between = (0..2).flat_map(|nth| {
            layer(nth + 1).flat_map(move |to| layer(nth).map(move |from| (from, to, 1)))
        });
        let last = layer(2).map(|from| (from, goal, 1));
        let known = Known::new(goal + 1, first.chain(between).chain(last));
        let (calls, used, count) = known.complete(false, u32::MAX);
        assert_eq!((calls, count), (1, PathCount::Finite(27_000)));
        // They are collected, searched for the step of the tree, and counted.
        assert!(used > 3 * 2 * WIDTH * WIDTH, "{used}");
        let (calls, _, count) = known.complete(false, WIDTH);
        assert_eq!(count, PathCount::Finite(27_000));
        // To find the step of the tree is charged afterwards.
        assert!(3 * calls * WIDTH >= used, "{calls}");
    }

    /// A ring of steps at no cost, in both directions: two simple paths, and long searches for the start.
    #[test]
    fn a_search_for_the_starts_goes_on_where_it_was_held() {
        const RING: u32 = 200;
        let ahead = (1..RING).map(|to| (to - 1, to, 0));
        let back = (1..RING).map(|to| (to, to - 1, 0));
        let known = Known::new(RING, ahead.chain(back).chain([(0, RING - 1, 0)]));
        let (_, used, expected) = known.complete(true, u32::MAX);
        assert_eq!(expected, PathCount::Finite(2));
        for quota in [10, 50] {
            let (calls, _, count) = known.complete(true, quota);
            assert_eq!(count, expected);
            assert!(calls * quota >= used, "{calls} of {quota}: {used}");
        }
    }
}
