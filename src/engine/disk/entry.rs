//! [`Entry`]: a state in an open or closed list.

use std::hash::Hash;

use super::super::owner::owner_hash;
use crate::disk_fault::DiskFaultKind;
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
    (hash >> 16 & 0xFFFF_FFFF) as usize
}

impl<S> Entry<S> {
    /// The bytes of an entry in memory.
    pub(super) const IN_MEMORY: usize = size_of::<S>() + size_of::<u16>();
}

impl<S: Encode> Entry<S> {
    /// The bytes of an entry in a file.
    pub(super) const BYTES: usize = S::BYTES + 2;

    #[inline]
    pub(super) fn write((state, parent): (&S, u16), bytes: &mut [u8]) {
        let (first, last) = bytes.split_at_mut(S::BYTES);
        state.encode(first);
        last.copy_from_slice(&parent.to_le_bytes());
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
