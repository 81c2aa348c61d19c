//! [`Heaps`]: persistent heaps of the sidetracks of a path.

use crate::cost::Cost;
use crate::memory::{Memory, OutOfMemory};

/// No entry, step, or context.
pub(super) const NONE: u32 = u32::MAX;

/// Persistent heaps of steps: an insertion copies the entries on its path, and shares all others with the old heap.
///
/// An entry is a sidetrack of the path to some state *w*: its key is the cost of the cheapest path that takes the step
/// and then follows the path to *w*; its tail is the part of that cost from the tail of the step on. The heap of
/// another state, *x*, to which *w* leads, is the same with the cost from *w* to *x* added to all keys and tails.
/// That cost is stored with the reference to the heap. So costs are added and compared, but never subtracted.
///
/// Source: the leftist heaps of Crane, *Linear Lists and Priority Queues as Balanced Binary Trees*, 1972.
#[derive(Debug)]
pub(super) struct Heaps<C> {
    entries: Vec<Entry<C>>,
    /// The terms of the first sum that did not fit into its type. Entries with such a cost are omitted.
    left_out: Option<(C, C)>,
}

/// A heap: its first entry, and the offset of its costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heap<C> {
    pub(super) entry: u32,
    pub(super) added: C,
}

#[derive(Clone, Copy, Debug)]
struct Entry<C> {
    step: u32,
    /// The number of entries on the right spine.
    rank: u32,
    key: C,
    tail: C,
    left: Heap<C>,
    right: Heap<C>,
}

/// A step popped from a heap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least<C> {
    pub(super) step: u32,
    pub(super) tail: C,
    /// Its child heaps.
    pub(super) below: [Heap<C>; 2],
}

/// The maximum number of entries on a right spine.
const LONGEST: usize = 34;

impl<C: Cost> Heap<C> {
    pub(super) const EMPTY: Self = Self { entry: NONE, added: C::ZERO };

    pub(super) fn is_empty(self) -> bool {
        self.entry == NONE
    }

    /// Returns the heap with `added` added to all costs; `None` if the sum does not fit.
    #[inline]
    pub(super) fn plus(self, added: C) -> Option<Self> {
        if self.is_empty() {
            return Some(self);
        }
        Some(Self { entry: self.entry, added: self.added.checked_add(added)? })
    }
}

impl<C: Cost> Heaps<C> {
    pub(super) fn new() -> Self {
        Self { entries: Vec::new(), left_out: None }
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.left_out = None;
    }

    /// Returns the first sum that did not fit into its type, if any: the step or heap with this cost is omitted.
    pub(super) fn left_out(&self) -> Option<(C, C)> {
        self.left_out
    }

    /// Returns the heap with `added` added to all costs; the empty heap if the sum does not fit.
    pub(super) fn moved(&mut self, heap: Heap<C>, added: C) -> Heap<C> {
        heap.plus(added).unwrap_or_else(|| {
            self.left_out.get_or_insert((heap.added, added));
            Heap::EMPTY
        })
    }

    /// Returns the least key of a non-empty heap; `None` if it does not fit into its type.
    #[inline]
    pub(super) fn least_key(&mut self, heap: Heap<C>) -> Option<C> {
        let key = self.entries[heap.entry as usize].key;
        self.sum(key, heap.added)
    }

    /// Returns the step with the least key; `None` if its costs do not fit.
    #[inline]
    pub(super) fn least(&mut self, heap: Heap<C>) -> Option<Least<C>> {
        let entry = self.entries[heap.entry as usize];
        Some(Least {
            step: entry.step,
            tail: self.sum(entry.tail, heap.added)?,
            below: [entry.left, entry.right].map(|below| self.moved(below, heap.added)),
        })
    }

    #[inline]
    fn sum(&mut self, cost: C, added: C) -> Option<C> {
        let sum = cost.checked_add(added);
        if sum.is_none() {
            self.left_out.get_or_insert((cost, added));
        }
        sum
    }

    /// Reserves memory for one insertion.
    #[inline]
    pub(super) fn make_room(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.entries, LONGEST)
    }

    /// Returns the heap with one more step. Memory must have been reserved.
    pub(super) fn insert(&mut self, heap: Heap<C>, step: u32, key: C, tail: C) -> Heap<C> {
        let single = Entry { step, rank: 1, key, tail, left: Heap::EMPTY, right: Heap::EMPTY };
        Heap { entry: self.put(heap, single), added: C::ZERO }
    }

    /// Copies the entries on the right spine down to the place of the new one. The length of the spine is at most
    /// logarithmic in the number of entries.
    fn put(&mut self, heap: Heap<C>, single: Entry<C>) -> u32 {
        if heap.is_empty() {
            return self.push(single);
        }
        let entry = self.entries[heap.entry as usize];
        let sums = (self.sum(entry.key, heap.added), self.sum(entry.tail, heap.added));
        let (Some(key), Some(tail)) = sums else { return self.push(single) };
        if single.key < key {
            return self.push(Entry { left: heap, ..single });
        }
        let mut left = self.moved(entry.left, heap.added);
        let right = self.moved(entry.right, heap.added);
        let put = self.put(right, single);
        let mut right = Heap { entry: put, added: C::ZERO };
        if self.rank(left) < self.rank(right) {
            (left, right) = (right, left);
        }
        let rank = self.rank(right) + 1;
        self.push(Entry { step: entry.step, rank, key, tail, left, right })
    }

    fn rank(&self, heap: Heap<C>) -> u32 {
        if heap.is_empty() { 0 } else { self.entries[heap.entry as usize].rank }
    }

    #[expect(clippy::cast_possible_truncation, reason = "`is_full` was asked")]
    fn push(&mut self, entry: Entry<C>) -> u32 {
        self.entries.push(entry);
        self.entries.len() as u32 - 1
    }

    /// Whether there are no more entry numbers.
    pub(super) fn is_full(&self) -> bool {
        self.entries.len() >= NONE as usize - LONGEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all keys of a heap in the order in which they are popped.
    fn keys(heaps: &mut Heaps<u64>, heap: Heap<u64>) -> Vec<u64> {
        let mut open = vec![heap];
        let mut keys = Vec::new();
        while let Some(place) = (0..open.len())
            .filter(|&i| !open[i].is_empty())
            .min_by_key(|&i| heaps.least_key(open[i]))
        {
            let heap = open.swap_remove(place);
            keys.push(heaps.least_key(heap).unwrap());
            open.extend(heaps.least(heap).unwrap().below);
        }
        keys
    }

    #[test]
    fn an_insertion_leaves_the_heap_before_it_as_it_was() {
        let mut memory = Memory::new(usize::MAX);
        let mut heaps = Heaps::new();
        let mut all = vec![(Heap::EMPTY, Vec::new())];
        let mut random = 7_u64;
        for nth in 0..200_u32 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = random >> 54;
            let (heap, mut expected): (Heap<u64>, Vec<u64>) = all[all.len() - 1].clone();
            // Every third heap is that of another state, 5 further on.
            let added = if nth % 3 == 0 { 5 } else { 0 };
            let heap = heap.plus(added).unwrap();
            for key in &mut expected {
                *key += added;
            }
            expected.push(key);
            expected.sort_unstable();
            heaps.make_room(&mut memory).unwrap();
            all.push((heaps.insert(heap, nth, key, 0), expected));
        }
        for (heap, expected) in all {
            assert_eq!(keys(&mut heaps, heap), expected);
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let mut memory = Memory::new(usize::MAX);
        let mut heaps = Heaps::<u8>::new();
        let mut heap = Heap::EMPTY;
        for (step, key) in [(0, 10), (1, 100), (2, 60)] {
            heaps.make_room(&mut memory).unwrap();
            heap = heaps.insert(heap, step, key, 0);
        }
        let heap = heap.plus(200).unwrap();
        assert_eq!(heaps.left_out(), None);
        let least = heaps.least(heap).unwrap();
        assert_eq!((heaps.least_key(heap), least.step, least.tail), (Some(210), 0, 200));
        assert!(
            least.below.iter().all(|&below| below.is_empty() || heaps.least_key(below).is_none())
        );
        assert!(heap.plus(100).is_none());
        heaps.make_room(&mut memory).unwrap();
        let more = heaps.insert(heap, 3, 220, 1);
        assert_eq!(heaps.least(more).unwrap().step, 0);
        assert!(heaps.left_out().is_some());
    }
}
