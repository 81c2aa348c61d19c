//! How many paths there are from a start to the goals, whatever they cost.

use std::hash::Hash;

use rustc_hash::FxBuildHasher;

use super::graph::PathCount;
use crate::indexed::{at, at_mut, push};
use crate::memory::{Memory, OutOfMemory};
use crate::table::{BareRecord, Early, Full, HashedTable, Lookup, Record, StateId, Table};

/// Counts the paths from a start to the goals, whatever they cost, given the successors of a state, and whether a state is a
/// goal. A path ends at the first goal on it. Successors that are equal count as often as they are listed: each is a step of
/// its own.
///
/// There are [infinitely many](PathCount::Infinite) if a cycle lies on a path to a goal, and only then: a cycle from which no
/// goal can be reached is on no path. They are counted exactly up to [`u128::MAX`]. The count is [`Unknown`](PathCount::Unknown)
/// if the system has no memory, or there are more states than a table can hold, about two thousand million.
///
/// All states that can be reached without passing a goal are expanded once, so they must be finitely many. It takes one
/// table lookup for each successor, and memory for each state: that of a [`HashedTable`], 36 bytes, and 4 if it is on a cycle;
/// also an iterator for each state on one path. It is not recursive, so paths may be as long as there are states.
///
/// To count only cheapest paths, use [`AllOptimal`](crate::AllOptimal); to list paths that visit no state twice, use
/// [`KBest::simple`](crate::KBest::simple).
///
/// Source: Tarjan, *Depth-First Search and Linear Graph Algorithms*, 1972, for the cycles.
///
/// # Example
///
/// ```
/// use bestfirst::{PathCount, count_paths};
///
/// // The ways down a stairway of 30 steps, by one or two at a time.
/// let count = count_paths(30_u32, |&n| (1..=2).filter_map(move |step| n.checked_sub(step)), |&n| n == 0);
/// assert_eq!(count, PathCount::Finite(1_346_269));
///
/// // If one may turn back, there is no end to the ways.
/// let count = count_paths(3_u32, |&n| [n + 1, n.saturating_sub(1)].map(|n| n.min(30)), |&n| n == 0);
/// assert_eq!(count, PathCount::Infinite);
/// ```
#[doc(alias = "number of paths")]
pub fn count_paths<S, I>(
    start: S,
    successors: impl Fn(&S) -> I,
    goal: impl Fn(&S) -> bool,
) -> PathCount
where
    S: Eq + Hash,
    // The compiler shows this line where another type is returned.
    I: IntoIterator<Item = S>, // `S` is the type of the start: give it by value, not as `&start`
{
    Count::new().run(start, successors, goal).unwrap_or(PathCount::Unknown)
}

/// A depth-first search, whose branch is a list of states with the successors that are left of each. Ids are given in the order in
/// which states are visited. A component is a set of states each of which can be reached from each other; its first state is
/// the last one that is done.
struct Count<S> {
    table: HashedTable<S, BareRecord<u32>, FxBuildHasher, Early>,
    /// What is known of each state, by its id.
    nodes: Vec<Node>,
    /// The states that are done, and are of the component of a state on the branch.
    open: Vec<u32>,
    /// For how many more states there is room.
    room: usize,
    memory: Memory,
}

#[derive(Clone, Copy)]
struct Node {
    /// The number of paths to a goal through the successors that are done.
    ways: u128,
    /// The first state of its component that it is known to reach; `COMPLETE` once there is nothing more to know.
    first: u32,
}

const COMPLETE: u32 = u32::MAX;

/// A state on the branch.
struct Visit<I> {
    id: u32,
    /// Whether it is a successor of its own.
    is_looped: bool,
    successors: I,
}

impl<S: Eq + Hash> Count<S> {
    fn new() -> Self {
        Self {
            table: HashedTable::default(),
            nodes: Vec::new(),
            open: Vec::new(),
            room: 0,
            memory: Memory::new(usize::MAX),
        }
    }

    fn run<I: IntoIterator<Item = S>>(
        mut self,
        start: S,
        successors: impl Fn(&S) -> I,
        is_goal: impl Fn(&S) -> bool,
    ) -> Result<PathCount, Full> {
        // The start is the successor of no state.
        let (mut starts, mut branch) = (Some(start), Vec::<Visit<I::IntoIter>>::new());
        loop {
            let (next, last) = match branch.last_mut() {
                Some(last) => (last.successors.next(), Some(last)),
                None => (starts.take(), None),
            };
            let Some(state) = next else {
                let Some(Visit { id, is_looped, .. }) = branch.pop() else { break };
                if !self.complete(id, is_looped)? {
                    return Ok(PathCount::Infinite);
                }
                if let Some(last) = branch.last_mut() {
                    self.add(last, id);
                }
                continue;
            };
            if self.room == 0 {
                self.make_room()?;
            }
            let key = self.table.key(&state);
            let slot = match self.table.find(key, &state, |_| true) {
                Lookup::Improved(known) => {
                    if let Some(last) = last {
                        self.add(last, known);
                    }
                    continue;
                }
                Lookup::Vacant(slot) => slot,
                Lookup::NotImproved | Lookup::OutOfRange { .. } => {
                    unreachable!("every record is improved, and a hashed table has no range")
                }
            };
            let left = if is_goal(&state) { None } else { Some(successors(&state).into_iter()) };
            let id = self.table.insert(key, slot, state, BareRecord::new(0, 0, StateId::NONE));
            self.room -= 1;
            if let Some(successors) = left {
                push(&mut self.nodes, Node { ways: 0, first: id });
                self.memory.reserve(&mut branch, 1)?;
                push(&mut branch, Visit { id, is_looped: false, successors });
            } else {
                push(&mut self.nodes, Node { ways: 1, first: COMPLETE });
                if let Some(last) = last {
                    self.add(last, id);
                }
            }
        }
        Ok(PathCount::Finite(at(&self.nodes, 0).ways))
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) -> Result<(), Full> {
        self.table.reserve(1, &mut self.memory)?;
        // The room is less only if the hash of a state has changed.
        self.room = self.table.room().max(1);
        self.memory.reserve(&mut self.nodes, self.room)?;
        Ok(())
    }

    /// Notes that all successors of a state are done. Returns false if it turns out that there are infinitely many paths.
    #[inline]
    fn complete(&mut self, id: u32, is_looped: bool) -> Result<bool, OutOfMemory> {
        let Node { ways, first } = *at(&self.nodes, id.index());
        if first != id {
            self.memory.reserve(&mut self.open, 1)?;
            push(&mut self.open, id);
            return Ok(true);
        }
        // All paths of its component to goals are among its own.
        let mut is_cyclic = is_looped;
        while let Some(member) = self.open.pop_if(|member| *member > id) {
            at_mut(&mut self.nodes, member.index()).first = COMPLETE;
            is_cyclic = true;
        }
        at_mut(&mut self.nodes, id.index()).first = COMPLETE;
        Ok(!is_cyclic || ways == 0)
    }

    /// Adds what is known of a successor to a state. If the successor is not complete, both are of the same
    /// component, and all that counts is whether there are ways.
    #[inline]
    fn add<I>(&mut self, Visit { id, is_looped, .. }: &mut Visit<I>, successor: u32) {
        *is_looped |= successor == *id;
        let Node { ways, first } = *at(&self.nodes, successor.index());
        let node = at_mut(&mut self.nodes, id.index());
        node.ways = node.ways.saturating_add(ways);
        node.first = node.first.min(first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There is no count if memory runs out, on a path or at a state of many paths.
    #[test]
    fn a_count_without_memory_is_unknown() {
        let count = |most: usize| {
            let mut count = Count::new();
            count.memory.set_most(most);
            let next = |&(x, y): &(u16, u16)| {
                [(x + 1, y), (x, y + 1)].into_iter().filter(|&(x, y)| x < 40 && y < 40)
            };
            count.run((0, 0), next, |&cell| cell == (39, 39))
        };
        let expected = count(usize::MAX);
        assert!(matches!(expected, Ok(PathCount::Finite(ways)) if ways > 1 << 60));
        let outcomes: Vec<_> = (0..200_000).step_by(499).map(count).collect();
        assert!(outcomes.iter().all(|ways| matches!(ways, Err(Full::Memory)) || *ways == expected));
        let counted = outcomes.iter().filter(|ways| ways.is_ok()).count();
        assert!((1..outcomes.len()).contains(&counted), "{counted} of {}", outcomes.len());
    }
}
