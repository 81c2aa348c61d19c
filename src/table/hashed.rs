//! A table for any state that can be hashed.

use std::fmt;
use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::{Lookup, NO_STATE, Node, StateId, Table};
use crate::cost::Cost;
use crate::limits::{Memory, OutOfMemory};
use crate::prefetch::prefetch;
use crate::problem::SearchProblem;

/// All states in one list, in the order in which they were found, and beside it an open-addressing
/// table of their ids.
///
/// An id needs only as many bits as the table has places; the other bits of a place hold part of the
/// hash. Eight places make a group that is compared at a glance, so that a state is nearly always
/// found, or missed, without looking at any other. What looks equal by its hash is compared as a
/// whole: two states are never taken for one.
///
/// A state takes `size_of` an entry (state, g, h, parent) and 5.3 to 10.7 bytes of the table.
///
/// Source: open addressing with linear probing is Peterson, *Addressing for Random-Access Storage*,
/// 1957; comparing a group of tags at once is the Swiss table's (Kulukundis, 2017); ids into a list
/// of states, with what is known beside, are Fast Downward's (Helmert, 2006).
pub struct HashedTable<S, C, B = FxBuildHasher> {
    entries: Vec<Entry<S, C>>,
    /// A power of two of groups.
    groups: Vec<Group>,
    /// The binary logarithm of the number of places, eight to a group.
    bits: u32,
    /// The hashes of the states announced; 0 marks the grandparent.
    hashes: Vec<u64>,
    hasher: B,
}

#[derive(Debug)]
struct Entry<S, C> {
    state: S,
    node: Node<C>,
}

/// Places side by side: 0 where vacant, else `id + 1` in the lowest bits and part of the hash above.
/// They are filled from the first on, and never lie across two cache lines.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Group([u32; GROUP]);

const GROUP: usize = 8;

const GRANDPARENT: u64 = 0;

impl Group {
    /// A bit for every place whose content agrees with `content` in the bits of `mask`.
    #[inline]
    fn matching(&self, content: u32, mask: u32) -> u32 {
        let mut bits = 0;
        for (i, place) in self.0.iter().enumerate() {
            bits |= u32::from((place ^ content) & mask == 0) << i;
        }
        bits
    }

    /// The first place that is vacant, if any is.
    #[inline]
    fn vacancy(&self) -> Option<usize> {
        let vacant = self.matching(0, u32::MAX);
        (vacant != 0).then_some(vacant.trailing_zeros() as usize)
    }
}

impl<S: Hash + Eq, C: Cost, B: BuildHasher> HashedTable<S, C, B> {
    /// An empty table with that hasher.
    #[must_use]
    pub fn with_hasher(hasher: B) -> Self {
        Self { entries: Vec::new(), groups: Vec::new(), bits: 0, hashes: Vec::new(), hasher }
    }

    /// The hash, mixed so that all bits depend on all bits, and never 0.
    #[inline]
    fn hash(hasher: &B, state: &S) -> u64 {
        let hash = hasher.hash_one(state);
        (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15).max(1)
    }

    /// The group in which a hash is looked for first.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (hash >> 32 >> (32 - (self.bits - GROUP.ilog2()))) as usize
    }

    /// What the place of a state with this hash has above the id.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "any bits below those of home() will do")]
    fn tag(&self, hash: u64) -> u32 {
        ((hash >> 8) as u32) << self.bits
    }

    #[inline]
    fn id_mask(&self) -> u32 {
        (1 << self.bits) - 1
    }

    /// The id of a state, or the place where it is missing.
    #[inline]
    fn look_up(&self, hash: u64, state: &S) -> Result<StateId, usize> {
        let tag = self.tag(hash);
        let mut number = self.home(hash);
        loop {
            let group = &self.groups[number];
            // A place that only looks like it is vacant has no id, and is not taken for one.
            let mut candidates = group.matching(tag, !self.id_mask());
            let vacancy = group.vacancy();
            while candidates != 0 {
                let content = group.0[candidates.trailing_zeros() as usize];
                let id = (content & self.id_mask()).wrapping_sub(1);
                if self.entries.get(id as usize).is_some_and(|entry| entry.state == *state) {
                    return Ok(id);
                }
                candidates &= candidates - 1;
            }
            if let Some(place) = vacancy {
                return Err(number * GROUP + place);
            }
            number = (number + 1) & (self.groups.len() - 1);
        }
    }

    /// Makes twice as many places, or the first ones.
    #[cold]
    #[inline(never)]
    fn spread(&mut self, states: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let places = (states + states / 3 + 1).next_power_of_two().max(64);
        if places > 1 << 31 {
            return Err(OutOfMemory);
        }
        let groups = memory.list(places / GROUP, Group([0; GROUP]))?;
        memory.free(std::mem::replace(&mut self.groups, groups));
        self.bits = places.trailing_zeros();
        let last = self.groups.len() - 1;
        for (id, entry) in (1..).zip(&self.entries) {
            let hash = Self::hash(&self.hasher, &entry.state);
            let mut number = self.home(hash);
            let place = loop {
                match self.groups[number].vacancy() {
                    Some(place) => break place,
                    None => number = (number + 1) & last,
                }
            };
            self.groups[number].0[place] = self.tag(hash) | id;
        }
        Ok(())
    }
}

impl<S: Hash + Eq, C: Cost, B: BuildHasher + Default> Default for HashedTable<S, C, B> {
    fn default() -> Self {
        Self::with_hasher(B::default())
    }
}

impl<P, B> Table<P> for HashedTable<P::State, P::Cost, B>
where
    P: SearchProblem,
    B: BuildHasher,
{
    #[inline]
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn clear(&mut self) {
        if self.entries.len() < self.groups.len() {
            // Few places are taken: vacate those alone.
            let (last, mask) = (self.groups.len() - 1, self.id_mask());
            for (id, entry) in (1..).zip(&self.entries) {
                let mut number = self.home(Self::hash(&self.hasher, &entry.state));
                let place = loop {
                    let found = self.groups[number].matching(id, mask);
                    if found != 0 {
                        break found.trailing_zeros() as usize;
                    }
                    number = (number + 1) & last;
                };
                self.groups[number].0[place] = 0;
            }
        } else {
            self.groups.fill(Group([0; GROUP]));
        }
        self.entries.clear();
    }

    #[inline]
    fn reserve(
        &mut self,
        _problem: &P,
        additional: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        let states = self.entries.len() + additional;
        if states >= NO_STATE as usize {
            return Err(OutOfMemory);
        }
        self.hashes.clear();
        memory.reserve(&mut self.hashes, additional)?;
        memory.reserve(&mut self.entries, additional)?;
        // At most three quarters of the places are taken.
        if states > self.groups.len() * (GROUP * 3 / 4) {
            self.spread(states, memory)
        } else {
            Ok(())
        }
    }

    #[inline]
    fn announce<'s>(
        &mut self,
        _problem: &P,
        grandparent: StateId,
        states: impl Iterator<Item = &'s P::State>,
    ) where
        P::State: 's,
    {
        self.hashes.clear();
        let grandparent = self.entries.get(grandparent as usize).map(|entry| &entry.state);
        for state in states {
            if grandparent == Some(state) {
                self.hashes.push(GRANDPARENT);
            } else {
                let hash = Self::hash(&self.hasher, state);
                prefetch(&self.groups, self.home(hash));
                self.hashes.push(hash);
            }
        }
        for &hash in &self.hashes {
            if hash != GRANDPARENT {
                let group = &self.groups[self.home(hash)];
                let candidates = group.matching(self.tag(hash), !self.id_mask());
                let content = group.0[candidates.trailing_zeros() as usize % GROUP];
                prefetch(&self.entries, (content & self.id_mask()) as usize);
            }
        }
    }

    #[inline]
    fn find(&mut self, _problem: &P, nth: usize, state: &P::State) -> Lookup<'_, P::Cost> {
        let hash = self.hashes[nth];
        if hash == GRANDPARENT {
            return Lookup::Grandparent;
        }
        match self.look_up(hash, state) {
            Ok(id) => Lookup::Known(id, &mut self.entries[id as usize].node),
            Err(place) => Lookup::Vacant(place),
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "reserve() keeps ids below NO_STATE")]
    fn insert(
        &mut self,
        nth: usize,
        place: usize,
        state: P::State,
        node: Node<P::Cost>,
    ) -> StateId {
        let id = self.entries.len() as StateId;
        self.groups[place / GROUP].0[place % GROUP] = self.tag(self.hashes[nth]) | (id + 1);
        self.entries.push(Entry { state, node });
        id
    }

    fn id_of(&self, _problem: &P, state: &P::State) -> Option<StateId> {
        if self.entries.is_empty() {
            return None;
        }
        self.look_up(Self::hash(&self.hasher, state), state).ok()
    }

    #[inline]
    fn node(&self, id: StateId) -> &Node<P::Cost> {
        &self.entries[id as usize].node
    }

    #[inline]
    fn node_mut(&mut self, id: StateId) -> &mut Node<P::Cost> {
        &mut self.entries[id as usize].node
    }

    #[inline]
    fn with_state<R>(&self, _problem: &P, id: StateId, look: impl FnOnce(&P::State) -> R) -> R {
        look(&self.entries[id as usize].state)
    }

    #[inline]
    fn prefetch(&self, id: StateId) {
        prefetch(&self.entries, id as usize);
    }

    fn for_each(&self, _problem: &P, mut visit: impl FnMut(&P::State, &Node<P::Cost>)) {
        for entry in &self.entries {
            visit(&entry.state, &entry.node);
        }
    }
}

impl<S, C, B> fmt::Debug for HashedTable<S, C, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HashedTable")
            .field("states", &self.entries.len())
            .field("places", &(self.groups.len() * GROUP))
            .finish_non_exhaustive()
    }
}
