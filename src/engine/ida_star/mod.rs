//! IDA*: depth-first search under a bound that grows, in memory for one path.

mod crew;
mod deepening;
#[cfg(feature = "parallel")]
mod parallel;
mod stack;
mod transposition;
mod walk;

pub use crew::{Alone, Crew};
pub use deepening::IdaStarEngine;
#[cfg(feature = "parallel")]
pub use parallel::Threads;
pub use transposition::TranspositionTable;
pub use walk::{Buffered, InPlace, Judge, Walk};

use super::Search;
use crate::cost::Cost;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::problem::InPlaceProblem;
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};

/// Iterative deepening A*: searches depth first, turns back where *f = g + h* exceeds a bound, and
/// begins again with the smallest *f* that did.
///
/// - **Finds** a cheapest path, for every heuristic that never overestimates.
/// - **Takes** memory for the states of one path, plus what its transposition table is given. Time:
///   every iteration repeats those before it, which costs little where each is many times as large
///   as the last (puzzles with unit costs), and much where the values of *f* are many.
/// - Without a [transposition table](Self::transposition_table) it knows no duplicates but the way
///   straight back, and so is for spaces like trees: puzzles, not grids.
/// - Where no goal can be reached in a space with cycles, it ends only if it is told to
///   [avoid cycles](Self::avoid_cycles) and has no table, or at a limit: the bound grows, and the paths
///   with it. Cycles of steps that cost nothing never trap it.
///
/// The search uses an explicit stack: its depth is limited by memory only. With the feature `parallel`,
/// several threads share it (`threads`).
///
/// Source: Korf, *Depth-First Iterative-Deepening: An Optimal Admissible Tree Search*, 1985.
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
/// // One entry for each bound that was tried:
/// assert_eq!(report.layers.len(), 14);
/// # Ok::<(), bestfirst::SearchError<u32>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct IdaStar<P: SearchProblem, W = Buffered<P>, O = (), T = Alone> {
    problem: P,
    walk: W,
    crew: T,
    limits: Limits<P::Cost>,
    observer: O,
    table_bytes: usize,
    avoids_cycles: bool,
}

/// An IDA* search of the problem `P`: what [`IdaStar::search`] makes.
pub type IdaStarSearch<P, W = Buffered<P>, O = (), T = Alone> = Search<IdaStarEngine<P, W, T>, O>;

impl<P: SearchProblem> IdaStar<P> {
    /// Begins to put a search of `problem`, or of what it refers to, together.
    pub fn new(problem: P) -> Self {
        Self {
            problem,
            walk: Buffered::new(),
            crew: Alone,
            limits: Limits::new(),
            observer: (),
            table_bytes: 0,
            avoids_cycles: false,
        }
    }
}

impl<P: SearchProblem, W, O, T> IdaStar<P, W, O, T> {
    /// Sets the limits.
    pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
        self.limits = limits;
        self
    }

    /// Tells `observer`, or what a `&mut` to one points at, what happens.
    pub fn observer<N: Observer<P::State, P::Cost>>(self, observer: N) -> IdaStar<P, W, N, T> {
        let Self { problem, walk, crew, limits, table_bytes, avoids_cycles, .. } = self;
        IdaStar { problem, walk, crew, limits, observer, table_bytes, avoids_cycles }
    }

    /// Changes one state and changes it back, instead of keeping copies.
    pub fn in_place(self) -> IdaStar<P, InPlace<P>, O, T>
    where
        P: InPlaceProblem,
    {
        let Self { problem, crew, limits, observer, table_bytes, avoids_cycles, .. } = self;
        let walk = InPlace::new();
        IdaStar { problem, walk, crew, limits, observer, table_bytes, avoids_cycles }
    }

    /// Remembers states in a table of that many bytes: what was proved of the rest of the way from
    /// them, and at what cost they were reached in this iteration. See [`TranspositionTable`].
    pub fn transposition_table(mut self, bytes: usize) -> Self {
        self.table_bytes = bytes;
        self
    }

    /// Never enters a state that is on the path already. It takes a hash lookup for every expansion;
    /// in return, a search of a finite space always ends, also where no goal can be reached. (Not with
    /// a transposition table: what it proves of states on a cycle grows without end.)
    pub fn avoid_cycles(mut self) -> Self {
        self.avoids_cycles = true;
        self
    }
}

#[cfg(feature = "parallel")]
impl<P: SearchProblem, W, O, T> IdaStar<P, W, O, T> {
    /// Searches on so many threads, the calling one among them; 0 stands for as many as there are
    /// processors, and 1 is the search without threads. (Feature `parallel`.)
    ///
    /// The tree of each iteration is cut at its top into pieces, which the threads take from left to
    /// right, each the next one that is left. What is found is what one thread finds:
    ///
    /// - **The report is the same**, bit for bit, and the same each time: the path, the bound, and what
    ///   was counted in each iteration, the last one too. What threads did to the right of the goal,
    ///   where one thread would not have come, is not counted in the end. Only
    ///   [`stored`](crate::Stats::stored) and [`peak_bytes`](crate::Stats::peak_bytes) tell of
    ///   the threads, and the latter may differ from run to run. (So do the counts of a search that is
    ///   stopped in the midst of an iteration, and whether a limit comes before the goal.)
    /// - **Limits** hold for all threads together. That on expansions is exact, and counts
    ///   what the threads do to the right of a goal too; memory is that of all stacks. A search that
    ///   was stopped goes on where every thread was.
    /// - **Panics** of the problem end the other threads' work and come to the caller, as on one thread.
    /// - **An observer** is called on the calling thread and told of iterations only
    ///   ([`layer`](Observer::layer)).
    /// - **A [transposition table](Self::transposition_table)** becomes one for each thread, each with
    ///   its share of the bytes. Which of them knows what then depends on who was faster: the
    ///   cost of the answer is the same, counts, and which of several cheapest paths it is, may
    ///   differ from run to run.
    ///
    /// Iterations that take less than a tenth of a millisecond stay on the calling thread. The
    /// others begin with the first that takes longer, and sleep between iterations; if the
    /// system has no threads to give, the calling one does it all. The tree is cut at most 64 steps
    /// below the starts: where it does not branch by then, threads do not help.
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
    pub fn threads(self, count: usize) -> IdaStar<P, W, O, Threads>
    where
        P: Sync,
        P::State: Send,
        P::Action: Send,
        P::Cost: Send,
    {
        let Self { problem, walk, limits, observer, table_bytes, avoids_cycles, .. } = self;
        let crew = Threads::new(count);
        IdaStar { problem, walk, crew, limits, observer, table_bytes, avoids_cycles }
    }
}

impl<P, W, O, T> IdaStar<P, W, O, T>
where
    P: SearchProblem,
    W: Walk<P>,
    O: Observer<P::State, P::Cost>,
    T: Crew<P, W>,
{
    /// A search from one start.
    #[must_use = "a search does nothing until it is run"]
    pub fn search(self, start: P::State) -> IdaStarSearch<P, W, O, T> {
        self.search_from([(start, P::Cost::ZERO)])
    }

    /// A search from several starts, each with what it has cost to get there.
    #[must_use = "a search does nothing until it is run"]
    pub fn search_from(
        self,
        starts: impl IntoIterator<Item = (P::State, P::Cost)>,
    ) -> IdaStarSearch<P, W, O, T> {
        let starts = starts.into_iter().collect();
        let engine = IdaStarEngine::new(
            self.problem,
            self.walk,
            starts,
            self.table_bytes,
            self.avoids_cycles,
            self.crew,
        );
        Search::new(engine, self.limits, self.observer)
    }
}

/// Finds a cheapest path from `start` to a goal by [`IdaStar`], without limits and without a table.
///
/// # Errors
///
/// A [`SearchError`] if a cost is negative or no number, or too large for its type.
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
