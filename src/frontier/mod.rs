//! Which state is next: [`BucketQueue`] (the default), [`LazyHeap`] and [`IndexedQueue`].
//!
//! All three give out states in order of *f*, among equals those with the lower *h* (that is, the
//! larger *g*) first. Which of several states with equal *f* and *h* comes first differs, and is
//! always the same for the same sequence of calls.
//!
//! | frontier | push, improve, pop | bytes for an open state | when |
//! |---|---|---|---|
//! | [`BucketQueue`] | O(1) while *f* is dense, else as the heap | 8 to 16 | integer costs |
//! | [`LazyHeap`] | O(log n); an improvement leaves its old entry behind | 8 or 16; floats: id, f, h | floats, costs far apart |
//! | [`IndexedQueue`] | O(log n); an improvement moves the entry | about 60 | every state once, however often improved |

mod buckets;
mod heap;
mod indexed;

pub use buckets::BucketQueue;
pub use heap::LazyHeap;
pub use indexed::IndexedQueue;

use std::fmt::Debug;

use crate::cost::Cost;
use crate::limits::{Memory, OutOfMemory};
use crate::table::StateId;

/// The open states, ordered by *f*, then by low *h*.
///
/// A state may be pushed again when its *f* has become smaller. A frontier may then keep the old
/// entry and give it out later as well: whoever pops compares the *f* that comes with it with that
/// of the state, and passes over what is out of date.
pub trait Frontier<C: Cost>: Debug {
    /// Adds a state, or moves it forward if it is in the frontier with a larger `f`. `h` is always
    /// the same for the same state.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is no room; nothing changes.
    fn push(&mut self, id: StateId, f: C, h: C, memory: &mut Memory) -> Result<(), OutOfMemory>;

    /// Takes out an entry with the smallest `f`, and among those the smallest `h`.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the order cannot be found without more room; nothing is lost.
    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(StateId, C)>, OutOfMemory>;

    /// A guess at what `pop` gives after `ahead` others, so that it can be fetched from memory
    /// meanwhile; `None` where a guess would take long.
    fn coming(&self, ahead: usize) -> Option<StateId> {
        let _ = ahead;
        None
    }

    /// How many entries there are, those out of date included.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all entries. The memory stays, for the next search.
    fn clear(&mut self);
}
