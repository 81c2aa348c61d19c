//! A table for any state that can be hashed.

use std::fmt;
use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::{Distance, Lookup, NO_STATE, Node, StateId, Table};
use crate::cost::Cost;
use crate::limits::{Memory, OutOfMemory};
use crate::prefetch::prefetch;
use crate::problem::SearchProblem;

/// All states in one list, in the order in which they were found, and beside it an open-addressing
/// table of their ids.
///
/// Beside every id stands a byte of the hash. Six places make a group, which lies in one line of the
/// processor's cache and whose bytes are compared at a glance, so that a state is nearly always found,
/// or missed, without looking at any other. What looks equal by its hash is compared as a whole: two
/// states are never taken for one.
///
/// A state takes `size_of` an entry (state, g, h, parent) and 8 to 16 bytes of the table.
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
#[repr(align(32))]
struct Group {
    /// A byte for each place.
    tags: u64,
    ids: [StateId; GROUP],
}

const GROUP: usize = 6;

/// A place is told by the number of its group and, in so many bits, by its number in there.
const PLACE_BITS: u32 = 3;

/// So many states at most to a group, on average: with more, too many groups are full.
const LOAD: usize = 4;

const VACANT: Group = Group { tags: 0, ids: [0; GROUP] };

/// Entries of so few bytes stay in the caches of the processor by themselves.
const CACHED: usize = 1 << 20;

impl Group {
    /// The places whose tag is `tag`, and perhaps some above them: a bit in the byte of each.
    #[inline]
    fn candidates(&self, tag: u8) -> u64 {
        let different = self.tags ^ (EACH * u64::from(tag));
        different.wrapping_sub(EACH) & self.tags & (EACH << 7)
    }

    /// The first place that is vacant, if any is.
    #[inline]
    fn vacancy(&self) -> Option<usize> {
        let taken = (u64::BITS - self.tags.leading_zeros()).div_ceil(8) as usize;
        (taken < GROUP).then_some(taken)
    }

    #[inline]
    fn fill(&mut self, place: usize, tag: u8, id: StateId) {
        self.tags |= u64::from(tag) << (8 * place);
        self.ids[place] = id;
    }
}

/// One in the byte of every place.
const EACH: u64 = 0x0101_0101_0101;

/// The byte in which the lowest bit set lies.
#[inline]
fn first(bits: u64) -> usize {
    bits.trailing_zeros() as usize / 8
}

impl<S: Hash + Eq, C: Cost, B: BuildHasher> HashedTable<S, C, B> {
    /// An empty table with that hasher.
    #[must_use]
    pub fn with_hasher(hasher: B) -> Self {
        Self { entries: Vec::new(), groups: Vec::new(), shift: 0, hasher }
    }

    /// The hash, mixed so that all bits depend on all bits. Its tag is never 0.
    #[inline]
    fn hash(hasher: &B, state: &S) -> u64 {
        let hash = hasher.hash_one(state);
        (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 << 15
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
                let id = group.ids[first(candidates)];
                // A place that only looks like a candidate may hold no id of this search.
                if self.entries.get(id as usize).is_some_and(|entry| entry.state == *state) {
                    return Ok(id);
                }
                candidates &= candidates - 1;
            }
            if let Some(place) = group.vacancy() {
                return Err(number << PLACE_BITS | place);
            }
            number = (number + 1) & (self.groups.len() - 1);
        }
    }

    /// Makes twice as many places, or the first ones.
    #[cold]
    #[inline(never)]
    fn spread(&mut self, states: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let groups = states.div_ceil(LOAD).next_power_of_two().max(16);
        let missing = groups - self.groups.len();
        memory.reserve(&mut self.groups, missing)?;
        self.groups.clear();
        self.groups.resize(groups, VACANT);
        self.shift = 64 - self.groups.len().ilog2();
        let last = self.groups.len() - 1;
        let mut id = 0;
        // Some at a time, so that their groups can be fetched together.
        let mut hashes = [0; 16];
        for entries in self.entries.chunks(hashes.len()) {
            for (hash, entry) in hashes.iter_mut().zip(entries) {
                *hash = Self::hash(&self.hasher, &entry.state);
                prefetch(&self.groups, self.home(*hash));
            }
            for &hash in &hashes[..entries.len()] {
                let mut number = self.home(hash);
                let place = loop {
                    match self.groups[number].vacancy() {
                        Some(place) => break place,
                        None => number = (number + 1) & last,
                    }
                };
                self.groups[number].fill(place, Self::tag(hash), id);
                id += 1;
            }
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
    /// The hash.
    type Key = u64;

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
        memory.reserve(&mut self.entries, additional)?;
        if states > self.groups.len() * LOAD { self.spread(states, memory) } else { Ok(()) }
    }

    #[inline]
    fn distance(&self) -> Distance {
        let is_near = self.entries.len() * size_of::<Entry<P::State, P::Cost>>() < CACHED;
        if is_near { Distance::Near } else { Distance::Scattered }
    }

    #[inline]
    fn key(&self, _problem: &P, state: &P::State) -> u64 {
        Self::hash(&self.hasher, state)
    }

    #[inline]
    fn fetch(&self, hash: u64) {
        prefetch(&self.groups, self.home(hash));
    }

    #[inline]
    fn approach(&self, hash: u64) {
        let Some(group) = self.groups.get(self.home(hash)) else { return };
        let candidates = group.candidates(Self::tag(hash));
        if candidates != 0 {
            prefetch(&self.entries, group.ids[first(candidates)] as usize);
        }
    }

    #[inline]
    fn find(&self, hash: u64, state: &P::State, g: P::Cost) -> Lookup {
        match self.look_up(hash, state) {
            Ok(id) if g < self.entries[id as usize].node.g() => Lookup::Cheaper(id),
            Ok(_) => Lookup::NoCheaper,
            Err(place) => Lookup::Vacant(place),
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "reserve() keeps ids below NO_STATE")]
    fn insert(&mut self, hash: u64, place: usize, state: P::State, node: Node<P::Cost>) -> StateId {
        let id = self.entries.len() as StateId;
        let (number, place) = (place >> PLACE_BITS, place & ((1 << PLACE_BITS) - 1));
        self.groups[number].fill(place, Self::tag(hash), id);
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
        table.groups.len()
    }

    /// Stores a state that is not stored, for which there is room.
    fn add(table: &mut Known, state: u64) {
        let key = Table::<Numbers>::key(table, &Numbers, &state);
        let found = Table::<Numbers>::find(table, key, &state, 0);
        let Lookup::Vacant(place) = found else { panic!("{state} is known") };
        let node = Node::new(0, 0, NO_STATE);
        Table::<Numbers>::insert(table, key, place, state, node);
    }

    #[test]
    fn groups_double_when_two_thirds_of_their_places_are_taken() {
        let mut table = Known::default();
        let mut memory = Memory::new(usize::MAX);
        let mut expected = 16;
        for state in 0..2000 {
            if (table.entries.len() + 1) * 3 > expected * GROUP * 2 {
                expected *= 2;
            }
            assert_eq!(reserve(&mut table, 1, &mut memory), expected, "for {state} and one more");
            add(&mut table, state);
        }
        let entries = table.entries.capacity() * size_of::<Entry<u64, u8>>();
        assert_eq!(memory.held(), size_of_val(&table.groups[..]) + entries);
    }

    #[test]
    fn all_at_once_takes_no_more_groups_than_one_by_one() {
        for states in 0..1000 {
            let groups = reserve(&mut Known::default(), states, &mut Memory::new(usize::MAX));
            assert!(states <= groups * LOAD, "{groups} groups for {states}");
            assert!(groups <= 16 || states * 2 > groups * LOAD, "{groups} groups for {states}");
        }
    }

    #[test]
    fn nothing_is_left_of_what_is_cleared() {
        let mut table = Known::default();
        let mut memory = Memory::new(usize::MAX);
        // Few and many of the places that there are: they are vacated in different ways.
        for states in [300, 1, 9, 200, 30] {
            reserve(&mut table, states, &mut memory);
            (0..states as u64).for_each(|state| add(&mut table, state));
            assert_eq!(Table::<Numbers>::len(&table), states);
            Table::<Numbers>::clear(&mut table);
            assert!(table.groups.iter().all(|group| group.tags == 0), "after {states}");
            assert!(table.entries.is_empty());
        }
    }

    /// The entries of a table that takes more than the caches hold are asked for early.
    #[test]
    fn a_table_is_near_while_it_is_small() {
        let mut table = Known::default();
        let most = CACHED / size_of::<Entry<u64, u8>>();
        assert!((1 << 14..1 << 18).contains(&most));
        reserve(&mut table, most, &mut Memory::new(usize::MAX));
        for state in 0..most as u64 {
            assert_eq!(Table::<Numbers>::distance(&table), Distance::Near);
            add(&mut table, state);
        }
        assert_eq!(Table::<Numbers>::distance(&table), Distance::Scattered);
    }
}
