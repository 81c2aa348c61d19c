//! [`Worker`]: one shard of a search on several machines, and its part in the rounds.

mod pacer;
#[cfg(test)]
mod tests;
mod traffic;

use std::time::Duration;

use super::common::{Common, Early};
use super::dataflow::Exchange;
use super::message::{FinalReport, Found, RoundReport};
use super::time::Time;
use super::watch::Watch;
use super::{DistributedProgress, SearchLimits, batch};
use crate::cost::Cost;
use crate::encode::{DecodeError, Encode};
use crate::engine::limit_check::LimitCheck;
use crate::engine::parts::With;
use crate::engine::threads::ids::Place;
use crate::engine::threads::shard::{Arrival, Ended, Shard};
use crate::engine::{ByF, Run};
use crate::frontier::{BucketQueue, Priority};
use crate::problem::SearchProblem;
use crate::report::{SearchError, Stats, StopReason};
use crate::table::{EstimateRecord, Full, HashedTable, Record, StateId, Table};
use pacer::Pacer;
use traffic::is_report;

/// The table of a shard, with ids `I`.
pub(super) type ShardTable<P, I> =
    HashedTable<<P as SearchProblem>::State, EstimateRecord<<P as SearchProblem>::Cost, I>>;

pub(super) type ShardOf<P, I> =
    Shard<With<P, ByF, ShardTable<P, I>, BucketQueue<Priority<<P as SearchProblem>::Cost>, I>>>;

/// What is called with the progress of the search.
type Tell<'a, C> = &'a mut (dyn FnMut(&DistributedProgress<C>) + Send);

type ArrivalOf<P, I> = Arrival<<P as SearchProblem>::State, <P as SearchProblem>::Cost, I>;

/// After this many expansions, the successors are sent off; a worker's own are taken in.
const STRETCH: u64 = 1 << 8;

/// One in this many expansions of a round is late: its own successors are taken in after those for others were sent.
const LATE: u64 = 8;

/// A worker that waits looks so often whether another process is lost.
pub(super) const NAP: Duration = Duration::from_millis(50);

/// The search was given up: another process is lost, or another worker has panicked.
#[derive(Debug)]
pub(super) struct GivenUp;

impl From<DecodeError> for GivenUp {
    /// The programs differ: nothing that they say can be trusted.
    fn from(_: DecodeError) -> Self {
        Self
    }
}

/// One shard, and its end of the dataflow.
pub(super) struct Worker<'a, P: SearchProblem<Cost: Encode + Send + 'static>, I: StateId> {
    pub(super) exchange: &'a mut Exchange<P::Cost>,
    pub(super) watch: &'a Watch,
    pub(super) shard: ShardOf<P, I>,
    pub(super) common: Common<P::Cost>,
    pub(super) place: Place,
    limits: &'a SearchLimits<P::Cost>,
    /// Looks at the clock and the token; has the limit that was met in this round.
    pacer: Pacer<'a, P::Cost>,
    /// What it did in the round before.
    own: Option<RoundReport<P::Cost>>,
    /// Its goal as the others know it.
    pub(super) told: Option<Found<P::Cost>>,
    /// The successors for the other workers, as bytes.
    outgoing: Vec<Vec<u8>>,
    arrivals: Vec<ArrivalOf<P, I>>,
    /// The most of its states that were open at one time.
    peak_open: u64,
    /// A fault that was met in this round.
    pub(super) error: Option<SearchError<P::Cost>>,
    /// Whether states that were sent to it were not taken in.
    is_incomplete: bool,
    progress: Option<Tell<'a, P::Cost>>,
    pub(super) early: Option<Early<P::Cost>>,
    /// The *f* of the last layer that was begun.
    pub(super) proved: P::Cost,
}

impl<'a, P, I> Worker<'a, P, I>
where
    P: SearchProblem<State: Encode, Cost: Encode + Send + 'static>,
    I: StateId + Encode,
{
    pub(super) fn new(
        problem: P,
        exchange: &'a mut Exchange<P::Cost>,
        watch: &'a Watch,
        limits: &'a SearchLimits<P::Cost>,
        progress: Option<Tell<'a, P::Cost>>,
    ) -> Self {
        let peers = exchange.peers();
        let place = Place {
            shard: u32::try_from(exchange.index()).unwrap_or(0),
            shards: u32::try_from(peers).unwrap_or(u32::MAX),
        };
        let table = ShardTable::<P, I>::default();
        let mut shard = Shard::new(problem, ByF, table, BucketQueue::new(), place);
        shard.run().budget.set_limits(limits.of_worker.clone());
        let mut run = Run::<_, ()>::new(limits.of_worker.clone(), ());
        run.budget.start_clock();
        let is_watched = run.budget.is_watched();
        Self {
            shard,
            common: Common::new(peers),
            place,
            pacer: Pacer::new(LimitCheck::of(run.budget), is_watched, watch),
            own: None,
            told: None,
            outgoing: (0..peers).map(|_| Vec::new()).collect(),
            arrivals: Vec::new(),
            peak_open: 0,
            error: None,
            is_incomplete: false,
            progress,
            early: None,
            proved: P::Cost::ZERO,
            exchange,
            watch,
            limits,
        }
    }

    fn index(&self) -> usize {
        self.exchange.index()
    }

    /// Takes in the starts that are its own.
    pub(super) fn begin(&mut self, starts: &[(P::State, P::Cost)]) {
        for (state, g) in starts {
            if self.place.owner_of(state) == self.index() {
                // It is the step to the start.
                match self.shard.states_mut().cost_after(P::Cost::ZERO, *g) {
                    Ok(Some(g)) => {
                        let parent = I::NONE;
                        self.arrivals.push(Arrival { state: state.clone(), g, parent });
                    }
                    // Taken note of.
                    Ok(None) => {}
                    Err(error) => self.error = self.error.or(Some(error)),
                }
            }
        }
        // The first is taken in first.
        self.arrivals.reverse();
        self.take_in();
        self.shard.run().stats.duplicates = 0;
    }

    /// Works in rounds until all states that may be on a better path than the best one are expanded, or the search
    /// ends early.
    pub(super) fn search(&mut self) -> Result<(), GivenUp> {
        let rest = self.rest();
        self.exchange.advance(rest);
        loop {
            let time = self.wait()?;
            match time.layer {
                Some(layer) => self.round(layer, time)?,
                None => return Ok(()),
            }
        }
    }

    /// Waits until all batches of the present time have come, and returns the time.
    pub(super) fn wait(&mut self) -> Result<Time<P::Cost>, GivenUp> {
        self.watch.begin_to_wait();
        loop {
            if self.watch.is_over() {
                return Err(GivenUp);
            }
            let time = self.exchange.time().ok_or(GivenUp)?;
            if self.exchange.is_complete(time) || self.exchange.has_last_of_each(time, is_report) {
                self.watch.end_to_wait();
                return Ok(time);
            }
            self.exchange.step(NAP)?;
        }
    }

    fn round(&mut self, layer: P::Cost, time: Time<P::Cost>) -> Result<(), GivenUp> {
        self.read_round(layer, time)?;
        self.early = self.common.early_end();
        // After the first round a layer is begun, if not by this worker, then by others.
        if self.early.is_none() || time.round > 0 {
            self.proved = layer;
        }
        if self.early.is_some() {
            self.exchange.advance(Time::end());
            return Ok(());
        }
        self.common.begin_round(layer, time);
        self.tell_progress(layer);
        let before = *self.shard.counts();
        let is_done = self.expand()?;
        let is_idle = is_done && *self.shard.counts() == before && self.goal() == self.told;
        // Those without states in this layer learn of its first round by this.
        let next = if is_idle && time.round > 0 {
            self.rest().max(time.next_round())
        } else {
            self.send_report();
            time.next_round()
        };
        self.exchange.advance(next);
        self.exchange.flush()?;
        // While what was sent is under way.
        self.take_in_own();
        Ok(())
    }

    fn note_full(&mut self, full: Full) {
        self.pacer.stop = self.pacer.stop.or(Some(full.into()));
    }

    /// Expands states as far as the round goes, and sends the successors off. Whether it has come to all of them.
    fn expand(&mut self) -> Result<bool, GivenUp> {
        let most = self.limits.expansions;
        let mut quota = self.common.quota(self.index(), most);
        let horizon = self.common.horizon();
        // There may be no others.
        let late = if self.exchange.peers() > 1 { quota / LATE } else { 0 };
        let mut is_done = false;
        while self.pacer.stop.is_none() && self.error.is_none() {
            // What was beyond the horizon is back in its order, among those that were taken in.
            if let Err(full) = self.shard.begin_round() {
                self.note_full(full.into());
                break;
            }
            let before = self.shard.counts().expanded;
            let stretch = quota.min(STRETCH);
            // Where nothing may be expanded, goals are noted nevertheless.
            let ended = self
                .shard
                .expand((&mut stretch.max(1), stretch), &horizon, || self.pacer.goes_on());
            let expanded = self.shard.counts().expanded - before;
            let has_own = !self.shard.outboxes()[self.index()].is_empty();
            if expanded < stretch || quota > late {
                self.take_in_own();
            }
            self.send_successors(batch::MOST)?;
            match ended {
                Ok(Ended::Cut) if quota == 0 => {
                    if most.is_some_and(|most| self.common.expanded() >= most) {
                        self.pacer.stop = self.pacer.stop.or(Some(StopReason::Expansions));
                    }
                    break;
                }
                Ok(Ended::Done | Ended::Cut) => {}
                Ok(Ended::Halted) => break,
                Ok(Ended::Full(full)) => self.note_full(full),
                Err(error) => self.error = Some(error),
            }
            quota -= expanded;
            is_done = expanded < stretch.max(1) && !has_own;
            if is_done || quota == 0 {
                break;
            }
        }
        self.send_successors(0)?;
        Ok(is_done)
    }

    /// When it has something to do again if it does not hear of others: at the least *f* of its states that may be on
    /// a better path than the best one.
    fn rest(&mut self) -> Time<P::Cost> {
        if self.error.is_some() || self.pacer.stop.is_some() {
            // It has something to say.
            return Time::at(P::Cost::ZERO);
        }
        let bound = match self.shard.bound() {
            Ok(bound) => bound,
            Err(full) => {
                self.note_full(full.into());
                return Time::at(P::Cost::ZERO);
            }
        };
        let most = self.limits.of_worker.cost_limit();
        let is_open = |key: &Priority<P::Cost>| {
            self.common.precedes_goal(key) && most.is_none_or(|most| key.first <= most)
        };
        bound.filter(is_open).map_or(Time::end(), |key| Time::at(key.first))
    }

    /// Its best goal. What it takes in may improve the record.
    fn goal(&self) -> Option<Found<P::Cost>> {
        let (id, _) = self.shard.goal()?;
        let record = self.shard.states().record(id);
        Some(Found { g: record.g(), h: record.h(), id: id.to_u64() })
    }

    fn counts(&self) -> Stats {
        Stats {
            stored: self.shard.states().table().len() as u64,
            peak_frontier: self.peak_open,
            peak_bytes: self.shard.memory_account().peak() as u64,
            ..*self.shard.counts()
        }
    }

    /// What it knows at the end.
    pub(super) fn final_report(&mut self) -> FinalReport<P::Cost> {
        let least_open = self.shard.least_open_f();
        let most = self.limits.of_worker.cost_limit();
        let closest = self.shard.states().closest_stored();
        FinalReport {
            counts: self.counts(),
            least_open,
            is_complete: !self.is_incomplete,
            is_barred: most.is_some_and(|most| least_open.is_some_and(|least| least > most)),
            overflow: self.shard.states().overflow(),
            closest: closest.id.map(|id| Found { g: closest.g, h: closest.h, id: id.to_u64() }),
        }
    }

    fn tell_progress(&mut self, layer: P::Cost) {
        if let Some(progress) = &mut self.progress {
            progress(&DistributedProgress {
                lower_bound: layer,
                expanded: self.common.expanded(),
                generated: self.common.generated(),
                stored: self.common.stored(),
            });
        }
    }
}
