//! Beam search: layer by layer, with the best states of each layer only.

use super::breadth_first::Layers;
use super::builder::incumbent_builder;
use super::select::{Candidate, select};
#[cfg(feature = "parallel")]
use super::threads::BufferedOnThreads;
use super::{ByArrival, IncumbentEngine, OpenList, Pruning, open_list};
use crate::Search;
use crate::cost::{Cost, smaller};
use crate::debug::show_fields;
use crate::engine::best_first::{CostOf, Hashed};
use crate::engine::builder::threads_need_feature;
use crate::engine::depth_first::{Buffered, Expander, InPlace};
use crate::engine::relaxation::Id;
use crate::frontier::{Frontier, Single};
use crate::limits::Limits;
use crate::memory::{Memory, OutOfMemory};
use crate::problem::{InPlaceProblem, SearchProblem};
use crate::report::{ReportOf, SearchError};
use crate::table::{Record, StateId, TableFor};

/// Beam search: as breadth-first search, but of each layer only the `width` states with the smallest
/// *f = g + h* are expanded, among equals those with the smallest *h*. When no layer is left, the search
/// begins again with twice the width, until nothing that matters is left out.
///
/// - **Finds** a first solution soon, then better ones, and a cheapest path when it ends, for every
///   heuristic that never overestimates, consistent or not. (An [`Observer`](crate::Observer) is called
///   for each.) States whose *f* is no less than the cost of the best solution so far (the incumbent) are
///   pruned, at every width. With a [fixed width](Self::width) it ends after one pass, with the best path of
///   that pass; [`Report::suboptimality`](crate::Report::suboptimality) says what is proved of it. If it has
///   found none and left out states, it ends with [`StopReason::Width`](crate::StopReason::Width).
/// - **Lower bound**: the smallest *f* of all states that are open or were left out, and the largest such
///   bound of all passes. So what the width cuts off counts, and the bound is true at every stop. The proof is
///   complete when nothing is left out that may be better than the incumbent: at the latest with the width of
///   breadth-first search.
/// - **Stops**: the report of a search that was stopped has the best path so far, if there is one. A search that is resumed
///   ends as if it had not been stopped, except after a [limit on the cost](crate::Limits::cost): states above the limit
///   take no place in a layer, so other states are left out. With a fixed width it may then find another path, or none,
///   or leave out nothing; what it reports is true.
/// - **Duplicates**: a state is expanded again in a pass only if it is reached at a smaller *g*.
/// - **Takes** memory for the states that one pass generates and does not prune: at most the width times the
///   number of layers times the successors of a state. All passes together take at most about twice the
///   time of the last. Selecting takes time linear in the layer.
/// - **Infinite spaces**: a pass follows its best states ever deeper until a solution or a limit on the cost
///   prunes them. If this may never happen, use [`Rectangle`](crate::Rectangle) search, which reaches every state.
/// - [`Report::closest`](crate::Report::closest) is the closest state of the last pass.
///
/// Source: Zhang, *Complete Anytime Beam Search*, 1998, with the doubled widths of Kuroiwa and Beck,
/// *Solving Domain-Independent Dynamic Programming Problems with Anytime Heuristic Search*, 2023.
///
/// # Example
///
/// ```
/// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
/// use bestfirst::{Beam, Limits};
///
/// let puzzle = SlidingTiles::<Packed>::new(4, 4)?;
/// let board: Board = "14 13 15 7  11 12 9 5  6 0 2 1  4 8 10 3".parse()?;
/// let start = puzzle.state(&board)?;
///
/// // 100 states of each layer:
/// let quick = Beam::new(&puzzle).width(100).search(start).run()?;
/// let factor = quick.suboptimality().expect("a path is found");
/// assert!(factor < 2.5);
///
/// // As good as 50,000 expansions allow:
/// let limits = Limits::new().expansions(50_000);
/// let better = Beam::new(&puzzle).limits(limits).search(start).run()?;
/// assert!(better.cost() <= quick.cost());
/// assert!(better.lower_bound <= 57); // the optimum
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Beam<P: SearchProblem, W = Buffered<P>, T = Hashed<P>, O = ()> {
    problem: P,
    ranking: Widths,
    expander: W,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    table: T,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A beam search of the problem `P`: what [`Beam::search`] makes.
pub type BeamSearch<P, W = Buffered<P>, T = Hashed<P>, O = ()> =
    Search<IncumbentEngine<P, BeamLayers<CostOf<P>, Id<P, T>>, W, T>, O>;

/// The widths of the passes.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Widths {
    first: usize,
    doubles: bool,
}

impl<P: SearchProblem> Beam<P> {
    /// Creates a builder for a beam search of `problem` (owned or borrowed) with the widths 1, 2, 4 and so on,
    /// a [`HashedTable`](crate::table::HashedTable), no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, Widths::DOUBLED)
    }
}

impl<P: SearchProblem, W, T, O> Beam<P, W, T, O> {
    /// Makes one pass with this width (0 counts as 1).
    pub fn width(mut self, states: usize) -> Self {
        self.ranking = Widths { first: states.max(1), doubles: false };
        self
    }

    /// Makes the first pass with this width (0 counts as 1), and each of the others with twice the width of the
    /// one before, until the best path is proved to be a cheapest one. Without it the first width is 1.
    pub fn width_from(mut self, states: usize) -> Self {
        self.ranking = Widths { first: states.max(1), doubles: true };
        self
    }
}

incumbent_builder!(
    Beam<P>,
    ranking: Widths,
    open_list: BeamLayers<P::Cost, Id<P, T>>, by BeamLayers::new,
    search: BeamSearch
);

#[cfg(feature = "parallel")]
impl<P, T, O> Beam<P, Buffered<P>, T, O>
where
    P: SearchProblem<State: Send, Action: Send, Cost: Send> + Sync,
{
    /// Generates successors and computes their heuristic values on `count` threads, one of them the calling
    /// thread. 0 stands for the number of processors; 1 is the search without threads; more than 512 would find nothing
    /// to do, and are not started. (Feature `parallel`.)
    ///
    /// The threads work ahead of the search, on the next states of the layer. The calling thread then puts what
    /// they have made into the table, state by state, as if it had made it itself:
    ///
    /// - **The report is the same**, bit for bit, as without threads, at every stop and at the end, except for
    ///   [`peak_bytes`](crate::Stats::peak_bytes).
    /// - **Limits** hold as without threads. What is made ahead takes at most about a hundredth of the memory that
    ///   is left, and is freed where memory is short.
    /// - **Time**: the table and the open list stay on one thread, so threads help where successors and
    ///   heuristic values take longer than a lookup in the table. The problem is also asked about states that turn
    ///   out to be pruned, and for the heuristic values of some duplicates.
    /// - **Panics** of the problem reach the caller, as on one thread.
    ///
    /// Not together with [`in_place`](Self::in_place).
    ///
    /// ```
    /// use bestfirst::Beam;
    /// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
    ///
    /// let puzzle = SlidingTiles::<Packed>::new(4, 4)?;
    /// let board: Board = "14 13 15 7  11 12 9 5  6 0 2 1  4 8 10 3".parse()?;
    /// let start = puzzle.state(&board)?;
    /// let one = Beam::new(&puzzle).width(500).search(start).run()?;
    /// let two = Beam::new(&puzzle).width(500).threads(2).search(start).run()?;
    /// assert_eq!(two.outcome, one.outcome);
    /// assert_eq!(two.layers, one.layers);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn threads(self, count: usize) -> Beam<P, BufferedOnThreads<P>, T, O> {
        let Self { problem, ranking, sieves, table, limits, observer, .. } = self;
        let expander = BufferedOnThreads::new(count);
        Beam { problem, ranking, expander, sieves, table, limits, observer }
    }
}

threads_need_feature!(Beam<P, W, T, O>);

/// Finds a cheapest path from `start` to a goal by [`Beam`] search with widths that double, without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, beam};
///
/// let stairs = FnProblem::new(
///     |&n: &u32| [(n + 1, 3_u32), (n + 2, 5), (n + 5, 11)],
///     |&n: &u32| if n > 19 { u32::MAX } else { 19 - n },
///     |&n: &u32| n == 19,
/// );
/// assert_eq!(beam(&stairs, 0)?.cost(), Some(43)); // 5 + 5 + 5 + 2 + 2
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn beam<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    Beam::new(problem).search(start).run_once()
}

/// The open states of [`Beam`] search: the layer that is being expanded, and the next one, of which the best
/// are kept when it begins.
pub struct BeamLayers<C, I = u32> {
    layers: Layers<C, I>,
    widths: Widths,
    width: usize,
    /// The smallest f of the states that were left out in this pass.
    least_left_out: Option<C>,
    /// The layer from which states are selected; empty otherwise.
    candidates: Vec<Candidate<C, I>>,
}

impl Widths {
    /// From 1 on.
    pub(in crate::engine) const DOUBLED: Self = Self { first: 1, doubles: true };
}

impl<C, I> BeamLayers<C, I> {
    pub(in crate::engine) fn new(widths: Widths) -> Self {
        Self {
            layers: Layers::new(),
            widths,
            width: widths.first,
            least_left_out: None,
            candidates: Vec::new(),
        }
    }
}

impl<C: Cost, I: StateId> Frontier<I, Single<C>> for BeamLayers<C, I> {
    #[inline]
    fn push(&mut self, id: I, f: Single<C>, memory: &mut Memory) -> Result<(), OutOfMemory> {
        self.layers.push(id, f, memory)
    }

    #[inline]
    fn pop(&mut self, memory: &mut Memory) -> Result<Option<(I, Single<C>)>, OutOfMemory> {
        self.layers.pop(memory)
    }

    fn least(&mut self, memory: &mut Memory) -> Result<Option<Single<C>>, OutOfMemory> {
        self.layers.least(memory)
    }

    fn for_each(&self, visit: impl FnMut(I, Single<C>)) {
        self.layers.for_each(visit);
    }

    fn retain(&mut self, keep: impl FnMut(I, Single<C>) -> bool) {
        self.layers.retain(keep);
    }

    #[inline]
    fn peek_hint(&self, ahead: usize) -> Option<I> {
        Frontier::<I, Single<C>>::peek_hint(&self.layers, ahead)
    }

    fn len(&self) -> usize {
        Frontier::<I, Single<C>>::len(&self.layers)
    }

    fn clear(&mut self) {
        Frontier::<I, Single<C>>::clear(&mut self.layers);
        self.candidates.clear();
        self.least_left_out = None;
    }
}

impl<C, I> open_list::sealed::Sealed for BeamLayers<C, I> {}

impl<P: SearchProblem, T: TableFor<P::State, P::Cost>> OpenList<P, T>
    for BeamLayers<P::Cost, Id<P, T>>
{
    const WIDENS: bool = true;

    #[inline]
    fn reserve(&mut self, additional: usize, memory: &mut Memory) -> Result<(), OutOfMemory> {
        OpenList::<P, T>::reserve(&mut self.layers, additional, memory)?;
        memory.reserve(&mut self.candidates, self.layers.next.len() + additional)
    }

    #[inline]
    fn new_entries(&self) -> &[(Id<P, T>, P::Cost)] {
        OpenList::<P, T>::new_entries(&self.layers)
    }

    #[inline]
    fn arrange(&mut self, table: &T) {
        OpenList::<P, T>::arrange(&mut self.layers, table);
    }

    #[cold]
    fn next_layer(&mut self, table: &T, incumbent: Option<P::Cost>) -> Option<P::Cost> {
        let next = &mut self.layers.next;
        if next.len() > self.width {
            // Of a state that was reached again at a smaller g, the first entry is stale.
            next.retain(|&(id, f)| {
                let record = table.load(id);
                let g_and_h = record.g().checked_add(record.h());
                !record.is_closed()
                    && incumbent.is_none_or(|cost| f < cost)
                    && (!T::Record::KEEPS_H || g_and_h == Some(f))
            });
        }
        if next.len() > self.width {
            let candidate = |&(id, f): &(Id<P, T>, P::Cost)| {
                let record = table.load(id);
                let h = if T::Record::KEEPS_H { record.h() } else { P::Cost::ZERO };
                Candidate { f, h, id }
            };
            self.candidates.clear();
            self.candidates.extend(next.iter().map(candidate));
            select(&mut self.candidates, self.width);
            next.clear();
            next.extend(self.candidates[..self.width].iter().map(|best| (best.id, best.f)));
            let left_out = self.candidates[self.width..].iter().map(|rest| rest.f);
            self.least_left_out = self.least_left_out.into_iter().chain(left_out).reduce(smaller);
            self.candidates.clear();
        }
        OpenList::<P, T>::next_layer(&mut self.layers, table, incumbent)
    }

    fn least_left_out(&self) -> Option<P::Cost> {
        self.least_left_out
    }

    fn widen(&mut self) -> bool {
        if self.widths.doubles {
            self.width = self.width.saturating_mul(2);
        }
        self.widths.doubles
    }

    fn restart(&mut self) {
        self.width = self.widths.first;
    }
}

show_fields! { [C, I] BeamLayers<C, I>, "BeamLayers" { width, layers } }
