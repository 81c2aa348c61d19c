//! [`Pareto`]: the builder.

use std::hash::BuildHasher;

use super::order::ByCriteria;
use super::search::{NotDominated, ParetoEngine};
use crate::Search;
use crate::cost::{Cost, Criteria};
use crate::engine::Order;
use crate::engine::best_first::builder::builder_of_parts;
use crate::engine::best_first::{CostOf, HashedCosts};
use crate::engine::driver::Driver;
use crate::frontier::{BucketQueue, Frontier, Lexicographic};
use crate::limits::Limits;
use crate::observer::Observer;
use crate::problem::{DenseStates, SearchProblem};
use crate::table::{CostRecord, DenseTable, HashedTable, IdOf, LabelTable, TableFor};

/// Search by several criteria: finds every path to a goal that no other path beats, the [`Front`](crate::Front).
///
/// The costs of the problem are arrays, such as `[u32; 2]` for distance and time (see [`Criteria`]). A path
/// *dominates* another if it costs no more by any criterion. The front has one path for each cost that no
/// other path dominates.
///
/// - **Finds** the complete front, in the order of the costs, with every heuristic that is admissible by each
///   criterion, consistent or not; with costs of zero, cycles, parallel steps and several goals. For a
///   heuristic that is nearly always the best choice, put the problem into an
///   [`IdealPoint`](crate::heuristics::IdealPoint); [`pareto`](crate::pareto()) does that.
/// - **Takes** one frontier operation for each label that is generated and not dominated: a path to a state.
///   With two criteria (BOA\*), a label is compared with one other and with one solution. With more (LTMOA\*),
///   it is compared with those closed labels of its state, and those solutions, that do not dominate each other
///   by all criteria but the first. The number of labels may grow exponentially with that of the states.
/// - **Memory**: every label that is expanded or open (12 bytes and its cost), and every state.
/// - **Stopped**, it has the part of the front that is proved: see [`Front`](crate::Front). Where the front is wanted by a
///   budget for each criterion, set a [limit on the cost](Limits::cost): of paths that cost more by any
///   criterion, none is expanded any further. Raise it, and the search continues with them.
///
/// [`front`](ParetoSearch::front) runs the search and builds all paths. [`run`](crate::Search::run) reports the
/// first one, which is the cheapest by the first criterion.
///
/// What is counted, and what observers are told of, are labels. An entry of the
/// [layers](crate::Report::layers) begins with each solution.
///
/// Source: Hernández, Yeoh, Baier, Zhang, Suazo, Koenig and Salzman, *Simple and efficient bi-objective search
/// algorithms via fast dominance checks*, 2023 (BOA\*); Hernández, Yeoh, Baier, Felner, Salzman, Zhang, Chan and
/// Koenig, *Multi-objective Search via Lazy and Efficient Dominance Checks*, 2023 (LTMOA\*); Pulido, Mandow and
/// Pérez-de-la-Cruz, *Dimensionality reduction in multiobjective shortest path search*, 2015 (leaving out the
/// first criterion). For heuristics that are not consistent, labels that come out of order are compared by all
/// criteria.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, Pareto};
///
/// // From 0 to 12. A walk to the next number takes 4 minutes; a ride takes 1 minute and costs 1, and gets to the
/// // next number divisible by 3.
/// let way = FnProblem::new(
///     |&n: &u32| [(n + 1, [4_u32, 0]), ((n / 3 + 1) * 3, [1, 1])],
///     |&n: &u32| if n <= 12 { [0, 0] } else { [u32::MAX; 2] }, // beyond the goal there is no way back
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

/// A search of the problem `P` by several criteria: what [`Pareto::search`] makes.
pub type ParetoSearch<P, T = HashedCosts<P>, F = BucketQueue<Lexicographic<CostOf<P>>>, O = ()> =
    Search<ParetoEngine<P, T, F>, O>;

impl<P: SearchProblem<Cost: Criteria>> Pareto<P> {
    /// Creates a builder for a search of `problem` (owned or borrowed) by several criteria, with a
    /// [`HashedTable`], a [`BucketQueue`], no limits and no observer. The heuristic is that of the problem.
    pub fn new(problem: P) -> Self {
        Self {
            problem,
            order: ByCriteria,
            table: HashedTable::default(),
            frontier: BucketQueue::new(),
            limits: Limits::new(),
            observer: (),
        }
    }
}

builder_of_parts!(
    Pareto<P>,
    where Cost: Criteria,
    order: ByCriteria,
    frontier: BucketQueue,
    record: CostRecord
);

impl<P, T, F, O> Pareto<P, T, F, O>
where
    P: SearchProblem<Cost: Criteria>,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, Lexicographic<P::Cost>>,
    O: Observer<P::State, P::Cost>,
{
    /// Creates the search, from one start.
    #[must_use = "a search does nothing until it is run"]
    pub fn search(self, start: P::State) -> ParetoSearch<P, T, F, O> {
        self.search_from([(start, P::Cost::ZERO)])
    }

    /// Creates the search, from several starts, each with its initial cost *g*.
    #[must_use = "a search does nothing until it is run"]
    pub fn search_from(
        self,
        starts: impl IntoIterator<Item = (P::State, P::Cost)>,
    ) -> ParetoSearch<P, T, F, O> {
        let Self { problem, order, table, frontier, limits, observer } = self;
        let starts = starts.into_iter().collect();
        let parts = (problem, order, NotDominated::default());
        let engine = Driver::new(parts, LabelTable::new(table), frontier, starts);
        Search::new(engine, limits, observer)
    }
}
