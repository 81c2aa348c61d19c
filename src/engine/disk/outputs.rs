//! [`Outputs`]: the successors that the work on a shard has generated, until they are put into the open list.

use super::entries::{EmptyChunks, Entries};
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
    /// Lists without entries, whose memory is used again.
    spare: Vec<Entries<S>>,
    /// The bytes of the lists of entries.
    bytes: usize,
}

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
        Self { targets, sorted, recent: [0; 2], spare, bytes: 0 }
    }

    /// The bytes of lists for so many targets, without their entries.
    fn bytes_for(targets: usize) -> usize {
        let target = size_of::<Target<S, C>>() + size_of::<Entries<S>>() + size_of::<u32>();
        targets.saturating_mul(target)
    }

    /// The bytes that it holds.
    pub(super) fn held(&self) -> usize {
        self.bytes + Self::bytes_for(self.targets.capacity())
    }

    /// Makes room for `added` more entries, if no more than `most` bytes are held meanwhile. If there is no room, the bytes
    /// that would be held with these entries alone.
    #[inline]
    pub(super) fn reserve(&mut self, added: usize, most: usize) -> Result<(), usize> {
        let room = self.targets.capacity();
        let fits = Self::most_bytes(self.bytes, added, room) <= most;
        if fits && added <= room - self.targets.len() { Ok(()) } else { self.grow(added, most) }
    }

    /// No more than so many bytes are held while `added` entries are put into lists of so many `bytes`: each of the lists
    /// becomes no more than twice as long, and may be copied.
    #[inline]
    fn most_bytes(bytes: usize, added: usize, targets: usize) -> usize {
        (3 * bytes)
            .saturating_add(added.saturating_mul(4 * Entry::<S>::IN_MEMORY))
            .saturating_add(Self::bytes_for(targets))
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, added: usize, most: usize) -> Result<(), usize> {
        let (len, room) = (self.targets.len(), self.targets.capacity());
        let grown = |bytes, len: usize, room: usize| {
            // The old list of targets is copied to the new one.
            let copied = if len + added <= room { 0 } else { len + added };
            Self::most_bytes(bytes, added, room).saturating_add(Self::bytes_for(copied))
        };
        if grown(self.bytes, len, room) > most {
            if len > 0 {
                return Err(grown(0, 0, room));
            }
            (self.spare, self.bytes) = (Vec::new(), 0);
            if grown(0, 0, room) > most {
                return Err(grown(0, 0, room));
            }
        }
        if len + added > room {
            self.targets.reserve_exact(added);
            self.sorted.reserve_exact(added);
        }
        self.spare.reserve_exact(self.targets.capacity() - self.spare.len());
        Ok(())
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
        self.targets.iter().map(|target| target.entries.len()).sum()
    }

    /// No more than so many bytes are taken where all entries are moved to the open list.
    pub(super) fn growth(&self, open: &Open<S, C>) -> usize {
        self.targets.iter().map(|target| open.growth(target.key, &target.entries)).sum()
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
            entries.clear();
            self.spare.push(entries);
        }
        self.sorted.clear();
        self.recent = [0; 2];
        self.bytes = self.spare.iter().map(Entries::bytes).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Random;

    #[test]
    fn it_holds_no_more_than_it_may_and_loses_nothing() {
        for most in [2_000, 5_000, 20_000, 200_000] {
            let mut random = Random::new(most as u64);
            let mut out = Outputs::<u64, u32>::new();
            let mut open = Open::new();
            let (mut state, mut moved) = (0, 0);
            while state < 5_000 {
                let added = random.index(9);
                while let Err(bytes) = out.reserve(added, most) {
                    assert!(bytes <= most, "{bytes} bytes for {added} successors");
                    moved += out.len();
                    let (before, grown) = (open.bytes, out.growth(&open));
                    out.drain_into(&mut open);
                    assert!(open.bytes <= before + grown);
                    assert_eq!((out.len(), open.len), (0, moved as u64));
                }
                for _ in 0..added {
                    let (g, h) = (9, [3, 5, 4, 9][random.index(4)]);
                    out.push((g, h, g + h), Entry { state, parent: 1 }, &mut EmptyChunks::new());
                    state += 1;
                    assert!(out.held() <= most, "{} of {most}", out.held());
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
}
