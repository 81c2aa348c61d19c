//! [`Outputs`]: the successors that the work on a shard has generated, until they are put into the open list.

use super::block::Block;
use super::entries::{CHUNK, EmptyChunks, Entries};
use super::entry::Entry;
use super::open::{Open, order};
use crate::cost::{Cost, smaller};

/// Successors by their g and h, each in the order in which they were generated.
#[derive(Debug)]
pub(super) struct Outputs<S, C> {
    targets: Vec<Target<S, C>>,
    /// The numbers of the targets in the order of g and h.
    sorted: Vec<u32>,
    /// The numbers of the last two that were used.
    recent: [usize; 2],
    /// Lists without entries, whose memory is used again: no more than [`SPARE`].
    spare: Vec<Entries<S>>,
    /// How many entries there are.
    len: usize,
    /// There is room for at least this many more.
    left: usize,
    /// The bytes of the lists of entries.
    bytes: usize,
}

/// Most shards have successors with this many pairs of g and h.
const SPARE: usize = 4;

/// The successors with one g and one h.
#[derive(Debug)]
struct Target<S, C> {
    /// g, h and f.
    key: (C, C, C),
    entries: Entries<S>,
}

impl<S, C: Cost> Outputs<S, C> {
    pub(super) fn new() -> Self {
        let (targets, sorted, spare) = (Vec::new(), Vec::new(), Vec::new());
        Self { targets, sorted, recent: [0; 2], spare, len: 0, left: 0, bytes: 0 }
    }

    /// The bytes that it holds.
    pub(super) fn held(&self) -> usize {
        self.bytes
            + self.targets.capacity() * size_of::<Target<S, C>>()
            + self.sorted.capacity() * size_of::<u32>()
            + self.spare.capacity() * size_of::<Entries<S>>()
    }

    /// Whether there may be `added` more entries where no more than `most` bytes are to be held, but for those that are held
    /// by lists without entries. If not, the bytes that these entries need alone.
    ///
    /// What was held before does not count, so that it depends only on the entries.
    #[inline]
    pub(super) fn reserve(&mut self, added: usize, most: usize) -> Result<(), usize> {
        if added <= self.left {
            self.left -= added;
            return Ok(());
        }
        self.look_for_room(added, most)
    }

    #[cold]
    #[inline(never)]
    fn look_for_room(&mut self, added: usize, most: usize) -> Result<(), usize> {
        // Each may be the first with its g and h. But no more than a fourth of the room is kept for that, as most are not, and those
        // that are make buckets, which take more.
        let first = added.min(most / (4 * Self::TARGET)).max(added.min(2));
        let needed = Self::most_bytes(self.len + added, self.targets.len() + first);
        let Some(left) = most.checked_sub(needed) else {
            return Err(Self::most_bytes(added, 2).saturating_mul(2));
        };
        // Each may be the first of a chunk and of a target.
        self.left = left / (Self::most_bytes(CHUNK, 1) - Self::most_bytes(CHUNK - 1, 0));
        Ok(())
    }

    /// An upper bound on the bytes that a target takes, without its second entry and those after it: lists that grow become twice
    /// as long, and are copied.
    const TARGET: usize =
        3 * (size_of::<Target<S, C>>() + size_of::<u32>()) + 4 * Entry::<S>::IN_MEMORY;

    /// An upper bound on the bytes that are held until there are `entries` entries and `targets` targets.
    fn most_bytes(entries: usize, targets: usize) -> usize {
        (3 * Entry::<S>::IN_MEMORY)
            .saturating_mul(entries)
            .saturating_add(4 * size_of::<Block<S>>() * (entries / CHUNK))
            .saturating_add(Self::TARGET.saturating_mul(targets))
    }

    #[inline]
    pub(super) fn push(&mut self, key: (C, C, C), entry: Entry<S>, empty: &mut EmptyChunks<S>) {
        let is_it = |target: &Target<S, C>| target.key.0 == key.0 && target.key.1 == key.1;
        let [last, other] = self.recent;
        let at = if self.targets.get(last).is_some_and(is_it) {
            last
        } else if self.targets.get(other).is_some_and(is_it) {
            other
        } else {
            self.look_up(key)
        };
        if at != last {
            self.recent = [at, last];
        }
        self.len += 1;
        self.bytes += self.targets[at].entries.push_from(entry, empty);
    }

    #[inline(never)]
    fn look_up(&mut self, key: (C, C, C)) -> usize {
        let by_key = |&number: &u32| {
            let (g, h, _) = self.targets[number as usize].key;
            order(g, key.0).then(order(h, key.1))
        };
        match self.sorted.binary_search_by(by_key) {
            Ok(at) => self.sorted[at] as usize,
            Err(at) => {
                let number = self.targets.len();
                if number == self.targets.capacity() {
                    self.targets.reserve_exact(number.max(1));
                    self.sorted.reserve_exact(number.max(1));
                }
                let entries = self.spare.pop().unwrap_or_else(Entries::new);
                self.targets.push(Target { key, entries });
                self.sorted.insert(at, u32::try_from(number).unwrap_or(u32::MAX));
                number
            }
        }
    }

    /// The least f of what it holds.
    pub(super) fn least(&self) -> Option<C> {
        self.targets.iter().map(|target| target.key.2).reduce(smaller)
    }

    /// How many entries it holds.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// An upper bound on the bytes that are taken if all entries are moved to the open list.
    pub(super) fn growth(&self, open: &mut Open<S, C>) -> usize {
        open.growth(self.targets.iter().map(|target| (target.key, &target.entries)))
    }

    /// Moves all entries to the open list.
    pub(super) fn drain_into(&mut self, open: &mut Open<S, C>) {
        for Target { key, entries } in &mut self.targets {
            open.add_all(*key, entries);
        }
        self.clear();
    }

    pub(super) fn clear(&mut self) {
        for Target { mut entries, .. } in self.targets.drain(..) {
            if self.spare.len() < SPARE {
                entries.clear();
                self.spare.push(entries);
            }
        }
        self.sorted.clear();
        (self.recent, self.len, self.left) = ([0; 2], 0, 0);
        self.bytes = self.spare.iter().map(Entries::bytes).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Random;

    #[test]
    fn it_holds_no_more_than_it_may_and_loses_nothing() {
        for most in [4_000, 6_000, 20_000, 200_000] {
            let mut random = Random::new(most as u64);
            let mut out = Outputs::<u64, u32>::new();
            let mut open = Open::new();
            let (mut state, mut moved, mut kept) = (0, 0, 0);
            while state < 5_000 {
                let added = random.index(9);
                while let Err(bytes) = out.reserve(added, most) {
                    assert!(bytes <= most, "{bytes} bytes for {added} successors");
                    moved += out.len();
                    let (before, grown) = (open.bytes, out.growth(&mut open));
                    out.drain_into(&mut open);
                    assert!(open.bytes <= before + grown);
                    assert_eq!((out.len(), open.len), (0, moved as u64));
                    kept = out.held();
                }
                for _ in 0..added {
                    let (g, h) = (9, [3, 5, 4, 9][random.index(4)]);
                    out.push((g, h, g + h), Entry { state, parent: 1 }, &mut EmptyChunks::new());
                    state += 1;
                    assert!(out.held() <= most + kept, "{} of {most}", out.held());
                }
            }
            out.drain_into(&mut open);
            let mut states: Vec<u64> = open
                .buckets()
                .flat_map(|(_, bucket)| bucket.entries.iter().map(|(&state, _)| state))
                .collect();
            states.sort_unstable();
            assert!(states.into_iter().eq(0..state));
        }
    }

    #[test]
    fn there_is_room_for_as_many_entries_whatever_was_held_before() {
        let mut used = Outputs::<u64, u32>::new();
        let full_at = |out: &mut Outputs<u64, u32>, targets: usize| {
            let mut random = Random::new(5);
            let added = |out: &mut Outputs<u64, u32>, h| {
                let entry = Entry { state: 1, parent: 1 };
                out.reserve(1, 30_000)
                    .map(|()| out.push((1, h, h + 1), entry, &mut EmptyChunks::new()))
            };
            let count = (0..100_000)
                .take_while(|_| added(out, u32::try_from(random.index(targets)).unwrap()).is_ok())
                .count();
            out.drain_into(&mut Open::new());
            count
        };
        for targets in [2, 90, 1, 3, 40] {
            let fresh = full_at(&mut Outputs::new(), targets);
            assert!(fresh > 100);
            assert_eq!(full_at(&mut used, targets), fresh);
        }
    }
}
