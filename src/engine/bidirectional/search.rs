//! The engine of search from both ends: which half expands next, and when the answer is proved.

use std::fmt;

use super::half::{
    Direction, Found, FromBothEnds, Half, Incumbent, Meeting, MeetingRecord, join, list_goals,
};
use super::staged::Staged;
use super::strategy::Strategy;
use crate::cost::{Cost, larger, smaller};
use crate::engine::driver::MOST_STARTS;
use crate::engine::halt::Halt;
use crate::engine::parts::With;
use crate::engine::relaxation::Trail;
use crate::engine::{Engine, Progress, Run};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::report::{SearchError, StopReason};
use crate::table::Table;

/// The engine of search from both ends by any [`Strategy`]: what
/// [`Bidirectional`](crate::Bidirectional) builds.
///
/// Two halves, each with a table and an open list, take turns. Whatever one half reaches is looked up in the
/// table of the other; the cheapest path that is put together so is the incumbent. The search ends when
/// the least keys of both halves prove that no path is cheaper.
pub type BidirectionalEngine<P, R, T, F> = BidirectionalDriver<With<P, R, T, F>>;

/// The same, as a type of its parts.
pub struct BidirectionalDriver<S: FromBothEnds> {
    halves: [Half<S>; 2],
    /// Whether the goals are listed.
    has_goals: bool,
    /// The half that expands next.
    turn: Direction,
    /// Whether the other half has expanded its state of a pair.
    is_owed: bool,
    /// Whether states that may be expanded still wait.
    is_admitting: bool,
    /// What is proved so far: no path that is cheaper than the incumbent costs less.
    lower_bound: S::Cost,
    record: MeetingRecord<S::Id, S::Cost>,
}

/// So often states that waited are admitted before the limits are checked again.
const MOST_ROUNDS: u32 = 1 << 10;

/// The half that expands next, or how the search ends before that, or an error.
type Next<C> = Result<Direction, Halt<C>>;

impl<S: FromBothEnds<Problem: Clone, Table: Clone, Frontier: Clone>> BidirectionalDriver<S> {
    pub(super) fn new(
        problem: &S::Problem,
        strategy: &S::Order,
        table: &S::Table,
        frontier: &S::Frontier,
        starts: Vec<(S::State, S::Cost)>,
    ) -> Self {
        let half = |direction| {
            let frontier = Staged::new(frontier.clone());
            Half::new(problem.clone(), direction, strategy.clone(), table.clone(), frontier)
        };
        let halves = [half(Direction::Forward), half(Direction::Backward)];
        let mut engine = Self {
            halves,
            has_goals: false,
            turn: Direction::Forward,
            is_owed: false,
            is_admitting: false,
            lower_bound: S::Cost::ZERO,
            record: MeetingRecord::new(),
        };
        engine.begin(starts);
        engine
    }
}

impl<S: FromBothEnds> BidirectionalDriver<S> {
    fn begin(&mut self, starts: impl IntoIterator<Item = (S::State, S::Cost)>) {
        let starts: Vec<_> = starts.into_iter().collect();
        let [forward, backward] = &mut self.halves;
        for half in [&mut *forward, &mut *backward] {
            half.core.states.problem_mut().set_starts(&starts);
        }
        forward.core.restart(starts);
        backward.core.restart([]);
        (self.has_goals, self.turn, self.is_owed) = (false, Direction::Forward, false);
        (self.is_admitting, self.lower_bound) = (false, S::Cost::ZERO);
        self.record = MeetingRecord::new();
    }

    fn cost(&self) -> Option<S::Cost> {
        self.record.incumbent.map(|best| best.cost)
    }

    /// The half that expands next, unless the search ends first, or does not find it within `most` rounds.
    #[inline]
    fn next_to_expand<O>(&mut self, most: u32, run: &mut Run<S::Cost, O>) -> Next<S::Cost> {
        let cost = self.cost();
        if self.is_admitting {
            self.admit(run)?;
        }
        for _ in 0..most {
            let mut is_open = [true; 2];
            let mut least: Option<S::Cost> = None;
            let [forward, backward] = &mut self.halves;
            for (index, is_open) in is_open.iter_mut().enumerate() {
                let (half, other) = match index {
                    0 => (&mut *forward, &*backward),
                    _ => (&mut *backward, &*forward),
                };
                match half.find_head(other.core.states.table(), cost, run)? {
                    Found::Paused => return Err(Halt::PAUSED),
                    found => *is_open = matches!(found, Found::Head),
                }
                let waiting = half.core.states.frontier_mut().least_waiting(run.memory())?;
                if let Some(bound) = waiting {
                    *is_open = true;
                    least = Some(least.map_or(bound, |least| smaller(least, bound)));
                }
            }
            if is_open != [true; 2] {
                return self.exhaust(is_open, run);
            }
            let [forward, backward] = &self.halves;
            let pair = match (forward.core.held, backward.core.held) {
                (Some(there), Some(back)) => forward.core.states.order().bound(there.key, back.key),
                _ => None,
            };
            let Some(bound) = [pair, least].into_iter().flatten().reduce(smaller) else {
                // Whatever is left costs more than the type can hold, if there is a path at all.
                return self.exhaust(is_open, run);
            };
            let proved = cost.map_or(bound, |cost| smaller(bound, cost));
            let before = self.lower_bound;
            self.lower_bound = larger(before, proved);
            let strategy = self.halves[0].core.states.order();
            if let Some(cost) = cost.filter(|&cost| strategy.proves(self.lower_bound, cost)) {
                return Err(Halt::At(self.end(cost, run)));
            }
            if run.exceeds_cost_limit(self.lower_bound) {
                return Err(StopReason::Cost.into());
            }
            let is_due = self.is_owed && self.halves[self.turn as usize].core.held.is_some();
            if is_due || pair.is_some_and(|pair| pair <= self.lower_bound) {
                return Ok(self.side_to_expand());
            }
            let is_higher = self.lower_bound > before;
            if !self.admit(run)? && !is_higher {
                // No pair comes first: these costs cannot be compared.
                return Err(SearchError::NotANumber { g: self.lower_bound, value: bound }.into());
            }
            if run.is_interrupted() {
                // Each round may have admitted many states.
                break;
            }
        }
        Err(Halt::PAUSED)
    }

    /// Has states expanded that waited for what is proved now. Returns whether there are any; if it is held, it is to go on.
    #[inline(never)]
    fn admit<O>(&mut self, run: &mut Run<S::Cost, O>) -> Result<bool, Halt<S::Cost>> {
        self.is_admitting = true;
        let mut any = false;
        for half in &mut self.halves {
            half.put_head_back(run)?;
            let frontier = half.core.states.frontier_mut();
            let admitted = frontier.admit(self.lower_bound, run.memory())?;
            any |= admitted.ok_or(Halt::PAUSED)?;
        }
        self.is_admitting = false;
        Ok(any)
    }

    /// The half that expands its head: the one that has fewer open states of the level of its head, so that the
    /// bound rises after fewer expansions. Where they are not counted, or must be expanded in pairs, both
    /// halves take turns.
    #[inline]
    fn side_to_expand(&self) -> Direction {
        let [forward, backward] = &self.halves;
        let count = |half: &Half<S>| half.core.states.frontier().count(&half.core.held?.key);
        match (count(forward), count(backward)) {
            (Some(there), Some(back)) if there < back => Direction::Forward,
            (Some(there), Some(back)) if there > back => Direction::Backward,
            _ => self.turn,
        }
    }

    /// How the search ends when nothing that is left is cheaper than the incumbent.
    #[cold]
    fn end<O>(&mut self, cost: S::Cost, run: &Run<S::Cost, O>) -> Progress {
        self.lower_bound = larger(self.lower_bound, cost);
        run.found(cost)
    }

    /// How the search ends when no path is left that its type can hold: those halves that are not open are done.
    ///
    /// A half that is done proves that there is no path, unless it left out a state because its cost does not fit into the
    /// type. Then the other half is searched to its end, too. So the verdict does not depend on which one was done first.
    #[cold]
    fn exhaust<O>(&mut self, is_open: [bool; 2], run: &mut Run<S::Cost, O>) -> Next<S::Cost> {
        if let Some(cost) = self.cost() {
            return Err(Halt::At(self.end(cost, run)));
        }
        if let Some(overflow) = self.record.overflow {
            return Err(overflow.into());
        }
        let mut left_out = None;
        for (half, _) in self.halves.iter_mut().zip(is_open).filter(|(_, is_open)| !is_open) {
            match half.core.states.exhausted(run) {
                Ok(end) => return Err(Halt::At(end)),
                Err(overflow) => left_out = Some(overflow),
            }
        }
        if let ([false, false], Some(overflow)) = (is_open, left_out) {
            return Err(overflow.into());
        }
        let direction = match is_open {
            [true, true] => self.side_to_expand(),
            [true, false] => Direction::Forward,
            _ => Direction::Backward,
        };
        let half = &mut self.halves[direction as usize];
        if half.core.held.is_some() {
            return Ok(direction);
        }
        // No state need wait for the bound any more.
        if half.core.states.frontier_mut().admit(S::Cost::INFINITY, run.memory())? != Some(false) {
            return Err(Halt::PAUSED);
        }
        let value = self.lower_bound;
        Err(SearchError::NotANumber { g: value, value }.into())
    }

    /// Expands the head of a half, or stores its starts.
    #[inline]
    fn expand<O: Observer<S::State, S::Cost>>(
        &mut self,
        direction: Direction,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), Halt<S::Cost>> {
        let cost = self.cost();
        let other = &mut self.halves[direction.opposite() as usize];
        other.core.states.make_room_to_look_up(run)?;
        let (half, mut meeting) = self.half(direction);
        let room = if let Some(head) = half.core.held {
            let room = half.core.expand(&head, &mut meeting, run)?;
            if room.is_ok() {
                half.core.held = None;
                self.is_owed = S::Order::EXPANDS_PAIRS && !self.is_owed;
                self.turn = direction.opposite();
            }
            room
        } else {
            meeting.begins = true;
            half.core.begin(&mut meeting, run)?
        };
        room?;
        Ok(self.look_at_incumbent(cost, run)?)
    }

    /// A half, and its policy, by which its states are looked up in the other.
    #[inline]
    fn half(&mut self, direction: Direction) -> (&mut Half<S>, Meeting<'_, S>) {
        let [forward, backward] = &mut self.halves;
        let (half, other) = match direction {
            Direction::Forward => (forward, backward),
            Direction::Backward => (backward, forward),
        };
        let (other, layer) = (other.core.states.table(), self.lower_bound);
        (half, Meeting { direction, other, layer, begins: false, record: &mut self.record })
    }

    /// Called after states were reached; `before` is the cost of the incumbent before that.
    #[inline]
    fn look_at_incumbent<O: Observer<S::State, S::Cost>>(
        &mut self,
        before: Option<S::Cost>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), SearchError<S::Cost>> {
        if let Some(fault) = self.record.fault {
            return Err(fault);
        }
        let cost = self.cost();
        if cost != before
            && let Some(cost) = cost
        {
            // A path cheaper than what was proved: a heuristic overestimates, or is not consistent.
            self.record.is_refuted |= self.lower_bound.exceeds(cost);
            let is_refuted = self.record.is_refuted;
            let bound = if is_refuted { S::Cost::ZERO } else { smaller(self.lower_bound, cost) };
            run.observer.incumbent(cost, bound);
        }
        Ok(())
    }

    /// The half whose starts are stored next, unless not all goals are listed.
    #[cold]
    fn next_to_begin<O>(&mut self, run: &mut Run<S::Cost, O>) -> Next<S::Cost> {
        let [forward, backward] = &mut self.halves;
        if !self.has_goals {
            list_goals(&mut backward.core, run)?;
            self.has_goals = true;
        }
        let is_forward = forward.core.has_starts();
        Ok(if is_forward { Direction::Forward } else { Direction::Backward })
    }

    /// The path through the states where both halves meet.
    fn path_by(
        &self,
        best: Incumbent<S::Id, S::Cost>,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        join(self.halves.each_ref().map(|half| &half.core), best.ids)
    }

    /// Whether starts or goals are not among the states yet.
    #[inline]
    fn is_behind(&self) -> bool {
        !self.has_goals || self.halves.iter().any(|half| half.core.has_starts())
    }
}

impl<S: FromBothEnds<Problem: Clone>> Engine for BidirectionalDriver<S> {
    type Problem = S::Problem;
    type State = S::State;
    type Action = S::Action;
    type Cost = S::Cost;

    fn advance<O: Observer<S::State, S::Cost>>(
        &mut self,
        most: u64,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Progress, SearchError<S::Cost>> {
        let until = run.stats.expanded.saturating_add(most);
        let mut begun = 0;
        while run.stats.expanded < until || most == 0 {
            let is_behind = self.is_behind();
            let next = if is_behind {
                if begun == MOST_STARTS {
                    return Ok(Progress::Paused);
                }
                begun += 1;
                self.next_to_begin(run)
            } else {
                self.next_to_expand(MOST_ROUNDS, run)
            };
            let direction = match next {
                Ok(_) if most == 0 && !is_behind => break,
                Ok(direction) => direction,
                Err(halt) => return halt.progress(),
            };
            if let Err(halt) = self.expand(direction, run) {
                return halt.progress();
            }
            if run.is_interrupted() {
                break;
            }
        }
        Ok(Progress::Going)
    }

    fn lower_bound<O>(&mut self, run: &mut Run<S::Cost, O>) -> S::Cost {
        // The report is not to come late, either.
        let most = if run.budget.goes_on() { MOST_ROUNDS } else { 1 };
        let end = if self.is_behind() { None } else { self.next_to_expand(most, run).err() };
        match (end, self.record.incumbent) {
            (Some(Halt::At(Progress::Exhausted)), _) => S::Cost::INFINITY,
            _ if self.record.is_refuted => S::Cost::ZERO,
            (Some(Halt::At(Progress::Found)), Some(best)) => {
                let [forward, backward] = &self.halves;
                if forward.core.states.known().overestimates_on_path(best.ids[0], best.cost)
                    || backward.core.states.known().overestimates_on_path(best.ids[1], best.cost)
                {
                    return S::Cost::ZERO;
                }
                // Sums of floats that are added up from the start on may be rounded otherwise.
                let path = self.path_by(best);
                path.ok().flatten().map_or(best.cost, |path| path.cost())
            }
            _ => self.lower_bound,
        }
    }

    fn path(&mut self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.record.incumbent.map_or(Ok(None), |best| self.path_by(best))
    }

    fn closest(&self) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.halves[0].core.states.path_to_closest(Trail::Steps)
    }

    /// Of those that the forward half has reached.
    fn closest_by<K: PartialOrd>(
        &self,
        key: impl FnMut(&S::State) -> K,
    ) -> Result<Option<PathOf<S::Problem>>, SearchError<S::Cost>> {
        self.halves[0].core.states.path_to_closest_by(key, Trail::Steps)
    }

    fn stored(&self) -> usize {
        self.halves.iter().map(|half| half.core.states.table().len()).sum()
    }

    fn set_problem(&mut self, problem: S::Problem) {
        if !self.has_goals {
            self.halves[1].core.starts.clear();
        }
        for half in &mut self.halves {
            half.core.states.problem_mut().set_problem(problem.clone());
        }
    }

    fn restart(&mut self, starts: impl IntoIterator<Item = (S::State, S::Cost)>) {
        self.begin(starts);
    }
}

impl<S: FromBothEnds> fmt::Debug for BidirectionalDriver<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [forward, backward] = &self.halves;
        f.debug_struct("BidirectionalEngine")
            .field("strategy", &forward.core.states.order())
            .field("forward", &forward.core.states.table())
            .field("backward", &backward.core.states.table())
            .field("lower_bound", &self.lower_bound)
            .field("incumbent", &self.cost())
            .finish_non_exhaustive()
    }
}
