//! [`Half`]: the search from one of the two ends, and [`Side`], the problem as it looks from there.

use super::staged::Staged;
use super::strategy::Strategy;
use crate::cost::{Cost, smaller};
use crate::engine::checked::not_negative;
use crate::engine::core::Core;
use crate::engine::halt::Halt;
use crate::engine::parts::{Parts, TableKey, With};
use crate::engine::policy::{Policy, StoreAll};
use crate::engine::relaxation::{Known, Popped, Trail, needs_parents, trail};
use crate::engine::{Order, Run};
use crate::memory::OutOfMemory;
use crate::path::{Path, PathError, PathOf};
use crate::problem::{Reversible, SearchProblem, Successors};
use crate::report::{SearchError, Stats};
use crate::table::{Lookup, Record, Table};

/// The two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Direction {
    Forward = 0,
    Backward = 1,
}

impl Direction {
    #[inline]
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// A problem as it looks from one end: from the starts forwards, or from the goals backwards.
///
/// Both are of one type, so that the loop exists once.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Side<P: SearchProblem> {
    problem: P,
    direction: Direction,
    /// The starts of the search, for the heuristic of the backward half.
    starts: Vec<P::State>,
}

impl<P: Reversible> Side<P> {
    pub(in crate::engine) fn new(problem: P, direction: Direction) -> Self {
        Self { problem, direction, starts: Vec::new() }
    }

    pub(in crate::engine) fn problem(&self) -> &P {
        &self.problem
    }

    pub(in crate::engine) fn set_problem(&mut self, problem: P) {
        self.problem = problem;
    }

    pub(super) fn set_starts(&mut self, starts: &[(P::State, P::Cost)]) {
        self.starts.clear();
        self.starts.extend(starts.iter().map(|(state, _)| state.clone()));
    }

    /// The heuristic in some direction: never below zero, zero where the search in that direction ends, and
    /// an error where it is not a number.
    #[inline]
    fn heuristic_in(&self, direction: Direction, state: &P::State) -> P::Cost {
        match direction {
            Direction::Forward => self.problem.heuristic(state),
            Direction::Backward => {
                let from = |start| self.problem.heuristic_from(start, state);
                // What is not a number stays so, as it is an error.
                let least = |a: P::Cost, b: P::Cost| if b.is_number() { smaller(a, b) } else { b };
                match &self.starts[..] {
                    [start] => from(start),
                    starts => starts.iter().map(from).reduce(least).unwrap_or(P::Cost::INFINITY),
                }
            }
        }
    }

    #[inline]
    fn is_end_of(&self, direction: Direction, state: &P::State) -> bool {
        match direction {
            Direction::Forward => self.problem.is_goal(state),
            Direction::Backward => self.starts.contains(state),
        }
    }

    /// What the heuristic of the opposite direction says; it is zero where that search ends.
    #[inline]
    fn heuristic_back(&self, state: &P::State) -> P::Cost {
        let back = self.direction.opposite();
        let h = self.heuristic_in(back, state);
        if h > P::Cost::ZERO && self.is_end_of(back, state) { P::Cost::ZERO } else { h }
    }
}

impl<P: Reversible> SearchProblem for Side<P> {
    type State = P::State;
    type Action = P::Action;
    type Cost = P::Cost;

    #[inline]
    fn successors(&self, state: &P::State, next: &mut Successors<Self>) {
        match self.direction {
            Direction::Forward => self.problem.successors(state, next),
            Direction::Backward => self.problem.predecessors(state, next),
        }
    }

    #[inline]
    fn heuristic(&self, state: &P::State) -> P::Cost {
        self.heuristic_in(self.direction, state)
    }

    #[inline]
    fn is_goal(&self, state: &P::State) -> bool {
        self.is_end_of(self.direction, state)
    }

    #[inline]
    fn prefetch(&self, state: &P::State) {
        self.problem.prefetch(state);
    }
}

/// Lists the goals as the starts of a search backwards: all that are not listed yet, unless the run is interrupted. Each
/// call lists one more at least.
#[cold]
pub(in crate::engine) fn list_goals<P, S, O>(
    core: &mut Core<S>,
    run: &mut Run<S::Cost, O>,
) -> Result<(), Halt<S::Cost>>
where
    P: Reversible,
    S: Parts<Problem = Side<P>, State = P::State>,
{
    let Core { states, starts, .. } = core;
    for goal in states.problem().problem().goals().skip(starts.len()) {
        run.memory().reserve(starts, 1)?;
        starts.push((goal, S::Cost::ZERO));
        if run.is_interrupted() {
            return Err(Halt::PAUSED);
        }
    }
    Ok(())
}

/// A search from both ends: what each half is made of follows from it.
pub trait FromBothEnds: Parts<Problem: Reversible, Order: Strategy<<Self as Parts>::Cost>> {}

impl<S: Parts<Problem: Reversible, Order: Strategy<<S as Parts>::Cost>>> FromBothEnds for S {}

/// What a half of the search is made of.
pub(super) type HalfOf<S> = With<
    Side<<S as Parts>::Problem>,
    <S as Parts>::Order,
    <S as Parts>::Table,
    Staged<<S as Parts>::Frontier, <S as Parts>::Cost>,
>;

/// The search from one end.
pub(super) struct Half<S: FromBothEnds> {
    /// What is held is the open state with the least key.
    pub(super) core: Core<HalfOf<S>>,
}

/// The cheapest path that is known: both halves of it end in the same state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Incumbent<I, C> {
    /// The id of that state in the forward and in the backward half.
    pub(super) ids: [I; 2],
    pub(super) cost: C,
}

/// Whether a half has an open state to be expanded.
pub(super) enum Found {
    Head,
    Nothing,
    /// Many entries were skipped, and the limits should be checked.
    Paused,
}

/// The most entries that are skipped before the limits are checked again.
const MOST_SKIPPED: u32 = 1 << 10;

impl<S: FromBothEnds> Half<S> {
    pub(super) fn new(
        problem: S::Problem,
        direction: Direction,
        strategy: S::Order,
        table: S::Table,
        frontier: Staged<S::Frontier, S::Cost>,
    ) -> Self {
        const { needs_parents::<S::Record>() };
        let side = Side::new(problem, direction);
        Self { core: Core::new(side, strategy, table, frontier, Vec::new()) }
    }

    /// Makes sure that the open state with the least key is the head, if there is one, apart from states that
    /// cannot be better than the incumbent, and those of which the other half, whose table this is, knows
    /// what is left of the path.
    #[inline]
    pub(super) fn find_head<O>(
        &mut self,
        other: &S::Table,
        incumbent: Option<S::Cost>,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Found, OutOfMemory> {
        let is_better = |f| incumbent.is_none_or(|cost| f < cost);
        for _ in 0..MOST_SKIPPED {
            let is_new = self.core.held.is_none();
            let head = match self.core.take(&StoreAll, run)? {
                Popped::Open(head) => head,
                Popped::Nothing => return Ok(Found::Nothing),
                Popped::Paused => return Ok(Found::Paused),
            };
            if is_better(head.f) && !(is_new && self.is_final_in(other, head.id)) {
                self.core.held = Some(head);
                return Ok(Found::Head);
            }
            self.core.states.close(head.id);
        }
        Ok(Found::Paused)
    }

    /// Whether the other half has expanded the state, and its cost there is final. Then the cheapest path by
    /// way of it is known.
    #[inline]
    fn is_final_in(&self, other: &S::Table, id: S::Id) -> bool {
        let is_closed =
            |state: &S::State| other.id_of(state).is_some_and(|id| other.load(id).is_closed());
        S::Order::IS_FINAL && self.core.states.table().with_state(id, is_closed)
    }

    /// Puts the head back into the open list.
    pub(super) fn put_head_back<O>(
        &mut self,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), OutOfMemory> {
        if let Some(head) = self.core.held {
            self.core.states.put_back(head, run)?;
            self.core.held = None;
        }
        Ok(())
    }
}

/// The policy of a half: every state that is reached is looked up in the table of the other half.
pub(super) struct Meeting<'e, S: Parts> {
    pub(super) direction: Direction,
    /// The table of the other half.
    pub(super) other: &'e S::Table,
    /// What is proved so far.
    pub(super) layer: S::Cost,
    /// Whether the starts are stored: what the opposite search has left there is nothing.
    pub(super) begins: bool,
    pub(super) record: &'e mut MeetingRecord<S::Id, S::Cost>,
}

/// What comes of looking up.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeetingRecord<I, C> {
    pub(super) incumbent: Option<Incumbent<I, C>>,
    /// The first sum of two halves that did not fit into its type.
    pub(super) overflow: Option<SearchError<C>>,
    /// The first heuristic value that is not a number.
    pub(super) fault: Option<SearchError<C>>,
    /// Whether a heuristic has shown not to be consistent where it should be.
    pub(super) is_refuted: bool,
}

impl<I, C> MeetingRecord<I, C> {
    pub(super) fn new() -> Self {
        Self { incumbent: None, overflow: None, fault: None, is_refuted: false }
    }
}

impl<S: FromBothEnds> Policy<HalfOf<S>> for Meeting<'_, S> {
    const TRAIL: Trail = Trail::Steps;
    const ASKS_OPENS: bool = true;

    #[inline]
    fn admits(&mut self, g: S::Cost, h: S::Cost) -> bool {
        match self.record.incumbent {
            Some(Incumbent { cost, .. }) => g.checked_add(h).is_none_or(|f| f < cost),
            None => true,
        }
    }

    #[inline]
    fn layer(&self, _f: S::Cost) -> S::Cost {
        self.layer
    }

    #[inline]
    fn opens(
        &mut self,
        key: TableKey<S>,
        state: &S::State,
        id: S::Id,
        g: S::Cost,
        closed_at: Option<S::Cost>,
    ) -> bool {
        let other = match self.other.find(key, state, |_| true) {
            Lookup::Improved(other) => Some((other, self.other.load(other))),
            _ => None,
        };
        if let Some((other, far)) = other {
            self.meet(id, g, other, far.g());
        }
        // With consistent heuristics, the cost of an expanded state is final.
        let is_final = S::Order::IS_FINAL && other.is_some_and(|(_, far)| far.is_closed());
        if S::Order::IS_FINAL && !is_final && closed_at.is_some_and(|before| before.exceeds(g)) {
            self.record.is_refuted = true;
        }
        // What is left of the path is known then.
        !is_final
    }

    #[inline]
    fn key(
        &mut self,
        known: Known<'_, HalfOf<S>>,
        id: S::Id,
        (g, h, f): (S::Cost, S::Cost, S::Cost),
        stats: &mut Stats,
    ) -> S::Key {
        if !S::Order::LOOKS_BACK {
            return known.order.key(g, h, f);
        }
        if self.begins {
            return known.order.key_between(g, h, f, S::Cost::ZERO);
        }
        stats.evaluated += 1;
        let back = known.table.with_state(id, |state| known.problem.heuristic_back(state));
        let back = not_negative(back).unwrap_or_else(|value| {
            self.record.fault.get_or_insert(SearchError::NotANumber { g: S::Cost::ZERO, value });
            S::Cost::ZERO
        });
        known.order.key_between(g, h, f, back)
    }
}

impl<S: Parts> Meeting<'_, S> {
    /// Both halves have reached a state, whose ids and costs these are.
    #[inline]
    fn meet(&mut self, id: S::Id, g: S::Cost, other: S::Id, far_g: S::Cost) {
        let MeetingRecord { incumbent, overflow, .. } = self.record;
        match g.checked_add(far_g) {
            Some(cost) if incumbent.is_none_or(|best| cost < best.cost) => {
                let ids = match self.direction {
                    Direction::Forward => [id, other],
                    Direction::Backward => [other, id],
                };
                *incumbent = Some(Incumbent { ids, cost });
            }
            Some(_) => {}
            None => {
                overflow.get_or_insert(SearchError::Overflow { g, added: far_g });
            }
        }
    }
}

/// Returns the path through a state that two searches have reached, one from the starts and one from the goals, by its id in
/// each.
pub(in crate::engine) fn join<P, S>(
    [forward, backward]: [&Core<S>; 2],
    ids: [S::Id; 2],
) -> Result<Option<PathOf<P>>, SearchError<P::Cost>>
where
    P: Reversible,
    S: Parts<Problem = Side<P>, State = P::State, Cost = P::Cost>,
{
    let trail_in = |core: &Core<S>, id| trail::<Side<P>, S::Table>(core.states.table(), id);
    let (there, back) = (trail_in(forward, ids[0])?, trail_in(backward, ids[1])?);
    let start_cost = there.last().map_or(P::Cost::ZERO, |&id| forward.states.record(id).g());
    let state_in = |core: &Core<S>, id| core.states.table().with_state(id, Clone::clone);
    let there = there.iter().rev().map(|&id| state_in(forward, id));
    // The trail of the backward search begins where both meet and ends at the goal.
    let back = back.iter().skip(1).map(|&id| state_in(backward, id));
    let problem = forward.states.problem().problem();
    let path = Path::through(problem, there.chain(back), start_cost)?;
    // The problem may list goals that are none.
    match path {
        Some(path) if !problem.is_goal(path.end()) => Err(PathError::NotAGoal.into()),
        path => Ok(path),
    }
}
