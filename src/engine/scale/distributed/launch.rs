//! Starts the workers of this process and the connections to the others, and waits for their end.

use std::net::TcpStream;
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
use super::dataflow::Exchange;
use super::error::ClusterError;
use super::link::{Heart, Link, Watch};
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
    _heart: Option<Heart>,
}

impl Launch {
    /// For workers of this process alone.
    pub(super) fn alone(workers: usize) -> Self {
        let builders = process_builders(workers).into_iter().map(Builder::Process);
        Self { builders: builders.collect(), watch: Arc::default(), guard: None, _heart: None }
    }

    /// For workers of several processes, by a socket to each of the others.
    pub(super) fn connected(
        cluster: &Cluster,
        sockets: Vec<Option<TcpStream>>,
    ) -> Result<Self, ClusterError> {
        let failed = |error| ClusterError::Threads { error };
        let watch = Arc::new(Watch::default());
        let mut links = Vec::with_capacity(sockets.len());
        for (process, socket) in sockets.into_iter().enumerate() {
            let link = socket.map(|socket| Link::new(process, socket, Arc::clone(&watch)));
            links.push(link.transpose().map_err(failed)?);
        }
        let heart = Heart::start(links.iter().flatten()).map_err(failed)?;
        let (builders, guard) = initialize_networking_from_sockets(
            process_builders(cluster.workers()),
            links,
            cluster.process(),
            cluster.workers(),
            Hooks::default(),
        )
        .map_err(failed)?;
        let builders = builders.into_iter().map(Builder::Connected).collect();
        Ok(Self { builders, watch, guard: Some(guard), _heart: Some(heart) })
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
        let Self { builders, watch, guard, _heart } = self;
        let (work, watching) = (&work, &*watch);
        let ends: Vec<_> = thread::scope(|scope| {
            let start = |(nth, builder): (usize, Builder)| {
                let name = format!("bestfirst:worker-{nth}");
                thread::Builder::new().name(name).spawn_scoped(scope, move || {
                    let mut exchange = Exchange::new(builder.build());
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
        let mut first = None;
        let mut given_up = None;
        for end in ends {
            match end.map_err(|error| ClusterError::Threads { error })? {
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
