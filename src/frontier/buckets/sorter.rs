//! Counting sort of a layer.

use std::mem;

use super::Rank;
use crate::indexed::{at, at_mut, fill};
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

/// Sparse entries are inserted one by one only if there are at most this many.
const INSERTED: usize = 20;

/// Inserting entries one by one may take this many moves for each.
const MOVES: usize = 16;

impl<R: Rank> Sorter<R> {
    pub(super) fn new() -> Self {
        Self { before: Vec::new(), ordered: Vec::new() }
    }

    /// Sorts by rank. Entries with equal ranks keep their order, so the last one is popped first. If ranks are far apart, equal ranks
    /// are sorted by their ids; so are those of a long list if there is no memory for counting.
    ///
    /// (The sort of the standard library takes 3 kB for each width.)
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
        let entries = list.len();
        // Sparse ranks are counted in groups of this many bits.
        let mut bits = 0;
        while (most - least) as usize >> bits >= COUNTED * entries {
            bits += 1;
        }
        let span = ((most - least) as usize >> bits) + 1;
        let is_few = bits > 0 && entries <= INSERTED;
        let counts = !is_few && u32::try_from(entries).is_ok();
        let counts = counts && self.make_room(entries, span, memory).is_ok();
        if counts {
            let place = |entry: R| ((entry.rank() - least) >> bits) as usize;
            fill(&mut self.before, span, 0);
            for &entry in &*list {
                *at_mut(&mut self.before, place(entry)) += 1;
            }
            let mut sum = 0;
            for before in &mut self.before {
                sum += mem::replace(before, sum);
            }
            // Every entry is overwritten; the fill value does not matter.
            self.ordered.truncate(entries);
            fill(&mut self.ordered, entries, R::zero());
            for &entry in &*list {
                let before = at_mut(&mut self.before, place(entry));
                *at_mut(&mut self.ordered, *before as usize) = entry;
                *before += 1;
            }
            mem::swap(list, &mut self.ordered);
        }
        if !counts || bits > 0 {
            insert_each(list, bits > 0);
        }
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

/// Sorts a list that is short or nearly sorted by rank, and if `by_ids` equal ranks by their ids, by insertion; by a heap,
/// and by ids, if that takes many moves.
fn insert_each<R: Rank>(list: &mut [R], by_ids: bool) {
    let mut moves = 0;
    for place in 1..list.len() {
        let entry = *at(list, place);
        let mut hole = place;
        while hole > 0
            && *at(list, hole - 1) > entry
            && (by_ids || at(list, hole - 1).rank() > entry.rank())
        {
            *at_mut(list, hole) = *at(list, hole - 1);
            hole -= 1;
        }
        *at_mut(list, hole) = entry;
        moves += place - hole;
        if moves > MOVES * list.len() {
            return heapsort(list);
        }
    }
}

/// Source: Williams, *Algorithm 232: Heapsort*, 1964; the heap is built as in Floyd, *Algorithm 245: Treesort 3*, 1964.
#[cold]
#[inline(never)]
fn heapsort<R: Rank>(list: &mut [R]) {
    let entries = list.len();
    for step in (0..entries + entries / 2).rev() {
        // First it makes a heap, then it moves the largest entry behind it, again and again.
        let (mut hole, end) = if let Some(root) = step.checked_sub(entries) {
            (root, entries)
        } else {
            // Not `swap`, whose panic is one of two.
            let entry = *at(list, step);
            *at_mut(list, step) = mem::replace(at_mut(list, 0), entry);
            (0, step)
        };
        let entry = *at(list, hole);
        loop {
            let mut child = 2 * hole + 1;
            if child + 1 < end && at(list, child) < at(list, child + 1) {
                child += 1;
            }
            if child >= end || *at(list, child) <= entry {
                break;
            }
            *at_mut(list, hole) = *at(list, child);
            hole = child;
        }
        *at_mut(list, hole) = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::IdParts;

    fn key(id: u32, rank: u32) -> u64 {
        id.with_rank(rank)
    }

    fn sort(list: &[u64], memory: usize) -> Vec<u64> {
        let mut list = list.to_vec();
        Sorter::<u64>::new().sort(&mut list, &mut Memory::new(memory));
        list
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

            let is_sparse = values > 4 * entries;
            let expected = if is_sparse { &by_comparing } else { &by_counting };
            // Only a long list has another order if there is no memory.
            let of_uncounted = if entries > 50 { &by_comparing } else { expected };
            let mut uncounted = keys.clone();
            let mut none = Memory::new(0);
            Sorter::<u64>::new().sort(&mut uncounted, &mut none);
            assert_eq!((&uncounted, none.held()), (of_uncounted, 0));

            let given = keys.capacity();
            sorter.sort(&mut keys, &mut memory);
            assert_eq!(keys, *expected, "{entries} entries");
            // The list may have been swapped with the buffer.
            held += (keys.capacity() * 8).wrapping_sub(given * 8);
            assert_eq!(memory.held(), sorter.bytes().wrapping_add(held));
        }
    }

    #[test]
    fn layers_in_order_and_layers_just_dense_enough_are_recognised() {
        let keys = [key(9, 11), key(5, 0), key(3, 11)];
        assert_eq!(sort(&keys, usize::MAX), [keys[1], keys[0], keys[2]]);
        let sparse = [key(9, 12), key(5, 0), key(3, 12)];
        assert_eq!(sort(&sparse, usize::MAX), [sparse[1], sparse[2], sparse[0]]);
        let in_order = [key(9, 4), key(3, 4), key(8, 7)];
        assert_eq!(sort(&in_order, 0), in_order);
    }

    #[test]
    fn sparse_ranks_are_sorted_however_they_lie() {
        let mut random = 1_u32;
        let mut next = |below: u32| {
            random = random.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (random >> 8) % below
        };
        for entries in [2, INSERTED - 1, INSERTED, INSERTED + 1, 100, 1000] {
            let ids = 0..u32::try_from(entries).unwrap();
            let scattered: Vec<u64> = ids.clone().map(|id| key(id, next(1 << 16))).collect();
            // All but one are counted as one, and from last to first.
            let crowded: Vec<u64> =
                ids.map(|id| key(id, if id == 0 { 1 << 16 } else { 9000 - id })).collect();
            for list in [scattered, crowded] {
                let mut expected = list.clone();
                expected.sort_unstable();
                for memory in [0, usize::MAX] {
                    assert_eq!(sort(&list, memory), expected, "{entries} entries");
                }
                let mut by_heap = list;
                heapsort(&mut by_heap);
                assert_eq!(by_heap, expected);
            }
        }
    }
}
