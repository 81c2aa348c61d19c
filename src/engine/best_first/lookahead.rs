//! Making successors before it is their turn, while memory fetches what is needed for others.

use super::relaxation::{KeyOf, Relaxation};
use crate::frontier::Frontier;
use crate::limits::{Memory, OutOfMemory};
use crate::problem::{SearchProblem, Successor, SuccessorBuffer, Successors};
use crate::table::{NO_STATE, StateId, Table};

/// The successors of the state that is expanded, and of some that will be soon.
///
/// In a large table nearly every successor is somewhere that no cache holds, and to look it up one waits
/// for memory, twice if it is hashed: for its place in the table, then for the entry. So that the waits
/// overlap with the work on other states, the successors of a state are made and
/// [fetched](Table::fetch) two expansions ahead, and [approached](Table::approach) one ahead.
/// It is only a guess which states those are, but no work is lost by a wrong one: the successors of a
/// state stay the same, and are kept until it is expanded.
///
/// Source: the software pipelining of Chen, Ailamaki, Gibbons and Mowry, *Improving Hash Join
/// Performance through Prefetching*, 2004.
pub(super) struct Lookahead<P: SearchProblem, T: Table<P>> {
    current: Expansion<P, T>,
    waiting: [Expansion<P, T>; AHEAD],
}

/// One of the successors.
type SuccessorOf<P> = Successor<
    <P as SearchProblem>::State,
    <P as SearchProblem>::Action,
    <P as SearchProblem>::Cost,
>;

/// So many states have their successors made ahead of time.
const AHEAD: usize = 2;

impl<P: SearchProblem, T: Table<P>> Lookahead<P, T> {
    pub(super) fn new() -> Self {
        Self { current: Expansion::new(), waiting: std::array::from_fn(|_| Expansion::new()) }
    }

    /// Forgets all successors; the memory stays.
    pub(super) fn clear(&mut self) {
        for expansion in &mut self.waiting {
            expansion.id = NO_STATE;
        }
    }

    /// Turns to the state that is expanded now, and returns how many successors it has. Where it does
    /// not look ahead, nothing was made ahead of time.
    #[inline]
    pub(super) fn turn_to(
        &mut self,
        id: StateId,
        looks_ahead: bool,
        problem: &P,
        table: &T,
    ) -> usize {
        let made = self.waiting.iter_mut().find(|expansion| looks_ahead && expansion.id == id);
        match made {
            Some(made) => std::mem::swap(&mut self.current, made),
            None => self.current.make(id, problem, table),
        }
        // It waits for nothing any more.
        self.current.id = NO_STATE;
        self.current.successors.len()
    }

    /// Accounts for its successors, and makes room for their keys if it looks ahead.
    #[inline]
    pub(super) fn make_room(
        &mut self,
        looks_ahead: bool,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        if looks_ahead { self.current.make_room(memory) } else { self.current.account(memory) }
    }

    /// The successors of the state.
    #[inline]
    pub(super) fn successors(&mut self) -> &mut Vec<SuccessorOf<P>> {
        self.current.successors.list()
    }

    /// The same with their keys, after they were announced.
    #[inline]
    pub(super) fn announced(
        &mut self,
    ) -> (&mut Vec<SuccessorOf<P>>, impl Iterator<Item = KeyOf<T::Key>>) {
        let Expansion { successors, keys, .. } = &mut self.current;
        (successors.list(), keys.iter().copied())
    }

    /// In a large table: has memory fetch what is needed for the successors, and for those of the states
    /// that come next.
    #[inline(never)]
    pub(super) fn announce<F: Frontier<P::Cost>>(
        &mut self,
        grandparent: StateId,
        states: &Relaxation<P, T, F>,
        memory: &mut Memory,
    ) {
        let Relaxation { problem, table, .. } = states;
        let current = &mut self.current;
        // A cheaper way may have been found to the state since they were announced.
        if current.keys.len() < current.successors.len() || current.grandparent != grandparent {
            current.announce(problem, table, grandparent);
        }
        if !current.is_approached {
            current.approach(table);
        }
        self.look_far(states, memory);
    }

    fn look_far<F: Frontier<P::Cost>>(
        &mut self,
        states: &Relaxation<P, T, F>,
        memory: &mut Memory,
    ) {
        let Relaxation { problem, table, frontier, .. } = states;
        for ahead in 0..AHEAD {
            let Some(id) = frontier.coming(ahead) else { return };
            if let Some(made) = self.waiting.iter_mut().find(|expansion| expansion.id == id) {
                if ahead == 0 && !made.is_approached {
                    made.approach(table);
                }
            } else if let Some(free) = self.waiting.iter_mut().find(|made| made.id == NO_STATE) {
                let node = table.node(id);
                if node.is_closed() {
                    continue;
                }
                free.make(id, problem, table);
                if free.make_room(memory).is_err() {
                    // They are made when their turn has come, if there is room then.
                    free.give_back(memory);
                    return;
                }
                free.announce(problem, table, node.parent());
            }
        }
        if let Some(id) = frontier.coming(AHEAD) {
            table.with_state(problem, id, |state| problem.prefetch(state));
        }
        if let Some(id) = frontier.coming(AHEAD + 1) {
            table.prefetch(id);
        }
    }
}

/// The successors of one state.
struct Expansion<P: SearchProblem, T: Table<P>> {
    /// The state that waits for its turn; `NO_STATE` where there is none.
    id: StateId,
    successors: Successors<P>,
    /// Of the successors, as far as they are accounted for.
    bytes: usize,
    /// What the table finds them by; empty while they are not announced.
    keys: Vec<KeyOf<T::Key>>,
    /// The parent of the state when they were announced.
    grandparent: StateId,
    is_approached: bool,
}

impl<P: SearchProblem, T: Table<P>> Expansion<P, T> {
    fn new() -> Self {
        Self {
            id: NO_STATE,
            successors: SuccessorBuffer::new(),
            bytes: 0,
            keys: Vec::new(),
            grandparent: NO_STATE,
            is_approached: false,
        }
    }

    /// Makes the successors of a state.
    #[inline]
    fn make(&mut self, id: StateId, problem: &P, table: &T) {
        self.is_approached = false;
        self.keys.clear();
        self.successors.clear();
        let push = |state: &P::State| problem.successors(state, &mut self.successors);
        table.with_state(problem, id, push);
        // Only now: where the problem panics, there is nothing to be used.
        self.id = id;
    }

    /// Accounts for the successors.
    #[inline]
    fn account(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let bytes = self.successors.bytes();
        if bytes > self.bytes {
            memory.claim(bytes - self.bytes)?;
            self.bytes = bytes;
        }
        Ok(())
    }

    /// The same, and makes room for their keys.
    #[inline]
    fn make_room(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.account(memory)?;
        let missing = self.successors.len() - self.keys.len();
        memory.reserve(&mut self.keys, missing)
    }

    /// Forgets the successors and gives their memory back.
    #[cold]
    fn give_back(&mut self, memory: &mut Memory) {
        self.id = NO_STATE;
        self.successors = SuccessorBuffer::new();
        memory.release(std::mem::take(&mut self.bytes));
        memory.free(std::mem::take(&mut self.keys));
    }

    /// Has the places of the successors fetched, for whose keys there must be room.
    #[inline]
    fn announce(&mut self, problem: &P, table: &T, grandparent: StateId) {
        self.grandparent = grandparent;
        self.keys.clear();
        let key_of = |state: &P::State| {
            let key = table.key(problem, state);
            table.fetch(key);
            KeyOf::Made(key)
        };
        let states = self.successors.as_slice().iter().map(|successor| &successor.state);
        if grandparent == NO_STATE {
            self.keys.extend(states.map(key_of));
        } else {
            table.with_state(problem, grandparent, |back| {
                let key_of = |state| if state == back { KeyOf::Back } else { key_of(state) };
                self.keys.extend(states.map(key_of));
            });
        }
    }

    /// Has what the places of the successors lead to fetched.
    #[inline]
    fn approach(&mut self, table: &T) {
        for &key in &self.keys {
            if let KeyOf::Made(key) = key {
                table.approach(key);
            }
        }
        self.is_approached = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FnProblem;
    use crate::table::{HashedTable, Node};

    #[test]
    fn what_is_held_is_in_the_account_until_it_is_given_back() {
        fn check<P: SearchProblem<State = u64, Cost = u32>>(problem: &P) {
            let mut memory = Memory::new(usize::MAX);
            let mut table = HashedTable::<u64, u32>::default();
            Table::<P>::reserve(&mut table, problem, 3, &mut memory).unwrap();
            for (place, state) in [3, 100, 40].into_iter().enumerate() {
                let key = Table::<P>::key(&table, problem, &state);
                Table::<P>::insert(&mut table, key, place, state, Node::new(0, 0, NO_STATE));
            }
            let of_table = memory.held();
            let mut expansion: Expansion<P, HashedTable<u64, u32>> = Expansion::new();
            for id in 0..3 {
                expansion.make(id, problem, &table);
                expansion.make_room(&mut memory).unwrap();
                let keys = expansion.keys.capacity() * size_of::<KeyOf<u64>>();
                assert!(expansion.successors.len() >= 3);
                assert_eq!(memory.held(), of_table + expansion.successors.bytes() + keys);
            }
            expansion.give_back(&mut memory);
            assert_eq!((memory.held(), expansion.successors.bytes()), (of_table, 0));
            assert_eq!((expansion.id, expansion.keys.capacity()), (NO_STATE, 0));
        }
        let problem = FnProblem::new(
            |&n: &u64| (0..n).map(|successor| (successor, 1_u32)),
            |_: &u64| 0,
            |_: &u64| false,
        );
        check(&problem);
    }
}
