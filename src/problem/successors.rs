//! [`Successor`] and [`SuccessorBuffer`]: the output of [`SearchProblem::successors`].

use std::fmt;

use super::SearchProblem;

/// The buffer that [`SearchProblem::successors`] of `P` fills.
pub type Successors<P> = SuccessorBuffer<
    <P as SearchProblem>::State,
    <P as SearchProblem>::Action,
    <P as SearchProblem>::Cost,
>;

/// A successor of a state, with the action that leads to it and the cost of that step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor<S, A, C> {
    /// The action.
    pub action: A,
    /// The state that the action leads to.
    pub state: S,
    /// The cost of the step.
    pub cost: C,
}

/// A list of successors.
///
/// Engines clear and reuse it: once its capacity is the largest number of successors, expanding a
/// state allocates nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct SuccessorBuffer<S, A, C> {
    list: Vec<Successor<S, A, C>>,
}

/// The first allocation has capacity for this many successors, if they have at most `SMALL` bytes each.
const FIRST: usize = 8;
const SMALL: usize = 64;

impl<S, A, C> SuccessorBuffer<S, A, C> {
    /// Creates an empty buffer. It does not allocate.
    #[must_use]
    pub fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// Adds a successor at the end.
    #[inline]
    pub fn push(&mut self, action: A, state: S, cost: C) {
        self.list.push(Successor { action, state, cost });
    }

    /// Removes all successors and keeps the capacity.
    #[inline]
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Returns the successors in the order in which they were pushed.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Successor<S, A, C>] {
        &self.list
    }

    /// Returns the successors as a mutable slice: an adapter may change their costs or their order.
    #[inline]
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [Successor<S, A, C>] {
        &mut self.list
    }

    /// Keeps only the successors for which `keep` returns true: an adapter may remove some.
    pub fn retain(&mut self, keep: impl FnMut(&Successor<S, A, C>) -> bool) {
        self.list.retain(keep);
    }

    /// Removes all successors and returns them in order. The capacity is kept.
    #[inline]
    pub fn drain(&mut self) -> std::vec::Drain<'_, Successor<S, A, C>> {
        self.list.drain(..)
    }

    /// Returns the underlying list.
    #[inline]
    pub(crate) fn list(&mut self) -> &mut Vec<Successor<S, A, C>> {
        &mut self.list
    }

    /// Removes the last successor and returns it.
    #[inline]
    pub fn pop(&mut self) -> Option<Successor<S, A, C>> {
        self.list.pop()
    }

    /// Shortens the buffer to its first `len` successors.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    /// Returns the number of successors.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the buffer is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the capacity, in successors.
    #[inline]
    pub(crate) fn capacity(&self) -> usize {
        self.list.capacity()
    }

    /// Allocates for some successors, if nothing is allocated: a short search would spend much of its time growing.
    #[inline]
    pub(crate) fn allocate_first(&mut self) {
        if self.list.capacity() == 0 && size_of::<Successor<S, A, C>>() <= SMALL {
            // Where there is no memory, the problem is the first to need some.
            let _ = self.list.try_reserve(FIRST);
        }
    }

    /// Returns the number of bytes allocated.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Successor<S, A, C>>()
    }
}

impl<S, A, C> Extend<(A, S, C)> for SuccessorBuffer<S, A, C> {
    /// Adds many successors. Faster than single pushes if the iterator knows its length.
    #[inline]
    fn extend<I: IntoIterator<Item = (A, S, C)>>(&mut self, successors: I) {
        let successor = |(action, state, cost)| Successor { action, state, cost };
        self.list.extend(successors.into_iter().map(successor));
    }
}

impl<S, A, C> Default for SuccessorBuffer<S, A, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: fmt::Debug, A: fmt::Debug, C: fmt::Debug> fmt::Debug for SuccessorBuffer<S, A, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
