//! Branch and bound: depth-first search that prunes what cannot lead to a better solution.

use std::fmt;

use super::builder::incumbent_builder;
use super::sort::Sorter;
use super::{ByArrival, IncumbentEngine, OpenList, Pruning, open_list};
use crate::Search;
use crate::cost::{Cost, smaller};
use crate::debug::show_fields;
use crate::engine::best_first::Hashed;
use crate::engine::depth_first::{Buffered, Expander, InPlace};
use crate::engine::relaxation::Id;
use crate::frontier::{Frontier, Single};
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::{InPlaceProblem, SearchProblem};
use crate::report::{ReportOf, SearchError};
use crate::table::{Record, StateId, TableFor};

/// Depth-first branch and bound: finds a first solution soon, and then better ones, until it has proved
/// that there is no better one. A state is pruned if its *g + h* is no less than the cost of the best
/// solution so far (the incumbent).
///
/// - **Finds** a cheapest path when it ends, for every heuristic that never overestimates, consistent or
///   not. If it is stopped before, the report has the best path so far
///   ([`Report::incumbent`](crate::Report::incumbent)), and the smallest *g + h* of the open states as the
///   lower bound. An [`Observer`](crate::Observer) is called for every better solution.
/// - **Order**: depth first. Of the successors of a state, the one with the smallest *g + h* is searched
///   first, with its whole subtree; among equals the one with the smallest *h*. Or by
///   [a key of your own](Self::order_by).
/// - **Stores** every state that it has reached, with the smallest *g* so far, and does not search below it
///   again unless it is reached at a smaller *g*.
/// - **Takes** memory for these states, and time that depends on the order: with a good one, little more
///   than the proof needs; with a bad one, states are expanded again and again, in the worst case
///   exponentially often. Without a heuristic, A* is nearly always faster. It is not for infinite spaces,
///   unless a first solution or a limit on the cost bounds them.
///
/// The search uses an explicit stack: its depth is limited by memory only.
///
/// Source: Land and Doig, *An Automatic Method of Solving Discrete Programming Problems*, 1960; with a
/// table of states, Sen and Bagchi, *Fast Recursive Formulations for Best-First Search That Allow
/// Controlled Use of Memory*, 1989.
///
/// # Example
///
/// A knapsack problem. Which of six things to carry, at most 26 kilograms, so that the worth of what is
/// left behind is least:
///
/// ```
/// use bestfirst::{BranchAndBound, Limits, SearchProblem, Successors};
///
/// struct Knapsack([(u32, u32); 6]); // kilograms and worth of each thing
///
/// impl SearchProblem for Knapsack {
///     type State = (usize, u32); // things decided on, kilograms left
///     type Action = bool;
///     type Cost = u32; // worth of what is left behind
///
///     fn successors(&self, &(i, room): &(usize, u32), next: &mut Successors<Self>) {
///         let (weight, worth) = self.0[i];
///         if weight <= room {
///             next.push(true, (i + 1, room - weight), 0);
///         }
///         next.push(false, (i + 1, room), worth);
///     }
///
///     fn is_goal(&self, &(i, _): &(usize, u32)) -> bool {
///         i == self.0.len()
///     }
/// }
///
/// let knapsack = Knapsack([(12, 24), (7, 13), (11, 23), (8, 15), (9, 16), (6, 11)]);
/// let mut search = BranchAndBound::new(&knapsack).limits(Limits::new().expansions(6)).search((0, 26));
///
/// let report = search.run()?; // stopped early: a solution, and a lower bound
/// assert!(report.incumbent.is_some() && !report.is_optimal());
/// assert!(report.lower_bound <= 51);
///
/// search.set_limits(Limits::new());
/// let report = search.run()?;
/// assert_eq!(report.cost(), Some(51));
/// assert!(report.is_optimal());
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct BranchAndBound<P: SearchProblem, R = ByEstimate, W = Buffered<P>, T = Hashed<P>, O = ()>
{
    problem: P,
    ranking: R,
    expander: W,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    table: T,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A search of the problem `P` by branch and bound: what [`BranchAndBound::search`] makes.
pub type BranchAndBoundSearch<P, R = ByEstimate, W = Buffered<P>, T = Hashed<P>, O = ()> =
    Search<IncumbentEngine<P, DepthFirst<P, R, Id<P, T>>, W, T>, O>;

impl<P: SearchProblem> BranchAndBound<P> {
    /// Creates a builder for a search of `problem` (owned or borrowed) by branch and bound, with a
    /// [`HashedTable`](crate::table::HashedTable), no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, ByEstimate)
    }
}

incumbent_builder!(
    BranchAndBound<P, R>,
    ranking: R,
    open_list: DepthFirst<P, R, Id<P, T>>, by DepthFirst::new,
    where R: Ranking<P>,
    search: BranchAndBoundSearch
);

impl<P: SearchProblem, R, W, T, O> BranchAndBound<P, R, W, T, O> {
    /// Searches the successor with the smallest `key` first. The key is a function of the state, its *g* and
    /// its *h*. Of equal keys, the successor that was pushed first comes first.
    ///
    /// ```
    /// use bestfirst::{BranchAndBound, FnProblem};
    ///
    /// let to_100 = FnProblem::new(
    ///     |&n: &u32| (n <= 100).then(|| [(n + 1, 1_u32), (n * n, 5)]).into_iter().flatten(),
    ///     |&n: &u32| if n > 100 { u32::MAX } else { 0 },
    ///     |&n: &u32| n == 100,
    /// );
    /// // The number nearest to the goal first:
    /// let search = BranchAndBound::new(&to_100).order_by(|&n, _g, _h| n.abs_diff(100));
    /// assert_eq!(search.search(2).run()?.cost(), Some(12));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn order_by<K: Ord, F>(self, key: F) -> BranchAndBound<P, By<F>, W, T, O>
    where
        F: Fn(&P::State, P::Cost, P::Cost) -> K,
    {
        let Self { problem, expander, sieves, table, limits, observer, .. } = self;
        BranchAndBound { problem, ranking: By { key }, expander, sieves, table, limits, observer }
    }
}

/// Finds a cheapest path from `start` to a goal by [`BranchAndBound`], without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, branch_and_bound};
///
/// let stairs = FnProblem::new(
///     |&n: &u32| [(n + 1, 3_u32), (n + 2, 5), (n + 5, 11)],
///     |&n: &u32| if n > 19 { u32::MAX } else { 19 - n },
///     |&n: &u32| n == 19,
/// );
/// assert_eq!(branch_and_bound(&stairs, 0)?.cost(), Some(43)); // 5 + 5 + 5 + 2 + 2
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn branch_and_bound<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    BranchAndBound::new(problem).search(start).run_once()
}

/// Which successor of a state comes first. This trait is sealed; use
/// [`order_by`](BranchAndBound::order_by).
pub trait Ranking<P: SearchProblem>: sealed::Sealed {
    /// What successors are compared by; the smallest comes first.
    type Key: PartialOrd;

    /// The key of a state that was reached at cost `g` and is estimated to be `h` from a goal.
    fn key(&self, state: &P::State, g: P::Cost, h: P::Cost) -> Self::Key;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::ByEstimate {}
    impl<F> Sealed for super::By<F> {}
}

/// The smallest *g + h* first, among equals the smallest *h*.
#[derive(Clone, Copy, Debug)]
pub struct ByEstimate;

impl<P: SearchProblem> Ranking<P> for ByEstimate {
    type Key = (P::Cost, P::Cost);

    #[inline]
    fn key(&self, _: &P::State, g: P::Cost, h: P::Cost) -> Self::Key {
        (g.checked_add(h).unwrap_or(P::Cost::INFINITY), h)
    }
}

/// By a key of your own.
#[derive(Clone, Copy)]
pub struct By<F> {
    key: F,
}

impl<P, F, K> Ranking<P> for By<F>
where
    P: SearchProblem,
    F: Fn(&P::State, P::Cost, P::Cost) -> K,
    K: Ord,
{
    type Key = K;

    #[inline]
    fn key(&self, state: &P::State, g: P::Cost, h: P::Cost) -> K {
        (self.key)(state, g, h)
    }
}

impl<F> fmt::Debug for By<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("By")
    }
}

/// The open states in the order of depth-first search: what was pushed last is next, the best of it
/// first.
pub struct DepthFirst<P: SearchProblem, R: Ranking<P>, I = u32> {
    /// Each with its f.
    entries: Vec<(I, P::Cost)>,
    /// How many of them are arranged.
    arranged: usize,
    ranking: R,
    /// The keys of the first entries that are not arranged, and the entries that are being arranged; empty otherwise.
    keys: Vec<R::Key>,
    new: Vec<(I, P::Cost)>,
    sorter: Sorter,
}

impl<P: SearchProblem, R: Ranking<P>, I> DepthFirst<P, R, I> {
    fn new(ranking: R) -> Self {
        Self {
            entries: Vec::new(),
            arranged: 0,
            ranking,
            keys: Vec::new(),
            new: Vec::new(),
            sorter: Sorter::default(),
        }
    }

    fn forget_keys(&mut self) {
        self.keys.clear();
        self.sorter.clear();
    }
}

/// How many entries are sorted before the limits are checked.
const SORTED: usize = 1 << 12;

impl<P: SearchProblem, R: Ranking<P>, I: StateId> Frontier<I, Single<P::Cost>>
    for DepthFirst<P, R, I>
{
    #[inline]
    fn push(
        &mut self,
        id: I,
        Single(f): Single<P::Cost>,
        memory: &mut Memory,
    ) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.entries, 1)?;
        self.entries.push((id, f));
        Ok(())
    }

    #[inline]
    fn pop(&mut self, _: &mut Memory) -> Result<Option<(I, Single<P::Cost>)>, OutOfMemory> {
        let last = self.entries.pop();
        self.arranged = self.entries.len();
        Ok(last.map(|(id, f)| (id, Single(f))))
    }

    fn least(&mut self, _: &mut Memory) -> Result<Option<Single<P::Cost>>, OutOfMemory> {
        Ok(self.entries.iter().map(|&(_, f)| f).reduce(smaller).map(Single))
    }

    fn for_each(&self, mut visit: impl FnMut(I, Single<P::Cost>)) {
        self.entries.iter().for_each(|&(id, f)| visit(id, Single(f)));
    }

    fn retain(&mut self, keep: impl FnMut(I, Single<P::Cost>) -> bool) {
        self.arranged = open_list::retain(&mut self.entries, self.arranged, keep);
        self.forget_keys();
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        self.entries.iter().rev().nth(ahead).map(|&(id, _)| id)
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.arranged = 0;
        // They hold something if a key has panicked.
        self.forget_keys();
        self.new.clear();
    }
}

impl<P: SearchProblem, R: Ranking<P>, I: StateId> open_list::sealed::Sealed
    for DepthFirst<P, R, I>
{
}

impl<P, R, T> OpenList<P, T> for DepthFirst<P, R, Id<P, T>>
where
    P: SearchProblem,
    R: Ranking<P>,
    T: TableFor<P::State, P::Cost>,
{
    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        memory.reserve(&mut self.entries, additional)?;
        memory.reserve(&mut self.keys, additional)?;
        memory.reserve(&mut self.new, additional)?;
        self.sorter.reserve(additional, memory)
    }

    #[inline]
    fn new_entries(&self) -> &[(Id<P, T>, P::Cost)] {
        &self.entries[self.arranged..]
    }

    #[inline]
    fn arrange_some(&mut self, are_all_new: bool, table: &T) -> bool {
        let Self { entries, arranged, ranking, keys, sorter, .. } = self;
        if are_all_new && entries.len() - *arranged <= 1 {
            keys.clear();
            return true;
        }
        for &(id, _) in &entries[*arranged + keys.len()..] {
            let record = table.load(id);
            let key = |state: &P::State| ranking.key(state, record.g(), record.h());
            keys.push(table.with_state(id, key));
        }
        are_all_new && sorter.step(keys, SORTED)
    }

    #[inline]
    fn arrange(&mut self, table: &T) {
        if self.entries.len() - self.arranged > 1 {
            OpenList::<P, T>::arrange_some(self, false, table);
            let Self { entries, arranged, keys, new, sorter, .. } = self;
            new.extend(entries.drain(*arranged..));
            // The last is next, so the smallest key comes last.
            entries.extend(sorter.sort(keys).iter().rev().map(|&index| new[index]));
            new.clear();
        }
        self.forget_keys();
        self.arranged = self.entries.len();
    }
}

show_fields! {
    [P: SearchProblem, R: Ranking<P>, I] DepthFirst<P, R, I>,
    "DepthFirst" (this) { entries = this.entries.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FnProblem;
    use crate::table::{EstimateRecord, HashedTable};

    fn check<P: SearchProblem<State = u8, Cost = u32>>(_: &P) {
        type Known = HashedTable<u8, EstimateRecord<u32>>;
        let mut stack: DepthFirst<P, ByEstimate> = DepthFirst::new(ByEstimate);
        let new =
            |stack: &DepthFirst<P, ByEstimate>| OpenList::<P, Known>::new_entries(stack).to_vec();
        let mut memory = Memory::new(usize::MAX);
        for (id, f) in [(7, 3), (5, 4), (6, 2)] {
            stack.push(id, Single(f), &mut memory).unwrap();
        }
        assert_eq!(stack.len(), 3);
        assert_eq!(stack.least(&mut memory), Ok(Some(Single(2))));
        assert_eq!(new(&stack), [(7, 3), (5, 4), (6, 2)]);
        assert_eq!(stack.pop(&mut memory), Ok(Some((6, Single(2)))));
        assert!(new(&stack).is_empty());
        stack.retain(|id, _| id != 7);
        let mut entries = Vec::new();
        stack.for_each(|id, key| entries.push((id, key)));
        assert_eq!(entries, [(5, Single(4))]);
        stack.clear();
        assert_eq!((stack.len(), stack.pop(&mut memory)), (0, Ok(None)));
        stack.push(1, Single(1), &mut memory).unwrap();
        assert_eq!(new(&stack), [(1, 1)]);
        assert_eq!(format!("{:?}", By { key: 0 }), "By");
    }

    #[test]
    fn a_stack_returns_what_it_holds() {
        check(&FnProblem::new(|_: &u8| [(0, 1_u32)], |_: &u8| 0, |_: &u8| false));
    }
}
