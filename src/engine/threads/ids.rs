//! Ids of states of all shards.

use super::owner_of;
use crate::table::StateId;
use std::hash::Hash;

/// Which shard, of how many.
///
/// A state has a *local* id in the table of its shard and a *global* id, which says also which shard that is. The
/// parents in records are global ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Place {
    /// The number of the shard.
    pub(in crate::engine) shard: u32,
    /// The number of all shards.
    pub(in crate::engine) shards: u32,
}

impl Place {
    /// The shard that owns a state.
    #[inline]
    pub(in crate::engine) fn owner_of<S: Hash>(self, state: &S) -> usize {
        owner_of(state, self.shards) as usize
    }

    /// The global id of a state of this shard.
    #[inline]
    pub(in crate::engine) fn global<I: StateId>(self, local: I) -> I {
        I::from_index(local.index() * self.shards as usize + self.shard as usize)
    }

    /// The most states that this shard can number.
    #[inline]
    pub(in crate::engine) fn most_states<I: StateId>(self) -> usize {
        I::NONE.index() / self.shards as usize
    }
}

/// Which of `shards` shards has the state with this global id, and the state's local id.
#[inline]
pub(in crate::engine) fn located<I: StateId>(global: I, shards: u32) -> (usize, I) {
    let (index, shards) = (global.index(), shards as usize);
    (index % shards, I::from_index(index / shards))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn global_ids_lead_back_to_their_shard() {
        for shards in [1, 3, 16] {
            for shard in 0..shards {
                let place = Place { shard, shards };
                let last = place.most_states::<u32>() - 1;
                for local in [0, 1, 77, last] {
                    let global = place.global(u32::from_index(local));
                    assert!(global < u32::NONE);
                    assert_eq!(located(global, shards), (shard as usize, u32::from_index(local)));
                }
            }
        }
    }
}
