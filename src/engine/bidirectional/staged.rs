//! [`Staged`]: the open list of a half, some of whose states wait until the bound has come to their *f*.

use crate::cost::Cost;
use crate::frontier::{Frontier, Key};
use crate::memory::{Memory, OutOfMemory};

/// A [`Key`] of a search from both ends.
///
/// A state may wait until what is proved has come to its threshold. Until then it is sorted by its key, and
/// from then on by the key turned round.
pub trait StagedKey<C>: Key {
    /// The bound at which states with this key may be expanded; `None`, the default: at once.
    #[inline]
    fn threshold(&self) -> Option<C> {
        None
    }

    /// The whole number that decides between two keys, if there is one: open states are counted by it.
    #[inline]
    fn level(&self) -> Option<usize> {
        None
    }

    /// The key by which a state is sorted once it may be expanded; turned round twice, it is the same.
    #[inline]
    #[must_use]
    fn turned(self) -> Self {
        self
    }
}

/// An open list of two: states that may be expanded, and states that wait.
///
/// Source: Chen, Holte, Zilles and Sturtevant, *Front-to-End Bidirectional Heuristic Search with
/// Near-Optimal Node Expansions*, 2017.
#[derive(Clone, Debug)]
pub(super) struct Staged<F, C> {
    ready: F,
    waiting: F,
    /// States with thresholds up to this one do not wait.
    bound: C,
    /// For each level, the number of entries.
    counts: Vec<u32>,
}

/// How many waiting states may be admitted before the limits are checked again.
const MOST_ADMITTED: usize = 1 << 12;

/// The first list of counts has room for so many levels.
const FIRST_LEVELS: usize = 1 << 7;

/// Larger levels are not counted.
const MOST_LEVELS: usize = 1 << 16;

impl<F: Clone, C: Cost> Staged<F, C> {
    pub(super) fn new(frontier: F) -> Self {
        Self { ready: frontier.clone(), waiting: frontier, bound: C::ZERO, counts: Vec::new() }
    }
}

impl<F, C: Cost> Staged<F, C> {
    #[inline]
    fn waits<K: StagedKey<C>>(&self, key: &K) -> bool {
        key.threshold().is_some_and(|threshold| threshold > self.bound)
    }

    /// How many entries have the level of this key, stale entries included; `None` if they are not counted.
    #[inline]
    pub(super) fn count<K: StagedKey<C>>(&self, key: &K) -> Option<u32> {
        self.counts.get(Self::counted_level(key)?).copied()
    }

    /// Makes sure that the entries with the level of this key are counted.
    #[cold]
    fn count_up_to(&mut self, level: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let missing = level + 1 - self.counts.len();
        memory.reserve_from(&mut self.counts, missing, FIRST_LEVELS)?;
        self.counts.resize(self.counts.capacity(), 0);
        Ok(())
    }

    /// The level of a key, if entries with it are counted.
    #[inline]
    fn counted_level<K: StagedKey<C>>(key: &K) -> Option<usize> {
        key.level().filter(|&level| level < MOST_LEVELS)
    }

    /// The least threshold of the states that wait, stale entries included. They are not sorted for it: the search may end
    /// before any of them is needed.
    #[inline]
    pub(super) fn least_waiting<I, K: StagedKey<C>>(
        &mut self,
        memory: &mut Memory,
    ) -> Result<Option<C>, OutOfMemory>
    where
        F: Frontier<I, K>,
    {
        if self.waiting.is_empty() {
            return Ok(None);
        }
        Ok(self.waiting.bound(memory)?.and_then(|key| key.threshold()))
    }

    /// States with thresholds up to `bound` may be expanded from now on. Returns whether any had waited; `None` if some
    /// still do, and the next call goes on.
    pub(super) fn admit<I, K: StagedKey<C>>(
        &mut self,
        bound: C,
        memory: &mut Memory,
    ) -> Result<Option<bool>, OutOfMemory>
    where
        I: Copy,
        F: Frontier<I, K>,
    {
        self.bound = bound;
        for nth in 0..MOST_ADMITTED {
            let least = self.least_waiting::<I, K>(memory)?;
            if least.is_none_or(|least| least > bound) {
                return Ok(Some(nth > 0));
            }
            let Some((id, key)) = self.waiting.pop(memory)? else { return Ok(Some(nth > 0)) };
            if let Err(full) = self.ready.push(id, key.turned(), memory) {
                // It has just had room there.
                return self.waiting.push(id, key, memory).and(Err(full));
            }
        }
        Ok(None)
    }
}

impl<I, K: StagedKey<C>, C: Cost, F: Frontier<I, K>> Frontier<I, K> for Staged<F, C> {
    #[inline]
    fn push(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let level = Self::counted_level(&key);
        if let Some(level) = level
            && level >= self.counts.len()
        {
            self.count_up_to(level, memory)?;
        }
        if self.waits(&key) {
            self.waiting.push(id, key, memory)?;
        } else {
            self.ready.push(id, key.turned(), memory)?;
        }
        if let Some(level) = level {
            self.counts[level] = self.counts[level].saturating_add(1);
        }
        Ok(())
    }

    #[inline]
    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(I, K)>, OutOfMemory> {
        let Some((id, key)) = self.ready.pop(memory)? else { return Ok(None) };
        let key = key.turned();
        if let Some(count) = Self::counted_level(&key).and_then(|level| self.counts.get_mut(level))
        {
            *count = count.saturating_sub(1);
        }
        Ok(Some((id, key)))
    }

    fn least(&mut self, memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        Ok(self.ready.least(memory)?.map(K::turned))
    }

    fn for_each(&self, mut visit: impl FnMut(I, K)) {
        self.ready.for_each(|id, key| visit(id, key.turned()));
        self.waiting.for_each(visit);
    }

    fn retain(&mut self, mut keep: impl FnMut(I, K) -> bool) {
        self.counts.fill(0);
        let counts = &mut self.counts;
        let mut keep = |id, key: K| {
            let keeps = keep(id, key);
            if let Some(count) =
                Self::counted_level(&key).and_then(|level| counts.get_mut(level)).filter(|_| keeps)
            {
                *count = count.saturating_add(1);
            }
            keeps
        };
        self.ready.retain(|id, key| keep(id, key.turned()));
        self.waiting.retain(keep);
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        self.ready.peek_hint(ahead)
    }

    #[inline]
    fn len(&self) -> usize {
        self.ready.len() + self.waiting.len()
    }

    fn clear(&mut self) {
        self.ready.clear();
        self.waiting.clear();
        self.counts.clear();
        self.bound = C::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::LazyHeap;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Threshold(u32);

    impl Key for Threshold {
        fn precedes(&self, other: &Self) -> bool {
            self.0 < other.0
        }
    }

    impl StagedKey<u32> for Threshold {
        fn threshold(&self) -> Option<u32> {
            Some(self.0)
        }
    }

    /// A frontier that sorts for the least key, and counts how often.
    #[derive(Clone, Debug)]
    struct Sorting {
        heap: LazyHeap<Threshold>,
        sorted: u32,
    }

    impl Frontier<u32, Threshold> for Sorting {
        fn push(
            &mut self,
            id: u32,
            key: Threshold,
            memory: &mut Memory,
        ) -> Result<(), OutOfMemory> {
            self.heap.push(id, key, memory)
        }
        fn pop(&mut self, memory: &mut Memory) -> Result<Option<(u32, Threshold)>, OutOfMemory> {
            self.sorted += 1;
            self.heap.pop(memory)
        }
        fn least(&mut self, memory: &mut Memory) -> Result<Option<Threshold>, OutOfMemory> {
            self.sorted += 1;
            self.heap.least(memory)
        }
        fn bound(&mut self, memory: &mut Memory) -> Result<Option<Threshold>, OutOfMemory> {
            self.heap.least(memory)
        }
        fn for_each(&self, visit: impl FnMut(u32, Threshold)) {
            self.heap.for_each(visit);
        }
        fn retain(&mut self, keep: impl FnMut(u32, Threshold) -> bool) {
            self.heap.retain(keep);
        }
        fn len(&self) -> usize {
            Frontier::<u32, Threshold>::len(&self.heap)
        }
        fn clear(&mut self) {
            Frontier::<u32, Threshold>::clear(&mut self.heap);
        }
    }

    #[test]
    fn states_that_wait_are_not_sorted_before_they_are_admitted() {
        let mut memory = Memory::new(usize::MAX);
        let mut staged = Staged::new(Sorting { heap: LazyHeap::new(), sorted: 0 });
        for (id, threshold) in [(0, 7), (1, 5), (2, 9)] {
            staged.push(id, Threshold(threshold), &mut memory).unwrap();
        }
        assert_eq!(staged.least_waiting::<u32, Threshold>(&mut memory), Ok(Some(5)));
        assert_eq!(staged.admit::<u32, Threshold>(4, &mut memory), Ok(Some(false)));
        assert_eq!(staged.waiting.sorted, 0);
        assert_eq!(staged.admit::<u32, Threshold>(5, &mut memory), Ok(Some(true)));
        assert_eq!(staged.waiting.sorted, 1);
        assert_eq!(staged.least_waiting::<u32, Threshold>(&mut memory), Ok(Some(7)));
        assert_eq!(staged.waiting.sorted, 1);
    }

    #[test]
    fn many_states_are_admitted_in_pieces() {
        let mut memory = Memory::new(usize::MAX);
        let mut staged = Staged::new(LazyHeap::<Threshold>::new());
        let waiting = 2 * u32::try_from(MOST_ADMITTED).unwrap() + 1;
        for id in 0..=waiting {
            staged.push(id, Threshold(if id == waiting { 9 } else { 5 }), &mut memory).unwrap();
        }
        let mut admit = || {
            let admitted = Staged::admit::<u32, Threshold>(&mut staged, 5, &mut memory).unwrap();
            (admitted, Frontier::<u32, Threshold>::len(&staged.ready))
        };
        assert_eq!(admit(), (None, MOST_ADMITTED));
        assert_eq!(admit(), (None, 2 * MOST_ADMITTED));
        assert_eq!(admit(), (Some(true), 2 * MOST_ADMITTED + 1));
        assert_eq!(admit(), (Some(false), 2 * MOST_ADMITTED + 1));
    }
}
