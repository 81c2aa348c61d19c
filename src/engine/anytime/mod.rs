//! Anytime search: a path soon, better ones while there is time, and always how good they are.
//!
//! - `engine`: the two parts of the search; `turns`: which of them expands states; `order`: that of weighted A\*.

mod engine;
mod order;
mod turns;

use std::sync::Arc;

pub use self::engine::AnytimeEngine;
use super::best_first::Hashed;
use super::depth_first::{Buffered, Expander, InPlace};
use crate::Search;
use crate::limits::Limits;
use crate::problem::{InPlaceProblem, SearchProblem};
use crate::report::{ReportOf, SearchError};
use crate::table::TableFor;

/// Anytime search: the first choice where a cheapest path may take too long, and a good one is wanted soon. Two searches
/// take turns expanding states: beams that double their width, as [`Beam`](crate::Beam) does, and A* whose weight falls from
/// round to round, as that of [`AnytimeAStar`](crate::AnytimeAStar). They prune by each other's paths.
///
/// - **Finds** a first path soon, then better ones, and a cheapest path when it ends, for every heuristic that never
///   overestimates, consistent or not. An [`Observer`](crate::Observer) is called for each, with its cost and the lower
///   bound. States whose *f* is no less than the cost of the best path so far (the incumbent) are pruned in both parts.
/// - **Turns**: as long as there is no path, each part has about the same time. Then the part that found the best path has
///   fifteen times as much, until it has found no better one for four times as long as the search had taken before.
/// - **Stops**: the report of a search that was stopped has the [best path so far](crate::Report::incumbent), the lower
///   bound, and the [factor](crate::Report::suboptimality) of the optimum that is proved. A search that is resumed ends as
///   if it had not been stopped.
/// - **Lower bound**: the greater of those of both parts. Each is the smallest *f* of what it left open or out.
/// - **Compared with one engine**: it usually finds a path little later than the better part would alone, because that part has
///   most of the time. In the end, when no better paths are found, each part has half of the time. Which part is better
///   depends on the problem: on schedules, weighted A* may find no path for a long time where a beam finds one at once; on
///   some puzzles it is the other way round.
/// - **Takes** the time of both parts; memory for all states that weighted A* generates and does not prune, and for
///   those of one pass of the beams. [`Beam`](crate::Beam) keeps only the latter.
/// - **Infinite spaces**: a beam may follow an endless path; weighted A* expands every state within the cost of the
///   incumbent eventually, if each step costs something.
///
/// Sources: Zhang, *Complete Anytime Beam Search*, 1998; Likhachev, Gordon and Thrun, *ARA\*: Anytime A\* with Provable Bounds
/// on Sub-Optimality*, 2003. The scheme of turns is our own.
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
pub struct Anytime<P: SearchProblem, W = Buffered<Arc<P>>, T = Hashed<P>, O = ()> {
    problem: P,
    expander: W,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    table: T,
    limits: Limits<P::Cost>,
    observer: O,
}

/// An anytime search of the problem `P`: what [`Anytime::search`] makes.
pub type AnytimeSearch<P, W = Buffered<Arc<P>>, T = Hashed<P>, O = ()> =
    Search<AnytimeEngine<P, W, T>, O>;

impl<P: SearchProblem> Anytime<P> {
    /// Creates a builder for an anytime search of `problem` (owned or borrowed) with two
    /// [`HashedTable`](crate::table::HashedTable)s, no limits and no observer.
    pub fn new(problem: P) -> Self {
        let (expander, table) = (Buffered::new(), Hashed::<P>::default());
        let limits = Limits::new();
        Self { problem, expander, sieves: false, table, limits, observer: () }
    }
}

super::builder::table_settings!(
    Anytime<P, W; T; O> { problem, expander, sieves },
    record: EstimateRecord,
    dense: EstimateRecord,
    table: "Each part of the search has a clone of it. For more than 2³¹ − 1 states, its record must have ids of type `u64`: \
        `HashedTable::<_, EstimateRecord<_, u64>>::default()`.",
    limits: "A limit on the cost prunes here, as a solution of that cost would: states \
        whose *f* is larger are set aside. If the limit is raised, the search continues with them. It \
        finds the same cost and proves the same bound as without the limit; its counts may differ."
);

super::builder::dominance_setting!(Anytime<P, W; T; O>, record: EstimateRecord);

impl<P: SearchProblem, T, O> Anytime<P, Buffered<Arc<P>>, T, O> {
    /// In the beams, applies and undoes actions instead of generating copies, and copies only the successors
    /// that are new or reached at a smaller *g*. It is for large states with many duplicates among
    /// their successors. The report is the same, except for the bytes.
    pub fn in_place(self) -> Anytime<P, InPlace<Arc<P>>, T, O>
    where
        P: InPlaceProblem,
    {
        let Self { problem, table, limits, observer, .. } = self;
        Anytime { problem, expander: InPlace::new(), sieves: true, table, limits, observer }
    }
}

super::builder::search_methods!(
    Anytime<P, W, T; O> -> AnytimeSearch { problem, expander, sieves, table },
    where {
        P: SearchProblem,
        W: Expander<Arc<P>>,
        T: TableFor<P::State, P::Cost> + Clone,
    },
    engine: |starts| AnytimeEngine::new(problem, (expander, sieves), table, starts)
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
