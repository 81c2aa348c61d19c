//! A heap that leaves improved entries behind.

use super::Frontier;
use crate::cost::{Cost, bucket_of};
use crate::limits::{Memory, OutOfMemory};
use crate::table::StateId;

/// A heap in which every node has four children: half as deep as a binary heap, and the four are next
/// to each other in memory.
///
/// Pushing a state again adds a second entry; the first comes out later and is passed over. That
/// costs a few bytes and is faster than finding the first and moving it. Whole-numbered costs below
/// 2³² are kept as one number, f above h, so that one comparison tells which entry comes first.
///
/// Source: Johnson, *Priority queues with update and finding minimum spanning trees*, 1975.
#[derive(Clone, Debug)]
pub struct LazyHeap<C> {
    packed: Heap<u64>,
    /// Takes over when a cost is no whole number, or a large one.
    pairs: Heap<Pair<C>>,
    has_pairs: bool,
}

/// A heap of ids by keys.
#[derive(Clone, Debug)]
struct Heap<K> {
    entries: Vec<(K, StateId)>,
}

trait Key: Copy {
    /// Whether it comes out before `other`.
    fn precedes(self, other: Self) -> bool;
}

impl Key for u64 {
    #[inline]
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

#[derive(Clone, Copy, Debug)]
struct Pair<C> {
    f: C,
    h: C,
}

impl<C: Cost> Key for Pair<C> {
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "no branches: a wrong guess at which way a comparison goes costs more than both"
    )]
    fn precedes(self, other: Self) -> bool {
        (self.f < other.f) | ((self.f == other.f) & (self.h < other.h))
    }
}

/// The two costs in one number, if they fit.
#[inline]
fn pack<C: Cost>(f: C, h: C) -> Option<u64> {
    let (f, h) = (u32::try_from(bucket_of(f)?).ok()?, u32::try_from(bucket_of(h)?).ok()?);
    Some(u64::from(f) << 32 | u64::from(h))
}

#[inline]
fn unpack<C: Cost>(key: u64) -> Option<Pair<C>> {
    let cost = |half: u64| C::from_bucket(usize::try_from(half).ok()?);
    Some(Pair { f: cost(key >> 32)?, h: cost(key & u64::from(u32::MAX))? })
}

const ARITY: usize = 4;

impl<K: Key> Heap<K> {
    #[inline]
    fn push(&mut self, key: K, id: StateId) {
        self.entries.push((key, id));
        self.rise(self.entries.len() - 1);
    }

    #[inline]
    fn pop(&mut self) -> Option<(K, StateId)> {
        let last = self.entries.pop()?;
        let Some(&first) = self.entries.first() else { return Some(last) };
        self.sink(last);
        Some(first)
    }

    /// The first, the second, or one of the next few.
    #[inline]
    fn coming(&self, ahead: usize) -> Option<StateId> {
        let at = if ahead == 1 { self.first_child(0)? } else { ahead };
        self.entries.get(at).map(|&(_, id)| id)
    }

    /// The child of a place that comes out first.
    #[inline]
    fn first_child(&self, place: usize) -> Option<usize> {
        let eldest = place * ARITY + 1;
        let first = match self.entries.get(eldest..)? {
            [a, b, c, d, ..] => {
                let (ab, cd) = (usize::from(b.0.precedes(a.0)), usize::from(d.0.precedes(c.0)));
                let (best_ab, best_cd) =
                    (if ab == 1 { b.0 } else { a.0 }, if cd == 1 { d.0 } else { c.0 });
                if best_cd.precedes(best_ab) { 2 + cd } else { ab }
            }
            [] => return None,
            few => (1..few.len())
                .fold(0, |best, i| if few[i].0.precedes(few[best].0) { i } else { best }),
        };
        Some(eldest + first)
    }

    #[inline]
    fn rise(&mut self, mut at: usize) {
        let entries = &mut self.entries[..];
        let entry = entries[at];
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if !entry.0.precedes(entries[parent].0) {
                break;
            }
            entries[at] = entries[parent];
            at = parent;
        }
        entries[at] = entry;
    }

    /// Fills the hole at the top with `entry`: lets the hole sink to the bottom, which is where an
    /// entry from the bottom mostly belongs, and the entry rise from there.
    #[inline]
    fn sink(&mut self, entry: (K, StateId)) {
        let mut hole = 0;
        while let Some(child) = self.first_child(hole) {
            self.entries[hole] = self.entries[child];
            hole = child;
        }
        self.entries[hole] = entry;
        self.rise(hole);
    }
}

impl<C: Cost> LazyHeap<C> {
    /// An empty heap.
    #[must_use]
    pub fn new() -> Self {
        Self {
            packed: Heap { entries: Vec::new() },
            pairs: Heap { entries: Vec::new() },
            has_pairs: false,
        }
    }

    /// Makes room in the empty heap for so many entries, none of which has a larger f or h.
    pub(super) fn prepare(
        &mut self,
        entries: usize,
        largest_f: C,
        largest_h: C,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.has_pairs = pack(largest_f, largest_h).is_none();
        if self.has_pairs {
            memory.reserve(&mut self.pairs.entries, entries)
        } else {
            memory.reserve(&mut self.packed.entries, entries)
        }
    }

    /// Pushes a cost that does not fit: from now on costs are kept as they are.
    #[cold]
    #[inline(never)]
    fn push_pair(
        &mut self,
        id: StateId,
        pair: Pair<C>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.pairs.entries, self.packed.entries.len() + 1)?;
        self.has_pairs = true;
        for (key, id) in self.packed.entries.drain(..) {
            if let Some(pair) = unpack(key) {
                self.pairs.push(pair, id);
            }
        }
        self.pairs.push(pair, id);
        Ok(())
    }
}

impl<C: Cost> Default for LazyHeap<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Cost> Frontier<C> for LazyHeap<C> {
    #[inline]
    fn push(&mut self, id: StateId, f: C, h: C, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if self.has_pairs {
            memory.reserve(&mut self.pairs.entries, 1)?;
            self.pairs.push(Pair { f, h }, id);
            return Ok(());
        }
        let Some(key) = pack(f, h) else { return self.push_pair(id, Pair { f, h }, memory) };
        memory.reserve(&mut self.packed.entries, 1)?;
        self.packed.push(key, id);
        Ok(())
    }

    #[inline]
    fn pop(&mut self, _memory: &mut Memory) -> Result<Option<(StateId, C)>, OutOfMemory> {
        Ok(if self.has_pairs {
            self.pairs.pop().map(|(pair, id)| (id, pair.f))
        } else {
            self.packed.pop().and_then(|(key, id)| unpack(key).map(|pair| (id, pair.f)))
        })
    }

    #[inline]
    fn coming(&self, ahead: usize) -> Option<StateId> {
        if self.has_pairs { self.pairs.coming(ahead) } else { self.packed.coming(ahead) }
    }

    #[inline]
    fn len(&self) -> usize {
        self.packed.entries.len() + self.pairs.entries.len()
    }

    fn clear(&mut self) {
        self.packed.entries.clear();
        self.pairs.entries.clear();
        self.has_pairs = false;
    }
}
