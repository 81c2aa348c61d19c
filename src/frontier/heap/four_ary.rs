//! A heap in which every node has four children.

use std::slice;

use crate::indexed::{at, at_mut, push};

/// An entry of a [`Heap`].
pub trait Entry: Copy {
    /// Whether this entry is popped before `other`.
    fn precedes(self, other: Self) -> bool;
}

impl Entry for u64 {
    #[inline]
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Entry for u128 {
    #[inline]
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

/// A heap of arity four: half as deep as a binary heap, and the four children of a node are adjacent in memory.
///
/// Source: Johnson, *Priority queues with update and finding minimum spanning trees*, 1975.
#[derive(Clone, Debug)]
pub struct Heap<E> {
    entries: Vec<E>,
}

const ARITY: usize = 4;

impl<E: Entry> Heap<E> {
    pub fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Returns the list of entries, to reserve capacity in it.
    #[inline]
    pub fn list(&mut self) -> &mut Vec<E> {
        &mut self.entries
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether there is no capacity for another entry.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.entries.len() == self.entries.capacity()
    }

    pub fn iter(&self) -> slice::Iter<'_, E> {
        self.entries.iter()
    }

    pub fn clear(&mut self) {
        self.entries.clear();
    }

    #[inline]
    pub fn peek(&self) -> Option<E> {
        self.entries.first().copied()
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "hot where it is called in the loop of a search")]
    pub fn push(&mut self, entry: E) {
        self.entries.push(entry);
        self.rise(self.entries.len() - 1);
    }

    /// Pushes an entry for which there is capacity.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "hot where it is called in the loop of a search")]
    pub fn put(&mut self, entry: E) {
        push(&mut self.entries, entry);
        self.rise(self.entries.len() - 1);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "hot where it is called in the loop of a search")]
    pub fn pop(&mut self) -> Option<E> {
        let last = self.entries.pop()?;
        let Some(&first) = self.entries.first() else { return Some(last) };
        self.sink(last);
        Some(first)
    }

    /// Guesses the entry that is popped after `ahead` others.
    #[inline]
    pub fn peek_hint(&self, ahead: usize) -> Option<E> {
        if let (1, &[_, a, b, c, d, ..]) = (ahead, &self.entries[..]) {
            let sooner = |one: E, other: E| if other.precedes(one) { other } else { one };
            return Some(sooner(sooner(a, b), sooner(c, d)));
        }
        self.entries.get(ahead).copied()
    }

    /// Applies `change` to every entry; it must preserve their order.
    #[inline]
    pub fn map_in_order(&mut self, mut change: impl FnMut(E) -> E) {
        for entry in &mut self.entries {
            *entry = change(*entry);
        }
    }

    /// Keeps the entries for which `keep` returns true.
    #[inline]
    pub fn retain(&mut self, keep: impl FnMut(E) -> bool) {
        retain(&mut self.entries, keep);
        self.restore();
    }

    /// Puts the entries of the list into the order of a heap.
    #[inline]
    pub fn restore(&mut self) {
        for end in 1..self.entries.len() {
            self.rise(end);
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "hot where it is called in the loop of a search")]
    fn rise(&mut self, mut place: usize) {
        let entries = &mut self.entries[..];
        let entry = *at(entries, place);
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if !entry.precedes(*at(entries, parent)) {
                break;
            }
            *at_mut(entries, place) = *at(entries, parent);
            place = parent;
        }
        *at_mut(entries, place) = entry;
    }

    /// Fills the hole at the top with `entry`, an entry from the bottom: moves the hole to the bottom, where the entry
    /// mostly belongs, and sifts it up from there.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "hot where it is called in the loop of a search")]
    fn sink(&mut self, entry: E) {
        let entries = &mut self.entries[..];
        let mut hole = 0;
        while let Some((place, child)) = first_child(entries, hole) {
            *at_mut(entries, hole) = child;
            hole = place;
        }
        *at_mut(entries, hole) = entry;
        self.rise(hole);
    }
}

/// Keeps the entries for which `keep` returns true, in their order. (The function of the standard library is three times as
/// long, for entries that need to be dropped.)
pub fn retain<E: Copy>(list: &mut Vec<E>, mut keep: impl FnMut(E) -> bool) {
    let mut kept = 0;
    for place in 0..list.len() {
        let entry = *at(list, place);
        if keep(entry) {
            *at_mut(list, kept) = entry;
            kept += 1;
        }
    }
    list.truncate(kept);
}

/// Returns the child of a place that is popped first, and its place.
#[inline]
fn first_child<E: Entry>(entries: &[E], place: usize) -> Option<(usize, E)> {
    let first_index = place * ARITY + 1;
    match *entries.get(first_index..)? {
        [a, b, c, d, ..] => {
            let (ab, cd) = (usize::from(b.precedes(a)), usize::from(d.precedes(c)));
            let (best_ab, best_cd) = (if ab == 1 { b } else { a }, if cd == 1 { d } else { c });
            Some(if best_cd.precedes(best_ab) {
                (first_index + 2 + cd, best_cd)
            } else {
                (first_index + ab, best_ab)
            })
        }
        [] => None,
        [first, ref rest @ ..] => {
            let mut best = (first_index, first);
            for (after, &child) in rest.iter().enumerate() {
                if child.precedes(best.1) {
                    best = (first_index + 1 + after, child);
                }
            }
            Some(best)
        }
    }
}
