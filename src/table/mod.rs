//! The reached states: [`HashedTable`] for any state, [`DenseTable`] for numbered states.
//!
//! A table gives every stored state a small number, its id, and keeps a [`Record`] for it: its cost, its parent, and
//! whether it is closed. Frontiers hold only ids. The closed list of the textbooks is a table; the open list is a
//! [frontier](crate::frontier) beside it.
//!
//! A table knows neither the problem nor the meaning of the record, so your own table works with every
//! best-first engine: implement [`Table`], and pass it to a builder's `table` method.

mod coordinates;
mod dense;
mod dominance;
mod hashed;
mod labels;
mod numbers;
mod record;

pub use dense::DenseTable;
pub use dominance::DominanceTable;
pub use hashed::HashedTable;
pub(crate) use labels::LabelTable;
pub(crate) use numbers::{Early, may_be_one};
pub(crate) use record::sealed::Sealed as IdParts;
pub use record::{BareRecord, CostRecord, EstimateRecord, Record, StateId};

use std::fmt::{self, Debug};

use crate::memory::{Memory, OutOfMemory};

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<I> {
    /// The state is stored, and the new path does not improve its record.
    NotImproved,
    /// The state is stored, and the new path improves its record.
    Improved(I),
    /// The state is not stored; [`insert`](Table::insert) would use this slot. Its second highest bit must be zero: it is for tables
    /// that wrap another one, such as that of [`Pareto`](crate::Pareto).
    Vacant(usize),
    /// The index of the state is not below the number of states.
    OutOfRange {
        /// The index.
        index: usize,
        /// The number of states of the problem.
        count: usize,
    },
}

/// The residency of a table's records in the processor's caches, which determines how early to prefetch them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheResidency {
    /// The processor's caches hold the whole table: no prefetching.
    Cached,
    /// The table exceeds the caches, but successive lookups are near each other: the state that is expanded
    /// next is prefetched.
    Local,
    /// The table exceeds the caches, and lookups are scattered: all successors of the states that
    /// are expanded next are prefetched.
    Scattered,
}

/// Why a table cannot grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Full {
    /// The memory limit is reached, or the system has no memory.
    Memory,
    /// There is no id left for another state.
    Ids {
        /// The number of states that it can hold.
        most: u64,
    },
}

impl From<OutOfMemory> for Full {
    fn from(_: OutOfMemory) -> Self {
        Self::Memory
    }
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => fmt::Display::fmt(&OutOfMemory, f),
            Self::Ids { most } => write!(f, "the table can hold at most {most} states"),
        }
    }
}

impl std::error::Error for Full {}

/// The states that a search has reached, each with an id and a [`Record`].
///
/// A state is looked up by its [`key`](Self::key), for example its hash. Capacity is reserved beforehand by
/// [`reserve`](Self::reserve), the only method that may allocate. All methods take constant time (on average, if
/// states are hashed) except [`clear`](Self::clear), [`for_each`](Self::for_each) and, when the
/// table grows, `reserve`.
///
/// The record is an associated type: a table has one type of record, and its ids are those of the record.
///
/// Large searches spend most of their time waiting for memory, so engines prefetch: they call
/// [`prefetch_slot`](Self::prefetch_slot) for the successors of a state, some expansions ahead if
/// possible; then [`prefetch_entry`](Self::prefetch_entry); and only then [`find`](Self::find). These
/// hints do nothing by default.
pub trait Table<S>: Debug {
    /// The data of a state.
    type Record: Record;

    /// The lookup key of a state, such as its hash.
    type Key: Copy + Debug + Send + Sync;

    /// Whether the table closes records itself, so that a closed state need not have been expanded. False
    /// by default.
    const CLOSES: bool = false;

    /// Returns the number of stored states.
    fn len(&self) -> usize;

    /// Whether no state is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all states and keeps the memory for the next search. It must not call code of the problem or
    /// of the states, so that it works after a panic in that code.
    fn clear(&mut self);

    /// Reserves capacity for `additional` more states.
    ///
    /// # Errors
    ///
    /// [`Full`] if it cannot grow; the stored states are unchanged.
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), Full>;

    /// Returns the key of a state. It remains valid when the table grows.
    fn key(&self, state: &S) -> Self::Key;

    /// Looks up `state`, which has this key. If it is stored, `improves` returns whether the new path improves its
    /// record. (So the table does not compare costs, and a dense one needs a single branch for states that are
    /// not improved.) Capacity for one state must have been reserved.
    fn find(
        &self,
        key: Self::Key,
        state: &S,
        improves: impl Fn(&Self::Record) -> bool,
    ) -> Lookup<IdOf<Self, S>>;

    /// Stores a state in the slot that `find` has just returned, and returns its id.
    fn insert(
        &mut self,
        key: Self::Key,
        slot: usize,
        state: S,
        record: Self::Record,
    ) -> IdOf<Self, S>;

    /// Returns the id of a state, if it is stored. Unlike `find`, it needs no reserved capacity.
    fn id_of(&self, state: &S) -> Option<IdOf<Self, S>>;

    /// Returns the record of a state.
    fn load(&self, id: IdOf<Self, S>) -> Self::Record;

    /// Replaces the record of a state.
    fn store(&mut self, id: IdOf<Self, S>, record: Self::Record);

    /// Changes the record of a state in place, and returns what `change` returns.
    #[inline]
    fn update<T>(&mut self, id: IdOf<Self, S>, change: impl FnOnce(&mut Self::Record) -> T) -> T {
        let mut record = self.load(id);
        let outcome = change(&mut record);
        self.store(id, record);
        outcome
    }

    /// Calls `look` with the state and returns its result.
    fn with_state<T>(&self, id: IdOf<Self, S>, look: impl FnOnce(&S) -> T) -> T;

    /// Calls `visit` with every state, its id and its record, in a deterministic order.
    fn for_each(&self, visit: impl FnMut(IdOf<Self, S>, &S, &Self::Record));

    /// Returns the cache residency of the records.
    #[inline]
    fn residency(&self) -> CacheResidency {
        CacheResidency::Cached
    }

    /// A hint that a state with this key will be looked up soon.
    #[inline]
    fn prefetch_slot(&self, key: Self::Key) {
        let _ = key;
    }

    /// A hint that a state with this key, whose slot was [prefetched](Self::prefetch_slot), will be looked
    /// up next, so that the entry of its slot can be prefetched.
    #[inline]
    fn prefetch_entry(&self, key: Self::Key) {
        let _ = key;
    }

    /// A hint that the state and its record will be read soon.
    #[inline]
    fn prefetch(&self, id: IdOf<Self, S>) {
        let _ = id;
    }
}

/// A table of this crate that can have records without parents instead: what
/// [`Dijkstra::costs_only`](crate::Dijkstra::costs_only) chooses. This trait is sealed.
pub trait WithoutParents: sealed::Sealed {
    /// The same table with [`BareRecord`]s.
    type WithoutParents;

    /// Returns that table, empty.
    fn without_parents(self) -> Self::WithoutParents;
}

mod sealed {
    use super::{DenseTable, HashedTable, Record};

    pub trait Sealed {}

    impl<S, R: Record, B, W> Sealed for HashedTable<S, R, B, W> {}

    impl<N, R> Sealed for DenseTable<N, R> {}
}

/// The ids of the states `S` in the table `T`.
pub type IdOf<T, S> = <<T as Table<S>>::Record as Record>::Id;

/// A [`Table`] for states `S` whose records hold costs `C`. Implemented for every such table.
pub trait TableFor<S, C>: Table<S, Record: Record<Cost = C>> {}

impl<S, C, T: Table<S, Record: Record<Cost = C>>> TableFor<S, C> for T {}
