//! A\* over closures by hand: one list of nodes, a half-full hash index of their numbers, and a heap of keys and
//! numbers. No limits and no checks, not even for overflow of costs.

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

struct Node<S, C> {
    state: S,
    g: C,
    h: C,
    parent: u32,
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

/// The cost of a cheapest path from `start` to a goal, its states, and how many states were expanded and stored.
#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 states")]
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
    const NONE: u32 = u32::MAX;
    let hash = |state: &S| FxBuildHasher.hash_one(state).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let key = |g: C, h: C| C::key(g.plus(h), h);
    let mut index = vec![NONE; 1 << 10];
    let mut nodes = vec![Node { g: C::ZERO, h: estimate(&start), parent: NONE, state: start }];
    let home = |hash: u64, index: &[u32]| (hash >> (64 - index.len().ilog2())) as usize;
    let slot = home(hash(&nodes[0].state), &index);
    index[slot] = 0;
    let mut open = Open { heap: vec![(key(C::ZERO, nodes[0].h), 0)] };
    let mut expanded = 0;
    while let Some((popped, id)) = open.pop() {
        let node = &nodes[id as usize];
        let g = node.g;
        if key(g, node.h) != popped {
            continue; // a cheaper path was found since
        }
        if is_goal(&node.state) {
            let step = |&id: &u32| Some(nodes[id as usize].parent).filter(|&parent| parent != NONE);
            let path = std::iter::successors(Some(id), step);
            let mut path: Vec<S> = path.map(|id| nodes[id as usize].state.clone()).collect();
            path.reverse();
            return Some((path, g, [expanded, nodes.len() as u64]));
        }
        expanded += 1;
        for (state, step) in successors(&node.state) {
            let g = g.plus(step);
            let mut slot = home(hash(&state), &index);
            loop {
                let found = index[slot];
                if found == NONE {
                    let (next, h) = (nodes.len() as u32, estimate(&state));
                    index[slot] = next;
                    nodes.push(Node { state, g, h, parent: id });
                    open.push((key(g, h), next));
                    break;
                }
                let known = &mut nodes[found as usize];
                if known.state == state {
                    if g < known.g {
                        (known.g, known.parent) = (g, id);
                        open.push((key(g, known.h), found));
                    }
                    break;
                }
                slot = (slot + 1) % index.len();
            }
        }
        if nodes.len() * 2 > index.len() {
            index = vec![NONE; index.len() * 4];
            for (id, node) in (0..).zip(&nodes) {
                let mut slot = home(hash(&node.state), &index);
                while index[slot] != NONE {
                    slot = (slot + 1) % index.len();
                }
                index[slot] = id;
            }
        }
    }
    None
}
