//! Dijkstra's algorithm: best-first search without a heuristic, to a goal or to everywhere.

use super::{BestFirst, BestFirstSearch, Progress};
use crate::frontier::{BucketQueue, Frontier};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::{IgnoreHeuristic, SearchProblem};
use crate::report::{ReportOf, SearchError, StopReason};
use crate::table::Table;

use super::best_first::{CostOf, Hashed};

/// Dijkstra's algorithm: expands the state with the smallest cost so far next. It never asks for the
/// heuristic.
///
/// - **Finds** a cheapest path to a goal ([`run`](super::Search::run)), or to every state that can be
///   reached ([`reach_all`](BestFirstSearch::reach_all)), or gives out states in order of their cost
///   for as long as one likes ([`settled`](BestFirstSearch::settled)).
/// - **Takes** time for one heap or bucket operation an edge, and memory for every state that it
///   generates.
///
/// Source: Dijkstra, *A note on two problems in connexion with graphs*, 1959.
#[derive(Clone, Copy, Debug)]
pub struct Dijkstra;

impl Dijkstra {
    /// Begins to put a search of `problem`, or of what it refers to, together.
    #[expect(clippy::new_ret_no_self, reason = "all best-first engines share one builder")]
    pub fn new<P: SearchProblem>(problem: P) -> BestFirst<IgnoreHeuristic<P>> {
        BestFirst::new(IgnoreHeuristic::new(problem))
    }
}

/// Finds a cheapest path from `start` to a goal by [`Dijkstra`]'s algorithm, without limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, Outcome, dijkstra};
///
/// let doubling = FnProblem::new(
///     |&n: &u8| (n < 100).then(|| (n * 2, 1_u32)),
///     |_: &u8| 0,
///     |&n: &u8| n == 96,
/// );
/// assert_eq!(dijkstra(&doubling, 3)?.cost(), Some(5));
/// assert_eq!(dijkstra(&doubling, 5)?.outcome, Outcome::Exhausted);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn dijkstra<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    Dijkstra::new(problem).search(start).run()
}

/// Finds the cheapest ways from `start` to every state that can be reached. The goals of the problem
/// do not matter. Of a problem with infinitely many states, use
/// [`settled`](BestFirstSearch::settled), or set a limit.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, dijkstra_all};
///
/// let ring = FnProblem::new(
///     |&n: &u32| [((n + 1) % 10, 1_u32), ((n + 9) % 10, 2)],
///     |_: &u32| 0,
///     |_: &u32| false,
/// );
/// let reached = dijkstra_all(&ring, 0)?;
/// assert_eq!(reached.len(), 10);
/// assert_eq!(reached.cost_of(&6), Some(6));
/// assert_eq!(reached.cost_of(&7), Some(6));
/// assert_eq!(reached.path_to(&7)?.unwrap().states(), [0, 9, 8, 7]);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn dijkstra_all<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<Reached<&P>, SearchError<P::Cost>> {
    Dijkstra::new(problem).search(start).reach_all()
}

/// A search by Dijkstra's algorithm of the problem `P`.
type DijkstraSearch<P, T, F, O> = BestFirstSearch<IgnoreHeuristic<P>, T, F, O>;

impl<P, T, F, O> DijkstraSearch<P, T, F, O>
where
    P: SearchProblem,
    T: Table<IgnoreHeuristic<P>>,
    F: Frontier<P::Cost>,
    O: Observer<P::State, P::Cost>,
{
    /// Runs until every state that can be reached is reached, or a limit stops it. The goals of the
    /// problem do not matter.
    ///
    /// # Errors
    ///
    /// As [`run`](super::Search::run).
    pub fn reach_all(mut self) -> Result<Reached<P, T, F, O>, SearchError<P::Cost>> {
        self.engine_mut().pass_goals(true);
        let report = self.run()?;
        let stopped = match report.outcome {
            crate::Outcome::Stopped(reason) => Some(reason),
            _ => None,
        };
        Ok(Reached { search: self, stopped })
    }

    /// Gives out states in order of their cost, each when its cheapest way is known, and searches no
    /// further than it is asked to: for spaces without end, too. The goals of the problem do not
    /// matter. It ends when all states are given out, or at a limit.
    ///
    /// ```
    /// use bestfirst::{Dijkstra, FnProblem};
    ///
    /// // All numbers of the form 2^a · 3^b, by the sum of a and 2 b; there is no end of them.
    /// let smooth = FnProblem::new(|&n: &u64| [(n * 2, 1_u32), (n * 3, 2)], |_: &u64| 0, |_| false);
    /// let mut search = Dijkstra::new(&smooth).search(1);
    /// let first: Vec<_> = search.settled().take(4).collect::<Result<_, _>>()?;
    /// assert_eq!(first[..2], [(1, 0), (2, 1)]);
    /// assert_eq!(first[3].1, 2);
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn settled(&mut self) -> Settled<'_, P, T, F, O> {
        Settled { search: self, stopped: None, ended: false }
    }
}

/// The states that a search by Dijkstra's algorithm has reached, each with the cheapest way to it.
#[derive(Debug)]
pub struct Reached<P, T = Hashed<P>, F = BucketQueue<CostOf<P>>, O = ()>
where
    P: SearchProblem,
    T: Table<IgnoreHeuristic<P>>,
    F: Frontier<P::Cost>,
{
    search: DijkstraSearch<P, T, F, O>,
    stopped: Option<StopReason>,
}

impl<P, T, F, O> Reached<P, T, F, O>
where
    P: SearchProblem,
    T: Table<IgnoreHeuristic<P>>,
    F: Frontier<P::Cost>,
    O: Observer<P::State, P::Cost>,
{
    /// Which limit ended the search before everything was reached, if one did. What was settled up
    /// to then is there, with its final costs.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// How many states were reached and settled.
    pub fn len(&self) -> usize {
        let mut count = 0;
        self.search.engine().for_each(|_, node| count += usize::from(node.is_closed()));
        count
    }

    /// Whether no state was settled.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cost of the cheapest way to `state`, or `None` if it was not reached.
    pub fn cost_of(&self, state: &P::State) -> Option<P::Cost> {
        let (_, node) = self.search.engine().look_up(state)?;
        node.is_closed().then(|| node.g())
    }

    /// A cheapest way to `state`, or `None` if it was not reached.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    pub fn path_to(&self, state: &P::State) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let engine = self.search.engine();
        match engine.look_up(state) {
            Some((id, node)) if node.is_closed() => engine.path_to(id),
            _ => Ok(None),
        }
    }

    /// Calls `visit` with every state that was reached and its cost, in a fixed order.
    pub fn for_each(&self, mut visit: impl FnMut(&P::State, P::Cost)) {
        self.search.engine().for_each(|state, node| {
            if node.is_closed() {
                visit(state, node.g());
            }
        });
    }

    /// The search: to look at its counts, to raise a limit, or to begin anew with its memory.
    pub fn into_search(mut self) -> DijkstraSearch<P, T, F, O> {
        self.search.engine_mut().pass_goals(false);
        self.search
    }
}

/// Gives out states in order of their cost; see [`settled`](BestFirstSearch::settled).
#[derive(Debug)]
pub struct Settled<'s, P, T, F, O>
where
    P: SearchProblem,
    T: Table<IgnoreHeuristic<P>>,
    F: Frontier<P::Cost>,
{
    search: &'s mut DijkstraSearch<P, T, F, O>,
    stopped: Option<StopReason>,
    ended: bool,
}

impl<P, T, F, O> Settled<'_, P, T, F, O>
where
    P: SearchProblem,
    T: Table<IgnoreHeuristic<P>>,
    F: Frontier<P::Cost>,
{
    /// After the end: which limit ended it, if one did.
    #[must_use]
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }
}

impl<P, T, F, O> Iterator for Settled<'_, P, T, F, O>
where
    P: SearchProblem,
    T: Table<IgnoreHeuristic<P>>,
    F: Frontier<P::Cost>,
    O: Observer<P::State, P::Cost>,
{
    type Item = Result<(P::State, P::Cost), SearchError<P::Cost>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.search.engine_mut().pass_goals(true);
        let outcome = self.search.advance(1);
        self.search.engine_mut().pass_goals(false);
        match outcome {
            Err(error) => {
                self.ended = true;
                Some(Err(error))
            }
            Ok(Progress::Going) => self.search.engine().last_expanded().map(Ok),
            Ok(Progress::Stopped(reason)) => {
                (self.ended, self.stopped) = (true, Some(reason));
                None
            }
            Ok(Progress::Found | Progress::Exhausted) => {
                self.ended = true;
                None
            }
        }
    }
}
