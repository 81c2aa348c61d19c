//! How the shards of a visit are worked on, and what becomes of what they found.

use super::closed::{Closed, Store, parts_of};
use super::duplicates::MOST_ENTRIES;
use super::engine::{DiskEngine, Halted, Settings};
use super::entries::{CHUNK, EmptyChunks, Entries};
use super::entry::{Entry, MOST_BITS};
use super::files::{Folder, Run as FileRun};
use super::open::Bucket;
use super::store::piece;
use super::visit::Visit;
use super::work::{Goal, Left, View, Work, bytes_beside};
use super::workers::Workers;
use crate::encode::Encode;
use crate::engine::Run;
use crate::engine::halt::Halt;
use crate::interrupt::Interrupt;
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::StopReason;

/// A shard has at most about this many entries, so that its table fits into the cache.
pub(super) const SHARD: usize = 1 << 14;

impl<P, W> DiskEngine<P, W>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    W: Workers<P>,
{
    /// Begins the work on the next shards.
    pub(super) fn begin_works<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let most = self.most(run);
        while let Some(visit) = &mut self.visit
            && self.works.len() < works_for(self.workers.threads())
            && visit.next < visit.stop
        {
            let shard = visit.next;
            let lists = || visit.sortings.iter().map(|part| &part.shards[shard]);
            let held = lists().map(Entries::bytes).sum();
            let in_memory: usize = lists().map(Entries::len).sum();
            let entries = in_memory + written_in(&visit.bucket, shard, visit.bits);
            if entries == 0 {
                visit.next += 1;
                continue;
            }
            let successors = visit.successors;
            let part = self.longest_part(shard, most);
            if entries > MOST_ENTRIES {
                return Err(StopReason::States { most: MOST_ENTRIES as u64 }.into());
            }
            let mut work = self.spare.pop().unwrap_or_else(Work::new);
            let allowance = allowance_for::<P::State>(entries, successors, most);
            // About as many as the successors take. Before there is made room, or they are freed for it.
            let chunks = (2 * entries / CHUNK).min(allowance / 3 / EmptyChunks::<P::State>::EACH);
            work.empty.take_from(&mut self.empty, chunks);
            let mut needed = work.needed(entries, held, allowance, part);
            let mut room = self.make_room(needed, run);
            if room.as_ref().is_err_and(Halt::lacks_memory) && work.held() > 0 {
                // One that was not used before holds no more than it needs.
                work = Work::new();
                needed = work.needed(entries, held, allowance, part);
                room = self.make_room(needed, run);
            }
            match room {
                // The others have theirs.
                Err(halt) if halt.lacks_memory() && !self.works.is_empty() => return Ok(()),
                other => other?,
            }
            let Some(visit) = &mut self.visit else { return Ok(()) };
            (work.reserved, work.allowance) = (needed, allowance);
            work.begin(shard, visit.sortings.iter_mut().map(|part| part.take(shard)), entries);
            visit.reserved += needed;
            visit.next += 1;
            self.works.push(work);
            self.idle_visits = 0;
        }
        self.account(run.memory());
        Ok(())
    }

    /// Takes over what the first work has counted.
    pub(super) fn count<O>(&mut self, left: &mut u64, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let Some(work) = self.works.first_mut() else { return Ok(()) };
        let stats = run.stats_mut();
        for counts in [std::mem::take(&mut work.found), std::mem::take(&mut work.counts)] {
            stats.add(&counts);
            stats.evaluated += counts.generated;
            *left = left.saturating_sub(counts.expanded);
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
    pub(super) fn absorb<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let Some(work) = self.works.first() else { return Ok(()) };
        let grown = work.out.growth(&mut self.open);
        self.make_room(grown, run)?;
        let Some(work) = self.works.first_mut() else { return Ok(()) };
        work.out.drain_into(&mut self.open);
        let stats = run.stats_mut();
        stats.peak_frontier = stats.peak_frontier.max(self.open.len);
        self.account(run.memory());
        Ok(())
    }

    /// Puts what the first work has expanded among the closed states of the visit.
    pub(super) fn close_first(&mut self) {
        let Some(visit) = &mut self.visit else { return };
        let mut work = self.works.remove(0);
        let mut list = std::mem::replace(&mut work.expanded, Entries::new());
        // Here, and not on another thread, whose allocator would keep it.
        list.drain_last(&mut work.entries);
        visit.bytes += list.bytes();
        visit.reserved -= work.reserved;
        visit.parts[work.shard] = list;
        self.empty.append(&mut work.empty);
        work.shrink(work.reserved);
        self.spare.push(work);
    }

    /// Lets the first work hold more, if the successors of one state need it.
    pub(super) fn allow<O>(&mut self, bytes: usize, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let Some(work) = self.works.first().filter(|work| bytes > work.allowance) else {
            return Ok(());
        };
        let entries = work.entries.len();
        // With some to spare, or this happens at every state.
        let mut allowance = bytes.saturating_mul(4);
        match self.reserve(entries, allowance, run) {
            Err(halt) if halt.lacks_memory() => {
                allowance = bytes;
                self.reserve(entries, allowance, run)?;
            }
            other => other?,
        }
        if let Some(work) = self.works.first_mut() {
            work.allowance = allowance;
        }
        Ok(())
    }

    /// Lets the first work have more entries: of parts with several shards, its share was only a guess.
    pub(super) fn enlarge<O>(&mut self, entries: usize, run: &mut Run<P::Cost, O>) -> Halted<P> {
        if entries > MOST_ENTRIES {
            return Err(StopReason::States { most: MOST_ENTRIES as u64 }.into());
        }
        let Some(allowance) = self.works.first().map(|work| work.allowance) else { return Ok(()) };
        // With some to spare, or this happens at every part.
        let mut room = (entries + entries / 4).min(MOST_ENTRIES);
        match self.reserve(room, allowance, run) {
            Err(halt) if halt.lacks_memory() => {
                room = entries;
                self.reserve(room, allowance, run)?;
            }
            other => other?,
        }
        if let Some(work) = self.works.first_mut() {
            work.enlarge(room);
        }
        Ok(())
    }

    /// Reserves what the first work needs for `entries` entries and `allowance` bytes of successors.
    fn reserve<O>(
        &mut self,
        entries: usize,
        allowance: usize,
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P> {
        let Some(work) = self.works.first() else { return Ok(()) };
        let part = self.longest_part(work.shard, self.most(run));
        let chunks = work.empty.bytes();
        let more = work.needed(entries, chunks, allowance, part).saturating_sub(work.reserved);
        self.make_room(more, run)?;
        if let (Some(work), Some(visit)) = (self.works.first_mut(), &mut self.visit) {
            work.reserved += more;
            visit.reserved += more;
        }
        Ok(())
    }

    /// About how many entries a part of a file that the work on this shard reads has at most.
    fn longest_part(&self, shard: usize, most: usize) -> usize {
        let per_entry = Entry::<P::State>::IN_MEMORY + bytes_beside::<P::State>();
        // A part of a closed run has about as many entries as one of these.
        let part = SHARD.min(most / 32 / per_entry);
        let part = part.max(piece::<P::State>(most).min(2 * self.settings.part));
        let Some(visit) = &self.visit else { return part };
        let (bits, size) = (visit.bits, Entry::<P::State>::BYTES as u64);
        let longest = |run: &FileRun| {
            let parts = parts_of(shard, bits, run.bits).map(|part| run.place(part).1 / size);
            parts.max().and_then(|entries| usize::try_from(entries).ok()).unwrap_or(0)
        };
        let closed = self.closed.segments(visit.bucket.h).iter().map(|segment| {
            match segment.store() {
                Store::File(run) => longest(run),
                // It may be in a file before it is compared.
                Store::Memory(parts) => {
                    let parts =
                        parts_of(shard, bits, segment.store().bits()).map(|part| parts[part].len());
                    parts.max().unwrap_or(0)
                }
            }
        });
        visit.bucket.runs.iter().map(longest).chain(closed).fold(part, usize::max)
    }

    /// Goes on with the first shard until it is left.
    pub(super) fn work_on_first<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        (is_watched, interrupt): (bool, &Interrupt),
        observer: &mut O,
    ) -> Left {
        let Some(visit) = &self.visit else { return Left::Busy };
        let view = view(visit, &self.problem, &self.closed, &self.folder, self.settings, interrupt);
        let Some(work) = self.works.first_mut() else { return Left::Busy };
        work.go_on_while(&view, most, observer, |left| left == Left::Busy && !is_watched)
    }

    /// Goes on with all shards that are worked on, on threads; returns how the first was left.
    pub(super) fn work_on_all(&mut self, is_watched: bool, interrupt: &Interrupt) -> Left {
        let Some(visit) = &self.visit else { return Left::Busy };
        let view = view(visit, &self.problem, &self.closed, &self.folder, self.settings, interrupt);
        self.workers.run(&view, &mut self.works, is_watched)
    }
}

/// The bytes that the successors of `entries` states may take while their lists grow, if each has about `successors`. If they
/// are more, they are put away in between, and other threads wait.
fn allowance_for<S>(entries: usize, successors: usize, memory: usize) -> usize {
    let each = (4 * Entry::<S>::IN_MEMORY).saturating_mul(successors.saturating_add(1));
    (memory / 64).min(entries.saturating_mul(each).saturating_add(1 << 18)).clamp(1024, 1 << 24)
}

/// How many shards are worked on at one time: some differ in size, and threads wait for the last.
fn works_for(threads: usize) -> usize {
    if threads > 1 { 4 * threads } else { 1 }
}

/// What all shards of a visit see.
fn view<'a, P: SearchProblem>(
    visit: &'a Visit<P::State, P::Cost>,
    problem: &'a P,
    closed: &'a Closed<P::State, P::Cost>,
    folder: &'a Folder,
    settings: Settings,
    interrupt: &'a Interrupt,
) -> View<'a, P> {
    View {
        problem,
        g: visit.bucket.g,
        h: visit.bucket.h,
        f: visit.bucket.f,
        bits: visit.bits,
        prune: visit.prune,
        runs: &visit.bucket.runs,
        segments: closed.segments(visit.bucket.h),
        folder,
        step: settings.step,
        interrupt,
    }
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
