//! Heap entries of one integer each.

use num_traits::{AsPrimitive, PrimInt};

use super::four_ary::{Entry, Heap, retain};
use crate::callback::Callback;
use crate::memory::{Memory, OutOfMemory};

/// An integer that holds an entry. Its functions are compiled once for each width, in this crate, and not in programs.
pub trait Word: Entry + PrimInt + From<u64> + AsPrimitive<u64> {
    const BITS: u32;

    /// The first allocation has capacity for so many words if memory allows.
    const FIRST: usize;

    /// Removes the first word.
    fn pop(heap: &mut Heap<Self>) -> Option<Self>;

    /// Guesses the word that is popped after `ahead` others.
    fn peek_hint(heap: &Heap<Self>, ahead: usize) -> Option<Self>;

    /// Puts the words of the list into the order of a heap.
    fn restore(heap: &mut Heap<Self>);
}

macro_rules! words {
    ($($word:ty, $first:literal;)*) => {$(
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const FIRST: usize = $first;

            #[inline(never)]
            fn pop(heap: &mut Heap<Self>) -> Option<Self> {
                heap.pop()
            }

            #[inline(never)]
            fn peek_hint(heap: &Heap<Self>, ahead: usize) -> Option<Self> {
                heap.peek_hint(ahead)
            }

            #[cold]
            #[inline(never)]
            fn restore(heap: &mut Heap<Self>) {
                heap.restore();
            }
        }
    )*};
}

words! { u64, 128; u128, 0; }

/// The two numbers of a key, and the id.
pub type Parts = (u64, u64, u64);

/// A heap of entries of one word each: from the highest bit, the first number of the key, the second, whether the id is odd, and
/// the id. So one comparison orders entries.
///
/// Of equal keys, even ids come first, and of these the smaller one, of the state that was stored first. Equal successors
/// of a state, whose ids follow each other, then take turns. If always the first or always the last of them came first, a
/// search on a grid with equal costs would follow the border of the rectangle between start and goal, where a wall leaves
/// it the fewest ways.
#[derive(Clone, Debug)]
pub struct Words<W> {
    pub heap: Heap<W>,
    layout: Layout,
}

/// The layout of the bits of a word.
#[derive(Clone, Copy, Debug)]
struct Layout {
    second_bits: u32,
    /// With the bit that says whether the id is odd.
    id_bits: u32,
    /// This bit; 0 if none is left for it.
    odd: u64,
    /// The largest parts that fit.
    largest: Parts,
}

/// Second numbers and ids get bits for at least these values, if that leaves enough for the first number.
const SPARE_SECOND: u64 = (1 << 14) - 1;
const SPARE_ID: u64 = (1 << 20) - 1;

/// The number of bits that say whether the id is odd.
const TURN: u32 = 1;

impl Layout {
    /// No bits for any part.
    const EMPTY: Self = Self { second_bits: 0, id_bits: 0, odd: 0, largest: (0, 0, 0) };

    /// Returns a layout of words of `bits` bits for parts up to these, and more where that is possible, so that it is not
    /// widened for every further bit.
    #[cold]
    #[inline(never)]
    fn wide_enough(parts: Parts, bits: u32) -> Option<Self> {
        let (first, second, id) = parts;
        let halves = if bits > u64::BITS { Self::of_halves(parts) } else { None };
        let spacious = (first, second.max(SPARE_SECOND), id.max(SPARE_ID));
        let takes_turns = halves
            .or_else(|| Self::of(spacious, bits, TURN))
            .or_else(|| Self::of(parts, bits, TURN));
        takes_turns.or_else(|| Self::of(parts, bits, 0))
    }

    /// Returns a layout of words of `bits` bits for parts up to these, if there is one, with [`TURN`] bits or none that say
    /// whether the id is odd.
    #[inline(never)]
    fn of((first, second, id): Parts, bits: u32, turn: u32) -> Option<Self> {
        let needed = |number: u64| u64::BITS - number.leading_zeros();
        let most = |bits: u32| u64::MAX.checked_shr(u64::BITS.saturating_sub(bits)).unwrap_or(0);
        let (second_bits, id_bits) = (needed(second), needed(id) + turn);
        if id_bits > u64::BITS {
            return None;
        }
        let first_bits = bits.checked_sub(second_bits + id_bits)?;
        // At least one bit for the first part, so that no shift is by the whole width.
        let is_enough = needed(first).max(1) <= first_bits;
        let largest = (most(first_bits), most(second_bits), most(id_bits - turn));
        let odd = if turn == 0 { 0 } else { largest.2 + 1 };
        is_enough.then_some(Self { second_bits, id_bits, odd, largest })
    }

    /// Returns a layout of words of 128 bits for parts up to these, with the key in the upper half and the id in the lower
    /// one, if the key fits there.
    fn of_halves((first, second, id): Parts) -> Option<Self> {
        let needed = |number: u64| u64::BITS - number.leading_zeros();
        let spare = u64::BITS.checked_sub(needed(first).max(1) + needed(second))?;
        // What is left goes to both.
        let second_bits = needed(second) + spare / 2;
        let odd: u64 = if id >> 63 == 0 { 1 << 63 } else { 0 };
        let largest = (u64::MAX >> second_bits, !(u64::MAX << second_bits), odd.wrapping_sub(1));
        Some(Self { second_bits, id_bits: u64::BITS, odd, largest })
    }

    /// Whether an entry of these parts fits.
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "no branches: all three are nearly always true"
    )]
    fn holds(&self, (first, second, id): Parts) -> bool {
        let (most_first, most_second, most_id) = self.largest;
        (first <= most_first) & (second <= most_second) & (id <= most_id)
    }

    /// Whether the key is in the upper half of the word and the id in the lower one: shifts by any number of bits take far
    /// longer in words of 128 bits.
    #[inline]
    fn has_halves<W: Word>(&self) -> bool {
        W::BITS > u64::BITS && self.id_bits == u64::BITS
    }

    #[inline]
    fn encode<W: Word>(&self, (first, second, id): Parts) -> W {
        let is_odd = (id & 1).wrapping_neg() & self.odd;
        let id: W = (id | is_odd).into();
        if self.has_halves::<W>() {
            let key: W = (first << self.second_bits | second).into();
            return key << u64::BITS as usize | id;
        }
        let (first, second): (W, W) = (first.into(), second.into());
        (first << self.second_bits as usize | second) << self.id_bits as usize | id
    }

    #[inline]
    fn decode<W: Word>(&self, word: W) -> Parts {
        if self.has_halves::<W>() {
            let key = (word >> u64::BITS as usize).as_();
            return (key >> self.second_bits, key & self.largest.1, word.as_() & self.largest.2);
        }
        let costs = word >> self.id_bits as usize;
        let first = (costs >> self.second_bits as usize).as_();
        (first, costs.as_() & self.largest.1, word.as_() & self.largest.2)
    }

    /// As [`encode`](Self::encode), for what is seldom done: not inlined into loops, which would be compiled for each layout.
    #[inline(never)]
    fn write<W: Word>(&self, parts: Parts) -> W {
        self.encode(parts)
    }

    /// As [`decode`](Self::decode), for what is seldom done.
    #[inline(never)]
    fn read<W: Word>(&self, word: W) -> Parts {
        self.decode(word)
    }
}

impl<W: Word> Words<W> {
    pub fn new() -> Self {
        Self { heap: Heap::new(), layout: Layout::EMPTY }
    }

    /// Whether an entry of these parts fits the current layout.
    #[inline]
    pub fn holds(&self, parts: Parts) -> bool {
        self.layout.holds(parts)
    }

    /// Pushes an entry if it fits and there is capacity; whether it does.
    #[inline]
    pub fn put_if_fits(&mut self, parts: Parts) -> bool {
        let fits = self.layout.holds(parts) && !self.heap.is_full();
        if fits {
            self.heap.put(self.layout.encode(parts));
        }
        fits
    }

    /// Guesses the entry that is popped after `ahead` others.
    #[inline]
    pub fn peek_hint(&self, ahead: usize) -> Option<Parts> {
        W::peek_hint(&self.heap, ahead).map(|word| self.layout.decode(word))
    }

    /// Whether even ids come before odd ones.
    pub fn takes_turns(&self) -> bool {
        self.layout.odd != 0
    }

    /// Resets the layout: the next search may need another one.
    pub fn forget_layout(&mut self) {
        self.layout = Layout::EMPTY;
    }

    /// Calls `visit` with every entry, in heap order.
    #[inline]
    fn visit_each(&self, mut visit: impl FnMut(Parts)) {
        self.heap.iter().for_each(|&word| visit(self.layout.read(word)));
    }

    /// Widens the layout, if the bits suffice, so that these parts fit as well as the stored entries.
    #[inline]
    fn widen_to(&mut self, (first, second, id): Parts) -> bool {
        let before = self.layout;
        let mut needed = (first, second, id);
        self.visit_each(|(first, second, id)| {
            // As many bits as the largest has.
            needed = (needed.0 | first, needed.1 | second, needed.2 | id);
        });
        let Some(layout) = Layout::wide_enough(needed, W::BITS) else { return false };
        self.heap.map_in_order(|word| layout.write(before.read(word)));
        if (before.odd == 0) != (layout.odd == 0) {
            // The order of equal keys is another one.
            W::restore(&mut self.heap);
        }
        self.layout = layout;
        true
    }
}

impl Words<u64> {
    /// Removes the first entry.
    #[inline]
    pub fn take(&mut self) -> Option<Parts> {
        Word::pop(&mut self.heap).map(|word| self.layout.decode(word))
    }
}

// These are compiled once for each width, in this crate, and not in programs.
macro_rules! compiled_once {
    ($($word:ty),*) => {$(
        impl Words<$word> {
            /// Widens the layout, if the bits suffice, so that these parts fit as well as the stored entries.
            #[cold]
            #[inline(never)]
            pub fn widen(&mut self, parts: Parts) -> bool {
                self.widen_to(parts)
            }

            /// Pushes an entry if it fits, possibly in a wider layout; whether it does.
            #[inline(never)]
            pub fn push(&mut self, parts: Parts, memory: &mut Memory) -> Result<bool, OutOfMemory> {
                let fits = self.layout.holds(parts) || self.widen(parts);
                if fits {
                    memory.reserve_from(self.heap.list(), 1, <$word>::FIRST)?;
                    self.heap.put(self.layout.encode(parts));
                }
                Ok(fits)
            }

            /// Reserves capacity for so many more words.
            #[cold]
            #[inline(never)]
            pub fn reserve(
                &mut self,
                additional: usize,
                memory: &mut Memory,
            ) -> Result<(), OutOfMemory> {
                memory.reserve_from(self.heap.list(), additional, <$word>::FIRST)
            }

            /// Calls `visit` with every entry, in heap order.
            #[inline(never)]
            pub fn visit(&self, visit: &mut dyn Callback<Parts>) {
                self.visit_each(|parts| visit.call(parts));
            }

            /// Keeps the entries for which `keep` returns true.
            #[cold]
            #[inline(never)]
            pub fn retain(&mut self, keep: &mut dyn Callback<Parts, bool>) {
                let layout = self.layout;
                retain(self.heap.list(), |word| keep.call(layout.read(word)));
                Word::restore(&mut self.heap);
            }
        }
    )*};
}

compiled_once! { u64, u128 }

impl Words<u128> {
    /// Removes the first entry. Not inlined, as what decodes long words is long.
    #[inline(never)]
    pub fn take(&mut self) -> Option<Parts> {
        self.heap.pop().map(|word| self.layout.decode(word))
    }

    /// Moves the entries from a heap of shorter words.
    #[cold]
    #[inline(never)]
    pub fn take_over(
        &mut self,
        words: &mut Words<u64>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        // As many more entries may come as there was room for.
        if memory.reserve(self.heap.list(), words.heap.list().capacity()).is_err() {
            memory.reserve(self.heap.list(), words.heap.len())?;
        }
        let mut outcome = Ok(true);
        words.visit(&mut |parts: Parts| outcome = outcome.and(self.push(parts, memory)));
        memory.free(std::mem::take(words.heap.list()));
        outcome.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps_the_order<W: Word + std::fmt::Debug>(layout_of: impl Fn(Parts) -> Option<Layout>) {
        for largest in [(1, 0, 0), (9, 0, 3), (0, 7, 300), (1 << 30, 1 << 20, 1000)] {
            let layout = layout_of(largest).unwrap();
            assert!(layout.holds(largest));
            let (first, second, id) = largest;
            let some = |most: u64| [0, 1, most / 3, most / 2, most].map(|part| part.min(most));
            let mut all: Vec<_> = some(first)
                .into_iter()
                .flat_map(|first| some(second).map(|second| (first, second)))
                .flat_map(|(first, second)| some(id).map(|id| (first, second, id)))
                .collect();
            all.sort_unstable_by_key(|&(first, second, id)| (first, second, id % 2, id));
            let words: Vec<W> = all.iter().map(|&parts| layout.encode(parts)).collect();
            assert!(words.is_sorted(), "{layout:?}");
            assert!(words.iter().map(|&word| layout.decode(word)).eq(all));
        }
    }

    #[test]
    fn words_are_in_the_order_of_their_parts() {
        keeps_the_order::<u64>(|largest| Layout::of(largest, 64, TURN));
        keeps_the_order::<u128>(|largest| Layout::of(largest, 128, TURN));
        keeps_the_order::<u128>(Layout::of_halves);
    }

    #[test]
    fn a_key_that_fits_takes_the_upper_half_of_a_long_word() {
        let infinity = u64::from(f32::INFINITY.to_bits());
        for (key, fits) in [
            ((0, 0), true),
            ((infinity, infinity), true),
            ((u64::MAX, 0), true),
            ((1, u64::MAX >> 1), true),
            ((0, u64::MAX), false),
            ((1 << 32, 1 << 31), false),
        ] {
            let parts = (key.0, key.1, u64::MAX >> 1);
            let layout = Layout::of_halves(parts);
            assert!(layout.is_none_or(|layout| layout.holds(parts)));
            assert_eq!(layout.is_some(), fits, "{key:?}");
            let mut words = Words::<u128>::new();
            assert!(words.widen(parts));
            assert_eq!(words.layout.has_halves::<u128>(), fits, "{key:?}");
        }
    }

    #[test]
    fn a_layout_takes_all_bits_and_no_more() {
        let fits_with = |turn: u32, parts: Parts, bits: u32| {
            let layout = Layout::of(parts, bits, turn);
            assert!(
                layout.is_none_or(|layout| layout.holds(parts) && (layout.odd == 0) == (turn == 0))
            );
            layout.is_some()
        };
        let fits = |parts, bits| fits_with(0, parts, bits);
        assert!(fits_with(TURN, ((1 << 23) - 1, (1 << 22) - 1, (1 << 18) - 1), 64));
        assert!(!fits_with(TURN, ((1 << 23) - 1, (1 << 22) - 1, (1 << 19) - 1), 64));
        assert!(fits(((1 << 23) - 1, (1 << 22) - 1, (1 << 19) - 1), 64));
        for parts in
            [(1 << 23, (1 << 22) - 1, (1 << 19) - 1), ((1 << 23) - 1, 1 << 22, (1 << 19) - 1)]
        {
            assert!(!fits(parts, 64) && fits(parts, 128));
        }
        assert!(fits((u64::MAX, 0, 0), 64) && !fits((u64::MAX, 0, 1), 64));
        assert!(fits((u64::MAX, (1 << 33) - 1, (1 << 31) - 1), 128));
        assert!(!fits((u64::MAX, 1 << 33, (1 << 31) - 1), 128));
        // One bit is always left for the first part.
        assert!(!fits((0, u64::MAX, 0), 64) && fits((0, u64::MAX >> 1, 0), 64));
        // Where no bit is left, the order of ids is that of their numbers.
        let layout = Layout::wide_enough((u64::from(u32::MAX), 0, u64::from(u32::MAX)), 64);
        assert_eq!(layout.map(|layout| layout.odd), Some(0));
        let (mut words, mut memory) = (Words::<u64>::new(), Memory::new(usize::MAX));
        for (id, takes_turns) in
            [(1, true), (2, true), (4, true), (u64::from(u32::MAX), false), (3, false)]
        {
            assert_eq!(words.push((u64::from(u32::MAX), 0, id), &mut memory), Ok(true));
            assert_eq!(words.takes_turns(), takes_turns);
        }
        let order = std::iter::from_fn(|| Some(words.take()?.2));
        assert!(order.eq([1, 2, 3, 4, u64::from(u32::MAX)]));
    }
}
