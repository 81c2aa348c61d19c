//! Which shard a state belongs to.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// The hash of a state that says who owns it. It is the same for equal states in every run, on every thread, and on
/// every machine with pointers of the same size.
#[inline]
pub(super) fn owner_hash<S: Hash>(state: &S) -> u64 {
    let hash = FxBuildHasher.hash_one(state);
    // Mixed by another factor than in the tables, or the states of one shard would share a part of their table.
    (hash ^ (hash >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// Which of `shards` shards owns a state.
#[cfg(any(feature = "parallel", test))]
#[inline]
pub(in crate::engine) fn owner_of<S: Hash>(state: &S, shards: u32) -> u32 {
    // The product of two numbers of 32 bits, whose upper half is less than `shards`.
    let product = (owner_hash(state) >> 32) * u64::from(shards);
    u32::try_from(product >> 32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::owner_of;

    #[test]
    fn shards_own_about_as_many_states_each() {
        let mut owned = [0_u32; 7];
        for state in 0..70_000_u64 {
            owned[owner_of(&(state * 16), 7) as usize] += 1;
        }
        assert!(owned.iter().all(|count| (9_000..11_000).contains(count)), "{owned:?}");
    }
}
