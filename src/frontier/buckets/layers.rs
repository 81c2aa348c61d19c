//! The layers of a bucket queue: the operations of every step. The rare ones are in `ring.rs`.

use super::Rank;
use super::sorter::Sorter;
use crate::frontier::heap::Heap;
use crate::memory::{Memory, OutOfMemory};

/// The layers, each with its ranked ids. The *current layer* is the one that entries are popped from: it is sorted.
#[derive(Clone, Debug)]
pub struct Layers<R> {
    /// The layer of the first number `n` is `ring[n % ring.len()]`; the length is a power of two. The
    /// entries are in insertion order.
    pub(super) ring: Vec<Vec<R>>,
    /// One bit for every layer in the ring: whether it has entries.
    pub(super) filled: Vec<u64>,
    /// A lower bound on the first number of every entry; the first number of the current layer, if there is one.
    pub(super) low: usize,
    /// The sorted entries of the current layer; the last one is popped next.
    pub(super) current: Vec<R>,
    /// Entries of the current layer that were pushed later and belong far from the end of `current`: their bits are flipped,
    /// so that the last one comes first.
    pub(super) late: Heap<R>,
    /// The least first number whose entries go into the ring: `low`, or `low + 1` if there is a current layer.
    pub(super) base: usize,
    /// First numbers below `base + reach` have their layer in the ring; 0 while there are no
    /// entries, or if the queue is a heap.
    pub(super) reach: usize,
    pub(super) len: usize,
    /// The lists of empty layers, for reuse; it has capacity for those of all layers.
    pub(super) lists: Lists<R>,
    pub(super) sorter: Sorter<R>,
    /// Which layers are sorted.
    pub(super) sorts: Sorts,
    /// Whether the current layer is sorted. If not, the last entry that was pushed is the next, and none is late.
    pub(super) is_sorted: bool,
    /// About how many entries there were in the layers that were current before.
    pub(super) passed: usize,
    /// Below this number of entries the queue is a heap; `usize::MAX` if it stays one, because the keys are sparse.
    pub small: usize,
}

/// Which layers are sorted when they become current.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sorts {
    /// None: ranks do not differ.
    None,
    /// Those that are not small.
    Large,
    All,
}

/// A layer is small if there were at least this many times as many entries in the layers before it.
pub const SMALL_PART: usize = 64;

/// Lists without entries. Of a copy of the layers, the empty ones have no list.
#[derive(Debug)]
pub struct Lists<R>(pub Vec<Vec<R>>);

impl<R> Clone for Lists<R> {
    fn clone(&self) -> Self {
        Self(Vec::with_capacity(self.0.capacity()))
    }
}

/// The layers may always span this many first numbers, and more if there are as many entries.
pub const NARROW: usize = 1 << 10;

/// The least length of the ring.
pub const SHORTEST: usize = 32;

/// Below this number of entries the queue is a heap.
pub const FEW: usize = 24;

/// Below this number of entries the queue is a heap if their first numbers have no places in the shortest ring.
pub const SMALL: usize = 256;

impl<R: Rank> Layers<R> {
    pub fn new(sorts: Sorts) -> Self {
        Self {
            ring: Vec::new(),
            filled: Vec::new(),
            low: 0,
            current: Vec::new(),
            late: Heap::new(),
            base: 0,
            reach: 0,
            len: 0,
            lists: Lists(Vec::new()),
            sorter: Sorter::new(),
            sorts,
            is_sorted: false,
            passed: 0,
            small: FEW,
        }
    }

    #[inline]
    pub(super) fn slot(&self, first: usize) -> usize {
        first & (self.ring.len() - 1)
    }

    /// Whether the layer of `low` is the current layer, with its entries in `current` and `late`.
    #[inline]
    pub(super) fn has_current(&self) -> bool {
        self.base != self.low
    }

    /// Whether entries with this first number belong to the current layer.
    #[inline]
    pub fn is_current(&self, first: usize) -> bool {
        first == self.low && self.has_current()
    }

    /// Whether entries with this first number have a slot in the ring.
    #[inline]
    pub fn reaches(&self, first: usize) -> bool {
        first.wrapping_sub(self.base) < self.reach
    }

    /// Pushes into the ring, which must have a slot for this first number.
    #[inline]
    pub fn push(&mut self, first: usize, entry: R, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let slot = self.slot(first);
        match self.ring.get_mut(slot) {
            // The layer has capacity, so it has entries: an empty layer has no list.
            Some(layer) if layer.len() < layer.capacity() => layer.push(entry),
            _ => return R::push_to_full(self, slot, entry, memory),
        }
        self.len += 1;
        Ok(())
    }

    /// Pushes to the current layer, if no entry there precedes this one by its rank and there is capacity. Mostly both is so: a
    /// successor with its parent's f has a smaller h than the rest. It comes first then; but if its id is odd, after the first
    /// one of an equal rank.
    #[inline]
    pub fn push_in_front(&mut self, first: usize, entry: R) -> bool {
        if !self.is_current(first) || self.current.len() == self.current.capacity() {
            return false;
        }
        let Some(last) = self.current.last_mut() else { return false };
        if last.rank() > entry.rank() && self.is_sorted {
            return false;
        }
        let (behind, front) = if entry.is_turned(*last) { (entry, *last) } else { (*last, entry) };
        *last = behind;
        self.current.push(front);
        self.len += 1;
        true
    }

    /// Pops the last entry of `current`, if no late entry may precede it.
    #[inline]
    pub fn pop_from_current(&mut self) -> Option<R> {
        if !self.late.is_empty() {
            return None;
        }
        let entry = self.current.pop()?;
        self.len -= 1;
        Some(entry)
    }

    /// Returns the next entry of the current layer, and whether it is a late one.
    #[inline]
    pub fn first_of_current(&self, has_order: bool) -> Option<(R, bool)> {
        let current = self.current.last();
        if has_order && let Some(late) = self.late.peek().map(R::not) {
            return match current {
                Some(&entry) if entry.rank() >= late.rank() => Some((entry, false)),
                _ => Some((late, true)),
            };
        }
        current.map(|&entry| (entry, false))
    }

    /// Guesses the entry that is popped after `ahead` others; late entries may precede it.
    #[inline]
    pub fn peek_hint(&self, ahead: usize) -> Option<R> {
        let at = self.current.len().checked_sub(1 + ahead)?;
        self.current.get(at).copied()
    }
}
