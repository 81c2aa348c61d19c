//! [`Entries`]: a list of entries in chunks.
//!
//! All long lists are made of blocks of one size. What one list frees has room for another, so the allocator of the system
//! keeps hardly more than is in use.

use std::ops::Range;

use super::block::Block;
use super::entry::Entry;

/// A chunk has this many entries, the last of a list at most as many.
pub(super) const CHUNK: usize = 512;

/// A list of entries in chunks, so that it grows without being copied.
#[derive(Debug)]
pub(super) struct Entries<S> {
    /// Chunks of [`CHUNK`] entries.
    full: Vec<Block<S>>,
    /// Those after them, no more than [`CHUNK`].
    last: Block<S>,
}

impl<S> Entries<S> {
    pub(super) fn new() -> Self {
        Self { full: Vec::new(), last: Block::new() }
    }

    /// A list for about `expected` entries. Takes an `empty` chunk if there is one.
    pub(super) fn with_capacity(expected: usize, empty: &mut EmptyChunks<S>) -> Self {
        let full = Vec::with_capacity(expected / CHUNK);
        let chunk = if expected < CHUNK { None } else { empty.take() };
        Self { full, last: chunk.unwrap_or_else(|| Block::with_capacity(expected.min(CHUNK))) }
    }

    /// Moves entries from the end to whole chunks of a new list, and leaves no more than a chunk. Takes `empty` chunks while
    /// there are any.
    pub(super) fn drain_chunks(entries: &mut Block<S>, empty: &mut EmptyChunks<S>) -> Self {
        let count = entries.len().saturating_sub(1) / CHUNK;
        let mut full = Vec::with_capacity(count);
        let (mut states, mut parents) = entries.drain_from(entries.len() - count * CHUNK);
        for _ in 0..count {
            let mut chunk = empty.take().unwrap_or_else(|| Block::with_capacity(CHUNK));
            chunk.extend(states.by_ref().take(CHUNK), parents.by_ref().take(CHUNK));
            full.push(chunk);
        }
        Self { full, last: Block::new() }
    }

    /// Moves these entries, no more than a chunk, to the end of a list of whole chunks.
    pub(super) fn drain_last(&mut self, entries: &mut Block<S>) {
        self.last = Block::with_capacity(entries.len());
        self.last.append(entries);
    }

    pub(super) fn len(&self) -> usize {
        self.full.len() * CHUNK + self.last.len()
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let entries = self.full.len() * CHUNK + self.last.capacity();
        entries * Entry::<S>::IN_MEMORY + self.full.capacity() * size_of::<Block<S>>()
    }

    /// The most bytes that a list of `len` entries that was drained from another holds.
    pub(super) fn bytes_for(len: usize) -> usize {
        len * Entry::<S>::IN_MEMORY + len / CHUNK * size_of::<Block<S>>()
    }

    /// An upper bound on the bytes that are taken beside its own if another is linked to it, those of its chunks included.
    pub(super) fn growth_by(&self, other: &Self) -> usize {
        // A chunk may be copied to a larger one.
        let entries =
            other.full.len() * CHUNK + 2 * CHUNK.min(2 * (self.last.len() + other.last.len()));
        let lists = 2 * (self.full.capacity() + other.full.len() + 2);
        entries * Entry::<S>::IN_MEMORY + lists * size_of::<Block<S>>()
    }

    /// Adds an entry; returns by how many bytes the list has grown.
    #[inline]
    pub(super) fn push(&mut self, entry: Entry<S>) -> usize {
        self.push_from(entry, &mut EmptyChunks::new())
    }

    /// Adds an entry, and takes `empty` chunks while there are any.
    #[inline]
    pub(super) fn push_from(&mut self, entry: Entry<S>, empty: &mut EmptyChunks<S>) -> usize {
        let grown = if self.is_full() { self.grow(self.len(), empty) } else { 0 };
        self.last.push(entry);
        grown
    }

    /// Adds an entry to a list that has about as many as it will have: it grows by a fourth only. Takes `empty`
    /// chunks while there are any.
    #[inline]
    pub(super) fn push_close(&mut self, entry: Entry<S>, empty: &mut EmptyChunks<S>) -> usize {
        let grown = if self.is_full() { self.grow(self.len() / 4, empty) } else { 0 };
        self.last.push(entry);
        grown
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.last.len() == self.last.capacity()
    }

    /// Makes room for about `added` more entries, no more than a chunk; returns by how many bytes the list has grown.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, added: usize, empty: &mut EmptyChunks<S>) -> usize {
        let before = self.bytes();
        if self.last.len() >= CHUNK {
            self.full.push(std::mem::replace(&mut self.last, Block::new()));
        }
        let len = self.last.len();
        let added = added.max(4).min(CHUNK - len);
        if len + added == CHUNK
            && let Some(mut chunk) = empty.take()
        {
            chunk.append(&mut self.last);
            self.last = chunk;
        } else {
            self.last.reserve_exact(added);
        }
        self.bytes() - before
    }

    /// Moves all entries of `other` to the end.
    pub(super) fn append(&mut self, other: Self) {
        for mut chunk in other.into_chunks() {
            for entry in chunk.drain() {
                self.push(entry);
            }
        }
    }

    /// Moves all entries of `other` to it, whole chunks without being copied, and leaves it the memory of the others. Returns
    /// by how many bytes the list has grown.
    pub(super) fn link(&mut self, other: &mut Self) -> usize {
        let before = self.bytes();
        self.full.append(&mut other.full);
        let (room, len) = (CHUNK - self.last.len(), other.last.len());
        if len > room {
            self.last.reserve_exact(room);
            self.last.append_range(&mut other.last, len - room..len);
            self.full.push(std::mem::replace(&mut self.last, Block::new()));
        }
        let (len, added) = (self.last.len(), other.last.len());
        if added > self.last.capacity() - len {
            self.last.reserve_exact(added.max(len).min(CHUNK - len));
        }
        self.last.append(&mut other.last);
        self.bytes() - before
    }

    /// Removes all entries, and keeps the memory of those that are not in whole chunks.
    pub(super) fn clear(&mut self) {
        self.full.clear();
        self.last.truncate(0);
    }

    /// Holds no more than it must.
    pub(super) fn shrink_to_fit(&mut self) {
        self.full.shrink_to_fit();
        self.last.shrink_to_fit();
    }

    /// Its chunks, in order.
    pub(super) fn into_chunks(self) -> Chunks<S> {
        let list = self.full.capacity() * size_of::<Block<S>>();
        Chunks { full: self.full.into_iter(), last: Some(self.last), list }
    }

    /// Its states, each with the mark of its parent.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&S, u16)> {
        self.full.iter().chain([&self.last]).flat_map(Block::iter)
    }

    /// The states with these numbers, in slices.
    pub(super) fn slices(&self, range: Range<usize>) -> impl Iterator<Item = &[S]> {
        let chunks = self.full.iter().chain([&self.last]).enumerate().skip(range.start / CHUNK);
        chunks.map_while(move |(number, chunk)| {
            let at = number * CHUNK;
            let end = range.end.saturating_sub(at).min(chunk.len());
            let begin = range.start.saturating_sub(at);
            (begin < end).then(|| &chunk.states()[begin..end])
        })
    }
}

/// What is left of the chunks of a list.
#[derive(Debug)]
pub(super) struct Chunks<S> {
    full: std::vec::IntoIter<Block<S>>,
    last: Option<Block<S>>,
    /// The bytes of the list of chunks.
    list: usize,
}

impl<S> Chunks<S> {
    /// How many chunks are left.
    pub(super) fn count_left(&self) -> usize {
        self.full.len() + usize::from(self.last.is_some())
    }

    /// How many entries are left.
    pub(super) fn len(&self) -> usize {
        self.full.len() * CHUNK + self.last.as_ref().map_or(0, Block::len)
    }

    /// The bytes that they hold.
    pub(super) fn bytes(&self) -> usize {
        let entries = self.full.len() * CHUNK + self.last.as_ref().map_or(0, Block::capacity);
        entries * Entry::<S>::IN_MEMORY + self.list
    }

    /// Takes the first `count` of them, or all.
    pub(super) fn split(&mut self, count: usize) -> Self {
        if count >= self.count_left() {
            return std::mem::replace(self, Self::none());
        }
        let full: Vec<_> = self.full.by_ref().take(count).collect();
        let list = full.capacity() * size_of::<Block<S>>();
        Self { full: full.into_iter(), last: None, list }
    }

    pub(super) fn none() -> Self {
        Self { full: Vec::new().into_iter(), last: None, list: 0 }
    }
}

impl<S> Iterator for Chunks<S> {
    type Item = Block<S>;

    fn next(&mut self) -> Option<Block<S>> {
        self.full.next().or_else(|| self.last.take())
    }
}

/// Chunks without entries, whose memory is used again by any list and any thread.
///
/// The allocator of the system keeps what one thread has freed for the lists of that thread, perhaps for ever.
#[derive(Debug)]
pub(super) struct EmptyChunks<S>(Vec<Block<S>>);

impl<S> EmptyChunks<S> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// The bytes of one of them.
    pub(super) const EACH: usize = CHUNK * Entry::<S>::IN_MEMORY + size_of::<Block<S>>();

    /// The bytes that they hold.
    pub(super) fn bytes(&self) -> usize {
        let list = (self.0.capacity() - self.0.len()) * size_of::<Block<S>>();
        self.0.len() * Self::EACH + list
    }

    /// Keeps a chunk whose entries are not needed any more, unless it is the last of a list, which may be smaller.
    pub(super) fn keep(&mut self, mut chunk: Block<S>) {
        if chunk.capacity() == CHUNK {
            chunk.truncate(0);
            self.0.push(chunk);
        }
    }

    pub(super) fn take(&mut self) -> Option<Block<S>> {
        self.0.pop()
    }

    /// Takes over all others.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.0.append(&mut other.0);
    }

    /// Takes over `count` of others, or all if they have fewer.
    pub(super) fn take_from(&mut self, others: &mut Self, count: usize) {
        self.0.extend(others.0.drain(others.0.len().saturating_sub(count)..));
    }

    /// Frees those that are beyond `most` bytes.
    pub(super) fn shrink(&mut self, most: usize) {
        if self.bytes() > most {
            self.0.truncate(most / Self::EACH);
            self.0.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(len: usize) -> Entries<usize> {
        let mut list = Entries::new();
        let mut bytes = 0;
        for state in 0..len {
            bytes += list.push(Entry { state, parent: 0 });
            assert_eq!(list.bytes(), bytes);
        }
        list
    }

    #[test]
    fn linked_lists_have_all_entries_and_no_more_bytes_than_expected() {
        for len in [0, 1, 5, 300, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let mut all = Entries::new();
            for (round, added) in [0, 7, 300, CHUNK, CHUNK + 300, 3 * CHUNK].into_iter().enumerate()
            {
                let (mut linked, mut other) = (list(len), list(added));
                let (before, most, chunks) =
                    (linked.bytes(), linked.growth_by(&other), other.full.len());
                let grown = linked.link(&mut other);
                assert_eq!(linked.bytes(), before + grown);
                assert!(grown <= most, "{len}, {added}: {grown}, {most}");
                assert_eq!((linked.len(), other.len()), (len + added, 0));
                assert!(
                    chunks == 0 || other.last.capacity() > 0,
                    "it keeps the memory of the last"
                );
                let mut states: Vec<_> = linked.iter().map(|(&state, _)| state).collect();
                states.sort_unstable();
                let mut expected: Vec<_> = (0..len).chain(0..added).collect();
                expected.sort_unstable();
                assert_eq!(states, expected);
                all.link(&mut linked);
                assert_eq!(
                    all.len(),
                    (0..=round)
                        .map(|round| len + [0, 7, 300, CHUNK, CHUNK + 300, 3 * CHUNK][round])
                        .sum::<usize>()
                );
            }
        }
    }

    #[test]
    fn empty_chunks_are_used_again() {
        let mut empty = EmptyChunks::new();
        empty.keep(Block::with_capacity(CHUNK));
        empty.keep(Block::with_capacity(CHUNK));
        empty.keep(Block::with_capacity(7));
        assert_eq!(empty.0.len(), 2);
        let mut list = Entries::new();
        for state in 0..2 * CHUNK {
            list.push_from(Entry { state, parent: 0 }, &mut empty);
        }
        assert!(empty.take().is_none());
        let mut flat = Block::new();
        list.into_chunks().for_each(|mut chunk| {
            flat.append(&mut chunk);
            empty.keep(chunk);
        });
        let mut drained = Entries::drain_chunks(&mut flat, &mut empty);
        drained.drain_last(&mut flat);
        assert_eq!((drained.len(), empty.0.len()), (2 * CHUNK, 1));
        let mut others = EmptyChunks::new();
        others.take_from(&mut empty, 2);
        assert_eq!((others.0.len(), empty.0.len()), (1, 0));
        others.shrink(others.bytes() - 1);
        assert_eq!(others.bytes(), EmptyChunks::<usize>::EACH);
        others.shrink(EmptyChunks::<usize>::EACH - 1);
        assert_eq!(others.bytes(), 0);
    }

    #[test]
    fn a_list_has_what_was_added_in_order() {
        for len in [0, 1, 5, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 4 * CHUNK + 7] {
            let mut list = list(len);
            assert_eq!(list.len(), len);
            assert!(list.iter().map(|(&state, _)| state).eq(0..len));
            list.shrink_to_fit();
            let mut flat = Block::with_capacity(len);
            list.into_chunks().for_each(|mut chunk| flat.append(&mut chunk));
            assert_eq!(flat.len(), len);
            let mut drained = Entries::drain_chunks(&mut flat, &mut EmptyChunks::new());
            let rest = flat.len();
            assert!(rest <= CHUNK && flat.states().iter().copied().eq(0..rest));
            drained.drain_last(&mut flat);
            assert!(flat.len() == 0 && flat.capacity() >= len);
            assert_eq!(drained.len(), len);
            assert!(drained.bytes() <= Entries::<usize>::bytes_for(len));
            assert!(drained.iter().map(|(&state, _)| state).eq((rest..len).chain(0..rest)));
            let mut both = super::tests::list(3);
            both.append(drained);
            assert!(
                both.iter().map(|(&state, _)| state).eq((0..3).chain(rest..len).chain(0..rest))
            );
        }
    }

    #[test]
    fn slices_are_those_of_the_range() {
        let list = list(2 * CHUNK + 9);
        for begin in [0, 1, CHUNK - 1, CHUNK, 2 * CHUNK, 2 * CHUNK + 8] {
            for end in [begin, begin + 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 9] {
                let states = list.slices(begin..end).flatten().copied();
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
