//! A table for any state that can be hashed.

use std::fmt;
use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::{Lookup, NO_STATE, Node, StateId, Table};
use crate::cost::Cost;
use crate::limits::{Memory, OutOfMemory};
use crate::prefetch::prefetch;
use crate::problem::SearchProblem;
use crate::report::SearchError;

/// All states in one list, in the order in which they were found, and beside it an open-addressing
/// table of their ids.
///
/// An id needs only as many bits as the table has places; the other bits of a place hold part of the
/// hash, so that a place that belongs to another state is nearly always passed over without looking
/// at that state. What looks equal by its hash is compared as a whole: two states are never taken
/// for one.
///
/// A state takes `size_of` an entry (state, g, h, parent) and 5.3 to 10.7 bytes of the table.
///
/// Source: linear probing is Peterson, *Addressing for Random-Access Storage*, 1957; ids into an
/// arena, with side tables, are Fast Downward's (Helmert, 2006).
pub struct HashedTable<S, C, B = FxBuildHasher> {
    entries: Vec<Entry<S, C>>,
    /// 0 where vacant, else `id + 1` in the lowest `bits` bits and part of the hash above.
    places: Vec<u32>,
    /// The binary logarithm of the number of places.
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

const GRANDPARENT: u64 = 0;

impl<S: Hash + Eq, C: Cost, B: BuildHasher> HashedTable<S, C, B> {
    /// An empty table with that hasher.
    #[must_use]
    pub fn with_hasher(hasher: B) -> Self {
        Self { entries: Vec::new(), places: Vec::new(), bits: 0, hashes: Vec::new(), hasher }
    }

    /// The hash, mixed so that all bits depend on all bits, and never 0.
    #[inline]
    fn hash(hasher: &B, state: &S) -> u64 {
        let hash = hasher.hash_one(state);
        (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15).max(1)
    }

    /// Where a hash is looked for first.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most 31 bits are left")]
    fn home(&self, hash: u64) -> usize {
        (hash >> (64 - self.bits)) as usize
    }

    /// What the place of a state with this hash has above the id.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "any 32 bits below those of home() will do"
    )]
    fn tag(&self, hash: u64) -> u32 {
        ((hash >> 8) as u32) << self.bits
    }

    #[inline]
    fn id_mask(&self) -> u32 {
        (1 << self.bits) - 1
    }

    /// The first place from `hash`'s home on that is vacant or may hold the state by its tag.
    #[inline]
    fn probe(&self, mut place: usize, tag: u32) -> (usize, u32) {
        let last = self.places.len() - 1;
        loop {
            let content = self.places[place];
            if content == 0 || (content ^ tag) & !self.id_mask() == 0 {
                return (place, content);
            }
            place = (place + 1) & last;
        }
    }

    #[inline]
    fn look_up(&self, hash: u64, state: &S) -> Lookup {
        let (mut place, tag) = (self.home(hash), self.tag(hash));
        loop {
            let (stop, content) = self.probe(place, tag);
            if content == 0 {
                return Lookup::Vacant(stop);
            }
            let id = (content & self.id_mask()) - 1;
            if self.entries[id as usize].state == *state {
                return Lookup::Known(id);
            }
            place = (stop + 1) & (self.places.len() - 1);
        }
    }

    /// Doubles the number of places, or makes the first ones.
    #[cold]
    #[inline(never)]
    fn spread(&mut self, states: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let count = (states + states / 3 + 1).next_power_of_two().max(64);
        if count > 1 << 31 {
            return Err(OutOfMemory);
        }
        let places = memory.list(count, 0)?;
        memory.free(std::mem::replace(&mut self.places, places));
        self.bits = count.trailing_zeros();
        let last = count - 1;
        for (id, entry) in (1..).zip(&self.entries) {
            let hash = Self::hash(&self.hasher, &entry.state);
            let mut place = self.home(hash);
            while self.places[place] != 0 {
                place = (place + 1) & last;
            }
            self.places[place] = self.tag(hash) | id;
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
        if self.entries.len() < self.places.len() / 16 {
            // Few places are taken: vacate those alone.
            let (last, mask) = (self.places.len() - 1, self.id_mask());
            for (id, entry) in (1..).zip(&self.entries) {
                let mut place = self.home(Self::hash(&self.hasher, &entry.state));
                while self.places[place] & mask != id {
                    place = (place + 1) & last;
                }
                self.places[place] = 0;
            }
        } else {
            self.places.fill(0);
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
        if states > self.places.len() / 4 * 3 { self.spread(states, memory) } else { Ok(()) }
    }

    #[inline]
    fn announce<'s>(
        &mut self,
        _problem: &P,
        grandparent: StateId,
        states: impl Iterator<Item = &'s P::State>,
    ) -> Result<(), SearchError<P::Cost>>
    where
        P::State: 's,
    {
        self.hashes.clear();
        let grandparent = self.entries.get(grandparent as usize).map(|entry| &entry.state);
        for state in states {
            if grandparent == Some(state) {
                self.hashes.push(GRANDPARENT);
            } else {
                let hash = Self::hash(&self.hasher, state);
                prefetch(&self.places, self.home(hash));
                self.hashes.push(hash);
            }
        }
        for &hash in &self.hashes {
            if hash != GRANDPARENT {
                let (_, content) = self.probe(self.home(hash), self.tag(hash));
                prefetch(&self.entries, ((content & self.id_mask()) as usize).wrapping_sub(1));
            }
        }
        Ok(())
    }

    #[inline]
    fn find(&self, nth: usize, state: &P::State) -> Lookup {
        match self.hashes[nth] {
            GRANDPARENT => Lookup::Grandparent,
            hash => self.look_up(hash, state),
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
        self.places[place] = self.tag(self.hashes[nth]) | (id + 1);
        self.entries.push(Entry { state, node });
        id
    }

    fn id_of(&self, _problem: &P, state: &P::State) -> Option<StateId> {
        if self.entries.is_empty() {
            return None;
        }
        match self.look_up(Self::hash(&self.hasher, state), state) {
            Lookup::Known(id) => Some(id),
            _ => None,
        }
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
            .field("places", &self.places.len())
            .finish_non_exhaustive()
    }
}
