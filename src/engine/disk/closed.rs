//! [`Closed`]: the closed list, in classes by h. A state has one h, so a duplicate of it is in its class.

use std::hash::Hash;

use super::entries::Entries;
use super::entry::{hash_of, slot_of};
use super::files::Run;
use super::open::order;
use crate::cost::Cost;

/// An index is worth its while for a bucket if so many closed states come to one of its entries.
const WORTH: u64 = 16;

/// So many closed states are compared with any bucket.
const SMALL: u64 = 1024;

/// All states that were expanded.
#[derive(Debug)]
pub(super) struct Closed<S, C> {
    /// In rising order of h.
    classes: Vec<Class<S, C>>,
    /// How many entries there are.
    pub(super) len: u64,
    /// The bytes that they take in memory.
    bytes: usize,
    /// The number of the next segment.
    pub(super) next: u64,
}

#[derive(Debug)]
struct Class<S, C> {
    h: C,
    segments: Vec<Segment<S, C>>,
    len: u64,
    index: Option<Index>,
}

/// Where the states of small segments in memory are, by their hashes.
///
/// A bucket is compared with all closed states of its class, unless it is much smaller: then it is looked up here.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The numbers of a segment, counted from 1, and of an entry in it; 0 where there is none.
    slots: Vec<(u32, u32)>,
    len: usize,
    /// The segments before this one are in it, as far as they are small and in memory.
    covered: usize,
}

impl Index {
    /// Whether the states of a segment may be in an index.
    pub(super) fn may_hold<S, C>(segment: &Segment<S, C>) -> bool {
        matches!(&segment.store, Store::Memory(parts) if parts.len() == 1)
    }

    /// Calls `meet` with every segment and number of an entry whose hash may be this one.
    #[inline]
    pub(super) fn look_up(&self, hash: u64, mut meet: impl FnMut(usize, usize)) {
        let mask = self.slots.len() - 1;
        let mut at = slot_of(hash) & mask;
        while self.slots[at].0 != 0 {
            meet(self.slots[at].0 as usize - 1, self.slots[at].1 as usize);
            at = (at + 1) & mask;
        }
    }

    fn insert(&mut self, hash: u64, place: (u32, u32)) {
        let mask = self.slots.len() - 1;
        let mut at = slot_of(hash) & mask;
        while self.slots[at].0 != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = place;
        self.len += 1;
    }

    /// The bytes that it takes.
    fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(u32, u32)>()
    }

    /// How many slots it needs to take in the segments that came since.
    fn needed<S, C>(&self, segments: &[Segment<S, C>]) -> usize {
        let small = |segment: &&Segment<S, C>| Self::may_hold(segment);
        let added: u64 = segments[self.covered..].iter().filter(small).map(|new| new.len).sum();
        // With a slot at least, also where no segment is small.
        let needed = (self.len + usize::try_from(added).unwrap_or(usize::MAX / 16)).max(1) * 2;
        if needed > self.slots.len() { (needed * 2).next_power_of_two() } else { self.slots.len() }
    }

    /// Takes in the segments that came since.
    fn cover<S: Hash, C>(&mut self, segments: &[Segment<S, C>]) {
        let needed = self.needed(segments);
        if needed > self.slots.len() {
            // Not two at a time.
            self.slots = Vec::new();
            self.slots = vec![(0, 0); needed];
            (self.len, self.covered) = (0, 0);
        }
        for (segment, number) in segments.iter().zip(1..).skip(self.covered) {
            if let Store::Memory(parts) = &segment.store
                && let [part] = &parts[..]
            {
                for (entry, at) in part.iter().zip(0..) {
                    self.insert(hash_of(&entry.state), (number, at));
                }
            }
        }
        self.covered = segments.len();
    }
}

/// The states that were expanded in one visit of a bucket.
#[derive(Debug)]
pub(super) struct Segment<S, C> {
    pub(super) g: C,
    /// Its number: a state in it has a parent in an earlier one.
    pub(super) number: u64,
    pub(super) len: u64,
    store: Store<S>,
    /// The bytes that the store takes in memory.
    held: usize,
}

impl<S, C> Segment<S, C> {
    pub(super) fn new((g, number, len): (C, u64, u64), store: Store<S>) -> Self {
        let held = store.held();
        Self { g, number, len, store, held }
    }

    pub(super) fn store(&self) -> &Store<S> {
        &self.store
    }

    /// The bytes of entries in memory.
    pub(super) fn in_memory(&self) -> usize {
        if let Store::Memory(_) = self.store { self.held } else { 0 }
    }
}

#[derive(Debug)]
pub(super) enum Store<S> {
    /// The lists of 2 to the power of some number shards.
    Memory(Vec<Entries<S>>),
    File(Run),
}

impl<S> Store<S> {
    /// 2 to the power of this is the number of parts.
    pub(super) fn bits(&self) -> u32 {
        match self {
            Self::Memory(parts) => parts.len().trailing_zeros(),
            Self::File(run) => run.bits,
        }
    }

    fn held(&self) -> usize {
        match self {
            Self::Memory(parts) => {
                let entries: usize = parts.iter().map(Entries::bytes).sum();
                entries + parts.capacity() * size_of::<Entries<S>>()
            }
            Self::File(run) => run.held(),
        }
    }
}

/// The parts of a list in 2 to the power of `of` parts that hold the states of a shard of 2 to the power of `bits`.
pub(super) fn parts_of(shard: usize, bits: u32, of: u32) -> std::ops::Range<usize> {
    if of >= bits {
        shard << (of - bits)..(shard + 1) << (of - bits)
    } else {
        let part = shard >> (bits - of);
        part..part + 1
    }
}

impl<S, C: Cost> Closed<S, C> {
    pub(super) fn new() -> Self {
        Self { classes: Vec::new(), len: 0, bytes: 0, next: 0 }
    }

    /// What it takes in memory.
    pub(super) fn held(&self) -> usize {
        self.bytes + self.classes.capacity() * size_of::<Class<S, C>>()
    }

    /// The segments of the states with this h, in the order in which they were closed.
    pub(super) fn segments(&self, h: C) -> &[Segment<S, C>] {
        let class = self.classes.binary_search_by(|class| order(class.h, h));
        class.map_or(&[], |at| &self.classes[at].segments)
    }

    /// How many states with this h a bucket of `len` entries is compared with.
    pub(super) fn compared(&self, h: C, len: u64) -> u64 {
        let Ok(at) = self.classes.binary_search_by(|class| order(class.h, h)) else { return 0 };
        let Class { segments, len: all, .. } = &self.classes[at];
        if *all <= WORTH * len + SMALL {
            return *all;
        }
        let large = segments.iter().filter(|segment| !Index::may_hold(segment));
        large.map(|segment| segment.len).sum()
    }

    /// Makes an index of the small segments with this h that are in memory, if a bucket of `len` entries is better
    /// looked up than compared with all, and the index takes no more than `most` bytes.
    pub(super) fn make_index(&mut self, h: C, len: u64, most: usize)
    where
        S: Hash,
    {
        let Ok(at) = self.classes.binary_search_by(|class| order(class.h, h)) else { return };
        let class = &mut self.classes[at];
        if class.len > WORTH * len + SMALL {
            let mut index = class.index.take().unwrap_or_default();
            let before = index.bytes();
            self.bytes -= before;
            let needed = index.needed(&class.segments).saturating_mul(size_of::<(u32, u32)>());
            if needed <= before || needed <= most {
                index.cover(&class.segments);
                self.bytes += index.bytes();
                class.index = Some(index);
            }
        }
    }

    /// The index of the class, if a bucket of `len` entries is better looked up in it.
    pub(super) fn index(&self, h: C, len: u64) -> Option<&Index> {
        let at = self.classes.binary_search_by(|class| order(class.h, h)).ok()?;
        let class = &self.classes[at];
        let is_worth = class.len > WORTH * len + SMALL;
        class.index.as_ref().filter(|index| is_worth && index.covered == class.segments.len())
    }

    /// Adds states that were expanded in one visit.
    pub(super) fn add(&mut self, h: C, segment: Segment<S, C>) {
        let at = match self.classes.binary_search_by(|class| order(class.h, h)) {
            Ok(at) => at,
            Err(at) => {
                self.classes.insert(at, Class { h, segments: Vec::new(), len: 0, index: None });
                at
            }
        };
        let class = &mut self.classes[at];
        let before = class.segments.capacity();
        class.len += segment.len;
        self.len += segment.len;
        self.bytes += segment.held;
        class.segments.push(segment);
        self.bytes += (class.segments.capacity() - before) * size_of::<Segment<S, C>>();
    }

    /// Holds no more than it must.
    pub(super) fn tidy(&mut self) {
        self.classes.shrink_to_fit();
        self.bytes = 0;
        for class in &mut self.classes {
            class.index = None;
            class.segments.shrink_to_fit();
            self.bytes += class.segments.capacity() * size_of::<Segment<S, C>>();
            for segment in &mut class.segments {
                if let Store::Memory(parts) = &mut segment.store {
                    parts.iter_mut().for_each(Entries::shrink_to_fit);
                    parts.shrink_to_fit();
                }
                segment.held = segment.store.held();
                self.bytes += segment.held;
            }
        }
    }

    /// The segment in memory that takes the most of it: its bytes and its place.
    pub(super) fn largest(&self) -> Option<(usize, (usize, usize))> {
        let all = self.classes.iter().enumerate().flat_map(|(at, class)| {
            class.segments.iter().enumerate().map(move |(of, segment)| (segment, (at, of)))
        });
        all.map(|(segment, place)| (segment.in_memory(), place)).max_by_key(|&(bytes, _)| bytes)
    }

    /// The segment at a place.
    pub(super) fn segment(&self, (class, segment): (usize, usize)) -> &Segment<S, C> {
        &self.classes[class].segments[segment]
    }

    /// Puts a segment elsewhere.
    pub(super) fn set_store(&mut self, (class, segment): (usize, usize), store: Store<S>) {
        let class = &mut self.classes[class];
        // It may hold entries of this segment.
        if let Some(index) = class.index.take() {
            self.bytes -= index.bytes();
        }
        let segment = &mut class.segments[segment];
        self.bytes -= segment.held;
        (segment.held, segment.store) = (store.held(), store);
        self.bytes += segment.held;
    }

    /// All segments with their h, those with the largest g first.
    pub(super) fn all(&self) -> impl Iterator<Item = (C, &Segment<S, C>)> {
        self.classes
            .iter()
            .flat_map(|class| class.segments.iter().map(|segment| (class.h, segment)))
    }

    /// The places of all segments.
    pub(super) fn places(&self) -> Vec<(usize, usize)> {
        let classes = self.classes.iter().enumerate();
        classes.flat_map(|(at, class)| (0..class.segments.len()).map(move |of| (at, of))).collect()
    }
}
