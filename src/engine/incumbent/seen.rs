//! [`Seen`]: states that were probably met before.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHasher;

/// The hashes of the states that were met last, shared by threads. It forgets some, and takes states with equal
/// hashes for one: so its answers may decide what is worth doing, and nothing else.
pub(super) struct Seen {
    /// A hash at a place that follows from it; none, or a power of two.
    hashes: Vec<AtomicU64>,
    /// Differs from one pass to the next.
    pass: u64,
}

/// An odd number with no regular bits.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Seen {
    pub(super) fn new() -> Self {
        Self { hashes: Vec::new(), pass: 1 }
    }

    /// Makes room for `hashes` hashes, if there is none yet and the system has the memory.
    pub(super) fn make_room(&mut self, hashes: usize) {
        if self.hashes.is_empty()
            && hashes > 1
            && self.hashes.try_reserve_exact(hashes.next_power_of_two()).is_ok()
        {
            self.hashes.resize_with(hashes.next_power_of_two(), || AtomicU64::new(0));
        }
    }

    /// Whether a state was probably met before in this pass; if not, it is from now on.
    pub(super) fn meet(&self, state: &impl Hash) -> bool {
        if self.hashes.is_empty() {
            return false;
        }
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        let hash = (hasher.finish() ^ self.pass).wrapping_mul(FACTOR);
        // The upper bits depend on all of the hash.
        let place = (hash >> 32) as usize & (self.hashes.len() - 1);
        self.hashes[place].swap(hash, Ordering::Relaxed) == hash
    }

    /// Forgets all states.
    pub(super) fn begin_pass(&mut self) {
        self.pass = self.pass.wrapping_mul(FACTOR).wrapping_add(1);
    }

    pub(super) fn bytes(&self) -> usize {
        self.hashes.capacity() * size_of::<AtomicU64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_met_once_in_each_pass() {
        let mut seen = Seen::new();
        assert!(!seen.meet(&7) && !seen.meet(&7), "without room nothing is known");
        seen.make_room(1000);
        assert_eq!(seen.bytes(), 1024 * 8);
        for _ in 0..3 {
            let again = (0..100_u32).filter(|state| seen.meet(state)).count();
            assert_eq!(again, 0);
            let again = (0..100_u32).filter(|state| seen.meet(state)).count();
            assert!(again > 80, "{again}: few have the same place");
            seen.begin_pass();
        }
    }
}
