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
pub struct TranspositionTable<S, C> {
    slots: Vec<Option<TableEntry<S, C>>>,
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

impl<S: Clone + Eq + Hash, C: Cost> TranspositionTable<S, C> {
    /// An empty table that takes at most `bytes`.
    pub(super) fn new(bytes: usize, memory: &mut Memory) -> Result<Self, OutOfMemory> {
        let buckets = bytes / size_of::<[Option<TableEntry<S, C>>; BUCKET]>();
        // The largest power of two that fits; at least one bucket, so that there is a table.
        let bits = buckets.max(1).ilog2();
        Ok(Self { slots: memory.list(BUCKET << bits, None)?, bits })
    }

    #[inline]
    fn bucket(&self, state: &S) -> usize {
        let hash = FxBuildHasher.hash_one(state);
        let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // In two steps, because a shift by all 64 bits overflows.
        ((mixed >> 1) >> (63 - self.bits)) as usize * BUCKET
    }

    /// The entry of `state`.
    #[inline]
    pub(super) fn get(&self, state: &S) -> Option<&TableEntry<S, C>> {
        let bucket = self.bucket(state);
        self.slots[bucket..bucket + BUCKET].iter().flatten().find(|entry| entry.state == *state)
    }

    /// Stores that `state` was reached at cost `g`, and that a goal costs at least `h` from there.
    pub(super) fn store(&mut self, state: &S, h: C, g: C, iteration: u32) {
        let bucket = self.bucket(state);
        let slots = &mut self.slots[bucket..bucket + BUCKET];
        let entry = TableEntry { state: state.clone(), h, g, iteration };
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
        let bucket = self.bucket(state);
        let slots = &mut self.slots[bucket..bucket + BUCKET];
        if let Some(entry) = slots.iter_mut().flatten().find(|entry| entry.state == *state) {
            entry.h = larger(entry.h, h);
        }
    }

    /// Makes all entries those of an iteration before the first, so that iterations can be counted
    /// from 1 again. Takes time in proportion to the size of the table.
    pub(super) fn forget_iterations(&mut self) {
        for entry in self.slots.iter_mut().flatten() {
            entry.iteration = 0;
        }
    }
}

impl<S, C> TranspositionTable<S, C> {
    /// Removes all entries. Takes time in proportion to the size of the table.
    pub(super) fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot = None;
        }
    }
}

impl<S, C> fmt::Debug for TranspositionTable<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranspositionTable")
            .field("slots", &self.slots.len())
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
        let slots = table.slots.len() as u64;
        assert_eq!(format!("{table:?}"), format!("TranspositionTable {{ slots: {slots}, .. }}"));
        // Consecutive numbers, and numbers that differ only in their high bits.
        for shift in [0, 40] {
            table.slots.fill(None);
            for n in 0..slots / 4 {
                table.store(&(n << shift), 10, 1, 1);
            }
            let found = (0..slots / 4).filter(|n| table.get(&(n << shift)).is_some()).count();
            assert!(found as u64 > slots / 4 - slots / 16, "{found} of {}", slots / 4);
        }
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
