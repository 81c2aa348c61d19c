//! Rectangle search: a beam that grows wider and deeper at the same time, and expands no layer anew.

use super::builder::incumbent_builder;
use super::pairing_heaps::PairingHeaps;
use super::select::Candidate;
use super::{ByArrival, IncumbentEngine, OpenList, Pruning, open_list};
use crate::Search;
use crate::cost::{Cost, smaller};
use crate::debug::show_fields;
use crate::engine::best_first::{CostOf, Hashed};
use crate::engine::depth_first::{Buffered, Expander, InPlace};
use crate::engine::relaxation::Id;
use crate::frontier::{Frontier, Single};
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::{InPlaceProblem, SearchProblem};
use crate::report::{ReportOf, SearchError};
use crate::table::{Record, StateId, TableFor};

/// Rectangle search: keeps the open states of every depth apart. In each round it expands one more state
/// of every depth that it has come to, the one with the smallest *f = g + h*, among equals with the
/// smallest *h*; and then as many states as there were rounds at each of the next [depths](Self::aspect). So it
/// expands what beam searches of growing width expand, but nothing twice.
///
/// - **Finds** a first solution soon, then better ones, and a cheapest path when it ends, for every
///   heuristic that never overestimates, consistent or not. (An [`Observer`](crate::Observer) is called
///   for each.) States whose *f* is no less than the cost of the best solution so far (the incumbent) are
///   pruned.
/// - **Lower bound**: the smallest *f* of the open states. Nothing is left out.
/// - **Stopped** before its end, its report has the best path so far, if there is one.
/// - **Takes** one operation on a heap per generated state, and memory for all states that it generates and
///   does not prune: [`Beam`](crate::Beam) keeps those of one pass only.
///
/// Source: Lemons, Ruml, Holte and Linares López, *Rectangle Search: An Anytime Beam Search*, 2024.
///
/// # Example
///
/// ```
/// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
/// use bestfirst::{Limits, Rectangle};
///
/// let puzzle = SlidingTiles::<Packed>::new(4, 4)?;
/// let board: Board = "14 13 15 7  11 12 9 5  6 0 2 1  4 8 10 3".parse()?;
/// let start = puzzle.state(&board)?;
/// let limits = Limits::new().expansions(50_000);
/// let report = Rectangle::new(&puzzle).limits(limits).search(start).run()?;
/// assert!(report.incumbent.is_some());
/// assert!(report.lower_bound <= 57); // the optimum
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Rectangle<P: SearchProblem, W = Buffered<P>, T = Hashed<P>, O = ()> {
    problem: P,
    /// The aspect.
    ranking: usize,
    expander: W,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    table: T,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A rectangle search of the problem `P`: what [`Rectangle::search`] makes.
pub type RectangleSearch<P, W = Buffered<P>, T = Hashed<P>, O = ()> =
    Search<IncumbentEngine<P, Depths<CostOf<P>, Id<P, T>>, W, T>, O>;

impl<P: SearchProblem> Rectangle<P> {
    /// Creates a builder for a rectangle search of `problem` (owned or borrowed) with an aspect of 500, a
    /// [`HashedTable`](crate::table::HashedTable), no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, 500)
    }
}

impl<P: SearchProblem, W, T, O> Rectangle<P, W, T, O> {
    /// Comes to so many new depths in each round (0 counts as 1). With few, the search grows wide before it
    /// comes to solutions of many steps; with as many as a solution has steps, it finds one in the first
    /// round. The default, 500, was best on most problems of the publication.
    pub fn aspect(mut self, depths: usize) -> Self {
        self.ranking = depths.max(1);
        self
    }
}

incumbent_builder!(
    Rectangle<P>,
    ranking: usize,
    open_list: Depths<P::Cost, Id<P, T>>, by Depths::new,
    search: RectangleSearch
);

/// Finds a cheapest path from `start` to a goal by [`Rectangle`] search, without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, rectangle};
///
/// let stairs = FnProblem::new(
///     |&n: &u32| [(n + 1, 3_u32), (n + 2, 5), (n + 5, 11)],
///     |&n: &u32| if n > 19 { u32::MAX } else { 19 - n },
///     |&n: &u32| n == 19,
/// );
/// assert_eq!(rectangle(&stairs, 0)?.cost(), Some(43)); // 5 + 5 + 5 + 2 + 2
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn rectangle<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    Rectangle::new(problem).search(start).run()
}

/// The open states of [`Rectangle`] search, by their depth.
pub struct Depths<C, I = u32> {
    /// The open states of each depth.
    heaps: PairingHeaps<C, I>,
    rounds: Rounds,
    /// The states pushed since the last [`arrange`](OpenList::arrange), each with its f.
    new: Vec<(I, C)>,
}

/// The open states of each depth, the best one first.
pub(super) trait ByDepth<C, I> {
    /// Removes the first state of a depth.
    fn pop_at(&mut self, depth: usize) -> Option<Candidate<C, I>>;

    /// Whether a first state of this depth was taken in another order. Says so once of each.
    fn was_taken(&mut self, _depth: usize) -> bool {
        false
    }
}

impl<C: Cost, I: StateId> ByDepth<C, I> for PairingHeaps<C, I> {
    #[inline]
    fn pop_at(&mut self, depth: usize) -> Option<Candidate<C, I>> {
        self.pop(depth)
    }
}

/// From which depth the next state is taken.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
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
    pub(super) fn new(aspect: usize) -> Self {
        Self { used: 0, taken: 0, depth: 0, quota: 1, first_new: 0, round: 1, aspect }
    }

    /// Begins anew.
    pub(super) fn clear(&mut self) {
        *self = Self { taken: self.taken, ..Self::new(self.aspect) };
    }

    /// The depth of the states that are pushed.
    pub(super) fn depth_of_new(&self) -> usize {
        if self.used == 0 { 0 } else { self.taken + 1 }
    }

    /// A state was pushed at this depth.
    pub(super) fn push(&mut self, depth: usize) {
        self.used = self.used.max(depth + 1);
    }

    /// A state of that depth was taken.
    pub(super) fn take(&mut self, depth: usize) {
        self.taken = depth;
    }

    /// Takes the next state out of `queues`, of which there must be one. What was taken elsewhere counts.
    #[inline]
    pub(super) fn take_next<C, I>(&mut self, queues: &mut impl ByDepth<C, I>) -> Candidate<C, I> {
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
    pub(super) fn hint(&self, ahead: usize) -> usize {
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

impl<C: Cost, I: StateId> Depths<C, I> {
    fn new(aspect: usize) -> Self {
        Self { heaps: PairingHeaps::new(), rounds: Rounds::new(aspect), new: Vec::new() }
    }

    /// Makes room for so many more states at the depth of those that are pushed.
    #[inline]
    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.new, states)?;
        self.heaps.reserve(self.rounds.depth_of_new(), self.new.len() + states, memory)
    }
}

impl<C: Cost, I: StateId> Frontier<I, Single<C>> for Depths<C, I> {
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

    #[inline]
    fn pop(&mut self, _: &mut Memory) -> Result<Option<(I, Single<C>)>, OutOfMemory> {
        if self.heaps.len() == 0 {
            return Ok(None);
        }
        let best = self.rounds.take_next(&mut self.heaps);
        Ok(Some((best.id, Single(best.f))))
    }

    fn least(&mut self, _: &mut Memory) -> Result<Option<Single<C>>, OutOfMemory> {
        let mut least = None;
        self.for_each(|_, Single(f)| least = Some(least.map_or(f, |least| smaller(least, f))));
        Ok(least.map(Single))
    }

    fn for_each(&self, mut visit: impl FnMut(I, Single<C>)) {
        self.heaps.iter().for_each(|it| visit(it.id, Single(it.f)));
        self.new.iter().for_each(|&(id, f)| visit(id, Single(f)));
    }

    fn retain(&mut self, mut keep: impl FnMut(I, Single<C>) -> bool) {
        self.heaps.retain(|it| keep(it.id, Single(it.f)));
        self.new.retain(|&(id, f)| keep(id, Single(f)));
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        self.heaps.peek(self.rounds.hint(ahead)).map(|best| best.id)
    }

    fn len(&self) -> usize {
        self.heaps.len() + self.new.len()
    }

    fn clear(&mut self) {
        self.heaps.clear();
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
        let depth = self.rounds.depth_of_new();
        for (id, f) in self.new.drain(..) {
            let record = table.load(id);
            let h = if T::Record::KEEPS_H { record.h() } else { P::Cost::ZERO };
            self.heaps.push(depth, Candidate { f, h, id });
            self.rounds.push(depth);
        }
    }

    #[inline]
    fn next_layer(&mut self, _: &T, _: Option<P::Cost>) -> Option<P::Cost> {
        None
    }
}

show_fields! {
    [C: Cost, I: StateId] Depths<C, I>,
    "Depths" (this) { depths = this.rounds.used, entries = this.heaps.len(), round = this.rounds.round }
}
