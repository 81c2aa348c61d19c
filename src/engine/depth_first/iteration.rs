//! The engine of IDA*: iterations, each with a larger bound than the last.

use std::cmp::Ordering;
use std::fmt;

use super::bounds::Bounds;
use super::stack::{Solution, Stack};
use super::strategy::{IterationOutcome, Workers};
use super::{Expander, ParallelStrategy, SingleThreaded};
use crate::cost::Cost;
use crate::engine::checked::{checked_step, sound_heuristic};
use crate::engine::{Engine, Progress, Run};
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::{SearchError, StopReason};

/// The engine of [`IdaStar`](super::IdaStar).
pub struct IdaStarEngine<
    P: SearchProblem,
    W: Expander<P>,
    T: ParallelStrategy<P, W> = SingleThreaded,
> {
    problem: P,
    starts: Vec<(P::State, P::Cost)>,
    /// The next start in a stage that goes through all of them.
    next_start: usize,
    stage: Stage,
    bounds: Bounds<P::Cost>,
    /// How many iterations were begun.
    iterations: u64,
    /// How many iterations were begun since it was found out whether the search can end without another
    /// expansion.
    idle_iterations: u64,
    /// How many states had been generated when the iteration began.
    generated_before: u64,
    /// Holds the starts at the beginning of an iteration. Without workers it is searched then.
    stack: Stack<P, W>,
    workers: T::Workers,
    solution: Option<PathOf<P>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The first bound, the smallest f of a start, is computed.
    Fresh,
    /// An iteration with the current bound is to begin.
    NextIteration,
    /// The starts within the bound are put on the stack, the last first.
    PushingStarts,
    Searching,
    Found,
    Exhausted,
}

/// At most so many pieces of work that are no expansion are done in one call.
const MOST_STEPS: u64 = 1 << 20;

/// The same where no expansion may be made.
const FEW_STEPS: u64 = 1 << 6;

/// The same with workers: then the number of expansions does not say when the limits are to be checked.
const MOST_STEPS_OF_WORKERS: u64 = 1 << 10;

/// With no expansions left, no more iterations are begun than this: a heuristic that depends on more than
/// the state may need any number of them.
const MAX_ITERATIONS_WITHOUT_EXPANSIONS: u64 = 8;

impl<P: SearchProblem, W: Expander<P>, T: ParallelStrategy<P, W>> IdaStarEngine<P, W, T> {
    pub(super) fn new(
        problem: P,
        expander: W,
        starts: Vec<(P::State, P::Cost)>,
        table_bytes: usize,
        avoids_cycles: bool,
        strategy: T,
    ) -> Self {
        let workers = strategy.make_workers(&expander, table_bytes, avoids_cycles);
        // Tables belong to those who enter states.
        let table_bytes = if workers.are_active() { 0 } else { table_bytes };
        Self {
            problem,
            starts,
            next_start: 0,
            stage: Stage::Fresh,
            bounds: Bounds::new(P::Cost::ZERO),
            iterations: 0,
            idle_iterations: 0,
            generated_before: 0,
            stack: Stack::new(expander, table_bytes, avoids_cycles),
            workers,
            solution: None,
        }
    }

    /// Computes the first bound. Like all that follows, it takes one of `steps` for every piece of work
    /// that is no expansion, and stops when none are left, so that limits can be checked.
    fn evaluate_starts<O>(
        &mut self,
        steps: &mut u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        while let Some((state, cost)) = self.starts.get(self.next_start) {
            if *steps == 0 {
                return Ok(());
            }
            *steps -= 1;
            self.next_start += 1;
            let overflow = &mut self.bounds.overflow;
            let Some(g) = checked_step(P::Cost::ZERO, *cost, overflow)? else { continue };
            run.stats.evaluated += 1;
            let h = sound_heuristic(&self.problem, state, g)?;
            match g.checked_add(h) {
                _ if h >= P::Cost::INFINITY => run.stats.dead_ends += 1,
                Some(f) => self.bounds.prune(f),
                None => {
                    overflow.get_or_insert(SearchError::Overflow { g, added: h });
                }
            }
        }
        self.finish_iteration()
    }

    fn begin_iteration<O: Observer<P::State, P::Cost>>(&mut self, run: &mut Run<P::Cost, O>) {
        run.enter_layer(self.bounds.bound);
        self.stack.begin_iteration();
        self.iterations += 1;
        self.generated_before = run.stats.generated;
        self.next_start = self.starts.len();
        self.stage = Stage::PushingStarts;
    }

    fn push_starts<O: Observer<P::State, P::Cost>>(
        &mut self,
        steps: &mut u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        while self.next_start > 0 {
            if *steps == 0 {
                return Ok(());
            }
            *steps -= 1;
            self.next_start -= 1;
            let start = &self.starts[self.next_start];
            if O::LISTENS {
                run.observer.generated(None, &start.0, start.1);
            }
            self.stack.push_start(&self.problem, start, &mut self.bounds, run)?;
        }
        self.stage = Stage::Searching;
        Ok(())
    }

    /// Sets the next bound, if a larger one can lead to a goal.
    fn finish_iteration(&mut self) -> Result<(), SearchError<P::Cost>> {
        let Bounds { bound, next_bound, overflow } = &mut self.bounds;
        match (next_bound.take(), *overflow) {
            (Some(next), _) => {
                // Not so with costs that cannot be compared: the same iteration would be repeated.
                let is_larger = next.partial_cmp(bound) == Some(Ordering::Greater);
                if self.iterations > 0 && !is_larger {
                    return Err(SearchError::NotANumber { g: *bound, value: next });
                }
                *bound = next;
                self.stage = Stage::NextIteration;
            }
            (None, Some(error)) => return Err(error),
            (None, None) => self.stage = Stage::Exhausted,
        }
        Ok(())
    }

    /// A goal is on top of the stack.
    fn reach_goal<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<(), SearchError<P::Cost>> {
        let Solution { path, generated_beyond } = self.stack.solution(&self.problem)?;
        // A problem that generates other successors each time must not make it less than before.
        let generated = run.stats.generated.saturating_sub(generated_beyond);
        run.stats.generated = generated.max(self.generated_before);
        self.solution = path;
        self.stage = Stage::Found;
        Ok(())
    }

    fn make_room<O>(&mut self, run: &mut Run<P::Cost, O>) -> Result<(), OutOfMemory> {
        // All starts are on the stack at the beginning of an iteration.
        let filler = self.starts.first().map(|(state, _)| state);
        self.stack.make_room(self.starts.len(), filler, run.memory())
    }

    /// Searches for at most `most` expansions and `steps` other pieces of work.
    fn advance_for<O: Observer<P::State, P::Cost>>(
        &mut self,
        most: u64,
        steps: &mut u64,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Progress, SearchError<P::Cost>> {
        let until = run.stats.expanded.saturating_add(most);
        while (run.stats.expanded < until || most == 0) && *steps > 0 {
            // While starts are pushed, there is room for all of them; at the end, none is needed.
            let is_searching =
                matches!(self.stage, Stage::Fresh | Stage::NextIteration | Stage::Searching);
            if is_searching && !self.stack.has_room() && self.make_room(run).is_err() {
                return Ok(Progress::Stopped(StopReason::Memory));
            }
            let left = until.saturating_sub(run.stats.expanded);
            match self.stage {
                Stage::Fresh => self.evaluate_starts(steps, run)?,
                Stage::NextIteration if run.exceeds_cost_limit(self.bounds.bound) => {
                    return Ok(Progress::Stopped(StopReason::Cost));
                }
                Stage::NextIteration if run.make_room_for_layer().is_err() => {
                    return Ok(Progress::Stopped(StopReason::Memory));
                }
                Stage::NextIteration => self.begin_iteration(run),
                Stage::PushingStarts => self.push_starts(steps, run)?,
                Stage::Searching if self.workers.are_active() => {
                    let Self { problem, stack, bounds, workers, .. } = self;
                    match workers.search_iteration(problem, stack, bounds, left, run)? {
                        IterationOutcome::Unfinished => return Ok(Progress::Going),
                        IterationOutcome::OutOfMemory => {
                            return Ok(Progress::Stopped(StopReason::Memory));
                        }
                        IterationOutcome::NoGoal => self.finish_iteration()?,
                        IterationOutcome::Goal(path) => {
                            self.solution = path;
                            self.stage = Stage::Found;
                        }
                    }
                }
                Stage::Searching if self.stack.len() > 0 => {
                    let Self { problem, stack, bounds, .. } = self;
                    let recursed = stack.recurses();
                    if stack.search(problem, bounds, left, steps, run)? {
                        self.reach_goal(run)?;
                    } else if run.budget.check_clock().is_err()
                        || stack.recurses() != recursed
                        || most == 0 && stack.has_entered() && !stack.is_behind()
                    {
                        return Ok(Progress::Going);
                    }
                }
                Stage::Searching => self.finish_iteration()?,
                Stage::Found => return Ok(Progress::Found),
                Stage::Exhausted => return Ok(Progress::Exhausted),
            }
            *steps = steps.saturating_sub(1);
        }
        Ok(Progress::Going)
    }
}

impl<P: SearchProblem, W: Expander<P>, T: ParallelStrategy<P, W>> Engine
    for IdaStarEngine<P, W, T>
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
        // As much other work as expansions, so that the limits are checked as often.
        let has_workers = self.workers.are_active();
        let most_steps = if has_workers { MOST_STEPS_OF_WORKERS } else { MOST_STEPS };
        let allowed = run.budget.allowed(most);
        let mut steps = if most == 0 {
            FEW_STEPS
        } else if has_workers {
            most.min(most_steps)
        } else {
            allowed.min(most_steps)
        };
        // Recursion looks at the clock itself, and so do workers; the loop over the stack does not.
        let looks_itself = has_workers || (!O::LISTENS && self.stack.recurses());
        let most = if looks_itself { most } else { allowed };
        if most > 0 {
            self.idle_iterations = 0;
            return self.advance_for(most, &mut steps, run);
        }
        // No expansions are left, but the search may end without another one.
        let before = self.iterations;
        let progress = self.advance_for(0, &mut steps, run)?;
        self.idle_iterations += self.iterations - before;
        let is_undecided = progress == Progress::Going
            && steps == 0
            && self.idle_iterations < MAX_ITERATIONS_WITHOUT_EXPANSIONS;
        Ok(if is_undecided { Progress::Paused } else { progress })
    }

    fn watches_clock(&self) -> bool {
        self.workers.are_active() || self.stack.recurses()
    }

    fn lower_bound<O>(&mut self, _run: &mut Run<P::Cost, O>) -> P::Cost {
        let bound = self.bounds.bound;
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
        self.stack.len() + self.workers.stored()
    }

    fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.stage = Stage::Fresh;
        self.next_start = 0;
        self.bounds = Bounds::new(P::Cost::ZERO);
        (self.iterations, self.idle_iterations, self.generated_before) = (0, 0, 0);
        self.stack.reset();
        self.workers.reset();
        self.solution = None;
        self.starts.clear();
        self.starts.extend(starts);
        self.stack.require_spare(self.starts.len());
    }
}

impl<P: SearchProblem, W: Expander<P>, T: ParallelStrategy<P, W>> fmt::Debug
    for IdaStarEngine<P, W, T>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdaStarEngine")
            .field("stage", &self.stage)
            .field("bound", &self.bounds.bound)
            .field("stack", &self.stack.len())
            .finish_non_exhaustive()
    }
}
