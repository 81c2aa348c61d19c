//! The layers of a bucket queue: what a search does with them at every step. The rest is in `ring.rs`.

use super::Rank;
use super::sorter::Sorter;
use crate::frontier::heap::{Entry, Heap};
use crate::memory::{Memory, OutOfMemory};

/// The layers, each with its ranked ids.
#[derive(Clone, Debug)]
pub struct Layers<R> {
    /// The layer of the first number `n` is `ring[n % ring.len()]`; the length is a power of two. The
    /// entries are in the order in which they came.
    pub(super) ring: Vec<Vec<R>>,
    /// A bit for every layer in the ring: whether it has entries.
    pub(super) filled: Vec<u64>,
    /// No entry has a smaller first number.
    pub(super) low: usize,
    /// Entries of `low` in order, the last comes out next; in use once the layer has come up.
    pub(super) current: Vec<R>,
    /// Entries of `low` that came later and belong far from the end of `current`.
    pub(super) late: Heap<Late<R>>,
    /// The least first number whose entries go into the ring: `low`, or `low + 1` once that has come up.
    pub(super) base: usize,
    /// First numbers less than this above `base` have their layer in the ring; 0 while there are no
    /// entries and once the queue is a heap.
    pub(super) reach: usize,
    pub(super) len: usize,
    /// Lists of layers that are empty, for those that will have entries.
    pub(super) lists: Vec<Vec<R>>,
    pub(super) sorter: Sorter<R>,
    /// Whether ranks tell entries apart; otherwise the entries of a layer are in no order, and none is late.
    pub(super) has_order: bool,
}

/// A ranked id, in a heap that gives out the largest rank.
#[derive(Clone, Copy, Debug)]
pub struct Late<R>(pub R);

impl<R: Rank> Entry for Late<R> {
    #[inline]
    fn precedes(self, other: Self) -> bool {
        self.0 > other.0
    }
}

/// The layers may always span this many first numbers, and more where there are as many entries.
pub const NARROW: usize = 1 << 10;

impl<R: Rank> Layers<R> {
    pub fn new(has_order: bool) -> Self {
        Self {
            ring: Vec::new(),
            filled: Vec::new(),
            low: 0,
            current: Vec::new(),
            late: Heap::new(),
            base: 0,
            reach: 0,
            len: 0,
            lists: Vec::new(),
            sorter: Sorter::new(),
            has_order,
        }
    }

    #[inline]
    pub(super) fn slot(&self, first: usize) -> usize {
        first & (self.ring.len() - 1)
    }

    /// Whether the layer of `low` has come up, so that its entries are in `current` and `late`.
    #[inline]
    pub(super) fn has_come_up(&self) -> bool {
        self.base != self.low
    }

    /// Whether entries with this first number belong to the layer that has come up.
    #[inline]
    pub fn is_current(&self, first: usize) -> bool {
        first == self.low && self.has_come_up()
    }

    /// Whether entries with this first number go into the ring as things are.
    #[inline]
    pub fn reaches(&self, first: usize) -> bool {
        first.wrapping_sub(self.base) < self.reach
    }

    /// Pushes into the ring, which must reach as far.
    #[inline]
    pub fn push(&mut self, first: usize, entry: R, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let slot = self.slot(first);
        let layer = &mut self.ring[slot];
        if layer.len() == layer.capacity() {
            return R::push_to_full(self, slot, entry, memory);
        }
        // It has a list, so it has entries: an empty layer has given its list away.
        layer.push(entry);
        self.len += 1;
        Ok(())
    }

    /// Pops the last entry of `current`, if that is the one that comes out next.
    #[inline]
    pub fn pop_from_current(&mut self) -> Option<R> {
        if !self.late.is_empty() {
            return None;
        }
        let entry = self.current.pop()?;
        self.len -= 1;
        Some(entry)
    }

    /// The entry that comes out next of the layer that has come up, with a mark whether it is late.
    #[inline]
    pub fn first_of_current(&self, has_order: bool) -> Option<(R, bool)> {
        let late = if has_order { self.late.peek() } else { None };
        match (self.current.last(), late) {
            (Some(&entry), Some(Late(late))) if entry.rank() >= late.rank() => Some((entry, false)),
            (_, Some(Late(late))) => Some((late, true)),
            (Some(&entry), None) => Some((entry, false)),
            (None, None) => None,
        }
    }

    /// A guess, as late entries may come in between, at the entry that comes out after `ahead` others.
    #[inline]
    pub fn peek_hint(&self, ahead: usize) -> Option<R> {
        let at = self.current.len().checked_sub(1 + ahead)?;
        Some(self.current[at])
    }
}
