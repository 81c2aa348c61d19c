//! Buckets over small whole numbers.

mod ring;
mod sorter;
#[cfg(test)]
mod tests;

use std::fmt;
use std::mem;

use self::sorter::Sorter;
use super::heap::{Entry, Heap};
use super::{Frontier, Key, LazyHeap};
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// A bucket queue: a layer for every first number of the keys, and in it the states in the order of the
/// second number.
///
/// Pushing and popping take constant time as long as the first numbers (*f*, for A\*) are close together,
/// and the second numbers (*h*) in each layer are, too: a layer is sorted when its turn comes, by counting,
/// or by comparing (*n* log *n* for *n* entries) if there are more than four second numbers to an entry. If
/// the first numbers are far apart (more than 1024 values between the smallest and the largest, and more
/// than there are entries), or keys are not whole numbers, the queue turns into a [`LazyHeap`] until it is
/// cleared. It is one as well until it has 256 entries, because buckets take longer to set up than a short
/// search takes.
///
/// The order by *h* matters: on the 15-puzzle, buckets on *f* alone, last in first out, expand 2.8
/// times as many states.
///
/// Source: Dial, *Algorithm 360: Shortest-path forest with topological ordering*, 1969; two levels
/// after Burns, Hatem, Leighton and Ruml, *Implementing Fast Heuristic Search Code*, 2012.
#[derive(Clone)]
pub struct BucketQueue<K, I: StateId = u32> {
    /// The layer of the first number `n` is `ring[n % ring.len()]`; the length is a power of two. The
    /// entries are in the order in which they came.
    ring: Vec<Vec<I::Ranked>>,
    /// A bit for every layer in the ring: whether it has entries.
    filled: Vec<u64>,
    /// No entry has a smaller first number.
    low: usize,
    /// Entries of `low` in order, the last comes out next; in use once the layer has come up.
    current: Vec<I::Ranked>,
    /// Entries of `low` that came later and belong far from the end of `current`.
    late: Heap<Late<I::Ranked>>,
    /// The least first number whose entries go into the ring: `low`, or `low + 1` once that has come up.
    base: usize,
    /// First numbers less than this above `base` have their layer in the ring; 0 while there are no
    /// entries and once the queue is a heap.
    reach: usize,
    len: usize,
    /// Lists of layers that are empty, for those that will have entries.
    lists: Vec<Vec<I::Ranked>>,
    /// Takes over when the first numbers prove sparse.
    heap: LazyHeap<K, I>,
    form: Form,
    sorter: Sorter<I>,
}

/// What the queue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A heap, because it never had more than `YOUNG` entries.
    Young,
    Buckets,
    /// A heap, because the keys proved sparse.
    Heap,
}

/// A ranked id, in a heap that gives out the largest rank.
#[derive(Clone, Copy, Debug)]
struct Late<R>(R);

impl<R: Copy + Ord> Entry for Late<R> {
    #[inline]
    fn precedes(self, other: Self) -> bool {
        self.0 > other.0
    }
}

/// An entry for the layer that has come up goes into `late` if it belongs before this many others. That is
/// rare: with a consistent heuristic it comes before all of them.
const DEEP: usize = 16;

/// Larger second numbers are not kept in buckets.
const MOST_SECOND: usize = 1 << 16;

/// With more entries than this, the queue turns from a heap into buckets, if the keys are dense.
const YOUNG: usize = 256;

/// The layers may always span this many first numbers, and more where there are as many entries.
const NARROW: usize = 1 << 10;

/// The id, ranked higher the smaller the second number is.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "both numbers are at most MOST_SECOND")]
fn ranked<I: StateId>(id: I, second: usize) -> I::Ranked {
    id.with_rank((MOST_SECOND - second) as u32)
}

#[inline]
fn second<I: StateId>(ranked: I::Ranked) -> usize {
    MOST_SECOND - I::rank_of(ranked) as usize
}

impl<K: Key, I: StateId> BucketQueue<K, I> {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self {
            ring: Vec::new(),
            filled: Vec::new(),
            low: 0,
            current: Vec::new(),
            late: Heap::new(),
            base: 0,
            reach: 0,
            len: 0,
            lists: Vec::new(),
            heap: LazyHeap::new(),
            form: Form::Young,
            sorter: Sorter::new(),
        }
    }

    /// Whether the keys proved sparse, so that it is a heap now.
    #[must_use]
    pub fn is_heap(&self) -> bool {
        self.form == Form::Heap
    }

    /// Whether second numbers tell keys apart; otherwise the entries of a layer are in no order.
    const HAS_SECOND: bool = !matches!(K::BITS, Some((_, 0)));

    #[inline]
    fn slot(&self, first: usize) -> usize {
        first & (self.ring.len() - 1)
    }

    /// Whether the layer of `low` has come up, so that its entries are in `current` and `late`.
    #[inline]
    fn has_come_up(&self) -> bool {
        self.base != self.low
    }

    /// Pushes to a layer in the ring that has no list, or whose list is full.
    #[cold]
    #[inline(never)]
    fn push_to_full(
        &mut self,
        slot: usize,
        entry: I::Ranked,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let layer = &mut self.ring[slot];
        if layer.capacity() == 0
            && let Some(list) = self.lists.pop()
        {
            *layer = list;
        } else {
            memory.reserve(layer, 1)?;
        }
        layer.push(entry);
        self.filled[slot / 64] |= 1 << (slot % 64);
        self.len += 1;
        Ok(())
    }

    // What a heap does is in functions of its own, so that what buckets do stays small.

    #[inline(never)]
    fn push_to_heap(
        &mut self,
        id: I,
        first: usize,
        second: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        if self.form == Form::Young && self.heap.len() >= YOUNG {
            self.grow_up(memory)?;
            let Some(key) = K::from_buckets(first, second) else { return Ok(()) };
            return self.push_with_care(id, key, memory);
        }
        self.heap.push_numbers(id, first, second, memory)
    }

    #[inline(never)]
    fn pop_from_heap(&mut self) -> Option<(I, K)> {
        self.heap.take()
    }

    #[inline(never)]
    fn peek_hint_in_heap(&self, ahead: usize) -> Option<I> {
        self.heap.peek_hint(ahead)
    }

    /// Pushes an entry that does not go into the ring as things are.
    #[inline(never)]
    fn push_with_care(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.form == Form::Young && self.heap.len() >= YOUNG {
            self.grow_up(memory)?;
        }
        if self.form != Form::Buckets {
            return self.heap.push(id, key, memory);
        }
        if let Some((first, second)) = key.to_buckets()
            && second < MOST_SECOND
        {
            if first == self.low && self.has_come_up() {
                return self.push_to_current(ranked(id, second), memory);
            }
            if self.make_reach(first, memory)? {
                return self.push(id, key, memory);
            }
        }
        self.turn_into_heap(id, key, memory)?;
        self.heap.push(id, key, memory)
    }

    /// Pushes to the layer that has come up.
    #[inline]
    fn push_to_current(
        &mut self,
        entry: I::Ranked,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        // Mostly a successor with the same f as its parent, and so with a smaller h than the rest.
        let rank = I::rank_of(entry);
        let comes_first = |&&other: &&I::Ranked| I::rank_of(other) > rank;
        let after = if Self::HAS_SECOND {
            self.current.iter().rev().take(DEEP).take_while(comes_first).count()
        } else {
            0
        };
        if after == DEEP {
            memory.reserve(self.late.list(), 1)?;
            self.late.push(Late(entry));
        } else {
            memory.reserve(&mut self.current, 1)?;
            self.current.insert(self.current.len() - after, entry);
        }
        self.len += 1;
        Ok(())
    }

    /// Brings up the first layer that has entries. There must be one, and `current` and `late` are empty.
    #[inline(never)]
    fn bring_up(&mut self, memory: &mut Memory) {
        let Some(first) = self.next_filled(self.base) else { return };
        let slot = self.slot(first);
        let list = mem::take(&mut self.current);
        self.keep_list(list);
        self.filled[slot / 64] &= !(1 << (slot % 64));
        self.current = mem::take(&mut self.ring[slot]);
        (self.low, self.base) = (first, first.wrapping_add(1));
        // The slot of `low` stays vacant, in case the layer has to go back.
        self.reach = (self.ring.len() - 1).min(usize::MAX - first);
        if Self::HAS_SECOND {
            self.sorter.sort(&mut self.current, memory);
        }
    }

    /// The entry that comes out next of the layer that has come up, with a mark whether it is late.
    #[inline]
    fn first_of_current(&self) -> Option<(I::Ranked, bool)> {
        // Where all entries of a layer are alike, none is late.
        let late = if Self::HAS_SECOND { self.late.peek() } else { None };
        match (self.current.last(), late) {
            (Some(&entry), Some(Late(late))) if I::rank_of(entry) >= I::rank_of(late) => {
                Some((entry, false))
            }
            (_, Some(Late(late))) => Some((late, true)),
            (Some(&entry), None) => Some((entry, false)),
            (None, None) => None,
        }
    }

    #[inline]
    fn entry(&self, ranked: I::Ranked) -> Option<(I, K)> {
        Some((I::of_ranked(ranked), K::from_buckets(self.low, second::<I>(ranked))?))
    }

    /// Pops where that takes more than to take the last entry of `current`.
    #[inline(never)]
    fn pop_with_care(&mut self, memory: &mut Memory) -> Option<(I, K)> {
        if self.len == 0 {
            return None;
        }
        if self.first_of_current().is_none() {
            self.bring_up(memory);
        }
        let (ranked, is_late) = self.first_of_current()?;
        if is_late {
            self.late.pop();
        } else {
            self.current.pop();
        }
        self.len -= 1;
        self.entry(ranked)
    }

    /// One copy for all engines, each of which has its own closure.
    #[cold]
    fn retain_by(&mut self, keep: &mut dyn FnMut(I, K) -> bool) {
        let mut keeps = |first: usize, entry: I::Ranked| {
            K::from_buckets(first, second::<I>(entry))
                .is_some_and(|key| keep(I::of_ranked(entry), key))
        };
        self.current.retain(|&entry| keeps(self.low, entry));
        if Self::HAS_SECOND {
            self.late.retain(|Late(entry)| keeps(self.low, entry));
        }
        let mut len = self.current.len() + self.late.len();
        let mask = self.ring.len().wrapping_sub(1);
        for (slot, layer) in self.ring.iter_mut().enumerate() {
            let first = self.base.wrapping_add(slot.wrapping_sub(self.base) & mask);
            layer.retain(|&entry| keeps(first, entry));
            len += layer.len();
        }
        for slot in 0..self.ring.len() {
            if self.ring[slot].is_empty() {
                self.vacate(slot);
            }
        }
        self.len = len;
        self.heap.retain(keep);
    }
}

impl<K: Key, I: StateId> Default for BucketQueue<K, I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key, I: StateId> Frontier<I, K> for BucketQueue<K, I> {
    #[inline]
    fn push(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let Some((first, second)) = key.to_buckets() else {
            return self.push_with_care(id, key, memory);
        };
        if second < MOST_SECOND && first.wrapping_sub(self.base) < self.reach {
            let slot = self.slot(first);
            let layer = &mut self.ring[slot];
            let entry = ranked(id, second);
            if layer.len() == layer.capacity() {
                return self.push_to_full(slot, entry, memory);
            }
            // It has a list, so it has entries: an empty layer has given its list away.
            layer.push(entry);
            self.len += 1;
            Ok(())
        } else if self.form != Form::Buckets {
            self.push_to_heap(id, first, second, memory)
        } else {
            self.push_with_care(id, key, memory)
        }
    }

    #[inline]
    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(I, K)>, OutOfMemory> {
        if self.form != Form::Buckets {
            Ok(self.pop_from_heap())
        } else if self.late.is_empty()
            && let Some(ranked) = self.current.pop()
        {
            self.len -= 1;
            Ok(self.entry(ranked))
        } else {
            Ok(self.pop_with_care(memory))
        }
    }

    fn least(&mut self, memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        if self.form != Form::Buckets {
            return self.heap.least(memory);
        }
        if self.len > 0 && self.first_of_current().is_none() {
            self.bring_up(memory);
        }
        Ok(self.first_of_current().and_then(|(ranked, _)| self.entry(ranked)).map(|(_, key)| key))
    }

    #[inline]
    fn bound(&mut self, memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        if self.form != Form::Buckets {
            return self.heap.least(memory);
        }
        if let Some((ranked, _)) = self.first_of_current() {
            return Ok(self.entry(ranked).map(|(_, key)| key));
        }
        let first = if self.len > 0 { self.next_filled(self.base) } else { None };
        Ok(first.and_then(|first| K::from_buckets(first, 0)))
    }

    fn for_each(&self, mut visit: impl FnMut(I, K)) {
        self.for_each_in_buckets(&mut |first, entry| {
            if let Some(key) = K::from_buckets(first, second::<I>(entry)) {
                visit(I::of_ranked(entry), key);
            }
        });
        self.heap.for_each(visit);
    }

    fn retain(&mut self, mut keep: impl FnMut(I, K) -> bool) {
        self.retain_by(&mut keep);
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        if self.form != Form::Buckets {
            return self.peek_hint_in_heap(ahead);
        }
        if ahead == 0 {
            return self.first_of_current().map(|(entry, _)| I::of_ranked(entry));
        }
        // Late entries may come in between, so this is a guess.
        let at = self.current.len().checked_sub(1 + ahead)?;
        Some(I::of_ranked(self.current[at]))
    }

    #[inline]
    fn len(&self) -> usize {
        if self.form == Form::Buckets { self.len } else { self.heap.len() }
    }

    fn clear(&mut self) {
        self.clear_buckets();
        self.heap.clear();
        self.form = Form::Young;
    }
}

impl<K: Key, I: StateId> fmt::Debug for BucketQueue<K, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketQueue")
            .field("entries", &self.len())
            .field("is_heap", &self.is_heap())
            .finish_non_exhaustive()
    }
}
