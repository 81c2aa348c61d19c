//! Focal search: bounded-suboptimal search by several queues that take turns.

use super::{CostOf, Hashed, ImprovingEngine, Order};
use crate::Search;
use crate::cost::ScalableCost;
use crate::engine::builder::{dominance_setting, search_methods, table_settings};
use crate::engine::driver::Driver;
use crate::engine::policy::{Improving, Rounds};
use crate::frontier::focal::within;
use crate::frontier::{FocalKey, FocalQueue};
use crate::limits::Limits;
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};
use crate::table::{HashedTable, IdOf, TableFor};

/// Focal search: finds a path of at most *w* times the least cost, and mostly expands fewer states for that
/// than [weighted A*](crate::AStar::weight).
///
/// - **Finds** a path of at most `weight` times the least cost (of the least cost itself, if `weight` is at
///   most 1), for every heuristic that never overestimates, consistent or not. If it is stopped before that is
///   proved, the report has the [best path so far](crate::Report::incumbent). An
///   [`Observer`](crate::Observer) is called for every better solution.
/// - **Order**: three queues take turns. The first holds the states whose *f* is at most *w* times the least
///   *f* of all open states, and returns the one with the fewest steps left, by
///   [`SearchProblem::steps_left`] or, without that, by *h*. The second is ordered by an estimate of the cost
///   of a solution through the state, which it learns from the expansions so far. The third is ordered by
///   *f*, which raises the bound.
/// - **Ends** when the incumbent costs at most *w* times the least *f* of the open states.
/// - **Takes** three frontier operations for each edge, so an expansion takes two to three times as long as in
///   weighted A*; memory for every state that it generates and does not prune, with three entries in queues.
///
/// The queues hold one heuristic in three orders. Several heuristics in turn are not supported: a
/// [record](crate::table::Record) keeps one *h*.
///
/// Source: Fickert, Gu and Ruml, *New Results in Bounded-Suboptimal Search*, 2022 (queues that take turns);
/// Pearl and Kim, *Studies in Semi-Admissible Heuristics*, 1982 (the focal list); Thayer, Dionne and Ruml,
/// *Learning Inadmissible Heuristics During Search*, 2011 (the estimate).
///
/// # Example
///
/// ```
/// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
/// use bestfirst::{AStar, Focal};
///
/// let puzzle = SlidingTiles::<Packed>::new(4, 4)?;
/// let board: Board = "0 1 9 7  11 13 5 3  14 12 4 2  8 6 10 15".parse()?;
/// let start = puzzle.state(&board)?;
/// let report = Focal::new(&puzzle, 1.2).search(start).run()?;
/// assert!(report.suboptimality() <= Some(1.2));
/// let weighted = AStar::new(&puzzle).weight(1.2).search(start).run()?;
/// assert!(report.stats.expanded < weighted.stats.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Focal<P: SearchProblem, T = Hashed<P>, O = ()> {
    problem: P,
    order: ByTurns,
    table: T,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A focal search of the problem `P`: what [`Focal::search`] makes.
pub type FocalSearch<P, T = Hashed<P>, O = ()> = Search<
    ImprovingEngine<P, ByTurns, T, FocalQueue<CostOf<P>, IdOf<T, <P as SearchProblem>::State>>>,
    O,
>;

impl<P: SearchProblem> Focal<P> {
    /// Creates a builder for a focal search of `problem` (owned or borrowed) for a path of at most `weight`
    /// times the least cost, with a [`HashedTable`], no limits and no observer. A weight that is negative or
    /// not finite is a [`SearchError::Weight`] of the search.
    pub fn new(problem: P, weight: f64) -> Self {
        Self {
            problem,
            order: ByTurns::new(weight),
            table: HashedTable::default(),
            limits: Limits::new(),
            observer: (),
        }
    }
}

table_settings!(
    Focal<P; T; O> { problem, order },
    record: EstimateRecord,
    dense: EstimateRecord
);

dominance_setting!(Focal<P; T; O>, record: EstimateRecord);

search_methods!(
    Focal<P, T; O> -> FocalSearch { problem, order, table },
    where {
        P: SearchProblem<Cost: ScalableCost>,
        T: TableFor<P::State, P::Cost>,
    },
    engine: |starts| {
        let frontier = FocalQueue::new(order.weight);
        Driver::new((problem, order, Improving::default()), table, frontier, starts)
    }
);

impl<P: SearchProblem, T, O> Focal<P, T, O> {
    /// Numbers the states with 63 bits instead of 31: for more than 2³¹ − 1 states, where the narrow
    /// ids stop the search with [`StopReason::States`](crate::StopReason::States). This sets the
    /// table to a [`HashedTable`].
    pub fn wide_ids(self) -> Focal<P, Hashed<P, u64>, O> {
        self.table(HashedTable::default())
    }
}

/// Finds a path from `start` to a goal of at most `weight` times the least cost by [`Focal`] search, without
/// limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type, or the weight is negative
/// or not finite.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, focal};
///
/// let to_100 = FnProblem::new(
///     |&n: &u32| [(n + 1, 1_u32), (n * 2, 5)],
///     |&n: &u32| u32::from(n != 100),
///     |&n: &u32| n == 100,
/// );
/// assert!(focal(&to_100, 2, 1.5)?.suboptimality() <= Some(1.5));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn focal<P: SearchProblem<Cost: ScalableCost>>(
    problem: &P,
    start: P::State,
    weight: f64,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    Focal::new(problem, weight).search(start).run_once()
}

/// The order of [`Focal`] search, by three queues that take turns.
#[derive(Clone, Copy, Debug)]
pub struct ByTurns {
    weight: f64,
    /// By how much f has risen from states to the best of their successors, all in all.
    risen: f64,
    expansions: f64,
}

impl ByTurns {
    fn new(weight: f64) -> Self {
        Self { weight, risen: 0.0, expansions: 0.0 }
    }
}

impl<C: ScalableCost> Order<C> for ByTurns {
    type Key = FocalKey<C>;

    #[inline]
    fn key(&self, g: C, h: C, f: C) -> FocalKey<C> {
        self.key_by_steps(g, h, f, || None)
    }

    #[inline]
    fn is_current(&self, key: FocalKey<C>, _g: C, _h: C, f: C) -> bool {
        key.f == f
    }

    fn validate(&self) -> Result<(), SearchError<C>> {
        if self.weight.is_finite() && self.weight >= 0.0 {
            Ok(())
        } else {
            Err(SearchError::Weight { weight: self.weight.into() })
        }
    }
}

impl<C: ScalableCost> Rounds<C> for ByTurns {
    #[inline]
    fn key_by_steps(&self, _g: C, h: C, f: C, steps: impl FnOnce() -> Option<u32>) -> FocalKey<C> {
        let h = h.to_f64();
        let (steps, rise) = match steps() {
            Some(steps) => {
                let steps = f64::from(steps);
                (steps, steps * self.risen / self.expansions.max(1.0))
            }
            // Without a number of steps, h is taken for it.
            None => (h, h * self.risen / self.expansions.max(1.0)),
        };
        FocalKey { f, estimate: f.to_f64() + rise, steps, least_f: f }
    }

    #[inline]
    fn ends_round(&self, key: FocalKey<C>, cost: C) -> bool {
        within(self.weight, key.least_f).is_none_or(|most| cost <= most)
    }

    #[inline]
    fn learn(&mut self, f: C, successor: C) {
        let rise = successor.to_f64() - f.to_f64();
        if rise.is_finite() {
            self.risen += rise.max(0.0);
            self.expansions += 1.0;
        }
    }

    fn restart(&mut self) {
        *self = Self::new(self.weight);
    }
}
