//! What IDA* remembers of states it has seen.

use std::fmt;
use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use crate::cost::{Cost, larger};
use crate::memory::{Memory, OutOfMemory};

/// A table of fixed size from states to what was proved of them: a lower bound on the rest of the
/// way, raised whenever the tree below a state was searched in vain, and the cost at which the state
/// was reached last and in which iteration.
///
/// By the bound, a tree that cannot lead to a goal is not searched again in a later iteration; by
/// the cost, none is searched twice in the same. Whole states are compared, so an answer is never
/// wrong; a state that is forgotten costs time only.
///
/// **Replacement.** A state may stand in any of four neighbouring places. If all are taken, the one
/// that was not seen in this iteration goes first, and among equals the one that was reached at the
/// highest cost, as the tree below it is likely the smallest.
///
/// Source: Reinefeld and Marsland, *Enhanced Iterative-Deepening Search*, 1994.
pub struct TranspositionTable<S, C> {
    places: Vec<Option<Memo<S, C>>>,
    /// The binary logarithm of the number of groups of four.
    bits: u32,
}

/// What is remembered of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memo<S, C> {
    state: S,
    /// A lower bound on the cost from here to a goal.
    pub(super) rest: C,
    /// The smallest cost at which it was reached in that iteration.
    pub(super) g: C,
    pub(super) iteration: u32,
}

const GROUP: usize = 4;

impl<S: Clone + Eq + Hash, C: Cost> TranspositionTable<S, C> {
    /// An empty table that takes at most `bytes`.
    pub(super) fn new(bytes: usize, memory: &mut Memory) -> Result<Self, OutOfMemory> {
        let groups = bytes / size_of::<[Option<Memo<S, C>>; GROUP]>();
        // The largest power of two that fits; one group at least, so that there is a table.
        let bits = groups.max(1).ilog2();
        Ok(Self { places: memory.list(GROUP << bits, None)?, bits })
    }

    #[inline]
    fn group(&self, state: &S) -> usize {
        let hash = FxBuildHasher.hash_one(state);
        let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // Shifting by all 64 bits is no shift to Rust, so in two steps.
        ((mixed >> 1) >> (63 - self.bits)) as usize * GROUP
    }

    /// What is remembered of `state`.
    #[inline]
    pub(super) fn get(&self, state: &S) -> Option<&Memo<S, C>> {
        let group = self.group(state);
        self.places[group..group + GROUP].iter().flatten().find(|memo| memo.state == *state)
    }

    /// Takes note that `state` was reached at cost `g` and that `rest` is left to pay, at least.
    pub(super) fn reach(&mut self, state: &S, rest: C, g: C, iteration: u32) {
        let group = self.group(state);
        let places = &mut self.places[group..group + GROUP];
        let memo = Memo { state: state.clone(), rest, g, iteration };
        let mut victim = 0;
        for (i, place) in places.iter().enumerate() {
            match place {
                None => victim = i,
                Some(old) if old.state == *state => {
                    victim = i;
                    break;
                }
                Some(old) => {
                    if let Some(worst) = &places[victim] {
                        let is_older = old.iteration < worst.iteration;
                        let is_deeper = old.iteration == worst.iteration && old.g > worst.g;
                        if is_older || is_deeper {
                            victim = i;
                        }
                    }
                }
            }
        }
        places[victim] = Some(memo);
    }

    /// Takes note that from `state` a goal costs at least `rest`, if the state is still remembered.
    #[inline]
    pub(super) fn prove(&mut self, state: &S, rest: C) {
        let group = self.group(state);
        let places = &mut self.places[group..group + GROUP];
        if let Some(memo) = places.iter_mut().flatten().find(|memo| memo.state == *state) {
            memo.rest = larger(memo.rest, rest);
        }
    }
}

impl<S, C> fmt::Debug for TranspositionTable<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranspositionTable")
            .field("places", &self.places.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_group_forgets_old_and_deep_states_first() {
        let mut memory = Memory::new(usize::MAX);
        let mut table: TranspositionTable<u32, u32> =
            TranspositionTable::new(0, &mut memory).unwrap();
        for (state, g, iteration) in [(1, 5, 1), (2, 9, 2), (3, 2, 2), (4, 4, 2)] {
            table.reach(&state, 10, g, iteration);
        }
        table.prove(&3, 12);
        table.prove(&3, 11);
        assert_eq!(table.get(&3).unwrap().rest, 12);
        table.reach(&5, 10, 1, 2);
        assert!(table.get(&1).is_none(), "the one of an earlier iteration");
        table.reach(&6, 10, 1, 2);
        assert!(table.get(&2).is_none(), "the deepest of this one");
        assert!([3, 4, 5, 6].iter().all(|state| table.get(state).is_some()));
    }

    #[test]
    fn it_keeps_to_its_bytes() {
        let mut memory = Memory::new(usize::MAX);
        let _table: TranspositionTable<u64, u32> =
            TranspositionTable::new(100_000, &mut memory).unwrap();
        assert!(memory.held() <= 100_000);
        assert!(memory.held() > 50_000);
    }

    #[test]
    fn it_uses_all_its_places() {
        let mut memory = Memory::new(usize::MAX);
        let mut table: TranspositionTable<u64, u32> =
            TranspositionTable::new(1 << 16, &mut memory).unwrap();
        let places = table.places.len() as u64;
        assert_eq!(format!("{table:?}"), format!("TranspositionTable {{ places: {places}, .. }}"));
        // Numbers in a row, and numbers that differ only in their high bits.
        for shift in [0, 40] {
            table.places.fill(None);
            for n in 0..places / 4 {
                table.reach(&(n << shift), 10, 1, 1);
            }
            let known = (0..places / 4).filter(|n| table.get(&(n << shift)).is_some()).count();
            assert!(known as u64 > places / 4 - places / 16, "{known} of {}", places / 4);
        }
    }

    #[test]
    fn a_state_stands_in_one_place_only() {
        let mut memory = Memory::new(usize::MAX);
        let mut table: TranspositionTable<u32, u32> =
            TranspositionTable::new(0, &mut memory).unwrap();
        for g in [9, 8, 7, 6] {
            table.reach(&1, 10, g, 1);
            assert_eq!(table.get(&1).unwrap().g, g);
        }
        for state in 2..5 {
            table.reach(&state, 10, 1, 1);
        }
        table.reach(&1, 11, 5, 1);
        assert_eq!(table.get(&1).map(|memo| (memo.rest, memo.g)), Some((11, 5)));
        assert!((1..5).all(|state| table.get(&state).is_some()));
    }
}
