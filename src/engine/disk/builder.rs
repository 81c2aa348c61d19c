//! [`ExternalAStar`]: the builder.

use std::path::PathBuf;

use super::checkpoint::Checkpoints;
use super::engine::{DiskEngine, Settings};
use super::files::Folder;
use super::storage::System;
#[cfg(feature = "parallel")]
use super::workers::SeveralThreads;
use super::workers::Workers;
use crate::Search;
use crate::cost::Cost;
use crate::disk_fault::DiskFault;
use crate::encode::Encode;
use crate::engine::builder::{run_settings, threads_need_feature};
use crate::limits::Limits;
use crate::observer::Observer;
use crate::problem::SearchProblem;
use crate::report::{ReportOf, SearchError};
use crate::threads::SingleThreaded;

/// External A\*: best-first search whose open and closed lists may be larger than the memory. What does not fit is in files.
/// Needs the feature `disk`: `bestfirst = { …, features = ["disk"] }` in `Cargo.toml`.
///
/// The open list is in *buckets*: all states with the same *g* and *h*. The bucket with the least *f = g + h* is next,
/// among equals the one with the largest *g*. Duplicates are detected not when a state is generated but when its bucket
/// is expanded: the bucket is divided into *shards* by the hash of the states, so that the table of a shard fits into the
/// cache, and each shard is compared with itself and with the closed states that have the same *h*. Then its states are
/// expanded one after the other, and their successors are added to the ends of other buckets.
///
/// - **Finds** a cheapest path, for every heuristic that never overestimates, consistent or not: a state that is reached
///   at a smaller *g* is expanded again. It expands the states that A* expands, except in the last layer of *f*: there A*
///   goes from state to state and this search from shard to shard, so it expands somewhat more before it meets the goal.
///   It ends as soon as a goal is generated whose cost is the least *f*.
/// - **Takes** memory up to its [budget](Self::memory); a state in a list takes its size and two bytes in memory, and
///   [`Encode::BYTES`] and two in a file. Duplicates are stored until their bucket
///   comes up, and those of one shard are in memory then: a state to which many millions of steps of the same cost lead may stop
///   the search for memory. Files are written and read from their beginning to their end, a shard at a time.
/// - **Time**: a bucket waits until it is worth the comparison with the closed states of its *h*, or until expansions since
///   then pay for it: small buckets near a goal do not wait for the whole layer. In spaces that grow
///   exponentially, like puzzles, closed states of former layers are few beside those of the present one, and the search
///   takes less time than A*, because it seldom waits for memory: it is an engine for memory, too. With a budget that is
///   large enough it writes nothing. In spaces that grow slowly, such as grids and roads, buckets are small and their number
///   is large, and so it is where costs have many values; the time may grow with the square of the number of buckets: take A* there.
/// - **Stops**: the report of a search that was stopped has the lower bound, and the cheapest path to a goal that was
///   generated. A search can be stopped after any expansion. It ends with the same report as if it had not been stopped,
///   unless the stop was for memory or at a limit on the disk: then counts and which of several cheapest paths is found
///   may differ.
/// - **Limits**: expansions are exact on one thread; on several they may be overrun by a shard where the budget is so small that a
///   bucket in files is divided anew. [`Limits::memory`] is a limit on the budget: the smaller of both counts.
///   [`Limits::disk`] limits the bytes of files of states, not that of the list of a checkpoint; at that limit, and where the disk is full, the search ends with
///   [`StopReason::Disk`](crate::StopReason::Disk), and goes on when there is room again. The time may be overrun by
///   what it takes to read or write a part of a file, and to write a checkpoint: with a slow disk and a budget of gigabytes
///   a second. A stop at which a solution is known already takes the time to find its path, too (below).
/// - **Paths**: a state in a list knows 16 bits of the hash of its parent. For each step of the path the closed states
///   whose hash has these bits are looked for in one shard, and expanded to see whether they lead there. That takes about
///   one reading of all closed states for a path of as many steps as there are shards.
/// - **Files** are in a folder of their own in the temporary folder of the system or in [another](Self::directory), and are
///   removed when the search is dropped. A file that was damaged in the meantime ends the search with
///   [`SearchError::Disk`]: every part has a checksum. So does a search that makes no progress, which would
///   be a fault of this library ([`DiskFaultKind::NoProgress`](crate::engine::DiskFaultKind::NoProgress)): it never loops forever.
///
/// Sources: Korf, *Best-First Frontier Search with Delayed Duplicate Detection*, 2004, and *Linear-Time Disk-Based Implicit
/// Graph Search*, 2008; Edelkamp, Jabbar and Schrödl, *External A\**, 2004 (buckets by *g* and *h*); Hatem, Burns and
/// Ruml, *Solving Large Problems with Heuristic Search: General-Purpose Parallel External-Memory Search*, 2018.
///
/// # Example
///
/// ```
/// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
/// use bestfirst::{ExternalAStar, IgnoreHeuristic};
///
/// let tiles = SlidingTiles::<Packed>::new(3, 3)?;
/// let board: Board = "8 0 6  5 4 7  2 3 1".parse()?;
/// let start = tiles.state(&board)?;
/// let puzzle = IgnoreHeuristic::new(tiles);
///
/// // All 181,440 states are expanded; a megabyte holds a third of them.
/// let mut search = ExternalAStar::new(&puzzle).memory(1_000_000).search(start);
/// let report = search.run()?;
/// assert_eq!(report.cost(), Some(31));
/// assert!(report.stats.peak_bytes < 1_010_000);
/// assert!(search.engine().bytes_in_files() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "DiskSearch")]
#[doc(alias = "disk")]
#[derive(Clone, Debug)]
#[must_use]
pub struct ExternalAStar<P: SearchProblem, W = SingleThreaded, O = ()> {
    problem: P,
    workers: W,
    directory: Option<PathBuf>,
    memory: usize,
    checkpoints: Option<PathBuf>,
    every: u64,
    label: String,
    limits: Limits<P::Cost>,
    observer: O,
}

/// A search on disk of the problem `P`: what [`ExternalAStar::search`] makes.
pub type ExternalAStarSearch<P, W = SingleThreaded, O = ()> = Search<DiskEngine<P, W>, O>;

/// What is held in memory, unless it is set.
const MEMORY: usize = 1 << 30;

/// A checkpoint is made after this many expansions, unless it is set.
const EVERY: u64 = 1 << 24;

impl<P: SearchProblem> ExternalAStar<P> {
    /// Creates a builder for a search of `problem` (owned or borrowed) on disk, with 1 GiB of memory, files in the
    /// temporary folder of the system, no checkpoints, no limits and no observer.
    pub fn new(problem: P) -> Self
    where
        // The engine needs both; the compiler explains them best where they are missing first.
        P::State: Encode,
        P::Cost: Encode,
    {
        Self {
            problem,
            workers: SingleThreaded,
            directory: None,
            memory: MEMORY,
            checkpoints: None,
            every: EVERY,
            label: String::new(),
            limits: Limits::new(),
            observer: (),
        }
    }
}

run_settings!(
    ExternalAStar<P, W; O> { problem, workers, directory, memory, checkpoints, every, label },
    observer: "If it listens, the search uses one thread."
);

impl<P: SearchProblem, W, O> ExternalAStar<P, W, O> {
    /// Sets how many bytes are held in memory before states are written to files. If even with all states in files more
    /// is needed, the search ends with [`StopReason::Memory`](crate::StopReason::Memory). The budget of a search does not change:
    /// begin again with twice as much, or [go on](Self::resume) from a checkpoint with it.
    ///
    /// What is needed in memory is some 300 bytes for each bucket (twice that and more where nearly every bucket has an *f* of its
    /// own), the successors of one state, and for the parts of the files and the
    /// shards of a bucket about 1.5 kB times the square root of the number of states: 0.4 MB for the 65,536 states of a hypercube of
    /// 16 dimensions, 1.6 MB for 20. So little takes long, since parts are read again and again: 143 seconds in the latter.
    ///
    /// All that the search allocates keeps to the budget, but for 32 kB (names of files, a block of a checkpoint), the list of a
    /// checkpoint while it is read, what a thread takes, and what a report holds: its path and its layers.
    /// What the process is resident with is at most 10 MB more on one thread and 40 on two, where the allocator is that of glibc (measured with budgets of 60 and 500 MB): the program, its stacks, and what
    /// the allocator leaves unused between blocks. That is little because all long lists are made of blocks of one size.
    ///
    /// The budget also decides how large shards are, and so the order of states with equal *g* and *h*.
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Makes the folder of the files in this directory, which is created if there is none, instead of in the temporary
    /// directory of the system. (That may be in memory itself.) With [checkpoints](Self::checkpoints) files are there.
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.directory = Some(path.into());
        self
    }

    /// Makes checkpoints in this folder, so that the search survives the end of its process at any moment:
    /// [`resume`](Self::resume) goes on from the last one, and ends with the same report. The folder is created if there
    /// is none, and must have no checkpoint of another search. It is kept until you remove it. A second search that would use
    /// it at the same time, in this process or in another, ends with an error that names the first:
    /// [`DiskFaultKind::InUse`](crate::engine::DiskFaultKind::InUse). The folder is locked, by a lock of the system on the file
    /// `lock` in it, from the first run or from [`resume`](Self::resume) on until the search is dropped or its process ends, however it ends.
    ///
    /// A checkpoint is made at the beginning, and whenever a bucket was expanded and at least
    /// [a given number](Self::checkpoint_every) of states since the last one. It writes what is in memory, and waits until it is
    /// on the disk.
    ///
    /// ```
    /// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
    /// use bestfirst::{ExternalAStar, Limits};
    ///
    /// let puzzle = SlidingTiles::<Packed>::new(3, 3)?;
    /// let start = puzzle.state(&"8 0 6  5 4 7  2 3 1".parse::<Board>()?)?;
    /// let folder = std::env::temp_dir().join(format!("bestfirst-doc-{}", std::process::id()));
    ///
    /// let builder = ExternalAStar::new(&puzzle).checkpoints(&folder).checkpoint_every(10_000);
    /// let limits = Limits::new().expansions(30_000);
    /// builder.limits(limits).search(start).run()?; // and if it is killed …
    ///
    /// let report = ExternalAStar::new(&puzzle).resume(&folder)?.run()?;
    /// assert_eq!(report.cost(), Some(31));
    /// std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn checkpoints(mut self, path: impl Into<PathBuf>) -> Self {
        self.checkpoints = Some(path.into());
        self
    }

    /// Makes a checkpoint after this many expansions (16,777,216 unless it is set), at the end of a bucket.
    pub fn checkpoint_every(mut self, expansions: u64) -> Self {
        self.every = expansions;
        self
    }

    /// Says which problem the checkpoints are of: [`resume`](Self::resume) accepts no other. It also compares the starts,
    /// their heuristic values and their successors; so a label is needed only where problems differ in something else.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }
}

threads_need_feature!(ExternalAStar<P, W, O>);

#[cfg(feature = "parallel")]
impl<P, W, O> ExternalAStar<P, W, O>
where
    P: SearchProblem<State: Send + Sync, Action: Send, Cost: Send + Sync> + Sync,
{
    /// Works on several shards at the same time, on `count` threads, one of them the calling thread. 0 stands for the
    /// number of processors, and more than 1024 are not started. (Feature `parallel`.)
    ///
    /// What the shards have generated is put together in their order. So **the report is the same**, bit for bit, on any
    /// number of threads, at every stop and at the end, except for [`peak_bytes`](crate::Stats::peak_bytes); and in a
    /// small budget, where it depends on that what is written to files, for the counts of the last layer. Panics of the
    /// problem reach the caller.
    pub fn threads(self, count: usize) -> ExternalAStar<P, SeveralThreads, O> {
        let Self {
            problem, directory, memory, checkpoints, every, label, limits, observer, ..
        } = self;
        let workers = SeveralThreads::new(count);
        ExternalAStar {
            problem,
            workers,
            directory,
            memory,
            checkpoints,
            every,
            label,
            limits,
            observer,
        }
    }
}

impl<P, W, O> ExternalAStar<P, W, O>
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    W: Workers<P>,
    O: Observer<P::State, P::Cost>,
{
    /// Creates a search from `start`, which can be run, stepped, stopped and resumed.
    #[must_use = "a search does nothing until it is run"]
    pub fn search(self, start: P::State) -> ExternalAStarSearch<P, W, O> {
        self.search_from([(start, P::Cost::ZERO)])
    }

    /// Creates a search from several starts, each with what it costs to get there.
    #[must_use = "a search does nothing until it is run"]
    pub fn search_from(
        self,
        starts: impl IntoIterator<Item = (P::State, P::Cost)>,
    ) -> ExternalAStarSearch<P, W, O> {
        let (mut engine, limits, observer) = self.into_parts();
        engine.starts = starts.into_iter().collect();
        Search::new(engine, limits, observer)
    }

    /// Creates a search from `start` and runs it.
    ///
    /// # Errors
    ///
    /// A [`SearchError`] if a cost is negative or no number, or too large for its type, or a file cannot be used.
    pub fn run(self, start: P::State) -> Result<ReportOf<P>, SearchError<P::Cost>> {
        self.search(start).run()
    }

    /// Creates a search that goes on from the last of the [checkpoints](Self::checkpoints) in this folder, and makes
    /// further ones there. It ends with the same report as the search that made them, if its memory and its limits are the
    /// same; only [`peak_bytes`](crate::Stats::peak_bytes) may be less, as lists begin anew. Limits on the time do so, too.
    ///
    /// # Errors
    ///
    /// A [`DiskFault`]: there is no checkpoint, it is damaged, it is that of another problem, or another search uses the folder.
    pub fn resume(
        mut self,
        path: impl Into<PathBuf>,
    ) -> Result<ExternalAStarSearch<P, W, O>, DiskFault> {
        self.checkpoints = Some(path.into());
        let (mut engine, limits, observer) = self.into_parts();
        let tally = engine.read_checkpoint()?;
        Ok(Search::from_tally(engine, limits, observer, tally))
    }

    fn into_parts(self) -> (DiskEngine<P, W>, Limits<P::Cost>, O) {
        let Self { problem, workers, memory, every, label, limits, observer, .. } = self;
        let storage = System::shared();
        let (folder, checkpoints) = match self.checkpoints {
            Some(path) => (Folder::kept(storage, path), Some(Checkpoints::new(every, label))),
            None => (Folder::fresh(storage, self.directory), None),
        };
        let engine = DiskEngine::new(problem, workers, Settings::new(memory), folder, checkpoints);
        (engine, limits, observer)
    }
}
