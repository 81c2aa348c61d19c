//! A heap that leaves improved entries behind.

use num_traits::{AsPrimitive, PrimInt};

use super::Frontier;
use crate::cost::{Cost, bucket_of};
use crate::limits::{Memory, OutOfMemory};
use crate::table::StateId;

/// A heap in which every node has four children: half as deep as a binary heap, and the four are next
/// to each other in memory.
///
/// Pushing a state again adds a second entry; the first comes out later and is passed over. That
/// costs a few bytes and is faster than finding the first and moving it.
///
/// Where costs are whole numbers, an entry is one number: *f* above *h* above the id, so that one
/// comparison tells which comes first, and of equals the one stored last. It takes 8 bytes as long as the
/// bits of the three together are no more than 64, and else 16.
///
/// Source: Johnson, *Priority queues with update and finding minimum spanning trees*, 1975.
#[derive(Clone, Debug)]
pub struct LazyHeap<C> {
    words: Words<u64>,
    /// Takes over when costs are too large for the words.
    long_words: Words<u128>,
    /// Takes over when a cost is no whole number, or too large even for those.
    pairs: Heap<Pair<C>>,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Words,
    LongWords,
    Pairs,
}

trait Entry: Copy {
    /// Whether it comes out before `other`.
    fn precedes(self, other: Self) -> bool;
}

impl Entry for u64 {
    #[inline]
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Entry for u128 {
    #[inline]
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

#[derive(Clone, Copy, Debug)]
struct Pair<C> {
    f: C,
    h: C,
    id: StateId,
}

impl<C: Cost> Entry for Pair<C> {
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "no branches: a wrong guess at which way a comparison goes costs more than both"
    )]
    fn precedes(self, other: Self) -> bool {
        (self.f < other.f) | ((self.f == other.f) & (self.h < other.h))
    }
}

/// A number that holds an entry.
trait Word: Entry + PrimInt + From<u64> + AsPrimitive<u64> {
    const BITS: u32;
}

impl Word for u64 {
    const BITS: u32 = u64::BITS;
}

impl Word for u128 {
    const BITS: u32 = u128::BITS;
}

/// A heap of entries that are one number each.
#[derive(Clone, Debug)]
struct Words<W> {
    heap: Heap<W>,
    layout: Layout,
}

/// *f*, *h* and id of an entry.
type Parts = (u64, u64, StateId);

/// How a word holds an entry: *f* above *h* above the bits of the id, which are flipped so that the
/// largest comes first.
#[derive(Clone, Copy, Debug)]
struct Layout {
    h_bits: u32,
    id_bits: u32,
    /// The largest f, h and id that fit into as many bits.
    largest: Parts,
}

impl Layout {
    /// No bits for any of them.
    const EMPTY: Self = Self { h_bits: 0, id_bits: 0, largest: (0, 0, 0) };

    /// The layout of words of so many bits that hold parts up to these, if there is one.
    #[expect(clippy::cast_possible_truncation, reason = "an id has no more bits than that")]
    fn of((f, h, id): Parts, bits: u32) -> Option<Self> {
        let needed = |number: u64| u64::BITS - number.leading_zeros();
        let most = |bits: u32| u64::MAX.checked_shr(u64::BITS.saturating_sub(bits)).unwrap_or(0);
        let (h_bits, id_bits) = (needed(h), needed(id.into()));
        let f_bits = bits.checked_sub(h_bits + id_bits)?;
        // One bit for f at least: no shift is by all the bits that there are.
        let is_enough = needed(f).max(1) <= f_bits;
        let largest = (most(f_bits), most(h_bits), most(id_bits) as StateId);
        is_enough.then_some(Self { h_bits, id_bits, largest })
    }

    /// Whether an entry of these parts fits.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "no branches: all three are nearly always so")]
    fn holds(&self, (f, h, id): Parts) -> bool {
        let (most_f, most_h, most_id) = self.largest;
        (f <= most_f) & (h <= most_h) & (id <= most_id)
    }

    #[inline]
    fn encode<W: Word>(&self, (f, h, id): Parts) -> W {
        let (f, h): (W, W) = (f.into(), h.into());
        let id: W = u64::from(id ^ self.largest.2).into();
        (f << self.h_bits as usize | h) << self.id_bits as usize | id
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "no more bits than the largest id has")]
    fn decode<W: Word>(&self, word: W) -> Parts {
        let costs = word >> self.id_bits as usize;
        let (f, h) = ((costs >> self.h_bits as usize).as_(), costs.as_() & self.largest.1);
        (f, h, !word.as_() as StateId & self.largest.2)
    }
}

impl<W: Word> Words<W> {
    fn new() -> Self {
        Self { heap: Heap::new(), layout: Layout::EMPTY }
    }

    /// Pushes an entry that fits and for which there is room.
    #[inline]
    fn put(&mut self, parts: Parts) {
        self.heap.push(self.layout.encode(parts));
    }

    /// Pushes an entry for which there is room, if it can be made to fit.
    fn push(&mut self, parts: Parts) -> bool {
        let fits = self.layout.holds(parts) || self.widen(parts);
        if fits {
            self.put(parts);
        }
        fits
    }

    #[inline]
    fn pop(&mut self) -> Option<Parts> {
        self.heap.pop().map(|word| self.layout.decode(word))
    }

    #[inline]
    fn coming(&self, ahead: usize) -> Option<StateId> {
        self.heap.coming(ahead).map(|word| self.layout.decode(word).2)
    }

    /// Takes more bits for *h* and id, so that parts up to these fit as well as what is there, if they do.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, (f, h, id): Parts) -> bool {
        let before = self.layout;
        let words = &mut self.heap.entries;
        let most_f = words.iter().map(|&word| before.decode(word).0).fold(f, u64::max);
        let needed = (most_f, h.max(before.largest.1), id.max(before.largest.2));
        let Some(layout) = Layout::of(needed, W::BITS) else { return false };
        // The order stays the same, so it stays a heap.
        for word in words {
            *word = layout.encode(before.decode(*word));
        }
        self.layout = layout;
        true
    }
}

/// A heap of entries.
#[derive(Clone, Debug)]
struct Heap<E> {
    entries: Vec<E>,
}

const ARITY: usize = 4;

impl<E: Entry> Heap<E> {
    fn new() -> Self {
        Self { entries: Vec::new() }
    }

    #[inline]
    fn push(&mut self, entry: E) {
        self.entries.push(entry);
        self.rise(self.entries.len() - 1);
    }

    #[inline]
    fn pop(&mut self) -> Option<E> {
        let last = self.entries.pop()?;
        let Some(&first) = self.entries.first() else { return Some(last) };
        self.sink(last);
        Some(first)
    }

    /// The first, the second, or one of the next few.
    #[inline]
    fn coming(&self, ahead: usize) -> Option<E> {
        if ahead == 1 {
            first_child(&self.entries, 0).map(|(_, second)| second)
        } else {
            self.entries.get(ahead).copied()
        }
    }

    #[inline]
    fn rise(&mut self, mut at: usize) {
        let entries = &mut self.entries[..];
        let entry = entries[at];
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if !entry.precedes(entries[parent]) {
                break;
            }
            entries[at] = entries[parent];
            at = parent;
        }
        entries[at] = entry;
    }

    /// Fills the hole at the top with `entry`: lets the hole sink to the bottom, which is where an
    /// entry from the bottom mostly belongs, and the entry rise from there.
    #[inline]
    fn sink(&mut self, entry: E) {
        let entries = &mut self.entries[..];
        let mut hole = 0;
        while let Some((place, child)) = first_child(entries, hole) {
            entries[hole] = child;
            hole = place;
        }
        entries[hole] = entry;
        self.rise(hole);
    }
}

/// The child of a place that comes out first, and its place.
#[inline]
fn first_child<E: Entry>(entries: &[E], place: usize) -> Option<(usize, E)> {
    let eldest = place * ARITY + 1;
    match *entries.get(eldest..)? {
        [a, b, c, d, ..] => {
            let (ab, cd) = (usize::from(b.precedes(a)), usize::from(d.precedes(c)));
            let (best_ab, best_cd) = (if ab == 1 { b } else { a }, if cd == 1 { d } else { c });
            Some(if best_cd.precedes(best_ab) {
                (eldest + 2 + cd, best_cd)
            } else {
                (eldest + ab, best_ab)
            })
        }
        [] => None,
        [first, ref rest @ ..] => {
            let sooner = |best: (usize, E), (place, &child): (usize, &E)| {
                if child.precedes(best.1) { (place, child) } else { best }
            };
            Some((eldest + 1..).zip(rest).fold((eldest, first), sooner))
        }
    }
}

/// The parts of an entry, if its costs are whole numbers.
#[inline]
fn parts<C: Cost>(f: C, h: C, id: StateId) -> Option<Parts> {
    let number = |cost| u64::try_from(bucket_of(cost)?).ok();
    Some((number(f)?, number(h)?, id))
}

#[inline]
fn cost<C: Cost>(number: u64) -> Option<C> {
    C::from_bucket(usize::try_from(number).ok()?)
}

impl<C: Cost> LazyHeap<C> {
    /// An empty heap.
    #[must_use]
    pub fn new() -> Self {
        let (words, long_words, pairs) = (Words::new(), Words::new(), Heap::new());
        Self { words, long_words, pairs, form: Form::Words }
    }

    /// Makes room in the empty heap for so many entries, none of which has a larger f, h or id.
    pub(super) fn prepare(
        &mut self,
        entries: usize,
        (f, h, id): (C, C, StateId),
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.form = match parts(f, h, id) {
            Some(parts) if self.words.widen(parts) => Form::Words,
            Some(parts) if self.long_words.widen(parts) => Form::LongWords,
            _ => Form::Pairs,
        };
        self.reserve(entries, memory)
    }

    /// Makes room for so many more entries of the present form.
    #[inline]
    fn reserve(&mut self, entries: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        match self.form {
            Form::Words => memory.reserve(&mut self.words.heap.entries, entries),
            Form::LongWords => memory.reserve(&mut self.long_words.heap.entries, entries),
            Form::Pairs => memory.reserve(&mut self.pairs.entries, entries),
        }
    }

    /// Pushes what does not fit as things are, or does not go into words of 8 bytes.
    #[inline(never)]
    fn push_with_care(
        &mut self,
        id: StateId,
        f: C,
        h: C,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.reserve(1, memory)?;
        let fits = match self.form {
            Form::Words => parts(f, h, id).is_some_and(|parts| self.words.push(parts)),
            Form::LongWords => parts(f, h, id).is_some_and(|parts| self.long_words.push(parts)),
            Form::Pairs => {
                self.pairs.push(Pair { f, h, id });
                true
            }
        };
        if fits { Ok(()) } else { self.outgrow(Pair { f, h, id }, memory) }
    }

    /// Takes out the first entry.
    #[inline]
    pub(super) fn take(&mut self) -> Option<(StateId, C)> {
        if self.form == Form::Words {
            self.words.pop().and_then(|(f, _, id)| Some((id, cost(f)?)))
        } else {
            self.take_other()
        }
    }

    /// The same where it is not in words of 8 bytes.
    #[inline(never)]
    fn take_other(&mut self) -> Option<(StateId, C)> {
        if self.form == Form::LongWords {
            self.long_words.pop().and_then(|(f, _, id)| Some((id, cost(f)?)))
        } else {
            self.pairs.pop().map(|pair| (pair.id, pair.f))
        }
    }

    /// Turns to the next form, and pushes there what does not fit into the present one.
    #[cold]
    #[inline(never)]
    fn outgrow(
        &mut self,
        Pair { f, h, id }: Pair<C>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let Self { words, long_words, pairs, .. } = self;
        if self.form == Form::Words {
            memory.reserve(&mut long_words.heap.entries, words.heap.entries.len())?;
            for word in words.heap.entries.drain(..) {
                long_words.push(words.layout.decode(word));
            }
            self.form = Form::LongWords;
        } else {
            memory.reserve(&mut pairs.entries, long_words.heap.entries.len())?;
            for word in long_words.heap.entries.drain(..) {
                let (f, h, id) = long_words.layout.decode(word);
                if let (Some(f), Some(h)) = (cost(f), cost(h)) {
                    pairs.push(Pair { f, h, id });
                }
            }
            self.form = Form::Pairs;
        }
        self.push(id, f, h, memory)
    }
}

impl<C: Cost> Default for LazyHeap<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Cost> Frontier<C> for LazyHeap<C> {
    #[inline]
    fn push(&mut self, id: StateId, f: C, h: C, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.form == Form::Words
            && let Some(parts) = parts(f, h, id)
            && self.words.layout.holds(parts)
        {
            memory.reserve(&mut self.words.heap.entries, 1)?;
            self.words.put(parts);
            return Ok(());
        }
        self.push_with_care(id, f, h, memory)
    }

    #[inline]
    fn pop(&mut self, _memory: &mut Memory) -> Result<Option<(StateId, C)>, OutOfMemory> {
        Ok(self.take())
    }

    #[inline]
    fn coming(&self, ahead: usize) -> Option<StateId> {
        match self.form {
            Form::Words => self.words.coming(ahead),
            Form::LongWords => self.long_words.coming(ahead),
            Form::Pairs => self.pairs.coming(ahead).map(|pair| pair.id),
        }
    }

    #[inline]
    fn len(&self) -> usize {
        match self.form {
            Form::Words => self.words.heap.entries.len(),
            Form::LongWords => self.long_words.heap.entries.len(),
            Form::Pairs => self.pairs.entries.len(),
        }
    }

    fn clear(&mut self) {
        self.words.heap.entries.clear();
        self.long_words.heap.entries.clear();
        self.pairs.entries.clear();
        if self.form != Form::Words {
            // The next search may need other bits.
            self.words.layout = Layout::EMPTY;
            self.long_words.layout = Layout::EMPTY;
            self.form = Form::Words;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;

    #[test]
    fn words_are_in_the_order_of_their_parts() {
        fn check<W: Word>() {
            for largest in [(1, 0, 0), (9, 0, 3), (0, 7, 300), (1 << 30, 1 << 20, 1000)] {
                let layout = Layout::of(largest, W::BITS).unwrap();
                assert!(layout.holds(largest));
                let (f, h, id) = largest;
                let some = |most: u64| [0, 1, most / 3, most / 2, most].map(|part| part.min(most));
                let mut all: Vec<_> = some(f)
                    .into_iter()
                    .flat_map(|f| some(h).map(|h| (f, h)))
                    .flat_map(|(f, h)| some(id.into()).map(|id| (f, h, id.try_into().unwrap())))
                    .collect();
                all.sort_unstable_by_key(|&(f, h, id)| (f, h, Reverse(id)));
                let words: Vec<W> = all.iter().map(|&parts| layout.encode(parts)).collect();
                assert!(words.is_sorted(), "{layout:?}");
                assert!(words.iter().map(|&word| layout.decode(word)).eq(all));
            }
        }
        check::<u64>();
        check::<u128>();
    }

    #[test]
    fn a_layout_takes_all_bits_and_no_more() {
        let fits = |parts, bits| Layout::of(parts, bits).is_some_and(|layout| layout.holds(parts));
        assert!(fits(((1 << 23) - 1, (1 << 22) - 1, (1 << 19) - 1), 64));
        for parts in
            [(1 << 23, (1 << 22) - 1, (1 << 19) - 1), ((1 << 23) - 1, 1 << 22, (1 << 19) - 1)]
        {
            assert!(!fits(parts, 64) && fits(parts, 128));
        }
        assert!(fits((u64::MAX, 0, 0), 64) && !fits((u64::MAX, 0, 1), 64));
        assert!(fits((u64::MAX, (1 << 33) - 1, StateId::MAX >> 1), 128));
        assert!(!fits((u64::MAX, 1 << 33, StateId::MAX >> 1), 128));
        // A bit is left for f, whatever f is.
        assert!(!fits((0, u64::MAX, 0), 64) && fits((0, u64::MAX >> 1, 0), 64));
    }

    #[test]
    fn entries_outgrow_their_form_and_keep_their_order() {
        let mut heap = LazyHeap::<u64>::new();
        let mut memory = Memory::new(usize::MAX);
        for _ in 0..2 {
            let mut pushed = Vec::new();
            let forms = [
                (7, 3, 5, Form::Words),
                (1 << 40, 1 << 19, 1, Form::Words),
                (6, 3, 7, Form::Words),
                (1, 1 << 20, 2, Form::LongWords),
                (u64::MAX, 1 << 33, 6, Form::LongWords),
                (5, 1, StateId::MAX >> 1, Form::Pairs),
            ];
            for (f, h, id, form) in forms {
                heap.push(id, f, h, &mut memory).unwrap();
                assert_eq!(heap.form, form, "after {f}, {h}, {id}");
                pushed.push((f, h, id));
                assert_eq!(heap.len(), pushed.len());
                // All that there is comes out in order, and goes in again.
                pushed.sort_unstable();
                let mut copy = heap.clone();
                let order: Vec<_> = std::iter::from_fn(|| copy.take()).collect();
                assert!(order.into_iter().eq(pushed.iter().map(|&(f, _, id)| (id, f))));
            }
            assert_eq!(heap.coming(0), Some(2));
            heap.clear();
            assert_eq!((heap.len(), heap.form), (0, Form::Words));
        }
        // What was needed for those is forgotten.
        heap.push(0, 1 << 50, 0, &mut memory).unwrap();
        assert_eq!(heap.form, Form::Words);
        heap.push(StateId::MAX >> 1, u64::MAX, 1 << 20, &mut memory).unwrap();
        assert_eq!(heap.form, Form::LongWords);
        let bytes = 8 * heap.words.heap.entries.capacity()
            + 16 * heap.long_words.heap.entries.capacity()
            + size_of::<Pair<u64>>() * heap.pairs.entries.capacity();
        assert_eq!(memory.held(), bytes);
    }

    #[test]
    fn room_is_made_in_the_form_that_it_takes() {
        for (largest, form) in [
            ((1 << 30, 1 << 20, 100), Form::Words),
            ((1 << 40, 1 << 20, 100), Form::LongWords),
            ((u64::MAX, 1 << 40, StateId::MAX >> 1), Form::Pairs),
        ] {
            let mut heap = LazyHeap::<u64>::new();
            let mut memory = Memory::new(usize::MAX);
            heap.prepare(9, largest, &mut memory).unwrap();
            let held = memory.held();
            let (f, h, id) = largest;
            for part in (1..=9).rev() {
                heap.push(id / part, f / u64::from(part), h, &mut memory).unwrap();
            }
            assert_eq!((heap.form, memory.held()), (form, held));
        }
    }
}
