//! What the workers of a parallel search need of a stack: to search the subtree below a state.

use super::duplicates::Backup;
use super::{Entry, NOWHERE, Stack, TRACKED, place_of};
use crate::cost::Cost;
use crate::engine::depth_first::Expander;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::SearchProblem;

impl<P: SearchProblem, W: Expander<P>> Stack<P, W> {
    /// The states from the place `from` on. The one that is entered next is the last.
    pub(in crate::engine::depth_first) fn above(&self, from: usize) -> &[Entry<P, W>] {
        self.slots.get(from..self.len()).unwrap_or(&[])
    }

    /// Replaces its states by those of a path, given from its end to its start. The end of the path is
    /// entered next; the others count as entered.
    pub(in crate::engine::depth_first) fn load<'e>(
        &mut self,
        path: impl ExactSizeIterator<Item = &'e Entry<P, W>> + Clone,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory>
    where
        P: 'e,
        W: 'e,
    {
        self.clear();
        let len = path.len();
        let filler = path.clone().next().map(|entry| &entry.state);
        self.make_room(len, filler, memory)?;
        for (place, entry) in (0..len).rev().zip(path) {
            let parent = if place == 0 { NOWHERE } else { place_of(place - 1) };
            let is_tracked = entry.parent & TRACKED != 0;
            if is_tracked && place + 1 < len {
                if self.duplicates.on_path.len() == self.duplicates.on_path.capacity() {
                    self.duplicates.is_full = true;
                    self.make_room(len, filler, memory)?;
                }
                self.duplicates.on_path.insert(entry.state.clone());
            }
            if self.duplicates.has_table() {
                // Only one of many successors of the states above is searched here.
                self.duplicates.backups[place] = if place + 1 < len {
                    Backup::without_proof()
                } else {
                    Backup::new(P::Cost::ZERO, P::Cost::ZERO)
                };
            }
            self.slots[place] = entry.clone();
            let slot = &mut self.slots[place];
            slot.parent = parent | entry.parent & TRACKED;
            (slot.depth, slot.backtrack_to) = (place_of(place) + 1, NOWHERE);
            if place + 1 == len {
                self.duplicates.tracked_depth = place_of(place);
                (self.top, self.end) = (place_of(place), parent);
            }
        }
        Ok(())
    }
}
