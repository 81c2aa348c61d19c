//! [`DiskEngine`]: which bucket is expanded next, what is kept in memory, and when the search ends.

use std::cmp::Reverse;
use std::fmt;
use std::hash::Hash;
use std::io::ErrorKind;

use rustc_hash::FxHashMap;

use super::checkpoint::Checkpoints;
use super::closed::{Closed, Segment, Store, parts_of};
use super::entry::{CHUNK, Entries, Entry, MOST_BITS, hash_of, mark_of, shard_of};
use super::fault::{DiskFault, DiskFaultKind, DiskFile};
use super::files::{FileId, Folder};
use super::open::{Bucket, Open, order};
use super::store::piece;
use super::work::{Counts, Goal, Left, MOST_ENTRIES, Stage, View, Work, bytes_beside};
use super::workers::{UNSEEN, Workers};
use crate::alarm::Interrupt;
use crate::cost::{Cost, larger, smaller};
use crate::encode::Encode;
use crate::engine::checked::{checked_step, sound_heuristic};
use crate::engine::{Engine, Progress, Run};
use crate::memory::Memory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::{SearchError, StopReason};

/// The engine of best-first search on disk: what [`DiskSearch`](crate::DiskSearch) builds.
pub struct DiskEngine<P: SearchProblem, W> {
    pub(super) problem: P,
    pub(super) starts: Vec<(P::State, P::Cost)>,
    /// Whether the starts are open.
    pub(super) has_begun: bool,
    pub(super) open: Open<P::State, P::Cost>,
    pub(super) closed: Closed<P::State, P::Cost>,
    pub(super) folder: Folder,
    /// Where closed states are written.
    pub(super) closed_file: Option<FileId>,
    pub(super) settings: Settings,
    pub(super) checkpoints: Option<Checkpoints>,
    pub(super) visit: Option<Visit<P::State, P::Cost>>,
    /// The shards of the visit that are worked on, in order.
    pub(super) works: Vec<Work<P>>,
    /// Those that were worked on, whose memory is used again.
    spare: Vec<Work<P>>,
    workers: W,
    /// The cheapest goal that was generated.
    pub(super) incumbent: Option<Goal<P::State, P::Cost>>,
    pub(super) overflow: Option<SearchError<P::Cost>>,
    pub(super) lower_bound: P::Cost,
    is_solved: bool,
    /// What entries are encoded into before they are written.
    pub(super) buffer: Vec<u8>,
    /// The bytes that the account of memory knows of.
    accounted: usize,
    /// How far it has come, and for how many turns it has come no further.
    mark: Mark,
    idle: u32,
    /// How many visits were left, one after the other, before a shard was worked on.
    idle_visits: u64,
}

/// What the builder sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// So many bytes are held in memory before entries are written.
    pub(super) memory: usize,
    /// So many entries are compared before limits are looked at.
    pub(super) step: usize,
    /// A part of a run has about so many entries at least, so that reading it is worth the way.
    pub(super) part: usize,
}

impl Settings {
    pub(super) fn new(memory: usize) -> Self {
        Self { memory, step: 4096, part: 512 }
    }
}

/// A bucket that is being expanded.
pub(super) struct Visit<S, C> {
    /// Its entries in files.
    bucket: Bucket<S, C>,
    /// How many entries it had.
    len: u64,
    bits: u32,
    prune: Option<C>,
    /// Entries that are not in their shards yet.
    unsorted: std::vec::IntoIter<Vec<Entry<S>>>,
    /// The entries of each shard, if they are in memory, until they are worked on.
    shards: Vec<Vec<Entry<S>>>,
    /// The next shard to be worked on.
    next: usize,
    /// Before this one, the visit is not left.
    stop: usize,
    /// So many shards are expanded before it may be left.
    batch: usize,
    /// Those that were expanded, of each shard.
    pub(super) parts: Vec<Vec<Entry<S>>>,
    /// The bytes of all these lists.
    bytes: usize,
    /// The bytes that the works may hold.
    reserved: usize,
    pub(super) number: u64,
}

/// How far a search has come, in an order in which it only gets further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    visit: u64,
    sorted: Reverse<usize>,
    shard: usize,
    stage: Stage,
    allowance: usize,
}

impl Default for Mark {
    fn default() -> Self {
        let sorted = Reverse(usize::MAX);
        Self { visit: 0, sorted, shard: 0, stage: Stage::Read { run: 0, part: 0 }, allowance: 0 }
    }
}

/// So many turns may pass in which a search gets no further.
const MOST_IDLE: u32 = 16;

/// A shard has about so many entries at most, so that its table fits into the cache.
const SHARD: usize = 1 << 14;

/// Runs are in no more than two to the power of this many parts.
pub(super) const RUN_BITS: u32 = 12;

/// So many closed states are compared with a bucket without regard to its size.
const SMALL: u64 = 4096;

/// Why the search cannot go on now.
pub(super) enum Halt<C> {
    Stop(StopReason),
    Error(SearchError<C>),
}

impl<C> From<SearchError<C>> for Halt<C> {
    fn from(error: SearchError<C>) -> Self {
        Self::Error(error)
    }
}

impl<C> From<StopReason> for Halt<C> {
    fn from(reason: StopReason) -> Self {
        Self::Stop(reason)
    }
}

impl<C> From<DiskFault> for Halt<C> {
    fn from(fault: DiskFault) -> Self {
        match fault.kind {
            DiskFaultKind::Io(ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
                Self::Stop(StopReason::Disk)
            }
            _ => Self::Error(SearchError::Disk(fault)),
        }
    }
}

type Halted<P, T = ()> = Result<T, Halt<<P as SearchProblem>::Cost>>;

impl<P, W> DiskEngine<P, W>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    W: Workers<P>,
{
    pub(super) fn new(
        problem: P,
        workers: W,
        settings: Settings,
        folder: Folder,
        checkpoints: Option<Checkpoints>,
    ) -> Self {
        Self {
            problem,
            starts: Vec::new(),
            has_begun: false,
            open: Open::new(),
            closed: Closed::new(),
            folder,
            closed_file: None,
            settings,
            checkpoints,
            visit: None,
            works: Vec::new(),
            spare: Vec::new(),
            workers,
            incumbent: None,
            overflow: None,
            lower_bound: P::Cost::ZERO,
            is_solved: false,
            buffer: Vec::new(),
            accounted: 0,
            mark: Mark::default(),
            idle: 0,
            idle_visits: 0,
        }
    }

    /// The most bytes that may be held.
    pub(super) fn most<O>(&self, run: &mut Run<P::Cost, O>) -> usize {
        let limit = run.budget().limits().memory_limit();
        self.settings.memory.min(limit.unwrap_or(usize::MAX))
    }

    /// The bytes that are held.
    pub(super) fn held(&self) -> usize {
        let spare: usize = self.spare.iter().map(Work::held).sum();
        let visit = self.visit.as_ref().map_or(0, |visit| visit.bytes + visit.reserved);
        let lists = self.open.held() + self.closed.held() + self.folder.held();
        lists + spare + visit + self.buffer.capacity()
    }

    /// Tells the account of memory what is held.
    fn account(&mut self, memory: &mut Memory) {
        let held = self.held();
        memory.release(self.accounted.saturating_sub(held));
        // Where it does not fit, nothing more will: `make_room` looks at it.
        let more = held.saturating_sub(self.accounted);
        let counted = if memory.claim(more).is_ok() { more } else { 0 };
        self.accounted = self.accounted.min(held) + counted;
    }

    /// Holds no more than it must.
    pub(super) fn tidy(&mut self) {
        self.open.tidy();
        self.closed.tidy();
        self.spare = Vec::new();
        self.buffer = Vec::new();
    }

    /// Makes sure that so many more bytes may be held: writes entries to files if they must not.
    pub(super) fn make_room<O>(&mut self, bytes: usize, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let most = self.most(run);
        // What the run holds itself: its layers.
        let bytes = bytes.saturating_add(run.memory().held().saturating_sub(self.accounted));
        // What is written is encoded first.
        let buffer = piece::<P::State>(most) * Entry::<P::State>::BYTES;
        let more = bytes.saturating_add(buffer.saturating_sub(self.buffer.capacity()));
        if self.held().saturating_add(more) > most {
            // Not only a little, or there is no room soon again.
            let enough = most / 4 * 3;
            while self.held().saturating_add(bytes) > enough {
                let before = self.held();
                if !self.spill(most, run)? || self.held() >= before {
                    break;
                }
            }
        }
        let is_enough = self.held().saturating_add(bytes) <= most;
        self.account(run.memory());
        if is_enough { Ok(()) } else { Err(StopReason::Memory.into()) }
    }

    /// Writes what takes the most memory to a file: open entries that are needed last, then closed ones, then others.
    /// Returns whether there was anything.
    fn spill<O>(&mut self, most: usize, run: &mut Run<P::Cost, O>) -> Halted<P, bool> {
        let worth = most / 256;
        let f = self.visit.as_ref().map(|visit| visit.bucket.f);
        let later = self.open.largest(f.or(self.open.least()));
        let closed = self.closed.largest();
        let any = self.open.largest(None);
        let large = |&bytes: &usize| bytes > worth;
        let disk = run.budget().limits().disk_limit();
        if let Some((_, layer, bucket)) = later.filter(|(bytes, ..)| large(bytes)) {
            self.write_bucket((layer, bucket), most, disk)?;
        } else if let Some((_, place)) = closed.filter(|(bytes, _)| large(bytes)) {
            self.write_segment(place, most, disk)?;
        } else if let Some((_, layer, bucket)) = any.filter(|&(bytes, ..)| bytes > 0) {
            self.write_bucket((layer, bucket), most, disk)?;
        } else if let Some((_, place)) = closed.filter(|&(bytes, _)| bytes > 0) {
            self.write_segment(place, most, disk)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Opens the starts.
    fn begin<O: Observer<P::State, P::Cost>>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        self.begin_checkpoints()?;
        let size = self.starts.len()
            * (size_of::<Entry<P::State>>()
                + 4 * size_of::<Bucket<P::State, P::Cost>>()
                + size_of::<(P::State, P::Cost)>()
                + 4 * size_of::<(&P::State, usize)>());
        self.make_room(size, run)?;
        for (state, cost) in distinct(&self.starts) {
            let Some(g) = checked_step(P::Cost::ZERO, cost, &mut self.overflow)? else { continue };
            if O::LISTENS {
                run.observer_mut().generated(None, &state, g);
            }
            let h = sound_heuristic(&self.problem, &state, g)?;
            run.stats_mut().evaluated += 1;
            if order(h, P::Cost::INFINITY).is_ge() {
                run.stats_mut().dead_ends += 1;
                continue;
            }
            let Some(f) = g.checked_add(h) else {
                self.overflow.get_or_insert(SearchError::Overflow { g, added: h });
                continue;
            };
            let parent = mark_of(hash_of(&state));
            if self.problem.is_goal(&state) {
                self.meet_goal(Goal { state, g, parent, before: 0 });
                continue;
            }
            let mut entries = Entries::new();
            entries.push(Entry { state, parent });
            self.open.add((g, h, f), &mut entries);
        }
        self.has_begun = true;
        run.stats_mut().peak_frontier = self.open.len;
        self.checkpoint(run)
    }

    fn meet_goal(&mut self, goal: Goal<P::State, P::Cost>) {
        if self.incumbent.as_ref().is_none_or(|best| goal.g < best.g) {
            self.incumbent = Some(goal);
        }
    }

    /// Takes the next bucket, or says how the search ends.
    fn begin_visit<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P, Option<Progress>> {
        let best = self.incumbent.as_ref().map(|goal| goal.g);
        let least = self.open.least();
        if let Some(cost) = best
            && least.is_none_or(|least| cost <= least)
        {
            if run.exceeds_cost_limit(cost) {
                return Err(StopReason::Cost.into());
            }
            self.is_solved = true;
            return Ok(None);
        }
        let Some(f) = least else {
            return self.overflow.map_or(Ok(Some(Progress::Exhausted)), |error| Err(error.into()));
        };
        if run.exceeds_cost_limit(f) {
            return Err(StopReason::Cost.into());
        }
        self.lower_bound = larger(self.lower_bound, f);
        Self::enter_layer(f, run)?;
        let most = self.most(run);
        let closed = &self.closed;
        let Some(mut bucket) = self.open.take(|bucket| is_worth(closed, bucket)) else {
            return Ok(Some(Progress::Exhausted));
        };
        let bits = match bucket.shards.len() {
            0 => shard_bits::<P::State>(bucket.len(), most),
            shards => shards.trailing_zeros(),
        };
        let lists = size_of::<Vec<Entry<P::State>>>() << bits;
        let sorted = if bits == 0 { 0 } else { bucket.entries.bytes() / 4 * 5 } + 2 * lists;
        let is_written = if bucket.runs.is_empty() {
            // The lists that are sorted into, beside those that are sorted.
            match self.make_room(bucket.held() + sorted, run) {
                Err(Halt::Stop(StopReason::Memory)) => true,
                other => {
                    if let Err(halt) = other {
                        self.open.add_bucket(bucket);
                        return Err(halt);
                    }
                    false
                }
            }
        } else {
            true
        };
        if is_written {
            let disk = run.budget().limits().disk_limit();
            let written = self.write_entries(&mut bucket, most, disk);
            if let Err(halt) = written.and_then(|()| self.make_room(bucket.held() + 2 * lists, run))
            {
                self.open.add_bucket(bucket);
                return Err(halt);
            }
        }
        let len = bucket.len();
        let room = most.saturating_sub(self.held() + bucket.held() + 2 * lists) / 4;
        self.closed.make_index(bucket.h, len, room);
        let unsorted = bucket.entries.take_chunks();
        let mut bytes = unsorted.as_slice().iter().map(bytes_of).sum::<usize>() + bucket.held();
        let mut shards: Vec<Vec<_>> = Vec::with_capacity(1 << bits);
        let expected: usize = unsorted.as_slice().iter().map(Vec::len).sum();
        let expected = if bits == 0 { expected } else { (expected >> bits) / 8 * 9 + 4 };
        let expected = if is_written { 0 } else { expected };
        if bucket.shards.is_empty() {
            shards.resize_with(1 << bits, || Vec::with_capacity(expected));
            bytes += shards.iter().map(bytes_of).sum::<usize>();
        } else {
            // What they hold is counted with the bucket.
            shards = std::mem::take(&mut bucket.shards);
        }
        bytes += 2 * lists;
        let mut parts = Vec::with_capacity(1 << bits);
        parts.resize_with(1 << bits, Vec::new);
        let number = self.closed.next;
        self.closed.next += 1;
        // An eighth, or as many as threads may share, but not so many that those that were expanded take much memory.
        let shard = usize::try_from(len >> bits).unwrap_or(usize::MAX).max(1);
        let affordable = most / 16 / shard.saturating_mul(size_of::<Entry<P::State>>());
        let batch = (1 << bits >> 3).max(8).min(affordable).clamp(1, 1 << bits);
        self.visit = Some(Visit {
            bucket,
            len,
            bits,
            prune: best,
            unsorted,
            shards,
            next: 0,
            stop: batch,
            batch,
            parts,
            bytes,
            reserved: 0,
            number,
        });
        Ok(None)
    }

    fn enter_layer<O: Observer<P::State, P::Cost>>(
        f: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P> {
        if run.is_new_layer(f) {
            run.make_room_for_layer().map_err(StopReason::from)?;
            run.enter_layer::<P::State>(f);
        }
        Ok(())
    }

    /// Sorts some entries of the visit into their shards.
    fn sort(visit: &mut Visit<P::State, P::Cost>) {
        let (mut freed, mut grown) = (0, 0);
        for chunk in visit.unsorted.by_ref().take(8) {
            freed += bytes_of(&chunk);
            for entry in chunk {
                let shard = match visit.bits {
                    0 => 0,
                    bits => shard_of(mark_of(hash_of(&entry.state)), bits),
                };
                let list = &mut visit.shards[shard];
                if list.len() == list.capacity() {
                    let before = bytes_of(list);
                    list.reserve_exact(list.len() / 8 + 4);
                    grown += bytes_of(list) - before;
                }
                list.push(entry);
            }
        }
        visit.bytes = visit.bytes + grown - freed;
    }

    /// Begins the work on the next shards.
    fn begin_works<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let most = self.most(run);
        let per_entry = size_of::<Entry<P::State>>() + bytes_beside::<P::State>();
        let allowance = (most / 128).clamp(1024, 1 << 22);
        while let Some(visit) = &mut self.visit
            && self.works.len() < self.workers.width()
            && visit.next < visit.stop
        {
            let shard = visit.next;
            let in_memory = visit.shards[shard].len();
            let entries = in_memory + written_in(&visit.bucket, shard, visit.bits);
            if entries == 0 {
                visit.next += 1;
                continue;
            }
            // A part of a closed run has about as many entries as one of these.
            let part = SHARD.min(most / 32 / per_entry);
            let part = part.max(piece::<P::State>(most).min(2 * self.settings.part));
            let needed = entries * per_entry - in_memory * size_of::<Entry<P::State>>()
                + 2 * allowance
                + part * Entry::<P::State>::BYTES;
            if entries > MOST_ENTRIES {
                return Err(StopReason::States { most: MOST_ENTRIES as u64 }.into());
            }
            match self.make_room(needed, run) {
                // The others have theirs.
                Err(Halt::Stop(StopReason::Memory)) if !self.works.is_empty() => return Ok(()),
                other => other?,
            }
            let Some(visit) = &mut self.visit else { return Ok(()) };
            let mut work = self.spare.pop().unwrap_or_else(Work::new);
            work.shrink(needed);
            work.begin(shard, std::mem::take(&mut visit.shards[shard]), entries);
            (work.reserved, work.allowance) = (needed, allowance);
            visit.reserved += needed;
            visit.next += 1;
            self.works.push(work);
            self.idle_visits = 0;
        }
        self.account(run.memory());
        Ok(())
    }

    /// Takes over what the first work has counted.
    fn count<O>(&mut self, left: &mut u64, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let Some(work) = self.works.first_mut() else { return Ok(()) };
        let stats = run.stats_mut();
        for counts in [std::mem::take(&mut work.found), std::mem::take(&mut work.counts)] {
            let Counts { expanded, generated, duplicates, reopened, dead_ends } = counts;
            stats.expanded += expanded;
            stats.generated += generated;
            stats.evaluated += generated;
            stats.duplicates += duplicates;
            stats.reopened += reopened;
            stats.dead_ends += dead_ends;
            *left = left.saturating_sub(expanded);
        }
        if self.overflow.is_none() {
            self.overflow = work.overflow;
        }
        if let Some(fault) = work.fault {
            return Err(fault.into());
        }
        if let (Some(visit), Some(goal)) = (&self.visit, work.goal.take()) {
            let before = visit.number + 1;
            self.is_solved |= goal.g <= visit.bucket.f;
            self.meet_goal(Goal { before, ..goal });
        }
        Ok(())
    }

    /// Takes over what the first work has generated. (Not at every stop: what is written to files does not depend on
    /// stops.)
    fn absorb<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let Some(work) = self.works.first() else { return Ok(()) };
        // It is seldom needed to look at each list.
        let list = CHUNK * size_of::<Entry<P::State>>() + size_of::<Bucket<P::State, P::Cost>>();
        let grown = 2 * work.out.held() + 4 * work.out.lists() * list + 2 * self.open.lists();
        let grown = if self.held().saturating_add(grown) <= self.most(run) {
            0
        } else {
            let lists = work.out.all().map(|(key, entries)| self.open.growth(key, entries));
            work.out.held() + lists.sum::<usize>()
        };
        self.make_room(grown, run)?;
        let (open, Some(work)) = (&mut self.open, self.works.first_mut()) else { return Ok(()) };
        work.out.drain(|key, entries| open.add(key, entries));
        let stats = run.stats_mut();
        stats.peak_frontier = stats.peak_frontier.max(self.open.len);
        self.account(run.memory());
        Ok(())
    }

    /// Puts what the first work has expanded among the closed states of the visit.
    fn close_first(&mut self) {
        let Some(visit) = &mut self.visit else { return };
        let mut work = self.works.remove(0);
        let mut entries = std::mem::take(&mut work.entries);
        // It was counted there while it was worked on.
        visit.bytes -= work.taken;
        entries.shrink_to_fit();
        visit.bytes += bytes_of(&entries);
        visit.reserved -= work.reserved;
        visit.parts[work.shard] = entries;
        work.shrink(work.reserved);
        self.spare.push(work);
    }

    /// Leaves the visit early if there are deeper states, or goes on with it.
    fn leave_visit<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let Some(visit) = &mut self.visit else { return Ok(()) };
        if visit.next >= visit.shards.len() {
            return self.end_visit(run);
        }
        let (closed, Bucket { f, g, .. }) = (&self.closed, &visit.bucket);
        if !self.open.has_deeper(*f, *g, |bucket| is_worth(closed, bucket)) {
            visit.stop = (visit.next + visit.batch).min(visit.shards.len());
            self.close_visited(run);
            return Ok(());
        }
        let from = u32::try_from(visit.next << (MOST_BITS - visit.bits)).unwrap_or(u32::MAX);
        let mut rest = Bucket::new((visit.bucket.g, visit.bucket.h, visit.bucket.f));
        (rest.runs, rest.files) =
            (std::mem::take(&mut visit.bucket.runs), std::mem::take(&mut visit.bucket.files));
        for run in &mut rest.runs {
            run.from = run.from.max(from);
            let parts = (from >> (MOST_BITS - run.bits)) as usize..run.parts.len();
            rest.written +=
                parts.map(|part| run.place(part).1).sum::<u64>() / Entry::<P::State>::BYTES as u64;
        }
        if rest.runs.is_empty() {
            rest.shards = std::mem::take(&mut visit.shards);
        }
        self.open.add_bucket(rest);
        self.idle_visits += 1;
        self.end_visit(run)
    }

    /// Puts what was expanded in the visit into the closed list, from which it can go to files.
    fn close_visited<O>(&mut self, run: &mut Run<P::Cost, O>) {
        let Some(visit) = &mut self.visit else { return };
        let len = visit.parts.iter().map(|part| part.len() as u64).sum();
        if len > 0 {
            let mut parts = Vec::with_capacity(visit.parts.len());
            parts.resize_with(visit.parts.len(), Vec::new);
            std::mem::swap(&mut parts, &mut visit.parts);
            visit.bytes -= parts.iter().map(bytes_of).sum::<usize>();
            let key = (visit.bucket.g, visit.number, len);
            self.closed.add(visit.bucket.h, Segment::new(key, Store::Memory(parts)));
        }
        self.account(run.memory());
    }

    /// Ends the visit: its states are closed.
    fn end_visit<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        self.close_visited(run);
        if let Some(visit) = self.visit.take() {
            for file in visit.bucket.files {
                self.folder.discard(file);
            }
            self.account(run.memory());
            if self.checkpoints.as_ref().is_some_and(|made| made.is_due(run.stats_mut().expanded)) {
                return self.checkpoint(run);
            }
        }
        Ok(())
    }

    fn search<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P, Progress> {
        if !self.has_begun {
            self.begin(run)?;
        }
        // The limit on the cost may have been lowered in the middle of a bucket, or after it.
        let solved = self.incumbent.as_ref().filter(|_| self.is_solved).map(|goal| goal.g);
        let least = solved.or(self.visit.as_ref().map(|visit| visit.bucket.f));
        if least.is_some_and(|least| run.exceeds_cost_limit(least)) {
            return Err(StopReason::Cost.into());
        }
        let is_watched = run.budget().allowed(u64::MAX) != u64::MAX;
        let mut left = most;
        loop {
            if let Some(progress) = self.turn(&mut left, is_watched, run)? {
                return Ok(progress);
            }
            self.check_progress()?;
            if is_watched && run.budget().check_now().is_err() {
                return Ok(Progress::Paused);
            }
        }
    }

    /// Does the next piece of work; returns what ends it, if anything does.
    fn turn<O: Observer<P::State, P::Cost>>(
        &mut self,
        left: &mut u64,
        is_watched: bool,
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P, Option<Progress>> {
        if self.is_solved {
            if let Some(goal) = &self.incumbent {
                Self::enter_layer(goal.g, run)?;
            }
            return Ok(Some(Progress::Found));
        }
        let Some(visit) = &mut self.visit else { return self.begin_visit(run) };
        if visit.unsorted.len() > 0 {
            Self::sort(visit);
            return Ok(None);
        }
        self.begin_works(run)?;
        if self.works.is_empty() {
            self.leave_visit(run)?;
            return Ok(None);
        }
        let all: u64 = self.works.iter().map(|work| work.expected).sum();
        let first = if self.works.len() > 1 && *left >= all && !O::LISTENS {
            self.work_on_all(is_watched, run.budget.interrupt())
        } else {
            self.works.iter_mut().skip(1).for_each(Work::rewind);
            let most = if is_watched { (*left).min(UNSEEN) } else { *left };
            let Run { budget, observer, .. } = run;
            self.work_on_first(most, (is_watched, budget.interrupt()), observer)
        };
        self.count(left, run)?;
        match first {
            Left::Done if self.is_solved => {}
            Left::Done => {
                self.absorb(run)?;
                self.close_first();
            }
            Left::Full { bytes } => {
                self.absorb(run)?;
                self.allow(bytes, run)?;
            }
            Left::Spent if *left == 0 => return Ok(Some(Progress::Going)),
            Left::Spent | Left::Busy => {}
        }
        Ok(None)
    }

    /// Makes sure that the search comes further with every turn but a few, whatever goes wrong.
    fn check_progress(&mut self) -> Result<(), DiskFault> {
        let first = self.works.first();
        let mark = match &self.visit {
            Some(visit) => Mark {
                visit: visit.number,
                sorted: Reverse(visit.unsorted.len()),
                shard: first.map_or(visit.next, |work| work.shard),
                stage: first.map_or(Stage::Read { run: 0, part: 0 }, |work| work.stage),
                allowance: first.map_or(0, |work| work.allowance),
            },
            None => Mark { visit: self.closed.next, ..Mark::default() },
        };
        self.idle = if mark > self.mark { 0 } else { self.idle + 1 };
        self.mark = mark;
        // A visit is left before it begins only for a deeper bucket.
        if self.idle > MOST_IDLE || self.idle_visits > self.open.buckets().count() as u64 + 1 {
            return Err(DiskFault {
                file: DiskFile::Folder,
                at: 0,
                kind: DiskFaultKind::NoProgress,
            });
        }
        Ok(())
    }

    /// Lets the first work hold more, if the successors of one state need it.
    fn allow<O>(&mut self, bytes: usize, run: &mut Run<P::Cost, O>) -> Halted<P> {
        // Beside the lists, which are empty now.
        let needed = |work: &Work<P>| bytes + work.out.held();
        let more = self.works.first().map(|work| needed(work).saturating_sub(work.allowance));
        if let Some(more) = more.filter(|&more| more > 0) {
            self.make_room(2 * more, run)?;
            if let (Some(work), Some(visit)) = (self.works.first_mut(), &mut self.visit) {
                work.allowance += more;
                work.reserved += 2 * more;
                visit.reserved += 2 * more;
            }
        }
        Ok(())
    }

    /// Goes on with the first shard until it is left.
    fn work_on_first<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        (is_watched, interrupt): (bool, &Interrupt),
        observer: &mut O,
    ) -> Left {
        let (Some(visit), Some(work)) = (&self.visit, self.works.first_mut()) else {
            return Left::Busy;
        };
        let view = View {
            problem: &self.problem,
            g: visit.bucket.g,
            h: visit.bucket.h,
            f: visit.bucket.f,
            bits: visit.bits,
            prune: visit.prune,
            runs: &visit.bucket.runs,
            segments: self.closed.segments(visit.bucket.h),
            index: self.closed.index(visit.bucket.h, visit.len),
            folder: &self.folder,
            step: self.settings.step,
            interrupt,
        };
        work.go_on_while(&view, most, observer, |left| left == Left::Busy && !is_watched)
    }

    /// Goes on with all shards that are worked on, on threads; returns how the first was left.
    fn work_on_all(&mut self, is_watched: bool, interrupt: &Interrupt) -> Left {
        let Some(visit) = &self.visit else { return Left::Busy };
        let view = View {
            problem: &self.problem,
            g: visit.bucket.g,
            h: visit.bucket.h,
            f: visit.bucket.f,
            bits: visit.bits,
            prune: visit.prune,
            runs: &visit.bucket.runs,
            segments: self.closed.segments(visit.bucket.h),
            index: self.closed.index(visit.bucket.h, visit.len),
            folder: &self.folder,
            step: self.settings.step,
            interrupt,
        };
        self.workers.run(&view, &mut self.works, is_watched)
    }
}

impl<P, W> Engine for DiskEngine<P, W>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    W: Workers<P>,
{
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let progress = match self.search(most, run) {
            Ok(progress) => progress,
            Err(Halt::Stop(reason)) => Progress::Stopped(reason),
            Err(Halt::Error(error)) => return Err(error),
        };
        if progress != Progress::Paused {
            // It is not the engine that stops here again and again.
            self.idle = 0;
        }
        Ok(progress)
    }

    fn watches_clock(&self) -> bool {
        self.workers.width() > 1
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        if !self.has_begun {
            return P::Cost::ZERO;
        }
        let visit = self.visit.as_ref().map(|visit| visit.bucket.f);
        let goal = self.incumbent.as_ref().map(|goal| goal.g);
        let waiting = self.works.iter().filter_map(|work| work.out.least());
        let least = waiting.chain(self.open.least()).chain(visit).chain(goal).reduce(smaller);
        larger(self.lower_bound, least.unwrap_or(P::Cost::INFINITY))
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.path_to_goal()
    }

    fn stored(&self) -> usize {
        let visit = self.visit.as_ref().map_or(0, Visit::listed);
        let works: usize = self.works.iter().map(|work| work.entries.len() + work.out.len()).sum();
        let listed = usize::try_from(self.open.len + self.closed.len + visit);
        listed.unwrap_or(usize::MAX).saturating_add(works)
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.starts = starts.into_iter().collect();
        self.has_begun = false;
        (self.open, self.closed) = (Open::new(), Closed::new());
        self.folder.clear();
        self.closed_file = None;
        self.visit = None;
        self.works.clear();
        (self.incumbent, self.overflow) = (None, None);
        (self.lower_bound, self.is_solved) = (P::Cost::ZERO, false);
        (self.mark, self.idle, self.idle_visits) = (Mark::default(), 0, 0);
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }
}

/// The starts, each state once and at its smallest cost: they are given, not generated, so none is a duplicate.
fn distinct<S: Clone + Eq + Hash, C: Cost>(starts: &[(S, C)]) -> Vec<(S, C)> {
    let mut places = FxHashMap::default();
    let mut distinct: Vec<(S, C)> = Vec::with_capacity(starts.len());
    for (state, cost) in starts {
        let place = *places.entry(state).or_insert(distinct.len());
        match distinct.get_mut(place) {
            Some((_, known)) if cost < known => *known = *cost,
            Some((_, known)) if cost >= known => {}
            // It is new, or its cost is no number, which is an error where it is opened.
            _ => distinct.push((state.clone(), *cost)),
        }
    }
    distinct
}

impl<S, C: Cost> Visit<S, C> {
    pub(super) fn g(&self) -> C {
        self.bucket.g
    }

    /// How many entries it has, without those that are worked on.
    fn listed(&self) -> u64 {
        let lists = self.shards[self.next.min(self.shards.len())..].iter().chain(&self.parts);
        let unsorted = self.unsorted.as_slice().iter();
        lists.chain(unsorted).map(|list| list.len() as u64).sum()
    }
}

/// Whether a bucket has so many entries that it is worth to compare it with the closed states of its class.
fn is_worth<S, C: Cost>(closed: &Closed<S, C>, bucket: &Bucket<S, C>) -> bool {
    let len = bucket.len();
    closed.compared(bucket.h, len) <= 4 * len + SMALL
}

/// The bytes of a list.
fn bytes_of<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// How many entries of a shard are written.
fn written_in<S: Encode, C>(bucket: &Bucket<S, C>, shard: usize, bits: u32) -> usize {
    let bytes = bucket.runs.iter().map(|run| {
        if (shard + 1) << (MOST_BITS - bits) <= run.from as usize {
            return 0;
        }
        let parts = parts_of(shard, bits, run.bits).map(|part| run.place(part).1).sum::<u64>();
        // Where a part holds several shards, this one has about its share, and perhaps a little more.
        if bits > run.bits { (parts >> (bits - run.bits)) / 4 * 5 } else { parts }
    });
    let bytes = usize::try_from(bytes.sum::<u64>()).unwrap_or(usize::MAX);
    bytes.div_ceil(Entry::<S>::BYTES)
}

/// Two to the power of this is the number of shards of a bucket with so many entries, in so much memory.
fn shard_bits<S: Encode>(entries: u64, memory: usize) -> u32 {
    let most = memory / 32 / (size_of::<Entry<S>>() + bytes_beside::<S>());
    let bits_for = |shard: usize| {
        let shards = entries.div_ceil(shard.max(64) as u64).next_power_of_two();
        shards.trailing_zeros().min(MOST_BITS)
    };
    bits_for(most).max(bits_for(SHARD).min(RUN_BITS))
}

impl<P: SearchProblem, W> DiskEngine<P, W> {
    /// The bytes of all files that there are now.
    pub fn bytes_in_files(&self) -> u64 {
        self.folder.bytes()
    }
}

impl<P: SearchProblem, W> fmt::Debug for DiskEngine<P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiskEngine")
            .field("open", &self.open.len)
            .field("closed", &self.closed.len)
            .field("bytes_in_files", &self.folder.bytes())
            .finish_non_exhaustive()
    }
}
