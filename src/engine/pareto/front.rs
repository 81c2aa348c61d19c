//! [`Front`]: the result of a multi-criteria search.

use super::builder::ParetoSearch;
use crate::cost::Criteria;
use crate::frontier::{Frontier, Lexicographic};
use crate::observer::Observer;
use crate::path::{Path, PathOf};
use crate::problem::SearchProblem;
use crate::report::{Outcome, SearchError, Stats, StopReason};
use crate::table::{IdOf, TableFor};

/// A Pareto front: one path for every undominated cost.
///
/// The paths are in the lexicographic order of their costs. No two have the same cost, and none dominates another.
///
/// If the search was stopped, this is a part of the front: every path in it belongs to the whole front, and no
/// missing path costs less than [`lower_bound`](Self::lower_bound) by any criterion.
///
/// With the feature `serde` it can be stored and read, as a [`Report`](crate::Report) can. Each path is checked when it is
/// read.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "S: serde::Serialize, A: serde::Serialize, C: Criteria + serde::Serialize",
        deserialize = "S: serde::Deserialize<'de>, A: serde::Deserialize<'de>, C: Criteria + serde::Deserialize<'de>"
    ))
)]
#[must_use]
pub struct Front<S, A, C> {
    paths: Vec<Path<S, A, C>>,
    stopped: Option<StopReason>,
    #[cfg_attr(feature = "serde", serde(with = "crate::report::stored"))]
    lower_bound: C,
    stats: Stats,
}

/// The front of a search of `P`.
pub type FrontOf<P> =
    Front<<P as SearchProblem>::State, <P as SearchProblem>::Action, <P as SearchProblem>::Cost>;

impl<S, A, C: Criteria> Front<S, A, C> {
    /// Creates an empty front of a search that was stopped before it began.
    pub(crate) fn unknown(reason: StopReason) -> Self {
        Self {
            paths: Vec::new(),
            stopped: Some(reason),
            lower_bound: C::ZERO,
            stats: Stats::default(),
        }
    }

    /// Returns the paths, in the order of their costs.
    #[must_use]
    pub fn paths(&self) -> &[Path<S, A, C>] {
        &self.paths
    }

    /// Returns the paths, by value.
    #[must_use]
    pub fn into_paths(self) -> Vec<Path<S, A, C>> {
        self.paths
    }

    /// Returns the costs of the paths, in order.
    pub fn costs(&self) -> impl ExactSizeIterator<Item = C> + DoubleEndedIterator {
        self.paths.iter().map(Path::cost)
    }

    /// Returns the number of paths.
    #[must_use]
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether there are no paths. If the front is also complete, no goal can be reached.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Whether no path is missing.
    ///
    /// This presumes that the heuristic is admissible by every criterion. With float costs, a path
    /// whose cost differs from another only by rounding may be missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Returns the limit that ended the search before the front was complete, if any.
    #[must_use]
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Returns a lower bound on the costs of all missing paths, by each criterion; infinite if none is missing.
    #[must_use]
    pub fn lower_bound(&self) -> C {
        self.lower_bound
    }

    /// Returns the counts of the search. Expansions and stored states count labels, that is, paths to states.
    #[must_use]
    pub fn stats(&self) -> &Stats {
        &self.stats
    }
}

impl<P, T, F, O> ParetoSearch<P, T, F, O>
where
    P: SearchProblem<Cost: Criteria>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, Lexicographic<P::Cost>>,
    O: Observer<P::State, P::Cost>,
{
    /// Runs until the front is complete or a limit is reached, and builds the paths that were found. After a
    /// limit, raise it with [`set_limits`](crate::Search::set_limits) and call it again: the final front is
    /// the same as if the search had never stopped.
    ///
    /// Building a path takes one expansion for each of its steps; the memory of the paths does not count for the search.
    /// [`run`](crate::Search::run) does the same but builds only the first path; [`costs`](Self::costs) and
    /// [`nth_path`](Self::nth_path) then return the others on demand.
    ///
    /// # Errors
    ///
    /// As [`run`](crate::Search::run); and [`SearchError::Overflow`] if the costs of paths that may belong to the front
    /// do not fit into their type. The paths that were found remain available.
    pub fn front(&mut self) -> Result<FrontOf<P>, SearchError<P::Cost>> {
        let report = self.run()?;
        let stopped = match report.outcome {
            Outcome::Stopped(reason) => Some(reason),
            Outcome::Found(_) | Outcome::Exhausted => None,
        };
        let engine = self.engine();
        let paths = engine.paths()?;
        let lower_bound = engine.bound_of_rest(|| self.goes_on());
        Ok(Front { paths, stopped, lower_bound, stats: report.stats })
    }

    /// Returns the costs of the paths found so far that belong to the front, in order. If the
    /// [limit on the cost](crate::Limits::cost) was lowered before the front was complete, paths beyond it are passed over
    /// from the next run on, until it is raised.
    pub fn costs(&self) -> impl ExactSizeIterator<Item = P::Cost> {
        self.engine().costs()
    }

    /// Returns path `number`, counted from 0 in the order of [`costs`](Self::costs).
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    pub fn nth_path(&self, number: usize) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.engine().nth_path(number)
    }
}
