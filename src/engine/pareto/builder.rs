//! [`Pareto`]: the builder.

use super::order::ByCriteria;
use super::search::{NotDominated, ParetoEngine};
use crate::Search;
use crate::cost::Criteria;
use crate::engine::best_first::{CostOf, HashedCosts};
use crate::engine::builder::{frontier_settings, search_methods};
use crate::engine::driver::Driver;
use crate::frontier::{BucketQueue, Frontier, Lexicographic};
use crate::limits::Limits;
use crate::problem::SearchProblem;
use crate::table::{IdOf, LabelTable, TableFor};

/// Multi-criteria search: finds the Pareto front, with a path for every undominated cost; see [`Front`](crate::Front).
///
/// The costs of the problem are arrays, such as `[u32; 2]` for distance and time (see [`Criteria`]). A path
/// *dominates* another if it costs no more by any criterion. The front has one path for each cost that no
/// other path dominates.
///
/// - **Finds** the complete front, in the order of the costs, with every heuristic that is admissible by each
///   criterion, consistent or not; with costs of zero, cycles, parallel steps and several goals. The best
///   heuristic is nearly always [`IdealPoint`](crate::heuristics::IdealPoint), which wraps the problem;
///   [`pareto`](crate::pareto()) uses it.
/// - **Takes** one frontier operation for each generated label (a path to a state) that is not dominated.
///   With two criteria (BOA\*), a label is compared with one other and with one solution. With more (LTMOA\*),
///   it is compared with those closed labels of its state, and those solutions, that do not dominate each other
///   by all criteria but the first. The number of labels may grow exponentially with that of the states.
/// - **Memory**: every label that is expanded or open (12 bytes and its cost), and every state.
/// - **Stopped**, it returns the proved part of the front: see [`Front`](crate::Front). For a
///   budget by each criterion, set a [limit on the cost](Limits::cost): paths that exceed it by any
///   criterion are not expanded. Raise it, and the search continues with them.
///
/// [`front`](ParetoSearch::front) runs the search and builds all paths. [`run`](crate::Search::run) reports the
/// first one, which is the cheapest by the first criterion.
///
/// Counts and observers refer to labels. Each solution begins an entry of the
/// [layers](crate::Report::layers).
///
/// Source: Hernández, Yeoh, Baier, Zhang, Suazo, Koenig and Salzman, *Simple and efficient bi-objective search
/// algorithms via fast dominance checks*, 2023 (BOA\*); Hernández, Yeoh, Baier, Felner, Salzman, Zhang, Chan and
/// Koenig, *Multi-objective Search via Lazy and Efficient Dominance Checks*, 2023 (LTMOA\*); Pulido, Mandow and
/// Pérez-de-la-Cruz, *Dimensionality reduction in multiobjective shortest path search*, 2015 (leaving out the
/// first criterion). With an inconsistent heuristic, labels that are popped out of order are compared by all
/// criteria.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, Pareto};
///
/// // From 0 to 12. Walking to the next number takes 4 minutes; a ride to the next number divisible by 3 takes
/// // 1 minute and costs 1.
/// let way = FnProblem::new(
///     |&n: &u32| [(n + 1, [4_u32, 0]), ((n / 3 + 1) * 3, [1, 1])],
///     |&n: &u32| if n <= 12 { [0, 0] } else { [u32::MAX; 2] }, // numbers beyond the goal are dead ends
///     |&n: &u32| n == 12,
/// );
/// let front = Pareto::new(&way).search(1).front()?;
/// assert!(front.costs().eq([[4, 4], [11, 3], [22, 2], [33, 1], [44, 0]]));
/// assert_eq!(front.paths()[1].states(), [1, 2, 3, 6, 9, 12]); // walk to 3, then ride
/// # Ok::<(), bestfirst::SearchError<[u32; 2]>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Pareto<
    P: SearchProblem<Cost: Criteria>,
    T = HashedCosts<P>,
    F = BucketQueue<Lexicographic<CostOf<P>>>,
    O = (),
> {
    problem: P,
    order: ByCriteria,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A multi-criteria search of the problem `P`; created by [`Pareto::search`].
pub type ParetoSearch<P, T = HashedCosts<P>, F = BucketQueue<Lexicographic<CostOf<P>>>, O = ()> =
    Search<ParetoEngine<P, T, F>, O>;

impl<P: SearchProblem<Cost: Criteria>> Pareto<P> {
    /// Creates a builder for a search of `problem` (owned or borrowed) by several criteria, with a
    /// [`HashedTable`](crate::table::HashedTable), a [`BucketQueue`], no limits and no observer. The heuristic is that of the problem.
    pub fn new(problem: P) -> Self {
        Self::of(problem, ByCriteria)
    }
}

frontier_settings!(
    Pareto<P>,
    where Cost: Criteria,
    order: ByCriteria,
    frontier: BucketQueue,
    record: CostRecord
);

search_methods!(
    Pareto<P, T, F; O> -> ParetoSearch { problem, order, table, frontier },
    where {
        P: SearchProblem<Cost: Criteria>,
        T: TableFor<P::State, P::Cost>,
        F: Frontier<IdOf<T, P::State>, Lexicographic<P::Cost>>,
    },
    engine: |starts| {
        let parts = (problem, order, NotDominated::default());
        Driver::new(parts, LabelTable::new(table), frontier, starts)
    }
);
