//! The parts of a best-first search: a frontier, a table with a record, an order with a key, an observer.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::hash::Hash;

use bestfirst::Observer;
use bestfirst::engine::Order;
use bestfirst::frontier::{Frontier, Key};
use bestfirst::memory::{Memory, OutOfMemory};
use bestfirst::table::{Full, IdOf, Lookup, Record, StateId, Table};

/// A frontier that keeps its entries sorted, for as long as there are no two keys neither of which precedes
/// the other.
#[derive(Debug)]
pub struct Sorted<I, K> {
    /// Entries by their keys, the last first.
    entries: Vec<(I, K)>,
}

impl<I, K> Default for Sorted<I, K> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<I: StateId, K: Key> Frontier<I, K> for Sorted<I, K> {
    fn push(&mut self, id: I, key: K, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.entries, 1)?;
        let place = self.entries.partition_point(|(_, other)| key.precedes(other));
        self.entries.insert(place, (id, key));
        Ok(())
    }

    fn pop(&mut self, _: &mut Memory) -> Result<Option<(I, K)>, OutOfMemory> {
        Ok(self.entries.pop())
    }

    fn least(&mut self, _: &mut Memory) -> Result<Option<K>, OutOfMemory> {
        Ok(self.entries.last().map(|&(_, key)| key))
    }

    fn for_each(&self, mut visit: impl FnMut(I, K)) {
        self.entries.iter().for_each(|&(id, key)| visit(id, key));
    }

    fn retain(&mut self, mut keep: impl FnMut(I, K) -> bool) {
        self.entries.retain(|&(id, key)| keep(id, key));
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn clear(&mut self) {
        self.entries.clear();
    }
}

/// The same on the standard library's map: entries with equal keys come out in the order
/// in which they were pushed.
#[derive(Debug)]
pub struct Tree<I> {
    entries: BTreeMap<(u32, Reverse<u32>, u64), I>,
    pushed: u64,
}

impl<I> Default for Tree<I> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), pushed: 0 }
    }
}

impl<I: StateId> Frontier<I, FThenG> for Tree<I> {
    fn push(&mut self, id: I, key: FThenG, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.claim(ENTRY)?;
        self.pushed += 1;
        self.entries.insert((key.f, Reverse(key.g), self.pushed), id);
        Ok(())
    }

    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(I, FThenG)>, OutOfMemory> {
        let Some(((f, Reverse(g), _), id)) = self.entries.pop_first() else { return Ok(None) };
        memory.release(ENTRY);
        Ok(Some((id, FThenG { f, g })))
    }

    fn least(&mut self, _: &mut Memory) -> Result<Option<FThenG>, OutOfMemory> {
        let least = self.entries.first_key_value();
        Ok(least.map(|(&(f, Reverse(g), _), _)| FThenG { f, g }))
    }

    fn for_each(&self, mut visit: impl FnMut(I, FThenG)) {
        self.entries.iter().for_each(|(&(f, Reverse(g), _), &id)| visit(id, FThenG { f, g }));
    }

    fn retain(&mut self, mut keep: impl FnMut(I, FThenG) -> bool) {
        self.entries.retain(|&(f, Reverse(g), _), &mut id| keep(id, FThenG { f, g }));
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn clear(&mut self) {
        self.entries.clear();
    }
}

/// About this many bytes for each entry.
const ENTRY: usize = 32;

/// A record that also counts how often a cheaper path was found.
#[derive(Clone, Copy, Debug)]
pub struct CountingRecord<I = u32> {
    g: u32,
    h: u32,
    parent: I,
    improved: u16,
    is_closed: bool,
}

impl<I: StateId> Record for CountingRecord<I> {
    type Cost = u32;
    type Id = I;
    const KEEPS_H: bool = true;

    fn new(g: u32, h: u32, parent: I) -> Self {
        Self { g, h, parent, improved: 0, is_closed: false }
    }
    fn g(&self) -> u32 {
        self.g
    }
    fn h(&self) -> u32 {
        self.h
    }
    fn parent(&self) -> I {
        self.parent
    }
    fn is_closed(&self) -> bool {
        self.is_closed
    }
    fn close(&mut self) {
        self.is_closed = true;
    }
    fn reach(&mut self, g: u32, parent: I) {
        assert!(g < self.g, "only cheaper paths are recorded");
        (self.g, self.parent, self.is_closed) = (g, parent, false);
        self.improved += 1;
    }
}

/// A table on the standard library's maps, with any record.
#[derive(Debug)]
pub struct Shelf<R = CountingRecord, S = [u32; 3]> {
    ids: HashMap<S, usize>,
    /// What the account knows of the map.
    counted: usize,
    entries: Vec<(S, R)>,
}

impl<R, S> Default for Shelf<R, S> {
    fn default() -> Self {
        Self { ids: HashMap::new(), counted: 0, entries: Vec::new() }
    }
}

impl<S: Clone + Eq + Hash + Debug, R: Record> Table<S> for Shelf<R, S> {
    type Record = R;
    /// It is looked up by the state alone.
    type Key = ();

    fn len(&self) -> usize {
        self.entries.len()
    }
    fn clear(&mut self) {
        self.ids.clear();
        self.entries.clear();
    }
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), Full> {
        memory.reserve(&mut self.entries, additional)?;
        let missing = (self.entries.len() + additional).saturating_sub(self.counted);
        memory.claim(missing * (size_of::<(S, usize)>() + 1) * 2)?;
        self.counted += missing;
        self.ids.reserve(additional);
        Ok(())
    }
    fn key(&self, _: &S) {}
    fn find(&self, (): (), state: &S, improves: impl FnOnce(&R) -> bool) -> Lookup<IdOf<Self, S>> {
        match self.ids.get(state) {
            Some(&index) if improves(&self.entries[index].1) => {
                Lookup::Improved(R::Id::from_index(index))
            }
            Some(_) => Lookup::NotImproved,
            None => Lookup::Vacant(self.entries.len()),
        }
    }
    fn insert(&mut self, (): (), slot: usize, state: S, record: R) -> R::Id {
        self.ids.insert(state.clone(), slot);
        self.entries.push((state, record));
        R::Id::from_index(slot)
    }
    fn id_of(&self, state: &S) -> Option<R::Id> {
        self.ids.get(state).map(|&index| R::Id::from_index(index))
    }
    fn load(&self, id: R::Id) -> R {
        self.entries[id.index()].1
    }
    fn store(&mut self, id: R::Id, record: R) {
        self.entries[id.index()].1 = record;
    }
    fn with_state<T>(&self, id: R::Id, look: impl FnOnce(&S) -> T) -> T {
        look(&self.entries[id.index()].0)
    }
    fn for_each(&self, mut visit: impl FnMut(R::Id, &S, &R)) {
        for (index, (state, record)) in self.entries.iter().enumerate() {
            visit(R::Id::from_index(index), state, record);
        }
    }
}

/// The order of A*, among equals the largest *g* first, by a key that compares backwards.
#[derive(Clone, Copy, Debug)]
pub struct LargeGFirst;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FThenG {
    f: u32,
    g: u32,
}

impl Key for FThenG {
    fn precedes(&self, other: &Self) -> bool {
        (self.f, other.g) < (other.f, self.g)
    }
    fn to_buckets(self) -> Option<(usize, usize)> {
        Some((self.f as usize, (u32::MAX - self.g) as usize))
    }
    fn from_buckets(first: usize, second: usize) -> Option<Self> {
        let g = u32::MAX - u32::try_from(second).ok()?;
        Some(Self { f: u32::try_from(first).ok()?, g })
    }
}

impl Order<u32> for LargeGFirst {
    type Key = FThenG;
    const IS_BY_F: bool = true;

    fn key(&self, g: u32, _: u32, f: u32) -> FThenG {
        FThenG { f, g }
    }
}

/// Counts what it is told.
#[derive(Debug, Default)]
pub struct Counter {
    pub expanded: u64,
    pub generated: u64,
    pub incumbents: Vec<u32>,
    pub expanded_by_f: BTreeMap<u32, u64>,
}

impl<S> Observer<S, u32> for Counter {
    fn expanded(&mut self, _: &S, g: u32, h: u32) {
        self.expanded += 1;
        *self.expanded_by_f.entry(g + h).or_default() += 1;
    }
    fn generated(&mut self, _: Option<&S>, _: &S, _: u32) {
        self.generated += 1;
    }
    fn incumbent(&mut self, cost: u32, _: u32) {
        self.incumbents.push(cost);
    }
}
