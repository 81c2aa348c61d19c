//! A table for numbered states.

use super::{BareRecord, CacheResidency, Full, Lookup, Record, StateId, Table, WithoutParents};
use crate::cost::PackedCost;
use crate::debug::show_fields;
use crate::memory::Memory;
use crate::prefetch::prefetch;
use crate::problem::DenseStates;

/// A table for numbered states: one flat list with the record of every state of the problem. States are
/// neither stored nor hashed.
///
/// The table owns the numbering `N` of its states: a [`DenseStates`] problem, or a reference to one.
/// Clearing it takes time proportional to the number of reached states, not of all states:
/// the table records which blocks of 64 records were written.
///
/// It takes the size of a record for each state of the problem, reached or not, and 9 bytes for
/// each block. Where memory is fresh from the system, and at least a mebibyte, it is provided some pages at a time when they are first
/// used, for [`CostRecord`](super::CostRecord)s, [`EstimateRecord`](super::EstimateRecord)s and [`BareRecord`]s whose cost is a
/// primitive number. Otherwise all records are written before the first expansion.
/// It holds up to 2³¹ − 2 states, or 2⁶³ − 2 if ids have 64 bits.
#[derive(Clone)]
pub struct DenseTable<N, R> {
    numbering: N,
    /// The record of every state; it is [vacant](Record::vacant) for those that are not stored.
    records: Vec<R>,
    blocks: Blocks,
    stored: usize,
}

/// What is known of the blocks of records.
#[derive(Clone, Debug, Default)]
struct Blocks {
    /// For each block, whether it was written since the table was cleared.
    is_written: Vec<bool>,
    /// The indices of these blocks; with capacity for all, but in a clone.
    written: Vec<usize>,
    /// For each group of pages, whether the system has given them out.
    is_given: Vec<bool>,
}

/// The number of records in a block.
const BLOCK: usize = 64;

/// A table with fewer records is not prefetched: it stays in the processor's caches.
const CACHED: usize = 1 << 16;

/// The bytes of a page, on most systems. The system gives one out when it is first written.
const PAGE: usize = 1 << 12;

/// This many pages are written in one go before the first of them is read. That takes less time than one by one during the
/// search, and a page that is read first is given out twice.
const PAGES: usize = 32;

fn records_of_page<R>() -> usize {
    (PAGE / size_of::<R>().max(1)).max(1)
}

fn blocks_of_group<R>() -> usize {
    (PAGES * records_of_page::<R>()).div_ceil(BLOCK)
}

impl<N: DenseStates, R: Record> DenseTable<N, R> {
    /// Creates an empty table for states with this numbering.
    #[must_use]
    pub fn new(numbering: N) -> Self {
        Self { numbering, records: Vec::new(), blocks: Blocks::default(), stored: 0 }
    }

    /// Marks the block of a record that is written next.
    #[cold]
    #[inline(never)]
    fn write_block(&mut self, block: usize) {
        let Blocks { is_written, written, is_given } = &mut self.blocks;
        let group = block / blocks_of_group::<R>();
        if !is_given[group] {
            is_given[group] = true;
            let first = group * blocks_of_group::<R>() * BLOCK;
            let last = (first + blocks_of_group::<R>() * BLOCK).min(self.records.len());
            self.records[first..last]
                .iter_mut()
                .step_by(records_of_page::<R>())
                .for_each(|record| *record = R::vacant());
        }
        is_written[block] = true;
        written.push(block);
    }

    /// Allocates records for `count` states.
    #[cold]
    #[inline(never)]
    fn lay_out(&mut self, count: usize, memory: &mut Memory) -> Result<(), Full> {
        if count > R::Id::VACANT.index() {
            return Err(Full::Ids { most: R::Id::VACANT.to_u64() });
        }
        let Self { records, blocks: Blocks { is_written, written, is_given }, .. } = self;
        let block_count = count.div_ceil(BLOCK);
        // There may be more already, if an earlier allocation of records failed.
        memory.reserve(is_written, block_count.saturating_sub(is_written.len()))?;
        memory.reserve(written, block_count.saturating_sub(written.len()))?;
        let group_count = block_count.div_ceil(blocks_of_group::<R>());
        memory.reserve(is_given, group_count.saturating_sub(is_given.len()))?;
        if self.stored == 0 {
            // The table is empty, so nothing is copied.
            memory.free(std::mem::take(records));
            *records = R::vacant_list(count, memory)?;
            is_given.fill(false);
        } else {
            memory.reserve(records, count - records.len())?;
            records.resize(count, R::vacant());
        }
        is_written.resize(block_count.max(is_written.len()), false);
        is_given.resize(group_count.max(is_given.len()), false);
        Ok(())
    }
}

impl<N: DenseStates, R: Record<Cost: PackedCost>> WithoutParents for DenseTable<N, R> {
    type WithoutParents = DenseTable<N, BareRecord<R::Cost, R::Id>>;

    fn without_parents(self) -> Self::WithoutParents {
        DenseTable::new(self.numbering)
    }
}

impl<N: DenseStates, R: Record> Table<N::State> for DenseTable<N, R> {
    type Record = R;

    /// The index of the state.
    type Key = usize;

    #[inline]
    fn len(&self) -> usize {
        self.stored
    }

    fn clear(&mut self) {
        self.stored = 0;
        for block in self.blocks.written.drain(..) {
            self.blocks.is_written[block] = false;
            let first = block * BLOCK;
            let last = (first + BLOCK).min(self.records.len());
            self.records[first..last].fill(R::vacant());
        }
    }

    #[inline]
    fn reserve(&mut self, _additional: usize, memory: &mut Memory) -> Result<(), Full> {
        let count = self.numbering.state_count();
        if self.records.len() >= count { Ok(()) } else { self.lay_out(count, memory) }
    }

    #[inline]
    fn key(&self, state: &N::State) -> usize {
        self.numbering.state_index(state)
    }

    #[inline]
    fn find(
        &self,
        index: usize,
        _state: &N::State,
        improves: impl Fn(&R) -> bool,
    ) -> Lookup<R::Id> {
        let Some(record) = self.records.get(index) else {
            return Lookup::OutOfRange { index, count: self.records.len() };
        };
        let is_vacant = record.is_vacant();
        // Not `||`: one branch for the common case, a stored state that is not improved.
        if !(is_vacant | improves(record)) {
            Lookup::NotImproved
        } else if is_vacant {
            Lookup::Vacant(index)
        } else {
            Lookup::Improved(R::Id::from_index(index))
        }
    }

    #[inline]
    fn insert(&mut self, index: usize, _slot: usize, _state: N::State, record: R) -> R::Id {
        let block = index / BLOCK;
        if !self.blocks.is_written[block] {
            self.write_block(block);
        }
        self.records[index] = record;
        self.stored += 1;
        R::Id::from_index(index)
    }

    fn id_of(&self, state: &N::State) -> Option<R::Id> {
        let index = self.numbering.state_index(state);
        let record = self.records.get(index)?;
        (!record.is_vacant()).then(|| R::Id::from_index(index))
    }

    #[inline]
    fn load(&self, id: R::Id) -> R {
        self.records[id.index()]
    }

    #[inline]
    fn store(&mut self, id: R::Id, record: R) {
        self.records[id.index()] = record;
    }

    #[inline]
    fn update<T>(&mut self, id: R::Id, change: impl FnOnce(&mut R) -> T) -> T {
        change(&mut self.records[id.index()])
    }

    #[inline]
    fn with_state<T>(&self, id: R::Id, look: impl FnOnce(&N::State) -> T) -> T {
        look(&self.numbering.state_at(id.index()))
    }

    fn for_each(&self, mut visit: impl FnMut(R::Id, &N::State, &R)) {
        for (index, record) in self.records.iter().enumerate() {
            if !record.is_vacant() {
                visit(R::Id::from_index(index), &self.numbering.state_at(index), record);
            }
        }
    }

    /// Never scattered: on maps, roads and crucibles, prefetching all successors took longer than waiting
    /// for cache misses.
    #[inline]
    fn residency(&self) -> CacheResidency {
        if self.records.len() > CACHED { CacheResidency::Local } else { CacheResidency::Cached }
    }

    #[inline]
    fn prefetch_slot(&self, index: usize) {
        prefetch(&self.records, index);
    }

    #[inline]
    fn prefetch(&self, id: R::Id) {
        prefetch(&self.records, id.index());
    }
}

show_fields! {
    [N, R] DenseTable<N, R>,
    "DenseTable" (this) { states = this.stored, places = this.records.len() }
}
