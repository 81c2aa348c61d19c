//! A\* and breadth-first search over closures by hand: one list of nodes, a half-full hash index of their numbers, and for A\*
//! a heap of keys and numbers. No limits and no checks, not even for overflow of costs.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// A cost whose order is that of its bits.
pub trait Cost: Copy + PartialOrd {
    /// The bits of *f*, and below them those of *h*.
    type Key: Copy + Ord;
    const ZERO: Self;
    fn plus(self, other: Self) -> Self;
    fn key(f: Self, h: Self) -> Self::Key;
}

impl Cost for u32 {
    type Key = u64;
    const ZERO: Self = 0;
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn key(f: Self, h: Self) -> u64 {
        u64::from(f) << 32 | u64::from(h)
    }
}

impl Cost for f32 {
    type Key = u64;
    const ZERO: Self = 0.0;
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn key(f: Self, h: Self) -> u64 {
        u64::from(f.to_bits()) << 32 | u64::from(h.to_bits())
    }
}

impl Cost for f64 {
    type Key = u128;
    const ZERO: Self = 0.0;
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn key(f: Self, h: Self) -> u128 {
        u128::from(f.to_bits()) << 64 | u128::from(h.to_bits())
    }
}

/// The key of a node and its number.
type Entry<K> = (K, u32);

struct Open<K> {
    heap: Vec<Entry<K>>,
}

const ARITY: usize = 4;

impl<K: Copy + Ord> Open<K> {
    fn push(&mut self, entry: Entry<K>) {
        self.heap.push(entry);
        self.rise(self.heap.len() - 1);
    }

    fn rise(&mut self, mut at: usize) {
        let heap = &mut self.heap[..];
        let entry = heap[at];
        while at > 0 && entry.0 < heap[(at - 1) / ARITY].0 {
            heap[at] = heap[(at - 1) / ARITY];
            at = (at - 1) / ARITY;
        }
        heap[at] = entry;
    }

    fn pop(&mut self) -> Option<Entry<K>> {
        let last = self.heap.pop()?;
        let Some(&top) = self.heap.first() else { return Some(last) };
        let mut hole = 0;
        loop {
            let heap = &mut self.heap[..];
            let first = hole * ARITY + 1;
            let child = match heap.get(first..) {
                Some([a, b, c, d, ..]) => {
                    let (ab, cd) = (usize::from(b.0 < a.0), usize::from(d.0 < c.0));
                    let (best_ab, best_cd) = ([a.0, b.0][ab], [c.0, d.0][cd]);
                    first + if best_cd < best_ab { 2 + cd } else { ab }
                }
                Some([_, ..]) => (first..heap.len()).min_by_key(|&at| heap[at].0).unwrap_or(first),
                _ => break,
            };
            heap[hole] = heap[child];
            hole = child;
        }
        self.heap[hole] = last;
        self.rise(hole);
        Some(top)
    }
}

const NONE: u32 = u32::MAX;

/// States with data, numbered as they come.
struct Numbered<S, D> {
    nodes: Vec<(S, D)>,
    /// The numbers by the hashes of the states, at most half full.
    index: Vec<u32>,
}

#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 states")]
impl<S: Eq + Hash, D> Numbered<S, D> {
    fn new(start: S, data: D) -> Self {
        let mut numbered = Self { nodes: Vec::new(), index: vec![NONE; 1 << 10] };
        numbered.number(start, |_| data);
        numbered
    }

    fn home(&self, state: &S) -> usize {
        let hash = FxBuildHasher.hash_one(state).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> (64 - self.index.len().ilog2())) as usize
    }

    /// The number of the state, and whether it is new.
    fn number(&mut self, state: S, data: impl FnOnce(&S) -> D) -> (u32, bool) {
        let mut slot = self.home(&state);
        loop {
            let found = self.index[slot];
            if found == NONE {
                let next = self.nodes.len() as u32;
                self.index[slot] = next;
                let data = data(&state);
                self.nodes.push((state, data));
                return (next, true);
            }
            if self.nodes[found as usize].0 == state {
                return (found, false);
            }
            slot = (slot + 1) % self.index.len();
        }
    }

    /// Makes room for the successors of one more state.
    fn make_room(&mut self) {
        if self.nodes.len() * 2 > self.index.len() {
            self.index = vec![NONE; self.index.len() * 4];
            for id in 0..self.nodes.len() {
                let mut slot = self.home(&self.nodes[id].0);
                while self.index[slot] != NONE {
                    slot = (slot + 1) % self.index.len();
                }
                self.index[slot] = id as u32;
            }
        }
    }

    /// The states on the way to this one.
    fn path(&self, end: u32, parent: impl Fn(&D) -> u32) -> Vec<S>
    where
        S: Clone,
    {
        let step =
            |&id: &u32| Some(parent(&self.nodes[id as usize].1)).filter(|&parent| parent != NONE);
        let path = std::iter::successors(Some(end), step);
        let mut path: Vec<S> = path.map(|id| self.nodes[id as usize].0.clone()).collect();
        path.reverse();
        path
    }
}

struct Costs<C> {
    g: C,
    h: C,
    parent: u32,
}

/// The cost of a cheapest path from `start` to a goal, its states, and how many states were expanded and stored.
pub fn astar<S, C, N>(
    start: S,
    mut successors: impl FnMut(&S) -> N,
    estimate: impl Fn(&S) -> C,
    is_goal: impl Fn(&S) -> bool,
) -> Option<(Vec<S>, C, [u64; 2])>
where
    S: Clone + Eq + Hash,
    C: Cost,
    N: IntoIterator<Item = (S, C)>,
{
    let key = |g: C, h: C| C::key(g.plus(h), h);
    let h = estimate(&start);
    let mut known = Numbered::new(start, Costs { g: C::ZERO, h, parent: NONE });
    let mut open = Open { heap: vec![(key(C::ZERO, h), 0)] };
    let mut expanded = 0;
    while let Some((popped, id)) = open.pop() {
        let (state, costs) = &known.nodes[id as usize];
        let g = costs.g;
        if key(g, costs.h) != popped {
            continue; // a cheaper path was found since
        }
        if is_goal(state) {
            let path = known.path(id, |costs| costs.parent);
            return Some((path, g, [expanded, known.nodes.len() as u64]));
        }
        expanded += 1;
        for (state, step) in successors(state) {
            let g = g.plus(step);
            let (next, is_new) =
                known.number(state, |state| Costs { g, h: estimate(state), parent: id });
            let costs = &mut known.nodes[next as usize].1;
            if is_new || g < costs.g {
                (costs.g, costs.parent) = (g, id);
                open.push((key(g, costs.h), next));
            }
        }
        known.make_room();
    }
    None
}

/// The states of a path of fewest steps from `start` to a goal, and how many states were expanded and stored.
#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 states")]
pub fn breadth_first<S, N>(
    start: S,
    mut successors: impl FnMut(&S) -> N,
    is_goal: impl Fn(&S) -> bool,
) -> Option<(Vec<S>, [u64; 2])>
where
    S: Clone + Eq + Hash,
    N: IntoIterator<Item = S>,
{
    if is_goal(&start) {
        return Some((vec![start], [0, 1]));
    }
    let mut known = Numbered::new(start, NONE);
    let mut id = 0;
    while let Some((state, _)) = known.nodes.get(id) {
        for state in successors(state) {
            let (next, is_new) = known.number(state, |_| id as u32);
            if is_new && is_goal(&known.nodes[next as usize].0) {
                let path = known.path(next, |&parent| parent);
                return Some((path, [id as u64 + 1, known.nodes.len() as u64]));
            }
        }
        known.make_room();
        id += 1;
    }
    None
}
