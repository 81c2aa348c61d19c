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
/// Beside every id stands a byte of the hash. Eight places make a group whose bytes are compared at a
/// glance, so that a state is nearly always found, or missed, without looking at any other. What looks
/// equal by its hash is compared as a whole: two states are never taken for one.
///
/// A state takes `size_of` an entry (state, g, h, parent) and 6.7 to 13.3 bytes of the table.
///
/// Source: open addressing with linear probing is Peterson, *Addressing for Random-Access Storage*,
/// 1957; comparing a group of tags at once is the Swiss table's (Kulukundis, 2017); ids into a list
/// of states, with what is known beside, are Fast Downward's (Helmert, 2006).
#[derive(Clone)]
pub struct HashedTable<S, C, B = FxBuildHasher> {
    entries: Vec<Entry<S, C>>,
    /// A power of two of groups.
    groups: Vec<Group>,
    /// By how much a hash is shifted so that as many bits are left as number the groups.
    shift: u32,
    /// The hashes of the states announced; 0 marks the grandparent.
    hashes: Vec<u64>,
    hasher: B,
}

#[derive(Clone, Debug)]
struct Entry<S, C> {
    state: S,
    node: Node<C>,
}

/// Places side by side, filled from the first on. A tag is 0 where the place is vacant, else part of
/// the hash of the state whose id stands there.
#[derive(Clone, Copy)]
struct Group {
    /// A byte for each place.
    tags: u64,
    ids: [StateId; GROUP],
}

const GROUP: usize = 8;

const VACANT: Group = Group { tags: 0, ids: [0; GROUP] };

const GRANDPARENT: u64 = 0;

/// Entries of so few bytes are mostly in the caches of the processor by themselves.
const CACHED: usize = 1 << 22;

impl Group {
    /// The places whose tag is `tag`, and perhaps some above them: a bit in the byte of each.
    #[inline]
    fn candidates(&self, tag: u8) -> u64 {
        zero_bytes(self.tags ^ (EACH * u64::from(tag)))
    }

    /// The first place that is vacant, if any is.
    #[inline]
    fn vacancy(&self) -> Option<usize> {
        let vacant = zero_bytes(self.tags);
        (vacant != 0).then_some(first_byte(vacant))
    }

    #[inline]
    fn fill(&mut self, place: usize, tag: u8, id: StateId) {
        self.tags |= u64::from(tag) << (8 * place);
        self.ids[place] = id;
    }
}

/// One in every byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// The highest bit of every byte of `word` that is zero, and perhaps of some above the first that is.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(EACH) & !word & (EACH << 7)
}

/// The byte in which the lowest bit set lies.
#[inline]
fn first_byte(bits: u64) -> usize {
    bits.trailing_zeros() as usize / 8
}

impl<S: Hash + Eq, C: Cost, B: BuildHasher> HashedTable<S, C, B> {
    /// An empty table with that hasher.
    #[must_use]
    pub fn with_hasher(hasher: B) -> Self {
        Self { entries: Vec::new(), groups: Vec::new(), shift: 0, hashes: Vec::new(), hasher }
    }

    /// The hash, mixed so that all bits depend on all bits. Its tag is never 0, nor is it.
    #[inline]
    fn hash(hasher: &B, state: &S) -> u64 {
        let hash = hasher.hash_one(state);
        (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 << 8
    }

    /// The group in which a hash is looked for first.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the bits that are left number a group")]
    fn home(&self, hash: u64) -> usize {
        // Never as much as the 64 bits that there are: wrapping spares a check.
        hash.wrapping_shr(self.shift) as usize
    }

    /// The tag of a state with this hash.
    #[inline]
    fn tag(hash: u64) -> u8 {
        hash.to_le_bytes()[1]
    }

    /// The id of a state, or the place where it is missing.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "most of the time of a search is spent here")]
    fn look_up(&self, hash: u64, state: &S) -> Result<StateId, usize> {
        let tag = Self::tag(hash);
        let mut number = self.home(hash);
        loop {
            let group = &self.groups[number];
            let mut candidates = group.candidates(tag);
            while candidates != 0 {
                let id = group.ids[first_byte(candidates)];
                // A place that only looks like a candidate may hold no id of this search.
                if self.entries.get(id as usize).is_some_and(|entry| entry.state == *state) {
                    return Ok(id);
                }
                candidates &= candidates - 1;
            }
            if let Some(place) = group.vacancy() {
                return Err(number * GROUP + place);
            }
            number = (number + 1) & (self.groups.len() - 1);
        }
    }

    /// Makes twice as many places, or the first ones.
    #[cold]
    #[inline(never)]
    fn spread(&mut self, states: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let places = (states + states / 3).next_power_of_two().max(64);
        if places > 1 << 32 {
            return Err(OutOfMemory);
        }
        let groups = memory.list(places / GROUP, VACANT)?;
        memory.free(std::mem::replace(&mut self.groups, groups));
        self.shift = 64 - self.groups.len().ilog2();
        let last = self.groups.len() - 1;
        for (id, entry) in (0..).zip(&self.entries) {
            let hash = Self::hash(&self.hasher, &entry.state);
            let mut number = self.home(hash);
            let place = loop {
                match self.groups[number].vacancy() {
                    Some(place) => break place,
                    None => number = (number + 1) & last,
                }
            };
            self.groups[number].fill(place, Self::tag(hash), id);
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
        if self.entries.len() < self.groups.len() / 2 {
            // Few places are taken: vacate those alone. The groups before that of a state are full, so
            // no id that an earlier search has left in them is met.
            let last = self.groups.len() - 1;
            for (id, entry) in (0..).zip(&self.entries) {
                let mut number = self.home(Self::hash(&self.hasher, &entry.state));
                let place = loop {
                    match self.groups[number].ids.iter().position(|&other| other == id) {
                        Some(place) => break place,
                        None => number = (number + 1) & last,
                    }
                };
                self.groups[number].tags &= !(0xFF << (8 * place));
            }
        } else {
            self.groups.fill(VACANT);
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
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.clear();
        let grandparent = self.entries.get(grandparent as usize).map(|entry| &entry.state);
        hashes.extend(states.map(|state| {
            let hash = Self::hash(&self.hasher, state);
            prefetch(&self.groups, self.home(hash));
            if grandparent == Some(state) { GRANDPARENT } else { hash }
        }));
        self.hashes = hashes;
        if self.entries.len() * size_of::<Entry<P::State, P::Cost>>() < CACHED {
            return;
        }
        for &hash in &self.hashes {
            if hash != GRANDPARENT {
                let group = &self.groups[self.home(hash)];
                let candidate = first_byte(group.candidates(Self::tag(hash))) % GROUP;
                prefetch(&self.entries, group.ids[candidate] as usize);
            }
        }
    }

    #[inline]
    fn find(
        &mut self,
        _problem: &P,
        nth: usize,
        state: &P::State,
        g: P::Cost,
    ) -> Lookup<'_, P::Cost> {
        let hash = self.hashes[nth];
        if hash == GRANDPARENT {
            return Lookup::NoCheaper;
        }
        match self.look_up(hash, state) {
            Ok(id) => match &mut self.entries[id as usize].node {
                node if g < node.g() => Lookup::Cheaper(id, node),
                _ => Lookup::NoCheaper,
            },
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
        self.groups[place / GROUP].fill(place % GROUP, Self::tag(self.hashes[nth]), id);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Successors;

    struct Numbers;

    impl SearchProblem for Numbers {
        type State = u64;
        type Action = ();
        type Cost = u8;
        fn successors(&self, _: &u64, _: &mut Successors<Self>) {}
        fn is_goal(&self, _: &u64) -> bool {
            false
        }
    }

    type Known = HashedTable<u64, u8>;

    fn reserve(table: &mut Known, states: usize, memory: &mut Memory) -> usize {
        Table::<Numbers>::reserve(table, &Numbers, states, memory).unwrap();
        table.groups.len() * GROUP
    }

    #[test]
    fn places_double_when_three_quarters_are_taken() {
        let mut table = Known::default();
        let mut memory = Memory::new(usize::MAX);
        let mut expected = 64;
        for state in 0..2000 {
            if (table.entries.len() + 1) * 4 > expected * 3 {
                expected *= 2;
            }
            assert_eq!(reserve(&mut table, 1, &mut memory), expected, "for {state} and one more");
            Table::<Numbers>::announce(&mut table, &Numbers, NO_STATE, [state].iter());
            let found = Table::<Numbers>::find(&mut table, &Numbers, 0, &state, 0);
            let Lookup::Vacant(place) = found else { panic!("{state} is known") };
            let node = Node::new(0, 0, NO_STATE);
            Table::<Numbers>::insert(&mut table, 0, place, state, node);
        }
        let hashes = table.hashes.capacity() * size_of::<u64>();
        let entries = table.entries.capacity() * size_of::<Entry<u64, u8>>();
        assert_eq!(memory.held(), size_of_val(&table.groups[..]) + hashes + entries);
    }

    #[test]
    fn all_at_once_takes_no_more_places_than_one_by_one() {
        for states in 0..1000 {
            let places = reserve(&mut Known::default(), states, &mut Memory::new(usize::MAX));
            assert!(states * 4 <= places * 3, "{places} places for {states}");
            assert!(places <= 64 || states * 8 > places * 3, "{places} places for {states}");
        }
    }
    #[test]
    fn nothing_is_left_of_what_is_cleared() {
        let mut table = Known::default();
        let mut memory = Memory::new(usize::MAX);
        // Few and many of the places that there are: they are vacated in different ways.
        for states in [300, 1, 9, 200, 30] {
            reserve(&mut table, states, &mut memory);
            let all: Vec<_> = (0..states as u64).collect();
            Table::<Numbers>::announce(&mut table, &Numbers, NO_STATE, all.iter());
            for (nth, &state) in all.iter().enumerate() {
                let found = Table::<Numbers>::find(&mut table, &Numbers, nth, &state, 0);
                let Lookup::Vacant(place) = found else { panic!("{state} is known") };
                let node = Node::new(0, 0, NO_STATE);
                Table::<Numbers>::insert(&mut table, nth, place, state, node);
            }
            assert_eq!(Table::<Numbers>::len(&table), states);
            Table::<Numbers>::clear(&mut table);
            assert!(table.groups.iter().all(|group| group.tags == 0), "after {states}");
            assert!(table.entries.is_empty());
        }
    }
}
