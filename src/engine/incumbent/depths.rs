//! Open states by depth, as rectangle search takes them, alone or by turns with other orders.

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

/// The open states of [`Rectangle`](crate::Rectangle) search, by their depth; and with four `QUEUES` those of
/// [`Anytime`](crate::Anytime) search, each in several orders, from which states are taken by turns. A state that is taken
/// from one is removed from all. Stale are the entries of states that were reached again at less cost.
pub struct Depths<C, I = u32, const QUEUES: usize = 1> {
    queues: Queues<C, I, QUEUES>,
    /// From which depth a state is taken when it is the turn of rectangle search, which is 0.
    rounds: Rounds,
    turn: usize,
    /// The states pushed since the last [`arrange`](OpenList::arrange), each with its f.
    new: Vec<(I, C)>,
}

/// The aspect of the rectangle if none is chosen: the best on most problems of the publication.
pub(super) const ASPECT: usize = 500;

/// The most stale entries that are skipped before the limits are looked at.
const MOST_STALE: usize = 1 << 10;

impl<C: Cost, I: StateId, const QUEUES: usize> Depths<C, I, QUEUES> {
    pub(super) fn new(aspect: usize) -> Self {
        Self { queues: Queues::new(), rounds: Rounds::new(aspect), turn: 0, new: Vec::new() }
    }

    /// Makes room for so many more states at the depth of those that are pushed.
    #[inline]
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.new, states)?;
        self.queues.reserve(self.rounds.depth_of_new(), self.new.len() + states, memory)
    }

    /// Takes the first state of the queue whose turn it is out of all queues.
    #[inline]
    fn take(&mut self) -> Option<(I, Single<C>)> {
        if self.queues.len() == 0 {
            return None;
        }
        let best = match self.turn.checked_sub(1) {
            None => self.rounds.take_next(&mut self.queues),
            Some(order) => {
                let (best, depth) = self.queues.pop_in(order)?;
                self.rounds.take(depth);
                best
            }
        };
        Some((best.id, Single(best.f)))
    }
}

impl<C: Cost, I: StateId, const QUEUES: usize> Frontier<I, Single<C>> for Depths<C, I, QUEUES> {
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
            match last {
                Some((id, key)) if !is_current(id, key) => {}
                Some(_) => {
                    self.turn = (self.turn + 1) % QUEUES;
                    break;
                }
                None => break,
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
        match (self.turn + ahead) % QUEUES {
            0 => self.queues.first_at(self.rounds.hint(ahead / QUEUES)),
            turn => self.queues.first_in(turn - 1),
        }
    }

    fn len(&self) -> usize {
        self.queues.len() + self.new.len()
    }

    fn clear(&mut self) {
        self.queues.clear();
        self.new.clear();
        self.rounds.clear();
        self.turn = 0;
    }
}

impl<C, I, const QUEUES: usize> open_list::sealed::Sealed for Depths<C, I, QUEUES> {}

impl<P: SearchProblem, T: TableFor<P::State, P::Cost>, const QUEUES: usize> OpenList<P, T>
    for Depths<P::Cost, Id<P, T>, QUEUES>
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
        let depth = self.rounds.depth_of_new();
        for (id, f) in self.new.drain(..) {
            let record = table.load(id);
            let h = if T::Record::KEEPS_H { record.h() } else { P::Cost::ZERO };
            self.queues.push(depth, Candidate { f, h, id });
            self.rounds.push(depth);
        }
    }
}

show_fields! {
    [C: Cost, I: StateId, const QUEUES: usize] Depths<C, I, QUEUES>,
    "Depths" (this) {
        depths = this.rounds.used,
        entries = this.queues.len(),
        round = this.rounds.round,
        turn = this.turn
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
    }

    /// Takes the next state out of `queues`, of which there must be one. What was taken elsewhere counts.
    #[inline]
    fn take_next<C: Cost, I: StateId, const QUEUES: usize>(
        &mut self,
        queues: &mut Queues<C, I, QUEUES>,
    ) -> Candidate<C, I> {
        loop {
            while self.quota > 0 && queues.was_taken(self.depth) {
                self.quota -= 1;
            }
            if self.quota > 0
                && let Some(best) = queues.pop_at(self.depth)
            {
                self.quota -= 1;
                self.taken = self.depth;
                return best;
            }
            self.go_on();
        }
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
