//! Heap entries of one integer each.

use num_traits::{AsPrimitive, PrimInt};

use super::four_ary::{Entry, Heap, retain};
use crate::callback::Callback;
use crate::memory::{Memory, OutOfMemory};

/// An integer that holds an entry. Its functions are compiled once for each width, in this crate, and not in programs.
pub trait Word: Entry + PrimInt + From<u64> + AsPrimitive<u64> {
    /// The first allocation has capacity for this many words if memory allows.
    const FIRST: usize;

    /// The layout of a heap without entries.
    const LAYOUT: Layout;

    /// Returns a layout for parts with no other bits than these, and for more where that is possible, so that it is not
    /// widened for every further bit.
    fn layout(parts: Parts) -> Option<Layout>;

    /// Returns the word of an entry of these parts, which must fit.
    fn encode(layout: &Layout, parts: Parts) -> Self;

    /// Returns the parts of an entry.
    fn decode(self, layout: &Layout) -> Parts;

    /// Removes the first word.
    fn pop(heap: &mut Heap<Self>) -> Option<Self>;

    /// Guesses the word that is popped after `ahead` others.
    fn peek_hint(heap: &Heap<Self>, ahead: usize) -> Option<Self>;

    /// Puts the words of the list into the order of a heap.
    fn restore(heap: &mut Heap<Self>);
}

// What is the same for both.
macro_rules! of_heaps {
    () => {
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
    };
}

/// From the highest bit: the first number, the second, and the id.
impl Word for u64 {
    const FIRST: usize = 128;
    const LAYOUT: Layout = Layout::SPACIOUS;

    #[cold]
    #[inline(never)]
    fn layout(parts: Parts) -> Option<Layout> {
        let (first, second, id) = parts;
        let spacious = (first | 1, second | SPARE_SECOND, id | SPARE_ID);
        // With fewer ids it would have to be widened for each further bit, and outgrown then.
        let narrow = (first, second, id | FEWEST_IDS);
        Layout::of(spacious, TURN)
            .or_else(|| Layout::of(narrow, TURN))
            .or_else(|| Layout::of(narrow, 0))
    }

    #[inline]
    fn encode(layout: &Layout, (first, second, id): Parts) -> Self {
        let key = first.rotate_left(layout.first_place) | second.rotate_left(layout.second_place);
        key | layout.marked(id)
    }

    #[inline]
    fn decode(self, layout: &Layout) -> Parts {
        let (of_first, of_second, of_id) = layout.beyond;
        let first = self.rotate_right(layout.first_place) & !of_first;
        (first, self.rotate_right(layout.second_place) & !of_second, self & !of_id)
    }

    of_heaps! {}
}

/// The first number in the upper half, the second and the id in the lower one: shifts by any number of bits take long in words of
/// this width.
impl Word for u128 {
    const FIRST: usize = 64;
    const LAYOUT: Layout = Layout::HALVES;

    fn layout(parts: Parts) -> Option<Layout> {
        Layout::of_halves(parts)
    }

    #[inline]
    fn encode(layout: &Layout, (first, second, id): Parts) -> Self {
        let lower = second << layout.second_place | layout.marked(id);
        Self::from(first) << u64::BITS | Self::from(lower)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the halves")]
    fn decode(self, layout: &Layout) -> Parts {
        let (_, of_second, of_id) = layout.beyond;
        let (first, lower) = ((self >> u64::BITS) as u64, self as u64);
        (first, lower >> layout.second_place & !of_second, lower & !of_id)
    }

    of_heaps! {}
}

/// The two numbers of a key, and the id.
pub type Parts = (u64, u64, u64);

/// A heap of entries of one word each: the first number of the key, the second, whether the id is odd, and the id. So one
/// comparison orders entries.
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
///
/// Where there is not enough room, none is for low bits that are zero in all first or in all second numbers: floats that
/// are whole numbers have many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// By how many bits each number of the key is rotated left to its place.
    first_place: u32,
    second_place: u32,
    /// The bit that says whether the id is odd; 0 if none is left for it.
    odd: u64,
    /// The bits of each part for which there is no room.
    beyond: Parts,
}

/// Second numbers and ids get bits for at least these values, if that leaves enough for the first number.
const SPARE_SECOND: u64 = (1 << 14) - 1;
const SPARE_ID: u64 = (1 << 20) - 1;

/// Ids get bits at least for this value.
const FEWEST_IDS: u64 = (1 << 10) - 1;

/// The number of bits that say whether the id is odd.
const TURN: u32 = 1;

/// Returns the number of bits of a number, without leading zeros.
fn bits_of(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// Returns the largest number of `bits` bits.
fn most(bits: u32) -> u64 {
    u64::MAX.checked_shr(u64::BITS.saturating_sub(bits)).unwrap_or(0)
}

impl Layout {
    /// A layout of words of 128 bits in which entries of most searches fit: 32 bits for the second number and for the id.
    const HALVES: Self = {
        let odd = 1 << (u32::BITS - 1);
        let beyond = (0, u64::MAX << u32::BITS, !(odd - 1));
        Self { first_place: 0, second_place: u32::BITS, odd, beyond }
    };

    /// A layout of words of 64 bits in which entries of most searches fit.
    const SPACIOUS: Self = {
        let beyond = (u64::MAX << 29, !SPARE_SECOND, !SPARE_ID);
        Self { first_place: 35, second_place: 21, odd: 1 << 20, beyond }
    };

    /// Returns a layout of words of 64 bits for parts with no other bits than these, if there is one, with [`TURN`] bits or
    /// none that say whether the id is odd.
    #[inline(never)]
    fn of((first, second, id): Parts, turn: u32) -> Option<Self> {
        let id_bits = bits_of(id) + turn;
        if id_bits > u64::BITS {
            return None;
        }
        let zeros = |number: u64| number.trailing_zeros().min(bits_of(number));
        let (first_zeros, second_zeros) = (zeros(first), zeros(second));
        let below_first = id_bits + bits_of(second) - second_zeros;
        let first_bits = (u64::BITS.checked_sub(below_first)? + first_zeros).min(u64::BITS);
        // At least one bit for the first part, even where it is always 0.
        if bits_of(first).max(1) > first_bits {
            return None;
        }
        // Rotating left by the width minus `zeros` bits is rotating right by `zeros`.
        let rotation = |place: u32, zeros: u32| (place + u64::BITS - zeros) % u64::BITS;
        let (first_place, second_place) =
            (rotation(below_first, first_zeros), rotation(id_bits, second_zeros));
        let ids = most(id_bits - turn);
        let beyond = (
            !most(first_bits) | most(first_zeros),
            !most(bits_of(second)) | most(second_zeros),
            !ids,
        );
        let odd = if turn == 0 { 0 } else { ids + 1 };
        Some(Self { first_place, second_place, odd, beyond })
    }

    /// Returns a layout of words of 128 bits for parts with no other bits than these, with the first number in the upper half,
    /// and the second and the id in the lower one, if they fit there.
    fn of_halves((_, second, id): Parts) -> Option<Self> {
        let (for_second, for_id) = (bits_of(second), bits_of(id));
        if for_second <= u32::BITS && for_id < u32::BITS {
            return Some(Self::HALVES);
        }
        let spare = u64::BITS.checked_sub(for_second + for_id)?;
        let turn = TURN.min(spare);
        // What is left goes to both.
        let for_id = for_id + (spare - turn) / 2;
        let (ids, second_place) = (most(for_id), for_id + turn);
        let beyond = (0, !most(u64::BITS - second_place), !ids);
        let odd = if turn == 0 { 0 } else { ids + 1 };
        Some(Self { first_place: 0, second_place: second_place % u64::BITS, odd, beyond })
    }

    /// Whether an entry of these parts fits.
    #[inline]
    fn holds(&self, (first, second, id): Parts) -> bool {
        let (of_first, of_second, of_id) = self.beyond;
        // No branches: all three are nearly always zero.
        (first & of_first) | (second & of_second) | (id & of_id) == 0
    }

    /// Returns the id with the bit that says whether it is odd.
    #[inline]
    fn marked(&self, id: u64) -> u64 {
        id | (id & 1).wrapping_neg() & self.odd
    }

    /// As [`Word::encode`], for what is seldom done: not inlined into loops, which would be compiled for each layout.
    #[inline(never)]
    fn write<W: Word>(&self, parts: Parts) -> W {
        W::encode(self, parts)
    }

    /// As [`Word::decode`], for what is seldom done.
    #[inline(never)]
    fn read<W: Word>(&self, word: W) -> Parts {
        word.decode(self)
    }
}

impl<W: Word> Words<W> {
    pub fn new() -> Self {
        Self { heap: Heap::new(), layout: W::LAYOUT }
    }

    /// Pushes an entry if it fits and there is capacity; whether it does.
    #[inline]
    pub fn put_if_fits(&mut self, parts: Parts) -> bool {
        let fits = self.layout.holds(parts) && !self.heap.is_full();
        if fits {
            self.heap.put(W::encode(&self.layout, parts));
        }
        fits
    }

    /// Guesses the entry that is popped after `ahead` others.
    #[inline]
    pub fn peek_hint(&self, ahead: usize) -> Option<Parts> {
        W::peek_hint(&self.heap, ahead).map(|word| word.decode(&self.layout))
    }

    /// Whether even ids come before odd ones.
    pub fn takes_turns(&self) -> bool {
        self.layout.odd != 0
    }

    /// Resets the layout: the next search may need another one.
    pub fn forget_layout(&mut self) {
        self.layout = W::LAYOUT;
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
            // All bits that any of them has.
            needed = (needed.0 | first, needed.1 | second, needed.2 | id);
        });
        let Some(layout) = W::layout(needed) else { return false };
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
        Word::pop(&mut self.heap).map(|word| word.decode(&self.layout))
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

            /// As [`put_if_fits`](Self::put_if_fits). The parts do not go through memory.
            #[inline(never)]
            pub fn put(&mut self, first: u64, second: u64, id: u64) -> bool {
                self.put_if_fits((first, second, id))
            }

            /// Pushes an entry if it fits, possibly in a wider layout; whether it does.
            #[cold]
            #[inline(never)]
            pub fn push(&mut self, parts: Parts, memory: &mut Memory) -> Result<bool, OutOfMemory> {
                let fits = self.layout.holds(parts) || self.widen(parts);
                if fits {
                    memory.reserve_from(self.heap.list(), 1, <$word>::FIRST)?;
                }
                Ok(fits && self.put(parts.0, parts.1, parts.2))
            }

            /// Reserves capacity for `additional` more words.
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
        self.heap.pop().map(|word| word.decode(&self.layout))
    }

    /// Moves the entries from a heap of shorter words, if all fit; whether they do.
    #[cold]
    #[inline(never)]
    pub fn take_over(
        &mut self,
        words: &mut Words<u64>,
        memory: &mut Memory,
    ) -> Result<bool, OutOfMemory> {
        // As many more entries may come as there was room for.
        if memory.reserve(self.heap.list(), words.heap.list().capacity()).is_err() {
            memory.reserve(self.heap.list(), words.heap.len())?;
        }
        let mut fit = true;
        words.visit(&mut |parts: Parts| fit = fit && self.push(parts, memory) == Ok(true));
        if fit {
            memory.free(std::mem::take(words.heap.list()));
        } else {
            self.heap.clear();
        }
        Ok(fit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the keys are multiples of 2 to the power of `zeros`.
    fn keeps_the_order<W: Word + std::fmt::Debug>(
        zeros: (u32, u32),
        layout_of: impl Fn(Parts) -> Option<Layout>,
    ) {
        for (first, second, id) in [(1, 0, 0), (9, 0, 3), (0, 7, 300), (1 << 30, 1 << 20, 1000)] {
            let some = |most: u64| [0, 1, most / 3, most / 2, most].map(|part| part.min(most));
            let mut all: Vec<_> = some(first)
                .into_iter()
                .flat_map(|first| some(second).map(|second| (first << zeros.0, second << zeros.1)))
                .flat_map(|(first, second)| some(id).map(|id| (first, second, id)))
                .collect();
            all.sort_unstable_by_key(|&(first, second, id)| (first, second, id % 2, id));
            let needed = all.iter().fold((0, 0, 0), |a, b| (a.0 | b.0, a.1 | b.1, a.2 | b.2));
            let layout = layout_of(needed).unwrap();
            assert!(all.iter().all(|&parts| layout.holds(parts)), "{layout:?}");
            let words: Vec<W> = all.iter().map(|&parts| W::encode(&layout, parts)).collect();
            assert!(words.is_sorted(), "{layout:?}");
            assert!(words.iter().map(|word| word.decode(&layout)).eq(all));
        }
    }

    #[test]
    fn words_are_in_the_order_of_their_parts() {
        keeps_the_order::<u128>((0, 0), <u128 as Word>::layout);
        for zeros in [(0, 0), (0, 1), (1, 0), (16, 0), (0, 16), (4, 11), (30, 40)] {
            keeps_the_order::<u64>(zeros, |parts| Layout::of(parts, TURN));
            keeps_the_order::<u64>(zeros, <u64 as Word>::layout);
        }
    }

    #[test]
    fn zeros_take_no_room_where_there_is_none() {
        assert_eq!(<u64 as Word>::layout((0, 0, 0)), Some(Layout::SPACIOUS));
        let (mut words, mut memory) = (Words::<u64>::new(), Memory::new(usize::MAX));
        let bits = |float: f64| float.to_bits();
        // Floats that are small whole numbers, and then one that is not.
        for (f, h, id, fits) in [
            (500.0, 500.0, 0, true),
            (501.0, 499.0, 1, true),
            (1023.5, 3.0, 200_000, true),
            (500.0, 498.0, 2, true),
            (500.1, 3.0, 3, false),
        ] {
            let fitted = words.push((bits(f), bits(h), id), &mut memory);
            assert_eq!(fitted, Ok(fits), "{f}, {h}, {id}: {:?}", words.layout);
        }
        let order = std::iter::from_fn(|| words.take());
        let expected =
            [(500.0, 498.0, 2), (500.0, 500.0, 0), (501.0, 499.0, 1), (1023.5, 3.0, 200_000)];
        assert!(order.eq(expected.map(|(f, h, id)| (bits(f), bits(h), id))));
        let parts = (u64::from(u32::MAX >> 1), 0x7FFF_0000, (1 << 17) - 1);
        let layout = <u64 as Word>::layout(parts).unwrap();
        assert!(layout.holds(parts) && layout.holds((1, 1 << 16, 0)) && layout.odd != 0);
        assert!(!layout.holds((1, 1 << 15, 1)) && !layout.holds((1, 1 << 16, 1 << 17)));
    }

    #[test]
    fn the_first_number_takes_the_upper_half_of_a_long_word() {
        let (ids, all) = (u64::from(u32::MAX >> 1), u64::MAX);
        for ((second, id), fits) in [
            ((0, 0), true),
            ((u64::from(u32::MAX), ids), true),
            ((u64::from(u32::MAX), u64::from(u32::MAX)), true),
            ((1, all >> 1), true),
            ((1, all), false),
            ((0, all), true),
            ((all, 0), true),
            ((all, 1), false),
            ((1 << 32, ids), true),
            ((1 << 33, ids), false),
        ] {
            let parts = (all, second, id);
            let layout = Layout::of_halves(parts);
            assert!(layout.is_none_or(|layout| layout.holds(parts)));
            assert_eq!(layout.is_some(), fits, "{second:x}, {id:x}");
            let mut words = Words::<u128>::new();
            assert_eq!(words.push(parts, &mut Memory::new(usize::MAX)), Ok(fits));
            assert_eq!(words.take(), fits.then_some(parts));
        }
    }

    #[test]
    fn a_layout_takes_all_bits_and_no_more() {
        let fits_with = |turn: u32, parts: Parts| {
            let layout = Layout::of(parts, turn);
            assert!(
                layout.is_none_or(|layout| layout.holds(parts) && (layout.odd == 0) == (turn == 0))
            );
            layout.is_some()
        };
        let fits = |parts| fits_with(0, parts);
        assert!(fits_with(TURN, ((1 << 23) - 1, (1 << 22) - 1, (1 << 18) - 1)));
        assert!(!fits_with(TURN, ((1 << 23) - 1, (1 << 22) - 1, (1 << 19) - 1)));
        assert!(fits(((1 << 23) - 1, (1 << 22) - 1, (1 << 19) - 1)));
        assert!(!fits(((1 << 23) | 1, (1 << 22) - 1, (1 << 19) - 1)));
        assert!(!fits(((1 << 23) - 1, (1 << 22) | 1, (1 << 19) - 1)));
        assert!(fits((1 << 23, 1 << 22, (1 << 19) - 1)));
        assert!(fits((u64::MAX, 0, 0)) && !fits((u64::MAX, 0, 1)));
        // One bit is always left for the first part.
        assert!(!fits((0, u64::MAX, 0)) && fits((0, u64::MAX >> 1, 0)) && fits((0, !1, 0)));
        // Where no bit is left, the order of ids is that of their numbers.
        let layout = <u64 as Word>::layout((u64::from(u32::MAX), 0, u64::from(u32::MAX)));
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
