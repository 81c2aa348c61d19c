//! [`Work`]: one shard of a bucket: its duplicates are removed, and then its states are expanded.

use super::closed::{Index, Segment, Store, parts_of};
use super::entry::{Entries, Entry, MOST_BITS, hash_of, mark_of, shard_of, slot_of};
use super::fault::{DiskFault, DiskFaultKind, DiskFile};
use super::files::{Folder, Run as FileRun};
use super::open::order;
use crate::alarm::Interrupt;
use crate::cost::Cost;
use crate::encode::Encode;
use crate::engine::checked::{checked_step, sound_heuristic};
use crate::observer::Observer;
use crate::problem::{SearchProblem, Successors};
use crate::report::SearchError;

/// The bucket that is being expanded, as all of its shards see it.
pub(super) struct View<'a, P: SearchProblem> {
    pub(super) problem: &'a P,
    pub(super) g: P::Cost,
    pub(super) h: P::Cost,
    pub(super) f: P::Cost,
    /// There are 2 to the power of this many shards.
    pub(super) bits: u32,
    /// States with an f of at least this much are not needed.
    pub(super) prune: Option<P::Cost>,
    pub(super) runs: &'a [FileRun],
    /// The closed states with this h.
    pub(super) segments: &'a [Segment<P::State, P::Cost>],
    /// The small ones, if they are looked up.
    pub(super) index: Option<&'a Index>,
    pub(super) folder: &'a Folder,
    /// So many entries are compared before limits are looked at.
    pub(super) step: usize,
    /// Ends the work early.
    pub(super) interrupt: &'a Interrupt,
}

/// A goal that was generated, and where to look for its parent.
#[derive(Clone, Debug)]
pub(super) struct Goal<S, C> {
    pub(super) state: S,
    pub(super) g: C,
    pub(super) parent: u16,
    /// The parent is in a segment before this one; for a start, it is none.
    pub(super) before: u64,
}

/// What is counted in a shard.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) expanded: u64,
    pub(super) generated: u64,
    pub(super) duplicates: u64,
    pub(super) reopened: u64,
    pub(super) dead_ends: u64,
}

/// How far the work on a shard has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The entries of the runs from this one on are read.
    Read { run: usize, part: usize },
    /// The entries from this one on are compared with those before.
    Among { next: usize },
    /// They are compared with this closed segment, from this part and entry on.
    Against { segment: usize, part: usize, next: usize },
    /// Those from this one on are expanded.
    Expand { next: usize },
    /// All are expanded, or a goal was generated that ends the search.
    Done,
}

/// Why the work on a shard was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// There is more to be done before states are expanded.
    Busy,
    /// As many states were expanded as allowed.
    Spent,
    /// There is no room for the successors of the next state, which may take so many bytes.
    Full {
        bytes: usize,
    },
    Done,
}

/// The work on a shard. It can be left after every expansion.
pub(super) struct Work<P: SearchProblem> {
    pub(super) shard: usize,
    pub(super) stage: Stage,
    /// First all entries of the shard, in the end those that were expanded.
    pub(super) entries: Vec<Entry<P::State>>,
    /// The first entries are no duplicates of each other.
    unique: usize,
    /// Numbers of entries and bits of their hashes, by hash; 0 where there is none.
    slots: Vec<u32>,
    /// Entries that are closed, one bit each.
    closed: Vec<u64>,
    /// Entries that were expanded at a larger g, one bit each.
    larger: Vec<u64>,
    bytes: Vec<u8>,
    pub(super) out: Outputs<P::State, P::Cost>,
    /// The bytes that `out` may hold.
    pub(super) allowance: usize,
    /// The bytes that the list of entries had when it was handed over.
    pub(super) taken: usize,
    /// The bytes that it may hold beside that.
    pub(super) reserved: usize,
    /// It expands no more states.
    pub(super) expected: u64,
    /// Counts of duplicates, and of expansions.
    pub(super) found: Counts,
    pub(super) counts: Counts,
    pub(super) goal: Option<Goal<P::State, P::Cost>>,
    pub(super) overflow: Option<SearchError<P::Cost>>,
    pub(super) fault: Option<SearchError<P::Cost>>,
    successors: Successors<P>,
}

/// What an entry takes beside itself while duplicates are removed: in slots, bits, and as bytes of a file.
pub(super) fn bytes_beside<S: Encode>() -> usize {
    4 * size_of::<u32>() + 1 + Entry::<S>::BYTES
}

impl<P: SearchProblem<State: Encode>> Work<P> {
    pub(super) fn new() -> Self {
        Self {
            shard: 0,
            stage: Stage::Done,
            entries: Vec::new(),
            unique: 0,
            slots: Vec::new(),
            closed: Vec::new(),
            larger: Vec::new(),
            bytes: Vec::new(),
            out: Outputs::new(),
            allowance: 0,
            taken: 0,
            reserved: 0,
            expected: 0,
            found: Counts::default(),
            counts: Counts::default(),
            goal: None,
            overflow: None,
            fault: None,
            successors: Successors::<P>::new(),
        }
    }

    /// Begins the work on a shard, of which these entries are in memory.
    ///
    /// It will have as many as `expected`.
    pub(super) fn begin(&mut self, shard: usize, entries: Vec<Entry<P::State>>, expected: usize) {
        (self.shard, self.entries) = (shard, entries);
        self.expected = expected as u64;
        (self.stage, self.unique) = (Stage::Read { run: 0, part: 0 }, 0);
        (self.goal, self.overflow, self.fault) = (None, None, None);
        self.taken = self.entries.capacity() * size_of::<Entry<P::State>>();
        self.entries.reserve_exact(expected - self.entries.len().min(expected));
        self.slots.clear();
    }

    /// The bytes that it holds, without the outputs.
    pub(super) fn held(&self) -> usize {
        self.entries.capacity() * size_of::<Entry<P::State>>()
            + self.slots.capacity() * size_of::<u32>()
            + (self.closed.capacity() + self.larger.capacity()) * size_of::<u64>()
            + self.bytes.capacity()
            + self.successors.bytes()
    }

    /// Frees what it holds beyond `most` bytes.
    pub(super) fn shrink(&mut self, most: usize) {
        if self.held() > most {
            let shard = self.shard;
            *self = Self { shard, ..Self::new() };
        }
    }

    /// Forgets the expansions.
    pub(super) fn rewind(&mut self) {
        if matches!(self.fault, Some(SearchError::Disk(_))) {
            // What was read of it is not whole.
            return;
        }
        if matches!(self.stage, Stage::Expand { .. } | Stage::Done) {
            self.stage = Stage::Expand { next: 0 };
            self.out.clear();
            self.counts = Counts::default();
            (self.goal, self.overflow, self.fault) = (None, None, None);
        }
    }

    /// Does a part of the work, and expands at most `most` states.
    pub(super) fn go_on<O: Observer<P::State, P::Cost>>(
        &mut self,
        view: &View<'_, P>,
        most: u64,
        observer: &mut O,
    ) -> Left {
        match self.stage {
            Stage::Read { run, part } => self.read(view, run, part),
            Stage::Among { next } => self.remove_among(view.step, next),
            Stage::Against { segment, part, next } => self.remove_closed(view, segment, part, next),
            Stage::Expand { next } => return self.expand(view, next, most, observer),
            Stage::Done => return Left::Done,
        }
        if self.stage == Stage::Done { Left::Done } else { Left::Busy }
    }

    /// Does part after part of it, as long as it comes further by that and `goes_on`.
    pub(super) fn go_on_while<O: Observer<P::State, P::Cost>>(
        &mut self,
        view: &View<'_, P>,
        most: u64,
        observer: &mut O,
        goes_on: impl Fn(Left) -> bool,
    ) -> Left {
        loop {
            let before = self.stage;
            let left = self.go_on(view, most, observer);
            if !goes_on(left) || self.stage <= before {
                return left;
            }
        }
    }

    fn fail(&mut self, fault: DiskFault) {
        self.fault = Some(SearchError::Disk(fault));
        self.stage = Stage::Done;
    }

    /// Reads the entries of a part of a run.
    fn read(&mut self, view: &View<'_, P>, mut run: usize, part: usize) {
        let mut reader = view.folder.reader();
        let mut done = 0;
        let mut skip = part;
        while let Some(list) = view.runs.get(run) {
            if ((self.shard + 1) << (MOST_BITS - view.bits)) <= list.from as usize {
                (run, skip) = (run + 1, 0);
                continue;
            }
            let parts = parts_of(self.shard, view.bits, list.bits);
            for part in parts.skip(skip) {
                if let Err(fault) = reader.read(list, part, &mut self.bytes) {
                    return self.fail(fault);
                }
                // A part of several shards, or one that is partly expanded.
                let shard = (list.bits < view.bits).then_some(self.shard);
                let entries = &mut self.entries;
                let read = decode(&self.bytes, |entry, hash| {
                    let mark = mark_of(hash);
                    if shard.is_none_or(|shard| shard_of(mark, view.bits) == shard)
                        && u32::from(mark) >= list.from
                    {
                        entries.push(entry);
                    }
                });
                if let Err(at) = read {
                    let at = list.place(part).0 + at;
                    let file = DiskFile::States(list.file);
                    return self.fail(DiskFault { file, at, kind: DiskFaultKind::Value });
                }
                done += self.bytes.len();
                skip += 1;
                if done >= view.step * Entry::<P::State>::BYTES {
                    self.stage = Stage::Read { run, part: skip };
                    return;
                }
            }
            (run, skip) = (run + 1, 0);
        }
        self.begin_table();
    }

    /// Prepares the table of the entries.
    fn begin_table(&mut self) {
        let count = self.entries.len();
        self.slots.clear();
        self.slots.resize((2 * count).next_power_of_two().max(2), 0);
        self.closed.clear();
        self.closed.resize(count.div_ceil(64), 0);
        self.larger.clear();
        self.stage = Stage::Among { next: 0 };
    }

    /// Looks for a state: its number among the first entries, or the slot where it belongs.
    #[inline]
    fn find(&self, state: &P::State, hash: u64) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut at = slot_of(hash) & mask;
        let tag = tag_of(hash);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            if slot & TAG == tag {
                let number = (slot & !TAG) as usize - 1;
                if self.entries[number].state == *state {
                    return Ok(number);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Removes duplicates among the entries.
    fn remove_among(&mut self, step: usize, next: usize) {
        let end = self.entries.len().min(next + step);
        for i in next..end {
            let hash = hash_of(&self.entries[i].state);
            match self.find(&self.entries[i].state, hash) {
                Ok(_) => self.found.duplicates += 1,
                Err(slot) => {
                    self.entries.swap(self.unique, i);
                    self.unique += 1;
                    self.slots[slot] = tag_of(hash) | number(self.unique);
                }
            }
        }
        self.stage = Stage::Among { next: end };
        if end == self.entries.len() {
            self.entries.truncate(self.unique);
            self.stage = Stage::Against { segment: 0, part: 0, next: 0 };
        }
    }

    /// Removes entries that are closed at an equal or smaller g.
    fn remove_closed(
        &mut self,
        view: &View<'_, P>,
        mut segment: usize,
        mut skip: usize,
        mut next: usize,
    ) {
        let mut reader = view.folder.reader();
        let mut left = view.step;
        if let (0, 0, 0, Some(index)) = (segment, skip, next, view.index) {
            self.look_up(view, index);
        }
        while let Some(list) = view.segments.get(segment) {
            if view.index.is_some() && Index::may_hold(list) {
                segment += 1;
                continue;
            }
            let bits = list.store().bits();
            let is_cheaper = order(list.g, view.g).is_le();
            for part in parts_of(self.shard, view.bits, bits).skip(skip) {
                match list.store() {
                    Store::Memory(parts) => {
                        let part = &parts[part];
                        let end = part.len().min(next + left);
                        for entry in &part[next..end] {
                            self.meet(&entry.state, hash_of(&entry.state), is_cheaper);
                        }
                        left -= end - next;
                        next = if end < part.len() { end } else { 0 };
                    }
                    Store::File(run) => {
                        let mut bytes = std::mem::take(&mut self.bytes);
                        let read = reader.read(run, part, &mut bytes).and_then(|()| {
                            decode::<P::State>(&bytes, |entry, hash| {
                                self.meet(&entry.state, hash, is_cheaper);
                            })
                            .map_err(|at| DiskFault {
                                file: DiskFile::States(run.file),
                                at: run.place(part).0 + at,
                                kind: DiskFaultKind::Value,
                            })
                        });
                        // Also where it was in memory when a part of it was compared.
                        next = 0;
                        left -= left.min(bytes.len() / Entry::<P::State>::BYTES);
                        self.bytes = bytes;
                        if let Err(fault) = read {
                            return self.fail(fault);
                        }
                    }
                }
                skip += usize::from(next == 0);
                if left == 0 {
                    self.stage = Stage::Against { segment, part: skip, next };
                    return;
                }
            }
            (segment, skip) = (segment + 1, 0);
        }
        self.keep_open();
        self.stage = Stage::Expand { next: 0 };
    }

    /// Removes entries that are closed by the index.
    fn look_up(&mut self, view: &View<'_, P>, index: &Index) {
        for (number, entry) in self.entries.iter().enumerate() {
            index.look_up(hash_of(&entry.state), |segment, at| {
                let segment = &view.segments[segment];
                if let Store::Memory(parts) = segment.store()
                    && parts[0][at].state == entry.state
                {
                    let is_cheaper = order(segment.g, view.g).is_le();
                    note(&mut self.closed, &mut self.larger, number, is_cheaper);
                }
            });
        }
    }

    /// A closed state: if it is among the entries, it is a duplicate, or one that is reopened.
    #[inline]
    fn meet(&mut self, state: &P::State, hash: u64, is_cheaper: bool) {
        if let Ok(number) = self.find(state, hash) {
            note(&mut self.closed, &mut self.larger, number, is_cheaper);
        }
    }

    /// Removes the entries that were found to be closed.
    fn keep_open(&mut self) {
        let closed: u32 = self.closed.iter().map(|word| word.count_ones()).sum();
        if closed > 0 {
            let mut at = 0;
            let bits = &self.closed;
            self.entries.retain(|_| {
                let is_closed = bits[at / 64] >> (at % 64) & 1 == 1;
                at += 1;
                !is_closed
            });
            self.found.duplicates += u64::from(closed);
        }
        let reopened = self.larger.iter().zip(&self.closed);
        let reopened = reopened.map(|(larger, closed)| u64::from((larger & !closed).count_ones()));
        self.found.reopened += reopened.sum::<u64>();
    }

    /// Expands states.
    fn expand<O: Observer<P::State, P::Cost>>(
        &mut self,
        view: &View<'_, P>,
        next: usize,
        most: u64,
        observer: &mut O,
    ) -> Left {
        let end = usize::try_from(most).unwrap_or(usize::MAX);
        let mut end = self.entries.len().min(next.saturating_add(end));
        for i in next..end {
            let state = &self.entries[i].state;
            self.successors.clear();
            view.problem.successors(state, &mut self.successors);
            let bytes = self.successors.len() * 3 * size_of::<Entry<P::State>>();
            if bytes + self.out.held() > self.allowance {
                self.stage = Stage::Expand { next: i };
                return Left::Full { bytes };
            }
            self.counts.expanded += 1;
            self.counts.generated += self.successors.len() as u64;
            if O::LISTENS {
                observer.expanded(state, view.g, view.h);
            }
            let parent = mark_of(hash_of(state));
            if let Err(fault) = self.relax(view, i, parent, observer) {
                self.fault = Some(fault);
                self.stage = Stage::Done;
                return Left::Done;
            }
            if self.goal.as_ref().is_some_and(|goal| goal.g <= view.f) {
                self.stage = Stage::Done;
                return Left::Done;
            }
            if view.interrupt.is_raised() {
                end = i + 1;
                break;
            }
        }
        self.stage =
            if end == self.entries.len() { Stage::Done } else { Stage::Expand { next: end } };
        if self.stage == Stage::Done { Left::Done } else { Left::Spent }
    }

    /// Puts the successors of a state where they belong.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "hot, called from one place")]
    fn relax<O: Observer<P::State, P::Cost>>(
        &mut self,
        view: &View<'_, P>,
        i: usize,
        parent: u16,
        observer: &mut O,
    ) -> Result<(), SearchError<P::Cost>> {
        for successor in self.successors.drain() {
            let Some(g) = checked_step(view.g, successor.cost, &mut self.overflow)? else {
                continue;
            };
            let state = successor.state;
            if O::LISTENS {
                observer.generated(Some(&self.entries[i].state), &state, g);
            }
            let h = sound_heuristic(view.problem, &state, g)?;
            if order(h, P::Cost::INFINITY).is_ge() {
                self.counts.dead_ends += 1;
                continue;
            }
            let Some(f) = g.checked_add(h) else {
                self.overflow.get_or_insert(SearchError::Overflow { g, added: h });
                continue;
            };
            if view.prune.is_some_and(|bound| f >= bound) {
                continue;
            }
            if order(h, P::Cost::ZERO).is_eq() && view.problem.is_goal(&state) {
                if self.goal.as_ref().is_none_or(|goal| g < goal.g) {
                    self.goal = Some(Goal { state, g, parent, before: u64::MAX });
                }
                continue;
            }
            self.out.push((g, h, f), Entry { state, parent });
        }
        Ok(())
    }
}

/// The bits of a slot that are bits of the hash; the others are a number.
const TAG: u32 = 0xFF00_0000;

/// A shard must not have more entries.
pub(super) const MOST_ENTRIES: usize = (!TAG) as usize - 1;

#[inline]
fn tag_of(hash: u64) -> u32 {
    u32::try_from(hash >> 16 & u64::from(TAG)).unwrap_or(0)
}

#[inline]
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX) & !TAG
}

/// Notes that an entry is closed: at an equal or smaller g, or at a larger one.
#[inline]
fn note(closed: &mut [u64], larger: &mut Vec<u64>, number: usize, is_cheaper: bool) {
    if is_cheaper {
        closed[number / 64] |= 1 << (number % 64);
    } else {
        larger.resize(closed.len(), 0);
        larger[number / 64] |= 1 << (number % 64);
    }
}

/// Reads entries with their hashes; an error is the byte at which one is no entry.
fn decode<S: Encode + std::hash::Hash>(
    bytes: &[u8],
    mut take: impl FnMut(Entry<S>, u64),
) -> Result<(), u64> {
    for (number, bytes) in bytes.chunks_exact(Entry::<S>::BYTES).enumerate() {
        let entry = Entry::read(bytes).map_err(|_| (number * Entry::<S>::BYTES) as u64)?;
        let hash = hash_of(&entry.state);
        take(entry, hash);
    }
    Ok(())
}

/// The successors that were generated, by their g and h.
#[derive(Debug)]
pub(super) struct Outputs<S, C> {
    targets: Vec<Target<S, C>>,
    /// Their numbers in the order of g and h.
    sorted: Vec<u32>,
    /// The numbers of the last two that were used.
    recent: [usize; 2],
    bytes: usize,
}

#[derive(Debug)]
struct Target<S, C> {
    key: (C, C, C),
    entries: Entries<S>,
}

impl<S, C: Cost> Outputs<S, C> {
    fn new() -> Self {
        Self { targets: Vec::new(), sorted: Vec::new(), recent: [0; 2], bytes: 0 }
    }

    /// The bytes that it holds.
    pub(super) fn held(&self) -> usize {
        self.bytes
            + self.targets.capacity() * size_of::<Target<S, C>>()
            + self.sorted.capacity() * size_of::<u32>()
    }

    #[inline]
    fn push(&mut self, key: (C, C, C), entry: Entry<S>) {
        let is_it = |target: &Target<S, C>| target.key.0 == key.0 && target.key.1 == key.1;
        let [last, other] = self.recent;
        let at = if self.targets.get(last).is_some_and(is_it) {
            last
        } else if self.targets.get(other).is_some_and(is_it) {
            other
        } else {
            self.look_up(key)
        };
        if at != last {
            self.recent = [at, last];
        }
        self.bytes += self.targets[at].entries.push(entry);
    }

    #[inline(never)]
    fn look_up(&mut self, key: (C, C, C)) -> usize {
        let by_key = |&number: &u32| {
            let (g, h, _) = self.targets[number as usize].key;
            order(g, key.0).then(order(h, key.1))
        };
        match self.sorted.binary_search_by(by_key) {
            Ok(at) => self.sorted[at] as usize,
            Err(at) => {
                let number = self.targets.len();
                self.targets.push(Target { key, entries: Entries::new() });
                self.sorted.insert(at, u32::try_from(number).unwrap_or(u32::MAX));
                number
            }
        }
    }

    /// The least f of what it holds.
    pub(super) fn least(&self) -> Option<C> {
        let held = self.targets.iter().filter(|target| target.entries.len() > 0);
        held.map(|target| target.key.2).reduce(crate::cost::smaller)
    }

    /// How many entries it holds.
    pub(super) fn len(&self) -> usize {
        self.targets.iter().map(|target| target.entries.len()).sum()
    }

    /// How many lists it has.
    pub(super) fn lists(&self) -> usize {
        self.targets.len()
    }

    /// All lists, with their g, h and f.
    pub(super) fn all(&self) -> impl Iterator<Item = ((C, C, C), &Entries<S>)> {
        self.targets.iter().map(|target| (target.key, &target.entries))
    }

    /// Hands all entries over, with their g, h and f.
    pub(super) fn drain(&mut self, mut take: impl FnMut((C, C, C), &mut Entries<S>)) {
        for target in &mut self.targets {
            if target.entries.len() > 0 {
                take(target.key, &mut target.entries);
            }
        }
        self.clear();
    }

    fn clear(&mut self) {
        self.targets.clear();
        self.sorted.clear();
        (self.recent, self.bytes) = ([0; 2], 0);
    }
}
