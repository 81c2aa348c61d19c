//! Best-first search: the builder that Dijkstra's algorithm and A* share. The search itself is in
//! `expansion`, THE relaxation loop in `relaxation`.

mod expansion;
mod lookahead;
mod relaxation;

pub use expansion::BestFirstEngine;
pub(super) use relaxation::{Relaxation, reached_by};

use std::hash::BuildHasher;

use super::Search;
use crate::cost::Cost;
use crate::frontier::{BucketQueue, Frontier};
use crate::limits::Limits;
use crate::observer::Observer;
use crate::problem::{DenseStates, SearchProblem};
use crate::table::{DenseTable, HashedTable, Table};

/// Puts a best-first search together; [`AStar::new`](super::AStar::new) and
/// [`Dijkstra::new`](super::Dijkstra::new) begin one.
///
/// Without further calls it uses a [`HashedTable`], a [`BucketQueue`], no limits and no observer.
#[derive(Clone, Debug)]
#[must_use]
pub struct BestFirst<P: SearchProblem, T = Hashed<P>, F = BucketQueue<CostOf<P>>, O = ()> {
    problem: P,
    table: T,
    frontier: F,
    limits: Limits<P::Cost>,
    observer: O,
}

/// The default table of a problem.
pub type Hashed<P> = HashedTable<<P as SearchProblem>::State, CostOf<P>>;

/// The cost type of a problem.
pub type CostOf<P> = <P as SearchProblem>::Cost;

/// A best-first search of the problem `P`: what [`BestFirst::search`] makes.
pub type BestFirstSearch<P, T = Hashed<P>, F = BucketQueue<CostOf<P>>, O = ()> =
    Search<BestFirstEngine<P, T, F>, O>;

impl<P: SearchProblem> BestFirst<P> {
    pub(super) fn new(problem: P) -> Self {
        Self {
            problem,
            table: HashedTable::default(),
            frontier: BucketQueue::new(),
            limits: Limits::new(),
            observer: (),
        }
    }
}

impl<P: SearchProblem, T, F, O> BestFirst<P, T, F, O> {
    /// Sets the limits.
    pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
        self.limits = limits;
        self
    }

    /// Tells `observer`, or what a `&mut` to one points at, what happens.
    pub fn observer<N: Observer<P::State, P::Cost>>(self, observer: N) -> BestFirst<P, T, F, N> {
        let Self { problem, table, frontier, limits, .. } = self;
        BestFirst { problem, table, frontier, limits, observer }
    }

    /// Uses this frontier: [`LazyHeap`](crate::frontier::LazyHeap),
    /// [`IndexedQueue`](crate::frontier::IndexedQueue) or [`BucketQueue`], the default.
    pub fn frontier<N: Frontier<P::Cost>>(self, frontier: N) -> BestFirst<P, T, N, O> {
        let Self { problem, table, limits, observer, .. } = self;
        BestFirst { problem, table, frontier, limits, observer }
    }

    /// Uses this hasher instead of the one of rustc-hash.
    #[expect(clippy::type_complexity, reason = "a builder names what it is built of")]
    pub fn hasher<B: BuildHasher>(
        self,
        hasher: B,
    ) -> BestFirst<P, HashedTable<P::State, P::Cost, B>, F, O> {
        self.table(HashedTable::with_hasher(hasher))
    }

    /// Uses the numbers of the states instead of hashing them.
    pub fn dense(self) -> BestFirst<P, DenseTable<P::Cost>, F, O>
    where
        P: DenseStates,
    {
        self.table(DenseTable::new())
    }

    /// Uses this table.
    pub fn table<N: Table<P>>(self, table: N) -> BestFirst<P, N, F, O> {
        let Self { problem, frontier, limits, observer, .. } = self;
        BestFirst { problem, table, frontier, limits, observer }
    }
}

impl<P, T, F, O> BestFirst<P, T, F, O>
where
    P: SearchProblem,
    T: Table<P>,
    F: Frontier<P::Cost>,
    O: Observer<P::State, P::Cost>,
{
    /// A search from one start.
    #[must_use = "a search does nothing until it is run"]
    pub fn search(self, start: P::State) -> BestFirstSearch<P, T, F, O> {
        self.search_from([(start, P::Cost::ZERO)])
    }

    /// A search from several starts, each with what it has cost to get there.
    #[must_use = "a search does nothing until it is run"]
    pub fn search_from(
        self,
        starts: impl IntoIterator<Item = (P::State, P::Cost)>,
    ) -> BestFirstSearch<P, T, F, O> {
        let starts = starts.into_iter().collect();
        let engine = BestFirstEngine::new(self.problem, self.table, self.frontier, starts);
        Search::new(engine, self.limits, self.observer)
    }
}

impl<P, T, F, O> BestFirstSearch<P, T, F, O>
where
    P: SearchProblem,
    T: Table<P>,
    F: Frontier<P::Cost>,
    O: Observer<P::State, P::Cost>,
{
    /// Begins anew from another start, with all memory that was allocated. On a dense table this
    /// takes constant time.
    ///
    /// ```
    /// use bestfirst::{AStar, FnProblem};
    ///
    /// let line = FnProblem::new(|&n: &u32| [(n + 1, 1_u32)], |_: &u32| 0, |&n: &u32| n == 1000);
    /// let mut search = AStar::new(&line).search(990);
    /// assert_eq!(search.run()?.cost(), Some(10));
    /// search.restart(900);
    /// assert_eq!(search.run()?.cost(), Some(100));
    /// # Ok::<(), bestfirst::SearchError<u32>>(())
    /// ```
    pub fn restart(&mut self, start: P::State) {
        self.restart_from([(start, P::Cost::ZERO)]);
    }

    /// Begins anew from several starts, with all memory that was allocated.
    pub fn restart_from(&mut self, starts: impl IntoIterator<Item = (P::State, P::Cost)>) {
        self.begin_anew().begin_anew(starts);
    }

    /// Begins anew with another problem, say another goal on the same map. On a dense table, both
    /// must number their states alike.
    pub fn restart_with(&mut self, problem: P, start: P::State) {
        self.restart(start);
        self.engine_mut().set_problem(problem);
    }
}
