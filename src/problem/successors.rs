//! [`Successor`] and [`SuccessorBuffer`]: the output of [`SearchProblem::successors`].

use std::mem::needs_drop;
use std::{fmt, vec};

use super::SearchProblem;
use crate::memory::{Memory, OutOfMemory};

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

/// A state and what the step to it costs, where it does not matter which action it is.
#[inline]
pub(crate) fn reached_by<S, C>((state, cost): (S, C)) -> Successor<S, (), C> {
    Successor { action: (), state, cost }
}

/// A list of successors.
///
/// Engines clear and reuse it: once its capacity is the largest number of successors, expanding a
/// state allocates nothing. (Where a [closure](crate::FnProblem) returns a new list for each state, that list becomes the buffer.)
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

    /// Adds a list of successors. If the buffer is empty, the list becomes the buffer: nothing is copied.
    #[inline]
    pub(crate) fn take_over(&mut self, mut list: Vec<Successor<S, A, C>>) {
        if self.list.is_empty() {
            self.list = list;
        } else {
            self.list.append(&mut list);
        }
    }

    /// Allocates for some successors, if nothing is allocated: a short search would spend much of its time growing.
    #[inline]
    pub(crate) fn allocate_first(&mut self) {
        if self.list.capacity() == 0 && size_of::<Successor<S, A, C>>() <= SMALL {
            // Where there is no memory, the problem is the first to need some.
            let _ = self.list.try_reserve(FIRST);
        }
    }

    /// Counts the bytes allocated, of which `counted` are in the account; returns whether they are more. Where there is no room for
    /// them, the buffer is dropped: kept, it would be held without being counted, and so large for the next state, too.
    #[inline]
    pub(crate) fn count(
        &mut self,
        counted: &mut usize,
        memory: &mut Memory,
    ) -> Result<bool, OutOfMemory> {
        let bytes = self.bytes();
        if bytes == *counted {
            return Ok(false);
        }
        let has_grown = memory.recount(counted, bytes);
        if has_grown.is_err() {
            self.keep_within(0);
        }
        has_grown
    }

    /// Drops the buffer if more than these bytes are allocated.
    #[cold]
    #[inline(never)]
    pub(crate) fn keep_within(&mut self, bytes: usize) {
        if self.bytes() > bytes {
            self.list = Vec::new();
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
    /// Adds many successors. Faster than single pushes if the iterator knows its length; and a list (`Vec`) that comes first is not
    /// copied.
    #[inline]
    fn extend<I: IntoIterator<Item = (A, S, C)>>(&mut self, successors: I) {
        let successor = |(action, state, cost)| Successor { action, state, cost };
        let successors = successors.into_iter().map(successor);
        if const { is_list::<I::IntoIter, Successor<S, A, C>>() } {
            self.take_over(successors.collect());
        } else {
            self.list.extend(successors);
        }
    }
}

/// Whether an iterator probably is one over a list that it owns, whose memory `collect` reuses for values of type `T`. It is told by its
/// size, and from one over an array by a value to spare for `None`. For another iterator that is taken for one, `collect` allocates.
pub(super) const fn is_list<I: Iterator, T>() -> bool {
    size_of::<I>() == size_of::<vec::IntoIter<T>>()
        && size_of::<I>() == size_of::<Option<I>>()
        && needs_drop::<I>()
        && size_of::<I::Item>() == size_of::<T>()
        && align_of::<I::Item>() == align_of::<T>()
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

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::iter::once;

    use super::*;
    use crate::problem::FnProblem;

    type Named = Successor<String, (), u8>;

    #[test]
    fn a_list_is_told_from_other_iterators_by_its_type() {
        type Cell = Successor<(u32, u32), (), u32>;
        type Item = ((u32, u32), u32);
        type Pair = <[(u32, u32); 2] as IntoIterator>::IntoIter;
        assert!(const { is_list::<vec::IntoIter<Item>, Cell>() });
        assert!(const { is_list::<vec::IntoIter<(String, u8)>, Named>() });
        // Of the size of one over a list.
        assert_eq!(size_of::<Pair>(), size_of::<vec::IntoIter<Item>>());
        assert!(!const { is_list::<Pair, Successor<u32, (), u32>>() });
        // The memory cannot be reused: an item has less than a successor.
        assert!(!const { is_list::<vec::IntoIter<u32>, Cell>() });
        assert!(!const { is_list::<std::slice::Iter<'static, Item>, Cell>() });
        assert!(!const { is_list::<std::iter::Once<Item>, Cell>() });
    }

    /// Generates the successors of a state into a buffer that has some already; returns what is in it then.
    fn generated<I: IntoIterator<Item = (String, u8)>>(
        before: Option<Named>,
        successors: impl Fn(&String) -> I,
    ) -> Vec<Named> {
        let problem = FnProblem::new(successors, |_| 0, |_| false);
        let mut next = SuccessorBuffer { list: before.into_iter().collect() };
        problem.successors(&"root".into(), &mut next);
        next.list
    }

    #[test]
    fn successors_are_the_same_from_a_list_and_from_other_iterators() {
        let given = |state: &String| [1, 2, 3].map(|cost| (format!("{state}/{cost}"), cost));
        let lists = |before: Option<Named>| {
            [
                generated(before.clone(), given),
                generated(before.clone(), |state| given(state).to_vec()),
                generated(before.clone(), |state| VecDeque::from(given(state))),
                generated(before.clone(), |state| given(state).into_iter().filter(|_| true)),
                generated(before, |state| once(given(state)).flatten()),
            ]
        };
        for before in [None, Some(reached_by(("first".into(), 9)))] {
            let expected: Vec<Named> =
                before.iter().cloned().chain(given(&"root".into()).map(reached_by)).collect();
            for list in lists(before) {
                assert_eq!(list, expected);
            }
        }
    }

    #[test]
    fn a_list_by_which_a_buffer_is_extended_becomes_the_buffer() {
        let list = |from: u32| Vec::from([(1_u16, from, 5_u32), (2, from + 1, 6)]);
        let [first, second] = [list(7), list(20)];
        let mut next = SuccessorBuffer::new();
        let place = first.as_ptr().cast();
        next.extend(first);
        assert_eq!(next.list.as_ptr(), place);
        next.extend(second);
        next.extend([(3, 9, 9)]);
        let expected = [(1, 7, 5), (2, 8, 6), (1, 20, 5), (2, 21, 6), (3, 9, 9)];
        let expected = expected.map(|(action, state, cost)| Successor { action, state, cost });
        assert_eq!(next.as_slice(), expected);
    }

    #[test]
    fn the_list_of_a_closure_becomes_the_buffer() {
        let place = std::cell::Cell::new(std::ptr::null());
        let problem = FnProblem::new(
            |&n: &u32| {
                let list = vec![(n + 1, 5_u32), (n + 2, 7)];
                place.set(list.as_ptr().cast());
                list
            },
            |_| 0,
            |_| false,
        );
        let mut next = SuccessorBuffer::new();
        for n in [3, 8] {
            next.clear();
            problem.successors(&n, &mut next);
            assert_eq!(next.as_slice(), [(n + 1, 5), (n + 2, 7)].map(reached_by));
            assert_eq!(next.list.as_ptr(), place.get());
        }
        // The second list comes after the first: it is copied.
        problem.successors(&20, &mut next);
        assert_eq!(next.as_slice(), [(9, 5), (10, 7), (21, 5), (22, 7)].map(reached_by));
        assert_ne!(next.list.as_ptr(), place.get());
    }
}
