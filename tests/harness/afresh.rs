//! Search on several processes, as far as it is one process: it cannot go on after a stop, and begins again.

use std::time::Duration;

use bestfirst::engine::DistributedError;
use bestfirst::{Distributed, Limits, SearchError, Stats};

use crate::case::{Case, Node, Price};
use support::engines::{Answer, AnySearch};

pub struct Afresh<'p, C: Price> {
    case: &'p Case<C>,
    workers: usize,
    limits: Limits<C>,
    starts: Vec<(Node, C)>,
    stats: Stats,
}

impl<'p, C: Price> Afresh<'p, C> {
    pub fn new(case: &'p Case<C>, workers: usize) -> Self {
        let (limits, starts) = (Limits::new(), Vec::new());
        Self { case, workers, limits, starts, stats: Stats::default() }
    }

    pub fn limits(self, limits: Limits<C>) -> Self {
        Self { limits, ..self }
    }

    pub fn search_from(self, starts: Vec<(Node, C)>) -> Self {
        Self { starts, ..self }
    }
}

impl<C: Price> AnySearch<Node, u16, C> for Afresh<'_, C> {
    fn run(&mut self) -> Answer<Node, u16, C> {
        let builder = Distributed::new(self.case).workers(self.workers);
        match builder.limits(self.limits.clone()).run_from(self.starts.clone()) {
            Ok(report) => {
                self.stats = report.stats;
                Ok(report)
            }
            Err(DistributedError::Search(error)) => Err(error),
            Err(error) => panic!("{error}"),
        }
    }

    fn step(&mut self) -> Result<Option<bestfirst::Report<Node, u16, C>>, SearchError<C>> {
        self.run().map(Some)
    }

    fn restart_from(&mut self, starts: Vec<(Node, C)>) {
        self.starts = starts;
    }

    fn set_limits(&mut self, limits: Limits<C>) {
        self.limits = limits;
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn bytes(&self) -> usize {
        0
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
