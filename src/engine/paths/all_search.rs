//! [`AllOptimalEngine`]: finds the states and steps on all cheapest paths.

use super::WORK;
use super::explorer::{Explored, Explorer, Next};
use super::graph::{Graph, PathCount};
use super::listing::Listing;
use crate::cost::Cost;
use crate::debug::show_fields;
use crate::engine::halt::Halt;
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

    /// Searches for the first path, then for the others.
    fn search<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, Halt<S::Cost>> {
        let last = run.stats.expanded.saturating_add(most);
        let cost = match self.cost {
            Some(cost) => cost,
            None => match self.explorer.search.advance(most, run)? {
                Progress::Found => {
                    let cost = self.explorer.search.next_open().map_or(S::Cost::ZERO, |(_, f)| f);
                    *self.cost.insert(cost)
                }
                progress => return Ok(progress),
            },
        };
        // The limit may have been lowered since the first path was found.
        if run.exceeds_cost_limit(cost) {
            return Err(StopReason::Cost.into());
        }
        if self.stage == Stage::Explore {
            self.explore(cost, last, run)?;
            self.stage = Stage::Link;
        }
        if self.stage == Stage::Link {
            let keeps = |before: S::Cost, step, to: &S::Record| {
                to.is_closed() && before.checked_add(step) == Some(to.g())
            };
            self.explorer.link(last, keeps, run)?;
            self.stage = Stage::CollectGoals(0);
        }
        self.collect(cost, run)
    }

    /// Expands all states whose f is at most the cost of a cheapest path, but not beyond `last` expansions.
    fn explore<O: Observer<S::State, S::Cost>>(
        &mut self,
        cost: S::Cost,
        last: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Halt<S::Cost>> {
        loop {
            match self.explorer.next(run)? {
                Next::Open(f) | Next::TooExpensive(f) if f > cost => return Ok(()),
                Next::Nothing => return Ok(()),
                Next::Open(_) => {}
                Next::TooExpensive(_) => return Err(StopReason::Cost.into()),
            }
            if run.stats.expanded >= last {
                return Err(Halt::At(Progress::Going));
            }
            self.explorer.expand(run)?;
            if run.is_interrupted() {
                return Err(Halt::At(Progress::Going));
            }
        }
    }

    /// Collects the goals, then the states on cheapest paths.
    fn collect<O>(
        &mut self,
        cost: S::Cost,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, Halt<S::Cost>> {
        let Self { explorer, graph, stage, .. } = self;
        let mut work = WORK;
        while let Stage::CollectGoals(number) = *stage {
            let Some(&goal) = explorer.goals().get(number) else {
                *stage = Stage::Collect;
                break;
            };
            if work == 0 {
                return Err(Halt::PAUSED);
            }
            work -= 1;
            let g = explorer.reached(goal).0;
            if cost.exceeds(g) {
                // A heuristic value was too large.
                graph.clear();
                (self.cost, *stage) = (Some(g), Stage::CollectGoals(0));
                return Err(Halt::PAUSED);
            }
            if g <= cost {
                graph.add_goal(goal, explorer, run.memory(), &mut work)?;
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
        self.search(most, run).or_else(Halt::progress)
    }

    fn lower_bound<O>(&mut self, run: &mut Run<S::Cost, O>) -> S::Cost {
        match self.cost {
            Some(cost) => cost,
            None => self.explorer.search.lower_bound(run),
        }
    }

    fn path(&mut self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        if self.cost.is_none() {
            return Ok(None);
        }
        let goal = self.graph.goals().first().map(|node| node.id);
        let goal = goal.or(self.explorer.goals().first().copied());
        let goal = goal.or(self.explorer.search.next_open().map(|(id, _)| id));
        goal.map_or(Ok(None), |goal| self.explorer.path_to(goal))
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
        self.graph.clear();
        (self.cost, self.stage) = (None, Stage::Explore);
    }

    fn set_problem(&mut self, problem: S::Problem) {
        self.explorer.set_problem(problem);
    }
}

show_fields! { [S: Parts] AllOptimalDriver<S>, "AllOptimalEngine" { cost, stage } }
