//! [`Plateaus`]: paths that the trees from both ends have in common.

use crate::cost::ScalableCost;
use crate::frontier::heap::{Entry, Heap};
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// What is known of a state of the forward tree.
#[derive(Clone, Copy, Debug)]
struct Node<I> {
    /// The same state in the backward tree, if both trees have its cost and a path by way of it is cheap enough.
    back: I,
    /// The first state of its plateau, in the forward tree.
    root: I,
    /// Whether the plateau goes on after it.
    goes_on: bool,
}

impl<I: StateId> Node<I> {
    const NOWHERE: Self = Self { back: I::NONE, root: I::NONE, goes_on: false };
}

/// The path along a plateau.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<I> {
    /// The last state of the plateau, in the forward and in the backward tree.
    pub(super) ids: [I; 2],
    /// The best path has the least key; among equals the least number, which is that of its state in the list.
    pub(super) key: f64,
    pub(super) nth: usize,
    /// Whether what the path shares with the cheapest one is in the key. It makes the key larger.
    pub(super) is_exact: bool,
}

impl<I: Copy> Entry for Candidate<I> {
    #[inline]
    fn precedes(self, other: Self) -> bool {
        self.key.total_cmp(&other.key).then(self.nth.cmp(&other.nth)).is_lt()
    }
}

/// The plateaus. They are found by two passes over the states of the forward tree, in the order in which they were expanded.
#[derive(Debug)]
pub(super) struct Plateaus<I> {
    nodes: Vec<Node<I>>,
    /// How many states each pass has looked at.
    seen: [usize; 2],
    candidates: Heap<Candidate<I>>,
}

/// Which plateaus count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<C> {
    /// The most that a path along it may cost.
    pub(super) most: C,
    /// The least that it must cost together with the steps before and after it.
    pub(super) length: f64,
}

impl<I: StateId> Plateaus<I> {
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), seen: [0; 2], candidates: Heap::new() }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.seen = [0; 2];
        self.candidates.clear();
    }

    /// Looks at the next state of the list: at all for plateaus first, then at all for the ends of these. Returns whether
    /// that is done.
    pub(super) fn look_at_next<C: ScalableCost>(
        &mut self,
        listed: &[I],
        trees: &impl BothTrees<I, C>,
        bounds: &Bounds<C>,
        memory: &mut Memory,
    ) -> Result<bool, OutOfMemory> {
        let [first, second] = self.seen;
        if let Some(&id) = listed.get(first) {
            memory.grow_to(&mut self.nodes, id.index() + 1, Node::NOWHERE)?;
            self.nodes[id.index()] = self.placed(id, trees, bounds.most);
            self.seen[0] += 1;
        } else if let Some(&id) = listed.get(second) {
            memory.reserve(self.candidates.list(), 1)?;
            if let Some(candidate) = self.candidate(id, trees, bounds.length) {
                self.candidates.push(candidate);
            }
            self.seen[1] += 1;
        }
        Ok(self.seen == [listed.len(); 2])
    }

    /// Finds the plateau of a state, which may go on from its parent.
    fn placed<C: ScalableCost>(&mut self, id: I, trees: &impl BothTrees<I, C>, most: C) -> Node<I> {
        let (g, parent) = trees.forward(id);
        let Some(back) = trees.back_of(id) else { return Node::NOWHERE };
        let (rest, _) = trees.backward(back);
        if g.checked_add(rest).is_none_or(|cost| cost > most) {
            return Node::NOWHERE;
        }
        let mut root = id;
        if parent != I::NONE {
            let before = &mut self.nodes[parent.index()];
            if before.back != I::NONE && trees.backward(before.back).1 == back {
                root = before.root;
                before.goes_on = true;
            }
        }
        Node { back, root, goes_on: false }
    }

    /// The plateau that ends at a state, if there is one that is long enough.
    fn candidate<C: ScalableCost>(
        &self,
        id: I,
        trees: &impl BothTrees<I, C>,
        least: f64,
    ) -> Option<Candidate<I>> {
        let Node { back, root, goes_on } = self.nodes[id.index()];
        if back == I::NONE || goes_on {
            return None;
        }
        let forward = |id| trees.forward(id).0.to_f64();
        let backward = |id| trees.backward(id).0.to_f64();
        let (cost, length) = (forward(id) + backward(back), forward(id) - forward(root));
        let key = 2.0 * cost - length;
        // A part of the path that is in neither tree has the steps before and after the plateau, too.
        let (before, after) = (trees.forward(root).1, trees.backward(back).1);
        let step_before = if before == I::NONE { 0.0 } else { forward(root) - forward(before) };
        let step_after = if after == I::NONE { 0.0 } else { backward(back) - backward(after) };
        (length + step_before + step_after >= least).then_some(Candidate {
            ids: [id, back],
            key,
            nth: self.seen[1],
            is_exact: false,
        })
    }

    /// Takes out the candidate with the least key.
    pub(super) fn pop(&mut self) -> Option<Candidate<I>> {
        self.candidates.pop()
    }

    /// Puts the candidate back that was taken out last.
    pub(super) fn put_back(&mut self, candidate: Candidate<I>) {
        self.candidates.push(candidate);
    }
}

/// The trees from both ends.
pub(super) trait BothTrees<I, C> {
    /// The cost of a state in the forward tree, and the state before it.
    fn forward(&self, id: I) -> (C, I);

    /// The cost of a state in the backward tree, and the state after it.
    fn backward(&self, id: I) -> (C, I);

    /// The same state in the backward tree, if its cost there is final.
    fn back_of(&self, id: I) -> Option<I>;
}
