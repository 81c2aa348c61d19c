//! Searches that store costs alone: the path of a report is found again by predecessors.

use std::time::Duration;

use bestfirst::engine::{BestFirstEngine, Order};
use bestfirst::frontier::Frontier;
use bestfirst::table::{IdOf, TableFor};
use bestfirst::{Limits, Outcome, Report, Search, SearchError, Stats};

use crate::case::{Case, Node};
use support::engines::{Answer, AnySearch};

/// A search whose paths have all their steps.
pub struct Retracing<S>(pub S);

impl<R, T, F> Retracing<Search<BestFirstEngine<&Case<u8>, R, T, F>>>
where
    R: Order<u8>,
    T: TableFor<Node, u8>,
    F: Frontier<IdOf<T, Node>, R::Key>,
{
    fn complete(&self, mut report: Report<Node, u16, u8>) -> Answer<Node, u16, u8> {
        let found = match &mut report.outcome {
            Outcome::Found(path) => Some(path),
            _ => report.incumbent.as_mut(),
        };
        if let Some(path) = found {
            assert!(path.is_empty(), "a path that has steps");
            let again = self.0.retrace(path.end())?.expect("it was reached");
            assert_eq!(again.cost(), path.cost());
            *path = again;
        }
        Ok(report)
    }
}

impl<R, T, F> AnySearch<Node, u16, u8> for Retracing<Search<BestFirstEngine<&Case<u8>, R, T, F>>>
where
    R: Order<u8>,
    T: TableFor<Node, u8>,
    F: Frontier<IdOf<T, Node>, R::Key>,
{
    fn run(&mut self) -> Answer<Node, u16, u8> {
        let report = self.0.run()?;
        self.complete(report)
    }

    fn step(&mut self) -> Result<Option<Report<Node, u16, u8>>, SearchError<u8>> {
        self.0.step()?.map(|report| self.complete(report)).transpose()
    }

    fn restart_from(&mut self, starts: Vec<(Node, u8)>) {
        self.0.restart_from(starts);
    }

    fn set_limits(&mut self, limits: Limits<u8>) {
        self.0.set_limits(limits);
    }

    fn stats(&self) -> Stats {
        self.0.stats()
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
