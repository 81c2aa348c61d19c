//! [`Search`]: the machine that every engine runs in, and [`Engine`], what it runs.

use std::fmt;
use std::hash::Hash;
use std::time::Duration;

use super::run::{Run, Tally};
use crate::alarm;
use crate::budget::Slice;
use crate::clock::{Instant, time_until};
use crate::cost::Cost;
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::Path;
use crate::report::{Outcome, Report, SearchError, Stats, StopReason};
use crate::table::Full;

/// Where a search stands after some expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// There are more states to expand.
    Going,
    /// The same, but it is not certain: the engine has done much work without an expansion, and returns so
    /// that the limits can be looked at.
    Paused,
    /// A solution is found, and it is the answer.
    Found,
    /// There is no solution.
    Exhausted,
    /// A limit that the engine checks itself is reached: memory, the number of states, or the highest
    /// cost.
    Stopped(StopReason),
}

/// A way to search: what [`Search`] runs.
///
/// The engines of this crate implement it, and so can you: [`Search::new`] then gives your engine limits,
/// statistics, an observer, steps, stops, resuming and reports. The engine expands states and counts;
/// [`Search`] checks the limits on expansions, time and the token.
///
/// # Example
///
/// An engine that takes one random step after the other until it comes to a goal. It has no lower bound
/// but zero.
///
/// ```
/// use bestfirst::engine::{Engine, ErrorOf, Progress, Run};
/// use bestfirst::{FnProblem, Limits, Observer, Outcome, Path, Search, SearchProblem, StopReason, Successors};
///
/// struct RandomWalk<P: SearchProblem> {
///     problem: P,
///     path: Path<P::State, P::Action, P::Cost>,
///     random: u64,
/// }
///
/// impl<P: SearchProblem<Cost = u32>> Engine for RandomWalk<P> {
///     type Problem = P;
///     type State = P::State;
///     type Action = P::Action;
///     type Cost = u32;
///
///     fn advance<O: Observer<P::State, u32>>(
///         &mut self,
///         most: u64,
///         run: &mut Run<u32, O>,
///     ) -> Result<Progress, ErrorOf<Self>> {
///         for _ in 0..most {
///             if self.problem.is_goal(self.path.end()) {
///                 return Ok(Progress::Found);
///             }
///             let mut next = Successors::<P>::new();
///             self.problem.successors(self.path.end(), &mut next);
///             run.stats_mut().expanded += 1;
///             run.stats_mut().generated += next.len() as u64;
///             if next.is_empty() {
///                 return Ok(Progress::Exhausted);
///             }
///             self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
///             let taken = (self.random >> 33) as usize % next.len();
///             if let Some(step) = next.drain().nth(taken) {
///                 self.path.push(step.action, step.state, step.cost)?;
///             }
///         }
///         Ok(Progress::Going)
///     }
///
///     fn lower_bound<O>(&mut self, _run: &mut Run<u32, O>) -> u32 {
///         0
///     }
///
///     fn path(&mut self) -> Result<Option<Path<P::State, P::Action, u32>>, ErrorOf<Self>> {
///         Ok(self.problem.is_goal(self.path.end()).then(|| self.path.clone()))
///     }
///
///     fn stored(&self) -> usize {
///         self.path.len()
///     }
///
///     fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, u32)>) {
///         if let Some((start, cost)) = starts.into_iter().next() {
///             self.path = Path::at(start, cost);
///         }
///     }
///
///     fn set_problem(&mut self, problem: P) {
///         self.problem = problem;
///     }
/// }
///
/// let ring = FnProblem::new(|&n: &u8| [((n + 1) % 12, 1), ((n + 11) % 12, 1)], |_: &u8| 0, |&n: &u8| n == 5);
/// let engine = RandomWalk { problem: &ring, path: Path::at(0, 0), random: 7 };
/// let mut search = Search::new(engine, Limits::new().expansions(3), ());
/// assert!(matches!(search.run()?.outcome, Outcome::Stopped(StopReason::Expansions)));
/// search.set_limits(Limits::new());
/// let report = search.run()?;
/// report.path().expect("it comes by some day").verify(&&ring).expect("every path replays");
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an engine",
    label = "`Search` is given an engine, not a builder",
    note = "the search that a builder makes has a type of its own: `AStarSearch<P>` for `AStar`, `DijkstraSearch<P>`, `IdaStarSearch<P>` and so on, at the root of the crate",
    note = "`BoxedSearch<P>` is a search by any engine; an engine of your own implements `bestfirst::engine::Engine`"
)]
pub trait Engine {
    /// The problem that is searched.
    type Problem;
    /// The states of the problem.
    type State: Clone + Eq + Hash;
    /// Its actions.
    type Action: Clone;
    /// Its costs.
    type Cost: Cost;

    /// Expands at most `most` states; fewer if the search ends, or if so much work was done without an
    /// expansion that the limits should be looked at ([`Progress::Paused`]). Ends the same way again when
    /// it is called after an end, unless a limit was raised. With `most` = 0 it ends if it can do so
    /// without another expansion.
    ///
    /// # Errors
    ///
    /// A [`SearchError`] about the input; the engine is not used again then, until it is restarted.
    fn advance<O: Observer<Self::State, Self::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<Self::Cost, O>,
    ) -> Result<Progress, ErrorOf<Self>>;

    /// Whether it looks at the clock and at the token itself, through [`Budget`](crate::budget::Budget),
    /// and returns early when it is time to stop. It may then be told to expand many states at once.
    fn watches_clock(&self) -> bool {
        false
    }

    /// What is proved so far: no solution costs less.
    fn lower_bound<O>(&mut self, run: &mut Run<Self::Cost, O>) -> Self::Cost;

    /// The best solution so far; after [`Progress::Found`] there is one.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    fn path(&mut self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>>;

    /// The path to the state that is closest to a goal by the heuristic, if the engine knows one.
    ///
    /// # Errors
    ///
    /// As [`path`](Self::path).
    fn closest(&self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
        Ok(None)
    }

    /// How many states are stored.
    fn stored(&self) -> usize;

    /// Whether it knows which states are closed, for a [certificate](crate::certificate).
    fn keeps_closed(&self) -> bool {
        false
    }

    /// The cost of a state that is closed: it was expanded when it was reached at this cost, and has not been
    /// reached at a smaller one since. `None` if it is not closed, or if that is not known. (A certificate is
    /// made by the successors of each state that it lists, so an answer that is wrong makes it claim less, and
    /// nothing false.)
    fn closed_cost(&self, state: &Self::State) -> Option<Self::Cost> {
        let _ = state;
        None
    }

    /// Begins anew from other starts, each with what it costs to get there, with the memory that is
    /// allocated.
    fn restart(&mut self, starts: impl IntoIterator<Item = (Self::State, Self::Cost)>);

    /// Replaces the problem; [`restart`](Self::restart) is called before or after it.
    fn set_problem(&mut self, problem: Self::Problem);
}

/// A search that can be run, stepped, stopped and resumed.
///
/// Builders such as [`AStar`](crate::AStar) make one; [`new`](Self::new) makes one of an engine of your
/// own.
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
    failed: Option<ErrorOf<E>>,
    /// The end that was reached: the answer stays the same, whatever the clock says by then.
    ended: Option<Progress>,
    /// The cheapest path that was reported at a stop.
    reported: Option<PathBy<E>>,
    /// Whether the engine was told of something since it ran: what it holds for that counts to the next run.
    is_told: bool,
}

/// The report of a search by the engine `E`.
pub type ReportBy<E> = Report<<E as Engine>::State, <E as Engine>::Action, <E as Engine>::Cost>;

/// A path found by the engine `E`.
pub type PathBy<E> = Path<<E as Engine>::State, <E as Engine>::Action, <E as Engine>::Cost>;

/// What is proved, and the best path.
type Known<E> = Result<(<E as Engine>::Cost, Option<PathBy<E>>), ErrorOf<E>>;

/// The error of a search by the engine `E`.
pub type ErrorOf<E> = SearchError<<E as Engine>::Cost>;

impl<E: Engine, O: Observer<E::State, E::Cost>> Search<E, O> {
    /// A search by an engine that knows its starts.
    #[must_use = "a search does nothing until it is run"]
    pub fn new(engine: E, limits: Limits<E::Cost>, observer: O) -> Self {
        let run = Run::new(limits, observer);
        Self { engine, run, failed: None, ended: None, reported: None, is_told: false }
    }

    /// The same of an engine that goes on where another had counted so much.
    pub(crate) fn from_tally(
        engine: E,
        limits: Limits<E::Cost>,
        observer: O,
        tally: Tally<E::Cost>,
    ) -> Self {
        let mut search = Self::new(engine, limits, observer);
        search.run.go_on_from(tally);
        search
    }

    /// Runs until there is an answer or a limit is reached. After a limit, raise it with
    /// [`set_limits`](Self::set_limits) and run again: the search goes on where it stopped. In the end its
    /// report is the same as if it had never stopped; [`Limits`] names the exceptions. After an answer, it
    /// gives the same answer again.
    ///
    /// # Errors
    ///
    /// A [`SearchError`] if a cost is negative or no number, or too large for its type, or the
    /// problem contradicts itself. What was counted is still in [`stats`](Self::stats).
    pub fn run(&mut self) -> Result<ReportBy<E>, ErrorOf<E>> {
        self.run.budget.start_clock();
        let progress = self.advance_to_end();
        self.run.budget.stop_clock();
        self.report_at(progress?)
    }

    /// Runs for at most `most` more expansions. Returns the report if the search has ended, with an answer or at
    /// one of its [limits](Self::limits), and `None` if there is more to do: call it again. The limits stay as
    /// they are. With `most` = 0 it ends if it can do so without another expansion.
    ///
    /// A search that is run in slices, however short, ends with the same report as one that is
    /// [run](Self::run). A slice takes no more memory and no more time than a stop at a limit, less what the
    /// report takes; [`report`](Self::report) says between two slices what is known.
    ///
    /// ```
    /// use bestfirst::{AStar, FnProblem};
    ///
    /// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 1000);
    /// let mut search = AStar::new(&line).search(0);
    /// let mut slices = 1;
    /// let report = loop {
    ///     match search.run_for(64)? {
    ///         Some(report) => break report,
    ///         None => slices += 1,
    ///     }
    /// };
    /// assert_eq!((report.cost(), slices), (Some(1000), 16));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn run_for(&mut self, most: u64) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        let end = self.run.stats.expanded.saturating_add(most);
        self.run_slice(Slice { expansions: Some(end), time: None })
    }

    /// Runs for at most so much time, and otherwise as [`run_for`](Self::run_for). It overruns the time as
    /// little as a [limit on the time](Limits::time) is overrun. Without time left, nothing is expanded.
    ///
    /// Where there is no clock ([`clock`](crate::clock)), it returns a report that says so:
    /// [`StopReason::NoClock`].
    ///
    /// ```
    /// use std::time::Duration;
    /// use bestfirst::{AStar, FnProblem};
    ///
    /// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 1000);
    /// let mut search = AStar::new(&line).search(0);
    /// let report = loop {
    ///     if let Some(report) = search.run_within(Duration::from_millis(2))? {
    ///         break report;
    ///     }
    ///     // Draw a frame.
    /// };
    /// assert_eq!(report.cost(), Some(1000));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn run_within(&mut self, time: Duration) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        alarm::provide();
        let end = self.elapsed().saturating_add(time);
        self.run_slice(Slice { expansions: None, time: Some(end) })
    }

    /// Runs until this moment on the clock of the system, and otherwise as [`run_within`](Self::run_within).
    /// After the moment, nothing is expanded.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn run_until(&mut self, deadline: Instant) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        self.run_within(time_until(deadline))
    }

    fn run_slice(&mut self, slice: Slice) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        self.run.budget.start_slice(slice);
        let progress = self.advance_to_end();
        self.run.budget.stop_clock();
        let mut progress = progress?;
        if let Progress::Stopped(StopReason::Expansions | StopReason::Time) = progress {
            // It was the slice that ended, unless a limit is reached, too, or nothing was left to expand.
            progress = self.advance_on(0)?;
        }
        match progress {
            Progress::Going | Progress::Paused => Ok(None),
            end => self.report_at(end).map(Some),
        }
    }

    /// Advances until there is an answer or a limit is reached.
    fn advance_to_end(&mut self) -> Result<Progress, ErrorOf<E>> {
        loop {
            let progress = self.advance_on(u64::MAX)?;
            if !matches!(progress, Progress::Going | Progress::Paused) {
                return Ok(progress);
            }
        }
    }

    /// Expands one state; returns the report if the search has ended with that.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn step(&mut self) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        self.run.budget.start_step();
        let before = self.run.stats.expanded;
        while self.run.stats.expanded == before {
            let progress = self.advance_on(1)?;
            if !matches!(progress, Progress::Going | Progress::Paused) {
                return self.report_at(progress).map(Some);
            }
        }
        Ok(None)
    }

    /// Expands at most `most` states, fewer if a limit is due to be checked.
    pub(crate) fn advance(&mut self, most: u64) -> Result<Progress, ErrorOf<E>> {
        if most == 1 {
            self.run.budget.start_step();
            return self.advance_on(1);
        }
        self.run.budget.start_clock();
        let progress = self.advance_on(most);
        self.run.budget.stop_clock();
        progress
    }

    /// The same while the clock runs.
    fn advance_on(&mut self, most: u64) -> Result<Progress, ErrorOf<E>> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if let Some(end) = self.ended {
            return Ok(end);
        }
        let Run { budget, stats, .. } = &self.run;
        if let Some(most) = budget.limits().cost_limit().filter(|most| !most.is_number()) {
            // Another limit can be set.
            return Err(SearchError::NotANumber { g: E::Cost::ZERO, value: most });
        }
        match budget.check(stats.expanded) {
            Ok(allowed) => {
                let watches = self.engine.watches_clock();
                let allowed =
                    if watches { budget.expansions_left(stats.expanded) } else { allowed };
                self.advance_engine(allowed.min(most))
            }
            // The search may have come to its end and not know it yet.
            Err(StopReason::Expansions) => Ok(match self.advance_engine(0)? {
                Progress::Going => Progress::Stopped(StopReason::Expansions),
                other => other,
            }),
            Err(reason) => Ok(Progress::Stopped(reason)),
        }
    }

    fn advance_engine(&mut self, most: u64) -> Result<Progress, ErrorOf<E>> {
        self.is_told = false;
        // Stays so if the user's code panics: what the engine holds is then of no meaning.
        self.failed = Some(SearchError::Panicked);
        let progress = self.engine.advance(most, &mut self.run);
        self.failed = progress.err();
        self.run.budget.look_at_clock(most);
        if let Ok(end @ (Progress::Found | Progress::Exhausted)) = progress {
            self.ended = Some(end);
        }
        progress
    }

    /// What is found and proved so far, without searching on: after an answer, the report with it; else that of
    /// a search which is stopped, with the reason [`StopReason::Slice`], the best path so far and the lower
    /// bound. It takes up to one pass over the open states, and builds the path anew.
    ///
    /// # Errors
    ///
    /// The error that ended the search, or [`SearchError::Path`].
    pub fn report(&mut self) -> Result<ReportBy<E>, ErrorOf<E>> {
        match self.failed {
            Some(error) => Err(error),
            None => self.report_at(self.ended.unwrap_or(Progress::Stopped(StopReason::Slice))),
        }
    }

    fn report_at(&mut self, progress: Progress) -> Result<ReportBy<E>, ErrorOf<E>> {
        let (lower_bound, mut path) = self.bound_and_path()?;
        if matches!(progress, Progress::Stopped(_)) {
            path = self.cheapest_so_far(path);
        }
        // Where the problem contradicts itself and the path does not replay, there is none.
        let closest = match (progress, &path) {
            (Progress::Found, Some(_)) => None,
            _ => self.engine.closest().unwrap_or(None),
        };
        let (stats, layers) = (self.stats(), self.run.layers());
        let outcome = Outcome::Exhausted;
        let report = Report { outcome, incumbent: None, closest, lower_bound, stats, layers };
        Ok(concluded(report, progress, path, self.limits().cost_limit()))
    }

    /// The path to report at a stop: one that was reported before as long as it is cheaper. The path of an
    /// engine may become dearer when the parents of its states change, because a stored cost may be larger
    /// than that of the path by way of the parent.
    fn cheapest_so_far(&mut self, path: Option<PathBy<E>>) -> Option<PathBy<E>> {
        let least = self.reported.as_ref().map(Path::cost);
        let Some(path) = path.filter(|path| least.is_none_or(|least| path.cost() <= least)) else {
            return self.reported.clone();
        };
        if least.is_none_or(|least| path.cost() < least) {
            self.reported = Some(path.clone());
        }
        Some(path)
    }

    /// The lower bound of the report, and whether it is proved that there is no solution.
    pub(crate) fn proved(&mut self) -> Result<(E::Cost, bool), ErrorOf<E>> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let (bound, path) = self.bound_and_path()?;
        let cost = path.map(|path| path.cost());
        Ok((bound_beside(bound, cost), self.ended == Some(Progress::Exhausted)))
    }

    /// What the engine proves and has found.
    fn bound_and_path(&mut self) -> Known<E> {
        // Stays so if the user's code panics, as in an expansion: the engine may have let go of a state.
        self.failed = Some(SearchError::Panicked);
        let bound = self.engine.lower_bound(&mut self.run);
        let path = self.engine.path();
        self.failed = None;
        Ok((bound, path?))
    }

    /// What has been counted so far.
    pub fn stats(&self) -> Stats {
        self.run.stats(self.engine.stored())
    }

    /// The time spent inside the search so far. It is not part of the report, which is the same
    /// whenever the same search is made.
    pub fn elapsed(&self) -> Duration {
        self.run.budget.spent()
    }

    /// The bytes that the search holds now.
    pub fn bytes(&self) -> usize {
        self.run.budget.memory_account().held()
    }

    /// The limits.
    pub fn limits(&self) -> &Limits<E::Cost> {
        self.run.budget.limits()
    }

    /// Changes the limits: raise one, and [`run`](Self::run) again.
    pub fn set_limits(&mut self, limits: Limits<E::Cost>) {
        self.run.budget.set_limits(limits);
    }

    /// The observer.
    pub fn observer(&mut self) -> &mut O {
        &mut self.run.observer
    }

    /// The engine.
    pub fn engine(&self) -> &E {
        &self.engine
    }

    /// Begins anew from another start, with the memory that is allocated. Nothing is left of the search
    /// before; its report is that of a new search. Tables are cleared in proportion to what was reached.
    ///
    /// ```
    /// use bestfirst::{AStar, FnProblem};
    ///
    /// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 1000);
    /// let mut search = AStar::new(&line).search(990);
    /// assert_eq!(search.run()?.cost(), Some(10));
    /// search.restart(900);
    /// assert_eq!(search.run()?.cost(), Some(100));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn restart(&mut self, start: E::State) {
        self.restart_from([(start, E::Cost::ZERO)]);
    }

    /// Begins anew from several starts, each with what it costs to get there.
    pub fn restart_from(&mut self, starts: impl IntoIterator<Item = (E::State, E::Cost)>) {
        self.run.begin_anew();
        self.failed = Some(SearchError::Panicked);
        self.engine.restart(starts);
        (self.failed, self.ended, self.reported) = (None, None, None);
    }

    /// Begins anew with another problem, for example another goal on the same map. On a dense table, both
    /// must number their states alike.
    pub fn restart_with(&mut self, problem: E::Problem, start: E::State) {
        self.engine.set_problem(problem);
        self.restart(start);
    }

    /// The engine, to be told that the problem is another now, and the account of its memory: what is counted
    /// begins anew, and what the engine knows stays. Whether there was an error: then what it knows has no meaning.
    pub(crate) fn engine_to_go_on(&mut self) -> (&mut E, &mut Memory, bool) {
        if !std::mem::replace(&mut self.is_told, true) {
            self.run.begin_anew();
        }
        // A path that was reported may be none any more.
        (self.ended, self.reported) = (None, None);
        let has_failed = self.failed.take().is_some();
        (&mut self.engine, self.run.memory(), has_failed)
    }

    /// The engine, to be told to do something else: an end that it came to is none then, nor is a path that was
    /// reported its answer.
    pub(crate) fn engine_mut(&mut self) -> &mut E {
        (self.ended, self.reported) = (None, None);
        &mut self.engine
    }
}

/// The report with its outcome, of a search that came to `progress` and knows this path. One copy for all
/// engines.
fn concluded<S, A, C: Cost>(
    mut report: Report<S, A, C>,
    progress: Progress,
    path: Option<Path<S, A, C>>,
    most: Option<C>,
) -> Report<S, A, C> {
    report.lower_bound = bound_beside(report.lower_bound, path.as_ref().map(Path::cost));
    match (progress, path) {
        (Progress::Found, Some(path)) => report.outcome = Outcome::Found(path),
        (Progress::Stopped(reason), path) => {
            let is_affordable = |path: &Path<S, A, C>| !most.is_some_and(|most| path.cost() > most);
            report.outcome = Outcome::Stopped(reason);
            report.incumbent = path.filter(is_affordable);
        }
        (Progress::Exhausted | Progress::Found | Progress::Going | Progress::Paused, _) => {}
    }
    report
}

/// The lower bound of a search that knows a path of this cost.
fn bound_beside<C: Cost>(bound: C, cost: Option<C>) -> C {
    match cost {
        // Either sums of floats were rounded, or the heuristic overestimates and nothing is proved.
        Some(cost) if bound.exceeds(cost) => C::ZERO,
        Some(cost) if bound > cost => cost,
        _ => bound,
    }
}

impl<E: Engine + fmt::Debug, O> fmt::Debug for Search<E, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("engine", &self.engine)
            .field("limits", &self.run.budget.limits())
            .field("expanded", &self.run.stats.expanded)
            .finish_non_exhaustive()
    }
}

impl From<OutOfMemory> for StopReason {
    fn from(_: OutOfMemory) -> Self {
        Self::Memory
    }
}

impl From<Full> for StopReason {
    fn from(full: Full) -> Self {
        match full {
            Full::Memory => Self::Memory,
            Full::Ids { most } => Self::States { most },
        }
    }
}
