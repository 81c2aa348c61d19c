//! [`Search`]: runs, steps, stops and resumes every engine; [`Engine`]: the trait of engines.

use std::fmt;
use std::hash::Hash;
use std::mem;
use std::time::Duration;

use super::run::Run;
use crate::budget::{Budget, Slice};
use crate::clock::{Instant, time_until};
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::interrupt;
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::Path;
use crate::report::{Layer, Outcome, Report, SearchError, Stats, StopReason};
use crate::table::Full;

/// After a slice that ended by the time, the search may go on for this long to find out that nothing was left to expand.
const AFTER_SLICE: Duration = Duration::from_millis(1);

/// The status of a search after some expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// There are more states to expand.
    Going,
    /// There may be more states to expand. The engine has done much work without an expansion, and returns so
    /// that the limits are checked.
    Paused,
    /// The search has ended with a solution.
    Found,
    /// The search has ended: there is no solution.
    Exhausted,
    /// A limit is reached that the engine checks itself: memory, the number of states, or the cost.
    Stopped(StopReason),
}

/// A search algorithm, run by [`Search`].
///
/// The engines of this crate implement it, and so can you: [`Search::new`] then gives your engine limits,
/// statistics, an observer, steps, stops, resuming and reports. The engine expands states and counts;
/// [`Search`] checks the limits on expansions, time and the token.
///
/// # What an engine does
///
/// - **Counts** ([`Run::stats_mut`]): its expansions, and every other count of [`Stats`] that applies.
///   [`Stats::stored`], [`Stats::peak_bytes`] and [`Stats::expanded_before_last_layer`] are set by [`Search`].
/// - **Events** ([`Run::observer_mut`]): `generated`, `expanded` and `incumbent`. The event `layer` and the layers of the report
///   come from [`Run::enter_layer`], called before the first expansion of a layer is counted.
/// - **Memory and cost:** it reserves memory in the account ([`Run::memory`], [`Memory::reserve`](crate::memory::Memory::reserve))
///   before it changes anything, and compares
///   its lower bound with the limit on the cost ([`Run::exceeds_cost_limit`]). At a limit it returns
///   [`Progress::Stopped`], in a state in which the next call goes on.
/// - **Time and token:** it returns [`Progress::Going`] when [`Run::is_interrupted`].
/// - **Costs:** a start or step that is not [`is_step`](Cost::is_step), and a heuristic value that is not
///   [`is_number`](Cost::is_number), is an error: [`SearchError::NegativeCost`] or [`SearchError::NotANumber`], with the *g* of
///   the state from which the step leads, zero for a start. [`Path::push`] does not check that. A heuristic value below zero counts as zero, so does any value at a
///   goal, and a state with the value [`Cost::INFINITY`] is not expanded. A path whose *g* or *f* does not fit
///   ([`checked_add`](Cost::checked_add)) is skipped, and is the error [`SearchError::Overflow`] where the engine
///   would otherwise return [`Progress::Exhausted`].
///
/// [`Search`] does the rest: after [`Progress::Found`], [`Progress::Exhausted`] or an error it does not call
/// [`advance`](Self::advance) until a restart; a panic of the problem or the observer in the middle of `advance` is such
/// an error, too. A limit on the cost that is NaN is an error before the engine is called. Of the paths of the
/// engine at stops it keeps the cheapest, unless a new limit on the cost excludes it, and reports none that costs more than the
/// limit.
///
/// # Example
///
/// A random walk until it reaches a goal. Its only lower bound is zero.
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
///         for left in (0..=most).rev() {
///             if self.problem.is_goal(self.path.end()) {
///                 return Ok(Progress::Found);
///             }
///             if left == 0 || run.is_interrupted() {
///                 break;
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
    note = "`BoxedSearch<'static, P>` is a search by any engine; an engine of your own implements `bestfirst::engine::Engine`"
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

    /// Expands at most `most` states; fewer if the search ends, or if the limits should be checked after much work
    /// without an expansion ([`Progress::Paused`]). If called after an end, it ends the same way again,
    /// unless a limit was raised. With `most` = 0 it ends if it can do so without another expansion.
    ///
    /// # Errors
    ///
    /// A [`SearchError`] about the input; the engine is then not used until it is restarted.
    fn advance<O: Observer<Self::State, Self::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<Self::Cost, O>,
    ) -> Result<Progress, ErrorOf<Self>>;

    /// Whether the engine checks the clock and the token itself, through [`Budget`],
    /// and returns early when it must stop. It is then called with larger values of `most`.
    fn watches_clock(&self) -> bool {
        false
    }

    /// Returns the lower bound on the cost of every solution that is proved so far. It may be asked for before the
    /// first call of [`advance`](Self::advance).
    fn lower_bound<O>(&mut self, run: &mut Run<Self::Cost, O>) -> Self::Cost;

    /// Returns the best solution so far. After [`Progress::Found`] there must be one: without it, the report says that there is no path.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    fn path(&mut self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>>;

    /// Returns the path to the state that is closest to a goal by the heuristic, if the engine knows one.
    ///
    /// # Errors
    ///
    /// As [`path`](Self::path).
    fn closest(&self) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
        Ok(None)
    }

    /// Returns the path to the stored state with the least `key`; ties go to the smaller *g*. It is
    /// `None` if the engine stores no states, or does not look through them.
    ///
    /// # Errors
    ///
    /// As [`path`](Self::path).
    fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&Self::State) -> K,
    ) -> Result<Option<PathBy<Self>>, ErrorOf<Self>> {
        let _ = key;
        Ok(None)
    }

    /// Returns the number of stored states.
    fn stored(&self) -> usize;

    /// Whether the engine knows the closed states, for a [certificate](crate::certificate).
    fn keeps_closed(&self) -> bool {
        false
    }

    /// Returns the cost of a closed state: the cost at which it was expanded, if it has not been
    /// reached at a smaller one since. `None` if it is not closed, or if this is not known. (A certificate checks the
    /// successors of each state that it lists, so a wrong value weakens its claim, but never makes it false.)
    fn closed_cost(&self, state: &Self::State) -> Option<Self::Cost> {
        let _ = state;
        None
    }

    /// Restarts from these starts, each with its start cost, and reuses the allocated memory, which stays in the account.
    /// The next call of [`advance`](Self::advance) checks the start costs, as it can return an error.
    fn restart(&mut self, starts: impl IntoIterator<Item = (Self::State, Self::Cost)>);

    /// Replaces the problem; [`restart`](Self::restart) is called before or after it.
    fn set_problem(&mut self, problem: Self::Problem);
}

/// A search that can be run, stepped, stopped and resumed.
///
/// Builders such as [`AStar`](crate::AStar) create one; [`new`](Self::new) creates one for your own engine.
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
    /// The end that was reached. It does not change, even if the time is up later.
    ended: Option<Progress>,
    /// The cheapest path that was reported at a stop.
    reported: Option<PathBy<E>>,
    /// Whether the engine received changes since its last run: their memory counts to the next run.
    has_new_changes: bool,
}

/// The report of a search by the engine `E`.
pub type ReportBy<E> = Report<<E as Engine>::State, <E as Engine>::Action, <E as Engine>::Cost>;

/// A path found by the engine `E`.
pub type PathBy<E> = Path<<E as Engine>::State, <E as Engine>::Action, <E as Engine>::Cost>;

/// The lower bound and the best path.
type BoundAndPath<E> = Result<(<E as Engine>::Cost, Option<PathBy<E>>), ErrorOf<E>>;

/// The error of a search by the engine `E`.
pub type ErrorOf<E> = SearchError<<E as Engine>::Cost>;

impl<E: Engine, O: Observer<E::State, E::Cost>> Search<E, O> {
    /// Creates a search by an engine that has its starts.
    #[must_use = "a search does nothing until it is run"]
    pub fn new(engine: E, limits: Limits<E::Cost>, observer: O) -> Self {
        let run = Run::new(limits, observer);
        Self { engine, run, failed: None, ended: None, reported: None, has_new_changes: false }
    }

    /// Like [`new`](Self::new), with the counts of an earlier search that the engine continues.
    #[cfg(feature = "disk")]
    pub(crate) fn from_tally(
        engine: E,
        limits: Limits<E::Cost>,
        observer: O,
        tally: super::run::tally::Tally<E::Cost>,
    ) -> Self {
        let mut search = Self::new(engine, limits, observer);
        search.run.go_on_from(tally);
        search
    }

    /// Runs until there is an answer or a limit is reached. After a limit, raise it with
    /// [`set_limits`](Self::set_limits) and run again: the search continues where it stopped. The final
    /// report is the same as if it had never stopped; [`Limits`] lists the exceptions. After an answer, it
    /// returns the same answer again.
    ///
    /// # Errors
    ///
    /// A [`SearchError`] if a cost is negative, NaN or too large for its type, or if the
    /// problem contradicts itself. The counts remain in [`stats`](Self::stats).
    pub fn run(&mut self) -> Result<ReportBy<E>, ErrorOf<E>> {
        self.run.budget.start_clock();
        let progress = self.advance_to_end();
        self.run.budget.stop_clock();
        self.report_at(progress?)
    }

    /// Runs a search without limits, once: what [`run`](Self::run) returns. It reaches neither slices nor the clock, and
    /// keeps nothing for another run, so that a program which calls it does not contain the code for these.
    pub(crate) fn run_once(self) -> Result<ReportBy<E>, ErrorOf<E>> {
        let Self { mut engine, mut run, .. } = self;
        advance_once(&mut engine, &mut run)
    }

    /// Runs for at most `most` more expansions. Returns the report if the search has ended, with an answer or at
    /// one of its [limits](Self::limits), and `None` if there is more to do: call it again. The limits do not
    /// change. With `most` = 0 it ends if it can do so without another expansion.
    ///
    /// A search that is run in slices, however short, ends with the same report as one that is
    /// [run](Self::run). The overhead of a slice is that of a stop at a limit without its
    /// report; [`report`](Self::report) makes a report between two slices.
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

    /// Like [`run_for`](Self::run_for), but runs for at most `time`. It may exceed the time as
    /// a [limit on the time](Limits::time) may, and by a millisecond in which starts are stored and other work is done that
    /// was put off. If no time is left, nothing is expanded.
    ///
    /// Without a clock (see [`clock`](crate::clock)), it returns a report with
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
        interrupt::provide();
        let end = self.elapsed().saturating_add(time);
        self.run_slice(Slice { expansions: None, time: Some(end) })
    }

    /// Like [`run_within`](Self::run_within), but runs until `deadline` on the system clock.
    /// After the deadline, nothing is expanded.
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
        if let Progress::Stopped(reason @ (StopReason::Expansions | StopReason::Time)) = progress {
            // The slice ended, unless a limit is reached, too, or nothing was left to expand. Finding that out may take work
            // that was put off.
            let time =
                (reason == StopReason::Time).then(|| self.elapsed().saturating_add(AFTER_SLICE));
            self.run.budget.start_slice(Slice { expansions: None, time });
            let after = self.advance_on(0);
            self.run.budget.stop_clock();
            progress = match (after?, self.run.budget.check_clock()) {
                // This slice ended, too, and no limit is reached.
                (Progress::Stopped(StopReason::Time), Ok(())) => Progress::Going,
                (progress, _) => progress,
            };
        }
        match progress {
            Progress::Going | Progress::Paused => Ok(None),
            end => self.report_at(end).map(Some),
        }
    }

    /// Advances to the next answer and returns its path; `None` at the end or at a limit. Building the path counts as time of
    /// the search.
    pub(crate) fn advance_to_path(&mut self) -> Result<Option<PathBy<E>>, ErrorOf<E>> {
        self.run.budget.start_clock();
        let path = match self.advance_to_end() {
            Ok(Progress::Found) => {
                let path = self.engine.path();
                self.run.budget.look_at_clock(1);
                path
            }
            Ok(_) => Ok(None),
            Err(error) => Err(error),
        };
        self.run.budget.stop_clock();
        path
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

    /// Expands one state. Returns the report if the search has ended.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn step(&mut self) -> Result<Option<ReportBy<E>>, ErrorOf<E>> {
        self.run.budget.start_step();
        let before = self.run.stats.expanded;
        // On threads, what was expanded beyond a goal is taken back when it is found: that is no end of the step.
        while self.run.stats.expanded <= before {
            let progress = self.advance_on(1)?;
            if !matches!(progress, Progress::Going | Progress::Paused) {
                return self.report_at(progress).map(Some);
            }
        }
        Ok(None)
    }

    /// Expands one state, and looks at the engine after it; or returns how the search ended or paused. The engine is altered for the
    /// step only. `left` is the number of such steps that may be made before the limits are checked: begin with 0, and change no
    /// limit before the last one. If the user's code panics as the engine is looked at, the search ends as if it had in the step.
    pub(crate) fn advance_sampled<T>(
        &mut self,
        left: &mut u64,
        alter: impl Fn(&mut E, bool),
        look: impl FnOnce(&E) -> T,
    ) -> Result<Result<T, Progress>, ErrorOf<E>> {
        if *left == 0 {
            // What ended it as it was may not end it as it is altered.
            self.engine_mut();
            match self.allowed()? {
                Ok(allowed) => *left = self.run.budget.sampled_steps(allowed),
                Err(end) => return Ok(Err(end)),
            }
        }
        // None are left if the user's code panics.
        let steps = mem::take(left);
        let allowed = steps.min(1);
        self.run.budget.start_sampled_step(steps <= 1);
        self.has_new_changes = false;
        self.failed = Some(SearchError::Panicked);
        alter(&mut self.engine, true);
        let progress = self.engine.advance(allowed, &mut self.run);
        alter(&mut self.engine, false);
        if steps <= 1 {
            self.run.budget.end_sampled_step(allowed);
        }
        if let (1.., Ok(Progress::Going)) = (steps, progress) {
            let seen = look(&self.engine);
            self.failed = None;
            *left = steps - 1;
            return Ok(Ok(seen));
        }
        self.failed = progress.err();
        *left = steps - allowed;
        Ok(Err(stopped_if_none(allowed, progress)?))
    }

    /// Expands at most `most` states, fewer if a limit is due to be checked; the clock must be running.
    fn advance_on(&mut self, most: u64) -> Result<Progress, ErrorOf<E>> {
        let allowed = match self.allowed()? {
            Ok(allowed) => allowed,
            Err(end) => return Ok(end),
        };
        let most = if allowed < most { allowed } else { most };
        let progress = self.advance_engine(most);
        self.run.budget.look_at_clock(most);
        stopped_if_none(allowed, progress)
    }

    /// Returns how many expansions may be made now, or why none.
    fn allowed(&self) -> Result<Result<u64, Progress>, ErrorOf<E>> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if let Some(end) = self.ended {
            return Ok(Err(end));
        }
        let expanded = self.run.stats.expanded;
        let allowed = allowed(&self.run.budget, expanded, self.engine.watches_clock())?;
        Ok(allowed.map_err(Progress::Stopped))
    }

    fn advance_engine(&mut self, most: u64) -> Result<Progress, ErrorOf<E>> {
        self.has_new_changes = false;
        // Remains set if the user's code panics: the state of the engine is then invalid.
        self.failed = Some(SearchError::Panicked);
        let progress = self.engine.advance(most, &mut self.run);
        self.failed = progress.err();
        if let Ok(end @ (Progress::Found | Progress::Exhausted)) = progress {
            self.ended = Some(end);
        }
        progress
    }

    /// Returns a report without searching on: after an answer, the final one; otherwise that of
    /// a stopped search, with the reason [`StopReason::Slice`], the best path so far and the lower
    /// bound. It takes up to one pass over the open states, and builds the path again.
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

    /// Returns the path to the state with the least `key` of all that were reached so far; ties go to the smaller *g*. It
    /// is `None` if no state was reached, or the engine does not look through its states (IDA\*, Pareto, on disk, on shards,
    /// replanning). It is for searches that were stopped or found no path. [`Report::closest`](crate::Report::closest) is the same by the heuristic.
    ///
    /// Takes one pass over the table, and the key of every state.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    ///
    /// ```
    /// use bestfirst::{Dijkstra, FnProblem};
    ///
    /// // No multiple of 7 is 100.
    /// let sevens = FnProblem::new(
    ///     |&n: &u32| (n < 200).then_some((n + 7, 1_u32)), |_: &u32| 0, |&n: &u32| n == 100,
    /// );
    /// let mut search = Dijkstra::new(&sevens).search(0);
    /// assert!(search.run()?.path().is_none());
    /// let closest = search.closest_by(|&n| n.abs_diff(100))?.expect("the start is reached");
    /// assert_eq!((closest.end(), closest.cost()), (&98, 14));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    #[doc(alias = "nearest")]
    pub fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&E::State) -> K,
    ) -> Result<Option<PathBy<E>>, ErrorOf<E>> {
        self.engine.closest_by(key)
    }

    fn report_at(&mut self, progress: Progress) -> Result<ReportBy<E>, ErrorOf<E>> {
        let (lower_bound, mut path) = self.bound_and_path()?;
        if matches!(progress, Progress::Stopped(_)) {
            path = cheapest_so_far(&mut self.reported, path);
        }
        // As in `bound_and_path`: the closest state, and the way to it, are asked of the problem, too.
        self.failed = Some(SearchError::Panicked);
        let layers = self.run.layers();
        let report = report_of(&self.engine, &self.run, progress, (lower_bound, path), layers);
        self.failed = None;
        Ok(report)
    }

    /// Returns the lower bound of the report, and whether it is proved that there is no solution.
    pub(crate) fn proved(&mut self) -> Result<(E::Cost, bool), ErrorOf<E>> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let (bound, path) = self.bound_and_path()?;
        let cost = path.map(|path| path.cost());
        Ok((bound_beside(bound, cost), self.ended == Some(Progress::Exhausted)))
    }

    /// Returns the engine's lower bound and best path.
    fn bound_and_path(&mut self) -> BoundAndPath<E> {
        // Remains set if the user's code panics, as in an expansion: the engine may have lost a state.
        self.failed = Some(SearchError::Panicked);
        let bound = self.engine.lower_bound(&mut self.run);
        let path = self.engine.path();
        self.failed = None;
        Ok((bound, path?))
    }

    /// Returns the counts so far.
    pub fn stats(&self) -> Stats {
        self.run.stats(self.engine.stored())
    }

    /// Returns the time spent inside the search so far. It is not part of the report, which is the same
    /// for each run of the same search.
    pub fn elapsed(&self) -> Duration {
        self.run.budget.spent()
    }

    /// Returns the bytes that the search holds now.
    pub fn bytes(&self) -> usize {
        self.run.budget.memory_account().held()
    }

    /// Whether the time and the token allow to go on with work after a run.
    pub(crate) fn goes_on(&self) -> bool {
        self.run.budget.goes_on()
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits<E::Cost> {
        self.run.budget.limits()
    }

    /// Changes the limits: raise one, and [`run`](Self::run) again.
    pub fn set_limits(&mut self, limits: Limits<E::Cost>) {
        if let Some(most) = limits.cost_limit()
            && limits.cost_limit() != self.limits().cost_limit()
        {
            // What was reported may be beyond the new limit, by any criterion. (Of floats this tells nothing.)
            let is_within = |cost| most.checked_sub(cost).is_some_and(Cost::is_step);
            self.reported.take_if(|path| !is_within(path.cost()));
        }
        self.run.budget.set_limits(limits);
    }

    /// Returns the observer.
    pub fn observer(&mut self) -> &mut O {
        &mut self.run.observer
    }

    /// Returns the engine.
    pub fn engine(&self) -> &E {
        &self.engine
    }

    /// Restarts from another start and reuses the allocated memory. The report is that of a new search.
    /// Clearing a table takes time proportional to the number of reached states.
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

    /// Restarts from several starts, each with its start cost.
    pub fn restart_from(&mut self, starts: impl IntoIterator<Item = (E::State, E::Cost)>) {
        self.run.begin_anew();
        self.failed = Some(SearchError::Panicked);
        self.engine.restart(starts);
        (self.failed, self.ended, self.reported) = (None, None, None);
    }

    /// Restarts with another problem, for example another goal on the same map. On a dense table, both
    /// problems must number their states alike.
    pub fn restart_with(&mut self, problem: E::Problem, start: E::State) {
        // Remains set if the old problem panics as it is dropped: the states are still those of that one.
        self.failed = Some(SearchError::Panicked);
        self.engine.set_problem(problem);
        self.restart(start);
    }

    /// Resets the counts for a changed problem, but not the engine. Returns the engine, its memory account, and whether
    /// the search ended with an error, so that the state of the engine is invalid.
    pub(crate) fn engine_to_go_on(&mut self) -> (&mut E, &mut Memory, bool) {
        if !mem::replace(&mut self.has_new_changes, true) {
            self.run.begin_anew();
        }
        // A reported path may no longer exist.
        (self.ended, self.reported) = (None, None);
        let has_failed = self.failed.take().is_some();
        (&mut self.engine, self.run.memory(), has_failed)
    }

    /// Forgets the end and the reported path, and returns the engine to be changed.
    pub(crate) fn engine_mut(&mut self) -> &mut E {
        (self.ended, self.reported) = (None, None);
        &mut self.engine
    }
}

/// Runs an engine without limits, once.
pub(in crate::engine) fn run_engine_once<E: Engine>(
    mut engine: E,
) -> Result<ReportBy<E>, ErrorOf<E>> {
    advance_once(&mut engine, &mut Run::new(Limits::new(), ()))
}

fn advance_once<E: Engine, O: Observer<E::State, E::Cost>>(
    engine: &mut E,
    run: &mut Run<E::Cost, O>,
) -> Result<ReportBy<E>, ErrorOf<E>> {
    let progress = loop {
        let progress = engine.advance(u64::MAX, run)?;
        if !matches!(progress, Progress::Going | Progress::Paused) {
            break progress;
        }
    };
    let lower_bound = engine.lower_bound(run);
    let path = engine.path()?;
    let layers = run.take_layers();
    Ok(report_of(engine, run, progress, (lower_bound, path), layers))
}

/// Returns the report of an engine with this progress, lower bound and best path.
fn report_of<E: Engine, O>(
    engine: &E,
    run: &Run<E::Cost, O>,
    progress: Progress,
    (lower_bound, path): (E::Cost, Option<PathBy<E>>),
    layers: Vec<Layer<E::Cost>>,
) -> ReportBy<E> {
    // If the problem contradicts itself and the path does not replay, there is none.
    let closest = match (progress, &path) {
        (Progress::Found, Some(_)) => None,
        _ => engine.closest().unwrap_or_default(),
    };
    let counts = (run.stats(engine.stored()), layers);
    made_report(progress, (lower_bound, path), closest, counts, run.budget.limits().cost_limit())
}

// What follows is compiled once for all engines.

/// Returns how many expansions may be made now, or why none.
///
/// # Errors
///
/// [`SearchError::NotANumber`] if the limit on the cost is none. The search can continue with another limit.
fn allowed<C: Cost>(
    budget: &Budget<C>,
    expanded: u64,
    watches_clock: bool,
) -> Result<Result<u64, StopReason>, SearchError<C>> {
    budget.limits().check_cost()?;
    Ok(match budget.check(expanded) {
        Ok(_) if watches_clock => Ok(budget.expansions_left(expanded)),
        // The search may have ended without having detected it.
        Err(StopReason::Expansions) => Ok(0),
        allowed => allowed,
    })
}

/// Turns `Going` into `Stopped(Expansions)` if no expansions were allowed.
#[inline]
fn stopped_if_none<R>(allowed: u64, progress: Result<Progress, R>) -> Result<Progress, R> {
    match progress {
        Ok(Progress::Going) if allowed == 0 => Ok(Progress::Stopped(StopReason::Expansions)),
        progress => progress,
    }
}

/// Returns the path to report at a stop: the one reported before, if it is cheaper. The path of an
/// engine may become more expensive when the parents of its states change, because a stored cost may be larger
/// than that of the path through the parent.
#[cold]
#[inline(never)]
fn cheapest_so_far<S: Clone, A: Clone, C: Cost>(
    reported: &mut Option<Path<S, A, C>>,
    path: Option<Path<S, A, C>>,
) -> Option<Path<S, A, C>> {
    let Some(found) = &path else { return reported.clone() };
    let is_new = match reported {
        Some(reported) if found.cost() > reported.cost() => return Some(reported.clone()),
        Some(reported) => found.cost() < reported.cost(),
        None => true,
    };
    if is_new {
        *reported = Some(found.clone());
    }
    path
}

fn made_report<S, A, C: Cost>(
    progress: Progress,
    (lower_bound, path): (C, Option<Path<S, A, C>>),
    closest: Option<Path<S, A, C>>,
    (stats, layers): (Stats, Vec<Layer<C>>),
    most: Option<C>,
) -> Report<S, A, C> {
    let lower_bound = bound_beside(lower_bound, path.as_ref().map(Path::cost));
    let (outcome, incumbent) = concluded(progress, path, most);
    Report { outcome, incumbent, closest, lower_bound, stats, layers }
}

/// The outcome and the incumbent of a report.
type Conclusion<S, A, C> = (Outcome<S, A, C>, Option<Path<S, A, C>>);

/// Returns the outcome and the incumbent of a search with this progress and path.
pub(in crate::engine) fn concluded<S, A, C: Cost>(
    progress: Progress,
    path: Option<Path<S, A, C>>,
    most: Option<C>,
) -> Conclusion<S, A, C> {
    match progress {
        Progress::Found => match path {
            Some(path) => (Outcome::Found(path), None),
            None => (Outcome::Exhausted, None),
        },
        Progress::Stopped(reason) => {
            let is_dear = matches!((&path, most), (Some(path), Some(most)) if path.cost() > most);
            (Outcome::Stopped(reason), if is_dear { None } else { path })
        }
        _ => (Outcome::Exhausted, None),
    }
}

/// Returns the lower bound of a search with a path of this cost.
pub(in crate::engine) fn bound_beside<C: Cost>(bound: C, cost: Option<C>) -> C {
    match cost {
        // Beyond rounding errors, the heuristic overestimates, and nothing is proved.
        Some(cost) if bound.exceeds(cost) => C::ZERO,
        Some(cost) if bound > cost => cost,
        _ => bound,
    }
}

show_fields! {
    [E: Engine + fmt::Debug, O] Search<E, O>,
    "Search" (this) { engine, limits = this.run.budget.limits(), expanded = this.run.stats.expanded }
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
