//! How [`Work`] removes duplicates: among the entries of a shard, and those that are closed.

use super::closed::{Store, parts_of};
use super::entry::{Entry, hash_of, slot_of};
use super::open::order;
use super::work::{Stage, View, Work, decode, slots_for};
use crate::disk_fault::{DiskFault, DiskFaultKind, DiskFile};
use crate::encode::Encode;
use crate::problem::SearchProblem;

impl<P: SearchProblem<State: Encode>> Work<P> {
    /// Prepares the table of the entries.
    pub(super) fn begin_table(&mut self) {
        let count = self.entries.len();
        self.slots.clear();
        self.slots.resize(slots_for(count), 0);
        self.filter.clear();
        self.filter.resize(filter_for(count), 0);
        self.closed.clear();
        self.closed.resize(count.div_ceil(64), 0);
        self.larger.clear();
        self.stage = Stage::Among { next: 0 };
    }

    /// Looks for a state: its number among the first entries, or the slot where it belongs.
    #[inline]
    fn find(&self, state: &P::State, hash: u64) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut at = slot_of(hash) & mask;
        let tag = tag_of(hash);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            if slot & TAG == tag {
                let number = (slot & !TAG) as usize - 1;
                if self.entries.states()[number] == *state {
                    return Ok(number);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Removes duplicates among the entries.
    pub(super) fn remove_among(&mut self, step: usize, next: usize) {
        let end = self.entries.len().min(next + step);
        for i in next..end {
            let state = &self.entries.states()[i];
            let hash = hash_of(state);
            match self.find(state, hash) {
                Ok(_) => self.found.duplicates += 1,
                Err(slot) => {
                    self.entries.swap(self.unique, i);
                    self.unique += 1;
                    self.slots[slot] = tag_of(hash) | number(self.unique);
                    let (word, bit) = filter_place(hash, self.filter.len());
                    self.filter[word] |= bit;
                }
            }
        }
        self.stage = Stage::Among { next: end };
        if end == self.entries.len() {
            self.entries.truncate(self.unique);
            self.stage = Stage::Against { segment: 0, part: 0, next: 0 };
        }
    }

    /// Removes entries that are closed at an equal or smaller g.
    pub(super) fn remove_closed(
        &mut self,
        view: &View<'_, P>,
        mut segment: usize,
        mut skip: usize,
        mut next: usize,
    ) {
        let mut reader = view.folder.reader();
        let mut left = view.step;
        while let Some(list) = view.segments.get(segment) {
            let bits = list.store().bits();
            let is_cheaper = order(list.g, view.g).is_le();
            for part in parts_of(self.shard, view.bits, bits).skip(skip) {
                match list.store() {
                    Store::Memory(parts) => {
                        let part = &parts[part];
                        let end = part.len().min(next + left);
                        for slice in part.slices(next..end) {
                            for state in slice {
                                self.meet(state, hash_of(state), is_cheaper);
                            }
                        }
                        left -= end - next;
                        next = if end < part.len() { end } else { 0 };
                    }
                    Store::File(run) => {
                        let mut bytes = std::mem::take(&mut self.bytes);
                        let read = reader.read(run, part, &mut bytes).and_then(|()| {
                            decode::<P::State>(&bytes, |entry, hash| {
                                self.meet(&entry.state, hash, is_cheaper);
                            })
                            .map_err(|at| {
                                DiskFault::new(
                                    DiskFile::States(run.file),
                                    run.place(part).0 + at,
                                    DiskFaultKind::Value,
                                )
                            })
                        });
                        // Also where it was in memory when a part of it was compared.
                        next = 0;
                        left -= left.min(bytes.len() / Entry::<P::State>::BYTES);
                        self.bytes = bytes;
                        if let Err(fault) = read {
                            return self.fail(fault);
                        }
                    }
                }
                skip += usize::from(next == 0);
                if left == 0 {
                    self.stage = Stage::Against { segment, part: skip, next };
                    return;
                }
            }
            (segment, skip) = (segment + 1, 0);
        }
        self.keep_open();
        self.stage = Stage::Expand { next: 0 };
    }

    /// A closed state: if it is among the entries, it is a duplicate, or one that is reopened.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "asked of every closed state, most of which the filter tells"
    )]
    fn meet(&mut self, state: &P::State, hash: u64, is_cheaper: bool) {
        let (word, bit) = filter_place(hash, self.filter.len());
        if self.filter[word] & bit == 0 {
            return;
        }
        if let Ok(number) = self.find(state, hash) {
            note(&mut self.closed, &mut self.larger, number, is_cheaper);
        }
    }

    /// Removes the entries that were found to be closed.
    fn keep_open(&mut self) {
        let closed: u32 = self.closed.iter().map(|word| word.count_ones()).sum();
        if closed > 0 {
            let bits = &self.closed;
            self.entries.remove_if(|at| bits[at / 64] >> (at % 64) & 1 == 1);
            self.found.duplicates += u64::from(closed);
        }
        let reopened = self.larger.iter().zip(&self.closed);
        let reopened = reopened.map(|(larger, closed)| u64::from((larger & !closed).count_ones()));
        self.found.reopened += reopened.sum::<u64>();
    }
}

/// How many words the filter of `entries` entries has: eight bits for each slot.
pub(super) fn filter_for(entries: usize) -> usize {
    slots_for(entries).div_ceil(8)
}

/// The word and the bit of the filter for a state with this hash.
#[inline]
fn filter_place(hash: u64, words: usize) -> (usize, u64) {
    let at = slot_of(hash);
    (at >> 6 & (words - 1), 1 << (at & 63))
}

/// The bits of a slot that are bits of the hash; the others are a number.
const TAG: u32 = 0xFF00_0000;

/// A shard must not have more entries.
pub(super) const MOST_ENTRIES: usize = (!TAG) as usize - 1;

#[inline]
fn tag_of(hash: u64) -> u32 {
    u32::try_from(hash >> 16 & u64::from(TAG)).unwrap_or(0)
}

#[inline]
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX) & !TAG
}

/// Notes that an entry is closed: at an equal or smaller g, or at a larger one.
#[inline]
fn note(closed: &mut [u64], larger: &mut Vec<u64>, number: usize, is_cheaper: bool) {
    if is_cheaper {
        closed[number / 64] |= 1 << (number % 64);
    } else {
        larger.resize(closed.len(), 0);
        larger[number / 64] |= 1 << (number % 64);
    }
}
