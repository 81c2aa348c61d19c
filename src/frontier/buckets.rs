//! Buckets over small whole numbers.

use std::fmt;

use super::{Frontier, LazyHeap};
use crate::cost::Cost;
use crate::limits::{Memory, OutOfMemory};
use crate::table::StateId;

/// A bucket for every *f*, and in it one for every *h*; within those, last in, first out.
///
/// Pushing and popping take constant time as long as the values of *f* in the queue lie close
/// together. When they prove to lie far apart (more than 4096 values between the smallest and the
/// largest, and more than there are entries), or costs are no whole numbers, the queue turns into a
/// [`LazyHeap`] until it is cleared.
///
/// The second level matters: on the 15-puzzle, buckets on *f* alone expand 2.8 times as many states.
/// It is built for few layers at a time, those that are next: a layer that comes up later only
/// collects its entries until then.
///
/// Source: Dial, *Algorithm 360: Shortest-path forest with topological ordering*, 1969; two levels
/// after Burns, Hatem, Leighton and Ruml, *Implementing Fast Heuristic Search Code*, 2012.
pub struct BucketQueue<C> {
    /// The layer of f is `ring[f % ring.len()]`; the length is a power of two.
    ring: Vec<Layer>,
    /// A bit for every layer: whether it has entries.
    filled: Vec<u64>,
    /// All entries have an *f* from `low` to `high`, if there are any.
    low: usize,
    high: usize,
    len: usize,
    /// Layers sorted by *h*: those in use, and those whose numbers stand in `spare`.
    sorted: Vec<Sorted>,
    spare: Vec<u32>,
    /// Takes over when the values of *f* prove sparse.
    heap: LazyHeap<C>,
    sparse: bool,
}

/// The entries of one value of *f*.
#[derive(Clone, Copy)]
struct Collected {
    id: StateId,
    h: u32,
}

struct Layer {
    /// Entries that are not sorted yet, in the order in which they came, all later than the sorted.
    collected: Vec<Collected>,
    /// Which of the sorted layers is this one's, or `UNSORTED`.
    sorted: u32,
}

const UNSORTED: u32 = u32::MAX;

/// So many layers are sorted from the beginning. Problems with few values of *f* then never move an
/// entry.
const EAGER: usize = 8;

/// More than so many values of *h* are not sorted by buckets.
const MOST_H: usize = 1 << 16;

/// The layers may always span so many values of *f*, and more where there are as many entries.
const NARROW: usize = 1 << 12;
/// Ids in buckets by *h*.
#[derive(Default)]
struct Sorted {
    buckets: Vec<Vec<StateId>>,
    /// A bit for every bucket: whether it has entries.
    filled: Vec<u64>,
    /// No bucket below has entries.
    lowest: usize,
    len: usize,
}

impl Sorted {
    #[inline]
    fn push(&mut self, id: StateId, h: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if h >= self.buckets.len() {
            self.widen(h, memory)?;
        }
        let bucket = &mut self.buckets[h];
        memory.reserve(bucket, 1)?;
        bucket.push(id);
        self.filled[h / 64] |= 1 << (h % 64);
        self.lowest = if self.len == 0 { h } else { self.lowest.min(h) };
        self.len += 1;
        Ok(())
    }

    #[cold]
    fn widen(&mut self, h: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let words = (h + 1).div_ceil(64).max(self.filled.len());
        let (more_buckets, more_words) = (h + 1 - self.buckets.len(), words - self.filled.len());
        memory.reserve(&mut self.buckets, more_buckets)?;
        memory.reserve(&mut self.filled, more_words)?;
        self.filled.resize(words, 0);
        self.buckets.resize_with(h + 1, Vec::new);
        Ok(())
    }

    /// The lowest bucket with entries. There must be one.
    #[inline]
    fn first(&self) -> usize {
        next_set(&self.filled, self.lowest)
    }

    #[inline]
    fn pop(&mut self) -> Option<StateId> {
        if self.len == 0 {
            return None;
        }
        let h = self.first();
        self.lowest = h;
        let bucket = &mut self.buckets[h];
        let id = bucket.pop()?;
        if bucket.is_empty() {
            self.filled[h / 64] &= !(1 << (h % 64));
        }
        self.len -= 1;
        Some(id)
    }

    /// Takes all entries out, in the order in which they were pushed within each h.
    fn drain(&mut self) -> impl Iterator<Item = (StateId, usize)> {
        self.len = 0;
        self.filled.fill(0);
        let buckets = self.buckets.iter_mut().enumerate();
        buckets.flat_map(|(h, bucket)| bucket.drain(..).map(move |id| (id, h)))
    }

    fn clear(&mut self) {
        while self.len > 0 {
            let h = self.first();
            self.len -= self.buckets[h].len();
            self.buckets[h].clear();
            self.filled[h / 64] &= !(1 << (h % 64));
        }
    }
}

/// The first bit set from `start` on. There must be one.
#[inline]
fn next_set(bits: &[u64], start: usize) -> usize {
    let mut word = start / 64;
    let mut content = bits[word] & (u64::MAX << (start % 64));
    while content == 0 {
        word += 1;
        content = bits[word];
    }
    word * 64 + content.trailing_zeros() as usize
}

impl<C: Cost> BucketQueue<C> {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self {
            ring: Vec::new(),
            filled: Vec::new(),
            low: 0,
            high: 0,
            len: 0,
            sorted: Vec::new(),
            spare: Vec::new(),
            heap: LazyHeap::new(),
            sparse: false,
        }
    }

    /// Whether the values of *f* proved sparse, so that it is a heap now.
    #[must_use]
    pub fn is_heap(&self) -> bool {
        self.sparse
    }

    /// Whether the layers span little enough with `f` among them.
    #[inline]
    fn spans_little(&self, f: usize) -> bool {
        let span = if self.len == 0 { 0 } else { self.high.max(f) - self.low.min(f) };
        span < NARROW || span < self.len
    }

    #[inline]
    fn slot(&self, f: usize) -> usize {
        f & (self.ring.len() - 1)
    }

    #[inline]
    fn push_to_bucket(
        &mut self,
        id: StateId,
        f: usize,
        h: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let (low, high) = if self.len == 0 { (f, f) } else { (self.low.min(f), self.high.max(f)) };
        if high - low >= self.ring.len() {
            self.widen(high - low + 1, memory)?;
        }
        let slot = self.slot(f);
        let layer = &mut self.ring[slot];
        if layer.sorted == UNSORTED && layer.collected.is_empty() && self.can_sort(memory)? {
            self.ring[slot].sorted = self.spare.pop().unwrap_or(UNSORTED);
        }
        let layer = &mut self.ring[slot];
        if layer.sorted == UNSORTED || !layer.collected.is_empty() {
            memory.reserve(&mut layer.collected, 1)?;
            #[expect(clippy::cast_possible_truncation, reason = "at most MOST_H")]
            layer.collected.push(Collected { id, h: h as u32 });
        } else {
            self.sorted[layer.sorted as usize].push(id, h, memory)?;
        }
        self.filled[slot / 64] |= 1 << (slot % 64);
        (self.low, self.high) = (low, high);
        self.len += 1;
        Ok(())
    }

    /// Whether there is a sorted layer to spare, or one may still be made.
    #[inline]
    fn can_sort(&mut self, memory: &mut Memory) -> Result<bool, OutOfMemory> {
        if self.spare.is_empty() && self.sorted.len() < EAGER {
            self.add_sorted(memory)?;
        }
        Ok(!self.spare.is_empty())
    }

    #[cold]
    fn add_sorted(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.sorted, 1)?;
        // Every one of them may come to stand among the spare.
        memory.reserve(&mut self.spare, self.sorted.len() + 1)?;
        #[expect(clippy::cast_possible_truncation, reason = "never more than there are layers")]
        self.spare.push(self.sorted.len() as u32);
        self.sorted.push(Sorted::default());
        Ok(())
    }

    /// Makes the ring long enough for so many values of *f*.
    #[cold]
    fn widen(&mut self, span: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let length = span.next_power_of_two().max(64);
        let mut ring: Vec<Layer> = Vec::new();
        memory.reserve(&mut ring, length)?;
        let filled = match memory.list(length / 64, 0) {
            Ok(filled) => filled,
            Err(full) => {
                memory.free(ring);
                return Err(full);
            }
        };
        ring.resize_with(length, || Layer { collected: Vec::new(), sorted: UNSORTED });
        let mut old_ring = std::mem::replace(&mut self.ring, ring);
        let old_filled = std::mem::replace(&mut self.filled, filled);
        let before = old_ring.len();
        // A layer goes to where its f belongs; empty ones give their memory back.
        for (slot, layer) in old_ring.iter_mut().enumerate() {
            let has_entries = old_filled[slot / 64] & (1 << (slot % 64)) != 0;
            if has_entries {
                // The one f within [low, high] that the slot stands for.
                let f = self.low + (slot.wrapping_sub(self.low) & (before - 1));
                let new = self.slot(f);
                self.filled[new / 64] |= 1 << (new % 64);
                std::mem::swap(&mut self.ring[new], layer);
            } else {
                memory.free(std::mem::take(&mut layer.collected));
            }
        }
        memory.free(old_ring);
        memory.free(old_filled);
        Ok(())
    }

    /// Moves everything into the heap.
    #[cold]
    fn turn_into_heap(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.heap.reserve(self.len + 1, memory)?;
        self.sparse = true;
        while self.len > 0 {
            let f = self.lowest_f();
            let slot = self.slot(f);
            let layer = &mut self.ring[slot];
            let sorted = match layer.sorted {
                UNSORTED => None,
                number => Some(&mut self.sorted[number as usize]),
            };
            let collected = layer.collected.drain(..).map(|entry| (entry.id, entry.h as usize));
            let entries = sorted.into_iter().flat_map(Sorted::drain).chain(collected);
            for (id, h) in entries {
                if let (Some(f), Some(h)) = (C::from_bucket(f), C::from_bucket(h)) {
                    self.heap.push(id, f, h, memory)?;
                }
                self.len -= 1;
            }
            self.vacate(slot);
        }
        Ok(())
    }

    /// The smallest f that has entries. There must be one.
    #[inline]
    fn lowest_f(&self) -> usize {
        let start = self.slot(self.low);
        let mask = self.ring.len() - 1;
        // Entries before the start are those whose f has wrapped around the ring.
        let word = self.filled[start / 64] & (u64::MAX << (start % 64));
        let slot = if word != 0 {
            start / 64 * 64 + word.trailing_zeros() as usize
        } else {
            let words = self.filled.len();
            let next = (1..=words)
                .map(|ahead| (start / 64 + ahead) % words)
                .find(|&index| self.filled[index] != 0)
                .unwrap_or(0);
            next * 64 + self.filled[next].trailing_zeros() as usize
        };
        self.low + (slot.wrapping_sub(start) & mask)
    }

    /// Takes note that the layer has no entries left.
    #[inline]
    fn vacate(&mut self, slot: usize) {
        self.filled[slot / 64] &= !(1 << (slot % 64));
        let layer = &mut self.ring[slot];
        if layer.sorted != UNSORTED {
            self.spare.push(layer.sorted);
            layer.sorted = UNSORTED;
        }
    }

    /// Sorts what the layer has collected by h.
    #[cold]
    fn sort(&mut self, slot: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.ring[slot].sorted == UNSORTED {
            if self.spare.is_empty() {
                self.add_sorted(memory)?;
            }
            self.ring[slot].sorted = self.spare.pop().unwrap_or(UNSORTED);
        }
        let layer = &mut self.ring[slot];
        let sorted = &mut self.sorted[layer.sorted as usize];
        let mut moved = 0;
        let mut outcome = Ok(());
        for entry in &layer.collected {
            outcome = sorted.push(entry.id, entry.h as usize, memory);
            if outcome.is_err() {
                break;
            }
            moved += 1;
        }
        layer.collected.drain(..moved);
        outcome
    }
}

impl<C: Cost> Default for BucketQueue<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Cost> Frontier<C> for BucketQueue<C> {
    #[inline]
    fn push(&mut self, id: StateId, f: C, h: C, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if !self.sparse {
            if let (Some(f), Some(h)) = (f.to_bucket(), h.to_bucket())
                && h < MOST_H
                && self.spans_little(f)
            {
                return self.push_to_bucket(id, f, h, memory);
            }
            self.turn_into_heap(memory)?;
        }
        self.heap.push(id, f, h, memory)
    }

    #[inline]
    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(StateId, C)>, OutOfMemory> {
        if self.sparse {
            return self.heap.pop(memory);
        }
        if self.len == 0 {
            return Ok(None);
        }
        let f = self.lowest_f();
        self.low = f;
        let slot = self.slot(f);
        if !self.ring[slot].collected.is_empty() {
            self.sort(slot, memory)?;
        }
        let sorted = &mut self.sorted[self.ring[slot].sorted as usize];
        let id = sorted.pop();
        if sorted.len == 0 {
            self.vacate(slot);
        }
        self.len -= 1;
        Ok(id.zip(C::from_bucket(f)))
    }

    #[inline]
    fn next_up(&self) -> Option<StateId> {
        if self.sparse {
            return self.heap.next_up();
        }
        let layer = self.ring.get(self.low & self.ring.len().wrapping_sub(1))?;
        let sorted = self.sorted.get(layer.sorted as usize)?;
        sorted.buckets.get(sorted.lowest)?.last().copied()
    }

    #[inline]
    fn len(&self) -> usize {
        if self.sparse { self.heap.len() } else { self.len }
    }

    fn clear(&mut self) {
        while self.len > 0 {
            let slot = self.slot(self.lowest_f());
            let layer = &mut self.ring[slot];
            self.len -= layer.collected.len();
            layer.collected.clear();
            if let Some(sorted) = self.sorted.get_mut(layer.sorted as usize) {
                self.len -= sorted.len;
                sorted.clear();
            }
            self.vacate(slot);
        }
        self.heap.clear();
        self.sparse = false;
    }
}

impl<C> fmt::Debug for BucketQueue<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketQueue")
            .field("entries", &self.len)
            .field("values_of_f", &(self.high + 1).saturating_sub(self.low))
            .field("is_heap", &self.sparse)
            .finish_non_exhaustive()
    }
}
