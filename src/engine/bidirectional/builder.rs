//! [`Bidirectional`]: the builder.

use super::search::BidirectionalEngine;
use super::strategy::{Bae, BaeKey, Nbs, NbsKey, Strategy, UniformCost};
use crate::Search;
use crate::cost::HalvableCost;
use crate::engine::best_first::{CostBuckets, CostOf, Hashed, HashedCosts};
use crate::engine::builder::{frontier_settings, search_methods};
use crate::frontier::{BucketQueue, Frontier};
use crate::limits::Limits;
use crate::problem::{Reversible, SearchProblem};
use crate::report::{ReportOf, SearchError};
use crate::table::{HashedTable, IdOf, TableFor};

/// Search from both ends: forwards from the starts and backwards from the goals, until both halves meet and
/// the path by way of them is proved to be a cheapest one.
///
/// The problem must be [`Reversible`]: it lists predecessors and goals. It may also have a heuristic for the
/// way back, [`heuristic_from`](Reversible::heuristic_from) a start. There are three algorithms:
///
/// | call | algorithm | expands next | takes |
/// |---|---|---|---|
/// | nothing else | BAE\* | the smallest *2g + h − h'* | **consistent** heuristics in both directions |
/// | [`nbs`](Self::nbs) | NBS | a pair, one state in each half, with the least lower bound | heuristics that are **admissible**, consistent or not |
/// | [`dijkstra`](Self::dijkstra) | Dijkstra's algorithm from both ends | the smallest *g* | no heuristic |
///
/// Here *h'* is the heuristic value of the state in the opposite direction. BAE\* and Dijkstra's algorithm
/// expand in the half that has fewer open states with its least key, where keys are whole numbers below 65,536,
/// and otherwise in turn.
///
/// - **Finds** a cheapest path.
/// - **Takes** one frontier operation for each state generated and one lookup in each of two tables, and
///   memory for every state generated. Where a heuristic is weak, that is often a tenth of the states of A\*
///   or less; where it is nearly perfect, A\* is better.
/// - **Ends** when the least keys of both halves prove that no path is cheaper than the best that is known.
///   It is the [incumbent](crate::Report::incumbent) of a search that is stopped.
///
/// # Which of them
///
/// **If you do not know that both heuristics are consistent, call [`nbs`](Self::nbs).** A heuristic is
/// consistent if it falls by no more than the cost of each step. Distances in a simplified problem are;
/// the maximum of several consistent heuristics is; values that are looked up in different tables for
/// different states often are not. [`check::consistent`](crate::check::consistent) tests it, for the
/// problem and for [`Reversed`](crate::Reversed).
///
/// With heuristics that are not consistent, the path that BAE\* finds is a real path at its real cost, but
/// what it proves presumes consistency. If it comes upon a contradiction (an expanded state is reached by a
/// cheaper path, or a path is cheaper than a bound that was reported), its lower bound is zero from then on, and
/// [`is_optimal`](crate::Report::is_optimal) is false.
///
/// Without heuristics, [`dijkstra`](Self::dijkstra) does the same as BAE\* in less time and memory. If a
/// heuristic is known in one direction only, BAE\* uses it for both halves.
///
/// # What reports and observers mean
///
/// - The counts are those of both halves together. An entry of the [layers](crate::Report::layers) begins
///   whenever the lower bound rises.
/// - An observer is told of the states of both halves. Of those in the backward half, *g* is the cost to a goal
///   and *h* the estimate from the start. It is told of every path that is cheaper than those before.
/// - A [limit on the cost](crate::Limits::cost) ends the search when the lower bound is above it.
/// - Starts at other costs than zero are allowed; the backward heuristic does not know of these costs. It is computed
///   from every start for each state that is reached. So an expansion, which no limit interrupts, takes time proportional
///   to the number of starts.
///
/// The builder and the engine hold two copies of the problem, so pass a reference where a copy is expensive.
///
/// Source: Sadhukhan, *A new approach to bidirectional heuristic search using error functions*, 2012, and
/// Alcázar, Riddle and Barley, *A unifying view on individual bounds and heuristic inaccuracies in
/// bidirectional search*, 2020 (BAE\*); Chen, Holte, Zilles and Sturtevant, *Front-to-End Bidirectional
/// Heuristic Search with Near-Optimal Node Expansions*, 2017 (NBS); Nicholson, *Finding the shortest route
/// between two points in a network*, 1966 (from both ends); Siag, Shperberg, Felner and Sturtevant,
/// *Front-to-End Bidirectional Heuristic Search with Consistent Heuristics*, 2023 (a comparison).
///
/// # Example
///
/// ```
/// use bestfirst::problems::pancake::PancakePuzzle;
/// use bestfirst::{AStar, Bidirectional};
///
/// let puzzle = PancakePuzzle::new(12)?.gap(2); // a weak heuristic, and consistent
/// let stack = puzzle.stack(&[1, 0, 4, 6, 5, 7, 8, 10, 11, 9, 2, 3])?;
/// let report = Bidirectional::new(&puzzle).search(stack).run()?;
/// assert!(report.is_optimal());
///
/// let forwards = AStar::new(&puzzle).search(stack).run()?;
/// assert_eq!(forwards.cost(), report.cost());
/// assert!(forwards.stats.expanded > 2 * report.stats.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Bidirectional<
    P: SearchProblem,
    R = Bae<CostOf<P>>,
    T = Hashed<P>,
    F = BucketQueue<BaeKey<CostOf<P>>>,
    O = (),
> {
    problem: P,
    order: R,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// The frontier of NBS.
type NbsBuckets<P> = BucketQueue<NbsKey<CostOf<P>>>;

/// A search of the problem `P` from both ends: what [`Bidirectional::search`] makes.
pub type BidirectionalSearch<
    P,
    R = Bae<CostOf<P>>,
    T = Hashed<P>,
    F = BucketQueue<BaeKey<CostOf<P>>>,
    O = (),
> = Search<BidirectionalEngine<P, R, T, F>, O>;

impl<P: Reversible> Bidirectional<P> {
    /// Creates a builder for a search of `problem` (owned or borrowed) from both ends by BAE\*, with two
    /// [`HashedTable`]s, two [`BucketQueue`]s, no limits and no observer.
    ///
    /// Each half holds the problem, so it is [`Clone`]. A reference always is: pass `&problem`, or an `Arc`.
    pub fn new(problem: P) -> Self
    where
        // The compiler shows this line where it is missing.
        P: Clone, // each half holds the problem: pass `&problem` or an `Arc`
    {
        Self::of(problem, Bae::new())
    }
}

impl<P: SearchProblem, R, T, F, O> Bidirectional<P, R, T, F, O> {
    /// Uses NBS: for heuristics that are admissible, and need not be consistent.
    ///
    /// It expands a pair of states next, one in each half, with the least lower bound
    /// *max(f, f', g + g' + ε)*. These are at most twice as many states as any search from both ends must expand
    /// that has only these heuristics. It takes any [`Cost`](crate::cost::Cost).
    ///
    /// This sets the table to a [`HashedTable`] and the frontier to a [`BucketQueue`], so call
    /// [`table`](Self::table), [`dense`](Self::dense) and [`frontier`](Self::frontier) after it.
    ///
    /// ```
    /// use bestfirst::{Bidirectional, Reversible, SearchProblem, Successors};
    ///
    /// /// A line of numbers. The heuristic is admissible and not consistent: it knows nothing of odd ones.
    /// struct Line;
    ///
    /// impl SearchProblem for Line {
    ///     type State = i32;
    ///     type Action = ();
    ///     type Cost = u32;
    ///     fn successors(&self, &n: &i32, next: &mut Successors<Self>) {
    ///         next.extend([((), n - 1, 1), ((), n + 1, 1)]);
    ///     }
    ///     fn heuristic(&self, &n: &i32) -> u32 {
    ///         if n % 2 == 0 { n.abs_diff(100) } else { 0 }
    ///     }
    ///     fn is_goal(&self, &n: &i32) -> bool {
    ///         n == 100
    ///     }
    /// }
    ///
    /// impl Reversible for Line {
    ///     fn predecessors(&self, n: &i32, previous: &mut Successors<Self>) {
    ///         self.successors(n, previous);
    ///     }
    ///     fn goals(&self) -> impl Iterator<Item = i32> {
    ///         [100].into_iter()
    ///     }
    /// }
    ///
    /// let report = Bidirectional::new(&Line).nbs().least_step(1).search(0).run()?;
    /// assert_eq!(report.cost(), Some(100));
    /// assert!(report.is_optimal());
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn nbs(self) -> Bidirectional<P, Nbs<P::Cost>, Hashed<P>, NbsBuckets<P>, O> {
        self.with(Nbs::new(), HashedTable::default(), BucketQueue::new())
    }

    /// Uses Dijkstra's algorithm from both ends: the heuristics are never asked. It takes any [`Cost`](crate::cost::Cost).
    ///
    /// This sets the table to a [`HashedTable`] and the frontier to a [`BucketQueue`], so call
    /// [`table`](Self::table), [`dense`](Self::dense) and [`frontier`](Self::frontier) after it.
    ///
    /// ```
    /// use bestfirst::problems::road_network::RoadNetwork;
    /// use bestfirst::Bidirectional;
    ///
    /// let network = RoadNetwork::new(4, &[(1, 2, 7), (2, 4, 5), (1, 3, 4), (3, 4, 9)])?;
    /// let node = |number| network.node(number).unwrap();
    /// let route = network.route_to(node(4));
    /// let report = Bidirectional::new(route).dijkstra().dense().search(node(1)).run()?;
    /// assert_eq!(report.path().unwrap().states(), [node(1), node(2), node(4)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dijkstra(
        self,
    ) -> Bidirectional<P, UniformCost<P::Cost>, HashedCosts<P>, CostBuckets<P>, O> {
        self.with(UniformCost::new(), HashedTable::default(), BucketQueue::new())
    }

    fn with<S, U, G>(self, order: S, table: U, frontier: G) -> Bidirectional<P, S, U, G, O> {
        let Self { problem, limits, observer, .. } = self;
        Bidirectional { problem, order, table, frontier, limits, observer }
    }
}

impl<P: SearchProblem, R: Strategy<P::Cost>, T, F, O> Bidirectional<P, R, T, F, O> {
    /// States that the costs of any two paths from a start to a goal differ by `unit` at least, if they
    /// differ at all. This holds if all steps cost a multiple of `unit`. In the sliding-tile puzzle it is 2: every
    /// path takes an even number of moves more than the shortest. The search may then end earlier: when the lower
    /// bound is less than a unit below the cost of the best path that is known. For integers, 1 need not be stated.
    ///
    /// If that is not true, what is proved need not be true. Call it after [`nbs`](Self::nbs) or
    /// [`dijkstra`](Self::dijkstra).
    ///
    /// ```
    /// use bestfirst::Bidirectional;
    /// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
    ///
    /// let puzzle = SlidingTiles::<Packed>::new(3, 3)?;
    /// let start = puzzle.state(&"8 6 7  2 5 4  3 0 1".parse()?)?;
    /// let report = Bidirectional::new(&puzzle).search(start).run()?;
    /// let sooner = Bidirectional::new(&puzzle).cost_unit(2).search(start).run()?;
    /// assert_eq!((sooner.cost(), sooner.lower_bound), (Some(27), 27));
    /// assert!(sooner.stats.expanded < report.stats.expanded);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cost_unit(mut self, unit: P::Cost) -> Self {
        self.order = self.order.with_unit(unit);
        self
    }
}

impl<P: SearchProblem, T, F, O> Bidirectional<P, Nbs<P::Cost>, T, F, O> {
    /// States that no step costs less than `cost`, so that the search may end earlier. Zero unless stated, and where it is less.
    ///
    /// If that is not true, what is proved need not be true.
    pub fn least_step(mut self, cost: P::Cost) -> Self {
        self.order = self.order.with_least_step(cost);
        self
    }
}

impl<P: SearchProblem, T, F, O> Bidirectional<P, UniformCost<P::Cost>, T, F, O> {
    /// States that no step costs less than `cost`, so that the search may end earlier. Zero unless stated, and where it is less.
    ///
    /// If that is not true, what is proved need not be true.
    pub fn least_step(mut self, cost: P::Cost) -> Self {
        self.order = self.order.with_least_step(cost);
        self
    }
}

frontier_settings!(
    Bidirectional<P, R>,
    order: R,
    frontier: BucketQueue,
    record: EstimateRecord
);

search_methods!(
    Bidirectional<P, R, T, F; O> -> BidirectionalSearch { problem, order, table, frontier },
    where {
        P: Reversible + Clone,
        R: Strategy<P::Cost>,
        T: TableFor<P::State, P::Cost> + Clone,
        F: Frontier<IdOf<T, P::State>, R::Key> + Clone,
    },
    engine: |starts| BidirectionalEngine::new(&problem, &order, &table, &frontier, starts),
    search_from: "The backward heuristic is the smallest over all starts, so it takes as long as there are many."
);

/// Finds a cheapest path from `start` to a goal from both ends, without limits. **The heuristics must be
/// consistent in both directions**; otherwise use [`Bidirectional::nbs`].
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
/// use bestfirst::{astar, bidirectional};
///
/// let puzzle = SlidingTiles::<Packed>::new(3, 3)?;
/// let board: Board = "8 6 7  2 5 4  3 0 1".parse()?;
/// let report = bidirectional(&puzzle, puzzle.state(&board)?)?;
/// assert_eq!(report.cost(), Some(27));
/// assert!(report.stats.expanded < astar(&puzzle, puzzle.state(&board)?)?.stats.expanded / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bidirectional<P>(problem: &P, start: P::State) -> Result<ReportOf<P>, SearchError<P::Cost>>
where
    P: Reversible<Cost: HalvableCost>,
{
    Bidirectional::new(problem).search(start).run_once()
}
