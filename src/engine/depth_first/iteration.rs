//! The engine of IDA*: iterations, each with a larger bound than the last.

use std::cmp::Ordering;

use super::bounds::Bounds;
use super::buffered::{OneWord, boxed};
use super::deepening::{Plan, Schedule, below};
use super::settling::Settling;
use super::stack::{Solution, Stack};
use super::strategy::{Goals, IterationOutcome, Workers};
use super::{Deepening, Expander, ParallelStrategy};
use crate::cost::{Cost, smaller};
use crate::debug::show_fields;
use crate::engine::checked::{checked_step, sound_heuristic};
use crate::engine::halt::Halt;
use crate::engine::{Engine, Progress, Run};
use crate::memory::OutOfMemory;
use crate::observer::Observer;
use crate::path::{Path, PathOf};
use crate::problem::SearchProblem;
use crate::report::{SearchError, StopReason};
use crate::threads::SingleThreaded;

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
    schedule: Schedule<P::Cost>,
    /// What a goal means in the iteration.
    goals: Goals,
    /// After how many expansions in all the iteration is given up.
    give_up_at: Option<u64>,
    /// Whether the last iteration was given up.
    is_given_up: bool,
    /// How many states had been expanded when the iteration began.
    expanded_before: u64,
    /// How many iterations were begun.
    iterations: u64,
    /// How many iterations were begun since it was found out whether the search can end without another
    /// expansion.
    idle_iterations: u64,
    /// Holds the starts at the beginning of an iteration. Without workers it is searched then.
    stack: Stack<P, W>,
    workers: T::Workers,
    /// Whether a table prunes paths, whoever has it.
    has_table: bool,
    /// It is rarely needed.
    settling: Option<OneWord<Settling<P>>>,
    /// The best solution so far.
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
    /// No goal was found, and sums did not fit.
    Settling,
    Found,
    Exhausted,
}

/// At most this many pieces of work that are not expansions are done in one call.
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
        (table_bytes, avoids_cycles): (usize, bool),
        deepening: Deepening,
        strategy: T,
    ) -> Self {
        let workers = strategy.make_workers(&expander, table_bytes, avoids_cycles);
        let has_table = table_bytes > 0;
        // Tables belong to those who enter states.
        let table_bytes = if workers.are_active() { 0 } else { table_bytes };
        Self {
            problem,
            starts,
            next_start: 0,
            stage: Stage::Fresh,
            bounds: Bounds::new(P::Cost::ZERO),
            schedule: Schedule::new(deepening),
            goals: Goals::End,
            give_up_at: None,
            is_given_up: false,
            expanded_before: 0,
            iterations: 0,
            idle_iterations: 0,
            stack: Stack::new(expander, table_bytes, avoids_cycles),
            workers,
            has_table,
            settling: None,
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
        self.finish_iteration(run)
    }

    fn begin_iteration<O: Observer<P::State, P::Cost>>(&mut self, run: &mut Run<P::Cost, O>) {
        let most = run.budget.limits().cost_limit();
        let Plan { bound, budget } = self.schedule.next(most, self.cost_of_solution());
        self.bounds.bound = bound;
        // Decided now: solutions lower the bound of the engine, and workers keep their own meanwhile.
        self.goals = if bound > self.schedule.lower { Goals::Improve } else { Goals::End };
        self.expanded_before = run.stats.expanded;
        self.give_up_at = budget.map(|budget| run.stats.expanded.saturating_add(budget));
        // What was expanded in an iteration that was given up counts to the one in its place.
        if std::mem::take(&mut self.is_given_up) {
            run.rename_layer(bound);
        } else {
            run.enter_layer(bound);
        }
        self.stack.begin_iteration();
        self.iterations += 1;
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

    fn cost_of_solution(&self) -> Option<P::Cost> {
        self.solution.as_ref().map(Path::cost)
    }

    /// All states within the bound are searched. Raises the lower bound, if anything is left that can lead
    /// to a better solution.
    fn finish_iteration<O>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let Bounds { bound, next_bound, overflow } = &mut self.bounds;
        let next = next_bound.take();
        // What is expanded before the next iteration does not count to the budget of this one.
        self.give_up_at = None;
        if self.iterations > 0 {
            let expanded = run.stats.expanded.saturating_sub(self.expanded_before);
            self.schedule.finish(*bound, expanded);
        }
        // It was lowered where better solutions were found.
        run.rename_layer(*bound);
        let solution = self.solution.as_ref().map(Path::cost);
        self.stage = match (solution, next, *overflow) {
            (Some(cost), next, _) if next.is_none_or(|next| next >= cost) => {
                self.schedule.lower = cost;
                Stage::NextIteration
            }
            (_, Some(next), _) => {
                // Not so with costs that cannot be compared: the same iteration would be repeated.
                let is_larger = next.partial_cmp(bound) == Some(Ordering::Greater);
                if self.iterations > 0 && !is_larger {
                    return Err(SearchError::NotANumber { g: *bound, value: next });
                }
                self.schedule.lower = next;
                Stage::NextIteration
            }
            (_, None, Some(_)) => Stage::Settling,
            (_, None, None) => Stage::Exhausted,
        };
        Ok(())
    }

    /// The budget of the iteration is used up.
    fn give_up_iteration<O>(&mut self, run: &Run<P::Cost, O>) {
        let expanded = run.stats.expanded.saturating_sub(self.expanded_before);
        self.schedule.give_up(self.bounds.bound, expanded);
        self.is_given_up = true;
        self.stack.clear();
        let overflow = self.workers.give_up();
        self.bounds.overflow = self.bounds.overflow.or(overflow);
        self.bounds.next_bound = None;
        self.stage = Stage::NextIteration;
    }

    /// A goal is on top of the stack.
    fn reach_goal<O: Observer<P::State, P::Cost>>(
        &mut self,
        run: &mut Run<P::Cost, O>,
    ) -> Result<(), SearchError<P::Cost>> {
        let Solution { path, generated_beyond } =
            self.stack.solution(&self.problem, matches!(self.goals, Goals::End))?;
        if !self.improve(path, run) {
            self.stack.leave_goal();
            return Ok(());
        }
        run.stats.generated = run.stats.generated.saturating_sub(generated_beyond);
        self.stage = Stage::Found;
        Ok(())
    }

    /// Keeps a solution if it is the best so far: the rest of the iteration looks for better ones. True if
    /// there can be none.
    fn improve<O: Observer<P::State, P::Cost>>(
        &mut self,
        path: Option<PathOf<P>>,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let lower = self.schedule.lower;
        // A path without states is none; it would be found again and again.
        let Some(path) = path else { return true };
        let cost = path.cost();
        let is_better = self.cost_of_solution().is_none_or(|best| cost < best);
        if is_better {
            // The first and best solution is in the report.
            if self.solution.is_some() || cost > lower {
                run.observer.incumbent(cost, smaller(lower, cost));
            }
            self.solution = Some(path);
            self.bounds.bound = below(cost).filter(|below| *below > lower).unwrap_or(lower);
        }
        self.is_solved()
    }

    /// Whether no solution is better than the best so far.
    fn is_solved(&self) -> bool {
        self.cost_of_solution().is_some_and(|cost| cost <= self.schedule.lower)
    }

    /// Whether the limit on the cost was lowered below what is proved in the middle of an iteration, or at its end.
    fn is_beyond_limit<O>(&self, run: &Run<P::Cost, O>) -> bool {
        let has_begun =
            matches!(self.stage, Stage::PushingStarts | Stage::Searching | Stage::Found);
        let lower = self.schedule.lower;
        let least = self.cost_of_solution().map_or(lower, |cost| smaller(cost, lower));
        has_begun && run.exceeds_cost_limit(least)
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
    ) -> Result<Progress, Halt<P::Cost>> {
        let until = run.stats.expanded.saturating_add(most);
        while (run.stats.expanded < until || most == 0) && *steps > 0 {
            // While starts are pushed, there is room for all of them; at the end, none is needed.
            let is_searching =
                matches!(self.stage, Stage::Fresh | Stage::NextIteration | Stage::Searching);
            let recursed = self.stack.recurses();
            if is_searching && !self.stack.has_room() {
                self.make_room(run)?;
            }
            if self.stack.recurses() != recursed {
                // The clock is looked at elsewhere from now on.
                return Ok(Progress::Going);
            }
            let budget =
                self.give_up_at.map_or(u64::MAX, |at| at.saturating_sub(run.stats.expanded));
            let left = until.saturating_sub(run.stats.expanded).min(budget);
            match self.stage {
                Stage::Fresh => self.evaluate_starts(steps, run)?,
                Stage::NextIteration if run.exceeds_cost_limit(self.schedule.lower) => {
                    return Err(StopReason::Cost.into());
                }
                Stage::NextIteration if self.is_solved() => self.stage = Stage::Found,
                Stage::NextIteration => {
                    run.make_room_for_layer()?;
                    self.begin_iteration(run);
                }
                Stage::PushingStarts => self.push_starts(steps, run)?,
                Stage::Searching if self.workers.are_active() => {
                    let Self { problem, stack, bounds, workers, .. } = self;
                    let goals = (bounds, self.goals);
                    let outcome = workers.search_iteration(problem, stack, goals, left, run)?;
                    let improved = workers.take_solution();
                    if improved.is_some() && self.improve(improved, run) {
                        // Only if the heuristic overestimates.
                        self.workers.give_up();
                        self.stage = Stage::Found;
                        continue;
                    }
                    match outcome {
                        IterationOutcome::Unfinished
                            if self.give_up_at.is_some_and(|at| run.stats.expanded >= at) =>
                        {
                            self.give_up_iteration(run);
                        }
                        IterationOutcome::Unfinished => return Ok(Progress::Going),
                        IterationOutcome::OutOfMemory => return Err(OutOfMemory.into()),
                        IterationOutcome::NoGoal => self.finish_iteration(run)?,
                        IterationOutcome::Goal(path) => {
                            self.solution = path;
                            self.stage = Stage::Found;
                        }
                    }
                }
                Stage::Searching if self.stack.len() > 0 => {
                    let Self { problem, stack, bounds, .. } = self;
                    if stack.search(problem, bounds, left, steps, run)? {
                        self.reach_goal(run)?;
                    } else if budget == 0 && stack.has_entered() && !stack.is_behind() {
                        self.give_up_iteration(run);
                    } else if run.budget.check_clock().is_err()
                        || run.is_interrupted()
                        || stack.recurses() != recursed
                        || most == 0 && stack.has_entered() && !stack.is_behind()
                    {
                        return Ok(Progress::Going);
                    }
                }
                Stage::Searching => self.finish_iteration(run)?,
                Stage::Settling => {
                    if let Some(first) = self.bounds.overflow.filter(|_| !self.has_table) {
                        return Err(first.into());
                    }
                    let Self { problem, starts, settling, .. } = self;
                    if settling.is_none() {
                        *settling = boxed(Settling::new());
                    }
                    let [settling] = settling.as_deref_mut().ok_or(OutOfMemory)?;
                    let progress = settling.advance(problem, starts, left, run)?;
                    if progress == Progress::Exhausted {
                        self.stage = Stage::Exhausted;
                    }
                    return Ok(progress);
                }
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
        if self.is_beyond_limit(run) {
            return Ok(Progress::Stopped(StopReason::Cost));
        }
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
            return self.advance_for(most, &mut steps, run).or_else(Halt::progress);
        }
        if self.stack.is_cut() {
            return Ok(Progress::Going);
        }
        // No expansions are left, but the search may end without another one.
        let before = self.iterations;
        let progress = self.advance_for(0, &mut steps, run).or_else(Halt::progress)?;
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
        let bound = self.schedule.lower;
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
        self.schedule.reset();
        (self.give_up_at, self.is_given_up, self.expanded_before) = (None, false, 0);
        (self.iterations, self.idle_iterations) = (0, 0);
        self.stack.reset();
        self.workers.reset();
        if let Some([settling]) = self.settling.as_deref_mut() {
            settling.reset();
        }
        self.solution = None;
        self.starts.clear();
        self.starts.extend(starts);
        self.stack.require_spare(self.starts.len());
    }
}

show_fields! {
    [P: SearchProblem, W: Expander<P>, T: ParallelStrategy<P, W>] IdaStarEngine<P, W, T>,
    "IdaStarEngine" (this) {
        stage,
        bound = this.bounds.bound,
        lower_bound = this.schedule.lower,
        stack = this.stack.len()
    }
}
