//! A queue with decrease-key, based on the priority-queue crate.

use std::cmp::Ordering;
use std::fmt;

use priority_queue::PriorityQueue;
use rustc_hash::FxBuildHasher;

use super::Frontier;
use super::key::{Key, order};
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// A heap with decrease-key: it holds every open state once, and moves an improved state to its new place.
///
/// It takes longer than the other two frontiers (1.1 to 2 times in A* and Dijkstra's algorithm) and more
/// memory for each state, but never holds more entries than there are open states.
#[derive(Clone)]
pub struct IndexedQueue<K: Key, I: StateId = u32> {
    queue: PriorityQueue<I, Rank<K>, FxBuildHasher>,
    /// The bytes that [`Memory`] has counted.
    claimed: usize,
}

/// The queue returns the greatest first, so the order of keys is reversed.
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
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self { queue: PriorityQueue::with_hasher(FxBuildHasher), claimed: 0 }
    }

    /// The bytes of a queue with room for `capacity` states: an entry with its hash in the index map,
    /// a place in the map's table (at most 7/8 full, and a control byte each), a position in the heap
    /// and one back.
    fn bytes(capacity: usize) -> usize {
        let table =
            if capacity == 0 { 0 } else { (capacity * 8 / 7 + 1).next_power_of_two().max(4) };
        let entry = size_of::<(u64, I, Rank<K>)>();
        capacity * (entry + 2 * size_of::<usize>()) + table * (size_of::<usize>() + 1)
    }

    /// The state with the least key.
    #[must_use]
    pub fn first(&self) -> Option<(I, K)> {
        self.queue.peek().map(|(&id, rank)| (id, rank.0))
    }

    /// Makes room for so many more states.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is none; nothing changes.
    pub fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.queue.capacity() - self.queue.len() < additional {
            self.grow(additional, memory)?;
        }
        Ok(())
    }

    /// Adds a state, or gives it another key, whether smaller or larger. (Unlike
    /// [`push`](Frontier::push), which leaves a smaller key as it is.)
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is no room; nothing changes.
    pub fn place(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.queue.change_priority(&id, Rank(key)).is_none() {
            self.reserve(1, memory)?;
            self.queue.push(id, Rank(key));
        }
        Ok(())
    }

    /// Removes a state, and says whether it was there.
    pub fn remove(&mut self, id: I) -> bool {
        self.queue.remove(&id).is_some()
    }

    #[cold]
    fn grow(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let needed = self.queue.len().checked_add(additional).ok_or(OutOfMemory)?;
        let capacity = (self.queue.len() * 2).max(needed).max(4);
        let bytes = Self::bytes(capacity);
        // The old and the new lists are held at the same time while they are copied.
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
            self.grow(1, memory)?;
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

impl<K: Key, I: StateId> fmt::Debug for IndexedQueue<K, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexedQueue").field("entries", &self.queue.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::Single;

    #[test]
    fn keys_rise_and_fall_and_states_leave() {
        let mut memory = Memory::new(usize::MAX);
        let mut queue = IndexedQueue::<Single<u32>>::new();
        for (id, key) in [(1, 5), (2, 3), (3, 9)] {
            queue.place(id, Single(key), &mut memory).unwrap();
        }
        assert_eq!(queue.first(), Some((2, Single(3))));
        queue.place(2, Single(7), &mut memory).unwrap();
        assert_eq!((queue.first(), queue.len()), (Some((1, Single(5))), 3));
        assert!(queue.remove(1) && !queue.remove(1));
        assert_eq!(queue.pop(&mut memory), Ok(Some((2, Single(7)))));
    }

    #[test]
    fn there_is_room_for_what_was_reserved_and_for_what_is_there() {
        let mut memory = Memory::new(1 << 20);
        let mut queue = IndexedQueue::<Single<u32>>::new();
        queue.reserve(100, &mut memory).unwrap();
        memory.claim(memory.left()).unwrap();
        for id in 0..100 {
            queue.place(id, Single(id), &mut memory).unwrap();
        }
        while queue.place(u32::try_from(queue.len()).unwrap(), Single(0), &mut memory).is_ok() {}
        for id in 0..100 {
            queue.place(id, Single(1000 - id), &mut memory).unwrap();
        }
        assert_eq!(queue.reserve(queue.len() + 1, &mut memory), Err(OutOfMemory));
    }
}
