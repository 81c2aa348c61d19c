//! [`Common`]: what all workers know alike at the beginning of a round, so that all decide alike.

use super::message::{Found, RoundReport};
use super::time::Time;
use crate::cost::Cost;
use crate::engine::Run;
use crate::engine::threads::horizon::{Horizon, Span};
use crate::engine::{ByF, Order};
use crate::frontier::{Key, Priority};
use crate::limits::Limits;
use crate::report::{Layer, SearchError, Stats, StopReason};

/// What all workers have told each other.
pub(super) struct Common<C> {
    /// What each worker has counted, by its last report.
    counts: Vec<Stats>,
    /// The layers, and what was expanded in them.
    run: Run<C, ()>,
    goal: Option<Goal<C>>,
    /// Whether the goal came with the last reports.
    is_goal_new: bool,
    stop: Option<StopReason>,
    error: Option<SearchError<C>>,
    span: Span,
    /// The round that the span is at, and how far it goes.
    at: Option<(Time<C>, Option<usize>)>,
}

/// The best goal so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal<C> {
    pub(super) worker: u32,
    pub(super) found: Found<C>,
    key: Priority<C>,
}

/// Why the rounds end before the last layer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Early<C> {
    Stopped(StopReason),
    Failed(SearchError<C>),
}

/// The most and the fewest states that a worker may expand in a round.
const MOST_IN_ROUND: u64 = 1 << 15;
const LEAST_IN_ROUND: u64 = 1 << 8;

/// A round in which each worker has this many states to expand takes much longer than beginning the next one.
const ENOUGH: u64 = 1 << 10;

/// In one round, all workers together expand at most one state per this many expanded before, but for the least number of each.
const GROWTH: u64 = 16;

impl<C: Cost> Common<C> {
    pub(super) fn new(workers: usize) -> Self {
        Self {
            counts: vec![Stats::default(); workers],
            run: Run::new(Limits::new(), ()),
            goal: None,
            is_goal_new: false,
            stop: None,
            error: None,
            span: Span::new(ENOUGH * workers as u64),
            at: None,
        }
    }

    /// Whether a worker may have counted so much, after what it has reported before.
    pub(super) fn is_sound(&self, worker: u32, counts: &Stats) -> bool {
        let Some(before) = self.counts.get(worker as usize) else { return false };
        counts.is_within(Stats::MOST / self.counts.len() as u64)
            && counts.expanded >= before.expanded
            && counts.generated >= before.generated
    }

    /// Takes note of what a worker did in the round before. Reports are noted in the order of the workers.
    pub(super) fn note(&mut self, worker: u32, report: &RoundReport<C>) {
        self.counts[worker as usize] = report.counts;
        self.run.stats.expanded = self.counts.iter().map(|counts| counts.expanded).sum();
        self.run.stats.generated = self.counts.iter().map(|counts| counts.generated).sum();
        if let Some(found) = report.goal
            && let Some(f) = found.g.checked_add(found.h)
        {
            let key = ByF.key(found.g, found.h, f);
            if self.goal.is_none_or(|best| key.precedes(&best.key)) {
                (self.goal, self.is_goal_new) = (Some(Goal { worker, found, key }), true);
            }
        }
        // A limit on expansions may be passed over for a goal; the others end the search.
        self.stop = match self.stop {
            None | Some(StopReason::Expansions) => report.stop.or(self.stop),
            stop => stop,
        };
        self.error = self.error.or(report.error);
    }

    /// Begins a round, after the reports on the round before were noted. All workers must begin the same rounds; it
    /// does nothing if this one has begun.
    pub(super) fn begin_round(&mut self, layer: C, time: Time<C>) {
        if self.at.is_some_and(|(at, _)| at == time) {
            return;
        }
        if self.run.is_new_layer(layer) {
            // Where there is no room for it, layers are merged.
            let _ = self.run.make_room_for_layer();
            self.run.enter_layer::<()>(layer);
        }
        let least = ByF.key(C::ZERO, C::ZERO, layer);
        let span = self.span.next_round(Some(least), false, self.expanded());
        self.at = Some((time, span));
    }

    /// Whether the rounds end here.
    pub(super) fn early_end(&mut self) -> Option<Early<C>> {
        let is_goal_new = std::mem::take(&mut self.is_goal_new);
        let stop = self.stop.take();
        if let Some(error) = self.error {
            return Some(Early::Failed(error));
        }
        match stop {
            // Whoever asked for it may have nothing to expand any more that precedes the goal.
            Some(StopReason::Expansions) if is_goal_new => None,
            stop => stop.map(Early::Stopped),
        }
    }

    pub(super) fn horizon(&self) -> Horizon<Priority<C>> {
        Horizon {
            layer: self.at.and_then(|(_, layer)| layer),
            goal: self.goal.map(|goal| goal.key),
        }
    }

    /// Whether a state with that key may be on a better path than the one to the best goal.
    pub(super) fn precedes_goal(&self, key: &Priority<C>) -> bool {
        self.goal.is_none_or(|goal| key.precedes(&goal.key))
    }

    /// How many states a worker may expand in this round, where all together may expand `most`.
    pub(super) fn quota(&self, worker: usize, most: Option<u64>) -> u64 {
        let workers = self.counts.len() as u64;
        let quota = (self.expanded() / (workers * GROWTH)).clamp(LEAST_IN_ROUND, MOST_IN_ROUND);
        let Some(most) = most else { return quota };
        let left = most.saturating_sub(self.expanded());
        // Those that get one more change from round to round, or they might have nothing to expand.
        let round = self.at.map_or(0, |(time, _)| time.round);
        let place = (worker as u64 + round) % workers;
        quota.min(left / workers + u64::from(place < left % workers))
    }

    pub(super) fn expanded(&self) -> u64 {
        self.run.stats.expanded
    }

    pub(super) fn goal(&self) -> Option<Goal<C>> {
        self.goal
    }

    /// The counts of all workers, those at the end, and the layers.
    pub(super) fn finish(mut self, counts: &[Stats]) -> (Stats, Vec<Layer<C>>) {
        let sum = |part: fn(&Stats) -> u64| counts.iter().map(part).sum();
        let run = &mut self.run;
        run.stats = Stats::default();
        for part in counts {
            run.stats.add(part);
        }
        let stats = Stats {
            stored: sum(|counts| counts.stored),
            peak_frontier: sum(|counts| counts.peak_frontier),
            peak_bytes: sum(|counts| counts.peak_bytes),
            ..run.stats(0)
        };
        (stats, run.layers())
    }

    /// What is stored by all workers, by their last reports.
    pub(super) fn stored(&self) -> u64 {
        self.counts.iter().map(|counts| counts.stored).sum()
    }

    pub(super) fn generated(&self) -> u64 {
        self.run.stats.generated
    }
}
