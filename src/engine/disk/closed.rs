//! [`Closed`]: the closed list, in classes by h. A state has one h, so a duplicate of it is in its class.

use super::entries::Entries;
use super::files::Run;
use super::open::{growth_of_list, order};
use crate::cost::Cost;

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

    /// How many states with this h there are: with these a bucket is compared.
    pub(super) fn count(&self, h: C) -> u64 {
        let class = self.classes.binary_search_by(|class| order(class.h, h));
        class.map_or(0, |at| self.classes[at].len)
    }

    /// An upper bound on the bytes that lists take if a segment of states with this h is added.
    pub(super) fn growth(&self, h: C) -> usize {
        let segment = size_of::<Segment<S, C>>();
        let Ok(at) = self.classes.binary_search_by(|class| order(class.h, h)) else {
            let room = (self.classes.len(), self.classes.capacity());
            let class = growth_of_list(room, 1, size_of::<Class<S, C>>());
            return class + growth_of_list((0, 0), 1, segment);
        };
        let segments = &self.classes[at].segments;
        growth_of_list((segments.len(), segments.capacity()), 1, segment)
    }

    /// Adds states that were expanded in one visit.
    pub(super) fn add(&mut self, h: C, segment: Segment<S, C>) {
        let at = match self.classes.binary_search_by(|class| order(class.h, h)) {
            Ok(at) => at,
            Err(at) => {
                self.classes.insert(at, Class { h, segments: Vec::new(), len: 0 });
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

    /// Puts a segment elsewhere; returns where it was.
    pub(super) fn set_store(
        &mut self,
        (class, segment): (usize, usize),
        store: Store<S>,
    ) -> Store<S> {
        let segment = &mut self.classes[class].segments[segment];
        self.bytes -= segment.held;
        segment.held = store.held();
        self.bytes += segment.held;
        std::mem::replace(&mut segment.store, store)
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
