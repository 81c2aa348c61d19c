//! Bounded-cost search: any path of at most a given cost.

use super::builder::best_first_builder;
use super::{CostOf, Hashed, ImprovingEngine, Order};
use crate::Search;
use crate::cost::ScalableCost;
use crate::engine::policy::Rounds;
use crate::frontier::{LazyHeap, Ratio};
use crate::limits::Limits;
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};

/// The default frontier of bounded-cost search.
type RatioHeap<P> = LazyHeap<Ratio<CostOf<P>>>;

/// Bounded-cost search by potential search: any path of at most a given cost, as soon as possible.
///
/// - **Finds** a path that costs at most `most`, for every heuristic that never overestimates, if there is
///   one. Otherwise it ends with [`StopReason::Cost`](crate::StopReason::Cost) and a lower bound above
///   `most`, or with [`Outcome::Exhausted`](crate::Outcome::Exhausted) if there is no path at all.
/// - **Order**: the smallest *h / (most − g)* first, what is left to go by what may still be spent. States
///   whose *f* is above `most` are set aside.
/// - **Takes** one frontier operation for each edge, and memory for every state that it generates.
///
/// A limit on the [cost](Limits::cost) may be set beside it; the smaller one counts.
///
/// Source: Stern, Puzis and Felner, *Potential Search: A Bounded-Cost Search Algorithm*, 2011.
///
/// # Example
///
/// ```
/// use bestfirst::{BoundedCost, FnProblem, Outcome, StopReason};
///
/// let hill = FnProblem::new(
///     |&(x, y): &(i32, i32)| [((x + 1, y), 1_u32), ((x - 1, y), 1), ((x, y + 1), 3), ((x, y - 1), 1)],
///     |&(x, y)| x.abs_diff(20) + y.abs_diff(20),
///     |&place| place == (20, 20),
/// );
/// let report = BoundedCost::new(&hill, 90).search((0, 0)).run()?;
/// assert!(report.cost() <= Some(90));
///
/// let report = BoundedCost::new(&hill, 79).search((0, 0)).run()?;
/// assert_eq!(report.outcome, Outcome::Stopped(StopReason::Cost));
/// assert_eq!(report.lower_bound, 80); // no path costs less
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct BoundedCost<P: SearchProblem, T = Hashed<P>, F = RatioHeap<P>, O = ()> {
    problem: P,
    order: ByPotential<P::Cost>,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A bounded-cost search of the problem `P`: what [`BoundedCost::search`] makes.
pub type BoundedCostSearch<P, T = Hashed<P>, F = RatioHeap<P>, O = ()> =
    Search<ImprovingEngine<P, ByPotential<CostOf<P>>, T, F>, O>;

impl<P: SearchProblem> BoundedCost<P> {
    /// Creates a builder for a search of `problem` (owned or borrowed) for a path that costs at most `most`,
    /// with a [`HashedTable`](crate::table::HashedTable), a [`LazyHeap`], no limits and no observer. A bound that is not a number is a
    /// [`SearchError::NotANumber`] of the search.
    pub fn new(problem: P, most: P::Cost) -> Self {
        Self::of(problem, ByPotential { most })
    }
}

best_first_builder!(
    BoundedCost<P>,
    order: ByPotential<P::Cost>,
    frontier: LazyHeap,
    record: EstimateRecord,
    search: BoundedCostSearch,
    cost: ScalableCost
);

/// Finds a path from `start` to a goal that costs at most `most` by [`BoundedCost`] search, without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, bounded_cost};
///
/// let to_100 = FnProblem::new(
///     |&n: &u32| (n < 100).then(|| [(n + 1, 1_u32), (n * n, 5)]).into_iter().flatten(),
///     |&n: &u32| u32::from(n != 100),
///     |&n: &u32| n == 100,
/// );
/// assert!(bounded_cost(&to_100, 2, 50)?.cost() <= Some(50));
/// assert!(bounded_cost(&to_100, 2, 11)?.path().is_none()); // the least is 12
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn bounded_cost<P: SearchProblem<Cost: ScalableCost>>(
    problem: &P,
    start: P::State,
    most: P::Cost,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    BoundedCost::new(problem, most).search(start).run_once()
}

/// The order of potential search: the smallest *h / (most − g)* first, among equals the smallest *h*.
#[derive(Clone, Copy, Debug)]
pub struct ByPotential<C> {
    most: C,
}

impl<C: ScalableCost> Order<C> for ByPotential<C> {
    type Key = Ratio<C>;

    #[inline]
    fn key(&self, g: C, h: C, _f: C) -> Ratio<C> {
        let left = self.most.to_f64() - g.to_f64();
        let ratio = if h <= C::ZERO {
            0.0
        } else if left > 0.0 {
            h.to_f64() / left
        } else {
            f64::INFINITY
        };
        Ratio::new(ratio, h)
    }

    #[inline]
    fn h_of(&self, key: Ratio<C>) -> Option<C> {
        Some(key.second)
    }

    fn validate(&self) -> Result<(), SearchError<C>> {
        if self.most.is_number() {
            Ok(())
        } else {
            Err(SearchError::NotANumber { g: C::ZERO, value: self.most })
        }
    }
}

impl<C: ScalableCost> Rounds<C> for ByPotential<C> {
    #[inline]
    fn highest_cost(&self) -> Option<C> {
        Some(self.most)
    }

    #[inline]
    fn ends_round(&self, _key: Ratio<C>, _cost: C) -> bool {
        // The first solution is the answer.
        true
    }
}
