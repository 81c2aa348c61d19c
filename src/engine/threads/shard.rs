//! [`Shard`]: the states that one owner stores and expands.

use super::horizon::Horizon;
use super::ids::Place;
use crate::cost::{Cost, larger};
use crate::engine::halt::Halt;
use crate::engine::parts::{Parts, TableKey};
use crate::engine::policy::StoreAll;
use crate::engine::relaxation::{Head, HeadOf, Popped, Relaxation, needs_parents};
use crate::engine::{Order, Run};
use crate::frontier::{Frontier, Key};
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::{SearchProblem, SuccessorBuffer, Successors, generate};
use crate::report::SearchError;
use crate::table::{Full, Record, StateId, Table};

/// A state on its way to its owner: reached at cost `g` from the state with the global id `parent`.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Arrival<S, C, I> {
    pub(in crate::engine) state: S,
    pub(in crate::engine) g: C,
    pub(in crate::engine) parent: I,
}

/// An arrival of a search.
pub(in crate::engine) type ArrivalOf<S> =
    Arrival<<S as Parts>::State, <S as Parts>::Cost, <S as Parts>::Id>;

/// How a shard came to the end of what it was told to do, or why it did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Ended {
    /// It is done.
    Done,
    /// It may expand no more states.
    Cut,
    /// It was told to halt.
    Halted,
    /// There is no room. It goes on where it stopped.
    Full(Full),
}

impl From<OutOfMemory> for Ended {
    fn from(full: OutOfMemory) -> Self {
        Self::Full(full.into())
    }
}

/// The states of one owner: a relaxation loop over a table and a frontier of its own.
///
/// It [takes in](Self::take_in) states that arrive, and [expands](Self::expand) its open states; the successors
/// wait in [outboxes](Self::outboxes), one for each owner, itself included. It knows nothing of the other shards
/// but how many there are, and nothing of threads: what it does depends only on the calls.
///
/// A goal is not expanded. The shard keeps the one with the least key, and expands no state whose key does not
/// precede it.
pub(in crate::engine) struct Shard<S: Parts> {
    states: Relaxation<S>,
    /// What it counts, and its account of memory.
    run: Run<S::Cost, ()>,
    place: Place,
    outboxes: Vec<Vec<ArrivalOf<S>>>,
    /// Each outbox has room for at least this many more.
    room: usize,
    successors: Successors<S::Problem>,
    /// The bytes of the successors that are accounted for.
    bytes: usize,
    /// The keys of the states that are taken in next.
    keys: Vec<TableKey<S>>,
    /// The state that is expanded next.
    next: Option<HeadOf<S>>,
    /// A state beyond the horizon or the limit on the cost. It goes back into the frontier in the next round.
    held: Option<HeadOf<S>>,
    /// The goal with the least key so far.
    goal: Option<(S::Id, S::Key)>,
    /// The largest f of the states expanded since it was asked for last.
    largest_f: Option<S::Cost>,
    /// Grows whenever states are taken in or taken out of the frontier.
    moves: u64,
    /// The states that were expanded since the list was taken last, with their g, if they are to be listed.
    pub(in crate::engine) expanded: Vec<(S::Id, S::Cost)>,
    lists: bool,
}

/// The slots of up to this many arrivals are prefetched together, so that the processor waits for all of them at once.
const GROUP: usize = 256;

/// The entry of the arrival that is taken in this many later is prefetched.
const AHEAD_IN_GROUP: usize = 16;

/// The state that is expanded this many expansions later is prefetched, and what the problem needs for a nearer one.
const AHEAD: usize = 6;
const NEAR: usize = 2;

impl<S: Parts> Shard<S> {
    /// A shard without states. The table and the frontier are empty.
    pub(in crate::engine) fn new(
        problem: S::Problem,
        order: S::Order,
        table: S::Table,
        frontier: S::Frontier,
        place: Place,
    ) -> Self {
        const { needs_parents::<S::Record>() };
        Self {
            states: Relaxation::new(problem, order, table, frontier),
            run: Run::new(Limits::new(), ()),
            place,
            outboxes: (0..place.shards).map(|_| Vec::new()).collect(),
            room: 0,
            successors: SuccessorBuffer::new(),
            bytes: 0,
            keys: Vec::new(),
            next: None,
            held: None,
            goal: None,
            largest_f: None,
            moves: 0,
            expanded: Vec::new(),
            lists: false,
        }
    }

    /// Removes all states; the memory stays.
    pub(in crate::engine) fn clear(&mut self) {
        self.states.clear();
        self.run.begin_anew();
        self.outboxes.iter_mut().for_each(Vec::clear);
        self.successors.keep_within(self.bytes);
        self.room = 0;
        (self.next, self.held, self.goal, self.largest_f) = (None, None, None, None);
        self.expanded.clear();
    }

    /// Replaces the problem; the shard is [cleared](Self::clear) before or after it.
    pub(in crate::engine) fn set_problem(&mut self, problem: S::Problem) {
        self.states.set_problem(problem);
    }

    /// Whether the states that are expanded are listed.
    pub(in crate::engine) fn list_expanded(&mut self, lists: bool) {
        self.lists = lists;
    }

    /// Takes in states that arrive, list by list, of each the last first, until none is left.
    ///
    /// # Errors
    ///
    /// A [`SearchError`] of the heuristic.
    pub(in crate::engine) fn take_in(
        &mut self,
        lists: &mut [Vec<ArrivalOf<S>>],
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Ended, SearchError<S::Cost>> {
        let mut first = 0;
        loop {
            while lists.get(first).is_some_and(Vec::is_empty) {
                first += 1;
            }
            let count = lists[first..].iter().map(Vec::len).sum::<usize>().min(GROUP);
            if count == 0 {
                return Ok(Ended::Done);
            }
            if let Err(full) = self.make_room_for(count) {
                return Ok(Ended::Full(full));
            }
            let Self { states, run, keys, moves, .. } = self;
            *moves += 1;
            let table = states.table();
            keys.clear();
            let arrivals = lists[first..].iter().flat_map(|list| list.iter().rev());
            keys.extend(arrivals.take(count).map(|arrival| {
                let key = table.key(&arrival.state);
                table.prefetch_slot(key);
                key
            }));
            keys.iter().take(AHEAD_IN_GROUP).for_each(|&key| table.prefetch_entry(key));
            for place in 0..count {
                if !goes_on() {
                    return Ok(Ended::Halted);
                }
                if let Some(&key) = keys.get(place + AHEAD_IN_GROUP) {
                    states.table().prefetch_entry(key);
                }
                while lists.get(first).is_some_and(Vec::is_empty) {
                    first += 1;
                }
                let arrival = lists.get_mut(first).and_then(Vec::pop);
                let Some(Arrival { state, g, parent }) = arrival else { break };
                states.take_in((keys[place], state), g, parent, &mut StoreAll, run)?;
            }
        }
    }

    /// Makes room for `count` arrivals.
    fn make_room_for(&mut self, count: usize) -> Result<(), Full> {
        if self.states.table().len() + count > self.place.most_states::<S::Id>() {
            return Err(Full::Ids { most: S::Id::NONE.to_u64() });
        }
        self.run.memory().reserve(&mut self.keys, GROUP)?;
        self.states.make_room(count, &mut self.run)
    }

    /// Puts the state that is held back into the frontier.
    pub(in crate::engine) fn begin_round(&mut self) -> Result<(), OutOfMemory> {
        if let Some(head) = self.held {
            self.states.put_back(head, &mut self.run)?;
            self.held = None;
        }
        Ok(())
    }

    /// Expands states within the horizon in their order, at most `quota`, which is lowered by what it has expanded,
    /// and of these at most `most` now.
    ///
    /// # Errors
    ///
    /// A [`SearchError`] of a step.
    pub(in crate::engine) fn expand(
        &mut self,
        (quota, most): (&mut u64, u64),
        horizon: &Horizon<S::Key>,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Ended, SearchError<S::Cost>> {
        // Also where nothing may be expanded: no round leaves a state without a place.
        if let Err(full) = self.states.settle(&mut self.run) {
            return Ok(Ended::from(full));
        }
        let mut left = most;
        while *quota > 0 {
            if !goes_on() {
                return Ok(Ended::Halted);
            }
            let Head { id, key, f } = match self.take_next(horizon, &mut goes_on) {
                Ok(Some(next)) => next,
                Ok(None) => return Ok(Ended::Done),
                Err(ended) => return Ok(ended),
            };
            let ended = if self.run.exceeds_cost_limit(f) {
                if S::Order::IS_BY_F {
                    // All others cost as much at least.
                    self.held = self.next.take();
                    return Ok(Ended::Done);
                }
                self.states.set_aside(id, &mut self.run).map_err(Full::from)
            } else if self.states.is_goal(id) {
                self.note_goal(id, key).map_err(Full::from)
            } else if left == 0 {
                return Ok(Ended::Cut);
            } else {
                let expanded = self.expand_state(id, f);
                // One in which a step is wrong counts, too.
                if !matches!(expanded, Ok(Err(_))) {
                    left -= 1;
                    *quota -= 1;
                }
                expanded?
            };
            match ended {
                Ok(()) => self.next = None,
                Err(full) => return Ok(Ended::Full(full)),
            }
        }
        Ok(Ended::Done)
    }

    /// The next open state within the horizon, which stays in `next`.
    #[inline]
    fn take_next(
        &mut self,
        horizon: &Horizon<S::Key>,
        goes_on: &mut impl FnMut() -> bool,
    ) -> Result<Option<HeadOf<S>>, Ended> {
        if self.next.is_some() {
            return Ok(self.next);
        }
        if self.held.is_some() {
            return Ok(None);
        }
        let limit = self.goal.map(|(_, key)| key);
        let is_within =
            |key: &S::Key| horizon.reaches(key) && limit.is_none_or(|limit| key.precedes(&limit));
        let Some(bound) = self.states.frontier_mut().bound(self.run.memory())? else {
            return Ok(None);
        };
        if !is_within(&bound) {
            return Ok(None);
        }
        loop {
            self.moves += 1;
            match self.states.take_next(&StoreAll, &mut self.run)? {
                Popped::Open(head) => {
                    if is_within(&head.key) {
                        self.next = Some(head);
                    } else {
                        // The entries before it were stale.
                        self.held = Some(head);
                    }
                    return Ok(self.next);
                }
                // Many entries were stale.
                Popped::Paused if goes_on() => {}
                Popped::Paused => return Err(Ended::Halted),
                Popped::Nothing => return Ok(None),
            }
        }
    }

    /// Keeps a goal whose key precedes that of the goal that was kept before.
    fn note_goal(&mut self, id: S::Id, key: S::Key) -> Result<(), OutOfMemory> {
        if let Some((before, _)) = self.goal.filter(|&(before, _)| before != id) {
            self.states.set_aside(before, &mut self.run)?;
        }
        self.goal = Some((id, key));
        Ok(())
    }

    /// Expands an open state, wholly or not at all.
    #[inline]
    fn expand_state(
        &mut self,
        id: S::Id,
        f: S::Cost,
    ) -> Result<Result<(), Full>, SearchError<S::Cost>> {
        let Self { states, run, place, outboxes, successors, .. } = self;
        for (ahead, is_near) in [(AHEAD, false), (NEAR, true)] {
            if let Some(id) = states.frontier().peek_hint(ahead) {
                if is_near {
                    states.table().with_state(id, |state| states.problem().prefetch(state));
                } else {
                    states.table().prefetch(id);
                }
            }
        }
        successors.clear();
        states.table().with_state(id, |state| generate(states.problem(), state, successors));
        let count = successors.len();
        if let Err(full) = successors.count(&mut self.bytes, run.memory()) {
            return Ok(Err(full.into()));
        }
        if self.room < count {
            self.room = 0;
            let mut room = usize::MAX;
            for outbox in &mut *outboxes {
                if let Err(full) = run.memory().reserve(outbox, count) {
                    return Ok(Err(full.into()));
                }
                room = room.min(outbox.capacity() - outbox.len());
            }
            self.room = room;
        }
        if self.lists
            && let Err(full) = run.memory().reserve(&mut self.expanded, 1)
        {
            return Ok(Err(full.into()));
        }
        // One layer: which are expanded when is known to all shards together only.
        if let Err(full) = run.begin_layer::<S::State>(S::Cost::ZERO) {
            return Ok(Err(full.into()));
        }
        let g = states.begin_expansion(id, count as u64, run).g();
        if self.lists {
            self.expanded.push((id, g));
        }
        self.largest_f = Some(self.largest_f.map_or(f, |largest| larger(largest, f)));
        self.room -= count;
        let parent = place.global(id);
        for successor in successors.drain() {
            let Some(g) = states.cost_from(id, (g, successor.cost), run)? else { continue };
            let owner = place.owner_of(&successor.state);
            outboxes[owner].push(Arrival { state: successor.state, g, parent });
        }
        Ok(Ok(()))
    }

    /// The successors of the states expanded so far, by their owners.
    pub(in crate::engine) fn outboxes(&self) -> &[Vec<ArrivalOf<S>>] {
        &self.outboxes
    }

    /// The list of those for one owner, in exchange for an empty list.
    pub(in crate::engine) fn swap_outbox(&mut self, owner: usize, list: &mut Vec<ArrivalOf<S>>) {
        self.room = 0;
        std::mem::swap(&mut self.outboxes[owner], list);
    }

    /// A key that no open state precedes; `None` if there are none. Goals that were noted do not count, nor do
    /// states that were set aside.
    pub(in crate::engine) fn bound(&mut self) -> Result<Option<S::Key>, OutOfMemory> {
        let taken_out = self.held.or(self.next).map(|head| head.key);
        self.states.bound(taken_out, &mut self.run)
    }

    /// Whether every open state costs more than is allowed, by what was seen in this round, in orders by f.
    pub(in crate::engine) fn is_barred(&self) -> bool {
        S::Order::IS_BY_F && self.held.is_some_and(|head| self.run.exceeds_cost_limit(head.f))
    }

    /// The goal with the least key so far.
    pub(in crate::engine) fn goal(&self) -> Option<(S::Id, S::Key)> {
        self.goal
    }

    /// The largest f of the states expanded since it was asked for last.
    pub(in crate::engine) fn take_largest_f(&mut self) -> Option<S::Cost> {
        self.largest_f.take()
    }

    /// The least f of all open states, goals included. Takes one pass over the open states.
    pub(in crate::engine) fn least_open_f(&self) -> Option<S::Cost> {
        let goal = self.goal.map(|(id, _)| id);
        let taken_out =
            [self.next, self.held].into_iter().flatten().map(|head| head.id).chain(goal);
        let f_of = |id| self.states.f_of(id, &self.states.record(id));
        let least = self.states.least_open_f();
        taken_out.filter_map(f_of).chain(least).reduce(crate::cost::smaller)
    }

    pub(in crate::engine) fn states(&self) -> &Relaxation<S> {
        &self.states
    }

    pub(in crate::engine) fn states_mut(&mut self) -> &mut Relaxation<S> {
        &mut self.states
    }

    /// What it has counted, and its limit on the cost.
    pub(in crate::engine) fn run(&mut self) -> &mut Run<S::Cost, ()> {
        &mut self.run
    }

    /// Puts the states that were set aside back into the frontier if any of them is within the limit on the cost:
    /// whether one was; `None` if none was set aside.
    ///
    /// A goal that was noted under another limit, and costs more than this one allows, is set aside before: in orders that are
    /// not by f it ends no search, as states whose keys it precedes may lead to a goal within the limit.
    ///
    /// # Errors
    ///
    /// Where there is no room, or it does not go on; the next call goes on with the rest.
    pub(in crate::engine) fn recall_aside(
        &mut self,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Option<bool>, Halt<S::Cost>> {
        if !S::Order::IS_BY_F
            && let Some((goal, _)) = self.goal
            && self.run.exceeds_cost_limit(self.states.record(goal).g())
        {
            self.states.set_aside(goal, &mut self.run)?;
            self.goal = None;
        }
        if !self.states.is_recalling() {
            match self.states.sift_aside(&StoreAll, |_| true, &self.run) {
                Some(true) => self.states.begin_recall(),
                none_or_too_dear => return Ok(none_or_too_dear),
            }
        }
        while !self.states.recall_some(&mut StoreAll, &mut self.run)? {
            if !goes_on() {
                return Err(Halt::PAUSED);
            }
        }
        Ok(Some(true))
    }

    /// Its account of memory.
    pub(in crate::engine) fn memory_account(&self) -> &Memory {
        self.run.budget.memory_account()
    }

    /// Grows whenever states are taken in or taken out of the frontier.
    pub(in crate::engine) fn moves(&self) -> u64 {
        self.moves
    }

    /// What it has counted.
    pub(in crate::engine) fn counts(&self) -> &crate::report::Stats {
        &self.run.stats
    }
}
