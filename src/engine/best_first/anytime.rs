//! Anytime A*: a first solution soon, and better ones until the best is proved.

use super::builder::best_first_builder;
use super::{ByWeightedF, Hashed, ImprovingEngine, Order, PriorityHeap};
use crate::Search;
use crate::cost::ScalableCost;
use crate::engine::policy::Rounds;
use crate::frontier::Priority;
use crate::limits::Limits;
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};

/// Anytime A*: weighted A* that goes on from its first solution to better ones, until it has proved that
/// there is no better one.
///
/// - **Finds** a cheapest path when it ends, for every heuristic that never overestimates, consistent or
///   not. If it is stopped before, the report has the [best path so far](crate::Report::incumbent) and a
///   lower bound, and [`suboptimality`](crate::Report::suboptimality) is the factor that is proved. An
///   [`Observer`](crate::Observer) is called for every better solution, with its cost and the bound.
/// - **Order**: by *g + w·h*, in rounds of falling weights *w*. A round ends when no open state has a smaller
///   *g + w·h* than the incumbent costs. The table and the open list are kept; only the keys of the open
///   states change. In a round with *w* > 1 a state that was expanded in it waits for the next round when a
///   cheaper path to it is found. [`weights`](Self::weights) sets the schedule; with a single
///   [`weight`](Self::weight) there are no rounds, and reopened states do not wait.
/// - **Prunes** states whose *g + h* is no less than the cost of the incumbent.
/// - **Takes** one frontier operation for each edge, and one for each open state and round; memory for every
///   state that it generates and does not prune.
///
/// Source: Likhachev, Gordon and Thrun, *ARA\*: Anytime A\* with Provable Bounds on Sub-Optimality*, 2003;
/// with a single weight, Hansen and Zhou, *Anytime Heuristic Search*, 2007.
///
/// # Example
///
/// ```
/// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
/// use bestfirst::{AnytimeAStar, Limits, Outcome};
///
/// let puzzle = SlidingTiles::<Packed>::new(4, 4)?;
/// let board: Board = "0 1 9 7  11 13 5 3  14 12 4 2  8 6 10 15".parse()?;
/// let limits = Limits::new().expansions(50_000);
/// let mut search = AnytimeAStar::new(&puzzle).limits(limits).search(puzzle.state(&board)?);
///
/// let report = search.run()?; // stopped early: a path, and a factor that it is within
/// assert!(matches!(report.outcome, Outcome::Stopped(_)));
/// let factor = report.suboptimality().expect("a path is found");
/// assert!(factor > 1.0 && factor < 2.0);
///
/// search.set_limits(Limits::new());
/// let report = search.run()?;
/// assert!(report.is_optimal());
/// assert_eq!(report.cost(), Some(42));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct AnytimeAStar<P: SearchProblem, T = Hashed<P>, F = PriorityHeap<P>, O = ()> {
    problem: P,
    order: ByFallingWeight,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A search of the problem `P` by anytime A*: what [`AnytimeAStar::search`] makes.
pub type AnytimeAStarSearch<P, T = Hashed<P>, F = PriorityHeap<P>, O = ()> =
    Search<ImprovingEngine<P, ByFallingWeight, T, F>, O>;

/// The weights that a builder begins with.
const WEIGHTS: [f64; 6] = [5.0, 3.0, 2.0, 1.5, 1.2, 1.1];

impl<P: SearchProblem> AnytimeAStar<P> {
    /// Creates a builder for an anytime search of `problem` (owned or borrowed), with the weights 5, 3, 2,
    /// 1.5, 1.2, 1.1 and 1, a [`HashedTable`](crate::table::HashedTable), a [`LazyHeap`](crate::frontier::LazyHeap), no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, ByFallingWeight::new(WEIGHTS.to_vec()))
    }
}

impl<P: SearchProblem, T, F, O> AnytimeAStar<P, T, F, O> {
    /// Searches in rounds with these weights, which must fall; a round with the weight 1 is added at the end.
    /// A weight that is less than 1, not finite, or not less than the one before it is a
    /// [`SearchError::Weight`] of the search.
    ///
    /// ```
    /// use bestfirst::{AnytimeAStar, FnProblem};
    ///
    /// let hill = FnProblem::new(
    ///     |&(x, y): &(i32, i32)| [((x + 1, y), 1_u32), ((x - 1, y), 1), ((x, y + 1), 3), ((x, y - 1), 1)],
    ///     |&(x, y)| x.abs_diff(20) + y.abs_diff(20),
    ///     |&place| place == (20, 20),
    /// );
    /// let report = AnytimeAStar::new(&hill).weights([2.0, 1.5]).search((0, 0)).run()?;
    /// assert_eq!(report.cost(), Some(80));
    /// assert!(AnytimeAStar::new(&hill).weights([1.5, 2.0]).search((0, 0)).run().is_err());
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn weights(mut self, weights: impl IntoIterator<Item = f64>) -> Self {
        self.order = ByFallingWeight::new(weights.into_iter().collect());
        self
    }

    /// Searches with this weight from beginning to end, without rounds. A weight that is negative or not
    /// finite is a [`SearchError::Weight`] of the search.
    ///
    /// There is nothing to sort again, but open states that can improve on the incumbent are found only
    /// where the weighted order comes upon them.
    pub fn weight(mut self, weight: f64) -> Self {
        self.order = ByFallingWeight::constant(weight);
        self
    }
}

best_first_builder!(
    AnytimeAStar<P>,
    order: ByFallingWeight,
    frontier: LazyHeap,
    record: EstimateRecord,
    search: AnytimeAStarSearch,
    cost: ScalableCost
);

/// Finds a cheapest path from `start` to a goal by [`AnytimeAStar`], without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, anytime_astar};
///
/// let to_100 = FnProblem::new(
///     |&n: &u32| [(n + 1, 1_u32), (n * n, 5)].into_iter().filter(|&(n, _)| n <= 100),
///     |&n: &u32| u32::from(n != 100),
///     |&n: &u32| n == 100,
/// );
/// assert_eq!(anytime_astar(&to_100, 2)?.cost(), Some(12));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn anytime_astar<P: SearchProblem<Cost: ScalableCost>>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    AnytimeAStar::new(problem).search(start).run_once()
}

/// The order of anytime A*: by *g + w·h*, where *w* falls from round to round.
#[derive(Clone, Debug)]
pub struct ByFallingWeight {
    /// The weights of the rounds, the last of which is 1; or one weight, and no rounds.
    weights: Vec<f64>,
    round: usize,
    current: ByWeightedF,
    has_rounds: bool,
}

impl ByFallingWeight {
    fn new(mut weights: Vec<f64>) -> Self {
        if weights.last() != Some(&1.0) {
            weights.push(1.0);
        }
        let current = ByWeightedF::new(weights[0]);
        Self { weights, round: 0, current, has_rounds: true }
    }

    fn constant(weight: f64) -> Self {
        let current = ByWeightedF::new(weight);
        Self { weights: vec![weight], round: 0, current, has_rounds: false }
    }

    /// Whether the order is that of *f*.
    #[inline]
    fn is_last(&self) -> bool {
        self.round + 1 == self.weights.len()
    }
}

impl<C: ScalableCost> Order<C> for ByFallingWeight {
    type Key = Priority<C>;

    #[inline]
    fn key(&self, g: C, h: C, f: C) -> Priority<C> {
        if self.has_rounds && self.is_last() {
            // Scaling by 1 would round large whole numbers.
            return Priority { first: f, second: h };
        }
        self.current.key(g, h, f)
    }

    #[inline]
    fn h_of(&self, key: Priority<C>) -> Option<C> {
        Some(key.second)
    }

    fn validate(&self) -> Result<(), SearchError<C>> {
        if !self.has_rounds {
            return Order::<C>::validate(&self.current);
        }
        let mut last = f64::INFINITY;
        for &weight in &self.weights {
            if !(weight >= 1.0 && weight < last) {
                return Err(SearchError::Weight { weight: weight.into() });
            }
            last = weight;
        }
        Ok(())
    }
}

impl<C: ScalableCost> Rounds<C> for ByFallingWeight {
    #[inline]
    fn ends_round(&self, key: Priority<C>, cost: C) -> bool {
        self.has_rounds && key.first >= cost
    }

    fn next_round(&mut self) -> bool {
        if self.is_last() {
            return false;
        }
        self.round += 1;
        self.current = ByWeightedF::new(self.weights[self.round]);
        true
    }

    #[inline]
    fn delays_reopened(&self) -> bool {
        !self.is_last()
    }

    fn restart(&mut self) {
        self.round = 0;
        self.current = ByWeightedF::new(self.weights[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fall_from_round_to_round() {
        let mut order = ByFallingWeight::new(vec![3.0, 1.5]);
        assert_eq!(Order::<u32>::validate(&order), Ok(()));
        let mut keys = Vec::new();
        loop {
            keys.push(Order::<u32>::key(&order, 10, 4, 14).first);
            if !Rounds::<u32>::next_round(&mut order) {
                break;
            }
        }
        assert_eq!(keys, [22, 16, 14]);
        Rounds::<u32>::restart(&mut order);
        assert_eq!(Order::<u32>::key(&order, 10, 4, 14).first, 22);
        for weights in
            [vec![0.5], vec![2.0, 2.0], vec![f64::NAN], vec![f64::INFINITY], vec![1.0, 2.0]]
        {
            let order = ByFallingWeight::new(weights);
            assert!(matches!(Order::<u32>::validate(&order), Err(SearchError::Weight { .. })));
        }
        assert_eq!(Order::<u32>::validate(&ByFallingWeight::new(Vec::new())), Ok(()));
    }
}
