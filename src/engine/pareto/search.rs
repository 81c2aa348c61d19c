//! The engine of a multi-criteria search: its policy over labels.

use super::order::ByCriteria;
use super::solutions::{Solutions, least};
use crate::cost::{ByCriterion, Cost, Criteria, smaller};
use crate::engine::core::Core;
use crate::engine::driver::Driver;
use crate::engine::parts::{Parts, With};
use crate::engine::policy::{Next, Policy, Taken};
use crate::engine::relaxation::{HeadOf, Known, Relaxation, Trail};
use crate::engine::{Progress, Run};
use crate::frontier::{Frontier, Lexicographic};
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::{SearchProblem, Successor, Successors, generate};
use crate::report::{SearchError, StopReason};
use crate::table::{IdOf, LabelTable, Record, StateId, Table, TableFor};

/// The engine of [`Pareto`](crate::Pareto): multi-criteria search.
///
/// It is the relaxation loop of the best-first engines over labels, which are paths to states; a state may have many.
/// A label is pruned if a closed label of its state dominates it, or if a solution dominates its *f*: when it is
/// generated, and again when it is popped.
///
/// With two criteria this is BOA\*, and each of these checks is one comparison; with more, it is LTMOA\*.
pub type ParetoEngine<P, T, F> =
    Driver<OfLabels<P, T, F>, NotDominated<LabelId<P, T>, <P as SearchProblem>::Cost>>;

/// A search for labels: paths to the states of `P`, which are in the table `T`.
type OfLabels<P, T, F> = With<P, ByCriteria, LabelTable<<P as SearchProblem>::State, T>, F>;

/// After the time is up, a bound takes about so many comparisons with solutions, which is some milliseconds.
const MOST_COMPARED: usize = 1 << 20;

/// The ids of its labels.
type LabelId<P, T> = IdOf<T, <P as SearchProblem>::State>;

/// Continues after solutions, and prunes labels that a solution or another label of the same state dominates.
#[derive(Clone, Debug)]
pub struct NotDominated<I, C> {
    solutions: Solutions<C, I>,
    /// The minimum by each criterion of the costs of paths that were omitted because their costs do not fit into their
    /// type, if there are any.
    left_out: Option<C>,
    /// The limit on the cost. It may have been lowered after solutions were found: those beyond it are passed over, and
    /// come back when it is raised.
    most: Option<C>,
    /// Whether the front is complete: limits do not matter any more.
    is_complete: bool,
}

impl<I: Copy, C: Criteria> Default for NotDominated<I, C> {
    fn default() -> Self {
        Self { solutions: Solutions::new(), left_out: None, most: None, is_complete: false }
    }
}

impl<P, T, F> Policy<OfLabels<P, T, F>> for NotDominated<LabelId<P, T>, P::Cost>
where
    P: SearchProblem<Cost: Criteria>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<LabelId<P, T>, Lexicographic<P::Cost>>,
{
    const TRAIL: Trail = Trail::Labels;
    const SETS_ASIDE: bool = true;

    /// Whether a label may lead to a solution that is not known to be dominated.
    #[inline]
    fn admits(&mut self, g: P::Cost, h: P::Cost) -> bool {
        // A sum that does not fit is recorded when the label is stored.
        h < P::Cost::INFINITY && g.checked_add(h).is_none_or(|f| !self.solutions.dominate(f))
    }

    #[inline]
    fn improves(&self, g: P::Cost, known: P::Cost) -> bool {
        !known.dominates(g)
    }

    #[cold]
    fn overflowed(&mut self, g: P::Cost, added: P::Cost) -> bool {
        let cost = g.saturating_add(added);
        if self.solutions.any_dominates(cost) {
            return false;
        }
        self.left_out = Some(self.left_out.map_or(cost, |least| least.least(cost)));
        true
    }

    /// The cost of a label never changes.
    #[inline]
    fn current_f(
        &self,
        known: Known<'_, OfLabels<P, T, F>>,
        id: LabelId<P, T>,
        key: Lexicographic<P::Cost>,
    ) -> Option<P::Cost> {
        (!known.table.load(id).is_closed()).then_some(key.0)
    }

    #[inline]
    fn taken<O: Observer<P::State, P::Cost>>(
        &mut self,
        core: &mut Core<OfLabels<P, T, F>>,
        head: &HeadOf<OfLabels<P, T, F>>,
        run: &mut Run<P::Cost, O>,
    ) -> Taken {
        let labels = &mut core.states;
        if self.solutions.dominate(head.f) || labels.table().is_dominated(head.id) {
            labels.close(head.id);
            labels.table_mut().give_back(head.id);
            return Taken::Drop;
        }
        // Beyond the limit by any criterion.
        let most = run.budget.limits().cost_limit();
        if most.is_some_and(|most| !head.f.dominates(most)) {
            return Taken::SetAside;
        }
        if !labels.is_goal(head.id) {
            return Taken::Expand;
        }
        match self.add_solution(labels, head.id, run) {
            Ok(()) => Taken::Drop,
            Err(full) => Taken::Stop(full.into()),
        }
    }

    #[inline]
    fn make_room(
        &mut self,
        labels: &mut Relaxation<OfLabels<P, T, F>>,
        id: LabelId<P, T>,
        _successors: usize,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        labels.table_mut().make_room_to_close(id, memory)
    }

    /// Each solution begins a layer.
    #[inline]
    fn layer(&self, _f: P::Cost) -> P::Cost {
        self.solutions.list().last().map_or(P::Cost::ZERO, |&(cost, _)| cost)
    }

    #[inline]
    fn expanded<O: Observer<P::State, P::Cost>>(
        &mut self,
        core: &mut Core<OfLabels<P, T, F>>,
        head: &HeadOf<OfLabels<P, T, F>>,
        _run: &mut Run<P::Cost, O>,
    ) {
        core.states.table_mut().note_closed(head.id);
    }

    fn resumed<O>(
        &mut self,
        core: &mut Core<OfLabels<P, T, F>>,
        run: &mut Run<P::Cost, O>,
    ) -> Option<Progress> {
        self.look_at_limit(run);
        core.recall_at_new_limit(run).err().map(|full| Progress::Stopped(full.into()))
    }

    fn emptied<O: Observer<P::State, P::Cost>>(
        &mut self,
        core: &mut Core<OfLabels<P, T, F>>,
        run: &mut Run<P::Cost, O>,
    ) -> Result<Next, SearchError<P::Cost>> {
        if core.states.has_aside() || self.beyond_limit().next().is_some() {
            return Ok(Next::End(Progress::Stopped(StopReason::Cost)));
        }
        if self.left_out.is_some_and(|cost| !self.solutions.any_dominates(cost)) {
            // An omitted path may belong to the front.
            let progress = self.settle(core, run)?;
            if progress != Progress::Exhausted {
                return Ok(Next::End(progress));
            }
        }
        self.left_out = None;
        if self.solutions.list().is_empty() {
            return Ok(Next::End(Progress::Exhausted));
        }
        self.is_complete = true;
        Ok(Next::End(Progress::Found))
    }

    fn lower_bound<O>(
        &mut self,
        core: &mut Core<OfLabels<P, T, F>>,
        run: &mut Run<P::Cost, O>,
    ) -> P::Cost {
        // A search that is stopped at once is not resumed before its report.
        self.look_at_limit(run);
        if core.has_starts() {
            return P::Cost::ZERO;
        }
        // Labels beyond a limit on the cost may cost less by the first criterion.
        let held = core.held.map(|head| head.f);
        let left_out = self.left_out.filter(|&cost| !self.solutions.any_dominates(cost));
        let first = self.solutions.list().first().map(|&(cost, _)| cost);
        let open = core.states.least_open_f();
        let known = [held, left_out, first, open].into_iter().flatten();
        known.reduce(smaller).unwrap_or(P::Cost::INFINITY)
    }

    fn path(
        &self,
        core: &Core<OfLabels<P, T, F>>,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.nth_path(core, 0)
    }

    fn restart(&mut self, _core: &mut Core<OfLabels<P, T, F>>) {
        self.solutions.clear();
        (self.left_out, self.most, self.is_complete) = (None, None, false);
    }
}

impl<I: StateId, C: Criteria> NotDominated<I, C> {
    /// Takes note of the limit on the cost, unless the search has ended.
    fn look_at_limit<O>(&mut self, run: &Run<C, O>) {
        if !self.is_complete {
            self.most = run.budget.limits().cost_limit();
        }
    }

    fn is_within_limit(&self, cost: C) -> bool {
        self.most.is_none_or(|most| cost.dominates(most))
    }

    /// The solutions within the limit on the cost, in the order of their costs.
    fn within_limit(&self) -> impl Iterator<Item = (C, I)> {
        let solutions = self.solutions.list().iter().copied();
        solutions.filter(|&(cost, _)| self.is_within_limit(cost))
    }

    /// The costs of the solutions beyond it.
    fn beyond_limit(&self) -> impl Iterator<Item = C> {
        let costs = self.solutions.list().iter().map(|&(cost, _)| cost);
        costs.filter(|&cost| !self.is_within_limit(cost))
    }

    /// How the search ends where nothing is open and costs did not fit: [`Progress::Exhausted`] if neither a label of the same
    /// state nor a solution leaves one of them undominated.
    #[cold]
    fn settle<P, T, F, O>(
        &self,
        core: &mut Core<OfLabels<P, T, F>>,
        run: &Run<C, O>,
    ) -> Result<Progress, SearchError<C>>
    where
        P: SearchProblem<Cost = C>,
        T: TableFor<P::State, C, Record: Record<Id = I>>,
        F: Frontier<I, Lexicographic<C>>,
    {
        let mut left_out = core.states.take_left_out();
        let (states, mut successors) = (&core.states, Successors::<P>::new());
        let mut matters = false;
        // One is enough: it takes up to one pass over all labels to say that one does not matter.
        let mut look_at = |id: I| {
            matters = matters || self.may_miss(states, id, &mut successors);
            None
        };
        left_out.complete(|_| states.table().for_each(|id, _, _| _ = look_at(id)));
        let overflow = core.states.overflow();
        let end = left_out.settle(overflow, &mut look_at, &mut |()| run.budget.goes_on());
        core.states.put_left_out(left_out);
        overflow.filter(|_| matters).map_or(end, Err)
    }

    /// Whether a sum does not fit at a label, and may belong to the front.
    fn may_miss<P, T, F>(
        &self,
        labels: &Relaxation<OfLabels<P, T, F>>,
        id: I,
        successors: &mut Successors<P>,
    ) -> bool
    where
        P: SearchProblem<Cost = C>,
        T: TableFor<P::State, C, Record: Record<Id = I>>,
        F: Frontier<I, Lexicographic<C>>,
    {
        let (record, table) = (labels.record(id), labels.table());
        let g = record.g();
        if !record.is_closed() {
            let h = labels.h_of(id, &record);
            return g.checked_add(h).is_none()
                && !self.solutions.any_dominates(g.saturating_add(h))
                && !table.with_state(id, |state| table.has_dominated(state, g));
        }
        successors.clear();
        table.with_state(id, |state| generate(labels.problem(), state, successors));
        successors.as_slice().iter().any(|Successor { state, cost, .. }| {
            let sum = g.saturating_add(*cost);
            !g.checked_add(*cost).is_some_and(T::Record::holds)
                && !self.solutions.any_dominates(sum)
                && !table.has_dominated(state, sum)
        })
    }

    /// Adds the label of a goal to the solutions, unless one of them dominates it.
    #[cold]
    fn add_solution<P, T, F, O>(
        &mut self,
        labels: &mut Relaxation<OfLabels<P, T, F>>,
        id: I,
        run: &mut Run<C, O>,
    ) -> Result<(), OutOfMemory>
    where
        P: SearchProblem<Cost = C>,
        T: TableFor<P::State, C, Record: Record<Id = I>>,
        F: Frontier<I, Lexicographic<C>>,
        O: Observer<P::State, C>,
    {
        let cost = labels.record(id).g();
        self.solutions.make_room(run.memory())?;
        labels.close(id);
        if self.solutions.any_dominates(cost) {
            labels.table_mut().give_back(id);
            return Ok(());
        }
        self.solutions.add(cost, id);
        if O::LISTENS {
            run.observer.incumbent(cost, cost);
        }
        Ok(())
    }

    /// Returns the path of the solution within the limit with this number, counted from 0.
    fn nth_path<S: Parts<Id = I, Cost = C>>(
        &self,
        core: &Core<S>,
        number: usize,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<C>> {
        let solution = match self.most {
            // Without a limit, the list need not be walked.
            None => self.solutions.list().get(number).copied(),
            Some(_) => self.within_limit().nth(number),
        };
        solution.map_or(Ok(None), |(_, label)| core.states.known().path_to_label(label))
    }
}

impl<P, T, F> ParetoEngine<P, T, F>
where
    P: SearchProblem<Cost: Criteria>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<LabelId<P, T>, Lexicographic<P::Cost>>,
{
    /// Returns the costs of the solutions so far within the limit on the cost, in order.
    pub(super) fn costs(&self) -> impl ExactSizeIterator<Item = P::Cost> {
        self.policy.within_limit().map(|(cost, _)| cost).collect::<Vec<_>>().into_iter()
    }

    /// Returns their paths.
    pub(super) fn paths(&self) -> Result<Vec<PathOf<P>>, SearchError<P::Cost>> {
        let known = self.core.states.known();
        let labels = self.policy.within_limit().map(|(_, label)| label);
        labels.filter_map(|label| known.path_to_label(label).transpose()).collect()
    }

    /// Returns the path of the one with this number, counted from 0.
    pub(super) fn nth_path(
        &self,
        number: usize,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        self.policy.nth_path(&self.core, number)
    }

    /// Returns a lower bound, by each criterion, on the costs of the solutions that are not yet found, or are passed over.
    /// Takes one pass over the open labels. Labels that a solution dominates do not count, unless the time is up and
    /// telling them from others takes long.
    pub(super) fn bound_of_rest(&self, goes_on: impl Fn() -> bool) -> P::Cost {
        if self.core.has_starts() {
            return P::Cost::ZERO;
        }
        let solutions = &self.policy.solutions;
        // As at the end of the search; omitted paths are not in order.
        let not_dominated = |&f: &P::Cost| !solutions.any_dominates(f);
        let held = self.core.held.map(|head| head.f).filter(not_dominated);
        let left_out = self.policy.left_out.filter(not_dominated);
        let mut bound = least(self.policy.beyond_limit().chain(held).chain(left_out));
        let mut left = MOST_COMPARED;
        self.core.states.for_each_open_f(|f| {
            if bound.dominates(f) {
                return;
            }
            left = left.saturating_sub(solutions.list().len());
            if (left == 0 && !goes_on()) || not_dominated(&f) {
                bound = bound.least(f);
            }
        });
        bound
    }
}
