//! [`Graph`]: the states and steps on cheapest paths, and how many paths they make.

use super::explorer::Explored;
use super::heap::NONE;
use super::sidetracks::{FULL, tree_step};
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
    /// Infinitely many: a cycle of cost zero is on one of them.
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
    steps: usize,
    starts: Vec<u32>,
    /// The numbers of states whose successors are all counted: they are counted next.
    ready: Vec<u32>,
    counted: usize,
    count: u128,
    walker: Walker,
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Adds the predecessors of the state with this number.
    Collect(usize),
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
            steps: 0,
            starts: Vec::new(),
            ready: Vec::new(),
            counted: 0,
            count: 0,
            walker: Walker::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        for node in self.nodes.drain(..) {
            self.number_of[node.id.index()] = NONE;
        }
        (self.goals, self.stage, self.steps) = (0, Stage::Collect(0), 0);
        self.starts.clear();
        self.ready.clear();
        (self.counted, self.count) = (0, 0);
        self.walker.restart();
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

    pub(super) fn steps(&self) -> usize {
        self.steps
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
    ) -> Result<(), Halt<C>> {
        let number = self.add(id, known, memory)?;
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
        let step = tree_step(id, g, parent, known)?;
        let number = self.nodes.len() as u32;
        self.number_of[id.index()] = number;
        self.nodes.push(Node { id, step, leaving: 0, ways: 0 });
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
                Stage::Collect(number) if number < self.nodes.len() => {
                    self.collect(number, known, memory)?;
                    self.stage = Stage::Collect(number + 1);
                }
                Stage::Collect(_) => {
                    memory.reserve(&mut self.ready, self.nodes.len())?;
                    self.stage = Stage::FindEnds(0);
                }
                Stage::FindEnds(number) => self.find_end(number),
                Stage::Count => self.count_next(is_simple, known),
                Stage::Prepare => {
                    self.walker.make_room(self.nodes.len(), memory)?;
                    self.stage = Stage::CountSimple;
                }
                Stage::CountSimple => {
                    let mut walker = std::mem::take(&mut self.walker);
                    let is_found = walker.next(self, true, known.steps(), work);
                    self.walker = walker;
                    if is_found.map_err(|()| Halt::PAUSED)? {
                        self.count = self.count.saturating_add(1);
                    } else {
                        self.stage = Stage::Done;
                    }
                }
                Stage::Done => return Ok(()),
            }
        }
    }

    /// Adds the states before a state.
    fn collect<C: Cost>(
        &mut self,
        number: usize,
        known: &impl Explored<I, C>,
        memory: &mut Memory,
    ) -> Result<(), Halt<C>> {
        let id = self.nodes[number].id;
        // All are added before anything is counted, so that it can be repeated if there is no memory.
        for step in known.steps().to(id) {
            let from = known.steps().get(step).from;
            if from == StateId::NONE {
                memory.reserve(&mut self.starts, 1)?;
            } else {
                self.add(from, known, memory)?;
            }
        }
        for step in known.steps().to(id) {
            let from = known.steps().get(step).from;
            if from == StateId::NONE {
                self.starts.push(self.number_of(id));
            } else {
                let from = self.number_of(from) as usize;
                self.nodes[from].leaving = self.nodes[from].leaving.saturating_add(1);
                self.steps += 1;
            }
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

    /// Counts the paths from a state whose successors are all counted, backwards from the goals.
    fn count_next<C: Cost>(&mut self, is_simple: bool, known: &impl Explored<I, C>) {
        let Some(number) = self.ready.pop() else {
            let ways = self.starts.iter().map(|&start| self.nodes[start as usize].ways);
            self.count = ways.fold(0, u128::saturating_add);
            let by_walking = self.is_cyclic() && is_simple;
            if by_walking {
                self.count = 0;
            }
            self.stage = if by_walking { Stage::Prepare } else { Stage::Done };
            return;
        };
        self.counted += 1;
        let Node { id, ways, .. } = self.nodes[number as usize];
        for step in known.steps().to(id) {
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
        }
    }
}
