//! How many paths there are from a start to the goals, whatever they cost.

use std::hash::Hash;

use super::graph::PathCount;
use crate::indexed::{push, push_owner};
use crate::memory::{Memory, OutOfMemory};
use crate::table::{Full, HashedTable, Lookup, Record, StateId, Table};

/// Counts the paths from a start to the goals, whatever they cost, given the successors of a state, and whether a state is a
/// goal. A path ends at the first goal on it. Successors that are equal count as often as they are listed: each is a step of
/// its own.
///
/// There are [infinitely many](PathCount::Infinite) if a cycle lies on a path to a goal, and only then: a cycle from which no
/// goal can be reached is on no path. They are counted exactly up to [`u128::MAX`]. The count is [`Unknown`](PathCount::Unknown)
/// if the system has no memory, or there are more states than a table can hold, about two thousand million.
///
/// All states that can be reached without passing a goal are expanded once, so they must be finitely many. It takes one
/// table lookup for each successor, and memory for each state: that of a [`HashedTable`] with a record of 24 bytes, and 4 bytes if it is
/// on a cycle; also an iterator for each state on one path. It is not recursive, so paths may be as long as there are states.
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
    table: HashedTable<S, NodeRecord>,
    /// The states that are done, and are of the component of a state on the branch.
    open: Vec<u32>,
    /// For how many more states there is room.
    room: usize,
    memory: Memory,
}

/// What is known of a state.
#[derive(Clone, Copy)]
struct Node {
    /// The number of paths to a goal through the successors that are done.
    ways: u128,
    /// The first state of its component that it is known to reach; `COMPLETE` once there is nothing more to know.
    first: u32,
}

const COMPLETE: u32 = u32::MAX;

/// The same as a record; of a state on the branch, only that it is there. A `u128` would be aligned to 16 bytes.
#[derive(Clone, Copy, Debug)]
struct NodeRecord {
    high: u64,
    low: u64,
    first: u32,
}

impl NodeRecord {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "each is a half")]
    fn of(Node { ways, first }: Node) -> Self {
        Self { high: (ways >> 64) as u64, low: ways as u64, first }
    }

    #[inline]
    fn node(self) -> Node {
        Node { ways: u128::from(self.high) << 64 | u128::from(self.low), first: self.first }
    }
}

impl Record for NodeRecord {
    type Cost = u32;
    type Id = u32;
    const KEEPS_H: bool = false;
    const KEEPS_PARENT: bool = false;

    fn new(_: u32, _: u32, parent: u32) -> Self {
        Self::of(Node { ways: 0, first: parent })
    }

    fn g(&self) -> u32 {
        0
    }

    fn h(&self) -> u32 {
        0
    }

    #[inline]
    fn parent(&self) -> u32 {
        StateId::NONE
    }

    fn is_closed(&self) -> bool {
        self.first == COMPLETE
    }

    fn close(&mut self) {
        self.first = COMPLETE;
    }

    fn reach(&mut self, _: u32, parent: u32) {
        self.first = parent;
    }
}

/// A state on the branch.
struct Visit<I> {
    id: u32,
    /// Whether it is a successor of its own.
    is_looped: bool,
    node: Node,
    successors: I,
}

impl<S: Eq + Hash> Count<S> {
    fn new() -> Self {
        Self {
            table: HashedTable::default(),
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
                let Some(&mut Visit { id, is_looped, node, .. }) = last else { break };
                // Dropped in its place, and not moved: an iterator may be large.
                branch.truncate(branch.len() - 1);
                let Some(node) = self.complete(id, is_looped, node)? else {
                    return Ok(PathCount::Infinite);
                };
                if let Some(last) = branch.last_mut() {
                    last.add(id, node);
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
                        last.add(known, self.table.load(known).node());
                    }
                    continue;
                }
                Lookup::Vacant(slot) => slot,
                Lookup::NotImproved | Lookup::OutOfRange { .. } => {
                    unreachable!("every record is improved, and a hashed table has no range")
                }
            };
            self.room -= 1;
            if is_goal(&state) {
                let node = Node { ways: 1, first: COMPLETE };
                let id = self.table.insert(key, slot, state, NodeRecord::of(node));
                if let Some(last) = last {
                    last.add(id, node);
                }
            } else {
                let successors = successors(&state).into_iter();
                let node = Node { ways: 0, first: u32::from_index(self.table.len()) };
                let id = self.table.insert(key, slot, state, NodeRecord::of(node));
                self.memory.reserve(&mut branch, 1)?;
                push_owner(&mut branch, Visit { id, is_looped: false, node, successors });
            }
        }
        Ok(PathCount::Finite(self.table.load(0).node().ways))
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) -> Result<(), Full> {
        self.table.reserve(1, &mut self.memory)?;
        // The room is less only if the hash of a state has changed.
        self.room = self.table.room().max(1);
        Ok(())
    }

    /// Notes that all successors of a state are done. Returns what is known of it now, or `None` if there are infinitely many paths.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop")]
    fn complete(
        &mut self,
        id: u32,
        is_looped: bool,
        node: Node,
    ) -> Result<Option<Node>, OutOfMemory> {
        if node.first != id {
            self.memory.reserve(&mut self.open, 1)?;
            push(&mut self.open, id);
            self.table.store(id, NodeRecord::of(node));
            return Ok(Some(node));
        }
        // All paths of its component to goals are among its own.
        let mut is_cyclic = is_looped;
        while let Some(member) = self.open.pop_if(|member| *member > id) {
            self.table.update(member, Record::close);
            is_cyclic = true;
        }
        let node = Node { ways: node.ways, first: COMPLETE };
        self.table.store(id, NodeRecord::of(node));
        Ok(if is_cyclic && node.ways > 0 { None } else { Some(node) })
    }
}

impl<I> Visit<I> {
    /// Adds what is known of a successor. If that is not complete, both states are of the same component, and all that counts is
    /// whether there are ways, which the component's first state is told along the branch.
    #[inline]
    fn add(&mut self, successor: u32, Node { ways, first }: Node) {
        self.is_looped |= successor == self.id;
        self.node.ways = self.node.ways.saturating_add(ways);
        self.node.first = self.node.first.min(first);
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
