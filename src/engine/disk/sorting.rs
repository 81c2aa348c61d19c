//! [`Sorting`]: how the entries of a visit get into their shards.

use std::hash::Hash;

use super::entries::{Chunks, EmptyChunks, Entries};
use super::entry::{hash_of, mark_of, shard_of};

/// A part of the entries of a visit that one thread sorts into shards.
#[derive(Debug)]
pub(super) struct Sorting<S> {
    /// Entries that are not in their shards yet.
    unsorted: Chunks<S>,
    /// Those of each shard, until it is worked on.
    pub(super) shards: Vec<Entries<S>>,
    /// Chunks that were emptied.
    empty: EmptyChunks<S>,
    bits: u32,
    /// The bytes of all these lists.
    pub(super) bytes: usize,
}

/// How many chunks are sorted before the limits are checked.
const STEP: usize = 8;

/// In how many parts `entries` entries are sorted into 2 to the power of `bits` shards: one for each thread, if a shard has
/// at least `least` entries of each. Every part has lists of its own.
pub(super) fn parts_for(entries: usize, bits: u32, threads: usize, least: usize) -> usize {
    if bits == 0 { 1 } else { ((entries >> bits) / least).clamp(1, threads.max(1)) }
}

/// The bytes of one list for each shard, as long as these are empty.
pub(super) fn lists_of<S>(bits: u32) -> usize {
    size_of::<Entries<S>>() << bits
}

impl<S: Hash> Sorting<S> {
    /// To sort these entries into 2 to the power of `bits` shards, each of which will have about `expected` of them.
    pub(super) fn new(
        unsorted: Chunks<S>,
        bits: u32,
        expected: usize,
        empty: &mut EmptyChunks<S>,
    ) -> Self {
        let mut shards = Vec::with_capacity(1 << bits);
        shards.resize_with(1 << bits, || Entries::with_capacity(expected, empty));
        Self::go_on(unsorted, bits, shards)
    }

    /// To sort these entries, too, into shards that have some already.
    pub(super) fn go_on(unsorted: Chunks<S>, bits: u32, shards: Vec<Entries<S>>) -> Self {
        let lists = shards.iter().map(Entries::bytes).sum::<usize>() + lists_of::<S>(bits);
        let bytes = unsorted.bytes() + lists;
        Self { unsorted, shards, empty: EmptyChunks::new(), bits, bytes }
    }

    /// How many chunks are left.
    pub(super) fn count_left(&self) -> usize {
        self.unsorted.count_left()
    }

    /// How many entries it has, without those of the first shards.
    pub(super) fn len_from(&self, shard: usize) -> u64 {
        let lists = self.shards.iter().skip(shard).map(|list| list.len() as u64);
        lists.sum::<u64>() + self.unsorted.len() as u64
    }

    /// Takes the entries of a shard.
    pub(super) fn take(&mut self, shard: usize) -> Entries<S> {
        let list = std::mem::replace(&mut self.shards[shard], Entries::new());
        self.bytes -= list.bytes();
        list
    }

    /// Sorts some entries into their shards.
    pub(super) fn step(&mut self) {
        let before = self.empty.bytes() + self.unsorted.bytes();
        let mut grown = 0;
        for mut chunk in self.unsorted.by_ref().take(STEP) {
            for entry in chunk.drain() {
                let shard = match self.bits {
                    0 => 0,
                    bits => shard_of(mark_of(hash_of(&entry.state)), bits),
                };
                grown += self.shards[shard].push_close(entry, &mut self.empty);
            }
            self.empty.keep(chunk);
        }
        if self.count_left() == 0 {
            self.unsorted = Chunks::none();
        }
        self.bytes = self.bytes + grown + self.empty.bytes() + self.unsorted.bytes() - before;
    }

    /// Gives away the chunks that were emptied.
    pub(super) fn give_empty(&mut self, to: &mut EmptyChunks<S>) {
        self.bytes -= self.empty.bytes();
        to.append(&mut std::mem::replace(&mut self.empty, EmptyChunks::new()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Entry;
    use super::*;

    fn numbers(len: u64) -> Chunks<u64> {
        let mut list = Entries::new();
        (0..len).for_each(|state| {
            list.push(Entry { state, parent: 7 });
        });
        list.into_chunks()
    }

    fn sorted(mut unsorted: Chunks<u64>, bits: u32, parts: usize) -> Vec<Vec<u64>> {
        let each = unsorted.count_left().div_ceil(parts);
        let mut parts: Vec<_> = (0..parts)
            .map(|_| Sorting::new(unsorted.split(each), bits, 100, &mut EmptyChunks::new()))
            .collect();
        for part in &mut parts {
            while part.count_left() > 0 {
                part.step();
            }
            part.give_empty(&mut EmptyChunks::new());
            let held: usize = part.shards.iter().map(Entries::bytes).sum();
            assert!(part.bytes >= held + lists_of::<u64>(bits));
        }
        assert_eq!(unsorted.len(), 0);
        let take = |shard| {
            let lists = parts.iter_mut().map(|part| part.take(shard));
            lists
                .flat_map(|list| list.iter().map(|(&state, _)| state).collect::<Vec<_>>())
                .collect()
        };
        (0..1 << bits).map(take).collect()
    }

    #[test]
    fn entries_are_in_the_same_order_in_any_number_of_parts() {
        for len in [0, 1, 511, 512, 513, 9_000] {
            for bits in [0, 1, 3] {
                let one = sorted(numbers(len), bits, 1);
                assert_eq!(one.iter().flatten().count() as u64, len);
                for (shard, states) in one.iter().enumerate() {
                    let is_there =
                        |state| bits == 0 || shard_of(mark_of(hash_of(state)), bits) == shard;
                    assert!(states.is_sorted() && states.iter().all(is_there));
                }
                for parts in [2, 3, 40] {
                    assert_eq!(sorted(numbers(len), bits, parts), one, "{len} {bits} {parts}");
                }
            }
        }
    }

    #[test]
    fn a_part_has_enough_entries_of_each_shard() {
        assert_eq!(parts_for(16_000, 3, 2, 1000), 2);
        assert_eq!(parts_for(15_000, 3, 2, 1000), 1);
        assert_eq!(parts_for(100_000, 3, 4, 1000), 4);
        assert_eq!((parts_for(100_000, 0, 4, 1), parts_for(0, 3, 4, 1)), (1, 1));
    }
}
