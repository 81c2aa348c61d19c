//! Starts the workers of this process and the connections to the others, and waits for their end.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;

use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::{Allocator, Hooks};
use timely::worker::Worker;

use super::cluster::Cluster;
use super::connect::Proven;
use super::dataflow::Exchange;
use super::error::ClusterError;
use super::heart::Heart;
use super::link::Link;
use super::messages::Expected;
use super::watch::Watch;
use super::wire::{Network, Turns};
use super::worker::GivenUp;
use crate::clock::{Clock, Moment};
use crate::cost::Cost;
use crate::encode::Encode;

/// What makes a worker's end of all channels, on the thread of the worker.
enum Builder {
    Process(ProcessBuilder),
    Connected(TcpBuilder),
}

/// What the threads of timely need, and the connections.
pub(super) struct Launch {
    builders: Vec<Builder>,
    watch: Arc<Watch>,
    /// Joins timely's threads when it is dropped.
    guard: Option<CommsGuard>,
    heart: Option<Heart>,
    turns: Option<Turns>,
}

impl Launch {
    /// For workers of this process alone.
    pub(super) fn alone(workers: usize) -> Self {
        let builders = process_builders(workers).into_iter().map(Builder::Process);
        let builders = builders.collect();
        Self { builders, watch: Arc::default(), guard: None, heart: None, turns: None }
    }

    /// For workers of several processes, by a connection to each of the others. No message has more than `most` bytes.
    pub(super) fn connected<N: Network>(
        cluster: &Cluster,
        network: &mut N,
        connections: Vec<Option<Proven<N::Wire>>>,
        most: usize,
    ) -> Result<Self, ClusterError> {
        let failed = |error| ClusterError::Threads { error };
        let (own, workers) = (cluster.process(), cluster.workers());
        let watch = Watch::new(own, connections.len(), workers, cluster.stall_timeout);
        let watch = Arc::new(watch);
        let workers_of =
            |process: usize| (process * workers) as u64..((process + 1) * workers) as u64;
        let mut links = Vec::with_capacity(connections.len());
        for (process, connection) in connections.into_iter().enumerate() {
            let expected =
                Expected { senders: workers_of(process), receivers: workers_of(own), most };
            let link =
                connection.map(|proven| Link::new(process, proven, expected, Arc::clone(&watch)));
            links.push(link.transpose().map_err(failed)?);
        }
        let pulses = links.iter().flatten().map(Link::pulse).collect();
        let heart = network.start_heart(pulses).map_err(failed)?;
        let (builders, guard) = initialize_networking_from_sockets(
            process_builders(workers),
            links,
            own,
            workers,
            Hooks::default(),
        )
        .map_err(failed)?;
        let builders = builders.into_iter().map(Builder::Connected).collect();
        let turns = network.turns();
        Ok(Self { builders, watch, guard: Some(guard), heart: Some(heart), turns })
    }

    /// Runs `work` on a thread for each worker of this process; returns what the first of them does.
    ///
    /// # Errors
    ///
    /// A [`ClusterError`] if the search was given up. If `work` panics on a thread, so does this.
    pub(super) fn run<C, T, W>(self, cluster: &Cluster, work: W) -> Result<T, ClusterError>
    where
        C: Cost + Encode + Send + 'static,
        T: Send,
        W: Fn(usize, &mut Exchange<C>, &Watch) -> Result<T, GivenUp> + Sync,
    {
        let Self { builders, watch, guard, heart, turns } = self;
        let (work, watching, turns) = (&work, &*watch, &turns);
        let is_alone = guard.is_none();
        let ends: Vec<_> = thread::scope(|scope| {
            let start = |(nth, builder): (usize, Builder)| {
                let name = format!("bestfirst:worker-{nth}");
                thread::Builder::new().name(name).spawn_scoped(scope, move || {
                    let turn = turns.as_ref().map(|turns| turns(nth));
                    let mut exchange = Exchange::new(builder.build(), is_alone, turn);
                    let work = AssertUnwindSafe(|| work(nth, &mut exchange, watching));
                    let end = panic::catch_unwind(work);
                    if !matches!(end, Ok(Ok(_))) {
                        watching.give_up();
                    }
                    // Dropped while nothing panics, or timely's other threads would panic, too.
                    drop(exchange);
                    end
                })
            };
            let threads: Vec<_> = builders.into_iter().enumerate().map(start).collect();
            if threads.iter().any(Result::is_err) {
                watching.give_up();
            }
            let end = |thread: std::io::Result<thread::ScopedJoinHandle<'_, _>>| {
                thread.map(|thread| thread.join().unwrap_or_else(Err))
            };
            threads.into_iter().map(end).collect()
        });
        watch.be_idle();
        // A thread of timely that has panicked panics again here.
        let closed = panic::catch_unwind(AssertUnwindSafe(|| drop(guard)));
        drop(heart);
        let mut first = None;
        let mut given_up = None;
        // Where a thread was not started, timely panics on the others.
        let ends = ends.into_iter().collect::<Result<Vec<_>, _>>();
        for end in ends.map_err(|error| ClusterError::Threads { error })? {
            match end {
                Err(panic) => panic::resume_unwind(panic),
                Ok(Err(GivenUp)) => given_up = Some(GivenUp),
                Ok(Ok(value)) => first = first.or(Some(value)),
            }
        }
        match first {
            Some(first) if given_up.is_none() => Ok(first),
            _ => Err(watch.lost().map_or_else(
                || closed.err().map_or(ClusterError::Confused, |panic| panic::resume_unwind(panic)),
                |(process, loss)| ClusterError::Lost {
                    process,
                    address: cluster.addresses()[process].clone(),
                    loss,
                },
            )),
        }
    }
}

fn process_builders(workers: usize) -> Vec<ProcessBuilder> {
    let Hooks { refill, spill, .. } = Hooks::default();
    ProcessBuilder::new_typed_vector(workers, refill, spill)
}

impl Builder {
    fn build(self) -> Worker {
        let allocator = match self {
            Self::Process(builder) => Allocator::Process(builder.build()),
            Self::Connected(builder) => Allocator::Tcp(builder.build()),
        };
        // Without a clock it would never sleep.
        let now = match Clock::system().now() {
            Some(Moment::System(now)) => Some(now),
            _ => None,
        };
        Worker::new(WorkerConfig::default(), allocator, now)
    }
}
