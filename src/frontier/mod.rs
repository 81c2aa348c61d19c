//! The open list: [`BucketQueue`] (the default), [`LazyHeap`] and, with the feature `indexed-queue`, `IndexedQueue`.
//!
//! A frontier returns open states in the order of their [`Key`]s. The order of states with equal keys
//! depends on the frontier, and is the same for the same sequence of calls.
//!
//! | frontier | push, improve, pop | bytes for an open state | when |
//! |---|---|---|---|
//! | [`BucketQueue`] | O(1) while keys are dense, otherwise as the heap | 8 to 16 | integers |
//! | [`LazyHeap`] | O(log n); an improved state leaves a stale entry | 8; long keys: 16, or id and key | floats, keys far apart |
//! | `IndexedQueue` | O(log n); an improved state is moved | about 60 | one entry per state, however often it is improved |
//!
//! Your own frontier works with every best-first engine: implement [`Frontier`], and pass it to a
//! builder's `frontier` method.

mod buckets;
pub(crate) mod focal;
pub(crate) mod heap;
#[cfg(feature = "indexed-queue")]
mod indexed;
mod key;

pub use buckets::BucketQueue;
pub(crate) use buckets::Rank;
pub use focal::{FocalKey, FocalQueue};
pub use heap::LazyHeap;
#[cfg(feature = "indexed-queue")]
pub use indexed::IndexedQueue;
pub use key::{ByOrd, Key, Lexicographic, Priority, Ratio, Single};

use std::fmt::Debug;

use crate::memory::{Memory, OutOfMemory};

/// Open states by their ids `I`, in the order of their keys `K`.
///
/// A state may be pushed again with a smaller key. A frontier may keep the old entry and return it
/// later as well: the engine compares the key of every entry with that of the state, and skips stale
/// entries.
pub trait Frontier<I, K>: Debug {
    /// Adds a state, or moves it forward if it is in the frontier with a larger key.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if it cannot grow; nothing changes.
    fn push(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory>;

    /// Removes an entry with the least key, and returns it.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if sorting needs more memory than is left; no entry is lost.
    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(I, K)>, OutOfMemory>;

    /// Whether engines must call [`pop_current`](Self::pop_current) instead of [`pop`](Self::pop).
    const SKIPS_STALE: bool = false;

    /// Removes the next entry for which `is_current` returns true, and the stale entries before it: for
    /// frontiers that hold a state in several queues. If these are many, it may return the last of them: the engine
    /// then looks at its limits and calls it again.
    ///
    /// # Errors
    ///
    /// As [`pop`](Self::pop).
    fn pop_current(
        &mut self,
        mut is_current: impl FnMut(I, K) -> bool,
        memory: &mut Memory,
    ) -> Result<Option<(I, K)>, OutOfMemory>
    where
        I: Copy,
        K: Copy,
    {
        while let Some((id, key)) = self.pop(memory)? {
            if is_current(id, key) {
                return Ok(Some((id, key)));
            }
        }
        Ok(None)
    }

    /// Returns the least key of an entry, stale entries included. It may sort entries, as `pop` does.
    ///
    /// # Errors
    ///
    /// As [`pop`](Self::pop).
    fn least(&mut self, memory: &mut Memory) -> Result<Option<K>, OutOfMemory>;

    /// Returns a lower bound on the keys of all entries without sorting; `None` if there are no entries.
    ///
    /// # Errors
    ///
    /// As [`pop`](Self::pop).
    #[inline]
    fn bound(&mut self, memory: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        self.least(memory)
    }

    /// Calls `visit` with every entry, in a deterministic order that is not that of the keys.
    fn for_each(&self, visit: impl FnMut(I, K));

    /// Removes the entries for which `keep` returns false. The engine calls it when most entries are stale.
    fn retain(&mut self, keep: impl FnMut(I, K) -> bool);

    /// Guesses the state that `pop` returns after `ahead` others, so that it can be prefetched; `None` if
    /// guessing would take long. A wrong guess only costs time.
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        let _ = ahead;
        None
    }

    /// Returns the number of entries, stale ones included.
    fn len(&self) -> usize;

    /// Whether there are no entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all entries and keeps the memory for the next search.
    fn clear(&mut self);
}
