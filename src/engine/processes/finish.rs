//! What follows the last round: the workers tell each other what they know, and put the path together.

use super::batch;
use super::common::Early;
use super::message::{self, FinalReport, Found, Kind, Section};
use super::time::Time;
use super::worker::{GivenUp, Worker};
use crate::cost::{Cost, larger, smaller};
use crate::encode::Encode;
use crate::engine::Progress;
use crate::engine::threads::ids::located;
use crate::problem::SearchProblem;
use crate::report::{Layer, SearchError, Stats, StopReason};
use crate::table::{Record, StateId, Table};

/// How the search ended, the same for every worker.
#[derive(Debug)]
pub(super) struct Summary<S, C> {
    pub(super) end: Progress,
    /// To the best goal, or else to the state that is closest to a goal.
    pub(super) trail: Option<Trail<S, C>>,
    pub(super) lower_bound: C,
    pub(super) stats: Stats,
    pub(super) layers: Vec<Layer<C>>,
}

/// The states of a path, the start first.
#[derive(Debug)]
pub(super) struct Trail<S, C> {
    pub(super) leads_to_goal: bool,
    /// Whether the *f* of a state on it exceeds its cost.
    overestimates: bool,
    pub(super) start_cost: C,
    pub(super) states: Vec<S>,
}

/// What a worker comes to, unless the search is given up; the inner error is the same for all workers.
type Concluded<T, C> = Result<Result<T, SearchError<C>>, GivenUp>;

/// How the search ended, the path, and the lower bound.
type Conclusion<S, C> = (Progress, Option<Trail<S, C>>, C);

/// At most this many states of a path are sent at once.
const fn most_of_section<S: Encode>() -> u64 {
    batch::most_records(S::BYTES) as u64
}

impl<P, I> Worker<'_, P, I>
where
    P: SearchProblem<State: Encode, Cost: Encode + Send + 'static>,
    I: StateId + Encode,
{
    /// Puts the results together, after the rounds have ended.
    ///
    /// # Errors
    ///
    /// The outer one if the search was given up; the inner one if the problem is at fault, for all workers alike.
    pub(super) fn finish(mut self) -> Concluded<Summary<P::State, P::Cost>, P::Cost> {
        let reports = self.exchange_final_reports()?;
        let result = self.conclude(&reports)?;
        self.exchange.finish();
        self.watch.begin_to_wait();
        while self.exchange.step(super::worker::NAP)? {
            if self.watch.is_over() {
                return Err(GivenUp);
            }
        }
        Ok(result.map(|(end, trail, lower_bound)| {
            let counts: Vec<_> = reports.iter().map(|report| report.counts).collect();
            let (stats, layers) = self.common.finish(&counts);
            Summary { end, trail, lower_bound, stats, layers }
        }))
    }

    fn conclude(
        &mut self,
        reports: &[FinalReport<P::Cost>],
    ) -> Concluded<Conclusion<P::State, P::Cost>, P::Cost> {
        let goal = self.common.goal();
        let end = match self.early {
            Some(Early::Failed(error)) => return Ok(Err(error)),
            Some(Early::Stopped(reason)) => Progress::Stopped(reason),
            None if goal.is_some() => Progress::Found,
            None if reports.iter().any(|report| report.is_barred) => {
                Progress::Stopped(StopReason::Cost)
            }
            None => match reports.iter().find_map(|report| report.overflow) {
                Some(overflow) => return Ok(Err(overflow)),
                None => Progress::Exhausted,
            },
        };
        let least = reports.iter().filter_map(|report| report.least_open).reduce(smaller);
        let is_complete = reports.iter().all(|report| report.is_complete);
        let mut bound = if is_complete {
            larger(self.proved, least.unwrap_or(P::Cost::INFINITY))
        } else {
            self.proved
        };
        let target = goal.map(|goal| (goal.worker, goal.found)).or_else(|| closest_of(reports));
        let Some((worker, found)) = target else { return Ok(Ok((end, None, bound))) };
        let stored = reports.iter().map(|report| report.counts.stored).sum();
        let mut trail = match self.fetch_trail((worker, found), stored)? {
            Ok(trail) => trail,
            Err(error) => return Ok(Err(error)),
        };
        trail.leads_to_goal = goal.is_some();
        // A path cheaper than a bound shows that the heuristic overestimates: nothing is proved.
        if goal.is_some() && (bound.exceeds(found.g) || trail.overestimates) {
            bound = P::Cost::ZERO;
        }
        Ok(Ok((end, Some(trail), bound)))
    }

    /// Tells all others what this worker knows; returns what each knows, in the order of the workers.
    fn exchange_final_reports(&mut self) -> Result<Vec<FinalReport<P::Cost>>, GivenUp> {
        let own = self.final_report();
        let mut reports = vec![own; self.exchange.peers()];
        let mut bytes = Vec::new();
        message::begin(&mut bytes, Kind::Final, self.place.shard);
        message::append(&mut bytes, &own);
        let received = self.exchange_once(Some(&bytes))?;
        for batch in &received {
            match message::open(batch.bytes())? {
                (Kind::Final, sender, content) => {
                    let report: FinalReport<P::Cost> = message::read(content)?;
                    if !self.common.is_sound(sender, &report.counts) {
                        return Err(GivenUp);
                    }
                    *reports.get_mut(sender as usize).ok_or(GivenUp)? = report;
                }
                // What was sent in the last round, by a worker that did not know yet that it was the last.
                _ => return Err(GivenUp),
            }
        }
        Ok(reports)
    }

    /// Sends to all others, and waits for what they send at the same time.
    fn exchange_once(&mut self, bytes: Option<&[u8]>) -> Result<Vec<super::batch::Batch>, GivenUp> {
        let time = self.wait()?;
        if let Some(bytes) = bytes {
            self.send_to_others(bytes);
        }
        self.exchange.advance(Time { round: time.round + 1, layer: None });
        let next = self.wait()?;
        let mut batches = Vec::new();
        self.exchange.receive(next, &mut batches);
        Ok(batches)
    }

    /// Collects the states on the path to a state, from shard to shard. Each part goes to all workers.
    fn fetch_trail(
        &mut self,
        (worker, found): (u32, Found<P::Cost>),
        stored: u64,
    ) -> Concluded<Trail<P::State, P::Cost>, P::Cost> {
        let (mut owner, mut id) = (worker as usize, I::from_u64(found.id));
        let mut states = Vec::new();
        let mut overestimates = false;
        loop {
            let own =
                (owner == self.exchange.index()).then(|| self.section(id, found.g)).transpose()?;
            let received = self.exchange_once(own.as_deref())?;
            let bytes = match &own {
                Some(bytes) => bytes,
                None => received.first().ok_or(GivenUp)?.bytes(),
            };
            let (kind, _, content) = message::open(bytes)?;
            let (section, content) =
                content.split_at_checked(Section::<P::Cost>::BYTES).ok_or(GivenUp)?;
            let section: Section<P::Cost> = message::read(section)?;
            if kind != Kind::Section {
                return Err(GivenUp);
            }
            if section.states == 0 || section.states > most_of_section::<P::State>() {
                return Err(GivenUp);
            }
            let size = P::State::BYTES;
            for nth in 0..usize::try_from(section.states).unwrap_or(0) {
                let bytes = content.get(nth * size..(nth + 1) * size).ok_or(GivenUp)?;
                states.push(P::State::decode(bytes)?);
            }
            overestimates |= section.overestimates;
            match section.next {
                Some(_) if states.len() as u64 > stored => {
                    let states = usize::try_from(stored).unwrap_or(usize::MAX);
                    return Ok(Err(SearchError::ParentCycle { states }));
                }
                Some(next) => (owner, id) = located(I::from_u64(next), self.place.shards),
                None => {
                    states.reverse();
                    let start_cost = section.start_cost;
                    let trail = Trail { leads_to_goal: false, overestimates, start_cost, states };
                    return Ok(Ok(trail));
                }
            }
        }
    }

    /// The states of this shard on the way back from one of them, up to the first one that is elsewhere.
    fn section(&self, mut id: I, cost: P::Cost) -> Result<Vec<u8>, GivenUp> {
        let shard = self.shard.states();
        let mut section =
            Section { next: None, states: 0, start_cost: P::Cost::ZERO, overestimates: false };
        let mut states = Vec::new();
        loop {
            // The id may have come from another process.
            if id.index() >= shard.table().len() {
                return Err(GivenUp);
            }
            section.states += 1;
            let record = shard.record(id);
            shard.table().with_state(id, |state| message::append(&mut states, state));
            section.overestimates |= shard.f_of(id, &record).is_none_or(|f| f.exceeds(cost));
            if record.parent() == I::NONE {
                section.start_cost = record.g();
                break;
            }
            let (owner, parent) = located(record.parent(), self.place.shards);
            if owner != self.exchange.index() || section.states == most_of_section::<P::State>() {
                section.next = Some(record.parent().to_u64());
                break;
            }
            id = parent;
        }
        let mut bytes = Vec::new();
        message::begin(&mut bytes, Kind::Section, self.place.shard);
        message::append(&mut bytes, &section);
        bytes.extend_from_slice(&states);
        Ok(bytes)
    }
}

/// The state with the least *h* of all shards, among equals with the least *g*.
fn closest_of<C: Cost>(reports: &[FinalReport<C>]) -> Option<(u32, Found<C>)> {
    let mut closest: Option<(u32, Found<C>)> = None;
    for (worker, report) in (0..).zip(reports) {
        if let Some(found) = report.closest
            && closest.is_none_or(|(_, least)| {
                found.h < least.h || (found.h == least.h && found.g < least.g)
            })
        {
            closest = Some((worker, found));
        }
    }
    closest
}

#[cfg(test)]
mod tests {
    use super::super::report;
    use super::*;
    use crate::problem::FnProblem;

    /// The states on a path may have become cheaper since its goal was reached.
    #[test]
    fn a_bound_above_a_path_that_became_cheaper_proves_nothing() {
        let line = FnProblem::new(|&n: &u8| [(n + 1, 3_u32)], |_: &u8| 0, |&n: &u8| n == 2);
        let summary = |lower_bound| {
            let states = vec![0, 1, 2];
            let trail = Trail { leads_to_goal: true, overestimates: false, start_cost: 1, states };
            Summary {
                end: Progress::Stopped(StopReason::Expansions),
                trail: Some(trail),
                lower_bound,
                stats: Stats::default(),
                layers: Vec::new(),
            }
        };
        for (bound, expected) in [(6, 6), (7, 7), (8, 0)] {
            let report = report(&line, None, summary(bound)).unwrap();
            let cost = report.incumbent.map(|path| path.cost());
            assert_eq!((cost, report.lower_bound), (Some(7), expected));
        }
        // A limit on the cost holds for what is reported.
        assert!(report(&line, Some(6), summary(6)).unwrap().incumbent.is_none());
    }
}
