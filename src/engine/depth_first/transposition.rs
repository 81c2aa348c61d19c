//! The transposition table of IDA*.

use std::fmt;
use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use crate::cost::{Cost, larger};
use crate::memory::{Memory, OutOfMemory};

/// A table of fixed size with what IDA* has found out about states: a lower bound on the cost from a
/// state to a goal, which rises when the subtree below the state was searched without success, and
/// the g at which the state was reached last, and in which iteration.
///
/// The lower bound prunes subtrees that cannot contain a goal within the bound of a later iteration;
/// the g prunes states that were reached in the same iteration at an equal or smaller cost. Whole
/// states are compared, not only their hashes, so a lookup is never wrong. A state that was replaced
/// costs time only.
///
/// **Replacement.** A state may be stored in any slot of a bucket of four. If all are taken, an entry
/// of an earlier iteration is replaced first, and among equals the entry with the largest g, because
/// its subtree is likely the smallest.
///
/// Source: Reinefeld and Marsland, *Enhanced Iterative-Deepening Search*, 1994.
///
/// **Memory** is reserved at once, but buckets are written in pages, each when its first state is stored: a
/// short search does not pay for a large table.
pub struct TranspositionTable<S, C> {
    /// The slots of the pages that are in use, in the order of their first states. Its capacity is that of all pages.
    slots: Vec<Option<TableEntry<S, C>>>,
    /// For each page, its place among those in use, counted from 1; 0 if it is not in use.
    pages: Vec<u32>,
    /// The binary logarithm of the number of buckets.
    bits: u32,
}

/// What is stored of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableEntry<S, C> {
    state: S,
    /// A lower bound on the cost from the state to a goal.
    pub(super) h: C,
    /// The smallest cost at which it was reached in that iteration.
    pub(super) g: C,
    pub(super) iteration: u32,
}

/// The number of slots in a bucket.
const BUCKET: usize = 4;

/// The binary logarithm of the number of buckets in a page. Smaller pages take more memory for their places, larger ones
/// more time for a short search.
const PAGE_BITS: u32 = 8;

impl<S: Clone + Eq + Hash, C: Cost> TranspositionTable<S, C> {
    /// An empty table that takes at most `bytes`.
    pub(super) fn new(bytes: usize, memory: &mut Memory) -> Result<Self, OutOfMemory> {
        let buckets = bytes / size_of::<[Option<TableEntry<S, C>>; BUCKET]>();
        // The largest power of two that fits; at least one bucket, so that there is a table.
        let bits = buckets.max(1).ilog2();
        let pages = memory.list(1 << bits.saturating_sub(PAGE_BITS), 0)?;
        let mut slots = Vec::new();
        // An empty list gets exactly the room that is asked for.
        if let Err(fault) = memory.reserve(&mut slots, BUCKET << bits) {
            memory.free(pages);
            return Err(fault);
        }
        Ok(Self { slots, pages, bits })
    }

    /// The page of the bucket of `state`, and the place of the bucket in the page.
    #[inline]
    fn place(&self, state: &S) -> (usize, usize) {
        let hash = FxBuildHasher.hash_one(state);
        let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // In two steps, because a shift by all 64 bits overflows.
        let bucket = ((mixed >> 1) >> (63 - self.bits)) as usize;
        (bucket >> PAGE_BITS, bucket & ((1 << PAGE_BITS) - 1))
    }

    /// The first slot of the bucket of `state`, if its page is in use.
    #[inline]
    fn bucket(&self, state: &S) -> Option<usize> {
        let (page, bucket) = self.place(state);
        let page = (self.pages[page] as usize).checked_sub(1)?;
        Some(((page << PAGE_BITS) + bucket) * BUCKET)
    }

    /// Puts the page of `state` in use, and returns the first slot of its bucket.
    #[cold]
    #[inline(never)]
    fn new_page(&mut self, state: &S) -> usize {
        let (page, bucket) = self.place(state);
        let first = self.slots.len();
        // The capacity is there: nothing is allocated.
        let size = BUCKET << self.bits.min(PAGE_BITS);
        self.slots.resize_with(first + size, || None);
        self.pages[page] = u32::try_from(self.slots.len() / size).unwrap_or(u32::MAX);
        first + bucket * BUCKET
    }

    /// The entry of `state`.
    #[inline]
    pub(super) fn get(&self, state: &S) -> Option<&TableEntry<S, C>> {
        let bucket = self.bucket(state)?;
        self.slots[bucket..bucket + BUCKET].iter().flatten().find(|entry| entry.state == *state)
    }

    /// Stores that `state` was reached at cost `g`, and that a goal costs at least `h` from there.
    pub(super) fn store(&mut self, state: &S, h: C, g: C, iteration: u32) {
        let entry = TableEntry { state: state.clone(), h, g, iteration };
        let bucket = match self.bucket(state) {
            Some(bucket) => bucket,
            None => self.new_page(state),
        };
        let slots = &mut self.slots[bucket..bucket + BUCKET];
        let mut victim = 0;
        for (i, slot) in slots.iter().enumerate() {
            match slot {
                None => victim = i,
                Some(old) if old.state == *state => {
                    victim = i;
                    break;
                }
                Some(old) => {
                    if let Some(worst) = &slots[victim] {
                        let is_older = old.iteration < worst.iteration;
                        let is_deeper = old.iteration == worst.iteration && old.g > worst.g;
                        if is_older || is_deeper {
                            victim = i;
                        }
                    }
                }
            }
        }
        slots[victim] = Some(entry);
    }

    /// Raises the lower bound of `state` to `h`, if the state is still stored.
    #[inline]
    pub(super) fn raise(&mut self, state: &S, h: C) {
        let Some(bucket) = self.bucket(state) else { return };
        let slots = &mut self.slots[bucket..bucket + BUCKET];
        if let Some(entry) = slots.iter_mut().flatten().find(|entry| entry.state == *state) {
            entry.h = larger(entry.h, h);
        }
    }

    /// Makes all entries those of an iteration before the first, so that iterations can be counted
    /// from 1 again. Takes time in proportion to the pages in use.
    pub(super) fn forget_iterations(&mut self) {
        for entry in self.slots.iter_mut().flatten() {
            entry.iteration = 0;
        }
    }
}

impl<S, C> TranspositionTable<S, C> {
    /// Removes all entries. Takes time in proportion to the pages in use. Memory is kept.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.pages.fill(0);
    }
}

impl<S, C> fmt::Debug for TranspositionTable<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranspositionTable")
            .field("slots", &(BUCKET << self.bits))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_bucket_replaces_old_and_deep_states_first() {
        let mut memory = Memory::new(usize::MAX);
        let mut table: TranspositionTable<u32, u32> =
            TranspositionTable::new(0, &mut memory).unwrap();
        for (state, g, iteration) in [(1, 5, 1), (2, 9, 2), (3, 2, 2), (4, 4, 2)] {
            table.store(&state, 10, g, iteration);
        }
        table.raise(&3, 12);
        table.raise(&3, 11);
        assert_eq!(table.get(&3).unwrap().h, 12);
        table.store(&5, 10, 1, 2);
        assert!(table.get(&1).is_none(), "an entry of an earlier iteration");
        table.store(&6, 10, 1, 2);
        assert!(table.get(&2).is_none(), "the deepest entry of this one");
        assert!([3, 4, 5, 6].iter().all(|state| table.get(state).is_some()));
    }

    #[test]
    fn takes_at_most_its_bytes() {
        let mut memory = Memory::new(usize::MAX);
        let _table: TranspositionTable<u64, u32> =
            TranspositionTable::new(100_000, &mut memory).unwrap();
        assert!(memory.held() <= 100_000);
        assert!(memory.held() > 50_000);
    }

    #[test]
    fn uses_all_slots() {
        let mut memory = Memory::new(usize::MAX);
        let mut table: TranspositionTable<u64, u32> =
            TranspositionTable::new(1 << 16, &mut memory).unwrap();
        let slots = table.slots.capacity() as u64;
        assert_eq!(format!("{table:?}"), format!("TranspositionTable {{ slots: {slots}, .. }}"));
        // Consecutive numbers, and numbers that differ only in their high bits.
        for shift in [0, 40] {
            table.clear();
            for n in 0..slots / 4 {
                table.store(&(n << shift), 10, 1, 1);
            }
            let found = (0..slots / 4).filter(|n| table.get(&(n << shift)).is_some()).count();
            assert!(found as u64 > slots / 4 - slots / 16, "{found} of {}", slots / 4);
        }
    }

    /// A table of 256 MB, of which a few states use a few pages; its memory is counted, and never grows.
    #[test]
    fn a_page_is_written_when_its_first_state_is_stored() {
        let mut memory = Memory::new(1 << 28);
        let mut table: TranspositionTable<u64, u32> =
            TranspositionTable::new((1 << 28) - (1 << 20), &mut memory).unwrap();
        let (held, room) = (memory.held(), table.slots.capacity());
        assert!(held > 1 << 26 && table.slots.is_empty());
        for state in 0..13 {
            assert!(table.get(&state).is_none());
            table.raise(&state, 5);
            table.store(&state, 1, 1, 1);
        }
        assert!((0..13).all(|state| table.get(&state).is_some()));
        assert!(table.slots.len() <= 13 * (BUCKET << PAGE_BITS), "{}", table.slots.len());
        table.clear();
        assert!(table.slots.is_empty() && table.get(&1).is_none());
        assert_eq!((memory.held(), table.slots.capacity()), (held, room));
    }

    /// When all pages are in use, the list has grown to its capacity and not beyond.
    #[test]
    fn all_pages_fill_the_room() {
        let mut memory = Memory::new(usize::MAX);
        let mut table: TranspositionTable<u64, u32> =
            TranspositionTable::new(1 << 20, &mut memory).unwrap();
        let room = table.slots.capacity();
        assert!(table.pages.len() > 4);
        for state in 0..room as u64 {
            table.store(&state, 1, 1, 1);
        }
        assert_eq!((table.slots.len(), table.slots.capacity()), (room, room));
    }

    #[test]
    fn a_state_is_stored_once() {
        let mut memory = Memory::new(usize::MAX);
        let mut table: TranspositionTable<u32, u32> =
            TranspositionTable::new(0, &mut memory).unwrap();
        for g in [9, 8, 7, 6] {
            table.store(&1, 10, g, 1);
            assert_eq!(table.get(&1).unwrap().g, g);
        }
        for state in 2..5 {
            table.store(&state, 10, 1, 1);
        }
        table.store(&1, 11, 5, 1);
        assert_eq!(table.get(&1).map(|entry| (entry.h, entry.g)), Some((11, 5)));
        assert!((1..5).all(|state| table.get(&state).is_some()));
    }

    #[test]
    fn iterations_can_be_counted_anew() {
        let mut memory = Memory::new(usize::MAX);
        let mut table: TranspositionTable<u32, u32> =
            TranspositionTable::new(0, &mut memory).unwrap();
        table.store(&1, 10, 5, u32::MAX);
        table.forget_iterations();
        assert_eq!(table.get(&1).map(|entry| (entry.h, entry.iteration)), Some((10, 0)));
        table.clear();
        assert!(table.get(&1).is_none());
    }
}
