//! [`AllOptimalEngine`]: finds the states and steps on all cheapest paths.

use super::WORK;
use super::explorer::{Explored, Explorer, Next};
use super::graph::{Graph, PathCount};
use super::listing::Listing;
use super::sidetracks::Hold;
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::parts::{Parts, With};
use crate::engine::{Engine, Progress, Run};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::report::{SearchError, StopReason};
use crate::table::Record;

/// The engine of [`AllOptimal`](crate::AllOptimal): search for all cheapest paths.
pub type AllOptimalEngine<P, R, T, F> = AllOptimalDriver<With<P, R, T, F>>;

/// The same, as a type of its parts.
pub struct AllOptimalDriver<S: Parts> {
    pub(super) explorer: Explorer<S>,
    pub(super) graph: Graph<S::Id>,
    /// The least cost of a path, once it is known.
    pub(super) cost: Option<S::Cost>,
    stage: Stage,
}

/// The next task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Expand all states whose f is at most the cost of a cheapest path, once that is found.
    Explore,
    /// Collect the steps from the expanded states.
    Link,
    /// Collect the goals, from this number on.
    CollectGoals(usize),
    /// Collect the states on cheapest paths, and count the paths.
    Collect,
}

impl<S: Parts> AllOptimalDriver<S> {
    pub(super) fn new(
        problem: S::Problem,
        order: Listing<S::Order>,
        table: S::Table,
        frontier: S::Frontier,
        starts: Vec<(S::State, S::Cost)>,
    ) -> Self {
        Self {
            explorer: Explorer::new(problem, order, table, frontier, starts),
            graph: Graph::new(),
            cost: None,
            stage: Stage::Explore,
        }
    }

    /// Returns the number of paths.
    pub(super) fn count(&self) -> PathCount {
        self.graph.count(self.explorer.is_simple())
    }

    /// Searches for the first path.
    fn begin<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let progress = self.explorer.search_mut().advance(most, run)?;
        if progress == Progress::Found {
            self.cost = self.explorer.search().next_open().map(|(_, f)| f);
        }
        Ok(progress)
    }

    /// Expands all states whose f is at most the cost of a cheapest path.
    fn explore<O: Observer<S::State, S::Cost>>(
        &mut self,
        cost: S::Cost,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let last = run.stats.expanded.saturating_add(most);
        loop {
            match self.explorer.next(run)? {
                Next::Open(f) | Next::TooExpensive(f) if f > cost => break,
                Next::Nothing => break,
                Next::Open(_) => {}
                Next::TooExpensive(_) => return Ok(Progress::Stopped(StopReason::Cost)),
                Next::Paused => return Ok(Progress::Paused),
                Next::Stopped(reason) => return Ok(Progress::Stopped(reason)),
            }
            if run.stats.expanded >= last {
                return Ok(Progress::Going);
            }
            let progress = self.explorer.expand(run)?;
            if progress != Progress::Going || run.is_interrupted() {
                return Ok(progress);
            }
        }
        self.stage = Stage::Link;
        Ok(Progress::Going)
    }

    /// Collects the goals, then the states on cheapest paths.
    fn collect<O>(
        &mut self,
        cost: S::Cost,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, Hold<S::Cost>> {
        let Self { explorer, graph, stage, .. } = self;
        let mut work = WORK;
        while let Stage::CollectGoals(number) = *stage {
            let Some(&goal) = explorer.goals().get(number) else {
                *stage = Stage::Collect;
                break;
            };
            if work == 0 {
                return Err(Hold::Paused);
            }
            work -= 1;
            if explorer.reached(goal).0 <= cost {
                graph.add_goal(goal, explorer, run.memory())?;
            }
            *stage = Stage::CollectGoals(number + 1);
        }
        let is_simple = explorer.is_simple();
        graph.complete(is_simple, explorer, run.memory(), &mut work)?;
        Ok(Progress::Found)
    }
}

impl<S: Parts> Engine for AllOptimalDriver<S> {
    type Problem = S::Problem;
    type State = S::State;
    type Action = S::Action;
    type Cost = S::Cost;

    fn advance<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let last = run.stats.expanded.saturating_add(most);
        loop {
            let most = last - run.stats.expanded;
            let Some(cost) = self.cost else {
                match self.begin(most, run)? {
                    Progress::Found => continue,
                    progress => return Ok(progress),
                }
            };
            // The limit may have been lowered since the first path was found.
            if run.exceeds_cost_limit(cost) {
                return Ok(Progress::Stopped(StopReason::Cost));
            }
            match self.stage {
                Stage::Explore => {
                    let progress = self.explore(cost, most, run)?;
                    if self.stage != Stage::Link {
                        return Ok(progress);
                    }
                }
                Stage::Link => {
                    let most = most.min(WORK.into());
                    let keeps = |before: S::Cost, step, to: &S::Record| {
                        to.is_closed() && before.checked_add(step) == Some(to.g())
                    };
                    match self.explorer.link(most, keeps, run) {
                        Ok(true) => self.stage = Stage::CollectGoals(0),
                        Ok(false) if run.stats.expanded < last => return Ok(Progress::Paused),
                        Ok(false) => return Ok(Progress::Going),
                        Err(full) => return Ok(Progress::Stopped(full.into())),
                    }
                }
                Stage::CollectGoals(_) | Stage::Collect => {
                    return match self.collect(cost, run) {
                        Ok(progress) => Ok(progress),
                        Err(Hold::Paused) => Ok(Progress::Paused),
                        Err(Hold::Stopped(reason)) => Ok(Progress::Stopped(reason)),
                        Err(Hold::Failed(error)) => Err(error),
                    };
                }
            }
        }
    }

    fn lower_bound<O>(&mut self, run: &mut Run<S::Cost, O>) -> S::Cost {
        match self.cost {
            Some(cost) => cost,
            None => self.explorer.search_mut().lower_bound(run),
        }
    }

    fn path(&mut self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        if self.cost.is_none() {
            return Ok(None);
        }
        let goal = self.explorer.goals().first().copied();
        let goal = goal.or(self.explorer.search().next_open().map(|(id, _)| id));
        goal.map_or(Ok(None), |goal| self.explorer.path_to(goal))
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
        self.graph.clear();
        (self.cost, self.stage) = (None, Stage::Explore);
    }

    fn set_problem(&mut self, problem: S::Problem) {
        self.explorer.set_problem(problem);
    }
}

show_fields! { [S: Parts] AllOptimalDriver<S>, "AllOptimalEngine" { cost, stage } }
