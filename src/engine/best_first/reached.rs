//! What Dijkstra's algorithm reaches: all states, or as many as you ask for, in the order of their costs.

use std::time::Duration;

use super::{CostBuckets, DijkstraSearch, HashedCosts};
use crate::engine::Progress;
use crate::engine::driver::Driver;
use crate::engine::relaxation::Trail;
use crate::frontier::{Frontier, Single};
use crate::observer::Observer;
use crate::path::PathOf;
use crate::problem::SearchProblem;
use crate::report::{Outcome, SearchError, StopReason};
use crate::table::{IdOf, Record, StateId, TableFor};

impl<P, T, F, O> DijkstraSearch<P, T, F, O>
where
    P: SearchProblem,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, Single<P::Cost>>,
    O: Observer<P::State, P::Cost>,
{
    /// Runs until every state that can be reached is reached, or a limit stops it. The goals of the
    /// problem do not matter.
    ///
    /// # Errors
    ///
    /// As [`run`](crate::Search::run).
    pub fn reach_all(mut self) -> Result<Reached<P, T, F, O>, SearchError<P::Cost>> {
        self.engine_mut().pass_goals(true);
        let report = self.run()?;
        let stopped = match report.outcome {
            Outcome::Stopped(reason) => Some(reason),
            _ => None,
        };
        Ok(Reached { search: self, stopped })
    }

    /// An iterator over the states in the order of their cost, each with the cost of its cheapest path. It
    /// searches only as far as it is asked to, so the space may be infinite. The goals of the problem do
    /// not matter. It ends when all states were returned, or at a limit. Without a limit on the time,
    /// [`elapsed`](crate::Search::elapsed) is then an estimate: the clock is read for one of 16 to 128 states, as reading it often
    /// takes longer than an expansion.
    ///
    /// ```
    /// use bestfirst::{Dijkstra, FnProblem};
    ///
    /// // All numbers of the form 2^a · 3^b, by the sum of a and 2 b; there are infinitely many.
    /// let smooth = FnProblem::new(|&n: &u64| [(n * 2, 1_u32), (n * 3, 2)], |_: &u64| 0, |_| false);
    /// let mut search = Dijkstra::new(&smooth).search(1);
    /// let first: Vec<_> = search.settled().take(4).collect::<Result<_, _>>()?;
    /// assert_eq!(first[..2], [(1, 0), (2, 1)]);
    /// assert_eq!(first[3].1, 2);
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    #[doc(alias = "nearest")]
    pub fn settled(&mut self) -> Settled<'_, P, T, F, O> {
        Settled { search: self, left: 0, stopped: None, ended: false }
    }
}

/// The states that a search by Dijkstra's algorithm has reached, each with the cheapest path to it.
///
/// | to ask for | call |
/// |---|---|
/// | the cost of a state | [`cost_of`](Self::cost_of) |
/// | a cheapest path to a state, with its actions | [`path_to`](Self::path_to) |
/// | the state before it on that path | [`parent_of`](Self::parent_of) |
/// | the state that is nearest to a place by your own measure | [`closest_by`](Self::closest_by) |
/// | all states and their costs | [`states`](Self::states), [`for_each`](Self::for_each) |
/// | states in the order of their cost, as the search goes on | [`settled`](DijkstraSearch::settled) |
///
/// ```
/// use bestfirst::{FnProblem, dijkstra_all};
///
/// let ring = FnProblem::new(|&n: &u8| [((n + 1) % 5, 1_u32), ((n + 4) % 5, 2)], |_: &u8| 0, |_: &u8| false);
/// let reached = dijkstra_all(&ring, 0)?;
/// assert_eq!((reached.len(), reached.cost_of(&3), reached.parent_of(&3)), (5, Some(3), Some(2)));
/// assert_eq!(reached.path_to(&4)?.unwrap().states(), [0, 4]);
/// let farthest = reached.states().map(|(_, cost)| cost).max();
/// assert_eq!(farthest, Some(3));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[doc(alias = "flow field")]
#[derive(Debug)]
pub struct Reached<P, T = HashedCosts<P>, F = CostBuckets<P>, O = ()>
where
    P: SearchProblem,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, Single<P::Cost>>,
{
    search: DijkstraSearch<P, T, F, O>,
    stopped: Option<StopReason>,
}

impl<P, T, F, O> Reached<P, T, F, O>
where
    P: SearchProblem,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, Single<P::Cost>>,
    O: Observer<P::State, P::Cost>,
{
    /// The search, to be read.
    pub(super) fn search(&self) -> &DijkstraSearch<P, T, F, O> {
        &self.search
    }

    /// Which limit ended the search before everything was reached, if one did. The states that were
    /// settled before are here, with their final costs.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// How many states were reached and settled.
    pub fn len(&self) -> usize {
        let mut count = 0;
        let table = self.search.engine().core.states.table();
        table.for_each(|_, _, record| count += usize::from(record.is_closed()));
        count
    }

    /// The bytes that the search holds.
    pub(crate) fn bytes(&self) -> usize {
        self.search.bytes()
    }

    /// The time that the search took.
    pub(crate) fn elapsed(&self) -> Duration {
        self.search.elapsed()
    }

    /// Whether no state was settled.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cost of the cheapest path to `state`, or `None` if it was not reached.
    pub fn cost_of(&self, state: &P::State) -> Option<P::Cost> {
        let (_, record) = self.search.engine().core.states.look_up(state)?;
        record.is_closed().then(|| record.g())
    }

    /// A cheapest path to `state`, or `None` if it was not reached. Of a search with
    /// [costs only](crate::Dijkstra::costs_only) it has no steps: it is `state` alone, at its cost;
    /// [`retrace`](Self::retrace) then finds the steps.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    pub fn path_to(&self, state: &P::State) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let engine = self.search.engine();
        match engine.core.states.look_up(state) {
            Some((id, record)) if record.is_closed() => {
                engine.core.states.known().path_to(id, Trail::Costs)
            }
            _ => Ok(None),
        }
    }

    /// The state before `state` on its cheapest path, the one that [`path_to`](Self::path_to) returns; `None`
    /// if it was not reached or is the start, or the search stores [costs only](crate::Dijkstra::costs_only). These are
    /// the edges of the shortest-path tree.
    ///
    /// ```
    /// use bestfirst::{FnProblem, dijkstra_all};
    ///
    /// let line = FnProblem::new(|&n: &u8| [(n / 2, 1_u32)], |_: &u8| 0, |_: &u8| false);
    /// let reached = dijkstra_all(&line, 9)?;
    /// assert_eq!((reached.parent_of(&2), reached.parent_of(&9)), (Some(4), None));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn parent_of(&self, state: &P::State) -> Option<P::State> {
        let engine = self.search.engine();
        let (_, record) = engine.core.states.look_up(state)?;
        let parent = record.parent();
        let has_parent = record.is_closed() && parent != StateId::NONE;
        has_parent.then(|| engine.core.states.table().with_state(parent, Clone::clone))
    }

    /// A cheapest path to the state with the least `key` of all that were reached, among equals to the one that costs least; `None`
    /// if no state was reached. With a limit on the cost, this is how near one comes to a place within that cost.
    ///
    /// # Errors
    ///
    /// [`SearchError::Path`] if the problem does not push the same successors as before.
    ///
    /// ```
    /// use bestfirst::{Dijkstra, FnProblem, Limits};
    ///
    /// let jumps = FnProblem::new(|&n: &u32| [(n + 7, 2_u32), (n + 5, 1)], |_: &u32| 0, |_: &u32| false);
    /// let reached = Dijkstra::new(&jumps).limits(Limits::new().cost(3)).search(0).reach_all()?;
    /// let closest = reached.closest_by(|n| n.abs_diff(11))?.expect("the start is reached");
    /// assert_eq!((closest.end(), closest.cost()), (&10, 2)); // as near as 12, and cheaper
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    #[doc(alias = "nearest")]
    pub fn closest_by<K: PartialOrd>(
        &self,
        mut key: impl FnMut(&P::State) -> K,
    ) -> Result<Option<PathOf<P>>, SearchError<P::Cost>> {
        let states = &self.search.engine().core.states;
        let mut closest: Option<(K, P::Cost, _)> = None;
        states.table().for_each(|id, state, record| {
            if record.is_closed() {
                let (key, g) = (key(state), record.g());
                if closest.as_ref().is_none_or(|(least, cost, _)| (&key, &g) < (least, cost)) {
                    closest = Some((key, g, id));
                }
            }
        });
        match closest {
            Some((_, _, id)) => states.known().path_to(id, Trail::Costs),
            None => Ok(None),
        }
    }

    /// Calls `visit` with every state that was reached and its cost, in a fixed order.
    pub fn for_each(&self, mut visit: impl FnMut(&P::State, P::Cost)) {
        self.search.engine().core.states.table().for_each(|_, state, record| {
            if record.is_closed() {
                visit(state, record.g());
            }
        });
    }

    /// All states that were reached with their costs, in a fixed order. It makes a list of them;
    /// [`for_each`](Self::for_each) does not.
    pub fn states(&self) -> impl ExactSizeIterator<Item = (P::State, P::Cost)> + use<P, T, F, O> {
        let mut states = Vec::with_capacity(self.len());
        self.for_each(|state, cost| states.push((state.clone(), cost)));
        states.into_iter()
    }

    /// The search: to read its counts, to raise a limit, or to restart it on the memory that it has.
    pub fn into_search(mut self) -> DijkstraSearch<P, T, F, O> {
        self.search.engine_mut().pass_goals(false);
        self.search
    }
}

/// An iterator over states in the order of their cost; see [`settled`](DijkstraSearch::settled).
#[derive(Debug)]
pub struct Settled<'s, P, T, F, O>
where
    P: SearchProblem,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, Single<P::Cost>>,
{
    search: &'s mut DijkstraSearch<P, T, F, O>,
    /// The number of steps before the limits are checked again: nothing changes them in between.
    left: u64,
    stopped: Option<StopReason>,
    ended: bool,
}

impl<P, T, F, O> Settled<'_, P, T, F, O>
where
    P: SearchProblem,
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, Single<P::Cost>>,
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
    T: TableFor<P::State, P::Cost>,
    F: Frontier<IdOf<T, P::State>, Single<P::Cost>>,
    O: Observer<P::State, P::Cost>,
{
    type Item = Result<(P::State, P::Cost), SearchError<P::Cost>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let outcome = loop {
            let step = self.search.advance_sampled(&mut self.left, Driver::pass_goals, |engine| {
                engine.core.last_expanded()
            });
            match step {
                Ok(Ok(settled)) => return settled.map(Ok),
                Ok(Err(Progress::Paused)) => {}
                end => break end.map(Result::err),
            }
        };
        self.ended = true;
        match outcome {
            Err(error) => Some(Err(error)),
            Ok(Some(Progress::Stopped(reason))) => {
                self.stopped = Some(reason);
                None
            }
            Ok(_) => None,
        }
    }
}
