//! [`AllOptimalEngine`]: finds the states and steps on all cheapest paths.

use std::fmt;

use super::WORK;
use super::explorer::{Explorer, Next};
use super::graph::{Graph, PathCount};
use super::listing::Listing;
use super::sidetracks::Hold;
use crate::cost::Cost;
use crate::engine::relaxation::Id;
use crate::engine::{Engine, Order, Progress, Run};
use crate::frontier::Frontier;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::{SearchError, StopReason};
use crate::table::{Record, TableFor};

/// The engine of [`AllOptimal`](crate::AllOptimal): search for all cheapest paths.
pub struct AllOptimalEngine<P: SearchProblem, R: Order<P::Cost>, T: TableFor<P::State, P::Cost>, F>
{
    pub(super) explorer: Explorer<P, R, T, F>,
    pub(super) graph: Graph<Id<P, T>>,
    /// The least cost of a path, once it is known.
    pub(super) cost: Option<P::Cost>,
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

impl<P, R, T, F> AllOptimalEngine<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    pub(super) fn new(
        problem: P,
        order: Listing<R>,
        table: T,
        frontier: F,
        starts: Vec<(P::State, P::Cost)>,
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
    fn begin<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let progress = self.explorer.search_mut().advance(most, run)?;
        if progress == Progress::Found {
            self.cost = self.explorer.search().next_open().map(|(_, f)| f);
        }
        Ok(progress)
    }

    /// Expands all states whose f is at most the cost of a cheapest path.
    fn explore<O: Observer<P::State, P::Cost>>(
        &mut self,
        cost: P::Cost,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
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
        cost: P::Cost,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, Hold<P::Cost>> {
        let Self { explorer, graph, stage, .. } = self;
        let reached = |id| explorer.reached(id);
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
                graph.add_goal(goal, explorer.steps(), &reached, run.memory())?;
            }
            *stage = Stage::CollectGoals(number + 1);
        }
        let is_simple = explorer.is_simple();
        graph.complete(is_simple, explorer.steps(), &reached, run.memory(), &mut work)?;
        Ok(Progress::Found)
    }
}

impl<P, R, T, F> Engine for AllOptimalEngine<P, R, T, F>
where
    P: SearchProblem,
    R: Order<P::Cost>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<Id<P, T>, R::Key>,
{
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
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
                    let keeps = |before: P::Cost, step, to: &T::Record| {
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

    fn lower_bound<O>(&mut self, run: &mut Run<P::Cost, O>) -> P::Cost {
        match self.cost {
            Some(cost) => cost,
            None => self.explorer.search_mut().lower_bound(run),
        }
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        if self.cost.is_none() {
            return Ok(None);
        }
        let goal = self.explorer.goals().first().copied();
        let goal = goal.or(self.explorer.search().next_open().map(|(id, _)| id));
        goal.map_or(Ok(None), |goal| self.explorer.path_to(goal))
    }

    fn closest(&self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.explorer.search().closest()
    }

    fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&P::State) -> K,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.explorer.search().closest_by(key)
    }

    fn stored(&self) -> usize {
        self.explorer.search().stored()
    }

    fn keeps_closed(&self) -> bool {
        true
    }

    fn closed_cost(&self, state: &P::State) -> Option<P::Cost> {
        self.explorer.search().closed_cost(state)
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.explorer.restart(starts);
        self.graph.clear();
        (self.cost, self.stage) = (None, Stage::Explore);
    }

    fn set_problem(&mut self, problem: P) {
        self.explorer.set_problem(problem);
    }
}

impl<P: SearchProblem, R: Order<P::Cost>, T: TableFor<P::State, P::Cost>, F> fmt::Debug
    for AllOptimalEngine<P, R, T, F>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AllOptimalEngine")
            .field("cost", &self.cost)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}
