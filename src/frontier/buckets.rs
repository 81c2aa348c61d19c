//! Buckets over small whole numbers.

use std::fmt;
use std::mem;

use super::{Frontier, LazyHeap};
use crate::cost::{Cost, bucket_of, larger};
use crate::limits::{Memory, OutOfMemory};
use crate::table::StateId;

/// A layer for every *f*, and in it the states in order of *h*.
///
/// Pushing and popping take constant time as long as the values of *f* in the queue lie close together,
/// and in a layer those of *h*: a layer is sorted by *h* when it comes up, by counting, or by comparing
/// (*n* log *n* for *n* entries) where there are more than four values of *h* to an entry. When those of *f*
/// prove to lie far apart (more than 1024 values between the smallest and the largest, and more than there
/// are entries), or costs are no whole numbers, the queue turns into a [`LazyHeap`] until it is cleared.
///
/// The order by *h* matters: on the 15-puzzle, buckets on *f* alone, last in first out, expand 2.8
/// times as many states.
///
/// Source: Dial, *Algorithm 360: Shortest-path forest with topological ordering*, 1969; two levels
/// after Burns, Hatem, Leighton and Ruml, *Implementing Fast Heuristic Search Code*, 2012.
#[derive(Clone)]
pub struct BucketQueue<C> {
    /// The layer of f is `ring[f % ring.len()]`; the length is a power of two.
    ring: Vec<Layer>,
    /// A bit for every layer: whether it has entries, or had some when it was last looked at.
    filled: Vec<u64>,
    /// No entry has a smaller f.
    low: usize,
    /// An f that is less than this above `low` has its layer in the ring: its length, or 0 while
    /// there are no entries and once it is a heap.
    reach: usize,
    len: usize,
    /// Lists of layers that are empty, for those that are not empty any more.
    lists: Vec<Vec<u64>>,
    /// Layers in buckets by h; the numbers of those not in use are `spare`.
    bucketed: Vec<Buckets>,
    spare: Vec<u32>,
    /// Takes over when the values of f prove sparse.
    heap: LazyHeap<C>,
    sparse: bool,
    sorter: Sorter,
}

/// The entries of one value of *f*.
#[derive(Clone, Default)]
struct Layer {
    /// The entries, as keys that are larger the sooner they come out.
    keys: Vec<u64>,
    form: Form,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Form {
    /// A list in the order in which its entries came.
    #[default]
    Unsorted,
    /// The same when the layer has come up: the last key is the next.
    Sorted,
    /// Buckets by h, of that number.
    Bucketed(u32),
}

/// A layer that has come up is put into buckets when a new entry belongs before so many others. That is
/// rare: with a consistent heuristic it comes out before all of them.
const DEEP: usize = 256;

/// More than so many values of *h* are not kept in buckets.
const MOST_H: usize = 1 << 16;

/// The layers may always span so many values of *f*, and more where there are as many entries.
const NARROW: usize = 1 << 10;

/// The key of an entry: lower h first, and then any id.
#[inline]
fn key(id: StateId, h: usize) -> u64 {
    ((MOST_H - h) as u64) << 32 | u64::from(id)
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the two halves of the key")]
fn entry(key: u64) -> (StateId, usize) {
    (key as StateId, MOST_H - (key >> 32) as usize)
}

/// Sorts layers by *h*, by counting.
#[derive(Clone, Default)]
struct Sorter {
    /// For every *h* from the largest on, how many keys come before those of it.
    before: Vec<u32>,
    /// Where the keys are put in order.
    ordered: Vec<u64>,
}

/// Keys are counted if they are at least one to so many values of *h*.
const COUNTED: usize = 4;

impl Sorter {
    /// Puts keys into the order of *h*. Those with the same stay in the order in which they came, so that
    /// the last comes out first; but not where they are not counted, because their values of *h* lie far
    /// apart or there is no memory.
    fn sort(&mut self, keys: &mut Vec<u64>, memory: &mut Memory) {
        let (mut least, mut most, mut is_sorted) = (u64::MAX, 0, true);
        for &key in &*keys {
            is_sorted &= key >> 32 >= most;
            least = least.min(key >> 32);
            most = most.max(key >> 32);
        }
        if is_sorted {
            return;
        }
        #[expect(clippy::cast_possible_truncation, reason = "no more than there are values of h")]
        let place = |key: u64| ((key >> 32) - least) as usize;
        let span = place(most << 32) + 1;
        let is_dense = span <= COUNTED * keys.len() && u32::try_from(keys.len()).is_ok();
        if !is_dense || self.make_room(keys.len(), span, memory).is_err() {
            keys.sort_unstable();
            return;
        }
        self.before.resize(span, 0);
        for &key in &*keys {
            self.before[place(key)] += 1;
        }
        let mut sum = 0;
        for before in &mut self.before {
            sum += mem::replace(before, sum);
        }
        self.ordered.resize(keys.len(), 0);
        for &key in &*keys {
            let at = &mut self.before[place(key)];
            self.ordered[*at as usize] = key;
            *at += 1;
        }
        mem::swap(keys, &mut self.ordered);
    }

    fn make_room(
        &mut self,
        keys: usize,
        span: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let missing = keys.saturating_sub(self.ordered.len());
        memory.reserve(&mut self.ordered, missing)?;
        self.before.clear();
        memory.reserve(&mut self.before, span)
    }
}

/// Ids in buckets by *h*.
#[derive(Clone, Default)]
struct Buckets {
    by_h: Vec<Vec<StateId>>,
    /// A bit for every bucket: whether it has entries.
    filled: Vec<u64>,
    /// No bucket below has entries.
    lowest: usize,
    len: usize,
}

impl Buckets {
    #[inline]
    fn push(&mut self, id: StateId, h: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if h >= self.by_h.len() {
            self.widen(h, memory)?;
        }
        let bucket = &mut self.by_h[h];
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
        let (more_h, more_words) = (h + 1 - self.by_h.len(), words - self.filled.len());
        memory.reserve(&mut self.by_h, more_h)?;
        memory.reserve(&mut self.filled, more_words)?;
        self.filled.resize(words, 0);
        self.by_h.resize_with(h + 1, Vec::new);
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
        let bucket = &mut self.by_h[h];
        let id = bucket.pop()?;
        if bucket.is_empty() {
            self.filled[h / 64] &= !(1 << (h % 64));
        }
        self.len -= 1;
        Some(id)
    }

    /// What `pop` gives after `ahead` others.
    #[inline]
    fn coming(&self, mut ahead: usize) -> Option<StateId> {
        if ahead >= self.len {
            return None;
        }
        let mut h = self.first();
        loop {
            let bucket = &self.by_h[h];
            if let Some(at) = bucket.len().checked_sub(1 + ahead) {
                return Some(bucket[at]);
            }
            ahead -= bucket.len();
            h = next_set(&self.filled, h + 1);
        }
    }

    /// Takes all entries out, in the order in which they were pushed within each h.
    fn drain(&mut self) -> impl Iterator<Item = (StateId, usize)> {
        self.len = 0;
        self.filled.fill(0);
        let buckets = self.by_h.iter_mut().enumerate();
        buckets.flat_map(|(h, bucket)| bucket.drain(..).map(move |id| (id, h)))
    }

    fn clear(&mut self) {
        while self.len > 0 {
            let h = self.first();
            self.len -= self.by_h[h].len();
            self.by_h[h].clear();
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
            reach: 0,
            len: 0,
            lists: Vec::new(),
            bucketed: Vec::new(),
            spare: Vec::new(),
            heap: LazyHeap::new(),
            sparse: false,
            sorter: Sorter::default(),
        }
    }

    /// Whether the values of *f* proved sparse, so that it is a heap now.
    #[must_use]
    pub fn is_heap(&self) -> bool {
        self.sparse
    }

    #[inline]
    fn slot(&self, f: usize) -> usize {
        f & (self.ring.len() - 1)
    }

    /// Pushes to the layer of `f`, which the ring has a place for.
    #[inline]
    fn push_to_layer(
        &mut self,
        id: StateId,
        f: usize,
        h: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let slot = self.slot(f);
        let layer = &mut self.ring[slot];
        if layer.form != Form::Unsorted || layer.keys.len() == layer.keys.capacity() {
            return self.push_with_care(id, slot, h, memory);
        }
        // It has a list, so it has entries: an empty layer has given its list away.
        layer.keys.push(key(id, h));
        self.len += 1;
        Ok(())
    }

    /// Pushes to a layer that has come up, is in buckets, or is full.
    #[inline(never)]
    fn push_with_care(
        &mut self,
        id: StateId,
        slot: usize,
        h: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let layer = &mut self.ring[slot];
        if let Form::Bucketed(number) = layer.form {
            self.bucketed[number as usize].push(id, h, memory)?;
        } else if layer.keys.len() == layer.keys.capacity() {
            self.make_room(slot, memory)?;
            return self.push_with_care(id, slot, h, memory);
        } else if layer.form == Form::Unsorted {
            layer.keys.push(key(id, h));
        } else {
            let key = key(id, h);
            // Mostly a successor with the same f as its parent, and so with less h than the rest.
            let sooner = |&&other: &&u64| other >> 32 > key >> 32;
            let after = layer.keys.iter().rev().take(DEEP).take_while(sooner).count();
            if after == DEEP {
                self.put_into_buckets(slot, memory)?;
                return self.push_with_care(id, slot, h, memory);
            }
            layer.keys.insert(layer.keys.len() - after, key);
        }
        self.filled[slot / 64] |= 1 << (slot % 64);
        self.len += 1;
        Ok(())
    }

    /// Makes room in the list of a layer.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, slot: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let keys = &mut self.ring[slot].keys;
        if keys.capacity() == 0
            && let Some(list) = self.lists.pop()
        {
            *keys = list;
            return Ok(());
        }
        memory.reserve(keys, 1)
    }

    /// Pushes where the ring has no place for `f`: there are no entries yet, `f` is smaller than any,
    /// or the ring is too short.
    #[cold]
    #[inline(never)]
    fn push_beyond(
        &mut self,
        id: StateId,
        f: C,
        h: C,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.vacate_lowest();
        if let (Some(f), Some(h)) = (bucket_of(f), bucket_of(h))
            && h < MOST_H
        {
            let (low, high) =
                if self.len == 0 { (f, f) } else { (self.low.min(f), self.highest_f().max(f)) };
            let span = high - low;
            if span < NARROW || span < self.len {
                if span >= self.ring.len() {
                    self.widen(span + 1, memory)?;
                }
                (self.low, self.reach) = (low, self.ring.len());
                return self.push_to_layer(id, f, h, memory);
            }
        }
        self.turn_into_heap(f, h, memory)?;
        self.heap.push(id, f, h, memory)
    }

    /// Makes the ring long enough for so many values of f.
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
        // Every layer may come to leave its list there.
        if let Err(full) = memory.reserve(&mut self.lists, length) {
            memory.free(ring);
            memory.free(filled);
            return Err(full);
        }
        ring.resize_with(length, Layer::default);
        let mut old_ring = mem::replace(&mut self.ring, ring);
        let old_filled = mem::replace(&mut self.filled, filled);
        let before = old_ring.len();
        // A layer goes to where its f belongs; empty ones give their memory back.
        for (slot, layer) in old_ring.iter_mut().enumerate() {
            if old_filled[slot / 64] & (1 << (slot % 64)) != 0 {
                // The one f from `low` to `high` that the slot stands for.
                let f = self.low + (slot.wrapping_sub(self.low) & (before - 1));
                let new = self.slot(f);
                self.filled[new / 64] |= 1 << (new % 64);
                mem::swap(&mut self.ring[new], layer);
            } else {
                memory.free(mem::take(&mut layer.keys));
            }
        }
        memory.free(old_ring);
        memory.free(old_filled);
        Ok(())
    }

    /// The largest id of an entry, or 0.
    fn largest_id(&self) -> StateId {
        let listed = self.ring.iter().flat_map(|layer| &layer.keys).map(|&key| entry(key).0);
        let in_buckets = self.bucketed.iter().flat_map(|buckets| &buckets.by_h).flatten().copied();
        listed.chain(in_buckets).max().unwrap_or(0)
    }

    /// Moves everything into the heap, which then has room for one more entry of that `f` and `h`.
    fn turn_into_heap(&mut self, f: C, h: C, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let largest_f = if self.len == 0 { None } else { C::from_bucket(self.highest_f()) };
        let largest_f = largest_f.map_or(f, |high| larger(f, high));
        let largest_h = C::from_bucket(MOST_H - 1).map_or(h, |most| larger(h, most));
        let largest = (largest_f, largest_h, self.largest_id());
        self.heap.prepare(self.len + 1, largest, memory)?;
        (self.sparse, self.reach) = (true, 0);
        while self.len > 0 {
            let f = self.lowest_f();
            let slot = self.slot(f);
            let layer = &mut self.ring[slot];
            let large = match layer.form {
                Form::Bucketed(number) => Some(&mut self.bucketed[number as usize]),
                _ => None,
            };
            let entries = layer.keys.drain(..).map(entry);
            for (id, h) in large.into_iter().flat_map(Buckets::drain).chain(entries) {
                if let (Some(f), Some(h)) = (C::from_bucket(f), C::from_bucket(h)) {
                    self.heap.push(id, f, h, memory)?;
                }
                self.len -= 1;
            }
            self.vacate(slot);
        }
        Ok(())
    }

    /// Puts a layer into buckets by h.
    fn put_into_buckets(&mut self, slot: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.spare.is_empty() {
            // Every one of them may come to stand among the spare.
            memory.reserve(&mut self.spare, self.bucketed.len() + 1)?;
            memory.reserve(&mut self.bucketed, 1)?;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "never more than there are layers"
            )]
            self.spare.push(self.bucketed.len() as u32);
            self.bucketed.push(Buckets::default());
        }
        let number = self.spare[self.spare.len() - 1];
        let buckets = &mut self.bucketed[number as usize];
        let layer = &mut self.ring[slot];
        for &key in &layer.keys {
            let (id, h) = entry(key);
            if let Err(full) = buckets.push(id, h, memory) {
                buckets.clear();
                return Err(full);
            }
        }
        layer.keys.clear();
        layer.form = Form::Bucketed(number);
        self.spare.pop();
        Ok(())
    }

    // What a heap does is on its own, so that what buckets do stays small.

    #[inline(never)]
    fn push_to_heap(
        &mut self,
        id: StateId,
        f: C,
        h: C,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.heap.push(id, f, h, memory)
    }

    #[inline(never)]
    fn coming_in_heap(&self, ahead: usize) -> Option<StateId> {
        self.heap.coming(ahead)
    }

    #[inline(never)]
    fn pop_from_heap(&mut self) -> Option<(StateId, C)> {
        self.heap.take()
    }

    /// Takes the first entry of the first layer that has any. There must be one.
    #[inline(never)]
    fn pop_next_layer(&mut self, memory: &mut Memory) -> StateId {
        loop {
            self.low = self.lowest_f();
            let slot = self.slot(self.low);
            let layer = &mut self.ring[slot];
            if layer.form == Form::Unsorted {
                self.sorter.sort(&mut layer.keys, memory);
                layer.form = Form::Sorted;
            }
            let id = match layer.form {
                Form::Bucketed(number) => self.bucketed[number as usize].pop(),
                _ => layer.keys.pop().map(|key| entry(key).0),
            };
            match id {
                Some(id) => return id,
                None => self.vacate(slot),
            }
        }
    }

    /// The smallest f whose layer has entries, or had some when it was last looked at.
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
                .map(|ahead| (start / 64 + ahead) & (words - 1))
                .find(|&index| self.filled[index] != 0)
                .unwrap_or(0);
            next * 64 + self.filled[next].trailing_zeros() as usize
        };
        self.low + (slot.wrapping_sub(start) & mask)
    }

    /// The largest f whose layer has entries. There must be one.
    fn highest_f(&self) -> usize {
        let (words, mask) = (self.filled.len(), self.ring.len() - 1);
        // Backwards from the last place of the ring, which is the one before that of `low`.
        let last = self.slot(self.low.wrapping_sub(1));
        let word = self.filled[last / 64] & (u64::MAX >> (63 - last % 64));
        let slot = if word != 0 {
            last / 64 * 64 + 63 - word.leading_zeros() as usize
        } else {
            let before = (1..=words)
                .map(|back| (last / 64).wrapping_sub(back) & (words - 1))
                .find(|&index| self.filled[index] != 0)
                .unwrap_or(0);
            before * 64 + 63 - self.filled[before].leading_zeros() as usize
        };
        self.low + (slot.wrapping_sub(self.low) & mask)
    }

    /// Vacates the layer of `low` if it is empty. No other layer can have been emptied and still be
    /// taken for one with entries; once `low` is another value, its slot would stand for another f.
    fn vacate_lowest(&mut self) {
        let slot = self.low & self.ring.len().wrapping_sub(1);
        let Some(layer) = self.ring.get(slot) else { return };
        let is_empty = match layer.form {
            Form::Bucketed(number) => self.bucketed[number as usize].len == 0,
            _ => layer.keys.is_empty(),
        };
        if is_empty {
            self.vacate(slot);
        }
    }

    /// Takes note that the layer has no entries left.
    #[inline]
    fn vacate(&mut self, slot: usize) {
        self.filled[slot / 64] &= !(1 << (slot % 64));
        let layer = &mut self.ring[slot];
        if let Form::Bucketed(number) = layer.form {
            self.spare.push(number);
        }
        layer.form = Form::Unsorted;
        let list = mem::take(&mut layer.keys);
        // There is room for the lists of all layers.
        if list.capacity() > 0 {
            self.lists.push(list);
        }
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
        if let (Some(f), Some(h)) = (bucket_of(f), bucket_of(h))
            && h < MOST_H
            && f >= self.low
            && f - self.low < self.reach
        {
            self.push_to_layer(id, f, h, memory)
        } else if self.sparse {
            self.push_to_heap(id, f, h, memory)
        } else {
            self.push_beyond(id, f, h, memory)
        }
    }

    #[inline]
    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(StateId, C)>, OutOfMemory> {
        if self.sparse {
            return Ok(self.pop_from_heap());
        }
        if self.len == 0 {
            return Ok(None);
        }
        // A layer that was emptied is vacated only later, as it is likely to get entries soon after.
        let slot = self.slot(self.low);
        let layer = &mut self.ring[slot];
        let sorted = if layer.form == Form::Sorted { layer.keys.pop() } else { None };
        let id = match sorted {
            Some(key) => entry(key).0,
            None => self.pop_next_layer(memory),
        };
        self.len -= 1;
        Ok(C::from_bucket(self.low).map(|f| (id, f)))
    }

    #[inline]
    fn coming(&self, ahead: usize) -> Option<StateId> {
        if self.sparse {
            return self.coming_in_heap(ahead);
        }
        let layer = self.ring.get(self.low & self.ring.len().wrapping_sub(1))?;
        match layer.form {
            Form::Sorted => {
                let at = layer.keys.len().checked_sub(1 + ahead)?;
                Some(entry(layer.keys[at]).0)
            }
            Form::Bucketed(number) => self.bucketed[number as usize].coming(ahead),
            Form::Unsorted => None,
        }
    }

    #[inline]
    fn len(&self) -> usize {
        if self.sparse { self.heap.len() } else { self.len }
    }

    fn clear(&mut self) {
        for word in 0..self.filled.len() {
            while self.filled[word] != 0 {
                let slot = word * 64 + self.filled[word].trailing_zeros() as usize;
                let layer = &mut self.ring[slot];
                layer.keys.clear();
                if let Form::Bucketed(number) = layer.form {
                    self.bucketed[number as usize].clear();
                }
                self.vacate(slot);
            }
        }
        self.len = 0;
        self.heap.clear();
        self.sparse = false;
        self.reach = 0;
    }
}

impl<C> fmt::Debug for BucketQueue<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketQueue")
            .field("entries", &self.len)
            .field("is_heap", &self.sparse)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_costs_do_not_hide_the_smallest() {
        let mut memory = Memory::new(usize::MAX);
        let mut queue = BucketQueue::<usize>::new();
        for (id, f) in [(1, usize::MAX - 1), (2, 3), (3, usize::MAX), (4, 0)] {
            queue.push(id, f, 0, &mut memory).unwrap();
        }
        let mut order = Vec::new();
        while let Some((id, _)) = queue.pop(&mut memory).unwrap() {
            order.push(id);
        }
        assert_eq!(order, [4, 2, 1, 3]);

        // The same while the queue has come to the largest costs by itself.
        queue.clear();
        queue.push(1, usize::MAX - 9, 0, &mut memory).unwrap();
        queue.push(2, usize::MAX, 0, &mut memory).unwrap();
        assert_eq!(queue.pop(&mut memory), Ok(Some((1, usize::MAX - 9))));
        queue.push(3, 5, 0, &mut memory).unwrap();
        assert_eq!(queue.pop(&mut memory), Ok(Some((3, 5))));
        assert_eq!(queue.pop(&mut memory), Ok(Some((2, usize::MAX))));
        assert_eq!(queue.pop(&mut memory), Ok(None));

        // And when nothing was left in between.
        queue.clear();
        queue.push(1, 10, 0, &mut memory).unwrap();
        assert_eq!(queue.pop(&mut memory), Ok(Some((1, 10))));
        for (id, f) in [(2, usize::MAX), (3, usize::MAX - 2000)] {
            queue.push(id, f, 0, &mut memory).unwrap();
        }
        assert_eq!(queue.pop(&mut memory), Ok(Some((3, usize::MAX - 2000))));
        assert_eq!(queue.pop(&mut memory), Ok(Some((2, usize::MAX))));
    }

    /// What all lists of a queue take.
    fn bytes(queue: &BucketQueue<u32>) -> usize {
        fn of<T>(list: &Vec<T>) -> usize {
            list.capacity() * size_of::<T>()
        }
        let layers =
            of(&queue.ring) + queue.ring.iter().map(|layer| of(&layer.keys)).sum::<usize>();
        let lists = of(&queue.lists) + queue.lists.iter().map(of).sum::<usize>();
        let large = of(&queue.bucketed) + of(&queue.spare);
        let buckets = queue.bucketed.iter().map(|buckets| {
            of(&buckets.by_h) + of(&buckets.filled) + buckets.by_h.iter().map(of).sum::<usize>()
        });
        let sorter = of(&queue.sorter.before) + of(&queue.sorter.ordered);
        layers + of(&queue.filled) + lists + large + buckets.sum::<usize>() + sorter
    }

    #[test]
    fn layers_are_sorted_by_h_and_keep_the_order_of_equals() {
        let mut sorter = Sorter::default();
        let mut memory = Memory::new(usize::MAX);
        let mut held = 0;
        let mut random = 1_u32;
        for (entries, values) in [(1, 1), (9, 5), (50, 200), (400, 7), (30, 119), (300, 1 << 16)] {
            let mut keys: Vec<u64> = (0..entries)
                .map(|id| {
                    random = random.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                    key(entries - id, (random >> 8) as usize % values as usize)
                })
                .collect();
            let mut by_counting = keys.clone();
            by_counting.sort_by_key(|key| key >> 32);
            let mut by_comparing = keys.clone();
            by_comparing.sort_unstable();
            assert!(entries == 1 || by_counting != by_comparing || values > 4 * entries);

            let mut uncounted = keys.clone();
            let mut none = Memory::new(0);
            Sorter::default().sort(&mut uncounted, &mut none);
            assert_eq!((uncounted, none.held()), (by_comparing.clone(), 0));

            let given = keys.capacity();
            sorter.sort(&mut keys, &mut memory);
            let expected = if values > 4 * entries { by_comparing } else { by_counting };
            assert_eq!(keys, expected, "{entries} entries");
            // What was given for what was taken.
            held += (keys.capacity() * 8).wrapping_sub(given * 8);
            let of_sorter = sorter.before.capacity() * 4 + sorter.ordered.capacity() * 8;
            assert_eq!(memory.held(), of_sorter.wrapping_add(held));
        }
    }

    #[test]
    fn layers_that_are_in_order_or_just_dense_enough_are_known() {
        let keys = [key(9, 0), key(5, 11), key(3, 0)];
        let mut counted = keys.to_vec();
        Sorter::default().sort(&mut counted, &mut Memory::new(usize::MAX));
        assert_eq!(counted, [keys[1], keys[0], keys[2]]);
        let mut sparse = vec![key(9, 0), key(5, 12), key(3, 0)];
        Sorter::default().sort(&mut sparse, &mut Memory::new(usize::MAX));
        assert_eq!(sparse, [key(5, 12), keys[2], keys[0]]);
        let mut in_order = vec![key(9, 4), key(3, 4), key(8, 1)];
        Sorter::default().sort(&mut in_order, &mut Memory::new(0));
        assert_eq!(in_order, [key(9, 4), key(3, 4), key(8, 1)]);
    }

    #[test]
    fn the_heap_takes_no_more_memory_than_was_made_sure_of() {
        let mut memory = Memory::new(usize::MAX);
        let mut queue = BucketQueue::<u64>::new();
        for id in 0..100 {
            queue.push((1 << 30) + id, u64::from(id), 1000, &mut memory).unwrap();
        }
        // f of 25 bits, h of 16 and ids of 31: too much for 8 bytes an entry.
        memory.set_most(memory.held() + 101 * 16);
        queue.push(0, 1 << 24, 1000, &mut memory).unwrap();
        assert!(queue.is_heap());
        let order = std::iter::from_fn(|| queue.pop(&mut memory).unwrap());
        assert!(order.map(|(id, _)| id).eq((0..100).map(|id| (1 << 30) + id).chain([0])));
    }

    #[test]
    fn the_account_knows_every_list() {
        for first in [0, 63, 64, 128, 300] {
            let mut memory = Memory::new(usize::MAX);
            let mut queue = BucketQueue::<u32>::new();
            // Six layers, the last first, that are put into buckets by an entry that comes late.
            for f in (0..6).rev() {
                for id in 0..300 {
                    queue.push(id, f, first, &mut memory).unwrap();
                    assert_eq!(memory.held(), bytes(&queue));
                }
                assert!(queue.pop(&mut memory).unwrap().is_some_and(|(_, lowest)| lowest == f));
                for h in [first + 1, first + 65, first + 64, first + 700] {
                    queue.push(300, f, h, &mut memory).unwrap();
                    assert_eq!(memory.held(), bytes(&queue), "after h of {h}");
                }
            }
            assert_eq!(queue.bucketed.len(), 6);
            assert_eq!(queue.len(), 6 * 303);
        }
    }
}
