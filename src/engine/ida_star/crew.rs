//! Who searches the trees of IDA*: one thread, or several.

use super::Walk;
use super::stack::{Horizon, Stack};
use crate::engine::Run;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::SearchError;

/// Who searches the trees of IDA*: [`Alone`], or (feature `parallel`) `Threads`. It cannot be
/// implemented elsewhere.
pub trait Crew<P: SearchProblem, W: Walk<P>> {
    /// What they need for it.
    type Team: Team<P, W>;

    /// Puts that together.
    fn team(self, walk: &W, table_bytes: usize, avoids_cycles: bool) -> Self::Team;
}

/// Those who take the tree of an iteration over from the engine.
pub trait Team<P: SearchProblem, W: Walk<P>> {
    /// Whether there is anybody to take it over.
    fn takes_over(&self) -> bool {
        false
    }

    /// Takes over what is on the stack, and goes on with what was taken over before, for at most
    /// `most` expansions.
    fn deepen<O: Observer<P::State, P::Cost>>(
        &mut self,
        problem: &P,
        stack: &mut Stack<P, W>,
        horizon: &mut Horizon<P::Cost>,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Errand<PathOf<P>>, SearchError<P::Cost>> {
        let _ = (problem, stack, horizon, most, run);
        Ok(Errand::Done)
    }

    /// How many states are stored.
    fn stored(&self) -> usize {
        0
    }
}

/// How far a team has come with the tree of an iteration.
#[derive(Debug)]
pub enum Errand<Path> {
    /// As far as it was allowed to.
    Underway,
    /// It needs more memory.
    OutOfMemory,
    /// To its end, and there was no goal.
    Done,
    /// To a goal.
    Found(Option<Path>),
}

/// One thread does it all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl<P: SearchProblem, W: Walk<P>> Crew<P, W> for Alone {
    type Team = ();

    fn team(self, _walk: &W, _table_bytes: usize, _avoids_cycles: bool) {}
}

impl<P: SearchProblem, W: Walk<P>> Team<P, W> for () {}
