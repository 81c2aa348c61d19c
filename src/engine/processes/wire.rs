//! [`Wire`] and [`Network`]: what the search needs of the network, of the clock and of chance. Here are the sockets; the
//! tests have a simulator.

use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use super::cluster::Cluster;
use super::error::ClusterError;
use super::heart::{Heart, Pulse};
use crate::clock::Stopwatch;

/// A connection that waits returns after about so long, so that whoever uses it sees whether to go on.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// The pause between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(2);

/// A number that is used once.
pub(super) type Nonce = [u8; 32];

/// A connection to another process.
pub(super) trait Wire: Send + Sync + Sized + 'static {
    /// Whether to wait for the other end: for about a second at most. If not, or if nothing happens for so long,
    /// an operation fails with [`ErrorKind::WouldBlock`] or [`ErrorKind::TimedOut`].
    fn set_waiting(&self, waits: bool) -> io::Result<()>;

    /// Receives at least one byte; none at the end of the connection.
    fn receive(&self, out: &mut [u8]) -> io::Result<usize>;

    /// Sends bytes of the first list, and behind them of the second; returns how many of both.
    fn send(&self, head: &[u8], body: &[u8]) -> io::Result<usize>;

    /// Ends the connection in one direction or both. The other end may be gone.
    fn close(&self, how: Shutdown);

    /// Called by timely's thread that sends when it has nothing to send.
    fn flushed(&self) {}

    /// The time since a moment that stays the same.
    fn now(&self) -> Duration;
}

/// Where connections come from.
pub(super) trait Network {
    type Wire: Wire;

    /// A process that calls, or a stranger. It does not wait.
    fn accept(&mut self) -> Option<Self::Wire>;

    /// A connection to a process; `None` as long as it cannot be reached. It does not wait: call it again.
    fn call(&mut self, process: usize) -> Option<Self::Wire>;

    /// Waits for a moment.
    fn pause(&mut self);

    /// The time since a moment that stays the same.
    fn now(&self) -> Duration;

    fn nonce(&mut self) -> io::Result<Nonce>;

    /// Lets all links send heartbeats until the value is dropped.
    fn start_heart(&mut self, pulses: Vec<Pulse<Self::Wire>>) -> io::Result<Heart>;

    /// What decides when a worker may go on, if not the system.
    fn turns(&mut self) -> Option<Turns> {
        None
    }
}

/// Makes the turns of the worker of this process that has the given number.
pub(super) type Turns = Arc<dyn Fn(usize) -> Box<dyn Turn> + Send + Sync>;

/// What decides when a worker may go on. Dropped when the worker has ended.
pub(super) trait Turn: Send {
    /// Waits until the worker may go on; it has nothing to do for so long.
    fn wait(&self, sleep: Duration);
}

/// A connection by TCP.
pub(super) struct Socket {
    stream: TcpStream,
    clock: Stopwatch,
}

impl Wire for Socket {
    fn set_waiting(&self, waits: bool) -> io::Result<()> {
        self.stream.set_nonblocking(!waits)?;
        self.stream.set_nodelay(true)?;
        self.stream.set_read_timeout(Some(PATIENCE))?;
        self.stream.set_write_timeout(Some(PATIENCE))
    }

    fn receive(&self, out: &mut [u8]) -> io::Result<usize> {
        (&self.stream).read(out)
    }

    fn send(&self, head: &[u8], body: &[u8]) -> io::Result<usize> {
        (&self.stream).write_vectored(&[IoSlice::new(head), IoSlice::new(body)])
    }

    fn close(&self, how: Shutdown) {
        // It fails if the other process is gone.
        let _ = self.stream.shutdown(how);
    }

    fn now(&self) -> Duration {
        self.clock.elapsed()
    }
}

/// The sockets of this process.
pub(super) struct Sockets {
    listener: TcpListener,
    addresses: Vec<String>,
    /// The processes that are being called.
    calls: Vec<Option<Receiver<TcpStream>>>,
    clock: Stopwatch,
    /// As long as it is there, threads go on calling.
    alive: Arc<()>,
}

impl Sockets {
    /// # Errors
    ///
    /// [`ClusterError::Listen`] if the address of this process cannot be listened at.
    pub(super) fn new(cluster: &Cluster) -> Result<Self, ClusterError> {
        let address = &cluster.addresses()[cluster.process()];
        let listen = || {
            let listener = TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            Ok(listener)
        };
        let listener =
            listen().map_err(|error| ClusterError::Listen { address: address.clone(), error })?;
        Ok(Self {
            listener,
            addresses: cluster.addresses().to_vec(),
            calls: cluster.addresses().iter().map(|_| None).collect(),
            clock: Stopwatch::start(),
            alive: Arc::new(()),
        })
    }

    fn wire(&self, stream: TcpStream) -> Option<Socket> {
        let socket = Socket { stream, clock: self.clock };
        socket.set_waiting(false).ok().map(|()| socket)
    }
}

impl Network for Sockets {
    type Wire = Socket;

    fn accept(&mut self) -> Option<Socket> {
        // Errors are of connections that are gone already.
        let (stream, _) = self.listener.accept().ok()?;
        self.wire(stream)
    }

    fn call(&mut self, process: usize) -> Option<Socket> {
        let Some(call) = &self.calls[process] else {
            let address = self.addresses[process].clone();
            self.calls[process] = call_by_thread(address, Arc::downgrade(&self.alive)).ok();
            return None;
        };
        match call.try_recv() {
            Ok(stream) => {
                self.calls[process] = None;
                self.wire(stream)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.calls[process] = None;
                None
            }
        }
    }

    fn pause(&mut self) {
        thread::sleep(PAUSE);
    }

    fn now(&self) -> Duration {
        self.clock.elapsed()
    }

    fn nonce(&mut self) -> io::Result<Nonce> {
        let mut nonce = Nonce::default();
        getrandom::fill(&mut nonce)?;
        Ok(nonce)
    }

    fn start_heart(&mut self, pulses: Vec<Pulse<Socket>>) -> io::Result<Heart> {
        Heart::start(pulses)
    }
}

/// Calls a process until it answers, on a thread: names may take long to be resolved, and so may a connection to a
/// machine that is off.
fn call_by_thread(address: String, alive: Weak<()>) -> io::Result<Receiver<TcpStream>> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let call = move || {
        while alive.strong_count() > 0 {
            // A name may be known later.
            let addresses = address.to_socket_addrs().into_iter().flatten();
            let connect = |to: SocketAddr| TcpStream::connect_timeout(&to, PATIENCE).ok();
            if let Some(stream) = addresses.into_iter().find_map(connect) {
                // If nobody waits for it any more, it is closed.
                let _ = sender.send(stream);
                return;
            }
            thread::sleep(PAUSE);
        }
    };
    thread::Builder::new().name("bestfirst:call".to_owned()).spawn(call)?;
    Ok(receiver)
}

/// Whether an operation failed only because it would have had to wait longer.
pub(super) fn must_wait(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}
