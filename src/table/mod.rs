//! What is known about each state: [`HashedTable`] for any state, [`DenseTable`] for states that
//! number themselves.
//!
//! A table gives every state that it has seen a small number, its [`StateId`], and keeps a [`Node`]
//! for it: how it was reached, at what cost, and how far it is from a goal. Frontiers hold ids only.

mod dense;
mod hashed;

pub use dense::DenseTable;
pub use hashed::HashedTable;

use std::fmt::Debug;

use crate::cost::Cost;
use crate::limits::{Memory, OutOfMemory};
use crate::problem::SearchProblem;

/// The number of a state in a table.
pub type StateId = u32;

/// No state: the parent of a start. Ids are smaller.
pub const NO_STATE: StateId = u32::MAX >> 1;

/// What is known about one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<C> {
    g: C,
    h: C,
    /// The parent, and in the highest bit whether the state is closed.
    link: u32,
}

const CLOSED: u32 = 1 << 31;

impl<C: Cost> Node<C> {
    /// An open state, reached from `parent` at cost `g`, estimated to be `h` from a goal.
    #[inline]
    #[must_use]
    pub fn new(g: C, h: C, parent: StateId) -> Self {
        Self { g, h, link: parent }
    }

    /// The cost of the cheapest way found so far.
    #[inline]
    #[must_use]
    pub fn g(&self) -> C {
        self.g
    }

    /// The heuristic value.
    #[inline]
    #[must_use]
    pub fn h(&self) -> C {
        self.h
    }

    /// `g + h`, or `None` where the type cannot hold the sum.
    #[inline]
    #[must_use]
    pub fn f(&self) -> Option<C> {
        self.g.checked_add(self.h)
    }

    /// The state before it on the cheapest way found so far, or [`NO_STATE`].
    #[inline]
    #[must_use]
    pub fn parent(&self) -> StateId {
        self.link & !CLOSED
    }

    /// Whether the state has been expanded since it was last reached more cheaply.
    #[inline]
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.link & CLOSED != 0
    }

    /// Takes note that the state is expanded.
    #[inline]
    pub fn close(&mut self) {
        self.link |= CLOSED;
    }

    /// Takes note of a cheaper way; the state is open again.
    #[inline]
    pub fn reach(&mut self, g: C, parent: StateId) {
        self.g = g;
        self.link = parent;
    }
}

/// What a table knows of a state that is reached at some cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// It is stored, and has been reached at no more.
    NoCheaper,
    /// It is stored, and has been reached only at more.
    Cheaper(StateId),
    /// It is not stored; this would be its place.
    Vacant(usize),
    /// Its number is not below the number of states.
    OutOfRange {
        /// Its number.
        index: usize,
        /// How many states the problem says that it has.
        count: usize,
    },
}

/// How long it takes to look at a state in a table, and so how early the table should be told which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// The caches of the processor hold all that there is: no need to ask early.
    Near,
    /// The caches do not hold it, but states that are looked for one after the other have places near
    /// each other: enough to ask for the state that is expanded next.
    Far,
    /// The caches do not hold it, and every state is somewhere else: worth asking for all successors of
    /// the states that are expanded next.
    Scattered,
}

/// What is known about each state of `P`.
///
/// A state is looked for by its [`key`](Self::key). Most of the time of a large search is spent waiting
/// for memory, so the engine says early what it will ask for: it has the places of all successors of a
/// state [fetched](Self::fetch), if it can some expansions ahead; [approaches](Self::approach) them when
/// those have come; and only then looks at them. Room is made beforehand by [`reserve`](Self::reserve),
/// the only call that may allocate. All calls take constant time but [`clear`](Self::clear),
/// [`for_each`](Self::for_each) and, where the table has to grow, `reserve`.
pub trait Table<P: SearchProblem>: Debug {
    /// What the table needs to find a state: where it belongs, if not whether it is there.
    type Key: Copy + Debug + Send + Sync;

    /// How many states are stored.
    fn len(&self) -> usize;

    /// Whether none is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all states. The memory stays, for the next search.
    fn clear(&mut self);

    /// Makes room for so many more states.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is none; nothing changes.
    fn reserve(
        &mut self,
        problem: &P,
        additional: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory>;

    /// How long its memory takes to answer.
    fn distance(&self) -> Distance;

    /// The key of a state. It stays good as long as the problem is the same.
    fn key(&self, problem: &P, state: &P::State) -> Self::Key;

    /// Says that a state with that key will be looked for soon.
    fn fetch(&self, key: Self::Key);

    /// Says that a state with that key, whose place was [fetched](Self::fetch), will be looked for next, so
    /// that what its place leads to can be fetched.
    fn approach(&self, key: Self::Key) {
        let _ = key;
    }

    /// Looks for `state`, whose key it is, and which is reached at cost `g`. Room must have been made
    /// before.
    fn find(&self, key: Self::Key, state: &P::State, g: P::Cost) -> Lookup;

    /// Stores a state at the place where `find` has just said that it is missing.
    fn insert(
        &mut self,
        key: Self::Key,
        place: usize,
        state: P::State,
        node: Node<P::Cost>,
    ) -> StateId;

    /// The id of any state, if it is stored.
    fn id_of(&self, problem: &P, state: &P::State) -> Option<StateId>;

    /// What is known about a state.
    fn node(&self, id: StateId) -> &Node<P::Cost>;

    /// What is known about a state, to be changed.
    fn node_mut(&mut self, id: StateId) -> &mut Node<P::Cost>;

    /// Shows the state to `look`.
    fn with_state<R>(&self, problem: &P, id: StateId, look: impl FnOnce(&P::State) -> R) -> R;

    /// Says that the state will be asked for soon.
    fn prefetch(&self, id: StateId);

    /// Calls `visit` for every state stored, in a fixed order.
    fn for_each(&self, problem: &P, visit: impl FnMut(&P::State, &Node<P::Cost>));
}
