//! [`Entry`]: a state in an open or closed list, and [`Entries`], a list of them.

use std::hash::Hash;

use super::super::owner::owner_hash;
use super::fault::DiskFaultKind;
use crate::encode::Encode;

/// A state, and where to look for its parent. Its g and h are those of the list that it is in.
#[derive(Clone, Debug)]
pub(super) struct Entry<S> {
    pub(super) state: S,
    /// The [mark](mark_of) of its parent.
    pub(super) parent: u16,
}

/// 16 bits of the hash of a state. The upper ones say which shard owns it.
#[inline]
pub(super) fn mark_of(hash: u64) -> u16 {
    (hash >> 48) as u16
}

/// The shard, of 2 to the power of `bits`, of a state with this mark.
#[inline]
pub(super) fn shard_of(mark: u16, bits: u32) -> usize {
    usize::from(mark) >> (16 - bits)
}

/// More shards than this are not told apart by a mark.
pub(super) const MOST_BITS: u32 = 16;

#[inline]
pub(super) fn hash_of<S: Hash>(state: &S) -> u64 {
    owner_hash(state)
}

/// Where a state with this hash belongs in a table of a shard: bits that no mark has.
#[inline]
pub(super) fn slot_of(hash: u64) -> usize {
    (hash >> 16) as usize & 0xFFFF_FFFF
}

impl<S: Encode> Entry<S> {
    /// The bytes of an entry in a file.
    pub(super) const BYTES: usize = S::BYTES + 2;

    #[inline]
    pub(super) fn write(&self, bytes: &mut [u8]) {
        let (state, parent) = bytes.split_at_mut(S::BYTES);
        self.state.encode(state);
        parent.copy_from_slice(&self.parent.to_le_bytes());
    }

    #[inline]
    pub(super) fn read(bytes: &[u8]) -> Result<Self, DiskFaultKind> {
        let (state, parent) = bytes.split_at(S::BYTES);
        let state = S::decode(state).map_err(|_| DiskFaultKind::Value)?;
        let mut mark = [0; 2];
        mark.copy_from_slice(parent);
        Ok(Self { state, parent: u16::from_le_bytes(mark) })
    }
}

/// A list of entries in chunks, so that it grows without being copied.
#[derive(Debug)]
pub(super) struct Entries<S> {
    chunks: Vec<Vec<Entry<S>>>,
    len: usize,
    bytes: usize,
}

/// A chunk grows up to so many entries.
pub(super) const CHUNK: usize = 512;

impl<S> Entries<S> {
    pub(super) fn new() -> Self {
        Self { chunks: Vec::new(), len: 0, bytes: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.chunks.capacity() * size_of::<Vec<Entry<S>>>()
    }

    /// Adds an entry; returns by how many bytes the list has grown.
    #[inline]
    pub(super) fn push(&mut self, entry: Entry<S>) -> usize {
        self.len += 1;
        match self.chunks.last_mut() {
            Some(last) if last.len() < last.capacity() => {
                last.push(entry);
                0
            }
            _ => self.push_on(entry),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_on(&mut self, entry: Entry<S>) -> usize {
        let before = self.bytes();
        // Small lists grow as others do; later a chunk follows another.
        let mut chunk = match self.chunks.pop() {
            Some(last) if last.capacity() < CHUNK => last,
            last => {
                self.chunks.extend(last);
                Vec::new()
            }
        };
        let size = size_of::<Entry<S>>();
        self.bytes -= chunk.capacity() * size;
        chunk.reserve_exact(self.len.clamp(4, CHUNK) - chunk.len().min(3));
        self.bytes += chunk.capacity() * size;
        chunk.push(entry);
        self.chunks.push(chunk);
        self.bytes() - before
    }

    /// The bytes of the list of chunks.
    pub(super) fn lists(&self) -> usize {
        self.chunks.capacity() * size_of::<Vec<Entry<S>>>()
    }

    /// No more than so many bytes are taken beside its own where it is added to another list with so many entries, and so
    /// many bytes of a list of chunks.
    pub(super) fn growth_of(&self, len: usize, lists: usize) -> usize {
        let chunk = (2 * (len + self.len) + 4).min(2 * CHUNK) * size_of::<Entry<S>>();
        chunk + 2 * (lists + self.lists())
    }

    /// Moves all entries of `other` to the end.
    pub(super) fn append(&mut self, other: &mut Self) {
        for chunk in other.take_chunks() {
            if chunk.len() >= CHUNK / 2 {
                self.len += chunk.len();
                self.bytes += chunk.capacity() * size_of::<Entry<S>>();
                self.chunks.push(chunk);
            } else {
                for entry in chunk {
                    self.push(entry);
                }
            }
        }
    }

    /// Removes all chunks.
    pub(super) fn take_chunks(&mut self) -> std::vec::IntoIter<Vec<Entry<S>>> {
        (self.len, self.bytes) = (0, 0);
        std::mem::take(&mut self.chunks).into_iter()
    }

    /// Removes the first chunks that have no more than `most` entries together, at least one.
    pub(super) fn take_first(&mut self, most: usize) -> Vec<Vec<Entry<S>>> {
        let mut count = 0;
        let chunks = self.chunks.iter().take_while(|chunk| {
            let is_first = count == 0;
            count += chunk.len();
            is_first || count <= most
        });
        let chunks = chunks.count();
        let taken: Vec<_> = self.chunks.drain(..chunks).collect();
        for chunk in &taken {
            self.len -= chunk.len();
            self.bytes -= chunk.capacity() * size_of::<Entry<S>>();
        }
        taken
    }

    /// Puts chunks back that were taken from the front.
    pub(super) fn put_back(&mut self, chunks: Vec<Vec<Entry<S>>>) {
        for chunk in &chunks {
            self.len += chunk.len();
            self.bytes += chunk.capacity() * size_of::<Entry<S>>();
        }
        self.chunks.splice(..0, chunks);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry<S>> {
        self.chunks.iter().flatten()
    }
}
