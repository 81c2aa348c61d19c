//! Open states by depth, as rectangle search takes them.

use super::queues::Queues;
use super::select::Candidate;
use super::{OpenList, open_list};
use crate::cost::{Cost, smaller};
use crate::debug::show_fields;
use crate::engine::relaxation::Id;
use crate::frontier::{Frontier, Single};
use crate::memory::{Memory, OutOfMemory};
use crate::problem::SearchProblem;
use crate::table::{Record, StateId, TableFor};

/// The open states of [`Rectangle`](crate::Rectangle) search, in a queue for each depth. Stale are the entries of states that
/// were reached again at less cost.
pub struct Depths<C, I = u32> {
    queues: Queues<C, I>,
    /// From which depth the next state is taken.
    rounds: Rounds,
    /// The states pushed since the last [`arrange`](OpenList::arrange), each with its f.
    new: Vec<(I, C)>,
}

/// The aspect of the rectangle if none is chosen: the best on most problems of the publication.
pub(super) const ASPECT: usize = 500;

/// The most stale entries that are skipped before the limits are looked at.
const MOST_STALE: usize = 1 << 10;

impl<C: Cost, I: StateId> Depths<C, I> {
    pub(super) fn new(aspect: usize) -> Self {
        Self { queues: Queues::new(), rounds: Rounds::new(aspect), new: Vec::new() }
    }

    /// Makes room for `states` more states at the depth of those that are pushed.
    #[inline]
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.new, states)?;
        self.queues.reserve(self.rounds.depth_of_new(), self.new.len() + states, memory)
    }

    /// Takes the first state of the depth whose turn it is.
    #[inline]
    fn take(&mut self) -> Option<(I, Single<C>)> {
        if self.queues.len() == 0 {
            return None;
        }
        loop {
            if let Some(depth) = self.rounds.next_depth()
                && let Some(best) = self.queues.pop_at(depth)
            {
                self.rounds.take(depth);
                return Some((best.id, Single(best.f)));
            }
            self.rounds.go_on();
        }
    }
}

impl<C: Cost, I: StateId> Frontier<I, Single<C>> for Depths<C, I> {
    const SKIPS_STALE: bool = true;

    #[inline]
    fn push(
        &mut self,
        id: I,
        Single(f): Single<C>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        self.make_room(1, memory)?;
        self.new.push((id, f));
        Ok(())
    }

    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(I, Single<C>)>, OutOfMemory> {
        self.pop_current(|_, _| true, memory)
    }

    #[inline]
    fn pop_current(
        &mut self,
        mut is_current: impl FnMut(I, Single<C>) -> bool,
        _: &mut Memory,
    ) -> Result<Option<(I, Single<C>)>, OutOfMemory> {
        let mut last = None;
        for _ in 0..MOST_STALE {
            last = self.take();
            if last.is_none_or(|(id, key)| is_current(id, key)) {
                break;
            }
        }
        Ok(last)
    }

    fn least(&mut self, _: &mut Memory) -> Result<Option<Single<C>>, OutOfMemory> {
        let mut least = None;
        self.for_each(|_, Single(f)| least = Some(least.map_or(f, |least| smaller(least, f))));
        Ok(least.map(Single))
    }

    fn for_each(&self, mut visit: impl FnMut(I, Single<C>)) {
        self.queues.iter().for_each(|it| visit(it.id, Single(it.f)));
        self.new.iter().for_each(|&(id, f)| visit(id, Single(f)));
    }

    fn retain(&mut self, mut keep: impl FnMut(I, Single<C>) -> bool) {
        self.queues.retain(|it| keep(it.id, Single(it.f)));
        self.new.retain(|&(id, f)| keep(id, Single(f)));
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        self.queues.first_at(self.rounds.hint(ahead))
    }

    fn len(&self) -> usize {
        self.queues.len() + self.new.len()
    }

    fn clear(&mut self) {
        self.queues.clear();
        self.new.clear();
        self.rounds.clear();
    }
}

impl<C, I> open_list::sealed::Sealed for Depths<C, I> {}

impl<P: SearchProblem, T: TableFor<P::State, P::Cost>> OpenList<P, T>
    for Depths<P::Cost, Id<P, T>>
{
    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.make_room(additional, memory)
    }

    #[inline]
    fn new_entries(&self) -> &[(Id<P, T>, P::Cost)] {
        &self.new
    }

    #[inline]
    fn arrange(&mut self, table: &T) {
        if self.new.is_empty() {
            return;
        }
        let depth = self.rounds.depth_of_new();
        for (id, f) in self.new.drain(..) {
            let record = table.load(id);
            let h = if T::Record::KEEPS_H { record.h() } else { P::Cost::ZERO };
            self.queues.push(depth, Candidate { f, h, id });
        }
        self.rounds.push(depth);
    }
}

show_fields! {
    [C: Cost, I: StateId] Depths<C, I>,
    "Depths" (this) {
        depths = this.rounds.used,
        entries = this.queues.len(),
        round = this.rounds.round
    }
}

/// From which depth the next state is taken.
#[derive(Clone, Debug)]
struct Rounds {
    /// How many depths are in use.
    used: usize,
    /// The depth of the state that was taken last.
    taken: usize,
    /// The depth from which states are taken, and how many more of it in this round.
    depth: usize,
    quota: usize,
    /// The depths from this one on are new in this round.
    first_new: usize,
    round: usize,
    aspect: usize,
}

impl Rounds {
    fn new(aspect: usize) -> Self {
        Self { used: 0, taken: 0, depth: 0, quota: 1, first_new: 0, round: 1, aspect }
    }

    /// Begins anew.
    fn clear(&mut self) {
        *self = Self { taken: self.taken, ..Self::new(self.aspect) };
    }

    /// The depth of the states that are pushed.
    fn depth_of_new(&self) -> usize {
        if self.used == 0 { 0 } else { self.taken + 1 }
    }

    /// A state was pushed at this depth.
    fn push(&mut self, depth: usize) {
        self.used = self.used.max(depth + 1);
    }

    /// A state of that depth was taken.
    fn take(&mut self, depth: usize) {
        self.taken = depth;
        self.quota -= 1;
    }

    /// The depth from which a state is taken, if there is one more in this round.
    #[inline]
    fn next_depth(&self) -> Option<usize> {
        (self.quota > 0).then_some(self.depth)
    }

    /// The depth from which the next state is taken after `ahead` others, if one state of each is taken, as is most often so.
    fn hint(&self, ahead: usize) -> usize {
        self.depth + ahead + usize::from(self.quota == 0)
    }

    /// Goes on to the next depth, or to the next round.
    fn go_on(&mut self) {
        let end = self.first_new.saturating_add(self.aspect);
        self.depth += 1;
        if self.depth >= end.min(self.used) {
            self.first_new = end;
            self.round += 1;
            self.depth = 0;
        }
        self.quota = if self.depth < self.first_new { 1 } else { self.round };
    }
}
