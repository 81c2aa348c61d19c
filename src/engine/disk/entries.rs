//! [`Entries`]: a list of entries in chunks.
//!
//! All long lists are made of blocks of one size. What one list frees has room for another, so the allocator of the system
//! keeps hardly more than is in use.

use std::ops::Range;

use super::entry::Entry;

/// A chunk has so many entries, the last of a list no more.
pub(super) const CHUNK: usize = 512;

/// A list of entries in chunks, so that it grows without being copied.
#[derive(Debug)]
pub(super) struct Entries<S> {
    /// Chunks of [`CHUNK`] entries.
    full: Vec<Vec<Entry<S>>>,
    /// Those after them, no more than [`CHUNK`].
    last: Vec<Entry<S>>,
}

impl<S> Entries<S> {
    pub(super) fn new() -> Self {
        Self { full: Vec::new(), last: Vec::new() }
    }

    /// A list for about `expected` entries.
    pub(super) fn with_capacity(expected: usize) -> Self {
        let full = Vec::with_capacity(expected / CHUNK);
        Self { full, last: Vec::with_capacity(expected.min(CHUNK)) }
    }

    /// A list of all entries of another, which keeps its memory.
    pub(super) fn drain(entries: &mut Vec<Entry<S>>) -> Self {
        let mut rest = entries.len();
        let mut full = Vec::with_capacity(rest / CHUNK);
        let mut entries = entries.drain(..);
        while rest > CHUNK {
            let mut chunk = Vec::with_capacity(CHUNK);
            chunk.extend(entries.by_ref().take(CHUNK));
            full.push(chunk);
            rest -= CHUNK;
        }
        let mut last = Vec::with_capacity(rest);
        last.extend(entries);
        Self { full, last }
    }

    pub(super) fn len(&self) -> usize {
        self.full.len() * CHUNK + self.last.len()
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let entries = self.full.len() * CHUNK + self.last.capacity();
        entries * size_of::<Entry<S>>() + self.full.capacity() * size_of::<Vec<Entry<S>>>()
    }

    /// The most bytes that a list of so many entries holds that was drained from another.
    pub(super) fn bytes_for(len: usize) -> usize {
        len * size_of::<Entry<S>>() + len / CHUNK * size_of::<Vec<Entry<S>>>()
    }

    /// No more than so many bytes are taken beside its own where so many entries are added.
    pub(super) fn growth(&self, added: usize) -> usize {
        let len = self.len() + added;
        // A chunk may be copied to a larger one.
        let entries = if len < CHUNK { 2 * len + 4 } else { added + 2 * CHUNK };
        let lists = 2 * (self.full.capacity() + added / CHUNK + 2);
        entries * size_of::<Entry<S>>() + lists * size_of::<Vec<Entry<S>>>()
    }

    /// Adds an entry; returns by how many bytes the list has grown.
    #[inline]
    pub(super) fn push(&mut self, entry: Entry<S>) -> usize {
        let grown = if self.is_full() { self.grow(self.len()) } else { 0 };
        self.last.push(entry);
        grown
    }

    /// Adds an entry to a list that has about as many as it will have: it grows by an eighth only.
    #[inline]
    pub(super) fn push_close(&mut self, entry: Entry<S>) -> usize {
        let grown = if self.is_full() { self.grow(self.len() / 8) } else { 0 };
        self.last.push(entry);
        grown
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.last.len() == self.last.capacity()
    }

    /// Makes room for about so many entries, no more than a chunk; returns by how many bytes the list has grown.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, added: usize) -> usize {
        let before = self.bytes();
        if self.last.len() >= CHUNK {
            self.full.push(std::mem::take(&mut self.last));
        }
        self.last.reserve_exact(added.max(4).min(CHUNK - self.last.len()));
        self.bytes() - before
    }

    /// Moves all entries of `other` to the end.
    pub(super) fn append(&mut self, other: Self) {
        for entry in other.into_chunks().flatten() {
            self.push(entry);
        }
    }

    /// Holds no more than it must.
    pub(super) fn shrink_to_fit(&mut self) {
        self.full.shrink_to_fit();
        self.last.shrink_to_fit();
    }

    /// Its chunks, in order.
    pub(super) fn into_chunks(self) -> Chunks<S> {
        Chunks { full: self.full.into_iter(), last: Some(self.last) }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry<S>> {
        self.full.iter().chain([&self.last]).flatten()
    }

    /// The entries with these numbers, in slices.
    pub(super) fn slices(&self, range: Range<usize>) -> impl Iterator<Item = &[Entry<S>]> {
        let chunks = self.full.iter().chain([&self.last]).enumerate().skip(range.start / CHUNK);
        chunks.map_while(move |(number, chunk)| {
            let at = number * CHUNK;
            let end = range.end.saturating_sub(at).min(chunk.len());
            let begin = range.start.saturating_sub(at);
            (begin < end).then(|| &chunk[begin..end])
        })
    }
}

/// What is left of the chunks of a list.
#[derive(Debug)]
pub(super) struct Chunks<S> {
    full: std::vec::IntoIter<Vec<Entry<S>>>,
    last: Option<Vec<Entry<S>>>,
}

impl<S> Chunks<S> {
    /// How many chunks are left.
    pub(super) fn count_left(&self) -> usize {
        self.full.len() + usize::from(self.last.is_some())
    }

    /// How many entries are left.
    pub(super) fn len(&self) -> usize {
        self.full.len() * CHUNK + self.last.as_ref().map_or(0, Vec::len)
    }
}

impl<S> Iterator for Chunks<S> {
    type Item = Vec<Entry<S>>;

    fn next(&mut self) -> Option<Vec<Entry<S>>> {
        self.full.next().or_else(|| self.last.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(len: usize) -> Entries<usize> {
        let mut list = Entries::new();
        let mut bytes = 0;
        for state in 0..len {
            let most = list.growth(1);
            let grown = list.push(Entry { state, parent: 0 });
            assert!(grown <= most, "{len}: {grown}, {most}");
            bytes += grown;
            assert_eq!(list.bytes(), bytes);
        }
        list
    }

    #[test]
    fn a_list_has_what_was_added_in_order() {
        for len in [0, 1, 5, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 4 * CHUNK + 7] {
            let mut list = list(len);
            assert_eq!(list.len(), len);
            assert!(list.iter().map(|entry| entry.state).eq(0..len));
            list.shrink_to_fit();
            let mut flat: Vec<_> = list.into_chunks().flatten().collect();
            assert_eq!(flat.len(), len);
            let drained = Entries::drain(&mut flat);
            assert!(flat.is_empty() && flat.capacity() >= len);
            assert_eq!(drained.len(), len);
            assert!(drained.bytes() <= Entries::<usize>::bytes_for(len));
            assert!(drained.iter().map(|entry| entry.state).eq(0..len));
            let mut both = super::tests::list(3);
            both.append(drained);
            assert!(both.iter().map(|entry| entry.state).eq((0..3).chain(0..len)));
        }
    }

    #[test]
    fn slices_are_those_of_the_range() {
        let list = list(2 * CHUNK + 9);
        for begin in [0, 1, CHUNK - 1, CHUNK, 2 * CHUNK, 2 * CHUNK + 8] {
            for end in [begin, begin + 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 9] {
                let states = list.slices(begin..end).flatten().map(|entry| entry.state);
                assert!(states.eq(begin..end), "{begin}..{end}");
            }
        }
    }

    #[test]
    fn chunks_count_what_is_left() {
        let mut chunks = list(CHUNK + 3).into_chunks();
        assert_eq!((chunks.count_left(), chunks.len()), (2, CHUNK + 3));
        assert_eq!(chunks.next().map(|chunk| chunk.len()), Some(CHUNK));
        assert_eq!((chunks.count_left(), chunks.len()), (1, 3));
        assert_eq!(chunks.next().map(|chunk| chunk.len()), Some(3));
        assert_eq!((chunks.count_left(), chunks.len()), (0, 0));
        assert!(chunks.next().is_none());
    }
}
