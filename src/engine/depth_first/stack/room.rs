//! The memory of the stack.

use super::duplicates::Backup;
use super::{Entry, NOWHERE, Stack};
use crate::cost::Cost;
use crate::engine::depth_first::{Expander, TranspositionTable};
use crate::memory::{Memory, OutOfMemory};
use crate::problem::SearchProblem;

/// How many slots there are from the start, if memory allows.
const FIRST_SLOTS: usize = 20;

impl<P: SearchProblem, W: Expander<P>> Stack<P, W> {
    /// Whether the next state can be entered and expanded without more memory.
    #[inline]
    pub(in crate::engine::depth_first) fn has_room(&self) -> bool {
        self.slots.len() - self.len() >= self.spare
            && !self.duplicates.is_full
            && self.has_room_to_recurse()
            && self.expander.bytes() <= self.expander_bytes
            && (self.table_bytes == 0 || self.duplicates.backups.len() == self.slots.len())
    }

    /// From now on, there is room only if this many slots are free.
    pub(in crate::engine::depth_first) fn require_spare(&mut self, slots: usize) {
        self.spare = self.spare.max(slots);
    }

    /// Makes room for `most` states, or for the successors of a state if they may be more. New slots
    /// are filled with copies of `filler`.
    #[cold]
    #[inline(never)]
    pub(in crate::engine::depth_first) fn make_room(
        &mut self,
        most: usize,
        filler: Option<&P::State>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.require_spare(most);
        // First, so that what is not counted is freed even where there is no room for the rest.
        self.expander.count(&mut self.expander_bytes, memory)?;
        self.make_room_to_recurse(memory)?;
        if self.table_bytes > 0 && self.duplicates.table.is_none() {
            self.duplicates.table = Some(TranspositionTable::new(self.table_bytes, memory)?);
        }
        if let Some(filler) = filler {
            self.make_slots(filler, memory)?;
        }
        if self.duplicates.has_table() {
            let backups = &mut self.duplicates.backups;
            memory.reserve(backups, self.slots.len().saturating_sub(backups.len()))?;
            backups.resize(self.slots.len(), Backup::new(P::Cost::ZERO, P::Cost::ZERO));
        }
        if self.duplicates.is_full { self.grow_path_set(memory) } else { Ok(()) }
    }

    fn make_slots(&mut self, filler: &P::State, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let slots = self.len().saturating_add(self.spare);
        if slots > NOWHERE as usize {
            return Err(OutOfMemory);
        }
        let missing = slots.saturating_sub(self.slots.len());
        memory.reserve_from(&mut self.slots, missing, FIRST_SLOTS)?;
        let step = self.expander.no_step();
        self.slots.resize_with(self.slots.capacity().min(NOWHERE as usize), || Entry {
            state: filler.clone(),
            step: step.clone(),
            g: P::Cost::ZERO,
            parent: NOWHERE,
            depth: 0,
            backtrack_to: NOWHERE,
            behind: 0,
        });
        Ok(())
    }

    /// Makes room in the set of states on the path.
    fn grow_path_set(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        let set = &mut self.duplicates;
        // Removed states may take up room as well: then the set is rehashed in place, otherwise it
        // doubles. Until it has moved, it is held twice.
        let states = (set.on_path.len() * 2).max(set.on_path_room + 1).max(3);
        let bytes = hash_set_bytes::<P::State>(states);
        memory.claim(bytes)?;
        // If the user's hash function panics, the account still knows what to give back later.
        set.on_path_bytes += bytes;
        let outcome = set.on_path.try_reserve(states - set.on_path.len());
        // After rehashing, the set tells its whole room.
        set.on_path_room = set.on_path_room.max(set.on_path.capacity());
        let after = hash_set_bytes::<P::State>(set.on_path_room);
        memory.release(set.on_path_bytes.saturating_sub(after));
        set.on_path_bytes = set.on_path_bytes.min(after);
        set.is_full = outcome.is_err();
        outcome.map_err(|_| OutOfMemory)
    }
}

/// The bytes of a hash set with room for this many states: a control byte for each bucket, at most 7
/// of 8 buckets taken, and a power of two of them.
fn hash_set_bytes<S>(states: usize) -> usize {
    if states == 0 {
        0
    } else {
        (states * 8).div_ceil(7).next_power_of_two() * (size_of::<S>() + 1)
    }
}
