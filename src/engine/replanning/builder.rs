//! [`Replanner`]: the builder, and the methods that report changes to its search.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::record::ReplanRecord;
use super::search::{ReplannerEngine, ReplanningTable};
use crate::Search;
use crate::engine::builder::{run_settings, search_methods};
use crate::limits::Limits;
use crate::memory::Memory;
use crate::observer::Observer;
use crate::problem::{DenseStates, Reversible, SearchProblem};
use crate::table::{DenseTable, HashedTable};

/// D\* Lite: finds a cheapest path again each time the start moves or the problem changes, and expands only
/// the states that the changes affect.
///
/// The problem must be [`Reversible`]: the search goes from the goals to the start, so that most of its
/// results remain valid when the start moves. [`heuristic_from`](Reversible::heuristic_from) is its heuristic; the
/// problem's other [`heuristic`](SearchProblem::heuristic) is not used.
///
/// 1. [`search`](Self::search) creates a [`Search`] that owns (or borrows) the problem, and
///    [`run`](Search::run) finds a first path.
/// 2. [`moved_to`](Search::moved_to) reports a new start. [`problem_mut`](Search::problem_mut) returns the
///    problem, to be changed. Call [`changed`](Search::changed) for **every state from which a step was added
///    or removed, or whose steps have another cost or target**, and for every state that has become a goal or is
///    no longer one.
/// 3. [`run`](Search::run) then finds a cheapest path of the changed problem.
///
/// - **Finds** a cheapest path, or proves that there is none. Its cost is that of a new search by A\*; the choice
///   among several cheapest paths may differ.
/// - **Takes** time for the states whose cost to a goal has changed and that are relevant for the path: each is expanded
///   at most twice. The first run expands about as many states as an A\* from the goal that breaks ties
///   towards the goal, often more than [`AStar`](crate::AStar) does. It pays if few steps change between two runs,
///   and if they are near the start. After large changes near the goal,
///   [`restart`](Search::restart) may be faster. It keeps the memory of every state that was ever reached.
/// - **Takes any admissible heuristic**, consistent or not. It may change with the problem: whenever the start has
///   moved or a state has changed, the heuristic of every open state is computed again. If it is consistent,
///   [`consistent`](Self::consistent) avoids that.
/// - **Several goals** are searched from at once. **Steps may cost nothing**: among equal costs, paths
///   with fewer steps are preferred.
///
/// A change that is not reported leads to wrong results: a path that is not cheapest, or, if the
/// path takes a step that no longer exists, [`SearchError::Path`](crate::SearchError::Path). Reporting states that
/// have not changed only costs time.
///
/// # Reports
///
/// Counts, the clock, and with them the [limits](Limits) restart at each reported change. A
/// run that stops at a limit continues where it stopped; more changes may be reported before. An expansion is a state
/// popped from the open list whose predecessors are generated. If its cost has risen, the successors of those
/// predecessors whose path led through it are generated, too: these count as
/// [generated](crate::Stats::generated) and not as expanded. An observer's *g* is the cost to a
/// goal, and its *h* the estimate from the start. There are no certificates and no closest state.
///
/// # Source
///
/// Koenig and Likhachev, *D\* Lite*, AAAI 2002. The differences: costs are compared together with the number of steps,
/// so that steps of cost zero are safe; a state stores its best successor; and keys are recomputed if the heuristic
/// is not known to be consistent, or if sums would not fit into their type.
///
/// # Example
///
/// ```
/// use bestfirst::problems::grid_map::{Cell, FourWay, GridMap, GridRoute};
/// use bestfirst::Replanner;
///
/// let map = GridMap::from_rows("......\n.@@@@.\n......\n")?;
/// let route = GridRoute::new(map, Cell::new(5, 0)).by::<FourWay>(); // it owns the map
/// let mut search = Replanner::new(route).consistent().dense().search(Cell::new(0, 0));
/// assert_eq!(search.run()?.cost(), Some(5));
///
/// // One step to the right, and a wall appears.
/// search.moved_to(&Cell::new(1, 0));
/// for cell in search.problem_mut().set_free(Cell::new(3, 0), false) {
///     search.changed(&cell);
/// }
/// let report = search.run()?;
/// assert_eq!(report.cost(), Some(10));
/// report.path().unwrap().verify(search.problem())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Replanner<P: SearchProblem, T = Replanned<P>, O = ()> {
    problem: P,
    table: T,
    is_consistent: bool,
    limits: Limits<P::Cost>,
    observer: O,
}

/// The default table.
type Replanned<P, B = FxBuildHasher, I = u32> =
    HashedTable<<P as SearchProblem>::State, ReplanRecord<<P as SearchProblem>::Cost, I>, B>;

/// A replanning search; created by [`Replanner::search`].
pub type ReplannerSearch<P, T = Replanned<P>, O = ()> = Search<ReplannerEngine<P, T>, O>;

impl<P: Reversible> Replanner<P> {
    /// Creates a builder for a replanning search of `problem` (owned or borrowed), with a [`HashedTable`], no
    /// limits and no observer.
    pub fn new(problem: P) -> Self {
        Self {
            problem,
            table: HashedTable::default(),
            is_consistent: false,
            limits: Limits::new(),
            observer: (),
        }
    }
}

run_settings!(Replanner<P, T; O> { problem, table, is_consistent });

impl<P: Reversible, T, O> Replanner<P, T, O> {
    /// Declares that [`heuristic_from`](Reversible::heuristic_from) is consistent and does not change: *h(a, c) ≤
    /// h(a, b) + h(b, c)* for all states, whatever changes in the problem. This holds for distances on a grid that
    /// ignore walls.
    ///
    /// Then the open states keep their keys when the start moves, because the search adds the distance that it has
    /// moved to new keys. **If the declaration is false, the path may not be a cheapest one.**
    pub fn consistent(mut self) -> Self {
        self.is_consistent = true;
        self
    }

    /// Uses this table, whose records must be [`ReplanRecord`]s: [`HashedTable`] (the default), [`DenseTable`], or
    /// [your own](crate::table::Table).
    pub fn table<N: ReplanningTable<P::State, P::Cost>>(self, table: N) -> Replanner<P, N, O> {
        let Self { problem, is_consistent, limits, observer, .. } = self;
        Replanner { problem, table, is_consistent, limits, observer }
    }

    /// Uses a [`HashedTable`] with this hasher instead of that of rustc-hash.
    pub fn hasher<B: BuildHasher>(self, hasher: B) -> Replanner<P, Replanned<P, B>, O> {
        self.table(HashedTable::with_hasher(hasher))
    }

    /// Uses a [`DenseTable`]: states are numbered by [`DenseStates`] and not hashed. The table stores a clone of the
    /// current problem for its numbering, which must not change.
    pub fn dense(self) -> Replanner<P, DenseTable<P, ReplanRecord<P::Cost>>, O>
    where
        P: DenseStates + Clone,
    {
        let table = DenseTable::new(self.problem.clone());
        self.table(table)
    }

    /// Numbers the states with 63 bits instead of 31: for more than 2³¹ − 1 states, where the narrow ids stop the
    /// search with [`StopReason::States`](crate::StopReason::States). This sets the table to a [`HashedTable`].
    pub fn wide_ids(self) -> Replanner<P, Replanned<P, FxBuildHasher, u64>, O> {
        self.table(HashedTable::default())
    }
}

search_methods!(
    Replanner<P, T; O> -> ReplannerSearch { problem, table, is_consistent },
    where {
        P: Reversible,
        T: ReplanningTable<P::State, P::Cost>,
    },
    engine: |starts| ReplannerEngine::new(problem, table, is_consistent, starts),
    search_from: "All starts are looked at again at every expansion, so it takes as long as there are many."
);

/// Changes between two runs of a replanning search.
impl<P, T, O> Search<ReplannerEngine<P, T>, O>
where
    P: Reversible,
    T: ReplanningTable<P::State, P::Cost>,
    O: Observer<P::State, P::Cost>,
{
    /// Sets the start to `start`. The results for all states are kept.
    pub fn moved_to(&mut self, start: &P::State) {
        self.go_on().0.move_to(start);
    }

    /// Reports that the steps from `state` may have changed, or whether it is a goal. It may be called before or after
    /// the change, in any order, and more than once.
    ///
    /// If a change is not reported, the next runs may return a path that is not a cheapest one, or an error:
    /// [`SearchError::Path`](crate::SearchError::Path) if a step of the path no longer exists,
    /// [`SearchError::ParentCycle`](crate::SearchError::ParentCycle) if the remaining steps form a cycle.
    pub fn changed(&mut self, state: &P::State) {
        let (engine, memory) = self.go_on();
        engine.note_change(state, memory);
    }

    /// Returns the problem.
    pub fn problem(&self) -> &P {
        self.engine().problem()
    }

    /// Returns the problem, to be changed: see [`changed`](Self::changed).
    pub fn problem_mut(&mut self) -> &mut P {
        self.go_on().0.problem_mut()
    }

    /// Prepares the engine for a change. After an error its results are invalid, so the next run starts over.
    fn go_on(&mut self) -> (&mut ReplannerEngine<P, T>, &mut Memory) {
        let (engine, memory, has_failed) = self.engine_to_go_on();
        if has_failed {
            engine.start_over();
        }
        (engine, memory)
    }
}
