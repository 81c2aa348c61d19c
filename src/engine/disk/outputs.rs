//! [`Outputs`]: the successors that the work on a shard has generated, until they are put into the open list.

use super::entry::Entry;
use super::open::{Open, order};
use crate::cost::{Cost, smaller};

/// Successors in the order in which they were generated, each with the number of its g and h.
#[derive(Debug)]
pub(super) struct Outputs<S, C> {
    entries: Vec<Entry<S>>,
    /// Of each entry, the number of its target.
    numbers: Vec<u32>,
    targets: Vec<Target<C>>,
    /// The numbers of the targets in the order of g and h.
    sorted: Vec<u32>,
    /// The numbers of the last two that were used.
    recent: [usize; 2],
}

/// A g and an h of successors.
#[derive(Debug)]
struct Target<C> {
    /// g, h and f.
    key: (C, C, C),
    /// How many successors have it.
    count: usize,
}

impl<S, C: Cost> Outputs<S, C> {
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::new(),
            numbers: Vec::new(),
            targets: Vec::new(),
            sorted: Vec::new(),
            recent: [0; 2],
        }
    }

    /// The bytes of lists for so many entries and targets.
    fn bytes_for(entries: usize, targets: usize) -> usize {
        let entry = size_of::<Entry<S>>() + size_of::<u32>();
        let target = size_of::<Target<C>>() + size_of::<u32>();
        entries.saturating_mul(entry).saturating_add(targets.saturating_mul(target))
    }

    /// The bytes that it holds.
    pub(super) fn held(&self) -> usize {
        self.entries.capacity() * size_of::<Entry<S>>()
            + (self.numbers.capacity() + self.sorted.capacity()) * size_of::<u32>()
            + self.targets.capacity() * size_of::<Target<C>>()
    }

    /// Makes room for `added` more entries, if it holds no more than `most` bytes then. While it grows, it takes twice as
    /// many. If there is no room, the bytes that it would hold with these entries alone.
    #[inline]
    pub(super) fn reserve(&mut self, added: usize, most: usize) -> Result<(), usize> {
        let entries = self.entries.capacity() - self.entries.len();
        let targets = self.targets.capacity() - self.targets.len();
        if added <= entries.min(targets) { Ok(()) } else { self.grow(added, most) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, added: usize, most: usize) -> Result<(), usize> {
        let room = (self.entries.capacity(), self.targets.capacity());
        let needed = (self.entries.len() + added, self.targets.len() + added);
        let grown =
            |needed: usize, room: usize| if needed > room { needed.max(2 * room) } else { room };
        let (mut entries, mut targets) = (grown(needed.0, room.0), grown(needed.1, room.1));
        if Self::bytes_for(entries, targets) > most {
            targets = needed.1.max(room.1);
            let left = most.saturating_sub(Self::bytes_for(0, targets));
            entries = (left / Self::bytes_for(1, 0)).clamp(room.0, entries);
            if entries < needed.0 || Self::bytes_for(entries, targets) > most {
                return Err(Self::bytes_for(room.0.max(added), room.1.max(added)));
            }
        }
        self.entries.reserve_exact(entries - self.entries.len());
        self.numbers.reserve_exact(entries - self.numbers.len());
        self.targets.reserve_exact(targets - self.targets.len());
        self.sorted.reserve_exact(targets - self.sorted.len());
        Ok(())
    }

    #[inline]
    pub(super) fn push(&mut self, key: (C, C, C), entry: Entry<S>) {
        let is_it = |target: &Target<C>| target.key.0 == key.0 && target.key.1 == key.1;
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
        self.targets[at].count += 1;
        self.entries.push(entry);
        self.numbers.push(u32::try_from(at).unwrap_or(u32::MAX));
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
                self.targets.push(Target { key, count: 0 });
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
        self.entries.len()
    }

    /// The g, h and f of what it holds, and of each how many entries have it.
    pub(super) fn targets(&self) -> impl Iterator<Item = ((C, C, C), usize)> + Clone {
        self.targets.iter().map(|target| (target.key, target.count))
    }

    /// Moves all entries to the open list, and keeps its memory.
    pub(super) fn drain_into(&mut self, open: &mut Open<S, C>) {
        let keys = self.targets.iter().map(|target| target.key);
        open.add_all(keys, self.numbers.drain(..).zip(self.entries.drain(..)));
        self.clear();
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.numbers.clear();
        self.targets.clear();
        self.sorted.clear();
        self.recent = [0; 2];
    }
}
