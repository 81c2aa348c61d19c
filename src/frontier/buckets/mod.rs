//! Buckets over small whole numbers.

mod layers;
mod rank;
mod ring;
mod sorter;
#[cfg(test)]
mod tests;

use std::fmt;
use std::mem;

use self::layers::Layers;
pub use self::rank::Rank;
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
    layers: Layers<I::Ranked>,
    /// Takes over when the first numbers prove sparse.
    heap: LazyHeap<K, I>,
    form: Form,
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

/// Larger second numbers are not kept in buckets.
const MOST_SECOND: usize = 1 << 16;

/// With more entries than this, the queue turns from a heap into buckets, if the keys are dense.
const YOUNG: usize = 256;

/// The id, ranked higher the smaller the second number is.
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
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self { layers: Layers::new(Self::HAS_SECOND), heap: LazyHeap::new(), form: Form::Young }
    }

    /// Whether the keys proved sparse, so that it is a heap now.
    #[must_use]
    pub fn is_heap(&self) -> bool {
        self.form == Form::Heap
    }

    /// Whether second numbers tell keys apart; otherwise the entries of a layer are in no order.
    const HAS_SECOND: bool = !matches!(K::BITS, Some((_, 0)));

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
            if self.layers.is_current(first) {
                return Rank::push_to_current(&mut self.layers, ranked(id, second), memory);
            }
            if Rank::make_reach(&mut self.layers, first, memory)? {
                return self.push(id, key, memory);
            }
        }
        self.turn_into_heap(id, key, memory)?;
        self.heap.push(id, key, memory)
    }

    /// The entry that comes out next of the layer that has come up.
    #[inline]
    fn first_of_current(&self) -> Option<I::Ranked> {
        self.layers.first_of_current(Self::HAS_SECOND).map(|(entry, _)| entry)
    }

    /// Brings up the next layer, if that which has come up has no entries.
    fn bring_up(&mut self, memory: &mut Memory) {
        // Where nothing is to be sorted, a program does not hold the code for it.
        if self.first_of_current().is_none() {
            let has_come_up = Rank::bring_up(&mut self.layers);
            if Self::HAS_SECOND && has_come_up {
                Rank::sort_current(&mut self.layers, memory);
            }
        }
    }

    /// Pops where that takes more than to take the last entry of `current`.
    #[inline(never)]
    fn pop_with_care(&mut self, memory: &mut Memory) -> Option<(I, K)> {
        self.bring_up(memory);
        let ranked = Rank::pop_first(&mut self.layers)?;
        self.entry(ranked)
    }

    #[inline]
    fn entry(&self, ranked: I::Ranked) -> Option<(I, K)> {
        Some((I::of_ranked(ranked), K::from_buckets(self.layers.low, second::<I>(ranked))?))
    }

    /// One copy for all engines, each of which has its own closure.
    #[cold]
    fn retain_by(&mut self, keep: &mut dyn FnMut(I, K) -> bool) {
        let mut keeps = |first: usize, entry: I::Ranked| {
            K::from_buckets(first, second::<I>(entry))
                .is_some_and(|key| keep(I::of_ranked(entry), key))
        };
        Rank::retain(&mut self.layers, &mut keeps);
        self.heap.retain(keep);
    }

    /// Moves everything from the heap into buckets if the keys are dense; otherwise it stays a heap. Where
    /// there is no memory for buckets, nothing changes.
    #[cold]
    #[inline(never)]
    fn grow_up(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.form = Form::Heap;
        let (mut least, mut most, mut are_small) = (usize::MAX, 0, true);
        self.heap.for_each(|_, key| match key.to_buckets() {
            Some((first, second)) => {
                (least, most) = (least.min(first), most.max(first));
                are_small &= second < MOST_SECOND;
            }
            None => are_small = false,
        });
        if !are_small || most - least >= layers::NARROW {
            return Ok(());
        }
        let mut heap = mem::take(&mut self.heap);
        self.form = Form::Buckets;
        let mut outcome = Ok(());
        heap.for_each(|id, key| {
            if outcome.is_ok() {
                outcome = self.push(id, key, memory);
            }
        });
        if outcome.is_ok() {
            heap.clear();
        } else {
            Rank::clear(&mut self.layers);
            self.form = Form::Young;
        }
        self.heap = heap;
        outcome
    }

    /// Moves everything into the heap, which then has room for this entry, too.
    #[cold]
    #[inline(never)]
    fn turn_into_heap(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let mut largest =
            key.to_buckets().map(|(first, second)| (first as u64, second as u64, id.to_u64()));
        Rank::for_each(&self.layers, &mut |first, entry| {
            if let Some((most_first, most_second, most_id)) = &mut largest {
                *most_first = (*most_first).max(first as u64);
                *most_second = (*most_second).max(second::<I>(entry) as u64);
                *most_id = (*most_id).max(I::of_ranked(entry).to_u64());
            }
        });
        self.heap.prepare(self.layers.len + 1, largest, memory)?;
        let heap = &mut self.heap;
        let mut outcome = Ok(());
        Rank::for_each(&self.layers, &mut |first, entry| {
            if let Some(key) = K::from_buckets(first, second::<I>(entry)) {
                outcome = outcome.and(heap.push(I::of_ranked(entry), key, memory));
            }
        });
        outcome?;
        Rank::clear(&mut self.layers);
        self.form = Form::Heap;
        Ok(())
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
        if second < MOST_SECOND && self.layers.reaches(first) {
            self.layers.push(first, ranked(id, second), memory)
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
        } else if let Some(ranked) = self.layers.pop_from_current() {
            Ok(self.entry(ranked))
        } else {
            Ok(self.pop_with_care(memory))
        }
    }

    fn least(&mut self, memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        if self.form != Form::Buckets {
            return self.heap.least(memory);
        }
        self.bring_up(memory);
        Ok(self.first_of_current().and_then(|ranked| self.entry(ranked)).map(|(_, key)| key))
    }

    #[inline]
    fn bound(&mut self, memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        if self.form != Form::Buckets {
            return self.heap.least(memory);
        }
        if let Some(ranked) = self.first_of_current() {
            return Ok(self.entry(ranked).map(|(_, key)| key));
        }
        Ok(Rank::next_first(&self.layers).and_then(|first| K::from_buckets(first, 0)))
    }

    fn for_each(&self, mut visit: impl FnMut(I, K)) {
        Rank::for_each(&self.layers, &mut |first, entry| {
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
            return self.first_of_current().map(I::of_ranked);
        }
        // Late entries may come in between, so this is a guess.
        self.layers.peek_hint(ahead).map(I::of_ranked)
    }

    #[inline]
    fn len(&self) -> usize {
        if self.form == Form::Buckets { self.layers.len } else { self.heap.len() }
    }

    fn clear(&mut self) {
        Rank::clear(&mut self.layers);
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
