//! [`KBest`]: the builder of a search for the k best paths.

use super::{KBestEngine, Listing};
use crate::Search;
use crate::engine::best_first::{Buckets, CostBuckets, Hashed, HashedCosts};
use crate::engine::builder::{frontier_settings, search_methods};
use crate::engine::{ByF, ByG, Order};
use crate::frontier::{BucketQueue, Frontier};
use crate::limits::Limits;
use crate::problem::SearchProblem;
use crate::table::{HashedTable, IdOf, TableFor};

/// The k best paths: as many paths as you need, in the order of their costs.
///
/// The search is an iterator over paths. It searches only as far as necessary for the next one.
///
/// - **Finds** every path from a start to a goal, each once, a cheapest one first, for every admissible
///   heuristic, consistent or not. The order of paths of equal cost is deterministic.
/// - **Counts as a path** every sequence of actions from a start to a goal. Parallel steps between two
///   states, and cycles and loops (at no cost, too), give different paths; with [`by_states`](Self::by_states), parallel
///   steps do not. Every goal
///   ends a path, and a path may lead through a goal to another one or back to the same. A start that is a goal is a
///   path without steps. [`simple`](Self::simple) excludes paths that visit a state twice.
/// - **Ends** when all paths were returned. If a cycle leads to a goal, there are infinitely many.
/// - **Takes** the time of A\* for the first path. For others it expands the expanded states once more to record
///   the steps between them (these count as expansions), and stores about 20 bytes for each
///   step. After that, each path takes a few heap operations and the time to build it. If a path may cost more
///   than the least *f* of the open states, the search continues first, by a sixteenth of the expanded states each time.
///
/// Sums of floats are compared exactly: paths whose costs differ only by rounding may come in another order.
///
/// Source: Linares López and Herman, *Evolving A\* to Efficiently Solve the κ Shortest-Path Problem*, 2024 (BELA\*:
/// A\* that stores the steps outside its tree and continues until the next path is proved); Eppstein, *Finding the k
/// Shortest Paths*, 1998 (heaps of these steps, shared by paths with a common prefix); Aljazzar and Leue,
/// *K\*: A heuristic search algorithm for finding the k shortest paths*, 2011 (both together).
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, KBest, Limits, Outcome};
///
/// let problem = FnProblem::new(
///     |&n: &u32| [(n + 1, 2_u32), (n + 2, 3)], |&n: &u32| 6_u32.saturating_sub(n), |&n: &u32| n == 6,
/// );
/// let mut search = KBest::new(&problem).limits(Limits::new().expansions(1000)).search(0);
/// let best: Vec<_> = search.by_ref().take(3).collect::<Result<_, _>>()?;
/// assert_eq!(best[0].states(), [0, 2, 4, 6]);
/// assert!(best.iter().map(|path| path.cost()).eq([9, 10, 10]));
///
/// // A report of the next path and the proved bound, without advancing the iterator.
/// let report = search.run()?;
/// assert_eq!((report.cost(), report.lower_bound), (Some(10), 10));
/// assert_eq!(search.next().unwrap()?.cost(), 10);
/// assert_eq!(search.returned(), 4);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
///
/// # Limits
///
/// At a limit the iterator returns `None`, and [`run`](crate::Search::run) reports the limit and a lower bound on the
/// cost of the next path. Raise the limit, and the iterator continues with the next path.
#[doc(alias = "yen")]
#[derive(Clone, Debug)]
#[must_use]
pub struct KBest<P: SearchProblem, R = ByF, T = Hashed<P>, F = Buckets<P>, O = ()> {
    problem: P,
    order: Listing<R>,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A search for the k best paths of the problem `P`, and an iterator over them; created by [`KBest::search`].
pub type KBestSearch<P, R = ByF, T = Hashed<P>, F = Buckets<P>, O = ()> =
    Search<KBestEngine<P, R, T, F>, O>;

impl<P: SearchProblem> KBest<P> {
    /// Creates a builder for a search for the best paths of `problem` (owned or borrowed), with a [`HashedTable`], a
    /// [`BucketQueue`], no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, Listing::new(ByF))
    }
}

impl<P: SearchProblem, R, T, F, O> KBest<P, R, T, F, O> {
    /// Excludes paths that visit a state twice.
    ///
    /// ```
    /// use bestfirst::{FnProblem, KBest};
    ///
    /// // A ring with steps of cost 1 in both directions.
    /// let ring = FnProblem::new(|&n: &u8| [((n + 1) % 6, 1), ((n + 5) % 6, 1)], |_: &u8| 0, |&n: &u8| n == 2);
    /// let simple: Vec<_> = KBest::new(&ring).simple().search(0).collect::<Result<_, _>>()?;
    /// assert!(simple.iter().map(|path| path.cost()).eq([2_u32, 4]));
    ///
    /// let all = KBest::new(&ring).search(0).map(|path| path.unwrap().cost());
    /// assert!(all.take(4).eq([2, 4, 4, 4]));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn simple(mut self) -> Self {
        self.order.is_simple = true;
        self
    }

    /// Counts paths through the same states as one path, at its least cost: of several steps from one state to another,
    /// only the cheapest is taken, the first among equals. Together with [`simple`](Self::simple) or without it.
    ///
    /// This is what is asked for where a step is told by the states that it joins, as on maps. By default every
    /// sequence of actions is a path of its own.
    ///
    /// ```
    /// use bestfirst::problems::road_network::RoadNetwork;
    /// use bestfirst::KBest;
    ///
    /// let arcs = [(1, 2, 3), (1, 2, 3), (1, 2, 9), (1, 3, 4), (3, 2, 1)];
    /// let network = RoadNetwork::builder().keep_parallel_arcs().build(3, &arcs)?;
    /// let (one, two) = (network.node(1).unwrap(), network.node(2).unwrap());
    /// let problem = network.route_to(two);
    /// let by_steps = KBest::new(&problem).search(one).map(|path| path.unwrap().cost());
    /// assert!(by_steps.eq([3, 3, 5, 9]));
    /// let by_states = KBest::new(&problem).by_states().search(one).map(|path| path.unwrap().cost());
    /// assert!(by_states.eq([3, 5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_states(mut self) -> Self {
        self.order.is_by_states = true;
        self
    }

    /// Searches without the heuristic, as Dijkstra's algorithm does (BELA₀). This sets the table and the frontier.
    pub fn dijkstra(self) -> KBest<P, ByG, HashedCosts<P>, CostBuckets<P>, O> {
        let Self { problem, order, limits, observer, .. } = self;
        let (order, table, frontier) =
            (order.with_order(ByG), HashedTable::default(), BucketQueue::new());
        KBest { problem, order, table, frontier, limits, observer }
    }
}

frontier_settings!(
    KBest<P, R>,
    order: Listing<R>,
    frontier: BucketQueue,
    record: EstimateRecord
);

search_methods!(
    KBest<P, R, T, F; O> -> KBestSearch { problem, order, table, frontier },
    where {
        P: SearchProblem,
        R: Order<P::Cost>,
        T: TableFor<P::State, P::Cost>,
        F: Frontier<IdOf<T, P::State>, R::Key>,
    },
    engine: |starts| KBestEngine::new(problem, order, table, frontier, starts),
    search: "It is an iterator over the paths.",
    search_from: "A start that is given twice with the same cost counts once."
);

/// Returns a lazy iterator over the paths from `start` to the goals in the order of their costs, by [`KBest`] without
/// limits.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, k_best};
///
/// let problem = FnProblem::new(
///     |&n: &u32| [(n + 1, 1_u32), (n * 2, 3)], |&n: &u32| u32::from(n != 10), |&n: &u32| n == 10,
/// );
/// let mut costs = Vec::new();
/// for path in k_best(&problem, 3).take(3) {
///     let path = path?; // an error if a cost is negative, NaN or too large for its type
///     path.verify(&problem).expect("every path replays");
///     costs.push(path.cost());
/// }
/// assert_eq!(costs, [5, 6, 7]);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "yen")]
pub fn k_best<P: SearchProblem>(problem: &P, start: P::State) -> KBestSearch<&P> {
    KBest::new(problem).search(start)
}
