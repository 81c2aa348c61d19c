//! Duplicate detection of IDA*: by the transposition table, and by the set of states on the path.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use super::{Entry, NOWHERE, TRACKED};
use crate::cost::{Cost, larger, smaller};
use crate::engine::Run;
use crate::engine::depth_first::bounds::{BoundTest, RareEvents};
use crate::engine::depth_first::{Expander, TranspositionTable};
use crate::observer::Observer;
use crate::problem::SearchProblem;

/// What is stored of the states on the stack beside the stack itself.
pub(super) struct DuplicateDetection<P: SearchProblem> {
    /// Counts iterations from 1: the table stores in which of them it saw a state.
    iteration: u32,
    pub(super) table: Option<TranspositionTable<P::State, P::Cost>>,
    /// If there is a table: the lower bounds that are backed up, for each slot of the stack.
    pub(super) backups: Vec<Backup<P::Cost>>,
    /// States of the path: all of them if cycles are avoided, otherwise those reached by a step that
    /// costs nothing, because only cycles of such steps have no end.
    pub(super) on_path: HashSet<P::State, FxBuildHasher>,
    /// No state of the path at a larger depth than this is in `on_path`.
    pub(super) tracked_depth: u32,
    /// Whether the next state cannot be entered because `on_path` is full.
    pub(super) is_full: bool,
    /// The number of states for which `on_path` has room, and its bytes in the memory account.
    pub(super) on_path_room: usize,
    pub(super) on_path_bytes: usize,
}

/// Lower bounds that belong to a state on the stack, to be backed up to its parent and to the table.
#[derive(Clone, Copy)]
pub(super) struct Backup<C> {
    /// The cost of the step to the state.
    step: C,
    /// A lower bound on the cost from the state to a goal that was known before its expansion.
    h: C,
    /// The smallest lower bound through any of the successors seen so far.
    through_successors: C,
}

impl<C: Cost> Backup<C> {
    /// A state before its expansion.
    pub(super) fn new(step: C, h: C) -> Self {
        Self { step, h, through_successors: C::INFINITY }
    }

    /// A state that is not expanded here, so nothing is proved of it.
    #[cfg(feature = "parallel")]
    pub(super) fn without_proof() -> Self {
        Self { step: C::ZERO, h: C::ZERO, through_successors: C::ZERO }
    }

    /// Backs up the lower bound `h` of a successor that is reached by `step`.
    #[inline]
    pub(super) fn back_up(&mut self, step: C, h: C) {
        let through = match step.checked_add(h) {
            // It equals infinity, but the successor is no dead end.
            Some(sum) if sum >= C::INFINITY && h < C::INFINITY => h,
            Some(sum) => sum,
            // A sum that the type cannot hold is larger than every bound.
            None => C::INFINITY,
        };
        self.through_successors = smaller(self.through_successors, through);
    }
}

impl<P: SearchProblem> DuplicateDetection<P> {
    pub(super) fn new() -> Self {
        Self {
            iteration: 0,
            table: None,
            backups: Vec::new(),
            on_path: HashSet::with_hasher(FxBuildHasher),
            tracked_depth: 0,
            is_full: false,
            on_path_room: 0,
            on_path_bytes: 0,
        }
    }

    #[inline]
    pub(super) fn has_table(&self) -> bool {
        self.table.is_some()
    }

    pub(super) fn begin_iteration(&mut self) {
        self.iteration = self.iteration.checked_add(1).unwrap_or_else(|| {
            self.table.iter_mut().for_each(TranspositionTable::forget_iterations);
            1
        });
    }

    /// Empties the set of states on the path.
    pub(super) fn clear_path(&mut self) {
        self.on_path.clear();
        self.tracked_depth = 0;
        self.is_full = false;
    }

    /// Clears the table. Memory is kept.
    pub(super) fn reset(&mut self) {
        self.iteration = 0;
        self.table.iter_mut().for_each(TranspositionTable::clear);
    }

    /// Looks the state at `top` up in the table. False if it need not be entered.
    #[inline]
    pub(super) fn look_up<W: Expander<P>, O>(
        &mut self,
        slots: &[Entry<P, W>],
        top: usize,
        test: &mut BoundTest<P::Cost>,
        rare: &mut RareEvents<P::Cost>,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let (Some(table), entry) = (&self.table, &slots[top]) else { return true };
        let Some(stored) = table.get(&entry.state) else { return true };
        let backup = &mut self.backups[top];
        backup.h = larger(backup.h, stored.h);
        let h = backup.h;
        match entry.g.checked_add(h) {
            Some(f) if f <= test.bound => {
                if stored.iteration != self.iteration || stored.g > entry.g {
                    return true;
                }
                count_duplicate(&slots[top], run);
            }
            Some(f) if f < P::Cost::INFINITY => test.next_bound = smaller(test.next_bound, f),
            _ => {
                rare.prune_estimate(entry.g, h);
                rare.settle();
            }
        }
        self.back_up_to_parent(&slots[top], top, h);
        false
    }

    /// Enters the state at `top`: stores it in the table, and tells the observer of it.
    #[inline]
    pub(super) fn enter<W: Expander<P>, O: Observer<P::State, P::Cost>>(
        &mut self,
        slots: &[Entry<P, W>],
        problem: &P,
        top: usize,
        run: &mut Run<P::Cost, O>,
    ) {
        let Entry { state, g, .. } = &slots[top];
        if let Some(table) = &mut self.table {
            table.store(state, self.backups[top].h, *g, self.iteration);
        }
        if O::LISTENS {
            run.observer.expanded(state, *g, problem.heuristic(state));
        }
    }

    /// Backs up the lower bound `h` of the entry at `place` to its parent.
    #[inline]
    fn back_up_to_parent<W: Expander<P>>(&mut self, entry: &Entry<P, W>, place: usize, h: P::Cost) {
        let step = self.backups[place].step;
        let parent = entry.parent & !TRACKED;
        if let Some(backup) = self.backups.get_mut(parent as usize) {
            backup.back_up(step, h);
        }
    }

    /// Backs up to its parent that the entry at `place` is a goal.
    pub(super) fn back_up_goal<W: Expander<P>>(&mut self, entry: &Entry<P, W>, place: usize) {
        if self.table.is_some() {
            self.back_up_to_parent(entry, place, P::Cost::ZERO);
        }
    }

    /// Adds the state at `top` to the set of states on the path. False if it was there.
    #[cold]
    #[inline(never)]
    pub(super) fn track<W: Expander<P>, O>(
        &mut self,
        slots: &[Entry<P, W>],
        top: usize,
        run: &mut Run<P::Cost, O>,
    ) -> bool {
        let Entry { state, depth, .. } = &slots[top];
        let is_new = self.on_path.insert(state.clone());
        if is_new {
            self.tracked_depth = *depth;
        } else {
            count_duplicate(&slots[top], run);
            if self.table.is_some() {
                self.back_up_to_parent(&slots[top], top, self.backups[top].h);
            }
        }
        is_new
    }

    /// Leaves the finished states at the end of the path: those from `depth` on, or the last
    /// [`MAX_LEFT_AT_ONCE`] of them if they are more; then `steps` is set to 0, so that the limits are
    /// checked. Takes and returns the place of the last state of the path.
    #[inline(never)]
    pub(super) fn leave<W: Expander<P>>(
        &mut self,
        slots: &[Entry<P, W>],
        mut end: u32,
        mut depth: u32,
        steps: &mut u64,
    ) -> u32 {
        let last = slots.get(end as usize).map_or(0, |entry| entry.depth);
        if last >= depth.saturating_add(MAX_LEFT_AT_ONCE) {
            depth = last + 1 - MAX_LEFT_AT_ONCE;
            *steps = 0;
        }
        while let Some(entry) = slots.get(end as usize).filter(|entry| entry.depth >= depth) {
            let (place, parent) = (end as usize, entry.parent);
            if let Some(table) = &mut self.table {
                let Backup { h, through_successors, .. } = self.backups[place];
                let h = larger(h, through_successors);
                table.raise(&entry.state, h);
                self.back_up_to_parent(entry, place, h);
            }
            if parent & TRACKED != 0 {
                self.on_path.remove(&entry.state);
            }
            end = parent & !TRACKED;
        }
        self.tracked_depth = self.tracked_depth.min(depth - 1);
        end
    }

    /// Leaves the whole path, or a part of it like [`leave`](Self::leave).
    pub(super) fn leave_all<W: Expander<P>>(
        &mut self,
        slots: &[Entry<P, W>],
        end: u32,
        steps: &mut u64,
    ) -> u32 {
        if self.table.is_none() && self.tracked_depth == 0 {
            return NOWHERE;
        }
        self.leave(slots, end, 1, steps)
    }
}

/// How many states of a path may be left before the limits are checked.
const MAX_LEFT_AT_ONCE: u32 = 1 << 11;

/// Counts a state that was reached before. Starts are given, not generated, so they do not count.
#[inline]
fn count_duplicate<P: SearchProblem, W: Expander<P>, O>(
    entry: &Entry<P, W>,
    run: &mut Run<P::Cost, O>,
) {
    run.stats.duplicates += u64::from(entry.parent & !TRACKED != NOWHERE);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;
    use crate::problem::FnProblem;

    /// Iterations are counted in 32 bits. When they are used up, counting begins anew, and no entry of
    /// the table seems to be of the current iteration.
    #[test]
    fn iterations_are_counted_beyond_32_bits() {
        fn check<P: SearchProblem<State = u32, Cost = u32>>(_: &P) {
            let mut duplicates = DuplicateDetection::<P>::new();
            let mut memory = Memory::new(usize::MAX);
            let mut table = TranspositionTable::new(0, &mut memory).unwrap();
            table.store(&7, 3, 2, 1);
            duplicates.table = Some(table);
            duplicates.iteration = u32::MAX - 1;
            duplicates.begin_iteration();
            assert_eq!(duplicates.iteration, u32::MAX);
            duplicates.begin_iteration();
            assert_eq!(duplicates.iteration, 1);
            let stored = duplicates.table.as_ref().and_then(|table| table.get(&7));
            assert_eq!(stored.map(|entry| (entry.h, entry.iteration)), Some((3, 0)));
        }
        check(&FnProblem::new(|&n: &u32| [(n, 1_u32)], |_: &u32| 0, |_: &u32| false));
    }
}
