//! A heap with lazy deletion.

mod four_ary;
mod words;

pub(super) use four_ary::{Entry, Heap};

use self::words::{Parts, Words};
use super::{Frontier, Key};
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// A heap with lazy deletion: stale entries are skipped on pop.
///
/// Pushing a state again adds a second entry; the first is popped later and skipped. That costs a few bytes
/// and is faster than finding the first and moving it.
///
/// If keys are whole numbers, an entry takes 8 bytes as long as the bits of key and id together are no more
/// than 64. Otherwise it takes the size of an id and a key.
///
/// Source: Johnson, *Priority queues with update and finding minimum spanning trees*, 1975.
#[derive(Clone, Debug)]
pub struct LazyHeap<K, I = u32> {
    words: Words,
    /// Takes over when a key is no pair of whole numbers, or too large for a word.
    pairs: Heap<Pair<K, I>>,
    is_in_pairs: bool,
}

#[derive(Clone, Copy, Debug)]
struct Pair<K, I> {
    key: K,
    id: I,
}

impl<K: Key, I: StateId> Entry for Pair<K, I> {
    #[inline]
    fn precedes(self, other: Self) -> bool {
        self.key.precedes(&other.key)
    }
}

/// The parts of an entry, if its key is a pair of whole numbers.
#[inline]
fn parts<K: Key, I: StateId>(id: I, key: K) -> Option<Parts> {
    let (first, second) = key.to_buckets()?;
    Some((first as u64, second as u64, id.to_u64()))
}

/// The entry of these parts.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "both were made of a usize")]
fn entry<K: Key, I: StateId>((first, second, id): Parts) -> Option<(I, K)> {
    Some((I::from_u64(id), K::from_buckets(first as usize, second as usize)?))
}

impl<K: Key, I: StateId> LazyHeap<K, I> {
    /// An empty heap.
    #[must_use]
    pub fn new() -> Self {
        Self { words: Words::new(), pairs: Heap::new(), is_in_pairs: false }
    }

    /// Makes room in the empty heap for `entries` entries, none of which has larger parts.
    pub(super) fn prepare(
        &mut self,
        entries: usize,
        largest: Option<Parts>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.is_in_pairs = !largest.is_some_and(|parts| self.words.widen(parts));
        self.reserve(entries, memory)
    }

    /// Makes room for `entries` more entries in the present form.
    #[inline]
    fn reserve(&mut self, entries: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.is_in_pairs {
            memory.reserve(self.pairs.list(), entries)
        } else {
            memory.reserve(self.words.heap.list(), entries)
        }
    }

    /// Pushes an entry whose key is a pair of whole numbers.
    #[inline]
    pub(super) fn push_numbers(
        &mut self,
        id: I,
        first: usize,
        second: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let parts = (first as u64, second as u64, id.to_u64());
        if !self.is_in_pairs && self.words.holds(parts) {
            memory.reserve(self.words.heap.list(), 1)?;
            self.words.put(parts);
            return Ok(());
        }
        let Some(key) = K::from_buckets(first, second) else { return Ok(()) };
        self.push_with_care(id, key, memory)
    }

    /// Pushes an entry that does not fit into a word as things are.
    #[inline(never)]
    fn push_with_care(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.reserve(1, memory)?;
        if !self.is_in_pairs {
            if let Some(parts) = parts(id, key)
                && self.words.widen(parts)
            {
                self.words.put(parts);
                return Ok(());
            }
            self.turn_into_pairs(memory)?;
        }
        self.pairs.push(Pair { key, id });
        Ok(())
    }

    /// Moves all entries from the words to the pairs, and makes room for one more.
    #[cold]
    #[inline(never)]
    fn turn_into_pairs(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let Self { words, pairs, .. } = self;
        memory.reserve(pairs.list(), words.heap.len() + 1)?;
        for &word in words.heap.iter() {
            if let Some((id, key)) = entry(words.decode(word)) {
                pairs.push(Pair { key, id });
            }
        }
        words.heap.clear();
        self.is_in_pairs = true;
        Ok(())
    }

    /// Removes the first entry.
    #[inline]
    pub(super) fn take(&mut self) -> Option<(I, K)> {
        if self.is_in_pairs { self.take_pair() } else { entry(self.words.pop()?) }
    }

    #[inline(never)]
    fn take_pair(&mut self) -> Option<(I, K)> {
        self.pairs.pop().map(|pair| (pair.id, pair.key))
    }

    /// The first entry.
    #[inline]
    pub(super) fn peek(&self) -> Option<(I, K)> {
        if self.is_in_pairs {
            self.pairs.peek().map(|pair| (pair.id, pair.key))
        } else {
            entry(self.words.decode(self.words.heap.peek()?))
        }
    }
}

impl<K: Key, I: StateId> Default for LazyHeap<K, I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key, I: StateId> Frontier<I, K> for LazyHeap<K, I> {
    #[inline]
    fn push(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        match key.to_buckets() {
            Some((first, second)) if !self.is_in_pairs => {
                self.push_numbers(id, first, second, memory)
            }
            _ => self.push_with_care(id, key, memory),
        }
    }

    #[inline]
    fn pop(&mut self, _memory: &mut Memory) -> Result<Option<(I, K)>, OutOfMemory> {
        Ok(self.take())
    }

    #[inline]
    fn least(&mut self, _memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        Ok(self.peek().map(|(_, key)| key))
    }

    fn for_each(&self, mut visit: impl FnMut(I, K)) {
        for &word in self.words.heap.iter() {
            if let Some((id, key)) = entry(self.words.decode(word)) {
                visit(id, key);
            }
        }
        self.pairs.iter().for_each(|pair| visit(pair.id, pair.key));
    }

    fn retain(&mut self, mut keep: impl FnMut(I, K) -> bool) {
        self.words.retain(|parts| entry(parts).is_some_and(|(id, key)| keep(id, key)));
        self.pairs.retain(|pair| keep(pair.id, pair.key));
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        if self.is_in_pairs {
            self.pairs.peek_hint(ahead).map(|pair| pair.id)
        } else {
            let word = self.words.heap.peek_hint(ahead)?;
            Some(I::from_u64(self.words.decode(word).2))
        }
    }

    #[inline]
    fn len(&self) -> usize {
        if self.is_in_pairs { self.pairs.len() } else { self.words.heap.len() }
    }

    fn clear(&mut self) {
        self.words.heap.clear();
        self.pairs.clear();
        if self.is_in_pairs {
            self.words.forget_layout();
            self.is_in_pairs = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::Priority;

    type Heap64 = LazyHeap<Priority<u64>>;

    fn key(first: u64, second: u64) -> Priority<u64> {
        Priority { first, second }
    }

    #[test]
    fn entries_outgrow_their_words_and_keep_their_order() {
        let mut heap = Heap64::new();
        let mut memory = Memory::new(usize::MAX);
        for _ in 0..2 {
            let mut pushed = Vec::new();
            let entries = [
                (7, 3, 5, false),
                (1 << 40, 1 << 19, 1, false),
                (6, 3, 7, false),
                (1, 1 << 20, 2, true),
                (u64::MAX, 1 << 33, 6, true),
                (5, 1, u32::MAX >> 1, true),
            ];
            for (first, second, id, is_in_pairs) in entries {
                heap.push(id, key(first, second), &mut memory).unwrap();
                assert_eq!(heap.is_in_pairs, is_in_pairs, "after {first}, {second}, {id}");
                pushed.push((first, second, id));
                assert_eq!(heap.len(), pushed.len());
                // Everything comes out in order.
                pushed.sort_unstable();
                let mut copy = heap.clone();
                let order: Vec<_> = std::iter::from_fn(|| copy.take()).collect();
                let expected = pushed.iter().map(|&(first, second, id)| (id, key(first, second)));
                assert!(order.into_iter().eq(expected));
            }
            assert_eq!(heap.peek_hint(0), Some(2));
            heap.clear();
            assert_eq!((heap.len(), heap.is_in_pairs), (0, false));
        }
        // The layout of the words is forgotten as well.
        heap.push(0, key(1 << 50, 0), &mut memory).unwrap();
        assert!(!heap.is_in_pairs);
        let bytes = 8 * heap.words.heap.list().capacity()
            + size_of::<Pair<Priority<u64>, u32>>() * heap.pairs.list().capacity();
        assert_eq!(memory.held(), bytes);
    }

    #[test]
    fn room_is_made_in_the_form_that_is_used() {
        for (largest, is_in_pairs) in [
            ((1 << 30, 1 << 20, 100), false),
            ((1 << 40, 1 << 20, 100), true),
            ((u64::MAX, 1 << 40, u32::MAX >> 1), true),
        ] {
            let (first, second, id) = largest;
            let mut heap = Heap64::new();
            let mut memory = Memory::new(usize::MAX);
            heap.prepare(9, parts(id, key(first, second)), &mut memory).unwrap();
            let held = memory.held();
            for part in (1..=9).rev() {
                heap.push(id / part, key(first / u64::from(part), second), &mut memory).unwrap();
            }
            assert_eq!((heap.is_in_pairs, memory.held()), (is_in_pairs, held));
        }
    }

    #[test]
    fn some_entries_are_removed_and_the_others_keep_their_order() {
        for scale in [1, 1 << 40] {
            let mut heap = Heap64::new();
            let mut memory = Memory::new(usize::MAX);
            for id in 0..1000_u32 {
                let first = u64::from(id.wrapping_mul(2_654_435_769) >> 20);
                heap.push(id, key(first * scale, first << 13), &mut memory).unwrap();
            }
            heap.retain(|id, _| id % 3 == 0);
            let mut visited = 0;
            heap.for_each(|id, _| {
                assert_eq!(id % 3, 0);
                visited += 1;
            });
            assert_eq!((visited, heap.len()), (334, 334));
            let least = heap.least(&mut memory).unwrap();
            let order: Vec<_> = std::iter::from_fn(|| heap.take()).collect();
            assert_eq!(least, order.first().map(|&(_, key)| key));
            assert!(order.is_sorted_by(|a, b| !b.1.precedes(&a.1)));
        }
    }
}
