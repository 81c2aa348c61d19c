//! What a worker sends to the others, and takes in.

use std::mem;
use std::slice;
use std::time::Duration;

use super::super::batch::{self, Batch};
use super::super::message::{self, HEAD, Kind, RoundReport};
use super::super::time::Time;
use super::{GivenUp, Worker};
use crate::encode::Encode;
use crate::engine::threads::shard::{Arrival, Ended};
use crate::problem::SearchProblem;
use crate::report::StopReason;
use crate::table::StateId;

impl<P, I> Worker<'_, P, I>
where
    P: SearchProblem<State: Encode, Cost: Encode + Send + 'static>,
    I: StateId + Encode,
{
    /// Reads what came for this round, in the order of the workers.
    pub(super) fn read_round(
        &mut self,
        layer: P::Cost,
        time: Time<P::Cost>,
    ) -> Result<(), GivenUp> {
        let mut batches = Vec::new();
        self.exchange.receive(time, &mut batches);
        let mut opened = batches
            .iter()
            .map(|batch| message::open(batch.bytes()))
            .collect::<Result<Vec<_>, _>>()?;
        // Those of one worker stay in their order.
        opened.sort_by_key(|&(_, sender, _)| sender);
        let own = self.own.take().map(|report| (self.index(), report));
        let mut reports: Vec<_> = own.into_iter().collect();
        for (kind, sender, content) in opened {
            match kind {
                Kind::Arrivals => self.read_arrivals(content)?,
                Kind::Round => {
                    let report: RoundReport<P::Cost> = message::read(content)?;
                    if !self.common.is_sound(sender, &report.counts) {
                        return Err(GivenUp);
                    }
                    reports.push((sender as usize, report));
                }
                Kind::Final | Kind::Section => return Err(GivenUp),
            }
        }
        if !reports.is_empty() && time.round > 0 {
            // They are about the round before, which this worker may have had no part in.
            let before = Time { round: time.round - 1, ..time };
            self.common.begin_round(layer, before);
        }
        reports.sort_by_key(|&(sender, _)| sender);
        for (sender, report) in &reports {
            self.common.note(u32::try_from(*sender).unwrap_or(0), report);
        }
        for batch in batches {
            self.exchange.recycle(batch);
        }
        Ok(())
    }

    /// Takes in the states of a batch.
    fn read_arrivals(&mut self, content: &[u8]) -> Result<(), GivenUp> {
        let size = <(P::State, P::Cost, I)>::BYTES;
        let places = content.chunks_exact(size.max(1));
        if !places.remainder().is_empty() {
            return Err(GivenUp);
        }
        if self.shard.run().memory().reserve(&mut self.arrivals, places.len()).is_err() {
            self.pacer.stop = Some(StopReason::Memory);
            self.is_incomplete = true;
            return Ok(());
        }
        // The last in the list is taken in first.
        for bytes in places.rev() {
            let (state, g, parent) = Encode::decode(bytes)?;
            self.arrivals.push(Arrival { state, g, parent });
        }
        self.take_in();
        Ok(())
    }

    /// Takes in the list of arrivals. What is left of it when a limit is reached is lost, and so noted: the search
    /// ends with the next round.
    pub(super) fn take_in(&mut self) {
        let mut arrivals = mem::take(&mut self.arrivals);
        match self.shard.take_in(slice::from_mut(&mut arrivals), || self.pacer.goes_on()) {
            Ok(Ended::Done | Ended::Cut | Ended::Halted) => {}
            Ok(Ended::Full(full)) => self.note_full(full),
            Err(error) => self.error = self.error.or(Some(error)),
        }
        self.peak_open = self.peak_open.max(self.shard.states().open_states());
        self.is_incomplete |= !arrivals.is_empty();
        arrivals.clear();
        self.arrivals = arrivals;
    }

    /// Takes in its own successors.
    pub(super) fn take_in_own(&mut self) {
        self.shard.swap_outbox(self.exchange.index(), &mut self.arrivals);
        // The first is taken in first.
        self.arrivals.reverse();
        self.take_in();
    }

    /// Writes the successors for others as bytes, and sends off what is more than `most` bytes.
    pub(super) fn send_successors(&mut self, most: usize) -> Result<(), GivenUp> {
        let size = <(P::State, P::Cost, I)>::BYTES;
        let full = HEAD + batch::most_records(size) * size;
        let own = self.index();
        let mut has_sent = false;
        for (owner, outgoing) in self.outgoing.iter_mut().enumerate() {
            if owner == own {
                continue;
            }
            if !self.shard.outboxes()[owner].is_empty() {
                self.shard.swap_outbox(owner, &mut self.arrivals);
            }
            let mut arrivals = self.arrivals.drain(..);
            loop {
                if outgoing.is_empty() && arrivals.len() > 0 {
                    message::begin(outgoing, Kind::Arrivals, self.place.shard);
                }
                let begin = outgoing.len();
                let count = arrivals.len().min((full.saturating_sub(begin)) / size.max(1));
                outgoing.resize(begin + count * size, 0);
                let places = outgoing[begin..].chunks_exact_mut(size.max(1));
                for (place, arrival) in places.zip(&mut arrivals) {
                    let (state, rest) = place.split_at_mut(P::State::BYTES);
                    let (g, parent) = rest.split_at_mut(P::Cost::BYTES);
                    arrival.state.encode(state);
                    arrival.g.encode(g);
                    arrival.parent.encode(parent);
                }
                if outgoing.len() > most.max(HEAD) || outgoing.len() == full {
                    let bytes = mem::replace(outgoing, self.exchange.buffer());
                    self.exchange.send(Batch::new(owner, bytes));
                    has_sent = true;
                }
                if arrivals.len() == 0 {
                    break;
                }
            }
        }
        if has_sent {
            self.exchange.step(Duration::ZERO)?;
        }
        Ok(())
    }

    /// Sends bytes to all other workers.
    pub(in super::super) fn send_to_others(&self, bytes: &[u8]) {
        for owner in (0..self.exchange.peers()).filter(|&owner| owner != self.index()) {
            let mut copy = self.exchange.buffer();
            copy.extend_from_slice(bytes);
            self.exchange.send(Batch::new(owner, copy));
        }
    }

    /// Tells all what it did in this round.
    pub(super) fn send_report(&mut self) {
        let report = RoundReport {
            counts: self.counts(),
            goal: self.goal(),
            stop: self.pacer.stop.take(),
            error: self.error,
        };
        let mut bytes = Vec::new();
        message::begin(&mut bytes, Kind::Round, self.place.shard);
        message::append(&mut bytes, &report);
        self.send_to_others(&bytes);
        self.told = report.goal;
        self.own = Some(report);
    }
}

/// Whether a batch is what its sender sends last in a round.
pub(super) fn is_report(batch: &Batch) -> bool {
    matches!(message::open(batch.bytes()), Ok((Kind::Round, ..)))
}

#[cfg(test)]
mod tests {
    use super::super::super::cluster::Cluster;
    use super::super::super::dataflow::Exchange;
    use super::super::super::error::ClusterError;
    use super::super::super::launch::Launch;
    use super::super::super::message::{Found, Section};
    use super::super::super::watch::Watch;
    use super::super::super::{Limits, SearchLimits};
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    use crate::problem::FnProblem;
    use crate::report::Stats;

    /// The end of a search by one worker that is sent this besides.
    fn end(kind: Kind, sender: u32, content: &[u8]) -> Result<(), ClusterError> {
        let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
        let limits = SearchLimits { expansions: None, of_worker: Limits::new() };
        Launch::alone(1).run(&Cluster::threads(1), |_, exchange, watch| {
            let mut worker = Worker::<_, u32>::new(&line, exchange, watch, &limits, None);
            worker.begin(&[(0, 0)]);
            let mut bytes = Vec::new();
            message::begin(&mut bytes, kind, sender);
            bytes.extend_from_slice(content);
            worker.exchange.send(Batch::new(0, bytes));
            worker.search()?;
            worker.finish().map(|summary| assert!(summary.is_ok()))
        })
    }

    #[test]
    fn what_cannot_be_read_ends_the_search_with_an_error() {
        let mut arrival = Vec::new();
        message::append(&mut arrival, &(7_u32, 7_u32, u32::NONE));
        end(Kind::Arrivals, 0, &arrival).unwrap();
        let goal = Some(Found { g: 0_u32, h: 0, id: 999 });
        let mut report = RoundReport { counts: Stats::default(), goal, stop: None, error: None };
        let mut no_state = Vec::new();
        message::append(&mut no_state, &report);
        report.goal = None;
        let mut nothing = Vec::new();
        message::append(&mut nothing, &report);
        end(Kind::Round, 0, &nothing).unwrap();
        for (kind, sender, content) in [
            (Kind::Arrivals, 0, &arrival[1..]),
            (Kind::Round, 1, &nothing),
            (Kind::Round, 0, &nothing[1..]),
            (Kind::Round, 0, &no_state),
            (Kind::Section, 0, &[]),
        ] {
            let error = end(kind, sender, content).unwrap_err();
            assert!(matches!(error, ClusterError::Confused), "{kind:?} {sender}: {error}");
        }
    }

    /// How a search by two workers ends, the second of which does as it likes.
    fn end_beside(attack: impl Fn(&mut Exchange<u32>, &Watch) + Sync) -> ClusterError {
        let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 9);
        let limits = SearchLimits { expansions: None, of_worker: Limits::new() };
        let end = Launch::alone(2).run(&Cluster::threads(2), |nth, exchange, watch| {
            if nth == 1 {
                attack(exchange, watch);
                exchange.finish();
                // Until the other has seen what is wrong.
                while !watch.is_over() && exchange.step(Duration::from_millis(5))? {
                    exchange.receive(Time { layer: None, round: u64::MAX }, &mut Vec::new());
                    exchange.finish();
                }
                return Ok(());
            }
            let mut worker = Worker::<_, u32>::new(&line, exchange, watch, &limits, None);
            let own = (0..100).find(|n| worker.place.owner_of(n) == 0).map(|n| (n, 0));
            worker.begin(own.as_slice());
            worker.search()?;
            worker.finish().map(drop)
        });
        end.expect_err("what was sent is wrong")
    }

    /// A report that `expanded` states were expanded, and that this goal was found.
    fn report(expanded: u64, goal: Option<Found<u32>>) -> Batch {
        let counts = Stats { expanded, generated: expanded, ..Stats::default() };
        let report = RoundReport { counts, goal, stop: None, error: None };
        let mut bytes = Vec::new();
        message::begin(&mut bytes, Kind::Round, 1);
        message::append(&mut bytes, &report);
        Batch::new(0, bytes)
    }

    #[test]
    fn counts_that_no_worker_has_end_the_search_with_an_error() {
        let error = end_beside(|exchange, _| {
            exchange.send(report(u64::MAX, None));
            exchange.advance(Time::end());
        });
        assert!(matches!(error, ClusterError::Confused), "{error}");
    }

    #[test]
    fn counts_that_fall_end_the_search_with_an_error() {
        let error = end_beside(|exchange, watch| {
            let first = Time { layer: Some(0), round: 1 };
            exchange.send(report(1 << 40, None));
            exchange.advance(first);
            while !watch.is_over() && !exchange.is_complete(first) {
                exchange.step(Duration::from_millis(5)).unwrap();
            }
            exchange.receive(first, &mut Vec::new());
            exchange.send(report(0, None));
            exchange.advance(Time { layer: Some(0), round: 2 });
            exchange.step(Duration::ZERO).unwrap();
        });
        assert!(matches!(error, ClusterError::Confused), "{error}");
    }

    /// The path has no end, and grows by nothing.
    #[test]
    fn a_part_of_the_path_without_states_ends_the_search_with_an_error() {
        const MOST: u64 = 100;
        let sent = AtomicU64::new(0);
        let error = end_beside(|exchange, watch| {
            exchange.send(report(0, Some(Found { g: 0, h: 0, id: 0 })));
            exchange.advance(Time::end());
            let section =
                Section { next: Some(1), states: 0, start_cost: 0_u32, overestimates: false };
            let mut bytes = Vec::new();
            message::begin(&mut bytes, Kind::Section, 1);
            message::append(&mut bytes, &section);
            while let Some(time) = exchange.time()
                && !watch.is_over()
                && sent.load(Ordering::Relaxed) < MOST
            {
                if !exchange.is_complete(time) {
                    exchange.step(Duration::from_millis(5)).unwrap();
                    continue;
                }
                exchange.receive(time, &mut Vec::new());
                if time.layer.is_none() && time.round > 0 {
                    exchange.send(Batch::new(0, bytes.clone()));
                    sent.fetch_add(1, Ordering::Relaxed);
                }
                let is_path = time.layer.is_none();
                let next = Time { layer: None, round: time.round.wrapping_add(1) };
                exchange.advance(if is_path { next } else { Time::end() });
            }
            watch.give_up();
        });
        assert!(matches!(error, ClusterError::Confused), "{error}");
        assert!(sent.into_inner() < MOST);
    }
}
