//! [`KBestEngine`]: finds one path after the other, in the order of their costs.

use super::WORK;
use super::explorer::{Explored, Explorer, Next};
use super::listing::Listing;
use super::one_by_one::{OneByOne, Returned};
use super::sidetracks::{Hold, Sidetracks};
use super::simple::{Listed, SimplePaths};
use super::ties::Ties;
use crate::cost::{Cost, larger, smaller};
use crate::debug::show_fields;
use crate::engine::parts::{Parts, With};
use crate::engine::{Engine, Progress, Run};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::report::{SearchError, StopReason};

/// The engine of [`KBest`](crate::KBest): search for the k best paths.
///
/// [`Search::run`](crate::Search::run) finds the next path but does not consume it; the iterator does.
pub type KBestEngine<P, R, T, F> = KBestDriver<With<P, R, T, F>>;

/// The same, as a type of its parts.
pub struct KBestDriver<S: Parts> {
    explorer: Explorer<S>,
    walks: Sidetracks<S::Id, S::Cost>,
    simple: SimplePaths<S::Id, S::Cost>,
    stage: Stage,
    /// The cost of the path that was found.
    found: Option<S::Cost>,
    /// The cost of a simple path whose steps are not yet written.
    listed: Option<S::Cost>,
    /// What the iterator has returned.
    returned: Returned,
    /// The largest cost of the found paths.
    largest_cost: Option<S::Cost>,
    /// The paths found at this cost.
    ties: Ties,
    /// Whether the list has reached the first path, which was found without it.
    has_listed_first: bool,
    /// The steps of the found path, last to first; empty for the first path.
    steps: Vec<u32>,
    /// The largest lower bound so far.
    bound: S::Cost,
}

/// The next task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Search for the first path.
    Begin,
    /// Expand states up to this number of expansions.
    Explore(u64),
    /// Collect the steps from the expanded states.
    Link,
    /// Restart the list of paths, from the goal with this number.
    Relist(u32),
    /// Take the next path of the list.
    List,
}

/// The search continues by one part in this number of its expansions so far.
const PART: u64 = 16;

/// The smallest number of expansions by which the search continues.
const FEWEST: u64 = 32;

impl<S: Parts> KBestDriver<S> {
    pub(super) fn new(
        problem: S::Problem,
        order: Listing<S::Order>,
        table: S::Table,
        frontier: S::Frontier,
        starts: Vec<(S::State, S::Cost)>,
    ) -> Self {
        Self {
            explorer: Explorer::new(problem, order, table, frontier, starts),
            walks: Sidetracks::new(),
            simple: SimplePaths::new(),
            stage: Stage::Begin,
            found: None,
            listed: None,
            returned: Returned::default(),
            largest_cost: None,
            ties: Ties::default(),
            has_listed_first: false,
            steps: Vec::new(),
            bound: S::Cost::ZERO,
        }
    }

    /// Searches for the first path.
    fn begin<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let progress = self.explorer.search_mut().advance(most, run)?;
        if progress == Progress::Found {
            if let Err(full) = self.explorer.note_goal(run) {
                return Ok(Progress::Stopped(full.into()));
            }
            let cost = self.explorer.search().next_open().map_or(S::Cost::ZERO, |(_, f)| f);
            (self.found, self.largest_cost) = (Some(cost), Some(cost));
            self.bound = larger(self.bound, cost);
        }
        Ok(progress)
    }

    /// Expands states up to `until` expansions, and on until costs and parents agree.
    fn explore<O: Observer<S::State, S::Cost>>(
        &mut self,
        until: u64,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let last = run.stats.expanded.saturating_add(most);
        loop {
            if self.explorer.searched(run) >= until {
                match self.explorer.is_settled(run) {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(full) => return Ok(Progress::Stopped(full.into())),
                }
            }
            match self.explorer.next(run)? {
                Next::Open(_) => {}
                // Cheaper paths may still be listed.
                Next::TooExpensive(_) if self.explorer.searched(run) >= until => {
                    return Ok(Progress::Stopped(StopReason::Cost));
                }
                // The limit was lowered while costs and parents do not agree, so paths cannot be listed.
                Next::TooExpensive(_) => match self.explorer.is_settled(run) {
                    Ok(true) => break,
                    Ok(false) => return Ok(Progress::Stopped(StopReason::Cost)),
                    Err(full) => return Ok(Progress::Stopped(full.into())),
                },
                Next::Nothing => break,
                Next::Paused => return Ok(Progress::Paused),
                Next::Stopped(reason) => return Ok(Progress::Stopped(reason)),
            }
            if run.stats.expanded >= last {
                return Ok(Progress::Going);
            }
            let mut progress = self.explorer.expand(run)?;
            let missing = until.saturating_sub(self.explorer.searched(run));
            let many = missing.min(last - run.stats.expanded);
            if progress == Progress::Going && many > 0 && !run.is_interrupted() {
                progress = self.explorer.expand_many(many, run)?;
            }
            if progress != Progress::Going || run.is_interrupted() {
                return Ok(progress);
            }
        }
        self.stage = Stage::Link;
        Ok(Progress::Going)
    }

    /// Restarts the list if necessary, and takes its next path.
    fn list_next<O: Observer<S::State, S::Cost>>(
        &mut self,
        work: &mut u32,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Option<Progress>, Hold<S::Cost>> {
        *work = work.saturating_sub(1);
        let is_simple = self.explorer.is_simple();
        if let Stage::Relist(number) = self.stage {
            match self.explorer.goals().get(number as usize) {
                Some(&goal) => {
                    let cost = self.explorer.reached(goal).0;
                    if !is_simple {
                        self.walks.add_goal(number, cost, run.memory())?;
                    } else if number >= self.simple.goals() {
                        self.simple.add_goal(cost, run.memory())?;
                    }
                    self.stage = Stage::Relist(number + 1);
                }
                None => self.stage = Stage::List,
            }
            return Ok(None);
        }
        let open = match self.explorer.next(run).map_err(Hold::Failed)? {
            Next::Open(f) | Next::TooExpensive(f) => Some(f),
            Next::Nothing => None,
            Next::Paused => return Err(Hold::Paused),
            Next::Stopped(reason) => return Err(Hold::Stopped(reason)),
        };
        if is_simple { self.list_simple(open, work, run) } else { self.list(open, work, run) }
    }

    /// Takes the next path without repeated states.
    fn list_simple<O>(
        &mut self,
        open: Option<S::Cost>,
        work: &mut u32,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Option<Progress>, Hold<S::Cost>> {
        let Self { explorer, simple, steps, .. } = self;
        let cost = match self.listed {
            Some(cost) => cost,
            None => match simple.next(open, explorer, work, run.memory())? {
                Listed::Path(cost) => *self.listed.insert(cost),
                Listed::Open => return self.go_on(open.unwrap_or(self.bound), run),
                Listed::Nothing => return self.end(),
            },
        };
        self.bound = larger(self.bound, cost);
        if run.exceeds_cost_limit(cost) {
            return Ok(Some(Progress::Stopped(StopReason::Cost)));
        }
        simple.write_steps(steps, run.memory())?;
        self.listed = None;
        if !self.has_listed_first && simple.goal_in_tree() == Some(0) {
            self.has_listed_first = true;
            return Ok(None);
        }
        self.largest_cost =
            Some(self.largest_cost.map_or(cost, |largest_cost| larger(largest_cost, cost)));
        self.found = Some(cost);
        Ok(Some(Progress::Found))
    }

    /// Ends the search: nothing is left to list or expand.
    fn end(&mut self) -> Result<Option<Progress>, Hold<S::Cost>> {
        let overflow = self.explorer.search().core.states.overflow();
        if let Some(overflow) = overflow.or(self.walks.overflow()).or(self.simple.overflow()) {
            return Err(Hold::Failed(overflow));
        }
        self.bound = S::Cost::INFINITY;
        Ok(Some(Progress::Exhausted))
    }

    /// Takes the next path of the list, if it is proved that no other one is cheaper.
    fn list<O>(
        &mut self,
        open: Option<S::Cost>,
        work: &mut u32,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Option<Progress>, Hold<S::Cost>> {
        let Some(cost) = self.walks.next_cost(run.memory())? else {
            return match open {
                Some(f) => self.go_on(f, run),
                None => self.end(),
            };
        };
        let bound = open.map_or(cost, |f| smaller(f, cost));
        self.bound = larger(self.bound, bound);
        if open.is_some_and(|f| f < cost) {
            return self.go_on(open.unwrap_or(cost), run);
        }
        if run.exceeds_cost_limit(cost) {
            return Ok(Some(Progress::Stopped(StopReason::Cost)));
        }
        let Self { explorer, walks, steps, .. } = self;
        let Some(context) = walks.take(explorer, work, run.memory())? else {
            return Ok(None);
        };
        // Most paths that were returned before are recognised by their cost.
        if self.largest_cost.is_some_and(|largest_cost| largest_cost.exceeds(cost)) {
            walks.done();
            return Ok(None);
        }
        walks.write_steps(context, explorer, steps, run.memory())?;
        *work = work.saturating_sub(u32::try_from(steps.len()).unwrap_or(u32::MAX));
        let is_tie = self.largest_cost.is_some_and(|largest_cost| !cost.exceeds(largest_cost));
        let is_first = !self.has_listed_first && walks.goal_of(context) == Some(0);
        if is_tie && self.ties.has_listed(steps) {
            walks.done();
            return Ok(None);
        }
        if !is_tie {
            self.ties.clear();
        }
        self.ties.add(steps, run.memory())?;
        walks.done();
        self.largest_cost =
            Some(self.largest_cost.map_or(cost, |largest_cost| larger(largest_cost, cost)));
        if is_first {
            self.has_listed_first = true;
            return Ok(None);
        }
        self.found = Some(cost);
        Ok(Some(Progress::Found))
    }

    /// Continues the search; the open states have an f of at least `f`.
    #[expect(clippy::unnecessary_wraps, reason = "what its callers return")]
    fn go_on<O>(
        &mut self,
        f: S::Cost,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Option<Progress>, Hold<S::Cost>> {
        if run.exceeds_cost_limit(f) {
            return Ok(Some(Progress::Stopped(StopReason::Cost)));
        }
        self.bound = larger(self.bound, f);
        let searched = self.explorer.searched(run);
        self.stage = Stage::Explore(searched + FEWEST.max(searched / PART));
        Ok(None)
    }
}

impl<S: Parts> Engine for KBestDriver<S> {
    type Problem = S::Problem;
    type State = S::State;
    type Action = S::Action;
    type Cost = S::Cost;

    fn advance<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        self.leave_returned();
        if let Some(cost) = self.found {
            let is_allowed = !run.exceeds_cost_limit(cost);
            return Ok(if is_allowed {
                Progress::Found
            } else {
                Progress::Stopped(StopReason::Cost)
            });
        }
        let last = run.stats.expanded.saturating_add(most);
        let mut work = WORK;
        loop {
            let most = last - run.stats.expanded;
            let progress = match self.stage {
                Stage::Begin => return self.begin(most, run),
                Stage::Explore(until) => match self.explore(until, most, run)? {
                    Progress::Going if self.stage == Stage::Link => continue,
                    progress => progress,
                },
                Stage::Link => {
                    match self.explorer.link(most.min(WORK.into()), |_, _, _| true, run) {
                        Ok(true) => {
                            if let Err(full) = self.ties.begin_anew(run.memory()) {
                                return Ok(Progress::Stopped(full.into()));
                            }
                            self.walks.clear();
                            self.stage = Stage::Relist(0);
                            continue;
                        }
                        Ok(false) if run.stats.expanded < last => Progress::Paused,
                        Ok(false) => Progress::Going,
                        Err(full) => Progress::Stopped(full.into()),
                    }
                }
                Stage::Relist(_) | Stage::List => match self.list_next(&mut work, run) {
                    Ok(Some(progress)) => progress,
                    Ok(None) if work > 0 && !run.is_interrupted() => continue,
                    Ok(None) | Err(Hold::Paused) => Progress::Paused,
                    Err(Hold::Stopped(reason)) => Progress::Stopped(reason),
                    Err(Hold::Failed(error)) => return Err(error),
                },
            };
            return Ok(progress);
        }
    }

    fn lower_bound<O>(&mut self, run: &mut Run<S::Cost, O>) -> S::Cost {
        match (self.found, self.stage) {
            (Some(cost), _) if !self.returned.has_last => cost,
            (None, Stage::Begin) => {
                let bound = self.explorer.search_mut().lower_bound(run);
                self.bound = larger(self.bound, bound);
                bound
            }
            _ => self.bound,
        }
    }

    fn path(&mut self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        if self.found.is_none() || self.returned.has_last {
            return Ok(None);
        }
        if self.stage == Stage::Begin {
            return self.explorer.search_mut().path();
        }
        self.explorer.path_along(self.steps.iter().rev().copied())
    }

    fn closest(&self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.explorer.search().closest()
    }

    fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&S::State) -> K,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.explorer.search().closest_by(key)
    }

    fn stored(&self) -> usize {
        self.explorer.search().stored()
    }

    fn keeps_closed(&self) -> bool {
        true
    }

    fn closed_cost(&self, state: &S::State) -> Option<S::Cost> {
        self.explorer.search().closed_cost(state)
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (S::State, S::Cost)>) {
        self.explorer.restart(starts);
        self.walks.clear();
        self.simple.clear();
        self.stage = Stage::Begin;
        (self.found, self.largest_cost) = (None, None);
        self.returned = Returned::default();
        self.ties.clear();
        (self.has_listed_first, self.listed) = (false, None);
        self.bound = S::Cost::ZERO;
    }

    fn set_problem(&mut self, problem: S::Problem) {
        self.explorer.set_problem(problem);
    }
}

impl<S: Parts> OneByOne for KBestDriver<S> {
    fn returned(&self) -> &Returned {
        &self.returned
    }

    fn returned_mut(&mut self) -> &mut Returned {
        &mut self.returned
    }

    fn leave_returned(&mut self) {
        if std::mem::take(&mut self.returned.has_last) {
            self.found = None;
            if self.stage == Stage::Begin {
                self.stage = Stage::Explore(0);
            }
        }
    }
}

show_fields! { [S: Parts] KBestDriver<S>, "KBestEngine" { returned, stage, bound } }
