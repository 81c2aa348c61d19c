//! The engines, one a file, and [`Search`], the machine that they all run in.
//!
//! An [`Engine`] knows how to expand states; a [`Search`] runs one, checks its limits, and reports.
//! That is done in one place for all engines, so that a limit means the same everywhere.

mod astar;
mod best_first;
pub mod bounded;
pub mod branch_and_bound;
pub mod breadth_first;
pub mod depth_first;
mod dijkstra;
mod run;

pub use astar::{AStar, astar, solve};
pub use best_first::{BestFirst, BestFirstEngine, BestFirstSearch};
pub use bounded::{Bounded, BoundedSearch};
pub use branch_and_bound::{BranchAndBound, branch_and_bound};
pub use breadth_first::{BreadthFirst, breadth_first};
pub use depth_first::{IdaStar, IdaStarSearch, idastar};
pub use dijkstra::{Dijkstra, Reached, Settled, dijkstra, dijkstra_all};
pub use run::Run;

use std::fmt;
use std::hash::Hash;
use std::time::{Duration, Instant};

use crate::cost::Cost;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::path::Path;
use crate::report::{Outcome, Report, SearchError, Stats, StopReason};

/// Where a search stands after some expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to do.
    Going,
    /// A solution is found, and it is the answer.
    Found,
    /// There is no solution.
    Exhausted,
    /// A limit that the engine checks itself is reached: memory, or the highest cost.
    Stopped(StopReason),
}

/// A way to search: what [`Search`] runs.
pub trait Engine {
    /// The states of the problem.
    type State: Clone + Eq + Hash;
    /// Its actions.
    type Action: Clone;
    /// Its costs.
    type Cost: Cost;

    /// Expands at most `most` states, fewer only if the search ends, or if what it did besides took
    /// so long that the limits should be looked at. Ends the same way again when it is called after
    /// an end, unless a limit was raised. With `most` = 0 it ends if it can do so without another
    /// expansion.
    ///
    /// # Errors
    ///
    /// A [`SearchError`] about the input; the engine is not used again then.
    fn advance<O: Observer<Self::State, Self::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<Self::Cost, O>,
    ) -> Result<Progress, SearchError<Self::Cost>>;

    /// Whether it looks at the clock and at the token itself, by [`Run`], and so may be told to
    /// expand many states at once: it returns early when it is time to stop.
    fn keeps_watch(&self) -> bool {
        false
    }

    /// What is proved so far: no solution costs less.
    fn lower_bound<O>(&mut self, run: &mut Run<Self::Cost, O>) -> Self::Cost;

    /// The best solution so far; after [`Progress::Found`] there is one.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    #[expect(clippy::type_complexity, reason = "a path, or none, or an error")]
    fn path(
        &mut self,
    ) -> Result<Option<Path<Self::State, Self::Action, Self::Cost>>, SearchError<Self::Cost>>;

    /// How many states are stored.
    fn stored(&self) -> usize;
}

/// A search that can be run, stepped, stopped and gone on with.
///
/// Builders such as [`AStar`] make one.
///
/// ```
/// use bestfirst::{AStar, FnProblem};
///
/// let problem = FnProblem::new(|&n: &u32| [(n + 1, 1_u32), (n * 3, 4)], |_: &u32| 0, |&n| n == 20);
/// let mut search = AStar::new(&problem).search(1);
/// let report = loop {
///     if let Some(report) = search.step()? {
///         break report;
///     }
///     assert!(search.stats().expanded < 100);
/// };
/// assert_eq!(report.cost(), Some(11));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub struct Search<E: Engine, O = ()> {
    engine: E,
    run: Run<E::Cost, O>,
    failed: Option<SearchError<E::Cost>>,
    /// The end that was reached: the answer stays the same, whatever the clock says by then.
    ended: Option<Progress>,
}

/// The report of a search by the engine `E`.
pub type ReportBy<E> = Report<<E as Engine>::State, <E as Engine>::Action, <E as Engine>::Cost>;

/// The error of a search by the engine `E`.
pub type ErrorOf<E> = SearchError<<E as Engine>::Cost>;

impl<E: Engine, O: Observer<E::State, E::Cost>> Search<E, O> {
    pub(crate) fn new(engine: E, limits: Limits<E::Cost>, observer: O) -> Self {
        Self { engine, run: Run::new(limits, observer), failed: None, ended: None }
    }

    /// Runs until there is an answer or a limit is reached. After a limit, raise it with
    /// [`set_limits`](Self::set_limits) and run again: the search goes on where it was, and its
    /// report is in the end the same as if it had never stopped. (A limit on the cost may change what
    /// engines that improve on a solution look at; the answer is the same.) After an answer, it gives
    /// the same answer again.
    ///
    /// # Errors
    ///
    /// A [`SearchError`] if a cost is negative or no number, or too large for its type, or the
    /// problem contradicts itself. What was counted is still in [`stats`](Self::stats).
    pub fn run(&mut self) -> Result<ReportBy<E>, ErrorOf<E>> {
        loop {
            let progress = self.advance(u64::MAX)?;
            if progress != Progress::Going {
                return self.report(progress);
            }
        }
    }

    /// Expands one state; returns the report if the search has ended with that.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn step(&mut self) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        let before = self.run.stats.expanded;
        while self.run.stats.expanded == before {
            let progress = self.advance(1)?;
            if progress != Progress::Going {
                return self.report(progress).map(Some);
            }
        }
        Ok(None)
    }

    /// Expands at most `most` states, fewer if a limit is due to be checked.
    pub(crate) fn advance(&mut self, most: u64) -> Result<Progress, ErrorOf<E>> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if let Some(end) = self.ended {
            return Ok(end);
        }
        let Run { meter, limits, stats, .. } = &self.run;
        match meter.allowance(limits, stats.expanded) {
            Ok(allowed) => {
                let watches = self.engine.keeps_watch();
                let allowed =
                    if watches { limits.expansions_left(stats.expanded) } else { allowed };
                self.advance_engine(allowed.min(most))
            }
            // The search may have come to its end and only not know it yet.
            Err(StopReason::Expansions) => Ok(match self.advance_engine(0)? {
                Progress::Going => Progress::Stopped(StopReason::Expansions),
                end => end,
            }),
            Err(reason) => Ok(Progress::Stopped(reason)),
        }
    }

    fn advance_engine(&mut self, most: u64) -> Result<Progress, ErrorOf<E>> {
        self.run.began = Instant::now();
        // Stays so if the user's code panics: what the engine holds is then of no meaning.
        self.failed = Some(SearchError::Panicked);
        let progress = self.engine.advance(most, &mut self.run);
        self.failed = progress.err();
        self.run.meter.account(self.run.began, most);
        if let Ok(end @ (Progress::Found | Progress::Exhausted)) = progress {
            self.ended = Some(end);
        }
        progress
    }

    fn report(&mut self, progress: Progress) -> Result<ReportBy<E>, ErrorOf<E>> {
        let mut lower_bound = self.engine.lower_bound(&mut self.run);
        let path = self.engine.path()?;
        if let Some(cost) = path.as_ref().map(Path::cost)
            && lower_bound > cost
        {
            // Either sums of floats were rounded, or the heuristic overestimates and nothing is proved.
            lower_bound = if lower_bound.exceeds(cost) { E::Cost::ZERO } else { cost };
        }
        let (outcome, incumbent) = match (progress, path) {
            (Progress::Found, Some(path)) => (Outcome::Found(path), None),
            (Progress::Stopped(reason), path) => {
                let affordable = |path: &Path<_, _, _>| !self.run.is_too_expensive(path.cost());
                (Outcome::Stopped(reason), path.filter(affordable))
            }
            (Progress::Exhausted | Progress::Found | Progress::Going, _) => {
                (Outcome::Exhausted, None)
            }
        };
        let stats = self.stats();
        let layers = self.run.layers();
        Ok(Report { outcome, incumbent, lower_bound, stats, layers })
    }

    /// What has been counted so far.
    pub fn stats(&self) -> Stats {
        self.run.stats(self.engine.stored())
    }

    /// The time spent inside the search so far. It is not part of the report, which is the same
    /// whenever the same search is made.
    pub fn elapsed(&self) -> Duration {
        self.run.meter.spent()
    }

    /// The bytes that the search holds now.
    pub fn bytes(&self) -> usize {
        self.run.memory.held()
    }

    /// Changes the limits: raise one, and [`run`](Self::run) again.
    pub fn set_limits(&mut self, limits: Limits<E::Cost>) {
        self.run.set_limits(limits);
    }

    /// The observer.
    pub fn observer(&mut self) -> &mut O {
        &mut self.run.observer
    }

    /// The engine, to begin anew as everything counted has.
    pub(crate) fn begin_anew(&mut self) -> &mut E {
        self.run.begin_anew();
        self.failed = None;
        self.ended = None;
        &mut self.engine
    }

    pub(crate) fn engine(&self) -> &E {
        &self.engine
    }

    /// The engine, to be told to do something else: an end that it came to is none then.
    pub(crate) fn engine_mut(&mut self) -> &mut E {
        self.ended = None;
        &mut self.engine
    }
}

impl<E: Engine + fmt::Debug, O> fmt::Debug for Search<E, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("engine", &self.engine)
            .field("limits", &self.run.limits)
            .field("expanded", &self.run.stats.expanded)
            .finish_non_exhaustive()
    }
}
