//! The successors of a state that is expanded: which of them are put on the stack, and where.

use std::slice::IterMut;

use super::duplicates::Backup;
use super::{Entry, TRACKED};
use crate::cost::Cost;
use crate::engine::depth_first::bounds::{BoundTest, RareEvents};
use crate::engine::depth_first::{Expander, SuccessorFilter};
use crate::observer::Observer;
use crate::problem::SearchProblem;

/// Puts successors within the bound on the stack.
pub(super) struct StackFilter<'a, P: SearchProblem, W: Expander<P>, O> {
    pub(super) problem: &'a P,
    /// The g of the state that is expanded.
    pub(super) g: P::Cost,
    /// How many states were generated before its successors, of which the last comes first.
    pub(super) generated: u64,
    pub(super) test: &'a mut BoundTest<P::Cost>,
    pub(super) rare: &'a mut RareEvents<P::Cost>,
    /// The free slots of the stack.
    pub(super) free: IterMut<'a, Entry<P, W>>,
    /// The place of the state that is expanded.
    pub(super) parent: u32,
    /// The place of the successor kept last, or of the state.
    pub(super) last: u32,
    /// The place of the state that is entered next.
    pub(super) top: u32,
    /// The depth of a successor.
    pub(super) depth: u32,
    pub(super) avoids_cycles: bool,
    /// With a table: the lower bounds of the state and of the slots above it.
    pub(super) backups: &'a mut [Backup<P::Cost>],
    /// With an observer: the state.
    pub(super) observed_parent: Option<P::State>,
    pub(super) observer: &'a mut O,
    /// With an observer: how many successors were seen, and how many of them it was told of before.
    pub(super) seen: u64,
    pub(super) observed: u64,
}

impl<P, W, O> SuccessorFilter<P, W::Step> for StackFilter<'_, P, W, O>
where
    P: SearchProblem,
    W: Expander<P>,
    O: Observer<P::State, P::Cost>,
{
    /// Its g and h, and the cost of the step to it.
    type Evaluation = (P::Cost, P::Cost, P::Cost);

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn test(&mut self, state: &P::State, step: P::Cost) -> Option<Self::Evaluation> {
        if O::LISTENS {
            self.seen += 1;
            if self.seen > self.observed
                && let Some(g) = self.g.checked_add(step)
            {
                self.observer.generated(self.observed_parent.as_ref(), state, g);
            }
        }
        let backups = &mut self.backups;
        let (test, rare) = (&mut *self.test, &mut *self.rare);
        let (g, h) = test.test(rare, self.problem, state, (self.g, step), |h| {
            if let Some(backup) = backups.first_mut() {
                backup.back_up(step, h);
            }
        })?;
        Some((g, h, step))
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of IDA* is this and little else")]
    fn keep(&mut self, state: P::State, step: W::Step, (g, h, cost): Self::Evaluation) {
        let Some(slot) = self.free.next() else {
            return self.rare.reject_for_room();
        };
        let is_tracked = g <= self.g || self.avoids_cycles;
        let parent = if is_tracked { self.parent | TRACKED } else { self.parent };
        let before = self.test.generated - self.generated - 1;
        let behind = u32::try_from(before).unwrap_or(u32::MAX);
        let (depth, backtrack_to) = (self.depth, self.top);
        *slot = Entry { state, step, g, parent, depth, backtrack_to, behind };
        self.last += 1;
        self.top = self.last;
        if let Some(backup) = self.backups.get_mut((self.last - self.parent) as usize) {
            *backup = Backup::new(cost, h);
        }
    }
}
