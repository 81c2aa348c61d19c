//! The engine of IDA*: iterations, each with a higher bound than the last.

use std::fmt;

use super::Walk;
use super::crew::{Alone, Crew, Errand, Team};
use super::stack::{Horizon, Stack};
use crate::cost::{Cost, smaller};
use crate::engine::run::{checked_step, sound_heuristic};
use crate::engine::{Engine, Progress, Run};
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::{SearchError, StopReason};

/// The engine of [`IdaStar`](super::IdaStar).
pub struct IdaStarEngine<P: SearchProblem, W: Walk<P>, T: Crew<P, W> = Alone> {
    problem: P,
    starts: Vec<(P::State, P::Cost)>,
    stage: Stage,
    horizon: Horizon<P::Cost>,
    /// Holds the starts at the beginning of an iteration, and then, unless there is a team to share
    /// them out to, all the rest.
    stack: Stack<P, W>,
    team: T::Team,
    solution: Option<PathOf<P>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The starts have not been looked at.
    Fresh,
    /// An iteration with this bound is to begin.
    Bounded,
    /// In the midst of an iteration.
    Deepening,
    Found,
    Exhausted,
}

impl<P: SearchProblem, W: Walk<P>, T: Crew<P, W>> IdaStarEngine<P, W, T> {
    pub(super) fn new(
        problem: P,
        walk: W,
        starts: Vec<(P::State, P::Cost)>,
        table_bytes: usize,
        avoids_cycles: bool,
        crew: T,
    ) -> Self {
        let team = crew.team(&walk, table_bytes, avoids_cycles);
        // Those who enter states have the tables.
        let table_bytes = if team.takes_over() { 0 } else { table_bytes };
        Self {
            problem,
            starts,
            stage: Stage::Fresh,
            horizon: Horizon { bound: P::Cost::ZERO, next_bound: None, overflow: None },
            stack: Stack::new(walk, table_bytes, avoids_cycles),
            team,
            solution: None,
        }
    }

    /// Puts the starts within the bound on the stack.
    fn begin_iteration<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        run.enter_layer(self.horizon.bound);
        self.stack.begin_iteration();
        self.stage = Stage::Deepening;
        for start in self.starts.iter().rev() {
            if O::LISTENS {
                run.observer.generated(None, &start.0, start.1);
            }
            self.stack.push_start(&self.problem, start, &mut self.horizon, run)?;
        }
        Ok(())
    }

    /// Sets the first bound: the smallest f of a start.
    fn look_at_starts<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<(), SearchError<P::Cost>> {
        let Horizon { next_bound, overflow, .. } = &mut self.horizon;
        for (state, cost) in &self.starts {
            let Some(g) = checked_step(P::Cost::ZERO, *cost, overflow)? else { continue };
            run.stats.evaluated += 1;
            let h = sound_heuristic(&self.problem, state, g)?;
            match g.checked_add(h) {
                _ if h >= P::Cost::INFINITY => run.stats.dead_ends += 1,
                Some(f) => *next_bound = Some(next_bound.map_or(f, |b| smaller(b, f))),
                None => {
                    overflow.get_or_insert(SearchError::Overflow { g, added: h });
                }
            }
        }
        self.next_iteration()
    }

    /// Prepares the next iteration, if one can find more than the last.
    fn next_iteration(&mut self) -> Result<(), SearchError<P::Cost>> {
        match (self.horizon.next_bound.take(), self.horizon.overflow) {
            (Some(bound), _) => {
                self.horizon.bound = bound;
                self.stage = Stage::Bounded;
            }
            (None, Some(error)) => return Err(error),
            (None, None) => self.stage = Stage::Exhausted,
        }
        Ok(())
    }

    fn make_room<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<(), OutOfMemory> {
        // All starts stand on the stack at the beginning of an iteration.
        let filler = self.starts.first().map(|(state, _)| state);
        self.stack.make_room(self.starts.len(), filler, run.memory())
    }
}

impl<P: SearchProblem, W: Walk<P>, T: Crew<P, W>> Engine for IdaStarEngine<P, W, T> {
    type Problem = P;
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    fn advance<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let until = run.stats.expanded.saturating_add(most);
        while run.stats.expanded < until || most == 0 {
            if !self.stack.has_room() && self.make_room(run).is_err() {
                return Ok(Progress::Stopped(StopReason::Memory));
            }
            let left = until - run.stats.expanded;
            match self.stage {
                Stage::Fresh => self.look_at_starts(run)?,
                Stage::Bounded if run.exceeds_cost_limit(self.horizon.bound) => {
                    return Ok(Progress::Stopped(StopReason::Cost));
                }
                Stage::Bounded if run.make_room_for_layer().is_err() => {
                    return Ok(Progress::Stopped(StopReason::Memory));
                }
                Stage::Bounded => self.begin_iteration(run)?,
                Stage::Deepening if self.team.takes_over() => {
                    let Self { problem, stack, horizon, .. } = self;
                    match self.team.deepen(problem, stack, horizon, left, run)? {
                        Errand::Underway => return Ok(Progress::Going),
                        Errand::OutOfMemory => return Ok(Progress::Stopped(StopReason::Memory)),
                        Errand::Done => self.next_iteration()?,
                        Errand::Found(path) => {
                            self.solution = path;
                            self.stage = Stage::Found;
                        }
                    }
                }
                Stage::Deepening if self.stack.len() > 0 => {
                    if self.stack.deepen(&self.problem, &mut self.horizon, left, run)? {
                        self.stage = Stage::Found;
                        let solution = self.stack.solution(&self.problem)?;
                        run.stats.generated -= solution.beyond;
                        self.solution = solution.path;
                    } else if most == 0 && self.stack.has_entered() {
                        break;
                    }
                }
                Stage::Deepening => self.next_iteration()?,
                Stage::Found => return Ok(Progress::Found),
                Stage::Exhausted => return Ok(Progress::Exhausted),
            }
        }
        Ok(Progress::Going)
    }

    fn watches_clock(&self) -> bool {
        self.team.takes_over()
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        let bound = self.horizon.bound;
        match (self.stage, &self.solution) {
            (Stage::Exhausted, _) => P::Cost::INFINITY,
            // A path cheaper than the bound shows that the heuristic overestimates: nothing is proved.
            (_, Some(path)) if bound.exceeds(path.cost()) => P::Cost::ZERO,
            _ => bound,
        }
    }

    fn path(&mut self) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        Ok(self.solution.clone())
    }

    fn stored(&self) -> usize {
        self.stack.len() + self.team.stored()
    }

    fn set_problem(&mut self, _problem: P) {}
    fn restart(&mut self, _starts: impl IntoIterator<Item = (P::State, P::Cost)>) {}
}

impl<P: SearchProblem, W: Walk<P>, T: Crew<P, W>> fmt::Debug for IdaStarEngine<P, W, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdaStarEngine")
            .field("stage", &self.stage)
            .field("bound", &self.horizon.bound)
            .field("stack", &self.stack.len())
            .finish_non_exhaustive()
    }
}
