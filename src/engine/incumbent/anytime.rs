//! Anytime search: a path soon, better ones while there is time, and always how good they are.

use super::builder::incumbent_builder;
use super::depths::{ASPECT, Depths};
use super::queues::ALL;
use super::{ByArrival, IncumbentEngine, Pruning};
use crate::Search;
use crate::engine::best_first::{CostOf, Hashed};
use crate::engine::depth_first::{Buffered, Expander, InPlace};
use crate::engine::relaxation::Id;
use crate::limits::Limits;
use crate::problem::{InPlaceProblem, SearchProblem};
use crate::report::{ReportOf, SearchError};
use crate::table::TableFor;

/// Anytime search: the first choice where a cheapest path may take too long, and a good one is wanted soon. On one table
/// it expands states in four orders by turns, one state each: that of [`Rectangle`](crate::Rectangle) search, which
/// begins with a dive and goes on as beams of growing width; by *g + 5h* and by *g + 2h*, as weighted A* does; and by
/// *f = g + h*, as A* does, which raises the lower bound.
///
/// - **Finds** a first path soon, then better ones, and a cheapest path when it ends, for every heuristic that never
///   overestimates, consistent or not. An [`Observer`](crate::Observer) is called for each, with its cost and the lower
///   bound. States whose *f* is no less than the cost of the best path so far (the incumbent) are pruned in all orders.
/// - **Stopped** before its end, its report has the [best path so far](crate::Report::incumbent), the lower bound, and
///   the [factor](crate::Report::suboptimality) of the optimum that is proved. Told to go on, it ends as if it had not been
///   stopped.
/// - **Lower bound**: the smallest *f* of the open states. Nothing is left out.
/// - **Compared with one engine**: in a domain where one order is best, it is at most about four times as late as an
///   engine of that order alone, and mostly less, because the paths that the others find prune. Which order that is
///   differs: on schedules weighted A* may find no path for a long time where a dive has one at once, and on puzzles
///   it is the other way round.
/// - **Duplicates**: no state is expanded twice at the same cost, whichever order took it first.
/// - **Takes** four operations on heaps per generated state, and memory for all states that it generates and does not
///   prune, in four queues (64 bytes for an open state with costs of 32 bits): [`Beam`](crate::Beam) keeps those of one pass only.
/// - **Infinite spaces**: every state within the cost of the incumbent is reached at some time, if each step costs something.
///
/// Sources: Lemons, Ruml, Holte and Linares López, *Rectangle Search: An Anytime Beam Search*, 2024; Hansen and Zhou,
/// *Anytime Heuristic Search*, 2007; several open lists by turns: Röger and Helmert, *The More, the Merrier: Combining
/// Heuristic Estimators for Satisficing Planning*, 2010.
///
/// # Example
///
/// Six jobs on one machine, each with its hours, when it is due, and what an hour of delay costs:
///
/// ```
/// use bestfirst::{Anytime, Limits, SearchProblem, Successors};
///
/// struct Machine([(u32, u32, u32); 6]);
///
/// impl Machine {
///     /// The jobs that are left, and what each costs if it is the next one.
///     fn next(&self, done: u32) -> impl Iterator<Item = (usize, u32)> {
///         let is_done = move |job: &usize| done >> job & 1 == 1;
///         let now: u32 = (0..6).filter(is_done).map(|job| self.0[job].0).sum();
///         (0..6).filter(move |job| !is_done(job)).map(move |job| {
///             let (hours, due, weight) = self.0[job];
///             (job, weight * (now + hours).saturating_sub(due))
///         })
///     }
/// }
///
/// impl SearchProblem for Machine {
///     type State = u32; // a bit for each job that is done
///     type Action = usize;
///     type Cost = u32;
///
///     fn successors(&self, &done: &u32, next: &mut Successors<Self>) {
///         next.extend(self.next(done).map(|(job, cost)| (job, done | 1 << job, cost)));
///     }
///     fn heuristic(&self, &done: &u32) -> u32 {
///         self.next(done).map(|(_, cost)| cost).sum()
///     }
///     fn is_goal(&self, &done: &u32) -> bool {
///         done == 0b11_1111
///     }
/// }
///
/// let machine = Machine([(5, 6, 4), (3, 6, 2), (8, 10, 7), (2, 9, 1), (6, 8, 5), (4, 5, 3)]);
/// let limits = Limits::new().expansions(25);
/// let mut search = Anytime::new(&machine).limits(limits).search(0);
///
/// let report = search.run()?; // stopped early: a path, and how good it is
/// assert!(report.incumbent.is_some());
/// let factor = report.suboptimality().expect("a path is found");
/// println!("cost {:?}, at most {factor:.2} times the least", report.cost());
///
/// search.set_limits(Limits::new());
/// let report = search.run()?; // with time enough, a cheapest path
/// assert!(report.is_optimal());
/// # let exact = bestfirst::dijkstra(&machine, 0)?;
/// # assert_eq!(report.cost(), exact.cost());
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Anytime<P: SearchProblem, W = Buffered<P>, T = Hashed<P>, O = ()> {
    problem: P,
    /// The aspect of its rectangle.
    ranking: usize,
    expander: W,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    table: T,
    limits: Limits<P::Cost>,
    observer: O,
}

/// An anytime search of the problem `P`: what [`Anytime::search`] makes.
pub type AnytimeSearch<P, W = Buffered<P>, T = Hashed<P>, O = ()> =
    Search<IncumbentEngine<P, Depths<CostOf<P>, Id<P, T>, ALL>, W, T>, O>;

impl<P: SearchProblem> Anytime<P> {
    /// Creates a builder for an anytime search of `problem` (owned or borrowed) with a [`HashedTable`](crate::table::HashedTable), no limits and no
    /// observer.
    pub fn new(problem: P) -> Self {
        Self::of(problem, ASPECT)
    }
}

incumbent_builder!(
    Anytime<P>,
    ranking: usize,
    open_list: Depths<P::Cost, Id<P, T>, ALL>, by Depths::new,
    search: AnytimeSearch
);

/// Finds a cheapest path from `start` to a goal by [`Anytime`] search, without limits. For the best path within a time,
/// use the builder.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, anytime};
///
/// let stairs = FnProblem::new(
///     |&n: &u32| [(n + 1, 3_u32), (n + 2, 5), (n + 5, 11)],
///     |&n: &u32| if n > 19 { u32::MAX } else { 19 - n },
///     |&n: &u32| n == 19,
/// );
/// assert_eq!(anytime(&stairs, 0)?.cost(), Some(43)); // 5 + 5 + 5 + 2 + 2
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn anytime<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    Anytime::new(problem).search(start).run()
}
