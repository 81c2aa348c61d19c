//! A queue that knows where each state is, on the priority-queue crate.

use std::cmp::Ordering;
use std::fmt;

use priority_queue::PriorityQueue;
use rustc_hash::FxBuildHasher;

use super::Frontier;
use crate::cost::Cost;
use crate::limits::{Memory, OutOfMemory};
use crate::table::StateId;

/// Every open state once, with an exact decrease-key: an improved state is moved to its new place.
///
/// It takes longer than the other two (1.1 to 2 times in A* and Dijkstra) and more memory for each
/// state, but never holds more entries than there are open states.
#[derive(Clone)]
pub struct IndexedQueue<C: Cost> {
    queue: PriorityQueue<StateId, Priority<C>, FxBuildHasher>,
    /// The bytes that [`Memory`] has been told of.
    claimed: usize,
}

/// The queue gives out the greatest, so what comes first is greater.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Priority<C> {
    f: C,
    h: C,
}

impl<C: Cost> Eq for Priority<C> {}

impl<C: Cost> PartialOrd for Priority<C> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C: Cost> Ord for Priority<C> {
    /// Costs that were checked for NaN are always comparable.
    fn cmp(&self, other: &Self) -> Ordering {
        let order = |a: &C, b: &C| b.partial_cmp(a).unwrap_or(Ordering::Equal);
        order(&self.f, &other.f).then_with(|| order(&self.h, &other.h))
    }
}

impl<C: Cost> IndexedQueue<C> {
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
        let entry = size_of::<(u64, StateId, Priority<C>)>();
        capacity * (entry + 2 * size_of::<usize>()) + table * (size_of::<usize>() + 1)
    }

    #[cold]
    fn grow(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let capacity = (self.queue.len() * 2).max(4);
        let bytes = Self::bytes(capacity);
        memory.claim(bytes.saturating_sub(self.claimed))?;
        if self.queue.try_reserve_exact(capacity - self.queue.len()).is_err() {
            memory.release(bytes.saturating_sub(self.claimed));
            return Err(OutOfMemory);
        }
        self.claimed = self.claimed.max(bytes);
        Ok(())
    }
}

impl<C: Cost> Default for IndexedQueue<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Cost> Frontier<C> for IndexedQueue<C> {
    #[inline]
    fn push(&mut self, id: StateId, f: C, h: C, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.queue.len() == self.queue.capacity() {
            self.grow(memory)?;
        }
        self.queue.push_increase(id, Priority { f, h });
        Ok(())
    }

    #[inline]
    fn pop(&mut self, _memory: &mut Memory) -> Result<Option<(StateId, C)>, OutOfMemory> {
        Ok(self.queue.pop().map(|(id, priority)| (id, priority.f)))
    }

    #[inline]
    fn coming(&self, ahead: usize) -> Option<StateId> {
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

impl<C: Cost> fmt::Debug for IndexedQueue<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexedQueue").field("entries", &self.queue.len()).finish_non_exhaustive()
    }
}
