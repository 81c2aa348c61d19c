//! The transposition table of IDA*.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use crate::cost::{Cost, larger};
use crate::debug::show_fields;
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
/// **Memory** is reserved at once, but the table begins with a few buckets, and there are sixteen times as many when
/// one of them is full: a short search does not pay for a large table. While the table grows nothing is replaced, so it holds
/// what it would hold if it had had its whole size from the beginning.
pub struct TranspositionTable<S, C> {
    /// The slots of the buckets so far. Its capacity is that of all buckets.
    slots: Vec<Option<TableEntry<S, C>>>,
    /// The binary logarithm of the number of buckets so far.
    bits: u32,
    /// The binary logarithm of the largest number of buckets.
    most_bits: u32,
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

/// The binary logarithm of the number of buckets in the beginning.
const FIRST_BITS: u32 = 8;

/// How many bits are added when a bucket is full. The last step then costs most, about as much as to write the whole
/// table once.
const GROWTH_BITS: u32 = 4;

impl<S: Clone + Eq + Hash, C: Cost> TranspositionTable<S, C> {
    /// An empty table that takes at most `bytes`.
    pub(super) fn new(bytes: usize, memory: &mut Memory) -> Result<Self, OutOfMemory> {
        let buckets = bytes / size_of::<[Option<TableEntry<S, C>>; BUCKET]>();
        // The largest power of two that fits; at least one bucket, so that there is a table.
        let most_bits = buckets.max(1).ilog2();
        let mut slots = Vec::new();
        // An empty list gets exactly the room that is asked for.
        memory.reserve(&mut slots, BUCKET << most_bits)?;
        let mut table = Self { slots, bits: 0, most_bits };
        table.clear();
        Ok(table)
    }

    #[inline]
    fn bucket(&self, state: &S) -> usize {
        // In two steps, because a shift by all 64 bits overflows.
        ((mixed(state) >> 1) >> (63 - self.bits)) as usize * BUCKET
    }

    /// Makes more buckets. The entries of each go to several, by more bits of their hashes, in the order in which they
    /// came.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let buckets = 1 << self.bits;
        let more = GROWTH_BITS.min(self.most_bits - self.bits);
        self.bits += more;
        // The capacity is there: nothing is allocated.
        self.slots.resize_with(BUCKET << self.bits, || None);
        // From the last one on, so that no bucket is overwritten before it was moved.
        for bucket in (0..buckets).rev() {
            let first = bucket * BUCKET;
            // A bucket is filled from its last slot on.
            let entries: [_; BUCKET] =
                std::array::from_fn(|i| self.slots[first + BUCKET - 1 - i].take());
            for entry in entries.into_iter().flatten() {
                // Also if the hash of the state has changed, it stays among the buckets that come from this one.
                let part = self.bucket(&entry.state) % (BUCKET << more);
                let to = (first << more) + part;
                if let Some(slot) =
                    self.slots[to..to + BUCKET].iter_mut().rfind(|slot| slot.is_none())
                {
                    *slot = Some(entry);
                }
            }
        }
    }

    /// The entry of `state`.
    #[inline]
    pub(super) fn get(&self, state: &S) -> Option<&TableEntry<S, C>> {
        let bucket = self.bucket(state);
        self.slots[bucket..bucket + BUCKET].iter().flatten().find(|entry| entry.state == *state)
    }

    /// Stores that `state` was reached at cost `g`, and that a goal costs at least `h` from there.
    pub(super) fn store(&mut self, state: &S, h: C, g: C, iteration: u32) {
        let entry = TableEntry { state: state.clone(), h, g, iteration };
        while self.bits < self.most_bits && self.is_full_for(state) {
            self.grow();
        }
        let bucket = self.bucket(state);
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

    /// Whether the bucket of `state` has neither an entry of it nor room for one.
    fn is_full_for(&self, state: &S) -> bool {
        let bucket = self.bucket(state);
        let mut slots = self.slots[bucket..bucket + BUCKET].iter();
        slots.all(|slot| slot.as_ref().is_some_and(|entry| entry.state != *state))
    }

    /// Raises the lower bound of `state` to `h`, if the state is still stored.
    #[inline]
    pub(super) fn raise(&mut self, state: &S, h: C) {
        let bucket = self.bucket(state);
        let slots = &mut self.slots[bucket..bucket + BUCKET];
        if let Some(entry) = slots.iter_mut().flatten().find(|entry| entry.state == *state) {
            entry.h = larger(entry.h, h);
        }
    }

    /// Makes all entries those of an iteration before the first, so that iterations can be counted
    /// from 1 again. Takes time in proportion to the size of the table so far.
    pub(super) fn forget_iterations(&mut self) {
        for entry in self.slots.iter_mut().flatten() {
            entry.iteration = 0;
        }
    }
}

impl<S, C> TranspositionTable<S, C> {
    /// Removes all entries. Takes time in proportion to the size of the table so far, which it loses; memory is kept.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.bits = self.most_bits.min(FIRST_BITS);
        self.slots.resize_with(BUCKET << self.bits, || None);
    }
}

#[inline]
fn mixed<S: Hash>(state: &S) -> u64 {
    let hash = FxBuildHasher.hash_one(state);
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

show_fields! {
    [S, C] TranspositionTable<S, C>,
    "TranspositionTable" (this) { slots = (BUCKET << this.most_bits) }
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

    /// A table of 256 MB with a few states takes a few buckets; its memory is counted, and never grows.
    #[test]
    fn a_table_with_few_states_is_small() {
        let mut memory = Memory::new(1 << 28);
        let mut table: TranspositionTable<u64, u32> =
            TranspositionTable::new(1 << 28, &mut memory).unwrap();
        let (held, room) = (memory.held(), table.slots.capacity());
        assert!(held > 1 << 27);
        for state in 0..13 {
            table.store(&state, 1, 1, 1);
        }
        assert!((0..13).all(|state| table.get(&state).is_some()));
        assert!(table.slots.len() <= 4 << FIRST_BITS << GROWTH_BITS, "{}", table.slots.len());
        for state in 0..100_000 {
            table.store(&state, 1, 1, 1);
        }
        assert!((0..100_000).all(|state| table.get(&state).is_some()));
        table.clear();
        assert!(table.slots.len() == 4 << FIRST_BITS && table.get(&1).is_none());
        assert_eq!((memory.held(), table.slots.capacity()), (held, room));
    }

    /// A table that grows holds the same in each slot as one that had its whole size from the beginning.
    #[test]
    fn growing_changes_nothing() {
        let tables = || {
            let mut memory = Memory::new(usize::MAX);
            let new = TranspositionTable::<u64, u32>::new(1 << 18, &mut memory);
            new.unwrap()
        };
        let (mut grown, mut whole) = (tables(), tables());
        while whole.bits < whole.most_bits {
            whole.grow();
        }
        let room = whole.slots.capacity() as u64;
        for n in 0..3 * room {
            let state = (n * n % 100_003) << (n % 3 * 20);
            let [h, g, iteration] =
                [n % 7, n % 11, n / room].map(|small| u32::try_from(small).unwrap());
            for table in [&mut grown, &mut whole] {
                table.store(&state, h, g, iteration);
                table.raise(&(state / 2), h + 3);
            }
            assert_eq!(format!("{:?}", grown.get(&state)), format!("{:?}", whole.get(&state)));
        }
        assert_eq!((grown.bits, grown.slots.capacity()), (whole.bits, whole.slots.len()));
        assert_eq!(format!("{:?}", grown.slots), format!("{:?}", whole.slots));
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
