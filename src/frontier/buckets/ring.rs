//! The ring of layers: its growth, its non-empty layers, and the choice of the current one. This code is compiled once,
//! in this crate, in the functions of [`Rank`], which inline it.

use std::mem;

use super::Rank;
use super::layers::{FEW, Layers, NARROW, SHORTEST, SMALL, SMALL_PART, Sorts};
use super::rank::Entries;
use crate::callback::Callback;
use crate::frontier::heap::retain;
use crate::indexed::{at, at_mut, push, push_owner};
use crate::memory::{Memory, OutOfMemory};

/// A new entry of the current layer goes into `late` if it belongs more than this many places from the end of `current`.
/// That is rare: with a consistent heuristic, it is popped before all others.
const DEEP: usize = 16;

/// The list of a layer has capacity for this many entries at first, if memory allows.
const FIRST: usize = 8;

impl<R: Rank> Layers<R> {
    /// Pushes to a layer in the ring without a list, or with a full one.
    #[inline]
    pub(super) fn push_to_full(
        &mut self,
        slot: usize,
        entry: R,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let layer = at_mut(&mut self.ring, slot);
        if layer.capacity() == 0
            && let Some(list) = self.lists.0.pop()
        {
            *layer = list;
        } else {
            memory.reserve_from(layer, 1, FIRST)?;
        }
        push(layer, entry);
        self.mark_filled(slot);
        self.len += 1;
        Ok(())
    }

    /// Pushes to the current layer.
    #[inline]
    pub(super) fn push_to_current(
        &mut self,
        entry: R,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        // Mostly a successor with its parent's f, and therefore a smaller h than the rest.
        let end = self.current.len();
        let least = end.saturating_sub(DEEP);
        let mut place = end;
        while self.is_sorted && place > least && at(&self.current, place - 1).rank() > entry.rank()
        {
            place -= 1;
        }
        // As where there is capacity: it must not depend on that which comes first.
        if place == end && self.current.last().is_some_and(|last| entry.is_turned(*last)) {
            place -= 1;
        }
        if end - place == DEEP {
            memory.reserve(self.late.list(), 1)?;
            self.late.put(!entry);
        } else {
            memory.reserve(&mut self.current, 1)?;
            push(&mut self.current, entry);
            for behind in (place..end).rev() {
                *at_mut(&mut self.current, behind + 1) = *at(&self.current, behind);
            }
            *at_mut(&mut self.current, place) = entry;
        }
        self.len += 1;
        Ok(())
    }

    /// Pushes to a layer that is not the current one, and extends the ring to it. Returns `false` if the first numbers are
    /// too far apart.
    #[inline]
    pub(super) fn push_far(
        &mut self,
        first: usize,
        entry: R,
        memory: &mut Memory,
    ) -> Result<bool, OutOfMemory> {
        if !self.reaches(first) && !self.make_reach((first, first), memory)? {
            return Ok(false);
        }
        self.push(first, entry, memory)?;
        Ok(true)
    }

    /// Pushes all `entries`; there must be none yet. Returns `false`, without entries, if one has no rank or the first
    /// numbers are far apart: then they stay in a heap up to a larger number.
    #[inline]
    pub(super) fn build(
        &mut self,
        entries: Entries<'_, R>,
        memory: &mut Memory,
    ) -> Result<bool, OutOfMemory> {
        let (mut least, mut most, mut have_ranks) = (usize::MAX, 0, true);
        entries.call(&mut |(first, entry): (usize, Option<R>)| {
            (least, most) = (least.min(first), most.max(first));
            have_ranks &= entry.is_some();
        });
        let span = if self.small == FEW { SHORTEST } else { NARROW };
        if !have_ranks || most - least >= span {
            self.small = if self.small == FEW { SMALL } else { usize::MAX };
            return Ok(false);
        }
        // The ring may always be so long.
        self.make_reach((least, most), memory)?;
        let mut outcome = Ok(true);
        entries.call(&mut |(first, entry): (usize, Option<R>)| {
            if let (Ok(true), Some(entry)) = (outcome, entry) {
                outcome = R::push_far(self, first, entry, memory);
            }
        });
        if outcome.is_err() {
            R::clear(self);
        }
        outcome
    }

    /// Makes the first non-empty layer current, without sorting it. Returns false if there is none. `current` and `late`
    /// must be empty.
    #[inline]
    pub(super) fn advance(&mut self) -> bool {
        let Some(first) = self.next_filled(self.base) else { return false };
        let slot = self.slot(first);
        mem::swap(&mut self.current, at_mut(&mut self.ring, slot));
        self.vacate(slot);
        (self.low, self.base) = (first, first.wrapping_add(1));
        // The slot of `low` stays vacant, in case the layer must be put back.
        self.reach = (self.ring.len() - 1).min(usize::MAX - first);
        true
    }

    /// Sorts the new current layer, if it is one that is.
    #[inline]
    pub(super) fn sort_current(&mut self, memory: &mut Memory) {
        let entries = self.current.len();
        self.is_sorted = self.sorts == Sorts::All || entries > self.passed / SMALL_PART;
        self.passed = self.passed.saturating_add(entries);
        if self.is_sorted {
            self.sorter.sort(&mut self.current, memory);
        }
    }

    /// Pops the first entry of the current layer.
    #[inline]
    pub(super) fn pop_first(&mut self) -> Option<R> {
        let (entry, is_late) = self.first_of_current(self.sorts != Sorts::None)?;
        if is_late {
            R::pop(&mut self.late);
        } else {
            self.current.pop();
        }
        self.len -= 1;
        Some(entry)
    }

    /// Keeps the entries for which `keep` returns true.
    #[inline]
    pub(super) fn retain(&mut self, keep: &mut dyn Callback<(usize, R), bool>) {
        let low = self.low;
        let (as_it_is, flipped) = (R::zero(), !R::zero());
        retain_layer(&mut self.current, low, as_it_is, keep);
        retain_layer(self.late.list(), low, flipped, keep);
        R::restore(&mut self.late);
        let mut len = self.current.len() + self.late.len();
        let mask = self.ring.len().wrapping_sub(1);
        for slot in 0..self.ring.len() {
            let first = self.base.wrapping_add(slot.wrapping_sub(self.base) & mask);
            let layer = at_mut(&mut self.ring, slot);
            retain_layer(layer, first, as_it_is, keep);
            len += layer.len();
            if layer.is_empty() {
                self.vacate(slot);
            }
        }
        self.len = len;
    }

    /// Extends the ring so that entries with first numbers from `least` to `most` have a slot. Returns `false` if the first
    /// numbers are too far apart.
    #[cold]
    #[inline(never)]
    pub(super) fn make_reach(
        &mut self,
        (least, most): (usize, usize),
        memory: &mut Memory,
    ) -> Result<bool, OutOfMemory> {
        let (low, high) = if self.len == 0 {
            (least, most)
        } else {
            (self.lowest().min(least), self.highest().max(most))
        };
        let span = high - low;
        if span >= NARROW && span >= self.len {
            return Ok(false);
        }
        self.put_back_current(memory)?;
        if span >= self.ring.len() {
            self.widen(span + 1, memory)?;
        }
        (self.low, self.base) = (low, low);
        // First numbers end at `usize::MAX`.
        self.reach = self.ring.len().min((usize::MAX - low).saturating_add(1));
        Ok(true)
    }

    /// Puts the entries of the current layer back into the ring.
    #[inline(never)]
    fn put_back_current(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        if !self.has_current() {
            return Ok(());
        }
        memory.reserve(&mut self.current, self.late.len())?;
        for place in 0..self.late.len() {
            let entry = *at(self.late.list(), place);
            push(&mut self.current, !entry);
        }
        self.late.clear();
        self.passed = self.passed.saturating_sub(self.current.len());
        if self.ring.is_empty() {
            return Ok(());
        }
        if !self.current.is_empty() {
            // The slot is vacant: new entries of the current layer do not go into the ring.
            let slot = self.slot(self.low);
            mem::swap(&mut self.current, at_mut(&mut self.ring, slot));
            self.mark_filled(slot);
        }
        self.base = self.low;
        Ok(())
    }

    /// Makes the ring long enough for `span` first numbers. There must be no current layer.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, span: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let (before, length) = (self.ring.len(), span.next_power_of_two().max(SHORTEST));
        memory.reserve(&mut self.ring, length - before)?;
        memory.reserve(&mut self.filled, (length - before) / 64 + 1)?;
        // Every layer may leave its list there, and the current layer too.
        let missing = (length + 1).saturating_sub(self.lists.0.len());
        memory.reserve(&mut self.lists.0, missing)?;
        for slot in before..length {
            push_owner(&mut self.ring, Vec::new());
            if slot % 64 == 0 {
                push(&mut self.filled, 0);
            }
        }
        for slot in 0..before {
            if at(&self.filled, slot / 64) & (1 << (slot % 64)) != 0 {
                // The only number from `low` to the highest in this slot. Its new slot is the same, or one behind `before`
                // that no other layer gets.
                let first = self.low.wrapping_add(slot.wrapping_sub(self.low) & (before - 1));
                let new = self.slot(first);
                self.mark_vacant(slot);
                self.mark_filled(new);
                let layer = mem::take(at_mut(&mut self.ring, slot));
                if let Some(place) = self.ring.get_mut(new) {
                    *place = layer;
                }
            }
        }
        Ok(())
    }

    /// Calls `visit` with every entry of the buckets and its first number: the layers in order, each in insertion order,
    /// the current one from last to first.
    #[inline]
    pub(super) fn for_each(&self, visit: &mut dyn Callback<(usize, R)>) {
        if self.has_current() {
            let late = self.late.iter().map(|&entry| !entry);
            self.current
                .iter()
                .copied()
                .chain(late)
                .for_each(|entry| visit.call((self.low, entry)));
        }
        let mut next = self.base;
        let mut left = self.len - self.current.len() - self.late.len();
        while left > 0 {
            let Some(first) = self.next_filled(next) else { return };
            let layer = at(&self.ring, self.slot(first));
            for &entry in layer {
                visit.call((first, entry));
            }
            left -= layer.len();
            next = first.wrapping_add(1);
        }
    }

    /// Removes all entries from the buckets.
    #[inline]
    pub(super) fn clear(&mut self) {
        let mut next = self.base;
        while let Some(first) = self.next_filled(next) {
            self.vacate(self.slot(first));
            next = first;
        }
        self.current.clear();
        self.late.clear();
        (self.low, self.base, self.reach, self.len) = (0, 0, 0, 0);
        self.passed = 0;
    }

    /// Removes all entries and forgets the length of the ring, as the order of equal keys depends on it. The memory stays.
    pub(super) fn begin_anew(&mut self) {
        R::clear(self);
        self.ring.clear();
        self.filled.clear();
        self.small = FEW;
    }

    #[inline]
    fn mark_filled(&mut self, slot: usize) {
        *at_mut(&mut self.filled, slot / 64) |= 1 << (slot % 64);
    }

    #[inline]
    fn mark_vacant(&mut self, slot: usize) {
        *at_mut(&mut self.filled, slot / 64) &= !(1 << (slot % 64));
    }

    /// Marks a layer in the ring as empty, and keeps its list.
    #[inline(never)]
    pub(super) fn vacate(&mut self, slot: usize) {
        self.mark_vacant(slot);
        let mut list = mem::take(at_mut(&mut self.ring, slot));
        if list.capacity() > 0 {
            list.clear();
            push_owner(&mut self.lists.0, list);
        }
    }

    /// Returns the first number of the first non-empty layer in the ring from `start` on. All such layers are within the
    /// length of the ring from `start`.
    #[inline(never)]
    pub(super) fn next_filled(&self, start: usize) -> Option<usize> {
        let mask = self.ring.len().checked_sub(1)?;
        let slot = start & mask;
        // Layers before the slot are those that wrapped around the ring.
        let word = at(&self.filled, slot / 64) & (u64::MAX << (slot % 64));
        let found = if word != 0 {
            slot / 64 * 64 + word.trailing_zeros() as usize
        } else {
            let words = self.filled.len();
            let next = (1..=words)
                .map(|ahead| (slot / 64 + ahead) & (words - 1))
                .find(|&index| *at(&self.filled, index) != 0)?;
            next * 64 + at(&self.filled, next).trailing_zeros() as usize
        };
        Some(start.wrapping_add(found.wrapping_sub(slot) & mask))
    }

    /// Returns the smallest first number of an entry. There must be one.
    fn lowest(&self) -> usize {
        if self.current.is_empty() && self.late.is_empty() {
            self.next_filled(self.base).unwrap_or(self.low)
        } else {
            self.low
        }
    }

    /// Returns the largest first number of an entry. There must be one.
    fn highest(&self) -> usize {
        let Some(mask) = self.ring.len().checked_sub(1) else { return self.low };
        let words = self.filled.len();
        // Backwards from the last slot, the one before that of `base`.
        let last = self.base.wrapping_sub(1) & mask;
        let word = at(&self.filled, last / 64) & (u64::MAX >> (63 - last % 64));
        let slot = if word != 0 {
            last / 64 * 64 + 63 - word.leading_zeros() as usize
        } else {
            let before = (1..=words)
                .map(|back| (last / 64).wrapping_sub(back) & (words - 1))
                .find(|&index| *at(&self.filled, index) != 0);
            let Some(before) = before else { return self.low };
            before * 64 + 63 - at(&self.filled, before).leading_zeros() as usize
        };
        self.base.wrapping_add(slot.wrapping_sub(self.base) & mask)
    }
}

/// Keeps the entries of a layer for which `keep` returns true. An entry is a word of the list with the bits of `flipped`
/// flipped.
#[inline(never)]
fn retain_layer<R: Rank>(
    list: &mut Vec<R>,
    first: usize,
    flipped: R,
    keep: &mut dyn Callback<(usize, R), bool>,
) {
    retain(list, |entry| keep.call((first, entry ^ flipped)));
}
