//! [`Explorer`]: a best-first search that continues after its goals, and the steps between its expanded states.

use super::WORK;
use super::listing::Listing;
use super::sidetracks::step_between;
use super::steps::{Link, Steps};
use crate::cost::Cost;
use crate::engine::driver::Driver;
use crate::engine::halt::Halt;
use crate::engine::parts::{Parts, With};
use crate::engine::policy::ListExpanded;
use crate::engine::relaxation::Trail;
use crate::engine::{Engine, Progress, Run};
use crate::memory::Memory;
use crate::observer::Observer;
use crate::path::{Path, PathError, PathOf};
use crate::problem::{Successor, SuccessorBuffer, Successors, generate};
use crate::report::{SearchError, StopReason};
use crate::table::{Full, Record, StateId, Table};

/// A best-first search in the order `R`, which continues on demand, and the steps between its expanded states.
///
/// If all open states have an *f* of at least *B*, every path to a goal that costs less than *B* consists of
/// expanded states.
pub(super) struct Explorer<S: Parts> {
    pub(super) search: ListedBy<S>,
    steps: Steps<S::Id, S::Cost>,
    starts: Vec<(S::State, S::Cost)>,
    /// Whether the starts are among the steps.
    has_starts: bool,
    /// One bit for each expanded state, as far as the list of them was read.
    expanded: Vec<u64>,
    /// The number of entries of the list that were read.
    seen: usize,
    /// The number of these whose steps are known.
    linked: usize,
    /// Expanded states, some of whose steps lead to states that were not stored: a sum did not fit.
    left_out: Vec<S::Id>,
    /// Those of them whose steps are looked at again, as the search has gone on.
    unlinked: Vec<S::Id>,
    /// The number of repeated expansions.
    again: u64,
    /// The number of expansions that recorded steps.
    asked: u64,
    successors: Successors<S::Problem>,
    bytes: usize,
    /// The ids of these successors.
    ids: Vec<S::Id>,
    /// The goals that were reached, in the order of their costs.
    goals: Vec<S::Id>,
}

/// The steps between expanded states, the goals, and the cost and the parent of each state.
pub(super) trait Explored<I, C> {
    fn steps(&self) -> &Steps<I, C>;

    /// The goals in the order in which they were reached.
    fn goals(&self) -> &[I];

    /// The g and the parent of a stored state; zero for the place before the starts.
    fn reached(&self, id: I) -> (C, I);
}

/// A search that lists the states that it expands.
pub(super) type ListedBy<S> = Driver<
    With<
        <S as Parts>::Problem,
        Listing<<S as Parts>::Order>,
        <S as Parts>::Table,
        <S as Parts>::Frontier,
    >,
    ListExpanded<<S as Parts>::Id>,
>;

impl<S: Parts> Explored<S::Id, S::Cost> for Explorer<S> {
    fn steps(&self) -> &Steps<S::Id, S::Cost> {
        &self.steps
    }

    fn goals(&self) -> &[S::Id] {
        &self.goals
    }

    #[inline]
    fn reached(&self, id: S::Id) -> (S::Cost, S::Id) {
        if id == StateId::NONE {
            return (S::Cost::ZERO, id);
        }
        let record = self.search.core.states.record(id);
        (record.g(), record.parent())
    }
}

/// The next event of the search.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next<C> {
    /// An open state of this f, which may be a goal.
    Open(C),
    /// No state is open.
    Nothing,
    /// An open state of this f, which exceeds the limit on the cost.
    TooExpensive(C),
}

/// A step of the problem to a successor.
type SuccessorOf<S> = Successor<<S as Parts>::State, <S as Parts>::Action, <S as Parts>::Cost>;

impl<S: Parts> Explorer<S> {
    pub(super) fn new(
        problem: S::Problem,
        order: Listing<S::Order>,
        table: S::Table,
        frontier: S::Frontier,
        starts: Vec<(S::State, S::Cost)>,
    ) -> Self {
        Self {
            search: Driver::new(
                (problem, order, ListExpanded::default()),
                table,
                frontier,
                starts.clone(),
            ),
            steps: Steps::new(),
            starts,
            has_starts: false,
            expanded: Vec::new(),
            seen: 0,
            linked: 0,
            left_out: Vec::new(),
            unlinked: Vec::new(),
            again: 0,
            asked: 0,
            successors: SuccessorBuffer::new(),
            bytes: 0,
            ids: Vec::new(),
            goals: Vec::new(),
        }
    }

    pub(super) fn restart(&mut self, starts: impl IntoIterator<Item = (S::State, S::Cost)>) {
        self.starts.clear();
        self.starts.extend(starts);
        self.search.restart(self.starts.iter().cloned());
        self.steps.clear();
        self.has_starts = false;
        self.expanded.clear();
        (self.seen, self.linked, self.again, self.asked) = (0, 0, 0, 0);
        self.goals.clear();
        self.left_out.clear();
        self.unlinked.clear();
        self.successors.keep_within(self.bytes);
    }

    pub(super) fn set_problem(&mut self, problem: S::Problem) {
        self.search.set_problem(problem);
    }

    pub(super) fn problem(&self) -> &S::Problem {
        self.search.core.states.problem()
    }

    pub(super) fn table(&self) -> &S::Table {
        self.search.core.states.table()
    }

    pub(super) fn is_simple(&self) -> bool {
        self.search.core.states.order().is_simple
    }

    /// Returns the number of expansions by the search itself.
    pub(super) fn searched<O>(&self, run: &Run<S::Cost, O>) -> u64 {
        run.stats.expanded - self.asked
    }

    /// Whether costs and parents agree: every expanded state was expanded at its current cost, unless a cheaper path to
    /// it begins with an open state. Only inconsistent heuristics make it false.
    pub(super) fn is_settled<O>(&mut self, run: &mut Run<S::Cost, O>) -> Result<bool, Full> {
        if run.stats.reopened == 0 {
            return Ok(true);
        }
        self.look_at_list(run)?;
        Ok(run.stats.reopened == self.again)
    }

    /// Removes from the list those that were expanded before.
    fn look_at_list<O>(&mut self, run: &mut Run<S::Cost, O>) -> Result<(), Full> {
        while let Some(&id) = self.search.listed().get(self.seen) {
            let word = id.index() / 64;
            run.memory().grow_to(&mut self.expanded, word + 1, 0)?;
            let bit = 1 << (id.index() % 64);
            if self.expanded[word] & bit != 0 {
                self.again += 1;
                self.search.listed_mut().swap_remove(self.seen);
            } else {
                self.expanded[word] |= bit;
                self.seen += 1;
            }
        }
        Ok(())
    }

    /// Returns the next event of the search, without expanding a state.
    pub(super) fn next<O: Observer<S::State, S::Cost>>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Next<S::Cost>, Halt<S::Cost>> {
        let open = |search: &ListedBy<S>| search.next_open().map_or(S::Cost::INFINITY, |(_, f)| f);
        Ok(match self.search.advance(0, run) {
            Ok(Progress::Going | Progress::Found) => Next::Open(open(&self.search)),
            Ok(Progress::Exhausted) | Err(SearchError::Overflow { .. }) => Next::Nothing,
            Ok(Progress::Stopped(StopReason::Cost)) => Next::TooExpensive(open(&self.search)),
            Ok(progress) => return Err(Halt::At(progress)),
            Err(error) => return Err(error.into()),
        })
    }

    /// Records the goal that the search has reached.
    pub(super) fn note_goal<O>(&mut self, run: &mut Run<S::Cost, O>) -> Result<(), Full> {
        let Some((id, _)) = self.search.next_open() else { return Ok(()) };
        self.look_at_list(run)?;
        let bit = 1 << (id.index() % 64);
        let was_expanded = self.expanded.get(id.index() / 64).is_some_and(|word| word & bit != 0);
        if !was_expanded && self.goals.last() != Some(&id) {
            run.memory().reserve(&mut self.goals, 1)?;
            self.goals.push(id);
        }
        Ok(())
    }

    /// Lists the states on the path to the goal that the search has reached, last to first, and their costs.
    pub(super) fn list_states<O>(
        &self,
        list: &mut Vec<(S::Id, S::Cost)>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Halt<S::Cost>> {
        list.clear();
        let mut at = self.search.next_open().map_or(StateId::NONE, |(id, _)| id);
        while at != StateId::NONE {
            let (g, parent) = self.reached(at);
            if list.len() >= self.table().len() {
                return Err(SearchError::ParentCycle { states: list.len() }.into());
            }
            run.memory().reserve(list, 1)?;
            list.push((at, g));
            at = parent;
        }
        Ok(())
    }

    /// Lists the steps between these states, which are given last to first, in the same order; none if one is not there
    /// any more. If it is held, the next call continues.
    pub(super) fn list_steps(
        &self,
        states: &[(S::Id, S::Cost)],
        list: &mut Vec<u32>,
        work: &mut u32,
        memory: &mut Memory,
    ) -> Result<(), Halt<S::Cost>> {
        memory.reserve(list, states.len() - list.len())?;
        let before = states.iter().skip(1).copied().chain([(StateId::NONE, S::Cost::ZERO)]);
        for (&to, from) in states.iter().zip(before).skip(list.len()) {
            if *work == 0 {
                return Err(Halt::PAUSED);
            }
            let Some(step) = step_between(from, to, self, work) else {
                list.clear();
                break;
            };
            list.push(step);
        }
        Ok(())
    }

    /// Expands the state that [`next`](Self::next) has returned, or pauses.
    pub(super) fn expand<O: Observer<S::State, S::Cost>>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Halt<S::Cost>> {
        let is_goal =
            self.search.next_open().is_some_and(|(id, _)| self.search.core.states.is_goal(id));
        Halt::unless_going(if is_goal {
            self.note_goal(run)?;
            self.search.pass_goal(run)?
        } else {
            self.search.advance(1, run)?
        })
    }

    /// Expands at most `most` states, up to the next goal.
    pub(super) fn expand_many<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Halt<S::Cost>> {
        match self.search.advance(most, run) {
            // The search has ended; the next call detects it again.
            Ok(Progress::Exhausted | Progress::Found | Progress::Stopped(StopReason::Cost))
            | Err(SearchError::Overflow { .. }) => Ok(()),
            other => Halt::unless_going(other?),
        }
    }

    /// Adds the steps from the states that were expanded, up to `last` expansions in all: each state counts as one. If it is
    /// halted, the next call continues. `keeps` returns whether to keep a step, from the g before it, its cost, and the record
    /// of the state that it leads to.
    #[inline(never)] // Its loop is faster by itself.
    pub(super) fn link<O>(
        &mut self,
        last: u64,
        keeps: impl Fn(S::Cost, S::Cost, &S::Record) -> bool,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Halt<S::Cost>> {
        self.look_at_list(run)?;
        self.link_starts(&keeps, run)?;
        for _ in 0..(last - run.stats.expanded).min(WORK.into()) {
            if let Some(&id) = self.unlinked.last() {
                self.link_state(id, true, &keeps, run)?;
                self.unlinked.pop();
            } else if self.linked < self.seen {
                let id = self.search.listed()[self.linked];
                self.link_state(id, false, &keeps, run)?;
                self.linked += 1;
            } else {
                break;
            }
            if run.is_interrupted() {
                break;
            }
        }
        if self.unlinked.is_empty() && self.linked == self.seen {
            std::mem::swap(&mut self.unlinked, &mut self.left_out);
            return Ok(());
        }
        let is_last = run.stats.expanded >= last;
        Err(if is_last { Halt::At(Progress::Going) } else { Halt::PAUSED })
    }

    #[expect(clippy::cast_possible_truncation, reason = "`make_room` has checked it")]
    fn link_starts<O>(
        &mut self,
        keeps: &impl Fn(S::Cost, S::Cost, &S::Record) -> bool,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Full> {
        if self.has_starts {
            return Ok(());
        }
        self.steps.make_room(self.starts.len(), run.memory())?;
        let is_by_states = self.search.core.states.order().is_by_states;
        let table = self.search.core.states.table();
        run.memory().reserve(&mut self.ids, self.starts.len())?;
        self.ids.clear();
        for (state, _) in &self.starts {
            let id = table.id_of(state).unwrap_or(StateId::NONE);
            if id != StateId::NONE {
                self.steps.make_room_for(id, run.memory())?;
            }
            self.ids.push(id);
        }
        for (nth, (&id, (_, cost))) in self.ids.iter().zip(&self.starts).enumerate() {
            if id == StateId::NONE || !keeps(S::Cost::ZERO, *cost, &table.load(id)) {
                continue;
            }
            if is_by_states {
                self.steps.add_cheapest(StateId::NONE, id, *cost, nth as u32);
            } else if !self.steps.to(id).any(|step| self.steps.get(step).cost == *cost) {
                // A start that is given twice at the same cost counts once.
                self.steps.add(StateId::NONE, id, *cost, nth as u32);
            }
        }
        self.has_starts = true;
        Ok(())
    }

    /// Adds the steps from a state; if it `is_again`, those to states that were not stored the last time.
    #[expect(clippy::cast_possible_truncation, reason = "`make_room` has checked it")]
    fn link_state<O>(
        &mut self,
        from: S::Id,
        is_again: bool,
        keeps: &impl Fn(S::Cost, S::Cost, &S::Record) -> bool,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Full> {
        let Self { search, steps, successors, ids, .. } = self;
        let (problem, table) = (search.core.states.problem(), search.core.states.table());
        successors.clear();
        table.with_state(from, |state| generate(problem, state, successors));
        successors.count(&mut self.bytes, run.memory())?;
        steps.make_room(successors.len(), run.memory())?;
        run.memory().reserve(ids, successors.len())?;
        ids.clear();
        // A state is not stored if its cost does not fit.
        let id_of = |state: &S::State| table.id_of(state).unwrap_or(StateId::NONE);
        ids.extend(successors.as_slice().iter().map(|successor| id_of(&successor.state)));
        for &to in ids.iter().filter(|&&to| to != StateId::NONE) {
            steps.make_room_for(to, run.memory())?;
        }
        if search.core.states.overflow().is_some() && ids.contains(&StateId::NONE) {
            // Its cost, or that of one of these states, may still fall.
            run.memory().reserve(&mut self.left_out, 1)?;
            self.left_out.push(from);
        }
        if is_again {
            let has = |to| steps.to(to).any(|step| steps.get(step).from == from);
            for to in ids.iter_mut() {
                if *to != StateId::NONE && has(*to) {
                    *to = StateId::NONE;
                }
            }
        }
        let before = table.load(from).g();
        let is_by_states = search.core.states.order().is_by_states;
        for (nth, (successor, &to)) in successors.as_slice().iter().zip(&*ids).enumerate() {
            if to != StateId::NONE
                && successor.cost.is_step()
                && keeps(before, successor.cost, &table.load(to))
            {
                if is_by_states {
                    steps.add_cheapest(from, to, successor.cost, nth as u32);
                } else {
                    steps.add(from, to, successor.cost, nth as u32);
                }
            }
        }
        run.stats.expanded += 1;
        run.stats.generated += successors.len() as u64;
        self.asked += 1;
        Ok(())
    }

    /// Returns a cheapest path to an expanded state.
    pub(super) fn path_to(
        &self,
        id: S::Id,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.search.core.states.known().path_to(id, Trail::Costs)
    }

    /// Returns the path along these steps.
    pub(super) fn path_along(
        &self,
        mut steps: impl ExactSizeIterator<Item = u32>,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        let table = self.table();
        let Some(first) = steps.next().map(|step| self.steps.get(step)) else { return Ok(None) };
        let start = table.with_state(first.to, Clone::clone);
        let mut path = Path::with_capacity(start, first.cost, steps.len());
        let mut next = SuccessorBuffer::new();
        // A zero-sized action has only one value.
        let mut only: Option<S::Action> = None;
        for (nth, step) in steps.enumerate() {
            let link = self.steps.get(step);
            if size_of::<S::Action>() == 0
                && let Some(action) = &only
            {
                let state = table.with_state(link.to, Clone::clone);
                path.push(action.clone(), state, link.cost)?;
                continue;
            }
            let successor = self.successor(path.end(), link, nth, &mut next)?.clone();
            only = Some(successor.action.clone());
            path.push(successor.action, successor.state, link.cost)?;
        }
        Ok(Some(path))
    }

    /// Returns the successor of a state by this step, the `nth` of a path. `next` is a buffer for all successors.
    pub(super) fn successor<'n>(
        &self,
        from: &S::State,
        link: Link<S::Id, S::Cost>,
        nth: usize,
        next: &'n mut Successors<S::Problem>,
    ) -> Result<&'n SuccessorOf<S>, SearchError<S::Cost>> {
        next.clear();
        generate(self.problem(), from, next);
        let is_same = |there: &&SuccessorOf<S>| {
            there.cost == link.cost && self.table().with_state(link.to, |to| *to == there.state)
        };
        let there = next.as_slice().get(link.nth as usize).filter(is_same);
        there.ok_or(PathError::NoSuchStep { step: nth }.into())
    }
}
