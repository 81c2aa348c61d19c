//! [`Station`]: a shard's part in a round.

use std::sync::atomic::{AtomicBool, Ordering};

use super::horizon::Horizon;
use super::ids::Place;
use super::shard::{ArrivalOf, Ended, Shard};
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::limit_check::LimitCheck;
use crate::engine::parts::Parts;
use crate::report::SearchError;

/// A shard, what was sent to it in the last round, and how far it has come in this one.
///
/// A round that was cut short goes on where it was, so it does the same in any number of pieces.
pub struct Station<S: Parts> {
    pub(super) shard: Shard<S>,
    /// What each shard has sent.
    pub(super) inboxes: Vec<Vec<ArrivalOf<S>>>,
    /// How many states it may expand in what is left of the round.
    pub(super) quota: u64,
    /// How far the round goes.
    horizon: Horizon<S::Key>,
    is_begun: bool,
    /// How its part ended, as far as it has come.
    pub(super) ended: Result<Ended, SearchError<S::Cost>>,
}

impl<S: Parts> Station<S> {
    pub(super) fn new(
        problem: S::Problem,
        order: S::Order,
        table: S::Table,
        frontier: S::Frontier,
        place: Place,
    ) -> Self {
        Self {
            shard: Shard::new(problem, order, table, frontier, place),
            inboxes: (0..place.shards).map(|_| Vec::new()).collect(),
            quota: 0,
            horizon: Horizon { layer: None, goal: None },
            is_begun: true,
            ended: Ok(Ended::Done),
        }
    }

    pub(super) fn clear(&mut self) {
        self.shard.clear();
        self.inboxes.iter_mut().for_each(Vec::clear);
        (self.quota, self.is_begun, self.ended) = (0, true, Ok(Ended::Done));
    }

    /// Begins a round in which it may expand `quota` states within the horizon.
    pub(super) fn begin_round(&mut self, quota: u64, horizon: Horizon<S::Key>) {
        (self.quota, self.horizon) = (quota, horizon);
        (self.is_begun, self.ended) = (false, Ok(Ended::Cut));
    }

    pub(super) fn is_done(&self) -> bool {
        self.ended == Ok(Ended::Done)
    }

    /// Does what is left for it to do in the round, and expands at most `most` states.
    pub(super) fn work(&mut self, most: u64, pacer: &mut Pacer<S::Cost>) {
        if !self.is_done() {
            self.ended = self.go_on(most, pacer);
        }
    }

    fn go_on(
        &mut self,
        most: u64,
        pacer: &mut Pacer<S::Cost>,
    ) -> Result<Ended, SearchError<S::Cost>> {
        if !self.is_begun {
            if let Err(full) = self.shard.begin_round() {
                return Ok(Ended::Full(full.into()));
            }
            self.is_begun = true;
        }
        match self.shard.take_in(&mut self.inboxes, || pacer.goes_on())? {
            Ended::Done => {}
            early => return Ok(early),
        }
        self.shard.expand((&mut self.quota, most), &self.horizon, || pacer.goes_on())
    }
}

show_fields! { [S: Parts] Station<S>, "Station" { quota } }

/// Looks at the clock and the token from time to time, for a worker.
#[derive(Clone)]
pub(super) struct Pacer<'h, C> {
    /// How many pieces of work are left until the next look.
    left: u64,
    limits: LimitCheck<C>,
    is_watched: bool,
    /// Whether all workers are to halt.
    halt: &'h AtomicBool,
}

/// How many pieces of work are done between two looks if there is no clock to look at.
const UNWATCHED: u64 = 1 << 10;

impl<'h, C: Cost> Pacer<'h, C> {
    pub(super) fn new(limits: LimitCheck<C>, is_watched: bool, halt: &'h AtomicBool) -> Self {
        Self { left: 0, limits, is_watched, halt }
    }

    /// Whether another piece of work may be done.
    #[inline]
    fn goes_on(&mut self) -> bool {
        if (self.left == 0 || self.limits.is_interrupted()) && !self.look() {
            return false;
        }
        self.left -= 1;
        true
    }

    #[cold]
    fn look(&mut self) -> bool {
        if self.halt.load(Ordering::Relaxed) {
            return false;
        }
        self.left = UNWATCHED;
        if self.is_watched {
            let Ok(allowed) = self.limits.check() else {
                self.halt.store(true, Ordering::Relaxed);
                self.left = 0;
                return false;
            };
            self.left = allowed.max(1);
        }
        true
    }
}
