//! Buckets over small integers.

mod layers;
mod rank;
mod ring;
mod sorter;
#[cfg(test)]
mod tests;

use self::layers::{Layers, Sorts};
pub use self::rank::Rank;
use super::{Frontier, Key, LazyHeap};
use crate::callback::Callback;
use crate::debug::show_fields;
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// A bucket queue: one layer for every first number of the keys, with its states in the order of the
/// second number.
///
/// Pushing and popping take amortized constant time if the first numbers (*f*, for A\*) are close together,
/// and so are the second numbers (*h*) in each layer. A layer is sorted when it becomes the first: by counting,
/// or by comparison (*n* log *n* for *n* entries) if there are more than four second numbers for each entry. If
/// the first numbers are far apart (their range exceeds both 1024 and the number of entries), or keys are not integers,
/// the queue turns into a [`LazyHeap`] until it is cleared. With few entries it is a heap as well, because setting up buckets takes
/// longer than a short search: below 24 entries, and below 256 if their first numbers do not lie within a range of 32.
///
/// The order by *h* matters: on the 15-puzzle, buckets on *f* alone, last in first out, expand 2.8
/// times as many states. But it matters only in the layer of the goal, so A\* does not sort
/// [small layers](Self::sorting_large_layers). Of equal keys, even ids come first in a heap, and of two that are pushed to the
/// current layer one after the other: so equal successors of a state, whose ids follow each other, take turns.
///
/// Source: Dial, *Algorithm 360: Shortest-path forest with topological ordering*, 1969; two levels
/// after Burns, Hatem, Leighton and Ruml, *Implementing Fast Heuristic Search Code*, 2012.
#[derive(Clone)]
pub struct BucketQueue<K, I: StateId = u32> {
    layers: Layers<I::Ranked>,
    /// Used for few entries and for sparse first numbers.
    heap: LazyHeap<K, I>,
    /// Whether the entries are in `layers`, and not in `heap`.
    has_buckets: bool,
}

/// The largest second number that is kept in buckets.
const MOST_SECOND: usize = 1 << 16;

/// Returns the id with its rank: the smaller the second number, the higher.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "both numbers are at most MOST_SECOND")]
fn ranked<I: StateId>(id: I, second: usize) -> I::Ranked {
    id.with_rank((MOST_SECOND - second) as u32)
}

#[inline]
fn second<I: StateId>(ranked: I::Ranked) -> usize {
    MOST_SECOND - ranked.rank() as usize
}

impl<K: Key, I: StateId> BucketQueue<K, I> {
    /// Creates an empty queue.
    // Not inlined: where a whole search is compiled into one function, it would take registers from its loop.
    #[must_use]
    #[inline(never)]
    pub fn new() -> Self {
        let sorts = if Self::HAS_SECOND { Sorts::All } else { Sorts::None };
        Self { layers: Layers::new(sorts), heap: LazyHeap::new(), has_buckets: false }
    }

    /// Creates an empty queue that does not sort small layers: those with at most a 64th of the number of entries in the layers
    /// before them. Their entries come last in, first out.
    ///
    /// For searches to which the second number only says which of equal states is probably nearer to a goal, as *h* for A\*:
    /// all states of the other layers are expanded in any order, and the layer of the goal is either sorted, or too small to
    /// matter: by a consistent heuristic, A\* expands at most a 64th more states than with [`new`](Self::new). It is the frontier of
    /// [`AStar::new`](crate::AStar::new). A search whose result depends on the order of the second numbers needs
    /// [`new`](Self::new).
    #[must_use]
    pub fn sorting_large_layers() -> Self {
        let mut queue = Self::new();
        if Self::HAS_SECOND {
            queue.layers.sorts = Sorts::Large;
        }
        queue
    }

    /// Whether the queue is a heap now, because the keys are sparse.
    #[must_use]
    pub fn is_heap(&self) -> bool {
        self.layers.small == usize::MAX
    }

    /// Whether keys have second numbers; otherwise the entries of a layer are unordered.
    const HAS_SECOND: bool = !matches!(K::BITS, Some((_, 0)));

    // The code of the heap is in separate functions, so that the code of the buckets stays small.

    #[inline(never)]
    fn push_to_heap(
        &mut self,
        id: I,
        first: usize,
        second: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        if self.heap.has_words()
            && self.heap.words() < self.layers.small
            && self.heap.put_numbers(id, first, second)
        {
            return Ok(());
        }
        self.push_to_other_heap(id, first, second, memory)
    }

    /// Pushes to a heap that is not small any more, has no words of 8 bytes, or no room in them.
    #[inline(never)]
    fn push_to_other_heap(
        &mut self,
        id: I,
        first: usize,
        second: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let most = self.layers.small;
        if self.heap.put_long_numbers(id, first, second, most) {
            return Ok(());
        }
        match K::from_buckets(first, second) {
            Some(key) if self.heap.len() >= most => self.push_slow(id, key, memory),
            Some(key) => self.heap.push_slow(id, key, memory),
            None => Ok(()),
        }
    }

    #[inline]
    fn pop_from_heap(&mut self) -> Option<(I, K)> {
        self.heap.take()
    }

    #[inline]
    fn peek_hint_in_heap(&self, ahead: usize) -> Option<I> {
        self.heap.peek_hint(ahead)
    }

    /// Pushes an entry without a slot in the ring.
    #[inline(never)]
    fn push_slow(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.heap.len() >= self.layers.small {
            self.build_buckets(memory)?;
        }
        if !self.has_buckets {
            return self.heap.push_slow(id, key, memory);
        }
        if let Some((first, second)) = key.to_buckets()
            && second < MOST_SECOND
        {
            let entry = ranked(id, second);
            if self.layers.is_current(first) {
                return Rank::push_to_current(&mut self.layers, entry, memory);
            }
            if Rank::push_far(&mut self.layers, first, entry, memory)? {
                return Ok(());
            }
        }
        self.turn_into_heap(memory)?;
        self.heap.push_slow(id, key, memory)
    }

    /// Returns the next entry of the current layer.
    #[inline]
    fn first_of_current(&self) -> Option<I::Ranked> {
        self.layers.first_of_current(Self::HAS_SECOND).map(|(entry, _)| entry)
    }

    /// Makes the next layer current, if the current one has no entries.
    fn advance(&mut self, memory: &mut Memory) {
        // Without second numbers, the code for sorting is not compiled.
        if self.first_of_current().is_none() {
            let has_current = Rank::advance(&mut self.layers);
            if Self::HAS_SECOND && has_current {
                Rank::sort_current(&mut self.layers, memory);
            }
        }
    }

    /// Pops when the next entry is not simply the last one of `current`.
    #[inline(never)]
    fn pop_slow(&mut self, memory: &mut Memory) -> Option<(I, K)> {
        self.advance(memory);
        let ranked = Rank::pop_first(&mut self.layers)?;
        self.entry(ranked)
    }

    #[inline]
    fn entry(&self, ranked: I::Ranked) -> Option<(I, K)> {
        Some((I::of_ranked(ranked), K::from_buckets(self.layers.low, second::<I>(ranked))?))
    }

    /// Dynamic, so that it is compiled once and not for the closure of each engine.
    #[cold]
    fn retain_by(&mut self, keep: &mut dyn Callback<(I, K), bool>) {
        let mut keeps = |(first, entry): (usize, I::Ranked)| {
            K::from_buckets(first, second::<I>(entry))
                .is_some_and(|key| keep.call((I::of_ranked(entry), key)))
        };
        Rank::retain(&mut self.layers, &mut keeps);
        self.heap.retain(|id, key| keep.call((id, key)));
    }

    /// Moves all entries from the heap into buckets if the keys are dense; otherwise it stays a heap, of more entries. Without
    /// memory for buckets, nothing changes.
    #[cold]
    #[inline(never)]
    fn build_buckets(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let Self { layers, heap, has_buckets } = self;
        let mut entries = |visit: &mut dyn Callback<(usize, Option<I::Ranked>)>| {
            heap.for_each(|id, key| match key.to_buckets() {
                Some((first, second)) if second < MOST_SECOND => {
                    visit.call((first, Some(ranked(id, second))));
                }
                _ => visit.call((0, None)),
            });
        };
        *has_buckets = Rank::build(layers, &mut entries, memory)?;
        if *has_buckets {
            heap.clear();
        }
        Ok(())
    }

    /// Moves all entries into the heap. Without memory for them there, they stay where they are.
    #[cold]
    #[inline(never)]
    fn turn_into_heap(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let heap = &mut self.heap;
        heap.reserve_words(self.layers.len + 1, memory)?;
        let mut outcome = Ok(());
        Rank::for_each(&self.layers, &mut |(first, entry): (usize, I::Ranked)| {
            if let (Ok(()), Some(key)) = (outcome, K::from_buckets(first, second::<I>(entry))) {
                outcome = heap.push_slow(I::of_ranked(entry), key, memory);
            }
        });
        if outcome.is_err() {
            heap.clear();
            return outcome;
        }
        Rank::clear(&mut self.layers);
        (self.layers.small, self.has_buckets) = (usize::MAX, false);
        Ok(())
    }
}

impl<K: Key, I: StateId> Default for BucketQueue<K, I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key, I: StateId> Frontier<I, K> for BucketQueue<K, I> {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "hot where it is called in the loop of a search")]
    fn push(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let Some((first, second)) = key.to_buckets() else {
            return self.push_slow(id, key, memory);
        };
        if second < MOST_SECOND && self.layers.reaches(first) {
            self.layers.push(first, ranked(id, second), memory)
        } else if !self.has_buckets {
            self.push_to_heap(id, first, second, memory)
        } else if second < MOST_SECOND && self.layers.push_in_front(first, ranked(id, second)) {
            Ok(())
        } else {
            self.push_slow(id, key, memory)
        }
    }

    #[inline]
    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(I, K)>, OutOfMemory> {
        if !self.has_buckets {
            return Ok(self.pop_from_heap());
        }
        if let Some(ranked) = self.layers.pop_from_current() {
            return Ok(self.entry(ranked));
        }
        // Taken apart, so that in the other cases nothing goes through memory.
        let Some((id, key)) = self.pop_slow(memory) else { return Ok(None) };
        Ok(Some((id, key)))
    }

    fn least(&mut self, memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        if !self.has_buckets {
            return self.heap.least(memory);
        }
        self.advance(memory);
        Ok(self.first_of_current().and_then(|ranked| self.entry(ranked)).map(|(_, key)| key))
    }

    #[inline]
    fn bound(&mut self, memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        if !self.has_buckets {
            return self.heap.least(memory);
        }
        if let Some(ranked) = self.first_of_current() {
            return Ok(self.entry(ranked).map(|(_, key)| key));
        }
        Ok(Rank::next_first(&self.layers).and_then(|first| K::from_buckets(first, 0)))
    }

    fn for_each(&self, mut visit: impl FnMut(I, K)) {
        Rank::for_each(&self.layers, &mut |(first, entry): (usize, I::Ranked)| {
            if let Some(key) = K::from_buckets(first, second::<I>(entry)) {
                visit(I::of_ranked(entry), key);
            }
        });
        self.heap.for_each(visit);
    }

    fn retain(&mut self, mut keep: impl FnMut(I, K) -> bool) {
        self.retain_by(&mut |(id, key): (I, K)| keep(id, key));
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        if !self.has_buckets {
            return self.peek_hint_in_heap(ahead);
        }
        if ahead == 0 {
            return self.first_of_current().map(I::of_ranked);
        }
        // A guess: late entries may precede it.
        self.layers.peek_hint(ahead).map(I::of_ranked)
    }

    #[inline]
    fn len(&self) -> usize {
        if self.has_buckets { self.layers.len } else { self.heap.len() }
    }

    fn clear(&mut self) {
        Rank::begin_anew(&mut self.layers);
        self.heap.clear();
        self.has_buckets = false;
    }
}

show_fields! {
    [K: Key, I: StateId] BucketQueue<K, I>,
    "BucketQueue" (this) { entries = this.len(), is_heap = this.is_heap() }
}
