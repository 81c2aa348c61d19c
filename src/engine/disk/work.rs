//! [`Work`]: one shard of a bucket: its duplicates are removed, and then its states are expanded.

use super::block::Block;
use super::closed::{Segment, parts_of};
use super::duplicates::filter_for;
use super::entries::{EmptyChunks, Entries};
use super::entry::{Entry, MOST_BITS, hash_of, mark_of, shard_of};
use super::files::{Folder, Run as FileRun};
use super::open::order;
use super::outputs::Outputs;
use crate::cost::Cost;
use crate::disk_fault::{DiskFault, DiskFaultKind, DiskFile};
use crate::encode::Encode;
use crate::engine::checked::{checked_step, sound_heuristic};
use crate::interrupt::Interrupt;
use crate::observer::Observer;
use crate::problem::{SearchProblem, Successors};
use crate::report::{SearchError, Stats};

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
    pub(super) folder: &'a Folder,
    /// How many entries are compared before the limits are checked.
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
    /// There is no room for the successors of the next state: `out` should have this many bytes,
    /// twice what they take.
    Full {
        bytes: usize,
    },
    /// There is no room for all entries of the shard that are in a part: it would have this many entries with them.
    Crowded {
        entries: usize,
    },
    Done,
}

/// The work on a shard. It can be left after every expansion.
pub(super) struct Work<P: SearchProblem> {
    pub(super) shard: usize,
    pub(super) stage: Stage,
    /// The entries of the shard that are in memory, until the work begins.
    lists: Vec<Entries<P::State>>,
    /// How many these were.
    pub(super) listed: usize,
    /// First all entries of the shard, then those that are expanded.
    pub(super) entries: Block<P::State>,
    /// When all are expanded, those that were, but for the first of `entries`: the others are in whole chunks.
    pub(super) expanded: Entries<P::State>,
    /// Empty chunks, whose memory is used again.
    pub(super) empty: EmptyChunks<P::State>,
    /// The first entries are no duplicates of each other.
    pub(super) unique: usize,
    /// Numbers of entries and bits of their hashes, by hash; 0 where there is none.
    pub(super) slots: Vec<u32>,
    /// Bits of the hashes of the entries: a state whose bit is not set is none of them.
    pub(super) filter: Vec<u64>,
    /// Entries that are closed, one bit each.
    pub(super) closed: Vec<u64>,
    /// Entries that were expanded at a larger g, one bit each.
    pub(super) larger: Vec<u64>,
    pub(super) bytes: Vec<u8>,
    pub(super) out: Outputs<P::State, P::Cost>,
    /// The bytes that `out` may hold beside what it held before.
    pub(super) allowance: usize,
    /// The bytes that all of it may hold, and the list of what was expanded beside it.
    pub(super) reserved: usize,
    /// It expands no more states.
    pub(super) expected: u64,
    /// Counts of duplicates, and of expansions.
    pub(super) found: Stats,
    pub(super) counts: Stats,
    pub(super) goal: Option<Goal<P::State, P::Cost>>,
    pub(super) overflow: Option<SearchError<P::Cost>>,
    pub(super) fault: Option<SearchError<P::Cost>>,
    successors: Successors<P>,
}

/// What an entry takes beside itself while duplicates are removed: in slots, bits, and as bytes of a file.
pub(super) fn bytes_beside<S: Encode>() -> usize {
    4 * (size_of::<u32>() + 1) + 1 + Entry::<S>::BYTES
}

/// How many slots the table of `entries` entries has.
pub(super) fn slots_for(entries: usize) -> usize {
    (2 * entries).next_power_of_two().max(2)
}

/// Empties a list, and makes room in it without having two at a time.
pub(super) fn room_for<T>(list: &mut Vec<T>, len: usize) {
    list.clear();
    if list.capacity() < len {
        *list = Vec::new();
        list.reserve_exact(len);
    }
}

impl<P: SearchProblem<State: Encode>> Work<P> {
    pub(super) fn new() -> Self {
        Self {
            shard: 0,
            stage: Stage::Done,
            lists: Vec::new(),
            listed: 0,
            entries: Block::new(),
            expanded: Entries::new(),
            empty: EmptyChunks::new(),
            unique: 0,
            slots: Vec::new(),
            filter: Vec::new(),
            closed: Vec::new(),
            larger: Vec::new(),
            bytes: Vec::new(),
            out: Outputs::new(),
            allowance: 0,
            reserved: 0,
            expected: 0,
            found: Stats::default(),
            counts: Stats::default(),
            goal: None,
            overflow: None,
            fault: None,
            successors: Successors::<P>::new(),
        }
    }

    /// Begins the work on a shard, of which these entries are in memory.
    ///
    /// It will have as many as `expected`.
    pub(super) fn begin(
        &mut self,
        shard: usize,
        lists: impl Iterator<Item = Entries<P::State>>,
        expected: usize,
    ) {
        self.shard = shard;
        self.expected = expected as u64;
        (self.stage, self.unique) = (Stage::Read { run: 0, part: 0 }, 0);
        (self.goal, self.overflow, self.fault) = (None, None, None);
        // Here, and not on another thread, whose allocator would keep it.
        self.entries.empty_for(expected);
        room_for(&mut self.slots, slots_for(expected));
        room_for(&mut self.filter, filter_for(expected));
        self.lists.extend(lists);
        self.listed = self.lists.iter().map(Entries::len).sum();
    }

    /// How many entries it has.
    pub(super) fn len(&self) -> usize {
        let lists: usize = self.lists.iter().map(Entries::len).sum();
        lists + self.entries.len() + self.expanded.len() + self.out.len()
    }

    /// The entries that are expanded, or were.
    pub(super) fn states(&self) -> impl Iterator<Item = (&P::State, u16)> {
        self.entries.iter().chain(self.expanded.iter())
    }

    /// The bytes that it holds.
    pub(super) fn held(&self) -> usize {
        self.entries.bytes()
            + self.slots.capacity() * size_of::<u32>()
            + (self.filter.capacity() + self.closed.capacity() + self.larger.capacity())
                * size_of::<u64>()
            + self.bytes.capacity()
            + self.successors.bytes()
            + self.empty.bytes()
            + self.out.held()
    }

    /// The bytes that it will hold at most for a shard of `entries` entries in lists of `lists` bytes, if `out` may hold
    /// `allowance` bytes and a part of a file has no more than `part` entries; and those of a list of what was expanded.
    pub(super) fn needed(
        &self,
        entries: usize,
        lists: usize,
        allowance: usize,
        part: usize,
    ) -> usize {
        let bits = entries.div_ceil(64) * size_of::<u64>();
        let read = part.max(entries) * Entry::<P::State>::BYTES;
        self.entries.capacity().max(entries) * Entry::<P::State>::IN_MEMORY
            + self.slots.capacity().max(slots_for(entries)) * size_of::<u32>()
            + self.filter.capacity().max(filter_for(entries)) * size_of::<u64>()
            + 2 * bits.max(self.closed.capacity() * size_of::<u64>())
            + self.bytes.capacity().max(read)
            + self.successors.bytes()
            + allowance
            + self.out.held()
            // Their chunks are used for those that are expanded.
            + Entries::<P::State>::bytes_for(entries).max(lists)
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
            let expanded = std::mem::replace(&mut self.expanded, Entries::new());
            self.gather([expanded]);
            self.counts = Stats::default();
            (self.goal, self.overflow, self.fault) = (None, None, None);
        }
    }

    /// Puts the entries of lists side by side, and keeps their chunks.
    fn gather(&mut self, lists: impl IntoIterator<Item = Entries<P::State>>) {
        for mut chunk in lists.into_iter().flat_map(Entries::into_chunks) {
            self.entries.append(&mut chunk);
            self.empty.keep(chunk);
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
            Stage::Read { run, part } => {
                let lists = std::mem::take(&mut self.lists);
                self.gather(lists);
                if let Some(entries) = self.read(view, run, part) {
                    return Left::Crowded { entries };
                }
            }
            Stage::Among { next } => self.remove_among(view.step, next),
            Stage::Against { segment, part, next } => self.remove_closed(view, segment, part, next),
            Stage::Expand { next } => {
                let left = self.expand(view, next, most, observer);
                if left == Left::Done && self.fault.is_none() {
                    self.expanded = Entries::drain_chunks(&mut self.entries, &mut self.empty);
                }
                return left;
            }
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

    pub(super) fn fail(&mut self, fault: DiskFault) {
        self.fault = Some(SearchError::Disk(fault));
        self.stage = Stage::Done;
    }

    /// Makes room for `entries` entries of the shard, with those that it has.
    pub(super) fn enlarge(&mut self, entries: usize) {
        self.entries.reserve_exact(entries - self.entries.len());
        room_for(&mut self.slots, slots_for(entries));
        room_for(&mut self.filter, filter_for(entries));
        self.expected = entries as u64;
    }

    /// Reads the entries of a part of a run. Returns how many it would have with all of a part for which there is no room.
    fn read(&mut self, view: &View<'_, P>, mut run: usize, part: usize) -> Option<usize> {
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
                    self.fail(fault);
                    return None;
                }
                // A part of several shards, or one that is partly expanded.
                let shard = (list.bits < view.bits).then_some(self.shard);
                let entries = &mut self.entries;
                let (before, mut beyond) = (entries.len(), 0);
                let read = decode(&self.bytes, |entry, hash| {
                    let mark = mark_of(hash);
                    if shard.is_none_or(|shard| shard_of(mark, view.bits) == shard)
                        && u32::from(mark) >= list.from
                    {
                        if entries.len() < entries.capacity() {
                            entries.push(entry);
                        } else {
                            beyond += 1;
                        }
                    }
                });
                if let Err(at) = read {
                    let at = list.place(part).0 + at;
                    let file = DiskFile::States(list.file);
                    self.fail(DiskFault::new(file, at, DiskFaultKind::Value));
                    return None;
                }
                if beyond > 0 {
                    // Its share of the part was larger than that of others. It is read again.
                    let needed = entries.len() + beyond;
                    entries.truncate(before);
                    self.stage = Stage::Read { run, part: skip };
                    return Some(needed);
                }
                done += self.bytes.len();
                skip += 1;
                if done >= view.step * Entry::<P::State>::BYTES {
                    self.stage = Stage::Read { run, part: skip };
                    return None;
                }
            }
            (run, skip) = (run + 1, 0);
        }
        self.begin_table();
        None
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
            let state = &self.entries.states()[i];
            self.successors.clear();
            view.problem.successors(state, &mut self.successors);
            if let Err(bytes) = self.out.reserve(self.successors.len(), self.allowance) {
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
                observer.generated(Some(&self.entries.states()[i]), &state, g);
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
            self.out.push((g, h, f), Entry { state, parent }, &mut self.empty);
        }
        Ok(())
    }
}

/// Reads entries with their hashes; an error is the byte at which one is no entry.
pub(super) fn decode<S: Encode + std::hash::Hash>(
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
