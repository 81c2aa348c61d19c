//! Several queues of the same states, from all of which a state is removed when it is taken from one.

use super::select::Candidate;
use crate::cost::Cost;
use crate::memory::{Memory, OutOfMemory};
use crate::table::StateId;

/// The weights of *h* in the orders that are not that of the depths. Whole numbers, so that every type of costs will do.
const WEIGHTS: [u32; 3] = [5, 2, 1];

/// The number of queues by a weight.
const ORDERS: usize = WEIGHTS.len();

/// The queue of the state's depth and those of all orders.
pub(super) const ALL: usize = 1 + ORDERS;

/// Open states, each in a queue of its depth, by *f*, and, where there are [`ALL`] queues and not only this one, in one for
/// each of the [`WEIGHTS`]. The queues are pairing heaps whose nodes are in one list, an entry for each state with its
/// places in all queues, so that it can be removed from all of them. An entry is stale only where a state was added
/// again with a smaller *f*.
///
/// Adding a state takes constant time in each queue, removing it logarithmic time, amortised.
///
/// Source: Fredman, Sedgewick, Sleator and Tarjan, *The pairing heap: a new form of self-adjusting heap*, 1986.
#[derive(Clone, Debug)]
pub(super) struct Queues<C, I, const QUEUES: usize> {
    entries: Vec<Entry<C, I, QUEUES>>,
    /// The heap of each depth.
    depths: Vec<Root>,
    /// How many states were taken in an order while they were the first of their depth. Rectangle search
    /// counts them as if it had taken them.
    elsewhere: Vec<u32>,
    /// The heap of each order.
    orders: [Root; ORDERS],
    /// The first of the entries that are not in use; `next` leads to the others.
    free: u32,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry<C, I, const QUEUES: usize> {
    state: Candidate<C, I>,
    /// `NONE` in an entry that is not in use.
    depth: u32,
    links: [Link; QUEUES],
}

/// A heap.
#[derive(Clone, Copy, Debug)]
struct Root {
    first: u32,
    /// How many heaps were put below the first state since it came first.
    added: u32,
}

/// The place of a state in a heap.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The first of the states below.
    child: u32,
    /// The next and the previous one below the same state; before the first one is that state.
    next: u32,
    previous: u32,
}

const NONE: u32 = u32::MAX;

/// A heap without states.
const EMPTY: Root = Root { first: NONE, added: 0 };

/// Of a heap of one state.
const ALONE: Link = Link { child: NONE, next: NONE, previous: NONE };

/// The queue of the depths, and that of the first order.
const OF_DEPTHS: usize = 0;
const OF_ORDERS: usize = 1;

impl<C: Cost, I: StateId, const QUEUES: usize> Queues<C, I, QUEUES> {
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::new(),
            depths: Vec::new(),
            elsewhere: Vec::new(),
            orders: [EMPTY; ORDERS],
            free: NONE,
            len: 0,
        }
    }

    /// Makes room for so many more states, and for this depth.
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
        memory.grow_to(&mut self.elsewhere, depth + 1, 0)?;
        memory.grow_to(&mut self.depths, depth + 1, EMPTY)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a state, for which there must be room. What it was added with before stays.
    #[inline]
    pub(super) fn push(&mut self, depth: usize, state: Candidate<C, I>) {
        let entry = Entry { state, depth: number(depth), links: [ALONE; QUEUES] };
        let place = self.free;
        let place = if place == NONE {
            self.entries.push(entry);
            number(self.entries.len() - 1)
        } else {
            self.free = self.entries[place as usize].links[0].next;
            self.entries[place as usize] = entry;
            place
        };
        self.len += 1;
        self.meld_into::<OF_DEPTHS>(place, place);
        if QUEUES == ALL {
            self.meld_into::<OF_ORDERS>(place, place);
            self.meld_into::<{ OF_ORDERS + 1 }>(place, place);
            self.meld_into::<{ OF_ORDERS + 2 }>(place, place);
        }
    }

    /// The first state of a depth.
    #[inline]
    pub(super) fn first_at(&self, depth: usize) -> Option<I> {
        self.id_at(self.depths.get(depth)?.first)
    }

    /// The first state in an order.
    #[inline]
    pub(super) fn first_in(&self, order: usize) -> Option<I> {
        self.id_at(self.orders[order].first)
    }

    /// Removes the first state of a depth from all queues.
    #[inline]
    pub(super) fn pop_at(&mut self, depth: usize) -> Option<Candidate<C, I>> {
        Some(self.take(self.depths.get(depth)?.first)?.0)
    }

    /// Whether a first state of this depth was taken in an order. Says so once of each.
    #[inline]
    pub(super) fn was_taken(&mut self, depth: usize) -> bool {
        let count = self.elsewhere.get_mut(depth).filter(|count| **count > 0);
        QUEUES == ALL && count.map(|count| *count -= 1).is_some()
    }

    /// Removes the first state in an order from all queues; returns it with its depth.
    #[inline]
    pub(super) fn pop_in(&mut self, order: usize) -> Option<(Candidate<C, I>, usize)> {
        let place = self.orders[order].first;
        if place != NONE {
            self.count_elsewhere(place);
        }
        self.take(place)
    }

    /// All states, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Candidate<C, I>> {
        self.entries.iter().filter(|entry| entry.depth != NONE).map(|entry| &entry.state)
    }

    /// Keeps the states for which `keep` returns true.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Candidate<C, I>) -> bool) {
        for place in 0..self.entries.len() {
            let entry = &self.entries[place];
            if entry.depth != NONE && !keep(&entry.state) {
                self.remove(number(place));
            }
        }
    }

    /// Removes all states. Allocated memory is kept.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.depths.fill(EMPTY);
        self.elsewhere.fill(0);
        self.orders = [EMPTY; ORDERS];
        (self.free, self.len) = (NONE, 0);
    }

    #[inline]
    fn id_at(&self, place: u32) -> Option<I> {
        self.entries.get(place as usize).map(|entry| entry.state.id)
    }

    #[inline]
    fn take(&mut self, place: u32) -> Option<(Candidate<C, I>, usize)> {
        let Entry { state, depth, .. } = *self.entries.get(place as usize)?;
        self.remove(place);
        Some((state, depth as usize))
    }

    /// Counts an entry that is taken in an order if it is the first of its depth.
    #[inline]
    fn count_elsewhere(&mut self, place: u32) {
        let depth = self.entries[place as usize].depth as usize;
        if self.depths[depth].first == place {
            self.elsewhere[depth] = self.elsewhere[depth].saturating_add(1);
        }
    }

    fn remove(&mut self, place: u32) {
        self.unlink::<OF_DEPTHS>(place);
        if QUEUES == ALL {
            self.unlink::<OF_ORDERS>(place);
            self.unlink::<{ OF_ORDERS + 1 }>(place);
            self.unlink::<{ OF_ORDERS + 2 }>(place);
        }
        let entry = &mut self.entries[place as usize];
        (entry.depth, entry.links[0].next) = (NONE, self.free);
        self.free = place;
        self.len -= 1;
    }

    #[inline]
    fn link<const QUEUE: usize>(&mut self, place: u32) -> &mut Link {
        &mut self.entries[place as usize].links[QUEUE]
    }

    /// The heap to which an entry belongs.
    #[inline]
    fn root<const QUEUE: usize>(&mut self, place: u32) -> &mut Root {
        match QUEUE.checked_sub(OF_ORDERS) {
            Some(order) => &mut self.orders[order],
            None => &mut self.depths[self.entries[place as usize].depth as usize],
        }
    }

    /// Whether one state comes before another in a queue.
    #[inline]
    fn precedes<const QUEUE: usize>(&self, one: u32, other: u32) -> bool {
        let [one, other] = [one, other].map(|place| {
            let state = self.entries[place as usize].state;
            match QUEUE.checked_sub(OF_ORDERS) {
                Some(order) => Candidate { f: weighted(WEIGHTS[order], state.f, state.h), ..state },
                None => state,
            }
        });
        one.precedes(&other)
    }

    /// Removes an entry from a heap.
    fn unlink<const QUEUE: usize>(&mut self, place: u32) {
        let Link { child, previous, .. } = *self.link::<QUEUE>(place);
        let below = self.meld_all::<QUEUE>(child);
        if previous == NONE {
            *self.root::<QUEUE>(place) = Root { first: below, added: 0 };
        } else {
            self.cut::<QUEUE>(place);
            self.meld_into::<QUEUE>(place, below);
        }
    }

    /// Cuts an entry, with what is below it, off those beside and above it. It is not the first of its heap.
    #[inline]
    fn cut<const QUEUE: usize>(&mut self, place: u32) {
        let Link { next, previous, .. } = *self.link::<QUEUE>(place);
        let before = self.link::<QUEUE>(previous);
        // What is before the first one is above it.
        if before.child == place {
            before.child = next;
        } else {
            before.next = next;
        }
        if next != NONE {
            self.link::<QUEUE>(next).previous = previous;
        }
    }

    /// Melds a heap into that of an entry.
    ///
    /// If each went below the first state as it is, that would come to have as many below it as were added, and to remove
    /// it would take long once. So they are melded with each other as the digits of a binary number carry: two heaps
    /// of one, two of two, and so on. `added` is that number,
    /// and no more than a hint, as removals change heaps, too.
    #[inline]
    fn meld_into<const QUEUE: usize>(&mut self, place: u32, mut other: u32) {
        if other == NONE {
            return;
        }
        let Root { first, added } = *self.root::<QUEUE>(place);
        if first == NONE || self.precedes::<QUEUE>(other, first) {
            let first = self.meld::<QUEUE>(other, first);
            *self.root::<QUEUE>(place) = Root { first, added: 0 };
            return;
        }
        self.root::<QUEUE>(place).added = added.wrapping_add(1);
        for _ in 0..added.trailing_ones() {
            let latest = self.link::<QUEUE>(first).child;
            if latest == NONE {
                break;
            }
            self.cut::<QUEUE>(latest);
            self.part::<QUEUE>(latest);
            other = self.meld::<QUEUE>(latest, other);
        }
        self.put_below::<QUEUE>(first, other);
    }

    /// Puts the later of two first states below the other, and returns that.
    #[inline]
    fn meld<const QUEUE: usize>(&mut self, a: u32, b: u32) -> u32 {
        if a == NONE || b == NONE {
            return a.min(b);
        }
        let (root, below) = if self.precedes::<QUEUE>(b, a) { (b, a) } else { (a, b) };
        self.put_below::<QUEUE>(root, below);
        root
    }

    /// Puts a heap below a state, as the first one.
    #[inline]
    fn put_below<const QUEUE: usize>(&mut self, root: u32, below: u32) {
        let next = std::mem::replace(&mut self.link::<QUEUE>(root).child, below);
        let link = self.link::<QUEUE>(below);
        (link.next, link.previous) = (next, root);
        if next != NONE {
            self.link::<QUEUE>(next).previous = below;
        }
    }

    /// Melds a state and all its next ones: first in pairs, then each pair with those after it.
    fn meld_all<const QUEUE: usize>(&mut self, first: u32) -> u32 {
        let (mut left, mut pairs) = (first, NONE);
        while left != NONE {
            let right = self.part::<QUEUE>(left);
            let after = if right == NONE { NONE } else { self.part::<QUEUE>(right) };
            let pair = self.meld::<QUEUE>(left, right);
            self.link::<QUEUE>(pair).next = pairs;
            (left, pairs) = (after, pair);
        }
        let mut root = NONE;
        while pairs != NONE {
            let after = self.part::<QUEUE>(pairs);
            root = self.meld::<QUEUE>(pairs, root);
            pairs = after;
        }
        root
    }

    /// Parts an entry from those beside it; returns the next one.
    #[inline]
    fn part<const QUEUE: usize>(&mut self, place: u32) -> u32 {
        let link = self.link::<QUEUE>(place);
        link.previous = NONE;
        std::mem::replace(&mut link.next, NONE)
    }
}

/// *g + w·h*, or infinity if it does not fit into its type.
#[inline]
fn weighted<C: Cost>(weight: u32, f: C, h: C) -> C {
    (1..weight).try_fold(f, |sum, _| sum.checked_add(h)).unwrap_or(C::INFINITY)
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

    /// The first of the states by a weight of h, of one depth or of all.
    fn first(states: &[(usize, [u64; 2], u32)], depth: Option<usize>, weight: u64) -> Option<u32> {
        let of_depth = states.iter().filter(|it| depth.is_none_or(|depth| it.0 == depth));
        of_depth.map(|&(_, [f, h], id)| (f + (weight - 1) * h, h, id)).min().map(|it| it.2)
    }

    #[test]
    fn states_come_out_of_all_queues_in_order_and_once() {
        in_order_and_once::<ALL>();
        in_order_and_once::<1>();
    }

    fn in_order_and_once<const QUEUES: usize>() {
        let (mut seed, mut memory, mut most) = (7, Memory::new(usize::MAX), 0);
        let mut queues = Queues::<u64, u32, QUEUES>::new();
        let mut expected: Vec<(usize, [u64; 2], u32)> = Vec::new();
        let mut elsewhere = [0_u32; DEPTHS];
        for id in 0..20_000_u32 {
            // Times in which the queues grow, and times in which they do not.
            if random(&mut seed) % 16 < 6 + 2 * ((id as usize >> 10) % 4) {
                let depth = random(&mut seed) % DEPTHS;
                let [f, h] = [(); 2].map(|()| random(&mut seed) as u64 % 9);
                queues.reserve(depth, 1, &mut memory).unwrap();
                queues.push(depth, Candidate { f, h, id });
                expected.push((depth, [f, h], id));
            } else {
                // First the orders, where there are some, then the depths.
                let orders = QUEUES - 1;
                let queue = ORDERS - orders + random(&mut seed) % (DEPTHS + orders);
                let (depth, order) = (queue.checked_sub(ORDERS), queue);
                let least = match depth {
                    Some(_) => first(&expected, depth, 1),
                    None => first(&expected, None, WEIGHTS[order].into()),
                };
                let (hint, taken) = match depth {
                    Some(depth) => {
                        let hint = queues.first_at(depth);
                        assert_eq!(queues.was_taken(depth), elsewhere[depth] > 0);
                        elsewhere[depth] = elsewhere[depth].saturating_sub(1);
                        (hint, queues.pop_at(depth).map(|it| it.id))
                    }
                    None => (queues.first_in(order), queues.pop_in(order).map(|it| it.0.id)),
                };
                assert_eq!((hint, taken), (least, least));
                let left = expected.iter().find(|it| depth.is_none() && Some(it.2) == least);
                if let Some(&(at, ..)) = left {
                    elsewhere[at] += u32::from(first(&expected, Some(at), 1) == least);
                }
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
        let bytes = queues.entries.capacity() * size_of::<Entry<u64, u32, QUEUES>>()
            + queues.depths.capacity() * size_of::<Root>()
            + queues.elsewhere.capacity() * size_of::<u32>();
        assert_eq!(memory.held(), bytes);
    }

    /// The most entries below any first state.
    fn most_below_a_root(queues: &Queues<u64, u32, ALL>) -> usize {
        let roots = queues.depths.iter().map(|root| (OF_DEPTHS, root));
        let roots = roots.chain((OF_ORDERS..).zip(&queues.orders));
        let below = roots.filter(|(_, root)| root.first != NONE).map(|(queue, root)| {
            let link = |place: u32| queues.entries[place as usize].links[queue];
            let mut place = link(root.first).child;
            std::iter::from_fn(|| (place != NONE).then(|| place = link(place).next)).count()
        });
        below.max().unwrap_or(0)
    }

    #[test]
    fn few_entries_are_touched_to_remove_one() {
        let mut queues = Queues::<u64, u32, ALL>::new();
        let mut memory = Memory::new(usize::MAX);
        let (mut seed, mut most) = (7, 0);
        for id in 0..40_000_u32 {
            queues.reserve(id as usize % 2, 1, &mut memory).unwrap();
            // Mostly later than what is there, as if the search went on; the orders differ.
            let [f, h] = [id / 8, id % 1000].map(u64::from);
            let noise = random(&mut seed) as u64 % 64;
            queues.push(id as usize % 2, Candidate { f: f + noise, h, id });
            match id % 16 {
                // The queue of one depth is not asked for long.
                0 => drop(queues.pop_at(0)),
                4 => drop(queues.pop_in(0)),
                8 => drop(queues.pop_in(2)),
                _ => {}
            }
            if id % 64 == 0 {
                most = most.max(most_below_a_root(&queues));
            }
        }
        assert!(most <= 100, "{most} entries are melded at once");
    }

    #[test]
    fn costs_without_an_order_do_no_harm() {
        let mut queues = Queues::<f64, u32, ALL>::new();
        let mut memory = Memory::new(usize::MAX);
        queues.reserve(0, 500, &mut memory).unwrap();
        for id in 0..500 {
            let value =
                |id: u32| if id.is_multiple_of(3) { f64::NAN } else { f64::from(id * 7 % 10) };
            queues.push(0, Candidate { f: value(id), h: value(id + 1), id });
        }
        let mut ids: Vec<_> =
            (0..500).filter_map(|turn| queues.pop_in(turn % ORDERS)).map(|it| it.0.id).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..500), "none is lost");
    }

    #[test]
    fn keys_that_do_not_fit_come_last() {
        assert_eq!(weighted(5, 10_u32, 3), 22);
        assert_eq!(weighted(1, 10_u32, 3), 10);
        assert_eq!(weighted(5, 10_u8, 100), u8::MAX);
        assert!(weighted(2, f64::MAX, f64::MAX) >= f64::INFINITY);
    }
}
