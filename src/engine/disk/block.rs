//! [`Block`]: entries side by side.

use std::ops::Range;
use std::vec::Drain;

use super::entry::Entry;

/// Entries side by side: their states in one list, and the marks of their parents in another, so that nothing is lost
/// between them.
#[derive(Debug)]
pub(super) struct Block<S> {
    states: Vec<S>,
    parents: Vec<u16>,
}

impl<S> Block<S> {
    pub(super) fn new() -> Self {
        Self { states: Vec::new(), parents: Vec::new() }
    }

    pub(super) fn with_capacity(entries: usize) -> Self {
        Self { states: Vec::with_capacity(entries), parents: Vec::with_capacity(entries) }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn capacity(&self) -> usize {
        self.parents.capacity()
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        self.capacity() * Entry::<S>::IN_MEMORY
    }

    pub(super) fn states(&self) -> &[S] {
        &self.states
    }

    /// The states, each with the mark of its parent.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&S, u16)> {
        self.states.iter().zip(self.parents.iter().copied())
    }

    #[inline]
    pub(super) fn push(&mut self, Entry { state, parent }: Entry<S>) {
        self.states.push(state);
        self.parents.push(parent);
    }

    /// Moves all entries of `other` to the end. The other keeps its memory.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.states.append(&mut other.states);
        self.parents.append(&mut other.parents);
    }

    /// Moves these entries of `other` to the end.
    pub(super) fn append_range(&mut self, other: &mut Self, range: Range<usize>) {
        self.extend(other.states.drain(range.clone()), other.parents.drain(range));
    }

    /// Adds entries whose states and marks come one by one.
    pub(super) fn extend(
        &mut self,
        states: impl Iterator<Item = S>,
        parents: impl Iterator<Item = u16>,
    ) {
        self.states.extend(states);
        self.parents.extend(parents);
    }

    /// Takes all entries out of it, in order, and keeps its memory.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Entry<S>> {
        let (states, parents) = self.drain_from(0);
        states.zip(parents).map(|(state, parent)| Entry { state, parent })
    }

    /// Takes the states and marks from this place on out of it, in order, and keeps its memory.
    pub(super) fn drain_from(&mut self, begin: usize) -> (Drain<'_, S>, Drain<'_, u16>) {
        (self.states.drain(begin..), self.parents.drain(begin..))
    }

    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.states.swap(a, b);
        self.parents.swap(a, b);
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.states.truncate(len);
        self.parents.truncate(len);
    }

    /// Removes the entries with the numbers for which `removes` is true.
    pub(super) fn remove_if(&mut self, removes: impl Fn(usize) -> bool) {
        let (mut of_states, mut of_parents) = (0.., 0..);
        self.states.retain(|_| !of_states.next().is_some_and(&removes));
        self.parents.retain(|_| !of_parents.next().is_some_and(&removes));
    }

    /// Empties it, and makes room for `entries` entries without having two lists at a time.
    pub(super) fn empty_for(&mut self, entries: usize) {
        self.truncate(0);
        if self.capacity() < entries {
            *self = Self::new();
            self.reserve_exact(entries);
        }
    }

    /// Makes room for `added` more entries, and no more.
    pub(super) fn reserve_exact(&mut self, added: usize) {
        self.states.reserve_exact(added);
        self.parents.reserve_exact(added);
    }

    /// Holds no more than it must.
    pub(super) fn shrink_to_fit(&mut self) {
        self.states.shrink_to_fit();
        self.parents.shrink_to_fit();
    }
}
