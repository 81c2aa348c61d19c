//! Partial-expansion A*: stores only the successors that are needed next.

use super::Policy;
use crate::Search;
use crate::cost::{Cost, smaller};
use crate::engine::best_first::builder::best_first_builder;
use crate::engine::best_first::{CostOf, Hashed};
use crate::engine::core::Core;
use crate::engine::driver::Driver;
use crate::engine::parts::{Parts, With};
use crate::engine::relaxation::{HeadOf, Known, Trail};
use crate::engine::{Order, Run};
use crate::frontier::{Key, LazyHeap};
use crate::limits::Limits;
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};
use crate::table::{Record, Table};

/// Partial-expansion A\*: A\* that stores only those successors of a state whose *f* is at most the value that the
/// state was taken out with. If any are left out, the state goes back into the frontier with the least *f* of those,
/// and is expanded again when its turn comes.
///
/// - **Optimal**, as [`AStar`](crate::AStar), for every heuristic that never overestimates.
/// - **Memory**: A\* stores all successors of every state that it expands; this stores those of *f* up to the cost of
///   the solution only. Where states have many successors, most of them too expensive, that is a small part: it was
///   made for the alignment of several sequences.
/// - **Time**: a state is expanded, and its successors are evaluated, once for each different *f* among its
///   successors, up to the cost of the solution.
///
/// Source: Yoshizumi, Miura and Ishida, *A\* with Partial Expansion for Large Branching Factor Problems*, 2000.
///
/// # Example
///
/// ```
/// use bestfirst::{AStar, FnProblem, PartialExpansion};
///
/// // From 0 to 60 by steps of 1 to 50, each of which costs its square.
/// let problem = FnProblem::new(
///     |&n: &u32| (1..=50).map(move |step| (n + step, step * step)),
///     |&n: &u32| 60_u32.saturating_sub(n),
///     |&n: &u32| n == 60,
/// );
/// let whole = AStar::new(&problem).search(0).run()?;
/// let partial = PartialExpansion::new(&problem).search(0).run()?;
/// assert_eq!(partial.cost(), whole.cost());
/// assert!(partial.stats.stored < whole.stats.stored);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct PartialExpansion<
    P: SearchProblem,
    T = Hashed<P>,
    F = LazyHeap<StoredF<CostOf<P>>>,
    O = (),
> {
    problem: P,
    order: ByStoredF<P::Cost>,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A search by partial-expansion A\* of the problem `P`: what [`PartialExpansion::search`] makes.
pub type PartialExpansionSearch<P, T = Hashed<P>, F = LazyHeap<StoredF<CostOf<P>>>, O = ()> =
    Search<Driver<With<P, ByStoredF<CostOf<P>>, T, F>, LeaveOut<CostOf<P>>>, O>;

impl<P: SearchProblem> PartialExpansion<P> {
    /// Creates a builder for a search of `problem` (owned or borrowed) that leaves out every successor that is not
    /// needed next, with a [`HashedTable`](crate::table::HashedTable), a [`LazyHeap`], no limits and no observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, ByStoredF { cutoff: P::Cost::ZERO })
    }
}

impl<P: SearchProblem, T, F, O> PartialExpansion<P, T, F, O> {
    /// Stores successors whose *f* is larger by at most `cutoff`, too: fewer expansions, more memory.
    pub fn cutoff(mut self, cutoff: P::Cost) -> Self {
        self.order = ByStoredF { cutoff };
        self
    }
}

best_first_builder!(
    PartialExpansion<P>,
    order: ByStoredF<P::Cost>,
    frontier: LazyHeap,
    record: EstimateRecord,
    search: PartialExpansionSearch
);

/// Finds a cheapest path from `start` to a goal by partial-expansion A\*: [`PartialExpansion`] with its defaults.
///
/// # Errors
///
/// As [`Search::run`](crate::Search::run).
pub fn partial_expansion<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    PartialExpansion::new(problem).search(start).run_once()
}

/// The order of partial-expansion A\*: the least *f* of what a state still has to offer first, among equals the largest
/// *g*.
#[derive(Clone, Copy, Debug)]
pub struct ByStoredF<C> {
    cutoff: C,
}

/// The key of a state in partial-expansion A\*: its *f*, or the least *f* of the successors that were left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredF<C> {
    f: C,
    g: C,
}

impl<C: Cost> Key for StoredF<C> {
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        self.f < other.f || (self.f == other.f && self.g > other.g)
    }
}

impl<C: Cost> Order<C> for ByStoredF<C> {
    type Key = StoredF<C>;
    const IS_BY_F: bool = true;

    #[inline]
    fn key(&self, g: C, _h: C, f: C) -> StoredF<C> {
        StoredF { f, g }
    }
}

/// Leaves out successors whose f is above that of the state that is expanded.
#[derive(Clone, Copy, Debug)]
pub struct LeaveOut<C> {
    /// The largest f of successors that are stored, while a state is expanded.
    most: Option<C>,
    /// The least f of those that were left out.
    least_left_out: Option<C>,
}

impl<C> Default for LeaveOut<C> {
    fn default() -> Self {
        Self { most: None, least_left_out: None }
    }
}

impl<C: Cost, S> Policy<S> for LeaveOut<C>
where
    S: Parts<Cost = C, Key = StoredF<C>, Order = ByStoredF<C>>,
{
    const TRAIL: Trail = Trail::Steps;

    #[inline]
    fn may_admit(&mut self, _g: C) -> bool {
        true
    }

    #[inline]
    fn admits(&mut self, g: C, h: C) -> bool {
        // Sums that do not fit are noted where the state is stored.
        match (self.most, g.checked_add(h)) {
            (Some(most), Some(f)) if f > most => {
                if h < C::INFINITY {
                    self.least_left_out =
                        Some(self.least_left_out.map_or(f, |least| smaller(least, f)));
                }
                false
            }
            _ => true,
        }
    }

    #[inline]
    fn current_f(&self, known: Known<'_, S>, id: S::Id, key: StoredF<C>) -> Option<C> {
        let record = known.table.load(id);
        (!record.is_closed() && record.g() == key.g).then_some(key.f)
    }

    #[inline]
    fn expands(&mut self, order: &ByStoredF<C>, head: &HeadOf<S>) {
        self.most = head.f.checked_add(order.cutoff);
    }

    #[inline]
    fn expanded<O: Observer<S::State, C>>(
        &mut self,
        core: &mut Core<S>,
        head: &HeadOf<S>,
        run: &mut Run<C, O>,
    ) {
        if let Some(f) = self.least_left_out.take() {
            core.states.reopen(head.id, StoredF { f, ..head.key }, run);
        }
    }

    fn restart(&mut self, _core: &mut Core<S>) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AStar;
    use crate::frontier::BucketQueue;
    use crate::problem::FnProblem;
    use crate::table::Table;

    #[test]
    fn only_states_up_to_the_cost_of_the_solution_are_stored() {
        // Steps of 1 to 9 in two directions, each of which costs its square.
        let left = |n: u32| 40_u32.saturating_sub(n);
        let problem = FnProblem::new(
            |&(x, y): &(u32, u32)| {
                let steps = (1..10_u32).map(move |step| (step, step * step + (x * 7 + y) % 3));
                steps.flat_map(move |(step, cost)| [((x + step, y), cost), ((x, y + step), cost)])
            },
            |&(x, y)| left(x) + left(y),
            |&place| place == (40, 40),
        );
        let whole = AStar::new(&problem).frontier(BucketQueue::new());
        let whole = whole.search((0, 0)).run().unwrap();
        let cost = whole.cost().unwrap();
        let run = |cutoff| {
            let mut search = PartialExpansion::new(&problem).cutoff(cutoff).search((0, 0));
            let report = search.run().unwrap();
            assert_eq!((report.cost(), report.lower_bound), (Some(cost), cost));
            let mut above = 0;
            search.engine().core.states.table().for_each(|_, &(x, y), record| {
                above += u64::from(record.g() + left(x) + left(y) > cost + cutoff);
            });
            assert_eq!(above, 0);
            report.stats
        };
        let (none, some, all) = (run(0), run(10), run(1000));
        assert!(none.stored < some.stored && some.stored < all.stored);
        assert!(none.expanded > some.expanded && some.expanded > all.expanded);
        assert_eq!((all.stored, all.reopened), (whole.stats.stored, whole.stats.reopened));
    }
}
