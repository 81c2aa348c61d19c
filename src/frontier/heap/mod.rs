//! A heap with lazy deletion.

mod four_ary;
mod words;

pub(crate) use four_ary::{Entry, Heap, retain};

use self::words::Words;
pub use self::words::{Parts, Word};
use super::{Frontier, Key};
use crate::callback::Callback;
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// A heap with lazy deletion: stale entries are skipped on pop.
///
/// Pushing a state again adds a second entry; the first is popped later and skipped. This costs a few bytes
/// and is faster than finding and moving the first.
///
/// If keys are integers or floats, and key and id together have at most 64 bits, an entry takes 8 bytes; if the first number of the key
/// has, and the second one with the id, 16 bytes. Otherwise it takes the size of an id and a key. Low bits that are zero in the same number of every key do not count, as
/// in floats that are whole numbers.
///
/// Source: Johnson, *Priority queues with update and finding minimum spanning trees*, 1975.
#[derive(Clone, Debug)]
pub struct LazyHeap<K, I = u32> {
    words: Words<u64>,
    /// Used when keys and ids are too large for `words`.
    long_words: Words<u128>,
    /// Used when a key is not a pair of integers, or too large for `long_words`.
    pairs: Heap<Pair<K, I>>,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Words,
    LongWords,
    Pairs,
}

impl Form {
    /// Returns the form for keys of two numbers, and ids, of so many bits.
    const fn of(first: u32, second: u32, id: u32) -> Self {
        if first + second + id <= u64::BITS {
            Self::Words
        } else if first <= u64::BITS && second + id <= u64::BITS {
            Self::LongWords
        } else {
            Self::Pairs
        }
    }
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

/// Returns the parts of an entry, if its key is a pair of integers.
#[inline]
fn parts<K: Key, I: StateId>(id: I, key: K) -> Option<Parts> {
    let (first, second) = key.to_buckets()?;
    Some((first as u64, second as u64, id.to_u64()))
}

/// Returns the entry with these parts.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "both were made of a usize")]
fn entry<K: Key, I: StateId>((first, second, id): Parts) -> Option<(I, K)> {
    Some((I::from_u64(id), K::from_buckets(first as usize, second as usize)?))
}

impl<K: Key, I: StateId> LazyHeap<K, I> {
    /// Creates an empty heap.
    #[must_use]
    pub fn new() -> Self {
        let (words, long_words, pairs) = (Words::new(), Words::new(), Heap::new());
        Self { words, long_words, pairs, form: Form::Words }
    }

    /// The form that every key and id fits into.
    #[expect(clippy::cast_possible_truncation, reason = "an id has 32 or 64 bits")]
    const LAST_FORM: Form = match K::BITS {
        Some((first, second)) => Form::of(first, second, 8 * size_of::<I>() as u32),
        None => Form::Pairs,
    };

    // If keys and ids always fit into words, only the code for words is compiled: conditions begin with a constant.
    const HAS_LONG_WORDS: bool = !matches!(Self::LAST_FORM, Form::Words);
    const HAS_PAIRS: bool = matches!(Self::LAST_FORM, Form::Pairs);

    /// Reserves capacity for `additional` more entries in the current form.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        entries: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        if Self::HAS_PAIRS && self.form == Form::Pairs {
            memory.reserve(self.pairs.list(), entries)
        } else if Self::HAS_LONG_WORDS && self.form == Form::LongWords {
            self.long_words.reserve(entries, memory)
        } else {
            self.words.reserve(entries, memory)
        }
    }

    /// The same of a heap that is in words of 8 bytes: what other forms need is not compiled.
    #[inline]
    pub(super) fn reserve_words(
        &mut self,
        entries: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.words.reserve(entries, memory)
    }

    /// Whether entries are words of 8 bytes.
    #[inline]
    pub(super) fn has_words(&self) -> bool {
        !Self::HAS_LONG_WORDS || self.form == Form::Words
    }

    /// Returns the number of these words.
    #[inline]
    pub(super) fn words(&self) -> usize {
        self.words.heap.len()
    }

    /// Pushes an entry whose key is a pair of integers to a heap of words of 8 bytes, if it fits and there is capacity;
    /// whether it does.
    #[inline]
    pub(super) fn put_numbers(&mut self, id: I, first: usize, second: usize) -> bool {
        self.words.put_if_fits((first as u64, second as u64, id.to_u64()))
    }

    /// The same for words of 16 bytes, if there are fewer than `most`.
    #[inline]
    pub(super) fn put_long_numbers(
        &mut self,
        id: I,
        first: usize,
        second: usize,
        most: usize,
    ) -> bool {
        Self::HAS_LONG_WORDS
            && self.form == Form::LongWords
            && self.long_words.heap.len() < most
            && self.long_words.put(first as u64, second as u64, id.to_u64())
    }

    /// Pushes an entry whose key is a pair of integers, and that does not fit into words of 8 bytes as they are now, or for
    /// which there is no capacity.
    #[inline(never)]
    pub(super) fn push_other(
        &mut self,
        id: I,
        first: usize,
        second: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        if self.put_long_numbers(id, first, second, usize::MAX) {
            return Ok(());
        }
        let Some(key) = K::from_buckets(first, second) else { return Ok(()) };
        self.push_slow(id, key, memory)
    }

    /// Pushes an entry that does not fit the current layout, or not into words of 8 bytes.
    #[inline(never)]
    pub(super) fn push_slow(
        &mut self,
        id: I,
        key: K,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        if Self::HAS_PAIRS && self.form == Form::Pairs {
            memory.reserve(self.pairs.list(), 1)?;
            self.pairs.push(Pair { key, id });
            return Ok(());
        }
        let fits = match parts(id, key) {
            Some(parts) if Self::HAS_LONG_WORDS && self.form == Form::LongWords => {
                self.long_words.push(parts, memory)?
            }
            Some(parts) => self.words.push(parts, memory)?,
            None => false,
        };
        if Self::HAS_LONG_WORDS && !fits { self.outgrow(id, key, memory) } else { Ok(()) }
    }

    /// Changes to the next form that all entries fit, and pushes the one that did not fit.
    #[cold]
    #[inline(never)]
    fn outgrow(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.form == Form::Words && self.long_words.take_over(&mut self.words, memory)? {
            self.form = Form::LongWords;
        } else if Self::HAS_PAIRS {
            // One of the others has no entries.
            let entries = self.len();
            memory.reserve(self.pairs.list(), entries)?;
            let mut pairs = std::mem::replace(&mut self.pairs, Heap::new());
            self.visit(&mut |(id, key): (I, K)| pairs.push(Pair { key, id }));
            self.pairs = pairs;
            memory.free(std::mem::take(self.words.heap.list()));
            memory.free(std::mem::take(self.long_words.heap.list()));
            self.form = Form::Pairs;
        }
        self.push_slow(id, key, memory)
    }

    /// Removes the first entry.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<(I, K)> {
        if Self::HAS_LONG_WORDS && self.form != Form::Words {
            // Apart, so that in the other case nothing goes through memory.
            let (id, key) = self.take_other()?;
            return Some((id, key));
        }
        entry(self.words.take()?)
    }

    /// Like [`take`](Self::take), if entries are not in words of 8 bytes.
    #[inline(never)]
    fn take_other(&mut self) -> Option<(I, K)> {
        if Self::HAS_PAIRS && self.form == Form::Pairs {
            return self.pairs.pop().map(|pair| (pair.id, pair.key));
        }
        entry(self.long_words.take()?)
    }

    /// Guesses the parts of the entry that is popped after `ahead` others.
    #[inline]
    fn parts_hint(&self, ahead: usize) -> Option<Parts> {
        if Self::HAS_LONG_WORDS && self.form == Form::LongWords {
            return self.long_words.peek_hint(ahead);
        }
        self.words.peek_hint(ahead)
    }

    /// Returns the first entry.
    #[inline]
    pub(crate) fn peek(&self) -> Option<(I, K)> {
        if Self::HAS_PAIRS && self.form == Form::Pairs {
            return self.pairs.peek_hint(0).map(|pair| (pair.id, pair.key));
        }
        entry(self.parts_hint(0)?)
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
        if let Some((first, second)) = key.to_buckets() {
            if self.has_words() && self.put_numbers(id, first, second) {
                return Ok(());
            }
            return self.push_other(id, first, second, memory);
        }
        self.push_slow(id, key, memory)
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
        self.visit(&mut |(id, key): (I, K)| visit(id, key));
    }

    fn retain(&mut self, mut keep: impl FnMut(I, K) -> bool) {
        self.retain_by(&mut |(id, key): (I, K)| keep(id, key));
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        if Self::HAS_PAIRS && self.form == Form::Pairs {
            return self.pairs.peek_hint(ahead).map(|pair| pair.id);
        }
        self.parts_hint(ahead).map(|(.., id)| I::from_u64(id))
    }

    #[inline]
    fn len(&self) -> usize {
        if Self::HAS_PAIRS && self.form == Form::Pairs {
            self.pairs.len()
        } else if Self::HAS_LONG_WORDS && self.form == Form::LongWords {
            self.long_words.heap.len()
        } else {
            self.words.heap.len()
        }
    }

    fn clear(&mut self) {
        self.words.heap.clear();
        self.long_words.heap.clear();
        if Self::HAS_PAIRS {
            self.pairs.clear();
        }
        if self.form != Form::Words || !self.words.takes_turns() {
            // The next search may need another layout, or have bits for a better one.
            self.words.forget_layout();
            self.long_words.forget_layout();
            self.form = Form::Words;
        }
    }
}

// These are dynamic, because they are called too rarely to be compiled for the closures of each engine.
impl<K: Key, I: StateId> LazyHeap<K, I> {
    fn visit(&self, visit: &mut dyn Callback<(I, K)>) {
        let mut visit_parts = |parts: Parts| {
            if let Some(entry) = entry(parts) {
                visit.call(entry);
            }
        };
        if Self::HAS_LONG_WORDS && self.form == Form::LongWords {
            self.long_words.visit(&mut visit_parts);
        } else if self.form == Form::Words {
            self.words.visit(&mut visit_parts);
        } else if Self::HAS_PAIRS {
            self.pairs.iter().for_each(|pair| visit.call((pair.id, pair.key)));
        }
    }

    #[cold]
    fn retain_by(&mut self, keep: &mut dyn Callback<(I, K), bool>) {
        let mut keeps = |parts: Parts| entry(parts).is_some_and(|entry| keep.call(entry));
        if Self::HAS_LONG_WORDS && self.form == Form::LongWords {
            self.long_words.retain(&mut keeps);
        } else if self.form == Form::Words {
            self.words.retain(&mut keeps);
        } else if Self::HAS_PAIRS {
            self.pairs.retain(|pair| keep.call((pair.id, pair.key)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::{Priority, Single};

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
                (7, 3, 5, Form::Words),
                (1 << 33, 1 << 19, 1, Form::Words),
                (6, 3, 7, Form::Words),
                (1, 1 << 20, 2, Form::LongWords),
                (1 << 42, 1, 6, Form::LongWords),
                (5, 1, u32::MAX >> 1, Form::LongWords),
                (1 << 60, 1, 8, Form::LongWords),
                (1, 1 << 40, 9, Form::Pairs),
            ];
            for (first, second, id, form) in entries {
                heap.push(id, key(first, second), &mut memory).unwrap();
                assert_eq!(heap.form, form, "after {first}, {second}, {id}");
                pushed.push((first, second, id));
                assert_eq!(heap.len(), pushed.len());
                // All entries are popped in order.
                pushed.sort_unstable();
                let mut copy = heap.clone();
                let order: Vec<_> = std::iter::from_fn(|| copy.take()).collect();
                let expected = pushed.iter().map(|&(first, second, id)| (id, key(first, second)));
                assert!(order.into_iter().eq(expected));
            }
            assert_eq!(heap.peek_hint(0), Some(2));
            heap.clear();
            assert_eq!((heap.len(), heap.form), (0, Form::Words));
        }
        // The layouts are forgotten as well.
        heap.push(0, key(1 << 50, 0), &mut memory).unwrap();
        assert_eq!(heap.form, Form::Words);
        heap.push(u32::MAX >> 1, key(1, (1 << 12) + 1), &mut memory).unwrap();
        assert_eq!(heap.form, Form::LongWords);
        let bytes = 8 * heap.words.heap.list().capacity()
            + 16 * heap.long_words.heap.list().capacity()
            + size_of::<Pair<Priority<u64>, u32>>() * heap.pairs.list().capacity();
        assert_eq!(memory.held(), bytes);
    }

    #[test]
    fn entries_of_any_size_are_popped_in_order_and_as_they_were() {
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let mut heap = Heap64::new();
        let mut memory = Memory::new(usize::MAX);
        let mut forms = [0; 3];
        for _ in 0..2000 {
            // Of each number some bits, and zeros behind them; now and then one of any size.
            let kinds = [0; 3].map(|_| (random(33), random(40)));
            let mut number = |kind: usize| {
                let (bits, zeros) = kinds[kind];
                let rare = random(50) == 0;
                let (bits, zeros) = if rare { (random(33), random(33)) } else { (bits, zeros) };
                random((1 << bits).max(1)) << zeros
            };
            let mut pushed = Vec::new();
            for turn in 0..60 {
                let (first, second) = (number(0), number(1));
                let id = u32::try_from(number(2) & u64::from(u32::MAX >> 2)).unwrap();
                // Where there is no memory, nothing is lost, and it is pushed when there is.
                let more = [0, 100, usize::MAX >> 1][turn % 3];
                memory.set_most(memory.held() + more);
                if heap.push(id, key(first, second), &mut memory).is_err() {
                    assert_eq!(heap.len(), pushed.len());
                    memory.set_most(usize::MAX);
                    heap.push(id, key(first, second), &mut memory).unwrap();
                }
                pushed.push((first, second, id));
            }
            forms[heap.form as usize] += 1;
            let mut popped: Vec<_> = std::iter::from_fn(|| heap.take())
                .map(|(id, key)| (key.first, key.second, id))
                .collect();
            assert!(popped.is_sorted_by_key(|&(first, second, _)| (first, second)));
            popped.sort_unstable();
            pushed.sort_unstable();
            assert_eq!(popped, pushed);
            heap.clear();
        }
        assert!(forms.iter().all(|&count| count > 100), "{forms:?}");
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

    #[test]
    fn keys_that_always_fit_into_words_have_no_other_form() {
        assert_eq!(LazyHeap::<Single<u32>>::LAST_FORM, Form::Words);
        assert_eq!(LazyHeap::<Priority<u16>>::LAST_FORM, Form::Words);
        assert_eq!(LazyHeap::<Single<u32>, u64>::LAST_FORM, Form::LongWords);
        assert_eq!(LazyHeap::<Priority<u32>>::LAST_FORM, Form::LongWords);
        // Some of these keys have no integer form.
        assert_eq!(LazyHeap::<Single<i32>>::LAST_FORM, Form::Pairs);
        assert_eq!(LazyHeap::<Single<f32>>::LAST_FORM, Form::Pairs);
        let entries = [(0, 0), (7, 1), (9, 1), (0, u32::MAX), (u32::MAX - 1, u32::MAX)];
        let mut heap = LazyHeap::<Single<u32>>::new();
        let mut memory = Memory::new(usize::MAX);
        for (id, cost) in entries.into_iter().rev() {
            heap.push(id, Single(cost), &mut memory).unwrap();
        }
        for (id, cost) in entries {
            assert_eq!(heap.take(), Some((id, Single(cost))));
        }
        assert_eq!(heap.take(), None);
    }
}
