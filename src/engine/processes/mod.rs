//! [`Distributed`]: A\* on several processes, on one machine or many.
//!
//! - `cluster`, `secret`, `connect`, `launch`: the processes, how they find each other, and what they prove.
//! - `wire`, `frame`, `messages`, `link`, `heart`, `watch`: their connections, and what becomes of those that break.
//! - `dataflow`, `time`, `batch`: the dataflow of timely, seen from a worker.
//! - `worker`, `common`, `message`: a worker's part in the rounds, what all know alike, and what they tell each other.
//! - `finish`: the results.
//! - `sim`: the tests on a network that is simulated; `hostile`: those with a process that sends what it should not.

mod batch;
mod cluster;
mod common;
mod connect;
mod dataflow;
mod error;
mod finish;
mod frame;
mod heart;
#[cfg(test)]
mod hostile;
mod launch;
mod link;
mod message;
mod messages;
mod secret;
#[cfg(test)]
mod sim;
mod time;
mod watch;
mod wire;
mod worker;

use std::hash::Hasher;
use std::marker::PhantomData;
use std::sync::Mutex;

use rustc_hash::FxHasher;

pub use cluster::Cluster;
pub use error::{ClusterError, DistributedError, Loss};
pub use secret::Secret;

use crate::cost::Cost;
use crate::debug::show_fields;
use crate::encode::Encode;
use crate::engine::search::{bound_beside, concluded};
use crate::limits::Limits;
use crate::path::{Path, PathOf};
use crate::problem::SearchProblem;
use crate::report::{Report, ReportOf, SearchError};
use crate::table::StateId;
use connect::Hello;
use finish::{Summary, Trail};
use launch::Launch;
use wire::{Network, Sockets};
use worker::Worker;

/// A\* on several processes, on one machine or many: each state belongs to one worker, by its hash, and the successors
/// of a state travel to their workers in batches, by TCP. So a search has the memory of all machines.
///
/// - **Finds** a cheapest path, for every heuristic that never overestimates, consistent or not, with the cost and the
///   lower bound of [`AStar`](crate::AStar). Of several cheapest paths it may find another one.
/// - **Takes** in each process what [`AStar`](crate::AStar) takes for the states that it stores, about as many as in
///   every other, and between processes the bytes of each successor that belongs to another: those of
///   its [encoding](Encode), its cost, and four more (eight with [`wide_ids`](Self::wide_ids)).
/// - **Returns** the same report in every process, bit for bit, and again in every run with as many workers. With
///   another number of workers, counts differ, and perhaps the path.
///
/// All workers work in rounds. In a round, each expands a number of its states in the order of *f*, and sends the
/// successors to their owners; the next round begins when all have come. No state beyond the least *f* is expanded before
/// all those with that *f* are (if there are many values of *f*, several of them make a layer). The rounds
/// are timestamps of a dataflow of the crate [timely](https://docs.rs/timely), and the *f* of its frontier is the lower
/// bound.
///
/// # One program, several processes
///
/// Start the same program on each machine, with the same problem, the same starts and the same options except `-p`;
/// see [`Cluster`]. They find each other by a list of addresses. `run` returns in all of them.
///
/// ```
/// use bestfirst::Distributed;
/// use bestfirst::problems::sliding_tiles::{Board, Packed, SlidingTiles};
///
/// let puzzle = SlidingTiles::<Packed>::new(3, 3)?;
/// let board: Board = "8 7 6 0 4 1 2 5 3".parse()?;
/// // Without options on the command line it is one process with one worker.
/// let report = Distributed::new(&puzzle).from_args(std::env::args())?.run(puzzle.state(&board)?)?;
/// assert_eq!(report.cost(), Some(31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What it does not give
///
/// - **No fault tolerance.** The states of a process are nowhere else. When a process ends, or is silent for eight
///   seconds, all others end with [`ClusterError::Lost`] within ten, and the search must begin again. If a process is alive but makes no
///   progress, they do so after five minutes, or as [`Cluster::stall_timeout`] says.
/// - **No secrecy.** What is sent is not encrypted: whoever reads the network reads the states. See below.
/// - **No resuming.** A search that is stopped by a limit is over: raise the limit and start again.
/// - **No other programs.** Hashes decide which worker owns a state, so all processes must run the same build, on
///   machines with pointers of the same size. That the starts are the same is checked at the beginning; that the problems
///   are is not.
///
/// # Who takes part
///
/// All processes share a [`Secret`], from a file or from the environment; it may be omitted only if all addresses are on one
/// machine. It is never sent. On each connection, each side proves to the other that it knows the secret, by a code (keyed
/// BLAKE3) over random numbers of both, before it says anything else: so a message that was recorded or reflected is of no
/// use. A proof takes at most three seconds as a whole; whoever fails is dropped, and the start goes on.
///
/// After that, every frame has a code over its bytes and its number, by a key for this connection and this direction: anyone
/// without the secret can read or delay frames or end the connection, but cannot alter, replay, drop or insert one unnoticed.
/// Damage by the network is detected in the same way ([`Loss::Garbled`]). Lengths are checked before anything is allocated for them.
///
/// Processes that know the secret are trusted: one that sends wrong states makes the result wrong. Without a secret, the codes still
/// notice damage, but whoever has an account on the machine can take part.
///
/// # Limits
///
/// The limits of all processes must be the same, except the limit on the memory.
///
/// | limit | of | kept |
/// |---|---|---|
/// | expansions | all workers together | exactly; near the limit they share what is left, so a search may be stopped that would have ended just then |
/// | memory | this process, an equal part for each worker | to one percent, without what is under way: up to a round of successors, and the buffers of the connections, some megabytes for each |
/// | time, token | each process | the search ends in all when it is reached in one; overrun by a few milliseconds where it is reached; the others hear of it after their present round. Then the path to the closest state is collected, which takes as many messages as it changes owners |
/// | cost | all | exactly |
///
/// A worker may not run ahead of the others: it expands at most 32,768 states in a round and sends their successors, and it
/// begins no other before the successors of the last one have come from all.
///
/// # When to take it
///
/// When the states do not fit into the memory of one machine and a disk is too slow, or one machine has too few
/// cores. On one machine, [`AStar::threads`](crate::AStar::threads) takes about as long and as much memory, needs no set-up,
/// and can be resumed. The page `docs/scale.md` of the repository says what a search of a given size takes.
///
/// # Source
///
/// Kishimoto, Fukunaga and Botea, *Evaluation of a Simple, Scalable, Parallel Best-First Search Strategy*, 2013
/// (hash distributed A\*; here in rounds); Murray and others, *Naiad: A Timely Dataflow
/// System*, 2013.
#[must_use]
pub struct Distributed<
    P: SearchProblem,
    I = u32,
    F = fn(&DistributedProgress<<P as SearchProblem>::Cost>),
> {
    problem: P,
    cluster: Cluster,
    limits: Limits<P::Cost>,
    progress: Option<F>,
    ids: PhantomData<I>,
}

/// How far a search on several machines has come: what its first worker knows at the beginning of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DistributedProgress<C> {
    /// No solution costs less.
    pub lower_bound: C,
    /// States expanded by all workers.
    pub expanded: u64,
    /// Successors generated by all workers.
    pub generated: u64,
    /// States stored by all workers.
    pub stored: u64,
}

/// The limits, as the workers keep them.
struct SearchLimits<C> {
    /// All workers together.
    expansions: Option<u64>,
    /// Each worker.
    of_worker: Limits<C>,
}

impl<P: SearchProblem> Distributed<P> {
    /// Creates a builder for a search of `problem` (owned or borrowed) by one worker, without limits.
    pub fn new(problem: P) -> Self
    where
        // The engine needs both; the compiler explains them best where they are missing first.
        P::State: Encode,
        P::Cost: Encode,
    {
        let cluster = Cluster::threads(1);
        Self { problem, cluster, limits: Limits::new(), progress: None, ids: PhantomData }
    }
}

impl<P: SearchProblem, I, F> Distributed<P, I, F> {
    /// Uses `count` threads of this process, each a worker: at least one, and at most 1024.
    pub fn workers(self, count: usize) -> Self {
        self.cluster(Cluster::threads(count))
    }

    /// Uses the processes and workers that the arguments of the program say; see [`Cluster`].
    ///
    /// # Errors
    ///
    /// As [`Cluster::from_args`], which also returns the arguments that say nothing about them.
    pub fn from_args(self, args: impl IntoIterator<Item = String>) -> Result<Self, ClusterError> {
        let (cluster, _) = Cluster::from_args(args)?;
        Ok(self.cluster(cluster))
    }

    /// Uses these processes and workers.
    pub fn cluster(mut self, cluster: Cluster) -> Self {
        self.cluster = cluster;
        self
    }

    /// Sets the limits. Until all processes are connected, only [`Cluster::connect_timeout`] holds, and not the time or the token.
    pub fn limits(mut self, limits: Limits<P::Cost>) -> Self {
        self.limits = limits;
        self
    }

    /// Calls `progress` in process 0 at the beginning of every round: many times a second, on the thread of a worker.
    pub fn on_progress<G: FnMut(&DistributedProgress<P::Cost>) + Send>(
        self,
        progress: G,
    ) -> Distributed<P, I, G> {
        let Self { problem, cluster, limits, ids, .. } = self;
        Distributed { problem, cluster, limits, progress: Some(progress), ids }
    }

    /// Numbers the states with 63 bits instead of 31: for more than 2³¹ − 1 states of all workers together, where the
    /// narrow ids stop the search with [`StopReason::States`](crate::StopReason::States).
    pub fn wide_ids(self) -> Distributed<P, u64, F> {
        let Self { problem, cluster, limits, progress, .. } = self;
        Distributed { problem, cluster, limits, progress, ids: PhantomData }
    }
}

impl<P, I, F> Distributed<P, I, F>
where
    P: SearchProblem<State: Encode + Send + Sync, Cost: Encode + Send + Sync + 'static> + Sync,
    I: StateId + Encode,
    F: FnMut(&DistributedProgress<P::Cost>) + Send,
{
    /// Searches from `start`. It returns when the search has ended in all processes.
    ///
    /// # Errors
    ///
    /// - [`DistributedError::Search`] if a cost is negative or no number, or too large for its type, in all processes
    ///   alike;
    /// - [`DistributedError::Cluster`] if another process does not come in time, was given something else, or is lost.
    ///
    /// # Panics
    ///
    /// If the problem panics in this process; the others return an error then.
    pub fn run(self, start: P::State) -> Result<ReportOf<P>, DistributedError<P::Cost>> {
        self.run_from([(start, P::Cost::ZERO)])
    }

    /// Searches from several starts, each with its initial cost *g*.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    pub fn run_from(
        self,
        starts: impl IntoIterator<Item = (P::State, P::Cost)>,
    ) -> Result<ReportOf<P>, DistributedError<P::Cost>> {
        let network = if self.cluster.processes() == 1 { None } else { Some(self.listen()?) };
        let starts: Vec<_> = starts.into_iter().collect();
        self.run_over(&starts, network)
    }

    fn listen(&self) -> Result<Sockets, ClusterError> {
        self.cluster.check_secret()?;
        Sockets::new(&self.cluster)
    }

    /// Searches over a network; without one, there is one process.
    fn run_over<N: Network>(
        self,
        starts: &[(P::State, P::Cost)],
        network: Option<N>,
    ) -> Result<ReportOf<P>, DistributedError<P::Cost>> {
        let Self { problem, cluster, limits, progress, .. } = self;
        limits.check_cost()?;
        let launch = match network {
            None => Launch::alone(cluster.workers()),
            Some(mut network) => {
                let hello = hello_of::<P, I>(&cluster, &problem, starts);
                let connections = connect::connect(&mut network, &cluster, hello)?;
                // Beside batches, timely sends how far the workers have come.
                let most = (1 << 20) + <(P::State, P::Cost, I)>::BYTES;
                Launch::connected(&cluster, &mut network, connections, most)?
            }
        };
        let limits = SearchLimits {
            expansions: limits.expansion_limit(),
            of_worker: of_worker(limits, cluster.workers()),
        };
        let progress = Mutex::new(progress.filter(|_| cluster.process() == 0));
        let summary = launch.run(&cluster, |nth, exchange, watch| {
            let mut progress = (nth == 0).then(|| progress.lock().ok()).flatten();
            let progress = progress.as_mut().and_then(|progress| progress.as_mut());
            let progress = progress.map(|progress| progress as &mut (dyn FnMut(&_) + Send));
            let mut worker = Worker::<_, I>::new(&problem, exchange, watch, &limits, progress);
            worker.begin(starts);
            worker.search()?;
            worker.finish()
        })??;
        Ok(report(&problem, limits.of_worker.cost_limit(), summary)?)
    }
}

/// The limits of one of the `workers` workers of a process.
fn of_worker<C: Cost>(limits: Limits<C>, workers: usize) -> Limits<C> {
    match limits.memory_limit() {
        Some(bytes) => limits.memory(bytes / workers),
        None => limits,
    }
}

fn hello_of<P, I>(cluster: &Cluster, problem: &P, starts: &[(P::State, P::Cost)]) -> Hello
where
    P: SearchProblem<State: Encode, Cost: Encode>,
    I: Encode,
{
    let mut hasher = FxHasher::default();
    // Owners are chosen by hashes that depend on it.
    hasher.write_u32(usize::BITS);
    let mut bytes = vec![0; <(P::State, P::Cost, P::Cost)>::BYTES];
    for (state, g) in starts {
        let (of_state, rest) = bytes.split_at_mut(P::State::BYTES);
        let (of_g, of_h) = rest.split_at_mut(P::Cost::BYTES);
        state.encode(of_state);
        g.encode(of_g);
        problem.heuristic(state).encode(of_h);
        hasher.write(&bytes);
    }
    Hello {
        process: cluster.process() as u64,
        processes: cluster.processes() as u64,
        workers: cluster.workers() as u64,
        record_bytes: <(P::State, P::Cost, I)>::BYTES as u64,
        starts: hasher.finish(),
    }
}

fn report<P: SearchProblem>(
    problem: &P,
    most_cost: Option<P::Cost>,
    summary: Summary<P::State, P::Cost>,
) -> Result<ReportOf<P>, SearchError<P::Cost>> {
    let Summary { end, trail, lower_bound, stats, layers } = summary;
    let (mut path, mut closest) = (None, None);
    if let Some(Trail { leads_to_goal, start_cost, states, .. }) = trail {
        let built: Option<PathOf<P>> = Path::through(problem, states.into_iter(), start_cost)?;
        if leads_to_goal {
            path = built;
        } else {
            closest = built;
        }
    }
    let lower_bound = bound_beside(lower_bound, path.as_ref().map(Path::cost));
    let (outcome, incumbent) = concluded(end, path, most_cost);
    Ok(Report { outcome, incumbent, closest, lower_bound, stats, layers })
}

show_fields! { [P: SearchProblem, I, F] Distributed<P, I, F>, "Distributed" { cluster, limits } }
