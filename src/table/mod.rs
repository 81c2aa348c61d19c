//! The reached states: [`HashedTable`] for any state, [`DenseTable`] for states that are numbered.
//!
//! A table gives every state that it stores a small number, its id, and keeps a [`Record`] for it: how it
//! was reached, at what cost, and whether it is closed. Frontiers hold ids only. The closed list of the
//! textbooks is a table; the open list is a [frontier](crate::frontier) beside it.
//!
//! A table knows neither the problem nor what the record means, so a table of your own works with every
//! best-first engine: implement [`Table`], and pass it to a builder's `table` method.

mod dense;
mod dominance;
mod hashed;
mod labels;
mod record;

pub use dense::DenseTable;
pub use dominance::DominanceTable;
pub use hashed::HashedTable;
pub(crate) use labels::LabelTable;
pub use record::{CostRecord, EstimateRecord, Record, StateId};

use std::fmt::{self, Debug};

use crate::memory::{Memory, OutOfMemory};

/// What a table finds when it looks for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<I> {
    /// The state is stored, and the new path does not improve its record.
    NotImproved,
    /// The state is stored, and the new path improves its record.
    Improved(I),
    /// The state is not stored; it would go into this slot.
    Vacant(usize),
    /// The index of the state is not below the number of states.
    OutOfRange {
        /// The index.
        index: usize,
        /// The number of states of the problem.
        count: usize,
    },
}

/// How far the records of a table are from the processor, and so how early they should be prefetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheResidency {
    /// The processor's caches hold the whole table: no prefetching.
    Cached,
    /// The caches do not hold it, but successive lookups are near each other: the state that is expanded
    /// next is prefetched.
    Local,
    /// The caches do not hold it, and every lookup is somewhere else: all successors of the states that
    /// are expanded next are prefetched.
    Scattered,
}

/// Why a table cannot grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// There is no memory for it.
    Memory,
    /// The ids are used up: the table holds as many states as there are ids.
    Ids {
        /// How many states it can hold.
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
            Self::Ids { most } => write!(f, "the table can number {most} states and no more"),
        }
    }
}

impl std::error::Error for Full {}

/// The states that a search has reached, each with an id and a [`Record`].
///
/// A state is looked up by its [`key`](Self::key), for example its hash. Room is made beforehand by
/// [`reserve`](Self::reserve), the only method that may allocate. All methods take constant time (where
/// states are hashed, on average) except [`clear`](Self::clear), [`for_each`](Self::for_each) and, when the
/// table grows, `reserve`.
///
/// The record is an associated type: a table keeps one kind of record, and its ids are those of the record.
///
/// Large searches spend most of their time waiting for memory, so the engine announces lookups: it calls
/// [`prefetch_slot`](Self::prefetch_slot) for the successors of a state, some expansions ahead if
/// possible; then [`prefetch_entry`](Self::prefetch_entry); and only then [`find`](Self::find). These
/// hints have defaults that do nothing.
pub trait Table<S>: Debug {
    /// What is kept of a state.
    type Record: Record;

    /// What a state is looked up by.
    type Key: Copy + Debug + Send + Sync;

    /// Whether it closes records itself, so that a closed state need not have been expanded.
    #[doc(hidden)]
    const CLOSES: bool = false;

    /// How many states are stored.
    fn len(&self) -> usize;

    /// Whether no state is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all states and keeps the memory for the next search. It must not call code of the problem or
    /// of the states, so that it works after a panic there.
    fn clear(&mut self);

    /// Makes room for `additional` more states.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is no room; what is stored stays.
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), Full>;

    /// The key of a state. It stays valid when the table grows.
    fn key(&self, state: &S) -> Self::Key;

    /// Looks for `state`, which has that key. If it is stored, `improves` says of its record whether a new
    /// path improves it. (The table does not compare costs itself, and a dense one needs a single branch to
    /// tell what is not improved from all else.) Room for one state must have been made before.
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

    /// The id of a state, if it is stored. Unlike `find`, it needs no room.
    fn id_of(&self, state: &S) -> Option<IdOf<Self, S>>;

    /// The record of a state.
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

    /// Calls `look` with the state.
    fn with_state<T>(&self, id: IdOf<Self, S>, look: impl FnOnce(&S) -> T) -> T;

    /// Calls `visit` with every state, its id and its record, in a fixed order.
    fn for_each(&self, visit: impl FnMut(IdOf<Self, S>, &S, &Self::Record));

    /// How far the records are from the processor.
    #[inline]
    fn residency(&self) -> CacheResidency {
        CacheResidency::Cached
    }

    /// A hint that a state with that key will be looked for soon.
    #[inline]
    fn prefetch_slot(&self, key: Self::Key) {
        let _ = key;
    }

    /// A hint that a state with that key, whose slot was [prefetched](Self::prefetch_slot), will be looked
    /// for next, so that what its slot refers to can be prefetched.
    #[inline]
    fn prefetch_entry(&self, key: Self::Key) {
        let _ = key;
    }

    /// A hint that the state and its record will be asked for soon.
    #[inline]
    fn prefetch(&self, id: IdOf<Self, S>) {
        let _ = id;
    }
}

/// The ids of the states `S` in the table `T`.
pub type IdOf<T, S> = <<T as Table<S>>::Record as Record>::Id;

/// A [`Table`] for states `S` whose records hold costs `C`: implemented by every table that fits.
pub trait TableFor<S, C>: Table<S, Record: Record<Cost = C>> {}

impl<S, C, T: Table<S, Record: Record<Cost = C>>> TableFor<S, C> for T {}
