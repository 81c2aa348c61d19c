//! Queues of open states by their depth, in one list.

use super::select::Candidate;
use crate::cost::Cost;
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// Open states, each in a queue of its depth, by *f*. The queues are pairing heaps whose nodes are in one list, so that a
/// depth with few states allocates nothing of its own. An entry is stale only where a state was added again with a smaller
/// *f*.
///
/// Adding a state takes constant time, removing it logarithmic time, amortised.
///
/// Source: Fredman, Sedgewick, Sleator and Tarjan, *The pairing heap: a new form of self-adjusting heap*, 1986.
#[derive(Clone, Debug)]
pub(super) struct Queues<C, I> {
    entries: Vec<Entry<C, I>>,
    /// The heap of each depth.
    depths: Vec<Root>,
    /// The first of the entries that are not in use; `next` leads to the others.
    free: u32,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry<C, I> {
    state: Candidate<C, I>,
    /// `NONE` in an entry that is not in use.
    depth: u32,
    /// The first of the states below.
    child: u32,
    /// The next one below the same state.
    next: u32,
}

/// A heap.
#[derive(Clone, Copy, Debug)]
struct Root {
    first: u32,
    /// How many heaps were put below the first state since it came first.
    added: u32,
}

const NONE: u32 = u32::MAX;

/// A heap without states.
const EMPTY: Root = Root { first: NONE, added: 0 };

impl<C: Cost, I: StateId> Queues<C, I> {
    pub(super) fn new() -> Self {
        Self { entries: Vec::new(), depths: Vec::new(), free: NONE, len: 0 }
    }

    /// Makes room for `states` more states, and for this depth.
    #[inline]
    pub(super) fn reserve(
        &mut self,
        depth: usize,
        states: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let more = states.saturating_sub(self.entries.len() - self.len);
        if more > (NONE as usize).saturating_sub(self.entries.len()) || depth >= NONE as usize {
            return Err(OutOfMemory);
        }
        memory.reserve(&mut self.entries, more)?;
        memory.grow_to(&mut self.depths, depth + 1, EMPTY)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a state, for which there must be room. What it was added with before stays.
    #[inline]
    pub(super) fn push(&mut self, depth: usize, state: Candidate<C, I>) {
        let entry = Entry { state, depth: number(depth), child: NONE, next: NONE };
        let place = self.free;
        let place = if place == NONE {
            self.entries.push(entry);
            number(self.entries.len() - 1)
        } else {
            self.free = self.entries[place as usize].next;
            self.entries[place as usize] = entry;
            place
        };
        self.len += 1;
        self.add(place);
    }

    /// The first state of a depth.
    #[inline]
    pub(super) fn first_at(&self, depth: usize) -> Option<I> {
        let first = self.depths.get(depth)?.first;
        self.entries.get(first as usize).map(|entry| entry.state.id)
    }

    /// Removes the first state of a depth.
    #[inline]
    pub(super) fn pop_at(&mut self, depth: usize) -> Option<Candidate<C, I>> {
        let place = self.depths.get(depth)?.first;
        let Entry { state, child, .. } = *self.entries.get(place as usize)?;
        let first = self.meld_all(child);
        self.depths[depth] = Root { first, added: 0 };
        self.release(place);
        Some(state)
    }

    /// All states, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Candidate<C, I>> {
        self.entries.iter().filter(|entry| entry.depth != NONE).map(|entry| &entry.state)
    }

    /// Keeps the states for which `keep` returns true.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Candidate<C, I>) -> bool) {
        self.depths.fill(EMPTY);
        for place in 0..self.entries.len() {
            let entry = &mut self.entries[place];
            if entry.depth == NONE {
                continue;
            }
            if keep(&entry.state) {
                (entry.child, entry.next) = (NONE, NONE);
                self.add(number(place));
            } else {
                self.release(number(place));
            }
        }
    }

    /// Removes all states. Allocated memory is kept.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.depths.fill(EMPTY);
        (self.free, self.len) = (NONE, 0);
    }

    /// Leaves an entry to the next state.
    #[inline]
    fn release(&mut self, place: u32) {
        let entry = &mut self.entries[place as usize];
        (entry.depth, entry.next) = (NONE, self.free);
        self.free = place;
        self.len -= 1;
    }

    /// Whether one state comes before another.
    #[inline]
    fn precedes(&self, one: u32, other: u32) -> bool {
        self.entries[one as usize].state.precedes(&self.entries[other as usize].state)
    }

    /// Melds an entry that is alone into the heap of its depth.
    ///
    /// If each went below the first state as it is, that would come to have as many below it as were added, and to remove
    /// it would take long once. So they are melded with each other as the digits of a binary number carry: two heaps
    /// of one, two of two, and so on. `added` is that number.
    #[inline]
    fn add(&mut self, mut place: u32) {
        let depth = self.entries[place as usize].depth as usize;
        let Root { first, added } = self.depths[depth];
        if first == NONE || self.precedes(place, first) {
            let first = self.meld(place, first);
            self.depths[depth] = Root { first, added: 0 };
            return;
        }
        self.depths[depth].added = added.wrapping_add(1);
        for _ in 0..added.trailing_ones() {
            let latest = self.entries[first as usize].child;
            if latest == NONE {
                break;
            }
            self.entries[first as usize].child = self.part(latest);
            place = self.meld(latest, place);
        }
        self.put_below(first, place);
    }

    /// Puts the later of two first states below the other, and returns that.
    #[inline]
    fn meld(&mut self, a: u32, b: u32) -> u32 {
        if a == NONE || b == NONE {
            return a.min(b);
        }
        let (root, below) = if self.precedes(b, a) { (b, a) } else { (a, b) };
        self.put_below(root, below);
        root
    }

    /// Puts a heap below a state, as the first one.
    #[inline]
    fn put_below(&mut self, root: u32, below: u32) {
        let next = std::mem::replace(&mut self.entries[root as usize].child, below);
        self.entries[below as usize].next = next;
    }

    /// Melds a state and all its next ones: first in pairs, then each pair with those after it.
    fn meld_all(&mut self, first: u32) -> u32 {
        let (mut left, mut pairs) = (first, NONE);
        while left != NONE {
            let right = self.part(left);
            let after = if right == NONE { NONE } else { self.part(right) };
            let pair = self.meld(left, right);
            self.entries[pair as usize].next = pairs;
            (left, pairs) = (after, pair);
        }
        let mut root = NONE;
        while pairs != NONE {
            let after = self.part(pairs);
            root = self.meld(pairs, root);
            pairs = after;
        }
        root
    }

    /// Parts an entry from those beside it; returns the next one.
    #[inline]
    fn part(&mut self, place: u32) -> u32 {
        std::mem::replace(&mut self.entries[place as usize].next, NONE)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "reserve() keeps it below NONE")]
fn number(place: usize) -> u32 {
    place as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEPTHS: usize = 5;

    fn random(seed: &mut u64) -> usize {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*seed >> 33) as usize
    }

    #[test]
    fn states_come_out_of_all_queues_in_order_and_once() {
        let (mut seed, mut memory, mut most) = (7, Memory::new(usize::MAX), 0);
        let mut queues = Queues::<u64, u32>::new();
        let mut expected: Vec<(usize, [u64; 2], u32)> = Vec::new();
        for id in 0..20_000_u32 {
            let depth = random(&mut seed) % DEPTHS;
            // Times in which the queues grow, and times in which they do not.
            if random(&mut seed) % 16 < 6 + 2 * ((id as usize >> 10) % 4) {
                let [f, h] = [(); 2].map(|()| random(&mut seed) as u64 % 9);
                queues.reserve(depth, 1, &mut memory).unwrap();
                queues.push(depth, Candidate { f, h, id });
                expected.push((depth, [f, h], id));
            } else {
                let of_depth = expected.iter().filter(|it| it.0 == depth);
                let least = of_depth.map(|&(_, [f, h], id)| (f, h, id)).min().map(|it| it.2);
                let hint = queues.first_at(depth);
                assert_eq!((hint, queues.pop_at(depth).map(|it| it.id)), (least, least));
                expected.retain(|it| Some(it.2) != least);
            }
            most = most.max(queues.len());
            if id % 1000 == 999 {
                let (divisor, rest) = (2 + random(&mut seed) % 3, random(&mut seed) % 2);
                let keep = |id: u32| id as usize % divisor != rest;
                queues.retain(|it| keep(it.id));
                expected.retain(|it| keep(it.2));
                let mut all: Vec<_> = queues.iter().map(|it| it.id).collect();
                let mut ids: Vec<_> = expected.iter().map(|it| it.2).collect();
                all.sort_unstable();
                ids.sort_unstable();
                assert_eq!(all, ids);
            }
            assert_eq!(queues.len(), expected.len());
            assert!(queues.entries.len() <= most + 1, "entries are used again");
        }
        assert!(most > 300);
        queues.clear();
        assert!(queues.iter().next().is_none() && queues.first_at(0).is_none());
        assert_eq!((queues.len(), queues.pop_at(0).is_none()), (0, true));
        let bytes = queues.entries.capacity() * size_of::<Entry<u64, u32>>()
            + queues.depths.capacity() * size_of::<Root>();
        assert_eq!(memory.held(), bytes);
    }

    /// The most entries below any first state.
    fn most_below_a_root(queues: &Queues<u64, u32>) -> usize {
        let entry = |place: u32| &queues.entries[place as usize];
        let below = queues.depths.iter().filter(|root| root.first != NONE).map(|root| {
            let mut place = entry(root.first).child;
            std::iter::from_fn(|| (place != NONE).then(|| place = entry(place).next)).count()
        });
        below.max().unwrap_or(0)
    }

    #[test]
    fn few_entries_are_touched_to_remove_one() {
        let mut queues = Queues::<u64, u32>::new();
        let mut memory = Memory::new(usize::MAX);
        let (mut seed, mut most) = (7, 0);
        for id in 0..40_000_u32 {
            queues.reserve(id as usize % 2, 1, &mut memory).unwrap();
            // Mostly later than what is there, as if the search went on.
            let [f, h] = [id / 8, id % 1000].map(u64::from);
            let noise = random(&mut seed) as u64 % 64;
            queues.push(id as usize % 2, Candidate { f: f + noise, h, id });
            // The queue of one depth is not asked for long.
            if id % 16 == 0 {
                queues.pop_at(0);
            }
            if id % 64 == 0 {
                most = most.max(most_below_a_root(&queues));
            }
        }
        assert!(most <= 100, "{most} entries are melded at once");
    }

    #[test]
    fn costs_without_an_order_do_no_harm() {
        let mut queues = Queues::<f64, u32>::new();
        let mut memory = Memory::new(usize::MAX);
        queues.reserve(1, 500, &mut memory).unwrap();
        for id in 0..500 {
            let value =
                |id: u32| if id.is_multiple_of(3) { f64::NAN } else { f64::from(id * 7 % 10) };
            queues.push(id as usize % 2, Candidate { f: value(id), h: value(id + 1), id });
        }
        let mut ids: Vec<_> =
            (0..500).filter_map(|turn| queues.pop_at(turn % 2)).map(|it| it.id).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..500), "none is lost");
    }
}
