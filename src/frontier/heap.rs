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
    /// Whether it comes out before `other`. States found later come first among equals.
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        if self.f != other.f {
            self.f < other.f
        } else if self.h != other.h {
            self.h < other.h
        } else {
            self.id > other.id
        }
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

    #[inline]
    fn sift_down(&mut self, mut at: usize) {
        let entries = &mut self.entries[..];
        let entry = entries[at];
        loop {
            let first = at * ARITY + 1;
            if first >= entries.len() {
                break;
            }
            let last = (first + ARITY).min(entries.len());
            let mut best = first;
            for child in first + 1..last {
                if entries[child].precedes(&entries[best]) {
                    best = child;
                }
            }
            if !entries[best].precedes(&entry) {
                break;
            }
            entries[at] = entries[best];
            at = best;
        }
        entries[at] = entry;
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
        if self.entries.is_empty() {
            return Ok(None);
        }
        let first = self.entries.swap_remove(0);
        if !self.entries.is_empty() {
            self.sift_down(0);
        }
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
