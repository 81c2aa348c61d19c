//! IDA*: the builder and the function.

use super::{Buffered, Deepening, Expander, IdaStarEngine, InPlace, ParallelStrategy};
use crate::Search;
use crate::engine::builder::{run_settings, search_methods, threads_need_feature};
use crate::limits::Limits;
use crate::problem::InPlaceProblem;
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};
use crate::threads::SingleThreaded;
#[cfg(feature = "parallel")]
use crate::threads::Threads;

/// Iterative deepening A*: searches depth first, prunes states whose *f = g + h* exceeds a bound, and
/// starts again with a larger bound: the smallest *f* that was pruned, or one that makes the iteration
/// two to three times as large as the last.
///
/// - **Finds** a cheapest path, for every admissible heuristic.
/// - **Memory**: the states of one path and their successors, plus the bytes given to the transposition
///   table.
/// - **Time**: every iteration repeats those before it. That costs little where each is many times as
///   large as the last (puzzles with unit costs). Where iterations would grow slowly, because there are many
///   values of *f*, bounds are [chosen](Deepening) so that they grow, and iterations that turn out too large
///   are given up: all together take two to three times the expansions of a single one with the right bound
///   (measured; 6.6 times on the worst instance; among floats, where a bound was far too large, up to one for each bit of the type
///   is given up before one fits). A bound that is chosen may be too large: then the first
///   solution need not be a cheapest one, and the search goes on below its cost. ([`Observer::incumbent`](crate::Observer::incumbent) is
///   called for each solution that is not known to be the best when it is found; one found before a stop is
///   in [`Report`](crate::Report::incumbent).)
/// - **Duplicates**: without a [transposition table](Self::transposition_table), only the step straight
///   back is detected. So it is for state spaces that are like trees: puzzles, not grids.
/// - **Cycles**: where no goal can be reached in a space with cycles, it ends only if it is told to
///   [avoid cycles](Self::avoid_cycles) and has no table, or at a limit: the bound grows, and the paths
///   with it. Cycles of steps that cost nothing are always detected.
///
/// The search recurses to a limited depth and continues on an explicit stack below it, so its depth is limited by
/// memory only. With the feature `parallel`,
/// several threads can search (`threads`). The builder has no such method without it: then write
/// `bestfirst = { …, features = ["parallel"] }` in `Cargo.toml`.
///
/// Source: Korf, *Depth-First Iterative-Deepening: An Optimal Admissible Tree Search*, 1985; the budgets,
/// Helmert, Lattimore, Lelis, Orseau and Sturtevant, *Iterative Budgeted Exponential Search*, 2019; bounds that
/// follow the growth of iterations, Sarkar, Chakrabarti, Ghose and De Sarkar, *Reducing Reexpansions in
/// Iterative-Deepening Search by Controlling Cutoff Bounds*, 1991.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, IdaStar};
///
/// let problem = FnProblem::new(
///     |&n: &u64| [(n + 1, 1_u32), (n * 2, 1)],
///     |&n: &u64| u32::from(n != 1000),
///     |&n: &u64| n == 1000,
/// );
/// let report = IdaStar::new(&problem).search(1).run()?;
/// assert_eq!(report.cost(), Some(14));
/// // One layer for each iteration:
/// assert_eq!(report.layers.len(), 14);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct IdaStar<P: SearchProblem, W = Buffered<P>, T = SingleThreaded, O = ()> {
    problem: P,
    expander: W,
    strategy: T,
    limits: Limits<P::Cost>,
    observer: O,
    settings: Settings,
}

/// What does not depend on the types.
#[derive(Clone, Copy, Debug, Default)]
struct Settings {
    table_bytes: usize,
    avoids_cycles: bool,
    deepening: Deepening,
}

/// An IDA* search of the problem `P`, made by [`IdaStar::search`].
pub type IdaStarSearch<P, W = Buffered<P>, T = SingleThreaded, O = ()> =
    Search<IdaStarEngine<P, W, T>, O>;

impl<P: SearchProblem> IdaStar<P> {
    /// Creates a builder for an IDA* search of `problem` (owned or borrowed).
    pub fn new(problem: P) -> Self {
        Self {
            problem,
            expander: Buffered::new(),
            strategy: SingleThreaded,
            limits: Limits::new(),
            observer: (),
            settings: Settings::default(),
        }
    }
}

run_settings!(IdaStar<P, W, T; O> { problem, expander, strategy, settings });

impl<P: SearchProblem, W, T, O> IdaStar<P, W, T, O> {
    /// Generates successors by applying actions to one state and undoing them. Only successors within
    /// the bound are copied.
    pub fn in_place(self) -> IdaStar<P, InPlace<P>, T, O>
    where
        P: InPlaceProblem,
    {
        let Self { problem, strategy, limits, observer, settings, .. } = self;
        let expander = InPlace::new();
        IdaStar { problem, expander, strategy, limits, observer, settings }
    }

    /// Uses a transposition table of at most this many bytes (0: none, the default). It stores of states
    /// a lower bound on the cost to a goal, and at which g they were reached in the current iteration.
    /// All of it is allocated before the first expansion; a limit on the memory must leave room for it. See [`TranspositionTable`](super::TranspositionTable).
    ///
    /// Where no path is found, and a sum did not fit into the type of costs, all states are reached once more, and kept,
    /// to say whether [that matters](crate::SearchError::Overflow).
    pub fn transposition_table(mut self, bytes: usize) -> Self {
        self.settings.table_bytes = bytes;
        self
    }

    /// Decides how the bound grows. The default is [`Deepening::Budgeted`]; with
    /// [`Deepening::ByNextValue`] it is plain IDA*. Where every iteration is much larger than the last, there
    /// is no difference.
    pub fn deepening(mut self, deepening: Deepening) -> Self {
        self.settings.deepening = deepening;
        self
    }

    /// Prunes states that are on the current path already. That takes a hash lookup per expansion; in
    /// return, the search of a finite space always ends, also where no goal can be reached. (Not with a
    /// transposition table: its lower bounds of states on a cycle grow without end.)
    pub fn avoid_cycles(mut self) -> Self {
        self.settings.avoids_cycles = true;
        self
    }
}

#[cfg(feature = "parallel")]
impl<P: SearchProblem, W, T, O> IdaStar<P, W, T, O> {
    /// Searches on `count` threads, one of them the calling thread. 0 stands for the number of
    /// processors; 1 is the search without threads. (Feature `parallel`.)
    ///
    /// The tree of each iteration is split near its root into subtrees. The threads take them from left
    /// to right; each takes the next one that is left. The result is that of one thread:
    ///
    /// - **The report is the same**, bit for bit, in every run: the path, the bound, and the counts of
    ///   each iteration, also of the last. What threads did to the right of the goal, where one thread
    ///   would not have searched, is not counted in the end. Only [`stored`](crate::Stats::stored) and
    ///   [`peak_bytes`](crate::Stats::peak_bytes) depend on the threads; the latter may differ from run
    ///   to run. (So do the counts of a search that is stopped during an iteration, and whether a limit
    ///   is reached before the goal.)
    /// - **Limits** hold for all threads together. The limit on expansions is exact, and includes those
    ///   to the right of a goal; memory is that of all stacks. A search that was stopped continues where
    ///   every thread was.
    /// - **Panics** of the problem end the work of the other threads and reach the caller, as on one
    ///   thread.
    /// - **An observer** is called on the calling thread, and told of iterations only
    ///   ([`layer`](crate::Observer::layer)).
    /// - **A [transposition table](Self::transposition_table)** is divided: each thread has one of its
    ///   own with an equal share of the bytes. What is in it depends on which subtrees the thread
    ///   searched: the cost of the path is the same, but the counts, and which of several cheapest paths
    ///   is found, may differ from run to run.
    /// - **[Bounds that are chosen](Deepening)**, where there are many values of *f*: the same holds. Each
    ///   thread goes on below the cost of the best solution that any of them has found.
    ///
    /// At most 1024 threads search; more than there are processors make the search slower, hundreds of them by seconds.
    /// Iterations that take less than a tenth of a millisecond stay on the calling thread. The other
    /// threads are started in the first that takes longer, and sleep between iterations; if the system
    /// cannot start any, the calling thread searches alone. The tree is split at most 64 steps below the
    /// starts: where it does not branch above, threads do not help.
    ///
    /// ```
    /// use bestfirst::problems::sliding_tiles::{Board, SlidingTiles, Tracked};
    /// use bestfirst::IdaStar;
    ///
    /// let puzzle = SlidingTiles::<Tracked>::new(4, 4)?;
    /// let board: Board = "0 1 9 7  11 13 5 3  14 12 4 2  8 6 10 15".parse()?;
    /// let start = puzzle.state(&board)?;
    /// let one = IdaStar::new(&puzzle).in_place().search(start).run()?;
    /// let two = IdaStar::new(&puzzle).in_place().threads(2).search(start).run()?;
    /// assert_eq!(two.outcome, one.outcome);
    /// assert_eq!(two.layers, one.layers);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn threads(self, count: usize) -> IdaStar<P, W, Threads, O>
    where
        P: Sync,
        P::State: Send,
        P::Action: Send,
        P::Cost: Send,
    {
        let Self { problem, expander, limits, observer, settings, .. } = self;
        let strategy = Threads::new(count);
        IdaStar { problem, expander, strategy, limits, observer, settings }
    }
}

threads_need_feature!(IdaStar<P, W, T, O>);

search_methods!(
    IdaStar<P, W, T; O> -> IdaStarSearch { problem, expander, strategy, settings },
    where {
        P: SearchProblem,
        W: Expander<P>,
        T: ParallelStrategy<P, W>,
    },
    engine: |starts| {
        let Settings { table_bytes, avoids_cycles, deepening } = settings;
        let table = (table_bytes, avoids_cycles);
        IdaStarEngine::new(problem, expander, starts, table, deepening, strategy)
    }
);

/// Finds a cheapest path from `start` to a goal with [`IdaStar`], without limits and without a
/// transposition table.
///
/// If no goal can be reached in a space with cycles, it never ends. If that may be, use [`IdaStar`] with
/// [`avoid_cycles`](IdaStar::avoid_cycles) or with limits.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or not a number, or too large for its type.
///
/// # Example
///
/// ```
/// use bestfirst::{FnProblem, idastar};
///
/// let problem = FnProblem::new(
///     |&(x, y): &(i32, i32)| [((x + 2, y + 1), 1_u32), ((x + 1, y + 2), 1)],
///     |&(x, y)| ((x - 9).unsigned_abs() + (y - 9).unsigned_abs()).div_ceil(3),
///     |&place| place == (9, 9),
/// );
/// assert_eq!(idastar(&problem, (0, 0))?.cost(), Some(6));
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
pub fn idastar<P: SearchProblem>(
    problem: &P,
    start: P::State,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    IdaStar::new(problem).search(start).run()
}
