//! A heap that leaves improved entries behind.

use super::Frontier;
use crate::cost::Cost;
use crate::limits::{Memory, OutOfMemory};
use crate::table::StateId;

/// A heap of `(f, h, id)` in which every node has four children: half as deep as a binary heap, and
/// the four are next to each other in memory.
///
/// Pushing a state again adds a second entry; the first comes out later and is passed over. That
/// costs a few bytes and is faster than finding the first and moving it.
///
/// Source: Johnson, *Priority queues with update and finding minimum spanning trees*, 1975.
#[derive(Clone, Debug)]
pub struct LazyHeap<C> {
    entries: Vec<Entry<C>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<C> {
    f: C,
    h: C,
    id: StateId,
}

impl<C: PartialOrd> Entry<C> {
    /// Whether it comes out before `other`. Written without branches: which way a comparison goes
    /// cannot be foreseen, and a wrong guess costs more than both comparisons.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch")]
    fn precedes(&self, other: &Self) -> bool {
        (self.f < other.f) | ((self.f == other.f) & (self.h < other.h))
    }
}

const ARITY: usize = 4;

impl<C: Cost> LazyHeap<C> {
    /// An empty heap.
    #[must_use]
    pub fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Makes room for so many more entries.
    pub(super) fn reserve(
        &mut self,
        additional: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.entries, additional)
    }

    #[inline]
    fn sift_up(&mut self, mut at: usize) {
        let entry = self.entries[at];
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if !entry.precedes(&self.entries[parent]) {
                break;
            }
            self.entries[at] = self.entries[parent];
            at = parent;
        }
        self.entries[at] = entry;
    }

    /// Fills the hole at the top with `entry`: lets the hole sink to the bottom, which is where an
    /// entry from the bottom mostly belongs, and the entry rise from there.
    #[inline]
    fn sink(&mut self, entry: Entry<C>) {
        let entries = &mut self.entries[..];
        let mut hole = 0;
        loop {
            let first = hole * ARITY + 1;
            let Some(children) = entries.get(first..) else { break };
            let best = match children {
                [a, b, c, d, ..] => {
                    let (ab, cd) = (usize::from(b.precedes(a)), 2 + usize::from(d.precedes(c)));
                    if children[cd].precedes(&children[ab]) { cd } else { ab }
                }
                [] => break,
                few => (1..few.len())
                    .fold(0, |best, i| if few[i].precedes(&few[best]) { i } else { best }),
            };
            entries[hole] = children[best];
            hole = first + best;
        }
        entries[hole] = entry;
        self.sift_up(hole);
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
        memory.reserve(&mut self.entries, 1)?;
        self.entries.push(Entry { f, h, id });
        self.sift_up(self.entries.len() - 1);
        Ok(())
    }

    #[inline]
    fn pop(&mut self, _memory: &mut Memory) -> Result<Option<(StateId, C)>, OutOfMemory> {
        let Some(last) = self.entries.pop() else { return Ok(None) };
        let Some(&first) = self.entries.first() else { return Ok(Some((last.id, last.f))) };
        self.sink(last);
        Ok(Some((first.id, first.f)))
    }

    #[inline]
    fn next_up(&self) -> Option<StateId> {
        self.entries.first().map(|entry| entry.id)
    }

    #[inline]
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn clear(&mut self) {
        self.entries.clear();
    }
}
