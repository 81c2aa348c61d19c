//! A table for hashable states.

use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::mem::{needs_drop, take};

use rustc_hash::FxBuildHasher;

use super::IdParts;
use super::coordinates::{Coordinates, MOST, Point};
use super::numbers::{FEWEST, Late, Numbering, Numbers, may_be_one, number};
use super::{BareRecord, CacheResidency, Full, Lookup, Record, StateId, Table, WithoutParents};
use crate::cost::PackedCost;
use crate::debug::show_fields;
use crate::indexed::{at, at_mut};
use crate::memory::Memory;
use crate::prefetch::prefetch;

/// A table for hashable states: one list of all states and their records, in the order in
/// which the states were reached, and an open-addressing hash table of their ids.
///
/// Each id has a tag, a byte of the hash. Six ids form a group, which (if ids have 32 bits) lies in one
/// cache line, and whose tags are compared at once. So a lookup nearly always compares at most one
/// state. States with equal tags are compared by `==`, so different states are never confused.
///
/// A state takes the size of an entry (the state and its record) and 8 to 16 bytes of the hash table, 16 to
/// 32 if ids have 64 bits; twice as much in tables of up to 65,536 states. A thread keeps 4 kB (8 kB) of the hash table of one
/// small table that is dropped, for the next.
///
/// States that are integers are found by these instead of their hashes once there are dozens or thousands of them: neighbours in
/// the graph are then neighbours in memory. Few of the groups stay in use; up to 16,384 of them keep their memory.
///
/// - **One integer**: states that hash as one `u8`, `u16`, `u32` or `usize`, as the nodes of a graph do. They are found by a list
///   of ids that is indexed by the integer. It is begun at 64 states or more (at 16 after an expansion that stores hundreds),
///   while their entries take less than 8 MB, if the largest integer is less than 1,024 or than eight times the number of states.
/// - **Two to six integers**: states such as a cell `(x, y)` (not `[x, y]`, which hashes as bytes), or a cell with a direction
///   and a number of steps. They are found by a box around them. It is begun at 16,384 states or more (in [`bfs`](crate::bfs)
///   and [`BreadthFirst`](crate::BreadthFirst) at 512 if they are two integers, otherwise at 4,096; the last parameter says
///   which). More than 65,536 states whose entries take 8 MB are found so only if steps are short: at least seven of eight steps
///   on the paths found change no integer by more than 16. (Tables without parents do not know how long steps are.) An eighth of
///   the states may have another count of integers, as the start often has.
///
/// | by | memory with ids of 32 bits |
/// |---|---|
/// | a list | 5 to 80 bytes for each state, the most just after it has grown, or up to 12 kB |
/// | a box | 4 bytes for each place, of which there are at most half a million and eight for each state, or four for each where steps are short; two boxes while it grows |
///
/// This is decided whenever there are too few places for more states.
///
/// The ids are those of the record `R`: `u32` for up to 2³¹ − 1 states, or `u64`.
///
/// Source: open addressing with linear probing is Peterson, *Addressing for Random-Access Storage*,
/// 1957; the comparison of a group of tags at once is from the Swiss table (Kulukundis, 2017); ids into a list
/// of states with their data are from Fast Downward (Helmert, 2006).
#[derive(Clone)]
pub struct HashedTable<S, R: Record, B = FxBuildHasher, W = Late> {
    entries: Vec<Entry<S, R>>,
    /// The groups; their number is a power of two. There are none while states are found by several numbers, in tables that then
    /// [put the groups away](Self::PUTS_AWAY).
    groups: Groups<R::Id>,
    /// The groups that were put away, of the states that are found by their hashes meanwhile. A lookup need not ask for numbers
    /// while there are groups.
    groups_of_others: Vec<Group<R::Id>>,
    /// The number of bits by which a hash is shifted right to give the index of a group.
    shift: u32,
    hasher: B,
    /// The states that are found by their numbers, and not by the groups.
    numbers: Numbers<R::Id>,
    numbering: PhantomData<W>,
}

#[derive(Clone, Debug)]
struct Entry<S, R> {
    state: S,
    record: R,
}

/// A group of places, filled from the first on. The tag of a vacant place is 0; otherwise it is part of
/// the hash of the state with this id.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Group<I> {
    /// One byte for each place.
    tags: u64,
    ids: [I; GROUP],
}

/// The groups of a table. Those of a small one, when it is dropped, are kept for the next table of this thread: a short search would take
/// a considerable part of its time to ask the system's allocator for them and to give them back.
#[derive(Clone, Debug)]
pub struct Groups<I: StateId>(Vec<Group<I>>);

impl<I: StateId> Drop for Groups<I> {
    #[inline]
    fn drop(&mut self) {
        I::exchange_groups(&mut self.0, false);
    }
}

/// The mark of a slot that is the place of a number.
const BY_NUMBER: usize = 1 << (usize::BITS - 1);

const GROUP: usize = 6;

/// A slot is the index of a group, shifted left by this many bits, plus the lowest bit of the tag of a place in it. It never
/// has the mark of a number: a list of that many groups would have more than `isize::MAX` bytes.
const PLACE_BITS: u32 = 6;

/// The maximum average number of states in a group: with more, too many groups are full.
const LOAD: usize = 4;

/// A table that needs no more groups than this gets twice as many: rehashing takes a considerable part of a short
/// search, so it is done half as often there.
const FEW_GROUPS: usize = 1 << 14;

/// The smallest number of groups.
const FEWEST_GROUPS: usize = 64;

/// The number of groups before it is known whether states are numbers.
const FIRST_GROUPS: usize = 16;

/// The bytes of the first list of entries, which allocators provide in the least time. The next one has place for as many states as
/// the fewest groups.
const SMALL: usize = 1 << 10;

/// How many groups are kept: those of a new table.
pub const KEPT: usize = 2 * FEWEST_GROUPS;

/// Tables with fewer bytes of entries are not prefetched, even if they do not all fit into the processor's caches:
/// generating successors ahead of time costs time, and displaces other data from the caches.
const SCATTERED: usize = 8 << 20;

/// About this many states are asked how long the step to each is.
const SAMPLE: usize = 1 << 10;

/// States of at most `NUMBER` bytes are probably numbers, by which the problem looks up their successors in memory. The problem
/// is told which are expanded next in smaller tables, too: those of at least `ANNOUNCED` bytes of entries.
const NUMBER: usize = 8;
const ANNOUNCED: usize = 1 << 19;

impl<I: StateId> Group<I> {
    /// Returns a group of vacant places. No bit is set, so that many of them are made at once.
    #[inline]
    fn vacant() -> Self {
        Self { tags: 0, ids: [I::from_index(0); GROUP] }
    }

    /// Returns the places whose tag is `tag`, and perhaps some above them: one bit in the byte of each.
    #[inline]
    fn candidates(&self, tag: u8) -> u64 {
        let different = self.tags ^ (EACH * u64::from(tag));
        different.wrapping_sub(EACH) & self.tags & (EACH << 7)
    }

    /// Returns the lowest bit of the tag of the first vacant place, if any.
    #[inline]
    fn vacancy(&self) -> Option<usize> {
        // The bit above the highest one: that is set in every tag.
        let bit = (self.tags << 1 | 1).ilog2() as usize;
        (bit < 8 * GROUP).then_some(bit)
    }

    /// Fills the place whose tag has this lowest bit.
    #[inline]
    fn fill(&mut self, bit: usize, tag: u8, id: I) {
        self.tags |= u64::from(tag) << bit;
        self.ids[bit / 8] = id;
    }

    /// Fills the first vacant place; returns whether there is one.
    #[inline]
    fn add(&mut self, tag: u8, id: I) -> bool {
        let vacancy = self.vacancy();
        if let Some(bit) = vacancy {
            self.fill(bit, tag, id);
        }
        vacancy.is_some()
    }
}

/// The value 1 in the byte of every place.
const EACH: u64 = 0x0101_0101_0101;

/// One bit in the byte of the last place.
const EACH_LAST: u64 = 1 << (8 * (GROUP - 1));

/// Returns the index of the byte with the lowest set bit.
#[inline]
fn first(bits: u64) -> usize {
    bits.trailing_zeros() as usize / 8
}

/// Returns the group that is probed first for a hash.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the bits that are left number a group")]
fn home(hash: u64, shift: u32) -> usize {
    // The shift is always less than 64: wrapping saves a check.
    hash.wrapping_shr(shift) as usize
}

/// Returns the tag of a state with this hash; its highest bit is set.
#[inline]
fn tag(hash: u64) -> u8 {
    hash.to_le_bytes()[1]
}

impl<S: Hash + Eq, R: Record, B: BuildHasher> HashedTable<S, R, B> {
    /// Creates an empty table with this hasher.
    #[must_use]
    pub fn with_hasher(hasher: B) -> Self {
        Self::new(hasher)
    }
}

impl<S: Hash + Eq, R: Record, B: BuildHasher, W: Numbering> HashedTable<S, R, B, W> {
    fn new(hasher: B) -> Self {
        Self {
            entries: Vec::new(),
            groups: Groups(Vec::new()),
            groups_of_others: Vec::new(),
            shift: 0,
            hasher,
            numbers: Numbers::NONE,
            numbering: PhantomData,
        }
    }

    // Not generic over what is done with it, so that it is compiled once where nothing is optimised.
    pub(crate) fn state_at(&self, id: R::Id) -> &S {
        &at(&self.entries, id.index()).state
    }

    fn record_at(&mut self, id: R::Id) -> &mut R {
        &mut at_mut(&mut self.entries, id.index()).record
    }

    /// How many entries the first list has.
    const FEW: usize = SMALL / size_of::<Entry<S, R>>();

    /// Whether the problem is told which states are expanded next before they are generated ahead of time.
    const IS_ANNOUNCED: bool = size_of::<S>() <= NUMBER && !needs_drop::<S>();

    /// Whether a state, if it is numbers, is one.
    const IS_ONE: bool = may_be_one::<S>();

    /// Whether states may be numbers. What is done with these is not compiled for other types.
    const MAY_BE_NUMBERED: bool = size_of::<S>() <= MOST * NUMBER && !needs_drop::<S>();

    /// The smallest number of groups: fewer for states that may be one number each.
    const FIRST: usize =
        if Self::IS_ONE && Self::MAY_BE_NUMBERED { FIRST_GROUPS } else { FEWEST_GROUPS };

    /// How many states are known at least: enough if they are not one number each.
    const KNOWN: usize = if Self::FIRST < FEWEST_GROUPS { 0 } else { FEWEST };

    /// Whether states may be several numbers.
    const MAY_BE_SEVERAL: bool = Self::MAY_BE_NUMBERED && !Self::IS_ONE;

    /// Whether the groups are put away while states are found by several numbers, so that the search is not slower as long as there
    /// are none.
    const PUTS_AWAY: bool = Self::MAY_BE_SEVERAL && !W::IS_INLINE;

    /// Whether a state is one number, or several. The compiler knows which types are none, and leaves nothing of it there.
    #[inline]
    fn is_numbers(state: &S) -> bool {
        if Self::IS_ONE { number(state).is_some() } else { Point::of(state).is_some() }
    }

    /// How many states are found by their numbers.
    #[inline]
    fn numbered(&self) -> usize {
        if !Self::MAY_BE_NUMBERED {
            return 0;
        }
        // The compiler knows which types are no number, and leaves nothing of it there.
        let is_one = |entry: &Entry<S, R>| number(&entry.state).is_some();
        if Self::IS_ONE && !self.entries.first().is_some_and(is_one) {
            return 0;
        }
        self.numbers.count()
    }

    /// Whether most states are found by their numbers.
    #[inline]
    pub(crate) fn is_numbered(&self) -> bool {
        self.numbered() * 2 > self.entries.len()
    }

    /// For how many more states there is room without another [`reserve`](Table::reserve), at least.
    pub(crate) fn room(&self) -> usize {
        let stored = self.entries.len();
        let groups = self.groups.0.len() + self.groups_of_others.len();
        let places = (groups * LOAD + self.numbered()).saturating_sub(stored);
        let ids = (R::Id::NONE.index() - 1).saturating_sub(stored);
        places.min(ids).min(self.entries.capacity() - stored)
    }

    /// Finds the states by their numbers, if it can, and makes room for `additional` more; otherwise returns `None`, and nothing
    /// changes.
    #[cold]
    #[inline(never)]
    fn number_all(&mut self, additional: usize, memory: &mut Memory) -> Option<Result<(), Full>> {
        let Self { entries, numbers, .. } = self;
        let stored = entries.len();
        let is_large = stored * size_of::<Entry<S, R>>() >= SCATTERED;
        if Self::IS_ONE {
            let needed = Self::groups_for(additional);
            let number_at = |index: usize| number(&entries[index].state);
            if is_large
                || stored < FEWEST
                || self.groups.0.len() < needed
                || !R::Id::include_all(numbers, stored, &number_at, memory)
            {
                return None;
            }
            self.vacate(needed);
            return Some(Ok(()));
        }
        if stored < W::FEWEST {
            return None;
        }
        let point_at = |index: usize| Point::of(&entries[index].state);
        let parent_at = |index: usize| entries[index].record.parent().index();
        let short = has_short_steps(stored, &point_at, &parent_at);
        if (is_large && !short)
            || !R::Id::include_points(numbers, (stored, stored / 8), short, &point_at, memory)
        {
            return None;
        }
        Some(self.group_others(additional, memory))
    }

    /// Puts the states that are not found by their numbers into groups, and makes room for `additional` more.
    fn group_others(&mut self, additional: usize, memory: &mut Memory) -> Result<(), Full> {
        let others = self.entries.len() - self.numbers.count();
        let needed = Self::groups_for(additional + 2 * others);
        if self.groups.0.len() > needed.max(FEW_GROUPS) {
            memory.free(take(&mut self.groups.0));
        }
        if self.groups.0.len() < needed {
            // Without memory for these: all that were in groups still fit into them.
            let _ = R::Id::make_vacant(&mut self.groups, (needed, FEWEST), memory);
        }
        self.vacate(needed);
        self.fill_groups();
        if others + additional <= self.groups.0.len() * LOAD { Ok(()) } else { Err(Full::Memory) }
    }

    /// Returns the id of a state that is found by its numbers, or the slot where it would be inserted; `None` if it is in a
    /// group, or would be.
    #[inline]
    fn look_up_number(&self, state: &S) -> Option<Result<R::Id, usize>> {
        let place = if Self::IS_ONE {
            number(state)?
        } else {
            self.numbers.places.place(&Point::of(state)?)?
        };
        let id = *self.numbers.ids.get(place)?;
        match self.entries.get(id.index()) {
            Some(entry) if entry.state == *state => Some(Ok(id)),
            Some(_) => None,
            None => Some(Err(place | BY_NUMBER)),
        }
    }

    /// Guesses the id of the state with this hash, if it is stored, and prefetches its entry. No branch depends on the hash, as
    /// it would be unpredictable: where no state in the group may be it, the id is that of any other.
    #[inline]
    pub(crate) fn guess(&self, hash: u64) -> R::Id {
        let Some(group) = self.groups.0.get(self.home(hash)) else { return R::Id::NONE };
        let id = group.ids[first(group.candidates(tag(hash)) | EACH_LAST)];
        prefetch(&self.entries, id.index());
        id
    }

    /// Whether this is the id of the state.
    #[inline]
    pub(crate) fn is_at(&self, id: R::Id, state: &S) -> bool {
        self.entries.get(id.index()).is_some_and(|entry| entry.state == *state)
    }

    /// Returns the hash, mixed so that all bits depend on all bits. The highest bit of its tag is set.
    #[inline]
    fn hash(hasher: &B, state: &S) -> u64 {
        let hash = hasher.hash_one(state);
        (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 << 15
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        home(hash, self.shift)
    }

    /// Returns the id of a state, or the slot where it would be inserted.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "most of the time of a search is spent here")]
    fn look_up(&self, hash: u64, state: &S) -> Result<R::Id, usize> {
        if Self::MAY_BE_NUMBERED
            && !Self::PUTS_AWAY
            && (Self::IS_ONE || self.numbers.count() > 0)
            && let Some(found) = self.look_up_number(state)
        {
            return found;
        }
        if Self::PUTS_AWAY && self.groups.0.len() <= self.home(hash) {
            return self.look_up_elsewhere(hash, state);
        }
        self.look_up_in(&self.groups.0, hash, state)
    }

    /// The same where there are no groups: states are found by their numbers.
    #[inline(never)]
    fn look_up_elsewhere(&self, hash: u64, state: &S) -> Result<R::Id, usize> {
        self.look_up_number(state)
            .unwrap_or_else(|| self.look_up_in(&self.groups_of_others, hash, state))
    }

    /// The same of a state that is in one of these groups, or would be.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "most of the time of a search is spent here")]
    fn look_up_in(&self, groups: &[Group<R::Id>], hash: u64, state: &S) -> Result<R::Id, usize> {
        let tag = tag(hash);
        let mut number = self.home(hash);
        loop {
            let group = at(groups, number);
            let mut candidates = group.candidates(tag);
            while candidates != 0 {
                let id = group.ids[first(candidates)];
                // Every id is valid: this only leaves the code of a panic out.
                if self.entries.get(id.index()).is_some_and(|entry| entry.state == *state) {
                    return Ok(id);
                }
                candidates &= candidates - 1;
            }
            if let Some(bit) = group.vacancy() {
                return Err(number << PLACE_BITS | bit);
            }
            number = (number + 1) & (groups.len() - 1);
        }
    }

    /// Puts an id into the slot that was found for it where there are no groups.
    #[inline(never)]
    fn insert_elsewhere(&mut self, hash: u64, slot: usize, id: R::Id) {
        if slot & BY_NUMBER != 0 {
            self.numbers.insert(slot & !BY_NUMBER, id);
        } else if let Some(group) = self.groups_of_others.get_mut(slot >> PLACE_BITS) {
            group.fill(slot & ((1 << PLACE_BITS) - 1), tag(hash), id);
        }
    }

    /// Puts the groups back into their place.
    fn put_groups_back(&mut self) {
        // They may be there: the hash of a state may have panicked in between.
        if Self::PUTS_AWAY && self.groups.0.is_empty() {
            self.groups.0 = take(&mut self.groups_of_others);
        }
    }

    /// Returns the number of groups for `states` states.
    fn groups_for(states: usize) -> usize {
        states.div_ceil(LOAD).next_power_of_two().max(Self::FIRST)
    }

    fn set_shift(&mut self) {
        self.shift = if self.groups.0.is_empty() { 0 } else { 64 - self.groups.0.len().ilog2() };
    }

    /// Keeps at most `groups` groups, without ids.
    fn vacate(&mut self, groups: usize) {
        R::Id::vacate(&mut self.groups.0, groups);
        self.set_shift();
    }

    /// Grows to enough groups for `states` states.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, states: usize, memory: &mut Memory) -> Result<(), Full> {
        if Self::PUTS_AWAY && states - self.numbered() <= self.groups_of_others.len() * LOAD {
            return Ok(());
        }
        self.put_groups_back();
        let outcome = self.grow_groups(states, memory);
        if Self::PUTS_AWAY && self.numbers.count() > 0 {
            self.groups_of_others = take(&mut self.groups.0);
        }
        outcome
    }

    fn grow_groups(&mut self, states: usize, memory: &mut Memory) -> Result<(), Full> {
        if Self::MAY_BE_NUMBERED
            && let Some(outcome) = self.number_all(states - self.entries.len(), memory)
        {
            return outcome;
        }
        let needed = (Self::groups_for(states), self.entries.len().max(Self::KNOWN));
        let mut outcome = R::Id::make_vacant(&mut self.groups, needed, memory);
        if Self::MAY_BE_NUMBERED && outcome.is_none() && self.numbers.count() == 0 {
            // The list of an earlier search.
            memory.free(self.numbers.take());
            outcome = R::Id::make_vacant(&mut self.groups, needed, memory);
        }
        let Some(outcome) = outcome else { return Err(Full::Memory) };
        if Self::MAY_BE_NUMBERED && outcome.is_ok() {
            memory.free(self.numbers.take());
        }
        self.fill_groups();
        outcome
    }

    /// Inserts the ids of all entries that are not found by their numbers into the vacant groups.
    fn fill_groups(&mut self) {
        self.set_shift();
        let mut places =
            (self.groups.0.len() * LOAD).min(self.entries.len() - self.numbers.count());
        if places == 0 {
            return;
        }
        // In batches, so that their groups can be prefetched together.
        let (mut hashes, mut next) = ([0; BATCH], 0);
        let mut entries = &self.entries[..];
        while !entries.is_empty() {
            let mut count = 0;
            while count < BATCH
                && let [Entry { state, .. }, rest @ ..] = entries
            {
                // There are too few places only if the hashes of states change.
                let is_numbered = Self::MAY_BE_NUMBERED
                    && self.numbers.count() > 0
                    && self.look_up_number(state).is_some();
                hashes[count] = if is_numbered || places == 0 {
                    NUMBERED
                } else {
                    places -= 1;
                    let hash = Self::hash(&self.hasher, state);
                    prefetch(&self.groups.0, self.home(hash));
                    hash
                };
                count += 1;
                entries = rest;
            }
            R::Id::fill_groups(&mut self.groups.0, &hashes[..count], (self.shift, next));
            next += count;
        }
    }
}

/// Whether most steps on the paths to stored states are short, by a sample of them. What is looked up next is then mostly near in
/// memory, however large the table is. If there are so few that nothing depends on it, it is not found out.
fn has_short_steps(
    stored: usize,
    point_at: &dyn Fn(usize) -> Option<Point>,
    parent_at: &dyn Fn(usize) -> usize,
) -> bool {
    if Coordinates::is_small(stored) {
        return true;
    }
    let (mut short, mut all) = (0, 0);
    for index in (0..stored).step_by((stored / SAMPLE) | 1) {
        let parent = parent_at(index);
        if parent < stored
            && let (Some(from), Some(to)) = (point_at(parent), point_at(index))
        {
            short += usize::from(from.is_near(&to));
            all += 1;
        }
    }
    short * 8 > all * 7
}

/// How many states are hashed before their ids are put into the groups.
const BATCH: usize = 48;

/// Instead of the hash of a state that is found by its number. It has no tag: the place it is put into stays vacant.
const NUMBERED: u64 = 0;

/// Puts the ids from `next` on, of states with these hashes, into vacant places of their groups. There must be places.
pub fn fill_groups<I: StateId>(
    groups: &mut [Group<I>],
    hashes: &[u64],
    (shift, mut next): (u32, usize),
) {
    for &hash in hashes {
        let (tag, id) = (tag(hash), I::from_index(next));
        let mut number = home(hash, shift);
        while !at_mut(groups, number).add(tag, id) {
            number = (number + 1) & (groups.len() - 1);
        }
        next += 1;
    }
}

/// Keeps at most `most` groups, without ids.
pub fn vacate<I: StateId>(groups: &mut Vec<Group<I>>, most: usize) {
    groups.truncate(most);
    groups.fill(Group::vacant());
}

/// How many groups are cleared at once.
const PIECE: usize = 32;

/// Makes at least `needed` vacant groups, and no more if few states are known: it turns out with the next ones whether they are
/// numbers. Returns `None`, with nothing changed, if the limit does not allow them. If the system has no memory, there are as
/// many vacant groups as before, or none.
pub fn make_vacant<I: StateId>(
    groups: &mut Groups<I>,
    (needed, known): (usize, usize),
    memory: &mut Memory,
) -> Option<Result<(), Full>> {
    let is_first = known < FEWEST;
    let Groups(groups) = groups;
    // The groups are rebuilt from the entries, so the old ones are freed first.
    let before = groups.capacity() * size_of::<Group<I>>();
    let fits = |count: usize| count * size_of::<Group<I>>() <= memory.left() + before;
    let needed = if is_first { needed } else { needed.max(FEWEST_GROUPS) };
    let is_spacious = !is_first && needed <= FEW_GROUPS && fits(needed * 2);
    let mut count = if is_spacious { needed * 2 } else { needed };
    let mut outcome = Ok(());
    if count > groups.capacity() {
        if !fits(count) {
            return None;
        }
        let is_kept = count <= KEPT && fits(KEPT);
        let old = groups.len();
        memory.free(take(groups));
        if is_kept {
            I::exchange_groups(groups, true);
            // It fits.
            let _ = memory.claim(groups.capacity() * size_of::<Group<I>>());
        }
        let capacity = if is_kept { KEPT } else { count };
        if memory.reserve(groups, capacity).is_err() {
            // The old size should fit again. If it does not, the table has no groups until there is memory for them.
            outcome = Err(Full::Memory);
            count = if memory.reserve(groups, old).is_ok() { old } else { 0 };
        }
    }
    groups.clear();
    while groups.len() < count {
        // All at once takes as long as in pieces, but is done by one `rep stos`, each byte of which counts as an instruction where
        // these are counted.
        groups.resize_with(count.min(groups.len() + PIECE), Group::vacant);
    }
    Some(outcome)
}

impl<S, R, B, W> Default for HashedTable<S, R, B, W>
where
    S: Hash + Eq,
    R: Record,
    B: BuildHasher + Default,
    W: Numbering,
{
    fn default() -> Self {
        Self::new(B::default())
    }
}

impl<S, R, B, W> WithoutParents for HashedTable<S, R, B, W>
where
    S: Hash + Eq,
    R: Record<Cost: PackedCost>,
    B: BuildHasher,
    W: Numbering,
{
    type WithoutParents = HashedTable<S, BareRecord<R::Cost, R::Id>, B, W>;

    fn without_parents(self) -> Self::WithoutParents {
        HashedTable::new(self.hasher)
    }
}

impl<S, R, B, W> Table<S> for HashedTable<S, R, B, W>
where
    S: Hash + Eq,
    R: Record,
    B: BuildHasher,
    W: Numbering,
{
    type Record = R;

    /// The hash.
    type Key = u64;

    #[inline]
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn clear(&mut self) {
        // Keeps as many groups in use as the entries needed, so that clearing takes no longer than the search
        // that filled them. The memory of the others is kept.
        self.put_groups_back();
        self.numbers.clear();
        let groups = Self::groups_for(self.entries.len()).min(self.groups.0.len());
        self.vacate(groups);
        self.entries.clear();
    }

    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), Full> {
        let states = self.entries.len() + additional;
        if states >= R::Id::NONE.index() {
            return Err(Full::Ids { most: R::Id::NONE.to_u64() });
        }
        let first = if states <= Self::FEW { Self::FEW } else { FEWEST_GROUPS * LOAD };
        memory.reserve_from(&mut self.entries, additional, first)?;
        if states - self.numbered() > self.groups.0.len() * LOAD {
            self.grow(states, memory)
        } else {
            Ok(())
        }
    }

    #[inline]
    fn key(&self, state: &S) -> u64 {
        Self::hash(&self.hasher, state)
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "its result would go through memory, and then to a jump table"
    )]
    fn find(&self, hash: u64, state: &S, improves: impl Fn(&R) -> bool) -> Lookup<R::Id> {
        match self.look_up(hash, state) {
            Ok(id) if improves(&at(&self.entries, id.index()).record) => Lookup::Improved(id),
            Ok(_) => Lookup::NotImproved,
            Err(slot) => Lookup::Vacant(slot),
        }
    }

    #[inline]
    fn insert(&mut self, hash: u64, slot: usize, state: S, record: R) -> R::Id {
        let id = R::Id::from_index(self.entries.len());
        let may_be_here = Self::MAY_BE_NUMBERED && !Self::PUTS_AWAY;
        if may_be_here && slot & BY_NUMBER != 0 && Self::is_numbers(&state) {
            self.numbers.insert(slot & !BY_NUMBER, id);
        } else if let Some(group) = self.groups.0.get_mut(slot >> PLACE_BITS) {
            group.fill(slot & ((1 << PLACE_BITS) - 1), tag(hash), id);
        } else if Self::PUTS_AWAY {
            self.insert_elsewhere(hash, slot, id);
        }
        // A state that was a number when its slot was found, and is none now, is in neither list: it may come again.
        self.entries.push(Entry { state, record });
        id
    }

    fn id_of(&self, state: &S) -> Option<R::Id> {
        if self.groups.0.is_empty() && self.groups_of_others.is_empty() {
            return None;
        }
        self.look_up(Self::hash(&self.hasher, state), state).ok()
    }

    #[inline]
    fn load(&self, id: R::Id) -> R {
        at(&self.entries, id.index()).record
    }

    #[inline]
    fn store(&mut self, id: R::Id, record: R) {
        at_mut(&mut self.entries, id.index()).record = record;
    }

    #[inline]
    fn update<T>(&mut self, id: R::Id, change: impl FnOnce(&mut R) -> T) -> T {
        change(self.record_at(id))
    }

    #[inline]
    fn with_state<T>(&self, id: R::Id, look: impl FnOnce(&S) -> T) -> T {
        look(self.state_at(id))
    }

    fn for_each(&self, mut visit: impl FnMut(R::Id, &S, &R)) {
        let mut index = 0;
        while let Some(entry) = self.entries.get(index) {
            visit(R::Id::from_index(index), &entry.state, &entry.record);
            index += 1;
        }
    }

    #[inline]
    fn residency(&self) -> CacheResidency {
        match self.entries.len() * size_of::<Entry<S, R>>() {
            // The successors of states that are numbers have no slots that a key tells.
            SCATTERED.. if self.numbered() == 0 => CacheResidency::Scattered,
            ANNOUNCED.. if Self::IS_ANNOUNCED => CacheResidency::Local,
            _ => CacheResidency::Cached,
        }
    }

    #[inline]
    fn prefetch_slot(&self, hash: u64) {
        prefetch(&self.groups.0, self.home(hash));
    }

    #[inline]
    fn prefetch_entry(&self, hash: u64) {
        self.guess(hash);
    }

    #[inline]
    fn prefetch(&self, id: R::Id) {
        prefetch(&self.entries, id.index());
    }
}

show_fields! {
    [S, R: Record, B, W: Numbering] HashedTable<S, R, B, W>,
    "HashedTable" (this) { states = this.entries.len(), places = ((this.groups.0.len() + this.groups_of_others.len()) * GROUP + this.numbers.room()) }
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher;

    use super::super::numbers::Early;
    use super::*;
    use crate::table::EstimateRecord;

    type Table32 = HashedTable<u64, EstimateRecord<u8>>;

    fn reserve(table: &mut Table32, states: usize, memory: &mut Memory) -> usize {
        table.reserve(states, memory).unwrap();
        table.groups.0.len()
    }

    /// Stores a new state; capacity must have been reserved.
    fn add<I: StateId>(table: &mut HashedTable<u64, EstimateRecord<u8, I>>, state: u64) {
        let key = table.key(&state);
        let found = table.find(key, &state, |_| true);
        let Lookup::Vacant(slot) = found else { panic!("{state} is stored") };
        table.insert(key, slot, state, EstimateRecord::new(0, 0, I::NONE));
    }

    #[test]
    fn groups_grow_when_two_thirds_of_their_places_are_taken() {
        let mut table = Table32::default();
        let mut memory = Memory::new(usize::MAX);
        let mut expected = FIRST_GROUPS;
        for state in 0..200_000 {
            if (table.entries.len() + 1) * 3 > expected * GROUP * 2 {
                expected = match expected {
                    FIRST_GROUPS => 2 * FEWEST_GROUPS,
                    few if few < 2 * FEW_GROUPS => few * 4,
                    many => many * 2,
                };
            }
            assert_eq!(reserve(&mut table, 1, &mut memory), expected, "for {state} and one more");
            add(&mut table, state);
        }
        let entries = table.entries.capacity() * size_of::<Entry<u64, EstimateRecord<u8>>>();
        assert_eq!(memory.held(), size_of_val(&table.groups.0[..]) + entries);
        // States that are no numbers have as many at once.
        let mut table = HashedTable::<[u64; 2], EstimateRecord<u8>>::default();
        table.reserve(1, &mut memory).unwrap();
        assert_eq!(table.groups.0.len(), 2 * FEWEST_GROUPS);
    }

    #[test]
    fn groups_are_filled_from_the_first_place_on() {
        let mut groups = [Group::vacant(); 2];
        let mut hashes = [0x80, 0xFF, 0xA5, 0xC3, 0x81, 0xFE, 0x80].map(|tag: u64| tag << 8);
        hashes[3] = NUMBERED;
        fill_groups::<u32>(&mut groups, &hashes, (63, 10));
        // The fourth has no place.
        assert_eq!((groups[0].ids, groups[0].tags), ([10, 11, 12, 14, 15, 16], 0x80FE_81A5_FF80));
        assert_eq!((groups[0].vacancy(), groups[1].vacancy()), (None, Some(0)));
        fill_groups(&mut groups, &[0xC0 << 8, 0x80 << 8], (63, 17));
        assert_eq!((groups[1].ids[..2].to_vec(), groups[1].tags), (vec![17, 18], 0x80C0));
        assert_eq!((groups[0].tags, groups[1].vacancy()), (0x80FE_81A5_FF80, Some(16)));
        assert_eq!(groups[0].candidates(0x80).count_ones(), 2);
    }

    #[test]
    fn all_at_once_takes_no_more_groups_than_one_by_one() {
        for states in 0..1000 {
            let groups = reserve(&mut Table32::default(), states, &mut Memory::new(usize::MAX));
            assert!(states <= groups * LOAD, "{groups} groups for {states}");
            assert!(
                groups <= 2 * FEWEST_GROUPS || states * 4 > groups * LOAD,
                "{groups} groups for {states}"
            );
        }
    }

    #[test]
    fn a_cleared_table_holds_nothing() {
        let mut table = Table32::default();
        let mut memory = Memory::new(usize::MAX);
        for states in [300, 1, 9, 200, 30] {
            let held = memory.held();
            reserve(&mut table, states, &mut memory);
            assert!(held == 0 || memory.held() == held, "the memory of the first search is enough");
            (0..states as u64).for_each(|state| add(&mut table, state));
            assert_eq!(table.len(), states);
            assert!((0..states as u64).all(|state| table.id_of(&state).is_some()));
            table.clear();
            assert!(table.groups.0.iter().all(|group| group.tags == 0), "after {states}");
            assert!(
                table.groups.0.len() <= HashedTable::<u64, EstimateRecord<u8>>::groups_for(states)
            );
            assert!(table.is_empty() && table.id_of(&0).is_none());
        }
    }

    #[test]
    fn a_thread_keeps_the_groups_of_a_small_table_for_the_next() {
        let place = |table: &Table32| table.groups.0.as_ptr().addr();
        let mut memory = Memory::new(usize::MAX);
        let (mut first, mut second) = (Table32::default(), Table32::default());
        assert_eq!(reserve(&mut first, 1, &mut memory), FIRST_GROUPS);
        assert_eq!(first.groups.0.capacity(), KEPT);
        (0..60).for_each(|state| add(&mut first, state));
        let kept = place(&first);
        let held = memory.held();
        reserve(&mut second, 1, &mut memory);
        assert_ne!(place(&second), kept, "it is in use");
        drop(first);
        let mut third = Table32::default();
        let mut memory = Memory::new(usize::MAX);
        reserve(&mut third, 1, &mut memory);
        assert_eq!((place(&third), memory.held()), (kept, held), "what was kept counts");
        assert!(third.groups.0.iter().all(|group| group.tags == 0));
        // A table that grows leaves nothing: what it may hold is limited.
        reserve(&mut third, KEPT * LOAD + 1, &mut memory);
        let mut kept = Vec::new();
        u32::exchange_groups(&mut kept, true);
        assert_eq!(kept.capacity(), 0);
        // With less memory there are as many as are needed.
        let mut table = Table32::default();
        let mut little = Memory::new(KEPT * size_of::<Group<u32>>() / 2);
        assert_eq!(reserve(&mut table, 1, &mut little), FIRST_GROUPS);
        assert_eq!(table.groups.0.capacity(), FIRST_GROUPS);
        let too_little = Memory::new(FIRST_GROUPS * size_of::<Group<u32>>() / 2);
        assert!(Table32::default().reserve(1, &mut too_little.clone()).is_err());
    }

    #[test]
    fn a_small_list_of_entries_is_followed_by_one_for_the_fewest_groups() {
        let (mut table, mut memory) = (Table32::default(), Memory::new(usize::MAX));
        let few = SMALL / size_of::<Entry<u64, EstimateRecord<u8>>>();
        for state in 0..300 {
            reserve(&mut table, 1, &mut memory);
            let expected = [few, 256, 512].into_iter().find(|&most| state < most);
            assert_eq!(Some(table.entries.capacity()), expected, "for {state} and one more");
            add(&mut table, state as u64);
        }
    }

    #[test]
    fn groups_that_find_no_memory_are_made_again_later() {
        let mut table = Table32::default();
        let mut memory = Memory::new(usize::MAX);
        let states = (2 * FEWEST_GROUPS * LOAD) as u64;
        reserve(&mut table, 2 * FEWEST_GROUPS * LOAD, &mut memory);
        (0..states).for_each(|state| add(&mut table, state));
        table.entries.reserve(1000);
        memory.claim(table.entries.capacity() * 12).unwrap();
        memory.set_most(memory.held() + 100);
        assert_eq!(table.reserve(1, &mut memory), Err(Full::Memory));
        assert!((0..states).all(|state| table.id_of(&state).is_some()));
        memory.set_most(usize::MAX);
        assert_eq!(table.reserve(1, &mut memory), Ok(()));
        assert!((0..states).all(|state| table.id_of(&state).is_some()));
    }

    /// A state that hashes as a whole number, which others share.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Shared(u32);

    impl Hash for Shared {
        fn hash<H: Hasher>(&self, hasher: &mut H) {
            hasher.write_u32(self.0 / 4);
        }
    }

    type TableBy<S, W> = HashedTable<S, EstimateRecord<u8>, FxBuildHasher, W>;

    /// Stores states until one is stored that was not, or there is no memory; returns how many are stored.
    fn store_all<S: Hash + Eq + Copy, W: Numbering>(
        table: &mut TableBy<S, W>,
        states: &[S],
        memory: &mut Memory,
    ) -> usize {
        for (index, state) in states.iter().enumerate() {
            if table.reserve(1, memory).is_err() {
                return index;
            }
            let key = table.key(state);
            let Lookup::Vacant(slot) = table.find(key, state, |_| true) else { return index };
            let id = table.insert(key, slot, *state, EstimateRecord::new(0, 0, u32::NONE));
            assert_eq!(id.index(), index);
        }
        states.len()
    }

    fn are_stored<S: Hash + Eq, W: Numbering>(table: &TableBy<S, W>, states: &[S]) {
        for (index, state) in states.iter().enumerate() {
            assert_eq!(table.id_of(state), Some(u32::from_index(index)), "{index}");
        }
    }

    #[test]
    fn states_that_are_numbers_are_found_by_them() {
        let mut memory = Memory::new(usize::MAX);
        let mut table = HashedTable::<u32, EstimateRecord<u8>>::default();
        // From the middle outwards, as a search goes; then some that are far away, and more of them.
        let mut near: Vec<u32> = (0..30_000).collect();
        near.sort_unstable_by_key(|n| n.abs_diff(15_000));
        let far = (1..600).map(|n| n * 7_000_000);
        let all: Vec<u32> = near.iter().copied().chain(far).collect();
        for _ in 0..2 {
            assert_eq!(store_all(&mut table, &near, &mut memory), near.len());
            assert!(table.numbers.count() > near.len() - 300, "{}", table.numbers.count());
            assert!(table.groups.0.len() <= FEWEST_GROUPS);
            are_stored(&table, &near);
            assert_eq!([30_000, 9_999_999].map(|state| table.id_of(&state)), [None; 2]);
            table.clear();
            assert!(table.is_empty() && near.iter().all(|state| table.id_of(state).is_none()));
        }
        assert_eq!(store_all(&mut table, &all, &mut memory), all.len());
        are_stored(&table, &all);
        // Those that are far away are too many for the groups that were left.
        assert_eq!((table.numbers.count(), table.numbers.room()), (0, 0));
        let bytes = table.entries.capacity() * size_of::<Entry<u32, EstimateRecord<u8>>>()
            + table.groups.0.capacity() * size_of::<Group<u32>>();
        assert_eq!(memory.held(), bytes);
    }

    #[test]
    fn a_hundred_states_that_are_numbers_are_found_by_them() {
        fn check<S: Hash + Eq + Copy>(state: impl Fn(u32) -> S, together: usize) {
            let mut memory = Memory::new(usize::MAX);
            let mut table = TableBy::<S, Late>::default();
            let states: Vec<S> = (0..200).map(|n| state(n * 7 % 200)).collect();
            table.reserve(together, &mut memory).unwrap();
            assert_eq!(store_all(&mut table, &states, &mut memory), states.len());
            assert!(together > 1 || table.numbers.count() > 100, "{}", table.numbers.count());
            are_stored(&table, &states);
            table.reserve(together, &mut memory).unwrap();
            assert!(table.numbers.count() > 100, "{}", table.numbers.count());
            are_stored(&table, &states);
        }
        // One by one, and as many at once as the nodes of a dense graph are.
        for together in [1, 200] {
            check(|n| n, together);
            check(|n| n as usize + 800, together);
            check(|n| u16::try_from(n).expect("it is small"), together);
            check(|n| u8::try_from(n).expect("it is small"), together);
        }
        // Too far from each other.
        let mut table = TableBy::<u32, Late>::default();
        let states: Vec<u32> = (0..200).map(|n| n * 1024).collect();
        assert_eq!(store_all(&mut table, &states, &mut Memory::new(usize::MAX)), states.len());
        assert_eq!(table.numbers.count(), 0);
        are_stored(&table, &states);
    }

    /// How many groups there are, wherever they are.
    fn groups_of<S: Hash + Eq, W: Numbering>(table: &TableBy<S, W>) -> usize {
        table.groups.0.len() + table.groups_of_others.len()
    }

    fn find_by_several_numbers<W: Numbering>() {
        let mut memory = Memory::new(usize::MAX);
        let mut table = TableBy::<(i16, i64, u8), W>::default();
        // From the middle outwards, as a search goes; then some that are far away, and more of them.
        let mut near: Vec<_> = (-80..80)
            .flat_map(|x| (-70..70).flat_map(move |y| (0..2).map(move |way| (x, y, way))))
            .collect();
        near.sort_by_key(|&(x, y, _)| i64::from(x * x) + y * y);
        let far = (1..9000).map(|n| (n, i64::from(n) << 40, 0));
        let all: Vec<_> = near.iter().copied().chain(far).collect();
        for _ in 0..2 {
            assert_eq!(store_all(&mut table, &near, &mut memory), near.len());
            assert!(table.numbers.count() > near.len() - 1000, "{}", table.numbers.count());
            assert!(table.is_numbered() && groups_of(&table) <= 4 * FEWEST_GROUPS);
            are_stored(&table, &near);
            assert_eq!([(0, 0, 2), (0, 99, 0)].map(|state| table.id_of(&state)), [None; 2]);
            table.clear();
            assert!(table.is_empty() && near.iter().all(|state| table.id_of(state).is_none()));
        }
        assert_eq!(store_all(&mut table, &all, &mut memory), all.len());
        are_stored(&table, &all);
        // Those that are far away are too many for the groups that were left.
        assert!(!table.is_numbered());
        let bytes = table.entries.capacity() * size_of_val(&table.entries[0])
            + table.groups.0.capacity() * size_of::<Group<u32>>();
        assert_eq!(memory.held(), bytes);
        for limit in (100_000..2_000_000).step_by(59_917) {
            let (mut memory, mut table) = (Memory::new(limit), TableBy::<_, W>::default());
            let stored = store_all(&mut table, &all, &mut memory);
            are_stored(&table, &all[..stored]);
            assert!(memory.held() <= limit);
        }
    }

    #[test]
    fn states_that_are_several_numbers_are_found_by_them() {
        find_by_several_numbers::<Early>();
        find_by_several_numbers::<Late>();
    }

    fn tell_apart<W: Numbering>(states: &[Shared]) {
        let states: Vec<_> = states.iter().map(|&Shared(n)| Several([n, 0])).collect();
        let mut table = TableBy::<Several, W>::default();
        assert_eq!(store_all(&mut table, &states, &mut Memory::new(usize::MAX)), states.len());
        are_stored(&table, &states);
        assert_eq!(table.id_of(&Several([7 * 4 + 3, 0])), None);
    }

    #[test]
    fn states_that_share_their_numbers_are_told_apart() {
        for repeated_from in [0, 5000, 9000] {
            let numbers =
                (0..20_000).map(|n| if n < repeated_from { n * 4 } else { n / 2 * 4 + n % 2 + 1 });
            let states: Vec<_> = numbers.map(Shared).collect();
            let mut table = HashedTable::<Shared, EstimateRecord<u8>>::default();
            assert_eq!(store_all(&mut table, &states, &mut Memory::new(usize::MAX)), states.len());
            are_stored(&table, &states);
            assert_eq!(table.id_of(&Shared(7 * 4 + 3)), None);
            tell_apart::<Early>(&states);
            tell_apart::<Late>(&states);
        }
    }

    /// A state that hashes as two whole numbers, which others share, or as three.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Several([u32; 2]);

    impl Hash for Several {
        fn hash<H: Hasher>(&self, hasher: &mut H) {
            hasher.write_u32(self.0[0] / 4 % 100);
            hasher.write_u32(self.0[0] / 400);
            if self.0[1] > 0 {
                hasher.write_u32(self.0[1]);
            }
        }
    }

    #[test]
    fn a_few_states_may_have_another_count_of_numbers() {
        fn check<W: Numbering>(one_in: u32, is_numbered: bool) {
            let states: Vec<_> =
                (0..50_000).map(|n| Several([n * 4, u32::from(n % one_in == 0)])).collect();
            let mut table = TableBy::<Several, W>::default();
            let mut memory = Memory::new(usize::MAX);
            for _ in 0..2 {
                assert_eq!(store_all(&mut table, &states, &mut memory), states.len());
                assert_eq!(table.is_numbered(), is_numbered, "{one_in}");
                are_stored(&table, &states);
                let unknown = [[3, 0], [4, 1], [40, 0]].map(|state| table.id_of(&Several(state)));
                assert_eq!(unknown[..2], [None; 2]);
                assert_eq!(unknown[2].is_some(), 10 % one_in != 0);
                table.clear();
            }
        }
        check::<Early>(20, true);
        check::<Late>(20, true);
        check::<Early>(3, false);
        check::<Late>(3, false);
    }

    #[test]
    fn steps_are_short_if_most_of_them_are() {
        let check = |long_one_in: usize| {
            let point_at = |index: usize| {
                let long = if index.is_multiple_of(long_one_in) { 1000 } else { 0 };
                Point::of(&(index, long))
            };
            has_short_steps(70_000, &point_at, &|index| index.wrapping_sub(1))
        };
        assert!(has_short_steps(60_000, &|_| unreachable!("they are few"), &|_| 0));
        assert!(check(22) && !check(5));
        assert!(!has_short_steps(70_000, &|index| Point::of(&(index, 0)), &|_| usize::MAX));
    }

    #[test]
    fn all_states_are_found_whatever_memory_is_left() {
        let near = (0..9000_u32).map(|n| n * 3);
        let states: Vec<u32> = near.chain((1..2000).map(|n| n * 100_000)).collect();
        for limit in (100_000..1_000_000).step_by(29_917) {
            let mut memory = Memory::new(limit);
            let mut table = HashedTable::<_, EstimateRecord<u8>>::default();
            let stored = store_all(&mut table, &states, &mut memory);
            are_stored(&table, &states[..stored]);
            assert!(memory.held() <= limit);
            memory.set_most(usize::MAX);
            let more = &states[stored..];
            for state in more {
                table.reserve(1, &mut memory).unwrap();
                let key = table.key(state);
                let Lookup::Vacant(slot) = table.find(key, state, |_| true) else { panic!() };
                table.insert(key, slot, *state, EstimateRecord::new(0, 0, u32::NONE));
            }
            are_stored(&table, &states);
        }
    }

    /// A state that hashes as one whole number, or two if it is a pair; an odd one hashes otherwise at every third call.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Changing<T>(T);

    thread_local! {
        /// How often odd states were hashed.
        static HASHED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }

    impl<T: Hash + Copy + Into<[u32; 2]>> Hash for Changing<T> {
        fn hash<H: Hasher>(&self, hasher: &mut H) {
            let [number, second] = self.0.into();
            HASHED.set(HASHED.get() + number % 2);
            hasher.write_u32(number);
            if second > 0 {
                hasher.write_u32(second);
            }
            if HASHED.get().is_multiple_of(3) && number % 2 == 1 {
                hasher.write(&[1]);
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    struct One(u32);

    impl From<One> for [u32; 2] {
        fn from(One(number): One) -> Self {
            [number, 0]
        }
    }

    #[test]
    fn states_whose_hashes_change_do_not_panic() {
        fn store<T, W: Numbering>(state: impl Fn(u32) -> T, mut table: TableBy<Changing<T>, W>)
        where
            T: Hash + Copy + Eq + Into<[u32; 2]>,
        {
            HASHED.set(0);
            let mut memory = Memory::new(usize::MAX);
            // First those whose hashes do not change.
            for n in (0..80_000).step_by(2).chain((1..80_000).step_by(2)) {
                assert!(n != 1 || table.numbers.count() > 20_000, "{}", table.numbers.count());
                table.reserve(1, &mut memory).unwrap();
                let state = Changing(state(n));
                let key = table.key(&state);
                if let Lookup::Vacant(slot) = table.find(key, &state, |_| true) {
                    table.insert(key, slot, state, EstimateRecord::new(0, 0, u32::NONE));
                }
            }
            assert_eq!(table.len(), 80_000);
        }
        store::<_, Late>(One, HashedTable::default());
        store::<_, Early>(|n| [n, 7], HashedTable::default());
        store::<_, Late>(|n| [n, 7], HashedTable::default());
    }

    /// A state that hashes as two whole numbers, and panics when it is hashed so often.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Panicking([u16; 2]);

    thread_local! {
        static LEFT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }

    impl Hash for Panicking {
        fn hash<H: Hasher>(&self, hasher: &mut H) {
            LEFT.set(LEFT.get().wrapping_sub(1));
            assert!(LEFT.get() != 0, "on purpose");
            (self.0[0], self.0[1]).hash(hasher);
        }
    }

    #[test]
    fn a_table_works_after_a_hash_has_panicked() {
        fn check<W: Numbering>() {
            let states: Vec<_> = (0..70_000_u32)
                .map(|n| Panicking([n / 250, n % 250].map(|part| u16::try_from(part).unwrap())))
                .collect();
            let mut panics = 0;
            for left in [1, 100, 20_011, 45_007, 66_001, 120_001] {
                let (mut memory, mut table) = (Memory::new(usize::MAX), TableBy::<_, W>::default());
                LEFT.set(0);
                let first = store_all(&mut table, &states[..32_768], &mut memory);
                assert_eq!(first, 32_768);
                LEFT.set(left);
                let rest = std::panic::AssertUnwindSafe(|| {
                    for state in &states[32_768..] {
                        table.reserve(1, &mut memory).unwrap();
                        let key = table.key(state);
                        if let Lookup::Vacant(slot) = table.find(key, state, |_| true) {
                            let record = EstimateRecord::new(0, 0, u32::NONE);
                            table.insert(key, slot, *state, record);
                        }
                    }
                });
                panics += u32::from(std::panic::catch_unwind(rest).is_err());
                LEFT.set(0);
                for _ in 0..2 {
                    table.clear();
                    assert_eq!(store_all(&mut table, &states, &mut memory), states.len());
                    are_stored(&table, &states);
                    assert!(table.is_numbered());
                }
                let lists = (table.groups.0.capacity() + table.groups_of_others.capacity())
                    * size_of::<Group<u32>>()
                    + table.numbers.capacity() * size_of::<u32>();
                let entries = table.entries.capacity() * size_of_val(&table.entries[0]);
                assert_eq!(memory.held(), lists + entries, "{left}");
            }
            assert!(panics > 3, "{panics}");
        }
        check::<Early>();
        check::<Late>();
    }

    #[test]
    fn states_of_another_count_need_no_groups_for_all() {
        let states: Vec<_> = (0..100_000).map(|n| Several([n * 4, 0])).collect();
        let mut table = TableBy::<Several, Late>::default();
        let mut memory = Memory::new(usize::MAX);
        assert_eq!(store_all(&mut table, &states, &mut memory), states.len());
        table.entries.reserve_exact(5000);
        memory.set_most(memory.held() + (1 << 19));
        for n in 0..5000 {
            let state = Several([n * 4, 1]);
            table.reserve(1, &mut memory).expect("there is memory for them");
            let key = table.key(&state);
            let Lookup::Vacant(slot) = table.find(key, &state, |_| true) else { panic!("{n}") };
            table.insert(key, slot, state, EstimateRecord::new(0, 0, u32::NONE));
        }
        assert_eq!((table.len(), table.numbers.count()), (105_000, 100_000));
        are_stored(&table, &states);
    }

    #[test]
    fn wide_ids_find_the_same() {
        let mut table = HashedTable::<u64, EstimateRecord<u8, u64>>::default();
        let mut memory = Memory::new(usize::MAX);
        for state in 0..500 {
            table.reserve(1, &mut memory).unwrap();
            add(&mut table, state * 77);
        }
        assert!((0..500).all(|state| table.id_of(&(state * 77)) == Some(state)));
        assert_eq!(table.id_of(&1), None);
    }

    /// A table larger than the caches is prefetched.
    #[test]
    fn a_table_is_cached_while_it_is_small() {
        let mut table = Table32::default();
        let entries = |bytes: usize| bytes.div_ceil(size_of::<Entry<u64, EstimateRecord<u8>>>());
        let (announced, most) = (entries(ANNOUNCED), entries(SCATTERED));
        assert!((1 << 17..1 << 21).contains(&most));
        reserve(&mut table, most, &mut Memory::new(usize::MAX));
        for state in 0..most {
            let is_announced = state >= announced;
            let residency =
                if is_announced { CacheResidency::Local } else { CacheResidency::Cached };
            assert_eq!(table.residency(), residency, "with {state}");
            add(&mut table, state as u64);
        }
        assert_eq!(table.residency(), CacheResidency::Scattered);
        // States that are no numbers are not announced.
        let mut table = HashedTable::<[u64; 2], EstimateRecord<u8>>::default();
        table.reserve(announced, &mut Memory::new(usize::MAX)).unwrap();
        for state in 0..announced as u64 {
            let (key, state) = (table.key(&[state, 0]), [state, 0]);
            let Lookup::Vacant(slot) = table.find(key, &state, |_| true) else { unreachable!() };
            table.insert(key, slot, state, EstimateRecord::new(0, 0, u32::NONE));
        }
        assert_eq!(table.residency(), CacheResidency::Cached);
    }
}
