//! The expansion of a state: its successors, which are generated ahead of time, so that memory is fetched while other
//! states are expanded; room for them; and the relaxation of the steps to them.

use super::parts::{Parts, TableKey};
use super::policy::Policy;
use super::relaxation::{Drained, HeadOf, Relaxation};
use super::{Order, Run};
use crate::cost::Cost;
use crate::frontier::Frontier;
use crate::indexed::push;
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use crate::problem::{SearchProblem, Successor, SuccessorBuffer, Successors, generate};
use crate::report::SearchError;
use crate::table::{CacheResidency, Full, Record, StateId, Table};

/// The successors of the state that is expanded, and of some that will be soon.
///
/// In a large table nearly every lookup of a successor misses all caches and waits for memory, twice if
/// the table is hashed: for the slot, then for the entry. So that the waits overlap with
/// work on other states, the successors of a state are generated and their
/// [slots prefetched](Table::prefetch_slot) two expansions ahead, and their
/// [entries](Table::prefetch_entry) one ahead. Which states those are is only a guess, but no work is
/// lost by a wrong one: the successors are kept until the state is expanded.
///
/// Source: the software pipelining of Chen, Ailamaki, Gibbons and Mowry, *Improving Hash Join
/// Performance through Prefetching*, 2004.
pub(in crate::engine) struct Lookahead<S: Parts> {
    /// The state that is expanded, and after it those that wait for their turn.
    all: [Expansion<S>; AHEAD + 1],
}

/// How many states have their successors generated ahead of time.
const AHEAD: usize = 2;

/// The place of the state that is expanded.
const CURRENT: usize = 0;

/// Behind the last place.
const NOWHERE: usize = AHEAD + 1;

impl<S: Parts> Lookahead<S> {
    pub(in crate::engine) fn new() -> Self {
        Self { all: [Expansion::new(), Expansion::new(), Expansion::new()] }
    }

    /// Expands an open state, wholly or, if there is no room for its successors, not at all.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once in the loop of each engine")]
    pub(in crate::engine) fn expand<O: Observer<S::State, S::Cost>, Y: Policy<S>>(
        &mut self,
        states: &mut Relaxation<S>,
        head: &HeadOf<S>,
        policy: &mut Y,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Result<(), Full>, SearchError<S::Cost>> {
        let id = head.id;
        let residency = states.table().residency();
        let looks_ahead = residency == CacheResidency::Scattered;
        let count = self.turn_to(id, looks_ahead, states.problem(), states.table());
        let room = match self.make_room(looks_ahead, run.memory()) {
            Ok(has_grown) => {
                if has_grown {
                    states.note_action(&self.all[CURRENT].successors);
                }
                states.make_room(count, run)
            }
            Err(full) => Err(full.into()),
        };
        let room = room.and_then(|()| Ok(policy.make_room(states, id, count, run.memory())?));
        let room = room.and_then(|()| Ok(run.begin_layer(policy.layer(head.f))?));
        if room.is_err() {
            return Ok(room);
        }
        let record = states.begin_expansion(id, count as u64, run);
        policy.expands(states.order(), head);
        let parent = (id, record.g());
        if looks_ahead {
            self.prefetch(states, run.memory());
            self.relax_fetched(states, parent, None, policy, run)?;
        } else {
            // Those that wait may be expanded without it.
            self.clear();
            if residency == CacheResidency::Local || states.is_large_graph() {
                states.prefetch_next();
            }
            let steps = Drained(self.all[CURRENT].successors.drain());
            states.relax(parent, count, steps, policy, run)?;
        }
        Ok(Ok(()))
    }

    /// Stores the first of the starts that are left, as a successor of no state, if there is room for all of them.
    #[cold]
    pub(in crate::engine) fn store_start<O: Observer<S::State, S::Cost>, Y: Policy<S>>(
        &mut self,
        states: &mut Relaxation<S>,
        left: &[(S::State, S::Cost)],
        policy: &mut Y,
        run: &mut Run<S::Cost, O>,
    ) -> Result<Result<(), Full>, SearchError<S::Cost>> {
        if let Err(full) = states.make_room(left.len(), run) {
            return Ok(Err(full));
        }
        states.order().validate()?;
        self.all[CURRENT].successors.clear();
        let duplicates = run.stats.duplicates;
        let parent = (StateId::NONE, S::Cost::ZERO);
        self.relax_fetched(states, parent, left.first(), policy, run)?;
        // Starts are given, not generated.
        run.stats.duplicates = duplicates;
        Ok(Ok(()))
    }

    /// Relaxes the steps to the successors, whose keys are made, and to a start. In a function of its own, so that the
    /// loop need not be there a second time for the starts.
    #[inline(never)]
    fn relax_fetched<O: Observer<S::State, S::Cost>, Y: Policy<S>>(
        &mut self,
        states: &mut Relaxation<S>,
        parent: (S::Id, S::Cost),
        mut start: Option<&(S::State, S::Cost)>,
        policy: &mut Y,
        run: &mut Run<S::Cost, O>,
    ) -> Result<(), SearchError<S::Cost>> {
        let Expansion { successors, keys, .. } = &mut self.all[CURRENT];
        let count = successors.len() + usize::from(start.is_some());
        let (mut steps, mut keys) = (successors.drain(), keys.iter());
        let steps = || match steps.next() {
            Some(Successor { state, cost, .. }) => Some((state, cost, keys.next().copied())),
            None => start.take().map(|(state, cost)| (state.clone(), *cost, None)),
        };
        states.relax(parent, count, steps, policy, run)
    }

    /// Removes all successors; the memory stays.
    pub(in crate::engine) fn clear(&mut self) {
        let [_, first, second] = &mut self.all;
        (first.id, second.id) = (StateId::NONE, StateId::NONE);
    }

    /// Removes all successors for a new search; the memory stays that is in the account. (There is more after a panic of the problem.)
    pub(in crate::engine) fn restart(&mut self) {
        self.clear();
        for expansion in &mut self.all {
            expansion.successors.keep_within(expansion.bytes);
        }
    }

    /// Turns to the state that is expanded now, and returns how many successors it has. Without lookahead,
    /// nothing was generated ahead of time.
    #[inline]
    fn turn_to(
        &mut self,
        id: S::Id,
        looks_ahead: bool,
        problem: &S::Problem,
        table: &S::Table,
    ) -> usize {
        let at = if looks_ahead { self.waits_at(id) } else { NOWHERE };
        if at < NOWHERE {
            self.all.swap(CURRENT, at);
        } else {
            self.all[CURRENT].generate(id, problem, table);
        }
        // It does not wait any more.
        self.all[CURRENT].id = StateId::NONE;
        self.all[CURRENT].successors.len()
    }

    /// The place of this state among those that wait, `NOWHERE` if it does not.
    #[inline]
    fn waits_at(&self, id: S::Id) -> usize {
        let mut at = CURRENT + 1;
        while at < NOWHERE && self.all[at].id != id {
            at += 1;
        }
        at
    }

    /// Accounts for the successors, and makes room for their keys if it looks ahead. Returns whether the successors take more
    /// memory than before.
    #[inline]
    fn make_room(&mut self, looks_ahead: bool, memory: &mut Memory) -> Result<bool, OutOfMemory> {
        let current = &mut self.all[CURRENT];
        if looks_ahead { current.make_room(memory) } else { current.account(memory) }
    }

    /// Prefetches what is needed for the successors, and for those of the states that come next.
    #[inline(never)]
    fn prefetch(&mut self, states: &Relaxation<S>, memory: &mut Memory) {
        let current = &mut self.all[CURRENT];
        // This state was not predicted, so its slots are not prefetched yet. The entries are not prefetched: that would wait for all slots
        // here, and most of these are vacant.
        if current.keys.len() < current.successors.len() {
            current.prefetch_slots(states.table());
        }
        self.prefetch_for_next(states, memory);
    }

    fn prefetch_for_next(&mut self, states: &Relaxation<S>, memory: &mut Memory) {
        let (problem, table, frontier) = (states.problem(), states.table(), states.frontier());
        for ahead in 0..AHEAD {
            let Some(id) = frontier.peek_hint(ahead) else { return };
            let (made, free) = (self.waits_at(id), self.waits_at(StateId::NONE));
            if let Some(made) = self.all.get_mut(made) {
                if ahead == 0 && !made.has_entries {
                    made.prefetch_entries(table);
                }
            } else if let Some(free) = self.all.get_mut(free) {
                let record = table.load(id);
                if record.is_closed() {
                    continue;
                }
                free.generate(id, problem, table);
                if free.make_room(memory).is_err() {
                    // They are generated again when their turn has come, if there is room then.
                    free.id = StateId::NONE;
                    return;
                }
                free.prefetch_slots(table);
            }
        }
        if let Some(id) = frontier.peek_hint(AHEAD) {
            table.with_state(id, |state| problem.prefetch(state));
        }
        if let Some(id) = frontier.peek_hint(AHEAD + 1) {
            table.prefetch(id);
        }
    }
}

/// The successors of one state.
struct Expansion<S: Parts> {
    /// The state that waits for its turn, or `NONE`.
    id: S::Id,
    successors: Successors<S::Problem>,
    /// The bytes of the successors that are accounted for.
    bytes: usize,
    /// The keys of the successors; empty while they are not made.
    keys: Vec<TableKey<S>>,
    /// Whether the entries are prefetched.
    has_entries: bool,
}

impl<S: Parts> Expansion<S> {
    fn new() -> Self {
        Self {
            id: StateId::NONE,
            successors: SuccessorBuffer::new(),
            bytes: 0,
            keys: Vec::new(),
            has_entries: false,
        }
    }

    /// Generates the successors of a state.
    #[inline]
    fn generate(&mut self, id: S::Id, problem: &S::Problem, table: &S::Table) {
        self.has_entries = false;
        self.keys.clear();
        self.successors.clear();
        table.with_state(id, |state| generate(problem, state, &mut self.successors));
        // Only now: if the problem panics, there is nothing to be used.
        self.id = id;
    }

    /// Accounts for the successors. Returns whether they take more memory than before.
    #[inline]
    fn account(&mut self, memory: &mut Memory) -> Result<bool, OutOfMemory> {
        self.successors.count(&mut self.bytes, memory)
    }

    /// The same, and makes room for their keys.
    #[inline]
    fn make_room(&mut self, memory: &mut Memory) -> Result<bool, OutOfMemory> {
        let has_grown = self.account(memory)?;
        let missing = self.successors.len() - self.keys.len();
        memory.reserve(&mut self.keys, missing)?;
        Ok(has_grown)
    }

    /// Makes the keys of the successors, for which there must be room, and prefetches their slots.
    #[inline]
    fn prefetch_slots(&mut self, table: &S::Table) {
        self.keys.clear();
        for successor in self.successors.as_slice() {
            let key = table.key(&successor.state);
            table.prefetch_slot(key);
            push(&mut self.keys, key);
        }
    }

    /// Prefetches what the slots of the successors refer to.
    #[inline]
    fn prefetch_entries(&mut self, table: &S::Table) {
        for &key in &self.keys {
            table.prefetch_entry(key);
        }
        self.has_entries = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ByF;
    use crate::engine::parts::With;
    use crate::frontier::{BucketQueue, Priority};
    use crate::problem::FnProblem;
    use crate::table::{EstimateRecord, HashedTable};

    type Known = HashedTable<u64, EstimateRecord<u32>>;
    type Of<P> = With<P, ByF, Known, BucketQueue<Priority<u32>>>;

    #[test]
    fn what_is_held_is_in_the_account() {
        fn check<P: SearchProblem<State = u64, Cost = u32>>(problem: &P) {
            let mut memory = Memory::new(usize::MAX);
            let mut table = Known::default();
            table.reserve(3, &mut memory).unwrap();
            for (place, state) in [3, 100, 40].into_iter().enumerate() {
                let record = EstimateRecord::new(0, 0, StateId::NONE);
                table.insert(table.key(&state), place, state, record);
            }
            let of_table = memory.held();
            let mut expansion: Expansion<Of<P>> = Expansion::new();
            for id in 0..3 {
                expansion.generate(id, problem, &table);
                expansion.make_room(&mut memory).unwrap();
                let keys = expansion.keys.capacity() * size_of::<u64>();
                assert!(expansion.successors.len() >= 3);
                assert_eq!(memory.held(), of_table + expansion.successors.bytes() + keys);
            }
            // What there is no room for is not held.
            let mut memory = Memory::new(memory.held());
            expansion.successors.list().reserve(1_000);
            assert!(expansion.make_room(&mut memory).is_err());
            assert_eq!((memory.held(), expansion.bytes, expansion.successors.bytes()), (0, 0, 0));
        }
        let problem = FnProblem::new(
            |&n: &u64| (0..n).map(|successor| (successor, 1_u32)),
            |_: &u64| 0,
            |_: &u64| false,
        );
        check(&problem);
    }
}
