//! Counting sort of a layer.

use std::mem;

use super::Rank;
use crate::memory::{Memory, OutOfMemory};

/// A counting sort of ranked ids by rank.
#[derive(Clone, Debug)]
pub(super) struct Sorter<R> {
    /// For every rank from the smallest on, the number of entries with a smaller rank.
    before: Vec<u32>,
    /// The buffer for the sorted entries.
    ordered: Vec<R>,
}

/// Entries are sorted by counting if there is at least one for this many ranks.
const COUNTED: usize = 4;

impl<R: Rank> Sorter<R> {
    pub(super) fn new() -> Self {
        Self { before: Vec::new(), ordered: Vec::new() }
    }

    /// Sorts by rank. Entries with equal ranks keep their order, so the last one is popped first. If ranks are far apart
    /// or there is no memory for counting, it sorts by comparison, which is not stable.
    pub(super) fn sort(&mut self, list: &mut Vec<R>, memory: &mut Memory) {
        let (mut least, mut most, mut is_sorted) = (u32::MAX, 0, true);
        for &entry in &*list {
            let rank = entry.rank();
            is_sorted &= rank >= most;
            least = least.min(rank);
            most = most.max(rank);
        }
        if is_sorted {
            return;
        }
        let span = (most - least) as usize + 1;
        let is_dense = span <= COUNTED * list.len() && u32::try_from(list.len()).is_ok();
        if !is_dense || self.make_room(list.len(), span, memory).is_err() {
            list.sort_unstable();
            return;
        }
        let place = |entry: R| (entry.rank() - least) as usize;
        self.before.resize(span, 0);
        for &entry in &*list {
            self.before[place(entry)] += 1;
        }
        let mut sum = 0;
        for before in &mut self.before {
            sum += mem::replace(before, sum);
        }
        // Every entry is overwritten; the fill value does not matter.
        self.ordered.resize(list.len(), list[0]);
        for &entry in &*list {
            let at = &mut self.before[place(entry)];
            self.ordered[*at as usize] = entry;
            *at += 1;
        }
        mem::swap(list, &mut self.ordered);
    }

    fn make_room(
        &mut self,
        entries: usize,
        span: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let missing = entries.saturating_sub(self.ordered.len());
        memory.reserve(&mut self.ordered, missing)?;
        self.before.clear();
        memory.reserve(&mut self.before, span)
    }

    /// Returns the number of bytes held.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.before.capacity() * 4 + self.ordered.capacity() * size_of::<R>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::IdParts;

    fn key(id: u32, rank: u32) -> u64 {
        id.with_rank(rank)
    }

    #[test]
    fn layers_are_sorted_by_rank_and_keep_the_order_of_equals() {
        let mut sorter = Sorter::<u64>::new();
        let mut memory = Memory::new(usize::MAX);
        let mut held = 0;
        let mut random = 1_u32;
        for (entries, values) in [(1, 1), (9, 5), (50, 200), (400, 7), (30, 119), (300, 1 << 16)] {
            let mut keys: Vec<u64> = (0..entries)
                .map(|id| {
                    random = random.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                    key(entries - id, (random >> 8) % values)
                })
                .collect();
            let mut by_counting = keys.clone();
            by_counting.sort_by_key(|key| key >> 32);
            let mut by_comparing = keys.clone();
            by_comparing.sort_unstable();
            assert!(entries == 1 || by_counting != by_comparing || values > 4 * entries);

            let mut uncounted = keys.clone();
            let mut none = Memory::new(0);
            Sorter::<u64>::new().sort(&mut uncounted, &mut none);
            assert_eq!((uncounted, none.held()), (by_comparing.clone(), 0));

            let given = keys.capacity();
            sorter.sort(&mut keys, &mut memory);
            let expected = if values > 4 * entries { by_comparing } else { by_counting };
            assert_eq!(keys, expected, "{entries} entries");
            // The list may have been swapped with the buffer.
            held += (keys.capacity() * 8).wrapping_sub(given * 8);
            assert_eq!(memory.held(), sorter.bytes().wrapping_add(held));
        }
    }

    #[test]
    fn layers_in_order_and_layers_just_dense_enough_are_recognised() {
        let sort = |list: &[u64], memory: usize| {
            let mut list = list.to_vec();
            Sorter::<u64>::new().sort(&mut list, &mut Memory::new(memory));
            list
        };
        let keys = [key(9, 11), key(5, 0), key(3, 11)];
        assert_eq!(sort(&keys, usize::MAX), [keys[1], keys[0], keys[2]]);
        let sparse = [key(9, 12), key(5, 0), key(3, 12)];
        assert_eq!(sort(&sparse, usize::MAX), [sparse[1], sparse[2], sparse[0]]);
        let in_order = [key(9, 4), key(3, 4), key(8, 7)];
        assert_eq!(sort(&in_order, 0), in_order);
    }
}
