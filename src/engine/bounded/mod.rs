//! Search under the best solution so far: the builder that branch and bound and breadth-first search
//! share. The search itself is in `search`; in which order it goes is up to an [`Agenda`].

mod search;

pub use search::{Agenda, BoundedEngine};

use std::hash::BuildHasher;

use super::Search;
use super::best_first::Hashed;
use super::depth_first::{Buffered, Expander, InPlace};
use crate::cost::Cost;
use crate::in_place::InPlaceProblem;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::problem::{DenseStates, SearchProblem};
use crate::table::{DenseTable, HashedTable, Table};

/// Puts a search together that improves on its best solution until there is no better one;
/// [`BranchAndBound::new`](super::BranchAndBound::new) and
/// [`BreadthFirst::new`](super::BreadthFirst::new) begin one.
///
/// Without further calls it uses a [`HashedTable`], no limits and no observer.
#[derive(Clone, Debug)]
#[must_use]
pub struct Bounded<P: SearchProblem, A, W = Buffered<P>, T = Hashed<P>, O = ()> {
    problem: P,
    agenda: A,
    walk: W,
    /// Whether successors are looked up before they are copied.
    sieves: bool,
    table: T,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A search of the problem `P` under its best solution so far: what [`Bounded::search`] makes.
pub type BoundedSearch<P, A, W = Buffered<P>, T = Hashed<P>, O = ()> =
    Search<BoundedEngine<P, A, W, T>, O>;

impl<P: SearchProblem, A> Bounded<P, A> {
    pub(super) fn new(problem: P, agenda: A) -> Self {
        Self {
            problem,
            agenda,
            walk: Buffered::new(),
            sieves: false,
            table: HashedTable::default(),
            limits: Limits::new(),
            observer: (),
        }
    }
}

impl<P: SearchProblem, A, W, T, O> Bounded<P, A, W, T, O> {
    /// Sets the limits. A highest cost is more than a limit here: what costs more is put aside, so it
    /// helps as a solution of that cost would that is known beforehand. If it is raised, the search goes
    /// on with what was put aside, and ends with the same answer; its counts may differ.
    pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
        self.limits = limits;
        self
    }

    /// Tells `observer`, or what a `&mut` to one points at, what happens.
    pub fn observer<N: Observer<P::State, P::Cost>>(self, observer: N) -> Bounded<P, A, W, T, N> {
        let Self { problem, agenda, walk, sieves, table, limits, .. } = self;
        Bounded { problem, agenda, walk, sieves, table, limits, observer }
    }

    /// Changes a state and changes it back, and copies only the successors that are new or reached
    /// more cheaply: for large states, most of whose successors were seen before. The report is the
    /// same, but for the bytes.
    pub fn in_place(self) -> Bounded<P, A, InPlace<P>, T, O>
    where
        P: InPlaceProblem,
    {
        let Self { problem, agenda, table, limits, observer, .. } = self;
        let walk = InPlace::new();
        Bounded { problem, agenda, walk, sieves: true, table, limits, observer }
    }

    /// Uses this hasher instead of the one of rustc-hash.
    #[expect(clippy::type_complexity, reason = "a builder names what it is built of")]
    pub fn hasher<B: BuildHasher>(
        self,
        hasher: B,
    ) -> Bounded<P, A, W, HashedTable<P::State, P::Cost, B>, O> {
        self.table(HashedTable::with_hasher(hasher))
    }

    /// Uses the numbers of the states instead of hashing them.
    pub fn dense(self) -> Bounded<P, A, W, DenseTable<P::Cost>, O>
    where
        P: DenseStates,
    {
        self.table(DenseTable::new())
    }

    /// Uses this table.
    pub fn table<N: Table<P>>(self, table: N) -> Bounded<P, A, W, N, O> {
        let Self { problem, agenda, walk, sieves, limits, observer, .. } = self;
        Bounded { problem, agenda, walk, sieves, table, limits, observer }
    }

    /// Goes in the order of this agenda.
    pub(super) fn agenda<N: Agenda<P>>(self, agenda: N) -> Bounded<P, N, W, T, O> {
        let Self { problem, walk, sieves, table, limits, observer, .. } = self;
        Bounded { problem, agenda, walk, sieves, table, limits, observer }
    }
}

impl<P, A, W, T, O> Bounded<P, A, W, T, O>
where
    P: SearchProblem,
    A: Agenda<P>,
    W: Expander<P>,
    T: Table<P>,
    O: Observer<P::State, P::Cost>,
{
    /// A search from one start.
    #[must_use = "a search does nothing until it is run"]
    pub fn search(self, start: P::State) -> BoundedSearch<P, A, W, T, O> {
        self.search_from([(start, P::Cost::ZERO)])
    }

    /// A search from several starts, each with what it has cost to get there.
    #[must_use = "a search does nothing until it is run"]
    pub fn search_from(
        self,
        starts: impl IntoIterator<Item = (P::State, P::Cost)>,
    ) -> BoundedSearch<P, A, W, T, O> {
        let Self { problem, agenda, walk, sieves, table, limits, observer } = self;
        let starts = starts.into_iter().collect();
        let engine = BoundedEngine::new(problem, table, agenda, (walk, sieves), starts);
        Search::new(engine, limits, observer)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Progress;
    use crate::problem::FnProblem;
    use crate::{BranchAndBound, BreadthFirst};

    /// Dropping states is no expansion, but takes time: the limits are looked at now and then.
    #[test]
    fn limits_are_looked_at_while_states_are_dropped() {
        let star = FnProblem::new(
            |&n: &u32| {
                if n == 0 { (1..=20_000).map(|i| (i, 20_001 - i)).collect() } else { vec![] }
            },
            |_: &u32| 0,
            |&n: &u32| n == 20_000,
        );
        macro_rules! looks {
            ($engine:ident) => {{
                let mut search = $engine::new(&star).search(0);
                assert_eq!(search.advance(1), Ok(Progress::Going));
                assert_eq!(search.stats().expanded, 1);
                (0..100).take_while(|_| search.advance(u64::MAX) == Ok(Progress::Going)).count()
            }};
        }
        for looks in [looks!(BranchAndBound), looks!(BreadthFirst)] {
            assert!((3..100).contains(&looks), "{looks}");
        }
    }
}
