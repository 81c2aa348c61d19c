//! [`KBestEngine`]: finds one path after the other, in the order of their costs.

use super::WORK;
use super::explorer::{Explored, Explorer, Next};
use super::listing::Listing;
use super::one_by_one::{OneByOne, Returned};
use super::sidetracks::Sidetracks;
use super::simple::{Listed, SimplePaths};
use super::ties::Ties;
use crate::cost::{Cost, larger, smaller};
use crate::debug::show_fields;
use crate::engine::halt::Halt;
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
    /// The states on the first path, which was found without the list, from its goal to its start, and their costs.
    first_states: Vec<(S::Id, S::Cost)>,
    /// Its steps, last to first, once they are known.
    first_steps: Vec<u32>,
    /// Whether the list has reached it.
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
    /// Look for those of the first path among them.
    FindFirst,
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
            first_states: Vec::new(),
            first_steps: Vec::new(),
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
    ) -> Result<Progress, Halt<S::Cost>> {
        let progress = self.explorer.search.advance(most, run)?;
        if progress == Progress::Found {
            self.explorer.note_goal(run)?;
            self.explorer.list_states(&mut self.first_states, run)?;
            let cost = self.explorer.search.next_open().map_or(S::Cost::ZERO, |(_, f)| f);
            (self.found, self.largest_cost) = (Some(cost), Some(cost));
            self.bound = larger(self.bound, cost);
        }
        Ok(progress)
    }

    /// Searches for the next path.
    fn search<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, Halt<S::Cost>> {
        let last = run.stats.expanded.saturating_add(most);
        let mut work = WORK;
        loop {
            match self.stage {
                Stage::Begin => return self.begin(most, run),
                Stage::Explore(until) => self.explore(until, last, run)?,
                Stage::Link => {
                    self.explorer.link(last, |_, _, _| true, run)?;
                    self.stage = Stage::FindFirst;
                }
                Stage::FindFirst => {
                    let Self { explorer, first_states, first_steps, .. } = self;
                    explorer.list_steps(first_states, first_steps, &mut work, run.memory())?;
                    self.ties.begin_anew(run.memory())?;
                    self.walks.clear();
                    self.stage = Stage::Relist(0);
                }
                Stage::Relist(_) | Stage::List => {
                    if let Some(progress) = self.list_next(&mut work, run)? {
                        return Ok(progress);
                    }
                    if work == 0 || run.is_interrupted() {
                        return Ok(Progress::Paused);
                    }
                }
            }
        }
    }

    /// Expands states up to `until` expansions, and on until costs and parents agree, but not beyond `last` expansions.
    fn explore<O: Observer<S::State, S::Cost>>(
        &mut self,
        until: u64,
        last: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Halt<S::Cost>> {
        while self.explorer.searched(run) < until || !self.explorer.is_settled(run)? {
            match self.explorer.next(run)? {
                Next::Open(_) => {}
                // The limit was lowered while costs and parents do not agree, so paths cannot be listed.
                Next::TooExpensive(_) if !self.explorer.is_settled(run)? => {
                    return Err(StopReason::Cost.into());
                }
                // Cheaper paths may still be listed.
                Next::TooExpensive(_) | Next::Nothing => break,
            }
            if run.stats.expanded >= last {
                return Err(Halt::At(Progress::Going));
            }
            self.explorer.expand(run)?;
            let missing = until.saturating_sub(self.explorer.searched(run));
            let many = missing.min(last - run.stats.expanded);
            if many > 0 && !run.is_interrupted() {
                self.explorer.expand_many(many, run)?;
            }
            if run.is_interrupted() {
                return Err(Halt::At(Progress::Going));
            }
        }
        self.stage = Stage::Link;
        Ok(())
    }

    /// Restarts the list if necessary, and takes its next path.
    fn list_next<O: Observer<S::State, S::Cost>>(
        &mut self,
        work: &mut u32,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Option<Progress>, Halt<S::Cost>> {
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
        let open = match self.explorer.next(run)? {
            Next::Open(f) | Next::TooExpensive(f) => Some(f),
            Next::Nothing => None,
        };
        if is_simple { self.list_simple(open, work, run) } else { self.list(open, work, run) }
    }

    /// Takes the next path without repeated states.
    fn list_simple<O: Observer<S::State, S::Cost>>(
        &mut self,
        open: Option<S::Cost>,
        work: &mut u32,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Option<Progress>, Halt<S::Cost>> {
        let Self { explorer, simple, steps, .. } = self;
        let cost = match self.listed {
            Some(cost) => cost,
            None => match simple.next(open, explorer, work, run.memory())? {
                Listed::Path(cost) => *self.listed.insert(cost),
                Listed::Open => return self.go_on(open.unwrap_or(self.bound), run),
                Listed::Nothing => return self.end(run),
            },
        };
        self.bound = larger(self.bound, cost);
        if run.exceeds_cost_limit(cost) {
            return Err(StopReason::Cost.into());
        }
        simple.write_steps(steps, run.memory())?;
        self.listed = None;
        if !self.has_listed_first && self.first_steps == *steps {
            self.has_listed_first = true;
            return Ok(None);
        }
        self.largest_cost =
            Some(self.largest_cost.map_or(cost, |largest_cost| larger(largest_cost, cost)));
        self.found = Some(cost);
        Ok(Some(Progress::Found))
    }

    /// Ends the search: nothing is left to list or expand.
    fn end<O: Observer<S::State, S::Cost>>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Option<Progress>, Halt<S::Cost>> {
        // A sum matters to the search itself only if a state was not reached otherwise.
        self.explorer.search.advance(0, run)?;
        if let Some(overflow) = self.walks.overflow().or(self.simple.overflow()) {
            return Err(overflow.into());
        }
        self.bound = S::Cost::INFINITY;
        Ok(Some(Progress::Exhausted))
    }

    /// Takes the next path of the list, if it is proved that no other one is cheaper.
    fn list<O: Observer<S::State, S::Cost>>(
        &mut self,
        open: Option<S::Cost>,
        work: &mut u32,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Option<Progress>, Halt<S::Cost>> {
        let Some(cost) = self.walks.next_cost(run.memory())? else {
            return match open {
                Some(f) => self.go_on(f, run),
                None => self.end(run),
            };
        };
        let bound = open.map_or(cost, |f| smaller(f, cost));
        self.bound = larger(self.bound, bound);
        if open.is_some_and(|f| f < cost) {
            return self.go_on(open.unwrap_or(cost), run);
        }
        if run.exceeds_cost_limit(cost) {
            return Err(StopReason::Cost.into());
        }
        let Self { explorer, walks, steps, .. } = self;
        let Some(context) = walks.take(explorer, work, run.memory())? else {
            return Ok(None);
        };
        // Most paths that were returned before are recognised by their cost and number.
        let is_cheaper = self.largest_cost.is_some_and(|largest_cost| largest_cost.exceeds(cost));
        if is_cheaper && self.ties.skips() {
            walks.done();
            return Ok(None);
        }
        if is_cheaper && !self.ties.looks_at_cheaper() {
            // There are more: a heuristic value was too large.
            self.ties.look_at_cheaper(run.memory())?;
            walks.clear();
            self.stage = Stage::Relist(0);
            return Ok(None);
        }
        walks.write_steps(context, explorer, steps, run.memory())?;
        *work = work.saturating_sub(u32::try_from(steps.len()).unwrap_or(u32::MAX));
        let is_tie = self.largest_cost.is_some_and(|largest_cost| !cost.exceeds(largest_cost));
        let is_first = !self.has_listed_first && self.first_steps == *steps;
        if is_tie && self.ties.has_listed(steps) {
            walks.done();
            return Ok(None);
        }
        if is_cheaper {
            self.ties.add_cheaper(steps, run.memory())?;
        } else {
            if !is_tie {
                self.ties.rise(run.memory())?;
            }
            self.ties.add(steps, run.memory())?;
        }
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
    fn go_on<O>(
        &mut self,
        f: S::Cost,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Option<Progress>, Halt<S::Cost>> {
        if run.exceeds_cost_limit(f) {
            return Err(StopReason::Cost.into());
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
            return Ok(run.found(cost));
        }
        self.search(most, run).or_else(Halt::progress)
    }

    fn lower_bound<O>(&mut self, run: &mut Run<S::Cost, O>) -> S::Cost {
        match (self.found, self.stage) {
            (Some(cost), _) if !self.returned.has_last => cost,
            (None, Stage::Begin) => {
                let bound = self.explorer.search.lower_bound(run);
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
            return self.explorer.search.path();
        }
        self.explorer.path_along(self.steps.iter().rev().copied())
    }

    fn closest(&self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.explorer.search.closest()
    }

    fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&S::State) -> K,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.explorer.search.closest_by(key)
    }

    fn stored(&self) -> usize {
        self.explorer.search.stored()
    }

    fn keeps_closed(&self) -> bool {
        true
    }

    fn closed_cost(&self, state: &S::State) -> Option<S::Cost> {
        self.explorer.search.closed_cost(state)
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (S::State, S::Cost)>) {
        self.explorer.restart(starts);
        self.walks.clear();
        self.simple.clear();
        self.stage = Stage::Begin;
        (self.found, self.largest_cost) = (None, None);
        self.returned = Returned::default();
        self.ties.clear();
        self.first_states.clear();
        self.first_steps.clear();
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
