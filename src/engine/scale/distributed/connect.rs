//! The connections among all processes of a cluster.
//!
//! Timely's own way to connect waits for ever, and looks only once a second, which is most of the time that it takes to
//! start. So the sockets are made here, and handed to it.

use std::io::{ErrorKind, Read, Result as IoResult, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::Duration;

use super::cluster::Cluster;
use super::error::ClusterError;
use crate::clock::{Clock, Moment};
use crate::encode::Encode;

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(2);

/// The first bytes of every connection.
const MAGIC: [u8; 8] = *b"bestfst1";

/// What each process tells the others at first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hello {
    pub(super) process: u64,
    pub(super) processes: u64,
    pub(super) workers: u64,
    /// The number of bytes of a state on its way.
    pub(super) record_bytes: u64,
    /// A number that depends on the starts.
    pub(super) starts: u64,
}

type HelloBytes = ([u8; 8], [u64; 5]);

impl Hello {
    fn bytes(&self) -> [u8; HelloBytes::BYTES] {
        let mut bytes = [0; HelloBytes::BYTES];
        let Self { process, processes, workers, record_bytes, starts } = *self;
        (MAGIC, [process, processes, workers, record_bytes, starts]).encode(&mut bytes);
        bytes
    }

    /// What the other end of a new connection says; `None` if it is not a process of such a search.
    fn read(mut socket: &TcpStream) -> Option<Self> {
        let mut bytes = [0; HelloBytes::BYTES];
        socket.read_exact(&mut bytes).ok()?;
        let (magic, numbers): HelloBytes = Encode::decode(&bytes).ok()?;
        let [process, processes, workers, record_bytes, starts] = numbers;
        (magic == MAGIC).then_some(Self { process, processes, workers, record_bytes, starts })
    }

    /// # Errors
    ///
    /// [`ClusterError::Different`] if the other process was given something else.
    fn compare(&self, other: &Self, process: usize) -> Result<(), ClusterError> {
        let pairs = [
            ("the number of the other process", process as u64, other.process),
            ("the number of processes", self.processes, other.processes),
            ("the number of workers of a process", self.workers, other.workers),
            ("the number of bytes of a state on its way", self.record_bytes, other.record_bytes),
            ("the hash of the starts", self.starts, other.starts),
        ];
        match pairs.into_iter().find(|(_, own, other)| own != other) {
            Some((what, own, other)) => Err(ClusterError::Different { process, what, own, other }),
            None => Ok(()),
        }
    }
}

/// Connects this process with all others: a socket for each, in order, and none for itself.
///
/// # Errors
///
/// A [`ClusterError`] if one of them does not come within the time, or was given something else.
pub(super) fn connect(
    cluster: &Cluster,
    hello: Hello,
) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let own = cluster.process();
    let addresses = cluster.addresses();
    let timer = Timer { clock: Clock::system(), began: Clock::system().now() };
    let address = &addresses[own];
    let listener = listen(address)
        .map_err(|error| ClusterError::Listen { address: address.clone(), error })?;
    let mut sockets: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    loop {
        // Each process calls those before it.
        for process in (0..own).filter(|&process| sockets[process].is_none()).collect::<Vec<_>>() {
            let left = cluster.connect_timeout.saturating_sub(timer.elapsed());
            sockets[process] = call(&addresses[process], process, hello, left)?;
        }
        while let Some(socket) = accept(&listener) {
            let left = cluster.connect_timeout.saturating_sub(timer.elapsed());
            if let Some((process, socket)) = answer(socket, hello, left)? {
                sockets[process] = Some(socket);
            }
        }
        let is_missing = |process: &usize| *process != own && sockets[*process].is_none();
        let missing: Vec<_> = (0..addresses.len()).filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(sockets);
        }
        let waited = timer.elapsed();
        if waited >= cluster.connect_timeout {
            let named = missing.into_iter().map(|process| (process, addresses[process].clone()));
            return Err(ClusterError::Missing { processes: named.collect(), waited });
        }
        thread::sleep(PAUSE);
    }
}

struct Timer {
    clock: Clock,
    began: Option<Moment>,
}

impl Timer {
    fn elapsed(&self) -> Duration {
        let now = self.clock.now();
        now.zip(self.began).map_or(Duration::ZERO, |(now, began)| now.since(began))
    }
}

fn listen(address: &str) -> IoResult<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

fn accept(listener: &TcpListener) -> Option<TcpStream> {
    // Errors are of connections that are gone already.
    listener.accept().ok().map(|(socket, _)| socket)
}

/// Calls a process; `None` if it does not answer yet.
fn call(
    address: &str,
    process: usize,
    hello: Hello,
    left: Duration,
) -> Result<Option<TcpStream>, ClusterError> {
    // A name may be known later.
    let Ok(addresses) = address.to_socket_addrs() else { return Ok(None) };
    let patience = left.clamp(PAUSE, Duration::from_secs(1));
    for address in addresses {
        let Ok(socket) = TcpStream::connect_timeout(&address, patience) else { continue };
        let sent = prepare(&socket, left).and_then(|()| (&socket).write_all(&hello.bytes()));
        // It answers when it listens; before that the connection only waits to be accepted.
        if sent.is_ok()
            && let Some(other) = Hello::read(&socket)
        {
            hello.compare(&other, process)?;
            return Ok(Some(socket));
        }
    }
    Ok(None)
}

/// Answers a process that calls; `None` if it is none of this cluster.
fn answer(
    socket: TcpStream,
    hello: Hello,
    left: Duration,
) -> Result<Option<(usize, TcpStream)>, ClusterError> {
    // Whoever calls says at once who it is.
    if prepare(&socket, left.min(Duration::from_secs(1))).is_err() {
        return Ok(None);
    }
    let Some(other) = Hello::read(&socket) else { return Ok(None) };
    // The other process is told, too, what is different.
    let sent = (&socket).write_all(&hello.bytes());
    let process = usize::try_from(other.process).unwrap_or(usize::MAX);
    hello.compare(&other, process)?;
    let is_later = other.process > hello.process && other.process < hello.processes;
    Ok((is_later && sent.is_ok()).then_some((process, socket)))
}

fn prepare(socket: &TcpStream, patience: Duration) -> IoResult<()> {
    match socket.set_nonblocking(false) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => {}
        other => other?,
    }
    socket.set_nodelay(true)?;
    socket.set_read_timeout(Some(patience.max(PAUSE)))?;
    socket.set_write_timeout(Some(patience.max(PAUSE)))
}
