//! A queue with decrease-key, based on the priority-queue crate.

use std::cmp::Ordering;

use priority_queue::PriorityQueue;
use rustc_hash::FxBuildHasher;

use super::Frontier;
use super::key::Key;
use crate::debug::show_fields;
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// A heap with decrease-key: it holds every open state once, and moves an improved state to its new place.
///
/// It is slower than the other two frontiers (1.1 to 2 times the time in A* and Dijkstra's algorithm) and takes more
/// memory for each state, but never holds more entries than there are open states.
#[derive(Clone)]
pub struct IndexedQueue<K: Key, I: StateId = u32> {
    queue: PriorityQueue<I, Rank<K>, FxBuildHasher>,
    /// The bytes that [`Memory`] has counted.
    claimed: usize,
}

/// A key in reverse order: the queue returns the greatest first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rank<K>(K);

impl<K: Key> Eq for Rank<K> {}

impl<K: Key> PartialOrd for Rank<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Key> Ord for Rank<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        order(&other.0, &self.0)
    }
}

impl<K: Key, I: StateId> IndexedQueue<K, I> {
    /// Creates an empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self { queue: PriorityQueue::with_hasher(FxBuildHasher), claimed: 0 }
    }

    /// Returns the bytes of a queue with capacity for `capacity` states: an entry with its hash in the index map,
    /// a place in the map's table (at most 7/8 full, with a control byte each), a position in the heap
    /// and one back.
    fn bytes(capacity: usize) -> usize {
        let table =
            if capacity == 0 { 0 } else { (capacity * 8 / 7 + 1).next_power_of_two().max(4) };
        let entry = size_of::<(u64, I, Rank<K>)>();
        capacity * (entry + 2 * size_of::<usize>()) + table * (size_of::<usize>() + 1)
    }

    #[cold]
    fn grow(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let capacity = (self.queue.len() * 2).max(4);
        let bytes = Self::bytes(capacity);
        // During the copy, the old and the new lists are both held.
        memory.claim(bytes)?;
        if self.queue.try_reserve_exact(capacity - self.queue.len()).is_err() {
            memory.release(bytes);
            return Err(OutOfMemory);
        }
        memory.release(self.claimed.min(bytes));
        self.claimed = self.claimed.max(bytes);
        Ok(())
    }
}

impl<K: Key, I: StateId> Default for IndexedQueue<K, I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key, I: StateId> Frontier<I, K> for IndexedQueue<K, I> {
    #[inline]
    fn push(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.queue.len() == self.queue.capacity() {
            self.grow(memory)?;
        }
        self.queue.push_increase(id, Rank(key));
        Ok(())
    }

    #[inline]
    fn pop(&mut self, _memory: &mut Memory) -> Result<Option<(I, K)>, OutOfMemory> {
        Ok(self.queue.pop().map(|(id, rank)| (id, rank.0)))
    }

    #[inline]
    fn least(&mut self, _memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        Ok(self.queue.peek().map(|(_, rank)| rank.0))
    }

    fn for_each(&self, mut visit: impl FnMut(I, K)) {
        self.queue.iter().for_each(|(&id, rank)| visit(id, rank.0));
    }

    fn retain(&mut self, mut keep: impl FnMut(I, K) -> bool) {
        self.queue.retain(|&id, rank| keep(id, rank.0));
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        if ahead == 0 { self.queue.peek().map(|(&id, _)| id) } else { None }
    }

    #[inline]
    fn len(&self) -> usize {
        self.queue.len()
    }

    fn clear(&mut self) {
        self.queue.clear();
    }
}

show_fields! {
    [K: Key, I: StateId] IndexedQueue<K, I>,
    "IndexedQueue" (this) { entries = this.queue.len() }
}

/// Compares two keys, for a queue that needs an [`Ordering`].
#[inline]
fn order<K: Key>(a: &K, b: &K) -> Ordering {
    if a.precedes(b) {
        Ordering::Less
    } else if b.precedes(a) {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ByOrd, Priority, Single};
    use super::*;

    #[test]
    fn keys_are_compared_as_they_precede_each_other() {
        let key = |first, second| Priority { first, second };
        assert_eq!(order(&key(1.5, 0.0), &key(1.5, 0.5)), Ordering::Less);
        assert_eq!(order(&Single(7_u8), &Single(7)), Ordering::Equal);
        assert_eq!(order(&ByOrd("b"), &ByOrd("a")), Ordering::Greater);
    }
}
