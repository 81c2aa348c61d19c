//! The top of the tree of an iteration, split into subtrees.

use super::add;
use crate::cost::Cost;
use crate::engine::Run;
use crate::engine::depth_first::Expander;
use crate::engine::depth_first::bounds::Bounds;
use crate::engine::depth_first::stack::{Entry, NOWHERE, Stack, TRACKED};
use crate::engine::limit_check::LimitCheck;
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::SearchProblem;
use crate::report::{SearchError, Stats};

/// The tree is split at most this many steps below the starts.
const MAX_STEPS: u32 = 64;

/// The top of the tree of an iteration. Each leaf is the root of a subtree to be searched.
pub(super) struct SplitTree<P: SearchProblem, W: Expander<P>> {
    nodes: Vec<Node<P, W>>,
    /// The index of the leftmost node.
    first: u32,
    /// The indices of all nodes from left to right, a state before its successors, once the tree is
    /// split. The position of a node in this list is its rank.
    order: Vec<u32>,
    /// The first rank that no worker has taken.
    next: usize,
    pub(super) bounds: Bounds<P::Cost>,
    /// Holds the statistics of one node.
    run: Run<P::Cost, ()>,
    /// The leaf to expand next. Leaves are expanded in the order of their indices, which is breadth
    /// first.
    next_to_expand: usize,
    pub(super) leaves: usize,
    /// How many leaves are wanted.
    target: usize,
    pub(super) is_begun: bool,
    pub(super) is_split: bool,
    /// The statistics of all finished nodes.
    pub(super) done: Stats,
}

pub(super) struct Node<P: SearchProblem, W: Expander<P>> {
    /// Its parent is the index of a node.
    entry: Entry<P, W>,
    /// The index of the next node from left to right, or `NOWHERE`.
    next: u32,
    /// The number of states on the path to it.
    depth: u32,
    /// Whether it is the root of a subtree.
    is_leaf: bool,
    /// The statistics of its expansion; of a leaf, those of its whole subtree.
    pub(super) stats: Stats,
    /// A sum that did not fit into the type of costs: *g*, and what was added. (An error is several times as large.)
    overflow: Option<(P::Cost, P::Cost)>,
}

impl<P: SearchProblem, W: Expander<P>> Node<P, W> {
    pub(super) fn overflow(&self) -> Option<SearchError<P::Cost>> {
        self.overflow.map(|(g, added)| SearchError::Overflow { g, added })
    }

    fn finish(&mut self, stats: Stats, overflow: Option<SearchError<P::Cost>>) {
        self.stats = stats;
        self.overflow = match overflow {
            Some(SearchError::Overflow { g, added }) => Some((g, added)),
            _ => None,
        };
    }
}

impl<P: SearchProblem, W: Expander<P>> SplitTree<P, W> {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            first: NOWHERE,
            order: Vec::new(),
            next: 0,
            bounds: Bounds::new(P::Cost::ZERO),
            run: Run::new(Limits::new(), ()),
            next_to_expand: 0,
            leaves: 0,
            target: 0,
            is_begun: false,
            is_split: false,
            done: Stats::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.order.clear();
        self.first = NOWHERE;
        (self.next, self.next_to_expand, self.leaves) = (0, 0, 0);
        (self.is_begun, self.is_split) = (false, false);
        self.done = Stats::default();
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Begins with the states of a stack. The tree is to have `target` leaves.
    pub(super) fn begin(
        &mut self,
        roots: &[Entry<P, W>],
        bound: P::Cost,
        target: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.clear();
        self.insert(None, roots, memory)?;
        self.bounds = Bounds::new(bound);
        self.target = target;
        self.is_begun = true;
        Ok(())
    }

    /// Inserts leaves, given from right to left, after the node `parent`.
    fn insert(
        &mut self,
        parent: Option<u32>,
        entries: &[Entry<P, W>],
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        if self.nodes.len() + entries.len() >= NOWHERE as usize {
            return Err(OutOfMemory);
        }
        memory.reserve(&mut self.nodes, entries.len())?;
        // So that all of them can be put in order without asking for memory.
        let all = self.nodes.len() + entries.len();
        memory.reserve(&mut self.order, all)?;
        let depth = 1 + parent.map_or(0, |parent| self.nodes[parent as usize].depth);
        let mut last = parent;
        for entry in entries.iter().rev() {
            let next = last.map_or(self.first, |last| self.nodes[last as usize].next);
            #[expect(clippy::cast_possible_truncation, reason = "it was compared with NOWHERE")]
            let index = self.nodes.len() as u32;
            let mut entry = entry.clone();
            entry.parent = parent.unwrap_or(NOWHERE) | entry.parent & TRACKED;
            let (is_leaf, stats, overflow) = (true, Stats::default(), None);
            self.nodes.push(Node { entry, next, depth, is_leaf, stats, overflow });
            match last {
                Some(last) => self.nodes[last as usize].next = index,
                None => self.first = index,
            }
            last = Some(index);
        }
        self.leaves += entries.len();
        Ok(())
    }

    /// The states from a node up to a start.
    pub(super) fn path_to(
        &self,
        index: u32,
    ) -> impl ExactSizeIterator<Item = &Entry<P, W>> + Clone {
        let depth = self.nodes[index as usize].depth as usize;
        let mut next = index;
        (0..depth).map(move |_| {
            let entry = &self.nodes[next as usize].entry;
            next = entry.parent & !TRACKED;
            entry
        })
    }

    /// Expands leaves until there are enough, for at most `most` expansions. Returns whether the tree is
    /// split then.
    pub(super) fn split<O>(
        &mut self,
        problem: &P,
        splitter: &mut Stack<P, W>,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let mut limits = LimitCheck::new(run);
        let (mut left, mut unchecked) = (most, 0);
        while !self.is_split {
            let is_near_root =
                self.nodes.get(self.next_to_expand).is_some_and(|node| node.depth <= MAX_STEPS);
            if self.leaves >= self.target || !is_near_root {
                self.put_in_order();
                break;
            }
            if unchecked == 0 || limits.is_interrupted() {
                let Ok(allowed) = limits.check() else { return false };
                unchecked = allowed;
            }
            if left == 0 {
                return false;
            }
            unchecked -= 1;
            match self.expand(problem, splitter, run.memory()) {
                Ok(expanded) => left = left.saturating_sub(expanded),
                // The tree stays as it is; no more memory is needed for that.
                Err(OutOfMemory) => self.put_in_order(),
            }
        }
        true
    }

    /// Expands the next leaf. Returns the number of expansions, one or none. Without memory, nothing
    /// changes.
    fn expand(
        &mut self,
        problem: &P,
        splitter: &mut Stack<P, W>,
        memory: &mut Memory,
    ) -> Result<u64, OutOfMemory> {
        #[expect(clippy::cast_possible_truncation, reason = "insert() keeps it below NOWHERE")]
        let index = self.next_to_expand as u32;
        splitter.load(self.path_to(index), memory)?;
        let mut bounds = self.bounds;
        let counts = &mut self.run;
        counts.stats = Stats::default();
        // A path this short is left at once.
        let mut steps = u64::MAX;
        while counts.stats.expanded == 0 && splitter.len() > 0 {
            if !splitter.has_room() {
                splitter.make_room(0, Some(&self.nodes[index as usize].entry.state), memory)?;
            }
            if !matches!(splitter.search(problem, &mut bounds, 1, &mut steps, counts), Ok(false)) {
                // A goal or an error: the worker that searches this leaf finds it again.
                self.next_to_expand += 1;
                return Ok(0);
            }
        }
        let stats = counts.stats;
        let depth = self.nodes[index as usize].depth as usize;
        self.insert(Some(index), splitter.above(depth), memory)?;
        let node = &mut self.nodes[index as usize];
        node.is_leaf = false;
        node.finish(stats, bounds.overflow.take());
        self.bounds = bounds;
        add(&mut self.done, &stats);
        self.leaves -= 1;
        self.next_to_expand += 1;
        Ok(stats.expanded)
    }

    fn put_in_order(&mut self) {
        let mut index = self.first;
        while let Some(node) = self.nodes.get(index as usize) {
            self.order.push(index);
            index = node.next;
        }
        self.is_split = true;
    }

    /// A sum that did not fit in any part of the tree that is searched.
    pub(super) fn overflow(&self) -> Option<SearchError<P::Cost>> {
        self.nodes.iter().find_map(Node::overflow)
    }

    /// All nodes from left to right.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &Node<P, W>> {
        self.order.iter().map(|&index| &self.nodes[index as usize])
    }

    /// The rank and the index of the next leaf that no worker has taken.
    pub(super) fn next_leaf(&mut self) -> Option<(usize, u32)> {
        while let Some(&index) = self.order.get(self.next) {
            if self.nodes[index as usize].is_leaf {
                return Some((self.next, index));
            }
            self.next += 1;
        }
        None
    }

    /// A worker takes the leaf that [`next_leaf`](Self::next_leaf) has returned.
    pub(super) fn take_leaf(&mut self) {
        self.next += 1;
    }

    /// The subtree below a leaf is searched.
    pub(super) fn finish_leaf(
        &mut self,
        rank: usize,
        stats: Stats,
        overflow: Option<SearchError<P::Cost>>,
    ) {
        add(&mut self.done, &stats);
        if let Some(&index) = self.order.get(rank) {
            self.nodes[index as usize].finish(stats, overflow);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::depth_first::Buffered;
    use crate::problem::FnProblem;

    fn grow_and_put_in_order<P: SearchProblem<State = u32, Cost = u32>>(_: &P) {
        let entry = |state| Entry {
            state,
            step: (),
            g: 0,
            parent: NOWHERE,
            depth: 1,
            backtrack_to: NOWHERE,
            behind: 0,
        };
        let mut memory = Memory::new(usize::MAX);
        let mut tree: SplitTree<P, Buffered<P>> = SplitTree::new();
        for index in 0..100_u32 {
            tree.insert(index.checked_sub(1), &[entry(index)], &mut memory).unwrap();
            let nodes = tree.nodes.len();
            assert!((nodes..4 * nodes + 4).contains(&tree.order.capacity()));
        }
        let many: Vec<_> = (100..200).map(entry).collect();
        tree.insert(Some(7), &many, &mut memory).unwrap();
        assert!((200..800).contains(&tree.order.capacity()));
        let room = tree.order.capacity();
        tree.put_in_order();
        assert_eq!((tree.order.len(), tree.order.capacity()), (200, room));
        // The nodes inserted last follow their parent.
        let after: Vec<_> = tree.in_order().skip(7).map(|node| node.entry.state).collect();
        assert_eq!([after[0], after[1], after[100], after[101]], [7, 199, 100, 8]);
    }

    /// When the tree is split, no more memory needs to be asked for.
    #[test]
    fn there_is_always_room_to_put_a_tree_in_order() {
        let problem = FnProblem::new(|&n: &u32| [(n, 1_u32)], |_: &u32| 0, |_: &u32| false);
        grow_and_put_in_order(&problem);
    }
}
