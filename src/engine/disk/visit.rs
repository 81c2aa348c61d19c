//! [`Visit`]: a bucket that is being expanded, shard by shard.

use std::hash::Hash;

use super::closed::{Closed, Segment, Store};
use super::engine::{DiskEngine, Halted, RUN_BITS};
use super::entries::{EmptyChunks, Entries};
use super::entry::{Entry, MOST_BITS};
use super::open::Bucket;
use super::shards::SHARD;
use super::sorting::{Sorting, lists_of, parts_for};
use super::work::bytes_beside;
use super::workers::Workers;
use crate::cost::{Cost, larger};
use crate::encode::Encode;
use crate::engine::{Progress, Run};
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::{Stats, StopReason};

/// How many closed states are compared with a bucket regardless of its size.
const SMALL: u64 = 4096;

/// For each expansion, this many closed states may be compared with buckets that are too small to be worth it.
///
/// With none, small buckets wait until all others of their layer are expanded, and the last layer is expanded in its
/// breadth: on Korf's second 15-puzzle 7.8 million states of it instead of 2.3 million with eight.
const DESCENT: u64 = 8;

/// The other costs of visiting such a bucket, in comparisons.
const VISIT: u64 = 16_384;

/// A bucket has at least this many shards, if each has enough entries: their tables stay in the nearest cache, and threads have
/// something to share.
const LEAST_SHARDS: u64 = 8;

/// With fewer entries, it takes longer to begin a shard than it gains: in a search that has expanded [few](FEW) states, and in
/// one that has expanded more, whose buckets are compared with many states.
const SMALL_SHARDS: [u64; 2] = [2048, 512];

/// At most this many states are few.
const FEW: u64 = 1 << 18;

/// A bucket that is being expanded.
pub(super) struct Visit<S, C> {
    /// Its entries in files.
    pub(super) bucket: Bucket<S, C>,
    /// How many entries it had.
    pub(super) len: u64,
    pub(super) bits: u32,
    pub(super) prune: Option<C>,
    /// Its entries in memory, in parts, each of which is sorted into shards by one thread.
    pub(super) sortings: Vec<Sorting<S>>,
    /// The next shard to be worked on.
    pub(super) next: usize,
    /// Before this one, the visit is not left.
    pub(super) stop: usize,
    /// How many shards are expanded before it may be left.
    batch: usize,
    /// Those that were expanded, of each shard.
    pub(super) parts: Vec<Entries<S>>,
    /// The bytes of all these lists, but those that are sorted.
    pub(super) bytes: usize,
    /// The bytes that the works may hold.
    pub(super) reserved: usize,
    /// How many successors a state has, as far as is known.
    pub(super) successors: usize,
    pub(super) number: u64,
}

impl<S: Encode + Hash, C: Cost> Visit<S, C> {
    /// Begins to visit a bucket, for which there is room: in memory, to be sorted in `sorted_in` parts, or in files if
    /// that is 0.
    fn new(
        mut bucket: Bucket<S, C>,
        bits: u32,
        sorted_in: usize,
        number: u64,
        empty: &mut EmptyChunks<S>,
    ) -> Self {
        let len = bucket.len();
        if bits == 0 && sorted_in > 0 && bucket.shards.is_empty() {
            // They are one shard as they are.
            bucket.shards = vec![std::mem::replace(&mut bucket.entries, Entries::new())];
        }
        let entries = std::mem::replace(&mut bucket.entries, Entries::new());
        let count = sorted_in.max(1);
        let expected =
            if sorted_in == 0 { 0 } else { ((entries.len() / count) >> bits) / 8 * 9 + 4 };
        let mut unsorted = entries.into_chunks();
        let each = unsorted.count_left().div_ceil(count);
        // Those that were sorted already come first.
        let mut shards = std::mem::take(&mut bucket.shards);
        let sortings = (0..count).map(|_| {
            let (part, shards) = (unsorted.split(each), std::mem::take(&mut shards));
            if shards.is_empty() {
                Sorting::new(part, bits, expected, empty)
            } else {
                Sorting::go_on(part, bits, shards)
            }
        });
        let sortings = sortings.collect();
        let mut parts = Vec::with_capacity(1 << bits);
        parts.resize_with(1 << bits, Entries::new);
        let bytes = bucket.held() + lists_of::<S>(bits);
        let (prune, next, stop, batch, reserved, successors) = (None, 0, 0, 0, 0, 0);
        Self {
            bucket,
            len,
            bits,
            prune,
            sortings,
            next,
            stop,
            batch,
            parts,
            bytes,
            reserved,
            successors,
            number,
        }
    }

    pub(super) fn g(&self) -> C {
        self.bucket.g
    }

    /// How many shards it has.
    pub(super) fn shards(&self) -> usize {
        1 << self.bits
    }

    /// How many entries it has, without those that are worked on.
    pub(super) fn listed(&self) -> u64 {
        let waiting = self.sortings.iter().map(|sorting| sorting.len_from(self.next));
        waiting.sum::<u64>() + self.parts.iter().map(|list| list.len() as u64).sum::<u64>()
    }

    /// How many chunks are not sorted yet.
    pub(super) fn unsorted(&self) -> usize {
        self.sortings.iter().map(Sorting::count_left).sum()
    }

    /// The bytes that it holds, and that its works may hold.
    pub(super) fn held(&self) -> usize {
        let sorted: usize = self.sortings.iter().map(|sorting| sorting.bytes).sum();
        sorted + self.bytes + self.reserved
    }

    /// What is left of it, as a bucket. Its own is empty then.
    fn take_rest(&mut self) -> Bucket<S, C> {
        let from = u32::try_from(self.next << (MOST_BITS - self.bits)).unwrap_or(u32::MAX);
        let mut rest = Bucket::new((self.bucket.g, self.bucket.h, self.bucket.f));
        self.bytes -= self.bucket.held();
        (rest.runs, rest.files) =
            (std::mem::take(&mut self.bucket.runs), std::mem::take(&mut self.bucket.files));
        for run in &mut rest.runs {
            run.from = run.from.max(from);
            rest.written += run.open_bytes() / Entry::<S>::BYTES as u64;
        }
        self.bytes += self.bucket.held();
        let mut lists = self.sortings.drain(..).map(|sorting| sorting.shards);
        if rest.runs.is_empty() {
            rest.shards = lists.next().unwrap_or_default();
            for others in lists {
                for (list, other) in rest.shards.iter_mut().zip(others) {
                    list.append(other);
                }
            }
        }
        rest
    }
}

impl<P, W> DiskEngine<P, W>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    W: Workers<P>,
{
    /// Takes the next bucket, or says how the search ends.
    pub(super) fn begin_visit<O: Observer<P::State, P::Cost>>(
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
        let (closed, credit) = (&self.closed, self.credit);
        let Some(mut bucket) = self.open.take(|bucket| excess(closed, bucket) <= credit) else {
            return Ok(Some(Progress::Exhausted));
        };
        self.credit = credit.saturating_sub(excess(closed, &bucket));
        let most = self.most(run);
        let bits = match bucket.shards.len() {
            0 => shard_bits::<P::State>(bucket.len(), self.closed.len, most),
            shards => shards.trailing_zeros(),
        };
        // At the beginning of a visit this does not depend on threads.
        let Stats { generated, expanded, .. } = *run.stats_mut();
        let successors = usize::try_from(generated.div_ceil(expanded.max(1))).unwrap_or(usize::MAX);
        match self.make_room_for_visit(&mut bucket, bits, run) {
            Ok(sorted_in) => {
                self.visit(bucket, bits, sorted_in, most);
                if let Some(visit) = &mut self.visit {
                    visit.successors = successors;
                }
            }
            Err(halt) => {
                self.open.add_bucket(bucket);
                return Err(halt);
            }
        }
        Ok(None)
    }

    /// Makes room for the lists of a visit; returns in how many parts the entries of the bucket are sorted then, or 0 if
    /// they are in files.
    fn make_room_for_visit<O>(
        &mut self,
        bucket: &mut Bucket<P::State, P::Cost>,
        bits: u32,
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P, usize> {
        let least = 2 * self.settings.part;
        let parts = parts_for(bucket.entries.len(), bits, self.workers.threads(), least);
        let lists = (parts + 1) * lists_of::<P::State>(bits);
        if bucket.runs.is_empty() {
            // The lists that are sorted into, beside those that are sorted.
            let sorted = if bits == 0 { 0 } else { bucket.entries.bytes() / 4 * 5 };
            match self.make_room(bucket.held() + sorted + lists, run) {
                Err(halt) if halt.lacks_memory() => {}
                made => return made.map(|()| parts),
            }
        }
        let (most, disk) = (self.most(run), run.budget().limits().disk_limit());
        self.write_entries(bucket, most, disk)?;
        self.make_room(bucket.held() + lists, run)?;
        Ok(0)
    }

    /// Begins to visit a bucket.
    fn visit(
        &mut self,
        bucket: Bucket<P::State, P::Cost>,
        bits: u32,
        sorted_in: usize,
        most: usize,
    ) {
        let mut visit = Visit::new(bucket, bits, sorted_in, self.closed.next, &mut self.empty);
        self.closed.next += 1;
        // An eighth, or as many as threads may share, but not so many that those that were expanded take much memory.
        let shard = usize::try_from(visit.len >> bits).unwrap_or(usize::MAX).max(1);
        let affordable = most / 16 / shard.saturating_mul(Entry::<P::State>::IN_MEMORY);
        visit.batch = (1 << bits >> 3).max(8).min(affordable).clamp(1, 1 << bits);
        visit.stop = visit.batch;
        visit.prune = self.incumbent.as_ref().map(|goal| goal.g);
        self.visit = Some(visit);
    }

    pub(super) fn enter_layer<O: Observer<P::State, P::Cost>>(
        f: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Halted<P> {
        if run.is_new_layer(f) {
            run.make_room_for_layer()?;
            run.enter_layer::<P::State>(f);
        }
        Ok(())
    }

    /// Leaves the visit early if there are deeper states, or goes on with it.
    pub(super) fn leave_visit<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let Some(visit) = &mut self.visit else { return Ok(()) };
        if visit.next >= visit.shards() {
            return self.end_visit(run);
        }
        let (closed, Bucket { f, g, .. }) = (&self.closed, &visit.bucket);
        let credit = self.credit;
        let goes_on = !self.open.has_deeper(*f, *g, |bucket| excess(closed, bucket) <= credit);
        self.close_visited(run)?;
        if goes_on {
            return self.go_on_with_visit(run);
        }
        if let Some(visit) = &mut self.visit {
            let rest = visit.take_rest();
            self.open.add_bucket(rest);
        }
        self.idle_visits += 1;
        self.end_visit(run)
    }

    /// Goes on with the next shards.
    fn go_on_with_visit<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let Some(visit) = &self.visit else { return Ok(()) };
        if visit.parts.is_empty() {
            // Those for the states that were expanded are with the closed states now.
            let (count, lists) = (1 << visit.bits, lists_of::<P::State>(visit.bits));
            self.make_room(lists, run)?;
            if let Some(visit) = &mut self.visit {
                visit.parts.reserve_exact(count);
                visit.parts.resize_with(count, Entries::new);
                visit.bytes += lists;
            }
        }
        if let Some(visit) = &mut self.visit {
            visit.stop = (visit.next + visit.batch).min(visit.shards());
        }
        Ok(())
    }

    /// Puts what was expanded in the visit into the closed list, from which it can go to files. If there is no room for that,
    /// it stays in the visit.
    fn close_visited<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        let Some(visit) = &self.visit else { return Ok(()) };
        let len = visit.parts.iter().map(|part| part.len() as u64).sum();
        if len > 0 {
            self.make_room(self.closed.growth(visit.bucket.h), run)?;
        }
        let Some(visit) = &mut self.visit else { return Ok(()) };
        if len > 0 {
            self.credit = self.credit.saturating_add(DESCENT * len);
            let parts = std::mem::take(&mut visit.parts);
            visit.bytes -= parts.iter().map(Entries::bytes).sum::<usize>();
            visit.bytes -= lists_of::<P::State>(visit.bits);
            let key = (visit.bucket.g, visit.number, len);
            self.closed.add(visit.bucket.h, Segment::new(key, Store::Memory(parts)));
        }
        self.account(run.memory());
        Ok(())
    }

    /// Ends the visit: its states are closed.
    fn end_visit<O>(&mut self, run: &mut Run<P::Cost, O>) -> Halted<P> {
        self.close_visited(run)?;
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
}

/// What it costs to visit a bucket now, if it is too small to be worth the comparison with all closed states with its h.
fn excess<S, C: Cost>(closed: &Closed<S, C>, bucket: &Bucket<S, C>) -> u64 {
    match closed.count(bucket.h).saturating_sub(4 * bucket.len() + SMALL) {
        0 => 0,
        states => states + VISIT,
    }
}

/// Two to the power of this is the number of shards of a bucket with `entries` entries, if `closed` states are closed, in
/// `memory` bytes.
fn shard_bits<S: Encode>(entries: u64, closed: u64, memory: usize) -> u32 {
    let most = memory / 32 / (Entry::<S>::IN_MEMORY + bytes_beside::<S>());
    let bits_for = |shard: usize| {
        let shards = entries.div_ceil(shard.max(64) as u64).next_power_of_two();
        shards.trailing_zeros().min(MOST_BITS)
    };
    let small = SMALL_SHARDS[usize::from(closed > FEW)];
    let some = (entries / small).clamp(1, LEAST_SHARDS).ilog2();
    bits_for(most).max(bits_for(SHARD).min(RUN_BITS)).max(some)
}
