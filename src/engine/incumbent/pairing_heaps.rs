//! Many heaps in one list.

use super::select::Candidate;
use crate::cost::Cost;
use crate::memory::{Memory, OutOfMemory};

/// Pairing heaps, one for each depth. All entries are in one list, so a heap grows without memory of its own.
///
/// Source: Fredman, Sedgewick, Sleator and Tarjan, *The pairing heap: a new form of self-adjusting heap*, 1986.
#[derive(Clone, Debug)]
pub(super) struct PairingHeaps<C, I> {
    nodes: Vec<Node<C, I>>,
    /// The best entry of each depth.
    roots: Vec<u32>,
    /// The first of the nodes that are not in use; `next` leads to the others.
    free: u32,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node<C, I> {
    entry: Candidate<C, I>,
    /// The first of the nodes below; `FREE` in a node that is not in use.
    child: u32,
    /// The next node below the same one.
    next: u32,
}

/// No node.
const NONE: u32 = u32::MAX;

/// No node either.
const FREE: u32 = u32::MAX - 1;

impl<C: Cost, I: Copy + Ord> PairingHeaps<C, I> {
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), roots: Vec::new(), free: NONE, len: 0 }
    }

    /// Makes room for so many more entries, and for this depth.
    #[inline]
    pub(super) fn reserve(
        &mut self,
        depth: usize,
        entries: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let more = entries.saturating_sub(self.nodes.len() - self.len);
        if more > (FREE as usize).saturating_sub(self.nodes.len()) {
            return Err(OutOfMemory);
        }
        memory.reserve(&mut self.nodes, more)?;
        memory.grow_to(&mut self.roots, depth + 1, NONE)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds an entry. There must be room.
    #[inline]
    pub(super) fn push(&mut self, depth: usize, entry: Candidate<C, I>) {
        let node = Node { entry, child: NONE, next: NONE };
        let place = self.free;
        let place = if place == NONE {
            self.nodes.push(node);
            place_of(self.nodes.len() - 1)
        } else {
            self.free = self.nodes[place as usize].next;
            self.nodes[place as usize] = node;
            place
        };
        self.len += 1;
        self.roots[depth] = self.meld(self.roots[depth], place);
    }

    /// The best entry of a depth.
    #[inline]
    pub(super) fn peek(&self, depth: usize) -> Option<&Candidate<C, I>> {
        self.nodes.get(*self.roots.get(depth)? as usize).map(|node| &node.entry)
    }

    /// Removes the best entry of a depth.
    #[inline]
    pub(super) fn pop(&mut self, depth: usize) -> Option<Candidate<C, I>> {
        let root = self.roots[depth];
        let Node { entry, child, .. } = *self.nodes.get(root as usize)?;
        self.release(root);
        self.roots[depth] = self.meld_all(child);
        Some(entry)
    }

    /// All entries, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Candidate<C, I>> {
        self.nodes.iter().filter(|node| node.child != FREE).map(|node| &node.entry)
    }

    /// Keeps the entries for which `keep` returns true.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Candidate<C, I>) -> bool) {
        for depth in 0..self.roots.len() {
            // The nodes that are still to be looked at; `next` leads from one to the other.
            let mut rest = std::mem::replace(&mut self.roots[depth], NONE);
            while rest != NONE {
                let place = rest;
                let Node { entry, mut child, next } = self.nodes[place as usize];
                rest = next;
                while child != NONE {
                    let node = &mut self.nodes[child as usize];
                    let after = std::mem::replace(&mut node.next, rest);
                    rest = std::mem::replace(&mut child, after);
                }
                if keep(&entry) {
                    self.nodes[place as usize] = Node { entry, child: NONE, next: NONE };
                    self.roots[depth] = self.meld(self.roots[depth], place);
                } else {
                    self.release(place);
                }
            }
        }
    }

    /// Removes all entries. Allocated memory is kept.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.roots.fill(NONE);
        (self.free, self.len) = (NONE, 0);
    }

    fn release(&mut self, place: u32) {
        let node = &mut self.nodes[place as usize];
        (node.child, node.next) = (FREE, self.free);
        self.free = place;
        self.len -= 1;
    }

    /// Puts the worse of two roots below the other, and returns that.
    #[inline]
    fn meld(&mut self, a: u32, b: u32) -> u32 {
        if a == NONE || b == NONE {
            return a.min(b);
        }
        let is_first = !self.nodes[b as usize].entry.precedes(&self.nodes[a as usize].entry);
        let (root, below) = if is_first { (a, b) } else { (b, a) };
        self.nodes[below as usize].next = self.nodes[root as usize].child;
        self.nodes[root as usize].child = below;
        root
    }

    /// Melds a root and all its next ones: first in pairs, then each pair with those after it.
    fn meld_all(&mut self, first: u32) -> u32 {
        let (mut left, mut pairs) = (first, NONE);
        while left != NONE {
            let right = self.take_next(left);
            let after = if right == NONE { NONE } else { self.take_next(right) };
            let pair = self.meld(left, right);
            self.nodes[pair as usize].next = pairs;
            (left, pairs) = (after, pair);
        }
        let mut root = NONE;
        while pairs != NONE {
            let after = self.take_next(pairs);
            root = self.meld(pairs, root);
            pairs = after;
        }
        root
    }

    fn take_next(&mut self, place: u32) -> u32 {
        std::mem::replace(&mut self.nodes[place as usize].next, NONE)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "reserve() keeps it below FREE")]
fn place_of(place: usize) -> u32 {
    place as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEPTHS: usize = 5;

    fn random(seed: &mut u64) -> usize {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*seed >> 33) as usize
    }

    #[test]
    fn entries_come_out_in_order_and_leave_their_room() {
        let (mut seed, mut memory, mut most) = (7, Memory::new(usize::MAX), 0);
        let mut heaps = PairingHeaps::<usize, u32>::new();
        let mut expected: [Vec<(usize, usize, u32)>; DEPTHS] = Default::default();
        for id in 0..20_000 {
            let depth = random(&mut seed) % DEPTHS;
            // Times in which the heaps grow, and times in which they do not.
            if random(&mut seed) % 16 < 6 + 2 * ((id as usize >> 10) % 4) {
                let (f, h) = (random(&mut seed) % 9, random(&mut seed) % 9);
                heaps.reserve(depth, 1, &mut memory).unwrap();
                heaps.push(depth, Candidate { f, h, id });
                expected[depth].push((f, h, id));
            } else if depth < heaps.roots.len() {
                let least = expected[depth].iter().min().copied();
                expected[depth].retain(|entry| Some(*entry) != least);
                assert_eq!(heaps.peek(depth).map(|it| (it.f, it.h, it.id)), least);
                assert_eq!(heaps.pop(depth).map(|it| (it.f, it.h, it.id)), least);
            }
            most = most.max(heaps.len());
            if id % 1000 == 999 {
                let (divisor, rest) = (2 + random(&mut seed) % 3, random(&mut seed) % 2);
                let keep = |id: u32| id as usize % divisor != rest;
                heaps.retain(|it| keep(it.id));
                for list in &mut expected {
                    list.retain(|it| keep(it.2));
                }
                let mut all: Vec<_> = heaps.iter().map(|it| (it.f, it.h, it.id)).collect();
                let mut expected = expected.concat();
                all.sort_unstable();
                expected.sort_unstable();
                assert_eq!(all, expected);
            }
            assert_eq!(heaps.len(), expected.iter().map(Vec::len).sum::<usize>());
            assert_eq!(heaps.nodes.len(), most, "nodes are used again");
        }
        assert!(most > 300);
        heaps.clear();
        assert!(heaps.iter().next().is_none() && heaps.peek(0).is_none());
        assert_eq!((heaps.len(), heaps.pop(DEPTHS - 1).is_none()), (0, true));
        let bytes = heaps.nodes.capacity() * size_of::<Node<usize, u32>>()
            + heaps.roots.capacity() * size_of::<u32>();
        assert_eq!(memory.held(), bytes);
    }

    #[test]
    fn costs_without_an_order_do_no_harm() {
        let mut heaps = PairingHeaps::<f64, u32>::new();
        heaps.reserve(0, 500, &mut Memory::new(usize::MAX)).unwrap();
        for id in 0..500 {
            let value =
                |id: u32| if id.is_multiple_of(3) { f64::NAN } else { f64::from(id * 7 % 10) };
            heaps.push(0, Candidate { f: value(id), h: value(id + 1), id });
        }
        let mut ids: Vec<_> = std::iter::from_fn(|| heaps.pop(0)).map(|it| it.id).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..500), "none is lost");
    }
}
